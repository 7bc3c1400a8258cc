"""Columns that never become `*`, as fine as they can be without a row less."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.core.public_sizes import public_sizes
from workbench.session.release.outlook import Outlook
from workbench.session.release.said import said_of
from workbench.session.release.spread import FEW, in_hundred
from workbench.session.release.tried_remedy import AS_MUCH, OutlookRemedy, outlook_after
from workbench.session.release.wishes import enough_of, least_of, never_star, wish_least
from workbench.session.session import Session


def keep_as_fine_as_free(names: Sequence[str], forecast: Outlook, session: Session) -> None:
    """Let columns never become `*`, each as fine as it can be without a row less in the forecast.

    They become finer in turn, a level at a time, so that none takes what all could have.

    Parameters
    ----------
    forecast
        The outlook with all of them at their coarsest levels that say something.
    """
    never_star(session, names)
    said, left = said_of(session.project), list(names)
    while left:
        for name in tuple(left):
            hierarchy, level = session.project.hierarchies.get(name), least_of(session, name)
            labels = public_sizes(hierarchy, said.get(name, ())).labels
            # Another way to write the same is no detail, and what a rule takes for one may be several spellings.
            finer = level is not None and level > enough_of(session, name) and labels[level - 1] > labels[level]
            if level is None or not finer or not _is_free(session, name, level - 1, forecast):
                left.remove(name)
            else:
                wish_least(session, name, level - 1)


def _is_free(session: Session, name: str, level: int, forecast: Outlook) -> bool:
    """Whether as many rows are likely to come out, and no other column says less, with a column no coarser than so."""
    after = outlook_after(session, OutlookRemedy("", lambda trial: wish_least(trial, name, level)))
    if after is None or any(new < old for new, old in zip(_rows(after), _rows(forecast), strict=True)):
        return False
    lost = {*after.starred, *after.often, *after.covering} - {*forecast.starred, *forecast.often, *forecast.covering}
    return not lost and after.told >= AS_MUCH * forecast.told


def _rows(found: Outlook) -> tuple[int, int]:
    """Both ends of how many rows in 100 are likely to come out, as they are told."""
    low, high = in_hundred([found.fewest, found.hopeful])
    return (0 if low < FEW else low), high
