"""Errors of Spark in one plain sentence: the class of error, never a trace of Java."""

from __future__ import annotations

import re
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.progress import Cancelled
from workbench.engines.budget import BeyondMemory
from workbench.engines.engine_words import without_values

_LOST = (
    "ExecutorLostFailure",
    "executor lost",
    "Executor heartbeat timed out",
    "MetadataFetchFailed",
    "FetchFailed",
    "Master removed our application",
    "All masters are unresponsive",
    "Worker lost",
    "No active Spark context",
    "stopped SparkContext",
    "SparkContext was shut down",
    "UNAVAILABLE",
    "Connection refused",
    "failed to connect to all addresses",
    "SESSION_CLOSED",
    "SESSION_NOT_FOUND",
    "Answer from Java side is empty",
    "Error while sending or receiving",
)
_CANCELLED = ("JOB_CANCELLED", "cancelled job group", "OPERATION_CANCELED", "OPERATION_CANCELLED", "was cancelled")
_MEMORY = ("OutOfMemoryError", "UNABLE_TO_ACQUIRE_MEMORY", "Not enough memory", "CANNOT_BROADCAST_TABLE_OVER_MAX")
_RESULT = ("spark.driver.maxResultSize", "is bigger than spark.driver", "message larger than max")
_DISK = ("No space left on device", "Disk quota exceeded")
_MISSING = ("PATH_NOT_FOUND", "FileNotFoundException", "FILE_NOT_EXIST", "does not exist. It is possible", "NoSuchFile")
_DENIED = ("AccessControlException", "AccessDenied", "Permission denied", "Mkdirs failed", "403 Forbidden")
_JAVA = r"(?:[a-z]\w*\.)+([A-Z]\w*(?:Exception|Error))"
_CLASS = re.compile(rf"(?:Caused by: )?(?:{_JAVA}:\s*)?\[([A-Z][A-Z0-9_.]+)\]\s*(.*?)(?:\s*SQLSTATE: \w+)?$")
_OF_JAVA = re.compile(rf"{_JAVA}(?::\s*|$)")
_CALLING = "An error occurred while calling"


def explained(error: BaseException) -> BaseException:
    """Error to raise in place of one of Spark; other errors are returned as they are."""
    if not _is_from_spark(error):
        return error
    text = str(error)

    def says(words: tuple[str, ...]) -> bool:
        return any(word in text for word in words)

    if says(_CANCELLED):
        return Cancelled()
    if says(_RESULT):
        return BeyondMemory(
            "What Spark was to bring here is more than it may bring at once.",
            hint="Let fewer rows or columns take part, or raise spark.driver.maxResultSize in Spark's own settings.",
            field="memory",
        )
    if says(_DISK):
        return WorkbenchError(
            "Spark has no room left on a disk for what it keeps.",
            hint="Make room in the folder SPARK_LOCAL_DIRS names (by default the one for temporary files), or name "
            "another one there.",
            field="memory",
        )
    if says(_MEMORY):
        return BeyondMemory(
            "Spark ran out of memory.",
            hint="Give its executors more memory, or let fewer rows or columns take part.",
            field="memory",
        )
    if says(_MISSING):
        return WorkbenchError(
            f"Spark finds no such file{_named(text)}.",
            hint="On a cluster every worker must see the files under the same path, on a shared disk or a store such "
            "as hdfs:// or s3a://. If a file was changed since it was opened, open it again.",
            field="path",
        )
    if says(_DENIED):
        return WorkbenchError(
            "Spark may not read or write there.",
            hint="Its workers need permission for the folder, which must be the same one on all of them.",
            field="path",
        )
    if says(_LOST):
        return WorkbenchError(
            "Spark stopped answering, or lost the workers that held the data.",
            hint="Check that the cluster runs, then open the data again.",
            field="engine",
        )
    return WorkbenchError(
        f"Spark could not carry this out: {_sentence(error, text)}",
        hint="If the file is all right, please report this, with the settings but without the data.",
        field="data",
    )


def _is_from_spark(error: BaseException) -> bool:
    return type(error).__module__.partition(".")[0] in ("pyspark", "py4j", "grpc")


def _named(text: str) -> str:
    found = re.search(r"(?:Path does not exist|File) ?:? ?(?:file:)?(\S+?)[.,]?(?:\s|$)", text)
    return f": “{found[1]}”" if found and "/" in found[1] else ""


def _sentence(error: BaseException, text: str) -> str:
    """The class of the error, and how the first line begins if that is known."""
    condition: Any = getattr(error, "getCondition", None)
    name = condition() if callable(condition) else None
    lines = [one for one in map(str.strip, text.splitlines()) if one]
    # A value may look like a condition, but hardly where a line begins.
    found = next((one for one in map(_CLASS.match, lines) if one is not None), None)
    if found is not None:
        return f"{without_values(name or found[2], found[3])}."
    line = next((one for one in lines if not one.startswith(("at ", "Caused by", _CALLING))), "")
    java = _OF_JAVA.match(line)
    return f"{without_values(name or (java[1] if java else ''), line[java.end() :] if java else line)}."
