"""The settings of every room, by the name its help begins with; each is declared once, in its dataclass."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from workbench.core.working_table import Preparation
from workbench.evaluate.experiment import Experiment
from workbench.project.anonymise_settings import AnonymiseSettings
from workbench.project.collect_settings import CollectSettings
from workbench.project.laboratory import LaboratorySettings
from workbench.project.query_settings import QuerySettings

ROOM_SETTINGS: Mapping[str, type[Any]] = MappingProxyType(
    {
        "anonymise": AnonymiseSettings,
        "collect": CollectSettings,
        "compare": Experiment,
        "data": Preparation,
        "mechanisms": LaboratorySettings,
        "query": QuerySettings,
    }
)
