"""Beyond the figures: what the thesis leaves open (p. 61), each as a figure of its own."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import MappingProxyType

from workbench.core.number_text import count, estimate, with_places
from workbench.evaluate.experiment import Axis
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.published.chapter4 import SPIKY, local
from workbench.evaluate.published.chapter4_settings import HIDES_ANSWERS, IN_UNIT
from workbench.evaluate.published.entry import FigureOutcome, FigureSide, Make, Panels
from workbench.evaluate.published.experiment_runs import OF_NO_NAME
from workbench.evaluate.published.frame import ChapterFrame, FigureSweep, Line, LineBelow
from workbench.evaluate.published.local_runs import LN20, ages
from workbench.evaluate.published.panel import PanelWords, PublishedText
from workbench.evaluate.published.reach_lines import left_over
from workbench.evaluate.published.setting_rows import PEOPLE_DRAWN, SMOOTHED
from workbench.evaluate.published.winners import (
    ONE_ERROR,
    STANDARD_ERRORS,
    best_at,
    called,
    error_text,
    of_people,
    told_apart,
    with_error,
)
from workbench.evaluate.question import Distance, Metric
from workbench.evaluate.samples import TableRows

BEYOND = ChapterFrame(PublishedText.OURS, "Beyond the figures").of(SPIKY, 20)
_USERS = (10.0, 20.0, 35.0, 60.0, 100.0, 200.0, 500.0, 1_000.0, 4_000.0)
_LINEAR, _EM, _UNARY, _DIRECT = (
    "Distance-sensitive, linear",
    "Distance-sensitive, EM",
    "Unary (OUE), linear",
    "Direct, linear",
)

BY_MANHATTAN, BY_KANTOROVICH = (Metric(one, normalised=True) for one in (Distance.MANHATTAN, Distance.KANTOROVICH))


def _by_people(title: str, metric: Metric, methods: tuple[MethodChoice, ...]) -> FigureSweep:
    return FigureSweep(title, ages, methods, _USERS, metric, Axis.USERS, LN20)


def _leads(side: FigureSide, one: str, other: str) -> list[float]:
    """Where the first of two curves is above the second by more than chance makes."""
    curves = {curve.name: curve for panel in side.panels for curve in panel.curves}
    pairs = ((place, curves[one].at(place), curves[other].at(place)) for place in curves[one].places)
    return [place for place, more, less in pairs if more and less and told_apart(more, less)]


def _loses(outcome: FigureOutcome) -> str:
    worse = _leads(outcome.published, _LINEAR, _UNARY)
    places = next(one.places for one in outcome.published.panels[0].curves if one.name == _LINEAR)
    always = next((place for place in places if all(one in worse for one in places if one >= place)), None)
    at = f"at {count(places[-1])}, "
    if always is None:
        lost = "does not clearly err more than unary encoding with the most people"
    elif always == places[-1]:
        lost, at = f"errs clearly more than unary encoding with {of_people(always)}", ""
    else:
        lost = f"errs clearly more than unary encoding from {of_people(always)} on"
    ours, other = (error_text(outcome.published, one, places[-1]) for one in (_LINEAR, _UNARY))
    return (
        f"With linear estimators for both, by Kantorovich distance, distance-sensitive encoding {lost}: {at}by "
        f"{ours}{unit_of_error(outcome)} against {other}."
    )


def _by_em(outcome: FigureOutcome) -> str:
    first, other = outcome.mended.panels[0].curves[:2]
    ours, theirs = (error_text(outcome.mended, one.name, first.places[-1]) for one in (first, other))
    return (
        f"Estimated by EM, distance-sensitive encoding errs by {ours}{unit_of_error(outcome)} at "
        f"{of_people(first.places[-1])}, unary encoding with Norm-Sub by {theirs}."
    )


def _decides(outcome: FigureOutcome) -> str:
    """Whether the order of the two is another one with the usual estimators, by more than chance makes."""
    last = [
        (one.at(one.places[-1]), other.at(one.places[-1]))
        for side in (outcome.published, outcome.mended)
        for one, other in [side.panels[0].curves[:2]]
    ]
    linear, usual = (
        told_apart(own, unary) - told_apart(unary, own) if own is not None and unary is not None else 0
        for own, unary in last
    )
    if linear * usual < 0:
        return "So the estimator decides which errs less there, and not the protocol alone."
    if linear and linear == usual:
        return f"So {'distance-sensitive' if linear > 0 else 'unary'} encoding errs more there with either estimator."
    return "Whether the estimator decides which errs less there cannot be told."


_MANHATTAN, _KANTOROVICH = "Manhattan distance", "Kantorovich distance"
_IN_UNITS = f"between two distributions{IN_UNIT}"
DISTANCES: TableRows = ((_MANHATTAN, "–", "sum of differences of shares, 0 to 2"), (_KANTOROVICH, "–", _IN_UNITS))
BY_DISTANCE = MappingProxyType(
    {
        "By Manhattan": PanelWords(without=frozenset((_KANTOROVICH,))),
        "By Kantorovich": PanelWords(without=frozenset((_MANHATTAN,))),
    }
)
"""Below a picture by the one distance, the other is not explained."""
_ANSWERS = ("answers", "–", "50 ages, of the people of figure 4.2")
EPSILON = ("ε", "–", "ln 20")
ESTIMATOR = (
    "estimator",
    "–",
    f"{SMOOTHED} for distance-sensitive encoding and Square Wave; Norm-Sub for direct and unary",
)
YEARS = " years"


def by(distance: str, line: Line) -> LineBelow:
    """A line about the picture by one of the two distances."""
    return LineBelow(line, (f"By {distance}",))


def unit_of_error(outcome: FigureOutcome) -> str:
    """Unit after a Kantorovich distance: of the user's own column that of its axis, if it is known."""
    if not outcome.own:
        return YEARS
    headings = [panel.up.partition(", ") for side in (outcome.published, outcome.mended) for panel in side.panels]
    units = (unit for distance, _, unit in headings if distance.startswith("Kantorovich") and unit != OF_NO_NAME)
    return next((f" {unit}" for unit in units if unit), "")


_UNBIASED = "Linear estimators are unbiased until their values below 0 are set to 0."
_LINEARLY, _USUALLY = "Linear estimators", "Usual estimators"
BEYOND_ESTIMATOR = replace(BEYOND, repetitions=100).figure(
    "Estimator",
    61,
    "Linear or EM",
    f"{_UNBIASED} The usual ones are {SMOOTHED} for distance-sensitive encoding and Square Wave, and Norm-Sub for "
    "unary encoding.",
    settings=(
        EPSILON,
        _ANSWERS,
        (_KANTOROVICH, "–", _IN_UNITS),
        ("estimates below 0", "–", "of linear estimators set to 0 and the rest scaled; the usual ones have none"),
        ("repetitions", "–", "100"),
        ("protocol", "–", "distance-sensitive encoding as the text has it (p. 57)"),
    ),
    published=_by_people(
        _LINEARLY,
        BY_KANTOROVICH,
        tuple(
            local(one, name, estimator="unbiased", postprocess="none")
            for one, name in (("ds", _LINEAR), ("oue", _UNARY), ("grr", _DIRECT))
        ),
    ),
    mended=_by_people(
        _USUALLY,
        BY_KANTOROVICH,
        (local("ds", _EM), local("oue", "Unary (OUE), Norm-Sub"), local("square-wave", "Square Wave, EM")),
    ),
    differs=(
        LineBelow(_loses, (_LINEARLY,)),
        LineBelow(_by_em, (_USUALLY,)),
        LineBelow(_decides, ()),  # it is about both pictures
        ONE_ERROR,
    ),
    seconds=5.5,
    words={
        _LINEARLY: PanelWords(
            f"{_UNBIASED} Direct encoding, estimated so as well, is drawn beside the two that are compared."
        ),
        _USUALLY: PanelWords(
            f"{SMOOTHED} for distance-sensitive encoding, Norm-Sub for unary encoding; Square Wave, estimated like the "
            "former, is drawn beside them."
        ),
    },
    name="beyond-estimator",
)

# Reach, values and people

_NAMES_OF_REACH = tuple(f"θ = {theta}" for theta in (1, 2, 3, 4))
_THETAS = tuple(local(f"ds=theta:{theta}", name) for theta, name in enumerate(_NAMES_OF_REACH, start=1))
GUESS = "Uniform guess"
_WITH_GUESS = (*_THETAS, MethodChoice("uniform"))


def _best(distance: str, side: Callable[[FigureOutcome], FigureSide]) -> Callable[[FigureOutcome], str]:
    def line(outcome: FigureOutcome) -> str:
        (panel,) = side(outcome).panels
        few, many = panel.curves[0].places[0], panel.curves[0].places[-1]
        unit = unit_of_error(outcome) if distance == "Kantorovich" else ""
        places = {few: of_people(few)}
        places.setdefault(many, count(many))  # one's own column may have so few people that both are the same
        return best_at(panel, distance, places, unit=unit)

    return line


def _stays(outcome: FigureOutcome) -> str:
    """How little the smallest reach tells, however many people there are, beside a guess for which nobody is asked."""
    panel = outcome.mended.panels[0]
    curve = panel.curves[0]
    unit, many = unit_of_error(outcome), curve.places[-1]
    at = [(found, place) for place in curve.places[-2:] if (found := curve.at(place))]
    errs = " and ".join(  # one's own column may have fewer people
        f"by {with_error(found)}{'' if number else unit} with {count(place) if number else of_people(place)}"
        for number, (found, place) in enumerate(at)
    )
    reported, beside = curve.at(many), ""
    guess = next((found for one in panel.curves if one.name == GUESS and (found := one.at(many))), None)
    if guess is not None and reported is not None:
        how = "not clearly less than" if not told_apart(guess, reported) else "less than"
        if told_apart(reported, guess):
            how = "more than"
        beside = (
            f": {how} a guess, for which nobody is asked, that all answers are equally frequent "
            f"({with_error(guess)}{unit})"
        )
    return (
        "With θ = 1 the true value is reported with a probability of 2/51, and every other with 1/51. By Kantorovich "
        f"distance it errs {errs}{beside}."
    )


BEYOND_THETA = replace(BEYOND, repetitions=50).figure(
    "Reach θ",
    61,
    "The largest that ε allows",
    "ε = ln 20 allows every θ up to 4, and only θ = 4 spends all of that ε: a smaller θ spends ln 2, ln 6 or ln 12.",
    settings=(
        EPSILON,
        _ANSWERS,
        *DISTANCES,
        ("repetitions", "–", "50"),
        ("protocol", "–", "distance-sensitive encoding as the text has it (p. 57), not corrected"),
        ("estimator", "–", SMOOTHED),
        ("uniform guess", "–", "all answers are equally frequent; nobody is asked"),
    ),
    published=_by_people("By Manhattan", BY_MANHATTAN, _WITH_GUESS),
    mended=_by_people("By Kantorovich", BY_KANTOROVICH, _WITH_GUESS),
    differs=(
        by("Manhattan", _best("Manhattan", lambda outcome: outcome.published)),
        by("Kantorovich", _best("Kantorovich", lambda outcome: outcome.mended)),
        by("Kantorovich", _stays),
        STANDARD_ERRORS,
    ),
    seconds=8.0,
    words=BY_DISTANCE,
    name="beyond-theta",
)
_OURS = "Distance-sensitive"
FOUR = (
    local("grr", "Direct encoding"),
    local("oue", "Unary (OUE)"),
    local("ds", _OURS),
    local("square-wave", "Square Wave"),
)
PEOPLE = 1_000
MANY = ("people", "–", count(PEOPLE))
_EXTREMES = (1.0, 3.0, 10.0, 100.0, 1_000.0, 10_000.0, 100_000.0, 1_000_000.0)
_OF_PEOPLE = (*FOUR, MethodChoice("global-grid", MappingProxyType({"post": "consistent"}), label="Global DP"))


def _to_a_million(title: str, metric: Metric) -> FigureSweep:
    return FigureSweep(title, ages, _OF_PEOPLE, _EXTREMES, metric, Axis.USERS, LN20, again=True)


def _fell(outcome: FigureOutcome) -> str:
    curves = {one.name: one for one in outcome.published.panels[0].curves}
    falls = [
        f"from {with_places(curves[one.name].means[-3], 4)} to {with_places(curves[one.name].means[-1], 4)} with "
        f"{called(one.name)}"
        for one in FOUR
    ]
    return (
        f"From 10,000 to 1,000,000 people the Manhattan error goes {', '.join(falls)}. Like 1/√n, it would fall to "
        "a tenth."
    )


def _with_a_million(outcome: FigureOutcome) -> str:
    """Errors of the protocols with the most people, by the distance for which distance-sensitive encoding is made."""
    (panel,) = outcome.mended.panels
    most, unit = _EXTREMES[-1], unit_of_error(outcome)
    found = {one.name: value for one in panel.curves if (value := one.at(most)) is not None}
    own, others = found[_OURS], [one.name for one in FOUR if one.name != _OURS]
    less = [name for name in others if told_apart(found[name], own)]
    more = [name for name in others if told_apart(own, found[name])]

    def named(some: Sequence[str]) -> str:
        return " or ".join(f"{called(name)} ({with_error(found[name])})" for name in some)

    words = [f"{word} than {named(some)}" for word, some in (("less", less), ("more", more)) if some]
    near = [name for name in others if name not in (*less, *more)]
    said = (f", {' and '.join(words)}" if words else "") + (f"; it cannot be told from {named(near)}" if near else "")
    return (
        f"By Kantorovich distance, with {count(most)} people, distance-sensitive encoding errs by "
        f"{with_error(own)}{unit}{said}. "
        "The text concludes that it succeeds with extremely few (p. 59)."
    )


BEYOND_PEOPLE = BEYOND.figure(
    "People n",
    61,
    "From one person to a million",
    "Where there are more people than rows, these are drawn with replacement. With many people, by formula, the errors "
    "of direct and unary encoding fall like 1/√n, and a curator's like 1/n.",
    settings=(
        EPSILON,
        _ANSWERS,
        *DISTANCES,
        ("repetitions", "–", "20"),
        (
            "people",
            "10 to 9,810 (at ε = 1.5), 10 to 3,960 (at ln 20)",
            PEOPLE_DRAWN,
        ),
        ESTIMATOR,
        ("global DP", "–", f"a trusted curator's discrete noise, {HIDES_ANSWERS}; counts made consistent"),
    ),
    published=_to_a_million("By Manhattan", BY_MANHATTAN),
    mended=_to_a_million("By Kantorovich", BY_KANTOROVICH),
    differs=(by("Manhattan", _fell), by("Kantorovich", _with_a_million), by("Kantorovich", ONE_ERROR)),
    seconds=3.5,
    words=BY_DISTANCE,
    name="beyond-people",
)
_REACHES = (1, 2, 3, 4, 6, 9, 14, 20, 30, 49)
_AT_REACH = tuple(math.log(theta * (theta + 1)) for theta in _REACHES)


def _by_reach(title: str, metric: Metric) -> Make:
    """Every protocol at the ε = ln θ(θ + 1) that a reach needs, drawn against the reach."""
    sweep = FigureSweep(title, ages, FOUR, _AT_REACH, metric, Axis.EPSILON, users=PEOPLE)

    def against(panels: Panels) -> Panels:
        return tuple(
            replace(
                panel,
                across="Reach θ, at ε = ln θ(θ + 1)",
                curves=tuple(
                    replace(one, places=tuple(round((math.sqrt(4 * math.exp(e) + 1) - 1) / 2) for e in one.places))
                    for one in panel.curves
                ),
            )
            for panel in panels
        )

    return lambda given, tell: FigureSide(against(sweep(given, lambda panels: tell(against(panels))).panels))


def _stops(outcome: FigureOutcome) -> str:
    """Consequence of a wide reach for the protocol that it is made for."""
    ours, direct = (
        [error_text(outcome.published, name, place) for place in (9.0, 49.0)]
        for name in ("Distance-sensitive", "Direct encoding")
    )
    true = _REACHES[-1] * (_REACHES[-1] + 1) / (3 * _REACHES[-1] ** 2 - _REACHES[-1] + 49)
    return (
        "By Manhattan distance distance-sensitive encoding errs by "
        f"{ours[0]} at θ = 9 and by {ours[1]} at θ = 49, direct encoding by {direct[0]} and {direct[1]}. The text "
        "expects its best behaviour where θ is largest (p. 56–57), but by its formula (p. 54–55) the true value has a "
        f"probability of {estimate(true, 2)} there."
    )


def _wide_reach(outcome: FigureOutcome) -> str:
    (panel,) = outcome.mended.panels
    places = {1.0: "θ = 1", 9.0: "θ = 9", 49.0: "θ = 49"}
    return best_at(panel, "Kantorovich", places, "at", unit_of_error(outcome))


BEYOND_REACH = BEYOND.figure(
    "Reach to the end",
    61,
    "From θ = 1 to the whole domain",
    "A reach θ needs ε = ln θ(θ + 1); the other protocols have that ε too. There are 50 values.",
    settings=(
        ("ε", "0.8 to 4.47", "ln 2 to ln 2,450"),
        _ANSWERS,
        MANY,
        *DISTANCES,
        ("repetitions", "–", "20"),
        ("θ", "1 to 8", "1 to 49"),
        ESTIMATOR,
    ),
    published=_by_reach("By Manhattan", BY_MANHATTAN),
    mended=_by_reach("By Kantorovich", BY_KANTOROVICH),
    differs=(
        by("Kantorovich", _wide_reach),
        by("Manhattan", _stops),
        left_over(*_REACHES[-2:]),
        "As published, θ is a whole number: an ε between two steps gains nothing.",
        STANDARD_ERRORS,
    ),
    seconds=3.0,
    words=BY_DISTANCE,
    name="beyond-reach",
)
