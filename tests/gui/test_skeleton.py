"""What every room has: when it is brought up to date, whether it is settled, and the one job of its button."""

from __future__ import annotations

import ast
import threading
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS, OnScreen
from workbench.core.progress import Progress
from workbench.gui import edited_document
from workbench.gui.document import Document
from workbench.gui.edited_document import SECTIONS
from workbench.gui.later import Later
from workbench.gui.tracked import TrackedJob
from workbench.gui.workspaces import ROOMS
from workbench.gui.workspaces.base import Workspace
from workbench.project.rooms import ROOM_SETTINGS
from workbench.project.setting_paths import PLACES, changed
from workbench.project.storage import load_project, save_project


class Toy(Workspace):
    """Counts how often it was brought up to date."""

    identifier = "toy"
    follows = frozenset(("schema", "rows"))
    refreshed = 0

    def refresh(self) -> None:
        self.refreshed += 1


class Watchful(Toy):
    """A room that other rooms speak of."""

    works_unseen = True


@pytest.fixture
def toy(document: Document, on_screen: OnScreen, qtbot: QtBot) -> Toy:
    made = on_screen(Toy(document))
    qtbot.waitUntil(lambda: made.refreshed == 1, timeout=PATIENCE_MS)
    return made


def test_several_changes_are_taken_in_at_once(qtbot: QtBot, document: Document, toy: Toy) -> None:
    for section in ("schema", "rows", "schema"):
        document.changed.emit(section)
    assert not toy.settled and toy.refreshed == 1
    qtbot.waitUntil(lambda: toy.settled, timeout=PATIENCE_MS)
    assert toy.refreshed == 2
    document.changed.emit("ledger")
    assert toy.settled, "a section that it does not show"


def test_what_was_put_off_can_be_done_at_once_and_is_done_once(document: Document, toy: Toy) -> None:
    document.changed.emit("rows")
    toy.settle()
    assert toy.settled and toy.refreshed == 2
    toy.settle()
    assert toy.refreshed == 2


def test_a_hidden_room_waits_until_it_is_seen(qtbot: QtBot, document: Document, toy: Toy) -> None:
    toy.hide()
    document.changed.emit("rows")
    assert toy.settled
    qtbot.wait(20)
    assert toy.refreshed == 1
    toy.show()
    qtbot.waitUntil(lambda: toy.refreshed == 2, timeout=PATIENCE_MS)
    toy.hide()
    toy.show()
    assert toy.settled, "nothing changed meanwhile"


def test_a_room_that_others_speak_of_works_unseen(qtbot: QtBot, document: Document) -> None:
    made = Watchful(document)
    qtbot.addWidget(made)
    document.changed.emit("rows")
    qtbot.waitUntil(lambda: made.refreshed == 1, timeout=PATIENCE_MS)


def test_a_room_with_a_job_or_something_to_come_is_not_settled(qtbot: QtBot, toy: Toy) -> None:
    later = Later(toy, lambda: None, 50)
    later.start()
    assert not toy.settled
    qtbot.waitUntil(lambda: toy.settled, timeout=PATIENCE_MS)
    gate = threading.Event()
    toy.document.runner.start("Waiting", lambda progress: gate.wait(20))
    assert not toy.settled
    gate.set()
    qtbot.waitUntil(lambda: toy.settled, timeout=PATIENCE_MS)


def test_a_command_is_copied_and_said(document: Document) -> None:
    said: list[tuple[str, str]] = []
    document.noted.connect(lambda kind, text: said.append((kind, text)))
    document.copy_command("workbench profile ages.csv")
    document.copy_command("workbench query ages.csv", ". Running it spends")
    assert QGuiApplication.clipboard().text() == "workbench query ages.csv"
    assert said == [
        ("success", "The command was copied: workbench profile ages.csv"),
        ("success", "The command was copied. Running it spends: workbench query ages.csv"),
    ]


def test_a_followed_job_says_that_it_moves_and_ends_and_others_do_not(
    qtbot: QtBot, document: Document, toy: Toy
) -> None:
    job, told = TrackedJob(document.runner, toy), list[str]()
    job.moved.connect(lambda: told.append(f"{job.fraction:.1f}"))
    job.ended.connect(told.append)
    gate = threading.Event()

    def work(progress: Progress) -> None:
        progress(0.5)
        gate.wait(20)

    assert (job.running, job.cancelling, job.key, job.fraction) == (False, False, "", 0.0)
    job.start("Working", work, key="mine")
    assert job.running and job.key == "mine"
    document.runner.start("Another", lambda progress: progress(0.9), key="another", aside=True)
    qtbot.waitUntil(lambda: "0.5" in told, timeout=PATIENCE_MS)
    job.cancel()
    assert job.cancelling
    gate.set()
    qtbot.waitUntil(lambda: not job.running, timeout=PATIENCE_MS)
    assert set(told) == {"0.5", "mine"} and told[-1] == "mine"
    qtbot.waitUntil(lambda: toy.settled, timeout=PATIENCE_MS)
    assert told[-1] == "mine" and not job.cancelling


def test_a_room_follows_what_can_change() -> None:
    for entry in ROOMS:
        assert entry.load().follows <= {*SECTIONS, "ledger"}, entry.key


def sections_of(tree: ast.AST) -> Iterator[str]:
    """The parts of a document that code speaks of: those it is told of as `section`, and those it tells."""
    for one in ast.walk(tree):
        if isinstance(one, ast.Call) and ast.unparse(one.func).endswith("changed.emit"):
            yield from (arg.value for arg in one.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str))
        elif isinstance(one, ast.Compare) and ast.unparse(one.left) == "section":
            inside = (part for right in one.comparators for part in ast.walk(right))
            yield from (part.value for part in inside if isinstance(part, ast.Constant) and isinstance(part.value, str))


def test_only_what_can_change_is_told_and_waited_for() -> None:
    """Sections go by their names, so one that is mistyped would never come."""
    folder = Path(edited_document.__file__).parent
    found = {
        (path.name, section)
        for path in folder.rglob("*.py")
        for section in sections_of(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert len(found) > 30
    assert {(name, section) for name, section in found if section not in {*SECTIONS, "ledger"}} == set()
    assert set(sections_of(ast.parse('if section in ("rows", "rose"):\n    x.changed.emit("fail")'))) == {
        "rows",
        "rose",
        "fail",
    }


ONE_OF_EACH = {
    "anonymise.seed": "settings",
    "collect.repetitions": "collect",
    "data.sample": "rows",
    "mechanisms.repeat": "laboratory",
    "query.batch_epsilon": "queries",
}
"""A setting of each room, and what is told when it has changed."""


def test_what_a_project_keeps_of_a_room_is_told_when_it_changes(document: Document, tmp_path: Path) -> None:
    assert {path.partition(".")[0] for path in ONE_OF_EACH} == set(PLACES)
    assert set(PLACES) == set(ROOM_SETTINGS) - {"compare"}, "experiments are documents of their own"
    told: list[str] = []
    document.changed.connect(told.append)
    for path, section in ONE_OF_EACH.items():
        wanted = changed(document.project, path, "0.5" if path == "data.sample" else "2")
        assert document.apply("change", lambda session, wanted=wanted: setattr(session, "project", wanted))
        assert told == [section, "file"] and section in SECTIONS
        told.clear()
    save_project(document.project, tmp_path / "all.wbench")
    assert load_project(tmp_path / "all.wbench") == document.project


def test_no_room_may_import_another_whichever_it_is() -> None:
    rules = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    (apart,) = [one for one in rules["tool"]["importlinter"]["contracts"] if one.get("id") == "rooms"]
    assert apart["modules"] == sorted(f"workbench.gui.workspaces.{entry.key}" for entry in ROOMS)
