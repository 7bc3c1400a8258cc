"""The columns of an (ε, δ) release, whose levels may also follow from a degree or from a private draw."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QWidget

from workbench.anonymise.balanced import Importance
from workbench.anonymise.recipe import ReleaseMechanism, Treatment
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.level_words import level_words
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.theme import set_look
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.calm_wheel import CalmWheel
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.workspaces.anonymise.column_row import PROBLEM_ROW, ColumnRow, ColumnTreatment
from workbench.gui.workspaces.anonymise.columns import Columns, choose
from workbench.gui.workspaces.anonymise.level_chips import short_words
from workbench.gui.workspaces.anonymise.said_field import SaidField
from workbench.session import Session
from workbench.session.release.assessment import PromiseAssessment
from workbench.session.release.steps import LevelSource

_AS_IT_IS = (0, 0)
_GROUPS = " groups"
_LAID = (LevelSource.BALANCED, LevelSource.STEPS)
"""Sources of which a line shows the levels of all steps at once."""


LEAVE_OUT = "leave out"
"""What is chosen beside how long a column is kept."""

_IMPORTANCE_TIPS = (
    "The others become * before it",
    "Becomes * when the other columns have fewer values left",
    "Becomes * before the others",
    "Not in the release",
)


class ReleaseRow(ColumnRow):
    """A column whose level may be decided elsewhere, and that trimming does not let pass ungrouped.

    Signals
    -------
    importance_chosen(str, str)
        How long the column of that name is to be kept: an `Importance`, or `LEAVE_OUT`.
    detail_chosen(str, int)
        The level of the column of that name that is enough: no step is finer.
    said(str, str)
        What can occur in the column of that name was typed.
    """

    importance_chosen = Signal(str, str)
    said = Signal(str, str)
    detail_chosen = Signal(str, int)

    asks = False
    """Whether it makes a difference what can occur."""

    def __init__(self, name: str, wheel: CalmWheel, parent: QWidget | None = None) -> None:
        self.group_it = push_button(
            "Group it as it is", name=f"Group {name} as it is", explain="anonymise.treatment", quiet=True
        )
        self.importance = ElidingComboBox(
            f"How long {name} is kept", [(one.words, one.value) for one in Importance] + [("Leave out", LEAVE_OUT)]
        )
        self.importance.setFixedWidth(tokens.METER_WIDTH + tokens.SPACE_XL)
        self.detail = ElidingComboBox(f"How much detail of {name} is enough")
        self.detail.setFixedWidth(tokens.METER_WIDTH + 2 * tokens.SPACE_XL + tokens.SPACE_M)
        set_explain(self.detail, "anonymise.detail")
        for place, tip in enumerate(_IMPORTANCE_TIPS):
            self.importance.setItemData(place, tip, Qt.ItemDataRole.ToolTipRole)
        set_explain(self.importance, "anonymise.importance")
        wheel.guard(self.importance, self.detail)
        self.said_field = SaidField(name)
        self.said_field.said.connect(lambda words: self.said.emit(name, words))
        super().__init__(name, wheel, parent)
        self.detail.activated.connect(self._choose_detail)
        self.importance.activated.connect(self._choose_importance)
        self.group_it.clicked.connect(self._ask_group)

    @property
    def controls(self) -> tuple[QWidget, ...]:
        *others, menu, last = super().controls
        said = self.said_field
        return (*others, self.detail, self.importance, said.button, menu, said.edit, self.group_it, last)

    def _beside_state(self) -> tuple[QWidget, ...]:
        return (self.detail, self.importance)

    def _lay_out(self) -> None:
        super()._lay_out()
        self._grid.addWidget(self.group_it, PROBLEM_ROW + 1, 1, 1, 5, Qt.AlignmentFlag.AlignLeft)
        self._grid.addWidget(self.said_field, PROBLEM_ROW + 2, 1, 1, 5)
        self._add_beside(self.said_field.button)

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
            if one.endswith(_GROUPS) and after.endswith(_GROUPS):
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

    def show_importance(self, chosen: str) -> None:
        """Show how long the column is kept, or that it is left out."""
        self.importance.choose(chosen)
        self.importance.show()

    def show_detail(self, hierarchy: Hierarchy | None, enough: int) -> None:
        """Offer the levels of the hierarchy that say something, of which one is enough."""
        height = 0 if hierarchy is None else hierarchy.height
        said = [level for level in range(1, height + 1) if hierarchy is not None and not hierarchy.says_nothing(level)]
        offered = [("Any detail", 0)]
        offered += [(short_words(level_words(hierarchy, level, example=False)), level) for level in said]
        if [(self.detail.itemText(row), self.detail.itemData(row)) for row in range(self.detail.count())] != offered:
            self.detail.clear()
            for words, level in offered:
                self.detail.addItem(words, level)
                tip = f"Enough: {level_words(hierarchy, level)}" if level else "As fine as there are rows for"
                self.detail.setItemData(self.detail.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
        self.detail.choose(enough if enough in said else 0)
        self.detail.setVisible(len(offered) > 1 and self.roomy)

    def _choose_detail(self, _row: int) -> None:
        self.detail_chosen.emit(self.name, int(self.detail.chosen))

    def _choose_importance(self, _row: int) -> None:
        self.importance_chosen.emit(self.name, str(self.importance.chosen))

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
            least, most = level_words(hierarchy, low), level_words(hierarchy, high)
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
        row.importance.hide()
        row.detail.hide()
        self._show_said(row, session)
        treatment = session.release.columns.treatment(row.name)
        row.show_mechanism(session.release.steps.mechanism is ReleaseMechanism.TRIM, treatment is Treatment.KEEP)
        source, hierarchy = self._source, session.project.hierarchies.get(row.name)
        suppressed = session.release.columns.is_suppressed(row.name)
        if source in _LAID and treatment is Treatment.GENERALISE and not suppressed:
            if hierarchy is not None:
                self._show_ladder(row, session)
            if source is LevelSource.BALANCED:
                row.show_importance(session.release.steps.importance(row.name).value)
                lowest, _ = session.project.anonymise.level_choice.limits.get(row.name, (0, 0))
                row.show_detail(hierarchy, lowest)
                if hierarchy is not None:
                    self._show_wish(row, session, hierarchy, lowest)
            return
        if source is LevelSource.BALANCED and treatment is Treatment.LEAVE_OUT and hierarchy is not None:
            row.show_importance(LEAVE_OUT)
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

    def _show_wish(self, row: ReleaseRow, session: Session, hierarchy: Hierarchy, lowest: int) -> None:
        """Where the person wished for detail, or to keep the column, and did not get it, say so there."""
        levels = self._levels_of(row.name, session)
        if lowest and levels[0] > lowest:
            row.show_gives_way(level_words(hierarchy, lowest, example=False))
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
            [level_words(hierarchy, level, example=False) for level in levels],
            [level_words(hierarchy, level) for level in levels],
        )

    def _level(self, session: Session, name: str) -> int:
        """The level of a column in the step that is shown, as far as it is known before a draw."""
        if self._source in (LevelSource.STEPS, LevelSource.TYPED):
            return session.release.steps.level(self._step, name)
        return session.release.columns.fixed_level(name)

    def _add_row(self, name: str, names: tuple[str, ...]) -> ColumnRow:
        row = super()._add_row(name, names)
        if isinstance(row, ReleaseRow):
            row.importance_chosen.connect(self._choose_importance)
            row.detail_chosen.connect(self._choose_detail)
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

    def _choose_importance(self, name: str, chosen: str) -> None:
        if chosen == LEAVE_OUT:
            self._choose(name, ColumnTreatment.LEAVE_OUT)
            return
        wanted = Importance(chosen)

        def edit(session: Session) -> None:
            if session.release.columns.treatment(name) is not Treatment.GENERALISE:
                self._carry_out(session, name, ColumnTreatment.GENERALISE)
            session.release.steps.set_importance(name, wanted)

        self._document.apply(f"{wanted.words}: {name}", edit)
        self.show_assessment(self._found)

    def _choose_detail(self, name: str, enough: int) -> None:
        def edit(session: Session) -> None:
            top = session.project.hierarchies[name].height
            session.release.columns.limit_levels(name, (enough, top) if enough else None)
            if enough and session.release.steps.importance(name) is Importance.NORMAL:
                session.release.steps.set_importance(name, Importance.KEEP)  # who says what is needed needs it

        words = level_words(self._document.project.hierarchies.get(name), enough, example=False)
        self._document.apply(f"Enough of {name}: {words}" if enough else f"Any detail: {name}", edit)
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
