"""The plugins of third parties: which are there, and which are left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from workbench.anonymise.privacy import MODELS
from workbench.anonymise.utility import METRICS
from workbench.core.building import BUILDERS
from workbench.core.plugins import PluginProblem, Registry, foreign_entry_points
from workbench.core.trust import Origin
from workbench.evaluate.method import METHODS
from workbench.evaluate.preset import PRESETS
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
