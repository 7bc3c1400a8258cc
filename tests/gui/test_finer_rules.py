"""A rule that was taken before anybody said how far a column reaches is made anew, finer, once somebody says so."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.anonymise_steps import knowledge_asked
from tests.gui.helpers import PATIENCE_MS, put_off_is_done
from workbench.anonymise.recipe import Treatment
from workbench.core.hierarchy import Hierarchy
from workbench.core.level_words import level_words
from workbench.core.progress import SILENT
from workbench.core.schema import Role
from workbench.gui import tokens
from workbench.gui.main_window import MainWindow
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.data import DataWorkspace
from workbench.session import Session
from workbench.session.release.assessment import PromiseAssessment
from workbench.session.release.forecast_changes import Turn
from workbench.session.release.knowledge import say_matters_most
from workbench.session.release.steps import LevelSource
from workbench.session.release.tried_remedy import OutlookRemedy
from workbench.session.release.wishes import enough_of, least_of

ROWS = 300


def first_level(hierarchy: Hierarchy) -> str:
    return level_words(hierarchy, 1, example=False)


@pytest.fixture
def stays(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> MainWindow:
    """The window with a table whose amounts have a hierarchy by rule, of which nobody said how far they reach."""
    return opened(qtbot, window, tmp_path / "one.csv", 139)


def opened(qtbot: QtBot, window: MainWindow, path: Path, largest: int) -> MainWindow:
    lines = [f"{'AB'[i % 2]},{100 + i % 39}" for i in range(ROWS)]
    path.write_text("\n".join(("ward,salary", *lines, f"A,{largest}")) + "\n")
    document = window.document
    document.open_data(path)
    put_off_is_done(qtbot, window)
    document.apply("Roles", lambda session: session.data.set_role(["ward", "salary"], Role.QUASI))
    build = document.session.data.hierarchy_suggester(["ward", "salary"])
    document.apply("Build", lambda session: session.data.attach_hierarchies(build(SILENT)))
    put_off_is_done(qtbot, window)
    assert first_level(document.project.hierarchies["salary"]) == "intervals of 10,000"
    return window


def anonymise(window: MainWindow) -> AnonymiseWorkspace:
    window.show_workspace("anonymise")
    room = window.workspaces["anonymise"]
    assert isinstance(room, AnonymiseWorkspace)
    return room


def say(qtbot: QtBot, window: MainWindow, words: str, name: str = "salary") -> None:
    room = anonymise(window)
    room.outlook.reach_requested.emit("occurring:")
    dialog = knowledge_asked(room)
    next(line for line in dialog.lines if line.name == name).edit.setText(words)
    dialog.use.click()
    put_off_is_done(qtbot, window)


def test_values_are_written_as_they_were_listed_and_one_undo_takes_both_back(qtbot: QtBot, stays: MainWindow) -> None:
    document, told = stays.document, list[str]()
    before = document.project
    document.noted.connect(lambda _kind, words: told.append(words))
    say(qtbot, stays, "a, b, c", "ward")
    rows = {row[0]: row[1] for row in document.project.hierarchies["ward"].rows() if row[0]}
    assert rows == {"A": "a", "B": "b"}
    assert told == [], "who said it needs no note of it"
    document.undo_stack.undo()
    put_off_is_done(qtbot, stays)
    assert document.project.hierarchies == before.hierarchies and not document.project.anonymise.trim.occurring


def test_what_pays_for_others_is_asked_about_only_by_whoever_wants_it(qtbot: QtBot, stays: MainWindow) -> None:
    room = anonymise(stays)

    trim = replace(stays.document.project.anonymise.trim, expected_rows=ROWS)
    stays.document.apply("Rows", lambda session: session.release.set_trimming(trim))
    put_off_is_done(qtbot, stays)
    typed: list[str] = []

    def seen(most: tuple[str, ...]) -> list[str]:
        for name in most:
            stays.document.apply("most", partial(say_matters_most, name=name, most=True))
        put_off_is_done(qtbot, stays)
        room.foot.ask_known("salary", ("salary",))
        dialog = knowledge_asked(room)
        found = [line.name for line in dialog.lines if line.edit.isVisible()]
        typed.append(next((line.name for line in dialog.lines if dialog.focusWidget() is line.edit), ""))
        dialog.reject()
        return found

    assert seen(()) == ["ward", "salary"], "whoever is asked of one says what they know of the others"
    assert seen(("salary",)) == ["salary"]
    assert seen(("ward",)) == ["ward", "salary"], "of all that matter most"
    assert typed == ["salary"] * 3, "which is what the button named"


def test_what_an_answer_gains_is_not_told_back_nor_is_an_undo_without_its_words(
    qtbot: QtBot, stays: MainWindow
) -> None:
    document, room = stays.document, anonymise(stays)
    trim = replace(document.project.anonymise.trim, expected_rows=20_000)
    document.apply("Rows", lambda session: session.release.set_trimming(trim))
    put_off_is_done(qtbot, stays)
    room.outlook.public.no.click()
    put_off_is_done(qtbot, stays)
    before = document.project
    say(qtbot, stays, "0-1000")
    change = room.outlook.change
    assert room.result.details.model.changes["salary"].turn is Turn.FINER, "the table shows it where it stands"
    assert change.words.text() == "" and not change.undo.isVisible(), "nobody is offered to undo what is not said"
    document.undo_stack.undo()
    put_off_is_done(qtbot, stays)
    assert document.project.hierarchies == before.hierarchies and document.project.anonymise == before.anonymise


def test_what_is_said_of_amounts_makes_their_rule_finer_and_one_undo_takes_both_back(
    qtbot: QtBot, stays: MainWindow
) -> None:
    document = stays.document
    before = document.project
    told: list[str] = []
    document.noted.connect(lambda _kind, words: told.append(words))
    say(qtbot, stays, "0-1000")
    assert first_level(document.project.hierarchies["salary"]) == "intervals of 5"
    assert told == [], "the column has its detail beside it"
    document.undo_stack.undo()
    put_off_is_done(qtbot, stays)
    assert document.project.hierarchies == before.hierarchies
    assert not document.project.anonymise.trim.occurring, "it is one step"
    document.undo_stack.redo()
    put_off_is_done(qtbot, stays)
    assert first_level(document.project.hierarchies["salary"]) == "intervals of 5"


def test_what_was_offered_until_the_finer_rule_was_made_keeps_no_room_and_the_focus_is_on_what_is_due_then(
    qtbot: QtBot, stays: MainWindow
) -> None:
    stays.resize(1280, 800)
    room = anonymise(stays)
    trim = replace(stays.document.project.anonymise.trim, expected_rows=ROWS)
    stays.document.apply("Rows", lambda session: session.release.set_trimming(trim))
    put_off_is_done(qtbot, stays)
    links, extra = room.outlook.offered, room.outlook.buttons[-1]
    room.outlook.more.click()
    dialog = knowledge_asked(room)
    # So long that it needs a line of its own, as what helps only before the finer rule is there may.
    extra.setText("What helps only as long as the intervals are as coarse as they were before" * 2)
    extra.setVisible(True)
    qtbot.waitUntil(lambda: links.minimumHeight() > 2 * extra.sizeHint().height(), timeout=PATIENCE_MS)
    next(line for line in dialog.lines if line.name == "salary").edit.setText("0-1000")
    dialog.use.click()
    put_off_is_done(qtbot, stays)
    assert first_level(stays.document.project.hierarchies["salary"]) == "intervals of 5"
    assert extra.isHidden() or not extra.text().startswith("What helps only")
    two = 2 * extra.sizeHint().height() + tokens.SPACE_XS  # which are kept, so that what spends stays where it is
    needed = max(links.heightForWidth(links.width()), two)
    qtbot.waitUntil(lambda: links.minimumHeight() == needed, timeout=PATIENCE_MS)
    assert room.window().focusWidget() is room.foot.first_control


def test_bounds_of_a_form_do_the_same_and_those_of_the_data_do_not(qtbot: QtBot, stays: MainWindow) -> None:
    stays.show_workspace("data")
    data = stays.workspaces["data"]
    assert isinstance(data, DataWorkspace)
    data.columns.select("salary")
    put_off_is_done(qtbot, stays)
    data.detail.bounds.changed.emit((100.0, 139.0), True)
    put_off_is_done(qtbot, stays)
    assert first_level(stays.document.project.hierarchies["salary"]) == "intervals of 10,000"
    data.detail.bounds.changed.emit((0.0, 2_000.0), False)
    put_off_is_done(qtbot, stays)
    assert first_level(stays.document.project.hierarchies["salary"]) == "intervals of 10"


def test_what_somebody_chose_stays_as_it_is(qtbot: QtBot, stays: MainWindow) -> None:
    document = stays.document
    own = document.project.hierarchies["ward"]
    document.apply("Other", lambda session: session.data.attach_hierarchies({"salary": own}))
    say(qtbot, stays, "0-1000")
    assert document.project.hierarchies["salary"] is own, "a hierarchy of one's own"
    document.undo_stack.undo()
    document.undo_stack.undo()
    document.apply("By hand", lambda session: session.release.steps.set_source(LevelSource.STEPS))
    before = document.project.hierarchies["salary"]
    say(qtbot, stays, "0-1000")
    assert document.project.hierarchies["salary"] is before, "the levels that were chosen mean what they meant"


def test_the_finer_rule_is_the_same_whoever_is_in_the_table(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    found = []
    for largest in (139, 987_654):
        window.document.new()
        opened(qtbot, window, tmp_path / f"{largest}.csv", largest)
        say(qtbot, window, "0-1000")
        found.append(window.document.project.hierarchies["salary"].specification)
    assert found[0] == found[1] is not None


def test_why_an_answer_cannot_be_read_is_in_sight(qtbot: QtBot, stays: MainWindow) -> None:
    room = anonymise(stays)
    room.outlook.reach_requested.emit("occurring:")
    dialog = knowledge_asked(room)
    line = dialog.lines[-1]
    line.edit.setText("0-20.000")
    dialog.listed.setFixedHeight(line.edit.height() * 2)
    dialog.use.click()
    qtbot.wait(50)
    assert "two ways" in line.wrong.text()
    assert line.wrong.visibleRegion().boundingRect().height() == line.wrong.height(), "the last line, whole"
    dialog.reject()


def test_a_wish_for_a_level_means_about_as_wide_intervals_of_the_finer_rule(qtbot: QtBot, stays: MainWindow) -> None:
    document = stays.document

    def wished() -> tuple[str, str]:
        made, session = document.project.hierarchies["salary"], document.session
        levels = enough_of(session, "salary"), least_of(session, "salary")
        low, high = ("" if level is None else level_words(made, level, example=False) for level in levels)
        return low, high

    document.apply("10,000 to 40,000", lambda session: session.release.columns.limit_levels("salary", (1, 3)))
    words = [level_words(document.project.hierarchies["salary"], level, example=False) for level in (1, 3)]
    assert words == ["intervals of 10,000", "intervals of 40,000"]
    say(qtbot, stays, "0-500000")
    assert first_level(document.project.hierarchies["salary"]) == "intervals of 5,000"
    assert wished() == ("intervals of 10,000", "intervals of 50,000"), "which is nearest to 40,000"
    document.undo_stack.undo()
    put_off_is_done(qtbot, stays)
    document.apply("as coarse as *", lambda session: session.release.columns.limit_levels("salary", (2, 4)))
    say(qtbot, stays, "0-500000")
    assert wished() == ("intervals of 50,000", ""), "none is of 20,000 and no finer, and it may be `*`"


def test_whoever_is_asked_of_one_column_says_what_is_known_of_the_others_too(
    stays: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = anonymise(stays)

    def seen() -> dict[str, bool]:
        offer = OutlookRemedy("Say what occurs in salary", None, "occurring:salary", columns=("salary",))
        monkeypatch.setattr(room, "_found", PromiseAssessment(remedies=(offer,)))
        room.outlook.take(offer)
        dialog = knowledge_asked(room)
        dialog.reject()
        return {line.name: line.asked for line in dialog.lines}

    assert seen() == {"ward": True, "salary": True}, "of neither anything is known"
    stays.document.apply("say", lambda session: session.release.steps.set_said("ward", "A, B"))
    assert seen() == {"ward": False, "salary": True}, "it is said already"
    leave = partial(left_out, "ward")
    stays.document.apply("out", leave)
    assert seen() == {"ward": False, "salary": True}
    stays.document.undo_stack.undo()


def left_out(name: str, session: Session) -> None:
    session.release.columns.set_treatment(name, Treatment.LEAVE_OUT)
    session.release.steps.set_said(name, "")


def of_dates_and_codes(qtbot: QtBot, window: MainWindow, path: Path) -> AnonymiseWorkspace:
    """The room with a table of which hardly a column can say anything for 500 people."""
    names = ["born", "post code", "city", "start"]
    lines = (
        f"0{1 + i % 9}.03.{1950 + i % 50},{1000 + i % 300},{'AB'[i % 2]},0{1 + i % 9}.01.{1990 + i % 30}"
        for i in range(ROWS)
    )
    path.write_text("\n".join((",".join(names), *lines)) + "\n")
    document = window.document
    document.open_data(path)
    put_off_is_done(qtbot, window)
    document.apply("Roles", lambda session: session.data.set_role(names, Role.QUASI))
    build = document.session.data.hierarchy_suggester(names)
    document.apply("Build", lambda session: session.data.attach_hierarchies(build(SILENT)))
    trim = replace(document.project.anonymise.trim, expected_rows=500)
    document.apply("Rows", lambda session: session.release.set_trimming(trim))
    room = anonymise(window)
    room.outlook.public.no.click()
    put_off_is_done(qtbot, window)
    return room


def test_what_the_release_is_for_is_ticked_before_it_is_said_what_occurs(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    """Whoever says first what occurs says it of columns that become `*` for those that matter."""
    room = of_dates_and_codes(qtbot, window, tmp_path / "one.csv")
    assert room.foot.is_unticked and room.next_hint() == "Tick what the release is for"
    assert room.foot.mend.isHidden() and room.foot.ready.text().startswith("First tick what the release is for")
    assert room.run_button.property("primary") != "true" and room.run_button.isEnabled(), "nobody must"
    offered = [one.text() for one in room.outlook.buttons if one.isVisibleTo(room)]
    assert not any(one.startswith("Leave ") for one in offered), "it may be what it is for"
    assert room.do_next(room.next_field())
    room.window().activateWindow()
    assert room.result.details.isAncestorOf(room.window().focusWidget())


def test_where_no_detail_was_seen_before_an_answer_none_is_coarser_by_it(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    """Of numbers of which nobody said how far they reach there are intervals of 10, and they are not shown."""
    lines = (f"{'AB'[i % 2]},{i % 90 * 500}" for i in range(ROWS))
    path = tmp_path / "one.csv"
    path.write_text("\n".join(("ward,points", *lines)) + "\n")
    document = window.document
    document.open_data(path)
    put_off_is_done(qtbot, window)
    document.apply("Roles", lambda session: session.data.set_role(["ward", "points"], Role.QUASI))
    build = document.session.data.hierarchy_suggester(["ward", "points"])
    document.apply("Build", lambda session: session.data.attach_hierarchies(build(SILENT)))
    trim = replace(document.project.anonymise.trim, expected_rows=3000)
    document.apply("Rows", lambda session: session.release.set_trimming(trim))
    room = anonymise(window)
    room.outlook.public.no.click()
    for name in ("ward", "points"):
        document.apply(name, partial(say_matters_most, name=name, most=True))
        put_off_is_done(qtbot, window)
    say(qtbot, window, "A, B", "ward")
    say(qtbot, window, "0-60000", "points")
    assert first_level(document.project.hierarchies["points"]) == "intervals of 5,000"
    assert room.outlook.change.words.text() == "", "nothing was coarser than what stands there"


def test_nobody_is_led_twice_to_the_same_question_that_was_left_empty(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    """It stays on offer, and leads again for another table."""

    def led_to(path: Path) -> AnonymiseWorkspace:
        room = of_dates_and_codes(qtbot, window, path)
        for name in ("born", "post code", "start"):
            room.document.apply(name, partial(say_matters_most, name=name, most=True))
        put_off_is_done(qtbot, window)
        return room

    room = led_to(tmp_path / "one.csv")
    asked = room.foot.mend.text()
    assert room.foot.mend.isVisibleTo(room) and asked.startswith("Say what occurs in "), asked
    room.foot.mend.click()
    knowledge_asked(room).use.click()
    put_off_is_done(qtbot, window)
    assert room.foot.mend.text() != asked and room.next_hint() != asked
    offered = [one.text() for one in room.outlook.buttons if one.isVisibleTo(room)]
    assert asked in offered or room.outlook.more.isVisibleTo(room)
    room = led_to(tmp_path / "two.csv")
    assert room.foot.mend.text() == asked


def test_nobody_is_led_twice_to_how_many_there_are_who_does_not_know_it(stays: MainWindow, qtbot: QtBot) -> None:
    room = anonymise(stays)
    stays.document.apply(
        "No number",
        lambda session: session.release.set_trimming(replace(session.project.anonymise.trim, expected_rows=None)),
    )
    put_off_is_done(qtbot, stays)
    assert room.next_hint().startswith("Say how many")
    room.outlook.more.click()
    knowledge_asked(room).use.click()
    put_off_is_done(qtbot, stays)
    assert not room.foot.mend.text().startswith("Say how many") or room.foot.mend.isHidden()
    assert not room.next_hint().startswith("Say how many")
    stays.document.undo_stack.undo()


def test_where_the_ticks_are_not_in_sight_a_button_leads_to_them(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.resize(1024, 700)
    room = of_dates_and_codes(qtbot, window, tmp_path / "one.csv")
    qtbot.waitUntil(room.foot.mend.isVisible)
    assert room.foot.mend.text() == "Tick what the release is for" and room.outlook.purpose.isHidden()
    room.foot.mend.click()
    assert room.result.details.view.isVisible()
    assert room.result.details.isAncestorOf(room.window().focusWidget())
