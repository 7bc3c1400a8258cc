"""Plugins: one file each, found by being there.

A built-in plugin is a module of a package that defines `PLUGIN`; adding one touches no other file. Third
parties name theirs under the entry-point group `workbench.plugins`, as `<kind>.<identifier>`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cached_property
from importlib.metadata import entry_points
from typing import Generic, Protocol, TypeVar

from workbench.core.errors import WorkbenchError

GROUP = "workbench.plugins"


class Plugin(Protocol):
    """What every plugin has."""

    @property
    def identifier(self) -> str: ...


P = TypeVar("P", bound=Plugin)


class Registry(Generic[P]):
    """The plugins of one kind, read when they are first asked for.

    Parameters
    ----------
    kind
        Such as "privacy model": used in messages, and with "-" for spaces in entry-point names.
    package
        Dotted name of the package whose modules are the built-in plugins.
    """

    def __init__(self, kind: str, package: str) -> None:
        self.kind = kind
        self._package = package

    @cached_property
    def _plugins(self) -> dict[str, P]:
        package = importlib.import_module(self._package)
        found: dict[str, P] = {}
        for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda one: one.name):
            plugin = getattr(importlib.import_module(f"{self._package}.{module.name}"), "PLUGIN", None)
            if plugin is not None:
                found[plugin.identifier] = plugin
        prefix = self.kind.replace(" ", "-") + "."
        for point in entry_points(group=GROUP):
            if point.name.startswith(prefix):
                plugin = point.load()
                # A third party may add, but not quietly replace what the program's tests vouch for.
                found.setdefault(plugin.identifier, plugin)
        return found

    def __iter__(self) -> Iterator[P]:
        return iter(self._plugins.values())

    def __contains__(self, identifier: str) -> bool:
        return identifier in self._plugins

    def __getitem__(self, identifier: str) -> P:
        if identifier not in self._plugins:
            raise WorkbenchError(
                f"There is no {self.kind} “{identifier}”.", hint=f"Known are: {', '.join(self._plugins)}."
            )
        return self._plugins[identifier]
