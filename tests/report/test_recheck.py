"""The independent checker finds every violation that is planted, and nothing where there is none."""

from __future__ import annotations

import io
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from workbench.anonymise.goal import Goal
from workbench.anonymise.privacy import MODELS, ModelChoice
from workbench.anonymise.recode import apply
from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.table import Column, Table
from workbench.io.export_format import ExportFormat
from workbench.report.recheck import Rechecked, Stated, recheck
from workbench.report.recheck_files import read_back
from workbench.report.recheck_models import SensitiveReference, recomputable

AGES = Hierarchy.from_rows([(str(a), f"{a // 10 * 10}s", "*") for a in range(20, 60)])
ILLNESSES = Hierarchy.from_rows([("flu", "lung", "*"), ("cough", "lung", "*"), ("gout", "joint", "*")])

FILE = [
    ("age", "illness"),
    *[("20s", illness) for illness in ("flu", "flu", "cough", "gout")],
    *[("30s", illness) for illness in ("flu", "cough", "gout", "gout", "gout")],
]
"""20s: 2 flu, 1 cough, 1 gout. 30s: 1 flu, 1 cough, 3 gout."""

WHOLE = {"flu": 5, "cough": 3, "gout": 4}


def found(lines: Sequence[Sequence[str]], *models: str, **stated: object) -> Rechecked:
    choices = tuple(ModelChoice.parse(text) for text in models)
    facts = {"hierarchies": {"age": AGES}, "references": {"illness": SensitiveReference(WHOLE, "here")}, **stated}
    return recheck(lines, Stated(models=choices, grouped=("age",), **facts))


def entropy(counts: Sequence[int]) -> float:
    rows = sum(counts)
    return math.exp(-sum(c / rows * math.log(c / rows) for c in counts))


SHARES = (5 / 12, 3 / 12, 4 / 12)


@pytest.mark.parametrize(
    ("fine", "too_much", "value"),
    [
        ("k=4", "k=5", 4),
        ("l=3:illness", "l=4:illness", 3),
        ("entropy-l-diversity=2.58:illness", "entropy-l-diversity=2.6:illness", entropy((1, 1, 3))),
        ("recursive-l-diversity=1.6,2:illness", "recursive-l-diversity=1.5,2:illness", 1.5),
        ("t=0.2667:illness", "t=0.2666:illness", 3 / 5 - SHARES[2]),
        ("b-likeness=0.8,basic:illness", "b-likeness=0.79,basic:illness", (0.6 - 1 / 3) * 3),
        ("average-risk=0.2223", "average-risk=0.2222", 2 / 9),
    ],
)
def test_values_and_thresholds(fine: str, too_much: str, value: float) -> None:
    checked = found(FILE, fine)
    assert checked.holds
    assert checked.models[0].found.value == pytest.approx(value)
    assert not found(FILE, too_much).holds


@pytest.mark.parametrize("bad", [0.0, 0.05])
def test_ordered_and_hierarchical_distances_by_their_definition(bad: float) -> None:
    kinds = {"sensitive_hierarchies": {"illness": ILLNESSES}}
    # 20s at (½, ¼, ¼), 30s at (1/5, 1/5, 3/5), the table at (5/12, 1/4, 1/3), in the order flu, cough, gout.
    ordered = (abs(1 / 5 - 5 / 12) + abs(2 / 5 - 8 / 12)) / 2
    leaves = (abs(1 / 5 - 5 / 12) + abs(1 / 5 - 1 / 4) + abs(3 / 5 - 1 / 3)) / 2
    groups = (abs(2 / 5 - 8 / 12) + abs(3 / 5 - 4 / 12)) / 2
    for name, value in (("ordered", ordered), ("hierarchical", (leaves + groups) / 2)):
        checked = found(FILE, f"{name}-t-closeness={value + 1e-6 - bad}:illness", **kinds)
        assert checked.models[0].found.value == pytest.approx(value)
        assert checked.holds == (not bad)


def test_enhanced_likeness_limits_frequent_values() -> None:
    # gain of gout 0.8 is below −ln(1/3) ≈ 1.0986, and below β only then
    assert found(FILE, "b-likeness=5:illness").holds
    skewed = {"illness": SensitiveReference({"flu": 1, "cough": 1, "gout": 8}, "here")}
    file = [("age", "illness"), *[("20s", "gout")] * 10]
    assert found(file, "b-likeness=0.3,basic:illness", references=skewed).holds
    assert not found(file, "b-likeness=0.3:illness", references=skewed).holds


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (("24", "flu"), "no labels of any one level"),
        (("90s", "flu"), "“90s”"),
        (("*", "flu"), "nothing but *"),
    ],
)
def test_rows_that_do_not_belong(line: tuple[str, str], words: str) -> None:
    faults = " ".join(found([*FILE, *[line] * 9], "k=4").faults)
    assert words in faults


def test_a_level_that_is_stated_must_be_that_of_every_row() -> None:
    assert found(FILE, "k=4", levels={"age": 1}).holds
    assert not found(FILE, "k=4", levels={"age": 0}).holds
    assert not found(FILE, "k=4", levels={"age": 7}).holds


def test_columns_rows_and_fingerprint() -> None:
    assert "not stated: illness" in found(FILE, columns=("age",)).faults[0]
    assert "not there: city" in found(FILE, columns=("age", "illness", "city")).faults[0]
    assert "no part in the grouping: illness" in found(FILE, all_grouped=True).faults[0]
    assert "8 are stated" in found(FILE, rows=8).faults[0]
    checked = recheck(FILE, Stated(fingerprint="a"), fingerprint="b")
    assert "fingerprint" in checked.faults[0]
    with pytest.raises(WorkbenchError, match="has 1 cells"):
        found([*FILE, ("20s",)])
    with pytest.raises(WorkbenchError, match="no column"):
        found(FILE, "l=2:city")


def test_rows_in_the_order_of_the_original_are_told() -> None:
    ages = [str(20 + 17 * i % 40) for i in range(200)]
    original = Table((Column.from_texts("age", ages),))
    labels = [(f"{int(a) // 10 * 10}s",) for a in ages]
    mixed = [labels[i] for i in np.random.default_rng(3).permutation(200)]
    stated = Stated(hierarchies={"age": AGES}, levels={"age": 1})
    assert "order of the original" in recheck([("age",), *labels], stated, original).faults[0]
    assert recheck([("age",), *mixed], stated, original).holds
    assert recheck([("age",), *sorted(labels)], stated, original).holds  # sorted, it says nothing
    some = recheck([("age",), *labels[:100]], stated, original)
    assert some.holds
    assert "cannot be told" in some.unchecked[0]


def test_people_are_counted_in_the_original() -> None:
    ages = ["21"] * 6 + ["35"] * 9
    original = Table((Column.from_texts("age", ages), Column.from_texts("in", ["y", "n", "n"] * 5)))
    file = [("age",), *[("20s",)] * 2, *[("30s",)] * 3]
    stated = Stated(hierarchies={"age": AGES}, levels={"age": 1})

    def holds(model: str) -> bool:
        return recheck(file, with_model(stated, model), original).holds

    assert holds("k-map=6:in=y")
    assert not holds("k-map=7:in=y")
    assert holds("d-presence=0.3,0.34:in=y")
    assert not holds("d-presence=0.34,0.5:in=y")
    assert not holds("d-presence=0,0.3:in=y")
    with pytest.raises(WorkbenchError, match="counts people"):
        recheck(file, with_model(stated, "k-map=6:in=y"))


def with_model(stated: Stated, model: str) -> Stated:
    return replace(stated, models=(ModelChoice.parse(model),))


def test_every_model_there_is_can_be_recomputed() -> None:
    assert all(recomputable(ModelChoice(model.identifier)) for model in MODELS)


@pytest.mark.parametrize("seed", range(4))
def test_it_agrees_with_what_made_the_table(seed: int) -> None:
    """Random tables: what the kernel lets through, the checker finds to hold; one row more of a small class fails."""
    source = np.random.default_rng(seed)
    ages = [str(20 + int(a)) for a in source.integers(0, 40, 400)]
    ills = [("flu", "cough", "gout")[int(i)] for i in source.choice(3, 400, p=(0.5, 0.3, 0.2))]
    table = Table((Column.from_texts("age", ages), Column.from_texts("illness", ills)))
    models = ("k=8", "l=3:illness", "entropy-l-diversity=2:illness", "recursive-l-diversity=3,2:illness",
              "t=0.25:illness", "ordered-t-closeness=0.25:illness", "hierarchical-t-closeness=0.3:illness",
              "b-likeness=1.5:illness")  # fmt: skip
    for text in models:
        choice = ModelChoice.parse(text)
        kinds = {"illness": ILLNESSES}
        goal = Goal([choice], suppression_limit=1.0, sensitive_hierarchies=kinds)
        made = apply(table, {"age": AGES}, {"age": 0}, goal, keep=("illness",) if not choice.column else ())
        kept = [made.table.row(i) for i in source.permutation(made.table.rows)]
        stated = Stated((choice,), ("age",), {"age": AGES}, sensitive_hierarchies=kinds)
        assert recheck([made.table.names, *kept], stated, table).holds, text
        gone = Counter(ages)
        gone.subtract(row[0] for row in kept)
        dropped = [age for age, count in gone.items() if count > 0]
        if dropped:
            whole = [row for row in zip(ages, ills, strict=True) if row[0] == dropped[0]]
            assert not recheck([made.table.names, *kept, *whole], stated, table).holds, text


@pytest.mark.parametrize("style", [ExportFormat(delimiter=";", encoding="utf-16", decimal=","), ExportFormat()])
def test_it_reads_what_was_made_safe_as_it_was(style: ExportFormat) -> None:
    text = f'a{style.delimiter}b\n"\'=1"{style.delimiter}"1{style.decimal}5"\n'
    lines = read_back(io.BytesIO(text.encode(style.encoding)), style)
    hierarchies = {"a": Hierarchy.identity(["=1"]), "b": Hierarchy.identity(["1.5"])}
    assert recheck(lines, Stated(hierarchies=hierarchies), decimal=style.decimal).holds


def test_a_file_that_is_no_csv_is_told() -> None:
    with pytest.raises(WorkbenchError, match="cannot be read back"):
        list(read_back(io.BytesIO(b'a,b\n"x'), ExportFormat()))


@pytest.mark.parametrize("words", [["--hierarchy", "zip=zip.csv"], ["--group", "zip"]])
def test_a_star_that_is_a_label_is_no_row_that_was_suppressed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    """A release with such a group leaves as every other one: else whether it does would tell of the group."""
    monkeypatch.chdir(tmp_path)
    grouped = words[0] == "--group"
    Path("data.csv").write_text("zip\n" + ("*\nb\n" if grouped else "12\n12b\n") * 400, encoding="utf-8")
    Path("zip.csv").write_text("12;*;*\n12b;b;*\n", encoding="utf-8")
    making = ["anonymise", "data.csv", *words, "--ledger", "ledger.jsonl", "--out", "out.csv", "--statement", "s.html"]
    assert main([*making, "--epsilon", "1", "--delta", "1e-3", "--beta", "best"]) == 0
    assert set(Path("out.csv").read_text(encoding="utf-8").split()) == {"zip", "*", "b"}
    assert main(["verify", "out.csv", "--statement", "s.html"]) == 0
    assert main(["verify", "s.html"]) == 2
    assert "“s.html” is the statement on a file, which is not given." in capsys.readouterr().err
    if not grouped:
        assert main(["verify", "out.csv", *words]) == 0
        assert main(["verify", "out.csv", *words, "--level", "zip=2"]) == 1


@pytest.mark.parametrize(("first", "second"), [("'=x", "'-y"), ('"1,5"', '"2,5"'), ('"1,234"', "7")])
def test_texts_that_look_as_if_they_had_been_written_for_a_file_leave_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: str, second: str
) -> None:
    """A table that was exported once, and numbers with a comma that are texts here."""
    monkeypatch.chdir(tmp_path)
    Path("data.csv").write_text("zip;n\n" + f"{first};0\n{second};0\n" * 300, encoding="utf-8")
    Path("zip.csv").write_text(f"{first};*\n{second};*\n", encoding="utf-8")
    written = ["--out", "out.csv", "--out-delimiter", ";", "--out-decimal", ",", "--statement", "s.html"]
    making = ["anonymise", "data.csv", "--hierarchy", "zip=zip.csv", "--level", "zip=0", "--ledger", "ledger.jsonl"]
    assert main([*making, *written, "--epsilon", "1", "--delta", "1e-3", "--beta", "best"]) == 0
    assert main(["verify", "out.csv", "--statement", "s.html", "--hierarchy", "zip=zip.csv"]) == 0
