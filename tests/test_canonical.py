"""What leaves is a function of the released counts: neither the order of the rows nor that of the values shows."""

from __future__ import annotations

import dataclasses
import importlib
import io
import math
import pkgutil
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import workbench
from workbench.anonymise import sampling
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.recipe import ColumnPlan, Treatment
from workbench.anonymise.sample_guarantee import delta
from workbench.anonymise.sampling import Recipe, sample_generalise_suppress
from workbench.core.canonical import canonical, natural_key
from workbench.core.discreet import discreet
from workbench.core.hierarchy import Hierarchy
from workbench.core.randomness import SecureSource
from workbench.core.table import Column, Table
from workbench.io.export_format import FORMATS, ExportFormat
from workbench.io.exporting import write_into
from workbench.project.anonymise_settings import AnonymityKind
from workbench.project.model import GuaranteeSettings
from workbench.report.html_report import html_of
from workbench.report.pdf_report import pdf_of
from workbench.session import Session

PLACES = Hierarchy.from_rows([(name, name[0].upper(), "*") for name in ("aa", "ab", "ba", "bb", "ca", "zz")])


def keep_every_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "bernoulli", lambda _source, count, _beta: np.ones(count, dtype=np.bool_))


def outputs(folder: Path, rows: list[str], form: str, approach: AnonymityKind) -> dict[str, Any]:
    """Everything that leaves after an export of these rows, by what it is."""
    folder.mkdir()
    file = folder / "data.csv"
    file.write_text("\n".join(["place,age,town,left out", *rows]) + "\n", encoding="utf-8")
    session = Session()
    session.ledger.use_file(folder / "ledger.jsonl")
    session.data.open(file)
    session.data.attach_hierarchy("place", PLACES)
    session.data.attach_hierarchy(
        "age", Hierarchy.from_rows([(str(a), f"[{a // 10 * 10}, {a // 10 * 10 + 10}[") for a in range(100)])
    )
    for name in ("place", "age"):
        session.release.columns.set_level(name, 1)
    session.release.columns.set_treatment("town", Treatment.GENERALISE)
    session.syntactic.set_approach(approach)
    out = [folder / name for name in (f"out.{form}", "statement.html", "note.json")]
    style = ExportFormat(form)
    if approach is AnonymityKind.DP:
        session.release.set_guarantee(GuaranteeSettings(epsilon=1.0, delta=1e-3, beta="best"))
        session.release.anonymise()
        session.release.export(out[0], out[1], style=style, note=out[2])
    else:
        session.syntactic.set_models([ModelChoice("k-anonymity", {"k": 5})])
        session.syntactic.set_suppression_limit(0.5)
        session.syntactic.accept_recoded(session.syntactic.recoder()())
        exported = session.syntactic.recoded_writer(out[0], out[1], style=style, note=out[2])()
        session.syntactic.record_recoded(out[0], session.syntactic.current_recoded(), exported)
    found: dict[str, Any] = {path.name: path.read_bytes() for path in out}
    if form == "csv":  # a report does not ask how the file was written
        report = session.reports.maker()().release
        found["report.html"], found["report.pdf"] = html_of(report), pdf_of(report)
    made = (
        session.release.result.outcome.release
        if approach is AnonymityKind.DP
        else session.syntactic.current_recoded().released()
    )
    found["in memory"] = [(column.name, column.values, column.codes.tolist()) for column in made.columns]
    found["repr"] = repr(
        session.release.result if approach is AnonymityKind.DP else session.syntactic.current_recoded()
    )
    return found


@pytest.mark.parametrize("approach", AnonymityKind)
@pytest.mark.parametrize("form", list(FORMATS))
def test_rows_in_another_order_give_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str, approach: AnonymityKind
) -> None:
    keep_every_row(monkeypatch)
    # Groups of equal size, so that bars tie, and values that come first in one order and last in the other.
    towns = ("Ypres", "Ghent", "Aalst")
    rows = [
        f"{place},{age},{towns[number % 3]},{number}"
        for place in ("ba", "bb", "aa", "ca")
        for age in (34, 8)
        for number in range(180)
    ]
    rows += ["zz,99,Rare,rare"]
    first = outputs(tmp_path / "first", rows, form, approach)
    random.Random(1).shuffle(rows)
    again = outputs(tmp_path / "again", rows, form, approach)
    assert [name for name in first if first[name] != again[name]] == []


KEPT = [*FORMATS, "in memory"]


def law(table: Table, recipe: Recipe, form: str, monkeypatch: pytest.MonkeyPatch) -> Mapping[Any, float]:
    """The exact distribution of the bytes that leave, by running the mechanism on every possible sample."""
    chances: dict[Any, float] = defaultdict(float)
    for kept in product((False, True), repeat=table.rows):
        monkeypatch.setattr(sampling, "bernoulli", lambda *_, kept=kept: np.array(kept, dtype=np.bool_))
        release = sample_generalise_suppress(table, recipe, {"place": PLACES}, SecureSource()).release
        out: Any = repr([(column.values, column.codes.tolist()) for column in release.columns])
        if form in FORMATS:
            stream = io.BytesIO()
            write_into(release, stream, ExportFormat(form))
            out = stream.getvalue()
        chances[out] += math.prod(recipe.beta if one else 1 - recipe.beta for one in kept)
    return chances


@pytest.mark.parametrize("form", KEPT)
@pytest.mark.parametrize("level", [0, 1])
def test_the_bytes_of_tiny_tables_keep_the_promise(monkeypatch: pytest.MonkeyPatch, form: str, level: int) -> None:
    """Every table of six rows against each of its neighbours: the bytes tell no more than (ε, δ) allows."""
    epsilon, beta, k = 0.8, 0.5, 2
    recipe = Recipe((ColumnPlan("place", Treatment.GENERALISE, level), ColumnPlan("n", Treatment.GENERALISE)), beta, k)
    places, numbers = ["ba", "aa", "ba", "ab", "aa", "ba"], ["10", "9", "10", "9", "9", "10"]
    table = Table((Column.from_texts("place", places), Column.from_texts("n", numbers)))
    whole, promised = law(table, recipe, form, monkeypatch), delta(epsilon, beta, k)
    for removed in range(table.rows):
        # Read anew, as the neighbour's file would be: without the row the values come in another order.
        fewer = [i for i in range(table.rows) if i != removed]
        columns = (
            Column.from_texts(name, [texts[i] for i in fewer]) for name, texts in (("place", places), ("n", numbers))
        )
        less = law(Table(tuple(columns)), recipe, form, monkeypatch)
        for one, other in ((whole, less), (less, whole)):
            told = sum(max(0.0, chance - math.exp(epsilon) * other.get(out, 0.0)) for out, chance in one.items())
            assert told <= promised * (1 + 1e-12)


@given(
    rows=st.lists(st.tuples(st.sampled_from(["x", "y", "10", "9", ""]), st.sampled_from(["p", "q", "é"])), max_size=12),
    shuffled=st.randoms(use_true_random=False),
)
def test_a_table_has_one_canonical_form(rows: list[tuple[str, str]], shuffled: random.Random) -> None:
    other = rows.copy()
    shuffled.shuffle(other)
    forms = []
    for texts, unused in ((rows, ("never",)), (other, ())):
        columns = [Column.from_texts(str(place), [row[place] for row in texts]) for place in range(2)]
        columns = [Column(one.name, one.codes, (*one.values, *unused)) for one in columns]
        made = canonical(Table(tuple(columns)))
        forms.append([(one.name, one.values, one.codes.tolist(), one.codes.dtype) for one in made.columns])
    assert forms[0] == forms[1]
    found = [made.row(place) for place in range(made.rows)]
    assert found == sorted(rows, key=lambda row: [natural_key(text) for text in row])


def test_labels_are_sorted_as_people_sort_them() -> None:
    labels = ["*", "-3", "1.25", "1.5", "007", "7", "9", "10", "[9, 10[", "[10, 20[", "A", "a", "b"]
    assert sorted(set(labels), key=natural_key) == labels


def test_grouped_columns_come_first_in_the_order_of_rows() -> None:
    table = Table((Column.from_texts("ill", ["b", "a", "b"]), Column.from_texts("age", ["1", "2", "2"])))
    made = canonical(table, first=("age",))
    assert [made.row(place) for place in range(3)] == [("b", "1"), ("a", "2"), ("b", "2")]


# What stands in a variable


def classes() -> Iterator[type]:
    for module in pkgutil.walk_packages(workbench.__path__, "workbench."):
        if ".gui" not in module.name and "__main__" not in module.name:
            found = importlib.import_module(module.name)
            yield from (one for one in vars(found).values() if isinstance(one, type) and one.__module__ == module.name)


def test_what_is_derived_of_a_discreet_class_is_discreet() -> None:
    shown = discreet(type("Shown", (), {})).__repr__.__qualname__
    told = [one for one in classes() if any(base.__repr__.__qualname__ == shown for base in one.__mro__)]
    assert {"Column", "Table", "StoredTable", "Outcome", "Result", "StoredAnonymised"} <= {one.__name__ for one in told}
    assert [one for one in told if one.__repr__.__qualname__ != shown] == []


def test_no_value_of_the_data_stands_in_a_repr(tmp_path: Path) -> None:
    rare = "Zebrafish"
    file = tmp_path / "data.csv"
    file.write_text("place,age\n" + "aa,30\n" * 300 + "ba,40\n" * 300 + f"{rare},77\n" * 17, encoding="utf-8")
    session = Session()
    session.ledger.use_file(tmp_path / "ledger.jsonl")
    session.data.open(file)
    session.data.attach_hierarchy("place", Hierarchy.from_rows([("aa", "A"), ("ba", "B"), (rare, "else")]))
    session.release.set_guarantee(GuaranteeSettings(epsilon=1.0, delta=1e-3))
    produced = session.release.anonymiser()()
    held = [
        session,
        session.data.reading,
        session.data.table,
        produced,
        session.release.accept(produced),
        session.release.claim(),
    ]
    session.release.look()
    held += [
        session.release.export(tmp_path / "out.csv", without_claim=True),
        session.reports.maker()(),
        session.attacks.linker(("place",))(),
    ]
    held += [session.release.survival.simulator()()]
    session.syntactic.set_approach(AnonymityKind.SYNTACTIC)
    session.syntactic.set_models([ModelChoice("k-anonymity", {"k": 5})])
    held.append(session.syntactic.recoder()())
    for one in held:
        parts = [getattr(one, field.name) for field in dataclasses.fields(one)] if dataclasses.is_dataclass(one) else []
        for part in (one, *(part for part in parts if not isinstance(part, tuple | dict | str | int | float))):
            said = repr(part)
            # 617 rows, as a number of its own: a checksum and a time of change may hold these digits, in any run.
            assert rare not in said and not re.search(r"(?<!\w)617(?!\w)", said) and "array(" not in said, type(part)
