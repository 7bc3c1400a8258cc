"""Asking through a session: paid before it is answered, kept, shown again for nothing, and refused when untrue."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from workbench.core.composition import TablePart
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Cancelled, CancelToken, Progress
from workbench.core.randomness import SeededSource
from workbench.core.schema import KNOWN_BEFOREHAND, Kind, Misfits, PrivacyUnit
from workbench.core.settings_json import from_json
from workbench.core.working_table import Preparation
from workbench.project.query_settings import QuerySettings
from workbench.project.storage import load_project
from workbench.query import plans
from workbench.query.answer import ReleasedAnswer
from workbench.query.catalogue import NoiseSource, QueryDraft
from workbench.query.counts import DisjointCounts
from workbench.query.diffprivlib_tools import NO_GUARANTEE
from workbench.query.draws import Draws
from workbench.query.experiments import ErrorMeasure
from workbench.query.ledger import Charge, Ledger
from workbench.query.mechanism import StatisticValues
from workbench.session import Session, charged_answers

COUNT = QueryDraft("count", "0.1")


@pytest.fixture(autouse=True)
def repeatable_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same noise in every run, so that no test fails by bad luck; `test_query_command` has the real one."""
    seeds = itertools.count()
    monkeypatch.setattr(charged_answers, "SecureSource", lambda: SeededSource(next(seeds)))


def opened(tmp_path: Path, rows: list[str] | None = None) -> Session:
    lines = rows or [f"P{n},{20 + n % 50},{'NS'[n % 2]},{n % 7}" for n in range(500)]
    file = tmp_path / "people.csv"
    file.write_text("\n".join(["name,age,area,score", *lines]) + "\n", encoding="utf-8")
    session = Session()
    session.data.open(file)
    return session


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return opened(tmp_path)


def mean(**more: Any) -> QueryDraft:
    return QueryDraft("mean", "0.5", {"column": "age", "lower": "0", "upper": "100", **more})


def test_the_words_of_a_question_do_not_make_it_another(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """A version that words it otherwise, such as with the unit of a step, has it all the same, and charges nothing."""
    desk = session.queries
    with monkeypatch.context() as earlier:
        earlier.setattr(plans.QueryPlan, "what", property(lambda _plan: "Mean of age, in earlier words"))
        answered, together = desk.ask(mean()), desk.batch_asker([mean(), mean(lower="1")], "0.3")(SILENT)
    stored = desk.stored(mean())
    assert stored is not None and stored.entry.id == answered.entry.id
    assert desk.stored_batch([mean(), mean(lower="1")], "0.3") == together
    begun = desk.begun(desk.plan_batch([mean(), mean(lower="1")], "0.3"))
    assert begun is not None and begun.complete
    assert desk.stored(mean(lower="1")) is None


def test_an_answer_is_charged_kept_and_shown_again(session: Session) -> None:
    desk = session.queries
    answered = desk.ask(mean())
    assert session.ledger.current.spent().epsilon == Fraction(1, 2)
    (again,) = desk.answers()
    assert (again.released, again.question, again.epsilon) == (answered.released, answered.question, Fraction(1, 2))
    assert abs(answered.released.value - 44.5) < 15
    stored = desk.stored(mean())
    assert stored is not None and stored.entry.id == answered.entry.id
    assert desk.stored(mean(lower="1")) is None
    assert desk.stored(replace(mean(), where="age > 30")) is None
    assert session.ledger.current.spent().epsilon == Fraction(1, 2)
    assert answered.to_json()["question"]["values"]["upper"] == "100"
    # Another session on the same data knows it too.
    other = Session()
    other.data.open(Path(session.data.reading.path))
    assert other.queries.answers()[0].released == answered.released


def test_the_charge_is_written_before_the_answer_is_computed(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def crash(self: DisjointCounts, statistic: StatisticValues, draws: Draws) -> ReleasedAnswer:
        seen.append(Ledger(session.ledger.current.path, session.ledger.current.fingerprint).spent().epsilon)
        raise KeyboardInterrupt

    monkeypatch.setattr(DisjointCounts, "release", crash)
    with pytest.raises(KeyboardInterrupt):
        session.queries.ask(COUNT)
    assert seen == [Fraction(1, 10)]
    assert session.queries.answers() == () and session.ledger.current.spent().epsilon == Fraction(1, 10)


def test_cancelling_before_the_charge_costs_nothing_and_afterwards_is_too_late(session: Session) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        session.queries.asker(COUNT)(Progress(token=token))
    assert session.ledger.current.entries == ()
    late = CancelToken()

    def listener(fraction: float, text: str) -> None:
        if fraction >= 0.9:
            late.cancel()

    answered = session.queries.asker(COUNT)(Progress(listener, late))
    assert answered.released.value is not None and len(session.queries.answers()) == 1


def test_what_is_bound_together_does_not_change_any_more(session: Session) -> None:
    ask = session.queries.asker(COUNT)
    session.data.set_preparation(Preparation("age < 0"))
    session.data.set_unit(PrivacyUnit(5))
    answered = ask(SILENT)
    assert answered.released.value > 300 and answered.entry.charge.rows_per_person == 1


def test_a_step_by_the_bounds_asks_what_the_same_step_asks_that_was_typed(tmp_path: Path) -> None:
    session = opened(tmp_path, [f"P{n},{20 + n % 50},N,{n % 7}.5" for n in range(500)])
    draft = QueryDraft("mean", "1", {"column": "score", "lower": "0", "upper": "200"})
    assert session.project.schema["score"].kind is Kind.DECIMAL
    answered = session.queries.ask(draft)
    assert answered.question["values"]["resolution"] == "0.001", "written down, so that it holds whatever is proposed"
    typed = replace(draft, values={**draft.values, "resolution": "0.001"})
    for same, found in ((draft, True), (typed, True), (replace(typed, values={**typed.values, "upper": "20"}), False)):
        assert (session.queries.stored(same) is not None) is found
    whole = QueryDraft("mean", "1", {"column": "age", "lower": "0", "upper": "200"})
    assert session.queries.plan(whole).values["resolution"] == "", "a step of the kind is none of the bounds"


def test_an_answer_that_cannot_be_kept_is_still_given(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Ledger, answers: Mapping[str, object]) -> None:
        raise WorkbenchError("The disk is full.")

    monkeypatch.setattr(Ledger, "answer_all", full)
    answered = session.queries.ask(COUNT)
    assert "copy it now" in answered.problem and answered.released.value > 300


def test_the_budget_holds(session: Session) -> None:
    session.ledger.current.set_budget(Fraction(3, 10))
    for _ in range(2):
        session.queries.ask(COUNT)
    session.queries.ask(replace(COUNT, epsilon="0.05"))
    with pytest.raises(WorkbenchError, match="beyond the budget") as caught:
        session.queries.ask(COUNT)
    assert "0.05" in caught.value.hint
    session.queries.ask(replace(COUNT, epsilon="0.05"))
    assert session.ledger.current.spent().epsilon == Fraction(3, 10)
    with pytest.raises(WorkbenchError, match="beyond the budget"):
        session.queries.ask(replace(COUNT, epsilon="0.000001"))


def test_disjoint_cells_cost_what_one_does(session: Session) -> None:
    session.ledger.current.set_budget(Fraction(1, 10))
    session.queries.ask(replace(COUNT, where="area = 'N'"))
    session.queries.ask(replace(COUNT, where="area = 'S' and age > 30"))
    assert session.ledger.current.spent().epsilon == Fraction(1, 10)
    with pytest.raises(WorkbenchError, match="beyond"):
        session.queries.ask(replace(COUNT, where="area = 'N'"))


def test_a_batch_is_paid_for_once_or_not_at_all(session: Session) -> None:
    drafts = [replace(COUNT, weight="3"), replace(mean(), weight="1"), QueryDraft("median", values=mean().values)]
    answers = session.queries.batch_asker(drafts, "0.5")(SILENT)
    assert [one.epsilon for one in answers] == [Fraction(3, 10), Fraction(1, 10), Fraction(1, 10)]
    entry, *drawn = session.ledger.current.entries
    assert entry.charge.epsilon == session.ledger.current.spent().epsilon == Fraction(1, 2)
    assert [one.charge.slot for one in drawn] == [(entry.id, place) for place in range(3)]
    assert [one.position for one in session.queries.answers()] == [0, 1, 2]
    session.ledger.current.set_budget(Fraction(6, 10))
    with pytest.raises(WorkbenchError, match="beyond"):
        session.queries.batch_asker(drafts, "0.5")(SILENT)
    assert len(session.ledger.current.entries) == 4


def test_published_tools_are_counted_without_a_claim_and_not_asked_with_others(session: Session) -> None:
    published = replace(mean(), noise=NoiseSource.DIFFPRIVLIB)
    with pytest.raises(WorkbenchError, match="do not promise the same"):
        session.queries.batch_asker([COUNT, published], "1")
    assert session.ledger.current.entries == ()
    session.ledger.current.set_budget(Fraction(2))
    answered = session.queries.ask(published)
    charge, spent = answered.entry.charge, session.ledger.current.spent()
    assert (charge.claimed, charge.epsilon, charge.neighbours) == (False, Fraction(1, 2), "replace-one")
    assert (spent.epsilon, spent.bounded, spent.rows_public) == (Fraction(1, 2), False, 1)
    assert answered.released.notes[0] == answered.unclaimed == NO_GUARANTEE
    assert (answered.to_json()["claim"], answered.to_json()["unclaimed"]) == (False, NO_GUARANTEE)
    again = session.queries.stored(published)
    assert again is not None and again.unclaimed == NO_GUARANTEE
    # What hides whether a person is there costs twice beside it, and the budget holds for all of them.
    session.queries.ask(replace(COUNT, epsilon="0.5"))
    assert session.ledger.current.spent().epsilon == Fraction(3, 2)
    with pytest.raises(WorkbenchError, match="beyond the budget"):
        session.queries.ask(replace(published, epsilon="0.6"))


def test_experiments_cost_nothing_and_repeat(session: Session) -> None:
    desk = session.queries
    with pytest.raises(WorkbenchError, match="no look at this data is recorded"):
        desk.epsilon_tester(mean(), ["1"])
    with pytest.raises(WorkbenchError, match="no look at this data is recorded"):
        desk.rows_tester(mean(), [50])
    with pytest.raises(WorkbenchError, match="no look at this data is recorded"):
        desk.histogram_tester(QueryDraft("histogram", "1", {"column": "area", "keys": "N,S"}))
    assert not desk.looked
    desk.look()
    assert desk.looked and [look.recipe for look in session.ledger.current.history.looks] == ["experiment"]
    run = desk.epsilon_tester(mean(), ["0.1", "1"], repetitions=20, seed=3)
    assert run(SILENT) == run(SILENT)
    assert desk.rows_tester(mean(), [50, 100], repetitions=20)(SILENT).axis == "rows"
    histogram = QueryDraft("histogram", "1", {"column": "age", "lower": "0", "upper": "100"})
    assert sum(desk.histogram_tester(histogram)(SILENT).true) == 500
    median = QueryDraft("median", "1", mean().values, noise=NoiseSource.DIFFPRIVLIB)
    assert desk.epsilon_tester(median, ["1"], repetitions=20)(SILENT).mean[0] < 20
    assert desk.metrics(histogram)[0] is ErrorMeasure.MANHATTAN
    assert session.ledger.current.entries == ()


def test_an_answer_in_an_unknown_form_hides_no_other(session: Session) -> None:
    entry = session.ledger.current.charge(Charge("query", "something", Fraction(1, 10)))
    session.ledger.current.answer(entry.id, {"answers": 5})
    session.queries.ask(COUNT)
    assert len(session.queries.answers()) == 1


# What would make the promise untrue


def test_a_filtered_table_hides_no_rows_of_a_person_from_the_sum(tmp_path: Path) -> None:
    """Everybody has a row in each year: four answers about one year each cost four times ε, not once."""
    years = [f"{year}y" for year in range(2020, 2024)]
    session = opened(tmp_path, [f"P{n},{n % 2},{year},1" for n in range(50) for year in years])
    for unit in (PrivacyUnit(1, "name"), PrivacyUnit(1)):
        session.data.set_unit(unit)
        before = session.ledger.current.spent().epsilon
        for year in years:
            session.data.set_preparation(Preparation(f"area = '{year}'"))
            session.queries.ask(replace(COUNT, where=f"area = '{year}' and age = 1"))
        assert session.ledger.current.spent().epsilon == before + Fraction(4, 10)
    session.data.set_unit(PrivacyUnit(1, "name"))
    session.data.set_preparation(Preparation())
    before = session.ledger.current.spent().epsilon
    for year in years[:2]:
        session.queries.ask(replace(COUNT, where=f"area = '{year}'"))
    assert session.ledger.current.spent().epsilon == before + Fraction(2, 10)


def test_where_the_rows_of_a_person_are_limited_parts_of_the_table_add_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each draw may keep another row of somebody, so that the same person is in both parts."""
    session = opened(tmp_path, ["Ann,30,N,1", "Ann,31,S,1", "Bob,40,S,2"])
    session.data.set_unit(PrivacyUnit(1, "name"))
    session.data.set_preparation(Preparation("area = 'N'"))
    session.queries.ask(COUNT)
    monkeypatch.setattr(plans, "cells_of", lambda *_: TablePart("area", frozenset({"N"})))
    answered = session.queries.ask(replace(COUNT, where="area = 'N'"))
    assert answered.entry.charge.cells is None
    batch = session.queries.batch_asker([replace(COUNT, where="area = 'N'")], "1")(SILENT)
    assert batch[0].entry.charge.cells is None
    session.data.set_unit(PrivacyUnit(1))
    session.data.set_preparation(Preparation())
    assert session.queries.ask(replace(COUNT, where="area = 'S'")).entry.charge.cells is not None


def test_an_answer_of_one_row_of_each_patient_counts_twice_for_a_household_of_two(tmp_path: Path) -> None:
    """The draw limits the rows of a patient. Of a household one is drawn of each, so that two rows come and go with it.

    The ledger knows of what was drawn then, and not whom later charges protect: so what was drawn with one row counts
    up as what was asserted to be one does.
    """
    (tmp_path / "alone").mkdir()
    with_them, without = (
        opened(place, [*rows, "Cid,50,H2,1"])
        for place, rows in ((tmp_path, ["Ann,30,H1,1", "Ann,31,H1,1", "Bob,40,H1,2"]), (tmp_path / "alone", []))
    )
    found = []
    for one in (with_them, without):
        one.data.set_unit(PrivacyUnit(1, "name"))
        one.data.set_preparation(Preparation(limit_rows=True))
        found.append(one.queries.ask(replace(COUNT, epsilon="90")).released.value)
    assert found == [3, 1]
    with_them.data.set_unit(PrivacyUnit(2, "area"))
    rows = with_them.project.schema.unit.rows_per_person
    assert with_them.ledger.current.spent(rows).epsilon == 180


def test_an_answer_about_other_rows_or_other_bounds_is_not_shown_again(session: Session) -> None:
    desk = session.queries
    session.data.set_bounds("age", (0.0, 100.0))
    draft = QueryDraft("mean", "1", {"column": "age"})
    first = desk.ask(draft)

    def known() -> bool:
        return desk.stored(draft) is not None

    assert known()
    session.data.set_bounds("age", (50.0, 150.0))
    assert not known()
    session.data.set_bounds("age", (0.0, 100.0))
    assert known()
    for preparation in (Preparation("age < 30"), Preparation(sample=0.5)):
        session.data.set_preparation(preparation)
        assert not known()
    session.data.set_preparation(Preparation("age >= 0"))
    desk.ask(draft)
    session.data.set_preparation(Preparation(" age>=0 "))
    assert known()
    session.data.set_preparation(Preparation())
    session.data.set_misfits("age", Misfits.MISSING)
    assert not known()
    session.data.set_misfits("age", Misfits.KEEP)
    session.data.set_missing(["age"], ["", "20"])
    assert not known()
    session.data.set_missing(["age"], [""])
    stored = desk.stored(draft)
    assert stored is not None and stored.entry.id == first.entry.id
    assert "0 to 100 in steps of 1" in first.entry.charge.what


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("mean", {}),
        ("histogram", {"bins": "4"}),
        ("quantile", {}),
        ("limited", {}),
        ("group-by", {"by_column": "area", "by_keys": "N, S", "statistic": "mean"}),
    ],
)
def test_bounds_that_are_declared_as_they_were_typed_ask_no_other_question(
    session: Session, kind: str, more: dict[str, str]
) -> None:
    desk, ends = session.queries, {"lower": "20.0", "upper": "70"}
    typed, plain = (QueryDraft(kind, "0.5", {"column": "age", **more, **given}) for given in (ends, {}))
    answer = desk.ask(typed)
    session.data.set_bounds("age", (20.0, 70.0))
    assert (
        [one.entry.id for one in desk.alike(plain)] == [answer.entry.id] == [one.entry.id for one in desk.alike(typed)]
    )
    session.data.set_bounds("age", (20.0, 71.0))
    assert not desk.alike(plain) and desk.alike(typed)


def test_bounds_by_which_groups_are_told_apart_are_no_others_where_they_are_declared(session: Session) -> None:
    given = {"by_column": "age", "by_bins": "5", "column": "score", "lower": "0", "upper": "6", "statistic": "sum"}
    answer = session.queries.ask(QueryDraft("group-by", "0.5", {**given, "by_lower": "20", "by_upper": "70"}))
    session.data.set_bounds("age", (20.0, 70.0))
    stored = session.queries.stored(QueryDraft("group-by", "0.5", given))
    assert stored is not None and stored.entry.id == answer.entry.id
    assert not session.queries.alike(QueryDraft("group-by", "0.5", {**given, "upper": "7"})), (
        "other bounds of the score"
    )


def test_an_answer_says_what_was_asserted(session: Session) -> None:
    answered = session.queries.ask(mean())
    assert answered.asserted == session.queries.plan(mean()).asserted
    assert answered.to_json()["asserted"] == list(answered.asserted)
    assert any(KNOWN_BEFOREHAND in said for said in answered.asserted)


def test_of_persons_with_more_rows_than_accounted_for_no_more_take_part(tmp_path: Path) -> None:
    session = opened(tmp_path, ["Ann,30,N,1", "Ann,31,N,1", "Bob,40,S,2"])
    session.data.set_unit(PrivacyUnit(1, "name"))
    # A refusal would say that somebody has more; what takes part is a rule instead.
    assert session.queries.ask(replace(COUNT, epsilon="50")).released.value == 2
    session.data.set_unit(PrivacyUnit(2, "name"))
    assert session.queries.ask(replace(COUNT, epsilon="80")).released.value == 3
    session.data.set_unit(PrivacyUnit(1, "name"))
    session.data.set_preparation(Preparation(limit_rows=True))
    session.queries.ask(COUNT)


def test_rows_drawn_from_a_seed_answer_nothing(session: Session) -> None:
    session.data.set_preparation(Preparation(sample=0.5))
    session.release.set_seed(3)
    with pytest.raises(WorkbenchError, match="seed"):
        session.queries.ask(COUNT)
    session.release.set_seed(None)
    assert 100 < session.queries.ask(replace(COUNT, epsilon="1")).released.value < 400


def test_what_was_read_from_the_data_is_refused(session: Session) -> None:
    session.data.set_bounds("age", (20.0, 69.0), observed=True)
    with pytest.raises(WorkbenchError, match="read from the data"):
        session.queries.asker(QueryDraft("mean", "1", {"column": "age"}))
    session.data.set_bounds("age", (0.0, 120.0))
    session.queries.ask(QueryDraft("mean", "1", {"column": "age"}))
    session.data.set_kind(["area"], Kind.ORDERED)
    session.data.set_domain("area", ["N", "S"], observed=True)
    with pytest.raises(WorkbenchError, match="read from the data"):
        session.queries.asker(QueryDraft("histogram", "1", {"column": "area"}))
    session.data.set_preparation(Preparation("area < 'S'"))
    with pytest.raises(WorkbenchError, match="no order"):
        session.queries.asker(COUNT)


def test_published_quantiles_are_refused_before_anything_is_spent(session: Session) -> None:
    draft = QueryDraft("median", "1", mean().values, noise=NoiseSource.DIFFPRIVLIB)
    assert session.queries.plan(draft).expected.error is not None
    with pytest.raises(WorkbenchError, match="not made for a release"):
        session.queries.asker(draft)
    assert session.ledger.current.entries == ()


def test_paid_bounds_serve_later_questions(session: Session) -> None:
    wide = {"column": "age", "lower": "0", "upper": "200"}
    low, high = session.queries.ask(QueryDraft("bounds", "50", wide)).released.value
    assert 15 <= low < high <= 75
    session.queries.ask(QueryDraft("mean", "0.5", {"column": "age", "lower": str(low), "upper": str(high)}))
    assert session.ledger.current.spent().epsilon == Fraction(101, 2)


# Data that is not as one would like


def test_a_filter_that_matches_nothing_is_answered_privately(session: Session) -> None:
    for kind, values in (
        ("count", {}), ("sum", mean().values), ("mean", mean().values), ("variance", mean().values),
        ("median", mean().values), ("histogram", {"column": "area", "keys": "N, S"}),
        ("mode", {"column": "area", "keys": "N, S"}),
    ):  # fmt: skip
        released = session.queries.ask(QueryDraft(kind, "1", values, where="age > 1000")).released
        assert released.value is not None
        if kind == "mean":
            assert released.interval == (0, 100) and 0 <= released.value <= 100


def test_missing_values_are_treated_as_chosen(tmp_path: Path) -> None:
    session = opened(tmp_path, [f"P{n},{'' if n % 2 else 40},N,1" for n in range(4000)])
    session.data.set_kind(["age"], Kind.INTEGER)
    values = {"column": "age", "lower": "0", "upper": "100"}

    def answer(**more: str) -> float:
        return float(session.queries.ask(QueryDraft("mean", "20", {**values, **more})).released.value)

    assert answer() == pytest.approx(40, abs=0.5)
    assert answer(missing="0") == pytest.approx(20, abs=0.5)
    session.data.set_misfits("age", Misfits.MISSING)
    assert answer() == pytest.approx(40, abs=0.5)


def test_huge_numbers_do_not_overflow(tmp_path: Path) -> None:
    largest = 2**53
    session = opened(tmp_path, [f"P{n},{largest},N,1" for n in range(3000)])
    session.data.set_kind(["age"], Kind.INTEGER)
    values = {"column": "age", "lower": "0", "upper": str(2**60), "resolution": str(2**20)}
    released = session.queries.ask(QueryDraft("sum", "50", values)).released
    assert released.value == pytest.approx(3000 * largest, rel=0.05)
    assert released.noisy["sum"][0] > 2**43
    narrow = {**values, "upper": str(2**54)}
    assert session.queries.ask(QueryDraft("mean", "50", narrow)).released.value == pytest.approx(largest, rel=0.05)
    variance = session.queries.ask(QueryDraft("variance", "50", narrow)).released.value
    assert 0 <= variance < 2**102


def test_a_group_of_each_kind(session: Session) -> None:
    groups = {"by_column": "area", "by_keys": "N, S, W"}
    counts = session.queries.ask(QueryDraft("group-by", "5", groups)).released
    assert counts.by_label(counts.value).keys() == {"N", "S", "W"} and abs(counts.value[0] - 250) < 30
    sums = session.queries.ask(QueryDraft("group-by", "5", {**groups, **mean().values, "statistic": "sum"})).released
    assert abs(sums.value[0] - 250 * 44) < 1500
    means = session.queries.ask(QueryDraft("group-by", "5", {**groups, **mean().values, "statistic": "mean"})).released
    assert abs(means.value[0] - 44) < 10 and "At least one group" in means.notes[0]


# The project


def test_drafts_are_part_of_the_project(session: Session, tmp_path: Path) -> None:
    desk = session.queries
    assert session.project.queries == QuerySettings()
    desk.set_draft(replace(mean(), where="age > 30", assumed_rows=77, noise=NoiseSource.DIFFPRIVLIB, tool="nanmean"))
    desk.set_batch([COUNT, QueryDraft("histogram", values={"column": "area", "other": True, "bins": 5}, weight="2")])
    desk.set_batch_epsilon("0.7")
    path = tmp_path / "p.wbench"
    session.save(path)
    loaded = load_project(path).queries
    assert plain(loaded) == plain(session.project.queries)
    assert loaded.batch[1].values == {"column": "area", "other": True, "bins": 5}


def plain(settings: QuerySettings) -> Any:
    drafts = [settings.draft, *settings.batch]
    return [{**vars(one), "values": dict(one.values)} for one in drafts], settings.batch_epsilon


@pytest.mark.parametrize(
    "broken",
    [
        {"draft": {"kind": 5}},
        {"draft": {"values": {"column": ["a"]}}},
        {"draft": {"values": {"bins": float("inf")}}},
        {"draft": {"unheard": 1}},
        {"draft": {"engine": "magic"}},
        {"draft": {"assumed_rows": True}},
        {"batch": {}},
        {"batch_epsilon": 1},
        {"unheard": 1},
    ],
)
def test_damaged_drafts_are_noticed(broken: Mapping[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError)):
        from_json(QuerySettings, broken)


def test_a_project_of_an_earlier_program_has_no_drafts() -> None:
    assert from_json(QuerySettings, {}) == QuerySettings()


def test_bounds_that_were_bought_are_offered_to_later_questions(session: Session) -> None:
    desk = session.queries
    wide = {"column": "age", "lower": "0", "upper": "1000"}
    unbounded = QueryDraft("mean", "0.5", {"column": "age"})
    with pytest.raises(WorkbenchError) as missing:
        desk.plan(unbounded)
    assert "bought" not in str(missing.value.hint) and desk.bought(unbounded) is None
    low, high = desk.ask(QueryDraft("bounds", "50", wide)).released.value
    spent = session.ledger.current.spent().epsilon
    with pytest.raises(WorkbenchError) as missing:
        desk.plan(unbounded)
    assert missing.value.field == "lower" and f"{low:g} to {high:g}, were bought on" in str(missing.value.hint)
    bought = desk.bought(unbounded)
    assert bought is not None and (float(bought.lower), float(bought.upper)) == (low, high)
    asked = bought.used_in(unbounded)
    assert desk.plan(asked).expected.half_width < desk.plan(replace(unbounded, values=wide)).expected.half_width / 2
    assert bought.is_used_in(asked) and not bought.is_used_in(unbounded)
    # They are for their own column, and for whichever of two columns of a question they fit.
    assert desk.bought(QueryDraft("mean", "0.5", {"column": "score"})) is None
    by = desk.bought(QueryDraft("group-by", "0.5", {"by_column": "age", "statistic": "count"}))
    assert by is not None and by.used_in(QueryDraft("group-by", "1", {})).values == {
        "by_lower": bought.lower,
        "by_upper": bought.upper,
    }
    assert desk.bought(QueryDraft("bounds", "5", wide)) is None, "bounds are asked with wide ones"
    assert session.ledger.current.spent().epsilon == spent
