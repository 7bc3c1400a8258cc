"""Columns of which nobody said what can occur: far more values or intervals may occur than are taken to.

Of ages, years and what is counted one by one the name tells about how far they reach. Of fees, scores and lengths it
does not: they are taken to reach over 16 of their narrowest intervals, and may well reach to 1,000, amounts to
300,000, as hardly any are spread evenly beyond that. Words are taken to be 8, and may well be 30. No row is read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from workbench.core.column_words import is_age, is_body_mass, is_sex, is_small_count, is_year
from workbench.core.covering import is_wide, numbered_width
from workbench.core.hierarchy import Hierarchy
from workbench.core.public_sizes import FEW_VALUES, UNSAID_NUMBERS, public_sizes

_AMOUNTS = 300_000
_WORDS = 30


def possible_labels(name: str, hierarchy: Hierarchy | None, said: Sequence[str] = ()) -> tuple[int, ...]:
    """How many labels a column may well have at each level: more than `public_sizes` where nobody can rely on these.

    Of intervals of one width w, as nobody said how far they reach, ⌈1,000 / w⌉, if the name does not tell it, and
    ⌈300,000 / w⌉ of those as wide as amounts have. Of words that are released as they are, 30.

    Parameters
    ----------
    name
        Of the column.
    hierarchy
        None of a column that is declared to have few public values.
    said
        What somebody says can occur of it (`core.occurring`).
    """
    taken = public_sizes(hierarchy, said)
    if taken.listed or _tells_reach(name):
        return taken.labels
    if hierarchy is None or _is_spelt(hierarchy):
        return tuple(_WORDS if few == FEW_VALUES else few for few in taken.labels)
    widths = (numbered_width(hierarchy, level) for level in range(hierarchy.height + 1))
    return tuple(
        few if width is None else max(few, math.ceil((_AMOUNTS if is_wide(width) else UNSAID_NUMBERS) / width))
        for few, width in zip(taken.labels, widths, strict=True)
    )


def _is_spelt(hierarchy: Hierarchy) -> bool:
    rule = hierarchy.specification
    return rule is not None and rule["builder"] == "spelling"


def _tells_reach(name: str) -> bool:
    return is_sex(name) or is_age(name) or is_year(name) or is_body_mass(name) or is_small_count(name)
