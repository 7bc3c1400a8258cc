"""The content of the file: which columns of the draw, and at which levels their labels stand."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from workbench.core.visible import visible
from workbench.gui.widgets import boxes
from workbench.gui.widgets.disclosure import Disclosure
from workbench.gui.widgets.eliding_check_box import ElidingCheckBox
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.session.release.written_form import Labels, WrittenForm

_CHOICES = {
    Labels.AS_DRAWN: "Labels as drawn, finer beside coarser",
    Labels.ONE_LEVEL: "One level for each column",
    Labels.WITH_STEP: "Labels as drawn, and their step",
}
_MEANS = {
    Labels.AS_DRAWN: "Finer labels must not be counted alone; the statement says how.",
    Labels.ONE_LEVEL: "Readers can count the rows as they stand.",
    Labels.WITH_STEP: "A column says at which step a row came out.",
}


_WRITTEN = "The file is written like this. “Export again…” below writes the same draw otherwise, which costs nothing."
_OTHERWISE = "This is for another file: the one that was written stays as it is, and keeps its statement."


class WrittenFormView(Disclosure):
    """Folded while nothing needs to be chosen; its heading says what is in the file.

    Signals
    -------
    chosen(list, str)
        These columns are left out, and labels are written so: one of `Labels`.
    """

    chosen = Signal(list, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        self.labels = ElidingComboBox("Labels in the file")
        self.means = label(small=True, muted=True, wrap=True)
        self.boxes: dict[str, QCheckBox] = {}
        self.written = label(small=True, muted=True, wrap=True)
        self.written.hide()
        self.listed = label(wrap=True, selectable=True)
        self.listed.hide()
        self._fixed = False
        self._columns = boxes.column(spacing="xs")
        self.form: WrittenForm | None = None
        self._leave = label("Leave out", small=True, muted=True)
        self._choices = boxes.boxed(
            boxes.column(self.labels, self.means, self._leave, self._columns, spacing="xs", margins=0)
        )
        content = boxes.boxed(boxes.column(self.listed, self.written, self._choices, spacing="xs"))
        super().__init__("", content, parent)
        set_explain(self, "release.after")
        self.labels.activated.connect(self._tell)
        self.hide()

    def show_form(self, form: WrittenForm | None) -> None:
        """Show what can be chosen, and what is; nothing is made anew while the columns stay the same."""
        self.setHidden(form is None)
        if form is None:
            return
        if self.form is None or form.labels != self.form.labels:
            self.labels.clear()
            for one in form.labels:
                self.labels.addItem(_CHOICES[one], one.value)
        if self.form is None or dict(form.starred) != dict(self.form.starred):
            self._make_boxes(form)
        self.form = form
        several = len(form.labels) > 1
        self.labels.setVisible(several)
        self.means.setVisible(several)
        self.labels.choose(form.chosen.value)
        self.means.setText(_MEANS[form.chosen])
        for name, box in self.boxes.items():
            box.setChecked(name in form.after.left_out)
        self._show_enabled()
        self.set_title(f"In the file: {form.words}")

    def show_fixed(self, exported: bool, *, fixed: bool) -> None:
        """Say what becomes of a file that was written: what it has is a list to read until it is exported again."""
        self._fixed = fixed
        self.written.setText(_WRITTEN if fixed else _OTHERWISE)
        self.written.setVisible(exported)
        self._show_enabled()

    def _show_enabled(self) -> None:
        if self.form is None:
            return
        self.listed.setText("\n".join(map(visible, self.form.lines)))
        self.listed.setVisible(self._fixed)
        self._choices.setHidden(self._fixed)
        # One column has to stay.
        last = len(self.form.starred) - len(self.form.after.left_out) == 1
        for box in self.boxes.values():
            box.setEnabled(not self._fixed and (box.isChecked() or not last))
        self.labels.setEnabled(not self._fixed)

    def _make_boxes(self, form: WrittenForm) -> None:
        while (item := self._columns.takeAt(0)) is not None:
            line = item.widget()
            if line is not None:
                line.hide()
                line.deleteLater()
        self.boxes = {}
        for name in form.starred:
            box = ElidingCheckBox(visible(form.said_of(name)).replace("&", "&&"))
            box.setAccessibleName(f"Leave out {visible(name)}")
            box.clicked.connect(self._tell)
            self.boxes[name] = box
            self._columns.addWidget(box)

    def _tell(self, _value: object = None) -> None:
        left_out = [name for name, box in self.boxes.items() if box.isChecked()]
        self.chosen.emit(left_out, str(self.labels.chosen))
