"""The verdict: which way to take at a place of the axis, how it stands beside the others, and what is said of it."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest

from tests.evaluate.verdict_helpers import SCHEMA, asked, by_shape, found, told_of
from workbench.evaluate.basis_words import basis_words
from workbench.evaluate.error_series import ErrorSeries, Point
from workbench.evaluate.experiment import Basis
from workbench.evaluate.experiment_edits import families
from workbench.evaluate.experiment_run import cells_of
from workbench.evaluate.families import TRIES
from workbench.evaluate.findings import Findings, fewest
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.public_shape import shaped
from workbench.evaluate.question import Metric, Question, Statistic
from workbench.evaluate.subject import subject_of
from workbench.evaluate.tile import Remedy, Verdict
from workbench.evaluate.tile_words import (
    moved_words,
    shape_words,
    standing_means,
    standing_words,
    told_words,
    why_words,
)
from workbench.evaluate.told_apart import TileStanding, about_words
from workbench.evaluate.verdict import error_words, verdict


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
            f"Take Global if a curator is trusted: {reason}. Global is enough on average from ε = 1 (less "
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
