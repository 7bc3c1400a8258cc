"""Asking where to save: a name without an ending gets one, and no file is replaced of which nobody was asked."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from workbench.gui.widgets.save_place import ask_file

_KINDS = "Table (*.csv);;JSON (*.json)"


@pytest.mark.parametrize(
    ("typed", "kind", "written"),
    [
        ("answer", "Table (*.csv)", "answer.csv"),
        ("answer", "JSON (*.json)", "answer.json"),
        ("answer", "", "answer.csv"),
        ("survey 2.5", "Table (*.csv)", "survey 2.5.csv"),
        ("answer.json", "Table (*.csv)", "answer.json"),
        ("ANSWER.CSV", "Table (*.csv)", "ANSWER.CSV"),
    ],
)
def test_a_name_without_an_ending_is_shown_with_that_of_the_kind_and_the_dialog_asks_of_that_file(
    typed: str, kind: str, written: str, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking = QWidget()
    qtbot.addWidget(asking)
    shown = []

    def answer(_asking: QWidget, _title: str, at: str, _kinds: str, _before: str = "") -> tuple[str, str]:
        """Type a name at first; then press Save, of which the dialog asks where there is such a file."""
        shown.append(at)
        return (str(tmp_path / typed) if len(shown) == 1 else at), kind

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    assert ask_file(asking, "Save", "x.csv", _KINDS)[0] == str(tmp_path / written)
    assert len(shown) == 1 + (written != typed)


def test_whoever_gives_up_at_the_second_question_writes_nothing(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking, answers = QWidget(), [(str(tmp_path / "answer"), "Table (*.csv)"), ("", "")]
    qtbot.addWidget(asking)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: answers.pop(0))
    assert ask_file(asking, "Save", "answer.csv", _KINDS) == ("", "")


def test_a_name_that_is_taken_is_proposed_with_a_number(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proposed, asking = list[str](), QWidget()
    qtbot.addWidget(asking)
    asking.document = SimpleNamespace(save_folder=tmp_path)

    def ask(_parent: object, _title: str, name: str, _kinds: str) -> tuple[str, str]:
        proposed.append(Path(name).name)
        return "", ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    for _ in range(3):
        ask_file(asking, "Save", "mean-of-cost.png", "PNG (*.png)")
        (tmp_path / proposed[-1]).write_text("there")
    assert proposed == ["mean-of-cost.png", "mean-of-cost-2.png", "mean-of-cost-3.png"]
