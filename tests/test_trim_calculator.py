"""`workbench guarantee --mechanism`: the calculator of trimming beside that of sampling."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from workbench.anonymise.group_survival import half_survive_sampling, kept_by_sampling
from workbench.anonymise.sample_guarantee import guarantee
from workbench.cli.main import main

TRIM = ("guarantee", "--mechanism", "trim")
NEW = {"mechanism", "mean_lost", "sd", "half_survive", "always_survive", "delta_exact"}

Ask = Callable[..., dict[str, Any]]


def test_trimming_says_what_it_costs_a_group(ask: Ask, capsys: pytest.CaptureFixture[str]) -> None:
    found = ask(*TRIM, "--epsilon", "1", "--delta", "1e-5", "--group-size", "12", "--group-size", "23")
    assert set(found) >= NEW | {"epsilon", "delta", "smallest_class", "groups"}
    assert not set(found) & {"beta", "k", "accounting"}
    assert (found["mechanism"], found["half_survive"], found["always_survive"]) == ("trim", 12, 23)
    assert (round(found["mean_lost"], 2), round(found["sd"], 2), found["delta_exact"]) == (10.83, 1.41, 1e-5)
    assert [group["rows"] for group in found["groups"]] == [12, 23]
    assert 0.5 < found["groups"][0]["released"] < 0.9
    assert found["groups"][1]["released"] == 1
    assert main([*TRIM, "--epsilon", "1", "--delta", "1e-5", "--group-size", "23"]) == 0
    said = capsys.readouterr().out
    assert "Groups of 12 rows in the table survive at least half of the time, and those of 23 always." in said
    assert "A group of 23 rows is released with probability 1." in said


def test_trimming_solves_for_what_is_open(ask: Ask) -> None:
    fixed = {"epsilon": "1", "delta": "1e-5"}
    for open_one, flag, rows in (("epsilon", "half", 20), ("delta", "half", 20), ("delta", "always", 30)):
        other = "delta" if open_one == "epsilon" else "epsilon"
        found = ask(*TRIM, f"--{other}", fixed[other], f"--{flag}", str(rows))
        assert found[f"{flag}_survive"] == rows
        again = ask(*TRIM, "--epsilon", str(found["epsilon"]), "--delta", str(found["delta"]))
        assert again[f"{flag}_survive"] == rows
        assert found[open_one] < float(fixed[open_one])


def test_floor_steps_and_rows_of_a_person(ask: Ask) -> None:
    plain = ask(*TRIM, "--epsilon", "1", "--delta", "1e-5")
    floored = ask(*TRIM, "--epsilon", "1", "--delta", "1e-5", "--floor", "5")
    assert floored["half_survive"] == plain["half_survive"] + 4
    assert (floored["floor"], floored["mean_lost"]) == (5, plain["mean_lost"])
    several = ask(*TRIM, "--epsilon", "1", "--delta", "1e-5", "--rows-per-person", "3")
    assert several["rows_per_person"] == 3
    assert several["half_survive"] > 3 * plain["half_survive"] - 3
    steps = ask(*TRIM, "--epsilon", "1", "--delta", "1e-5", "--shares", "5,3,2")["steps"]
    assert [(step["epsilon"], step["delta"]) for step in steps] == [(0.5, 5e-6), (0.3, 3e-6), (0.2, 2e-6)]
    assert [step["half_survive"] for step in steps] == sorted(step["half_survive"] for step in steps)


def test_drawing_levels_is_counted_too(ask: Ask) -> None:
    found = ask(*TRIM, "--epsilon", "1", "--delta", "1e-5", "--search-epsilon", "0.2")
    assert (found["epsilon"], found["release_epsilon"], found["search_epsilon"]) == (1.2, 1, 0.2)


def test_sampling_answers_as_before_and_says_more_if_it_is_named(ask: Ask) -> None:
    words = ("guarantee", "--epsilon", "1", "--delta", "1e-5", "--beta", "best")
    before = ask(*words)
    assert not set(before) & NEW
    found = ask(*words, "--mechanism", "sample", "--group-size", "44")
    assert {key: found[key] for key in before} == before
    assert set(found) - set(before) == NEW | {"groups"}
    assert (found["mechanism"], found["mean_lost"], found["sd"], found["always_survive"]) == ("sample", *[None] * 3)
    assert 0 < found["delta_exact"] <= 1e-5
    chance = binom.sf(found["k"] - 1, 44, found["beta"])
    assert found["groups"] == [{"rows": 44, "released": pytest.approx(chance, rel=1e-9)}]


@pytest.mark.parametrize("numbers", [(1.0, 1e-5, "max"), (1.0, 1e-5, "best"), (0.1, 1e-6, "best"), (3.0, 1e-3, "max")])
def test_how_often_sampling_keeps_a_group(numbers: tuple[float, float, Any]) -> None:
    epsilon, delta, beta = numbers
    promised = guarantee(epsilon=epsilon, delta=delta, beta=beta)
    sizes = np.array([0, promised.k - 1, promised.k, int(promised.smallest_class), 4 * promised.k, 10**9])
    expected = binom.sf(promised.k - 1, sizes, promised.beta)
    assert kept_by_sampling(promised, sizes) == pytest.approx(expected, rel=1e-9, abs=1e-15)
    half = half_survive_sampling(promised)
    below, at = binom.sf(promised.k - 1, [half - 1, half], promised.beta)
    assert below < 0.5 <= at


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["--mechanism", "trim", "--epsilon", "1", "--delta", "1e-5", "--beta", "0.5"], "--beta has no meaning"),
        (["--mechanism", "trim", "--epsilon", "1", "--k", "5"], "--k has no meaning"),
        (["--mechanism", "trim", "--epsilon", "1", "--delta", "1e-5", "--accounting", "classical"], "classical"),
        (["--epsilon", "1", "--half", "5"], "--mechanism trim"),
        (["--epsilon", "1", "--delta", "1e-5", "--floor", "5"], "--mechanism trim"),
        (["--mechanism", "trim", "--epsilon", "1", "--delta", "1e-5", "--half", "12"], "nothing left to compute"),
        (["--mechanism", "trim", "--epsilon", "1"], "Too many numbers are open"),
        (["--mechanism", "trim", "--epsilon", "1", "--delta", "1e-5", "--shares", "5,0"], "Shares are"),
        (["--mechanism", "trim", "--epsilon", "1", "--delta", "1e-5", "--group-size", "-1"], "cannot have -1 rows"),
        (["--mechanism", "trim", "--epsilon", "0", "--delta", "1e-5"], "ε must be"),
    ],
)
def test_what_cannot_be_is_refused(words: list[str], part: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["guarantee", *words]) == 2
    assert part in capsys.readouterr().err
