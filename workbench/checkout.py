"""The source folder: what its environment must have, which of its environments have it, and how one is made and filled.

The standard library only: this runs before anything is installed.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from workbench import requirements
from workbench.core.visible import visible_lines
from workbench.environments import BESIDE, EnvironmentStamp, Shelf, carry_over, python_of

_SHOWN_LINES = 12
_SHOWN_WIDTH = 160
# What pip says when a constraint cannot be met; without a connection it says something else.
_TESTED_SET_MISSING = "ResolutionImpossible"
_ANNOUNCED = ("Collecting ", "Installing collected packages")

Runner = Callable[[Sequence[str]], tuple[int, list[str]]]


class BootstrapError(Exception):
    """The environment cannot be prepared; the text says what happened and what to do."""


@dataclass(frozen=True)
class Interpreter:
    """The running Python, as far as preparing an environment depends on it.

    Attributes
    ----------
    executable
        The program file of the running Python.
    prefix, base_prefix
        `sys.prefix` and `sys.base_prefix`; they differ exactly in a virtual environment.
    version
        Major and minor version, such as (3, 11).
    """

    executable: str = field(default_factory=lambda: sys.executable)
    prefix: Path = field(default_factory=lambda: Path(sys.prefix))
    base_prefix: Path = field(default_factory=lambda: Path(sys.base_prefix))
    version: tuple[int, int] = field(default_factory=lambda: sys.version_info[:2])

    @property
    def in_environment(self) -> bool:
        return self.prefix != self.base_prefix


def say(text: str) -> None:
    """Show a line on standard error; standard output belongs to the program."""
    sys.stderr.write(visible_lines(text) + "\n")
    sys.stderr.flush()


def run_announced(command: Sequence[str]) -> tuple[int, list[str]]:
    """Run a command quietly, but show which packages it is fetching.

    Returns
    -------
    tuple of int and list of str
        The exit code and the last lines of output.

    Raises
    ------
    OSError
        If the program cannot be started.
    """
    # Settings of pip that are sensible for a person's own account, but not inside a virtual environment.
    environment = {**os.environ, "PIP_USER": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"}
    # Without a connection there may be something to go on with, and somebody who waits for it.
    environment.setdefault("PIP_RETRIES", "3")
    last: deque[str] = deque(maxlen=_SHOWN_LINES)
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env=environment,
    ) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                text = line.rstrip()
                if text:
                    last.append(text)
                if text.startswith(_ANNOUNCED):
                    say(f"  {text[:100]}")
        except BaseException:
            process.kill()  # it is not to go on with what nobody waits for
            raise
    return process.returncode, list(last)


@dataclass(frozen=True)
class PackageCheck:
    """A check of the packages of a Python: requirements it does not meet, and pins it has in another version."""

    unmet: tuple[str, ...] = ()
    strayed: tuple[str, ...] = ()


def ask(python: Path, pyproject: Path, constraints: Path, extra: str) -> PackageCheck | None:
    """Ask a Python whether it has what is needed; None if it does not run, or is none that can be asked."""
    # -P: the folder of the script has modules with names of the standard library's.
    command = [str(python), "-P", str(Path(requirements.__file__)), str(pyproject), str(constraints), extra]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True)
        told = json.loads(done.stdout)
        return PackageCheck(tuple(told["unmet"]), tuple(told["strayed"]))
    except (OSError, subprocess.CalledProcessError, ValueError, KeyError, TypeError):
        return None


@dataclass(frozen=True)
class Checkout:
    """The project's source folder, and the environments it keeps for itself.

    Attributes
    ----------
    root
        The folder with `pyproject.toml`.
    interpreter
        The Python that is running.
    run
        Runs a command, and returns its exit code and last lines of output.
    ask
        Asks a Python what it lacks.
    """

    root: Path
    interpreter: Interpreter = field(default_factory=Interpreter)
    run: Runner = run_announced
    ask: Callable[[Path, Path, Path, str], PackageCheck | None] = ask

    @property
    def exists(self) -> bool:
        """Whether this is a source folder at all, and not a place where the program was installed."""
        return self.pyproject.is_file()

    @property
    def pyproject(self) -> Path:
        return self.root / "pyproject.toml"

    @property
    def constraints(self) -> Path:
        return self.root / ".ci" / "constraints.txt"

    @property
    def shelf(self) -> Shelf:
        return Shelf(self.root, self.interpreter.version)

    @property
    def active(self) -> Path | None:
        """The virtual environment that is active, unless a start made it for this checkout."""
        prefix = self.interpreter.prefix
        return prefix if self.interpreter.in_environment and not self.shelf.holds(prefix) else None

    def find(self) -> Path | None:
        """The environment of this checkout for this Python: a person's `.venv`, or the newest that a start made."""
        plain = self.shelf.folder_in_place()
        stamp = EnvironmentStamp.read(plain) if plain else None
        if plain and not (stamp and stamp.made_by_start):
            return plain
        return self.shelf.newest() or plain

    def lacks(self, folder: Path, extra: str) -> list[str] | None:
        """List of what an environment lacks, by the word of its own Python; None if that does not run."""
        answer = self.ask(python_of(folder), self.pyproject, self.constraints, extra)
        if answer is None:
            return None
        stamp = EnvironmentStamp.read(folder)
        if stamp is None:
            return list(answer.unmet)
        pins = requirements.pins(self.constraints)
        lacking = [text for text in answer.unmet if text not in stamp.accepted]
        # Only where a pin has changed: what a person has installed in another version since is theirs to choose.
        lacking += [pin for pin in answer.strayed if pin not in stamp.pins]
        if stamp.number and stamp.folder != str(folder):
            lacking.append("the folder it was made for")
        if not lacking and stamp.pins != tuple(pins):
            with contextlib.suppress(OSError):
                replace(stamp, pins=tuple(pins)).write(folder)
        return lacking

    def unmet(self, extra: str) -> list[str]:
        """Requirements that the running Python does not meet, as `pyproject.toml` writes them."""
        return requirements.unmet(self.pyproject, extra, self.interpreter.version)

    def can_start(self, folder: Path, extra: str) -> bool:
        """Whether the program starts in an environment, even if that does not have everything."""
        modules = ["workbench.cli.main", "workbench.session", *(["pytest"] if extra == "test" else [])]
        code = f"import sys; sys.path.insert(0, sys.argv[1]); import {', '.join(modules)}"
        try:
            return self.run([str(python_of(folder)), "-P", "-c", code, str(self.root)])[0] == 0
        except OSError:
            return False

    def build(self, extra: str, old: Path | None) -> Path:
        """Make an environment beside the old one, with what that has and what it lacks.

        Raises
        ------
        BootstrapError
            If that does not succeed; the old one is as it was then, and nothing is left of the new one.
        """
        plain, stamp = self.shelf.plain, EnvironmentStamp.read(self.shelf.plain)
        if plain.exists() and not python_of(plain).exists() and not (stamp and stamp.made_by_start):
            raise BootstrapError(
                f"{plain} exists, but is no working virtual environment.\n"
                "Move it out of the way or delete it, then start again."
            )
        _require_venv_parts(self.interpreter)
        try:
            new, number = self.shelf.claim()
        except OSError as error:
            raise BootstrapError(
                f"The environment cannot be made in {self.shelf.folder}: {error.strerror or error}.\n"
                "Copy the project to a folder you may write to; or make a virtual environment elsewhere\n"
                "(python3 -m venv FOLDER), activate it and start again."
            ) from error
        try:
            self._fill(new, old, extra)
            self._stamp(new, extra, number, old)
        except OSError as error:
            raise BootstrapError(f"The environment could not be made in {new}: {error}.") from error
        finally:
            if BESIDE and EnvironmentStamp.read(new) is None:
                shutil.rmtree(new, ignore_errors=True)
        return new

    def complete(self, extra: str, folder: Path | None) -> None:
        """Install what is missing into an environment that is a person's, and is used as it is."""
        assert folder is not None
        self._install(folder, extra)
        stamp = EnvironmentStamp.read(folder) or EnvironmentStamp()
        self._stamp(folder, extra, stamp.number, folder, made_by_start=stamp.made_by_start)

    def _fill(self, new: Path, old: Path | None, extra: str) -> None:
        # One whose Python does not even start has nothing to be taken over.
        old = old if old is not None and self.lacks(old, extra) is not None else None
        command = [self.interpreter.executable, "-m", "venv", "--prompt", self.shelf.link().name]
        code, lines = self.run([*command, *(["--without-pip"] if old else []), str(new)])
        if code != 0:
            raise BootstrapError(f"Python could not make a virtual environment in {new}:\n{_indented(lines)}")
        if old:
            carry_over(old, new)
        self._install(new, extra)

    def _stamp(self, folder: Path, extra: str, number: int, old: Path | None, *, made_by_start: bool = True) -> None:
        """Note that an environment is whole. What pip was content with is accepted, even where we cannot tell why."""
        answer = self.ask(python_of(folder), self.pyproject, self.constraints, extra)
        if answer is None:
            raise BootstrapError(f"The Python of {folder} does not start.")
        before = (EnvironmentStamp.read(old) if old else None) or EnvironmentStamp()
        EnvironmentStamp(
            number=number,
            folder=str(folder),
            accepted=tuple(sorted({*before.accepted, *answer.unmet})),
            pins=tuple(requirements.pins(self.constraints)),
            made_by_start=made_by_start,
        ).write(folder)

    def _install(self, folder: Path, extra: str) -> None:
        """Install the project, editable, with its requirements."""
        python = str(python_of(folder))
        if self.run([python, "-m", "pip", "--version"])[0] and self.run([python, "-m", "ensurepip"])[0]:
            raise BootstrapError(
                f"The virtual environment {folder} has no pip to install with.\n"
                "Add pip to it; or leave it (deactivate) and start again: .venv is made and used then."
            )
        target = f"{self.root}[{extra}]" if extra else str(self.root)
        # --prefer-binary: a slightly older wheel is better than a compiler the machine may not have.
        command = [python, "-m", "pip", "install", "--prefer-binary", "--editable", target]
        pinned = ["--constraint", str(self.constraints)] if self.constraints.is_file() else []
        code, lines = self.run([*command, *pinned])
        if code and pinned and any(_TESTED_SET_MISSING in line for line in lines):
            say("Not all of the tested versions can be had here; trying others that fit…")
            code, lines = self.run(command)
        if code:
            raise BootstrapError(
                "The packages the program needs could not be installed. pip's last lines:\n"
                f"{_indented(lines)}\n"
                "Is there a connection to the internet, or to your package index? The next start tries again."
            )


def _require_venv_parts(interpreter: Interpreter) -> None:
    missing = [name for name in ("venv", "ensurepip") if importlib.util.find_spec(name) is None]
    if missing:
        version = ".".join(map(str, interpreter.version))
        raise BootstrapError(
            f"This Python ({interpreter.executable}) lacks {' and '.join(missing)},\n"
            "without which it cannot make virtual environments.\n"
            f"On Debian and Ubuntu: apt install python3-venv   (or python{version}-venv). Then start again."
        )


def _indented(lines: Sequence[str]) -> str:
    return "\n".join(f"  {line[:_SHOWN_WIDTH]}" for line in lines)
