"""The hierarchy of a column as its values and groups may be told now."""

from __future__ import annotations

from workbench.core.hierarchy import Hierarchy
from workbench.session.session import Session


def told_hierarchy(session: Session, name: str) -> Hierarchy | None:
    """The hierarchy of a column over values that may be named and counted now.

    Returns
    -------
    Hierarchy or None
        As it is attached once a look at the data is recorded; before, the same rule or list over public values. None
        where the column has none, or nothing of it is public beyond what the rule says of a level.
    """
    hierarchy = session.project.hierarchies.get(name)
    if hierarchy is None or (session.data.loaded is not None and session.looks.taken):
        return hierarchy
    view = session.unseen.hierarchy(name)
    return view.hierarchy if view is not None and view.hierarchy.height == hierarchy.height else None
