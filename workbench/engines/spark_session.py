"""Sessions on a Spark: on this machine, to a standalone cluster, or through Spark Connect.

The only module that imports pyspark. In one process there can be one Spark that runs in a Java of its own; all stores
with the same connection share it, and it ends with the last of them. Spark Connect needs no Java here.
"""

from __future__ import annotations

import contextlib
import importlib.util
import logging
import os
import re
import shutil
import subprocess
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.engines.spark_connection import Connection, SparkPlacement, probe
from workbench.engines.spark_errors import explained
from workbench.io.missing_package import install_command

_WORKERS = 60.0  # seconds a cluster has to give the first worker
_ENDING = 10.0  # seconds Java has to end
_OLDEST_JAVA = 17
_SCALE = 1 << 30

SQL_SETTINGS = {
    "spark.sql.ansi.enabled": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.caseSensitive": "true",
    "spark.sql.parser.escapedStringLiterals": "false",
    "spark.sql.variable.substitute": "false",  # ${x} in a text is a text
    # How a file is cut decides how rows are numbered, so it must depend on the file only, and not on how many
    # workers there are at the moment.
    "spark.sql.files.maxPartitionBytes": str(32 << 20),
    "spark.sql.files.minPartitionNum": "1",
    "spark.sql.files.ignoreMissingFiles": "false",
    "spark.sql.files.ignoreCorruptFiles": "false",
    # Encodings by the names Java has for them; what is no text becomes �.
    "spark.sql.legacy.javaCharsets": "true",
    "spark.sql.legacy.codingErrorAction": "true",
    # What is kept has as many partitions as its size asks for, not the 200 of every shuffle: each is a task in all that
    # follows, and a file of a release that is written as parts.
    "spark.sql.optimizer.canChangeCachedPlanOutputPartitioning": "true",
    "spark.sql.autoBroadcastJoinThreshold": str(64 << 20),
    "spark.sql.execution.arrow.localRelationThreshold": str(64 << 20),
    "spark.sql.execution.arrow.maxRecordsPerBatch": str(1 << 16),
    "spark.sql.parquet.inferTimestampNTZ.enabled": "true",
    "spark.sql.timeType.enabled": "true",
    "spark.sql.legacy.parquet.nanosAsLong": "true",  # it has no times of that precision
    "spark.sql.parquet.compression.codec": "snappy",
}

_NEWER = ("spark.sql.timeType.enabled",)
"""Settings that an older Spark on a server may not know."""


def missing_for(connection: Connection) -> WorkbenchError | None:
    """Error about a package or Java that a connection needs and that is missing; None if all is there."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that the pandas beside it, which is not used, is newer than pyspark knows
        try:
            import pyarrow  # noqa: F401
            import pyspark.sql.pandas.types

            if connection.kind is SparkPlacement.CONNECT:
                # Without this one, what follows may end the process instead of raising an error.
                if importlib.util.find_spec("grpc") is None:
                    raise ModuleNotFoundError(name="grpc")
                import pyspark.sql.connect.session  # noqa: F401
        except ImportError as error:
            name = error.name or "pyspark"
            return WorkbenchError(
                f"To work with data in Spark, the package {name} is needed, and it is not installed.",
                hint=f"Install it with the command: {install_command('spark')}",
                field="engine",
            )
    if connection.kind is SparkPlacement.CONNECT:
        return None
    java = _java()
    if java is None or java < _OLDEST_JAVA:
        found = "it is not found" if java is None else f"the one that is found is version {java}"
        return WorkbenchError(
            f"To run Spark, Java {_OLDEST_JAVA} or later is needed, and {found}.",
            hint=f"Install Java {_OLDEST_JAVA} (on Debian and Ubuntu: apt install openjdk-17-jre-headless), or let "
            "JAVA_HOME name the folder of one. Spark Connect (sc://…) needs none.",
            field="engine",
        )
    return None


def _java() -> int | None:
    """The version of the Java that Spark would run."""
    home = os.environ.get("JAVA_HOME")
    program = str(Path(home, "bin", "java")) if home else shutil.which("java")
    if program is None:
        return None
    try:
        said = subprocess.run([program, "-version"], capture_output=True, text=True, timeout=20, check=True).stderr
    except (OSError, subprocess.SubprocessError):
        return None
    found = re.search(r'version "(\d+)(?:\.(\d+))?', said)
    return None if found is None else int(found[2] or 8) if found[1] == "1" else int(found[1])


class SparkRuntime:
    """A session of Spark's, and the Java behind it where it runs in one of this process."""

    def __init__(self, session: Any, connection: Connection) -> None:
        self.session, self.connection = session, connection
        self._open = True

    @property
    def connected(self) -> bool:
        """Whether it is Spark Connect, which has other ways to report and to cancel."""
        return self.connection.kind is SparkPlacement.CONNECT

    def close(self) -> None:
        """End the session, and Spark itself if this was the last one here. May be called again."""
        with _shared.lock:
            if not self._open:
                return
            self._open = False
            if self.connected:
                with contextlib.suppress(Exception):
                    self.session.stop()
            else:
                _shared.leave()


def _uninterrupted(job: Callable[[], None]) -> None:
    """Do something on another thread, which Ctrl-C does not reach; it is heeded when that has ended.

    A Java that is interrupted while it starts would run for ever, and nobody would know of it.
    """
    with ThreadPoolExecutor(1, "spark-start") as thread:
        thread.submit(job).result()


class _Shared:
    """The one Spark of this process with a Java of its own."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._users = 0
        self._connection: Connection | None = None
        self._context: Any = None
        self._gateway: Any = None
        self._root: Any = None
        self._folder = ""

    def enter(self, connection: Connection, settings: Mapping[str, str]) -> Any:
        from pyspark import SparkContext
        from pyspark.sql import SparkSession

        if self._users and self._connection != connection:
            raise WorkbenchError(
                f"{self._connection.title if self._connection else 'Spark'} is at work in this program, and there can "
                "be only one.",
                hint="Close the data that is open there first.",
                field="engine",
            )
        if not self._users:
            if SparkContext._active_spark_context is not None:
                raise WorkbenchError(
                    "Another Spark runs in this program.", hint="End it, then try again.", field="engine"
                )
            self._start(connection, settings)
            self._connection = connection
            self._root = SparkSession(self._context)
        self._users += 1
        return self._root.newSession()

    def _start(self, connection: Connection, settings: Mapping[str, str]) -> None:
        from pyspark import SparkConf, SparkContext

        conf = SparkConf()
        self._folder = tempfile.mkdtemp(prefix="workbench-spark-")  # only its owner can look into it
        places = {"spark.sql.warehouse.dir": f"{self._folder}/warehouse"}
        if connection.kind is SparkPlacement.LOCAL:
            places["spark.local.dir"] = self._folder
        for key, value in {**_settings(connection), **places, **settings}.items():
            conf.set(key, value)
        with tempfile.TemporaryFile() as said, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                _uninterrupted(lambda: self._launch(conf, said))
                self._context = SparkContext(gateway=self._gateway, conf=conf)
                self._context.setLogLevel("OFF")
            except BaseException as error:
                self._end()
                raise _not_started(connection, said, error) from error

    def _launch(self, conf: Any, said: Any) -> None:
        from pyspark.java_gateway import launch_gateway

        self._gateway = launch_gateway(conf, popen_kwargs={"stdout": said, "stderr": said})

    def leave(self) -> None:
        self._users -= 1
        if not self._users:
            self._end()

    def _end(self) -> None:
        from pyspark import SparkContext

        gateway, running = self._gateway, self._root or self._context
        self._gateway = self._context = self._root = self._connection = None
        if running is not None:
            with contextlib.suppress(Exception):
                running.stop()
        if gateway is None:
            self._forget_folder()
            return
        with contextlib.suppress(Exception):
            gateway.shutdown()
        SparkContext._gateway = SparkContext._jvm = SparkContext._active_spark_context = None
        process: subprocess.Popen[bytes] | None = gateway.proc
        if process is None:
            self._forget_folder()
            return
        with contextlib.suppress(OSError):
            if process.stdin is not None:
                process.stdin.close()  # Java ends when this does
        try:
            process.wait(_ENDING)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._forget_folder()

    def _forget_folder(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)


_shared = _Shared()


def connect(text: str, settings: Mapping[str, str] | None = None, progress: Progress = SILENT) -> SparkRuntime:
    """Open a session on a Spark.

    Parameters
    ----------
    text
        The connection string; see `Connection.of`.
    settings
        Of Spark's own, such as spark.executor.memory; those of `spark-defaults.conf` hold anyway. They count for the
        first session on a Spark of this process only.

    Raises
    ------
    WorkbenchError
        If it is not understood, something is not installed, or no Spark answers.
    """
    connection = Connection.of(text)
    progress(0.0, f"Connecting to {connection.title}")
    if (missing := missing_for(connection)) is not None:
        raise missing
    probe(connection)
    _be_quiet()
    if connection.kind is SparkPlacement.CONNECT:
        engine = SparkRuntime(_remote(connection), connection)
    else:
        with _shared.lock:
            engine = SparkRuntime(_shared.enter(connection, settings or {}), connection)
    try:
        for key, value in SQL_SETTINGS.items():
            _set(engine.session, key, value)
        if connection.kind is SparkPlacement.LOCAL:
            cores = engine.session.sparkContext.defaultParallelism
            engine.session.conf.set("spark.sql.shuffle.partitions", str(max(4, 2 * cores)))
        if connection.kind is SparkPlacement.CLUSTER:
            _wait_for_workers(engine, progress)
    except BaseException as error:
        engine.close()
        raise explained(error) from error
    return engine


def _be_quiet() -> None:
    """Let pyspark write no errors of its own to the terminal; they are raised."""
    from pyspark.logger import PySparkLogger

    for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger"):
        PySparkLogger.getLogger(name).disabled = True
    # Py4J, which speaks to Java, writes a traceback to the terminal where it is interrupted.
    logging.getLogger().addFilter(_not_of_py4j)


def _not_of_py4j(record: logging.LogRecord) -> bool:
    return record.msg != "KeyboardInterrupt while sending command."


def _set(session: Any, key: str, value: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a setting is old; a server may have another value all the same
        try:
            session.conf.set(key, value)
        except Exception:
            if key not in _NEWER:
                raise


def _remote(connection: Connection) -> Any:
    from pyspark.sql.connect.client.retries import DefaultPolicy
    from pyspark.sql.connect.session import SparkSession

    session = SparkSession(connection.text)
    # By itself it would try for ten minutes.
    session.client.set_retry_policies([DefaultPolicy(max_retries=4, max_backoff=2000)])
    try:
        assert session.version
    except Exception as error:
        raise WorkbenchError(
            f"{connection.title} does not speak Spark Connect, or does not let this program in.",
            hint="Check the port (usually 15002); a token belongs into the environment variable "
            "SPARK_CONNECT_AUTHENTICATE_TOKEN.",
            field="engine",
        ) from error
    return session


def _settings(connection: Connection) -> dict[str, str]:
    """Of Spark in a Java of this process."""
    common = {
        "spark.master": connection.text,
        "spark.app.name": "Anonymisation workbench",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.catalogImplementation": "in-memory",
        "spark.driver.memory": f"{_driver_memory() >> 20}m",
    }
    if connection.kind is SparkPlacement.LOCAL:
        # Nobody else is to reach it.
        common |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    return common


def _driver_memory() -> int:
    """A quarter of the machine's memory, but between 1 and 4 GB."""
    try:
        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return 2 * _SCALE
    return min(max(whole // 4, _SCALE), 4 * _SCALE)


def _wait_for_workers(engine: SparkRuntime, progress: Progress) -> None:
    """A cluster without a free worker would let every job wait without end."""
    context = engine.session.sparkContext
    end = time.monotonic() + _WORKERS
    while context._jsc.sc().getExecutorMemoryStatus().size() < 2:  # the first one is this program
        progress(0.0, "Waiting for a worker of the cluster")
        if time.monotonic() > end:
            raise WorkbenchError(
                f"{engine.connection.title} has no worker free for this program.",
                hint="Check that workers run and have memory and processors left; spark.executor.memory and "
                "spark.cores.max in spark-defaults.conf say how much is asked for.",
                field="engine",
            )
        time.sleep(0.1)


def _not_started(connection: Connection, said: Any, error: BaseException) -> BaseException:
    if isinstance(error, WorkbenchError) or not isinstance(error, Exception):
        return error
    said.seek(0)
    lines = [line.strip() for line in said.read().decode("utf-8", "replace").splitlines()]
    reason = next((line for line in reversed(lines) if re.search(r"(error|exception|cannot|unable)", line, re.I)), "")
    reason = re.sub(r"^.*?(?:Exception|Error):\s*", "", reason)[:200].rstrip(".") or "it ended at once"
    return WorkbenchError(
        f"{connection.title} could not be started: {reason}.",
        hint="Check the settings of Spark (spark-defaults.conf, JAVA_HOME, SPARK_HOME), and that memory is left.",
        field="engine",
    )


def storage_level() -> Any:
    """How relations are kept: in memory, and on the disks of the workers where it does not suffice."""
    from pyspark import StorageLevel

    return StorageLevel.MEMORY_AND_DISK
