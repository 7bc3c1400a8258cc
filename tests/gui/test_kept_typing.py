"""Escape, or the cross of its window, loses nothing at once of what was typed in a dialog."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QLabel, QLineEdit, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from workbench.gui.runner import Runner
from workbench.gui.workspaces.hierarchies.forms.levels import NamesDialog
from workbench.gui.workspaces.release.publisher_dialog import PublisherDialog


@pytest.fixture
def runner() -> Iterator[Runner]:
    made = Runner()
    yield made
    made.shutdown()


def names(_: Runner) -> tuple[QDialog, QLineEdit | QPlainTextEdit]:
    dialog = NamesDialog("Groups", ["child", None])
    return dialog, dialog.edit


def publisher(runner: Runner) -> tuple[QDialog, QLineEdit | QPlainTextEdit]:
    dialog = PublisherDialog(runner, None)
    return dialog, dialog.institution


DIALOGS = [names, publisher]


Made = tuple[QDialog, QLineEdit | QPlainTextEdit]
"""A dialog that is open, and a field of it."""


@pytest.fixture(params=DIALOGS)
def made(request: pytest.FixtureRequest, qtbot: QtBot, runner: Runner) -> Made:
    dialog, edit = request.param(runner)
    qtbot.addWidget(dialog)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    dialog.show()
    return dialog, edit


def says_so(dialog: QDialog) -> bool:
    return any("Escape again" in one.text() for one in dialog.findChildren(QLabel) if one.isVisibleTo(dialog))


def test_the_first_escape_says_what_a_second_one_drops(qtbot: QtBot, made: Made) -> None:
    dialog, edit = made
    qtbot.keyClicks(edit, "abc")
    before = dialog.height()
    qtbot.keyClick(edit, Qt.Key.Key_Escape)
    assert dialog.isVisible() and says_so(dialog) and dialog.height() > before, "nothing gives way to what is said"
    qtbot.keyClicks(edit, "d")
    qtbot.keyClick(edit, Qt.Key.Key_Escape)
    assert dialog.isVisible(), "what was typed since is not dropped either"
    qtbot.keyClick(edit, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_cancel_means_it_and_nothing_typed_needs_no_second_escape(qtbot: QtBot, made: Made) -> None:
    dialog, edit = made
    qtbot.keyClick(edit, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    dialog.show()
    qtbot.keyClicks(edit, "abc")
    cancel = next(one for one in dialog.findChildren(QPushButton) if "Cancel" in one.text().replace("&", ""))
    cancel.click()
    assert not dialog.isVisible() and not says_so(dialog)
