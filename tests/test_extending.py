"""The worked examples of docs/extending.md: each is taken from the page, installed, checked and used."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.io import test_formats
from workbench.cli.main import main
from workbench.contracts import check_installed
from workbench.contracts.contract import UNTRIED
from workbench.io import formats
from workbench.io.export_format import FORMATS
from workbench.session.plugins import installed, left_out

PAGE = Path(__file__).parents[1] / "docs" / "extending.md"
EXAMPLES = dict(re.findall(r"^```python\n# (\S+)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S))
PLUGINS = {
    "half_count": "query",
    "other_value": "local-protocol",
    "least_share": "privacy-model",
    "touched": "loss-metric",
    "first_letters": "hierarchy-builder",
    "two_coins": "mechanism",
}
Plug = Callable[..., None]


@pytest.fixture
def module(tmp_path: Path) -> Iterator[Callable[[str], ModuleType]]:
    """Import an example of the page as the file it says it is."""
    loaded = []

    def load(name: str) -> ModuleType:
        path = tmp_path / f"{name}.py"
        path.write_text(EXAMPLES[f"toyplug/{name}.py"], encoding="utf-8")
        spec = importlib.util.spec_from_file_location(f"toyplug_{name}", path)
        assert spec is not None and spec.loader is not None
        made = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = made
        loaded.append(spec.name)
        spec.loader.exec_module(made)
        return made

    yield load
    for name in loaded:
        del sys.modules[name]


@pytest.fixture
def plug(plugged: Plug, module: Callable[[str], ModuleType]) -> Callable[[str], Any]:
    """Install an example, as a package of its name would."""

    def install(name: str) -> Any:
        plugin = module(name).PLUGIN
        plugged({f"{PLUGINS[name]}.{plugin.identifier}": plugin})
        assert not left_out()
        return plugin

    return install


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    towns = ("Berlin", "Bern", "Bonn", "Cologne")
    path.write_text("age,town\n" + "".join(f"{20 + n % 30},{towns[n % 4]}\n" for n in range(400)), encoding="utf-8")
    return path


def told(capsys: pytest.CaptureFixture[str], *words: object) -> Any:
    """What a command says as JSON."""
    capsys.readouterr()
    code = main([*map(str, words), "--json"])
    out, err = capsys.readouterr()
    assert code == 0, err
    return json.loads(out)


def test_the_page_has_an_example_of_everything_it_lists() -> None:
    assert set(EXAMPLES) == {*(f"toyplug/{name}.py" for name in PLUGINS), "workbench/io/formats/json_lines.py"}


def test_every_path_the_page_names_is_there() -> None:
    text = re.sub(r"^```.*?^```$", "", PAGE.read_text(encoding="utf-8"), flags=re.M | re.S)
    named = re.findall(r"`((?:workbench|tests)/[\w/.]+)`", text)
    assert len(named) > 10
    assert [path for path in named if not (PAGE.parents[1] / path).exists()] == []
    for object_, home in re.findall(r"\| `(\w+)` \| `(workbench[\w.]+)` \|", text):
        assert hasattr(importlib.import_module(home), object_), home


@pytest.mark.parametrize("name", PLUGINS)
def test_an_example_keeps_the_contracts_of_its_kind(plug: Callable[[str], Any], name: str) -> None:
    plugin = plug(name)
    (one,) = installed()
    assert one.identifier == plugin.identifier
    report = check_installed(one.kind, one.identifier)
    assert report.holds, report
    assert any(result.verdict != UNTRIED for result in report.results)


def test_the_query_is_answered(plug: Callable[[str], Any], people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plug("half_count")
    words = ("query", people, "--query", "half-count", "--epsilon", "20")
    assert not told(capsys, *words)["claim"]
    found = told(capsys, *words, "--again", "--trust-plugin", "toy-plug")
    assert found["claim"] and abs(found["answer"] - 400) < 40


def test_the_protocol_collects_and_its_reports_are_read(
    plug: Callable[[str], Any], people: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plug("other_value")
    reports = tmp_path / "reports.csv"
    asked = ("--column", "town", "--domain", "Berlin,Bern,Bonn,Cologne", "--protocol", "other-value", "--epsilon", "6")
    told(capsys, "collect", people, *asked, "--reports", reports)
    found = told(capsys, "aggregate", reports)
    assert found["protocol"] == "other-value" and found["plugin"]
    assert all(abs(count - 100) < 60 for count in found["estimate"].values())


def test_model_metric_and_builder_make_a_table(
    plug: Callable[[str], Any], people: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("least_share", "touched", "first_letters"):
        plug(name)
    spec, hierarchy = tmp_path / "spec.json", tmp_path / "town.csv"
    spec.write_text(
        json.dumps(
            {
                "format": "workbench-hierarchy-spec",
                "version": 1,
                "builder": "first-letters",
                "parameters": {"letters": 1},
            }
        )
    )
    told(capsys, "hierarchy", "build", spec, "--data", people, "--column", "town", "--out", hierarchy)
    assert "Bern;B;*" in hierarchy.read_text(encoding="utf-8")
    out, levels = tmp_path / "out.csv", ("--hierarchy", f"town={hierarchy}", "--metric", "touched")
    found = told(capsys, "anonymise", people, *levels, "--model", "least-share=30", "--search", "optimal", "--out", out)
    # A letter is a quarter or three quarters of the rows, so all must become *.
    assert found["levels"] == {"town": 2} and found["rows_out"] == 400 and found["score"] == 1
    assert {one["name"] for one in found["plugins"]} == {"least-share", "touched"}


def test_the_mechanism_is_audited(plug: Callable[[str], Any], capsys: pytest.CaptureFixture[str]) -> None:
    plug("two_coins")
    found = told(capsys, "audit", "two-coins", "--param", "coins=1")
    assert found["epsilon_exact"] == "ln(3)" and Fraction(found["witness"]["probability"]) == Fraction(3, 4)


@pytest.fixture
def json_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The export format of the page, in the package of formats."""
    folder = tmp_path / "formats"
    folder.mkdir()
    (folder / "json_lines.py").write_text(EXAMPLES["workbench/io/formats/json_lines.py"], encoding="utf-8")
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(folder)])
    vars(FORMATS).pop("_found", None)
    yield "jsonl"
    vars(FORMATS).pop("_found")
    sys.modules.pop(f"{formats.__name__}.json_lines", None)


def test_the_format_keeps_what_every_format_keeps(json_lines: str, tmp_path: Path) -> None:
    assert list(FORMATS) == ["csv", "jsonl", "parquet", "xlsx"]
    test_formats.test_a_kind_says_what_it_is(json_lines)
    test_formats.test_no_two_kinds_have_an_ending()
    test_formats.test_what_is_written_is_read_back_from_the_open_file_and_from_its_place(json_lines, tmp_path)
    test_formats.test_the_bytes_follow_from_the_rows_alone(json_lines)
    test_formats.test_writing_and_reading_back_share_no_code(json_lines)
    test_formats.test_a_file_of_another_kind_is_no_answer(json_lines)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("parts", [(), ("--parts",)])
def test_a_release_in_the_format_is_verified(
    json_lines: str,
    engine: str,
    parts: tuple[str, ...],
    people: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if engine == "duckdb":
        pytest.importorskip("duckdb")
    if parts:
        pytest.importorskip("pyarrow")
    out, page = tmp_path / ("out" if parts else "out.jsonl"), tmp_path / "s.html"
    asked = ("--group", "town", "--mechanism", "sample", "--epsilon", "1", "--delta", "1e-3", "--statement", page)
    asked = (*asked, "--engine", engine, *parts)
    found = told(capsys, "anonymise", people, *asked, "--out", out, "--out-format", "jsonl")
    assert found["claim"]
    checked = told(capsys, "verify", out, "--statement", page)
    assert checked["holds"] and checked["rows"] == found["rows_out"]
    file = next(out.glob("*.jsonl")) if parts else out
    assert file.read_text(encoding="utf-8").startswith('["town"]\n["B')
    assert "JSON Lines" in page.read_text(encoding="utf-8")


def test_a_changed_file_of_the_format_does_not_hold(
    json_lines: str, people: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, page = tmp_path / "out.jsonl", tmp_path / "s.html"
    asked = ("--group", "town", "--epsilon", "1", "--delta", "1e-3", "--statement", page)
    told(capsys, "anonymise", people, *asked, "--out", out)
    with out.open("a", encoding="utf-8") as file:
        file.write('["Nowhere"]\n')
    assert main(["verify", str(out), "--statement", str(page)]) == 1
