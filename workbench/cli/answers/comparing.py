"""What commands print with `--json` of comparisons, figures, attacks and plug-ins."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from workbench.cli.answers.parts import BandJson, Named, Note, PluginJson, PointJson, UnreadJson

# Comparisons and figures


class ComparisonJson(TypedDict):
    """What methods err, for the analyst where it was tried on the data."""

    title: str
    question: str
    axis: str
    metric: str
    unit: str
    truth: str
    rows: int
    seed: int
    experiment: Named
    points: list[PointJson]
    crossings: list[Named]
    notes: Note


class TileJson(TypedDict):
    """What is said of one way."""

    way: str
    error: float | None
    times: float | None
    alike: bool
    setting: Named | None
    shape: str | None
    trust: str
    leaves: str
    problem: str


class VerdictJson(TypedDict):
    """Which way errs least at a place."""

    place: float
    recommended: str | None
    guess: float | None
    sentence: str
    unless: list[Named]
    tiles: list[TileJson]


class CompareJson(UnreadJson):
    """A comparison; "analyst" is its key also where only public shapes were compared."""

    analyst: ComparisonJson
    verdicts: list[VerdictJson]
    files: list[str]
    looked: bool


class PresetJson(UnreadJson):
    """A figure that was made again by its preset."""

    analyst: Named
    files: list[str]
    looked: bool


class FigureJson(UnreadJson):
    """One figure, as published and mended."""

    figure: Named
    files: list[str]
    looked: bool


class EveryFigureJson(TypedDict):
    """All figures of the shipped samples."""

    figures: list[Named]
    seconds: float
    counts: dict[str, int]
    files: list[str]


class PresetsJson(TypedDict):
    """All presets and figures there are."""

    presets: list[Named]
    figures: list[Named]


# Looks at the data


class ChancesJson(TypedDict):
    """What an attacker is right with."""

    highest: float
    average: float
    at_risk: float


class RiskJson(TypedDict):
    """How rows could be pointed at."""

    rows: int
    classes: int
    smallest: int
    largest: int
    uniques: float
    marketer: float
    prosecutor: ChancesJson
    journalist: ChancesJson


class LearnedJson(TypedDict):
    """What an attacker learns of a column."""

    column: str
    blind: float
    before: float
    after: float


class MembershipJson(TypedDict):
    """Whether it can be told that somebody is in the table."""

    group: int
    own: int
    right: float
    low: float
    high: float
    exact: float
    bound: float | None
    runs: int
    seed: int


class AttackJson(UnreadJson):
    """Attacks on a release of a project."""

    knows: list[str]
    seed: int | None
    before: RiskJson
    after: RiskJson
    absent: float
    everybody: float
    exact: bool
    learned: list[LearnedJson]
    membership: NotRequired[MembershipJson | None]
    recorded: bool


class LevelJson(TypedDict):
    """What one combination of levels costs."""

    levels: dict[str, int]
    loss: float
    losses: dict[str, float]
    holds: bool
    suppressed: int
    groups: int
    smallest: int
    why: str


class LevelsJson(UnreadJson):
    """What levels cost under privacy models."""

    rows_in: int
    metric: str
    levels: list[LevelJson]
    recorded: bool


class SurvivalPointJson(TypedDict):
    """How much would be released with other numbers."""

    rows: BandJson | None
    groups: BandJson | None
    epsilon: NotRequired[float]
    beta: NotRequired[float]
    k: NotRequired[int | None]


class SurvivalJson(UnreadJson):
    """How much of the data would be released along a curve."""

    rows_in: int
    groups_in: int
    axis: str
    chosen: dict[str, float]
    points: list[SurvivalPointJson]
    draws: int
    seed: int
    recorded: bool


# Plug-ins


class LeftOutJson(PluginJson):
    """A plug-in that could not be used."""

    entry_point: str
    why: str


class InstalledJson(PluginJson):
    """A plug-in that is there."""

    kind: str
    name: str
    title: NotRequired[str]
    holds: NotRequired[bool]
    contracts: NotRequired[list[Named]]


class PluginsJson(TypedDict):
    """Plug-ins of third parties, and what became of their contracts."""

    plugins: list[InstalledJson]
    left_out: list[LeftOutJson]
    holds: NotRequired[bool]


class TrustedJson(PluginJson):
    """Whom is trusted from now on."""

    kept: list[list[str]]
