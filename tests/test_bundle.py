"""The bundle that PyInstaller makes: built from this checkout, and used as somebody does who has nothing else.

It takes minutes, so it runs where the extra `bundle` is installed, as in the second part of `.ci/run`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.real_screen import PATIENCE, needs_a_screen, real_screen, wait
from workbench import __version__
from workbench.core.paths import sample_data
from workbench.session import Session

fcntl = pytest.importorskip("fcntl", reason="recipes for systems without it are untried")

ROOT = Path(__file__).resolve().parents[1]
NBA = sample_data() / "nba_salaries.csv"
MOST_BYTES = 750_000_000

pytestmark = [
    pytest.mark.bundle,
    pytest.mark.skipif(find_spec("PyInstaller") is None, reason="needs PyInstaller (the extra bundle)"),
    pytest.mark.timeout(1800),
]


@pytest.fixture(scope="module")
def bundle() -> Path:
    """The folder of the bundle, which one worker makes for all, in a place that has a space in its name.

    `WORKBENCH_BUNDLE` names one that is built already, which takes most of the time.
    """
    if built := os.environ.get("WORKBENCH_BUNDLE"):
        return Path(built).resolve()
    place = Path(os.environ["WORKBENCH_TEST_SESSION"], "a bundle")
    place.mkdir(exist_ok=True)
    with (place / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = place / "anonymisation-workbench"
        if not made.exists():
            building = place / "building"
            words = [
                "--noconfirm",
                "--log-level",
                "WARN",
                "--distpath",
                str(building),
                "--workpath",
                str(place / "work"),
            ]
            done = subprocess.run(
                [sys.executable, "-m", "PyInstaller", *words, str(ROOT / "packaging" / "workbench.spec")],
                capture_output=True,
                text=True,
                cwd=place,
                check=False,
            )
            assert done.returncode == 0, done.stderr[-4000:]
            shutil.rmtree(place / "work")
            (building / made.name).rename(made)
    return made


def run(bundle: Path, home: Path, *words: str) -> str:
    """What a command says, in an empty home and without a Python to be found."""
    surroundings = {"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    done = subprocess.run(
        [str(bundle / "workbench"), *words], capture_output=True, text=True, env=surroundings, cwd=home, check=False
    )
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stdout + done.stderr
    return done.stdout


def test_the_command_line_of_a_bundle(bundle: Path, tmp_path: Path) -> None:
    told = run(bundle, tmp_path, "--version")
    assert f"anonymisation workbench {__version__}" in told and "a bundle" in told
    assert json.loads(run(bundle, tmp_path, "profile", str(NBA), "--json"))["rows"]
    out = tmp_path / "out.csv"
    levels = [
        word for name in ("salary", "position") for word in ("--level", f"{name}={'3' if name == 'salary' else '0'}")
    ]
    hierarchies = [
        word
        for name in ("salary", "position")
        for word in ("--hierarchy", f"{name}={sample_data() / f'nba_hierarchy_{name}.csv'}")
    ]
    run(bundle, tmp_path, "anonymise", str(NBA), *hierarchies, *levels, "--epsilon", "1", "--delta", "1e-5",
        "--out", str(out), "--statement", str(tmp_path / "statement.html"))  # fmt: skip
    assert out.stat().st_size
    run(bundle, tmp_path, "verify", str(out), "--statement", str(tmp_path / "statement.html"))


def test_files_of_others_are_read_in_a_process_of_the_bundle_itself(bundle: Path, tmp_path: Path) -> None:
    table = tmp_path / "packed.csv.gz"
    packed = subprocess.run(["gzip", "--stdout", str(NBA)], capture_output=True, check=True).stdout
    table.write_bytes(packed)
    plain = json.loads(run(bundle, tmp_path, "profile", str(NBA), "--json"))
    assert json.loads(run(bundle, tmp_path, "profile", str(table), "--json"))["columns"] == plain["columns"]


def test_a_slow_pattern_runs_in_a_process_of_the_bundle_itself(bundle: Path, tmp_path: Path) -> None:
    data, recipe, out = tmp_path / "codes.csv", tmp_path / "recipe.json", tmp_path / "made.csv"
    data.write_text("code\nab-1\ncd-22\n")
    kept = json.loads((ROOT / "tests" / "kept" / "specifications" / "redaction_town.json").read_text())
    kept["details"]["rules"][0]["pattern"] = "(-)([0-9]+)"
    recipe.write_text(json.dumps(kept))
    run(bundle, tmp_path, "hierarchy", "build", str(recipe), "--data", str(data), "--column", "code", "--out", str(out))
    assert "ab*" in out.read_text() and "cd*" in out.read_text()


@needs_a_screen
def test_the_window_of_a_bundle_opens_a_project(bundle: Path, tmp_path: Path) -> None:
    session, project = Session(), tmp_path / "players.wbench"
    session.data.open(NBA)
    session.save(project)
    with real_screen() as display:
        surroundings = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "DISPLAY": display}
        program = subprocess.Popen(
            [str(bundle / "workbench-gui"), str(project)],
            env=surroundings,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
        )

        def x(*words: str) -> str:
            done = subprocess.run(
                ["xdotool", *words], env={**os.environ, "DISPLAY": display}, capture_output=True, text=True, check=False
            )
            return done.stdout.strip()

        try:
            wait("the window", lambda: x("search", "--onlyvisible", "--name", "players"), program)
            window = x("search", "--onlyvisible", "--name", "players").splitlines()[0]
            x("windowfocus", "--sync", window)
            x("key", "--window", window, "ctrl+q")
            _, errors = program.communicate(timeout=PATIENCE)
            assert program.returncode == 0 and "Traceback" not in errors, errors
        finally:
            if program.poll() is None:
                program.kill()
                program.communicate()


def test_a_bundle_installs_for_one_account_and_goes_again(bundle: Path, tmp_path: Path) -> None:
    script, surroundings = ROOT / "packaging" / "linux" / "install", {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}

    def installed(*words: str) -> set[str]:
        subprocess.run([str(script), *words], env=surroundings, check=True, capture_output=True)
        return {path.name for path in tmp_path.rglob("*") if path.is_file() and "_internal" not in path.parts}

    files = installed(str(bundle))
    assert {"anonymisation-workbench.desktop", "anonymisation-workbench-mime.xml", "workbench-gui"} <= files
    told = subprocess.run(
        [str(tmp_path / ".local/bin/workbench"), "--version"],
        env=surroundings,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "a bundle" in told.stdout
    assert not installed("--remove") & {"anonymisation-workbench.desktop", "workbench-gui"}


def test_who_has_nothing_but_the_folder_is_told_where_things_are(bundle: Path) -> None:
    told = (bundle / "README.txt").read_text(encoding="utf-8")
    named = re.findall(r"_internal/\S+", told) + re.findall(r"^  (workbench\S*)", told, re.MULTILINE)
    assert len(named) == 4 and all((bundle / name).exists() for name in named)


def test_about_names_the_licence_of_everything_in_a_bundle(bundle: Path, tmp_path: Path) -> None:
    inner = bundle / "_internal"
    said = dict(line.split(": ", 1) for line in run(bundle, tmp_path, "--licences").splitlines())
    plain = {name.lower().replace("-", "_") for name in said}
    notes = {path.name.partition("-")[0].lower() for path in inner.glob("*.dist-info")} - {"anonymisation_workbench"}
    assert len(notes) > 5 and notes <= plain and all(said.values())
    packages = {
        path.name.partition(".")[0] for path in inner.iterdir() if any(path.glob("*.so")) or path.suffix == ".so"
    }
    found = packages_distributions()
    own = {name for name in packages if not name.startswith("lib")}
    brought = {one for name in own for one in found.get(name) or found.get(name.lstrip("_"), [f"nobody's {name}"])}
    assert {name.lower().replace("-", "_") for name in brought} <= notes, "each has the notes of its distribution"
    libraries = {
        path.name
        for path in inner.rglob("lib*.so*")
        if path.is_file() and "plugins" not in path.parts and path.name[3] != "."
    }
    lists = json.loads((ROOT / "packaging" / "libraries.json").read_text(encoding="utf-8"))
    for name in libraries:
        stem = re.sub(r"(-[0-9a-f]{8})*(\.abi3)?\.so[.\d]*$", "", name)
        project = next(
            (one for one, listed in lists.items() if re.sub(r"[.]\d+$", "", stem) in listed[1:] or stem in listed[1:]),
            "",
        )
        assert said.get(project) == lists[project][0] if project else False, f"{name} has no licence in About"
    assert not {name for name in libraries if name.startswith(("libreadline", "libgtk"))}
    texts = {path.name for path in (inner / "licences").iterdir()}
    assert {"LGPL-3.txt", "GPL-3.txt", "LGPL-2.1.txt", "Python.txt"} <= texts
    assert all(
        any(path.rglob("*[Ll][Ii][Cc][Ee][Nn]*")) or path.name.startswith(LGPL) for path in inner.glob("*.dist-info")
    )
    for path in inner.rglob("*"):
        assert not path.is_symlink() or path.exists(), f"{path.name} leads nowhere"


LGPL = ("pyside6", "shiboken6")
"""What brings no text of its own; that of the LGPL lies beside."""


def test_a_bundle_is_not_larger_than_it_was(bundle: Path) -> None:
    assert sum(path.lstat().st_size for path in bundle.rglob("*") if path.is_file()) < MOST_BYTES
