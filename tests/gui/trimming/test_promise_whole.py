"""The open step of the promise is whole in every usual window, whatever is said around it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QPoint, QRect
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QStyleOptionViewItem, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.helpers import idle, open_file, put_off_is_done
from tests.gui.test_nothing_cut import cut
from tests.gui.trimming.helpers import AGES, CITIES, push, source, write
from workbench.anonymise.balanced import Importance
from workbench.anonymise.recipe import Treatment
from workbench.core.schema import PrivacyUnit
from workbench.gui import tokens
from workbench.gui.main_window import MainWindow
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise.column_lines import DETAIL
from workbench.gui.workspaces.anonymise.folded_model import ROWS_COLUMN
from workbench.gui.workspaces.anonymise.number_answered import NUMBER
from workbench.gui.workspaces.anonymise.wrapped_columns import ColumnTexts, fit, letters_of
from workbench.session import Session
from workbench.session.release.column_details import DetailOutlook
from workbench.session.release.steps import LevelSource
from workbench.session.release.wishes import wish_enough

SIZES = [(1024, 700), (1280, 800), (1366, 768)]


@pytest.fixture
def room(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> AnonymiseWorkspace:
    """The room in the window, with two columns that matter most and a δ that is too large: all that can be said is."""
    path = tmp_path / "people.csv"
    lines = [f"P{i:04},{20 + i % 40},{('Bern', 'Basel', 'Chur')[i % 3]}" for i in range(4_000)]
    path.write_text("person,age,city\n" + "\n".join(lines) + "\n", encoding="utf-8")
    open_file(qtbot, window, path)
    document = window.document

    def prepare(session: Session) -> None:
        for name, hierarchy in (("age", AGES), ("city", CITIES)):
            session.data.attach_hierarchy(name, hierarchy)
            session.release.columns.set_level(name, 0)
            session.release.steps.set_importance(name, Importance.KEEP)
        session.release.set_guarantee(replace(session.project.anonymise.guarantee, delta=5e-5))

    assert document.apply("prepare", prepare)
    window.rail.select("anonymise")
    room = window.findChild(AnonymiseWorkspace)
    assert isinstance(room, AnonymiseWorkspace)
    idle(qtbot, room)
    source(qtbot, room, LevelSource.BALANCED)
    return room


def _everything_said(qtbot: QtBot, window: MainWindow, room: AnonymiseWorkspace, size: tuple[int, int]) -> None:
    window.resize(*size)
    write(qtbot, room, room.plan.rows, "900")
    window.document.apply(
        "most",
        lambda session: [session.release.steps.set_importance(name, Importance.KEEP) for name in ("age", "city")],
    )
    idle(qtbot, room)
    for epsilon in ("3", "2"):
        write(qtbot, room, room.promise.fields["epsilon"], epsilon)
    room.steps.open("promise")
    _laid_out(qtbot, window)


def _laid_out(qtbot: QtBot, window: MainWindow) -> None:
    put_off_is_done(qtbot, window)
    for _ in range(3):
        QCoreApplication.processEvents()


def _whole(part: QWidget) -> bool:
    return part.isVisible() and part.visibleRegion().boundingRect() == part.rect()


def _place(part: QWidget, room: QWidget) -> QRect:
    return QRect(part.mapTo(room, QPoint()), part.size())


@pytest.mark.parametrize("size", SIZES)
def test_the_open_promise_is_whole_with_everything_said(
    size: tuple[int, int], qtbot: QtBot, window: MainWindow, room: AnonymiseWorkspace
) -> None:
    _everything_said(qtbot, window, room, size)
    promise, foot, ways = room.promise, room.foot, room.foot.ways
    push(qtbot, room, ways.never)  # it stays in sight whatever becomes of the numbers
    push(qtbot, room, room.outlook.public.no)
    push(qtbot, room, room.outlook.public.yes)
    _laid_out(qtbot, window)
    assert window.size().toTuple() == size
    counts = {
        "sentence": promise.sentence,
        "readers": promise.readers,
        "ε": promise.fields["epsilon"],
        "slider": promise.epsilon_slider,
        "δ": promise.large_delta,
        "smaller δ": promise.smaller_delta,
        "readers now": promise.unfit,
        "ε as before": promise.keep,
        "people": room.outlook.rows,
        "price": foot.run_button,
        "change": room.outlook.change,
        "may": ways.words[0],
        "never": ways.words[1],
        "forecast": room.outlook.words,
    }
    assert [name for name, part in counts.items() if not _whole(part)] == []
    assert list(cut(room)) == []


@pytest.mark.parametrize("size", SIZES)
def test_what_is_wrong_with_a_release_is_whole_above_its_rows(
    size: tuple[int, int], qtbot: QtBot, window: MainWindow, room: AnonymiseWorkspace
) -> None:
    window.resize(*size)
    source(qtbot, room, LevelSource.HAND)
    room.document.run()
    idle(qtbot, room)
    assert room.result.table.view.model().rowCount() > 20, "more than there is room for"
    ends = (1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000)
    missing = ", ".join(f"{low} to under {high}" for low, high in pairwise(ends))
    half = "Less than half came out, on average: ward Eye clinic (178 rows, 373 by the statement)."
    room.result.notice.setText(f"{half}\nNo row says age: 100-119; charge: {missing}.")
    _laid_out(qtbot, window)
    notice, rows = room.result.notice, room.result.table.view
    assert _whole(notice) and not notice.button.isVisible() and "…" not in notice.brief.text()
    assert rows.viewport().height() >= 5 * rows.verticalHeader().defaultSectionSize()


@pytest.mark.parametrize("size", SIZES)
def test_nothing_that_is_pressed_moves_when_more_is_said(
    size: tuple[int, int], qtbot: QtBot, window: MainWindow, room: AnonymiseWorkspace
) -> None:
    window.resize(*size)
    write(qtbot, room, room.plan.rows, "900")
    room.steps.open("promise")
    _laid_out(qtbot, window)
    pressed = (room.promise.fields["epsilon"], room.outlook.rows, room.run_button, *room.steps.heads.values())
    places = [_place(part, room) for part in pressed]
    assert not room.foot.ways.isVisible()
    _everything_said(qtbot, window, room, size)
    assert room.foot.ways.isVisible() and room.outlook.change.isVisible()
    assert [_place(part, room) for part in pressed] == places


def test_what_came_out_has_the_room_and_another_draw_is_settled_as_the_first_one(
    qtbot: QtBot, window: MainWindow, room: AnonymiseWorkspace
) -> None:
    _everything_said(qtbot, window, room, (1280, 800))
    before = room.steps.width()
    assert before < room.width() / 2
    room.document.run()
    idle(qtbot, room)
    _laid_out(qtbot, window)
    assert room.document.session.release.result is not None and room.steps.width() <= tokens.STEPS_WIDTH
    write(qtbot, room, room.promise.fields["epsilon"], "1")
    _laid_out(qtbot, window)
    assert room.steps.width() == before


@pytest.mark.parametrize("led_to", ["no", "run"])
def test_digits_typed_where_one_is_led_to_are_the_number_of_people(
    led_to: str, qtbot: QtBot, window: MainWindow, room: AnonymiseWorkspace
) -> None:
    room.reach(NUMBER)
    assert window.focusWidget() is room.outlook.public.no
    part = room.outlook.public.no if led_to == "no" else room.run_button
    part.setFocus()
    before = room.document.project
    qtbot.keyClicks(part, "1")
    assert window.focusWidget() is room.outlook.rows.edit
    qtbot.keyClicks(room.outlook.rows.edit, "200")
    idle(qtbot, room)
    assert room.document.project.anonymise.trim.expected_rows == 1200
    assert not room.outlook.public.is_answered and room.document.session.release.result is None
    assert before != room.document.project
    room.run_button.setFocus()
    qtbot.keyClicks(room.run_button, "7")
    idle(qtbot, room)
    assert room.document.project.anonymise.trim.expected_rows == 1200, "what was typed is not typed over"


def test_the_rows_of_the_largest_group_are_whole_in_letters_of_any_size(
    qtbot: QtBot, window: MainWindow, room: AnonymiseWorkspace
) -> None:
    """A number without its end reads like another one."""
    write(qtbot, room, room.plan.rows, "4000")
    write(qtbot, room, room.promise.fields["epsilon"], "3")
    room.steps.open("promise")
    room.document.apply("age", lambda session: session.release.columns.set_treatment("age", Treatment.LEAVE_OUT))
    idle(qtbot, room)
    room.document.run()
    idle(qtbot, room)
    room.parts.show_part(1)
    view, sizes = room.result.table.view, set()
    first = view.lines.index(0, ROWS_COLUMN)
    assert "," in str(first.data())
    for width in range(120, 420, 20):
        view.setFixedWidth(width)
        _laid_out(qtbot, window)
        sizes.add(view.font().pixelSize())
        assert view.columnWidth(ROWS_COLUMN) >= view.sizeHintForIndex(first).width(), width
    assert len(sizes) > 1


def test_where_a_table_scrolls_no_heading_is_cut() -> None:
    columns = [ColumnTexts("Rows", ["12"], tokens.ICON, kept=True)]
    columns += [ColumnTexts(f"Categories of answer {place}", ["a" * 80]) for place in range(9)]
    found = fit(columns, 400)
    font = letters_of(found.size)
    font.setWeight(QFont.Weight.DemiBold)
    for column, width in zip(columns, found.widths, strict=True):
        assert width >= QFontMetrics(font).horizontalAdvance(column.heading), column.heading


def test_what_is_usual_comes_before_a_range_that_says_little_and_neither_is_cut(
    qtbot: QtBot, window: MainWindow, room: AnonymiseWorkspace
) -> None:
    details = room.result.details
    write(qtbot, room, room.plan.rows, "4000")
    wide = DetailOutlook("native-country", 1, "intervals of 40", (0, 95), (12, 4000), usual=12)
    for size in SIZES:
        window.resize(*size)
        room.parts.show_part(1)
        _laid_out(qtbot, window)
        details.model.show_lines([wide])
        details.view.fit()
        head = details.view.horizontalHeader()
        assert details.model.index(0, 2).data() == "perhaps 12 (0–95)"
        for at in range(head.count()):
            assert head.sectionSize(at) >= details.view.sizeHintForIndex(details.model.index(0, at)).width(), (size, at)
        assert head.length() <= details.view.viewport().width()


def test_names_and_details_are_whole_beside_their_numbers_in_a_usual_window(
    qtbot: QtBot, window: MainWindow, room: AnonymiseWorkspace
) -> None:
    details, view = room.result.details, room.result.details.view
    write(qtbot, room, room.plan.rows, "4000")
    lines = [
        DetailOutlook("native-country-of-birth-of-parents-too", 0, "as it is", (93, 99), (88, 3000)),
        DetailOutlook("occupation", 1, "intervals of 40,000", (33, 99), (90, 900), usual=92),
    ]
    for width in (1280, 1366, 1600):
        window.resize(width, 745)
        _laid_out(qtbot, window)
        details.model.offered = frozenset(one.column for one in lines)
        details.model.show_lines(lines)
        details.model.show_ticks(dict.fromkeys(details.model.offered, False))
        view.fit()
        for row, at in product(range(len(lines)), range(3)):
            index = details.model.index(row, at)
            if at == DETAIL:
                option = QStyleOptionViewItem()
                view.initViewItemOption(option)
                option.rect = view.visualRect(index)
                view.itemDelegateForIndex(index).initStyleOption(option, index)
                assert option.text == index.data(), width
            else:
                assert view.columnWidth(at) >= view.sizeHintForIndex(index).width(), (width, at)
        assert view.horizontalHeader().length() <= view.viewport().width()
        assert (view.property("tight") == "true") is (width == 1280), "closer together only where that is needed"


def test_the_menu_of_a_detail_marks_what_holds_now_also_where_it_was_wished_elsewhere(
    qtbot: QtBot, window: MainWindow, room: AnonymiseWorkspace
) -> None:
    _everything_said(qtbot, window, room, (1366, 768))
    push(qtbot, room, room.foot.ways.never)
    room.document.apply("most", lambda session: wish_enough(session, "age", 1))
    idle(qtbot, room)
    for name in ("age", "city"):
        row = next(row for row, one in enumerate(room.result.details.model.records) if one.column == name)
        menu = room.result.details.offer_details(row)
        assert menu is not None
        assert len([one for one in menu.actions() if one.isChecked()]) == 1, name
        menu.close()
    idle(qtbot, room)


def test_no_answer_stands_alone_beside_the_question(qtbot: QtBot, window: MainWindow, room: AnonymiseWorkspace) -> None:
    """Nor is one below the other, where both have room in one line: as in a small window for rows of persons."""
    window.document.apply("several", lambda session: session.data.set_unit(PrivacyUnit(2, "person")))
    window.resize(1024, 700)
    idle(qtbot, room)
    _laid_out(qtbot, window)
    asked = room.outlook.public
    question, no, yes = (part.mapTo(asked, QPoint(0, 0)).y() for part in (asked.question, asked.no, asked.yes))
    assert no == yes > question
