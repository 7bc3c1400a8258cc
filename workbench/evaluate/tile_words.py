"""The words of a tile about its way."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from workbench.core.chance import chance_of
from workbench.core.number_text import estimate, exact, margin_up
from workbench.evaluate.class_words import class_width
from workbench.evaluate.enough_advice import enough_beside, short_of_enough, tries_for_enough
from workbench.evaluate.experiment import Basis, Experiment, Truth
from workbench.evaluate.families import FOUND_FIRST, short_name
from workbench.evaluate.findings import NEARLY, Findings
from workbench.evaluate.method import Approach
from workbench.evaluate.protection_words import alike_beside, protected_beside, smaller_words
from workbench.evaluate.question import Metric, Question, Statistic
from workbench.evaluate.tile import PROMISES, TRUSTED, WAYS, Tile, Verdict
from workbench.evaluate.told_apart import TileStanding, more_tries
from workbench.evaluate.told_apart import between_words as times_between
from workbench.evaluate.verdict import (
    place_words,
    places_around,
    promised_words,
    said_between,
    times_words,
    told_digits,
    told_error,
    unless_words,
    untrusted_words,
    verdict,
    worst_apart_words,
)

_NO_DELTA = PROMISES[Approach.GLOBAL]
_FINEST = 0.001
"""Part of an error: closer to it nobody reads."""
_WHY = {
    Approach.GLOBAL: "Errs by: noise, added once",
    Approach.ANONYMISED: "Errs by: rows or detail lost",
    Approach.LOCAL: "Errs by: noise, added by everybody",
}
"""Reason for which each way always errs, so that chance has no part in what is said."""
_ROOT = (
    "The noise of n people adds up to √n times that of one, where a curator adds as much noise however many they are: "
    "the more people, the more times as much Local errs."
)


def standing_words(tile: Tile, said: Verdict, alike: str = "") -> str:
    """How a way stands beside the one to take: worse by so many times, as good, or not told apart, and what decides.

    Parameters
    ----------
    alike
        What `protected_words` say of it: how many times that is where both hide the same leads what it is at one ε.
    """
    taken = said.taken
    if said.waits or taken is None or not tile.known:
        return ""
    if tile.standing is TileStanding.WORSE:
        times = times_words(replace(tile, guessed=False), taken).replace(" as much (", " (")  # beside that error
        rest = f"{', no better than a guess' if tile.guessed else ''}{worst_apart_words(tile, taken)}"
        if not alike:
            return f"{times}{rest}"
        if alike.endswith("."):  # nothing is known of it
            return f"{times} at the same ε{rest}. {alike}"
        number = times.removeprefix("about ").replace(" times", "", 1).removesuffix(" as much")
        return f"{alike}, {number} at the same ε{rest}"
    if tile.standing is TileStanding.TAKEN:
        words = ", ".join(_near_words(said)) or "the smallest error"
        why = promised_words(tile, said)
        words = f"{words}; {why}" if why else words
    else:
        near = "as good as" if tile.standing is TileStanding.ALIKE else "not told apart from"
        words = f"{near} {taken.approach.value.capitalize()}"
    return f"{words}, no better than a guess" if tile.guessed else words


def standing_briefly(tile: Tile, said: Verdict, alike: str = "") -> str:
    """The same in one line: how sure it is, where each is at its worst and what it is at one ε, is left to the details.

    Where both hide the same it is how many times as much then, as everywhere else a way is compared at one ε.
    """
    taken = said.taken
    if said.waits or taken is None or not tile.known or tile.standing is not TileStanding.WORSE:
        return standing_words(tile, said, alike)
    if tile.guessed:
        return "no better than a guess"
    if alike and not alike.endswith("."):
        return alike.partition(" (")[0]
    times = times_words(tile, taken).partition(" (")[0].removesuffix(" as much")
    return f"{times}{' at the same ε' if alike else ''}"


def standing_means(tile: Tile, said: Verdict) -> str:
    """Evidence for how a way stands beside the one to take; "" of that itself, or where there was none."""
    taken = said.taken
    if said.waits or taken is None or math.isnan(tile.between[0]) or tile.standing is TileStanding.TAKEN:
        return ""
    low, high = said_between(tile, taken)
    apart = on_one_shape_words(tile, taken)
    if low == high and math.isfinite(low):
        return f"{estimate(low, 3)} times the error of {taken.approach.value.capitalize()}{apart and f'. {apart}'}"
    many = times_between((low, high)).replace("as much", f"the error of {taken.approach.value.capitalize()}")
    both = "That is chance in both errors, as ± is in one."
    known = next((one for one in (tile, taken) if one.by_formula and one.spread > 0), None)
    if known is not None:
        name = known.approach.value.capitalize()
        both = f"{both} {name} is by formula, but the mean of {known.means} draws of people: chance is in it, too."
    rule = f"{both} As good: within {estimate(NEARLY)} times of each other, by that interval."
    return f"In 95 of 100 cases {many}. {rule}{apart and f' {apart}'}"


def on_one_shape_words(tile: Tile, taken: Tile) -> str:
    """How many times as much a way errs on one and the same shape, where its worst is not that of the one to take."""
    low, high = tile.on_one_shape
    if not (tile.worst_elsewhere(taken) and math.isfinite(low) and math.isfinite(high)):
        return ""
    same = f"on one and the same it is {estimate(low, 2)} to {estimate(high, 2)} times."
    return f"That is each on its own worst shape; {same}"


def tries_to_tell(said: Verdict, findings: Findings, most: float | None = None) -> int:
    """How many repetitions would tell apart what these did not, if the errors came out as before; 0 for no use.

    One try shows nothing of how far others would be apart, so that of a way that was tried once no number is said.

    Parameters
    ----------
    most
        The error that is good enough, where somebody typed one: from which ε on the way to take is that is told too.
    """
    taken = said.taken
    if taken is None or said.waits or not findings.complete:
        return 0
    now, untold = findings.experiment.repetitions, said.which(TileStanding.UNTOLD)
    if any(math.isinf(chance_of(one.means)) for one in (taken, *untold)):
        return 0
    mine = taken.error, taken.spread
    apart = (more_tries(now, (one.error, one.spread), mine) for one in untold)
    return max(tries_for_enough(said, findings, most), *apart, 0)


def more_words(said: Verdict, findings: Findings, most: float | None = None) -> str:
    """Why so many repetitions are offered as `tries_to_tell` says: what they would tell."""
    names = [one.approach.value.capitalize() for one in said.which(TileStanding.UNTOLD)]
    asks = [*([said.taken.approach.value.capitalize()] if said.taken is not None and names else []), *names]
    told = [f"which of {' and '.join(asks)} errs less"] if names else []
    if tries_for_enough(said, findings, most):
        told.append("from which ε on the way to take is enough")
    return f"So many repetitions would tell {', and '.join(told)}, if the errors came out as before"


def _near_words(said: Verdict, much: str = "") -> list[str]:
    """As good as which other ways the one to take is, and from which tries do not tell it."""
    told = []
    for standing, words in ((TileStanding.ALIKE, "as good as"), (TileStanding.UNTOLD, "not told apart from")):
        names = [one.approach.value.capitalize() for one in said.which(standing)]
        if names:
            told.append(f"{words} {' and '.join(names)}{much if standing is TileStanding.ALIKE else ''}")
    return told


def _at(findings: Findings, place: float) -> str:
    """Where it is, and whether that was run: whoever has the words alone must know it too."""
    between = " (interpolated)" if between_words(findings, place) else ""
    return f"At {place_words(findings, place)}{between}"


def compared_errors(findings: Findings, place: float | None = None) -> str:
    """Between what so many times as much ways err as the one to take at a place, for all that chance explains.

    "" where tries show of no way that it errs more, or chance has no part in how much. The errors `told_words` says.
    """
    said = _compared_at(findings, place)
    if said is None or (taken := said.taken) is None:
        return ""
    told = [(one, _times_between(one, taken)) for one in said.which(TileStanding.WORSE) if one.known]
    ways = [(one.approach.value.capitalize(), between) for one, between in told if between]
    if not ways:
        return ""
    (name, between), *rest = ways
    more = "".join(f", {other} {much} times" for other, much in rest)
    first = f"{name} errs {between} times as much as {taken.approach.value.capitalize()}"
    return f"{_at(findings, said.place)} in 95 of 100 cases {first}{more}."


def told_words(findings: Findings, place: float | None = None, most: float | None = None) -> str:
    """The verdict in a figure that leaves alone: errors at a place, the way to take, from which ε on that is enough.

    "" for one way. That it depends on the shape which way to take is part of it.

    Parameters
    ----------
    most
        The error that is good enough, where somebody typed one.
    """
    said = _compared_at(findings, place)
    if said is None or (taken := said.taken) is None:
        return ""
    # What the numbers are, the figure says.
    first, then = ("misplaces", "") if findings.experiment.metric.shown_times != 1.0 else ("errs by", "by ")
    known = [one for one in said.tiles if one.known]
    each = ", ".join(
        f"{one.approach.value.capitalize()} {then if number else f'{first} '}{bare(_moved_by(one, findings))}"
        f"{_by(one, said, findings)}"
        for number, one in enumerate(known)
    )
    errors = f"{_at(findings, said.place)} {each}."
    depends = (unless_words(one, findings) for one in said.unless)
    advice = f"{_advice(taken, said, rule=True)}."
    short = short_of_enough(Approach.LOCAL, said, findings, most)
    left = untrusted_words(said, findings, errors=False, short=short)
    beside = enough_beside(said, findings, most)
    beside = beside and f"{taken.approach.value.capitalize()} is {beside}."
    return " ".join(filter(None, (errors, advice, left, *depends, beside)))


def brief_words(findings: Findings, place: float | None = None, most: float | None = None) -> str:
    """The same in a caption: errors at a place, the way to take, what is enough, and where it depends on the shape.

    By what each way answers is told, as curves have the names of ways alone; the rest is among the details.

    Parameters
    ----------
    most
        The error that is good enough, where somebody typed one.
    """
    said = _compared_at(findings, place)
    if said is None or (taken := said.taken) is None:
        return ""
    # Of several shapes there is much to say already, and the details tell it.
    alone = len(findings.experiment.shapes) < 2
    each = ", ".join(
        f"{one.approach.value.capitalize()} {bare(_moved_by(one, findings))}{_smaller(one, said, findings)}"
        f"{f' (classes of {width})' if alone and (width := class_width(one, findings)) else ''}"
        f"{f' ({name})' if (name := _named(one, findings.experiment.question.statistic)) else ''}"
        for one in said.tiles
        if one.known
    )
    # That another way needs a δ, the notes say.
    advice = _advice(taken, said).removesuffix(": the smallest error").removesuffix(f", and {_NO_DELTA}")
    advice = "; ".join(filter(None, (advice, enough_beside(said, findings, most))))
    depends = (unless_words(one, findings) for one in said.unless)
    return " ".join((f"{_at(findings, said.place)}: {each}. {advice}.", *depends))


def equal_privacy_words(findings: Findings, place: float | None = None) -> str:
    """What Global needs to hide an answer as Local does, to follow what ε hides; "" for nothing."""
    said = _compared_at(findings, place)
    return "" if said is None else protected_beside(said, findings)


def _compared_at(findings: Findings, place: float | None) -> Verdict | None:
    """The verdict at a place, at first that where one looks; None where no two ways are there to compare."""
    if not findings.points:
        return None
    said = verdict(findings, findings.experiment.looked_at if place is None else place)
    return said if sum(one.known for one in said.tiles) > 1 else None


def _by(tile: Tile, said: Verdict, findings: Findings) -> str:
    """By what, and how many times as much as the way to take it errs, in brackets."""
    taken = said.taken
    width = class_width(tile, findings)
    known = [_named(tile, findings.experiment.question.statistic), width and f"classes of {width}"]
    if tile.standing is TileStanding.WORSE and taken is not None and not said.waits:
        times = times_words(replace(tile, guessed=False), taken).partition(" (")[0]
        times = times.removeprefix("about ").removesuffix(" as much")  # how sure that is stands beside it
        alike = alike_beside(tile, said, findings)
        known.append(f"{alike}, {times.removesuffix(' times')} at the same ε" if alike else times)
    told = ", ".join(filter(None, known))
    return f" ({told})" if told else ""


def _smaller(tile: Tile, said: Verdict, findings: Findings) -> str:
    """With which ε a way answers where that is a smaller one than that of the place, to follow its error."""
    own = None if tile.setting is None else tile.setting.epsilon
    less = own is not None and smaller_words(tile, findings.experiment, said.place)
    return f" with ε = {exact(own)}" if own is not None and less else ""


def _named(tile: Tile, statistic: Statistic) -> str:
    """The name of the setting that answers; with which parameters is told among the details. "" for none of its own."""
    name = "" if tile.setting is None else short_name(tile.setting, statistic).split(",")[0]
    return "" if name == tile.approach.value.capitalize() else name


def _moved_by(tile: Tile, findings: Findings) -> str:
    """The error of a way, and how far chance may have moved that, in its unit."""
    words = told_error(tile, findings)
    if not moved_words(tile, findings):
        return words
    times = findings.experiment.metric.shown_times
    number = estimate(times * tile.error, told_digits(tile, findings))
    return words.replace(number, f"{number} ± {margin_up(times * chance_of(tile.means) * tile.spread)}", 1)


def _times_between(tile: Tile, taken: Tile) -> str:
    """Between what so many times as much as another way one errs; "" where that is one number."""
    return times_words(replace(tile, guessed=False), taken).partition(" (")[2].removesuffix(")")


def _advice(taken: Tile, said: Verdict, *, rule: bool = False) -> str:
    """Which way to take, on which condition, and by which rule where another one is as good."""
    if said.waits:
        return "Not every way has been run here yet"
    if said.recommended is None:
        return "Nothing beats guessing"
    take, why = f"Take {taken.approach.value.capitalize()}{TRUSTED[taken.approach]}", promised_words(taken, said)
    if not why:
        return f"{take}: the smallest error"
    much = f" (shown to be within {estimate(NEARLY)} times the error)" if rule else ""
    return f"{take}: {', '.join(_near_words(said, much))}, and {why}"


def bare(words: str) -> str:
    """An error without what is said of all of them elsewhere."""
    return words.replace("off by ", "").replace(" misplaced", "")


def between_words(findings: Findings, place: float) -> str:
    """Between which points that were run a place lies, whose errors are then not simulated; "" at one of them."""
    around = (places_around(findings, way, place) for way in WAYS)
    ends = [(one[0], one[-1]) for one in around if len(one) > 1]
    if not ends:
        return ""
    low, high = min(low for low, _ in ends), max(high for _, high in ends)
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
    """On which of the shapes of an experiment a way errs most; several where tries do not tell which."""
    if len(worst) == len(experiment.shapes):
        return "no shape clearly the worst"
    return f"worst on {' or '.join(map(experiment.named, worst))}" if worst else ""


def moved_words(tile: Tile, findings: Findings) -> str:
    """How far chance may have moved a mean of tries, in the unit of the error; "" where a formula says it.

    Also "" where nothing is known of it.
    """
    if tile.by_formula or not (tile.error > 0 and tile.spread > 0):
        return ""
    metric = findings.experiment.metric
    moved = max(chance_of(tile.means) * tile.spread, _FINEST * tile.error)
    return f"± {margin_up(metric.shown_times * moved)}{' %' if metric.shown_times != 1.0 else ''}"


def why_words(tile: Tile, experiment: Experiment) -> str:
    """Reason for the error of a way, in a few words, the same whether or not it came out ahead; "" without an error."""
    reasons = [_WHY[tile.approach]]
    if tile.setting is not None and tile.setting.identifier == FOUND_FIRST:
        reasons.append("limiting to the bounds found")
    if experiment.truth is Truth.POPULATION:
        reasons.append("sampling")
    return ", and ".join(reasons) if math.isfinite(tile.error) else ""


def why_means(tile: Tile) -> str:
    """Consequence of the reason for an error, of more people; "" where nobody else adds noise."""
    return _ROOT if tile.approach is Approach.LOCAL and math.isfinite(tile.error) else ""


def leaves_words(tile: Tile, question: Question) -> str:
    """Words on what leaves: of which column, and by which protocol people report."""
    if tile.approach is Approach.ANONYMISED:
        return f"{tile.leaves} of {question.column} alone"
    protocol = _named(tile, question.statistic) if tile.approach is Approach.LOCAL else ""
    return f"Leaves: {protocol} reports" if protocol else tile.leaves
