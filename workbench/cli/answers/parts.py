"""The parts that several answers of commands have in common, as they are printed with `--json`; see `cli.answers`.

A key that is not always there is `NotRequired`. Where names of columns, values or parameters are keys, only what stands
behind them is declared.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from workbench.core.schema import Kind, Misfits

Plain = str | float | bool | None
Values = dict[str, Plain | list[Plain]]
"""By the name of a parameter, which is no part of the format."""
Levels = dict[str, int]
"""By the name of a column."""
Note = list[str]
Numbers = float | dict[str, float] | dict[str, dict[str, float]]
"""One, or one for each value, or for each value of a column one for each of another."""


class ExactlyJson(TypedDict):
    """Fractions such as 1/3, written out."""

    epsilon: str
    delta: str


class AmountsJson(TypedDict):
    """ε and δ; as floats what is left is never above the truth, and all else never below it."""

    epsilon: float
    delta: float
    exactly: ExactlyJson


class LeftJson(AmountsJson):
    """The rest of a budget."""

    neighbours: str


class SpentJson(AmountsJson):
    """The spending on the data so far."""

    rows_per_person: int
    neighbours: str
    bounded: bool
    unclaimed: int
    rows_public: int
    number_known: bool
    open_participation: int
    plans: int


class FormatJson(TypedDict, total=False):
    """The spelling of numbers and dates in a column, as far as it is not the usual one."""

    decimal_mark: str
    thousands: str
    symbol: str
    pattern: str


class ColumnReadJson(TypedDict):
    """The way a column is read for a question."""

    kind: Kind
    missing: list[str]
    format: NotRequired[FormatJson]
    order: NotRequired[list[str]]
    misfits: NotRequired[Misfits]


class RowLimitJson(TypedDict):
    """Of each person only so many rows take part; `drawn` says that they were drawn of those that match a filter."""

    person: str
    rows: int
    drawn: NotRequired[Literal["after the filter"]]


class RowsJson(TypedDict, total=False):
    """The rows that take part; nothing where all do."""

    where: str
    sample: float
    limit: RowLimitJson


class FrameJson(TypedDict):
    """The declarations of a column that is asked about: bounds, edges or keys; fractions are written out."""

    column: str
    lower: NotRequired[str]
    upper: NotRequired[str]
    missing: NotRequired[str]
    resolution: NotRequired[str]
    edges: NotRequired[list[str]]
    clip: NotRequired[bool]
    keys: NotRequired[list[str]]
    other: NotRequired[bool]
    beyond: NotRequired[list[str]]


class NoisyPartJson(TypedDict):
    """A part that is noisy by itself, with its share of ε."""

    name: str
    sensitivity: str
    epsilon: str


class QuestionJson(TypedDict, total=False):
    """A question, as it is written down beside its answer; all of it is public."""

    query: str
    what: str
    values: Values
    where: str
    tool: str
    engine: str
    epsilon: str
    delta: str
    neighbours: str
    rows_per_person: int
    unclaimed: str
    frames: list[FrameJson]
    table: RowsJson
    columns: dict[str, ColumnReadJson]
    parts: list[NoisyPartJson]
    plugin: PluginJson


class AccountJson(TypedDict):
    """The part of an answer that every command has that knows the ledger of its data."""

    spent: SpentJson
    remaining: LeftJson | None


class NearlySameJson(TypedDict):
    """Releases of data that is nearly the same, and what was said of it."""

    nearly_same: NotRequired[str | None]


class UnreadJson(TypedDict):
    """Lines of the file that were not read."""

    skipped: NotRequired[int]
    skipped_lines: NotRequired[list[str]]


class PluginJson(TypedDict):
    """The origin of a plug-in."""

    distribution: str
    version: str
    trusted: NotRequired[bool]


class UsedPluginJson(PluginJson):
    """A plug-in that took part."""

    kind: str
    name: str


class CheckedModelJson(TypedDict):
    """A privacy model that was counted again in a file."""

    model: str
    parameters: Values
    holds: bool
    value: float | None
    analyst_only: bool
    in_the_file: bool
    note: str


class CountedJson(TypedDict):
    """The counts of a released file."""

    holds: bool
    rows: int
    columns: list[str]
    grouped: list[str]
    classes: int
    smallest_class: int
    largest_class: int
    levels: Levels
    models: list[CheckedModelJson]
    faults: Note
    unchecked: Note


class TrimmingJson(TypedDict, total=False):
    """The rows that groups give up, and how large groups must be."""

    mean_lost: float | None
    sd: float | None
    half_survive: int
    always_survive: int | None
    half_somewhere: int
    always_somewhere: int
    floor: int


class TrimmedStepJson(TypedDict):
    """One step of a trimmed release."""

    epsilon: float
    delta: float
    mean_lost: float
    half_survive: int
    always_survive: int
    levels: NotRequired[Levels]
    degree: NotRequired[str]
    rows_out: NotRequired[int]
    possible_groups: NotRequired[int | None]
    released_if_even: NotRequired[float | None]
    sd: NotRequired[float]
    delta_exact: NotRequired[float]


class PlannedJson(AmountsJson):
    """Several releases or questions that a plan pays for."""

    entry: str | None
    releases: NotRequired[int]
    questions: NotRequired[int]
    added: NotRequired[float]


class SearchJson(TypedDict):
    """A private draw of levels."""

    epsilon: float
    draw: str
    score: str
    nodes: int


class OwnDrawJson(TypedDict):
    """The promise of a release by itself, where others are counted with it."""

    epsilon: float
    delta: float


class LocalRecodingJson(TypedDict):
    """A record of local recoding."""

    rows_per_pass: list[int]
    rescued: int
    loss_before: float
    loss_after: float
    complete: bool


class PreparationJson(TypedDict):
    """The fate of rows before the release."""

    rows_read: int
    filtered_out: int
    left_by_sample: int
    without_person: int
    over_limit: int
    misfits: dict[str, int]


class ReleaseAnalystJson(TypedDict):
    """True numbers of a release, for the analyst alone."""

    rows_in: int
    sampled: NotRequired[int]
    suppressed: NotRequired[int]
    levels: NotRequired[Levels]
    uncovered: NotRequired[dict[str, int]]
    preparation: NotRequired[PreparationJson]
    local_recoding: NotRequired[LocalRecodingJson]


class BandJson(TypedDict):
    """An estimate with its 95 % band, or quantiles over draws."""

    low: float
    high: float
    estimate: NotRequired[float]
    median: NotRequired[float]


class FileSumJson(TypedDict):
    """A file that left, and its SHA-256."""

    name: str
    sha256: str


class ChargedJson(TypedDict):
    """The charges of a command that did not end well."""

    what: str
    epsilon: str
    delta: str
    answer_kept: bool


class MessageJson(TypedDict):
    """A message: what was wrong, what to do, and which option it is about."""

    message: str
    hint: str
    field: str


class ErrorJson(TypedDict):
    """One object on standard error in place of an answer."""

    error: MessageJson
    notes: Note
    charged: list[ChargedJson]
