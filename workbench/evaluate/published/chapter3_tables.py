"""Tables 3.1 to 3.5 of the thesis: the data, general statistics and hierarchies."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np

from workbench.core.building import build_hierarchy
from workbench.core.number_text import NONE, count, estimate, exact, with_places
from workbench.core.paths import resources
from workbench.core.quick_reading import read_values
from workbench.core.schema import ColumnSpec, Kind
from workbench.core.table import Column, Table
from workbench.evaluate.experiment_run import run
from workbench.evaluate.made_hierarchies import pairs_of_means
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.published.agreement import OurValue, PublishedValue
from workbench.evaluate.published.chapter3 import CHARGES, GLOBAL, LEVELS, charges
from workbench.evaluate.published.chapter3_histograms import SALARIES
from workbench.evaluate.published.entry import FigureInput, FigureSide, Make, Tell
from workbench.evaluate.published.frame import FigureSweep, table
from workbench.evaluate.published.originals import variance_row
from workbench.evaluate.published.panel import MENDED, PRINTED, RUN_HERE
from workbench.evaluate.question import Floats, Question, Statistic
from workbench.evaluate.samples import TableRows
from workbench.evaluate.subject import ExperimentData, subject_of

# Tables 3.1 and 3.3: the data

_GREATEST, _LEAST, _MEAN, _ROWS = "Greatest payment", "Least payment", "Mean payment", "Rows"
_TRUE_MEAN, _PRIVATE_MEAN, _LARGEST = 13_167.38, 13_167.31, 434_396.0
_IN_CODE = (
    f"the author's code has {exact(_TRUE_MEAN)} and {exact(_PRIVATE_MEAN)}, an error of "
    f"{estimate(_TRUE_MEAN - _PRIVATE_MEAN, 1)}."
)
"""What the author's code shows where table 3.2 prints a mean."""


def _of_whom(given: FigureInput) -> str:
    return "your table" if given.own else "the sample"


def _numbers_of(given: FigureInput) -> Floats:
    column = given.material.table[given.column]
    numbers = read_values(column.values, given.material.schema[given.column])[column.codes]
    found: Floats = numbers[np.isfinite(numbers)]
    return found


def _facts(given: FigureInput) -> dict[str, OurValue]:
    """What the sample has in place of the published data."""
    numbers, rows = _numbers_of(given), float(len(given.material.table[given.column]))
    amounts = {_MEAN: float(numbers.mean()), _LEAST: float(numbers.min()), _GREATEST: float(numbers.max())}
    return {
        _ROWS: OurValue(rows),
        # The same number looks the same wherever it stands.
        **{name: OurValue(amount, written=with_places(amount, 2)) for name, amount in amounts.items()},
    }


def _printed(title: str, *rows: tuple[str, ...]) -> Make:
    """The printed rows."""

    def make(given: FigureInput, tell: Tell) -> FigureSide:
        return FigureSide((table(title, rows),), _facts(given))

    return make


def _first_rows(given: FigureInput, tell: Tell) -> FigureSide:
    every = given.material.table
    heading = tuple(column.name for column in every.columns)
    rows = every.pick(range(min(3, every.rows)))
    found = (
        (given.column.capitalize(), "here"),
        *((name.removesuffix(" payment"), one.written or count(one.mean)) for name, one in _facts(given).items()),
    )
    whose = _of_whom(given)
    return FigureSide((table(f"First rows of {whose}", (heading, *rows)), table(f"All rows of {whose}", found)))


TABLE_3_1 = GLOBAL.of(CHARGES).figure(
    "Table 3.1",
    23,
    "Surgery charges",
    f"The greatest payment is {estimate(_LARGEST / _TRUE_MEAN, 2)} times the mean; that is why bounds, sensitivity and "
    "clipping matter. The sample was made to have about the values below: that they agree proves nothing.",
    settings=(
        ("rows", "200,000 (text); 202,655 (author's code)", "202,655"),
        ("data", "payments to hospitals", "synthetic, of the same shape"),
    ),
    values=(
        PublishedValue(
            _MEAN, _TRUE_MEAN, 0.01 * _TRUE_MEAN, source="author's code", made=True, code=True, basis="sample ± 1 %"
        ),
        PublishedValue(_LEAST, 2_320.48, source="author's data", made=True, code=True),
        PublishedValue(_GREATEST, _LARGEST, source="author's data", made=True, code=True),
    ),
    published=_printed(
        "As printed, without ID and hospital",
        ("Surgery Type", "Hospital City", "Total", "Medicare"),
        ("TRANSPLANT", "PHOENIX", "$240422.80", "$133509.55"),
        ("ECMO", "LA MESA", "$193617.86", "$192003.43"),
        ("CRANIOTOMY", "STANFORD", "$32597.87", "$29347.12"),
    ),
    mended=_first_rows,
    differs=(
        "The thesis prints three rows, which are not in the sample, and speaks of 200,000 entries (p. 23). The three "
        "values compared here are printed nowhere: they come from the author's code and data, and the sample was made "
        "to have them.",
        f"Table 3.2 prints 13,168.5 as the true mean and 13,167.3 as the private answer; {_IN_CODE}",
        "ID and hospital of the printed rows are left out here, as nothing is compared with them. The sample has "
        "neither, and no cities, as its rows describe nobody; payments, except for the least and the greatest, are "
        "multiples of $5.",
        "The start page offers another sample, “Surgery payments”: 200,000 rows as in the text, with more columns, but "
        "none of the largest payments. For tables 3.1 and 3.2 and figures 3.1 and 3.2, “Surgery payments with their "
        "tail” has the 202,655 rows of the author's code, and payments as large.",
    ),
    bounded=False,
    seconds=0.5,
)
TABLE_3_3 = GLOBAL.of(SALARIES).figure(
    "Table 3.3",
    28,
    "City salaries",
    "Two amounts for each row, annual and gross earnings; the sample has both, as annual salary and gross pay.",
    settings=(("rows", "13,000 (text); 154,648 (author's code)", "13,811"), ("data", "named employees", "synthetic")),
    published=_printed(
        "As printed, without names",
        ("Job Title", "Annual Earnings", "Gross"),
        ("Utilities Inst Repair I", "32470.0", "25743.94"),
        ("Police Officer", "60200.0", "57806.13"),
        ("Council Technician", "53640.0", "59361.55"),
    ),
    mended=_first_rows,
    differs=(
        "The names that are printed are left out here.",
        "The text speaks of 13,000 entries (p. 28), the author's code reads 154,648; the sample has 13,811 rows.",
        "Figure 3.4 leaves out the lowest salaries: its first bar begins at $15,789, by the code of p. 28.",
    ),
    bounded=False,
    seconds=0.3,
)


# Table 3.2

_STATISTICS = (
    (Statistic.MEAN, "Mean of all"),
    (Statistic.SUM, "Sum of California"),
    (Statistic.VARIANCE, "Variance of California"),
    (Statistic.DEVIATION, "Deviation of California"),
)
"""What they are kept as and called in files."""
_WORDS = {
    "Mean of all": "Mean, all rows",
    "Sum of California": "Sum, California",
    "Variance of California": "Variance, California",
    "Deviation of California": "Standard deviation, California",
}


def _california(material: ExperimentData) -> ExperimentData:
    """The rows of California, where there are states."""
    names = [column.name for column in material.table.columns]
    if "state" not in names:
        return material
    state = material.table["state"]
    kept = np.flatnonzero(state.codes == state.values.index("CA"))
    return ExperimentData(
        Table(tuple(column.take(kept) for column in material.table.columns)),
        material.schema,
        {},
        f"{material.key} of CA",
    )


def _statistics(given: FigureInput, method: str) -> tuple[TableRows, dict[str, OurValue]]:
    rows: list[tuple[str, ...]] = [("statistic", "true", "mean error at ε = 1")]
    numbers = {}
    there = _california(given.material)
    for number, (statistic, name) in enumerate(_STATISTICS):
        material = given.material if statistic is Statistic.MEAN else there

        def question(given: FigureInput, statistic: Statistic = statistic) -> Question:
            return charges(given, statistic)

        step = given.progress.part(number / len(_STATISTICS), (number + 1) / len(_STATISTICS))
        experiment = FigureSweep(name, question, (MethodChoice(method),), (1.0,)).experiment(given)
        (point,) = run(experiment, material, progress=step).points
        truth = float(subject_of(material, experiment.question).truth[0])
        spread = point.error_of_mean * math.sqrt(point.repetitions) if point.repetitions > 1 else 0.0
        off, true = estimate(point.mean, 3), with_places(truth, 1)
        numbers[_PRIVATE.format(name)] = OurValue(point.mean, spread, point.repetitions, off)
        shown = _WORDS[name].partition(",")[0] if given.own else _WORDS[name]
        rows.append((shown, true, off))
        numbers[name] = OurValue(truth, written=true)
    # In print the row of the variance has sums, which its own deviation shows.
    squared = variance_row.DEVIATION**2
    numbers["Variance of California"] = OurValue(squared, written=with_places(squared, 1))
    numbers[_PRIVATE.format(_SUM_AGAIN)] = numbers[_PRIVATE.format("Sum of California")]
    return tuple(rows), numbers


_PRIVATE = "{}: private answer off by"
_OF_ALL = "California in the author's code"
_SUM_AGAIN = "Sum of California again"
_PRINTED_STATISTICS = table(
    PRINTED,
    (
        ("query", "true", "private"),
        ("Mean value", "13,168.5", "13,167.3"),
        ("Sum", "262,754,253.1", "262,935,459.3"),
        (f"Variance ({variance_row.MARK})", "262,754,253.1", "261,940,796.5"),
        ("Standard deviation", "18,855.1", "25,825.0"),
    ),
)


def _truth(name: str, value: float, reading: float, **rest: Any) -> PublishedValue:
    return PublishedValue(_WORDS[name], value, reading, key=name, **rest)


def _printed_error(name: str, true: float, private: float, mark: str = "") -> PublishedValue:
    """How far one printed answer is from the printed truth: one draw, beside the mean error of many here."""
    off = round(abs(private - true), 1)
    return PublishedValue(
        f"{_WORDS.get(name, name)}: error",
        off,
        repetitions=1,
        mark=mark,
        skewed=True,
        follows="|answer − truth|",
        key=_PRIVATE.format(name),
    )


def _as_printed(given: FigureInput, tell: Tell) -> FigureSide:
    tell((_PRINTED_STATISTICS,))
    rows, numbers = _statistics(given, "global-diffprivlib")
    return FigureSide((_PRINTED_STATISTICS, table(f"{RUN_HERE}: {_of_whom(given)}", rows)), numbers)


TABLE_3_2 = GLOBAL.of(CHARGES, 100).figure(
    "Table 3.2",
    23,
    "Statistics",
    "One private answer says little; the mean error of many says what to expect. Wide bounds cost the variance most, "
    "as its noise grows with the square of their width. The sample was made to have about this mean and this sum: that "
    "they agree proves nothing.",
    settings=(
        ("bounds", "0 to 1,000,000 (p. 22); none for the mean (p. 23)", "0 to 1,000,000"),
        ("rows", "all for the mean, California for the rest (author's code)", "the same"),
        ("ε", "none named (p. 23); 1 by default", "1"),
        ("mechanism", "Laplace, cut at the bounds (diffprivlib)", "discrete Laplace"),
        ("ε protects", "replacing a row", "adding or leaving out a row; replacing one at 2ε"),
        ("private answers", "one each", "100 each, and their mean error"),
    ),
    values=(
        _truth("Mean of all", 13_168.5, 131.685, made=True, basis="sample ± 1 %"),
        _truth(
            "Sum of California",
            variance_row.SUM,
            0.012 * variance_row.SUM,
            mark=_OF_ALL,
            made=True,
            basis="sample ± 1.2 %",
        ),
        _truth(
            "Variance of California",
            variance_row.VARIANCE_ROW,
            variance_row.ROUNDED,
            mark=variance_row.MARK,
            basis="here the printed deviation squared, which is cut",
        ),
        _truth(
            "Deviation of California",
            variance_row.DEVIATION,
            0.1 * variance_row.DEVIATION,
            mark=_OF_ALL,
            basis="another sample: ± 10 %",
            judged=True,
        ),
        _printed_error("Mean of all", 13_168.5, 13_167.3),
        _printed_error("Sum of California", variance_row.SUM, variance_row.SUM_PRIVATE),
        replace(
            _printed_error(_SUM_AGAIN, variance_row.VARIANCE_ROW, variance_row.VARIANCE_PRIVATE, variance_row.MARK),
            what=f"{_WORDS['Sum of California']}: error in the row of the variance",
        ),
        _printed_error("Deviation of California", variance_row.DEVIATION, variance_row.DEVIATION_PRIVATE),
    ),
    published=_as_printed,
    mended=lambda given, tell: FigureSide(
        (table(f"{MENDED}: the number of rows is private too", _statistics(given, "global-grid")[0]),)
    ),
    differs=(
        variance_row.FLAW.audit,
        "Sum, variance and standard deviation are of California alone (author's code); the text does not say so.",
        "The mean was asked without bounds (p. 23), so the library took them from the data, and no ε holds.",
        f"The table prints a mean of 13,168.5, and 13,167.3 as the private answer; {_IN_CODE}",
        "Page 23 gives one error only: 1 dollar, for the mean. Here each is the distance of the printed answer from "
        "the printed truth; in the row of the variance both are sums, and so it is compared with errors of the sum.",
    ),
    seconds=3.0,
)


# Tables 3.4 and 3.5: hierarchies

_AGES = ("1", "3", "5", "10", "18")
_PRINTED_AGES = (
    ("1", "0-4", "0-9", "*"),
    ("3", "0-4", "0-9", "*"),
    ("5", "5-9", "0-9", "*"),
    ("10", "10-14", "10-19", "*"),
    ("18", "15-20", "10-19", "*"),
)
_CELLS, _LAST = "The other 19 cells", "Age 18, 2nd level"


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


def _cells(ours: TableRows) -> dict[str, OurValue]:
    """The cell that is wrong as it is here, and how many of the others are as printed."""
    cells = [
        one == other
        for place, (own, printed) in enumerate(zip(ours, _PRINTED_AGES, strict=True))
        for level, (one, other) in enumerate(zip(own, printed, strict=True))
        if (place, level) != (_ROW, _LEVEL)
    ]
    band = ours[_ROW][_LEVEL]
    return {
        _LAST: OurValue(_end(band), written=band),
        _CELLS: OurValue(float(sum(cells)), written=f"{count(sum(cells))} equal"),
    }


TABLE_3_4 = GLOBAL.figure(
    "Table 3.4",
    34,
    "Generalisation",
    "Each level joins groups of the one before. Within a level no value may lie in two groups.",
    settings=(("bands", "5 and 10 years", "the same, from the shipped hierarchy of ages"),),
    values=(
        PublishedValue(_LAST, _end(_PRINTED_AGES[_ROW][_LEVEL]), written=_PRINTED_AGES[_ROW][_LEVEL]),
        PublishedValue(_CELLS, 19.0, many=19, written="19 cells"),
    ),
    published=lambda given, tell: FigureSide((table(PRINTED, (_LEVELS, *_PRINTED_AGES)),), _cells(_age_rows())),
    mended=lambda given, tell: FigureSide((table(MENDED, (_LEVELS, *_age_rows())),)),
    differs=(
        "The printed band 15-20 has six ages, and 20 would also be in the next band, 20-24; here it is 15-19. "
        "Nor does 15-20 lie within 10-19, its group at the next level. All other cells are equal.",
    ),
)
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


_PLACES = (0, 2, 2)
"""Decimals of the labels of a level, as means of four whole numbers need them: the same wherever a label stands."""


def _written(row: tuple[str, ...]) -> tuple[str, ...]:
    cells = tuple(with_places(float(cell), places) for cell, places in zip(row, _PLACES, strict=True))
    return (*cells[:2], NONE) if row[0] in _OF_TWO else cells


_COMPARED = (("79568", 1), ("79568", 2), ("522738", 1), ("522738", 2), ("1000000", 1), ("1000000", 2))
_OF_TWO = ("1000000", "1228026")
"""Their label at the 3rd level is the mean of these and of two amounts that are not printed: nothing here can tell."""
_OF_UNPRINTED = (_OF_TWO[0], 2)
_HEADING = ("1st level", "2nd level", "3rd level")


def _label(amount: str, level: int) -> str:
    """What the label of an amount at a level above the first is called."""
    return f"{count(int(amount))}, {'2nd' if level == 1 else '3rd'} level"


def _printed_label(amount: str, level: int) -> PublishedValue:
    printed, known = _PRINTED_MEANS[_AMOUNTS.index(amount)][level - 1], (amount, level) != _OF_UNPRINTED
    basis = "cut to whole numbers" if known else "two of its four amounts are not printed"
    return PublishedValue(_label(amount, level), printed, 1.0 if known else printed, basis=basis)


def _pair_table(given: FigureInput, tell: Tell) -> FigureSide:
    rows = tuple(
        (count(int(amount)), *map(count, means)) for amount, means in zip(_AMOUNTS, _PRINTED_MEANS, strict=True)
    )
    ours = {row[0]: row for row in _pairs()}
    numbers = {}
    for amount, level in _COMPARED:
        label = float(ours[amount][level])
        written = NONE if (amount, level) == _OF_UNPRINTED else with_places(label, max(_PLACES))
        numbers[_label(amount, level)] = OurValue(label, written=written)
    printed = ((*_HEADING, "…", "7th level"), *((*row, "…", "*") for row in rows))
    return FigureSide((table(PRINTED, printed),), numbers)


TABLE_3_5 = GLOBAL.figure(
    "Table 3.5",
    36,
    "Means of pairs",
    "Labels that are means of the data depend on its rows, so a release with them is not differentially private.",
    settings=(
        ("levels", LEVELS, "the first 3, of six amounts"),
        ("labels", "cut to whole numbers", "kept"),
        ("thousands", "set apart by points", "by commas, on the left too"),
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
    ),
)
