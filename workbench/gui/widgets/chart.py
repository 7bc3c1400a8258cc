"""A chart in the window: drawn off the GUI thread, in the colours of the theme, to be copied or saved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QImage, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFileDialog, QMenu, QSizePolicy, QToolButton, QWidget

from workbench.core.progress import Progress
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.later import Later
from workbench.gui.runner import Runner
from workbench.gui.theme import colour, current_theme
from workbench.plots.render import ChartRenderer, chart_csv, save_chart
from workbench.plots.style import ChartKind, ChartStyle

_SETTLE_MS = 40
_FORMATS = ("png", "svg", "pdf")


def chart_style() -> ChartStyle:
    """The theme in force, as the charts know it."""
    theme = current_theme()
    return ChartStyle(
        ground=theme.surface,
        text=theme.text,
        muted=theme.muted,
        grid=theme.chart_grid,
        anonymised=theme.chart_anonymised,
        global_dp=theme.chart_global,
        local_dp=theme.chart_local,
        truth=theme.chart_truth,
        families=tokens.FONT_FAMILIES,
        base=tokens.FONT_BASE,
        small=tokens.FONT_SMALL,
    )


class ChartView(QWidget):
    """Shows one kind of chart and fills its pane.

    The drawing runs as a job, which also loads the plotting library when the first chart is shown; the last
    picture stays until the next one is ready.

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
    """

    noted = Signal(str, str)
    drawn = Signal()

    def __init__(self, name: str, kind: ChartKind[Any], runner: Runner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._kind = kind
        self._runner = runner
        self._renderer: ChartRenderer[Any] = ChartRenderer(kind)
        self._data: Any = None
        self._picture: QImage | None = None
        self._empty_text = ""
        self._print: dict[str, Any] = {}
        self._wait = Later(self, self._draw, _SETTLE_MS)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.more = QToolButton(self)
        self.more.setIcon(icon("more", "muted"))
        self.more.setAccessibleName(f"Copy or save the chart “{name}”")
        self.more.setToolTip("Copy or save this chart")
        self.more.clicked.connect(self._open_menu)
        self.more.hide()

    @property
    def data(self) -> Any:
        """What is shown, None while there is nothing."""
        return self._data

    @property
    def picture(self) -> QImage | None:
        """The chart as it was last drawn."""
        return self._picture

    def set_data(self, data: Any) -> None:
        """Show `data`, or nothing if it is None."""
        self._data = data
        self.more.setVisible(data is not None)
        self.setAccessibleDescription(self._kind.describe(data) if data is not None else self._empty_text)
        if data is None:
            self._picture = None
        self._draw_soon()
        self.update()

    def set_print(self, size: tuple[float, float], style: ChartStyle) -> None:
        """How a saved picture is drawn: width and height in inches, colours and text."""
        self._print = {"size": size, "style": style}

    def set_empty_text(self, text: str) -> None:
        """What is said while there is no data."""
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
        data, style, renderer = self._data, chart_style(), self._renderer
        width, height, ratio = self.width(), self.height(), self.devicePixelRatioF()

        def work(progress: Progress) -> tuple[NDArray[np.uint8], float]:
            return renderer.render(data, style, width, height, ratio, progress), ratio

        self._runner.start(
            "Drawing the chart",
            work,
            on_done=self._show_picture,
            key=f"chart {id(self)}",
            latest_wins=True,
        )

    def _show_picture(self, drawn: tuple[NDArray[np.uint8], float]) -> None:
        if self._data is None:
            return
        pixels, ratio = drawn
        height, width, _ = pixels.shape
        picture = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGBA8888).copy()
        picture.setDevicePixelRatio(ratio)
        self._picture = picture
        self.update()
        self.drawn.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), colour("surface"))
        if self._picture is not None:
            painter.drawImage(QPoint(0, 0), self._picture)
        else:
            words = self._empty_text if self._data is None else "Drawing…"
            painter.setPen(colour("muted"))
            room = self.rect().adjusted(tokens.SPACE_XL, tokens.SPACE_XL, -tokens.SPACE_XL, -tokens.SPACE_XL)
            centred = int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap)
            painter.drawText(QRect(room), centred, words)
        if self.hasFocus():
            painter.setPen(colour("focus"))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()

    def sizeHint(self) -> QSize:
        return QSize(2 * tokens.EXPLAIN_WIDTH, tokens.EXPLAIN_WIDTH)

    def minimumSizeHint(self) -> QSize:
        return QSize(tokens.RAIL_WIDTH, tokens.FIELD_WIDTH)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.more.move(self.width() - self.more.sizeHint().width() - tokens.SPACE_XS, tokens.SPACE_XS)
        self._draw_soon()
        super().resizeEvent(event)

    def showEvent(self, event: QEvent) -> None:
        self._draw_soon()

    def hideEvent(self, event: QEvent) -> None:
        self._wait.stop()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.DevicePixelRatioChange):
            self._draw_soon()
        super().changeEvent(event)

    # Taking it along

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_C and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self.copy_picture()
        else:
            super().keyPressEvent(event)

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
        menu.addAction(icon("save"), "&Save picture…", self.choose_file)
        return menu

    def copy_picture(self) -> None:
        """Put the chart on the clipboard as a picture."""
        if self._picture is not None:
            QGuiApplication.clipboard().setImage(self._picture)
            self.noted.emit("success", "The chart was copied.")

    def copy_numbers(self) -> None:
        """Put the numbers behind the chart on the clipboard as CSV."""
        if self._data is not None:
            QGuiApplication.clipboard().setText(chart_csv(self._kind, self._data))
            self.noted.emit("success", "The numbers of the chart were copied as CSV.")

    def choose_file(self) -> None:
        """Ask for a file and save the chart there."""
        chosen, _ = QFileDialog.getSaveFileName(
            self,
            "Save picture",
            f"{self._name.lower().replace(' ', '-')}.png",
            ";;".join(f"{ending.upper()} (*.{ending})" for ending in _FORMATS),
        )
        if chosen:
            self.save(Path(chosen))

    def save(self, path: Path) -> None:
        """Write the chart, black on white, as PNG, SVG or PDF by the ending of `path`."""
        if self._data is None:
            return
        target = path if path.suffix.lower()[1:] in _FORMATS else path.with_name(path.name + ".png")
        kind, data, how = self._kind, self._data, dict(self._print)

        def work(_progress: Progress) -> Path:
            save_chart(kind, data, target, **how)
            return target

        self._runner.start(f"Saving {target.name}", work, on_done=self._saved)

    def _saved(self, path: Path) -> None:
        self.noted.emit("success", f"The chart was saved as {path.name}.")
