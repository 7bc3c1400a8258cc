"""Contracts of privacy models and loss metrics: the bounds a search relies on, for every combination of levels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from workbench.anonymise.evaluation import Evaluator
from workbench.anonymise.goal import Goal
from workbench.anonymise.privacy import ModelChoice, PrivacyModel
from workbench.anonymise.problem import SearchProblem, prepare
from workbench.anonymise.utility import LossMetric, MetricChoice
from workbench.contracts.contract import Contract, Untried, demand
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.params import ParamSpec, ParamType
from workbench.core.table import Column, Table

_AGES = Hierarchy.from_rows([(str(n), f"{n // 2 * 2}+", f"{n // 4 * 4}+", "*") for n in range(8)])
_TOWNS = Hierarchy.from_rows([("A", "near", "*"), ("B", "near", "*"), ("C", "far", "*")])
_DISEASES = Hierarchy.from_rows([(name, "any", "*") for name in ("cold", "flu", "gout")])
_MEMORY = 1 << 20
_LIMITS = (0.0, 0.3, 1.0)


def bounds_hold(problem: SearchProblem) -> int:
    """`Broken` if a bound that the search relies on does not hold for some node; returns how many nodes there are."""
    evaluator = Evaluator(problem, _MEMORY)
    floor = problem.loss.floor()
    nodes = {levels: evaluator.judge(levels) for levels in problem.lattice}
    keys = {levels: evaluator.key(judgement)[0] for levels, judgement in nodes.items()}
    for levels, judgement in nodes.items():
        demand(bool(floor[levels] <= keys[levels]), f"at {levels} the loss is below its floor.")
        _, bound = problem.loss.score_and_bound(levels, judgement.classes, judgement.failing, judgement.lost)
        above = problem.loss.above(levels, judgement.classes)
        for other in nodes:
            if all(a <= b for a, b in zip(other, levels, strict=True)):
                demand(
                    judgement.unavoidable <= nodes[other].suppressed,
                    f"{other} suppresses less than {levels} says that everything finer must.",
                )
                if isinstance(bound, float):
                    demand(bound <= keys[other], f"{other} loses less than {levels} says that everything finer must.")
                elif bound is not None:
                    terms = [term[level] for term, level in zip(bound, other, strict=True)]
                    least = problem.loss.join.reduce(terms)
                    demand(
                        bool(least <= keys[other] * (1 + 1e-15)),
                        f"{other} loses less than {levels} says that everything finer must.",
                    )
            if all(a >= b for a, b in zip(other, levels, strict=True)):
                demand(
                    problem.loss.floor_from(levels) <= keys[other] and (above is None or bool(above <= keys[other])),
                    f"{other} loses less than {levels} says that everything coarser must.",
                )
    return len(nodes)


def tables() -> Iterator[Table]:
    """A few small tables of ages, towns, diseases and marks."""
    generator = np.random.default_rng(5)
    for rows in (4, 9, 16):
        ages = [str(n) for n in generator.integers(0, 8, rows)]
        towns = [("A", "B", "C")[n] for n in generator.integers(0, 3, rows)]
        diseases = [("cold", "flu", "gout")[n] for n in generator.integers(0, 3, rows)]
        marks = [("yes", "no")[n] for n in generator.integers(0, 2, rows)]
        columns = {"age": ages, "town": towns, "disease": diseases, "mark": marks}
        yield Table(tuple(Column.from_texts(name, texts) for name, texts in columns.items()))


def problems(choice: ModelChoice, metric: str) -> Iterator[SearchProblem]:
    """The search for the best levels of each of the tables, where there is one."""
    for table in tables():
        alike = {"disease": _DISEASES} if choice.column and choice.model.needs_hierarchy else None
        for limit in _LIMITS:
            try:
                yield prepare(
                    table,
                    {"age": _AGES, "town": _TOWNS},
                    Goal([choice], MetricChoice(metric), limit, sensitive_hierarchies=alike or {}),
                )
            except WorkbenchError:
                continue  # the model sees at once that nothing can satisfy it


def _choice(model: PrivacyModel) -> ModelChoice:
    values: dict[str, Any] = {}
    for spec in model.params:
        if spec.name == "column":
            values["column"] = "disease"
        elif spec.name == "subset_column":
            values |= {"subset_column": "mark", "subset_value": "yes"}
        elif spec.default is None and spec.name not in values:
            values[spec.name] = _some(spec)
    return ModelChoice(model.identifier, values)


def _some(spec: ParamSpec) -> Any:
    low = spec.minimum if np.isfinite(spec.minimum) else 0.0
    if spec.type is ParamType.INTEGER:
        return int(min(max(2.0, low), spec.maximum))
    if spec.type is ParamType.NUMBER:
        return float((low + min(spec.maximum, 1.0)) / 2)
    return spec.choices[0][0] if spec.choices else ""


def _model_bounds(model: PrivacyModel) -> str:
    return _tried(_choice(model), "loss")


def _metric_bounds(metric: LossMetric) -> str:
    return _tried(ModelChoice("k-anonymity", {"k": 2}), metric.identifier)


def _tried(choice: ModelChoice, metric: str) -> str:
    choice.checked()
    nodes = [bounds_hold(problem) for problem in problems(choice, metric)]
    if not nodes:
        raise Untried("nothing in the tables to try can satisfy it, or it needs another column.")
    return f"{len(nodes)} searches, {sum(nodes)} combinations of levels: every bound holds."


def parameters_work(plugin: Any) -> str:
    """`Broken` unless every default is a value that the parameter itself allows."""
    specs: tuple[ParamSpec, ...] = getattr(plugin, "parameters", getattr(plugin, "params", ()))
    defaults: Mapping[str, Any] = {spec.name: spec.default for spec in specs if spec.default is not None}
    for spec in specs:
        if spec.name in defaults and not (spec.type is ParamType.COLUMN and defaults[spec.name] == ""):
            spec.check(defaults[spec.name])
    demand(bool(plugin.title.strip()), "it has no title.")
    return f"{len(specs)} {'parameter' if len(specs) == 1 else 'parameters'}."


MODEL_CONTRACTS: tuple[Contract[PrivacyModel], ...] = (
    Contract("parameters", parameters_work),
    Contract("bounds of the search", _model_bounds),
)
METRIC_CONTRACTS: tuple[Contract[LossMetric], ...] = (
    Contract("parameters", parameters_work),
    Contract("bounds of the search", _metric_bounds),
)
