"""Importing what a large module needs a module at a time, for a thread that has other things to do in between."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from time import thread_time
from typing import NamedTuple

_HOME = Path(__file__).resolve().parents[2]
_ASKED = re.compile(r"^(?:from|import) (workbench(?:\.\w+)+)", re.MULTILINE)
"""Imports that are made whenever a module is imported; those for types only, or of a function, are indented."""
_SECONDS = 0.01
"""How long the thread is busy before it is asked for more."""


def import_some(name: str) -> bool:
    """Import some of what a module of this program asks for and, when all of it is there, the module.

    Python itself imports one whenever another asks for it, all of them at once. Where there are no sources to be read,
    as in a bundle, so does this.

    Parameters
    ----------
    name
        The full name of the module.

    Returns
    -------
    bool
        Whether the module is there now. If not, a hundredth of a second is over, and more is to be asked for.
    """
    begun = thread_time()
    for needed in _in_turn(name, set()):
        import_module(needed)
        # One at the least: where only to look for it takes so long, nothing else would ever come.
        if thread_time() - begun > _SECONDS:
            return name in sys.modules
    import_module(name)
    return True


def _in_turn(name: str, seen: set[str], whole: str = "") -> Iterator[str]:
    """The modules that are still missing, each after those it asks for; `whole` is a package that they are part of."""
    if name in seen or name in sys.modules:
        return
    seen.add(name)
    around = name.rpartition(".")[0]
    if around and around not in seen:
        yield from _in_turn(around, seen, whole)
    source = _source(name)
    if source is None:
        return
    # A package that imports its own modules is imported with them: each would ask for the package first.
    inside = whole or (name if source.is_package else "")
    for other in source.asks_for:
        yield from _in_turn(other, seen, inside)
    if not whole or not name.startswith(f"{whole}."):
        yield name


class _Source(NamedTuple):
    is_package: bool
    asks_for: tuple[str, ...]


@cache
def _source(name: str) -> _Source | None:
    """Source of a module, which is read once; None where there is none."""
    place = _HOME.joinpath(*name.split("."))
    for path, is_package in ((place / "__init__.py", True), (place.with_suffix(".py"), False)):
        if path.is_file():
            return _Source(is_package, tuple(_ASKED.findall(path.read_text(encoding="utf-8"))))
    return None
