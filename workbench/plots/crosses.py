"""The crosses of published values: each with the colour of its curve inside, where there are several curves."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.evaluate.published.agreement import PublishedValue
from workbench.plots.reading import PART_OF
from workbench.plots.style import ChartStyle, readable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PUBLISHED, COMPUTED, DIFFERS = "Published value", "Computed value", "Published, differs"
"""Names of a cross, of one where nobody published any of them, and of a thick one."""
_RED = "#C62828"
_ALONE, _INKED, _THICK = 1.8, 3.0, 3.6
"""How wide the strokes of a cross are: of the only curve, with a colour inside, and where it differs."""
_INSIDE, _SIZE = 0.48, 6.5
"""How much of a cross has the colour of its curve, and how large it is."""


class Crosses(NamedTuple):
    """Crosses of one look: what they are called, which values they are, how wide their strokes, and their colour."""

    name: str
    values: list[PublishedValue]
    wide: float
    ink: str


def crosses_of(
    values: Sequence[PublishedValue], differing: Collection[str], style: ChartStyle, *, apart: bool = False
) -> tuple[Crosses, ...]:
    """Those that agree, in the colour of words, which no curve has, and those that differ, thick and red.

    Parameters
    ----------
    apart
        Whether each curve has a chart of its own.
    """
    name = COMPUTED if values and all(one.follows for one in values) else PUBLISHED
    wide = _INKED if _several(values) and not apart else _ALONE
    found = (
        Crosses(name, [one for one in values if one.name not in differing], wide, style.text),
        Crosses(DIFFERS, [one for one in values if one.name in differing], _THICK, readable(_RED, style)),
    )
    return tuple(one for one in found if one.values)


def draw_crosses(axes: Axes, style: ChartStyle, crosses: Sequence[Crosses], inks: Mapping[str, str]) -> None:
    """Draw them, with a rim of the ground to be seen on their curves, and whole at the ends of the axes.

    Parameters
    ----------
    inks
        The colours of curves, by their names.
    """
    several = _several([value for one in crosses for value in one.values])
    for name, values, wide, ink in crosses:
        look: dict[str, Any] = {"linestyle": "none", "marker": "x", "clip_on": False, "in_layout": False}
        outer = look | {"markersize": _SIZE, "markeredgewidth": wide, "color": ink}
        rim = look | {"markersize": _SIZE + 1, "markeredgewidth": wide + 2, "color": style.ground}
        at, high = [one.place for one in values], [one.value for one in values]
        # What is drawn around and inside a cross goes with it, and is not read by itself.
        axes.plot(at, high, **rim, label="_", gid=f"{PART_OF}{name}", zorder=4)
        axes.plot(at, high, **outer, label=name, zorder=5)
        for curve in dict.fromkeys(one.curve for one in values) if several else ():
            own = [one for one in values if one.curve == curve]
            narrow = _INSIDE * wide
            inner = look | {"markersize": _SIZE - narrow / 2, "markeredgewidth": narrow, "color": inks.get(curve, ink)}
            axes.plot(
                [one.place for one in own],
                [one.value for one in own],
                **inner,
                label="_",
                gid=f"{PART_OF}{name}",
                zorder=6,
            )


def _several(values: Sequence[PublishedValue]) -> bool:
    return len({one.curve for one in values}) > 1
