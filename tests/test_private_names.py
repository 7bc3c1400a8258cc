"""Tests look at behaviour: how often they reach for what is private may only become less."""

from __future__ import annotations

import ast
import re
from pathlib import Path

TESTS = Path(__file__).resolve().parent
PRIVATE = re.compile(r"_[a-zA-Z]")
MOST = 313
"""Whoever takes some out lowers this; constants that make a limit small enough to be reached are most of the rest."""


def reached(tree: ast.Module) -> list[str]:
    """The private names of other objects that are used."""
    uses = [one for one in ast.walk(tree) if isinstance(one, ast.Attribute) and PRIVATE.match(one.attr)]
    return [one.attr for one in uses if not (isinstance(one.value, ast.Name) and one.value.id in ("self", "cls"))]


def test_tests_reach_for_no_more_private_names() -> None:
    found = {path: reached(ast.parse(path.read_text(encoding="utf-8"))) for path in TESTS.rglob("*.py")}
    assert sum(map(len, found.values())) <= MOST


def test_what_is_private_is_found() -> None:
    assert reached(ast.parse("room._job.cancel()\nself._mine\nroom.__class__")) == ["_job"]
