"""Groups that nobody declared: which values appear is part of the answer, and one person changes it by (ε, δ)."""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.query.helpers import measured, question, seeded
from workbench.cli.main import main
from workbench.core.charged_mechanism import LossKind, MechanismPart
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT
from workbench.core.schema import ColumnSpec, Kind, PrivacyUnit, Schema
from workbench.core.table import Column, Table
from workbench.core.trim_law import TrimLaw, trim_law
from workbench.query.answer import ReleasedAnswer
from workbench.query.catalogue import QueryDraft
from workbench.query.epsilon_for import solve
from workbench.query.plans import QueryPlan, plan
from workbench.query.rows import Rows
from workbench.query.undeclared import PART, UndeclaredGroups
from workbench.session import Session, charged_answers

KIND = "undeclared-groups"
EPSILON, DELTA = "1", "0.05"


class Scripted:
    """Draws that are prescribed, with their chance; nothing else is drawn."""

    def __init__(self, lost: Sequence[int] = ()) -> None:
        self.lost = tuple(lost)
        self.chance = Fraction(1)

    def trimmed(self, law: TrimLaw, groups: int) -> NDArray[np.int64]:
        assert groups == len(self.lost)
        for one in self.lost:
            self.chance *= Fraction(law.weights[one], law.total)
        return np.array(self.lost, dtype=np.int64)


def growth(epsilon: str) -> Fraction:
    """e^ε, rounded down."""
    with localcontext(prec=200):
        return Fraction(Decimal(epsilon).exp()) * (1 - Fraction(1, 10**195))


def law_of(towns: Sequence[str], one: QueryPlan, told: Callable[[ReleasedAnswer], str]) -> dict[str, Fraction]:
    """How likely each answer about a table with these towns is, over every draw."""
    table = Table((Column.from_texts("town", list(towns)),))
    statistic = one.mechanism.measure(Rows.of(table, _schema(), None))
    assert isinstance(one.mechanism, UndeclaredGroups)
    found: dict[str, Fraction] = {}
    for lost in itertools.product(range(len(one.mechanism.law.weights)), repeat=len(statistic[PART])):
        draws = Scripted(lost)
        answer = told(one.mechanism.release(statistic, draws))  # type: ignore[arg-type]
        found[answer] = found.get(answer, Fraction(0)) + draws.chance
    assert sum(found.values()) == 1
    return found


def _schema(rows: int = 1) -> Schema:
    return Schema((ColumnSpec("town", Kind.TEXT),), PrivacyUnit(rows))


def beyond(one: dict[str, Fraction], other: dict[str, Fraction], factor: Fraction) -> Fraction:
    return sum(
        (max(Fraction(0), p - factor * other.get(answer, Fraction(0))) for answer, p in one.items()), Fraction(0)
    )


def _tables(most: int) -> Iterator[tuple[str, ...]]:
    for size in range(most + 1):
        yield from itertools.combinations_with_replacement("AB", size)


@pytest.mark.parametrize("rows", [1, 2])
def test_every_neighbouring_pair_of_small_tables_keeps_epsilon_and_delta_exactly(rows: int) -> None:
    one = plan(QueryDraft(KIND, EPSILON, {"column": "town", "delta": DELTA}), _schema(rows))
    laws: dict[tuple[str, ...], dict[str, Fraction]] = {}

    def law(towns: tuple[str, ...]) -> dict[str, Fraction]:
        key = tuple(sorted(towns))
        if key not in laws:
            laws[key] = law_of(key, one, lambda answer: json.dumps(answer.to_json(), sort_keys=True))
        return laws[key]

    worst = Fraction(0)
    for few in _tables(4 if rows == 1 else 3):
        # The person's rows may be anywhere: in groups that are there, in one that only they fill, or without a value.
        for person in itertools.combinations_with_replacement(("A", "B", "C", ""), rows):
            more = (*few, *person)
            for left, right in ((law(few), law(more)), (law(more), law(few))):
                worst = max(worst, beyond(left, right, growth(EPSILON)))
    assert worst <= one.delta == Fraction(DELTA)
    assert rows > 1 or worst > one.delta * Fraction(99, 100), "δ is what is spent, not more"


@pytest.mark.parametrize("pair", [(["A"] * 3, ["A"] * 3 + ["B"]), (["A"] * 2, ["A"] * 3), ([], ["A"])])
def test_what_commands_print_and_keep_differs_by_no_more_than_the_answer(
    pair: tuple[list[str], list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    epsilon, delta = "1", "0.1"
    weights = trim_law(Fraction(epsilon), Fraction(delta)).weights
    laws = []
    for side, towns in enumerate(pair):
        found: dict[str, Fraction] = {}
        for number, lost in enumerate(itertools.product(range(len(weights)), repeat=len(set(towns)))):
            home = tmp_path / f"{side}_{number}"
            home.mkdir()
            data = home / "people.csv"
            data.write_text("".join(f"{town},1\n" for town in ("town", *towns)).replace("town,1", "town,n"))
            draws = Scripted(lost)
            monkeypatch.setattr(charged_answers, "ExactDraws", lambda _source, draws=draws: draws)
            monkeypatch.setenv("WORKBENCH_LEDGERS", str(home / "ledgers"))  # none knows of the tables before
            words = ["query", str(data), "--query", KIND, "--column", "town", "--epsilon", epsilon, "--delta", delta]
            said = []
            for more in ([], ["--json"]):
                said.append(str(main([*words, *more])))
                printed = capsys.readouterr()
                said += [printed.out, printed.err]
            text = "\n".join(said).replace(str(home), "HERE")
            found[_without_entry(text)] = found.get(_without_entry(text), Fraction(0)) + draws.chance
        laws.append(found)
    for left, right in (laws, laws[::-1]):
        assert beyond(left, right, growth(epsilon)) <= Fraction(delta)
    assert all("δ = 0.1" in text and '"delta": 0.1' in text for found in laws for text in found)


def _without_entry(text: str) -> str:
    """Without the number of the entry, which is random, and the day."""
    lines = [line for line in text.splitlines() if not line.startswith("This answer was paid for with")]
    *_, last = (line for line in lines if line.startswith("{"))
    plain = json.loads(last)
    plain.pop("entry")
    return "\n".join([*(line for line in lines if line != last), json.dumps(plain, sort_keys=True)])


def opened(tmp_path: Path, towns: Sequence[str]) -> Session:
    file = tmp_path / "people.csv"
    file.write_text("\n".join(["name,town", *(f"P{n},{town}" for n, town in enumerate(towns))]) + "\n")
    session = Session()
    session.data.open(file)
    return session


def draft(**more: Any) -> QueryDraft:
    return QueryDraft(KIND, "1", {"column": "town", **more})


def test_a_delta_is_charged_kept_and_shown_again(tmp_path: Path) -> None:
    session = opened(tmp_path, ["Ulm"] * 60 + ["Bonn"] * 50 + ["Kiel"])
    answered = session.queries.ask(draft())
    spent = session.ledger.current.spent()
    assert (spent.epsilon, spent.delta) == (Fraction(1), Fraction(1, 100_000))
    assert answered.delta == spent.delta and answered.to_json()["delta"] == 1e-5
    assert answered.entry.charge.mechanism == (MechanismPart(LossKind.TRIM, Fraction(1), Fraction(1, 100_000)),)
    assert set(answered.released.labels[0]) >= {"Ulm", "Bonn"}
    assert list(answered.released.labels[0]) == sorted(answered.released.labels[0])
    stored = session.queries.stored(draft())
    assert stored is not None and stored.released == answered.released
    assert session.queries.stored(draft(delta="1e-6")) is None
    assert ReleasedAnswer.from_json(json.loads(json.dumps(answered.released.to_json()))) == answered.released


def test_a_budget_without_delta_refuses_it_before_anything_is_drawn(tmp_path: Path) -> None:
    session = opened(tmp_path, ["Ulm"] * 60)
    session.ledger.current.set_budget(Fraction(5), Fraction(0))
    with pytest.raises(WorkbenchError) as refused:
        session.queries.ask(draft())
    assert refused.value.field == "delta"
    assert not session.ledger.current.entries


@pytest.mark.parametrize("towns", [[], ["Kiel"], [""] * 40, ["Kiel", "Ulm", ""]])
def test_no_refusal_depends_on_the_data(tmp_path: Path, towns: list[str]) -> None:
    session = opened(tmp_path, towns)
    answered = session.queries.ask(draft(delta="1e-9"))
    assert answered.released.value == [] and answered.released.labels == ((),)
    assert answered.released.notes == ("No value has enough rows to appear.",)
    assert answered.released.table() == [("", "value", "at least", "at most")]


def test_in_a_batch_each_question_has_its_own_delta_and_epsilon_by_weight(tmp_path: Path) -> None:
    session = opened(tmp_path, ["Ulm"] * 60)
    drafts = [draft(delta="1e-5"), draft(delta="1e-6"), QueryDraft("count", "1")]
    answers = session.queries.batch_asker(drafts, "3")(SILENT)
    spent = session.ledger.current.spent()
    assert (spent.epsilon, spent.delta) == (Fraction(3), Fraction(11, 1_000_000))
    assert [answer.delta for answer in answers] == [Fraction(1, 10**5), Fraction(1, 10**6), 0]


def test_equal_numbers_are_one_group_however_they_are_written() -> None:
    described = Schema((ColumnSpec("age", Kind.DECIMAL),))
    one = question(KIND, described=described, column="age", delta="0.1")
    rows = ["10", "1", "1.00", "1.0", "9.5", "x", "", "1.25"]
    statistic = one.mechanism.measure(Rows.of(Table((Column.from_texts("age", rows),)), described, None))
    assert dict(zip(statistic["labels"], statistic[PART], strict=True)) == {"1": 3, "1.25": 1, "9.5": 1, "10": 1}
    assert list(statistic["labels"]) == ["1", "1.25", "9.5", "10"], "in their order, and not in that of the file"


def test_rows_that_a_filter_leaves_out_are_in_no_group() -> None:
    one = question(KIND, where="age >= 1", column="town", delta="0.1")
    statistic = measured(one, [("0", "A"), ("1", "B"), ("2", "B")])
    assert dict(zip(statistic["labels"], statistic[PART], strict=True)) == {"B": 2}


@pytest.mark.parametrize(("epsilon", "delta"), [("1", "1e-5"), ("0.3", "0.01"), ("8", "1e-9"), ("30", "1e-3")])
def test_an_interval_holds_the_rows_of_each_value_that_appears_in_95_percent(epsilon: str, delta: str) -> None:
    mechanism = question(KIND, epsilon, column="town", delta=delta).mechanism
    assert isinstance(mechanism, UndeclaredGroups)
    law = mechanism.law
    for rows in range(1, law.always_survive + 3):
        shown = [(Fraction(weight, law.total), rows - lost) for lost, weight in enumerate(law.weights) if lost < rows]
        inside = sum(chance for chance, left in shown if left <= rows <= left + mechanism.reach)
        assert inside >= Fraction(95, 100) * sum(chance for chance, _ in shown)
    assert law.epsilon <= Fraction(epsilon) and law.delta == Fraction(delta)


def test_what_is_expected_and_simulated_is_what_is_drawn() -> None:
    one = question(KIND, column="town", delta="0.01")
    mechanism = one.mechanism
    assert isinstance(mechanism, UndeclaredGroups)
    assert one.expected.error == mechanism.law.mean_lost and one.expected.half_width == mechanism.reach
    statistic = measured(one, [("1", "A")] * 8 + [("1", "B")] * 3)
    drawn = 4000
    simulated = mechanism.simulate(statistic, drawn, np.random.default_rng(3))
    counts: Counter[tuple[int, int]] = Counter()
    draws = seeded(5)
    for _ in range(drawn):
        released = mechanism.release(statistic, draws)
        left = dict(zip(released.labels[0], released.value, strict=True))
        counts[left.get("A", 0), left.get("B", 0)] += 1
    for place, name in enumerate(("A", "B")):
        for left in range(9):
            said = float((simulated[:, place] == left).mean())
            given = sum(times for pair, times in counts.items() if pair[place] == left) / drawn
            assert abs(said - given) < 5 * math.sqrt(0.5 / drawn), (name, left)


@pytest.mark.parametrize("delta", ["0", "-1", "0.5", "1", "many", "1e-400"])
def test_an_impossible_delta_is_refused_where_it_stands(delta: str) -> None:
    with pytest.raises(WorkbenchError) as refused:
        question(KIND, column="town", delta=delta)
    assert refused.value.field == "delta"


def test_the_epsilon_for_a_wanted_error_is_found() -> None:
    found = solve(QueryDraft(KIND, "1", {"column": "town", "delta": "1e-9"}), _schema(), "20")
    expected = question(KIND, found, column="town", delta="1e-9").expected.half_width
    assert expected is not None and expected <= 20
    less = question(KIND, str(float(found) * 0.98), column="town", delta="1e-9").expected.half_width
    assert less is not None and less > 20


def test_the_promise_says_the_delta() -> None:
    one = question(KIND, column="town", delta="1e-6")
    assert "δ = 1e-6" in one.in_words
    assert "δ = 1e-6" in one.mechanism.edges[0]
    assert one.parameters["delta"] == "1/1000000"
    assert "delta" not in question("count").parameters, "answers without one are found as they were kept"
