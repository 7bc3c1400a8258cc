"""Results of cells, kept under a key of everything they depend on, so that nothing is run twice."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from weakref import WeakKeyDictionary

from workbench.core.hierarchy import Hierarchy
from workbench.evaluate.cell_result import CellResult
from workbench.evaluate.experiment import Experiment, ExperimentPoint, digest
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.subject import ExperimentData

_VERSION = 1
"""Counts up when the same cell would come out otherwise for another reason than its method."""


_digests: WeakKeyDictionary[Hierarchy, str] = WeakKeyDictionary()


class ResultStore:
    """Results by key; may be used on several threads."""

    def __init__(self, results: Mapping[str, CellResult] = MappingProxyType({})) -> None:
        self._results = dict(results)
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._results)

    def get(self, key: str) -> CellResult | None:
        with self._lock:
            return self._results.get(key)

    def put(self, key: str, result: CellResult) -> None:
        with self._lock:
            self._results[key] = result

    def take_in(self, results: Mapping[str, CellResult]) -> None:
        """Add results that were kept elsewhere; what is known already stays."""
        with self._lock:
            self._results = {**results, **self._results}

    def of(self, keys: Iterable[str]) -> Mapping[str, CellResult]:
        """Those of the keys that are there."""
        with self._lock:
            return MappingProxyType({key: self._results[key] for key in keys if key in self._results})


def cell_key(
    material: ExperimentData, experiment: Experiment, choice: MethodChoice, place: float, setting: ExperimentPoint
) -> str:
    """Everything the result of a cell depends on; the metric is no part of it, for all are found at once."""
    method = choice.method
    hierarchies = (
        {name: [one.provenance.value, _digest_of(one)] for name, one in sorted(material.hierarchies.items())}
        if method.uses_hierarchies
        else {}
    )
    return digest(
        _VERSION,
        material.key,
        material.schema.unit.rows_per_person,
        experiment.question_at(place).to_json(),
        method.identifier,
        method.version,
        choice.checked(),
        hierarchies,
        vars(setting),
        experiment.repetitions,
        experiment.seed,
        experiment.truth.value,
        # As an item of its own, so that what was kept before there was such a choice is found again.
        *(["the total is public"] if experiment.public_total else []),
    )


def _digest_of(hierarchy: Hierarchy) -> str:
    found = _digests.get(hierarchy)
    if found is None:
        # A hierarchy never changes, and every cell asks.
        found = _digests[hierarchy] = digest(hierarchy.rows())
    return found
