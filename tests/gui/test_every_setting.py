"""Every setting of every room survives saving, loading, keeping and undo, whichever widget it was changed with.

The widgets are found, not listed: whoever adds one to a room has it tried here. Those that a change brings to light are
tried as soon as they are there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
import shiboken6
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QLineEdit,
    QMessageBox,
    QPlainTextEdit,
    QScrollBar,
    QSpinBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from workbench.anonymise.privacy import ModelChoice
from workbench.core.building import build_hierarchy, specification
from workbench.core.hierarchy import Hierarchy
from workbench.core.schema import ColumnSpec, Kind, PrivacyUnit, Role
from workbench.evaluate.experiment import Experiment
from workbench.evaluate.question import Question, Statistic
from workbench.gui import recovery
from workbench.gui.main_window import MainWindow
from workbench.gui.settings import WindowSettings
from workbench.gui.theme import Mode, ThemeManager
from workbench.gui.workspaces.base import Workspace
from workbench.project.anonymise_settings import AnonymityKind
from workbench.project.experiments import CompareSettings, ExperimentDocument
from workbench.project.model import LevelsBy, Project
from workbench.project.restoring import Memory, restored, without_values
from workbench.project.storage import load_project
from workbench.query.catalogue import QueryDraft
from workbench.session import Session

PATIENCE_MS = 20_000
TEXTS = ("7", "0.25, 0.75", "ä\N{ALEMBIC}", "")
"""What is typed into every field. Most is refused by most; what is accepted must be kept."""

PRESSED = {"data", "hierarchies"}
"""Rooms whose other buttons are pressed as well: they open dialogs and take drafts over. Those of the other rooms run
what has tests of its own."""

MOST_STEPS = 240
"""Of one room, after which so much is tried that the rest is more of the same, such as rows of a longer list."""


@pytest.fixture
def window(
    qtbot: QtBot, qapp: QApplication, settings: WindowSettings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[MainWindow]:
    monkeypatch.setattr(recovery, "AUTOSAVE_MS", 3_600_000)  # the test says when
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Discard)
    for name in ("getOpenFileName", "getSaveFileName"):
        monkeypatch.setattr(QFileDialog, name, lambda *_: ("", ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: "")
    themes = ThemeManager(qapp, settings)
    themes.set_mode(Mode.LIGHT)
    window = MainWindow(settings, themes)
    qtbot.addWidget(window)
    window.resize(1400, 1000)
    window.show()
    data = tmp_path / "people.csv"
    data.write_text(
        "name;city;age;income;when;grade\n"
        + "".join(
            f"P{i % 40:02};{'Bern' if i % 3 else 'Basel'};{20 + i % 30};{100 + i}.5;2020-03-{i % 28 + 1:02};"
            f"{'ABC'[i % 3]}\n"
            for i in range(120)
        ),
        encoding="utf-8",
    )
    window.document.open_data(data)
    idle(qtbot, window)
    for edit in PREPARED:
        assert window.document.apply("prepare", edit)
    yield window
    window.close()
    qapp.styleHints().colorSchemeChanged.disconnect(themes._follow_system)


COMPARED = CompareSettings((ExperimentDocument(Experiment(Question(Statistic.MEAN, "age"))),), 0)


def with_hierarchies(session: Session) -> None:
    """One that was built from the values, and one that was imported."""
    spec = session.project.schema["age"]
    observed = specification("intervals", {"source": "observed", "number": 5}, column=spec)
    values = session.data.reading.table["age"]
    session.data.attach_hierarchy("age", build_hierarchy(observed, values.values, values.counts, spec))
    session.data.attach_hierarchy(
        "city", Hierarchy.from_rows([("Bern", "B", "*"), ("Basel", "B", "*")], origin="a list")
    )


PREPARED: tuple[Callable[[Session], object], ...] = (
    lambda s: s.data.set_role(["name"], Role.IDENTIFYING),
    lambda s: s.data.set_role(["age", "city", "when"], Role.QUASI),
    lambda s: s.data.set_role(["grade"], Role.SENSITIVE),
    lambda s: s.data.set_kind(["grade"], Kind.ORDERED),
    lambda s: s.data.set_bounds("age", (0.0, 120.0)),
    lambda s: s.data.set_bounds("income", (100.5, 219.5), observed=True),
    lambda s: s.data.set_domain("grade", ["A", "B", "C", "D"]),
    lambda s: s.data.set_unit(PrivacyUnit(3, "name")),
    with_hierarchies,
    lambda s: s.queries.set_draft(QueryDraft("count", "0.2")),
    lambda s: s.queries.set_batch([QueryDraft("count", "0.2"), QueryDraft("mean", values={"column": "age"})]),
    lambda s: s.release.columns.set_level("age", 1),
    lambda s: setattr(s, "project", replace(s.project, comparing=COMPARED)),
)
"""What is there before a room is tried: roles, bounds, a domain, questions that are kept."""


def idle(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: not window.runner.jobs, timeout=PATIENCE_MS)


# Widgets


@dataclass(frozen=True)
class Turn:
    """One thing a person can do with a widget: which one, what, how, and whether it may lead to another page."""

    where: str
    what: str
    do: Callable[[], object]
    leads_away: bool = False


def where_is(widget: QWidget) -> str:
    """What the widget is, in words that outlive it: pages are made again while they are changed."""
    names = []
    at: QWidget | None = widget
    while at is not None and not isinstance(at, MainWindow):
        names.append(f"{type(at).__name__}:{at.accessibleName() or at.objectName()}")
        at = at.parentWidget()
    return " < ".join(names[:6])


def turns_of(widget: QWidget) -> Iterator[Turn]:
    turn = partial(Turn, where_is(widget))
    if isinstance(widget, QComboBox):
        for row in range(widget.count()):
            yield turn(f"choose {widget.itemText(row)}", partial(choose, widget, row))
    elif isinstance(widget, QAbstractButton):
        group = widget.group()
        one_of_many = widget.autoExclusive() or (group is not None and group.exclusive())
        yield turn("click", widget.click, one_of_many or not widget.isCheckable())
        if widget.isCheckable() and not one_of_many:
            yield turn("click again", widget.click)
    elif isinstance(widget, QAbstractItemView):
        for row in range(min(widget.model().rowCount(), 6) if widget.model() is not None else 0):
            yield turn(f"go to row {row}", partial(go_to, widget, row))
    elif isinstance(widget, QSpinBox):
        for value in (widget.minimum(), widget.maximum(), 3):
            yield turn(f"set {value}", partial(widget.setValue, value))
    elif isinstance(widget, QAbstractSlider):
        for share in (0.0, 1.0, 0.5):
            value = round(widget.minimum() + share * (widget.maximum() - widget.minimum()))
            yield turn(f"slide to {share}", partial(widget.setValue, value))
    elif isinstance(widget, QLineEdit):
        for text in TEXTS:
            yield turn(f"type {text!r}", partial(write, widget, text))
    elif isinstance(widget, QPlainTextEdit):
        for text in TEXTS:
            yield turn(f"type {text!r}", partial(widget.setPlainText, text))


def go_to(view: QAbstractItemView, row: int) -> None:
    place = view.model().index(row, 0)
    view.setCurrentIndex(place)
    view.clicked.emit(place)


def choose(box: QComboBox, row: int) -> None:
    box.setCurrentIndex(row)
    if box.currentIndex() == row:
        box.activated.emit(row)


def write(field: QLineEdit, text: str) -> None:
    field.setText(text)
    field.textEdited.emit(text)
    field.editingFinished.emit()


def usable(widget: QWidget) -> bool:
    if not shiboken6.isValid(widget) or not (widget.isVisible() and widget.isEnabled()):
        return False
    if isinstance(widget, QScrollBar) or (isinstance(widget, QLineEdit | QPlainTextEdit) and widget.isReadOnly()):
        return False
    if isinstance(widget, QAbstractButton) and not widget.isCheckable() and not PRESSED.intersection(rooms_of(widget)):
        return False
    return not isinstance(widget.parentWidget(), QAbstractSpinBox | QComboBox)


def rooms_of(widget: QWidget) -> set[str]:
    """The room a widget is in, or "dialog"."""
    found = set()
    at: QWidget | None = widget
    while at is not None:
        if isinstance(at, Workspace):
            found.add(at.identifier)
        if isinstance(at, QDialog):
            found = {"dialog"}
            break
        at = at.parentWidget()
    return found


class Walk:
    """Changes every widget of a part of the window, and looks after each change whether everything is kept."""

    def __init__(self, qtbot: QtBot, window: MainWindow, path: Path) -> None:
        self.qtbot, self.window, self.path = qtbot, window, path
        self.tried: set[tuple[str, str]] = set()
        self.changes = 0
        self._within: list[QDialog] = []

    def through(self, part: QWidget, most: int = MOST_STEPS) -> None:
        found: dict[tuple[str, str], int] = {}
        for _ in range(most):
            if not shiboken6.isValid(part) or not part.isVisible():
                return
            here = {
                (turn.where, turn.what): turn
                for widget in part.findChildren(QWidget)
                if usable(widget)
                for turn in turns_of(widget)
            }
            for key in here:
                found.setdefault(key, len(found))
            left = [key for key in here if key not in self.tried]
            if not left:
                return
            # What came to light last goes first, for the next change may hide it again; what leads away goes last.
            newest = min(left, key=lambda key: (here[key].leads_away, -found[key]))
            self.tried.add(newest)
            self.take(here[newest])

    def take(self, turn: Turn) -> None:
        document = self.window.document
        before, index = document.project, document.undo_stack.index()
        turn.do()
        QApplication.processEvents()
        for dialog in [one for one in QApplication.topLevelWidgets() if isinstance(one, QDialog) and one.isVisible()]:
            if dialog not in self._within:
                self._answer(dialog)
        for room in self.window.workspaces.built().values():
            room.status()  # which makes a room do what it put off
        if self.window.runner.jobs and turn.what == "click":
            self.window.cancel()
            idle(self.qtbot, self.window)
        after = document.project
        if after is before:
            return
        self.changes += 1
        words = f"{turn.where}: {turn.what}"
        self._kept(words)
        assert document.save(self.path), words
        after = document.project  # with what came of it meanwhile
        if not document.modified:
            self._survives(load_project(self.path), words)
        steps = document.undo_stack.index() - index
        if steps <= 0:
            return
        for _ in range(steps):
            document.undo_stack.undo()
        self._equal(document.project, forgetting(before, document.project), f"{words}, undone")
        for _ in range(steps):
            document.undo_stack.redo()
        self._equal(document.project, forgetting(after, document.project), f"{words}, done again")
        document.save(self.path)

    def _answer(self, dialog: QDialog) -> None:
        """Change what is in a dialog, and take it over."""
        self._within.append(dialog)
        self.through(dialog, 40)
        if shiboken6.isValid(dialog) and dialog.isVisible():
            dialog.accept()
        QApplication.processEvents()

    def _kept(self, words: str) -> None:
        """What a crash would leave is what is there."""
        kept = self.window.recovery

        def is_kept() -> bool:
            kept.keep()  # again, if something was still being thought about when it was kept
            return kept.is_kept()

        self.qtbot.waitUntil(is_kept, timeout=PATIENCE_MS)
        if self.window.document.modified:
            self._survives(load_project(kept.slot.file), words)

    def _equal(self, one: Project, other: Project, words: str) -> None:
        found = difference(one, other)
        if found:
            pytest.fail(f"{words}: {found}", pytrace=False)

    def _survives(self, loaded: Project, words: str) -> None:
        session = self.window.document.session
        again = restored(loaded, session.data.reading.table, Memory())
        assert not again.failed, words
        self._equal(again.project, self.window.document.project, words)


def forgetting(project: Project, now: Project) -> Project:
    """Undo takes back no history, nor which data is open."""
    return replace(project, histories=now.histories, data=now.data)


def levels_of(hierarchy: Hierarchy) -> dict[str, list[str]]:
    """What becomes of each value that it lists itself; those a rule covers come again with the data."""
    return {row[0]: list(row[1:]) for row in hierarchy.as_listed().rows()}


def difference(one: Any, other: Any, where: str = "project") -> str:
    """Where two projects do not say the same, "" if they do; a file knows lists and no tuples."""
    if isinstance(one, Hierarchy) and isinstance(other, Hierarchy):
        one, other = ((levels_of(each), each.provenance, each.origin, each.specification) for each in (one, other))
    if isinstance(one, ColumnSpec) and isinstance(other, ColumnSpec):
        one, other = without_values(one), without_values(other)  # what was read from the data is read again
    if is_dataclass(one) and type(one) is type(other):
        pairs = [(part.name, getattr(one, part.name), getattr(other, part.name)) for part in fields(one)]
    elif isinstance(one, Mapping) and isinstance(other, Mapping) and one.keys() == other.keys():
        pairs = [(name, one[name], other[name]) for name in one]
    elif isinstance(one, list | tuple) and isinstance(other, list | tuple) and len(one) == len(other):
        pairs = [(str(place), *both) for place, both in enumerate(zip(one, other, strict=True))]
    else:
        return "" if one == other else f"{where}: {one!r} is not {other!r}"
    return next(filter(None, (difference(mine, yours, f"{where}.{name}") for name, mine, yours in pairs)), "")


# Rooms


def as_drawn(session: Session) -> None:
    session.release.columns.set_levels_by(LevelsBy.SEARCH)


def as_syntactic(session: Session) -> None:
    session.syntactic.set_approach(AnonymityKind.SYNTACTIC)
    session.syntactic.set_models(
        [ModelChoice("k-anonymity", {"k": 3}), ModelChoice("t-closeness", {"t": 0.5, "column": "grade"})]
    )


def with_question(session: Session) -> None:
    session.queries.set_draft(QueryDraft("mean", "0.2", MappingProxyType({"column": "age"})))


ROOMS: dict[str, tuple[str, tuple[Callable[[Session], object], ...], int]] = {
    "data": ("data", (), 8),
    "hierarchies": ("hierarchies", (), 0),
    "anonymise": ("anonymise", (), 20),
    "anonymise, levels drawn": ("anonymise", (as_drawn,), 20),
    "anonymise, privacy models": ("anonymise", (as_syntactic,), 20),
    "query": ("query", (), 20),
    "query, a mean": ("query", (with_question,), 20),
    "collect": ("collect", (), 20),
    "compare": ("compare", (), 5),
    "mechanisms": ("mechanisms", (), 20),
    "release": ("release", (), 0),
}
"""What is shown, what is done before, and how many changes are made at least, so that no room passes untried."""


@pytest.mark.timeout(300)  # hundreds of edits, each saved, opened and undone
@pytest.mark.parametrize("name", ROOMS)
def test_every_widget_of_a_room(qtbot: QtBot, window: MainWindow, tmp_path: Path, name: str) -> None:
    room, before, least = ROOMS[name]
    for edit in before:
        assert window.document.apply("prepare", edit)
    window.show_workspace(room)
    idle(qtbot, window)
    qtbot.wait(50)  # rooms show what they hold a moment after they are entered
    walk = Walk(qtbot, window, tmp_path / "p.wbench")
    walk.through(window.workspaces[room])
    assert walk.changes >= least
    window.cancel()
    idle(qtbot, window)
