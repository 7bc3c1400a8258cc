"""The settings of the Anonymise room as JSON."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from workbench.anonymise.dp_search import Degree, PrivateSearch
from workbench.anonymise.guarantee import Accounting
from workbench.anonymise.level_scores import Score
from workbench.anonymise.mechanism import Treatment
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.utility import MetricChoice
from workbench.core.private_draw import Draw
from workbench.project.checked import number, one_of, parameters, typed
from workbench.project.model import (
    AnonymiseSettings,
    Approach,
    GuaranteeSettings,
    LevelChoice,
    LevelsBy,
    QuestionSettings,
)


def to_json(settings: AnonymiseSettings) -> dict[str, Any]:
    """The settings as JSON would hold them."""
    wanted = settings.guarantee
    return {
        "guarantee": {
            "solve_for": wanted.solve_for,
            "epsilon": wanted.epsilon,
            "delta": wanted.delta,
            "beta": wanted.beta,
            "k": wanted.k,
            "accounting": wanted.accounting.value,
        },
        "treatments": {name: treatment.value for name, treatment in settings.treatments.items()},
        "levels": dict(settings.levels),
        "levels_blind": settings.levels_blind,
        "level_choice": _level_choice_to_json(settings.level_choice),
        "seed": settings.seed,
        "approach": settings.approach.value,
        "question": _question_to_json(settings.question),
    }


def from_json(settings: dict[str, Any]) -> AnonymiseSettings:
    """The settings; those that files of earlier programs lack are the usual ones."""
    wanted = settings["guarantee"]
    beta = wanted["beta"]
    return AnonymiseSettings(
        guarantee=GuaranteeSettings(
            solve_for=one_of(wanted["solve_for"], ("k", "delta", "epsilon", "beta")),
            epsilon=number(wanted["epsilon"]),
            delta=number(wanted["delta"]),
            beta=one_of(beta, ("max", "best")) if isinstance(beta, str) else number(beta),
            k=typed(wanted["k"], int),
            accounting=Accounting(wanted["accounting"]),
        ),
        treatments=MappingProxyType(
            {typed(name, str): Treatment(value) for name, value in settings["treatments"].items()}
        ),
        levels=MappingProxyType({typed(name, str): typed(level, int) for name, level in settings["levels"].items()}),
        levels_blind=typed(settings["levels_blind"], bool),
        level_choice=_level_choice_from_json(settings["level_choice"]) if "level_choice" in settings else LevelChoice(),
        seed=None if settings["seed"] is None else typed(settings["seed"], int),
        approach=Approach(settings.get("approach", Approach.DP)),
        question=_question_from_json(settings["question"]) if "question" in settings else QuestionSettings(),
    )


def _level_choice_to_json(choice: LevelChoice) -> dict[str, Any]:
    return {
        "by": choice.by.value,
        "degree": choice.degree.value,
        "search": {
            "epsilon": choice.search.epsilon,
            "draw": choice.search.draw.value,
            "score": choice.search.score.value,
        },
        "limits": {name: list(limit) for name, limit in choice.limits.items()},
    }


def _level_choice_from_json(choice: dict[str, Any]) -> LevelChoice:
    search = choice["search"]
    return LevelChoice(
        by=LevelsBy(choice["by"]),
        degree=Degree(choice["degree"]),
        search=PrivateSearch(number(search["epsilon"]), Draw(search["draw"]), Score(search["score"])),
        limits=_limits_from_json(choice["limits"]),
    )


def _limits_from_json(limits: dict[str, Any]) -> MappingProxyType[str, tuple[int, int]]:
    return MappingProxyType({name: (typed(low, int), typed(high, int)) for name, (low, high) in limits.items()})


def _question_to_json(question: QuestionSettings) -> dict[str, Any]:
    return {
        "models": [{"identifier": one.identifier, "values": dict(one.values)} for one in question.models],
        "metric": {"identifier": question.metric.identifier, "values": dict(question.metric.values)},
        "suppression_limit": question.suppression_limit,
        "weights": dict(question.weights),
        "limits": {name: list(limit) for name, limit in question.limits.items()},
        "local_recoding": question.local_recoding,
    }


def _question_from_json(question: dict[str, Any]) -> QuestionSettings:
    metric = question["metric"]
    return QuestionSettings(
        models=tuple(
            ModelChoice(typed(one["identifier"], str), parameters(one["values"]))
            for one in typed(question["models"], list)
        ),
        metric=MetricChoice(typed(metric["identifier"], str), parameters(metric["values"])),
        suppression_limit=number(question["suppression_limit"]),
        weights=MappingProxyType({name: number(weight) for name, weight in question["weights"].items()}),
        limits=_limits_from_json(question["limits"]),
        local_recoding=typed(question.get("local_recoding", False), bool),
    )
