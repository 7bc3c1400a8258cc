"""Claims for every value of a parameter, and chains for PRISM."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType

import pytest

from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Cancelled, CancelToken, Progress
from workbench.mechanisms.channel import Channel
from workbench.mechanisms.prism import to_prism
from workbench.project.laboratory import LaboratorySettings
from workbench.session.audit_property import ForAll, parameters_to_vary, property_checker


def settings(name: str, claim: str, **typed: str) -> LaboratorySettings:
    return LaboratorySettings(mechanism=name, parameters={name: MappingProxyType(typed)}, claim=claim)


def test_a_claim_that_holds_for_every_value_is_confirmed_exactly() -> None:
    asked = settings("truncated-geometric", "ln 2", alpha="1/2")
    answer = property_checker(asked, ForAll("n", 1, 50))(SILENT)
    assert answer.holds is True and answer.checked == 50 and not answer.rounded and answer.found is None
    assert answer.sentence == "Yes: the claim holds for every n from 1 to 50."


def test_the_first_counterexample_is_shown_with_its_witness() -> None:
    """Above-threshold as published has the worst ratio 2 for one query, 943/292 for two (always asking for d)."""
    asked = settings("above-threshold", "ln 3")
    answer = property_checker(asked, ForAll("queries", 1, 5))(SILENT)
    assert answer.holds is False and answer.found is not None and answer.at is not None
    assert answer.checked == answer.at > 1, "it stops there, and before it the claim holds"
    seen = answer.found.audit.witness
    assert isinstance(seen.ratio, Fraction) and seen.ratio > 3
    assert f"at queries = {answer.at}" in answer.sentence and "It holds for queries = 1" in answer.sentence


def test_a_claim_just_below_fails_at_once() -> None:
    asked = settings("truncated-geometric", "0.6931471805599453", alpha="1/2")
    answer = property_checker(asked, ForAll("n", 1, 50))(SILENT)
    assert answer.holds is False and answer.at == 1, "ln 2 is larger than any float below it"


@pytest.mark.parametrize("claim, seen", [("0.6931", "0.69315"), ("0.69314718", "0.693147181"), ("0.5", "0.6931")])
def test_what_fails_by_little_is_written_with_digits_that_tell(claim: str, seen: str) -> None:
    answer = property_checker(settings("truncated-geometric", claim, alpha="1/2"), ForAll("n", 1, 2))(SILENT)
    assert answer.holds is False and f"ε = ln(2) ≈ {seen}. " in answer.sentence
    assert answer.each[0][2] == seen


@pytest.mark.parametrize("text", ["", "n", "n=1", "n=a..b", "=1..2", "n=5..1", "n=1..100000"])
def test_what_is_no_range_is_refused(text: str) -> None:
    with pytest.raises(WorkbenchError):
        ForAll.parse(text)


def test_what_cannot_be_asked_is_refused() -> None:
    with pytest.raises(WorkbenchError, match="Nothing is claimed"):
        property_checker(settings("survey", ""), ForAll("n", 1, 2))
    with pytest.raises(WorkbenchError, match="no parameter of survey"):
        property_checker(settings("survey", "1"), ForAll("n", 1, 2))
    with pytest.raises(WorkbenchError, match="At n = 0"):
        property_checker(settings("geometric", "1"), ForAll("n", 0, 2))(SILENT)


def test_it_can_be_cancelled() -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        property_checker(settings("geometric", "1"), ForAll("n", 1, 2))(Progress(token=token))


def test_parameters_that_can_vary_are_whole_numbers() -> None:
    assert [name for name, _, _ in parameters_to_vary("geometric")] == ["n", "beyond"]
    assert parameters_to_vary("survey") == parameters_to_vary("of a plug-in") == ()


def test_the_command_answers_and_names_the_counterexample(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["audit", "above-threshold", "--epsilon", "ln 3", "--for", "queries=1..5"]
    assert main(words) == 0
    assert capsys.readouterr().out.startswith("No: at queries = ")
    assert main([*words, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    asked = data["mechanism_property"]
    assert asked["holds"] is False and asked["counterexample"] == asked["checked"]
    assert data["found"]["witness"]["ratio"]
    assert main(["audit", "survey", "--for", "n=1..5"]) == 2
    assert "Nothing is claimed" in capsys.readouterr().err


def test_a_chain_for_prism_has_the_exact_probabilities(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "survey.pm"
    assert main(["audit", "survey", "--prism", str(out)]) == 0
    text = out.read_text(encoding="utf-8")
    assert text.startswith("dtmc\n") and "const int x; // 0 to 1" in text and "y : [-1..1] init -1;" in text
    assert "[] y=-1 & x=0 -> 3/4:(y'=0) + 1/4:(y'=1);" in text
    for row in re.findall(r"-> (.*);", text)[:2]:
        assert sum(Fraction(step.split(":")[0]) for step in row.split(" + ")) == 1
    other = tmp_path / "mine.txt"
    other.write_text("mine")
    assert main(["audit", "survey", "--prism", str(other)]) == 2
    assert other.read_text() == "mine" and "--force" in capsys.readouterr().err
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG\xff")
    assert main(["audit", "survey", "--prism", str(picture)]) == 2
    assert picture.read_bytes() == b"\x89PNG\xff"
    assert main(["audit", "survey", "--prism", str(out)]) == 0, "one of its own is made anew"


def test_names_of_others_stay_comments_in_prism() -> None:
    channel = Channel.of_fractions(["a\nmodule x", "b"], ["1", "0"], [[Fraction(1), Fraction(0)]] * 2)
    lines = to_prism(channel).splitlines()
    assert "//   0: a module x" in lines and not any(line.startswith("module x") for line in lines)
    assert "  [] y=-1 & x=0 -> 1:(y'=0);" in lines, "what cannot happen is no step"
