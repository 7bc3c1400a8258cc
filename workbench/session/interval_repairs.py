"""Ways to mend an attached list whose intervals do not hold their numbers, and what each makes of it."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.anonymise.origins import made_from_data
from workbench.core.builder_suggestions import public_specification
from workbench.core.hierarchy import Hierarchy
from workbench.core.interval_labels import misplaced_words
from workbench.core.interval_repair import corrected_intervals
from workbench.core.level_words import interval_words
from workbench.core.schema import ColumnSpec


@dataclass(frozen=True)
class IntervalRepairs:
    """Faults of a list, and what would mend it; no row is read for any of it.

    Parameters
    ----------
    wrong
        Which numbers stand in intervals that do not hold them, in a sentence; "" where none does.
    corrected, corrected_words
        The list with labels that hold them, as public as the list is, and one that changes; None where labels alone
        do not mend it.
    rule_words
        What the rule that is suggested for the column makes of numbers; "" where it makes no intervals.
    """

    wrong: str = ""
    corrected: Hierarchy | None = None
    corrected_words: str = ""
    rule_words: str = ""


def interval_repairs(hierarchy: Hierarchy, spec: ColumnSpec) -> IntervalRepairs:
    """What is wrong with the intervals of a column's hierarchy and what would mend it."""
    wrong = misplaced_words(hierarchy)
    if not wrong:
        return IntervalRepairs()
    made, by_rule = corrected_intervals(hierarchy), interval_words(public_specification(spec))
    # Labels that are the ends of a list with gaps would pass for made from the data, whatever was said of the list.
    if made is None or (made_from_data(made.hierarchy, spec) and not made_from_data(hierarchy, spec)):
        return IntervalRepairs(wrong, rule_words=by_rule)
    return IntervalRepairs(wrong, made.hierarchy, f"Same groups; “{made.before}” becomes “{made.after}”.", by_rule)
