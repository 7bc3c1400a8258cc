"""An experiment: a declared grid of methods, places on an axis and repetitions."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar

from workbench.core.errors import WorkbenchError
from workbench.core.json_values import named
from workbench.core.number_text import exact
from workbench.core.settings import Stored, check_settings, setting
from workbench.core.settings_json import from_json, to_json
from workbench.core.typed_fields import typed_fields
from workbench.core.worded import Worded
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.question import METRICS, SHARE, Distance, Metric, Question, Statistic, metrics_for

MOST_CURVES = 24
MOST_PLACES = 200
MOST_REPETITIONS = 100_000
_LARGEST_USERS = 10_000_000


class Axis(Worded):
    """The quantity that changes along the chart."""

    EPSILON = "epsilon", "ε"
    USERS = "users", "Users"
    BINS = "bins", "Bins"


class Truth(Worded):
    """The answer that counts as the true one."""

    USERS = "users", "about those asked"
    """That of the rows taking part."""
    ALL = "all", "about all rows"
    """That of all rows, so that the error of having asked only some is seen."""
    POPULATION = "population", "about all people sampled from"
    """That of everybody from whom those taking part are drawn, far more than these, so that sampling error is in it."""


class Basis(Worded):
    """The values that the methods are tried on."""

    EITHER = "either", "Worst usual shape"
    SMOOTH = "smooth", "A smooth shape"
    SPIKY = "spiky", "A spiky shape"
    TAIL = "tail", "A long tail"
    DOMINANT = "dominant", "A dominant value"
    UNIFORM = "uniform", "Equal shares"
    ROWS = "rows", "The true values"

    @property
    def public(self) -> bool:
        """Whether nothing of it comes from the data."""
        return self is not Basis.ROWS

    @property
    def shape(self) -> str:
        """Assumed shape, within a sentence."""
        return f"{self.words[0].lower()}{self.words[1:]}"

    def named(self, *, numbers: bool = False, values: int = 0) -> str:
        """The same by what it is of numbers, which have no shares, and where there are just two values."""
        if numbers:
            return _OF_NUMBERS.get(self, self.shape)
        return _OF_TWO.get(self, self.shape) if values == 2 else self.shape

    @property
    def adjective(self) -> str:
        """Kind of the shares it gives, where several are named; "" of what is no single shape."""
        return _ADJECTIVES.get(self, "")


_ADJECTIVES = {Basis.SMOOTH: "smooth", Basis.SPIKY: "spiky", Basis.TAIL: "long-tailed", Basis.UNIFORM: "equal"}
_OF_NUMBERS = {Basis.UNIFORM: "evenly spread values"}
_OF_TWO = {Basis.SMOOTH: "a rare value (1 or 2 in 100)", Basis.SPIKY: "shares of about 30 and 70 %"}


@dataclass(frozen=True)
class ExperimentPoint:
    """One place: ε, users and, along that axis, bins (0 where the question says them)."""

    epsilon: float
    users: int
    bins: int = 0


def _read_metric(plain: Any) -> Metric:
    if not isinstance(plain, str):
        raise WorkbenchError(
            "The metric of the experiment is no text.",
            hint=f"Write its name, such as “percent”; known are {', '.join(Distance)}, all but percent also with "
            "“-normalised” at the end for shares.",
            field="metric",
        )
    return Metric.parse(plain)


@dataclass(frozen=True)
@typed_fields
class Experiment:
    """The settings of an experiment. Nothing in it is random but through the seed."""

    REFUSES_UNKNOWN: ClassVar[bool] = True

    question: Question = setting(factory=Question, title="Question", about="What is asked.")
    metric: Metric = setting(
        factory=Metric,
        title="Error measure",
        label="Measure",
        about="How errors are measured; all other metrics are found at the same time.",
        choices=[(one, one.short) for one in METRICS],
        group="metric",
        undo="Change the error measure",
        stored=Stored(write=str, read=_read_metric, written=str),
    )
    methods: tuple[MethodChoice, ...] = setting(
        (MethodChoice("global-grid"), MethodChoice("anonymised")), title="Methods", about="One curve each."
    )
    axis: Axis = setting(
        Axis.EPSILON,
        title="What changes along the chart",
        label="Against",
        about="What changes along the chart.",
        group="range",
        explain="range",
    )
    places: tuple[float, ...] = setting(
        (0.1, 0.2, 0.5, 1.0, 2.0, 5.0), title="Places", about="Where on the axis the methods are tried, rising."
    )
    epsilon: float = setting(
        1.0,
        title="ε",
        about="ε where it does not change along the axis.",
        amount=True,
        minimum=0.0,
        open_minimum=True,
        group="range",
        undo="Change ε",
        refusal=("ε must be above 0.", "Such as 0.1, 0.5, 1."),
        stored=Stored(noun="ε"),
    )
    basis: Basis = setting(
        Basis.ROWS,
        title="Tried on",
        about="What the methods are tried and tuned on: a public shape with a typed number of people, or the true "
        "values, which is a look at them.",
        group="basis",
        undo="Change what is tried on",
    )
    most_below: float | None = setting(
        None,
        title="Most values below",
        label="Most below",
        about="The number below which 9 in 10 values lie, if everybody may know it: for means, sums and "
        "quantiles the methods are then tried on a long tail of which that holds, in place of the usual shapes, or of "
        "the usual long tail.",
        placeholder="9 in 10, if public",
        group="most",
        undo="Change below what most values are",
        stored=Stored(noun="the number below which most values lie"),
    )
    users: int | None = setting(
        None,
        title="People",
        about="How many take part where that does not change: all rows that take part if it is left open; more than "
        "there are, are drawn again and again from those. On a public shape a number that is a guess or public anyway.",
        placeholder="all rows",
        group="basis",
        undo="Change the number of users",
        explain="people",
        minimum=1,
        maximum=_LARGEST_USERS,
        refusal=("There must be at least one user.", f"Give 1 to {_LARGEST_USERS:,}."),
        stored=Stored(noun="the number of users"),
    )
    repetitions: int = setting(
        100,
        title="Repetitions",
        label="Repeat",
        about="How often each method is tried at each place.",
        group="range",
        undo="Change the repetitions",
        minimum=1,
        maximum=MOST_REPETITIONS,
        refusal=("There must be at least one repetition.", f"Give 1 to {MOST_REPETITIONS:,}."),
        stored=Stored(noun="the number of repetitions"),
    )
    seed: int = setting(
        1,
        title="Seed",
        about="What everything random follows from.",
        minimum=0,
        offered=(0, 2**31 - 1),
        group="range",
        undo="Change the seed",
        refusal=("The seed must not be negative.", "Give a whole number from 0."),
        stored=Stored(noun="the seed"),
    )
    truth: Truth = setting(
        Truth.USERS,
        title="Errors are",
        label="Errors",
        about="Which answer counts as the true one: that of those asked, of all rows, or of all people of whom those "
        "asked are a sample, with sampling error.",
        group="basis",
        undo="Change whom errors are about",
    )
    public_total: bool = setting(
        False,
        title="How many take part is public",
        about="Whether everybody may know how many people take part. Where a histogram is asked for, every way may use "
        "it then: after the noise, its counts are replaced by the nearest ones that add up to that number, none below "
        "0; a curator’s are only made non-negative, as shares of that number, where tries say that this errs less. "
        "Otherwise, and for other statistics, nothing is fitted to it.",
        group="basis",
        undo="Change what is public",
    )
    title: str = setting("", title="Title", about="A name for the experiment.", stored=Stored(read=str))

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
            _check(
                self.question.statistic is not Statistic.COUNT, "A count has no bins.", "Choose another axis.", "axis"
            )
        check_settings(self)
        _check(
            0 < len(self.methods) <= MOST_CURVES,
            "No method is chosen." if not self.methods else f"More than {MOST_CURVES} curves cannot be told apart.",
            "Choose some methods.",
            "methods",
        )
        for one in self.methods:
            MethodChoice.parse(one.identifier)  # what nobody knows could not be opened again
        _check(
            self.metric in metrics_for(self.question.statistic),
            f"The {self.metric.title} means nothing for a {self.question.statistic.value}.",
            f"Use {', '.join(map(str, metrics_for(self.question.statistic)))}.",
            "metric",
        )
        _check(
            not self.basis.public or self.axis is Axis.USERS or self.users is not None,
            "It is not said how many people take part.",
            "Type a number that is a guess or public anyway; nothing is read from the table.",
            "users",
        )
        _check(
            self.axis is not Axis.EPSILON or all(one.epsilon is None for one in self.methods),
            "A method cannot have an ε of its own where ε changes along the axis.",
            "Leave it out, or choose another axis.",
            "methods",
        )

    @property
    def narrowed(self) -> bool:
        """Whether it is said below what most values lie, and that shape is tried."""
        return self.most_below is not None and self.takes_most_below

    @property
    def takes_most_below(self) -> bool:
        """Whether what is tried depends on it: where a tail lies means something for numbers alone."""
        return self.question.statistic.of_numbers and self.basis in (Basis.EITHER, Basis.TAIL)

    @property
    def shapes(self) -> tuple[Basis, ...]:
        """The public shapes that are assumed, of which the worst error counts; () for true values."""
        if self.narrowed:  # all others contradict what everybody knows
            return (Basis.TAIL,)
        if self.basis is not Basis.EITHER:
            return (self.basis,) if self.basis.public else ()
        # Where a tail lies means something for numbers alone.
        tail = (Basis.TAIL,) if self.question.statistic.of_numbers else ()
        return (Basis.SMOOTH, Basis.SPIKY, *tail, Basis.UNIFORM)

    @property
    def shape_words(self) -> str:
        """Assumed shapes, within a sentence."""
        if len(self.shapes) > 1:
            return f"each way’s {self.worst_of}"
        shape = self.named(self.shapes[0])
        return f"{shape}, {self.most_words}" if self.narrowed else shape

    @property
    def worst_of(self) -> str:
        """The several shapes that are assumed, of which the worst counts."""
        *some, last = self.shapes
        adjectives = ", ".join(one.adjective for one in some)
        if self.question.statistic.of_numbers:
            return f"worst of {adjectives} and evenly spread"
        return f"worst of {adjectives} and {last.adjective} shares"

    def named(self, shape: Basis) -> str:
        """A shape, within a sentence about this question."""
        return shape.named(numbers=self.question.statistic.of_numbers)

    @property
    def most_words(self) -> str:
        """Below what most values are taken to lie, within a sentence; "" where that was not said or changes nothing.

        Between tries the shape is stretched, and it is the same part of them in each (`NarrowTail`).
        """
        if not self.narrowed or self.most_below is None:
            return ""
        return f"9 in 10 values below {exact(self.most_below)}"

    @property
    def name(self) -> str:
        """Name of the experiment: its own title, or what it does."""
        if self.title:
            return self.title
        if not self.question.column:
            return "New experiment"
        asked = self.asked if self.of_share or self.of_shares else str(self.question)
        return f"{asked[:1].upper()}{asked[1:]} against {self.axis.words.lower()}"

    @property
    def of_share(self) -> bool:
        """Whether one value is counted, and errors are those of the share of all rows that have it."""
        return self.question.statistic is Statistic.COUNT and self.metric == SHARE

    @property
    def of_shares(self) -> bool:
        """Whether all values are counted, and errors are those of their shares."""
        shares = self.metric.normalised or self.metric.distance is Distance.TOTAL_VARIATION
        return self.question.statistic is Statistic.HISTOGRAM and shares

    @property
    def asked(self) -> str:
        """What answers are: what stands behind “the error of the …”."""
        if self.question.statistic is Statistic.COUNT:
            counted = "share" if self.of_share else "number"
            return f"{counted} of rows with “{self.question.encoding.answer}” in {self.question.column}"
        if self.of_shares:
            return f"shares of {self.question.column}"
        plain = str(self.question)
        return f"{plain[:1].lower()}{plain[1:]}"

    @property
    def error_heading(self) -> str:
        """The heading of errors as they are shown."""
        return "Error of the share" if self.of_share else self.metric.shown_heading

    @property
    def number_known(self) -> bool:
        """Whether every way uses that it is known how many take part, so that who they are is not hidden by it."""
        return self.public_total and self.question.statistic is Statistic.HISTOGRAM

    @property
    def looked_at(self) -> float:
        """The place that tiles are about before anybody moves them: ε as it is set, else the one in the middle."""
        near = min(self.places, key=lambda place: abs(math.log(place / self.epsilon)))
        within = self.axis is Axis.EPSILON and self.places[0] <= self.epsilon <= self.places[-1]
        return near if within else self.places[len(self.places) // 2]

    def first_places(self, place: float | None = None) -> tuple[float, ...]:
        """The places that tiles at this one are known from, which are run first; without one, `looked_at`."""
        if place is None or not self.places[0] <= place <= self.places[-1]:
            return (self.looked_at,)
        here = [one for one in self.places if math.isclose(one, place, rel_tol=1e-9)]
        return tuple(here) or next(pair for pair in pairwise(self.places) if pair[0] < place < pair[1])

    def setting(self, choice: MethodChoice, place: float, rows: int) -> ExperimentPoint:
        """Setting of a method at a place, of `rows` rows."""
        epsilon = self.epsilon if choice.epsilon is None else choice.epsilon
        users = rows if self.users is None else self.users
        if self.axis is Axis.EPSILON:
            # Only what stands at a place with a smaller ε has one of its own.
            return ExperimentPoint(place if choice.epsilon is None else choice.epsilon, users)
        if self.axis is Axis.USERS:
            return ExperimentPoint(epsilon, int(place))
        return ExperimentPoint(epsilon, users, int(place))

    def question_at(self, place: float) -> Question:
        """The question at a place."""
        return self.question.with_bins(int(place)) if self.axis is Axis.BINS else self.question

    def at(self, place: float) -> Experiment:
        """The same at one place only."""
        return replace(self, places=(place,))

    def to_json(self) -> dict[str, Any]:
        """As JSON; without a key that came later where nothing was typed, so that all hangs on what it did before."""
        found = to_json(self)
        if self.most_below is None:
            del found["most_below"]
        return found

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Experiment:
        """The experiment of `to_json`; what is missing takes its default.

        Raises
        ------
        WorkbenchError
            If something in it has the wrong type, an unknown name or an impossible value.
        """
        try:
            if named(plain, "it").get("metric") is None:
                question = Question.from_json(plain.get("question", {}))
                plain = {**plain, "metric": str(metrics_for(question.statistic)[0])}
            return from_json(cls, plain, "it")
        except (TypeError, ValueError) as error:
            raise WorkbenchError(
                f"This is no experiment: {error}.",
                hint="It is an object with question, metric, methods, axis, places, epsilon, users, repetitions, seed, "
                "truth, basis, most_below and public_total.",
                field="experiment",
            ) from error


def digest(*what: Any) -> str:
    """SHA-256 of JSON-able values: what random numbers and kept results hang on."""
    text = json.dumps(what, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _check(fine: bool, message: str, hint: str, field: str) -> None:
    if not fine:
        raise WorkbenchError(message, hint=hint, field=field)
