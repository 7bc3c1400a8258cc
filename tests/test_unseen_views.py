"""What is shown of hierarchies before a look is kept while they are there, and no longer."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

from workbench.core.building import build_hierarchy, specification
from workbench.core.hierarchy import Hierarchy
from workbench.core.schema import ColumnSpec, Kind
from workbench.project.model import new_project
from workbench.session import Session

AGE = ColumnSpec("age", Kind.INTEGER)


def opened(folder: Path) -> Session:
    (folder / "ages.csv").write_text("age,class\n" + "31,a\n45,b\n" * 20, encoding="utf-8")
    session = Session(new_project())
    session.data.open(folder / "ages.csv")
    return session


def by_tens(start: float = 0.0) -> Hierarchy:
    tree = {"intervals": [{"from": start, "to": start + 10}], "levels": [{"group": 1}]}
    made = specification("intervals", {"unlisted": "any"}, tree, column=AGE)
    return build_hierarchy(made, ("31", "45"), None, AGE)


def test_a_view_is_the_same_as_long_as_nothing_changes(tmp_path: Path) -> None:
    session = opened(tmp_path)
    session.data.attach_hierarchy("age", by_tens())
    view = session.unseen.hierarchy("age")
    assert view is not None and session.unseen.hierarchy("age") is view
    session.release.steps.set_said("age", "20-29")
    other = session.unseen.hierarchy("age")
    assert other is not None and other.hierarchy.values[:10] == tuple(map(str, range(20, 30)))


def test_views_of_hierarchies_that_are_gone_are_not_kept(tmp_path: Path) -> None:
    session = opened(tmp_path)
    held: list[weakref.ref[Hierarchy]] = []
    for start in range(5):
        built = by_tens(float(start))
        given = Hierarchy.from_rows([("a", "*"), ("b", "*")])
        for name, hierarchy in (("age", built), ("class", given)):
            session.data.attach_hierarchy(name, hierarchy)
            view = session.unseen.hierarchy(name)
            assert view is not None
            held += [weakref.ref(hierarchy), weakref.ref(view.hierarchy)]
        del built, given, hierarchy, view
    session = Session(new_project())
    gc.collect()
    assert not any(one() for one in held)
