"""Connection strings of Spark, and what is said where there is none."""

from __future__ import annotations

import logging
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.engines.choice import EngineChoice
from workbench.engines.spark_connection import Connection, SparkPlacement, probe
from workbench.engines.spark_errors import explained
from workbench.engines.spark_session import _be_quiet, _uninterrupted, missing_for


@pytest.mark.parametrize(
    ("given", "kind", "text"),
    [
        ("spark-local", SparkPlacement.LOCAL, "local[*]"),
        ("local[2]", SparkPlacement.LOCAL, "local[2]"),
        ("spark://one:7077", SparkPlacement.CLUSTER, "spark://one:7077"),
        ("spark://one,two:8000", SparkPlacement.CLUSTER, "spark://one:7077,two:8000"),
        (" sc://host ", SparkPlacement.CONNECT, "sc://host:15002"),
        ("sc://[::1]:1/;use_ssl=true", SparkPlacement.CONNECT, "sc://[::1]:1/;use_ssl=true"),
    ],
)
def test_connection_strings_are_understood(given: str, kind: SparkPlacement, text: str) -> None:
    found = Connection.of(given)
    assert (found.kind, found.text) == (kind, text)


@pytest.mark.parametrize(
    "given",
    [
        *("", "duckdb", "yarn", "spark://", "spark://host:0", "spark://host:99999", "sc://a,b", "local[0]"),
        *("http://host", "spark://host/path", "sc://host/;x=y", "spark://ho st"),
    ],
)
def test_others_are_refused(given: str) -> None:
    with pytest.raises(WorkbenchError) as caught:
        Connection.of(given)
    assert caught.value.field == "engine"
    assert "spark://host:7077" in caught.value.hint


@pytest.mark.parametrize(
    "given", ["spark://me:hush@host:7077", "sc://host/;token=hush", "sc://host:1/;TOKEN=hush", "sc://h/;user_id=hush"]
)
def test_a_secret_is_refused_and_not_repeated(given: str) -> None:
    with pytest.raises(WorkbenchError) as caught:
        Connection.of(given)
    assert "hush" not in str(caught.value)
    assert "SPARK_CONNECT_AUTHENTICATE_TOKEN" in caught.value.hint


def test_where_nothing_listens_it_is_said_at_once() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        begun = time.monotonic()
        with pytest.raises(WorkbenchError, match=rf"127\.0\.0\.1:{port}: nothing listens there"):
            probe(Connection.of(f"spark://127.0.0.1:{port}"))
    assert time.monotonic() - begun < 30  # by itself Spark would try for minutes


def test_one_host_that_answers_suffices() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        probe(Connection.of(f"spark://127.0.0.1:1,127.0.0.1:{server.getsockname()[1]}"))


@pytest.mark.spark
def test_without_java_it_is_said_which(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("pyspark")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    missing = missing_for(Connection.of("local[2]"))
    assert missing is not None
    assert "Java 17" in missing.message and "not found" in missing.message
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text("#!/bin/sh\necho 'openjdk version \"11.0.2\" 2019-01-15' >&2\n")
    java.chmod(0o755)
    missing = missing_for(Connection.of("local[2]"))
    assert missing is not None
    assert "version 11" in missing.message
    pytest.importorskip("grpc")
    assert missing_for(Connection.of("sc://host")) is None


def test_without_pyspark_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark.sql.pandas.types", None)
    missing = missing_for(Connection.of("local[2]"))
    assert missing is not None
    assert missing.hint.endswith('[spark]"') and "-m pip install" in missing.hint


def test_without_what_spark_connect_needs_the_program_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspark")
    monkeypatch.setitem(sys.modules, "grpc", None)
    missing = missing_for(Connection.of("sc://host"))
    assert missing is not None
    assert "the package grpc is needed" in missing.message


@pytest.mark.spark
def test_an_interrupted_conversation_with_java_writes_nothing(caplog: pytest.LogCaptureFixture) -> None:
    pytest.importorskip("pyspark")
    _be_quiet()
    logging.getLogger().error("KeyboardInterrupt while sending command.")
    logging.getLogger().error("something else")
    assert caplog.messages == ["something else"]


def test_what_is_not_there_is_told_before_spark_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def start(*_: object) -> None:
        raise AssertionError("Spark was started")

    monkeypatch.setattr(EngineChoice, "start", start)
    for words in (["profile", "none.csv"], ["verify", "none.csv", "--model", "k=2"], ["profile", "none/*.csv"]):
        assert main([words[0], str(tmp_path / words[1]), *words[2:], "--engine", "local[2]"]) == 2
        assert "There is no file" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="signals are not sent to threads there")
def test_control_c_waits_for_what_would_be_left_behind(press_control_c: Callable[[], None]) -> None:
    begun, done = threading.Event(), list[str]()

    def job() -> None:
        begun.set()
        time.sleep(0.3)
        done.append("ended")

    def press() -> None:
        begun.wait()
        time.sleep(0.1)
        press_control_c()

    pressed = threading.Thread(target=press)
    pressed.start()
    with pytest.raises(KeyboardInterrupt):
        _uninterrupted(job)
    assert done == ["ended"]
    pressed.join()
    with pytest.raises(ZeroDivisionError):
        _uninterrupted(lambda: print(1 // 0))


def test_pyspark_is_imported_only_when_it_is_needed() -> None:
    program = "import sys, workbench.engines.spark_store; sys.exit('pyspark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False, timeout=60).returncode == 0


class _FromSpark(Exception):
    """Stands for an error of Spark's."""


_FromSpark.__module__ = "pyspark.errors.exceptions.captured"


@pytest.mark.parametrize(
    ("said", "told", "field"),
    [
        ("Job aborted: ExecutorLostFailure (executor 1 exited)\n\tat org.apache.spark.X", "lost the workers", "engine"),
        ("[PATH_NOT_FOUND] Path does not exist: file:/data/x.csv. SQLSTATE: 42K03", "“/data/x.csv”", "path"),
        ("java.lang.OutOfMemoryError: Java heap space\n\tat java.util.X", "ran out of memory", "memory"),
        ("java.io.IOException: No space left on device", "no room left", "memory"),
        ("Total size of serialized results is bigger than spark.driver.maxResultSize", "bring here", "memory"),
        ("Mkdirs failed to create file:/out", "may not read or write", "path"),
        (
            "An error occurred while calling o1.x:\njava.lang.RuntimeException: Ada\n\tat org.apache.X",
            ": RuntimeException.",
            "data",
        ),
        (
            "[CAST_INVALID_INPUT] The value 'Ada' of the type \"STRING\" cannot",
            "CAST_INVALID_INPUT: The value ….",
            "data",
        ),
        ('java.lang.NumberFormatException: For input string: "Ada"', "For input string ….", "data"),
        ('java.lang.NumberFormatException: For input string: "[ADA] x"', "NumberFormatException: For input", "data"),
        ("java.time.DateTimeException: Ada is no date", ": DateTimeException.", "data"),
        ("[INVALID_FORMAT] Ada is not a format", ": INVALID_FORMAT.", "data"),
        (
            "Job aborted:\nCaused by: org.apache.spark.SparkException: [CAST_INVALID_INPUT] Ada",
            ": CAST_INVALID_INPUT.",
            "data",
        ),
        ("Ada is not in the list", ": unknown error.", "data"),
        ("[DIVIDE_BY_ZERO] Division by zero. SQLSTATE: 22012\n== SQL ==", "DIVIDE_BY_ZERO: Division by zero.", "data"),
    ],
)
def test_errors_of_spark_become_one_sentence(said: str, told: str, field: str) -> None:
    error = explained(_FromSpark(said))
    assert isinstance(error, WorkbenchError)
    assert told in error.message
    assert error.field == field
    assert not any(word in str(error) for word in ("org.apache", "java.", "\n", "\tat", "ADA", "Ada"))


def test_other_errors_stay_as_they_are() -> None:
    error = KeyError("x")
    assert explained(error) is error
