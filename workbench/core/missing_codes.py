"""Texts and codes that usually stand for "no value"; whether they do in a column, the person decides."""

from __future__ import annotations

import re
from collections.abc import Sequence

NO_VALUE = frozenset(
    {
        "na",
        "n/a",
        "n.a.",
        "n.a",
        "k.a.",
        "#n/a",
        "nan",
        "null",
        "none",
        "nil",
        "-",
        "--",
        ".",
        "..",
        "?",
        "missing",
        "(blank)",
    }
)
"""Texts (without regard to case) proposed as missing where everything else is a number or date."""

WORDS = (
    NO_VALUE
    | {"n.d.", "n.k.", "k.a", "unknown", "unbekannt", "inconnu", "desconocido", "undefined"}
    | {"unspecified", "blank", "refused", "tbd", "tba", "xx", "xxx", "not known", "not available", "not applicable"}
    | {"not given", "no answer", "no value", "keine angabe"}
)
"""More of them: said of a column and offered, never taken for missing by themselves."""

MEANT = frozenset(
    {"none", "nil", "unknown", "unbekannt", "inconnu", "desconocido", "undefined", "unspecified", "refused"}
    | {"not known", "not applicable"}
)
"""Those that are an answer as well, such as no insurance: among categories nobody but the person can tell."""

_LONGEST = max(map(len, WORDS))
_CODE = re.compile(r"-(?:1|[789]|[789]{2}|9{3,6})(?:[.,]0+)?|9{3,6}(?:[.,]0+)?")
_DIGITS = re.compile("[0-9]")


def is_word(text: str) -> bool:
    """Whether a text is a word for "no value"."""
    return len(text) <= _LONGEST + 2 and text.strip().casefold() in WORDS


def may_be_meant(text: str) -> bool:
    """Whether a word for "no value" may be one of the answers where the answers are words."""
    return text.strip().casefold() in MEANT


def number_codes(texts: Sequence[str]) -> tuple[str, ...]:
    """The codes such as -99 or 9999 among the numbers of a column, which nothing else in it is like.

    A negative code counts where no other value is below 0; one of nines where it has more digits than any other.
    """
    codes = [text for text in texts if _CODE.fullmatch(text.strip())]
    if not codes:
        return ()
    taken = frozenset(codes)
    others = [text for text in texts if text not in taken and _DIGITS.search(text)]
    if not others:
        return ()
    negative = any(text.lstrip()[0] in "-−(" for text in others)
    longest = max(len(_DIGITS.findall(text.partition(".")[0])) for text in others)
    found = []
    for code in codes:
        digits = len(_DIGITS.findall(code.partition(".")[0]))
        if code.lstrip().startswith("-") and code.strip() != "-1":
            fits = not negative
        else:
            fits = digits > longest and not code.lstrip().startswith("-")
        if fits:
            found.append(code)
    return tuple(found)
