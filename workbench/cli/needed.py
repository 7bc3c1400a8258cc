"""The answer to `collect --need`: how many people, or which ε, an error takes by each protocol."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from workbench.cli.answers.methods import NeededJson
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import rounded_up
from workbench.core.progress import SILENT, Progress
from workbench.ldp.choice import ProtocolChoice


def wanted(need: str, known: Sequence[str], hint: str) -> tuple[str, float]:
    """The error that is to be reached, such as `l1=0.1`, by its name and size.

    Raises
    ------
    WorkbenchError
        If it is none of those that are known, or not above 0.
    """
    metric, _, text = need.partition("=")
    try:
        target = float(text)
    except ValueError:
        target = math.nan
    if metric not in known or not (target > 0 and math.isfinite(target)):
        raise WorkbenchError(f"--need {need} names no error.", hint=hint, field="need")
    return metric, target


def found_for(
    people: Callable[[Progress], tuple[int, ProtocolChoice]],
    epsilon: Callable[[Progress], tuple[float, ProtocolChoice]],
) -> NeededJson:
    """The people and the ε that two searches find; of the first that finds none why that is."""
    found: NeededJson = {"people": None, "epsilon": None, "problem": ""}
    try:
        found["people"], _ = people(SILENT)
        found["epsilon"], _ = epsilon(SILENT)
    except WorkbenchError as error:
        found["problem"] = error.message
    return found


def needed_words(found: NeededJson, name: str, reached: str) -> str:
    """The same in a sentence, for a protocol of this name and what is reached in words."""
    people = "" if found["people"] is None else f"{found['people']:,} people"
    epsilon = "" if found["epsilon"] is None else f", or ε = {rounded_up(found['epsilon'])} with as many as now"
    if not people:
        return f"{name}: {found['problem']}"
    return f"{name}: {reached} takes {people}{epsilon}{f'. {problem}' if (problem := found['problem']) else ''}"
