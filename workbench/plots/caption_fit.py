"""The caption of a comparison in as many words as a printed figure bears: what is said elsewhere goes first."""

from __future__ import annotations

import re
from dataclasses import replace
from enum import Enum
from functools import partial

from workbench.evaluate.result_reading import SAMPLED_IN
from workbench.plots.caption import Caption

MOST_WORDS = 75
"""Words and numbers below a figure, where saying the same shorter is enough for that."""
_AT_MOST = 95
"""So many where something has to be left out for it that is read nowhere else below the figure."""


class _Do(Enum):
    """What becomes of what is said in fewer words."""

    KEPT = "the details get it as it was"
    GONE = "it is said elsewhere, or means the same"
    TITLE = "the same in the title, where all else is names that stay"


_STEPS = (
    (r"^Open marks mean another setting from there on: .*", "Open marks: setting changes.", _Do.GONE),
    # The details name the methods, on which shape another way errs less, and why a way is taken.
    (r" \([A-Z](?:[^()]|\([^()]*\))*\)", "", _Do.GONE),
    (r" \(this column alone\)", "", _Do.KEPT),
    (r"(is not drawn[^:]*): .*", r"\1.", _Do.KEPT),
    (r" It depends: .*", " It depends on the shape.", _Do.GONE),
    (re.escape(SAMPLED_IN), "Errors include sampling error.", _Do.KEPT),
    (r"(Take [^:;.]*): (as good|not told apart)[^;.]*", r"\1 (\2)", _Do.GONE),
    (r"(has the error 0[^,]*), for .*", r"\1.", _Do.KEPT),
    (r"(limited to \d\S*) to ", "\\1\N{EN DASH}", _Do.TITLE),
    (
        r"Lines are mean errors; about (.*) of errors lie (above|within) bands\.",
        r"Lines: means; \1 of errors \2 bands.",
        _Do.KEPT,
    ),
    (r"How many take part is public, so nothing hides who does\.", "How many take part is public.", _Do.KEPT),
    (r"A curator hides those rows at ε", "A curator hides a person’s rows at ε", _Do.KEPT),
    (r" \(at 2 ε (its|their) answers?\)", "", _Do.KEPT),
    (r"Local the answers of a person with (up to \S+) rows", r"Local the answers (\1)", _Do.KEPT),
    (
        r"\(less than what sampling adds to the same shape, ([^()]*)\)",
        r"(below sampling error, \1 by shape)",
        _Do.GONE,
    ),
    (r" if a curator is trusted", " if trusted", _Do.GONE),
    (r"^each way’s worst of", "worst of", _Do.KEPT),
    (r"^(worst of .*) evenly spread$", r"\1 even", _Do.KEPT),
    (r"^(worst of .* equal) shares$", r"\1", _Do.KEPT),
    # What the line of the picture is stays, if shorter, and of which shape.
    (r"(\(less than [^()]*?), (?:the most sampling|what sampling)[^()]*\)", r"\1, sampling error)", _Do.GONE),
    (
        r"One answer is hidden at ε with Local, at 2 ε with a curator",
        "Local hides one answer at ε, a curator at 2 ε",
        _Do.KEPT,
    ),
    (r"^(Lines: means; .*) of errors (above|within) bands\.", r"\1 \2 bands.", _Do.GONE),
    (r"A curator hides one row at ε, Local one answer", "ε hides one row, with Local one answer", _Do.KEPT),
    (r"^Absolute error", "Error", _Do.TITLE),
    (r" misplaced in the shares of (.*) over (\S+) values", r" misplaced in \2 shares of \1", _Do.TITLE),
    (r"Anonymised adds δ", "Anonymised: δ", _Do.GONE),
    (r"\(less than ([^()]*), (sampling error|the limit set)\)", r"(\2: \1)", _Do.GONE),
    (r"\(below sampling error, ([^()]*?) to ([^()]*)\)", "(sampling error: \\1\N{EN DASH}\\2)", _Do.GONE),
    (r"^a long tail, (9 in 10 values)", r"\1", _Do.KEPT),
    # What is limited stands in front, and to what.
    (r"Not in these errors: what limiting values to \S+(?: to \S+)? shifts", "Errors leave out limiting", _Do.KEPT),
    (r"\. In them: what the bounds shift that Global finds first\.", ", except Global’s.", _Do.KEPT),
    (r"limiting \((about .*) at most on these shapes\)", r"limiting (at most \1)", _Do.KEPT),
    (r"limiting \((about .*) on this shape\)", r"limiting (\1)", _Do.KEPT),
    # Both are told by what is left.
    (r", so 2 ε = [0-9.,]*[0-9]", "", _Do.GONE),
    (
        r"How many take part is public\. Local hides one answer at ε, a curator at 2 ε",
        "Their number is public: ε hides one answer with Local, 2 ε without",
        _Do.GONE,
    ),
    (r"(?<!\)),? against ε$", "", _Do.TITLE),
    (r"^± and bars: ", "±: ", _Do.GONE),
    (r"^.* by formula$", "", _Do.GONE),
    (r"^9 in 10 values below", "90 % below", _Do.KEPT),
    (r"from about ε = ", "from ε ≈ ", _Do.GONE),
    (r"(\(sampling error): [^()]* (by shape\))", r"\1 \2", _Do.GONE),
)
"""What is said in fewer words, or elsewhere, as far as it takes, and what becomes of it."""
_LAST = (
    (r"(worst of) .*, .* and \S+$", r"\1 usual shapes, not of all", _Do.KEPT),
    (r"(classes of \S+) below \S+, wider above\)", r"\1)", _Do.GONE),
)
"""What is left out of captions that are very long."""


def fitted(caption: Caption, most: int = MOST_WORDS, *, unit: str = "") -> Caption:
    """The caption with at most so many words below the figure, where leaving out what can be is enough for that.

    Parameters
    ----------
    unit
        Of its figures, which stays whole: it may have brackets, as methods have.
    """

    def shorter(found: re.Match[str], by: str) -> str:
        return found[0] if found[0] in unit else found.expand(by)

    whole, kept, found = _said(caption), set[int](), replace(caption, each="")
    for steps, enough in ((_STEPS, most), (_LAST, max(most, _AT_MOST))):
        for pattern, by, done in steps:
            if _words(found.below) <= enough:
                break
            before = _said(found)
            after = [
                re.sub(pattern, partial(shorter, by=by), one) if (done is _Do.TITLE) is (place == 0) else one
                for place, one in enumerate(before)
            ]
            kept |= {place for place, one in enumerate(before) if done is _Do.KEPT and after[place] != one}
            found = _saying(found, after)
    left = [f"{whole[place][:1].upper()}{whole[place][1:].removesuffix('.')}." for place in sorted(kept)]
    definitions, notes = (list(filter(None, some)) for some in (found.definitions, found.notes))
    return replace(found, definitions=definitions, notes=notes, details=[*caption.details, *left])


def _said(caption: Caption) -> list[str]:
    """What may be said in fewer words, sentence by sentence."""
    return [caption.shown, caption.of, caption.by_formula, *caption.definitions, *caption.notes]


def _saying(caption: Caption, said: list[str]) -> Caption:
    """The caption with these words, in the order of `_said`."""
    shown, of, by_formula, *rest = said
    number = len(caption.definitions)
    return replace(caption, shown=shown, of=of, by_formula=by_formula, definitions=rest[:number], notes=rest[number:])


def _words(text: str) -> int:
    """How many words and numbers there are."""
    return sum(any(letter.isalnum() for letter in one) for one in text.split())
