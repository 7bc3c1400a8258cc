"""What several answers of commands have inside, as it is printed with `--json`; see `cli.answers`.

A key that is not always there is `NotRequired`. What is open by design, such as the parameters of a question, is a
plain dictionary, whose keys are names of the data or of parameters.
"""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

Named = dict[str, Any]
"""Keys are names of columns, values or parameters, and no part of the format."""
Levels = dict[str, int]
Note = list[str]


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
    """What is left of a budget."""

    neighbours: str


class SpentJson(AmountsJson):
    """What was spent on the data so far."""

    rows_per_person: int
    neighbours: str
    bounded: bool
    unclaimed: int
    rows_public: int
    number_known: bool
    open_participation: int
    plans: int


class AccountJson(TypedDict):
    """What every command says that knows the ledger of its data."""

    spent: SpentJson
    remaining: LeftJson | None


class NearlySameJson(TypedDict):
    """Whether something was released of data that is nearly the same, and what was said of it."""

    nearly_same: NotRequired[str | None]


class UnreadJson(TypedDict):
    """Lines of the file that were not read."""

    skipped: NotRequired[int]
    skipped_lines: NotRequired[list[str]]


class PluginJson(TypedDict):
    """Where a plug-in comes from."""

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
    parameters: Named
    holds: bool
    value: float | None
    analyst_only: bool
    in_the_file: bool
    note: str


class CountedJson(TypedDict):
    """What was counted in a released file."""

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
    """What groups give up, and how large they must be."""

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
    """What a release promises by itself, where others are counted with it."""

    epsilon: float
    delta: float


class LocalRecodingJson(TypedDict):
    """What local recoding did."""

    rows_per_pass: list[int]
    rescued: int
    loss_before: float
    loss_after: float
    complete: bool


class ReleaseAnalystJson(TypedDict):
    """True numbers of a release, for the analyst alone."""

    rows_in: int
    sampled: NotRequired[int]
    suppressed: NotRequired[int]
    uncovered: NotRequired[Named]
    preparation: NotRequired[Named]
    local_recoding: NotRequired[LocalRecodingJson]


class PointJson(TypedDict):
    """One place of a curve of errors."""

    method: str
    axis_value: float
    mean: float | None
    low: float | None
    high: float | None
    error_of_mean: float | None
    repetitions: int
    unanswered: int
    theory: float | None
    epsilon: float | None
    problem: str
    shape: NotRequired[str]
    setting: NotRequired[str]
    choice: NotRequired[Named]
    axis: NotRequired[str]


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
    """What was paid for although a command did not end well."""

    what: str
    epsilon: str
    delta: str
    answer_kept: bool


class MessageJson(TypedDict):
    """What was wrong, what to do, and which option it is about."""

    message: str
    hint: str
    field: str


class ErrorJson(TypedDict):
    """One object on standard error in place of an answer."""

    error: MessageJson
    notes: Note
    charged: list[ChargedJson]
