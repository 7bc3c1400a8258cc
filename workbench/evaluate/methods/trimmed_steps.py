"""A release by trimming in steps: what one level vector gives up is released at a coarser one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.anonymise.chains import default_shares
from workbench.anonymise.trim_guarantee import TrimGuarantee, normal_shares
from workbench.anonymise.trim_recipe import MOST_STEPS
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import counted
from workbench.core.params import ParamSpec, ParamType
from workbench.evaluate.method import Answerer, Approach, Method
from workbench.evaluate.released_groups import (
    DELTA,
    HIERARCHY,
    LEVEL,
    OTHERS,
    delta_of,
    groups_of,
    hierarchy_of,
    levels_of,
    problem_of,
    typed_number,
)
from workbench.evaluate.subject import EncodedColumn
from workbench.evaluate.trimmed_release import TrimmedRelease


def answers(subject: EncodedColumn, values: Mapping[str, Any]) -> str:
    found = problem_of(subject, values)
    if found:
        return found
    try:
        vectors, _ = _chain(subject, values)
        _typed_shares(values["shares"], len(vectors))
    except WorkbenchError as error:
        return str(error)
    return ""


def prepare(subject: EncodedColumn, epsilon: float, users: int, values: Mapping[str, Any]) -> Answerer:
    vectors, heights = _chain(subject, values)
    delta, persons_rows = delta_of(values["delta"], users), subject.rows_per_person
    shares = _typed_shares(values["shares"], len(vectors)) or default_shares(
        vectors, heights, epsilon=epsilon, delta=delta, rows_per_person=persons_rows
    )
    promised = TrimGuarantee(epsilon, delta, persons_rows, shares=shares)
    return TrimmedRelease(promised, [groups_of(subject, vector) for vector in vectors])


def _chain(subject: EncodedColumn, values: Mapping[str, Any]) -> tuple[list[dict[str, int]], dict[str, int]]:
    """The levels of each step, each one up from the last as far as its hierarchy goes, and the highest levels."""
    first = levels_of(subject, values)
    heights = {name: hierarchy_of(subject, name, level).height for name, level in first.items()}
    vectors = [first]
    for up in range(1, values["steps"]):
        vector = {name: min(level + up, heights[name]) for name, level in first.items()}
        if vector != vectors[-1]:
            vectors.append(vector)
    return vectors, heights


def _typed_shares(text: str, steps: int) -> tuple[Any, ...]:
    """The shares that were typed for so many steps; () for none."""
    if not text.strip():
        return ()
    typed = [typed_number(part, "shares") for part in text.split(",")]
    if len(typed) != steps:
        raise WorkbenchError(
            f"The shares do not fit the steps: {counted(len(typed), 'share')} and {counted(steps, 'step')}.",
            hint="Write one per step, such as 5,3,2, or leave them empty.",
            field="shares",
        )
    return normal_shares(typed)


def named(values: Mapping[str, Any]) -> str:
    """Such as “Trimmed in 3 steps, from level 1”."""
    hierarchy = f" ({values['hierarchy']})" if values["hierarchy"].strip() else ""
    shares = f", shares {values['shares'].strip()}" if values["shares"].strip() else ""
    return f"Trimmed in {values['steps']} steps, from level {values['level']}{hierarchy}{shares}"


PLUGIN = Method(
    "trimmed-in-steps",
    "Trimmed release in steps",
    "As a trimmed release; what a group gives up is counted again one level up, and so on.",
    "D. Desfontaines, J. Voss, B. Gipson, C. Mandayam: Differentially private partition selection, 2022.",
    Approach.ANONYMISED,
    (
        LEVEL,
        DELTA,
        ParamSpec(
            "steps",
            "Steps",
            ParamType.INTEGER,
            3,
            "How many steps there are, each one level up from the one before.",
            minimum=1,
            maximum=MOST_STEPS,
        ),
        ParamSpec(
            "shares", "Shares", ParamType.TEXT, "", "Of ε and δ that the steps have, such as 5,3,2; empty: by a rule."
        ),
        HIERARCHY,
        OTHERS,
    ),
    answers,
    prepare,
    named,
    uses_hierarchies=True,
)
