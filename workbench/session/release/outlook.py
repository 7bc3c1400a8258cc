"""At which steps the rows are likely to come out, in words, before anything is spent: from public facts, from no row.

How a table's rows lie in the possible groups is not known. The group of rank r is taken to have rows in proportion to
r^−0.9, which real tables of a few columns come near to; tables whose columns depend on each other do better.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

from workbench.anonymise.chains import EXPECTED_ROWS, rows_kept
from workbench.anonymise.forecast import StepForecast, TrimForecast
from workbench.core.hierarchy import Hierarchy
from workbench.core.number_text import count
from workbench.core.public_sizes import public_sizes

_STEEPNESS = 0.9
_HARDLY = 0.1
_HALF = 0.5


@dataclass(frozen=True)
class Outlook:
    """What a release is likely to be good for.

    Parameters
    ----------
    groups
        How many groups are possible at each step, by labels other than what stands for values that are not listed.
    words
        In a sentence or two.
    wanting
        Whether something better should be looked for.
    starred
        Columns that are `*` where most rows come out.
    silent
        Columns that are `*` at every step, so that nothing is lost if they are left out.
    widest
        All columns, those with most possible labels at the first step first.
    typed
        Whether it is about a number of rows that was typed.
    """

    groups: tuple[int, ...]
    words: str
    wanting: bool = False
    starred: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    widest: tuple[str, ...] = ()
    typed: bool = False


def outlook_of(found: TrimForecast, hierarchies: Mapping[str, Hierarchy], *, unit: str) -> Outlook | None:
    """What to expect of the steps of a forecast; None of a release whose possible groups are not known.

    Parameters
    ----------
    unit
        What a row stands for, such as “people”.
    """
    first = found.steps[0]
    names = tuple(first.levels)
    if not names or any(step.possible_groups is None for step in found.steps):
        return None
    groups = tuple(prod(_labels(hierarchies, step, name) for name in names) for step in found.steps)
    widest = tuple(sorted(names, key=lambda name: -_labels(hierarchies, first, name)))
    rows = found.rows or EXPECTED_ROWS
    those = f"your {count(rows)} {unit}" if found.rows else f"some {count(rows)} {unit}"
    shares = _shares(found.steps, groups, rows)
    early = next((place for place, share in enumerate(shares) if share >= _HARDLY), len(shares))
    words = []
    if early:
        which = "Step 1 has" if early == 1 else f"Steps 1 to {early:,} have"
        more = " or more" if early > 1 else ""
        words.append(
            f"{which} {count(groups[early - 1])} possible groups{more} for {those}: hardly anything survives there."
        )
    main = next((place for place in range(len(shares)) if sum(shares[: place + 1]) >= _HALF), len(shares) - 1)
    starred = tuple(name for name in names if _says_nothing(hierarchies, name, found.steps[main].levels[name]))
    silent = tuple(name for name in names if _says_nothing(hierarchies, name, first.levels[name]))
    if early == len(shares):
        words.append("The release would be nearly empty.")
    else:
        stars = "every column is *" if len(starred) == len(names) else f"{_are(starred)} *" if starred else ""
        out = f"come out by step {main + 1:,}" if len(shares) > 1 else "survive"
        start = "Most" if early else f"Most of {those}"
        if sum(shares) < _HALF:
            start, out = "Less than half", "come out at all" if len(shares) > 1 else "survive"
        words.append(f"{start} are likely to {out}{f', where {stars}' if stars else ''}.")
    if silent and len(silent) < len(names):
        words.append(f"{_are(silent)} * at every step.")
    wanting = early == len(shares) or 2 * len(starred) >= len(names) or sum(shares) < _HALF
    return Outlook(groups, " ".join(words), wanting, starred, silent, widest, found.rows is not None)


def _shares(steps: Sequence[StepForecast], groups: Sequence[int], rows: int) -> list[float]:
    """The share of the rows that comes out at each step."""
    left, found = float(rows), []
    for step, possible in zip(steps, groups, strict=True):
        kept = rows_kept(left, float(possible), step.half_survive, _STEEPNESS)
        left -= kept
        found.append(kept / rows)
    return found


def _labels(hierarchies: Mapping[str, Hierarchy], step: StepForecast, name: str) -> int:
    return public_sizes(hierarchies.get(name)).labels[step.levels[name]]


def _says_nothing(hierarchies: Mapping[str, Hierarchy], name: str, level: int) -> bool:
    hierarchy = hierarchies.get(name)
    return level == 1 if hierarchy is None else hierarchy.says_nothing(level)


def _are(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last} are" if others else f"{last} is"
