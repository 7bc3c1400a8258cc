"""The syntactic approach of a session: question, search, table, advice and export."""

from __future__ import annotations

import csv
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.recipe import Treatment
from workbench.anonymise.utility import MetricChoice
from workbench.core.composition import ReleaseSpending, total
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT, Cancelled, CancelToken, Progress
from workbench.core.schema import Role
from workbench.project.anonymise_settings import AnonymityKind
from workbench.session import Session
from workbench.session.syntactic.neighbours import AllowLevel, AllowSuppression, RaiseLevel, WeakenModel
from workbench.session.syntactic.results import Recoded, RecodingResult, Refusal

ROWS = 600
AGES = Hierarchy.from_rows([(str(a), f"{a // 10 * 10}s", "*") for a in range(20, 60)])
CITIES = Hierarchy.from_rows([("Bern", "*"), ("Basel", "*"), ("Chur", "*")])


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """Ages 20 to 59, 15 rows of each; five rows of Chur at 20 and at 40; three illnesses; k = 12."""
    path = tmp_path / "people.csv"
    lines = [
        f"P{i:03},{20 + i % 40},{('Bern', 'Basel', 'Chur')[0 if i % 60 else 2]},{('flu', 'cold', 'gout')[i % 3]}"
        for i in range(ROWS)
    ]
    path.write_text("person,age,city,illness\n" + "\n".join(lines) + "\n", encoding="utf-8")
    made = Session()
    made.data.open(path)
    made.data.attach_hierarchy("age", AGES)
    made.data.attach_hierarchy("city", CITIES)
    made.syntactic.set_approach(AnonymityKind.SYNTACTIC)
    made.syntactic.set_suppression_limit(0.0)
    made.syntactic.set_models([ModelChoice("k-anonymity", {"k": 12})])
    return made


def found(session: Session) -> RecodingResult:
    answer = session.syntactic.best_levels_finder()(SILENT)
    assert isinstance(answer, RecodingResult)
    session.syntactic.accept_found(answer)
    return answer


def recoded(session: Session) -> Recoded:
    answer = session.syntactic.recoder()(SILENT)
    assert isinstance(answer, Recoded)
    session.syntactic.accept_recoded(answer)
    return answer


def refused(session: Session) -> Refusal:
    answer = session.syntactic.recoder()(SILENT)
    assert isinstance(answer, Refusal)
    return answer


class TestSearch:
    def test_the_best_levels_are_those_of_the_whole_list(self, session: Session) -> None:
        answer = found(session)
        assert answer.result.optimal
        around = answer.surroundings()
        assert around.complete
        best = around.nodes[0]
        assert best.levels == answer.result.levels
        assert best.score == answer.result.score
        assert len(around.nodes) == 3 * 2
        scores = [node.score for node in around.nodes if node.feasible]
        assert scores == sorted(scores)

    def test_suppression_lets_columns_keep_more(self, session: Session) -> None:
        strict = found(session).result
        session.syntactic.set_suppression_limit(0.04)
        generous = found(session).result
        assert generous.score < strict.score
        assert 0 < generous.suppressed <= 0.04 * ROWS

    def test_it_is_out_of_date_once_the_question_changes(self, session: Session) -> None:
        found(session)
        assert session.syntactic.found_is_current
        session.release.columns.set_level("age", 2)
        assert session.syntactic.found_is_current  # A search does not start from the present levels.
        session.syntactic.set_weight("age", 3)
        assert not session.syntactic.found_is_current
        session.syntactic.set_weight("age", 1)
        assert session.syntactic.found_is_current
        session.release.columns.set_level_limits("age", 1, 2)
        assert not session.syntactic.found_is_current

    def test_limits_are_kept(self, session: Session) -> None:
        session.release.columns.set_level_limits("age", 2, 2)
        assert found(session).result.levels["age"] == 2

    def test_it_can_be_cancelled(self, session: Session) -> None:
        token = CancelToken()
        token.cancel()
        with pytest.raises(Cancelled):
            session.syntactic.best_levels_finder()(Progress(lambda *_: None, token))

    def test_a_contradiction_is_an_answer_in_words(self, session: Session) -> None:
        session.syntactic.set_models([ModelChoice("k-anonymity", {"k": 5}), ModelChoice("k-anonymity", {"k": 6})])
        answer = session.syntactic.best_levels_finder()(SILENT)
        assert isinstance(answer, Refusal)
        assert "twice" in answer.error.message
        assert answer.key == session.syntactic.search_key()


class TestTable:
    def test_the_models_hold_in_it(self, session: Session) -> None:
        session.syntactic.set_suppression_limit(0.04)
        session.release.columns.apply_levels(found(session).result.levels)
        made = recoded(session)
        released = made.released()
        sizes = Counter(released.row(number) for number in range(released.rows))
        assert min(sizes.values()) >= 12
        assert made.rows_in == ROWS
        assert made.rows_out == released.rows == ROWS - made.anonymised.suppressed
        assert sorted(sizes.values()) == sorted(made.anonymised.class_sizes.tolist())

    def test_a_column_a_model_is_about_is_released_as_it_is(self, session: Session) -> None:
        session.syntactic.set_models([ModelChoice("l-diversity", {"l": 2, "column": "city"})])
        session.release.columns.set_level("age", 2)
        made = recoded(session)
        assert made.levels == {"age": 2}
        assert set(made.released()["city"].texts()) == {"Bern", "Chur"}
        assert (
            session.release.columns.treatment("city") is Treatment.GENERALISE
        )  # The other approach goes on as it was.

    def test_a_column_is_grouped_without_a_hierarchy(self, session: Session) -> None:
        session.release.columns.set_treatment("illness", Treatment.GENERALISE)
        session.release.columns.set_level("age", 2)
        session.release.columns.set_level("city", 1)
        made = recoded(session)
        assert made.levels == {"age": 2, "city": 1, "illness": 0}
        assert len(made.anonymised.class_sizes) == 3

    def test_it_is_out_of_date_once_a_setting_changes_and_comes_back(self, session: Session) -> None:
        session.release.columns.set_level("age", 2)
        session.release.columns.set_level("city", 1)
        first = recoded(session)
        assert session.syntactic.recoded_is_current
        session.release.columns.set_level("age", 1)
        assert not session.syntactic.recoded_is_current
        with pytest.raises(WorkbenchError, match="out of date"):
            session.syntactic.current_recoded()
        recoded(session)
        session.release.columns.set_level("age", 2)
        assert session.syntactic.recall_recoded()
        assert session.syntactic.recoded is first

    def test_limits_of_the_search_do_not_concern_it(self, session: Session) -> None:
        session.release.columns.set_level("age", 2)
        session.release.columns.set_level("city", 1)
        recoded(session)
        session.release.columns.set_level_limits("age", 0, 1)
        assert session.syntactic.recoded_is_current

    def test_another_file_forgets_it(self, session: Session) -> None:
        session.release.columns.apply_levels(found(session).result.levels)
        recoded(session)
        session.data.open(session.data.reading.path)
        assert session.syntactic.recoded is None
        assert session.syntactic.found is None


class TestNoClaim:
    def test_levels_that_were_searched_are_not_blind(self, session: Session) -> None:
        assert session.project.anonymise.levels_blind
        session.release.columns.apply_levels(found(session).result.levels)
        assert not session.project.anonymise.levels_blind

    @pytest.mark.parametrize("look", [found, recoded])
    def test_who_looked_has_no_claim_afterwards(self, session: Session, look: object) -> None:
        session.release.columns.set_level("age", 2)
        session.release.columns.set_level("city", 1)
        assert session.release.claim().holds
        look(session)  # type: ignore[operator]
        session.release.columns.set_levels_blind(True)
        session.syntactic.set_approach(AnonymityKind.DP)
        assert not session.release.claim().holds

    def test_a_refusal_counts_as_a_look_too(self, session: Session) -> None:
        session.release.columns.set_level("age", 1)
        session.syntactic.saw_the_data()
        assert not session.release.claim().holds
        session.syntactic.saw_the_data()
        assert len(session.project.looks) == 1


class TestAdvice:
    def test_every_change_helps_by_hand(self, session: Session) -> None:
        session.release.columns.set_level("age", 1)
        session.release.columns.set_level("city", 0)
        said = refused(session)
        assert said.searchable
        assert "10 of 600" in said.told.message
        assert "600" not in str(said.error) and "more rows" in str(said.error)
        kinds = {type(change) for change in said.changes}
        assert kinds == {AllowSuppression, RaiseLevel, WeakenModel}
        for change in said.changes:
            trial = session.snapshot()
            match change:
                case AllowSuppression(limit):
                    trial.syntactic.set_suppression_limit(limit)
                case RaiseLevel(column, level):
                    trial.release.columns.set_level(column, level)
                case WeakenModel(position, parameter, value):
                    assert position == 0
                    trial.syntactic.set_models([ModelChoice("k-anonymity", {parameter: value})])
            assert isinstance(trial.syntactic.recoder()(SILENT), Recoded), change

    def test_the_least_change_is_named(self, session: Session) -> None:
        session.release.columns.set_level("age", 1)
        session.release.columns.set_level("city", 0)
        said = refused(session)
        limit = next(change.limit for change in said.changes if isinstance(change, AllowSuppression))
        assert limit == pytest.approx(10 / ROWS, abs=0.001)
        weaker = next(change for change in said.changes if isinstance(change, WeakenModel))
        assert weaker.value == 5

    def test_a_limit_of_levels_in_the_way_is_named(self, session: Session) -> None:
        session.release.columns.set_level_limits("city", 0, 0)
        session.release.columns.set_level_limits("age", 0, 1)
        answer = session.syntactic.best_levels_finder()(SILENT)
        assert isinstance(answer, Refusal)
        assert AllowLevel("city", 1) in answer.changes

    def test_when_everything_became_a_star_it_says_so(self, session: Session) -> None:
        session.syntactic.set_models([ModelChoice("k-anonymity", {"k": 500})])
        session.release.columns.apply_levels(found(session).result.levels)
        made = recoded(session)
        assert made.advice is not None
        assert "*" in made.advice.error.message
        assert made.advice.changes

    def test_stars_by_choice_lead_to_a_search(self, session: Session) -> None:
        session.release.columns.set_level("age", 2)
        session.release.columns.set_level("city", 1)
        made = recoded(session)
        assert made.advice is not None
        assert made.advice.searchable
        assert not made.advice.changes


class TestSettings:
    @pytest.mark.parametrize(
        "edit",
        [
            lambda s: s.syntactic.set_models([ModelChoice("k-anonymity", {"k": 1})]),
            lambda s: s.syntactic.set_models([ModelChoice("beauty")]),
            lambda s: s.syntactic.set_metric(MetricChoice("loss", {"aggregate": "guess"})),
            lambda s: s.syntactic.set_suppression_limit(1.01),
            lambda s: s.syntactic.set_weight("age", -1),
            lambda s: s.release.columns.set_level_limits("age", 2, 1),
            lambda s: s.release.columns.set_level_limits("age", 0, 9),
        ],
    )
    def test_what_is_impossible_is_refused(self, session: Session, edit: object) -> None:
        before = session.project
        with pytest.raises(WorkbenchError):
            edit(session)  # type: ignore[operator]
        assert session.project is before

    def test_what_was_said_of_a_column_that_is_left_out_does_not_count(self, session: Session) -> None:
        session.syntactic.set_weight("age", 2)
        session.release.columns.set_level_limits("age", 1, 2)
        session.release.columns.set_treatment("age", Treatment.LEAVE_OUT)
        question = session.syntactic.question()
        assert "age" not in question.weights
        assert "age" not in question.limits
        assert "age" not in found(session).result.levels


class TestExport:
    def test_the_kept_rows_are_written_in_order_and_recorded(self, session: Session, tmp_path: Path) -> None:
        session.syntactic.set_suppression_limit(0.04)
        session.release.set_seed(1)
        session.data.set_role(["person"], Role.IDENTIFYING)
        session.release.columns.apply_levels(found(session).result.levels)
        made = recoded(session)
        out = tmp_path / "out.csv"
        session.syntactic.recoded_writer(out)(SILENT)
        session.syntactic.record_recoded(out, made)
        with out.open(newline="", encoding="utf-8") as stream:
            header, *rows = csv.reader(stream)
        plain = [list(made.released().row(number)) for number in range(made.rows_out)]
        assert header == ["age", "city"]
        assert sorted(plain) == rows
        record = session.project.releases[-1]
        assert record.models == "k-anonymity (k = 12)"
        assert not record.claim
        released = record.charge().released
        assert not total([released, ReleaseSpending(Fraction(1), Fraction(1, 10**6))]).bounded

    def test_an_old_table_is_not_written(self, session: Session, tmp_path: Path) -> None:
        session.release.columns.set_level("age", 2)
        session.release.columns.set_level("city", 1)
        recoded(session)
        session.release.columns.set_level("city", 0)
        with pytest.raises(WorkbenchError, match="out of date"):
            session.syntactic.recoded_writer(tmp_path / "out.csv")

    def test_the_data_itself_is_never_overwritten(self, session: Session) -> None:
        session.release.columns.set_level("age", 2)
        session.release.columns.set_level("city", 1)
        recoded(session)
        with pytest.raises(WorkbenchError):
            session.syntactic.recoded_writer(session.data.reading.path)(SILENT)
