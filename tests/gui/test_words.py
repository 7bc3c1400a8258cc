"""How much a page asks somebody to read: the words that are seen on it in its default state."""

from __future__ import annotations

import re

import pytest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QGroupBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS, data_is_there, idle
from workbench.anonymise.terms import choices_in_short, nothing_else_in_short
from workbench.core.paths import sample_data
from workbench.core.schema import PrivacyUnit
from workbench.gui.main_window import MainWindow
from workbench.gui.workspaces.release.chosen_fold import ChosenFold
from workbench.query.catalogue import QUERIES
from workbench.session.release.knowledge import answer_number
from workbench.session.release.other_answers import NOBODY_TOLD

MOST: dict[str, int] = {
    "start": 110,
    "data": 110,
    "hierarchies": 110,
    "anonymise": 110,
    "compare": 110,
    "collect": 110,
    "mechanisms": 110,
    "release": 110,
    "query": 110,
}
"""By room, the most words on its page. Tables, the rail and the Explain pane are not counted."""
BEFORE_EXPORT = 150
"""The most words that are read before a release is exported, with the sentences that are signed."""


@pytest.fixture
def window(window: MainWindow) -> MainWindow:
    window.resize(1280, 800)
    return window


def texts(page: QWidget) -> list[str]:
    """What labels, buttons and fields of a page show, where anything of them can be seen."""
    found = []
    for one in page.findChildren(QWidget):
        if one.visibleRegion().isEmpty() or _within(one, QAbstractItemView, QHeaderView):
            continue
        if isinstance(one, QLabel | QAbstractButton):
            found.append(one.text())
        elif isinstance(one, QComboBox):
            found.append(one.currentText())
        elif isinstance(one, QGroupBox):
            found.append(one.title())
        elif isinstance(one, QAbstractSpinBox):
            found.append(one.text())
        elif isinstance(one, QLineEdit) and not _within(one, QAbstractSpinBox, QComboBox):
            found.append(one.text() or one.placeholderText())
        elif isinstance(one, QPlainTextEdit):
            found.append(one.toPlainText() or one.placeholderText())
        elif isinstance(one, QTabBar):
            found += [one.tabText(place) for place in range(one.count()) if one.isTabVisible(place)]
    return [text for text in found if text]


def _within(widget: QWidget, *kinds: type[QWidget]) -> bool:
    above = widget.parentWidget()
    while above is not None and not isinstance(above, kinds):
        above = above.parentWidget()
    return above is not None


def words(found: list[str]) -> int:
    """How many words there are; a sign between words is none."""
    return sum(any(sign.isalnum() for sign in word) for text in found for word in text.split())


def test_what_is_counted(qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    QLabel("Two words · 1", page)
    QLabel("not seen", page).hide()
    page.show()
    assert words(texts(page)) == 3


@pytest.mark.parametrize("room", sorted(MOST))
def test_a_page_is_read_at_a_glance(qtbot: QtBot, window: MainWindow, room: str) -> None:
    window.open_path(sample_data() / "baltimore_salaries.csv")
    data_is_there(qtbot, window.document)
    if room == "start":
        window.show_start()
        qtbot.waitUntil(lambda: not window.runner.jobs, timeout=PATIENCE_MS)
        found = texts(window.start)
    else:
        window.show_workspace(room)
        page = window.workspaces[room]
        page.settle()
        qtbot.waitUntil(lambda: page.settled, timeout=PATIENCE_MS)
        found = texts(page)
    assert words(found) <= MOST[room], "\n".join(found)
    if room == "compare":
        page.show_gallery()
        found = texts(page)
        assert words(found) <= MOST[room], "\n".join(found)


def test_a_figure_by_group_is_named_where_it_is_asked_for(window: MainWindow) -> None:
    """Who wants a mean for each department is to know without trying that this is a question, and not a table."""
    titles = {card.accessibleName(): card.accessibleDescription() for card in window.start.cards}
    named = [title for title in titles if "mean salary by department" in f"{title} {titles[title]}"]
    assert len(named) == 1 and named[0].startswith("Answer a question")
    (statistic,) = (one for one in QUERIES["group-by"].parameters if one.name == "statistic")
    assert "mean" in dict(statistic.choices), "it can be asked there"


@pytest.mark.parametrize("room", ["collect", "compare"])
def test_what_needs_no_table_is_begun_at_a_glance(qtbot: QtBot, window: MainWindow, room: str) -> None:
    window.show_workspace(room)
    page = window.workspaces[room]
    page.settle()
    qtbot.waitUntil(lambda: page.settled, timeout=PATIENCE_MS)
    found = texts(page)
    assert 20 < words(found) <= MOST[room], "\n".join(found)


def test_a_release_is_judged_at_a_glance(qtbot: QtBot, window: MainWindow) -> None:
    """What is offered beside a release; what is asserted is of its statement, a document, which is not counted, nor is
    what somebody typed, which stands below the sentence that they sign of it."""
    window.open_path(sample_data() / "baltimore_salaries.csv")
    data_is_there(qtbot, window.document)
    document, columns = window.document, ("job title", "annual salary")
    for column in columns:
        file = sample_data() / f"baltimore_hierarchy_{column.replace(' ', '_')}.csv"
        assert document.apply("", lambda session, c=column, f=file: session.data.attach_hierarchy_file(c, f))
    document._accept(document.session.release.anonymiser()())
    window.show_workspace("release")
    qtbot.waitUntil(lambda: not window.runner.jobs, timeout=PATIENCE_MS)
    claim = document.session.release.current_claim()
    asserted = {*claim.asserted, NOBODY_TOLD, *choices_in_short(claim.terms)}
    asserted.update(*nothing_else_in_short(claim.terms).values())
    for fold in window.workspaces["release"].findChildren(ChosenFold):
        asserted.update(fold.button.accessibleDescription().splitlines())
    # Beside each choice stands, in brackets, what was chosen.
    found = [
        text
        for text in texts(window.workspaces["release"])
        if re.sub(r" \([^()]*\)", "", text.removeprefix("Either way: ")) not in asserted and text not in asserted
    ]
    assert words(found) <= MOST["release"], "\n".join(found)


@pytest.mark.parametrize("size", [(1280, 722), (1024, 660)])
def test_all_that_is_read_before_an_export_is_seen_without_scrolling(
    qtbot: QtBot, window: MainWindow, size: tuple[int, int]
) -> None:
    """On a small screen, whatever was said on the way: with what is signed, and without the document beside it."""
    window.resize(*size)
    window.open_path(sample_data() / "baltimore_salaries.csv")
    data_is_there(qtbot, window.document)
    document, columns = window.document, ("job title", "annual salary")
    assert document.apply("", lambda session: session.data.set_unit(PrivacyUnit()))
    for column in columns:
        file = sample_data() / f"baltimore_hierarchy_{column.replace(' ', '_')}.csv"
        assert document.apply("", lambda session, c=column, f=file: session.data.attach_hierarchy_file(c, f))
    answer_number(document.session, known=False)
    document._accept(document.session.release.anonymiser()())
    window.show_workspace("release")
    room = window.workspaces["release"]
    idle(qtbot, room)
    fold, bar = room.assertions.before, room.page.scrolled.verticalScrollBar()
    assert len([tick for tick in room.assertions.ticks if tick.isVisible()]) == 3
    assert fold.is_open is (size[0] > 1024), "what was said before is signed too: it is seen where it has room"
    assert bar.maximum() == 0
    if fold.is_open:
        fold.button.click()
        for wider in (20, 0):
            window.resize(size[0] + wider, size[1] + wider)
            idle(qtbot, room)
        assert not fold.is_open, "whoever folds it finds it so"
    found = texts(room)
    assert words(found) <= BEFORE_EXPORT, "\n".join(found)
    assert bar.maximum() == 0
