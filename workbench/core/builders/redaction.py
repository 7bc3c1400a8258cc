"""Parts of texts removed by pattern, one rule a level."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from workbench.core.bounded_patterns import replaced
from workbench.core.building import Builder, BuilderSettings, BuilderValues, Level, Levels, ProvenanceAssessment
from workbench.core.details import Details
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY, Provenance
from workbench.core.params import ParamSpec, ParamType
from workbench.core.schema import ColumnSpec, Kind

_LONGEST = 4000

Rule = Callable[[Sequence[str]], list[str]]


def _build(settings: BuilderSettings, material: BuilderValues) -> Levels:
    covered = material.present
    labels = [material.values[i] for i in covered.tolist()]
    codes = np.arange(len(labels), dtype=np.int32)
    made: list[Level] = []
    for rule in _rules(settings):
        # A rule works on the labels of the level before, so whatever it does, the levels are nested.
        index: dict[str, int] = {}
        fresh = [index.setdefault(text, len(index)) for text in rule(labels)]
        codes = np.array(fresh, dtype=np.int32)[codes] if fresh else codes
        labels = list(index)
        made.append((codes, labels))
    return Levels(covered, made)


def _rules(settings: BuilderSettings) -> list[Rule]:
    entries = settings.details.entries("rules", "rule")
    if not entries:
        raise WorkbenchError(
            "There is no pattern.", hint="Give at least one rule, such as the pattern [0-9]+.", field="rules"
        )
    return [_rule(entry, settings["ignore_case"]) for entry in entries]


def _rule(entry: Details, ignore_case: bool) -> Rule:
    entry.only("pattern", "replacement", "each")
    pattern = entry.text("pattern")
    if not pattern or len(pattern) > _LONGEST:
        raise entry.wrong("pattern", "is empty or far too long", "Give a regular expression such as [0-9]+.")
    try:
        compiled = re.compile(pattern, re.IGNORECASE if ignore_case else 0)
    except (re.error, OverflowError, RecursionError) as error:
        raise entry.wrong("pattern", f"is not a regular expression: {error}", "Correct it.") from error
    # With `each` as many characters as were found: the length stays visible.
    each = bool(entry.plain.get("each", False))
    replacement = entry.text("replacement", ANY)

    def rule(texts: Sequence[str]) -> list[str]:
        try:
            return replaced(compiled, replacement, texts, each=each)
        except WorkbenchError as error:
            words = error.message[:1].lower() + error.message[1:]
            raise WorkbenchError(f"{entry.where.capitalize()}: {words}", hint=error.hint, field="pattern") from error

    return rule


def _assess(settings: BuilderSettings, column: ColumnSpec) -> ProvenanceAssessment:
    count = len(_rules(settings))
    what = "1 pattern" if count == 1 else f"any of {count} patterns"
    return ProvenanceAssessment(Provenance.PUBLIC, f"What matches {what} is replaced; the patterns were typed in.")


def _suggest(column: ColumnSpec) -> tuple[dict[str, Any], dict[str, Any]]:
    return {}, {"rules": [{"pattern": "[0-9]", "replacement": ANY, "each": False}]}


PLUGIN = Builder(
    identifier="redaction",
    title="Redact by pattern",
    help="What matches a pattern is replaced.",
    parameters=(ParamSpec("ignore_case", "Ignore case", ParamType.SWITCH, False, "Whether A also matches a."),),
    details=("rules",),
    build=_build,
    assess=_assess,
    suggest=_suggest,
    suits=lambda column: int(column.kind is Kind.TEXT),
)
