"""Labels of a file that stand in too few rows to be counted: counted in the released rows, and in nothing else.

Few is fewer than a group gives up on average at the last step, which follows from ε, δ and the rows per person. Only
columns are looked at whose labels are all of one level, or of intervals: so whoever has the file can count again
without a hierarchy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from workbench.anonymise.note_versions import READ_ONCE
from workbench.core.first_few import first_few
from workbench.core.hierarchy import ANY
from workbench.core.unsaid import are_intervals, in_widest
from workbench.core.visible import quoted
from workbench.report.recheck_original import as_compared
from workbench.report.stated_facts import Facts

IN_FEW_ROWS = "in_few_rows"
IN_SO_FEW = "In so few rows that a count says next to nothing"
"""How the labels are named in statements, beside their rows."""
_NAMED = 3
_LONGEST = 60
"""Letters of one label that a reader is shown."""


def levels_of(release: Facts) -> dict[str, tuple[str, ...]]:
    """Columns of the file with a hierarchy, each with the words for its levels but for `*`, the finest first.

    Only those are among them whose labels are of one level, or of intervals of several widths.
    """
    at = release["after"]["one_level"]
    every = [step["levels"] for step in release["steps"]]
    steps, found = every[at - 1 : at] if at else every, {}
    for column in release["columns"]:
        if "hierarchy" in column:
            named = column["hierarchy"].get("levels", ())
            levels = [level for step in steps if isinstance(level := step.get(column["name"]), int)]
            words = {level: str(named[level]) if level in range(len(named)) else "" for level in levels}
            told = tuple(words[level] for level in words if words[level] != ANY)
            if len(told) == 1 or (told and all(map(are_intervals, told))):
                found[column["name"]] = told
    return found


def at_coarsest(words: Sequence[str], labels: Collection[str]) -> dict[str, str]:
    """Labels of a column, each with that of its coarsest level, such as itself; nothing if that cannot be seen.

    Parameters
    ----------
    words
        From `levels_of`.
    """
    some = {label for label in labels if label not in (ANY, "")}
    return in_widest(words, some) if len(words) > 1 else {label: label for label in some}


def fewest(release: Facts) -> float:
    """The rows of which fewer are too few to be counted."""
    return float(release["steps"][-1]["mean_lost"])


def few_of(rows: Mapping[str, int], words: Sequence[str], least: float) -> list[list[str | int]]:
    """Labels of the coarsest level in fewer rows than that, as they are compared, each with its rows, in order.

    Parameters
    ----------
    rows
        By label how many rows have it.
    words
        From `levels_of`.
    """
    there = {as_compared(label) for label, some in rows.items() if some}
    return few_at(rows, at_coarsest(words, there), least)


def few_at(rows: Mapping[str, int], coarsest: Mapping[str, str], least: float) -> list[list[str | int]]:
    """The same, where it is known under which label of the coarsest level each stands, as they are compared."""
    alike: Counter[str] = Counter()
    for label, some in rows.items():
        alike[as_compared(label)] += some
    found: Counter[str] = Counter()
    for label, one in coarsest.items():
        found[one] += alike[label]
    return [[label, some] for label, some in sorted(found.items()) if some < least]


def in_few_rows(release: Facts, version: int) -> str:
    """Which labels stand in too few rows of the file to be counted, as a sentence; "" if there is none.

    Parameters
    ----------
    version
        Of the notes that word it so.
    """
    said = [
        f"{name} {first_few([f'{_short(label)} in {rows:,}' for label, rows in few], _NAMED)}"
        for name, few in release.get(IN_FEW_ROWS, {}).items()
    ]
    few = IN_SO_FEW if version >= READ_ONCE else "In too few rows to be counted"
    return f"{few}: {'; '.join(said)}." if said else ""


def _short(label: str) -> str:
    return quoted(label if len(label) <= _LONGEST else f"{label[:_LONGEST]}…")
