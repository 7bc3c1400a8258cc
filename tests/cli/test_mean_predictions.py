"""A mean is predicted by a command, with the numbers of the window."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from workbench.cli.main import main
from workbench.ldp.mean_prediction import MeanPlan, every_mean, fewest_for_mean, least_epsilon_for_mean, planned_means
from workbench.session.collection.mean_curves import curator_mean_margin

HOURS = ("--column", "hours", "--bounds", "0,100", "--epsilon", "1", "--predict")
PLAN = MeanPlan(1000, 1.0, (0.0, 100.0))


def test_every_protocol_for_means_is_predicted_without_a_table(ask: Any) -> None:
    found = ask("collect", *HOURS, "--users", "1000", "--mean")
    by_hand = planned_means(PLAN)
    assert list(found["predictions"]) == [one.choice.identifier for one in by_hand]
    for one in by_hand:
        told = found["predictions"][one.choice.identifier]
        assert (told["margin"], told["deviation_worst"], told["deviation_middle"]) == (
            one.margin,
            one.worst,
            one.middle,
        )
    assert found["recommended"] == [by_hand[0].choice.identifier]
    assert found["baselines"] == {"middle": 50.0, "curator": curator_mean_margin(PLAN)}
    assert (found["users"], found["mean_of"], found["unit"], found["cautions"]) == (1000, [0.0, 100.0], "", [])
    assert found["bounds_declared"] and found["users_declared"] and "needed" not in found


def test_protocols_for_means_are_understood_and_what_a_margin_takes_is_found(ask: Any) -> None:
    found = ask("collect", *HOURS, "--users", "1000", "--protocol", "pm,hm", "--sampling", "--need", "mean=4")
    assert set(found["predictions"]) == {"pm", "hm"} == set(found["needed"])
    drawn = MeanPlan(1000, 1.0, (0.0, 100.0), sampling=True)
    for one in every_mean():
        if one.identifier in found["needed"]:
            told = found["needed"][one.identifier]
            assert told["people"] == fewest_for_mean(drawn, (one,), 4.0)[0] and not told["problem"]
            assert told["epsilon"] == least_epsilon_for_mean(drawn, (one,), 4.0)[0]


def test_what_a_mean_takes_is_said_or_why_nothing_suffices(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("collect", *HOURS, "--users", "1000", "--mean", "--need")
    assert main([*words, "mean=3"]) == 0
    said = capsys.readouterr().out
    assert "Hybrid mechanism (hm), ε = 1: 95 % margin ± 6.55, standard deviation at most 3.275" in said
    assert "(hm): a 95 % margin of ± 3 takes 4,663 people, or ε = 2.157 with as many as now" in said
    assert "5,051 people. No ε up to 20 brings the margin to 3." in said
    assert (
        "Curator (2 ε hides an answer): 95 % margin ± 0.299" in said and "The middle as a guess: at most ± 50" in said
    )
    assert main([*words, "mean=1e-4"]) == 0
    assert "(hm): Not even 1,000,000,000 people bring the margin to 0.0001." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--mean", "--protocol", "oue"), "which Optimised unary encoding does not estimate"),
        (("--mean", "--need", "l1=0.1"), "Write --need mean=2"),
        (("--mean", "--need", "mean=0"), "--need mean=0 names no error"),
        (("--need", "mean=2", "--protocol", "oue"), "names no error"),
    ],
)
def test_what_is_no_mean_is_refused(refused: Any, words: tuple[str, ...], said: str) -> None:
    assert said in refused("collect", *HOURS, "--users", "1000", *words)


def test_mean_says_nothing_where_nothing_is_predicted(refused: Any, tmp_path: Path) -> None:
    path = tmp_path / "hours.csv"
    path.write_text("hours\n" + "10\n20\n" * 20, encoding="utf-8")
    words = ("collect", path, "--column", "hours", "--bounds", "0,100", "--epsilon", "1", "--mean")
    assert "--mean says nothing without --predict." in refused(*words)


def test_what_a_table_says_is_only_assumed_to_be_public(ask: Any, tmp_path: Path) -> None:
    path = tmp_path / "hours.csv"
    path.write_text("hours,name\n" + "10,a\n20,b\n" * 20, encoding="utf-8")
    words = ("collect", path, "--column", "hours", "--epsilon", "1", "--predict", "--mean")
    found = ask(*words)
    assert not found["bounds_declared"] and not found["users_declared"] and len(found["cautions"]) == 3
    assert found["cautions"][-1] == "Everybody is counted; who has no value does not report."
    typed = ask(*words, "--bounds", "0,100", "--users", "40")
    assert typed["bounds_declared"] and typed["users_declared"] and not typed["cautions"]
