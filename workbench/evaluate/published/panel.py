"""The drawing of a published figure or table, and the texts that are made again."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from workbench.evaluate.findings import Findings
from workbench.evaluate.method import Approach
from workbench.evaluate.method_histograms import MethodHistograms
from workbench.evaluate.published.agreement import OurValue
from workbench.evaluate.samples import TableRows

RUN_HERE, PRINTED, MENDED = "Published settings, run here", "As printed", "Mended"
"""Names of the sides of a figure: a picture is made again, a table is what is printed."""
SIDES_OF_OURS = ("Left", "Right")
"""Names of the sides where nobody published anything."""
NEARLY = "As published, with "
"""How the title of a side begins that is run with a setting of its own, which is named."""
SIDES = (RUN_HERE, PRINTED, NEARLY, MENDED)
"""How titles begin that say themselves which side they are."""


class PublishedText(StrEnum):
    """A text whose figures are made again: a thesis, a chapter and a paper; and what is not published elsewhere."""

    THESIS = "N. Galanis: Protection of Sensitive Data, BSc thesis, Athens 2021"
    CHAPTER = "J. P. Near, C. Abuah: Programming Differential Privacy, chapter on the local model"
    OURS = "Ours, on a question left open in N. Galanis: Protection of Sensitive Data, BSc thesis, Athens 2021"
    BESIDE = "Ours, on the answers of figure 4.2 in N. Galanis: Protection of Sensitive Data, BSc thesis, Athens 2021"
    AFTER = "Ours, following the entry “Estimator”"
    TOLD = "Ours; two hospitals as in N. Galanis: Protection of Sensitive Data, BSc thesis, Athens 2021"
    PAPER = "D. Liu, B.-Y. Wang, L. Zhang: Model Checking Differentially Private Properties, APLAS 2018"

    @property
    def ours(self) -> bool:
        """Whether it is published nowhere else, so that its two sides are left and right."""
        return self.value.startswith("Ours")


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
    runs
        Where not all means are of `repetitions`, how many each is made of; equally long as they are.
    """

    name: str
    approach: Approach
    places: tuple[float, ...]
    means: tuple[float, ...]
    deviations: tuple[float, ...] = ()
    repetitions: int = 1
    formula: bool = False
    runs: tuple[int, ...] = ()

    def at(self, place: float) -> OurValue | None:
        """The value at a place, if there is one."""
        for number, here in enumerate(self.places):
            if math.isclose(here, place, rel_tol=1e-9) and math.isfinite(self.means[number]):
                spread = self.deviations[number] if self.deviations else 0.0
                return OurValue(self.means[number], spread, self.runs_of(number))
        return None

    def runs_of(self, number: int) -> int:
        """Of how many repetitions the mean at a position is."""
        return self.runs[number] if self.runs else self.repetitions


@dataclass(frozen=True)
class SchemeBox:
    """A box of a drawn scheme: its words, its middle between 0 and 1 in both directions, and whose colour it has.

    One that is a heading has no frame: it stands above what it names.
    """

    words: str
    across: float
    up: float
    approach: Approach = Approach.BASELINE
    heading: bool = False


@dataclass(frozen=True)
class SchemeArrow:
    """An arrow of a scheme from one box to another, by their places in its list, and what goes along it.

    Parameters
    ----------
    ends
        How far across it begins and ends, where that is not in the middle of its boxes.
    beside
        How far across its words stand, where that is not on it.
    """

    start: int
    stop: int
    words: str = ""
    ends: tuple[float, float] | None = None
    beside: float | None = None


DATA = "Data"
"""Label that is left out of the words below a panel that is made of no data, though its figure is."""


@dataclass(frozen=True)
class PanelWords:
    """The words below one panel, where they are not those of its whole figure.

    Parameters
    ----------
    caption
        What to see in it; None: what is said of the figure.
    without
        The settings that are not its own, and `DATA` if no data are.
    drawn
        How curves that are no runs were made, where that is not by formula; "" if its settings say so.
    means
        What a point is that stands for so many repetitions, `{}`, where it is not their mean.
    notes
        What must be known of a curve, by its name, where that is otherwise than in other figures.
    """

    caption: str | None = None
    without: frozenset[str] = frozenset()
    drawn: str = "Drawn by formula."
    means: str = ""
    notes: tuple[tuple[str, str], ...] = ()


NAMED = 20
"""So many names of bars can be read."""


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
    boxes, arrows
        A drawn scheme instead.
    logarithmic
        Whether the error is drawn so; None: where values spread far.
    apart
        Each curve or group of bars has a chart of its own, so many beside each other, all with the same axes; 0: all
        in one.
    top
        Where the printed axis of the error ends; curves may go on beyond it. 0: as far as the values go.
    flat
        Whether nearly all of it lies near 0 on the printed axes, so that it is seen on logarithmic ones as well.
    edges
        Of bars between numbers, one more than there are bars: round numbers are written below them, not their names.
    """

    title: str
    across: str = ""
    up: str = ""
    curves: tuple[PanelCurve, ...] = ()
    labels: tuple[str, ...] = ()
    rows: TableRows = ()
    boxes: tuple[SchemeBox, ...] = ()
    arrows: tuple[SchemeArrow, ...] = ()
    logarithmic: bool | None = None
    apart: int = 0
    top: float = 0.0
    edges: tuple[float, ...] = ()
    flat: bool = False
    made: Findings | MethodHistograms | None = field(default=None, compare=False, repr=False)
    """Findings or histograms that it is drawn from, where that is an experiment."""

    @property
    def named(self) -> bool:
        """Whether its bars have names that are words, each of which is wanted, and not numbers along an axis."""
        return 1 < len(self.labels) <= NAMED and not any(one[:1].isdigit() for one in self.labels)

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        if self.rows:
            return {"title": self.title, "rows": [list(row) for row in self.rows]}
        if self.boxes:
            arrows = [
                {"from": self.boxes[one.start].words, "to": self.boxes[one.stop].words, "words": one.words}
                for one in self.arrows
            ]
            return {"title": self.title, "arrows": arrows}
        return {
            "title": self.title,
            "across": self.across,
            "up": self.up,
            "labels": list(self.labels),
            "curves": [
                {"name": one.name, "places": list(one.places), "means": [_number(mean) for mean in one.means]}
                for one in self.curves
            ],
        }


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None
