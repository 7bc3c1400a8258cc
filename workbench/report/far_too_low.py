"""Labels of which a count may be far too low even with what groups gave up: few of the groups they could be are there.

A group that is not in the file counts as 0. How many of a label are not there nobody can tell, but how many there can
be at most: one for each combination of the labels of the other columns. Each mostly had fewer rows than are released
half of the time. Where all these together could be as many rows as are counted, that is said: it follows from the
released rows and the note, and from nothing else.
"""

from __future__ import annotations

from workbench.anonymise.note_versions import COUNTED_EXACTLY, SPELT_AS_IN_FILE
from workbench.core.first_few import first_few
from workbench.core.visible import quoted
from workbench.report.column_labels import column_labels
from workbench.report.few_rows import IN_FEW_ROWS
from workbench.report.first_step import with_given_up
from workbench.report.label_counts import LABEL_COUNTS
from workbench.report.stated_facts import Facts

_NAMED = 3
_LONGEST = 60
"""Letters of one label that a reader is shown."""
_IN_FEW_GROUPS_ONCE = (
    "A count may be far too low, even with what groups gave up, where the groups that a label could make with the "
    "other labels there, but that are not in the file, could hold as many rows"
)
"""The same in notes of version 31, which did not say how many rows that are for each."""
_IN_FEW_GROUPS = (
    "A count may be far too low even with what groups gave up, as few groups with the label are in the file"
)
_RULE = (
    "A count is said to be perhaps far too low where the groups that a label could make with the other labels there, "
    "but that are not in the file, would reach it{larger} with {half} rows each, below which groups mostly gave up all."
)
_LARGER = ", or the rows in the file if these are more,"
"""Where the rows of coarser labels are none of those that are counted with."""


def far_too_low(release: Facts, version: int = COUNTED_EXACTLY) -> dict[tuple[str, str], tuple[int, int]]:
    """Columns and labels of which a count may be far too low: of how many groups each is, and could be.

    Parameters
    ----------
    version
        Of the notes that count so.
    """
    step, found = release["steps"][0], {}
    for name, some in release.get(LABEL_COUNTS, {}).items():
        for label, rows, finest, groups, *could in some:
            counted = max(rows, with_given_up(step, finest, groups, version))
            if could and (could[0] - groups) * step["half_survive"] >= counted:
                found[name, label] = (groups, could[0])
    return found


def in_few_rows_too(release: Facts) -> frozenset[tuple[str, str]]:
    """The columns and labels that are named as of few rows, or belong to such a coarser label."""
    known, found = column_labels(release), set[tuple[str, str]]()
    for name, some in release.get(LABEL_COUNTS, {}).items():
        few = {label for label, _ in release.get(IN_FEW_ROWS, {}).get(name, ())}
        labels = few.union(label for label, *_ in some)
        try:
            coarsest = known[name].at_coarsest(labels) if few and name in known else {}
        except (ArithmeticError, ValueError):  # numbers beyond all, in a note that was received
            coarsest = {}
        found |= {(name, label) for label in labels if coarsest.get(label, label) in few}
    return frozenset(found)


def in_few_groups(release: Facts, version: int = COUNTED_EXACTLY) -> str:
    """The same as a sentence, but for labels of which it is said that a count says next to nothing; "" for none.

    Parameters
    ----------
    version
        Of the notes that word it so.
    """
    told: dict[str, list[str]] = {}
    few = in_few_rows_too(release)
    for (name, label), (groups, could) in far_too_low(release, version).items():
        if (name, label) not in few:
            told.setdefault(name, []).append(f"{_short(label)} in {groups:,} of {could:,} groups")
    said = "; ".join(f"{name} {first_few(some, _NAMED)}" for name, some in told.items())
    if not said:
        return ""
    return f"{_IN_FEW_GROUPS if version >= SPELT_AS_IN_FILE else _IN_FEW_GROUPS_ONCE}: {said}."


def rule_of_few_groups(release: Facts, version: int) -> str:
    """Where that is said in notes of a version, as a sentence; "" where it is said of no label."""
    if not in_few_groups(release, version):
        return ""
    mixed = any(rows != finest for some in release[LABEL_COUNTS].values() for _, rows, finest, *_ in some)
    return _RULE.format(larger=_LARGER * mixed, half=f"{release['steps'][0]['half_survive']:,}")


def _short(label: str) -> str:
    return quoted(label if len(label) <= _LONGEST else f"{label[:_LONGEST]}…")
