"""The switch by which a person lets what a plugin makes carry a claim, shown where that plugin is used."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.trust import BUILT_IN, Origin
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.eliding_check_box import ElidingCheckBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.session.plugin_trust import trust_always


class PluginTrust(QWidget):
    """Says whose a plugin is, and lets the person trust it; hidden for what came with the program.

    Signals
    -------
    changed()
        The person trusts it from now on, or no longer; it is kept for later runs of the program.
    failed(object)
        A `WorkbenchError`: it could not be kept, so nothing changed.
    """

    changed = Signal()
    failed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.origin = BUILT_IN
        self.words = label(small=True, wrap=True)
        self.tick = ElidingCheckBox("I vouch for this plug-in")
        self.tick.toggled.connect(self._toggled)
        set_explain(self, "plugins.trust")
        boxes.column(self.words, self.tick, spacing="xs", inside=self)
        self.show_origin(BUILT_IN)

    def show_origin(self, origin: Origin) -> None:
        """Be about this plugin."""
        self.origin = origin
        self.setVisible(not origin.built_in)
        if origin.built_in:
            return
        trusted = origin.trusted
        self.words.setText(
            (
                f"Made by plug-in {origin.name}. You vouch for it: what it makes may carry a claim, and says "
                "that it rests on "
                "your trust."
            )
            if trusted
            else (
                f"Made by plug-in {origin.name}, which this program's tests do not vouch for. What it makes "
                "counts in the "
                "ledger, and carries no claim."
            )
        )
        set_look(self.words, tone="none" if trusted else "warning")
        text = f"I vouch for {origin.name}"
        self.tick.full_text = text
        self.tick.setText(text)
        self.tick.setToolTip(text)
        self.tick.setAccessibleName(text)
        self.tick.blockSignals(True)
        self.tick.setChecked(trusted)
        self.tick.blockSignals(False)

    def _toggled(self, trusted: bool) -> None:
        try:
            trust_always(self.origin, trusted=trusted)
        except WorkbenchError as error:
            self.failed.emit(error)
        else:
            self.changed.emit()
        self.show_origin(self.origin)
