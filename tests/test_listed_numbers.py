"""Numbers of which somebody lists all that can occur: they come out as themselves where an interval says no more."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.outlook_steps import expect, opened
from workbench.anonymise.balanced import Importance
from workbench.core.progress import SILENT
from workbench.core.schema import Role
from workbench.project.model import new_project
from workbench.session import Session
from workbench.session.finer_edits import take_finer
from workbench.session.release.assessment import assess
from workbench.session.release.came_out import came_out, missing_lines
from workbench.session.release.knowledge import known_columns, refused
from workbench.session.release.said import said_of
from workbench.session.release.wishes import wish_exactly

FEES = "60, 90, 120, 180, 240"


def _told(folder: Path, said: str) -> Session:
    session = opened(folder)
    expect(session, 2400)
    session.release.steps.set_importance("pay", Importance.KEEP)
    session.release.steps.set_said("pay", said)
    take_finer(session, session.data.hierarchy_suggester(["pay"])(SILENT))
    return session


def _levels(session: Session) -> list[int]:
    return [step["pay"] for step in session.release.chain().vectors]


def test_listed_numbers_come_out_as_they_are_and_a_range_in_intervals(tmp_path: Path) -> None:
    assert _levels(_told(tmp_path / "listed", FEES))[0] == 0
    assert _levels(_told(tmp_path / "range", "60-240"))[0] > 0
    assert _levels(_told(tmp_path / "both", f"{FEES}, 300-400"))[0] > 0


def test_levels_of_later_steps_never_get_finer(tmp_path: Path) -> None:
    levels = _levels(_told(tmp_path / "one", FEES))
    assert levels == sorted(levels)


def test_who_wants_intervals_of_a_width_gets_them(tmp_path: Path) -> None:
    session = _told(tmp_path / "one", FEES)
    wish_exactly(session, "pay", 2)
    assert _levels(session)[0] == 2


@pytest.mark.parametrize("typed", ["€ 60, € 90", "60 €, 90€", "$60;£90", "₹ 60\n90"])
def test_numbers_are_read_with_signs_of_currencies(tmp_path: Path, typed: str) -> None:
    session = opened(tmp_path / "one")
    assert not refused(session, {"pay": (typed, "")})
    session.release.steps.set_said("pay", typed)
    assert session.release.steps.said("pay") == "60, 90"


def test_a_range_is_read_with_signs_of_currencies(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    pay = next(one for one in known_columns(session) if one.name == "pay")
    assert pay.range_read("€ 0 – 120,000 €").startswith("0 to 120,000")
    assert pay.range_read("€ 60, € 90, 120") == "3 values" and pay.range_read("60") == ""


def test_words_keep_their_signs(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    session.release.steps.set_said("job", "cook €, clerk")
    assert session.release.steps.said("job") == "cook €, clerk"


def _drawn(folder: Path, fees: str, *occurring: int) -> tuple[str, ...]:
    folder.mkdir()
    rows = [f"€ {occurring[i % len(occurring)]},{'ab'[i % 2]}\n" for i in range(4_000)]
    (folder / "club.csv").write_text("fee,club\n" + "".join(rows), encoding="utf-8")
    session = Session(new_project())
    session.data.open(folder / "club.csv")
    names = ("fee", "club")
    session.data.set_role(names, Role.QUASI)
    session.data.attach_hierarchies(session.data.hierarchy_suggester(names)(SILENT))
    expect(session, 4_000)
    session.release.steps.set_said("fee", fees)
    take_finer(session, session.data.hierarchy_suggester(["fee"])(SILENT))
    session.release.steps.set_importance("fee", Importance.KEEP)
    session.release.anonymise(SILENT)
    assert session.release.result is not None
    lines = came_out(session.release.result, said_of(session.project))
    assert [line.words for line in lines if line.column == "fee"] == ["as it is"]
    return tuple(one for one in missing_lines(lines) if "fee" in one)


def test_it_is_said_which_listed_number_no_row_says_and_nothing_where_all_came_out(tmp_path: Path) -> None:
    assert _drawn(tmp_path / "all", "60, 90, 120", 60, 90, 120) == ()
    assert _drawn(tmp_path / "some", "60, 90, 120, 180", 60, 90, 120) == ("No row says fee: 180.",)


def test_where_a_number_came_out_that_was_not_listed_only_what_came_out_is_said(tmp_path: Path) -> None:
    (said,) = _drawn(tmp_path / "one", "60, 90", 60, 90, 120)
    assert said.startswith("Only these values came out: fee € 60, € 90, € 120")


def test_of_few_intervals_a_table_says_how_many_hold_all_that_was_said(tmp_path: Path) -> None:
    """Most charges are small, so all may be in one of a few intervals: whoever reads how few there are can ask."""
    told = {}
    for number, said in enumerate(("0-5000", "")):
        session = opened(tmp_path / str(number))
        expect(session, 150)
        session.release.steps.set_importance("pay", Importance.KEEP)
        session.release.steps.set_said("pay", said)
        take_finer(session, session.data.hierarchy_suggester(["pay"])(SILENT))
        told[said] = [one.detail for one in assess(session).details if one.column == "pay" and one.words != "*"]
    assert any(re.fullmatch(r"[2-9] intervals of [\d,]+", one) for one in told["0-5000"]), told
    assert not any(one[0].isdigit() for one in told[""]), "nobody said how far it reaches"


def test_a_column_that_is_the_same_in_every_row_is_said_to_tell_nothing_though_more_can_occur(tmp_path: Path) -> None:
    same = "fee is the same in every row: none says 90."
    assert _drawn(tmp_path / "one", "60, 90", 60) == (same,), "which is said once"
    assert _drawn(tmp_path / "two", "60, 90, 120", 60, 90) == ("No row says fee: 120.",)
    assert _drawn(tmp_path / "sure", "60", 60) == (), "where nothing else can occur it is no news"
