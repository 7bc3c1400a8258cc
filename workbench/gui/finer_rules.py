"""Rules that are made anew as soon as somebody said how far their columns reach, or how long their codes are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from itertools import count
from types import MappingProxyType

from workbench.core.hierarchy import Hierarchy
from workbench.gui.document import Document
from workbench.gui.engines import unlisted
from workbench.project.model import Project
from workbench.session import Session
from workbench.session.finer_edits import take_finer
from workbench.session.interval_widths import (
    EQUAL,
    WIDENING,
    is_otherwise,
    widening_names,
    widths_now,
    widths_settled,
)
from workbench.session.mask_edits import mask_builder, take_masks
from workbench.session.mask_lengths import mask_length
from workbench.session.release.steps import LevelSource
from workbench.session.suggested_hierarchies import finer_words, spells_otherwise

Widths = Mapping[str, bool | None]
"""By column whose intervals a rule made, whether they widen; None where that follows from its name and range."""

FINER_JOB = "hierarchies.finer"
MASKS_JOB = "hierarchies.masks"
_SAID = count(1)


def one_step() -> str:
    """A key that an edit shares with the finer rules that follow from it, so that one undo takes both back."""
    return f"said.{next(_SAID)}"


def is_making(document: Document) -> bool:
    """Whether rules are made anew, so that what follows from what was said is not known yet."""
    return any((job.key or "").startswith((FINER_JOB, MASKS_JOB)) for job in document.runner.jobs)


def settled_widths(document: Document, names: Iterable[str]) -> dict[str, bool | None]:
    """Of these columns those whose intervals a rule made, as that stands before more is said of them."""
    project = document.project
    known = [name for name in names if name in project.schema.names and widths_now(project, name) is not None]
    return {name: widths_settled(project, name) for name in known}


def make_finer(
    document: Document, names: Iterable[str], *, merge: str, widths: Widths = MappingProxyType({}), text: str = ""
) -> None:
    """Make the hierarchies of these columns anew by rule, where what was said of them makes the rule finer.

    So are those in whose words it was said how they are written, and those whose intervals are to be equal, or to
    widen, and do not. Only what a rule made is made anew: a hierarchy that somebody built, attached or
    corrected stays, and so do all where levels were chosen by hand, which would mean others then. The rule follows
    from what is public of a column and from what was said of it; no row decides.

    Parameters
    ----------
    merge
        As of the edit in which it was said, see `one_step`.
    widths
        Whether intervals widen, of those columns where that was settled before, or is chosen; see `settled_widths`.
    text
        What the step is called; "" where that follows from the columns.
    """
    session = document.session
    if not document.has_data or session.release.steps.source is not LevelSource.BALANCED:
        return
    table, names = session.data.reading.table, tuple(names)
    known = [name for name in names if name in document.project.schema.names]
    widening = widening_names(document.project, known, widths)
    wanted = {name: name in widening for name in names}
    finer = [
        name
        for name, widens in wanted.items()
        if not unlisted(table, name) and _is_otherwise(document.project, name, widens, widths)
    ]
    if not finer:
        return
    before = {name: document.project.hierarchies[name] for name in finer}
    document.runner.start(
        "Making rules anew",
        session.data.hierarchy_suggester(finer, widening),
        on_done=partial(_take, document, session, before, merge, wanted, widths, text),
        owner=document,
        key=FINER_JOB,
    )


def _take(
    document: Document,
    session: Session,
    before: Mapping[str, Hierarchy],
    merge: str,
    wanted: Mapping[str, bool],
    widths: Widths,
    text: str,
    made: Mapping[str, Hierarchy],
) -> None:
    if document.session is not session:
        return  # another table is open by now
    # What was given another meanwhile keeps it, and what was said may have been taken back.
    project = session.project
    still = widening_names(project, [name for name in made if name in project.schema.names], widths)
    taken = {
        name: one
        for name, one in made.items()
        if project.hierarchies.get(name) is before[name]
        and (name in still) is wanted[name]
        and _is_otherwise(project, name, wanted[name], widths)
    }
    if not taken:
        return
    # Nothing is told of it: each column shows its detail, and what its rule rests on is signed where it is published.
    made_anew = text or f"Make {', '.join(taken)} anew"
    document.apply(made_anew, lambda edited: take_finer(edited, taken), merge=merge)


def _is_otherwise(project: Project, name: str, widens: bool, widths: Widths) -> bool:
    """Whether the rule for a column has become another one since something was said of it."""
    otherwise = is_otherwise(project, name, widening=widens, ruled=name in widths)
    return otherwise or bool(not widens and finer_words(project, name)) or spells_otherwise(project, name)


def change_widths(document: Document, name: str, *, widening: bool) -> None:
    """Let the intervals of a column widen, or make them equal again, as a step of its own."""
    text = f"{(WIDENING if widening else EQUAL).capitalize()} of {name}"
    make_finer(document, (name,), merge=one_step(), widths={name: widening}, text=text)


def make_masks(document: Document, lengths: Mapping[str, int], *, merge: str = "", told: bool = True) -> None:
    """Make the masks of these columns anew for codes of so many characters; those that are so already stay.

    Parameters
    ----------
    merge
        As of the edit in which it was said, see `one_step`; "" where it is one of its own.
    told
        Whether it is said, as it must be where nobody sees it.
    """
    session, hierarchies = document.session, document.project.hierarchies
    table = session.data.reading.table if document.has_data else None
    before = {
        name: hierarchies[name]
        for name, length in lengths.items()
        if table is not None and mask_length(hierarchies.get(name)) not in (None, length) and not unlisted(table, name)
    }
    if before:
        document.runner.start(
            "Masking codes of another length",
            mask_builder(session, {name: lengths[name] for name in before}),
            on_done=partial(_take_masks, document, session, before, merge, told),
            owner=document,
            key=f"{MASKS_JOB}.{', '.join(before)}",
            latest_wins=True,
        )


def _take_masks(
    document: Document,
    session: Session,
    before: Mapping[str, Hierarchy],
    merge: str,
    told: bool,
    made: Mapping[str, Hierarchy],
) -> None:
    if document.session is not session:
        return  # another table is open by now
    wanted = {name: one for name, one in made.items() if session.project.hierarchies.get(name) is before[name]}
    long = ", ".join(f"{name} as codes of {mask_length(one)} characters" for name, one in wanted.items())
    if wanted and document.apply(f"Mask {long}", lambda edited: take_masks(edited, wanted), merge=merge) and told:
        document.noted.emit("info", f"New masks by rule, from what you said: {', '.join(wanted)}.")
