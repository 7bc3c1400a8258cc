"""The rules of a filter as a tree, and their meaning for a table; see `workbench.core.filtering`."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.filter_words import is_bare
from workbench.core.kinds import is_missing
from workbench.core.quick_reading import read_values
from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.core.table import Column, Table

_ROWS = 1 << 20
_DAY = 86400.0
_EPOCH = date(1970, 1, 1)


@dataclass(frozen=True)
class Day:
    """A date, as days since 1970-01-01."""

    days: int


@dataclass(frozen=True)
class Moment:
    """A date and time, as seconds since 1970-01-01 00:00."""

    seconds: float


Value = float | str | Day | Moment


@dataclass(frozen=True)
class ComparisonRule:
    """`column sign value`; the sign is one of = < <= > >=."""

    column: str
    sign: str
    value: Value


@dataclass(frozen=True)
class Among:
    """`column in (values)`."""

    column: str
    values: tuple[Value, ...]


@dataclass(frozen=True)
class Within:
    """`column contains text`, or `column starts with text`."""

    column: str
    text: str
    at_start: bool


@dataclass(frozen=True)
class Without:
    """`column is missing`."""

    column: str


@dataclass(frozen=True)
class Not:
    """A condition that holds where another does not."""

    part: Rule


@dataclass(frozen=True)
class And:
    """All of at least two parts, none of them an `And`."""

    parts: tuple[Rule, ...]


@dataclass(frozen=True)
class Or:
    """One of at least two parts, none of them an `Or`."""

    parts: tuple[Rule, ...]


Leaf = ComparisonRule | Among | Within | Without
Rule = Leaf | Not | And | Or

_SIGNS: dict[str, Callable[[NDArray[np.float64], float], NDArray[np.bool_]]] = {
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def leaves_of(rule: Rule) -> Iterator[Leaf]:
    """Leaves of a rule: what it says of single columns, in the order in which it is written."""
    if isinstance(rule, Not):
        yield from leaves_of(rule.part)
    elif isinstance(rule, And | Or):
        for part in rule.parts:
            yield from leaves_of(part)
    else:
        yield rule


def columns_of(rule: Rule) -> Iterator[str]:
    """The columns of a rule, in the order in which they are written; a column may come again."""
    return (leaf.column for leaf in leaves_of(rule))


# Meaning


def evaluate(rule: Rule, table: Table, schema: Schema) -> NDArray[np.bool_]:
    """Which rows a rule says yes to, bool of shape (rows,).

    Raises
    ------
    WorkbenchError
        If a column is missing or of a kind that the rule cannot be applied to.
    """
    return _rows(rule, table, schema, {})


def evaluate_values(rule: Rule, column: Column, schema: Schema) -> NDArray[np.bool_]:
    """Which distinct values a rule about one column alone says yes to, bool of shape (len(column.values),).

    Raises
    ------
    WorkbenchError
        If the column is of a kind that the rule cannot be applied to.
    """
    values = Column(column.name, np.arange(len(column.values)), column.values)
    return evaluate(rule, Table((values,)), schema)


_Known = dict[str, NDArray[np.float64]]


def _rows(rule: Rule, table: Table, schema: Schema, known: _Known) -> NDArray[np.bool_]:
    if isinstance(rule, Not):
        mask = _rows(rule.part, table, schema, known)
        return np.logical_not(mask, out=mask)
    if isinstance(rule, And | Or):
        mask = _rows(rule.parts[0], table, schema, known)
        join = np.logical_and if isinstance(rule, And) else np.logical_or
        for part in rule.parts[1:]:
            join(mask, _rows(part, table, schema, known), out=mask)
        return mask
    column, spec = table[rule.column], schema[rule.column]
    says = _values(rule, column, spec, known)
    mask = np.empty(len(column), dtype=np.bool_)
    for start in range(0, len(column), _ROWS):
        np.take(says, column.codes[start : start + _ROWS], out=mask[start : start + _ROWS], mode="clip")
    return mask


def _values(
    rule: ComparisonRule | Among | Within | Without, column: Column, spec: ColumnSpec, known: _Known
) -> NDArray[np.bool_]:
    """Mask of the distinct values that satisfy the rule, bool of shape (len(column.values),)."""
    values = column.values
    missing = frozenset(spec.missing)
    if isinstance(rule, Without):
        return _each(lambda value: is_missing(value, missing), column)
    if isinstance(rule, Within):
        piece = rule.text
        if rule.at_start:
            return _each(lambda value: value.startswith(piece) and not is_missing(value, missing), column)
        return _each(lambda value: piece in value and not is_missing(value, missing), column)
    wanted = rule.values if isinstance(rule, Among) else (rule.value,)
    for value in wanted:
        _check(value, spec)
    if spec.kind.numeric or spec.kind.temporal:
        if column.name not in known:
            known[column.name] = read_values(values, spec)
        numbers = known[column.name]
        if isinstance(rule, ComparisonRule):
            return _SIGNS[rule.sign](*_comparable(numbers, rule.value, spec))
        found = np.zeros(len(values), dtype=np.bool_)
        for value in wanted:
            found |= np.equal(*_comparable(numbers, value, spec))
        return found
    if isinstance(rule, Among) or rule.sign == "=":
        listed = {value for value in wanted if isinstance(value, str)}
        return _each(lambda value: value in listed and not is_missing(value, missing), column)
    # Only ordered categories with a domain are compared by order; the parser and `_check` see to that.
    places = {value: float(place) for place, value in reversed(list(enumerate(spec.domain or ())))}
    here = np.fromiter(
        (np.nan if is_missing(v, missing) else places.get(v, np.nan) for v in values), np.float64, len(values)
    )
    if rule.value not in places:
        raise _unfit(spec, f"“{rule.value}” is none of its declared values")
    return _SIGNS[rule.sign](here, places[str(rule.value)])


def _each(says: Callable[[str], bool], column: Column) -> NDArray[np.bool_]:
    return np.fromiter(map(says, column.values), np.bool_, len(column.values))


def _comparable(numbers: NDArray[np.float64], value: Value, spec: ColumnSpec) -> tuple[NDArray[np.float64], float]:
    """The column and the value on the same scale."""
    if isinstance(value, Day):
        return (np.floor(numbers / _DAY) if spec.kind is Kind.DATETIME else numbers), float(value.days)
    if isinstance(value, Moment):
        return (numbers * _DAY if spec.kind is Kind.DATE else numbers), value.seconds
    return numbers, float(value)


def _check(value: Value, spec: ColumnSpec) -> None:
    """The description may have changed since the filter was read."""
    if spec.kind.numeric:
        fits = isinstance(value, float)
    elif spec.kind.temporal:
        fits = isinstance(value, Day | Moment)
    else:
        fits = isinstance(value, str)
    if not fits:
        raise _unfit(spec, f"its values are now read as {spec.kind.value}")


def _unfit(spec: ColumnSpec, why: str) -> WorkbenchError:
    return WorkbenchError(
        f"The filter no longer fits the column “{spec.name}”: {why}.", hint="Write the filter anew.", field="where"
    )


# Writing


def written(rule: Rule) -> str:
    """The rule in the language it was read from, always in the same way."""
    if isinstance(rule, Or):
        return " or ".join(map(written, rule.parts))
    if isinstance(rule, And):
        return " and ".join(f"({written(part)})" if isinstance(part, Or) else written(part) for part in rule.parts)
    if isinstance(rule, Not):
        return _opposite(rule.part)
    name = _name(rule.column)
    if isinstance(rule, Without):
        return f"{name} is missing"
    if isinstance(rule, Within):
        return f"{name} {'starts with' if rule.at_start else 'contains'} {_literal(rule.text)}"
    if isinstance(rule, Among):
        return f"{name} in ({', '.join(map(_literal, rule.values))})"
    return f"{name} {rule.sign} {_literal(rule.value)}"


def _opposite(part: Rule) -> str:
    if isinstance(part, ComparisonRule) and part.sign == "=":
        return f"{_name(part.column)} != {_literal(part.value)}"
    if isinstance(part, Among):
        return f"{_name(part.column)} not in ({', '.join(map(_literal, part.values))})"
    if isinstance(part, Without):
        return f"{_name(part.column)} is not missing"
    return f"not ({written(part)})" if isinstance(part, And | Or) else f"not {written(part)}"


def _name(name: str) -> str:
    return name if is_bare(name) else '"' + name.replace('"', '""') + '"'


def _literal(value: Value) -> str:
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, Day):
        return (_EPOCH + timedelta(days=value.days)).isoformat()
    if isinstance(value, Moment):
        moment = datetime.fromtimestamp(0, UTC) + timedelta(seconds=value.seconds)
        whole = not (moment.second or moment.microsecond)
        return moment.replace(tzinfo=None).isoformat(timespec="minutes" if whole else "auto")
    return str(int(value)) if value.is_integer() and abs(value) < 1e16 else repr(value)
