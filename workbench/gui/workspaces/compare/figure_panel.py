"""Settings of the figure, which are saved with the experiment."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QCheckBox, QGridLayout, QLineEdit, QSizePolicy, QWidget

from workbench.core.settings import declared
from workbench.evaluate.figure_settings import PRINT_WIDTHS, FigureSettings, print_width
from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.form_grid import form_grid
from workbench.gui.widgets.inputs import ComboBox
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.workspaces.compare.draft import ExperimentDraft

_PER_INCH = 2.54
_CENTIMETRES = 2.6, 100.0
_ACROSS = 2
_DECLARED = declared(FigureSettings)
_TICKS = "log_x", "log_y", "bands", "labels", "theory", "crossings", "rest", "caption", "details"
_TOLD = "rest", "caption", "theory", "details"
"""The ticks whose words alone do not say what they do."""


class FigurePanel(QWidget):
    """Ticks for what is drawn; title, size and text of a saved file."""

    def __init__(self, draft: ExperimentDraft, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._draft = draft
        self.ticks: dict[str, QCheckBox] = {}
        ticks = QGridLayout()
        ticks.setHorizontalSpacing(tokens.SPACE_M)
        ticks.setColumnStretch(_ACROSS, 1)
        for number, name in enumerate(_TICKS):
            words = _DECLARED[name].spec.title
            tick = self.ticks[name] = QCheckBox(words)
            tick.setAccessibleName(words)
            tick.toggled.connect(partial(self._set_tick, name))
            ticks.addWidget(tick, number // _ACROSS, number % _ACROSS)
        for name in _TOLD:
            self.ticks[name].setToolTip(_DECLARED[name].spec.help)
        self.title = QLineEdit()
        self.title.setAccessibleName(_DECLARED["title"].spec.title)
        self.title.setPlaceholderText(_DECLARED["title"].spec.placeholder)
        self.title.editingFinished.connect(self._set_title)
        self.print_size = ComboBox("Size of a file", [*((name, name) for name in PRINT_WIDTHS), ("Own size", "")])
        self.print_size.activated.connect(self._set_size)
        self.width_field = self._number("width", _CENTIMETRES, "cm")
        self.height_field = self._number("height", _CENTIMETRES, "cm")
        text = _DECLARED["text"].spec
        self.text = self._number("text", (text.minimum, text.maximum), text.unit)
        self.width_field.committed.connect(partial(self._set_side, "width"))
        self.height_field.committed.connect(partial(self._set_side, "height"))
        self.text.committed.connect(partial(self._set_number, "text"))
        self.font_choice = ComboBox(
            _DECLARED["font"].spec.title,
            [
                ("Sans", ""),
                ("Serif", "DejaVu Serif"),
                ("Times", "STIXGeneral"),
                ("Mono", "DejaVu Sans Mono"),
            ],
        )
        self.font_choice.activated.connect(self._set_font)
        for field in (self.title, self.print_size, self.font_choice):
            field.setMinimumWidth(0)
            field.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        grid = form_grid()
        grid.setColumnMinimumWidth(0, tokens.COLUMN_MIN)
        lines = {
            "Title": boxes.row((self.title, 1)),
            "File": boxes.row((self.print_size, 1)),
            "Size": boxes.row(self.width_field, label("×", muted=True), self.height_field, 1, spacing="xs"),
            "Text": boxes.row(self.text, (self.font_choice, 1), spacing="xs"),
        }
        for row, (title, line) in enumerate(lines.items()):
            grid.addWidget(label(title), row, 0)
            grid.addLayout(line, row, 1)
        boxes.column(ticks, grid, spacing="s", inside=self)
        set_explain(self, "compare.figure")

    def _number(self, name: str, bounds: tuple[float, float], unit: str) -> NumberField:
        title = _DECLARED[name].spec.title
        field = NumberField(title, minimum=bounds[0], maximum=bounds[1], unit=unit, step=0.5, value=8, compact=True)
        field.edit.setMinimumWidth(0)
        field.setFixedWidth(tokens.COLUMN_MIN + tokens.SPACE_L)
        return field

    def refresh(self, settings: FigureSettings) -> None:
        """Show how the figure is drawn."""
        for name, tick in self.ticks.items():
            tick.setChecked(getattr(settings, name))
        if not self.title.hasFocus() or not self.title.isModified():
            self.title.setText(settings.title)
        for field, value in (
            (self.width_field, round(settings.width * _PER_INCH, 1)),
            (self.height_field, round(settings.height * _PER_INCH, 1)),
            (self.text, settings.text),
        ):
            field.follow(value)
        self.font_choice.choose(settings.font)
        self.print_size.choose(print_width(settings))

    def _set_tick(self, name: str, wanted: bool) -> None:
        self._draft.change_figure("Change the figure", **{name: wanted})

    def _set_number(self, name: str, value: float) -> None:
        self._draft.change_figure("Change the figure", **{name: value})

    def _set_side(self, name: str, centimetres: float) -> None:
        self._draft.change_figure("Change the figure", **{name: round(centimetres / _PER_INCH, 2)})

    def _set_size(self, _row: int) -> None:
        size = PRINT_WIDTHS.get(str(self.print_size.chosen))
        if size is not None:
            self._draft.change_figure("Change the size", **size)
        else:
            self.width_field.setFocus()

    def _set_title(self) -> None:
        self.title.setModified(False)
        self._draft.change_figure("Change the title", title=self.title.text().strip())

    def _set_font(self, _row: int) -> None:
        self._draft.change_figure("Change the font", font=str(self.font_choice.chosen))
