"""What published figures say of columns that hardly suit them: few rows, one value, missing or tiny numbers."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.evaluate.test_published_words import captions
from workbench.core.progress import SILENT
from workbench.evaluate.published.agreement import OurValue
from workbench.evaluate.published.catalogue import figure_named
from workbench.evaluate.published.entry import FigureOutcome
from workbench.evaluate.published.winners import told_apart, with_error
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


def said(outcome: FigureOutcome) -> str:
    """Everything that is written of it: on the command line, and below its pictures."""
    return "\n".join((*outcome_lines(outcome), *captions(outcome).values()))


def test_a_tiny_error_is_written_in_digits_and_what_rounding_leaves_is_none() -> None:
    assert with_error(OurValue(6.19e-5, 7.6e-6, 3)) == "0.0000619 ± 0.0000044"
    assert with_error(OurValue(2.5, 4.5e-16, 3)) == "2.500", "sums in another order"
    assert with_error(OurValue(7e-20, 7e-20, 3)) == "0.000"
    assert with_error(OurValue(0.00012, 0.0, 1)) == "0.000120", "of one run no spread is known"
    assert not told_apart(OurValue(7e-20, 7e-20, 3), OurValue(0.0, 0.0, 3))


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
