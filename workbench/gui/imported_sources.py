"""Qt for Python asks of every module that is imported whether it speaks of Qt; this answers without keeping its source.

Its own answer reads the source into Python's cache of lines, which keeps it as long as the program runs: some 160,000
lines before the window is painted, 14 MB and a tenth of the time. It is needed for `__feature__` only, which nothing
here uses.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import PySide6.QtCore  # noqa: F401  # brings what is asked

_ASKING = "shibokensupport.feature"
_ASKED = "_mod_uses_pyside"


def speaks_of_qt(module: ModuleType) -> bool:
    """Whether the source of a module, if there is any, names the library."""
    named = getattr(module, "__file__", None)
    # Modules that lie within the library name a file that is not there, under whatever folder this runs in.
    if not isinstance(named, str) or not named.endswith(".py") or not (path := Path(named)).is_absolute():
        return False
    try:
        return b"PySide6" in path.read_bytes()
    except OSError:
        return False


def spare_sources() -> None:
    """Answer from now on, where the library asks in the way that is known here."""
    asking = sys.modules.get(_ASKING)
    if asking is not None and _ASKED in vars(asking):
        vars(asking)[_ASKED] = speaks_of_qt
