"""What presets and published figures say of what is run: of the sample, of other settings and of one's own column."""

from __future__ import annotations

import pytest

from tests.evaluate.figure_runs import few
from tests.evaluate.test_presets import made
from workbench.core.progress import SILENT
from workbench.core.quick_reading import read_values
from workbench.evaluate.method import Approach
from workbench.evaluate.presets import ages, occupations, randomised_response, surgery_mean
from workbench.evaluate.published import examples
from workbench.evaluate.published.catalogue import figure_named
from workbench.evaluate.published.entry import FigureOutcome, FigureSide
from workbench.evaluate.published.panel import PanelCurve, PublishedPanel
from workbench.session.published_captions import printed_caption
from workbench.session.published_figures import agreement_words, panels_of
from workbench.session.shipped_samples import sample_of

pytestmark = pytest.mark.timeout(300)

SAME_SHARE = "1,000 to 1,000,000, with the same share of true yeses"


def test_a_chart_that_is_shown_twice_is_said_to_be_the_same() -> None:
    outcome = few(figure_named("4.7"))
    (published,), (mended,) = outcome.published.panels, outcome.mended.panels
    assert published.curves == mended.curves
    assert mended.title == "Mended: nothing to mend, the same chart"
    assert outcome.differs[0].startswith("There is nothing to mend, so both charts are the same: ")


def test_people_of_ones_own_column_are_not_the_same_as_printed() -> None:
    own = FigureOutcome(figure_named("chapter-unary-encoding"), own=True)
    assert ("people", "32,561", "of your column") in own.settings
    assert ("p, q", "0.75, 0.25", "the same") in own.settings
    coins = FigureOutcome(figure_named("chapter-randomised-response"), own=True)
    assert ("people", "32,561, of whom 3,650 in sales", SAME_SHARE) in coins.settings, "by formula"


def test_with_a_million_people_a_protocol_that_errs_less_is_not_among_those_that_chance_does_not_tell_apart() -> None:
    figure = figure_named("beyond-people")
    errors = {"Direct encoding": 0.6, "Unary (OUE)": 0.41, "Distance-sensitive": 0.4, "Square Wave": 0.2}
    curves = (PanelCurve(one, Approach.LOCAL, (1e6,), (error,), (0.04,), 20) for one, error in errors.items())
    side = FigureSide((PublishedPanel("By Kantorovich", curves=tuple(curves)),))
    outcome = FigureOutcome(figure, published=few(figure).published, mended=side, complete=True)
    (said,) = (one for one in figure.differs(outcome) if "with 1,000,000 people" in one)
    assert "years, less than direct encoding (0.6000 ± 0.0089) and more than Square Wave (0.2000 ± 0.0089); " in said
    assert "it cannot be told from unary encoding (OUE) (0.4100 ± 0.0089). The text" in said


def test_of_a_table_with_rows_of_its_own_it_is_not_said_that_nothing_is_published() -> None:
    figure = figure_named("table 3.3")
    printed, *_ = few(figure).published.panels
    assert "32470.0" in printed.rows[1], "which is"
    assert agreement_words(figure) == "no numbers to compare"


def test_errors_of_all_curves_are_said_to_be_shares() -> None:
    curves = [one.name for one in few(figure_named("4.1")).mended.panels[0].curves if not one.formula]
    assert len(curves) == 3, "so not of both"
    assert "mended all errors are shares of the people" in randomised_response.PLUGIN.differs


def test_one_printed_estimate_is_below_zero() -> None:
    below = [one for one in examples.CHAPTER_UNARY.values if one.value < 0]
    assert [one.what for one in below] == ["Armed-Forces"]
    assert "One of its estimates is below zero" in occupations.PLUGIN.differs
    assert occupations.PLUGIN.differs.startswith("Without a column of your own the counts are those")


def test_who_leads_on_spiky_ages_is_said_where_it_does() -> None:
    """And no charts are said to be mended that are as published, where no divisor is right."""
    assert "on the spiky sample with many people unary encoding leads from ε = 1.2 to 2.53" in ages.PLUGIN.look
    assert "direct encoding above 3.5" in ages.PLUGIN.look
    panels = few(figure_named("4.3"), 10).mended.panels[:2]
    errors = {one.name: dict(zip(one.places, one.means, strict=True)) for panel in panels for one in panel.curves}
    least = {place: min(errors, key=lambda name: errors[name].get(place, 2.0)) for place in errors["Square Wave"]}
    assert {least[place] for place in least if 1.1 < place < 2.6} == {"Unary encoding (OUE)"}
    assert {least[place] for place in least if place > 3.5} == {"Direct encoding"}
    assert "kept reports of people with near answers, which no divisor takes out" in ages.PLUGIN.differs
    assert "In the mended charts all are mended: “Distance-sensitive” has" in ages.PLUGIN.differs


def test_narrow_bounds_are_said_to_cut_payments_which_no_error_has() -> None:
    moved = []
    for sample in surgery_mean.PLUGIN.samples.values():
        material, column, _ = sample_of(sample, SILENT)
        values = read_values(material.table[column].values, material.schema[column])[material.table[column].codes]
        moved.append(round(float(values.mean() - values.clip(0, 125_000).mean())))
    assert moved == [49, 0]
    assert (
        "no error shown has what that costs: it moves the mean of the sample with its tail by $49, that of the one"
        in (surgery_mean.PLUGIN.look)
    )


@pytest.mark.parametrize(
    ("preset", "values", "changed"),
    [
        ("occupations", (("answer", "Armed-Forces"),), {"Randomised response"}),
        ("salary-histograms", (("epsilon", 0.5),), {"Figure 3.4"}),
        ("ages", (("users", 300),), {"Figure 4.3", "Figure 4.4"}),
        ("ages", (("epsilon", 2.0),), {"Figure 4.5", "Figure 4.6", "Figure 4.10", "Figure 4.11"}),
    ],
)
def test_a_figure_that_a_parameter_does_not_reach_is_compared_as_it_was_published(
    preset: str, values: tuple[tuple[str, object], ...], changed: set[str]
) -> None:
    usual, found = made(preset, 1), made(preset, 1, *values)
    assert {one.figure.number for one in found.outcomes if not one.as_published} == changed
    for before, now in zip(usual.outcomes, found.outcomes, strict=True):
        alike = before.published == now.published and before.mended == now.mended
        assert alike is (now.figure.number not in changed), now.figure.number
        assert any(name.endswith("(set)") for name, *_ in now.settings) is (now.figure.number in changed)


def test_bars_say_whose_and_in_what_unit_they_are() -> None:
    def across(*values: tuple[str, object]) -> set[str]:
        first, *_ = made("salary-histograms", 1, *values).outcomes
        return {panel.across for side in (first.published, first.mended) for panel in side.panels}

    assert across() == {"Annual earnings, $"}
    assert across(("bins", 3)) == across(("upper", "200000")) == {"Annual earnings, $"}
    assert across(("sample", "gross pay")) == {"Gross pay, $"}


def test_a_preset_without_a_sample_is_said_to_be_of_what_is_printed() -> None:
    plain = made("occupations", 1, ("answer", "Armed-Forces")).to_json()
    assert plain["data"] == "no data"
    assert plain["look"].startswith("Of what is printed, with the usual settings: Frequent occupations")
    assert plain["differs"].startswith("Of what is printed, with the usual settings: ")


def test_bars_of_the_other_sample_are_said_to_be_of_repeated_rows_unless_bars_are_set_too() -> None:
    for bins, many, rows in (
        ((), 136_000, "Here: 136,000 of the sample that is set, by repeating it"),
        ((("bins", 5),), 13_674, "Here: every row once"),
    ):
        first, *_ = made("salary-histograms", 1, ("sample", "gross pay"), *bins).outcomes
        true, _ = first.published.panels[0].curves
        assert sum(true.means) == many, "137 rows have no gross pay"
        captions = {side: printed_caption(first, side, data) for side, data in panels_of(first)}
        assert f"about 136,000 in the bars. {rows};" in f"{captions['published']};".replace(". Data", ";")
        assert "rows: all of the sample that is set" in captions["mended"]


def test_averages_of_7_levels_are_left_out_where_they_are_known_to_be_beyond_the_axis_alone() -> None:
    usual, found = (made("nba-anonymised", 3, *values).outcomes[1] for values in ((), (("upper", "1000000"),)))
    seven = "Means of 32 amounts"
    assert seven not in [one.name for one in usual.published.panels[0].curves]
    (drawn,) = (one for one in found.published.panels[0].curves if one.name == seven)
    assert 0 < min(drawn.means) < found.published.panels[0].top == 440_000
    (there,) = (there for name, there, _ in found.settings if name == "drawn")
    assert there == "in dollars, up to 440,000. Here: ours are cut off there"
