"""All targets by name."""

from __future__ import annotations

from tests.fuzzing import documents, options, tables
from tests.fuzzing.hunting import Target

TARGETS: dict[str, Target] = {target.name: target for target in (*tables.TARGETS, *documents.TARGETS, *options.TARGETS)}
