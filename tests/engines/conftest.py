"""Engines for the tests of this folder, started once for each test process."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator

import pytest

from workbench.engines.duckdb_store import DuckStore
from workbench.engines.spark_connection import Connection
from workbench.engines.spark_session import missing_for
from workbench.engines.spark_store import SparkStore

SPARK_HERE = "local[2]"
JAVA_QUICKLY = (
    "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:MetaspaceSize=256m "
    "-XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
)
"""Java spends less on becoming fast, which short tests never see, and takes the classes of Spark for well-formed."""
_SELDOM_GARBAGE = "-Xms640m -Xmn480m"
_FEW_ROWS = {
    # Two parts, however small a result is, so that their order is put to the test.
    "spark.sql.shuffle.partitions": "2",
    # To make and compile a program for each statement, and to plan it anew on the way, pays for many rows only. The
    # test of a cluster does both, as everybody does.
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
}


@pytest.fixture
def press_control_c() -> Iterator[Callable[[], None]]:
    """Sends what Ctrl+C sends, from any thread.

    Where the tests run in the background the signal is ignored, and Python, which finds it so, does not listen to it.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    main = threading.main_thread().ident
    assert main is not None and main == threading.get_ident()
    yield lambda: signal.pthread_kill(main, signal.SIGINT)
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def duckdb_store() -> Iterator[DuckStore]:
    """A DuckDB in this process."""
    with DuckStore() as store:
        yield store


@pytest.fixture(scope="session")
def spark_store() -> Iterator[SparkStore]:
    """A Spark on this machine; skips where pyspark or Java is not installed."""
    missing = missing_for(Connection.of(SPARK_HERE))
    if missing is not None:
        pytest.skip(missing.message)
    quick = {
        "spark.driver.memory": "1g",
        "spark.driver.extraJavaOptions": f"{JAVA_QUICKLY} {_SELDOM_GARBAGE}",
        "spark.buffer.pageSize": "1m",  # what each task takes for its rows, and clears, though they are few
    }
    with SparkStore(SPARK_HERE, settings=quick) as store:
        for key, value in _FEW_ROWS.items():
            store.session.conf.set(key, value)
        yield store
