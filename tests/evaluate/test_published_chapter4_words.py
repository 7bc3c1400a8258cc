"""What published figures of chapter 4 say: of protocols, the ε that they spend, people and what is drawn."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from tests.evaluate.figure_runs import few
from tests.evaluate.published_words_helpers import LOCAL, captions, lines, settings_of
from workbench.core.number_text import estimate, with_places
from workbench.core.progress import SILENT
from workbench.evaluate.presets import ages
from workbench.evaluate.published import local_runs
from workbench.evaluate.published.catalogue import figure_named
from workbench.evaluate.published.curve_notes import CURVE_NOTES
from workbench.evaluate.published.entry import FigureInput
from workbench.evaluate.published.originals import distance_sensitive, reports_as_one
from workbench.evaluate.subject import subject_of
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.estimation import AUTOMATIC
from workbench.ldp.protocols.the import best_threshold
from workbench.session.published_figures import panels_of
from workbench.session.shipped_samples import sample_of

pytestmark = pytest.mark.timeout(300)


def test_the_number_of_people_is_not_what_the_text_multiplies_by_100() -> None:
    for number in ("4.5", "4.6", "4.10", "4.11"):
        (error,) = (row for row in figure_named(number).settings if row[0] == "error")
        assert error[1].endswith("; divided by the number of people, times 100 (author's code)")
    for number in ("4.9", "4.10", "4.11"):
        (row,) = (row for row in figure_named(number).settings if row[0] == "distance-sensitive")
        assert row[1] == "divides by p* − s, with p* the probability of the whole area"


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


def test_what_is_mended_near_the_ends_is_not_said_to_spend_more_in_the_middle() -> None:
    published, mended = (
        side.panels[0] for side in (few(figure_named("4.8")).published, few(figure_named("4.8")).mended)
    )
    assert mended.title == "Mended: ε = ln 20 near the ends too"
    assert mended.curves[0].means == pytest.approx(published.curves[0].means, abs=1e-12), "the row that is drawn"


def test_a_curve_of_equal_reaches_is_not_said_to_have_steps_where_chance_makes_none() -> None:
    found = captions(few(figure_named("4.9")))
    below = [caption for title, caption in found.items() if title.startswith("Mended") and "other" not in title]
    assert len(below) == 2
    for caption in below:
        assert "θ is 1 from ε = ln 2 to ln 6 = 1.79: there the errors of distance-sensitive encoding" in caption
        assert "has steps" not in caption


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


def test_a_value_as_far_as_the_reach_is_no_likelier_than_those_beyond() -> None:
    channel = ProtocolChoice.parse("ds").frequency(89, math.log(20)).channel()
    assert channel is not None
    assert channel[44, 48] == pytest.approx(channel[44, 88]) and channel[44, 47] > 1.5 * channel[44, 48]
    assert "all values from that distance on are equally likely" in figure_named("4.8").caption


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


def test_the_answers_of_figure_4_2_are_not_said_to_be_those_of_randomised_response() -> None:
    assert figure_named("4.2").caption.startswith(
        "The answers that the protocols of figures 4.3 to 4.6 and 4.9 to 4.11"
    )
    assert settings_of("4.1")["people"][0] == "100 to 9,900, fair coins", "a local protocol with answers of its own"


def test_a_curator_who_is_asked_for_one_count_is_said_to_hide_answers_at_epsilon() -> None:
    outcome = few(figure_named("4.1"))
    (curve,) = (one for one in outcome.mended.panels[0].curves if one.formula)
    alpha = math.exp(-math.log(3))
    assert curve.means[0] == pytest.approx(2 * alpha / (1 - alpha**2) / 100), "noise of scale 1/ε, of 100 people"
    below = captions(outcome)["Mended: how many have “Police Officer”"]
    assert "as one count is asked for, ε is enough to hide what a person answered." in below
    assert "2ε" not in below, "another answer changes the count by 1 at most, as leaving a person out does"


def test_settings_of_chapter_4_hold_for_any_number_of_answers() -> None:
    """With 5 answers a person too many costs 4 places, and at ln 20 the corrected form spends more."""
    for number in ("4.4", "4.6", "4.9", "4.10", "4.11"):
        rows = {name: (there, here) for name, there, here in figure_named(number).settings}
        assert "49 places" not in rows["error"][0]
        if number in {"4.10", "4.11"}:
            assert "with 50 answers at ln 20 the corrected form is the same" in rows["distance-sensitive"][1]


def test_a_number_that_was_chosen_by_one_value_leaves_the_others_as_a_test() -> None:
    caption = figure_named("4.9").caption
    assert "tests nothing" not in caption
    assert "fitted to the error of direct encoding at ε = 0.8; all other values are compared" in caption
