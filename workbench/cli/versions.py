"""By which name and version a program knows the schema of what a command prints with `--json`.

The types are in `cli.answers`, which a command that computes with numbers alone does not wait for.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

SCHEMA = "schema"
"""The key under which every object that is printed says which schema it follows."""
NAMESPACE = "urn:anonymisation-workbench"
ERROR = "error"
"""The name of the schema of an error; others are called as their command is typed, such as `project-show`."""
PAGE = "verify-page"
"""The name of the schema of `verify` for a page that it could not, or need not, hold against a file."""

_LATER: Mapping[str, int] = MappingProxyType({"compare": 2})
"""Commands that have another version than the first."""


def version_of(name: str) -> int:
    """The version of the answer of a command."""
    return _LATER.get(name, 1)


def schema_name(name: str) -> str:
    """How the schema of a command's answer is called, wherever it is."""
    return f"{NAMESPACE}:{name}:{version_of(name)}"
