"""Numbers into intervals: base intervals, repeated, joined level by level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.building import Builder, BuilderSettings, BuilderValues, Level, Levels, ProvenanceAssessment
from workbench.core.closed_end import closed_at
from workbench.core.decimal_ends import end_after, multiple_below, one_digit, round_number
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Provenance
from workbench.core.interval_line import IntervalLevel, IntervalLine, interval_levels, interval_line
from workbench.core.level_functions import (
    LARGEST_SET,
    UNDER,
    LevelFunction,
    LevelLabel,
    Members,
    dashed,
    filled_pattern,
    labels_of,
    pattern_fields,
    plain_numbers,
)
from workbench.core.number_text import counted, exact
from workbench.core.params import ParamSpec, ParamType
from workbench.core.schema import ColumnSpec, Kind
from workbench.core.value_orders import cyclic_groups, cyclic_starts

_BELOW, _ABOVE = -(1 << 62), 1 << 62
_INTERVAL_FIELDS = ("low", "high", "middle")
_MOST_LISTED = 100_000
ABOVE = "above {low} to {high}"
"""Text of a label without signs for the ends where the upper one belongs to the interval; `UNDER` where the lower."""

CLOSED = "{low} to {high}"
"""Text of the label of the interval that holds its upper end as well, where others have `UNDER`."""

_MOST_WIDTHS = 4
"""Of so many levels all are said; of more the first, and the last."""


def _build(settings: BuilderSettings, material: BuilderValues) -> Levels:
    if material.column.kind.temporal:
        raise WorkbenchError(
            "The values are dates, not numbers.", hint="Choose the builder for dates.", field="builder"
        )
    levels = interval_levels(settings)
    line = interval_line(settings, material)
    covered = material.by_number
    numbers = material.numbers[covered]
    if line.whole:
        fits = numbers == np.floor(numbers)
        covered, numbers = covered[fits], numbers[fits]
    # What lies so far away that its interval is not known is in none, as a word is: it must not decide for all others
    # whether there is a hierarchy. Where all lie there the intervals are at fault, which only who has looked may say.
    reached = line.cells.reach(numbers)
    if reached.any() or material.unseen:
        covered, numbers = covered[reached], numbers[reached]
    covered, numbers = material.within(covered, numbers, line.lowest.error, line.highest.error)
    _refuse_beyond(line, numbers, [material.values[i] for i in covered[[0, -1]].tolist()] if len(covered) else [])
    texts = [material.values[i] for i in covered.tolist()] if any(level.of_data for level in levels) else []
    return Levels(covered, _grouped(line, levels, numbers, texts))


def _every_label(settings: BuilderSettings) -> None:
    """Write a label of every cell that is not beyond the ends, of repeated ones on both sides of the first."""
    if settings["source"] == "observed":
        return  # the cells follow from the values
    levels, line = interval_levels(settings), interval_line(settings, BuilderValues((), None, ColumnSpec("")))
    count = min(line.cells.count, _MOST_LISTED)
    cells = np.arange(-count if line.cells.repeated else 0, count)
    low, high = line.cells.edge(cells), line.cells.edge(cells + 1)
    middles = low + (high - low) / 2
    for bound, keep in ((line.lowest, np.greater_equal), (line.highest, np.less_equal)):
        for end in (bound.coding, bound.error):
            middles = middles if end is None else middles[keep(middles, end)]
    _grouped(line, levels, middles, plain_numbers(middles, None))


def _grouped(
    line: IntervalLine, levels: Sequence[IntervalLevel], numbers: NDArray[np.float64], texts: Sequence[str]
) -> list[Level]:
    """The groups and labels of each level of rising numbers, and of their texts where labels are made of those."""
    closed = line.closed_at
    places = line.cells.locate(numbers if closed is None else np.where(numbers == closed, _hair_below(closed), numbers))
    if not line.cells.repeated:
        places = np.where(places < 0, _BELOW, np.where(places >= line.cells.count, _ABOVE, places))
    low, high = line.lowest.coding, line.highest.coding
    if low is not None:
        places = np.where(numbers < low if line.cells.closed_low else numbers <= low, _BELOW, places)
    if high is not None:
        above = numbers >= high if line.cells.closed_low and closed is None else numbers > high
        places = np.where(above, _ABOVE, places)
    made: list[Level] = []
    members = Members(texts, numbers, partial(plain_numbers, mark=line.mark))
    sizes: list[tuple[int, ...]] = []
    for number, level in enumerate(levels):
        inner = np.abs(places) < _ABOVE
        if number:
            places = np.where(inner, cyclic_groups(np.where(inner, places, 0), level.sizes), places)
            sizes.append(level.sizes)
        # The numbers rise and so do their groups.
        starts = np.flatnonzero(np.r_[True, places[1:] != places[:-1]][: len(places)])
        codes = np.zeros(len(places), dtype=np.int64)
        codes[starts[1:]] = 1
        made.append((np.cumsum(codes), _labels(line, level, places[starts], sizes, members, starts)))
    return made


def _hair_below(number: float) -> float:
    return float(np.nextafter(number, -np.inf))


def _labels(
    line: IntervalLine,
    level: IntervalLevel,
    groups: NDArray[np.int64],
    sizes: Sequence[tuple[int, ...]],
    members: Members,
    starts: NDArray[np.intp],
) -> list[str]:
    """The labels of one level's groups, coded ends included."""
    if not len(groups):
        return []
    first, beyond = groups, groups + 1
    for size in reversed(sizes):
        first, beyond = cyclic_starts(first, size), cyclic_starts(beyond, size)
    inner = np.abs(groups) < _ABOVE
    low = line.cells.edge(np.where(inner, first, 0))
    high = line.cells.edge(np.where(inner, beyond, 1))
    if line.lowest.coding is not None:
        low = np.maximum(low, line.lowest.coding)
    if line.highest.coding is not None:
        high = np.minimum(high, line.highest.coding)
    if level.of_data:
        labels = labels_of(replace(level.label, labels=()), members, starts)
    else:
        labels = _interval_labels(line, level.label, low, high)
    if level.label.labels:
        for place, group in enumerate(groups.tolist()):
            # Own labels count from the first base interval, not from the first that occurs.
            own = level.label.labels[group] if 0 <= group < len(level.label.labels) else None
            labels[place] = labels[place] if own is None else own
    closed = line.cells.closed_low
    if groups[0] == _BELOW:
        edge = line.end(line.lowest.coding, line.cells.edges[0], max)
        labels[0] = line.lowest.label or f"{'<' if closed else '≤'}{members.write(np.array([edge]), None)[0]}"
    if groups[-1] == _ABOVE:
        edge = line.end(line.highest.coding, line.cells.edges[-1], min)
        sign = "≥" if closed and line.closed_at is None else ">"
        labels[-1] = line.highest.label or f"{sign}{members.write(np.array([edge]), None)[0]}"
    return labels


def _interval_labels(
    line: IntervalLine, how: LevelLabel, low: NDArray[np.float64], high: NDArray[np.float64]
) -> list[str]:
    """Labels that follow from the edges alone, so that no label depends on which values occur."""
    function = how.function
    write = partial(plain_numbers, mark=line.mark)
    last = np.zeros(len(high), dtype=np.bool_) if line.closed_at is None else high == line.closed_at
    if function is LevelFunction.CONSTANT:
        return [how.text] * len(low)
    if function is LevelFunction.INTERVAL:
        comma = ", " if line.mark == "." else "; "
        left, right = ("[", "[") if line.cells.closed_low else ("]", "]")
        ends = zip(write(low, None), write(high, None), last.tolist(), strict=True)
        return [f"{left}{a}{comma}{b}{']' if ending else right}" for a, b, ending in ends]
    if function is LevelFunction.PREFIX:
        raise WorkbenchError(
            "The common beginning of an interval's numbers depends on which numbers occur.",
            hint="Choose the function interval, or let the label be made of the values of the data.",
            field="function",
        )
    text, edges = how.text, (low, high)
    if line.whole:
        # Of whole numbers the first and last inside are known.
        beyond = np.where(last, np.floor(high), np.ceil(high) - 1)
        low, high = (np.ceil(low), beyond) if line.cells.closed_low else (np.floor(low) + 1, np.floor(high))
        high = np.maximum(low, high)
    if function is LevelFunction.BOUNDS:
        return [a if a == b else dashed(a, b) for a, b in zip(write(low, None), write(high, None), strict=True)]
    if function is LevelFunction.SET:
        pairs = list(zip(low.tolist(), high.tolist(), strict=True))
        if not line.whole or any(b - a >= LARGEST_SET for a, b in pairs):
            raise WorkbenchError(
                f"An interval can be listed as a set only if it holds up to {LARGEST_SET} whole numbers.",
                hint="Say that the values are whole numbers, or choose the function interval.",
                field="function",
            )
        return ["{" + ", ".join(str(n) for n in range(int(a), int(b) + 1)) + "}" for a, b in pairs]
    if function is LevelFunction.PATTERN:
        if text == UNDER:  # whatever is said of whole numbers and of ends later, it names no end that it does not mean
            text, (low, high) = (UNDER, (low, edges[1])) if line.cells.closed_low else (ABOVE, edges)
        names = pattern_fields(text)
        if not set(names) <= set(_INTERVAL_FIELDS):
            raise WorkbenchError(
                "The text of an interval's label has a field that only values of the data could fill.",
                hint=f"Use {', '.join('{' + name + '}' for name in _INTERVAL_FIELDS)}.",
                field="text",
            )
        found = {"low": low, "high": high, "middle": low + (high - low) / 2}
        written = {name: write(found[name], how.decimals) for name in names}
        labels = filled_pattern(text, written, len(low))
        if text == UNDER and last.any():
            held = filled_pattern(CLOSED, written, len(low))
            labels = [own if ending else label for label, own, ending in zip(labels, held, last.tolist(), strict=True)]
        return labels
    if function is LevelFunction.MINIMUM:
        figures = low
    elif function is LevelFunction.MAXIMUM:
        figures = high
    elif function is LevelFunction.GEOMETRIC_MEAN:
        if low.min() < 0:
            raise WorkbenchError(
                "A geometric mean needs intervals that do not go below 0.",
                hint="Choose the arithmetic mean, or code what lies below 0.",
                field="function",
            )
        figures = np.sqrt(low) * np.sqrt(high)
    else:
        figures = low + (high - low) / 2
    return write(figures, how.decimals)


def _refuse_beyond(line: IntervalLine, numbers: NDArray[np.float64], ends: Sequence[str]) -> None:
    if not len(numbers):
        return
    for bound, value, side in ((line.lowest.error, ends[0], "below"), (line.highest.error, ends[-1], "above")):
        if bound is None:
            continue
        count = int((numbers < bound if side == "below" else numbers > bound).sum())
        if count:
            what = "1 value lies" if count == 1 else f"{count:,} values lie"
            raise WorkbenchError(
                f"{what} {side} the bound {exact(bound)}, among them “{value}”.",
                hint="Correct the data, or move the bound.",
                field="lowest" if side == "below" else "highest",
            )


def _assess(settings: BuilderSettings, column: ColumnSpec) -> ProvenanceAssessment:
    levels = interval_levels(settings)
    reasons, ways = [], []
    if settings["source"] == "observed":
        reasons.append("from the smallest to the largest value of the data")
        ways.append("type in where the intervals start and end")
    if any(level.of_data for level in levels):
        reasons.append("labelled with figures of the data's own values")
        ways.append("let labels follow from the intervals")
    if reasons:
        return ProvenanceAssessment(
            Provenance.DERIVED,
            f"Intervals {' and '.join(reasons)}.",
            f"It becomes public if you {' and '.join(ways)}.",
        )
    pairs = [(e.number("from"), e.number("to")) for e in settings.details.entries("intervals", "interval")]
    if settings["repeat"] and len(pairs) == 1 and all(len(level.sizes) == 1 for level in levels):
        ((low, high),) = pairs
        if low is not None and high is not None:
            count = counted(len(levels) + settings["top"], "level")
            said = f"{_steps(high - low, levels)}; {count}; none was computed from the data."
            return ProvenanceAssessment(Provenance.PUBLIC, said)
    shown = ", ".join(f"{exact(a)} to {exact(b)}" for a, b in pairs[:3] if a is not None and b is not None)
    more = f" and {len(pairs) - 3} more" if len(pairs) > 3 else ""
    again = ", and so on" if settings["repeat"] else ""
    return ProvenanceAssessment(
        Provenance.PUBLIC,
        f"Fixed intervals {shown}{more}{again}; {counted(len(levels) + settings['top'], 'level')}; "
        "none was computed from the data.",
    )


def _steps(width: float, levels: Sequence[IntervalLevel]) -> str:
    """How wide the intervals of each level are, the finest first."""
    widths = []
    for level in levels:
        width *= level.sizes[0]
        widths.append(exact(width))
    shown = widths if len(widths) <= _MOST_WIDTHS else [*widths[:2], "…", widths[-1]]
    if len(shown) == 1:
        return f"Steps of {shown[0]}"
    return f"Steps of {', '.join(shown[:-1])} and {shown[-1]}" if "…" not in shown else f"Steps of {', '.join(shown)}"


def _suggest(column: ColumnSpec) -> tuple[dict[str, Any], dict[str, Any]]:
    whole = column.kind is Kind.INTEGER
    low, width = 0.0, 10000.0 if column.kind is Kind.MONEY else 10.0
    details: dict[str, Any] = {}
    if column.bounds is not None:
        low, high = column.bounds
        width = _round_width((high - low) / 20, whole)
        if low < high:
            # The interval in which the numbers end holds their last one, so that no label is for this one alone.
            details = {"lowest": {"coding": low}, "highest": closed_at(high)}
        low = multiple_below(low, width)
    # Signs for the ends that belong to an interval are read by few; only the last number of whole ones is known.
    label = {"function": "bounds"} if whole else {"function": "pattern", "text": UNDER}
    return {"whole": whole}, details | {
        "intervals": [{"from": low, "to": end_after(low, width)}],
        "levels": [{"group": 1 if n == 0 else 2, **label} for n in range(3)],
    }


def _round_width(width: float, whole: bool) -> float:
    if width <= 0 or not np.isfinite(width):
        return 1.0
    nice = round_number(*one_digit(width))
    return max(1.0, nice) if whole else nice


def _listed(settings: BuilderSettings, column: ColumnSpec) -> Sequence[str]:
    """The declared domain, or every whole number within declared bounds if all are to be listed."""
    if not settings["list_all"]:
        return column.domain or ()
    low = settings.details.one("lowest").number("error")
    high = settings.details.one("highest").number("error")
    if (low is None or high is None) and column.bounds is not None:
        low, high = column.bounds
    if low is None or high is None or not settings["whole"]:
        raise WorkbenchError(
            "The whole numbers cannot be listed without a smallest and a largest one.",
            hint="Give both bounds and say that the values are whole numbers.",
            field="list_all",
        )
    if high - low >= _MOST_LISTED:
        raise WorkbenchError(
            f"There are more than {_MOST_LISTED:,} whole numbers between the bounds.",
            hint="List only those that occur.",
            field="list_all",
        )
    numbers = map(str, range(int(np.ceil(low)), int(np.floor(high)) + 1))
    return (*(column.domain or ()), *numbers)


PLUGIN = Builder(
    identifier="intervals",
    title="Intervals",
    help="Numbers become 20-29, then 20-39, then *.",
    parameters=(
        ParamSpec(
            "source",
            "Where intervals lie",
            ParamType.CHOICE,
            "declared",
            "Ends that are given here are public; ends read from the smallest and largest value are data-derived.",
            choices=(("declared", "as given below"), ("observed", "from the smallest to the largest value")),
        ),
        ParamSpec(
            "number",
            "Number of intervals",
            ParamType.INTEGER,
            10,
            "How many equal intervals lie between the smallest and the largest value of the data.",
            minimum=1,
            maximum=100_000,
        ),
        ParamSpec("repeat", "Repeat", ParamType.SWITCH, True, "Repeat the base intervals below and above."),
        ParamSpec(
            "closed",
            "Ends",
            ParamType.CHOICE,
            "low",
            "Which of its two ends an interval holds: 10 to 20 the 10 and not the 20, or the other way round.",
            choices=(("low", "lower end included"), ("high", "upper end included")),
        ),
        ParamSpec(
            "whole",
            "Whole numbers",
            ParamType.SWITCH,
            False,
            "The values are whole numbers, so 0 to 10 can be called 0-9.",
        ),
        ParamSpec(
            "list_all",
            "List all values",
            ParamType.SWITCH,
            False,
            "List every whole number within the bounds, whether it occurs or not.",
        ),
    ),
    details=("intervals", "levels", "lowest", "highest"),
    build=_build,
    assess=_assess,
    suggest=_suggest,
    every_label=_every_label,
    listed=_listed,
    suits=lambda column: 2 * column.kind.numeric,
)
