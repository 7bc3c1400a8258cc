"""The JSON that commands print with `--json` of comparisons, attacks and plug-ins."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from workbench.cli.answers.figures import FindingsJson
from workbench.cli.answers.parts import BandJson, PluginJson, UnreadJson
from workbench.evaluate.experiment import Basis
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.told_apart import TileStanding

# Comparisons


class TileJson(TypedDict):
    """The facts about one way."""

    way: str
    error: float | None
    times: float | None
    alike: bool
    standing: TileStanding
    times_between: list[float | None]
    guessed: bool
    setting: MethodChoice | None
    as_good: list[MethodChoice]
    shape: Basis | None
    trust: str
    leaves: str
    problem: str


class UnlessJson(TypedDict):
    """A public shape on which another way than the recommended one errs least."""

    shape: Basis
    way: str
    error: float
    instead: float


class VerdictJson(TypedDict):
    """The way that errs least at a place."""

    place: float
    recommended: str | None
    guess: float | None
    sentence: str
    unless: list[UnlessJson]
    tiles: list[TileJson]


class CompareJson(UnreadJson):
    """A comparison; "analyst" is its key also where only public shapes were compared."""

    analyst: FindingsJson
    verdicts: list[VerdictJson]
    files: list[str]
    looked: bool


# Looks at the data


class ChancesJson(TypedDict):
    """The chances with which an attacker is right."""

    highest: float
    average: float
    at_risk: float


class RiskJson(TypedDict):
    """The risk that rows are pointed at."""

    rows: int
    classes: int
    smallest: int
    largest: int
    uniques: float
    marketer: float
    prosecutor: ChancesJson
    journalist: ChancesJson


class LearnedJson(TypedDict):
    """The knowledge that an attacker gains of a column."""

    column: str
    blind: float
    before: float
    after: float


class MembershipJson(TypedDict):
    """The success of an attacker who tells whether somebody is in the table."""

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
    """The cost of one combination of levels."""

    levels: dict[str, int]
    loss: float
    losses: dict[str, float]
    holds: bool
    suppressed: int
    groups: int
    smallest: int
    why: str


class LevelsJson(UnreadJson):
    """The costs of levels under privacy models."""

    rows_in: int
    metric: str
    levels: list[LevelJson]
    recorded: bool


class SurvivalPointJson(TypedDict):
    """The part that would be released with other numbers."""

    rows: BandJson | None
    groups: BandJson | None
    epsilon: NotRequired[float]
    beta: NotRequired[float]
    k: NotRequired[int | None]


class SurvivalJson(UnreadJson):
    """The part of the data that would be released along a curve."""

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


class ContractJson(TypedDict):
    """The result of one contract of a plug-in."""

    contract: str
    verdict: str
    detail: str


class InstalledJson(PluginJson):
    """A plug-in that is there."""

    kind: str
    name: str
    title: NotRequired[str]
    holds: NotRequired[bool]
    contracts: NotRequired[list[ContractJson]]


class PluginsJson(TypedDict):
    """Plug-ins of third parties, and what became of their contracts."""

    plugins: list[InstalledJson]
    left_out: list[LeftOutJson]
    holds: NotRequired[bool]


class TrustedJson(PluginJson):
    """The distribution that is trusted from now on."""

    kept: list[list[str]]
