"""No word is cut in the rooms where one asks, in a window of 1024 × 700 and of 1280 × 800."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QComboBox,
    QLabel,
    QLineEdit,
    QStyle,
    QStyleOptionComboBox,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.gui.helpers import choose, open_file, put_off_is_done
from workbench.core.paths import sample_data
from workbench.evaluate.question import Statistic
from workbench.evaluate.remaining_time import RemainingWork
from workbench.gui import tokens
from workbench.gui.main_window import MainWindow
from workbench.gui.message import MessageCard
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.eliding_check_box import ElidingCheckBox
from workbench.gui.widgets.inputs import ComboBox
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.collect import CollectWorkspace
from workbench.gui.workspaces.compare import CompareWorkspace
from workbench.gui.workspaces.mechanisms import MechanismsWorkspace
from workbench.gui.workspaces.query import QueryWorkspace
from workbench.project.laboratory import LaboratorySettings
from workbench.project.model import GuaranteeSettings
from workbench.session.comparison import ComparisonDesk

SMALL, USUAL = (1024, 700), (1280, 800)


def cut(root: QWidget) -> Iterator[str]:
    """What is seen of a room and has less room than its words need, or is cut by something that does not scroll."""
    for one in root.findChildren(QWidget):
        if one.isVisible():
            needed = _needed(one)
            # What is not a pixel can be seen of no letter.
            if needed is not None and (needed[0] > one.width() + 1 or needed[1] > one.height() + 1):
                yield f"{type(one).__name__} “{_words(one)}” needs {needed}, has {one.width(), one.height()}"
            elif _words(one) and _is_clipped(one):
                yield f"{type(one).__name__} “{_words(one)}” is cut by what it is in"


def _words(widget: QWidget) -> str:
    if isinstance(widget, QComboBox):
        return widget.currentText()
    return widget.text() if isinstance(widget, QLabel | QAbstractButton) else ""


def _needed(widget: QWidget) -> tuple[int, int] | None:
    """How wide and high its words make it, None for what has none or whose words are any length."""
    if isinstance(widget, QTabBar):
        return widget.sizeHint().width(), widget.sizeHint().height()
    if not _words(widget) or isinstance(widget, ElidingCheckBox):
        return None  # names of columns and protocols, which a tooltip says whole
    metrics = widget.fontMetrics()
    if isinstance(widget, QLabel):
        frame = widget.width() - widget.contentsRect().width()
        if widget.wordWrap():
            longest = max(map(metrics.horizontalAdvance, widget.text().split()), default=0)
            return longest + frame, widget.heightForWidth(widget.width())
        return max(map(metrics.horizontalAdvance, widget.text().splitlines())) + frame, metrics.height()
    if isinstance(widget, QComboBox):
        option = QStyleOptionComboBox()
        widget.initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        field = widget.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, widget)
        around = widget.width() - field.width() + tokens.SPACE_XS
        return metrics.horizontalAdvance(widget.currentText()) + around, metrics.height()
    return widget.sizeHint().width(), widget.sizeHint().height()


def _is_clipped(widget: QWidget) -> bool:
    """Whether something around it that does not scroll shows only a part of it."""
    seen, around = widget.geometry(), widget.parentWidget()
    while around is not None and not around.isWindow():
        if isinstance(around.parentWidget(), QAbstractScrollArea):
            return False
        if not around.rect().adjusted(-1, -1, 1, 1).contains(seen):
            return True
        seen, around = seen.translated(around.pos()), around.parentWidget()
    return False


@pytest.fixture
def opened(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> MainWindow:
    draw = random.Random(5)
    rows = [f"{draw.choice(('north', 'south'))},{draw.randint(1, 60)}" for _ in range(300)]
    path = tmp_path / "stays.csv"
    path.write_text("\n".join(["ward,days", *rows, ""]), encoding="utf-8")
    open_file(qtbot, window, path)
    return window


@pytest.mark.parametrize("size", [SMALL, USUAL])
def test_what_is_said_of_a_setting_that_was_taken_over_is_whole_and_the_rest_behind_details(
    qtbot: QtBot, opened: MainWindow, size: tuple[int, int]
) -> None:
    opened.resize(*size)
    opened.show_workspace("query")
    put_off_is_done(qtbot, opened)
    line, more = "Taken over at ε = 0.345; Query charges 0.69.", "Its 4 values are declared. Undo takes it back."
    opened.document.noted.emit("success", f"{line}\n{more}")
    message = opened.messages.messages[0]
    QCoreApplication.processEvents()
    assert [one.text() for one in message.findChildren(ElidedLabel)] == [line]
    (details,) = (one for one in message.findChildren(QAbstractButton) if one.text() == "Details")
    assert details.isVisible()
    details.click()
    (card,) = opened.findChildren(MessageCard)
    assert [one.text() for one in card.findChildren(QLabel) if one.text()] == [line, more]


def looked_at(qtbot: QtBot, window: MainWindow, room: QWidget, state: str) -> list[str]:
    found = []
    for size in (USUAL, SMALL):
        window.resize(*size)
        put_off_is_done(qtbot, window)
        for _ in range(3):
            QCoreApplication.processEvents()  # what was laid out last may have given others another room
        found += [f"{state}, {size[0]}: {one}" for one in cut(room)]
    return found


def test_no_word_of_a_comparison_is_cut(qtbot: QtBot, opened: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    opened.resize(*USUAL)
    opened.rail.select("compare")
    room = opened.findChild(CompareWorkspace)
    assert room is not None
    put_off_is_done(qtbot, opened)
    room._begin()
    experiment = room.draft.experiment
    assert experiment is not None
    room.draft.change("fewer", repetitions=2, places=(0.5, 1.0))
    question = room.view.question
    for bound, field in zip((0.0, 60.0), question.bounds.numbers, strict=True):
        field.edit.setText(str(bound))
        field.edit.editingFinished.emit()
    put_off_is_done(qtbot, opened)
    room.run()
    put_off_is_done(qtbot, opened)
    assert room.view.chart.shown is not None and room.view.chart.shown.complete
    found = looked_at(qtbot, opened, room, "run")
    # What takes so long does not begin by itself, and what was found before is out of date.
    monkeypatch.setattr(ComparisonDesk, "estimator", lambda *_: lambda _: RemainingWork(6, 6, 60.0, 60.0))
    question.bounds.numbers[1].edit.setText("50")
    question.bounds.numbers[1].edit.editingFinished.emit()
    put_off_is_done(qtbot, opened)
    assert room.view.chart.state.text.startswith("Out of date") and room.view.chart.state.again.isVisible()
    found += looked_at(qtbot, opened, room, "out of date")
    question.statistic.choose(Statistic.HISTOGRAM)
    question.statistic.activated.emit(0)
    for fold in room.view.folds:
        fold.set_open(True)
    found += looked_at(qtbot, opened, room, "unfolded")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("key", ["query", "collect", "mechanisms"])
def test_no_word_of_another_room_is_cut(qtbot: QtBot, opened: MainWindow, key: str) -> None:
    opened.resize(*USUAL)
    opened.rail.select(key)
    put_off_is_done(qtbot, opened)
    room = opened.workspaces[key]
    found = looked_at(qtbot, opened, room, key)
    if isinstance(room, CollectWorkspace):
        opened.document.apply("ask", lambda session: session.collection.change(column="ward"))
        found += looked_at(qtbot, opened, room, "a column")
        room.question.values.setPlainText("north\nsouth")
        for tab in range(room.tabs.count()):
            room.tabs.setCurrentIndex(tab)
            found += looked_at(qtbot, opened, room, room.tabs.tabText(tab))
    if isinstance(room, MechanismsWorkspace):
        room.tabs.setCurrentWidget(room.utility)
        # A local protocol has the longest note above, and values without an order one more sentence.
        asked = LaboratorySettings(mechanism="local-grr", claim="ln 3")
        opened.document.apply("ask", lambda session: session.audit.ask(asked))
        put_off_is_done(qtbot, opened)
        found += looked_at(qtbot, opened, room, "utility")
    assert not found, "\n".join(found)


def test_no_word_that_a_question_offers_is_cut(qtbot: QtBot, opened: MainWindow) -> None:
    """Nor one that its choices have, nor what stands in a field that is still empty."""
    opened.document.apply("said", lambda session: session.data.set_domain("ward", ("north", "south")))
    opened.rail.select("query")
    put_off_is_done(qtbot, opened)
    room = opened.workspaces["query"]
    assert isinstance(room, QueryWorkspace)
    found = []
    opened.resize(*SMALL)
    for kind in ("count", "histogram", "group-by", "mode", "laplace", "narrowed"):
        choose(room.form.kind, kind)
        put_off_is_done(qtbot, opened)
        room.form.disclosure.set_open(True)
        QCoreApplication.processEvents()
        found += [f"{kind}: {one}" for one in cut(room.form)]
        for field in room.form.findChildren(ComboBox):
            chosen = field.currentIndex()
            for row in range(field.count() if field.isVisible() and field is not room.form.kind else 0):
                field.setCurrentIndex(row)
                needed = _needed(field)
                if needed is not None and needed[0] > field.width() + 1:
                    found.append(f"{kind}: “{field.currentText()}” needs {needed}, has {field.width()}")
            field.setCurrentIndex(chosen)
        for line in room.form.findChildren(QLineEdit):
            around = 2 * tokens.SPACE_S + 4
            if (
                line.isVisible()
                and line.fontMetrics().horizontalAdvance(line.placeholderText()) + around > line.width()
            ):
                found.append(f"{kind}: “{line.placeholderText()}” is cut")
    assert not found, "\n".join(found)


def test_no_word_of_a_release_is_cut_before_its_draw_after_it_and_once_the_settings_changed(
    qtbot: QtBot, furnished: None, window: MainWindow
) -> None:
    window.resize(*USUAL)
    open_file(qtbot, window, sample_data() / "baltimore_salaries.csv")
    window.rail.select("anonymise")
    put_off_is_done(qtbot, window)
    room, document = window.workspaces["anonymise"], window.document
    assert isinstance(room, AnonymiseWorkspace)
    answered, header = room.outlook.public, room.result.claim

    def seen(state: str) -> list[str]:
        found = []
        for part in (0, 1):
            room.parts.show_part(part)
            found += looked_at(qtbot, window, room, f"{state}, part {part + 1}")
            room.parts.show_part(part)
            if answered.isVisible() and answered.question.height() > tokens.CONTROL_HEIGHT + 2:
                found.append(f"{state}: the question is {answered.question.height()} high")
        return found

    found = seen("fresh")
    for column in ("job title", "annual salary", "gross pay"):
        file = sample_data() / f"baltimore_hierarchy_{column.replace(' ', '_')}.csv"
        document.apply("", lambda session, c=column, f=file: session.data.attach_hierarchy_file(c, f))
    put_off_is_done(qtbot, window)
    found += seen("attached")
    document.run()
    put_off_is_done(qtbot, window)
    found += seen("drawn")
    document.apply("ε", lambda session: session.release.set_guarantee(GuaranteeSettings(epsilon=2)))
    put_off_is_done(qtbot, window)
    found += seen("changed")
    assert not found, "\n".join(found)
    window.resize(*USUAL)
    put_off_is_done(qtbot, window)
    facts = header.text.split(" · ")
    assert facts[:2] == ["Out of date", "the settings changed"] and len(facts) == 4
    assert header.shown.split(" · ")[0] == facts[0] and set(header.shown.split(" · ")) <= {*facts, "…"}
    assert not room.parts.tabs.isVisible(), "both parts have room, as they had before the window was small"
