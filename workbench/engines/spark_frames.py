"""The part of the Spark store that files are read and written through: Spark's own session and its frames."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, TypeVar

from workbench.core.progress import SILENT, Progress
from workbench.engines.store import Store

T = TypeVar("T")


class SparkFrames(Store):
    """A store whose relations are frames of Spark."""

    @property
    @abstractmethod
    def session(self) -> Any:
        """Spark's own session.

        Raises
        ------
        WorkbenchError
            If the store was closed.
        """

    @abstractmethod
    def work(self, job: Callable[[], T], progress: Progress = SILENT, text: str = "") -> T:
        """Let Spark work on another thread, while this one reports and listens for a cancellation."""

    @abstractmethod
    def arrow(self, sql: str, progress: Progress = SILENT) -> Any:
        """A result as an Arrow table."""

    @abstractmethod
    def name(self, frame: Any) -> str:
        """Make a frame of Spark's a relation; gives its name."""

    @abstractmethod
    def behind(self, relation: str, select: str) -> str:
        """Another view on a relation, which is dropped together with it; that name is not used any more."""
