"""Does the (ε, δ) claim hold for what the person did, and if not, why not?

Every situation that breaks the theorem and can be detected is a *reason* against the claim; what cannot
be checked by a program becomes an *assertion* that the statement puts in the person's name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from workbench.anonymise.composition import Released, total
from workbench.anonymise.guarantee import Guarantee
from workbench.anonymise.mechanism import Recipe, Treatment
from workbench.anonymise.origins import made_from_the_data
from workbench.core.figures import rounded_up
from workbench.core.hierarchy import ANY, Hierarchy, Provenance
from workbench.core.kinds import is_missing
from workbench.core.schema import Misfits, Role, Schema
from workbench.core.table import Column, Table


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
    private
        Whether it was said depends on the true rows, so that even its presence must stay with the analyst.
    """

    code: str
    text: str
    remedy: str
    column: str = ""
    analyst: str = ""
    private: bool = False


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


@dataclass(frozen=True, eq=False)
class WorkingTable:
    """How the table that is anonymised was made of the table that was read.

    Parameters
    ----------
    original
        The table that was read.
    population
        The rows of those that may take part, before any were left out at random.
    where
        The filter in words, "" if there is none.
    sample
        Probability with which each row was drawn into a research sample.
    limited
        Whether the program left at most as many rows of each person as are accounted for.
    """

    original: Table
    population: Table
    where: str = ""
    sample: float = 1.0
    limited: bool = False


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
    others
        How many other recipes a result was seen of.
    earlier
        The releases of this data that were already exported.
    rows
        Rows of the table.
    suspected
        Columns that look as if they identified persons although the person did not say so.
    working_table
        How the table that was anonymised came from the one that was read.
    """

    levels_blind: bool = True
    secure: bool = True
    tuned: bool = False
    draws: int = 1
    others: int = 0
    earlier: tuple[Released, ...] = ()
    rows: int = 0
    suspected: tuple[str, ...] = ()
    working_table: WorkingTable | None = None


def assess(
    recipe: Recipe,
    guarantee: Guarantee,
    hierarchies: Mapping[str, Hierarchy],
    schema: Schema,
    table: Table,
    circumstances: Circumstances,
) -> Claim:
    """Check everything that can be checked and say what follows. `table` is the one that is anonymised."""
    working = circumstances.working_table or WorkingTable(table, table)
    reasons = [
        *_passed_through(recipe),
        *_derived(recipe, hierarchies),
        *_looks_derived(recipe, hierarchies, schema, (table, working.original)),
        *_rows_per_person(schema, working),
        *_circumstantial(circumstances),
    ]
    if (recipe.beta, recipe.k, schema.unit.rows_per_person) != (
        guarantee.beta,
        guarantee.k,
        guarantee.rows_per_person,
    ):
        reasons.append(
            Reason(
                "other-parameters",
                "The file was made with another β, k or number of rows per person than the guarantee was computed for.",
                "Run again.",
            )
        )
    return Claim(
        guarantee,
        tuple(reasons),
        tuple(_cautions(guarantee, schema, table, circumstances)),
        () if reasons else (*_CHECKED, *_prepared(schema, working)),
        () if reasons else tuple(_assertions(schema, hierarchies, recipe, working)),
    )


_CHECKED = (
    "Each row was sampled on its own, with fresh randomness that nobody can predict or repeat.",
    "Every released column takes part in what makes rows alike.",
    "Groups of fewer than k sampled rows were dropped; how many is not published.",
    "The rows were released in random order.",
    "No released label was made from the data, as far as the hierarchies say where they come from.",
)


def _prepared(schema: Schema, working: WorkingTable) -> list[str]:
    """What the program itself did to the rows before the mechanism, which needs no assertion."""
    said = []
    if working.where:
        said.append(f"Only rows with {working.where} took part; each row was judged by itself alone.")
    if working.sample < 1:
        said.append(
            f"Before that, each row was drawn by a coin of its own, with probability {working.sample:.6g}. The "
            "guarantee does not count on it."
        )
    if working.limited:
        rows = schema.unit.rows_per_person
        most = "one row" if rows == 1 else f"{rows:,} rows"
        said.append(
            f"Of each person, told apart by “{schema.unit.person_column}”, at most {most} took part, chosen at "
            "random by the program; rows that name no person were left out."
        )
    return said


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


def _looks_derived(
    recipe: Recipe, hierarchies: Mapping[str, Hierarchy], schema: Schema, tables: Sequence[Table]
) -> list[Reason]:
    found = []
    for name, level in recipe.levels.items():
        hierarchy = hierarchies.get(name)
        if hierarchy is None or level == 0 or hierarchy.provenance is Provenance.DERIVED:
            continue
        columns = {id(column): column for column in (table[name] for table in tables)}
        if any(made_from_the_data(hierarchy, column, schema[name]) for column in columns.values()):
            found.append(
                Reason(
                    "looks-data-derived",
                    f"The hierarchy of “{name}” is called public, but its labels are means, medians or ends of "
                    "the very values that occur in the data: it was made from the data.",
                    f"Give “{name}” a hierarchy that was fixed without this data, such as intervals with round ends.",
                    name,
                )
            )
    return found


def _rows_per_person(schema: Schema, working: WorkingTable) -> list[Reason]:
    table = working.population
    columns = [column.name for column in schema.with_role(Role.IDENTIFYING) if column.name in table]
    person = schema.unit.person_column
    if person and person in table:
        columns = [person]
    allowed = schema.unit.rows_per_person
    found = []
    if person and person in table:
        nameless = rows_without_value(table[person], schema[person].missing)
        if nameless > allowed:
            found.append(
                Reason(
                    "rows-per-person",
                    f"Rows that name no person in “{person}” cannot be counted, and could all be one person's.",
                    "Fill in who they belong to, filter them out, or let the program limit the rows per person.",
                    person,
                    analyst=f"{nameless:,} rows name no person.",
                )
            )
    for name in columns:
        # Values that were made missing because they do not fit still tell whose rows they are.
        read = working.original if schema[name].misfits is Misfits.MISSING else table
        most, who = most_rows_per_value(read[name], schema[name].missing)
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
                "Go back to the settings of the first run on this data, if that was an (ε, δ) run; after a search for "
                "levels only data that nobody has looked at can carry a claim.",
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
                    private=True,
                )
            )
    if circumstances.rows and guarantee.delta > 1 / circumstances.rows:
        found.append(
            Reason(
                "large-delta",
                f"δ = {rounded_up(guarantee.delta)} is large for a table of this size: a δ above one in the number of "
                "rows does not rule out publishing one person's row.",
                "Choose a δ well below one divided by the number of rows.",
                analyst=f"1/rows is {1 / circumstances.rows:.2g}.",
                private=True,
            )
        )
    if circumstances.draws > 1:
        found.append(
            Reason(
                "several-draws",
                f"{circumstances.draws:,} samples of this data were drawn with these settings and looked at. The "
                "guarantee is that of a draw that was not picked for its content.",
                "Do not draw again until a result pleases.",
            )
        )
    if circumstances.others and not circumstances.tuned:
        found.append(
            Reason(
                "other-settings-seen",
                "Results of other settings on this data were looked at as well. The claim is for the settings that "
                "were fixed first.",
                "Do not go back to them because they look better.",
            )
        )
    found += _earlier_releases(guarantee, circumstances)
    return found


def _earlier_releases(guarantee: Guarantee, circumstances: Circumstances) -> list[Reason]:
    if not circumstances.earlier:
        return []
    number = len(circumstances.earlier) + 1
    this = Released(guarantee.epsilon, guarantee.delta, guarantee.rows_per_person)
    together = total((*circumstances.earlier, this))
    if together is None:
        sentence = "An earlier one went out without a claim, so nothing can be promised for all of them together."
    else:
        whom = "" if together.rows_per_person == 1 else f" for persons with up to {together.rows_per_person:,} rows"
        sentence = (
            f"Together they are ({rounded_up(together.epsilon)}, {rounded_up(together.delta)})-differentially "
            f"private{whom}, by adding up."
        )
    return [
        Reason(
            "earlier-releases",
            f"This is release number {number} of this data. {sentence}",
            "Count every release of the same data.",
        )
    ]


def _assertions(
    schema: Schema, hierarchies: Mapping[str, Hierarchy], recipe: Recipe, working: WorkingTable
) -> list[str]:
    rows = schema.unit.rows_per_person
    who = "one row" if rows == 1 else f"{rows:,} rows"
    said = [
        f"All rows of a person have the same value in “{schema.unit.person_column}”."
        if working.limited
        else f"No person has more than {who} in the table.",
        "The levels, β and k were fixed without looking at this data.",
        "No other release of the same data exists besides those counted here.",
        "The released sample was not picked from several for its content.",
        "The headings are names of columns, and how numbers and dates are written was known without this data.",
        "Nobody is told how many rows were dropped, or who was sampled.",
    ]
    if working.where:
        said.append("Which rows take part was fixed without looking at this data.")
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
    counts[_without_value(column, missing)] = 0
    if not counts.any():
        return 0, ""
    most = int(np.argmax(counts))
    return int(counts[most]), column.values[most]


def rows_without_value(column: Column, missing: Sequence[str] = ("",)) -> int:
    """How many rows have no value."""
    return int(column.counts[_without_value(column, missing)].sum())


def _without_value(column: Column, missing: Sequence[str]) -> list[int]:
    """Positions of the distinct values that stand for no value, with or without spaces around them."""
    return [position for position, text in enumerate(column.values) if is_missing(text, missing)]
