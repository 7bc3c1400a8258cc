"""What ε hides with each way, and Local beside a Global that hides the same."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.evaluate.verdict_helpers import SCHEMA, asked
from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.evaluate.error_series import ErrorSeries, Point
from workbench.evaluate.experiment import Axis, Basis, Experiment, Truth
from workbench.evaluate.experiment_edits import families
from workbench.evaluate.experiment_run import run
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.protection_words import (
    as_global_words,
    charged_twice_words,
    hidden_briefly,
    hidden_means,
    hidden_words,
    protected_words,
    smaller_words,
)
from workbench.evaluate.public_shape import shaped
from workbench.evaluate.question import Metric, Question, Statistic, metrics_for
from workbench.evaluate.tile import WAYS, Tile
from workbench.evaluate.tile_words import between_words, equal_privacy_words, standing_means, standing_words, told_words
from workbench.evaluate.verdict import verdict
from workbench.evaluate.winning_words import mean_noise_words, winning_words
from workbench.plots.curve_words import promise_words
from workbench.session.comparison_words import running_words

TOWN = ColumnSpec("town", Kind.CATEGORY, domain=("Bern", "Basel", "Chur", "Genf"))
SAID = ColumnSpec("said", Kind.CATEGORY, domain=("yes", "no"))


def shares(column: str = "town", **changes: Any) -> Experiment:
    question = Question(Statistic.HISTOGRAM, column)
    plain = Experiment(question, metrics_for(Statistic.HISTOGRAM)[0], families(), basis=Basis.SMOOTH, users=5_000)
    changes.setdefault("places", (0.5, 1.0))
    return replace(plain, **changes)


def known(experiment: Experiment, errors: tuple[float, ...], at_half: float = math.nan, outputs: int = 4) -> Findings:
    """Findings with these errors of the ways at ε = 1, and that of Global at half of it."""
    halves = (at_half, math.nan, math.nan)
    series = []
    for choice, way, error, half in zip(families()[:3], WAYS, errors, halves, strict=True):
        points = [Point(way.value, 1.0, error, error, error, 50, 0.0)]
        if 0.5 in experiment.places:
            points.insert(0, Point(way.value, 0.5, half, half, half, 50, 0.0))
        series.append(ErrorSeries(choice, way.value, way, tuple(points)))
    return Findings(experiment, tuple(series), 400, outputs=outputs)


def sentences(findings: Findings) -> list[str]:
    told = verdict(findings, 1.0)
    return [protected_words(one, told, findings) for one in told.tiles]


class TestEqualProtection:
    def test_global_with_twice_the_noise_is_what_it_errs_by_at_half_of_epsilon(self) -> None:
        """A value that changes moves two counts where a row that goes moves one; sampling stays what it was."""
        assert sentences(known(shares(), (0.1, 0.5, 4.2), 0.2)) == [
            "", "", "about 21 times at equal privacy",
        ]  # fmt: skip
        sampled = known(shares(truth=Truth.POPULATION), (1.0, 2.0, 2.2), 1.01)
        assert sentences(sampled)[2] == "about 2.2 times at equal privacy"
        told = verdict(sampled, 1.0)
        assert hidden_means(told.tiles[2], told, sampled) == (
            "To hide which value a person has, as Local does, Global needs twice the noise in its counts (then 50.5 % "
            "misplaced, as at ε = 0.5): Local then errs about 2.2 times as much as Global."
        )

    def test_the_card_says_which_answer_of_global_hides_as_much(self) -> None:
        """One meaning for all questions, which value a person has, and the noise that asks of each."""
        every = known(shares(), (0.1, 0.5, 4.2), 0.2)
        told = verdict(every, 1.0)
        assert [as_global_words(one, told, every) for one in told.tiles] == ["", "", "as Global at ε 0.5"]

    def test_how_many_times_that_is_stands_before_how_many_it_is_at_the_same_epsilon(self) -> None:
        def stands(findings: Findings) -> list[str]:
            told = verdict(findings, 1.0)
            return [standing_words(one, told, protected_words(one, told, findings)) for one in told.tiles]

        ours, released, local = stands(known(shares(), (0.1, 0.5, 4.2), 0.2))
        assert (ours, released) == ("the smallest error", "5 times as much")
        assert local == "about 21 times at equal privacy, 42 at the same ε"
        unknown = stands(known(shares(places=(1.0, 2.0)), (0.1, 0.5, 4.2)))[2]
        assert unknown == "42 times as much at the same ε. At equal privacy: not run."

    def test_nothing_is_said_where_global_was_not_tried_so(self) -> None:
        errors = (0.1, 0.5, 4.2)
        assert sentences(known(shares(places=(1.0, 2.0)), errors)) == ["", "", "At equal privacy: not run."]
        along = known(shares(axis=Axis.USERS, places=(1.0,)), errors)
        assert sentences(along) == [""] * 3
        mean = replace(shares(), question=Question(Statistic.MEAN, "town"), metric=Metric())
        assert sentences(known(mean, errors, 0.2))[2] == "about 21 times at equal privacy"
        other = sentences(known(shares(), (0.5, 0.1, 4.2), 0.9))
        assert other == ["", "", "At equal privacy: none, as Anonymised needs δ."], "it is measured by another"

    def test_of_a_mean_it_is_the_sums_that_are_drawn_with_twice_the_noise(self) -> None:
        """Of another mechanism, one sum of a known number, which Query would not draw, nothing is said."""
        question = Question(Statistic.MEAN, "town")
        mean = replace(shares(), question=question, metric=Metric(), users=1_800)
        found = replace(known(mean, (21.5, 30.0, 551.0), 43.0), width=10_000.0)
        assert sentences(found) == ["", "", "about 13 times at equal privacy"]
        told = verdict(found, 1.0)
        assert hidden_means(told.tiles[2], told, found) == (
            "To hide which value a person has, as Local does, Global needs twice the noise in its sums (its error "
            "is then 43, as at ε = 0.5): Local then errs about 13 times as much as Global."
        )
        assert equal_privacy_words(found, 1.0) == (
            "Global hides an answer at ε with twice the noise (its error is then 43, as at ε = 0.5)"
        )
        first = known(replace(mean, places=(1.0, 2.0)), (21.5, 30.0, 551.0))
        assert sentences(first)[2] == "At equal privacy: not run."

    def test_between_places_that_were_run_global_is_read_there_too_and_the_caption_says_it(self) -> None:
        points = {0.25: 0.4, 0.5: 0.2, 1.0: 0.1, 2.0: 0.05}
        whole = known(shares(places=tuple(points)), (0.1, 0.5, 4.2))
        series = tuple(
            replace(
                one,
                points=tuple(
                    Point(one.approach.value, place, *[times * error] * 3, 50, 0.0) for place, error in points.items()
                ),
            )
            for one, times in zip(whole.series, (1, 5, 42), strict=True)
        )
        found = replace(whole, series=series)
        assert "Local 150 % (21 times at equal privacy, 42 at the same ε)" in told_words(found, 1.4)
        alike = "Global hides an answer at ε with twice the noise (then 7.14 % misplaced, as at ε = 0.7)"
        assert equal_privacy_words(found, 1.4) == alike
        assert promise_words(found, alike).endswith(f"one answer. {alike}. Anonymised is a table of this column alone.")
        apart = replace(
            found,
            experiment=shares(places=(0.25, 0.5, 2.0)),
            series=tuple(replace(one, points=(*one.points[:2], one.points[3])) for one in series),
        )
        local = verdict(apart, 2.0).tiles[2]
        assert protected_words(local, verdict(apart, 2.0), apart) == "about 21 times at equal privacy (interpolated)"
        half = "(then 5 % misplaced, as at ε = 1)"
        assert equal_privacy_words(apart, 2.0) == f"Global hides an answer at ε with twice the noise {half}"
        assert "(21 times at equal privacy, interpolated, 42 at the same ε)" in told_words(apart, 2.0)

    def test_what_anonymised_hides_is_what_global_hides_but_for_delta(self) -> None:
        found = known(shares(), (0.1, 0.5, 4.2), 0.2)
        told = verdict(found, 1.0)
        assert hidden_means(told.tiles[1], told, found) == (
            "It hides what Global hides, δ apart: at one ε the errors of both compare as they are."
        )

    def test_two_sums_at_half_of_epsilon_hide_any_value(self) -> None:
        """Two tables that differ in one value: the densities of both noisy sums differ by e^ε at most, everywhere."""
        width, epsilon = 10_000.0, 0.7
        scale = width / (epsilon / 2)
        above, below = np.meshgrid(np.linspace(-50_000, 50_000, 301), np.linspace(-50_000, 50_000, 301))
        for other in (0.0, 2_500.0, width):
            before = np.abs(above) + np.abs(below - width)
            after = np.abs(above - other) + np.abs(below - (width - other))
            assert np.abs(before - after).max() / scale <= epsilon + 1e-12

    def test_it_waits_until_global_was_run_so_and_is_not_said_from_places_around_it(self) -> None:
        whole = known(shares(places=(0.25, 0.5, 1.0)), (0.1, 0.5, 4.2), 0.2)
        most, *others = whole.series
        around = [replace(most.points[0], axis_value=0.25), most.points[-1]]
        begun = replace(whole, series=(replace(most, points=tuple(around)), *others), complete=False)
        assert sentences(begun)[2] == "At equal privacy: not run yet."
        there = replace(whole, complete=False)
        assert sentences(there)[2] == "about 21 times at equal privacy", "the others may still come"

    def test_of_two_values_one_count_is_enough(self) -> None:
        """An answer that changes moves it by 1, so that its noise hides that as it is."""
        noise = 2 * math.exp(-1) / (1 - math.exp(-2)) / 5_000
        found = known(shares("said"), (1.5 * noise, 1.0, 20 * noise), 3 * noise, 2)
        # Counts are compared in Manhattan distance, which has everybody who is misplaced twice.
        times = 20 * found.experiment.metric.shown_times / 100
        assert sentences(found)[2] == f"about {times:g} times at equal privacy"
        few = known(shares("said", users=50), (1.5 * noise, 1.0, 20 * noise), 3 * noise, 2)
        assert sentences(few)[2] == "", "so few that noise is cut off at none and at all"
        several = replace(found, rows_per_person=2)
        assert sentences(several)[2] == ""

    def test_of_two_values_with_sampling_it_lies_between_the_noise_and_twice_of_it(self) -> None:
        every = shares("said", truth=Truth.POPULATION)
        assert sentences(known(every, (1.0, 9.0, 2.2), 1.01, 2))[2] == "about 2.2 times at equal privacy"
        apart = known(every, (1.0, 9.0, 3.0), 1.5, 2)
        assert sentences(apart)[2] == "about 2 to 3 times at equal privacy"
        told = verdict(apart, 1.0)
        assert hidden_means(told.tiles[2], told, apart).startswith("To hide which of two values a person has")

    def test_shares_of_yes_among_many_who_are_a_sample(self) -> None:
        """Sampling is nearly all of Global's error, so that twice the noise changes hardly anything."""
        experiment = shares("said", truth=Truth.POPULATION, repetitions=200, basis=Basis.UNIFORM)
        findings = run(experiment, shaped(experiment, Schema((SAID,)), {}))
        told = verdict(findings, 1.0)
        plain, _, local = told.tiles
        assert local.error / plain.error / 2 < 1.3, "half of what is mostly sampling"
        words = protected_words(local, told, findings)
        times = [float(one) for one in words.removeprefix("about ").split(" times ")[0].split(" to ")]
        assert local.approach is Approach.LOCAL and times
        assert all(one == pytest.approx(local.error / plain.error, rel=0.1) for one in times), words


def test_why_the_way_to_take_errs_less_is_said_in_a_sentence() -> None:
    found = known(shares(), (0.1, 0.5, 4.2), 0.2)
    assert winning_words(verdict(found, 1.0), found) == (
        "Global adds noise once, to hide one person; with Local each adds such noise, which averages out "
        "only in part; Anonymised loses rows or detail"
    )
    near = known(shares(), (0.1, 0.1, 4.2), 0.2)
    assert "Anonymised" not in winning_words(verdict(near, 1.0), near), "it is no worse"


def test_a_mean_says_how_its_noise_comes_about_and_what_it_errs_by_lies_between() -> None:
    """Two noises of scale range ÷ ε, of which a bound has one and the middle half of both."""
    question = Question(Statistic.MEAN, "pay")
    mean = replace(shares(), question=question, metric=Metric(), users=900, repetitions=5, basis=Basis.EITHER)
    pay = Schema((ColumnSpec("pay", Kind.DECIMAL, bounds=(0.0, 20_000.0)),))
    found = run(mean, shaped(mean, pay, {}))
    ours, _, local = verdict(found, 1.0).tiles
    said = "range ÷ ε ÷ people = 22.2 with the mean at a bound, 16.7 in the middle"
    assert ours.by_formula and mean_noise_words(ours, found, 1.0) == said
    assert 16.7 < ours.error < 22.2
    assert mean_noise_words(ours, found, 0.5) == said.replace("22.2", "44.4").replace("16.7", "33.3")
    assert mean_noise_words(local, found, 1.0) == ""
    histogram = known(shares(), (0.1, 0.5, 4.2), 0.2)
    assert mean_noise_words(verdict(histogram, 1.0).tiles[0], histogram, 1.0) == ""


def test_no_place_is_done_before_every_way_was_run_there() -> None:
    whole = known(replace(shares(places=(0.5, 1.0)), methods=families()[:3]), (0.1, 0.5, 4.2), 0.2)
    assert whole.through == (0.5, 1.0)
    begun = replace(whole, series=whole.series[:2], complete=False)
    assert begun.through == (), "of Local there is nothing yet"
    more = replace(whole, complete=False)
    assert running_words(None, None, 0.3) == "Running: 30 %"
    assert running_words(begun, begun, 0.3) == "Running, ε = 1 first: 30 %"
    assert running_words(more, more, 0.3) == "ε = 1 is done. The others follow: 30 %"
    assert running_words(more, begun, 0.3) == "Running: 30 %", "what came last is not there to read yet"
    assert running_words(more, replace(more, experiment=shares()), 0.3) == "Running: 30 %", "of another question"


class TestNumberThatIsKnown:
    """Who is there follows from it for whoever knows all others; what one person answers does not."""

    TILES = tuple(
        Tile(way, setting=choice)
        for way, choice in zip(
            WAYS, (MethodChoice("global-grid"), MethodChoice("trimmed"), MethodChoice("local")), strict=True
        )
    )

    def test_noise_for_a_row_more_or_less_hides_an_answer_at_twice_epsilon(self) -> None:
        said = [hidden_words(one, shares(public_total=True)) for one in self.TILES]
        answer = "which answer was given"
        assert said == [f"2 ε hides {answer}", f"2 ε with 2 δ (δ = 1e-5) hides {answer}", f"ε hides {answer}"]
        plain = [hidden_words(one, shares()) for one in self.TILES]
        there = "whether a row is there"
        assert plain == [f"ε hides {there}", f"ε with δ = 1e-5 hides {there}", f"ε hides {answer}"]

    def test_in_a_line_every_way_says_the_epsilon_that_hides_an_answer_or_a_row(self) -> None:
        tiles = [replace(one, error=1.0) for one in self.TILES]
        said = [hidden_briefly(one, shares(public_total=True), 0.5) for one in tiles]
        assert said == ["Hides an answer: ε 1", "Hides an answer: ε 1, δ 2e-5", "Hides an answer: ε 0.5"]
        plain = [hidden_briefly(one, shares(), 0.5) for one in tiles]
        assert plain == ["Hides a row: ε 0.5", "Hides a row: ε 0.5, δ 1e-5", "Hides an answer: ε 0.5"]
        assert hidden_briefly(Tile(WAYS[0]), shares(), 0.5) == "", "nothing answers, and nothing is hidden"

    def test_a_way_that_answers_with_less_epsilon_says_why(self) -> None:
        less = replace(self.TILES[1], error=1.0, setting=MethodChoice("trimmed", epsilon=0.1))
        assert hidden_briefly(less, shares(), 1.0) == "Hides a row: ε 0.1, δ 1e-5 (at 0.1 it errs less than at 1)"
        public = hidden_briefly(less, shares(public_total=True), 1.0)
        assert public == "Hides an answer: ε 0.2, δ 2e-5 (at 0.1 it errs less than at 1)"
        assert smaller_words(less, shares(), 0.1) == "", "there it is its own"

    def test_a_delta_that_is_a_part_of_the_people_is_doubled_as_well(self) -> None:
        part = replace(self.TILES[1], error=1.0, setting=MethodChoice("trimmed", {"delta": "1/n"}))
        assert hidden_briefly(part, shares(), 0.5) == "Hides a row: ε 0.5, δ 1/n"
        assert hidden_briefly(part, shares(public_total=True), 0.5) == "Hides an answer: ε 1, δ 2/n"

    def test_the_caption_doubles_delta_as_the_card_does(self) -> None:
        public = known(shares(public_total=True), (0.1, 0.5, 4.2), 0.2)
        released = replace(public.series[1], choice=MethodChoice("trimmed"))
        said = promise_words(replace(public, series=(public.series[0], released, public.series[2])))
        assert said.endswith("at 2 ε with a curator. Anonymised (this column alone) adds δ = 2e-5.")

    def test_of_a_statistic_that_is_fitted_to_no_total_nobody_is_told_one(self) -> None:
        mean = replace(shares(public_total=True), question=Question(Statistic.MEAN, "town"), metric=Metric())
        assert hidden_words(self.TILES[0], mean) == "ε hides whether a row is there"

    def test_the_caption_promises_no_more(self) -> None:
        public = known(shares(public_total=True), (0.1, 0.5, 4.2), 0.2)
        assert promise_words(public).startswith(
            "How many take part is public, so nothing hides who does. One answer is hidden at ε with Local, at 2 ε "
            "with a curator. Anonymised"
        )
        alone = replace(public, series=public.series[:1])
        assert promise_words(alone) == (
            "How many take part is public, so nothing hides who does. One answer is hidden at 2 ε."
        )
        assert promise_words(known(shares(), (0.1, 0.5, 4.2), 0.2)).startswith(
            "A curator hides one row at ε (at 2 ε its answer), Local one answer. Anonymised"
        )
        # Where it is said what hides an answer at ε, nobody reckons with 2 ε.
        assert promise_words(known(shares(), (0.1, 0.5, 4.2), 0.2), "So and so").startswith(
            "A curator hides one row at ε, Local one answer. So and so. Anonymised"
        )
        assert sentences(public)[2] == "about 21 times at equal privacy"

    def test_two_answers_that_differ_by_one_person_are_told_apart_by_no_more_than_is_said(self) -> None:
        """What two counts with noise are fitted to depends on their difference, which one other answer moves by 2."""
        epsilon, far = 1.0, 60
        noise = np.exp(-epsilon * np.abs(np.arange(-far, far + 1)))
        apart = np.convolve(noise, noise)  # of the difference of two noises
        moved = np.log(apart[2:]) - np.log(apart[:-2])
        within = np.abs(moved[far : 3 * far - 2])
        assert epsilon < within.max() <= 2 * epsilon * (1 + 1e-9)


def test_a_range_that_is_wider_than_the_margin_beside_it_says_why() -> None:
    """A formula is computed for few draws of people, and what it varies with them is in the range as well."""
    findings = known(shares(), (0.1, 0.5, 0.47), 0.2)
    exact, _, tried = (one.points[-1] for one in findings.series)
    of_draws = replace(exact, tried=0.1, error_of_mean=0.001, means=10)
    series = list(findings.series)
    series[0] = replace(series[0], points=(series[0].points[0], of_draws))
    series[2] = replace(series[2], points=(series[2].points[0], replace(tried, error_of_mean=0.04, means=100)))
    told = verdict(replace(findings, series=tuple(series)), 1.0)
    means, local = standing_means(told.tiles[2], told), told.tiles[2]
    low, high = local.between
    assert high / (0.47 / 0.1) - 1 > 1.99 * 0.04 / 0.47 and low > 1
    assert "Global is by formula, but the mean of 10 draws of people: chance is in it, too." in means
    certain = verdict(findings, 1.0)
    assert "by formula" not in standing_means(certain.tiles[2], certain)


def test_where_one_looks_is_run_first_and_what_was_not_run_there_yet_is_called_interpolated() -> None:
    experiment = shares(places=(0.1, 0.5, 1.0, 2.0), repetitions=2)
    assert experiment.first_places() == (1.0,) and experiment.first_places(0.5) == (0.5,)
    assert experiment.first_places(0.7) == (0.5, 1.0) and experiment.first_places(9.0) == (1.0,)
    told: list[Findings] = []
    run(experiment, shaped(experiment, Schema((TOWN,)), {}), partial=told.append, first=0.5)
    begun = next(one for one in told if one.through)
    assert begun.through == (0.5,)
    assert running_words(begun, begun, 0.3, (0.5,)) == "ε = 0.5 is done. The others follow: 30 %"
    apart = next(one for one in told if one.through == (0.1, 0.5))
    assert between_words(apart, 0.5) == ""
    series = tuple(replace(one, points=(one.points[0], replace(one.points[1], axis_value=2.0))) for one in apart.series)
    assert between_words(replace(apart, series=series), 0.5) == "Interpolated between 0.1 and 2, which were run"


def test_where_the_number_is_public_one_sentence_says_what_is_charged() -> None:
    town = asked(Statistic.HISTOGRAM, "town", public_total=True, places=(0.5, 1.0), users=400, repetitions=3)
    assert charged_twice_words(run(town, shaped(town, SCHEMA, {})), 0.5) == (
        "The number of people is public: of ε 0.5, a curator’s is charged as 1, Local’s as 0.5."
    )
    alone = replace(town, public_total=False)
    assert not charged_twice_words(run(alone, shaped(alone, SCHEMA, {})), 0.5)
