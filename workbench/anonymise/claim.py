"""Does the (ε, δ) claim hold for what the person did, and if not, why not?

Every situation that breaks the theorem and can be detected is a *reason* against the claim; what cannot
be checked by a program becomes an *assertion* that the statement puts in the person's name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from workbench.anonymise.mechanism import Recipe
from workbench.anonymise.persons import rows_beyond_the_unit
from workbench.anonymise.promise import Promise
from workbench.anonymise.reasons import Reason, WorkingTable
from workbench.anonymise.released_columns import LevelRule, derived, looks_derived, passed_through, told_without
from workbench.anonymise.terms import Terms, asserted_lines, checked_lines
from workbench.core.building import builder_of
from workbench.core.composition import OPEN_PARTICIPATION, ReleaseSpending, total
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.near_releases import NOT_ADDED_UP, SETTLE, NearReleases
from workbench.core.number_text import file_text, rounded_up
from workbench.core.rationals import rational
from workbench.core.schema import Role, Schema
from workbench.core.table import Table


@dataclass(frozen=True)
class Claim:
    """The verdict. `guarantee` is what would be promised in all; it is promised only if `holds`.

    `terms` is what `checked` and `asserted` follow from. `told_without` are the columns of which nothing about their
    hierarchies may be told, no height, level, origin or size, and what is told instead.
    """

    guarantee: Promise
    reasons: tuple[Reason, ...]
    cautions: tuple[Reason, ...]
    checked: tuple[str, ...]
    asserted: tuple[str, ...]
    terms: Terms = field(default_factory=Terms)
    told_without: Mapping[str, str] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        return not self.reasons

    @property
    def choice_holds(self) -> bool:
        """Whether a private choice of the levels costs what it says, whatever becomes of the file."""
        return all(reason.code in _OF_THE_FILE for reason in self.reasons)


@dataclass(frozen=True)
class Circumstances:
    """What happened around the run that the recipe does not tell.

    Parameters
    ----------
    levels_blind
        The person says that the levels, or the settings that decide about them, were chosen without looking at this
        data.
    degree, limits
        The degree from which the levels follow, "" if they were given one by one or drawn privately, and the lowest and
        highest level of the columns that were kept between two.
    secure
        The randomness came from the operating system.
    tuned
        Levels, β or k were changed after a result on this data had been seen.
    draws
        How often a sample of this data was drawn with this recipe and looked at.
    others
        How many other recipes a result was seen of.
    earlier
        The other releases of this data that the ledger knows.
    ledger_problem
        Why the ledger of this data cannot be read, "" if it can. It names a place of the publisher's: analyst only.
    near
        Whether something was released of data that is nearly the same and not counted with this.
    rows
        Rows of the table.
    suspected
        Columns that look as if they identified persons although the person did not say so.
    working_table
        How the table that was anonymised came from the one that was read.
    """

    levels_blind: bool = True
    degree: str = ""
    limits: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    secure: bool = True
    tuned: bool = False
    draws: int = 1
    others: int = 0
    earlier: tuple[ReleaseSpending, ...] = ()
    ledger_problem: str = ""
    near: NearReleases = NearReleases.NONE
    rows: int = 0
    suspected: tuple[str, ...] = ()
    working_table: WorkingTable | None = None


def assess(
    recipe: Recipe,
    guarantee: Promise,
    hierarchies: Mapping[str, Hierarchy],
    schema: Schema,
    table: Table,
    circumstances: Circumstances,
) -> Claim:
    """Check everything that can be checked and say what follows. `table` is the one that is anonymised."""
    working = circumstances.working_table or WorkingTable(table, table)
    rule = LevelRule(guarantee.search is not None, circumstances.degree, circumstances.limits)
    reasons = [
        *passed_through(recipe),
        *derived(recipe, hierarchies, rule),
        *looks_derived(recipe, hierarchies, schema, (table, working.original), rule),
        *rows_beyond_the_unit(schema, working),
        *_circumstantial(guarantee, circumstances),
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
    told = told_without(recipe, hierarchies, rule)
    terms = _terms(guarantee, schema, circumstances, _public(recipe, hierarchies, told), working)
    return Claim(
        guarantee,
        tuple(reasons),
        tuple(_cautions(guarantee, schema, table, circumstances, claimed=not reasons)),
        () if reasons else checked_lines(terms),
        () if reasons else asserted_lines(terms),
        terms,
        told,
    )


_OF_THE_FILE = {"ungrouped-column"}
"""Reasons against a claim for the file that do not concern how its levels were drawn."""


def _terms(
    guarantee: Promise,
    schema: Schema,
    circumstances: Circumstances,
    public: Mapping[str, Hierarchy],
    working: WorkingTable,
) -> Terms:
    makers = {name: builder_of(hierarchy) for name, hierarchy in public.items()}
    return Terms(
        schema.unit.rows_per_person,
        circumstances.degree,
        guarantee.split,
        working.where,
        working.sample,
        schema.unit.person_column if working.limited else "",
        tuple(public),
        near=circumstances.near,
        made_by=tuple((name, maker.name) for name, maker in makers.items() if not maker.built_in),
    )


def _public(recipe: Recipe, hierarchies: Mapping[str, Hierarchy], told: Mapping[str, str]) -> dict[str, Hierarchy]:
    """The hierarchies of grouped columns that say something and are called public."""
    return {
        name: hierarchies[name]
        for name in recipe.levels
        if name not in told and name in hierarchies and hierarchies[name].provenance is Provenance.PUBLIC
    }


def _circumstantial(guarantee: Promise, circumstances: Circumstances) -> list[Reason]:
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
                f"{_decisive(guarantee, circumstances)} chosen by looking at this data.",
                "Fix them beforehand from public knowledge.",
            )
        )
    if circumstances.ledger_problem:
        found.append(
            Reason(
                "ledger",
                "What was released of this data before is not known, because its ledger cannot be read.",
                "Put the ledger right.",
                analyst=circumstances.ledger_problem,
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


def _decisive(guarantee: Promise, circumstances: Circumstances) -> str:
    """What a person chose that decides about the levels, and the verb that goes with it."""
    if guarantee.search is not None:
        return "The settings of the search for levels were"
    return "The degree of generalisation was" if circumstances.degree else "The levels were"


def _cautions(
    guarantee: Promise, schema: Schema, table: Table, circumstances: Circumstances, *, claimed: bool
) -> list[Reason]:
    found = []
    for name in circumstances.suspected:
        if schema.unit.person_column or schema[name].role is Role.IDENTIFYING:
            continue
        most, _ = table[name].most_rows(schema[name].missing)
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
                analyst=f"1/rows is {file_text(1 / circumstances.rows, 2)}.",
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
    found += _earlier_releases(guarantee, circumstances, claimed=claimed)
    if circumstances.near is NearReleases.NOT_ADDED_UP:
        found.append(Reason("nearly-the-same", NOT_ADDED_UP, SETTLE))
    return found


def _earlier_releases(guarantee: Promise, circumstances: Circumstances, *, claimed: bool) -> list[Reason]:
    if not circumstances.earlier:
        return []
    number = len(circumstances.earlier) + 1
    this = ReleaseSpending(rational(guarantee.epsilon), rational(guarantee.delta), guarantee.rows_per_person)
    together = total((*circumstances.earlier, this))
    if not claimed:
        sentence = "This one has no claim, so nothing can be promised for all of them together."
    elif together.open_participation and not together.unclaimed:
        sentence = OPEN_PARTICIPATION
    elif not together.bounded:
        sentence = "An earlier one went out without a claim, so nothing can be promised for all of them together."
    else:
        sentence = " ".join(
            (
                f"Together they are ({rounded_up(together.epsilon)}, {rounded_up(together.delta)})-differentially "
                "private, by adding up.",
                *together.scope,
            )
        )
    return [
        Reason(
            "earlier-releases",
            f"This is release number {number} of this data. {sentence}",
            "Count every release of the same data.",
        )
    ]
