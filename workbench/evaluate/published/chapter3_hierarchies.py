"""Tables 3.4 and 3.5 of the thesis: hierarchies."""

from __future__ import annotations

import json
from statistics import pvariance

from workbench.core.building import build_hierarchy
from workbench.core.number_text import NONE, count, percent, with_places
from workbench.core.paths import resources
from workbench.core.schema import ColumnSpec, Kind
from workbench.core.table import Column
from workbench.evaluate.made_hierarchies import pairs_of_means
from workbench.evaluate.published.agreement import OurValue, PublishedValue
from workbench.evaluate.published.chapter3 import GLOBAL, LEVELS
from workbench.evaluate.published.entry import FigureInput, FigureSide, Tell
from workbench.evaluate.published.frame import table
from workbench.evaluate.published.panel import MENDED, PRINTED
from workbench.evaluate.samples import TableRows

# Table 3.4

_AGES = ("1", "3", "5", "10", "18")
_PRINTED_AGES = (
    ("1", "0-4", "0-9", "*"),
    ("3", "0-4", "0-9", "*"),
    ("5", "5-9", "0-9", "*"),
    ("10", "10-14", "10-19", "*"),
    ("18", "15-20", "10-19", "*"),
)
_LABELS, _LAST = "The other 14 labels", "Age 18, 2nd level"


def _age_rows() -> TableRows:
    """The shipped bands of 5 and 10 years; those of 20, which the table has not, are left out."""
    plain = json.loads((resources() / "hierarchies" / "age.json").read_text(encoding="utf-8"))
    built = {row[0]: (row[0], row[1], row[2], row[-1]) for row in build_hierarchy(plain, _AGES).rows()}
    return tuple(built[age] for age in _AGES)


_LEVELS = ("1st level", "2nd level", "3rd level", "4th level")
_ROW, _LEVEL = _AGES.index("18"), 1
"""Where the printed table is wrong."""


def _end(band: str) -> float:
    return float(band.partition("-")[2])


def _labels(ours: TableRows) -> dict[str, OurValue]:
    """The label that is wrong as it is here, and how many of the others are as printed; ages are no labels."""
    labels = [
        one == other
        for place, (own, printed) in enumerate(zip(ours, _PRINTED_AGES, strict=True))
        for level, (one, other) in enumerate(zip(own, printed, strict=True))
        if level and (place, level) != (_ROW, _LEVEL)
    ]
    band = ours[_ROW][_LEVEL]
    return {
        _LAST: OurValue(_end(band), written=band),
        _LABELS: OurValue(float(sum(labels)), written=f"{count(sum(labels))} equal"),
    }


TABLE_3_4 = GLOBAL.figure(
    "Table 3.4",
    34,
    "Generalisation",
    "Each level joins groups of the one before. Within a level no value may lie in two groups.",
    settings=(("bands", "5 and 10 years", "5 and 10 years, from the shipped hierarchy of ages"),),
    values=(
        PublishedValue(_LAST, _end(_PRINTED_AGES[_ROW][_LEVEL]), written=_PRINTED_AGES[_ROW][_LEVEL]),
        PublishedValue(_LABELS, 14.0, many=14, written="14 labels"),
    ),
    published=lambda given, tell: FigureSide((table(PRINTED, (_LEVELS, *_PRINTED_AGES)),), _labels(_age_rows())),
    mended=lambda given, tell: FigureSide((table(MENDED, (_LEVELS, *_age_rows())),)),
    differs=(
        "The printed band 15-20 has six ages, and 20 would also be in the next band, 20-24; here it is 15-19. "
        "Nor does 15-20 lie within 10-19, its group at the next level. All other labels are equal.",
    ),
)

# Table 3.5

_AMOUNTS = ("79568", "502491", "522738", "898310", "1000000", "1228026")
_PRINTED_MEANS = (
    (291_029.0, 500_776.0),
    (291_029.0, 500_776.0),
    (710_524.0, 500_776.0),
    (710_524.0, 500_776.0),
    (1_114_013.0, 1_220_739.0),
    (1_114_013.0, 1_220_739.0),
)


def _pairs() -> TableRows:
    column = Column.from_texts("salary", _AMOUNTS)
    return tuple(row[:3] for row in pairs_of_means(column, ColumnSpec("salary", Kind.INTEGER), 7).rows())


def _lost_variance() -> float:
    """The share of the variance of the printed amounts that their means of pairs no longer have."""
    each, paired = (pvariance([float(row[level]) for row in _pairs()]) for level in (0, 1))
    return 1 - paired / each


_PLACES = (0, 2, 2)
"""Decimals of the labels of a level, as means of four whole numbers need them: the same wherever a label stands."""


def _written(row: tuple[str, ...]) -> tuple[str, ...]:
    cells = tuple(with_places(float(cell), places) for cell, places in zip(row, _PLACES, strict=True))
    return (*cells[:2], NONE) if row[0] in _OF_TWO else cells


# Each label is compared once, whatever amounts have it.
_COMPARED = (("79568", 1), ("79568", 2), ("522738", 1), ("1000000", 1), ("1000000", 2))
_OF_TWO = ("1000000", "1228026")
"""Their label at the 3rd level is the mean of these and of two amounts that are not printed: nothing here can tell."""
_OF_UNPRINTED = (_OF_TWO[0], 2)
_NTH = ("1st", "2nd", "3rd")
_HEADING = tuple(f"{one} level" for one in _NTH)


def _key(amount: str, level: int) -> str:
    """By what the label of an amount at a level above the first is kept and called in files."""
    return f"{count(int(amount))}, {_NTH[level]} level"


def _printed_label(amount: str, level: int) -> PublishedValue:
    printed, known = _PRINTED_MEANS[_AMOUNTS.index(amount)][level - 1], (amount, level) != _OF_UNPRINTED
    basis = "cut to whole numbers" if known else "two of its four amounts are not printed"
    what = f"Label of {count(int(amount))} at the {_NTH[level]} level"
    return PublishedValue(what, printed, 1.0 if known else printed, basis=basis, key=_key(amount, level))


def _pair_table(given: FigureInput, tell: Tell) -> FigureSide:
    rows = tuple(
        (count(int(amount)), *map(count, means)) for amount, means in zip(_AMOUNTS, _PRINTED_MEANS, strict=True)
    )
    ours = {row[0]: row for row in _pairs()}
    numbers = {}
    for amount, level in _COMPARED:
        label = float(ours[amount][level])
        numbers[_key(amount, level)] = OurValue(label, written=with_places(label, max(_PLACES)))
    printed = ((*_HEADING, "…", "7th level"), *((*row, "…", "*") for row in rows))
    return FigureSide((table(PRINTED, printed),), numbers)


TABLE_3_5 = GLOBAL.figure(
    "Table 3.5",
    36,
    "Means of pairs",
    "Labels that are means of the data depend on its rows, so a release with them is not differentially private.",
    settings=(
        ("levels", LEVELS, "the first 3, of six amounts"),
        ("labels", "cut to whole numbers", "with decimals"),
        ("thousands", "set apart by points. Here: by commas", "by commas"),
    ),
    values=tuple(_printed_label(amount, level) for amount, level in _COMPARED),
    published=_pair_table,
    mended=lambda given, tell: FigureSide(
        (table("Computed from the six printed amounts", (_HEADING, *map(_written, _pairs()))),)
    ),
    differs=(
        "The label 1,220,739 must be the mean of 1,114,013 and of a pair that is not printed, whose mean is then about "
        "1,327,465. From the six printed amounts alone it cannot be computed.",
        "The labels alone already reveal something of the amounts, as they are their means.",
        "The text says that with means the sum, the mean and the variance stay the same (p. 34). By means of pairs the "
        f"variance of the six printed amounts falls by {percent(_lost_variance(), 2)}; sum and mean are sure to stay "
        "the same only where both amounts of every pair have equally many rows.",
    ),
)
