"""Results of a collection: the question, predictions, simulations, and reports written and read."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.reasons import Reason
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import Encoded
from workbench.ldp.estimation import Estimate, coverage_words
from workbench.ldp.heavy_hitters import Hitter
from workbench.ldp.persons import PersonBudget
from workbench.ldp.prediction import CollectionPlan, Prediction, ReferenceErrors, Shape
from workbench.ldp.report_file import Announcement, Received
from workbench.ldp.scaling import Numbers
from workbench.ldp.share_margin import share_margin, with_open
from workbench.ldp.simulation import Baselines, FrequencyResult, MeanResult
from workbench.session.collection.mean_baselines import MeanBaselines
from workbench.session.collection.smoothing import kept_promise

OF_ALL, OF_ASKED = "all, with sampling error", "those asked"
"""Whose shares errors are of, as the axis of a chart has it."""


@dataclass(frozen=True, eq=False)
class CollectedQuestion:
    """The question and the people it is put to. For the analyst only, but for the domain and the bounds.

    Parameters
    ----------
    encoded
        The answers as codes; None if only means are asked for.
    numbers
        The answers scaled to [−1, 1]; None if no mean is asked for.
    beyond
        Why persons may report more often than is accounted for; empty if none does.
    reports_per_person
        How often one person reports at most: declared, never counted in the data.
    cautions
        What limits the promise, in words.
    """

    encoded: Encoded | None
    numbers: Numbers | None
    beyond: tuple[Reason, ...]
    reports_per_person: int
    cautions: tuple[str, ...]


@dataclass(frozen=True)
class Asked:
    """The people who are asked, as far as it is public: how many, how often, and what they give away.

    Parameters
    ----------
    people
        As many as there are persons in the column that tells them apart, else rows; assumed to be public, as the number
        of rows is.
    reports
        How many reports there are of all of them together.
    reports_per_person
        At most, as declared.
    epsilon
        Of everything one person reports.
    known
        Whether `people` are counted, and do not follow from a number of reports that was typed.
    rough
        Whether the counts are those of the table said roughly, because nobody looked at it yet.
    """

    people: int
    reports: int
    reports_per_person: int
    epsilon: Fraction
    known: bool = True
    rough: bool = False


@dataclass(frozen=True, eq=False)
class Planned:
    """The expectations before anybody is asked: from numbers alone.

    Parameters
    ----------
    predictions
        Smallest error first; those that cannot be used last, with their problem.
    sentence
        Which protocol to pick under which assumption, with numbers.
    cautions
        What came from the data, in words.
    best
        The protocol that is recommended, and those that cannot be told from it.
    guessed
        The assumed distributions under which a uniform guess is expected to do no worse than that.
    asked
        Who is asked; None where only a plan is known.
    drawn
        The expected L1 error of asking some people alone, before any answer is randomised, under the worst shape.
    drawn_cases
        The same under each assumed distribution: what stands beside an error is of the same one.
    margins
        Of each of the predictions the margin of each share, nan where it has none.
    tuned
        Protocols that leave something open, with that set for the least margin of each share, and that.
    ranked
        The error by which the predictions are ranked.
    instead
        What the person takes for a margin though another protocol is narrower whatever the shares are; None for that.
        The plan then has the largest share up to which it is no wider.
    """

    plan: CollectionPlan
    predictions: tuple[Prediction, ...]
    reference: ReferenceErrors
    sentence: str
    cautions: tuple[str, ...] = ()
    best: tuple[Prediction, ...] = ()
    guessed: tuple[Shape, ...] = ()
    asked: Asked | None = None
    drawn: float = 0.0
    margins: tuple[float, ...] = ()
    tuned: tuple[tuple[Prediction, float], ...] = ()
    ranked: str = "l1"
    instead: ProtocolChoice | None = None
    drawn_cases: Mapping[Shape, float] = field(default_factory=lambda: MappingProxyType({}))

    def drawn_on(self, shape: Shape) -> float:
        """The expected L1 error of asking some people alone, under one of the assumed distributions."""
        return self.drawn_cases.get(shape, self.drawn)

    @property
    def by_margin(self) -> tuple[tuple[Prediction, float], ...]:
        """Every protocol with its margin of each share, the least first, the simplest of equals; nan last."""
        every = (*zip(self.predictions, self.margins, strict=False), *self.tuned)

        def place(one: tuple[Prediction, float]) -> tuple[bool, float, bool]:
            known = math.isfinite(one[1])
            return not known, one[1] if known else 0.0, bool(one[0].simpler)

        return tuple(sorted(every, key=place))

    @property
    def narrowest(self) -> tuple[Prediction, float] | None:
        """The protocol of the narrowest margin of each share that keeps ε, and that; the simplest of equals.

        Or `instead`, where the person takes that, with its margin of each share up to the largest of the plan.
        """
        if self.instead is not None:
            mine = next((one for one, _ in self.by_margin if one.choice == self.instead), None)
            return None if mine is None else (mine, share_margin(self.plan, mine.choice))
        keeps = kept_promise(self.plan, [one for one, _ in self.by_margin])
        return next((one for one in self.by_margin if math.isfinite(one[1]) and one[0] in keeps), None)

    def curve_of(self, choice: ProtocolChoice) -> ProtocolChoice:
        """The protocol whose curve stands for this one: what was set for a margin alone is set anew at each place."""
        return with_open(choice) if any(choice is one.choice for one, _ in self.tuned) else choice

    def curves_of(self, choices: Sequence[ProtocolChoice]) -> tuple[ProtocolChoice, ...]:
        """Those of several, each once."""
        found = list[ProtocolChoice]()
        for one in map(self.curve_of, choices):
            if one not in found:
                found.append(one)
        return tuple(found)


@dataclass(frozen=True, eq=False)
class ForeseenErrors:
    """The expectations of the shares that are simulated, for what comes of that to be held against."""

    predictions: tuple[Prediction, ...]
    reference: ReferenceErrors


@dataclass(frozen=True, eq=False)
class Simulated:
    """Simulated collections beside the truth. For the analyst only, unless the truth is assumed.

    Parameters
    ----------
    asked
        Who was asked what.
    truth
        Simulated people per value, shape (domain size,); None if only means were asked for.
    users
        How many people.
    results, means, problems
        By protocol, in the order they were chosen; problems in words for those that could not be used.
    baselines
        Uniform guess and trusted curator; None if only means were asked for.
    true_mean
        In units of the column; None if no mean was asked for.
    seed
        With which it can be repeated.
    key
        What it was made from, see `CollectionDesk.key`.
    plan
        What was asked of how many people; None if only means were asked for.
    column
        The one that was asked for.
    assumed
        Which shares the people have who were simulated, in words, where nobody answered; "" where rows did.
    shape
        The distribution of these shares; None where rows answered.
    sampled
        Whether each collection asked others, drawn from all people, so that sampling error is in the errors.
    mean_baselines
        A trusted curator and the middle of the bounds; None if no mean was asked for.
    foreseen
        What is predicted of the very shares that were assumed; None where rows answered, or nobody asked for it.
    """

    asked: CollectedQuestion
    truth: NDArray[np.int64] | None
    users: int
    results: tuple[FrequencyResult, ...]
    means: tuple[MeanResult, ...]
    problems: tuple[tuple[ProtocolChoice, str], ...]
    baselines: Baselines | None
    true_mean: float | None
    seed: int
    key: str
    plan: CollectionPlan | None = None
    column: str = ""
    assumed: str = ""
    shape: Shape | None = None
    sampled: bool = False
    mean_baselines: MeanBaselines | None = None
    foreseen: ForeseenErrors | None = None

    @property
    def of_whom(self) -> str:
        """Whose shares the errors are of, as the axis of a chart has it."""
        return OF_ALL if self.sampled else OF_ASKED


@dataclass(frozen=True, eq=False)
class Collected:
    """Reports that were written. All of it is public.

    Parameters
    ----------
    epsilon
        ε of a report and of a person.
    claim
        Whether the ε is a promise, about what `Announcement.promise` says: not for a simulation, nor for a domain that
        was read from the data.
    reasons, cautions
        Why not, and what limits the promise.
    """

    path: Path
    announcement: Announcement
    epsilon: PersonBudget
    claim: bool
    reasons: tuple[str, ...]
    cautions: tuple[str, ...]


@dataclass(frozen=True)
class Participants:
    """The number of people who took part, by reports of everybody."""

    estimate: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Aggregated:
    """The estimates from reports. All of it is public, as the reports are.

    Parameters
    ----------
    estimate
        People per value with bands, see `coverage`; None for means.
    hitters
        The most frequent values, if they were asked for.
    mean, low, high
        Estimated mean with its band, in units of the column; None for counts.
    participants
        How many people took part, with its band, where those who did not reported as well; None elsewhere, as
        everybody who reports took part.
    sampled
        Whether the bands are about all people from whom those who reported are drawn; else about these people alone.
    question
        How people were asked, where the same person planned the survey here; "" where only reports are known.
    """

    received: Received
    estimate: Estimate | None = None
    hitters: tuple[Hitter, ...] = ()
    mean: float | None = None
    low: float | None = None
    high: float | None = None
    participants: Participants | None = None
    sampled: bool = False
    question: str = ""

    @property
    def of_people(self) -> float:
        """How many reported of whom shares are told; 0 where they are not, as who takes part is an estimate as well."""
        return 0.0 if self.estimate is None or self.participants is not None else float(self.received.support.reports)

    @property
    def coverage(self) -> str:
        """The coverage of the bands: 95 % or about that."""
        return coverage_words(self.received.announcement.randomiser)

    @property
    def band(self) -> str:
        """The bands by name: how sure they are, and whether sampling error is in them."""
        return f"{self.coverage} band {'with sampling error' if self.sampled else 'of these people'}"
