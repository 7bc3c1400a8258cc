"""The schema: the kind, the role and the public knowledge of each column."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum

from workbench.core.errors import WorkbenchError
from workbench.core.exact import MOST_PEOPLE
from workbench.core.settings import Flag, Stored, check_settings, setting
from workbench.core.typed_fields import typed_fields
from workbench.core.worded import Worded


class Kind(Worded):
    """The kind as which the texts of a column are read."""

    INTEGER = "integer", "Whole number"
    DECIMAL = "decimal", "Decimal number"
    MONEY = "money", "Money"
    PERCENT = "percent", "Percent"
    DATE = "date", "Date"
    DATETIME = "date-time", "Date and time"
    ORDERED = "ordered", "Ordered categories"
    CATEGORY = "category", "Categories"
    TEXT = "text", "Text"

    @property
    def numeric(self) -> bool:
        return self in _NUMERIC

    @property
    def temporal(self) -> bool:
        return self in (Kind.DATE, Kind.DATETIME)


KNOWN_BEFOREHAND = (
    "The columns would have been read so whoever is in the table: headings, kinds, how numbers and dates are written, "
    "and what stands for a missing value."
)
"""Assertion about the description of the columns that goes with every release: much of it is proposed from the data,
and one row can change a proposal. Whoever takes a proposal can say this where they would have written the same for any
table of that kind."""

_NUMERIC = frozenset({Kind.INTEGER, Kind.DECIMAL, Kind.MONEY, Kind.PERCENT})


class Role(Worded):
    """The danger of a column to a person's privacy."""

    IDENTIFYING = "identifying", "Identifying"
    QUASI = "quasi-identifying", "Quasi-identifying"
    SENSITIVE = "sensitive", "Sensitive"
    INSENSITIVE = "insensitive", "Insensitive"

    @property
    def meaning(self) -> str:
        """Consequence of the role, in a line."""
        return _MEANINGS[self]


_MEANINGS = {
    Role.IDENTIFYING: "Leave out (identifying or not needed).",
    Role.QUASI: "Can be known from elsewhere; becomes coarser.",
    Role.SENSITIVE: (
        "What nobody should learn about a person. If what can be guessed is limited, it is protected like all others."
    ),
    Role.INSENSITIVE: "Nobody could find a person by it.",
}


class Misfits(StrEnum):
    """The treatment of values that do not fit the kind of their column when the table is prepared."""

    KEEP = "keep"
    """They stay as the texts they are."""
    MISSING = "missing"
    """They become missing values."""
    STOP = "stop"
    """Preparing the table ends with an error that names them."""


@dataclass(frozen=True)
@typed_fields
class Format:
    """The spelling of numbers and dates in a column.

    `decimal_mark` is "." or ","; `thousands` is "", ",", ".", " " or "'"; `symbol` is a currency sign or
    "%"; `pattern` is a `datetime.strptime` pattern for dates, or several joined by " | ", and "" for numbers. Of
    other kinds it is `postcodes.UK_POSTCODE` where the values are such codes.
    """

    decimal_mark: str = "."
    thousands: str = ""
    symbol: str = ""
    pattern: str = ""


UNDECIDED = "Not decided"
_OBSERVABLE = frozenset({"bounds", "domain"})


@dataclass(frozen=True)
@typed_fields
class ColumnSpec:
    """The description of one column.

    `bounds` and `domain` are *public* knowledge typed in by the person; `observed` names those of the two that were
    read from the data after all, which makes whatever is built from them data-derived;
    `missing` lists the texts that stand for "no value", `misfits` says what becomes of values that do not fit.
    While the role is `undecided`, nobody has said it, and what counts until somebody does is `role`.
    """

    name: str
    kind: Kind = Kind.TEXT
    role: Role = Role.INSENSITIVE
    format: Format = field(default_factory=Format)
    missing: tuple[str, ...] = ("",)
    bounds: tuple[float, float] | None = None
    domain: tuple[str, ...] | None = None
    unit: str = ""
    misfits: Misfits = Misfits.KEEP
    observed: frozenset[str] = frozenset()
    undecided: bool = False

    def __post_init__(self) -> None:
        if not self.observed <= _OBSERVABLE:
            raise WorkbenchError(
                "Of a column only its bounds and its domain can be read from the data.", field="observed"
            )

    @property
    def role_words(self) -> str:
        """Name of the role, as far as somebody has said one."""
        return UNDECIDED if self.undecided and self.role is Role.INSENSITIVE else self.role.words

    def declared(self) -> ColumnSpec:
        """The description without bounds or a domain that were read from the data."""
        if not self.observed:
            return self
        return replace(
            self,
            bounds=None if "bounds" in self.observed else self.bounds,
            domain=None if "domain" in self.observed else self.domain,
            observed=frozenset(),
        )


class UnitAnswer(StrEnum):
    """The answer of a person who was asked who is protected, if there was one."""

    SAID = "said"
    UNSAID = "unsaid"
    """Nobody was asked yet: every row counts as a person until somebody is."""
    BY_ROLE = "by role"
    """As in projects of before anybody was asked: a column marked identifying tells persons apart as well, which the
    data settles (`workbench.project.restoring`)."""


@dataclass(frozen=True)
@typed_fields
class PrivacyUnit:
    """The unit that the guarantee protects: a person with at most `rows_per_person` rows.

    If `person_column` names a column, its values say which rows belong to the same person and the
    number can be checked against the data; otherwise it is the person's assertion.
    """

    rows_per_person: int = setting(
        1,
        title="Rows per person",
        about="most rows one person may have (default: 1)",
        minimum=1,
        maximum=MOST_PEOPLE,
        refusal=("A person has at least one row.", "Give the largest number of rows one person may have, 1 or more."),
        flag=Flag("C"),
        stored=Stored(always=True),
    )
    person_column: str = setting(
        "",
        title="Person",
        about="column that says which rows belong to the same person",
        flag=Flag("COL", name="--person"),
        stored=Stored(always=True),
    )
    protected: UnitAnswer = setting(
        UnitAnswer.SAID,
        title="Who is protected",
        about="whether a person has said who is protected",
    )

    def __post_init__(self) -> None:
        check_settings(self)

    @property
    def several_rows(self) -> bool:
        """Whether a person may have several rows in the file, however many of them take part."""
        return self.rows_per_person > 1 or bool(self.person_column)


@dataclass(frozen=True)
@typed_fields
class Schema:
    """The description of every column, in the order of the file, and the unit of privacy."""

    columns: tuple[ColumnSpec, ...] = ()
    unit: PrivacyUnit = field(default_factory=PrivacyUnit)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    def __getitem__(self, name: str) -> ColumnSpec:
        for column in self.columns:
            if column.name == name:
                return column
        raise self._unknown(name)

    def with_role(self, role: Role) -> tuple[ColumnSpec, ...]:
        return tuple(column for column in self.columns if column.role is role)

    def changed(self, names: Iterable[str], change: Callable[[ColumnSpec], ColumnSpec]) -> Schema:
        """A schema in which `change` was applied to the named columns."""
        wanted = set(names)
        unknown = wanted - set(self.names)
        if unknown:
            raise self._unknown(min(unknown))
        return replace(self, columns=tuple(change(c) if c.name in wanted else c for c in self.columns))

    def _unknown(self, name: str) -> WorkbenchError:
        known = f"The columns are: {', '.join(self.names)}." if self.columns else ""
        return WorkbenchError(f"There is no column “{name}”.", hint=known, field=name)
