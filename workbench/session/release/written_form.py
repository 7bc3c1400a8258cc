"""The form in which the rows of a draw are written: what can be said of it, and what is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from workbench.anonymise.after_draw import AS_DRAWN, AfterDraw
from workbench.anonymise.trim_recipe import TrimRecipe
from workbench.core.number_text import counted, percent
from workbench.session.release.result import Result

_NAMES = ("step", "step_of_release", "released_at_step")
_NOTED = 0.5


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
    """

    starred: Mapping[str, float]
    labels: tuple[Labels, ...] = (Labels.AS_DRAWN,)
    after: AfterDraw = AS_DRAWN
    step_column: str = field(default=_NAMES[0])

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
    return WrittenForm({name: result.starred.get(name, 0.0) for name in recipe.grouped}, tuple(labels), after, name)
