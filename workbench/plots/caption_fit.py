"""The caption of a comparison in as many words as a printed figure bears: what is said elsewhere goes first."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

from workbench.evaluate.result_reading import SAMPLED_IN
from workbench.plots.caption import Caption

MOST_WORDS = 95
"""Words and numbers below a figure."""

_STEPS = (
    (r"^Open marks mean another setting from there on: .*", "Open marks: setting changes.", False),
    # The details name the methods, on which shape another way errs less, and why a way is taken.
    (r" \([A-Z](?:[^()]|\([^()]*\))*\)", "", False),
    (r" \(this column alone\)", "", True),
    (r"(is not drawn[^:]*): .*", r"\1.", True),
    (r" It depends: .*", " It depends on the shape.", False),
    (re.escape(SAMPLED_IN), "Errors include sampling error.", True),
    (r"(Take [^:;.]*): (as good|not told apart)[^;.]*", r"\1 (\2)", False),
    (r"(has the error 0[^,]*), for .*", r"\1.", True),
    (
        r"Lines are mean errors; about (.*) of errors lie (above|within) bands\.",
        r"Lines: means; \1 of errors \2 bands.",
        True,
    ),
    (r"How many take part is public, so nothing hides who does\.", "How many take part is public.", True),
    (r"A curator hides those rows at ε", "A curator hides a person’s rows at ε", True),
    (r" \(at 2 ε (its|their) answers?\)", "", True),
    (r"Local the answers of a person with (up to \S+) rows", r"Local the answers (\1)", True),
    (r"\(less than what sampling adds to the same shape, ([^()]*)\)", r"(below sampling error, \1 by shape)", False),
    (r" if a curator is trusted", " if trusted", False),
    (r"(worst of) .*, .* and (?:.* shares|evenly spread)", r"\1 usual shapes, not of all", True),
    # What the line of the picture is stays, if shorter, and of which shape.
    (
        r"(\(less than [^()]*?), (?:the most sampling|what sampling)[^()]*\)",
        r"\1, sampling error)",
        False,
    ),
    (
        r"One answer is hidden at ε with Local, at 2 ε with a curator",
        "Local hides one answer at ε, a curator at 2 ε",
        True,
    ),
    (r"\(below sampling error, [^()]* by shape\)", "(below sampling error by shape)", False),
    # Both are told by what is left.
    (r", so 2 ε = [0-9.,]*[0-9]", "", False),
    (r"^each way’s worst of", "worst of", True),
    (r"^a long tail, (most values)", r"\1", True),
    (r"^(Lines: means; .*) of errors (above|within) bands\.", r"\1 \2 bands.", False),
    (r"In them: what the bounds shift that Global finds first\.", "In them: what bounds found first shift.", False),
    (r"(classes of \S+) below \S+, wider above\)", r"\1)", False),
)
"""What is left out or said in fewer words, as far as it takes, and whether the details get it as it was."""


def fitted(caption: Caption, most: int = MOST_WORDS, *, unit: str = "") -> Caption:
    """The caption with at most so many words below the figure, where leaving out what can be is enough for that.

    Parameters
    ----------
    unit
        Of its figures, which stays whole: it may have brackets, as methods have.
    """

    def shorter(found: re.Match[str], by: str) -> str:
        return found[0] if found[0] in unit else found.expand(by)

    whole, kept, found = _said(caption), set[int](), caption
    for pattern, by, keeps in _STEPS:
        if _words(found.below) <= most:
            break
        before = _said(found)
        after = [re.sub(pattern, partial(shorter, by=by), one) for one in before]
        kept |= {place for place, one in enumerate(before) if keeps and after[place] != one}
        number = 1 + len(caption.definitions)
        found = replace(found, of=after[0], definitions=after[1:number], notes=after[number:])
    left = [f"{whole[place][:1].upper()}{whole[place][1:].removesuffix('.')}." for place in sorted(kept)]
    definitions, notes = (list(filter(None, some)) for some in (found.definitions, found.notes))
    return replace(found, definitions=definitions, notes=notes, details=[*caption.details, *left])


def _said(caption: Caption) -> list[str]:
    """What may be said in fewer words, sentence by sentence."""
    return [caption.of, *caption.definitions, *caption.notes]


def _words(text: str) -> int:
    """How many words and numbers there are."""
    return sum(any(letter.isalnum() for letter in one) for one in text.split())
