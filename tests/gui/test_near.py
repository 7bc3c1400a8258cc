"""The message about data that is nearly the same as other data something was released of."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from tests.gui.helpers import data_is_there
from workbench.core.schema import PrivacyUnit, UnitAnswer
from workbench.gui.document import Document
from workbench.gui.messages import Message, MessageBar
from workbench.gui.near_data import NearNotice
from workbench.query.ledger import Charge
from workbench.query.ledger_file import ledgers_folder
from workbench.session import Session

LINES = [f"{20 + i % 40},{i * 37 % 1000}" for i in range(500)]


@pytest.fixture
def old(tmp_path: Path) -> Path:
    file = tmp_path / "old.csv"
    file.write_text("\n".join(["age,pay", *LINES]), encoding="utf-8")
    return file


@pytest.fixture
def new(tmp_path: Path) -> Path:
    file = tmp_path / "new.csv"
    file.write_text("\n".join(["age,pay", *LINES[1:]]), encoding="utf-8")
    return file


@pytest.fixture
def notice(document: Document, messages: MessageBar) -> NearNotice:
    return NearNotice(document, messages, document)


def release(file: Path) -> Session:
    session = Session()
    session.data.open(file)
    session.ledger.current.charge(Charge("query", "x", Fraction(1, 2)))
    return session


def opened(qtbot: QtBot, document: Document, file: Path) -> None:
    document.open_data(file)
    data_is_there(qtbot, document)


def shown(messages: MessageBar) -> list[Message]:
    return [message for message in messages.messages if "nearly the same" in message.text.lower()]


def press(qtbot: QtBot, message: Message, words: str) -> None:
    (button,) = [button for button in message.findChildren(QPushButton) if button.text() == words]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_the_count_is_continued_at_a_press(
    qtbot: QtBot, document: Document, messages: MessageBar, notice: NearNotice, old: Path, new: Path
) -> None:
    release(old)
    opened(qtbot, document, new)
    (message,) = shown(messages)
    assert message.text.startswith("Nearly the same data was released"), "the point of it first: a narrow bar cuts it"
    assert document.session.ledger.current.spent().epsilon == 0
    press(qtbot, message, "Continue the count")
    assert document.session.ledger.current.spent().epsilon == Fraction(1, 2)
    assert not shown(messages)
    assert document.project.history(document.session.data.fingerprint).entries, "the project carries it"
    opened(qtbot, document, new)
    assert not shown(messages)


def test_other_people_are_declared_at_a_press(
    qtbot: QtBot, document: Document, messages: MessageBar, notice: NearNotice, old: Path, new: Path
) -> None:
    release(old)
    opened(qtbot, document, new)
    (message,) = shown(messages)
    press(qtbot, message, "Other people")
    assert not shown(messages)
    assert any("is about other people" in said for said in document.session.release.claim().asserted)
    opened(qtbot, document, new)
    assert not shown(messages)


def test_what_another_program_releases_meanwhile(
    qtbot: QtBot, document: Document, messages: MessageBar, notice: NearNotice, old: Path, new: Path
) -> None:
    opened(qtbot, document, new)
    assert not shown(messages)
    release(old)
    document.tell_ledger()
    (message,) = shown(messages)
    message.dismiss()
    document.tell_ledger()
    assert not shown(messages), "what was closed is not said again and again"
    opened(qtbot, document, new)
    (message,) = shown(messages)
    opened(qtbot, document, old)
    assert not shown(messages)


def test_no_other_warning_hides_it_and_it_is_asked_again_where_it_counts(
    qtbot: QtBot, document: Document, messages: MessageBar, notice: NearNotice, old: Path, new: Path
) -> None:
    release(old)
    document.noted.connect(lambda kind, words: getattr(messages, kind)(words))
    opened(qtbot, document, old)
    document.apply("Protect", lambda session: session.data.set_unit(PrivacyUnit(protected=UnitAnswer.SAID)))
    opened(qtbot, document, new)
    first, second = messages.messages[:2]
    assert [first] == shown(messages) and second.text.startswith("What you said of old.csv counts for new.csv")
    for number in range(4):
        messages.warning(f"Warning {number}")
    assert messages.messages[0] is first and len(messages.messages) == 3
    messages.info("On to Query", key="way", yields=True)
    assert messages.messages[0] is first
    messages.success("Done")
    assert messages.messages[0].text == "Done", "what the person just did is seen, and goes by itself"
    assert shown(messages) == [first]
    notice.ask_where_it_counts()
    assert shown(messages) == [first], "once"
    first.dismiss()
    assert not shown(messages)
    notice.ask_where_it_counts()
    (message,) = shown(messages)
    press(qtbot, message, "Other people")
    notice.ask_where_it_counts()
    assert not shown(messages), "it was answered"


def test_nothing_is_asked_of_other_data(
    qtbot: QtBot, document: Document, messages: MessageBar, notice: NearNotice, old: Path, tmp_path: Path
) -> None:
    release(old)
    other = tmp_path / "other.csv"
    other.write_text("\n".join(["age,pay", *(f"{n % 40},{n * 41 % 997}" for n in range(500))]), encoding="utf-8")
    opened(qtbot, document, other)
    opened(qtbot, document, old)
    assert not shown(messages)


def test_a_damaged_key_is_told(
    qtbot: QtBot, document: Document, messages: MessageBar, notice: NearNotice, old: Path, new: Path
) -> None:
    release(old)
    (ledgers_folder() / "sketches" / "key").write_bytes(b"short")
    opened(qtbot, document, new)
    (message,) = shown(messages)
    assert "damaged" in message.text


def test_an_answer_that_cannot_be_kept_is_an_error(
    qtbot: QtBot,
    document: Document,
    messages: MessageBar,
    notice: NearNotice,
    errors: list[BaseException],
    old: Path,
    new: Path,
) -> None:
    first = release(old)
    opened(qtbot, document, new)
    pair = "~".join(sorted((first.data.fingerprint, document.session.data.fingerprint)))
    (ledgers_folder() / "sketches" / f"{pair}.other").mkdir()
    notice.declare_other_people()
    (_,) = errors
