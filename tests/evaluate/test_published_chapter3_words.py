"""What published figures of chapter 3 say: of rows and samples, sensitivity, histograms, means and groups."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.evaluate.figure_runs import few, made
from tests.evaluate.published_words_helpers import captions, lines
from workbench.core.number_text import with_places
from workbench.core.progress import SILENT
from workbench.core.quick_reading import read_values
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.presets import nba_anonymised, salary_histograms, surgery_mean
from workbench.evaluate.published import chapter3, chapter3_release
from workbench.evaluate.published.catalogue import figure_named
from workbench.evaluate.published.entry import FigureInput, FigureOutcome, run_figure
from workbench.session.shipped_samples import sample_of

pytestmark = pytest.mark.timeout(300)


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


def test_each_label_of_means_is_compared_once() -> None:
    labels = [one.published_text for one in few(figure_named("table 3.5")).agreements]
    assert len(labels) == len(set(labels)) == 5


def test_sums_can_stay_the_same_by_chance_where_a_pair_is_uneven() -> None:
    # One row more of the lower amount of one pair, and one more of the higher of the other.
    rows = [1, 1, 3, 11, 13, 13]
    paired = [2, 2, 2, 12, 12, 12]
    assert sum(rows) == sum(paired)
    assert "are sure to stay the same only where both amounts of every pair" in lines("table 3.5")


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


def test_the_words_of_presets_are_those_of_their_figures() -> None:
    assert nba_anonymised.PLUGIN.differs.startswith(
        "The published error is that of the average of 1,000 releases (500 in the author's code);"
    )
    assert "engine" not in surgery_mean.PLUGIN.differs, "which is where rows are worked on, and not what draws noise"
    assert "discrete noise protects it too" in surgery_mean.PLUGIN.differs
    assert salary_histograms.PLUGIN.differs.startswith("The published histograms have 18 bars")


def test_a_sum_is_not_said_to_need_twice_its_epsilon_where_a_row_is_replaced() -> None:
    protects = next(row for row in figure_named("table 3.2").settings if row[0] == "ε protects")
    assert protects[2].endswith("replacing one at 2ε or less")


def test_averages_that_are_not_there_are_not_said_to_err() -> None:
    """With few releases all may lose every row at a small ε, which then has no average."""
    assert "every ε" not in lines("3.9", 2)


def test_a_mean_by_formula_is_said_to_be_of_which_rows() -> None:
    assert "for the mean charge of all rows; dotted, for that of the rows drawn here" in lines("3.1")
