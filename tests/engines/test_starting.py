"""How much memory an engine may take, as it is written; and what becomes of a closed one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from workbench.core.errors import WorkbenchError
from workbench.engines.budget import MemoryBudget
from workbench.engines.choice import size_of
from workbench.engines.duckdb_store import DuckStore


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("64", 64 << 20),
        ("800MB", 800 << 20),
        ("2GB", 2 << 30),
        ("1.5 GiB", 3 << 29),
        ("65536k", 64 << 20),
        ("67108864B", 64 << 20),
    ],
)
def test_a_budget_is_read_as_it_is_written(text: str, size: int) -> None:
    assert size_of(text) == size


@pytest.mark.parametrize("text", ["", "0", "63", "63MB", "67108863B", "-2GB", "much", "2 XB", "1e3GB", "nan"])
def test_what_is_no_budget_or_too_small_is_refused(text: str) -> None:
    with pytest.raises(WorkbenchError) as refused:
        size_of(text)
    assert refused.value.field == "memory"


def test_a_closed_engine_says_so(tmp_path: Path) -> None:
    store = DuckStore(scratch=tmp_path)
    assert store.rows("SELECT 1") == [(1,)]
    store.close()
    store.close()
    assert not list(tmp_path.iterdir())
    with pytest.raises(WorkbenchError) as refused:
        store.rows("SELECT 1")
    assert refused.value.field == "data"


_FORGOTTEN = """
from types import SimpleNamespace
from workbench.engines import spark_store

class Runtime:
    connected, connection, session = False, SimpleNamespace(title="Spark"), None
    def close(self):
        import threading
        done = threading.Event()
        threading.Thread(target=done.set).start()
        print("closed" if done.wait(10) else "stuck", flush=True)

spark_store.connect = lambda *given: Runtime()
store = spark_store.SparkStore("local[1]")
store.itself = store  # so that it is found by the collector of garbage only, when Python ends
"""


def test_a_spark_that_nobody_closes_is_closed_before_python_ends() -> None:
    """While Python ends, no thread runs that Java is spoken to through: it waited for ever, and Java with it."""
    run = subprocess.run([sys.executable, "-c", _FORGOTTEN], capture_output=True, text=True, timeout=120, check=True)
    assert run.stdout == "closed\n"


def test_more_memory_than_there_can_be_is_no_bound(tmp_path: Path) -> None:
    store = DuckStore(MemoryBudget(10**40), tmp_path)
    assert store.rows("SELECT 1") == [(1,)]
    store.budget.limit = 10**60
    store.keep_to_budget()
    store.close()
    assert not list(tmp_path.iterdir())
