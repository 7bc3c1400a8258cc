"""What a project leaves to its data comes back as what it was: read from the data, and never as public knowledge."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from types import MappingProxyType

import pytest

from workbench.core.building import build_again, build_hierarchy, specification
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.progress import Cancelled, CancelToken, Progress
from workbench.core.schema import ColumnSpec, Format, Kind, PrivacyUnit, Role, Schema, UnitAnswer
from workbench.core.table import Column, Table
from workbench.project.model import Project, Rule
from workbench.project.restoring import Memory, restored, rule_of, without_values
from workbench.session import Session

AGES = ["30", "NA", "9", "100", "9"]
OBSERVED = specification("intervals", {"source": "observed", "number": 4})


def table(texts: list[str] = AGES, name: str = "age") -> Table:
    return Table((Column.from_texts(name, texts),))


def column(spec: ColumnSpec, texts: list[str] = AGES) -> ColumnSpec:
    return restored(Project(schema=Schema((spec,))), table(texts), Memory()).project.schema.columns[0]


def age(**changes: object) -> ColumnSpec:
    return replace(ColumnSpec("age", Kind.INTEGER, missing=("", "NA")), **changes)


@pytest.mark.parametrize("observed", [frozenset(), {"bounds"}, {"domain"}, {"bounds", "domain"}], ids=sorted)
@pytest.mark.parametrize(("bounds", "domain"), list(product([None, (0.0, 120.0)], [None, ("9", "100", "200")])))
def test_only_what_is_marked_as_read_from_the_data_and_not_there_is_read(
    observed: set[str], bounds: tuple[float, float] | None, domain: tuple[str, ...] | None
) -> None:
    spec = age(observed=frozenset(observed), bounds=bounds, domain=domain)
    found = column(spec)
    assert found.bounds == (bounds or ((9.0, 100.0) if "bounds" in observed else None))
    assert found.domain == (domain or (("9", "30", "100") if "domain" in observed else None))
    assert found.observed == spec.observed
    assert replace(found, bounds=None, domain=None) == replace(spec, bounds=None, domain=None)


def test_a_domain_that_was_read_from_the_data_brings_no_public_bounds_with_the_next_opening(tmp_path: Path) -> None:
    data = tmp_path / "people.csv"
    data.write_text("age,born\n" + "".join(f"{20 + i},{1950 + i}\n" for i in range(30)), encoding="utf-8")
    session = Session()
    session.data.open(data)
    session.data.set_domain("age", [str(20 + i) for i in range(30)], observed=True)
    session.data.set_bounds("born", (1950.0, 1979.0), observed=True)
    session.save(tmp_path / "p.wbench")
    again = Session.from_file(tmp_path / "p.wbench")
    again.data.open(data)
    kept = again.project.schema
    assert kept["age"].bounds is None and len(kept["age"].domain or ()) == 30
    assert kept["born"].domain is None and kept["born"].bounds == (1950.0, 1979.0)
    assert kept["age"].declared() == replace(kept["age"], domain=None, observed=frozenset())


@pytest.mark.parametrize("texts", [["7", "7", "NA"], ["NA", ""], []], ids=["one value", "none", "no row"])
def test_fewer_than_two_numbers_bound_nothing(texts: list[str]) -> None:
    assert column(age(observed=frozenset({"bounds"})), texts).bounds is None


def test_a_domain_of_nothing_is_none() -> None:
    assert column(age(observed=frozenset({"domain"})), ["NA", ""]).domain is None


def test_values_that_no_row_has_any_more_are_no_part_of_the_domain() -> None:
    whole = Column.from_texts("age", AGES)
    some = Table((Column("age", whole.codes[:3], whole.values),))
    spec = age(observed=frozenset({"bounds", "domain"}))
    found = restored(Project(schema=Schema((spec,))), some, Memory()).project.schema["age"]
    assert (found.bounds, found.domain) == ((9.0, 30.0), ("9", "30"))


def test_values_that_no_row_has_any_more_are_no_part_of_a_hierarchy() -> None:
    whole = Column.from_texts("age", ["30", "9", "100"])
    some = Table((Column("age", whole.codes[:2], whole.values),))
    found = restored(Project(rules=MappingProxyType({"age": rule()})), some, Memory())
    assert sorted(found.project.hierarchies["age"].values) == ["30", "9"]


def test_dates_whose_pattern_nobody_gave_are_listed_as_texts() -> None:
    spec = ColumnSpec("age", Kind.DATE, format=Format(pattern=""), observed=frozenset({"domain"}))
    assert column(spec, ["b", "a", ""]).domain == ("a", "b")


def built_again(hierarchy: Hierarchy, values: Column) -> Hierarchy:
    """What its rule gives when the project is opened."""
    found = rule_of(hierarchy)
    assert found is not None
    spec = ColumnSpec(values.name, Kind.ORDERED)
    project = Project(schema=Schema((spec,)), rules=MappingProxyType({values.name: found}))
    return restored(project, Table((values,)), Memory()).project.hierarchies[values.name]


def test_a_column_that_is_not_in_the_file_stays_as_it_was() -> None:
    spec = age(observed=frozenset({"bounds"}))
    project = Project(schema=Schema((spec,)), rules=MappingProxyType({"age": Rule(OBSERVED, Provenance.DERIVED, "x")}))
    found = restored(project, table(name="other"), Memory())
    assert found.project == project and not found.failed


def rule(provenance: Provenance = Provenance.DERIVED, *, covers_all: bool = False) -> Rule:
    tens = specification("intervals", {}, {"intervals": [{"from": 0, "to": 10}]}, column=age())
    return Rule(tens, provenance, "tens", covers_all)


def built(one: Rule, texts: Sequence[str] = ("30", "9", "100", "9")) -> Hierarchy:
    project = Project(schema=Schema((age(),)), rules=MappingProxyType({"age": one}))
    found = restored(project, table(texts), Memory())
    assert not found.failed and not found.project.rules
    return found.project.hierarchies["age"]


@pytest.mark.parametrize("covers_all", [False, True])
@pytest.mark.parametrize("provenance", list(Provenance))
def test_a_hierarchy_is_built_again_by_its_rule(provenance: Provenance, *, covers_all: bool) -> None:
    made = built(rule(provenance, covers_all=covers_all))
    assert rule_of(made) == rule(provenance, covers_all=covers_all)


def test_a_rule_that_covers_no_row_is_followed_as_when_it_was_built_unseen() -> None:
    tens = rule()
    made = build_again(tens.specification, ("old", "young"), None, age())
    followed = Rule(made.specification or {}, made.provenance, made.origin)
    none, one = (built(followed, texts) for texts in (("old", "young"), ("old", "young", "7")))
    assert rule_of(none) == rule_of(one) == followed
    assert none.rows() == made.rows()


def test_what_is_covered_later_is_built_again_with_the_values_that_the_domain_lists(tmp_path: Path) -> None:
    data = tmp_path / "grades.csv"
    data.write_text("grade\nA\nB\n", encoding="utf-8")
    session = Session()
    session.data.open(data)
    session.data.set_kind(["grade"], Kind.ORDERED)
    session.data.set_domain("grade", ["A", "B", "D"])
    tree = specification(
        "categories", {}, {"tree": [{"label": "other", "children": ["X"]}]}, column=session.project.schema["grade"]
    )
    session.data.attach_hierarchy("grade", build_hierarchy(tree, ("A", "B")))
    assert session.data.cover("grade") == 2
    made = session.project.hierarchies["grade"]
    again = built_again(made, session.data.reading.table["grade"])
    assert again.values == made.values and "D" in made.values
    assert again.labels == made.labels


def test_a_hierarchy_is_never_more_public_than_its_specification() -> None:
    derived = Rule(OBSERVED, Provenance.PUBLIC, "said to be public")
    made = built(derived)
    assert made.provenance is Provenance.DERIVED and made.origin != "said to be public"


def test_rules_that_cannot_be_followed_are_kept_and_named_and_the_others_are_followed() -> None:
    wrong = Rule({**OBSERVED, "builder": "nobody has it"}, Provenance.DERIVED, "x")
    columns = Table((Column.from_texts("age", ["1", "2"]), Column.from_texts("size", ["1", "2"])))
    project = Project(
        schema=Schema((age(), replace(age(), name="size"))), rules=MappingProxyType({"age": wrong, "size": rule()})
    )
    found = restored(project, columns, Memory())
    assert dict(found.project.rules) == {"age": wrong} and list(found.failed) == ["age"]
    assert list(found.project.hierarchies) == ["size"]


def test_a_hierarchy_that_is_there_is_not_built_again() -> None:
    there = built(rule())
    project = Project(
        schema=Schema((age(),)),
        hierarchies=MappingProxyType({"age": there}),
        rules=MappingProxyType({"age": rule(covers_all=True)}),
    )
    found = restored(project, table(), Memory())
    assert found.project.hierarchies["age"] is there and not found.failed


def test_what_was_restored_once_is_remembered_by_everything_it_depends_on() -> None:
    memory, rows = Memory(), table(["30", "9", "100"])
    ways = [rule(), rule(Provenance.PUBLIC), rule(covers_all=True), replace(rule(), origin="other")]
    made = [
        restored(Project(rules=MappingProxyType({"age": one})), rows, memory).project.hierarchies["age"] for one in ways
    ]
    assert [rule_of(one) for one in made] == ways
    again = restored(Project(rules=MappingProxyType({"age": ways[0]})), rows, memory)
    assert again.project.hierarchies["age"] is made[0]


def test_building_can_be_cancelled() -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        restored(Project(rules=MappingProxyType({"age": rule()})), table(), Memory(), Progress(lambda *_: None, token))


def test_what_is_saved_of_a_column_names_what_was_read_and_does_not_hold_it() -> None:
    spec = age(bounds=(0.0, 9.0), domain=("1", "2"), observed=frozenset({"domain"}))
    assert without_values(spec) == replace(spec, domain=None)
    assert without_values(replace(spec, observed=frozenset())) == replace(spec, observed=frozenset())


def of_before_anybody_was_asked(path: Path, rows_per_person: int = 1, person: str = "") -> Session:
    """A project as it was saved when an identifying column told persons apart, opened again."""
    session = Session(
        Project(
            schema=Schema(
                (ColumnSpec("name", role=Role.IDENTIFYING), ColumnSpec("code", role=Role.IDENTIFYING)),
                PrivacyUnit(rows_per_person, person),
            )
        )
    )
    session.save(path)
    with zipfile.ZipFile(path) as archive:
        document = json.loads(archive.read("project.json"))
    del document["unit"]["protected"]
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("project.json", json.dumps(document))
    return Session.from_file(path)


@pytest.mark.parametrize(("roles", "by_role"), [((Role.IDENTIFYING, None), True), ((None, None), False)])
def test_one_identifying_column_told_persons_apart(
    roles: tuple[Role | None, ...], by_role: bool, tmp_path: Path
) -> None:
    path = tmp_path / "p.wbench"
    columns = [
        ColumnSpec(name) if role is None else ColumnSpec(name, role=role)
        for name, role in zip("ab", roles, strict=True)
    ]
    Session(Project(schema=Schema(tuple(columns), PrivacyUnit()))).save(path)
    with zipfile.ZipFile(path) as archive:
        document = json.loads(archive.read("project.json"))
    document["unit"].pop("protected", None)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("project.json", json.dumps(document))
    found = Session.from_file(path).project.schema.unit
    assert (found.protected is UnitAnswer.BY_ROLE) == by_role


def test_identifying_columns_that_voided_a_claim_become_the_person_column(tmp_path: Path) -> None:
    (tmp_path / "once.csv").write_text("name,code\na,1\nb,2\n", encoding="utf-8")
    (tmp_path / "twice.csv").write_text("name,code\na,1\nb,1\nb,1\n", encoding="utf-8")
    session = of_before_anybody_was_asked(tmp_path / "p.wbench")
    session.data.open(tmp_path / "once.csv")
    assert session.project.schema.unit == PrivacyUnit(protected=UnitAnswer.BY_ROLE), "the claim held, and holds"
    session.save(tmp_path / "p.wbench")
    session = Session.from_file(tmp_path / "p.wbench")
    session.data.open(tmp_path / "twice.csv")
    assert session.project.schema.unit == PrivacyUnit(1, "code"), "the column of which somebody has most rows"
    enough = of_before_anybody_was_asked(tmp_path / "q.wbench", 3)
    enough.data.open(tmp_path / "twice.csv")
    assert enough.project.schema.unit.person_column == ""
    said = of_before_anybody_was_asked(tmp_path / "r.wbench", 1, "name")
    assert said.project.schema.unit == PrivacyUnit(1, "name")


def test_a_role_that_is_given_now_tells_nobody_apart(tmp_path: Path) -> None:
    (tmp_path / "once.csv").write_text("name,code\na,1\nb,2\n", encoding="utf-8")
    session = of_before_anybody_was_asked(tmp_path / "p.wbench")
    session.data.open(tmp_path / "once.csv")
    session.data.set_role(["code"], Role.QUASI)
    assert session.project.schema.unit.protected is UnitAnswer.SAID


def test_a_new_project_asks_who_is_protected(tmp_path: Path) -> None:
    (tmp_path / "once.csv").write_text("name,code\na,1\nb,2\n", encoding="utf-8")
    session = Session()
    session.data.open(tmp_path / "once.csv")
    assert session.project.schema.unit.protected is UnitAnswer.UNSAID
    session.save(tmp_path / "p.wbench")
    assert Session.from_file(tmp_path / "p.wbench").project.schema.unit.protected is UnitAnswer.UNSAID
    session.data.set_unit(PrivacyUnit())
    session.data.open(tmp_path / "once.csv")
    assert session.project.schema.unit.protected is UnitAnswer.SAID
