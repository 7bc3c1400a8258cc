"""The changes that are made are those that are meant, and the same again by the same seed; equal ones are there."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.mutants import changes, covering, trying
from tests.mutants.changes import Mutant, mutants_of
from tests.mutants.covering import Covered, Noticed, Package, package_of
from tests.mutants.near import Near
from tests.mutants.standing_in import stand_in
from tests.mutants.trying import drawn, equal_ones, mutants_in
from tests.mutants.warm import Warm
from workbench.project import marks
from workbench.query import ledger_file

SOURCE = '''"""No 1 in a docstring + 2."""
import os


def least(values: "list[int]", most: int = 3, strict: bool = True, *, share: float = 0.5) -> int:
    """At least 1."""
    if not values or most < 0:
        raise ValueError(f"{1 + 2} values, at most {most + 1}")
    os.chmod("x", 0o600)
    refuse(values)
    return min(values) // 2 if strict and values[0] in (4, 5) else 100


class Told:
    limit: "int" = 7

    def __repr__(self) -> str:
        return "a" * (1 + 1)

    def whole(self) -> bool:
        assert self.limit == 7
        return True
'''


def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Mutant]:
    monkeypatch.setattr(changes, "ROOT", tmp_path)
    (tmp_path / "some.py").write_text(SOURCE, encoding="utf-8")
    return mutants_of(tmp_path / "some.py")


def test_every_kind_of_change_is_made_and_what_only_tells_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = {(one.kind, one.function, one.new) for one in made(tmp_path, monkeypatch)}
    head = 'def least(values: "list[int]", most: int = {}, strict: bool = {}, *, share: float = {}) -> int:'
    back = "return {}(values) {} if strict {} values[{}] {} ({}, {}) else 100"
    usual = ("min", "// 2", "and", "0", "in", "4", "5")
    changed = [
        ("extreme", 0, "max"), ("arithmetic", 1, "/ 2"), ("number", 1, "// 3"), ("number", 1, "// 1"),
        ("logic", 2, "or"), ("number", 3, "1"), ("number", 3, "-1"), ("comparison", 4, "not in"),
        ("number", 5, "5"), ("number", 5, "3"), ("number", 6, "6"), ("number", 6, "4"),
    ]  # fmt: skip
    assert found == {
        ("number", "least", head.format(4, True, 0.5)),
        ("number", "least", head.format(2, True, 0.5)),
        ("default", "least", head.format(3, False, 0.5)),
        ("default", "least", head.format(3, True, 1.0)),
        ("refusal", "least", "if False:"),
        ("logic", "least", "if values or most < 0:"),
        ("logic", "least", "if not values and most < 0:"),
        ("comparison", "least", "if not values or most <= 0:"),
        ("number", "least", "if not values or most < 1:"),
        ("number", "least", "if not values or most < -1:"),
        ("dropped call", "least", "pass"),
        ("permission", "least", 'os.chmod("x", 0o777)'),
        *((kind, "least", back.format(*usual[:at], text, *usual[at + 1 :])) for kind, at, text in changed),
        ("number", "Told", 'limit: "int" = 8'),
        ("number", "Told", 'limit: "int" = 6'),
        ("answer", "Told.whole", "return False"),
    }


def test_a_change_is_one_of_the_whole_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = next(one for one in made(tmp_path, monkeypatch) if one.kind == "answer")
    assert answer.source().decode() == SOURCE.replace("return True", "return False")
    assert answer.is_another_program() and answer.lines == (22, 22)


def test_the_same_seed_draws_the_same_and_another_draws_others() -> None:
    package = Package("project", ("workbench/project/checked.py", "workbench/project/migrations.py"), "tests/project")
    first, again, other = (drawn(package, seed, 12) for seed in (1, 1, 2))
    assert first == again != other and len(first) == 12
    assert len({(one.name, one.again) for one in first}) == 12
    assert len({one.kind for one in first}) >= 5
    assert len(drawn(package, 1, 10_000)) <= len(list(mutants_in(package)))


def test_tests_beside_the_folders_belong_to_what_they_import() -> None:
    package = package_of("report")
    names = {path.relative_to(changes.ROOT).as_posix() for path in package.files()}
    assert {"tests/report/test_recheck.py", "tests/test_verify_promises.py"} <= names
    assert not names & {"tests/query/test_ledger.py", "tests/test_printing.py"}


def test_tests_that_run_the_statement_are_asked_first_and_others_for_a_while() -> None:
    seconds = {"slow": 3.0, "fast": 0.1, "near": 1.0, "far": 2.0, "starting": 0.5}
    lines = {"f.py": {"3": ["slow", "fast"], "9": ["near"], "12": [""]}}
    known = Covered(seconds, ["starting"], [], lines, [])

    def asked(first: int, last: int, patience: float) -> list[str]:
        return list(known.tests_of(Mutant("f.py", "", "", "", "", 0, (first, last), 0, 0, ""), patience))

    assert asked(3, 4, 10.0) == ["fast", "slow", "starting", "near"]
    assert asked(3, 4, 1.0) == ["fast", "slow", "starting"]
    assert asked(12, 12, 10.0) == ["starting", "fast", "near", "slow", "far"]
    assert asked(12, 12, 0.0) == ["starting", "fast", "near", "slow", "far"]
    assert asked(20, 20, 10.0) == ["starting"]
    assert list(
        Covered(seconds, [], ["fast"], lines, []).tests_of(Mutant("f.py", *[""] * 4, 0, (3, 3), 0, 0, ""), 0.0)
    ) == ["slow"]


def test_tests_that_noticed_changes_of_the_file_are_asked_sooner() -> None:
    known = Covered({"slow": 3.0, "fast": 1.0}, [], [], {"f.py": {"3": ["slow", "fast"]}}, [])
    mutant, noticed = Mutant("f.py", *[""] * 4, 0, (3, 3), 0, 0, ""), Noticed()
    assert list(known.tests_of(mutant, 0.0, noticed)) == ["fast", "slow"]
    noticed.by(mutant, "slow")
    assert list(known.tests_of(mutant, 0.0, noticed)) == ["slow", "fast"]


def test_of_tests_for_a_while_a_long_one_is_passed_over_but_one_is_always_asked() -> None:
    order = {"slow": 3.0, "fast": 0.5, "long": 9.0, "short": 0.5}
    assert list(trying._first_of(order, math.inf)) == list(order)
    assert list(trying._first_of(order, 4.0)) == ["slow", "fast", "short"]
    assert list(trying._first_of(order, 3.5)) == ["slow", "fast"]
    assert list(trying._first_of(order, 0.1)) == ["slow"]
    assert trying._first_of({}, 1.0) == {}


def test_what_runs_a_line_is_known_after_others_were_put_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(covering, "ROOT", tmp_path)
    (tmp_path / "f.py").write_text("import b\nnew\na\nnewer\n", encoding="utf-8")
    lines = {"1": ["", "one"], "2": ["two"], "3": ["three"]}
    assert covering._moved(lines, "import b\na\ngone\n", "f.py") == {
        "1": ["", "one"], "2": ["one"], "3": ["two"], "4": ["two"],
    }  # fmt: skip


def test_a_function_is_exchanged_wherever_it_is_held() -> None:
    held = partial(marks.is_newer)
    warm = Warm(lambda _: None)
    warm.pytest_runtestloop(SimpleNamespace(items=[]))
    changed = [one for one in mutants_of(Path(marks.__file__)) if one.function == "is_newer"]
    taken = [one for one in changed if warm.takes(one)]
    assert taken
    before = held.func.__code__
    try:
        for one in taken:
            held.func.__code__ = before
            warm._exchange(one)
            assert held.func.__code__ is not before
    finally:
        held.func.__code__ = before
    outside = [one for one in mutants_of(Path(ledger_file.__file__)) if not one.function]
    assert outside and not any(map(warm.takes, outside))


def test_nearness_is_by_imports_and_by_what_was_noticed_before() -> None:
    near = Near(package_of("report"), 1.0)
    files = near.files("workbench/report/recheck_chain.py")
    first = files.index("tests/report/test_recheck_edges.py")
    assert first < files.index("tests/test_canonical.py") and len(files) == len(package_of("report").files())
    near.noticed("workbench/report/recheck_chain.py", "tests/test_canonical.py::test_x")
    assert near.files("workbench/report/recheck_chain.py")[0] == "tests/test_canonical.py"


def test_a_changed_module_stands_in_for_the_real_one_here_and_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "real.py").write_text("ANSWER = 1\n", encoding="utf-8")
    code = (
        "import subprocess, sys; sys.path.insert(0, {here!r}); from tests_of_mutants import stand_in; "
        "from pathlib import Path; "
        "stand_in(Path({there!r}), 'real.py', b'ANSWER = 2\\n', Path({there!r})); sys.path.insert(0, {there!r}); "
        "import real; print(real.ANSWER, flush=True); "
        "subprocess.run([sys.executable, '-c', 'import real; print(real.ANSWER)'], check=True)"
    ).format(here=str(tmp_path / "path"), there=str(tmp_path))
    (tmp_path / "path").mkdir()
    source = Path(stand_in.__code__.co_filename).read_text(encoding="utf-8")
    (tmp_path / "path" / "tests_of_mutants.py").write_text(source, encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["2", "2"]
    assert (tmp_path / "real.py").read_text(encoding="utf-8") == "ANSWER = 1\n"


def test_what_is_listed_as_equal_is_still_there_with_its_reason() -> None:
    """A line that has changed since must be judged again."""
    listed = equal_ones()
    assert len(listed) == len(json.loads(Path(changes.__file__).with_name("equal.json").read_text(encoding="utf-8")))
    there = {one.name for file in {name[0] for name in listed} for one in mutants_of(changes.ROOT / file)}
    assert set(listed) <= there
    assert all(len(why) > 20 and why.endswith(".") for why in listed.values())
