"""The catalogue of questions: each is one file of `workbench.query.queries`, declared by a `QueryKind`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any, ClassVar

from workbench.core.errors import WorkbenchError
from workbench.core.params import ParamSpec, ParamType, filled
from workbench.core.plugins import Described, Registry
from workbench.core.schema import ColumnSpec, Schema
from workbench.core.settings import Flag, Stored, setting
from workbench.core.typed_fields import Scalar, typed_fields
from workbench.core.worded import Worded
from workbench.query.amounts import LARGEST_EPSILON
from workbench.query.grid import Grid, grid_of
from workbench.query.mechanism import QueryMechanism
from workbench.query.partition import Partition, keys_of, partition_of

_TEXTS = (ParamType.TEXT, ParamType.CHOICE, ParamType.COLUMN, ParamType.LINES)

GUESSED_ROWS = 1000
"""So many rows are guessed to match where nobody says anything."""
MOST_ROWS = 10_000_000
"""More are not guessed: beyond, a plan says the same."""


class NoiseSource(Worded):
    """The library that draws the noise of an answer."""

    GRID = "grid", "Grid: discrete noise"
    """Whole numbers on a public grid with discrete noise, add/remove neighbours."""
    DIFFPRIVLIB = "diffprivlib", "diffprivlib as published"
    """The tools of diffprivlib as they were published, guarded, with the neighbours they assume."""
    OPENDP = "opendp", "OpenDP's noise"
    """The same whole numbers as on the grid, with noise that OpenDP draws."""


@dataclass(frozen=True)
@typed_fields
class QueryDraft:
    """A question as a person has it before them. Everything in it is public."""

    REFUSES_UNKNOWN: ClassVar[bool] = True

    kind: str = setting(
        "count",
        title="Question",
        about="What is asked: its identifier in the catalogue.",
        undo="Ask another question",
        flag=Flag("ID", name="--query", help=lambda: f"the question: {QUERIES.names()}", default=None, always=True),
    )
    epsilon: str = setting(
        "0.1",
        title="ε of the answer",
        about="ε of the answer, such as 0.1, 1/3 or ln 3; a question whose ε follows from its parameters has none",
        amount=True,
        minimum=0,
        offered=(0, LARGEST_EPSILON),
        open_minimum=True,
        group="privacy",
        undo="Choose ε",
        flag=Flag("E", help="ε of the answer, such as 0.1, 1/3 or ln 3", default=None, always=True),
    )
    values: Mapping[str, Scalar] = setting(
        factory=lambda: MappingProxyType({}),
        title="Parameters",
        about="What the question needs to know, by name; what is left out has its usual value.",
        explain="parameters",
    )
    where: str = setting(
        "",
        title="Only rows where",
        about="only rows for which this holds, such as: age >= 18 and \"job title\" in ('Chef', 'Nurse')",
        undo="Change the filter",
        flag=Flag("EXPR", write=str.strip),
    )
    noise: NoiseSource = setting(
        NoiseSource.GRID,
        title="Noise",
        about="discrete noise on a public grid, diffprivlib as published, or noise that OpenDP draws (default: grid)",
        undo="Choose the noise",
        group="noise",
        explain="engine",
        stored=Stored(key="engine"),
        flag=Flag(),
    )
    tool: str = setting(
        "",
        title="Tool of diffprivlib",
        about="which tool of diffprivlib, such as nanmean; the first of the question unless one is named",
        undo="Choose the tool",
        group="noise",
        explain="engine",
        flag=Flag("NAME", help="which tool of diffprivlib, such as nanmean"),
    )
    weight: str = setting(
        "1",
        title="Weight",
        about="Its share of ε in a batch, in proportion to the other weights.",
        undo="Weigh a question",
        explain="batch",
    )
    assumed_rows: int = setting(
        GUESSED_ROWS,
        title="Rows guessed to match",
        about="rows guessed to match, for the plan (default: a released count of the same rows, else 1000)",
        offered=(0, MOST_ROWS),
        unit="rows",
        group="privacy",
        undo="Guess the rows",
        explain="rows",
        flag=Flag("N", default=None),
    )
    rows_typed: bool = setting(
        False,
        title="Rows were guessed by hand",
        about="Whether the person said how many rows match, so that no released count takes the place of that number.",
        explain="rows",
    )

    most_below: float | None = setting(
        None,
        title="Most values below",
        label="Most below",
        about="The number below which 9 in 10 values lie, if everybody may know it, for the plan of a question "
        "whose error depends on how values are spread: they are then taken for a long tail.",
        placeholder="9 in 10, if public",
        group="privacy",
        undo="Change below what most values are",
        explain="rows",
        stored=Stored(noun="the number below which most values lie"),
    )

    @property
    def says_rows(self) -> bool:
        """Whether the number of rows is the person's own. Older projects did not note it where it is the usual one."""
        return self.rows_typed or self.assumed_rows != GUESSED_ROWS


@dataclass(frozen=True)
class CheckedQuery:
    """A question whose parameters were checked: what a kind makes its mechanism from.

    Parameters
    ----------
    values
        Every parameter of the kind.
    epsilon
        ε; None for kinds that compute it.
    schema
        How the columns are described. What was read from the data is refused where it would be used.
    rows_per_person
        How many rows one person may have.
    """

    values: Mapping[str, Any]
    epsilon: Fraction | None
    schema: Schema
    rows_per_person: int

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    @property
    def budget(self) -> Fraction:
        """ε of a kind that does not compute it."""
        if self.epsilon is None:
            raise WorkbenchError("ε is missing.", hint="Give one, such as 0.1.", field="epsilon")
        return self.epsilon

    @property
    def declared(self) -> Schema:
        """The columns without what was read from the data."""
        return self.schema.changed(self.schema.names, ColumnSpec.declared)

    def column(self, name: str = "column") -> ColumnSpec:
        return self.schema[self.values[name]]

    def grid(self, prefix: str = "") -> Grid:
        """The grid of the column; the parameters of another one start with its prefix."""
        given = self.values
        return grid_of(
            self.column(f"{prefix}column"),
            given[f"{prefix}lower"],
            given[f"{prefix}upper"],
            given[f"{prefix}resolution"],
            given.get(f"{prefix}missing", ""),
            prefix,
        )

    def partition(self, prefix: str = "") -> Partition:
        """The cells of the column."""
        given = self.values
        return partition_of(
            self.column(f"{prefix}column"),
            keys=given[f"{prefix}keys"],
            lower=given[f"{prefix}lower"],
            upper=given[f"{prefix}upper"],
            bins=given[f"{prefix}bins"],
            edges=given[f"{prefix}edges"],
            clip=given["outside"] == "clip",
            other=given["other"],
            alike=given["alike"],
            prefix=prefix,
        )

    def keys(self, column: str = "column", keys: str = "keys") -> Partition:
        """One cell per value."""
        return keys_of(self.column(column), self.values[keys], field=keys)


@dataclass(frozen=True)
class QueryKind(Described):
    """One kind of question.

    Parameters
    ----------
    parameters
        What it needs to know.
    compile
        Its mechanism, from public parameters alone.
    needs_epsilon
        Whether ε is chosen, rather than following from the other parameters.
    tools
        Tools of diffprivlib that answer the same question; the first one is used unless another is named.
    examples
        Values of its parameters to be tried by `workbench.contracts`, about a column "age" of whole numbers from 0 to 3
        and a column "town" of the categories A, B and C; for what the defaults do not show.
    """

    parameters: tuple[ParamSpec, ...]
    compile: Callable[[CheckedQuery], QueryMechanism]
    needs_epsilon: bool = True
    tools: tuple[str, ...] = ()
    examples: tuple[Mapping[str, Any], ...] = ()

    def checked(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Every parameter, read and checked.

        Raises
        ------
        WorkbenchError
            If one is unknown, missing or not allowed.
        """
        types = {spec.name: spec for spec in self.parameters}
        read = {
            name: types[name].parse(value)
            if isinstance(value, str) and name in types and types[name].type not in _TEXTS
            else value
            for name, value in values.items()
        }
        return filled(self.parameters, read)

    def telling(self, values: Mapping[str, Any], columns: Iterable[ColumnSpec]) -> dict[str, Any]:
        """The values by which an answer is found again, of a question about these columns.

        A parameter that came later, and changes nothing here, makes no other question of one that was answered: numbers
        and dates are compared as numbers, whichever way capitals and spaces count.
        """
        texts = any(not (one.kind.numeric or one.kind.temporal) for one in columns)
        idle = ALIKE in self.parameters and not texts
        return {name: value for name, value in values.items() if name != "alike" or (bool(value) and not idle)}


# fmt: off
FLAGS = frozenset({
    "again", "assumed_rows", "batch", "batch_delta", "bounds", "budget", "continue_ledger", "data_engine", "delimiter",
    "encoding", "engine", "epsilon", "file", "format", "header", "help", "json", "kind", "labels", "ledger",
    "limit_rows", "memory_budget", "missing_text", "need", "no_header", "no_labels", "noise", "other_people", "param",
    "person", "plain", "plan", "query", "quiet", "rows_per_person", "sheet", "sql", "tool", "trust_plugin", "where",
})
# fmt: on
"""Names that a command uses beside the parameters of a question, so that no parameter may have one of them."""


def _check_names(kind: QueryKind, own: Iterable[QueryKind]) -> None:
    """Refuse a third party's question whose parameters would be taken for something else.

    Raises
    ------
    WorkbenchError
        If one is named like a flag, or like a parameter of the program that is of another type.
    """
    known = {spec.name: (spec, one) for one in own for spec in one.parameters}
    for spec in kind.parameters:
        flag = f"--{spec.name.replace('_', '-')}"
        if spec.name in FLAGS:
            raise WorkbenchError(f"its parameter “{spec.name}” is named like the flag {flag} of “query”.")
        taken, by = known.get(spec.name, (spec, kind))
        if taken.type is not spec.type:
            raise WorkbenchError(
                f"its parameter “{spec.name}” ({spec.type.value}) is named like the parameter {flag} of "
                f"“{by.identifier}” ({taken.type.value})."
            )


QUERIES: Registry[QueryKind] = Registry("query", "workbench.query.queries", QueryKind, _check_names)


# Parameters that several kinds share; the same name means the same everywhere.

COLUMN = ParamSpec("column", "Column", ParamType.COLUMN, help="The column that is asked about.")
LOWER = ParamSpec(
    "lower",
    "Lower bound",
    ParamType.TEXT,
    "",
    "The smallest value that is possible, known without this data; smaller ones count as this. Empty: as declared "
    "for the column.",
)
UPPER = ParamSpec(
    "upper",
    "Upper bound",
    ParamType.TEXT,
    "",
    "The largest value that is possible, known without this data; larger ones count as this. Empty: as declared for "
    "the column.",
)
RESOLUTION = ParamSpec(
    "resolution",
    "In steps of",
    ParamType.TEXT,
    "",
    "The step to which values are rounded, such as 0.01 for cents. A finer one costs no ε. Empty: 1 for whole "
    "numbers and days, 0.01 for money and percentages; for other numbers a power of ten that follows from the bounds.",
)
MISSING = ParamSpec(
    "missing",
    "Missing values count as",
    ParamType.TEXT,
    "",
    "A value within the bounds that rows without one get. Empty: such rows are left out, and how many remain is "
    "protected too.",
)
KEYS = ParamSpec(
    "keys",
    "Values",
    ParamType.TEXT,
    "",
    "The values to count, separated by commas, known without this data. Empty: the declared domain of the column.",
)
BINS = ParamSpec(
    "bins", "Bins", ParamType.INTEGER, 10, "How many ranges of equal width, for numbers and dates.", minimum=1
)
EDGES = ParamSpec(
    "edges", "Edges", ParamType.TEXT, "", "Edges of the ranges, separated by commas, instead of equal widths."
)
OUTSIDE = ParamSpec(
    "outside",
    "Numbers beyond the bounds",
    ParamType.CHOICE,
    "clip",
    "Whether they count in the first and last range or not at all.",
    choices=(("clip", "count at the edge"), ("exclude", "are left out")),
)
OTHER = ParamSpec("other", "Count other values", ParamType.SWITCH, False, "One more cell for values not listed.")
ALIKE = ParamSpec(
    "alike",
    "Ignore spaces and capitals",
    ParamType.SWITCH,
    False,
    "Whether a text counts as the listed value that it is equal to without white space at its ends and with case "
    "folded as by Unicode: “ NORTH” as “north”, and “STRASSE” as “Straße”.",
)
POST = ParamSpec(
    "post",
    "Afterwards",
    ParamType.CHOICE,
    "none",
    "What happens to the noisy counts; it costs nothing. “Non-negative” replaces counts below 0 by 0; “consistent” "
    "takes the nearest counts that are not negative and add up to the noisy total.",
    choices=(("none", "nothing"), ("non-negative", "non-negative"), ("consistent", "consistent with the total")),
)
DRAW = ParamSpec(
    "draw",
    "Draw",
    ParamType.CHOICE,
    "permute-and-flip",
    "How the choice is drawn. Permute-and-flip is never worse than the exponential mechanism.",
    choices=(("permute-and-flip", "permute and flip"), ("exponential", "exponential mechanism")),
)
NUMERIC = (COLUMN, LOWER, UPPER, RESOLUTION, MISSING)
CELLS = (COLUMN, KEYS, LOWER, UPPER, BINS, EDGES, OUTSIDE, OTHER, ALIKE)


def second(spec: ParamSpec) -> ParamSpec:
    """The same parameter for a second column."""
    return replace(spec, name=f"second_{spec.name}", title=f"Second: {spec.title}")
