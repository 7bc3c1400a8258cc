"""The manual: built again it is what ships, its examples run, its pictures are of rooms that are there."""

from __future__ import annotations

import importlib.util
import json
import math
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.fitting import fits, reprs
from workbench.cli.answers import ANSWERS
from workbench.cli.answers import files as schemas
from workbench.cli.commands import COMMANDS
from workbench.cli.commands.compare import read_experiment
from workbench.cli.main import main
from workbench.core.paths import resources
from workbench.core.settings_json import to_json
from workbench.ldp.choice import ProtocolChoice
from workbench.project.rooms import ROOM_SETTINGS

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "docs" / "manual"
BUILT = resources() / "manual"
PAGES = sorted(SOURCES.glob("*.md"))
WITH_EXAMPLES = [page for page in PAGES if "```console" in page.read_text(encoding="utf-8")]


def test_built_again_it_is_what_ships(tmp_path: Path) -> None:
    """`python docs/manual/build.py` builds it; Sphinx refuses a link that leads nowhere."""
    pytest.importorskip("sphinx", reason="what builds the manual is in the extra dev")
    built = subprocess.run(
        [sys.executable, SOURCES / "build.py", "--to", tmp_path / "manual"], capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr
    new, old = (
        {str(file.relative_to(place)): file.read_bytes() for file in place.rglob("*") if file.is_file()}
        for place in (tmp_path / "manual", BUILT)
    )
    other = sorted({name for name in {*new, *old} if new.get(name) != old.get(name)})
    assert not other, "build the manual again with: python docs/manual/build.py"


def test_it_is_small_and_needs_no_connection() -> None:
    files = [file for file in BUILT.rglob("*") if file.is_file()]
    assert sum(file.stat().st_size for file in files) <= 4 * 1024 * 1024
    for page in (file for file in files if file.suffix == ".html"):
        text = page.read_text(encoding="utf-8")
        assert not re.findall(r'<(?:script|img|link)[^>]+(?:src|href)="(?:https?:)?//', text), page.name


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: page.stem)
def test_its_examples_end_with_0(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("sample_data", "resources"):
        (tmp_path / name).symlink_to(ROOT / name, target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    text, ran, known = page.read_text(encoding="utf-8"), 0, dict[str, Any]()
    for name, lines in re.findall(r"```\{code-block\} text\n:caption: (\S+)\n\n(.*?)```", text, re.DOTALL):
        (tmp_path / name).write_text(lines, encoding="utf-8")
    for language, block in re.findall(r"```(console|python)\n(.*?)```", text, re.DOTALL):
        if language == "python":
            exec(block, known)
        for line in re.findall(r"^\$ workbench (.+)$", block, re.MULTILINE):
            assert main(shlex.split(line)) == 0, (line, capsys.readouterr().err)
            ran += 1
    assert ran


class Fixed:
    """Answers what is asked for, in the place of chance."""

    def __init__(self, drawn: list[int], *numbers: int) -> None:
        self.drawn, self.numbers = drawn, iter(numbers)

    def randbelow(self, end: int) -> int:
        self.drawn.append(end)
        return next(self.numbers)


def of_a_device(answers: int, epsilon: float, drawn: list[int]) -> tuple[Fraction, Fraction]:
    """With what chance the function in the guide to surveys keeps an answer, and the odds of it against another one."""
    (block,) = re.findall(r"```python\n(import math.*?)```", (SOURCES / "survey.md").read_text("utf-8"), re.DOTALL)
    known: dict[str, Any] = {}
    exec(block, known)
    low, high = 0, 2**53
    while low < high:  # below how many of the 2⁵³ numbers the answer is kept
        middle = (low + high) // 2
        known["secrets"] = Fixed(drawn, middle, 1)
        low, high = (middle + 1, high) if known["report"](0, answers, epsilon) == 0 else (low, middle)
    kept = Fraction(low, 2**53)
    return kept, (kept + (1 - kept) / answers) / ((1 - kept) / answers)


def test_what_a_device_of_ones_own_draws_is_what_the_program_draws() -> None:
    """The function in the guide to surveys: at most the ε asked for, and hardly less."""
    drawn: list[int] = []
    for answers, epsilon in ((2, 0.1), (4, 1.0), (24, 3.0)):
        kept, odds = of_a_device(answers, epsilon, drawn)
        assert math.exp(epsilon) * (1 - 1e-9) < odds < math.exp(epsilon)
        randomiser = ProtocolChoice("grr").frequency(answers, epsilon)
        assert float(kept + (1 - kept) / answers) == pytest.approx(randomiser.pure[0], rel=1e-9)
    assert set(drawn) == {2, 4, 24, 2**53}


@pytest.mark.parametrize("answers", [2, 4, 10, 1000])
@pytest.mark.parametrize("epsilon", [1e-15, 0.001, 1.0, 12.0, 15.0, 20.0, 30.0, 36.0, 38.0, 50.0, 700.0])
def test_a_device_of_ones_own_never_promises_more_than_it_keeps(answers: int, epsilon: float) -> None:
    """Near 1 a float knows few digits of the chance to keep an answer, and of a large ε none."""
    with localcontext(prec=60):
        _, odds = of_a_device(answers, epsilon, [])
        assert Decimal(odds.numerator) / Decimal(odds.denominator) <= Decimal(epsilon).exp()


@pytest.mark.skipif(shutil.which("node") is None, reason="needs something that runs JavaScript")
def test_what_a_web_page_draws_is_what_the_program_draws() -> None:
    (block,) = re.findall(r"```javascript\n(.*?)```", (SOURCES / "survey.md").read_text("utf-8"), re.DOTALL)
    count = (
        "const n = [0, 0, 0, 0]; for (let i = 0; i < 40000; i++) n[report(2, 4, 1)]++; console.log(JSON.stringify(n));"
    )
    secure = "globalThis.crypto ??= require('crypto').webcrypto;"
    ran = subprocess.run(["node", "-e", secure + block + count], capture_output=True, text=True, check=True)
    p, q = ProtocolChoice("grr").frequency(4, 1.0).pure
    for found, chance in zip(json.loads(ran.stdout), (q, q, p, q), strict=True):
        assert abs(found - 40_000 * chance) < 6.5 * math.sqrt(40_000 * chance * (1 - chance))


@pytest.mark.skipif(shutil.which("node") is None, reason="needs something that runs JavaScript")
@pytest.mark.parametrize("epsilon", [20.0, 36.0, 38.0, 50.0, 800.0])
def test_a_web_page_keeps_no_answer_for_sure(epsilon: float) -> None:
    """How many of the largest numbers that can be drawn do not keep the answer: as many as the same sum in Python."""
    (block,) = re.findall(r"```javascript\n(.*?)```", (SOURCES / "survey.md").read_text("utf-8"), re.DOTALL)
    search = """
    let next = [];
    function fixed(words) { const n = next.shift(); words[0] = Number(n >> 32n); words[1] = Number(n & 0xffffffffn); }
    let low = 0n, high = 1n << 53n;
    while (low < high) {
      const middle = (low + high) / 2n;
      next = [middle, 1n];
      if (report(0, 4, EPSILON) === 0) low = middle + 1n; else high = middle;
    }
    console.log(String(low));
    """.replace("EPSILON", str(epsilon))
    script = block.replace("crypto.getRandomValues", "fixed") + search
    ran = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True)
    kept = int(ran.stdout)
    assert kept < 2**53
    if epsilon <= 700:
        assert Fraction(kept, 2**53) == of_a_device(4, epsilon, [])[0]


def test_its_pictures_are_of_the_rooms() -> None:
    found = importlib.util.spec_from_file_location("pictures", SOURCES / "pictures.py")
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    taken = {path.stem for path in (SOURCES / "pictures").glob("*.png")}
    assert taken == {f"{room}-{mode}" for room in module.ROOMS for mode in ("light", "dark")}
    assert set(ROOM_SETTINGS) <= set(module.ROOMS)
    shown = {name for page in PAGES for name in re.findall(r"```\{picture\} (\w+)", page.read_text(encoding="utf-8"))}
    assert shown == set(module.ROOMS)


def test_the_man_page_is_read_by_man() -> None:
    page = BUILT / "workbench.1"
    assert page.read_text(encoding="utf-8").startswith(".TH WORKBENCH 1")
    if shutil.which("man") is not None:
        read = subprocess.run(["man", "--warnings", "-l", page], capture_output=True, text=True, check=False)
        assert "COMMANDS" in read.stdout and not read.stderr


def test_the_completion_is_read_by_bash() -> None:
    assert subprocess.run(["bash", "-n", BUILT / "workbench.bash"], check=False).returncode == 0
    assert "anonymise" in (BUILT / "workbench.bash").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["guarantee", "--epsilon", "1", "--delta", "1e-5"], "guarantee"),
        (["profile", "sample_data/ages.csv"], "profile"),
        (["query", "sample_data/ages.csv", "--query", "count", "--epsilon", "1"], "query"),
        (["query", "sample_data/ages.csv", "--query", "mean", "--column", "agee", "--epsilon", "1"], "error"),
    ],
)
def test_what_commands_print_fits_its_schema(
    words: list[str], name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    main([*words, "--json"])
    said = capsys.readouterr()
    schema = json.loads((BUILT / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))
    found = json.loads(said.err if name == "error" else said.out)
    assert fits(found, schema, closed=True) == [] == reprs(found)
    assert schema["$id"] == f"urn:anonymisation-workbench:{name}:1" == found["schema"]
    assert fits({}, schema), "something is required"


def test_every_command_has_a_schema() -> None:
    assert {name.partition("-")[0] for name in ANSWERS} == {*COMMANDS, "error"}
    there = {file.name: file.read_text(encoding="utf-8") for file in (BUILT / "schemas").iterdir()}
    assert there == schemas(), "build the manual again with: python docs/manual/build.py"


def test_settings_fit_the_schemas_that_follow_from_their_declarations() -> None:
    for room, made in ROOM_SETTINGS.items():
        schema = json.loads(schemas()[f"settings-{room}.schema.json"])
        if room == "compare":
            experiment = read_experiment(ROOT / "tests" / "kept" / "experiments" / "releases.json")[0]
            assert fits(experiment.to_json(), schema, closed=True) == []
            continue
        plain = to_json(made())
        assert fits(plain, schema, closed=True) == []
        assert set(schema["properties"]) == set(plain)
        assert fits({**plain, next(iter(plain)): [["no setting is this"]]}, schema)


@pytest.mark.parametrize("value", ["{'k': 5}", "Fraction(1, 3)", "<enum 'Kind'>", "in ['a', 'b']", "PosixPath('/x')"])
def test_what_only_python_writes_is_noticed(value: str) -> None:
    assert reprs({"models": [value]}) and reprs({value: 1})
    assert not reprs({"models": ["k-anonymity k=5", "income > 50 or town in {Basel}", "[18, 30)"]})


def open_places(schema: dict[str, Any], path: str) -> Iterator[str]:
    """Where a schema allows everything."""
    if not {"type", "enum", "anyOf"} & set(schema):
        yield path
    if schema.get("type") == "object" and not {"properties", "additionalProperties"} & set(schema):
        yield path
    inside = [*schema.get("properties", {}).items(), *(("", one) for one in schema.get("anyOf", ()))]
    inside += [("[]", one) for one in schema.get("prefixItems", ())]
    inside += [(".*", schema[name]) for name in ("items", "additionalProperties") if isinstance(schema.get(name), dict)]
    for name, one in inside:
        yield from open_places(one, f"{path}.{name}" if name else path)


def test_no_schema_allows_everything() -> None:
    """But for what entries of ledgers were made with, which plug-ins and earlier programs wrote too."""
    found = {one for name, schema in schemas().items() for one in open_places(json.loads(schema), name)}
    assert {one for one in found if not one.startswith("ledger.schema.json.entries..*.parameters")} == set()
    assert list(open_places({"type": "object", "properties": {"a": {"type": "array", "items": {}}}}, "x")) == ["x.a..*"]
