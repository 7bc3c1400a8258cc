"""Words of a verdict: the way to take and on which condition, and why each way errs as it does."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from tests.evaluate.verdict_helpers import asked, by_shape, headline_words, told_of
from workbench.evaluate.basis_words import basis_means, sampling_words
from workbench.evaluate.experiment import Basis, Truth
from workbench.evaluate.experiment_edits import families
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.question import Statistic
from workbench.evaluate.setting_words import known_as, setting_words, ties_words
from workbench.evaluate.tile import Tile
from workbench.evaluate.tile_words import (
    compared_errors,
    shape_words,
    standing_briefly,
    standing_words,
    told_words,
    why_words,
)
from workbench.evaluate.told_apart import TileStanding
from workbench.evaluate.verdict import place_words, verdict
from workbench.plots.curve_words import settings_of


def test_what_is_left_without_a_delta_and_without_trust_is_said() -> None:
    """By hand: a formula says 0.324, tries 0.234 ± 15 %: it lies outside of what chance explains."""
    findings = Findings(asked(Statistic.HISTOGRAM, "town", places=(0.5, 1.0)), (), 400)
    said = told_of((0.324, 0.234, 9.0), 0.018)
    assert said.recommended is Approach.ANONYMISED
    assert headline_words(said, findings) == (
        "Anonymised at ε = 1. If a curator is trusted, once. There: Global, without δ, 16.2 % misplaced; Local, "
        "trusting nobody, 450 % misplaced."
    )


def test_ways_that_are_worse_are_measured_by_the_one_that_is_taken() -> None:
    """3 ÷ 0.16 = 18.75, also where another one, which is as good, came out ahead by chance."""
    said = told_of((0.16, 0.15, 3.0), 0.01)
    assert said.recommended is Approach.GLOBAL and said.taken is not None and said.taken.times > 1
    assert said.tiles[2].times == 20 and standing_words(said.tiles[2], said) == "about 19 times (16 to 22)"
    assert standing_briefly(said.tiles[2], said) == "about 19 times"
    alike = "about 9 times at equal privacy"
    assert standing_briefly(said.tiles[2], said, f"{alike} (interpolated)") == alike
    unknown = standing_briefly(said.tiles[2], said, "At equal privacy: not run.")
    assert unknown == "about 19 times at the same ε"
    assert standing_briefly(replace(said.tiles[2], guessed=True), said, alike) == "no better than a guess"
    assert "anonymised is not told apart from it, local errs about 19 times as much (16 to 22)." in said.sentence


def test_the_caption_compares_the_ways_and_the_tiles_say_what_sampling_may_hide() -> None:
    experiment = asked(Statistic.MEAN, "age", basis=Basis.EITHER, places=(1.0,), users=400)

    def of(*errors: float) -> Findings:
        curves = tuple(by_shape(one, *[error] * 4) for one, error in zip(families(), errors, strict=False))
        return Findings(experiment, curves, 400, width=100.0)

    def told(*errors: float) -> tuple[str, str]:
        found = of(*errors)
        return told_words(found), sampling_words(found, verdict(found, 1.0))

    assert compared_errors(of(0.25, 4.0, 37.5)) == (
        "At ε = 1 in 95 of 100 cases Anonymised errs 14 to 18 times as much as Global, Local 130 to 170 times."
    )
    assert told(0.25, 4.0, 37.5) == (
        "At ε = 1 Global errs by 0.25 ± 0.02, Anonymised by 4 ± 0.02 (16 times), Local by 37.5 ± 0.02 (150 times). "
        "Take Global if a curator is trusted: the smallest error. If nobody is, "
        "Local is not enough here. Global is enough on average from ε = 1 (less than 2, the most sampling adds).",
        "If these people are a sample, that alone is off by at most 2 on average",
    )
    assert told(0.25, 2.0, 37.5)[1].endswith("; Global and Anonymised differ by less")
    assert told(0.25, 2.0, 0.255)[1].endswith("; all three differ by less")
    for errors in ((0.25, 2.0, 0.255), (0.255, 2.0, 0.25)):
        assert (
            "Take Local: not told apart from Global, and it trusts nobody. Local is enough on average from ε = "
            in told(*errors)[0]
        )
    assert told(0.25, 0.245, 37.5)[1].endswith("; Global and Anonymised differ by less")
    assert told(0.25)[0] == ""


def test_the_way_to_take_is_named_with_whom_it_trusts_and_what_is_left_without() -> None:
    findings = Findings(asked(Statistic.HISTOGRAM, "town", places=(0.5, 1.0)), (), 400)
    said = told_of((0.1, 0.4, 1.0), 0.0)
    assert headline_words(said, findings) == (
        "Global at ε = 1. If a curator is trusted. There: Local, trusting nobody, 50 % misplaced."
    )
    assert headline_words(told_of((0.1, 0.4, 0.1), 0.0), findings) == (
        "Local at ε = 1. It trusts nobody. There: Global, trusting a curator, as good."
    )


def test_a_shape_that_is_not_tried_is_accounted_for() -> None:
    said = [
        basis_means(Findings(asked(one, "age", basis=Basis.EITHER), (), 400))
        for one in (Statistic.MEAN, Statistic.HISTOGRAM)
    ]
    assert ["A long tail is tried for means, sums and quantiles alone" in one for one in said] == [False, True]


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
    assert f"At {place_words(mean, between)} (interpolated): " in headline_words(verdict(mean, between), mean)
    for words in (told_words(mean, between), compared_errors(mean, between)):
        assert words.partition(" (")[2].startswith("interpolated)"), words
    for words in (headline_words(verdict(mean, low), mean), told_words(mean, low), compared_errors(mean, low)):
        assert words and "interpolated" not in words


def test_a_number_of_people_that_nobody_typed_stands_in_the_verdict() -> None:
    experiment = asked(Statistic.HISTOGRAM, "town", places=(0.5, 1.0))
    for basis, people, told in (
        (Basis.EITHER, 1000, " for 1,000 people (assumed)"),
        (Basis.EITHER, 900, ""),
        (Basis.ROWS, None, ""),
    ):
        found = Findings(replace(experiment, basis=basis, users=people), (), 1000)
        assert headline_words(told_of((0.1, 0.4, 1.0), 0.0), found).startswith(
            f"Global at ε = 1. If a curator is trusted{told}. "
        )


def test_direct_encoding_of_two_answers_has_its_older_name_beside_it() -> None:
    local = Tile(Approach.LOCAL, setting=MethodChoice("local", {"protocol": "grr"}), error=1.0)
    two = Findings(asked(Statistic.HISTOGRAM, "town"), (), 400, outputs=2)
    assert known_as(local, two) == "randomised response"
    assert known_as(local, replace(two, outputs=3)) == ""
    assert known_as(Tile(Approach.GLOBAL, setting=MethodChoice("global-grid"), error=1.0), two) == ""
