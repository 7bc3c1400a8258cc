"""The settings of the Anonymise room: the guarantee, where levels come from, and what a syntactic release must keep.

k, β and ε of sampling are declared in `guarantee_settings`, ε, δ and the floor of trimming in `trim_settings`; k of
k-anonymity and the parameters of other models with each model, in `anonymise.models`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from workbench.anonymise.asked import NO_SHARE
from workbench.anonymise.dp_search import Degree, PrivateSearch
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.recipe import ReleaseMechanism, Treatment
from workbench.anonymise.utility import METRICS, MetricChoice
from workbench.core.settings import Flag, Stored, check_settings, setting
from workbench.core.typed_fields import typed_fields
from workbench.project.guarantee_settings import GuaranteeSettings
from workbench.project.trim_settings import TrimSettings

_ALWAYS = Stored(always=True)
"""The form of settings that files of every version have: a project without one of them is damaged."""


def _nothing() -> Mapping[str, object]:
    return MappingProxyType({})


class AnonymityKind(StrEnum):
    """The kind of anonymity that is wanted."""

    DP = "dp"
    """An (ε, δ) release by sampling, generalising and suppressing."""
    SYNTACTIC = "syntactic"
    """k-anonymity and its relatives, which give no (ε, δ) claim."""


@dataclass(frozen=True)
@typed_fields
class QuestionSettings:
    """The privacy models that a syntactic release must satisfy, and the loss that is to be least."""

    models: tuple[ModelChoice, ...] = setting(
        (ModelChoice("k-anonymity", MappingProxyType({"k": 5})),),
        title="Privacy models",
        about="What the release must satisfy; all must hold.",
        stored=_ALWAYS,
    )
    metric: MetricChoice = setting(
        factory=MetricChoice,
        title="What to lose least",
        about="The loss that is minimised.",
        stored=_ALWAYS,
        flag=Flag(
            "ID[=X]",
            help=lambda: f"what to lose least of: {METRICS.names()}",
            default="loss",
            read=MetricChoice.parse,
            write=MetricChoice.typed,
        ),
    )
    suppression_limit: float = setting(
        0.04,
        title="Suppression limit",
        label="Suppress at most",
        about="Share of the rows that may be suppressed, 0 to 1.",
        minimum=0.0,
        maximum=1.0,
        unit="%",
        group="goal",
        refusal=NO_SHARE,
        stored=_ALWAYS,
        flag=Flag("S", help="share of rows, 0 to 1", default=0.0),
    )
    weights: Mapping[str, float] = setting(
        factory=_nothing,
        title="Weights",
        about="How much the loss of a column counts; 1 for columns without an entry.",
        stored=_ALWAYS,
    )
    limits: Mapping[str, tuple[int, int]] = setting(
        factory=_nothing,
        title="Levels to choose from",
        about="Lowest and highest level a search may choose; columns without an entry have all their levels.",
        stored=_ALWAYS,
    )
    local_recoding: bool = setting(
        False,
        title="Local recoding",
        about="Whether rows that fail the models are generalised further, instead of being suppressed at once.",
        group="goal",
        flag=Flag(help="search again among the rows that would be suppressed, so that released rows have mixed levels"),
    )

    def __post_init__(self) -> None:
        check_settings(self)


class LevelsBy(StrEnum):
    """The origin of the levels of an (ε, δ) release. None of them looks at the data without paying for it."""

    HAND = "hand"
    """Each level is given."""
    DEGREE = "degree"
    """The levels follow from a degree and the heights of the hierarchies."""
    SEARCH = "private search"
    """The levels are drawn privately before each release."""


@dataclass(frozen=True)
@typed_fields
class LevelChoice:
    """The choice of levels of an (ε, δ) release."""

    by: LevelsBy = setting(
        LevelsBy.HAND,
        title="Levels",
        about="Who chooses the levels; the settings of the other ways are kept for those who go back.",
        stored=_ALWAYS,
    )
    degree: Degree = setting(
        Degree.MEDIUM,
        title="Degree",
        about="How far all columns are generalised.",
        stored=_ALWAYS,
        flag=Flag(help="generalise every column to this degree", default=None),
    )
    search: PrivateSearch = setting(
        factory=PrivateSearch, title="Private search", about="How the levels are drawn.", stored=_ALWAYS
    )
    limits: Mapping[str, tuple[int, int]] = setting(
        factory=_nothing,
        title="Levels to choose from",
        about="Lowest and highest level a degree or a draw may lead to, fixed without the data; columns without an "
        "entry have all their levels.",
        stored=_ALWAYS,
    )


@dataclass(frozen=True)
@typed_fields
class AnonymiseSettings:
    """The treatment of the columns, and the guarantee."""

    guarantee: GuaranteeSettings = setting(
        factory=GuaranteeSettings,
        title="Guarantee",
        about="The (ε, δ) that is wanted. Three of ε, δ, β and k are given, and the fourth is computed.",
        stored=_ALWAYS,
    )
    mechanism: ReleaseMechanism | None = setting(
        ReleaseMechanism.SAMPLE,
        title="Mechanism",
        about="How rows are given up: every group trimmed, or every row sampled. Without a choice groups are trimmed, "
        "unless a column is kept that takes no part in the grouping.",
    )
    """A file without it was written before there was a choice, and means sampling; new projects make none."""
    trim: TrimSettings = setting(factory=TrimSettings, title="Trimming", about="How groups are trimmed.")
    treatments: Mapping[str, Treatment] = setting(
        factory=_nothing,
        title="Treatments",
        about="What becomes of the columns; those without an entry follow their role.",
        stored=_ALWAYS,
    )
    levels: Mapping[str, int] = setting(
        factory=_nothing, title="Levels", about="The levels that are given by hand.", stored=_ALWAYS
    )
    levels_blind: bool = setting(
        True,
        title="Levels were chosen without the data",
        about="Whether the levels were chosen without looking at what they lead to.",
        stored=_ALWAYS,
    )
    level_choice: LevelChoice = setting(
        factory=LevelChoice, title="Choice of levels", about="Where the levels come from."
    )
    seed: int | None = setting(
        None, title="Seed", about="Makes the run a simulation that can be repeated.", stored=_ALWAYS
    )
    approach: AnonymityKind = setting(
        AnonymityKind.DP,
        title="Approach",
        about="Whether the guarantee or the privacy models are in force; the others are kept for those who go back.",
    )
    question: QuestionSettings = setting(
        factory=QuestionSettings, title="Privacy models", about="What a syntactic release must satisfy."
    )
