"""A JSON Schema, with a version, of what each command prints with `--json`, made from the keys that are promised.

A key is required where every recorded answer of the command has it. More keys may come without a new version; a key
that goes, or changes its type, makes one.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

VERSION = 1
_TYPES = {
    "text": "string", "integer": "integer", "number": "number", "boolean": "boolean", "null": "null",
    "object": "object", "array": "array",
}  # fmt: skip
_GROUPS = ("project", "hierarchy", "plugins")


def files(answers: Path) -> dict[str, str]:
    """By name of the file, the schema of each command, and that of errors."""
    shapes: dict[str, list[dict[str, list[str]]]] = {}
    for file in sorted(answers.glob("*.json")):
        for step in json.loads(file.read_text(encoding="utf-8"))["steps"]:
            if step.get("keys"):
                words = step["words"]
                name = "-".join(words[: 2 if words[0] in _GROUPS else 1])
                shapes.setdefault(name, []).append(step["keys"])
    found = {name: _whole(name, known) for name, known in shapes.items()}
    found["error"] = _identified("error", _ERROR)
    return {f"{name}.schema.json": json.dumps(one, indent=1, ensure_ascii=False) + "\n" for name, one in found.items()}


def _whole(name: str, shapes: list[dict[str, list[str]]]) -> dict[str, Any]:
    types: dict[str, set[str]] = {}
    for shape in shapes:
        for path, kinds in shape.items():
            types.setdefault(path, set()).update(kinds)
    schema: dict[str, Any] = {"type": "object"}
    for path in sorted(types):
        if path and not path.startswith("settings."):  # whose names have dots, and stand in a page of their own
            _put(schema, path, sorted(_TYPES[kind] for kind in types[path]))
    always = set(types).intersection(*shapes)
    schema["required"] = sorted({path for path in always if path and not {".", "["} & set(path)})
    return _identified(name, schema)


def _identified(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:anonymisation-workbench:{name}:{VERSION}",
        **schema,
    }


def _put(schema: dict[str, Any], path: str, kinds: list[str]) -> None:
    """Put the types of a value where its path leads; names of settings and columns hold dots, and stay whole."""
    for part in _parts(path):
        schema = (
            schema.setdefault("items", {}) if part == "[]" else schema.setdefault("properties", {}).setdefault(part, {})
        )
    schema["type"] = kinds[0] if len(kinds) == 1 else kinds


def _parts(path: str) -> list[str]:
    parts: list[str] = []
    for name in path.split("."):
        plain = name.rstrip("[]")
        parts += [*([plain] if plain else []), *["[]"] * name.count("[]")]
    return parts


_ERROR: dict[str, Any] = {
    "type": "object",
    "required": ["error", "notes", "charged"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["message", "hint", "field"],
            "properties": {name: {"type": "string"} for name in ("message", "hint", "field")},
        },
        "notes": {"type": "array", "items": {"type": "string"}},
        "charged": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["what", "epsilon", "delta", "answer_kept"],
                "properties": {
                    **{name: {"type": "string"} for name in ("what", "epsilon", "delta")},
                    "answer_kept": {"type": "boolean"},
                },
            },
        },
    },
}
