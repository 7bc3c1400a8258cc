"""Cutting the text of a filter into words; see `workbench.core.filtering` for the language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from workbench.core.errors import WorkbenchError

LONGEST = 100_000
"""Characters of a filter."""

KEYWORDS = frozenset({"and", "or", "not", "in", "is", "missing", "contains", "starts", "with"})

_SHOWN = 40
_CLOSING = {'"': '"', "[": "]", "`": "`", "'": "'"}
_NAME = re.compile(r"[^\W\d]\w*(?:[.\-]\w+)*")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[Tt ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?)?(?![\w\-:])")
_NUMBER = re.compile(r"[+\-−]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+\-]?[0-9]{1,4})?(?![\w.\-])")
_COMPARISON = re.compile(r"<=|>=|<>|!=|==|=|<|>")
_SAME = {"<>": "!=", "==": "="}


class FilterError(WorkbenchError):
    """A filter that cannot be read; `position` is where, counted in characters from 0."""

    def __init__(self, message: str, *, hint: str, position: int) -> None:
        super().__init__(f"The filter cannot be read at character {position + 1}: {message}", hint=hint, field="where")
        self.position = position


class TokenKind(Enum):
    """The kind of a word in a filter."""

    NAME = auto()
    """A bare name."""
    QUOTED = auto()
    """A name in double quotes, brackets or backticks."""
    KEYWORD = auto()
    TEXT = auto()
    NUMBER = auto()
    DATE = auto()
    COMPARISON = auto()
    SIGN = auto()
    """A parenthesis or comma."""
    END = auto()


@dataclass(frozen=True)
class Word:
    """A word, without its quotation marks, and where it starts, from 0."""

    sort: TokenKind
    text: str
    position: int


def shortened(text: str) -> str:
    """A word as a message shows it."""
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def is_bare(name: str) -> bool:
    """Whether a column of that name can be written without quotation marks."""
    return _NAME.fullmatch(name) is not None and name.casefold() not in KEYWORDS


def words_of(text: str) -> Iterator[Word]:
    """The words of a filter; after the last one comes `END`, again and again.

    Raises
    ------
    FilterError
        At a character that begins no word.
    """
    if len(text) > LONGEST:
        raise FilterError(f"It has over {LONGEST:,} characters.", hint="Write it more shortly.", position=0)
    position = 0
    while position < len(text):
        letter = text[position]
        if letter.isspace():
            position += 1
            continue
        word, position = _word(text, position)
        yield word
    while True:
        yield Word(TokenKind.END, "", len(text))


def _word(text: str, start: int) -> tuple[Word, int]:
    letter = text[start]
    if letter in _CLOSING:
        return _quoted(text, start)
    if letter in "(),":
        return Word(TokenKind.SIGN, letter, start), start + 1
    for sort, pattern in ((TokenKind.DATE, _DATE), (TokenKind.NUMBER, _NUMBER), (TokenKind.COMPARISON, _COMPARISON)):
        found = pattern.match(text, start)
        if found is not None:
            plain = found[0].replace("−", "-")
            return Word(sort, _SAME.get(plain, plain), start), found.end()
    found = _NAME.match(text, start)
    if found is not None:
        folded = found[0].casefold()
        if folded in KEYWORDS:
            return Word(TokenKind.KEYWORD, folded, start), found.end()
        return Word(TokenKind.NAME, found[0], start), found.end()
    if letter.isdigit() or letter in "+-−.":
        raise FilterError(
            "What stands here is neither a number nor a date.",
            hint="Numbers are written like 1234.5, dates like 2020-01-31, texts in 'single quotes'.",
            position=start,
        )
    raise FilterError(
        f"“{letter}” means nothing here.",
        hint="Texts are written in 'single quotes', names of columns with such signs in \"double quotes\".",
        position=start,
    )


def _quoted(text: str, start: int) -> tuple[Word, int]:
    """The word in quotation marks that starts here; the closing mark twice stands for itself."""
    closing = _CLOSING[text[start]]
    parts: list[str] = []
    position = start + 1
    while True:
        end = text.find(closing, position)
        if end < 0:
            raise FilterError(
                f"The {text[start]} is never closed.", hint=f"Write a {closing} where it ends.", position=start
            )
        parts.append(text[position:end])
        if text[end + 1 : end + 2] != closing:
            break
        parts.append(closing)
        position = end + 2
    return Word(TokenKind.TEXT if closing == "'" else TokenKind.QUOTED, "".join(parts), start), end + 1
