"""Releases that trim groups, through the session: which mechanism is meant, the steps, the claim and the run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from workbench.anonymise.dp_search import Degree, PrivateSearch
from workbench.anonymise.recipe import ReleaseMechanism, Treatment
from workbench.anonymise.sampling import Recipe
from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.anonymise.trim_recipe import TrimRecipe
from workbench.anonymise.trimming import TrimOutcome
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY, Hierarchy, Provenance
from workbench.project.anonymise_settings import LevelsBy
from workbench.project.model import GuaranteeSettings, new_project
from workbench.project.trim_settings import StepsBy, Survives, TrimSettings, TrimUnknown
from workbench.report.older_sentences import recognised
from workbench.session import Session
from workbench.session.release.claims import recipe_digest
from workbench.session.release.steps import LevelSource

AGES = Hierarchy.from_rows([(str(age), f"{age // 10}0s", "old" if age > 39 else "young", ANY) for age in range(20, 60)])
TOWNS = Hierarchy.from_rows([("Bern", "BE", ANY), ("Thun", "BE", ANY), ("Chur", "GR", ANY)])


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """A new project with a hierarchy for two of its three columns."""
    towns = ("Bern", "Thun", "Chur", "Oslo")
    lines = (f"{20 + i % 40},{towns[i % 4 if i % 50 == 3 else i % 3]},{i % 2}\n" for i in range(4000))
    (tmp_path / "people.csv").write_text("age,town,sick\n" + "".join(lines), encoding="utf-8")
    made = Session(new_project())
    made.data.open(tmp_path / "people.csv")
    made.data.attach_hierarchy("age", AGES)
    made.data.attach_hierarchy("town", TOWNS)
    assert made.release.steps.source is LevelSource.BALANCED, "where one begins"
    made.release.steps.set_source(LevelSource.STEPS)
    return made


def trimming(session: Session, **changes: Any) -> None:
    session.release.set_trimming(replace(session.project.anonymise.trim, **changes))


def steps(session: Session) -> list[Mapping[str, int]]:
    recipe = session.release.recipe()
    assert isinstance(recipe, TrimRecipe)
    return list(recipe.chain)


def test_a_new_project_trims_and_one_without_a_word_of_it_samples(session: Session) -> None:
    assert session.release.mechanism is ReleaseMechanism.TRIM
    assert isinstance(session.release.guarantee(), TrimGuarantee)
    older = Session()
    older.project = replace(session.project, anonymise=older.project.anonymise)
    older.state.take_data(session.state.opened)
    assert older.release.mechanism is ReleaseMechanism.SAMPLE
    assert isinstance(older.release.recipe(), Recipe)


def test_a_kept_column_means_sampling_unless_trimming_was_chosen(session: Session) -> None:
    session.release.columns.set_treatment("sick", Treatment.KEEP)
    assert session.release.mechanism is ReleaseMechanism.SAMPLE and session.release.sampled_because_of == ("sick",)
    session.release.set_mechanism(ReleaseMechanism.TRIM)
    with pytest.raises(WorkbenchError, match="“sick” is kept") as refused:
        session.release.anonymise()
    assert "--group" in refused.value.hint and refused.value.field == "sick"
    session.release.columns.set_treatment("sick", Treatment.GENERALISE)
    assert session.release.mechanism is ReleaseMechanism.TRIM and session.release.sampled_because_of == ()


def test_the_steps_follow_from_degrees_and_equal_ones_are_one(session: Session) -> None:
    session.release.columns.set_treatment("sick", Treatment.GENERALISE)  # has no hierarchy: as it is, and * at last
    assert steps(session) == [
        {"age": 0, "town": 0, "sick": 0},
        {"age": 1, "town": 0, "sick": 0},
        {"age": 1, "town": 1, "sick": 0},
        {"age": 2, "town": 1, "sick": 0},
        {"age": 2, "town": 2, "sick": 0},
        {"age": 3, "town": 2, "sick": 1},
    ]
    trimming(session, degrees=(Degree.LOW, Degree.MEDIUM, Degree.MEDIUM_HIGH, Degree.COMPLETE), shares=(4.0, 3.0, 2, 1))
    assert [(one["age"], one["town"]) for one in steps(session)] == [(1, 0), (2, 1), (3, 2)]
    promised = session.release.guarantee()
    assert isinstance(promised, TrimGuarantee)
    assert promised.shares == (Fraction(4, 10), Fraction(5, 10), Fraction(1, 10))
    session.release.columns.limit_levels("age", (1, 2))
    assert [(one["age"], one["town"]) for one in steps(session)] == [(1, 0), (2, 1), (2, 2)]


def test_one_step_is_at_the_levels_of_the_release(session: Session) -> None:
    trimming(session, steps=StepsBy.ONE)
    session.release.columns.set_level("age", 2)
    assert steps(session) == [{"age": 2, "town": 1}]
    session.release.columns.set_levels_by(LevelsBy.DEGREE)
    session.release.columns.set_degree(Degree.COMPLETE)
    assert steps(session) == [{"age": 3, "town": 2}]
    assert session.release.claim().terms.degree == "complete"


def test_typed_steps_say_what_changes(session: Session) -> None:
    vectors = tuple(MappingProxyType(one) for one in ({"age": 1, "town": 0}, {"age": 2}, {"age": 3, "town": 2}))
    trimming(session, steps=StepsBy.TYPED, vectors=vectors)
    assert steps(session) == [{"age": 1, "town": 0}, {"age": 2, "town": 0}, {"age": 3, "town": 2}]
    for wrong in ({"age": 4}, {"sick": 0}, {"nobody": 1}, {"age": -1}):
        trimming(session, vectors=(MappingProxyType(wrong),))
        with pytest.raises(WorkbenchError):
            session.release.recipe()
    trimming(session, vectors=(vectors[2], vectors[0]))
    with pytest.raises(WorkbenchError, match="finer"):
        session.release.anonymise()
    trimming(session, vectors=vectors, shares=(1.0, 1.0))
    with pytest.raises(WorkbenchError, match="2 shares, and 3 steps"):
        session.release.guarantee()


def test_a_column_that_cannot_be_added_is_refused_before_levels_are_paid_for(session: Session) -> None:
    session.release.columns.set_levels_by(LevelsBy.SEARCH)
    for changes in ({"step_column": "sick"}, {"count_column": "town"}, {"step_column": "n", "count_column": "n"}):
        session.release.set_trimming(replace(TrimSettings(), **changes))
        with pytest.raises(WorkbenchError, match="already"):
            session.release.anonymise()
    assert not session.ledger.current.entries


def test_the_calculator_solves_for_what_is_open(session: Session) -> None:
    trimming(session, steps=StepsBy.ONE)
    found = session.release.guarantee()
    assert isinstance(found, TrimGuarantee) and (found.half_survive, found.always_survive) == (12, 23)
    trimming(session, solve_for=TrimUnknown.EPSILON, group=12)
    assert 0.9 < session.release.guarantee().epsilon <= 1
    trimming(session, solve_for=TrimUnknown.DELTA, survives=Survives.ALWAYS, group=23)
    assert 5e-6 < session.release.guarantee().delta <= 1e-5
    trimming(session, steps=StepsBy.DEGREES)
    session.release.columns.set_levels_by(LevelsBy.SEARCH)
    with pytest.raises(WorkbenchError, match="drawn"):
        session.release.guarantee()


def test_a_run_releases_rows_at_every_step_and_claims_what_was_promised(session: Session) -> None:
    session.release.set_guarantee(GuaranteeSettings(epsilon=1, delta=1e-4))
    trimming(session, degrees=(Degree.NONE, Degree.MEDIUM, Degree.COMPLETE), shares=(2.0, 1.0, 1.0), step_column="step")
    result = session.release.anonymise()
    outcome, claim = result.outcome, result.claim
    assert isinstance(outcome, TrimOutcome) and claim.holds, claim.reasons
    assert (claim.guarantee.epsilon, claim.guarantee.delta) == (1, 1e-4)
    assert outcome.rows_out == sum(outcome.rows_of_steps) >= 0.95 * 4000
    # The town that no hierarchy lists is * at every step, and nothing says how often it was there.
    assert "Oslo" not in outcome.release["town"].values and ANY in outcome.release["town"].values
    assert session.release.result_is_current
    trimming(session, step_column="")
    assert not session.release.result_is_current


def test_what_a_claim_rests_on_is_about_trimming(session: Session) -> None:
    trimming(session, floor=5, step_column="step", count_column="rows")
    claim = session.release.claim()
    assert claim.holds and claim.terms.degrees == tuple(TrimSettings().degrees)
    said = " ".join((*claim.checked, *claim.asserted))
    for part in ("random number of its rows", "all 6 steps", "fewer than 5 rows", "“step”", "“rows”", "“medium”"):
        assert part in said
    assert "sampl" not in said and "β" not in said
    assert any("the degrees of the steps, ε and δ would have been the same" in line for line in claim.asserted)


def test_what_voids_a_claim_is_said_in_sentences_that_are_known(session: Session) -> None:
    session.release.set_seed(3)
    session.release.columns.set_levels_blind(False)
    session.release.anonymise()
    trimming(session, floor=2)
    claim = session.release.claim()
    assert {"seeded", "levels-not-blind"} <= {reason.code for reason in claim.reasons}
    for reason in (*claim.reasons, *claim.cautions):
        if not reason.private:
            assert recognised(f"{reason.text} {reason.remedy}") is not None, reason
    assert not any("β" in reason.text or "sampling" in reason.text for reason in claim.reasons)


@pytest.mark.parametrize("levels,holds", [((3, 3), True), ((0, 0), False), ((0, 3), False), ((1, 2), False)])
def test_a_hierarchy_made_from_the_data_is_excused_only_where_every_step_says_nothing(
    session: Session, levels: tuple[int, int], holds: bool
) -> None:
    session.data.attach_hierarchy("age", replace(AGES, provenance=Provenance.DERIVED))
    vectors = tuple(MappingProxyType({"age": level, "town": 0}) for level in levels)
    trimming(session, steps=StepsBy.TYPED, vectors=vectors)
    claim = session.release.claim()
    assert claim.holds is holds
    assert dict(claim.told_without) == ({"age": ANY} if holds else {})


def test_degrees_tell_the_height_of_a_hierarchy_made_from_the_data(session: Session) -> None:
    session.data.attach_hierarchy("age", replace(AGES, provenance=Provenance.DERIVED))
    assert not session.release.claim().holds
    session.release.columns.suppress("age")
    assert session.release.claim().holds


def test_other_steps_are_another_recipe_and_other_ways_to_write_are_not(session: Session) -> None:
    def digest() -> str:
        return recipe_digest(session.state, session.release.recipe())

    before, found = digest(), set()
    for changes in (
        {"shares": (5.0, 1.0, 1.0, 1.0, 1.0, 1.0)},
        {"degrees": (Degree.NONE, Degree.COMPLETE)},
        {"floor": 4},
        {"steps": StepsBy.ONE},
    ):
        session.release.set_trimming(replace(TrimSettings(), **changes))
        found.add(digest())
    session.release.set_trimming(TrimSettings())
    session.data.set_unit(replace(session.project.schema.unit, rows_per_person=2))
    found.add(digest())
    session.data.set_unit(replace(session.project.schema.unit, rows_per_person=1))
    assert len({before, *found}) == 6
    trimming(session, step_column="step", count_column="rows")
    assert digest() == before


@pytest.mark.parametrize("by", [StepsBy.ONE, StepsBy.DEGREES])
def test_levels_are_drawn_privately_and_the_other_steps_are_above_them(session: Session, by: StepsBy) -> None:
    session.release.columns.set_levels_by(LevelsBy.SEARCH)
    session.release.columns.set_search(PrivateSearch(0.5))
    trimming(session, steps=by, degrees=(Degree.MEDIUM, Degree.COMPLETE))
    before = recipe_digest(session.state, session.release.recipe())
    result = session.release.anonymise()
    assert result.claim.holds, result.claim.reasons
    assert (result.claim.guarantee.epsilon, result.claim.guarantee.search_epsilon) == (1.5, 0.5)
    assert result.drawn is not None and result.outcome.recipe.chain[0] == result.drawn.choice.levels
    assert result.recipe == before and session.release.result_is_current
    if by is StepsBy.DEGREES:
        assert result.outcome.recipe.chain[-1] == {"age": 3, "town": 2}
    assert any("drawn privately" in line and "trimmed" in line for line in result.claim.checked)
