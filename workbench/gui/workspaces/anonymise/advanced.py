"""Advanced settings of a release: a seed that makes runs repeatable simulations."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QGridLayout, QWidget

from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.widgets.disclosure import Disclosure
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.number_field import NumberField

_LARGEST_SEED = 2**53


class Advanced(QWidget):
    """The seed, folded away until somebody asks for it."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._showing = False
        content = QWidget()
        self.simulate = QCheckBox("Repeatable simulation, with the seed")
        self.simulate.setAccessibleName(self.simulate.text())
        self.simulate.clicked.connect(self._toggle)
        self.seed = NumberField("Seed", minimum=0, maximum=_LARGEST_SEED, integer=True, value=1, compact=True)
        self.seed.value_changed.connect(self._typed)
        note = label(
            "For teaching and tests. Whoever knows the seed can undo the sampling, so there is no claim.",
            small=True,
            muted=True,
            wrap=True,
        )
        grid = QGridLayout(content)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(tokens.SPACE_S)
        grid.setColumnStretch(0, 1)
        grid.addWidget(self.simulate, 0, 0)
        grid.addWidget(self.seed, 1, 0, Qt.AlignmentFlag.AlignLeft)
        grid.addWidget(note, 2, 0)
        self.disclosure = Disclosure("Advanced", content)
        set_explain(self, "anonymise.seed")
        whole = QGridLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.disclosure)

    def refresh(self) -> None:
        """Show the seed as the settings have it."""
        seed = self._document.project.anonymise.seed
        self._showing = True
        try:
            self.simulate.setChecked(seed is not None)
            self.seed.setEnabled(seed is not None)
            if seed is not None:
                if self.seed.value != seed:
                    self.seed.set_value(seed)
                # A simulation must not hide behind a closed heading.
                self.disclosure.set_open(True)
        finally:
            self._showing = False

    def _toggle(self, simulate: bool) -> None:
        seed = int(self.seed.value or 0) if simulate else None
        text = "Simulate with a seed" if simulate else "Run without a seed"
        self._document.apply(text, lambda session: session.release.set_seed(seed))

    def _typed(self, value: float) -> None:
        if not self._showing and self.simulate.isChecked():
            self._document.apply("Change the seed", lambda session: session.release.set_seed(int(value)), merge="seed")
