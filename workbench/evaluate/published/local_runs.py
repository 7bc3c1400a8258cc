"""Runs of the local protocols as published: their linear estimators, their clipping and their distances."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from workbench.core.distances import manhattan
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import count, estimate, rounded, with_places
from workbench.evaluate.method import Approach
from workbench.evaluate.published.agreement import OurValue
from workbench.evaluate.published.entry import FigureInput, FigureOutcome, FigureSide, Panels, Tell
from workbench.evaluate.published.originals import distance_sensitive, random_matrix, unequal_masses
from workbench.evaluate.published.originals.unequal_masses import unequal_kantorovich
from workbench.evaluate.published.panel import NEARLY, RUN_HERE, PanelCurve, PublishedPanel
from workbench.evaluate.published.winners import of_people, with_error
from workbench.evaluate.question import Floats, Question, Statistic
from workbench.evaluate.subject import subject_of
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import EncodingChoice, EncodingKind, Outside
from workbench.ldp.protocol import FrequencyRandomiser
from workbench.ldp.simulated_reports import seed_of

BINS = 50
Counts = NDArray[np.int64]
Draw = Callable[[Counts, float, np.random.Generator], Floats]
"""Estimated counts of one collection, from true counts and ε."""
Measure = Callable[[Floats, Floats], float]


def ages(given: FigureInput) -> Question:
    """The histogram that is estimated: 50 values, those of the sample or equal bins between declared bounds."""
    bins, bounds = int(given.values.get("bins", BINS)), given.bounds((17.5, 67.5))
    encoding = EncodingChoice(how=EncodingKind.BINS, bins=bins, bounds=bounds, outside=Outside.CLIP)
    return Question(Statistic.HISTOGRAM, given.column, encoding)


@lru_cache(maxsize=64)
def _randomiser(protocol: str, values: int, epsilon: float) -> FrequencyRandomiser:
    return ProtocolChoice.parse(protocol).frequency(values, epsilon)


def linear(protocol: str, *, cut: bool) -> Draw:
    """A protocol with its unbiased estimate, set to 0 below 0 if it is `cut`, and to a whole number."""

    def draw(counts: Counts, epsilon: float, generator: np.random.Generator) -> Floats:
        randomiser = _randomiser(protocol, len(counts), epsilon)
        support = randomiser.simulate(counts, generator)
        assert support is not None
        found = randomiser.estimate(support)
        return np.trunc(np.maximum(found, 0.0) if cut else found)

    return draw


def original_distance_sensitive(counts: Counts, epsilon: float, generator: np.random.Generator) -> Floats:
    return distance_sensitive.estimates(len(counts), epsilon, counts, generator)


def original_random_matrix(counts: Counts, epsilon: float, generator: np.random.Generator) -> Floats:
    """With a matrix of its own: each published point has one, so its errors are one draw and not the mean of ten."""
    return random_matrix.estimates(random_matrix.drawn_matrix(len(counts), generator), counts, generator)


DIRECT, HISTOGRAM, UNARY = "Direct encoding", "Histogram encoding (θ = 0.67)", "Unary encoding (OUE)"
MATRIX, SENSITIVE = "Random matrix (ε = 1)", "Distance-sensitive encoding"
OTHERS: tuple[tuple[str, Draw], ...] = (
    (DIRECT, linear("grr", cut=True)),
    (HISTOGRAM, linear("the=0.67", cut=True)),
    (UNARY, linear("oue", cut=False)),
)
WITH_MATRIX = (*OTHERS, (MATRIX, original_random_matrix))
WITH_SENSITIVE = (*OTHERS, (SENSITIVE, original_distance_sensitive))


_TWO = math.log(6)
"""From this ε on the reach θ is 2."""


def one_reach(outcome: FigureOutcome) -> str:
    """Which ε have the same reach, and that of the mended curve only chance differs between them."""
    words = (
        "Below ε = ln 2, θ is 0 and the protocol does not exist (p. 56). By equation 4.4, θ is 2 from "
        f"ε = ln 6 = {with_places(_TWO, 2)} on, where the curve falls; the text says “above 2” from 1.5 on (p. 58)."
    )
    curves = [one for panel in outcome.mended.panels[:1] for one in panel.curves if one.name == "Distance-sensitive"]
    alike = [(at, found) for one in curves for at in one.places if at < _TWO and (found := one.at(at)) is not None]
    if len(alike) < 2 or curves[0].repetitions < 2:
        return words
    places, errors = (
        f"{', '.join(several[:-1])} and {several[-1]}"
        for several in ([estimate(at, 3) for at, _ in alike], [with_error(one) for _, one in alike])
    )
    guess = next((one for one in outcome.mended.panels[0].curves if one.name == "Uniform guess"), None)
    guessed = guess.at(curves[0].places[0]) if guess is not None else None
    more = ""
    if guessed is not None:
        more = f"; a guess that all answers are equally frequent errs by {with_error(guessed)}"
    return (
        f"{words} Between ln 2 and ln 6 θ is 1, and reports follow the same law: the errors of {errors} years of the "
        f"mended curve at ε = {places} differ by chance alone, each being the mean of "
        f"{count(curves[0].repetitions)} runs{more}."
    )


_LEAST, _MOST = "Least part of the total, %", "Largest part of the total, %"


def totals(parts: Sequence[float]) -> dict[str, OurValue]:
    """The least and the largest part of a Kantorovich error that only says how wrong the total is."""
    return {_LEAST: OurValue(100 * min(parts)), _MOST: OurValue(100 * max(parts))} if parts else {}


def totals_line(outcome: FigureOutcome) -> str:
    """Sentence on what is wrong with the distance, and how much of the errors here that makes."""
    least, most = (outcome.published.numbers.get(one) for one in (_LEAST, _MOST))
    if least is None or most is None:
        return unequal_masses.FLAW.audit
    return (
        f"{unequal_masses.FLAW.audit} At the points that are run here, wrong totals make up {math.floor(least.mean)} % "
        f"to {math.ceil(most.mean)} % of the error."
    )


_MORE_PEOPLE = 10_000
"""So many the author's code takes where ε runs."""
_AMONG = "Direct encoding, ε = 0.8, {} people"


def _rounded(errors: float) -> str:
    """In two digits; the mean of a few whole numbers is whole itself now and then, and would be written out."""
    return count(rounded(errors, 2))


def of_more_people(outcome: FigureOutcome) -> str:
    """Why figure 4.9 is run with fewer people than are named anywhere."""
    (few, less), (many, more) = (
        (count(people), outcome.published.numbers.get(_AMONG.format(people))) for people in (_FEW, _MORE_PEOPLE)
    )
    errs = ""
    if less is not None and more is not None:
        errs = (
            f"; here it errs by about {_rounded(more.mean)} among {many}, and by {_rounded(less.mean)} among the "
            f"{few} that are taken here (a size of as many stands in the author's code, unused). That value is fitted "
            "by the choice; the others are not"
        )
    return (
        f"How many people there were is unclear: about 20,000 as before (p. 47 and 58), or {many} (author's code), a "
        "part of the 200,000 reports of figure 4.2, each counted as a person. Neither fits: in the picture direct "
        f"encoding errs by 217,000 at ε = 0.8{errs}."
    )


_FEW = 2_000


def l1(estimated: Floats, truth: Floats) -> float:
    """Σ |x − y| of counts."""
    return float(manhattan(estimated, truth))


@dataclass(frozen=True)
class LocalRun:
    """A published sweep of local protocols.

    Parameters
    ----------
    methods
        Names and how one collection is drawn.
    measure, up
        The distance of counts, and what it is called.
    epsilons, people
        Equally long: what each place is.
    by_people
        Whether the axis is people, whose errors are printed in per cent of them; else ε.
    fewer
        Whether there are fewer people than were published.
    """

    methods: Sequence[tuple[str, Draw]]
    measure: Measure
    up: str
    epsilons: tuple[float, ...]
    people: tuple[int, ...]
    by_people: bool
    fewer: bool = False

    @property
    def places(self) -> tuple[float, ...]:
        return tuple(map(float, self.people)) if self.by_people else self.epsilons

    def place_text(self, curve: str, place: float) -> str:
        """Place in words; points of the random matrix stand at an ε that they have not."""
        if self.by_people:
            return f"{count(place)} people"
        return f"{'drawn at ' if curve == MATRIX else ''}ε = {estimate(place, 5)}"

    def make(self, given: FigureInput, tell: Tell) -> FigureSide:
        """Run it, telling the curves as they come."""
        subject = subject_of(given.material, ages(given))
        everyone = subject.everyone.counts
        if self.by_people and (fewest := int(everyone.sum())) < min(self.people):  # of one's own column
            return replace(self, epsilons=self.epsilons[:1], people=(fewest,)).make(given, tell)
        epsilons, asked = self.epsilons, self.people
        if self.by_people:
            epsilons = (given.values.get("epsilon", epsilons[0]),) * len(epsilons)
        else:
            asked = (given.values.get("users", asked[0]),) * len(asked)
        found: dict[str, dict[int, Floats]] = {name: {} for name, _ in self.methods}
        title = f"{NEARLY}{of_people(min(asked[0], int(everyone.sum())))}" if self.fewer else RUN_HERE
        panel = PublishedPanel(title)
        parts: list[float] = []
        for done, place in enumerate(_spread(len(self.places))):
            epsilon, people = epsilons[place], min(asked[place], int(everyone.sum()))
            if self.by_people and asked[place] > people:
                continue  # one's own column may have fewer
            generator = np.random.Generator(np.random.PCG64(seed_of(given.seed, "people", people)))
            counts = generator.multivariate_hypergeometric(everyone, people) if people < everyone.sum() else everyone
            scale = 100.0 / people if self.by_people else 1.0
            for name, draw in self.methods:
                given.progress(done / len(self.places), name)
                generator = np.random.Generator(np.random.PCG64(seed_of(given.seed, name, epsilon, people)))
                truth = counts.astype(np.float64)
                try:
                    drawn = [draw(counts, epsilon, generator) for _ in range(given.repetitions)]
                except WorkbenchError:
                    continue  # it does not exist there, and neither does its curve
                errors = np.asarray([self.measure(one, truth) for one in drawn])
                found[name][place] = scale * errors
                if self.measure is KANTOROVICH and errors.any():
                    parts.append(sum(unequal_masses.of_total(one, truth) for one in drawn) / float(errors.sum()))
            panel = self._panel(title, found, given.repetitions)
            tell((panel,))
        return FigureSide((panel,), totals(parts) | self._beside(given) | self._limits(given, everyone))

    def _beside(self, given: FigureInput) -> dict[str, OurValue]:
        """Where fewer people are run than are named: what direct encoding errs by among both, at the first ε."""
        found = {}
        for people in (_FEW, _MORE_PEOPLE) if self.fewer and not given.own else ():
            once = replace(self, methods=OTHERS[:1], epsilons=self.epsilons[:1], people=(people,), fewer=False)
            (curve,) = once.make(given, lambda panels: None).panels[0].curves
            found[_AMONG.format(people)] = OurValue(curve.means[0], curve.deviations[0], curve.repetitions)
        return found

    def _limits(self, given: FigureInput, everyone: Counts) -> dict[str, OurValue]:
        """Limits of the published aggregation of distance-sensitive encoding with ever more people."""
        if self.methods is not WITH_SENSITIVE or given.own:
            return {}
        epsilon, shares = self.epsilons[-1], everyone / everyone.sum()
        estimates = distance_sensitive.limit_of_estimates(epsilon, shares)
        found = {
            distance_sensitive.LIMIT_OF_TOTAL: 100 * float(estimates.sum()),
            distance_sensitive.LIMIT: 100 * self.measure(estimates, shares),
        }
        if self.measure is l1:
            _, found[distance_sensitive.BEST_LIMIT] = distance_sensitive.limits(epsilon, shares)
        else:
            found[distance_sensitive.BY_TOTAL] = 100 * unequal_masses.of_total(estimates, shares)
        return {name: OurValue(one) for name, one in found.items()}

    def _panel(self, title: str, found: dict[str, dict[int, Floats]], repetitions: int) -> PublishedPanel:
        curves = []
        for name, errors in found.items():
            order = sorted(errors)
            curves.append(
                PanelCurve(
                    name,
                    Approach.LOCAL,
                    tuple(self.places[place] for place in order),
                    tuple(float(errors[place].mean()) for place in order),
                    tuple(deviation(errors[place]) for place in order),
                    repetitions,
                )
            )
        return PublishedPanel(title, "People" if self.by_people else "ε", self.up, tuple(curves), flat=True)


def deviation(errors: Floats) -> float:
    """The standard deviation of one repetition, 0 of a single one."""
    return float(errors.std(ddof=1)) if len(errors) > 1 else 0.0


def _spread(number: int) -> Iterator[int]:
    """Places so that a curve is seen as a whole early: its ends, its middle, and so on."""
    step = 1 << max(number - 1, 1).bit_length()
    order = [0, number - 1]
    while step >= 1:
        order += range(0, number, step)
        step //= 2
    yield from dict.fromkeys(order)


KANTOROVICH: Measure = unequal_kantorovich
LN12, LN20 = math.log(12), math.log(20)


_OTHERS = "other protocols"


def in_parts(panels: Panels, published: Sequence[str]) -> Panels:
    """The published protocols, the others, and the published ones beside a curator, who errs so much less.

    Each is also beside a uniform guess. All in one chart could not be told apart.
    """

    def part(panel: PublishedPanel, title: str, wanted: Callable[[PanelCurve], bool]) -> PublishedPanel:
        curves = tuple(one for one in panel.curves if one.approach is Approach.BASELINE or wanted(one))
        return replace(panel, title=title, curves=curves, logarithmic=True, made=None)

    return tuple(
        one
        for panel in panels
        for one in (
            part(panel, panel.title, lambda curve: curve.name in published),
            part(
                panel,
                f"{panel.title}, {_OTHERS}",
                lambda curve: curve.approach is Approach.LOCAL and curve.name not in published,
            ),
            replace(
                part(
                    panel,
                    f"{panel.title}, beside global DP",
                    lambda curve: curve.approach is Approach.GLOBAL or curve.name in published,
                ),
                made=panel.made,
            ),
        )
    )
