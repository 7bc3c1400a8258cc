"""Results of cells, kept under a key of everything they depend on, so that nothing is run twice."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.evaluate.cell_result import CellResult


class ResultStore:
    """Results by key; may be used on several threads."""

    def __init__(self, results: Mapping[str, CellResult] = MappingProxyType({})) -> None:
        self._results = dict(results)
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._results)

    def get(self, key: str) -> CellResult | None:
        with self._lock:
            return self._results.get(key)

    def put(self, key: str, result: CellResult) -> None:
        with self._lock:
            self._results[key] = result

    def take_in(self, results: Mapping[str, CellResult]) -> None:
        """Add results that were kept elsewhere; what is known already stays."""
        with self._lock:
            self._results = {**results, **self._results}

    def of(self, keys: Iterable[str]) -> Mapping[str, CellResult]:
        """Those of the keys that are there."""
        with self._lock:
            return MappingProxyType({key: self._results[key] for key in keys if key in self._results})
