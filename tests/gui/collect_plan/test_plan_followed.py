"""What is simulated, saved and handed out is what was planned; and a plan for shares that are not large."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.collect.helpers import read_card as read_joined
from tests.gui.collect_plan.helpers import type_answers
from tests.gui.helpers import choose, idle
from workbench.gui.document import Document
from workbench.gui.main_window import MainWindow
from workbench.gui.workspaces.collect import CollectWorkspace
from workbench.gui.workspaces.collect.answer_card import AnswerCard
from workbench.gui.workspaces.collect.prediction_page import PredictionPage
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.share_margin import MARGIN, share_margin, share_margin_at
from workbench.plots.error_curves import ErrorCurves
from workbench.project.collect_settings import RANKED

SEVEN = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
THREE, TWO = ProtocolChoice("subset-selection", {"k": 3}), ProtocolChoice("subset-selection", {"k": 2})
AUTOMATIC = ProtocolChoice("subset-selection")


def read_card(card: AnswerCard) -> str:
    return read_joined(card).replace("\u00a0", " ")


def plan_seven(qtbot: QtBot, room: CollectWorkspace) -> None:
    type_answers(qtbot, room, *SEVEN)
    change(qtbot, room, users=2000, repetitions=2)
    assert room.prediction.headline.figure.text() == "Subset selection (3 of 7)"


def change(qtbot: QtBot, room: CollectWorkspace, **settings: object) -> None:
    room.document.apply("Change", lambda session: session.collection.change(**settings))
    idle(qtbot, room)


def simulated(qtbot: QtBot, room: CollectWorkspace) -> list[ProtocolChoice]:
    room.run()
    idle(qtbot, room)
    assert room.simulation.found is not None
    return [one.choice for one in room.simulation.found.results]


def test_the_protocol_of_a_coin_is_simulated_and_undone_with_its_epsilon(qtbot: QtBot, room: CollectWorkspace) -> None:
    plan_seven(qtbot, room)
    assert THREE in simulated(qtbot, room)
    before = room.document.project.collect
    change(qtbot, room, aim=RANKED, target=5.0)
    room.prediction.headline.more.click()
    idle(qtbot, room)
    assert room.facts.found is not None and room.facts.found.choice == AUTOMATIC
    assert "a die in place of this draw: the same protocol" in room.facts.by_hand.words.text()
    coin = next(one for one in room.facts.by_hand.buttons if one.text().startswith("Coin: "))
    coin.click()
    idle(qtbot, room)
    settings = room.document.project.collect
    assert AUTOMATIC in settings.protocols and THREE not in settings.protocols
    assert settings.epsilon == pytest.approx(0.9163, abs=1e-4)
    assert "coin" in room.facts.instruction.text() and "program" not in room.facts.instruction.text()
    ran = simulated(qtbot, room)
    assert AUTOMATIC in ran and THREE not in ran
    room.hold()
    idle(qtbot, room)
    assert room.reports.protocol.chosen == AUTOMATIC
    room.document.undo_stack.undo()
    idle(qtbot, room)
    undone = room.document.project.collect
    assert (undone.epsilon, undone.protocols) == (before.epsilon, before.protocols), "in one step"


def test_what_was_ticked_for_a_goal_gives_way_to_what_another_goal_takes(qtbot: QtBot, room: CollectWorkspace) -> None:
    plan_seven(qtbot, room)
    assert THREE in simulated(qtbot, room)
    change(qtbot, room, aim=RANKED, target=5.0)
    ran = simulated(qtbot, room)
    assert AUTOMATIC in ran and THREE not in ran and len(ran) == 4
    change(qtbot, room, aim=MARGIN, target=3.0)
    room.hold()
    idle(qtbot, room)
    assert room.reports.protocol.chosen == THREE, "handed out as well"
    room.document.undo_stack.undo()
    idle(qtbot, room)
    assert THREE not in simulated(qtbot, room), "what was taken back is not ticked again"


def test_a_coin_that_was_taken_gives_way_to_what_another_goal_takes(qtbot: QtBot, room: CollectWorkspace) -> None:
    """Where the card says sets of 2, they are handed out, copied and simulated, and not those the die was taken for."""
    plan_seven(qtbot, room)
    room.prediction.headline.more.click()
    idle(qtbot, room)
    die = next(one for one in room.facts.by_hand.buttons if one.text().startswith("Six-sided die: "))
    die.click()
    idle(qtbot, room)
    assert THREE in room.document.project.collect.protocols
    room.hold()
    idle(qtbot, room)
    assert room.reports.protocol.chosen == THREE and "die" in room.reports.held.instruction.text()
    assert not room.reports.held.planned.isVisible()
    change(qtbot, room, aim=RANKED, target=5.0)
    assert room.prediction.headline.figure.text() == "Subset selection (2 of 7)"
    room.tabs.setCurrentWidget(room.prediction)
    room.tabs.setCurrentWidget(room.reports)
    idle(qtbot, room)
    assert room.reports.protocol.chosen == AUTOMATIC and THREE not in room.document.project.collect.protocols
    assert not room.reports.held.planned.isVisible()
    ran = simulated(qtbot, room)
    assert AUTOMATIC in ran and THREE not in ran and not room.simulation.take.isVisible()
    room.copy_command()
    assert "k=3" not in QGuiApplication.clipboard().text() and "subset-selection" in QGuiApplication.clipboard().text()


def test_what_is_handed_out_beside_the_plan_is_said_and_changed_at_a_press(
    qtbot: QtBot, room: CollectWorkspace
) -> None:
    plan_seven(qtbot, room)
    room.protocols.tick(ProtocolChoice("sue"))
    idle(qtbot, room)
    room.hold()
    held = room.reports.held
    choose(room.reports.protocol, ProtocolChoice("grr"))
    idle(qtbot, room)
    assert held.planned.isVisible() and held.planned.text() == "The plan takes Subset selection (3 of 7)."
    held.hand_planned.click()
    idle(qtbot, room)
    assert room.reports.protocol.chosen == THREE and not held.planned.isVisible()
    assert "2 of the other 6" in held.instruction.text()


def test_where_other_sets_were_ticked_it_is_said_and_simulated_at_a_press(qtbot: QtBot, room: CollectWorkspace) -> None:
    plan_seven(qtbot, room)
    change(qtbot, room, protocols=(ProtocolChoice("grr"), AUTOMATIC))
    ran, page = simulated(qtbot, room), room.simulation
    assert ran == [ProtocolChoice("grr"), AUTOMATIC] and page.take.isVisible()
    said = "Subset selection (3 of 7), which is to take, was not simulated (Subset selection (2 of 7) was)."
    assert page.order.text().startswith(said)
    page.take.click()
    idle(qtbot, room)
    assert page.found is not None and [one.choice for one in page.found.results] == [ProtocolChoice("grr"), THREE]
    assert not page.take.isVisible() and "was not simulated" not in page.order.text()


def test_sets_that_are_narrower_of_small_shares_are_named_and_planned_for(qtbot: QtBot, room: CollectWorkspace) -> None:
    """By hand, v(π) = (π p(1 − p) + (1 − π) q(1 − q)) ÷ (n (p − q)²) + π(1 − π) ÷ n: equal at about 0.475."""
    plan_seven(qtbot, room)
    card, page = room.prediction.headline, room.prediction
    said = "If no answer has over 47 %: Subset selection (2 of 7), ± 7.22 for 14.3 %, not ± 7.68."
    assert card.choices[0].toolTip().replace("\u00a0", " ").endswith(said)
    pressed, before = "For shares up to 47 %", room.document.project.collect.protocols
    curves, fewest = margins(page), page.needed.figure.text()
    assert card.choices[0].text().replace("\u00a0", " ") == pressed and card.choices[0].isVisible()
    card.choices[0].click()
    idle(qtbot, room)
    assert TWO in room.document.project.collect.protocols
    assert card.figure.text() == "Subset selection (2 of 7)"
    # The margin that the press is for, which is narrower than ± 7.76, and what it is without that condition.
    assert card.measure.text().replace("\u00a0", " ") == "± 7.74 points for shares up to 47 %"
    plan, wide = page.planned.plan, []
    for share in np.linspace(0.0, 0.47, 471):
        wide.append(share_margin_at(plan, TWO, share))
    assert max(wide) == pytest.approx(share_margin(replace(plan, largest=0.47), TWO)) and 0.0773 < max(wide) <= 0.0774
    assert ", for shares up to 47 %." in read_card(page.needed)
    assert people(page.needed.figure.text()) < people(fewest), "and fewer people reach a goal"
    assert page.chart.data is not None and page.chart.data.note == "for shares up to 47 %"
    back = "For a larger share than 47 %: Subset selection (3 of 7), ± 7.76 whatever the share."
    assert card.choices[0].toolTip().replace("\u00a0", " ").endswith(back)
    assert TWO in simulated(qtbot, room) and not room.simulation.take.isVisible()
    assert "whatever the shares" not in room.simulation.order.text()
    room.hold()
    idle(qtbot, room)
    assert room.reports.protocol.chosen == TWO
    assert card.choices[0].text() == "Plan for any share"
    card.choices[0].click()
    idle(qtbot, room)
    assert card.figure.text() == "Subset selection (3 of 7)" and room.document.project.collect.protocols == before
    assert page.planned is not None and page.planned.narrowest is not None
    assert margins(page) == curves, "the best size is chosen again at every ε"
    assert page.needed.figure.text() == fewest


def margins(page: PredictionPage) -> dict[str, list[str]]:
    """What the chart shows."""
    assert isinstance(page.chart.data, ErrorCurves)
    return {one.name: [f"{error:.9f}" for error in one.errors] for one in page.chart.data.curves}


def people(figure: str) -> int:
    """So many people as a card says."""
    return int(figure.split(" people")[0].replace(",", ""))


def test_comparing_sets_of_which_the_size_is_open_changes_no_plan(qtbot: QtBot, room: CollectWorkspace) -> None:
    plan_seven(qtbot, room)
    change(qtbot, room, protocols=(ProtocolChoice("grr"), AUTOMATIC))
    assert room.prediction.headline.figure.text() == "Subset selection (3 of 7)"
    change(qtbot, room, aim=RANKED, target=5.0)
    assert not room.prediction.headline.choices[0].isVisible(), "it is about margins"


def test_a_simulated_margin_says_of_which_answer_and_of_how_many_collections(
    qtbot: QtBot, room: CollectWorkspace
) -> None:
    plan_seven(qtbot, room)
    change(qtbot, room, repetitions=50, seed=3)
    simulated(qtbot, room)
    said = room.simulation.order.text().replace("\u00a0", " ")
    assert "for these shares; the margin of “Mon”, the widest by formula, came to" in said
    assert re.search(r" points in 50 collections \(by chance [\d.]+ to [\d.]+\), as chance allows\.", said)
    tips = [
        str(room.simulation.table.model().headerData(at, room.simulation.table.horizontalHeader().orientation(), 3))
        for at in range(room.simulation.table.model().columnCount())
    ]
    falling = "Of falling shares, as 1 : 1/2 : 1/3; where no shares are declared the page “Prediction” has the worst"
    assert any(falling in tip for tip in tips), "not the error by the same name that the prediction has"


def test_a_plan_beside_a_table_is_saved_under_a_name_of_its_own(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[tuple[str, str]]()

    def ask(_over: QWidget, title: str, proposed: str, *_: object) -> tuple[str, str]:
        asked.append((title, Path(proposed).name))
        return "", ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    table = tmp_path / "visits.csv"
    table.write_text("mode,minutes\n" + "car,12\nbus,30\n" * 20, encoding="utf-8")
    document: Document = window.document
    document.open_data(table)
    window.show_workspace("collect")
    room = window.workspaces["collect"]
    assert isinstance(room, CollectWorkspace)
    idle(qtbot, room)
    room.question.plan_survey()
    idle(qtbot, room)
    type_answers(qtbot, room, "no", "yes")
    room.foot.save.click()
    assert asked == [("Save the plan of the survey", "survey_plan.wbench")]
