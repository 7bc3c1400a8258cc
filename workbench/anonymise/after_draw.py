"""Post-processing of released rows after the draw, which needs nothing but what was released."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.anonymise.trim_recipe import TrimRecipe
from workbench.core.errors import WorkbenchError


@dataclass(frozen=True)
class AfterDraw:
    """A way to write the rows of a draw in steps that is not the one in which they were drawn.

    It costs nothing as long as it is decided by the released rows alone, or without any data: then the file is a
    function of what was released.

    Parameters
    ----------
    left_out
        Columns that took part in what makes rows alike, and are not in the file.
    one_level
        The step, from 1, at whose levels all labels are written; 0 where rows keep those of their own steps.
    step_column
        Name of a column that is added and tells at which step a row was released; "" for none.
    """

    left_out: tuple[str, ...] = ()
    one_level: int = 0
    step_column: str = ""

    def __bool__(self) -> bool:
        return bool(self.left_out or self.one_level or self.step_column)

    @property
    def named(self) -> str:
        """The columns that were left out, as a sentence about them begins; "" for none."""
        *first, last = [f"“{name}”" for name in self.left_out] or [""]
        return f"{', '.join(first)} and {last}" if first else last

    @property
    def was(self) -> str:
        return "were" if len(self.left_out) > 1 else "was"

    @property
    def checked(self) -> tuple[str, ...]:
        """Sentences on what the program itself saw to."""
        said = []
        if self.one_level:
            said.append(
                f"After the draw all labels were brought to the levels of step {self.one_level:,}, the last that "
                "released a row. That needs nothing but the released rows, so it reveals nothing more."
            )
        if self.left_out:
            said.append(
                f"{self.named} took part in what makes rows alike, and {self.was} left out after the draw. Fewer "
                "columns of the released rows reveal nothing more."
            )
        return tuple(said)

    @property
    def asserted(self) -> tuple[str, ...]:
        """By what it was decided, which only the publisher knows: nothing else of the data may have decided it."""
        done = [f"{self.named} {self.was} left out"] if self.left_out else []
        done += ["all labels were brought to one level"] if self.one_level else []
        if not done:
            return ()
        return (f"That {' and '.join(done)} was decided by the released rows alone, or without any data.",)

    def step_of(self, recipe: TrimRecipe) -> str:
        """The column of the file that tells the step; "" where there is none."""
        return "" if self.one_level else self.step_column or recipe.step_column

    def check(self, recipe: TrimRecipe) -> None:
        """Refuse what cannot be done.

        Raises
        ------
        WorkbenchError
            If no column would be left, one that is to be left out is not released, or one that is to be added is there.
        """
        for name in self.left_out:
            if name not in recipe.grouped:
                raise WorkbenchError(
                    f"“{name}” is no column of the release, so it cannot be left out after the draw.",
                    hint=f"Its columns are: {', '.join(recipe.grouped)}.",
                    field="left-out-after",
                )
        if not set(recipe.grouped) - set(self.left_out):
            raise WorkbenchError(
                "Without these columns nothing would be left of the release.",
                hint="Keep at least one of them.",
                field="left-out-after",
            )
        if self.step_column and self.step_column in (*recipe.grouped, recipe.count_column):
            raise WorkbenchError(
                f"There is a column “{self.step_column}” already.",
                hint="Give the added column another name.",
                field="step_column",
            )
        if self.one_level > len(recipe.steps):
            raise WorkbenchError(
                f"The release has no step {self.one_level:,}.", hint="Take one of its steps.", field="one-level"
            )


AS_DRAWN = AfterDraw()
"""Nothing is done."""
