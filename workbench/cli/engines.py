"""Options for the engine in which data is worked on."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from workbench.cli.command_output import progress
from workbench.cli.files import data_path
from workbench.core.errors import WorkbenchError
from workbench.engines.budget import MemoryBudget
from workbench.engines.choice import DUCKDB, MEMORY, EngineChoice, size_of
from workbench.engines.store import Store
from workbench.io.parts import form_of_parts, is_there, parts_of

# Where argparse keeps the name.
ENGINE = "data_engine"


def add_engine(parser: argparse.ArgumentParser, action: str | type[argparse.Action] = "store") -> None:
    """Options that choose the engine; `action` takes its name where a command accepts other words there too."""
    parser.add_argument(
        "--engine",
        dest=ENGINE,
        action=action,
        default="",
        metavar="ENGINE",
        help="where the data is worked on: memory (default), duckdb, or a Spark: spark://host:7077, sc://host:15002, "
        "spark-local, local[2]",
    )
    parser.add_argument(
        "--memory-budget",
        default="",
        metavar="SIZE",
        help="how much data an engine may bring into memory, such as 800MB",
    )


def store_of(options: argparse.Namespace, otherwise: str = "") -> Store | None:
    """The engine the options name, started; None for memory.

    Parameters
    ----------
    otherwise
        The engine where the options name none, as a project does.

    Raises
    ------
    WorkbenchError
        If the engine cannot be started; or the project names one that is reached over a network and the options do
        not: a project may come from anybody.
    """
    budget = MemoryBudget(size_of(options.memory_budget) if options.memory_budget else None)
    said = _plain(getattr(options, ENGINE))
    choice = EngineChoice(said or otherwise or MEMORY)
    if choice.remote and not said:
        raise WorkbenchError(
            f"The project works on {choice.title}. Nothing is connected to because a project says so.",
            hint=f"If you trust that host, say --engine {choice.name}; or name another engine, such as duckdb.",
            field="engine",
        )
    if choice.in_memory and options.memory_budget:
        raise WorkbenchError(
            "--memory-budget is for data in an engine; in memory, all of it is read.",
            hint="Name an engine too, such as duckdb, or leave the budget out.",
            field="memory",
        )
    if not choice.in_memory:
        _refuse_absent(options)
    return choice.start(budget, progress().part(0.0, 0.0))


def _refuse_absent(options: argparse.Namespace) -> None:
    """That there is no such file is said before an engine starts, which can take half a minute."""
    for given in (getattr(options, "file", None), getattr(options, "data", None), *getattr(options, "files", ())):
        if given is not None and not is_there(given):
            form_of_parts(given, parts_of(given))


def _plain(name: str) -> str:
    """The name of an engine as it is written, whose own names people also write with capitals."""
    small = name.strip().lower()
    return small if small in (MEMORY, DUCKDB) else name


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
