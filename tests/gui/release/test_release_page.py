"""The Release workspace: verdict, checklist, statement and what was released, as a person meets them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtWidgets import QFileDialog, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.helpers import idle
from tests.gui.release.helpers import SAY_NOT_SO, click, run, say, show, tens, words
from workbench.core.hierarchy import Provenance
from workbench.gui.theme import Theme, current_theme
from workbench.gui.widgets.explain import HelpBook, explain_key
from workbench.gui.workspaces.release import ReleaseWorkspace
from workbench.query.ledger import Charge

pytestmark = pytest.mark.usefixtures("sampling")


def test_empty_it_says_what_belongs_here(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    assert "Nothing to release yet" in words(room)
    with qtbot.waitSignal(room.go_to) as asked:
        go_on = next(b for b in room.findChildren(QPushButton) if b.text() == "Go to Anonymise")
        assert go_on.property("primary") == "true"
        go_on.click()
    assert asked.args == ["anonymise"]


def test_below_what_was_released_nothing_new_is_to_be_released(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path
) -> None:
    run(room)
    room.export.export.click()
    idle(qtbot, room)
    room.document.open_data(tmp_path / "people.csv")
    qtbot.waitUntil(lambda: "Nothing new to release" in words(room), timeout=10_000)
    assert "Nothing to release yet" not in words(room)
    assert "“people_release.csv” was released on 20" in words(room)
    go_on = next(b for b in room.findChildren(QPushButton) if b.text() == "Go to Anonymise")
    assert go_on.property("primary") == "false", "nobody is led to a second price"
    table = room._before.table
    line = table.visualRect(table.model().index(0, 0))
    qtbot.waitUntil(lambda: line.bottom() <= table.viewport().height() and line.height() > 0)


def test_the_statement_is_green_once_all_is_said_that_it_rests_on(room: ReleaseWorkspace) -> None:
    green = current_theme().success.lower()
    run(room, said=False)
    assert "differentially private release" in room.statement.toPlainText()
    assert green not in room.statement.toHtml()
    say(room)
    assert green in room.statement.toHtml()
    room.assertions.ticks[-1].click()
    assert green not in room.statement.toHtml()


def test_a_claim_that_holds(room: ReleaseWorkspace) -> None:
    run(room)
    assert "the claim holds" in room.verdict.text
    assert "differentially private release" in room.statement.toPlainText()
    assert room.export.export.isEnabled()


def test_a_void_claim_leads_to_where_it_is_put_right(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    room.document.apply("derived", lambda s: s.data.attach_hierarchy("age", tens(Provenance.DERIVED)))
    run(room)
    assert "No (ε, δ) claim" in room.verdict.text
    assert "No (ε, δ) claim" in room.statement.toPlainText()
    show = [b for b in room.checks.findChildren(QPushButton) if "Hierarchies" in b.accessibleName()]
    with qtbot.waitSignal(room.go_to) as asked:
        qtbot.mouseClick(show[0], Qt.MouseButton.LeftButton)
    assert asked.args == ["hierarchies"]


def test_after_a_change_nothing_can_be_exported(room: ReleaseWorkspace) -> None:
    run(room)
    room.document.apply("level", lambda s: s.release.columns.set_level("age", 2))
    assert not room.export.export.isEnabled()
    assert "changed after the last run" in words(room)


def test_removing_the_seed_makes_no_claim_for_the_file_that_has_one(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path
) -> None:
    room.document.apply("seed", lambda s: s.release.set_seed(5))
    run(room)
    assert room.export.export.text() == "&Export without claim"
    room.document.export(tmp_path / "seeded.csv", None, without_claim=True)
    idle(qtbot, room)
    before = room.statement.toPlainText()
    assert "No (ε, δ) claim is made" in before and "seeded.csv" in before
    room.document.apply("seed", lambda s: s.release.set_seed(None))
    assert "No (ε, δ) claim" in room.verdict.text
    assert room.statement.toPlainText() == before
    lights = [w.accessibleName() for w in room.checks.findChildren(QWidget) if "Randomness" in w.accessibleName()]
    assert "Randomness: only a new draw mends it" in lights


def test_a_file_keeps_its_statement_when_the_settings_change(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path
) -> None:
    run(room)
    room.document.session.ledger.current.charge(
        Charge("query", "count", Fraction(1, 10))
    )  # the statement will tell of it
    room.document.export(tmp_path / "fine.csv", None)
    idle(qtbot, room)
    before, verdict = room.statement.toPlainText(), room.verdict.text
    assert "fine.csv" in before and "the claim holds" in verdict
    room.document.apply("level", lambda s: s.release.columns.set_level("age", 2))
    assert (room.statement.toPlainText(), room.verdict.text) == (before, verdict)
    room.document.apply("derived", lambda s: s.data.attach_hierarchy("age", tens(Provenance.DERIVED)))
    assert (room.statement.toPlainText(), room.verdict.text) == (before, verdict)
    assert not room.export.export.isEnabled() and room.next_hint() == ""


def test_every_page_says_that_the_result_is_out_of_date(room: ReleaseWorkspace) -> None:
    run(room)
    notices = (room.page.stale, room.attack.stale)
    assert all(notice.isHidden() for notice in notices)
    room.document.apply("level", lambda s: s.release.columns.set_level("age", 2))
    assert all(not notice.isHidden() and "changed after the last run" in notice.text() for notice in notices)
    room.document.undo_stack.undo()
    assert all(notice.isHidden() for notice in notices)


def test_in_both_themes_text_follows_the_theme(room: ReleaseWorkspace, theme: Theme) -> None:
    run(room)
    assert not room.grab().isNull()


def test_an_attack_shows_what_protection_means(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    run(room)
    attack = room.attack
    assert not room.document.runner.jobs  # nothing runs that nobody sees
    show(room, attack)
    assert "so far no look at this data is recorded" in attack.sentence.text() and not attack.table.isVisible()
    room.document.look(publish=True)
    idle(qtbot, room)
    assert attack.chosen == ("age",)
    assert attack.table.texts()[0][1:] == ("1 %", attack.table.texts()[0][2])
    assert "points at the right row" in attack.sentence.text()
    step = attack.knowledge.data
    assert step.names == ("age",) and step.before[0] > step.after[0] > 0
    kinds = attack.attackers.data
    assert kinds.names[0] == "sure, at most" and kinds.before[0] >= kinds.after[0] > 0
    assert attack.charts.isVisible()
    assert "The promise allows nobody more than 73.1 %" in attack.told.text()
    before = attack.membership.texts()
    attack.seed.setValue(7)
    idle(qtbot, room)
    assert attack.membership.texts() != before
    attack.known.item(0).setCheckState(Qt.CheckState.Unchecked)
    idle(qtbot, room)
    assert "Tick a column" in attack.sentence.text()
    assert not attack.table.isVisible() and not attack.charts.isVisible()
    assert room.lock == "Analyst only"
    show(room, room.page)
    assert not room.lock


def test_after_an_export_an_attack_leads_on_by_a_look_of_its_own(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    run(room)
    attack = room.attack
    show(room, attack)
    assert "Export what you want to publish first" in attack.sentence.text() and attack.look.isVisible()
    qtbot.mouseClick(attack.look, Qt.MouseButton.LeftButton)
    assert attack.question.publish.isVisible(), "the draw would lose its claim"
    qtbot.mouseClick(attack.question.not_now, Qt.MouseButton.LeftButton)
    assert attack.look.isVisible() and not room.document.looked
    show(room, room.page)
    click(qtbot, room)
    show(room, attack)
    assert "This draw has left" in attack.sentence.text() and "Export" not in attack.sentence.text()
    room.focus_first()
    assert room.focusWidget() is attack.look
    qtbot.mouseClick(attack.look, Qt.MouseButton.LeftButton)
    assert attack.question.isVisible() and not attack.question.publish.isVisible()
    qtbot.mouseClick(attack.question.take, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert "points at the right row" in attack.sentence.text()
    assert not attack.look.isVisible() and not attack.question.isVisible()
    left = room.page.verdict.text
    assert "the claim holds" in left, "what has left keeps its claim"


def test_everything_that_left_has_its_statement(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    show(room, room.released)
    assert "Nothing has left yet" in words(room)
    run(room)
    room.document.session.ledger.current.charge(Charge("query", "how many", Fraction(1, 10)))
    room.document.changed.emit("file")
    assert "(0.1, 0)" in room.released.view.toPlainText()
    room.history.choose(1)
    assert "Statement on a draw" in room.released.view.toPlainText()
    room.export.file.setText(str(tmp_path / "out.csv"))
    room.export.write()
    idle(qtbot, room)
    assert room.history.table.model().rowCount() == 2
    room.history.choose(1)
    assert "Privacy statement" in room.released.view.toPlainText()
    assert room.released.view.toPlainText() == room.statement.toPlainText(), "one statement on one release"
    room.history.choose(0)
    assert "Statement on an answer" in room.released.view.toPlainText()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "said.html"), ""))
    room.released.save.click()
    idle(qtbot, room)
    assert "(0.1, 0)" in (tmp_path / "said.html").read_text("utf-8")


def test_beyond_the_budget_nothing_is_drawn(room: ReleaseWorkspace) -> None:
    room.document.session.ledger.current.set_budget(Fraction(1, 2), Fraction(1, 10**6))
    assert room.document.run() is None
    assert "beyond the budget" in room.messages.messages[-1].text
    assert room.document.session.release.result is None and room.next_hint() == ""


def test_a_budget_that_suffices_leaves_the_way_open(qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path) -> None:
    room.document.session.ledger.current.set_budget(Fraction(1), Fraction(1, 10**3))
    run(room)
    assert "the claim holds" in room.verdict.text and room.next_hint() == "Export the release"
    room.document.export(tmp_path / "out.csv", None)
    idle(qtbot, room)
    # Paid for, it may be written again, though nothing is left.
    assert "the claim holds" in room.verdict.text and room.export.export.isEnabled()


@pytest.mark.parametrize("size", [(600, 520), (800, 640), (2000, 1200)])
def test_it_fits_and_everything_has_a_name(qtbot: QtBot, room: ReleaseWorkspace, size: tuple[int, int]) -> None:
    run(room)
    book = HelpBook()
    for place in range(room.tabs.count()):
        room.tabs.setCurrentIndex(place)
        idle(qtbot, room)
        room.resize(*size)
        assert (room.width(), room.height()) == size
        for widget in room.findChildren(QWidget):
            if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
                assert widget.accessibleName() or getattr(widget, "text", str)(), widget
            key = explain_key(widget)
            assert not key or book.find(key) is not None, key
        room.focus_first()


def test_a_line_that_is_cut_fades_and_the_last_one_does_not(room: ReleaseWorkspace) -> None:
    room.resize(800, 560)
    run(room, said=False)
    edges, area = room.page.edges, room.page.scrolled
    bar, viewport = area.verticalScrollBar(), area.viewport()
    assert bar.maximum() > 0 and edges.geometry() == viewport.geometry()
    assert (edges.above, edges.below) == (False, True)
    bar.setValue(bar.maximum())
    assert (edges.above, edges.below) == (True, False)
    ground, shown = QColor(current_theme().window), room.grab().toImage()
    top = edges.mapTo(room, QPoint(0, 0))
    row = {shown.pixelColor(top.x() + x, top.y()).name() for x in range(edges.width())}
    assert row == {ground.name()}, "what is beyond the edge is not begun"
    assert edges.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents), "every press goes through"
    room.resize(800, 2400)
    assert (edges.above, edges.below) == (False, False)


def test_the_list_tells_which_file_is_which(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    run(room)
    click(qtbot, room)
    exported = room.export._exported
    assert exported is not None
    cell = room.history.table.model().index(0, 5)
    assert cell.data() == exported.file.fingerprint[:8]
    tip = " ".join(cell.data(Qt.ItemDataRole.ToolTipRole).split())  # whatever its lines are
    assert tip == f"people_release.csv: {exported.file.fingerprint}"
    room.export.file.setText(str(Path(room.export.file.text()).with_name("again.csv")))
    room.export.file_style.delimiter.setCurrentIndex(1)
    room.export.file_style.quotes.setCurrentIndex(1)
    click(qtbot, room)
    shown = room.history.table.model().index(0, 5).data().split(", ")
    assert len(shown) == 2 and shown[0] == exported.file.fingerprint[:8] != shown[1]
    assert room.history.table.model().rowCount() == 1


def test_beside_the_statement_the_promise_is_said_in_a_breath(room: ReleaseWorkspace) -> None:
    run(room)
    assert room.verdict.toolTip() == "With or without one person: odds change at most × 2.719, but for δ."
    promised = "Whether somebody is in the table is guessed right at most 74 % of the time."
    assert promised in room.statement.toPlainText() and "guesses who is there" not in words(room), "it is said once"
    number = room.assertions.others["Nobody is told how many people there are in the table."]
    number.click()
    tip = room.verdict.toolTip()
    assert "With one person or another in their place" in tip and "× 7.39" in tip
    each = "One person in the place of another is one fewer and one more, each with 1 and "
    assert each in tip and "one fewer and one more" not in words(room), "for whoever computes with it"
    assert "That is weaker than ε = 1, where it would be 74 %." in words(room), "which no statement says"
    by_data = next(one for one in room.assertions.others.values() if one.accessibleName() == SAY_NOT_SO)
    assert not any(way.text() == "Go to Hierarchies" for one in room.assertions.ways_out for way in one.ways)
    by_data.click()
    assert "worst case" not in words(room) and "May be published with the file" in words(room)
    gone: list[str] = []
    room.go_to.connect(gone.append)
    leads = [way for one in room.assertions.ways_out for way in one.ways if way.text().startswith("Go to ")]
    told = [one.text() for one in leads]
    assert told[-2:] == ["Go to Anonymise", "Go to Hierarchies"], "to say it honestly and draw anew"
    for way in leads[-2:]:
        way.click()
    assert gone == ["anonymise", "hierarchies"]


def test_the_statement_is_copied_as_text_and_as_a_page(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    run(room, said=False)
    assert not room.page.copy.isEnabled(), "nobody has said yet what it says in their name"
    assert "say first" in room.page.copy.toolTip()
    say(room)
    assert room.page.copy.isEnabled() and not room.page.copy.toolTip()
    qtbot.mouseClick(room.page.copy, Qt.MouseButton.LeftButton)
    mime = QGuiApplication.clipboard().mimeData()
    assert mime.text() == room.statement.toPlainText()
    assert "differentially private release" in mime.html()
    assert room.export.written.isHidden()
    click(qtbot, room)
    QGuiApplication.clipboard().clear()
    room.export.written.copy.click()
    assert "read back and counted again" in QGuiApplication.clipboard().text(), "as it was written"
