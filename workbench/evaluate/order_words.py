"""The places along the axis at which another way errs less than the one to take."""

from __future__ import annotations

from workbench.evaluate.enough_advice import enough_sooner
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import Approach
from workbench.evaluate.tile import Verdict
from workbench.evaluate.told_apart import TileStanding
from workbench.evaluate.verdict import place_words, verdict

_MOST = 2
"""So many places are named; of more, the first and the last, if they are neighbours."""


def order_words(said: Verdict, findings: Findings, most: float | None = None) -> str:
    """At which places that were run tries show that another way errs less than the one to take here; "" for none.

    Nothing is said of a way that is said to be enough at a smaller ε, nor while points are missing.

    Parameters
    ----------
    most
        The error that is good enough, where somebody typed one.
    """
    if said.recommended is None or said.waits or not findings.complete:
        return ""
    places = findings.experiment.places
    named = {one.approach for one in enough_sooner(said, findings, most)}
    less: dict[Approach, list[int]] = {}
    for number, place in enumerate(places):
        there = verdict(findings, place)
        mine = next((one for one in there.tiles if one.approach is said.recommended), None)
        if there.recommended is None or mine is None or mine.standing is not TileStanding.WORSE:
            continue
        less.setdefault(there.recommended, []).append(number)
    told = []
    for way, at in less.items():
        if way in named or (len(at) > _MOST and at[-1] - at[0] != len(at) - 1):
            continue
        first, last = place_words(findings, places[at[0]]), place_words(findings, places[at[-1]])
        where = first if len(at) == 1 else f"{first} {'and' if len(at) <= _MOST else 'to'} {last.removeprefix('ε = ')}"
        told.append(f"at {where} {way.value.capitalize()} errs less")
    words = "; ".join(told)
    return f"{words[:1].upper()}{words[1:]}." if words else ""
