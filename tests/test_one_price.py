"""What is spent and left is one number wherever it stands: the strip, a run, a question, a collection, the ledger."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import count
from pathlib import Path

import pytest

from workbench.cli.main import main
from workbench.core.composition import ADD_REMOVE, REPLACE_ONE, Total
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import rounded_up
from workbench.core.progress import SILENT
from workbench.core.schema import PrivacyUnit, UnitAnswer
from workbench.ldp.choice import ProtocolChoice
from workbench.project.model import new_project
from workbench.query.catalogue import QueryDraft
from workbench.query.remaining_budget import RemainingBudget
from workbench.session import Session
from workbench.session.query_plans import foreseer
from workbench.session.release.assessment import assess
from workbench.session.release.prospect import spent_with_next
from workbench.session.release_facts import release_facts

BUDGET = Fraction(40), Fraction(1, 100)
SLIGHTLY = Fraction(1, 10**9)
Spend = Callable[[Session, Path], object]


def opened(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    """The same data with ledgers of its own, of which nothing was released."""
    folder.mkdir(exist_ok=True)
    monkeypatch.setenv("WORKBENCH_LEDGERS", str(folder / "ledgers"))
    lines = "".join(f"{('cook', 'clerk')[i % 2]},{1_000 * (i % 40)}\n" for i in range(400))
    (folder / "staff.csv").write_text(f"job,pay\n{lines}", encoding="utf-8")
    session = Session(new_project())
    session.data.open(folder / "staff.csv")
    session.data.set_unit(PrivacyUnit(1, protected=UnitAnswer.SAID))
    session.data.attach_hierarchies(session.data.hierarchy_suggester(session.project.schema.names)(SILENT))
    session.queries.set_draft(QueryDraft("count", epsilon="0.5"))
    session.data.set_domain("job", ("cook", "clerk"))
    collect = replace(session.project.collect, column="job", epsilon=1.0)
    session.project = replace(session.project, collect=collect)
    return session


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    return opened(tmp_path / "first", monkeypatch)


def say(session: Session, known: bool) -> None:
    session.release.set_trimming(replace(session.project.anonymise.trim, number_known=known))


def choice() -> ProtocolChoice:
    return ProtocolChoice("grr")


def ask(session: Session, _folder: Path) -> None:
    session.queries.ask(session.project.queries.draft)


def ask_together(session: Session, _folder: Path) -> None:
    draft = session.project.queries.draft
    session.queries.batch_asker([draft, draft], "1")(SILENT)


def collect(session: Session, folder: Path) -> None:
    session.collection.exporter(choice(), folder / f"reports{next(_NUMBERS)}.csv")(SILENT)


def draw(session: Session, _folder: Path) -> None:
    session.release.draw_again()


def plan(session: Session, _folder: Path) -> None:
    session.release.series.plan(3)


_NUMBERS: Iterator[int] = count()


def room_of_question(session: Session) -> tuple[RemainingBudget, Total]:
    found = foreseer(session)(SILENT)
    assert found.remaining is not None and found.spent is not None and found.price == found.remaining.price
    return found.remaining, found.spent


def room_of_collection(session: Session) -> tuple[RemainingBudget, Total]:
    found = session.collection.pricer(choice(), 2)(SILENT)
    return found.remaining, found.spent


ROOMS: dict[str, tuple[Spend, Callable[[Session], tuple[RemainingBudget, Total]]]] = {
    "question": (ask, room_of_question),
    "collection": (collect, room_of_collection),
}


@pytest.mark.parametrize("before", [(), (ask,), (draw,), (collect,), (plan,), (ask, draw, collect)])
@pytest.mark.parametrize("known", [False, True], ids=["hidden", "known"])
def test_every_room_says_what_the_strip_says_and_what_is_charged_then(
    session: Session, tmp_path: Path, known: bool, before: tuple[Spend, ...]
) -> None:
    session.ledger.current.set_budget(*BUDGET)
    say(session, known)
    for spend in before:
        spend(session, tmp_path)
    for spend, room_of in ROOMS.values():
        strip = session.standing
        room, spent = room_of(session)
        assert (spent.epsilon, spent.delta, spent.neighbours) == (
            strip.spent.epsilon,
            strip.spent.delta,
            strip.spent.neighbours,
        )
        assert room.refusal is None and strip.left is not None
        spend(session, tmp_path)
        now = session.standing
        assert (now.spent.epsilon, now.spent.delta) == (room.after.epsilon, room.after.delta)
        assert now.left is not None and now.left.epsilon == room.left
        if room.after.neighbours == strip.spent.neighbours:
            assert now.spent.epsilon - strip.spent.epsilon == room.price[0]
    expected, prospect = spent_with_next(session), assess(session).prospect
    strip = session.standing
    assert prospect is not None and prospect.remaining == strip.remaining
    draw(session, tmp_path)
    if plan not in before:
        assert (session.standing.spent.epsilon, session.standing.spent.delta) == (expected.epsilon, expected.delta)
    else:  # the plan pays
        assert session.standing.spent.epsilon == strip.spent.epsilon and prospect.more == "planned"


@pytest.mark.parametrize("spend", [ask, ask_together, draw, plan, collect])
@pytest.mark.parametrize("known", [False, True], ids=["hidden", "known"])
def test_the_least_budget_that_suffices_is_the_total_that_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, known: bool, spend: Spend
) -> None:
    def begun(name: str) -> Session:
        session = opened(tmp_path / name, monkeypatch)
        say(session, known)
        ask(session, tmp_path)
        return session

    first = begun("first")
    spend(first, tmp_path)
    needed = first.standing.spent
    assert needed.neighbours == (REPLACE_ONE if known or spend is collect else ADD_REMOVE)
    enough = begun("enough")
    enough.ledger.current.set_budget(needed.epsilon, Fraction(1, 100))
    spend(enough, tmp_path)
    assert enough.standing.spent == needed and enough.standing.remaining.startswith("ε 0, ")
    short = begun("short")
    short.ledger.current.set_budget(needed.epsilon - SLIGHTLY, Fraction(1, 100))
    entries = short.ledger.current.entries
    with pytest.raises(WorkbenchError) as refused:
        spend(short, tmp_path)
    assert short.ledger.current.entries == entries
    assert rounded_up(needed.epsilon) in refused.value.message
    assert ("counts twice" in refused.value.message) is known


def test_commands_and_the_checklist_count_alike(
    session: Session, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session.ledger.current.set_budget(*BUDGET)
    say(session, True)
    ask(session, tmp_path)
    session.save(tmp_path / "staff.wbench")
    words = ["query", str(tmp_path / "staff.wbench"), "--query", "count", "--epsilon", "0.5", "--plan", "--json"]
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["spent"]["epsilon"] == float(session.standing.spent.epsilon) == 1.0
    assert told["spent"]["neighbours"] == REPLACE_ONE and told["remaining"]["epsilon"] == 39.0
    draw(session, tmp_path)
    result = session.release.result
    assert result is not None
    facts, left = release_facts(session.state, result, 0), session.standing.left
    assert facts.remaining is not None and left is not None
    assert facts.remaining == left and facts.counted is not None
    assert tuple(map(float, facts.counted)) == session.release.claim().own
