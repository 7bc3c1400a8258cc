"""The settings of every room, by the name its help begins with; each is declared once, in its dataclass."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from workbench.core.preparing import Preparation
from workbench.evaluate.experiment import Experiment
from workbench.project.anonymise_settings import AnonymiseSettings
from workbench.project.collecting import CollectSettings
from workbench.project.laboratory import LaboratorySettings

ROOMS: Mapping[str, type[Any]] = MappingProxyType(
    {
        "anonymise": AnonymiseSettings,
        "collect": CollectSettings,
        "compare": Experiment,
        "data": Preparation,
        "mechanisms": LaboratorySettings,
    }
)
