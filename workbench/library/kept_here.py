"""Objects that may hold values of the data: never copied nor pickled, as caches and other processes would."""

from __future__ import annotations

from typing import Any, NoReturn, SupportsIndex

from workbench.core.errors import WorkbenchError
from workbench.library.plainly import plainly


class KeptHere:
    """Stays in the process in which it was made."""

    @plainly
    def __reduce_ex__(self, _protocol: SupportsIndex) -> NoReturn:
        raise _refused(self)

    @plainly
    def __getstate__(self) -> NoReturn:
        raise _refused(self)


def _refused(one: Any) -> WorkbenchError:
    return WorkbenchError(
        f"A {type(one).__name__} is not copied, and not put into a file, since it may hold values of the data.",
        hint="Keep what may leave with `save`, or make it anew where it is needed.",
    )
