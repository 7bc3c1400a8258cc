"""The experiments a project holds: what is to be compared, how it is drawn, and, if wanted, what was found."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.typed_fields import typed_fields
from workbench.evaluate.cell_result import CellResult
from workbench.evaluate.experiment import Experiment
from workbench.evaluate.figure_settings import FigureSettings
from workbench.project.checked import number, typed

_LOOKED_AT = ("place", "enough")
"""Fields of an experiment that are written only where somebody chose them."""


@dataclass(frozen=True)
@typed_fields
class ExperimentDocument:
    """One experiment.

    Parameters
    ----------
    experiment, figure
        What is tried, and how it is drawn.
    keep
        Whether what is found on true values is kept with the project: it is for the analyst only. What is found on a
        public shape says nothing of the table, and is always kept.
    kept
        What was found, by the key of everything it depends on.
    place
        Where on its axis the ways are compared; None for where one looks first.
    enough
        The error, as it is read, below which less is not asked for; None for that of sampling.
    """

    experiment: Experiment = field(default_factory=Experiment)
    figure: FigureSettings = field(default_factory=FigureSettings)
    keep: bool = False
    kept: Mapping[str, CellResult] = field(default_factory=lambda: MappingProxyType({}))
    place: float | None = None
    enough: float | None = None

    def __post_init__(self) -> None:
        if any(one is not None and not (math.isfinite(one) and one > 0) for one in (self.place, self.enough)):
            raise WorkbenchError("Ways are compared at a place above 0, by an error above 0.", field="place")

    @property
    def keeps(self) -> bool:
        """Whether what is found is kept with the project."""
        return self.keep or self.experiment.basis.public


@dataclass(frozen=True)
@typed_fields
class CompareSettings:
    """All experiments, and which one is looked at."""

    documents: tuple[ExperimentDocument, ...] = ()
    current: int = -1

    def __post_init__(self) -> None:
        if not -1 <= self.current < max(len(self.documents), 1) or (self.documents and self.current < 0):
            raise WorkbenchError("There is no such experiment.", field="experiment")


def to_json(settings: CompareSettings) -> dict[str, Any]:
    """As JSON."""
    return {
        "current": settings.current,
        "documents": [
            {
                "experiment": one.experiment.to_json(),
                "figure": one.figure.to_json(),
                "keep": one.keep,
                "kept": {key: result.to_json() for key, result in one.kept.items()} if one.keeps else {},
                **{name: value for name in _LOOKED_AT if (value := getattr(one, name)) is not None},
            }
            for one in settings.documents
        ],
    }


def from_json(plain: Mapping[str, Any]) -> CompareSettings:
    """The settings of `to_json`; what is missing takes its default.

    Raises
    ------
    ValueError, TypeError, KeyError, WorkbenchError
        If something in it has the wrong type or an impossible value.
    """
    documents = tuple(
        ExperimentDocument(
            Experiment.from_json(typed(one["experiment"], dict)),
            FigureSettings.from_json(typed(one.get("figure", {}), dict)),
            typed(one.get("keep", False), bool),
            MappingProxyType(
                {key: CellResult.from_json(result) for key, result in typed(one.get("kept", {}), dict).items()}
            ),
            *(None if one.get(name) is None else number(one[name]) for name in _LOOKED_AT),
        )
        for one in typed(plain.get("documents", []), list)
    )
    return CompareSettings(documents, typed(plain.get("current", -1 if not documents else 0), int))
