"""All published figures and tables that can be made again, in the order of their documents."""

from __future__ import annotations

from workbench.core.errors import WorkbenchError
from workbench.evaluate.published import (
    beyond,
    beyond_data,
    chapter3,
    chapter3_histograms,
    chapter3_release,
    chapter3_tables,
    chapter4,
    examples,
    shapes,
)
from workbench.evaluate.published.entry import PublishedFigure

LEFT_OUT = (
    ("Figure 3.7", "a picture of another program's window"),
    ("Figure 3.8", "a picture of another program's dialog; the hierarchy that it makes is table 3.5"),
)
"""What is not made again, and why."""

FIGURES: tuple[PublishedFigure, ...] = (
    chapter3.FIGURE_2_1,
    shapes.FIGURE_2_2,
    chapter3_tables.TABLE_3_1,
    chapter3_tables.TABLE_3_2,
    chapter3.FIGURE_3_1,
    chapter3.FIGURE_3_2,
    chapter3.FIGURE_3_3,
    chapter3_tables.TABLE_3_3,
    chapter3_histograms.FIGURE_3_4,
    chapter3_histograms.FIGURE_3_5,
    chapter3_histograms.FIGURE_3_6,
    chapter3_tables.TABLE_3_4,
    chapter3_tables.TABLE_3_5,
    chapter3_release.TABLE_3_6,
    chapter3_release.FIGURE_3_9,
    shapes.FIGURE_4_1,
    chapter4.FIGURE_4_2,
    chapter4.FIGURE_4_3,
    chapter4.FIGURE_4_4,
    chapter4.FIGURE_4_5,
    chapter4.FIGURE_4_6,
    shapes.FIGURE_4_7,
    shapes.FIGURE_4_8,
    chapter4.FIGURE_4_9,
    chapter4.FIGURE_4_10,
    chapter4.FIGURE_4_11,
    examples.CHAPTER_COINS,
    examples.CHAPTER_UNARY,
    examples.PAPER_SURVEY,
    examples.PAPER_HALF,
    examples.PAPER_QUARTER,
    examples.PAPER_ABOVE,
    beyond.BEYOND_ESTIMATOR,
    beyond.BEYOND_UNARY,
    beyond_data.BEYOND_SHAPE,
    beyond.BEYOND_PEOPLE,
    beyond.BEYOND_VALUES,
    beyond.BEYOND_THETA,
    beyond.BEYOND_REACH,
    beyond_data.BEYOND_LIBRARIES,
)


def figure_named(name: str) -> PublishedFigure:
    """A figure by its name in commands, “figure-3.1”, or by its number, “3.1” or “table 3.1”.

    Raises
    ------
    WorkbenchError
        If there is none, or it is one that is left out.
    """
    wanted = name.strip().lower().replace(" ", "-")
    for figure in FIGURES:
        if wanted in (figure.identifier, figure.identifier.removeprefix("figure-")):
            return figure
    for number, why in LEFT_OUT:
        if wanted in (number.lower().replace(" ", "-"), number.removeprefix("Figure ")):
            raise WorkbenchError(f"{number} is not made again: it is {why}.", field="name")
    raise WorkbenchError(
        f"There is no published figure “{name}”.", hint="`workbench preset --list` names all of them.", field="name"
    )


def covered(number: str) -> PublishedFigure:
    """A figure by its number in its document, such as “Figure 3.1”."""
    return next(figure for figure in FIGURES if figure.number == number)


BY_PRESET = {
    "randomised-response": ("Figure 4.1",),
    "surgery-mean": ("Figure 3.1", "Figure 3.2", "Table 3.2"),
    "salary-histograms": ("Figure 3.4", "Figure 3.5", "Figure 3.6"),
    "nba-anonymised": ("Table 3.6", "Figure 3.9"),
    "ages": ("Figure 4.2", "Figure 4.3", "Figure 4.4", "Figure 4.5", "Figure 4.6", "Figure 4.10", "Figure 4.11"),
    "occupations": ("Randomised response", "Unary encoding"),
    "mechanism-tables": ("Survey mechanism", "Truncated ½-geometric table", "Truncated ¼-geometric table"),
}
"""Which figures a preset redoes with settings of its own."""
