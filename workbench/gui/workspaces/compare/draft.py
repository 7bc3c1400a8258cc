"""The experiment that is looked at, and edits of it as undoable steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from PySide6.QtCore import QObject, Signal

from workbench.core.errors import WorkbenchError
from workbench.evaluate.experiment import Axis, Basis, Experiment
from workbench.evaluate.experiment_edits import (
    USUAL_PEOPLE,
    USUAL_PLACES,
    changes_for_axis,
    changes_for_basis,
    changes_for_question,
    error_kind,
    suited,
)
from workbench.evaluate.figure_settings import FIT_TO_PRINT, FigureSettings
from workbench.evaluate.findings import Findings
from workbench.evaluate.question import UNNAMED, Metric, Question, Statistic
from workbench.gui.document import Document
from workbench.ldp.encoding import EncodingChoice
from workbench.project.experiments import ExperimentDocument
from workbench.session import Session
from workbench.session.bought_bounds import typed_bounds
from workbench.session.comparison import ComparisonDesk
from workbench.session.typed_bounds import typed_elsewhere

_MANY = 1000
"""More repetitions than anybody types who does not know how sure an answer will be."""
_NOT_ANEW = {"title", "metric", "repetitions"}
"""Fields of an experiment that leave the tries there were what they are."""


class ExperimentDraft(QObject):
    """Edits the experiment that is looked at; what is impossible is told and changes nothing.

    Signals
    -------
    refused(object)
        The last edit was impossible, as this `WorkbenchError` says.
    accepted()
        It was possible.
    """

    refused = Signal(object)
    accepted = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.offers = False
        """Whether there is an experiment to look at before anybody has made one."""
        self._offered: tuple[object, ExperimentDocument] | None = None
        self._people: dict[tuple[str, int], int] = {}
        """By data and experiment: for how many people it was tried on a shape before it was on true values."""
        self._enough: dict[tuple[object, ...], float | None] = {}
        """By data, experiment and kind of error: what was typed as enough before another kind was asked for."""
        self._typed: dict[tuple[str, str], EncodingChoice] = {}
        """By data and column: what was last typed of it, which stays with the table while another one is looked at."""
        self._usual: dict[int, int] = {}
        """By a number of repetitions that a press asked for: that before, with which another question begins."""
        self._wanted: set[int] = set()
        """Numbers of repetitions that somebody typed here, for whatever is asked."""
        self.places = dict(USUAL_PLACES)
        """By axis: the places of the experiment that is looked at, when it was last the axis."""

    @property
    def desk(self) -> ComparisonDesk:
        return self.document.session.comparison

    @property
    def can_ask(self) -> bool:
        """Whether there is something to ask about: a table, or, where none is waited for, values that are typed."""
        return self.document.has_data or self.desk.without_table

    @property
    def index(self) -> int:
        """Which one it is, -1 if the project has none."""
        return self.document.project.comparing.current

    @property
    def current(self) -> ExperimentDocument | None:
        settings = self.document.project.comparing
        return settings.documents[settings.current] if settings.documents else self._offer()

    def _offer(self) -> ExperimentDocument | None:
        """The experiment to begin with, which becomes one of the project as soon as somebody changes it."""
        if not (self.offers and self.can_ask):
            return None
        project = self.document.project
        about = project.schema, project.anonymise, project.collect, self._asked_in_query
        if self._offered is None or self._offered[0] != about:
            before, now = self._offered, ExperimentDocument(self.suited(), FIT_TO_PRINT)
            if before is not None and error_kind(before[1].experiment) == error_kind(now.experiment):
                now = replace(now, place=before[1].place, enough=before[1].enough)  # somebody may have typed them
            self._offered = about, now
        return self._offered[1]

    @property
    def experiment(self) -> Experiment | None:
        return self.current.experiment if self.current is not None else None

    @property
    def place(self) -> float | None:
        """Where on the axis somebody looks; None where nobody has chosen that."""
        return None if self.current is None else self.current.place

    @property
    def figure(self) -> FigureSettings:
        """How what was found is drawn."""
        return FigureSettings() if self.current is None else self.current.figure

    # Documents

    def add(self, experiment: Experiment | None = None, figure: FigureSettings | None = None) -> None:
        """A new experiment, by default one that suits the data."""
        wanted = experiment or self.suited()
        drawn = figure or (FIT_TO_PRINT if experiment is None else None)
        self.document.apply("New experiment", lambda session: session.comparison.add(wanted, drawn))

    def duplicate(self) -> None:
        """The same once more, with its figure."""
        current = self.current
        if current is not None:
            title = f"{current.experiment.name} (copy)"
            copy = replace(current.experiment, title=title)
            figure = current.figure
            self.document.apply("Duplicate the experiment", lambda session: session.comparison.add(copy, figure))

    def remove(self) -> None:
        """Take it away; undo brings it back."""
        current, index = self.current, self.index
        if current is not None and index >= 0:
            words = f"Delete {current.experiment.name}"
            self.document.apply(words, lambda session: session.comparison.remove(index))

    def select(self, index: int) -> None:
        """Look at another one."""
        if index != self.index:
            self.document.apply(
                "Look at another experiment",
                lambda session: session.comparison.select(index),
                merge="compare select",
            )

    def keep(self, wanted: bool) -> None:
        """Whether its results are saved with the project."""
        words = "Keep the results" if wanted else "Do not keep the results"
        self._apply(words, keep=wanted)

    def _apply(self, words: str, *, merge: str = "", **changes: Any) -> bool:
        """Change what is looked at; one that was only offered is put into the project first."""
        index, current = self.index, self.current

        def edit(session: Session) -> None:
            desk = session.comparison
            place = index
            if place < 0 and current is not None:
                place = desk.add(current.experiment, current.figure)
                desk.change(place, place=current.place, enough=current.enough)
            desk.change(place, **changes)

        return self.document.apply(words, edit, merge=merge)

    def take_in(self, findings: Findings) -> None:
        """Put results into the project where they are to be saved with it, and what was only offered until now."""
        if self.index < 0 and findings.experiment.basis.public and findings.experiment == self.experiment:
            self._put_in()
        for number, one in enumerate(self.desk.documents):
            wanted = one.keeps and one.experiment == findings.experiment
            if wanted and set(one.kept) != set(findings.keys) and self.desk.take_in(number, findings):
                self.document.changed.emit("file")

    def _put_in(self) -> None:
        """Let what was offered be of the project: what was found for it is saved, and its place."""
        current = self.current
        if self.index < 0 and current is not None:
            number = self.desk.add(current.experiment, current.figure)
            self.desk.change(number, place=current.place, enough=current.enough)

    def look_at(self, **changes: Any) -> None:
        """Keep at which `place` and by which `enough` the ways are compared.

        Like what was found, it is no edit that is undone.
        """
        current = self.current
        if current is None or all(getattr(current, name) == value for name, value in changes.items()):
            return
        if self.index >= 0:
            self.desk.change(self.index, **changes)
            self.document.changed.emit("file")
        elif self._offered is not None:
            self._offered = self._offered[0], replace(current, **changes)

    # Edits

    def change(self, words: str, *, merge: str = "", **changes: Any) -> bool:
        """Change the experiment; False if that is impossible."""
        experiment, index = self.experiment, self.index
        if experiment is None:
            return False
        try:
            wanted = replace(experiment, **changes)
        except WorkbenchError as error:
            self.refused.emit(error)
            return False
        self.accepted.emit()
        if wanted == experiment:
            return True
        if "repetitions" in changes:
            self._usual.pop(wanted.repetitions, None)  # typed, it is for whatever is asked
            self._wanted.add(wanted.repetitions)
        usual = self._usual_before(experiment.repetitions)
        again = usual is not None and self._asks_anew(experiment, wanted)
        if usual is not None and again:
            wanted = replace(wanted, repetitions=usual)
        self._typed[self._data, wanted.question.column] = wanted.question.encoding
        changes = {"experiment": wanted, **self._enough_of(wanted)}
        done = self._apply(words, merge=f"compare {index} {merge}" if merge else "", **changes)
        if done and again:
            times, usual_words = f"{experiment.repetitions:,}", f"{wanted.repetitions:,}"
            self.document.noted.emit("info", f"{usual_words} repetitions again: {times} were for the question before.")
        return done

    def repeat(self, times: int) -> bool:
        """Ask for so many repetitions of this question: the next one begins with as many as there were."""
        experiment = self.experiment
        if experiment is None:
            return False
        usual = self._usual.get(experiment.repetitions, experiment.repetitions)
        done = self.change("Change the repetitions", repetitions=times)
        if done and times != usual:
            self._usual[times] = usual
        return done

    def _usual_before(self, times: int) -> int | None:
        """With how many repetitions another question begins than these; None for as many.

        So many as few people type, in a project that was saved, were asked for by a press.
        """
        unasked = times > _MANY and times not in self._wanted
        return self._usual.get(times, Experiment.repetitions if unasked else None)

    @property
    def repetitions(self) -> int:
        """How often each way is tried."""
        return 0 if self.experiment is None else self.experiment.repetitions

    @property
    def repeated(self) -> bool:
        """Whether a press asked for more repetitions of this question than it began with."""
        return self.repetitions in self._usual

    def _asks_anew(self, before: Experiment, wanted: Experiment) -> bool:
        """Whether tries of one tell nothing of the other; those of another name, or measured otherwise, do."""
        name = wanted.question.column if self.desk.without_table else before.question.column
        asked = replace(before, question=replace(before.question, column=name))
        others = {one.name for one in fields(asked) if getattr(asked, one.name) != getattr(wanted, one.name)}
        return not others <= _NOT_ANEW

    @property
    def _data(self) -> str:
        return self.document.session.data.fingerprint if self.document.has_data else ""

    def typed_of(self, column: str) -> EncodingChoice:
        """What was typed of a column of this table before: its bounds or possible values, and one that is counted.

        Here, or else in another room.

        What was typed of something else, such as of a survey before there was a table, says nothing of it.
        """
        known = self._typed.get((self._data, column))
        if known is None:
            return typed_elsewhere(self.document.project, column, EncodingChoice()) if self._data else EncodingChoice()
        return EncodingChoice(bounds=known.bounds, domain=known.domain, answer=known.answer, outside=known.outside)

    @property
    def typed(self) -> bool:
        """Whether it is about what is typed, and of no column of a table, if one is open."""
        return self.desk.is_typed(Question() if self.experiment is None else self.experiment.question)

    @property
    def unnamed(self) -> bool:
        """Whether values were typed of something without a name, and no column of the table was chosen for it yet."""
        experiment = self.experiment
        name = "" if experiment is None else experiment.question.column
        return self.document.has_data and name == UNNAMED and name not in self.document.project.schema.names

    @property
    def _of(self) -> tuple[str, int]:
        """The data, and the experiment that is looked at: what was offered becomes the first one by its first edit."""
        return self._data, max(self.index, 0)

    def _enough_of(self, wanted: Experiment) -> dict[str, Any]:
        """What was typed as enough when errors were last of that kind, if they are of another one now."""
        current = self.current
        if current is None or error_kind(current.experiment) == error_kind(wanted):
            return {}
        self._enough[*self._of, error_kind(current.experiment)] = current.enough
        return {"enough": self._enough.get((*self._of, error_kind(wanted)))}

    def change_question(
        self, words: str, edit: Callable[[Question], Question], *, merge: str = "", metric: Metric | None = None
    ) -> bool:
        """Change the question, and the metric, if none is given, and the axis where they do not go with it."""
        experiment = self.experiment
        if experiment is None:
            return False
        try:
            question = edit(experiment.question)
        except WorkbenchError as error:
            self.refused.emit(error)
            return False
        changes = changes_for_question(experiment, question, self.places[Axis.EPSILON])
        if self.unnamed:
            changes.pop("most_below", None)
        elif self.typed and question.column in self.document.project.schema.names:
            changes["users"] = USUAL_PEOPLE  # so many were said to be asked about something else
        return self.change(words, merge=merge, **(changes if metric is None else changes | {"metric": metric}))

    def change_axis(self, axis: Axis, places: tuple[float, ...]) -> bool:
        """Let something else change along the chart."""
        experiment = self.experiment
        if experiment is None:
            return False
        return self.change("Change the axis", **changes_for_axis(experiment, axis, places))

    def change_basis(self, basis: Basis) -> bool:
        """Try the methods on something else: a public shape, or the true values."""
        experiment = self.experiment
        if experiment is None:
            return False
        changes = changes_for_basis(experiment, basis)
        if experiment.users is not None:
            self._people[self._of] = experiment.users
        elif basis.public:  # what was typed before the true values is not typed twice
            changes["users"] = self._people.get(self._of, changes["users"])
        return self.change("Change what is tried on", **changes)

    def change_figure(self, words: str, **changes: Any) -> bool:
        """Change how it is drawn."""
        current, index = self.current, self.index
        if current is None:
            return False
        try:
            wanted = replace(current.figure, **changes)
        except WorkbenchError as error:
            self.refused.emit(error)
            return False
        self.accepted.emit()
        if wanted == current.figure:
            return True
        return self._apply(words, merge=f"compare figure {index} {' '.join(changes)}", figure=wanted)

    def suited(self) -> Experiment:
        """An experiment to begin with: the mean of a column of numbers, else a histogram, of a public shape.

        Of as many people as the table is publicly known to have, where that was said. How many a survey is planned for
        says nothing of a table, and is offered beside the field.
        """
        project = self.document.project
        made, people = suited(self.desk.schema_of(Question())), project.anonymise.trim.expected_rows
        if self._asked_in_query is not None:
            column, statistic = self._asked_in_query
            made = replace(made, **changes_for_question(made, Question(statistic, column), made.places))
        typed = replace(self.typed_of(made.question.column), bins=made.question.encoding.bins)
        made = replace(made, question=replace(made.question, encoding=typed))
        try:
            return made if people is None else replace(made, users=people)
        except WorkbenchError:
            return made  # nobody, or more than can be tried

    @property
    def _asked_in_query(self) -> tuple[str, Statistic] | None:
        """The column and the statistic of the question in Query, if somebody typed bounds for it; else None."""
        project = self.document.project
        draft = project.queries.draft
        typed = typed_bounds(draft, project.schema) if self._data else None
        kinds = {one.value: one for one in (Statistic.MEAN, Statistic.SUM, Statistic.HISTOGRAM, Statistic.QUANTILE)}
        return None if typed is None or draft.kind not in kinds else (typed[0], kinds[draft.kind])

    @property
    def may_run(self) -> bool:
        """Whether what is looked at needs no look at the data, or one is recorded."""
        experiment = self.experiment
        return experiment is None or not self.document.has_data or self.desk.may_run(experiment)
