"""Data nearly the same as other data something was released of: the warning, the answers, and what statements say."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from tests.query.near_tables import (
    HALF,
    LINES,
    asserted,
    command,
    next_month,
    opened,
    others,
    people,
    released,
    written,
)
from workbench.cli.main import main
from workbench.core.composition import TablePart
from workbench.core.errors import WorkbenchError
from workbench.core.near_releases import NOT_ADDED_UP, NearReleases
from workbench.io.dialect import Dialect
from workbench.query.ledger import Charge
from workbench.session import Session

__all__ = ["command", "next_month", "others", "people"]


# What is recognised, and what is said


def test_a_statement_does_not_say_that_there_is_no_other_release(people: Path, next_month: Path) -> None:
    alone = opened(next_month)
    assert alone.ledger.nearly_same().releases is NearReleases.NONE
    assert asserted(alone).startswith("No other draw or release of the same data exists besides those counted here. ")
    released(people)
    for session in (opened(next_month), alone):  # also where the data was open before
        assert session.ledger.nearly_same().releases is NearReleases.NOT_ADDED_UP
        assert "besides those counted here and those of nearly the same data." in asserted(session)
        assert NOT_ADDED_UP in [caution.text for caution in session.release.claim().cautions if not caution.private]
        assert not session.ledger.current.entries


def test_a_statement_that_left_says_it(people: Path, next_month: Path, tmp_path: Path) -> None:
    released(people)
    session = opened(next_month)
    session.release.anonymise()
    session.release.export(tmp_path / "out.csv", tmp_path / "out.html", note=tmp_path / "out.json")
    said = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert "nearly the same data exist that are not added up here" in said
    assert "besides those counted here and those of nearly the same data." in said
    assert "besides those counted here.<" not in said
    assert "besides those counted here." not in (tmp_path / "out.json").read_text(encoding="utf-8")


def test_certificates_of_answers_say_it(people: Path, next_month: Path) -> None:
    released(people)
    session = released(next_month)
    page = session.ledger.certificate(session.ledger.current.entries[-1]).page()
    assert NOT_ADDED_UP in page
    assert "besides those in its ledger and those of nearly the same data" in page
    session.ledger.declare_other_people()
    page = session.ledger.certificate(session.ledger.current.entries[-1]).page()
    assert NOT_ADDED_UP not in page
    assert "is about other people" in page


def test_nothing_is_said_of_other_data_or_where_nothing_was_released(
    people: Path, next_month: Path, others: Path
) -> None:
    opened(people)
    assert not opened(next_month).ledger.nearly_same().unsettled
    released(people)
    assert opened(others).ledger.nearly_same().releases is NearReleases.NONE
    assert not opened(people).ledger.nearly_same().unsettled
    assert not Session().data.open(people).near.near()


def test_the_same_data_read_otherwise_has_one_count_and_no_question(people: Path, tmp_path: Path) -> None:
    released(people)
    session = Session()
    session.data.open(people, Dialect(header=False))
    assert session.ledger.current.spent().epsilon == HALF
    assert session.ledger.nearly_same().releases is NearReleases.NONE


# The two answers


def test_the_count_is_continued_for_both(people: Path, next_month: Path) -> None:
    first = released(people)
    first.ledger.current.set_budget(Fraction(1), Fraction(0))
    second = opened(next_month)
    second.ledger.continue_count()
    assert second.ledger.nearly_same().releases is NearReleases.NONE
    assert second.ledger.current.spent().epsilon == HALF
    second.ledger.current.charge(Charge("query", "y", HALF))
    for session in (opened(people), opened(next_month), first):
        assert session.ledger.current.spent().epsilon == 1
    with pytest.raises(WorkbenchError, match="beyond the budget"):
        first.ledger.current.charge(Charge("query", "z", HALF))
    assert opened(next_month).ledger.nearly_same().releases is NearReleases.NONE
    assert opened(people).ledger.nearly_same().releases is NearReleases.NONE


def test_an_answer_of_last_month_is_not_given_for_this_one(
    people: Path, next_month: Path, command: Callable[..., tuple[dict, str]]
) -> None:
    ask = ["--query", "count", "--epsilon", "0.5"]
    command("query", people, *ask)
    command("query", next_month, *ask, "--continue-ledger")
    assert command("ledger", people)[0]["spent"]["epsilon"] == 1
    for file in (people, next_month):
        found, _ = command("query", file, *ask)
        assert found["stored"], "each has its own answer, which is shown again for nothing"
    assert command("ledger", people)[0]["spent"]["epsilon"] == 1


def test_parts_of_one_table_are_no_parts_of_another(people: Path, next_month: Path) -> None:
    """Somebody may be in part A of the one and in part B of the other."""
    a, b = (TablePart("city", frozenset({name})) for name in "AB")
    first = opened(people)
    first.ledger.current.charge(Charge("query", "x", HALF, cells=a))
    first.ledger.current.charge(Charge("query", "y", HALF, cells=b))
    assert first.ledger.current.spent().epsilon == HALF
    second = opened(next_month)
    second.ledger.continue_count()
    assert second.ledger.current.spent().epsilon == 1
    second.ledger.current.charge(Charge("query", "z", HALF, cells=a))
    for session in (first, second, opened(people)):
        assert session.ledger.current.spent().epsilon == Fraction(3, 2)


def test_a_third_month_is_asked_about_once(people: Path, next_month: Path, tmp_path: Path) -> None:
    released(people)
    second = opened(next_month)
    second.ledger.continue_count()
    second.ledger.current.charge(Charge("query", "y", HALF))
    third = opened(written(tmp_path / "third.csv", LINES[2:]))
    assert third.ledger.nearly_same().unsettled
    third.ledger.continue_count()
    assert third.ledger.current.spent().epsilon == 1
    assert third.ledger.nearly_same().releases is NearReleases.NONE


def test_other_people_are_declared_once(people: Path, next_month: Path) -> None:
    released(people)
    opened(next_month).ledger.declare_other_people()
    session = opened(next_month)
    assert session.ledger.nearly_same().releases is NearReleases.OTHER_PEOPLE
    assert "and of which something was released, is about other people." in asserted(session)
    assert "nearly-the-same" not in {caution.code for caution in session.release.claim().cautions}
    assert not session.ledger.current.entries
    session.ledger.current.charge(Charge("query", "y", HALF))
    assert opened(people).ledger.nearly_same().releases is NearReleases.OTHER_PEOPLE, "of the two, whichever is open"


# The command line


def test_a_declaration_is_taken_back_by_continuing_the_count(people: Path, next_month: Path) -> None:
    released(people)
    opened(next_month).ledger.declare_other_people()
    opened(next_month).ledger.continue_count()
    session = opened(next_month)
    assert session.ledger.current.spent().epsilon == HALF
    assert session.ledger.nearly_same().releases is NearReleases.NONE
    assert "other people" not in asserted(session)


def test_an_answer_that_changes_nothing_says_so(
    people: Path, next_month: Path, command: Callable[..., tuple[dict, str]]
) -> None:
    for flag in ("--continue-ledger", "--other-people"):
        _, err = command("ledger", next_month, flag)
        assert f"{flag} changes nothing: no other data is known" in err
    released(people)
    for _ in range(2):
        _, err = command("ledger", next_month, "--continue-ledger")
        assert not err
    _, err = command("ledger", next_month, "--other-people")
    assert "--other-people changes nothing: data that is nearly the same has one count" in err


def test_commands_warn_and_take_the_answer(
    people: Path, next_month: Path, command: Callable[..., tuple[dict, str]]
) -> None:
    ask = ["--query", "count", "--epsilon", "0.5"]
    found, err = command("query", people, *ask)
    assert found["nearly_same"] is None
    assert not err
    found, err = command("query", next_month, *ask, "--plan")
    assert found["nearly_same"] == "not added up"
    assert "--continue-ledger" in err
    assert "--other-people" in err
    assert found["spent"]["epsilon"] == 0
    found, err = command("query", next_month, *ask, "--continue-ledger")
    assert (found["nearly_same"], found["spent"]["epsilon"], err) == (None, 1, "")
    assert command("ledger", people)[0]["spent"]["epsilon"] == 1
    assert command("ledger", next_month)[0]["nearly_same"] is None


def test_releases_and_reports_warn_too(
    people: Path, next_month: Path, tmp_path: Path, command: Callable[..., tuple[dict, str]]
) -> None:
    command("query", people, "--query", "count", "--epsilon", "0.5")
    make = ["anonymise", next_month, "--group", "city", "--epsilon", 1, "--delta", 1e-6, "--out", tmp_path / "out.csv"]
    found, err = command(*make)
    assert found["nearly_same"] == "not added up"
    assert NOT_ADDED_UP in found["cautions"]
    assert "nearly the same" in err
    collect = ["collect", next_month, "--column", "city", "--domain", "A,B,C", "--protocol", "grr", "--epsilon", 1]
    found, err = command(*collect, "--reports", tmp_path / "reports.csv", "--other-people")
    assert (found["nearly_same"], err) == ("other people", "")
    folder = tmp_path / "statements"
    found, err = command("ledger", next_month, "--statements", folder)
    assert (found["nearly_same"], err) == ("other people", "")
    assert not any(NOT_ADDED_UP in page.read_text(encoding="utf-8") for page in folder.iterdir())


def test_a_project_whose_data_is_not_read_knows_what_was_found(
    people: Path, next_month: Path, tmp_path: Path, command: Callable[..., tuple[dict, str]]
) -> None:
    released(people)
    released(next_month).save(tmp_path / "p.wbench")
    next_month.unlink()
    found, err = command("ledger", tmp_path / "p.wbench", "--statements", tmp_path / "pages")
    assert found["nearly_same"] == "not added up"
    assert "nearly the same" in err
    assert NOT_ADDED_UP in (tmp_path / "pages" / "001_query.html").read_text(encoding="utf-8")
    found, err = command("ledger", tmp_path / "p.wbench", "--continue-ledger")
    assert (found["nearly_same"], found["spent"]["epsilon"], err) == (None, 1, "")


def test_both_answers_at_once_are_refused(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["ledger", str(people), "--continue-ledger", "--other-people"])
    assert "not allowed with" in capsys.readouterr().err
