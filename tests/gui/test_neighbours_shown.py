"""Two tables that differ in one row are the same window before a look: whatever it says, anywhere in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QProgressBar, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS, idle, no_jobs, open_file, put_off_is_done
from tests.properties import some
from workbench.anonymise.recipe import ReleaseMechanism, Treatment
from workbench.core.progress import SILENT
from workbench.core.schema import PrivacyUnit, Role, UnitAnswer
from workbench.gui.main_window import MainWindow
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.data import DataWorkspace
from workbench.gui.workspaces.data.import_preview import ImportPreview
from workbench.gui.workspaces.hierarchies import HierarchiesWorkspace
from workbench.session import Session
from workbench.session.release.steps import LevelSource

ROWS = 3_289
CITIES = ("Bern", "Basel", "Biel")
COLUMNS = ("who", "born", "city", "salary")
ROLES = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.AccessibleTextRole,
    Qt.ItemDataRole.AccessibleDescriptionRole,
    Qt.ItemDataRole.StatusTipRole,
    *(Qt.ItemDataRole.UserRole + place for place in range(8)),
)
Change = Callable[[list[str]], list[str]]

NEIGHBOURS: dict[str, Change] = {
    "a row with what occurs nowhere else": lambda rows: [*rows, "P9999,1901-01-01,Uri,987654"],
    "a row like many others": lambda rows: [*rows, f"P9999{rows[7][5:]}"],
    "a third row of somebody": lambda rows: [*rows, rows[40]],
    "a row with missing values": lambda rows: [*rows, "P9999,,,"],
    "a row less": lambda rows: rows[:-1],
    "another row in its place": lambda rows: [*rows[:-1], "P9999,2024-12-31,Zug,1"],
}


def row(number: int) -> str:
    born = f"{1950 + number % 60}-{number % 12 + 1:02}-{number % 28 + 1:02}"
    return f"P{number:04},{born},{CITIES[number % 3]},{20_000 + 100 * (number % 400)}"


def write(folder: Path, change: Change) -> Path:
    """A table in which one person has two rows, and a list for its cities beside it; the file's time tells nothing."""
    path = folder / "staff.csv"
    rows = change([row(40), *(row(number) for number in range(1, ROWS))])
    path.write_text("\n".join([",".join(COLUMNS), *rows, ""]), encoding="utf-8")
    listed = "\n".join(f"{city};{city[0]};*" for city in CITIES)
    (folder / "staff_hierarchy_city.csv").write_text(f"{listed}\n", encoding="utf-8")
    for file in folder.iterdir():
        os.utime(file, (1e9, 1e9))
    return path


def seen(window: QWidget) -> list[str]:
    """Everything that a window says to eyes, pointers and screen readers, with what can be pressed."""
    found = [window.windowTitle()]
    for one in window.findChildren(QWidget):
        if not one.isVisible():
            continue
        texts = [one.toolTip(), one.accessibleName(), one.accessibleDescription(), one.statusTip(), one.whatsThis()]
        interface = QAccessible.queryAccessibleInterface(one)
        if interface is not None:
            texts += [
                interface.text(kind) for kind in QAccessible.Text if kind is not QAccessible.Text.DebugDescription
            ]
        if isinstance(one, ElidedLabel):
            texts.append(one.full_text)
        if isinstance(one, QProgressBar):
            texts.append(f"{one.value()} of {one.maximum()}")
        if isinstance(one, QTabBar):
            texts += [f"{one.tabText(place)} {one.tabToolTip(place)}" for place in range(one.count())]
        if isinstance(one, QComboBox):
            texts += list(_items(one.model()))
        if isinstance(one, QAbstractItemView) and one.model() is not None:
            texts += list(_items(one.model()))
        told = " | ".join(text for text in dict.fromkeys(map(str, texts)) if text)
        if told:
            found.append(f"{type(one).__name__}{'' if one.isEnabled() else ' (off)'}: {told}")
    return found


def _items(model: QAbstractItemModel) -> Iterator[str]:
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount()
    for line in islice(range(model.rowCount()), 60):
        for column in range(columns):
            index = model.index(line, column)
            texts = (index.data(role) for role in ROLES)
            yield " ".join(str(text) for text in texts if isinstance(text, str | int | float))
    for across in (Qt.Orientation.Horizontal, Qt.Orientation.Vertical):
        places = columns if across is Qt.Orientation.Horizontal else min(model.rowCount(), 60)
        yield " ".join(str(model.headerData(place, across, role)) for place in range(places) for role in ROLES[:2])


Told = Callable[[Callable[[QtBot, MainWindow, Path], list[str]], MainWindow, Change], tuple[list[str], list[str]]]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where all tables lie, one after the other: their folder is no neighbour."""
    return tmp_path_factory.mktemp("neighbours")


@pytest.fixture(scope="module")
def of_table() -> dict[str, list[str]]:
    """What was told of the table that the others are neighbours of, by the way through the window."""
    return {}


@pytest.fixture
def told_of(qtbot: QtBot, place: Path, of_table: dict[str, list[str]], private_home: Path) -> Told:
    """What a way through the window tells of the table, which is gone once, and what it tells of a neighbour.

    The first neighbour is opened in the window in which the table was before, the others in windows of their own.
    """

    def tell(
        way: Callable[[QtBot, MainWindow, Path], list[str]], window: MainWindow, change: Change
    ) -> tuple[list[str], list[str]]:
        for made in (list, change):
            if made is change or way.__name__ not in of_table:
                found = [text.replace(str(private_home), "~") for text in way(qtbot, window, write(place, made))]
                if made is list:
                    of_table[way.__name__] = found
        return of_table[way.__name__], found

    return tell


@pytest.fixture
def window(furnished: None, window: MainWindow) -> MainWindow:
    window.resize(1280, 800)
    return window


def walk(qtbot: QtBot, window: MainWindow, path: Path) -> list[str]:
    """What is told on the way from the start page to hierarchies that are attached, room by room."""

    def settle() -> None:
        for room in (window.workspaces["data"], window.workspaces["hierarchies"]):
            idle(qtbot, room)
        put_off_is_done(qtbot, window)

    told: list[str] = []
    open_file(qtbot, window, path)
    document = window.document
    data, hierarchies = window.workspaces["data"], window.workspaces["hierarchies"]
    assert isinstance(data, DataWorkspace) and isinstance(hierarchies, HierarchiesWorkspace)
    window.show_workspace("data")
    settle()
    told += seen(window)
    said = UnitAnswer.SAID
    for unit in (
        PrivacyUnit(protected=said),
        PrivacyUnit(1, "who", protected=said),
        PrivacyUnit(2, "who", protected=said),
    ):
        assert document.apply("x", lambda session, unit=unit: session.data.set_unit(unit))
        settle()
        told += seen(data.protected)
    data.suggest_roles()
    settle()
    told += seen(window)
    for name in COLUMNS:
        data.columns.select(name)
        settle()
        told += seen(window)
    assert document.apply("x", lambda session: session.data.set_role(("born", "city"), Role.QUASI))
    assert document.apply("x", lambda session: session.data.set_role(("salary",), Role.SENSITIVE))
    window.show_workspace("hierarchies")
    settle()
    hierarchies.attach_matching()
    settle()
    hierarchies.ready_made.build_suggested()
    settle()
    assert set(document.project.hierarchies) >= {"born", "city"}
    for name in COLUMNS:
        hierarchies.attributes.pick(name)
        settle()
        told += seen(window)
    for name in ("born", "city"):
        hierarchies.attributes.pick(name)
        hierarchies.workshop.edit()
        settle()
        told += seen(window)
    told += [f"next: {room.next_hint()} {room.next_field()} {room.status()}" for room in (data, hierarchies)]
    window.show_start()
    settle()
    told += seen(window)
    document.new()
    settle()
    return told


@pytest.mark.properties
@pytest.mark.parametrize("change", some(NEIGHBOURS, 3))
def test_neighbouring_tables_are_one_window(window: MainWindow, told_of: Told, change: str) -> None:
    told, neighbour = told_of(walk, window, NEIGHBOURS[change])
    assert set(told) ^ set(neighbour) == set()
    assert told == neighbour
    assert not any(str(ROWS) in text or f"{ROWS:,}" in text for text in told), "nor is it an exact number of rows"


@pytest.mark.properties
@pytest.mark.parametrize("change", some(NEIGHBOURS, 3))
def test_neighbouring_files_are_previewed_alike(qtbot: QtBot, window: MainWindow, tmp_path: Path, change: str) -> None:
    told = []
    for made in (list, NEIGHBOURS[change]):
        preview = window.opener.preview(write(tmp_path, made))
        assert isinstance(preview, ImportPreview)
        qtbot.waitUntil(lambda p=preview: p.apply.isEnabled() and not window.runner.jobs, timeout=PATIENCE_MS)
        pages = []
        for place in range(preview.pages.count()):
            preview.pages.setCurrentIndex(place)
            pages += seen(preview)
        preview.reject()
        told.append(pages)
    assert set(told[0]) ^ set(told[1]) == set()
    assert told[0] == told[1]


def anonymised(qtbot: QtBot, window: MainWindow, path: Path) -> list[str]:
    """What Anonymise tells before a draw, by each mechanism and by who decides about the levels."""
    told: list[str] = []
    open_file(qtbot, window, path)
    document, room = window.document, window.workspaces["anonymise"]
    assert isinstance(room, AnonymiseWorkspace)

    def prepare(session: Session) -> None:
        session.data.set_unit(PrivacyUnit(2, "who", protected=UnitAnswer.SAID))
        session.data.set_role(("born", "city"), Role.QUASI)
        session.data.attach_hierarchy_file("city", path.with_name("staff_hierarchy_city.csv"))
        session.data.attach_hierarchies(session.data.hierarchy_suggester(("born", "salary"))(SILENT))
        for name in ("born", "city", "salary"):
            session.release.columns.set_treatment(name, Treatment.GENERALISE)

    assert document.apply("x", prepare)
    window.show_workspace("anonymise")
    for mechanism, source, steps in (
        (ReleaseMechanism.TRIM, LevelSource.BALANCED, ("promise", "run", "levels")),
        (ReleaseMechanism.TRIM, LevelSource.STEPS, ("levels",)),
        (ReleaseMechanism.TRIM, LevelSource.HAND, ("levels",)),
        (ReleaseMechanism.SAMPLE, LevelSource.DEGREE, ("levels",)),
        (ReleaseMechanism.SAMPLE, LevelSource.HAND, ("promise", "run", "levels")),
    ):
        assert document.apply("x", lambda session, wanted=mechanism: session.release.set_mechanism(wanted))
        assert document.apply("x", lambda session, wanted=source: session.release.steps.set_source(wanted))
        for step in steps:
            room.steps.open(step)
            idle(qtbot, room)
            put_off_is_done(qtbot, window)  # as the ticks on the rail are
            told += seen(window)
        told += [f"next: {room.next_hint()} {room.next_field()} {room.status()} {room.claim_word()}"]
    document.new()
    no_jobs(qtbot, window)
    return told


@pytest.mark.properties
@pytest.mark.parametrize("change", some(NEIGHBOURS, 3))
def test_neighbouring_tables_are_anonymised_alike(window: MainWindow, told_of: Told, change: str) -> None:
    # A room that is not made yet has no tick on the rail, whatever the table: all of them are there before the first.
    for key in window.workspaces:
        assert window.workspaces[key]
    told, neighbour = told_of(anonymised, window, NEIGHBOURS[change])
    # The room keeps its lines from one table to the next, so that only their order may be another.
    assert set(told) ^ set(neighbour) == set()
    assert not any(str(ROWS) in text or f"{ROWS:,}" in text for text in told), "nor is it an exact number of rows"
