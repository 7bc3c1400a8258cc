"""The columns of an (ε, δ) release, whose levels may also follow from a degree or from a private draw."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.anonymise.balanced import Importance
from workbench.anonymise.recipe import ReleaseMechanism, Treatment
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.gui.document import Document
from workbench.gui.finer_rules import make_finer, one_step, settled_widths
from workbench.gui.workspaces.anonymise.column_row import (
    ColumnRow,
    ColumnTreatment,
)
from workbench.gui.workspaces.anonymise.columns import Columns, choose
from workbench.gui.workspaces.anonymise.release_row import (
    LEAVE_OUT,
    UNCHANGED,
    ReleaseRow,
    at_least,
    at_most,
    exactly,
)
from workbench.session import Session
from workbench.session.release.assessment import PromiseAssessment
from workbench.session.release.column_details import lost_of_others, parts_are_open, parts_of
from workbench.session.release.steps import LevelSource
from workbench.session.release.wishes import (
    enough_of,
    least_of,
    wish_enough,
    wish_exactly,
    wish_least,
)
from workbench.session.told_hierarchy import told_hierarchy

_LAID = (LevelSource.BALANCED, LevelSource.STEPS)
"""Sources of which a line shows the levels of all steps at once."""


class ReleaseColumns(Columns):
    """One row per column; the sliders follow whoever decides about the levels.

    Signals
    -------
    knowledge_requested(str)
        All that is known without the file is to be asked for, beginning with the column of that name.
    """

    knowledge_requested = Signal(str)
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
                self._show_ladder(row, session, found)
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

    def _show_ladder(self, row: ReleaseRow, session: Session, found: PromiseAssessment) -> None:
        """The levels that a column has at each step, and before a draw in how many rows it is likely to say so."""
        hierarchy, levels = session.project.hierarchies.get(row.name), self._levels_of(row.name, session)
        details = () if found.current else found.details
        parts = parts_of(details, row.name, levels)
        says = hierarchy is not None and levels[0] > 1 and not hierarchy.says_nothing(levels[0])
        gives_way = says and self._source is LevelSource.BALANCED and not enough_of(session, row.name)
        forced = self._source is LevelSource.BALANCED and least_of(session, row.name) is not None
        row.show_ladder(
            [row.level_words(hierarchy, level, example=False) for level in levels],
            [row.level_words(hierarchy, level) for level in levels],
            {row.level_words(hierarchy, level, example=False): part for level, part in parts},
            is_open=parts_are_open(details, row.name, levels),
            finer=row.level_words(hierarchy, levels[0] - 1, example=False) if details and gives_way else "",
            costs=lost_of_others(details, row.name) if forced else "",
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
            row.knowledge_requested.connect(self.knowledge_requested)
        return row

    def said_field(self, name: str) -> QWidget:
        """The field of what can occur in a column, opened; the line itself where it has none."""
        row = self.rows[name]
        if not isinstance(row, ReleaseRow) or not row.asks:
            return row.controls[0]
        row.said_field.show()
        return row.said_field.edit

    def _say(self, name: str, words: str) -> None:
        step, widths = one_step(), settled_widths(self._document, (name,))
        if self._document.apply(
            f"What can occur in {name}", lambda session: session.release.steps.set_said(name, words), merge=step
        ):
            make_finer(self._document, (name,), merge=step, widths=widths)
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
            session.release.columns.limit_levels(name, UNCHANGED if wanted is ColumnTreatment.AS_IS else None)
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
    """Wish for a column, as its combo box has it."""
    least, enough = least_of(session, name), enough_of(session, name)
    if least is not None:
        return exactly(least) if enough == least > 0 else at_least(least)
    return at_most(enough) if enough else session.release.steps.importance(name).value


def _wish(session: Session, name: str, chosen: str) -> None:
    """Carry out a wish; one takes the place of the other."""
    kind, _, level = chosen.rpartition(" ")
    if kind == "exactly":
        wish_exactly(session, name, int(level))
        return
    if kind == "at least":
        wish_enough(session, name, 0)
        wish_least(session, name, int(level))
        return
    if name in session.project.hierarchies:
        wish_enough(session, name, int(level) if kind == "at most" else 0)
    if kind != "at most":
        session.release.steps.set_importance(name, Importance(chosen))
    elif session.release.steps.importance(name) is Importance.NORMAL:
        session.release.steps.set_importance(name, Importance.KEEP)  # who says what is needed needs it
