"""The origin of code that makes a promise: this program, whose tests vouch for it, or a third party that is trusted.

Trust is a decision of the person who publishes, about a distribution in one version. It is kept by the program, not in
a project (`workbench.io.trusted_plugins`), and holds for the whole process.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Origin:
    """The origin of a plugin; without a distribution it is the program.

    Parameters
    ----------
    distribution, version
        As its installation names them. Two spellings of a name are the same one.
    """

    distribution: str = ""
    version: str = ""

    @property
    def built_in(self) -> bool:
        return not self.distribution

    @property
    def name(self) -> str:
        """Distribution and version in words."""
        return f"{self.distribution} {self.version}".strip() or "this program"

    @property
    def key(self) -> tuple[str, str]:
        """Equal for two spellings of the same."""
        return normalised(self.distribution), self.version

    @property
    def trusted(self) -> bool:
        """Whether what it makes may carry a claim."""
        return self.built_in or self.key in TRUST.keys

    @property
    def doubt(self) -> str:
        """Why what it makes carries no claim, or ""."""
        return doubt_of(self.to_json_or_none())

    def beside(self, name: str) -> str:
        """A name with its origin, where that must be said."""
        return name if self.built_in else f"{name} ({self.name})"

    def about(self, text: str) -> str:
        """A help text with its origin, where that must be said."""
        if self.built_in:
            return text
        stop = "" if not text or text.endswith((".", "!", "?", "…")) else "."
        return f"{text}{stop} From plug-in {self.name}, not from this program.".strip()

    def to_json(self) -> dict[str, Any]:
        """As it stands in answers, ledgers and notes, with whether it was trusted."""
        return {"distribution": self.distribution, "version": self.version, "trusted": self.trusted}

    def to_json_or_none(self) -> dict[str, Any] | None:
        """The same; None for the program's own, of which nothing need be said."""
        return None if self.built_in else self.to_json()

    @classmethod
    def from_json(cls, plain: object) -> Origin:
        """Origin that `to_json` wrote; anything else counts as the program's own."""
        if not isinstance(plain, Mapping):
            return BUILT_IN
        return cls(str(plain.get("distribution", "")), str(plain.get("version", "")))


BUILT_IN = Origin()


def normalised(distribution: str) -> str:
    """The name of a distribution as all its spellings have it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", distribution).lower()


def doubt_of(plain: object) -> str:
    """Why what a plugin made carries no claim, from `Origin.to_json`; "" where it was trusted or is the program's."""
    if plain is None or (isinstance(plain, Mapping) and plain.get("trusted") is True):
        return ""
    return f"Made by plug-in {Origin.from_json(plain).name}, which this program's tests do not vouch for."


def vouched(plain: object, what: str) -> str:
    """Publisher's assertion where something was made by a trusted plugin, from `Origin.to_json`; "" otherwise."""
    if not isinstance(plain, Mapping) or plain.get("trusted") is not True:
        return ""
    return f"{what} comes from {Origin.from_json(plain).name}, which the publisher trusts."


class Trust:
    """The plugins that are trusted in this process."""

    def __init__(self) -> None:
        self.keys: frozenset[tuple[str, str]] = frozenset()

    def only(self, origins: Iterable[Origin]) -> None:
        """Trust these and no others."""
        self.keys = frozenset(origin.key for origin in origins if not origin.built_in)

    @contextmanager
    def within(self, origins: Iterable[Origin]) -> Iterator[None]:
        """Trust these and no others for a while."""
        before = self.keys
        self.only(origins)
        try:
            yield
        finally:
            self.keys = before


TRUST = Trust()
