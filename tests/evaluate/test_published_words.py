"""What published figures say: as their sources, and as chance allows."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from tests.evaluate.figure_runs import few, made
from workbench.core.number_text import estimate, with_places
from workbench.core.paths import resources
from workbench.core.progress import SILENT
from workbench.core.quick_reading import read_values
from workbench.evaluate.method import METHODS, MethodChoice
from workbench.evaluate.preset import PRESETS
from workbench.evaluate.presets import ages, nba_anonymised, salary_histograms, surgery_mean
from workbench.evaluate.published import chapter3, chapter3_release, local_runs
from workbench.evaluate.published.agreement import OurValue, PublishedValue, Said, agreement, said_of
from workbench.evaluate.published.catalogue import FIGURES, figure_named
from workbench.evaluate.published.chapter4_lines import best_between
from workbench.evaluate.published.curve_notes import CURVE_NOTES
from workbench.evaluate.published.entry import FigureInput, FigureOutcome, FigureSide, run_figure
from workbench.evaluate.published.fewest import at_fewest, at_place
from workbench.evaluate.published.originals import distance_sensitive, reports_as_one
from workbench.evaluate.published.panel import PanelCurve
from workbench.evaluate.published.winners import ONE_ERROR, STANDARD_ERRORS, told_apart, with_error
from workbench.evaluate.subject import subject_of
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.estimation import AUTOMATIC
from workbench.ldp.protocol import PROTOCOLS
from workbench.ldp.protocols.the import best_threshold
from workbench.mechanisms.mechanism import MECHANISMS
from workbench.project.model import new_project
from workbench.session import Session
from workbench.session.published_captions import printed_caption
from workbench.session.published_figures import figure_runner, outcome_lines, panels_of
from workbench.session.published_meanings import MEANINGS
from workbench.session.shipped_samples import sample_of

pytestmark = pytest.mark.timeout(300)


def captions(outcome: FigureOutcome) -> dict[str, str]:
    """What is printed below each panel, by its title."""
    return {data.panel.title: printed_caption(outcome, side, data) for side, data in panels_of(outcome)}


def lines(number: str, repetitions: int = 2) -> str:
    return " ".join(few(figure_named(number), repetitions).differs)


def test_a_page_is_the_one_on_which_the_text_says_it() -> None:
    assert "stabilises from about 2,000 people on (p. 49)" in lines("4.5"), "above the figure, which begins p. 50"
    assert "and direct encoding from 2.53 on" in lines("4.3"), "its curve lies below that of unary encoding from there"
    assert "also shows the protection (p. 17)" in lines("2.1"), "above the figure, on the same page"
    assert "“stabilizes near 0” (p. 24)" in lines("3.1"), "below the figure, before the section that begins p. 25"


def test_local_sensitivity_is_said_to_be_of_rows_that_are_left_out_alone() -> None:
    outcome = few(figure_named("3.2"))
    material, column, _ = sample_of(outcome.figure.sample, SILENT)
    cells = material.table[column]
    charges = read_values(cells.values, material.schema[column])[cells.codes]
    added = np.append(charges, 1e6).mean() - charges.mean()
    (line,) = (one for one in outcome.differs if "Leaving one row out" in one)
    assert f"one of $1,000,000 would move the mean by ${with_places(float(added), 2)}" in line
    assert added > 2 * outcome.published.numbers["Local: one row left out"].mean, "nearly the global one"
    below = captions(outcome)["Global against local"]
    assert "“local” is the most that leaving out a row of this table moves it" in below


def test_statistics_of_one_state_are_not_said_to_be_of_the_whole_column() -> None:
    summary = surgery_mean.PLUGIN.summary
    assert summary.endswith("its statistics, true and private: in the samples of California alone, but for the mean.")
    rows = next(row for row in figure_named("table 3.2").settings if row[0] == "rows")
    assert rows[1] == "all for the mean, California for the rest (author's code)"


def test_what_is_moved_per_row_says_of_how_many_rows() -> None:
    for number in ("3.5", "3.6"):
        (rows,) = (row for row in figure_named(number).settings if row[0] == "rows")
        assert rows[1:] == ("13,000 (text); 154,648 (author's code). Here: 13,811", "13,811")
    outcome = few(figure_named("3.6"))
    material, column, _ = sample_of(outcome.figure.sample, SILENT)
    said = f"how far each of the {len(material.table[column]):,} rows is moved on average"
    assert any(said in one for one in outcome.differs)


def test_what_the_tool_spends_on_choosing_levels_is_said() -> None:
    for number in ("3.9", "table 3.6"):
        (levels,) = (row for row in figure_named(number).settings if row[0] == "levels")
        assert "the tool chooses one for each release, and takes 0.1 from ε for that" in levels[1]
        assert levels[1].endswith("Here: the coarsest of 7, 8, 9 and 10, each with what is left of ε")


def test_releases_are_made_with_the_epsilon_that_choosing_a_level_leaves() -> None:
    material, column, _ = sample_of(chapter3_release.NBA, SILENT)
    given = FigureInput(material, column, False, 60, 1)
    levels = range(6, 9)
    found = chapter3_release.level_averages(given, (0.2, 0.4), lambda panels: None, levels)
    off = {level: {at: abs(one.mean - 2_868_197) for at, one in found[level].items()} for level in levels}
    assert 750_000 < off[8][0.2] < 1_000_000, "with all of ε it would be 10,000"
    assert off[7][0.4] > 60_000, "with all of ε it would be 7,000"
    said = lines("3.9", 100)
    assert "At ε = 0.2 the published error is smaller than that of every level here; why is not known." in said
    assert "at ε = 0.4 and 0.6 between that of means of 64 amounts and those of 128 and 256, as if the tool" in said
    assert "those of 128 and 256" not in lines("3.9"), "of two releases chance hides where that of 128 lies"


def test_what_is_rounded_down_is_said_to_be_the_least() -> None:
    assert "the average errs by at least 7" in lines("table 3.6"), "whole per cent, cut"


def test_private_bars_are_rounded_down_as_published_and_it_is_said() -> None:
    outcome = few(figure_named("3.4"))
    private = outcome.published.panels[0].curves[1]
    assert all(height.is_integer() for height in private.means)
    (drawn,) = (there for name, there, _ in outcome.settings if name == "private bars")
    assert drawn == (
        "99 private histograms, added, divided by 100 and rounded down (author's code). Here: 99 % of the mean of 2, "
        "rounded down"
    ), "as many as are run"
    assert replace(outcome, repetitions=100).settings == outcome.figure.settings, "the mean of 100"
    assert drawn in [there for _, there, _ in replace(outcome, own=True).settings], "of any column"
    published, mended = captions(outcome).values()
    assert "Averaged noise cannot be seen" in published and "few rows" not in published
    assert "cannot be seen in a bar of thousands; it matters only where a bar has a few rows" in mended
    assert "shows in the small bars" not in outcome.figure.caption
    assert "bars of many rows come out 1 % too low, and small ones by a row or not at all" in lines("3.4")
    many, averaged = (curve.means for curve in made("figure-3.4").published.panels[0].curves)
    pairs = list(zip(many, averaged, strict=True))
    assert all(0.985 < low / high < 0.992 for high, low in pairs if high > 500)
    assert {high - low for high, low in pairs if high < 100} == {0.0, 1.0}, "so not every one is 1 % too low"
    assert "private bars of many rows are 1 % too low" in published
    assert "4 come out as 1, 0, 2 and 0, rounded down (author's code)" in lines("3.5")


def test_that_small_bars_err_only_a_little_less_is_not_said_of_every_epsilon() -> None:
    alpha = math.exp(-0.2)
    assert (2 - alpha) / 2 < 0.6, "of one row, at the least ε of the picture: less than 60 % of a full bar"
    assert "a little less than a full one" not in lines("3.5")
    assert "a bar of one or two rows less than a full one" in lines("3.5")


def test_the_row_that_is_made_is_the_greatest_of_the_author_s_data() -> None:
    (local,) = (one for one in figure_named("3.2").values if one.code)
    assert local.basis == "the sample's greatest payment is the author's"


def test_the_number_of_people_is_not_what_the_text_multiplies_by_100() -> None:
    for number in ("4.5", "4.6", "4.10", "4.11"):
        (error,) = (row for row in figure_named(number).settings if row[0] == "error")
        assert error[1].endswith("; divided by the number of people, times 100 (author's code)")
    for number in ("4.9", "4.10", "4.11"):
        (row,) = (row for row in figure_named(number).settings if row[0] == "distance-sensitive")
        assert row[1] == "divides by p* − s, with p* the probability of the whole area"


def test_runs_with_the_same_people_are_said_to_be_such() -> None:
    for number in ("4.5", "4.6", "4.9", "4.10", "4.11"):
        (row,) = (row for row in figure_named(number).settings if row[0] == "repetitions")
        assert row[1:] == ("10, of the same reports (author's code)", "10, each with people of its own")
    for number in ("4.3", "4.4"):  # of everybody
        (row,) = (row for row in figure_named(number).settings if row[0] == "repetitions")
        assert row[1:] == ("10", "10")
    for number in ("4.5", "4.10", "4.11"):
        assert "one standard error" in lines(number) and "with the same people" not in lines(number)


def test_a_guess_has_a_standard_error_as_what_it_is_compared_with() -> None:
    """It asks nobody, and yet whom it is about is drawn in each run: of ten people that moves it a lot."""
    outcome = few(figure_named("beyond-theta"))
    guess = next(one.at(4_000.0) for one in outcome.mended.panels[0].curves if one.name == "Uniform guess")
    assert guess is not None
    assert f"all answers are equally frequent ({with_error(guess)} years)" in outcome.differs[2]
    outcome = few(figure_named("4.6"))
    guess = at_fewest(outcome.mended, "Uniform guess")
    assert guess is not None and guess.deviation > 1
    told = f"a uniform guess, which errs by {with_error(guess)} years (± is one standard error); by more"
    assert told in " ".join(outcome.differs), "with its digits, zeros too"


def test_errors_that_differ_by_chance_alone_have_their_standard_errors() -> None:
    outcome = few(figure_named("4.9"))
    curves = {one.name: one for one in outcome.mended.panels[0].curves}
    *some, last = [with_error(found) for at in (0.8, 1.13, 1.47) if (found := curves["Distance-sensitive"].at(at))]
    (line,) = (one for one in outcome.differs if "by chance alone" in one)
    assert f"the errors of {', '.join(some)} and {last} years of the mended curve at ε = 0.8, 1.13 and 1.47" in line
    guess = curves["Uniform guess"].at(0.8)
    assert guess is not None and f"equally frequent errs by {with_error(guess)}." in line
    outcome = few(figure_named("beyond-reach"))
    curves = {one.name: one for one in outcome.published.panels[0].curves}
    for name in ("Distance-sensitive", "Direct encoding"):
        for at in (9.0, 49.0):
            found = curves[name].at(at)
            assert found is not None and with_error(found) in outcome.differs[1]


def test_which_protocols_err_more_than_a_guess_is_said_as_chance_allows() -> None:
    outcome = as_drawn(few(figure_named("4.6"), 10))
    at_ten = {one.name: found for panel in outcome.mended.panels for one in panel.curves if (found := one.at(10.0))}
    guess = at_ten.pop("Uniform guess")
    at_ten.pop("Global DP")
    (line,) = (one for one in outcome.differs if "uniform guess" in one)
    assert "in the mean of 10 runs with 10 people each, " in line
    clear = line.partition("two standard errors of the difference only ")[2].partition(". ")[0]
    assert clear, "some of them do"
    for name, found in at_ten.items():
        assert (name.lower()[1:] in clear.lower().replace("corrected distance-sensitive", "")) == told_apart(
            found, guess
        ) or name == "Distance-sensitive, corrected", name


def as_drawn(outcome: FigureOutcome) -> FigureOutcome:
    """The same without the runs that some lines have beside those of the chart."""
    return replace(outcome, mended=replace(outcome.mended, numbers={}))


@pytest.mark.parametrize("number", ["4.5", "4.6", "4.10", "4.11"])
def test_of_few_people_more_is_run_than_the_chart_has(number: str) -> None:
    outcome = few(figure_named(number))
    said = " ".join(outcome.differs)
    drawn = {one.name: found for panel in outcome.mended.panels for one in panel.curves if (found := one.at(10.0))}
    of = {
        "4.5": {"Direct encoding", "Histogram encoding", "Unary encoding (OUE)"},
        "4.6": set(drawn) - {"Global DP"},
    }.get(number, {"Direct encoding", "Unary encoding (OUE)", "Distance-sensitive"})
    kept = {name: found for name in of if (found := at_fewest(outcome.mended, name)) is not None}
    assert len(kept) == len(of) and {one.repetitions for one in kept.values()} == {20}
    assert all(kept[name] != drawn[name] and drawn[name].repetitions == 2 for name in of)
    guess = at_fewest(outcome.mended, "Uniform guess")
    assert guess is not None and guess.repetitions == 20
    if number == "4.6":
        assert "in the mean of 20 runs with 10 people each (ten times as many as in the chart), " in said
        return
    assert ", each the mean of 20 runs, ten times as many as in the chart" in said
    assert all(with_error(one) in said for one in kept.values())


def test_of_ones_own_column_no_more_is_run_than_the_chart_has(own_amounts: Session) -> None:
    outcome = figure_runner(own_amounts.comparison, figure_named("4.6"), "amount", repetitions=2)(SILENT)
    assert not outcome.mended.numbers, "no line speaks of it"


def test_what_many_people_bring_is_said_of_each_protocol_by_its_name() -> None:
    for number in ("4.9", "4.10", "4.11"):
        (line,) = (one for one in few(figure_named(number)).differs if "no divisor takes them out" in one)
        assert "With ever more people, for every 100 of them, the error of unary encoding tends to 0" in line
        assert "that of distance-sensitive encoding to " in line
        assert ("with the best divisor" in line) == (number == "4.11")


def test_what_the_published_divisor_makes_of_the_total_is_told_from_what_near_answers_do() -> None:
    for number, theta in (("4.9", 8), ("4.10", 4), ("4.11", 4)):
        everyone = 3 * theta**2 - theta + 50 - 1  # in units in which a far answer has the chance 1
        whole = theta * (theta + 1) * (1 + 2 * (1 - 1 / theta))
        total = 100 * (everyone - 50) / (whole - 1)
        assert everyone - 50 == pytest.approx(whole - (2 * theta - 1)), "so that this divisor gives the whole total"
        said = lines(number)
        assert "The published one, p* − s, also subtracts s, the probability of a far answer, once instead of" in said
        assert f"once instead of 2θ − 1 times: with ever more people{' at ε = 4.47' * (number == '4.9')} the" in said
        assert f"the total comes to {estimate(total, 3)} % of their number" in said
        part = f", of which the wrong total makes up {estimate(49 * (100 - total), 3)}."
        assert (part in said) == (number != "4.11"), "each person who is missing costs 49 places"
        assert ("wrong total makes up" in said) == (number != "4.11"), "else near answers are the cause"


@pytest.mark.parametrize("number", ["4.10", "4.11"])
def test_two_curves_of_the_same_protocol_are_said_to_differ_by_chance(number: str) -> None:
    ours, corrected = (
        ProtocolChoice.parse(one).frequency(50, math.log(20)).channel() for one in ("ds", "ds-corrected")
    )
    assert ours is not None and corrected is not None
    assert np.abs(ours - corrected).max() < 1e-12
    said = "at ln 20 the corrected form is the same: they differ by chance"
    assert settings_of(number)["distance-sensitive"][1].endswith(said)
    drawn = {title: below for title, below in captions(few(figure_named(number))).items() if title.startswith("Mended")}
    assert len(drawn) == 3 and all(said in below for below in drawn.values())
    assert "is the same" not in settings_of("4.9")["distance-sensitive"][1], "at most ε it is not"


def test_people_are_said_to_be_drawn_again_only_where_there_are_too_few() -> None:
    figure = figure_named("beyond-people")
    material, column, _ = sample_of(figure.sample, SILENT)
    given = FigureInput(material, column, False, 1, 1)
    subject = subject_of(material, local_runs.ages(given))
    everyone = subject.everyone.counts
    for people in (10_000, 20_000, 100_000):
        drawn = subject.sample(people, np.random.SeedSequence(1), (people,)).counts
        assert bool((drawn > everyone).any()) == (people > 20_000), "nobody is drawn twice up to there"
    assert figure.caption.startswith("Where there are more people than rows, these are drawn with replacement.")
    assert settings_of("beyond-people")["people"][1] == "1 to 1,000,000; above 20,000 drawn with replacement"


def test_whole_numbers_are_said_to_be_made_of_published_estimates() -> None:
    for number in LOCAL:
        there, mended = settings_of(number)["estimates below 0"]
        kept = " and random matrix" if number in LOCAL[:4] else ""
        assert there == f"set to 0; kept for unary encoding{kept}; all cut to whole numbers"
        assert "whole" not in mended
    generator = np.random.Generator(np.random.PCG64(1))
    counts = np.full(50, 2, dtype=np.int64)
    for name, draw in (*local_runs.WITH_MATRIX, *local_runs.WITH_SENSITIVE):
        assert all(one.is_integer() for one in draw(counts, 1.5, generator).tolist()), name


def test_the_mended_threshold_is_said_not_to_be_the_published_one() -> None:
    for epsilon, theta in ((0.2, "0.525"), (4.47, "0.831")):
        assert estimate(best_threshold(epsilon), 3) == theta
        mended, same = (ProtocolChoice.parse(one).frequency(50, epsilon) for one in ("the", f"the={theta}"))
        assert mended.epsilon == pytest.approx(same.epsilon, rel=1e-3), "and not that of 0.67"
    for number in LOCAL:
        assert "direct, THE (θ of least variance), OUE" in settings_of(number)["protocols"][1]
        below = captions(few(figure_named(number)))
        assert any("Histogram encoding (THE, θ of least variance) sends only" in one for one in below.values())


def test_the_random_matrix_has_one_epsilon_at_every_point_as_published_alone() -> None:
    outcome = few(figure_named("4.3"))
    (mended,) = (one for one in outcome.mended.panels[0].curves if one.name == "Random matrix")
    assert mended.means[0] > 3 * mended.means[-1], "it falls, as it has the ε of the others"
    assert outcome.figure.caption == (
        "As published, the random matrix has ε = 1 at every point. Mended curves stand beside a guess that all answers "
        "are equally frequent."
    )


def test_reports_of_the_true_answers_are_said_to_be_people_times_ten() -> None:
    (panel,) = few(figure_named("4.2")).published.panels
    assert all(one % 10 == pytest.approx(0) for one in panel.curves[0].means)
    assert sum(panel.curves[0].means) == pytest.approx(200_000)
    assert panel.title == "Published settings, run here: 20,000 people × 10"


@pytest.mark.parametrize(
    ("own", "holds"),
    [
        ((1.5, 1.8), "at ε = 2.13 that cannot be told, and at 2.47 that is not so"),
        ((0.5, 0.5), "at ε = 2.13 and 2.47 that is so"),
        ((2.5, 1.8), "at ε = 2.13 and 2.47 that is not so"),
        ((1.6, 1.0), "at ε = 2.13 and 2.47 that cannot be told"),
        ((0.5, 1.0), "at ε = 2.13 that is so, and at 2.47 that cannot be told"),
    ],
)
def test_whether_the_protocol_is_the_best_is_said_of_each_epsilon(own: tuple[float, float], holds: str) -> None:
    outcome = few(figure_named("4.9"))
    means = {"Distance-sensitive": own, "Unary encoding (OUE)": (1.6, 1.0)}
    panel = outcome.mended.panels[0]

    def made(curve: PanelCurve) -> PanelCurve:
        at = dict(zip((2.13, 2.47), means.get(curve.name, (9.0, 9.0)), strict=True))
        return replace(
            curve,
            means=tuple(at.get(place, mean) for place, mean in zip(curve.places, curve.means, strict=True)),
            deviations=(0.1,) * len(curve.places),
            repetitions=1,
            runs=(),
        )

    curves = tuple(made(one) for one in panel.curves)
    said = best_between(replace(outcome, mended=FigureSide((replace(panel, curves=curves),))))
    assert f"Mended, {holds}: it errs by {own[0]:.2f} ± 0.10 and {own[1]:.2f} ± 0.10 years, unary" in said


def test_what_is_mended_near_the_ends_is_not_said_to_spend_more_in_the_middle() -> None:
    published, mended = (
        side.panels[0] for side in (few(figure_named("4.8")).published, few(figure_named("4.8")).mended)
    )
    assert mended.title == "Mended: ε = ln 20 near the ends too"
    assert mended.curves[0].means == pytest.approx(published.curves[0].means, abs=1e-12), "the row that is drawn"


def test_groups_are_not_said_to_give_a_person_away_whom_one_open_release_does() -> None:
    figure = figure_named("beyond-told-attacks")
    assert figure.caption.startswith("Exact counts, or one open release beside groups of k, give a person away.")
    below = captions(few(figure))["Two hospitals, one patient"]
    assert "One open release gives a person away; groups of k elsewhere are then no help." in below
    assert "whoever has something to compare" not in f"{figure.caption} {below}"


def test_numbers_of_several_runs_are_not_said_to_be_of_one() -> None:
    figure = figure_named("chapter-randomised-response")
    yeses, estimated = (one.value for one in figure.values if one.key in ("Yeses of 32,561", "Estimated in sales"))
    assert 2 * yeses - 32_561 / 2 == 3_575.5 != estimated, "so these two are of two runs"
    (table,) = few(figure).published.panels
    assert table.rows[0] == ("number", "printed, a run each", "expected")
    assert settings_of("chapter-randomised-response")["runs"][0] == "1 each. Here: 1,000"
    unary = figure_named("chapter-unary-encoding")
    values = {one.name: one.value for one in unary.values}
    assert values["Sales: bits set"] != values["Sales"] / 2 + 32_561 / 4
    assert settings_of("chapter-unary-encoding")["runs"][0] == "1 each of estimates and bits in the book. Here: 200"


def test_what_only_clearly_errs_more_is_said_to_do_so_clearly() -> None:
    assert "distance-sensitive encoding errs clearly more than unary encoding from" in lines("beyond-estimator", 20)


def test_where_the_text_finds_the_protocol_best_is_beside_the_mended_errors() -> None:
    outcome = few(figure_named("4.9"))
    curves = {one.name: one for one in outcome.mended.panels[0].curves}
    (line,) = (one for one in outcome.differs if "(2, 2.5)" in one)
    assert "as in the picture (p. 58)" in line
    errs = {name: [found for at in (2.13, 2.47) if (found := at_place(outcome.mended, name, at))] for name in curves}
    pure = [one for name, one in errs.items() if "encoding" in name]
    best = min(pure, key=lambda several: sum(one.mean for one in several))
    for several in (errs["Distance-sensitive"], best):
        assert " and ".join(map(with_error, several)) in line
    assert "The text finds distance-sensitive encoding worse than the pure protocols with many people (p. 59)" in lines(
        "4.11"
    )


def test_a_curve_of_equal_reaches_is_not_said_to_have_steps_where_chance_makes_none() -> None:
    found = captions(few(figure_named("4.9")))
    below = [caption for title, caption in found.items() if title.startswith("Mended") and "other" not in title]
    assert len(below) == 2
    for caption in below:
        assert "θ is 1 from ε = ln 2 to ln 6 = 1.79: there the errors of distance-sensitive encoding" in caption
        assert "has steps" not in caption


def test_a_chart_has_its_own_sentence() -> None:
    outcome = few(figure_named("chapter-randomised-response"))
    caption = captions(outcome)["Expected error"]
    assert "With 100 times as many people two coins err a tenth as much" in caption
    assert "One run of two coins" not in caption
    for figure in FIGURES:
        titles = {data.panel.title for _, data in panels_of(few(figure))}
        unused = [key for key in figure.words if not any(title.startswith(key) for title in titles)]
        assert not unused, f"{figure.identifier} has words for no picture"


def test_settings_of_ours_are_the_same_on_both_sides() -> None:
    for caption in captions(few(figure_named("beyond-unary-em"))).values():
        assert "protocols: OUE and symmetric (p + q = 1) unary encoding, distance-sensitive encoding;" in caption
        assert caption.startswith("EM for unary, by "), "a title goes on in a sentence"


def test_reports_of_a_person_are_counted_person_by_person() -> None:
    said = reports_as_one.of_taken(3_960)
    assert (
        "of the 3,960 that are taken, about 4 come from each person, whose ε is then about 4 times that of a report."
        in said
    )
    assert "about 15 instead of 1.5." in reports_as_one.of_taken(9_810, 1.5)


def test_a_reach_beyond_the_number_of_values_is_said_to_stay_as_it_is() -> None:
    chances = {
        theta: ProtocolChoice.parse(f"ds=theta:{theta}").frequency(2, math.log(20)).channel() for theta in (2, 4)
    }
    for theta, chance in ((2, "0.545"), (4, "0.458")):
        channel = chances[theta]
        assert channel is not None and estimate(float(channel[0, 0]), 3) == chance
    said = lines("beyond-values")
    assert "the reach stops at d" not in said, "θ = 2 would give the true value a probability of 0.545"
    assert "with θ = 2, the largest that the text allows, it would be 0.545" in said
    assert (
        "In the charts θ stays 4, but no distance beyond d counts: the true value then has a probability of 0.458"
        in said
    )


def test_where_distance_sensitive_encoding_spends_less_than_the_others_is_said() -> None:
    spent = ProtocolChoice.parse("ds").frequency(50, math.log(49 * 50)).epsilon
    assert spent is not None and spent < math.log(49 * 50) - 1
    said = f"spend all of ε = 6.84 and 7.80, distance-sensitive encoding only 6.73 and {with_places(spent, 2)}"
    assert said in lines("beyond-reach")
    five = ProtocolChoice.parse("ds").frequency(5, math.log(20)).epsilon
    assert five is not None
    assert f"With 5 values it spends {with_places(five, 2)}" in lines("beyond-values")


def test_the_corrected_form_is_said_to_spend_the_whole_of_what_is_run_and_not_of_any_epsilon() -> None:
    few_values = ProtocolChoice.parse("ds-corrected").frequency(5, math.log(20)).epsilon
    assert few_values is not None and few_values < 2.2, "far from all of it"
    said = [CURVE_NOTES["Distance-sensitive, corrected"], figure_named("4.9").caption]
    for number in ("4.9", "4.10", "4.11"):
        (row,) = (row for row in figure_named(number).settings if row[0] == "distance-sensitive")
        said.append(row[2])
    said += [data.panel.title for _, data in panels_of(few(figure_named("4.8")))]
    for one in said:
        assert "any ε" not in one, one
    for epsilon in (0.2, 4.47):  # the ends of what is run with 50 answers
        spent = ProtocolChoice.parse("ds-corrected").frequency(50, epsilon).epsilon
        assert spent == pytest.approx(epsilon, rel=1e-3)


def test_what_is_computed_exactly_is_not_said_to_be_drawn_by_formula() -> None:
    for number in ("Algorithm 1", "beyond-told-attacks"):
        found = captions(few(figure_named(number)))
        assert all("by formula" not in caption for caption in found.values())
    below = captions(few(figure_named("Algorithm 1")))
    assert len(below) == 2 and all("Computed exactly, in fractions." in caption for caption in below.values())
    truncated, whole = below.values()
    assert "no ε holds for every number of queries" in truncated and "no ε holds" not in whole
    assert "ε stays below ln 4. For any queries of sensitivity 1 it is at most ln 16 = 2.773." in whole
    assert "¼-geometric, not truncated" in whole and "truncated to 0 … 5" not in whole


def test_of_which_threshold_the_loss_is_computed_is_said() -> None:
    assert "at an end of the range, a truncated threshold" in figure_named("paper-algorithm-1").caption
    (row,) = (row for row in figure_named("Algorithm 1").settings if row[0] == "ε")
    assert row[1:] == ("the largest over all thresholds 0 to 5", "the same")


def test_a_value_as_far_as_the_reach_is_no_likelier_than_those_beyond() -> None:
    channel = ProtocolChoice.parse("ds").frequency(89, math.log(20)).channel()
    assert channel is not None
    assert channel[44, 48] == pytest.approx(channel[44, 88]) and channel[44, 47] > 1.5 * channel[44, 48]
    assert "all values from that distance on are equally likely" in figure_named("4.8").caption


def test_a_standard_error_is_of_runs_with_people_of_their_own() -> None:
    for name in ("beyond-shape", "beyond-estimator", "beyond-people", "beyond-values", "beyond-unary-em"):
        said = lines(name)
        assert "± is one standard error; “or”" in said or "± is one standard error." in said, name
        assert "ten at a time" not in said and "as if all runs" not in said


def settings_of(number: str) -> dict[str, tuple[str, str]]:
    return {name: (there, here) for name, there, here in figure_named(number).settings}


LOCAL = ("4.3", "4.4", "4.5", "4.6", "4.9", "4.10", "4.11")


def test_every_protocol_that_is_drawn_is_in_the_settings() -> None:
    for number in LOCAL:
        _, mended = settings_of(number)["protocols"]
        assert "distance-sensitive (as the text has it, and corrected)" in mended
        drawn = {one.name for panel in few(figure_named(number)).mended.panels for one in panel.curves}
        assert {"Distance-sensitive", "Distance-sensitive, corrected"} <= drawn


def test_what_protocols_spend_of_the_epsilon_is_said_where_they_spend_less() -> None:
    def spends(protocol: str, epsilon: float) -> str:
        return with_places(ProtocolChoice.parse(protocol).frequency(50, epsilon).epsilon or 0.0, 2)

    for number, epsilon in (("4.5", 1.5), ("4.6", 1.5), ("4.10", math.log(20)), ("4.11", math.log(20))):
        _, mended = settings_of(number)["ε"]
        whole = with_places(epsilon, 2)
        assert f", of which THE spends {spends('the', epsilon)}" in mended
        assert mended.endswith(f" and RAPPOR {spends('rappor', epsilon)}")
        ours = spends("ds", epsilon)
        assert (f"distance-sensitive encoding {ours}" in mended) == (ours != whole)
        for protocol in ("grr", "oue", "random-matrix", "square-wave", "ds-corrected"):
            assert spends(protocol, epsilon) == whole, protocol
    for number in ("4.3", "4.4", "4.9"):
        _, mended = settings_of(number)["ε"]
        assert mended.endswith(
            "; THE and (from ε = ln 2 on) distance-sensitive encoding spend less, RAPPOR 1.02 throughout"
        ), "below that it does not exist, and its curve begins there"
        for epsilon in few(figure_named(number)).mended.panels[0].curves[0].places:
            for protocol in ("the", "ds") if epsilon > math.log(2) else ("the",):
                spent = ProtocolChoice.parse(protocol).frequency(50, epsilon).epsilon
                assert spent is not None and spent < epsilon
    for name in ("Distance-sensitive", "Histogram encoding"):
        assert "less than ε" in CURVE_NOTES[name]
    assert CURVE_NOTES["Distance-sensitive"].endswith("unless ε is such a number."), "as ln 20 is"
    assert "Of ε = 1.5 distance-sensitive encoding spends ln 2 only, as θ is 1." in lines("4.6")


def test_an_estimator_that_smooths_is_said_to_smooth() -> None:
    smoothed = "EM with smoothing chosen by the reports"
    for protocol in ("ds", "ds-corrected", "square-wave"):
        randomiser = ProtocolChoice.parse(protocol).frequency(50, math.log(20))
        assert AUTOMATIC.estimator_for(randomiser).identifier == "em-smoothed"
    for number in LOCAL:
        assert settings_of(number)["estimates below 0"][1].startswith(f"none: {smoothed} for both forms of distance")
    for name in ("people", "values", "theta", "reach", "shape"):
        assert smoothed in settings_of(f"beyond-{name}")["estimator"][1], name
    assert "of distance-sensitive encoding " + smoothed in settings_of("beyond-unary-em")["estimator"][1]
    assert smoothed in figure_named("beyond-estimator").caption
    for number in ("4.10", "4.11"):
        assert "(EM), with smoothing chosen by the reports" in figure_named(number).caption
        found = captions(few(figure_named(number)))
        assert "(EM), with smoothing chosen by the reports" in next(
            below for title, below in found.items() if title.startswith("Mended") and "other" not in title
        )


def test_a_point_of_the_random_matrix_is_said_to_count_as_one_run() -> None:
    for number in ("4.3", "4.4", "4.5", "4.6"):
        figure = figure_named(number)
        assert {one.repetitions for one in figure.values if one.curve.startswith("Random matrix")} == {1}
        assert "one matrix for all runs of a point, which count as one run" in settings_of(number)["random matrix"][0]


def test_pictures_that_are_sketches_are_said_to_be_such() -> None:
    for number in ("4.7", "4.8"):
        said = lines(number)
        assert "is a sketch: it prints no number, and its true value stands left of the middle" in said
    assert "where the true value is drawn" not in lines("4.8"), "in print it is drawn elsewhere"


def test_where_the_text_turns_to_pure_protocols_has_its_own_page() -> None:
    assert "of the pure protocols, on which it says it focuses (p. 49)" in lines("4.6"), "in section 4.5.4, not p. 50"
    assert "The text expects (p. 48), and finds (p. 49), higher errors" in lines("4.4"), "figure 4.4 begins p. 49"


def test_the_number_that_fits_is_said_to_stand_in_the_author_s_code() -> None:
    assert "taken here (a size of as many stands in the author's code, unused)" in lines("4.9")


def test_what_is_expected_by_chance_is_so_whatever_is_true_and_not_whatever_is_answered() -> None:
    for number in ("chapter-randomised-response", "chapter-unary-encoding"):
        assert "8,140 are expected by chance, whatever is true." in lines(number)


def test_numbers_of_people_of_the_thesis_have_their_epsilon() -> None:
    people = {number: settings_of(number)["people"][0] for number in ("4.5", "4.10")}
    there, _ = settings_of("beyond-people")["people"]
    assert there == f"{people['4.5']} (at ε = 1.5), {people['4.10']} (at ln 20)"


def test_every_reach_that_does_not_spend_its_epsilon_is_named() -> None:
    wasted = []
    for theta in (1, 2, 3, 4, 6, 9, 14, 20, 30, 49):
        asked = math.log(theta * (theta + 1))
        spent = ProtocolChoice.parse("ds").frequency(50, asked).epsilon or 0.0
        if asked - spent > 1e-6:
            wasted.append((str(theta), with_places(asked, 2), with_places(spent, 2)))
    at, of, only = (" and ".join(several) for several in zip(*wasted, strict=True))
    said = lines("beyond-reach")
    assert f"At θ = {at} the other protocols spend all of ε = {of}, distance-sensitive encoding only {only}:" in said


def test_whoever_is_drawn_beside_the_protocols_is_in_the_settings() -> None:
    drawn = few(figure_named("beyond-people")).published.panels[0].curves
    assert any(one.name == "Global DP" for one in drawn)
    (curator,) = (settings_of("beyond-people")["global DP"][1],)
    assert curator.startswith("a trusted curator's discrete noise, ") and curator.endswith("; counts made consistent")
    assert "discrete Laplace, also OpenDP's where it is installed" in settings_of("beyond-libraries")["mechanism"][1]


def test_help_beyond_the_figures_says_of_no_runs_that_they_share_their_people() -> None:
    texts = json.loads((resources() / "help" / "en.json").read_text(encoding="utf-8"))
    said = texts["compare.beyond"]["text"]
    assert "± is one standard error. The settings say what is run." in said
    assert "share" not in said and "same people" not in lines("beyond-people"), "each run has people of its own"


def test_the_manual_promises_no_fall_of_errors_that_stay_biased() -> None:
    said = " ".join((Path(__file__).parents[2] / "docs" / "manual" / "figures.md").read_text(encoding="utf-8").split())
    assert "at best errors fall with the root of the number of people" in said
    assert "those of estimators that stay biased, as some published ones do, stop falling" in said
    assert "*Mechanisms* finds the ε of the rule" in said, "the author's code is none of its mechanisms"


def test_help_says_that_a_setting_may_have_been_chosen_to_fit() -> None:
    texts = json.loads((resources() / "help" / "en.json").read_text(encoding="utf-8"))
    said = texts["compare.presets"]["text"]
    assert "= fitted, as the synthetic sample was made, or a setting chosen, to come to it" in said


def test_the_euclidean_distance_is_said_to_be_smaller_of_the_same_answers_only() -> None:
    outcome = few(figure_named("3.5"), 100)
    sums, distances = (side.panels[0].curves[0].at(5.1) for side in (outcome.published, outcome.mended))
    assert sums and distances and distances.mean > sums.mean, "at the end of the axis the chart shows it larger"
    caption = outcome.figure.caption
    assert caption.endswith("The Euclidean distance that the text defines is never larger for the same answers.")
    assert "the Euclidean distance here, over 19 bars, is 4.95 rows" in outcome.differs[0]
    assert "the sum of absolute differences, over 18 bars, 13.0 rows" in outcome.differs[0]
    said = "and the former has a bar more; so at large ε, where both are nearly equal, it can come out larger"
    assert said in outcome.differs[0], "of 19 bars one more can err than of 18"


def test_one_per_cent_of_the_rows_is_as_many_different_rows() -> None:
    moved = np.zeros(20_000)
    drawn = chapter3.tried_rows(len(moved), 1)
    moved[drawn[0]] = 1.0
    assert len(set(drawn.tolist())) == len(drawn) == 200, "none is drawn twice"
    whole, local, tried = chapter3.sensitivities(moved, 1.0, 1)
    assert tried == local == pytest.approx(1 / 20_000) == whole, "and these are the rows that are left out"


def test_the_original_s_one_per_cent_is_said_to_be_drawn_with_replacement() -> None:
    (row,) = (row for row in figure_named("3.2").settings if row[0] == "local sensitivity")
    assert row[1:] == (
        "drawn with replacement from the first 1 % of rows (author's code)",
        "all rows, and 1 % at random",
    )
    said = lines("3.2")
    assert "draws with replacement from the first 1 % of rows (they begin with heart transplants)" in said
    size = 202_655 // 100
    assert 100 * (1 - (1 - 1 / (size + 1)) ** size) == pytest.approx(63, abs=0.5)
    assert (
        "as often as there are: about 63 % of them are tried; the result there, $2.012, is what leaving out a row"
        in said
    )


def test_bars_that_are_shown_rounded_down_may_hold_a_row_more() -> None:
    generator = np.random.default_rng(4)
    alpha = math.exp(-1)
    shown: dict[int, set[int]] = {}
    for rows in range(5):
        noise = generator.geometric(1 - alpha, (2_000, 99)) - generator.geometric(1 - alpha, (2_000, 99))
        heights = np.floor(np.maximum(0, rows + noise).sum(axis=1) / 100)
        for height in (0, 1, 2):
            if np.mean(heights == height) > 0.01:
                shown.setdefault(height, set()).add(rows)
    assert shown == {0: {0, 1}, 1: {1, 2}, 2: {2, 3}}
    said = lines("3.5")
    assert "about 14.3 to 14.9 rows are to be expected with the published bars" in said
    assert "so that each may hold one row more, and 13.0 with those of the sample" in said


def test_what_would_be_an_eleventh_is_the_distance_and_not_the_noise() -> None:
    assert "with the 154,648 of the author's code the distance would be about an eleventh" in lines("3.6")


def test_the_level_of_ours_is_not_said_to_be_that_of_the_print() -> None:
    whats = [one.what for one in figure_named("3.9").values]
    assert whats[0] == "Error at ε = 0.2 (here means of 256 amounts), $" and all("(here means" in one for one in whats)


def test_the_columns_of_the_sample_of_charges_are_all_named() -> None:
    material, _, _ = sample_of(figure_named("table 3.1").sample, SILENT)
    assert [one.name for one in material.table.columns] == ["state", "average total payments"]
    said = lines("table 3.1")
    assert "have states and total payments only: no types of surgery, cities or Medicare payments" in said


def test_how_many_rows_a_player_has_is_said_of_both_samples() -> None:
    most = []
    for sample in nba_anonymised.PLUGIN.samples.values():
        material, _, _ = sample_of(sample, SILENT)
        most.append(int(material.table["player"].counts.max()))
    assert sorted(most) == [19, 20]
    assert "a player of the sample has up to 19 rows, or 20 since 1985" in nba_anonymised.PLUGIN.differs


def test_two_distances_of_other_units_are_not_compared() -> None:
    assert "so it is smaller" not in salary_histograms.PLUGIN.differs
    assert "mended both are scaled to one row, so the numbers have other units" in salary_histograms.PLUGIN.differs


def test_the_manual_gives_each_reason_for_what_it_is_a_reason_of() -> None:
    manual = " ".join((Path(__file__).parents[2] / "docs" / "manual" / "figures.md").read_text("utf-8").split())
    assert (
        "the larger ε is, the less noise is needed; and the more rows there are, the less one person weighs" in manual
    )
    assert "labels that are means of the data reveal something of them" in manual
    assert "or what is allowed is a guess at how far samples differ" in manual, "as in figure 3.4"
    assert "of a mean whose error is what it tells, the error" in manual, "as in table 3.6"
    assert "of a count that is mostly chance, the rest" in manual, "as of the bits of an occupation"
    bits = [one for one in figure_named("unary encoding").recorded if one.wide and "bits" in one.value.what]
    assert len(bits) == 8 and all(one.allowed < one.value.value / 25 for one in bits), "not a quarter of the value"
    assert all("judged against" in one.basis for one in bits)
    assert "or all random ones where fewer than two do, are also taken together" in manual, "as in figure 3.5"


def test_the_sensitivity_of_drawn_rows_is_not_compared_unsaid_with_that_of_all() -> None:
    (local,) = (one for one in figure_named("3.2").values if one.code)
    assert local.mark == "of the rows drawn there; here of all"


def test_how_many_rows_of_the_sample_lack_one_of_the_two_amounts_is_said() -> None:
    material, _, _ = sample_of(figure_named("table 3.3").sample, SILENT)
    cells = material.table["gross pay"]
    lacking = int(np.isnan(read_values(cells.values, material.schema["gross pay"])[cells.codes]).sum())
    assert figure_named("table 3.3").caption.endswith(
        f"as annual salary and gross pay; {lacking} rows have no gross pay."
    )


def test_trimming_is_said_to_drop_small_groups_whole() -> None:
    for number in ("3.9", "table 3.6"):
        assert (
            "Trimming drops a few rows of each group (here their mean number is added back), of a small one all;"
            in (lines(number))
        )
        assert "With 64 public intervals a trimmed release at ε = 1 errs by" in lines(number)
    (published, _) = captions(few(figure_named("3.9"))).values()
    assert "Points are errors of the average of 2 releases, less" in published and "are means of" not in published


def test_a_sample_is_new_for_every_run_and_epsilon_says_what_it_protects() -> None:
    (rows,) = (one for one in figure_named("3.1").settings if one[0] == "rows")
    assert all("a new sample for every run" in one for one in rows[1:])
    (protects,) = (one for one in figure_named("3.2").settings if one[0] == "ε protects")
    assert protects[1] == "replacing a row" and "replacing one at 2ε" in protects[2]


def test_the_error_of_few_rows_is_not_said_to_be_an_eighth() -> None:
    few_rows = [chapter3.expected_cut(upper / 8) for upper in (1e6, 125_000.0)]
    assert few_rows[0] / few_rows[1] < 6, "the error of 8 rows, cut at 0"
    assert surgery_mean.PLUGIN.look.startswith(
        "Where the error is small beside the distance between the mean and the nearer bound, it falls like 1/n"
    )


def test_help_says_that_as_much_may_be_allowed_as_the_value_or_what_it_is_judged_against() -> None:
    texts = json.loads((resources() / "help" / "en.json").read_text(encoding="utf-8"))
    said = texts["compare.presets"]["text"]
    assert "as the tolerance is at least as large as the value, or as what it is judged against" in said
    undecided = [one for one in few(figure_named("table 3.6")).agreements if one.undecided]
    assert undecided and all(one.allowed < one.value.value for one in undecided), (
        "of a mean: as its error, not as it is"
    )


@pytest.fixture
def own_amounts(tmp_path: Path) -> Session:
    """A table of 400 amounts without a currency, at which may be looked."""
    file = tmp_path / "amounts.csv"
    file.write_text("amount\n" + "".join(f"{100 + 37 * one % 5_000}\n" for one in range(400)))
    made = Session(new_project())
    made.ledger.use_file(tmp_path / "ledger.jsonl")
    made.data.open(file)
    made.data.set_bounds("amount", (0, 10_000))
    made.comparison.look()
    return made


@pytest.mark.parametrize("number", ["table 3.1", "table 3.2", "3.4", "3.5", "3.6", "table 3.6", "3.9"])
def test_of_ones_own_column_nothing_is_said_that_is_of_the_sample(own_amounts: Session, number: str) -> None:
    outcome = figure_runner(own_amounts.comparison, figure_named(number), "amount", repetitions=2)(SILENT)
    settings = {name: (there, here) for name, there, here in outcome.settings}
    said = " ".join([*map(" ".join, settings.values()), *outcome.differs])
    for of_sample in (
        *("Here: 13,811", "136,000, by repeating", "ours are cut off", "the sample is repeated", "in $ per row"),
        *("compared with a run", "values compared here", "Here it is asked", "10 is compared"),
    ):
        assert of_sample not in said
    if "δ" in settings:
        assert settings["δ"] == ("1/n = 1/12,377", "1/n"), "1/400 of this table"
    if number == "table 3.6":
        assert outcome.published.panels[0].rows[0] == ("run", "Non-DP result", "DP result")


@pytest.mark.parametrize(
    "number",
    [
        *("4.2", "4.4", "4.9"),
        *("beyond-shape", "beyond-people", "beyond-values", "beyond-reach", "beyond-theta", "beyond-libraries"),
    ],
)
def test_of_ones_own_column_no_caption_and_no_setting_is_of_the_sample(own_amounts: Session, number: str) -> None:
    outcome = figure_runner(own_amounts.comparison, figure_named(number), "amount", repetitions=2)(SILENT)
    settings = {name: (there, here) for name, there, here in outcome.settings}
    panels = [panel for side in (outcome.published, outcome.mended) for panel in side.panels]
    own_words = [str(outcome.figure.words_of(panel.title).caption) for panel in panels if outcome.caption]
    said = " ".join([outcome.caption, *own_words, *(one.title for one in panels), *map(" ".join, settings.values())])
    for of_sample in ("20,000 rows", "67.5", "of 20,000 people", "Here: 2", "in years", "salaries", "of figure 4.2"):
        assert of_sample not in said
    if number == "beyond-shape":
        assert settings["answers"][1].startswith("four public shapes"), "which are of no column"
        assert settings["people"][1] == "1,000"
        return
    assert number == "4.2" or "1,000 people" not in said, "400 of this table"
    if number == "beyond-values":
        assert {one.title for one in panels} == {"By Manhattan, 400 people", "By Kantorovich, 400 people"}


def test_of_the_sample_it_is_said_how_it_is_run() -> None:
    said = {number: str(few(figure_named(number)).settings) for number in ("3.4", "3.5", "3.9")}
    assert "Here: 136,000, by repeating the sample" in said["3.4"]
    assert "Here: 13,811" in said["3.5"]
    assert "up to 440,000. Here: ours are cut off there" in said["3.9"]
    assert settings_of("4.3")["people"][0] == "about 20,000 (p. 47). Here: 20,000"
    assert settings_of("4.9")["people"][0].endswith("(p. 58). Here: 2,000, which fit direct encoding at ε = 0.8")
    assert settings_of("beyond-reach")["people"][1] == "1,000"


def test_errors_are_said_to_be_below_one_per_cent_only_where_both_are() -> None:
    outcome = few(figure_named("3.9"), 60)
    panel = outcome.published.panels[0]
    (curve,) = (one for one in panel.curves if one.name == "Means of 256 amounts")
    means = tuple(
        35_000.0 if at == 1.2 else 9_000.0 if at > 0.7 else mean
        for at, mean in zip(curve.places, curve.means, strict=True)
    )
    curves = tuple(replace(one, means=means) if one is curve else one for one in panel.curves)
    changed = replace(outcome, published=replace(outcome.published, panels=(replace(panel, curves=curves),)))
    (line,) = (one for one in changed.differs if "each below 1 %" in one)
    assert "At ε = 0.8, 1, 1.4 and 1.6 the published error and ours" in line
    nowhere = replace(curve, means=tuple(50_000.0 for _ in curve.means))
    curves = tuple(nowhere if one is curve else one for one in panel.curves)
    changed = replace(outcome, published=replace(outcome.published, panels=(replace(panel, curves=curves),)))
    assert not any("each below 1 %" in one for one in changed.differs)


def test_one_run_is_one_run() -> None:
    one = agreement(PublishedValue("error", 10.0, repetitions=1), OurValue(9.0, 1.0, 1), 1.0, 1)
    assert one.basis == "1 run each"
    assert agreement(PublishedValue("error", 10.0, repetitions=2), None, 1.0, 2).basis == "2 runs each"


def test_each_label_of_means_is_compared_once() -> None:
    labels = [one.published_text for one in few(figure_named("table 3.5")).agreements]
    assert len(labels) == len(set(labels)) == 5


def test_sums_can_stay_the_same_by_chance_where_a_pair_is_uneven() -> None:
    # One row more of the lower amount of one pair, and one more of the higher of the other.
    rows = [1, 1, 3, 11, 13, 13]
    paired = [2, 2, 2, 12, 12, 12]
    assert sum(rows) == sum(paired)
    assert "are sure to stay the same only where both amounts of every pair" in lines("table 3.5")


@pytest.mark.parametrize("number", ["3.5", "3.6"])
def test_of_ones_own_column_no_bar_is_left_out(tmp_path: Path, number: str) -> None:
    file = tmp_path / "amounts.csv"
    file.write_text("amount\n" + "10\n" * 400)  # all in the first bar
    made = Session(new_project())
    made.ledger.use_file(tmp_path / "ledger.jsonl")
    made.data.open(file)
    made.data.set_bounds("amount", (0, 10_000))
    made.comparison.look()
    outcome = figure_runner(made.comparison, figure_named(number), "amount", repetitions=2)(SILENT)
    assert outcome.published.numbers["Empty bars"].mean == 18, "of 19"


def test_the_ratios_beside_a_table_of_the_paper_tell_its_epsilon() -> None:
    for number, most in (("paper-survey", 3), ("paper-truncated-geometric-2", 2), ("paper-truncated-geometric-4", 4)):
        outcome = few(figure_named(number))
        (printed,), (ratios,) = outcome.published.panels, outcome.mended.panels
        assert ratios.rows[:-1] == printed.rows, "and not that table alone twice"
        found = [Fraction(cell) for cell in ratios.rows[-1][1:]]
        assert max(found) == most
        columns = zip(*([Fraction(cell) for cell in row[1:]] for row in printed.rows[1:]), strict=True)
        assert found == [max(max(a / b, b / a) for a, b in pairwise(column)) for column in columns]


def test_an_endless_stream_has_no_epsilon_because_each_query_adds_to_it() -> None:
    outcome = few(figure_named("paper-algorithm-1"))
    growing, bounded = outcome.differs
    strict, other = (one.means for one in outcome.published.panels[0].curves)
    adds = [later - earlier for earlier, later in pairwise(other)]
    assert all(one == pytest.approx(math.log(2), rel=1e-12) for one in adds)
    less = [later - earlier for earlier, later in pairwise(strict)]
    assert less[-1] == pytest.approx(math.log(2), rel=0.01)
    assert less[1] == min(less) < 0.17, "so not every query adds nearly ln 2"
    assert less[1:] == sorted(less[1:]) and less[-1] < math.log(2)
    assert "of which the last adds 0.6931 and 0.6873" in growing
    assert (
        "by the text every further query adds ln 2 = 0.6931; by the algorithm the third adds only 0.164, and each "
        "after it more, ever nearer to ln 2. So no finite ε holds for an endless stream." in growing
    )
    assert all(one < math.log(4) for curve in outcome.mended.panels[0].curves for one in curve.means)
    assert (
        "comes ever nearer to ln 4 = 1.386 and never reaches it: by the algorithm it is 0.689 for one, 1.375 for three"
        in bounded
    )


def test_not_to_stop_is_twice_as_likely_for_the_one_input_as_for_the_other() -> None:
    (printed,) = few(figure_named("paper-truncated-geometric-2")).published.panels
    four, five = ([Fraction(cell) for cell in row[1:]] for row in printed.rows[-2:])
    assert all(sum(four[:many]) == 2 * sum(five[:many]) for many in range(1, 6))


def with_means(outcome: FigureOutcome, means: dict[str, float]) -> FigureOutcome:
    """The same where the first point of mended curves is as told, without chance."""
    panels = tuple(
        replace(
            panel,
            curves=tuple(
                replace(one, means=(means[one.name], *one.means[1:]), deviations=(1e-6, *one.deviations[1:]))
                if one.name in means
                else one
                for one in panel.curves
            ),
        )
        for panel in outcome.mended.panels
    )
    return replace(outcome, mended=FigureSide(panels))


def test_most_of_the_protocols_are_told_by_those_that_are_not_among_them() -> None:
    outcome = few(figure_named("4.6"))
    names = {one.name for panel in outcome.mended.panels for one in panel.curves} - {"Uniform guess", "Global DP"}
    guess = next(one.means[0] for one in outcome.mended.panels[0].curves if one.name == "Uniform guess")

    def told(*less: str) -> str:
        return with_means(outcome, {one: guess / 2 if one in less else guess * 2 for one in names}).differs[0]

    assert "; by more than two standard errors of the difference all do. " in told()
    assert "; by more than two standard errors of the difference all but Square Wave do. " in told("Square Wave")
    named = "every protocol but corrected distance-sensitive and Square Wave errs more"
    assert named in told("Square Wave", "Distance-sensitive, corrected")
    few_clear = names - {"Random matrix"}
    assert "; by more than two standard errors of the difference only random matrix does. " in told(*few_clear)


def test_a_mean_that_happens_to_be_whole_has_two_digits_as_well() -> None:
    among = "Direct encoding, ε = 0.8, {} people"
    numbers = {among.format(2_000): OurValue(229_632.0), among.format(10_000): OurValue(432_100.4)}
    line = local_runs.of_more_people(FigureOutcome(figure_named("4.9"), published=FigureSide(numbers=numbers)))
    assert "errs by about 430,000 among 10,000, and by 230,000 among the 2,000" in line


def test_errors_of_averages_on_both_sides_of_the_mean_are_said_to_have_no_sign() -> None:
    true, published = 2_868_981.32, (2_857_291.0, 2_860_215.7, 2_870_191.0, 2_863_787.5, 2_874_546.3)
    ours = made("figure-3.9").published.numbers
    places = ("0.8", "1.0", "1.2", "1.4", "1.6")
    assert all(ours[f"Error with its sign at ε = {at}, $"].mean > 9_000 for at in places)
    low = [at.removesuffix(".0") for at, mean in zip(places, published, strict=True) if mean < true]
    assert low == ["0.8", "1", "1.4"]
    (said,) = (one for one in few(figure_named("3.9"), 100).differs if "1 % of the mean" in one)
    assert "and ours (means of 256 amounts) are each below 1 % of the mean" in said
    assert said.endswith(
        "Errors have no sign: at ε = 0.8, 1 and 1.4 the published average is too low and ours too high, so that the "
        "averages are farther apart than the errors."
    )


def test_the_random_matrix_is_said_to_go_up_and_down_by_chance() -> None:
    for number in ("4.3", "4.4"):
        assert "The curve of the random matrix goes up and down by chance alone: ε was never passed" in lines(number)
    read = [one.value for one in figure_named("4.4").values if one.curve.startswith("Random")]
    assert max(read) > 3 * min(read), "which nobody calls flat"


@pytest.mark.parametrize(("number", "there"), [("3.1", "100"), ("4.9", "10, of the same reports (author's code)")])
def test_below_a_chart_of_few_repetitions_it_is_said_how_many_were_run(number: str, there: str) -> None:
    outcome = few(figure_named(number))
    published, *_ = captions(outcome).values()
    assert f"; repetitions: {there}, 2 here" in published and "Points are means of 2 repetitions." in published
    usual = replace(outcome, repetitions=outcome.figure.repetitions)
    assert usual.settings == outcome.figure.settings


def test_the_chance_in_an_average_is_not_said_to_cancel_out_where_it_is_as_large_as_what_is_published() -> None:
    figure = figure_named("3.9")
    smallest = min(figure.recorded, key=lambda one: one.value.value)
    noise = smallest.error / math.sqrt(2)
    assert smallest.value.value == 1_210 and noise > 1_000, "the chance in one average of 500"
    assert "cancels" not in figure.caption
    assert "has less than a twentieth of the chance in one; the rest" in figure.caption and math.sqrt(500) > 20


def test_an_average_is_said_to_be_of_the_releases_that_have_rows() -> None:
    figure = figure_named("3.9")
    material, column, _ = sample_of(figure.sample, SILENT)
    pairs = chapter3_release._in_pairs(FigureInput(material, column, False, 100, 1))
    values = {"hierarchy": "pairs of means", "level": 6, "delta": "1/n", "accounting": "classical"}
    choice = MethodChoice("anonymised", values)
    answers = choice.method.prepare(pairs, 0.1, len(pairs), choice.checked()).draw(pairs.everyone, 100, 1, SILENT)
    assert 20 < np.isfinite(answers).sum() < 90, "at ε = 0.2 the others have no mean"
    published, *_ = captions(few(figure)).values()
    assert "Points are errors of the average of 2 releases, less those that lost every row." in published
    (releases,) = (there for name, there, _ in figure.settings if name == "releases")
    assert releases.endswith("Here: 500, less those that lost every row")


def test_a_level_that_is_set_is_not_said_to_be_left_out_where_it_is_drawn() -> None:
    figure = figure_named("3.9")
    material, column, _ = sample_of(figure.sample, SILENT)
    given = FigureInput(material, column, False, 2, 1, values={"level": 5}, changed=(("Level of the pairs", "5"),))
    outcome = run_figure(figure, given)
    assert [one.name for one in outcome.published.panels[0].curves] == ["Means of 32 amounts"]
    (drawn,) = (there for name, there, _ in outcome.settings if name == "drawn")
    assert drawn == "in dollars, up to 440,000. Here: ours are cut off there"
    own = FigureOutcome(figure, own=True, changed=given.changed)
    assert ("drawn", "in dollars, up to 440,000", "in % of the mean") in own.settings


def test_a_curator_beside_local_protocols_is_said_to_hide_answers_at_2_epsilon() -> None:
    hides = "which takes up to 2ε to hide what a person answered"
    for number in ("4.3", "4.4", "4.5", "4.6", "4.9", "4.10", "4.11"):
        assert settings_of(number)["protocols"][1].endswith(f"a curator's discrete Laplace, {hides}")
    assert hides in settings_of("beyond-people")["global DP"][1]
    assert CURVE_NOTES["Global DP"].endswith("; it takes up to 2ε to hide what a person answered.")


def test_the_original_is_said_to_exceed_its_epsilon_only_where_it_does() -> None:
    outcome = few(figure_named("4.9"))
    (curve,) = (one for one in outcome.published.panels[0].curves if one.name == "Distance-sensitive encoding")
    over = [one for one in curve.places if distance_sensitive.spent(50, one) > one]
    assert over == [1.8, 3.13, 3.47, 3.8, 4.13, 4.47] and 2 * len(over) == len(curve.places)
    assert "Of the figure's ε the code exceeds 1.8 and all from 3.13 on; of the others" in lines("4.9")
    for number, values in (("4.8", 89), ("4.10", 50), ("4.11", 50)):
        assert distance_sensitive.spent(values, math.log(20)) > math.log(20), number
    said = "a larger ε than claimed at ln 20 and, of the ε of figure 4.9, at 1.8 and all from 3.13 on, and"
    assert said in ages.PLUGIN.differs
    assert distance_sensitive.spent(50, 3.2) < 3.2, "so it is said of the figure's ε alone"
    manual = " ".join((Path(__file__).parents[2] / "docs" / "manual" / "figures.md").read_text("utf-8").split())
    assert "spends more than the ε that it claims, in figure 4.9 at half of the points, while the rule" in manual


def test_what_cannot_be_checked_is_not_said_to_have_a_tolerance_or_chance_where_it_has_none() -> None:
    unchecked = [
        one
        for recorded in (figure_named(name).recorded for name in ("table 3.5", "table 3.6", "figure 3.9"))
        for said, one in zip(said_of(recorded), recorded, strict=True)
        if said is Said.UNCHECKED
    ]
    assert len(unchecked) == 7 and all(
        one.value.reading > (one.value.scale or one.value.value) for one in unchecked if one.error
    ), "of none is it chance alone"
    assert [one.value.value for one in unchecked if not one.compared] == [1_220_739], "and of one it is no tolerance"
    assert [one.ours_text for one in unchecked if not one.compared] == ["–"]
    assert MEANINGS[Said.UNCHECKED].endswith(
        "Or ours is a dash, as nothing here can be compared with the published value."
    )
    folder = Path(__file__).parents[2]
    manual, glossary = (
        " ".join((folder / "docs" / name).read_text("utf-8").split()) for name in ("manual/figures.md", "glossary.md")
    )
    assert "or there is nothing here to compare with it, as in table 3.5" in manual
    assert "where it is all of that, or there is nothing to compare with, it *cannot be checked*" in glossary
    texts = json.loads((resources() / "help" / "en.json").read_text(encoding="utf-8"))
    assert "or as nothing here can be compared with it, ≠ differs" in texts["compare.presets"]["text"]


def test_the_answers_of_figure_4_2_are_not_said_to_be_those_of_randomised_response() -> None:
    assert figure_named("4.2").caption.startswith(
        "The answers that the protocols of figures 4.3 to 4.6 and 4.9 to 4.11"
    )
    assert settings_of("4.1")["people"][0] == "100 to 9,900, fair coins", "a local protocol with answers of its own"


def test_a_heading_is_called_the_same_where_it_is_spoken_of() -> None:
    outcome = few(figure_named("3.4"))
    heading = "Where it differs, and why"
    assert f"{heading}:" in outcome_lines(outcome) and f"“{heading}”" in MEANINGS[Said.DIFFERS]


def test_a_curator_who_is_asked_for_one_count_is_said_to_hide_answers_at_epsilon() -> None:
    outcome = few(figure_named("4.1"))
    (curve,) = (one for one in outcome.mended.panels[0].curves if one.formula)
    alpha = math.exp(-math.log(3))
    assert curve.means[0] == pytest.approx(2 * alpha / (1 - alpha**2) / 100), "noise of scale 1/ε, of 100 people"
    below = captions(outcome)["Mended: how many have “Police Officer”"]
    assert "as one count is asked for, ε is enough to hide what a person answered." in below
    assert "2ε" not in below, "another answer changes the count by 1 at most, as leaving a person out does"


def test_what_is_added_and_what_is_reached_is_said_plainly() -> None:
    for name in ("paper-survey", "paper-truncated-geometric-2", "paper-truncated-geometric-4"):
        assert "A row is added: for each output the largest ratio" in lines(name)
    assert "and for 10 it equals ln 4 in four digits" in lines("paper-algorithm-1")
    said = lines("table-3.1")
    assert "was made to have the least and the greatest payment, and nearly the mean." in said


def test_the_words_of_presets_are_those_of_their_figures() -> None:
    assert nba_anonymised.PLUGIN.differs.startswith(
        "The published error is that of the average of 1,000 releases (500 in the author's code);"
    )
    assert "engine" not in surgery_mean.PLUGIN.differs, "which is where rows are worked on, and not what draws noise"
    assert "discrete noise protects it too" in surgery_mean.PLUGIN.differs
    assert salary_histograms.PLUGIN.differs.startswith("The published histograms have 18 bars")


def test_what_or_joins_is_what_is_not_told_apart() -> None:
    least, near, far = (OurValue(times * math.sqrt(2), 1.0, 1) for times in (0.0, 2.0, 2.01))
    assert (told_apart(near, least), told_apart(far, least)) == (False, True)
    said = (
        "“or” joins to the least every other that exceeds it by no more than two standard errors of their difference."
    )
    assert said in STANDARD_ERRORS


def test_how_often_chance_tells_equal_errors_apart_is_said() -> None:
    generator = np.random.default_rng(13)

    def means(runs: int, skewed: bool) -> list[OurValue]:
        """Of four equal ways."""
        found = generator.gamma(1.0, size=(4, runs)) if skewed else generator.normal(10.0, size=(4, runs))
        return [OurValue(float(one.mean()), float(one.std(ddof=1)), runs) for one in found]

    for runs, skewed in ((10, False), (10, True), (20, False), (50, True), (100, False)):
        pairs = left_out = 0
        for _ in range(4_000):
            several = means(runs, skewed)
            first, other, *_ = several
            pairs += told_apart(first, other) or told_apart(other, first)
            least = min(several, key=lambda one: one.mean)
            left_out += any(told_apart(one, least) for one in several)
        assert 0.04 < pairs / 4_000 < 0.1, (runs, skewed)
        assert 0.16 < left_out / 4_000 < 0.25, (runs, skewed)
    assert STANDARD_ERRORS.endswith("leaves out one or more of four equal ones about once in five times.")
    assert ONE_ERROR.endswith("once in ten to twenty times where there are ten runs or more.")
    for number in ("4.5", "4.9", "4.10", "4.11", "beyond-estimator", "beyond-people", "beyond-unary-em"):
        assert ONE_ERROR in lines(number), number
    assert "beyond chance" not in lines("4.6"), "it is said how far beyond"
    assert "With ten runs or more this leaves out" in STANDARD_ERRORS
    apart = [
        told_apart(one, other) or told_apart(other, one) for one, other, *_ in (means(2, False) for _ in range(2_000))
    ]
    assert sum(apart) > 200, "of two runs nobody knows the error"
    (people,) = (here for name, _, here in figure_named("chapter-randomised-response").settings if name == "people")
    assert people.endswith("with the same share of true yeses"), "reported ones are others"


def test_few_people_suit_a_protocol_no_better_than_to_ask_nobody_is_told() -> None:
    for number, unit in (("4.10", " years"), ("4.11", "")):
        outcome = few(figure_named(number))
        guess = at_fewest(outcome.mended, "Uniform guess")
        assert guess is not None
        told = f"for which nobody is asked, errs by {with_error(guess)}{unit}."
        assert f"A guess that all answers are equally frequent, {told}" in lines(number)


def test_few_runs_do_not_say_that_an_error_falls() -> None:
    """With one run, Norm-Sub may as well move an estimate away from what is true."""
    assert " in 1 runs" not in (said := lines("chapter-unary-encoding", 1))
    assert "the mean error of Armed-Forces in 1 run goes from" in said


def test_a_cause_is_named_only_where_the_two_can_be_told_apart() -> None:
    few_runs = lines("4.5", 2)
    assert "it cannot be told from histogram encoding there" in few_runs
    assert "That is the setting to 0 again" not in few_runs


def test_two_coins_are_not_said_to_be_of_a_text_that_has_one() -> None:
    for citation in (
        METHODS["coins-published"].citation,
        PRESETS["randomised-response"].citation,
        PRESETS["mechanism-tables"].citation,
    ):
        assert "Warner" not in citation and "C. Dwork, A. Roth" in citation
    for both in (PROTOCOLS["rr"].citation, MECHANISMS["survey"].citation):
        assert "Warner" in both and "two coins: C. Dwork, A. Roth" in both


def test_a_sum_is_not_said_to_need_twice_its_epsilon_where_a_row_is_replaced() -> None:
    protects = next(row for row in figure_named("table 3.2").settings if row[0] == "ε protects")
    assert protects[2].endswith("replacing one at 2ε or less")


def test_averages_that_are_not_there_are_not_said_to_err() -> None:
    """With few releases all may lose every row at a small ε, which then has no average."""
    assert "every ε" not in lines("3.9", 2)


def test_of_single_runs_nothing_is_said_to_be_beyond_chance() -> None:
    one, many = OurValue(2.0), OurValue(2.0, 0.1, 10)
    assert not told_apart(one, OurValue(1.0)) and told_apart(many, replace(many, mean=1.0))
    assert "none the most beyond chance" in " ".join(as_drawn(few(figure_named("4.5"), 1)).differs)
    assert "distance that cannot be told" in " ".join(as_drawn(few(figure_named("4.11"), 1)).differs)


def test_settings_of_chapter_4_hold_for_any_number_of_answers() -> None:
    """With 5 answers a person too many costs 4 places, and at ln 20 the corrected form spends more."""
    for number in ("4.4", "4.6", "4.9", "4.10", "4.11"):
        rows = {name: (there, here) for name, there, here in figure_named(number).settings}
        assert "49 places" not in rows["error"][0]
        if number in {"4.10", "4.11"}:
            assert "with 50 answers at ln 20 the corrected form is the same" in rows["distance-sensitive"][1]


def test_whether_the_protocol_is_the_best_is_told_from_more_runs_than_the_chart_has() -> None:
    outcome = few(figure_named("4.9"))
    runs = {
        one.repetitions
        for name in ("Distance-sensitive", "Unary encoding (OUE)")
        if (one := at_place(outcome.mended, name, 2.13))
    }
    assert runs == {20}, "ten times the two of the chart, of which chance decides"
    line = outcome.differs[3]
    assert re.search(r"it errs by [\d.]+ ± [\d.]+ and [\d.]+ ± [\d.]+ years, ", line)
    assert ", each the mean of 20 runs, ten times as many as elsewhere in the chart. ± is one" in line
    assert "in the chart" not in best_between(as_drawn(outcome))


def test_the_chart_shows_the_runs_that_its_lines_speak_of() -> None:
    """Of ten runs the luck of a few decided: a curve was below another where its line said that it is above."""
    outcome = few(figure_named("4.9"))
    (panel, *_) = outcome.mended.panels
    curves = {one.name: one for one in panel.curves}
    for name in ("Direct encoding", "Unary encoding (OUE)", "Distance-sensitive"):
        for place in (2.13, 2.47):
            at = next(one for one in curves[name].places if abs(one - place) < 0.01)
            shown, spoken = curves[name].at(at), at_place(outcome.mended, name, at)
            assert shown == spoken and shown is not None and shown.repetitions == 20
        first = curves[name].at(curves[name].places[0])
        assert first is not None and first.repetitions == 2
    assert "Points are means of 2 repetitions. At ε = 2.13 and 2.47 they are of 20." in captions(outcome)[panel.title]


def test_where_one_protocol_errs_more_with_either_estimator_that_is_not_left_open() -> None:
    outcome = few(figure_named("beyond-estimator"))

    def side(made: FigureSide, *means: float) -> FigureSide:
        (panel, *_) = made.panels
        curves = (
            replace(one, means=(mean,) * len(one.places), deviations=(0.1,) * len(one.places))
            for one, mean in zip(panel.curves, (*means, 1.0), strict=True)
        )
        return replace(made, panels=(replace(panel, curves=tuple(curves)),))

    def decides(linear: tuple[float, float], usual: tuple[float, float]) -> str:
        both = replace(outcome, published=side(outcome.published, *linear), mended=side(outcome.mended, *usual))
        return both.differs[2]

    either = "encoding errs more there with either estimator."
    assert decides((3.0, 1.0), (3.0, 1.0)) == f"So distance-sensitive {either}"
    assert decides((1.0, 3.0), (1.0, 3.0)) == f"So unary {either}"
    for linear, usual in (((3.0, 1.0), (1.0, 3.0)), ((1.0, 3.0), (3.0, 1.0))):
        assert decides(linear, usual).startswith("So the estimator decides")
    assert decides((1.0, 1.0), (3.0, 1.0)).endswith("cannot be told.")


def test_a_mean_by_formula_is_said_to_be_of_which_rows() -> None:
    assert "for the mean charge of all rows; dotted, for that of the rows drawn here" in lines("3.1")


def test_a_number_that_was_chosen_by_one_value_leaves_the_others_as_a_test() -> None:
    caption = figure_named("4.9").caption
    assert "tests nothing" not in caption
    assert "fitted to the error of direct encoding at ε = 0.8; all other values are compared" in caption
