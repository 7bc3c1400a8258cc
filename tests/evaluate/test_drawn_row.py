"""One row of each person is drawn: by how much that moves an answer at most, and what is said of it."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from workbench.core.progress import SILENT
from workbench.core.schema import PrivacyUnit, UnitAnswer
from workbench.core.working_table import Preparation
from workbench.evaluate.drawn_row import drawn_words
from workbench.evaluate.experiment import Axis, Basis, Experiment, Truth
from workbench.evaluate.figure_settings import FigureSettings
from workbench.evaluate.findings import Findings
from workbench.evaluate.left_out import left_out_words
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.question import Question, Statistic, metrics_for
from workbench.evaluate.result_reading import ONE_OF_EACH
from workbench.evaluate.sampling_error import most_misplaced, most_of_a_mean
from workbench.ldp.encoding import EncodingChoice
from workbench.plots import comparison
from workbench.plots.comparison import ComparisonData
from workbench.session import Session


def found(statistic: Statistic, people: int = 1800, **changes: object) -> Findings:
    experiment = Experiment(
        Question(statistic, "charge"), metrics_for(statistic)[0], (MethodChoice("uniform"),), places=(0.5, 1.0),
        users=people, basis=Basis.EITHER,
    )  # fmt: skip
    return Findings(replace(experiment, **changes), (), people, width=10_000.0, outputs=7, notes=(ONE_OF_EACH,))


def test_no_draw_of_rows_moves_an_answer_by_more_on_average() -> None:
    """Exactly, over every draw: people differ in how many rows they have, and in what stands in these."""
    generator = np.random.default_rng(1)
    for people in (1, 2, 3, 5):
        worst = [[0.0, 1.0]] * people
        mixed = [generator.random(generator.integers(1, 4)).round(generator.integers(0, 3)) for _ in range(people)]
        for rows in (worst, mixed, [[0.0] if person % 2 else [0.0, 1.0, 1.0] for person in range(people)]):
            aim = sum(np.mean(one) for one in rows) / people
            draws = list(product(*rows))
            assert np.mean([abs(sum(draw) / people - aim) for draw in draws]) <= most_of_a_mean(people) + 1e-12
            shares = np.array([[np.mean([value == one for value in draw]) for one in (0.0, 1.0)] for draw in draws])
            off = np.abs(shares - shares.mean(axis=0)).sum(axis=1) / 2
            assert off.mean() <= most_misplaced(people, 2) + 1e-12


def test_what_it_adds_is_said_and_no_less_than_it_is() -> None:
    assert left_out_words(found(Statistic.MEAN)) == (
        "Not in these errors: the draw of one row of each person, which moves that mean by at most 94.1 on average."
    )
    assert 94.0 < 10_000 * most_of_a_mean(1800) <= 94.1
    assert left_out_words(found(Statistic.HISTOGRAM, 2500)) == (
        "Not in these errors: the draw of one row of each person, which misplaces at most 1.96 % on average."
    )
    mean = found(Statistic.MEAN)
    assert left_out_words(replace(mean, sampled=3.0)) == left_out_words(mean), "what true values add is another thing"
    assert left_out_words(replace(mean, notes=())) == "" == drawn_words(mean)
    narrow = replace(mean.experiment.question, encoding=EncodingChoice(bounds=(0.0, 10_000.0)))
    limited = replace(mean, experiment=replace(mean.experiment, question=narrow))
    assert left_out_words(limited) == (
        "Not in these errors: what limiting values to 0–10,000 shifts, and the draw of one row of each person, which "
        "moves that mean by at most 94.1 on average."
    )


@pytest.mark.parametrize(
    "unsure",
    [
        found(Statistic.SUM),
        found(Statistic.MEAN, axis=Axis.USERS, places=(100.0, 200.0)),
        found(Statistic.MEAN, truth=Truth.POPULATION),
        # Rows that are drawn again and again: a person may count often, and another not at all.
        found(Statistic.MEAN, basis=Basis.ROWS, users=1801),
    ],
)
def test_without_a_bound_it_is_said_whom_errors_are_about(unsure: Findings) -> None:
    assert drawn_words(unsure) == ONE_OF_EACH and "draw of one row" not in left_out_words(unsure)


@pytest.mark.parametrize(("rows", "said"), [(1, "One row of each"), (3, "Up to 3 rows of each")])
def test_how_many_rows_of_each_are_drawn_is_said_as_it_is(tmp_path: Path, rows: int, said: str) -> None:
    table = tmp_path / "visits.csv"
    table.write_text("who,charge\n" + "".join(f"p{i},{i % 7}\n" * 4 for i in range(20)), encoding="utf-8")
    session = Session()
    session.data.open(table)
    session.data.set_unit(PrivacyUnit(person_column="who", rows_per_person=rows, protected=UnitAnswer.SAID))
    session.data.set_preparation(Preparation(limit_rows=True))
    session.comparison.look()
    question = Question(Statistic.MEAN, "charge", EncodingChoice(bounds=(0.0, 10.0)))
    experiment = Experiment(
        question, metrics_for(Statistic.MEAN)[0], (MethodChoice("global-grid"),), places=(0.5, 1.0), repetitions=2,
        basis=Basis.ROWS,
    )  # fmt: skip
    findings = session.comparison.runner(experiment)(SILENT)
    assert any(note.startswith(said) for note in findings.notes)
    assert left_out_words(findings).startswith("Not in these errors: the draw of one row of each ") is (rows == 1)


def test_the_words_leave_with_a_figure() -> None:
    mean = found(Statistic.MEAN)
    said = comparison.caption(ComparisonData(mean, FigureSettings(caption=True)))
    assert "No error has in it the draw of these rows, at most 94.1 on average." in said.below
    assert "one per person" in said.below, "it is said which rows"
