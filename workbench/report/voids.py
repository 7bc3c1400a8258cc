"""The ways in which the guarantee of a trimmed release can break, at the end of its statement."""

from __future__ import annotations

from workbench.anonymise.note_versions import SAID_ONCE, VALUES_BOUNDED
from workbench.report.stated_facts import Facts
from workbench.report.statement_parts import counted_in, known_in

VOIDS_OF_TRIMMING = (
    "Publishing how many rows were given up, by one group or by all, or these rows themselves.",
    "Publishing true counts beside the file: of people or rows, in the table or in some group of it.",
    "Drawing again and publishing the draw that pleases, or deciding about publication by what only the analyst sees.",
    "Choosing levels, steps, columns, ε or δ by this data or true figures of it, other than by a private draw counted "
    "in ε.",
    "More rows of a person than were accounted for, or a bound on them that was read off this data, and neither known "
    "beforehand nor enforced.",
    "Labels made from the data, such as intervals that end at its smallest or largest value, or averages.",
    "Publishing which values no hierarchy lists, or how many.",
    "Adding a column that did not take part in the grouping, or keeping or publishing the original order of the rows.",
    "Publishing the random numbers, how long the run took, or the size, date or fingerprint of the table's file.",
    "Another release of the same data that is not added up with this one.",
)
"""The ways in which the guarantee of trimming can break, in plain words."""

_COUNTS_APART = (
    "Publishing true counts beside the file: how many people, or rows, are in the table or in some group of it."
)
_COUNTS_OF_ROWS = "Publishing true counts beside the file: how many rows the table has, or some group of it."
"""That in notes before version 18."""

_VOIDS_ONCE = (
    "Publishing how many rows were given up, by one group or by all, or these rows themselves.",
    _COUNTS_APART,
    "Drawing again and publishing the draw that pleases, or deciding about publication by what only the analyst sees.",
    "Choosing levels, steps, columns, ε or δ by looking at this data or at true figures of it, other than by a private "
    "draw counted in ε.",
    "More rows per person than were accounted for.",
    "A bound on the rows of one person that was read off this data, and neither known beforehand nor enforced.",
    "Labels made from the data: ends of intervals at its smallest or largest value, averages of its values.",
    "Publishing which values no hierarchy lists, or how many.",
    "Adding a column that did not take part in the grouping.",
    "Keeping or publishing the original order of the rows.",
    "Publishing the random numbers that were drawn, how long the run took, or the size, date or fingerprint of the "
    "table's file.",
    "Another release of the same data that is not added up with this one.",
)
"""The same in notes before version 31, in more words."""


_IF_PICKED = 2
_IF_KNOWN = (
    "Publishing how many rows one group gave up, or these rows themselves.",
    "Publishing true counts beside the file other than the number that is known of the whole table.",
)
_IF_CHOSEN = (
    "Choosing among draws that are not counted here, or deciding about publication by what only the analyst sees.",
    "Choosing levels, steps, columns, ε or δ by anything of this data that is not counted here.",
)


def voids_of_trimmed(release: Facts, version: int) -> tuple[str, ...]:
    """The ways in which the guarantee can break; a choice among releases that are counted is none.

    Parameters
    ----------
    version
        Of the notes that word it so.
    """
    every = VOIDS_OF_TRIMMING if version >= SAID_ONCE else _VOIDS_ONCE
    voids = every if not known_in(release) else (*_IF_KNOWN, *every[_IF_PICKED:])
    if version < VALUES_BOUNDED:
        voids = tuple(_COUNTS_OF_ROWS if one == _COUNTS_APART else one for one in voids)
    if not counted_in(release):
        return voids
    return (*voids[:_IF_PICKED], *_IF_CHOSEN, *voids[_IF_PICKED + len(_IF_CHOSEN) :])
