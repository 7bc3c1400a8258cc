"""What a person reads where the program cannot start, or is stopped before it has: one sentence, no traceback."""

from __future__ import annotations

import importlib
import os
import re
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from workbench import checkout, guard
from workbench.core.paths import sample_data
from workbench.gui import app
from workbench.gui.screen import NoScreen

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SCRIPTS = {**SCRIPTS["scripts"], **SCRIPTS["gui-scripts"]}


def script(name: str) -> list[str]:
    """The command that an installed script comes to."""
    module, _, function = SCRIPTS[name].partition(":")
    return [sys.executable, "-c", f"import sys; from {module} import {function}; sys.exit({function}())"]


MODULE = [sys.executable, "-m", "workbench"]
WAYS = {
    "script": [*script("workbench"), "guarantee", "--epsilon", "1", "--delta", "1e-5"],
    "module": [*MODULE, "guarantee", "--epsilon", "1", "--delta", "1e-5"],
    "window": script("workbench-gui"),
    "gui command": [*script("workbench"), "gui"],
    "gui module": [*MODULE, "gui"],
}


def shadow(folder: Path, module: str, code: str) -> None:
    """Put a module of one's own in the place of an installed one."""
    path = folder.joinpath(*module.split("."))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.with_name(f"{path.name}.py").write_text(code)


def environment(folder: Path, **variables: str) -> dict[str, str]:
    known = {name: text for name, text in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return {**known, "PYTHONPATH": str(folder), "WORKBENCH_LEDGERS": str(folder / "ledgers"), **variables}


def told(command: list[str], folder: Path, **variables: str) -> tuple[int, str]:
    """The exit code and standard error of a program that says nothing on standard output."""
    done = subprocess.run(
        command, cwd=ROOT, env=environment(folder, **variables), capture_output=True, text=True, timeout=50, check=False
    )
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("workbench: ")
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("way", "package", "sold_as"),
    [
        ("script", "numpy", "numpy"),
        ("module", "numpy", "numpy"),
        ("window", "numpy", "numpy"),
        ("window", "platformdirs", "platformdirs"),
    ],
)
def test_a_missing_package_is_named(way: str, package: str, sold_as: str, tmp_path: Path) -> None:
    shadow(tmp_path, package, f"raise ModuleNotFoundError(\"No module named '{package}'\", name='{package}')")
    code, said = told(WAYS[way], tmp_path)
    assert code == 2
    assert f"The package {sold_as} is needed, and it is not installed." in said
    assert re.search(rf'-m pip install "{sold_as}[<>=\d.,]*"', said, re.IGNORECASE)


@pytest.mark.parametrize("way", ["window", "gui command", "gui module"])
def test_an_installation_without_the_window_says_so_in_one_sentence(way: str, tmp_path: Path) -> None:
    shadow(tmp_path, "PySide6", "raise ModuleNotFoundError(\"No module named 'PySide6'\", name='PySide6')")
    code, said = told(WAYS[way], tmp_path)
    assert code == 2
    assert "This installation is without the window; the command line and the library work without it." in said
    assert re.search(r'-m pip install "[^"]*\[gui\]"', said)


@pytest.mark.parametrize("way", ["window", "gui command", "gui module"])
def test_a_missing_library_of_the_system_is_named_with_what_to_install(way: str, tmp_path: Path) -> None:
    missing = "libEGL.so.1: cannot open shared object file: No such file or directory"
    shadow(tmp_path, "PySide6.__init__", "")
    shadow(tmp_path, "PySide6.QtCore", f"raise ImportError('{missing}')")
    code, said = told(WAYS[way], tmp_path)
    assert code == 2
    assert "libEGL.so.1" in said
    assert f"apt install {guard.WINDOW_PACKAGES}" in said


@pytest.mark.parametrize("way", ["script", "module", "window"])
def test_a_broken_package_is_named(way: str, tmp_path: Path) -> None:
    shadow(tmp_path, "numpy", "raise ImportError('built for another Python\\nand more', name='numpy')")
    code, said = told(WAYS[way], tmp_path)
    assert code == 2
    assert "The package numpy cannot be imported: built for another Python." in said
    assert "and more" not in said


def test_who_asks_for_it_sees_where_it_happened(tmp_path: Path) -> None:
    shadow(tmp_path, "numpy", "raise ImportError('broken', name='numpy')")
    done = subprocess.run(
        WAYS["script"], cwd=ROOT, env=environment(tmp_path, WORKBENCH_DEBUG="1"), capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert "Traceback" in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("reaction", ["", "\nexcept BaseException as error: raise ImportError('odd') from error"])
def test_control_c_during_the_imports(way: str, reaction: str, tmp_path: Path, heeded_control_c: None) -> None:
    # In many steps: a signal that comes just before one long sleep is heeded only when that is over.
    slow = "import time; print('importing', flush=True); [time.sleep(0.05) for _ in range(800)]"
    shadow(tmp_path, "numpy", f"try: {slow}{reaction}" if reaction else slow)
    process = subprocess.Popen(
        WAYS[way], cwd=ROOT, env=environment(tmp_path, QT_QPA_PLATFORM="offscreen"),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    try:
        # Qt knows numpy, and may ask for it first.
        assert process.stdout.readline() == "importing\n"
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=30)
    finally:
        process.kill()
        process.communicate()
    assert (process.returncode, said) == (130, "workbench: interrupted.\n")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the platforms of Linux")
@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        ({}, "there is no screen to show a window on"),
        ({"QT_QPA_PLATFORM": "nonsense"}, "no way to show a window that is called “nonsense”, as QT_QPA_PLATFORM"),
        ({"DISPLAY": ":98765"}, "the screen “:98765” cannot be reached"),
    ],
)
@pytest.mark.parametrize("way", ["window", "gui command"])
def test_a_screen_that_is_not_there_is_said(
    way: str, variables: dict[str, str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    code, said = told(WAYS[way], tmp_path, **variables)
    assert code == 2
    assert sentence in said
    assert "Available platform plugins" not in said


def test_diffprivlib_is_looked_for_before_its_answer_is_paid_for(tmp_path: Path) -> None:
    shadow(tmp_path, "diffprivlib", "raise ModuleNotFoundError(\"No module named 'diffprivlib'\", name='diffprivlib')")
    question = ["--query", "mean", "--column", "age", "--bounds", "15,50", "--resolution", "1", "--epsilon", "0.5"]
    data = str(sample_data() / "nba_salaries.csv")
    code, said = told([*script("workbench"), "query", data, *question, "--engine", "diffprivlib"], tmp_path)
    assert code == 2
    assert "the package diffprivlib cannot be imported" in said
    assert "charged" not in said
    written = [path.read_text(encoding="utf-8") for path in tmp_path.joinpath("ledgers").rglob("*") if path.is_file()]
    assert not any('"charge"' in text for text in written)


def test_the_scripts_of_an_installation_are_there_and_import_nothing_that_may_be_missing() -> None:
    for place in SCRIPTS.values():
        module, _, function = place.partition(":")
        assert callable(getattr(importlib.import_module(module), function))
        code = f"import sys, {module}; print(*{{name.partition('.')[0] for name in sys.modules}})"
        done = subprocess.run([sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
        assert not set(done.stdout.split()) - set(sys.stdlib_module_names) - {"workbench", "__main__"}


def test_where_there_is_no_pip_none_is_recommended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    sentence, hint = guard.explained(ModuleNotFoundError("No module named 'numpy.core'", name="numpy.core"))
    assert sentence == "The package numpy is needed, and it is not installed."
    assert hint == "Install the program again."


def test_part_of_the_program_that_is_missing_is_no_package() -> None:
    sentence, _ = guard.explained(ModuleNotFoundError("No module named 'workbench.core'", name="workbench.core"))
    assert sentence == "Part of the program cannot be imported: No module named 'workbench.core'."


# What a terminal would obey

OBEYED = "\x1b[2J\x9b\u202e"


def _import_that_fails() -> int:
    raise ImportError(f"/home/{OBEYED}/libegl.so: cannot open shared object file")


def _no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(arguments: list[str]) -> None:
        raise NoScreen(f"Qt gives this reason: {OBEYED}.")

    monkeypatch.setattr(app, "application", refuse)
    assert app.run() == guard.FAILED


@pytest.mark.parametrize(
    "say",
    [
        lambda patched: guard.guarded(_import_that_fails),
        lambda patched: checkout.say(f"Preparing the environment in {OBEYED}"),
        _no_screen,
    ],
    ids=["guard", "checkout", "window"],
)
def test_no_path_reaches_a_terminal_as_anything_but_text(
    say: Callable[[pytest.MonkeyPatch], object], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    say(monkeypatch)
    said = capsys.readouterr().err
    assert r"\x1b[2J\x9b\u202e" in said and said.endswith("\n")
    assert not any(sign in said for sign in OBEYED if not sign.isascii()) and "\x1b" not in said


BARE = [sys.executable, "-I", "-S", "-c"]


def test_little_is_loaded_before_control_c_is_heeded() -> None:
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import workbench.guard; print('enum' in sys.modules)"
    done = subprocess.run([*BARE, code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_nothing_is_loaded_before_control_c_ends_a_script() -> None:
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); before = set(sys.modules); import workbench.starting; "
    done = subprocess.run(
        [*BARE, code + "print(*sorted(set(sys.modules) - before))"], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["workbench", "workbench.starting"]


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_control_c_while_the_guard_is_loaded_ends_the_process(tmp_path: Path, heeded_control_c: None) -> None:
    press = "import os, signal, sys\nclass P:\n def find_spec(self, name, *_):\n  if name == 'workbench.guard': "
    press += "os.kill(os.getpid(), signal.SIGINT)\nsys.meta_path.insert(0, P())\n"
    for name in SCRIPTS:
        command = script(name)
        done = subprocess.run(
            [*command[:2], press + command[2]], cwd=ROOT, env=environment(tmp_path), capture_output=True, check=False
        )
        assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, b"", b"")
