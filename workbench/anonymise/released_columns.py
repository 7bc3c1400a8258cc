"""Columns that void a claim: ungrouped ones, and those with labels made from the data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from workbench.anonymise.dp_search import Degree
from workbench.anonymise.origins import made_from_data
from workbench.anonymise.reasons import Reason
from workbench.anonymise.recipe import ReleaseMechanism, ReleaseRecipe, Treatment
from workbench.core.building import builder_of
from workbench.core.hierarchy import ANY, Hierarchy, Provenance
from workbench.core.schema import Schema
from workbench.io.hierarchy_csv import is_unsaid


def passed_through(recipe: ReleaseRecipe) -> list[Reason]:
    """Columns that are released without being grouped."""
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


AS_IT_IS = "as it is"
"""Description of a grouped column whose values are released as they are, whatever its hierarchy."""


@dataclass(frozen=True)
class LevelRule:
    """The rule behind the levels, as far as it decides whether they depend on the heights of hierarchies.

    Parameters
    ----------
    searched
        They were drawn privately: all levels came into question.
    degree
        The degree they follow from, "" if there is none.
    limits
        The levels between which a column was kept, lowest and highest.
    degrees
        Of a release in steps, the degree that each step follows from; none if they do not.
    balanced
        They follow from how many labels each hierarchy has left.
    """

    searched: bool = False
    degree: str = ""
    limits: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    degrees: tuple[str, ...] = ()
    balanced: bool = False

    def of_step(self, place: int) -> LevelRule:
        """How the levels of one step came about."""
        return replace(self, degree=self.degrees[place]) if self.degrees else self

    def _blind_to_heights(self, name: str, level: int, height: int) -> bool:
        """Whether this level would have been chosen whatever the height of the hierarchy."""
        if self.searched:
            return False
        if self.limits.get(name) == (height, height):
            return True
        if self.balanced:
            return False
        if not self.degree:
            return True
        if level == 0:
            return self.degree == Degree.NONE and self.limits.get(name, (0, 0))[0] == 0
        return self.degree == Degree.COMPLETE and name not in self.limits

    def told_without(self, name: str, level: int, hierarchy: Hierarchy) -> str:
        """Description of a column whose hierarchy says nothing: `AS_IT_IS` or `*`; "" if it does say something.

        Values as they are and the same label for everybody tell nothing, however the hierarchy was arrived at. This
        must not depend on whether it is called public: that is found out from the data, too.
        """
        if not self._blind_to_heights(name, level, hierarchy.height):
            return ""
        if level == 0:
            return AS_IT_IS
        return ANY if hierarchy.says_nothing(level) else ""


def told_without(recipe: ReleaseRecipe, hierarchies: Mapping[str, Hierarchy], rule: LevelRule) -> dict[str, str]:
    """The grouped columns whose hierarchies say nothing, and what is told of them instead of height and level.

    In a release in steps, those of which the same is told at each of them: from which step on a label is `*` would
    tell of the hierarchy. Where groups are trimmed, values that a hierarchy does not list become `*` at level 0 too, so
    that they are not released as they are: the list of values decides, and may be data.
    """
    trimmed = recipe.mechanism is ReleaseMechanism.TRIM
    told: dict[str, str] = {}
    for name in recipe.levels:
        hierarchy = hierarchies.get(name)
        if hierarchy is not None:
            found = {
                rule.of_step(place).told_without(name, levels[name], hierarchy)
                for place, levels in enumerate(recipe.chain)
            }
            told[name] = found.pop() if len(found) == 1 else ""
    return {name: words for name, words in told.items() if words and not (trimmed and words == AS_IT_IS)}


def derived(recipe: ReleaseRecipe, hierarchies: Mapping[str, Hierarchy], rule: LevelRule) -> list[Reason]:
    """Hierarchies that say themselves that they were made from the data."""
    harmless = told_without(recipe, hierarchies, rule)
    found = []
    for name in recipe.levels:
        hierarchy = hierarchies.get(name)
        if hierarchy is None or name in harmless:
            continue
        maker = builder_of(hierarchy)
        if hierarchy.provenance is Provenance.PUBLIC and maker.trusted:
            continue
        if maker.doubt:
            found.append(
                Reason(
                    "plugin-hierarchy",
                    f"The hierarchy of “{name}” may have been made from the data. {maker.doubt}",
                    f"Give “{name}” a hierarchy that the program itself builds, or check the plug-in, trust it by name "
                    "and build the hierarchy again.",
                    name,
                )
            )
            continue
        if is_unsaid(hierarchy):
            found.append(Reason("data-derived-hierarchy", *_undeclared(name), name))
            continue
        found.append(
            Reason(
                "data-derived-hierarchy",
                f"The hierarchy of “{name}” was made from the data ({hierarchy.origin or 'data-derived'}), so "
                "its labels can change with one person's row.",
                _fixed(name),
                name,
            )
        )
    return found


def _undeclared(name: str) -> tuple[str, str]:
    """Problem and remedy where nobody has said how a hierarchy was made, in the same words for every column."""
    return (
        f"Nobody has said how the hierarchy of “{name}” was made, so it counts as made from the data: its labels might "
        "change with one person's row.",
        "If it was made without this data, declare it in Hierarchies; if you do not know, build one there by rule.",
    )


def _fixed(name: str) -> str:
    return f"Give “{name}” a hierarchy that was fixed without this data, such as one that is built by rule."


def looks_derived(
    recipe: ReleaseRecipe,
    hierarchies: Mapping[str, Hierarchy],
    schema: Schema,
    rule: LevelRule,
) -> list[Reason]:
    """Hierarchies that are called public and give themselves away, whatever the data is."""
    harmless = told_without(recipe, hierarchies, rule)
    found = []
    for name in recipe.levels:
        hierarchy = hierarchies.get(name)
        if hierarchy is None or hierarchy.provenance is Provenance.DERIVED or name in harmless:
            continue
        if made_from_data(hierarchy, schema[name]):
            found.append(
                Reason(
                    "looks-data-derived",
                    f"The hierarchy of “{name}” is called public, but its labels are means, medians or ends of "
                    "the very values that it lists, which have gaps no public list would have: it was made from data.",
                    _fixed(name),
                    name,
                )
            )
    return found
