"""Plugins: one file each, found by being there.

A built-in plugin is a module of a package that defines `PLUGIN`; adding one touches no other file. Third
parties name theirs under the entry-point group `workbench.plugins`, as `<kind>.<identifier>`. One of theirs that
cannot be used is left out and named (`PluginProblem`); all the others work. Where a plugin came from (`Origin`) stands
beside whatever is made with it, and without trust (`core.trust`) nothing is claimed for it.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import pkgutil
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, Generic, Protocol, TypeVar

from workbench.core.errors import WorkbenchError
from workbench.core.params import ParamSpec
from workbench.core.trust import BUILT_IN, Origin

GROUP = "workbench.plugins"

_IDENTIFIER = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_LONGEST_LINE = 300


@dataclass(frozen=True)
class Described:
    """The description that most kinds of plugins have; forms, lists, help and statements are made from it.

    Parameters
    ----------
    identifier
        The name in files and commands.
    title, summary
        The name for people, and what it is or does in a sentence or two.
    citation
        Where it comes from.
    """

    identifier: str
    title: str
    summary: str
    citation: str


class Plugin(Protocol):
    """The least that every plugin has."""

    @property
    def identifier(self) -> str: ...

    @property
    def title(self) -> str: ...


P = TypeVar("P", bound=Plugin)


@dataclass(frozen=True)
class PluginProblem:
    """A third party's plugin that is left out.

    Parameters
    ----------
    origin
        Its distribution.
    entry_point
        Its name there.
    why
        What is wrong with it, in a line.
    """

    origin: Origin
    entry_point: str
    why: str

    @property
    def sentence(self) -> str:
        """All of it in a line."""
        return f"The plug-in {self.entry_point} of {self.origin.name} is left out: {self.why}"


class Registry(Generic[P]):
    """The plugins of one kind, read when they are first asked for.

    Parameters
    ----------
    kind
        Such as "privacy model": used in messages, and with "-" for spaces in entry-point names.
    package
        Dotted name of the package whose modules are the built-in plugins.
    type_
        What a plugin of this kind is.
    check
        Refuses a third party's plugin by raising, given it and the built-in ones.
    """

    def __init__(
        self, kind: str, package: str, type_: type[P], check: Callable[[P, Iterable[P]], None] | None = None
    ) -> None:
        self.kind = kind
        self._package = package
        self._type = type_
        self._check = check
        _REGISTRIES.append(self)

    @property
    def prefix(self) -> str:
        """How the names of its entry points begin."""
        return self.kind.replace(" ", "-") + "."

    @cached_property
    def _read(self) -> tuple[dict[str, P], dict[str, Origin], tuple[PluginProblem, ...]]:
        package = importlib.import_module(self._package)
        found: dict[str, P] = {}
        for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda one: one.name):
            plugin = getattr(importlib.import_module(f"{self._package}.{module.name}"), "PLUGIN", None)
            if plugin is not None:
                found[plugin.identifier] = plugin
        own, origins, problems = tuple(found.values()), dict[str, Origin](), []
        for origin, point in foreign_entry_points():
            if not point.name.startswith(self.prefix):
                continue
            try:
                plugin = self._accepted(point.load(), own, origin)
                if plugin.identifier in found:
                    by = origins.get(plugin.identifier, BUILT_IN)
                    taken = "this program" if by.built_in else by.name
                    raise WorkbenchError(f"the {self.kind} “{plugin.identifier}” is there already, from {taken}.")
            except (Exception, SystemExit) as error:  # whatever the code of a stranger does when it is imported
                problems.append(PluginProblem(origin, point.name, in_a_line(error)))
            else:
                found[plugin.identifier] = plugin
                origins[plugin.identifier] = origin
        return found, origins, tuple(problems)

    def _accepted(self, plugin: Any, own: Iterable[P], origin: Origin) -> P:
        """The plugin of a third party, if it is one of this kind, with its origin in its title and its help."""
        if not isinstance(plugin, self._type):
            raise WorkbenchError(f"it is a {type(plugin).__name__} and not a {self._type.__name__}.")
        if not isinstance(plugin.identifier, str) or not _IDENTIFIER.fullmatch(plugin.identifier):
            raise WorkbenchError(
                f"its identifier “{plugin.identifier}” is not made of small letters, digits and hyphens."
            )
        for text in ("title", "summary", "citation", "help"):
            if not isinstance(getattr(plugin, text, ""), str):
                raise WorkbenchError(f"its {text} is no text.")
        names = [spec.name for spec in parameters_of(plugin)]
        for name in names:
            if not _NAME.fullmatch(name):
                raise WorkbenchError(f"its parameter “{name}” is not named by small letters, digits and underscores.")
            if names.count(name) > 1:
                raise WorkbenchError(f"it has two parameters “{name}”.")
        if self._check is not None:
            self._check(plugin, own)
        return _labelled(plugin, origin)

    def __iter__(self) -> Iterator[P]:
        return iter(self._read[0].values())

    def __contains__(self, identifier: str) -> bool:
        return identifier in self._read[0]

    def __getitem__(self, identifier: str) -> P:
        plugins = self._read[0]
        if identifier not in plugins:
            raise WorkbenchError(f"There is no {self.kind} “{identifier}”.", hint=f"Known are: {', '.join(plugins)}.")
        return plugins[identifier]

    def origin(self, identifier: str) -> Origin:
        """Where the plugin of this name came from; an unknown name counts as the program's own."""
        return self._read[1].get(identifier, BUILT_IN)

    @property
    def own(self) -> tuple[P, ...]:
        """Those that came with the program."""
        return tuple(one for one in self if self.origin(one.identifier).built_in)

    @property
    def foreign(self) -> tuple[P, ...]:
        """Those of third parties."""
        return tuple(one for one in self if not self.origin(one.identifier).built_in)

    @property
    def problems(self) -> tuple[PluginProblem, ...]:
        """Plugins of third parties that are left out."""
        return self._read[2]

    @property
    def been_read(self) -> bool:
        """Whether anybody asked for its plugins yet."""
        return "_read" in vars(self)

    def names(self, *, titled: bool = False) -> str:
        """All identifiers for a list in help, those of third parties with where they come from, or with titles."""
        return ", ".join(
            f"{self.origin(one.identifier).beside(one.identifier)}{f' ({one.title})' if titled else ''}" for one in self
        )


_REGISTRIES: list[Registry[Any]] = []


def registries() -> tuple[Registry[Any], ...]:
    """All kinds of plugins whose layers were imported."""
    return tuple(_REGISTRIES)


def read_another() -> bool:
    """Import the plugins of one more kind, before somebody waits for them; False if all known kinds were read."""
    unread = next((registry for registry in _REGISTRIES if not registry.been_read), None)
    if unread is None:
        return False
    iter(unread)
    return True


def _labelled(plugin: P, origin: Origin) -> P:
    """The plugin with its origin in title and help, so that it stands wherever a person meets it."""
    help_ = "help" if hasattr(plugin, "help") else "summary"
    told = {"title": origin.beside(plugin.title), help_: origin.about(getattr(plugin, help_))}
    return replace(plugin, **told)  # type: ignore[type-var]  # every kind is a dataclass


def parameters_of(plugin: object) -> tuple[ParamSpec, ...]:
    """The parameters a plugin of any kind declares.

    Raises
    ------
    WorkbenchError
        If they are no tuple of `ParamSpec`.
    """
    specs = getattr(plugin, "parameters", getattr(plugin, "params", ()))
    if not isinstance(specs, tuple) or not all(isinstance(spec, ParamSpec) for spec in specs):
        raise WorkbenchError("its parameters are no tuple of ParamSpec.")
    return specs


def foreign_entry_points() -> list[tuple[Origin, importlib.metadata.EntryPoint]]:
    """Entry points that third parties have installed, in an order that does not depend on the installation."""
    found = ((_origin_of(point), point) for point in installed_points(tuple(sys.path)))
    return sorted(found, key=lambda one: (one[0].key, one[1].name, one[1].value))


@cache
def installed_points(_path: tuple[str, ...]) -> tuple[importlib.metadata.EntryPoint, ...]:
    """The entry points of plug-ins where Python looks; reading what every installed package says takes its time."""
    return tuple(importlib.metadata.entry_points(group=GROUP))


def _origin_of(point: importlib.metadata.EntryPoint) -> Origin:
    """Its distribution; without readable metadata, the module it names stands in for it."""
    name, version = "", ""
    try:
        if point.dist is not None:
            name, version = point.dist.name, point.dist.version
    except Exception:  # metadata that is damaged, which each Python reports in its own way
        pass
    return Origin(str(name or "") or point.value.partition(":")[0].partition(".")[0], str(version or ""))


def in_a_line(error: BaseException) -> str:
    """An error in one line; only what the program says itself stands without the name of its class."""
    try:
        text = " ".join(str(error).split())
    except Exception:  # an error whose own words fail
        text = ""
    if not isinstance(error, WorkbenchError):
        text = f"{type(error).__name__}: {text}" if text else type(error).__name__
    return text if len(text) <= _LONGEST_LINE else f"{text[: _LONGEST_LINE - 1]}…"
