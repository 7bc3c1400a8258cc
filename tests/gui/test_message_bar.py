"""The bar of messages: how many, how long, as plain text; and what is raised where nobody catches it."""

from __future__ import annotations

import sys
import threading
from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QPushButton, QWidget

from workbench.gui.messages import MessageBar
from workbench.gui.theme import Theme
from workbench.gui.uncaught import install_excepthook
from workbench.gui.widgets.elided_label import ElidedLabel


@pytest.fixture
def bar(qtbot, light: Theme) -> MessageBar:
    made = MessageBar()
    qtbot.addWidget(made)
    return made


def test_at_most_three_messages_and_errors_stay_longest(bar: MessageBar) -> None:
    bar.error("one")
    for text in ("two", "three", "four"):
        bar.info(text)
    assert [message.text for message in bar.messages] == ["four", "three", "one"]


def test_a_message_replaces_that_of_its_key_or_the_same_words(bar: MessageBar) -> None:
    bar.warning("Levels changed", key="stale")
    bar.warning("Data changed", key="stale")
    bar.info("Saved")
    bar.info("Saved")
    assert [message.text for message in bar.messages] == ["Saved", "Data changed"]
    bar.dismiss("stale")
    bar.clear()
    assert bar.messages == () and bar.isHidden()


def test_the_action_closes_the_message_and_acts(qtbot, bar: MessageBar) -> None:
    pressed: list[str] = []
    message = bar.warning("Out of date", action="Run again", callback=lambda: pressed.append("run"))
    button = next(b for b in message.findChildren(QPushButton) if b.text() == "Run again")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert pressed == ["run"] and bar.messages == ()


def test_a_message_does_not_take_the_focus(qtbot, light: Theme) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    edit, bar = QLineEdit(window), MessageBar(window)
    window.show()
    window.activateWindow()
    edit.setFocus()
    qtbot.waitUntil(edit.hasFocus)
    bar.error("Something", action="Do", details="text")
    QApplication.processEvents()
    assert edit.hasFocus()


def test_details_are_shown_on_demand_and_copied(bar: MessageBar) -> None:
    try:
        raise ValueError("odd thing")
    except ValueError as error:
        message = bar.show_error(error)
    assert bar.findChild(QPlainTextEdit) is None
    button = next(b for b in message.findChildren(QPushButton) if b.isCheckable())
    button.click()
    pane = bar.findChild(QPlainTextEdit)
    assert pane is not None and not pane.isHidden() and "odd thing" in pane.toPlainText()
    button.click()
    assert pane.parentWidget().isHidden()
    message.copy()
    assert "odd thing" in QGuiApplication.clipboard().text()
    assert "odd thing" not in message.text, "a traceback is not thrown in the face"


def test_texts_of_messages_are_never_read_as_markup(bar: MessageBar) -> None:
    message = bar.error("<b>value</b>")
    shown = [child.text() for child in message.findChildren(QWidget) if child.inherits("QLabel")]
    assert "<b>value</b>" in shown
    assert all(
        child.textFormat() is Qt.TextFormat.PlainText
        for child in message.findChildren(QWidget)
        if child.inherits("QLabel")
    )


def test_uncaught_exceptions_of_any_thread_reach_the_bar(qtbot, bar: MessageBar, monkeypatch) -> None:
    printed: list[str] = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, error, trace: printed.append(str(error)))
    monkeypatch.setattr(threading, "excepthook", lambda args: printed.append(str(args.exc_value)))
    ours = sys.excepthook
    catcher = install_excepthook(bar)

    def fail() -> None:
        raise RuntimeError("on a thread")

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    sys.excepthook(ValueError, ValueError("in a slot"), None)
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    qtbot.waitUntil(lambda: len(bar.messages) == 2)
    assert printed == ["on a thread", "in a slot", ""]
    catcher.remove()
    assert sys.excepthook is ours


def test_tracebacks_are_printed_as_text(qtbot, bar: MessageBar, monkeypatch, capsys) -> None:
    monkeypatch.setattr(sys, "excepthook", sys.__excepthook__)
    monkeypatch.setattr(threading, "excepthook", threading.__excepthook__)
    catcher = install_excepthook(bar)

    def fail() -> None:
        raise RuntimeError("\x1b[2Jon a thread")

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    sys.excepthook(ValueError, ValueError("in \u202ea slot"), None)
    qtbot.waitUntil(lambda: len(bar.messages) == 2)
    catcher.remove()
    printed = capsys.readouterr().err
    assert "RuntimeError: \\x1b[2Jon a thread\n" in printed
    assert printed.startswith("Traceback (most recent call last):\n")
    assert printed.endswith("ValueError: in \\u202ea slot\n")


def test_what_happened_is_said_whole_where_there_is_no_room_for_what_comes_of_it(bar: MessageBar) -> None:
    """The rest is behind Details, which takes no room where all of it fits."""
    bar.show()
    message = bar.info("The table is on Start.", "Nothing that was drawn of it is kept.", action="Go back")
    (line,) = message.findChildren(ElidedLabel)
    (details,) = (one for one in message.findChildren(QPushButton) if one.text() == "Details")
    seen: dict[int, set[str]] = {}
    for width in (*range(240, 640, 4), *range(636, 236, -4)):
        bar.resize(width, bar.height())
        QApplication.processEvents()
        cut = line.text().endswith("…")
        assert details.isHidden() is (line.text() == f"{message.text} {message.hint}")
        seen.setdefault(width, set()).add("…" if cut else line.text())
    assert all(len(said) == 1 for said in seen.values()), "whatever it was before"
    states = [said.pop() for _, said in sorted(seen.items())]
    assert list(dict.fromkeys(states)) == ["…", message.text, f"{message.text} {message.hint}"]
    assert sum(one != other for one, other in pairwise(states)) == 2


def test_a_message_that_only_leads_somewhere_goes_like_one_without_an_action(bar: MessageBar) -> None:
    leads = bar.success("Attached.", action="Hierarchies", leads=True)
    asks = bar.success("Kept.", action="Go back")
    assert leads.passing and not asks.passing
    bar.clear_passing()
    assert bar.messages == (asks,)
