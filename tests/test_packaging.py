"""What systems are told of the program: menu entry, software centre, file type, icon, container."""

from __future__ import annotations

import ast
import configparser
import importlib
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from workbench import __version__
from workbench.core import bounded_patterns
from workbench.core.paths import resources

ROOT = Path(__file__).resolve().parents[1]
PACKAGING = ROOT / "packaging"
NAME = "anonymisation-workbench"
MIME = f"application/x-{NAME}"
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]


def test_the_menu_entry_opens_projects_in_the_window() -> None:
    read = configparser.ConfigParser(interpolation=None, strict=True)
    read.read(PACKAGING / "linux" / f"{NAME}.desktop", encoding="utf-8")
    entry = read["Desktop Entry"]
    assert entry["Exec"] == "workbench-gui %f" and entry["Icon"] == NAME and MIME in entry["MimeType"]
    # Without this the window has no icon on Wayland.
    assert f'setDesktopFileName("{NAME}")' in (ROOT / "workbench" / "gui" / "app.py").read_text(encoding="utf-8")


def test_projects_are_known_by_their_ending() -> None:
    space = {"mime": "http://www.freedesktop.org/standards/shared-mime-info"}
    read = ElementTree.parse(PACKAGING / "linux" / f"{NAME}-mime.xml").getroot().find("mime:mime-type", space)
    assert read is not None and read.get("type") == MIME
    globs = [one.get("pattern") for one in read.findall("mime:glob", space)]
    assert globs == ["*.wbench"]


def test_software_centres_are_told_this_version() -> None:
    read = ElementTree.parse(PACKAGING / "linux" / f"{NAME}.metainfo.xml").getroot()
    assert read.findtext("id") == NAME and read.findtext("project_license") == "Apache-2.0"
    assert next(one.get("version") for one in read.iter("release")) == __version__
    assert [one.text for one in read.iter("mediatype")] == [MIME]


def test_the_container_installs_extras_that_are_there() -> None:
    text = (PACKAGING / "Dockerfile").read_text(encoding="utf-8")
    found = re.search(r"'\.\[(.*)\]'", text)
    assert found is not None and set(found.group(1).split(",")) <= set(EXTRAS)


def test_the_bundle_holds_what_the_extras_bring() -> None:
    tree = ast.parse((PACKAGING / "workbench.spec").read_text(encoding="utf-8"))
    named = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    brought = {
        re.split(r"[<>=\[; ]", one)[0].replace("-", "_")
        for extra in ("published", "excel", "parquet", "statistics", "databases", "scale", "sign", "opendp")
        for one in EXTRAS[extra]
    }
    # These two come with diffprivlib, which imports them itself.
    assert brought - {"scikit_learn", "scipy"} <= named
    assert (resources() / "icons" / "app.svg").exists()


def test_what_only_the_owner_can_give_is_marked_and_listed() -> None:
    listed = (PACKAGING / "README.md").read_text(encoding="utf-8").partition("## What only the owner can give")[2]
    named = {one for line in listed.splitlines() if line.startswith("|") for one in re.findall(r"`([^`]+)`", line)}
    places = [
        *ROOT.glob("*.*"),
        *PACKAGING.rglob("*.*"),
        *(ROOT / ".github").rglob("*.*"),
        *(ROOT / "docs").rglob("*.md"),
    ]
    texts = {one: one.read_text(encoding="utf-8", errors="replace") for one in places if one.is_file()}
    marked = {one.relative_to(ROOT).as_posix() for one, text in texts.items() if re.search("(<!--|#) OWNER: ", text)}
    assert marked == named


def test_every_library_is_listed_under_one_project() -> None:
    lists = json.loads((PACKAGING / "libraries.json").read_text(encoding="utf-8"))
    libraries = [one for _, *several in lists.values() for one in several]
    assert len(set(libraries)) == len(libraries) and all(one.startswith("lib") for one in libraries)


@pytest.mark.parametrize(
    ("name", "library"),
    [
        ("libXau-154567c4.so.6.0.0", "libXau"),
        ("libgfortran-040039e1-0352e75f.so.5.0.0", "libgfortran"),
        ("libscipy_openblas64_-32a4b2a6.so", "libscipy_openblas64_"),
        ("PySide6/libpyside6.abi3.so.6.11", "libpyside6"),
        ("libpython3.11.so.1.0", "libpython3"),
        ("libgio-2.0.so.0", "libgio-2.0"),
        ("PySide6/Qt/plugins/platforms/libqxcb.so", ""),
        ("pyarrow/lib.cpython-311-x86_64-linux-gnu.so", ""),
    ],
)
def test_a_library_is_known_by_its_file(name: str, library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(PACKAGING))
    licences = importlib.import_module("licences")
    assert licences.library_of(name) == library
    assert not library or licences.licence_lines([name])


def test_a_library_without_a_licence_ends_the_building(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(PACKAGING))
    with pytest.raises(SystemExit, match="libnew"):
        importlib.import_module("licences").licence_lines(["libz.so.1", "libnew.so.1"])


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[str]]:
    """A bundle as far as starting itself goes: a program that begins with what was asked of it."""
    program, script = tmp_path / "bundle", tmp_path / "bundle.py"
    script.write_text(
        f"import sys\nsys.path.insert(0, {str(ROOT)!r})\nsys.frozen = True\n"
        "from workbench.starting import command_line\nraise SystemExit(command_line())\n"
    )
    # A first line that names the interpreter allows no space in its path.
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{script}" "$@"\n')
    program.chmod(0o755)
    started: list[str] = []
    run = subprocess.run

    def watched(words: list[str], **how: Any) -> Any:
        started.extend(words)
        return run(words, **how)

    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(program))
    monkeypatch.setattr(bounded_patterns.subprocess, "run", watched)
    yield started


def test_a_bundle_runs_a_slow_pattern_by_starting_itself(frozen: list[str]) -> None:
    pattern = re.compile("(-)([0-9]+)")
    assert bounded_patterns.replaced(pattern, "*", ["ab-1", "cd-22"], each=False) == ["ab*", "cd*"]
    assert frozen == [sys.executable, bounded_patterns.FLAG]
