"""The distributions that bring plugins, and those that the person trusts; no plugin is read for that."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from workbench.core.errors import WorkbenchError
from workbench.core.plugins import foreign_entry_points
from workbench.core.trust import TRUST, Origin, normalised
from workbench.io.trusted_plugins import keep_trust, kept_trust


def origins() -> tuple[Origin, ...]:
    """The distributions whose plugins are installed, whether they can be used or not."""
    return tuple({origin.key: origin for origin, _ in foreign_entry_points()}.values())


def named(names: Iterable[str]) -> tuple[Origin, ...]:
    """The installed distributions of these names.

    Raises
    ------
    WorkbenchError
        If one has no plugin here.
    """
    wanted = tuple(names)
    if not wanted:
        return ()  # nothing installed is looked through for the usual command
    known = {normalised(origin.distribution): origin for origin in origins()}
    found = []
    for name in wanted:
        if normalised(name) not in known:
            there = ", ".join(origin.distribution for origin in known.values()) or "none"
            raise WorkbenchError(
                f"No plug-in of a distribution “{name}” is installed.",
                hint=f"Installed are: {there}. “workbench plugins list” shows what they bring.",
                field="trust_plugin",
            )
        found.append(known[normalised(name)])
    return tuple(found)


def trust_kept(more: Sequence[Origin] = ()) -> None:
    """Let this process trust what the person's settings say, and these."""
    TRUST.only((*kept_trust(), *more))


def trust_always(origin: Origin, *, trusted: bool) -> None:
    """Trust a distribution in its version from now on, or no longer, in this process and later ones.

    Raises
    ------
    WorkbenchError
        If it cannot be written down; then nothing changes.
    """
    keep_trust(origin, trusted=trusted)
    keys = {one.key: one for one in origins() if one.trusted and one.key != origin.key}
    TRUST.only((*keys.values(), *((origin,) if trusted else ())))
