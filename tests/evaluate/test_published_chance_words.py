"""What published figures say of errors: which are larger, and how far chance alone may have moved them."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pytest

from tests.evaluate.figure_runs import few
from tests.evaluate.published_words_helpers import captions, lines, settings_of
from workbench.evaluate.published import local_runs
from workbench.evaluate.published.agreement import OurValue
from workbench.evaluate.published.catalogue import figure_named
from workbench.evaluate.published.chapter4_lines import best_between
from workbench.evaluate.published.entry import FigureOutcome, FigureSide
from workbench.evaluate.published.fewest import at_fewest, at_place
from workbench.evaluate.published.panel import PanelCurve
from workbench.evaluate.published.winners import ONE_ERROR, STANDARD_ERRORS, told_apart, with_error
from workbench.ldp.choice import ProtocolChoice

pytestmark = pytest.mark.timeout(300)


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


def test_what_only_clearly_errs_more_is_said_to_do_so_clearly() -> None:
    said = lines("beyond-estimator", 20)
    assert (
        "distance-sensitive encoding errs clearly more than unary encoding with 4,000 people: by 1.185 ± 0.099" in said
    )
    assert "Whether the estimator decides which errs less there cannot be told." in said, "0.537 ± 0.030, 0.623 ± 0.056"


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


def test_a_standard_error_is_of_runs_with_people_of_their_own() -> None:
    for name in ("beyond-shape", "beyond-estimator", "beyond-people", "beyond-values", "beyond-unary-em"):
        said = lines(name)
        assert "± is one standard error; “or”" in said or "± is one standard error." in said, name
        assert "ten at a time" not in said and "as if all runs" not in said


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


def test_the_random_matrix_is_said_to_go_up_and_down_by_chance() -> None:
    for number in ("4.3", "4.4"):
        assert "The curve of the random matrix goes up and down by chance alone: ε was never passed" in lines(number)
    read = [one.value for one in figure_named("4.4").values if one.curve.startswith("Random")]
    assert max(read) > 3 * min(read), "which nobody calls flat"


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


def test_of_single_runs_nothing_is_said_to_be_beyond_chance() -> None:
    one, many = OurValue(2.0), OurValue(2.0, 0.1, 10)
    assert not told_apart(one, OurValue(1.0)) and told_apart(many, replace(many, mean=1.0))
    assert "none the most beyond chance" in " ".join(as_drawn(few(figure_named("4.5"), 1)).differs)
    assert "distance that cannot be told" in " ".join(as_drawn(few(figure_named("4.11"), 1)).differs)


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
