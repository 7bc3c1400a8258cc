"""The JSON that commands print with `--json` of ledgers, questions and their answers."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from workbench.cli.answers.parts import (
    AccountJson,
    AmountsJson,
    FileSumJson,
    NearlySameJson,
    Note,
    Numbers,
    Plain,
    PlannedJson,
    PluginJson,
    QuestionJson,
    UnreadJson,
)

Interval = list[float]
"""Two numbers, the lower first."""
Rows = list[float] | list[list[float]]


class TogetherJson(AmountsJson):
    """The claim of several releases together."""

    releases: int


class ChargedPartJson(TypedDict):
    """A draw for an entry; fractions are written out."""

    kind: str
    epsilon: str
    delta: str
    beta: NotRequired[float]
    k: NotRequired[int]
    sensitivity: NotRequired[str]


class KeptAnswerJson(TypedDict):
    """An answer as a ledger keeps it."""

    form: Literal["number", "list", "table", "choice"]
    value: Numbers | Rows | str | None
    interval: list[float] | list[list[float]] | list[Rows] | None
    labels: list[list[str]]
    noisy: dict[str, list[int]]
    shown: str
    unit: str
    positions: list[float] | None
    edges: list[float] | None
    notes: Note


class KeptAnswersJson(TypedDict):
    """All answers of an entry."""

    answers: list[KeptAnswerJson]


class EntryJson(AmountsJson):
    """An entry of a ledger."""

    time: str
    kind: str
    what: str
    rows_per_person: int
    engine: str
    neighbours: str
    claim: bool
    after_look: str
    number_known: str
    parameters: dict[str, Plain | list[Any] | dict[str, Any]]
    mechanism: list[ChargedPartJson]
    in_plan: str | None
    answer: KeptAnswersJson | None
    files: list[FileSumJson]
    claimed_together: TogetherJson | None


class SeenJson(TypedDict):
    """A look at the data that was recorded."""

    time: str
    what: str


class OpenPlanJson(AmountsJson):
    """A plan, and how much of it is open."""

    entry: str
    what: str
    slots: int
    open: int


class FilteredJson(AmountsJson):
    """A filter of a budget."""

    holds: bool
    order: float
    used: float


class PricesJson(TypedDict):
    """The price of the same releases by other ways of adding them up."""

    added: AmountsJson
    planned: AmountsJson | None
    filtered: FilteredJson | None


class ViewsJson(TypedDict):
    """Sums that are quoted beside the plain one, and how they are to be read."""

    extra_delta: float
    holds_if: str
    not_quoted: str | None


class LedgerJson(AccountJson, NearlySameJson):
    """The releases of some data."""

    budget: AmountsJson | None
    advanced: AmountsJson | None
    numerical: AmountsJson | None
    views: ViewsJson
    prices: PricesJson
    plans: list[OpenPlanJson]
    entries: list[EntryJson]
    looks: list[SeenJson]
    statements: list[str]


class CountedBeyondJson(TypedDict):
    """A count of the values that the bounds of an answer limited, below and above, which was paid for apart."""

    answer: dict[str, float]
    interval: list[dict[str, float]]
    epsilon: float
    entry: str


class AnswerJson(TypedDict):
    """An answer that was released."""

    query: str
    answer: Numbers | str | None
    interval: Interval | dict[str, Interval] | dict[str, dict[str, Interval]] | None
    unit: str
    epsilon: float
    delta: float
    neighbours: str
    engine: str
    rows_per_person: int
    claim: bool
    unclaimed: str
    asserted: Note
    notes: Note
    limited: str
    parameters: QuestionJson
    plugin: PluginJson | None
    entry: str
    counted_beyond: NotRequired[CountedBeyondJson]


class QueryPlanJson(TypedDict):
    """The price of a question, and how far off its answer would be."""

    query: str
    epsilon: float
    delta: float
    neighbours: str
    engine: str
    rows_per_person: int
    claim: bool
    unclaimed: str
    asserted: Note
    unit: str
    half_width: float
    expected_error: float | None
    assumption: str
    assumed_rows: NotRequired[int | None]
    rows_from: NotRequired[str]
    in_words: str
    edges: Note
    parameters: QuestionJson
    plugin: PluginJson | None


class AfterAnswerJson(AccountJson, NearlySameJson, UnreadJson):
    """The sentences beside an answer or a plan."""

    charged: NotRequired[AmountsJson]
    spent_with_it: NotRequired[AmountsJson]
    stored: NotRequired[bool]
    problem: NotRequired[str]
    planned: NotRequired[PlannedJson]


class AnsweredJson(AnswerJson, AfterAnswerJson):
    """One question that was answered."""


class QueryPlannedJson(QueryPlanJson, AfterAnswerJson):
    """One question that was planned."""


class AnsweredTogetherJson(AfterAnswerJson):
    """Several questions that were answered at one price."""

    answers: list[AnswerJson]
    epsilon: float
    delta: float
    neighbours: str
    engine: str
    claim: bool


class PlannedTogetherJson(AfterAnswerJson):
    """Several questions that were planned."""

    plans: list[QueryPlanJson]


class PlainAnswerJson(UnreadJson):
    """The counts of a released file, at no price."""

    query: str
    answer: Numbers | str | None
    unit: str
    plain: bool
    epsilon: float
    delta: float
    rests_on: str
    asserted: Note
    limited: str
    parameters: QuestionJson
