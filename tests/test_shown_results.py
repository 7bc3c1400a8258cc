"""What is known of a result without a window: the verdict on it, its rows side by side, why nothing is better."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from tests.test_session import people, written
from workbench.anonymise.privacy import ModelChoice
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT
from workbench.core.schema import PrivacyUnit, Role
from workbench.project.anonymise_settings import AnonymityKind
from workbench.project.model import GuaranteeSettings
from workbench.report.checklist import Light
from workbench.session import Session
from workbench.session.folded import FoldedTable, alternating, folded_release, folded_with_rows
from workbench.session.release.assessment import assess, is_quick
from workbench.session.release_subject import SpreadsheetCounts, subject_of
from workbench.session.syntactic import views, words
from workbench.session.syntactic.lattice_bands import lattice_bands
from workbench.session.syntactic.results import Recoded, RecodingResult
from workbench.session.syntactic.why_best import why

CITIES = ("Ghent", "Leuven", "Mons")


@pytest.fixture
def session(tmp_path: Path) -> Session:
    made = Session()
    made.data.open(written(tmp_path / "people.csv", people()))
    made.data.set_role(["who"], Role.IDENTIFYING)
    made.data.attach_hierarchy("city", Hierarchy.from_rows([(city, "*") for city in CITIES]))
    made.release.columns.set_level("city", 0)
    made.release.set_guarantee(GuaranteeSettings(epsilon=1.0, delta=1e-3))
    made.data.set_unit(PrivacyUnit(3, "who"))
    return made


def test_what_follows_from_the_settings_and_what_stands_in_the_way(session: Session) -> None:
    found = assess(session)
    assert is_quick(session)
    assert found.can_run and found.grouped == ("city",) and not found.current
    session.data.attach_hierarchy("city", Hierarchy.from_rows([("Ghent", "*")]))
    assert not assess(session).uncovered, "they are values of the table, and nobody looked at it yet"
    session.looks.take("values")
    missed = assess(session)
    assert missed.uncovered["city"] == ("Leuven", "Mons") and missed.can_run, "they become *"
    session.release.set_guarantee(GuaranteeSettings(epsilon=-1.0, delta=1e-3))
    refused = assess(session)
    assert refused.error is not None and not refused.can_run


def test_the_verdict_on_a_release_says_no_more_than_holds(session: Session) -> None:
    assert subject_of(session, SpreadsheetCounts()) is None
    session.release.anonymise()
    subject = subject_of(session, SpreadsheetCounts())
    assert subject is not None and subject.current
    claim = session.release.current_claim()
    light, said = subject.verdict
    assert light is (Light.GREEN if claim.holds else Light.AMBER)
    assert subject.without_claim is not claim.holds
    assert ("the claim holds" in said) is claim.holds
    session.release.set_guarantee(GuaranteeSettings(epsilon=0.5, delta=1e-3))
    assert not subject.current and not subject.ready


def test_rows_that_are_alike_are_one_line_with_the_rows_behind_it(session: Session) -> None:
    result = session.release.anonymise()
    shown = folded_with_rows(result.table, result.outcome, "dropped")
    assert isinstance(shown, FoldedTable) and shown.behind is not None
    outcome = result.sampled
    assert sorted(shown.behind.numbers.tolist()) == outcome.sampled_rows.tolist()
    assert shown.sizes[: shown.released].sum() == outcome.rows_out and shown.sizes.sum() == outcome.sampled.rows
    assert shown.sizes[: shown.released].tolist() == sorted(shown.sizes[: shown.released], reverse=True)
    texts = dict(zip(outcome.sampled_rows.tolist(), map(outcome.sampled.row, range(outcome.sampled.rows)), strict=True))
    for line in range(len(shown.sizes)):
        rows = shown.behind.of(line)
        assert len(rows) == shown.sizes[line] and {texts[row] for row in rows.tolist()} == {shown.lines.row(line)}
    numbers, line_of = shown.behind.in_order
    assert numbers.tolist() == sorted(numbers.tolist())
    assert all(
        texts[row] == shown.lines.row(line) for row, line in zip(numbers.tolist(), line_of.tolist(), strict=True)
    )


def test_what_a_reader_gets_has_no_rows_behind_it(session: Session) -> None:
    result = session.release.anonymise()
    shown = folded_release(result.outcome)
    assert isinstance(shown, FoldedTable) and shown.behind is None and not shown.note
    assert shown.released == len(shown.sizes) and shown.sizes.sum() == result.outcome.rows_out
    counted = Counter(map(result.outcome.release.row, range(result.outcome.rows_out)))
    assert counted == dict(zip(map(shown.lines.row, range(len(shown.sizes))), shown.sizes.tolist(), strict=True))


def test_every_other_run_is_shaded() -> None:
    assert alternating(np.array([7, 7, 2, 7])).tolist() == [False, False, True, False]
    assert alternating(np.array([], dtype=np.int64)).tolist() == []


@pytest.fixture
def syntactic(session: Session) -> Session:
    session.syntactic.set_approach(AnonymityKind.SYNTACTIC)
    session.syntactic.set_suppression_limit(0.0)
    session.syntactic.set_models([ModelChoice("k-anonymity", {"k": 12})])
    return session


def test_a_table_of_privacy_models_claims_nothing(syntactic: Session) -> None:
    made = syntactic.syntactic.recoder()(SILENT)
    assert isinstance(made, Recoded)
    syntactic.syntactic.accept_recoded(made)
    subject = subject_of(syntactic, SpreadsheetCounts())
    assert subject is not None
    assert subject.verdict == (Light.AMBER, "No (ε, δ) claim")
    assert "12" in subject.words and "not a guarantee" in subject.words
    shown = views.prepare(made, "suppressed").table
    assert isinstance(shown, FoldedTable) and shown.behind is not None
    risks = views.assess_before_and_after(made, 0.1)
    assert risks.before is not None and risks.why_not == ""


def test_why_the_best_levels_won_is_said_and_drawn(syntactic: Session) -> None:
    found = syntactic.syntactic.best_levels_finder()(SILENT)
    assert isinstance(found, RecodingResult)
    syntactic.syntactic.accept_found(found)
    around = found.surroundings(SILENT)
    said = words.reasons(found.result, why(found, around))
    assert said[-1] == words.certainty(found.result)
    bands = lattice_bands(found, around)
    cells = [square for _, band in bands.bands for square in band]
    assert bands.best in [square.levels for square in cells]
    best = next(square for square in cells if square.levels == bands.best)
    assert best.strength == 1.0 and words.node_in_words(best.node, bands.rows).startswith("holds")
