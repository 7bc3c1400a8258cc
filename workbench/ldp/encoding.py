"""The encoding of a column into the public domain of a local protocol: one code per person.

The domain is public: who answers must know it before answering, and everybody sees it in the reports' parameters. So
it comes from what was declared or typed. Taking the values that occur instead is possible only by saying so, and
then the domain is called *assumed public* wherever it appears, because no protocol protects it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from workbench.core.bin_names import bin_name
from workbench.core.errors import WorkbenchError
from workbench.core.kinds import sort_keys
from workbench.core.number_text import exact
from workbench.core.quick_reading import read_values
from workbench.core.schema import ColumnSpec, Kind
from workbench.core.table import Column
from workbench.ldp.binning import LARGEST_DOMAIN, Bins, date_bins, equal_bins, own_bins, whole_bins
from workbench.ldp.column_values import absent_values, mean_of, refuse, refuse_missing, rows_per_place
from workbench.ldp.crowd import Crowd, Headcount, Persons
from workbench.ldp.encoding_choice import Absent as Absent
from workbench.ldp.encoding_choice import EncodingChoice as EncodingChoice
from workbench.ldp.encoding_choice import EncodingKind as EncodingKind
from workbench.ldp.encoding_choice import Outside as Outside

OTHER, MISSING = "(other)", "(missing)"
_NAMED = 3


@dataclass(frozen=True, eq=False)
class Domain:
    """The public facts about the values.

    Parameters
    ----------
    labels
        One text per code.
    ordinal
        Whether neighbouring codes are alike, so that distances between them mean something.
    declared
        False if it was read from the data and is only assumed to be public.
    positions
        The place of each code on the number line (the middles of bins), rising; None if there is none.
    whole
        Whether all values are known to be whole numbers, so that bins can be named by their first and last one.
    """

    labels: tuple[str, ...]
    ordinal: bool
    declared: bool
    positions: NDArray[np.float64] | None = None
    whole: bool = False

    @property
    def size(self) -> int:
        return len(self.labels)

    @property
    def names(self) -> tuple[str, ...]:
        """The labels as they are shown; those of bins have another spelling in files."""
        return tuple(bin_name(label, whole=self.whole) for label in self.labels)

    @property
    def summary(self) -> str:
        """How many possible answers there are, and which."""
        labels = self.names
        shown = ", ".join(labels if self.size == _NAMED + 1 else labels[:_NAMED])
        if self.size > _NAMED + 1:  # where one alone would be left out, nothing is saved by it
            shown += f", … {labels[-1]}"
        return f"{self.size:,} possible answers: {shown}"


@dataclass(frozen=True, eq=False)
class Encoded:
    """A column as codes, and what the encoding cost. Everything but `domain` is for the analyst only.

    Parameters
    ----------
    column
        The rows that are asked.
    places
        The code of each distinct value of the column, int32; -1 for those whose rows do not answer.
    clipped, absent
        Rows whose value lay outside the domain, and rows without a value.
    binning_error
        Kantorovich distance between the numbers and the middles of their bins, in units of the column: what the
        bins alone lose, before any noise. 0 for categories.
    """

    domain: Domain
    column: Column
    places: NDArray[np.int32]
    clipped: int
    absent: int
    binning_error: float

    def __len__(self) -> int:
        """How many rows answer."""
        return int(self.counts.sum())

    @property
    def answering(self) -> NDArray[np.bool_]:
        """Which of the distinct values have rows that answer."""
        return self.places >= 0

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """Rows per code, shape (domain.size,)."""
        return rows_per_place(self.places, self.column.counts, self.domain.size)

    @cached_property
    def rows(self) -> NDArray[np.intp]:
        """Which rows of the column answer, rising."""
        return np.flatnonzero(self.answering[self.column.codes])

    @cached_property
    def codes(self) -> NDArray[np.int32]:
        """The code of each row that answers."""
        found: NDArray[np.int32] = self.places[self.column.codes[self.rows]]
        return found

    @property
    def people(self) -> Crowd:
        """Everybody's code; only counted where the rows are not in memory."""
        if self.column.in_memory:
            return Persons(self.codes)
        return Headcount(np.arange(self.domain.size, dtype=np.int32), self.counts)

    def of(self, column: Column) -> Encoded:
        """The same for some of the rows only: a column with the same distinct values."""
        return replace(self, column=column)


def chosen_how(choice: EncodingChoice, spec: ColumnSpec) -> EncodingKind:
    """The encoding that is meant.

    Raises
    ------
    WorkbenchError
        If it does not go with the kind of the column.
    """
    along = spec.kind.numeric or spec.kind.temporal
    if choice.how is None:
        return (
            EncodingKind.BINS
            if along and choice.domain is None and spec.declared().domain is None
            else EncodingKind.CATEGORIES
        )
    if choice.how is EncodingKind.DATES and not spec.kind.temporal:
        raise _wrong_kind(spec, "by calendar unit", "Bin it by width or by edges, or make it a column of dates.")
    if choice.how is EncodingKind.WHOLE and spec.kind is not Kind.INTEGER:
        raise _wrong_kind(spec, "by whole numbers", "Use bins, or make it a column of integers.")
    if choice.how not in (EncodingKind.CATEGORIES, EncodingKind.QUESTION) and not along:
        raise _wrong_kind(spec, "in bins", "Use its categories as they are, or make it a column of numbers.")
    return choice.how


def domain_of(choice: EncodingChoice, column: Column, spec: ColumnSpec) -> Domain:
    """The domain alone, which needs the data only where the domain is assumed public.

    Raises
    ------
    WorkbenchError
        As `encode`.
    """
    how = chosen_how(choice, spec)
    if how is EncodingKind.QUESTION:
        return _with_extra(_question(choice, column), choice)
    if how is EncodingKind.CATEGORIES:
        return _categories(choice, column, spec)
    return _with_extra(_bins(how, choice, column, spec)[0], choice)


def encode(choice: EncodingChoice, column: Column, spec: ColumnSpec) -> Encoded:
    """Give every row its code.

    Raises
    ------
    WorkbenchError
        If no domain is declared, it has fewer than two values, it cannot be made from the column's kind, or a value
        lies outside it and is not to be clipped.
    """
    how = chosen_how(choice, spec)
    absent = absent_values(column, spec)
    if choice.absent is Absent.STOP:
        refuse_missing(column, spec, absent)
    outside = np.zeros(len(column.values), dtype=np.bool_)
    error = 0.0
    if how is EncodingKind.QUESTION:
        domain = _with_extra(_question(choice, column), choice)
        places = np.fromiter((value == choice.answer for value in column.values), np.int64, len(column.values))
    elif how is EncodingKind.CATEGORIES:
        domain = _categories(choice, column, spec)
        index = {label: code for code, label in enumerate(domain.labels)}
        places = np.fromiter((index.get(value, -1) for value in column.values), np.int64, len(column.values))
        other = index.get(OTHER, -1)
        outside = (places < 0) & ~absent
        places = np.where(outside, other, places)
    else:
        plain, bins = _bins(how, choice, column, spec)
        domain = _with_extra(plain, choice)
        numbers = read_values(column.values, spec)
        unread = np.isnan(numbers) & ~absent
        refuse(
            column,
            spec,
            unread,
            "is no number" if spec.kind.numeric else "is no date",
            "Correct such values, or let them be missing.",
        )
        located = bins.locate(np.where(np.isnan(numbers), bins.edges[0], numbers))
        outside = ((located < 0) | (located >= bins.count)) & ~absent
        places = np.clip(located, 0, bins.count - 1)
        middles = np.asarray(plain.positions)[places]
        error = mean_of(np.abs(np.clip(numbers, bins.edges[0], bins.edges[-1]) - middles), column.counts * ~absent)
    if choice.outside is Outside.STOP:
        refuse(
            column,
            spec,
            outside,
            "lies outside the public domain",
            "Widen the domain, or let such values be clipped.",
            "--clip",
        )
    if choice.absent is Absent.VALUE:
        places = np.where(absent, domain.size - 1, places)
    else:
        places = np.where(absent, -1, places)
    return Encoded(
        domain,
        column,
        places.astype(np.int32),
        int(column.counts[outside].sum()),
        int(column.counts[absent].sum()),
        error,
    )


def _question(choice: EncodingChoice, column: Column) -> Domain:
    if not choice.answer:
        raise WorkbenchError(
            f"It is not said which value of “{column.name}” is asked for.",
            hint="Name the value that counts as yes.",
            field="answer",
        )
    return Domain((f"not {choice.answer}", choice.answer), ordinal=False, declared=True)


def _categories(choice: EncodingChoice, column: Column, spec: ColumnSpec) -> Domain:
    typed, declared = choice.domain, spec.declared().domain
    known = typed if typed is not None else declared
    along = spec.kind.numeric or spec.kind.temporal
    if known is None:
        if not choice.assume_public:
            listed = spec.domain is not None
            raise WorkbenchError(
                f"The possible values of “{column.name}” "
                + ("were read from the data, and are not declared public." if listed else "are not declared."),
                hint="Declare its public domain or type the values; or say that the values that occur are public "
                "knowledge anyway.",
                field="domain",
            )
        absent = absent_values(column, spec)
        order = np.argsort(sort_keys(column, spec), kind="stable")
        known = tuple(column.values[i] for i in order.tolist() if column.counts[i] and not absent[i])
    if len(set(known)) < len(known):
        twice = next(value for value in known if known.count(value) > 1)
        raise WorkbenchError(
            f"The domain of “{column.name}” lists “{twice}” twice.", hint="List every value once.", field="domain"
        )
    public = typed is not None or declared is not None
    ordinal = along or spec.kind is Kind.ORDERED
    positions = None
    if along:
        places = read_values(known, spec)
        if np.isfinite(places).all() and (np.diff(places) > 0).all():
            positions = places
    extra = (OTHER,) if choice.outside is Outside.CLIP and OTHER not in known else ()
    return _with_extra(_checked(Domain((*known, *extra), ordinal, public, None if extra else positions)), choice)


def _bins(how: EncodingKind, choice: EncodingChoice, column: Column, spec: ColumnSpec) -> tuple[Domain, Bins]:
    if how is EncodingKind.EDGES:
        bins, declared = own_bins(choice.edges), True
    else:
        bounds, declared = public_bounds(choice, column, spec)
        if how is EncodingKind.WHOLE:
            bins = whole_bins(*bounds)
        elif how is EncodingKind.DATES:
            bins = date_bins(*bounds, choice.unit, seconds=spec.kind is Kind.DATETIME)
        else:
            bins = equal_bins(*bounds, choice.bins, date=spec.kind if spec.kind.temporal else None)
    return _checked(Domain(bins.labels, True, declared, bins.middles, spec.kind is Kind.INTEGER)), bins


def _with_extra(domain: Domain, choice: EncodingChoice) -> Domain:
    """The domain with a value for those who have none, if they are to answer."""
    if choice.absent is not Absent.VALUE:
        return domain
    if MISSING in domain.labels:
        hint = "Take it from the domain, or leave out the people without a value."
        raise WorkbenchError(f"People without a value answer “{MISSING}”, as others do.", hint=hint, field="domain")
    # “(missing)” has no place on the line, so distances go by the number of the code again.
    return Domain((*domain.labels, MISSING), domain.ordinal, domain.declared, whole=domain.whole)


def _checked(domain: Domain) -> Domain:
    if domain.size < 2:
        raise WorkbenchError(
            f"The domain has {'only one value' if domain.size else 'no value'}, so there is nothing to ask.",
            hint="A question needs at least two possible answers.",
            field="domain",
        )
    if domain.size > LARGEST_DOMAIN:
        raise WorkbenchError(
            f"The domain has {domain.size:,} values, more than {LARGEST_DOMAIN:,}.",
            hint="Use wider bins or fewer categories.",
            field="domain",
        )
    return domain


def public_bounds(choice: EncodingChoice, column: Column, spec: ColumnSpec) -> tuple[tuple[float, float], bool]:
    """The bounds to use, and whether they were declared; otherwise they are those of the data.

    Raises
    ------
    WorkbenchError
        If none are declared and those of the data are not to be used, or they are no bounds.
    """
    public = choice.bounds if choice.bounds is not None else spec.declared().bounds
    if public is None and not choice.assume_public:
        raise WorkbenchError(
            f"The public bounds of “{column.name}” are not declared.",
            hint="Declare them or type them; or say that the smallest and largest value are public knowledge anyway.",
            field="bounds",
        )
    if public is not None:
        low, high = public
        if not (np.isfinite(low) and np.isfinite(high) and low < high):
            raise WorkbenchError(
                f"{exact(low)} and {exact(high)} are no bounds.",
                hint="Give two finite numbers, the smaller first.",
                field="bounds",
            )
        return (float(low), float(high)), True
    numbers = read_values(column.values, spec)[column.counts > 0]
    numbers = numbers[np.isfinite(numbers)]
    if not len(numbers) or numbers.min() == numbers.max():
        raise WorkbenchError(
            f"“{column.name}” has no two different numbers to take bounds from.",
            hint="Type the public bounds.",
            field="bounds",
        )
    return (float(numbers.min()), float(numbers.max())), False


def _wrong_kind(spec: ColumnSpec, how: str, remedy: str) -> WorkbenchError:
    return WorkbenchError(f"“{spec.name}” cannot be taken {how}: it is {spec.kind}.", hint=remedy, field="how")
