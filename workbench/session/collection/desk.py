"""The collection desk: asking people who randomise their answers themselves.

Everything that takes time is a function that is bound to the session as it is now and can be called on any thread.
Predictions come from numbers alone. Simulations and what the column holds are computed from the true values: they are a
look at the data, and refused until `look` has recorded one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.core.randomness import RandomSource, source_for
from workbench.core.trust import vouched
from workbench.io.atomic import check_writable
from workbench.io.parts import refuse_among_parts
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import Domain
from workbench.ldp.mean_randomiser import MeanRandomiser
from workbench.ldp.needed import fewest_users, least_epsilon
from workbench.ldp.participation import FURTHER, Participation
from workbench.ldp.persons import PersonBudget
from workbench.ldp.predicted_curves import Against, PredictedCurves, predicted_curves
from workbench.ldp.prediction import (
    CollectionPlan,
    Prediction,
    every_protocol,
    predict,
    reference,
    unusable,
)
from workbench.ldp.protocol import FrequencyRandomiser
from workbench.ldp.report_file import Announcement, write_reports
from workbench.ldp.share_margin import is_among, left_open, set_for_margin, with_open
from workbench.ldp.simulation import frequency_choices
from workbench.session.collection.advice import planned
from workbench.session.collection.inputs import ASSUMED
from workbench.session.collection.means import CollectionMeans
from workbench.session.collection.price import Price, charge_of_reports, price
from workbench.session.collection.results import Collected, Planned
from workbench.session.collection.typed_answers import opened_data
from workbench.session.existing_files import refuse_others
from workbench.session.file_names import check_target
from workbench.session.ledger import LedgerDesk
from workbench.session.standing import number_at_stake
from workbench.session.state import SessionState
from workbench.session.typed_bounds import values_counted, values_typed


class CollectionDesk(CollectionMeans):
    """The collection of a session: its settings, and what can be done with them."""

    def __init__(self, state: SessionState) -> None:
        super().__init__(state)
        self._ledger = LedgerDesk(state)

    @property
    def carried(self) -> bool:
        """Whether the answers to what is asked are those that were typed before this column was chosen."""
        settings = self.settings
        carried = self._state.asked_before.carried.get((opened_data(self._state), settings.column))
        return carried == settings.encoding

    @property
    def typed_in(self) -> str:
        """The other room in which the same list of possible answers stands, as this person typed it; "" for none."""
        column, domain = self.settings.column, self.settings.encoding.domain
        if domain is None or not column:
            return ""
        known = values_typed(self._project, column)
        if known is not None and known[0] == domain and known[1] != "Collect":
            return known[1]
        return "Query" if values_counted(self._project, column) == domain else ""

    # Predicting

    def planner(
        self, plan: CollectionPlan | None = None, *, every: bool = True, as_typed: bool = False
    ) -> Callable[[Progress], Planned]:
        """Predict the errors of every protocol, or of the chosen ones only; call it on any thread.

        Parameters
        ----------
        as_typed
            Whether the further answer of those who take no part counts only where it is said that who does is hidden,
            and not where that is left open.
        """
        wanted, then = self.plan() if plan is None else plan, self.snapshot()
        settings = self.settings
        if as_typed and settings.participation is not Participation.HIDDEN:
            wanted = replace(wanted, apart=False)
        cautions = () if self.domain().declared else (ASSUMED,)
        if settings.users is None and wanted.users == self.shown_rows:
            cautions = (*cautions, *self._counted_words())
        if wanted.apart:
            cautions = (*cautions, FURTHER)
        chosen = frequency_choices(settings.protocols)
        if every:
            fitting = every_protocol(wanted.domain_size, ordinal=wanted.ordinal)
            chosen = (*chosen, *(one for one in fitting if not is_among(wanted, one, chosen)))

        counted = plan is None and settings.users is None

        def work(progress: Progress = SILENT) -> Planned:
            asked = replace(wanted, users=then._shown(then._reporting(then._table.rows))) if counted else wanted
            found = predict(asked, chosen, by=settings.rank_by, progress=progress.part(0.0, 0.95))
            found = then._hiding(found)
            baseline = reference(asked)
            # Also of what was set otherwise, so that the narrowest margin is the same whatever is compared.
            best = [set_for_margin(asked, with_open(choice)) for choice in chosen] if every else []
            tuned = [one for one in best if not left_open(one)]
            also = predict(asked, [choice for choice in tuned if choice not in chosen], by=settings.rank_by)
            progress(1.0)
            return replace(planned(asked, found, baseline, settings.rank_by, cautions, also), asked=then._asked(asked))

        return work

    def _hiding(self, found: Sequence[Prediction]) -> tuple[Prediction, ...]:
        """The predictions, those of protocols by which nobody may report last, with the reason."""
        able, refused = list[Prediction](), list[Prediction]()
        for one in found:
            try:
                self.attendance(one.choice)
            except WorkbenchError as error:
                refused.append(one if one.problem else unusable(one.choice, str(error)))
            else:
                able.append(one)
        return (*able, *refused)

    def curve_planner(
        self,
        against: Against,
        choices: Sequence[ProtocolChoice],
        plan: CollectionPlan | None = None,
        *,
        tuned: bool = False,
    ) -> Callable[[Progress], PredictedCurves]:
        """Predict the errors of some protocols for counts against ε or people; call it on any thread.

        With `tuned`, margins are with what a protocol leaves open set for them at each place.
        """
        asked = self.plan() if plan is None else plan

        def work(progress: Progress = SILENT) -> PredictedCurves:
            return predicted_curves(asked, frequency_choices(choices), against, progress=progress, tuned=tuned)

        return work

    def people_needed(
        self,
        choices: Sequence[ProtocolChoice],
        metric: str,
        target: float,
        plan: CollectionPlan | None = None,
        *,
        tuned: bool = False,
    ) -> Callable[[Progress], tuple[int, ProtocolChoice]]:
        """The smallest number of people for an expected error of at most `target`, and the protocol it takes.

        Whichever of the protocols needs the fewest; with `tuned`, what one leaves open is set for a margin that is to
        be reached. Call it on any thread.
        """
        asked, some = self.plan() if plan is None else plan, tuple(choices)

        def work(progress: Progress = SILENT) -> tuple[int, ProtocolChoice]:
            progress(0.0, "Looking for the number of people")
            return fewest_users(asked, some, metric, target, tuned=tuned)

        return work

    def epsilon_needed(
        self,
        choices: Sequence[ProtocolChoice],
        metric: str,
        target: float,
        plan: CollectionPlan | None = None,
        *,
        tuned: bool = False,
    ) -> Callable[[Progress], tuple[float, ProtocolChoice]]:
        """The smallest ε for an expected error of at most `target`, and the protocol it takes.

        Whichever of the protocols needs the least; `tuned` as of `people_needed`. Call it on any thread.
        """
        asked, some = self.plan() if plan is None else plan, tuple(choices)

        def work(progress: Progress = SILENT) -> tuple[float, ProtocolChoice]:
            progress(0.0, "Looking for ε")
            return least_epsilon(asked, some, metric, target, tuned=tuned)

        return work

    # Collecting

    def exporter(
        self,
        choice: ProtocolChoice,
        path: Path,
        *,
        seed: int | None = None,
        force: bool = True,
        look_later: bool = False,
        trial: bool = False,
    ) -> Callable[[Progress], Collected]:
        """Let every person report into a file, bound together now; call it on any thread.

        The reports are real: drawn from the operating system's randomness, and counted in the ledger of the data.
        With a seed they are a simulation, which promises nothing, and the file says so.

        Parameters
        ----------
        force
            Whether what stands at `path` may be overwritten, such as reports that were paid for; the
            window asks itself.
        look_later
            Whether the place is looked at only when it is called, because this thread must not wait for a disk.
        trial
            Whether nobody gave the answers: the file says so, and is not counted with others. It costs as much.

        Raises
        ------
        AlreadyThere
            If something stands there and may not.
        WorkbenchError
            When called: if a value lies outside the domain, a person may report more often than declared, or the
            file cannot be written.
        """
        then, source, protected = self._then(), source_for(seed), self._ledger.protected

        def look() -> None:
            check_target(path, None)
            refuse_among_parts(path, protected)
            check_writable(path, protected)
            if not force:
                refuse_others([path], {})

        if not look_later:
            look()

        def work(progress: Progress = SILENT) -> Collected:
            look()
            return then._export(choice, path, source, protected, progress, force=force, trial=trial)

        return work

    def pricer(self, choice: ProtocolChoice, size: int) -> Callable[[Progress], Price]:
        """A function that prices real reports by the settings and the ledger as they are now; call it on any thread.

        Parameters
        ----------
        choice
            The protocol.
        size
            Possible answers; 0 for a mean.

        Raises
        ------
        WorkbenchError
            When called: if there is no such column, the protocol does not fit, or the ledger cannot be read.
        """
        then = self.snapshot()

        def work(_progress: Progress = SILENT) -> Price:
            then._then()  # which refuses where nobody can answer
            known, attended = bool(number_at_stake(then._state)), then.attendance(choice)
            return price(then._project, then._ledger.current, choice, size, attended, number_known=known)

        return work

    def _export(
        self,
        choice: ProtocolChoice,
        path: Path,
        source: RandomSource,
        protected: Sequence[Path],
        progress: Progress,
        *,
        force: bool,
        trial: bool,
    ) -> Collected:
        settings = self.settings
        attended = self.attendance(choice)
        if attended.named:
            self._refuse_nameless()
        try:
            asked = self._ask(source, progress.part(0.0, 0.2), [choice])
        except WorkbenchError as error:
            raise (self._told_by_rows(error) if error.analyst else error) from error
        for reason in asked.beyond:
            hint = f"Let each person report once. Or: {reason.remedy}"
            raise self._told_by_rows(WorkbenchError(reason.text, hint=hint, field="one_report_per_person"))
        if asked.encoded is not None:
            domain: Domain | None = asked.encoded.domain
            size = asked.encoded.domain.size
            randomiser: FrequencyRandomiser | MeanRandomiser = choice.frequency(size + attended.none, settings.epsilon)
            people = asked.encoded.people
            if attended.none:
                people = people.joined_by(self._without_part(choice, len(people)), size)
            bounds, declared = None, asked.encoded.domain.declared
        else:
            assert asked.numbers is not None
            domain, randomiser, people = None, choice.mean(settings.epsilon), asked.numbers.people
            bounds, declared = asked.numbers.bounds, asked.numbers.declared
        if not len(people):
            raise self._told_by_rows(
                WorkbenchError(
                    "Nobody reports: no row that takes part has a value.",
                    hint="Check the column and which rows take part.",
                    field="column",
                )
            )
        plugin = choice.origin.to_json_or_none()
        trust = vouched(plugin, "The protocol, with its coins and its ε,")
        cautions = (*asked.cautions, trust) if trust else asked.cautions
        announcement = Announcement(
            randomiser.fresh(source),
            settings.column,
            domain,
            bounds,
            declared,
            len(people),
            asked.reports_per_person,
            not source.secure,
            cautions,
            source.words(2).tobytes().hex(),
            attended,
            plugin,
            trial,
        )
        budget = PersonBudget(randomiser.spent, asked.reports_per_person)
        reasons = () if source.secure else ("The reports were drawn with a seed: this is a simulation.",)
        if not declared:
            reasons = (*reasons, ASSUMED)
        reasons = (*reasons, *announcement.doubts)
        charge = charge_of_reports(self._project, choice, budget, announcement, path.name, claimed=not reasons)
        ledger, known = self._ledger.current, bool(number_at_stake(self._state))

        def spend() -> None:
            if not force:
                refuse_others([path], {})  # others write meanwhile
            ledger.charge(charge, number_known=known)

        write_reports(
            path,
            announcement,
            people,
            source,
            protected=protected,
            before=spend,
            progress=progress.part(0.2, 1.0),
        )
        return Collected(path, announcement, budget, not reasons, reasons, cautions)

    def _told_by_rows(self, error: WorkbenchError) -> WorkbenchError:
        """The error that a collection stops at because of what rows hold: it costs nothing, so it counts as a look.

        Otherwise, asked of one person after another, it would tell their values and leave no trace.
        """
        self.look(lasting=True)
        return error.also("That is recorded as a look at the data.")

    def accept_collected(self, collected: Collected) -> None:
        """Take what the ledger now knows into the project."""
        self._ledger.copy_into_project(self._state.opened.content)
