"""From about which ε on noise is small enough, between two ε that were run: never less than what it takes."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from matplotlib.figure import Figure

from tests.evaluate.verdict_helpers import SCHEMA, asked, enough_words
from workbench.core.errors import WorkbenchError
from workbench.evaluate.enough import Enough, below, enough, error_limit
from workbench.evaluate.enough_advice import (
    chance_words,
    enough_beside,
    enough_from,
    enough_sentence,
    error_there,
)
from workbench.evaluate.enough_words import chance_range, least_words
from workbench.evaluate.error_series import ErrorSeries, Point
from workbench.evaluate.experiment import Basis
from workbench.evaluate.experiment_edits import families
from workbench.evaluate.experiment_run import run
from workbench.evaluate.figure_settings import FigureSettings
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.public_shape import shaped
from workbench.evaluate.question import Statistic
from workbench.evaluate.verdict import tile_at, verdict
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.protocol import PROTOCOLS, Family, LocalProtocol
from workbench.plots import comparison
from workbench.plots.comparison import ComparisonData
from workbench.plots.style import ChartStyle

_PLACES = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


def _named(values: int) -> Callable[[float], float]:
    """The noise of a report that names a subset of so many values, whose size is a whole number."""

    def law(epsilon: float) -> float:
        odds = math.exp(epsilon)
        size = max(1, round(values / (odds + 1)))
        hit = size * odds / (size * odds + values - size)
        other = hit * (size - 1) / (values - 1) + (1 - hit) * size / (values - 1)
        return 20 * math.sqrt(other * (1 - other)) / (hit - other)

    return law


_ROUNDING = tuple(map(_named, (4, 10, 50, 200)))
_ROUNDS = 1.062
"""The size of noise of a protocol that rounds falls in arcs: they lie above its curve by up to so much of ε."""
_LAWS: tuple[Callable[[float], float], ...] = (
    lambda e: 20 / e,
    lambda e: 20 / math.sinh(e),
    lambda e: 20 * math.sqrt(math.exp(e) + 2) / (math.exp(e) - 1),
    lambda e: 20 * math.sqrt(math.exp(e) + 98) / (math.exp(e) - 1),
    lambda e: 20 / math.sinh(e / 2),
    *_ROUNDING,
    lambda e: 10 / math.tanh(e / 2),
)
"""By ε, the size of noise: of Laplace, of its discrete law, of direct and unary encodings, of subsets, and of Duchi's
mean."""


def _curve(law: Callable[[float], float], way: int = 2, **more: object) -> Findings:
    choice = families()[way]
    experiment = asked(Statistic.MEAN, "age", basis=Basis.SMOOTH, places=_PLACES, users=400, repetitions=100)
    points = tuple(
        Point("Way", one, error, error, error, 100, 0.0, **{"tried": error, **more})
        for one in _PLACES
        if (error := law(one)) or True
    )
    series = ErrorSeries(choice, "Way", choice.method.approach, points)
    return Findings(experiment, (series,), 400, width=100.0)


@pytest.mark.parametrize("by_formula", [True, False])
@pytest.mark.parametrize("law", _LAWS)
@pytest.mark.parametrize("way", [1, 2])
def test_what_is_said_to_do_does_and_is_less_than_what_was_run(
    way: int, law: Callable[[float], float], by_formula: bool
) -> None:
    found = _curve(law, way, tried=1.0 if by_formula else math.nan)
    told = 0
    for step in range(1, 60):
        most = law(0.1) * (law(5.0) / law(0.1)) ** (step / 60)
        (mine,) = enough(found, most)
        assert mine.epsilon is not None
        if mine.about is None:
            continue
        told += 1
        more = _ROUNDS if law in _ROUNDING else 1.0
        assert law(more * mine.about) < most * (1 + 1e-9), "what is said to do does"
        before = max(one for one in _PLACES if one < mine.epsilon)
        assert before < mine.about <= 0.9 * mine.epsilon
    assert told > (15 if way == 2 else 10) or law is _LAWS[-1], "most of the way between two"


def test_what_a_formula_says_is_exact() -> None:
    (mine,) = enough(_curve(lambda e: 21.5 / e, way=0), 100.0)
    assert (mine.epsilon, mine.about) == (0.5, 0.22), "0.215, rounded up"


def test_an_error_with_more_than_noise_in_it_is_not_read_between_two() -> None:
    # A part that stays, as of sampling, in any way; one that stands still.
    for way in range(3):
        assert enough(_curve(lambda e: 5 + 2 / e, way=way), 8.0)[0].about is None
    found = _curve(lambda e: 20 / e)
    assert enough(found, 60.0)[0].about == 0.34, "the curve that is drawn"
    settings = {0.2: MethodChoice("local", {"protocol": "grr"}), 0.5: MethodChoice("local", {"protocol": "oue"})}
    (series,) = found.series
    other = replace(series, points=tuple(replace(one, by=settings.get(one.axis_value)) for one in series.points))
    assert enough(replace(found, series=(other,)), 60.0)[0].about == 0.34, "so is the curve that tiles are read from"
    tied = tuple(replace(one, as_good=(settings[0.2],)) if one.axis_value == 0.5 else one for one in other.points)
    assert enough(replace(found, series=(replace(other, points=tied),)), 60.0)[0].about == 0.34, (
        "as good, and none of them rounds"
    )
    smaller = replace(settings[0.2], epsilon=0.2)
    kept = tuple(replace(one, by=smaller) if one.axis_value == 0.5 else one for one in series.points)
    assert enough(replace(found, series=(replace(series, points=kept),)), 60.0)[0].about is None, "stands still"


def test_all_ways_are_read_between_two_where_they_fall_alike() -> None:
    """Global said “from about 0.26” and Anonymised “from 1”, whose curve crossed the line at 0.55."""
    for way in range(3):
        assert enough(_curve(lambda e: 20 / e, way=way), 60.0)[0].about == 0.34
    median = replace(_curve(lambda e: 20 / e), experiment=asked(Statistic.QUANTILE, "age", places=_PLACES, users=400))
    assert enough(median, 60.0)[0].about == 0.34


def test_where_no_law_is_known_what_is_said_is_not_before_an_error_that_falls_as_it_did() -> None:
    # It stood still, and may do so for a while; of the first two nobody knows what it did.
    assert enough(_curve(lambda e: min(100.0, 20 / e), way=1), 60.0)[0].about is None
    assert enough(_curve(lambda e: 20 / e, way=1), 150.0)[0].about is None
    slower = {0.1: 150.0, 0.2: 100.0, 0.5: 40.0}
    (mine,) = enough(_curve(lambda e: slower.get(e, 20 / e), way=1), 70.0)
    assert mine.about == 0.37, "100·(0.2/ε)^0.585 is 70 there, and the straight line at 0.29"
    # Another setting may have stood still until it took over.
    (series,) = _curve(lambda e: 20 / e, way=1).series
    levels = [MethodChoice("trimmed", {"level": 2 if one.axis_value < 0.3 else 1}) for one in series.points]
    points = tuple(replace(one, by=by) for one, by in zip(series.points, levels, strict=True))
    found = replace(_curve(lambda e: 20 / e, way=1), series=(replace(series, points=points),))
    assert enough(found, 60.0)[0].about is None and enough(found, 15.0)[0].about == 1.4


def test_a_protocol_whose_error_jumps_is_not_read_between_two() -> None:
    for protocol, reads in (("grr", True), ("ds", False), ("square-wave", False)):
        setting = MethodChoice("local", {"protocol": protocol})
        found = _curve(lambda e: 20 / e)
        (series,) = found.series
        points = tuple(replace(one, by=setting) for one in series.points)
        (mine,) = enough(replace(found, series=(replace(series, points=points),)), 60.0)
        assert mine.epsilon == 0.5 and (mine.about is not None) == reads, protocol


@pytest.mark.parametrize(
    "one", [one for one in PROTOCOLS if one.family is Family.FREQUENCY], ids=lambda one: one.identifier
)
def test_every_protocol_that_jumps_says_so(one: LocalProtocol) -> None:
    """What a report tells of 10 values, by the variance of the best unbiased estimate, at ε near each other."""
    told = []
    for epsilon in np.arange(0.7, 4.0, 0.02):
        try:
            channel = np.asarray(ProtocolChoice(one.identifier).frequency(10, float(epsilon)).channel())
        except WorkbenchError:
            return  # takes two values alone, or its reports cannot be listed
        if channel.ndim != 2 or channel.size > 20_000:
            return
        knows = np.linalg.eigvalsh((channel / channel.mean(axis=0)) @ channel.T)
        told.append(math.sqrt(float((1 / knows[:-1]).sum())))
    falls = -np.diff(np.log(told))
    assert one.jumps == (falls.max() > 0.1), one.identifier


def test_it_agrees_with_the_line_that_is_drawn_within_chance_and_with_what_the_noise_needs() -> None:
    """Direct encoding of 4 answers, between ε 2 and 5: the straight line of the chart, and the exact law."""
    law, setting = _LAWS[2], MethodChoice("local", {"protocol": "grr"})
    for margin in (0.0, 0.04):
        (series,) = _curve(law, tried=math.nan).series
        points = tuple(replace(one, by=setting, error_of_mean=margin * one.mean) for one in series.points)
        found = replace(_curve(law), series=(replace(series, points=points),))
        # By 100 tries chance may be about two standard errors.
        steep = math.log(law(2.0) / law(5.0)) / math.log(2.5)
        for needs in (2.2, 2.36, 2.59, 3.0, 3.43, 4.0):
            (mine,) = enough(found, law(needs))
            drawn = 2.0 * (law(2.0) / law(needs)) ** (1 / steep)
            assert mine.about is not None and drawn <= needs <= mine.about
            most = max(1.05 * needs, drawn * (1 + 2.1 * margin) ** (1 / steep)) if margin else 1.05 * needs
            assert mine.about <= most + 0.1, "rounded up"


def test_of_two_numbers_that_are_near_each_other_one_is_said() -> None:
    mine = Enough(Approach.GLOBAL, 0.5, 0.1, True, 0.21)
    assert mine.open is None and Enough(Approach.GLOBAL, None, 0.2).open == 0.2
    assert enough_from(Approach.GLOBAL, 0.1, (mine,)) == "enough on average from about ε 0.21"
    found = _curve(lambda e: 20 / e)
    near, far, first, never = (
        chance_range(replace(mine, chance=(low, high)), found)
        for low, high in ((0.2, 0.21), (0.153, 0.211), (0.1, 0.13), (0.3, math.inf))
    )
    assert (near, far, first, never) == ("", "0.15 to 0.22", "0.1 or less to 0.13", "0.3 to more than 5")


def test_chance_is_told_beside_what_is_enough_on_average_and_does_not_move_it() -> None:
    """Where the line that is drawn crosses is neither where the upper ends of its bars do."""
    found = _curve(lambda e: 20 / e, tried=math.nan)
    (series,) = found.series
    moved = replace(series, points=tuple(replace(one, error_of_mean=0.05 * one.mean) for one in series.points))
    (sure,), (unsure,) = enough(found, 60.0), enough(replace(found, series=(moved,)), 60.0)
    assert sure.about == unsure.about == 0.34 and sure.chance is not None and unsure.chance is not None
    assert unsure.chance[0] < sure.chance[0] <= 0.34 <= sure.chance[1] < unsure.chance[1] < 0.4


def test_where_tries_do_not_tell_which_epsilon_is_enough_none_of_them_leads() -> None:
    (series,) = _curve(lambda e: 20 / e, way=0, tried=math.nan).series
    moved = replace(series, points=tuple(replace(one, error_of_mean=0.15 * one.mean) for one in series.points))
    found = replace(_curve(lambda e: 20 / e, way=0), series=(moved,))
    assert enough_words(verdict(found, 1.0), found, 60.0) == (
        "Global, ε 0.23 to 0.44. It is then enough on average (100 tries leave open from which of these)."
    )


def test_the_epsilon_of_four_ways_of_transport_is_where_the_drawn_means_cross() -> None:
    """Of 200 tries, 2.23 % at ε 0.1 and 1.12 % at 0.2 reach 2.06 % at 0.108, and their upper ends at 0.122."""
    (series,) = _curve(lambda e: 0.223 / e, way=0, tried=math.nan).series
    moved = tuple(replace(one, error_of_mean=0.063 * one.mean) for one in series.points)
    found = replace(_curve(lambda e: 20 / e, way=0), series=(replace(series, points=moved),))
    (mine,) = enough(found, 2.06)
    assert mine.about == 0.11 and enough_words(verdict(found, 1.0), found, 2.06) == (
        "Global, ε about 0.11. It is then enough on average."
    )
    assert error_there(mine, found) == pytest.approx(0.223 / 0.11), "its mark lies on the curve"
    assert chance_words(Approach.GLOBAL, (mine,), found) == "By chance of 100 tries: 0.1 or less to 0.13."


def test_sentence_badge_and_caption_say_the_same_number() -> None:
    found = _curve(lambda e: 20 / e, way=0)
    said, ways = verdict(found, 1.0), enough(found, 60.0)
    assert enough_words(said, found, 60.0) == "Global, ε about 0.34. It is then enough on average."
    assert enough_from(Approach.GLOBAL, 0.2, ways) == "enough on average from about ε 0.34"
    assert enough_from(Approach.GLOBAL, 0.35, ways) == ""
    assert enough_beside(said, found, 60.0) == "enough on average from about ε = 0.34 (less than 60, the limit set)"
    assert least_words(found, 60.0) == (
        "Off by less than 60, of the ε tried, “about” between two of them: Global from about 0.34."
    )


def test_what_is_paid_where_the_number_is_public_stands_beside_it() -> None:
    found = _curve(lambda e: 20 / e, way=0)
    said = verdict(found, 1.0)
    told = enough_words(said, found, 60.0, lambda _tile, place: f"ε {2 * place} ({place} counted twice)")
    assert told == "Global, ε about 0.34. It is then enough on average (Query charges 0.68)."
    town = asked(Statistic.HISTOGRAM, "town", basis=Basis.SMOOTH, places=_PLACES, users=400, public_total=True)
    shares = replace(found, experiment=town, width=math.nan)
    said = verdict(shares, 1.0)
    assert enough_words(said, shares, 3000.0) == ("Global, ε about 0.34. It is then enough on average (2 ε = 0.68).")
    assert enough_beside(said, shares, 3000.0).startswith(
        "enough on average from about ε = 0.34, so 2 ε = 0.68 (less than "
    )
    assert least_words(shares, 3000.0).endswith(": Global from about 0.34 (2 ε = 0.68).")
    local = replace(_curve(lambda e: 20 / e), experiment=town, width=math.nan)
    assert "2 ε" not in enough_sentence(verdict(local, 1.0), local, 3000.0), "there ε hides an answer"


def test_of_a_mean_that_was_run_it_is_what_its_noise_needs() -> None:
    """The noise of a sum of 400 values from 0 to 100 in a mean: about a quarter of 1/ε, and no more than that."""
    experiment = asked(
        Statistic.MEAN,
        "age",
        basis=Basis.SMOOTH,
        places=_PLACES,
        users=400,
        repetitions=20,
        methods=(MethodChoice("global-grid"),),  # at 0.2 bounds that are found first err less
    )
    found = run(experiment, shaped(experiment, SCHEMA, {}))
    at = {point.axis_value: point.mean for point in found.points}
    most = 0.8 * at[0.2]
    (mine,) = enough(found, most)
    assert mine.epsilon == 0.5 and mine.about == pytest.approx(0.25, abs=0.011) and mine.about >= 0.2 / 0.8


def test_between_two_that_were_run_there_is_one_curve() -> None:
    """For a tile, the line of the chart and the ε that is enough: nearer to exact noise than a straight one."""
    straight, bent = [], []
    for law in _LAWS:
        found = _curve(law, tried=1.0)
        chart = comparison.build(Figure(), ComparisonData(found, FigureSettings()), ChartStyle())
        x, y = (np.asarray(one, float) for one in chart.curves[0].line.get_data())
        assert set(_PLACES) <= set(x)
        for low, high in pairwise(_PLACES):
            for place in (at for at in x if low < at < high):
                read = tile_at(found, Approach.LOCAL, float(place)).error
                assert read == pytest.approx(y[list(x).index(place)])
                share = math.log(place / low) / math.log(high / low)
                even = law(low) * (law(high) / law(low)) ** share
                straight.append(math.log(even / law(place)))
                bent.append(math.log(read / law(place)))
        for step in range(1, 40):
            most = law(0.1) * (law(5.0) / law(0.1)) ** (step / 40)
            (mine,) = enough(found, most)
            if mine.about is not None:
                limit = error_limit(found, most)
                assert below(found, Approach.LOCAL, mine.about, limit)
                assert not below(found, Approach.LOCAL, 0.9 * mine.about, limit), "no tile is enough before"
    assert np.sqrt(np.mean(np.square(bent))) < 0.6 * np.sqrt(np.mean(np.square(straight)))
    assert max(map(abs, bent)) < 0.6 * max(map(abs, straight))
