"""What is left of a budget has one answer: what is said of it, what the next draw costs, and what refuses it, agree."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.core.charged_mechanism import LossKind, MechanismPart
from workbench.core.composition import ADD_REMOVE, REPLACE_ONE, ReleaseSpending, TablePart, total
from workbench.core.errors import WorkbenchError
from workbench.core.known_number import KnownNumber
from workbench.core.progress import SILENT
from workbench.core.schema import PrivacyUnit
from workbench.session import Session
from workbench.session.release.assessment import assess
from workbench.session.release.knowledge import answer_number
from workbench.session.standing import NO_BUDGET, Standing, counted_prices

_DELTA = Fraction(1, 100)


@pytest.fixture
def session(staff: Session) -> Session:
    """The rows are people."""
    staff.data.set_unit(PrivacyUnit(1))
    return staff


def public(session: Session, known: bool = True) -> None:
    session.release.set_trimming(replace(session.project.anonymise.trim, number_known=known))


def standing(session: Session) -> Standing:
    return session.standing


@pytest.mark.parametrize("budget", [None, "1", "2", "4"])
@pytest.mark.parametrize("how", ["not known", "in the settings", "said of the draw", "left", "left without a claim"])
def test_what_is_said_is_what_the_next_draw_meets(
    session: Session, tmp_path: Path, budget: str | None, how: str
) -> None:
    ledger = session.ledger.current
    if budget is not None:
        ledger.set_budget(Fraction(budget), _DELTA)
    public(session, how == "in the settings")
    try:
        made = session.release.anonymise()
    except WorkbenchError:
        found = assess(session).prospect
        assert found is not None and not found.fits and not ledger.entries
        return
    known = KnownNumber.NONE if how == "not known" else KnownNumber.PEOPLE
    session.release.say_number_known(made.draw, known)
    if how.startswith("left"):
        try:
            session.release.exporter(tmp_path / "out.csv", without_claim=True, asserted=how == "left")(SILENT)
        except WorkbenchError:
            assert how == "left", "what promises nothing can leave"
            session.release.say_number_known(made.draw, KnownNumber.NONE)
            known = KnownNumber.NONE
    now, found = standing(session), assess(session).prospect
    assert found is not None
    assert now.spent.epsilon == (2 if known else 1) and bool(now.known) is bool(known)
    assert now.only_said is (bool(known) and not ledger.history.number_known)
    assert now.counted_told.startswith("In it 1 counted twice: ") is bool(known), (
        "what makes it jump is said in sight, and goes on being so"
    )
    assert found.remaining == now.remaining and f"{found.more} and δ".startswith("ε 2 more" if known else "ε 1 more")
    if budget is None:
        assert now.left is None and found.remaining == NO_BUDGET and found.fits and "Spent so far" in now.sum
    else:
        assert now.left is not None and now.left.epsilon == max(Fraction(budget) - now.spent.epsilon, 0)
        assert f"ε {now.spent.epsilon} of {budget} " in now.sum
        assert found.fits is (now.left.epsilon >= (2 if known else 1))
    before = ledger.entries
    if found.fits:
        session.release.draw_again()
        assert len(ledger.entries) == len(before) + 1
    else:
        with pytest.raises(WorkbenchError, match="budget"):
            session.release.draw_again()
        assert ledger.entries == before


def test_what_a_plan_pays_for_costs_nothing_more(session: Session) -> None:
    session.ledger.current.set_budget(Fraction(2), _DELTA)
    session.release.series.plan(2)
    for _ in range(2):
        found = assess(session).prospect
        assert found is not None and found.fits and found.more == "planned" and found.cost.startswith("nothing more")
        session.release.draw_again()
    found = assess(session).prospect
    assert found is not None and not found.fits and found.remaining == standing(session).remaining


def test_a_draw_counts_before_it_leaves_and_is_known_to_wait(session: Session, tmp_path: Path) -> None:
    session.release.anonymise()
    assert standing(session).waiting == 1 and standing(session).spent.epsilon == 1
    assert standing(session).sum.startswith("Spent so far  ε 1 "), "nothing was released yet"
    session.release.export(tmp_path / "out.csv")
    assert standing(session).waiting == 0 and standing(session).spent.epsilon == 1


def test_that_all_counts_twice_is_said_where_the_sum_doubles(session: Session, tmp_path: Path) -> None:
    session.release.anonymise()
    session.release.export(tmp_path / "out.csv")
    before = standing(session)
    answer_number(session, known=True)
    after = standing(session)
    assert after.spent.epsilon == 2 * before.spent.epsilon
    assert after.sum.startswith("Spent so far  ε 2 · δ ") and "twice" not in after.sum + before.sum, (
        "why it doubled is said by the answer that it follows from"
    )
    assert after.twice.startswith("You said that others may know the number: so all of it counts twice, together ε 2")
    assert after.counted_told.startswith("In it 1") and "twice" in after.counted_told and not before.counted_told


def test_what_is_spent_reads_the_same_before_and_after_the_file_left(session: Session, tmp_path: Path) -> None:
    public(session)
    session.release.anonymise()
    before = standing(session)
    assert before.sum.startswith("Spent so far  ε 2 · δ ") and "twice" in before.counted_told
    session.release.export(tmp_path / "out.csv")
    after = standing(session)
    assert before.only_said and not after.only_said and after.sum == before.sum


def trimmed(epsilon: str = "1", **more: Any) -> ReleaseSpending:
    amount, delta = Fraction(epsilon), Fraction(1, 10**5)
    return replace(
        ReleaseSpending(amount, delta, mechanism=(MechanismPart(LossKind.TRIM, amount, delta),)),
        **more,
    )


@pytest.mark.parametrize(
    "releases",
    [
        [trimmed(), trimmed("2")],
        [trimmed(), trimmed(rows_per_person=3)],
        [trimmed(), ReleaseSpending(Fraction(1), Fraction(0), neighbours=REPLACE_ONE)],
        [trimmed(number_known=True), trimmed(rows_per_person=2)],
    ],
    ids=["alike", "other rows", "one for replacing", "known"],
)
@pytest.mark.parametrize("rows", [1, 4])
@pytest.mark.parametrize("known", [False, True])
def test_the_prices_of_releases_add_up_to_what_is_said_of_all(
    releases: list[ReleaseSpending], rows: int, known: bool
) -> None:
    """Also where they are brought to the rows of one of them, and where a release by groups stands beside another."""
    found = counted_prices(releases, rows, known=known)
    assert found.together == total([replace(one, number_known=one.number_known or known) for one in releases], rows)
    assert sum(epsilon for epsilon, _ in found.prices) == found.together.epsilon
    assert sum(delta for _, delta in found.prices) == found.together.delta
    assert not found.more and not any(found.paid)


_CELLS = st.none() | st.builds(
    TablePart, st.sampled_from(["a", "b"]), st.frozensets(st.sampled_from("xyz"), min_size=1)
)
_PARTS = st.builds(
    ReleaseSpending,
    st.fractions(0, 3, max_denominator=8),
    st.sampled_from([Fraction(0), Fraction(1, 10**6), Fraction(1, 1000)]),
    rows_per_person=st.sampled_from([1, 1, 1, 2]),
    cells=_CELLS,
    neighbours=st.sampled_from([ADD_REMOVE, ADD_REMOVE, ADD_REMOVE, REPLACE_ONE]),
    number_known=st.sampled_from([False, False, True]),
)


@st.composite
def _releases(draw: st.DrawFn) -> list[ReleaseSpending]:
    found = draw(st.lists(_PARTS, min_size=1, max_size=4))
    if draw(st.booleans()):
        cells = draw(_CELLS)
        slots = tuple(replace(one, cells=cells, number_known=False) for one in draw(st.lists(_PARTS, min_size=1)))
        delta = sum((one.delta for one in slots), Fraction(0))
        epsilon, rows = sum((one.epsilon for one in slots), Fraction(0)), max(one.rows_per_person for one in slots)
        slots = tuple(replace(one, rows_per_person=rows, neighbours=ADD_REMOVE) for one in slots)
        found.append(ReleaseSpending(epsilon, delta, rows, cells=cells, slots=slots, identity="plan"))
        found.append(replace(slots[0], slot=("plan", 0)))
    return found


_FINER = (  # δ of both at the cell is rounded up together, to a last digit that is coarser than theirs
    ReleaseSpending(Fraction(0), Fraction(1, 10**6), cells=TablePart("a", frozenset("x")), number_known=True),
    ReleaseSpending(Fraction(1), Fraction(1, 1000), cells=TablePart("a", frozenset("x"))),
)


@example([*_FINER], 1)
@given(_releases(), st.sampled_from([1, 3]))
@settings(max_examples=examples(200), deadline=None)
def test_no_line_says_less_than_its_part_of_the_sum(releases: list[ReleaseSpending], rows: int) -> None:
    found = counted_prices(releases, rows)
    assert found.together == total(releases, rows)
    lines = [price for price, paid in zip(found.prices, found.paid, strict=True) if not paid]
    assert sum(epsilon for epsilon, _ in lines) >= found.together.epsilon
    assert sum(delta for _, delta in lines) >= found.together.delta
    same = found.together.epsilon, found.together.delta
    adds_up = (sum(one for one, _ in lines), sum(one for _, one in lines)) == same and not any(found.paid)
    assert adds_up is not bool(found.more)
