"""How the values of a column become the bars of a histogram."""

from __future__ import annotations

from workbench.core.errors import WorkbenchError
from workbench.core.schema import ColumnSpec
from workbench.evaluate.question import Figure, Question
from workbench.gui.workspaces.collect.wording import ways
from workbench.ldp.encoding import How, chosen_how


def ways_to_bars(figure: Figure, spec: ColumnSpec) -> list[How]:
    """What can be chosen for a column, the usual one first."""
    return [how for how in ways(spec) if how is not How.QUESTION] if figure is Figure.HISTOGRAM else [How.BINS]


def bars_of(question: Question, spec: ColumnSpec | None) -> How:
    """What is chosen, or what comes nearest to it where it does not go with the column."""
    if spec is None:
        return How.CATEGORIES
    try:
        return chosen_how(question.asked, spec)
    except WorkbenchError:
        return question.encoding.how or How.CATEGORIES
