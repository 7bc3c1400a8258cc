"""The program's icon in the form each system wants, drawn from the one picture there is."""

from __future__ import annotations

import os
from pathlib import Path

_FORMATS = {"win32": "ico", "darwin": "icns"}
_SIZE = 256


def write_icon(picture: Path, folder: Path, system: str) -> str | None:
    """Draw the icon for a system into a folder.

    Parameters
    ----------
    picture
        An SVG.
    system
        As `sys.platform` has it.

    Returns
    -------
    str or None
        The path of the icon; None on systems whose programs carry none, such as Linux, where it stands beside them.

    Raises
    ------
    SystemExit
        If the icon cannot be drawn or written.
    """
    ending = _FORMATS.get(system)
    if ending is None:
        return None
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QGuiApplication, QIcon

    app = QGuiApplication.instance() or QGuiApplication([])
    image = QIcon(str(picture)).pixmap(_SIZE, _SIZE).toImage()
    image = image.scaled(_SIZE, _SIZE, mode=Qt.TransformationMode.SmoothTransformation)
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"workbench.{ending}"
    if app is None or image.isNull() or not image.save(str(target)):
        raise SystemExit(f"The icon {picture} could not be written as {target}.")
    return str(target)
