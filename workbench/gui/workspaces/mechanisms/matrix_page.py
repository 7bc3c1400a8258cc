"""The matrix, its zoom, and ways to take it along."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QImage, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QPushButton, QToolButton, QWidget

from workbench.core.progress import Progress
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.runner import Runner
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import tool_button
from workbench.gui.widgets.chart_look import chart_style
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.inside_menu import InsideMenu
from workbench.gui.widgets.save_place import ask_file
from workbench.gui.workspaces.mechanisms.matrix_table import FIT, ZOOMS, MatrixTable, NumberForm
from workbench.io.atomic import atomic_write
from workbench.mechanisms.channel import Channel
from workbench.mechanisms.channel_text import for_spreadsheet, latex_table, to_csv, to_latex, write_channel
from workbench.mechanisms.prism import to_prism
from workbench.plots import channel_heat
from workbench.plots.render import ChartRenderer, save_chart
from workbench.session.audit import Examination, write_prism
from workbench.session.audit_words import claim_lines, frame_words, model_words, picture_caption, without_frame

_FIGURES = ("png", "svg", "pdf")
_PICTURE = 2 * tokens.EMPTY_TEXT_WIDTH
_KINDS = (
    ("chart", "&Picture with caption…", "channel.png", "PNG (*.png);;SVG (*.svg);;PDF (*.pdf)"),
    ("table", "&Numbers (CSV)…", "channel.csv", "Table (*.csv)"),
    ("table", "For a &spreadsheet…", "channel.tsv", "Table (*.tsv)"),
    ("table", "&LaTeX…", "channel.tex", "LaTeX (*.tex)"),
    ("table", "&Model for PRISM…", "channel.pm", "PRISM (*.pm *.prism)"),
)
_COPIED = tuple(picture for picture, _, _, _ in _KINDS)
_COPIES = ("&Picture", *(words.removesuffix("…") for _, words, _, _ in _KINDS[1:]))
"""The same in the same order; a picture on the clipboard has no caption."""
_SHOWN = "Chance of each output (columns) for each input (rows)"
_ROUNDED = "This matrix is known in rounded numbers only."


class MatrixPage(QWidget):
    """The heat map of the channel.

    Signals
    -------
    noted(str, str)
        A message of a kind ("success") and its text.
    """

    noted = Signal(str, str)

    def __init__(self, runner: Runner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._marked: tuple[tuple[int, int], ...] = ()
        self._about: tuple[str, ...] = ()
        self._caption = ""
        self.table = MatrixTable("Probability of every output for every input")
        self.smaller = self._tool("remove", "Smaller cells")
        self.larger = self._tool("add", "Larger cells")
        self.smaller.clicked.connect(self._zoom_out)
        self.larger.clicked.connect(self._zoom_in)
        self.form = ElidingComboBox("How probabilities are written", [(one.value, one) for one in NumberForm])
        self.form.setMinimumContentsLength(max(len(one.value) for one in NumberForm))
        self.form.setMinimumWidth(tokens.METER_WIDTH)
        self.form.activated.connect(self._choose_form)
        self._wanted = NumberForm.FRACTIONS
        self.copy = QPushButton("Copy")
        self.copy.setIcon(icon("copy"))
        menu = InsideMenu(self.copy)
        copies = (self.copy_figure, self.copy_csv, self.copy_table, self.copy_latex, self.copy_prism)
        for picture, words, copied in zip(_COPIED, _COPIES, copies, strict=True):
            menu.addAction(icon(picture), words, copied)
        self.copy.setMenu(menu)
        self.save = QPushButton("Save…")
        self.save.setIcon(icon("save"))
        kinds = InsideMenu(self.save)
        for picture, words, name, kind in _KINDS:
            kinds.addAction(icon(picture), words, partial(self.choose_file, name, kind))
        self.save.setMenu(kinds)
        self.legend = ElidedLabel("Rows are inputs, columns outputs", muted=True, small=True)
        self._tools = boxes.row(1, self.form, self.smaller, self.larger, self.copy, self.save, spacing="xs")
        self._top = boxes.row((self.legend, 1), self._tools, spacing="xs")
        boxes.column(self._top, (self.table, 1), margins="0 s 0 0", spacing="s", inside=self)
        set_explain(self, "mechanisms.matrix")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < self.legend.sizeHint().width() + self._tools.sizeHint().width() + tokens.SPACE_XS
        self._top.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)

    def show_found(self, found: Examination) -> None:
        """Show the channel and mark the two cells that show its ε."""
        channel, witness = found.channel, found.audit.witness
        self._about, self._caption = (
            (*model_words(found), *claim_lines(found)),
            picture_caption(found, _SHOWN, frame_words(found)).below,
        )
        known = self.table.cells.channel
        if known is None or (known.inputs, known.outputs) != (channel.inputs, channel.outputs):
            self.table.set_zoom(FIT)
        self._marked = ((witness.row, witness.column), (witness.other, witness.column))
        self.table.show_channel(channel, frozenset(self._marked))
        self._show_form(known_exactly=channel.exact is not None)
        self._show_zoom()

    def _tool(self, name: str, words: str) -> QToolButton:
        button = tool_button(name=words, icon=icon(name), tip=words)
        return button

    def _choose_form(self, _row: int) -> None:
        self._wanted = NumberForm(str(self.form.chosen))
        self.table.show_form(self._wanted)

    def _show_form(self, *, known_exactly: bool) -> None:
        """Offer fractions where there are any; what was chosen comes back with the next exact matrix."""
        place = list(NumberForm).index(NumberForm.FRACTIONS)
        self.form.setItemData(place, None if known_exactly else 0, Qt.ItemDataRole.UserRole - 1)
        self.form.setItemData(place, "" if known_exactly else _ROUNDED, Qt.ItemDataRole.ToolTipRole)
        rounded = not known_exactly and self._wanted is NumberForm.FRACTIONS
        self.form.choose(NumberForm.DECIMALS if rounded else self._wanted)
        self.table.show_form(NumberForm(str(self.form.chosen)))

    def _zoom_in(self) -> None:
        self.table.set_zoom(self.table.zoom + 1)
        self._show_zoom()

    def _zoom_out(self) -> None:
        self.table.set_zoom(self.table.zoom - 1)
        self._show_zoom()

    def _show_zoom(self) -> None:
        self.smaller.setEnabled(self.table.zoom > 0)
        self.larger.setEnabled(self.table.zoom < len(ZOOMS) - 1)

    # Taking it along

    @property
    def _heat(self) -> channel_heat.ChannelHeat | None:
        channel = self.table.cells.channel
        if channel is None:
            return None
        return channel_heat.ChannelHeat(
            channel.inputs, channel.outputs, channel.floats, channel.exact, self._marked, named=("Input", "Output")
        )

    def copy_table(self) -> None:
        """Put the matrix on the clipboard as a spreadsheet takes it."""
        self._copy_text(for_spreadsheet, "The channel was copied; paste it into a spreadsheet.")

    def copy_csv(self) -> None:
        """Put the matrix on the clipboard as CSV, as the program reads it again."""
        self._copy_text(to_csv, "The channel was copied as CSV.")

    def _copy_text(self, written: Callable[[Channel], str], words: str) -> None:
        channel = self.table.cells.channel
        if channel is not None:
            QGuiApplication.clipboard().setText(written(channel))
            self.noted.emit("success", words)

    def copy_latex(self) -> None:
        """Put the matrix on the clipboard as a LaTeX array."""
        channel = self.table.cells.channel
        if channel is not None:
            QGuiApplication.clipboard().setText(to_latex(channel))
            self.noted.emit("success", "The channel was copied as LaTeX.")

    def copy_prism(self) -> None:
        """Put the chain on the clipboard as a model for PRISM."""
        channel = self.table.cells.channel
        if channel is not None:
            QGuiApplication.clipboard().setText(to_prism(channel, self._about))
            self.noted.emit("success", "The chain was copied as a model for PRISM.")

    def copy_figure(self) -> None:
        """Draw the heat map and put it on the clipboard."""
        heat, style = self._heat, chart_style()
        if heat is None:
            return

        def work(progress: Progress) -> NDArray[np.uint8]:
            width, height = (round(_PICTURE * inches / channel_heat.LARGEST) for inches in heat.size)
            return ChartRenderer(channel_heat).render(heat, style, width, height, 2.0, progress)

        self._runner.start("Drawing the figure", work, on_done=self._copied, key="copy channel")

    def _copied(self, pixels: NDArray[np.uint8]) -> None:
        height, width, _ = pixels.shape
        picture = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGBA8888).copy()
        QGuiApplication.clipboard().setImage(picture)
        self.noted.emit("success", "The picture was copied.")

    def choose_file(self, name: str, kind: str) -> None:
        """Ask for a file, such as the one of that name, and write the channel or the figure there, by its ending."""
        chosen, _ = ask_file(self, "Save the matrix", name, kind)
        if chosen:
            self.save_to(Path(chosen))

    def save_to(self, path: Path) -> None:
        """Write CSV, TSV, LaTeX, a model for PRISM, PNG, SVG or PDF by the ending of `path`."""
        channel, heat = self.table.cells.channel, self._heat
        if channel is None or heat is None:
            return
        ending, about, caption = path.suffix.lower()[1:], self._about, self._caption

        def work(_progress: Progress) -> Path:
            if ending in _FIGURES:
                save_chart(channel_heat, heat, path, heat.size, caption=caption)
            elif ending in ("pm", "prism"):
                write_prism(channel, path, about)
            elif ending in ("tex", "tsv"):
                with atomic_write(path, "t") as stream:
                    stream.write(
                        for_spreadsheet(channel)
                        if ending == "tsv"
                        else latex_table(channel, without_frame(caption), path.stem)
                    )
            else:
                write_channel(channel, path)
            return path

        self._runner.start(f"Saving {path.name}", work, on_done=self._saved)

    def _saved(self, path: Path) -> None:
        self.noted.emit("success", f"Saved to {path.name}.")
