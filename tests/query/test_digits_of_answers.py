"""Numbers far from 0 with a small margin: what is printed of them is the answer, and its interval holds as printed."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

import workbench as wb
from workbench.cli.main import main
from workbench.cli.query_output import _shown
from workbench.core.randomness import SeededSource
from workbench.ldp.protocol import PROTOCOLS
from workbench.ldp.report_file import Announcement, write_reports
from workbench.plots import answer_interval
from workbench.query.answer import AnswerForm, ReleasedAnswer
from workbench.session import Session
from workbench.session.answer_chart import interval_chart
from workbench.session.query_words import interval_words, range_words


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


@pytest.mark.parametrize(
    ("value", "low", "high", "shown", "ends"),
    [
        (18_410.2, 18_409.9, 18_410.4, "2020-05-28", ("2020-05-27", "2020-05-29")),
        (18_410.0, 18_409.0, 18_411.0, "2020-05-28", ("2020-05-27", "2020-05-29")),
        (-0.5, -1.5, 0.5, "1969-12-31", ("1969-12-30", "1970-01-02")),
        (86_400.5, 86_399.2, 86_401.0, "1970-01-02 00:00:00", ("1970-01-01 23:59:59", "1970-01-02 00:00:01")),
    ],
)
def test_the_ends_of_a_date_or_a_time_are_such_and_rounded_outwards(
    value: float, low: float, high: float, shown: str, ends: tuple[str, str]
) -> None:
    released = answer(value, low, high, shown)
    assert released.said_between == ends
    assert f"{shown} (95 %: {ends[0]} to {ends[1]})" in _shown(released)[0]
    outwards = "" if low.is_integer() and high.is_integer() else ", rounded outwards,"
    assert f"between {ends[0]} and {ends[1]}{outwards} with 95 %" in interval_words(released)
    assert range_words(released) == f"with 95 %: {ends[0]} to {ends[1]}"


@pytest.mark.parametrize(
    ("column", "lower", "upper", "read"),
    [
        ("day", "1990-01-01", "2030-01-01", "%Y-%m-%d"),
        ("at", "2020-01-01 00:00:00", "2020-01-02 00:00:00", "%Y-%m-%d %H:%M:%S"),
    ],
)
def test_the_interval_of_a_mean_of_dates_holds_as_it_is_printed_wherever_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], column: str, lower: str, upper: str, read: str
) -> None:
    """Days and seconds since 1970 with six digits were printed: of seconds both ends were one moment, hours away."""
    path = tmp_path / "t.csv"
    lines = (f"20{one % 20:02}-01-1{one % 9},2020-01-01 10:{one % 60:02}:00\n" for one in range(600))
    path.write_text("day,at\n" + "".join(lines), encoding="utf-8")
    asks = ["query", str(path), "--query", "mean", "--column", column, "--lower", lower, "--upper", upper]
    assert main([*asks, "--epsilon", "1"]) == 0
    printed = capsys.readouterr().out
    found = wb.open(path).ask("mean", column, epsilon=1, lower=lower, upper=upper)
    assert found.stored and found.interval is not None
    moments = r"([0-9][0-9: -]+) \(95 %: ([0-9: -]+) to ([0-9: -]+)\)"
    texts = re.search(moments, printed)
    assert texts is not None and texts[0] in repr(found)
    value, low, high = (datetime.strptime(one, read).replace(tzinfo=UTC) for one in texts.groups())
    unit = 86_400 if column == "day" else 1
    assert low <= value <= high
    assert low.timestamp() <= found.interval[0] * unit and found.interval[1] * unit <= high.timestamp()
    assert high.timestamp() - low.timestamp() < (found.interval[1] - found.interval[0] + 2) * unit

    session = Session()
    session.data.open(path)
    (paid,) = session.queries.answers()
    between = f"between {texts[2]} and {texts[3]}"
    assert between in interval_words(paid.told, paid.limited, paid.whose_value)
    chart = interval_chart(paid)
    assert chart is not None and f"lies {between}:" in answer_interval.describe(chart)
    figure = found.figure()
    figure.canvas.draw()
    (axes,) = figure.axes
    said = [one.get_text() for one in axes.texts]
    assert texts[1] in said and texts[2] in said and texts[3] in said
    assert all(re.fullmatch(r"[0-9]{4}-[0-9: -]+", one.get_text()) for one in axes.get_xticklabels())


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
