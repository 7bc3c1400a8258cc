"""Names and values of other people in lists, tables, headings and combo boxes: seen as they are, and never obeyed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractListModel, QLocale, QModelIndex, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHeaderView,
    QLabel,
    QStyledItemDelegate,
    QStyleOptionComboBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS, data_is_there
from workbench.anonymise.privacy import ModelChoice
from workbench.core.schema import Role
from workbench.core.visible import is_shown
from workbench.evaluate.experiment import Experiment
from workbench.evaluate.question import Question, Statistic
from workbench.gui.main_window import MainWindow
from workbench.gui.workspaces.hierarchies import HierarchiesWorkspace
from workbench.project.anonymise_settings import AnonymityKind
from workbench.project.experiments import CompareSettings, ExperimentDocument
from workbench.query.catalogue import QueryDraft
from workbench.session import Session

TURNED = "age\u202egnp.exe"
BROKEN = "city\nall rows are anonymous"
CLEARING, UNSEEN = "\x1b[2JBern", "Ba\u200bsel"
SPELLED = ("\\u202e", "\\x0a", "\\x1b", "\\u200b")
ROWS = 120


@pytest.fixture
def window(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> MainWindow:
    """A window whose data was written by somebody who means ill; one row is short, so that it is a problem as well."""
    window.resize(1400, 1000)
    data, labels = tmp_path / "peo\u202eple.csv", tmp_path / "labels.csv"
    lines = [f'{20 + n % 30};"{CLEARING if n % 3 else UNSEEN}"' for n in range(ROWS)]
    data.write_text("\n".join([f'{TURNED};"{BROKEN}"', *lines, f"7{CLEARING}"]) + "\n", encoding="utf-8")
    labels.write_text(f"{CLEARING};{CLEARING}s;*\n{UNSEEN};{UNSEEN}s;*\n", encoding="utf-8")
    window.open_path(data)
    settle(qtbot, window)

    def prepare(session: Session) -> None:
        session.data.set_role([TURNED, BROKEN], Role.QUASI)
        session.data.attach_hierarchy_file(BROKEN, labels)
        session.release.columns.set_level(BROKEN, 1)
        session.queries.set_draft(QueryDraft("mean", "0.2", {"column": TURNED}))
        compared = CompareSettings((ExperimentDocument(Experiment(Question(Statistic.MEAN, TURNED))),), 0)
        session.project = replace(session.project, comparing=compared)

    assert window.document.apply("prepare", prepare)
    settle(qtbot, window)
    return window


def settle(qtbot: QtBot, window: MainWindow) -> None:
    data_is_there(qtbot, window.document)
    qtbot.wait(30)
    for room in window.workspaces.built().values():
        room.status()
    qtbot.waitUntil(lambda: not window.runner.jobs, timeout=PATIENCE_MS)


def drawn(view: QAbstractItemView, index: QModelIndex) -> str:
    """The text of an entry as the view draws it."""
    value, delegate = index.data(), view.itemDelegateForIndex(index)
    if value is None or not isinstance(delegate, QStyledItemDelegate):
        return str(value or "")
    return delegate.displayText(value, QLocale())


def entries(view: QAbstractItemView) -> Iterator[str]:
    model = view.model()
    if isinstance(view, QHeaderView):
        for place in range(view.count()):
            yield str(model.headerData(place, view.orientation()) or "")
        return

    def below(parent: QModelIndex) -> Iterator[str]:
        for row in range(min(model.rowCount(parent), 8)):
            for column in range(1 if isinstance(model, QAbstractListModel) else model.columnCount(parent)):
                index = model.index(row, column, parent)
                yield drawn(view, index)
                yield from below(index) if not column else ()

    yield from below(QModelIndex())


def listed(part: QWidget) -> Iterator[tuple[str, str]]:
    """Everything that lists and boxes of a part of the window show, and of which kind they are."""
    for one in part.findChildren(QWidget):
        if not one.isVisible():
            continue
        if isinstance(one, QComboBox):
            option = QStyleOptionComboBox()
            one.initStyleOption(option)
            if not one.isEditable():
                yield type(one).__name__, option.currentText
            one.showPopup()
            for text in entries(one.view()):
                yield type(one).__name__, text
            one.hidePopup()
        elif isinstance(one, QAbstractItemView) and one.model() is not None:
            for text in entries(one):
                yield type(one).__name__, text


def obeyed(texts: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """What is shown and would be obeyed; the program itself ends lines in headings of two lines."""
    return [(kind, text) for kind, text in texts if not all(is_shown(sign) for sign in text.replace("\n", ""))]


@pytest.mark.timeout(120)
def test_lists_of_every_room_spell_out_what_would_be_obeyed(qtbot: QtBot, window: MainWindow) -> None:
    window.show_workspace("anonymise")
    window.spend()
    settle(qtbot, window)
    rooms, kinds = set(), set()
    for key in window.workspaces:
        window.show_workspace(key)
        settle(qtbot, window)
        found = list(listed(window))
        assert not obeyed(found), key
        assert not [text for _, text in found if BROKEN in text], key
        spelled = {kind for kind, text in found if any(sign in text for sign in SPELLED)}
        rooms |= {key} if spelled else set()
        kinds |= spelled
    assert rooms >= {"data", "hierarchies", "anonymise", "query", "collect", "compare"}, rooms
    assert len(kinds) >= 5, kinds


def test_privacy_models_spell_out_columns(qtbot: QtBot, window: MainWindow) -> None:
    def syntactic(session: Session) -> None:
        session.syntactic.set_approach(AnonymityKind.SYNTACTIC)
        session.syntactic.set_models([ModelChoice("k-anonymity", {"k": 3})])

    assert window.document.apply("k-anonymity", syntactic)
    window.show_workspace("anonymise")
    settle(qtbot, window)
    window.spend()
    settle(qtbot, window)
    assert not obeyed(list(listed(window)))


def test_what_is_chosen_copied_and_edited_is_the_value_itself(qtbot: QtBot, window: MainWindow) -> None:
    window.show_workspace("query")
    settle(qtbot, window)
    boxes = [one for one in window.findChildren(QComboBox) if one.isVisible() and one.findText(TURNED) >= 0]
    for box in boxes:
        box.setCurrentText(TURNED)
        assert box.currentText() == TURNED
    window.show_workspace("hierarchies")
    settle(qtbot, window)
    room = window.workspaces["hierarchies"]
    assert isinstance(room, HierarchiesWorkspace)
    shown = [room.attributes_model.index(row, 0).data() for row in range(2)]
    assert shown == ["age\\u202egnp.exe", "city\\x0aall rows are anonymous"]
    room.attributes.pick(BROKEN)
    assert room.attributes.name == BROKEN
    window.document.session.looks.take("values")
    window.document.changed.emit("file")
    settle(qtbot, window)
    room.workshop.begin("table")
    settle(qtbot, window)
    table = room.builder.form.table
    first = table.model().index(0, 0)
    assert first.data() != first.data(Qt.ItemDataRole.EditRole)
    assert first.data(Qt.ItemDataRole.EditRole) in (CLEARING, UNSEEN)


def test_one_row_is_one_row(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "one.csv"
    path.write_text("a,b\n1,2\n", encoding="utf-8")
    window.document.open_data(path)
    settle(qtbot, window)
    assert "one.csv" in [one.text() for one in window.strip.findChildren(QLabel)]
    window.document.session.looks.take("values")
    window.document.changed.emit("rows")
    settle(qtbot, window)
    assert "one.csv: 1 row" in [one.text() for one in window.strip.findChildren(QLabel)]
