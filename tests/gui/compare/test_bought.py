"""Bounds and a number of rows that were paid for in Query are offered in Compare, and not asked for again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot

from tests.gui.compare.helpers import come_again, now
from tests.gui.helpers import idle
from workbench.core.schema import PrivacyUnit
from workbench.gui.workspaces.compare import CompareWorkspace
from workbench.query.catalogue import QueryDraft

WIDE = {"column": "age", "lower": "0", "upper": "1000"}


@pytest.fixture
def paid(qtbot: QtBot, unseen: CompareWorkspace) -> CompareWorkspace:
    """The room with a question about ages, of which nothing is known but what was paid for."""
    suited = unseen.draft.suited()
    unseen.draft.add(replace(suited, question=replace(suited.question, column="age"), places=(0.5, 2.0)))
    idle(qtbot, unseen)
    return unseen


def test_private_bounds_are_offered_where_bounds_are_lacking(qtbot: QtBot, paid: CompareWorkspace) -> None:
    question, session = paid.view.question, paid.document.session
    assert question.adopt.isHidden() and not paid.view.can_run, "of the data nothing is offered"
    low, high = session.queries.ask(QueryDraft("bounds", "50", WIDE)).released.value
    spent = session.ledger.current.spent().epsilon
    come_again(qtbot, paid)
    assert question.adopt.text() == f"Use {low:g} to {high:g}, bought" and question.adopt.isVisible()
    question.adopt.click()
    idle(qtbot, paid)
    assert session.project.schema["age"].declared().bounds == (low, high) and paid.view.can_run
    assert session.ledger.current.spent().epsilon == spent, "they cost nothing more"
    paid.document.undo_stack.undo()
    paid.document.apply("bounds", lambda one: one.data.set_bounds("age", (0.0, 90.0)))
    idle(qtbot, paid)
    assert question.adopt.isHidden(), "what was declared is in force"


def test_bounds_of_a_part_of_the_rows_are_not_offered_for_the_column(qtbot: QtBot, paid: CompareWorkspace) -> None:
    """They may be narrower than it, and would be declared for every page; Query offers them for that part alone."""
    question, session = paid.view.question, paid.document.session
    session.queries.ask(QueryDraft("bounds", "50", WIDE, where="age < 30"))
    narrowed = replace(session.project.preparation, where="age < 30")
    paid.document.apply("some", lambda one: one.data.set_preparation(narrowed))
    idle(qtbot, paid)
    session.queries.ask(QueryDraft("bounds", "50", WIDE))
    paid.document.apply("all", lambda one: one.data.set_preparation(replace(narrowed, where="")))
    come_again(qtbot, paid)
    assert question.adopt.isHidden() and session.queries.bought_of("age") is None
    mean = QueryDraft("mean", "1", {"column": "age"})
    assert session.queries.bought(mean) is None
    assert session.queries.bought(replace(mean, where="age<30")) is not None


def test_a_number_of_rows_is_offered_in_place_of_a_guess(qtbot: QtBot, paid: CompareWorkspace) -> None:
    basis, session = paid.view.basis, paid.document.session
    assert basis.as_planned.isHidden() and basis.own_rows.isVisible()
    counting = basis.own_rows.mapTo(basis, QPoint())
    rows = round(session.queries.ask(QueryDraft("count", "5")).released.value)
    come_again(qtbot, paid)
    assert basis.as_planned.text() == f"{rows:,} as counted in Query" and basis.as_planned.isVisible()
    assert basis.own_rows.mapTo(basis, QPoint()) == counting, "a press that is meant for the one takes no other"
    several = PrivacyUnit(rows_per_person=3)
    paid.document.apply("unit", lambda one: one.data.set_unit(several))
    idle(qtbot, paid)
    assert basis.as_planned.isHidden(), "rows are no people there"
    paid.document.undo_stack.undo()
    idle(qtbot, paid)
    basis.as_planned.click()
    idle(qtbot, paid)
    assert now(paid).users == rows and basis.as_planned.isHidden()


def test_a_mean_tells_how_many_rows_have_a_value(qtbot: QtBot, paid: CompareWorkspace) -> None:
    basis, session = paid.view.basis, paid.document.session
    session.queries.ask(QueryDraft("mean", "50", {"column": "age", "lower": "0", "upper": "100"}))
    come_again(qtbot, paid)
    rows = session.queries.rows_bought("age")
    assert rows is not None and session.queries.rows_bought() is None, "it is no count of all rows"
    assert basis.as_planned.text() == f"{rows:,} as counted in Query" and basis.as_planned.isVisible()
    basis.as_planned.click()
    idle(qtbot, paid)
    assert now(paid).users == rows
