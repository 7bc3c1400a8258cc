"""A table of people with texts for missing values, values that do not fit, amounts and dates; it is opened."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from tests.gui.helpers import idle
from workbench.gui.workspaces.data import DataWorkspace

PEOPLE = (
    "name;city;age;income;when;grade\n"
    + "".join(
        f"Person {i % 40:02};{'Bern' if i % 3 else 'Basel'};{20 + i % 30 if i % 10 else 'NA'};"
        f"1.{100 + i},50;{i % 28 + 1:02}.03.2020;{'ABC'[i % 3]}\n"
        for i in range(60)
    )
    + "Person 99;-;old;2.000,00;01.04.2020;D\n"
)


def open_text(
    qtbot: QtBot, workspace: DataWorkspace, folder: Path, text: str = PEOPLE, name: str = "people.csv"
) -> Path:
    """Write a file and open it."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    workspace.document.open_data(path)
    idle(qtbot, workspace)
    return path
