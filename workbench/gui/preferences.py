"""Preferences: how large text is, light or dark, and where data is worked on."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QWidget

from workbench.gui import tokens
from workbench.gui.theme import Mode, ThemeManager
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.form_grid import form_grid
from workbench.gui.widgets.inputs import ComboBox
from workbench.gui.widgets.labels import label

MODES = {Mode.SYSTEM: "As the system", Mode.LIGHT: "Light", Mode.DARK: "Dark"}


class Preferences(QDialog):
    """The choices that belong to the person and not to a project. Each takes effect at once.

    Signals
    -------
    engine_requested()
        The person wants to say where data is worked on, and in how much memory.
    """

    engine_requested = Signal()

    def __init__(self, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Preferences")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_explain(self, "window.preferences")
        self.text_size = ComboBox("Text size", [(f"{size} px", size) for size in tokens.TEXT_SIZES])
        self.text_size.choose(themes.text_size)
        self.text_size.activated.connect(lambda _: themes.set_text_size(self.text_size.chosen))
        self.mode = ComboBox("Theme", [(words, mode) for mode, words in MODES.items()])
        self.mode.choose(themes.mode)
        self.mode.activated.connect(lambda _: themes.set_mode(self.mode.chosen))
        self.engine = push_button("Engine and memory…", self.engine_requested)
        form = form_grid()
        for row, (words, field) in enumerate((("Text size", self.text_size), ("Theme", self.mode))):
            named = label(words)
            named.setBuddy(field)
            form.addWidget(named, row, 0)
            form.addWidget(field, row, 1)
        form.addWidget(label("Data"), 2, 0)
        form.addWidget(self.engine, 2, 1, Qt.AlignmentFlag.AlignLeft)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        boxes.column(form, 1, buttons, margins="l", spacing="l", inside=self)
        self.setMinimumWidth(tokens.EXPLAIN_WIDTH + tokens.FIELD_WIDTH)
