"""Words on counting that stood in the statements of notes of versions before, made again as they were."""

from __future__ import annotations

from html import escape

from workbench.anonymise.note_versions import CHOICES_APART
from workbench.report.counting_words import mixed_columns, small_groups
from workbench.report.stated_facts import Facts

OF_FEW_ROWS_ONCE = " Of a label in too few rows to be counted, which is named at first, it says next to nothing."
"""Of a number by a label that was said to be in too few rows, in notes of version 27."""


LARGER_ONCE = " Always to take the larger of this and of the rows in the file can come out too high on average."
TOO_LOW_ONCE = " (surely too low: the rows in the file are nearer)"
"""Of a sum and the rows of a label, in notes before version 34: beside “take the last number” it was not said which."""


def small_groups_once(release: Facts, version: int) -> str:
    """That small groups are not in the file, and how small they are, as HTML: it follows from ε and δ alone."""
    return f"<p>{escape(small_groups(release['steps']))}</p>" if version == CHOICES_APART else ""


def mixed_once(release: Facts, version: int) -> str:
    """Which columns hold labels of several levels, as HTML."""
    names = mixed_columns(release)
    if version != CHOICES_APART or not names:
        return ""
    which = f"These columns hold finer and coarser labels side by side: {', '.join(names)}."
    told = f" “{release['step_column']}” says of each row which." if release["step_column"] else ""
    words = (
        f"{which}{told} Do not count one of their labels before all labels are brought to the level of the last step."
    )
    return f"<p>{escape(words)}</p>"
