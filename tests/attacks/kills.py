"""Kill the program at random moments, and look at what is on the disk.

    python3 tests/attacks                              # 20 kills of each kind, a seed of the day
    python3 tests/attacks --seed 7 --kills 50 save query

Prints a JSON object for each kind: `kills` that hit a living process, and what is wrong, all of which must be 0:
`corrupt` files, `uncharged` releases, `charged_twice`, `lost` states, `unverified` releases, `readable` parts, and
`left` parts after the next write beside them. `parts` says how often a kill left a part, so that something was tried,
`aimed` how many of them were made at a step after the charge, as every other one is, and `paid` how often a charge was
made and its release never placed, which is how it should be. Ends with 1 if something is wrong. Needs fork.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import shutil
import signal
import stat
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

import workbench as wb
from workbench.anonymise.recipe import Treatment
from workbench.cli.main import main as workbench
from workbench.core.errors import WorkbenchError
from workbench.io.atomic import atomic_write
from workbench.project.recovery import Slot
from workbench.project.storage import load_project, save_project
from workbench.query.ledger_file import FOLDER_VARIABLE, LedgerFile
from workbench.session import Session
from workbench.session.pseudonyms import new_pseudonym_key

RELEASE = ["--group", "sex", "--suppress", "job", "--epsilon", "1", "--delta", "1e-5"]
MEAN = ["--query", "mean", "--column", "age", "--bounds", "0,100", "--resolution", "1", "--epsilon", "1"]
_WHOLE_RUNS = 2
_LATEST = 1.05
_CHANGES = {"open", "fcntl.flock", *(f"os.{name}" for name in ("rename", "link", "remove", "mkdir", "rmdir", "chmod"))}


@dataclass
class Found:
    """What was found after the kills of one kind."""

    kills: int = 0
    parts: int = 0
    aimed: int = 0
    paid: int = 0
    corrupt: int = 0
    uncharged: int = 0
    charged_twice: int = 0
    lost: int = 0
    unverified: int = 0
    readable: int = 0
    left: int = 0

    @property
    def wrong(self) -> int:
        """How much of it must not be."""
        return sum(getattr(self, one.name) for one in fields(self)[4:])


class Steps:
    """What a process does with the files of a folder once something was charged, as an audit hook that counts it.

    A charge and the placing of what it pays for are milliseconds apart, and hardly any moment drawn at random falls
    between them.

    Parameters
    ----------
    folder
        What is done elsewhere does not count, nor does reading. Its ledgers are in `ledgers`.
    each
        Called with the number of each step before it is done.
    """

    def __init__(self, folder: Path, each: Callable[[int], object]) -> None:
        self.folder, self.each, self.count = folder, each, 0
        self._looking = False  # which is heard of as well

    def __call__(self, event: str, given: tuple[object, ...]) -> None:
        """Hear of something the process is about to do."""
        if self._looking or not self._counts(event, given):
            return
        self._looking = True
        if self.count or charges_in(self.folder):
            self.count += 1
            self.each(self.count)
        self._looking = False

    def _counts(self, event: str, given: tuple[object, ...]) -> bool:
        if event not in _CHANGES or (event == "open" and given[1] == "r"):
            return False
        places = [str(one) for one in given[:2] if isinstance(one, str | os.PathLike)]
        return not places or any(str(self.folder) in place for place in places)


def charges_in(folder: Path) -> int:
    """How often the ledgers of a folder were charged."""
    return sum(one.read_bytes().count(b'"type":"charge"') for one in (folder / "ledgers").glob("*.jsonl"))


class Range:
    """A folder with data to work on, and the processes that are killed in it."""

    def __init__(self, folder: Path, seed: int, rows: int) -> None:
        self.folder, self.draw = folder, random.Random(seed)
        self.data, self.ages, self.project = folder / "people.csv", folder / "ages.csv", folder / "p.wbench"
        draw = random.Random(3)
        lines = [f"{draw.randrange(18, 70)},{draw.choice('MF')},job{draw.randrange(40)}" for _ in range(rows)]
        (folder / "parts").mkdir()
        for name, some in ((self.data, lines), *((folder / "parts" / f"{n}.csv", lines[n::4]) for n in range(4))):
            name.write_text("\n".join(["age,sex,job", *some]) + "\n", encoding="utf-8")
        self.ages.write_text("".join(f"{n};{n // 10}0s;*\n" for n in range(18, 70)), encoding="utf-8")

    def in_child(self, work: Callable[[], int | None]) -> int:
        """Begin work in a process of its own; its number."""
        child = os.fork()
        if child:
            return child
        try:
            silent = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silent, 1)
            os.dup2(silent, 2)
            os._exit(work() or 0)
        except BaseException:
            os._exit(99)

    def whole(self, work: Callable[[], int | None]) -> float:
        """Seconds that the work takes if nobody kills it."""
        start = time.monotonic()
        _, status = os.waitpid(self.in_child(work), 0)
        if status:
            raise SystemExit(f"the work fails by itself: {os.waitstatus_to_exitcode(status)}")
        return time.monotonic() - start

    def killed(self, work: Callable[[], int | None], seconds: float) -> bool:
        """Whether the work was killed within so many seconds, at a moment drawn evenly."""
        child = self.in_child(work)
        time.sleep(self.draw.random() * _LATEST * seconds)
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        return status != 0

    def steps_of(self, folder: Path, work: Callable[[], int | None]) -> int:
        """How many steps the work takes in a folder once it has charged something."""
        told, tell = os.pipe()

        def listened() -> int | None:
            sys.addaudithook(Steps(folder, lambda _: os.write(tell, b".")))
            return work()

        child = self.in_child(listened)
        os.close(tell)
        count = 0
        while piece := os.read(told, 1 << 10):
            count += len(piece)
        os.close(told)
        os.waitpid(child, 0)
        return count

    def killed_at_step(self, folder: Path, work: Callable[[], int | None], steps: int) -> bool:
        """Whether the work was killed before one of its steps after a charge, drawn evenly."""
        last = self.draw.randint(1, max(1, steps))

        def die(count: int) -> None:
            if count == last:
                os.kill(os.getpid(), signal.SIGKILL)

        def listened() -> int | None:
            sys.addaudithook(Steps(folder, die))
            return work()

        _, status = os.waitpid(self.in_child(listened), 0)
        return status != 0


def look_at_parts(folder: Path, found: Found) -> None:
    """Count what was left in a folder and those below, and whether the next write beside it takes it away."""
    places = {folder, *(one for one in folder.rglob("*") if one.is_dir() and not _is_hidden(one.relative_to(folder)))}
    left = [one for place in places for one in place.glob(".*.part")]
    found.parts += bool(left)
    found.readable += sum(bool(stat.S_IMODE(one.stat().st_mode) & 0o077) for one in left)
    for place in places:
        with atomic_write(place / "next") as file:
            file.write(b"x")
        (place / "next").unlink()
    found.left += sum(1 for place in places for _ in place.glob(".*.part"))


def _is_hidden(path: Path) -> bool:
    """Whether it lies in something that was not finished, which goes with the next write beside that."""
    return any(name.startswith(".") for name in path.parts)


def saving(range_: Range, kills: int, what: str) -> Found:
    """Kill what saves a project, or keeps unsaved work, again and again: the last state is there, or the next one."""
    found, path, recovery = Found(), range_.folder / f"{what}.wbench", range_.folder / "recovery"
    session = Session.from_file(made(range_))
    first = session.project

    def state(number: int) -> None:
        project = replace(first, preparation=replace(first.preparation, where=f"age >= {number}"))
        if what == "save":
            save_project(project, path)
        else:
            slot.keep(project, None)

    slot, last = Slot(recovery), 0
    if what == "save":
        state(0)
    for _ in range(kills):
        told, tell = os.pipe()
        slot = Slot(recovery)

        def work(number: int = last + 1, tell: int = tell) -> None:
            while True:
                state(number)
                os.write(tell, number.to_bytes(4, "big"))
                number += 1

        child = range_.in_child(work)
        os.close(tell)
        sure = int.from_bytes(os.read(told, 4), "big")
        time.sleep(range_.draw.random() * 0.02)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        while piece := os.read(told, 4):
            sure = int.from_bytes(piece, "big")
        os.close(told)
        found.kills += 1
        try:
            if what == "save":
                look_at_parts(range_.folder, found)
                project = load_project(path)
            else:
                taker = Slot(recovery)
                found.parts += bool(list(recovery.glob(".*.part")))
                (unsaved,) = taker.left_behind()
                project = taker.take_over(unsaved)
                taker.clear()
                found.left += len(list(recovery.iterdir()))
        except (WorkbenchError, ValueError):
            found.corrupt += 1
            continue
        last = int(project.preparation.where.split()[-1])
        found.lost += last not in (sure, sure + 1)
    return found


def made(range_: Range) -> Path:
    """A project with the settings of a release."""
    if not range_.project.exists():
        session = Session()
        session.data.open(range_.data)
        session.data.attach_hierarchy_file("age", range_.ages)
        session.release.columns.set_treatment("sex", Treatment.GENERALISE)
        session.release.columns.set_treatment("job", Treatment.LEAVE_OUT)
        session.save(range_.project)
    return range_.project


def spending(range_: Range, kills: int, what: str) -> Found:
    """Kill what spends: no release without its charge, none charged twice, and each that is there verifies."""
    found, folder = Found(), range_.folder / what
    project = made(range_).read_bytes()
    out = folder / "out"

    def work() -> int:
        os.environ[FOLDER_VARIABLE] = str(folder / "ledgers")
        if what == "query":
            return workbench(["query", str(range_.data), *MEAN])
        if what == "run":
            data = ["--data", str(range_.folder / "parts" / "*.csv"), "--engine", "duckdb", "--memory-budget", "300MB"]
            return workbench(["run", str(folder / "p.wbench"), *data, "--parts", "--out", str(out)])
        if what == "notebook":
            people = wb.open(range_.data)
            ages = wb.hierarchy.read(range_.ages)
            people.release(["sex"], hierarchies={"age": ages}, levels={"age": 1, "sex": 0}).save(out / "o.csv")
            return 0
        if what == "pseudonyms":
            words = ["--column", "job", "--key", str(folder / "keys" / "key.pem"), "--out", str(out / "o.csv")]
            return workbench(["pseudonymise", str(range_.data), *words])
        files = ["--out", str(out / "o.csv"), "--statement", str(out / "s.html"), "--metadata", str(out / "m.json")]
        age = ["--hierarchy", f"age={range_.ages}", "--level", "age=1"]
        return workbench(["anonymise", str(range_.data), *age, *RELEASE, *files])

    def fresh() -> None:
        if folder.exists():
            shutil.rmtree(folder)
        folder.mkdir()
        (folder / "p.wbench").write_bytes(project)
        if what in ("anonymise", "notebook", "pseudonyms"):
            out.mkdir()
        if what == "pseudonyms":
            new_pseudonym_key(folder / "keys" / "key.pem")

    seconds = 0.0
    for _ in range(_WHOLE_RUNS):
        fresh()
        seconds = max(seconds, range_.whole(work))
    fresh()
    steps = range_.steps_of(folder, work)
    for number in range(kills):
        fresh()
        if number % 2 and steps:
            hit = range_.killed_at_step(folder, work, steps)
            found.aimed += hit
        else:
            hit = range_.killed(work, seconds)
        found.kills += hit
        look_at_parts(folder, found)
        look_at_release(range_, folder, found, what)
    return found


def look_at_release(range_: Range, folder: Path, found: Found, what: str) -> None:
    """Compare what is there with what the ledger knows."""
    charges = 0
    for ledger in (folder / "ledgers").glob("*.jsonl"):
        try:
            charges += sum(record.get("type") == "charge" for record in LedgerFile(ledger, None).read())
        except WorkbenchError:
            found.corrupt += 1
        found.readable += bool(stat.S_IMODE(ledger.stat().st_mode) & 0o077)
    found.charged_twice += charges > 1
    try:
        load_project(folder / "p.wbench")
    except WorkbenchError:
        found.corrupt += 1
    if what == "query":
        return
    out = folder / "out"
    names = ("o.csv", "release.csv")
    there = [out / name for name in names if (out / name).exists()]
    pages = [out / name for name in ("s.html", "statement.html", "o_statement.html") if (out / name).exists()]
    found.uncharged += bool(there) and not charges
    found.paid += bool(charges) and not there
    if there and pages and what == "pseudonyms":  # nothing is claimed of such a file: the ledger knows its bytes
        known = b"".join(one.read_bytes() for one in (folder / "ledgers").glob("*.jsonl"))
        found.unverified += hashlib.sha256(there[0].read_bytes()).hexdigest().encode() not in known
    elif there and pages:
        words = ["verify", str(there[0]), "--statement", str(pages[0])]
        _, status = os.waitpid(range_.in_child(lambda: workbench(words)), 0)
        found.unverified += status != 0
    elif there:
        found.unverified += 1  # the statement goes first


KINDS: dict[str, Callable[[Range, int, str], Found]] = {
    "save": saving,
    "autosave": saving,
    "anonymise": spending,
    "query": spending,
    "run": spending,
    "notebook": spending,
    "pseudonyms": spending,
}


def main(words: list[str] | None = None) -> int:
    """Kill and count; returns 1 if something is wrong."""
    parser = argparse.ArgumentParser(
        prog="python3 tests/attacks", description="Kill the program at random moments, and look at the disk."
    )
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"which of: {', '.join(KINDS)} (default: all)")
    parser.add_argument("--seed", type=int, default=int(time.time()) // 86400, help="draws the moments")
    parser.add_argument("--kills", type=int, default=20, help="of each kind (default: 20)")
    parser.add_argument("--rows", type=int, default=60_000, help="of the data (default: 60000)")
    options = parser.parse_args(words)
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="workbench-kills-") as folder:
        os.environ[FOLDER_VARIABLE] = str(Path(folder) / "ledgers")
        for kind in options.kinds or KINDS:
            place = Path(folder) / f"range {kind}"
            place.mkdir()
            found = KINDS[kind](Range(place, options.seed, options.rows), options.kills, kind)
            print(json.dumps({"kind": kind, "seed": options.seed, **asdict(found)}), flush=True)
            wrong += found.wrong
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
