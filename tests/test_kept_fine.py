"""What matters most is no coarser after something was said than it was likely to be before."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from workbench.anonymise.balanced import Importance
from workbench.core.building import build_hierarchy, specification
from workbench.core.level_words import words_among
from workbench.core.progress import SILENT
from workbench.core.schema import Role
from workbench.project.model import new_project
from workbench.session import Session
from workbench.session.finer_edits import take_finer
from workbench.session.release.assessment import assess
from workbench.session.release.column_details import DetailOutlook
from workbench.session.release.detail_choices import BY_PROGRAM, LAST, detail_choices, with_rows
from workbench.session.release.knowledge import known_columns, say
from workbench.session.release.leaving_out import foreseen
from workbench.session.release.star_choice import star_choice
from workbench.session.release.wishes import least_of
from workbench.session.suggested_hierarchies import finer_words, follows_said, spells_otherwise

_STAFF = [(f"{i % 90}", ("Sales", "Finance", "Research")[i % 3], f"{20_000 + i * 37 % 90_000},50") for i in range(600)]


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """Staff of whom it is known how many they are, each column in the hierarchy that a rule makes."""
    path = tmp_path / "staff.csv"
    path.write_text("code;job;pay\n" + "".join(f"{';'.join(row)}\n" for row in _STAFF), encoding="utf-8")
    made = Session(new_project())
    made.data.open(path)
    names = ("job", "pay")
    made.data.set_role(["code"], Role.IDENTIFYING)
    made.data.set_role(names, Role.QUASI)
    made.data.attach_hierarchies(made.data.hierarchy_suggester(names)(SILENT))
    say(made, {}, expected_rows=1_850, number_known=True)
    return made


def press(session: Session, pay: str, most: Mapping[str, bool], job: str = "") -> None:
    """As the dialog takes over what was said, and the finer rules that follow from it."""
    say(session, {"job": (job, ""), "pay": (pay, "")}, expected_rows=1_850, number_known=True, most=most)
    finer = [name for name in ("job", "pay") if finer_words(session.project, name)]
    take_finer(session, session.data.hierarchy_suggester(finer)(SILENT))


def lines(session: Session, name: str) -> tuple[DetailOutlook, ...]:
    found = foreseen(session)
    assert found is not None
    return found.lines(name)


def test_saying_how_far_a_column_reaches_and_that_it_matters_makes_it_no_coarser(session: Session) -> None:
    before = lines(session, "pay")
    assert [one.words for one in before] == ["intervals of 40,000"]
    other = session.snapshot()
    press(other, "0-200000", {"job": False, "pay": False})
    assert lines(other, "pay")[0].words == "intervals of 80,000", "by itself it would be"
    press(session, "0-200000", {"job": True, "pay": True})
    assert lines(session, "pay")[0].words == "intervals of 40,000"
    assert not lines(session, "job")[0].says_nothing, "the other one that matters most is told as well"
    assert max(lines(session, "pay")[0].rows) >= 90
    assert {one.name: one.most for one in known_columns(session)} == {"job": True, "pay": True}, "and may be unticked"


def test_a_detail_that_only_tidies_spaces_is_called_as_it_is(session: Session) -> None:
    first = lines(session, "job")[0]
    assert first.words == "as it is" and first.level == 1
    assert first.told.startswith("Spaces"), "the tooltip has it"
    assert "as it is" in [one.words for one in detail_choices(session, "job")]
    hierarchy = session.project.hierarchies["job"]
    assert [words_among(hierarchy, level, (0, 1)) for level in (0, 1)] == ["as it is", "spaces tidied"]


def test_words_are_written_as_they_were_listed_and_that_is_said_with_the_list(session: Session) -> None:
    def write(listed: str) -> dict[str, str]:
        say(session, {"job": (listed, "code list")}, expected_rows=1_850, number_known=True)
        assert spells_otherwise(session.project, "job")
        take_finer(session, session.data.hierarchy_suggester(["job"])(SILENT))
        assert not spells_otherwise(session.project, "job")
        return {row[0]: row[1] for row in session.project.hierarchies["job"].rows() if row[0]}

    assert write("SALES, finance, Law") == {"Sales": "SALES", "Finance": "finance", "Research": "Research"}
    hierarchy, spec = session.project.hierarchies["job"], session.project.schema["job"]
    assert follows_said(hierarchy, spec, ("SALES", "finance", "Law")), "who signs for the list signs for the rule"
    assert not follows_said(hierarchy, spec, ("SALES", "finance")), "and for no other"
    assert lines(session, "job")[0].words == "as it is"
    session.release.columns.limit_levels("job", (1, 1))
    assert write("Sales, Finance")["Sales"] == "Sales"
    assert session.project.anonymise.level_choice.limits["job"] == (1, 1), "the same levels are wished for"
    assert write("")["Sales"] == "Sales", "nor is anything written otherwise once the list is taken back"


def test_of_two_ways_that_come_to_the_same_the_figure_stands_once(session: Session) -> None:
    press(session, "0-200000", {"job": True, "pay": True}, job="a, b, c, d, e, f, g")
    prospect = assess(session).prospect
    assert prospect is not None and prospect.outlook is not None
    choice = star_choice(session, prospect.outlook)
    assert choice is not None and choice.is_never and choice.alike
    ways = []
    for edit in (lambda _: None, choice.choose_may):
        trial = session.snapshot()
        edit(trial)
        found = foreseen(trial)
        assert found is not None
        ways.append((found.rows, [one.rows for one in found.details if one.words == "*" and one.column != "code"]))
    assert ways[0] == ways[1], "as it is meant to be here"
    assert choice.may == "Write * for rare values of job and pay: makes no difference now"
    low, high = ways[0][0]
    assert choice.never == f"Never * in job and pay: {low}–{high} % of rows come out"
    # Left to the program the tick keeps it so fine, and nobody chose that.
    costs = {one.words: one.costs for one in with_rows(session, "pay", detail_choices(session, "pay"))}
    assert costs["intervals of 40,000"] == f"{low}–{high}"
    assert LAST not in costs, "it is ticked"
    assert costs[BY_PROGRAM] == f"{low}–{high}, intervals of 40,000"
    assert [one.words for one in detail_choices(session, "pay") if one.is_chosen] == [BY_PROGRAM]


def test_a_list_changes_no_rule_that_somebody_chose(session: Session) -> None:
    say(session, {"job": ("SALES, finance", "")}, expected_rows=1_850, number_known=True)
    spec = session.project.schema["job"]
    chosen = build_hierarchy(specification("spelling", {"letters": "lower"}, column=spec), ["Sales"], column=spec)
    session.data.attach_hierarchies({"job": chosen})
    assert not spells_otherwise(session.project, "job")
    session.data.attach_hierarchies({"job": session.data.hierarchy_suggester(["job"])(SILENT)["job"]})
    assert not spells_otherwise(session.project, "pay"), "amounts have no spelling"


def test_what_no_longer_matters_most_is_left_to_the_program_again(session: Session) -> None:
    press(session, "0-200000", {"job": True, "pay": True})
    assert least_of(session, "pay") is not None
    say(
        session,
        {"job": ("", ""), "pay": ("0-200000", "")},
        expected_rows=1_850,
        number_known=True,
        most={"job": True, "pay": False},
    )
    assert least_of(session, "pay") is None
    assert session.release.steps.importance("pay") is Importance.NORMAL
