"""The verdict: which way to take at a place of the axis, how it stands beside the others, and what is said of it."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from tests.evaluate.verdict_helpers import SCHEMA, asked, by_shape, found
from workbench.evaluate.basis_words import basis_words, sampling_words
from workbench.evaluate.enough import Enough, enough, enough_means, error_limit, least_words, sampling_bound
from workbench.evaluate.enough_advice import (
    enough_beside,
    enough_from,
    enough_sentence,
    perhaps_words,
    short_of_enough,
    tries_for_enough,
)
from workbench.evaluate.experiment import Basis, Truth
from workbench.evaluate.experiment_edits import families
from workbench.evaluate.experiment_run import cells_of
from workbench.evaluate.families import TRIES
from workbench.evaluate.findings import ErrorSeries, Findings, Point, chance_of, fewest
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.public_shape import shaped
from workbench.evaluate.question import Metric, Question, Statistic
from workbench.evaluate.subject import subject_of
from workbench.evaluate.tile import Remedy, Tile, Verdict
from workbench.evaluate.tile_words import (
    brief_words,
    compared_errors,
    headline_words,
    moved_words,
    setting_words,
    shape_words,
    standing_means,
    standing_words,
    ties_words,
    told_words,
    tries_to_tell,
    why_words,
)
from workbench.evaluate.told_apart import TileStanding, about_words, between_words, ratio_between, standing_of
from workbench.evaluate.verdict import error_words, told_error, verdict
from workbench.plots.curve_words import settings_of


class TestEither:
    def test_numbers_have_a_long_tail_too(self) -> None:
        bars, mean = (replace(asked(one, "age"), basis=Basis.EITHER) for one in (Statistic.HISTOGRAM, Statistic.MEAN))
        assert bars.shapes == (Basis.SMOOTH, Basis.SPIKY, Basis.UNIFORM)
        assert mean.shapes == (Basis.SMOOTH, Basis.SPIKY, Basis.TAIL, Basis.UNIFORM)
        assert len(shaped(mean, SCHEMA, {}).also) == 3 and len(shaped(bars, SCHEMA, {}).also) == 2
        tail = shaped(replace(mean, basis=Basis.TAIL, question=Question(Statistic.MEAN, "pay")), SCHEMA, {})
        assert 90_000 / 60 < subject_of(tail, Question(Statistic.MEAN, "pay")).truth[0] < 90_000 / 20

    def test_another_way_that_errs_less_on_one_shape_is_named(self) -> None:
        experiment = replace(asked(Statistic.MEAN, "age"), basis=Basis.EITHER, places=(1.0,), methods=families()[:2])
        ways = (by_shape(families()[0], 1.0, 1.0, 2.0), by_shape(families()[1], 3.0, 3.0, 0.5))
        said = verdict(Findings(experiment, ways, 400), 1.0)
        assert said.recommended is Approach.GLOBAL
        assert [(one.shape, one.approach, one.error, one.instead) for one in said.unless] == [
            (Basis.TAIL, Approach.ANONYMISED, 0.5, 2.0)
        ]
        assert "It depends: if most values lie close to the lower bound, anonymised errs less" in said.sentence
        assert not verdict(Findings(experiment, (ways[0], by_shape(families()[1], 3.0, 3.0, 2.01)), 400), 1.0).unless

    @pytest.mark.parametrize(
        ("local", "guess", "recommended", "unless"),
        [
            # The worst of the guess is worse than the worst of the way, but on another shape than where it is better.
            ((0.4, 0.5, 0.9), (0.2, 0.9, 0.0), Approach.LOCAL, [(Basis.SMOOTH, Approach.BASELINE)]),
            # The other way round: its worst is better, though on one shape the way errs less.
            ((0.3, 1.0, 0.9), (0.5, 0.7, 0.0), Approach.LOCAL, [(Basis.SPIKY, Approach.BASELINE)]),
            # By less than a quarter nothing depends on the shape.
            ((0.3, 1.0, 0.9), (0.5, 0.9, 0.0), Approach.LOCAL, []),
            ((0.4, 1.0, 0.9), (0.4, 0.9, 0.0), None, []),
            ((0.4, 0.5, 0.9), (0.5, 0.6, 0.0), Approach.LOCAL, []),
        ],
    )
    def test_a_guess_is_compared_on_the_same_shape(
        self,
        local: tuple[float, ...],
        guess: tuple[float, ...],
        recommended: Approach | None,
        unless: list[tuple[Basis, Approach]],
    ) -> None:
        experiment = replace(asked(Statistic.HISTOGRAM, "town"), basis=Basis.EITHER, places=(1.0,))
        curves = by_shape(families()[2], *local), by_shape(families()[3], *guess)
        said = verdict(Findings(experiment, curves, 400), 1.0)
        assert said.recommended is recommended and said.guess == max(guess)
        assert [(one.shape, one.approach) for one in said.unless] == unless
        assert ("a guess errs less" in said.sentence) == bool(unless)
        assert said.tiles[2].guessed == (recommended is None) == said.to_json()["tiles"][2]["guessed"]

    def test_a_way_that_is_no_better_than_a_guess_says_so_beside_a_good_one(self) -> None:
        experiment = replace(asked(Statistic.HISTOGRAM, "town"), basis=Basis.EITHER, places=(1.0,))
        errors = (0.1, 0.2, 0.2), (0.6, 0.9, 0.9), (0.5, 0.8, 0.0)
        curves = tuple(by_shape(families()[n], *one) for n, one in zip((0, 2, 3), errors, strict=True))
        said = verdict(Findings(experiment, curves, 400), 1.0)
        assert said.recommended is Approach.GLOBAL and [one.guessed for one in said.tiles] == [False, False, True]
        assert (
            "local errs about 4.5 times as much (4 to 5), no better than a guess. "
            "If nobody is, nothing beats a guess." in said.sentence
        )

    def test_of_a_smooth_a_spiky_and_an_even_shape_the_worst_error_counts(self) -> None:
        grid = {"methods": (MethodChoice("global-grid"), MethodChoice("uniform")), "places": (1.0,)}
        every, *each = (
            found(asked(Statistic.HISTOGRAM, "town", basis=one, **grid)).points
            for one in (Basis.EITHER, Basis.SMOOTH, Basis.SPIKY, Basis.UNIFORM)
        )
        for worst, *some in zip(every, *each, strict=True):
            assert worst.mean == max(one.mean for one in some)

    def test_tries_are_divided_among_the_shapes(self) -> None:
        experiment = asked(Statistic.HISTOGRAM, "town", basis=Basis.EITHER)
        cells = cells_of(experiment, shaped(experiment, SCHEMA, {}))
        tries = [
            cell.experiment.repetitions
            for cell in cells
            if cell.experiment.seed != experiment.seed
            and (cell.place, cell.choice.method.approach) == (0.5, Approach.GLOBAL)
        ]
        assert tries == [TRIES // 6] * 6

    def test_a_setting_must_do_well_on_both(self) -> None:
        findings = found(asked(Statistic.MEAN, "age", basis=Basis.EITHER))
        assert findings.complete and verdict(findings, 2.0).recommended is Approach.GLOBAL


class TestVerdict:
    def test_the_tile_that_errs_least_is_recommended(self, mean: Findings) -> None:
        said = verdict(mean, 0.5)
        errors = {one.approach: one.error for one in said.tiles}
        assert said.recommended is min(errors, key=errors.__getitem__) is Approach.GLOBAL
        assert said.tiles[0].times == 1 and all(one.times >= 1 for one in said.tiles)
        assert (
            said.sentence.startswith("Take global if a curator is trusted: off by ")
            and "times as much" in said.sentence
        )
        json.dumps(said.to_json(), allow_nan=False)

    def test_a_tile_says_what_a_formula_says_or_how_far_chance_goes(self, mean: Findings) -> None:
        ours, released, _ = verdict(mean, 0.5).tiles
        point = mean.series[0].points[0]
        assert ours.error == point.mean == point.theory != point.tried
        assert ours.by_formula and moved_words(ours, mean) == ""
        assert moved_words(verdict(mean, 1.0).tiles[0], mean) == ""
        # 20 tries: 2.093 standard errors by Student's law with 19 degrees of freedom.
        said, moved = float(moved_words(released, mean).removeprefix("± ")), 2.093 * released.spread
        assert not released.by_formula and moved <= said < 1.1 * moved, "in the unit of the error"
        assert moved_words(replace(released, spread=0.0), mean) == ""

    def test_a_line_by_formula_has_no_kink_and_its_tries_stand_beside_it(self) -> None:
        """The error of the mean of a grid falls with 1/ε here, where nothing but the formula is shown."""
        places = (0.5, 1.0, 2.0, 4.0)
        ours = found(asked(Statistic.MEAN, "age", places=places, methods=families()[:1], users=4000)).series[0]
        assert {point.by.identifier for point in ours.points if point.by is not None} == {"global-grid"}
        scaled = [one.mean * one.axis_value for one in ours.points]
        assert scaled == pytest.approx([scaled[0]] * 4, rel=0.01)
        assert all(abs(one.tried / one.mean - 1) < 0.7 and one.to_json()["tried"] == one.tried for one in ours.points)

    @pytest.mark.parametrize("metric", ["percent", "absolute-normalised"])
    def test_a_formula_of_one_number_holds_in_each_measure(self, metric: str) -> None:
        plain = asked(Statistic.MEAN, "age", places=(1.0,), repetitions=400, methods=(MethodChoice("global-grid"),))
        point = found(replace(plain, metric=Metric.parse(metric))).series[0].points[0]
        assert abs(point.mean - point.theory) < 5 * point.error_of_mean

    def test_settings_that_differ_in_what_happens_afterwards_meet_the_same_noise(self) -> None:
        """Where no count comes near 0 nothing is to be done, and no luck tells them apart."""
        ways = tuple(MethodChoice("global-grid", {"post": one}) for one in ("none", "non-negative"))
        asked_ = asked(Statistic.HISTOGRAM, "town", methods=ways, places=(4.0,), basis=Basis.UNIFORM)
        one, two = found(asked_).series
        assert one.points[0].mean == two.points[0].mean

    def test_between_two_places_the_curve_is_straight(self, mean: Findings) -> None:
        ends = [verdict(mean, place).tiles[2].error for place in (0.5, 2.0)]
        assert verdict(mean, 1.0).tiles[2].error == pytest.approx(math.sqrt(ends[0] * ends[1]))
        assert math.isnan(verdict(mean, 7.0).tiles[2].error), "nothing was tried there"

    def test_between_a_formula_and_tries_no_formula_says_the_error(self, mean: Findings) -> None:
        """Also where the nearest point is by formula."""
        ours, *others = mean.series
        first, last = ours.points
        last = replace(last, tried=math.nan, error_of_mean=0.1 * last.mean, means=20)
        mixed = replace(mean, series=(replace(ours, points=(first, last)), *others))
        assert "tries (Global" in basis_words(mixed, verdict(mixed, 0.5))
        between = verdict(mixed, 0.6)
        assert not between.tiles[0].by_formula and "tries (Global" not in basis_words(mixed, between)
        assert between.tiles[0].means == fewest(first.means, 20) and moved_words(between.tiles[0], mixed).startswith(
            "± "
        )

    def test_a_method_of_its_own_is_measured_by_its_formula_and_not_by_lucky_tries(self, mean: Findings) -> None:
        """Its curve shows tries: added beside its family it would win where chance made them small."""
        ours, *others = mean.series
        plain = [replace(one, by=None, mean=0.7 * one.theory, tried=math.nan) for one in ours.points]
        assert all(math.isfinite(one.theory) for one in plain)
        alone = replace(ours, choice=MethodChoice("global-grid"), name="Added", points=tuple(plain))
        before, after = (
            verdict(replace(mean, series=some), 0.5).tiles[0] for some in (mean.series, (alone, *mean.series))
        )
        assert after.error == before.error and after.by_formula
        by_itself = verdict(replace(mean, series=(alone, *others)), 0.5).tiles[0]
        assert by_itself.error == pytest.approx(alone.points[0].theory) and by_itself.by_formula

    def test_what_is_not_among_the_methods_can_be_added(self, mean: Findings) -> None:
        tile = verdict(replace(mean, series=mean.series[:1]), 0.5).tiles[1]
        assert tile.remedy is Remedy.ADD and "Not among" in tile.problem and math.isnan(tile.times)

    def test_a_release_of_nothing_says_what_mends_it(self) -> None:
        few = asked(Statistic.MEAN, "age", users=20, repetitions=5, places=(0.1,), methods=(families()[1],))
        tile = verdict(found(few), 0.1).tiles[1]
        assert tile.remedy is Remedy.HIERARCHY and "large enough" in tile.problem

    def test_nothing_beats_guessing_where_nobody_is_asked_enough(self) -> None:
        few = asked(Statistic.HISTOGRAM, "town", users=10, repetitions=20, places=(0.001,))
        said = verdict(found(few), 0.001)
        assert said.recommended is None and said.sentence.startswith("Nothing beats guessing")

    def test_equal_shares_make_no_guess_win(self) -> None:
        said = verdict(found(asked(Statistic.HISTOGRAM, "town", basis=Basis.UNIFORM)), 2.0)
        assert said.guess == pytest.approx(0.0, abs=0.1) and said.recommended is Approach.GLOBAL

    def test_shares_are_told_in_per_cent_of_people(self, mean: Findings) -> None:
        bars = asked(Statistic.HISTOGRAM, "town")
        assert error_words(0.2, replace(mean, experiment=bars)) == "10 % misplaced"


@pytest.mark.parametrize(
    ("errors", "spread", "taken", "words"),
    [
        # Whichever of two is ahead, the same is taken for the same reason.
        ((0.16, 0.15, 9.0), 0.01, Approach.GLOBAL, "8 % misplaced, and it needs no δ; anonymised is not"),
        ((0.15, 0.16, 9.0), 0.01, Approach.GLOBAL, "7.5 % misplaced, and it needs no δ; anonymised is not"),
        ((0.15, 0.155, 9.0), 0.002, Approach.GLOBAL, "7.5 % misplaced, and it needs no δ; anonymised is as"),
        # What many tries tell apart is no lead either, while it is a tenth at most.
        ((0.16, 0.15, 9.0), 0.0, Approach.GLOBAL, "8 % misplaced, and it needs no δ; anonymised is as"),
        ((0.166, 0.15, 9.0), 0.0, Approach.ANONYMISED, "7.5 % misplaced; global errs 1.1 times as much,"),
        ((0.30, 0.15, 9.0), 0.1, Approach.GLOBAL, "15 % misplaced, and it needs no δ; anonymised is not"),
        (
            (0.30, 0.15, 9.0),
            0.01,
            Approach.ANONYMISED,
            "7.5 % misplaced; global errs about 2 times as much (1.7 to 2.4),",
        ),
        (
            (0.15, 0.16, 0.155),
            0.001,
            Approach.LOCAL,
            "7.75 % misplaced, and it trusts nobody; global is as good, anonymised is as good.",
        ),
    ],
)
def test_of_ways_that_are_as_good_the_stronger_promise_is_taken(
    errors: tuple[float, ...], spread: float, taken: Approach, words: str
) -> None:
    told = told_of(errors, spread)
    trusting = {Approach.GLOBAL: " if a curator is trusted", Approach.ANONYMISED: " if a curator is trusted, once"}
    take = f"Take {taken.value.lower()}{trusting.get(taken, '')}: "
    assert told.recommended is taken and told.sentence.startswith(f"{take}{words}"), told.sentence
    left = f"If nobody is{' trusted' * (taken is Approach.ANONYMISED)}: Local, 450 % misplaced."  # 50 · 9
    assert told.sentence.endswith(left) == (taken is not Approach.LOCAL)
    tied = [one for one in told.tiles if one.standing in (TileStanding.ALIKE, TileStanding.UNTOLD)]
    for one in told.tiles:
        said, near = (
            standing_words(one, told),
            {TileStanding.ALIKE: "as good as", TileStanding.UNTOLD: "not told apart from"},
        )
        if one in tied:
            assert said == f"{near[one.standing]} {taken.value.capitalize()}", "none is crowned silently"
        why = {Approach.LOCAL: "; it trusts nobody", Approach.GLOBAL: "; it needs no δ"}.get(one.approach, ";")
        assert said.endswith(why) == (one.approach is taken and bool(tied)), said
        if one.approach is taken:
            assert all(other.approach.value.capitalize() in said for other in tied)
            assert said == "the smallest error" or tied


def told_of(errors: tuple[float, ...], spread: float) -> Verdict:
    """The verdict on three ways with these errors."""
    ways = zip((Approach.GLOBAL, Approach.ANONYMISED, Approach.LOCAL), errors, strict=True)
    series = [
        ErrorSeries(
            MethodChoice(f"best-{way.value.lower()}"),
            way.value,
            way,
            (Point(way.value, 1.0, error, error, error, 50, spread),),
        )
        for way, error in ways
    ]
    return verdict(Findings(asked(Statistic.HISTOGRAM, "town", places=(0.5, 1.0)), tuple(series), 400, ""), 1.0)


def test_ways_that_are_worst_on_different_shapes_are_also_compared_on_the_same_one() -> None:
    """A ratio of two worst cases may be that of no shape at all: here 4, where each shape has 10 or 2.5."""

    def of(*errors: tuple[float, ...]) -> Verdict:
        ways = (Approach.GLOBAL, Approach.ANONYMISED, Approach.LOCAL)
        experiment = asked(Statistic.HISTOGRAM, "town", basis=Basis.EITHER, places=(1.0,), users=400)
        series = [
            ErrorSeries(
                one, way.value, way,
                (Point(way.value, 1.0, max(each), 0, 9, 50, 0.001, shapes=tuple((x, 0.001) for x in each), means=50),),
            )
            for way, one, each in zip(ways, families(), errors, strict=False)
        ]  # fmt: skip
        return verdict(Findings(experiment, tuple(series), 400), 1.0)

    said = of((1.0, 0.4, 0.4), (9.0, 9.0, 9.0), (2.5, 4.0, 1.0))
    taken, _, local = said.tiles
    assert said.recommended is Approach.GLOBAL and local.worst_elsewhere(taken)
    assert local.on_one_shape == pytest.approx((2.5, 10.0))
    assert standing_words(local, said).startswith("about 4 times (") and standing_words(local, said).endswith(
        "), each at its worst"
    )
    assert standing_means(local, said).endswith(
        "That is each on its own worst shape; on one and the same it is 2.5 to 10 times."
    )
    assert "local errs about 4 times as much (" in said.sentence and "), each at its worst" in said.sentence
    alike = of((0.4, 1.0, 0.4), (9.0, 9.0, 9.0), (2.5, 4.0, 1.0))
    assert not any("at its worst" in standing_words(one, alike) for one in alike.tiles)
    assert "at its worst" not in alike.sentence and "worst shape" not in standing_means(alike.tiles[2], alike)


def test_what_sampling_is_about_is_not_rounded_up_and_the_most_it_can_be_is() -> None:
    experiment = asked(Statistic.MEAN, "age", basis=Basis.ROWS, users=400)
    found = Findings(experiment, (), 400, width=100_000.0, sampled=372.7)
    assert sampling_bound(found).words == "370" and sampling_bound(found).own
    assert least_words(replace(found, complete=False)).startswith(
        "Off by less than sampling would add (about 370 on average): "
    )
    most = replace(found, sampled=math.nan, width=15_600.0)
    assert 311 < sampling_bound(most).most <= 311.4 and sampling_bound(most).words == "312", "never below it"


def test_ways_are_as_good_only_where_tries_show_it() -> None:
    """By hand, of a spread of 0.001: 1.96 √(0.001² + (1.1 · 0.001)²) = 0.0029138; 1.1 · 0.2 less that: 0.2170862."""
    cases = (
        (0.2170, TileStanding.ALIKE),
        (0.2171, TileStanding.WORSE),
        (0.19, TileStanding.ALIKE),
        (0.23, TileStanding.WORSE),
    )
    for error, stands in cases:
        said = told_of((0.2, error, 9.0), 0.001)
        assert said.recommended is Approach.GLOBAL
        assert [one.standing for one in said.tiles] == [TileStanding.TAKEN, stands, TileStanding.WORSE], error
        assert [one.alike for one in said.tiles] == [True, stands is TileStanding.ALIKE, False]
    # (0.23 ± 1.96 · …) ÷ 0.2: from 1.136 to 1.165.
    assert standing_words(said.tiles[1], said) == "about 1.1 times (1.1 to 1.2)"


def test_what_few_tries_do_not_tell_apart_is_not_called_as_good() -> None:
    """Equal means, each known to ± 10 %: tries exclude neither 1.1 times the error nor less of it."""
    said = told_of((0.2, 0.2, 9.0), 0.0102)
    assert (
        said.tiles[1].standing is TileStanding.UNTOLD
        and not said.tiles[1].alike
        and not said.to_json()["tiles"][1]["alike"]
    )
    assert said.to_json()["tiles"][1]["standing"] == "untold"
    low, high = said.tiles[1].between
    assert low * high == pytest.approx(1.0) and 1.1 < high < 1.2
    assert standing_words(said.tiles[1], said) == "not told apart from Global"
    assert standing_words(said.tiles[0], said) == "not told apart from Anonymised; it needs no δ"
    means = standing_means(said.tiles[1], said)
    assert means.startswith("In 95 of 100 cases 0.86 to 1.2 times the error of Global. That is chance in both errors")
    findings = Findings(asked(Statistic.HISTOGRAM, "town", places=(0.5, 1.0)), (), 400)
    # 0.02 is left of 1.1 · 0.2, chance takes 1.96 · 1.1 √2 · 0.0102 = 0.0311: 2.42 times the tries.
    assert tries_to_tell(said, findings) == 80
    assert tries_to_tell(said, replace(findings, complete=False)) == 0
    assert tries_to_tell(told_of((0.2, 0.2, 9.0), 0.001), findings) == 0
    assert tries_to_tell(told_of((0.2, 0.2199, 9.0), 3.0), findings) == 0, "more than anybody waits for"


def test_of_one_repetition_nobody_says_how_many_would_tell() -> None:
    """It shows no spread at all, which must not be read as none: two would then seem to do."""
    experiment = asked(Statistic.HISTOGRAM, "town", places=(0.5, 1.0), repetitions=1)
    ways = zip((Approach.GLOBAL, Approach.ANONYMISED, Approach.LOCAL), families(), (0.2, 0.21, 9.0), strict=False)
    series = tuple(
        ErrorSeries(one, way.value, way, (Point(way.value, 1.0, error, error, error, 1, math.nan, means=1),))
        for way, one, error in ways
    )
    found = Findings(experiment, series, 400)
    said = verdict(found, 1.0)
    assert [one.standing for one in said.tiles if one.standing is not TileStanding.TAKEN] == [TileStanding.UNTOLD] * 2
    assert tries_to_tell(said, found) == 0


@pytest.mark.parametrize(
    ("error", "than", "between"),
    [
        ((3.0, 0.0), (2.0, 0.0), (1.5, 1.5)),
        ((3.0, math.nan), (2.0, math.nan), (1.5, 1.5)),
        ((0.0, 0.0), (0.0, 0.0), (1.0, 1.0)),
        ((1.0, 0.0), (0.0, 0.0), (math.inf, math.inf)),
        ((1.0, 0.2), (0.0, 0.0), (math.inf, math.inf)),
        ((0.2, 0.2), (0.0, 0.0), (0.0, math.inf)),
        # Only the first one moves: (3 ± 1.96 · 0.5) ÷ 2.
        ((3.0, 0.5), (2.0, 0.0), (1.01, 1.99)),
        # Only the second: 3 ÷ (2 ± 0.98).
        ((3.0, 0.0), (2.0, 0.5), (3 / 2.98, 3 / 1.02)),
        # It may be nothing: 3 ÷ (0.5 + 0.98) at least, and no number is too many.
        ((3.0, 0.0), (0.5, 0.5), (3 / 1.48, math.inf)),
        ((0.5, 0.5), (0.5, 0.5), (0.0, math.inf)),
        ((0.5, 0.5), (2.0, 0.0), (0.0, 0.74)),
    ],
)
def test_between_what_one_error_is_times_another(
    error: tuple[float, float], than: tuple[float, float], between: tuple[float, float]
) -> None:
    assert ratio_between(error, than) == pytest.approx(between)
    low, high = between
    for times in (low, high):
        if 0 < times < math.inf and low < high:
            chance = 1.96 * math.hypot(error[1], times * than[1])
            assert abs(error[0] - times * than[0]) == pytest.approx(chance)


def test_whatever_errs_by_nothing_is_told_in_words() -> None:
    for mine, spread, theirs, other in product((0.0, 1e-300, 1e-12, 0.2, 1.0), repeat=4):
        low, high = ratio_between((mine, spread), (theirs, other))
        assert 0.0 <= low <= high and between_words((low, high))
        standing_of((low, high))


def test_the_interval_of_a_ratio_holds_in_95_of_100_cases_and_rarely_calls_what_differs_as_good() -> None:
    generator = np.random.default_rng(11)
    for ratio in (1.0, 1.1, 2.0):
        held = alike = 0
        for mine, theirs in zip(
            generator.gamma(4, ratio / 4, (2000, 60)), generator.gamma(4, 1 / 4, (2000, 60)), strict=True
        ):
            pairs = [(one.mean(), one.std(ddof=1) / math.sqrt(60)) for one in (mine, theirs)]
            low, high = ratio_between(*pairs)
            held += low <= ratio <= high
            alike += standing_of((low, high)) is TileStanding.ALIKE
        # A standard deviation of a count of 2,000 of probability 0.95 is 10; estimated spreads cost a little.
        assert 1860 <= held <= 1940
        assert alike <= 100 or ratio == 1.0


@pytest.mark.parametrize(("tries", "held_before"), [(2, 0.86), (3, 0.92), (5, 0.95)])
def test_the_interval_of_a_ratio_holds_for_few_tries_too(tries: int, held_before: float) -> None:
    """Of the sizes of normal errors: with 1.96 for so few it misses up to 19 times in 100."""
    generator, held, narrow = np.random.default_rng(5), 0, 0
    sizes = np.abs(generator.normal(size=(2, 3000, tries)))
    means, spreads = sizes.mean(axis=2).tolist(), (sizes.std(axis=2, ddof=1) / math.sqrt(tries)).tolist()
    for mine, spread, theirs, other in zip(means[0], spreads[0], means[1], spreads[1], strict=True):
        low, high = ratio_between((mine, spread), (theirs, other), tries)
        held += low <= 1.0 <= high
        low, high = ratio_between((mine, spread), (theirs, other))
        narrow += low <= 1.0 <= high
    # 3,000 of probability 0.95 have a standard deviation of 12: fewer than 2,805 have a chance below 1 in 10,000.
    assert held >= 2805 and narrow < 3000 * held_before


def test_students_t_by_the_table() -> None:
    table = {2: 12.7062, 5: 2.7764, 11: 2.2281, 12: 2.2010, 21: 2.0860, 31: 2.0423, 101: 1.9840}
    assert {tries: chance_of(tries) for tries in table} == pytest.approx(table, abs=3e-4)
    assert chance_of(0) == 1.96 and chance_of(1) == math.inf
    falling = [chance_of(tries) for tries in range(1, 3000)]
    assert falling == sorted(falling, reverse=True) and falling[-1] >= 1.96
    assert fewest(0, 7, 3) == 3 and fewest(0, 0) == 0


def test_one_try_tells_nothing_and_formulas_need_none() -> None:
    assert ratio_between((3.0, 0.0), (2.0, 0.0), 1) == (0.0, math.inf)
    assert ratio_between((3.0, math.nan), (2.0, math.nan), 0) == (1.5, 1.5)
    few = found(asked(Statistic.MEAN, "age", repetitions=2))
    points = [point for series in few.series for point in series.points]
    assert {point.means for point in points} <= {0, 2}
    assert all(point.means == 0 for point in points if point.by_formula and not point.error_of_mean > 0)
    assert any(point.means == 2 for point in points)
    tiles = [one for one in verdict(few, 0.5).tiles if one.known]
    assert {one.means for one in tiles} <= {0, 2}


def test_so_many_times_are_said_to_the_safe_side() -> None:
    said = [between_words(one) for one in ((1.239, 1.55), (1.004, 1.4), (12.3, 158.2), (2.0, math.inf), (19.4, 19.4))]
    assert between_words((math.inf, math.inf)) == "infinitely many times as much"
    assert said == [
        "1.2 to 1.6 times as much",
        "1 to 1.4 times as much",
        "12 to 160 times as much",
        "at least 2 times as much",
        "19 times as much",
    ]
    assert between_words((1.04, 1.04)) == "hardly more" and between_words((1.01, 2.1)) == "1.01 to 2.1 times as much"


@pytest.mark.parametrize(
    ("spread", "error", "moved"),
    [
        (0.0, "8.97 % misplaced", ""),
        (0.003, "8.97 % misplaced", "± 0.3 %"),
        (0.016, "9 % misplaced", "± 1.6 %"),
        (1e-6, "8.97 % misplaced", "± 0.009 %"),
    ],
)
def test_an_error_has_the_digits_that_are_known_of_it(spread: float, error: str, moved: str) -> None:
    """Whoever divides two errors that are known finds the times that are said; ± is rounded up, in the same unit."""
    found = Findings(asked(Statistic.HISTOGRAM, "town", places=(0.5, 1.0)), (), 400)
    (local,) = (one for one in told_of((0.1, 0.2, 0.1794), spread).tiles if one.approach is Approach.LOCAL)
    assert told_error(local, found) == error
    assert moved_words(local, found) == moved


def test_what_is_left_without_a_delta_and_without_trust_is_said() -> None:
    """By hand: a formula says 0.324, tries 0.234 ± 15 %: it lies outside of what chance explains."""
    findings = Findings(asked(Statistic.HISTOGRAM, "town", places=(0.5, 1.0)), (), 400)
    said = told_of((0.324, 0.234, 9.0), 0.018)
    assert said.recommended is Approach.ANONYMISED
    assert headline_words(said, findings) == (
        "At ε = 1 take Anonymised if a curator is trusted, once: the smallest error. If δ must be 0: Global, 16 % "
        "misplaced. If nobody is trusted: Local, 450 % misplaced."
    )


def test_ways_that_are_worse_are_measured_by_the_one_that_is_taken() -> None:
    """3 ÷ 0.16 = 18.75, also where another one, which is as good, came out ahead by chance."""
    said = told_of((0.16, 0.15, 3.0), 0.01)
    assert said.recommended is Approach.GLOBAL and said.by_promise
    assert said.tiles[2].times == 20 and standing_words(said.tiles[2], said) == "about 19 times (16 to 22)"
    assert "anonymised is not told apart from it, local errs about 19 times as much (16 to 22)." in said.sentence


def test_the_verdict_and_its_reasons_do_not_hang_on_the_draw() -> None:
    """Added noise errs less than trimmed rows here by what 40 tries hardly show: every seed takes the same way."""
    ways = MethodChoice("global-grid", {"post": "consistent"}), MethodChoice("trimmed", {"level": 0})
    grid = {"basis": Basis.EITHER, "places": (1.0,), "users": 4000, "repetitions": 40, "methods": ways}
    plain, said = asked(Statistic.HISTOGRAM, "town", **grid), set()
    for seed in range(1, 7):
        findings = found(replace(plain, seed=seed))
        told = verdict(findings, 1.0)
        ours, released = told.tiles[:2]
        said.add(
            (
                told.recommended,
                why_words(ours, findings.experiment),
                why_words(released, findings.experiment),
                shape_words(ours, findings),
            )
        )
        near = {
            TileStanding.ALIKE: "as good as Anonymised (shown to be within 1.1 times the error), and it needs no δ",
            TileStanding.UNTOLD: "not told apart from Anonymised, and it needs no δ",
        }
        reason = near.get(released.standing, "the smallest error")
        told_of_it = told_words(findings)
        assert (
            f"Take Global if a curator is trusted: {reason}. Global is enough from ε = 1 (sampling adds at least "
            in told_of_it
        )
        low, high = released.between
        assert low < released.error / ours.error < high
        words = {TileStanding.ALIKE: "as good as Global", TileStanding.UNTOLD: "not told apart from Global"}
        assert standing_words(released, told) == words.get(
            released.standing,
            about_words(released.between, released.error / ours.error).replace(" as much (", " ("),
        )
    reasons = "Errs by: noise, added once", "Errs by: rows or detail lost"
    assert said == {(Approach.GLOBAL, *reasons, "no shape clearly the worst")}


@pytest.mark.parametrize(
    ("statistic", "column", "outputs", "said"),
    [
        # 100 ÷ (2 √400) = 2.5, and 50 √(3 ÷ 400) = 4.33, rounded up.
        (Statistic.MEAN, "age", 1, "If these people are a sample, that alone is off by at most 2 on average"),
        (
            Statistic.HISTOGRAM,
            "town",
            4,
            "If these people are a sample, that alone is off by at most 3.48 % on average",
        ),
        (Statistic.SUM, "age", 1, ""),
    ],
)
def test_what_sampling_adds_is_bounded_where_a_bound_is_known(
    statistic: Statistic, column: str, outputs: int, said: str
) -> None:
    width = 100.0 if statistic is Statistic.MEAN else math.nan
    plain = Findings(asked(statistic, column), (), 400, width=width, outputs=outputs)
    assert sampling_words(plain) == said
    generator = np.random.default_rng(5)
    if statistic is Statistic.MEAN:
        drawn = generator.choice([0.0, 100.0], (2000, 400)).mean(axis=1)
        assert np.abs(drawn - 50).mean() < 2.5
    elif said:
        drawn = generator.multinomial(400, [0.25] * 4, 2000) / 400
        assert 50 * np.abs(drawn - 0.25).sum(axis=1).mean() < 4.4


def test_the_caption_compares_the_ways_and_the_tiles_say_what_sampling_may_hide() -> None:
    experiment = asked(Statistic.MEAN, "age", basis=Basis.EITHER, places=(1.0,), users=400)

    def of(*errors: float) -> Findings:
        curves = tuple(by_shape(one, *[error] * 4) for one, error in zip(families(), errors, strict=False))
        return Findings(experiment, curves, 400, width=100.0)

    def told(*errors: float) -> tuple[str, str]:
        found = of(*errors)
        return told_words(found), sampling_words(found, verdict(found, 1.0))

    assert compared_errors(of(0.25, 4.0, 37.5)) == (
        "At ε = 1: Global off by 0.25 (known to ± 0.02), "
        "Anonymised off by 4 (known to ± 0.02, about 16 times as much: 14 to 18), "
        "Local off by 37.5 (known to ± 0.038, about 150 times as much: 130 to 170)."
    )
    assert told(0.25, 4.0, 37.5) == (
        "At ε = 1 Global errs by 0.25 ± 0.02, Anonymised by 4 ± 0.02 (16 times), Local by 37.5 ± 0.02 (150 times at "
        "equal privacy, 150 at the same ε). Take Global if a curator is trusted: the smallest error. If nobody is, "
        "no way is enough here. Global is enough from ε = 1 (sampling adds at most 2).",
        "If these people are a sample, that alone is off by at most 2 on average",
    )
    assert told(0.25, 2.0, 37.5)[1].endswith("; Global and Anonymised differ by less")
    assert told(0.25, 2.0, 0.255)[1].endswith("; all three differ by less")
    for errors in ((0.25, 2.0, 0.255), (0.255, 2.0, 0.25)):
        assert (
            "Take Local: not told apart from Global, and it trusts nobody. Local is enough from ε = "
            in told(*errors)[0]
        )
    assert told(0.25, 0.245, 37.5)[1].endswith("; Global and Anonymised differ by less")
    assert told(0.25)[0] == ""


@pytest.mark.parametrize(
    ("local", "said"),
    [
        # Sampling adds less than 2 of 100 to a mean of 400 people: 50 ÷ √400 = 2.5 times √(2 ÷ π) = 0.798 is 1.995.
        ((9.0, 1.9, 0.5), 1.0),
        ((1.9, 2.1, 1.9), 2.0),
        ((9.0, 5.0, 2.1), None),
        ((1.9, 1.0, 0.5), 0.5),
    ],
)
def test_a_way_is_below_sampling_from_the_least_place_on_after_which_it_stays_there(
    local: tuple[float, ...], said: float | None
) -> None:
    places, way = (0.5, 1.0, 2.0), families()[2]
    points = tuple(Point("Local", one, error, error, error, 50, 0.0) for one, error in zip(places, local, strict=True))
    experiment = asked(Statistic.MEAN, "age", basis=Basis.EITHER, places=places, users=400)
    found = Findings(experiment, (ErrorSeries(way, "Local", Approach.LOCAL, points),), 400, width=100.0)
    assert enough(found) == (Enough(Approach.LOCAL, said),)
    words = {None: "at none", 0.5: "at every one", 1.0: "from 1", 2.0: "from 2"}[said]
    assert least_words(found, 1.995) == f"Off by less than 1.995, of the ε tried: Local {words}."
    # Nothing says that these people are a sample: what the limit is stands beside it where nobody typed one.
    assert (
        least_words(found)
        == f"Off by less than sampling would add (at most 2 on average), of the ε tried: Local {words}."
    )
    sample = "If these people are a sample, that alone is off by at most 2 on average, often far less. There, and"
    assert enough_means(found, error_limit(found)).startswith(sample)
    assert "every larger ε that was tried, the mean error is below 1.995, chance" in enough_means(
        found, error_limit(found, 1.995)
    )
    # While points are missing nothing is said, nor of what sampling has no known bound for.
    unfinished = replace(found, complete=False)
    assert enough(unfinished) == () == enough(replace(found, width=math.nan))
    assert least_words(unfinished).endswith(": not known until all are run.") and not least_words(
        replace(found, width=math.nan)
    )
    # What chance may have moved is not below: 1.9 + 1.96 · 0.06 is above 2.
    moved = tuple(replace(one, error_of_mean=0.06) for one in points)
    told = enough(replace(found, series=(ErrorSeries(way, "Local", Approach.LOCAL, moved),)))[0]
    assert told.epsilon == {1.0: 2.0, 2.0: None, None: None, 0.5: 1.0}[said]


def test_what_is_enough_by_sampling_is_that_on_the_shape_to_which_it_adds_least_and_the_most_stands_second() -> None:
    """A limit that only holds of half the values at either bound makes an ε enough that is not, for a long tail."""
    places, way = (0.5, 1.0, 2.0), families()[2]
    errors = zip(places, (1.9, 1.0, 0.1), strict=True)
    points = tuple(Point("Local", one, error, error, error, 50, 0.0) for one, error in errors)
    experiment = asked(Statistic.MEAN, "age", basis=Basis.EITHER, places=places, users=400)
    found = Findings(experiment, (ErrorSeries(way, "Local", Approach.LOCAL, points),), 400, width=100.0, sampled=0.1299)
    assert enough(found) == (Enough(Approach.LOCAL, 2.0),)
    assert error_limit(found).most == 0.1299 and error_limit(found).told == "0.129", "the least is rounded down"
    assert error_limit(found).drawn == 0.129 and error_limit(found, 1.5).drawn == 1.5, "the line is at its number"
    assert error_limit(found).means == "As small as what sampling adds to each usual shape: 0.129"
    least = "Off by less than sampling adds to each shape tried (at least 0.129 on average), of the ε tried: "
    assert least_words(found) == f"{least}Local from 2. Less than the most it can add (2): Local at every one."
    assert least_words(found, beside=True) == (
        "Enough (below sampling, at least 0.129 to each shape tried): Local from 2. Less than the most it can add (2): "
        "Local at every ε."
    )
    means = "off by at least 0.129 on average on each shape tried, and by at most 2. There, and"
    assert means in enough_means(found, error_limit(found))
    most = "Off by less than sampling would add (at most 2 on average), of the ε tried: Local at every one."
    assert least_words(replace(found, sampled=math.nan)) == most
    nearly = least_words(replace(found, sampled=1.95))
    assert nearly.endswith("of the ε tried: Local at every one."), "nothing is said twice"
    assert least_words(found, 1.5).count("Local") == 1, "what somebody typed is one number"


@pytest.mark.parametrize(
    ("errors", "most", "said"),
    [
        ((9.0, 1.9, 0.5), 2.0, "Of the ε run, Local is enough from 1."),
        ((1.9, 1.8, 0.5), 2.0, "Of the ε run, Local is enough from 0.3."),
        # Larger once more at a larger ε, it is enough from the one after that.
        ((1.9, 2.1, 1.9), 2.0, "Of the ε run, Local is enough from 2."),
        ((9.0, 1.9, 0.5), 0.1, "Local is not enough even at 2, the largest ε run: off by 0.5."),
        ((1.9, 1.0, 0.5), None, "Of the ε run, Local is enough from 0.3."),
        ((1.9, 1.0, 0.5), 0.0, "Local is not enough even at 2, the largest ε run: off by 0.5."),
    ],
)
def test_the_verdict_says_from_which_epsilon_that_was_run_its_way_is_enough(
    errors: tuple[float, ...], most: float | None, said: str
) -> None:
    places, way = (0.3, 1.0, 2.0), families()[2]
    points = tuple(Point("Local", one, error, error, error, 50, 0.0) for one, error in zip(places, errors, strict=True))
    experiment = asked(Statistic.MEAN, "age", basis=Basis.EITHER, places=places, users=400)
    found = Findings(experiment, (ErrorSeries(way, "Local", Approach.LOCAL, points),), 400, width=100.0)
    for place in (0.3, 0.6, 2.0):
        assert headline_words(verdict(found, place), found, most).endswith(f" {said}"), "wherever one looks"
    unfinished = replace(found, complete=False)
    assert "enough" not in headline_words(verdict(unfinished, 1.0), unfinished, most), "not before all are run"
    # Rounded up: what is said is never less than what was run.
    third = tuple(replace(one, axis_value=one.axis_value / 0.9) for one in points)
    apart = replace(
        found,
        experiment=replace(experiment, places=tuple(one.axis_value for one in third)),
        series=(ErrorSeries(way, "Local", Approach.LOCAL, third),),
    )
    assert "from 0.334" in enough_sentence(verdict(apart, third[0].axis_value), apart, 100.0)


def test_where_sampling_depends_on_the_shape_the_verdict_says_from_where_on_it_is_surely_enough() -> None:
    places, way = (0.3, 1.0, 2.0), families()[2]
    points = tuple(
        Point("Local", one, error, error, error, 50, 0.0) for one, error in zip(places, (1.9, 0.4, 0.1), strict=True)
    )
    experiment = asked(Statistic.MEAN, "age", basis=Basis.EITHER, places=places, users=400)
    series = (ErrorSeries(way, "Local", Approach.LOCAL, points),)
    for least, sure in ((0.5, "1"), (0.2, "2")):
        found = Findings(experiment, series, 400, width=100.0, sampled=least)
        assert enough_sentence(verdict(found, 1.0), found) == f"Of the ε run, Local is enough from {sure}."
    found = Findings(experiment, series, 400, width=100.0, sampled=0.05)
    said = enough_sentence(verdict(found, 1.0), found)
    assert said == "Local is not enough on each shape tried even at 2, the largest ε run: off by 0.1.", "nor may it be"


def test_the_way_to_take_is_named_with_whom_it_trusts_and_what_is_left_without() -> None:
    findings = Findings(asked(Statistic.HISTOGRAM, "town", places=(0.5, 1.0)), (), 400)
    said = told_of((0.1, 0.4, 1.0), 0.0)
    assert headline_words(said, findings) == (
        "At ε = 1 take Global if a curator is trusted: the smallest error. If nobody is: Local, 50 % misplaced."
    )
    assert headline_words(told_of((0.1, 0.4, 0.1), 0.0), findings) == (
        "At ε = 1 take Local: as good as Global, and it trusts nobody."
    )


def test_a_shape_that_is_not_tried_is_accounted_for() -> None:
    said = [
        basis_words(Findings(asked(one, "age", basis=Basis.EITHER), (), 400))
        for one in (Statistic.MEAN, Statistic.HISTOGRAM)
    ]
    assert ["a long tail for means, sums and quantiles alone" in one for one in said] == [False, True]


@pytest.mark.parametrize("way", [Approach.GLOBAL, Approach.ANONYMISED, Approach.LOCAL])
def test_what_a_way_errs_by_is_said_the_same_whether_or_not_it_is_ahead(way: Approach) -> None:
    experiment = asked(Statistic.MEAN, "age")
    words = {why_words(Tile(way, error=1.0, standing=one), experiment) for one in TileStanding}
    assert len(words) == 1 and words.pop().startswith("Errs by: ") and why_words(Tile(way), experiment) == ""
    drawn = replace(experiment, truth=Truth.POPULATION)
    assert why_words(Tile(way, error=1.0), drawn) == f"{why_words(Tile(way, error=1.0), experiment)}, and sampling"


def test_a_shape_is_named_where_tries_show_it_to_be_worse() -> None:
    experiment = asked(Statistic.HISTOGRAM, "town", basis=Basis.EITHER, places=(1.0,))

    def told(*errors: float, spread: float = 0.0) -> str:
        series = by_shape(families()[2], *errors)
        shapes = tuple((mean, spread) for mean, _ in series.points[0].shapes)
        series = replace(series, points=(replace(series.points[0], shapes=shapes, shape=Basis.SMOOTH),))
        findings = Findings(experiment, (series,), 400)
        assert settings_of(series, experiment).endswith(shape_words(verdict(findings, 1.0).tiles[2], findings))
        return shape_words(verdict(findings, 1.0).tiles[2], findings)

    assert told(0.9, 0.2, 0.1) == "worst on a smooth shape"
    assert told(0.9, 0.85, 0.1) == "worst on a smooth shape or a spiky shape"
    assert told(0.9, 0.85, 0.83) == told(0.83, 0.9, 0.85) == "no shape clearly the worst"
    assert told(0.9, 0.2, 0.1, spread=0.4) == "no shape clearly the worst"


def test_the_settings_that_are_as_good_are_named_and_why_one_is_taken() -> None:
    one, *others = (MethodChoice("trimmed", {"level": level}) for level in range(3))
    tile = Tile(Approach.ANONYMISED, error=1.0, setting=one, as_good=tuple(others))
    found = Findings(asked(Statistic.MEAN, "age"), (), 400)
    assert setting_words(tile, Statistic.MEAN) == "How: Trimmed, level 0"
    assert ties_words(tile, found, 1.0) == (
        "Trimmed, level 0 is taken: the first of them in the list. As good, for all that tries and formulas tell: "
        "Trimmed, level 1; Trimmed, level 2."
    )
    alone = replace(tile, as_good=())
    assert setting_words(alone, Statistic.MEAN) == "How: Trimmed, level 0" and ties_words(alone, found, 1.0) == ""


@pytest.mark.parametrize(
    ("statistic", "column", "law", "scale"),
    [
        # One row moves both sums together by the range of 100, and one count by 1.
        (Statistic.MEAN, "age", "Discrete Laplace", "b = 200."),
        (Statistic.HISTOGRAM, "town", "Discrete Laplace", "b = 2."),
        (Statistic.SUM, "age", "Discrete Laplace", ""),
        (Statistic.QUANTILE, "age", "Exponential mechanism", ""),
    ],
)
def test_a_curator_names_the_law_of_the_noise_and_its_scale(
    statistic: Statistic, column: str, law: str, scale: str
) -> None:
    tile = Tile(Approach.GLOBAL, error=1.0, setting=MethodChoice("global-grid"))
    found = Findings(asked(statistic, column), (), 400, width=100.0)
    assert setting_words(tile, statistic) == f"How: {law}"
    said = ties_words(tile, found, 0.5)
    assert scale in said and bool(said) == bool(scale)


def test_errors_where_nothing_was_run_say_so_wherever_they_stand(mean: Findings) -> None:
    low, high = mean.experiment.places[:2]
    between = math.sqrt(low * high)
    for words in (
        headline_words(verdict(mean, between), mean),
        told_words(mean, between),
        compared_errors(mean, between),
    ):
        assert words.partition(" (")[2].startswith("interpolated)"), words
    for words in (headline_words(verdict(mean, low), mean), told_words(mean, low), compared_errors(mean, low)):
        assert words and "interpolated" not in words


def test_the_sentence_goes_by_the_errors_and_the_line_that_are_drawn_and_the_empty_field_names_both_shapes() -> None:
    places, way = (0.3, 1.0, 2.0), families()[0]
    experiment = asked(Statistic.MEAN, "age", basis=Basis.EITHER, places=places, users=400)
    errors = ((0.9, 0.4, 0.1), (0.5, 0.3, 0.1), (0.9, 0.4, 0.1), (0.4, 0.2, 0.1))
    points = tuple(
        Point("Global", one, most, most, most, 50, 0.0, shapes=tuple((each[number], 0.0) for each in errors))
        for number, (one, most) in enumerate(zip(places, (0.9, 0.4, 0.1), strict=True))
    )
    series = (ErrorSeries(way, "Global", Approach.GLOBAL, points),)
    on = (0.2, 0.6, 0.35, 1.5)
    assert len(experiment.shapes) == len(on)
    found = Findings(experiment, series, 400, width=100.0, sampled=0.2, sampled_on=on)
    first, last = experiment.shapes[3], experiment.shapes[0]
    # On another shape 0.3 would do, by what sampling adds to that one, which is not drawn.
    assert enough_sentence(verdict(found, 1.0), found) == "Of the ε run, Global is enough from 2."
    assert error_limit(found).means == (
        f"As small as what sampling adds to {last.shape}, the least of the usual shapes: 0.2. To {first.shape} it adds "
        "most: 1.5"
    )
    never = replace(found, sampled=0.05, sampled_on=(0.05, 0.6, 0.35, 1.5))
    advice = enough_sentence(verdict(never, 1.0), never)
    assert advice == "Global is not enough on each shape tried even at 2, the largest ε run: off by 0.1."
    # The line is drawn at 0.399, which 0.3999 is above.
    points = tuple(replace(one, mean=0.3999 if one.mean == 0.4 else one.mean) for one in points)
    close = replace(found, series=(replace(series[0], points=points),), sampled=0.39995, sampled_on=(0.39995, *on[1:]))
    assert error_limit(close).told == "0.399"
    assert enough_sentence(verdict(close, 1.0), close) == "Of the ε run, Global is enough from 2."


def test_what_chance_leaves_open_is_said_to_be_open_and_how_many_repetitions_would_tell() -> None:
    places, way = (0.3, 1.0, 2.0), families()[2]
    experiment = asked(Statistic.MEAN, "age", basis=Basis.EITHER, places=places, users=400, repetitions=100)

    def told(middle: float, spread: float = 0.05, last: float = 0.5) -> Findings:
        errors = zip(places, (9.0, middle, last), strict=True)
        points = tuple(Point("Local", one, error, error, error, 100, spread) for one, error in errors)
        return Findings(experiment, (ErrorSeries(way, "Local", Approach.LOCAL, points),), 400, width=100.0)

    # Both sides of the line of 2: neither a draw below nor one above decides.
    for middle in (1.95, 2.05):
        found, said = told(middle), verdict(told(middle), 1.0)
        assert enough(found) == (Enough(Approach.LOCAL, 2.0, 1.0),)
        assert enough_sentence(said, found) == "Of the ε run, Local is enough from 2, perhaps from 1."
        assert brief_words(told_beside(found)).endswith(
            "; enough from ε = 2, perhaps from 1 (sampling adds at most 2)."
        )
        assert perhaps_words(Approach.LOCAL, enough(found)).startswith("Perhaps enough from ε 1: ")
        assert tries_to_tell(said, found) > 100
        assert not short_of_enough(Approach.LOCAL, said, found), "nobody knows"
        assert short_of_enough(Approach.LOCAL, verdict(found, 0.3), found)
    # Sure enough, sure not to be, and known by formula.
    point = told(1.95).series[0].points[1]
    by_formula = replace(told(1.95), series=(replace(
        told(1.95).series[0], points=tuple(replace(one, tried=one.mean) for one in told(2.01).series[0].points)
    ),))  # fmt: skip
    assert point.error_of_mean == 0.05
    for found, least in ((told(1.5), 1.0), (told(2.5), 2.0), (by_formula, 2.0)):
        assert enough(found) == (Enough(Approach.LOCAL, least),)
        assert tries_to_tell(verdict(found, 1.0), found) == 0
    never = told(9.0, last=2.05)
    assert enough_sentence(verdict(never, 1.0), never).startswith("Local is not shown to be enough even at 2")
    assert enough_from(Approach.LOCAL, 2.0, enough(never)) == "perhaps from ε 2"


def test_an_epsilon_is_surely_enough_only_if_tries_show_it_on_each_shape() -> None:
    """The largest mean of the tries need not be of the worst shape: another one may vary far more."""
    experiment = asked(Statistic.MEAN, "age", basis=Basis.EITHER, places=(1.0,), users=400, repetitions=100)
    assert len(experiment.shapes) == 4

    def told(*errors: tuple[float, float]) -> Findings:
        (mean, spread), shape = errors[0], experiment.shapes[0]
        point = Point("Local", 1.0, mean, mean, mean, 100, spread, shapes=errors, shape=shape, means=100)
        return Findings(experiment, (ErrorSeries(families()[2], "Local", Approach.LOCAL, (point,)),), 400, width=100.0)

    surely = told((1.8, 0.01), (1.7, 0.1), (1.0, 0.3), (0.5, 0.01))
    assert enough(surely) == (Enough(Approach.LOCAL, 1.0),)
    # 1.7 + 1.98 · 0.2 is above 2, though 1.8 + 1.98 · 0.01 is not.
    perhaps = told((1.8, 0.01), (1.7, 0.2), (1.0, 0.3), (0.5, 0.01))
    assert enough(perhaps) == (Enough(Approach.LOCAL, None, 1.0),)
    assert enough_sentence(verdict(perhaps, 1.0), perhaps).startswith("Local is not shown to be enough even at 1,")
    assert tries_to_tell(verdict(perhaps, 1.0), perhaps) == 300, "so that 0.2 becomes less than what is left"
    # 2.01 is above 2 for all that its tries tell, whichever of the shapes it is.
    assert enough(told((2.05, 0.1), (2.04, 0.001), (1.0, 0.3), (0.5, 0.01))) == (Enough(Approach.LOCAL, None),)
    # What a formula says of the worst shape says nothing of the tries on another.
    (series,) = perhaps.series
    known = replace(series, points=tuple(replace(one, tried=1.8, means=100) for one in series.points))
    assert enough(replace(perhaps, series=(known,))) == (Enough(Approach.LOCAL, None, 1.0),)


@pytest.mark.parametrize("spread", [0.0, math.nan])
def test_of_one_try_it_is_open_whether_it_is_enough_and_of_a_formula_it_is_known(spread: float) -> None:
    places = (0.5, 1.0, 2.0)
    experiment = asked(Statistic.MEAN, "age", basis=Basis.EITHER, places=places, users=400, repetitions=1)

    def told(way: int, approach: Approach, **known: float) -> Findings:
        both = zip(places, (0.7, 0.8, 0.6), strict=True)
        points = tuple(Point("Way", at, mean, mean, mean, 1, spread, means=1, **known) for at, mean in both)
        return Findings(experiment, (ErrorSeries(families()[way], "Way", approach, points),), 400, width=100.0)

    tried, by_formula = told(0, Approach.GLOBAL), told(2, Approach.LOCAL, theory=0.65)
    for most in (0.75, 5.0):
        assert enough(tried, most) == (Enough(Approach.GLOBAL, None, 0.5),)
        said = verdict(tried, 2.0)
        assert "is not shown to be enough even at 2" in enough_sentence(said, tried, most)
        assert enough_beside(said, tried, most).startswith("not shown to be enough at any ε run")
        assert not short_of_enough(Approach.GLOBAL, said, tried, most)
        assert tries_for_enough(said, tried, most) == 0, "one tells nothing of how far apart more of them would be"
        assert enough(by_formula, most) == (Enough(Approach.LOCAL, 0.5),)
        assert enough_sentence(verdict(by_formula, 1.0), by_formula, most) == "Of the ε run, Local is enough from 0.5."
    assert enough(by_formula, 0.6) == (Enough(Approach.LOCAL, None),)


def test_nothing_is_not_enough_where_it_errs_by_less() -> None:
    """Less at a small ε and more at the largest: from none on it is enough, and yet there it is."""
    experiment = asked(Statistic.MEAN, "age", basis=Basis.EITHER, places=(0.5, 1.0), users=400, repetitions=100)
    both = zip((0.5, 1.0), (1.9, 2.1), strict=True)
    points = tuple(Point("Local", at, mean, mean, mean, 100, 0.0) for at, mean in both)
    found = Findings(experiment, (ErrorSeries(families()[2], "Local", Approach.LOCAL, points),), 400, width=100.0)
    assert enough(found) == (Enough(Approach.LOCAL, None),)
    assert enough_from(Approach.LOCAL, 0.5, enough(found)) == "not always"
    assert enough_beside(verdict(found, 0.5), found).startswith("not enough at the largest ε run (")
    assert not short_of_enough(Approach.LOCAL, verdict(found, 0.5), found)
    assert short_of_enough(Approach.LOCAL, verdict(found, 1.0), found)
    never = enough(found, 1.0)
    assert enough_from(Approach.LOCAL, 0.5, never) == "not enough"


def told_beside(found: Findings) -> Findings:
    """The same beside a guess of another way, as a caption compares several."""
    way = families()[0]
    points = tuple(replace(one, method="Global", mean=99.0, error_of_mean=0.0) for one in found.series[0].points)
    return replace(found, series=(ErrorSeries(way, "Global", Approach.GLOBAL, points), *found.series))


def test_a_number_of_people_that_nobody_typed_stands_in_the_verdict() -> None:
    experiment = asked(Statistic.HISTOGRAM, "town", places=(0.5, 1.0))
    for basis, people, told in (
        (Basis.EITHER, 1000, " for 1,000 people (assumed)"),
        (Basis.EITHER, 900, ""),
        (Basis.ROWS, None, ""),
    ):
        found = Findings(replace(experiment, basis=basis, users=people), (), 1000)
        assert headline_words(told_of((0.1, 0.4, 1.0), 0.0), found).startswith(f"At ε = 1{told} take Global")
