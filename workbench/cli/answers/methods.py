"""The JSON that commands print with `--json` of protocols and mechanisms."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from workbench.cli.answers.parts import BandJson, NearlySameJson, Note, Plain, PluginJson, UnreadJson, Values

# Collecting


class ErrorsJson(TypedDict):
    """Errors in one measure each."""

    l1: float
    l2: float
    kantorovich: float


class MeanErrorJson(TypedDict):
    """A mean error and its standard error; null after one try."""

    mean: float
    se: float | None


class PredictionJson(ErrorsJson):
    """The error of a protocol by formula."""

    epsilon: float
    bits: float
    se: ErrorsJson
    by_shape: dict[str, ErrorsJson]
    smooths: bool
    estimator: str
    postprocess: str


class CuratorJson(TypedDict):
    """The error of a curator who is trusted, where people were drawn."""

    l1: MeanErrorJson
    l2: MeanErrorJson
    kantorovich: MeanErrorJson


class BaselinesJson(TypedDict):
    """The errors of guessing, and of a curator who is trusted."""

    uniform: ErrorsJson
    curator: ErrorsJson | CuratorJson


class MeanPredictionJson(TypedDict):
    """The error of a mean by a protocol, by formula, in units of the column."""

    epsilon: float
    bits: float
    margin: float
    deviation_worst: float
    deviation_middle: float


class MeanBaselinesJson(TypedDict):
    """The margins of saying the middle of the bounds, and of a curator who is trusted."""

    middle: float
    curator: float


class PredictedMeanJson(UnreadJson, NearlySameJson):
    """The errors of a mean by protocols for it, by formula and before anybody is asked."""

    users: int
    mean_of: list[float]
    unit: str
    recommended: list[str]
    bounds_declared: bool
    users_declared: bool
    predictions: dict[str, MeanPredictionJson]
    problems: dict[str, str]
    baselines: MeanBaselinesJson
    advice: str
    cautions: Note
    needed: NotRequired[dict[str, NeededJson]]


class NeededJson(TypedDict):
    """The people or the ε that an error takes by a protocol."""

    people: int | None
    epsilon: float | None
    problem: str


class PredictedJson(UnreadJson, NearlySameJson):
    """The errors of protocols, by formula and before anybody is asked."""

    users: int
    domain_size: int
    assumed: str
    assumed_shapes: list[str]
    recommended: list[str]
    domain_declared: bool
    users_declared: bool
    predictions: dict[str, PredictionJson]
    problems: dict[str, str]
    baselines: BaselinesJson
    advice: str
    cautions: Note
    needed: NotRequired[dict[str, NeededJson]]


class SimulatedProtocolJson(TypedDict):
    """The estimates of a protocol for the people of a table, drawn with a seed."""

    epsilon: float
    epsilon_of_a_person: float
    bits: float
    estimate: float | dict[str, float]
    estimator: NotRequired[str]
    postprocess: NotRequired[str]
    l1: NotRequired[MeanErrorJson]
    l2: NotRequired[MeanErrorJson]
    kantorovich: NotRequired[MeanErrorJson]
    absolute: NotRequired[MeanErrorJson]
    deviation: NotRequired[float]


class DomainJson(TypedDict):
    """The answers that may be given."""

    values: list[str]
    declared: bool
    ordinal: bool


class CollectAnalystJson(TypedDict):
    """True numbers of a column, for the analyst alone."""

    rows_beyond_the_unit: Note
    mean: NotRequired[float]
    truth: NotRequired[dict[str, int]]
    clipped: NotRequired[int]
    without_value: NotRequired[int]
    binning_error: NotRequired[float]


class SimulatedJson(UnreadJson, NearlySameJson):
    """Protocols that were simulated on a table."""

    users: int
    seed: int
    protocols: dict[str, SimulatedProtocolJson]
    simulation: bool
    looked: bool
    problems: dict[str, str]
    reports_per_person: int
    cautions: Note
    domain: NotRequired[DomainJson]
    baselines: NotRequired[BaselinesJson]
    analyst: CollectAnalystJson


class CollectedJson(UnreadJson, NearlySameJson):
    """Perturbed reports that were written."""

    reports: str
    protocol: str
    parameters: Values
    epsilon: float
    epsilon_of_a_person: float
    reports_per_person: int
    count: int
    claim: bool
    promise: str
    participation: str | None
    reasons: Note
    cautions: Note
    simulation: bool
    trial: bool
    plugin: PluginJson | None


class HitterJson(TypedDict):
    """A value that many have."""

    value: str
    estimate: float
    low: float
    high: float
    sure: bool


class AggregateJson(TypedDict):
    """The estimates from reports."""

    reports: int
    column: str
    protocol: str
    parameters: Values
    epsilon: float
    epsilon_of_a_person: float
    reports_per_person: int
    promise: str
    participation: str | None
    simulation: bool
    trial: bool
    domain_declared: bool
    cautions: Note
    plugin: PluginJson | None
    estimate: float | dict[str, float]
    low: float | dict[str, float]
    high: float | dict[str, float]
    estimator: NotRequired[str]
    estimator_plugin: NotRequired[PluginJson | None]
    postprocess: NotRequired[str]
    participants: NotRequired[BandJson]
    top: NotRequired[list[HitterJson]]


# Mechanisms


class NamedMechanismJson(TypedDict):
    """A mechanism that can be audited."""

    name: str
    title: str
    summary: str


class MechanismsJson(TypedDict):
    """All of them."""

    mechanisms: list[NamedMechanismJson]


class ParameterJson(TypedDict):
    """A parameter of a mechanism."""

    name: str
    title: str
    default: str | float | bool | None
    choices: list[Plain]
    help: str


class MechanismParametersJson(NamedMechanismJson):
    """A mechanism and its parameters."""

    citation: str
    parameters: list[ParameterJson]


class WitnessJson(TypedDict):
    """The place where ε is reached."""

    input: str
    neighbour: str
    output: str
    probability: str
    neighbour_probability: str
    ratio: str


class AuditedClaimJson(TypedDict):
    """A claim, and whether it is so."""

    epsilon: str
    delta: str
    verdict: str
    outputs: list[str]


class UtilityJson(TypedDict):
    """The utility of a mechanism."""

    loss: str
    expected_error: float | None
    expected_error_exact: str | None
    guess_before: float
    guess_after: float
    guess_after_exact: str | None


class ExaminedJson(TypedDict):
    """The exact ε and δ of a mechanism."""

    mechanism: str
    title: str
    neighbours: str
    neighbours_compared: str
    epsilon: float | None
    epsilon_exact: str | None
    infinite: bool
    witness: WitnessJson
    delta: float
    delta_exact: str | None
    delta_at: str
    claim: AuditedClaimJson | None
    exact: bool
    rows_sum_to_one: bool
    inputs: list[str]
    outputs: list[str]
    matrix: list[list[str]] | list[list[float]]
    utility: UtilityJson
    note: str
    curve: NotRequired[list[list[float]]]


AskedPropertyJson = TypedDict(
    "AskedPropertyJson",
    {
        "parameter": str,
        "from": int,
        "to": int,
        "claim": str,
        "holds": bool | None,
        "rounded": bool,
        "checked": int,
        "counterexample": int | None,
    },
)
"""A claim for all values of a parameter, and what became of it; `from` is no name in Python."""


class PropertyJson(TypedDict):
    """A claim for all values of a parameter."""

    mechanism_property: AskedPropertyJson
    found: ExaminedJson | None
