"""Below what most values lie, where everybody knows it: the shape that is tried, what is said of it, and its key."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from workbench.core.errors import WorkbenchError
from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.evaluate.basis_words import basis_words
from workbench.evaluate.class_words import class_width, class_words, mostly_words
from workbench.evaluate.enough import enough, error_limit
from workbench.evaluate.enough_advice import chance_words, enough_sentence
from workbench.evaluate.experiment import Basis, Experiment
from workbench.evaluate.experiment_edits import changes_for_question, families
from workbench.evaluate.experiment_run import run
from workbench.evaluate.figure_settings import FigureSettings
from workbench.evaluate.findings import Findings
from workbench.evaluate.made_hierarchies import narrow_edges
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.public_shape import shaped
from workbench.evaluate.question import Question, Statistic
from workbench.evaluate.verdict import verdict
from workbench.ldp.encoding import EncodingChoice
from workbench.plots.comparison import enough_lines
from workbench.plots.comparison_caption import caption
from workbench.plots.comparison_data import ComparisonData

CHARGE = Schema((ColumnSpec("charge", Kind.DECIMAL),))
ASKED = Experiment(
    question=Question(Statistic.MEAN, "charge", EncodingChoice(bounds=(0.0, 100_000.0))),
    methods=(MethodChoice("global-grid"), MethodChoice("local")),
    places=(0.1, 1.0, 5.0),
    repetitions=5,
    users=9000,
    basis=Basis.EITHER,
    most_below=2000.0,
)


def found(asked: Experiment = ASKED) -> Findings:
    return run(asked, shaped(asked, CHARGE, {}), workers=1)


@pytest.fixture(scope="module")
def findings() -> Findings:
    return found()


class TestItsShape:
    @pytest.mark.parametrize("kind", [Kind.DECIMAL, Kind.INTEGER])
    @pytest.mark.parametrize(
        ("low", "most", "high"), [(0, 2000, 100_000), (-50, 200, 9000), (0, 40, 120), (18, 30, 99)]
    )
    def test_has_nine_in_ten_values_below_in_each_try(self, kind: Kind, low: float, most: float, high: float) -> None:
        question = replace(ASKED.question, encoding=EncodingChoice(bounds=(low, high)))
        data = shaped(replace(ASKED, question=question, most_below=most), Schema((ColumnSpec("charge", kind),)), {})
        values, crowd = np.array([float(one) for one in data.table.columns[0].values]), data.crowd
        assert crowd is not None and (np.diff(values) > 0).all() and low <= values[0] <= values[-1] <= high
        below = values < most
        generator = np.random.default_rng(0)
        each = [crowd.shares(None), *(crowd.shares(generator) for _ in range(200))]
        assert [float(one[below].sum()) for one in each] == pytest.approx([0.9] * 201)
        means = [float(one @ values) - low for one in each]
        assert np.std(means) > 0.02 * np.mean(means), "no way suits one of them by luck"

    def test_takes_the_place_of_the_usual_ones_for_numbers_alone(self) -> None:
        assert ASKED.shapes == (Basis.TAIL,) and len(replace(ASKED, most_below=None).shapes) == 4
        counts = Experiment(question=Question(Statistic.HISTOGRAM, "ward"), users=9, most_below=5.0, basis=Basis.EITHER)
        for other in (replace(ASKED, basis=Basis.SMOOTH), replace(ASKED, basis=Basis.ROWS), counts):
            assert other.shapes == replace(other, most_below=None).shapes and not other.most_words

    @pytest.mark.parametrize("most", [0.0, -3.0, 100_000.0, 1e9, math.inf])
    def test_lies_between_the_bounds(self, most: float) -> None:
        with pytest.raises(WorkbenchError, match=r"between the bounds|number") as refused:
            shaped(replace(ASKED, most_below=most), CHARGE, {})
        assert refused.value.field == "most_below"

    def test_is_not_that_of_another_column(self) -> None:
        assert changes_for_question(ASKED, Question(Statistic.MEAN, "age"))["most_below"] is None
        assert "most_below" not in changes_for_question(ASKED, replace(ASKED.question, statistic=Statistic.SUM))


class TestWhatIsSaidOfIt:
    def test_sampling_adds_as_little_as_to_such_values(self, findings: Findings) -> None:
        """9 in 10 below 2,000 of log-normal values: their deviation is near 1,100, √(2/π) of which ÷ √9,000 is 9.2."""
        assert 8 < error_limit(findings).most < 10.5

    def test_whoever_reads_what_is_enough_reads_of_which_values(self, findings: Findings) -> None:
        said = verdict(findings, 1.0)
        words = "9 in 10 values below 2,000"
        assert f"With {words} it then errs less on average than sampling adds (" in enough_sentence(said, findings)
        assert [name for name, _ in enough_lines(error_limit(findings))] == [
            f"Enough, {words}: {error_limit(findings).told}"
        ]
        assert basis_words(findings).endswith(f"a long tail, {words}")
        assert chance_words(Approach.GLOBAL, enough(findings), findings).startswith(f"With {words}.")
        below = caption(ComparisonData(findings, FigureSettings(), source="visits.csv")).below
        assert f"{words}, n = 9,000" in below
        assert sum(any(letter.isalnum() for letter in word) for word in below.split()) <= 95

    def test_more_is_needed_than_on_the_usual_shapes(self, findings: Findings) -> None:
        usual = found(replace(ASKED, most_below=None))
        mine, other = (
            next(one for one in enough(some) if one.approach is Approach.GLOBAL) for some in (findings, usual)
        )
        assert mine.least is not None and other.least is not None and mine.least > 2 * other.least


class TestItsKey:
    def test_is_there_where_it_was_typed_alone(self) -> None:
        """So that files, keys of results and all that hangs on them are what they were before there was one."""
        assert ASKED.to_json()["most_below"] == 2000.0 and Experiment.from_json(ASKED.to_json()) == ASKED
        plain = replace(ASKED, most_below=None)
        assert "most_below" not in plain.to_json() and Experiment.from_json(plain.to_json()) == plain
        assert Experiment.from_json({**plain.to_json(), "most_below": None}) == plain

    def test_results_of_before_are_found_again(self) -> None:
        plain = replace(ASKED, most_below=None)
        counts = Experiment(
            question=Question(Statistic.MEAN, "charge", ASKED.question.encoding), users=9, basis=Basis.SMOOTH
        )
        assert shaped(counts, CHARGE, {}).key == shaped(replace(counts, most_below=5.0), CHARGE, {}).key
        assert shaped(ASKED, CHARGE, {}).key != shaped(replace(ASKED, most_below=2001.0), CHARGE, {}).key
        assert shaped(plain, CHARGE, {}).key != shaped(ASKED, CHARGE, {}).key


@pytest.fixture(scope="module")
def released() -> Findings:
    return found(replace(ASKED, methods=families(), most_below=1000.0, repetitions=20))


class TestClassesOfARelease:
    """An anonymised mean is off by what its classes are wide, which is said with the width that was tried."""

    def test_their_width_is_that_of_the_table_and_their_shift_that_of_its_middles(self, released: Findings) -> None:
        (tile,) = (one for one in verdict(released, 1.0).tiles if one.approach is Approach.ANONYMISED)
        assert tile.setting is not None and tile.setting.checked()["level"] == 1
        assert class_width(tile, released) == "50 below 1,000, wider above"
        shift = dict(released.by_classes)[Basis.TAIL, 1]
        assert 3 < shift < 10, "a class of 50 is off by less than its half, and those above it by more"
        assert class_words(tile, released) == (
            "Classes of 50 below 1,000, wider above: each value counts as the middle of its class. On this shape that "
            f"alone is off by about {shift:.2g}."
        )
        assert mostly_words(replace(tile, error=shift), released) == "mostly how wide its classes are"
        assert mostly_words(replace(tile, error=5000.0), released) == "", "then most of it is something else"

    def test_as_many_classes_as_ever_are_narrow_where_most_values_lie(self, released: Findings) -> None:
        """Where nothing was said they are 3,125 wide, and off by a thousand: any publisher cuts finer below."""
        (tile,) = (one for one in verdict(released, 1.0).tiles if one.approach is Approach.ANONYMISED)
        assert tile.error < 20
        edges = narrow_edges((0.0, 100_000.0), 1000.0, 32)
        widths = np.diff(edges)
        assert len(widths) <= 32 and edges[0] == 0.0 and edges[-1] == 100_000.0 and 1000.0 in edges
        assert set(widths[: edges.index(1000.0)].tolist()) == {50.0} and (np.diff(widths) >= 0).all()

    def test_of_other_ways_and_settings_nothing_is_said(self, released: Findings) -> None:
        plain, tile, local = verdict(released, 1.0).tiles
        steps = replace(tile, setting=MethodChoice("trimmed-in-steps", {"level": 1, "hierarchy": "equal intervals"}))
        own = replace(tile, setting=MethodChoice("trimmed", {"level": 1}))
        for one in (plain, local, steps, own):
            assert class_width(one, released) == class_words(one, released) == mostly_words(one, released) == ""

    def test_the_caption_tells_it(self, released: Findings) -> None:
        told = str(caption(ComparisonData(released, FigureSettings(), place=1.0)))
        assert (
            "(classes of 50 below 1,000, wider above), Local" in told
            and "(Trimmed, classes of 50 below 1,000, wider above)" in told
        )
