"""Values that are likely to be missing from a release, and those to come out, in sentences about its forecast."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from workbench.core.number_text import count
from workbench.session.release.column_details import DetailOutlook
from workbench.session.release.spread import listed_names

_NAMED = 3
"""Columns that are named at most where others need as many people."""


def vanishing(details: Sequence[DetailOutlook], widest: Sequence[str], rows: int | None, unit: str) -> str:
    """Which values are likely to be missing, and which to come out of which column; "" if nothing says anything.

    Parameters
    ----------
    widest
        The columns, those with most possible labels first. Each that says something is named, or is one of the others.
    rows
        How many are expected, if somebody said so.
    unit
        What a row stands for, such as “people”.
    """
    finest = _finest(details)
    if not finest:
        return ""
    among = f" of your {count(rows)}" if rows else ""
    lows = [low for low, _ in finest.values() if low is not None]
    if len(lows) < len(finest):
        return f"Values are likely to be missing however many{among} {unit} have them."
    tiers: dict[int, list[str]] = {}
    nowhere = []
    for name in widest:
        if name in finest:
            enough = finest[name][1]
            if enough is None:
                nowhere.append(name)
            else:
                tiers.setdefault(enough, []).append(name)
    start = f"Values of fewer than {count(min(lows))}{among} {unit} are likely to be missing"
    said = []
    some = sorted(tiers.items(), reverse=True)
    for place, (people, names) in enumerate(some):
        others = len(names) > _NAMED and (place == len(some) - 1)
        where = listed_names(names) if not others else "the others" if place or nowhere else "any column"
        said.append(
            f"{count(people)} in {where}" if place else f"those of {count(people)} or more to come out in {where}"
        )
    open_in = f"; in {listed_names(nowhere)} no number is enough in every table" if nowhere else ""
    return f"{', '.join([start, *said])}{open_in}."


def rare_values(details: Sequence[DetailOutlook], unit: str, ticked: Collection[str] = ()) -> str:
    """Which values are likely to be missing, in one plain sentence; "" if nothing says anything.

    Of the columns that are `ticked`, as the release is for them, with their names; of all where none of these says
    anything.
    """
    named, finest = _named_finest(details, ticked)
    if not finest:
        return ""
    where = _where(named) if named else ""
    lows = [one.needs[0] for one in finest if one.needs[0] is not None]
    if len(lows) < len(finest):
        return f"{where} values are likely to be missing." if named else "Values are likely to be missing."
    start = f"{where} a value" if named else "A value"
    start = f"{start} of fewer than {count(min(lows))} {unit} is likely to be missing"
    ends = [one.enough for one in finest if one.enough is not None]
    if not ends:
        return f"{start}; a larger one may be too."
    alike = not named or len(named) > _NAMED or len({*ends}) == 1
    enough = f"one of {count(max(ends))} or more" if alike else _each_enough(named)
    most = f"{start}, {enough} to come out"
    most = most if len(ends) == len(finest) or not alike else f"{most} in some columns"
    # Between both whole departments were lost, of which a reader of two numbers hears nothing.
    return f"{most}; in between it may be either." if max(ends) > min(lows) else f"{most}."


def _named_finest(
    details: Sequence[DetailOutlook], ticked: Collection[str]
) -> tuple[Sequence[DetailOutlook], Sequence[DetailOutlook]]:
    """The finest level of each column that is ticked and says something; and, where there are none, of all."""
    named = [one for one in _finest_lines(details) if one.column in ticked]
    return named, named or _finest_lines(details)


def _where(named: Sequence[DetailOutlook]) -> str:
    names = [one.column for one in named]
    return f"In {listed_names(names) if len(names) <= _NAMED else 'what is ticked'},"


def _each_enough(named: Sequence[DetailOutlook]) -> str:
    """From how many people on a value comes out of each column where that is known, the fewest first."""
    known = sorted((one.enough, one.column) for one in named if one.enough is not None)
    *others, last = [f"of {count(end)} or more in {name}" for end, name in known]
    return f"one {', '.join(others)} or {last}" if others else f"one {last}"


def _finest(details: Sequence[DetailOutlook]) -> dict[str, tuple[int | None, ...]]:
    """What values need of each column that says something, at its finest level."""
    return {one.column: one.needs for one in _finest_lines(details)}


def _finest_lines(details: Sequence[DetailOutlook]) -> tuple[DetailOutlook, ...]:
    """The finest level of each column that says something."""
    found: dict[str, DetailOutlook] = {}
    for one in details:
        if one.needs:
            found.setdefault(one.column, one)
    return tuple(found.values())
