"""Labels of a file that stand in too few rows to be counted: counted in the released rows, and in nothing else.

Few is fewer than a group gives up on average at the last step, which follows from ε, δ and the rows per person. Only
columns whose labels are all of one level are looked at: so whoever has the file can count again without a hierarchy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from workbench.core.first_few import first_few
from workbench.core.hierarchy import ANY
from workbench.core.visible import quoted
from workbench.report.recheck_original import as_compared
from workbench.report.stated_facts import Facts

IN_FEW_ROWS = "in_few_rows"
_NAMED = 3
_LONGEST = 60
"""Letters of one label that a reader is shown."""


def of_one_level(release: Facts) -> tuple[str, ...]:
    """Columns of the file with a hierarchy whose labels, but for `*`, are all of one level."""
    at = release["after"]["one_level"]
    every = [step["levels"] for step in release["steps"]]
    steps = every[at - 1 : at] if at else every
    found = []
    for column in release["columns"]:
        if "hierarchy" not in column:
            continue
        named, levels = column["hierarchy"].get("levels", ()), [step.get(column["name"]) for step in steps]
        told = [one for one in levels if not (isinstance(one, int) and one in range(len(named)) and named[one] == ANY)]
        if told and all(one == told[0] for one in told) and isinstance(told[0], int):
            found.append(column["name"])
    return tuple(found)


def fewest(release: Facts) -> float:
    """The rows of which fewer are too few to be counted."""
    return float(release["steps"][-1]["mean_lost"])


def few_of(rows: Mapping[str, int], least: float) -> list[list[str | int]]:
    """Labels in fewer rows than that, as they are compared, each with its rows, in order.

    Parameters
    ----------
    rows
        By label how many rows have it.
    """
    found: Counter[str] = Counter()
    for label, some in rows.items():
        found[as_compared(label)] += some
    return [[label, some] for label, some in sorted(found.items()) if 0 < some < least and label not in (ANY, "")]


def in_few_rows(release: Facts) -> str:
    """Which labels stand in too few rows of the file to be counted, as a sentence; "" if there is none."""
    said = [
        f"{name} {first_few([f'{_short(label)} in {rows:,}' for label, rows in few], _NAMED)}"
        for name, few in release.get(IN_FEW_ROWS, {}).items()
    ]
    return f"In too few rows to be counted: {'; '.join(said)}." if said else ""


def _short(label: str) -> str:
    return quoted(label if len(label) <= _LONGEST else f"{label[:_LONGEST]}…")
