"""The curves that err least, in words: each with its standard error, and together those that cannot be told apart."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from workbench.core.number_text import count, with_places
from workbench.evaluate.method import Approach
from workbench.evaluate.published.agreement import OurValue
from workbench.evaluate.published.entry import FigureOutcome, FigureSide
from workbench.evaluate.published.frame import value_at
from workbench.evaluate.published.panel import PanelCurve, PublishedPanel

APART = 2.0
"""How many standard errors two means must differ by to be told apart."""
_JOINED = (
    "“or” joins to the least every other that exceeds it by no more than two standard errors of their difference. "
    "With ten runs or more this leaves out one or more of four equal ones about once in five times."
)
STANDARD_ERRORS = f"± is one standard error; {_JOINED}"
"""Note below lines that name winners, where each run has people of its own."""
ONE_ERROR = (
    "± is one standard error. Who is said to err more or less does so by more than two standard errors of the "
    "difference, as equal ones do by chance once in ten to twenty times where there are ten runs or more."
)
"""The same without winners. With fewer than ten runs the standard error itself is too uncertain for that."""
_IN_A_SENTENCE = {
    "Direct encoding": "direct encoding",
    "Unary (OUE)": "unary encoding (OUE)",
    "Distance-sensitive": "distance-sensitive encoding",
}
"""Names of curves in a sentence, where these are not their own."""


def called(curve: str) -> str:
    """A curve in a sentence."""
    return _IN_A_SENTENCE.get(curve, curve)


def standard_error(value: OurValue) -> float:
    """That of a mean of several runs."""
    return value.deviation / math.sqrt(value.repetitions)


def told_apart(larger: OurValue, smaller: OurValue) -> bool:
    """Whether one mean is larger than another by more than chance makes, which of single runs nobody knows."""
    error = math.hypot(standard_error(larger), standard_error(smaller))
    known = error > 0 or min(larger.repetitions, smaller.repetitions) > 1
    return known and larger.mean - smaller.mean > max(APART * error, _dust(larger.mean))


def _dust(mean: float) -> float:
    """What adding numbers in another order changes of a mean: no spread and no difference is as small."""
    return 1e-9 * max(abs(mean), 1e-3)


def with_error(value: OurValue) -> str:
    """Such as “0.531 ± 0.017”: a mean with its standard error in two digits; without a spread, in three or more."""
    error, size = standard_error(value), abs(value.mean)
    if error > _dust(size):
        places = 1 - math.floor(math.log10(error))
        if places < 0:
            return f"{count(round(value.mean, places))} ± {count(round(error, places))}"
        return f"{with_places(value.mean, places)} ± {with_places(error, places)}"
    return with_places(value.mean, max(2 - math.floor(math.log10(size)), 3) if size > _dust(0.0) else 3)


def of_people(many: float) -> str:
    """So many people: “one person”, “2,000 people”."""
    return "one person" if many == 1 else f"{count(many)} people"


def error_text(side: FigureSide, curve: str, place: float) -> str:
    """The same of a curve at a place."""
    found = value_at(side, curve, place)
    return "nothing" if found is None else with_error(found)


def ahead(panel: PublishedPanel, place: float, unit: str = "") -> tuple[str, str]:
    """The curve that errs least at a place, with any that cannot be told from it; and how much which errs.

    A guess, for which nobody is asked, is none of them.
    """
    asked = (curve for curve in panel.curves if curve.approach is not Approach.BASELINE)
    found = [(curve, value) for curve in asked if (value := curve.at(place)) is not None]
    least = min((value for _, value in found), key=lambda one: one.mean)
    near = [called(curve.name) for curve, value in found if value is least or not told_apart(value, least)]
    whose = next(called(curve.name) for curve, value in found if value is least)
    return " or ".join(near), f"{f'{whose}: ' if len(near) > 1 else ''}{with_error(least)}{unit}"


def times_text(one: PanelCurve, other: PanelCurve) -> str:
    """How many times the error of another curve one is, by the geometric mean over all places, with its error.

    The logarithm of a mean has about its relative standard error, and the places are drawn apart.
    """
    pairs = [(first, second) for place in one.places if (first := one.at(place)) and (second := other.at(place))]
    if not pairs:
        return "nothing"
    times = math.exp(sum(math.log(first.mean / second.mean) for first, second in pairs) / len(pairs))
    parts = (standard_error(value) / value.mean for pair in pairs for value in pair)
    return with_error(OurValue(times, times * math.hypot(*parts) / len(pairs)))


def over_all(outcome: FigureOutcome, one: str, older: Sequence[str], best: str) -> str:
    """How many times the errors of older curves one errs in the mended charts, and how many times its error the best.

    Over all numbers of people together, where few runs do not tell two curves apart at each.
    """
    curves = {curve.name: curve for panel in outcome.mended.panels[:2] for curve in panel.curves}
    if not {one, best, *older} <= curves.keys():
        return "Not all of the mended curves are there."
    said = [f"{times_text(curves[one], curves[name])} times as much as {_small(name)}" for name in older]
    return (
        f"In the mended charts {_small(one)} encoding errs, over all numbers of people (by the geometric mean of the "
        f"ratios), {', '.join(said)}; {best} {times_text(curves[best], curves[one])} times as much as {_small(one)} "
        f"encoding. {ONE_ERROR}"
    )


def _small(name: str) -> str:
    return f"{name[0].lower()}{name[1:]}"


def best_of(winners: Iterable[tuple[str, str]], word: str = "with") -> str:
    """Such as “Square Wave errs least with 2 and 50; direct encoding with 300”, from the winner of each place."""
    places: dict[str, list[str]] = {}
    for winner, place in winners:
        places.setdefault(winner, []).append(place)
    said: list[str] = []
    for winner, at in places.items():
        where = " and ".join(filter(None, (", ".join(at[:-1]), at[-1])))
        said.append(f"{winner} {'' if said else 'errs least '}{word} {where}")
    return "; ".join(said)


def best_at(
    panel: PublishedPanel, distance: str, places: Mapping[float, str], word: str = "with", unit: str = ""
) -> str:
    """Which curve errs least at which place, and by how much."""
    winners = []
    for at, said in places.items():
        name, least = ahead(panel, at, unit)
        winners.append((name, f"{said} ({least})"))
    return f"By {distance} distance, {best_of(winners, word)}."
