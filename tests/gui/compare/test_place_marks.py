"""The chart of a comparison marks the place that the tiles are about, and the error that is good enough."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.compare.helpers import add, enter, experiment
from tests.gui.helpers import idle
from workbench.evaluate.experiment import Basis
from workbench.gui.workspaces.compare import CompareWorkspace
from workbench.gui.workspaces.compare.place_marks import beside_place, covers, free_place, position


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
    high = marked()["Enough"]
    enter(qtbot, workspace, workspace.view.tiles.limit.edit, "6")
    assert marked()["Enough"] < high, "further up"
    assert view.picture is picture
    shown = view.grab().toImage()
    view.mark(float("nan"), 6.0)
    assert view.grab().toImage() != shown, "it is painted"


def test_words_that_would_lie_on_a_mark_are_known() -> None:
    marks = [(40.0, 100.0)]
    assert covers((20.0, 90.0, 50.0, 14.0), marks) and covers((42.0, 103.0, 50.0, 14.0), marks)
    assert not covers((20.0, 120.0, 50.0, 14.0), marks) and not covers((60.0, 90.0, 50.0, 14.0), marks)


def test_the_name_of_a_line_lies_on_no_mark_wherever_marks_are() -> None:
    ends, size, line = (0.0, 400.0), (50.0, 14.0), 100.0
    assert free_place([], ends, size, line)[1] == line - 14, "above the line, at its left"
    both = [(30.0, 95.0), (380.0, 95.0)]
    left, above = free_place(both, ends, size, line)
    assert not covers((left, above, *size), both) and 0 < left < 350, "neither end is free"
    row = [(float(x), 92.0) for x in range(0, 401, 10)]
    left, above = free_place(row, ends, (50.0, 14.0), 108.0)
    assert not covers((left, above, *size), row) and above == 108.0, "below it"


def test_where_the_way_to_take_is_enough_the_line_has_a_mark(qtbot: QtBot, declared: CompareWorkspace) -> None:
    """The line of a way may cross a little before: chance is added, and what is said is rounded up."""
    declared.view.parts.show_part(1)
    idle(qtbot, declared)
    view = declared.view.chart.chart
    qtbot.waitUntil(lambda: view.picture is not None and bool(view.pointer.reading.points))
    said = declared.view.tiles.headline.text()
    assert " Global is enough on average from about 0.58 " in said
    reached = view.marks.reached(view.pointer.reading, view.pictured)
    assert reached is not None and reached[0] == "Global from about 0.58, on the safe side"
    at = {one.place: one.middle[0] for one in view.pointer.reading.points}
    assert at["ε 0.5"] < reached[1] < at["ε 2"]
    enter(qtbot, declared, declared.view.tiles.limit.edit, "0.001")
    assert view.marks.reached(view.pointer.reading, view.pictured) is None, "at none it is"


def test_words_beside_a_mark_are_near_it_and_within_the_line() -> None:
    size, ends = (50.0, 14.0), (0.0, 400.0)
    assert beside_place([], ends, size, (100.0, 60.0)) == (110.0, 46.0)
    assert beside_place([], ends, size, (390.0, 60.0)) == (330.0, 46.0), "no further than the line"
    assert beside_place([(130.0, 50.0)], ends, size, (100.0, 60.0)) == (40.0, 46.0), "on no other mark"
