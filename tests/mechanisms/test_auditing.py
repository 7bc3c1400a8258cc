"""The laboratory headless: its settings, the session's side, and `workbench audit`."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.core.settings_json import from_json, to_json
from workbench.mechanisms.audit import AuditVerdict, audit
from workbench.mechanisms.channel import Channel
from workbench.mechanisms.channel_text import write_channel
from workbench.mechanisms.mechanism import MECHANISMS
from workbench.project.auditable import LOCAL, catalogue, find
from workbench.project.laboratory import LaboratorySettings
from workbench.project.model import Project
from workbench.project.storage import load_project, save_project
from workbench.session import Session
from workbench.session.audit import build, command, examiner, own_epsilon, shown_parameters

F = Fraction


def lab(
    mechanism: str = "truncated-geometric", typed: dict[str, str] | None = None, **changes: Any
) -> LaboratorySettings:
    return LaboratorySettings(mechanism=mechanism, parameters={mechanism: typed or {}}, **changes)


def asked(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["audit", *words, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["audit", *words]) == 2
    out, err = capsys.readouterr()
    assert not out and "Traceback" not in err
    return err


class TestCatalogue:
    def test_holds_mechanisms_and_local_protocols(self) -> None:
        names = [one.identifier for one in catalogue()]
        assert len(set(names)) == len(names)
        for wanted in ("survey", "truncated-geometric", "above-threshold", "grr", "noisy-max", "exponential", "typed"):
            assert wanted in names
        for wanted in ("oue", "rr", "square-wave", LOCAL + "grr"):
            assert wanted in names
        with pytest.raises(WorkbenchError, match="nix"):
            find("nix")

    @pytest.mark.parametrize("mechanism", [one for one in catalogue() if one.identifier not in MECHANISMS])
    def test_no_local_protocol_exceeds_what_it_states(self, mechanism: Any) -> None:
        try:
            made = mechanism.build({})
        except WorkbenchError as error:
            assert "too many" in error.message  # endless outputs: nothing to write down
            return
        stated = float(made.note.split("at most ε = ")[1].split(",")[0])
        assert audit(made.channel, made.neighbours).epsilon <= stated, "rounded to the safe side"

    def test_what_is_asked_for_is_named_as_it_was_typed_beside_what_is_stated(self) -> None:
        made = find("ds").build({"epsilon": "ln 3", "d": 4})
        assert (
            made.note == "ε = ln 3 is asked for; the protocol states at most ε = 0.6932, for all that one person sends."
        )

    @pytest.mark.parametrize("composed", [{"repeat": 2}, {"beside": 2}])
    def test_what_a_protocol_states_is_said_of_one_answer_where_several_are_given(self, composed: Any) -> None:
        once = build(lab("oue")).note
        assert build(replace(lab("oue"), **composed)).note == f"Asked once: {once}"

    def test_a_mechanism_is_held_to_the_epsilon_it_is_made_for(self) -> None:
        assert own_epsilon(lab("oue")) == "ln 3"
        assert own_epsilon(lab("oue").with_parameter("epsilon", "0.5")) == "0.5"
        assert own_epsilon(lab()) == ""

    def test_two_ways_to_randomised_response_agree(self) -> None:
        one, other = (find(name).build({"d": 5}).channel for name in ("grr", LOCAL + "grr"))
        assert one.inputs == other.inputs and one.outputs == other.outputs
        np.testing.assert_allclose(one.floats, other.floats, atol=1e-9)

    def test_reports_that_are_no_values_are_not_compared_with_them(self) -> None:
        assert examiner(lab("oue"))().utility.expected_error is None
        assert examiner(lab("square-wave"))().utility.expected_error is not None


class TestExamining:
    def test_everything_at_once(self) -> None:
        found = examiner(lab(claim="1", neighbours="all", claimed_delta="0.7"))()
        assert found.epsilon == pytest.approx(5 * math.log(2), abs=1e-14)
        assert found.exact is not None and found.exact.text == "ln(32)"
        assert found.verdict is AuditVerdict.REFUTED
        assert found.curve is not None and found.curve.deltas[0] > 0.7
        assert found.utility.guess_after == F(4, 9)
        assert examiner(lab(claim="1", neighbours="all", claimed_delta="0.73"))().verdict is AuditVerdict.CONFIRMED

    def test_its_own_neighbours_unless_others_are_asked_for(self) -> None:
        assert examiner(lab())().exact == examiner(lab(neighbours="adjacent"))().exact
        assert examiner(lab("survey"))().exact == examiner(lab("survey", neighbours="all"))().exact

    def test_composition(self) -> None:
        once = examiner(lab())().exact
        assert once is not None and once.ratio is not None
        twice = examiner(lab(repeat=2))().exact
        beside = examiner(lab("survey", beside=2))().exact
        with pytest.raises(WorkbenchError, match="counts none: its inputs are not 0, 1, 2") as refused:
            examiner(lab("survey", sample="1/10"))()
        typed = refused.value.hint.rpartition(": ")[2].removesuffix(".")
        assert typed == "1/10=no", "what the hint says can be typed as it stands"
        sampled = examiner(lab("survey", sample="1/10=no"))().exact
        assert twice is not None and twice.ratio == once.ratio**2
        assert beside is not None and beside.text == "ln(3)"
        assert sampled is not None and sampled.text == "ln(6/5)"
        rows = examiner(lab(sample="1/10"))().exact
        assert rows is not None and rows.text == "ln(11/10)"
        coarse = examiner(lab("survey", then=", yes, no\nyes, 1/2, 1/2\nno, 1/2, 1/2"))()
        assert coarse.exact is not None and coarse.exact.text == "0"

    def test_a_proven_bound_is_what_counts(self) -> None:
        typed = {"stream": "worst", "truncated": "no", "queries": "6"}
        found = examiner(lab("above-threshold", typed, claim="4 ln 2"))()
        assert found.exact is not None and found.exact.text == "ln(16)" and found.verdict is AuditVerdict.CONFIRMED
        # The shown pair comes near ln 16 but not there; a claim between the two is not thereby confirmed.
        near = examiner(lab("above-threshold", typed, claim="ln(159999999999/10000000000)"))()
        assert near.verdict is AuditVerdict.REFUTED or near.undecided
        assert near.verdict is not AuditVerdict.CONFIRMED
        assert examiner(lab("above-threshold", typed, claim="1", claimed_delta="0.9"))().undecided

    def test_what_is_shown_by_its_worst_pair_is_not_composed(self) -> None:
        for changes in ({"repeat": 2}, {"beside": 2}, {"sample": "1/2"}, {"then": "a b\nx 1 0"}):
            with pytest.raises(WorkbenchError) as error:
                examiner(lab("above-threshold", {"stream": "worst"}, **changes))()  # type: ignore[arg-type]
            assert error.value.field == "stream"

    @pytest.mark.parametrize(
        ("changes", "field"),
        [
            ({"claim": "x"}, "claim"),
            ({"claimed_delta": "1"}, "claimed_delta"),
            ({"claimed_delta": "-1"}, "claimed_delta"),
            ({"neighbours": "0 - 99"}, "neighbours"),
            ({"neighbours": "??"}, "neighbours"),
            ({"sample": "2"}, "sample"),
            ({"sample": "1/2=nobody"}, "sample"),
            ({"then": "nonsense"}, "channel"),
            ({"repeat": 0}, "repeat"),
            ({"beside": 13}, "beside"),
            ({"prior": "1 2"}, "prior"),
            ({"mechanism": "nix"}, "mechanism"),
        ],
    )
    def test_what_is_impossible_is_refused_at_its_field(self, changes: dict[str, Any], field: str) -> None:
        with pytest.raises(WorkbenchError) as error:
            examiner(replace(lab(), **changes))()
        assert error.value.field == field and error.value.message


class TestSettings:
    def test_round_trip_through_a_project(self, tmp_path: Path) -> None:
        settings = lab(
            "grr", {"epsilon": "ln 7"}, claim="2 ln 7", sample="1/3=1", then="a\n1 1", repeat=2, prior="1 2 3 4"
        )
        path = tmp_path / "p.wbench"
        save_project(replace(Project(), laboratory=settings), path)
        assert load_project(path).laboratory == settings

    def test_older_projects_have_the_usual_question(self) -> None:
        assert from_json(LaboratorySettings, {}) == LaboratorySettings()

    @pytest.mark.parametrize(
        "plain",
        [
            {"repeat": "2"},
            {"repeat": True},
            {"claim": 1},
            {"parameters": []},
            {"parameters": {"grr": {"d": 4}}},
            {"unknown": "x"},
        ],
    )
    def test_damaged_ones_are_refused(self, plain: dict[str, Any]) -> None:
        with pytest.raises((TypeError, ValueError)):
            from_json(LaboratorySettings, plain)

    def test_parameters_are_kept_per_mechanism(self) -> None:
        settings = lab().with_parameter("n", "7")
        other = replace(settings, mechanism="grr").with_parameter("d", "3")
        assert other.typed == {"d": "3"}
        assert replace(other, mechanism="truncated-geometric").typed == {"n": "7"}
        assert isinstance(other.parameters, MappingProxyType)
        assert from_json(LaboratorySettings, json.loads(json.dumps(to_json(other)))) == other

    def test_forms_show_what_was_typed(self) -> None:
        shown = shown_parameters(lab("above-threshold", {"truncated": "no", "queries": "7", "query_alpha": "0.50"}))
        assert (shown["truncated"], shown["queries"], shown["query_alpha"]) == (False, 7, "0.50")
        assert shown["threshold_alpha"] == "1/4"
        assert shown_parameters(lab("grr", {"d": "many"}))["d"] == 4

    def test_asking_another_question_is_an_edit(self) -> None:
        session = Session()
        before = session.project
        session.audit.ask(session.project.laboratory)
        assert session.project is before
        session.audit.ask(lab("survey"))
        assert session.project.laboratory.mechanism == "survey"


class TestCommandLine:
    def test_truncated_geometric(self, capsys: pytest.CaptureFixture[str]) -> None:
        found = asked(capsys, "truncated-geometric", "--param", "alpha=1/2", "--param", "n=5")
        assert found["epsilon_exact"] == "ln(2)" and found["epsilon"] == pytest.approx(math.log(2))
        assert found["delta"] == 0
        assert found["matrix"][2] == ["1/6", "1/6", "1/3", "1/6", "1/12", "1/12"]
        seen = found["witness"]
        assert F(seen["probability"]) / F(seen["neighbour_probability"]) == F(seen["ratio"]) == 2
        everything = asked(capsys, "truncated-geometric", "--neighbours", "all", "--epsilon", "1")
        assert everything["epsilon_exact"] == "ln(32)"
        assert everything["claim"]["verdict"] == "refuted" and everything["delta"] == pytest.approx(5 / 6 - math.e / 24)

    @pytest.mark.parametrize(
        ("params", "exact"),
        [
            (("queries=1",), "ln(2)"),
            (("queries=2", "comparison=strict"), "ln(943/292)"),
            (("queries=3", "stream=database", "truncated=yes"), "ln(62777/16504)"),
            (("queries=3", "comparison=non-strict"), "ln(8)"),
            (("queries=3", "stream=worst"), "ln(8)"),
            (("queries=40", "stream=worst", "truncated=no"), "ln(16)"),
        ],
    )
    def test_above_threshold(self, capsys: pytest.CaptureFixture[str], params: tuple[str, ...], exact: str) -> None:
        words = [word for param in params for word in ("--param", param)]
        assert asked(capsys, "above-threshold", *words)["epsilon_exact"] == exact

    def test_survey_and_local_protocols(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert asked(capsys, "survey")["epsilon_exact"] == "ln(3)"
        found = asked(capsys, "oue", "--param", "d=3", "--param", "epsilon=ln 3")
        assert found["epsilon_exact"] == "ln(3)" and found["exact"] is True
        found = asked(capsys, "oue", "--param", "d=3", "--param", "epsilon=1.1")
        assert found["epsilon_exact"] is None and found["exact"] is False
        assert found["epsilon"] == pytest.approx(1.1, abs=1e-8)

    def test_a_table_and_a_graph_from_files(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        table, graph = tmp_path / "channel.csv", tmp_path / "graph.csv"
        channel = Channel.of_fractions(
            ["a", "b", "c"], ["x", "y"], [[F(1, 2), F(1, 2)], [F(1, 3), F(2, 3)], [F(0), F(1)]]
        )
        write_channel(channel, table)
        graph.write_text("a,b\n", encoding="utf-8")
        everything = asked(capsys, "--channel", str(table))
        assert everything["epsilon"] is None and everything["infinite"] is True
        assert everything["witness"]["neighbour"] == "c" and everything["delta_exact"] == "1/2"
        some = asked(capsys, "--channel", str(table), "--neighbours", str(graph))
        assert some["epsilon_exact"] == "ln(3/2)"

    def test_composition_and_files_written(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        then, out = tmp_path / "then.csv", tmp_path / "out.csv"
        then.write_text(",any\nyes,1\nno,1\n", encoding="utf-8")
        assert asked(capsys, "survey", "--then", str(then))["epsilon_exact"] == "0"
        found = asked(capsys, "survey", "--repeat", "2", "--out", str(out), "--curve")
        assert found["epsilon_exact"] == "ln(9)" and found["curve"][0][0] == 0
        assert asked(capsys, "--channel", str(out))["epsilon_exact"] == "ln(9)"

    def test_words_for_people(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["audit", "survey", "--epsilon", "1"]) == 0
        text = capsys.readouterr().out
        assert "ε = ln(3) ≈ 1.099" in text and "refuted" in text and "3/4" in text
        assert main(["audit", "survey", "--latex"]) == 0
        assert r"\frac{3}{4}" in capsys.readouterr().out
        assert main(["audit", "--params"]) == 0
        assert "above-threshold" in capsys.readouterr().out
        assert main(["audit", "above-threshold", "--params"]) == 0
        assert "strict | non-strict" in capsys.readouterr().out

    def test_errors_are_explained(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        assert "Known are" in refused(capsys, "nix")
        assert "alpha" in refused(capsys, "truncated-geometric", "--param", "beta=1")
        assert "α" in refused(capsys, "truncated-geometric", "--param", "alpha=2")
        assert "names no parameter" in refused(capsys, "survey", "--param", "p")
        assert "Give the name" in refused(capsys)
        assert "Give the name" in refused(capsys, "survey", "--channel", "x.csv")
        assert "gone.csv" in refused(capsys, "--channel", str(tmp_path / "gone.csv"))
        assert "gone.csv" in refused(capsys, "survey", "--neighbours", str(tmp_path / "gone.csv"))
        ragged = tmp_path / "ragged.csv"
        ragged.write_text(",x,y\na,1/2\n", encoding="utf-8")
        assert "Line 2" in refused(capsys, "--channel", str(ragged))

    @pytest.mark.parametrize(
        "settings",
        [
            lab(typed={"alpha": "1/3"}, neighbours="2", claim="ln(9)"),
            lab("survey", sample="1/10=no", repeat=2, prior="1 2"),
            lab("above-threshold", {"queries": "2", "truncated": "no"}),
            lab("typed", {"table": "a b\nx 1/2 1/2\ny 1/3 2/3"}, then="a b\na 1 0\nb 1/2 1/2", neighbours="x - y"),
        ],
    )
    def test_the_copied_command_asks_the_same(
        self, capsys: pytest.CaptureFixture[str], settings: LaboratorySettings
    ) -> None:
        words = command(settings)
        assert words[:2] == ["workbench", "audit"]
        found, here = asked(capsys, *words[2:]), examiner(settings)()
        assert here.exact is not None
        assert found["epsilon_exact"] == here.exact.text
        assert found["title"] == here.made.title
