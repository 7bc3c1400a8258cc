"""Hierarchies from specifications: what builders share.

A specification is plain JSON, and all a builder needs beside the values::

    {"format": "workbench-hierarchy-spec", "version": 1, "builder": "intervals",
     "parameters": {…}, "details": {…}, "column": {…}}

`parameters` are scalars declared by `ParamSpec`, `details` the nested rest, `column` how the values are to be
read (kept so that the file rebuilds the hierarchy on its own). `title` and `about` may name it in a library.

**Public or data-derived** follows from the specification and the declared part of the column alone (`assess`).
Public means: the label of a value at a level is a function of the specification and that value, whichever
other values occur and however often. Whatever depends on them (their order, ranks, bounds or means) is derived.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from workbench.core.builder_values import BuilderValues as BuilderValues
from workbench.core.details import Details
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY, Hierarchy, Provenance
from workbench.core.params import ParamSpec, ParamType, filled
from workbench.core.plugins import Registry
from workbench.core.schema import ColumnSpec
from workbench.core.spec_column import described, described_column
from workbench.core.trust import Origin

SPEC_FORMAT = "workbench-hierarchy-spec"
SPEC_VERSION = 1
NONE_COVERED, NO_VALUE = "unlisted", "values"
"""The field of the error where a rule covers none of the values, and where there is none."""
NOT_DECLARED = "not declared to be fixed without the data."
"""The end of the origin of what somebody put together and nobody declared: where its values come from is not known."""

COMMON: tuple[ParamSpec, ...] = (
    ParamSpec("top", f"Top level {ANY}", ParamType.SWITCH, True, f"Add a last level at which every value is {ANY}."),
    ParamSpec(
        "missing_label",
        "Missing values become",
        ParamType.TEXT,
        "",
        f"The label of values that stand for “no value”, at every level below the top; empty, {ANY} or a word.",
    ),
    ParamSpec(
        "unlisted",
        "Other values",
        ParamType.CHOICE,
        "leave",
        "What happens to values the rule does not cover, such as a word among numbers.",
        choices=(("leave", "leave out and name them"), ("any", f"become {ANY} above level 0")),
    ),
)
"""Parameters every builder has."""


T = TypeVar("T")

Level = tuple[NDArray[np.integer], Sequence[str]]
"""For each covered value the index of its label, and the labels."""


@dataclass(frozen=True)
class Levels:
    """The levels that a builder's rule makes.

    Parameters
    ----------
    covered
        Positions in `BuilderValues.values` of the values the rule covers, in the order to show them.
    levels
        The levels above the ground, each aligned with `covered`.
    topped
        Whether the last of them is `*` for every value, by the specification alone. It must not follow from
        which values occur: then the number of levels, and with it the meaning of each, would depend on the data.
    """

    covered: NDArray[np.intp]
    levels: Sequence[Level]
    topped: bool = False


@dataclass(frozen=True)
class ProvenanceAssessment:
    """An assessment of whether a specification is public, how it builds, and how it could be public if it is not."""

    provenance: Provenance
    origin: str
    how_public: str = ""


@dataclass(frozen=True)
class BuilderSettings:
    """The checked parameters of a specification, and its nested details."""

    parameters: Mapping[str, Any]
    details: Details

    def __getitem__(self, name: str) -> Any:
        return self.parameters[name]

    def once(self, read: Callable[[BuilderSettings], T]) -> T:
        """Result of `read` for these settings, worked out the first time it is asked for."""
        if read not in self._read:
            self._read[read] = read(self)
        found: T = self._read[read]
        return found

    @cached_property
    def _read(self) -> dict[Callable[[BuilderSettings], Any], Any]:
        return {}


@dataclass(frozen=True)
class Builder:
    """One way to build hierarchies.

    Parameters
    ----------
    identifier, title, help
        Its name in files, its heading, and what it is good for.
    parameters
        Its own scalar parameters, beside `COMMON`.
    details
        Names of the entries `details` may have.
    build
        The rule: labels of the values it covers. Missing, unlisted and `*` are added by `build_hierarchy`.
    assess
        Whether it is public, from the specification and the declared part of the column.
    suggest
        Parameters and details to start from. It does not get the data, so that a start is not read off it.
    listed
        Values the hierarchy holds whether they occur or not.
    suits
        How well it goes with a column, by its kind and its name; it is suggested first where this is largest, and
        not at all where it is 0.
    every_label
        Writes the labels of all that could occur, and raises where one cannot be: then the rule is at fault, whatever
        the values are.
    """

    identifier: str
    title: str
    help: str
    parameters: tuple[ParamSpec, ...]
    details: tuple[str, ...]
    build: Callable[[BuilderSettings, BuilderValues], Levels]
    assess: Callable[[BuilderSettings, ColumnSpec], ProvenanceAssessment]
    suggest: Callable[[ColumnSpec], tuple[dict[str, Any], dict[str, Any]]]
    listed: Callable[[BuilderSettings, ColumnSpec], Sequence[str]] = lambda settings, column: column.domain or ()
    suits: Callable[[ColumnSpec], int] = lambda column: 0
    every_label: Callable[[BuilderSettings], None] = lambda settings: None

    def __post_init__(self) -> None:
        start = self.suggest
        # What was read from the data must not come back as something that was declared.
        object.__setattr__(self, "suggest", lambda column: start(column.declared()))

    @property
    def all_parameters(self) -> tuple[ParamSpec, ...]:
        return self.parameters + COMMON


BUILDERS: Registry[Builder] = Registry("hierarchy builder", "workbench.core.builders", Builder)


def specification(
    builder: str,
    parameters: Mapping[str, Any] | None = None,
    details: Mapping[str, Any] | None = None,
    *,
    column: ColumnSpec | None = None,
    title: str = "",
    about: str = "",
) -> dict[str, Any]:
    """A complete specification, checked, with every default written out."""
    plain: dict[str, Any] = {
        "format": SPEC_FORMAT,
        "version": SPEC_VERSION,
        "builder": builder,
        "parameters": dict(parameters or {}),
        "details": dict(details or {}),
    }
    if column is not None:
        plain["column"] = described(column)
    if title:
        plain["title"] = title
    if about:
        plain["about"] = about
    return normalised(plain)


def normalised(plain: Mapping[str, Any]) -> dict[str, Any]:
    """The specification with every default written out, sharing nothing with `plain`.

    Raises
    ------
    WorkbenchError
        If it is no specification, of a newer version, names an unknown builder, parameter or entry, or holds
        something JSON cannot.
    """
    found = Details(plain, "the specification")
    if found.plain.get("format") != SPEC_FORMAT:
        raise WorkbenchError(
            "This is no hierarchy specification.",
            hint=f"A specification has the entry “format”: “{SPEC_FORMAT}”.",
            field="format",
        )
    if found.plain.get("version") != SPEC_VERSION:
        raise WorkbenchError(
            f"The specification has version {found.plain.get('version')}, this program reads {SPEC_VERSION}.",
            hint="Open it with the version of the program that wrote it, or a newer one.",
            field="version",
        )
    found.only("format", "version", "builder", "parameters", "details", "column", "title", "about")
    builder = BUILDERS[found.text("builder")]
    complete: dict[str, Any] = {
        "format": SPEC_FORMAT,
        "version": SPEC_VERSION,
        "builder": builder.identifier,
        "parameters": filled(builder.all_parameters, dict(found.one("parameters").plain)),
        "details": dict(found.one("details").plain),
    }
    found.one("details").only(*builder.details)
    if "column" in found:
        complete["column"] = described(described_column(found.one("column")))
    for name in ("title", "about"):
        if found.text(name):
            complete[name] = found.text(name)
    try:
        text = json.dumps(complete, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise WorkbenchError(f"The specification cannot be written as JSON: {error}.", field="details") from error
    fresh: dict[str, Any] = json.loads(text)
    return fresh


def assess(plain: Mapping[str, Any], column: ColumnSpec | None = None) -> ProvenanceAssessment:
    """Whether the specification builds a public hierarchy; no data is looked at."""
    complete = normalised(plain)
    return _judged(BUILDERS[complete["builder"]], _settings(complete), _reading(complete, column))


def _judged(builder: Builder, settings: BuilderSettings, column: ColumnSpec) -> ProvenanceAssessment:
    """Assessment by the builder; one of a third party may look at the data and counts so, unless it is trusted."""
    said, origin = builder.assess(settings, column), BUILDERS.origin(builder.identifier)
    if origin.built_in:
        return said
    words = f"{said.origin} Built by {origin.name}".strip()
    if origin.trusted:
        return replace(said, origin=f"{words}, which the publisher trusts.")
    return ProvenanceAssessment(
        Provenance.DERIVED,
        f"{words}, a plug-in that this program's tests do not vouch for.",
        f"Use a way to build of the program's own, or check {origin.name} yourself and trust it by name.",
    )


def builder_of(hierarchy: Hierarchy) -> Origin:
    """Whose builder made a hierarchy; the program's own where it was imported from a file that names no plug-in."""
    if hierarchy.plugin is not None:
        return Origin.from_json(hierarchy.plugin)
    return BUILDERS.origin(str((hierarchy.specification or {}).get("builder", "")))


def build_hierarchy(
    plain: Mapping[str, Any],
    values: Sequence[str] | BuilderValues = (),
    counts: NDArray[np.int64] | None = None,
    column: ColumnSpec | None = None,
) -> Hierarchy:
    """Build a hierarchy from a specification.

    Parameters
    ----------
    plain
        The specification.
    values, counts
        Distinct values and the rows of each, or a `BuilderValues`, which remembers what it has read: pass the same
        one again for a live preview. Values that were declared are added to them.
    column
        How to read the values. Without one, and without a `BuilderValues`, the specification's own description
        counts, else they are read as texts.

    Raises
    ------
    WorkbenchError
        If the specification is wrong, there is no value, or the rule gives levels that are not nested.
    """
    complete = normalised(plain)
    builder = BUILDERS[complete["builder"]]
    material = _material(complete, values, counts, column)
    settings = _settings(complete)
    complete["column"] = described(material.column)
    material = material.extended(builder.listed(settings, material.column))
    if not material.values:
        raise WorkbenchError(
            "There is no value to build a hierarchy over.",
            hint="Open data, or declare the column's domain or bounds.",
            field=NO_VALUE,
        )
    made = builder.build(settings, material)
    judged = _judged(builder, settings, material.column)
    ground, levels = _completed(made, settings, material)
    return Hierarchy.from_levels(
        ground,
        levels,
        provenance=judged.provenance,
        origin=judged.origin,
        specification=complete,
        topped=settings["top"] or made.topped,
    )


def build_unseen(
    plain: Mapping[str, Any],
    values: Sequence[str] | BuilderValues = (),
    counts: NDArray[np.int64] | None = None,
    column: ColumnSpec | None = None,
) -> Hierarchy:
    """Build a hierarchy over values that nobody has looked at; otherwise as `build_hierarchy`.

    Where the rule covers none of them, or there is none, it is built all the same, over a value that says nothing: one
    row more could have a value that it covers, so that to refuse would tell of it. So would to refuse values beyond a
    bound that makes them an error: they are not covered.
    """
    material = replace(_material(normalised(plain), values, counts, column), unseen=True)
    try:
        return build_hierarchy(plain, material)
    except WorkbenchError as error:
        if error.field not in {NONE_COVERED, NO_VALUE}:
            raise
    if material.column.missing:
        return build_hierarchy(plain, material.extended(material.column.missing[:1]))
    nothing = ""
    while nothing in material.values:  # one that a row has and the rule does not cover would be covered
        nothing += "?"
    alone = BuilderValues((nothing,), None, replace(material.column, missing=(nothing,)), unseen=True)
    made = build_hierarchy(plain, alone)
    return replace(made, specification={**(made.specification or {}), "column": described(material.column)})


def check_labels(plain: Mapping[str, Any]) -> None:
    """Refuse a rule with a label that cannot be written, also where no value that it covers has one.

    So it is for values that nobody has looked at: that it is refused tells of none.

    Raises
    ------
    WorkbenchError
        Naming what cannot be written.
    """
    complete = normalised(plain)
    BUILDERS[complete["builder"]].every_label(_settings(complete))


def _material(
    complete: Mapping[str, Any],
    values: Sequence[str] | BuilderValues,
    counts: NDArray[np.int64] | None,
    column: ColumnSpec | None,
) -> BuilderValues:
    if isinstance(values, BuilderValues):
        return values
    return BuilderValues(tuple(values), counts, _reading(complete, column))


def listed_by(specification: Mapping[str, Any]) -> tuple[str, ...]:
    """The values that a specification knows whether they occur or not, such as those of a declared domain."""
    complete = normalised(specification)
    found = BUILDERS[complete["builder"]].listed(_settings(complete), _reading(complete, None))
    return tuple(dict.fromkeys(found))  # a tree may list what is declared of the column as well


def _completed(made: Levels, settings: BuilderSettings, material: BuilderValues) -> tuple[list[str], list[Level]]:
    """Add the missing values, the unlisted ones and the top."""
    values, covered = material.values, made.covered
    rest = np.ones(len(values), dtype=np.bool_)
    rest[covered] = False
    added: list[tuple[NDArray[np.intp], str]] = []
    if rest.any():
        added.append((np.flatnonzero(rest & material.missing), settings["missing_label"]))
        if settings["unlisted"] == "any":
            added.append((np.flatnonzero(rest & ~material.missing), ANY))
    added = [(positions, label) for positions, label in added if len(positions)]
    everything = np.concatenate([covered, *(positions for positions, _ in added)]) if added else covered
    levels: list[Level] = []
    for codes, labels in made.levels[:-1] if made.topped else made.levels:
        if added:
            more = [np.full(len(positions), len(labels) + i) for i, (positions, _) in enumerate(added)]
            levels.append((np.concatenate([codes, *more]), [*labels, *(label for _, label in added)]))
        else:
            levels.append((codes, labels))
    if settings["top"] or made.topped:
        levels.append((np.zeros(len(everything), dtype=np.int32), [ANY]))
    if not len(everything):
        raise WorkbenchError(
            "The rule covers none of the values.",
            hint=f"Check how the column is read, or let other values become {ANY}.",
            field=NONE_COVERED,
        )
    return [values[i] for i in everything.tolist()], levels


def _settings(complete: Mapping[str, Any]) -> BuilderSettings:
    return BuilderSettings(complete["parameters"], Details(complete["details"], "the specification"))


def _reading(complete: Mapping[str, Any], column: ColumnSpec | None) -> ColumnSpec:
    if column is not None:
        return column.declared()
    if "column" in complete:
        return described_column(Details(complete["column"], "the column"))
    return ColumnSpec("")
