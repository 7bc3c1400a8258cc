"""The steps of a trimmed release, one line each: degree, levels and share of ε; and which of them the columns show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from workbench.anonymise.dp_search import Degree
from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.level_words import level_words, stated_words
from workbench.core.number_text import parts_up, percent
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.theme import tabular_font
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.calm_wheel import CalmWheel
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.widgets.remove_button import RemoveButton
from workbench.gui.workspaces.anonymise.degree_words import in_words
from workbench.gui.workspaces.anonymise.level_chips import LevelChips
from workbench.session import Session
from workbench.session.release.assessment import PromiseAssessment
from workbench.session.release.steps import LevelSource, StepLine
from workbench.session.told_hierarchy import told_hierarchy

_LARGEST_SHARE = 1e6
_MOST_ROWS = len(Degree) + 1
"""A step of each degree, and one before them that is drawn."""


class StepRow(QWidget):
    """One step: its number, its degree if it has one, its share, and the levels in words.

    Signals
    -------
    share_typed(float)
        The person gave the step another share.
    """

    share_typed = Signal(float)

    def __init__(self, place: int, wheel: CalmWheel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._showing = False
        number = place + 1
        self.number = label(f"Step {number}", muted=True)
        self.degree = ElidingComboBox(f"Degree of step {number}")
        self.title = label(muted=True)
        self.share = NumberField(
            f"Share of step {number}", minimum=0, open_minimum=True, maximum=_LARGEST_SHARE, compact=True
        )
        self.share.edit.setMinimumWidth(tokens.COLUMN_MIN)
        self.share.setMaximumWidth(tokens.COLUMN_MIN)
        self.spends = label(muted=True, small=True)
        self.spends.setFont(tabular_font())
        self.spends.setMinimumWidth(tokens.COLUMN_MIN)
        self.spends.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.remove = RemoveButton(f"Remove step {number}")
        self.words = ElidedLabel(muted=True, small=True)
        wheel.guard(self.degree)
        set_explain(self.degree, "anonymise.degrees")
        set_explain(self.share, "anonymise.shares")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(tokens.SPACE_S)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(1, 1)
        for column, part in enumerate((self.number, self.degree, self.share, self.spends, self.remove)):
            grid.addWidget(part, 0, column)
        grid.addWidget(self.title, 0, 1)
        grid.addWidget(self.words, 1, 1, 1, 4)
        self.share.value_changed.connect(self._share_changed)

    def show_line(self, line: StepLine, words: str, spends: str, degrees: tuple[Degree, ...], removable: bool) -> None:
        """Show a step as it stands."""
        self._showing = True
        try:
            has_degree = line.degree is not None
            self.degree.setVisible(has_degree)
            self.title.setVisible(not has_degree)
            self.title.setText("drawn privately" if line.drawn else "")
            if line.degree is not None:
                offered = [one.value for one in degrees]
                if [self.degree.itemData(row) for row in range(self.degree.count())] != offered:
                    self.degree.clear()
                    for one in degrees:
                        self.degree.addItem(in_words(one), one.value)
                self.degree.choose(line.degree.value)
            typed = line.weight > 0
            self.share.setVisible(typed)
            if typed:
                self.share.follow(line.weight)
            self.spends.setText(spends)
            self.spends.setToolTip("What this step spends of ε; of δ it has the same share")
            self.remove.setVisible(removable)
            self.words.set_text(words)
        finally:
            self._showing = False

    def _share_changed(self, value: float) -> None:
        if not self._showing:
            self.share_typed.emit(value)


class StepPicker(QWidget):
    """The step that the columns show: a chip for each.

    Signals
    -------
    picked(int)
        The person wants to see the step at that place.
    """

    picked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._showing = False
        self.chips = LevelChips("Step whose levels are shown")
        set_explain(self.chips, "anonymise.steps")
        boxes.row(label("Levels at step", small=True, muted=True), self.chips, 1, spacing="s", inside=self)
        self.chips.valueChanged.connect(self._pick)

    def show_steps(self, steps: int, selected: int) -> None:
        """Show so many steps, of which one is selected."""
        self._showing = True
        try:
            self.chips.setRange(1, max(steps, 1))
            self.chips.setValue(selected + 1)
        finally:
            self._showing = False
        self.chips.updateGeometry()
        self.setVisible(steps > 1)

    def _pick(self, number: int) -> None:
        if not self._showing:
            self.picked.emit(number - 1)


class StepsList(QWidget):
    """The steps, and what adds, removes and weighs them; whoever makes it places its `picker`.

    Signals
    -------
    selected_changed()
        The person wants to see another step in the columns.
    validity_changed()
        A share holds no number any more, or holds one again.
    """

    selected_changed = Signal()
    validity_changed = Signal()

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._promised: TrimGuarantee | None = None
        self._lines: tuple[StepLine, ...] = ()
        self._wheel = CalmWheel(self)
        self.picker = StepPicker()
        self.picker.picked.connect(self._select)
        self.selected = 0
        self.rows: list[StepRow] = []
        self.error = label(small=True, wrap=True, tone="error")
        self.mend = push_button(
            "Fit the steps to the columns",
            self._mend,
            name="Fit the steps to the columns",
            explain="anonymise.steps",
            quiet=True,
        )
        self.shares = ElidingComboBox(
            "How ε and δ are shared", [("Shares the program gives", True), ("Shares I give", False)]
        )
        self.shares.activated.connect(self._choose_shares)
        self.add_step = push_button("Add a step", self._add, name="Add a step", explain="anonymise.steps")
        self._wheel.guard(self.shares)
        set_explain(self.shares, "anonymise.shares")
        set_explain(self, "anonymise.steps")
        self._list = boxes.column(spacing="s")
        # All of them at once: Tab goes through widgets in the order in which they were made.
        for _ in range(_MOST_ROWS):
            self._make_row()
        foot = boxes.row((self.shares, 1), self.add_step, spacing="s")
        boxes.column(self._list, self.error, self.mend, foot, spacing="s", inside=self)

    @property
    def lines(self) -> tuple[StepLine, ...]:
        """The steps that are shown."""
        return self._lines

    @property
    def valid(self) -> bool:
        """Whether every share shows the number that is in force."""
        return all(row.share.valid for row in self.rows[: len(self._lines)] if row.share.isVisibleTo(self))

    def show_assessment(self, found: PromiseAssessment) -> None:
        """Show the steps as the settings have them."""
        steps = self._document.session.release.steps
        self._promised = found.guarantee if isinstance(found.guarantee, TrimGuarantee) else None
        problem = ""
        try:
            self._lines = steps.lines(self._promised)
        except WorkbenchError as error:
            self._lines, problem = (), str(error)
        if not problem and found.error is not None and found.error.field in ("shares", "steps"):
            problem = str(found.error)
        self.error.setText(problem)
        self.error.setVisible(bool(problem))
        self.mend.setVisible(not self._lines)
        self.selected = min(self.selected, max(len(self._lines) - 1, 0))
        first = sum(line.degree is None for line in self._lines) if steps.source is LevelSource.SEARCH else 0
        spends = _spends(self._lines, self._promised)
        for place, row in enumerate(self.rows):
            row.setVisible(place < len(self._lines))
            if place < len(self._lines):
                line = self._lines[place]
                degrees = steps.degrees_for(place - first) if line.degree is not None else ()
                removable = steps.can_remove and place >= first
                row.show_line(line, self._words(place), spends[place], degrees, removable)
        self.picker.show_steps(len(self._lines), self.selected)
        self.shares.choose(not self._document.project.anonymise.trim.shares)
        self.shares.setEnabled(len(self._lines) > 1)
        self.add_step.setEnabled(steps.can_add)

    def _words(self, place: int) -> str:
        line = self._lines[place]
        if place and line.levels == self._lines[place - 1].levels:
            return f"the same levels as step {place}: one step with it"
        hierarchies = self._document.project.hierarchies
        if all(_says_nothing(hierarchies.get(name), level) for name, level in line.levels.items()):
            return "* in every column"
        named = " · ".join(f"{name} {self._level(name, level)}" for name, level in line.levels.items())
        return f"not finer than {named}" if line.drawn else named

    def _level(self, name: str, level: int) -> str:
        hierarchy = self._document.project.hierarchies.get(name)
        told = told_hierarchy(self._document.session, name)
        if told is None and hierarchy is not None:
            return stated_words(hierarchy, level)
        return level_words(told, level, example=False)

    def _make_row(self) -> None:
        place = len(self.rows)
        row = StepRow(place, self._wheel, self)
        row.degree.activated.connect(partial(self._choose_degree, place))
        row.share_typed.connect(partial(self._type_share, place))
        row.share.validity_changed.connect(self.validity_changed)
        row.remove.clicked.connect(partial(self._remove, place))
        self._list.addWidget(row)
        self.rows.append(row)

    # Editing

    def _select(self, place: int) -> None:
        self.selected = place
        self.selected_changed.emit()

    def _choose_degree(self, place: int, _row: int) -> None:
        degree = Degree(str(self.rows[place].degree.chosen))
        if degree is not self._lines[place].degree:
            self._apply(
                f"Generalise step {place + 1} to the degree {degree.value}",
                lambda session: session.release.steps.set_degree(place, degree),
            )

    def _type_share(self, place: int, share: float) -> None:
        self._apply(
            f"Change the share of step {place + 1}",
            lambda session: session.release.steps.set_share(place, share),
            f"share.{place}",
        )

    def _choose_shares(self, _row: int) -> None:
        by_rule = bool(self.shares.chosen)
        text = "Let the program share ε" if by_rule else "Share ε by hand"
        self._apply(text, lambda session: session.release.steps.set_shares_by_rule(by_rule))

    def _add(self) -> None:
        places: list[int] = []
        if self._apply("Add a step", lambda session: places.append(session.release.steps.add())):
            self.selected = places[0]
            self.selected_changed.emit()

    def _remove(self, place: int, _checked: bool = False) -> None:
        self._apply(f"Remove step {place + 1}", lambda session: session.release.steps.remove(place))

    def _mend(self) -> None:
        self._apply("Fit the steps to the columns", lambda session: session.release.steps.mend())

    def _apply(self, text: str, edit: Callable[[Session], object], merge: str = "") -> bool:
        return self._document.apply(text, edit, merge=merge)


def _says_nothing(hierarchy: Hierarchy | None, level: int) -> bool:
    return level == 1 if hierarchy is None else hierarchy.says_nothing(level)


def _spends(lines: Sequence[StepLine], promised: TrimGuarantee | None) -> list[str]:
    """Amounts that the steps spend, or their shares as long as nobody knows of what."""
    found = [line.epsilon for line in lines if line.epsilon is not None]
    known = iter(parts_up(found, promised.epsilon) if promised is not None else ())
    shares = [percent(float(line.part)) if line.part else "" for line in lines]
    return [share if line.epsilon is None else f"ε {next(known)}" for line, share in zip(lines, shares, strict=True)]
