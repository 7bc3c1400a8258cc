"""What the same person typed in another room: a list of values for Collect, a number of people for Query."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from workbench.core.schema import PrivacyUnit
from workbench.evaluate.experiment import Basis, Experiment
from workbench.evaluate.question import Question, Statistic
from workbench.ldp.encoding import EncodingChoice
from workbench.project.collect_settings import CollectSettings
from workbench.project.experiments import CompareSettings, ExperimentDocument
from workbench.query.catalogue import QueryDraft
from workbench.session import Session
from workbench.session.typed_bounds import rows_for_query

WARDS = ("Emergency", "Medicine", "Surgery")


@pytest.fixture
def session(tmp_path: Path) -> Session:
    path = tmp_path / "visits.csv"
    path.write_text("ward,age\n" + "Emergency,40\nMedicine,50\nDialysis,60\n" * 9, encoding="utf-8")
    found = Session()
    found.data.open(path)
    return found


def test_a_list_that_is_counted_in_query_is_filled_in_and_said_to_be_from_there(session: Session) -> None:
    session.queries.set_draft(QueryDraft("histogram", "1", {"column": "ward", "keys": ", ".join(WARDS)}))
    session.collection.ask_about("ward")
    assert session.collection.settings.encoding.domain == WARDS and session.collection.typed_in == "Query"
    domain = session.collection.domain()
    assert domain.declared and domain.labels == WARDS, "of the rows, which have another one, nothing is told"
    session.collection.change(encoding=EncodingChoice(domain=(*WARDS, "Dialysis")))
    assert session.collection.typed_in == "", "what is typed here is of here"


def test_groups_by_a_list_count_as_well_and_one_value_or_a_list_of_another_column_does_not(session: Session) -> None:
    session.queries.set_draft(QueryDraft("mean", "1", {"column": "age", "by_column": "ward", "by_keys": "a, b"}))
    session.collection.ask_about("ward")
    assert session.collection.settings.encoding.domain == ("a", "b")
    session.collection.change(encoding=EncodingChoice())
    for values in ({"column": "ward", "keys": "Surgery"}, {"column": "age", "keys": "1, 2"}, {"column": "ward"}):
        session.queries.set_draft(QueryDraft("histogram", "1", values))
        session.collection.ask_about("age")
        session.collection.ask_about("ward")
        assert session.collection.settings.encoding.domain is None, values


def test_what_is_declared_in_data_needs_no_list(session: Session) -> None:
    session.queries.set_draft(QueryDraft("histogram", "1", {"column": "ward", "keys": ", ".join(WARDS)}))
    session.data.set_domain("ward", (*WARDS, "Dialysis"))
    session.collection.ask_about("ward")
    assert session.collection.settings.encoding.domain is None
    assert session.collection.domain().labels == (*WARDS, "Dialysis")


@pytest.mark.parametrize(
    ("asked", "offered"),
    [
        (Question(Statistic.HISTOGRAM, "", EncodingChoice(domain=("full", "part"))), False),
        (Question(Statistic.MEAN, "", EncodingChoice(bounds=(0.0, 100.0))), True),
        (Question(Statistic.HISTOGRAM, "ward", EncodingChoice(domain=WARDS)), True),
    ],
)
def test_a_number_of_people_typed_for_something_else_is_not_offered_for_rows(
    session: Session, asked: Question, offered: bool
) -> None:
    session.data.set_unit(PrivacyUnit())
    session.queries.set_draft(QueryDraft("mean", "1", {"column": "age"}))
    compared = CompareSettings((ExperimentDocument(Experiment(asked, basis=Basis.EITHER, users=6000)),), 0)
    known = rows_for_query(replace(session.project, comparing=compared), looked=False)
    assert known == ((6000, "Compare") if offered else None)
    collected = replace(session.project, comparing=compared, collect=CollectSettings(users=500))
    assert rows_for_query(collected, looked=False) == ((6000, "Compare") if offered else (500, "Collect"))
