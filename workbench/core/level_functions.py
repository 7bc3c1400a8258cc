"""Level functions: what a group of values is called."""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from workbench.core.details import Details
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY

LARGEST_SET = 200
"""Members a set label may list; beyond that a label is no use to anybody."""


class LevelFunction(StrEnum):
    """The rule by which the label of a group follows from its members."""

    INTERVAL = "interval"
    BOUNDS = "bounds"
    SET = "set"
    PREFIX = "prefix"
    CONSTANT = "constant"
    PATTERN = "pattern"
    MEAN = "mean"
    GEOMETRIC_MEAN = "geometric-mean"
    MEDIAN = "median"
    MINIMUM = "minimum"
    MAXIMUM = "maximum"
    MIDPOINT = "midpoint"


TITLES: Mapping[LevelFunction, str] = {
    LevelFunction.INTERVAL: "Interval, such as [0, 10[",
    LevelFunction.BOUNDS: "First and last value, such as 0-9",
    LevelFunction.SET: "Set, such as {a, b}",
    LevelFunction.PREFIX: "Common beginning, such as 21*",
    LevelFunction.CONSTANT: "One text for all",
    LevelFunction.PATTERN: "Text with fields, such as {low} to {high}",
    LevelFunction.MEAN: "Arithmetic mean",
    LevelFunction.GEOMETRIC_MEAN: "Geometric mean",
    LevelFunction.MEDIAN: "Median",
    LevelFunction.MINIMUM: "Smallest value",
    LevelFunction.MAXIMUM: "Largest value",
    LevelFunction.MIDPOINT: "Middle of smallest and largest",
}

_WIDE = Context(prec=400)
_PLAIN = 1e15
_SURE = 1e11
"""Below this, a number times a power of ten is so close to the truth that a half is recognised as one."""
NUMERIC = frozenset(
    {
        LevelFunction.MEAN,
        LevelFunction.GEOMETRIC_MEAN,
        LevelFunction.MEDIAN,
        LevelFunction.MINIMUM,
        LevelFunction.MAXIMUM,
        LevelFunction.MIDPOINT,
    }
)
"""Functions whose label is a number."""

UNDER = "{low} to under {high}"
"""The text of a pattern that names both ends of an interval of numbers that are not whole."""

LABEL_ENTRIES = ("function", "text", "decimals", "labels")
FIELDS = ("first", "last", "low", "high", "mean", "median", "middle", "prefix", "size", "number")
"""Names that may stand in braces in a pattern; `number` counts the groups from 1, `size` their members."""

Write = Callable[[NDArray[np.float64], int | None], list[str]]
"""Writes numbers with at most so many decimals, None for as many as are needed."""


@dataclass(frozen=True)
class LevelLabel:
    """The label of the groups of one level: a rule, and the words that are put in its place.

    Parameters
    ----------
    function
        The rule.
    text
        The text of `CONSTANT` or `PATTERN`.
    decimals
        Digits after the decimal mark of numbers; None for as many as are needed.
    labels
        Own labels of the first groups, None where the function's is kept.
    """

    function: LevelFunction
    text: str = ""
    decimals: int | None = None
    labels: tuple[str | None, ...] = ()

    @classmethod
    def read(cls, entry: Details, default: LevelFunction) -> LevelLabel:
        """The labelling of one entry of `levels`.

        Raises
        ------
        WorkbenchError
            If the function is unknown or its text is missing or has an unknown field.
        """
        name = entry.text("function", default.value)
        if name not in {function.value for function in LevelFunction}:
            raise entry.wrong(
                "function",
                f"is “{name}”, which is no level function",
                f"Known are: {', '.join(function.value for function in LevelFunction)}.",
            )
        function = LevelFunction(name)
        text = entry.text("text")
        if function is LevelFunction.CONSTANT and not text:
            raise entry.wrong("text", "is missing", "Say what all groups of the level are called.")
        if function is LevelFunction.PATTERN:
            _check_pattern(entry, text)
        decimals = entry.whole("decimals", 0, 0, 15) if "decimals" in entry else None
        return cls(function, text, decimals, entry.optional_texts("labels"))

    def own(self, labels: list[str]) -> list[str]:
        """`labels` with the person's own in their places."""
        for place, label in enumerate(self.labels[: len(labels)]):
            if label is not None:
                labels[place] = label
        return labels


@dataclass(frozen=True)
class Members:
    """The values of all groups of a level, one group after the other.

    Parameters
    ----------
    texts
        The values in their order.
    numbers
        The same as numbers, float64 of shape (len(texts),); None or nan where they are none.
    write
        How a number is written.
    """

    texts: Sequence[str]
    numbers: NDArray[np.float64] | None
    write: Write


def labels_of(how: LevelLabel, members: Members, starts: NDArray[np.intp]) -> list[str]:
    """One label per group, different for different groups except for a constant.

    Parameters
    ----------
    starts
        Position of the first member of each group, rising, the first 0.

    Raises
    ------
    WorkbenchError
        If the function needs numbers and a member is none, or a geometric mean meets a negative number.
    """
    function = how.function
    if function is LevelFunction.CONSTANT:
        return [how.text] * len(starts)
    if function in NUMERIC:
        return how.own(_written(figures(function, _numbers(members), starts), how.decimals, members.write))
    return how.own(told_apart(_texts(how, members, starts)))


def figures(function: LevelFunction, numbers: NDArray[np.float64], starts: NDArray[np.intp]) -> NDArray[np.float64]:
    """One number per group: mean, median, …, never outside the group's own smallest and largest number."""
    low: NDArray[np.float64] = np.minimum.reduceat(numbers, starts)
    high: NDArray[np.float64] = np.maximum.reduceat(numbers, starts)
    sizes = np.diff(np.r_[starts, len(numbers)])
    if function is LevelFunction.MINIMUM:
        return low
    if function is LevelFunction.MAXIMUM:
        return high
    if function is LevelFunction.MIDPOINT:
        figure = low + (high - low) / 2
    elif function is LevelFunction.MEDIAN:
        ranked = numbers[np.lexsort((numbers, np.repeat(np.arange(len(starts)), sizes)))]
        left, right = ranked[starts + (sizes - 1) // 2], ranked[starts + sizes // 2]
        figure = left + (right - left) / 2
    elif function is LevelFunction.GEOMETRIC_MEAN:
        if low.min() < 0:
            raise WorkbenchError(
                "A geometric mean needs numbers that are not negative.",
                hint="Choose the arithmetic mean or the median.",
                field="function",
            )
        with np.errstate(divide="ignore"):
            logs = np.log(numbers)
        figure = np.exp(np.add.reduceat(logs, starts) / sizes)
    else:
        figure = np.add.reduceat(numbers, starts) / sizes
    # Sums and logarithms round, but a mean lies among its numbers; then groups that follow each other keep apart.
    within: NDArray[np.float64] = np.clip(figure, low, high)
    return within


def plain_numbers(numbers: NDArray[np.float64], decimals: int | None = None, mark: str = ".") -> list[str]:
    """Numbers as texts without thousands separators, exponents or idle zeros; with `decimals`, rounded half up."""
    if not len(numbers):
        return []
    size = float(np.abs(numbers).max())
    if size < _PLAIN and bool((numbers == np.floor(numbers)).all()):
        return list(map(str, numbers.astype(np.int64).tolist()))
    if decimals is None:
        texts = [_shortest(number) for number in numbers.tolist()]
    else:
        # Decided for each number by itself: how one is written must not depend on which others there are.
        quick = np.abs(numbers) * 10.0**decimals < _SURE
        rounded = iter(_rounded(numbers[quick], decimals))
        texts = [
            next(rounded) if easy else _half_up(number, decimals)
            for easy, number in zip(quick.tolist(), numbers.tolist(), strict=True)
        ]
    return texts if mark == "." else [text.replace(".", mark) for text in texts]


def _shortest(number: float) -> str:
    if number == int(number):
        # All digits of a large one: rounded to fifteen, its interval would not hold it.
        return str(int(number)) if abs(number) < _PLAIN else f"{Decimal(repr(number)).normalize(_WIDE):f}"
    text = f"{number:.15g}"
    return f"{Decimal(text):f}" if "e" in text else text


def _rounded(numbers: NDArray[np.float64], decimals: int) -> list[str]:
    scale = 10**decimals
    scaled = np.abs(numbers) * scale
    units = np.floor(scaled + 0.5).astype(np.int64)
    texts = [
        (f"{'-' if negative and unit else ''}{unit // scale}.{unit % scale:0{decimals}}" if decimals else str(unit))
        for unit, negative in zip(units.tolist(), (numbers < 0).tolist(), strict=True)
    ]
    if decimals:
        texts = [text.rstrip("0").rstrip(".") for text in texts]
    elif bool((numbers < 0).any()):
        texts = ["-" + t if n and t != "0" else t for t, n in zip(texts, (numbers < 0).tolist(), strict=True)]
    # Where the digits stop at a half, only the decimal number itself says which way to go.
    for place in np.flatnonzero(np.abs(scaled - np.floor(scaled) - 0.5) < 1e-3).tolist():
        texts[place] = _half_up(float(numbers[place]), decimals)
    return texts


def _half_up(number: float, decimals: int) -> str:
    """Rounded as people round: the binary form would turn 0.125 into 0.12."""
    text = f"{Decimal(repr(number)).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP, _WIDE):f}"
    if decimals:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def told_apart(labels: list[str]) -> list[str]:
    """The labels, with a number after those that have occurred before: groups keep apart that read alike."""
    if len(set(labels)) == len(labels):
        return labels
    taken = set(labels)
    seen: set[str] = set()
    for place, label in enumerate(labels):
        fresh, number = label, 2
        while fresh in seen or (number > 2 and fresh in taken):
            fresh, number = f"{label} ({number})", number + 1
        seen.add(fresh)
        labels[place] = fresh
    return labels


def _numbers(members: Members) -> NDArray[np.float64]:
    numbers = members.numbers
    if numbers is None or np.isnan(numbers).any():
        which = 0 if numbers is None else int(np.flatnonzero(np.isnan(numbers))[0])
        raise WorkbenchError(
            f"“{members.texts[which]}” is no number, so its group has no mean, median or bounds.",
            hint="Choose the function set, interval or common prefix.",
            field="function",
        )
    return numbers


def _written(numbers: NDArray[np.float64], decimals: int | None, write: Write) -> list[str]:
    if decimals is not None:
        texts = write(numbers, decimals)
        if len(set(texts)) == len(texts):
            return texts
    # Rounding must not join groups: then all digits are needed.
    return told_apart(write(numbers, None))


def _texts(how: LevelLabel, members: Members, starts: NDArray[np.intp]) -> list[str]:
    ends = np.r_[starts[1:], len(members.texts)].tolist()
    texts, begins = members.texts, starts.tolist()
    groups = zip(begins, ends, strict=True)
    if how.function is LevelFunction.PATTERN:
        return _patterned(how, members, starts)
    if how.function is LevelFunction.SET:
        for begin, end in zip(begins, ends, strict=True):
            if end - begin > LARGEST_SET:
                raise WorkbenchError(
                    f"A group of {end - begin:,} values is too large to be listed as a set.",
                    hint=f"Sets list up to {LARGEST_SET} values; choose the function interval for this level.",
                    field="function",
                )
        return ["{" + ", ".join(texts[begin:end]) + "}" for begin, end in groups]
    if how.function is LevelFunction.PREFIX:
        return [_prefix(texts[begin:end]) for begin, end in groups]
    if how.function is LevelFunction.INTERVAL:
        return [_span(texts[begin:end]) for begin, end in groups]
    return [texts[begin] if end - begin == 1 else dashed(texts[begin], texts[end - 1]) for begin, end in groups]


def dashed(low: str, high: str) -> str:
    """`0-4`, with a word where a sign in front would be misread."""
    return f"{low} to {high}" if low[:1] in "-−" or high[:1] in "-−" else f"{low}-{high}"


def _prefix(texts: Sequence[str]) -> str:
    if len(texts) == 1:
        return texts[0]
    common = _common(texts)
    # A group of some values must not be called like the group of everything.
    return common + ANY if common else _span(texts)


def _span(texts: Sequence[str]) -> str:
    return f"[{texts[0]}, {texts[-1]}]"


def _common(texts: Sequence[str]) -> str:
    """Common beginning of all texts: that of the first and the last of them in order."""
    low, high = min(texts), max(texts)
    for place, (a, b) in enumerate(zip(low, high, strict=False)):
        if a != b:
            return low[:place]
    return low


def _patterned(how: LevelLabel, members: Members, starts: NDArray[np.intp]) -> list[str]:
    wanted = pattern_fields(how.text)
    ends = np.r_[starts[1:], len(members.texts)]
    columns: dict[str, list[str]] = {}
    for field in wanted:
        if field == "first":
            columns[field] = [members.texts[i] for i in starts.tolist()]
        elif field == "last":
            columns[field] = [members.texts[i - 1] for i in ends.tolist()]
        elif field == "prefix":
            columns[field] = [
                _common(members.texts[begin:end]) for begin, end in zip(starts.tolist(), ends.tolist(), strict=True)
            ]
        elif field == "size":
            columns[field] = [str(size) for size in (ends - starts).tolist()]
        elif field == "number":
            columns[field] = [str(number) for number in range(1, len(starts) + 1)]
        else:
            columns[field] = members.write(figures(_FIGURES[field], _numbers(members), starts), how.decimals)
    return filled_pattern(how.text, columns, len(starts))


_FIGURES = {
    "low": LevelFunction.MINIMUM,
    "high": LevelFunction.MAXIMUM,
    "mean": LevelFunction.MEAN,
    "median": LevelFunction.MEDIAN,
    "middle": LevelFunction.MIDPOINT,
}


def pattern_fields(pattern: str) -> list[str]:
    """The names in braces."""
    return [name for _, name, _, _ in string.Formatter().parse(pattern) if name is not None]


def filled_pattern(pattern: str, columns: Mapping[str, Sequence[str]], count: int) -> list[str]:
    """The pattern with its fields replaced, once for each of `count` groups."""
    return [pattern.format(**{name: texts[place] for name, texts in columns.items()}) for place in range(count)]


def _check_pattern(entry: Details, pattern: str) -> None:
    hint = f"Fields are {', '.join('{' + name + '}' for name in FIELDS)}; write braces themselves as {{{{ and }}}}."
    try:
        parts = list(string.Formatter().parse(pattern))
    except ValueError as error:
        raise entry.wrong("text", f"has a brace without its partner ({error})", hint) from error
    names = [name for _, name, _, _ in parts if name is not None]
    if not names:
        raise entry.wrong("text", "has no field, so all groups would be called the same", hint)
    for _, name, form, conversion in parts:
        if name is not None and (name not in FIELDS or form or conversion):
            raise entry.wrong("text", f"has the field “{name}”, which means nothing", hint)
