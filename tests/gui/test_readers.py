"""Who reads the file, as a first choice of ε: what a press types, and what is down for the ε in force."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.anonymise.helpers import settings, type_number
from tests.gui.helpers import Anonymising, idle
from tests.gui.trimming.helpers import AGES, push
from workbench.anonymise.dp_search import PrivateSearch
from workbench.anonymise.promise import Promise
from workbench.anonymise.readers import Readers
from workbench.anonymise.trim_guarantee import solve_trim
from workbench.core.amount_text import float_amount
from workbench.core.promised_ranges import MAX_EPSILON, MIN_EPSILON
from workbench.gui import tokens
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.project.trim_settings import TrimUnknown


@pytest.fixture
def room(qtbot: QtBot, anonymising: Anonymising, tmp_path: Path) -> AnonymiseWorkspace:
    path = tmp_path / "people.csv"
    path.write_text("age\n" + "".join(f"{20 + i % 40}\n" for i in range(200)), encoding="utf-8")
    made = anonymising(path, lambda session: session.data.attach_hierarchy("age", AGES))
    idle(qtbot, made)
    return made


def down(room: AnonymiseWorkspace) -> list[Readers]:
    return [one for one, button in room.promise.readers.buttons.items() if button.isChecked()]


def test_a_press_types_what_is_usual_for_them_and_undo_takes_it_back(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    buttons = room.promise.readers.buttons
    assert settings(room).epsilon == 1 and down(room) == [Readers.EVERYBODY]
    assert "ε 2" in buttons[Readers.PARTNERS].toolTip() and "89 %" in buttons[Readers.PARTNERS].toolTip()
    push(qtbot, room, buttons[Readers.PARTNERS])
    assert settings(room).epsilon == 2 and down(room) == [Readers.PARTNERS]
    room.document.undo_stack.undo()
    room.status()
    assert settings(room).epsilon == 1 and down(room) == [Readers.EVERYBODY]
    type_number(qtbot, room, "epsilon", "2.5")
    assert down(room) == [Readers.OFFICE], "the widest circle for which it is usual"
    type_number(qtbot, room, "epsilon", "3.01")
    assert down(room) == []
    push(qtbot, room, buttons[Readers.EVERYBODY])
    assert settings(room).epsilon == 1


def test_what_counts_twice_is_drawn_by_half_so_that_the_promise_stays(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    bar, sentence = room.outlook.public, room.promise.sentence.text
    before = sentence().splitlines()[0].partition("? ")[2]
    assert bar.yes.text() == "Yes, or unsure: costs accuracy", "what it costs is read before the press"
    push(qtbot, room, bar.yes)
    assert (settings(room).epsilon, settings(room).delta) == (0.5, 5e-6) and down(room) == [Readers.EVERYBODY]
    guessed = sentence().splitlines()[1].partition("? ")[2]
    assert guessed == before == "Guessed right at most 74 %.", "half of ε protects twice, which is what was promised"
    assert room.run_button.text() == "Make the release anyway · ε 1, δ 1e-5" and room.run_button.isEnabled(), (
        "as it is to be said first how many there are"
    )
    assert room.promise.fields["epsilon"].value == 1 and room.promise.twice.isHidden()
    type_number(qtbot, room, "epsilon", "ln 3")
    assert settings(room).epsilon == float_amount("ln 3") / 2, "exactly half of what is rounded up"
    assert room.promise.fields["epsilon"].edit.text() == "ln 3"
    type_number(qtbot, room, "epsilon", "1")
    assert room.promise.keep.isHidden() and room.promise.unfit.isHidden()
    assert room.promise.minimumSizeHint().width() <= tokens.STEPS_WIDTH - 2 * tokens.SPACE_L, "nothing of it is cut"
    assert "For everybody, as on a web site: ε 1. At most" in room.promise.readers.buttons[Readers.EVERYBODY].toolTip()
    push(qtbot, room, room.promise.readers.buttons[Readers.PARTNERS])
    assert settings(room).epsilon == 1
    push(qtbot, room, bar.no)
    assert (settings(room).epsilon, settings(room).delta) == (2, 1e-5) and down(room) == [Readers.PARTNERS]
    for _ in range(2):
        room.document.undo_stack.undo()
    room.status()
    assert settings(room).epsilon == 0.5
    room.document.undo_stack.undo()
    room.status()
    assert (settings(room).epsilon, settings(room).delta) == (1, 1e-5) and not bar.is_answered, "one step back"


def test_what_was_drawn_has_its_epsilon_whatever_is_answered_later(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    keep, public = room.promise.keep, room.outlook.public
    assert keep.isHidden(), "nothing counts twice"
    room.document.run()
    idle(qtbot, room)
    assert public.yes.text() == "Yes, or unsure: doubles ε"
    push(qtbot, room, public.yes)
    assert settings(room).epsilon == 1 and down(room) == [Readers.PARTNERS], "ε is 2 now"
    assert not keep.isHidden() and keep.text() == "Keep it fit for everybody"
    assert room.promise.fields["epsilon"].value == 2
    assert room.promise.unfit.full_text == "Not for everybody any more"
    assert not room.promise.unfit.isHidden() and room.promise.unfit.property("tone") == "warning"
    push(qtbot, room, keep)
    assert settings(room).epsilon == 0.5 and down(room) == [Readers.EVERYBODY] and keep.isHidden()
    room.document.undo_stack.undo()
    room.status()
    assert settings(room).epsilon == 1 and not keep.isHidden()


@pytest.mark.parametrize(("typed", "known"), [(MIN_EPSILON, False), (6.0, True)])
def test_an_answer_types_no_epsilon_that_no_guarantee_has(
    qtbot: QtBot, room: AnonymiseWorkspace, typed: float, known: bool
) -> None:
    before = replace(room.document.project.anonymise.trim, number_known=known)
    assert room.document.apply("as it is", lambda session: session.release.set_trimming(before))
    type_number(qtbot, room, "epsilon", repr(typed * (2 if known else 1)))
    push(qtbot, room, room.outlook.public.no if known else room.outlook.public.yes)
    assert settings(room).epsilon == typed and room.document.project.anonymise.trim.number_known is not known
    assert 2 * typed > MAX_EPSILON or typed / 2 < MIN_EPSILON


def test_where_epsilon_is_computed_nobody_chooses_it(room: AnonymiseWorkspace) -> None:
    trim = room.document.project.anonymise.trim
    solved = replace(trim, solve_for=TrimUnknown.EPSILON, group=30)
    assert room.document.apply("solve", lambda session: session.release.set_trimming(solved))
    room.status()
    assert not any(button.isEnabled() for button in room.promise.readers.buttons.values())


@pytest.mark.parametrize(
    ("search", "replacing", "typed"),
    [(0.0, False, [1, 2, 3]), (0.0, True, [0.5, 1, 1.5]), (0.3, False, [0.7, 1.7, 2.7]), (0.6, True, [-0.1, 0.4, 0.9])],
)
def test_what_is_typed_makes_the_whole_promise_the_usual_one(
    search: float, replacing: bool, typed: list[float]
) -> None:
    made = Promise(solve_trim(epsilon=1, delta=1e-5, half_survive=None, always_survive=None))
    promised = replace(made, search=PrivateSearch(search)) if search else made
    assert [one.typed(promised, replacing=replacing) for one in Readers] == typed
    for one, epsilon in zip(Readers, typed, strict=True):
        if epsilon <= 0:
            continue
        release = solve_trim(epsilon=epsilon, delta=1e-5, half_survive=None, always_survive=None)
        assert Readers.fitting(replace(promised, release=release), replacing=replacing) is one
        above = solve_trim(epsilon=epsilon + 0.001, delta=1e-5, half_survive=None, always_survive=None)
        assert Readers.fitting(replace(promised, release=above), replacing=replacing) is not one
