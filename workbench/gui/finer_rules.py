"""Rules that are made anew, finer, as soon as somebody said from where to where their columns reach."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from itertools import count

from workbench.core.hierarchy import Hierarchy
from workbench.gui.document import Document
from workbench.gui.engines import unlisted
from workbench.session import Session
from workbench.session.release.steps import LevelSource
from workbench.session.suggested_hierarchies import finer_words

FINER_JOB = "hierarchies.finer"
_SAID = count(1)


def one_step() -> str:
    """A key that an edit shares with the finer rules that follow from it, so that one undo takes both back."""
    return f"said.{next(_SAID)}"


def make_finer(document: Document, names: Iterable[str], *, merge: str) -> None:
    """Make the hierarchies of these columns anew by rule, where what was said of them makes the rule finer.

    Only what a rule made for those who did not know more is made anew: a hierarchy that somebody built, attached or
    corrected stays, and so do all where levels were chosen by hand, which would mean others then. The rule follows
    from what is public of a column and from what was said of it; no row decides.

    Parameters
    ----------
    merge
        As of the edit in which it was said, see `one_step`.
    """
    session = document.session
    if not document.has_data or session.release.steps.source is not LevelSource.BALANCED:
        return
    table = session.data.reading.table
    finer = [name for name in names if not unlisted(table, name) and finer_words(document.project, name)]
    if not finer:
        return
    before = {name: document.project.hierarchies[name] for name in finer}
    document.runner.start(
        "Making intervals finer",
        session.data.hierarchy_suggester(finer),
        on_done=partial(_take, document, session, before, merge),
        owner=document,
        key=FINER_JOB,
    )


def _take(
    document: Document, session: Session, before: Mapping[str, Hierarchy], merge: str, made: Mapping[str, Hierarchy]
) -> None:
    if document.session is not session:
        return  # another table is open by now
    # What was given another meanwhile keeps it, and what was said may have been taken back.
    wanted = {
        name: one
        for name, one in made.items()
        if session.project.hierarchies.get(name) is before[name] and finer_words(session.project, name)
    }
    if not wanted:
        return
    text = f"Make {', '.join(wanted)} finer"
    if document.apply(text, lambda edited: edited.data.attach_hierarchies(wanted), merge=merge):
        document.noted.emit("info", f"New intervals by rule, from what you said: {', '.join(wanted)}.")
