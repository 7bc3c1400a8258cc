"""The words of a tile about its way."""

from __future__ import annotations

import math
from collections.abc import Sequence

from workbench.core.number_text import count, counted, estimate, margin_up, rounded
from workbench.evaluate.experiment import Axis, Basis, Experiment
from workbench.evaluate.families import short_name
from workbench.evaluate.findings import CHANCE, NEARLY, Findings
from workbench.evaluate.method import Approach
from workbench.evaluate.question import Metric, Statistic
from workbench.evaluate.sampling_error import most_misplaced, most_of_a_mean
from workbench.evaluate.verdict import (
    PLACES_ALIKE,
    Tile,
    Verdict,
    error_words,
    place_words,
    promised_words,
    times_of,
    times_words,
    unless_words,
    verdict,
)

_GRID = "global-grid"
_SHAPE = {Basis.SMOOTH: "smooth", Basis.SPIKY: "spiky", Basis.TAIL: "long-tailed", Basis.UNIFORM: "equal"}
_WHY = {
    Approach.GLOBAL: "Errs by: noise, added once",
    Approach.ANONYMISED: "Errs by: rows and detail lost",
    Approach.LOCAL: "Errs by: everybody’s noise",
}
"""What a way always errs by, so that chance has no part in what is said."""
_TRUSTED = {Approach.GLOBAL: "a curator", Approach.ANONYMISED: "a curator, once", Approach.LOCAL: "nobody"}


def standing_words(tile: Tile, said: Verdict) -> str:
    """How a way stands among all: how many times worse, or as good as which others and what then decides."""
    if said.waits or not math.isfinite(tile.error):
        return ""
    if not tile.alike:
        return times_words(tile, said)
    others = [one.approach.value.capitalize() for one in said.alike(tile)]
    words = f"as good as {' and '.join(others)}" if others else "the smallest error"
    why = promised_words(tile, said)
    words = f"{words}; {why}" if why else words
    return f"{words}, no better than a guess" if tile.guessed else words


def setting_words(tile: Tile, statistic: Statistic) -> str:
    """The setting that answers, and how many others are as good; "" where there is none."""
    if tile.setting is None:
        return ""
    ties = f" (or {counted(len(tile.as_good), 'other')})" if tile.as_good else ""
    return f"How: {short_name(tile.setting, statistic)}{ties}"


def ties_words(tile: Tile, findings: Findings, place: float) -> str:
    """How much noise there is, which settings are as good as the one that answers, and why it is taken.

    "" where there is nothing to say.
    """
    if tile.setting is None:
        return ""
    statistic = findings.experiment.question.statistic
    said = [_scale_words(tile, findings, place)]
    if tile.as_good:
        why = "the first whose error is known by formula" if tile.by_formula else "the first of them in the list"
        others = "; ".join(short_name(one, statistic) for one in tile.as_good)
        taken = short_name(tile.setting, statistic)
        said.append(f"{taken} is taken: {why}. As good, for all that tries and formulas tell: {others}.")
    return " ".join(filter(None, said))


def _scale_words(tile: Tile, findings: Findings, place: float) -> str:
    """The law of the grid's noise with its scale, where the question is of the usual ones; else ""."""
    experiment = findings.experiment
    statistic, rows = experiment.question.statistic, findings.rows_per_person
    if tile.setting is None or tile.setting.identifier != _GRID or experiment.axis is Axis.BINS:
        return ""
    epsilon = experiment.setting(tile.setting, place, findings.rows).epsilon
    if statistic.counts:
        scale, where = rows / epsilon, "every count gets"
        off = "A count with it is off by b on average, nearly."
    elif statistic is Statistic.MEAN and findings.width > 0:
        scale, where = rows * findings.width / epsilon, "the sums of the distances from either bound get"
        # E|(1 − m)·z − m·z′| = b·(1 − m(1 − m)) of two such noises.
        off = "Where the mean lies at the share m of the range, it is off by b·(1 − m·(1 − m))/people on average."
    else:
        return ""
    return f"Noise z has a probability in proportion to exp(−|z|/b); {where} it with b = {estimate(scale)}. {off}"


def basis_words(findings: Findings, said: Verdict | None = None) -> str:
    """What the errors of all tiles are: means, of how many people, on what; of a verdict also whose are by formula."""
    experiment = findings.experiment
    people = "" if experiment.axis is Axis.USERS else f" · {experiment.users or findings.rows:,} people"
    on = "the true values"
    if experiment.basis.public:
        *some, last = experiment.shapes
        on = f"worst of {', '.join(_SHAPE[one] for one in some)} and {_SHAPE[last]} shares" if some else last.shape
        if some and Basis.TAIL not in experiment.shapes:
            on = f"{on} (a long tail is tried for numbers alone)"
    known = [one.approach.value.capitalize() for one in said.tiles if one.by_formula] if said is not None else []
    formula = f" ({' and '.join(known)}: by formula instead)" if known else ""
    return f"Mean error of {experiment.repetitions:,} tries{formula}{people} · {on}"


def sampling_words(findings: Findings, said: Verdict | None = None) -> str:
    """What sampling adds at most where the answer is to hold of more people than are asked; "" where no bound is known.

    Of a verdict also which ways it may make alike: those that err more than the best by less than that.
    """
    most, unit, times = _sampling(findings)
    if math.isnan(most):
        return ""
    words = f"If these people are a sample, sampling error adds at most {margin_up(most)}{unit} on average"
    known = [one for one in said.tiles if math.isfinite(one.error)] if said is not None else []
    best = min(known, key=lambda one: one.error, default=None)
    near = [one for one in known if best is not None and one is not best and times * (one.error - best.error) < most]
    if best is None or not near:
        return words
    # In the order of the tiles, whichever of them chance put ahead.
    names = " and ".join(one.approach.value.capitalize() for one in known if one is best or one in near)
    names = "all three" if len(near) > 1 else names
    return f"{words}; {names} differ by less than that"


def _sampling(findings: Findings) -> tuple[float, str, float]:
    """What sampling adds at most, its unit, and what makes errors comparable to it; nan where no bound is known."""
    experiment = findings.experiment
    people, statistic = experiment.users or findings.rows, experiment.question.statistic
    if experiment.axis is Axis.EPSILON and people:
        if statistic is Statistic.MEAN and findings.width > 0 and experiment.metric == Metric():
            unit = f" {findings.unit}" if findings.unit else ""
            return findings.width * most_of_a_mean(people), unit, 1.0
        if experiment.metric.shown_times != 1.0 and findings.outputs > 1:
            return 100 * most_misplaced(people, findings.outputs), " %", experiment.metric.shown_times
    return math.nan, "", math.nan


def compared_words(findings: Findings, place: float | None = None) -> str:
    """What the tiles say at a place, at first that where one looks, for a figure that leaves alone; "" for one way.

    The error of each way as a number, how far chance moved it, which way to take and why, and who must be trusted.
    """
    experiment = findings.experiment
    if not findings.points:
        return ""
    said = verdict(findings, experiment.looked_at if place is None else place)
    known, taken = [one for one in said.tiles if math.isfinite(one.error)], said.taken
    if taken is None or len(known) < 2:
        return ""
    errors = ", ".join(_as_many(one, said, findings) for one in known)
    sentences = [f"At {place_words(findings, said.place)}: {errors}", _advice(taken, said, findings)]
    trust = "; ".join(f"{one.approach.value.capitalize()} {_TRUSTED[one.approach]}" for one in known)
    sentences.append(f"Who must be trusted: {trust}")
    most, unit, _ = _sampling(findings)
    if not math.isnan(most):
        sentences.append(f"Sampling error is at most {margin_up(most)}{unit} on average")
    depends = (unless_words(one, findings) for one in said.unless)
    return " ".join((*(f"{one}." for one in sentences), *depends))


def _as_many(tile: Tile, said: Verdict, findings: Findings) -> str:
    """The error of a way, what is known of it, and how many times that of the way to take it is."""
    taken = said.taken
    about = [chance_words(tile).lower()]
    if taken is not None and tile.approach is not taken.approach:
        times = "as good" if tile in said.alike(taken) else f"{estimate(rounded(times_of(tile, said), 2), 2)} times"
        about.append(f"{times} as much" if times != "as good" else times)
    beside = ", ".join(filter(None, about))
    return f"{tile.approach.value.capitalize()} {error_words(tile.error, findings)}{f' ({beside})' if beside else ''}"


def _advice(taken: Tile, said: Verdict, findings: Findings) -> str:
    """Which way to take, and by which rule where another one is as good."""
    if said.waits:
        return "Not every way was run here"
    if said.recommended is None:
        return "Nothing beats guessing"
    name, why = taken.approach.value.capitalize(), promised_words(taken, said)
    if not why:
        return f"Take {name}: the smallest error"
    others = " and ".join(one.approach.value.capitalize() for one in said.alike(taken))
    much = f"tries do not show more than {estimate(NEARLY)} times the error"
    return f"Take {name}: as good as {others} ({much}), and {why}"


def between_words(findings: Findings, place: float) -> str:
    """Between which points that were run a place lies, whose errors are then not simulated; "" at one of them."""
    places = findings.experiment.places
    if any(abs(one - place) <= PLACES_ALIKE * place for one in places):
        return ""
    low, high = max(one for one in places if one < place), min(one for one in places if one > place)
    return f"Interpolated between {estimate(low)} and {estimate(high)}, which were run"


def range_words(tile: Tile, findings: Findings) -> str:
    """An error beside the public range of the answer: what is many times worse may still be good; "" for others."""
    known = math.isfinite(tile.error) and findings.width > 0 and findings.experiment.metric == Metric()
    return f"{estimate(100 * tile.error / findings.width, 2)} % of range" if known else ""


def shape_words(tile: Tile, findings: Findings) -> str:
    """On which of several shapes a way errs most, which is what its tile says; "" where there is one."""
    several = len(findings.experiment.shapes) > 1 and tile.shape is not None
    return worst_words(tile.worst_on, findings.experiment) if several else ""


def worst_words(worst: Sequence[Basis], experiment: Experiment) -> str:
    """On which of the shapes of an experiment a way errs most, or as much but for chance and `NEARLY`."""
    if len(worst) == len(experiment.shapes):
        return "about alike on all shapes"
    how = "worst on" if len(worst) == 1 else "near its worst on"
    return f"{how} {' or '.join(one.shape for one in worst)}" if worst else ""


def chance_words(tile: Tile) -> str:
    """That a formula says an error, or how far chance may have moved a mean of tries; "" where neither is known."""
    if tile.by_formula:
        return "By formula"
    if not (tile.error > 0 and tile.spread > 0):
        return ""
    return f"Chance: ± {count(math.ceil(100 * CHANCE * tile.spread / tile.error))} %"


def moved_words(tile: Tile) -> str:
    """How far chance may have moved a mean of tries, in short; "" where a formula says the error."""
    return "" if tile.by_formula else chance_words(tile).lower()


def why_words(tile: Tile) -> str:
    """What a way errs by, in a few words and the same ones whether or not it came out ahead; "" without an error."""
    return _WHY[tile.approach] if math.isfinite(tile.error) else ""


def leaves_words(tile: Tile) -> str:
    """What leaves, with the δ that it costs beside ε."""
    delta = None if tile.setting is None else tile.setting.checked().get("delta")
    return tile.leaves if delta is None else f"{tile.leaves}, δ {delta}"
