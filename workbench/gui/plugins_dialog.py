"""The dialog of third parties' plug-ins: those there, those left out and why, and those trusted."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFrame, QScrollArea, QVBoxLayout, QWidget

from workbench.core.trust import Origin
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.widgets import boxes
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.plugin_trust import PluginTrust
from workbench.session.plugin_trust import origins
from workbench.session.plugins import installed, left_out

_WIDTH, _HEIGHT = 560, 420


class PluginsDialog(QDialog):
    """One part for each distribution: what it brings, what is wrong with it, and the switch of trust."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.setWindowTitle("Plug-ins")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_explain(self, "plugins.trust")
        self.switches: list[PluginTrust] = []
        inside = QWidget()
        inside.setProperty("bare", "true")
        column = QVBoxLayout(inside)
        column.setSpacing(tokens.SPACE_L)
        known = origins()
        if not known:
            column.addWidget(label("No plug-in of a third party is installed.", wrap=True))
        for origin in known:
            column.addWidget(self._part(origin))
        column.addStretch(1)
        area = QScrollArea()
        area.setWidget(inside)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        boxes.column((area, 1), buttons, margins=None, inside=self)
        self.resize(_WIDTH, _HEIGHT)

    def _part(self, origin: Origin) -> QWidget:
        part = QWidget()
        layout = boxes.column(label(origin.name, strong=True), spacing="s", inside=part)
        brought = [one for one in installed() if one.origin.key == origin.key]
        if brought:
            words = "\n".join(f"{one.kind}: {one.identifier}" for one in brought)
            layout.addWidget(label(words, small=True, wrap=True, selectable=True))
        for problem in left_out():
            if problem.origin.key == origin.key:
                words = f"Left out, {problem.entry_point}: {problem.why}"
                wrong = label(words, small=True, wrap=True, selectable=True, tone="error")
                layout.addWidget(wrong)
        if brought:
            switch = PluginTrust()
            switch.show_origin(origin)
            switch.changed.connect(self._document.tell_trust)
            switch.failed.connect(self._document.failed)
            self.switches.append(switch)
            layout.addWidget(switch)
        return part
