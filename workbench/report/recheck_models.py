"""Privacy models recomputed from what stands in a file, by counting and by their definitions.

Nothing here is shared with the code that makes releases: plain dictionaries, one class at a time. A mistake there is
not repeated here.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from workbench.anonymise.privacy import ModelChoice
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.number_text import file_text

Labels: TypeAlias = tuple[str, ...]

_SLACK = 1e-9
"""Relative; a value that equals its limit on paper holds, however the computer rounds."""


@dataclass(frozen=True)
class SensitiveReference:
    """The distribution of the sensitive values of the whole table.

    Parameters
    ----------
    counts
        Rows with each value; values of the table that none of these rows has count 0.
    source
        Where that is known from, in words.
    public
        Whether it is known from the file itself, so that what is computed with it may be published with it.
    """

    counts: Mapping[str, int]
    source: str
    public: bool = False


@dataclass(frozen=True)
class Evidence:
    """The file as it was counted, and what it is compared with.

    Parameters
    ----------
    sizes
        Rows of each class, by its labels.
    values
        For each sensitive column, the rows of each class with each of its values.
    references
        For each sensitive column, how it is distributed in the table.
    population
        People of the population who share the labels of each class; None if the original is not there.
    table_rows
        Rows of the table the file was made from; None if the original is not there.
    hierarchies
        Of sensitive columns.
    """

    sizes: Mapping[Labels, int]
    values: Mapping[str, Mapping[Labels, Counter[str]]] = field(default_factory=dict)
    references: Mapping[str, SensitiveReference] = field(default_factory=dict)
    population: Mapping[Labels, int] | None = None
    table_rows: int | None = None
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        return sum(self.sizes.values())


@dataclass(frozen=True)
class ModelRecount:
    """The recount of a model in the file.

    Parameters
    ----------
    value
        The model's own number for the worst class, such as the smallest k; None where there is none, because it would
        be infinite or nothing was released.
    holds
        Whether every class satisfies the model.
    note
        What one must know to read the value.
    public
        Whether the value follows from the file alone.
    """

    value: float | None
    holds: bool
    note: str = ""
    public: bool = True


def recompute(choice: ModelChoice, evidence: Evidence) -> ModelRecount:
    """The recount of a model that is `recomputable`. A file without rows satisfies every model.

    Raises
    ------
    WorkbenchError
        If the model needs something that is not there, such as the original.
    """
    values = choice.checked()
    if not evidence.sizes:
        return ModelRecount(None, True, "The file has no rows.")
    return _MODELS[choice.identifier](values, evidence)


def _k_anonymity(values: Mapping[str, Any], evidence: Evidence) -> ModelRecount:
    smallest = min(evidence.sizes.values())
    return ModelRecount(smallest, smallest >= values["k"])


def _distinct(values: Mapping[str, Any], evidence: Evidence) -> ModelRecount:
    fewest = min(len(counts) for counts in evidence.values[values["column"]].values())
    return ModelRecount(fewest, fewest >= values["l"])


def _entropy(values: Mapping[str, Any], evidence: Evidence) -> ModelRecount:
    least = min(_effective(counts) for counts in evidence.values[values["column"]].values())
    return ModelRecount(least, least >= values["l"] * (1 - _SLACK))


def _effective(counts: Counter[str]) -> float:
    """exp of the entropy: the number of equally frequent values that are as mixed."""
    rows = sum(counts.values())
    return math.exp(-math.fsum(count / rows * math.log(count / rows) for count in counts.values()))


def _recursive(values: Mapping[str, Any], evidence: Evidence) -> ModelRecount:
    worst, holds = 0.0, True
    for counts in evidence.values[values["column"]].values():
        ordered = sorted(counts.values(), reverse=True)
        tail = sum(ordered[int(values["l"]) - 1 :])
        worst = max(worst, ordered[0] / tail if tail else math.inf)
        holds = holds and ordered[0] < values["c"] * tail * (1 - 1e-12)
    return ModelRecount(_finite(worst), holds, "The most frequent value divided by the tail; it must be below c.")


def _total_variation(values: Mapping[str, Any], evidence: Evidence) -> ModelRecount:
    def distance(here: Counter[str], reference: Mapping[str, int]) -> float:
        return _half_l1(here, Counter(reference))

    return _closeness(values, evidence, distance)


def _half_l1(here: Counter[str], there: Counter[str]) -> float:
    rows, total = sum(here.values()), sum(there.values())
    return math.fsum(abs(here[value] / rows - there[value] / total) for value in here.keys() | there.keys()) / 2


def _ordered(values: Mapping[str, Any], evidence: Evidence) -> ModelRecount:
    column = values["column"]
    hierarchy = evidence.hierarchies.get(column)

    def distance(here: Counter[str], reference: Mapping[str, int]) -> float:
        order = _in_order(column, reference.keys() | here.keys(), hierarchy)
        rows, total = sum(here.values()), sum(reference.values())
        moved, flow = 0.0, 0.0
        for value in order:
            moved += here.get(value, 0) / rows - reference.get(value, 0) / total
            flow += abs(moved)
        return flow / max(len(order) - 1, 1)

    return _closeness(values, evidence, distance)


def _in_order(column: str, found: set[str], hierarchy: Hierarchy | None) -> list[str]:
    if hierarchy is not None:
        place = {value: position for position, value in enumerate(hierarchy.values)}
        if not found <= place.keys():
            raise WorkbenchError(f"The hierarchy of “{column}” misses values, so they have no order.", field=column)
        return sorted(found, key=place.__getitem__)
    try:
        return sorted(found, key=float)
    except ValueError:
        raise WorkbenchError(
            f"The values of “{column}” are no numbers, so they have no order.",
            hint=f"Give --sensitive-hierarchy {column}=FILE.csv, which lists them in order.",
            field=column,
        ) from None


def _hierarchical(values: Mapping[str, Any], evidence: Evidence) -> ModelRecount:
    column = values["column"]
    hierarchy = evidence.hierarchies.get(column)
    if hierarchy is None:
        raise WorkbenchError(
            f"Hierarchical distances need a hierarchy of “{column}”.",
            hint=f"Give --sensitive-hierarchy {column}=FILE.csv.",
            field=column,
        )
    ancestors = {row[0]: row for row in hierarchy.rows()}
    # Below the root: a single label at the top is the root; otherwise one above it joins its labels.
    depth = hierarchy.height if len(hierarchy.labels[-1]) == 1 else hierarchy.height + 1

    def distance(here: Counter[str], reference: Mapping[str, int]) -> float:
        total = 0.0
        for level in range(max(depth, 1)):
            at_level: list[Counter[str]] = []
            for counts in (here, reference):
                merged: Counter[str] = Counter()
                for value, count in counts.items():
                    if value not in ancestors:
                        raise WorkbenchError(f"The hierarchy of “{column}” misses “{value}”.", field=column)
                    merged[ancestors[value][level]] += count
                at_level.append(merged)
            total += _half_l1(*at_level)
        return total / max(depth, 1)

    return _closeness(values, evidence, distance)


def _closeness(
    values: Mapping[str, Any], evidence: Evidence, distance: Callable[[Counter[str], Mapping[str, int]], float]
) -> ModelRecount:
    reference = evidence.references[values["column"]]
    farthest = max(distance(counts, reference.counts) for counts in evidence.values[values["column"]].values())
    return ModelRecount(
        farthest, farthest <= values["t"] * (1 + _SLACK), f"Compared with {reference.source}.", reference.public
    )


def _likeness(values: Mapping[str, Any], evidence: Evidence) -> ModelRecount:
    reference = evidence.references[values["column"]]
    total = sum(reference.counts.values())
    worst, holds = 0.0, True
    for counts in evidence.values[values["column"]].values():
        rows = sum(counts.values())
        for value, count in counts.items():
            share, there = count / rows, reference.counts.get(value, 0) / total
            gain = (share - there) / there if there else math.inf
            allowed = values["beta"]
            if values["variant"] == "enhanced" and there:
                allowed = min(allowed, -math.log(there))
            worst = max(worst, gain)
            holds = holds and share <= min(1.0, there * (1 + allowed)) * (1 + _SLACK)
    note = f"The largest relative gain, compared with {reference.source}."
    return ModelRecount(_finite(worst), holds, note, reference.public)


def _average_risk(values: Mapping[str, Any], evidence: Evidence) -> ModelRecount:
    risk = len(evidence.sizes) / evidence.rows
    return ModelRecount(risk, risk <= values["threshold"] * (1 + _SLACK))


def _presence(values: Mapping[str, Any], evidence: Evidence) -> ModelRecount:
    population = _population(evidence)
    shares = [size / max(population[labels], 1) for labels, size in evidence.sizes.items()]
    low, high = min(shares), max(shares)
    holds = values["least"] * (1 - _SLACK) <= low and high <= values["most"] * (1 + _SLACK)
    return ModelRecount(high, holds, f"Presence from {file_text(low, 4)} to {file_text(high, 4)}.", public=False)


def _k_map(values: Mapping[str, Any], evidence: Evidence) -> ModelRecount:
    if values["people"]:
        return _estimated_k_map(values, evidence)
    smallest = min(_population(evidence)[labels] for labels in evidence.sizes)
    return ModelRecount(
        smallest, smallest >= values["k"], "People of the original in the smallest class.", public=False
    )


def _estimated_k_map(values: Mapping[str, Any], evidence: Evidence) -> ModelRecount:
    if evidence.table_rows is None:
        raise WorkbenchError(
            "k-map by estimate depends on the number of rows of the original.",
            hint="Give the whole table as --original FILE.",
            field="original",
        )
    mean = values["k"] * evidence.table_rows / values["people"]
    wanted = _smallest_convincing(values["k"], mean, values["significance"], values["estimator"] == "truncated")
    smallest = min(evidence.sizes.values())
    note = f"Classes of {wanted:,} rows convince of {values['k']:,} people."
    return ModelRecount(smallest, smallest >= wanted, note, public=False)


def _smallest_convincing(k: int, mean: float, significance: float, truncated: bool) -> int:
    """The smallest size a class of k people reaches with at most this probability, if sizes are Poisson."""
    first = 1 if truncated else 0
    whole = 1 - math.exp(-mean) if truncated else 1.0
    for size in range(1, k):
        below = math.fsum(
            math.exp(-mean + count * math.log(mean) - math.lgamma(count + 1)) for count in range(first, size)
        )
        if whole - below <= significance * whole:
            return size
    return k


def _population(evidence: Evidence) -> Mapping[Labels, int]:
    if evidence.population is None:
        raise WorkbenchError(
            "This model counts people of the population, which the file does not hold.",
            hint="Give the whole table as --original FILE.",
            field="original",
        )
    return evidence.population


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


_MODELS: dict[str, Callable[[Mapping[str, Any], Evidence], ModelRecount]] = {
    "k-anonymity": _k_anonymity,
    "l-diversity": _distinct,
    "entropy-l-diversity": _entropy,
    "recursive-l-diversity": _recursive,
    "t-closeness": _total_variation,
    "ordered-t-closeness": _ordered,
    "hierarchical-t-closeness": _hierarchical,
    "b-likeness": _likeness,
    "average-risk": _average_risk,
    "d-presence": _presence,
    "k-map": _k_map,
}
COMPARED = frozenset({"t-closeness", "ordered-t-closeness", "hierarchical-t-closeness", "b-likeness"})
"""Models that compare classes with the whole table."""

COUNTING_PEOPLE = frozenset({"d-presence", "k-map"})
"""Models that count people of the original."""


def recomputable(choice: ModelChoice) -> bool:
    """Whether this model can be recomputed here; third parties may bring others."""
    return choice.identifier in _MODELS
