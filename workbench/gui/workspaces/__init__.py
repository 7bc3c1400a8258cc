"""One package per workspace: the rooms the rail leads to, as data, so that none is loaded before it is needed."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from workbench.core.importing import import_some


@dataclass(frozen=True)
class WorkspaceEntry:
    """One workspace: its group, key and icon, its name on the rail, what it is for, and where its class is."""

    group: str
    key: str
    icon: str
    title: str
    purpose: str
    class_name: str

    def name(self) -> str:
        return self.title

    def about(self) -> str:
        return self.purpose

    @property
    def loaded(self) -> bool:
        """Whether its modules were imported before."""
        return f"{__name__}.{self.key}" in sys.modules

    def load(self) -> Any:
        """The class of the workspace; imports it the first time."""
        return getattr(import_module(f"{__name__}.{self.key}"), self.class_name)

    def load_some(self) -> bool:
        """Import some of its modules; whether all of them are there now."""
        return import_some(f"{__name__}.{self.key}")


ROOMS = (
    WorkspaceEntry(
        "Table",
        "data",
        "data",
        "Data",
        "Open a table and say what its columns mean",
        "DataWorkspace",
    ),
    WorkspaceEntry(
        "Publish",
        "hierarchies",
        "hierarchies",
        "Hierarchies",
        "Say how the values of a column become coarser",
        "HierarchiesWorkspace",
    ),
    WorkspaceEntry(
        "Publish",
        "anonymise",
        "anonymise",
        "Anonymise",
        "Choose the promise and the levels, run, and see what it costs",
        "AnonymiseWorkspace",
    ),
    WorkspaceEntry(
        "Publish",
        "release",
        "release",
        "Release",
        "What may be claimed, what is still open, and the file itself",
        "ReleaseWorkspace",
    ),
    WorkspaceEntry(
        "Ask",
        "query",
        "query",
        "Query",
        "Ask questions with differential privacy, and see what each one costs",
        "QueryWorkspace",
    ),
    WorkspaceEntry(
        "Survey",
        "collect",
        "collect",
        "Collect",
        "Plan a survey in which everybody adds noise to their own answer",
        "CollectWorkspace",
    ),
    WorkspaceEntry(
        "Study",
        "compare",
        "compare",
        "Compare",
        "See what each approach costs in accuracy, on one question and one chart",
        "CompareWorkspace",
    ),
    WorkspaceEntry(
        "Study",
        "mechanisms",
        "mechanisms",
        "Mechanisms",
        "See the exact ε of any mechanism, and what shows it",
        "MechanismsWorkspace",
    ),
)
"""In the order of the rail, which `Ctrl+1` to `Ctrl+8` follow: what belongs to one wish stands in one group."""
