"""Assertions in notes of versions before, as they were worded, and what they share with those of today."""

from __future__ import annotations

from types import MappingProxyType

from workbench.anonymise.recipe import ReleaseMechanism

MAY_BE_TOLD = "What stands in the file and in this statement may be told."
KNOWN_AT_FIRST = (
    "The headings are names of columns; and of each column the kind, how its numbers and dates are written, and which "
    "texts stand for a missing value were known without this data."
)
TOLD_AT_FIRST = MappingProxyType(
    {
        ReleaseMechanism.SAMPLE: "Nobody is told how many rows were dropped, or who was sampled.",
        ReleaseMechanism.TRIM: "Nobody is told how many rows a group gave up, or how many there are in the table.",
    }
)
TOLD = MappingProxyType(
    {
        ReleaseMechanism.SAMPLE: "Nobody is told how many rows were dropped, or who was sampled; what stands in the "
        "file and in this statement may be told.",
        ReleaseMechanism.TRIM: "Nobody is told how many rows a group gave up, or how many there are in the table; what "
        "stands in the file and in this statement may be told.",
    }
)
GIVEN_UP_BEFORE = MappingProxyType(
    {
        ReleaseMechanism.SAMPLE: "Nobody is told how many rows were dropped, who was sampled, or how many rows some "
        "part of the table has; what stands in the file and in this statement may be told.",
        ReleaseMechanism.TRIM: "Nobody is told how many rows a group gave up, or how many it or another part of the "
        "table has; what stands in the file and in this statement may be told.",
    }
)
HAS_OR_GAVE_UP = f"Nobody is told how many rows a group, or another part of the table, has or gave up. {MAY_BE_TOLD}"
"""The same of trimming in notes up to version 31."""
