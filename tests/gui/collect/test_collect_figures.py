"""The figures of the Collect workspace: in line, whole, and the predicted ones beside the simulated ones."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.collect.helpers import ask_age, ask_job, simulate
from tests.gui.helpers import OnScreen, idle
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.workspaces.collect import CollectWorkspace
from workbench.gui.workspaces.collect.figures_table import FiguresTable, in_line
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.protocol import PROTOCOLS, Family
from workbench.query.ledger import Charge
from workbench.session.collection.listed_once import called
from workbench.session.collection.two_answers import named
from workbench.session.collection.words import CURATOR, short_names

_NAMES = ("Subset selection", "Optimised unary encoding", "Thresholding with histogram encoding")
_HEADS = ("Protocol", "Misplaced, %, the worst", "smooth", "spiky", "equal", "ε", "Bits", "L2, the worst")


def table_of(on_screen: OnScreen, width: int) -> FiguresTable:
    table = on_screen(FiguresTable("Errors"), width)
    numbers = ("6.65", "4.84", "6.51", "6.65", "1", "11.2", "0.0404")
    table.show_rows(_HEADS, [(name, *numbers) for name in _NAMES])
    return table


def seen(table: FiguresTable) -> list[int]:
    """Columns of which something is in sight, with how much of each is not."""
    right = table.viewport().width()
    places = [(table.columnViewportPosition(one), table.columnWidth(one)) for one in range(len(_HEADS))]
    return [max(left + width - right, 0) for left, width in places if left < right]


@pytest.mark.parametrize("width", [420, 450, 500, 560, 620, 700, 760, 900, 1300])
def test_no_column_is_seen_in_part_and_no_number_is_cut(on_screen: OnScreen, width: int) -> None:
    table = table_of(on_screen, width)
    assert not any(seen(table)), "a half number reads like another one"
    assert len(seen(table)) == len(_HEADS) if width >= 760 else len(seen(table)) >= 3, "the error is always in sight"
    measure = table.fontMetrics().horizontalAdvance
    for row in range(len(_NAMES)):
        for column in range(1, len(_HEADS)):
            assert measure(table.shown(row, column)) < table.columnWidth(column)
    index = table.model().index(2, 0)
    assert index.data(Qt.ItemDataRole.ToolTipRole) == _NAMES[2], "a name that is cut is said in full"


def test_decimal_points_stand_below_each_other_and_what_is_copied_has_no_spaces(on_screen: OnScreen) -> None:
    texts = ["12.5 ± 1.25", "0.125 ± 10", "–"]
    shown = in_line(texts)
    from_right = {len(text) - text.index(mark) for text, mark in ((shown[0], "."), (shown[1], "."))}
    assert len(from_right) == 1 and len({len(text) - text.index("±") for text in shown[:2]}) == 1
    table = table_of(on_screen, 700)
    assert table.texts()[0][1] == "6.65"


def test_errors_have_the_same_digits_in_a_column(qtbot: QtBot, room: CollectWorkspace) -> None:
    """Zeros at the end, too: 7.1 below 6.94 reads as if less were known of it."""
    ask_job(qtbot, room)
    room.document.apply("ε", lambda session: session.collection.change(epsilon=0.7))
    idle(qtbot, room)
    columns = list(zip(*room.prediction.table.texts(), strict=True))[1:5]
    for column in columns:
        for text in column:
            digits = text.replace(".", "").replace(",", "").lstrip("0")
            assert text == "0" or len(digits) == 3, text
    simulate(qtbot, room)
    for row in room.simulation.table.texts():
        mean, mark, margin = row[1].partition(" ± ")
        assert not mark or len(mean.partition(".")[2]) == len(margin.partition(".")[2]), row[1]


def test_the_predicted_error_stands_beside_the_simulated_one(qtbot: QtBot, room: CollectWorkspace) -> None:
    ask_age(qtbot, room)
    simulate(qtbot, room)
    predicted = {row[0]: row[1] for row in room.prediction.table.texts()}
    heads = [
        room.simulation.table.model().headerData(place, Qt.Orientation.Horizontal)
        for place in range(room.simulation.table.model().columnCount())
    ]
    assert heads[2] == "Predicted, the worst"
    rows = room.simulation.table.texts()
    assert len(rows) == 6 and all(row[2] == predicted[row[0].removesuffix(" (take)")] for row in rows)
    planned = room.prediction.planned
    assert f"{named(planned.best[0].choice, planned.plan)}: predicted " in room.simulation.order.text()
    assert ", simulated " in room.simulation.order.text() and "\u00a0±\u00a0" in room.simulation.order.text()
    room.estimate.repetitions.setValue(7)
    idle(qtbot, room)
    assert "predicted" not in room.simulation.order.text(), "of settings that are no more"
    assert [row[2] for row in room.simulation.table.texts()] == [row[2] for row in rows], "both of the same settings"
    room.document.apply("ε", lambda session: session.collection.change(epsilon=3.0))
    idle(qtbot, room)
    assert [row[2] for row in room.simulation.table.texts()] == [row[2] for row in rows]


def test_a_simulation_has_the_sampling_error_that_its_prediction_has(qtbot: QtBot, room: CollectWorkspace) -> None:
    """Each collection asks others, so that both are of all people from whom these rows might be drawn."""
    ask_job(qtbot, room)
    room.document.apply("sampling", lambda session: session.collection.change(sampling=True))
    idle(qtbot, room)
    simulate(qtbot, room)
    model = room.simulation.table.model()
    heads = [model.headerData(place, Qt.Orientation.Horizontal) for place in range(model.columnCount())]
    assert any("Predicted" in str(head) for head in heads) and "predicted" in room.simulation.order.text()
    assert ", with sampling error" in room.simulation.state.text
    assert room.simulation.errors.data.metric == "People misplaced, % of all, with sampling error"
    assert "Each collection asks other people" in str(room.simulation.errors.caption)
    sampled = room.simulation.found
    room.document.apply("asked", lambda session: session.collection.change(sampling=False))
    simulate(qtbot, room)
    alone = room.simulation.found
    assert sampled is not None and sampled.sampled and alone is not None and not alone.sampled
    assert alone.baselines is not None and sampled.baselines is not None
    # A curator's noise is small beside whom one happens to ask: √(2/π) of √(p(1 − p)/n) for each share, by hand.
    shares = alone.truth / alone.truth.sum()
    drawn = float(np.sum(np.sqrt(2 / np.pi * shares * (1 - shares) / 1200)))
    assert sampled.baselines.curator["l1"].mean == pytest.approx(drawn, rel=0.15)
    assert alone.baselines.curator["l1"].mean < drawn / 4


def test_predicted_means_stand_beside_simulated_ones(qtbot: QtBot, room: CollectWorkspace) -> None:
    ask_age(qtbot, room)
    room.document.apply("mean", lambda session: session.collection.ask_for(mean=True))
    idle(qtbot, room)
    room.estimate.repetitions.setValue(200)
    simulate(qtbot, room)
    rows = room.simulation.table.texts()
    known = [row for row in rows if row[3] != "–"]
    assert {row[0] for row in rows if row not in known} == {CURATOR, "The middle as a guess"}
    assert known and [float(row[3]) for row in known] == sorted(float(row[3]) for row in known), "no order by chance"
    for _, _, off, predicted, *_ in known:
        mean, margin = map(float, off.split(" ± "))
        assert abs(mean - float(predicted)) < 3 * margin, "the formula and the simulation agree"


def test_what_is_to_be_taken_is_swept_beside_the_ticked_ones(qtbot: QtBot, room: CollectWorkspace) -> None:
    ask_age(qtbot, room)
    best = room.prediction.planned.best[0]
    assert best.choice not in room.document.project.collect.protocols
    room.tabs.setCurrentWidget(room.sweep)
    room.sweep.points.setValue(2)
    room.sweep.button.click()
    idle(qtbot, room)
    curves = room.sweep.chart.data.curves
    assert [one.name for one in curves if one.taken] == [best.title]
    assert CURATOR in [one.name for one in curves] and len(curves) == 6
    assert best.choice not in room.document.project.collect.protocols, "a sweep ticks nothing"


def test_without_a_tick_what_is_to_be_taken_is_swept(qtbot: QtBot, room: CollectWorkspace) -> None:
    ask_age(qtbot, room)
    room.document.apply("none", lambda session: session.collection.change(protocols=()))
    idle(qtbot, room)
    room.tabs.setCurrentWidget(room.sweep)
    room.sweep.points.setValue(2)
    room.sweep.button.click()
    idle(qtbot, room)
    assert room.sweep.found is not None and len(room.sweep.chart.data.curves) == 3


def test_what_counts_twice_is_said_beside_the_budget(qtbot: QtBot, room: CollectWorkspace) -> None:
    """A question that hides adding and removing, beside reports, which hide replacing: 2 and 1."""
    ask_job(qtbot, room)
    ledger = room.document.session.ledger.current
    ledger.charge(Charge("question", "rows", Fraction(1), made_by="grid"))
    room.document.tell_ledger()
    idle(qtbot, room)
    assert "with it, ε 3 (1 counted twice) are spent." in room.reports.cost.text()
    assert room.document.session.standing.sum.startswith("Spent so far  ε 1 ·"), "nothing is doubled yet"
    ledger.charge(Charge("collection", "reports", Fraction(1), made_by="collect", neighbours="replace-one"))
    room.document.tell_ledger()
    idle(qtbot, room)
    assert "with it, ε 4 (1 counted twice) are spent." in room.reports.cost.text()
    standing = room.document.session.standing
    assert "ε 3 · δ" in standing.sum and "In it 1 counted twice: " in standing.counted_told


def test_a_list_at_the_side_of_the_window_stays_within_it(on_screen: OnScreen) -> None:
    window = on_screen(QWidget(), 400)
    combo = ElidingComboBox("Against", [("against as many people as there are in the table", 1), ("ε", 2)], window)
    combo.setGeometry(window.width() - 100, 0, 100, 30)
    combo.show()
    combo.showPopup()
    popup, right = combo.view().window(), window.mapToGlobal(window.rect().topRight()).x()
    assert popup is not window and popup.width() > 200 and popup.x() + popup.width() <= right
    combo.hidePopup()


def test_where_nothing_is_ticked_the_list_of_protocols_says_so(
    qtbot: QtBot, document: Document, on_screen: OnScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([], ""))
    room = on_screen(CollectWorkspace(document), 800)
    idle(qtbot, room)
    room.no_answers.secondary.emit(1)  # reports that there are, and no table
    protocol = room.reports.protocol
    assert protocol.currentText() and protocol.isEnabled()
    document.apply("none", lambda session: session.collection.change(protocols=()))
    idle(qtbot, room)
    assert protocol.count() == 0
    assert protocol.placeholderText() == "No protocol is ticked" and not protocol.isEnabled()


def test_the_first_simulation_has_what_is_recommended_though_a_look_tells_how_many_there_are(
    qtbot: QtBot, document: Document, on_screen: OnScreen, tmp_path: Path
) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text("job\n" + "clerk\nnurse\npilot\nsmith\n" * 317, encoding="utf-8")
    room = on_screen(CollectWorkspace(document), 800)
    document.open_data(path)
    idle(qtbot, room)
    ask_job(qtbot, room)
    document.apply("ε", lambda session: session.collection.change(epsilon=0.5))
    idle(qtbot, room)
    best = room.prediction.planned.best[0].choice
    assert best not in document.project.collect.protocols and room.first_look.needed
    room.run()
    room.first_look.take.click()
    idle(qtbot, room)
    assert best in [one.choice for one in room.simulation.found.results]


def test_the_error_has_the_word_of_the_textbooks(qtbot: QtBot, room: CollectWorkspace) -> None:
    ask_job(qtbot, room)
    combo = room.prediction.error_choice
    assert combo.itemData(0, Qt.ItemDataRole.ToolTipRole) == "People misplaced (total variation)"
    assert "total variation distance" in room.prediction.needed.aim.toolTip()


@pytest.mark.parametrize("width", [420, 560, 700, 900, 1300])
def test_no_name_of_a_protocol_is_cut(on_screen: OnScreen, width: int) -> None:
    """Where a name has no room it is the one that papers use; all of it is in the tooltip."""
    table = on_screen(FiguresTable("Expected errors"), width, 400)
    choices = [one for one in PROTOCOLS if one.family is Family.FREQUENCY and one.identifier != "rr"]
    rows = {called(one.title, ["subset selection"] * (one.identifier == "grr")): one.identifier for one in choices}
    table.shorten({name: short_names(ProtocolChoice(identifier), name) for name, identifier in rows.items()})
    table.show_rows(_HEADS, [(name, "6.65", "4.84", "6.51", "6.65", "1", "11.2", "0.0404") for name in rows])
    measure, room = table.fontMetrics().horizontalAdvance, table.columnWidth(0) - 2 * tokens.SPACE_M
    for row, name in enumerate(rows):
        assert measure(table.shown(row, 0)) <= room, (name, width)
        assert table.model().data(table.model().index(row, 0), Qt.ItemDataRole.ToolTipRole) == name
