"""The JSON that commands print with `--json` of experiments and of published figures."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from workbench.cli.answers.parts import Note, UnreadJson
from workbench.evaluate.experiment import Experiment
from workbench.evaluate.method import MethodChoice


class PointJson(TypedDict):
    """One place of a curve of errors.

    Of a tuned way `mean` is what a formula says, where there is one; `tried` is there then, and is the mean of the
    tries, to which `low` and `high` belong. Everywhere else `mean` is the mean of the tries.
    """

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
    tried: NotRequired[float | None]
    shape: NotRequired[str]
    setting: NotRequired[str]
    choice: NotRequired[MethodChoice]


class FindingsJson(TypedDict):
    """The errors of methods, for the analyst where it was tried on the data."""

    title: str
    question: str
    axis: str
    metric: str
    metric_note: NotRequired[str]
    unit: str
    truth: str
    rows: int
    seed: int
    experiment: Experiment
    points: list[PointJson]
    crossings: list[str]
    notes: Note


class CurvesPartJson(FindingsJson):
    """A part of a preset that is an experiment."""

    kind: Literal["errors"]
    note: str


class BarJson(TypedDict):
    """The answers of one method for each bar, once and on average."""

    method: str
    problem: str
    once: list[float | None]
    mean: list[float | None]
    low: list[float | None]
    high: list[float | None]


class BarsPartJson(TypedDict):
    """A part of a preset that is a histogram by several methods."""

    kind: Literal["bars"]
    title: str
    note: str
    question: str
    epsilon: float
    users: int
    repetitions: int
    seed: int
    labels: list[str]
    truth: list[float]
    methods: list[BarJson]
    notes: Note


class TablePartJson(TypedDict):
    """A part of a preset that is a table, the heading first."""

    kind: Literal["table"]
    title: str
    note: str
    rows: list[list[str]]


class CurveJson(TypedDict):
    """One curve, or one group of bars."""

    name: str
    places: list[float]
    means: list[float | None]


ArrowJson = TypedDict("ArrowJson", {"from": str, "to": str, "words": str})
"""Between two boxes of a scheme; `from` is no name in Python."""


class PanelJson(TypedDict):
    """One chart, table or scheme of a figure."""

    title: str
    rows: NotRequired[list[list[str]]]
    arrows: NotRequired[list[ArrowJson]]
    across: NotRequired[str]
    up: NotRequired[str]
    labels: NotRequired[list[str]]
    curves: NotRequired[list[CurveJson]]


class PanelPartJson(PanelJson):
    """A part of a preset that is a panel of a published figure."""

    kind: Literal["curves"]
    note: str


class EmptyPartJson(TypedDict):
    """A part of a preset that came to nothing."""

    title: str
    note: str


class AgreementJson(TypedDict):
    """A published value beside that which was found here: by the name that is kept, and as people read it."""

    what: str
    published: float
    ours: float | None
    label: str
    published_text: str
    ours_text: str
    allowed: float
    agrees: bool
    loose: bool
    verdict: str
    basis: str
    source: str
    mark: str
    follows: str
    standing: str
    many: int


TalliedJson = TypedDict("TalliedJson", {"agree together": int, "differ together": int})
"""How many values agree, and how many differ, only together; the keys have a blank."""


class OutcomeJson(TalliedJson):
    """A published figure, as published and mended."""

    figure: str
    number: str
    source: str
    title: str
    data: str
    settings: list[list[str]]
    values: list[AgreementJson]
    together: AgreementJson | None
    pooled: list[str]
    counts: dict[str, int]
    differs: Note
    published: list[PanelJson]
    mended: list[PanelJson]


class PresetResultJson(TypedDict):
    """All parts of a preset, and the figures they belong to."""

    preset: str
    title: str
    data: str
    look: str
    differs: str
    parts: list[CurvesPartJson | BarsPartJson | TablePartJson | PanelPartJson | EmptyPartJson]
    figures: list[OutcomeJson]


class PresetJson(UnreadJson):
    """A figure that was made again by its preset."""

    analyst: PresetResultJson
    files: list[str]
    looked: bool


class FigureJson(UnreadJson):
    """One figure, as published and mended."""

    figure: OutcomeJson
    files: list[str]
    looked: bool


class TimedOutcomeJson(OutcomeJson):
    """A published figure, and how long it took."""

    seconds: float


class EveryFigureJson(TalliedJson):
    """All figures of the shipped samples."""

    figures: list[TimedOutcomeJson]
    seconds: float
    counts: dict[str, int]
    files: list[str]


class ListedJson(TalliedJson):
    """A preset or a figure there is, with its published values, those recorded here, and whether they agree."""

    name: str
    title: str
    summary: str
    needs: str
    sample: list[str] | None
    parameters: dict[str, str]
    repetitions: int
    number: str
    source: str
    published: dict[str, float]
    ours: dict[str, float | None]
    labels: dict[str, str]
    allowed: dict[str, float]
    verdicts: dict[str, str | None]
    counts: dict[str, int]
    follows: dict[str, str]
    agree: bool | None


class PresetsJson(TypedDict):
    """All presets and figures there are."""

    presets: list[ListedJson]
    figures: list[ListedJson]
