"""The release with (ε, δ): its settings, what it promises, and what may be claimed for it."""

from __future__ import annotations

import contextlib

from workbench.anonymise.claim import Claim
from workbench.anonymise.forecast import TrimForecast, forecast
from workbench.anonymise.promise import Promise, ReleaseGuarantee
from workbench.anonymise.recipe import ReleaseMechanism, Treatment
from workbench.anonymise.sampling import Recipe
from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.anonymise.trim_recipe import TrimRecipe
from workbench.core.errors import WorkbenchError
from workbench.core.known_number import KnownNumber
from workbench.core.randomness import source_for
from workbench.project.model import GuaranteeSettings
from workbench.project.trim_settings import TrimSettings
from workbench.query.ledger_entries import RECIPE
from workbench.session.release.chain import SettledChain, chain_of, implied_by, mechanism_of
from workbench.session.release.claims import (
    assessed,
    claim_of,
    drawn_levels,
    guarantee_of,
    promise_of,
    recipe_digest,
    recipe_of,
)
from workbench.session.release.export_desk import ExportDesk
from workbench.session.release.result import levels_key
from workbench.session.release.said import said_of
from workbench.session.release.series import SeriesDesk
from workbench.session.release.steps import StepsDesk
from workbench.session.release.survival import SurvivalDesk
from workbench.session.state import SessionState


class ReleaseDesk(ExportDesk):
    """The (ε, δ) release of a session: what is promised and may be claimed, the results, and their export."""

    def __init__(self, state: SessionState) -> None:
        super().__init__(state)
        self.steps = StepsDesk(state)
        """Where the levels come from, and what the steps of a trimmed release are."""
        self.series = SeriesDesk(state)
        """Several releases like this one, planned together."""
        self.survival = SurvivalDesk(state)
        """How much would survive with other β and k."""

    # Settings

    def set_guarantee(self, settings: GuaranteeSettings) -> None:
        self._state.change_anonymise(guarantee=settings)

    def set_mechanism(self, mechanism: ReleaseMechanism | None) -> None:
        """Say how rows are given up; None trims groups, unless a column is kept without being grouped."""
        self._state.change_anonymise(mechanism=mechanism)

    def set_trimming(self, settings: TrimSettings) -> None:
        """Say how groups are trimmed: the steps, their shares, the floor, and how it is written."""
        if settings.number_known:  # whatever was said before
            self.say_beforehand(())
        self._state.change_anonymise(trim=settings)

    @property
    def mechanism(self) -> ReleaseMechanism:
        """How rows are given up.

        Raises
        ------
        WorkbenchError
            If trimming was chosen, and a column is to be kept without being grouped.
        """
        return mechanism_of(self._state)

    @property
    def sampled_because_of(self) -> tuple[str, ...]:
        """The columns because of which rows are sampled although nobody chose that."""
        return implied_by(self._state)

    def chain(self) -> SettledChain:
        """The steps of a trimmed release as they now stand; where levels are still to be drawn, those above level 0."""
        return chain_of(self._state)

    def trim_guarantee(self) -> TrimGuarantee:
        """The guarantee of a trimmed release.

        Raises
        ------
        WorkbenchError
            If rows are sampled, or the calculator has no answer.
        """
        promised = self.guarantee()
        if isinstance(promised, TrimGuarantee):
            return promised
        raise WorkbenchError(
            "Rows are to be sampled, and what survives that depends on the table.",
            hint="Trim groups instead, or simulate on the table what survives.",
            field="mechanism",
            flags="--mechanism trim",
        )

    def forecast(self) -> TrimForecast:
        """The forecast of a trimmed release, from public facts alone: no row is read.

        Raises
        ------
        WorkbenchError
            If rows are sampled, the levels are still to be drawn, or the steps contradict themselves.
        """
        promised = self.trim_guarantee()
        if self.columns.private_search is not None:
            raise WorkbenchError(
                "The levels are still to be drawn privately, so there is nothing to foresee.",
                hint="Let the levels follow from degrees, or be typed.",
                field="levels",
            )
        self.refuse_without_columns()
        trim = self._project.anonymise.trim
        return forecast(
            promised, self._project.hierarchies, self.chain().vectors, trim.expected_rows, said_of(self._project)
        )

    def set_seed(self, seed: int | None) -> None:
        """Make runs repeatable simulations, or with None real ones."""
        source_for(seed)
        self._state.change_anonymise(seed=seed)

    # Guarantee and claim

    def guarantee(self) -> ReleaseGuarantee:
        """Solve the calculator for its free field. This is what the release alone promises.

        Raises
        ------
        WorkbenchError
            If no value of the free field satisfies the others.
        """
        return guarantee_of(self._state)

    def recipe(self, promised: ReleaseGuarantee | None = None) -> Recipe | TrimRecipe:
        """The mechanism's settings as they now stand; levels that are still to be drawn are 0."""
        return recipe_of(self._state, promised or self.guarantee())

    @property
    def drawn_levels(self) -> dict[str, int] | None:
        """The levels that were drawn privately for the settings as they stand; None if there are none."""
        return drawn_levels(self._state)

    def refuse_without_columns(self) -> None:
        """Refuse settings by which no column takes part in a release; no row decides that.

        Raises
        ------
        WorkbenchError
            If they are such.
        """
        grouped = (self.columns.treatment(name) is Treatment.GENERALISE for name in self._project.schema.names)
        if not any(grouped):
            raise WorkbenchError(
                "No column takes part in the release.",
                hint="Attach a hierarchy to at least one column, or group one as it is.",
                field="columns",
                flags="--group",
            )

    def claim(self, known: KnownNumber = KnownNumber.NONE, *, anew: bool = False) -> Claim:
        """The claim that a run with the present settings could make; where one was made, that of its result.

        Parameters
        ----------
        known
            Which number of the table is known, so that the claim is for replacing a person.
        anew
            Whether another run is meant, though one was made.
        """
        return claim_of(self._state, known=known, anew=anew)

    def claim_of_left(self) -> Claim:
        """The claim for the last file that left and was made with the present settings.

        Where there is none, the claim that a new one could make.
        """
        recipe = recipe_digest(self._state, self.recipe())
        with contextlib.suppress(WorkbenchError):
            for entry in reversed(self._ledger.current.entries):
                if entry.left and entry.charge.parameters.get(RECIPE) == recipe:
                    key = entry.charge.key
                    mine = (levels_key(key), key)
                    return assessed(self._state, self.recipe(), self.promise(), secure=True, mine=mine)
        return claim_of(self._state)

    def promise(self) -> Promise:
        """The whole promise of a run with the present settings.

        Raises
        ------
        WorkbenchError
            If no value of the free field satisfies the others.
        """
        return promise_of(self._state)
