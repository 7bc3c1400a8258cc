"""What would make the outlook of a release better: tried on a copy of the settings, so that none makes it worse."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from workbench.anonymise.balanced import Importance
from workbench.anonymise.recipe import Treatment
from workbench.core.errors import WorkbenchError
from workbench.session.release.outlook import Outlook
from workbench.session.release.prospect import expected_of
from workbench.session.release.steps import LevelSource
from workbench.session.release.wishes import least_of, never_star, telling_levels, wish_least, with_least
from workbench.session.session import Session

_MOST = 2
_ENOUGH = 0.5
"""From this share of the rows on that may come out, no column is given up for more of them unasked."""
_MANY = 3
"""So many columns are not named."""
_COSTS = 0.05
"""A smaller share of the rows is not told as a cost."""


@dataclass(frozen=True)
class OutlookRemedy:
    """What would help, in words, and the edit that does it; none where the person has something to say first.

    `field` names the control of the room where that is said.
    """

    words: str
    edit: Callable[[Session], object] | None
    field: str = ""


def remedies(session: Session, found: Outlook) -> tuple[OutlookRemedy, ...]:
    """At most two edits after which more is told, or as much with a column less that says nothing.

    None before it was typed how many rows are expected: what helps depends on that. No row is read.
    """
    if not found.typed:
        return ()
    helping = [OutlookRemedy(f"Say what occurs in {name}", None, f"occurring:{name}") for name in found.unsaid[:1]]
    kept = _never_star(session, found)
    if kept is not None:
        helping.insert(0, kept)
    for one in _candidates(session, found):
        after = _outlook_after(session, one)
        if after is not None and _better(after, found):
            helping.append(one)
    return tuple(helping[:_MOST])


def what_is_lost(session: Session, found: Outlook) -> str:
    """What it costs that columns must not become `*`, in a sentence; "" if no column must, or hardly anything."""
    names = with_least(session)
    after = _outlook_after(session, OutlookRemedy("", partial(_let_star, names))) if names else None
    if after is None or max(after.fewest - found.fewest, after.hopeful - found.hopeful) < _COSTS:
        return ""
    low, high = round(100 * after.fewest), round(100 * after.hopeful)
    return f"Else {low} to {high} in 100, but {_few(names)} must not become *."


def _never_star(session: Session, found: Outlook) -> OutlookRemedy | None:
    """Let all columns that are to be kept longest stay, if most rows may come out all the same."""
    steps, hierarchies = session.release.steps, session.project.hierarchies
    kept = [one for one in found.widest if steps.importance(one) is Importance.KEEP and one not in found.silent]
    # With one of them alone `*` would move to the next.
    names = [name for name in kept if telling_levels(hierarchies.get(name)) and least_of(session, name) is None]
    if {*found.starred, *found.often}.isdisjoint(names) or steps.source is not LevelSource.BALANCED:
        return None
    one = OutlookRemedy(f"Never * in {_few(names)}", partial(_keep_all, names))
    after = _outlook_after(session, one)
    return one if after is not None and after.hopeful >= _ENOUGH else None


def _better(after: Outlook, found: Outlook) -> bool:
    """Whether more is told, in no fewer rows and with no more columns that are `*` in most of them."""
    if after.told == found.told:
        return bool(found.silent)
    worse = len(after.starred) > len(found.starred) and found.hopeful >= _ENOUGH
    return after.told > found.told and not worse


def _candidates(session: Session, found: Outlook) -> Iterator[OutlookRemedy]:
    steps = session.release.steps
    balanced = steps.source is LevelSource.BALANCED
    if found.wanting and not balanced:
        yield OutlookRemedy("In steps (recommended)", _in_steps)
    lost = [name for name in found.starred if balanced and steps.importance(name) is Importance.NORMAL]
    if found.wanting and lost:
        yield OutlookRemedy(f"Keep {lost[0]}", partial(_keep, lost[0]))
    # What is to be kept longest, or at least somehow fine, is why the table is published: it is never to be left out.
    free = [
        one for one in found.widest if steps.importance(one) is not Importance.KEEP and least_of(session, one) is None
    ]
    silent = [name for name in found.silent if name in free]
    spare = [name for name in free if found.wanting and name not in found.silent]
    spare.sort(key=lambda name: steps.importance(name) is not Importance.GIVE_UP)
    if len([name for name in found.widest if name not in found.silent]) > 1:
        for name in (*silent[:1], *spare[:_MOST]):
            yield OutlookRemedy(f"Leave {name} out", partial(_leave_out, name))


def _outlook_after(session: Session, one: OutlookRemedy) -> Outlook | None:
    trial = session.snapshot()
    if one.edit is None:
        return None
    try:
        one.edit(trial)
        return expected_of(trial, trial.release.promise())[1]
    except WorkbenchError:
        return None


def _in_steps(session: Session) -> None:
    session.release.steps.set_source(LevelSource.BALANCED)


def _keep(name: str, session: Session) -> None:
    session.release.steps.set_importance(name, Importance.KEEP)


def _keep_all(names: Sequence[str], session: Session) -> None:
    never_star(session, names)


def _let_star(names: Sequence[str], session: Session) -> None:
    for name in names:
        wish_least(session, name, None)


def _few(names: Sequence[str]) -> str:
    return " and ".join(names) if len(names) < _MANY else f"{len(names):,} columns"


def _leave_out(name: str, session: Session) -> None:
    session.release.columns.set_treatment(name, Treatment.LEAVE_OUT)
    session.release.steps.mend()
