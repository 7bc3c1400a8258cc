"""What the commands say about where the data is worked on."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from workbench.engines.budget import MemoryBudget
from workbench.engines.choice import EngineChoice, size_of
from workbench.engines.store import Store

_DEST = "data_engine"


def add_engine(parser: argparse.ArgumentParser, flag: str = "--engine") -> None:
    """Options that choose the engine."""
    parser.add_argument(
        flag,
        dest=_DEST,
        default="",
        metavar="ENGINE",
        help="where the data is worked on: memory (default), duckdb, or a Spark: spark://host:7077, sc://host:15002, "
        "local[2]",
    )
    parser.add_argument(
        "--memory-budget", default="", metavar="SIZE", help="how much data may be brought into memory, such as 800MB"
    )


def store_of(options: argparse.Namespace, otherwise: str = "") -> Store | None:
    """The engine the options name, started; None for memory.

    Parameters
    ----------
    otherwise
        The engine where the options name none, as a project does.
    """
    budget = MemoryBudget(size_of(options.memory_budget) if options.memory_budget else None)
    return EngineChoice(getattr(options, _DEST) or otherwise or "memory").start(budget)


def add_data(parser: argparse.ArgumentParser) -> None:
    """The argument that names the data."""
    parser.add_argument(
        "file",
        type=data_path,
        metavar="FILE_OR_PATTERN",
        help="a file, a folder of parts, or a pattern such as 'parts/*.csv'",
    )


@contextmanager
def engine_at_work(options: argparse.Namespace, otherwise: str = "") -> Iterator[Store | None]:
    """The engine the options name while it is needed; None for memory. Otherwise as `store_of`."""
    store = store_of(options, otherwise)
    try:
        yield store
    finally:
        if store is not None:
            store.close()


def data_path(text: str) -> Path:
    """A file, a folder of parts, or a pattern."""
    return Path(text).expanduser()
