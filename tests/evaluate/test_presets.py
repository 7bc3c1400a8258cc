"""Published figures made again: what THEORY says of them, with fixed seeds and few repetitions."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest

from workbench.core.paths import sample_data
from workbench.core.schema import Schema
from workbench.core.table import Table
from workbench.evaluate.findings import Findings
from workbench.evaluate.preset import PRESETS, Needs, PresetResult, run_preset
from workbench.evaluate.subject import ExperimentData
from workbench.project.loading import load


@cache
def sample(file: str) -> ExperimentData:
    loaded = load(sample_data() / file)
    return ExperimentData(loaded.reading.table, loaded.proposed, {}, loaded.content)


@cache
def made(identifier: str, repetitions: int) -> PresetResult:
    preset = PRESETS[identifier]
    if preset.sample is None:
        return run_preset(preset, preset.given(ExperimentData(Table(()), Schema()), "", {}))
    material = sample(preset.sample.file)
    return run_preset(preset, preset.given(material, preset.sample.column, {}, repetitions=repetitions))


def findings(identifier: str, part: int, repetitions: int) -> Findings:
    found = made(identifier, repetitions).results[part].findings
    assert found is not None
    return found


def curve(found: Findings, name: str) -> dict[float, float]:
    series = min((one for one in found.series if name in one.name), key=lambda one: len(one.name))
    return {point.axis_value: point.mean for point in series.drawn}


def test_every_preset_says_what_to_see_and_where_it_differs() -> None:
    assert {one.identifier for one in PRESETS} == {
        "randomised-response",
        "surgery-mean",
        "salary-histograms",
        "nba-anonymised",
        "ages",
        "occupations",
        "mechanism-tables",
    }
    for preset in PRESETS:
        for text in (preset.title, preset.summary, preset.look, preset.differs, preset.citation):
            assert len(text) > 10
        if preset.sample is None:
            assert preset.needs is Needs.NOTHING
        else:
            assert preset.sample.column in sample(preset.sample.file).table


def test_randomised_response_needs_its_estimator() -> None:
    found = findings("randomised-response", 0, 100)
    right, published = curve(found, "response, de-biased"), curve(found, "never")
    # Var = n·(¾·¼)/(½)² people, and the mean of |N(0, σ)| is σ·√(2/π). Five standard errors at each of 10 places.
    for point in next(one for one in found.series if "de-biased" in one.name and "never" not in one.name).points[3:]:
        expected = np.sqrt(2 / np.pi * point.axis_value * 0.75) / point.axis_value
        assert abs(point.mean - expected) < 5 * point.error_of_mean
    share = float(np.mean(sample("baltimore_salaries.csv").table["job title"].counts.max() / 13_811))
    assert published[100_000.0] == pytest.approx(0.25 - share / 2, rel=0.02)
    assert published[1000.0] == pytest.approx(published[100_000.0], rel=0.05)
    assert all(value < right[place] for place, value in curve(found, "Global").items())


def test_errors_of_the_mean_fall_like_one_over_rows_and_over_epsilon() -> None:
    by_rows = findings("surgery-mean", 0, 30)
    for name in ("grid), ε = 1", "diffprivlib), ε = 1", "diffprivlib), ε = 0.25"):
        errors = curve(by_rows, name)
        places = [place for place in errors if place >= 128]
        slope = np.polyfit(np.log(places), np.log([errors[place] for place in places]), 1)[0]
        assert slope == pytest.approx(-1, abs=0.25)
    one, quarter = curve(by_rows, "diffprivlib), ε = 1"), curve(by_rows, "diffprivlib), ε = 0.25")
    assert quarter[2048.0] / one[2048.0] == pytest.approx(4, rel=0.4)
    by_epsilon = findings("surgery-mean", 2, 30)
    tool = next(one for one in by_epsilon.series if "diffprivlib" in one.name)
    assert len(tool.points) == 50
    assert tool.points[-1].axis_value == pytest.approx(5.1)
    for point in tool.points:
        # The line beside the curve is Δ/ε.
        assert point.theory == pytest.approx(125_000 / 1000 / point.axis_value, rel=0.01)
        assert abs(point.mean - point.theory) < 5 * point.error_of_mean


def test_true_and_private_statistics_stand_in_a_table() -> None:
    table = made("surgery-mean", 30).results[1].table
    assert table is not None
    assert [row[0] for row in table[1:]] == ["mean", "sum", "variance", "standard deviation"]
    assert table[1][1].startswith("13,168.0")


def test_errors_of_histograms_fall_like_one_over_epsilon() -> None:
    result = made("salary-histograms", 40)
    bars = result.results[0].bars
    assert bars is not None
    assert len(bars.labels) == 19
    for part in (1, 2):
        errors = curve(findings("salary-histograms", part, 40), "grid")
        places = sorted(errors)[:7]
        slope = np.polyfit(np.log(places), np.log([errors[place] for place in places]), 1)[0]
        assert slope == pytest.approx(-1, abs=0.1)


def test_pairs_of_means_have_no_claim_and_public_intervals_have_one() -> None:
    pairs, public = findings("nba-anonymised", 0, 20), findings("nba-anonymised", 1, 20)
    assert [point.axis_value for point in pairs.series[0].points] == [round(0.2 * i, 1) for i in range(1, 16)]
    claims = {one.name: any("No (ε, δ) claim" in note for note in one.notes) for one in (*pairs.series, *public.series)}
    assert {name for name, void in claims.items() if void} == {"Pairs of means, level 6", "Pairs of means, level 5"}
    classical, exact, best = (curve(public, name) for name in ("classical", "intervals, exact", "best β"))
    for place in (0.4, 0.6, 0.8, 1.0):
        assert best[place] < exact[place] < classical[place]
    # With β = 1 − e^−ε, k grows with ε until groups die again; with the best β more ε never hurts.
    assert exact[3.0] > 1.5 * exact[1.0]
    assert best[3.0] < best[1.0] < best[0.2]


def test_distances_pay_along_a_line() -> None:
    bars, *errors = made("ages", 6).results
    assert bars.bars is not None
    assert len(bars.bars.labels) == 50
    assert len(errors) == 4
    moved = findings("ages", 4, 6)
    assert curve(moved, "Square Wave")[4000.0] < 0.6 * curve(moved, "Optimised unary")[4000.0]
    assert curve(moved, "Square Wave")[4000.0] < curve(moved, "Direct")[4000.0]
    # With few people asking is worse than guessing; a trusted curator is far better than both.
    few = findings("ages", 3, 6)
    guess = curve(few, "Uniform")
    assert all(curve(few, name)[500.0] > guess[500.0] for name in ("Direct", "Optimised unary", "Random matrix"))
    assert curve(few, "Global")[4000.0] < 0.1 * guess[4000.0]
    # As published it does not exist below ln 2, and that is said.
    against_epsilon = findings("ages", 1, 6)
    published = next(one for one in against_epsilon.series if "published" in one.name)
    assert all(bool(point.problem) == (point.axis_value < np.log(2)) for point in published.points)


def test_unary_occupations_beat_guessing_with_enough_people() -> None:
    _, errors, coins = made("occupations", 10).results
    assert errors.findings is not None
    unary, guess = curve(errors.findings, "0.25)"), curve(errors.findings, "Uniform")
    assert unary[20_000.0] < guess[20_000.0]
    plain = curve(errors.findings, "as estimated")
    assert all(plain[place] > unary[place] for place in unary)
    assert any("assumed to be public" in note for note in errors.findings.notes)
    assert coins.findings is not None
    assert "Police Officer" in coins.title


def test_tables_of_mechanisms_are_exact() -> None:
    survey, half, quarter = made("mechanism-tables", 1).results
    assert survey.table == (("input", "yes", "no"), ("yes", "3/4", "1/4"), ("no", "1/4", "3/4"))
    assert half.table is not None
    assert half.table[1] == ("0", "2/3", "1/6", "1/12", "1/24", "1/48", "1/48")
    assert quarter.table is not None
    assert quarter.table[1] == ("0", "4/5", "3/20", "3/80", "3/320", "3/1280", "1/1280")
    assert "ln(3)" in survey.note
    assert "ln(2)" in half.note
    assert re.search(r"ln\(4\)|2 ln", quarter.note)
