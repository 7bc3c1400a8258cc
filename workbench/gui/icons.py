"""Line icons that take the colours of the theme, crisp at any size and pixel density."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QIconEngine, QPainter, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer

from workbench.core.errors import WorkbenchError
from workbench.core.paths import resources
from workbench.gui.theme import current_theme


@cache
def icon_names() -> tuple[str, ...]:
    """The names `icon` knows, in alphabetical order."""
    return tuple(sorted(path.stem for path in _folder().glob("*.svg")))


def icon(name: str, token: str = "text") -> QIcon:
    """The icon `name` in the colour of a theme token.

    The icon asks for the colour whenever it is painted, so it follows the theme by itself and need never be
    set again.

    Parameters
    ----------
    name
        File name without ending in `resources/icons`.
    token
        Name of a colour in `Theme`, such as `"text"`, `"on_accent"` or `"error"`.

    Raises
    ------
    WorkbenchError
        If the icon's file is missing.
    """
    return QIcon(_Engine(name, token))


def paint_icon(painter: QPainter, rect: QRect, name: str, token: str = "text") -> None:
    """Paint the icon into `rect` with the painter's own pixel density."""
    ratio = painter.device().devicePixelRatio()
    pixmap = _render(name, getattr(current_theme(), token), rect.width(), rect.height(), ratio)
    painter.drawPixmap(rect.topLeft(), pixmap)


def app_icon() -> QIcon:
    """The program's own icon."""
    result = QIcon()
    for size in (16, 24, 32, 48, 64, 128, 256):
        result.addPixmap(_render("app", "#000000", size, size, 1.0))
    return result


class _Engine(QIconEngine):
    def __init__(self, name: str, token: str) -> None:
        super().__init__()
        _source(name)
        self._name = name
        self._token = token

    def clone(self) -> QIconEngine:
        return _Engine(self._name, self._token)

    def key(self) -> str:
        return "workbench"

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        ratio = painter.device().devicePixelRatio()
        size = min(rect.width(), rect.height())
        corner = rect.topLeft() + QPoint((rect.width() - size) // 2, (rect.height() - size) // 2)
        painter.drawPixmap(corner, _render(self._name, self._colour(mode), size, size, ratio))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return _render(self._name, self._colour(mode), size.width(), size.height(), 1.0)

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:
        # The size is in device-independent pixels.
        return _render(self._name, self._colour(mode), size.width(), size.height(), scale)

    def _colour(self, mode: QIcon.Mode) -> str:
        token = "disabled" if mode is QIcon.Mode.Disabled else self._token
        value: str = getattr(current_theme(), token)
        return value


def _folder() -> Path:
    return resources() / "icons"


@cache
def _source(name: str) -> bytes:
    path = _folder() / f"{name}.svg"
    try:
        return path.read_bytes()
    except OSError as error:
        raise WorkbenchError(f"The icon “{name}” is missing.", hint="Install the program again.", field=name) from error


def _render(name: str, colour: str, width: int, height: int, ratio: float) -> QPixmap:
    key = f"workbench/{name}/{colour}/{width}x{height}@{ratio}"
    pixmap = QPixmap()
    if QPixmapCache.find(key, pixmap):
        return pixmap
    pixmap = QPixmap(QSize(max(round(width * ratio), 1), max(round(height * ratio), 1)))
    pixmap.fill(QColor(Qt.GlobalColor.transparent))
    # QtSvg draws `currentColor` black, hence the replacement.
    renderer = QSvgRenderer(QByteArray(_source(name).replace(b"currentColor", colour.encode())))
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    renderer.render(painter, QRectF(pixmap.rect()))
    painter.end()
    pixmap.setDevicePixelRatio(ratio)
    QPixmapCache.insert(key, pixmap)
    return pixmap
