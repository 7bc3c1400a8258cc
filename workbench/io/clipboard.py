"""The text on the clipboard, read by the tool that each system has for that; a window has its own way."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from workbench.core.errors import WorkbenchError

CLIPBOARD = "clipboard:"
"""Text that stands for the clipboard in the place of a file."""
_SECONDS = 10
_TOOLS = (
    ("wl-paste", "--no-newline"),
    ("xclip", "-selection", "clipboard", "-out"),
    ("xsel", "--clipboard", "--output"),
)


def keep_clipboard(path: Path) -> None:
    """Write the text of the clipboard into a new file, whose folder nobody else may read.

    Raises
    ------
    WorkbenchError
        If there is no text, or nothing here can read it.
    """
    text = clipboard_text()
    if not text.strip():
        told = "There is no text on the clipboard."
        raise WorkbenchError(told, hint="Copy the cells of a table first.", field="data")
    with path.open("x", encoding="utf-8", newline="") as kept:
        kept.write(text)


def clipboard_text() -> str:
    """Text on the clipboard.

    Raises
    ------
    WorkbenchError
        If nothing here can read it.
    """
    for command in _commands():
        if shutil.which(command[0]) is None:
            continue
        try:
            found = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=True)
        except (OSError, subprocess.SubprocessError):
            continue  # such as where no screen is: another one may know
        return found.stdout.decode("utf-8", "replace")
    raise WorkbenchError(
        "The clipboard cannot be read here.",
        hint="On Linux install wl-clipboard, xclip or xsel; or save the table as a file and open that.",
        field="data",
    )


def _commands() -> tuple[tuple[str, ...], ...]:
    if sys.platform == "darwin":
        return (("pbpaste",),)
    if sys.platform == "win32":
        # Its texts are in the encoding of the console unless another one is asked for.
        read = "[Console]::OutputEncoding = [Text.Encoding]::UTF8; Get-Clipboard -Raw"
        return (("powershell.exe", "-NoProfile", "-NonInteractive", "-Command", read),)
    return _TOOLS if os.environ.get("WAYLAND_DISPLAY") else (*_TOOLS[1:], _TOOLS[0])
