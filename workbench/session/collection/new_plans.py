"""Beginnings of a new question to people, where files that say nothing of it mean what older programs did."""

from __future__ import annotations

from typing import Any

from workbench.ldp.share_margin import MARGIN
from workbench.project.collect_settings import CollectSettings

_SILENT = CollectSettings()
"""What a file means that says nothing."""
COLLECTIONS = 200
"""So many are simulated of a new question: 20 often tell the order of protocols wrong."""
USUAL_GOAL = 3.0
"""Points of the margin of each share that a new survey is planned for."""


def planned_anew(settings: CollectSettings) -> dict[str, Any]:
    """What a new survey begins with; what somebody chose stays."""
    anew: dict[str, Any] = {}
    if settings.repetitions == _SILENT.repetitions:
        anew["repetitions"] = COLLECTIONS
    if (settings.aim, settings.target) == (_SILENT.aim, _SILENT.target):
        anew |= {"aim": MARGIN, "target": USUAL_GOAL}
    return anew


def asked_first(settings: CollectSettings) -> dict[str, Any]:
    """What the first question about a table begins with."""
    return {"repetitions": COLLECTIONS} if settings == _SILENT else {}
