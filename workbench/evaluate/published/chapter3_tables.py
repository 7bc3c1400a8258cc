"""Tables 3.1 to 3.3 of the thesis: the data, and general statistics."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from workbench.core.number_text import NONE, count, estimate, exact, spelled, with_places
from workbench.core.quick_reading import read_values
from workbench.core.table import Table
from workbench.evaluate.experiment_run import run
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.published.agreement import OurValue, PublishedValue
from workbench.evaluate.published.chapter3 import CHARGES, GLOBAL, ROWS, UPPER, charges
from workbench.evaluate.published.chapter3_histograms import SALARIES
from workbench.evaluate.published.entry import FigureInput, FigureSide, Make, Tell
from workbench.evaluate.published.experiment_runs import unit_of
from workbench.evaluate.published.frame import FigureSweep, in_decimals, of_the_sample, table
from workbench.evaluate.published.originals import variance_row
from workbench.evaluate.published.panel import MENDED, PRINTED, RUN_HERE, PanelWords
from workbench.evaluate.question import Floats, Question, Statistic
from workbench.evaluate.samples import TableRows
from workbench.evaluate.subject import ExperimentData, subject_of

# Tables 3.1 and 3.3: the data

_GREATEST, _LEAST, _MEAN, _ROWS = "Greatest payment", "Least payment", "Mean payment", "Rows"
_WITHOUT = "Rows without a number"
_TRUE_MEAN, _PRIVATE_MEAN, _SMALLEST, _LARGEST = 13_167.38, 13_167.31, 2_320.48, 434_396.0
_IN_CODE = (
    f"the author's code has {exact(_TRUE_MEAN)} and {exact(_PRIVATE_MEAN)}, an error of "
    f"{estimate(_TRUE_MEAN - _PRIVATE_MEAN, 1)}."
)
"""Numbers that the author's code shows where table 3.2 prints a mean."""


def _of_whom(given: FigureInput) -> str:
    return "your table" if given.own else "the sample"


def _numbers_of(given: FigureInput) -> Floats:
    column = given.material.table[given.column]
    numbers = read_values(column.values, given.material.schema[given.column])[column.codes]
    found: Floats = numbers[np.isfinite(numbers)]
    return found


def _facts(given: FigureInput) -> dict[str, OurValue]:
    """Values of the sample in place of those of the published data."""
    numbers, rows = _numbers_of(given), len(given.material.table[given.column])
    amounts = {_MEAN: float(numbers.mean()), _LEAST: float(numbers.min()), _GREATEST: float(numbers.max())}
    return {
        _ROWS: OurValue(float(rows)),
        **({_WITHOUT: OurValue(float(rows - len(numbers)))} if len(numbers) < rows else {}),
        # The same number looks the same wherever it stands.
        **{name: OurValue(amount, written=in_decimals(amount, 2, own=given.own)) for name, amount in amounts.items()},
    }


def _printed(title: str, *rows: tuple[str, ...]) -> Make:
    """The printed rows."""

    def make(given: FigureInput, tell: Tell) -> FigureSide:
        return FigureSide((table(title, rows),), _facts(given))

    return make


def _first_rows(given: FigureInput, tell: Tell) -> FigureSide:
    every = given.material.table
    heading = tuple(column.name for column in every.columns)
    symbol = unit_of(given) if given.own else "$"
    unit = f", {symbol}" if symbol else ""
    rows = tuple(tuple(cell or NONE for cell in row) for row in every.pick(range(min(3, every.rows))))
    found = (
        (given.column if given.own else given.column.capitalize(), "here"),
        *(
            (f"{name.removesuffix(' payment')}{unit if one.written else ''}", one.written or count(one.mean))
            for name, one in _facts(given).items()
        ),
    )
    whose = _of_whom(given)
    return FigureSide((table(f"First rows of {whose}", (heading, *rows)), table(f"All rows of {whose}", found)))


_OF_TAIL = f"The greatest payment is {estimate(_LARGEST / _TRUE_MEAN, 2)} times the mean;"
TABLE_3_1 = GLOBAL.of(CHARGES).figure(
    "Table 3.1",
    23,
    "Surgery charges",
    f"{_OF_TAIL} that is why bounds, sensitivity and clipping matter. The sample was made to have the least and the "
    "greatest payment of the author's data, and nearly the mean in the author's code: that they agree tests nothing.",
    settings=(
        ("rows", "200,000 (text); 202,655 (author's code)", "202,655"),
        ("data", "payments to hospitals", "synthetic, with payments as large"),
    ),
    values=(
        PublishedValue(
            f"{_MEAN}, $",
            _TRUE_MEAN,
            0.01 * _TRUE_MEAN,
            source="author's code",
            made=True,
            code=True,
            basis="sample ± 1 %",
            key=_MEAN,
        ),
        PublishedValue(f"{_LEAST}, $", _SMALLEST, source="author's data", made=True, code=True, key=_LEAST),
        PublishedValue(f"{_GREATEST}, $", _LARGEST, source="author's data", made=True, code=True, key=_GREATEST),
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
        "The thesis prints three rows, and speaks of 200,000 entries (p. 22–23). ID and hospital of these rows are "
        "left out here, as nothing is compared with them.",
        of_the_sample(
            "The three values compared here are printed nowhere: they come from the author's code and data, and the "
            "sample was made to have the least and the greatest payment, and nearly the mean."
        ),
        f"Table 3.2 prints 13,168.5 as the true mean and 13,167.3 as the private answer; {_IN_CODE}",
        of_the_sample(
            "No printed row is in the sample, whose rows describe nobody and have states and total payments only: no "
            "types of surgery, cities or Medicare payments. Payments, except for the least and the greatest, are "
            "multiples of $5."
        ),
        of_the_sample(
            "The start page offers another sample, “Surgery payments”: 200,000 rows as in the text, with more columns, "
            "but none of the largest payments. Tables 3.1 and 3.2 and figures 3.1 and 3.2 are made of “Surgery "
            "payments with their tail”: as many rows as in the author's code, 202,655, and payments as large."
        ),
    ),
    bounded=False,
    seconds=0.5,
    words={PRINTED: PanelWords("Three of the rows, each far above the mean.")},
)
_TWO_AMOUNTS = "Two amounts for each row, annual and gross earnings;"
TABLE_3_3 = GLOBAL.of(SALARIES).figure(
    "Table 3.3",
    28,
    "City salaries",
    f"{_TWO_AMOUNTS} the sample has both, as annual salary and gross pay; 137 rows have no gross pay.",
    settings=(
        ("rows", "13,000 (text); 154,648 (author's code); 13,811 (figure 3.7)", "13,811"),
        ("data", "named employees", "synthetic"),
    ),
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
        "Of the printed rows only the first is as in figure 3.7 (p. 32). In the picture $60,200 stand beside "
        "“Facilities/Off…”, a police officer has $53,640 and a council technician $64,823: each of the other two rows "
        "is put together from several.",
        "The text speaks of 13,000 entries (p. 28), the author's code reads 154,648, and figure 3.7 shows 13,811 "
        "(p. 32).",
        "Figure 3.4 leaves out the lowest salaries: its first bar begins at $15,789, by the code of p. 28.",
    ),
    bounded=False,
    seconds=0.3,
    words={PRINTED: PanelWords("Two amounts for each row, annual and gross earnings.")},
)


# Table 3.2

_STATISTICS = (
    (Statistic.MEAN, "Mean of all"),
    (Statistic.SUM, "Sum of California"),
    (Statistic.VARIANCE, "Variance of California"),
    (Statistic.DEVIATION, "Deviation of California"),
)
"""Statistics, with the names that they are kept as and have in files."""
_WORDS = {
    "Mean of all": "Mean, all rows",
    "Sum of California": "Sum, California",
    "Variance of California": "Variance, California",
    "Deviation of California": "Standard deviation, California",
}
_DOLLARS = {name: "$²" if name.startswith("Variance") else "$" for name in _WORDS}


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
    rows: list[tuple[str, ...]] = []
    numbers, beyond = {}, 0
    there = given.material if given.own else _california(given.material)
    for number, (statistic, name) in enumerate(_STATISTICS):
        material = given.material if statistic is Statistic.MEAN else there

        def question(given: FigureInput, statistic: Statistic = statistic) -> Question:
            return charges(given, statistic)

        step = given.progress.part(number / len(_STATISTICS), (number + 1) / len(_STATISTICS))
        experiment = FigureSweep(name, question, (MethodChoice(method),), (1.0,)).experiment(given)
        (point,) = run(experiment, material, progress=step).points
        subject = subject_of(material, experiment.question)
        truth, beyond = float(subject.truth[0]), beyond + subject.beyond
        spread = point.error_of_mean * math.sqrt(point.repetitions) if point.repetitions > 1 else 0.0
        off = point.problem or spelled(estimate(point.mean, 3))
        true = in_decimals(truth, 1, own=given.own)
        numbers[_PRIVATE.format(name)] = OurValue(point.mean, spread, point.repetitions, off)
        shown, unit = _WORDS[name], _DOLLARS[name]
        if given.own:
            shown, unit = shown.partition(",")[0], subject.unit
        rows.append((f"{shown}, {unit}" if unit else shown, true, off))
        numbers[name] = OurValue(truth, written=true)
    # In print the row of the variance has sums, which its own deviation shows.
    squared = variance_row.DEVIATION**2
    numbers["Variance of California"] = OurValue(squared, written=count(squared))
    numbers[_PRIVATE.format(_SUM_AGAIN)] = numbers[_PRIVATE.format("Sum of California")]
    true = "true, of values moved within the bounds" if beyond else "true"
    return (("statistic", true, "mean error at ε = 1"), *rows), numbers


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
    return PublishedValue(f"{_WORDS[name]}, {_DOLLARS[name]}", value, reading, key=name, **rest)


def _printed_error(name: str, true: float, private: float, mark: str = "") -> PublishedValue:
    """How far one printed answer is from the printed truth: one draw, beside the mean error of many here."""
    off = round(abs(private - true), 1)
    return PublishedValue(
        f"{_WORDS.get(name, name)}: error, $",
        off,
        repetitions=1,
        mark=mark,
        skewed=True,
        follows="|answer − truth|",
        key=_PRIVATE.format(name),
    )


_BOUNDED = "; the mean with bounds too"


def _as_printed(given: FigureInput, tell: Tell) -> FigureSide:
    tell((_PRINTED_STATISTICS,))
    rows, numbers = _statistics(given, "global-diffprivlib")
    return FigureSide((_PRINTED_STATISTICS, table(f"{RUN_HERE}: {_of_whom(given)}{_BOUNDED}", rows)), numbers)


_OF_MANY = (
    "the mean error of many says what to expect. Wide bounds cost the variance most, as its noise grows with the "
    "square of their width."
)
_LIKE_PRINT = "The sample was made to have about the printed mean and the printed sum: that they agree tests nothing."
TABLE_3_2 = GLOBAL.of(CHARGES, 100).figure(
    "Table 3.2",
    23,
    "Statistics",
    f"One private answer says little; {_OF_MANY} {_LIKE_PRINT}",
    settings=(
        (
            "bounds",
            "$0 to $1,000,000 (p. 22); none for the mean (p. 23). Here: the same for the mean, as no ε holds without "
            "bounds",
            "$0 to $1,000,000",
        ),
        ("rows", "all for the mean, California for the rest (author's code)", "the same"),
        ("ε", "none named (p. 23); 1 by default", "1"),
        (
            "mechanism",
            "diffprivlib: Laplace, cut at the smallest and the largest possible answer; for the variance, of which the "
            "deviation is the root, drawn again until between them",
            "discrete Laplace",
        ),
        ("ε protects", "replacing a row", "adding or leaving out a row; replacing one at 2ε or less"),
        ("private answers", "one each. Here: 100 each, and their mean error", "100 each, and their mean error"),
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
        replace(
            _truth(
                "Variance of California",
                variance_row.VARIANCE_ROW,
                variance_row.ROUNDED,
                mark=variance_row.MARK,
                basis="18,855.1 is cut after one decimal",
            ),
            what="Variance, California, $²: here the printed deviation squared",
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
            what="Row “Variance” (the sum again): error, $",
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
        "The mean was asked without bounds (p. 23), so the library took them from the data, and no ε holds; one "
        f"row moves a mean between the least and the greatest payment (author's data) by "
        f"${with_places((_LARGEST - _SMALLEST) / ROWS, 2)} at most. Between the bounds of the others (p. 22) that "
        f"would have been ${with_places(UPPER / ROWS, 2)}.",
        f"The table prints a mean of 13,168.5, and 13,167.3 as the private answer; {_IN_CODE}",
        "Page 23 gives one error only: 1 dollar, for the mean. Here each is the distance of the printed answer from "
        "the printed truth; in the row of the variance both are sums, and so it is compared with errors of the sum.",
    ),
    seconds=3.0,
    words={
        PRINTED: PanelWords("One private answer to each question."),
        RUN_HERE: PanelWords(f"{_OF_MANY[0].upper()}{_OF_MANY[1:]} {_LIKE_PRINT}"),
        MENDED: PanelWords(f"{_OF_MANY[0].upper()}{_OF_MANY[1:]}"),
    },
)
