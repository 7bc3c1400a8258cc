"""What published figures say of columns that hardly suit them: few rows, one value, missing or tiny numbers."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from tests.evaluate.published_words_helpers import captions
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT
from workbench.evaluate.preset import PRESETS
from workbench.evaluate.published.agreement import OurValue
from workbench.evaluate.published.beyond_data import OPENDP
from workbench.evaluate.published.catalogue import figure_named
from workbench.evaluate.published.curve_notes import CURVE_NOTES
from workbench.evaluate.published.entry import FigureOutcome
from workbench.evaluate.published.local_runs import LN20
from workbench.evaluate.published.setting_rows import with_set
from workbench.evaluate.published.winners import told_apart, with_error
from workbench.ldp.choice import ProtocolChoice
from workbench.project.model import new_project
from workbench.session import Session
from workbench.session.published_figures import figure_runner, outcome_lines

pytestmark = pytest.mark.timeout(300)


@cache
def of_cells(number: str, cells: tuple[str, ...], bounds: tuple[float, float] | None = (0, 10)) -> FigureOutcome:
    """A figure of a column “x” with these cells, at which may be looked, in three runs."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "cells.csv"
        file.write_text("x\n" + "".join(f"{one}\n" for one in cells))
        made = Session(new_project())
        made.ledger.use_file(Path(folder) / "ledger.jsonl")
        made.data.open(file)
        if bounds is not None:
            made.data.set_bounds("x", bounds)
        made.comparison.look()
        return figure_runner(made.comparison, figure_named(number), "x", repetitions=3)(SILENT)


TWO = ("3", "8")
HUGE = tuple(str(10**13 * number) for number in range(1, 100))


def said(outcome: FigureOutcome) -> str:
    """Everything that is written of it: on the command line, and below its pictures."""
    return "\n".join((*outcome_lines(outcome), *captions(outcome).values()))


def test_a_tiny_error_is_written_in_digits_and_what_rounding_leaves_is_none() -> None:
    assert with_error(OurValue(6.19e-5, 7.6e-6, 3)) == "0.0000619 ± 0.0000044"
    assert with_error(OurValue(2.5, 4.5e-16, 3)) == "2.500", "sums in another order"
    assert with_error(OurValue(7e-20, 7e-20, 3)) == "0.000"
    assert with_error(OurValue(0.00012, 0.0, 1)) == "0.000120", "of one run no spread is known"
    assert not told_apart(OurValue(7e-20, 7e-20, 3), OurValue(0.0, 0.0, 3))


@pytest.mark.parametrize("number", ["table 3.2", "table 3.6"])
def test_where_there_is_no_answer_a_table_says_why_and_no_other_reason(number: str) -> None:
    (*_, panel) = of_cells(number, HUGE, (0, 10**15)).mended.panels
    last = {row[0]: row[-1] for row in panel.rows[1:]}
    curator = last.get("Global DP, discrete noise") or last["Mean"]
    assert curator.startswith("A grid of 1,000,000,000,000,000 steps is too fine.")


def test_what_has_no_answer_is_not_said_to_err_by_nothing() -> None:
    outcome = of_cells("beyond-libraries", HUGE, (0, 10**15))
    text = said(outcome)
    assert "by nothing" not in text
    assert "with diffprivlib (± is one standard error); discrete noise has no answer." in text
    installed = any(one.name == OPENDP for one in outcome.mended.panels[0].curves)
    assert ("OpenDP is not installed" in text) is not installed, "its histogram is drawn"


def test_a_large_error_has_two_digits_and_its_mean_no_more_places() -> None:
    assert with_error(OurValue(2_349_802_194_216.0, 1_999_000_000_000.0, 3)) == "2,300,000,000,000 ± 1,200,000,000,000"
    assert with_error(OurValue(12_345.6, 300.0, 4)) == "12,350 ± 150"
    assert with_error(OurValue(123.4, 26.0, 4)) == "123 ± 13"


def test_a_mean_of_ones_own_column_has_three_digits() -> None:
    rows = {row[0]: row[1] for row in of_cells("table 3.2", ("5", "5", "5", "5.2")).published.panels[1].rows}
    assert rows["Mean"] == "5.05", "of sum and rows a reader computes that"


@pytest.mark.parametrize("number", ["beyond-unary-em", "beyond-values", "beyond-theta", "beyond-reach"])
def test_of_two_rows_a_figure_is_made_and_writes_no_power_of_ten_amid_digits(number: str) -> None:
    assert not re.search(r"\de[-+]?\d", said(of_cells(number, TWO)))


def test_one_person_is_no_people() -> None:
    for number in ("4.2", "4.9", "beyond-estimator", "beyond-unary-em", "beyond-values"):
        text = said(of_cells(number, ("7",)))
        assert not re.search(r"\b1 people", text), number
        assert "one person" in text, number


def test_with_fewer_people_than_are_drawn_a_figure_is_of_all_there_are() -> None:
    for number in ("4.5", "4.6", "4.10", "4.11"):
        published, mended = (side.panels[0] for side in (of_cells(number, TWO).published, of_cells(number, TWO).mended))
        assert [one.places for one in published.curves] == [(2.0,)] * 4, number
        assert all(one.places == (2.0,) for one in mended.curves)


def test_of_a_curve_with_one_place_that_is_said_once() -> None:
    lines = [one for one in outcome_lines(of_cells("4.10", TWO)) if one.endswith(" at 2")]
    assert len(lines) > 4
    assert not any(" at 2, " in one for one in lines)


def test_settings_say_what_is_done_with_numbers_of_ones_own_column() -> None:
    def here(number: str, name: str) -> str:
        return next(row[2] for row in of_cells(number, TWO).settings if row[0] == name)

    bands = "equal bands between the bounds of your column, the outer ones with what is beyond"
    assert here("4.3", "answers") == here("3.5", "bars") == bands, "50 and 19 of them, not its different values"
    assert here("3.1", "bounds") == "of your column; numbers beyond are moved to them"
    drawn = "1 to 1,000,000; more than there are rows, drawn with replacement"
    assert here("beyond-people", "people") == drawn, "and not as many as the column has"
    assert f"people: {drawn}; " in captions(of_cells("beyond-people", TWO))["By Manhattan"]


def test_the_table_of_a_column_has_its_name_its_gaps_and_its_digits() -> None:
    outcome = of_cells("table-3.1", ("", "0.0005", "-0.0012"), (-1, 1))
    first, every = outcome.mended.panels
    assert first.rows == (("x",), ("–",), ("0.0005",), ("-0.0012",))
    assert every.rows == (
        ("x", "here"),
        ("Rows", "3"),
        ("Rows without a number", "1"),
        ("Mean", "−0.000350"),
        ("Least", "−0.00120"),
        ("Greatest", "0.000500"),
    )
    rows = of_cells("table-3.2", ("0.0005", "-0.0012"), (-0.01, 0.01)).mended.panels[0].rows
    assert [row[1] for row in rows[1:]] == ["−0.000350", "−0.000700", "7.22 × 10⁻⁷", "0.000850"]


def test_a_release_that_always_loses_every_row_is_told_and_so_is_what_bounds_moved() -> None:
    outcome = of_cells("table-3.6", ("3", "8", "90", "20"))
    assert outcome.mended.panels[0].rows[1] == ("Sampled release", "no release had rows")
    assert outcome.published.panels[0].rows[0][1] == "Non-DP result, of values moved within the bounds"
    below = captions(outcome)["Mended: error of one release"]
    assert "Errors are means of 100 releases, less those that lost every row, or answers." in below
    assert "releases: 100, less those that lost every row" in below
    with pytest.raises(WorkbenchError, match=r"no two different numbers") as refused:
        of_cells("table-3.6", ("5",) * 9)
    assert refused.value.hint == "Choose a column with at least two."


def test_the_most_frequent_value_is_none_that_is_missing() -> None:
    outcome = of_cells("4.1", (*[""] * 40, *["5"] * 10, *["7"] * 8))
    assert outcome.mended.panels[0].title == "Mended: how many have “5”"


def test_what_a_division_leaves_is_no_error() -> None:
    rows = of_cells("chapter-randomised-response", ("3", "8")).published.panels[0].rows
    assert not any("10⁻" in row[1] for row in rows)


def test_texts_are_not_asked_for_their_bounds() -> None:
    with pytest.raises(WorkbenchError, match=r"holds no numbers, and Figure 3\.1 is about numbers"):
        of_cells("3.1", ("red", "blue", "red"), None)
    with pytest.raises(WorkbenchError, match=r"needs the public bounds of “x”"):
        of_cells("3.1", ("4", "8", "9"), None)


def test_where_there_are_few_values_distance_sensitive_encoding_is_not_said_to_spend_all() -> None:
    def spends(protocol: str, values: int) -> float:
        channel = ProtocolChoice.parse(protocol).frequency(values, LN20).channel()
        assert channel is not None
        return float(np.log(channel.max(axis=0) / channel.min(axis=0)).max())

    assert spends("ds-corrected", 50) == pytest.approx(LN20)
    assert spends("ds-corrected", 2) < 0.2 > spends("ds", 2)
    assert "corrected, spends the whole of each ε, unless there are few values." in " ".join(CURVE_NOTES.values())
    assert "spends at most ln θ(θ + 1)" in CURVE_NOTES["Distance-sensitive"]
    for number, set_otherwise in (("4.9", "Bins"), ("4.10", "Bins"), ("4.11", "ε against people")):
        rows = with_set(figure_named(number).settings, ((set_otherwise, "2"),), figure_named(number).number)
        (mended,) = (here for name, _, here in rows if name == "distance-sensitive")
        assert mended == "its channel inverted by EM with smoothing chosen by the reports", number


def test_errors_of_a_column_of_money_are_in_its_unit() -> None:
    cells = tuple(f'"${1_000 * (one % 9)}.00"' for one in range(60))
    (line,) = (one for one in of_cells("beyond-libraries", cells, (0, 10_000)).differs if "the mean errs" in one)
    assert re.search(r"by \$[\d,.]+ ± [\d,.]+ with diffprivlib and by \$", line)
    outcome = of_cells("beyond-estimator", cells, (0, 10_000))
    assert outcome.published.panels[0].up == "Kantorovich distance, $"
    assert re.search(r"at 60, by [\d,.]+ ± [\d,.]+ \$ against", outcome.differs[0])
    assert of_cells("beyond-estimator", TWO).published.panels[0].up == "Kantorovich distance, units of the column"


def test_the_mean_of_all_amounts_errs_by_nothing() -> None:
    cells = tuple(str(one / 7e6) for one in range(1, 40))
    curves = of_cells("3.9", cells, (0, 0.001)).published.panels[0].curves
    (every,) = (one for one in curves if one.name.startswith("Mean of all"))
    assert set(every.means) == {0.0}


def test_a_choice_with_blanks_in_it_is_told_from_the_next() -> None:
    (sample,) = (one for one in PRESETS["surgery-mean"].params if one.name == "sample")
    with pytest.raises(WorkbenchError, match="“smooth” is none of “with its tail”, “no tail”"):
        sample.check("smooth")


def test_of_many_values_it_is_said_that_only_some_have_a_bit() -> None:
    many = of_cells("chapter-unary-encoding", tuple(str(one % 33) for one in range(100)))
    assert many.published.panels[0].title == "Published settings, run here, the 20 most frequent of 33 values"
    assert many.mended.panels[0].title == "Mended: mean error, the 20 most frequent of 33 values"
    assert of_cells("chapter-unary-encoding", TWO).published.panels[0].title == "Published settings, run here"


def test_where_the_true_mean_is_0_it_is_said_why_nothing_errs_in_percent() -> None:
    cells, why = ("-5", "5") * 9, "A true value is 0, so its error in percent has no limit."
    table = of_cells("table-3.6", cells, (-10, 10)).mended.panels[0]
    assert {row[1] for row in table.rows[1:]} == {why}
    assert f"  Trimmed release: {why}" in outcome_lines(of_cells("3.9", cells, (-10, 10)))


def test_a_mean_of_money_stands_with_its_unit_in_the_tables_of_the_data() -> None:
    for number in ("table-3.1", "table-3.3"):
        rows = of_cells(number, ("€10.50", "€20.00", "€4.00"), (0, 100)).mended.panels[1].rows
        assert rows[1:] == (("Rows", "3"), ("Mean, €", "11.50"), ("Least, €", "4.00"), ("Greatest, €", "20.00"))


def test_of_one_person_it_is_said_that_there_is_one() -> None:
    (panel,) = of_cells("chapter-randomised-response", TWO, None).published.panels
    assert panel.rows[1][0] == "Estimated with “3”, of whom there is 1"


def test_a_level_whose_releases_all_lost_their_rows_is_said_to_have_no_mean() -> None:
    rows = of_cells("table-3.6", tuple(str(one) for one in range(600)), (0, 1000)).published.panels[0].rows
    assert [labels for labels, *_ in rows[1:]] == [f"here, means of {many} amounts" for many in (256, 128, 64, 32)]
    assert rows[-1][1:] == ("299.50", "no release had rows")


def test_what_em_leaves_where_it_stops_is_no_larger_error() -> None:
    """Of one person both ways give the same error but for 4 in a million."""
    lines = of_cells("beyond-unary-em", ("45",), (0, 120)).differs
    assert all("from the same bits, these two cannot be told apart" in one for one in lines[:2])
