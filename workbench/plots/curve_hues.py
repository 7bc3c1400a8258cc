"""Colours of the curves of published figures: a protocol has the same one in every figure and on both sides."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.evaluate.method import Approach
from workbench.plots.style import ChartStyle, blended

_FEW = 3
"""So many curves of one approach are shades of its colour; of more, each has a colour of its own."""
_APART = ("#D55E00", "#0072B2", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#7B4B94", "#7F7F00")
"""Colours that the colour-blind tell apart (Okabe and Ito 2008, with two darker ones for its yellow and black)."""
_PROTOCOLS = {
    "Direct": "#D55E00",
    "Histogram encoding": "#009E73",
    "Unary (symmetric)": "#7F7F00",
    "Unary": "#CC79A7",
    "Random matrix": "#7F7F00",
    "Distance-sensitive, corrected": "#7B4B94",
    "Distance-sensitive": "#0072B2",
    "Square Wave": "#56B4E9",
    "Basic RAPPOR": "#E69F00",
}
"""By how the names of their curves begin; the two that share a colour are in no figure together."""


def _protocol(name: str) -> str:
    return next((one for one in _PROTOCOLS if name.startswith(one)), "")


def place_of(name: str, otherwise: int) -> int:
    """Which marker and dash the curve of a protocol has; that of another curve is given."""
    protocol = _protocol(name)
    return list(_PROTOCOLS).index(protocol) if protocol else otherwise


def curve_colours(curves: Sequence[tuple[str, Approach]], style: ChartStyle) -> list[str]:
    """The colour of each curve, from its name and approach.

    A protocol has its own, darker from curve to curve; others have one hue per approach, of many shades colours apart.
    """
    protocols = [_protocol(name) if approach is Approach.LOCAL else "" for name, approach in curves]
    approaches = [approach for _, approach in curves]
    several = {one: approaches.count(one) for one in approaches}
    lighter = 0.25 if _dark(style.ground) else 0.0
    own = {Approach.BASELINE: style.muted, Approach.GLOBAL: style.text}
    if any(protocols):
        taken = {_PROTOCOLS[one] for one in protocols if one}
        free = iter([one for one in _APART if one not in taken] * len(curves))
        return [
            blended(blended(_PROTOCOLS[protocol], "#FFFFFF", lighter), style.text, 0.45 * min(before, 1))
            if protocol
            else own.get(approach) or next(free)
            for place, (protocol, approach) in enumerate(zip(protocols, approaches, strict=True))
            for before in (protocols[:place].count(protocol),)
        ]
    if max(several.values(), default=0) > _FEW:
        apart = iter(_APART * len(approaches))
        # One curve of another approach stands out; where there are many of that, it has no colour of its own.
        return [
            own[one] if one in own and several[one] == 1 else blended(next(apart), "#FFFFFF", lighter)
            for one in approaches
        ]
    usual = {
        Approach.GLOBAL: style.global_dp,
        Approach.ANONYMISED: style.anonymised,
        Approach.LOCAL: style.local_dp,
        Approach.BASELINE: style.muted,
    }
    return [
        blended(usual[one], style.text, 0.62 * approaches[:place].count(one) / max(several[one] - 1, 1))
        for place, one in enumerate(approaches)
    ]


def _dark(colour: str) -> bool:
    return sum(int(colour[place : place + 2], 16) for place in (1, 3, 5)) < 3 * 128
