"""The chart of a comparison marks the place that the tiles are about, and the error that is good enough."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.compare.helpers import add, enter, experiment
from tests.gui.helpers import idle
from workbench.evaluate.experiment import Basis
from workbench.gui.workspaces.compare import CompareWorkspace
from workbench.gui.workspaces.compare.place_marks import along, least_covering, line_places, mark_places, position


def test_a_value_has_its_place_between_those_that_are_seen() -> None:
    assert position(1.0, [(0.1, 100.0), (10.0, 300.0)], logarithmic=True) == pytest.approx(200.0)
    assert position(5.0, [(0.0, 100.0), (10.0, 300.0), (0.0, 100.0)], logarithmic=False) == pytest.approx(200.0)
    assert position(1.0, [(0.5, 100.0)], logarithmic=True) is None, "of one value no scale follows"
    assert position(1.0, [], logarithmic=True) is None
    assert position(0.0, [(0.1, 100.0), (10.0, 300.0)], logarithmic=True) is None


def test_the_marks_move_with_slider_and_field_and_nothing_is_drawn_again(
    qtbot: QtBot, workspace: CompareWorkspace
) -> None:
    add(qtbot, workspace, experiment(basis=Basis.UNIFORM, users=200))
    workspace.view.run()
    idle(qtbot, workspace)
    workspace.view.parts.show_part(1)
    workspace.view.tabs.show_page(workspace.view.chart)
    idle(qtbot, workspace)
    view = workspace.view.chart.chart
    qtbot.waitUntil(lambda: view.picture is not None and bool(view.pointer.reading.points))
    picture = view.picture

    def marked() -> dict[str, float]:
        return {name: at for name, _, at in view.marks.lines(view.pointer.reading, view.pictured)}

    points = {one.place: one.middle[0] for one in view.pointer.reading.points}
    enter(qtbot, workspace, workspace.view.tiles.field.edit, "2")
    assert marked()["ε 2"] == pytest.approx(points["ε 2"], abs=1.0)
    enter(qtbot, workspace, workspace.view.tiles.field.edit, "ln 4")
    assert "ε 1.39" in marked(), "as the tiles say it"
    enter(qtbot, workspace, workspace.view.tiles.limit.edit, "3")
    high = marked()["Enough: 3"]
    enter(qtbot, workspace, workspace.view.tiles.limit.edit, "6")
    assert marked()["Enough: 6"] < high, "further up"
    assert view.picture is picture
    shown = view.grab().toImage()
    view.mark(float("nan"), 6.0)
    assert view.grab().toImage() != shown, "it is painted"


def test_the_name_of_a_line_lies_on_no_curve_wherever_curves_are() -> None:
    ends, size, line = (0.0, 400.0), (50.0, 14.0), 100.0

    def place(*points: tuple[float, float]) -> tuple[float, float]:
        return least_covering(line_places(ends, size, line), size, along(points))

    assert place() == (346.0, 86.0), "above the line, at its right"
    assert place((300.0, 95.0), (400.0, 95.0)) == (346.0, 100.0), "below it, where a curve runs above"
    falls = place((0.0, 20.0), (400.0, 110.0))
    assert falls == (4.0, 86.0), "a curve between two of its marks counts, too, and the left end is free"
    both = along([(0.0, 93.0), (400.0, 93.0)]), along([(0.0, 107.0), (150.0, 107.0), (200.0, 160.0), (400.0, 160.0)])
    left, above = least_covering(line_places(ends, size, line), size, [*both[0], *both[1]])
    assert above == 100.0 and left > 180.0


def test_the_name_of_a_mark_keeps_from_curves_and_from_other_names() -> None:
    ends, size, at = (0.0, 400.0), (50.0, 14.0), (100.0, 60.0)
    places = mark_places(ends, size, at)
    assert places[0] == (110.0, 43.0)
    assert mark_places(ends, size, (390.0, 60.0))[0] == (330.0, 43.0), "no further than the line"
    rises = along([(100.0, 60.0), (200.0, 20.0)])
    assert least_covering(places, size, rises) == (40.0, 43.0), "on no curve"
    assert least_covering(places, size, rises, [(30.0, 40.0, 40.0, 10.0)]) == (110.0, 63.0), "nor on another name"


def test_where_the_way_to_take_is_enough_the_line_has_a_mark(qtbot: QtBot, declared: CompareWorkspace) -> None:
    """It lies on the curve of the way, which may cross a little before, as what is said is rounded up."""
    declared.view.parts.show_part(1)
    idle(qtbot, declared)
    view = declared.view.chart.chart
    qtbot.waitUntil(lambda: view.picture is not None and bool(view.pointer.reading.points))
    assert view.marks.reached(view.pointer.reading, view.pictured) is None, "on a long tail it is at none"
    lines = [name for name, upright, _ in view.marks.lines(view.pointer.reading, view.pictured) if not upright]
    assert lines == ["Enough on a long tail: 0.131", "Enough on evenly spread values: 1.34"]
    enter(qtbot, declared, declared.view.tiles.limit.edit, "0.563")
    said = declared.view.tiles.headline.text()
    assert said.startswith("Global, ε about 0.57. ")
    reached = view.marks.reached(view.pointer.reading, view.pictured)
    assert reached is not None and reached[0] == "Global from about 0.57"
    ours = next(one.series for one in view.pointer.reading.points)
    (left, above), (right, below) = (
        next(one.middle for one in view.pointer.reading.points if (one.series, one.place) == (ours, place))
        for place in ("ε 0.5", "ε 2")
    )
    x, y = reached[1]
    share = (x - left) / (right - left)
    assert 0 < share < 1 and y == pytest.approx(above + share * (below - above), abs=0.5), "on its curve"
    enter(qtbot, declared, declared.view.tiles.limit.edit, "0.001")
    assert view.marks.reached(view.pointer.reading, view.pictured) is None, "at none it is"
