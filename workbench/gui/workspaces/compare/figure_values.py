"""The table of the published values of a figure beside ours."""

from __future__ import annotations

from workbench.core.number_text import NONE
from workbench.evaluate.published.agreement import Agreement, Said, ValueStanding
from workbench.evaluate.published.entry import FigureOutcome
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.compare.side_view import unbroken
from workbench.gui.workspaces.compare.verdict_marks import tone_of
from workbench.session.published_figures import MARKS

_HEADING = ("value", "published", "here", "verdict", "may differ by", "source; allows for")
_BARS = {ord("|"): "\N{DIVIDES}", ord("\N{WORD JOINER}"): None}
RATIO = "ratio"
"""The heading of how many times the published value ours is, a column that is there where chance moves values."""

_FIRST = (Said.DIFFERS, Said.AGREES, Said.WITHIN, Said.UNCHECKED)
_RANK = {str(said): rank for rank, said in enumerate(_FIRST)}
"""The place of values by what is said of them; all others come after these."""

ValuesTable = tuple[tuple[str, ...], list[tuple[str, ...]], int, list[str]]
"""Heading and rows, which column has the verdicts, and their colours."""


def values_table(outcome: FigureOutcome) -> ValuesTable:
    """A row for each value: as few are in sight, first what differs, then what agrees; all together stay last."""

    # While values come, no row moves but one that differs.
    known = _RANK if all(outcome.said) else {str(Said.DIFFERS): 0}

    def place(row: tuple[str, tuple[Agreement, str]]) -> int:
        said, (one, _) = row
        return len(_FIRST) + 1 if one.value not in outcome.figure.values else known.get(said, len(_FIRST))

    found = sorted(zip(outcome.said, outcome.compared, strict=True), key=place)
    rows: list[tuple[str, ...]] = [
        (
            _cell(one.value.what),
            _cell(one.published_text),
            one.ours_text,
            one.ratio_text,
            f"{MARKS[Said(said)]} {said}" if said else "",
            _cell(one.allowed_text),
            _cell("; ".join(filter(None, (one.source, basis)))),
        )
        for said, (one, basis) in found
    ]
    heading: tuple[str, ...] = (*_HEADING[:3], RATIO, *_HEADING[3:])
    if not any(one.error and not one.value.judged for one in outcome.agreements):
        heading, rows = _HEADING, [(*row[:3], *row[4:]) for row in rows]
    if any(one.value.standing is ValueStanding.COMPUTED for one in outcome.agreements):
        heading = (heading[0], "published or computed", *heading[2:])
    if outcome.agreements and all(one.value.standing is ValueStanding.CODE for one in outcome.agreements):
        heading = (heading[0], "not printed", *heading[2:])
    return heading, rows, heading.index("verdict"), [tone_of(Said(said)) if said else "" for said, _ in found]


def _cell(words: str) -> str:
    """The same with no line break where numbers belong together.

    A table writes out what joins words, as it cannot be seen; so bars are signs after which no line breaks.
    """
    return unbroken(words).translate(_BARS)


def settings_table(outcome: FigureOutcome) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Heading and rows of the settings; of what nobody published, the thesis has a column only where it says one."""
    rows = outcome.settings
    if not outcome.figure.document.ours:
        return ("setting", "published", "mended"), rows
    if all(there == NONE for _, there, _ in rows):
        return ("setting", "here"), tuple((name, here) for name, _, here in rows)
    return ("setting", "in the thesis", "here"), rows


def tone_of_all(said: set[Said]) -> Status:
    """The colour of a figure: that of the worst that is said of its values, and grey where nothing proves anything."""
    if said & {Said.DIFFERS, Said.APART}:
        return Status.ERROR
    if said - {Said.COMPUTED, Said.TOGETHER} == {Said.AGREES}:
        return Status.SUCCESS
    return Status.NEUTRAL if said and said <= {Said.MADE, Said.UNCHECKED, Said.COMPUTED} else Status.INFO
