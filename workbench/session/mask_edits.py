"""Masks that are made anew for codes of another length, and take the place of those that are attached."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from workbench.core.building import build_unseen
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT, Progress
from workbench.session.mask_lengths import mask_length, with_length
from workbench.session.session import Session


def mask_builder(session: Session, lengths: Mapping[str, int]) -> Callable[[Progress], dict[str, Hierarchy]]:
    """A function, for any thread, that makes the masks of these columns anew for codes of so many characters.

    One of which none can be built, such as one without a value, is left out.
    """
    project, table = session.project, session.data.reading.table
    masks = {name: project.hierarchies.get(name) for name in lengths}
    plain = {name: one.specification for name, one in masks.items() if one is not None and mask_length(one)}
    wanted = [(one, table[name], project.schema[name]) for name, one in plain.items() if one is not None]

    def build(progress: Progress = SILENT) -> dict[str, Hierarchy]:
        made = {}
        for place, (mask, column, spec) in enumerate(wanted):
            progress(place / len(wanted))
            longer = with_length(mask, lengths[spec.name])
            try:
                made[spec.name] = build_unseen(longer, column.values, column.counts, spec)
            except WorkbenchError:
                continue
        return made

    return build


def take_masks(session: Session, made: Mapping[str, Hierarchy]) -> None:
    """Attach masks of another length; wishes for levels go on to mean as many characters as before."""
    for name, mask in made.items():
        before = session.project.hierarchies[name].height
        limits = session.project.anonymise.level_choice.limits.get(name)
        session.data.attach_hierarchies({name: mask})
        if limits is not None:
            longer = mask.height - before
            low = max(limits[0] + longer, 0) if limits[0] else 0
            high = mask.height if limits[1] == before else max(limits[1] + longer, low)
            unlimited = (low, high) == (0, mask.height)
            session.release.columns.limit_levels(name, None if unlimited else (min(low, high), high))
    session.release.steps.mend()
