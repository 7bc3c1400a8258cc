"""The experiment that is looked at, and edits of it as undoable steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal

from workbench.core.errors import WorkbenchError
from workbench.core.schema import Role, Schema
from workbench.evaluate.experiment import Axis, Experiment
from workbench.evaluate.figure_settings import FigureSettings
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.question import Figure, Question, metrics_for
from workbench.gui.document import Document
from workbench.project.comparing import ExperimentDocument
from workbench.session.comparison import ComparisonDesk

USUAL_PLACES = {
    Axis.EPSILON: (0.1, 0.2, 0.5, 1.0, 2.0, 5.0),
    Axis.USERS: (10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0),
    Axis.BINS: (5.0, 10.0, 20.0, 50.0, 100.0),
}


class Draft(QObject):
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

    @property
    def desk(self) -> ComparisonDesk:
        return self.document.session.comparison

    @property
    def index(self) -> int:
        """Which one it is, -1 if there is none."""
        return self.document.project.comparing.current

    @property
    def current(self) -> ExperimentDocument | None:
        settings = self.document.project.comparing
        return settings.documents[settings.current] if settings.documents else None

    @property
    def experiment(self) -> Experiment | None:
        return self.current.experiment if self.current is not None else None

    def question_key(self) -> str:
        """Everything the answers to the question depend on but methods, ε and rows; "" without data."""
        experiment = self.experiment
        if experiment is None:
            return ""
        plain = Experiment(question=experiment.question, metric=metrics_for(experiment.question.figure)[0])
        return self.desk.key(plain)

    # Documents

    def add(self, experiment: Experiment | None = None, figure: FigureSettings | None = None) -> None:
        """A new experiment, by default one that suits the data."""
        wanted = experiment or self.suited()
        self.document.apply("New experiment", lambda session: session.comparison.add(wanted, figure))

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
        if current is not None:
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
        index = self.index
        words = "Keep the results" if wanted else "Do not keep the results"
        self.document.apply(words, lambda session: session.comparison.change(index, keep=wanted))

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
        return self.document.apply(
            words,
            lambda session: session.comparison.change(index, experiment=wanted),
            merge=f"compare {index} {merge}" if merge else "",
        )

    def change_question(self, words: str, edit: Callable[[Question], Question], *, merge: str = "") -> bool:
        """Change the question, and the metric and the axis where they do not go with it."""
        experiment = self.experiment
        if experiment is None:
            return False
        try:
            question = edit(experiment.question)
        except WorkbenchError as error:
            self.refused.emit(error)
            return False
        changes: dict[str, Any] = {"question": question}
        metrics = metrics_for(question.figure)
        bars = Figure.HISTOGRAM in (question.figure, experiment.question.figure)
        if experiment.metric not in metrics or (bars and question.figure is not experiment.question.figure):
            changes["metric"] = metrics[0]
        if experiment.axis is Axis.BINS and question.figure is Figure.COUNT:
            changes |= {"axis": Axis.EPSILON, "places": USUAL_PLACES[Axis.EPSILON], "methods": _shared(experiment)}
        return self.change(words, merge=merge, **changes)

    def change_axis(self, axis: Axis, places: tuple[float, ...]) -> bool:
        """Let something else change along the chart."""
        experiment = self.experiment
        if experiment is None:
            return False
        methods = _shared(experiment) if axis is Axis.EPSILON else experiment.methods
        return self.change("Change the axis", axis=axis, places=places, methods=methods)

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
        return self.document.apply(
            words,
            lambda session: session.comparison.change(index, figure=wanted),
            merge=f"compare figure {index} {' '.join(changes)}",
        )

    def suited(self) -> Experiment:
        """An experiment to begin with: the mean of a column of numbers, else a histogram."""
        schema = self.document.project.schema
        column = _first_column(schema)
        numeric = bool(column) and schema[column].kind.numeric
        figure = Figure.MEAN if numeric or not column else Figure.HISTOGRAM
        methods = [MethodChoice("global-grid"), MethodChoice("local"), MethodChoice("uniform")]
        if column in self.document.project.hierarchies:
            methods.insert(1, MethodChoice("anonymised"))
        return Experiment(
            question=Question(figure, column),
            metric=metrics_for(figure)[0],
            methods=tuple(methods),
            places=USUAL_PLACES[Axis.EPSILON],
        )


def _first_column(schema: Schema) -> str:
    """The column one would ask about: sensitive rather than not, of numbers, with public bounds."""
    useful = [spec for spec in schema.columns if spec.role is not Role.IDENTIFYING]

    def fitness(spec: Any) -> tuple[bool, bool, bool]:
        public = spec.declared()
        return (
            spec.kind.numeric,
            public.bounds is not None or public.domain is not None,
            spec.role is Role.SENSITIVE,
        )

    return max(useful, key=fitness).name if useful else ""


def _shared(experiment: Experiment) -> tuple[MethodChoice, ...]:
    """The methods without an ε of their own, each once."""
    found: list[MethodChoice] = []
    for one in experiment.methods:
        plain = replace(one, epsilon=None)
        if plain not in found:
            found.append(plain)
    return tuple(found)
