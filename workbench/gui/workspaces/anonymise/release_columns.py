"""The columns of an (ε, δ) release, whose levels may also follow from a degree or from a private draw."""

from __future__ import annotations

from workbench.anonymise.mechanism import Treatment
from workbench.gui.workspaces.anonymise.column_row import ColumnRow, ColumnTreatment
from workbench.gui.workspaces.anonymise.columns import Columns, choose
from workbench.project.model import LevelsBy
from workbench.session import Session
from workbench.session.release.assessment import PromiseAssessment

_AS_IT_IS = (0, 0)


class ReleaseRow(ColumnRow):
    """A column whose level may be decided elsewhere."""

    def show_decided(self, limits: tuple[int, int], drawn: bool, waiting: bool) -> None:
        """Show that a degree or a draw decides about the level.

        Parameters
        ----------
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
        if waiting:
            self.slider.hide()
            low, high = limits
            words = f"stays at level {low}" if low == high else f"to be drawn: level {low} to {high}"
            self._words.set_text(words)
        elif drawn and limits[0] < limits[1]:
            self._words.set_text(f"drawn: {self.words}")
        self.slider.setAccessibleDescription(self.words)


class ReleaseColumns(Columns):
    """One row per column; the sliders follow whoever decides about the levels."""

    row_type = ReleaseRow

    def show_assessment(self, found: PromiseAssessment) -> None:
        super().show_assessment(found)
        words = {
            LevelsBy.HAND: "Levels chosen without looking at this data",
            LevelsBy.DEGREE: "Degree chosen without looking at this data",
            LevelsBy.SEARCH: "Search set up without looking at this data",
        }[self._by]
        self.blind.setText(words)
        self.blind.setAccessibleName(words)

    @property
    def _by(self) -> LevelsBy:
        return self._document.project.anonymise.level_choice.by

    def _show_row(self, row: ColumnRow, session: Session, found: PromiseAssessment) -> None:
        super()._show_row(row, session, found)
        row.slider.setEnabled(True)
        hierarchy = session.project.hierarchies.get(row.name)
        if self._by is LevelsBy.HAND or not isinstance(row, ReleaseRow) or hierarchy is None:
            return
        if not hierarchy.height or session.release.columns.treatment(row.name) is not Treatment.GENERALISE:
            return
        if session.release.columns.is_suppressed(row.name):
            return
        result = session.release.result if found.current else None
        drawn = result is not None and result.drawn is not None
        level = session.release.columns.fixed_level(row.name)
        if result is not None and drawn:
            level = result.outcome.recipe.levels.get(row.name, 0)
        row.show_column(
            session.project.schema[row.name],
            hierarchy,
            Treatment.GENERALISE,
            level,
            found.uncovered.get(row.name, ()),
        )
        limits = session.project.anonymise.level_choice.limits.get(row.name, (0, hierarchy.height))
        row.show_decided(limits, drawn, waiting=self._by is LevelsBy.SEARCH and not drawn)

    def _carry_out(self, session: Session, name: str, wanted: ColumnTreatment) -> None:
        hierarchy = session.project.hierarchies.get(name)
        if (
            self._by is LevelsBy.HAND
            or hierarchy is None
            or wanted not in (ColumnTreatment.GENERALISE, ColumnTreatment.AS_IS)
        ):
            choose(session, name, wanted)
            return
        # The level given by hand stays as it is, for those who go back to it.
        session.release.columns.release(name)
        session.release.columns.limit_levels(name, _AS_IT_IS if wanted is ColumnTreatment.AS_IS else None)
        if session.release.columns.treatment(name) is not Treatment.GENERALISE:
            session.release.columns.set_treatment(name, Treatment.GENERALISE)
