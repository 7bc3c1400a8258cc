"""What is known of a result without a window: the verdict on it, its rows side by side, why nothing is better."""

from __future__ import annotations

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
from workbench.session import Recoded, RecodingResult, Session, why
from workbench.session.release.assessment import assess, is_quick
from workbench.session.release_subject import SpreadsheetCounts, subject_of
from workbench.session.side_by_side import SampleComparison, alternating, side_by_side
from workbench.session.syntactic import views, words
from workbench.session.syntactic.lattice_bands import lattice_bands

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
    missed = assess(session)
    assert missed.uncovered["city"] == ("Leuven", "Mons") and not missed.can_run
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


def test_rows_of_a_group_stand_together_beside_what_became_of_them(session: Session) -> None:
    result = session.release.anonymise()
    shown = side_by_side(result.table, result.outcome, "Rows alike", "dropped")
    assert isinstance(shown, SampleComparison)
    everything = shown.arrangement(by_group=True, with_dropped=True)
    released = shown.arrangement(by_group=True, with_dropped=False)
    assert sorted(everything.order.tolist()) == list(range(len(shown.rows)))
    assert len(released.order) == result.outcome.rows_out and not released.dropped.any()
    groups = np.asarray(shown.after["Rows alike"].codes)[everything.order]
    assert len(set(groups.tolist())) == 1 + int((groups[1:] != groups[:-1]).sum())


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
    shown = views.prepare(made, "Rows alike", "suppressed")
    assert isinstance(shown.comparison, SampleComparison)
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
