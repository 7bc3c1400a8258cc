"""Relevance of a question's parameters given the others, and their values when one is changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from workbench.core.column_words import is_place_or_date
from workbench.core.errors import WorkbenchError
from workbench.core.filtering import parse
from workbench.core.params import ParamSpec, ParamType
from workbench.core.role_words import known_to_others, numbers_people, role_to_generalise
from workbench.core.schema import ColumnSpec, Kind, Role, Schema
from workbench.query.catalogue import GUESSED_ROWS, QUERIES, NoiseSource, QueryDraft, QueryKind
from workbench.query.opendp_mechanism import ANSWERED

PREFIXES = ("by_", "second_", "")
_MEASURED = {"lower", "upper", "resolution", "bins", "edges"}
"""Parameters that only columns of numbers and dates have."""
_OF_COLUMN = {*_MEASURED, "keys", "missing"}
_ENDS = ("lower", "upper")
ASKING_BOUNDS = "bounds"
TYPED: Mapping[str, str] = MappingProxyType({"figure": "statistic"})
"""Parameters that are typed by another name than files and ledgers have for them."""
_OF_CELLS = {"outside", "other", "alike"}
_OF_SPREAD = {"bounds", "maximum", "median", "minimum", "narrowed", "quantile"}
_LISTS = {"keys", "edges"}
"""Parameters for which several values are typed."""
_LATER = {"edges", "outside", "missing", "draw", "share"}
"""Parameters that most people leave as they are."""


@dataclass(frozen=True)
class Fields:
    """The fields that a form shows at once, and those under “More”."""

    main: tuple[ParamSpec, ...]
    more: tuple[ParamSpec, ...]


def split(name: str) -> tuple[str, str]:
    """The prefix that says which column a parameter is about, and its name without it."""
    prefix = next(prefix for prefix in PREFIXES if name.startswith(prefix))
    return prefix, name.removeprefix(prefix)


def value_of(draft: QueryDraft, name: str) -> Any:
    """A parameter as it is given, or its default."""
    spec = next((spec for spec in QUERIES[draft.kind].parameters if spec.name == name), None)
    return draft.values.get(name, spec.default if spec is not None else None)


def column_of(draft: QueryDraft, schema: Schema, prefix: str = "") -> ColumnSpec | None:
    """The column that the parameters with this prefix are about."""
    name = value_of(draft, f"{prefix}column")
    return schema[name] if name in schema.names else None


def columns_read(draft: QueryDraft, schema: Schema) -> tuple[str, ...]:
    """The columns whose values decide an answer: those it is about, and those its filters look at.

    Raises
    ------
    WorkbenchError
        If there is no such question, or the filter cannot be read.
    """
    found = [] if not draft.where.strip() else list(parse(draft.where, schema).columns)
    for spec in QUERIES[draft.kind].parameters:
        value = str(draft.values.get(spec.name, spec.default) or "")
        if spec.type is ParamType.COLUMN and value in schema.names:
            found.append(value)
        elif spec.type is ParamType.LINES:
            for line in filter(str.strip, value.splitlines()):
                with suppress(WorkbenchError):  # it may be no filter, or a wrong one, which the question itself refuses
                    found += parse(line, schema).columns
    return tuple(dict.fromkeys(found))


def columns_without_bounds(draft: QueryDraft, schema: Schema) -> list[tuple[str, str]]:
    """The columns of numbers whose public bounds the question lacks, each with the prefix of its parameters."""
    if draft.kind not in QUERIES or draft.kind == ASKING_BOUNDS:
        return []
    wanted = fields(draft, schema)
    names = {spec.name for spec in (*wanted.main, *wanted.more)}
    found = []
    for prefix in PREFIXES:
        spec, ends = column_of(draft, schema, prefix), {f"{prefix}{end}" for end in _ENDS}
        if spec is None or not spec.kind.numeric or not ends <= names:
            continue
        if spec.declared().bounds is None and not any(str(draft.values.get(end) or "").strip() for end in ends):
            found.append((prefix, spec.name))
    return found


def columns_without_values(draft: QueryDraft, schema: Schema) -> list[tuple[str, str]]:
    """The columns of categories whose possible values the question lacks, each with the prefix of its parameters."""
    if draft.kind not in QUERIES:
        return []
    wanted = fields(draft, schema)
    names = {spec.name for spec in (*wanted.main, *wanted.more)}
    return [
        (prefix, spec.name)
        for prefix in PREFIXES
        if (spec := column_of(draft, schema, prefix)) is not None
        and f"{prefix}keys" in names
        and not (is_measured(spec) or spec.declared().domain or str(draft.values.get(f"{prefix}keys") or "").strip())
    ]


def missing_with(draft: QueryDraft, name: str) -> tuple[str, ...]:
    """The parameters that are missing as well where this one is said to be: of two bounds that nobody gave, both."""
    prefix, base = split(name)
    both = tuple(f"{prefix}{end}" for end in _ENDS)
    empty = not any(str(draft.values.get(end) or "").strip() for end in both)
    return both if base in _ENDS and empty else ()


def is_measured(spec: ColumnSpec) -> bool:
    """Whether a column holds numbers or dates, which lie on a line."""
    return spec.kind.numeric or spec.kind.temporal


def fields(draft: QueryDraft, schema: Schema) -> Fields:
    """The parameters that matter."""
    kind = QUERIES[draft.kind]
    shown = [spec for spec in kind.parameters if _matters(spec, draft, kind, schema)]
    later = [spec for spec in shown if _is_later(spec, draft, schema)]
    return Fields(tuple(spec for spec in shown if spec not in later), tuple(later))


def _matters(spec: ParamSpec, draft: QueryDraft, kind: QueryKind, schema: Schema) -> bool:
    prefix, name = split(spec.name)
    if any(one.name == "statistic" for one in kind.parameters):
        counted = value_of(draft, "statistic") == "count"
        if counted and not prefix and name in {"column", *_OF_COLUMN}:
            return False
        if not counted and name == "post":
            return False
    if spec.name == "questions":
        return not value_of(draft, "column")
    if name == "resolution" and draft.noise is NoiseSource.DIFFPRIVLIB:
        return False
    if name in _OF_CELLS:
        prefix = "by_" if _has_groups(kind) else ""
    if name not in _OF_COLUMN | _OF_CELLS:
        return True
    column = column_of(draft, schema, prefix)
    if column is None:
        return False
    measured = is_measured(column)
    if name in _MEASURED or name == "outside":
        return measured or (name in ("lower", "upper") and _needs_numbers(kind, prefix))
    if name == "other":
        return not measured or bool(value_of(draft, f"{prefix}keys"))
    if name == "alike":
        return not measured
    return True


def applies(draft: QueryDraft, schema: Schema, name: str) -> bool:
    """Whether a parameter says anything about a question and the kind of column it is asked about.

    It does where only the column is wrong, which has its own words, and where the noise is another: a resolution is
    passed over by diffprivlib, and commands say it all the same.
    """
    kind = QUERIES[draft.kind]
    spec = next((spec for spec in kind.parameters if spec.name == name), None)
    if spec is None:
        return False
    prefix, base = split(name)
    if base in ("questions", "resolution"):
        return True
    about = f"{'by_' if base in _OF_CELLS and _has_groups(kind) else prefix}column"
    column = value_of(draft, about)
    if base in _OF_COLUMN | _OF_CELLS and (column is None or (column and column not in schema.names)):
        return True
    return _matters(spec, draft, kind, schema)


def questions_with(name: str) -> tuple[str, ...]:
    """The questions that have a parameter of this name, or one that is typed so, by identifier."""
    return tuple(
        kind.identifier
        for kind in QUERIES
        if any(name in (spec.name, TYPED.get(spec.name)) for spec in kind.parameters)
    )


def lists_among(specs: Iterable[ParamSpec]) -> set[str]:
    """The parameters for which several values are typed, by name."""
    return {spec.name for spec in specs if split(spec.name)[1] in _LISTS}


def _has_groups(kind: QueryKind) -> bool:
    return any(spec.name == "by_column" for spec in kind.parameters)


def _needs_numbers(kind: QueryKind, prefix: str) -> bool:
    return any(spec.name == f"{prefix}resolution" for spec in kind.parameters)


def _is_later(spec: ParamSpec, draft: QueryDraft, schema: Schema) -> bool:
    prefix, name = split(spec.name)
    if name == "keys":
        column = column_of(draft, schema, prefix)
        return column is not None and is_measured(column)
    return name in _LATER


def with_kind(draft: QueryDraft, identifier: str, schema: Schema) -> QueryDraft:
    """Another kind of question with everything that means the same for both."""
    kind = QUERIES[identifier]
    known = {spec.name: spec for spec in kind.parameters}
    values = {name: value for name, value in draft.values.items() if name in known and _allowed(known[name], value)}
    if _has_groups(kind) and not _has_groups(QUERIES[draft.kind]):
        values = {**_numbers_alone(values, schema), **_groups_of(draft, schema)}
    column = column_of(draft, schema)
    if draft.kind == ASKING_BOUNDS and column is not None and column.declared().bounds is not None:
        # Bounds wide enough to ask for bounds are not what the next question is to be answered with.
        values = {name: value for name, value in values.items() if name not in _ENDS}
    noise = draft.noise if draft.noise in noises(kind) else NoiseSource.GRID
    found = replace(draft, kind=identifier, values=values, noise=noise, tool="")
    for name in ("by_column", "column", "second_column"):
        spec = known.get(name)
        if spec is not None and spec.default is None and values.get(name) not in schema.names:
            values[name] = _first_column(found, schema, name, set(map(str, values.values())))
    suits = column_of(found, schema)
    if suits is not None and _needs_numbers(kind, "") and not _has_groups(kind) and not is_measured(suits):
        better = _first_column(found, schema, "column", set())
        if is_measured(schema[better]):
            return with_value(found, "column", better)
    other = values.get("column", draft.values.get("column")) != draft.values.get("column")
    return replace(found, values=dict(values), most_below=None if other else draft.most_below)


def _numbers_alone(values: Mapping[str, Any], schema: Schema) -> dict[str, Any]:
    """The same without a column that is no number, as nobody asks for the mean of that."""
    name = values.get("column")
    words = name in schema.names and not is_measured(schema[name])
    return {one: value for one, value in values.items() if not (words and one == "column")}


def _groups_of(draft: QueryDraft, schema: Schema) -> dict[str, Any]:
    """The groups by the values that were listed for a question about their counts."""
    name = draft.values.get("column")
    if name not in schema.names or is_measured(schema[name]) or not draft.values.get("keys"):
        return {}
    listed = {f"by_{one}": draft.values[one] for one in ("column", "keys")}
    return {**listed, **{one: draft.values[one] for one in ("alike", "other") if one in draft.values}}


def without_rows_of_others(draft: QueryDraft, before: QueryDraft) -> QueryDraft:
    """The question without a number of rows that was typed for another one, of which other rows match."""
    same = draft.where == before.where and draft.values.get("by_column") == before.values.get("by_column")
    said = draft.assumed_rows != before.assumed_rows or draft.rows_typed != before.rows_typed
    if same or said or not draft.rows_typed:
        return draft
    return replace(draft, assumed_rows=GUESSED_ROWS, rows_typed=False)


def without_bounds(draft: QueryDraft, column: str) -> QueryDraft:
    """The question with the declared bounds of a column in place of typed ones; wide ones that ask for bounds stay."""
    if draft.kind == ASKING_BOUNDS:
        return draft
    about = [prefix for prefix in PREFIXES if draft.values.get(f"{prefix}column") == column]
    typed = {f"{prefix}{end}" for prefix in about for end in _ENDS}
    return replace(draft, values={name: value for name, value in draft.values.items() if name not in typed})


def takes_most_below(draft: QueryDraft, schema: Schema) -> bool:
    """Whether the plan of a question depends on how numbers are spread, so that a long tail may be assumed."""
    column = column_of(draft, schema)
    return draft.kind in _OF_SPREAD and draft.noise is NoiseSource.GRID and column is not None and column.kind.numeric


def limited_by(draft: QueryDraft, asked: Mapping[str, Any]) -> QueryDraft:
    """The question how many values the bounds of a question limited, of the same rows and at the ε in hand.

    Parameters
    ----------
    asked
        The question that was answered, as it is stored.
    """
    given = asked.get("values", {})
    values = {name: given[name] for name in ("column", *_ENDS) if given.get(name)}
    epsilon = draft.epsilon or str(asked.get("epsilon", ""))
    return replace(
        draft,
        kind="limited",
        epsilon=epsilon,
        values=values,
        where=str(asked.get("where", "")),
        noise=NoiseSource.GRID,
        tool="",
    )


def noises(kind: QueryKind) -> tuple[NoiseSource, ...]:
    """The sources of noise for this kind of question."""
    tools = (NoiseSource.DIFFPRIVLIB,) if kind.tools else ()
    drawn = (NoiseSource.OPENDP,) if kind.identifier in ANSWERED else ()
    return (NoiseSource.GRID, *tools, *drawn)


def _allowed(spec: ParamSpec, value: Any) -> bool:
    return spec.type is not ParamType.CHOICE or value in (known for known, _ in spec.choices)


def _first_column(draft: QueryDraft, schema: Schema, name: str, taken: set[str]) -> str:
    """A column to begin with: one that is described well enough to be asked at once, if there is one.

    Of numbers that are averaged or added up, what others want to learn comes first, and last what only tells when
    somebody was born or where they live: nobody asks for the mean of that. Names and roles decide it, no value does.
    """
    numbers = _needs_numbers(QUERIES[draft.kind], "") and name != "by_column"

    def rank(column: str) -> tuple[int, ...]:
        spec = schema[column].declared()
        apart = column == schema.unit.person_column or spec.role is Role.IDENTIFYING or tells_apart(spec)
        ready = spec.bounds is not None if is_measured(spec) else spec.domain is not None
        suits = is_measured(spec) or not numbers
        measured = rank_of_measure(spec) if numbers else int(is_place_or_date(column))
        dated = numbers and measured == _DATED
        # Of many numbers hardly any group has enough rows.
        many = name == "by_column" and is_measured(spec)
        return not suits, apart, many, dated, not ready, spec.kind.temporal, measured

    free = [column for column in schema.names if column not in taken]
    return min(free or list(schema.names), key=rank, default="")


_WANTED, _PLAIN, _KNOWN, _DATED = range(4)


def tells_apart(spec: ColumnSpec) -> bool:
    """Whether a column tells people apart by its name, or holds free text, of which most people have their own."""
    return numbers_people(spec.name) or spec.kind is Kind.TEXT


def rank_of_measure(spec: ColumnSpec) -> int:
    """How late a column is taken of which a mean is asked."""
    if is_place_or_date(spec.name):
        return _DATED
    if spec.role is Role.SENSITIVE or role_to_generalise(spec.name) is Role.SENSITIVE:
        return _WANTED
    return _KNOWN if spec.role is Role.QUASI or known_to_others(spec.name) else _PLAIN


def with_value(draft: QueryDraft, name: str, value: Any) -> QueryDraft:
    """The question with another parameter; what was said of a column goes when the column does."""
    values = dict(draft.values)
    prefix, base = split(name)
    if base == "column" and values.get(name) != value:
        if not prefix:
            draft = replace(draft, most_below=None)  # it was said of other values
        for other in _OF_COLUMN:
            values.pop(f"{prefix}{other}", None)
        if prefix == ("by_" if _has_groups(QUERIES[draft.kind]) else ""):
            values.pop("alike", None)
        if value:
            values.pop("questions", None)  # a column and a list of filters are two ways to say the same
    spec = next((spec for spec in QUERIES[draft.kind].parameters if spec.name == name), None)
    if spec is not None and value == spec.default and spec.default is not None:
        values.pop(name, None)
    else:
        values[name] = value
    return replace(draft, values=values)


def saying_again(draft: QueryDraft, prefix: str, before: QueryDraft) -> QueryDraft:
    """The question with what another one of its kind says of the column with this prefix; its own words stay."""
    names = [f"{prefix}{one}" for one in sorted(_OF_COLUMN)]
    if not prefix and draft.most_below is None:
        draft = replace(draft, most_below=before.most_below)
    if any(name in draft.values for name in names):
        return draft
    return replace(draft, values={**draft.values, **{one: before.values[one] for one in names if one in before.values}})


def of_numbers(draft: QueryDraft, schema: Schema) -> QueryDraft:
    """The question with a column of numbers, where a sum or mean of each group is asked for and none is chosen."""
    kind, of_groups = QUERIES[draft.kind], draft.values.get("statistic", "count")
    column = draft.values.get("column")
    if not _has_groups(kind) or of_groups == "count" or (column in schema.names and is_measured(schema[column])):
        return draft
    found = _first_column(draft, schema, "column", {str(draft.values.get("by_column", ""))})
    return with_value(draft, "column", found) if found and is_measured(schema[found]) else draft


def counting_others(draft: QueryDraft, before: QueryDraft, schema: Schema) -> QueryDraft:
    """The question with one more cell for all other values, where a person newly asks for counts by public values.

    A value that is spelt otherwise than it was declared would fall out unseen. A row is in exactly one cell either way,
    so the cell costs nothing. Who set the tick otherwise keeps that until another question or column is chosen, and so
    does a question of a file or a command: its default stays.

    Parameters
    ----------
    before
        The question before the person changed it.
    """
    now, then = (_cells_of_values(one, schema) for one in (draft, before))
    if now == then or not (now or then):
        return draft
    values = {name: value for name, value in draft.values.items() if name != "other"}
    return replace(draft, values={**values, "other": True} if now else values)


def lists_values(draft: QueryDraft, schema: Schema) -> bool:
    """Whether a question looks for single values that are listed, and other values count together or are left out."""
    kind = QUERIES[draft.kind]
    spec = next((spec for spec in kind.parameters if spec.name == "other"), None)
    return spec is not None and _matters(spec, draft, kind, schema)


def _cells_of_values(draft: QueryDraft, schema: Schema) -> tuple[str, ...]:
    """What a question counts in cells of single values: its kind and column; nothing if it counts none in such cells.

    Of questions for one of several values, “other values” would be no answer.
    """
    if draft.kind not in QUERIES or not lists_values(draft, schema):
        return ()
    kind = QUERIES[draft.kind]
    about = "by_column" if _has_groups(kind) else "column"
    counts = any(one.name == "post" for one in kind.parameters)
    return (draft.kind, str(value_of(draft, about))) if counts else ()


def shown_values(draft: QueryDraft) -> Mapping[str, Any]:
    """Every parameter of the question as a form shows it."""
    return {spec.name: draft.values.get(spec.name, spec.default) for spec in QUERIES[draft.kind].parameters}
