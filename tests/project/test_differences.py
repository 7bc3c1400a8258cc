"""How a file differs from what a project says of it, from a project and a file alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.schema import ColumnSpec, Kind, PrivacyUnit, Schema
from workbench.engines.duckdb_store import DuckStore
from workbench.engines.store import Store
from workbench.project.collect_settings import read_protocols
from workbench.project.differences import Differences, NewValues
from workbench.project.loading import described, differences, load
from workbench.project.model import Preparation, Project

CITIES = Hierarchy.from_rows([("Bern", "Switzerland"), ("Rome", "Italy")])
TEXT = Schema((ColumnSpec("age", Kind.INTEGER), ColumnSpec("city", Kind.CATEGORY), ColumnSpec("room", Kind.CATEGORY)))


@pytest.fixture(params=["memory", "engine"])
def store(request: pytest.FixtureRequest) -> Iterator[Store | None]:
    if request.param == "memory":
        yield None
        return
    with DuckStore() as started:
        yield started


def written(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def before(tmp_path: Path) -> Path:
    return written(tmp_path / "before.csv", "age,city,room", *["30,Bern,a", "40,Rome,b", "50,Bern,c"] * 5)


@pytest.fixture
def after(tmp_path: Path) -> Path:
    rows = ["30,Bern,a", "x,Oslo,?", "41,Oslo,d", "y,Rome,", "43,Bern,e"]
    return written(tmp_path / "after.csv", "age,city,room,more", *[f"{row},1" for row in rows * 4])


def test_nothing_is_expected_of_a_new_project(after: Path, store: Store | None) -> None:
    found = differences(Project(), load(after, store=store))
    assert found == Differences() and not found


def test_values_are_expected_by_hierarchy_then_domain_then_the_file_before(
    before: Path, after: Path, store: Store | None
) -> None:
    old, new = load(before, store=store), load(after, store=store)
    project = Project(schema=TEXT)
    found = differences(project, new)
    assert (found.missing, found.new, found.misfits) == ((), ("more",), {"age": 8})
    assert found.new_values == {}, "nothing says which values there are"
    beside = differences(project, new, old).new_values
    assert sorted(beside) == ["city", "room"]
    assert beside["city"] == NewValues(1, ("Oslo",)) and sorted(beside["room"].examples) == ["?", "d", "e"]
    assert differences(replace(project, hierarchies={"city": CITIES}), new).new_values["city"].examples == ("Oslo",)
    rooms = ColumnSpec("room", Kind.CATEGORY, missing=("", "?"), domain=("a", "b", "d"))
    declared = replace(project, schema=Schema((*TEXT.columns[:2], rooms)))
    assert differences(declared, new, old).new_values["room"] == NewValues(1, ("e",))


def test_numbers_are_not_compared_with_those_of_the_file_before(before: Path, after: Path) -> None:
    assert "age" not in differences(Project(schema=TEXT), load(after), load(before)).new_values


def test_many_new_values_are_counted_and_the_first_are_named(tmp_path: Path, before: Path) -> None:
    many = written(tmp_path / "many.csv", "age,city,room", *[f"30,Bern,new {n:03}" for n in range(100)])
    found = differences(Project(schema=TEXT), load(many), load(before)).new_values["room"]
    assert found.count == 100 and len(found.examples) == 20


@pytest.mark.parametrize(("where", "told"), [("", False), ("  ", False), ("age > 3", False), ("years > 3", True)])
def test_a_filter_that_does_not_fit_is_told(where: str, told: bool, before: Path) -> None:
    found = differences(Project(schema=TEXT, preparation=Preparation(where=where)), load(before))
    assert bool(found.filter_problem) == bool(found) == told


def test_every_difference_is_one() -> None:
    assert not Differences()
    for one in (
        Differences(missing=("a",)),
        Differences(new=("a",)),
        Differences(new_values={"a": NewValues(1, ("x",))}),
        Differences(misfits={"a": 1}),
        Differences(filter_problem="x"),
        Differences(unbuilt={"a": "x"}),
    ):
        assert one


def test_known_columns_keep_their_description_and_others_get_one(after: Path, store: Store | None) -> None:
    unit = PrivacyUnit(3)
    found = described(Project(schema=Schema(TEXT.columns, unit)), load(after, store=store))
    assert found.names == ("age", "city", "room", "more") and found.unit == unit
    assert found["age"] == TEXT["age"] and found["more"].kind is Kind.INTEGER


def test_parts_of_a_folder_are_one_table(tmp_path: Path, store: Store | None) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    for n in (1, 2):
        written(folder / f"part-{n}.csv", "age,city", f"{n},Bern", f"{n},Rome")
    loaded = load(folder, store=store)
    assert loaded.reading.table.rows == 4 and len(loaded.reading.parts) == 2
    alone = load(folder / "part-1.csv", store=store)
    assert alone.reading.table.rows == 2 and alone.reading.parts == ()
    assert alone.content != loaded.content and alone.texts != loaded.texts


@pytest.mark.parametrize("text", ["", " , ", "grr,grr", "grr,oue,grr"])
def test_protocols_are_named_once_each(text: str) -> None:
    assert [one.identifier for one in read_protocols(" grr, ,oue,")] == ["grr", "oue"]
    with pytest.raises(WorkbenchError) as refused:
        read_protocols(text)
    assert refused.value.field == "protocol"
