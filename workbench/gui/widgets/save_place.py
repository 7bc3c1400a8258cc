"""The folder in which a dialog begins that asks where to save: that of what was saved last, or of the table."""

from __future__ import annotations

import contextlib
import os
import re
import threading
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Protocol, runtime_checkable

from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from workbench.core.visible import visible

_MOST = 1000
_PATIENCE = 0.3
"""Seconds that the window waits at most: a folder may lie on a network."""
_ENDINGS = re.compile(r"\*(\.[a-z0-9]+)")


@runtime_checkable
class SavesHere(Protocol):
    """Knows the folder, as a document does."""

    save_folder: Path


def _keeper(widget: QWidget) -> SavesHere | None:
    """The document of the room that a widget is in; None outside of one."""
    at: QWidget | None = widget
    while at is not None:
        document = getattr(at, "document", None)
        if isinstance(document, SavesHere):
            return document
        at = at.parentWidget()
    return None


def ask_file(asking: QWidget, title: str, name: str, kinds: str) -> tuple[str, str]:
    """Ask for a file to write, beginning with this name; the file, or "", and the kind that was chosen.

    Where that name is taken, it is proposed with a number, so that whoever only confirms replaces nothing.
    """
    keeper = _keeper(asking)
    folder = Path.home() if keeper is None else keeper.save_folder
    chosen, kind = ask_at(asking, title, unused(folder / name), kinds)
    if chosen and keeper is not None:
        keeper.save_folder = Path(chosen).parent
    return chosen, kind


def ask_at(asking: QWidget, title: str, proposed: Path, kinds: str) -> tuple[str, str]:
    """Ask for a file to write, beginning with this one; the file, or "", and the kind that was chosen.

    Whoever leaves out the ending gets that of the kind. The dialog asked of the name as it was typed: where a file of
    the whole name is there, one is asked before it is replaced, and whoever does not want to is shown the dialog again.
    """
    at, before = str(proposed), ""
    while True:
        ask = QFileDialog.getSaveFileName
        chosen, kind = ask(asking, title, at, kinds, before) if before else ask(asking, title, at, kinds)
        ending = _missing_ending(chosen, kind, kinds)
        if not ending:
            return chosen, kind
        at, before = f"{chosen}{ending}", kind
        if may_write(asking, Path(at), title):
            return at, kind


def may_write(asking: QWidget, path: Path, title: str) -> bool:
    """Whether nothing is at that path, or whoever is asked wants what is there replaced."""
    if _free(path):
        return True
    button = QMessageBox.StandardButton
    said = f"{visible(path.name)} already exists.\nDo you want to replace it?"
    return QMessageBox.warning(asking, title, said, button.Yes | button.No, button.No) == button.Yes


def _free(path: Path) -> bool:
    """Whether nothing is there; no of a folder that does not answer soon, as nobody knows."""
    found = [False]

    def look() -> None:
        with contextlib.suppress(OSError):
            found[0] = not os.path.lexists(path)

    _look(look)
    return found[0]


def _look(look: Callable[[], None]) -> None:
    """Look at a folder beside the window, which waits for it for a moment only."""
    looking = threading.Thread(target=look, name="a name to save under", daemon=True)
    looking.start()
    looking.join(_PATIENCE)


def unused(wanted: Path) -> Path:
    """That path, or the first of the same with -2, -3, … before its ending at which nothing is.

    A folder that does not answer soon is not waited for: the dialog asks all the same before it replaces a file.
    """
    found = [wanted]

    def look() -> None:
        tried = (wanted.with_name(f"{wanted.stem}-{number}{wanted.suffix}") for number in range(2, _MOST))
        with contextlib.suppress(OSError):
            found.append(next((path for path in chain((wanted,), tried) if not path.exists()), wanted))

    _look(look)
    return found[-1]


def _missing_ending(chosen: str, kind: str, kinds: str) -> str:
    """The ending that a name lacks; "" where it has one of those that were offered, or nothing was chosen."""
    offered, mine = _ENDINGS.findall(kinds), _ENDINGS.findall(kind or kinds)
    return "" if not (chosen and mine) or Path(chosen).suffix.lower() in offered else mine[0]


def ask_folder(asking: QWidget, title: str) -> str:
    """Ask for a folder to write into; "" for none."""
    keeper = _keeper(asking)
    folder = Path.home() if keeper is None else keeper.save_folder
    chosen = QFileDialog.getExistingDirectory(asking, title, str(folder))
    if chosen and keeper is not None:
        keeper.save_folder = Path(chosen)
    return chosen
