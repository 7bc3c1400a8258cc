"""The look of charts in the theme in force."""

from __future__ import annotations

from workbench.gui import tokens
from workbench.gui.theme import current_theme
from workbench.plots.style import ChartStyle


def chart_style() -> ChartStyle:
    """The theme in force, as the charts know it."""
    theme = current_theme()
    return ChartStyle(
        ground=theme.surface,
        text=theme.text,
        muted=theme.muted,
        grid=theme.chart_grid,
        anonymised=theme.chart_anonymised,
        global_dp=theme.chart_global,
        local_dp=theme.chart_local,
        truth=theme.chart_truth,
        families=tokens.FONT_FAMILIES,
        base=tokens.FONT_BASE,
        small=tokens.FONT_SMALL,
    )
