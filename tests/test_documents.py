"""The documents for builders speak of the code as it is."""

from __future__ import annotations

import importlib
import importlib.util
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = [*DOCS.glob("*.md"), *(ROOT / name for name in ("CONTRIBUTING.md", "README.md", "SECURITY.md"))]


def drawing() -> ModuleType:
    """The script that draws the layers."""
    spec = importlib.util.spec_from_file_location("layers_of_the_docs", DOCS / "layers.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_picture_of_the_layers_is_current() -> None:
    """`python3 docs/layers.py` draws it again."""
    script = drawing()
    assert script.PICTURE.read_text(encoding="utf-8") == script.picture()
    assert "layers.svg" in (DOCS / "architecture.md").read_text(encoding="utf-8")


def test_the_picture_shows_every_package() -> None:
    packages = {path.parent.name for path in (ROOT / "workbench").glob("*/__init__.py")}
    drawn = set(re.findall(r'font-weight="bold"[^>]*>(\w+)<', drawing().picture()))
    assert drawn == packages


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_path_a_page_names_is_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = re.findall(r"`((?:workbench|tests|docs|resources|sample_data)/[^`\s]*)`", text)
    named += [f"docs/{path}" for path in re.findall(r"\]\(([\w.-]+\.(?:md|svg))\)", text) if page.parent == DOCS]
    paths = [path for path in named if not re.search(r"[*<>…()]|/$", path)]
    # What a page shows being made is not there yet.
    missing = [path for path in paths if not (ROOT / path).exists()]
    assert not missing


@pytest.mark.parametrize("package", ["core", "anonymise"])
def test_every_module_of_a_large_package_is_listed_once(package: str) -> None:
    """So that somebody who looks for a subject finds all of it, and a new module finds its neighbours."""
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    start = text.index(f"| in `workbench/{package}/` | modules |")
    listed = re.findall(r"`(\w+)`", text[start : text.index("\n\n", start)])
    modules = {path.stem for path in (ROOT / "workbench" / package).glob("*.py")} - {"__init__"}
    assert sorted(listed) == sorted(modules)


FILES = {
    path.relative_to(ROOT).as_posix() for part in ("workbench", "tests", "docs") for path in (ROOT / part).rglob("*.py")
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_a_page_names_is_there(page: Path) -> None:
    """Also where only the end of its path is said."""
    named = set(re.findall(r"`([\w/]+\.py)`", page.read_text(encoding="utf-8")))
    assert [name for name in named if not any(f"/{path}".endswith(f"/{name}") for path in FILES)] == []


def test_every_class_and_function_that_the_window_is_explained_by_is_there() -> None:
    page = (DOCS / "gui.md").read_text(encoding="utf-8")
    code = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "workbench").rglob("*.py"))
    code += (ROOT / "tests/gui/conftest.py").read_text(encoding="utf-8")
    defined = set(re.findall(r"(?:def|class) (\w+)|^ *(?:self\.)?(\w+)(?::[^\n=]*)? = ", code, re.M))
    known = {name for pair in defined for name in pair}
    named = re.findall(r"`(?:\w+\.)*(\w+)\(|`(?:[A-Z]\w+\.)+(\w+)`|`([A-Z_]\w+)`|`(_\w+)`", page)
    wanted = {name for names in named for name in names if name}
    assert len(wanted) > 25
    assert wanted - known - {"QObject", "True", "False", "setAccessibleName"} == set()


def is_module(name: str) -> bool:
    """Whether there is a module of this name."""
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def find(reference: str) -> Any:
    """What a dotted name of the code stands for: a module, or something in one; a field of a dataclass too.

    Raises
    ------
    AttributeError
        If it stands for nothing.
    """
    parts = reference.split(".")
    length = max(length for length in range(1, len(parts) + 1) if is_module(".".join(parts[:length])))
    found: Any = importlib.import_module(".".join(parts[:length]))
    for part in parts[length:]:
        fields = getattr(found, "__dataclass_fields__", {})
        found = fields[part] if part in fields else getattr(found, part)
    return found


REFERENCES = sorted(
    {
        (page.name, name)
        for page in PAGES
        for name in re.findall(r"`(workbench(?:\.\w+)+)`", page.read_text(encoding="utf-8"))
        if not name.endswith((".py", ".plugins"))  # a path, and the group of entry points
    }
)


@pytest.mark.parametrize(("page", "name"), REFERENCES)
def test_every_name_of_code_in_a_page_stands_for_something(page: str, name: str) -> None:
    """After a renaming: the page must follow."""
    assert find(name) is not None


def test_the_glossary_names_code_for_every_word() -> None:
    rows = re.findall(r"^\| \*\*(.+?)\*\*.*?\|(.*?)\|(.*?)\|", (DOCS / "glossary.md").read_text(encoding="utf-8"), re.M)
    assert len(rows) > 40
    assert [word for word, meaning, code in rows if not meaning.strip() or "`workbench" not in code] == []


def test_a_name_that_is_gone_is_noticed() -> None:
    with pytest.raises(AttributeError):
        find("workbench.core.table.NoSuchTable")
    with pytest.raises(AttributeError):
        find("workbench.core.no_such_module")
