"""Sentences and captions of published figures follow from the numbers beside them."""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import replace

import numpy as np
import pytest

from tests.evaluate.figure_runs import few, made
from workbench.cli.main import main
from workbench.core.number_text import estimate
from workbench.evaluate.method import Approach
from workbench.evaluate.published.agreement import (
    OurValue,
    Said,
)
from workbench.evaluate.published.catalogue import FIGURES, figure_named
from workbench.evaluate.published.chapter4_lines import with_few
from workbench.evaluate.published.entry import (
    FigureOutcome,
    FigureSide,
    our_value,
)
from workbench.evaluate.published.fewest import at_fewest
from workbench.evaluate.published.originals import distance_sensitive, random_matrix
from workbench.evaluate.published.panel import RUN_HERE, PanelCurve, PublishedPanel
from workbench.evaluate.published.winners import (
    STANDARD_ERRORS,
    best_at,
    times_text,
    told_apart,
    with_error,
)
from workbench.ldp.choice import ProtocolChoice
from workbench.session.published_captions import _WITHIN, data_words, printed_caption
from workbench.session.published_figures import (
    outcome_lines,
    panels_of,
)

pytestmark = pytest.mark.timeout(300)
"""The first test that needs the published noise loads its library, whichever that is."""


def test_settings_say_how_often_everything_was_tried() -> None:
    def row(figure: str, name: str, repetitions: int) -> str:
        outcome = FigureOutcome(figure_named(figure), repetitions=repetitions)
        return next((here for one, _, here in outcome.settings if one == name), "")

    assert row("4.11", "repetitions", 0) == row("4.11", "repetitions", 10) == "10, each with people of its own"
    assert row("4.11", "repetitions", 2) == "2, each with people of its own"
    assert row("4.3", "repetitions", 2) == "2"
    assert row("table-3.2", "private answers", 2) == "2 each, and their mean error"
    assert row("chapter-unary-encoding", "runs", 7) == "7"
    (there,) = (
        there for one, there, _ in FigureOutcome(figure_named("3.9"), repetitions=7).settings if one == "releases"
    )
    assert there.endswith("Here: 7, less those that lost every row"), "the mended side has 100 whatever is asked for"
    assert row("3.9", "releases", 7) == "100, less those that lost every row"


@pytest.mark.parametrize("number", ["3.4", "3.5", "3.6"])
def test_the_author_s_code_names_an_epsilon_where_the_text_names_none(number: str) -> None:
    figure = figure_named(number)
    (there,) = (there for name, there, _ in figure.settings if name == "ε")
    assert "1 in the author's code" in there
    assert "default" not in there


def test_a_caption_promises_no_cost_below_a_drawing_without_any() -> None:
    captions = {
        data.panel.title: printed_caption(few(figure_named("2.2")), side, data)
        for side, data in panels_of(few(figure_named("2.2")))
    }
    assert "Settings" not in captions["Mended: where trust ends"]


def test_sentences_follow_from_the_numbers_beside_them() -> None:
    """What a caption or a line says of a figure holds of the values that were published and that are made here."""
    by_people = made("figure-4.5")
    at_ten = {one.curve: (one.value, our.mean) for one in by_people.figure.values
              if one.place == 10 and (our := our_value(one, by_people.published)) is not None}  # fmt: skip
    above = {name for name, both in at_ten.items() if min(both) > 1_200}
    assert above == {"Direct encoding", "Unary encoding (OUE)"}, "“by over 12 times the people” is said of these two"
    # The floor of the random matrix is its bias: without any noise it would err by about as much as with 9,810 people.
    counts = np.round(np.array(made("figure-4.2").published.panels[0].curves[0].means))
    generator = np.random.default_rng(5)
    shares = counts / counts.sum()
    matrices = [random_matrix.drawn_matrix(50, generator) for _ in range(200)]
    bias = 100 * float(np.mean([np.abs(one.T @ (one @ shares) - shares).sum() for one in matrices]))
    end = by_people.published.panels[0].curves[-1].means[-1]
    assert end > 67
    assert end == pytest.approx(bias, rel=0.25)
    lines = few(figure_named("4.5"), 1).differs
    assert "only its estimates below 0 were kept; those of the others were set to 0" in lines[0]
    assert "histogram encoding still errs less: 45 against 50" in lines[0]
    assert "stay biased" in lines[2]
    assert "At 9,810 people it errs by" in lines[2]
    assert not any("cut at 0" in line for line in lines)


@pytest.mark.parametrize(("number", "places"), [("4.9", 49), ("4.10", 49)])
def test_what_is_said_to_stay_with_ever_more_people_is_what_very_many_come_to(number: str, places: int) -> None:
    """The part of the total that is counted, and the error that stays, of the published program itself."""
    from workbench.evaluate.published.originals.unequal_masses import unequal_kantorovich

    counts = np.round(np.array(made("figure-4.2").published.panels[0].curves[0].means)).astype(np.int64)
    line = next(one for one in few(figure_named(number), 1).differs if "with ever more people" in one)
    epsilon = 4.47 if number == "4.9" else math.log(20)
    people = 500 * counts
    many = distance_sensitive.estimates(50, epsilon, people, np.random.Generator(np.random.PCG64(7)))
    total, stays = (
        float(found[1]) for found in (re.search(words, line) for words in (
            r"the total comes to ([\d.]+) %", r"that of distance-sensitive encoding to ([\d.]+)")) if found is not None
    )  # fmt: skip
    assert total == pytest.approx(100 * many.sum() / people.sum(), abs=0.3)
    per_100 = 100 / people.sum()
    assert stays == pytest.approx(per_100 * unequal_kantorovich(many * 1.0, people * 1.0), rel=0.02)
    assert places * (100 - total) < stays, "each person who is missing costs 49 places, and others are moved"


@pytest.mark.parametrize("number", ["4.10", "4.11"])
def test_whether_few_people_suit_a_protocol_is_said_as_chance_allows(number: str) -> None:
    outcome = few(figure_named(number), 2)

    def said(own: float) -> str:
        """Where distance-sensitive encoding errs by this, and the others by 5 and 6 ± 0.1."""
        errors = {"Distance-sensitive": own, "Direct encoding": 5.0, "Unary encoding (OUE)": 6.0}
        panel = outcome.mended.panels[0]
        curves = tuple(
            replace(one, means=(errors[one.name], *one.means[1:]), deviations=(0.1, *one.deviations[1:]), repetitions=1)
            for one in panel.curves
            if one.name in errors
        )
        return with_few(replace(outcome, mended=FigureSide((replace(panel, curves=curves),))))

    distance = "Kantorovich" if number == "4.10" else "Manhattan"
    assert f"By {distance} distance that is so: mended, with 10 people it errs by 2.00 ± 0.10" in said(2.0)
    assert "that cannot be told:" in said(5.1)
    assert "that is not so:" in said(5.5)
    assert "direct encoding by 5.00 ± 0.10, unary encoding by 6.00 ± 0.10." in said(2.0)
    assert (" years, direct" in said(2.0)) == (number == "4.10")
    printed = our_value(next(one for one in outcome.figure.values if one.place == 10 and "sensitive" in one.curve),
                        outcome.published)  # fmt: skip
    assert printed is not None
    assert (f"As published it errs by {estimate(printed.mean, 3)} for" in said(2.0)) == (number == "4.11")


def test_that_em_errs_less_is_said_by_differences_from_the_same_bits() -> None:
    outcome = few(figure_named("beyond-unary-em"), 5)
    for side, line, unit in (
        (outcome.published, outcome.differs[0], ""),
        (outcome.mended, outcome.differs[1], " years"),
    ):
        curves = {one.name: one for one in side.panels[0].curves}
        last = [curves[f"Unary (OUE), {way}"].at(2_000.0) for way in ("Norm-Sub", "EM")]
        assert None not in last
        plain, em = (one for one in last if one is not None)
        (less,) = side.numbers.values()
        assert less.mean == pytest.approx(plain.mean - em.mean), "the difference of the two means, and it is paired:"
        assert less.deviation < math.hypot(plain.deviation, em.deviation)
        apart = abs(less.mean) > 2 * less.deviation / math.sqrt(5)
        assert ("these two cannot be told apart" in line) != apart
        word = "less" if less.mean > 0 else "more"
        assert (f"EM errs {word}, by " in line) == apart
        own = curves["Distance-sensitive, EM"].at(2_000.0)
        assert own is not None
        assert f"There distance-sensitive encoding errs by {with_error(own)}{unit}" in line
        others = [one.at(2_000.0) for name, one in curves.items() if name.startswith("Unary")]
        assert ("more than all others" in line) == all(told_apart(own, one) for one in others if one is not None)


def test_a_reach_of_1_is_judged_beside_a_guess_for_which_nobody_is_asked() -> None:
    outcome = few(figure_named("beyond-theta"))
    for side in (outcome.published, outcome.mended):
        assert side.panels[0].curves[-1].name == "Uniform guess"
    line = outcome.differs[2]
    reported, guess = (outcome.mended.panels[0].curves[one].at(4_000.0) for one in (0, -1))
    assert reported is not None
    assert guess is not None
    assert "years with 1,000 people and by " in line
    assert f"all answers are equally frequent ({guess.mean:.1f}"[:-2] in line
    assert ("more than a guess" in line) == told_apart(reported, guess)
    assert "uniform guess" not in "".join(outcome.differs[:2]).lower(), "it is none of those that are compared"


def test_lines_on_few_and_many_people_follow_from_the_curves() -> None:
    worst, turning, *_ = few(figure_named("4.5"), 2).differs
    assert "none the most beyond chance" in worst or "the most." in worst
    curves = {one.name: one for one in few(figure_named("4.5"), 2).published.panels[0].curves}
    for name, curve in curves.items():
        if name.startswith("Random"):
            continue
        ends = [estimate(found.mean, 3) for at in (2_010.0, 9_810.0) if (found := curve.at(at)) is not None]
        assert f" from {ends[0]} to {ends[1]}" in turning, name
    moved = few(figure_named("4.6"), 2)
    best = moved.differs[0]
    names = {one.name for panel in moved.mended.panels for one in panel.curves} - {"Global DP"}
    at_ten = {name: found for name in names if (found := at_fewest(moved.mended, name)) is not None}
    guess = at_ten.pop("Uniform guess")
    less = [name for name, one in at_ten.items() if one.mean < guess.mean]
    assert f"a uniform guess, which errs by {with_error(guess)} years" in best
    assert all(name.lower()[1:] in best.lower() for name in less)
    printed = {(one.curve, one.place): one.value for one in moved.figure.values}
    for place in (10, 210):
        assert printed["Random matrix (ε = 1)", place] == min(v for (_, at), v in printed.items() if at == place)
    pure = {key: value for key, value in printed.items() if not key[0].startswith("Random")}
    for place in (10, 210, 9_810):
        assert min((v, name) for (name, at), v in pure.items() if at == place)[1].startswith("Unary")
    people = few(figure_named("beyond-people"), 3)
    million = people.differs[1]
    found = {one.name: value for one in people.mended.panels[0].curves if (value := one.at(1e6)) is not None}
    own, (before, _, near) = found["Distance-sensitive"], million.partition("; it cannot be told from ")
    less, _, more = before.partition("more than ")
    for one, word in (("Direct encoding", "direct"), ("Unary (OUE)", "unary"), ("Square Wave", "Square Wave")):
        assert (word in less) == told_apart(found[one], own), one
        assert (word in more) == told_apart(own, found[one]), one
        assert [word in less, word in more, word in near].count(True) == 1, one


def test_what_nobody_published_names_whose_it_is_and_is_not_said_to_differ(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["preset", "beyond-told-attacks"]) == 0
    said = capsys.readouterr().out
    assert "What it shows:" in said
    assert "it differs" not in said
    sources = {figure.identifier: figure.source for figure in FIGURES if figure.document.ours}
    assert sources["beyond-shape"].startswith("Ours, on the answers of figure 4.2")
    assert sources["beyond-unary-em"] == "Ours, following the entry “Estimator”"
    left_open = [name for name, source in sources.items() if "a question left open" in source]
    assert left_open == [
        f"beyond-{name}" for name in ("estimator", "people", "values", "theta", "reach", "libraries")
    ], "page 61 leaves open how to aggregate, extreme sizes and reaches, and other libraries"
    assert figure_named("paper-truncated-geometric-4").source.endswith("section on above threshold mechanisms")


def below(word: Said) -> tuple[str, ...]:
    """How what is said of crosses is said, and meant, in a caption: of one and of several."""
    if word is Said.TOGETHER:  # all that are drawn, or some of them
        return (" ones), they agree", " ones), agree")
    one, several, meant = _WITHIN.get(word, ("they agree", "they agree", ""))
    if word is Said.APART:
        return ("they differ by more than chance",)
    begin = meant.partition("{")[0]
    return (f" {one}{begin}", f" {several}{begin}")


def test_a_caption_counts_the_crosses_that_are_drawn_and_says_what_is_meant() -> None:
    def crosses(figure: str) -> str:
        outcome = made(figure)
        data = next(data for side, data in panels_of(outcome) if side == "published" and data.values)
        return printed_caption(outcome, "published", data).partition("Crosses: ")[2]

    assert crosses("figure-3.1") == (
        "published values, read off the picture to ± 1,500; allowed for: misreading and chance, which rejects one "
        "correct value in 1,000; all lie within that, which proves no agreement."
    )
    unary = crosses("chapter-unary-encoding")
    assert "6 agree (at most a quarter of the true number is allowed), 6 lie within that, which proves no" in unary
    assert (
        "2 cannot be checked (as much as the true number, or more, is allowed); 6 of them, taken together (" in unary
    ), "of 14, not of all 29"
    every = made("chapter-unary-encoding").verdict
    assert every.startswith("Of 29 published: 13 agree · 12 within range · 4 cannot be checked;")
    assert "taken together with 1 that is not drawn" in crosses("figure-3.5"), "the one of p. 28 is in no picture"
    assert "4 differ by more (thick and red)." in crosses("figure-3.4")
    assert "another sample (4 % of the rows)" in crosses("figure-3.4")
    assert crosses("figure-4.7").endswith("allowed for: rounding to 4 places; all come out as computed.")


def test_a_caption_alone_speaks_of_its_own_picture() -> None:
    """No “the same” whose first is elsewhere, no setting of another chart, no run where only print is shown."""
    for figure in FIGURES:
        for row in figure.settings:
            assert not re.search(r"^the same\b(?!$)", row[2]), (figure.identifier, row)
    bars = few(figure_named("3.2"))
    side, data = panels_of(bars)[-1]
    caption = printed_caption(bars, side, data)
    assert data.panel.title == "Global against local"
    assert not re.search(r"; (ε|ε protects|repetitions|axes|mechanism): |Crosses", caption), "it has no ε at all"
    coins = few(figure_named("4.1"))
    drawn = [printed_caption(coins, side, data) for side, data in panels_of(coins)]
    assert [f"Data: {data_words(coins)}" in one for one in drawn] == [False, True], "fair coins are no sample"
    assert data_words(coins) == "column “job title” of the synthetic sample “City salaries”"
    unary = few(figure_named("chapter-unary-encoding"), 3)
    assert "runs: 1 each of estimates and bits in the book. Here: 3;" in printed_caption(unary, *panels_of(unary)[0])
    table, ran, _ = panels_of(few(figure_named("table-3.2")))
    assert "Here" not in printed_caption(few(figure_named("table-3.2")), *table), "what is printed has no run of ours"
    assert "Here: the same for the mean" in printed_caption(few(figure_named("table-3.2")), *ran)
    attacks = few(figure_named("beyond-told-attacks"))
    two, hospitals, chart = (printed_caption(attacks, *one) for one in panels_of(attacks))
    assert "56.5" in chart
    assert not any("56.5" in one or "0.1 to 5" in one for one in (two, hospitals))
    assert "Mr White" not in hospitals
    assert "4 of 10 rows" not in hospitals


def test_a_caption_says_what_its_picture_has_and_only_the_words_that_occur() -> None:
    outcome = few(figure_named("4.9"), 1)
    for side, data in panels_of(outcome):
        caption = printed_caption(outcome, side, data)
        named = re.search(r"; protocols: (.*?); estimates below 0", caption)
        assert named is not None
        if side == "mended":
            assert re.findall("“(.*?)”", named[1]) == [one.name for one in data.panel.curves if not one.formula]
        for word in Said:
            assert any(one in caption for one in below(word)) == (side == "published" and word in outcome.said)
    three = few(figure_named("3.1"), 1)
    side, data = panels_of(three)[0]
    assert "Dotted" not in printed_caption(three, side, data), "each chart has one curve, as in print"
    beyond = few(figure_named("beyond-shape"))
    captions = [printed_caption(beyond, side, data) for side, data in panels_of(beyond)]
    for caption, own, other in ((captions[0], *beyond.differs[:2]), (captions[1], *beyond.differs[1::-1])):
        assert own in caption, "what it shows stands below it"
        assert other not in caption, "and nothing of the other picture"
        assert all(line in caption for line in beyond.differs[2:])
        assert ("Kantorovich distance: " in caption) != ("Manhattan distance: " in caption)
    assert not any("Data: " in one for one in captions), "only the bounds are taken from it"
    for figure in FIGURES:
        if figure.document.ours:
            words = " ".join((figure.caption, *itertools.chain.from_iterable(figure.settings)))
            assert not re.search(r"\b([Ll]eft|[Rr]ight)\b", words), "each of its pictures is printed alone"


def test_of_a_picture_alone_nothing_is_headed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["preset", "4.2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    headed = [line for line, after in itertools.pairwise(lines) if line.endswith(":") and not after.startswith("  ")]
    assert not headed


def test_a_line_names_the_epsilon_and_the_people_that_it_is_about() -> None:
    lines = few(figure_named("4.9"), 1).differs
    assert "about 20,000 as before (p. 47 and 58), or 10,000 (author's code)" in lines[0]
    assert "part of the 200,000 reports of figure 4.2" in lines[0]
    assert "With θ = 3, which ε = ln 12 gives, ε should be 2.4849; it is 2.5698." in lines[1]
    assert "With θ = 4, which this ε gives, ε should be 2.9957" in distance_sensitive.flaw(50, math.log(20)).audit
    assert (
        "at ε = 1, a share estimated from 10,000 people has a standard deviation 70.7 times as large with randomised "
        "response as with a trusted curator's geometric noise" in few(figure_named("2.2")).differs[1]
    )


def test_this_program_is_never_taken_for_that_of_an_author() -> None:
    for figure in FIGURES:
        words = [figure.caption, *(cell for row in figure.settings for cell in row)]
        words += [f"{one.source} {one.mark} {one.basis}" for one in figure.values]
        assert not [one for one in words if "program" in one], figure.identifier


def test_a_line_about_libraries_has_the_numbers_of_both() -> None:
    _, line, bars, bounds = few(figure_named("beyond-libraries")).differs
    number = r"[\d.]+( ± [\d.]+)?"
    assert re.search(rf"errs by \${number} with diffprivlib and by \${number} with discrete noise \(±", line)
    assert re.search(rf"errs by {number} rows with diffprivlib and by {number} with discrete noise\. ", bars), (
        "by chance, or without empty bars, diffprivlib may err more"
    )
    assert "500,000" in bounds


def test_what_speaks_against_a_protocol_is_told_with_its_numbers() -> None:
    reach = few(figure_named("beyond-reach"))
    ours, direct = (
        next(one for one in reach.published.panels[0].curves if one.name == name).at(49.0)
        for name in ("Distance-sensitive", "Direct encoding")
    )
    assert ours is not None
    assert direct is not None
    told = reach.differs[1]
    assert f"and by {with_error(ours)} at θ = 49" in told
    assert f"and {with_error(direct)}. The text" in told
    assert "a probability of 0.34 there" in told, "2,450/7,203, by the formula of p. 54–55"
    fell = few(figure_named("beyond-people")).differs[0]
    assert fell.count(" from ") == 4, "each local protocol has its own two numbers"
    shape = few(figure_named("beyond-shape"))
    assert " or " in "".join(shape.differs[:2]), "what chance cannot tell apart is not said to win"
    printed = made("paper-truncated-geometric-4").published.panels[0].title
    assert printed == "As printed, in Algorithm 1", "it is no table there"


def test_who_errs_least_is_said_with_its_error_and_with_whom_chance_does_not_tell_apart() -> None:
    def curve(name: str, mean: float) -> PanelCurve:
        return PanelCurve(name, Approach.LOCAL, (2.0, 5.0), (mean, 9.0), (4.0, 0.0), 16)

    # The standard error of each is 1, so that 2.9 and less cannot be told from 0.1 more than 2 √2 below it.
    panel = PublishedPanel("", curves=(curve("Square Wave", 8.0), curve("Direct encoding", 6.0), curve("A", 3.1)))
    assert (
        best_at(panel, "Manhattan", {2.0: "2 values"})
        == "By Manhattan distance, A errs least with 2 values (3.1 ± 1.0)."
    )
    assert not told_apart(OurValue(5.9, 4.0, 16), OurValue(3.1, 4.0, 16))
    near = replace(panel, curves=(*panel.curves[:2], curve("A", 3.2)))
    assert "direct encoding or A errs least with 2 values (A: 3.2 ± 1.0)" in (
        best_at(near, "Manhattan", {2.0: "2 values"})
    ), "whose the number is"
    halved = (curve("Half", 3.0), curve("Whole", 6.0))
    flat = tuple(replace(one, means=(one.means[0],) * 2, deviations=(0.4, 0.4)) for one in halved)
    # ½·√(2·((0.1/3)² + (0.1/6)²))/2
    assert times_text(*flat) == "0.500 ± 0.013"
    for name in ("beyond-shape", "beyond-values", "beyond-theta", "beyond-reach"):
        lines = few(figure_named(name)).differs
        assert STANDARD_ERRORS in lines
        assert all(" ± " in line for line in lines if "errs least" in line)
    over = few(figure_named("4.10")).differs[1]
    assert re.search(r"Square Wave [\d.]+ ± [\d.]+ times as much as distance-sensitive encoding", over)


def test_printed_errors_far_above_what_is_expected_are_told_alone_and_together() -> None:
    line = few(figure_named("3.1")).differs[1]
    # Over the noise of 100 runs each is less than 3.29 errors off, and their sum over √4 more than 2.
    assert "each alone is within chance" in line
    told = "Together they are 2.5 standard errors too high; chance takes them as far, up or down, about 1 time in 80."
    assert told in line
    assert "formula" not in line, "the four charts draw none"
    third = few(figure_named("3.1")).differs[2]
    assert "for which the mended version promises 2ε" in third


def test_what_is_run_with_other_people_than_published_says_so_above_its_chart() -> None:
    outcome = few(figure_named("4.9"), 1)
    assert outcome.published.panels[0].title == "As published, with 2,000 people"
    assert few(figure_named("4.10"), 1).published.panels[0].title == RUN_HERE
    lines = outcome_lines(outcome)
    assert "As published, with 2,000 people:" in lines, "not called published settings as well"
    side, data = panels_of(outcome)[0]
    assert "left" not in (said := printed_caption(outcome, side, data))
    assert said.startswith("Figure 4.9, as published, with 2,000 people: ")


def test_both_printed_means_have_ours_beside_them_and_the_levels_are_told_alike() -> None:
    table = made("table-3.6")
    assert table.verdict == "Of 2 published: 1 cannot be checked · 1 fitted"
    assert [one.published_text for one in table.agreements] == ["2,868,981.32", "2,860,215.6"]
    (panel,) = table.published.panels
    row = next(row for row in panel.rows if row[0] == "here, means of 256 amounts")
    assert [one.ours_text for one in table.agreements] == list(row[1:]), "a number looks the same wherever it stands"
    said = {
        next(there for name, there, _ in figure_named(name).settings if name == "levels").partition(";")[0]
        for name in ("table-3.5", "table-3.6", "figure-3.9")
    }
    levels = "7 (p. 35, table 3.5), 4 (p. 34) or 10 (author's code). The first level holds the values, the last is *"
    assert said == {levels}


def test_a_curve_that_jumps_by_chance_alone_says_so() -> None:
    """Of figure 4.9, three mended points have the same law."""
    outcome = few(figure_named("4.9"))
    (line,) = (one for one in outcome.differs if "by chance alone" in one)
    curve = next(one for one in outcome.mended.panels[0].curves if one.name == "Distance-sensitive")
    means = [with_error(found) for at in curve.places if at < math.log(6) and (found := curve.at(at)) is not None]
    assert (
        f"{means[0]}, {means[1]} and {means[2]} years of the mended curve at ε = 0.8, 1.13 and 1.47 differ by chance"
        in line
    )
    channels = [ProtocolChoice.parse("ds").frequency(50, at).channel() for at in curve.places[:3]]
    assert all(np.array_equal(channels[0], one) for one in channels)
