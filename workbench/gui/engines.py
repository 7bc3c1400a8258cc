"""The engines a window works with, and how much of their data may be brought into memory."""

from __future__ import annotations

import threading
from importlib.util import find_spec
from weakref import WeakValueDictionary

from PySide6.QtCore import QObject, Signal

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Table
from workbench.engines.budget import LEAST, MemoryBudget, in_words, usual_limit
from workbench.engines.choice import DUCKDB, MEMORY, EngineChoice
from workbench.engines.store import Store
from workbench.gui.settings import WindowSettings
from workbench.io.missing_package import install_command

_BUDGET = "memory_budget"
_SPARK = "spark"


class Engines(QObject):
    """Starts engines, shares one that is at work already, and ends all of them.

    How much memory data may take belongs to the machine, so it is kept with the window's settings; which engine data
    is in belongs to the project. An engine lives as long as data in it is in use.

    Parameters
    ----------
    settings
        Where the memory budget and the last Spark are remembered; nowhere if not given.

    Signals
    -------
    limit_changed()
        Another amount of data may be in memory.
    """

    limit_changed = Signal()

    def __init__(self, settings: WindowSettings | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        stored = settings.value(_BUDGET) if settings is not None else None
        valid = isinstance(stored, int) and stored >= LEAST
        self.budget = MemoryBudget(stored if valid else usual_limit())
        self.wanted = EngineChoice()
        """Where the person wants the next data to be; memory means wherever it is best."""
        self._working: WeakValueDictionary[str, Store] = WeakValueDictionary()
        self._lock = threading.Lock()

    def start(self, choice: EngineChoice, progress: Progress = SILENT) -> Store | None:
        """The engine at work, on any thread; None for memory, which needs none.

        Raises
        ------
        WorkbenchError
            If its package is not installed, or it cannot be reached.
        """
        if choice.in_memory:
            return None
        with self._lock:
            store = self._working.get(choice.name)
            if store is None or store.closed:
                progress(0.0, f"Starting {choice.title}")
                store = choice.start(self.budget, progress)
                assert store is not None
                self._working[choice.name] = store
            return store

    @property
    def limit(self) -> int:
        """Bytes of data that may be brought into memory."""
        return self.budget.limit

    def keep_to(self, limit: int, _progress: Progress = SILENT) -> None:
        """Let engines at work keep to another limit from now on; on any thread, for it may take its time.

        Raises
        ------
        WorkbenchError
            If an engine holds more than that and cannot let it go.
        """
        before, self.budget.limit = self.budget.limit, max(limit, LEAST)
        try:
            for store in list(self._working.values()):
                store.keep_to_budget()
        except WorkbenchError:
            self.budget.limit = before
            raise

    def remember_limit(self) -> None:
        """Keep the limit for the next start, and tell everybody."""
        if self._settings is not None:
            self._settings.set_value(_BUDGET, self.budget.limit)
        self.limit_changed.emit()

    @property
    def spark(self) -> str:
        """The Spark that was used last; "" if none was."""
        stored = self._settings.value(_SPARK, "") if self._settings is not None else ""
        try:
            return stored if isinstance(stored, str) and stored and EngineChoice(stored).spark else ""
        except WorkbenchError:
            return ""

    def remember(self, choice: EngineChoice) -> None:
        """Offer this Spark again the next time."""
        if choice.spark and self._settings is not None:
            self._settings.set_value(_SPARK, choice.name)

    def proposed(self, size: int) -> EngineChoice:
        """Where data of so many bytes is best worked on, unless the person wants the next data somewhere."""
        if not self.wanted.in_memory:
            return self.wanted
        return EngineChoice(DUCKDB if size > self.limit else MEMORY)

    def close(self) -> None:
        """End all engines and remove what they kept."""
        with self._lock:
            stores = list(self._working.values())
            self._working.clear()
        for store in stores:
            store.close()


def first_values(table: Table, name: str, most: int) -> list[str]:
    """The first different values of a column, for an impression; none where an engine does not list them."""
    return list(table[name].values[:most]) if table.lists(name) else []


def unlisted(table: Table, name: str) -> str:
    """Why the different values of a column are not to be had, and what to do about it; "" if they are."""
    if table.lists(name) or name not in table:
        return ""
    try:
        _ = table[name].values
    except WorkbenchError as error:
        return str(error)
    return ""


def missing_package(choice: EngineChoice) -> str:
    """Message for an engine that is not installed, with the command that installs it; "" if it is."""
    extra, packages = ("spark", ("pyspark", "pyarrow")) if choice.spark else ("scale", ("duckdb", "pyarrow"))
    if choice.in_memory or all(find_spec(package) is not None for package in packages):
        return ""
    return "{engine} is not installed. Install it with the command: {command}".format(
        engine="Spark" if choice.spark else choice.title, command=install_command(extra)
    )


def too_large(size: int, limit: int, *, parts: bool = False) -> str:
    """Message about data that is larger than what may be used."""
    words = (
        "These files hold {size}, more than the {limit} that may be used."
        if parts
        else "This file is {size}, more than the {limit} that may be used."
    )
    return words.format(size=in_words(size), limit=in_words(limit))
