"""An answer within bounds that were found first says the same wherever it is read: what it is really of."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import workbench as wb
from workbench.cli.main import main
from workbench.core.schema import PrivacyUnit, UnitAnswer
from workbench.query.catalogue import QueryDraft
from workbench.query.ledger_table import ledger_table
from workbench.query.relevance import limited_by
from workbench.report.certificate_words import answers_in_words
from workbench.session import Session
from workbench.session.answer_files import as_csv, as_json
from workbench.session.beyond_bounds import counted_beyond
from workbench.session.noise_alone import noise_alone, told_with_noise
from workbench.session.query_answers import PaidAnswer

VALUES = {"column": "pay", "lower": "0", "upper": "100000", "figure": "mean"}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Nearly all values are far below the public bounds, and two are far above what can be found."""
    path = tmp_path / "pay.csv"
    numbers = [17.0 * (one % 50) for one in range(1998)] + [90_000.0] * 2
    path.write_text("pay\n" + "\n".join(map(str, numbers)) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def session(table: Path) -> Session:
    made = Session()
    made.data.open(table)
    made.data.set_unit(PrivacyUnit(protected=UnitAnswer.SAID))
    return made


def asked(session: Session, kind: str = "narrowed", **values: str) -> PaidAnswer:
    return session.queries.ask(QueryDraft(kind, "2", {**(VALUES if kind == "narrowed" else {}), **values}))


def said_by_command(capsys: pytest.CaptureFixture[str], table: Path, *more: str) -> str:
    words = ["--query", "narrowed", "--column", "pay", "--bounds", "0,100000", "--resolution", "1", "--epsilon", "2"]
    assert main(["query", str(table), *words, *more]) == 0
    return capsys.readouterr().out


def test_window_library_files_and_command_say_the_same_of_one_answer(
    table: Path, session: Session, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    printed = json.loads(said_by_command(capsys, table, "--json"))
    text = said_by_command(capsys, table)
    mine = wb.open(table).ask("narrowed", "pay", epsilon=2, lower=0, upper=100_000, resolution=1)
    (answered,) = session.queries.answers()
    alone = noise_alone(answered)  # what the window shows
    assert alone is not None and alone.released.interval is not None
    low, high = alone.released.interval
    lower, upper = (float(one.replace(",", "")) for one in alone.bounds)
    assert (lower, upper) != (0, 100_000), "else nothing is told apart"
    limited = f"values limited to {alone.bounds[0]}…{alone.bounds[1]} and rounded to steps of 1"
    saved, rows = json.loads(as_json(answered)), as_csv(answered)
    found: Any = {"low": low, "high": high, "of": alone.of, "bounds": [one.replace(",", "") for one in alone.bounds]}

    assert mine.stored and mine.value == printed["answer"] == saved["answer"]["value"] == answered.released.value
    assert printed["limited"] == saved["limited"] == mine.limited == limited and limited in alone.of
    assert printed["noise_alone"] == saved["noise_alone"] == found
    assert printed["interval"] is None and saved["answer"]["interval"] is None and mine.interval is None
    assert mine.noise_alone == (low, high)
    ends = f"(95 %: {alone.within[0]} to {alone.within[1]} for the noise alone, of {limited})"
    assert ends in repr(mine)
    assert alone.sentence in text and f"Of {limited}." in text and "100,000…" not in text
    assert f"# of: {limited}\n" in rows and f"# bounds found first: {alone.sentence}\n" in rows
    assert "# at least, at most: between these with 95 % confidence: mean of values limited to" in rows
    heading, line = list(csv.reader(io.StringIO(rows)))[-2:]
    assert heading == ["", "value", "at least", "at most"]
    assert [float(one) for one in line[1:]] == pytest.approx([answered.released.value, low, high])
    (note,) = answered.released.notes
    assert "no interval for the mean of all values" in note and "one for the noise alone" in note

    of_answer = " ".join(answers_in_words(answered.entry))
    assert of_answer.endswith(f", of {limited}"), "nor does a page about it name the bounds that were asked for"

    out = tmp_path / "ledger.csv"
    assert main(["ledger", str(table), "--csv", str(out)]) == 0
    with out.open(encoding="utf-8", newline="") as stream:
        (entry,) = csv.DictReader(stream)
    assert json.loads(entry["answer"])["answers"][0]["noise_alone"] == found


def test_the_part_that_is_recorded_is_the_one_its_noise_was_drawn_for_and_the_charge_is_as_it_was(
    session: Session,
) -> None:
    answered = asked(session)
    alone = noise_alone(answered)
    assert alone is not None
    span = str(int(float(alone.bounds[1].replace(",", "")) - float(alone.bounds[0].replace(",", ""))))
    assert span != "100000"
    plan = session.queries.plan(QueryDraft("narrowed", "2", VALUES))
    assert [one["sensitivity"] for one in answered.question["parts"]] == ["1", "100000"], "as it was charged"
    assert session.queries.stored(plan.draft) is not None, "and found again by"
    (row,) = told_with_noise(session.ledger.current.history.told)
    for parts in (
        json.loads(as_json(answered))["question"]["parts"],
        json.loads(ledger_table([row]).columns[12].texts()[0])["questions"][0]["parts"],
    ):
        assert [(one["name"], one["sensitivity"]) for one in parts] == [("cells", "1"), ("steps", span)]
        assert [Fraction(one["epsilon"]) for one in parts] == [Fraction(1, 2), Fraction(3, 2)]
    assert row.charge.epsilon == 2 and row.charge.mechanism == answered.entry.charge.mechanism


def test_how_many_were_limited_is_asked_of_the_bounds_that_were_found(session: Session) -> None:
    answered = asked(session)
    alone = noise_alone(answered)
    assert alone is not None
    draft = limited_by(QueryDraft("mean", "1"), answered.as_answered)
    typed = {name: float(draft.values[name]) for name in ("lower", "upper")}
    assert [typed["lower"], typed["upper"]] == [float(one.replace(",", "")) for one in alone.bounds]
    public = asked(session, "limited", column="pay", lower="0", upper="100000")
    assert counted_beyond(answered, [public]) is None, "those are beyond other bounds"
    count = session.queries.ask(draft)
    assert counted_beyond(answered, [public, count]) is count
    (mean,) = (asked(session, "mean", column="pay", lower="0", upper="100000"),)
    assert counted_beyond(mean, [public, count]) is public


def test_what_does_not_follow_from_its_numbers_keeps_what_it_says(session: Session) -> None:
    answered = asked(session)
    older = replace(answered, released=replace(answered.released, value=1.0))
    assert older.limited.startswith("values limited to 0…100,000 and") and "noise_alone" not in json.loads(
        as_json(older)
    )
    assert "# bounds found first" not in as_csv(older)
    mean = asked(session, "mean", column="pay", lower="0", upper="100000")
    assert mean.limited.startswith("values limited to 0…100,000 and") and "noise_alone" not in json.loads(as_json(mean))


@pytest.mark.parametrize(
    ("written", "step", "said"),
    [("17.5", "1000", "1,000"), ("17", "1000", "1,000"), ("17.5", "1", "1"), ("17", "1", ""), ("17", "0.5", "")],
)
def test_an_interval_of_rounded_values_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], written: str, step: str, said: str
) -> None:
    """All count as 0 in steps of 1,000: the mean of the limited values, which is 17.5, is not what is between."""
    path = tmp_path / "t.csv"
    path.write_text("pay\n" + f"{written}\n" * 2_000, encoding="utf-8")
    rounded = f" and rounded to steps of {said}" if said else ""
    for kind in ("narrowed", "mean"):
        asks = ["query", str(path), "--query", kind, "--column", "pay", "--lower", "0", "--upper", "100000"]
        assert main([*asks, "--resolution", step, "--epsilon", "2"]) == 0
        text = capsys.readouterr().out
        assert bool(said) == ("rounded" in text)
        answer = wb.open(path).ask(kind, "pay", epsilon=2, lower=0, upper=100_000, resolution=step)
        assert answer.stored and answer.limited.endswith(rounded) and f"{answer.limited}" in text
        if kind == "narrowed":
            assert f"The mean of these{f', rounded to steps of {said},' if said else ''} lies between" in text
            assert (" rounded to steps" in repr(answer)) == bool(said)
