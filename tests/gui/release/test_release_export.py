"""An export from the Release workspace: what is written, what is done with it next, and what is lost without one."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QPoint, QRect, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.helpers import idle
from tests.gui.release.helpers import click, questions, run, say, words
from workbench.anonymise.terms import BY_DATA
from workbench.cli.main import main
from workbench.core.number_text import rounded_up
from workbench.core.progress import Cancelled
from workbench.core.schema import PrivacyUnit
from workbench.engines.choice import EngineChoice
from workbench.gui.next_step import Way
from workbench.gui.opener import Opener
from workbench.gui.project_files import ProjectFiles
from workbench.gui.settings import WindowSettings
from workbench.gui.sign_dialog import SignDialog
from workbench.gui.verify_dialog import VerifyDialog
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.release import ReleaseWorkspace, own_check
from workbench.project.storage import load_project
from workbench.query.ledger import Charge, LedgerHistory, RecordedLook
from workbench.session.publishing import named_publisher
from workbench.session.release.knowledge import answer_number
from workbench.session.verifying.beside import ReceivedFiles, received_files
from workbench.session.verifying.verified import Verified

pytestmark = pytest.mark.usefixtures("sampling")


def test_export_with_another_delimiter_and_history(qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path) -> None:
    run(room)
    out = tmp_path / "out.csv"
    room.export.file.setText(str(out))
    room.export.file_style.delimiter.setCurrentIndex(1)
    room.export.statement.setChecked(False)
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert out.read_text(encoding="utf-8").splitlines()[0] == "age"
    assert not out.with_name("out_statement.html").exists()
    assert room.history.table.model().rowCount() == 1
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert room.history.table.model().rowCount() == 1  # the same file again is the same release
    run(room)
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert room.history.table.model().rowCount() == 2
    room.tabs.setCurrentWidget(room.released)
    assert "ε 2" in words(room)


@pytest.mark.parametrize("known", [False, True])
def test_each_line_of_what_was_released_has_the_price_that_adds_up(
    qtbot: QtBot, room: ReleaseWorkspace, *, known: bool
) -> None:
    answer_number(room.document.session, known=known)
    run(room)
    click(qtbot, room)
    room.tabs.setCurrentWidget(room.released)
    lines = room.released.history.table.model()
    spent = room.document.session.standing.spent
    assert lines.rowCount() == 1 and spent.epsilon == (2 if known else 1)
    shown = [lines.index(0, column) for column in (2, 3)]
    assert [one.data() for one in shown] == [rounded_up(spent.epsilon), rounded_up(spent.delta)]
    assert f"ε {shown[0].data()}, δ {shown[1].data()}" in words(room)
    tips = [one.data(Qt.ItemDataRole.ToolTipRole) for one in shown]
    assert all("counted twice" in tip for tip in tips) if known else tips == [None, None]


def test_no_statement_vouches_for_another_file(qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path) -> None:
    run(room)
    out = tmp_path / "out.csv"
    room.export.file.setText(str(out))
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    before = out.read_bytes()
    room.document.apply("void", lambda s: s.release.columns.set_levels_blind(False))
    run(room)
    room.export.file.setText(str(out))  # rather than the name that is proposed
    room.export.statement.setChecked(False)
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert out.read_bytes() == before
    assert "vouch" in room.messages.messages[0].text


def test_the_exported_file_is_checked_again_and_the_check_can_be_copied(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path
) -> None:
    run(room)
    assert not room.export.command.isEnabled()
    assert (room.next_hint(), room.next_field()) == ("Export the release", "export")
    room.checks.more.set_open(True)
    assert "read back" not in words(room), "nothing that nobody could do anything about is a warning"
    out, written = tmp_path / "out.csv", list[str]()
    room.document.noted.connect(lambda _kind, text: written.append(text))
    room.export.file.setText(str(out))
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    qtbot.waitUntil(lambda: "counted again from the file" in words(room))
    assert _VERIFIED in words(room)
    assert (room.next_hint(), room.next_field()) == ("Hand over 3 files: out.csv", "hand over")
    assert Way(towards="release").step("", {"release": room}) == ("", "", ""), "on the first page other work begins"
    names = ["out.csv", "out_statement.html", "out_metadata.json"]
    assert room.export.written.isVisible() and room.export.written.names == names, "each is named"
    assert [line.toolTip() for line in room.export.written.lines] == [str(tmp_path / name) for name in names]
    assert written[-1].endswith("rows were written, read back and counted again: out.csv")
    assert "read back and counted again" in room.statement.toPlainText()
    command = room.export.verify_command()
    assert command == f"workbench verify {out} --statement {tmp_path / 'out_statement.html'}"
    assert main(command.split()[1:]) == 0
    out.write_text(out.read_text("utf-8") + "20s\n", encoding="utf-8")
    assert main(command.split()[1:]) == 1


def test_without_a_claim_the_button_says_so(qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path) -> None:
    run(room)
    assert room.export.export.text() == "&Export release"
    # What was promised on the screen is not exported without: the claim was lost meanwhile.
    room.document.session.ledger.current.carried = LedgerHistory(looks=(RecordedLook("z", "", "older", True),))
    click(qtbot, room)
    assert "cannot be claimed" in room.messages.messages[-1].text
    assert not list(tmp_path.glob("**/people_release*"))
    assert not any(entry.left for entry in room.document.session.ledger.current.entries)
    room.document.changed.emit("result")
    assert room.export.export.text() == "&Export without claim"
    click(qtbot, room)
    assert "No (ε, δ) claim is made" in (tmp_path / "released" / "people_release_statement.html").read_text("utf-8")
    idle(qtbot, room)
    assert room.next_hint() == "Done: handle the file like the original data"


def test_exporting_puts_nothing_into_the_saved_project(qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path) -> None:
    document, path = room.document, tmp_path / "p.wbench"
    assert document.save(path)
    before = path.read_bytes()
    run(room)
    click(qtbot, room)
    assert (tmp_path / "released" / "people_release.csv").exists()
    assert path.read_bytes() == before
    assert document.modified
    assert [entry.left for entry in document.session.ledger.current.entries] == [True]
    assert document.save(path) and not document.modified
    assert [record.file for record in load_project(path).releases] == ["people_release.csv"]


def test_whoever_cannot_say_it_exports_without_a_claim(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(room, said=False)

    def on_page(button: QWidget) -> QRect:
        return QRect(button.mapTo(room, QPoint()), button.size())

    place = on_page(room.export.unclaimed)
    room.assertions.ticks[0].click()
    asked = questions(monkeypatch, QMessageBox.StandardButton.No)
    qtbot.mouseClick(room.export.unclaimed, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert not list(tmp_path.glob("**/people_release*")), "it cannot be taken back, so it is asked about"
    assert str(tmp_path / "released" / "people_release.csv") in asked[0], "it is said where it would be"
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Yes)
    qtbot.mouseClick(room.export.unclaimed, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert not any(place.intersects(on_page(one)) for one in (room.export.check, room.export.folder))
    page = tmp_path / "released" / "people_release_statement.html"
    text = page.read_text("utf-8")
    assert "No (ε, δ) claim is made" in text
    assert text.count("It can be asserted only before the file is written") >= 2
    assert "The publisher does not assert: “Which columns take part" in text
    assert "The publisher does not assert: “No other draw or release" in text, "whatever is missing is named"
    assert "The publisher does not assert: “Nobody is told how many people" not in text, "that was said"
    assert "What the publisher asserts" not in text
    assert room.status() is Status.WARNING and room.export.written.state.text() == "Written without a claim"
    assert "No (ε, δ) claim" in room.verdict.text and not room.assertions.isVisible()
    assert main(["verify", str(tmp_path / "released" / "people_release.csv"), "--statement", str(page)]) == 0
    assert not room.document.session.ledger.current.entries[-1].charge.claimed


def test_after_an_export_it_is_said_that_the_project_is_not_saved(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path
) -> None:
    wanted: list[bool] = []
    saving = room.document.saving
    saving.wanted.connect(lambda: wanted.append(True))
    run(room)
    written = room.export.written
    assert not written.save.isVisibleTo(room), "nothing is said of it before"
    click(qtbot, room)
    assert written.save.isVisibleTo(room) and "Closing asks whether to save." in words(room)
    written.save.click()
    assert wanted == [True]
    saving.save(tmp_path / "mine.wbench")
    qtbot.waitUntil(lambda: not saving.busy)
    assert not written.save.isVisibleTo(room)


def test_the_folder_opens_and_the_file_can_be_verified(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def show(url: QUrl) -> bool:
        opened.append(url.toLocalFile())
        return len(opened) == 1

    monkeypatch.setattr(QDesktopServices, "openUrl", show)
    run(room)
    assert not room.export.folder.isVisible() and not room.export.check.isVisible()
    click(qtbot, room)
    said: list[tuple[str, str]] = []
    room.document.noted.connect(lambda *told: said.append(told))
    qtbot.mouseClick(room.export.folder, Qt.MouseButton.LeftButton)
    assert [Path(one) for one in opened] == [tmp_path / "released"]
    qtbot.mouseClick(room.export.folder, Qt.MouseButton.LeftButton)
    assert said[-1] == ("warning", f"The files are in {tmp_path / 'released'}: no program here shows folders.")
    assert room.export.written.state.full_text == _VERIFIED, "both can be read"
    for button in (room.export.folder, room.export.check, room.export.sign, room.export.command):
        assert len(button.toolTip()) > 30, "what it results in"
    qtbot.mouseClick(room.export.check, Qt.MouseButton.LeftButton)
    dialog = room.findChild(VerifyDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: "Yes: the file is what its statement says" in dialog.findings.text, timeout=10_000)
    assert "You are the publisher" in dialog.findings.text and "Ask the publisher" not in dialog.findings.text
    assert "told everything with a chance of 1e-5, and otherwise kept to the factor above" in dialog.findings.text
    dialog.verify(Path(room.export.file.text()))  # as somebody who received it
    qtbot.waitUntil(lambda: "Ask the publisher" in dialog.findings.text, timeout=10_000)
    dialog.reject()
    assert not room.export.sign.isVisible(), "what few need is folded"
    menu = room.export.written.others
    qtbot.mouseClick(room.export.written.more, Qt.MouseButton.LeftButton)
    assert menu.isVisible()
    (sign, command) = menu.actions()
    assert (sign.text(), command.text()) == (room.export.sign.text(), room.export.command.text())
    assert sign.isEnabled() and command.isEnabled() and sign.toolTip() == room.export.sign.toolTip()
    menu.close()
    sign.trigger()
    signing = room.findChild(SignDialog)
    assert signing is not None and signing.what.full_text == Path(room.export.file.text()).name
    signing.reject()


def test_nobody_is_told_to_hand_over_a_file_whose_choices_the_data_decided_without_a_word_of_it(
    qtbot: QtBot, room: ReleaseWorkspace
) -> None:
    run(room, said=False)
    release = room.document.session.release
    release.say(release.current_result().draw, [BY_DATA])
    room.document.changed.emit("result")
    say(room)
    click(qtbot, room)
    assert room.status() is Status.WARNING
    assert room.next_hint() == "Done: what is promised leaves its choices out"


def test_what_was_exported_is_verified_by_itself_and_next_is_to_hand_it_over(
    qtbot: QtBot, room: ReleaseWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[QUrl] = []
    found: list[Verified] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url) is None)
    room.document.verified.connect(found.append)
    run(room)
    click(qtbot, room)
    idle(qtbot, room)
    assert [one.holds for one in found] == [True] and room.findChild(VerifyDialog) is None
    assert len(found[0].documents) == 2, "against its statement and its note, as they lie on the disk"
    assert room.next_hint() == "Hand over 3 files: people_release.csv", "here too: others may be listed elsewhere"
    assert room.export.check.text() == "See what was checked", "nobody needs to verify it once more"
    room.hide()
    assert room.next_hint() == "Hand over 3 files: people_release.csv", "in the same words"
    room.show()
    room.reach(room.next_field())
    assert room.focusWidget() is room.export.folder and room.do_next(room.next_field()) and opened
    room.document.changed.emit("result")
    idle(qtbot, room)
    assert len(found) == 1, "once"
    run(room)
    assert not room.export.written.isVisible() and room.next_hint() == "Export the release", "another draw"


def test_what_was_changed_on_the_disk_before_it_was_verified_is_not_to_be_handed_over(
    qtbot: QtBot, room: ReleaseWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def changed_by_another(path: Path) -> ReceivedFiles:
        path.write_text(path.read_text("utf-8") + "20s\n", encoding="utf-8")
        return received_files(path)

    monkeypatch.setattr(own_check, "received_files", changed_by_another)
    run(room)
    click(qtbot, room)
    idle(qtbot, room)
    told = room.export.written
    assert told.state.full_text == "Do not hand it over: something of it does not hold"
    assert "says what does not hold" in told.hand_over.text() and room.export.check.property("primary") == "true"
    assert (room.next_hint(), room.next_field()) == ("Verify the file", "verify")
    assert room.status() is Status.WARNING, "no tick on the rail"


def test_a_signature_of_an_earlier_file_that_lies_beside_a_new_one_is_found_too(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path
) -> None:
    run(room)
    (tmp_path / "released").mkdir()
    (tmp_path / "released" / "people_release_statement.sig.json").write_text("{}", encoding="utf-8")
    click(qtbot, room)
    idle(qtbot, room)
    assert room.export.written.state.full_text != _VERIFIED and room.next_hint() == "Verify the file"


def _cancelled(*_: object, **__: object) -> Verified:
    raise Cancelled


def test_verifying_by_itself_can_be_cancelled_and_is_then_left_to_the_person(
    qtbot: QtBot, room: ReleaseWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_check, "verify_received", _cancelled)
    run(room)
    click(qtbot, room)
    idle(qtbot, room)
    assert "rows written and counted again" in room.export.written.state.full_text
    assert (room.next_hint(), room.next_field()) == ("Verify the file", "verify")
    room.reach("verify")
    assert room.focusWidget() is room.export.check
    _verify(qtbot, room)
    assert room.export.written.state.full_text == _VERIFIED


_VERIFIED = "Exported, already verified as a receiver would"


def _verify(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    """Verify the file that was exported, and close what was found."""
    with qtbot.waitSignal(room.document.verified, timeout=10_000):
        qtbot.mouseClick(room.export.check, Qt.MouseButton.LeftButton)
    room.findChildren(VerifyDialog)[-1].reject()


def test_a_file_that_was_verified_has_one_clear_end(qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path) -> None:
    run(room)
    click(qtbot, room)
    idle(qtbot, room)
    panel = room.export
    assert panel.written.state.text() == _VERIFIED, "not cut"
    assert [one.property("primary") for one in (panel.folder, panel.check)] == ["true", "false"]
    assert room.focusWidget() is panel.folder, "what comes next"
    assert (
        "is what its statement says" in panel.written.state.toolTip()
        and "nobody can verify" in panel.written.state.toolTip()
    )
    panel.file.setText(str(tmp_path / "released" / "again.csv"))
    click(qtbot, room)
    idle(qtbot, room)
    assert panel.written.names[0] == "again.csv" and panel.written.state.full_text == _VERIFIED, "another file"
    run(room)
    assert not panel.written.state.full_text and room.next_hint() == "Export the release", "another draw"


def test_whatever_comes_of_the_data_later_makes_what_was_verified_stale(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    run(room)
    click(qtbot, room)
    _verify(qtbot, room)
    document = room.document
    document.session.ledger.current.charge(Charge("query", "how many", Fraction(1, 10)))
    document.changed.emit("ledger")
    room.settle()
    assert "verified" not in room.export.written.state.full_text and room.next_hint() == "Verify the file"
    _verify(qtbot, room)
    assert "verified" not in room.export.written.state.full_text, (
        "its statement no longer counts all that came of the data"
    )


def test_a_file_that_is_verified_from_the_start_page_is_known_in_release(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_check, "verify_received", _cancelled)
    run(room)
    click(qtbot, room)
    file = Path(room.export.file.text())
    dialog = VerifyDialog(room.document.runner, room)
    dialog.answered.connect(room.document.verified)  # as the window does
    other = tmp_path / file.name
    for one in file.parent.iterdir():
        (tmp_path / one.name).write_bytes(one.read_bytes())
    with qtbot.waitSignal(dialog.answered, timeout=10_000):
        dialog.verify(other)
    assert "verified" not in room.export.written.state.full_text, "a copy elsewhere"
    with qtbot.waitSignal(dialog.answered, timeout=10_000):
        dialog.verify(file)
    assert room.export.written.state.full_text == _VERIFIED
    file.write_text(file.read_text("utf-8") + "20s\n", encoding="utf-8")
    with qtbot.waitSignal(dialog.answered, timeout=10_000):
        dialog.verify(file)
    assert "verified" not in room.export.written.state.full_text
    dialog.reject()


def test_a_file_that_does_not_hold_is_still_to_be_verified(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    run(room)
    click(qtbot, room)
    file = Path(room.export.file.text())
    file.write_text(file.read_text("utf-8") + "20s\n", encoding="utf-8")
    assert room.do_next("verify")
    dialog = room.findChild(VerifyDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: bool(dialog.findings.text), timeout=10_000)
    assert room.next_hint() == "Verify the file"
    dialog.reject()


def test_of_a_file_that_left_before_another_draw_its_statement_is_said_to_be_outdated(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path
) -> None:
    run(room)
    click(qtbot, room)
    file = tmp_path / "released" / "people_release.csv"

    def verified() -> list[str]:
        room._verify(file)
        dialog = room.findChildren(VerifyDialog)[-1]
        qtbot.waitUntil(lambda: "Yes: the file is what its statement says" in dialog.findings.text, timeout=10_000)
        said = dialog.findings.text.splitlines()
        dialog.reject()
        return said

    assert not any("no longer true" in line for line in verified())
    run(room, said=False)
    assert verified()[1].startswith("The ledger of this data counts 1 release made after this draw.")
    assert room.document.session.ledger.left_names(room.document.session.data.fingerprint) == ("people_release.csv",)


def test_a_signature_of_what_stood_there_before_is_named(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[tuple[str, str]] = []
    room.document.noted.connect(lambda kind, text: said.append((kind, text)))
    run(room)
    signature = tmp_path / "released" / "people_release_statement.sig.json"
    signature.parent.mkdir()
    signature.write_text("{}", encoding="utf-8")
    click(qtbot, room)
    assert said[-1][0] == "warning" and signature.name in said[-1][1] and "Sign it anew" in said[-1][1]


def test_a_draw_that_leaves_with_its_project_is_named_before(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def question(_window: object, _title: str, text: str, *_: object) -> QMessageBox.StandardButton:
        asked.append(text)
        return QMessageBox.StandardButton.Cancel

    files = ProjectFiles(room.document, WindowSettings(tmp_path / "settings.json"), room)
    lost = "was drawn and not exported"
    monkeypatch.setattr(QMessageBox, "question", question)
    assert not files.may_leave()
    run(room)
    assert not files.may_leave()
    assert not files.may_leave("Another table. Save the project first?")
    room.export.file.setText(str(tmp_path / "out.csv"))
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert not files.may_leave()
    assert [lost in text for text in asked] == [False, True, True, False]
    assert "charged with ε = " in asked[1] and asked[2].endswith("Save the project first?")
    assert asked[0].startswith("This project was not saved. ")
    assert room.document.save(tmp_path / "survey.wbench", room)
    room.document.apply("seed", lambda session: session.collection.change(seed=7))
    assert not files.may_leave() and asked[-1].startswith("Changes of the project survey are not saved. ")


def test_of_draws_that_are_lost_it_is_said_whether_a_later_one_was_exported(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path
) -> None:
    session = room.document.session
    run(room)
    first = session.release.result
    assert first is not None and session.release.lost_with_it.startswith("A release was drawn and not exported: ")
    run(room)
    second = session.release.result
    assert second is not None and session.release.lost_with_it.startswith("2 releases were drawn and not exported: ")
    room.export.file.setText(str(tmp_path / "out.csv"))
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert session.release.lost_with_it.startswith(
        f"An earlier release, of {first.outcome.rows_out:,} rows, was drawn and not exported, unlike the last one: "
    )
    assert "That draw was charged with ε = " in session.release.lost_with_it
    run(room)
    last = session.release.result
    assert last is not None and session.release.lost_with_it.startswith("2 releases were drawn and not exported: ")
    results = session.state.results
    results.result, results.drawn = second, (last, second)
    assert session.release.lost_with_it.startswith(
        f"The last release, of {last.outcome.rows_out:,} rows, was drawn and not exported, unlike the one that is "
    )


def test_a_draw_that_no_saved_project_keeps_is_named_before_too(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    answers = [QMessageBox.StandardButton.Cancel]

    def question(_window: object, _title: str, text: str, *_: object) -> QMessageBox.StandardButton:
        asked.append(text)
        return answers[-1]

    document = room.document
    settings = WindowSettings(tmp_path / "settings.json")
    files = ProjectFiles(document, settings, room)
    opener = Opener(document, settings, files.may_leave, room)
    monkeypatch.setattr(QMessageBox, "question", question)
    run(room)
    assert document.save(tmp_path / "mine.wbench") and not document.modified
    assert not files.may_leave() and len(asked) == 1
    assert asked[0].startswith("A release was drawn and not exported") and "charged with ε = " in asked[0]
    result, data = document.session.release.result, document.project.data
    assert data is not None and result is not None
    opener.move(EngineChoice())
    opener.read(Path(data.path), None, False)
    idle(qtbot, room)
    assert len(asked) == 3 and document.session.release.result is result
    result = document.session.release.draw_again()
    assert document.save(tmp_path / "mine.wbench")
    answers.append(QMessageBox.StandardButton.Discard)
    assert files.may_leave()
    assert asked[3].startswith("2 releases were drawn and not exported") and "stays counted" in asked[3]
    answers.append(QMessageBox.StandardButton.Save)
    document.apply("unit", lambda session: session.data.set_unit(PrivacyUnit(3)))
    assert files.may_leave() and len(asked) == 5, "of what is lost it was told once"
    opener.read(Path(data.path), None, False)
    idle(qtbot, room)
    assert document.session.release.result is result, "only Go on goes on"
    answers.append(QMessageBox.StandardButton.Discard)
    opener.read(Path(data.path), None, False)
    idle(qtbot, room)
    assert document.session.release.result is None and files.may_leave() and len(asked) == 7


def test_who_exports_without_a_name_is_told_beside_the_button(room: ReleaseWorkspace) -> None:
    """One quiet line, and no click more."""
    run(room)
    panel = room.export
    QCoreApplication.processEvents()  # what stood beside it has gone
    assert panel.state.full_text == "The statement will not say who published it" and panel.export.isEnabled()
    assert panel.state.text() == panel.state.full_text and panel.state.property("muted") == "true", "quiet, and whole"
    room.document.speak_as(named_publisher(None, "The union"))
    assert panel.state.full_text == ""
    room.document.speak_as(None)
    assert panel.state.full_text
    panel.statement.setChecked(False)
    panel.refresh()
    assert panel.state.full_text == "", "where there is no statement it names nobody anyway"


def test_the_last_tick_moves_nothing(room: ReleaseWorkspace) -> None:
    """What can be left out by then goes, and its room stays."""
    run(room, said=False)
    panel = room.export
    parts = (panel.file_style.form, panel.details.button, panel.browse, panel.export, room.statement)
    assert panel.unclaimed.isVisible()
    seen = [(part.mapTo(room, part.pos()), part.size()) for part in parts]
    say(room)
    QCoreApplication.processEvents()
    assert not panel.unclaimed.isVisible()
    assert [(part.mapTo(room, part.pos()), part.size()) for part in parts] == seen
