"""Nearly right files of every kind are accepted or explained; the inputs of a run are in part the same each time."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from cProfile import Profile
from functools import cache
from pathlib import Path
from types import CodeType

import pytest

from tests.fuzzing.hunting import Target, hunt, outcome
from tests.fuzzing.readers import PACKAGE, found
from tests.fuzzing.targets import TARGETS
from tests.properties import examples
from workbench.core.errors import WorkbenchError

SAME = 1
SECONDS = float(os.environ.get("WORKBENCH_FUZZ", "0"))
"""For each target; a short run tries as many inputs as the target says."""
FOUND = Path(__file__).parent / "found"
"""Inputs that once ended otherwise, in a folder for each target."""
KEEP = Path(tempfile.gettempdir(), "workbench-fuzzing")

every_target = pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)


@pytest.mark.properties
@every_target
@pytest.mark.timeout(60 + 2 * SECONDS)
def test_every_input_is_accepted_or_explained(target: Target) -> None:
    half = (examples(target.quick) + 1) // 2
    fresh = int.from_bytes(os.urandom(4))
    for seed in (SAME, fresh):
        limits = {"seconds": SECONDS / 2} if SECONDS else {"inputs": half}
        tally = hunt(target, seed, folder=KEEP, limited=False, **limits)
        assert not tally.finds, tally.told()
        assert tally.inputs == tally.accepted + tally.explained


@cache
def of_good_files(name: str) -> tuple[list[bool], set[str]]:
    """Which good files of a target are accepted, and the functions of the program that are called."""
    with called() as seen:
        accepted = [outcome(TARGETS[name], content) for content in TARGETS[name].seeds()]
    return accepted, seen


@every_target
def test_good_files_are_accepted(target: Target) -> None:
    # Otherwise what is made of them would be refused for the same reason, and nothing behind it would be tried.
    accepted, _seen = of_good_files(target.name)
    assert any(accepted)


@pytest.mark.parametrize("path", sorted(FOUND.glob("*/*")), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_what_was_found_once(path: Path) -> None:
    outcome(TARGETS[path.parent.name], path.read_bytes())


def test_an_input_follows_from_its_seed_and_number(tmp_path: Path) -> None:
    seen: list[list[bytes]] = []
    for _ in range(2):
        seen.append([])
        noting = changed_to(lambda path, _random: seen[-1].append(path.read_bytes()))
        hunt(noting, 7, inputs=40, folder=tmp_path, limited=False)
    assert seen[0] == seen[1]
    assert len(set(seen[0])) > 20


def test_an_unexpected_error_is_found_and_its_input_kept(tmp_path: Path) -> None:
    def read(path: Path, _random: object) -> None:
        if len(path.read_bytes()) % 2:
            raise IndexError("out of range")
        raise WorkbenchError("An even number of bytes.")

    tally = hunt(changed_to(read), 3, inputs=30, folder=tmp_path, limited=False)
    (find,) = tally.finds.values()
    assert tally.explained + find.times == tally.inputs == 30
    assert f"trust --repeat {find.kept}" in tally.told()
    with pytest.raises(IndexError):
        outcome(changed_to(read), Path(find.kept).read_bytes())


def test_an_input_that_ends_the_hunt_stays(tmp_path: Path) -> None:
    def read(_path: Path, _random: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        hunt(changed_to(read), 3, inputs=2, folder=tmp_path, limited=False)
    (kept,) = tmp_path.iterdir()
    assert kept.match("trust-*-now.json")


def test_an_error_without_a_message_is_none(tmp_path: Path) -> None:
    def read(_path: Path, _random: object) -> None:
        raise WorkbenchError(" ")

    assert hunt(changed_to(read), 3, inputs=2, folder=tmp_path, limited=False).unexpected == 2


@pytest.mark.skipif(sys.platform == "win32", reason="has no alarm")
def test_an_input_that_takes_for_ever_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import signal
    import time

    monkeypatch.setattr("tests.fuzzing.hunting.SECONDS", 0.1)
    before = signal.getitimer(signal.ITIMER_REAL)[0]
    tally = hunt(changed_to(lambda *_: time.sleep(30)), 3, inputs=1, folder=tmp_path, limited=True)
    signal.setitimer(signal.ITIMER_REAL, before)  # that of the test itself
    assert "TooLong" in tally.told()


def changed_to(read: Callable[..., None]) -> Target:
    """A target that is read otherwise."""
    known = TARGETS["trust"]
    return Target(known.name, known.suffix, known.seeds, known.change, read)


# Every reader is reached

NO_TARGET = {
    "checkout:ask": "reads what a process of its own answers",
    "environments:EnvironmentStamp.read": "reads what the start of the program wrote; anything else counts as nothing",
    "io.key_files:read_secret": "the person's own key, in a file that nobody else may write",
    "io.pseudonym_key:read_pseudonym_key": "the person's own key, which the program made: fixed lines and 32 bytes",
    "io.signing_key:read_key": "the person's own key, which the program made and a library of keys reads",
    "contracts.builders:made_again": "of tests of plug-ins: reads what it wrote itself",
    "contracts.protocols:survives_a_file": "of tests of plug-ins: reads what it wrote itself",
    "contracts.queries:_well_formed": "of tests of plug-ins: reads what it wrote itself",
    "cli.column_options:carry_over": "values that a person types in a command",
    "cli.printing:read_input": "keeps standard input as a file, which the readers of files read",
    "project.setting_paths:_values": "a value that a person types in a command",
    "project.setting_paths:changed": "a value that a person types in a command",
    "core.bounded_patterns:replaced": "reads what a process of its own answers",
    "core.plugins:read_another": "imports plug-ins, which are installed programs",
    "core.flags:read_numbers": "numbers that a person types in a command",
    "evaluate.published.chapter3_hierarchies:_age_rows": "rows of a sample that ships with the program",
    "evaluate.published.recorded:recorded": "reads what ships with the program",
    "evaluate.published.thumbnails:thumbnails": "reads what ships with the program",
    "evaluate.places:parse_places": "numbers that a person types in a field or a command",
    "library.hierarchy:read": "read_hierarchy, which the target hierarchy calls",
    "plots.reading:read": "reads a figure that was drawn just now",
    "session.audit_property:ForAll.parse": "a range of numbers that a person types in a field or a command",
    "project.collect_settings:read_protocols": "protocols that a person types in a command",
    "engines.own_reader:read_rows": "the rows are read by engines on other threads; tests/engines compares with memory",
    "gui.widgets.explain:_read": "reads the help texts that ship with the program",
    "gui.workspaces.hierarchies.category_tree:CategoryModel._paths": "reads what was dragged within the same window",
    "gui.workspaces.hierarchies.value_list:ValueListModel._rows": "reads what was dragged within the same window",
    "io.hierarchy_import:read_files": "import_hierarchy for each, which the target hierarchy calls",
    "io.foreign.json_lines:_objects": "in the process that reads, of the target json-lines",
    "io.foreign.packed:_opened": "in the process that reads, of the target compressed",
    "io.foreign.sheet_size:beside_sheets": "in the process that reads, of the target excel",
    "io.foreign.sheet_size:size_of": "in the process that reads, of the target excel",
    "io.foreign.spreadsheet_size:size_of_all": "in the process that reads, of the target ods",
    "io.foreign.worker:main": "in the process that reads, of the targets excel, parquet and compressed",
    "project.marks:_content": "what is no project has no mark; compares, and believes nothing",
    "query.ledger_table:is_ledger_table": "says only whether the headings of a table are those of a ledger",
    "io.hierarchy_library:build_from_file": "read_specification and build_hierarchy, which the target recipe calls",
    "io.xlsx:xlsx_into": "writes",
    "project.storage:save_project": "writes",
    "query.sketch_folder:SketchFolder.read": "nothing is looked into that was not sealed under the key of its folder",
    "query.sketch_folder:_unpacked": "nothing is looked into that was not sealed under the key of its folder",
    "ldp.randomiser:Randomiser.parse": "says only what each protocol does; theirs are reached",
    "report.html_report:_numbers": "writes",
    "report.note:read_stated": "read_document, which the targets statement and note call",
}
"""Readers that need no target, and why."""


@contextmanager
def called() -> Iterator[set[str]]:
    """The functions of the program that are called, as `module:name`."""
    names: set[str] = set()
    # It counts in C what a function of ours would take five times as long for.
    watch = Profile(builtins=False)
    before = sys.getprofile()
    watch.enable()
    try:
        yield names
    finally:
        watch.disable()
        sys.setprofile(before)
        for code in (entry.code for entry in watch.getstats()):
            if isinstance(code, CodeType) and code.co_filename.startswith(str(PACKAGE)):
                module = Path(code.co_filename).relative_to(PACKAGE).with_suffix("")
                names.add(f"{'.'.join(module.parts)}:{code.co_qualname}")


def test_every_reader_is_reached_by_a_target() -> None:
    seen = set[str]().union(*(of_good_files(name)[1] for name in TARGETS))
    missed = found() - seen - NO_TARGET.keys()
    assert not missed, f"readers without a target, or a line in NO_TARGET why not: {', '.join(sorted(missed))}"
    assert NO_TARGET.keys() <= found()
