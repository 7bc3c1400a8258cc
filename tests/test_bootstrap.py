"""What a start decides to do; the installer and the restart are replaced by notes of what they were asked.

`test_environments.py` does it all for real.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from workbench import guard, requirements
from workbench.bootstrap import prepare
from workbench.checkout import Checkout, Interpreter, PackageCheck, run_announced
from workbench.environments import EnvironmentStamp, python_of

PRESENT = "pytest>=1"
ABSENT = "surely-nobody-publishes-this>=1"


@dataclass
class FakeRunner:
    """Notes commands; makes the files that a real `venv` would make; fails those that mention `failing`.

    What was installed stands in a file of the environment, from which `ask` answers for its Python.
    """

    failing: str = "\0"
    says: tuple[str, ...] = ("out of luck",)
    commands: list[list[str]] = field(default_factory=list)

    def __call__(self, command: Sequence[str]) -> tuple[int, list[str]]:
        self.commands.append(list(command))
        if "venv" in command:
            python = python_of(Path(command[-1]))
            python.parent.mkdir(parents=True, exist_ok=True)
            python.touch()
        if self.failing in command:
            return 1, list(self.says)
        if "-c" in command:  # whether the program starts
            return int(not packages_of(Path(command[0])).exists()), []
        if "install" in command:
            self._install(command)
        return 0, []

    def _install(self, command: Sequence[str]) -> None:
        root, _, extra = command[command.index("--editable") + 1].partition("[")
        wanted = all_of(Path(root) / "pyproject.toml", extra.rstrip("]"))
        pins = requirements.pins(Path(root) / ".ci" / "constraints.txt")
        packages = packages_of(Path(command[0]))
        before = json.loads(packages.read_text()) if packages.exists() else []
        packages.unlink(missing_ok=True)
        packages.write_text(json.dumps(sorted({*before, *wanted, *pins})))

    def ask(self, python: Path, pyproject: Path, constraints: Path, extra: str) -> PackageCheck | None:
        if not python.exists():
            return None
        packages = packages_of(python)
        has = json.loads(packages.read_text()) if packages.exists() else []
        return PackageCheck(
            tuple(text for text in all_of(pyproject, extra) if text not in has),
            tuple(pin for pin in requirements.pins(constraints) if has and pin not in has),
        )

    @property
    def installs(self) -> list[list[str]]:
        return [command for command in self.commands if "install" in command]


def packages_of(python: Path) -> Path:
    return python.parents[1] / "packages.json"


def all_of(pyproject: Path, extra: str) -> list[str]:
    project = tomllib.loads(pyproject.read_text())["project"]
    return [*project["dependencies"], *project["optional-dependencies"].get(extra, [])]


@dataclass
class Start:
    """One start of the program from a checkout."""

    checkout: Checkout
    runner: FakeRunner
    restarted_in: list[Path] = field(default_factory=list)

    @property
    def newest(self) -> Path:
        found = self.checkout.shelf.newest()
        assert found is not None
        return found

    def __call__(self, extra: str = "") -> Start:
        self.runner.commands.clear()
        self.restarted_in.clear()
        prepare(extra, checkout=self.checkout, restart=self.restarted_in.append)
        return self


@pytest.fixture
def start(tmp_path: Path) -> Start:
    write_project(tmp_path, [ABSENT])
    outside = Interpreter(prefix=tmp_path / "system", base_prefix=tmp_path / "system")
    runner = FakeRunner()
    return Start(Checkout(tmp_path, outside, runner, runner.ask), runner)


def write_project(root: Path, dependencies: list[str], test: Sequence[str] = ()) -> None:
    listed = ", ".join(f"'{text}'" for text in dependencies)
    extra = ", ".join(f"'{text}'" for text in test)
    root.joinpath("pyproject.toml").write_text(
        f"[project]\nname = 'p'\ndependencies = [{listed}]\n[project.optional-dependencies]\ntest = [{extra}]\n"
    )


def inside(start: Start, environment: Path) -> Start:
    python = python_of(environment)
    python.parent.mkdir(parents=True, exist_ok=True)
    python.touch()
    interpreter = replace(start.checkout.interpreter, prefix=environment)
    return replace(start, checkout=replace(start.checkout, interpreter=interpreter), restarted_in=[])


def refused(start: Start, capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as stopped:
        start()
    output = capsys.readouterr()
    assert stopped.value.code == 2
    assert output.out == ""
    return output.err


def test_a_first_start_makes_an_environment_and_restarts_in_it(
    start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    start()
    environment = start.newest
    assert start.runner.commands[0] == [sys.executable, "-m", "venv", "--prompt", ".venv", str(environment)]
    assert start.runner.installs[-1][-2:] == ["--editable", str(start.checkout.root)]
    assert start.restarted_in == [python_of(environment)]
    assert (start.checkout.root / ".venv").resolve() == environment
    output = capsys.readouterr()
    assert "Preparing the environment in .venv" in output.err
    assert output.out == ""


def test_a_second_start_runs_nothing_but_itself(start: Start, capsys: pytest.CaptureFixture[str]) -> None:
    start()
    capsys.readouterr()
    start()
    assert start.runner.commands == []
    assert len(start.restarted_in) == 1
    assert capsys.readouterr().err == ""


def test_the_constraints_are_used(start: Start) -> None:
    start.checkout.constraints.parent.mkdir()
    start.checkout.constraints.write_text("numpy==2\n")
    command = start().runner.installs[-1]
    assert command[command.index("--constraint") + 1] == str(start.checkout.constraints)


@pytest.mark.parametrize("changed", ["pyproject.toml", ".ci/constraints.txt"])
def test_a_changed_comment_changes_nothing(start: Start, changed: str) -> None:
    start.checkout.constraints.parent.mkdir()
    start()
    path = start.checkout.root / changed
    path.write_text((path.read_text() if path.exists() else "") + "\n# changed\n")
    assert start().runner.commands == []


def change_requirements(start: Start) -> None:
    write_project(start.checkout.root, [ABSENT, "another>=1"])


def change_constraints(start: Start) -> None:
    start.checkout.constraints.write_text("numpy==3\n")


@pytest.mark.parametrize("change", [change_requirements, change_constraints])
def test_changed_requirements_are_installed_into_an_environment_beside_the_old_one(
    start: Start, change: Callable[[Start], None]
) -> None:
    start.checkout.constraints.parent.mkdir()
    start.checkout.constraints.write_text("numpy==2  # tested\n")
    old = start().newest
    (old / "own").write_text("a developer's")
    change(start)
    start()
    assert len(start.runner.installs) == 1
    assert start.newest != old
    assert start.restarted_in == [python_of(start.newest)]
    assert (start.newest / "own").read_text() == "a developer's"
    assert (start.checkout.root / ".venv").resolve() == start.newest
    assert start().runner.commands == []


@pytest.mark.parametrize("change", [change_requirements, change_constraints])
def test_what_cannot_be_installed_leaves_the_old_environment_in_use(
    start: Start, change: Callable[[Start], None], capsys: pytest.CaptureFixture[str]
) -> None:
    start.checkout.constraints.parent.mkdir()
    old = start().newest
    before = sorted(old.rglob("*"))
    change(start)
    start.runner.failing = "install"
    capsys.readouterr()
    for _ in range(3):
        start()
        assert start.restarted_in == [python_of(old)]
        assert capsys.readouterr().err.count("going on without") == 1
    assert sorted(old.rglob("*")) == before
    assert list(start.checkout.shelf.folder.iterdir()) == [old]


def test_an_unreadable_list_of_requirements_does_not_stop_what_works(
    start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    old = start().newest
    said = requirements.unmet
    start.checkout.pyproject.write_text("<<<<<<< ours")
    assert "cannot be read" in said(start.checkout.pyproject, "", (3, 11))[0]
    lacking = replace(start.checkout, ask=lambda *_: PackageCheck(("what pyproject.toml says",)))
    start.runner.failing = "install"
    replace(start, checkout=lacking)()
    assert start.restarted_in == [python_of(old)]


def test_what_a_person_installs_in_another_version_is_theirs_to_choose(start: Start) -> None:
    start.checkout.constraints.parent.mkdir()
    start.checkout.constraints.write_text("numpy==2\n")
    start()
    packages = packages_of(python_of(start.newest))
    packages.write_text(packages.read_text().replace("numpy==2", "numpy==1"))
    assert start().runner.commands == []


def test_another_python_gets_an_environment_of_its_own_and_leaves_the_first(start: Start) -> None:
    first = start().newest
    newer = replace(start.checkout.interpreter, version=(3, 99))
    again = replace(start, checkout=replace(start.checkout, interpreter=newer))
    start.runner.failing = "install"
    with pytest.raises(SystemExit):
        again()
    start.runner.failing = "\0"
    assert start().restarted_in == [python_of(first)]
    again()
    assert again.newest not in (first, None)
    assert (start.checkout.root / ".venv").resolve() == first
    assert (start.checkout.root / ".venv-3.99").resolve() == again.newest
    assert start().runner.commands == []
    assert again().runner.commands == []


def test_an_environment_whose_python_is_gone_is_made_anew(start: Start) -> None:
    start()
    python_of(start.newest).unlink()
    start()
    assert any("venv" in command for command in start.runner.commands)
    assert start.restarted_in == [python_of(start.newest)]


def test_a_moved_checkout_is_installed_again(start: Start, tmp_path: Path) -> None:
    start()
    moved = tmp_path.with_name(tmp_path.name + "-moved")
    tmp_path.rename(moved)
    again = replace(start, checkout=replace(start.checkout, root=moved))()
    assert len(again.runner.installs) == 1
    assert again().runner.commands == []


def test_tests_add_to_the_environment_without_taking_from_it(start: Start) -> None:
    write_project(start.checkout.root, [ABSENT], test=["another>=1"])
    start()
    assert start("test").runner.installs[-1][-1].endswith("[test]")
    assert start().runner.commands == []
    assert start("test").runner.commands == []


@pytest.mark.parametrize("failing", ["venv", "install"])
def test_a_failed_start_is_repaired_by_the_next(start: Start, failing: str, capsys: pytest.CaptureFixture[str]) -> None:
    start.runner.failing = failing
    assert "out of luck" in refused(start, capsys)
    assert list(start.checkout.shelf.folder.iterdir()) == []
    start.runner.failing = "\0"
    start()
    assert any("venv" in command for command in start.runner.commands)
    assert len(start.restarted_in) == 1


@pytest.mark.parametrize("stage", ["venv", "install"])
def test_an_interrupted_start_is_repaired_by_the_next(start: Start, stage: str) -> None:
    def interrupted(command: Sequence[str]) -> tuple[int, list[str]]:
        result = start.runner(command)
        if stage in command:
            raise KeyboardInterrupt
        return result

    with pytest.raises(SystemExit) as stopped:
        replace(start, checkout=replace(start.checkout, run=interrupted))()
    assert stopped.value.code == 130
    assert list(start.checkout.shelf.folder.iterdir()) == []
    start()
    assert any("venv" in command for command in start.runner.commands)
    assert len(start.restarted_in) == 1


def test_what_a_killed_start_left_is_swept_by_the_next(start: Start) -> None:
    start()
    left = start.checkout.shelf.claim()[0]
    (left / "half").touch()
    (start.checkout.root / ".venv.part").symlink_to("nowhere")
    assert start().runner.commands == []
    assert not left.exists()
    change_requirements(start)
    start()
    assert not (start.checkout.root / ".venv.part").is_symlink()


def test_a_link_that_a_killed_start_did_not_make_is_made_by_the_next(start: Start) -> None:
    start()
    start.checkout.shelf.plain.unlink()
    assert start().runner.commands == []
    assert start.checkout.shelf.plain.resolve() == start.newest


def test_an_environment_that_an_early_version_made_in_place_is_followed_by_one_beside(start: Start) -> None:
    plain = start.checkout.shelf.plain
    start.runner(["venv", str(plain)])
    packages_of(python_of(plain)).write_text("[]")
    old_stamp = {"made_by_start": True, "python": [3, 11], "fingerprint": "f", "extras": [""]}
    (plain / "workbench-environment.json").write_text(json.dumps(old_stamp))
    (plain / "own").write_text("a developer's")
    start()
    assert plain.is_symlink()
    assert (plain / "own").read_text() == "a developer's"
    assert start.restarted_in == [python_of(start.newest)]


def test_an_active_environment_is_used_and_nothing_is_restarted(start: Start, tmp_path: Path) -> None:
    active = inside(start, tmp_path / "mine")
    # What this Python does not have is not there after a mere note of an installation; pip is believed all the same.
    active = replace(active, checkout=replace(active.checkout, ask=lambda *_: PackageCheck((ABSENT,))))()
    assert active.runner.installs[-1][0] == str(python_of(tmp_path / "mine"))
    assert active.restarted_in == []
    assert not start.checkout.shelf.plain.exists()
    assert active().runner.commands == []


def test_an_active_environment_that_cannot_be_completed_is_used_as_it_is(
    start: Start, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    active = inside(start, tmp_path / "mine")
    start.runner.failing = "install"
    assert "out of luck" in refused(active, capsys)
    packages_of(python_of(tmp_path / "mine")).write_text("[]")
    active()
    assert "going on without" in capsys.readouterr().err
    assert active.restarted_in == []


def test_a_python_that_has_everything_just_runs(start: Start) -> None:
    write_project(start.checkout.root, [PRESENT])
    start()
    assert start.runner.commands == []
    assert start.restarted_in == []


@pytest.mark.parametrize(
    ("requirement", "met"),
    [
        ("pytest", True),
        ("PyTest >= 1, < 1000", True),
        ("pytest>=1,<2", False),
        ("pytest!=1", True),
        ("pytest>=1000", False),
        ("pytest~=9.0", False),
        ("pytest[extra]>=1", False),
        (f'{ABSENT}; python_version < "3.0"', True),
        (f'{ABSENT}; python_version >= "3.10"', False),
        (f'{ABSENT}; sys_platform == "none"', False),
    ],
)
def test_requirements_are_read_and_doubt_is_left_to_pip(start: Start, requirement: str, met: bool) -> None:
    write_project(start.checkout.root, [requirement])
    assert (start.checkout.unmet("") == []) is met


def test_an_extra_may_name_others_of_the_project(tmp_path: Path) -> None:
    pyproject = tmp_path / "pyproject.toml"
    pyproject.write_text(
        "[project]\nname = 'one-two'\ndependencies = []\n[project.optional-dependencies]\n"
        f"a = ['{ABSENT}']\nb = ['absent-too']\nall = ['One_Two[a, b]', 'one-two[all]']\n"
    )
    assert requirements.unmet(pyproject, "all", (3, 11)) == [ABSENT, "absent-too"]
    assert requirements.unmet(pyproject, "a,b", (3, 11)) == [ABSENT, "absent-too"]
    assert requirements.unmet(pyproject, "", (3, 11)) == []


def test_the_requirements_of_an_extra_count_only_when_it_is_asked_for(start: Start) -> None:
    write_project(start.checkout.root, [PRESENT], test=[ABSENT])
    assert start.checkout.unmet("") == []
    assert start.checkout.unmet("test") == [ABSENT]


def test_an_installed_program_has_nothing_to_prepare(start: Start) -> None:
    (start.checkout.root / "pyproject.toml").unlink()
    start()
    assert start.runner.commands == []
    assert start.restarted_in == []


def test_an_environment_that_a_person_made_is_used_as_it_is(start: Start) -> None:
    python = python_of(start.checkout.shelf.plain)
    python.parent.mkdir(parents=True)
    python.touch()
    start.runner.failing = "install"
    with pytest.raises(SystemExit):
        start()
    start.runner.failing = "\0"
    start()
    assert not any("venv" in command for command in start.runner.commands)
    assert start.restarted_in == [python]


def test_something_else_called_venv_is_not_deleted(start: Start, capsys: pytest.CaptureFixture[str]) -> None:
    precious = start.checkout.shelf.plain / "thesis.txt"
    precious.parent.mkdir()
    precious.write_text("years of work")
    assert "no working virtual environment" in refused(start, capsys)
    assert precious.read_text() == "years of work"


@pytest.mark.parametrize("missing", ["venv", "ensurepip"])
def test_a_python_without_venv_is_told_what_to_install(
    start: Start, missing: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    find: Callable[[str], object] = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == missing else find(name))
    message = refused(start, capsys)
    assert f"lacks {missing}" in message
    assert "apt install python3-venv" in message


def test_a_read_only_checkout_is_told_what_to_do(
    start: Start, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def read_only(self: Path, **how: object) -> None:
        raise OSError(30, "Read-only file system", str(self))

    monkeypatch.setattr(Path, "mkdir", read_only)
    message = refused(start, capsys)
    assert "Read-only file system" in message
    assert "activate it" in message


def test_an_environment_without_pip_is_told_so(
    start: Start, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    active = inside(start, tmp_path / "mine")
    active = replace(active, checkout=replace(active.checkout, run=lambda command: (1, [])))
    assert "has no pip" in refused(active, capsys)


def test_versions_that_cannot_be_had_are_replaced_by_others_that_fit(
    start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    start.checkout.constraints.parent.mkdir()
    start.checkout.constraints.write_text("numpy==2\n")
    start.runner.failing = "--constraint"
    start.runner.says = ("ERROR: ResolutionImpossible: for help visit …",)
    start()
    assert "--constraint" not in start.runner.installs[-1]
    assert len(start.restarted_in) == 1
    assert "trying others" in capsys.readouterr().err


def test_a_restart_that_leads_nowhere_stops(
    start: Start, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    start()
    monkeypatch.setenv("WORKBENCH_RESTARTED", "1")
    assert "PYTHONHOME" in refused(start, capsys)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"made_by_start": 1, "pins": 3}', '{"number": "x"}'])
def test_a_damaged_stamp_counts_as_none(start: Start, content: str) -> None:
    old = start().newest
    (old / "workbench-environment.json").write_text(content)
    assert EnvironmentStamp.read(old) is None
    start()
    assert start.newest != old
    assert start.restarted_in == [python_of(start.newest)]


def test_output_of_a_command_is_kept_and_its_progress_shown_on_standard_error(
    capfd: pytest.CaptureFixture[str],
) -> None:
    code, lines = run_announced(
        [sys.executable, "-c", "print('Collecting numpy'); print('sorry'); raise SystemExit(3)"]
    )
    assert (code, lines) == (3, ["Collecting numpy", "sorry"])
    output = capfd.readouterr()
    assert output.out == ""
    assert "Collecting numpy" in output.err
    assert "sorry" not in output.err


@pytest.mark.parametrize("place", ["README.md", ".ci/run"])
def test_the_libraries_named_are_the_same_everywhere(place: str) -> None:
    text = (Path(__file__).resolve().parents[1] / place).read_text(encoding="utf-8")
    assert [package for package in guard.WINDOW_PACKAGES.split() if package not in text] == []
