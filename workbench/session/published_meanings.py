"""The meaning of what is said of published values, and of their tolerance."""

from __future__ import annotations

from collections.abc import Iterable

from workbench.core.number_text import count
from workbench.evaluate.published.agreement import FALSE_ALARMS, Said
from workbench.evaluate.published.entry import FigureOutcome

ALLOWED = (
    "How far each value may differ, its tolerance, is fixed before a run: it allows for misreading, rounding, another "
    "sample, and chance in means of as many runs as each side made. Chance alone rejects one correct value in "
    f"{count(FALSE_ALARMS)}."
)
"""The explanation of the tolerance of a value."""
MEANINGS = {
    Said.AGREES: "The value here lies within the tolerance, which is at most a quarter of the published value, or of "
    "the number that it is said to be judged against.",
    Said.WITHIN: "The value here lies within the tolerance, but that is more than a quarter of the published value, or "
    "of the number that it is said to be judged against, or rests on a guess at how far samples differ: agreement "
    "would prove little.",
    Said.UNCHECKED: "The tolerance is at least as large as the published value, or as the number that it is said to be "
    "judged against: hardly any result could differ. Or ours is a dash, as nothing here can be compared with the "
    "published value.",
    Said.DIFFERS: "The value here lies outside the tolerance. The reason, as far as it is known, is given under “Where "
    "it differs, and why”.",
    Said.MADE: "The sample was made, or a setting chosen, to match this value: that the one here is near it tests "
    "nothing.",
    Said.COMPUTED: "The value here lies within the tolerance of a number that nobody published, but that follows from "
    "what was: this checks our computation, and agrees with no text.",
    Said.TOGETHER: "Values that tell little alone, or else all random values of a figure, are also taken together: the "
    "mean of the ratios of ours to the published ones is compared with 1. A ratio counts the more, the less chance and "
    "misreading can have moved it; the tolerance of the mean follows from theirs.",
}
"""The explanations of what is said of a value; of those together it is the same whether they agree or differ."""


def meaning_of(said: Iterable[Said]) -> str:
    """The explanation of a tolerance and of these words, in one text."""
    wanted = {Said.TOGETHER if one is Said.APART else one for one in said}
    words = (
        f"“{'Together' if one is Said.TOGETHER else one.capitalize()}”: {meant[0].lower()}{meant[1:]}"
        for one, meant in MEANINGS.items()
        if one in wanted
    )
    return " ".join((ALLOWED, *words))


def meaning_here(outcome: FigureOutcome) -> str:
    """The same of the words that are said of the values of an outcome."""
    together = () if outcome.together is None else (Said.TOGETHER,)
    return meaning_of((*(Said(one) for one in outcome.said if one), *together))
