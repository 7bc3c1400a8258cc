"""One published figure or table: where it is published, what was set, what came out, and how to make it again."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from workbench.core.number_text import estimate
from workbench.core.progress import SILENT, Progress
from workbench.evaluate.method import Approach
from workbench.evaluate.preset import Needs, SampleColumn, TableRows
from workbench.evaluate.subject import ExperimentData

WIDE = 0.25
"""Where chance alone allows a larger part of a published value than this, that ours lies within says little."""
STANDARD_ERRORS = 4.0
"""How many standard errors two means may differ before they disagree: 1 in 16,000 by chance where they are normal."""


class PublishedText(StrEnum):
    """What is made again: a thesis, a chapter and a paper."""

    THESIS = "N. Galanis: Protection of Sensitive Data, BSc thesis, Athens 2021"
    CHAPTER = "J. P. Near, C. Abuah: Programming Differential Privacy, chapter on the local model"
    PAPER = "D. Liu, B.-Y. Wang, L. Zhang: Model Checking Differentially Private Properties, APLAS 2018"


@dataclass(frozen=True)
class PanelCurve:
    """One curve of a panel, or one group of bars.

    Parameters
    ----------
    name, approach
        What it is called, and which colour it has.
    places, means
        Where it is, and the mean there; equally long.
    deviations
        The standard deviation of one repetition at each place; 0 where nothing is random.
    repetitions
        How many a mean is made of.
    formula
        Whether it is a formula rather than a run.
    """

    name: str
    approach: Approach
    places: tuple[float, ...]
    means: tuple[float, ...]
    deviations: tuple[float, ...] = ()
    repetitions: int = 1
    formula: bool = False

    def at(self, place: float) -> OurValue | None:
        """The value at a place, if there is one."""
        for number, here in enumerate(self.places):
            if math.isclose(here, place, rel_tol=1e-9) and math.isfinite(self.means[number]):
                spread = self.deviations[number] if self.deviations else 0.0
                return OurValue(self.means[number], spread, self.repetitions)
        return None


@dataclass(frozen=True)
class OurValue:
    """What came out here: a mean, the deviation of one repetition, and how many there were."""

    mean: float
    deviation: float = 0.0
    repetitions: int = 1


@dataclass(frozen=True)
class PublishedPanel:
    """One chart or table of a side.

    Parameters
    ----------
    title
        What it shows.
    across, up
        Names of the axes.
    curves
        What is drawn; of bars each curve is one group.
    labels
        Names of the bars; without any there are curves.
    rows
        A table instead, the heading first.
    """

    title: str
    across: str = ""
    up: str = ""
    curves: tuple[PanelCurve, ...] = ()
    labels: tuple[str, ...] = ()
    rows: TableRows = ()


Panels = tuple[PublishedPanel, ...]
Tell = Callable[[Panels], None]


@dataclass(frozen=True)
class PublishedValue:
    """A number that is printed or can be read off the published picture.

    Parameters
    ----------
    what
        What it is.
    value, reading
        The number, and how far it may be misread; 0 if it is printed.
    repetitions
        How many runs it is the mean of; 0 if nothing about it is random.
    panel, curve, place
        Where the same number stands on the side made as published; the curve "" looks among its numbers.
    """

    what: str
    value: float
    reading: float = 0.0
    repetitions: int = 0
    panel: int = 0
    curve: str = ""
    place: float = 0.0


@dataclass(frozen=True)
class FigureSide:
    """A figure made in one way.

    Parameters
    ----------
    panels
        Charts and tables.
    numbers
        What came out that stands in no curve, by `PublishedValue.what`.
    """

    panels: Panels = ()
    numbers: Mapping[str, OurValue] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True)
class Agreement:
    """A published value beside ours.

    Parameters
    ----------
    value
        The published one.
    ours
        Ours, None while it is not there.
    allowed
        How far they may be apart: what can be misread, and four standard errors of both means.
    """

    value: PublishedValue
    ours: OurValue | None
    allowed: float

    @property
    def agrees(self) -> bool:
        return self.ours is not None and abs(self.ours.mean - self.value.value) <= self.allowed

    @property
    def loose(self) -> bool:
        """Whether it agrees, and so few runs were published that much else would agree too."""
        return self.agrees and self.allowed > WIDE * abs(self.value.value)

    @property
    def word(self) -> str:
        """Whether it agrees, in a word or two; "" while ours is not there."""
        if self.ours is None:
            return ""
        return "no" if not self.agrees else "within wide chance" if self.loose else "yes"

    @property
    def text(self) -> str:
        """Such as “22 published, 24.9 here”."""
        ours = "not there" if self.ours is None else estimate(self.ours.mean, 5)
        return f"{self.value.what}: published {estimate(self.value.value, 5)}, here {ours}"


@dataclass(frozen=True)
class FigureInput:
    """What a figure is made of.

    Parameters
    ----------
    material, column
        The data, and its column; no column where none is needed.
    own
        Whether it is the person's own column rather than the sample.
    repetitions, seed
        How often everything is tried, and what everything random follows from.
    progress
        Cancels the run.
    """

    material: ExperimentData
    column: str
    own: bool
    repetitions: int
    seed: int
    progress: Progress = SILENT


Make = Callable[[FigureInput, Tell], FigureSide]


@dataclass(frozen=True)
class FigureOutcome:
    """What a figure came to. Analyst only, where it is made of one's own column.

    Parameters
    ----------
    published, mended
        The two sides; empty while they are not made.
    data
        What it is made of, in words.
    complete
        Whether both sides are finished.
    """

    figure: PublishedFigure
    published: FigureSide = field(default_factory=FigureSide)
    mended: FigureSide = field(default_factory=FigureSide)
    data: str = ""
    own: bool = False
    complete: bool = False

    @property
    def agreements(self) -> tuple[Agreement, ...]:
        """Every published value beside ours; none of one's own column, which was not published."""
        return () if self.own else tuple(agreement(one, our_value(one, self.published)) for one in self.figure.values)

    @property
    def verdict(self) -> str:
        """How many of the published values agree."""
        return verdict_on(self.agreements)

    @property
    def differs(self) -> tuple[str, ...]:
        """Where it differs and why, at most five lines; those that are computed only when they are known."""
        return self.figure.differs(self)[:MOST_LINES] if self.complete else ()

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "figure": self.figure.identifier,
            "number": self.figure.number,
            "source": self.figure.source,
            "title": self.figure.title,
            "data": self.data,
            "settings": [list(row) for row in self.figure.settings],
            "values": [
                {
                    "what": one.value.what,
                    "published": one.value.value,
                    "ours": None if one.ours is None else one.ours.mean,
                    "allowed": one.allowed,
                    "agrees": one.agrees,
                    "loose": one.loose,
                }
                for one in self.agreements
            ],
            "differs": list(self.differs),
            "published": [_plain(one) for one in self.published.panels],
            "mended": [_plain(one) for one in self.mended.panels],
        }


MOST_LINES = 5


@dataclass(frozen=True)
class PublishedFigure:
    """One figure or table of a document.

    Parameters
    ----------
    identifier, number
        Its name in commands, and the number it has in its document, such as “Figure 3.1”.
    document, page, chapter
        Where it is published; page 0 where there are none.
    title, caption
        What it shows, and what to see in it: what the program does better, and why.
    settings
        Name, as published and mended, row by row.
    values
        What is printed, or can be read off the picture.
    published, mended
        Make one side.
    differs
        Where ours differs and why, from what came out.
    needs, sample
        What kind of column it is about, and which one it takes by default; no sample where it needs none.
    repetitions
        How often everything was tried.
    seconds
        About how long it takes on two cores.
    """

    identifier: str
    number: str
    document: PublishedText
    page: int
    chapter: str
    title: str
    caption: str
    settings: TableRows
    values: tuple[PublishedValue, ...]
    published: Make
    mended: Make
    differs: Callable[[FigureOutcome], tuple[str, ...]]
    needs: Needs = Needs.NOTHING
    sample: SampleColumn | None = None
    repetitions: int = 1
    seconds: float = 1.0

    @property
    def source(self) -> str:
        """Such as “N. Galanis: …, p. 24”."""
        return f"{self.document.value}{f', p. {self.page}' if self.page else ''}"


def verdict_on(found: Sequence[Agreement]) -> str:
    """How many published values agree, and how many of these hardly could have failed to."""
    if not found:
        return "Nothing published to compare with"
    agree, loose = sum(one.agrees for one in found), sum(one.loose for one in found)
    told = f"{agree} of {len(found)} published values agree"
    return f"{told}, {loose} of them within the wide chance of few runs" if loose else told


def our_value(value: PublishedValue, side: FigureSide) -> OurValue | None:
    """What the side made as published came to, where a value is published; None while it is not there."""
    if not value.curve:
        return side.numbers.get(value.what)
    curves = side.panels[value.panel].curves if value.panel < len(side.panels) else ()
    return next((one.at(value.place) for one in curves if one.name == value.curve), None)


def agreement(value: PublishedValue, ours: OurValue | None) -> Agreement:
    """A published value beside ours."""
    allowed = value.reading + 1e-9 * abs(value.value)
    if ours is not None and value.repetitions:
        allowed += STANDARD_ERRORS * ours.deviation * math.sqrt(1 / value.repetitions + 1 / ours.repetitions)
    return Agreement(value, ours, allowed)


def run_figure(
    figure: PublishedFigure,
    given: FigureInput,
    *,
    data: str = "",
    partial: Callable[[FigureOutcome], None] | None = None,
) -> FigureOutcome:
    """Make both sides, one after the other.

    Raises
    ------
    WorkbenchError
        If the column does not suit it.
    Cancelled
        If the progress was cancelled.
    """

    def tell(outcome: FigureOutcome) -> None:
        if partial is not None:
            partial(outcome)

    def part(start: float, stop: float) -> FigureInput:
        progress = given.progress.part(start, stop)
        return FigureInput(given.material, given.column, given.own, given.repetitions, given.seed, progress)

    empty = FigureSide()
    published = figure.published(
        part(0.0, 0.5), lambda panels: tell(FigureOutcome(figure, FigureSide(panels), empty, data, given.own))
    )
    tell(FigureOutcome(figure, published, empty, data, given.own))
    mended = figure.mended(
        part(0.5, 1.0), lambda panels: tell(FigureOutcome(figure, published, FigureSide(panels), data, given.own))
    )
    given.progress(1.0)
    return FigureOutcome(figure, published, mended, data, given.own, complete=True)


def _plain(panel: PublishedPanel) -> dict[str, Any]:
    if panel.rows:
        return {"title": panel.title, "rows": [list(row) for row in panel.rows]}
    return {
        "title": panel.title,
        "across": panel.across,
        "up": panel.up,
        "labels": list(panel.labels),
        "curves": [
            {"name": one.name, "places": list(one.places), "means": [_number(mean) for mean in one.means]}
            for one in panel.curves
        ],
    }


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None
