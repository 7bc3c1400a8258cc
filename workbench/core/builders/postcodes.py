"""Postcodes of the United Kingdom, by the parts they are made of: unit, sector, district, area."""

from __future__ import annotations

from typing import Any

import numpy as np

from workbench.core.building import Builder, BuilderSettings, BuilderValues, Level, Levels, ProvenanceAssessment
from workbench.core.hierarchy import ANY, Provenance
from workbench.core.params import ParamSpec, ParamType
from workbench.core.postcodes import LEVELS, UK_POSTCODE, coarser, names_postcodes, tidied
from workbench.core.schema import ColumnSpec


def _build(settings: BuilderSettings, material: BuilderValues) -> Levels:
    found = [(place, code) for place in material.present.tolist() if (code := tidied(material.values[place]))]
    covered = np.array([place for place, _ in found], dtype=np.intp)
    labels, codes = [code for _, code in found], np.arange(len(found), dtype=np.int32)
    made: list[Level] = []
    for level in range(LEVELS.index(settings["finest"]), len(LEVELS)):
        index: dict[str, int] = {}
        fresh = [index.setdefault(coarser(label, level), len(index)) for label in labels]
        codes, labels = np.array(fresh, dtype=np.int32)[codes] if fresh else codes, list(index)
        made.append((codes, labels))
    return Levels(covered, made)


def _assess(settings: BuilderSettings, column: ColumnSpec) -> ProvenanceAssessment:
    others = f"becomes {ANY}" if settings["unlisted"] == "any" else "is left out and named"
    return ProvenanceAssessment(
        Provenance.PUBLIC,
        f"UK postcodes by their parts, in capitals with one space; what has not the form of one {others}. The rule "
        "needs no list of values.",
    )


def _suggest(column: ColumnSpec) -> tuple[dict[str, Any], dict[str, Any]]:
    return {"unlisted": "any"}, {}


def _suits(column: ColumnSpec) -> int:
    """Best where values are written so; where only the name says it, they may be another country's."""
    if column.kind.numeric or column.kind.temporal:
        return 0
    return 4 if column.format.pattern == UK_POSTCODE else 3 * names_postcodes(column.name)


PLUGIN = Builder(
    identifier="postcodes",
    title="UK postcodes",
    help="By their parts: LS1 4AP, LS1 4, LS1, LS. ls14ap is LS1 4AP too.",
    parameters=(
        ParamSpec(
            "finest",
            "Level 1",
            ParamType.CHOICE,
            "unit",
            "What a postcode becomes first; the coarser parts follow. A unit is about fifteen addresses.",
            choices=(
                ("unit", "unit, such as LS1 4AP"),
                ("sector", "sector, such as LS1 4"),
                ("district", "district, such as LS1"),
                ("area", "area, such as LS"),
            ),
        ),
    ),
    details=(),
    build=_build,
    assess=_assess,
    suggest=_suggest,
    suits=_suits,
)
