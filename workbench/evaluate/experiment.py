"""An experiment: a declared grid of methods, places on an axis and repetitions."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.plain import listed, named, number, numbers, text, whole
from workbench.core.typed_fields import typed_fields
from workbench.core.worded import Worded
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.question import Figure, Metric, Question, metrics_for

MOST_CURVES = 24
MOST_PLACES = 200
MOST_REPETITIONS = 100_000
_LARGEST_USERS = 10_000_000


class Axis(Worded):
    """What changes along the chart."""

    EPSILON = "epsilon", "ε"
    USERS = "users", "Users"
    BINS = "bins", "Bins"


class Truth(Worded):
    """Which answer counts as the true one."""

    USERS = "users", "of the rows taking part"
    """That of the rows taking part."""
    ALL = "all", "of all rows"
    """That of all rows, so that the error of having asked only some is seen."""


@dataclass(frozen=True)
class Setting:
    """One place: ε, users and, along that axis, bins (0 where the question says them)."""

    epsilon: float
    users: int
    bins: int = 0


@dataclass(frozen=True)
@typed_fields
class Experiment:
    """What is to be tried. Nothing in it is random but through the seed.

    Parameters
    ----------
    question, metric
        What is asked, and how errors are measured; all other metrics are found at the same time.
    methods
        One curve each.
    axis, places
        What changes, and its values, rising.
    epsilon, users
        Where they do not change. `users` of None are all rows that take part; more than there are, are drawn again
        and again from those.
    repetitions, seed
        How often each is tried.
    truth
        Which answer counts as the true one.
    title
        A name for it.
    """

    question: Question = field(default_factory=Question)
    metric: Metric = field(default_factory=Metric)
    methods: tuple[MethodChoice, ...] = (MethodChoice("global-grid"), MethodChoice("anonymised"))
    axis: Axis = Axis.EPSILON
    places: tuple[float, ...] = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
    epsilon: float = 1.0
    users: int | None = None
    repetitions: int = 100
    seed: int = 1
    truth: Truth = Truth.USERS
    title: str = ""

    def __post_init__(self) -> None:
        _check(bool(self.places), "There is no place on the axis.", "Give at least one.", "places")
        _check(
            len(self.places) <= MOST_PLACES, f"More than {MOST_PLACES} places are too many.", "Give fewer.", "places"
        )
        rising = all(one < two for one, two in zip(self.places, self.places[1:], strict=False))
        _check(rising, "The places on the axis must rise.", "Such as 0.1, 0.5, 1.", "places")
        _check(
            all(math.isfinite(place) and place > 0 for place in (*self.places, self.epsilon)),
            "ε and places on the axis must be above 0.",
            "Such as 0.1, 0.5, 1.",
            "places",
        )
        if self.axis is not Axis.EPSILON:
            _check(
                all(place == int(place) and place <= _LARGEST_USERS for place in self.places),
                "Users and bins are whole numbers.",
                f"Up to {_LARGEST_USERS:,}.",
                "places",
            )
        if self.axis is Axis.BINS:
            _check(self.places[0] >= 2, "A histogram has at least two bins.", "Begin with 2.", "places")
            _check(self.question.figure is not Figure.COUNT, "A count has no bins.", "Choose another axis.", "axis")
        _check(
            self.users is None or 1 <= self.users <= _LARGEST_USERS,
            "There must be at least one user.",
            f"Give 1 to {_LARGEST_USERS:,}.",
            "users",
        )
        _check(
            1 <= self.repetitions <= MOST_REPETITIONS,
            "There must be at least one repetition.",
            f"Give 1 to {MOST_REPETITIONS:,}.",
            "repetitions",
        )
        _check(self.seed >= 0, "The seed must not be negative.", "Give a whole number from 0.", "seed")
        _check(
            0 < len(self.methods) <= MOST_CURVES,
            "No method is chosen." if not self.methods else f"More than {MOST_CURVES} curves cannot be told apart.",
            "Choose some methods.",
            "methods",
        )
        for one in self.methods:
            MethodChoice.parse(one.identifier)  # what nobody knows could not be opened again
        _check(
            self.metric in metrics_for(self.question.figure),
            f"The {self.metric.title} means nothing for a {self.question.figure.value}.",
            f"Use {', '.join(map(str, metrics_for(self.question.figure)))}.",
            "metric",
        )
        _check(
            self.axis is not Axis.EPSILON or all(one.epsilon is None for one in self.methods),
            "A method cannot have an ε of its own where ε changes along the axis.",
            "Leave it out, or choose another axis.",
            "methods",
        )

    @property
    def name(self) -> str:
        """What it is called: its own title, or what it does."""
        if self.title:
            return self.title
        if not self.question.column:
            return "New experiment"
        return f"{self.question} against {self.axis.words.lower()}"

    def setting(self, choice: MethodChoice, place: float, rows: int) -> Setting:
        """What holds at a place for a method, of so many rows."""
        epsilon = self.epsilon if choice.epsilon is None else choice.epsilon
        users = rows if self.users is None else self.users
        if self.axis is Axis.EPSILON:
            return Setting(place, users)
        if self.axis is Axis.USERS:
            return Setting(epsilon, int(place))
        return Setting(epsilon, users, int(place))

    def question_at(self, place: float) -> Question:
        """The question at a place."""
        return self.question.with_bins(int(place)) if self.axis is Axis.BINS else self.question

    def at(self, place: float) -> Experiment:
        """The same at one place only."""
        return replace(self, places=(place,))

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "title": self.title,
            "question": self.question.to_json(),
            "metric": str(self.metric),
            "methods": [one.to_json() for one in self.methods],
            "axis": self.axis.value,
            "places": list(self.places),
            "epsilon": self.epsilon,
            "users": self.users,
            "repetitions": self.repetitions,
            "seed": self.seed,
            "truth": self.truth.value,
        }

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Experiment:
        """The experiment of `to_json`; what is missing takes its default.

        Raises
        ------
        WorkbenchError
            If something in it has the wrong type, an unknown name or an impossible value.
        """
        usual = cls()
        try:
            unexpected = set(named(plain, "it")) - set(usual.to_json())
            if unexpected:
                raise ValueError(f"an unexpected “{sorted(unexpected)[0]}”")
            question = Question.from_json(plain.get("question", {}))
            metric = plain.get("metric")
            users = plain.get("users")
            return cls(
                question=question,
                metric=metrics_for(question.figure)[0] if metric is None else Metric.parse(text(metric, "the metric")),
                methods=usual.methods
                if "methods" not in plain
                else tuple(map(MethodChoice.from_json, listed(plain["methods"], "“methods”"))),
                axis=Axis(plain.get("axis", usual.axis)),
                places=numbers(plain.get("places", usual.places), "“places”"),
                epsilon=number(plain.get("epsilon", usual.epsilon), "ε"),
                users=None if users is None else whole(users, "the number of users"),
                repetitions=whole(plain.get("repetitions", usual.repetitions), "the number of repetitions"),
                seed=whole(plain.get("seed", usual.seed), "the seed"),
                truth=Truth(plain.get("truth", usual.truth)),
                title=str(plain.get("title", "")),
            )
        except (TypeError, ValueError) as error:
            raise WorkbenchError(
                f"This is no experiment: {error}.",
                hint="It is an object with question, metric, methods, axis, places, epsilon, users, repetitions, seed "
                "and truth.",
                field="experiment",
            ) from error


def digest(*what: Any) -> str:
    """SHA-256 of JSON-able values: what random numbers and kept results hang on."""
    text = json.dumps(what, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _check(fine: bool, message: str, hint: str, field: str) -> None:
    if not fine:
        raise WorkbenchError(message, hint=hint, field=field)
