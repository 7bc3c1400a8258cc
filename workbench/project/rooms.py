"""The settings of every room, by the name under which a project keeps them; each is declared once, in its dataclass."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from workbench.project.collecting import CollectSettings

ROOMS: Mapping[str, type[Any]] = MappingProxyType({"collect": CollectSettings})
