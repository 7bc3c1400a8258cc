"""Every name of the library has a page, which is its docstring, and every example in one runs."""

from __future__ import annotations

import doctest
import importlib.util
import inspect
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import workbench as wb

DOCS = Path(__file__).parents[2] / "docs"


def _script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_library", DOCS / "library.py")
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


SCRIPT = _script()
THINGS: dict[str, Any] = {}
for _name, _thing in SCRIPT.objects().items():
    THINGS[_name] = _thing
    if inspect.isclass(_thing) or inspect.ismodule(_thing):
        for _inner, _one in SCRIPT.members(_thing):
            THINGS[f"{_name}.{_inner}"] = _one
            if inspect.isclass(_one):
                THINGS |= {f"{_name}.{_inner}.{name}": one for name, one in SCRIPT.members(_one)}


@pytest.fixture(autouse=True)
def in_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_pages_are_those_of_the_docstrings() -> None:
    there = {path.name: path.read_text(encoding="utf-8") for path in SCRIPT.FOLDER.glob("*.md")}
    assert there == SCRIPT.pages(), "write them again: python3 docs/library.py"
    assert {f"{name}.md" for name in wb.__all__} <= set(there)


@pytest.mark.parametrize("name", [name for name, one in THINGS.items() if not isinstance(one, property)])
def test_every_name_has_an_example(name: str) -> None:
    text = inspect.getdoc(THINGS[name]) or ""
    assert ">>> " in text or inspect.ismodule(THINGS[name]), name


def test_every_attribute_is_shown_in_an_example() -> None:
    shown = "\n".join(inspect.getdoc(one) or "" for one in THINGS.values())
    missing = [
        name for name, one in THINGS.items() if isinstance(one, property) and f".{name.rpartition('.')[2]}" not in shown
    ]
    assert not missing


@pytest.mark.parametrize("name", [name for name, one in THINGS.items() if ">>> " in (inspect.getdoc(one) or "")])
def test_examples_are_so(name: str) -> None:
    thing = THINGS[name]
    known: dict[str, Any] = {}
    exec(SCRIPT.BEGINNING, known)
    text = inspect.getdoc(thing.fget if isinstance(thing, property) else thing) or ""
    known["WorkbenchError"] = wb.Refused
    found = doctest.DocTestParser().get_doctest(text, known, name, None, 0)
    flags = doctest.IGNORE_EXCEPTION_DETAIL | doctest.ELLIPSIS
    said: list[str] = []
    result = doctest.DocTestRunner(optionflags=flags).run(found, out=said.append)
    assert not result.failed, "".join(said)
