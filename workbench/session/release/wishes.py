"""The wishes of a person for a column in a release: at most how much detail, and at least how much.

At least: it is never coarser, so it is never `*`, and rows that are too few for that do not come out. Both are kept as
limits of the levels, are names of levels, and read no row.
"""

from __future__ import annotations

from collections.abc import Iterable

from workbench.anonymise.balanced import Importance
from workbench.anonymise.recipe import Treatment
from workbench.core.hierarchy import Hierarchy
from workbench.session.release.steps import LevelSource
from workbench.session.session import Session


def plain_level(hierarchy: Hierarchy) -> int:
    """The level that says what the values say: in other letters, or with fewer spaces, it says the same."""
    own = telling_levels(hierarchy)
    return own[-1] if own and (hierarchy.specification or {}).get("builder") == "spelling" else 0


def telling_levels(hierarchy: Hierarchy | None) -> list[int]:
    """The levels at which a column says something, the finest first; none without a hierarchy."""
    if hierarchy is None:
        return []
    return [level for level in range(hierarchy.height + 1) if not hierarchy.says_nothing(level)]


def enough_of(session: Session, name: str) -> int:
    """The finest level that a column may have."""
    return session.project.anonymise.level_choice.limits.get(name, (0, 0))[0]


def least_of(session: Session, name: str) -> int | None:
    """The coarsest level that a column may have; None if it may become `*`, or has no level that is."""
    hierarchy = session.project.hierarchies.get(name)
    if hierarchy is None or not hierarchy.says_nothing(hierarchy.height):
        return None
    low, high = session.project.anonymise.level_choice.limits.get(name, (0, hierarchy.height))
    return high if low <= high < hierarchy.height and not hierarchy.says_nothing(high) else None


def offers_details(session: Session, name: str) -> bool:
    """Whether a column can be asked for at one detail: balanced steps decide otherwise, and at the end it is `*`."""
    return session.release.columns.treatment(name) is Treatment.GENERALISE and has_details(session, name)


def has_details(session: Session, name: str) -> bool:
    """The same of a column that is in the file, or was."""
    hierarchy = session.project.hierarchies.get(name)
    return (
        session.release.steps.source is LevelSource.BALANCED
        and hierarchy is not None
        and not session.release.columns.is_suppressed(name)
        and hierarchy.says_nothing(hierarchy.height)
        and bool(telling_levels(hierarchy))
    )


def wish_enough(session: Session, name: str, level: int) -> None:
    """Let no step be finer than a level; it may then become `*` again."""
    session.release.columns.limit_levels(name, (level, session.project.hierarchies[name].height) if level else None)


def wish_least(session: Session, name: str, level: int | None) -> None:
    """Let no step be coarser than a level; None lets it become `*` again."""
    enough = enough_of(session, name)
    if level is None:
        wish_enough(session, name, enough)
    else:
        session.release.columns.limit_levels(name, (min(enough, level), level))


def wish_exactly(session: Session, name: str, level: int | None) -> None:
    """Let every step have one level; None leaves it to the program again."""
    wish_enough(session, name, level or 0)
    wish_least(session, name, level)


def never_star(session: Session, names: Iterable[str]) -> None:
    """Let columns never become `*`, at the coarsest level that still says something."""
    for name in names:
        levels = telling_levels(session.project.hierarchies.get(name))
        if levels and least_of(session, name) is None:
            wish_least(session, name, levels[-1])


def ranked(session: Session, names: Iterable[str]) -> tuple[str, ...]:
    """Those of these columns of which it is said that they matter most."""
    return tuple(name for name in names if session.release.steps.importance(name) is Importance.KEEP)


def with_least(session: Session) -> list[str]:
    """The columns that must not become `*`."""
    return [name for name in session.release.chain().vectors[0] if least_of(session, name) is not None]
