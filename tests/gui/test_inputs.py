"""The window writes nothing over what is open in it, whatever it asks the person before."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from tests.gui.helpers import OnScreen, idle
from workbench.core.errors import WorkbenchError
from workbench.core.params import ParamSpec, ParamType
from workbench.gui.document import Document
from workbench.gui.widgets.inputs import ListLine, LongLine
from workbench.gui.widgets.numbers_edit import NumbersEdit
from workbench.gui.widgets.spec_field import Manner, spec_field
from workbench.gui.workspaces.hierarchies import HierarchiesWorkspace
from workbench.gui.workspaces.mechanisms import MechanismsWorkspace
from workbench.io import protected_files
from workbench.io.atomic import atomic_write
from workbench.query.ledger_file import ledgers_folder

AGES = "".join(f"{age};{age // 10 * 10}s;*\n" for age in range(20, 60))


def opened(qtbot: QtBot, document: Document, folder: Path) -> dict[str, Path]:
    """Data and a project, open in the window, and files to read."""
    files = {name: folder / name for name in ("people.csv", "ages.csv", "p.wbench", "channel.csv")}
    files["people.csv"].write_text("age,city\n" + "".join(f"{20 + n % 40},x\n" for n in range(100)), encoding="utf-8")
    files["ages.csv"].write_text(AGES, encoding="utf-8")
    files["channel.csv"].write_text(",yes,no\na,3/4,1/4\nb,1/4,3/4\n", encoding="utf-8")
    document.open_data(files["people.csv"])
    qtbot.waitUntil(lambda: not document.runner.jobs)
    assert document.save(files["p.wbench"])
    return files


def test_a_hierarchy_is_not_exported_over_what_is_open(
    qtbot: QtBot, document: Document, on_screen: OnScreen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = on_screen(HierarchiesWorkspace(document))
    files = opened(qtbot, document, tmp_path)
    workspace.attributes.pick("age")
    workspace.attach_file(files["ages.csv"])
    idle(qtbot, workspace)
    assert set(document.project.hierarchies) == {"age"}
    (tmp_path / "link.csv").symlink_to(files["people.csv"])
    before = {path: path.read_bytes() for path in files.values()}
    for path in (*files.values(), tmp_path / "link.csv", ledgers_folder() / "x.csv"):
        ledgers_folder().mkdir(parents=True, exist_ok=True)
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, path=path, **__: (str(path), ""))
        if path == files["channel.csv"]:
            continue  # nobody has read it
        workspace.export()
        idle(qtbot, workspace)
    assert {path: path.read_bytes() for path in files.values()} == before
    assert not list(ledgers_folder().iterdir())
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(tmp_path / "new.csv"), ""))
    workspace.export()
    idle(qtbot, workspace)
    assert (tmp_path / "new.csv").exists()


@pytest.mark.parametrize("ending", ["csv", "tex", "png"])
def test_a_matrix_is_not_saved_over_the_table_it_was_read_from(
    ending: str, qtbot: QtBot, document: Document, on_screen: OnScreen, tmp_path: Path
) -> None:
    workspace = on_screen(MechanismsWorkspace(document))
    files = opened(qtbot, document, tmp_path)
    table = files["channel.csv"].rename(tmp_path / f"channel.{ending}")
    before = table.read_bytes()
    workspace.settings.load_table(table)
    idle(qtbot, workspace)
    qtbot.waitUntil(lambda: workspace.matrix.table.cells.channel is not None)
    workspace.matrix.save_to(table)
    idle(qtbot, workspace)
    assert table.read_bytes() == before
    workspace.matrix.save_to(tmp_path / f"other.{ending}")
    idle(qtbot, workspace)
    assert (tmp_path / f"other.{ending}").exists()


def test_whatever_writes_asks_what_is_open(qtbot: QtBot, document: Document, tmp_path: Path) -> None:
    files = opened(qtbot, document, tmp_path)
    before = {path: path.read_bytes() for path in files.values()}
    for name in ("people.csv", "p.wbench"):
        with pytest.raises(WorkbenchError, match="must not be overwritten"), atomic_write(files[name]):
            pass
    assert not document.save(files["people.csv"])
    assert {path: path.read_bytes() for path in files.values()} == before
    assert document.save(files["p.wbench"]), "its own project is saved again"
    document.new()
    with atomic_write(files["people.csv"]) as file:
        file.write(b"nobody has it open any more")


def test_a_window_that_is_gone_protects_nothing(tmp_path: Path) -> None:
    class Reader:
        def protected(self) -> protected_files.Protected:
            return protected_files.Protected((tmp_path / "data.csv",))

    reader = Reader()
    protected_files.protect(reader)
    with pytest.raises(WorkbenchError), atomic_write(tmp_path / "data.csv"):
        pass
    del reader
    gc.collect()
    with atomic_write(tmp_path / "data.csv") as file:
        file.write(b"x")


def test_a_field_for_text_keeps_all_that_is_pasted(qtbot: QtBot) -> None:
    told: list[object] = []
    field = spec_field(ParamSpec("values", "Values", ParamType.TEXT), Manner.ROOM, told.append)
    qtbot.addWidget(field)
    assert isinstance(field, LongLine)
    codes = ", ".join(f"A{place:05}" for place in range(10_000))
    field.insert(codes)
    field.editingFinished.emit()
    assert field.text() == codes and told[-1] == codes, "a code list is longer than a line of Qt"


@pytest.mark.parametrize(
    "pasted", ["A01\nB02\nC 03", "A01\r\nB02\r\nC 03\r\n", "A01\tB02\nC 03", "A01,\nB02;\n\nC 03\u2028"]
)
def test_a_code_list_that_is_pasted_a_value_a_line_is_seen_parted(qtbot: QtBot, pasted: str) -> None:
    field = ListLine("Z99, ")
    qtbot.addWidget(field)
    field.setCursorPosition(len(field.text()))
    QGuiApplication.clipboard().setText(pasted)
    field.paste()
    assert field.text() == "Z99, A01, B02, C 03" and field.cursorPosition() == len(field.text())
    field.setCursorPosition(0)
    QGuiApplication.clipboard().setText("Y1\nY2\n")
    field.paste()
    assert field.text() == "Y1, Y2, Z99, A01, B02, C 03" and field.cursorPosition() == len("Y1, Y2, ")


def test_numbers_are_not_cut_where_a_line_of_qt_ends(qtbot: QtBot) -> None:
    told: list[object] = []
    field = NumbersEdit("Edges", "such as 1, 2")
    qtbot.addWidget(field)
    field.typed.connect(told.append)
    field.insert(", ".join(str(100_000 + edge) for edge in range(10_000)))
    field.editingFinished.emit()
    assert told == [tuple(float(100_000 + edge) for edge in range(10_000))]
