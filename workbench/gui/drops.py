"""Files that are dropped onto a window."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QDropEvent


def dropped(event: QDropEvent) -> Path | None:
    """The one local file or folder that is being dropped, if it is one; whether it is there is seen when it is read."""
    urls = event.mimeData().urls()
    return Path(urls[0].toLocalFile()) if len(urls) == 1 and urls[0].isLocalFile() else None
