"""Write a page for each name of the Python library, from its docstring: `python3 docs/library.py`.

A test compares the pages with the docstrings, and runs every example.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "library"
RESULTS = (
    "foreseen.AnswerPlan",
    "forecast.ReleaseForecast",
    "search.SearchedTable",
    "survey.SurveyPlan",
    "compared.MethodComparison",
    "published.RedoneFigure",
    "preset.RedonePreset",
    "reported.CollectedReports",
    "reported.ReportedEstimate",
    "simulated.SurveySimulation",
    "without_data.MechanismAudit",
)
"""What calls return that has no name of its own in the library."""

BEGINNING = """\
import pandas as pd
import workbench as wb

people = pd.DataFrame({"age": [34, 35, 36, 52] * 100, "job": ["cook", "cook", "nurse", "nurse"] * 100})
"""
"""What every example begins with."""

_SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.M)


def objects() -> dict[str, Any]:
    """By the name of its page everything that has one."""
    from importlib import import_module

    import workbench as wb

    found = {name: getattr(wb, name) for name in wb.__all__}
    for place in RESULTS:
        module, name = place.split(".")
        found[name] = getattr(import_module(f"workbench.library.{module}"), name)
    return dict(sorted(found.items(), key=lambda item: item[0].lower()))


def members(thing: Any) -> Iterator[tuple[str, Any]]:
    """What is public of a class or of a module, in the order of the source."""
    if inspect.ismodule(thing):
        names = list(thing.__all__)
    else:
        own = [one for one in thing.__mro__ if one.__module__.startswith("workbench.")]
        names = [name for one in own for name in vars(one)]
    for name in names:
        one = getattr(thing, name)
        known = callable(one) or isinstance(one, property)
        if not name.startswith("_") and known and inspect.getdoc(one):
            yield name, one


def signature(name: str, thing: Any) -> str:
    """The name as it is called, with its parameters."""
    if isinstance(thing, property) or inspect.isclass(thing):
        return name
    given = [one for one in inspect.signature(thing).parameters.values() if one.name != "self"]
    parts: list[str] = []
    for place, one in enumerate(given):
        if one.kind is one.KEYWORD_ONLY and (place == 0 or given[place - 1].kind is one.POSITIONAL_OR_KEYWORD):
            parts.append("*")
        stars = "*" if one.kind is one.VAR_POSITIONAL else "**" if one.kind is one.VAR_KEYWORD else ""
        default = "" if one.default is one.empty else f"={_default(one.default)}"
        parts.append(f"{stars}{one.name}{default}")
    return f"{name}({', '.join(parts)})"


def _default(value: Any) -> str:
    return "{}" if type(value).__name__ == "mappingproxy" else repr(value)


def body(thing: Any) -> str:
    """A docstring as Markdown: examples as code, sections as lists."""
    text = inspect.getdoc(thing) or ""
    head, *rest = _SECTION.split(text)
    parts = [_with_examples(head)]
    for title, content in zip(rest[::2], rest[1::2], strict=True):
        parts.append(f"**{title}**\n\n{_listed(content)}")
    return "\n\n".join(part.strip() for part in parts if part.strip())


def _with_examples(text: str) -> str:
    blocks = re.split(r"\n{2,}", text.strip())
    return "\n\n".join(f"```python\n{block}\n```" if block.startswith(">>>") else block for block in blocks)


def _listed(text: str) -> str:
    lines = []
    for line in text.rstrip().split("\n"):
        if line and not line.startswith(" "):
            lines.append(f"- `{line.strip()}`")
        elif line.strip():
            lines.append(f"  {line.strip()}")
    return "\n".join(lines)


def page(name: str, thing: Any) -> str:
    """The page of one name."""
    called = f"wb.{name}" if not any(one.endswith(f".{name}") for one in RESULTS) else name
    parts = [f"# {called}", f"`{signature(called, thing)}`" if callable(thing) and not inspect.isclass(thing) else ""]
    parts.append(body(thing))
    if inspect.isclass(thing) or inspect.ismodule(thing):
        start = f"{called}." if inspect.ismodule(thing) else "."
        for inner, one in members(thing):
            parts += [f"## {inner}", f"`{signature(start + inner, one)}`", body(one)]
    return "\n\n".join(part for part in parts if part) + "\n"


def index(found: dict[str, Any]) -> str:
    """The page that leads to the others."""
    lines = [
        "# The library, name by name",
        "These pages are written from the docstrings by `docs/library.py`; `help(wb.open)` and its like say the same. "
        "Their examples begin with",
        f"```python\n{BEGINNING}```",
        "\n".join(f"- [{name}]({name}.md): {_first(thing)}" for name, thing in found.items()),
    ]
    return "\n\n".join(lines) + "\n"


def _first(thing: Any) -> str:
    return (inspect.getdoc(thing) or "").split("\n\n")[0].replace("\n", " ")


def pages() -> dict[str, str]:
    """By file name the text of every page."""
    found = objects()
    return {"README.md": index(found), **{f"{name}.md": page(name, thing) for name, thing in found.items()}}


def main() -> int:
    FOLDER.mkdir(exist_ok=True)
    wanted = pages()
    for path in FOLDER.glob("*.md"):
        if path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
