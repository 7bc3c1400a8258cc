"""Values that do not fit the kind of their column: how many, which, and what becomes of them."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from workbench.core.column_facts import ColumnFacts
from workbench.core.schema import ColumnSpec, Misfits
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.inputs import ComboBox
from workbench.gui.widgets.labels import label

_NAMED = 3


class MisfitsEditor(QFrame):
    """The values that do not fit: how many, the first of them, and the choice between three things to do about them.

    Signals
    -------
    chosen(object)
        The `Misfits` policy the person chose.
    list_wanted()
        All of the values are to be shown.
    """

    chosen = Signal(object)
    list_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_explain(self, "data.misfits")
        set_look(self, message="warning")
        self.words = label(small=True, wrap=True)
        self.policy = ComboBox(
            "What becomes of values that do not fit",
            [
                ("Keep as text", Misfits.KEEP),
                ("Set missing", Misfits.MISSING),
                ("Stop there", Misfits.STOP),
            ],
        )
        self.policy.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.list_button = QPushButton("List…")
        self.list_button.setAccessibleName("List the values that do not fit")
        boxes.column(
            self.words,
            boxes.row((self.policy, 1), self.list_button, spacing="xs"),
            margins="s",
            spacing="xs",
            inside=self,
        )
        self.policy.activated.connect(self._choose)
        self.list_button.clicked.connect(self.list_wanted)

    def show_column(self, spec: ColumnSpec, facts: ColumnFacts | None, *, looked: bool = True) -> None:
        """Show the values of a column, counted after a look; hidden where there are none and nothing was chosen."""
        count = facts.misfit_count if facts is not None else 0
        self.setVisible(count > 0 or spec.misfits is not Misfits.KEEP)
        self.policy.setCurrentIndex(list(Misfits).index(spec.misfits))
        self.list_button.setEnabled(count > 0)
        if facts is None or not count:
            self.words.setText("Every value reads as this kind.")
            return
        named = ", ".join(f"“{value}”" for value in facts.misfits[:_NAMED])
        if not looked:
            self.words.setText(f"Some values do not read as this kind, such as {named}")
            return
        rows = "in 1 row" if facts.misfit_rows == 1 else "in {n} rows"
        words = (
            "1 value, {rows}, does not read as this kind: {values}"
            if count == 1
            else "{count} values, {rows}, do not read as this kind, such as {values}"
        )
        self.words.setText(
            words.format(
                count=f"{count:,}",
                rows=rows.format(n=f"{facts.misfit_rows:,}"),
                values=named,
            )
        )

    def _choose(self, index: int) -> None:
        self.chosen.emit(list(Misfits)[index])
