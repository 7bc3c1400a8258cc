"""From a fresh checkout to a running program, with nothing but Python.

`python3 -m workbench` and `python3 tests` call `prepare` before they import anything that must be installed
first. It looks, in this order, for:

1. an active virtual environment: what is missing is installed into it;
2. `.venv` in the checkout, made by an earlier start and still matching: the program starts again in it;
3. a Python that already has everything: the program just runs;
4. otherwise `.venv` is made, filled, and the program starts again in it.

A stamp, written last, says what an environment was prepared for. An interrupted installation therefore
leaves none, and the next start repairs it. This module imports the standard library only, since nothing else
is there yet, and is quick when all is prepared. Everything it says goes to standard error.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import NoReturn

FAILED = 2
WINDOW_PACKAGES = (
    "libegl1 libgl1 libglib2.0-0 libdbus-1-3 libfontconfig1 libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 "
    "libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render-util0 libxcb-shape0 libxcb-xkb1"
)
_STAMP = "workbench-environment.json"
_RESTARTED = "WORKBENCH_RESTARTED"
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
    sys.stderr.write(text + "\n")
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
        for line in process.stdout:
            text = line.rstrip()
            if text:
                last.append(text)
            if text.startswith(_ANNOUNCED):
                say(f"  {text[:100]}")
    return process.returncode, list(last)


@dataclass(frozen=True)
class Checkout:
    """The project's source folder, and the environment it keeps for itself.

    Attributes
    ----------
    root
        The folder with `pyproject.toml`.
    interpreter
        The Python that is running.
    run
        Runs a command, and returns its exit code and last lines of output.
    """

    root: Path
    interpreter: Interpreter = field(default_factory=Interpreter)
    run: Runner = run_announced

    @property
    def exists(self) -> bool:
        """Whether this is a source folder at all, and not a place where the program was installed."""
        return (self.root / "pyproject.toml").is_file()

    @property
    def environment(self) -> Path:
        return self.root / ".venv"

    @property
    def constraints(self) -> Path:
        return self.root / ".ci" / "constraints.txt"

    def fingerprint(self) -> str:
        """Digest of what an environment must match: requirements, constraints, Python's version, folder."""
        digest = hashlib.sha256()
        for path in (self.root / "pyproject.toml", self.constraints):
            digest.update(path.read_bytes() if path.is_file() else b"")
            digest.update(b"\0")
        # An editable installation holds the folder's path: a moved checkout must not run the old one.
        digest.update(f"{self.interpreter.version}\0{self.root}".encode())
        return digest.hexdigest()

    def is_prepared(self, environment: Path, extra: str) -> bool:
        """Whether an earlier start prepared this environment completely for what is needed now."""
        stamp = _Stamp.read(environment)
        return stamp.fingerprint == self.fingerprint() and extra in stamp.extras and python_of(environment).exists()

    def unmet(self, extra: str) -> list[str]:
        """Requirements that the running Python does not meet, as `pyproject.toml` writes them."""
        # Imported only here: a prepared environment, the common case, needs none of it.
        from workbench import requirements

        return requirements.unmet(self.root / "pyproject.toml", extra, self.interpreter.version)

    def make_environment(self) -> None:
        """Make `.venv`, unless there is one to build on.

        One that an interrupted start left behind, or that another Python made, is made anew. One that a
        person made is used as it is and never deleted.

        Raises
        ------
        BootstrapError
            If Python's own parts for it are missing, the folder cannot be written, or something else is in
            the way.
        """
        environment = self.environment
        stamp = _Stamp.read(environment)
        if python_of(environment).exists():
            whole = stamp.fingerprint and stamp.python == self.interpreter.version
            if whole or not stamp.made_by_start:
                return
        elif environment.exists() and not stamp.made_by_start:
            raise BootstrapError(
                f"{environment} exists, but is no working virtual environment.\n"
                "Move it out of the way or delete it, then start again."
            )
        _require_venv_parts(self.interpreter)
        try:
            if environment.exists():
                shutil.rmtree(environment)
            environment.mkdir()
            _Stamp(made_by_start=True).write(environment)
        except OSError as error:
            raise BootstrapError(
                f"The environment cannot be made in {environment}: {error.strerror or error}.\n"
                "Copy the project to a folder you may write to; or make a virtual environment elsewhere\n"
                "(python3 -m venv FOLDER), activate it and start again."
            ) from error
        code, lines = self.run([self.interpreter.executable, "-m", "venv", str(environment)])
        if code != 0:
            raise BootstrapError(f"Python could not make a virtual environment in {environment}:\n{_indented(lines)}")

    def install(self, environment: Path, extra: str) -> None:
        """Install the project, editable, with its requirements, and stamp the environment as prepared.

        Raises
        ------
        BootstrapError
            If pip is missing or does not succeed.
        """
        python = str(python_of(environment))
        if self.run([python, "-m", "pip", "--version"])[0] and self.run([python, "-m", "ensurepip"])[0]:
            raise BootstrapError(
                f"The virtual environment {environment} has no pip to install with.\n"
                "Add pip to it; or leave it (deactivate) and start again: .venv is made and used then."
            )
        fingerprint = self.fingerprint()
        old = _Stamp.read(environment)
        extras = {"", extra} | (set(old.extras) if old.fingerprint == fingerprint else set())
        # From here until the last line the environment counts as unfinished.
        begun = _Stamp(made_by_start=old.made_by_start, python=self.interpreter.version)
        begun.write(environment)
        named = ",".join(sorted(extras - {""}))
        target = f"{self.root}[{named}]" if named else str(self.root)
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
        replace(begun, fingerprint=fingerprint, extras=tuple(sorted(extras))).write(environment)


@dataclass(frozen=True)
class _Stamp:
    """What a start has done to an environment; an empty fingerprint means: begun, not finished."""

    made_by_start: bool = False
    python: tuple[int, ...] = ()
    fingerprint: str = ""
    extras: tuple[str, ...] = ()

    @classmethod
    def read(cls, environment: Path) -> _Stamp:
        try:
            content = json.loads((environment / _STAMP).read_text(encoding="utf-8"))
            return cls(
                made_by_start=bool(content["made_by_start"]),
                python=tuple(content["python"]),
                fingerprint=str(content["fingerprint"]),
                extras=tuple(content["extras"]),
            )
        except (OSError, ValueError, KeyError, TypeError):
            return cls()

    def write(self, environment: Path) -> None:
        part = environment / f"{_STAMP}.part"
        part.write_text(json.dumps(asdict(self)), encoding="utf-8")
        part.replace(environment / _STAMP)


def python_of(environment: Path) -> Path:
    """The program file of a virtual environment's Python."""
    return environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def restart(python: Path) -> NoReturn:
    """Start the program again, with the same arguments, in another Python."""
    command = [str(python), *sys.orig_argv[1:]]
    os.environ[_RESTARTED] = "1"
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name == "nt":
        # There, execv returns to the shell at once and leaves two programs reading the same console.
        raise SystemExit(subprocess.call(command))
    os.execv(command[0], command)


def prepare(
    extra: str = "",
    *,
    checkout: Checkout | None = None,
    restart: Callable[[Path], None] = restart,
) -> None:
    """Return only in a Python that has everything the program needs; install or start again as necessary.

    Parameters
    ----------
    extra
        Name of an extra of `pyproject.toml` that is needed too, such as "test".
    checkout
        The source folder; by default the one this module lies in. Where the program was installed rather than
        checked out there is none, and nothing to do.
    restart
        Starts the program again in another Python.

    Raises
    ------
    SystemExit
        With code 2, after a message on standard error, if the environment cannot be prepared.
    """
    checkout = checkout or Checkout(Path(__file__).resolve().parents[1])
    again = os.environ.pop(_RESTARTED, "")
    if not checkout.exists:
        return
    try:
        _prepare(checkout, extra, restart if not again else _refuse_to_restart)
    except BootstrapError as error:
        say(str(error))
        raise SystemExit(FAILED) from None
    except OSError as error:
        say(f"The environment could not be prepared: {error}.")
        raise SystemExit(FAILED) from None
    except KeyboardInterrupt:
        say("Interrupted; the next start goes on from here.")
        raise SystemExit(130) from None


@contextlib.contextmanager
def explaining_missing_libraries() -> Iterator[None]:
    """Turn the import error of a library that the operating system lacks into words.

    Raises
    ------
    SystemExit
        With code 2, after a message on standard error, if such an error came up inside.
    """
    try:
        yield
    except ImportError as error:
        if "shared object file" not in str(error):
            raise
        say(
            f"The operating system lacks a library that the window needs: {error}.\n"
            f"On Debian and Ubuntu: apt install {WINDOW_PACKAGES}"
        )
        raise SystemExit(FAILED) from None


def _prepare(checkout: Checkout, extra: str, restart: Callable[[Path], None]) -> None:
    inside = checkout.interpreter.in_environment
    environment = checkout.interpreter.prefix if inside else checkout.environment
    if checkout.is_prepared(environment, extra):
        return None if inside else restart(python_of(environment))
    if not checkout.unmet(extra):
        return None
    with _alone(checkout.root):
        # Another start may have done the work while this one waited its turn.
        if not checkout.is_prepared(environment, extra):
            shown = environment if inside else environment.relative_to(checkout.root)
            say(f"Preparing the environment in {shown} (once, about a minute)…")
            if not inside:
                checkout.make_environment()
            checkout.install(environment, extra)
            say("The environment is ready.")
    if not inside:
        return restart(python_of(environment))
    importlib.invalidate_caches()
    return None


def _refuse_to_restart(python: Path) -> None:
    raise BootstrapError(
        f"{python} was started, but it is not running as the virtual environment it belongs to.\n"
        "Is PYTHONHOME set? If not, delete that environment and start again."
    )


@contextlib.contextmanager
def _alone(root: Path) -> Iterator[None]:
    """Let one start at a time change the environment; the lock ends with its holder, however it ends."""
    try:
        import fcntl
    except ImportError:  # Windows: two first starts at the same moment are left to chance
        yield
        return
    with (root / "pyproject.toml").open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Another start is preparing the environment; waiting for it…")
            fcntl.flock(file, fcntl.LOCK_EX)
        except OSError:  # a file system without locks
            pass
        yield


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
