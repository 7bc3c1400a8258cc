"""Reference pages of the manual, made from the code: commands, answers, settings, library, plug-ins, conventions."""

from __future__ import annotations

import argparse
import dataclasses
import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import workbench
from workbench.cli.commands import whole_parser
from workbench.cli.conventions import ENVIRONMENT, EXIT_CODES
from workbench.core.settings import declared
from workbench.project import setting_paths
from workbench.project.model import new_project
from workbench.project.rooms import ROOM_SETTINGS

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
ANSWERS = ROOT / "tests" / "kept" / "answers"


def pages() -> dict[str, str]:
    """Every generated page, by its path without an ending."""
    return {
        "reference/commands": commands(),
        "reference/answers": answers(),
        "reference/project": project(),
        "reference/library": library(),
        "reference/notebooks": _adopted(DOCS / "library.md"),
        "reference/engines": _adopted(DOCS / "engines.md"),
        "reference/tour": _adopted(DOCS / "commands.md"),
        "theory/limits": _adopted(DOCS / "limits.md"),
        "theory/trimming": _adopted(DOCS / "trimming.md"),
        "theory/reliability": _adopted(DOCS / "reliability.md"),
        "reference/plugins": _adopted(DOCS / "extending.md"),
        "reference/conventions": conventions(),
        "reference/glossary": _adopted(DOCS / "glossary.md"),
    }


# Commands


def leaves(of: argparse.ArgumentParser, name: str = "workbench") -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Every command that can be typed."""
    below = [action for action in of._actions if isinstance(action, argparse._SubParsersAction)]
    if not below:
        yield name, of
    for action in below:
        for word, one in action.choices.items():
            yield from leaves(one, f"{name} {word}")


def commands() -> str:
    """The page of all commands and their options."""
    lines = ["# Commands", "", "Every command takes `--json`, `--quiet` and `--help`; see [](conventions.md).", ""]
    for name, parser in leaves(whole_parser()):
        lines += [f"## {name}", "", _plain(parser.description or ""), ""]
        for action in parser._actions:
            if {"--help", "--json", "--quiet"} & {*action.option_strings} or action.help == argparse.SUPPRESS:
                continue
            lines += [f"`{_typed(action)}`", f": {_help(action)}", ""]
    return "\n".join(lines)


def _typed(action: argparse.Action) -> str:
    value = str(action.metavar or "")
    if not value and action.choices is not None:
        value = "|".join(map(str, action.choices))
    if not action.option_strings:
        return value or action.dest
    takes = action.nargs != 0
    return f"{', '.join(action.option_strings)}{f' {value or action.dest.upper()}' if takes else ''}"


def _help(action: argparse.Action) -> str:
    text = _plain((action.help or "").replace("%%", "%"))
    repeats = isinstance(action, argparse._AppendAction) and "several times" not in text
    more = " May be given several times." if repeats else ""
    needed = " Needed." if action.required and action.option_strings else ""
    # A Greek letter is a name: the capital of δ means something else, and that of ε looks like an E.
    said = (text[0].upper() if text[0].isascii() else text[0]) + text[1:] if text else "As its name says"
    return f"{said}{'' if said.endswith('.') else '.'}{more}{needed}"


def _plain(text: str) -> str:
    """A text in which nothing means something to the formatter."""
    return re.sub(r"([\\`*_\[\]<>{}|$#])", r"\\\1", " ".join(text.split()))


def conventions() -> str:
    """Exit codes, environment variables, streams, and what a program reads."""
    lines = ["# Conventions of all commands", "", "## Exit codes", ""]
    lines += [f"`{code}`\n: {_plain(text)}\n" for code, text in EXIT_CODES.items()]
    lines += ["## Environment variables", ""]
    lines += [f"`{name}`\n: {_plain(text)}\n" for name, text in ENVIRONMENT.items()]
    return "\n".join([*lines, _CONVENTIONS])


_CONVENTIONS = """## Streams

`-` in place of a file means standard input where data is read, and standard output where it is written. Words then go
to standard error. What a command reads is never written over.

## For programs

With `--json` a command prints one object; its keys stay, and more may come. What goes wrong is one object on standard
error:

```json
{"error": {"message": "…", "hint": "…", "field": "…"}, "notes": [], "charged": []}
```

`charged` has what was paid for all the same, each with `what`, `epsilon`, `delta` and `answer_kept`.

## Spelling

`anonymize` is `anonymise`, `help COMMAND` is `COMMAND --help`, `-V` is `--version`. Long options may be shortened as
long as they are unmistakable. A value that begins with a minus is joined: `--bounds=-5,5`.
"""


# Answers


def answers() -> str:
    """The keys of what commands print with `--json`, as they are promised."""
    lines = [
        "# Answers for programs",
        "",
        "What commands print with `--json`: these keys are promised, and a test sees that each stays. More may come. "
        "`[]` is an element of a list. Which keys there are depends on what was asked; the command stands above each "
        "list. For programs that check there is a JSON Schema of each command, with a version, in the folder `schemas` "
        "beside these pages, such as `schemas/query.schema.json`, and one of the settings of each room; the key "
        "`schema` of an answer is its `$id`, whose end is the version. They are made "
        "from the types that the program declares. Whether a key is of the format or a name of your data, such as a "
        "column, only the schema says.",
        "",
    ]
    for file in sorted(ANSWERS.glob("*.json")):
        steps = json.loads(file.read_text(encoding="utf-8"))["steps"]
        step = next((one for one in reversed(steps) if one["code"] == 0 and one.get("keys")), None)
        if step is None:
            continue
        words = " ".join(word for word in step["words"])
        lines += [f"## {file.stem.replace('_', ' ')}", "", "```text", f"workbench {words}", "```", ""]
        lines += ["| key | type |", "|---|---|"]
        lines += [f"| `{key}` | {' or '.join(kinds)} |" for key, kinds in step["keys"].items() if key]
        lines.append("")
    return "\n".join(lines)


# Projects


def project() -> str:
    """Every setting of a project, by the path that `workbench project set --set` takes."""
    said = dict(_settings())
    lines = [
        "# Projects and their settings",
        "",
        "A project (`.wbench`) is a zip file of `project.json` and imported hierarchies. It holds settings, never "
        "rows. `workbench project show` prints one, `workbench project set P.wbench --set PATH=VALUE` changes it. "
        "These are the paths, with the value in a new project.",
        "",
        "| path | new | what it says |",
        "|---|---|---|",
    ]
    for path, value in setting_paths.paths(new_project()).items():
        text = json.dumps(value, ensure_ascii=False).replace("|", "\\|")
        lines.append(f"| `{path}` | `{text if len(text) < 40 else '…'}` | {_plain(_nearest(said, path))} |")
    return "\n".join([*lines, ""])


def _settings() -> Iterator[tuple[str, str]]:
    for room, made in ROOM_SETTINGS.items():
        yield from _declared(made, room)


def _declared(made: type[Any], path: str) -> Iterator[tuple[str, str]]:
    if not dataclasses.is_dataclass(made):
        return
    for name, one in declared(made).items():
        yield f"{path}.{name}", one.spec.help or one.spec.title
        if one.made is not None:
            yield from _declared(one.made, path if one.stored.flat else f"{path}.{name}")


def _nearest(said: dict[str, str], path: str) -> str:
    """What is said of a setting, or of the one that it is a part of."""
    while path not in said and "." in path:
        path = path.rpartition(".")[0]
    return said.get(path, "")


# Library


def library() -> str:
    """Everything that `import workbench as wb` offers."""
    lines = ["# Library for notebooks", "", "```python", "import workbench as wb", "```", ""]
    lines += ["Needs no window. Nothing that it shows by accident is of the data.", ""]
    for name in sorted(workbench.__all__):
        found = getattr(workbench, name)
        if not callable(found):
            continue
        lines += [
            f"## wb.{name}",
            "",
            "```text",
            f"wb.{name}{_signature(found)}",
            "",
            inspect.getdoc(found) or "",
            "```",
            "",
        ]
        if inspect.isclass(found):
            for method, one in vars(found).items():
                if method.startswith("_") or not (callable(one) or isinstance(one, property)):
                    continue
                lines += [f"`.{method}`", f": {_plain(_first(inspect.getdoc(one) or ''))}", ""]
    return "\n".join(lines)


def _signature(found: Any) -> str:
    try:
        return str(inspect.signature(found))
    except (TypeError, ValueError):
        return "(…)"


def _first(text: str) -> str:
    return text.split("\n\n", maxsplit=1)[0] or "As its name says."


# Pages that stand elsewhere


def _adopted(path: Path) -> str:
    """A page of the documents, without links to pages that are no part of the manual."""
    text = path.read_text(encoding="utf-8")
    return re.sub(r"\[([^\]]+)\]\((?!https?:)[^)]+\)", r"\1", text)
