"""One package per workspace: the rooms the rail leads to, as data, so that none is loaded before it is needed."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication


@dataclass(frozen=True)
class Room:
    """One workspace: its key, its icon, its name on the rail, what it is for, and where its class is."""

    key: str
    icon: str
    title: object  # what QT_TRANSLATE_NOOP gives back, which is the text itself
    purpose: object
    class_name: str

    def name(self) -> str:
        return QCoreApplication.translate("Rooms", str(self.title))

    def about(self) -> str:
        return QCoreApplication.translate("Rooms", str(self.purpose))

    def load(self) -> Any:
        """The class of the workspace; imports it the first time."""
        return getattr(import_module(f"{__name__}.{self.key}"), self.class_name)


ROOMS = (
    Room(
        "data",
        "data",
        QT_TRANSLATE_NOOP("Rooms", "Data"),
        QT_TRANSLATE_NOOP("Rooms", "Open a table and say what its columns mean"),
        "DataWorkspace",
    ),
    Room(
        "hierarchies",
        "hierarchies",
        QT_TRANSLATE_NOOP("Rooms", "Hierarchies"),
        QT_TRANSLATE_NOOP("Rooms", "Say how the values of a column become coarser"),
        "HierarchiesWorkspace",
    ),
    Room(
        "anonymise",
        "anonymise",
        QT_TRANSLATE_NOOP("Rooms", "Anonymise"),
        QT_TRANSLATE_NOOP("Rooms", "Choose the promise and the levels, run, and see what it costs"),
        "AnonymiseWorkspace",
    ),
    Room(
        "query",
        "query",
        QT_TRANSLATE_NOOP("Rooms", "Query"),
        QT_TRANSLATE_NOOP("Rooms", "Ask questions with differential privacy, and see what each one costs"),
        "QueryWorkspace",
    ),
    Room(
        "collect",
        "collect",
        QT_TRANSLATE_NOOP("Rooms", "Collect"),
        QT_TRANSLATE_NOOP("Rooms", "Plan a survey in which everybody adds noise to their own answer"),
        "CollectWorkspace",
    ),
    Room(
        "compare",
        "compare",
        QT_TRANSLATE_NOOP("Rooms", "Compare"),
        QT_TRANSLATE_NOOP("Rooms", "See what each approach costs in accuracy, on one question and one chart"),
        "CompareWorkspace",
    ),
    Room(
        "mechanisms",
        "mechanisms",
        QT_TRANSLATE_NOOP("Rooms", "Mechanisms"),
        QT_TRANSLATE_NOOP("Rooms", "See the exact ε of any mechanism, and what shows it"),
        "MechanismsWorkspace",
    ),
    Room(
        "release",
        "release",
        QT_TRANSLATE_NOOP("Rooms", "Release"),
        QT_TRANSLATE_NOOP("Rooms", "What may be claimed, what is still open, and the file itself"),
        "ReleaseWorkspace",
    ),
)
