"""Does the (ε, δ) claim hold for what the person did, and if not, why not?

Every situation that breaks the theorem and can be detected is a *reason* against the claim; what cannot
be checked by a program becomes an *assertion* that the statement puts in the person's name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from workbench.anonymise.checked_lines import checked_lines
from workbench.anonymise.circumstances import Circumstances
from workbench.anonymise.claimed_sum import ClaimedSum, no_sum, spending_of, sum_of
from workbench.anonymise.looking import (
    LOOKED_AFTER,
    LOOKED_AFTER_REMEDY,
    LOOKED_AT,
    LOOKED_AT_REMEDY,
    LOOKED_BEFORE,
    LOOKED_BEFORE_REMEDY,
    looked_before,
)
from workbench.anonymise.promise import Promise
from workbench.anonymise.reasons import Reason, WorkingTable
from workbench.anonymise.recipe import ReleaseMechanism, ReleaseRecipe
from workbench.anonymise.released_columns import LevelRule, derived, looks_derived, passed_through, told_without
from workbench.anonymise.said_words import said_as_ranges, said_words
from workbench.anonymise.sampling import Recipe
from workbench.anonymise.terms import Terms, asserted_lines
from workbench.anonymise.trim_recipe import TrimRecipe
from workbench.core.builder_suggestions import follows_publicly
from workbench.core.building import builder_of
from workbench.core.composition import OPEN_PARTICIPATION, total
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.known_number import KnownNumber
from workbench.core.near_releases import NOT_ADDED_UP, SETTLE, NearReleases
from workbench.core.number_text import file_text, rounded_up
from workbench.core.person_columns import FEWEST
from workbench.core.release_spending import for_replacing_in_groups, with_number_known
from workbench.core.role_words import known_to_others
from workbench.core.schema import ColumnSpec, Role, Schema
from workbench.core.table import Table


@dataclass(frozen=True)
class Claim:
    """The verdict. `guarantee` is what the draw would promise by itself; something is promised only if `holds`.

    `together` is what is promised where the draw was chosen among several: all of them together. `terms` is what
    `checked` and `asserted` follow from. `told_without` are the columns of which nothing about their hierarchies may be
    told, no height, level, origin or size, and what is told instead. `occurring` is what was said to occur in
    columns, where the steps follow from it. `expected_rows` is how many rows were expected, where steps follow from
    that and others may know how many there are.
    """

    guarantee: Promise
    reasons: tuple[Reason, ...]
    cautions: tuple[Reason, ...]
    checked: tuple[str, ...]
    asserted: tuple[str, ...]
    terms: Terms = field(default_factory=Terms)
    told_without: Mapping[str, str] = field(default_factory=dict)
    together: ClaimedSum | None = None
    occurring: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    expected_rows: int | None = None

    @property
    def holds(self) -> bool:
        return not self.reasons

    @property
    def given(self) -> bool:
        """Whether nothing but the choice of settings speaks against it: for the settings as they are, the draw is
        (ε, δ)-differentially private, and what their choice tells is not bounded. They were chosen by what the data
        shows, or may have been, because somebody looked at it before the draw was made.
        """
        return self.terms.given

    @property
    def known(self) -> KnownNumber:
        """Which number of the table is known, so that what is promised is for replacing a person."""
        return self.terms.known

    @property
    def own(self) -> tuple[float, float]:
        """ε and δ of the draw by itself, about the neighbours of the claim; not rounded down."""
        return self.guarantee.about(replacing=bool(self.known))

    @property
    def price(self) -> str:
        """Price of the draw by itself, as buttons and plans show it."""
        return "ε {}, δ {}".format(*map(rounded_up, self.own))

    @property
    def epsilon(self) -> float:
        """The ε that is promised if the claim holds."""
        return self.own[0] if self.together is None else self.together.epsilon

    @property
    def delta(self) -> float:
        """The δ that is promised if the claim holds."""
        return self.own[1] if self.together is None else self.together.delta

    @property
    def before_look(self) -> Claim:
        """The claim as it is shown before a look at the data: without what is said, or not, by the true rows."""
        return replace(self, cautions=tuple(caution for caution in self.cautions if not caution.private))

    @property
    def choice_holds(self) -> bool:
        """Whether a private choice of the levels costs what it says, whatever becomes of the file."""
        return all(reason.code in _OF_THE_FILE for reason in self.reasons)


def assess(
    recipe: ReleaseRecipe,
    guarantee: Promise,
    hierarchies: Mapping[str, Hierarchy],
    schema: Schema,
    table: Table,
    circumstances: Circumstances,
) -> Claim:
    """Check everything that can be checked and say what follows. `table` is the one that is anonymised."""
    working = circumstances.working_table or WorkingTable(table, table)
    together = sum_of(guarantee, circumstances) if circumstances.chosen else None
    rule = LevelRule(
        guarantee.search is not None,
        circumstances.degree,
        circumstances.limits,
        circumstances.degrees,
        circumstances.balanced,
    )
    reasons = [
        *passed_through(recipe),
        *derived(recipe, hierarchies, rule),
        *looks_derived(recipe, hierarchies, schema, rule),
        *_circumstantial(guarantee, circumstances),
        *((no_sum(together),) if isinstance(together, str) else ()),
    ]
    if not _made_as_promised(recipe, guarantee) or schema.unit.rows_per_person != guarantee.rows_per_person:
        which = "steps, ε, δ" if guarantee.trimmed is not None else "β, k"
        reasons.append(
            Reason(
                "other-parameters",
                f"The file was made with another {which} or number of rows per person than the guarantee was computed "
                "for."
                if guarantee.trimmed is None
                else f"The file was made with other {which} or rows per person than the guarantee was computed for.",
                "Run again.",
            )
        )
    told = told_without(recipe, hierarchies, rule)
    public = _public(recipe, hierarchies, told)
    terms = replace(
        _terms(guarantee, schema, circumstances, public, working),
        by_rule=_by_rule(schema, public),
        only=_only(circumstances),
    )
    if isinstance(recipe, TrimRecipe):
        terms = _terms_of_trimming(terms, recipe, circumstances, hierarchies)
    if terms.known and not terms.several_rows:
        terms = replace(terms, known=KnownNumber.PEOPLE)  # who has one row is counted by it
    claimed = together if isinstance(together, ClaimedSum) else None
    if claimed is not None:
        terms = replace(terms, counted=claimed.releases)
    # A choice by what the data shows voids the promise of the file; it does not void the law of the draw.
    # Who has looked and picks among draws picks by the data, of which no sum of their prices is a bound.
    chosen = bool(reasons) and all(reason.code in OF_CHOICES for reason in reasons) and not circumstances.chosen
    terms = replace(terms, given=chosen, looked=circumstances.looked_before if chosen else "")
    spoken = chosen or not reasons
    return Claim(
        guarantee,
        tuple(reasons),
        tuple(_cautions(guarantee, schema, table, circumstances, claimed=not reasons)),
        checked_lines(terms) if spoken else (),
        asserted_lines(terms) if spoken else (),
        terms,
        told,
        claimed,
        circumstances.occurring if terms.occurring and spoken else {},
        # Where nobody is told how many there are, what was expected is not told either: it may be just that number.
        circumstances.expected_rows if terms.expected and terms.rows_known and spoken else None,
    )


def _made_as_promised(recipe: ReleaseRecipe, promised: Promise) -> bool:
    """Whether what was run is what the guarantee was computed for."""
    if isinstance(recipe, TrimRecipe):
        trimmed = promised.trimmed
        return trimmed is not None and (recipe.rows_per_person, recipe.floor, _spent_by(recipe)) == (
            trimmed.rows_per_person,
            trimmed.floor,
            [(step.epsilon, step.delta) for step in trimmed.steps],
        )
    if isinstance(recipe, Recipe) and promised.trimmed is None:
        return (recipe.beta, recipe.k) == (promised.beta, promised.k)
    return False


def _spent_by(recipe: TrimRecipe) -> list[tuple[Fraction, Fraction]]:
    return [(step.epsilon, step.delta) for step in recipe.steps]


def _terms_of_trimming(
    terms: Terms, recipe: TrimRecipe, circumstances: Circumstances, hierarchies: Mapping[str, Hierarchy]
) -> Terms:
    occurring = circumstances.occurring if circumstances.balanced else {}
    return replace(
        terms,
        mechanism=ReleaseMechanism.TRIM,
        steps=len(recipe.steps),
        degrees=circumstances.degrees,
        floor=recipe.floor,
        step_column=circumstances.after.step_of(recipe),
        count_column=recipe.count_column,
        expected=circumstances.expected,
        balanced=circumstances.balanced,
        occurring=bool(occurring),
        after=circumstances.after,
        said=said_words(occurring, said_as_ranges(occurring, hierarchies)),
    )


def _by_rule(schema: Schema, public: Mapping[str, Hierarchy]) -> tuple[str, ...]:
    """Columns whose hierarchies are what the program makes of what is public of them alone."""
    return tuple(name for name, hierarchy in public.items() if made_by_rule(hierarchy, schema[name]))


def made_by_rule(hierarchy: Hierarchy, column: ColumnSpec) -> bool:
    """Whether a hierarchy is what the program makes of the kind and the name of its column alone."""
    plain = hierarchy.specification
    made = plain is not None and builder_of(hierarchy).built_in and column.bounds is None and column.domain is None
    return made and plain is not None and follows_publicly(plain, column)


def _only(circumstances: Circumstances) -> bool:
    """Whether no other draw of the data is known, so that this one cannot have been picked among several."""
    once = circumstances.draws == 1 and not circumstances.others and not circumstances.uncounted
    return once and not circumstances.others_drawn and not circumstances.ledger_problem


NOT_ASSERTED = "The publisher does not assert what a claim needs and no program can check."
NOT_ASSERTED_REMEDY = "It can be asserted only before the file is written."

CHOICES = "levels-not-blind"
"""The code of the reason that what the data shows decided about settings."""
OF_CHOICES = frozenset({CHOICES, LOOKED_BEFORE})
"""Codes of the reasons that speak against the choice of settings alone, and not against the draw."""

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
        known=circumstances.known,
        made_by=tuple((name, maker.name) for name, maker in makers.items() if not maker.built_in),
    )


def _public(
    recipe: ReleaseRecipe, hierarchies: Mapping[str, Hierarchy], told: Mapping[str, str]
) -> dict[str, Hierarchy]:
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
                f"The randomness came from a seed, so whoever knows the seed can undo the {_undone(guarantee)}. A "
                "seeded run is a simulation.",
                "Run again without a seed.",
            )
        )
    if circumstances.by_data or not circumstances.levels_blind:
        found.append(
            Reason(
                "levels-not-blind",
                f"{_decisive(guarantee, circumstances)} chosen by looking at this data.",
                "Fix them beforehand from public knowledge.",
            )
        )
    if not circumstances.asserted:
        missing = [f"The publisher does not assert: “{sentence}”" for sentence in circumstances.unsaid]
        found += [Reason("not-asserted", words, NOT_ASSERTED_REMEDY) for words in missing or [NOT_ASSERTED]]
    if circumstances.ledger_problem:
        found.append(
            Reason(
                "ledger",
                "What was released of this data before is not known, because its ledger cannot be read.",
                "Put the ledger right.",
                analyst=circumstances.ledger_problem,
            )
        )
    if circumstances.looked:
        found.append(Reason("looked-at", LOOKED_AT, LOOKED_AT_REMEDY))
    elif circumstances.looked_before:
        found.append(Reason("looked-before", looked_before(circumstances.looked_before), LOOKED_BEFORE_REMEDY))
    if circumstances.tuned:
        found.append(
            Reason(
                "tuned-on-outcome",
                f"Levels, columns, {'β or k' if guarantee.trimmed is None else 'ε, δ or steps'} were changed after a "
                "result on this data had been seen.",
                "Go back to the settings of the first run on this data, if that was an (ε, δ) run; after a search for "
                "levels only data that nobody has looked at can carry a claim.",
            )
        )
    return found


def _undone(guarantee: Promise) -> str:
    return (ReleaseMechanism.SAMPLE if guarantee.trimmed is None else ReleaseMechanism.TRIM).words


def _decisive(guarantee: Promise, circumstances: Circumstances) -> str:
    """Choices that decide about the levels, and the verb that goes with them."""
    if circumstances.by_data:
        return "Columns, what was asked of them, ε or δ were"
    if guarantee.search is not None:
        return "The settings of the search for levels were"
    if circumstances.degrees:
        return "The degrees of the steps were"
    return "The degree of generalisation was" if circumstances.degree else "The levels were"


def _may_tell(spec: ColumnSpec, table: Table) -> bool:
    """Whether values of a column that is left out may be persons; an age or a region is left out as not needed."""
    return not known_to_others(spec.name) and len(table[spec.name].values) >= FEWEST


def _cautions(
    guarantee: Promise, schema: Schema, table: Table, circumstances: Circumstances, *, claimed: bool
) -> list[Reason]:
    found = []
    together = sum_of(guarantee, circumstances) if circumstances.chosen else None
    delta = together.delta if isinstance(together, ClaimedSum) else guarantee.delta
    marked = (spec.name for spec in schema.with_role(Role.IDENTIFYING) if spec.name in table and _may_tell(spec, table))
    for name in dict.fromkeys((*circumstances.suspected, *marked)):
        if schema.unit.person_column:
            break
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
    if circumstances.rows and delta > 1 / circumstances.rows:
        found.append(
            Reason(
                "large-delta",
                f"δ = {rounded_up(delta)} is large for a table of this size: a δ above one in the number of "
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
                "guarantee is that of a draw that was not picked for its content."
                if guarantee.trimmed is None
                else f"This data was trimmed {circumstances.draws:,} times with these settings and looked at. The "
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
    if claimed and circumstances.looked_after:
        found.append(Reason("looked-after", LOOKED_AFTER, LOOKED_AFTER_REMEDY))
    found += _earlier_releases(guarantee, circumstances, claimed=claimed)
    if circumstances.near is NearReleases.NOT_ADDED_UP:
        found.append(Reason("nearly-the-same", NOT_ADDED_UP, SETTLE))
    return found


def _earlier_releases(guarantee: Promise, circumstances: Circumstances, *, claimed: bool) -> list[Reason]:
    number = sum(not release.slots for release in circumstances.earlier) + 1
    if number == 1:
        return []
    this, known = spending_of(guarantee), bool(circumstances.known)
    every = (*circumstances.earlier, *(circumstances.own or (this,)))
    together = total(with_number_known(every) if known else every)
    least = for_replacing_in_groups(this.epsilon, this.delta) if known else (this.epsilon, this.delta)
    if not claimed:
        sentence = "This one has no claim, so nothing can be promised for all of them together."
    elif together.open_participation and not together.unclaimed:
        sentence = OPEN_PARTICIPATION
    elif not together.bounded:
        sentence = "An earlier one went out without a claim, so nothing can be promised for all of them together."
    else:
        sentence = " ".join(
            (
                # A plan can have a smaller ε at its larger δ; together they are never said to be less than this one.
                f"Together they are ({rounded_up(max(together.epsilon, least[0]))}, "
                f"{rounded_up(max(together.delta, least[1]))})-differentially private, {together.how}.",
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
