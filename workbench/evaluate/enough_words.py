"""From which ε on each way errs little enough, in words: where all ways are named, and how far chance moved that."""

from __future__ import annotations

import math
from collections.abc import Iterable

from workbench.core.number_text import count, estimate, exact, margin_down, margin_up
from workbench.evaluate.enough import (
    EPSILON_DIGITS,
    NEAR,
    Enough,
    ErrorLimit,
    enough_by,
    error_limit,
    sampling_bound,
    told_apart,
)
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import Approach

_DUST = 1 + 1e-9
"""By how much more an ε that is typed may be than the number that stands for it."""


def least_words(findings: Findings, most: float | None = None, *, beside: bool = False) -> str:
    """The least ε that was tried that is enough, of each way: by what somebody typed, else by what sampling adds.

    "" where no bound is known; while points are missing, that it is not known yet. Where sampling is in every error
    and nobody typed a limit, how much of it that is. Shorter `beside` tiles and a picture of mean errors, where ε is
    that of the axis, and the most of any values stands elsewhere.
    """
    bound = error_limit(findings, most)
    if not bound.known:
        alone = sampling_bound(findings)
        return f"{alone.sentence}." if alone.within and alone.known else ""
    # Errors are those of the people asked: nothing says that these are a sample of others.
    adds = "" if bound.typed else " on average"
    less = f"Enough on average ({bound.below})" if beside else f"Off by {bound.below}{adds}"
    if not findings.complete:
        return f"{less}: not known until all are run."
    words = _each(findings, bound, twice=not beside)
    if not words:
        return ""
    if beside:
        return f"{less}: {words}.".replace("every one", "every ε tried").replace("at none", "at no ε tried")
    usual = bound.on_usual
    sooner = "" if usual is None else _each(findings, usual[1])
    second = f" On {bound.named(usual[0])}: {sooner}." if usual is not None and sooner not in ("", words) else ""
    between = "" if "about" not in words + second else ", “about” between two of them"
    return f"{less}, of the ε tried{between}: {words}.{second}"


def _each(findings: Findings, bound: ErrorLimit, *, twice: bool = True) -> str:
    """From which ε on each way is below a limit, those alike together, and `twice` that where that hides an answer.

    "" where that is not known.
    """
    first, groups = findings.experiment.places[0], list[list[Enough]]()
    for one in enough_by(findings, bound):
        if groups and all(_alike(one, other, findings) for other in groups[-1]):
            groups[-1].append(one)
        else:
            groups.append([one])
    told = []
    for some in groups:
        latest = max(some, key=lambda one: one.least or 0.0)
        hides = twice_words(latest, findings) if twice else ""
        told.append(f"{_named(some)} {_from(latest, first)}{f' ({hides})' if hides else ''}")
    return ", ".join(told)


def _alike(one: Enough, other: Enough, findings: Findings) -> bool:
    """Whether one ε is said of two ways, the larger one: it is the same, or rounding and chance alone set them apart.

    Else which way comes first would be that of the luckier tries.
    """
    first = findings.experiment.places[0]
    if _from(one, first) == _from(other, first):
        return True
    if one.least is None or other.least is None or one.open is not None or other.open is not None:
        return False
    low, high = sorted((one.least, other.least))
    return high <= NEAR * low and not told_apart(findings, one.approach, other.approach, low)


def twice_words(mine: Enough, findings: Findings) -> str:
    """Twice the ε that is enough, where it is that which hides an answer, as what is public does not; else "".

    Where others know how many take part, whoever knows all others knows who is there, and with a curator ε hides one
    row more or less: one person's answer for another one is two of these.
    """
    if not findings.experiment.number_known or mine.approach is Approach.LOCAL or mine.least is None:
        return ""
    return f"2 ε = {exact(2 * mine.said)}"


def _named(some: Iterable[Enough]) -> str:
    *others, last = (one.approach.value.capitalize() for one in some)
    return f"{', '.join(others)} and {last}" if others else last


def _from(one: Enough, first: float) -> str:
    """From which ε on, or one that chance leaves open where none is enough.

    Of the first that was tried nobody knows whether a smaller one would do.
    """
    at = "at none" if one.epsilon is None else f"from {one.told if one.about else estimate(one.epsilon)}"
    if one.open is not None:
        return f"{at} (perhaps from {estimate(one.open)})"
    return "at every one" if one.epsilon == first else at


def chance_sentence(findings: Findings, limit: ErrorLimit) -> str:
    """How far chance of the tries may have moved the ε from which on each way is enough; "" where it did not."""
    told = ((one.approach.value.capitalize(), chance_range(one, findings)) for one in enough_by(findings, limit))
    ways = ", ".join(f"{name} {between}" for name, between in told if between)
    return ways and f"By chance of {count(findings.experiment.repetitions)} tries: {ways}."


def chance_range(mine: Enough, findings: Findings) -> str:
    """Between which ε the one from which on a way is enough lies for all that its tries tell; "" where that is one."""
    if mine.chance is None:
        return ""
    (low, high), places = mine.chance, findings.experiment.places
    if not mine.by_chance:
        return ""
    less = " or less" if low <= places[0] else ""
    most = margin_up(high, EPSILON_DIGITS) if math.isfinite(high) else f"more than {estimate(places[-1])}"
    return f"{margin_down(low * _DUST, EPSILON_DIGITS)}{less} to {most}"


LINES_OF_SHAPES = "A curve is each way’s error on its worst shape; a line of what is enough is of the shape it names."
"""Wherever several shapes are tried, and what sampling adds to each is drawn."""


def enough_means(findings: Findings, limit: ErrorLimit) -> str:
    """Meaning of `least_words`; "" where they say nothing."""
    if not limit.known:
        return ""
    tried = ", ".join(map(estimate, findings.experiment.places))
    error = f"on each shape below {limit.reach}" if limit.by_shape else f"below {limit.words}"
    there = f"There, and at every larger ε that was tried, the mean error is {error}. Tried: {tried}."
    found = enough_by(findings, limit)
    if any(one.about for one in found):
        there += (
            " About: where the curve between two of them crosses, rounded up, if the error falls there as noise does; "
            "of any other way the smallest tried is said."
        )
    there = " ".join(filter(None, (there, chance_sentence(findings, limit))))
    if limit.typed:
        return there
    lines = f" {LINES_OF_SHAPES}" if limit.by_shape else ""
    return f"{limit.sentence}{'' if limit.own or limit.by_shape else ', often far less'}. {there}{lines}"
