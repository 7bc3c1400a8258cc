"""Sign a release in the window: with the key that is named, which nothing keeps, or not at all."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS, OnScreen, RecordingBar
from tests.kept import recording
from workbench.cli.main import main
from workbench.gui.runner import Runner
from workbench.gui.sign_dialog import SignDialog
from workbench.io.signing_key import usual_key_file

KEPT = recording.HERE / "releases" / "claim"


@pytest.fixture
def release(tmp_path: Path) -> Path:
    folder = tmp_path / "published"
    folder.mkdir()
    names = {"release.csv": "a.csv", "statement.html": "a_statement.html", "note.json": "a_metadata.json"}
    for file, name in names.items():
        shutil.copy(KEPT / file, folder / name)
    return folder / "a.csv"


@pytest.fixture
def opened(qtbot: QtBot, messages: RecordingBar, on_screen: OnScreen, release: Path) -> Callable[[], SignDialog]:
    return lambda: on_screen(SignDialog(Runner(messages, messages), release), 620, 240)


def pressed(qtbot: QtBot, dialog: SignDialog, button: QPushButton) -> str:
    """What is said after a button was pressed."""
    button.click()
    qtbot.waitUntil(lambda: dialog.sign.isEnabled() and bool(dialog.told.text()), timeout=PATIENCE_MS)
    return dialog.told.text()


def test_a_release_is_signed_with_a_key_made_here(
    qtbot: QtBot, opened: Callable[[], SignDialog], release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dialog = opened()
    assert dialog.key.text() == str(usual_key_file()) and dialog.copy.isHidden()
    assert "Make one with New key" in pressed(qtbot, dialog, dialog.sign)
    assert "publish the other half" in pressed(qtbot, dialog, dialog.make)
    assert os.name != "posix" or usual_key_file().stat().st_mode & 0o777 == 0o600
    said = pressed(qtbot, dialog, dialog.sign)
    signature = json.loads(release.with_name("a_statement.sig.json").read_text("utf-8"))
    assert said.startswith("Signed. Pass a_statement.sig.json on") and signature["fingerprint"] in said
    dialog.copy.click()
    assert QGuiApplication.clipboard().text() == signature["public_key"]
    named = ["verify", str(release), "--statement", str(release.with_name("a_statement.html"))]
    assert main([*named, "--public-key", signature["fingerprint"]]) == 0
    assert "Signed by the key you named" in capsys.readouterr().out
    # A key is made once, and a signature goes only where that is said.
    assert "there already" in pressed(qtbot, dialog, dialog.make)
    assert "A signature of this release is there already" in pressed(qtbot, dialog, dialog.sign)
    assert dialog.sign.text() == "&Replace the signature"
    assert pressed(qtbot, dialog, dialog.sign).startswith("Signed.")


def test_where_the_key_lies_is_kept_nowhere(
    qtbot: QtBot, opened: Callable[[], SignDialog], tmp_path: Path, release: Path
) -> None:
    key, dialog = tmp_path / "safe-place" / "own.pem", opened()
    dialog.key.setText(str(key))
    pressed(qtbot, dialog, dialog.make)
    assert pressed(qtbot, dialog, dialog.sign).startswith("Signed.")
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        for file in Path(os.environ[name]).rglob("*"):
            assert not file.is_file() or b"safe-place" not in file.read_bytes()
    signature = release.with_name("a_statement.sig.json").read_text("utf-8")
    assert "safe-place" not in signature and "PRIVATE" not in signature


@pytest.mark.skipif(os.name != "posix", reason="modes of files are POSIX's")
def test_a_key_that_others_may_read_signs_nothing(
    qtbot: QtBot, opened: Callable[[], SignDialog], release: Path
) -> None:
    dialog = opened()
    pressed(qtbot, dialog, dialog.make)
    usual_key_file().chmod(0o640)
    assert "Others may read or change the key" in pressed(qtbot, dialog, dialog.sign)
    assert not release.with_name("a_statement.sig.json").exists()


def test_what_does_not_hold_is_not_signed(qtbot: QtBot, opened: Callable[[], SignDialog], release: Path) -> None:
    dialog = opened()
    pressed(qtbot, dialog, dialog.make)
    release.write_bytes(b"".join(release.read_bytes().splitlines(keepends=True)[:-1]))
    assert pressed(qtbot, dialog, dialog.sign).startswith("Nothing was signed.")
    assert not release.with_name("a_statement.sig.json").exists()


def test_a_key_beside_what_is_published_is_refused(
    qtbot: QtBot, opened: Callable[[], SignDialog], release: Path
) -> None:
    dialog = opened()
    dialog.key.setText(str(release.with_name("key.pem")))
    pressed(qtbot, dialog, dialog.make)
    assert "would be passed on with it" in pressed(qtbot, dialog, dialog.sign)
    dialog.key.clear()
    assert pressed(qtbot, dialog, dialog.sign) == "Name the file of your key."


def test_without_the_package_it_is_said_what_is_missing(
    opened: Callable[[], SignDialog], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "cryptography", None)
    dialog = opened()
    assert "cryptography, which is not installed" in dialog.told.text() and "[sign]" in dialog.told.text()
    assert not dialog.sign.isEnabled() and not dialog.make.isEnabled()
