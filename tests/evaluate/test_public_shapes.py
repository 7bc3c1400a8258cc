"""Public shapes that ways are tried on: nothing of the table is in them, and each try meets other people."""

from __future__ import annotations

import gc
import math
import weakref
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.evaluate.verdict_helpers import AGE, SCHEMA, TOWN, asked, found
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT
from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.core.table import Column, Table
from workbench.evaluate.cell_result import ErrorSummary
from workbench.evaluate.experiment import Axis, Basis, Truth
from workbench.evaluate.experiment_run import cells_of
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.methods.sample import PlainSample
from workbench.evaluate.public_shape import shaped
from workbench.evaluate.question import Question, Statistic
from workbench.evaluate.subject import ExperimentData, SubjectSample, subject_of
from workbench.evaluate.verdict import verdict
from workbench.ldp.encoding import EncodingChoice


class TestShapes:
    @pytest.mark.parametrize("basis", [one for one in Basis if one.public])
    @pytest.mark.parametrize(("statistic", "column"), [("histogram", "age"), ("histogram", "town"), ("mean", "pay")])
    def test_a_shape_has_the_typed_number_of_people(self, basis: Basis, statistic: str, column: str) -> None:
        experiment = asked(Statistic(statistic), column, basis=basis, users=777)
        material = shaped(experiment, SCHEMA, {})
        assert material.table.names == (column,) and len(subject_of(material, experiment.question)) == 777

    def test_nothing_of_it_depends_on_the_table(self) -> None:
        """Whatever two tables differ in, what is observed of them is not asked for; so the rows do not matter."""
        experiment = asked(Statistic.HISTOGRAM, "age")
        seen = [
            Hierarchy.from_rows([(str(age), "young" if age < limit else "old", "*") for age in range(100)])
            for limit in (30, 60)
        ]
        keys = {shaped(experiment, SCHEMA, {"age": one}).key for one in seen}
        assert len(keys) == 1 and not shaped(experiment, SCHEMA, {"age": seen[0]}).hierarchies

    def test_bounds_that_were_read_from_the_data_do_not_count(self) -> None:
        read = Schema((replace(AGE, observed=frozenset(("bounds",))),))
        with pytest.raises(WorkbenchError, match="not declared"):
            shaped(asked(Statistic.MEAN, "age"), read, {})
        question = Question(Statistic.MEAN, "age", EncodingChoice(assume_public=True))
        with pytest.raises(WorkbenchError, match="on a public shape nothing is read from it"):
            shaped(asked(Statistic.MEAN, "age", question=question), read, {})
        listed = Schema((replace(TOWN, observed=frozenset(("domain",))),))
        with pytest.raises(WorkbenchError, match="were read from the data, and are not declared public"):
            shaped(asked(Statistic.HISTOGRAM, "town"), listed, {})

    def test_the_number_of_people_must_be_typed(self) -> None:
        with pytest.raises(WorkbenchError, match="how many people"):
            asked(Statistic.MEAN, "age", users=None)
        assert asked(Statistic.MEAN, "age", users=None, axis=Axis.USERS, places=(10.0, 100.0)).basis.public

    def test_samples_that_are_held_bring_no_more_people_than_may_be_held(self) -> None:
        """Each holds the whole crowd that its few people were drawn among: seven of twenty crowds of a million."""
        material = shaped(asked(Statistic.MEAN, "age", users=1_000_000), SCHEMA, {})
        subject = subject_of(material, Question(Statistic.MEAN, "age"))
        drawn = [
            weakref.ref(subject.sample(10, np.random.SeedSequence(number), (number,)).everyone) for number in range(20)
        ]
        gc.collect()
        assert sum(one() is not None for one in drawn) == 7

    def test_dates_have_none(self) -> None:
        dates = Schema((ColumnSpec("age", Kind.DATE, bounds=(0.0, 100.0)),))
        with pytest.raises(WorkbenchError, match="dates"):
            shaped(asked(Statistic.HISTOGRAM, "age"), dates, {})

    def test_a_smooth_shape_is_lopsided_so_that_no_guess_is_right_by_symmetry(self) -> None:
        material = shaped(asked(Statistic.MEAN, "age"), SCHEMA, {})
        truth = subject_of(material, Question(Statistic.MEAN, "age")).truth
        assert 20 < truth[0] < 40


class TestMoved:
    """A public shape lies elsewhere in each try, so that nothing wins because it suits one of them."""

    @pytest.mark.parametrize("basis", [Basis.SMOOTH, Basis.SPIKY, Basis.TAIL])
    def test_each_try_meets_other_people_and_all_ways_the_same(self, basis: Basis) -> None:
        experiment = asked(Statistic.MEAN, "age", basis=basis)
        cells = cells_of(experiment, shaped(experiment, SCHEMA, {}))
        shown = [cell for cell in cells if cell.experiment == experiment]
        tried = next(cell for cell in cells if cell.experiment != experiment)
        truths = {(number, one): shown[0].sample(number, one).truth[0] for number in range(2) for one in range(10)}
        assert len(set(truths.values())) > 18 and np.ptp(list(truths.values())) > 1
        assert all(cell.sample(1, 4).truth[0] == truths[1, 4] for cell in shown)
        assert [tried.sample(0, one).truth[0] for one in range(4)] != [truths[0, one] for one in range(4)]
        assert all(len(cell.sample(0, 1)) == 400 == len(cell.sample(0, 1).numbers) for cell in (*shown, tried))

    def test_equal_shares_stay_equal_and_people_are_drawn_from_them(self) -> None:
        experiment = asked(Statistic.MEAN, "age", basis=Basis.UNIFORM, users=1000)
        subject = subject_of(shaped(experiment, SCHEMA, {}), experiment.question)
        truths = [subject.sample(1000, np.random.SeedSequence(one), (one,)).truth[0] for one in range(40)]
        # The standard deviation of a mean of 1,000 is 29 / sqrt(1000) = 0.92.
        assert 0.5 < np.std(truths) < 1.5 and abs(np.mean(truths) - 50) < 0.6

    def test_some_of_the_people_are_drawn_from_those_of_their_shape(self) -> None:
        experiment = asked(Statistic.SUM, "age", axis=Axis.USERS, places=(50.0, 400.0), truth=Truth.ALL)
        subject = subject_of(shaped(experiment, SCHEMA, {}), experiment.question)
        few = subject.sample(50, np.random.SeedSequence(1), ("a",))
        assert len(few) == 50 and len(few.everyone) == 400
        assert not np.setdiff1d(few.numbers, few.everyone.numbers).size
        assert found(experiment).complete

    def test_middles_of_intervals_that_balance_by_luck_do_not_win(self) -> None:
        """The mean of 1,000 people within 16 and 100 by a trusted curator, against releases of all levels.

        A curator's noise is about (100 − 16) / (n ε) wide; a release of equal intervals errs by a part of their width,
        which on one shape, but not on many, may be any small number.
        """
        narrow = Schema((replace(AGE, bounds=(16.0, 100.0)),))
        for basis in (Basis.SMOOTH, Basis.UNIFORM):
            experiment = asked(Statistic.MEAN, "age", basis=basis, users=1000, places=(1.0,), repetitions=40)
            said = verdict(found(experiment, narrow), 1.0)
            assert said.recommended is Approach.GLOBAL and said.tiles[1].times > 1.5

    def test_of_very_many_people_a_few_tries_share_a_draw_and_count_as_one(self) -> None:
        few, many = asked(Statistic.MEAN, "age"), asked(Statistic.MEAN, "age", users=100_001)
        (one, *_), (other, *_) = (cells_of(wanted, shaped(wanted, SCHEMA, {})) for wanted in (few, many))
        assert (one.alike, other.alike) == (1, 5)
        errors = np.repeat([1.0, 2.0, 4.0], 5)
        # Three draws: a standard deviation of 1.5275 over the root of 3, and not of 15.
        assert ErrorSummary.of(errors, 5).error_of_mean == pytest.approx(1.5275 / math.sqrt(3), rel=1e-4)
        assert ErrorSummary.of(errors).error_of_mean < 0.4 and ErrorSummary.of(errors, 5).mean == errors.mean()

    @pytest.mark.parametrize("truth", list(Truth))
    def test_of_a_table_each_try_is_about_rows_of_its_own(self, truth: Truth) -> None:
        """Ten tries with the same rows would count as ten though they vary together, and the ± would be too narrow."""
        methods = (MethodChoice("sample"),)
        wanted = asked(Statistic.HISTOGRAM, "town", basis=Basis.ROWS, users=10, methods=methods, truth=truth)
        table = Table((Column("town", np.arange(400) % 4, TOWN.domain),))
        (cell, *_) = cells_of(wanted, ExperimentData(table, Schema((TOWN,))))
        asked_of: list[tuple[float, ...]] = []

        class Watched(PlainSample):
            def draw(self, sample: SubjectSample, repetitions: int, *rest: Any) -> Any:
                asked_of.extend([tuple(sample.truth)] * repetitions)
                return super().draw(sample, repetitions, *rest)

        cell.block(Watched(1.0), 0, SILENT)
        assert cell.alike == 1 and len(asked_of) == 10 and len(set(asked_of)) > 3

    def test_several_samples_are_answered_as_one_by_one(self) -> None:
        """Estimates from many collections at once are about the sample that each of them is of."""
        experiment = asked(Statistic.HISTOGRAM, "town", methods=(MethodChoice("local"),), places=(20.0,))
        (cell,) = cells_of(experiment, shaped(experiment, SCHEMA, {}))
        samples = [cell.sample(0, number) for number in range(6)]
        answers = cell.answerer().draw_each(samples, np.random.SeedSequence(5), SILENT)
        assert np.allclose(answers, [one.truth for one in samples], atol=2)
        assert len({tuple(one.truth) for one in samples}) > 4
