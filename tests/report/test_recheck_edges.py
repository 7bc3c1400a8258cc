"""The independent checker where a model holds by a hair, where something is missing, and where an engine counts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from workbench.anonymise.privacy import ModelChoice
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.table import Column, Table
from workbench.engines.budget import BeyondMemory
from workbench.engines.duckdb_store import DuckStore
from workbench.io.export_format import ExportFormat
from workbench.io.exporting import write_table
from workbench.report.recheck import Rechecked, Stated, recheck
from workbench.report.recheck_chain import first_of
from workbench.report.recheck_cost import Cost, cost_of
from workbench.report.recheck_files import ReleasedFiles, read_back, recheck_files
from workbench.report.recheck_models import SensitiveReference
from workbench.report.recheck_original import level_of, order_fault, population

AGES = Hierarchy.from_rows([(str(a), f"{a // 10 * 10}s", "*") for a in range(20, 60)])
ILLNESSES = Hierarchy.from_rows([("flu", "lung", "*"), ("cough", "lung", "*"), ("gout", "joint", "*")])
FIVE = [("age", "illness"), *[("20s", i) for i in ("flu", "flu", "gout", "gout", "gout")]]
TEN = [*FIVE, *[("30s", illness) for illness in ("flu", "flu", "flu", "gout", "gout")]]
"""20s: 2 flu, 3 gout. 30s: 3 flu, 2 gout."""


def checked(
    lines: list[tuple[str, ...]], *models: ModelChoice, original: Table | None = None, **facts: object
) -> Rechecked:
    stated = Stated(models=models, grouped=("age",), hierarchies={"age": AGES})
    return recheck(lines, replace(stated, **facts), original)


def model(text: str) -> ModelChoice:
    return ModelChoice.parse(text)


@pytest.mark.parametrize(
    ("limit", "below"),
    [
        ("average-risk=0.2", "average-risk=0.199"),
        ("t=0.1:illness", "t=0.099:illness"),
        ("b-likeness=0.2,basic:illness", "b-likeness=0.19,basic:illness"),
        ("recursive-l-diversity=1.51,2:illness", "recursive-l-diversity=1.5,2:illness"),
        ("l=2:illness", "l=3:illness"),
        ("k=5", "k=6"),
    ],
)
def test_a_value_that_equals_its_limit_on_paper_holds(limit: str, below: str) -> None:
    """Ten rows in two classes: one in five; 0.6 of a value that is a half of all. Recursive diversity is strict."""
    assert checked(TEN, model(limit)).holds
    assert not checked(TEN, model(below)).holds


def test_two_equally_frequent_values_are_two() -> None:
    even = [("age", "illness"), *[("20s", "flu"), ("20s", "gout")] * 3]
    assert checked(even, model("entropy-l-diversity=2:illness")).holds
    assert not checked(even, model("entropy-l-diversity=2.001:illness")).holds


@pytest.mark.parametrize(("limits", "holds"), [("0.2,0.6", True), ("0.21,0.6", False), ("0.2,0.59", False)])
def test_presence_may_equal_both_of_its_limits(limits: str, holds: bool) -> None:
    original = Table(
        (Column.from_texts("age", ["21"] * 5 + ["35"] * 5), Column.from_texts("in", list("ynnnn") + list("yyynn")))
    )
    file = [("age",), ("20s",), *[("30s",)] * 3]
    assert checked(file, model(f"d-presence={limits}:in=y"), original=original).holds == holds


def test_without_a_reference_classes_are_compared_with_the_released_rows() -> None:
    found = checked(TEN, model("t=0.11:illness")).models[0].found
    assert found.value == pytest.approx(0.1) and found.public and "released rows" in found.note
    known = SensitiveReference({"flu": 1, "gout": 3}, "somewhere")
    found = checked(TEN, model("t=0.5:illness"), references={"illness": known}).models[0].found
    assert found.value == pytest.approx(0.35) and not found.public


def test_only_the_rows_that_are_to_be_released_are_compared_with() -> None:
    """Those who are in have flu and gout evenly; those who are not all have flu."""
    marks = ["y", "y", "n", "n", "n"]
    columns = {"age": ["21"] * 5, "illness": ["flu", "gout", "flu", "flu", "flu"], "in": marks}
    original = Table(tuple(Column.from_texts(name, texts) for name, texts in columns.items()))
    file = [("age", "illness"), ("20s", "gout"), ("20s", "flu")]
    models = [model("t=0.5:illness"), model("d-presence=0,0.9:in=y")]
    found = checked(file, *models, original=original)
    assert [one.found.value for one in found.models] == [0.0, pytest.approx(0.4)]
    assert checked(file, models[0], original=original).models[0].found.value == pytest.approx(0.3)


@pytest.mark.parametrize(("people", "wanted"), [(54, 4), (36, 5)])
def test_people_by_estimate_are_asked_of_the_smallest_class(people: int, wanted: int) -> None:
    """Poisson with mean 1: P(4 or more) = 0.019, of 3 or more 0.080. With mean 1.5 of 4 or more: 0.066."""
    lines = [("age",), *[("20s",)] * 4, *[("30s",)] * 5]
    original = Table((Column.from_texts("age", ["21"] * 4 + ["35"] * 5),))
    choice = ModelChoice("k-map", {"k": 6, "people": people})
    found = checked(lines, choice, original=original)
    assert found.models[0].found.value == 4 and f"Classes of {wanted} rows" in found.models[0].found.note
    assert found.models[0].found.holds == (wanted <= 4)
    with pytest.raises(WorkbenchError) as refused:
        checked(lines, choice)
    assert refused.value.field == "original"


def test_people_who_share_a_label_are_counted_at_its_level() -> None:
    """“9” is an age and, one level up, all ages from 8. Where levels are mixed, the fewest count."""
    ages = Hierarchy.from_rows([("7", "7"), ("8", "9"), ("9", "9")])
    original = Table((Column.from_texts("age", ["7"] * 2 + ["8"] * 3 + ["9"] * 4),))
    for level, people in ((0, 4), (1, 7), (None, 4)):
        assert population(original, [("9",), ("7",)], ("age",), {"age": ages}, {"age": level}) == {
            ("9",): people,
            ("7",): 2,
        }
    assert population(original, [("8",)], ("age",), {}, {}) == {("8",): 3}


def test_what_does_not_follow_from_the_file_is_left_out_for_others_only() -> None:
    known = SensitiveReference({"flu": 1, "gout": 3}, "somewhere secret")
    found = checked(TEN, model("t=0.5:illness"), model("k=5"), references={"illness": known})
    told = [[found.to_json(**public)["models"][n] for n in (0, 1)] for public in ({}, {"public": True})]
    assert [one["value"] for one in told[0]] == [pytest.approx(0.35), 5]
    assert [one["value"] for one in told[1]] == [None, 5]
    assert [one["analyst_only"] for both in told for one in both] == [True, False, False, False]
    assert "secret" in told[0][0]["note"] and told[1][0]["note"] == ""


def test_labels_of_every_level_are_found() -> None:
    assert [level_of(AGES, labels) for labels in (("21", "35"), ("20s", "30s"), ("*",))] == [0, 1, 2]
    assert level_of(AGES, ("21", "30s")) is None
    assert level_of(AGES, ("20s",), 1) == 1 and level_of(AGES, ("20s",), 2) is None


def test_two_columns_of_one_name_are_refused() -> None:
    with pytest.raises(WorkbenchError):
        checked([("age", "age"), ("20s", "20s")], model("k=2"))


def test_an_order_is_told_only_where_every_class_is_there_as_a_whole() -> None:
    before = [(label,) for label in "abbacab" * 9]
    whole = {("a",): 27, ("b",): 27, ("c",): 9}
    assert order_fault(before, whole, before, whole)
    for sizes in ({("a",): 27, ("b",): 26}, {("a",): 26, ("b",): 26}):
        assert order_fault(before, whole, before, sizes) is None
    assert order_fault(before, whole, before[::-1], whole) == ""
    assert order_fault(before[:2], {("a",): 1, ("b",): 1}, before[:2], {("a",): 1, ("b",): 1}) is None


def test_what_a_distance_needs_is_asked_for() -> None:
    for name in ("hierarchical", "ordered"):
        choice = model(f"{name}-t-closeness=0.5:illness")
        with pytest.raises(WorkbenchError) as refused:
            checked(TEN, choice)
        assert refused.value.field == "illness"
        assert checked(TEN, choice, sensitive_hierarchies={"illness": ILLNESSES}).holds
        lacking = Hierarchy.from_rows([("flu", "*"), ("cough", "*")])
        with pytest.raises(WorkbenchError, match="misses"):
            checked(TEN, choice, sensitive_hierarchies={"illness": lacking})


def test_costs_add_up() -> None:
    one, other = Cost(Fraction(1, 2), Fraction(1, 10**6)), Cost(Fraction(1, 3), Fraction(1, 10**7))
    assert one + other == Cost(Fraction(5, 6), Fraction(11, 10**7))
    assert sum((one, other), Cost()) == one + other


@pytest.fixture(scope="module")
def store() -> Iterator[DuckStore]:
    with DuckStore() as started:
        yield started


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_an_engine_counts_the_same(form: str, store: DuckStore, tmp_path: Path) -> None:
    style = ExportFormat(form)
    rows = list(zip(*(TEN[1:] * 3), strict=True))
    write_table(
        Table(tuple(Column.from_texts(n, list(texts)) for n, texts in zip(TEN[0], rows, strict=True))),
        tmp_path / "out",
        style,
    )
    stated = Stated(models=(model("k=15"), model("t=0.1:illness")), grouped=("age",), hierarchies={"age": AGES})
    by_program, by_engine = (
        recheck_files(ReleasedFiles.of(tmp_path / "out", style, one), stated) for one in (None, store)
    )
    assert by_engine == by_program and by_engine.holds and by_engine.rows == 30


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_text_in_any_encoding_counts_the_same_with_an_engine(
    form: str, encoding: str, store: DuckStore, tmp_path: Path
) -> None:
    """An engine is asked only where it knows the encoding; what is no text in columns has none."""
    style = ExportFormat(form, encoding=encoding)
    names = ["Zürich", "Zürich", "Orléans", "Orléans"]
    write_table(Table((Column.from_texts("città", names),)), tmp_path / "out", style)
    stated = Stated(models=(model("k=2"),), grouped=("città",))
    by_engine = recheck_files(ReleasedFiles.of(tmp_path / "out", style, store), stated)
    assert by_engine == recheck_files(ReleasedFiles.of(tmp_path / "out", style), stated)
    assert by_engine.holds and by_engine.rows == 4 and by_engine.faults == ()


def test_an_engine_counts_all_parts_and_refuses_what_is_no_text(store: DuckStore, tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    (folder / "part-1.csv").write_text("age,note\n20s,x\n20s,y\n", encoding="utf-8")
    (folder / "part-2.csv").write_text("age,note\n30s,x\n30s,y\n30s,z\n", encoding="utf-8")
    stated = Stated(models=(model("k=2"),), grouped=("age",), hierarchies={"age": AGES})
    files = ReleasedFiles.of(folder, ExportFormat(), store)
    assert recheck_files(files, stated).rows == 5 and recheck_files(files, stated).holds
    assert not recheck_files(files, replace(stated, models=(model("k=3"),))).holds
    (folder / "part-2.csv").write_bytes(b"age,note\n30s,x\n30s,\xff\n30s,z\n")
    with pytest.raises(WorkbenchError, match="cannot be read back"):
        recheck_files(files, stated)


def test_combinations_beyond_memory_are_refused(
    store: DuckStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "wide.csv"
    path.write_text("age\n" + "".join(f"{n}\n" for n in range(500)), encoding="utf-8")
    files = ReleasedFiles.of(path, ExportFormat(), store)
    stated = Stated(models=(model("k=1000"),), grouped=("age",))
    assert not recheck_files(files, stated).holds
    monkeypatch.setattr(store.budget, "limit", 1000)
    with pytest.raises(BeyondMemory, match="every combination"):
        recheck_files(files, stated)


@pytest.mark.parametrize("own", [False, True])
def test_files_of_somebody_else_are_not_read_in_this_process(
    own: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    style, path = ExportFormat("parquet"), tmp_path / "out.parquet"
    write_table(Table((Column.from_texts("age", ["20s", "30s"]),)), path, style)
    here = []

    def noted(*words: Any) -> Iterator[Sequence[str]]:
        here.append(words)
        return read_back(*words)

    monkeypatch.setattr("workbench.report.recheck_files.read_back", noted)
    files = ReleasedFiles.of(path, style, own=True) if own else ReleasedFiles.of(path, style)
    assert files.heading == ("age",) and [tuple(row) for row in files.rows()] == [("20s",), ("30s",)]
    assert bool(here) == own


def test_parts_with_other_columns_are_no_release(tmp_path: Path) -> None:
    (tmp_path / "part-1.csv").write_text("age\n20s\n20s\n", encoding="utf-8")
    (tmp_path / "part-2.csv").write_text("years\n30s\n30s\n", encoding="utf-8")
    with pytest.raises(WorkbenchError, match="has other columns") as refused:
        recheck_files(ReleasedFiles.of(tmp_path, ExportFormat()), Stated(models=(model("k=2"),), grouped=("age",)))
    assert refused.value.field == "path"


def test_a_file_of_nothing_has_no_heading() -> None:
    with pytest.raises(WorkbenchError, match="no heading"):
        checked([], model("k=2"))


def test_a_mechanism_nobody_knows_has_no_cost() -> None:
    with pytest.raises(WorkbenchError, match="“divination”") as refused:
        cost_of({"mechanisms": [{"kind": "divination", "epsilon": 1.0, "delta": 0.0}]})
    assert refused.value.field == "statement"


def test_commas_are_decimal_marks_only_where_the_whole_column_is_numbers() -> None:
    mixed = Hierarchy.from_rows([("1,5", "*"), ("Bern, west", "*")])
    numbers = Hierarchy.from_rows([("1.5", "*"), ("2.5", "*")])
    for hierarchy, labels in ((mixed, ("1,5", "Bern, west")), (numbers, ("1,5", "2,5"))):
        stated = Stated(models=(model("k=2"),), grouped=("place",), hierarchies={"place": hierarchy})
        lines = [("place",), *[(label,) for label in labels * 2]]
        assert recheck(lines, stated, decimal=",").holds
        assert not recheck([*lines, ("1,6",), ("1,6",)], stated, decimal=",").holds


def test_an_estimate_that_equals_the_significance_convinces() -> None:
    """Poisson with mean 0.01: a class has a row or more with a probability of 1 − exp(−0.01)."""
    lines, original = [("age",), *[("20s",)] * 9], Table((Column.from_texts("age", ["21"] * 9),))
    for below, wanted in ((0.0, 1), (1e-9, 2)):
        significance = 1 - math.exp(-0.01) - below
        choice = ModelChoice("k-map", {"k": 6, "people": 5400, "estimator": "poisson", "significance": significance})
        assert f"Classes of {wanted} rows" in checked(lines, choice, original=original).models[0].found.note


def test_one_model_that_counts_people_is_enough_to_count_them() -> None:
    """Beside others that do not; without one nobody is counted, with or without the original."""
    original = Table((Column.from_texts("age", ["21"] * 6 + ["35"] * 9),))
    lines = [("age",), *[("20s",)] * 2, *[("30s",)] * 3]
    for k, holds in ((6, True), (7, False)):
        found = checked(lines, model("k=2"), model(f"k-map={k}"), model("average-risk=0.5"), original=original)
        assert [one.found.value for one in found.models] == [2, 6, pytest.approx(0.4)]
        assert found.holds == holds


def test_the_file_and_its_statement_are_compared_in_every_way_that_is_stated() -> None:
    two = [("age", "city"), *[("20s", "x")] * 2]
    stated = Stated(grouped=("age",), hierarchies={"age": AGES}, rows=2, columns=("age", "city"), fingerprint="a")
    assert recheck(two, stated, fingerprint="a").faults == () == recheck(two, stated).faults
    for change, words in (
        (
            {"fingerprint": "b"},
            "The file is not the one the statement was written for: its fingerprint (SHA-256) is another.",
        ),
        ({"rows": 3}, "The file has 2 rows, and 3 are stated."),
        ({"columns": ("age",)}, "Columns that are not stated: city."),
        ({"columns": ("age", "city", "sex", "job")}, "Stated columns that are not there: sex, job."),
        ({"all_grouped": True}, "Columns that take no part in the grouping: city."),
    ):
        assert recheck(two, replace(stated, **change), fingerprint="a").faults == (words,)
    assert recheck(two, replace(stated, fingerprint=""), fingerprint="b").holds
    assert recheck(two, replace(stated, all_grouped=True, grouped=("age", "city"))).holds
    with pytest.raises(WorkbenchError, match="no column “sex”") as refused:
        recheck(two, replace(stated, grouped=("age", "sex")))
    assert refused.value.hint == "Its columns are: age, city." and refused.value.field == "sex"


def test_what_was_found_is_what_is_told() -> None:
    found = checked(TEN, model("k=5"), model("l=2:illness"))
    assert (found.names, found.grouped, found.rows, dict(found.sizes)) == (("age", "illness"), ("age",), 10, {5: 2})
    assert (found.classes, found.smallest, found.largest, dict(found.levels)) == (2, 5, 5, {"age": 1})
    plain = found.to_json()
    assert [plain[key] for key in ("holds", "rows", "classes", "smallest_class", "largest_class")] == [
        True,
        10,
        2,
        5,
        5,
    ]
    assert plain["models"][1]["parameters"] == {"l": 2, "column": "illness"} and plain["models"][1]["in_the_file"]
    empty = checked([("age",)])
    assert (empty.rows, empty.classes, empty.smallest, empty.largest, empty.holds) == (0, 0, 0, 0, True)
    # Without a word which columns make rows alike, all do that no model is about.
    free = recheck(TEN, Stated(models=(model("l=2:illness"),), hierarchies={"age": AGES}))
    assert free.grouped == ("age",) and recheck(TEN, Stated(hierarchies={"age": AGES})).grouped == ("age", "illness")
    failing = checked(TEN, model("k=5"), model("k=6"))
    assert not failing.holds and failing.faults == ()


def test_the_order_is_not_compared_where_some_labels_are_of_no_single_level() -> None:
    """One column has labels of two levels, so the original cannot be generalised as the file was."""
    rows = [("21", "x"), ("22", "x"), ("35", "y"), ("36", "y")] * 20
    columns = (
        Column.from_texts("age", [age for age, _ in rows]),
        Column.from_texts("city", [city for _, city in rows]),
    )
    original = Table(columns)
    cities = Hierarchy.from_rows([("x", "*"), ("y", "*")])
    stated = Stated(models=(model("k=2"),), grouped=("age", "city"), hierarchies={"age": AGES, "city": cities})
    whole = [("age", "city"), *[(f"{age[0]}0s", city) for age, city in rows]]
    assert any("order" in fault for fault in recheck(whole, stated, original).faults)
    mixed = [("age", "city"), *[(age if age[0] == "2" else "30s", city) for age, city in rows]]
    found = recheck(mixed, replace(stated, mixed_levels=True), original)
    assert not any("order" in fault for fault in found.faults) and any("order" in one for one in found.unchecked)


def test_the_first_few_are_named() -> None:
    assert first_of(["a", "b", "c"]) == "“a”, “b”, “c”"
    assert first_of(["a", "b", "c", "d", "e"]) == "“a”, “b”, “c” and 2 more"
