"""The look of a comparison: its colours and letters in a file, and the colour and number of each curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workbench.evaluate.error_series import ErrorSeries
from workbench.evaluate.figure_settings import FigureSettings
from workbench.evaluate.method import Approach
from workbench.plots.comparison_caption import caption as caption
from workbench.plots.comparison_data import ComparisonData as ComparisonData
from workbench.plots.comparison_data import file_stem as file_stem
from workbench.plots.style import POINTS_PER_INCH, ChartStyle, blended

_DARKEST = 0.62
"""How far the last of several curves of one approach is mixed with the colour of text."""


_PRINTED = ChartStyle(global_dp="#003B6F", local_dp="#A34400", anonymised="#2A9D78")
"""The colours of the ways on paper: each twice as light as the one before, so that they differ in grey as well."""


_FAMILY = {Approach.GLOBAL: 0, Approach.ANONYMISED: 1, Approach.LOCAL: 2, Approach.BASELINE: 4}
"""Which marker and dash the best curve of a way has."""


def print_style(settings: FigureSettings) -> ChartStyle:
    """The look of a file: black on white, with the chosen size and font of text."""
    usual = _PRINTED if settings.caption else ChartStyle()
    base = settings.text * usual.dpi / POINTS_PER_INCH
    families = (settings.font, *usual.families) if settings.font else usual.families
    return replace(usual, families=families, base=round(base), small=max(round(base) - 1, 1))


def curve_looks(series: Sequence[ErrorSeries], style: ChartStyle) -> list[tuple[str, int]]:
    """Colour and number of each curve: one hue per approach, darker from curve to curve."""
    colours = {
        Approach.GLOBAL: style.global_dp,
        Approach.ANONYMISED: style.anonymised,
        Approach.LOCAL: style.local_dp,
        Approach.BASELINE: style.muted,
    }
    families = any(one.choice.method.candidates is not None for one in series)
    found = []
    for one in series:
        mine = [other for other in series if other.approach is one.approach]
        place = next(number for number, other in enumerate(mine) if other is one)
        share = _DARKEST * place / max(len(mine) - 1, 1)
        if families:
            place = _FAMILY[one.approach] if len(mine) == 1 else place
        found.append((blended(colours[one.approach], style.text, share), place))
    return found
