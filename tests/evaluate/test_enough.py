"""The error that is good enough, and from which ε on a way errs less: by what is typed, or what sampling adds."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.evaluate.verdict_helpers import asked, enough_words, headline_words
from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.evaluate.basis_words import sampling_words
from workbench.evaluate.enough import Enough, enough, error_limit, sampling_bound
from workbench.evaluate.enough_advice import (
    chance_words,
    enough_beside,
    enough_from,
    enough_sentence,
    short_of_enough,
    tries_for_enough,
    usual_sentence,
)
from workbench.evaluate.enough_words import chance_sentence, enough_means, least_words
from workbench.evaluate.error_series import ErrorSeries, Point
from workbench.evaluate.experiment import Basis
from workbench.evaluate.experiment_edits import families
from workbench.evaluate.experiment_run import run
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import Approach
from workbench.evaluate.public_shape import shaped
from workbench.evaluate.question import Question, Statistic
from workbench.evaluate.tile_words import (
    brief_words,
    more_words,
    tries_to_tell,
)
from workbench.evaluate.verdict import verdict
from workbench.plots.comparison import enough_lines


def test_what_sampling_is_about_is_not_rounded_up_and_the_most_it_can_be_is() -> None:
    experiment = asked(Statistic.MEAN, "age", basis=Basis.ROWS, users=400)
    found = Findings(experiment, (), 400, width=100_000.0, sampled=372.7)
    assert sampling_bound(found).words == "370" and sampling_bound(found).own
    assert least_words(replace(found, complete=False)).startswith(
        "Off by less than 370, what sampling adds on average: "
    )
    most = replace(found, sampled=math.nan, width=15_600.0)
    assert 311 < sampling_bound(most).most <= 311.4 and sampling_bound(most).words == "312", "never below it"


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
        least_words(found) == f"Off by less than 2, the most sampling adds on average, of the ε tried: Local {words}."
    )
    sample = "If these people are a sample, that alone is off by at most 2 on average, often far less. There, and"
    assert enough_means(found, error_limit(found)).startswith(sample)
    assert "every larger ε that was tried, the mean error is below 1.995. Tried: 0.5" in enough_means(
        found, error_limit(found, 1.995)
    )
    # While points are missing nothing is said, nor of what sampling has no known bound for.
    unfinished = replace(found, complete=False)
    assert enough(unfinished) == () == enough(replace(found, width=math.nan))
    assert least_words(unfinished).endswith(": not known until all are run.") and not least_words(
        replace(found, width=math.nan)
    )
    # Chance of the tries leaves the mean what it is, and is said beside it: 1.9 + 1.96 · 0.06 is above 2.
    moved = tuple(replace(one, error_of_mean=0.06) for one in points)
    told = enough(replace(found, series=(ErrorSeries(way, "Local", Approach.LOCAL, moved),)))[0]
    assert told.epsilon == said
    latest = None if told.chance is None else told.chance[1]
    assert latest == pytest.approx({1.0: 1.008, 2.0: math.inf, None: None, 0.5: 0.506}[said], abs=0.001)


def on_shapes(way: int, places: tuple[float, ...], *errors: tuple[float, ...]) -> ErrorSeries:
    """A curve that is, at each place, the worst of its errors on the shapes."""
    method = families()[way]
    name = method.method.approach.name.capitalize()
    points = tuple(
        Point(name, place, max(each), max(each), max(each), 50, 0.0, shapes=tuple((one, 0.0) for one in each))
        for place, each in zip(places, errors, strict=True)
    )
    return ErrorSeries(method, name, method.method.approach, points)


def test_what_is_enough_by_sampling_is_less_on_each_shape_than_it_adds_to_the_same_one() -> None:
    """One number for all shapes makes an ε enough that is not, on a long tail, or asks for more than any needs."""
    places = (0.5, 1.0, 2.0)
    experiment = asked(Statistic.MEAN, "age", basis=Basis.EITHER, places=places, users=400)
    assert experiment.shapes == (Basis.SMOOTH, Basis.SPIKY, Basis.TAIL, Basis.UNIFORM)
    # At 1 each is below its own, at 0.5 the long tail is not; on a smooth shape 0.5 does.
    series = on_shapes(2, places, (0.1, 0.5, 0.06, 1.4), (0.1, 0.3, 0.04, 1.0), (0.1, 0.1, 0.01, 0.2))
    on = (0.1299, 0.6, 0.05, 1.5)
    found = Findings(experiment, (series,), 400, width=100.0, sampled=0.05, sampled_on=on)
    assert enough(found) == (Enough(Approach.LOCAL, 1.0, about=enough(found)[0].about),)
    limit = error_limit(found)
    assert limit.told == "0.05 to 1.5" and limit.drawn == (0.05, 1.5), "the lines are at their numbers"
    assert limit.lines == (("0.05", Basis.TAIL), ("1.5", Basis.UNIFORM)) and error_limit(found, 1.5).drawn == (1.5,)
    assert limit.line_on(Basis.SMOOTH) == 0.129, "what a shape has is rounded down"
    assert limit.line_on(None) == 0.05, "of an error on nobody knows which shape the least of all counts"
    same = "less than what sampling adds to the same shape, 0.05 to 1.5"
    assert least_words(found).startswith(f"Off by {same} on average, of the ε tried")
    assert " On a smooth shape: Local at every one." in least_words(found)
    assert least_words(found, beside=True).startswith(f"Enough on average ({same}): Local from ")
    ends = "off by 0.05 on a long tail to 1.5 on evenly spread values, at most 2 on any values"
    assert f"{ends} on average. There, and" in enough_means(found, limit)
    assert "the mean error is on each shape below what sampling adds to the same shape." in enough_means(found, limit)
    assert enough_means(found, limit).endswith("a line of what is enough is of the shape it names.")
    assert "worst shape" not in enough_means(found, error_limit(found, 1.5)), "one that is typed is of all"
    most = "Off by less than 2, the most sampling adds on average, of the ε tried: "
    assert least_words(replace(found, sampled=math.nan)) == f"{most}Local at every one."
    assert least_words(found, 1.5).count("Local") == 1, "what somebody typed is one number"
    # Caption, line and details say it in the same words.
    assert limit.below == same
    beside = enough_beside(verdict(found, 1.0), found), least_words(found), least_words(found, beside=True)
    assert all(limit.below in one and "at least" not in one for one in beside)
    # Beside what the shapes have, the basis says the most alone.
    assert sampling_words(found) == "To any values sampling adds at most 2 (near that of half at either bound)"
    # Where no error is known but the worst, it is held against the least of all.
    unknown = tuple(replace(one, shapes=()) for one in series.points)
    assert enough(replace(found, series=(replace(series, points=unknown),)))[0].epsilon is None


def test_answers_without_an_order_have_a_spiky_shape_as_the_usual_one_as_none_of_them_is_smooth() -> None:
    """A smooth shape has most of four such answers rare, and sampling adds little to it."""
    ways = ("bus", "car", "bike", "walk")
    plain = asked(Statistic.HISTOGRAM, "town", basis=Basis.EITHER, places=(0.2, 1.0), users=900, repetitions=2)
    histogram = replace(plain, question=Question(Statistic.HISTOGRAM, "way"))
    limits = []
    for kind in (Kind.ORDERED, Kind.CATEGORY):
        found = run(histogram, shaped(histogram, Schema((ColumnSpec("way", kind, domain=ways),)), {}))
        limits.append(error_limit(found))
        assert found.ordered is (kind is Kind.ORDERED)
    smooth, spiky = (limit.on_usual for limit in limits)
    assert smooth is not None and spiky is not None
    assert (smooth[0], spiky[0]) == (Basis.SMOOTH, Basis.SPIKY)
    # Half the sum of √(2·p·(1 − p) ÷ (π·n)): of equal shares 2.3 %.
    assert 1.2 < smooth[1].least < 1.3 and 2.0 < spiky[1].least < 2.3 < limits[1].most
    assert limits[0].on == limits[1].on, "what it adds to each shape is the same"


def test_of_two_values_a_shape_is_named_by_what_it_is() -> None:
    """One hump in two places: 98 and 2 in 100 on average over where it lies, so that nobody would call it smooth."""
    plain = asked(Statistic.HISTOGRAM, "town", basis=Basis.EITHER, places=(0.2, 1.0), users=900, repetitions=2)
    histogram = replace(plain, question=Question(Statistic.HISTOGRAM, "way"))
    spec = ColumnSpec("way", Kind.CATEGORY, domain=("bus", "car"))
    found = run(histogram, shaped(histogram, Schema((spec,)), {}))
    names = [name.partition(":")[0] for name, _ in enough_lines(error_limit(found))]
    assert names == ["Enough on a rare value (1 or 2 in 100)", "Enough on equal shares"]


_NEVER = "Local, enough at no ε tried. It trusts nobody. It is not enough even at 2: off by 0.5."


@pytest.mark.parametrize(
    ("errors", "most", "said"),
    [
        ((9.0, 1.9, 0.5), 2.0, "Local, ε 1. It trusts nobody. At this ε, of those tried, it is enough on average."),
        (
            (1.9, 1.8, 0.5),
            2.0,
            "Local, ε 0.3. It trusts nobody. At this ε, the smallest tried, it is enough on average.",
        ),
        # Larger once more at a larger ε, it is enough from the one after that.
        ((1.9, 2.1, 1.9), 2.0, "Local, ε 2. It trusts nobody. At this ε, of those tried, it is enough on average."),
        ((9.0, 1.9, 0.5), 0.1, _NEVER),
        (
            (1.9, 1.0, 0.5),
            None,
            "Local, ε 0.3. It trusts nobody. At this ε, the smallest tried, it errs less on average than the most "
            "sampling adds (2).",
        ),
        ((1.9, 1.0, 0.5), 0.0, _NEVER),
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
        assert headline_words(verdict(found, place), found, most) == said, "wherever one looks"
    unfinished = replace(found, complete=False)
    assert "enough" not in headline_words(verdict(unfinished, 1.0), unfinished, most), "not before all are run"
    # Rounded up: what is said is never less than what was run.
    third = tuple(replace(one, axis_value=one.axis_value / 0.9) for one in points)
    apart = replace(
        found,
        experiment=replace(experiment, places=tuple(one.axis_value for one in third)),
        series=(ErrorSeries(way, "Local", Approach.LOCAL, third),),
    )
    assert "Local, ε 0.334. " in headline_words(verdict(apart, third[0].axis_value), apart, 100.0)


def test_the_verdict_says_from_where_on_a_way_is_enough_on_each_shape_and_on_a_smooth_one() -> None:
    places = (0.3, 1.0, 2.0)
    experiment = asked(Statistic.MEAN, "age", basis=Basis.EITHER, places=places, users=400)

    def known(on: tuple[float, ...]) -> Findings:
        # As noise alone: the same on each shape.
        series = on_shapes(0, places, *((error,) * 4 for error in (1.0, 0.3, 0.15)))
        return Findings(experiment, (series,), 400, width=100.0, sampled=min(on), sampled_on=on)

    def advice(on: tuple[float, ...]) -> str:
        return enough_words(verdict(known(on), 1.0), known(on))

    little = "On each shape tried it then errs less on average than sampling adds. Yours may need more."
    assert advice((0.6, 0.6, 0.2, 1.5)) == f"Global, ε about 1.5. {little}"
    smooth = known((0.6, 0.6, 0.2, 1.5))
    usually = "Global is enough on a smooth shape from about ε = 0.51"
    assert usual_sentence(verdict(smooth, 1.0), smooth) == usually
    never = "Global, enough at no ε tried. It is not enough on each shape tried even at 2: "
    never += "off by 0.15"
    assert advice((0.6, 0.6, 0.1, 1.5)) == f"{never}; on a smooth shape from about ε = 0.51."
    assert advice((0.1, 0.6, 0.1, 1.5)) == f"{never}."
    each = f"Global, ε about 0.51. {little}"
    assert advice((0.6, 0.6, 0.6, 1.5)) == each == advice((0.6, 0.6, 0.601, 1.5))
    near = known((0.6, 0.6, 0.6, 1.5))
    assert usual_sentence(verdict(near, 1.0), near) == "", "nothing is said twice"


def test_the_sentence_goes_by_the_lines_that_are_written_and_the_empty_field_names_all_shapes() -> None:
    places = (0.3, 1.0, 2.0)
    experiment = asked(Statistic.MEAN, "age", basis=Basis.EITHER, places=places, users=400)
    series = on_shapes(0, places, *((error,) * 4 for error in (0.9, 0.3999, 0.1)))
    found = Findings(experiment, (series,), 400, width=100.0, sampled=0.39995, sampled_on=(0.39995, 0.75, 1.0, 1.5))
    # The line is at 0.399, which 0.3999 is above.
    assert error_limit(found).told == "0.399 to 1.5"
    assert enough_words(verdict(found, 1.0), found) == (
        "Global, ε about 1.1. On each shape tried it then errs less on average than sampling adds. Yours may need more."
    )
    assert error_limit(found).means == (
        "On each shape as small as what sampling adds to the same shape: to a smooth shape 0.399, to a spiky shape "
        "0.75, to a long tail 1, to evenly spread values 1.5. "
        "About √(2 ÷ π) of its standard deviation ÷ √n, of n people; averaged over where it lies"
    )


def test_what_chance_leaves_open_is_said_to_be_open_and_how_many_repetitions_would_tell() -> None:
    places, way = (0.3, 1.0, 2.0), families()[2]
    experiment = asked(Statistic.MEAN, "age", basis=Basis.EITHER, places=places, users=400, repetitions=100)

    def told(middle: float, spread: float = 0.05, last: float = 0.5) -> Findings:
        errors = zip(places, (9.0, middle, last), strict=True)
        points = tuple(Point("Local", one, error, error, error, 100, spread) for one, error in errors)
        return Findings(experiment, (ErrorSeries(way, "Local", Approach.LOCAL, points),), 400, width=100.0)

    # Both sides of the line of 2: the mean decides, and chance is told beside it.
    for middle, least, about, moved in ((1.95, 1.0, None, ""), (2.05, 2.0, 1.1, "0.98 to 1.1")):
        found, said = told(middle), verdict(told(middle), 1.0)
        # The line from what the error may be at 1 to what it may be at 2: 2.05 and 2.15, to 0.6.
        assert enough(found) == (Enough(Approach.LOCAL, least, 1.0, about=about),)
        then = "1. At this ε, of those tried, it" if about is None else f"about {about}. It then"
        less = "errs less on average than the most sampling adds (2)."
        assert enough_words(said, found) == f"Local, ε {then} {less}"
        at = "ε = 1" if about is None else f"about ε = {about}"
        assert brief_words(told_beside(found)).endswith(
            f"; enough on average from {at} (less than 2, the most sampling adds)."
        )
        # Of 1.1 and 1 one is said: they are as good as the same.
        alone = f"By chance of 100 tries: {moved}." if moved else "ε 1 is the smallest tried that is."
        assert chance_words(Approach.LOCAL, enough(found), found) == alone
        every = f"By chance of 100 tries: Local {moved}." if moved else ""
        assert chance_sentence(found, error_limit(found)) == every
        assert enough_means(found, error_limit(found)).endswith(every or "Tried: 0.3, 1, 2.")
        assert tries_to_tell(said, found) > 100
        assert not short_of_enough(Approach.LOCAL, said, found), "nobody knows"
        assert short_of_enough(Approach.LOCAL, verdict(found, 0.3), found)
    # Sure enough, sure not to be, and known by formula.
    point = told(1.95).series[0].points[1]
    by_formula = replace(told(1.95), series=(replace(
        told(1.95).series[0], points=tuple(replace(one, tried=one.mean) for one in told(2.01).series[0].points)
    ),))  # fmt: skip
    assert point.error_of_mean == 0.05
    for found, least, about in ((told(1.5), 1.0, 0.87), (told(2.5), 2.0, 1.2), (by_formula, 2.0, 1.1)):
        assert enough(found) == (Enough(Approach.LOCAL, least, about=about),)
        assert tries_to_tell(verdict(found, 1.0), found) == 0
    never = told(9.0, last=2.05)
    assert enough_sentence(verdict(never, 1.0), never).startswith("It is not shown to be enough even at 2")
    assert enough_from(Approach.LOCAL, 2.0, enough(never)) == "perhaps from ε 2"
    assert least_words(never).endswith(": Local at none (perhaps from 2).")


def test_a_way_that_is_not_told_apart_where_both_may_be_enough_is_not_said_to_need_less() -> None:
    places = (0.3, 1.0, 2.0)
    experiment = asked(Statistic.MEAN, "age", basis=Basis.EITHER, places=places, users=400, repetitions=100)

    def told(error: float) -> Findings:
        middle = {Approach.GLOBAL: (2.05, 0.05), Approach.ANONYMISED: (error, 0.02)}
        series = tuple(
            ErrorSeries(way, way.method.approach.name, way.method.approach, tuple(
                Point(way.method.approach.name, one, mean, mean, mean, 100, spread)
                for one, (mean, spread) in zip(
                    places, ((9.0, 0.05), middle[way.method.approach], (0.5, 0.05)), strict=True
                )
            ))
            for way in families()[:2]
        )  # fmt: skip
        return Findings(experiment, series, 400, width=100.0)

    advice = "Global, ε about 1.1. It then errs less on average than the most sampling adds (2)"
    for error, more, ways in (
        # Where tries tell no difference the order of ways is not that of luck, nor of what is rounded up.
        (1.99, "", "Global and Anonymised from about 1.1"),
        (1.5, "; Anonymised from 1", "Global from about 1.1, Anonymised from 1"),
    ):
        found = told(error)
        assert enough_words(verdict(found, 2.0), found) == f"{advice}{more}."
        tried = "of the ε tried, “about” between two of them"
        assert least_words(found) == f"Off by less than 2, the most sampling adds on average, {tried}: {ways}."


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
    assert enough(perhaps) == (Enough(Approach.LOCAL, 1.0, 1.0),)
    assert enough_words(verdict(perhaps, 1.0), perhaps) == (
        "Local, ε 1. At this ε, the smallest tried, it errs less on average than the most sampling adds (2; 100 "
        "tries leave open whether)."
    )
    assert chance_sentence(perhaps, error_limit(perhaps)).endswith(": Local 1 or less to more than 1.")
    assert tries_to_tell(verdict(perhaps, 1.0), perhaps) == 300, "so that 0.2 becomes less than what is left"
    # 2.01 is above 2 for all that its tries tell, whichever of the shapes it is.
    assert enough(told((2.05, 0.1), (2.04, 0.001), (1.0, 0.3), (0.5, 0.01))) == (Enough(Approach.LOCAL, None),)
    # What a formula says of the worst shape says nothing of the tries on another.
    (series,) = perhaps.series
    known = replace(series, points=tuple(replace(one, tried=1.8, means=100) for one in series.points))
    assert enough(replace(perhaps, series=(known,))) == (Enough(Approach.LOCAL, 1.0, 1.0),)


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
        assert enough_beside(said, tried, most).startswith("not shown to be enough at any ε tried")
        assert not short_of_enough(Approach.GLOBAL, said, tried, most)
        assert tries_for_enough(said, tried, most) == 0, "one tells nothing of how far apart more of them would be"
        assert enough(by_formula, most) == (Enough(Approach.LOCAL, 0.5),)
        assert (
            enough_words(verdict(by_formula, 1.0), by_formula, most)
            == "Local, ε 0.5. At this ε, the smallest tried, it is enough on average."
        )
    assert enough(by_formula, 0.6) == (Enough(Approach.LOCAL, None),)


def test_nothing_is_not_enough_where_it_errs_by_less() -> None:
    """Less at a small ε and more at the largest: from none on it is enough, and yet there it is."""
    experiment = asked(Statistic.MEAN, "age", basis=Basis.EITHER, places=(0.5, 1.0), users=400, repetitions=100)
    both = zip((0.5, 1.0), (1.9, 2.1), strict=True)
    points = tuple(Point("Local", at, mean, mean, mean, 100, 0.0) for at, mean in both)
    found = Findings(experiment, (ErrorSeries(families()[2], "Local", Approach.LOCAL, points),), 400, width=100.0)
    assert enough(found) == (Enough(Approach.LOCAL, None),)
    assert enough_from(Approach.LOCAL, 0.5, enough(found)) == "not always"
    assert enough_beside(verdict(found, 0.5), found).startswith("not enough at the largest ε tried (")
    assert not short_of_enough(Approach.LOCAL, verdict(found, 0.5), found)
    assert short_of_enough(Approach.LOCAL, verdict(found, 1.0), found)
    never = enough(found, 1.0)
    assert enough_from(Approach.LOCAL, 0.5, never) == "not enough"


def told_beside(found: Findings) -> Findings:
    """The same beside a guess of another way, as a caption compares several."""
    way = families()[0]
    points = tuple(replace(one, method="Global", mean=99.0, error_of_mean=0.0) for one in found.series[0].points)
    return replace(found, series=(ErrorSeries(way, "Global", Approach.GLOBAL, points), *found.series))


def two_ways(
    mine: tuple[tuple[float, float], ...], theirs: tuple[tuple[float, float], ...], places: tuple[float, ...]
) -> Findings:
    """Errors of Global and Anonymised with their standard errors, at each place."""
    ways = (Approach.GLOBAL, families()[0], mine), (Approach.ANONYMISED, families()[1], theirs)
    series = tuple(
        ErrorSeries(
            choice,
            way.value,
            way,
            tuple(
                Point(way.value, at, error, error, error, 50, moved)
                for at, (error, moved) in zip(places, errors, strict=True)
            ),
        )
        for way, choice, errors in ways
    )
    experiment = asked(Statistic.MEAN, "age", basis=Basis.EITHER, places=places, users=400)
    return Findings(experiment, series, 400, width=100.0)


def test_the_verdict_names_another_way_that_is_enough_at_a_smaller_epsilon() -> None:
    places = (0.2, 0.5, 1.0)
    found = two_ways(((1.2, 0.1), (0.5, 0.01), (0.1, 0.01)), ((0.5, 0.01), (0.4, 0.01), (0.35, 0.01)), places)
    said = verdict(found, 1.0)
    assert said.recommended is Approach.GLOBAL
    advice = headline_words(said, found, 1.1)
    assert advice.startswith("Global, ε about 0.22. ")
    assert " It is then enough on average; Anonymised from 0.2." in advice
    assert "errs less" not in advice, "it is said once"
    later = headline_words(said, found, 0.45)
    assert later.startswith("Global, ε about 0.54. ") and "enough on average; Anonymised from 0.5." in later
    assert headline_words(said, found, 2.0).endswith(
        "At this ε, the smallest tried, it is enough on average. At ε = 0.2 and 0.5 Anonymised errs less."
    )
    unsure = two_ways(((1.0, 0.5), (0.5, 0.3), (0.1, 0.01)), ((0.5, 0.5), (0.4, 0.3), (0.35, 0.01)), places)
    assert "errs less" not in headline_words(verdict(unsure, 1.0), unsure, 5.0), "where chance leaves it open"
    assert "errs less" not in headline_words(said, replace(found, complete=False), 2.0)


def test_a_badge_says_from_where_on_a_way_is_enough_and_its_tip_how_sure_that_is() -> None:
    found = two_ways(((0.1, 0.01),) * 3, ((3.0, 0.01), (0.9, 0.3), (0.2, 0.01)), (1.0, 2.0, 5.0))
    ways = enough(found, 1.0)
    assert enough_from(Approach.ANONYMISED, 1.0, ways) == "enough on average from about ε 2"
    # How it fell before the first of them nobody knows: nothing is read between the first two.
    told = "ε 2 is the smallest tried that is. By chance of 20 tries: 2 to 2.6."
    assert chance_words(Approach.ANONYMISED, ways, found) == told
    means = enough_means(found, error_limit(found, 1.0))
    assert means.endswith("Tried: 1, 2, 5. By chance of 20 tries: Anonymised 2 to 2.6.")


def test_how_often_to_repeat_says_what_it_tells() -> None:
    found = two_ways(((0.5, 0.04), (0.2, 0.001)), ((0.55, 0.04), (0.2, 0.001)), (1.0, 2.0))
    said = verdict(found, 1.0)
    assert tries_to_tell(said, found, 0.55) > 50
    told = more_words(said, found, 0.55)
    assert told.startswith("So many repetitions would tell which of Global and Anonymised errs less, and from which ε")
    assert told.endswith("if the errors came out as before")
