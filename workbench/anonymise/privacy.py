"""Privacy models: the interface of a model, and a chosen model with its parameters."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.class_table import ClassTable
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.params import ParamSpec, ParamType, filled
from workbench.core.plugins import Described, Registry
from workbench.core.typed_fields import Scalar, typed_fields

ROUNDING = 1e-12
"""Relative slack of comparisons with a threshold, so that a distance that equals it on paper counts as equal."""


@dataclass(frozen=True, eq=False)
class Sensitive:
    """Facts about a sensitive column before any grouping.

    Parameters
    ----------
    values
        The distinct texts; classes are counted by index into them.
    counts
        Rows to be released with each value, int64 of shape (len(values),).
    hierarchy
        How alike values are, if the person said so.
    """

    values: tuple[str, ...]
    counts: NDArray[np.int64]
    hierarchy: Hierarchy | None = None


@dataclass(frozen=True, eq=False)
class Background:
    """The table as a privacy model sees it before any grouping.

    Parameters
    ----------
    rows
        Rows to be released.
    population
        Rows of the whole table; more than `rows` only if a part of it is to be released.
    sensitive
        The sensitive columns that models name.
    """

    rows: int
    population: int
    sensitive: Mapping[str, Sensitive] = field(default_factory=dict)


class ClassRequirement(ABC):
    """A demand on each class by itself; classes that do not meet it are suppressed."""

    @abstractmethod
    def holds(self, classes: ClassTable) -> NDArray[np.bool_]:
        """For each class whether it may be released, shape (classes,)."""

    def least_lost(self, classes: ClassTable, failing: NDArray[np.intp]) -> NDArray[np.int64]:
        """How many rows of each failing class every finer node must suppress too, at least.

        Two classes that both meet the demand still meet it when they merge, for every model here. So the rows
        of a class that some finer node keeps meet it together, and what must be taken away from the class until
        the rest meets it (or is empty) is a lower bound. A model whose failing classes only have failing parts
        loses them whole, which is what is returned unless a model says less.
        """
        return classes.sizes[failing]

    @property
    def asks_only_whether_alike(self) -> bool:
        """Whether of the sensitive values of a class nothing matters but whether there are several."""
        return False

    @property
    def smallest_class(self) -> int:
        """No class with fewer rows than this can be released, whatever is in it."""
        return 1


class TableRequirement(ABC):
    """A demand on all released classes together, met by suppressing the smallest ones."""

    @abstractmethod
    def smallest_kept(self, sizes: NDArray[np.int64]) -> int:
        """Classes of at least this many rows together meet the demand; sizes are those of acceptable classes."""

    @abstractmethod
    def least_lost(self, sizes: NDArray[np.int64]) -> int:
        """How many rows every finer node must suppress, at least; `sizes` are those of all classes."""


Requirement = ClassRequirement | TableRequirement


@dataclass(frozen=True)
class PrivacyModel(Described):
    """One privacy model: the declaration that forms, flags and help are made from, and how to apply it.

    Parameters
    ----------
    params
        Its parameters. One of type `COLUMN` named `column` is the sensitive column. `subset_column` and
        `subset_value` say which rows of a public table are to be released.
    fit
        Makes the requirement from checked parameters and the table.
    needs_hierarchy
        Whether the sensitive column needs a hierarchy.
    """

    params: tuple[ParamSpec, ...]
    fit: Callable[[Mapping[str, Any], Background], Requirement]
    needs_hierarchy: bool = False


@dataclass(frozen=True)
@typed_fields
class ModelChoice:
    """A privacy model with its parameters, such as `ModelChoice("k-anonymity", {"k": 5})`."""

    identifier: str
    values: Mapping[str, Scalar] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> ModelChoice:
        """Read a choice as it is written in a command: `k=5`, `l-diversity=2:occupation`, `b-likeness=1,basic:salary`.

        Values after `=` fill the parameters that are no columns, in their order; what follows `:` is the
        sensitive column or, for a model with a subset, `column=value`.

        Raises
        ------
        WorkbenchError
            If there is no such model or the values do not fit its parameters.
        """
        head, _, column = text.partition(":")
        identifier, _, numbers = head.partition("=")
        model = MODELS[_SHORT.get(identifier.strip(), identifier.strip())]
        plain = [spec for spec in model.params if spec.name not in (*_COLUMNS, "column")]
        given = [part for part in numbers.split(",") if part.strip()]
        if len(given) > len(plain):
            raise WorkbenchError(
                f"“{text}” gives {len(given)} values, and {model.title} takes {len(plain)}.",
                hint=f"They are: {', '.join(spec.title for spec in plain)}.",
                field="model",
            )
        values = {spec.name: spec.parse(part) for spec, part in zip(plain, given, strict=False)}
        names = {spec.name for spec in model.params}
        if column and "column" in names:
            values["column"] = column
        elif column and "subset_column" in names:
            values["subset_column"], _, values["subset_value"] = column.partition("=")
        elif column:
            raise WorkbenchError(
                f"{model.title} needs no column, so “:{column}” says nothing.",
                hint=f"Write “{head}”.",
                field="model",
            )
        return cls(model.identifier, values)

    @property
    def model(self) -> PrivacyModel:
        """The model itself.

        Raises
        ------
        WorkbenchError
            If there is none of this identifier.
        """
        return MODELS[self.identifier]

    def checked(self) -> dict[str, Any]:
        """All parameters, with defaults, checked.

        Raises
        ------
        WorkbenchError
            If a parameter is unknown, missing or not allowed.
        """
        return filled(self.model.params, dict(self.values))

    @property
    def column(self) -> str:
        """The sensitive column, or ""."""
        return str(self.values.get("column", ""))

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns it looks at besides the generalised ones."""
        subset = self.subset
        return tuple(name for name in (self.column, "" if subset is None else subset[0]) if name)

    @property
    def subset(self) -> tuple[str, str] | None:
        """Which rows are to be released, as (column, value), or None for all."""
        column = str(self.values.get("subset_column", ""))
        return (column, str(self.values.get("subset_value", ""))) if column else None


def in_words(choice: ModelChoice) -> str:
    """A model with its parameters, such as “Distinct l-diversity (l = 2) for salary”.

    Raises
    ------
    WorkbenchError
        If there is no such model, or its parameters are not as they should be.
    """
    values, specs = choice.checked(), choice.model.params
    said = [f"{s.title} = {values[s.name]}" for s in specs if s.name != "column" and values[s.name] != ""]
    words = f"{choice.model.title} ({', '.join(said)})" if said else choice.model.title
    return f"{words} for {choice.column}" if choice.column else words


_SHORT = {"k": "k-anonymity", "l": "l-diversity", "t": "t-closeness"}


def _check_name(model: PrivacyModel, _own: Iterable[PrivacyModel]) -> None:
    if model.identifier in _SHORT:
        raise WorkbenchError(f"the privacy model “{model.identifier}” is a short name of “{_SHORT[model.identifier]}”.")


MODELS: Registry[PrivacyModel] = Registry("privacy model", "workbench.anonymise.models", PrivacyModel, _check_name)
"""Every privacy model there is."""

COLUMN = ParamSpec(
    "column",
    "Sensitive column",
    ParamType.COLUMN,
    help="The column whose values must not be inferable from a class.",
)

SUBSET = (
    ParamSpec(
        "subset_column",
        "Column that marks the released rows",
        ParamType.COLUMN,
        default="",
        help="The table is the population; the rows with a certain value in this column are the ones released.",
    ),
    ParamSpec(
        "subset_value",
        "Value of the released rows",
        ParamType.TEXT,
        default="",
        help="What stands in that column in the rows to be released.",
    ),
)

_COLUMNS = tuple(spec.name for spec in SUBSET)
