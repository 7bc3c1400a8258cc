"""Check a file in the window: what is found, in which words, and what is said where nothing can be checked."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QFileDialog, QLabel
from pytestqt.qtbot import QtBot

from tests.forging import FILE, released
from tests.gui.helpers import PATIENCE_MS, OnScreen, RecordingBar, click
from tests.kept import recording
from workbench.gui.main_window import MainWindow
from workbench.gui.runner import Runner
from workbench.gui.verify_dialog import VerifyDialog
from workbench.gui.widgets.disclosure import Disclosure
from workbench.gui.wishes import CHECK
from workbench.session.verifying.beside import received_files, verify_received

KEPT = recording.HERE / "releases" / "claim"


@pytest.fixture
def release(tmp_path: Path) -> Path:
    for file in KEPT.iterdir():
        shutil.copy(file, tmp_path / file.name)
    return tmp_path / "release.csv"


@pytest.fixture
def dialog(qtbot: QtBot, messages: RecordingBar, on_screen: OnScreen) -> VerifyDialog:
    return on_screen(VerifyDialog(Runner(messages, messages)), 720, 620)


def shown(qtbot: QtBot, dialog: VerifyDialog) -> str:
    qtbot.waitUntil(lambda: bool(dialog.findings.text) and dialog.cancel.isHidden(), timeout=PATIENCE_MS)
    return dialog.findings.text


def test_what_holds_is_said_with_the_claim_and_what_was_only_asserted(
    qtbot: QtBot, dialog: VerifyDialog, release: Path
) -> None:
    dialog.verify(release)
    text = shown(qtbot, dialog)
    assert dialog.focusWidget() is dialog.close_button, "nothing is missing that a press should begin with"
    found = verify_received(received_files(release))
    assert found.claim is not None
    lines = text.splitlines()
    asserted = lines.index("What only the publisher can know, and asserts")
    sentences = len(found.claim.asserted)
    assert (lines[0], asserted) == (found.verdict, 1), "what it rests on follows at once"
    assert lines[2 : 2 + sentences] == list(found.claim.asserted)
    assert lines[3 + sentences : 6 + sentences] == [found.claim.plain, found.claim.sentence, found.claim.meaning]
    (fold,) = dialog.findings.findChildren(Disclosure)
    formulas = [one for one in fold.findChildren(QLabel) if one.text() == found.claim.meaning]
    assert len(formulas) == 1 and not formulas[0].isVisibleTo(fold)
    fold.button.click()
    assert formulas[0].isVisibleTo(fold)
    rests = f"That holds if the {len(found.claim.asserted)} sentences below are true, on the publisher's word."
    assert found.verdict == (
        "Yes: the file is what its statement says. Its rows were counted again, and what is promised was computed "
        f"again. {rests}"
    ), "what is so comes first, then what it depends on"
    assert set(found.claim.asserted) <= set(lines[asserted:])
    assert any("told everything with a chance of" in line for line in lines), "what δ means"
    assert {one.text for one in found.findings} <= set(lines)
    assert not found.not_to_count, "its statement, of an older version, has no such sentence"
    assert dialog.beside.full_text == f"In {release.parent.name}, with statement.html, note.json", "of two of a name"


def test_a_file_of_which_nothing_is_promised_looks_like_no_promise(
    qtbot: QtBot, dialog: VerifyDialog, tmp_path: Path
) -> None:
    shutil.copytree(recording.HERE / "releases" / "seeded", tmp_path / "seeded")
    dialog.verify(tmp_path / "seeded" / "release.csv")
    lines = shown(qtbot, dialog).splitlines()
    assert lines[:2] == [
        "Yes: the file is what its statement says; nothing is promised.",
        "No (ε, δ) claim is made for this file.",
    ]
    assert not any("agrees" in line for line in lines)


def test_a_forged_file_is_found_and_nothing_of_its_statement_repeated(
    qtbot: QtBot, dialog: VerifyDialog, release: Path
) -> None:
    release.write_bytes(b"".join(release.read_bytes().splitlines(keepends=True)[:-1]))
    dialog.verify(release.with_name("statement.html"))
    text = shown(qtbot, dialog)
    assert text.splitlines()[:2] == ["No: the file is NOT what is stated.", "Do not rely on what its statement says."]
    assert "differentially private release" not in text
    lines = text.splitlines()
    wrong = next(place for place, line in enumerate(lines) if line.startswith("The file has "))
    assert wrong < lines.index("What to do"), "first what is wrong, and then what to do"


def test_another_number_of_rows_is_said_once(qtbot: QtBot, dialog: VerifyDialog, release: Path) -> None:
    with release.open("ab") as file:
        file.write(release.read_bytes().splitlines(keepends=True)[-1])
    dialog.verify(release)
    text = shown(qtbot, dialog)
    assert text.count("rows, and ") == 1 and "Rows: " not in text and "The file has " in text
    assert any(
        fault.startswith("Rows: ")
        for fault in verify_received(received_files(release)).to_json()["statement"]["faults"]
    )
    assert "Ask the publisher for the file and its statement anew" in text and "If you published" not in text


def test_groups_of_one_row_are_explained_before_they_are_counted(
    qtbot: QtBot, dialog: VerifyDialog, release: Path
) -> None:
    dialog.verify(release)
    line = next(one for one in shown(qtbot, dialog).splitlines() if " alike (by " in one)
    if " of 1 " in line:
        assert line.index("are what is left") < line.index(" alike (by ")


def test_a_file_is_checked_by_one_name_from_the_card_and_the_menu_to_the_window(
    window: MainWindow, dialog: VerifyDialog
) -> None:
    (menu,) = (one for one in window.findChildren(QAction) if one.text().replace("&", "").startswith("Check a file"))
    assert CHECK.title.startswith(dialog.windowTitle()), "the card on the start page"
    assert menu.text().replace("&", "").removesuffix("…") == dialog.windowTitle() == "Check a file"


def test_without_a_statement_one_can_be_chosen(
    qtbot: QtBot, dialog: VerifyDialog, release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for name in ("statement.html", "note.json"):
        shutil.move(release.with_name(name), elsewhere / name)
    dialog.verify(release)
    assert "lies no statement" in shown(qtbot, dialog)
    assert not dialog.copy.isEnabled()
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(elsewhere / "statement.html"), ""))
    click(qtbot, dialog.statement)
    assert "Yes: the file is what its statement says" in shown(qtbot, dialog)
    assert dialog.copy.isEnabled()


def test_a_file_under_an_unusual_name_is_listed(
    messages: RecordingBar, on_screen: OnScreen, release: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (asked.append(given[-1]), ("", ""))[1])
    for name in ("ages.dat", "ages.csv", "ages"):
        place = release.with_name(name)
        on_screen(VerifyDialog(Runner(messages, messages), place=place), 720, 620).choose_file()
    listed = [one.split(";;")[0] for one in asked]
    assert [one.endswith("*.dat)") for one in listed] == [True, False, False]
    assert all("*.csv" in one and "*.json" in one for one in listed)


def test_a_file_that_is_dropped_is_verified(qtbot: QtBot, dialog: VerifyDialog, release: Path) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(release))])
    left, nothing = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    event = QDropEvent(QPointF(40, 40), Qt.DropAction.CopyAction, mime, left, nothing)
    dialog.dropEvent(event)
    assert "Yes: the file is what its statement says" in shown(qtbot, dialog)


def test_a_key_that_was_named_must_have_signed(qtbot: QtBot, dialog: VerifyDialog, release: Path) -> None:
    dialog.verify(release)
    shown(qtbot, dialog)
    dialog.more.set_open(True)
    dialog.key.setText("0" * 64)
    dialog.key.editingFinished.emit()
    text = shown(qtbot, dialog)
    assert text.splitlines()[0] == "It is NOT signed."
    assert f"There is no signature of the key {'0' * 64}." in text


def test_what_is_copied_is_what_is_shown(qtbot: QtBot, dialog: VerifyDialog, release: Path) -> None:
    dialog.verify(release)
    text = shown(qtbot, dialog)
    click(qtbot, dialog.copy)
    assert QGuiApplication.clipboard().text() == text


def test_more_is_checked_with_hierarchies(qtbot: QtBot, dialog: VerifyDialog, release: Path) -> None:
    heading = release.read_text("utf-8-sig").splitlines()[0].split(",")
    hierarchy = release.with_name(f"hierarchy_{heading[0]}.csv")
    hierarchy.write_text("nothing of the kind;*\n")
    dialog.verify(release)
    shown(qtbot, dialog)
    dialog.compare_with(None, [hierarchy])
    assert shown(qtbot, dialog).startswith("No: the file is NOT what is stated.")


@pytest.fixture(scope="module")
def weak_release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of which somebody who guesses is right up to 98.21 % of the time."""
    weak = {"weak": ("--hierarchy", "age={public}", "--epsilon", "4", "--delta", "1e-3", "--level", "age=1")}
    return released(tmp_path_factory.mktemp("weak"), weak, lambda i: 20 + i % 40, twice=()) / "weak"


def test_of_a_weak_promise_it_is_not_said_that_all_is_well(
    qtbot: QtBot, dialog: VerifyDialog, weak_release: Path, release: Path
) -> None:
    dialog.verify(weak_release / FILE)
    verdict, *lines = shown(qtbot, dialog).splitlines()
    promise = lines[lines.index("What is promised, if that is so") + 1]
    assert verdict.startswith(
        "Yes: the file is what its statement says; it promises little. Its rows were counted again, and "
    )
    weak = "That is a weak promise: at ε = 1 the first would be 74 %."
    assert promise.endswith(f"before they see the file. {weak}")
    assert "if they are known to be in it, is guessed right at most 99.97 % of the time." in promise
    found, usual = verify_received(received_files(weak_release / FILE)), verify_received(received_files(release))
    assert found.holds and found.promises and not found.reassures and usual.reassures
    assert "Whether somebody is in the table is guessed right at most 99 % of the time." in promise
    assert found.lines()[2].startswith("That is a weak promise")
    assert not any("weak promise" in line for line in usual.lines())


def test_what_to_do_is_said_to_whoever_received_the_file(qtbot: QtBot, dialog: VerifyDialog, release: Path) -> None:
    """Only whoever has just published it is spoken to as the publisher."""
    dialog.verify(release)
    received = shown(qtbot, dialog)
    assert "Ask the publisher" in received and "If that is you" not in received and "your word" not in received
    lines = received.splitlines()
    assert lines[lines.index("What to do") + 2] == (
        "Nobody signed the statement, so make sure that it comes from them."
    ), "not only among what was checked, below the edge"
    dialog.verify(release, own=True)
    own = shown(qtbot, dialog)
    assert "You are the publisher" in own and "Ask the publisher about what rests on" not in own
    assert "Nobody signed" not in own


def test_what_is_no_statement_is_refused_in_words_for_its_reader(
    qtbot: QtBot, dialog: VerifyDialog, tmp_path: Path
) -> None:
    """A page without anything for programs, or a file of something else, is not answered with a program's error."""
    for name, text, why in (
        ("page.html", "<h1>Statement on an answer</h1>", "nothing that a program could read stands in it"),
        ("list.json", "[1, 2]", "it is not made up as one"),
        ("other.json", '{"version": 1}', "“format” is missing"),
    ):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        dialog.verify(path)
        told = shown(qtbot, dialog)
        assert why in told and "Expecting value" not in told and "indices" not in told
