"""Asking where to save: a name without an ending gets one, and no file is replaced of which nobody was asked."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from workbench.gui.runner import Runner
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.save_place import ask_file
from workbench.plots import private_bars

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
def test_a_name_without_an_ending_gets_that_of_the_kind_and_nobody_is_asked_twice(
    typed: str, kind: str, written: str, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking, answers = QWidget(), [(str(tmp_path / typed), kind)]
    qtbot.addWidget(asking)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: answers.pop())
    monkeypatch.setattr(QMessageBox, "warning", lambda *_: pytest.fail("nothing is there to be replaced"))
    assert ask_file(asking, "Save", "x.csv", _KINDS)[0] == str(tmp_path / written)


@pytest.mark.parametrize("replace", [True, False])
def test_a_file_that_has_the_ending_is_asked_of_before_it_is_replaced(
    replace: bool, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking, answers = QWidget(), [(str(tmp_path / "answer"), "JSON (*.json)"), ("", "")]
    qtbot.addWidget(asking)
    (tmp_path / "answer.json").write_text("mine")
    shown, asked = list[tuple[str, ...]](), list[str]()

    def choose(_asking: QWidget, _title: str, *words: str) -> tuple[str, str]:
        shown.append(words)
        return answers.pop(0)

    def ask(_asking: QWidget, _title: str, said: str, *_buttons: object) -> QMessageBox.StandardButton:
        asked.append(said)
        return QMessageBox.StandardButton.Yes if replace else QMessageBox.StandardButton.No

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    monkeypatch.setattr(QMessageBox, "warning", ask)
    target = str(tmp_path / "answer.json")
    assert ask_file(asking, "Save", "x.csv", _KINDS)[0] == (target if replace else "")
    assert asked == ["answer.json already exists.\nDo you want to replace it?"]
    assert shown[1:] == ([] if replace else [(target, _KINDS, "JSON (*.json)")]), "shown again, as it was chosen"


def test_a_picture_of_another_kind_than_its_proposed_name_replaces_nothing_unasked(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    chart = ChartView("Shares", private_bars, Runner(parent=window), window)
    chart.name_files("shares")
    saved = list[Path]()
    monkeypatch.setattr(chart, "save", saved.append)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "shares.png"), "PDF (*.pdf)"))
    monkeypatch.setattr(QMessageBox, "warning", lambda *_: QMessageBox.StandardButton.No)
    chart.choose_file()
    assert saved == [tmp_path / "shares.pdf"]
    saved[0].write_text("mine")
    chart.choose_file()
    assert len(saved) == 1


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
