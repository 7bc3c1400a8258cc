"""Numbers far from 0 with a small margin: what is printed of them is the answer, and its interval holds as printed."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from workbench.cli.main import main
from workbench.cli.query_output import _shown
from workbench.core.randomness import SeededSource
from workbench.ldp.protocol import PROTOCOLS
from workbench.ldp.report_file import Announcement, write_reports
from workbench.query.answer import AnswerForm, ReleasedAnswer


def answer(value: float, low: float, high: float, shown: str) -> ReleasedAnswer:
    return ReleasedAnswer(AnswerForm.NUMBER, value, (low, high), shown=shown)


@pytest.mark.parametrize(
    ("value", "margin", "shown", "said"),
    [
        (20_250_104.98, 0.05, "20,250,100", "20,250,104.98"),  # six digits: beyond its own bounds
        (100.00052, 0.00001, "100.001", "100.00052"),
        (-1_234_567.5, 3.0, "-1,234,570", "-1,234,567.5"),
        (38.4237, 0.0719, "38.4237", "38.4237"),
        (0.0, 3.0, "0", "0"),
    ],
)
def test_a_number_is_said_with_the_digits_that_its_margin_tells(
    value: float, margin: float, shown: str, said: str
) -> None:
    released = answer(value, value - margin, value + margin, shown)
    assert released.said == said
    assert released.said_between is not None
    low, high = (float(end.replace(",", "")) for end in released.said_between)
    dust = 1e-9 * margin + 1e-11 * abs(value)
    assert low <= value - margin + dust and value + margin - dust <= high
    assert high - low <= 2.3 * margin
    assert said in _shown(released)[0]


def test_dates_and_answers_without_an_interval_are_said_as_they_are_shown() -> None:
    assert answer(18_410.2, 18_409.9, 18_410.4, "2020-05-28").said == "2020-05-28"
    assert ReleasedAnswer(AnswerForm.NUMBER, 12_345_678.5, shown="12,345,700").said == "12,345,700"
    assert ReleasedAnswer(AnswerForm.CHOICE, "7", shown="7").said == "7"


def test_the_band_of_a_mean_of_reports_holds_as_it_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Six digits told of days written as 20250101 that the mean, and both ends, are 20,250,800."""
    people, path = 2_000, tmp_path / "reports.csv"
    said = Announcement(
        PROTOCOLS["duchi"].build(0, 1.0), "day", None, (20_250_101.0, 20_251_231.0), True, people, 1, False
    )
    write_reports(path, said, np.linspace(-1, 1, people), SeededSource(1))
    assert main(["aggregate", str(path)]) == 0
    found = re.search(r"Mean (\S+), .* band (\S+) to (\S+)\.", capsys.readouterr().out)
    assert found is not None
    mean, low, high = (float(text.replace(",", "")) for text in found.groups())
    assert low < mean < high and low < 20_250_666 < high
