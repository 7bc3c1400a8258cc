"""The form in which the rows of a draw are written: what can be said of it, and what is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from workbench.anonymise.after_draw import AS_DRAWN, AfterDraw
from workbench.anonymise.trim_recipe import TrimRecipe
from workbench.anonymise.trimming import TrimOutcome
from workbench.core.hierarchy import ANY
from workbench.core.level_words import words_among
from workbench.core.number_text import counted, percent
from workbench.session.release.result import Result

_NAMES = ("step", "step_of_release", "released_at_step")
_NOTED = 0.5
_GROUPS = re.compile(r"^[\d,]+ groups?$")


class Labels(StrEnum):
    """At which levels labels are written."""

    AS_DRAWN = "as drawn"
    ONE_LEVEL = "one level"
    WITH_STEP = "with step"


@dataclass(frozen=True)
class WrittenForm:
    """The choices there are for writing a draw in steps, and the ones that were made.

    Parameters
    ----------
    starred
        By column the share of the released rows in which it is `*`: anybody who gets the release can count it.
    labels
        What can be chosen for labels; one where nothing can.
    after
        What is chosen.
    step_column
        The name of the column that would tell the step.
    levels
        By column, in words, the levels at which rows say something, the finest first.
    added
        Further columns, which say at which step a row came out, or how many rows a line stands for.
    """

    starred: Mapping[str, float]
    labels: tuple[Labels, ...] = (Labels.AS_DRAWN,)
    after: AfterDraw = AS_DRAWN
    step_column: str = field(default=_NAMES[0])
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    added: tuple[str, ...] = ()

    @property
    def chosen(self) -> Labels:
        if self.after.one_level:
            return Labels.ONE_LEVEL
        return Labels.WITH_STEP if self.after.step_column else Labels.AS_DRAWN

    @property
    def words(self) -> str:
        """A summary of the file's contents."""
        left, always = len(self.starred) - len(self.after.left_out), sum(self.starred[name] == 1 for name in self.noted)
        noted = len(self.noted) - always
        columns = counted(left, "column") if not self.after.left_out else f"{left} of {len(self.starred)} columns"
        stars = [f"{many} {how} *" for many, how in ((always, "always"), (noted, "mostly")) if many]
        said = [columns, _WORDS[self.chosen], *stars]
        return ", ".join(filter(None, said))

    @property
    def noted(self) -> tuple[str, ...]:
        """Columns that are `*` in most rows, so that a reader gains little by them."""
        return tuple(name for name, share in self.starred.items() if share > _NOTED and name not in self.after.left_out)

    def said_of(self, name: str) -> str:
        """A column and how often it says nothing."""
        share = self.starred.get(name, 0.0)
        return f"{name}, * in {percent(share)}" if share else name

    @property
    def lines(self) -> tuple[str, ...]:
        """The columns of the file: what each says, and in how many rows it says nothing."""
        there = [name for name in self.starred if name not in self.after.left_out]
        found = []
        for name in there:
            share = self.starred[name]
            says = [
                *self.levels.get(name, ()),
                *([f"* in {'every row' if share == 1 else percent(share)}"] if share else []),
            ]
            found.append(f"{name}: {', '.join(says)}" if says else name)
        return (*found, *self.added)


_WORDS = {
    Labels.AS_DRAWN: "",
    Labels.ONE_LEVEL: "one level",
    Labels.WITH_STEP: "with the step",
}


def written_form(result: Result, after: AfterDraw) -> WrittenForm | None:
    """The choices of form for a draw; None where rows were sampled."""
    recipe = result.outcome.recipe
    if not isinstance(recipe, TrimRecipe):
        return None
    labels = [Labels.AS_DRAWN]
    if len(recipe.steps) > 1:
        labels.append(Labels.ONE_LEVEL)
        labels += [] if recipe.step_column else [Labels.WITH_STEP]
    taken = {*recipe.grouped, *recipe.added}
    name = next(name for name in (*_NAMES, *(f"step_{n}" for n in range(len(taken) + 1))) if name not in taken)
    shares = {name: result.starred.get(name, 0.0) for name in recipe.grouped}
    added = tuple(filter(None, (after.step_of(recipe), recipe.count_column)))
    return WrittenForm(shares, tuple(labels), after, name, _levels_in_words(result, recipe, after), added)


def _levels_in_words(result: Result, recipe: TrimRecipe, after: AfterDraw) -> dict[str, tuple[str, ...]]:
    """The levels of the steps that released rows, or the one that all labels are brought to."""
    steps = recipe.steps
    if after.one_level:
        steps = steps[after.one_level - 1 : after.one_level]
    elif isinstance(result.outcome, TrimOutcome):
        steps = tuple(step for step, rows in zip(steps, result.outcome.rows_of_steps, strict=True) if rows)
    found = {}
    for name in recipe.grouped:
        levels, hierarchy = list(dict.fromkeys(step.levels[name] for step in steps)), result.hierarchies.get(name)
        # How many groups a level has is not how many of them are in the file.
        said = dict.fromkeys(_GROUPS.sub("groups", words_among(hierarchy, level, levels)) for level in levels)
        found[name] = tuple(words for words in said if words != ANY)
    return found
