"""The JSON that each command prints with `--json`, as types: the JSON Schemas of the manual are made from these alone.

A program may rely on what is declared. More keys may come without a new version; a key that goes, or changes its type,
makes a new one in `cli.versions`, and the changelog says so.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from workbench.cli.answers.comparing import (
    AttackJson,
    CompareJson,
    LevelsJson,
    PluginsJson,
    SurvivalJson,
    TrustedJson,
)
from workbench.cli.answers.figures import EveryFigureJson, FigureJson, PresetJson, PresetsJson
from workbench.cli.answers.methods import (
    AggregateJson,
    CollectedJson,
    ExaminedJson,
    MechanismParametersJson,
    MechanismsJson,
    PredictedJson,
    PredictedMeanJson,
    PropertyJson,
    SimulatedJson,
)
from workbench.cli.answers.parts import ErrorJson
from workbench.cli.answers.queries import (
    AnsweredJson,
    AnsweredTogetherJson,
    LedgerJson,
    PlainAnswerJson,
    PlannedTogetherJson,
    QueryPlannedJson,
)
from workbench.cli.answers.releases import (
    CheckedPageJson,
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
from workbench.cli.versions import NAMESPACE, SCHEMA, schema_name, version_of
from workbench.core.json_schema import Schema, identified, with_defaults
from workbench.project.rooms import ROOM_SETTINGS
from workbench.project.setting_paths import PLACES

_TYPES: Mapping[str, Any] = MappingProxyType(
    {
        "aggregate": AggregateJson,
        "anonymise": ReleaseJson | ModelReleaseJson | ReleasePlanJson,
        "attack": AttackJson,
        "audit": ExaminedJson | MechanismsJson | MechanismParametersJson | PropertyJson,
        "collect": PredictedJson | SimulatedJson | CollectedJson | PredictedMeanJson,
        "compare": CompareJson,
        "error": ErrorJson,
        "guarantee": GuaranteeJson,
        "hierarchy-build": HierarchyBuiltJson,
        "hierarchy-check": HierarchyCheckedJson,
        "ledger": LedgerJson,
        "levels": LevelsJson,
        "plugins-check": PluginsJson,
        "plugins-list": PluginsJson,
        "plugins-trust": TrustedJson,
        "plugins-distrust": TrustedJson,
        "preset": PresetJson | PresetsJson | FigureJson | EveryFigureJson,
        "profile": ProfileJson,
        "project-check": ProjectCheckedJson,
        "project-new": ProjectJson,
        "project-set": ProjectJson,
        "project-show": ProjectJson,
        "pseudonymise": PseudonymisedJson | PseudonymKeyJson,
        "query": AnsweredJson | QueryPlannedJson | AnsweredTogetherJson | PlannedTogetherJson | PlainAnswerJson,
        "report": ReportJson,
        "run": ReleaseJson | ModelReleaseJson,
        "sign": SignJson,
        "survival": SurvivalJson,
        "verify": VerifiedJson,
        "verify-page": CheckedPageJson,
    }
)
ANSWERS: Mapping[str, tuple[int, Any]] = MappingProxyType(
    {name: (version_of(name), hint) for name, hint in _TYPES.items()}
)
"""Of each command the version of its answer, and its type; of an error the object on standard error."""

SETTINGS_VERSION = 1
"""Of the schemas of settings: what `project show --json` and the file of a project have."""


def schemas() -> dict[str, Schema]:
    """The JSON Schema of each command, of an error, and of the settings of each room, by name."""
    found = {name: _naming_itself(identified(schema_name(name), hint)) for name, hint in _TYPES.items()}
    for room, made in ROOM_SETTINGS.items():
        name = f"settings-{room}"
        found[name] = identified(f"{NAMESPACE}:{name}:{SETTINGS_VERSION}", made)
        if room != "compare":  # an experiment cannot be without a question
            found[name] = with_defaults(found[name], made())
    by_path = _by_path({room: found[f"settings-{room}"] for room in PLACES})
    for name in ("project-new", "project-set", "project-show"):
        found[name]["properties"]["settings"] = by_path
    return found


def _naming_itself(schema: Schema) -> Schema:
    """The schema of an answer with the key by which the answer says which schema it follows, the first in each case."""
    own = {"type": "string", "enum": [schema["$id"]]}

    def naming(one: Schema) -> Schema:
        made = {**one, "properties": {SCHEMA: own, **one["properties"]}}
        return {**made, "required": [SCHEMA, *one.get("required", [])]}

    return {**schema, "anyOf": list(map(naming, schema["anyOf"]))} if "anyOf" in schema else naming(schema)


def _by_path(rooms: Mapping[str, Schema]) -> Schema:
    """Of settings as `project show` has them, each by its path; a setting by column has its name at the end."""
    leaves: Schema = {}
    by_column: list[Schema] = []

    def walk(schema: Schema, path: str) -> None:
        for one in schema.get("anyOf", (schema,)):
            for name, inside in one.get("properties", {}).items():
                walk(inside, f"{path}.{name}")
            more = one.get("additionalProperties")
            if isinstance(more, dict) and more not in by_column:
                by_column.append(more)
        if "properties" not in schema:
            leaves[path] = schema

    for room, schema in rooms.items():
        walk(schema, room)
    return {"type": "object", "properties": leaves, "additionalProperties": {"anyOf": by_column}}


def files() -> dict[str, str]:
    """The same as texts of files, such as `query.schema.json`."""
    return {
        f"{name}.schema.json": f"{json.dumps(one, indent=1, ensure_ascii=False)}\n" for name, one in schemas().items()
    }
