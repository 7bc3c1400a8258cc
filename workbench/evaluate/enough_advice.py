"""From which ε on the way to take errs little enough, in a sentence beside the verdict."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from workbench.core.number_text import count, estimate, margin_up
from workbench.evaluate.enough import (
    Enough,
    ErrorLimit,
    below,
    enough,
    enough_by,
    error_limit,
    may_be_below,
    told_apart,
)
from workbench.evaluate.enough_between import errors_on
from workbench.evaluate.enough_words import chance_range, twice_words
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import Approach
from workbench.evaluate.tile import Tile, Verdict
from workbench.evaluate.told_apart import more_tries
from workbench.evaluate.verdict import PLACES_ALIKE, tile_at, told_error, verdict

_WIDE = 1.5
"""How many times the least ε that may be enough the largest one is for both to be said, and none between them."""
_MUCH = 1.3
"""How many times the ε on a usual shape one must be for both to be said."""

Charges = Callable[[Tile, float], str]
"""What is charged for taking a way at an ε, where that is another number; "" for none."""


def enough_sentence(
    said: Verdict, findings: Findings, most: float | None = None, charges: Charges | None = None
) -> str:
    """That the recommended way is good enough from the ε on that stands before it, or at none; "" if not known.

    It is enough on average, as errors are means: one answer may be further off, as what Query says of its 95 % is. An ε
    that was run, or where errors are those of noise alone about which one between two of them. Where it is what
    sampling adds, which depends on the values, it is enough on each shape that is tried.

    Parameters
    ----------
    most
        The error that is good enough, where somebody typed one; else what sampling adds.
    charges
        What Query charges for a setting, where that is not its ε.
    """
    ways = () if said.waits else enough(findings, most)
    mine = _of(said, ways)
    if mine is None:
        return ""
    sooner = _before(mine, ways, findings)
    largest = findings.experiment.places[-1]
    limit, words = error_limit(findings, most), findings.experiment.most_words
    if mine.epsilon is None:
        tile = tile_at(findings, mine.approach, largest)
        error = told_error(tile, findings) if math.isfinite(tile.error) else ""
        # Where chance leaves it open, it is not known not to be.
        word = "shown to be " if mine.perhaps is not None else ""
        shapes = " on each shape tried" if limit.by_shape else ""
        even = f"it is not {word}enough{shapes} even at {estimate(largest)}: {error}"
        even = f"With {words} {even}" if words else f"{even[:1].upper()}{even[1:]}"
        return error and f"{even}{_on_usual(mine, limit, findings)}{_sooner(sooner, ' is')}."
    paid = _paid(mine, findings, charges)
    left = _range_left(mine, findings)
    # Whether it is at all, or from where on.
    doubted = left or (mine.chance is not None and math.isinf(mine.chance[1]))
    doubt = f"{count(findings.experiment.repetitions)} tries leave open {'from which of these' if left else 'whether'}"
    beside = "; ".join(filter(None, (doubt if doubted else "", paid)))
    more = f"{_sooner(sooner)}."
    # Whether a smaller one would do is not known of the first, and of another one that the one before it would not.
    tried = "the smallest tried" if mine.epsilon == findings.experiment.places[0] else "of those tried"
    told = mine.about is not None or left or limit.by_shape
    little = _errs_little(limit, "" if told else f"at this ε, {tried}, it", beside)
    if limit.by_shape:
        # The worst of some shapes is no bound on what a table does.
        return f"On each shape tried {little}{more} Yours may need more."
    little = f"with {words} {little}" if words else little
    return f"{little[:1].upper()}{little[1:]}{more}"


def named_epsilon(said: Verdict, findings: Findings, most: float | None = None) -> str:
    """From which ε on the way to take is enough, and whether that is about, to follow “ε”; "" for none, or unknown."""
    mine = enough_here(said, findings, most)
    if mine is None or mine.least is None:
        return ""
    return _range_left(mine, findings) or mine.told


def never_enough(said: Verdict, findings: Findings, most: float | None = None) -> bool:
    """Whether the way to take is enough at none of the ε that were tried, as far as tries tell."""
    mine = enough_here(said, findings, most)
    return mine is not None and mine.least is None


def enough_here(said: Verdict, findings: Findings, most: float | None = None) -> Enough | None:
    """From which ε on the way to take is enough; None while nobody knows."""
    return None if said.waits else _of(said, enough(findings, most))


def usual_sentence(said: Verdict, findings: Findings, most: float | None = None) -> str:
    """From which smaller ε on the way to take is enough on a usual shape; "" where that is near that of each shape."""
    mine = enough_here(said, findings, most)
    words = "" if mine is None or mine.least is None else _on_usual(mine, error_limit(findings, most), findings)
    return words and f"{mine.approach.value.capitalize() if mine else ''} is enough {words.removeprefix('; ')}"


def _errs_little(limit: ErrorLimit, at: str, beside: str) -> str:
    """That a way errs little enough from an ε on: of what sampling adds nobody need look up what it is."""
    told = "; ".join(filter(None, ("" if limit.typed or limit.by_shape else limit.words, beside)))
    told = told and f" ({told})"
    if limit.typed:
        return f"{at or 'it'} is {'' if at else 'then '}enough on average{told}"
    return f"{at or 'it then'} errs less on average than {limit.reach.removeprefix('what ').partition(' to ')[0]}{told}"


def _range_left(mine: Enough, findings: Findings) -> str:
    """Between which ε the one from which on a way is enough lies, where tries leave it wide open; "" elsewhere."""
    wide = mine.chance is not None and _WIDE * mine.chance[0] < mine.chance[1] < math.inf
    return chance_range(mine, findings) if wide else ""


def _on_usual(mine: Enough, limit: ErrorLimit, findings: Findings) -> str:
    """From which smaller ε on a way is enough on a usual shape, to follow that of each; "" where that is near."""
    usual = limit.on_usual
    ways = () if usual is None else enough_by(findings, usual[1])
    there = next((one for one in ways if one.approach is mine.approach), None)
    if usual is None or there is None or there.least is None or there.least * _MUCH >= (mine.least or math.inf):
        return ""
    return f"; on {limit.named(usual[0])} from {_at(there, ' = ')}"


def enough_way(findings: Findings, place: float | None = None, most: float | None = None) -> Enough | None:
    """From which ε on the way to take at a place is enough, for its mark in a picture; None where nobody knows one."""
    said = verdict(findings, findings.experiment.looked_at if place is None else place)
    mine = None if said.waits else _of(said, enough(findings, most))
    return None if mine is None or mine.least is None else mine


def error_there(mine: Enough, findings: Findings) -> float:
    """The mean error of a way as it is drawn at the ε from which on it is said to be enough, as errors are read."""
    return findings.experiment.metric.shown_times * tile_at(findings, mine.approach, mine.said).error


def enough_sooner(said: Verdict, findings: Findings, most: float | None = None) -> tuple[Enough, ...]:
    """The ways that are enough at a smaller ε than that from which on the recommended one is."""
    ways = () if said.waits else enough(findings, most)
    mine = _of(said, ways)
    return () if mine is None else _before(mine, ways, findings)


def enough_beside(said: Verdict, findings: Findings, most: float | None = None) -> str:
    """The same for the caption of a figure, with what is enough, to follow the name of the way; "" if not known."""
    mine, limit = None if said.waits else _of(said, enough(findings, most)), error_limit(findings, most)
    if mine is None:
        return ""
    line = f"{limit.below}, the limit set" if limit.typed else limit.below
    if mine.epsilon is None:
        where = "the largest ε tried" if mine.perhaps is None and mine.once else "any ε tried"
        return f"not {'' if mine.perhaps is None else 'shown to be '}enough at {where} ({line})"
    twice = twice_words(mine, findings)
    return f"enough on average from {_at(mine, ' = ')}{twice and f', so {twice}'} ({line})"


def enough_from(approach: Approach, place: float, ways: Sequence[Enough]) -> str:
    """From which ε on a way is good enough that is not at this place, to stand beside it; "" where it is, or unknown.

    Parameters
    ----------
    ways
        What `enough` finds.
    """
    mine = next((one for one in ways if one.approach is approach), None)
    if mine is None or (mine.least is not None and place >= mine.least * (1 - PLACES_ALIKE)):
        return ""
    if mine.epsilon is not None:
        # What chance of the tries may have moved is about that, as what lies between two of them is.
        about = "about " if mine.about is None and mine.by_chance else ""
        return f"enough on average from {about}{_at(mine, ' ')}"
    if mine.perhaps is not None:
        return f"perhaps from ε {margin_up(mine.perhaps, 3)}"
    return "not always" if mine.once else "not enough"


def enough_later(tile: Tile, place: float, ways: Sequence[Enough], findings: Findings, limit: ErrorLimit) -> str:
    """The same of a tile; "" also where the error that stands at the place is below the limit.

    Between two places that were run nobody marks as too large what is read to be small enough.
    """
    words = enough_from(tile.approach, place, ways)
    return "" if " from " in words and below(findings, tile.approach, place, limit) else words


def chance_words(approach: Approach, ways: Sequence[Enough], findings: Findings) -> str:
    """How sure the ε of `enough_from` is, in sentences: between which chance leaves it, and whether it is one tried.

    "" where there is nothing to say.

    Parameters
    ----------
    ways
        What `enough` finds.
    """
    mine = next((one for one in ways if one.approach is approach), None)
    if mine is None:
        return ""
    if mine.open is not None:
        return f"Perhaps enough on average from ε {margin_up(mine.open, 3)}: more repetitions would tell."
    between, tries = chance_range(mine, findings), count(findings.experiment.repetitions)
    tried = "" if mine.epsilon is None or mine.about is not None else f"ε {mine.told} is the smallest tried that is."
    most = findings.experiment.most_words
    return " ".join(
        filter(None, (most and f"With {most}.", tried, between and f"By chance of {tries} tries: {between}."))
    )


def short_of_enough(approach: Approach, said: Verdict, findings: Findings, most: float | None = None) -> bool:
    """Whether a way is known not to be good enough at the place of a verdict, whatever chance did to the tries."""
    ways = () if said.waits else enough(findings, most)
    mine = next((one for one in ways if one.approach is approach), None)
    if mine is None or not enough_from(approach, said.place, ways):
        return False
    if mine.perhaps is not None and said.place >= mine.perhaps * (1 - PLACES_ALIKE):
        return False
    # It may be less here and more at a larger ε.
    return not may_be_below(findings, approach, said.place, error_limit(findings, most))


def tries_for_enough(said: Verdict, findings: Findings, most: float | None = None) -> int:
    """How many repetitions would tell whether the smallest ε that may be enough is; 0 if that is known, or too many."""
    mine, limit = None if said.waits else _of(said, enough(findings, most)), error_limit(findings, most)
    if mine is None or mine.perhaps is None:
        return 0
    tile = tile_at(findings, mine.approach, mine.perhaps)
    now, wanted = findings.experiment.repetitions, []
    for one in errors_on(findings, tile, mine.perhaps):
        if math.isinf(one.chance):
            return 0  # one try tells nothing of how far others would be apart
        mean = limit.times * one.error, limit.times * one.spread
        wanted.append(more_tries(now, mean, (limit.line_on(one.shape), 0.0), alike=False))
    # On each shape: of one that takes too many nobody says a number.
    return max(wanted) if wanted and all(wanted) else 0


def _at(mine: Enough, between: str) -> str:
    """From which ε on, with its name."""
    about, _, number = mine.told.rpartition(" ")
    return f"{about and f'{about} '}ε{between}{number}"


def _paid(mine: Enough, findings: Findings, charges: Charges | None) -> str:
    """What is paid at the ε that is enough, where that is another number."""
    charged = charges(tile_at(findings, mine.approach, mine.said), mine.said) if charges is not None else ""
    if not charged:
        return twice_words(mine, findings)
    return f"Query charges {charged.partition(' (')[0].removeprefix('ε ')}"


def _sooner(others: Sequence[Enough], verb: str = "") -> str:
    """From which smaller ε on other ways are enough, to follow what is said of this one."""
    told = (f"{one.approach.value.capitalize()}{verb} from {one.told}" for one in others)
    return "".join(f"; {one}" for one in told)


def _before(mine: Enough, ways: Sequence[Enough], findings: Findings) -> tuple[Enough, ...]:
    """The ways that are enough at a smaller ε, but where this one perhaps is too and tries tell no difference there.

    By the ε that were run, the same of all: between them not all ways are known.
    """
    known = math.inf if mine.epsilon is None else mine.epsilon
    sooner = [(one, one.epsilon) for one in ways if one.epsilon is not None and one.epsilon < known]
    return tuple(
        one
        for one, epsilon in sooner
        if not _open_at(mine, epsilon) or told_apart(findings, mine.approach, one.approach, epsilon)
    )


def _open_at(mine: Enough, epsilon: float) -> bool:
    """Whether chance leaves open that a way is enough at an ε."""
    return mine.perhaps is not None and epsilon >= mine.perhaps * (1 - PLACES_ALIKE)


def _of(said: Verdict, ways: tuple[Enough, ...]) -> Enough | None:
    return next((one for one in ways if one.approach is said.recommended), None)
