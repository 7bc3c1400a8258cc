"""Presets: groups of published figures that share their settings, made again."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import counted
from workbench.evaluate.figure_settings import FigureSettings
from workbench.evaluate.preset import PresetResult
from workbench.library.kept_here import KeptHere
from workbench.library.plainly import plainly
from workbench.plots import comparison, comparison_bars, published_panel
from workbench.plots.comparison import ComparisonData
from workbench.plots.comparison_look import print_style
from workbench.plots.published_panel import PanelData
from workbench.session.comparison_files import write_preset
from workbench.session.published_figures import preset_lines

if TYPE_CHECKING:
    import pandas as pd

    from workbench.plots.own_figure import ChartFigure


class RedonePreset(KeptHere):
    """Published figures that share their settings, made again by `published`. Of your own column the analyst's only.

    >>> made = wb.published("mechanism-tables")
    >>> len(made.parts) > 1, made.text.startswith(made.title)
    (True, True)
    >>> list(made.frame)
    ['part', 'method', 'at', 'error', 'low', 'high']
    """

    def __init__(self, found: PresetResult, own: bool) -> None:
        self._found, self._own = found, own

    @property
    def title(self) -> str:
        """The title of the preset."""
        return self._found.preset.title

    @property
    def parts(self) -> tuple[str, ...]:
        """The titles of its figures and tables."""
        return tuple(one.title for one in self._found.results)

    @property
    def text(self) -> str:
        """All of it in words: curves, tables, and where it differs and why."""
        return "\n".join(preset_lines(self._found))

    @property
    def frame(self) -> pd.DataFrame:
        """One row per part, method and place: the mean error, and between what 95 % of the repetitions lie."""
        import pandas as pd

        rows = [
            (number, one.name, point.axis_value, point.mean, point.low, point.high)
            for number, part in enumerate(self._found.results)
            for one in (() if part.findings is None else part.findings.series)
            for point in one.points
        ]
        return pd.DataFrame(rows, columns=["part", "method", "at", "error", "low", "high"])

    @plainly
    def figure(self, part: int = 0) -> ChartFigure:
        """One of its figures.

        >>> wb.published("nba-anonymised", repetitions=2).figure().caption != ""
        True

        Parameters
        ----------
        part
            Which one, from 0, in the order of `parts`.

        Returns
        -------
        matplotlib.figure.Figure
            A figure of its own, without any state of pyplot, with its caption below it.

        Raises
        ------
        Refused
            If there is no such part, or it is a table; `text` has those.
        """
        from workbench.plots.own_figure import figure_of

        results = self._found.results
        if not 0 <= part < len(results):
            raise WorkbenchError(f"There is no part {part}.", hint=f"There are {len(results)}, from 0.", field="part")
        wanted = results[part]
        whose = "For the analyst only, not to be published. " if self._own else ""
        if wanted.findings is not None:
            settings = FigureSettings(title=wanted.title)
            data = ComparisonData(wanted.findings, settings)
            size = settings.width, settings.height
            return figure_of(comparison, data, f"{whose}{comparison.caption(data).below}", size, print_style(settings))
        if wanted.bars is not None:
            return figure_of(comparison_bars, wanted.bars, f"{whose}{wanted.title}. {wanted.note}".strip())
        if wanted.part.panel is not None and wanted.table is None:
            words = f"{whose}{wanted.title}. {wanted.note}".strip()
            return figure_of(published_panel, PanelData(wanted.part.panel), words)
        raise WorkbenchError("This part is a table.", hint="Print its `text`.", field="part")

    @plainly
    def save(self, folder: str | Path) -> list[Path]:
        """Write pictures (PNG, SVG, PDF) and CSV of every part, and one JSON of all of it, into a folder.

        >>> "mechanism-tables.json" in [path.name for path in wb.published("mechanism-tables").save("figures")]
        True

        Raises
        ------
        Refused
            If a file cannot be written; then none is.
        """
        return write_preset(self._found, Path(folder))

    def __repr__(self) -> str:
        whose = " For the analyst only, not to be published." if self._own else ""
        return f"<RedonePreset: {self.title}. {counted(len(self._found.results), 'part')}.{whose}>"

    def _repr_html_(self) -> str:
        said = "".join(f"<li>{escape(one)}</li>" for one in self.parts)
        return f"<p>{escape(repr(self)[1:-1])}</p><ol start='0'>{said}</ol>"
