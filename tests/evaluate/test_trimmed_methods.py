"""The trimmed releases that are compared: against the mechanism itself, and what their reader may expect."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from tests.evaluate.test_methods import BINS, found
from workbench.anonymise.recipe import ColumnPlan, Treatment
from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.anonymise.trim_recipe import TrimRecipe, TrimStep
from workbench.anonymise.trimming import trim
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.progress import SILENT
from workbench.core.randomness import SeededSource
from workbench.evaluate.experiment import Experiment
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import METHODS, Approach, MethodChoice
from workbench.evaluate.question import Question, Statistic
from workbench.evaluate.subject import ExperimentData, subject_of
from workbench.evaluate.tile import Tile
from workbench.evaluate.trimming_loss import loss_words, trimming_loss

MEAN = Question(Statistic.MEAN, "age", BINS)
TRIMMED, STEPS = "trimmed", "trimmed-in-steps"


def tens_of(label: str) -> int:
    """The bin of an age, or of ten of them."""
    return int(label.strip("[").partition(",")[0]) // 10


@pytest.mark.parametrize("steps", [1, 2])
def test_simulated_releases_are_those_of_the_mechanism(humps: ExperimentData, steps: int) -> None:
    chain = [TrimStep({"age": level}, Fraction(4, 5 * steps), Fraction(1, 10_000 * steps)) for level in range(steps)]
    recipe = TrimRecipe((ColumnPlan("age", Treatment.GENERALISE, 0),), tuple(chain))
    name, values = (TRIMMED, {}) if steps == 1 else (STEPS, {"steps": 2, "shares": "1,1"})
    subject = subject_of(humps, Question(Statistic.HISTOGRAM, "age", BINS))
    choice = MethodChoice(name, {"level": 0, "delta": "1e-4", **values})
    answerer = METHODS[name].prepare(subject, 0.8, 3000, choice.checked())
    lost = answerer.promised.laws[-1].mean_lost
    released = np.zeros((200, 10))
    for seed in range(200):
        outcome = trim(humps.table, recipe, humps.hierarchies, SeededSource(seed))
        for place, step in enumerate(outcome.steps):
            labels = outcome.labels_of(place)["age"]
            # The reader adds what groups of the last step gave up on average.
            counted = np.where(step.released > 0, step.released + lost * (place == steps - 1), 0)
            for code, rows in zip(labels.codes.tolist(), counted.tolist(), strict=True):
                released[seed, tens_of(labels.values[code])] += rows
    drawn = answerer.draw(subject.everyone, 200, np.random.SeedSequence(1), SILENT)
    spread = np.hypot(drawn.std(axis=0), released.std(axis=0)) / math.sqrt(200)
    assert (np.abs(drawn.mean(axis=0) - released.mean(axis=0)) <= 5 * spread + 1e-9).all()
    large = subject.truth >= 200
    assert drawn.std(axis=0)[large] == pytest.approx(released.std(axis=0)[large], rel=0.4)


def test_counts_of_large_groups_are_unbiased_and_close(humps: ExperimentData) -> None:
    subject = subject_of(humps, Question(Statistic.HISTOGRAM, "age", BINS))
    for name, values in ((TRIMMED, {}), (STEPS, {"level": 0, "steps": 2})):
        answerer = METHODS[name].prepare(subject, 1.0, 3000, MethodChoice(name, values).checked())
        answers = answerer.draw(subject.everyone, 400, np.random.SeedSequence(1), SILENT)
        large = subject.truth >= 200
        law = answerer.promised.laws[-1]
        off = np.abs(answers.mean(axis=0) - subject.truth)[large]
        assert (off < 5 * law.sd / math.sqrt(400)).all()
        assert (answers.std(axis=0)[large] < 1.2 * law.sd).all()


def test_trimming_answers_better_than_sampling_at_the_same_price(humps: ExperimentData) -> None:
    question = Question(Statistic.HISTOGRAM, "age", BINS)
    sampled, trimmed, steps = found(
        humps,
        question,
        MethodChoice("anonymised", {"beta": "best"}),
        MethodChoice(TRIMMED),
        MethodChoice(STEPS, {"level": 0, "steps": 2}),
        repetitions=100,
    )
    assert (sampled.epsilon, trimmed.epsilon, steps.epsilon) == (1, 1, 1)
    assert trimmed.mean < sampled.mean / 4
    assert steps.mean < sampled.mean
    assert [point.method for point in (sampled, trimmed, steps)] == [
        "Sampled, level 1, β best",
        "Trimmed, level 1",
        "Trimmed in 2 steps, from level 0",
    ]


def test_steps_release_what_one_step_loses(humps: ExperimentData) -> None:
    # Of ages in single years many are rare; tens of years are not.
    question = Question(Statistic.HISTOGRAM, "age", BINS)
    one, two = found(
        humps,
        question,
        MethodChoice(TRIMMED, {"level": 0}),
        MethodChoice(STEPS, {"level": 0, "steps": 2, "shares": "1,1"}),
        epsilon=0.3,
        repetitions=50,
    )
    assert two.mean < one.mean


def test_rows_of_a_person_make_groups_give_up_more(humps: ExperimentData) -> None:
    three = replace(humps.schema.unit, rows_per_person=3)
    shared = replace(humps, schema=replace(humps.schema, unit=three), key="three rows, trimmed")
    subjects = [subject_of(material, MEAN) for material in (humps, shared)]
    lost = [
        METHODS[TRIMMED].prepare(one, 1.0, 3000, MethodChoice(TRIMMED).checked()).promised.mean_lost for one in subjects
    ]
    assert lost[1] > 2.5 * lost[0]


def test_other_columns_make_groups_and_hierarchies_of_the_data_void_the_claim(humps: ExperimentData) -> None:
    derived = replace(humps.hierarchies["age"], provenance=Provenance.DERIVED)
    material = replace(humps, hierarchies={**humps.hierarchies, "other": derived}, key="with another")
    subject = subject_of(material, MEAN)
    choice = MethodChoice(STEPS, {"hierarchy": "other", "others": "smokes=0"})
    answerer = METHODS[STEPS].prepare(subject, 1.0, 3000, choice.checked())
    assert [len(groups.label_of) for groups in answerer.steps] == [18, 2]
    assert answerer.notes == ("No (ε, δ) claim: the hierarchy of “other” was made from the data.",)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"level": 7}, "no level 7"),
        ({"steps": 2, "shares": "5,3,2"}, "3 shares and 2 steps"),
        ({"steps": 2, "shares": "5,x"}, "not a number"),
        ({"steps": 2, "shares": "5,0"}, "Shares are"),
        ({"others": "nobody=1"}, "no hierarchy"),
    ],
)
def test_what_cannot_be_answered_says_why(humps: ExperimentData, values: dict[str, object], words: str) -> None:
    point = found(humps, MEAN, MethodChoice(STEPS, values), repetitions=5)[0]
    assert words in point.problem


def test_steps_that_lead_nowhere_are_one(humps: ExperimentData) -> None:
    subject = subject_of(humps, MEAN)
    assert isinstance(humps.hierarchies["age"], Hierarchy)
    answerer = METHODS[STEPS].prepare(subject, 1.0, 3000, MethodChoice(STEPS, {"level": 2, "steps": 6}).checked())
    assert len(answerer.steps) == 1
    assert answerer.promised.shares == (1,)


@pytest.mark.parametrize(("epsilon", "delta", "rows"), [(1.0, 1e-5, 1), (0.2, 1e-5, 1), (3.0, 1e-5, 1), (1.0, 1e-3, 3)])
def test_the_formula_of_what_trimming_takes_is_near_the_law(epsilon: float, delta: float, rows: int) -> None:
    exact = TrimGuarantee(epsilon, delta, rows).mean_lost
    assert trimming_loss(epsilon, delta, rows) == pytest.approx(exact, rel=0.05)


def test_a_tile_that_trims_says_what_a_group_loses() -> None:
    experiment = Experiment(Question(Statistic.MEAN, "age"), methods=(MethodChoice("trimmed"),), places=(1.0, 2.0))
    findings = Findings(experiment, (), 1000)
    tile = Tile(Approach.ANONYMISED, setting=MethodChoice("trimmed", {"delta": "1e-5"}))
    assert "from each group: here 11. " in loss_words(tile, findings, 1.0)
    assert "from each group: here 5.8. " in loss_words(tile, findings, 2.0)
    assert loss_words(replace(tile, setting=MethodChoice("global-grid")), findings, 1.0) == ""
