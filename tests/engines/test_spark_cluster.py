"""A standalone cluster and a Spark Connect server, both real, on this machine: what runs on them, and what is lost."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.engines.conftest import JAVA_QUICKLY
from workbench.core.errors import WorkbenchError
from workbench.core.table import Table
from workbench.engines.spark_connection import Connection, probe
from workbench.engines.spark_session import missing_for
from workbench.io.reading import read_table

pytestmark = [pytest.mark.xdist_group("spark"), pytest.mark.timeout(240)]

_PATIENCE = 90.0  # seconds Java may need to listen
_CONNECT = "WORKBENCH_TEST_CONNECT"

# There can be one Spark of its own in a process, and other tests may have it; so this runs in a process of its own.
_PROGRAM = """
import json, os, signal, sys
from pathlib import Path
from workbench.core.progress import Cancelled, CancelToken, Progress
from workbench.engines.files import files_of
from workbench.engines.opening import open_stored
from workbench.engines.spark_store import SparkStore

folder, connection, settings, worker = Path(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3]), int(sys.argv[4])
store = SparkStore(connection, settings=settings)
table = open_stored(store, files_of(folder / "people.csv")).table
(digits, counts), relation = table.combinations({"age": None, "town": None}), table.place.relation
coin = "substr(sha2(concat('key', CAST(d.r AS STRING)), 256), 1, 1) < '8'"
kept = store.derive(relation, ["d.c0"], where=coin)
drawn = store.rows(f"SELECT r FROM {kept} ORDER BY r")
lines = f"SELECT CAST(c0 AS STRING) AS line FROM {relation} ORDER BY r"
store.write_lines(lines, "age", folder / "parts", parts=True)
token, heard = CancelToken(), []
def listen(fraction, text):
    heard.append(fraction)
    if fraction > 0:
        token.cancel()
stopped = False
try:
    many = "range(0, 4000000000, 1, 20000)"
    store.run(f"SELECT max(hash(id)) FROM {many}", Progress(listen, token))
except Cancelled:
    stopped = True
if worker:
    os.killpg(worker, signal.SIGKILL)
again = store.rows(f"SELECT r FROM {kept} ORDER BY r")
print(json.dumps({
    "title": store.title, "values": table["town"].values, "codes": table["town"].codes.tolist(),
    "page": table.page(1990, 5), "digits": [column.tolist() for column in digits], "counts": counts.tolist(),
    "drawn": len(drawn), "same": drawn == again, "stopped": stopped,
}))
store.close()
"""


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def spark_home() -> Path:
    """Where pyspark has put Spark."""
    missing = missing_for(Connection.of("local"))
    if missing is not None:
        pytest.skip(missing.message)
    found = importlib.util.find_spec("pyspark")
    assert found is not None and found.origin is not None
    return Path(found.origin).parent


@contextmanager
def java(folder: Path, memory: str, *command: str) -> Iterator[int]:
    """A program of Spark's, and all it starts, until the end of the context; gives the id of their group."""
    home = spark_home()
    environment = {
        **os.environ,
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_MEMORY": memory,
        "SPARK_DAEMON_JAVA_OPTS": JAVA_QUICKLY,
        "SPARK_LAUNCHER_OPTS": JAVA_QUICKLY,
        "SPARK_NO_DAEMONIZE": "1",
    }
    script, *arguments = command
    process = subprocess.Popen(
        [str(home / "bin" / script), *arguments],
        env=environment,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield process.pid
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, 9)
        process.wait()


def wait_for(connection: str) -> None:
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            probe(Connection.of(connection))
            return
        except WorkbenchError:
            assert time.monotonic() < end, "no server came up"
            time.sleep(0.1)


@pytest.fixture
def people(tmp_path: Path) -> tuple[Path, Table]:
    """A folder with a table, and the table as it is in memory."""
    generator = np.random.default_rng(11)
    ages, towns = generator.integers(0, 90, 2000), generator.choice(["Köln", '"', "x;y"], 2000)
    path = tmp_path / "people.csv"
    cells = (f'{age},"{town.replace(chr(34), chr(34) * 2)}"' for age, town in zip(ages, towns, strict=True))
    path.write_text("\n".join(["age,town", *cells]) + "\n", encoding="utf-8")
    return tmp_path, read_table(path).table


def play(folder: Path, connection: str, settings: Mapping[str, str], worker: int = 0) -> dict[str, Any]:
    """Run the program; `worker` is killed on the way."""
    arguments = [str(folder), connection, json.dumps(dict(settings)), str(worker)]
    run = subprocess.run([sys.executable, "-c", _PROGRAM, *arguments], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    told: dict[str, Any] = json.loads(run.stdout)
    return told


def check_told(told: dict[str, Any], folder: Path, memory: Table) -> None:
    digits, counts = memory.combinations({"age": None, "town": None})
    assert told["values"] == list(memory["town"].values)
    assert told["codes"] == memory["town"].codes.tolist()
    assert told["page"] == [list(row) for row in memory.page(1990, 5)]
    assert told["digits"] == [column.tolist() for column in digits]
    assert told["counts"] == counts.tolist()
    # 2000 fair coins are within five deviations of their mean but for once in two million keys; the key is fixed.
    assert abs(told["drawn"] - 1000) < 5 * 22.4
    assert told["same"]
    assert told["stopped"]
    parts = [path.read_text().splitlines() for path in sorted((folder / "parts").iterdir())]
    assert [line for part in parts for line in part[1:]] == [str(code) for code in memory["age"].codes]
    assert {part[0] for part in parts} == {"age"}


def test_a_cluster_gives_what_memory_gives_also_when_it_loses_a_worker(people: tuple[Path, Table]) -> None:
    folder, memory = people
    port = free_port()
    master = f"spark://127.0.0.1:{port}"
    host = ("--host", "127.0.0.1", "--webui-port", "0")
    with ExitStack() as running:
        place = "org.apache.spark.deploy"
        running.enter_context(java(folder, "256m", "spark-class", f"{place}.master.Master", *host, "--port", str(port)))
        wait_for(master)  # a worker that knocks before would only come again after ten seconds
        workers = []
        for number in range(2):
            room = ("--cores", "1", "--memory", "512M", "--work-dir", str(folder / f"worker{number}"))
            workers.append(
                running.enter_context(
                    java(folder, "256m", "spark-class", f"{place}.worker.Worker", *host, *room, master)
                )
            )
        settings = {
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.memory": "600m",
            "spark.driver.extraJavaOptions": f"{JAVA_QUICKLY} -Xmn300m",
            "spark.executor.memory": "512m",
            "spark.buffer.pageSize": "1m",
            "spark.executor.extraJavaOptions": JAVA_QUICKLY,
            "spark.sql.shuffle.partitions": "2",
            "spark.sql.adaptive.coalescePartitions.enabled": "false",
        }
        told = play(folder, master, settings, workers[1])
    assert told["title"] == "Spark at 127.0.0.1"
    check_told(told, folder, memory)


@pytest.mark.skipif(not os.environ.get(_CONNECT), reason=f"takes long; {_CONNECT}=1 asks for it")
def test_spark_connect_gives_what_memory_gives(people: tuple[Path, Table]) -> None:
    folder, memory = people
    port = free_port()
    settings = {
        "spark.connect.grpc.binding.port": str(port),
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
    }
    chosen = [part for key, value in settings.items() for part in ("--conf", f"{key}={value}")]
    server = ("--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "--master", "local[2]")
    with java(folder, "700m", "spark-submit", *server, *chosen, "spark-internal"):
        wait_for(f"sc://127.0.0.1:{port}")
        told = play(folder, f"sc://127.0.0.1:{port}", {})
    check_told(told, folder, memory)
