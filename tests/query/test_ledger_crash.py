"""Processes that are killed at any moment, race for the last ε, or find the disk full."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs fork and kill")

# One process that forks: importing the program for every trial would take far longer than the trials.
PRELUDE = """
import os, random, resource, select, signal, sys, time
from fractions import Fraction
from pathlib import Path
from workbench.core.errors import WorkbenchError
from workbench.query.ledger import Charge, Ledger
folder = Path(sys.argv[1])
def ledger(name):
    return Ledger(folder / name, "rows1-x")
def child(work):
    pid = os.fork()
    if pid:
        return pid
    try:
        work()
    finally:
        os._exit(0)
"""

KILLED = """
rng = random.Random(7)
in_between = 0
for trial in range(40):
    name = f"{trial}.jsonl"
    ledger(name).set_budget(Fraction(3))
    reader, writer = os.pipe()
    def spend():
        mine = ledger(name)
        while True:
            try:
                entry = mine.charge(Charge("query", "x" * 2000, Fraction(1, 100)))
            except WorkbenchError:
                return
            os.write(writer, entry.id.encode())
            mine.answer(entry.id, 1)
    pid = child(spend)
    time.sleep(rng.uniform(0.001, 0.03))
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(writer)
    paid = b""
    while piece := os.read(reader, 1 << 16):
        paid += piece
    os.close(reader)
    told = {paid[i:i + 32].decode() for i in range(0, len(paid), 32)}
    left = ledger(name)
    known = {entry.id for entry in left.entries}
    assert told <= known, "somebody was told of a charge that is gone"
    assert len(known) <= len(told) + 1
    in_between += len(known) - len(told)
    assert left.spent().epsilon == Fraction(len(known), 100) <= 3
    start = time.monotonic()
    if left.remaining().epsilon:
        left.charge(Charge("query", "after", Fraction(1, 100)))
    assert time.monotonic() - start < 30, "a dead process holds the lock"
print("fine", in_between)
"""

RACE = """
for trial in range(6):
    name = f"{trial}.jsonl"
    ledger(name).set_budget(Fraction(1))
    reader, writer = os.pipe()
    def spend():
        mine = ledger(name)
        while True:
            try:
                mine.charge(Charge("query", "x", Fraction(1, 20)))
            except WorkbenchError:
                return
            os.write(writer, b"+")
    pids = [child(spend) for _ in range(4)]
    for pid in pids:
        os.waitpid(pid, 0)
    os.close(writer)
    paid = os.read(reader, 1 << 16)
    os.close(reader)
    assert len(paid) == 20, len(paid)
    assert ledger(name).spent().epsilon == 1
print("fine")
"""

FULL = """
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
mine = ledger("full.jsonl")
resource.setrlimit(resource.RLIMIT_FSIZE, (3000, resource.RLIM_INFINITY))
paid = 0
while True:
    try:
        mine.charge(Charge("query", "x", Fraction(1, 10)))
    except WorkbenchError as error:
        assert "not enough room" in error.message, error
        break
    paid += 1
assert 1 < paid < 20
assert ledger("full.jsonl").spent().epsilon == Fraction(paid, 10)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
ledger("full.jsonl").charge(Charge("query", "x", Fraction(1, 10)))
assert ledger("full.jsonl").spent().epsilon == Fraction(paid + 1, 10)
print("fine")
"""

EXPORTED = """
from workbench.anonymise.recipe import Treatment
from workbench.session import Session
os.environ["WORKBENCH_LEDGERS"] = str(folder / "ledgers")
rng = random.Random(3)
for trial in range(12):
    data = folder / f"{trial}.csv"
    data.write_text("age\\n" + "".join(f"{i % 10}\\n" for i in range(2000 + trial)))
    def release():
        session = Session()
        session.data.open(data)
        session.release.columns.set_treatment("age", Treatment.GENERALISE)
        for number in range(1000):
            session.release.draw_again()
            session.release.export(folder / f"{trial}_{number}.csv", folder / f"{trial}_{number}.html")
    pid = child(release)
    deadline = time.monotonic() + 20
    while not (folder / f"{trial}_0.csv").exists() and time.monotonic() < deadline:
        time.sleep(0.001)
    time.sleep(rng.uniform(0, 0.03))
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    session = Session()
    session.data.open(data)
    files = {path.name for path in folder.glob(f"{trial}_*.csv")}
    drawn = session.ledger.current.entries
    noted = {file.name for entry in drawn for file in entry.files}
    assert files and files <= noted, "a file that nobody paid for"
    assert len(noted - files) <= 1
    assert len(drawn) - len(noted) <= 1, "a draw whose file was not written yet"
    assert session.ledger.current.spent().epsilon == len(drawn)
print("fine")
"""


@pytest.mark.parametrize(
    "script", [KILLED, RACE, FULL, EXPORTED], ids=["killed", "race", "full disk", "killed in an export"]
)
def test_the_ledger_holds(tmp_path: Path, script: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + script, str(tmp_path)],
        capture_output=True, text=True, timeout=50, check=False,
        cwd=Path(__file__).resolve().parents[2],
    )  # fmt: skip
    assert done.stdout.startswith("fine"), done.stderr
