"""The differences of a file that was read from what a project says of its data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType


@dataclass(frozen=True)
class NewValues:
    """Values of a column that were not expected: how many, and the first of them."""

    count: int
    examples: tuple[str, ...]


@dataclass(frozen=True)
class Differences:
    """The differences of a file from the description it is to be read with. From the true data: analyst only.

    Parameters
    ----------
    missing, new
        Columns that are described and not in the file, and the other way round.
    new_values
        By column: values that occur and that its hierarchy does not list; without a hierarchy, values outside
        the declared domain; without that, categories that the file open before did not have.
    misfits
        By column: rows whose value does not fit the described kind.
    filter_problem
        Why the filter of the project cannot be applied to this file; "" if it can.
    unbuilt
        By column: why its hierarchy cannot be built over this file.
    """

    missing: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    new_values: Mapping[str, NewValues] = field(default_factory=lambda: MappingProxyType({}))
    misfits: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    filter_problem: str = ""
    unbuilt: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def before_look(self) -> Differences:
        """Without which values occur that were not expected, and with 0 for how many rows do not fit a kind."""
        return replace(self, new_values=MappingProxyType({}), misfits=MappingProxyType(dict.fromkeys(self.misfits, 0)))

    def __bool__(self) -> bool:
        return bool(self.missing or self.new or self.new_values or self.misfits or self.filter_problem or self.unbuilt)
