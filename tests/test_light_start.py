"""What is asked of the program alone, or computed with numbers alone, waits for no part that it does not use."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kept import recording
from workbench.cli.commands import COMMANDS, parser_of, whole_parser
from workbench.gui.workspaces import ROOMS

ARITHMETIC = ["guarantee", "--epsilon", "1", "--delta", "1e-5"]
DOMAIN = [
    *("workbench.session", "workbench.report", "workbench.evaluate", "workbench.engines", "workbench.ldp"),
    *("workbench.mechanisms", "workbench.plots", "workbench.contracts", "workbench.gui", "workbench.project.model"),
    *("workbench.query.catalogue", "workbench.anonymise.privacy", "workbench.anonymise.dp_search"),
    *("matplotlib", "PySide6", "pyarrow", "duckdb", "scipy", "importlib.metadata"),
]


def imported(words: list[str]) -> set[str]:
    """The modules that a command imports in a process of its own."""
    code = (
        "import atexit, sys; atexit.register(lambda: print('\\n', *sys.modules, file=sys.stderr)); "
        "from workbench.starting import command_line; sys.exit(command_line())"
    )
    run = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True, timeout=50)
    assert run.stdout
    return set(run.stderr.split())


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["guarantee", "--help"], ARITHMETIC], ids=" ".join)
def test_nothing_is_imported_that_is_not_used(words: list[str]) -> None:
    found = imported(words)
    assert not found & set(DOMAIN)
    assert ("numpy" in found) is (words[0] == "guarantee")
    assert len([name for name in found if name.startswith("workbench.cli.commands.")]) == (words[0] == "guarantee")


def test_drawing_levels_is_imported_where_it_is_counted() -> None:
    assert "workbench.anonymise.dp_search" in imported([*ARITHMETIC, "--search-epsilon", "0.1"])


@pytest.mark.parametrize("name", [*COMMANDS, "gui"])
def test_a_command_takes_the_same_whether_the_others_are_declared_or_not(name: str) -> None:
    alone, together = (
        {command: recording.flags(one) for command, one in recording.commands(parser) if command.split()[1:2] == [name]}
        for parser in (parser_of({name}), whole_parser())
    )
    assert alone == together and alone


def test_every_command_says_what_carries_it_out() -> None:
    def ends(parser: argparse.ArgumentParser) -> list[str]:
        return [name for name, one in recording.commands(parser) if one.get_default("command") is not None]

    done = {name.split()[1] for name in ends(whole_parser())}
    assert done == set(COMMANDS)
    assert ends(parser_of(())) == []


AGES = Path(__file__).resolve().parents[1] / "sample_data" / "ages.csv"
HEAVY = {"pandas", "matplotlib", "diffprivlib", "sklearn", "opendp", "scipy", "duckdb", "pyspark"}
"""Packages that take longer to import than most commands take."""
NOT_ON_THE_START_PAGE = (
    *("workbench.report", "workbench.plots", "workbench.contracts", "workbench.cli", "workbench.library"),
    *(f"workbench.gui.workspaces.{room.key}" for room in ROOMS),
)
"""What belongs to rooms and dialogs, which are imported when they are made."""


def test_looking_at_a_table_imports_no_heavy_package() -> None:
    assert not HEAVY & imported(["profile", str(AGES)])


def test_the_first_page_imports_no_heavy_package_no_room_and_no_desk(tmp_path: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from PySide6.QtWidgets import QApplication; "
        "from workbench.gui.main_window import MainWindow; from workbench.gui.settings import WindowSettings; "
        "from workbench.gui.theme import ThemeManager; app = QApplication([]); "
        "settings = WindowSettings(Path(sys.argv[1])); window = MainWindow(settings, ThemeManager(app, settings)); "
        "window.show(); window.grab(); print(*sys.modules, flush=True); os._exit(0)"
    )
    words = [sys.executable, "-c", code, str(tmp_path / "window.json")]
    run = subprocess.run(words, capture_output=True, text=True, check=True, timeout=50)
    found = set(run.stdout.split())
    assert "workbench.gui.main_window" in found
    assert not HEAVY & found
    assert not [name for name in found if name.startswith(NOT_ON_THE_START_PAGE)]
    assert {name for name in found if name.startswith("workbench.session")} == {
        "workbench.session",
        *(f"workbench.session.{part}" for part in ("session", "state", "plugin_trust", "spoken")),
    }
