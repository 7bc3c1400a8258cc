"""What is to be reached by a planned survey, and the cards that answer it."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.collect.helpers import read_card
from tests.gui.collect_plan.helpers import MODES, aim_at_misplaced, ask, open_modes, type_answers, type_bounds
from tests.gui.helpers import OnScreen, choose, idle
from workbench.gui.main_window import MainWindow
from workbench.gui.theme import apply_theme
from workbench.gui.tokens import DARK, LIGHT, Theme
from workbench.gui.workspaces.collect import CollectWorkspace
from workbench.gui.workspaces.collect.answer_card import AnswerCard
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import EncodingKind
from workbench.ldp.plan import Shape
from workbench.ldp.share_margin import MARGIN, share_margin
from workbench.plots.error_curves import ErrorCurves
from workbench.session.collection.advice import needing_least
from workbench.session.collection.guessing import DEPENDS
from workbench.session.collection.predicted_table import figure_headings, figure_lines
from workbench.session.collection.two_answers import named


def test_what_is_to_be_reached_is_kept_and_undone(qtbot: QtBot, room: CollectWorkspace, tmp_path: Path) -> None:
    aim_at_misplaced(room)
    type_answers(qtbot, room, *MODES)
    page, document = room.prediction, room.document
    before = page.needed.figure.text()
    page.aim.setCurrentIndex(page.aim.findData(MARGIN))
    page.aim.activated.emit(page.aim.currentIndex())
    page.target.edit.setText("3")
    idle(qtbot, room)
    margin = page.needed.figure.text()
    assert margin != before and (document.project.collect.aim, document.project.collect.target) == (MARGIN, 3.0)
    assert document.save(tmp_path / "survey.json")
    page.target.edit.setText("4")
    idle(qtbot, room)
    document.undo_stack.undo()
    idle(qtbot, room)
    assert page.target.value == 3.0 and page.needed.figure.text() == margin
    document.open_project(tmp_path / "survey.json")
    idle(qtbot, room)
    assert page.aim.chosen == MARGIN and page.target.value == 3.0 and page.needed.figure.text() == margin


def test_a_goal_that_nobody_typed_says_where_it_comes_from(qtbot: QtBot, room: CollectWorkspace) -> None:
    type_answers(qtbot, room, "yes", "no")
    card = room.prediction.needed
    assert card.target.value == 3.0 and card.goal.text() == "Goal: usual in polls" and "polls" in card.target.toolTip()
    card.target.edit.setText("4")
    idle(qtbot, room)
    assert card.goal.text() == "Goal" and not card.target.toolTip()
    card.target.edit.setText("3")
    choose(room.prediction.aim, "")
    idle(qtbot, room)
    assert card.goal.text() == "Goal", "nobody polls by it"


def test_what_is_to_be_reached_makes_no_simulation_old(qtbot: QtBot, room: CollectWorkspace, tmp_path: Path) -> None:
    open_modes(qtbot, room, tmp_path)
    ask(qtbot, room, "mode")
    desk = room.document.session.collection
    key, planned = desk.key(), room.prediction.planned
    room.prediction.target.edit.setText("3")
    idle(qtbot, room)
    assert desk.settings.target == 3.0 and desk.key() == key
    assert room.prediction.planned is planned, "nothing is predicted anew"


def test_protocols_that_are_as_good_are_named(qtbot: QtBot, room: CollectWorkspace) -> None:
    aim_at_misplaced(room)
    type_answers(qtbot, room, *MODES)
    room.document.apply("ε", lambda session: session.collection.change(epsilon=3.13))
    idle(qtbot, room)
    card = room.prediction.headline
    assert card.figure.text() == "Direct encoding" and "Subset selection is the same here." in read_card(card)
    assert card.measure.text().partition(",")[0].endswith(" misplaced")
    assert "Misplaced: counted at a wrong answer." in card.measure.toolTip(), "the word is said where it is read"
    assert "other as good" not in read_card(card) and "total variation distance" in card.detail.toolTip()
    room.tabs.setCurrentWidget(room.facts)
    room.facts.show_protocol("subset-selection")
    idle(qtbot, room)
    assert room.facts.figures["came_to"].text() == "A set has 1 of 5 values: this is direct encoding."
    assert (
        "before post-processing, by itself, whatever the share; ± " in room.facts.figures["margin"].text()
        and " of one of 20 %, as of equal ones; all 5 at once ± " in room.facts.figures["margin"].text()
    )


def test_a_margin_that_is_to_be_reached_drives_all_that_is_shown(qtbot: QtBot, room: CollectWorkspace) -> None:
    """Of 5 answers of 1,000 people at ε = 1 by hand: sets of 2 have p = 2e/(2e + 3), and p + q next to 1."""
    aim_at_misplaced(room)
    type_answers(qtbot, room, *MODES)
    document, page = room.document, room.prediction
    changes = {"users": 1000, "epsilon": 1.0, "target": 3.0, "sampling": False, "protocols": (ProtocolChoice("oue"),)}
    document.apply("", lambda session: session.collection.change(**changes))
    idle(qtbot, room)
    assert page.error_choice.isVisibleTo(page) and page.shape.isVisibleTo(page)
    document.apply("", lambda session: session.collection.change(aim=MARGIN))
    idle(qtbot, room)
    p = 2 * math.e / (2 * math.e + 3)
    q = (p + (1 - p) * 2) / 4
    by_hand = 196 * math.sqrt(p * (1 - p) / 1000) / (p - q)
    assert page.planned is not None and page.planned.narrowest is not None
    # Half a report more where few are moved; see `share_margin`.
    assert 1 < 100 * page.planned.narrowest[1] / by_hand < 1.01
    assert page.headline.figure.text() == "Subset selection (2 of 5)"
    assert "Sets of 2 are taken for this margin; left automatic it would be ± 11.99" in page.sentence.text()
    behind = page.headline.detail.toolTip().partition("take Direct encoding. ")[2]
    assert behind and behind in page.sentence.text(), "and where the card is pointed at"
    assert " of one of 20 %, as of equal ones; all 5 at once ± " in page.sentence.text()
    assert page.guessing.figure.text() == DEPENDS, "as where misplaced people are counted"
    assert "one half is right to ± 50 points of any share, 1/5 to ± 80." in read_card(page.guessing)
    assert page.headline.measure.text().replace("\u00a0", " ") == "± 9.8 points for any share"
    assert f"Any share ± 9.8 points ({math.ceil(10 * by_hand)} people)" in read_card(page.headline)
    assert not page.error_choice.isVisibleTo(page) and not page.shape.isVisibleTo(page)
    assert page.table.texts()[0][:2] == ("Subset selection (2 of 5)", "9.80")
    assert "± 9.8 points" in page.sentence.text()
    people = round(1000 * (by_hand / 3) ** 2)
    needed = page.needed.figure.text()
    assert abs(int(needed.split()[0].replace(",", "")) / people - 1) < 0.01, (needed, people)
    assert read_card(page.needed).startswith(
        "Subset selection (2 of 5): that many at ε 1. Or Direct encoding: ε\u00a02.98 with 1,000 people, "
        "for any shares."
    )
    assert needed.endswith(" people"), "the ε of another protocol does not stand beside it as if it were of this one"
    # It is ticked as it was found, and real reports are made by it.
    assert page.headline.offer.text() == "Add to protocols"
    page.headline.offer.click()
    idle(qtbot, room)
    taken = ProtocolChoice("subset-selection", {"k": 2})
    assert taken in document.project.collect.protocols
    assert page.headline.offer.isHidden()
    left_open = (ProtocolChoice("oue"), ProtocolChoice("subset-selection"))
    document.apply("", lambda session: session.collection.change(protocols=left_open))
    idle(qtbot, room)
    assert page.headline.offer.text() == "Set in protocols", "it is ticked"
    page.headline.offer.click()
    idle(qtbot, room)
    assert document.project.collect.protocols == (ProtocolChoice("oue"), taken)
    room.reports.recommend(page.planned.narrowest[0].choice)
    offered = room.reports.protocol
    assert taken in [offered.itemData(place) for place in range(offered.count())]
    document.apply("", lambda session: session.collection.change(aim=""))
    idle(qtbot, room)
    assert page.error_choice.isVisibleTo(page) and "misplaced" in read_card(page.headline)


def test_card_and_chart_answer_the_margin_that_is_to_be_reached(qtbot: QtBot, room: CollectWorkspace) -> None:
    """Of 5 answers of 2,000 people at ε = 2 by hand: direct encoding, 1.96 √(p(1 − p)/2000)/(p − q) = 3.73 points."""
    aim_at_misplaced(room)
    type_answers(qtbot, room, *MODES)
    document, page = room.document, room.prediction
    changes = {"users": 2000, "epsilon": 2.0, "aim": MARGIN, "target": 3.0, "sampling": False}
    document.apply("", lambda session: session.collection.change(**changes))
    idle(qtbot, room)
    assert page.planned is not None and page.planned.narrowest is not None
    best, margin = page.planned.narrowest
    assert margin <= min(one for one in page.planned.margins if one == one)
    size = page.planned.plan.domain_size
    p, q = (one / (math.exp(2) + size - 1) for one in (math.exp(2), 1.0))
    assert margin <= 1.96 * math.sqrt(p * (1 - p) / 2000) / (p - q) + 1e-12
    card, chart = page.headline, page.chart.data
    assert card.figure.text() == named(best.choice, page.planned.plan)
    assert "before post-processing. Wider than ± 3; easier: " in read_card(card)
    for behind in ("Any share ± ", " of one of 20 %, as of equal ones. ", " All 5 at once ± "):
        assert behind in card.detail.toolTip() and behind not in card.detail.text()
    assert card.detail.text().startswith("Of those asked, with 95")
    assert isinstance(chart, ErrorCurves) and chart.target == 3.0 and chart.metric.startswith("95 % margin")
    taken = next(one for one in chart.curves if one.taken)
    at = int(np.argmin(abs(taken.places - 2.0)))
    assert taken.errors[at] == pytest.approx(
        100 * share_margin(replace(page.planned.plan, epsilon=taken.places[at]), best.choice)
    )
    # One whose ε follows from its parameters has a narrower margin because it promises less: ln 9 for ε 1.
    given = (ProtocolChoice("ue"), *document.project.collect.protocols)
    document.apply("", lambda session: session.collection.change(epsilon=1.0, protocols=given))
    idle(qtbot, room)
    one = next(one for one in page.planned.predictions if one.choice.identifier == "ue")
    narrower = page.planned.margins[page.planned.predictions.index(one)]
    assert one.epsilon > 2 and narrower < page.planned.narrowest[1] and page.planned.narrowest[0] is not one
    assert card.figure.text() != one.title and one.choice not in needing_least(page.planned, MARGIN)
    document.apply("", lambda session: session.collection.change(target=9.0, epsilon=2.0))
    idle(qtbot, room)
    assert ". ± 9 is reached; easier: " in read_card(card)
    chart = page.chart.data
    assert isinstance(chart, ErrorCurves) and chart.target == 9.0
    document.apply("", lambda session: session.collection.change(aim=""))
    idle(qtbot, room)
    chart = page.chart.data
    assert isinstance(chart, ErrorCurves) and chart.metric.startswith("People misplaced")
    assert "misplaced" in card.measure.text()


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_a_margin_to_reach_its_cards_and_its_chart_are_seen_at_once_in_a_small_window(
    qtbot: QtBot, qapp: QApplication, window: MainWindow, theme: Theme
) -> None:
    window.resize(1024, 700)
    apply_theme(qapp, theme)
    window.show_workspace("collect")
    room = window.workspaces["collect"]
    assert isinstance(room, CollectWorkspace)
    idle(qtbot, room)
    aim_at_misplaced(room)
    type_answers(qtbot, room, *"ABCDEFGH")
    page, document = room.prediction, room.document
    # What stood there before is longer, and no room is kept for it.
    assert page.choices.isVisible() and page.headline.figure.text() == "Subset selection (2 of 8)"
    assert "is automatic: so many as err least, all answers together." in page.sentence.text()
    changes = {"users": 3000, "epsilon": 1.0, "target": 3.0, "sampling": False, "aim": MARGIN}
    document.apply("", lambda session: session.collection.change(**changes))
    idle(qtbot, room)
    assert page.headline.figure.text() == "Subset selection (3 of 8)" and not page.choices.isVisible()
    told = "Subset selection: that many at ε 1 (3 of 8), or that ε with 3,000 people (2 of 8), for any shares."
    assert told in read_card(page.needed)
    for part in (page.cards, page.chart):
        seen = part.visibleRegion().boundingRect()
        assert (seen.width(), seen.height()) == (part.width(), part.height())
    # What post-processing does is said once.
    cards = read_card(page.headline) + read_card(page.needed)
    assert (
        cards.count("before post-processing") == 1 and "Post-processing may move a large share" in page.sentence.text()
    )


def test_thin_cards_are_stacked_and_their_words_keep_their_room(qtbot: QtBot, room: CollectWorkspace) -> None:
    type_answers(qtbot, room, *MODES)
    idle(qtbot, room)
    cards = room.prediction.cards
    for width, stacked in ((1300, False), (816, True), (1300, False)):
        room.resize(width, 700)
        QCoreApplication.processEvents()
        assert cards.stacked is stacked
        below = cards.layout().itemAtPosition(1, 0)
        assert (below is not None and below.widget() is room.prediction.guessing) is stacked


def test_a_card_says_why_another_goal_takes_another_protocol(qtbot: QtBot, room: CollectWorkspace) -> None:
    aim_at_misplaced(room)
    type_answers(qtbot, room, *"ABCDEFGHIJ")
    room.document.apply("ε", lambda session: session.collection.change(epsilon=3.0, users=1200))
    idle(qtbot, room)
    planned, card = room.prediction.planned, room.prediction.headline
    assert planned is not None and planned.narrowest is not None
    best, narrow = planned.best[0], planned.narrowest[0]
    assert best.choice.identifier != narrow.choice.identifier
    assert f"For the narrowest margin whatever the share, take {narrow.title} (2 of 10)." in read_card(card)
    room.document.apply("goal", lambda session: session.collection.change(aim=MARGIN))
    idle(qtbot, room)
    assert f"To misplace the fewest people, take {best.title}." in read_card(card)


def test_a_protocol_that_is_taken_for_another_goal_is_named_with_what_is_set_for_it(
    qtbot: QtBot, room: CollectWorkspace
) -> None:
    aim_at_misplaced(room)
    type_answers(qtbot, room, "care", "retail", "transport", "office")
    room.document.apply("ε", lambda session: session.collection.change(epsilon=1.0, users=2000))
    idle(qtbot, room)
    detail = read_card(room.prediction.headline)
    assert "Subset selection (1 of 4) is the same here" in detail, "not the sets that the other goal takes"
    assert "For the narrowest margin whatever the share, take Subset selection (2 of 4)." in detail


def test_another_size_of_the_sets_is_said_of_the_other_goal(qtbot: QtBot, room: CollectWorkspace) -> None:
    """Of seven answers sets of two misplace the fewest, and sets of three have the narrowest margin."""
    aim_at_misplaced(room)
    type_answers(qtbot, room, *"ABCDEFG")
    room.document.apply("ε", lambda session: session.collection.change(epsilon=1.0, users=2000, sampling=False))
    idle(qtbot, room)
    headline = room.prediction.headline
    assert headline.figure.text() == "Subset selection (2 of 7)"
    other = (
        "For the narrowest margin whatever the share, take Subset selection (3 of 7); “Misplaced” goes by usual shapes."
    )
    assert other in read_card(headline)
    room.document.apply("goal", lambda session: session.collection.change(aim=MARGIN))
    idle(qtbot, room)
    assert headline.figure.text() == "Subset selection (3 of 7)"
    assert "Sets of 3 are taken for this margin; left automatic it would be" in headline.detail.toolTip()
    why = (
        "A margin goes by the worst share there can be; “Misplaced”, by usual shapes, takes Subset selection (2 of 7)."
    )
    assert why in headline.detail.toolTip()


def test_of_two_answers_the_name_that_everybody_knows_comes_first(qtbot: QtBot, room: CollectWorkspace) -> None:
    aim_at_misplaced(room)
    type_answers(qtbot, room, "no", "yes")
    page, facts = room.prediction, room.facts
    for aim in ("", MARGIN):
        room.document.apply("goal", lambda session, aim=aim: session.collection.change(aim=aim))
        idle(qtbot, room)
        assert page.headline.figure.text() == "Randomised response (Warner, 1965)"
        first = page.table.texts()[0][0]
        assert first == "Randomised response, also called direct encoding or subset selection"
        assert read_card(page.needed).startswith("Randomised response: ")
    room.document.apply("goal", lambda session: session.collection.change(aim=""))
    idle(qtbot, room)
    assert "Direct encoding and Subset selection are the same here." in read_card(page.headline)
    assert "Randomised response, shares of about 70\u00a0:\u00a030: " in read_card(page.guessing)
    page.headline.more.click()
    idle(qtbot, room)
    assert facts.summary.text().startswith("Of two answers this is randomised response (Warner, 1965). ")
    assert facts.figures["citation"].text().startswith("S. L. Warner: Randomized response, JASA 60, 1965; of more ")
    type_answers(qtbot, room, "no", "yes", "perhaps")
    idle(qtbot, room)
    assert "Warner" not in page.headline.figure.text() + facts.summary.text() + facts.figures["citation"].text()


def test_a_protocol_that_is_another_one_here_says_so_in_the_list(qtbot: QtBot, room: CollectWorkspace) -> None:
    def same() -> dict[str, str]:
        return {name: row.same.text() for name, row in room.protocols.rows.items() if row.same.isVisibleTo(row)}

    type_answers(qtbot, room, "yes", "no")
    assert same() == {"rr": "same as Direct encoding", "subset-selection": "same as Direct encoding"}
    before = room.document.project.collect.protocols
    type_answers(qtbot, room, *"abcdefgh")
    assert "rr" not in same() and "subset-selection" not in same()
    assert room.document.project.collect.protocols == before, "what is ticked is another matter"


def test_what_is_the_same_keeps_its_place_until_it_is_known_again(qtbot: QtBot, room: CollectWorkspace) -> None:
    type_answers(qtbot, room, "yes", "no")
    same = room.protocols.rows["rr"].same
    assert same.isVisibleTo(room) and same.isEnabled()
    room.document.apply("ε", lambda session: session.collection.change(epsilon=2.0))
    room.refresh()
    assert same.isVisibleTo(room) and not same.isEnabled(), "the list does not jump, and says that it is of before"
    idle(qtbot, room)
    assert same.isVisibleTo(room) and same.isEnabled()
    room.document.apply("goal", lambda session: session.collection.change(target=2.0))
    idle(qtbot, room)
    assert same.isVisibleTo(room) and same.isEnabled(), "what is to be reached changes none of it"


def test_a_distance_along_the_values_is_told_only_where_they_have_an_order(
    qtbot: QtBot, room: CollectWorkspace
) -> None:
    aim_at_misplaced(room)

    def heads() -> list[str]:
        planned = room.prediction.planned
        assert planned is not None
        return figure_headings(planned, room.prediction.needed.reached)

    type_answers(qtbot, room, *MODES)
    assert not any("Kantorovich" in one for one in heads()) and len(heads()) == len(first_line(room))
    room.document.apply("rank", lambda session: session.collection.change(rank_by="kantorovich"))
    idle(qtbot, room)
    assert heads()[1].startswith("Kantorovich"), "who chose it has it"
    room.document.apply("rank", lambda session: session.collection.change(rank_by="l1"))
    type_bounds(qtbot, room, "0", "100", EncodingKind.BINS)
    assert any("Kantorovich" in one for one in heads()) and len(heads()) == len(first_line(room))


def first_line(room: CollectWorkspace) -> tuple[str, ...]:
    """The first line of the table of expected errors."""
    planned = room.prediction.planned
    assert planned is not None
    return figure_lines(planned, room.prediction.needed.reached)[0][1]


def test_no_share_is_drawn_off_by_more_than_all_of_it(qtbot: QtBot, room: CollectWorkspace) -> None:
    type_answers(qtbot, room, *MODES)
    room.document.apply("goal", lambda session: session.collection.change(aim=MARGIN, users=100))
    idle(qtbot, room)
    curves = room.prediction.chart.data
    assert isinstance(curves, ErrorCurves)
    drawn = np.concatenate([one.errors for one in curves.curves])
    assert np.isnan(drawn).any() and np.nanmax(drawn) < 100, "a margin of more than the whole is not drawn as less"


def test_a_goal_that_is_no_number_has_no_answer(qtbot: QtBot, room: CollectWorkspace) -> None:
    type_answers(qtbot, room, *MODES)
    card = room.prediction.needed
    found, edit = card.figure.text(), card.target.edit
    before = edit.text()
    edit.setText("abc")
    idle(qtbot, room)
    assert card.figure.text() == "–" and "Error to reach" in card.detail.text()
    edit.setText(before)
    idle(qtbot, room)
    assert card.figure.text() == found


def test_what_people_do_is_read_and_copied_of_what_is_to_be_taken(qtbot: QtBot, room: CollectWorkspace) -> None:
    type_answers(qtbot, room, *"ABCDEFG")
    page, document, facts = room.prediction, room.document, room.facts
    document.apply("", lambda session: session.collection.change(users=2000, epsilon=1.0, aim=MARGIN))
    idle(qtbot, room)
    assert page.headline.figure.text() == "Subset selection (3 of 7)" and page.headline.more.text() == "What people do"
    page.headline.more.click()
    idle(qtbot, room)
    assert room.tabs.currentWidget() is facts and facts.instruction.isVisible()
    said = facts.instruction.text()
    assert (
        "name your true answer and 2 of the other 6; above it, name 3 of the other 6, and not your true one." in said
    ), "with k = 3"
    assert "Answers: A, B, C, D, E, F, G." in said
    facts.page.copy.click()
    idle(qtbot, room)
    words = QGuiApplication.clipboard().text()
    assert "".join(f"  {place}. {answer}\n" for place, answer in enumerate("ABCDEFG", 1)) in words
    assert "name 3 of the other 6, and not your true one." in words and "(ε = 1, " in words
    assert "7 digits, one for each answer" in facts.figures["columns"].text(), "as whoever enters reports needs it"
    facts.show_protocol("grr")
    idle(qtbot, room)
    # e ÷ (e + 6), rounded down
    assert facts.instruction.text().endswith(" So the truth is told with probability 0.311791.")


def test_the_curve_of_what_is_to_be_taken_meets_the_goal(qtbot: QtBot, room: CollectWorkspace) -> None:
    type_answers(qtbot, room, *"ABCDEFG")
    page, document = room.prediction, room.document
    document.apply("", lambda session: session.collection.change(users=2000, epsilon=1.0, target=5.0, aim=MARGIN))
    idle(qtbot, room)
    drawn = page.chart.data
    assert isinstance(drawn, ErrorCurves) and page.planned is not None and page.planned.narrowest is not None
    (taken,) = (one for one in drawn.curves if one.taken)
    assert taken.name == "Subset selection (best k)"
    assert taken.errors[list(taken.places).index(1.0)] == pytest.approx(100 * page.planned.narrowest[1])
    # With k = 3 at every ε it would never come below 3.3.
    assert np.nanmin(taken.errors) < 2.5
    (direct,) = (one for one in drawn.curves if one.name == "Direct encoding")
    both = np.isfinite(direct.errors)
    assert (taken.errors[both] <= direct.errors[both] * (1 + 1e-9)).all(), "one value in a set is direct encoding"


def test_a_protocol_has_one_name_wherever_it_is_listed(qtbot: QtBot, room: CollectWorkspace) -> None:
    """“(k = 3)” in one list and “(3 of 7)” above it were taken for two protocols."""
    type_answers(qtbot, room, *"ABCDEFG")
    sets = ProtocolChoice("subset-selection", MappingProxyType({"k": 3}))
    changes = {"users": 2000, "epsilon": 1.0, "aim": MARGIN, "protocols": (ProtocolChoice("grr"), sets)}
    room.document.apply("", lambda session: session.collection.change(**changes))
    idle(qtbot, room)
    assert room.prediction.headline.figure.text() == "Subset selection (3 of 7)"
    for combo in (room.reports.protocol, room.prediction.protocol):
        listed = [combo.itemText(row).removesuffix(" (take)") for row in range(combo.count())]
        assert "Subset selection (3 of 7)" in listed and not any("k =" in name for name in listed)
    type_answers(qtbot, room, "no", "yes")
    names = [room.reports.protocol.itemText(row) for row in range(room.reports.protocol.count())]
    assert room.prediction.headline.figure.text().startswith("Randomised response")
    assert any(name.startswith("Randomised response") for name in names)


def test_where_own_shares_are_typed_is_said_above_the_list(qtbot: QtBot, room: CollectWorkspace) -> None:
    aim_at_misplaced(room)
    type_answers(qtbot, room, *MODES)
    page = room.prediction
    said = {one.buddy(): one.text() for one in page.choices.findChildren(QLabel) if one.isVisible()}
    assert said == {page.error_choice: "Error", page.shape: "Shares assumed, or your own"}
    choose(page.shape, Shape.OWN)
    idle(qtbot, room)
    assert page.shares.isVisible() and page.shares.hasFocus()


@pytest.mark.parametrize("width", [180, 260])
def test_what_a_card_offers_has_a_line_of_its_own_where_one_has_no_room(on_screen: OnScreen, width: int) -> None:
    card = AnswerCard("Goal", QWidget())
    card.show_choices([("Use 1,590", "Use 1,590 people"), ("Use ε 0.956", "Use ε 0.956")])
    on_screen(card, width)
    shown = [one for one in card.choices if one.isVisible()]
    assert len(shown) == 2 and all(one.width() >= one.sizeHint().width() for one in shown)
    assert (shown[0].y() == shown[1].y()) is (width == 260)


def test_a_card_has_its_number_in_front_and_two_sentences_at_most(qtbot: QtBot, room: CollectWorkspace) -> None:
    """A planner reads the ± of one share first; the rest is where the card is pointed at."""
    type_answers(qtbot, room, *"ABCDEFG")
    page = room.prediction
    assert page.aim.chosen == MARGIN and page.target.value == 3.0
    for aim in (MARGIN, ""):
        room.document.apply("goal", lambda session, aim=aim: session.collection.change(aim=aim))
        idle(qtbot, room)
        for card in (page.headline, page.guessing, page.needed):
            words = card.detail.text()
            assert words.count(". ") <= 1 and len(words.split()) <= 26, words
            assert card.accessibleDescription() == card.detail.toolTip()
        assert "± " in page.headline.measure.text().replace("\u00a0", " ")
        beside = " points" if aim == MARGIN else " instead of "
        assert beside in page.guessing.measure.text() and page.needed.figure.text().endswith(" people")


def test_a_rare_yes_is_said_with_which_part_of_it_its_margin_is(qtbot: QtBot, room: CollectWorkspace) -> None:
    """By hand: 1.96 · √(r (1 − r) ÷ 2,000) ÷ (p − q), r = q + 0.1 (p − q), p = e ÷ (e + 2)."""
    type_answers(qtbot, room, "yes", "no", "rather not say")
    room.document.apply("", lambda session: session.collection.change(users=2_000, sampling=True))
    idle(qtbot, room)
    card = room.prediction.headline
    assert room.prediction.aim.chosen == MARGIN
    p, q = math.e / (math.e + 2), 1 / (math.e + 2)
    r = q + 0.1 * (p - q)
    hand = 1.959964 * math.sqrt(r * (1 - r) / 2_000) / (p - q)
    said = re.search(r"; a “yes” of 10 % ± ([0-9.]+), ([0-9]+) % of it", card.detail.text().replace("\u00a0", " "))
    assert said is not None and float(said[1]) == pytest.approx(100 * hand, abs=0.02)
    assert abs(int(said[2]) - 1000 * hand) <= 1, "of the margin beside it, and of 10 %"
    assert int(said[2]) == 52, "and to the nearest per cent"
    behind = card.accessibleDescription()
    assert f"“Yes” ± {said[1]} is by the exact law of counts, which move by whole reports" in behind
    assert f"1.96 standard deviations are ± {math.ceil(1e4 * hand) / 100:g}." in behind, "as one works it out"
    assert card.detail.text().count(". ") <= 1 and len(card.detail.text().split()) <= 26
    room.document.apply("", lambda session: session.collection.change(users=200))
    idle(qtbot, room)
    assert "all of it or more" in card.detail.text()
    type_answers(qtbot, room, "red", "green", "blue")
    assert "yes" not in card.detail.text(), "nobody asks for a yes"


def test_the_tone_is_of_the_margin_that_is_too_wide_and_not_of_the_protocol(
    qtbot: QtBot, room: CollectWorkspace
) -> None:
    type_answers(qtbot, room, *MODES)
    card = room.prediction.headline
    assert (card.figure.property("tone"), card.measure.property("tone")) == ("none", "warning")
    room.document.apply("people", lambda session: session.collection.change(users=50_000))
    idle(qtbot, room)
    assert (card.figure.property("tone"), card.measure.property("tone")) == ("none", "none")


def test_what_is_easier_to_answer_stands_on_the_card(qtbot: QtBot, room: CollectWorkspace) -> None:
    type_answers(qtbot, room, "a", "b", "c", "d")
    room.document.apply("ε", lambda session: session.collection.change(epsilon=1.02))
    idle(qtbot, room)
    card = room.prediction.headline
    assert card.figure.text().startswith("Subset selection")
    assert "; easier: Direct encoding, ±" in card.detail.text()


def test_a_goal_that_is_reached_with_a_few_people_less_than_are_told_is_reached(
    qtbot: QtBot, room: CollectWorkspace
) -> None:
    """What is told is rounded up to three digits: fewer people who are enough are not told to be more."""
    type_answers(qtbot, room, "yes", "no", "rather not say")
    page, document = room.prediction, room.document
    assert page.aim.chosen == MARGIN
    document.apply("a plan", lambda session: session.collection.change(users=2000, epsilon=1.0, target=3.0))
    idle(qtbot, room)
    told = people(page.needed.figure.text())
    planned = page.planned
    assert planned is not None and planned.narrowest is not None
    plan, choice = planned.plan, planned.narrowest[0].choice
    least = next(n for n in range(told - 100, told + 1) if share_margin(replace(plan, users=n), choice) <= 0.03)
    assert least < told, "else nothing is rounded"
    for number in (least, least + 1, told - 1, told):
        document.apply("people", lambda session, number=number: session.collection.change(users=number))
        idle(qtbot, room)
        assert "± 3 is reached" in read_card(page.headline)
        assert page.needed.figure.text() == f"Reached with {number:,} people"
        assert not any(one.isVisibleTo(page) for one in page.needed.choices)
    document.apply("people", lambda session: session.collection.change(users=least - 1))
    idle(qtbot, room)
    assert "Wider than ± 3" in read_card(page.headline)
    offered = [one.toolTip() for one in page.needed.choices if one.isVisibleTo(page)]
    assert offered[0] == f"Use {told:,} people"


def people(figure: str) -> int:
    """So many people as a card says first."""
    return int(figure.split(" people")[0].replace(",", ""))
