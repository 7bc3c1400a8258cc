"""What published figures say: as their sources, whole and of one's own column; the paper, help and the manual."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from tests.evaluate.figure_runs import few
from tests.evaluate.published_words_helpers import captions, lines, settings_of
from workbench.core.paths import resources
from workbench.core.progress import SILENT
from workbench.evaluate.method import METHODS
from workbench.evaluate.preset import PRESETS
from workbench.evaluate.published.agreement import OurValue, PublishedValue, Said, agreement, said_of
from workbench.evaluate.published.catalogue import FIGURES, figure_named
from workbench.ldp.protocol import PROTOCOLS
from workbench.mechanisms.mechanism import MECHANISMS
from workbench.project.model import new_project
from workbench.session import Session
from workbench.session.published_figures import figure_runner, outcome_lines, panels_of
from workbench.session.published_meanings import MEANINGS

pytestmark = pytest.mark.timeout(300)


def test_a_page_is_the_one_on_which_the_text_says_it() -> None:
    assert "stabilises from about 2,000 people on (p. 49)" in lines("4.5"), "above the figure, which begins p. 50"
    assert "and direct encoding from 2.53 on" in lines("4.3"), "its curve lies below that of unary encoding from there"
    assert "also shows the protection (p. 17)" in lines("2.1"), "above the figure, on the same page"
    assert "“stabilizes near 0” (p. 24)" in lines("3.1"), "below the figure, before the section that begins p. 25"


def test_of_ones_own_column_no_more_is_run_than_the_chart_has(own_amounts: Session) -> None:
    outcome = figure_runner(own_amounts.comparison, figure_named("4.6"), "amount", repetitions=2)(SILENT)
    assert not outcome.mended.numbers, "no line speaks of it"


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


def test_what_is_expected_by_chance_is_so_whatever_is_true_and_not_whatever_is_answered() -> None:
    for number in ("chapter-randomised-response", "chapter-unary-encoding"):
        assert "8,140 are expected by chance, whatever is true." in lines(number)


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


def test_one_run_is_one_run() -> None:
    one = agreement(PublishedValue("error", 10.0, repetitions=1), OurValue(9.0, 1.0, 1), 1.0, 1)
    assert one.basis == "1 run each"
    assert agreement(PublishedValue("error", 10.0, repetitions=2), None, 1.0, 2).basis == "2 runs each"


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


@pytest.mark.parametrize(("number", "there"), [("3.1", "100"), ("4.9", "10, of the same reports (author's code)")])
def test_below_a_chart_of_few_repetitions_it_is_said_how_many_were_run(number: str, there: str) -> None:
    outcome = few(figure_named(number))
    published, *_ = captions(outcome).values()
    assert f"; repetitions: {there}, 2 here" in published and "Points are means of 2 repetitions." in published
    usual = replace(outcome, repetitions=outcome.figure.repetitions)
    assert usual.settings == outcome.figure.settings


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


def test_a_heading_is_called_the_same_where_it_is_spoken_of() -> None:
    outcome = few(figure_named("3.4"))
    heading = "Where it differs, and why"
    assert f"{heading}:" in outcome_lines(outcome) and f"“{heading}”" in MEANINGS[Said.DIFFERS]


def test_what_is_added_and_what_is_reached_is_said_plainly() -> None:
    for name in ("paper-survey", "paper-truncated-geometric-2", "paper-truncated-geometric-4"):
        assert "A row is added: for each output the largest ratio" in lines(name)
    assert "and for 10 it equals ln 4 in four digits" in lines("paper-algorithm-1")
    said = lines("table-3.1")
    assert "was made to have the least and the greatest payment, and nearly the mean." in said


def test_two_coins_are_not_said_to_be_of_a_text_that_has_one() -> None:
    for citation in (
        METHODS["coins-published"].citation,
        PRESETS["randomised-response"].citation,
        PRESETS["mechanism-tables"].citation,
    ):
        assert "Warner" not in citation and "C. Dwork, A. Roth" in citation
    for both in (PROTOCOLS["rr"].citation, MECHANISMS["survey"].citation):
        assert "Warner" in both and "two coins: C. Dwork, A. Roth" in both
