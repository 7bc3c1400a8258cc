"""Beyond one node for all: local recoding, suppressed columns, and coded ends, through session and command line."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.recipe import Treatment
from workbench.anonymise.utility import MetricChoice
from workbench.cli.main import main
from workbench.core.building import build_hierarchy, specification
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY, Hierarchy
from workbench.core.progress import SILENT
from workbench.core.schema import ColumnSpec, Kind, PrivacyUnit
from workbench.project.anonymise_settings import AnonymityKind
from workbench.project.model import GuaranteeSettings
from workbench.session import Session
from workbench.session.folded import FoldedTable
from workbench.session.syntactic.results import Recoded, RecodingResult, Refusal
from workbench.session.syntactic.views import folded

AGES = Hierarchy.from_rows([(str(a), f"{a // 10 * 10}s", "*") for a in range(20, 60)])
CITIES = Hierarchy.from_rows([("Bern", "*"), ("Chur", "*"), ("Basel", "*")])
ROWS = 40 * 20 + 8


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """20 rows of each age in Bern; of the ages 20 and 40 three rows in Chur each, of 50 two in Basel."""
    rows = [(age, "Bern") for age in range(20, 60) for _ in range(20)]
    rows += [(20, "Chur")] * 3 + [(40, "Chur")] * 3 + [(50, "Basel")] * 2
    path = tmp_path / "people.csv"
    lines = [f"{age},{city},{('flu', 'cold')[i % 2]}" for i, (age, city) in enumerate(rows)]
    path.write_text("age,city,illness\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def session(people: Path) -> Session:
    made = Session()
    made.data.open(people)
    made.data.attach_hierarchy("age", AGES)
    made.data.attach_hierarchy("city", CITIES)
    made.syntactic.set_approach(AnonymityKind.SYNTACTIC)
    made.syntactic.set_suppression_limit(0.02)
    made.syntactic.set_models([ModelChoice("k-anonymity", {"k": 6})])
    for name in ("age", "city"):
        made.release.columns.set_level(name, 0)
    return made


def recoded(session: Session) -> Recoded:
    answer = session.syntactic.recoder()(SILENT)
    assert isinstance(answer, Recoded)
    session.syntactic.accept_recoded(answer)
    return answer


class TestLocalRecoding:
    def test_rows_are_rescued_and_the_table_says_how(self, session: Session) -> None:
        before = recoded(session)
        assert (before.anonymised.suppressed, before.anonymised.local) == (8, None)
        session.syntactic.set_local_recoding(True)
        assert not session.syntactic.recoded_is_current
        made = recoded(session)
        local = made.anonymised.local
        assert local is not None
        assert [one.rows for one in local.passes] == [800, 6]
        assert (local.rescued, made.anonymised.suppressed, made.facts.suppressed) == (6, 2, 2)
        assert (made.facts.score, dict(made.facts.losses)) == (local.loss_after, dict(local.losses))
        assert local.loss_after < local.loss_before == before.facts.score
        assert min(Counter(made.released().row(n) for n in range(made.rows_out)).values()) >= 6
        table = folded(made, "suppressed")
        assert isinstance(table, FoldedTable) and table.steps is not None and local.pass_of is not None
        assert table.steps.name == "Pass" and set(table.steps.texts()[: table.released]) == {"1", "2"}
        passes = dict(zip(made.anonymised.rows.tolist(), local.pass_of.tolist(), strict=True))
        assert Counter(passes.values()) == {0: 800, 1: 6, -1: 2}
        for line in range(table.released):
            behind = table.behind.of(line).tolist() if table.behind is not None else []
            assert behind and {str(passes[row] + 1) for row in behind} == set(table.steps.text(line).split(", "))
        session.syntactic.set_local_recoding(False)
        assert session.syntactic.recall_recoded() and session.syntactic.recoded is before

    def test_the_limit_counts_in_the_end(self, session: Session) -> None:
        session.syntactic.set_suppression_limit(0.003)
        assert isinstance(session.syntactic.recoder()(SILENT), Refusal)
        session.syntactic.set_local_recoding(True)
        assert recoded(session).anonymised.suppressed == 2
        session.syntactic.set_suppression_limit(0.0)
        refused = session.syntactic.recoder()(SILENT)
        assert isinstance(refused, Refusal)
        assert refused.counted and refused.searchable
        assert f"2 of {ROWS} rows" in refused.told.message
        assert str(ROWS) not in str(refused.error)

    def test_limits_of_the_search_matter_for_it_alone(self, session: Session) -> None:
        key = session.syntactic.recoding_key()
        session.release.columns.set_level_limits("age", 0, 1)
        assert session.syntactic.recoding_key() == key
        session.syntactic.set_local_recoding(True)
        key = session.syntactic.recoding_key()
        session.release.columns.set_level_limits("age", 0, 2)
        assert session.syntactic.recoding_key() != key

    def test_its_loss_is_told_as_what_it_is(self, session: Session) -> None:
        session.syntactic.set_metric(MetricChoice("discernibility"))
        session.syntactic.set_local_recoding(True)
        made = recoded(session)
        assert made.question.metric.identifier == "loss"
        assert 0 < made.facts.score < 1

    def test_it_is_saved(self, session: Session, tmp_path: Path) -> None:
        assert not session.project.anonymise.question.local_recoding
        session.syntactic.set_local_recoding(True)
        session.save(tmp_path / "p.wbench")
        assert Session.from_file(tmp_path / "p.wbench").project.anonymise.question.local_recoding


class TestSuppressedColumn:
    def test_a_search_leaves_it_at_its_top(self, session: Session) -> None:
        session.release.columns.suppress("age")
        assert session.release.columns.is_suppressed("age")
        found = session.syntactic.best_levels_finder()(SILENT)
        assert isinstance(found, RecodingResult)
        assert found.result.levels["age"] == 2
        session.release.columns.apply_levels(found.result.levels)
        assert set(recoded(session).released()["age"].texts()) == {ANY}
        session.release.columns.release("age")
        assert not session.release.columns.is_suppressed("age")
        assert "age" not in session.project.anonymise.question.limits

    def test_a_column_without_a_hierarchy_can_be_suppressed(self, session: Session, tmp_path: Path) -> None:
        session.release.columns.suppress("illness")
        assert session.release.columns.treatment("illness") is Treatment.GENERALISE
        assert set(recoded(session).released()["illness"].texts()) == {ANY}
        session.save(tmp_path / "p.wbench")
        again = Session.from_file(tmp_path / "p.wbench")
        assert again.release.columns.is_suppressed("illness")
        # None of the data's values is kept in the project.
        assert again.project.hierarchies["illness"].values == ("",)

    def test_it_takes_nothing_from_a_claim(self, session: Session) -> None:
        session.syntactic.set_approach(AnonymityKind.DP)
        session.data.set_unit(PrivacyUnit(1))
        session.release.set_guarantee(GuaranteeSettings(epsilon=2.0, delta=1e-4))
        session.release.columns.set_level("age", 1)
        session.release.columns.set_level("city", 1)
        session.release.columns.suppress("illness")
        result = session.release.anonymise()
        assert result.claim.holds
        assert set(result.outcome.release["illness"].texts()) == {ANY}

    def test_a_hierarchy_that_still_says_something_at_its_top_cannot(self, session: Session) -> None:
        session.data.attach_hierarchy("city", Hierarchy.from_rows([("Bern", "CH"), ("Chur", "CH"), ("Basel", "CH")]))
        with pytest.raises(WorkbenchError, match="not \\*") as caught:
            session.release.columns.suppress("city")
        assert caught.value.field == "city"
        assert not session.release.columns.is_suppressed("city")


def test_coded_ends_work_in_a_release_with_a_claim_and_in_a_search(session: Session) -> None:
    plain = specification("ends", {"low": "25", "high": "55", "steps": "5 10"})
    hierarchy = build_hierarchy(plain, [str(a) for a in range(20, 60)], None, ColumnSpec("age", Kind.INTEGER))
    session.data.attach_hierarchy("age", hierarchy)
    session.syntactic.set_local_recoding(False)
    found = session.syntactic.best_levels_finder()(SILENT)
    assert isinstance(found, RecodingResult)
    session.syntactic.set_approach(AnonymityKind.DP)
    session.release.set_guarantee(GuaranteeSettings(epsilon=2.0, delta=1e-4))
    session.release.columns.set_level("age", 3)
    session.release.columns.set_level("city", 1)
    result = session.release.anonymise()
    assert result.claim.holds
    assert set(result.outcome.release["age"].texts()) <= {"<25", "25-34", "35-44", "45-54", "≥55"}


class TestCommandLine:
    @pytest.fixture
    def words(self, people: Path) -> list[str]:
        for name, hierarchy in (("age", AGES), ("city", CITIES)):
            lines = (";".join(row) for row in hierarchy.rows())
            (people.parent / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        hierarchies = [f"{name}={people.parent / f'{name}.csv'}" for name in ("age", "city")]
        return ["anonymise", str(people), *[w for one in hierarchies for w in ("--hierarchy", one)]]

    def ask(self, capsys: pytest.CaptureFixture[str], words: list[str]) -> dict[str, Any]:
        assert main([*words, "--json"]) == 0
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return found

    def refused(self, capsys: pytest.CaptureFixture[str], words: list[str]) -> str:
        assert main(words) == 2
        return capsys.readouterr().err

    def test_local_recoding(self, capsys: pytest.CaptureFixture[str], words: list[str], tmp_path: Path) -> None:
        out = tmp_path / "out.csv"
        models = ["--model", "k=6", "--level", "age=0", "--level", "city=0", "--suppression-limit", "0.01"]
        found = self.ask(capsys, [*words, *models, "--local-recoding", "--out", str(out)])
        assert found["levels_per_pass"] == [{"age": 0, "city": 0}, {"age": 2, "city": 0}]
        told = found["analyst"]["local_recoding"]
        assert (told["rows_per_pass"], told["rescued"], told["complete"]) == ([800, 6], 6, True)
        assert told["loss_after"] < told["loss_before"]
        assert found["claim"] is False and len(found["reasons"]) == 2
        with out.open(newline="", encoding="utf-8") as stream:
            _, *rows = csv.reader(stream)
        assert min(Counter(map(tuple, rows)).values()) >= 6
        assert len(rows) == found["rows_out"] == ROWS - 2
        assert main([*words, *models, "--local-recoding"]) == 0
        assert "2 passes, 6 rows rescued" in capsys.readouterr().out

    def test_local_recoding_and_a_claim_exclude_each_other(
        self, capsys: pytest.CaptureFixture[str], words: list[str], tmp_path: Path
    ) -> None:
        release = ["--epsilon", "1", "--delta", "1e-5", "--out", str(tmp_path / "x.csv")]
        told = self.refused(capsys, [*words, *release, "--local-recoding"])
        assert "(ε, δ)" in told and "fixed beforehand" in told
        assert not (tmp_path / "x.csv").exists()

    def test_a_suppressed_column(self, capsys: pytest.CaptureFixture[str], words: list[str], tmp_path: Path) -> None:
        out = tmp_path / "out.csv"
        models = ["--model", "k=6", "--suppress", "age", "--suppress", "illness", "--out", str(out)]
        found = self.ask(capsys, [*words, *models])
        assert (found["levels"]["age"], found["levels"]["illness"]) == (2, 1)
        with out.open(newline="", encoding="utf-8") as stream:
            assert {(row["age"], row["illness"]) for row in csv.DictReader(stream)} == {("*", "*")}
        told = self.refused(capsys, [*words, "--model", "k=6", "--suppress", "illness", "--keep", "illness"])
        assert "--keep and --suppress" in told

    def test_coded_ends(self, capsys: pytest.CaptureFixture[str], people: Path, tmp_path: Path) -> None:
        spec = tmp_path / "spec.json"
        spec.write_text(json.dumps(specification("ends", {"low": "25", "high": "55"})), encoding="utf-8")
        out = tmp_path / "h.csv"
        words = ["hierarchy", "build", str(spec), "--data", str(people), "--column", "age", "--out", str(out)]
        found = self.ask(capsys, words)
        assert found["provenance"] == "public"
        assert found["groups"] == [40, 32, 1]
        assert {"20;<25;*", "25;25;*", "59;≥55;*"} <= set(out.read_text(encoding="utf-8").split())

    @pytest.mark.parametrize(
        ("more", "told"),
        [
            (["--model", "k=900"], "more than all rows together"),
            (["--model", "l=2:city"], "needs “city” as it is"),
            (["--model", "k=6", "--model", "k=7"], "chosen twice"),
            (["--model", "l=3:illness"], "Choose a smaller l"),
            (["--model", "k=6", "--max-level", "illness=1"], "--hierarchy illness=FILE.csv"),
            (["--model", "k=6", "--min-level", "age=2", "--max-level", "age=1"], "smaller number first"),
        ],
    )
    def test_a_question_that_cannot_be_answered(
        self, capsys: pytest.CaptureFixture[str], words: list[str], more: list[str], told: str
    ) -> None:
        assert told in self.refused(capsys, [*words, *more])

    def test_no_column_has_a_hierarchy(self, capsys: pytest.CaptureFixture[str], people: Path) -> None:
        assert "No column has a hierarchy" in self.refused(capsys, ["anonymise", str(people), "--model", "k=6"])

    def test_a_table_too_small_for_any_k(self, capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
        Path(words[1]).write_text("age,city,illness\n20,Bern,flu\n", encoding="utf-8")
        told = self.refused(capsys, [*words, "--model", "k=2"])
        assert "use a table with more rows" in told and "1 rows" not in told

    @pytest.mark.parametrize("search", [[], ["--level", "age=0", "--level", "city=0"]])
    def test_how_many_rows_fail_is_told_only_where_it_is_asked_for(
        self, capsys: pytest.CaptureFixture[str], words: list[str], search: list[str]
    ) -> None:
        models = ["--model", "k=6", "--max-level", "age=0", "--max-level", "city=0", *search]
        told = self.refused(capsys, [*words, *models])
        assert "more rows" in told and str(ROWS) not in told
        asked = self.refused(capsys, [*words, *models, "--analyst"])
        assert f"of {ROWS} rows" in asked and ("about 0.01" in asked) == (not search)
