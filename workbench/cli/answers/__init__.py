"""What each command prints with `--json`, as types: the JSON Schemas of the manual are made from these alone.

A program may rely on what is declared. More keys may come without a new version; a key that goes, or changes its type,
makes a new one in `ANSWERS`, and the changelog says so.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from workbench.cli.answers.asking import (
    AnsweredJson,
    AnsweredTogetherJson,
    LedgerJson,
    PlainAnswerJson,
    PlannedTogetherJson,
    QueryPlannedJson,
)
from workbench.cli.answers.comparing import (
    AttackJson,
    CompareJson,
    EveryFigureJson,
    FigureJson,
    LevelsJson,
    PluginsJson,
    PresetJson,
    PresetsJson,
    SurvivalJson,
    TrustedJson,
)
from workbench.cli.answers.methods import (
    AggregateJson,
    CollectedJson,
    ExaminedJson,
    MechanismParametersJson,
    MechanismsJson,
    PredictedJson,
    PropertyJson,
    SimulatedJson,
)
from workbench.cli.answers.parts import ErrorJson
from workbench.cli.answers.releases import (
    GuaranteeJson,
    ModelReleaseJson,
    PseudonymisedJson,
    PseudonymKeyJson,
    ReleaseJson,
    ReleasePlanJson,
    SignJson,
    VerifiedJson,
)
from workbench.cli.answers.tables import (
    HierarchyBuiltJson,
    HierarchyCheckedJson,
    ProfileJson,
    ProjectCheckedJson,
    ProjectJson,
    ReportJson,
)
from workbench.core.json_schema import Schema, identified, with_defaults
from workbench.project.rooms import ROOMS

ANSWERS: Mapping[str, tuple[int, Any]] = MappingProxyType(
    {
        "aggregate": (1, AggregateJson),
        "anonymise": (1, ReleaseJson | ModelReleaseJson | ReleasePlanJson),
        "attack": (1, AttackJson),
        "audit": (1, ExaminedJson | MechanismsJson | MechanismParametersJson | PropertyJson),
        "collect": (1, PredictedJson | SimulatedJson | CollectedJson),
        "compare": (1, CompareJson),
        "error": (1, ErrorJson),
        "guarantee": (1, GuaranteeJson),
        "hierarchy-build": (1, HierarchyBuiltJson),
        "hierarchy-check": (1, HierarchyCheckedJson),
        "ledger": (1, LedgerJson),
        "levels": (1, LevelsJson),
        "plugins-check": (1, PluginsJson),
        "plugins-list": (1, PluginsJson),
        "plugins-trust": (1, TrustedJson),
        "plugins-distrust": (1, TrustedJson),
        "preset": (1, PresetJson | PresetsJson | FigureJson | EveryFigureJson),
        "profile": (1, ProfileJson),
        "project-check": (1, ProjectCheckedJson),
        "project-new": (1, ProjectJson),
        "project-set": (1, ProjectJson),
        "project-show": (1, ProjectJson),
        "pseudonymise": (1, PseudonymisedJson | PseudonymKeyJson),
        "query": (1, AnsweredJson | QueryPlannedJson | AnsweredTogetherJson | PlannedTogetherJson | PlainAnswerJson),
        "report": (1, ReportJson),
        "run": (1, ReleaseJson | ModelReleaseJson),
        "sign": (1, SignJson),
        "survival": (1, SurvivalJson),
        "verify": (1, VerifiedJson),
    }
)
"""Of each command the version of its answer, and its type; of an error the object on standard error."""

SETTINGS_VERSION = 1
"""Of the schemas of settings: what `project show --json` and the file of a project have."""


def schemas() -> dict[str, Schema]:
    """The JSON Schema of each command, of an error, and of the settings of each room, by name."""
    found = {name: identified(name, version, hint) for name, (version, hint) in ANSWERS.items()}
    for room, made in ROOMS.items():
        name = f"settings-{room}"
        found[name] = identified(name, SETTINGS_VERSION, made)
        if room != "compare":  # an experiment cannot be without a question
            found[name] = with_defaults(found[name], made())
    return found


def files() -> dict[str, str]:
    """The same as texts of files, such as `query.schema.json`."""
    return {
        f"{name}.schema.json": f"{json.dumps(one, indent=1, ensure_ascii=False)}\n" for name, one in schemas().items()
    }
