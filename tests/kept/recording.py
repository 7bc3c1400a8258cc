"""How promises to programs and files are recorded: flags of commands, keys of what they print, and what files mean.

`python3 tests/kept/recording.py` records what is not recorded yet, and never changes what is.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import os
import re
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

from workbench.cli.answers import ANSWERS as DECLARED
from workbench.cli.commands import whole_parser
from workbench.cli.main import main
from workbench.core.json_schema import schema_of
from workbench.core.paths import resources, sample_data
from workbench.evaluate.experiment import Experiment
from workbench.io.hierarchy_csv import read_hierarchy
from workbench.project.storage import load_project, save_project

HERE = Path(__file__).parent
SUMS = HERE / "sums.json"
FLAGS = HERE / "flags.json"
ANSWERS = HERE / "answers"
MEANINGS = HERE / "meanings"
_DRAWS = 3
"""How often a command is run when it is recorded: what chance leaves out of one answer is no promise."""

Shape = dict[str, list[str]]
"""For each path to a value, such as `entries[].epsilon`, the types it may have."""


# Flags


def commands(of: argparse.ArgumentParser, name: str = "workbench") -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Every command and subcommand with its parser, the program itself first."""
    yield name, of
    for action in of._actions:
        if isinstance(action, argparse._SubParsersAction):
            for word, one in action.choices.items():
                yield from commands(one, f"{name} {word}")


def flags(of: argparse.ArgumentParser) -> dict[str, dict[str, Any]]:
    """What a command takes: flags by their longest name, positional arguments by their place."""
    found: dict[str, dict[str, Any]] = {}
    place = 0
    for action in of._actions:
        if isinstance(action, argparse._SubParsersAction):
            found["command"] = {"choices": sorted(action.choices), "required": action.required}
            continue
        name = max(action.option_strings, key=len, default="")
        if not name:
            place += 1
            name = f"argument {place}"
        found[name] = {
            "names": sorted(action.option_strings),
            "default": _plain(action.default),
            "choices": None if action.choices is None else [_plain(one) for one in action.choices],
            "nargs": action.nargs,
            "required": action.required,
            "repeatable": isinstance(action, argparse._AppendAction),
        }
    return found


def all_flags() -> dict[str, dict[str, dict[str, Any]]]:
    """The flags of every command."""
    return {name: flags(one) for name, one in commands(whole_parser())}


def _plain(value: Any) -> Any:
    """A default as JSON."""
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value if value is None or type(value) in (bool, int, float) else str(value)


# Answers of commands


def shape(value: Any) -> Shape:
    """The paths in a JSON value, and their types; the elements of an array are taken together."""
    found: dict[str, set[str]] = {}
    _walk(value, "", found)
    return {name: sorted(types) for name, types in sorted(found.items())}


def _walk(value: Any, path: str, found: dict[str, set[str]]) -> None:
    found.setdefault(path, set()).add(_type(value))
    if isinstance(value, dict):
        for name, one in value.items():
            _walk(one, f"{path}.{name}" if path else name, found)
    elif isinstance(value, list):
        for one in value:
            _walk(one, f"{path}[]", found)


def _type(value: Any) -> str:
    names = {bool: "boolean", int: "integer", float: "number", str: "text", dict: "object", list: "array"}
    return "null" if value is None else names[type(value)]


def workplace(folder: Path) -> Path:
    """Copy into a folder what commands read, since some of it they write too; `out` beside it is for the rest."""
    shutil.copytree(HERE, folder / "kept", ignore=shutil.ignore_patterns("answers", "meanings", "*.py", "__pycache__"))
    (folder / "out").mkdir()
    return folder


def steps(file: Path) -> list[dict[str, Any]]:
    """The commands of a recorded file, in the order in which they build on each other."""
    found: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))["steps"]
    return found


def command_of(words: Sequence[str]) -> str:
    """The command that words begin with, as its schema is called, such as `project-set`."""
    return "-".join(words[: 2 if words[0] in ("hierarchy", "plugins", "project") else 1])


def words_of(step: Mapping[str, Any], place: Path, more: Sequence[str] = ()) -> list[str]:
    """The words of a command, with the folders of a workplace in them."""
    folders = {"{kept}": place / "kept", "{material}": place / "kept" / "material", "{out}": place / "out"}
    folders |= {"{samples}": sample_data(), "{resources}": resources()}
    words = [*step["words"], *more]
    for sign, folder in folders.items():
        words = [word.replace(sign, str(folder)) for word in words]
    return words


def run(words: Sequence[str]) -> tuple[int, Any]:
    """Run a command that prints JSON: its exit code and the value; no value where it prints none."""
    with redirect_stdout(StringIO()) as out:
        code = main(list(words))
    text = out.getvalue()
    return code, json.loads(text) if text else None


# Types of answers


def promises(schema: dict[str, Any], path: str = "") -> dict[str, list[str]]:
    """By path, the types that a value may have, and "always" where its object always has it."""
    found: dict[str, list[str]] = {}
    for number, one in enumerate(schema.get("anyOf", [])):
        inside = promises(one, path or f"{number}")
        found |= {name: sorted({*found.get(name, []), *kinds}) for name, kinds in inside.items()}
    known = schema.get("type", [])
    kinds = [known] if isinstance(known, str) else list(known)
    if kinds and path:
        found[path] = sorted({*found.get(path, []), *kinds})
    for name, one in schema.get("properties", {}).items():
        inside = promises(one, f"{path}.{name}")
        if name in schema.get("required", ()):
            inside[f"{path}.{name}"] = [*inside.get(f"{path}.{name}", []), "always"]
        found |= inside
    for name, place in (("items", "[]"), ("additionalProperties", ".*")):
        if isinstance(schema.get(name), dict):
            found |= promises(schema[name], f"{path}{place}")
    return found


def declarations() -> list[tuple[Path, Any]]:
    """Where it is recorded what the present version of each answer has, and its type."""
    return [(HERE / "schemas" / f"{name}.{version}.json", made) for name, (version, made) in DECLARED.items()]


# Meanings of files


def _estimates(file: Path) -> Any:
    """What an aggregator makes of a file of reports."""
    return _answer("aggregate", file)


def _account(file: Path) -> Any:
    """What a ledger says of the data it belongs to."""
    found = _answer("ledger", HERE / "material" / f"{file.stem}.csv", "--ledger", file)
    return {name: found[name] for name in ("budget", "spent", "remaining", "advanced", "numerical", "entries")}


def _plans(file: Path) -> Any:
    """What the questions of a batch cost; how exact their answers will be is no promise."""
    found = _answer("query", HERE / "material" / "people.csv", "--batch", file, "--plan")
    wanted = ("query", "epsilon", "delta", "neighbours", "engine", "rows_per_person", "claim", "parameters")
    return [{name: plan[name] for name in wanted} for plan in found.get("plans", [found])]


def _experiment(file: Path) -> Any:
    """An experiment with everything it leaves open."""
    plain = json.loads(file.read_text(encoding="utf-8"))
    plain.pop("figure", None)
    return Experiment.from_json(plain).to_json()


def _project(file: Path) -> Any:
    """The document of a project when it is saved again."""
    with tempfile.TemporaryDirectory() as folder:
        again = Path(folder, file.name)
        save_project(load_project(file), again)
        with zipfile.ZipFile(again) as archive:
            document = json.loads(archive.read("project.json"))
    del document["version"]
    return document


def _specification(file: Path) -> Any:
    """What a specification makes of the column it is named after."""
    column = file.stem.partition("_")[2]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "hierarchy.csv")
        found = _answer(
            "hierarchy", "build", file, "--data", HERE / "material" / "people.csv", "--column", column, "--out", out
        )
        with out.open(encoding="utf-8", newline="") as lines:
            rows = list(csv.reader(lines, delimiter=";"))
    return {"groups": found["groups"], "provenance": found["provenance"], "rows": rows}


def _hierarchy(file: Path) -> Any:
    """What a hierarchy says together with the note beside it."""
    found = read_hierarchy(file)
    return {"groups": list(found.groups()), "provenance": found.provenance.value, "rows": list(map(list, found.rows()))}


def _answer(*words: str | Path) -> Any:
    code, found = run([*map(str, words), "--json"])
    assert code == 0, words
    return found


MEANING: Mapping[str, tuple[str, Callable[[Path], Any]]] = {
    "batches": ("*.json", _plans),
    "experiments": ("*.json", _experiment),
    "hierarchies": ("*.csv", _hierarchy),
    "ledgers": ("*.jsonl", _account),
    "projects": ("*.wbench", _project),
    "reports": ("*.csv", _estimates),
    "specifications": ("*.json", _specification),
}
"""For each folder of kept files, which they are and what is recorded of them."""


def meaningful() -> list[Path]:
    """All kept files that mean something by themselves."""
    return [file for folder, (pattern, _) in MEANING.items() for file in sorted((HERE / folder).glob(pattern))]


def meaning(file: Path) -> Any:
    """What a kept file means to the program as it is."""
    return MEANING[file.parent.name][1](file)


def record_of(file: Path) -> Path:
    """Where the meaning of a kept file is recorded."""
    return MEANINGS / file.parent.name / f"{file.stem}.json"


# Sums


def kept_files() -> list[str]:
    """Everything in this folder that is never edited, by its path."""
    ours = ("README.md", "changed.json", SUMS.name)
    found = (file for file in HERE.rglob("*") if file.is_file() and file.suffix not in (".py", ".pyc"))
    return sorted(name for file in found if (name := file.relative_to(HERE).as_posix()) not in ours)


def sums() -> dict[str, str]:
    """The fingerprints of the files as they were kept."""
    found: dict[str, str] = json.loads(SUMS.read_text(encoding="utf-8")) if SUMS.exists() else {}
    return found


def sum_of(file: Path) -> str:
    """The fingerprint of a file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


# Recording


def _record_answers(file: Path) -> None:
    """Run the commands of a file several times, and write down what each time is there."""
    document = json.loads(file.read_text(encoding="utf-8"))
    if all("code" in step for step in document["steps"]):
        return
    draws = []
    for _ in range(_DRAWS):
        with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, WORKBENCH_LEDGERS=f"{folder}/ledgers"):
            place = workplace(Path(folder))
            draws.append([run(words_of(step, place)) for step in document["steps"]])
    for number, step in enumerate(document["steps"]):
        codes = {draw[number][0] for draw in draws}
        if len(codes) != 1:
            raise SystemExit(f"{file.name}, step {number + 1}: ends by chance, with {codes}")
        shapes = [shape(draw[number][1]) for draw in draws]
        always = set(shapes[0]).intersection(*shapes)
        step["code"] = codes.pop()
        step["keys"] = {name: sorted({kind for one in shapes for kind in one[name]}) for name in sorted(always)}
    _write(file, document)


def _write(file: Path, plain: Any) -> None:
    """Write JSON whose lists of words stand on one line, so that a change of it can be read."""
    text = json.dumps(plain, ensure_ascii=False, indent=1)
    text = re.sub(r'\[\s+(?:"(?:[^"\\]|\\.)*"|[^][{}"])*\]', lambda found: re.sub(r"\n\s*", " ", found[0]), text)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text + "\n", encoding="utf-8")
    print(f"recorded: {file.relative_to(HERE)}")


def _record() -> None:
    if not FLAGS.exists():
        _write(FLAGS, all_flags())
    for file in sorted(ANSWERS.glob("*.json")):
        _record_answers(file)
    with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, WORKBENCH_LEDGERS=folder):
        for file in meaningful():
            if not record_of(file).exists():
                _write(record_of(file), meaning(file))
    for file, made in declarations():
        if not file.exists():
            _write(file, promises(schema_of(made)))
    known = sums()
    _write(SUMS, {name: known.get(name) or sum_of(HERE / name) for name in kept_files()})


if __name__ == "__main__":
    _record()
