"""The data of a comparison's chart, and the name proposed for its files."""

from __future__ import annotations

from dataclasses import dataclass, field

from workbench.evaluate.figure_settings import FigureSettings
from workbench.evaluate.findings import Findings
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
    return stems.file_stem(data.findings.experiment.asked, data.source, "comparison")
