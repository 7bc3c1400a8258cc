"""What is done with a file that the Release workspace exported: it is verified, signed and handed over."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS, idle
from tests.gui.release.helpers import VERIFIED, click, run, say
from workbench.anonymise.terms import BY_DATA
from workbench.core.progress import Cancelled
from workbench.gui.sign_dialog import SignDialog
from workbench.gui.verify_dialog import VerifyDialog
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.release import ReleaseWorkspace, own_check
from workbench.query.ledger import Charge
from workbench.session.verifying.beside import ReceivedFiles, received_files
from workbench.session.verifying.verified import Verified

pytestmark = pytest.mark.usefixtures("sampling")


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
    assert written.save.isVisibleTo(room) and written.save.toolTip().startswith("Closing asks whether to save.")
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
    assert room.export.written.state.full_text == VERIFIED, "both can be read"
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
    sign, command, copied, digits = menu.actions()
    assert copied.text() == "Copy statement" and copied.isEnabled()
    assert digits.text() == "Copy SHA-256" and digits.isEnabled()
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
    assert room.next_hint() == "Open the folder of people_release.csv and 2 more files", (
        "here too: others may be listed elsewhere"
    )
    assert room.export.check.text() == "&Check it" and room.export.check.property("primary") != "true"
    room.hide()
    assert room.next_hint() == "Open the folder of people_release.csv and 2 more files", "in the same words"
    room.show()
    room.reach(room.next_field())
    assert room.focusWidget() is room.export.folder and room.do_next(room.next_field()) and opened
    room.document.changed.emit("result")
    idle(qtbot, room)
    assert len(found) == 1, "once"
    qtbot.mouseClick(room.export.check, Qt.MouseButton.LeftButton)
    dialog = room.findChild(VerifyDialog)
    qtbot.waitUntil(lambda: "Yes: the file is" in dialog.findings.text, timeout=PATIENCE_MS)
    assert dialog.name.full_text == "people_release.csv", "one press: nobody has to look for it"
    dialog.reject()
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
    assert (room.next_hint(), room.next_field()) == ("Check the file", "verify")
    assert room.status() is Status.WARNING, "no tick on the rail"
    assert told.heading.text() == "Not done" and "nothing is claimed for them" in room.verdict.text
    run(room)
    idle(qtbot, room)
    assert "the claim holds" in room.verdict.text, "another draw has files of its own"


def test_a_signature_of_an_earlier_file_that_lies_beside_a_new_one_is_found_too(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path
) -> None:
    run(room)
    (tmp_path / "released").mkdir()
    (tmp_path / "released" / "people_release_statement.sig.json").write_text("{}", encoding="utf-8")
    click(qtbot, room)
    idle(qtbot, room)
    assert room.export.written.state.full_text != VERIFIED and room.next_hint() == "Check the file"


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
    assert (room.next_hint(), room.next_field()) == ("Check the file", "verify")
    room.reach("verify")
    assert room.focusWidget() is room.export.check
    _verify(qtbot, room)
    assert room.export.written.state.full_text == VERIFIED


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
    assert panel.written.state.text() == VERIFIED, "not cut"
    assert [one.property("primary") for one in (panel.folder, panel.check)] == ["true", "false"]
    assert room.focusWidget() is panel.folder, "what comes next"
    assert (
        "is what its statement says" in panel.written.state.toolTip()
        and "nobody can verify" in panel.written.state.toolTip()
    )
    panel.file.setText(str(tmp_path / "released" / "again.csv"))
    click(qtbot, room)
    idle(qtbot, room)
    assert panel.written.names[0] == "again.csv" and panel.written.state.full_text == VERIFIED, "another file"
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
    assert "verified" not in room.export.written.state.full_text and room.next_hint() == "Check the file"
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
    assert room.export.written.state.full_text == VERIFIED
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
    assert room.next_hint() == "Check the file"
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
