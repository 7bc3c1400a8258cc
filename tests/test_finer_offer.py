"""The next finer detail of numbers that would come out in very few intervals: offered, and told with what it costs."""

from __future__ import annotations

from pathlib import Path

from tests.outlook_steps import expect, opened
from workbench.anonymise.recipe import Treatment
from workbench.core.progress import SILENT
from workbench.session import Session
from workbench.session.finer_edits import take_finer
from workbench.session.release.assessment import assess
from workbench.session.release.column_details import DetailOutlook
from workbench.session.release.finer_offer import FineChoice
from workbench.session.release.knowledge import say, say_matters_most
from workbench.session.release.steps import LevelSource
from workbench.session.release.wishes import wish_exactly

_JOBS = "cook, Clerk, driver, nurse, porter, teacher"


def prepared(folder: Path, *more: tuple[str, str, str, int], people: int = 900, said: bool = True) -> Session:
    """A table whose pay and job are ticked, so that the pay is likely to come out in three intervals."""
    session = opened(folder, *more)
    prepare(session, people=people, said=said)
    return session


def prepare(session: Session, *, people: int = 900, said: bool = True) -> None:
    """Tick pay and job of such a table, and say what occurs in them."""
    session.release.steps.set_source(LevelSource.BALANCED)
    expect(session, people)
    for name in ("born", "postcode"):
        session.release.columns.set_treatment(name, Treatment.LEAVE_OUT)
    known = {"pay": ("0-54000", ""), "job": (_JOBS, "")} if said else {"job": (_JOBS, "")}
    say(session, known, expected_rows=people, number_known=False, most={"pay": True, "job": True})
    take_finer(session, session.data.hierarchy_suggester(list(known))(SILENT))


def offered(session: Session) -> FineChoice | None:
    return assess(session).fine


def lines(session: Session, name: str) -> list[DetailOutlook]:
    return [one for one in assess(session).details if one.column == name and max(one.rows)]


def test_numbers_in_three_intervals_are_offered_finer_with_the_rows_that_come_out_then(tmp_path: Path) -> None:
    session = prepared(tmp_path / "one")
    (before,) = lines(session, "pay")
    assert before.detail == "3 intervals of 20,000, the last narrower"
    one = offered(session)
    assert one is not None and not one.is_fine, "nobody is led to it: rows are given up for it"
    assert (one.column, one.coarse, one.fine) == ("pay", "by 20,000", "by 10,000")
    was = session.project.anonymise
    one.choose_coarse(session)
    assert session.project.anonymise == was, "it is so"
    one.choose_fine(session)
    (after,) = lines(session, "pay")
    assert after.detail == "6 intervals of 10,000, the last narrower"
    assert one.rows == (before.rows, after.rows), "each costs what the forecast says"
    assert all("{} to {} in 100".format(*rows) in told for rows, told in zip(one.rows, one.about, strict=True))
    assert [each.words for each in lines(session, "job")] == ["as it is"], "what else is ticked says no less"
    then = offered(session)
    assert then is not None and then.is_fine and then.rows == one.rows, "both stay beside each other"
    then.choose_coarse(session)
    assert lines(session, "pay") == [before] and session.project.anonymise == was, "as if nobody had pressed it"


def test_the_way_back_leaves_no_wish_that_came_with_the_finer_detail(tmp_path: Path) -> None:
    """Of the other columns, which are held where they are for it, too."""
    session = opened(tmp_path / "one")
    session.release.steps.set_source(LevelSource.BALANCED)
    known = {"pay": ("0-54000", ""), "job": (_JOBS, ""), "born": ("1950-1999", ""), "postcode": ("10", "")}
    say(session, known, expected_rows=900, number_known=False, most={"pay": True, "job": True})
    take_finer(session, session.data.hierarchy_suggester(list(known))(SILENT))
    was, one = session.project.anonymise, offered(session)
    assert one is not None
    one.choose_fine(session)
    assert set(session.project.anonymise.level_choice.limits) == {"pay", "job"}
    then = offered(session)
    assert then is not None and then.rows == one.rows
    then.choose_coarse(session)
    assert session.project.anonymise == was


def test_both_stay_whatever_becomes_of_the_numbers_once_the_finer_one_was_chosen(tmp_path: Path) -> None:
    session = prepared(tmp_path / "one")
    one = offered(session)
    assert one is not None
    one.choose_fine(session)
    expect(session, 600)
    assert lines(session, "pay")[0].rows[0] < 33, "so little is not offered to whoever has it not"
    then = offered(session)
    assert then is not None and then.is_fine and (then.coarse, then.fine) == (one.coarse, one.fine)
    assert then.rows[0][0] > then.rows[1][0], "the way back"


def test_it_is_not_offered_where_it_keeps_too_little_or_rests_on_a_guess_or_was_chosen(tmp_path: Path) -> None:
    assert offered(prepared(tmp_path / "few", people=300)) is None, "hardly a row would be left"
    assert offered(prepared(tmp_path / "many", people=5_000)) is None, "it is fine enough"
    assert offered(prepared(tmp_path / "guess", people=900, said=False)) is None, "what occurs is to be said first"
    session = prepared(tmp_path / "chosen")
    wish_exactly(session, "pay", lines(session, "pay")[0].level)
    assert offered(session) is None, "somebody wants just this one"
    session = prepared(tmp_path / "loose")
    for name in ("pay", "job"):
        say_matters_most(session, name, most=False)
    assert offered(session) is None, "it is not what the release is for"


def test_a_person_more_changes_no_offer(tmp_path: Path) -> None:
    one = prepared(tmp_path / "one")
    other = prepared(tmp_path / "other", ("1811-12-31", "99999", "Lord Mayor", 53_999))
    found = [offered(session) for session in (one, other)]
    assert found[0] is not None and found[1] is not None
    assert (found[0].rows, found[0].about) == (found[1].rows, found[1].about)
