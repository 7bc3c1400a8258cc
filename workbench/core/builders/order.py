"""Values in an order, and neighbours joined: groups of n, or runs of any length."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
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
from workbench.core.level_functions import (
    LABEL_ENTRIES,
    LevelFunction,
    LevelLabel,
    Members,
    Write,
    labels_of,
    plain_numbers,
)
from workbench.core.moments import writer
from workbench.core.number_text import counted
from workbench.core.params import ParamSpec, ParamType
from workbench.core.schema import ColumnSpec, Kind
from workbench.core.value_orders import distinct_or_refuse, runs

_WORDS = {
    "natural": "in natural order",
    "number": "by size",
    "date": "by date",
    "locale": "alphabetically",
    "frequency": "by frequency",
    "custom": "in an order of one's own",
}
_LEVEL_1 = LevelFunction.INTERVAL


def _build(settings: BuilderSettings, material: BuilderValues) -> Levels:
    steps = _steps(settings)
    covered, units = _ordered(settings, material)
    if settings["descending"] and settings["order"] != "custom":
        covered, units = covered[::-1], (units[-1] - units[::-1] if len(units) else units)
    texts = [material.values[i] for i in covered.tolist()]
    members = Members(texts, _numbers(settings, material, covered), _writer(settings, material.column))
    made: list[Level] = []
    groups = units
    for sizes, how in steps:
        count = int(groups[-1]) + 1 if len(groups) else 0
        groups = runs(count, sizes)[groups]
        starts = np.flatnonzero(np.r_[True, groups[1:] != groups[:-1]][: len(groups)])
        made.append((groups, labels_of(how, members, starts) if len(starts) else []))
    return Levels(covered, made)


def _ordered(settings: BuilderSettings, material: BuilderValues) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """Positions of the values in order, and for each the place of its unit: values that are equal share one."""
    order = settings["order"]
    if order in ("number", "date"):
        covered = _only_declared(settings, material, material.by_number)
        numbers = material.numbers[covered]
        if len(numbers) and bool((numbers[1:] == numbers[:-1]).any()):
            # Texts of the same number stand in an order of their own, not in that of the data.
            covered = covered[np.lexsort((material.text_ranks("plain")[covered], numbers))]
        return covered, np.cumsum(np.r_[False, numbers[1:] != numbers[:-1]][: len(numbers)])
    if order == "custom":
        index = {value: position for position, value in enumerate(material.values)}
        covered = np.array([index[value] for value in _sequence(settings)], dtype=np.intp)
        return covered, np.arange(len(covered), dtype=np.int64)
    present = _only_declared(settings, material, material.present)
    ranks = material.text_ranks("plain" if order == "frequency" else order)[present]
    keys = (ranks, -_counts(material)[present]) if order == "frequency" else (ranks,)
    return present[np.lexsort(keys)], np.arange(len(present), dtype=np.int64)


def _only_declared(settings: BuilderSettings, material: BuilderValues, positions: NDArray[np.intp]) -> NDArray[np.intp]:
    """With a declared domain only its values are grouped, lest others shift the groups."""
    domain = material.column.domain
    if domain is None or settings["order"] == "frequency":
        return positions
    known = frozenset(domain)
    kept = np.fromiter((material.values[i] in known for i in positions.tolist()), np.bool_, len(positions))
    return positions[kept]


def _counts(material: BuilderValues) -> NDArray[np.int64]:
    if material.counts is None:
        raise WorkbenchError(
            "The rows of each value are not known, so there is no order by frequency.",
            hint="Build it with the data, or choose another order.",
            field="order",
        )
    return material.counts


def _numbers(
    settings: BuilderSettings, material: BuilderValues, covered: NDArray[np.intp]
) -> NDArray[np.float64] | None:
    if material.column.kind.temporal and settings["order"] not in ("date", "number"):
        return None
    return material.numbers[covered]


def _writer(settings: BuilderSettings, column: ColumnSpec) -> Write:
    if column.kind.temporal:
        scale = 86400.0 if column.kind is Kind.DATE else 1.0
        write = writer(column.format.pattern)
        return lambda numbers, decimals: [write(round(number) * scale) for number in numbers.tolist()]
    mark = column.format.decimal_mark if column.kind.numeric else "."
    return partial(plain_numbers, mark=mark)


def _sequence(settings: BuilderSettings) -> tuple[str, ...]:
    values = settings.details.texts("sequence")
    if not values:
        raise WorkbenchError(
            "The custom order lists no value.", hint="List the values in their order.", field="sequence"
        )
    distinct_or_refuse(values, "The custom order")
    return values


def _steps(settings: BuilderSettings) -> list[tuple[tuple[int, ...], LevelLabel]]:
    found = []
    for entry in settings.details.entries("levels", "level"):
        entry.only("group", *LABEL_ENTRIES)
        found.append((entry.sizes("group", 2), LevelLabel.read(entry, _LEVEL_1)))
    return found or [((2,), LevelLabel(_LEVEL_1))]


def _listed(settings: BuilderSettings, column: ColumnSpec) -> Sequence[str]:
    return _sequence(settings) if settings["order"] == "custom" else column.domain or ()


def _assess(settings: BuilderSettings, column: ColumnSpec) -> ProvenanceAssessment:
    order = settings["order"]
    steps = _steps(settings)
    levels = counted(len(steps) + settings["top"], "level")
    if order == "custom":
        count = f"{len(_sequence(settings)):,} values"
        if settings["declared"]:
            return ProvenanceAssessment(
                Provenance.PUBLIC, f"A list of {count} fixed without the data, neighbours joined; {levels}."
            )
        return ProvenanceAssessment(
            Provenance.DERIVED,
            f"{count.capitalize()} put in order by hand, neighbours joined; {levels}; {NOT_DECLARED}",
            "It becomes public if the list was fixed without looking at the data, and you say so.",
        )
    described = f"{_WORDS[order]}{', falling' if settings['descending'] else ''}"
    if order == "frequency":
        return ProvenanceAssessment(
            Provenance.DERIVED,
            f"The values of the data sorted {described}, neighbours joined; {levels}.",
            "Choose an order that does not depend on how often values occur, over a declared domain.",
        )
    if column.domain is not None:
        return ProvenanceAssessment(
            Provenance.PUBLIC, f"The declared domain sorted {described}, neighbours joined; {levels}."
        )
    figures = "".join(sorted({f", labelled by {how.function.value}" for _, how in steps}))
    return ProvenanceAssessment(
        Provenance.DERIVED,
        f"The distinct values of the data sorted {described}, neighbours joined{figures}; {levels}.",
        "Which values are neighbours depends on which occur. Declare the column's domain, as “Public "
        "values” in Data, or use fixed intervals.",
    )


def _suggest(column: ColumnSpec) -> tuple[dict[str, Any], dict[str, Any]]:
    order = "natural"
    if column.kind.numeric:
        order = "number"
    elif column.kind.temporal:
        order = "date"
    elif column.kind is Kind.ORDERED and column.domain is not None:
        return {"order": "custom", "declared": True}, {
            "sequence": list(column.domain),
            "levels": [{"group": 2, "function": _LEVEL_1.value}],
        }
    return {"order": order}, {"levels": [{"group": 2, "function": _LEVEL_1.value} for _ in range(3)]}


def _suits(column: ColumnSpec) -> int:
    """Best for declared orders; for numbers and dates after what is made for them."""
    if column.kind is Kind.ORDERED:
        return 2
    return int(column.kind.numeric or column.kind.temporal)


PLUGIN = Builder(
    identifier="order",
    title="Order and group",
    help="Values in an order, neighbours joined: pairs, tens, any runs.",
    parameters=(
        ParamSpec(
            "order",
            "Order",
            ParamType.CHOICE,
            "natural",
            "What comes after what. An order by frequency is always data-derived.",
            choices=(
                ("natural", "natural: a2 before a10"),
                ("number", "numbers by size"),
                ("date", "dates"),
                ("locale", "alphabetical, accents aside"),
                ("frequency", "most frequent first"),
                ("custom", "as listed"),
            ),
        ),
        ParamSpec("descending", "Falling", ParamType.SWITCH, False, "Largest, latest or rarest first."),
        ParamSpec(
            "declared",
            "Fixed without the data",
            ParamType.SWITCH,
            False,
            "Say yes only if the listed order was fixed without looking at which values occur.",
        ),
    ),
    details=("sequence", "levels"),
    build=_build,
    assess=_assess,
    suggest=_suggest,
    listed=_listed,
    suits=_suits,
)
