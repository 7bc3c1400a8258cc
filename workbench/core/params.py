"""Parameters of one protocol, query, builder or model, declared in its own file; forms and flags follow from them.

Type, bounds, default, unit and help. Settings of rooms are declared as `settings` beside this says.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

from workbench.core.amount_text import float_amount, read_chance
from workbench.core.errors import WorkbenchError
from workbench.core.exact import LARGEST, fraction_text, parse_fraction
from workbench.core.number_text import exact


class ParamType(StrEnum):
    """The type of a parameter's value."""

    INTEGER = "integer"
    NUMBER = "number"
    FRACTION = "fraction"
    """A rational number, kept as it is typed: 1/3 or 0.25."""
    SWITCH = "switch"
    CHOICE = "choice"
    TEXT = "text"
    LINES = "lines"
    """A text of several lines, such as a small table."""
    COLUMN = "column"
    """The name of a column."""
    NUMBERS = "numbers"
    """A list of numbers, as only a room's settings have it."""
    OTHER = "other"
    """A setting of a room that is a list, or settings of its own: it has an editor of its own. No plug-in has one."""


@dataclass(frozen=True)
class ParamSpec:
    """One parameter.

    Parameters
    ----------
    name
        Identifier, also of the command-line flag.
    title, help
        Label of the field, and what it does in a sentence or two.
    type, default
        What it holds, and its value unless something else is chosen. A default of None means required.
    minimum, maximum, open_minimum, open_maximum
        Bounds of numbers; open ones are not themselves allowed.
    choices
        Pairs (value, title) for `CHOICE`.
    unit
        Shown in the field, such as "rows".
    placeholder
        What an empty field shows; with a number whose default is 0 and stands for something else, what that is: its
        field is then empty at 0.
    optional
        Whether None is a value, which an empty field stands for.
    amount
        Whether it is an ε or a δ, which is read as people write them, see `amount_text`.
    chance
        Whether it is a probability, which is read so too: 3/4, 0.75, 0,75 and 75 %. A fraction always is.
    offered
        The lowest and highest number of a field, where fewer are offered there than are allowed; None for all.
    when
        Pairs (name of another parameter, its values): where that has another value, this one does not matter.
    label
        What stands beside the field, where that is shorter than the title.
    undo, cleared
        What undo calls a change, and one to None; "" makes it of the title.
    group
        The part of a room's form it stands in.
    explain
        Its entry in the help of the room; "" is that of its name.
    """

    name: str
    title: str
    type: ParamType
    default: Any = None
    help: str = ""
    minimum: float = -math.inf
    maximum: float = math.inf
    open_minimum: bool = False
    open_maximum: bool = False
    choices: tuple[tuple[str, str], ...] = ()
    unit: str = ""
    placeholder: str = ""
    optional: bool = False
    amount: bool = False
    chance: bool = False
    offered: tuple[float, float] | None = None
    when: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    label: str = ""
    undo: str = ""
    cleared: str = ""
    group: str = ""
    explain: str = ""

    @property
    def names_zero(self) -> bool:
        """Whether 0 stands for something that an empty field says in words."""
        return bool(self.placeholder) and self.default == 0

    def matters(self, values: Mapping[str, Any]) -> bool:
        """Whether it has an effect beside these values of the others."""
        return all(values.get(name) in wanted for name, wanted in self.when)

    def changed_to(self, value: Any) -> str:
        """Name of a change to a value in the undo history."""
        usual = self.undo or f"Change “{self.title}”"
        return (self.cleared or usual) if value is None else usual

    def parse(self, text: str) -> Any:
        """Read a value from text and check it.

        Raises
        ------
        WorkbenchError
            If the text is no value of this type or out of bounds.
        """
        text = text.strip()
        if self.type is ParamType.INTEGER or self.type is ParamType.NUMBER:
            if self.amount:
                return self.check(float_amount(text, self.name))
            if self.chance:
                return self.check(float(read_chance(text, self.name)))
            try:
                if self.type is ParamType.INTEGER:
                    return self.check(int(text))
                # A chance is written as 1/4 as often as 0.25.
                return self.check(float(parse_fraction(text, field=self.name)) if "/" in text else float(text))
            except ValueError:
                kind = "a whole number" if self.type is ParamType.INTEGER else "a number"
                raise self._error(f"“{text}” is not {kind}") from None
        if self.type is ParamType.FRACTION:
            return self.check(read_chance(text, self.name))
        if self.type is ParamType.SWITCH:
            truth = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
            if text.lower() not in truth:
                raise self._error(f"“{text}” is neither yes nor no")
            return truth[text.lower()]
        return self.check(text)

    def check(self, value: Any) -> Any:
        """The value itself, if it is allowed.

        Raises
        ------
        WorkbenchError
            If it has the wrong type or is out of bounds.
        """
        if (value is None and self.optional) or self.type in (ParamType.NUMBERS, ParamType.OTHER):
            return value
        if self.type is ParamType.INTEGER or self.type is ParamType.NUMBER:
            whole = isinstance(value, int) and not isinstance(value, bool)
            if not whole and (self.type is ParamType.INTEGER or not isinstance(value, float)):
                raise self._error(
                    f"“{value}” is not {'a whole number' if self.type is ParamType.INTEGER else 'a number'}"
                )
            self._check_bounds(value)
        elif self.type is ParamType.FRACTION:
            if isinstance(value, bool) or not isinstance(value, int | Fraction):
                raise self._error(f"“{value}” is not a fraction")
            self._check_bounds(value)
            return Fraction(value)
        elif self.type is ParamType.SWITCH:
            if not isinstance(value, bool):
                raise self._error(f"“{value}” is neither yes nor no")
        elif not isinstance(value, str):
            raise self._error(f"“{value}” is not a text")
        elif self.type is ParamType.CHOICE and value not in (known for known, _ in self.choices):
            raise self._error(f"“{value}” is none of {', '.join(f'“{known}”' for known, _ in self.choices)}")
        return value

    def too_large(self, value: Any) -> bool:
        """Whether a number is above the maximum, or any that is computed with."""
        return isinstance(value, int | Fraction) and value > min(self.maximum, float(LARGEST))

    def _check_bounds(self, value: int | float | Fraction) -> None:
        if isinstance(value, int | Fraction) and not -LARGEST <= value <= LARGEST:
            raise self._error(f"{fraction_text(Fraction(value), 40)} is not {self._range(LARGEST)}")
        low = value > self.minimum if self.open_minimum else value >= self.minimum
        high = value < self.maximum if self.open_maximum else value <= self.maximum
        if not (low and high) or (isinstance(value, float) and not math.isfinite(value)):
            raise self._error(f"{value} is not {self._range()}")

    def _range(self, largest: float = math.inf) -> str:
        parts = []
        if self.minimum > -math.inf:
            parts.append(f"{'above' if self.open_minimum else 'at least'} {exact(self.minimum)}")
        if (highest := min(self.maximum, largest)) < math.inf:
            parts.append(f"{'below' if self.open_maximum else 'at most'} {exact(highest)}")
        return " and ".join(parts) or "a finite number"

    def _error(self, what: str) -> WorkbenchError:
        return WorkbenchError(f"{self.title}: {what}.", hint=self.help, field=self.name)


def filled(specs: tuple[ParamSpec, ...], given: dict[str, Any]) -> dict[str, Any]:
    """The checked values of all parameters: the given ones, and defaults for the rest.

    Raises
    ------
    WorkbenchError
        If a parameter is unknown, missing, or has a value that is not allowed.
    """
    known = {spec.name: spec for spec in specs}
    for name in given:
        if name not in known:
            raise WorkbenchError(
                f"There is no parameter “{name}”.", hint=f"Known are: {', '.join(known) or 'none'}.", field=name
            )
    values = {}
    for spec in specs:
        value = given.get(spec.name, spec.default)
        if value is None:
            raise WorkbenchError(f"{spec.title} is missing.", hint=spec.help, field=spec.name)
        values[spec.name] = spec.check(value)
    return values
