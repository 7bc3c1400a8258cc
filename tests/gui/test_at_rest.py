"""However large the window is, its rooms come to rest: none lays itself out again and again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.helpers import idle, open_file, put_off_is_done
from tests.gui.layout_watch import LayoutWatch
from workbench.core.paths import sample_data
from workbench.core.schema import PrivacyUnit
from workbench.gui.later import Later
from workbench.gui.main_window import MainWindow
from workbench.gui.widgets.disclosure import Disclosure
from workbench.gui.widgets.folded_words import FoldedWords
from workbench.gui.workspaces.base import Workspace
from workbench.gui.workspaces.compare import CompareWorkspace
from workbench.gui.workspaces.release import ReleaseWorkspace
from workbench.session import Session
from workbench.session.release.knowledge import answer_number

ROUNDS, QUIET = 60, 3
"""Rounds of events after which a room is at rest, the last of which lay nothing out; most need five."""
LOW, HIGH, NARROW, WIDE = 640, 1000, 1024, 1500
FILE = "baltimore_salaries.csv"
ATTACHED = ("job title", "annual salary")


@pytest.fixture
def watch() -> Iterator[LayoutWatch]:
    made = LayoutWatch()
    yield made
    made.pause()


def comes_to_rest(watch: LayoutWatch) -> bool:
    watch.begin()
    quiet = 0
    for _ in range(ROUNDS):
        QCoreApplication.processEvents()
        quiet = quiet + 1 if watch.is_quiet() else 0
        if quiet == QUIET:
            break
    watch.pause()
    return quiet == QUIET


class Swinging(QWidget):
    """Lower where it is high, as a page would be that tries at every new size whether more has room."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("page that tries")
        self.part = QWidget()
        QVBoxLayout(self).addWidget(self.part)
        self.soon = Later(self, self.swing)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.soon.start()

    def swing(self) -> None:
        self.resize(self.width(), 300 if self.height() == 200 else 200)


def test_what_lays_itself_out_for_ever_is_seen_and_named(qtbot: QtBot, watch: LayoutWatch) -> None:
    page = Swinging()
    qtbot.addWidget(page)
    page.show()
    assert not comes_to_rest(watch)
    assert "Resize of Swinging “page that tries”" in watch.words() and watch.most > ROUNDS // 2
    page.soon.timeout.disconnect()
    assert comes_to_rest(watch) and watch.most < QUIET


def sizes() -> Iterator[tuple[int, int]]:
    """Heights at two widths, and widths at one height: where bars come and go, and words break."""
    for width in (NARROW, 1280):
        yield from ((width, height) for height in range(LOW, HIGH + 1, 20))
    yield from ((width, 700) for width in range(NARROW, WIDE + 1, 60))


def attaching(column: str, file: Path) -> Callable[[Session], object]:
    return lambda session: session.data.attach_hierarchy_file(column, file)


def restless(watch: LayoutWatch, window: MainWindow, state: str) -> list[str]:
    found = []
    for size in sizes():
        window.resize(*size)
        if not comes_to_rest(watch):
            found.append(f"{state}, {size}: {watch.words()}")
    return found


def unfold(room: Workspace) -> None:
    for fold in room.findChildren(Disclosure):
        fold.set_open(True)
    for words in room.findChildren(FoldedWords):
        words.set_open(True)
    for button in room.findChildren(QAbstractButton):
        if button.isCheckable() and button.text() == "Details" and button.isVisible():
            button.setChecked(True)


def draw(qtbot: QtBot, window: MainWindow) -> None:
    """A draw of which three sentences are asked, and others were said before."""
    document = window.document
    assert document.apply("", lambda session: session.data.set_unit(PrivacyUnit()))
    for column in ATTACHED:
        file = sample_data() / f"baltimore_hierarchy_{column.replace(' ', '_')}.csv"
        assert document.apply("", attaching(column, file))
    answer_number(document.session, known=False)
    document._accept(document.session.release.anonymiser()())
    put_off_is_done(qtbot, window)


@pytest.mark.properties
@pytest.mark.timeout(300)
@pytest.mark.parametrize("key", ["data", "hierarchies", "anonymise", "query", "collect", "mechanisms"])
def test_a_room_comes_to_rest_whatever_is_unfolded(
    qtbot: QtBot, window: MainWindow, watch: LayoutWatch, key: str
) -> None:
    open_file(qtbot, window, sample_data() / FILE)
    window.rail.select(key)
    room = window.workspaces[key]
    put_off_is_done(qtbot, window)
    found = restless(watch, window, "fresh")
    if key == "anonymise":
        draw(qtbot, window)
    unfold(room)
    put_off_is_done(qtbot, window)
    found += restless(watch, window, "unfolded")
    assert not found, "\n".join(found)


@pytest.mark.properties
@pytest.mark.timeout(300)
def test_a_release_comes_to_rest_whatever_was_said_before(qtbot: QtBot, window: MainWindow, watch: LayoutWatch) -> None:
    """What was said before is shown where it has room: to try that is no reason to try again."""
    open_file(qtbot, window, sample_data() / FILE)
    draw(qtbot, window)
    window.show_workspace("release")
    room = window.workspaces["release"]
    idle(qtbot, room)
    found = restless(watch, window, "drawn")
    unfold(room)
    put_off_is_done(qtbot, window)
    found += restless(watch, window, "unfolded")
    assert not found, "\n".join(found)


@pytest.mark.properties
@pytest.mark.timeout(300)
def test_a_release_comes_to_rest_in_a_window_that_becomes_lower_after_an_answer(
    qtbot: QtBot, window: MainWindow, watch: LayoutWatch
) -> None:
    """Its page keeps its height then, with a bar beside it, though all would be seen without: beside it lines break."""
    open_file(qtbot, window, sample_data() / FILE)
    draw(qtbot, window)
    window.show_workspace("release")
    room = window.workspaces["release"]
    assert isinstance(room, ReleaseWorkspace)
    idle(qtbot, room)
    area, found, tried = room.page.scrolled, list[str](), 0
    inside, bar = area.widget(), area.verticalScrollBar()
    for width in range(NARROW, WIDE + 1, 40):
        inside.setMinimumHeight(0)
        window.resize(width, HIGH)
        comes_to_rest(watch)
        wide = area.maximumViewportSize().width()
        needed, beside = inside.heightForWidth(wide), inside.heightForWidth(wide - bar.sizeHint().width())
        if needed == beside:
            continue
        tried += 1
        window.resize(width, HIGH - area.maximumViewportSize().height() + needed + 4)
        comes_to_rest(watch)
        room.assertions.ticks[0].click()
        put_off_is_done(qtbot, window)
        for lower in (1, 2, 1):
            window.resize(width, window.height() - lower)
            if not comes_to_rest(watch):
                found.append(f"{width}: {watch.words()}")
        assert inside.height() > area.viewport().height() and bar.isVisible()
    assert tried and not found, "\n".join(found)


@pytest.mark.properties
@pytest.mark.timeout(300)
@pytest.mark.parametrize("figure", ["figure-3.1", "table-3.4"])
def test_a_published_figure_comes_to_rest(qtbot: QtBot, window: MainWindow, watch: LayoutWatch, figure: str) -> None:
    window.rail.select("compare")
    room = window.workspaces["compare"]
    assert isinstance(room, CompareWorkspace)
    put_off_is_done(qtbot, window)
    room.show_figure(figure)
    put_off_is_done(qtbot, window)
    found = restless(watch, window, figure)
    assert not found, "\n".join(found)


@pytest.mark.properties
@pytest.mark.timeout(300)
def test_a_comparison_comes_to_rest(qtbot: QtBot, window: MainWindow, watch: LayoutWatch, tmp_path: Path) -> None:
    path = tmp_path / "stays.csv"
    path.write_text("\n".join(["ward,days", *(f"{'north' if i % 3 else 'south'},{i % 60}" for i in range(300)), ""]))
    open_file(qtbot, window, path)
    window.rail.select("compare")
    room = window.workspaces["compare"]
    assert isinstance(room, CompareWorkspace)
    put_off_is_done(qtbot, window)
    room._begin()
    room.draft.change("fewer", repetitions=2, places=(0.5, 1.0))
    for bound, field in zip((0.0, 60.0), room.view.question.bounds.numbers, strict=True):
        field.edit.setText(str(bound))
        field.edit.editingFinished.emit()
    put_off_is_done(qtbot, window)
    room.run()
    put_off_is_done(qtbot, window)
    assert room.view.chart.shown is not None
    found = restless(watch, window, "run")
    unfold(room)
    put_off_is_done(qtbot, window)
    found += restless(watch, window, "unfolded")
    assert not found, "\n".join(found)
