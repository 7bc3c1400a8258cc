"""What a new plan of a collection begins with, which no saved project does; and what is simulated of it."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from workbench.core.amount_text import float_amount
from workbench.core.progress import SILENT
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.crowd import Headcount, Persons
from workbench.ldp.encoding import EncodingChoice, EncodingKind
from workbench.ldp.plan import Shape
from workbench.ldp.sampling import sampling_error
from workbench.ldp.share_margin import MARGIN
from workbench.ldp.simulation import SimulationErrors, SimulationSetting, baselines, simulate_frequencies, simulate_mean
from workbench.project.collect_settings import RANKED, CollectSettings
from workbench.project.model import Project
from workbench.project.storage import save_project
from workbench.session import Session
from workbench.session.collection.decision import gives_away
from workbench.session.collection.foreseen import ordering_error
from workbench.session.collection.mean_baselines import mean_baselines
from workbench.session.collection.predicted_table import heading_tips
from workbench.session.collection.simulated_table import NumbersTable, beside_predicted, numbers_csv, simulated_table
from workbench.session.collection.words import epsilon_read, scale_of

COUNTS = np.array([500, 300, 200])
SEVEN = EncodingChoice(domain=tuple("abcdefg"))
USUAL = CollectSettings()


def begun(settings: CollectSettings) -> tuple[int, str, float]:
    return settings.repetitions, settings.aim, settings.target


# What a plan begins with


def test_a_new_survey_simulates_enough_and_aims_at_a_margin_of_each_share() -> None:
    desk = Session().collection
    assert begun(desk.settings) == (200, MARGIN, 3.0)
    desk.change(encoding=SEVEN)
    assert begun(desk.settings) == (200, MARGIN, 3.0)


def test_files_that_say_nothing_mean_what_they_meant(tmp_path: Path) -> None:
    """A plan of an older program is saved with every setting, and a file without any means the same as ever."""
    assert begun(USUAL) == (20, RANKED, 5.0)
    path = tmp_path / "older.wbench"
    save_project(Project(collect=replace(USUAL, encoding=SEVEN, users=700)), path)
    session = Session.from_file(path)
    assert begun(session.collection.settings) == (20, RANKED, 5.0)
    session.collection.change(epsilon=2.0)
    assert begun(session.collection.settings) == (20, RANKED, 5.0)


def test_beside_a_table_the_first_question_simulates_enough_and_what_somebody_chose_stays(tmp_path: Path) -> None:
    path = tmp_path / "modes.csv"
    path.write_text("mode,town\n" + "car,A\nbus,B\n" * 20, encoding="utf-8")
    session = Session()
    session.data.open(path)
    desk = session.collection
    assert begun(desk.ask_about("mode")) == (200, RANKED, 5.0)
    desk.change(repetitions=30)
    assert desk.ask_about("town").repetitions == 30
    desk.change(target=4.0)
    assert begun(desk.ask_nobody()) == (30, RANKED, 4.0), "what somebody chose"
    other = Session()
    other.data.open(path)
    other.collection.change(column="mode", users=40)
    assert begun(other.collection.settings) == (20, RANKED, 5.0), "a program asks for what it wants"
    assert begun(other.collection.ask_nobody()) == (200, MARGIN, 3.0)


# Sampling error


def test_a_simulated_collection_asks_others_where_sampling_error_counts() -> None:
    """By hand: with hardly any noise what is left is whom one happens to ask, by the formula of de Moivre."""
    usual = SimulationSetting(16.0, 400, 2000, seed=3)
    drawn = replace(usual, sampling=True)
    expected = sampling_error(COUNTS / 1000, 400)
    for found in (
        simulate_frequencies(ProtocolChoice("grr"), COUNTS, drawn).errors["l1"],
        baselines(COUNTS, drawn).curator["l1"],
    ):
        assert abs(found.mean - expected) < 4 * found.se + 0.002
    assert simulate_frequencies(ProtocolChoice("grr"), COUNTS, usual).errors["l1"].mean < expected / 20
    # Two reports of each person, which are alike, are as few people as half of them.
    twice = replace(drawn, of_one_person=2)
    found = simulate_frequencies(ProtocolChoice("grr"), COUNTS, twice).errors["l1"]
    assert abs(found.mean - sampling_error(COUNTS / 1000, 200)) < 4 * found.se + 0.002


def test_sampling_error_is_drawn_in_blocks_beside_those_who_take_no_part() -> None:
    setting = SimulationSetting(1.0, 600, 5, sampling=True)
    found = simulate_frequencies(ProtocolChoice("grr"), COUNTS, setting, others=0.5)
    assert found.estimate.shape == (3,) and np.isfinite(found.estimate).all()
    again = simulate_frequencies(ProtocolChoice("grr"), COUNTS, setting, others=0.5)
    assert (found.errors["l1"].values == again.errors["l1"].values).all()


@pytest.mark.parametrize("crowd", [Persons, "counted"], ids=["one by one", "counted"])
def test_a_mean_of_a_sample_is_off_by_its_formula(crowd: object) -> None:
    values, counts = np.array([-1.0, 0.2, 0.9]), np.array([300, 400, 300])
    everybody = Headcount(values, counts) if crowd == "counted" else Persons(np.repeat(values, counts))
    setting = SimulationSetting(20.0, 200, 1500, seed=2, sampling=True)
    found = simulate_mean(ProtocolChoice("laplace"), everybody, setting)
    spread = float(np.repeat(values, counts).std())
    noise = 2 * (2 / 20.0) ** 2  # of a number in [−1, 1]
    assert found.deviation == pytest.approx(math.sqrt((spread**2 + noise) / 200), rel=0.02)
    usual = math.sqrt(2 / math.pi) * found.deviation
    assert abs(found.errors.mean - usual) < 4 * found.errors.se
    alone = simulate_mean(ProtocolChoice("laplace"), everybody, replace(setting, sampling=False, users=1000))
    assert alone.deviation < found.deviation / 4


def test_the_protocol_that_is_held_against_its_prediction_is_not_picked_by_luck() -> None:
    """Of several that err alike the least is below what is predicted of it more often than in 5 of 100 cases."""
    desk = Session().collection
    desk.change(encoding=SEVEN, users=2000, repetitions=20, protocols=(ProtocolChoice("sue"), ProtocolChoice("oue")))
    found = desk.simulator(foresee=True)(SILENT)
    best, other = sorted(found.results, key=lambda one: ordering_error(found, "l1", one))
    assert best.margin is not None and other.margin is not None
    wider = replace(best.margin, values=best.margin.values * 9)
    unlucky = replace(best, errors={**best.errors, "l1": SimulationErrors(other.errors["l1"].values * 2)}, margin=wider)
    against = replace(found, results=(other, unlucky))
    said = beside_predicted(against, desk.planner()(SILENT), "l1")
    assert said.startswith(f"{best.choice.protocol.title}: ") and "farther off than chance" in said
    first = best if best.margin.expected <= other.margin.expected else other
    assert beside_predicted(against, None, MARGIN).startswith(f"{first.choice.protocol.title}: ")


def test_what_is_simulated_of_assumed_shares_is_held_against_what_is_predicted_of_them() -> None:
    """One shape, in one place, with sampling error in both or in neither."""
    desk = Session().collection
    seven = EncodingChoice(EncodingKind.BINS, bins=7, bounds=(0.0, 70.0))
    desk.change(encoding=seven, users=2000, protocols=(ProtocolChoice("grr"), ProtocolChoice("oue")))
    for sampling in (True, False):
        desk.change(sampling=sampling)
        found = desk.simulator(foresee=True)(SILENT)
        assert found.foreseen is not None and found.sampled is sampling
        for one in found.results:
            foreseen = next(each for each in found.foreseen.predictions if each.choice == one.choice)
            assert set(foreseen.cases) and len(foreseen.cases) == 1
            error = one.errors["l1"]
            assert abs(foreseen.l1 - error.mean) < 4 * (error.se + foreseen.se("l1"))
        planned = desk.planner()(SILENT)
        said = beside_predicted(found, planned, "l1", ProtocolChoice("grr"))
        assert "for these shares (" in said and "), simulated " in said
        hump = next(one for one in planned.predictions if one.choice == ProtocolChoice("grr")).cases[Shape.HUMP]["l1"]
        # What the page “Prediction” has under “smooth” is of many humps, and not of this one.
        assert f"({scale_of('l1').predicted(hump)} on average over many smooth humps, " in said
        assert said.partition(" at worst), simulated ")[1]
        assert heading_tips(planned)["smooth"] == "The average over many smooth humps"
        lines = simulated_table(found, ("l1",), 1.0, planned=planned).lines
        assert [float(line[1].split(" ±")[0]) for line in lines] == sorted(
            float(line[1].split(" ±")[0]) for line in lines
        )
        assert all(line[2] != "–" for line in lines), "a curator and a guess, too"
    assert desk.simulator()(SILENT).foreseen is None, "a command is told nothing it did not ask for"


# A curator of a mean


def test_a_curator_of_a_mean_errs_by_the_noise_of_two_sums() -> None:
    """By hand: E|X − Y| of two Laplace variables of scale 1/ε is 3/(2ε), and the mean moves by half of it over n."""
    people = Persons(np.linspace(-1.0, 1.0, 1001))
    found = mean_baselines(people, (0.0, 10.0), SimulationSetting(0.5, 1001, 4000, seed=4))
    expected = 10.0 * 0.75 / (1001 * 0.5)
    assert abs(found.curator.mean - expected) < 4 * found.curator.se + 0.01 * expected
    assert (found.guess, found.middle) == (pytest.approx(0.0, abs=1e-12), 5.0)
    leaning = Headcount(np.array([-1.0, 1.0]), np.array([250, 750]))
    drawn = mean_baselines(leaning, (0.0, 10.0), SimulationSetting(5.0, 500, 2000, seed=4, sampling=True))
    assert drawn.guess == pytest.approx(2.5)
    usual = 5.0 * math.sqrt(2 / math.pi) * math.sqrt(0.75 / 500)  # of numbers in [−1, 1] with the variance 0.75
    assert abs(drawn.curator.mean - usual) < 4 * drawn.curator.se + 0.02 * usual


# In words


def test_an_epsilon_that_is_a_logarithm_is_said_as_one_and_what_is_given_away_never_rounded_down() -> None:
    two = float_amount("ln 2")
    assert epsilon_read(two) == "ln(2) ≈ 0.6931" and epsilon_read(0.123456) == "0.1235"
    assert gives_away(Fraction(two)).figure == "A person gives away ε = ln(2) ≤ 0.6932"
    assert gives_away(Fraction(1)).figure == "A person gives away ε = 1"


def test_numbers_leave_with_each_margin_in_a_column_of_its_own() -> None:
    table = NumbersTable(
        ("Protocol", "Misplaced,\u00a0% ±\u00a095\u00a0%", "Predicted", "Estimator"),
        (("A, “b”", "9.2 ± 0.32", "1,200", "unbiased, norm-sub"), ("A uniform guess", "39", "–", "–")),
        (False, True, True, False),
        {},
    )
    assert numbers_csv(table).splitlines() == [
        '"Protocol","Misplaced, %","Misplaced, % ± 95 %","Predicted","Estimator"',
        '"A, “b”","9.2","0.32","1200","unbiased, norm-sub"',
        '"A uniform guess","39","","","–"',
    ]
