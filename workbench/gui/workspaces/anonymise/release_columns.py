"""The columns of an (ε, δ) release, whose levels may also follow from a degree or from a private draw."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QBoxLayout, QWidget

from workbench.anonymise.balanced import Importance
from workbench.anonymise.recipe import ReleaseMechanism, Treatment
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.theme import set_look
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.calm_wheel import CalmWheel
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.workspaces.anonymise.column_row import (
    PROBLEM_ROW,
    STATE_COLUMNS,
    STATE_ROW,
    ColumnRow,
    ColumnTreatment,
)
from workbench.gui.workspaces.anonymise.columns import Columns, choose
from workbench.gui.workspaces.anonymise.level_chips import short_words
from workbench.gui.workspaces.anonymise.said_field import SaidField
from workbench.session import Session
from workbench.session.release.assessment import PromiseAssessment
from workbench.session.release.steps import LevelSource
from workbench.session.release.wishes import (
    enough_of,
    least_of,
    telling_levels,
    wish_enough,
    wish_least,
)
from workbench.session.told_hierarchy import told_hierarchy

_AS_IT_IS = (0, 0)
_GROUPS = " groups"
_WISH_WIDTH = tokens.METER_WIDTH + tokens.SPACE_XL
_LAID = (LevelSource.BALANCED, LevelSource.STEPS)
"""Sources of which a line shows the levels of all steps at once."""


LEAVE_OUT = "leave out"
"""What is chosen beside how long a column is kept."""
_TIPS = {
    Importance.KEEP: "The others become * before it",
    Importance.NORMAL: "Becomes * when the other columns have fewer values left",
    Importance.GIVE_UP: "Becomes * before the others",
}


def at_least(level: int) -> str:
    """The wish that no step is coarser than a level."""
    return f"at least {level}"


def at_most(level: int) -> str:
    """The wish that no step is finer than a level."""
    return f"at most {level}"


class ReleaseRow(ColumnRow):
    """A column whose level may be decided elsewhere, and that trimming does not let pass ungrouped.

    Signals
    -------
    wish_chosen(str, str)
        What is wished of the column of that name: an `Importance`, `at_least` or `at_most` of a level, or `LEAVE_OUT`.
    said(str, str)
        What can occur in the column of that name was typed.
    """

    wish_chosen = Signal(str, str)
    said = Signal(str, str)

    asks = False
    """Whether it makes a difference what can occur."""
    _below = False
    """Whether levels stand below the line."""

    def __init__(self, name: str, wheel: CalmWheel, parent: QWidget | None = None) -> None:
        self.group_it = push_button(
            "Group it as it is", name=f"Group {name} as it is", explain="anonymise.treatment", quiet=True
        )
        self.wish = ElidingComboBox(f"What is wished of {name}")
        set_explain(self.wish, "anonymise.wish")
        wheel.guard(self.wish)
        self.said_field = SaidField(name)
        self.said_field.said.connect(lambda words: self.said.emit(name, words))
        super().__init__(name, wheel, parent)
        self.wish.activated.connect(self._choose_wish)
        self.group_it.clicked.connect(self._ask_group)

    @property
    def controls(self) -> tuple[QWidget, ...]:
        *others, menu, last = super().controls
        said = self.said_field
        return (*others, self.wish, said.button, menu, said.edit, self.group_it, last)

    def _beside_state(self) -> tuple[QWidget, ...]:
        return (self.wish,)

    def _lay_out(self) -> None:
        super()._lay_out()
        self._grid.addWidget(self.group_it, PROBLEM_ROW + 1, 1, 1, 5, Qt.AlignmentFlag.AlignLeft)
        self._grid.addWidget(self.said_field, PROBLEM_ROW + 2, 1, 1, 5)
        self._add_beside(self.said_field.button)

    def _share_room(self) -> None:
        super()._share_room()
        if not self.wish.isHidden():  # no chips beside it, and levels without room stand below the line
            wide = min(self._wanted_name, max(self._name.width(), self.width() // 3))
            self._name.setFixedWidth(max(self._name.width(), wide))
        self.wish.setFixedWidth(min(max(_WISH_WIDTH, self.width() * 3 // 7), _WISH_WIDTH + 2 * tokens.SPACE_XL))
        self._place_state()

    def _place_state(self) -> None:
        """Levels that have no room in the line stand below it, whole; what is wished of the column has theirs."""
        hidden = self._instead.isHidden()
        asks = self.wish if not self.wish.isHidden() else None
        room = self.width() - self._name.width() - self._role.width() - self.treatment.width() - 2 * tokens.SPACE_S
        parts = self.attach, self.declare, self.said_field.button
        taken = sum(part.sizeHint().width() for part in parts if not part.isHidden())
        wide = 0
        if asks is not None:
            text = asks.fontMetrics().horizontalAdvance(asks.currentText()) + 2 * tokens.SPACE_XL
            wide = max(asks.width(), min(text, room))
            asks.setFixedWidth(wide)
        below = not hidden and self._state.sizeHint().width() + taken + wide > room
        if below is not self._below:
            self._below = below
            if below:
                self._grid.addWidget(self._state, STATE_ROW, *STATE_COLUMNS)
            else:
                self._state_line().insertWidget(0, self._state, 1)
            self._state_line().setAlignment(self.wish, Qt.AlignmentFlag.AlignRight)  # also without what fills the line
        self._state.setVisible(not hidden)

    def _state_line(self) -> QBoxLayout:
        line = self._instead.layout()
        assert isinstance(line, QBoxLayout)
        return line

    def show_state(self, words: str, *, bare: bool = False) -> None:
        super().show_state(words, bare=bare)
        self._share_room()

    def _show_level(self, hierarchy: Hierarchy, level: int) -> None:
        super()._show_level(hierarchy, level)
        self._share_room()

    def show_said(self, words: str, example: str) -> None:
        """Show what was said of the values that can occur."""
        self.said_field.show_said(words, example)
        self.asks = True
        self._keep_place()
        self.said_field.button.setVisible(self.roomy)

    def _keep_place(self) -> None:
        """Lines stand below each other, with the button or without."""
        keeps = self.said_field.button.sizePolicy()
        keeps.setRetainSizeWhenHidden(self.roomy)
        self.said_field.button.setSizePolicy(keeps)

    def hide_said(self) -> None:
        """What can occur makes no difference."""
        self.asks = False
        self._keep_place()
        self.said_field.button.hide()
        self.said_field.hide()

    def show_ladder(self, levels: Sequence[str], examples: Sequence[str]) -> None:
        """Show the levels of all steps in words, and with examples where the pointer rests."""
        short = list(dict.fromkeys(map(short_words, levels)))
        # “26 → 7 groups” is read faster than the word twice.
        for place, (one, after) in enumerate(pairwise(short)):
            if one.endswith(_GROUPS) and (after.endswith(_GROUPS) or not self.roomy):
                short[place] = one.removesuffix(_GROUPS)
        self.show_state(" → ".join(short))
        self._state.setToolTip("\n".join(f"Step {number}: {words}" for number, words in enumerate(examples, start=1)))
        set_look(self._state, tone="none")

    def show_gives_way(self, wished: str) -> None:
        """Say beside the levels that they are coarser than what was wished."""
        self.show_state(f"only {self._words}")
        set_look(self._state, tone="warning")
        self._state.setToolTip(
            f"Wished: {wished}. There are too few rows for that beside the other columns: leave one of them out, say "
            "what occurs in them, or raise ε."
        )

    def show_wish(self, wish: str, hierarchy: Hierarchy | None) -> None:
        """Show what is wished, among what can be: levels by name, how long it is kept, or that it is left out."""
        told = telling_levels(hierarchy)
        words = {level: short_words(self.level_words(hierarchy, level, example=False)) for level in told}
        offered = [(one.words, one.value, _TIPS[one]) for one in (Importance.NORMAL, Importance.KEEP)]
        offered.append(("Leave out", LEAVE_OUT, "Not in the release"))
        for level in told if hierarchy is not None and hierarchy.says_nothing(hierarchy.height) else ():
            text = f"At least {words[level]}" if len(told) > 1 else "Never *"
            tip = "Says this or more in every row; rows for which it would have to be coarser do not come out"
            offered.append((text, at_least(level), f"{tip}: {self.level_words(hierarchy, level)}"))
        for level in told[1:]:
            tip = f"No finer: {self.level_words(hierarchy, level)}"
            offered.append((f"At most {words[level]}", at_most(level), tip))
        give_up = Importance.GIVE_UP
        offered.append((give_up.words, give_up.value, _TIPS[give_up]))
        shown = [(self.wish.itemText(row), self.wish.itemData(row)) for row in range(self.wish.count())]
        if shown != [one[:2] for one in offered]:
            self.wish.clear()
            for place, (text, data, tip) in enumerate(offered):
                self.wish.addItem(text, data)
                self.wish.setItemData(place, tip, Qt.ItemDataRole.ToolTipRole)
        self.wish.choose(wish)
        self.wish.show()
        self._share_room()

    def _choose_wish(self, _row: int) -> None:
        self.wish_chosen.emit(self.name, str(self.wish.chosen))

    def show_mechanism(self, trims: bool, kept: bool) -> None:
        """Offer to let the column pass through only where that is possible, and say what helps where it is not."""
        place = self.treatment.findData(ColumnTreatment.KEEP)
        model = self.treatment.model()
        if isinstance(model, QStandardItemModel):
            model.item(place).setEnabled(not trims)
        self.treatment.setItemText(place, "Pass through (needs sampling)" if trims and not kept else "Pass through")
        refused = trims and kept
        self.group_it.setVisible(refused)
        if refused:
            self.show_state("passes through")
            self._problem.setText(
                "Trimming releases groups alone, so this column cannot pass through ungrouped. Group it, leave it "
                "out, or choose sampling as the mechanism."
            )
            set_look(self._problem, tone="error")
            self._problem.show()

    def _ask_group(self) -> None:
        self.chosen.emit(self.name, ColumnTreatment.AS_IS)

    def show_decided(self, hierarchy: Hierarchy, limits: tuple[int, int], drawn: bool, waiting: bool) -> None:
        """Show that a degree or a draw decides about the level.

        Parameters
        ----------
        hierarchy
            Of the column.
        limits
            Between which levels it may.
        drawn
            The level that is shown was drawn.
        waiting
            It is still to be drawn.
        """
        self.slider.setEnabled(False)
        self.treatment.setCurrentIndex(
            self.treatment.findData(ColumnTreatment.AS_IS if limits == _AS_IT_IS else ColumnTreatment.GENERALISE)
        )
        low, high = limits
        if waiting:
            least, most = self.level_words(hierarchy, low), self.level_words(hierarchy, high)
            self.show_state(f"stays {least}" if low == high else f"to be drawn: from {least} to {most}")
        elif drawn and low < high:
            self._words = f"drawn: {self._words}"
            self.slider.setToolTip(self._words)
        self.slider.setAccessibleDescription(self._words)


class ReleaseColumns(Columns):
    """One row per column; the sliders follow whoever decides about the levels."""

    row_type = ReleaseRow

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, parent)
        self._step = 0

    def show_step(self, step: int) -> None:
        """Show the levels of another step, where there are several."""
        if step != self._step:
            self._step = step
            self.show_assessment(self._found)

    @property
    def _source(self) -> LevelSource:
        return self._document.session.release.steps.source

    def _show_row(self, row: ColumnRow, session: Session, found: PromiseAssessment) -> None:
        super()._show_row(row, session, found)
        row.slider.setEnabled(True)
        if not isinstance(row, ReleaseRow):
            return
        row.wish.hide()
        self._show_said(row, session)
        treatment = session.release.columns.treatment(row.name)
        row.show_mechanism(session.release.steps.mechanism is ReleaseMechanism.TRIM, treatment is Treatment.KEEP)
        source, hierarchy = self._source, session.project.hierarchies.get(row.name)
        suppressed = session.release.columns.is_suppressed(row.name)
        if source in _LAID and treatment is Treatment.GENERALISE and not suppressed:
            if hierarchy is not None:
                self._show_ladder(row, session)
            if source is LevelSource.BALANCED:
                row.show_wish(_wish_of(session, row.name), hierarchy)
                lowest = enough_of(session, row.name)
                if hierarchy is not None:
                    self._show_given_way(row, session, hierarchy, lowest)
            return
        if source is LevelSource.BALANCED and treatment is Treatment.LEAVE_OUT and hierarchy is not None:
            row.show_wish(LEAVE_OUT, hierarchy)
        if source is LevelSource.HAND or hierarchy is None or not hierarchy.height:
            return
        if treatment is not Treatment.GENERALISE:
            return
        if suppressed and source is not LevelSource.TYPED:
            return
        result = session.release.result if found.current else None
        drawn = result is not None and result.drawn is not None
        level = self._level(session, row.name)
        if result is not None and drawn and source is LevelSource.SEARCH:
            level = result.outcome.recipe.levels.get(row.name, 0)
        row.show_column(
            session.project.schema[row.name],
            hierarchy,
            Treatment.GENERALISE,
            level,
            found.uncovered.get(row.name, ()),
            told=told_hierarchy(session, row.name),
        )
        if source is not LevelSource.TYPED:
            limits = session.project.anonymise.level_choice.limits.get(row.name, (0, hierarchy.height))
            row.show_decided(hierarchy, limits, drawn, waiting=source is LevelSource.SEARCH and not drawn)

    def _show_said(self, row: ReleaseRow, session: Session) -> None:
        """Where it makes a difference, ask what can occur."""
        takes_part = session.release.columns.treatment(row.name) is Treatment.GENERALISE
        trims = session.release.steps.mechanism is ReleaseMechanism.TRIM
        if trims and takes_part and not session.release.columns.is_suppressed(row.name):
            row.show_said(session.release.steps.said(row.name), session.release.steps.said_example(row.name))
        else:
            row.hide_said()

    def _show_given_way(self, row: ReleaseRow, session: Session, hierarchy: Hierarchy, lowest: int) -> None:
        """Where the person wished for detail, or to keep the column, and did not get it, say so there."""
        levels = self._levels_of(row.name, session)
        if lowest and levels[0] > lowest:
            row.show_gives_way(row.level_words(hierarchy, lowest, example=False))
        elif session.release.steps.importance(row.name) is Importance.KEEP and hierarchy.says_nothing(levels[-1]):
            row.show_gives_way("to be kept")

    def _levels_of(self, name: str, session: Session) -> list[int]:
        """The levels that a column has at each step."""
        steps = session.release.steps
        try:
            return [line.levels.get(name, 0) for line in steps.lines()]
        except WorkbenchError:
            return [steps.level(self._step, name)]

    def _show_ladder(self, row: ReleaseRow, session: Session) -> None:
        """The levels that a column has at each step."""
        hierarchy, levels = session.project.hierarchies.get(row.name), self._levels_of(row.name, session)
        row.show_ladder(
            [row.level_words(hierarchy, level, example=False) for level in levels],
            [row.level_words(hierarchy, level) for level in levels],
        )

    def _level(self, session: Session, name: str) -> int:
        """The level of a column in the step that is shown, as far as it is known before a draw."""
        if self._source in (LevelSource.STEPS, LevelSource.TYPED):
            return session.release.steps.level(self._step, name)
        return session.release.columns.fixed_level(name)

    def _add_row(self, name: str, names: tuple[str, ...]) -> ColumnRow:
        row = super()._add_row(name, names)
        if isinstance(row, ReleaseRow):
            row.wish_chosen.connect(self._choose_wish)
            row.said.connect(self._say)
        return row

    def said_field(self, name: str) -> QWidget:
        """The field of what can occur in a column, opened; the line itself where it has none."""
        row = self.rows[name]
        if not isinstance(row, ReleaseRow) or not row.asks:
            return row.controls[0]
        row.said_field.show()
        return row.said_field.edit

    def _say(self, name: str, words: str) -> None:
        self._document.apply(f"What can occur in {name}", lambda session: session.release.steps.set_said(name, words))
        self.show_assessment(self._found)

    def _choose_wish(self, name: str, chosen: str) -> None:
        if chosen == LEAVE_OUT:
            self._choose(name, ColumnTreatment.LEAVE_OUT)
            return

        def edit(session: Session) -> None:
            if session.release.columns.treatment(name) is not Treatment.GENERALISE:
                self._carry_out(session, name, ColumnTreatment.GENERALISE)
            _wish(session, name, chosen)

        row = self.rows[name]
        text = row.wish.currentText() if isinstance(row, ReleaseRow) else chosen
        self._document.apply(f"{text}: {name}", edit)
        self.show_assessment(self._found)

    def _carry_out(self, session: Session, name: str, wanted: ColumnTreatment) -> None:
        hierarchy = session.project.hierarchies.get(name)
        if (
            self._source is LevelSource.HAND
            or hierarchy is None
            or wanted not in (ColumnTreatment.GENERALISE, ColumnTreatment.AS_IS)
        ):
            choose(session, name, wanted)
        elif self._source is LevelSource.TYPED:
            session.release.columns.release(name)
            if session.release.columns.treatment(name) is not Treatment.GENERALISE:
                session.release.columns.set_treatment(name, Treatment.GENERALISE)
            level = session.release.steps.level(self._step, name)
            if (wanted is ColumnTreatment.AS_IS) != (level == 0):
                session.release.steps.set_level(self._step, name, int(level == 0))
        else:
            # The level given by hand stays as it is, for those who go back to it.
            session.release.columns.release(name)
            session.release.columns.limit_levels(name, _AS_IT_IS if wanted is ColumnTreatment.AS_IS else None)
            if session.release.columns.treatment(name) is not Treatment.GENERALISE:
                session.release.columns.set_treatment(name, Treatment.GENERALISE)
        session.release.steps.mend()

    def _choose_level(self, name: str, level: int) -> None:
        if self._source is not LevelSource.TYPED:
            super()._choose_level(name, level)
            return
        step = self._step
        self._document.apply(
            f"Generalise {name} to level {level} at step {step + 1}",
            lambda session: session.release.steps.set_level(step, name, level),
            merge=f"step.{step}.{name}",
        )


def _wish_of(session: Session, name: str) -> str:
    """What is wished of a column, as its combo box has it."""
    least, enough = least_of(session, name), enough_of(session, name)
    if least is not None:
        return at_least(least)
    return at_most(enough) if enough else session.release.steps.importance(name).value


def _wish(session: Session, name: str, chosen: str) -> None:
    """Carry out a wish; one takes the place of the other."""
    kind, _, level = chosen.rpartition(" ")
    if kind == "at least":
        wish_least(session, name, int(level))
        return
    if name in session.project.hierarchies:
        wish_enough(session, name, int(level) if kind == "at most" else 0)
    if kind != "at most":
        session.release.steps.set_importance(name, Importance(chosen))
    elif session.release.steps.importance(name) is Importance.NORMAL:
        session.release.steps.set_importance(name, Importance.KEEP)  # who says what is needed needs it
