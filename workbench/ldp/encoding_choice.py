"""The choice of an encoding: categories or bins, which of them are public, and what other values become."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial

from workbench.core.flags import read_numbers, written_numbers
from workbench.core.settings import Flag, Stored, setting
from workbench.core.typed_fields import typed_fields
from workbench.core.worded import Worded
from workbench.ldp.binning import DateUnit


class EncodingKind(Worded):
    """The way values become codes."""

    CATEGORIES = "categories", "Values as they are"
    """Each value is one code."""
    BINS = "bins", "Equal-width bins"
    """Numbers or dates in bins of equal width between public bounds."""
    EDGES = "edges", "Own bin edges"
    """Numbers in bins with typed edges."""
    WHOLE = "whole", "Whole numbers"
    """Every whole number between public bounds is one code."""
    DATES = "dates", "Calendar units"
    """Dates by calendar unit between public bounds."""
    QUESTION = "question", "Yes or no"
    """Whether the value is a certain one: no or yes."""


class Outside(Worded):
    """The treatment of a value outside the domain."""

    STOP = "stop", "are an error"
    """An error names such values."""
    CLIP = "clip", "go to the nearest, or “(other)”"
    """Numbers and dates go to the nearest bin; any other value to a value “(other)” that the domain gets."""


class Absent(Worded):
    """The answer of a person without a value."""

    LEAVE_OUT = "leave-out", "do not answer"
    """They do not answer; that they do not is seen, unless everybody reports (see `participation`)."""
    VALUE = "value", "answer “(missing)”"
    """They answer with a value “(missing)” that the domain gets."""
    STOP = "stop", "are an error"
    """There must be none: an error says if there is."""


_ONE_VALUE = re.compile(r'\s*(?:"((?:[^"]|"")*)"\s*|([^,]*))(,|\Z)')
"""A value in quotation marks as CSV has it, or any text up to the next comma."""


def _read_domain(text: str) -> tuple[str, ...]:
    """Values between commas; one in quotation marks may hold some."""
    values, place, more = list[str](), 0, True
    while more and (found := _ONE_VALUE.match(text, place)) is not None:
        quoted, plain, comma = found.groups()
        values.append(plain.strip() if quoted is None else quoted.replace('""', '"'))
        place, more = found.end(), bool(comma)
    return tuple(values)


def _written_domain(values: tuple[str, ...]) -> str:
    def written(value: str) -> str:
        plain = "," not in value and value == value.strip() and not value.startswith('"')
        return value if plain else '"' + value.replace('"', '""') + '"'

    return ",".join(map(written, values))


@dataclass(frozen=True)
@typed_fields
class EncodingChoice:
    """The encoding of a column as the person wants it.

    Parameters
    ----------
    how
        None takes bins for numbers and dates, and categories for anything else.
    bins
        Number of bins of equal width.
    edges
        Edges of the bins, rising, for `EncodingKind.EDGES`.
    unit
        Calendar unit of the bins, for `EncodingKind.DATES`.
    answer
        The value that is asked for, for `EncodingKind.QUESTION`.
    bounds
        Public bounds; those declared for the column if None. For dates days since 1970-01-01, for date-times seconds.
    domain
        Public values in their order; those declared for the column if None.
    assume_public
        Where neither is there, take what occurs in the data and call it public.
    outside, absent
        What becomes of other values, and of missing ones.
    """

    how: EncodingKind | None = setting(
        None,
        title="Answers",
        about="How values become answers.",
        placeholder="Choose…",
        undo="Change the encoding",
        group="encoding",
        explain="encoding",
        flag=(
            Flag(name="--whole", value=EncodingKind.WHOLE, help="every whole number between the bounds"),
            Flag(name="--categories", value=EncodingKind.CATEGORIES, help="each value is an answer"),
        ),
    )
    bins: int = setting(
        20,
        title="Number of bins",
        label="How many",
        about="bins of equal width between the bounds",
        offered=(2, 100_000),
        unit="bins",
        when={"how": (EncodingKind.BINS,)},
        undo="Change the number of bins",
        group="encoding",
        explain="encoding",
        flag=Flag("N"),
        stored=Stored(noun="the number of bins"),
    )
    edges: tuple[float, ...] = setting(
        (),
        title="Edges of the bins",
        label="Edges",
        about="edges of the bins",
        placeholder="0, 18, 65, 120",
        when={"how": (EncodingKind.EDGES,)},
        undo="Change the edges",
        group="encoding",
        explain="encoding",
        flag=Flag("E0,E1,…", read=partial(read_numbers, field="edges"), write=written_numbers, joined=True),
        stored=Stored(noun="the edges"),
    )
    unit: DateUnit = setting(
        DateUnit.MONTH,
        title="Calendar unit",
        label="By",
        about="dates by calendar unit",
        when={"how": (EncodingKind.DATES,)},
        undo="Change the calendar unit",
        group="encoding",
        explain="encoding",
        flag=Flag(name="--dates"),
        stored=Stored(noun="the calendar unit"),
    )
    answer: str = setting(
        "",
        title="The value that counts as yes",
        label="Is it",
        about="a yes-or-no question: is it this value?",
        placeholder="the value that counts as yes",
        when={"how": (EncodingKind.QUESTION,)},
        undo="Change the value that counts",
        group="encoding",
        explain="encoding",
        flag=Flag("VALUE", name="--is"),
        stored=Stored(noun="the answer"),
    )
    bounds: tuple[float, float] | None = setting(
        None,
        title="Public bounds",
        label="From, to",
        about="public bounds (default: assumed from the data, and said)",
        when={"how": tuple(how for how in EncodingKind if how is not EncodingKind.QUESTION)},
        undo="Change the public bounds",
        explain="domain",
        flag=Flag("L,U", write=written_numbers, joined=True),
        stored=Stored(noun="the bounds"),
    )
    domain: tuple[str, ...] | None = setting(
        None,
        title="Possible values, one per line",
        about="public values (default: assumed from the data, and said)",
        placeholder="one a line, or with commas",
        when={"how": (EncodingKind.CATEGORIES,)},
        undo="Change the possible values",
        explain="domain",
        flag=Flag("A,B,…", read=_read_domain, write=_written_domain, joined=True),
        stored=Stored(noun="the domain"),
    )
    assume_public: bool = setting(
        False,
        title="Assume that the values are public",
        about="Take what occurs in the data where nothing is declared, and call it public; it is not protected.",
        undo="Change what is public",
        explain="domain",
    )
    outside: Outside = setting(
        Outside.STOP,
        title="Other values",
        about="What becomes of values outside the domain.",
        undo="Change what other values do",
        group="others",
        flag=Flag(name="--clip", value=Outside.CLIP, help="values outside go to the nearest bin or “(other)”"),
    )
    absent: Absent = setting(
        Absent.LEAVE_OUT,
        title="Without a value",
        label="No value",
        about="people without a value do not answer (the default), answer that, or must not be there",
        undo="Change what missing values do",
        group="others",
        explain="outside",
        flag=Flag(name="--missing"),
    )
