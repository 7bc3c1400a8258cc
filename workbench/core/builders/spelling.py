"""Values that differ in upper and lower case or in spaces only become one.

Which of several spellings occurs, or is the usual one, follows from the rows. So the rule looks at each value alone:
letters are kept, unless the person has them all written small, or all in capitals, so that spellings are joined. Of a
public list of words each value that differs from one in case or spaces only is written as that word.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from workbench.core.building import Builder, BuilderSettings, BuilderValues, Levels, ProvenanceAssessment
from workbench.core.hierarchy import Provenance
from workbench.core.params import ParamSpec, ParamType
from workbench.core.schema import ColumnSpec, Kind
from workbench.core.spelling import as_written, in_lower_case, in_upper_case

_WAYS: dict[str, Callable[[str], str]] = {"lower": in_lower_case, "upper": in_upper_case, "kept": as_written}


def _build(settings: BuilderSettings, material: BuilderValues) -> Levels:
    covered = material.present
    spell, listed = _WAYS[settings["letters"]], settings.once(_listed)
    index: dict[str, int] = {}
    words = (as_written(material.values[i]) for i in covered.tolist())
    spelt = [index.setdefault(spell(listed.get(word.lower(), word)), len(index)) for word in words]
    return Levels(covered, [(np.array(spelt, dtype=np.int32), list(index))])


def _listed(settings: BuilderSettings) -> dict[str, str]:
    """How words of the list are written, by their lower case; not those listed in two ways. Maße is not Masse."""
    found: dict[str, set[str]] = {}
    for word in map(as_written, settings.details.texts("listed")):
        found.setdefault(word.lower(), set()).add(word)
    return {letters: words.pop() for letters, words in found.items() if len(words) == 1}


def _assess(settings: BuilderSettings, column: ColumnSpec) -> ProvenanceAssessment:
    letters = settings["letters"]
    if letters == "kept" and settings.once(_listed):
        words = "Every value as the list of the rule spells it, or else as it is written, without spaces around it."
        return ProvenanceAssessment(Provenance.PUBLIC, words)
    how = "as it is written" if letters == "kept" else f"in {letters} case"
    return ProvenanceAssessment(
        Provenance.PUBLIC, f"Every value {how}, without spaces around it; the rule needs no list of values."
    )


def _suggest(column: ColumnSpec) -> tuple[dict[str, Any], dict[str, Any]]:
    return {"letters": "kept"}, {}  # “<=50K” stays what it is until somebody wants spellings joined


PLUGIN = Builder(
    identifier="spelling",
    title="Spelling",
    help="Cook, COOK and cook are one value where letters are all small or all capitals, then *.",
    parameters=(
        ParamSpec(
            "letters",
            "Letters",
            ParamType.CHOICE,
            "lower",
            "In which letters values are written above level 0; spaces around them go, and several become one. "
            "Lower or upper case joins spellings.",
            choices=(("kept", "as written"), ("lower", "lower case"), ("upper", "upper case")),
        ),
    ),
    details=("listed",),
    build=_build,
    assess=_assess,
    suggest=_suggest,
    suits=lambda column: int(column.kind is Kind.CATEGORY),
)
