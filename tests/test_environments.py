"""Starts for real: a small checkout with the program's own way in, wheels made here, and no network at all.

"Offline" is a start whose pip finds no package; "online", one whose pip finds the wheels. A first start takes seconds,
so most tests begin with a copy of what one has made, in the very folder it was made in.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from workbench import environments
from workbench.environments import EnvironmentStamp, python_of

PATIENCE = 50.0
PACKAGE = Path(__file__).resolve().parents[1] / "workbench"
OWN = "__init__ __main__ bootstrap checkout environments guard requirements starting core/__init__ core/visible"
PYTHON = Path(getattr(sys, "_base_executable", sys.executable))

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="environments are made beside one another on POSIX only"),
    pytest.mark.timeout(180),
]

PROGRAM = """
import sys

def main():
    import spam
    if "linger" in sys.argv:
        print("ready", flush=True)
        sys.stdin.readline()
        import spam.late
        print(spam.late.VERSION, spam.late.__file__)
    else:
        print(spam.VERSION, sys.prefix)
    return 0
"""

BACKEND = """
import pathlib, time, tomllib, zipfile

def build_editable(folder, config_settings=None, metadata_directory=None):
    here = pathlib.Path.cwd()
    while (here / "slow").exists():
        (here / "building").touch()
        time.sleep(0.02)
    info = "toy-1.dist-info"
    wanted = tomllib.loads((here / "pyproject.toml").read_text())["project"]["dependencies"]
    with zipfile.ZipFile(pathlib.Path(folder) / "toy-1-py3-none-any.whl", "w") as wheel:
        wheel.writestr("toy.pth", str(here))
        needs = "".join(f"Requires-Dist: {text}\\n" for text in wanted)
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\\nName: toy\\nVersion: 1\\n{needs}")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(f"{info}/entry_points.txt", "[console_scripts]\\nworkbench=workbench.starting:command_line\\n")
        wheel.writestr(f"{info}/RECORD", "")
    return "toy-1-py3-none-any.whl"
"""


def make_wheel(folder: Path, name: str, version: str) -> None:
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
        for module in ("__init__", "late"):
            wheel.writestr(f"{name}/{module}.py", f"VERSION = '{version}'\ndef main(): pass\n")
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/entry_points.txt", f"[console_scripts]\n{name}-tool={name}.late:main\n")
        wheel.writestr(f"{info}/RECORD", "")


@dataclass
class Toy:
    """A checkout, and a home with nothing in it."""

    root: Path
    wheels: Path
    python: Path = PYTHON
    living: list[subprocess.Popen[str]] = field(default_factory=list)

    @property
    def made(self) -> list[Path]:
        return sorted((self.root / ".venvs").iterdir())

    @property
    def current(self) -> Path:
        return (self.root / ".venv").resolve()

    def require(self, *requirements: str) -> None:
        listed = ", ".join(f"'{text}'" for text in requirements)
        self.root.joinpath("pyproject.toml").write_text(
            '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
            f"[project]\nname = 'toy'\nversion = '1'\ndependencies = [{listed}]\n[project.optional-dependencies]\n"
        )

    def environment(self, *, online: bool) -> dict[str, str]:
        return {
            "HOME": str(self.root.parent), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
            "PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(self.wheels if online else self.root / "nothing"),
        }  # fmt: skip

    def command(self, *words: str) -> list[str]:
        return [str(self.python), "-m", "workbench", *words]

    def begin(self, command: list[str], *, online: bool = True, **how: object) -> subprocess.Popen[str]:
        process: subprocess.Popen[str] = subprocess.Popen(
            command, cwd=self.root, env=self.environment(online=online), stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True, **how,
        )  # fmt: skip
        self.living.append(process)
        return process

    def run(self, command: list[str], *, online: bool = False, **how: object) -> tuple[int, str, str]:
        process = self.begin(command, online=online, **how)
        out, errors = process.communicate(timeout=PATIENCE)
        assert "Traceback" not in errors
        return process.returncode, out.strip(), errors

    def start(self, *, online: bool = False, **how: object) -> str:
        """Start the program; returns the version of the package it runs with."""
        code, out, errors = self.run(self.command(), online=online, **how)
        assert code == 0, errors
        assert Path(out.partition(" ")[2]).parent == self.root / ".venvs"
        return out.partition(" ")[0]


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheels")
    for name, version in (("spam", "1"), ("spam", "2"), ("eggs", "1")):
        make_wheel(folder, name, version)
    return folder


def checkout(root: Path) -> Path:
    """A small checkout that has never been started."""
    for folder in ("cli", "core", "session"):
        (root / "workbench" / folder).mkdir(parents=True)
    for name in OWN.split():
        shutil.copyfile(PACKAGE / f"{name}.py", root / "workbench" / f"{name}.py")
    for folder in ("cli", "session"):
        (root / "workbench" / folder / "__init__.py").touch()
    (root / "workbench" / "cli" / "main.py").write_text(PROGRAM)
    (root / "backend.py").write_text(BACKEND)
    return root


@pytest.fixture
def fresh(tmp_path: Path, wheels: Path) -> Iterator[Toy]:
    """A checkout before its first start."""
    made = Toy(checkout(tmp_path / "a clöne"), wheels)
    made.require("spam>=1,<2")
    yield made
    end(made)


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory, wheels: Path) -> tuple[Path, Path]:
    """A checkout after its first start, and a copy of it as it was then."""
    home = tmp_path_factory.mktemp("started")
    made = Toy(checkout(home / "a clöne"), wheels)
    made.require("spam>=1,<2")
    assert made.start(online=True) == "1"
    return made.root, shutil.copytree(made.root, home / "kept", symlinks=True)


@pytest.fixture
def toy(started: tuple[Path, Path], wheels: Path) -> Iterator[Toy]:
    """A checkout after its first start, which had the wheel 1 of spam."""
    root, kept = started
    shutil.rmtree(root)
    made = Toy(shutil.copytree(kept, root, symlinks=True), wheels)
    yield made
    end(made)


def end(made: Toy) -> None:
    """Leave no process behind."""
    for process in made.living:
        if process.poll() is None:
            process.kill()
        process.communicate()


def wait(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_changes_offline_another_python_and_a_developer_leave_what_works(toy: Toy) -> None:
    first = toy.current
    pyproject = toy.root / "pyproject.toml"
    with pyproject.open("a") as file:
        file.write("# x\n[tool.something]\nchanged = true\n")
    code, _, errors = toy.run(toy.command())
    assert (code, errors) == (0, "")
    assert toy.current == first

    # What a developer adds is carried over, with scripts that work; and so is an activated shell.
    shell = [
        "bash",
        "-c",
        ". .venv/bin/activate && python3 -m pip install -q eggs && spam-tool; eggs-tool && which eggs-tool",
    ]
    code, out, errors = toy.run(shell, online=True)
    assert (code, out) == (0, str(toy.root / ".venv" / "bin" / "eggs-tool")), errors

    toy.require("spam>=2")
    code, out, errors = toy.run(toy.command())
    assert (code, out) == (0, f"1 {first}")
    assert errors.count("going on without") == 1
    assert "spam>=2" in errors
    assert toy.made == [first]

    assert toy.start(online=True) == "2"
    assert toy.made == [toy.current] != [first]
    for name in ("spam-tool", "eggs-tool", "workbench"):
        code, out, errors = toy.run([str(toy.root / ".venv" / "bin" / name)])
        assert (code, errors) == (0, "")
    assert out == f"2 {toy.current}"
    activated = ["bash", "-c", ". .venv/bin/activate && echo $VIRTUAL_ENV && eggs-tool && python3 -m workbench"]
    assert toy.run(activated)[1].splitlines() == [str(toy.root / ".venv"), f"2 {toy.current}"]


def other_python() -> Path | None:
    """A Python of another minor version that can make environments: on the path, or beside this one."""
    look = "import ensurepip, sys, venv; print(*sys.version_info[:2], sys.executable)"
    names = [shutil.which(f"python3.{minor}") for minor in range(11, 20)]
    beside = Path(sys.base_prefix).parent.glob("3.*/bin/python3")
    for found in (*filter(None, names), *map(str, beside)):
        told = subprocess.run([found, "-c", look], capture_output=True, text=True, check=False)
        major, _, rest = told.stdout.strip().partition(" ")
        minor, _, path = rest.partition(" ")
        if told.returncode == 0 and int(minor) >= 11 and (int(major), int(minor)) != sys.version_info[:2]:
            return Path(path)
    return None


def test_another_python_gets_its_own(toy: Toy) -> None:
    other = other_python()
    if other is None:
        pytest.skip("there is no second Python")
    first, mine = toy.current, toy.python
    toy.python = other
    assert toy.run(toy.command())[0] == 2
    toy.python = mine
    assert toy.start() == "1"
    toy.python = other
    assert toy.start(online=True) == "1"
    assert toy.current == first
    assert len(toy.made) == 2
    assert len(list(toy.root.glob(".venv-3.*"))) == 1
    assert toy.start() == "1"


def test_a_running_program_keeps_its_files_until_it_ends(toy: Toy) -> None:
    first = toy.current
    by_script = [str(toy.root / ".venv" / "bin" / "workbench"), "linger"]
    lingering = [toy.begin(toy.command("linger")), toy.begin(by_script)]
    for process in lingering:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    toy.require("spam>=2")
    assert toy.start(online=True) == "2"
    assert toy.start() == "2"
    assert first.exists()
    for process in lingering:
        out, errors = process.communicate("\n", timeout=PATIENCE)
        assert out.split(" ", 1) == ["1", f"{next(first.glob('lib/*/site-packages'))}/spam/late.py\n"], errors
    assert toy.start() == "2"
    assert toy.made == [toy.current] != [first]


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_one_that_is_stopped_leaves_the_old_one_working(toy: Toy, how: signal.Signals, heeded_control_c: None) -> None:
    first = toy.current
    toy.require("spam>=2")
    (toy.root / "slow").touch()
    process = toy.begin(toy.command())
    wait((toy.root / "building").exists)
    assert len(toy.made) == 2
    # Ctrl+C reaches the installer too; what kills a process does not.
    (os.killpg if how == signal.SIGINT else os.kill)(process.pid, how)
    _, errors = process.communicate(timeout=PATIENCE)
    (toy.root / "slow").unlink()
    assert "Traceback" not in errors
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert toy.made == [first]
    toy.require("spam>=1")
    assert toy.start() == "1"
    assert toy.made == [first]
    toy.require("spam>=2")
    assert toy.start(online=True) == "2"


def test_a_full_disk_leaves_the_old_one_working(toy: Toy) -> None:
    import resource

    first = toy.current
    before = {path: path.lstat().st_mtime_ns for path in first.rglob("*")}
    toy.require("spam>=2")
    full = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))  # noqa: E731
    assert toy.start(online=True, preexec_fn=full) == "1"
    assert toy.made == [first]
    assert {path: path.lstat().st_mtime_ns for path in first.rglob("*")} == before


def test_two_first_starts_at_once_share_one_environment(fresh: Toy) -> None:
    starts = [fresh.begin(fresh.command()) for _ in range(2)]
    told = [process.communicate(timeout=PATIENCE) for process in starts]
    assert [process.returncode for process in starts] == [0, 0], told
    assert {out.strip() for out, _ in told} == {f"1 {fresh.current}"}
    assert fresh.made == [fresh.current]
    assert sum("waiting for it" in errors for _, errors in told) == 1


def test_a_read_only_checkout_starts_in_what_it_has(toy: Toy) -> None:
    here = f"'{toy.root}'"
    mounted = f"mount --bind {here} {here} && mount -o remount,ro,bind {here} && cd {here} && ! touch x 2>&-"
    possible = ["unshare", "-rm", "sh", "-c", mounted]
    if not shutil.which("unshare") or subprocess.run(possible, capture_output=True, check=False).returncode:
        pytest.skip("a folder cannot be made read-only here")
    start = f"{mounted} && '{toy.python}' -m workbench"
    assert toy.run(["unshare", "-rm", "sh", "-c", start]) == (0, f"1 {toy.current}", "")
    toy.require("spam>=2")
    code, out, errors = toy.run(["unshare", "-rm", "sh", "-c", start], online=True)
    assert (code, out) == (0, f"1 {toy.current}")
    assert "going on without" in errors


@pytest.mark.parametrize("way", ["held", "named"])
def test_what_a_process_uses_is_not_retired(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / ".venvs" / "3.11-01234567"
    python_of(folder).parent.mkdir(parents=True)
    python_of(folder).symlink_to(sys.executable)
    EnvironmentStamp(number=1, folder=str(folder), made_by_start=True).write(folder)
    if way == "held":  # where the system does not list its processes
        monkeypatch.setattr(environments, "_PROCESSES", tmp_path / "nothing")
        uses = "import sys, pathlib; from workbench.environments import hold; hold(pathlib.Path(sys.argv[1]))"
        command = [sys.executable, "-c", f"{uses}; print('ready', flush=True); input()", str(folder)]
    elif not Path("/proc/self/cmdline").exists():
        pytest.skip("this system does not list its processes in /proc")
    else:
        command = [str(python_of(folder)), "-c", "print('ready', flush=True); input()"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=PACKAGE.parent)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    assert not environments.retire(folder)
    assert EnvironmentStamp.read(folder) is not None
    process.communicate(b"\n", timeout=PATIENCE)
    assert environments.retire(folder)
    assert EnvironmentStamp.read(folder) is None
    assert not environments.hold(folder)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="this system does not list what a process has open")
def test_what_is_held_never_stands_where_a_closed_stream_did(tmp_path: Path) -> None:
    """The program that takes the place of this one would have a folder for its standard output, and end at once."""
    folder = tmp_path / "held"
    folder.mkdir()
    EnvironmentStamp(number=1, folder=str(folder), made_by_start=True).write(folder)
    held = (
        "import os, pathlib, sys; from workbench.environments import hold; os.close(1); "
        "assert hold(pathlib.Path(sys.argv[1]), across_restart=True); "
        "there = [n for n in range(32) if os.path.realpath(f'/proc/self/fd/{n}') == sys.argv[1]]; "
        "sys.exit(0 if there and min(there) > 2 else 3)"
    )
    command = [sys.executable, "-c", held, str(folder.resolve())]
    assert subprocess.run(command, cwd=PACKAGE.parent, check=False).returncode == 0
