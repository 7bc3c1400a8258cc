"""The data of a comparison's chart, and the name proposed for its files."""

from __future__ import annotations

from dataclasses import dataclass, field

from workbench.core.number_text import file_text
from workbench.evaluate.experiment import Axis
from workbench.evaluate.figure_settings import FigureSettings
from workbench.evaluate.findings import Findings
from workbench.evaluate.question import Statistic
from workbench.plots import file_stem as stems


@dataclass(frozen=True)
class ComparisonData:
    """The findings, how they are drawn, and at which place of the axis the caption compares the ways.

    What error is good `enough` may have been typed; else it is what sampling adds. A figure that `leaves` has a line
    there: in the window it is painted over the picture, which is not drawn again when it moves.

    Parameters
    ----------
    source
        What is asked, such as the name of a file, which the caption names; "" for nothing that has a name.
    """

    findings: Findings
    settings: FigureSettings = field(default_factory=FigureSettings)
    place: float | None = None
    enough: float | None = None
    source: str = ""
    leaves: bool = False

    @property
    def shown(self) -> Findings:
        """Findings, with errors as they are read."""
        return self.findings.shown


def file_stem(data: ComparisonData) -> str:
    """A name for its files, without an ending, that says what was asked, and of which file."""
    question = data.findings.experiment.question
    shares = question.statistic is Statistic.HISTOGRAM
    # As it is called where it is asked for.
    asked = f"shares of {question.column}" if shares else data.findings.experiment.asked
    return stems.file_stem(asked, data.source, "comparison")


def picture_stem(data: ComparisonData) -> str:
    """The same for a picture, which compares the ways at one ε: that says which."""
    along = data.findings.experiment.axis is Axis.EPSILON
    at = "" if data.place is None or not along else f"-at-epsilon-{file_text(data.place, 3)}"
    return f"{file_stem(data)}{at}"
