"""A hierarchy says first what becomes of one value, level by level."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS, OnScreen
from workbench.core.building import build_hierarchy, specification
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.public_values import PublicView, ShownValues, public_view
from workbench.core.schema import ColumnSpec, Kind
from workbench.core.widening import widening_specification
from workbench.gui.document import Document
from workbench.gui.workspaces.hierarchies.levels_view import HierarchyLevelsView


@pytest.fixture
def view(document: Document, on_screen: OnScreen) -> HierarchyLevelsView:
    return on_screen(HierarchyLevelsView(document.runner, "tried"), 560, 500)


def mask(*values: str) -> Hierarchy:
    return build_hierarchy(specification("masking", {"length": 4}), values)


def test_the_first_value_is_the_example_until_another_is_chosen(view: HierarchyLevelsView) -> None:
    view.show_public(PublicView(mask("1294", "1201"), ShownValues.MADE_UP))
    assert view.path.isVisible() and view.path.steps.text() == "1294 → 129* → 12** → 1*** → *"
    view.table.setCurrentIndex(view.values.index(1, 2))
    assert view.path.steps.text() == "1201 → 120* → 12** → 1*** → *"
    view.show_public(PublicView(mask("8000"), ShownValues.MADE_UP))
    assert view.path.steps.text().startswith("8000 → 800*"), "that of another hierarchy"
    assert view.path.steps.accessibleName() == "Example, level by level: 8000 → 800* → 80** → 8*** → *"
    view.show_public(None)
    assert not view.path.isVisible(), "nothing of it is shown before a look"


def test_the_example_that_nobody_chose_shows_every_level(view: HierarchyLevelsView) -> None:
    column = ColumnSpec("charge", Kind.DECIMAL)
    made = build_hierarchy(widening_specification(column, (0.0, 100_000.0)), ["0", "100", "900"], None, column)
    view.show_public(PublicView(made, ShownValues.SAID))
    assert view.path.steps.text().replace("\n", " ").split(" → ")[:3] == [
        "100",
        "100 to under 200",
        "100 to under 1000",
    ]
    assert len(view.path.steps.accessibleName().split(" → ")) == made.height + 1, "at 0 two levels say the same"


def test_levels_of_intervals_that_widen_have_names_beside_the_faces(qtbot: QtBot, view: HierarchyLevelsView) -> None:
    view.resize(900, 500)
    column = ColumnSpec("charge", Kind.DECIMAL)
    made = build_hierarchy(widening_specification(column, (0.0, 100_000.0)), ["0", "100", "900"], None, column)
    view.show_public(PublicView(made, ShownValues.SAID))
    named = [view.levels.tabText(place) for place in range(view.levels.count())]
    assert named == ["as it is", "→ 10 intervals", "→ 4 intervals", "→ 2 intervals", "→ *"]
    qtbot.waitUntil(lambda: 0 < view.levels.x() < view.faces.x(), timeout=PATIENCE_MS)  # in one line
    assert "widening to" in view.levels.tabToolTip(1)


def test_it_follows_the_filter_and_the_order(qtbot: QtBot, view: HierarchyLevelsView) -> None:
    found = mask("1294", "1201", "8000")
    view.show_hierarchy(found, None)
    qtbot.keyClicks(view.search, "80")
    qtbot.waitUntil(lambda: view.path.steps.text().startswith("8000"), timeout=PATIENCE_MS)
    view.search.setText("nothing")
    qtbot.waitUntil(lambda: not view.path.steps.text(), timeout=PATIENCE_MS)
    view.search.clear()
    qtbot.waitUntil(lambda: view.path.steps.text().startswith("1294"), timeout=PATIENCE_MS)


@pytest.mark.parametrize("length", [4, 12, 60])
def test_from_what_to_what_it_leads_is_always_in_sight(view: HierarchyLevelsView, length: int) -> None:
    found = build_hierarchy(specification("masking", {"length": length}), ["1294"])
    narrow = view.minimumSizeHint().width()
    view.show_public(PublicView(found, ShownValues.MADE_UP))
    assert view.minimumSizeHint().width() == narrow
    shown = view.path.steps
    assert shown.text().startswith("1294 → ") and shown.text().endswith(" → *")
    assert shown.fontMetrics().horizontalAdvance(shown.text()) <= shown.width()
    assert ("…" in shown.text()) == (length > 4)
    assert length == 4 or shown.toolTip().count(" → ") == length, "all of it"


def test_long_labels_give_way_to_the_short_ones(view: HierarchyLevelsView) -> None:
    rows = [("nurse", "people who care for others in hospitals and at home, day and night", "health", "*")]
    view.show_hierarchy(Hierarchy.from_rows(rows, provenance=Provenance.PUBLIC, origin="a list"), None)
    first, second, *others = view.path.steps.text().split(" → ")
    assert (first, others) == ("nurse", ["health", "*"]) and second.startswith("people who care") and second[-1] == "…"


def test_what_has_no_room_in_one_line_stands_in_two(qtbot: QtBot, view: HierarchyLevelsView) -> None:
    lowest = "0 to under 10000", "0 to under 20000", "0 to under 40000"
    found = Hierarchy.from_rows([("0", *lowest, "*")], provenance=Provenance.PUBLIC, origin="typed")
    view.show_public(PublicView(found, ShownValues.MADE_UP))
    shown = view.path.steps
    lines = shown.text().split("\n")
    assert len(lines) == 2 and " ".join(lines) == f"0 → {' → '.join(lowest)} → *", "nothing is cut"
    assert all(shown.fontMetrics().horizontalAdvance(line) <= shown.width() for line in lines)
    qtbot.waitUntil(lambda: shown.height() >= 2 * shown.fontMetrics().height() - 2, timeout=PATIENCE_MS)


def test_groups_that_are_not_shown_are_told_between_those_that_are(view: HierarchyLevelsView) -> None:
    plain = specification("intervals", {"unlisted": "any"}, {"intervals": [{"from": 0, "to": 50}]})
    column = ColumnSpec("charge", Kind.INTEGER, bounds=(0, 12_000))
    found = public_view(build_hierarchy(plain, ["7"], None, column), column)
    assert found is not None
    view.show_public(found)
    assert view.bars.lines[:4] == ("[0, 50[", "…", "[200, 250[", "…")
    view.show_hierarchy(found.hierarchy, None)
    assert "…" not in view.bars.lines, "after a look all that there are"


def test_all_levels_are_seen_beside_the_groups_where_there_is_room(qtbot: QtBot, view: HierarchyLevelsView) -> None:
    view.resize(900, 500)
    rows = [(str(one), f"{one}0000-{one}9999", f"{one}00000-{one}99999", "*") for one in range(1, 9)]
    view.show_public(PublicView(Hierarchy.from_rows(rows, provenance=Provenance.PUBLIC, origin="x"), ShownValues.SAID))
    assert view.table.isVisible() and view.bars.isVisible()
    qtbot.waitUntil(lambda: view.table.horizontalScrollBar().maximum() == 0, timeout=PATIENCE_MS)


def test_intervals_of_large_numbers_are_whole_in_their_columns(view: HierarchyLevelsView) -> None:
    rows = [(str(n), f"{n} to under {n + 1000}", "*") for n in range(0, 150_000, 1000)]
    view.show_public(PublicView(Hierarchy.from_rows(rows, origin="thousands"), ShownValues.MADE_UP))
    needed = view.table.fontMetrics().horizontalAdvance("149000 to under 150000")
    assert view.table.columnWidth(2) > needed, "a number of which an end is missing reads like another one"


def test_the_example_of_listed_words_is_one_of_them_and_another_spelling_only_where_it_is_chosen(
    view: HierarchyLevelsView,
) -> None:
    rows = [("gold", "gold", "*"), ("silver", "silver", "*"), ("GOLD", "gold", "*")]  # the other spelling is last
    spelt = Hierarchy.from_rows(rows, provenance=Provenance.PUBLIC, origin="spelling")
    view.show_public(PublicView(spelt, ShownValues.SPELT))
    assert view.path.steps.text() == "gold → *", "nobody wrote GOLD"
    view.table.setCurrentIndex(view.values.index(2, 0))
    assert view.path.steps.text() == "GOLD → gold → *"
    made_up = Hierarchy.from_rows(rows[2:], provenance=Provenance.PUBLIC, origin="spelling")
    view.show_public(PublicView(made_up, ShownValues.MADE_UP))
    assert view.path.steps.text() == "GOLD → gold → *"


def test_it_is_said_how_many_levels_of_listed_numbers_are_shown_and_all_are_a_press_away(
    qtbot: QtBot, view: HierarchyLevelsView
) -> None:
    fees = ("60", "90", "120", "240")
    each = [{"group": many, "function": "interval"} for many in (1, 5, 4, 2, 2)]
    intervals = {"intervals": [{"from": 0, "to": 1}], "levels": each}
    column = ColumnSpec("fee", Kind.MONEY)
    plain = specification("intervals", {"unlisted": "any"}, intervals)
    found = public_view(build_hierarchy(plain, fees, None, column), column, fees)
    assert found is not None and found.hierarchy.height == 6
    view.show_public(found)

    def tabs() -> int:
        return sum(view.levels.isTabVisible(place) for place in range(1, view.levels.count()))

    assert tabs() == 2 and view.rest.button.text() == "2 of 6 levels shown. Show all" and view.rest.isVisible()
    steps = view.path.steps.accessibleName()
    qtbot.mouseClick(view.rest.button, Qt.MouseButton.LeftButton)
    assert tabs() == 6 and view.rest.button.text() == "All 6 levels shown. Show 2"
    assert not any(view.table.isColumnHidden(place) for place in range(2, 8))
    qtbot.mouseClick(view.rest.button, Qt.MouseButton.LeftButton)
    assert tabs() == 2 and view.path.steps.accessibleName() == steps
    qtbot.mouseClick(view.rest.button, Qt.MouseButton.LeftButton)
    view.show_public(PublicView(mask("1294"), ShownValues.LISTED))
    assert not view.rest.isVisible()
    view.show_public(found)
    assert tabs() == 2, "of another one nobody asked for all"
