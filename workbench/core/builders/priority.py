"""The most important values stay, the rest becomes one group."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.building import (
    NOT_DECLARED,
    Builder,
    BuilderSettings,
    BuilderValues,
    Level,
    Levels,
    ProvenanceAssessment,
)
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Provenance
from workbench.core.params import ParamSpec, ParamType
from workbench.core.schema import ColumnSpec
from workbench.core.value_orders import distinct_or_refuse


def _build(settings: BuilderSettings, material: BuilderValues) -> Levels:
    keeps = _keeps(settings)
    if settings["by"] == "frequency":
        ranked = _by_frequency(material)
    else:
        index = {value: position for position, value in enumerate(material.values)}
        ranked = np.array([index[value] for value in _values(settings)], dtype=np.intp)
    first = np.zeros(len(material.values), dtype=np.bool_)
    first[ranked] = True
    rest = material.present[~first[material.present]]
    covered = np.concatenate([ranked, rest])
    values = [material.values[i] for i in ranked.tolist()]
    made: list[Level] = []
    for keep in keeps:
        kept = min(keep, len(ranked))
        codes = np.minimum(np.arange(len(covered)), kept)
        made.append((codes, [*values[:kept], settings["other"]]))
    return Levels(covered, made)


def _by_frequency(material: BuilderValues) -> NDArray[np.intp]:
    if material.counts is None:
        raise WorkbenchError(
            "The rows of each value are not known, so none is the most frequent.",
            hint="Build it with the data, or list the values by hand.",
            field="by",
        )
    present = material.present
    names = material.text_ranks("plain")[present]
    ranked: NDArray[np.intp] = present[np.lexsort((names, -material.counts[present]))]
    return ranked


def _keeps(settings: BuilderSettings) -> tuple[int, ...]:
    keeps = settings.details.sizes("keep", 10)
    if any(later >= earlier for earlier, later in itertools.pairwise(keeps)):
        raise WorkbenchError(
            "A level keeps as many values as the one before or more.",
            hint="Keep fewer values at every further level, such as 20, 10, 5.",
            field="keep",
        )
    return keeps


def _values(settings: BuilderSettings) -> tuple[str, ...]:
    values = settings.details.texts("values")
    if not values:
        raise WorkbenchError("No value is listed to be kept.", hint="List the important values.", field="values")
    distinct_or_refuse(values, "The list of values to keep")
    return values


def _listed(settings: BuilderSettings, column: ColumnSpec) -> Sequence[str]:
    return (*(_values(settings) if settings["by"] == "hand" else ()), *(column.domain or ()))


def _assess(settings: BuilderSettings, column: ColumnSpec) -> ProvenanceAssessment:
    keeps = ", ".join(f"{keep:,}" for keep in _keeps(settings))
    if settings["by"] == "frequency":
        return ProvenanceAssessment(
            Provenance.DERIVED,
            f"The most frequent values of the data are kept ({keeps}), the others become “{settings['other']}”.",
            "It becomes public if you list the values to keep from public knowledge.",
        )
    if settings["declared"]:
        return ProvenanceAssessment(
            Provenance.PUBLIC,
            f"Values listed without the data are kept ({keeps}), all others become “{settings['other']}”.",
        )
    return ProvenanceAssessment(
        Provenance.DERIVED,
        f"Values listed by hand are kept ({keeps}), the others become “{settings['other']}”; {NOT_DECLARED}",
        "It becomes public if the list was fixed without looking at the data, and you say so.",
    )


def _suggest(column: ColumnSpec) -> tuple[dict[str, Any], dict[str, Any]]:
    if column.domain:
        return {"by": "hand", "declared": True}, {"values": list(column.domain), "keep": [10]}
    return {"by": "frequency"}, {"keep": [10]}


PLUGIN = Builder(
    identifier="priority",
    title="Priority",
    help="The top values stay, the rest becomes “other”.",
    parameters=(
        ParamSpec(
            "by",
            "Kept are",
            ParamType.CHOICE,
            "hand",
            "The most frequent values are data-derived; a list from public knowledge is public.",
            choices=(("hand", "the values listed, in their order"), ("frequency", "the most frequent values")),
        ),
        ParamSpec("other", "The rest becomes", ParamType.TEXT, "other", "The label of all values that are not kept."),
        ParamSpec(
            "declared",
            "Fixed without the data",
            ParamType.SWITCH,
            False,
            "Say yes only if the list was fixed without looking at which values occur.",
        ),
    ),
    details=("values", "keep"),
    build=_build,
    assess=_assess,
    suggest=_suggest,
    listed=_listed,
)
