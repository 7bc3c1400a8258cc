"""A release by trimming in one step, and what its reader would answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.evaluate.method import Answerer, Approach, Method
from workbench.evaluate.released_groups import (
    DELTA,
    HIERARCHY,
    LEVEL,
    OTHERS,
    delta_of,
    groups_of,
    levels_of,
    problem_of,
)
from workbench.evaluate.subject import EncodedColumn
from workbench.evaluate.trimmed_release import TrimmedRelease


def prepare(subject: EncodedColumn, epsilon: float, users: int, values: Mapping[str, Any]) -> Answerer:
    promised = TrimGuarantee(epsilon, delta_of(values["delta"], users), subject.rows_per_person)
    return TrimmedRelease(promised, [groups_of(subject, levels_of(subject, values))])


def named(values: Mapping[str, Any]) -> str:
    """Such as “Trimmed, level 2”."""
    hierarchy = f" ({values['hierarchy']})" if values["hierarchy"].strip() else ""
    return f"Trimmed, level {values['level']}{hierarchy}"


PLUGIN = Method(
    "trimmed",
    "Trimmed release",
    "Rows are generalised, and each group of alike rows gives up a random number of them; a reader adds its mean.",
    "D. Desfontaines, J. Voss, B. Gipson, C. Mandayam: Differentially private partition selection, 2022.",
    Approach.ANONYMISED,
    (LEVEL, DELTA, HIERARCHY, OTHERS),
    problem_of,
    prepare,
    named,
    uses_hierarchies=True,
)
