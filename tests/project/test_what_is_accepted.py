"""What a project accepts it can save, load and keep: every field of everything it holds, with values of every kind.

Which classes those are is found from the type hints of `Project`, so a setting that is added later is tried as well.
"""

from __future__ import annotations

import json
import math
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args, get_type_hints

import numpy as np
import pytest

from workbench.core.charged_mechanism import LossKind, MechanismPart
from workbench.core.composition import TablePart
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.schema import ColumnSpec
from workbench.project.model import GuaranteeSettings, Project
from workbench.project.storage import load_project, save_project
from workbench.query.catalogue import QueryDraft
from workbench.query.ledger_entries import Budget, Charge, ClaimedTogether, LedgerEntry, LedgerHistory, LeftFile
from workbench.query.ledger_plans import PlanSlot
from workbench.session import Session

EVERYTHING = Path(__file__).parents[1] / "kept" / "projects" / "everything.wbench"


def classes(hint: Any, found: dict[type[Any], None]) -> dict[type[Any], None]:
    """The dataclasses that a value of this type can hold."""
    if is_dataclass(hint) and isinstance(hint, type):
        if hint not in found:
            found[hint] = None
            for inside in get_type_hints(hint).values():
                classes(inside, found)
    else:
        for inside in get_args(hint):
            classes(inside, found)
    return found


SETTINGS = tuple(classes(Project, {}))


def whole_project() -> Project:
    """A project with at least one of everything."""
    charge = Charge("query", "How many", Fraction(1, 10), cells=TablePart("age", frozenset({"20"})))
    sampled = MechanismPart(LossKind.SAMPLE, Fraction(1), Fraction(1, 10**5), 0.25, 12)
    slots = (PlanSlot(Fraction(1), Fraction(1, 10**5), mechanism=(sampled,)),)
    plan = Charge("plan", "One release", Fraction(1), Fraction(1, 10**5), slots=slots)
    left = LeftFile("a.csv", "0" * 64, ClaimedTogether(2, Fraction(2), Fraction(1, 10**4)))
    history = LedgerHistory(
        (LedgerEntry("1" * 32, "2024-01-01T00:00:00.000+00:00", charge, {"value": 3}, (left,)),),
        Budget(Fraction(2), Fraction(1, 10)),
    )
    planned = LedgerHistory((LedgerEntry("0" * 32, "2023-01-01T00:00:00.000+00:00", plan),))
    return load_project(EVERYTHING).with_history("e" * 64, planned).with_history("f" * 64, history)


@dataclass(frozen=True)
class Site:
    """Where in a project something is: names of fields, keys and places in rows."""

    value: Any
    steps: tuple[Any, ...]


def sites(value: Any, steps: tuple[Any, ...] = ()) -> Iterator[Site]:
    if is_dataclass(value):
        yield Site(value, steps)
        for one in fields(value):
            yield from sites(getattr(value, one.name), (*steps, one.name))
    elif isinstance(value, Mapping):
        for key, one in value.items():
            yield from sites(one, (*steps, key))
    elif isinstance(value, tuple):
        for place, one in enumerate(value):
            yield from sites(one, (*steps, place))


def put(into: Any, steps: tuple[Any, ...], value: Any) -> Any:
    """The same with another value at a site."""
    if not steps:
        return value
    first, *rest = steps
    if is_dataclass(into):
        return replace(into, **{first: put(getattr(into, first), tuple(rest), value)})
    if isinstance(into, Mapping):
        return MappingProxyType({**into, first: put(into[first], tuple(rest), value)})
    return (*into[:first], put(into[first], tuple(rest), value), *into[first + 1 :])


class Text(str):
    """A text of a class of its own, as libraries have them."""

    __slots__ = ()


STRANGE: tuple[Any, ...] = (
    None, True, 0, -1, 7, 2**53 + 1, 10**400, 10**999, 10**5000, 0.5, 1e300, math.nan, math.inf, -math.inf,
    np.float64(0.25), np.int64(3), Fraction(1, 3),
    "", "text", "exact", "max", "a\0b", "=1+1", "\ud800", "a\udfffb", "🜚 Zürich",
    Text("k"), b"bytes", (), ("a",), ("a", "\ud800"), (1.0, 2.0), (0.0, math.nan), (1, 2), ["a"], {}, {"a": "b"},
    {"a": {"b": "c"}}, {"a": (1, 2)}, {"a": None},
    {"a": math.nan}, {"a": object()}, {"a": {"b": "\ud800"}}, {"\ud800": 1}, {1: 2}, {"a"},
    frozenset({"a"}), frozenset({"bounds"}), frozenset({"\ud800"}), object(), Path("a"), 1j, lambda: None,
)  # fmt: skip

NOT_KEPT = {
    (Hierarchy, "values"), (Hierarchy, "labels"), (Hierarchy, "maps"),  # make sense only together
    (Hierarchy, "specification"), (Hierarchy, "added"),  # say how the values came to be, which is found again
    (LedgerEntry, "after_look"),  # follows from the looks, which are kept
}  # fmt: skip
"""Fields that a project does not take one by one."""


LEFT_TO_OTHERS = [
    (QueryDraft, "values", {"a": "b"}),  # a parameter that the question does not have
    (ColumnSpec, "observed", frozenset({"bounds"})),  # bounds that the data says again
]
"""What a file does not keep, on purpose."""


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal, numbers that are none among themselves too; JSON knows no tuples."""
    if is_dataclass(one):
        return type(one) is type(other) and all(
            same(getattr(one, part.name), getattr(other, part.name))
            for part in fields(one)
            if (type(one), part.name) not in NOT_KEPT
        )
    if isinstance(one, Mapping):
        return isinstance(other, Mapping) and one.keys() == other.keys() and all(same(one[k], other[k]) for k in one)
    if isinstance(one, list | tuple):
        return (
            isinstance(other, list | tuple)
            and len(one) == len(other)
            and all(same(*pair) for pair in zip(one, other, strict=True))
        )
    if isinstance(one, float) and math.isnan(one):
        return isinstance(other, float) and math.isnan(other)
    if isinstance(one, Enum):
        return one is other
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


def test_one_of_everything_is_tried() -> None:
    there = {type(site.value) for site in sites(whole_project())}
    there.add(TablePart)  # a part of a charge
    assert [one.__name__ for one in SETTINGS if one not in there] == []
    assert len(SETTINGS) > 35


@pytest.mark.parametrize("made", SETTINGS[1:], ids=lambda made: made.__name__)
def test_every_value_is_refused_or_survives(made: type[Any], tmp_path: Path) -> None:
    whole = whole_project()
    site = [one for one in sites(whole) if type(one.value) is made][-1]
    branch = site.steps[0]
    alone = replace(Project(), **{branch: getattr(whole, branch)})
    path = tmp_path / "p.wbench"
    tried = accepted = 0
    for one in fields(made):
        for value in STRANGE:
            if (made, one.name) in NOT_KEPT:
                continue
            tried += 1
            try:
                project = put(alone, site.steps, replace(site.value, **{one.name: value}))
            except (WorkbenchError, ValueError):
                continue
            accepted += 1
            save_project(project, path)
            loaded = load_project(path)
            left = (made, one.name, value) in LEFT_TO_OTHERS
            assert left or same(project, loaded), f"{made.__name__}.{one.name} = {value!r}"
            save_project(loaded, path)
    assert accepted < tried or not tried


def test_a_choice_that_came_back_as_a_text_is_the_choice(tmp_path: Path) -> None:
    session = Session()
    session.release.set_guarantee(GuaranteeSettings(accounting="classical"))
    session.save(tmp_path / "p.wbench")
    assert load_project(tmp_path / "p.wbench").anonymise == session.project.anonymise


def _texts(value: Any, steps: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where in a document there are texts, and names of entries (those end with their own name twice)."""
    if isinstance(value, str):
        yield steps
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _texts(one, (*steps, key))
    elif isinstance(value, list):
        for place, one in enumerate(value):
            yield from _texts(one, (*steps, place))


def test_half_a_character_is_refused_wherever_it_stands_in_a_file(tmp_path: Path) -> None:
    with zipfile.ZipFile(EVERYTHING) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    document = json.loads(members["project.json"])
    places = list(_texts(document))
    assert len(places) > 100
    path = tmp_path / "p.wbench"
    for steps in (*places, ("anonymise", "levels"), ("laboratory", "parameters")):
        changed = json.loads(members["project.json"])
        inside = changed
        for step in steps[:-1]:
            inside = inside[step]
        if isinstance(inside[steps[-1]], str):
            inside[steps[-1]] += "\ud800"
        else:
            inside[steps[-1]]["\udc00"] = 1
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in {**members, "project.json": json.dumps(changed).encode()}.items():
                archive.writestr(name, content)
        with pytest.raises(WorkbenchError):
            load_project(path)
