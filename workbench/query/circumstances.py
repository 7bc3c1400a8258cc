"""Circumstances of an answer besides its question: the rows, the reading of their columns, and what is asserted.

All of it is public. It is written down beside every answer, because the same question about other rows, or about texts
that are read in another way, is another question.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from workbench.core.composition import REPLACE_ONE
from workbench.core.errors import WorkbenchError
from workbench.core.filtering import parse
from workbench.core.number_text import exact, file_text, shown
from workbench.core.schema import KNOWN_BEFOREHAND, ColumnSpec, Kind, Misfits, Schema
from workbench.core.trust import vouched
from workbench.core.unit_words import PEOPLE, ROWS
from workbench.core.working_table import Preparation, canonical_filter
from workbench.query.grid import usual_step
from workbench.query.ledger_entries import Charge

_AFTER_THE_FILTER = "after the filter"
"""What "limit" says of when rows were drawn, if it was not before the filter of the question."""

_ODD = (KeyError, TypeError, ValueError, ZeroDivisionError, OverflowError, AttributeError)
"""What reading a question may meet, as what another version wrote may look like anything."""

DRAWN_ROWS = "rows that took part"
"""What an answer is about where it might be another one with other draws."""

COUNTED_PEOPLE = "people counted"
"""What a count is about where one row of each person takes part, whichever that is."""

DRAWN_PEOPLE = "people counted by their drawn rows"
"""What a count of one row of each person is about where it might be another one with other draws."""

OF_PEOPLE = frozenset({COUNTED_PEOPLE, DRAWN_PEOPLE})
"""What answers are about whose numbers are of people."""

OF_A_DRAW = frozenset({DRAWN_ROWS, DRAWN_PEOPLE})
"""What answers are about that might be others with other draws."""


_ON_STEPS = frozenset({Kind.INTEGER, Kind.DATE})
"""Kinds of which no value that can be read lies between two of their usual steps."""


def working_table(schema: Schema, preparation: Preparation, *, filtered: bool = False) -> dict[str, Any]:
    """Which rows take part: "where", "sample" and "limit", each only if rows are left out by it.

    Parameters
    ----------
    filtered
        Whether the question has a filter of its own. Then rows are drawn of those that match, and "limit" says so;
        versions that did not say it drew rows first.
    """
    made: dict[str, Any] = {}
    if preparation.where.strip():
        made["where"] = canonical_filter(schema, preparation)
    if preparation.sample < 1:
        made["sample"] = preparation.sample
    if preparation.limits(schema):
        made["limit"] = {"person": schema.unit.person_column, "rows": schema.unit.rows_per_person}
        if filtered:
            made["limit"]["drawn"] = _AFTER_THE_FILTER
    return made


def columns_read(schema: Schema, preparation: Preparation, named: Iterable[str]) -> dict[str, Any]:
    """How the named columns are read, and those that decide which rows take part."""
    looked_at = set(named)
    if preparation.where.strip():
        with contextlib.suppress(WorkbenchError):
            looked_at.update(parse(preparation.where, schema).columns)
    if preparation.limits(schema):
        looked_at.add(schema.unit.person_column)
    return {spec.name: reading(spec) for spec in schema.columns if spec.name in looked_at}


def reading(spec: ColumnSpec) -> dict[str, Any]:
    """How a column is read, as it is written down beside an answer."""
    found: dict[str, Any] = {"kind": spec.kind.value, "missing": list(spec.missing)}
    if spec.kind.numeric or spec.kind.temporal:
        found["format"] = {name: text for name, text in vars(spec.format).items() if text}
    if spec.kind is Kind.ORDERED and spec.declared().domain is not None:
        found["order"] = list(spec.declared().domain or ())
    if spec.misfits is not Misfits.KEEP:
        found["misfits"] = spec.misfits.value
    return found


def in_words(table: Mapping[str, Any]) -> str:
    """The rows that take part by `working_table`, in words to be added to a question; "" if every row does."""
    said = []
    if table.get("where"):
        said.append(f"only rows with {table['where']}")
    if table.get("sample"):
        said.append(f"each row drawn with probability {file_text(table['sample'], 6)}")
    if table.get("limit"):
        rows, matching = table["limit"]["rows"], "matching " if drawn_of_matching(table) else ""
        most = f"one {matching}row" if rows == 1 else f"{rows:,} {matching}rows"
        said.append(f"at most {most} of each “{table['limit']['person']}”")
    return f" ({'; '.join(said)})" if said else ""


def drawn_of_matching(table: Mapping[str, Any]) -> bool:
    """Whether rows of each person were drawn of those that match the question, and not before."""
    limit = table.get("limit")
    return isinstance(limit, Mapping) and limit.get("drawn") == _AFTER_THE_FILTER


def of_drawn_rows(question: Mapping[str, Any]) -> bool:
    """Whether chance decided which rows an answer is about: it tells of those, and of the whole table nothing.

    Parameters
    ----------
    question
        As it stands in the ledger, whichever version wrote it.
    """
    table = question.get("table")
    return isinstance(table, Mapping) and bool(table.get("sample") or table.get("limit"))


def unit_shown(unit: str, question: Mapping[str, Any]) -> str:
    """The unit of the numbers of an answer as it is shown: whoever counts one row of each person counts people.

    Parameters
    ----------
    unit
        As it is recorded.
    question
        As it stands in the ledger, whichever version wrote it.
    """
    table, frames = question.get("table"), question.get("frames")
    limit = table.get("limit") if isinstance(table, Mapping) else None
    # Numbers of a column are no count of rows, whatever their unit is called.
    of_column = isinstance(frames, Sequence) and any(isinstance(one, Mapping) and "resolution" in one for one in frames)
    alone = isinstance(limit, Mapping) and limit.get("rows") == 1
    return PEOPLE if unit == ROWS and alone and not of_column else unit


def whose_value(question: Mapping[str, Any], unit: str = "") -> str:
    """Whose value or values an answer comes near to, as of a sentence: whoever is counted, however rows were drawn.

    A count of as many rows of each person as are drawn is the same whichever these are, unless a filter came later.

    Parameters
    ----------
    unit
        Of the answer, as it is recorded.
    """
    if not of_drawn_rows(question):
        return "table"
    table, counts = question["table"], question.get("query") == "count" and not question["table"].get("sample")
    same = counts and (drawn_of_matching(table) or not question.get("where"))
    if unit_shown(unit, question) != unit:
        return COUNTED_PEOPLE if same else DRAWN_PEOPLE
    return "rows counted" if same else DRAWN_ROWS


def limited(question: Mapping[str, Any]) -> str:
    """Which values an answer is about where those beyond the bounds count as the bound; "" where all count as they are.

    Parameters
    ----------
    question
        As it stands in the ledger, whichever version wrote it.

    Returns
    -------
    str
        To be read after "of", such as "values limited to 0…100".
    """
    frames = question.get("frames")
    for frame in frames if isinstance(frames, Sequence) else ():
        with contextlib.suppress(*_ODD):
            read = question.get("columns", {}).get(frame["column"], {})
            spec = ColumnSpec(frame["column"], Kind(read.get("kind", Kind.DECIMAL)))
            low, high = (shown(float(Fraction(frame[end])), spec) for end in ("lower", "upper"))
            return f"values limited to {low}…{high}"
    return ""


def rounded(question: Mapping[str, Any]) -> str:
    """To which steps the values of an answer count, such as "rounded to steps of 10"; "" where that can change none.

    It changes no whole number and no date if these are steps of the grid. Amounts of money, percentages and times may
    be finer than the step that is usual of them.

    Parameters
    ----------
    question
        As it stands in the ledger, whichever version wrote it.
    """
    frames = question.get("frames")
    with contextlib.suppress(*_ODD):
        frame = next((one for one in frames or () if "resolution" in one), None)
        if frame is None:
            return ""
        kind, step = _kind_of(question, frame), Fraction(frame["resolution"])
        usual = usual_step(kind) if kind in _ON_STEPS else None
        # Bounds between two whole numbers move the steps off them.
        kept = usual is not None and all((one / step).denominator == 1 for one in (usual, Fraction(frame["lower"])))
        return "" if kept else f"rounded to steps of {_step_words(kind, step)}"
    return ""


def _kind_of(question: Mapping[str, Any], frame: Mapping[str, Any]) -> Kind:
    return Kind(question.get("columns", {}).get(frame["column"], {}).get("kind", Kind.DECIMAL))


def _step_words(kind: Kind, step: Fraction) -> str:
    unit = {Kind.DATE: " day", Kind.DATETIME: " second"}.get(kind, "")
    return f"{exact(float(step))}{unit}{'s' if unit and step != 1 else ''}"


def values_answered(question: Mapping[str, Any]) -> str:
    """Which values an answer is about, as `limited` says it, and to what they are rounded where that may change any."""
    return " and ".join(filter(None, (within, rounded(question)))) if (within := limited(question)) else ""


def limited_and_rounded(question: Mapping[str, Any]) -> str:
    """The same with the step of the grid and what missing values count as.

    Such as "values limited to 0…100 and rounded to steps of 1, missing ones counted as 50".

    Parameters
    ----------
    question
        As it stands in the ledger, whichever version wrote it.

    Returns
    -------
    str
        "" for a question without one such column and a grid of it.
    """
    with contextlib.suppress(*_ODD):
        (frame,) = question["frames"]
        kind = _kind_of(question, frame)
        step, within = _step_words(kind, Fraction(frame["resolution"])), limited(question)
        blank = frame.get("missing")
        filled = (
            "" if blank is None else f", missing ones counted as {shown(float(Fraction(blank)), ColumnSpec('', kind))}"
        )
        return f"{within} and rounded to steps of {step}{filled}" if within else ""
    return ""


def kind_behind_step(question: Mapping[str, Any]) -> str:
    """Which kinds, proposed from the data if nobody set them, must have been known, as one row can change a proposal.

    A step that nobody typed follows from the kind, and leaves with the answer. The ledger has one that follows from
    bounds as if it was typed, so of such kinds the step itself is not named.

    Parameters
    ----------
    question
        As it stands in the ledger, whichever version wrote it.

    Returns
    -------
    str
        Such as "“age” is read as “Whole number”, hence steps of 1"; "" where nothing is rounded.
    """
    frames, found = question.get("frames"), dict[str, str]()
    for frame in frames if isinstance(frames, Sequence) else ():
        with contextlib.suppress(*_ODD):
            kind, step = _kind_of(question, frame), Fraction(frame["resolution"])
            follows = usual_step(kind) == step and not question.get("values", {}).get("resolution")
            found[frame["column"]] = kind_read(frame["column"], kind, follows=follows)
    return " and ".join(found.values())


def kind_read(column: str, kind: Kind, *, follows: bool) -> str:
    """As what a column is read; `follows` says whether nobody typed its step, which may then be that of the kind."""
    step = usual_step(kind) if follows else None
    hence = "" if step is None else f", hence steps of {_step_words(kind, step)}"
    return f"“{column}” is read as “{kind.words}”{hence}"


def asserted(rows_per_person: int, neighbours: str, table: Mapping[str, Any], plugin: object = None) -> tuple[str, ...]:
    """The assertions that the user makes by asking, because no program can check them.

    Parameters
    ----------
    rows_per_person, neighbours
        What the answer was accounted for.
    table
        As `working_table` gives it.
    plugin
        Whose the mechanism is, as `core.trust.Origin.to_json` says; None for the program's own.
    """
    rows = "one row" if rows_per_person == 1 else f"{rows_per_person:,} rows"
    limit = table.get("limit")
    found = [
        "Filter, bounds, resolution, values and edges were chosen without looking at this data.",
        f"{KNOWN_BEFOREHAND} A resolution that nobody typed follows from the kind.",
        f"No person has more than {rows}."
        if not limit
        else f"All rows of a person have the same value in “{limit['person']}”.",
    ]
    if table.get("where"):
        found.append("Which rows take part was fixed without looking at this data.")
    if neighbours == REPLACE_ONE:
        found.append("Everybody may know how many rows match.")
    if trust := vouched(plugin, "The mechanism, with its noise and its bounds,"):
        found.append(trust)
    return tuple(found)


def asserted_of(charge: Charge, question: Mapping[str, Any]) -> tuple[str, ...]:
    """The assertions made with a question that stands in the ledger."""
    table = question.get("table")
    known = table if isinstance(table, Mapping) else {}
    return asserted(charge.rows_per_person, charge.neighbours, known, question.get("plugin"))
