"""The settings of a collection, and a column as answers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Self

from workbench.anonymise.persons import rows_beyond_the_unit
from workbench.anonymise.reasons import Reason, WorkingTable
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.core.randomness import RandomSource, source_for
from workbench.core.rationals import rational
from workbench.core.rough_counts import roughly
from workbench.core.schema import ColumnSpec, Schema
from workbench.core.table import Column, Table
from workbench.core.working_table import Preparation
from workbench.engines.dispatch import engine_of
from workbench.evaluate.experiment_edits import USUAL_PEOPLE
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import Domain, Encoded, EncodingKind, domain_of, encode
from workbench.ldp.mean_prediction import MeanPlan
from workbench.ldp.participation import Attendance, Participation, attendance
from workbench.ldp.persons import PersonBudget, person_column, person_spec, reports_in_all
from workbench.ldp.plan import CollectionPlan
from workbench.ldp.scaling import Numbers, encode_numbers
from workbench.ldp.simulation import frequency_choices
from workbench.project.collect_settings import CollectSettings
from workbench.session.collection.new_plans import asked_first, planned_anew
from workbench.session.collection.results import Asked, CollectedQuestion
from workbench.session.collection.typed_answers import (
    AS_TYPED,
    SURVEY,
    opened_data,
    planned_without,
    typed_before,
    typed_for,
    typed_table,
)
from workbench.session.looking import TrueRowsDesk
from workbench.session.typed_bounds import typed_elsewhere
from workbench.session.working_table import working_table

ASSUMED = (
    "The domain was read from the data and is only assumed to be public: what it tells about the data is not protected."
)
FILTERED = "Only rows that pass the filter report, so whoever reports is known to pass it."
_UNTOUCHED = CollectSettings()
_COUNTS = ProtocolChoice("grr")
"""A protocol that has room for a further answer."""
COUNTED = "The number of people is that of the rows, and only assumed to be public."
ROUGH = (
    "The number of people is roughly that of the rows: before a look an exact count stays hidden. "
    "Type how many you will ask, if you know."
)
LEFT_OUT = "People without a value do not report, and that they do not is seen."


class CollectionInputs(TrueRowsDesk):
    """The collection of a session as far as its settings and its answers go."""

    looks_at, looked_for = "collection", "Simulations"

    # Settings

    @property
    def settings(self) -> CollectSettings:
        """The settings in force.

        Where no table says who answers, those who are asked are a sample, until anything else is said.
        """
        settings = self._project.collect
        if self.without_table and settings == _UNTOUCHED:
            return replace(settings, sampling=True, users=USUAL_PEOPLE, **planned_anew(settings))
        return settings

    def change(self, **changes: Any) -> CollectSettings:
        """Change settings by name; see `CollectSettings`.

        Raises
        ------
        WorkbenchError
            If a value is impossible, a protocol unknown or the column not there.
        """
        changed = self._change(**changes)
        if "sampling" in changes:
            self._state.asked_before.sampling_said = opened_data(self._state)
        return changed

    def _change(self, **changes: Any) -> CollectSettings:
        settings = self.settings
        changed: CollectSettings = replace(settings, **changes)
        if settings.protocols and not changed.protocols:  # what is asked for stays what it is
            self._state.asked_before.mean = not frequency_choices(settings.protocols)
        for choice in changed.protocols:
            choice.checked()
        if changed.column and not self.without_table:
            self._project.schema[changed.column]  # raises if there is no such column
        self._state.change(collect=changed)
        return changed

    @property
    def sampling_proposed(self) -> bool:
        """Whether sampling error counts because a survey without a table is planned, and nobody said so."""
        return self.settings.sampling and self.without_table and not self._sampling_said

    @property
    def _sampling_said(self) -> bool:
        return self._state.asked_before.sampling_said == opened_data(self._state)

    @property
    def without_table(self) -> bool:
        """Whether a survey is planned of which no table knows: its answers and people are typed.

        A table may be open beside it: then no column of it is chosen, and how answers are typed is.
        """
        if self._state.loaded is None:
            return self._state.without_table
        settings = self._project.collect
        return not settings.column and planned_without(settings.encoding)

    @property
    def answerable(self) -> bool:
        """Whether rows can answer: a table is open, and the question is about it."""
        return self._state.loaded is not None and not self.without_table

    @property
    def assumes_shares(self) -> bool:
        """Whether nobody answered: answers and people are typed, so that a simulation is of assumed shares."""
        typed = self._state.loaded is not None and self._state.loaded.reading.path is AS_TYPED
        return typed or self.without_table

    def ask_nobody(self) -> CollectSettings:
        """Plan a question of which the open table knows nothing, and which leaves it as it is.

        It begins with answers that are counted, so that protocols for means alone give way to the usual ones. That
        those who are asked are a sample is proposed, unless the person said whether that counts.
        """
        settings, before = self.settings, self._state.asked_before
        protocols = frequency_choices(settings.protocols) or CollectSettings().protocols
        typed = typed_before(self._state, settings, "", EncodingKind.CATEGORIES) | {"protocols": protocols}
        if not self.without_table:
            before.before_plan = (settings.users,)
        sampling = settings.sampling if self._sampling_said else True
        anew = {} if self.without_table else planned_anew(settings)
        return self._change(column="", users=settings.users or USUAL_PEOPLE, sampling=sampling, **anew, **typed)

    @property
    def person(self) -> str:
        """The column that tells persons apart; "" if there is none, or no table is asked."""
        return person_column(self._project.schema, self._table) if self.answerable else ""

    def spec(self) -> ColumnSpec | None:
        """The column that is asked about, or the answers as they are typed; None if neither is there."""
        name = self.settings.column
        if self.without_table:
            return self._spec(self._column())
        return self._project.schema[name] if name in self._project.schema.names else None

    def ask_about(self, column: str) -> CollectSettings:
        """Ask about another column; what was typed for this one is there again, here or in another room.

        Else what was typed before there was one stays, as far as it can be of this one.
        Of one without numbers there is no mean, so that protocols for means give way to those that count answers.
        """
        settings, spec = self.settings, self._project.schema[column]
        changes = typed_for(self._state, settings, spec)
        if (found := changes.get("encoding")) is not None:
            changes["encoding"] = typed_elsewhere(self._project, column, found, counted=True)
        changes |= asked_first(settings)
        if not spec.kind.numeric and any(choice.estimates_mean for choice in settings.protocols):
            changes["protocols"] = frequency_choices(settings.protocols) or CollectSettings().protocols
        return self._change(column=column, **changes, **self._unproposed())

    def _unproposed(self) -> dict[str, Any]:
        """The people that were proposed for a survey beside the table, and nobody changed since, as before.

        That those who are asked are a sample stays: it is in sight, and no column says otherwise.
        """
        settings, before = self.settings, self._state.asked_before
        if before.before_plan is None or not self.without_table:
            return {}
        (users,), before.before_plan = before.before_plan, None
        return {"users": users} if settings.users == USUAL_PEOPLE else {}

    # Who reports

    def attendance(self, choice: ProtocolChoice) -> Attendance:
        """Who reports by a protocol, as it is set. Quick: rows are not looked at.

        Raises
        ------
        WorkbenchError
            If who takes part must be hidden, and the protocol cannot do that.
        """
        settings, preparation = self.settings, self._project.preparation
        if self.without_table:
            preparation = Preparation()  # no rows of the table that may be open report
        return attendance(
            settings.participation,
            choice,
            settings.encoding.absent,
            filtered=bool(preparation.where.strip()),
            one_by_one=settings.one_report_per_person or preparation.limit_rows,
        )

    @property
    def counts_no_part(self) -> bool:
        """Whether those of a table who take no part report that, by every protocol that can: predictions count it.

        Of answers that are typed nobody is without one.
        """
        wanted = self.settings.participation
        return (
            self.answerable
            and not self.assumes_shares
            and wanted is not Participation.OPEN
            and self.attendance(_COUNTS).none
        )

    @property
    def valueless(self) -> str:
        """Who is counted, of the rows, and does not report, by which protocols; "" where everybody does.

        How many these are is data, so they are not left out.
        """
        settings = self.settings
        if self.assumes_shares or settings.users is not None or not self.answerable:
            return ""
        asked = [one for one in settings.protocols if self._can_ask_by(one)]
        seen = [one for one in asked if self._shows_who(one)]
        by = "" if seen == asked else f"by {', '.join(one.protocol.title for one in seen)} "
        filtered = " or is filtered out" if self._project.preparation.where.strip() else ""
        return f"Everybody is counted; {by}who has no value{filtered} does not report." if seen else ""

    def _can_ask_by(self, choice: ProtocolChoice) -> bool:
        """Whether a protocol takes as many answers as there are, where that is known."""
        if choice.estimates_mean:
            return True
        try:
            return choice.protocol.minimum_domain <= self.domain().size <= choice.protocol.maximum_domain
        except WorkbenchError:
            return True

    @property
    def shows_rows(self) -> bool:
        """Whether anything of the rows shows: how many there are where nobody typed it, what occurs, or after a look.

        What is predicted of typed people and public answers says nothing of the table.
        """
        settings = self.settings
        counted = settings.users is None or settings.encoding.assume_public
        return self.answerable and self.spec() is not None and (counted or self.looked)

    def _counted_words(self) -> tuple[str, ...]:
        """What is to be known of the number of people where it is that of the rows."""
        return (COUNTED if self.looked else ROUGH, *filter(None, [self.valueless]))

    def _reporting(self, rows: int) -> int:
        """How many reports there are where nobody typed a number: fewer than rows, if persons report less often."""
        if self.settings.one_report_per_person or self._project.preparation.limit_rows:
            return max(self._everybody(), 1)
        return rows

    @property
    def reports_per_person(self) -> int:
        """How often one person reports at most, as declared."""
        if self.settings.one_report_per_person or (self._state.loaded is not None and self.without_table):
            return 1
        return self._project.schema.unit.rows_per_person

    @property
    def shown_rows(self) -> int:
        """How many rows there are, as it may be shown: exactly after a look at the data, before it roughly."""
        return self._shown(self._table.rows)

    def _shown(self, number: int) -> int:
        """A count of true rows or persons as it may be shown: exactly after a look, before it roughly; at least 1."""
        return max(number, 1) if self.looked else roughly(number)

    def _asked(self, plan: CollectionPlan | MeanPlan) -> Asked:
        """Who is asked. Persons are counted, which may take a moment."""
        settings, schema, table = self.settings, self._project.schema, self._table
        once = settings.one_report_per_person
        reports = self.reports_per_person
        epsilon = PersonBudget(rational(settings.epsilon), reports).person
        named, rough = self.person, settings.users is None and not self.looked
        if settings.users is None and named and (once or reports > 1):
            people = self._shown(reports_in_all(table, schema[named], 1))
            return Asked(people, people if once else plan.users, reports, epsilon, rough=rough)
        if reports > 1:
            return Asked(math.ceil(plan.users / reports), plan.users, reports, epsilon, known=False, rough=rough)
        return Asked(plan.users, plan.users, reports, epsilon, rough=rough)

    def _shows_who(self, choice: ProtocolChoice) -> bool:
        """Whether reports by a protocol would show who takes part; not if there can be none."""
        try:
            return not self.attendance(choice).hidden
        except WorkbenchError:
            return False

    def _everybody(self) -> int:
        """How many reports there are if everybody sends them: what no value decides."""
        project, settings = self._project, self.settings
        prepared, preparation = working_table(self._state), project.preparation
        table, schema = self._table, project.schema
        if settings.one_report_per_person:
            return reports_in_all(table, person_spec(schema, table), 1)
        if preparation.limit_rows:
            return reports_in_all(table, schema[schema.unit.person_column], schema.unit.rows_per_person)
        return table.rows if prepared.drawn is None else prepared.drawn

    def _without_part(self, choice: ProtocolChoice, participants: int) -> int:
        """How many people report by a protocol that they take no part, beside those who do."""
        return self._everybody() - participants if self.attendance(choice).none else 0

    def _refuse_nameless(self) -> None:
        """Refuse rows that name nobody, where they would be left out and that would be seen."""
        schema, table = self._project.schema, self._table
        person = person_spec(schema, table)
        if table[person.name].rows_without(person.missing):
            raise WorkbenchError(
                f"Some rows name no person in “{person.name}”, and by this protocol they cannot report that.",
                hint="Fill in who they belong to; or use direct encoding (GRR) or another protocol for categories; or "
                "let it be seen who takes part.",
                field="participation",
            )

    # What is asked

    def domain(self) -> Domain:
        """The public domain of the values as it is set. Quick: rows are not looked at.

        Raises
        ------
        WorkbenchError
            If no column is chosen, or no domain can be made of what is declared.
        """
        column = self._column()
        return domain_of(self.settings.encoding, self._table[column], self._spec(column))

    def asker(self) -> Callable[[Progress], CollectedQuestion]:
        """Encode the column and look for persons with several rows, bound together now; call it on any thread.

        What it finds is computed from the true rows, and its errors name values outside the domain: for the analyst.
        """
        then = self._then_looking()

        def ask(progress: Progress = SILENT) -> CollectedQuestion:
            return then._ask(source_for(None), progress)

        return ask

    def _ask(
        self, source: RandomSource, progress: Progress, protocols: Sequence[ProtocolChoice] | None = None
    ) -> CollectedQuestion:
        project, settings = self._project, self.settings
        asked_of = settings.protocols if protocols is None else protocols
        name = self._column()
        progress(0.0, "Making the working table")
        prepared = working_table(self._state, progress.part(0.0, 0.5))
        table = prepared.table
        spec = self._spec(name)
        means = [choice.estimates_mean for choice in asked_of]
        progress(0.5, "Encoding the answers")
        encoded = encode(settings.encoding, table[name], spec) if not all(means) or not means else None
        numbers = encode_numbers(settings.encoding, table[name], spec) if any(means) else None
        if settings.one_report_per_person:
            progress(0.6, "Choosing one row of each person")
            asked = numbers if encoded is None else encoded
            assert asked is not None
            column = _one_each(project.schema, table, name, asked, source, progress.part(0.6, 1.0))
            encoded = None if encoded is None else encoded.of(column)
            numbers = None if numbers is None else numbers.of(column)
        beyond: list[Reason] = []
        if not settings.one_report_per_person:
            # Of everybody who may report: a sample would hide that somebody has more rows.
            working = WorkingTable(self._table, prepared.population)
            beyond = rows_beyond_the_unit(project.schema, working)
        seen = any(map(self._shows_who, asked_of))
        declared = [one.domain.declared for one in [encoded] if one is not None]
        declared += [one.declared for one in [numbers] if one is not None]
        missing = (encoded.absent if encoded is not None else 0) or (numbers.absent if numbers is not None else 0)
        cautions = [ASSUMED] if not all(declared) else []
        if seen and project.preparation.where.strip():
            cautions.append(FILTERED)
        if seen and missing and (encoded is None or len(encoded) < table.rows):
            cautions.append(LEFT_OUT)
        reports = self.reports_per_person
        return CollectedQuestion(encoded, numbers, tuple(beyond), reports, tuple(cautions))

    # Settling

    def _then(self) -> Self:
        self._state.opened  # noqa: B018 - raises if nobody can answer
        self._refuse_nobody()
        return self.snapshot()

    def _then_looking(self) -> Self:
        """As `_then`, for what is computed from the true values."""
        self._refuse_nobody()
        self.require_look()
        return self.snapshot()

    def _refuse_nobody(self) -> None:
        """Refuse where no column is asked about, or a question of which the open table knows nothing."""
        if self.without_table and self._state.loaded is not None:
            raise WorkbenchError(
                "The question is not about the table: no row of it answers.", hint="Choose a column.", field="column"
            )
        self._column()

    @property
    def _table(self) -> Table:
        """The table that was read, or the answers as they are typed."""
        if self.without_table:
            return typed_table(SURVEY, self.settings.encoding)[0]
        return self._state.opened.reading.table

    def _column(self) -> str:
        if self.without_table:
            return SURVEY
        name = self.settings.column
        if not name:
            raise WorkbenchError("No column is chosen.", hint="Choose what is asked.", field="column")
        self._table[name]
        return name

    def _spec(self, name: str) -> ColumnSpec:
        if self.without_table:
            return typed_table(name, self.settings.encoding)[1]
        return self._project.schema[name]


def _one_each(
    schema: Schema,
    table: Table,
    name: str,
    asked: Encoded | Numbers,
    source: RandomSource,
    progress: Progress,
) -> Column:
    """The column in one row of each person, of those rows that answer."""
    person = person_spec(schema, table)
    return engine_of(table).one_row_each(name, asked, person, source, progress)
