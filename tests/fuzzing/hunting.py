"""Giving a reader one changed file after the other, and telling what came of it.

The invariant is the same for all: a file is accepted, or a `WorkbenchError` says why not, within a time and a memory
that do not depend on what a file says of itself. Every other exception is a find, and its input is kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzzing.mutating import Mutator
from workbench.core.errors import WorkbenchError

SECONDS = 20.0
"""What one file may take, on a machine that has other things to do."""
MEGABYTES = 1_500.0
"""How much one file may add to the memory of the process."""
COMMAND = "python tests/fuzzing"


class TooLong(BaseException):
    """A file took longer than `SECONDS`. No handler of ordinary errors may take it for one."""


@dataclass(frozen=True)
class Target:
    """One kind of file and what reads it.

    Parameters
    ----------
    name, suffix
        What it is called here, and how its files end.
    seeds
        Good files to start from.
    change
        Makes another file of one of them.
    read
        Reads a file as the program does, and what was accepted again after writing it. Gets an empty folder, and a
        source of chance that follows from the bytes of the file, so that the file alone repeats everything.
    quick
        How many inputs a short run tries.
    """

    name: str
    suffix: str
    seeds: Callable[[], tuple[bytes, ...]]
    change: Callable[[Mutator, bytes], bytes]
    read: Callable[[Path, Random], None]
    quick: int = 150


@dataclass
class Find:
    """An input that broke the invariant: where it is kept, what happened, and how often the like of it did."""

    kept: str
    what: str
    trace: str
    times: int = 1


@dataclass
class Tally:
    """What came of a hunt."""

    target: str
    seed: int
    inputs: int = 0
    accepted: int = 0
    explained: int = 0
    slowest: float = 0.0
    megabytes: float = 0.0
    finds: dict[str, Find] = field(default_factory=dict)

    @property
    def unexpected(self) -> int:
        return sum(find.times for find in self.finds.values())

    def plain(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)

    def told(self) -> str:
        """The finds and how to repeat them, for a person."""
        lines = [f"{self.target}: {self.unexpected} unexpected of {self.inputs:,} inputs, seed {self.seed}."]
        for find in self.finds.values():
            lines += [f"{find.what} ({find.times}×). Repeat: {COMMAND} {self.target} --repeat {find.kept}", find.trace]
        return "\n".join(lines)


def hunt(
    target: Target, seed: int, *, inputs: int | None = None, seconds: float | None = None, folder: Path, limited: bool
) -> Tally:
    """Try inputs until so many were tried or so much time has passed.

    Parameters
    ----------
    seed
        Input number n of a seed is always the same.
    folder
        Where finds are kept, and the input that is being read, should the process end with it.
    limited
        Whether an input that takes too long is ended; for that no other alarm of the process may be in use.
    """
    tally = Tally(target.name, seed)
    good = target.seeds()
    folder.mkdir(parents=True, exist_ok=True)
    at_work = folder / f"{target.name}-{os.getpid()}-now{target.suffix}"
    until = None if seconds is None else time.monotonic() + seconds
    while (inputs is None or tally.inputs < inputs) and (until is None or time.monotonic() < until):
        mutator = Mutator(Random(f"{target.name} {seed} {tally.inputs}"))
        content = target.change(mutator, mutator.random.choice(good))
        tally.inputs += 1
        at_work.unlink(missing_ok=True)  # writing into what is there takes some systems fifty times as long
        at_work.write_bytes(content)
        _count(tally, target, content, folder, limited)
    # Not where a crash, the limit of a test or Ctrl+C ends the hunt: then this is the input that did it.
    at_work.unlink(missing_ok=True)
    return tally


def outcome(target: Target, content: bytes, *, limited: bool = False) -> bool:
    """Read one input; whether it was accepted, and otherwise it was explained. Anything else is raised."""
    with tempfile.TemporaryDirectory(prefix="fuzzing-") as place, _own_ledgers(Path(place)):
        path = Path(place, "input", f"given{target.suffix}")
        path.parent.mkdir()
        path.write_bytes(content)
        before, memory = time.monotonic(), peak()
        try:
            with _ended_after(SECONDS) if limited else contextlib.nullcontext():
                target.read(path, Random(hashlib.sha256(content).digest()))
            accepted = True
        except WorkbenchError as error:
            assert error.message.strip(), "an error without a message"
            accepted = False
        taken, grown = time.monotonic() - before, peak() - memory
        assert taken < SECONDS, f"took {taken:.0f} s"
        assert grown < MEGABYTES, f"took {grown:.0f} MB"
        return accepted


def _count(tally: Tally, target: Target, content: bytes, folder: Path, limited: bool) -> None:
    start = time.monotonic()
    try:
        if outcome(target, content, limited=limited):
            tally.accepted += 1
        else:
            tally.explained += 1
    except (Exception, SystemExit, TooLong) as error:
        _keep(tally, target, content, folder, error)
    tally.slowest = max(tally.slowest, time.monotonic() - start)
    tally.megabytes = peak()


def _keep(tally: Tally, target: Target, content: bytes, folder: Path, error: BaseException) -> None:
    trace = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in trace if f"{os.sep}workbench{os.sep}" in frame.filename] or list(trace)
    where = f"{Path(own[-1].filename).name}:{own[-1].lineno}" if own else "nowhere"
    # What a command says of itself is all that is left of where it happened.
    key = f"{type(error).__name__} at {where}" + (f" {error!s:.80}" if isinstance(error, AssertionError) else "")
    if key in tally.finds:
        tally.finds[key].times += 1
        return
    kept = folder / f"{target.name}-{hashlib.sha256(content).hexdigest()[:12]}{target.suffix}"
    kept.write_bytes(content)
    words = "".join(traceback.format_exception(error))[-3000:]
    tally.finds[key] = Find(str(kept), f"{key}: {error!s:.200}", words)


def peak() -> float:
    """The most memory this process ever had, in megabytes; 0 where the system does not say."""
    if sys.platform == "win32":
        return 0.0
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 2**20 if sys.platform == "darwin" else most / 2**10


@contextlib.contextmanager
def _own_ledgers(place: Path) -> Iterator[None]:
    """Ledgers of their own for every input, so that none depends on those before it."""
    before = os.environ.get("WORKBENCH_LEDGERS")
    os.environ["WORKBENCH_LEDGERS"] = str(place / "ledgers")
    try:
        yield
    finally:
        if before is None:
            del os.environ["WORKBENCH_LEDGERS"]
        else:
            os.environ["WORKBENCH_LEDGERS"] = before
        shutil.rmtree(place / "ledgers", ignore_errors=True)


@contextlib.contextmanager
def _ended_after(seconds: float) -> Iterator[None]:
    if not hasattr(signal, "setitimer"):
        yield
        return

    def end(*_: object) -> None:
        raise TooLong(f"took more than {seconds:.0f} s")

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
