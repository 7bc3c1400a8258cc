"""The key under which the result of a cell is kept: everything it depends on."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from workbench.core.hierarchy import Hierarchy
from workbench.evaluate.experiment import Experiment, ExperimentPoint, Truth, digest
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.question import Statistic
from workbench.evaluate.released_groups import hierarchies_used
from workbench.evaluate.subject import ExperimentData

_VERSION = 2
"""Counts up when the same cell would come out otherwise for another reason than its method.

In the first one formulas said nothing of one number in per cent or scaled, nor how sure they are.
"""


_digests: WeakKeyDictionary[Hierarchy, str] = WeakKeyDictionary()


def cell_key(
    material: ExperimentData,
    experiment: Experiment,
    choice: MethodChoice,
    place: float,
    setting: ExperimentPoint,
    *,
    chooses: bool = False,
) -> str:
    """Everything the result of a cell depends on; the metric is no part of it, for all are found at once."""
    method = choice.method
    releases = method.uses_hierarchies and method.candidates is not None
    hierarchies, statistic = {}, experiment.question.statistic
    histogram = statistic is Statistic.HISTOGRAM
    if method.uses_hierarchies:
        used = hierarchies_used(experiment.question.column, choice.checked())
        hierarchies = {
            name: [one.provenance.value, _digest_of(one)]
            for name, one in sorted(material.hierarchies.items())
            if used is None or name in used
        }
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
        # All were fitted to it before.
        *(["as shares of it"] if experiment.number_known and not choice.fitted else []),
        # Formulas of means had none before.
        *(["sampling by formula"] if experiment.truth is Truth.POPULATION and statistic.averages else []),
        # Another estimate than the usual one had reports of its own before.
        *(["from the same reports"] if _estimated_otherwise(choice) else []),
        # Formulas were about the people of ten tries before, whatever was tried.
        *(["formulas of all tries"] if chooses else []),
        # And of a shape about those of ten.
        *(["formulas of a hundred tries"] if material.crowd is not None and experiment.repetitions > 10 else []),
        # Numbers of a shape were released as they are before, as if people shared them.
        *(["no number is shared"] if releases and material.crowd is not None and material.crowd.coarse else []),
        # Names were part of the seed before, and long tails none of the reach of chance.
        *(["the same of the same facts"] if material.crowd is not None and not histogram else []),
        # Ten tries had the same people before; the others had each their own already.
        *(["each its people"] if material.crowd is None and experiment.truth is Truth.USERS else []),
    )


def _estimated_otherwise(choice: MethodChoice) -> bool:
    """Whether reports become an estimate in another way than the usual one."""
    method, values = choice.method, choice.checked()
    usual = {one.name: one.default for one in method.params}
    return method.identifier == "local" and any(values[one] != usual[one] for one in method.afterwards)


def _digest_of(hierarchy: Hierarchy) -> str:
    found = _digests.get(hierarchy)
    if found is None:
        # A hierarchy never changes, and every cell asks.
        found = _digests[hierarchy] = digest(hierarchy.rows())
    return found
