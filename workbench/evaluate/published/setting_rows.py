"""Settings of a published figure that is made of the user's own column, or with something set otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from workbench.evaluate.samples import TableRows

OF_YOURS, THE_SAME = "of your column", "the same"
"""Words in place of the settings in `_OF_THE_DATA` where the figure is of the user's own column."""
_BEYOND = "; numbers beyond are moved to them"
_BANDS = "equal bands between the bounds of your column, the outer ones with what is beyond"
_IN_WORDS = MappingProxyType({"bounds": f"{OF_YOURS}{_BEYOND}", "bars": _BANDS, "answers": _BANDS})
"""The same of those settings that say too little so: its numbers are moved or counted in bands."""
_OF_THE_DATA = frozenset(
    ("bounds", "rows", "data", "column", "people", "reports", "answers", "bars", "occupations"),
)
"""Settings that one's own column has instead."""
PEOPLE_DRAWN = "1 to 1,000,000; above 20,000 drawn with replacement"
_DRAWN_FROM_THEM = MappingProxyType({PEOPLE_DRAWN: "1 to 1,000,000; more than there are rows, drawn with replacement"})
"""Settings on data that are drawn from one's own column as from the sample, and what they are there."""
_OF_THE_AXIS = "drawn"
"""The setting that says how far the printed axis goes, at which curves of one's own column are not cut off."""
_HERE = re.compile(r"[.;,] [Hh]ere: .*")
"""What a setting as it was published adds on how the sample is run."""


def of_your_column(rows: TableRows, *, of_a_sample: bool) -> TableRows:
    """The settings where the figure is of the user's own column: nothing in them is said of other data.

    Parameters
    ----------
    of_a_sample
        Whether it is usually made of a sample, of which all that is said of data is then said. Else some of it may be
        by formula, and only what was to be the same as published is not.
    """
    return tuple(_of_yours(*row) if of_a_sample or row[2] == THE_SAME else row for row in rows)


def _of_yours(name: str, there: str, here: str) -> tuple[str, str, str]:
    if name in _OF_THE_DATA and here not in _DRAWN_FROM_THEM:
        return name, _HERE.sub("", there), _IN_WORDS.get(name, OF_YOURS)
    here = _DRAWN_FROM_THEM.get(here, here)
    return (name, _HERE.sub("", there), here) if name == _OF_THE_AXIS else (name, there, here)


_OF_THE_NUMBER = "δ"
"""The setting that follows from how many rows there are, which one's own table has otherwise than the published one."""


def run_of_yours(row: tuple[str, str, str], usual: TableRows) -> str:
    """A setting as it was published, in a run of the user's own column; "" where it holds of the print alone.

    Parameters
    ----------
    usual
        The settings of the figure where it is made of the sample.
    """
    name, there, here = row
    if name == _OF_THE_NUMBER:
        return here
    if name in _OF_THE_DATA:  # what is mended may be by formula, and then no words stand for both sides
        return _IN_WORDS.get(name, OF_YOURS)
    return "" if name == _OF_THE_AXIS and row not in usual else there


AS_SET, OF_THE_SET_SAMPLE = "as set", "of the sample that is set"
_BOUNDS_AS_SET = f"{AS_SET}{_BEYOND}"
STAND_INS = frozenset((OF_YOURS, *_IN_WORDS.values(), AS_SET, _BOUNDS_AS_SET, OF_THE_SET_SAMPLE))
"""Words on the mended side that hold for both."""


@dataclass(frozen=True)
class _Stale:
    """A setting that no longer holds where something is set.

    Parameters
    ----------
    name
        Of the setting.
    here
        The words that stand in its place on the mended side; "" where those there hold all the same.
    numbers
        The figures in which it is so; in all where there are none.
    there
        What the published side adds in the place of how it is run otherwise.
    """

    name: str
    here: str = AS_SET
    numbers: tuple[str, ...] = ()
    there: str = ""


_REPEATED = f". Here: 136,000 {OF_THE_SET_SAMPLE}, by repeating it"
_NOT_REPEATED = _Stale("rows", "", ("Figure 3.4",), there=". Here: every row once")
"""Rows are repeated until they fill the published bars alone."""
_CUT_OFF = _Stale(_OF_THE_AXIS, "", ("Figure 3.9",), there=". Here: ours are cut off there")
"""Which curves lie beyond the printed axis is known of the sample with the usual settings alone, so all are drawn."""
SMOOTHED = "EM with smoothing chosen by the reports"
"""The usual estimator of protocols that use distances."""
INVERTED = f"its channel inverted by {SMOOTHED}"
"""What is mended of distance-sensitive encoding, whatever is set: what its corrected form spends is not."""
_SPENT = _Stale("distance-sensitive", INVERTED)
SPENT_AT_LN20 = "ln 20 = 3.00, of which THE spends 2.27 and RAPPOR 1.02"
_WHOLE = 8
"""With so many values, or more, a reach of 4 spends the whole of ln 20."""
_SPENT_OF_FEW = _Stale(
    "ε",
    f"{SPENT_AT_LN20}; with fewer than {_WHOLE} answers distance-sensitive encoding spends less too",
    ("Figure 4.10", "Figure 4.11"),
)
_OF_BOUNDS = (
    _Stale("bounds", _BOUNDS_AS_SET),
    _Stale("bars"),
    _Stale("answers", numbers=("Figure 4.2",)),
    _NOT_REPEATED,
    _CUT_OFF,
)
_BY_PEOPLE = ("Figure 4.5", "Figure 4.6", "Figure 4.10", "Figure 4.11")
_STALE = MappingProxyType(
    {
        "Sample": (
            _Stale("column", OF_THE_SET_SAMPLE),
            # In table 3.2 and figure 3.1 no number of rows is that of the sample.
            _Stale("rows", OF_THE_SET_SAMPLE, ("Figure 3.2", "Figure 3.5", "Figure 3.6")),
            # Repeated rows are made as published alone, so no words stand for both sides.
            _Stale("rows", f"all {OF_THE_SET_SAMPLE}", ("Figure 3.4",), _REPEATED),
            _CUT_OFF,
        ),
        "Lower bound": _OF_BOUNDS,
        "Upper bound": _OF_BOUNDS,
        "Bins": (_Stale("bars"), _Stale("answers"), _SPENT, _SPENT_OF_FEW, _NOT_REPEATED),
        "ε of the histograms": (_Stale("ε", numbers=("Figure 3.4",)),),
        "Level of the pairs": (
            _Stale("levels", "", there=". Here: as set"),
            _CUT_OFF,
        ),
        "People against ε": (_Stale("people", numbers=("Figure 4.3", "Figure 4.4"), there=". Here: as set"),),
        "ε against people": (_Stale("ε", numbers=_BY_PEOPLE), replace(_SPENT, numbers=_BY_PEOPLE)),
    }
)
"""The settings that each parameter of a preset replaces, by what that is called."""


_REACHES = MappingProxyType(
    {
        "ε of the histograms": ("Figure 3.4",),
        "People against ε": ("Figure 4.3", "Figure 4.4"),
        "ε against people": _BY_PEOPLE,
        "Counts as yes": ("Figure 4.1", "Randomised response"),
    }
)
"""The figures that a parameter of a preset changes, by what it is called; one that is not here changes all."""


_NOT_AS_PUBLISHED = MappingProxyType({"Public intervals": (), "Counts as yes": ("Figure 4.1",)})
"""The parameters that the side made as published does not use: in these figures, in all where there are none."""
_NOT_MENDED = frozenset(("Level of the pairs",))
"""The parameters that the mended side does not use."""
NOT_USED, HERE = "not used", "Here: "


def changes_published(words: str, number: str) -> bool:
    """Whether a parameter that reaches a figure changes the side that is made as published."""
    unused = _NOT_AS_PUBLISHED.get(words)
    return unused is None or (bool(unused) and number not in unused)


def _as_set(words: str, value: str, number: str) -> tuple[str, str, str]:
    """The row of a parameter that is set: which of both sides uses it."""
    there, here = f"{HERE}{value}", "the same"
    if not changes_published(words, number):
        there, here = f"{HERE}{NOT_USED}", value
    elif words in _NOT_MENDED:
        here = NOT_USED
    return f"{words} (set)", there, here


def reaches(words: str, number: str) -> bool:
    """Whether a parameter changes a figure: the others of a preset are still as they were published."""
    return number in _REACHES.get(words, (number,))


def with_set(rows: TableRows, changed: Sequence[tuple[str, str]], number: str) -> TableRows:
    """The settings of a figure with what is set otherwise as rows of their own: none of the others still denies it."""
    found = (one for words, _ in changed for one in _STALE.get(words, ()) if not one.numbers or number in one.numbers)
    stale: dict[str, _Stale] = {}
    for one in found:
        known = stale.get(one.name, one)  # what replaces more stays
        stale[one.name] = replace(one if one.here else known, there=one.there or known.there)
    return (*_replaced(rows, stale), *(_as_set(words, value, number) for words, value in changed))


def _replaced(rows: TableRows, stale: dict[str, _Stale]) -> Iterable[tuple[str, str, str]]:
    for name, there, here in rows:
        one = stale.get(name)
        if one is None:
            yield name, there, here
        elif name == _OF_THE_AXIS:  # of one's own column nothing is cut off there, and nothing is said of it
            yield name, _HERE.sub(one.there, there), one.here or here
        else:
            yield name, _HERE.sub("", there) + one.there, one.here or here
