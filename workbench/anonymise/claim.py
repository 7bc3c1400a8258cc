"""Does the (ε, δ) claim hold for what the person did, and if not, why not?

Every situation that breaks the theorem and can be detected is a *reason* against the claim; what cannot
be checked by a program becomes an *assertion* that the statement puts in the person's name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.guarantee import Guarantee
from workbench.anonymise.mechanism import Recipe, Treatment
from workbench.core.hierarchy import ANY, Hierarchy, Provenance
from workbench.core.schema import Role, Schema
from workbench.core.table import Column, Table

_ENOUGH_VALUES = 12
"""Fewer distinct numbers than this may well coincide with a publicly known list."""


@dataclass(frozen=True)
class Reason:
    """One thing that breaks the claim, or that the reader of it should know.

    Parameters
    ----------
    code
        Stable identifier.
    text
        What is wrong; says nothing about the data beyond the recipe, so it may be published.
    remedy
        What would put it right.
    column
        The column concerned, or "".
    analyst
        Further detail taken from the true data. Never part of a release.
    """

    code: str
    text: str
    remedy: str
    column: str = ""
    analyst: str = ""


@dataclass(frozen=True)
class Claim:
    """The verdict. `guarantee` is what would be promised; it is promised only if `holds`."""

    guarantee: Guarantee
    reasons: tuple[Reason, ...]
    cautions: tuple[Reason, ...]
    checked: tuple[str, ...]
    asserted: tuple[str, ...]

    @property
    def holds(self) -> bool:
        return not self.reasons


@dataclass(frozen=True)
class Circumstances:
    """What happened around the run that the recipe does not tell.

    Parameters
    ----------
    levels_blind
        The person says the levels were chosen without looking at this data.
    secure
        The randomness came from the operating system.
    tuned
        Levels, β or k were changed after a result on this data had been seen.
    draws
        How often a sample of this data was drawn with this recipe and looked at.
    earlier
        (ε, δ) of the releases of this data that were already exported.
    rows
        Rows of the table.
    suspected
        Columns that look as if they identified persons although the person did not say so.
    """

    levels_blind: bool = True
    secure: bool = True
    tuned: bool = False
    draws: int = 1
    earlier: tuple[tuple[float, float], ...] = ()
    rows: int = 0
    suspected: tuple[str, ...] = ()


def assess(
    recipe: Recipe,
    guarantee: Guarantee,
    hierarchies: Mapping[str, Hierarchy],
    schema: Schema,
    table: Table,
    circumstances: Circumstances,
) -> Claim:
    """Check everything that can be checked and say what follows."""
    reasons = [
        *_passed_through(recipe),
        *_derived(recipe, hierarchies),
        *_looks_derived(recipe, hierarchies, table),
        *_rows_per_person(schema, table),
        *_circumstantial(circumstances),
    ]
    if (recipe.beta, recipe.k) != (guarantee.beta, guarantee.k):
        reasons.append(
            Reason(
                "other-parameters",
                "The file was made with other values of β and k than the guarantee was computed for.",
                "Run again.",
            )
        )
    return Claim(
        guarantee,
        tuple(reasons),
        tuple(_cautions(guarantee, schema, table, circumstances)),
        _CHECKED,
        tuple(_assertions(schema, hierarchies, recipe)),
    )


_CHECKED = (
    "Each row was sampled on its own, with fresh randomness that nobody can predict or repeat.",
    "Every released column takes part in what makes rows alike.",
    "Groups of fewer than k sampled rows were dropped; how many is not published.",
    "The rows were released in random order.",
    "No released label was made from the data, as far as the hierarchies say where they come from.",
)


def _passed_through(recipe: Recipe) -> list[Reason]:
    return [
        Reason(
            "ungrouped-column",
            f"Column “{plan.name}” is released as it is without being grouped, so one unusual value can point "
            "to one person.",
            f"Leave “{plan.name}” out, or let it take part in the grouping.",
            plan.name,
        )
        for plan in recipe.named(Treatment.KEEP)
    ]


def _derived(recipe: Recipe, hierarchies: Mapping[str, Hierarchy]) -> list[Reason]:
    found = []
    for name, level in recipe.levels.items():
        hierarchy = hierarchies.get(name)
        if hierarchy is None or level == 0 or hierarchy.provenance is Provenance.PUBLIC:
            continue
        if set(hierarchy.labels[level]) == {ANY}:
            continue  # The same label for everybody tells nothing, however it was arrived at.
        found.append(
            Reason(
                "data-derived-hierarchy",
                f"The hierarchy of “{name}” was made from the data ({hierarchy.origin or 'data-derived'}), so "
                "its labels can change with one person's row.",
                f"Give “{name}” a hierarchy that was fixed without this data, such as intervals with round ends.",
                name,
            )
        )
    return found


def _looks_derived(recipe: Recipe, hierarchies: Mapping[str, Hierarchy], table: Table) -> list[Reason]:
    found = []
    for name, level in recipe.levels.items():
        hierarchy = hierarchies.get(name)
        if hierarchy is None or level == 0 or hierarchy.provenance is Provenance.DERIVED:
            continue
        if averages_of_the_data(hierarchy, table[name]):
            found.append(
                Reason(
                    "looks-data-derived",
                    f"The hierarchy of “{name}” is called public, but its labels are averages of exactly the "
                    "values that occur in the data: it was made from the data.",
                    f"Give “{name}” a hierarchy that was fixed without this data, such as intervals with round ends.",
                    name,
                )
            )
    return found


def _rows_per_person(schema: Schema, table: Table) -> list[Reason]:
    columns = [column.name for column in schema.with_role(Role.IDENTIFYING) if column.name in table]
    person = schema.unit.person_column
    if person and person in table:
        columns = [person]
    allowed = schema.unit.rows_per_person
    found = []
    for name in columns:
        most, who = most_rows_per_value(table[name], schema[name].missing)
        if most <= allowed:
            continue
        declared = "one row" if allowed == 1 else f"{allowed:,} rows"
        found.append(
            Reason(
                "rows-per-person",
                f"Column “{name}” identifies persons, and someone has more rows than the {declared} that were "
                "accounted for.",
                "Declare the largest number of rows one person may have, keep fewer rows per person, or mark "
                f"“{name}” otherwise if different persons share its values.",
                name,
                analyst=f"“{who}” has {most:,} rows.",
            )
        )
    return found


def _circumstantial(circumstances: Circumstances) -> list[Reason]:
    found = []
    if not circumstances.secure:
        found.append(
            Reason(
                "seeded",
                "The randomness came from a seed, so whoever knows the seed can undo the sampling. A seeded run "
                "is a simulation.",
                "Run again without a seed.",
            )
        )
    if not circumstances.levels_blind:
        found.append(
            Reason(
                "levels-not-blind",
                "The levels were chosen by looking at this data.",
                "Fix the levels beforehand from public knowledge.",
            )
        )
    if circumstances.tuned:
        found.append(
            Reason(
                "tuned-on-outcome",
                "Levels, columns, β or k were changed after a result on this data had been seen.",
                "Go back to the settings of the first run on this data.",
            )
        )
    return found


def _cautions(guarantee: Guarantee, schema: Schema, table: Table, circumstances: Circumstances) -> list[Reason]:
    found = []
    for name in circumstances.suspected:
        if schema.unit.person_column or schema[name].role is Role.IDENTIFYING:
            continue
        most, _ = most_rows_per_value(table[name], schema[name].missing)
        if most > schema.unit.rows_per_person:
            found.append(
                Reason(
                    "person-or-row",
                    f"Column “{name}” may identify persons. The guarantee counts rows as declared, not values of "
                    "this column: a person with more rows is protected less.",
                    "If one person can have several rows, declare how many, or name the column that says which "
                    "rows are whose.",
                    name,
                    analyst=f"One value of “{name}” has {most:,} rows.",
                )
            )
    if circumstances.rows and guarantee.delta > 1 / circumstances.rows:
        found.append(
            Reason(
                "large-delta",
                f"δ = {guarantee.delta:.2g} is large for a table of this size: a δ above one in the number of "
                "rows does not rule out publishing one person's row.",
                "Choose a δ well below one divided by the number of rows.",
                analyst=f"1/rows is {1 / circumstances.rows:.2g}.",
            )
        )
    if circumstances.draws > 1:
        found.append(
            Reason(
                "several-draws",
                "Samples of this data were drawn several times with these settings. The guarantee is that of one "
                "draw that was not picked for its content.",
                "Publish the first draw, or account for every draw.",
                analyst=f"{circumstances.draws} draws were looked at.",
            )
        )
    if circumstances.earlier:
        epsilon = sum(e for e, _ in circumstances.earlier) + guarantee.epsilon
        delta = sum(d for _, d in circumstances.earlier) + guarantee.delta
        number = len(circumstances.earlier) + 1
        found.append(
            Reason(
                "earlier-releases",
                f"This is release number {number} of this data. Together they are ({epsilon:.4g}, {delta:.2g})-"
                "differentially private, by adding up.",
                "Count every release of the same data.",
            )
        )
    return found


def _assertions(schema: Schema, hierarchies: Mapping[str, Hierarchy], recipe: Recipe) -> list[str]:
    rows = schema.unit.rows_per_person
    who = "one row" if rows == 1 else f"at most {rows:,} rows"
    said = [
        f"No person has more than {who} in the table.",
        "The levels, β and k were fixed without looking at this data.",
        "No other release of the same data exists besides those counted here.",
        "Nobody is told how many rows were dropped, or who was sampled.",
    ]
    public = [
        name
        for name, level in recipe.levels.items()
        if level and name in hierarchies and hierarchies[name].provenance is Provenance.PUBLIC
    ]
    if public:
        said.append(f"These hierarchies were fixed without looking at this data: {', '.join(public)}.")
    return said


def most_rows_per_value(column: Column, missing: Sequence[str] = ("",)) -> tuple[int, str]:
    """The largest number of rows that share one value, missing values aside, and that value."""
    counts = column.counts.copy()
    for value in missing:
        if value in column.values:
            counts[column.values.index(value)] = 0
    if not counts.any():
        return 0, ""
    most = int(np.argmax(counts))
    return int(counts[most]), column.values[most]


def averages_of_the_data(hierarchy: Hierarchy, column: Column) -> bool:
    """Whether a hierarchy gives itself away as made from `column`.

    True if the ground values are exactly the numbers that occur in the data and the labels of some level are
    the averages of the values below them: a public list of numbers would hardly have those very gaps.
    """
    used = {value for value, count in zip(column.values, column.counts.tolist(), strict=True) if count}
    if len(used) < _ENOUGH_VALUES or set(hierarchy.values) != used:
        return False
    ground = _as_numbers(hierarchy.values)
    if np.isnan(ground).any() or _evenly_spaced(ground):
        return False
    for level in range(1, hierarchy.height + 1):
        labels = _as_numbers(hierarchy.labels[level])
        if np.isnan(labels).any():
            continue
        codes = hierarchy.maps[level]
        sizes = np.bincount(codes)
        means = np.bincount(codes, weights=ground) / sizes
        # Labels may have been rounded to whole numbers or to the precision of a float.
        slack = 0.5 if np.all(labels == np.round(labels)) else 0.0
        close = np.abs(means - labels) <= slack + 1e-6 * np.maximum(np.abs(means), 1)
        if np.any(sizes > 1) and bool(np.all(close[sizes > 1])):
            return True
    return False


def _evenly_spaced(numbers: NDArray[np.float64]) -> bool:
    """Whether the numbers are an unbroken range, which is public knowledge about, say, ages or years."""
    gaps = np.diff(np.sort(numbers))
    return bool(np.allclose(gaps, gaps[0]))


def _as_numbers(texts: Sequence[str]) -> NDArray[np.float64]:
    """The texts as plain numbers; nan where one is none."""
    numbers = np.empty(len(texts), dtype=np.float64)
    for index, text in enumerate(texts):
        try:
            numbers[index] = float(text)
        except ValueError:
            numbers[index] = np.nan
    return numbers
