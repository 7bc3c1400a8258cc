"""The settings of a trimmed release: what its calculator solves for, its levels in steps, and how it is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from workbench.anonymise.balanced import BALANCED_STEPS, Importance
from workbench.anonymise.dp_search import Degree
from workbench.anonymise.trim_recipe import MOST_STEPS
from workbench.core.errors import WorkbenchError
from workbench.core.flags import read_numbers, written_numbers
from workbench.core.settings import Flag, check_settings, setting
from workbench.core.typed_fields import typed_fields
from workbench.core.worded import Worded

COUNT_COLUMN = "rows"
"""The name of the column of sizes unless another is typed."""


class TrimUnknown(Worded):
    """The number of trimming that is computed from the others."""

    SURVIVAL = "survival", "Group that survives"
    EPSILON = "epsilon", "ε"
    DELTA = "delta", "δ"


class Survives(Worded):
    """The certainty with which a group of the wanted size survives."""

    HALF = "half", "half of the time"
    ALWAYS = "always", "always"


class StepsBy(Worded):
    """The origin of the steps of a trimmed release. None of them looks at the data."""

    ONE = "one", "One step"
    """The levels of the release are those of its only step."""
    DEGREES = "degrees", "By degrees"
    """Each degree is a step. Where the levels are drawn privately, the drawn ones come first, the others above them."""
    TYPED = "typed", "Typed"
    """Each step is typed, as levels by column."""
    BALANCED = "balanced", "Balanced"
    """The column with most labels left is coarsened next, by a public rule; what is to be kept becomes `*` last."""


def _nothing() -> Mapping[str, Any]:
    return MappingProxyType({})


def _read_shares(text: str) -> tuple[float, ...]:
    return read_numbers(text, "shares")


@dataclass(frozen=True)
@typed_fields
class TrimSettings:
    """The settings of trimming. ε and δ are those of the guarantee."""

    solve_for: TrimUnknown = setting(
        TrimUnknown.SURVIVAL,
        title="Solve for",
        about="which of ε, δ and the group that survives is computed",
        explain="trim_solve_for",
    )
    survives: Survives = setting(
        Survives.HALF,
        title="How often it survives",
        about="whether the wanted group is to survive half of the time or always",
        when={"solve_for": (TrimUnknown.EPSILON, TrimUnknown.DELTA)},
    )
    group: int = setting(
        12,
        title="Group that survives",
        about="the smallest group that is to survive, where ε or δ is computed from it",
        minimum=1,
        maximum=10**9,
        unit="rows",
        when={"solve_for": (TrimUnknown.EPSILON, TrimUnknown.DELTA)},
        explain="trim_group",
    )
    floor: int = setting(
        1,
        title="Floor",
        about="groups of which fewer rows would be released are left out at their step; this needs no guarantee",
        minimum=1,
        maximum=10**9,
        unit="rows",
        group="guarantee",
        flag=Flag("K"),
    )
    steps: StepsBy = setting(
        StepsBy.DEGREES,
        title="Levels in steps",
        about="whether what one level vector gives up is released at coarser ones",
    )
    degrees: tuple[Degree, ...] = setting(
        (Degree.NONE, Degree.LOW, Degree.LOW_MEDIUM, Degree.MEDIUM, Degree.HIGH, Degree.COMPLETE),
        title="Degrees",
        about="the degree of each step, the finest first",
    )
    balanced_steps: int = setting(
        BALANCED_STEPS,
        title="Balanced steps",
        about="how many steps there are at most, where the column with most labels left is coarsened next",
        minimum=1,
        maximum=MOST_STEPS,
        when={"steps": (StepsBy.BALANCED,)},
    )
    importance: Mapping[str, Importance] = setting(
        factory=_nothing,
        title="Columns to keep",
        about="which columns balanced steps keep longest, and which they give up first, before these become *",
    )
    vectors: tuple[Mapping[str, int], ...] = setting(
        (), title="Levels of each step", about="the levels of each step by column, the finest first"
    )
    shares: tuple[float, ...] = setting(
        (),
        title="Shares",
        about="the shares of ε and δ that the steps have, such as 5,3,2; none: by a public rule from the typed number "
        "of rows and the number of possible groups",
        flag=Flag("S,S,…", read=_read_shares, write=written_numbers),
    )
    step_column: str = setting(
        "",
        title="Column of steps",
        about="name of a released column that says at which step its row was released; empty: none",
        placeholder="none",
        group="written",
        flag=Flag("NAME"),
    )
    count_column: str = setting(
        "",
        title="Column of sizes",
        about="name of a column with the rows of each group, one line per group; empty: one line per row",
        placeholder="none: one line per row",
        group="written",
        flag=Flag("NAME", name="--as-counts"),
    )
    occurring: Mapping[str, str] = setting(
        factory=_nothing,
        title="What can occur",
        about="which values or ranges of a column can occur, from public knowledge or a guess and never from the table "
        "itself; fewer possible groups are expected, and balanced steps stay finer",
    )
    occurring_from: Mapping[str, str] = setting(
        factory=_nothing,
        title="Where that is known from",
        about="by column, where it is known from what can occur, such as a questionnaire or a law",
    )
    expected_rows: int | None = setting(
        None,
        title="Expected rows",
        about="how many rows the table has about, from public knowledge and never from the table itself",
        minimum=1,
        maximum=10**12,
        unit="rows",
        placeholder="roughly",
        group="forecast",
        flag=Flag("N", name="--expect"),
    )
    number_known: bool = setting(
        False,
        title="This number is public",
        about="whether it is known whatever is released how many people, or rows, there are, as of a staff; the claim "
        "is then for replacing one person by another, with twice ε",
    )

    def __post_init__(self) -> None:
        check_settings(self)
        if not all(share > 0 for share in self.shares):
            raise WorkbenchError(
                "Every step needs a share of ε and δ above 0.", hint="Write --shares 5,3,2.", field="shares"
            )
        for what, some in (("degrees", self.degrees), ("steps", self.vectors), ("shares", self.shares)):
            if len(some) > _MOST[what]:
                raise WorkbenchError(
                    f"There are {len(some):,} {what}, and at most {_MOST[what]} are possible.",
                    hint="Leave some of them out.",
                    field=what,
                )


_MOST = {"degrees": len(Degree), "steps": MOST_STEPS, "shares": MOST_STEPS}
