"""How many rows are likely to come out, and at which steps, before anything is spent: from public facts, from no row.

How a table's rows lie in the possible groups is not known. The group of rank r is taken to have rows in proportion to
r^−0.9, which real tables of a few columns come near to. As many groups as there can be have rows if the columns have
nothing to do with each other; where they go together there are fewer, and at the least as many as the column with most
labels has. What is told lies between the first and the geometric mean of both, which real tables come near to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod, sqrt

from workbench.anonymise.chains import EXPECTED_ROWS, rows_kept
from workbench.anonymise.forecast import StepForecast, TrimForecast
from workbench.core.hierarchy import Hierarchy
from workbench.core.number_text import count
from workbench.core.public_sizes import public_sizes

_STEEPNESS = 0.9
_HARDLY = 0.1
_HALF = 0.5
_NEARLY = 97


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
    told
        Columns that say something, on average over the rows; a row that does not come out has none.
    """

    groups: tuple[int, ...]
    words: str
    wanting: bool = False
    starred: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    widest: tuple[str, ...] = ()
    typed: bool = False
    told: float = 0.0


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
    labels = [[_labels(hierarchies, step, name) for name in names] for step in found.steps]
    groups = tuple(prod(some) for some in labels)
    widest = tuple(sorted(names, key=lambda name: -_labels(hierarchies, first, name)))
    rows = found.rows or EXPECTED_ROWS
    apart = _shares(found.steps, groups, rows)
    joined = _shares(found.steps, [sqrt(many * max(some)) for many, some in zip(groups, labels, strict=True)], rows)
    shares = [(one + other) / 2 for one, other in zip(apart, joined, strict=True)]
    early = next((place for place, share in enumerate(shares) if share >= _HARDLY), len(shares))
    main = next((place for place in range(len(shares)) if sum(shares[: place + 1]) >= _HALF), len(shares) - 1)
    dumb = [[name for name in names if _says_nothing(hierarchies, name, step.levels[name])] for step in found.steps]
    starred, silent = tuple(dumb[main]), tuple(dumb[0])
    hopeful = sum(joined)
    words = _early_words(groups, early) if early else []
    words.append(f"{_likely(sum(apart), hopeful, rows, unit, typed=found.rows is not None)}{_by(main, len(shares))}")
    stars = "every column is *" if len(starred) == len(names) else f"{_are(starred)} *" if starred else ""
    words[-1] += f", where {stars}." if stars and early < len(shares) else "."
    if silent and len(silent) < len(names):
        words.append(f"{_are(silent)} * at every step.")
    return Outlook(
        groups,
        " ".join(words),
        early == len(shares) or 2 * len(starred) >= len(names) or hopeful < _HALF,
        starred,
        silent,
        widest,
        found.rows is not None,
        sum(share * (len(names) - len(some)) for share, some in zip(shares, dumb, strict=True)),
    )


def _early_words(groups: Sequence[int], early: int) -> list[str]:
    which = "Step 1 has" if early == 1 else f"Steps 1 to {early:,} have"
    more = " or more" if early > 1 else ""
    return [f"{which} {count(groups[early - 1])} possible groups{more}: hardly anything survives there."]


def _likely(least: float, most: float, rows: int, unit: str, *, typed: bool) -> str:
    low, high = (round(100 * min(share, 1)) for share in (least, most))
    these = f"Of your {count(rows)} {unit}" if typed else f"If there were {count(rows)} {unit},"
    how = "nearly all" if low >= _NEARLY else f"about {high} in 100" if low == high else f"{low} to {high} in 100"
    return f"{these} {how} are likely to come out"


def _by(main: int, steps: int) -> str:
    return f", most by step {main + 1:,}" if steps > 1 else ""


def _shares(steps: Sequence[StepForecast], groups: Sequence[float], rows: int) -> list[float]:
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
