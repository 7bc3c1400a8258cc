"""A JSON Schema of a declared type: of settings as projects keep them, and of what commands print for programs.

What a field is called, whether it must be there, its bounds, its choices and its help all follow from the declaration
(`core.settings`, or a `TypedDict`), so that a schema cannot say another thing than the code.
"""

from __future__ import annotations

import inspect
import math
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from workbench.core.settings import Setting, Stored, declared
from workbench.core.settings_json import to_json

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_SIMPLE: Mapping[Any, str] = types.MappingProxyType(
    {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}
)

Schema = dict[str, Any]


def identified(name: str, hint: Any) -> Schema:
    """The schema of a type, with the name by which a program knows it, in which its version is.

    Raises
    ------
    TypeError
        If nothing says how a part of it is written.
    """
    return {"$schema": DIALECT, "$id": name, **schema_of(hint)}


def schema_of(hint: Any) -> Schema:
    """Schema of the JSON that may stand for a value of a type; an empty schema allows everything.

    Raises
    ------
    TypeError
        If nothing says how it is written.
    """
    if hint is Any:
        return {}
    if hint in _SIMPLE:
        return {"type": _SIMPLE[hint]}
    origin, inside = get_origin(hint), get_args(hint)
    if origin in (Required, NotRequired):
        return schema_of(inside[0])
    if origin is Annotated:  # a value of a parameter: a text, a number, a switch or nothing
        return {"type": ["boolean", "null", "number", "string"]}
    if origin in (Union, types.UnionType):
        return _any_of([schema_of(one) for one in inside])
    if origin is Literal:
        return {"enum": list(inside)}
    if origin is list or (origin is tuple and inside[-1] is Ellipsis):
        return {"type": "array", "items": schema_of(inside[0])}
    if origin is tuple:
        several = [schema_of(one) for one in inside]
        return {"type": "array", "prefixItems": several, "items": False, "minItems": len(several)}
    if origin in (dict, Mapping):
        return {"type": "object", "additionalProperties": schema_of(inside[1])}
    if is_typeddict(hint):
        return _of_answer(hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {"enum": [one.value for one in hint]}
    if isinstance(hint, type) and is_dataclass(hint) and (declared(hint) or not hasattr(hint, "to_json")):
        return _of_settings(hint)
    if hasattr(hint, "to_json"):
        return {}
    raise TypeError(f"nothing says how {hint} is written")


def _any_of(each: list[Schema]) -> Schema:
    """One of several; plain types share one word."""
    if all(set(one) == {"type"} and isinstance(one["type"], str) for one in each):
        return {"type": [one["type"] for one in each]}
    return {} if {} in each else {"anyOf": each}


def _of_answer(hint: Any) -> Schema:
    """Of a typed dictionary: its keys, and which of them are always there."""
    hints = get_type_hints(hint, include_extras=True)
    found: Schema = {"type": "object", "properties": {name: schema_of(one) for name, one in hints.items()}}
    _, _, more = inspect.cleandoc(hint.__doc__ or "").partition("\n\n")
    if more:  # what keys mean, where that does not follow from what they are called
        found = {"type": "object", "description": " ".join(more.split()), **found}
    # The class itself cannot know this of annotations that are kept as texts.
    needed = [
        name for name, one in hints.items() if name in hint.__required_keys__ and get_origin(one) is not NotRequired
    ]
    return found | ({"required": needed} if needed else {})


def _of_settings(made: type[Any]) -> Schema:
    """Of settings: what a file may hold of them, and what stands there where it holds nothing."""
    properties: Schema = {}
    needed: list[str] = []
    known, hints = declared(made), get_type_hints(made, include_extras=True)
    for one in fields(made):
        setting = known.get(one.name)
        stored = setting.stored if setting is not None else Stored()
        inside = schema_of(hints[one.name] if stored.write is None else stored.written)
        if stored.flat:
            properties |= inside.get("properties", {})
            needed += inside.get("required", [])
            continue
        key = stored.key or one.name
        properties[key] = inside if setting is None else _described(inside, setting)
        if stored.always or not known:
            needed.append(key)
    found: Schema = {"type": "object", "properties": properties}
    if getattr(made, "REFUSES_UNKNOWN", False):
        found["additionalProperties"] = False
    return found | ({"required": needed} if needed else {})


def _described(schema: Schema, setting: Setting) -> Schema:
    """The schema of a setting with what is said of it, its bounds and its choices."""
    spec = setting.spec
    found = {"title": spec.title, "description": spec.help, **schema}
    if setting.stored.write is not None:
        return found
    if "type" not in schema or not {"number", "integer"} & {*_listed(schema["type"])}:
        choices = [value for value, _ in spec.choices]
        if choices and schema == {"type": "string"}:
            found = {**found, "enum": choices}
        return found
    if math.isfinite(spec.minimum):
        found["exclusiveMinimum" if spec.open_minimum else "minimum"] = spec.minimum
    if math.isfinite(spec.maximum):
        found["maximum"] = spec.maximum
    return found


def _listed(kinds: str | list[str]) -> list[str]:
    return [kinds] if isinstance(kinds, str) else kinds


def with_defaults(schema: Schema, settings: Any) -> Schema:
    """The schema of settings with what each of them is in these."""
    plain = to_json(settings)
    properties = {name: {**one, "default": plain[name]} for name, one in schema["properties"].items()}
    return {**schema, "properties": properties}
