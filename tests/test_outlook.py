"""What is said of a release before it is made: from public facts, the same for any rows, and with what would help."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from workbench.anonymise.balanced import Importance
from workbench.anonymise.dp_search import PrivateSearch
from workbench.anonymise.recipe import Treatment
from workbench.core.progress import SILENT
from workbench.project.model import LevelsBy, new_project
from workbench.session import Session
from workbench.session.release.assessment import assess
from workbench.session.release.outlook import Outlook
from workbench.session.release.remedies import remedies
from workbench.session.release.steps import LevelSource

_ROWS = [
    (f"19{50 + i % 50}-0{1 + i % 9}-11", f"{10000 + i * 37 % 900}", ("cook", "Clerk")[i % 2], 900 * i)
    for i in range(60)
]


def opened(folder: Path, *more: tuple[str, str, str, int]) -> Session:
    """A new project of a table of which every hierarchy is built by a public rule, with these rows besides."""
    folder.mkdir()
    lines = (f"{born},{code},{job},{pay}\n" for born, code, job, pay in (*_ROWS, *more))
    (folder / "staff.csv").write_text("born,postcode,job,pay\n" + "".join(lines), encoding="utf-8")
    session = Session(new_project())
    session.data.open(folder / "staff.csv")
    session.data.attach_hierarchies(session.data.hierarchy_suggester(session.project.schema.names)(SILENT))
    return session


def expect(session: Session, rows: int | None) -> None:
    session.release.set_trimming(replace(session.project.anonymise.trim, expected_rows=rows))


def outlook(session: Session) -> Outlook:
    prospect = assess(session).prospect
    assert prospect is not None and prospect.outlook is not None
    return prospect.outlook


@pytest.mark.parametrize("source", [LevelSource.BALANCED, LevelSource.STEPS, LevelSource.HAND])
@pytest.mark.parametrize("rows", [None, 2400])
def test_a_person_more_changes_neither_steps_nor_outlook(tmp_path: Path, source: LevelSource, rows: int | None) -> None:
    sessions = [opened(tmp_path / "one"), opened(tmp_path / "other", ("1811-12-31", "99999", "Lord Mayor", 987_654))]
    for session in sessions:
        session.release.steps.set_source(source)
        expect(session, rows)
    one, other = sessions
    assert one.project.hierarchies["born"].groups() != other.project.hierarchies["born"].groups()
    assert one.release.chain() == other.release.chain()
    assert outlook(one) == outlook(other)


def test_by_degree_it_warns_and_balanced_steps_do_better(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    expect(session, 2400)
    session.release.steps.set_source(LevelSource.STEPS)
    before = outlook(session)
    assert before.wanting and "hardly anything survives there" in before.words and "your 2,400 people" in before.words
    assert remedies(session, before)[0].words == "In steps (recommended)"
    assert "every column is *" in before.words
    session.release.steps.set_source(LevelSource.BALANCED)
    assert len(outlook(session).starred) < len(before.starred)


def test_what_is_kept_is_not_starred_where_most_come_out(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    expect(session, 2400)
    starred = outlook(session).starred
    assert starred
    session.release.steps.set_importance(starred[0], Importance.KEEP)
    assert starred[0] not in outlook(session).starred


def test_a_column_that_says_nothing_at_any_step_is_named_and_can_go_without_a_loss(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    expect(session, 100)
    found = outlook(session)
    assert found.silent and "at every step" in found.words
    before = session.release.chain()
    hierarchies = {name: made for name, made in session.project.hierarchies.items() if name != found.silent[0]}
    session.state.change(hierarchies=hierarchies)
    after = session.release.chain()
    without = [{name: level for name, level in levels.items() if name != found.silent[0]} for levels in before.vectors]
    assert list(after.vectors) == without and after.shares == before.shares


def test_without_a_number_ten_thousand_are_taken_and_said(tmp_path: Path) -> None:
    found = outlook(opened(tmp_path / "one"))
    assert not found.typed and found.words.startswith("If there were 10,000 people")


@pytest.mark.parametrize("rows", [60, 300, 2400, 30_000])
@pytest.mark.parametrize("source", [LevelSource.BALANCED, LevelSource.STEPS, LevelSource.HAND])
def test_no_advice_makes_the_outlook_worse(tmp_path: Path, source: LevelSource, rows: int) -> None:
    session = opened(tmp_path / "one")
    session.release.steps.set_source(source)
    assert not remedies(session, outlook(session)), "how many rows there are comes first"
    expect(session, rows)
    before = outlook(session)
    for one in remedies(session, before):
        trial = session.snapshot()
        one.edit(trial)
        assert outlook(trial).told >= before.told
    assert outlook(session) == before


def test_a_range_holds_what_independent_and_dependent_columns_keep(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    expect(session, 2400)
    session.release.steps.set_source(LevelSource.HAND)
    session.release.columns.set_level("born", 3)
    words = outlook(session).words
    least, most = (int(part) for part in re.findall(r"(\d+) to (\d+) in 100", words)[0])
    assert 0 <= least < most <= 100


def test_nothing_is_foreseen_of_levels_that_are_still_to_be_drawn(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    session.release.columns.set_search(PrivateSearch())
    session.release.columns.set_levels_by(LevelsBy.SEARCH)
    prospect = assess(session).prospect
    assert prospect is not None and prospect.outlook is None


def test_nor_where_a_column_may_have_any_values(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    session.release.columns.set_treatment("job", Treatment.GENERALISE)
    hierarchies = {name: made for name, made in session.project.hierarchies.items() if name != "job"}
    session.state.change(hierarchies=hierarchies)
    assert session.release.chain().vectors[0]["job"] == 0
    prospect = assess(session).prospect
    assert prospect is not None and prospect.outlook is None and prospect.steps[0][0] == "unknown"
