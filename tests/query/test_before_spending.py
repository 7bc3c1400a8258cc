"""What is said before anything is spent: what a charge would leave, figures, and the command that does the same."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from workbench.cli.column_options import carry_over
from workbench.cli.commands import parser_of
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import shown
from workbench.core.schema import Format, Kind, PrivacyUnit
from workbench.project.model import Preparation
from workbench.query.catalogue import QueryDraft
from workbench.query.experiments import usual_sizes
from workbench.query.ledger import Charge, Ledger
from workbench.session import Session
from workbench.session.query_command import command


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "a.ledger", "f" * 64)


def test_what_a_charge_would_leave_is_what_charging_it_leaves(ledger: Ledger) -> None:
    third = Charge("query", "a third", Fraction(1, 3))
    assert ledger.remaining_after(third).budget is None and ledger.remaining_after(third).left is None
    ledger.set_budget(Fraction(1))
    for spent in (Fraction(0), Fraction(1, 3), Fraction(2, 3)):
        room = ledger.remaining_after(third)
        assert room.refusal is None and room.left == 1 - spent - Fraction(1, 3)
        assert ledger.entries == ledger.history.entries and ledger.spent().epsilon == spent
        ledger.charge(third)
        remaining = ledger.remaining()
        assert remaining is not None and remaining.epsilon == room.left
    room = ledger.remaining_after(third)
    assert room.refusal is not None and room.fitting == 0
    with pytest.raises(WorkbenchError) as refused:
        ledger.charge(third)
    assert str(refused.value) == str(room.refusal)


def test_what_is_said_to_fit_does_fit_and_nothing_more(ledger: Ledger) -> None:
    ledger.set_budget(Fraction(1))
    ledger.charge(Charge("query", "before", Fraction(1, 7), rows_per_person=3))
    wanted = Charge("query", "too much", Fraction(2))
    fitting = ledger.remaining_after(wanted).fitting
    assert fitting > 0
    more = Charge("query", "a little more", fitting + Fraction(1, 10**9))
    assert ledger.remaining_after(more).refusal is not None
    exactly = Charge("query", "what fits", fitting)
    assert ledger.remaining_after(exactly).refusal is None and ledger.remaining_after(exactly).left == 0
    ledger.charge(exactly)


def test_numbers_are_written_for_people() -> None:
    assert shown(2_911_684.3, None, 6) == "2,911,680"
    assert shown(3_615_443.2, None, 4) == "3,615,000"
    assert shown(1234.5678, None, 4) == "1,235"  # rounded, not cut off
    assert shown(1234.5678, None, 6) == "1,234.57"
    assert shown(-0.5, None, 4) == "-0.5"
    assert shown(1e17, None, 4) == "1e+17"
    assert shown(1234.5678, None, 6, grouped=False) == "1234.57"


def test_samples_grow_up_to_all_rows() -> None:
    sizes = usual_sizes(5000)
    assert sizes[0] == 10 and sizes[-1] == 5000 and list(sizes) == sorted(set(sizes))
    assert usual_sizes(1) == (1,)
    with pytest.raises(WorkbenchError, match="No row matches"):
        usual_sizes(0)


@pytest.fixture
def session(tmp_path: Path) -> Session:
    data = tmp_path / "people.csv"
    data.write_text('temperature,day,town\n-3,2020-01-31,north\n4,2020-02-01,"east, far"\n', encoding="utf-8")
    session = Session()
    session.data.open(data)
    return session


def test_the_command_writes_out_what_is_declared(session: Session) -> None:
    session.data.set_bounds("temperature", (-40.0, 50.5))
    session.data.set_domain("town", ("north", "east, far"), observed=False)
    session.data.set_unit(PrivacyUnit(2))
    draft = QueryDraft("mean", "0.25", {"column": "temperature", "resolution": "0.5"}, "town = 'north'")
    words = command(draft, session.project, None)
    assert "--lower=-40" in words and words[words.index("--upper") + 1] == "50.5"
    assert words[words.index("--rows-per-person") + 1] == "2"
    assert words[words.index("--where") + 1] == "town = 'north'" and words[words.index("--epsilon") + 1] == "0.25"
    counts = command(QueryDraft("histogram", "1", {"column": "town", "other": True}), session.project, None)
    assert counts[counts.index("--keys") + 1] == 'north, "east, far"' and "--other" in counts


def test_bounds_that_were_read_from_the_data_are_not_written_out(session: Session) -> None:
    session.data.set_bounds("temperature", (-3.0, 4.0), observed=True)
    words = command(QueryDraft("mean", "1", {"column": "temperature"}), session.project, None)
    assert not any("lower" in word for word in words)


def test_dates_are_written_as_dates(session: Session) -> None:
    assert session.project.schema["day"].kind is Kind.DATE
    session.data.set_bounds("day", (18262.0, 18293.0))
    words = command(QueryDraft("median", "1", {"column": "day"}), session.project, None)
    assert words[words.index("--lower") + 1] == "2020-01-01" and words[words.index("--upper") + 1] == "2020-02-01"


def test_how_columns_are_read_is_written_out_where_it_is_not_the_guess(tmp_path: Path) -> None:
    path = tmp_path / "pay.csv"
    path.write_text("pay;town\n" + "".join(f"{n}.250;x\n{n}150;y\n" for n in range(30, 60)) + "-9;x\n")
    session = Session()
    loaded = session.data.open(path)
    drafts = (
        QueryDraft("mean", "1", {"column": "pay", "lower": "0", "upper": "90000"}),
        QueryDraft("count", "1", {}, "pay > 5"),
    )
    for draft in drafts:
        assert "--format" not in command(draft, session.project, None, loaded)
    session.data.set_kind(["pay"], Kind.INTEGER)
    session.data.set_format("pay", Format(",", "."))
    session.data.set_missing(["pay"], ["", "-9"])
    for draft in drafts:
        words = command(draft, session.project, None, loaded)
        options = parser_of(["query"]).parse_args(words[1:])
        again = Session()
        again.data.open(path)
        carry_over(again, options)
        assert again.project.schema["pay"] == session.project.schema["pay"]
        assert "--format" not in command(draft, session.project, tmp_path / "p.wbench", loaded)
    assert "--kind" not in command(QueryDraft("count", "1", {}, "town = 'x'"), session.project, None, loaded)
    session.data.set_missing(["pay"], ["-9"])
    with pytest.raises(WorkbenchError, match="No command says how “pay”"):
        command(drafts[0], session.project, None, loaded)


def test_a_saved_project_says_everything_itself(session: Session, tmp_path: Path) -> None:
    session.data.set_bounds("temperature", (-40.0, 50.0))
    session.data.set_preparation(Preparation("temperature > 0"))
    draft = QueryDraft("above-threshold", "1", {"questions": "temperature > 1\n\ntemperature > 2"})
    with pytest.raises(WorkbenchError, match="needs the project"):
        command(draft, session.project, None)
    words = command(draft, session.project, tmp_path / "a.wbench")
    assert words[2] == str(tmp_path / "a.wbench") and words.count("--questions") == 2
    assert not any("lower" in word for word in words)
