"""The first thing a window needs: a screen, and what connects Qt with it.

Qt ends the process where it has neither, with words for those who know Qt. So what it says before is read, and said
in one sentence.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Sequence

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from workbench.core.visible import visible_lines
from workbench.guard import FAILED, WINDOW_PACKAGES

_PLATFORM = "QT_QPA_PLATFORM"
_INDENT = "\n           "


class NoScreen(Exception):
    """A window cannot be shown; says why, and what to do."""


def application(arguments: Sequence[str]) -> QApplication:
    """The application of this process, made if there is none.

    Raises
    ------
    NoScreen
        If no screen is named to show it on. Where one is named that Qt cannot use, the process ends, with code 2 and
        a sentence on standard error.
    """
    present = QApplication.instance()
    if isinstance(present, QApplication):
        return present
    if not _has_screen():
        raise NoScreen(
            f"there is no screen to show a window on.{_INDENT}"
            "Start it in a graphical session, or use the command line: workbench --help."
        )
    said: list[str] = []

    def listen(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
        if kind != QtMsgType.QtFatalMsg:
            said.append(text)
            return
        # To return would be to abort.
        _say(f"workbench: {explained([*said, text])}")
        os._exit(FAILED)

    before = qInstallMessageHandler(listen)
    try:
        made = QApplication(list(arguments))
    finally:
        qInstallMessageHandler(before)
    for text in said:
        _say(text)
    return made


def explained(said: Sequence[str]) -> str:
    """Explanation of what Qt has said about a screen that it cannot use, in one sentence, and what to do about it."""
    text = "\n".join(said)
    unknown = re.search(r"Could not find the Qt platform plugin \"([^\"]*)\"", text)
    if unknown and unknown[1]:
        known = re.search(r"Available platform plugins are: ([^\n]*?)\.?(?:\n|$)", text)
        return (
            f"Qt has no way to show a window that is called “{unknown[1]}”, as {_PLATFORM} says."
            f"{_INDENT}Unset {_PLATFORM}, or choose one of these: {known[1] if known else 'xcb, wayland, offscreen'}."
        )
    display = re.search(r"could not connect to display ?(\S*)|Failed to create wl_display", text)
    if display:
        where = display[1] or os.environ.get("WAYLAND_DISPLAY" if display[1] is None else "DISPLAY", "")
        return (
            f"the screen {f'“{where}” ' if where else ''}cannot be reached."
            f"{_INDENT}Are DISPLAY and WAYLAND_DISPLAY right, and may this program use that screen? The command line "
            "needs none: workbench --help."
        )
    if "even though it was found" in text:
        return (
            "Qt cannot show a window: the operating system lacks a library that it needs, or the screen is not there."
            f"{_INDENT}On Debian and Ubuntu: apt install {WINDOW_PACKAGES}"
            f"{_INDENT}The command line needs none of them: workbench --help."
        )
    last = said[-1].splitlines()[0].rstrip(".") if said and said[-1] else "no reason"
    return (
        f"Qt cannot show a window, and gives this reason: {last}."
        f"{_INDENT}{_PLATFORM} says by which way it is shown, such as xcb, wayland or offscreen."
    )


def _has_screen() -> bool:
    if not sys.platform.startswith("linux"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", _PLATFORM))


def _say(text: str) -> None:
    with contextlib.suppress(OSError, ValueError, AttributeError):
        sys.stderr.write(visible_lines(text) + "\n")
        sys.stderr.flush()
