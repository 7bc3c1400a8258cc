"""Comparing from the command line."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.evaluate.comparing.helpers import AGES
from workbench.cli.commands.compare import EXAMPLE
from workbench.cli.main import main
from workbench.core.paths import sample_data
from workbench.core.settings_json import keys
from workbench.evaluate.experiment import Experiment
from workbench.evaluate.question import Question, Statistic
from workbench.ldp.encoding import EncodingChoice


def test_compare_from_the_command_line(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = tmp_path / "spec.json"
    spec.write_text(
        json.dumps(
            {
                "question": AGES.to_json(),
                "methods": ["global-grid", "oue", {"method": "local", "values": {"protocol": "ds"}, "label": "DS"}],
                "places": [0.5, 2.0],
                "repetitions": 10,
                "figure": {"title": "Ages", "bands": False},
            }
        )
    )
    out = tmp_path / "out"
    assert main(["compare", str(spec), "--data", str(file), "--out", str(out), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    points = shown["analyst"]["points"]
    assert {"method", "axis_value", "mean", "low", "high", "repetitions"} <= set(points[0])
    assert [point["axis_value"] for point in points] == [0.5, 2.0] * 3
    missing = points[4]
    assert missing["method"] == "DS"
    assert missing["mean"] is None
    assert missing["problem"]
    for ending, sign in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")):
        assert (out / f"comparison.{ending}").read_bytes().startswith(sign)
    written = json.loads((out / "comparison.json").read_text())
    assert written["points"] == points
    assert written["analyst only"] is True
    with (out / "comparison.csv").open() as stream:
        table = list(csv.DictReader(stream))
    assert [row["method"] for row in table] == [point["method"] for point in points]
    assert float(table[0]["mean"]) == pytest.approx(points[0]["mean"])
    assert len(shown["files"]) == 5
    # The same command gives the same bits.
    assert main(["compare", str(spec), "--data", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["analyst"] == shown["analyst"]
    assert main(["compare", str(spec), "--data", str(file)]) == 0
    assert "for the analyst only" in capsys.readouterr().out


def test_a_public_shape_from_the_command_line_is_no_look(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = tmp_path / "spec.json"
    methods = ["best-global", "best-anonymised", "best-local"]
    plain = {"question": AGES.to_json(), "methods": methods, "places": [1.0], "repetitions": 10}
    spec.write_text(json.dumps({**plain, "basis": "smooth", "users": 500}))
    words = ["compare", str(spec), "--data", str(file), "--out", str(tmp_path / "out"), "--formats", "svg"]
    assert main([*words, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["looked"] is False and shown["verdicts"][0]["recommended"] == "global"
    assert shown["analyst"]["points"][0]["setting"].startswith("Global DP")
    assert json.loads((tmp_path / "out" / "comparison.json").read_text())["analyst only"] is False
    assert main(words) == 0
    said = capsys.readouterr().out
    assert "At ε = 1: Take global if a curator is trusted: " in said and "analyst only" not in said


def test_a_metric_that_is_no_name_is_told_which_names_there_are(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = tmp_path / "spec.json"
    asked = {"figure": "mean", "column": "age", "encoding": {"bounds": [0, 100]}}
    spec.write_text(json.dumps({"question": asked, "methods": ["global-grid"], "metric": {"distance": "percent"}}))
    assert main(["compare", str(spec), "--data", str(file)]) == 2
    refused = capsys.readouterr().err
    assert "known are absolute, percent, manhattan" in refused
    assert "all but percent also with “-normalised”" in refused


def test_a_hierarchy_that_is_not_there_cannot_be_made_from_the_data(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = tmp_path / "spec.json"
    spec.write_text(json.dumps({"question": AGES.to_json(), "methods": ["global-grid"]}))
    assert main(["compare", str(spec), "--data", str(file), "--data-derived", "age"]) == 2
    assert "--data-derived age: this column is given no hierarchy." in capsys.readouterr().err


@pytest.mark.parametrize("text", ["[]", "{", '{"places": "all"}', '{"figure": {"width": 0}}', '{"figure": {"x": 1}}'])
def test_a_wrong_spec_is_told_and_no_traceback(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    spec = tmp_path / "spec.json"
    spec.write_text(text)
    assert main(["compare", str(spec), "--data", str(file)]) == 2
    assert capsys.readouterr().err.startswith("workbench: ")


def test_presets_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["preset", "--list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["presets"]
    assert len(listed) == 7
    assert all(one["summary"] for one in listed)


def test_a_preset_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "figures"
    words = ["preset", "salary-histograms", "--repetitions", "5", "--formats", "png", "--out", str(out), "--json"]
    assert main(words) == 0
    shown = json.loads(capsys.readouterr().out)["analyst"]
    assert shown["data"].startswith("baltimore_salaries.csv, annual salary (synthetic")
    assert [part["kind"] for part in shown["parts"]] == ["bars", "errors", "errors"]
    assert json.loads((out / "salary-histograms.json").read_text())["parts"] == shown["parts"]
    assert len(list(out.glob("*.png"))) == 3
    assert len(list(out.glob("*.csv"))) == 3
    assert {"method", "axis_value", "mean", "low", "high", "repetitions"} <= set(shown["parts"][1]["points"][0])


def test_a_preset_of_ones_own_file_from_the_command_line(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["preset", "ages", "--data", str(file), "--column", "age", "--repetitions", "2", "--json"]
    assert main([*words, "--set", "lower=0", "--set", "upper=100", "--set", "bins=10"]) == 0
    shown = json.loads(capsys.readouterr().out)["analyst"]
    assert shown["data"] == "people.csv, age"
    plain = words[:-1]
    for wrong in (plain[:4], [*plain, "--set", "beans=1"], ["preset", "agse"], ["preset", "ages", "--column", "age"]):
        assert main(wrong) == 2
        assert capsys.readouterr().err.startswith("workbench: ")


def test_a_release_in_a_comparison_from_the_command_line(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hierarchy = tmp_path / "tens.csv"
    hierarchy.write_text("".join(f"{age};[{age // 20 * 20}, {age // 20 * 20 + 20}[;*\n" for age in range(100)))
    spec = tmp_path / "spec.json"
    mean = Question(Statistic.MEAN, "age", EncodingChoice(bounds=(0.0, 100.0)))
    methods = [{"method": "anonymised", "values": {"level": 1, "delta": "1/n"}}, "sample"]
    plain = {"question": mean.to_json(), "methods": methods, "places": [1.0], "repetitions": 20}
    spec.write_text(json.dumps(plain))
    words = ["compare", str(spec), "--data", str(file), "--hierarchy", f"age={hierarchy}", "--json"]
    assert main(words) == 0
    point = json.loads(capsys.readouterr().out)["analyst"]["points"][0]
    assert 0 < point["mean"] < 20
    assert main([*words, "--data-derived", "age"]) == 0
    assert any("No (ε, δ) claim" in note for note in json.loads(capsys.readouterr().out)["analyst"]["notes"])


@pytest.mark.parametrize("count", ["0", "-3"])
def test_a_preset_tries_at_least_once(capsys: pytest.CaptureFixture[str], count: str) -> None:
    assert main(["preset", "randomised-response", "--repetitions", count]) == 2
    assert "repetitions" in capsys.readouterr().err


def test_the_example_of_the_help_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["compare", "--help"])
    said = capsys.readouterr().out
    assert EXAMPLE in said
    for made in (Experiment, Question, EncodingChoice):
        assert all(f"\n  {key} " in said for key in keys(made)), "every key is explained"
    assert "kantorovich-normalised" in said and "With “how”: edges." in said
    spec = tmp_path / "spec.json"
    spec.write_text(EXAMPLE)
    data = str(sample_data() / "nba_salaries.csv")
    assert main(["compare", str(spec), "--data", data, "--json"]) == 0
    points = json.loads(capsys.readouterr().out)["analyst"]["points"]
    assert len(points) == 6
    assert all(point["mean"] is not None for point in points)


def test_an_unknown_key_of_a_question_is_told_the_known_ones(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = tmp_path / "spec.json"
    spec.write_text('{"question": {"figure": "mean", "col": "age"}}')
    assert main(["compare", str(spec), "--data", str(file)]) == 2
    assert "figure, column, encoding and share" in capsys.readouterr().err


def test_words_about_a_column_of_text_fit_the_command_line(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["preset", "nba-anonymised", "--data", str(file), "--column", "colour", "--repetitions", "2"]) == 2
    said = capsys.readouterr().err
    assert "in the window, under Data" in said and "workspace" not in said
