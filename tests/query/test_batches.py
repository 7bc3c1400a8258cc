"""Batches as plans: charged before the first answer for what all costs together, and gone on with for nothing."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from workbench.cli.main import main
from workbench.core.composition import ReleaseSpending, TablePart, added, total
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT
from workbench.core.randomness import SeededSource
from workbench.query.catalogue import NoiseSource, QueryDraft
from workbench.query.ledger import Charge, Ledger, LedgerEntry
from workbench.query.ledger_entries import QUESTIONS
from workbench.query.ledger_plans import PLAN
from workbench.query.plan_charges import in_slots, plan_charge
from workbench.session import Session, charged_answers
from workbench.session.batches import groups
from workbench.session.query_answers import PaidAnswer, charge_for

COUNT = QueryDraft("count", "0.1")
ROWS = tuple(f"P{n},{20 + n % 50},{'NS'[n % 2]}" for n in range(60))


@pytest.fixture(autouse=True)
def repeatable_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same noise in every run, so that no test fails by bad luck."""
    seeds = itertools.count()
    monkeypatch.setattr(charged_answers, "SecureSource", lambda: SeededSource(next(seeds)))


def file_of(folder: Path, rows: Sequence[str] = ROWS) -> Path:
    file = folder / "people.csv"
    file.write_text("\n".join(["name,age,area", *rows]) + "\n", encoding="utf-8")
    return file


@pytest.fixture
def session(tmp_path: Path) -> Session:
    session = Session()
    session.data.open(file_of(tmp_path))
    return session


def where(*conditions: str) -> list[QueryDraft]:
    return [replace(COUNT, where=condition) for condition in conditions]


MIXED = [COUNT, *where("age > 30", "age > 40")]
AREAS = where("area = 'N'", "area = 'S'")


def test_a_batch_is_a_plan_with_a_draw_for_each_answer(session: Session) -> None:
    answers = session.queries.batch_asker(MIXED, "0.3")(SILENT)
    plan, *drawn = session.ledger.current.entries
    assert (plan.charge.kind, plan.charge.epsilon, plan.charge.slot) == (PLAN, Fraction(3, 10), None)
    assert [one.charge.slot for one in drawn] == [(plan.id, 0), (plan.id, 1), (plan.id, 2)]
    assert all(one.answer is not None for one in drawn)
    assert [one["what"] for one in plan.charge.parameters[QUESTIONS]] == [one.what for one in answers]
    assert [one.plan for one in answers] == [plan] * 3 and answers[0].paid == plan.charge
    spent = session.ledger.current.spent()
    assert (spent.epsilon, spent.delta, spent.count, spent.plans, spent.bounded) == (Fraction(3, 10), 0, 3, 1, True)
    assert session.queries.stored_batch(MIXED, "0.3") == session.queries.answers() == answers
    # Asked once more it is paid for once more: a batch that is complete is not gone on with.
    session.queries.batch_asker(MIXED, "0.3")(SILENT)
    assert session.ledger.current.spent().epsilon == Fraction(6, 10)


def test_what_another_part_of_the_table_is_asked_costs_nothing_more(session: Session) -> None:
    """A person has one row, in one area: of two answers about two areas one looks at it."""
    plans = session.queries.plan_batch(AREAS, "1")
    priced = session.queries.batch_charge(plans)
    assert priced.epsilon == Fraction(1, 2)
    session.queries.batch_asker(AREAS, "1")(SILENT)
    ledger = session.ledger.current
    assert ledger.spent().epsilon == Fraction(1, 2)
    session.queries.ask(replace(COUNT, epsilon="0.5", where="area = 'W'"))
    assert ledger.spent().epsilon == Fraction(1, 2), "nor does what is asked of a third area later"
    session.queries.ask(replace(COUNT, epsilon="0.25", where="area = 'N'"))
    assert ledger.spent().epsilon == Fraction(3, 4) == added(ledger.history.released).epsilon


@pytest.mark.parametrize("shares", [(1, 5), (5, 1), (2, 2)])
def test_a_plan_on_cells_is_never_dearer_than_adding_up(shares: tuple[int, int]) -> None:
    """At each value only the slots that look at it count, whatever else is released of other values."""
    north, south = (
        ReleaseSpending(Fraction(share), Fraction(share, 10**6), cells=TablePart("area", frozenset([name])))
        for share, name in zip(shares, "NS", strict=True)
    )
    charged = plan_charge("two areas", [north, south]).released
    for other in (north, south, replace(north, cells=TablePart("area", frozenset("NSW")))):
        together, apart = total([charged, other]), total([north, south, other])
        assert (together.epsilon, together.delta) == (apart.epsilon, apart.delta)
    assert total([charged], rows_per_person=2).epsilon == 2 * sum(shares), "two rows may lie in both"


def noise_law(epsilon: float, reach: int = 40) -> np.ndarray[Any, Any]:
    """P[Z = z] for z from −reach to reach; beyond, less than 1e-17 at ε = 1."""
    ratio = math.exp(-epsilon)
    return (1 - ratio) / (1 + ratio) * ratio ** np.abs(np.arange(-reach, reach + 1))


def true_delta(epsilons: Sequence[float], shifts: Sequence[int], whole: float) -> float:
    """δ at ε = `whole` of several noisy counts that one person changes by so much each, all outputs gone through."""
    first = second = np.ones(1)
    for epsilon, shift in zip(epsilons, shifts, strict=True):
        law = noise_law(epsilon)
        padded = np.pad(law, 1)
        here, there = padded, np.roll(padded, shift)
        first, second = np.multiply.outer(first, here).ravel(), np.multiply.outer(second, there).ravel()
    return float(np.maximum(first - math.exp(whole) * second, 0).sum())


def test_the_price_is_true_by_going_through_all_answers(session: Session) -> None:
    """Three noisy counts: what is charged has the δ that was accepted, and a smaller ε would not have it."""
    plans = session.queries.plan_batch(MIXED, "3")
    assert [one.epsilon for one in plans] == [1, 1, 1]
    assert session.queries.batch_charge(plans).epsilon == 3, "without a δ nothing less is true"
    for accepted in ("0.1", "0.3"):
        charge = session.queries.batch_charge(plans, accepted)
        price = float(charge.epsilon)
        assert charge.delta == Fraction(accepted) and price < 3
        changes = list(itertools.product((0, 1), repeat=3))
        worst = max(true_delta([1, 1, 1], shifts, price) for shifts in changes)
        assert worst <= float(accepted) + 1e-12
        assert max(true_delta([1, 1, 1], shifts, price - 0.001) for shifts in changes) > float(accepted)


def test_the_price_on_parts_is_true_by_going_through_all_answers(session: Session) -> None:
    plans = session.queries.plan_batch(AREAS, "2")
    price = float(session.queries.batch_charge(plans).epsilon)
    assert price == 1
    for shifts in ((1, 0), (0, 1)):  # one row is in one area
        assert true_delta([1, 1], shifts, price) <= 1e-15 < true_delta([1, 1], shifts, price - 0.001)


def test_a_second_opinion_on_the_price(session: Session) -> None:
    accounting = pytest.importorskip("dp_accounting")
    from dp_accounting.pld import privacy_loss_distribution as pld

    assert accounting
    plans = session.queries.plan_batch(where(*(f"age > {20 + n}" for n in range(20))), "4")
    price = float(session.queries.batch_charge(plans, "1e-5").epsilon)
    theirs = pld.from_discrete_laplace_mechanism(0.2, 1, value_discretization_interval=1e-4).self_compose(20)
    assert price < 4 and abs(price - theirs.get_epsilon_for_delta(1e-5)) < 0.01


# Interrupted, gone on with, refused


class _Pulled(BaseException):
    """The plug."""


def interrupted(session: Session, monkeypatch: pytest.MonkeyPatch, name: str, after: int) -> None:
    """Ask the batch, and pull the plug before this is done for the nth time."""
    real: Callable[..., Any] = getattr(Ledger, name)
    calls = itertools.count()

    def pulled(self: Ledger, *words: Any) -> Any:
        if next(calls) == after:
            raise _Pulled
        return real(self, *words)

    with monkeypatch.context() as patched:
        patched.setattr(Ledger, name, pulled)
        with pytest.raises(_Pulled):
            session.queries.batch_asker(MIXED, "0.3")(SILENT)


@pytest.mark.parametrize("after", [0, 1, 2])
def test_an_interrupted_batch_stays_charged_and_the_rest_costs_nothing(
    session: Session, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    interrupted(session, monkeypatch, "draw_in", after)
    desk, ledger = session.queries, session.ledger.current
    assert ledger.spent().epsilon == Fraction(3, 10) and len(ledger.entries) == 1 + after
    early = desk.answers()
    assert len(early) == after and desk.stored_batch(MIXED, "0.3") == ()
    begun = desk.begun(desk.plan_batch(MIXED, "0.3"))
    assert begun is not None and begun.open == tuple(range(after, 3)) and not begun.lost
    # What is open is for these questions: another, even the same one asked alone, is paid for by itself.
    desk.ask(COUNT)
    assert ledger.spent().epsilon == Fraction(4, 10)
    ledger.set_budget(Fraction(4, 10))
    answers = desk.batch_asker(MIXED, "0.3")(SILENT)
    assert answers[:after] == early and [one.position for one in answers] == [0, 1, 2]
    assert ledger.spent().epsilon == Fraction(4, 10) and ledger.spent().plans == 1
    assert desk.stored_batch(MIXED, "0.3") == answers and answers[0].problem == ""
    with pytest.raises(WorkbenchError, match="beyond the budget"):
        desk.batch_asker(MIXED, "0.3", again=True)(SILENT)


def test_an_answer_that_was_lost_is_named_and_not_drawn_for_nothing(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted(session, monkeypatch, "answer_all", 1)
    answers = session.queries.batch_asker(MIXED, "0.3")(SILENT)
    assert [one.position for one in answers] == [0, 2]
    assert "lost when the batch was interrupted: Count where age > 30." in answers[0].problem
    assert session.ledger.current.spent().epsilon == Fraction(3, 10)
    # Nothing of it is open any more, so whoever asks it again pays for all of it.
    assert len(session.queries.batch_asker(MIXED, "0.3")(SILENT)) == 3
    assert session.ledger.current.spent().epsilon == Fraction(6, 10)


def test_a_batch_that_is_refused_leaves_nothing_behind(session: Session) -> None:
    ledger = session.ledger.current
    ledger.set_budget(Fraction(2, 10))
    with pytest.raises(WorkbenchError, match="beyond the budget"):
        session.queries.batch_asker(MIXED, "0.3")(SILENT)
    assert ledger.entries == ()
    with pytest.raises(WorkbenchError, match="below 1, and not below the sum"):
        session.queries.batch_asker(MIXED, "0.1", "1")
    with pytest.raises(WorkbenchError, match="several questions with a promise") as caught:
        session.queries.batch_asker([COUNT], "0.1", "1e-6")
    assert caught.value.field == "batch_delta"
    session.queries.batch_asker(AREAS, "0.4")(SILENT)
    assert ledger.spent().epsilon == Fraction(2, 10), "the budget asks for what it costs as a plan"


def test_two_who_ask_the_same_batch_at_once_draw_each_answer_once(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted(session, monkeypatch, "draw_in", 0)
    other, measured = Session(), charged_answers._measured
    other.data.open(Path(session.project.data.path))

    def meanwhile(*words: Any) -> Any:
        monkeypatch.setattr(charged_answers, "_measured", measured)
        other.queries.batch_asker(MIXED, "0.3")(SILENT)
        return measured(*words)

    monkeypatch.setattr(charged_answers, "_measured", meanwhile)
    with pytest.raises(WorkbenchError, match="Somebody else is asking") as caught:
        session.queries.batch_asker(MIXED, "0.3")(SILENT)
    assert "The batch is paid for" in str(caught.value.hint)
    assert session.ledger.current.spent().epsilon == Fraction(3, 10) and len(session.queries.answers()) == 3


def test_nothing_else_is_drawn_in_a_slot(session: Session) -> None:
    plans = session.queries.plan_batch(MIXED, "0.3")
    entry = LedgerEntry("plan", "2024-05-01", session.queries.batch_charge(plans))
    dearer = replace(charge_for((plans[0],)), epsilon=Fraction(1, 2), mechanism=())
    with pytest.raises(ValueError, match="something else"):
        in_slots([entry], "plan", {0: dearer})
    with pytest.raises(ValueError, match="something else"):
        in_slots([entry], "plan", {0: replace(charge_for((plans[0],)), claimed=False)})
    with pytest.raises(IndexError):
        in_slots([entry], "plan", {3: charge_for((plans[0],))})


def test_many_questions_are_charged_in_groups() -> None:
    assert [list(group) for group in groups((0, 2, 3))] == [[0], [2], [3]] and groups(()) == []
    many = groups(tuple(range(1000)))
    assert len(many) <= 8 and list(itertools.chain.from_iterable(many)) == list(range(1000))


# What was written before, and what makes no plan


def test_a_batch_of_an_earlier_version_is_shown_for_nothing(session: Session) -> None:
    plans, ledger = session.queries.plan_batch(MIXED, "0.3"), session.ledger.current
    entry = ledger.charge(charge_for(plans))
    answers = session.queries.batch_asker(MIXED, "0.6")(SILENT)
    ledger.answer(entry.id, {"answers": [one.released.to_json() for one in answers]})
    known: tuple[PaidAnswer, ...] = session.queries.stored_batch(MIXED, "0.3")
    assert [(one.entry.id, one.position, one.plan) for one in known] == [(entry.id, place, None) for place in range(3)]
    assert known[0].paid.epsilon == Fraction(3, 10) and ledger.spent().epsilon == Fraction(9, 10)


def test_published_tools_make_no_plan(session: Session) -> None:
    asked = QueryDraft("mean", "0.5", {"column": "age", "lower": "0", "upper": "100"}, noise=NoiseSource.DIFFPRIVLIB)
    session.queries.batch_asker([asked, replace(asked, where="age > 30")], "1")(SILENT)
    (entry,) = session.ledger.current.entries
    assert (entry.charge.kind, entry.charge.claimed, entry.charge.epsilon) == ("query", False, 1)


# On the command line


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    def command(*words: str, file: Path | None = None, ledger: str = "ledger.jsonl", plain: bool = False) -> Any:
        named = file or file_of(tmp_path)
        more = ["--ledger", str(tmp_path / ledger), *([] if plain else ["--json"])]
        code = main(["query", str(named), *words, *more])
        captured = capsys.readouterr()
        assert code == 0, captured.err
        return captured.out if plain else json.loads(captured.out)

    return command


def batch_file(folder: Path, drafts: Sequence[QueryDraft], **more: str) -> str:
    spec = folder / "batch.json"
    questions = [{"kind": one.kind, "where": one.where} for one in drafts]
    spec.write_text(json.dumps({"epsilon": "1", "questions": questions, **more}), encoding="utf-8")
    return str(spec)


def test_the_command_tells_the_price_before_and_charges_it(tmp_path: Path, run: Callable[..., Any]) -> None:
    many = batch_file(tmp_path, where(*(f"age > {20 + n}" for n in range(40))))
    planned = run("--batch", many, "--batch-delta", "1e-5", "--plan")
    price = planned["planned"]
    assert price["entry"] is None and price["questions"] == 40 and price["added"] == 1
    assert 0.5 < price["epsilon"] < 0.7 and price["delta"] == 1e-5 and planned["spent"]["epsilon"] == 0
    found = run("--batch", many, "--batch-delta", "1e-5")
    assert found["epsilon"] == found["spent"]["epsilon"] == found["planned"]["epsilon"] == price["epsilon"]
    assert found["planned"]["entry"] and not found["stored"] and len(found["answers"]) == 40
    assert {one["epsilon"] for one in found["answers"]} == {0.025}
    again = run("--batch", many)
    assert again["stored"] and again["spent"] == found["spent"]
    words = run("--batch", many, "--batch-delta", "1e-5", "--plan", plain=True)
    assert "This batch was answered before" in words


def test_the_file_of_a_batch_may_say_its_delta(tmp_path: Path, run: Callable[..., Any]) -> None:
    said = run("--batch", batch_file(tmp_path, MIXED, delta="0.1"), "--plan")["planned"]
    assert said["delta"] == 0.1 and said["epsilon"] < 1
    typed = run("--batch", batch_file(tmp_path, MIXED, delta="0.1"), "--plan", "--batch-delta", "0")["planned"]
    assert (typed["epsilon"], typed["delta"]) == (1, 0)
    assert "which is also what they add up to" in run("--batch", batch_file(tmp_path, MIXED), "--plan", plain=True)


def test_the_command_goes_on_with_what_was_interrupted(
    tmp_path: Path, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    spec, real, calls = batch_file(tmp_path, MIXED), Ledger.draw_in, itertools.count()

    def full(self: Ledger, *words: Any) -> Any:
        if next(calls) == 1:
            raise WorkbenchError("The ledger cannot be written.", field="ledger")
        return real(self, *words)

    named = [str(file_of(tmp_path)), "--ledger", str(tmp_path / "ledger.jsonl")]
    with monkeypatch.context() as patched:
        patched.setattr(Ledger, "draw_in", full)
        assert main(["query", *named, "--batch", spec]) == 2
    complaint = capsys.readouterr().err
    assert "The batch is paid for" in complaint and "ε = 1 was charged" in complaint
    assert complaint.count("was charged") == 1, "what its plan pays for is not told as if it cost more"
    assert main(["ledger", *named, "--json"]) == 0
    (plan,) = json.loads(capsys.readouterr().out)["plans"]
    assert (plan["slots"], plan["open"], plan["epsilon"]) == (3, 2, 1)
    assert main(["ledger", *named]) == 0
    assert "ask it again for 2 of 3, at no further cost" in capsys.readouterr().out
    assert "2 questions of it can still be answered" in run("--batch", spec, "--plan", plain=True)
    assert "the rest cost nothing more" in run("--batch", spec, plain=True)
    assert run("--batch", spec)["spent"]["epsilon"] == 1
    assert main(["ledger", *named]) == 0
    assert "ask it again" not in capsys.readouterr().out


def test_a_delta_without_a_batch_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["query", str(file_of(tmp_path)), "--query", "count", "--epsilon", "1", "--batch-delta", "1e-6"]
    assert main(words) == 2 and "--batch-delta says nothing without --batch" in capsys.readouterr().err


@pytest.mark.parametrize("more", ["P60,99,N", "P60,,", "P0,20,W"])
def test_what_is_told_differs_by_no_more_than_the_answers(
    tmp_path: Path, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, more: str
) -> None:
    """Two tables that differ by one row: prices, plans and all that stands beside the answers are the same."""
    told = []
    for place, rows in enumerate([ROWS, (*ROWS, more)]):
        monkeypatch.setattr(charged_answers, "SecureSource", lambda: SeededSource(5))
        file = file_of(tmp_path, rows)
        spec = batch_file(tmp_path, AREAS, delta="1e-6")
        found = [run("--batch", spec, *words, file=file, ledger=f"ledger{place}") for words in (["--plan"], [])]
        told.append([_without(one, {"answer", "interval", "entry"}) for one in found])
    assert told[0] == told[1]


def _without(told: Any, names: set[str]) -> Any:
    if isinstance(told, Mapping):
        return {name: _without(value, names) for name, value in told.items() if name not in names}
    return [_without(one, names) for one in told] if isinstance(told, list) else told


def test_a_plan_of_questions_pays_for_no_file(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted(session, monkeypatch, "draw_in", 0)
    ledger = session.ledger.current
    entry = ledger.charge(Charge("release", "Release a.csv", Fraction(1, 100)))
    assert entry.charge.slot is None and ledger.spent().epsilon == Fraction(31, 100)
