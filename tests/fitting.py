"""Whether a JSON value fits a schema, by the words of schemas that this project uses."""

from __future__ import annotations

import re
from typing import Any

_KINDS = {bool: "boolean", int: "integer", float: "number", str: "string", dict: "object", list: "array"}
_KNOWN = {
    "$schema", "$id", "type", "properties", "required", "items", "prefixItems", "minItems", "anyOf", "enum",
    "additionalProperties", "minimum", "maximum", "exclusiveMinimum", "title", "description", "default",
}  # fmt: skip
REPR = re.compile(
    r"<(?:class|function|object|enum)\b|\bobject at 0x|\b(?:Fraction|Decimal|array|mappingproxy|PosixPath|frozenset)\("
    r"|\{'|\['|\bdtype="
)
"""How Python writes a value for programmers, which no program should have to read."""


def fits(value: Any, schema: dict[str, Any], path: str = "", *, closed: bool = False) -> list[str]:
    """Where a value is other than a schema says; if `closed`, also where it has a key that is not declared."""
    assert set(schema) <= _KNOWN, sorted(set(schema) - _KNOWN)
    if "anyOf" in schema:
        each = [fits(value, one, path, closed=closed) for one in schema["anyOf"]]
        return min(each, key=len)
    if "enum" in schema:
        return [] if value in schema["enum"] else [f"{path} is none of the choices"]
    kind = "null" if value is None else _KINDS[type(value)]
    known = schema.get("type", kind)
    allowed = {known} if isinstance(known, str) else set(known)
    if kind not in allowed and not (kind == "integer" and "number" in allowed):
        return [f"{path} is {kind}"]
    if isinstance(value, int | float) and not isinstance(value, bool):
        low, high = schema.get("minimum", value), schema.get("maximum", value)
        beyond = not low <= value <= high or schema.get("exclusiveMinimum", value - 1) >= value
        return [f"{path} is out of bounds"] if beyond else []
    if isinstance(value, list):
        rows = schema.get("prefixItems") or [schema.get("items", {})] * len(value)
        return [
            one for item, row in zip(value, rows, strict=True) for one in fits(item, row, f"{path}[]", closed=closed)
        ]
    if not isinstance(value, dict):
        return []
    inside, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    found = [f"{path}.{name} is missing" for name in schema.get("required", ()) if name not in value]
    for name, item in value.items():
        if name in inside or isinstance(others, dict):
            found += fits(item, inside.get(name, others), f"{path}.{name}", closed=closed)
        elif others is False or (closed and inside):
            found.append(f"{path}.{name} is not declared")
    return found


def reprs(value: Any, path: str = "") -> list[str]:
    """Where a text is a value as Python writes it for programmers."""
    if isinstance(value, dict):
        return [one for name, item in value.items() for one in [*reprs(name, path), *reprs(item, f"{path}.{name}")]]
    if isinstance(value, list):
        return [one for item in value for one in reprs(item, f"{path}[]")]
    return [f"{path}: {value}"] if isinstance(value, str) and REPR.search(value) else []
