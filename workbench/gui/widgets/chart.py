"""A chart in the window: drawn off the GUI thread, in the colours of the theme, to be read from, copied or saved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolButton, QWidget

from workbench.core.progress import Progress
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.later import Later
from workbench.gui.runner import Runner
from workbench.gui.theme import colour
from workbench.gui.widgets.chart_files import ask_picture, picture_file, write_numbers
from workbench.gui.widgets.chart_look import chart_style
from workbench.gui.widgets.chart_pointer import ChartPointer
from workbench.gui.widgets.chart_zoom import moved, notches, zoomed
from workbench.plots.caption import Caption
from workbench.plots.chart_part import ChartPart
from workbench.plots.reading import ChartReading
from workbench.plots.render import ChartRenderer, DrawnChart, chart_csv, save_chart
from workbench.plots.style import ChartKind, ChartStyle

_SETTLE_MS = 40
_OUT_OF_DATE = 0.6
"""How far a chart fades that is disabled, because it is no answer to what is asked now."""


class ChartView(QWidget):
    """Shows one kind of chart and fills its pane.

    The drawing runs as a job, which also loads the plotting library when the first chart is shown; the last
    picture stays until the next one is ready. With the picture come its points and the names in its legend, so that
    pointing, walking with the arrow keys and clicking need no plotting on this thread. Ctrl and the wheel show a part
    of it larger, which is drawn anew.

    Parameters
    ----------
    name
        What the chart is, for screen readers and for the name of a saved file.
    kind
        The module or object that builds it, such as `workbench.plots.tradeoff`.
    runner
        Runs the drawing.

    Signals
    -------
    noted(str, str)
        A message of a kind ("success") and its text.
    drawn()
        A new picture is on the screen.
    filled(bool)
        There is data to show, or none any more.
    """

    noted = Signal(str, str)
    drawn = Signal()
    filled = Signal(bool)

    def __init__(self, name: str, kind: ChartKind[Any], runner: Runner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._kind = kind
        self._runner = runner
        self._renderer: ChartRenderer[Any] = ChartRenderer(kind)
        self._data: Any = None
        self._pictured: Any = None
        self._picture: QImage | None = None
        self._part = ChartPart()
        self._described = True
        self._pressed: QPoint | None = None
        self.pointer = ChartPointer(self)
        self._empty_text = ""
        self._print: dict[str, Any] = {}
        self._stem = ""
        self._wait = Later(self, self._draw, _SETTLE_MS)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.more = QToolButton(self)
        self.more.setIcon(icon("more", "muted"))
        self.more.setAccessibleName(f"Copy or save the chart “{name}”")
        self.more.setToolTip("Copy or save this chart")
        self.more.clicked.connect(self._open_menu)
        self.more.hide()

    @property
    def data(self) -> Any:
        """Data that is shown, None while there is none."""
        return self._data

    @property
    def picture(self) -> QImage | None:
        """The chart as it was last drawn."""
        return self._picture

    @property
    def pictured(self) -> Any:
        """Data that the picture is of, which may be older than `data`; None without a picture."""
        return None if self._picture is None else self._pictured

    @property
    def taken(self) -> Any:
        """Data that leave when the chart is saved or its numbers are copied."""
        return self._data

    @property
    def leaving(self) -> Any:
        """Data that a saved picture is drawn of."""
        return self.taken

    @property
    def file_stem(self) -> str:
        """The name that is proposed for a file, without its ending."""
        return self._stem or self._name.lower().replace(" ", "-")

    def drop_picture(self) -> None:
        """Show no picture until that of the data is drawn."""
        self._picture = self._pictured = None
        self.pointer.show_reading(ChartReading())
        self.update()

    @property
    def part(self) -> ChartPart:
        """Part of the data that is shown."""
        return self._part

    def set_data(self, data: Any) -> None:
        """Show `data`, or nothing if it is None."""
        if data is not self._data:
            self._part = replace(self._part, zoom=None)
        self._data = data
        self.more.setVisible(data is not None)
        self._described = False
        self._describe()
        self.filled.emit(data is not None)
        if data is None:
            self.drop_picture()
        self._draw_soon()
        self.update()

    def _describe(self) -> None:
        """Say what it shows to those who cannot see it; while nobody is there, that waits too."""
        if self._data is None:
            self.setAccessibleDescription(self._empty_text)
        elif self.isVisible() and not self._described:
            self.setAccessibleDescription(self._kind.describe(self._data))
            self._described = True

    def set_print(self, size: tuple[float, float], style: ChartStyle, caption: str = "", description: str = "") -> None:
        """How a saved picture is drawn: width and height in inches, colours and text, and what is written below."""
        self._print = {"size": size, "style": style, "caption": caption, "description": description}

    def say_below(self, caption: Caption) -> None:
        """Let this be written below a saved picture, and kept in its file with the details."""
        self.write_below(caption.below, str(caption))

    def write_below(self, caption: str, description: str = "") -> None:
        """Let this be written below a saved picture, which is of the usual size and black on white."""
        self._print = {"caption": caption, "description": description}

    @property
    def caption(self) -> str:
        """What is written below a saved picture."""
        return str(self._print.get("caption", ""))

    def name_files(self, stem: str) -> None:
        """Propose this name for files, without an ending; "" for what the chart is called."""
        self._stem = stem

    def set_empty_text(self, text: str) -> None:
        """Set the text that stands there while there is no data."""
        self._empty_text = text
        if self._data is None:
            self.setAccessibleDescription(text)
        self.update()

    # Drawing

    def _draw_soon(self) -> None:
        if self._data is not None and self.isVisible():
            self._wait.start()

    def _draw(self) -> None:
        if self._data is None or not self.isVisible():
            return
        data, style, renderer, part = self._data, chart_style(), self._renderer, self._part
        width, height, ratio = self.width(), self.height(), self.devicePixelRatioF()

        def work(progress: Progress) -> tuple[DrawnChart, float, Any]:
            return renderer.draw(data, style, width, height, ratio, progress, part), ratio, data

        self._runner.start(
            "Drawing the chart",
            work,
            on_done=self._show_picture,
            key=f"chart {id(self)}",
            latest_wins=True,
        )

    def _show_picture(self, found: tuple[DrawnChart, float, Any]) -> None:
        drawn, ratio, data = found
        if self._data is None or (self._picture is None and data is not self._data):
            return  # what was dropped meanwhile does not come back
        pixels = drawn.pixels
        height, width, _ = pixels.shape
        picture = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGBA8888).copy()
        picture.setDevicePixelRatio(ratio)
        self._picture, self._pictured = picture, data
        self.pointer.show_reading(drawn.reading)
        self.update()
        self.drawn.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), colour("surface"))
        if self._picture is not None:
            self._paint_picture(painter, self._picture)
            if not self.isEnabled():
                painter.setOpacity(_OUT_OF_DATE)
                painter.fillRect(self.rect(), colour("surface"))
                painter.setOpacity(1.0)
        else:
            words = self._empty_text if self._data is None else "Drawing…"
            painter.setPen(colour("muted"))
            room = self.rect().adjusted(tokens.SPACE_XL, tokens.SPACE_XL, -tokens.SPACE_XL, -tokens.SPACE_XL)
            centred = int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap)
            painter.drawText(QRect(room), centred, words)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(colour("focus"))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()

    def _paint_picture(self, painter: QPainter, picture: QImage) -> None:
        """Until there is a picture for less room the one before is made smaller: cut, it would lose an axis."""
        wanted = picture.deviceIndependentSize()
        if wanted.width() < self.width() + 1 and wanted.height() < self.height() + 1:
            painter.drawImage(QPoint(0, 0), picture)
            self.paint_marks(painter)
            self.pointer.paint(painter)
        else:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(QRect(QPoint(0, 0), wanted.toSize().boundedTo(self.size())), picture)

    def paint_marks(self, painter: QPainter) -> None:
        """Paint over the picture what moves without it, and is no part of what leaves; usually nothing."""

    def fill(self, least: int) -> None:
        """Take the height that is left, but at least so many pixels: where a window is low no axis lies below it."""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.setMinimumHeight(least)

    def sizeHint(self) -> QSize:
        return QSize(2 * tokens.EXPLAIN_WIDTH, tokens.EXPLAIN_WIDTH)

    def minimumSizeHint(self) -> QSize:
        return QSize(tokens.RAIL_WIDTH, tokens.FIELD_WIDTH)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.more.move(self.width() - self.more.sizeHint().width() - tokens.SPACE_XS, tokens.SPACE_XS)
        self._draw_soon()
        super().resizeEvent(event)

    def showEvent(self, event: QEvent) -> None:
        self._describe()
        self._draw_soon()

    def hideEvent(self, event: QEvent) -> None:
        self._wait.stop()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.DevicePixelRatioChange):
            self._draw_soon()
        elif event.type() == QEvent.Type.EnabledChange:
            self.update()
        super().changeEvent(event)

    # Reading from it

    def point_at(self, place: QPoint) -> None:
        """Say what is nearest to a place of the chart."""
        self.pointer.point_at(place.x(), place.y())

    def show_all(self) -> None:
        """Show the whole chart with all its series again."""
        self._show_part(ChartPart())

    def toggle(self, name: str) -> None:
        """Leave the series of that name out, or draw it again."""
        self._show_part(replace(self._part, hidden=self._part.hidden ^ {name}))

    def zoom(self, place: QPoint, steps: float) -> None:
        """Show what is around a place larger, or below 0 more of what is around it."""
        frame = self.pointer.reading.frame_at(place.x(), place.y())
        if frame is not None:
            self._show_part(replace(self._part, zoom=zoomed(self._part.zoom, frame, place.x(), place.y(), steps)))

    def _show_part(self, part: ChartPart) -> None:
        if part != self._part:
            self._part = part
            self._draw_soon()

    def wheelEvent(self, event: QWheelEvent) -> None:
        # Without Ctrl the wheel belongs to the page, which may scroll.
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(event.position().toPoint(), notches(event.angleDelta().y()))
            event.accept()
        else:
            event.ignore()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        here, zoom = event.position().toPoint(), self._part.zoom
        if self._pressed is not None and zoom is not None:
            frame = self.pointer.reading.frame_at(self._pressed.x(), self._pressed.y())
            if frame is not None:
                way = here - self._pressed
                self._pressed = here
                self._show_part(replace(self._part, zoom=moved(zoom, frame, way.x(), way.y())))
                return
        named = self.pointer.reading.entry_at(here.x(), here.y()) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if named else Qt.CursorShape.ArrowCursor)
        self.point_at(here)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if event.button() != Qt.MouseButton.LeftButton:
            return
        here = event.position().toPoint()
        entry = self.pointer.reading.entry_at(here.x(), here.y())
        if entry is not None:
            self.toggle(entry.name)
        else:
            self._pressed = here
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._pressed = None
        super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        here = event.position()
        entry = self.pointer.reading.entry_at(here.x(), here.y())
        if entry is not None:
            self.toggle(entry.name)  # two clicks that came quickly
        elif event.button() == Qt.MouseButton.LeftButton:
            self._show_part(replace(self._part, zoom=None))

    def leaveEvent(self, event: QEvent) -> None:
        self.pointer.clear()
        super().leaveEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.pointer.clear()
        super().focusOutEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_C and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self.copy_picture()
        elif event.key() == Qt.Key.Key_0 and self._part.zoom is not None:
            self._show_part(replace(self._part, zoom=None))
        elif event.key() in (Qt.Key.Key_Plus, Qt.Key.Key_Minus):
            self.zoom(self.pointer.looked_at, 1.0 if event.key() == Qt.Key.Key_Plus else -1.0)
        elif not self.pointer.walk(event.key()):
            super().keyPressEvent(event)

    # Taking it along

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self._data is not None:
            self._menu().popup(event.globalPos())

    def _open_menu(self) -> None:
        self._menu().popup(self.more.mapToGlobal(QPoint(0, self.more.height())))

    def _menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(icon("copy"), "&Copy picture", self.copy_picture)
        menu.addAction(icon("table"), "Copy &numbers as CSV", self.copy_numbers)
        menu.addSeparator()
        whole = menu.addAction("Show &all of it", self.show_all)
        whole.setEnabled(self._part != ChartPart())
        menu.addSeparator()
        words = "&Save picture with caption…" if self.caption else "&Save picture…"
        menu.addAction(icon("save"), words, self.choose_file)
        return menu

    def copy_picture(self) -> None:
        """Put the chart on the clipboard as a picture."""
        if self._picture is not None:
            QGuiApplication.clipboard().setImage(self._picture)
            self.noted.emit("success", "The chart was copied.")

    def copy_numbers(self) -> None:
        """Put the numbers behind the chart on the clipboard as CSV."""
        if self.taken is not None:
            QGuiApplication.clipboard().setText(chart_csv(self._kind, self.taken))
            self.noted.emit("success", "The numbers of the chart were copied as CSV.")

    def choose_file(self) -> None:
        """Ask for a file and save the chart there."""
        path = ask_picture(self, self.file_stem)
        if path is not None:
            self.save(path)

    def save(self, path: Path) -> None:
        """Write the chart, black on white, as PNG, SVG or PDF by the ending of `path`."""
        if self.taken is not None:
            target = picture_file(path)
            self._write(target, partial(save_chart, self._kind, self.leaving, target, **self._print))

    def save_numbers(self, path: Path) -> None:
        """Write the numbers behind the chart as CSV."""
        if self.taken is not None:
            self._write(path, partial(write_numbers, self._kind, self.taken, path))

    def _write(self, path: Path, write: Callable[[], None]) -> None:
        def work(_progress: Progress) -> Path:
            write()
            return path

        # A moment's work, which waits for no run.
        self._runner.start(f"Saving {path.name}", work, on_done=self._saved, aside=True)

    def _saved(self, path: Path) -> None:
        self.noted.emit("success", f"The chart was saved as {path.name}.")
