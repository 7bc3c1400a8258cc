"""Who chooses the levels of an (ε, δ) release, through the widgets of the Anonymise workspace."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.anonymise_steps import seen as shown
from tests.gui.helpers import Anonymising, choose, idle, press
from workbench.anonymise.dp_search import Degree, PrivateSearch
from workbench.anonymise.level_scores import Score
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.private_draw import Draw
from workbench.gui.widgets.explain import HelpBook, explain_key
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise.column_row import ColumnTreatment
from workbench.gui.workspaces.anonymise.release_view import HOLDS_IF
from workbench.project.model import GuaranteeSettings, LevelsBy
from workbench.session import Session

pytestmark = pytest.mark.usefixtures("sampling")

AGES = Hierarchy.from_rows([(str(a), f"{a // 10 * 10}s", "*") for a in range(20, 60)])
CITIES = Hierarchy.from_rows([("Bern", "*"), ("Basel", "*"), ("Chur", "*")])


class Told:
    """Takes the place of the message bar."""

    def __init__(self, errors: list[WorkbenchError]) -> None:
        self._errors = errors

    def show_error(self, error: BaseException) -> None:
        assert isinstance(error, WorkbenchError)
        self._errors.append(error)


@pytest.fixture
def room(anonymising: Anonymising, tmp_path: Path) -> AnonymiseWorkspace:
    """The workspace with a table, and hierarchies for age and city."""
    path = tmp_path / "people.csv"
    lines = [f"P{i:04},{20 + i % 40},{('Bern', 'Basel', 'Chur')[i % 3]}" for i in range(1_500)]
    path.write_text("person,age,city\n" + "\n".join(lines) + "\n", encoding="utf-8")

    def prepare(session: Session) -> None:
        session.data.attach_hierarchy("age", AGES)
        session.data.attach_hierarchy("city", CITIES)
        session.release.set_guarantee(GuaranteeSettings(epsilon=1.0, delta=1e-5))

    return anonymising(path, prepare)


def decide(qtbot: QtBot, room: AnonymiseWorkspace, by: LevelsBy) -> None:
    room.levels.buttons[by].click()
    idle(qtbot, room)


def run(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    press(qtbot, room, room.run_button)


def asserted(room: AnonymiseWorkspace) -> list[str]:
    """What the publisher will assert, as the last step says."""
    return [one.text() for one in room.plan.asserted.texts]


def test_by_hand_is_where_one_begins(room: AnonymiseWorkspace) -> None:
    assert room.levels.buttons[LevelsBy.HAND].isChecked()
    assert not shown(room.levels.degree, room)
    assert not shown(room.levels.epsilon, room)
    assert room.columns.rows["age"].slider.isEnabled()
    assert not room.plan.looked.isChecked()


def test_a_degree_moves_the_sliders_and_can_be_undone(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    decide(qtbot, room, LevelsBy.DEGREE)
    assert shown(room.levels.degree, room)
    age = room.columns.rows["age"]
    assert (age.slider.value(), age.slider.isEnabled()) == (1, False)
    choose(room.levels.degree, Degree.COMPLETE.value)
    idle(qtbot, room)
    assert age.slider.value() == 2
    assert any("whoever is in the table" in line for line in asserted(room))
    run(qtbot, room)
    result = room.document.session.release.result
    assert result is not None
    assert result.outcome.recipe.levels == {"age": 2, "city": 1}
    for _ in range(2):
        room.document.undo_stack.undo()
    idle(qtbot, room)
    assert room.levels.buttons[LevelsBy.HAND].isChecked()
    assert age.slider.isEnabled()


def test_a_private_search_says_what_it_costs_and_what_it_chose(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    decide(qtbot, room, LevelsBy.SEARCH)
    assert room.levels.split.text() == "ε 1.2 = 0.2 for choosing the levels + 1 for the release"
    assert "ε 1.2" in room.run_button.text()
    assert "≈ 3.32," in room.promise.facts.text(), "the factor is that of the whole"
    assert room.promise.epsilon_name.text() == "ε of the release"
    age = room.columns.rows["age"]
    assert not shown(age.slider, room)
    assert age.words == "to be drawn: from as it is to *"
    assert not shown(room.levels.chances, room)

    run(qtbot, room)
    result = room.document.session.release.result
    assert result is not None and result.drawn is not None
    assert shown(age.slider, room)
    assert age.slider.value() == result.drawn.choice.levels["age"]
    assert not age.slider.isEnabled()
    assert age.words.startswith("drawn: level")
    chances = room.levels.chances
    assert not shown(chances, room), "how likely they were is computed from the true rows"
    room.document.look(publish=True)
    idle(qtbot, room)
    assert shown(chances, room)
    words = [line[1].text() for line in chances.lines]
    assert "the levels that were drawn" in words
    assert all(line[0].text().endswith("%") for line in chances.lines)


def test_the_same_settings_do_not_draw_again(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    decide(qtbot, room, LevelsBy.SEARCH)
    run(qtbot, room)
    first = room.document.session.release.result
    run(qtbot, room)
    assert room.document.session.release.result is first
    choose(room.levels.draw, Draw.EXPONENTIAL.value)
    idle(qtbot, room)
    assert room.columns.rows["age"].words == "to be drawn: from as it is to *"
    assert not shown(room.levels.chances, room), "they belong to settings that are no longer there"
    room.document.undo_stack.undo()
    idle(qtbot, room)
    assert room.document.session.release.result is first
    assert room.document.session.release.result_is_current
    assert room.levels.split.text() == "ε 1.2 = 0.2 for choosing the levels + 1 for the release"


def test_a_draw_that_is_lost_is_paid_for_and_said(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    decide(qtbot, room, LevelsBy.SEARCH)
    run(qtbot, room)
    room.document.session.release.result = None
    room.document.session.state.results.drawn = ()
    room.document.changed.emit("result")
    idle(qtbot, room)
    assert room.levels.split.text().startswith("ε 1.2 = 0.2 for choosing")
    document = room.document
    assert (
        document.session.ledger.current.spent().epsilon
        == sum(one.charge.epsilon for one in document.project.history(document.session.data.fingerprint).entries)
        == Fraction("1.2")
    )
    assert "(2.4," in next(
        one.text for one in document.session.release.claim().cautions if one.code == "earlier-releases"
    )


def test_beyond_the_budget_no_levels_are_drawn(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    errors: list[WorkbenchError] = []
    room.document.failed.connect(errors.append)
    room.document.session.ledger.current.set_budget(Fraction("0.1"), Fraction(0))
    decide(qtbot, room, LevelsBy.SEARCH)
    run(qtbot, room)
    assert room.document.session.release.result is None
    assert not room.document.session.ledger.current.entries
    (error,) = errors
    assert "beyond the budget" in error.message


def test_levels_that_are_paid_for_are_shown_though_cancel_came_too_late(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    decide(qtbot, room, LevelsBy.SEARCH)
    session = room.document.session
    job = room.document.run()
    assert job is not None
    qtbot.waitUntil(lambda: bool(session.ledger.current.entries))
    job.cancel()
    idle(qtbot, room)
    assert session.release.result is not None and session.release.result.drawn is not None


def test_what_is_typed_and_chosen_arrives_in_the_settings(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    decide(qtbot, room, LevelsBy.SEARCH)
    edit = room.levels.epsilon.edit
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, "0.05")
    choose(room.levels.score, Score.INTENSITY.value)
    choose(room.levels.draw, Draw.EXPONENTIAL.value)
    idle(qtbot, room)
    assert room.document.session.release.columns.private_search == PrivateSearch(
        0.05, Draw.EXPONENTIAL, Score.INTENSITY
    )
    edit.selectAll()
    qtbot.keyClicks(edit, "0")
    room.status()
    assert not room.run_button.isEnabled()
    assert room.document.session.release.columns.private_search.epsilon == 0.05, "what is no ε is not taken"
    decide(qtbot, room, LevelsBy.HAND)
    assert room.run_button.isEnabled(), "nobody asks for it now"


def test_a_column_grouped_as_it_is_stays_so_in_a_search(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    decide(qtbot, room, LevelsBy.SEARCH)
    row = room.columns.rows["city"]
    assert row.treatment.currentData() == ColumnTreatment.GENERALISE
    choose(row.treatment, ColumnTreatment.AS_IS)
    idle(qtbot, room)
    assert room.document.project.anonymise.level_choice.limits == {"city": (0, 0)}
    assert room.document.project.anonymise.levels["city"] == 1, "the level given by hand is kept"
    assert row.treatment.currentData() == ColumnTreatment.AS_IS
    assert row.words == "stays as it is"
    choose(row.treatment, ColumnTreatment.GENERALISE)
    idle(qtbot, room)
    assert room.document.project.anonymise.level_choice.limits == {}


def test_choosing_by_looking_voids_the_claim_in_every_way(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    for by in LevelsBy:
        decide(qtbot, room, by)
        assert room.claim_word() == HOLDS_IF
        assert asserted(room)
        room.plan.looked.click()
        idle(qtbot, room)
        assert room.claim_word() == "Only for its choices as they are"
        assert shown(room.plan.looked, room), "what voids the claim does not hide"
        room.plan.looked.click()
        idle(qtbot, room)


def test_everything_has_a_name_and_a_help_text(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    decide(qtbot, room, LevelsBy.SEARCH)
    book = HelpBook()
    section = room.levels
    for part in (*section.buttons.values(), section.degree, section.draw, section.score, section.epsilon):
        assert part.accessibleName() or part.edit.accessibleName()
        assert book.find(explain_key(part)) is not None
    section.buttons[LevelsBy.SEARCH].setFocus()
    assert QApplication.focusWidget() is section.buttons[LevelsBy.SEARCH]
