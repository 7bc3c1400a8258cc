"""Where numbers begin within an interval, whoever is told how many there are is told that it is narrower."""

from __future__ import annotations

from pathlib import Path

from tests.outlook_steps import expect, opened
from workbench.anonymise.recipe import Treatment
from workbench.core.level_words import level_words
from workbench.core.progress import SILENT
from workbench.gui.workspaces.anonymise.column_lines import one_lines
from workbench.session import Session
from workbench.session.finer_edits import take_finer
from workbench.session.release.assessment import assess
from workbench.session.release.column_details import few_words
from workbench.session.release.detail_choices import detail_choices
from workbench.session.release.knowledge import say
from workbench.session.release.own_choices import own_choices
from workbench.session.release.steps import LevelSource
from workbench.session.release.wishes import telling_levels, wish_enough, wish_exactly


def _said(folder: Path, pay: str) -> tuple[Session, int]:
    """A table of which the pay is said to reach from here to there, and the level of intervals of 20,000."""
    session = opened(folder)
    session.release.steps.set_source(LevelSource.BALANCED)
    expect(session, 5_000)
    for name in ("born", "postcode", "job"):
        session.release.columns.set_treatment(name, Treatment.LEAVE_OUT)
    say(session, {"pay": (pay, "")}, expected_rows=5_000, number_known=False, most={"pay": True})
    take_finer(session, session.data.hierarchy_suggester(["pay"])(SILENT))
    made = session.project.hierarchies["pay"]
    return session, next(one for one in telling_levels(made) if level_words(made, one) == "intervals of 20,000")


def _chosen(session: Session) -> list[str]:
    claim = assess(session).claim
    assert claim is not None
    return [one for one in own_choices(session, claim.terms, ("pay",)) if "intervals" in one]


def test_a_first_interval_that_is_cut_is_said_to_be_narrower_wherever_they_are_counted_or_chosen(
    tmp_path: Path,
) -> None:
    session, level = _said(tmp_path / "cut", "15000-150000")
    words = "intervals of 20,000, the first and last narrower"
    assert words in [one.words for one in detail_choices(session, "pay")]
    wish_exactly(session, "pay", level)
    found = assess(session)
    assert [one.detail for one in one_lines(found.details)] == [f"8 {words}"]
    assert "from 15,000 to under 20,000" in found.details[0].told
    assert few_words(found.details) == f"At best: pay in {words}."
    assert any(one.endswith(f"exactly {words}") for one in _chosen(session))
    wish_exactly(session, "pay", None)
    wish_enough(session, "pay", level)
    assert any(one.endswith(f"{words}, or coarser") for one in _chosen(session))


def test_intervals_that_are_all_as_wide_are_called_as_before(tmp_path: Path) -> None:
    session, level = _said(tmp_path / "even", "0-60000")
    assert "intervals of 20,000" in [one.words for one in detail_choices(session, "pay")]
    wish_exactly(session, "pay", level)
    assert [one.detail for one in one_lines(assess(session).details)] == ["3 intervals of 20,000"]
    assert any(one.endswith("exactly intervals of 20,000") for one in _chosen(session))
