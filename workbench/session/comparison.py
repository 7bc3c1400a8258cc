"""The comparison desk: experiments on public shapes or true values, and published figures made again.

Everything that takes time is a function that is bound to the session as it is now and can be called on any thread.
Nothing here is a release: all of it is seeded, nothing is charged, and none of it may be published. What is computed
from the data that is open is a look at it, also how long it takes and why a method cannot answer: it is refused until
`look` has recorded one. Published figures of the shipped samples are not about that data, and are none; neither are
experiments on a public shape, of which nothing is read from the table: what they find may be followed freely.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.core.role_words import named_after_persons
from workbench.core.schema import Schema, UnitAnswer
from workbench.evaluate.experiment import Experiment
from workbench.evaluate.experiment_edits import error_kind
from workbench.evaluate.experiment_run import Gate, known, refusals, run
from workbench.evaluate.figure_settings import FigureSettings
from workbench.evaluate.findings import Findings
from workbench.evaluate.preset import PRESETS, Preset, PresetResult, run_preset
from workbench.evaluate.public_shape import public_domain, shaped
from workbench.evaluate.published.entry import PublishedFigure
from workbench.evaluate.question import Question
from workbench.evaluate.remaining_time import RemainingWork, estimate
from workbench.evaluate.samples import SampleColumn
from workbench.evaluate.store import ResultStore
from workbench.evaluate.subject import ExperimentData
from workbench.ldp.encoding import Domain, domain_of
from workbench.project.experiments import CompareSettings, ExperimentDocument
from workbench.project.model import digest, hierarchy_digest, preparation_digest
from workbench.session.comparison_typed import is_typed, typed_schema
from workbench.session.comparison_whom import rows_drawn, whom_words
from workbench.session.fitting_columns import check_fits, check_has_values, unfit
from workbench.session.looking import TrueRowsDesk
from workbench.session.shipped_samples import sample_of
from workbench.session.working_table import working_table


@dataclass(frozen=True)
class PresetChoice:
    """The choices that a preset is made of.

    Parameters
    ----------
    column
        A column of the open data; "" takes the shipped sample.
    values
        Parameters of the preset; those that are left out have their defaults.
    """

    column: str = ""
    values: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


class ComparisonDesk(TrueRowsDesk):
    """The experiments of a session, and what can be done with them."""

    looks_at, looked_for = "comparison", "Comparisons"

    # Documents

    @property
    def settings(self) -> CompareSettings:
        return self._project.comparing

    @property
    def documents(self) -> tuple[ExperimentDocument, ...]:
        return self.settings.documents

    @property
    def current(self) -> int:
        """Which document is looked at, -1 if there is none."""
        return self.settings.current

    def add(self, experiment: Experiment, figure: FigureSettings | None = None) -> int:
        """A new experiment, which becomes the one looked at; its place is returned."""
        documents = (*self.documents, ExperimentDocument(experiment, figure or FigureSettings()))
        self._set(CompareSettings(documents, len(documents) - 1))
        return len(documents) - 1

    def change(self, index: int, **changes: Any) -> ExperimentDocument:
        """Change experiment, figure, keep, place or enough of a document.

        What was found is kept no longer where `keep` becomes False, or where it was found on the true values and the
        experiment is about a public shape by now: there nobody is asked whether it is to be kept. What is enough stays
        as long as errors are of the same kind, unless another one is given.

        Raises
        ------
        WorkbenchError
            If there is no such document.
        """
        before = self._document(index)
        changed: ExperimentDocument = replace(before, **changes)
        about_other = before.experiment.basis.public != changed.experiment.basis.public
        if not changed.keeps or (before.keep and not changed.keep) or about_other:
            changed = replace(changed, kept=MappingProxyType({}))
        if before.experiment.axis is not changed.experiment.axis:
            changed = replace(changed, place=None)
        if "enough" not in changes and error_kind(before.experiment) != error_kind(changed.experiment):
            changed = replace(changed, enough=None)
        documents = [*self.documents]
        documents[index] = changed
        self._set(replace(self.settings, documents=tuple(documents)))
        return changed

    def remove(self, index: int) -> None:
        """Take an experiment away."""
        self._document(index)
        documents = (*self.documents[:index], *self.documents[index + 1 :])
        self._set(CompareSettings(documents, min(self.current, len(documents) - 1)))

    def select(self, index: int) -> None:
        """Look at another experiment."""
        self._document(index)
        self._set(replace(self.settings, current=index))

    def take_in(self, index: int, findings: Findings) -> bool:
        """Put what was found into the project, if it is to be kept there; False if it is not, or is there."""
        document = self._document(index)
        if not document.keeps or document.experiment != findings.experiment:
            return False
        kept = self._state.findings.of(findings.keys)
        if kept.keys() == document.kept.keys():
            return False
        self.change(index, kept=kept)
        return True

    def _document(self, index: int) -> ExperimentDocument:
        if not 0 <= index < len(self.documents):
            raise WorkbenchError("There is no such experiment.", field="experiment")
        return self.documents[index]

    def _set(self, settings: CompareSettings) -> None:
        self._state.change(comparing=settings)

    # What is asked about

    @property
    def without_table(self) -> bool:
        """Whether questions are about what is typed, because there is no table."""
        return self._state.without_table

    def is_typed(self, question: Question) -> bool:
        """Whether a question is about what is typed: also beside a table that has no such column."""
        return is_typed(self._state, question)

    def schema_of(self, question: Question) -> Schema:
        """The columns that a question can be about: those of the table, or its own where it is about what is typed."""
        return typed_schema(question) if self.is_typed(question) else self._project.schema

    # Looking

    def may_run(self, experiment: Experiment) -> bool:
        """Whether it can be run without a look: it is about a public shape, or a look is recorded."""
        return experiment.basis.public or self.looked

    @property
    def whom(self) -> str:
        """Whom ε is about, where that is not one person with one row or nobody has said it yet; else ""."""
        return "" if self.without_table else whom_words(self._project)  # everybody of a shape answers once

    @property
    def unsaid_person(self) -> str:
        """The column whose name says whose a row is, as long as nobody has said who is protected; "" for none.

        Whether its values repeat as people do is not told here: what is seen beside a public shape reads no row.
        """
        if self.without_table or self._project.schema.unit.protected is not UnitAnswer.UNSAID:
            return ""
        return named_after_persons(self._project.schema.names)

    # Experiments

    def key(self, experiment: Experiment) -> str:
        """Digest of everything its findings depend on, "" without data; findings with another one are out of date."""
        if self.is_typed(experiment.question):
            return digest(["typed", experiment.to_json()]) if experiment.basis.public else ""
        if self._state.loaded is None or experiment.question.column not in self._project.schema.names:
            return ""
        hierarchies = {name: hierarchy_digest(one) for name, one in self._project.hierarchies.items()}
        material = self._material_key(experiment.question.column, _asked(experiment))
        return digest([material, experiment.to_json(), hierarchies])

    def runner(
        self,
        experiment: Experiment,
        partial: Callable[[Findings], None] | None = None,
        gate: Gate | None = None,
        workers: int | None = None,
        first: float | None = None,
    ) -> Callable[[Progress], Findings]:
        """Run an experiment, bound together now; call it on any thread.

        Parameters
        ----------
        partial
            Is told what was found so far, on the thread that runs this.
        gate
            Pauses it.
        first
            Where one looks, which is run before the rest.
        """
        then, store = self._then(experiment), self._store()

        def work(progress: Progress = SILENT) -> Findings:
            material = then._subject_data(experiment, progress.part(0.0, 0.02))
            return run(
                experiment,
                material,
                store=store,
                partial=partial,
                gate=gate,
                workers=workers,
                first=first,
                progress=progress.part(0.02, 1.0),
            )

        return work

    def domain(self, question: Question, *, public: bool = False) -> Domain | None:
        """The domain of the answers; None where it is read from the data, which takes a while and is assumed public.

        Parameters
        ----------
        public
            Nothing is to be read from the data.

        Raises
        ------
        WorkbenchError
            If the column does not go with the question, or its domain is not declared.
        """
        if not public:
            _ = self._state.opened  # raises where there are no true values
        spec = (self.schema_of(question) if public else self._project.schema)[question.column]
        if question.statistic.of_numbers and not spec.kind.numeric:
            raise WorkbenchError(
                f"“{spec.name}” holds no numbers.",
                hint="Ask for a histogram or a count, or say in Data that it holds numbers.",
                field="column",
            )
        if public:
            return public_domain(question, spec)
        if question.encoding.assume_public:
            return None
        return domain_of(question.asked, self._state.opened.reading.table[spec.name], spec)

    def looker(self, experiment: Experiment) -> Callable[[Progress], Findings]:
        """A function that finds the known results of an experiment, without running anything; call it on any thread."""
        then, store = self._then(experiment), self._store()

        def work(progress: Progress = SILENT) -> Findings:
            return known(experiment, then._subject_data(experiment, progress), store)

        return work

    def refuser(self, experiment: Experiment) -> Callable[[Progress], dict[int, str]]:
        """Why methods of an experiment cannot answer, by their place in it; call it on any thread."""
        then = self._then(experiment)
        return lambda progress: refusals(experiment, then._subject_data(experiment, progress))

    def estimator(
        self, experiment: Experiment, paces: MutableMapping[str, float], first: float | None = None
    ) -> Callable[[Progress], RemainingWork]:
        """How long what is missing of an experiment takes; call it on any thread.

        Parameters
        ----------
        paces
            What was measured before; new measurements are added.
        first
            Where one looks, which is run before the rest.
        """
        then, store = self._then(experiment), self._store()

        def work(progress: Progress = SILENT) -> RemainingWork:
            material = then._subject_data(experiment, progress.part(0.0, 0.1))
            return estimate(experiment, material, store, paces, progress.part(0.1, 1.0), first)

        return work

    # Presets

    def presets(self) -> tuple[Preset, ...]:
        """The published figures that can be made again."""
        return tuple(PRESETS)

    def preset_runner(
        self,
        identifier: str,
        choice: PresetChoice | None = None,
        partial: Callable[[PresetResult], None] | None = None,
        gate: Gate | None = None,
        repetitions: int | None = None,
        workers: int | None = None,
    ) -> Callable[[Progress], PresetResult]:
        """Make published figures again, of the shipped sample or of a column of the open data.

        Raises
        ------
        WorkbenchError
            If there is no such preset.
        """
        preset, chosen = PRESETS[identifier], choice or PresetChoice()
        read = self.published_reader(preset, chosen.column, preset.sample_for(chosen.values))
        store, own = self._store(), bool(chosen.column)

        def work(progress: Progress = SILENT) -> PresetResult:
            material, column, data = read(progress.part(0.0, 0.1))
            return run_preset(
                preset,
                preset.given(material, column, chosen.values, own=own, repetitions=repetitions),
                store=store,
                partial=partial,
                gate=gate,
                workers=workers,
                data=data,
                progress=progress.part(0.1, 1.0),
            )

        return work

    def published_reader(
        self, made: Preset | PublishedFigure, column: str, sample: SampleColumn | None = None
    ) -> Callable[[Progress], tuple[ExperimentData, str, str]]:
        """A function that reads the data of a published figure or preset: its shipped sample, or an open column.

        Bound together now; call it on any thread for the data, the column and what both are called.

        Parameters
        ----------
        sample
            What is taken instead of its usual sample.

        Raises
        ------
        WorkbenchError
            If no look at the open data is recorded; when it is called, if the column does not suit it.
        """
        own = self.column_reader(column) if column else None

        def read(progress: Progress) -> tuple[ExperimentData, str, str]:
            if own is not None:
                material, data = own(progress)
                found = material, column, data
            else:
                found = sample_of(sample or made.sample, progress)
            check_fits(made, *found[:2])
            if own is not None:
                check_has_values(material, column)
            return found

        return read

    def lacks(self, figure: PublishedFigure, column: str) -> WorkbenchError | None:
        """The error where a column has no numbers or no declared bounds and a figure needs them; nothing is looked at.

        Its field is “column” or “bounds”.
        """
        schema = self._project.schema
        # A column that was chosen before another table was opened is shown until its page follows.
        if column not in schema.names:
            return None
        if (wrong := unfit(figure, schema[column].kind.numeric, column)) is not None:
            return wrong  # of texts nobody can declare bounds
        if not figure.bounded or schema[column].declared().bounds is not None:
            return None
        return WorkbenchError(
            f"{figure.number} needs the public bounds of “{column}”, which are not declared.",
            hint="Declare them under Data, from what everybody may know.",
            field="bounds",
        )

    def column_reader(self, column: str) -> Callable[[Progress], tuple[ExperimentData, str]]:
        """A column of the open data and what it is called, bound together now; call it on any thread.

        Raises
        ------
        WorkbenchError
            If no look at the data is recorded.
        """
        then = self._then()
        name = f"{Path(then._state.opened.reading.path).name}, {column}"

        def read(progress: Progress) -> tuple[ExperimentData, str]:
            return then._material(column, progress), name

        return read

    # Settling

    def _then(self, experiment: Experiment | None = None) -> ComparisonDesk:
        public = experiment is not None and experiment.basis.public
        if not (public and self.without_table):
            _ = self._state.opened  # raises if no data is open
        if not public:
            self.require_look()
        return self.snapshot()

    def _store(self) -> ResultStore:
        store = self._state.findings
        for document in self.documents:
            store.take_in(document.kept)
        return store

    def _subject_data(self, experiment: Experiment, progress: Progress) -> ExperimentData:
        """The data of an experiment: a public shape, or the table."""
        typed = self.is_typed(experiment.question)
        if experiment.basis.public:
            found = shaped(experiment, self.schema_of(experiment.question), {} if typed else self._project.hierarchies)
        else:
            found = self._material(experiment.question.column, progress, _asked(experiment))
        return replace(found, rows_drawn=0 if typed else rows_drawn(self._project))

    def _material(self, column: str, progress: Progress, question: Question | None = None) -> ExperimentData:
        table, project = working_table(self._state, progress).table, self._project
        return ExperimentData(table, project.schema, project.hierarchies, self._material_key(column, question))

    def _material_key(self, column: str, question: Question | None = None) -> str:
        """Digest of the rows, of how the column is read, and of what is declared where the question says nothing."""
        project = self._project
        schema, preparation = project.schema, project.preparation
        found = [spec for spec in schema.columns if spec.name == column]
        needed = found if question is None else [question.needed_of(spec) for spec in found]
        described = [
            [spec.kind.value, vars(spec.format), spec.missing, spec.bounds, spec.domain, sorted(spec.observed)]
            for spec in needed
        ]
        return digest(
            [
                self._state.opened.content,
                preparation_digest(schema, preparation, schema.names),
                project.anonymise.seed if preparation.random else None,
                described,
            ]
        )


def _asked(experiment: Experiment) -> Question:
    """The question as it is encoded: along an axis of bins every place has the same encoding, but for their number."""
    return experiment.question_at(experiment.places[0])
