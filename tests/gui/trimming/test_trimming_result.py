"""What came out of a trimmed release, what is claimed of it, and what is shown of it once it left."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.gui.anonymise_steps import seen
from tests.gui.helpers import PATIENCE_MS, Anonymising, idle, pick
from tests.gui.trimming.helpers import push, source, write
from workbench.anonymise.balanced import Importance
from workbench.anonymise.recipe import ReleaseMechanism, Treatment
from workbench.anonymise.terms import BY_DATA
from workbench.anonymise.trim_recipe import TrimRecipe
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT
from workbench.core.schema import Role
from workbench.core.trim_law import trim_law
from workbench.gui.theme import small_font
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.session import Session
from workbench.session.release.reading import reading_hints, small_groups
from workbench.session.release.steps import LevelSource
from workbench.session.release.to_say import sentences_words


def test_columns_that_say_nothing_in_most_rows_are_named(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    source(qtbot, room, LevelSource.HAND)
    room.document.apply("level", lambda session: session.release.columns.set_level("city", 1))
    room.document.run()
    idle(qtbot, room)
    result = room.document.session.release.current_result()
    assert result.starred == {"age": 0, "city": 1}
    assert room.result.notice.text() == "* in every row: city" and seen(room.result.notice, room)
    assert "city: * in 100 % of the rows" in room.result.claim.toolTip() and "age: *" not in room.result.claim.toolTip()


def test_what_is_worst_comes_first_and_each_kind_has_a_line(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    source(qtbot, room, LevelSource.HAND)
    room.document.apply("level", lambda session: session.release.columns.set_level("city", 1))
    write(qtbot, room, room.plan.rows, "100000")
    room.document.run()
    idle(qtbot, room)
    lines = room.result.notice.text().splitlines()
    assert lines[0].startswith("Only ") and "that you expect came out" in lines[0]
    assert lines[1] == "* in every row: city"
    assert lines[2].startswith("Fewer columns") and len(lines) == 3, "what to do is last"


def test_labels_of_which_less_than_half_came_out_are_named_before_the_export(
    qtbot: QtBot, anonymising: Anonymising, tmp_path: Path
) -> None:
    """Who read it only once the file had left could not draw a coarser one in its place.

    With 52 rows a group chance does not decide it: of 46 and of 60 it is said, too.
    """
    path, wards, ills = tmp_path / "wards.csv", ("A1", "A2", "C1", "D1"), [f"I{number:02}" for number in range(12)]
    rows = "".join(f"{ward},{ill}\n" * (52 if ward == "D1" else 200) for ward in wards for ill in ills)
    path.write_text(f"ward,illness\n{rows}", encoding="utf-8")

    def prepare(session: Session) -> None:
        session.data.set_role(("ward", "illness"), Role.QUASI)
        for name, values in (("ward", wards), ("illness", ills)):
            session.release.steps.set_said(name, ", ".join(values))
        session.data.attach_hierarchies(session.data.hierarchy_suggester(["ward", "illness"])(SILENT))
        session.release.steps.set_importance("ward", Importance.GIVE_UP)

    room = anonymising(path, prepare)
    source(qtbot, room, LevelSource.BALANCED)
    write(qtbot, room, room.plan.rows, "8000")
    push(qtbot, room, room.outlook.public.no)
    room.document.run()
    idle(qtbot, room)
    notice, session = room.result.notice, room.document.session
    assert "Many are missing: ward D1 (" in notice.text() and seen(notice, room)
    assert notice.brief.property("tone") == "warning"
    assert session.release.current_result().draw not in session.release.exported


def test_what_came_out_of_a_column_nobody_can_miss_anything_of_is_no_warning(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    """Beside a value that is missing, ages from the first to the last stood in orange, as if something were wrong."""

    def by_a_rule(session: Session) -> None:
        session.data.attach_hierarchies(session.data.hierarchy_suggester(("age", "city"))(SILENT))
        session.release.columns.set_level("age", 1)
        session.release.steps.set_said("city", "Bern, Basel, Chur, Genf")

    source(qtbot, room, LevelSource.HAND)
    room.document.apply("age by a rule", by_a_rule)
    room.document.run()
    idle(qtbot, room)
    notice, reading = room.result.notice, room.result.reading
    assert "No row says city: Genf." in notice.text() and notice.brief.property("tone") == "warning"
    assert "Only these values" not in notice.text()
    assert "Only these values" not in reading.text(), "of ages none is missing between the first and the last"


@pytest.mark.parametrize("known", [True, False])
def test_a_number_has_the_sign_of_a_guess_also_where_others_know_it_as_it_was_typed_roughly(
    qtbot: QtBot, room: AnonymiseWorkspace, known: bool
) -> None:
    write(qtbot, room, room.plan.rows, "100000")
    push(qtbot, room, room.outlook.public.yes if known else room.outlook.public.no)
    room.document.run()
    idle(qtbot, room)
    shown = " ".join(one.text() for one in room.result.claim.findChildren(QLabel))
    assert " of ~100,000 people" in shown, "whoever is unsure answers Yes"
    assert "100,000 people that you expect: how many there are is not told" in room.result.claim.toolTip()


@pytest.mark.parametrize("asserted", [True, False])
def test_what_left_without_a_claim_is_not_said_to_have_one(
    qtbot: QtBot, room: AnonymiseWorkspace, tmp_path: Path, asserted: bool
) -> None:
    room.document.run()
    idle(qtbot, room)
    assert room.claim_word() == "To sign at Release:"
    room.document.export(tmp_path / "r.csv", None, without_claim=not asserted, asserted=asserted)
    idle(qtbot, room)
    assert room.claim_word() == ("Exported with its claim" if asserted else "Exported without a claim")
    assert room.result.claim.link.text().startswith("Why?")
    room.result.claim.link.click()
    told = [one.text() for one in room.result.reasons.findChildren(QLabel)]
    if not asserted:
        assert told.index("What voids the claim") == min(told.index(one) for one in told if one.startswith("What ")), (
            "the reason comes first"
        )


def test_what_left_is_shown_with_all_that_counts_for_it(qtbot: QtBot, room: AnonymiseWorkspace, tmp_path: Path) -> None:
    release = room.document.session.release
    room.document.run()
    idle(qtbot, room)
    room.document.apply("Leave out", lambda session: session.release.columns.set_treatment("city", Treatment.LEAVE_OUT))
    room.document.run()
    idle(qtbot, room)
    release.choose(release.current_result().draw, True)
    room.document.changed.emit("result")
    idle(qtbot, room)
    room.document.export(tmp_path / "r.csv", None, asserted=True)
    idle(qtbot, room)
    assert room.claim_word() == "Exported with its claim"
    (left,) = release.exported.values()
    assert left.claim.price in room.result.claim.text and left.claim.epsilon == 2, "both draws count"


def test_what_left_is_not_said_of_what_is_to_be_written_otherwise(
    qtbot: QtBot, room: AnonymiseWorkspace, tmp_path: Path
) -> None:
    room.document.run()
    idle(qtbot, room)
    room.document.export(tmp_path / "r.csv", None, asserted=True)
    idle(qtbot, room)
    release = room.document.session.release
    assert room.claim_word() == "Exported with its claim" and room.run_button.text() == "To the exported release…"
    for left_out in (["city"], []):
        release.write_otherwise(release.current_result(), left_out=left_out)
        room.document.changed.emit("result")
        idle(qtbot, room)
        otherwise = room.claim_word() == "To sign at Release:" and room.run_button.text().startswith("Go on to export")
        as_it_left = room.claim_word() == "Exported with its claim" and room.run_button.text().startswith("To the")
        assert otherwise if left_out else as_it_left


def test_rows_that_are_alike_without_a_column_that_is_left_out_are_one_line_as_in_the_file(
    qtbot: QtBot, room: AnonymiseWorkspace, tmp_path: Path
) -> None:
    """Lines that differed in it alone stood below each other with one and the same label."""
    source(qtbot, room, LevelSource.HAND)
    for name in ("age", "city"):
        room.document.apply("level", lambda session, name=name: session.release.columns.set_level(name, 0))
    write(qtbot, room, room.promise.fields["epsilon"], "50")
    room.document.run()
    idle(qtbot, room)
    lines = room.result.table.view.lines
    drawn = lines.rowCount()
    release = room.document.session.release
    release.write_otherwise(release.current_result(), left_out=["age"])
    room.document.changed.emit("result")
    idle(qtbot, room)
    rows = [one.split(",") for one in exported(room, qtbot, tmp_path / "r.csv")]
    cities = Counter(row[-1] for row in rows)
    assert 1 < len(cities) == lines.rowCount() < drawn
    shown = [lines.index(row, 0).data() for row in range(lines.rowCount())]
    assert shown == [f"{rows:,}" for _, rows in cities.most_common()]
    assert f"{len(cities)} groups" in room.result.claim.text
    assert not any("age" in one.column for one in room.result.columns.model.records)


def exported(room: AnonymiseWorkspace, qtbot: QtBot, path: Path) -> list[str]:
    """The rows of the file."""
    room.document.export(path, None, asserted=True)
    idle(qtbot, room)
    return path.read_text(encoding="utf-8").splitlines()[1:]


def test_what_is_asked_in_several_rooms_is_not_said_to_be_asked_in_one(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    tabs = room.result.tabs
    tabs.setCurrentIndex(next(at for at in range(tabs.count()) if tabs.tabText(at).startswith("Claim")))
    idle(qtbot, room)
    told = [one.text() for one in tabs.currentWidget().findChildren(QLabel)]
    assert "What only you can say, before anything leaves" in told


def test_after_a_run_the_table_comes_to_the_front(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    tabs = room.result.tabs
    shown = [tabs.tabText(place) for place in range(tabs.count()) if tabs.isTabVisible(place)]
    assert shown == ["Table", "Chances", "What-if", "Claim"], "what shows the analyst's figures comes with these"
    tabs.setCurrentWidget(room.result.reasons)
    room.document.run()
    idle(qtbot, room)
    assert tabs.currentIndex() == 0
    after = [tabs.tabText(place) for place in range(tabs.count()) if tabs.isTabVisible(place)]
    assert after == ["Table", "Columns", *shown[1:]], "what came out of each column is counted in the released rows"


def test_where_small_groups_are_seen_it_is_said_why_they_point_at_nobody(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    reading = room.result.reading
    room.document.run()
    idle(qtbot, room)
    release = room.document.session.release
    result, claim = release.result, release.claim()
    assert result is not None and claim.holds
    smallest = int(result.outcome.released_sizes.min())
    assert ("A group of" in reading.text()) == (smallest <= 5)
    assert isinstance(result.outcome.recipe, TrimRecipe)
    laws = [trim_law(step.epsilon, step.delta, 1) for step in result.outcome.recipe.steps]
    most = max(number for law in laws for number, weight in enumerate(law.weights) if weight)
    for sizes, said in (((1, 80), True), ((5,), True), ((6, 80), False), ((), False)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type(result.outcome), "released_sizes", np.array(sizes, dtype=np.int64))
            words = small_groups(result, claim)
            alone = (
                "one row is no sign of a single person" if 1 in sizes else f"few rows may have had up to {most} more"
            )
            assert words.startswith(f"A group of {alone}: groups may have lost rows at random") is said
            assert not said or words.endswith("a probability of at most δ = 1e-5.")
            assert small_groups(result, None) == "", "nothing is promised"
            assert words in reading_hints(result, few=words)
    hints = reading_hints(result)
    assert re.search(
        r"Of fewer than \d+ equal rows mostly none come out\. Of more, some do\.$|mostly releases none", hints
    )
    room.document.apply("seed", lambda session: session.release.set_seed(1))
    room.document.run()
    idle(qtbot, room)
    assert "A group of" not in reading.text(), "a simulation promises nothing"


def test_sentences_that_were_said_in_another_room_are_no_more_to_be_signed(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    room.document.run()
    room.show()
    idle(qtbot, room)
    link, release = room.result.claim.link, room.document.session.release
    sentences = release.current_claim().asserted
    assert link.text() == sentences_words(len(sentences)) == link.toolTip()
    room.hide()
    release.say(release.current_result().draw, sentences[:1])
    room.show()
    assert link.text() == sentences_words(len(sentences) - 1)
    assert link.toolTip() == f"{sentences_words(len(sentences))}, 1 said"
    room.hide()
    release.say(release.current_result().draw, sentences)
    room.show()
    assert link.text() == "nothing more"


@pytest.mark.parametrize("size", [(1024, 700), (1366, 768)])
def test_the_caution_on_shares_is_whole_and_before_all_other_words_on_how_to_read(
    size: tuple[int, int], qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    room.resize(*size)
    room.show()
    room.document.run()
    idle(qtbot, room)
    shares, reading = room.result.shares, room.result.reading
    assert shares.text().startswith("Shares counted in this file are not those of the table: rare values")
    assert shares.isVisible() and shares.height() >= shares.heightForWidth(shares.width()), "no line of it is cut"
    assert "Shares" not in reading.text() and shares.geometry().bottom() < reading.geometry().top()


def test_the_trade_off_shows_which_groups_survive(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    source(qtbot, room, LevelSource.HAND)
    chart = room.result.survival
    qtbot.waitUntil(lambda: chart.data is not None and chart.data.half["trim"] == 12, timeout=PATIENCE_MS)
    idle(qtbot, room)
    assert not chart.isHidden()
    assert room.result.trade_off.isHidden()
    assert chart.data.half["best"] is None and "sampling" not in chart.accessibleDescription(), "nobody chose it"
    room.result.compared.click()
    qtbot.waitUntil(lambda: chart.data.half["best"] is not None, timeout=PATIENCE_MS)
    write(qtbot, room, room.promise.fields["epsilon"], "2")
    qtbot.waitUntil(lambda: chart.data.epsilon == 2, timeout=PATIENCE_MS)
    idle(qtbot, room)
    pick(qtbot, room, room.promise.mechanism, ReleaseMechanism.SAMPLE.value)
    assert chart.isHidden()
    qtbot.waitUntil(lambda: room.result.trade_off.data is not None, timeout=PATIENCE_MS)
    idle(qtbot, room)


def test_what_is_copied_of_a_release_keeps_its_quotes_and_its_columns(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    source(qtbot, room, LevelSource.HAND)
    quoted = Hierarchy.from_rows([("Bern", '"West"', "*"), ("Basel", '"West"', "*"), ("Chur", '"East"', "*")])
    room.document.apply("quoted", lambda session: session.data.attach_hierarchy("city", quoted))
    room.document.apply("level", lambda session: session.release.columns.set_level("city", 1))
    room.document.run()
    idle(qtbot, room)
    view = room.result.table.view
    with qtbot.waitSignal(view.note) as told:
        view.selectAll()
        qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = [line.split("\t") for line in QGuiApplication.clipboard().text().split("\n")]
    assert told.args == [f"Copied {len(copied) * view.lines.columnCount():,} cells"]
    assert {line[-1] for line in copied} == {'"""West"""', '"""East"""'}, "a spreadsheet shows them in their quotes"


def test_of_choices_that_came_from_the_data_no_claim_for_several_draws_is_shown(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    release = room.document.session.release
    for again in (False, True):
        room.document.run(again=again)
        idle(qtbot, room)
    assert room.claim_word() == "To sign at Release:"
    room.document.apply("", lambda session: session.release.say(session.release.current_result().draw, [BY_DATA]))
    idle(qtbot, room)
    assert not release.current_claim().holds and room.claim_word() == "No (ε, δ) claim"
    assert "sentences" not in room.result.claim.link.text()


def test_how_to_read_the_release_is_one_line_where_its_rows_need_the_room(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    room.resize(1240, 620)
    room.document.run()
    idle(qtbot, room)
    reading = room.result.reading
    assert reading.isVisibleTo(room) and reading.text() and not reading.is_open
    assert reading.folded_height < 2 * QFontMetrics(small_font()).lineSpacing(), "the rest is one press away"
