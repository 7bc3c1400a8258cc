"""Where `*` or few rows are all there is to choose from, coarser numbers that spare both are offered."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.core.progress import SILENT
from workbench.core.schema import Role
from workbench.project.model import new_project
from workbench.session import Session
from workbench.session.finer_edits import take_finer
from workbench.session.release.assessment import assess
from workbench.session.release.knowledge import say
from workbench.session.release.star_choice import StarChoice, star_choice
from workbench.session.release.steps import LevelSource

_KNOWN = {"region": ("North, East, South, West", ""), "product": ("a, b, c, d", ""), "balance": ("0-60000", "")}


def written(folder: Path, more: str = "") -> Path:
    """A table of customers."""
    folder.mkdir()
    rows = [f"{('North', 'East', 'South', 'West')[i % 4]},{'abcd'[i // 4 % 4]},{i * 97 % 60_000}" for i in range(400)]
    (folder / "bank.csv").write_text("\n".join(["region,product,balance", *rows]) + f"\n{more}", encoding="utf-8")
    return folder / "bank.csv"


def prepared(folder: Path, *, people: int, more: str = "") -> Session:
    """Customers of whom region, product and balance matter most."""
    session = Session(new_project())
    session.data.open(written(folder, more))
    prepare(session, people)
    return session


def prepare(session: Session, people: int = 3000) -> None:
    """Say what can occur in what matters most, and how many people there are."""
    session.data.set_role(list(_KNOWN), Role.QUASI)
    session.data.attach_hierarchies(session.data.hierarchy_suggester(list(_KNOWN))(SILENT))
    session.release.steps.set_source(LevelSource.BALANCED)
    say(session, _KNOWN, expected_rows=people, number_known=False, most=dict.fromkeys(_KNOWN, True))
    take_finer(session, session.data.hierarchy_suggester(list(_KNOWN))(SILENT))


def choice_of(session: Session) -> StarChoice | None:
    prospect = assess(session).prospect
    assert prospect is not None and prospect.outlook is not None
    return star_choice(session, prospect.outlook)


def test_coarser_numbers_are_offered_where_both_other_ways_give_little(tmp_path: Path) -> None:
    session = prepared(tmp_path / "one", people=3000)
    choice = choice_of(session)
    assert choice is not None and not choice.is_never
    assert choice.may.endswith("but only 0–90 % still say product")
    assert choice.never == "Never * in region, product and balance: 10–95 % of rows come out"
    assert choice.coarser == "Balance by 10,000 and never *: 55–95 % of rows come out"
    choice.choose_coarser(session)
    now = assess(session)
    told = {(one.column, one.words, one.rows) for one in now.details if max(one.rows)}
    assert told == {
        ("region", "as it is", (55, 95)),
        ("product", "as it is", (55, 95)),
        ("balance", "intervals of 10,000", (55, 95)),
    }, "it gives what it said"
    then = choice_of(session)
    assert then is not None and then.is_never and not then.coarser, "what was chosen stays beside the way back"


@pytest.mark.parametrize("people", [1500, 6000, 12_000])
def test_it_is_not_offered_where_another_way_gives_as_much_or_it_would_give_little(tmp_path: Path, people: int) -> None:
    choice = choice_of(prepared(tmp_path / "one", people=people))
    assert choice is None or not choice.coarser


def test_no_row_decides_what_is_offered(tmp_path: Path) -> None:
    one = choice_of(prepared(tmp_path / "a", people=3000))
    other = choice_of(prepared(tmp_path / "b", people=3000, more="South,d,59999\n"))
    assert one is not None and other is not None and one.coarser
    assert (one.may, one.never, one.coarser) == (other.may, other.never, other.coarser)
