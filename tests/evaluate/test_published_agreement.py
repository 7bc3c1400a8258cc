"""How published values and ours are called: agreeing, differing or not to be told, alone and together."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.evaluate.figure_runs import few, made
from workbench.cli.main import main
from workbench.evaluate.method import Approach
from workbench.evaluate.published.agreement import (
    Accord,
    Agreement,
    OurValue,
    PublishedValue,
    Said,
    agree_together,
    agreement,
    apart_together,
    pooled,
    said_of,
    together,
)
from workbench.evaluate.published.catalogue import FIGURES, figure_named
from workbench.evaluate.published.entry import FigureOutcome
from workbench.evaluate.published.panel import PanelCurve, PublishedPanel
from workbench.evaluate.published.recorded import recorded
from workbench.evaluate.published.verdicts import verdict_on
from workbench.plots import published_panel
from workbench.plots.published_panel import PanelData
from workbench.plots.style import ChartStyle
from workbench.session.published_figures import (
    agree_by_source,
    agreement_marks,
    listed,
    listed_of_preset,
    marks_of_all,
)

pytestmark = pytest.mark.timeout(300)
"""The first test that needs the published noise loads its library, whichever that is."""


def test_only_a_published_value_that_agrees_is_green() -> None:
    for figure in FIGURES:
        for said, one in zip(said_of(figure.recorded), figure.recorded, strict=True):
            assert (said is Said.AGREES) <= (one.value.standing == "published"), one.value.what
    assert set(said_of(figure_named("4.8").recorded)) == {Said.COMPUTED}
    assert figure_named("4.8").recorded[0].accord is Accord.AGREES
    made_of = FigureOutcome(figure_named("4.8"), made("figure-4.8").published)
    assert made_of.verdict == "Of 2 computed, not printed: 2 as computed"


def test_a_value_agrees_within_what_the_recorded_noise_allows() -> None:
    value = PublishedValue("error", 10.0, 0.5, repetitions=100)

    def found(mean: float, repetitions: int = 100) -> Accord | None:
        return agreement(value, OurValue(mean, 99.0, repetitions), 1.0, repetitions).accord

    # ½ can be misread, and 3.29·1·√(2/100) is .465; of 4 repetitions it is 1.68.
    assert (found(10.9), found(11.0), found(11.5, 4)) == (Accord.AGREES, Accord.DIFFERS, Accord.AGREES)
    assert agreement(value, None, 1.0, 100).accord is None
    printed = agreement(PublishedValue("printed", 3.0), OurValue(3.001, 9.0, 1), 9.0)
    assert printed.accord is Accord.DIFFERS, "nothing of it is random"


NOISY = [(10.0 * size, 4.0 * size, 0.0, 1, 100) for size in range(1, 11)]
"""Value, deviation of a run, misreading, runs there and here: so noisy that weights by what was published would err."""


@pytest.mark.parametrize("figure", ["", "figure-3.1", "figure-4.5"])
def test_values_that_are_equal_differ_jointly_no_more_often_than_is_said(figure: str) -> None:
    generator = np.random.default_rng(11)
    values = NOISY
    if figure:
        noise = {what: one.deviation for what, one in recorded()[figure].items()}
        values = [
            (one.value.value, noise[one.value.name], one.value.reading, one.value.repetitions, one.times)
            for one in pooled(figure_named(figure).recorded)
        ]
    apart = 0
    for _ in range(2_000):
        found = []
        for number, (truth, spread, reading, there, here) in enumerate(values):
            # Misreadings all go one way, which is the worst that they can do.
            published = generator.normal(truth, spread / math.sqrt(there)) + reading
            ours = OurValue(generator.normal(truth, spread / math.sqrt(here)))
            value = PublishedValue(str(number), published, reading, there)
            found.append(agreement(value, ours, spread, here))
        whole = together(found)
        apart += whole is not None and whole.accord is Accord.DIFFERS
    assert apart <= 9, "1 in 1,000 of 2,000 are 2, and more than 9 come 1 time in 20,000"


def test_ours_are_jointly_so_many_times_the_published() -> None:
    values = [(PublishedValue(str(size), size, 0.1, 4), OurValue(1.5 * size)) for size in (2.0, 5.0, -3.0)]
    whole = together([agreement(value, ours, 1.0, 9) for value, ours in values])
    assert whole is not None
    assert whole.ours is not None
    assert whole.ours.mean == pytest.approx(1.5)


@pytest.mark.parametrize("identifier", [figure.identifier for figure in FIGURES if figure.values])
def test_how_far_values_may_differ_is_the_same_before_and_after_a_run(identifier: str) -> None:
    figure = figure_named(identifier)
    before = [one.allowed for one in FigureOutcome(figure).agreements]
    assert [one.allowed for one in made(identifier).agreements] == before
    assert [one.allowed for one in figure.recorded] == before


def test_the_list_says_what_is_published_what_came_out_and_whether_they_agree() -> None:
    plain = listed(figure_named("3.5"))
    assert plain["published"]["Error at ε = 1 (p. 28)"] == 14.81
    assert plain["ours"]["Error at ε = 1 (p. 28)"] == pytest.approx(13, abs=2.4)
    assert plain["published"]["Error at ε = 1"] == 14.5, "of the picture, which is another run"
    assert plain["agree"] is False, "each is within what chance allows, all three are not"
    assert (plain["agree together"], plain["differ together"]) == (0, 4)
    assert listed(figure_named("3.1"))["agree"] is None
    assert listed(figure_named("3.3"))["agree"] is True
    assert listed(figure_named("3.4"))["agree"] is False
    assert listed(figure_named("2.2"))["agree"] is None


def test_where_chance_allows_much_nothing_is_told() -> None:
    value = PublishedValue("error", 100.0, repetitions=1)
    found = [
        agreement(value, OurValue(mean), noise)
        for mean, noise in ((80.0, 10.0), (20.0, 10.0), (99.0, 0.5), (1.0, 50.0))
    ]
    # 3.29 deviations of 10, of the published run and of ours, are 46.5: much else than 80 would agree too.
    assert [one.accord for one in found] == [Accord.UNCLEAR, Accord.DIFFERS, Accord.AGREES, Accord.UNCLEAR]
    assert verdict_on(found) == "1 agrees · 1 within range · 1 cannot be checked · 1 differs"
    assert verdict_on(found[2:3]) == "1 agrees"
    assert agreement(value, None).accord is None


def test_what_a_sample_was_made_to_come_to_is_no_agreement() -> None:
    value = PublishedValue("rows", 100.0, 5.0, made=True, basis="the sample is within 5 %")
    found = [agreement(value, OurValue(mean)) for mean in (100.0, 104.0, 106.0)]
    assert [one.accord for one in found] == [Accord.MADE, Accord.MADE, Accord.DIFFERS]
    assert verdict_on(found) == "1 differs · 2 fitted"
    plain = listed(figure_named("table-3.1"))
    assert (plain["agree"], plain["counts"]["fitted"]) == (None, 3)


def test_the_error_of_a_single_run_is_refused_as_seldom_as_others() -> None:
    value = PublishedValue("error", 1.0, 0.0, 1, skewed=True)
    allowed = agreement(value, None, 1.0, 10**9).allowed
    # Of an exponential number with mean and deviation 1 this is e⁻⁷; a normal one's 3.29 would be e⁻⁴.³, 14 in 1,000.
    assert math.exp(-(1 + allowed)) == pytest.approx(1e-3, rel=0.1)
    assert together([agreement(value, OurValue(1.0), 1.0)] * 3) is None


def test_every_tolerance_says_what_it_stands_on() -> None:
    noisy = agreement(PublishedValue("error", 10.0, 0.5, repetitions=100), None, 1.0, 50)
    assert noisy.basis == "± 0.5; 100 runs, 50 here"
    assert agreement(PublishedValue("printed", 10.0), None).basis == "exact"
    assert (
        agreement(PublishedValue("cut", 10.0, 1.0, basis="cut to whole numbers"), None).basis == "cut to whole numbers"
    )
    for figure in FIGURES:
        for one in figure.recorded:
            assert one.basis == "exact" or one.allowed > 1.5e-9 * abs(one.value.value)


def test_as_many_digits_are_shown_as_are_compared() -> None:
    label = agreement(PublishedValue("label", 500_776.0, 1.0), OurValue(500_776.75))
    assert (label.published_text, label.ours_text) == ("500,776", "500,776.8")
    rough = agreement(PublishedValue("error", 76_500.0, 52_000.0), OurValue(58_487.3))
    assert (rough.published_text, rough.ours_text) == ("76,500", "58,490")


@pytest.mark.parametrize(
    ("published", "ours", "text"),
    [
        ("24.7", 24.6725, "24.67"),
        ("4.9", 4.9345, "4.93"),
        ("1.0", 0.9675, "0.97"),
        ("0.0093", 0.009259, "0.00926"),
        ("13,167.38", 13_156.51, "13,157"),
        ("14.5", 13.004, "13.00"),
        ("−92.5", -16.671, "−16.67"),
    ],
)
def test_ours_has_one_digit_more_than_is_published_as_far_as_that_is_compared(
    published: str, ours: float, text: str
) -> None:
    value = float(published.replace(",", "").replace("−", "-"))
    allowed = 132.0 if value > 1_000 else 0.5 * abs(value)
    allowed = 0.1 if published in {"24.7", "4.9", "1.0"} else 5e-5 if value == 0.0093 else allowed
    found = agreement(PublishedValue("error", value, allowed, written=published), OurValue(ours))
    assert found.ours_text == text


def test_a_mean_beside_a_whole_number_is_whole() -> None:
    found = agreement(PublishedValue("error", 1_265.0, 8.0, 10), OurValue(1_253.97, 20.0, 10), 20.0, 10)
    assert (found.published_text, found.ours_text) == ("1,265", "1,254")
    few = agreement(PublishedValue("error", 31.0, 3.0, 10), OurValue(33.44, 2.0, 10), 2.0, 10)
    assert few.ours_text == "33"


def test_yeses_are_judged_by_what_is_not_noise_alone() -> None:
    yeses = next(one for one in figure_named("chapter-randomised-response").recorded if "32,561" in one.value.what)
    assert yeses.basis.startswith("judged against 1,825")
    assert yeses not in pooled(figure_named("chapter-randomised-response").recorded), "most of it is a constant"


def test_an_allowance_as_large_as_the_value_is_no_number_where_chance_plays_no_part() -> None:
    label = figure_named("table-3.5").recorded[-1]
    assert label.allowed_text == "–"
    assert "not compared" in label.text("basis")
    assert "may differ by" in figure_named("4.6").recorded[-1].text("basis"), "so much chance allows"
    other_rows = agreement(PublishedValue("error", 11_690.0, 28_690.0), None)
    assert other_rows.allowed_text == "29,000", "what another sample may be off is a number, however large"
    exactly = agreement(PublishedValue("chance", 2_320.48), OurValue(2_320.48))
    assert exactly.ours_text == "2,320.48"


def test_values_that_tell_nothing_alone_may_tell_something_together() -> None:
    value = PublishedValue("error", 100.0, 0.0, repetitions=1)

    def pooled(means: list[float]) -> Agreement | None:
        return together([agreement(value, OurValue(mean), 10.0) for mean in means])

    found = pooled([80.0, 120.0, 90.0, 100.0])
    assert found is not None
    assert found.ours is not None
    # Weighted by the means of both, which are 90, 110, 95 and 100: 1 + (90·(−20) + 110·20 + 95·(−10))/(395·100).
    assert found.ours.mean == pytest.approx(1 - 550 / 39_500)
    # Each difference has the deviation 10·√2: 3.29·14.14·√(90² + 110² + 95² + 100²)/39,500.
    assert found.allowed == pytest.approx(0.2333, abs=1e-4)
    assert found.accord is Accord.AGREES
    low = pooled([72.0] * 4)
    assert low is not None
    assert low.accord is Accord.DIFFERS, "each alone is within 46.5, all four are not by chance"
    assert pooled([80.0]) is None


def test_averages_of_releases_allow_for_the_chance_of_500_beside_another_sample() -> None:
    generator = np.random.default_rng(12)
    released = (*figure_named("figure-3.9").recorded, figure_named("table-3.6").recorded[1])
    assert len(released) == 9
    assert all(one.basis.endswith("500 runs each") and one.error > 0 and one.allowed > 28_690 for one in released)
    assert not pooled(released), "of another sample nobody knows how far it moves a ratio"
    assert not any(one.ratio_text for one in released)
    refused = 0
    for one in released:
        noise = one.error / math.sqrt(2)  # of an average of 500
        truth = one.value.value
        theirs, ours = (generator.normal(truth, noise, 5_000) for _ in range(2))
        # The other sample takes ours as far as it may.
        for published, here in zip(theirs, ours + one.value.reading, strict=True):
            found = replace(one, value=replace(one.value, value=float(published)), ours=OurValue(float(here)))
            refused += found.accord is Accord.DIFFERS
    assert refused <= 45, "at most 1 in 2,000 of 45,000 are 23, as it errs to one side; above 45 come 1 time in 100,000"


def test_ratios_are_counted_of_values_that_have_one() -> None:
    means = made("figure-3.2")
    assert [bool(one.ratio_text) for one in means.agreements] == [True, True, True, False, False]
    assert means.taken_together.startswith("The weighted mean of all 3 ratios, ours to published, is 1.06;")
    unary = made("chapter-unary-encoding")
    assert sum(bool(one.ratio_text) for one in unary.agreements) == 27, "none of the ε, and none of −92.5"
    assert unary.taken_together.startswith("The weighted mean of 6 of 27 ratios")


def test_of_values_that_agree_as_one_only_their_figure_is_said_to_agree(
    capsys: pytest.CaptureFixture[str],
) -> None:
    value = PublishedValue("error", 100.0, 0.0, repetitions=1)
    right, low = (
        [agreement(replace(value, what=str(n)), OurValue(mean), 10.0) for n, mean in enumerate(means)]
        for means in ((80.0, 120.0, 90.0, 100.0), (72.0,) * 4)
    )
    assert verdict_on(right) == "4 within range; taken together, they agree"
    assert said_of(right) == said_of(low) == (Said.WITHIN,) * 4, "of each only what it tells alone"
    assert (apart_together(low), apart_together(right)) == (4, 0)
    assert (agree_together(low), agree_together(right)) == (0, 4)
    assert verdict_on(low) == "4 within range; taken together, they differ"
    both = "8 within range; taken together, those of 1 figure agree; taken together, those of 1 figure differ"
    assert verdict_on(right, low) == both, "only values of one figure stand together"
    plain = listed(figure_named("4.10"))
    assert (plain["counts"]["cannot tell"], plain["agree together"]) == (10, 10), "as many as the sentence has"
    assert main(["preset", "--list"]) == 0
    assert "Of 12 published: 2 agree · 9 within range · 1 cannot be checked; 10 of them, taken together, agree." in (
        capsys.readouterr().out
    )


def test_the_bits_of_an_occupation_and_its_estimate_share_their_verdict() -> None:
    """Of 8,157 bits 8,140 are set by noise: that ours are near them tells no more than the estimate does."""
    figure = figure_named("chapter-unary-encoding")
    said = dict(zip((one.value.what for one in figure.recorded), said_of(figure.recorded), strict=True))
    for name in (one.what for one in figure.values if f"{one.what}: bits set" in said):
        assert said[name] is said[f"{name}: bits set"], name
    assert said["Armed-Forces: bits set"] is said["Priv-house-serv: bits set"] is Said.UNCHECKED
    assert said["Sales: bits set"] is Said.AGREES
    # Their ratio would be 1 by the constant alone.
    assert not any("bits" in one.value.what for one in pooled(figure.recorded))


def test_where_chance_decides_nothing_it_is_said_how_close_ours_are() -> None:
    coins = FigureOutcome(figure_named("4.1"), made("figure-4.1").published, repetitions=100)
    assert coins.taken_together == (
        "The weighted mean of all 3 ratios, ours to published, is 1.03; "
        "chance allows 0.74 to 1.26, too wide to tell much."
    )
    assert "chance allows 0.00 to 2" in few(figure_named("3.1"), 2).taken_together, "no ratio of errors is below 0"
    *_, (whole, _) = coins.compared
    assert (whole.ours_text, whole.allowed_text) == ("1.03", "0.26"), "the same digits in the table"
    assert made("figure-4.3").taken_together.startswith(
        "The weighted mean of 4 of 15 ratios (marked “together”), ours to published, is 1.15;"
    )
    assert coins.verdict == "Of 3 published: 3 within range"
    agreeing = made("figure-4.10")
    assert agreeing.verdict.endswith("; 10 of them, taken together, agree"), "two tell enough alone"
    assert agreeing.taken_together.startswith("The weighted mean of 10 of 12 ratios (marked “together”)")
    assert made("chapter-unary-encoding").verdict.endswith("; 6 of them, taken together, agree"), "of 29"
    assert agreeing.taken_together.endswith("chance allows 0.78 to 1.22."), "which is little enough"
    bars = made("figure-3.5")
    assert bars.verdict == "Of 4 published: 3 agree · 1 within range; taken together, they differ"
    assert bars.said == ("agrees", "agrees", "agrees", "within range", "differs"), (
        "only the last, which is all of them together"
    )
    assert (
        bars.taken_together
        == "The weighted mean of all 4 ratios, ours to published, is 0.911; chance allows 0.914 to 1.086."
    )
    cause = few(figure_named("3.5"), 2).differs[-1]
    assert "13.0 with those of the sample, of which 5 are empty" in cause
    assert "about 14.3 to 14.9 rows are to be expected with the published bars, of which 4 come out as" in cause


def test_what_nobody_published_is_called_computed_and_not_counted_as_published(
    capsys: pytest.CaptureFixture[str],
) -> None:
    table = made("table-3.2")
    printed = "Of 4 published: 1 within range · 1 differs · 2 fitted"
    assert table.verdict == f"{printed}; of 4 computed, not printed: 4 cannot be checked"
    slip = next(one for one in table.agreements if one.accord is Accord.DIFFERS)
    assert slip.ours is not None
    assert slip.ours.mean == 18_855.1**2, (
        "what is printed for the variance is compared with what is printed as its root"
    )
    assert "here the printed deviation squared" in slip.value.what
    again = next(one for one in table.agreements if "the sum again" in one.value.what)
    assert again.value.value == 813_456.6, "the distance of two sums"
    computed = {one.value.what: one.published_text for one in table.agreements if one.value.follows}
    assert computed["Mean, all rows: error, $"] == "1.2 (|answer − truth|)"
    assert all("(" not in one.published_text for one in table.agreements if not one.value.follows)
    assert table.agreements[-1].to_json()["follows"] == "|answer − truth|"
    *_, (whole, _) = made("figure-3.1").compared
    assert whole.published_text == "1 (if equal)"
    above = made("paper-algorithm-1")
    assert above.verdict == "Of 2 published: 2 agree", "all entries of a table follow from one number"
    assert [(one.value.what, one.ours_text) for one in above.agreements] == [
        ("Probabilities in the table of the threshold (¼)", "36 equal"),
        ("Probabilities in the table of the answers (½)", "36 equal"),
    ]
    assert main(["preset", "table-3.4"]) == 0
    text = capsys.readouterr().out
    assert "Of 15 published: 14 agree · 1 differs:" in text, "the five ages are put in, and nothing is made of them"
    assert "differs: Age 18, 2nd level: published 15-20 (p. 34), here 15-19" in text
    assert main(["preset", "4.7"]) == 0
    assert "Of 2 computed, not printed: 2 as computed:" in capsys.readouterr().out


def test_a_setting_that_was_chosen_by_one_value_leaves_the_others_to_be_compared() -> None:
    """Of figure 4.9 one number, that of people, was chosen, by one value of the picture: that one is no agreement."""
    figure = figure_named("4.9")
    (fitted, *others) = figure.recorded
    assert (fitted.value.what, fitted.value.mark) == ("Direct encoding, ε = 0.8", "people chosen to fit this")
    assert said_of(figure.recorded)[0] is Said.MADE
    assert not any(one.value.made or one.value.mark for one in others)
    assert fitted not in pooled(figure.recorded), "nor is it taken together with others"
    printed = "Of 14 published: 4 agree · 6 within range · 3 cannot be checked · 1 fitted"
    assert made("figure-4.9").verdict == f"{printed}; 9 of them, taken together, agree"
    assert "fitted to the error of direct encoding at ε = 0.8; all other values are compared" in figure.caption
    assert len(others) == 13


def test_no_value_within_its_own_tolerance_reads_as_one_that_differs() -> None:
    for figure in FIGURES:
        for said, one in zip(said_of(figure.recorded), figure.recorded, strict=True):
            assert one.ours is not None
            within = abs(one.ours.mean - one.value.value) <= one.allowed
            assert (said is Said.DIFFERS) == (not within)
            assert said not in {Said.APART, Said.TOGETHER}, "that is said of figures"
    marks = dict(agreement_marks(figure_named("3.5")))
    assert marks == {Said.AGREES: "✓ 3", Said.WITHIN: "○ 1", Said.APART: "≉ differs together"}
    assert dict(agreement_marks(figure_named("4.11")))[Said.TOGETHER] == "≈ agrees together"
    every = dict(marks_of_all(FIGURES))
    assert (every[Said.TOGETHER], every[Said.APART]) == ("≈ 6 figures agree together", "≉ 1 figure differs together")


def test_digits_are_those_that_are_compared_and_equal_within_a_column() -> None:
    label = {one.value.what: one.allowed_text for one in figure_named("table-3.1").recorded}
    assert label == {"Mean payment, $": "130", "Least payment, $": "0", "Greatest payment, $": "0"}
    here = few(figure_named("table-3.5"))
    assert [one.ours_text.partition(".")[2] for one in here.agreements] == ["50", "75", "00", "00", ""]
    _, *rows = here.mended.panels[0].rows
    written = [[cell for cell in column if cell != "–"] for column in zip(*rows, strict=True)]
    assert [{cell.partition(".")[2] != "" for cell in column} for column in written] == [
        {False},
        {True},
        {True},
    ]
    assert rows[2] == ("522,738", "710,524.00", "500,776.75")
    # The mean of two amounts is not that of the four of which the printed label is.
    assert (here.agreements[-1].ours_text, rows[4][2], rows[5][2]) == ("–", "–", "–")


def test_which_values_are_pooled_is_said_beside_each() -> None:
    *several, (whole, _) = FigureOutcome(figure_named("4.4")).compared
    assert sum(basis.endswith("runs each; together") for _, basis in several) == 7
    assert not any("together" in basis for one, basis in several if one.value.skewed), "single runs are too skewed"
    assert whole.value.what == "7 ratios together"


def test_what_differs_is_not_said_to_agree_because_more_is_allowed_than_it_is() -> None:
    """Of −92.5 and 16.7 nobody says that they agree, though chance could have made the one of the other."""
    unary = {one.value.name: said for one, said in zip(recorded_of("chapter-unary-encoding"), said_of(
        recorded_of("chapter-unary-encoding")), strict=True)}  # fmt: skip
    assert unary["Armed-Forces"] is Said.UNCHECKED
    assert unary["Protective-serv"] is Said.WITHIN
    for figure in FIGURES:
        for one, said in zip(figure.recorded, said_of(figure.recorded), strict=True):
            assert one.ours is not None
            if said in {Said.AGREES, Said.WITHIN}:
                assert one.ours.mean * one.value.value >= 0, "of one sign"
                assert one.allowed < abs(one.value.value)
    label = figure_named("table-3.5").recorded[-1]
    assert (label.value.value, said_of((label,))) == (1_220_739, (Said.UNCHECKED,))


def test_a_negative_count_has_no_ratio_and_an_empty_bar_no_second_line() -> None:
    from matplotlib.figure import Figure

    soldiers = next(one for one in recorded_of("chapter-unary-encoding") if one.value.name == "Armed-Forces")
    assert (soldiers.value.value, soldiers.ratio_text) == (-92.5, "")
    for low, lines in ((-0.3, 0), (-20.0, 1)):
        curve = PanelCurve("A", Approach.LOCAL, (0.0, 1.0), (1_000.0, low))
        chart = published_panel.build(
            Figure(), PanelData(PublishedPanel("", curves=(curve,), labels=("a", "b"))), ChartStyle()
        )
        assert len(chart.axes.lines) == lines
        assert bool(chart.axes.get_ylim()[0] < 0) is bool(lines)


def recorded_of(name: str) -> tuple[Agreement, ...]:
    return figure_named(name).recorded


def test_only_what_is_printed_counts_as_published(capsys: pytest.CaptureFixture[str]) -> None:
    table = made("table-3.1")
    assert table.verdict == "Of 3 in the author's code or data alone: 3 fitted"
    texts = {one.value.what: one.published_text for one in table.agreements}
    assert texts["Mean payment, $"] == "13,167.38 (author's code)"
    assert texts["Least payment, $"] == "2,320.48 (author's data)"
    assert agreement_marks(figure_named("table-3.1")) == ((Said.MADE, "= 3 (unprinted)"),)
    assert table.figure.settings[0] == ("rows", "200,000 (text); 202,655 (author's code)", "202,655")
    assert not figure_named("table-3.3").values, "how many rows a sample has is a setting, and no result"
    assert agreement_marks(figure_named("4.7")) == ((Said.COMPUTED, "∴ 2 computed"),)
    assert listed(figure_named("4.7"))["agree"] is None, "nobody published what it agrees with"
    assert listed(figure_named("table-3.1"))["follows"]["Mean payment"] == "author's code"
    standings = [one.to_json()["standing"] for one in made("figure-3.2").agreements]
    assert standings[-2:] == ["published", "in the author's code or data alone"]
    every = dict(marks_of_all(FIGURES))
    printed = sum(
        one.value.many
        for figure in FIGURES
        for one in figure.recorded
        if one.value.standing == "published" and figure.identifier != "paper-algorithm-1"  # both tables are counted
    )
    assert agree_by_source(FIGURES) == "Agree: thesis 53 of 156 · chapter 16 of 34 · paper 4 of 4"
    assert printed == sum(
        int(words.split()[1].replace(",", ""))
        for said, words in every.items()
        if said not in {Said.TOGETHER, Said.APART}
    )


def test_in_json_as_in_words_only_what_is_published_agrees() -> None:
    plain = made("figure-4.8").to_json()
    assert [(one["agrees"], one["verdict"]) for one in plain["values"]] == [(False, "as computed")] * 2
    assert (plain["counts"]["agrees"], plain["counts"]["as computed"]) == (0, 2)
    assert set(listed(figure_named("4.7"))["verdicts"].values()) == {"as computed"}
    whole = made("figure-4.10").to_json()["together"]
    assert (whole["agrees"], whole["verdict"]) == (True, "agrees"), "of a figure, which is told apart from its values"


def test_a_preset_counts_a_table_once_that_two_of_its_figures_have() -> None:
    counts = listed_of_preset("mechanism-tables")["counts"]
    assert (counts["agrees"], counts["as computed"]) == (4, 2), "three tables, and a ratio that the paper prints"
    assert listed(figure_named("algorithm 1"))["counts"]["agrees"] == 2, "of itself it has both tables"


def test_what_a_value_is_judged_against_is_said_beside_it() -> None:
    for figure in FIGURES:
        for one in figure.recorded:
            assert bool(one.value.scale) == ("judged against" in one.basis), one.value.what
    released = figure_named("table-3.6").recorded[1]
    assert released.basis == "another sample: 1 % of the mean; judged against its error, 8,766; 500 runs each"


def test_before_a_run_values_are_written_as_after_it() -> None:
    for name in ("table-3.1", "table-3.2", "table-3.4", "table-3.5", "paper-survey"):
        ran = made(name)
        recorded_as = FigureOutcome(ran.figure, of_record=True).agreements
        before, after = ([one.ours_text for one in found] for found in (recorded_as, ran.agreements))
        assert before == after, name
    assert recorded_of("table-3.4")[0].ours_text == "15-19", "beside 15-20 in print"


def test_what_cannot_be_computed_has_no_number_of_ours_before_or_after_a_run() -> None:
    for found in (recorded_of("table-3.5"), made("table-3.5").agreements):
        plain = found[-1].to_json()
        assert (plain["what"], plain["label"]) == ("1,000,000, 3rd level", "Label of 1,000,000 at the 3rd level")
        assert (plain["published_text"], plain["ours"], plain["ours_text"]) == ("1,220,739", None, "–")
        assert plain["basis"] == "two of its four amounts are not printed"
    assert listed(figure_named("table-3.5"))["ours"]["1,000,000, 3rd level"] is None


def test_json_says_how_people_read_what_it_keeps_by_another_name() -> None:
    (variance,) = (one.to_json() for one in made("table-3.2").agreements if one.value.name == "Variance of California")
    read = "Variance, California, $²: here the printed deviation squared"
    assert (variance["label"], variance["ours_text"]) == (read, "355,514,796")
    assert listed(figure_named("table-3.2"))["labels"]["Variance of California"] == read
