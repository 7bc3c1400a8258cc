"""The JSON that commands print with `--json` of releases, statements and signatures."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from workbench.cli.answers.parts import (
    CountedJson,
    LeftJson,
    Levels,
    NearlySameJson,
    Note,
    OwnDrawJson,
    PlannedJson,
    ReleaseAnalystJson,
    SearchJson,
    TrimmedStepJson,
    TrimmingJson,
    UnreadJson,
    UsedPluginJson,
)


class GroupKeptJson(TypedDict):
    """The chance that a group of a size is released."""

    rows: int
    released: float


class GuaranteeJson(TrimmingJson):
    """ε, δ, β and k that go together, or the law of trimming."""

    epsilon: float
    delta: float
    smallest_class: float
    mechanism: NotRequired[str]
    beta: NotRequired[float]
    k: NotRequired[int]
    accounting: NotRequired[str]
    rows_per_person: NotRequired[int]
    release_epsilon: NotRequired[float]
    search_epsilon: NotRequired[float]
    delta_exact: NotRequired[float]
    groups: NotRequired[list[GroupKeptJson]]
    steps: NotRequired[list[TrimmedStepJson]]


class ReleasePlanJson(TrimmingJson):
    """The forecast of a trimmed release, from public facts alone."""

    mechanism: str
    epsilon: float
    delta: float
    rows_per_person: int
    expected_rows: int | None
    released_if_even: float | None
    left_out: list[str]
    steps: list[TrimmedStepJson]
    remaining: NotRequired[LeftJson | None]
    planned: NotRequired[PlannedJson]
    usual: NotRequired[list[str]]


class GivenJson(TypedDict):
    """The truth about the choices of a release as they are, where nothing is claimed for the file."""

    epsilon: float
    delta: float
    neighbours: str


class ReleaseJson(TrimmingJson, NearlySameJson, UnreadJson):
    """An (ε, δ) release that was written."""

    rows_out: int
    groups_out: int
    labels_out: Levels
    epsilon: float
    delta: float
    counted: int
    neighbours: str | None
    claim: bool
    reasons: Note
    cautions: Note
    asserted: Note
    levels: Levels
    rows_per_person: int
    mechanism: str
    out: str
    statement: str | None
    metadata: str | None
    sha256: str
    read_back: CountedJson
    analyst: NotRequired[ReleaseAnalystJson]
    analyst_cautions: NotRequired[Note]
    beta: NotRequired[float]
    k: NotRequired[int]
    accounting: NotRequired[str]
    own_draw: NotRequired[OwnDrawJson]
    given: NotRequired[GivenJson]
    degree: NotRequired[str]
    release_epsilon: NotRequired[float]
    search: NotRequired[SearchJson]
    sampled_because_of: NotRequired[list[str]]
    steps: NotRequired[list[TrimmedStepJson]]
    step_column: NotRequired[str | None]
    count_column: NotRequired[str | None]
    left_out_after: NotRequired[list[str]]
    one_level: NotRequired[int]
    planned: NotRequired[PlannedJson]
    recorded: NotRequired[bool]
    usual: NotRequired[list[str]]


class ModelReleaseJson(NearlySameJson, UnreadJson):
    """A table that privacy models hold in, for which no (ε, δ) is claimed."""

    levels: Levels
    score: float | None
    models: list[str]
    metric: str
    plugins: list[UsedPluginJson]
    rows_out: int
    claim: bool
    reasons: Note
    out: str | None
    analyst: ReleaseAnalystJson
    statement: NotRequired[str | None]
    nodes: NotRequired[int]
    nodes_checked: NotRequired[int]
    optimal: NotRequired[bool]
    gap: NotRequired[float]
    seconds: NotRequired[float]
    levels_per_pass: NotRequired[list[Levels]]
    recorded: NotRequired[bool]


class PromisedJson(TypedDict):
    """The promise of a statement, as it was computed again."""

    epsilon: float
    delta: float
    neighbours: str
    counted: int
    asserted: Note


class StatedJson(TypedDict):
    """A statement that was compared with the file."""

    holds: bool
    epsilon: float | None
    delta: float | None
    compared: list[str]
    signed: bool
    faults: Note
    unchecked: Note


class CheckedSignatureJson(TypedDict):
    """A signature that was checked."""

    holds: bool
    checked: bool
    file: str | None
    public_key: str | None
    fingerprint: str | None
    named: str | None
    faults: Note
    unchecked: Note


class VerifiedJson(CountedJson):
    """A released file that was counted again."""

    sha256: str
    files: int
    original: bool
    statement: NotRequired[StatedJson | None]
    promised: NotRequired[PromisedJson | None]
    signature: NotRequired[CheckedSignatureJson | None]


class CheckedPageJson(TypedDict):
    """A page that is about no release, or one that was altered: whether its words follow from the facts in it."""

    holds: bool
    page: str
    title: str
    promises: bool
    faults: Note


class SignedContentJson(TypedDict):
    """The content that a signature is of."""

    note_sha256: str
    page_sha256: str
    file_sha256: str


class SignJson(TypedDict):
    """A signature, or a new key to sign with."""

    algorithm: str
    public_key: str
    fingerprint: str
    key: NotRequired[str]
    signature: NotRequired[str]
    signed: NotRequired[SignedContentJson]


class PseudonymisedJson(NearlySameJson, UnreadJson):
    """A file with pseudonyms, of which nothing is claimed."""

    out: str
    statement: str
    columns: list[str]
    left_out: list[str]
    rows_out: int
    sha256: str
    claim: bool
    reasons: Note


class PseudonymKeyJson(TypedDict):
    """The file of a new key, and nothing of the key."""

    key: str
