"""The plugins of third parties: which are there, which are left out, and which the person trusts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.anonymise.privacy import MODELS
from workbench.anonymise.utility import METRICS
from workbench.core.building import BUILDERS
from workbench.core.errors import WorkbenchError
from workbench.core.plugins import PluginProblem, Registry, foreign_entry_points
from workbench.core.trust import TRUST, Origin, normalised
from workbench.evaluate.method import METHODS
from workbench.evaluate.preset import PRESETS
from workbench.io.trusted_plugins import keep_trust, kept_trust
from workbench.ldp.estimator import ESTIMATORS
from workbench.ldp.protocol import PROTOCOLS
from workbench.mechanisms.mechanism import MECHANISMS
from workbench.query.catalogue import QUERIES

KINDS: tuple[Registry[Any], ...] = (
    QUERIES,
    PROTOCOLS,
    ESTIMATORS,
    MECHANISMS,
    MODELS,
    METRICS,
    BUILDERS,
    METHODS,
    PRESETS,
)
"""Every kind of plugin there is, those whose promises count first."""


@dataclass(frozen=True)
class Installed:
    """A plugin of a third party that can be used.

    Parameters
    ----------
    kind, identifier, title
        What it is.
    origin
        Its distribution.
    """

    kind: str
    identifier: str
    title: str
    origin: Origin


def installed() -> tuple[Installed, ...]:
    """The plugins of third parties that can be used."""
    if not foreign_entry_points():
        return ()  # spares the window reading what it does not need yet
    return tuple(
        Installed(registry.kind, one.identifier, one.title, registry.origin(one.identifier))
        for registry in KINDS
        for one in registry.foreign
    )


def left_out(*, only_read: bool = False) -> tuple[PluginProblem, ...]:
    """The plugins of third parties that cannot be used, each with what is wrong.

    Parameters
    ----------
    only_read
        Of the kinds that were asked for in this process alone, so that nothing is imported for the question.
    """
    points = foreign_entry_points()
    if not points:
        return ()
    prefixes = tuple(registry.prefix for registry in KINDS)
    known = ", ".join(prefix.rstrip(".") for prefix in prefixes)
    strange = tuple(
        PluginProblem(origin, point.name, f"there is no such kind of plug-in; known are {known}.")
        for origin, point in points
        if not point.name.startswith(prefixes)
    )
    read = (registry for registry in KINDS if registry.been_read or not only_read)
    return (*strange, *(problem for registry in read for problem in registry.problems))


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
