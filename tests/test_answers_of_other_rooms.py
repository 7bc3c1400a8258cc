"""A list of values that the same person typed in another room is the one that is asked about in Collect."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.ldp.encoding import EncodingChoice
from workbench.query.catalogue import QueryDraft
from workbench.session import Session

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
