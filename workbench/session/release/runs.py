"""Runs of the (ε, δ) release: draws that are made, remembered and taken back, and looks at what they hide."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection

from workbench.anonymise.after_draw import AS_DRAWN, AfterDraw
from workbench.anonymise.claim import Claim
from workbench.anonymise.claimed_sum import ClaimedSum
from workbench.anonymise.promise import Promise
from workbench.anonymise.recipe import ReleaseRecipe
from workbench.anonymise.terms import BY_DATA, known_of
from workbench.anonymise.trim_recipe import TrimRecipe
from workbench.anonymise.trimming import TrimOutcome
from workbench.core.errors import WorkbenchError
from workbench.core.known_number import KnownNumber
from workbench.core.number_text import rounded_up
from workbench.core.progress import SILENT, Progress
from workbench.project.model import canonical_filter
from workbench.session.ledger import LedgerDesk
from workbench.session.looking import LookDesk
from workbench.session.number_said import number_meant
from workbench.session.release.claims import assessed, followed_by, key_of_result, recipe_digest, sum_of_all
from workbench.session.release.columns import ColumnsDesk
from workbench.session.release.draw_choice import declared_before
from workbench.session.release.drawing import AnonymiseRun, DrawDesk
from workbench.session.release.other_answers import asked, other_answers, still_open, with_number_known
from workbench.session.release.result import Result, levels_key, remembered
from workbench.session.state import Desk, SessionState

_FIGURES, _SIMULATION, _WITHOUT_CLAIM = "figures", "simulation", "release without a claim"
"""The names of what is looked at, in the record of a look."""


def check_left_out(recipe: ReleaseRecipe, names: Collection[str]) -> None:
    """Refuse columns that cannot be left out after the draw.

    Raises
    ------
    WorkbenchError
        If rows were sampled, or see `AfterDraw.check`.
    """
    if isinstance(recipe, TrimRecipe):
        AfterDraw(tuple(names)).check(recipe)
    elif names:
        raise WorkbenchError(
            "Only of trimmed groups a column can be left out after the draw.",
            hint="Leave the column out before the draw, or trim groups.",
            field="left-out-after",
            flags="--mechanism trim",
        )


class RunsDesk(Desk):
    """The draws of a session, of which one is its result."""

    def __init__(self, state: SessionState) -> None:
        super().__init__(state)
        self._ledger = LedgerDesk(state)
        self.columns = ColumnsDesk(state)
        """The treatment of each column, and its levels."""

    @property
    def result(self) -> Result | None:
        """The last result, be it current or not."""
        return self._state.results.result

    @result.setter
    def result(self, result: Result | None) -> None:
        self._state.results.result = result

    def anonymiser(self) -> Callable[[Progress], AnonymiseRun]:
        """Everything a new draw needs, bound together now. See `DrawDesk.drawer`."""
        self._state.drawn_with = self._state.project.anonymise
        return DrawDesk(self._state).drawer()

    def accept(self, produced: AnonymiseRun) -> Result:
        """Take in what `anonymiser` produced.

        A draw with a claim is no look at the data: it shows what a reader would get, and it is paid for. Any other is.
        The claim and the key are those of the settings the run was made with; if other ones hold by now, the
        result is out of date from the start.
        """
        outcome, made = produced.outcome, produced.then
        then = RunsDesk(made)
        fingerprint, recipe = made.opened.content, recipe_digest(made, outcome.recipe)
        if outcome.secure:
            with contextlib.suppress(WorkbenchError):  # it was charged a moment ago; the claim says what is wrong now
                self._ledger.copy_into_project(fingerprint)
        made.change(histories=self._project.histories)
        promised = Promise(produced.guarantee, then.columns.private_search)
        mine = (levels_key(produced.draw), produced.draw)
        # What was answered while it was drawn is answered of it, too.
        told = made.project.anonymise.trim.number_known or self._project.anonymise.trim.number_known
        known = number_meant(made.project.schema.unit) if told else KnownNumber.NONE
        followed = followed_by(made, outcome.recipe)
        claim = assessed(
            made, outcome.recipe, promised, secure=outcome.secure, mine=mine, known=known, followed=followed
        )
        if not claim.holds:
            # What a draw shows is no look at it before its publication was settled; it is one for whatever comes after.
            kept = (produced.draw,) if claim.given else ()
            self._ledger.looked(fingerprint, _WITHOUT_CLAIM if outcome.secure else _SIMULATION, kept)
            made.change(histories=self._project.histories)
        project = made.project
        result = Result(
            outcome,
            claim,
            then.result_key(),
            produced.prepared,
            fingerprint,
            project.schema,
            {**project.hierarchies, **produced.hierarchies},
            recipe,
            produced.drawn,
            produced.draw,
            canonical_filter(project.schema, project.preparation),
            followed,
            produced.starred,
        )
        results = self._state.results
        results.result, results.drawn = result, remembered((result, *results.drawn))
        if known:  # it was asked before the draw, and is not asked again
            results.said[result.draw] = with_number_known(results.said.get(result.draw, ()), known)
        elif said := self._state.said_beforehand(project) & frozenset(claim.asserted):
            results.said[result.draw] = results.said.get(result.draw, frozenset()) | said
        return result

    def recall(self) -> bool:
        """Take back the draw that was made with the settings as they stand, if it is still there.

        Drawing again would be another draw, with its own price.
        """
        if self.result_is_current:
            return True
        key = self.result_key()
        found = next((result for result in self._state.results.drawn if key and result.key == key), None)
        if found is not None:
            self.result = found
        return found is not None

    def anonymise(self, progress: Progress = SILENT) -> Result:
        """The draw of the settings as they stand: the one that exists in this session, else a new one.

        A simulation with a seed is made anew.
        """
        if self._project.anonymise.seed is None and self.recall() and self.result is not None:
            return self.result
        return self.draw_again(progress)

    def draw_again(self, progress: Progress = SILENT) -> Result:
        """Make a new draw with the settings as they stand, which is charged like the first."""
        return self.accept(self.anonymiser()(progress))

    # The analyst's figures

    @property
    def looked(self) -> bool:
        """Whether the analyst's figures of this data may be shown, because it is recorded that they were taken."""
        return LookDesk(self._state).taken

    def look(self, *, publish: bool = False) -> None:
        """Record that the analyst's figures of this data are taken, before they are shown.

        From then on a draw keeps its claim only if its publication was settled before. What was exported was.

        Parameters
        ----------
        publish
            The person settles now that the present result will be published, whatever the figures say.

        Raises
        ------
        WorkbenchError
            If there is no current result.
        """
        result = self.current_result()
        self._ledger.looked(result.fingerprint, _FIGURES, (result.draw,) if publish and result.outcome.secure else ())

    def result_key(self) -> str:
        """Digest of everything the result depends on; "" if the guarantee has no solution."""
        return key_of_result(self._state)

    @property
    def result_is_current(self) -> bool:
        return self.result is not None and self.result.key == self.result_key()

    def current_result(self) -> Result:
        """The result, if it belongs to the settings as they stand."""
        result = self.result
        if result is None:
            raise WorkbenchError("There is no result yet.", hint="Run the anonymisation first.", field="result")
        if not self.result_is_current:
            raise WorkbenchError(
                "The settings were changed after the last run, so the result is out of date.",
                hint="Run again, or undo the change.",
                field="result",
            )
        return result

    def current_claim(self, *, asserted: bool = True, chosen: bool | None = None) -> Claim:
        """The claim of the current result with everything that is known by now, such as releases since the run.

        Parameters
        ----------
        asserted
            Whether the publisher asserts what no program can check.
        chosen
            Whether it is one for all releases of the data, because this one was chosen among them; None for what the
            person has said, see `chosen`.

        Where they have said that what the data shows decided some choice, it is for the choices as they are; where a
        number of the table is known, it is for replacing a person.
        """
        result = self.current_result()
        promised, secure = result.claim.guarantee, result.outcome.secure
        recipe, mine = result.outcome.recipe, result.keys
        if chosen is None:
            chosen = self.chosen(result)
        said = self._state.results.said.get(result.draw, frozenset[str]())
        return assessed(
            self._state,
            recipe,
            promised,
            secure=secure,
            mine=mine,
            asserted=asserted,
            unsaid=() if asserted else self._unsaid(result, said, chosen=chosen),
            by_data=BY_DATA in said,
            chosen=chosen,
            known=known_of(said),
            after=self.after(result),
            followed=result.followed,
        )

    def _unsaid(self, result: Result, said: Collection[str], *, chosen: bool) -> list[str]:
        """The sentences that a claim of the current result would rest on and that the person has not said."""
        claim = self.current_claim(chosen=chosen)
        before = declared_before(claim, result.schema, result.hierarchies)
        wanted = [one for one in asked(claim, said) if one not in before]
        return still_open(wanted, other_answers(claim, said), said)

    # What is done to the released rows

    def after(self, result: Result) -> AfterDraw:
        """The changes to the released rows of a draw before they are written."""
        return self._state.results.after.get(result.draw, AS_DRAWN)

    def write_otherwise(
        self, result: Result, *, left_out: Collection[str] = (), one_level: bool = False, step_column: str = ""
    ) -> AfterDraw:
        """Write the rows of a draw otherwise than they were drawn, which costs nothing: it is known what they are.

        Parameters
        ----------
        left_out
            Columns that are not to be in the file.
        one_level
            Whether all labels are brought to the levels of the last step that released a row.
        step_column
            Name of a column to add that says at which step a row was released.

        Raises
        ------
        WorkbenchError
            If rows were sampled and a column is named, or see `AfterDraw.check`.
        """
        outcome = result.outcome
        check_left_out(outcome.recipe, left_out)
        if not isinstance(outcome, TrimOutcome):
            return AS_DRAWN
        at = outcome.last_step if one_level and len(outcome.steps) > 1 else 0
        names = tuple(name for name in outcome.recipe.grouped if name in left_out)
        after = AfterDraw(names, at, "" if at else step_column)
        after.check(outcome.recipe)
        self._state.results.after[result.draw] = after
        return after

    # Which of several draws

    def chosen(self, result: Result) -> bool:
        """Whether a draw is taken to be chosen among several, so that what all of them promise together is claimed.

        Until the person has said it, it is where several draws were made and there is a sum that can be claimed.
        """
        said = self._state.results.chosen.get(result.draw)
        if said is not None:
            return said
        return self._ledger.draws(result.fingerprint) > 1 and isinstance(self.sum_of_all(result), ClaimedSum)

    def choose(self, draw: str, chosen: bool | None) -> None:
        """The person says whether a draw, or its settings, were chosen after others had been seen; None to unsay it."""
        if chosen is None:
            self._state.results.chosen.pop(draw, None)
        else:
            self._state.results.chosen[draw] = chosen

    def sum_of_all(self, result: Result) -> ClaimedSum | str | None:
        """The promise of a draw and of everything else of its data, or why there is no sum; None if it is alone."""
        known = known_of(self._state.results.said.get(result.draw, ()))
        return sum_of_all(self._state, result.claim.guarantee, result.keys, known)

    def price_if(self, result: Result, known: KnownNumber) -> str:
        """The ε that would be claimed of a draw if this number of the table were known, in words."""
        guarantee = result.claim.guarantee
        found = sum_of_all(self._state, guarantee, result.keys, known) if self.chosen(result) else None
        epsilon = found.epsilon if isinstance(found, ClaimedSum) else guarantee.about(replacing=bool(known))[0]
        return f"ε = {rounded_up(epsilon)}"
