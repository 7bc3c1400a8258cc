"""Published figures, made again as they were published and with what is mended."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from workbench.core.errors import WorkbenchError
from workbench.evaluate.preset import PRESETS
from workbench.evaluate.published.agreement import Accord
from workbench.evaluate.published.catalogue import FIGURES, figure_named
from workbench.evaluate.published.entry import FigureOutcome
from workbench.library.kept_here import KeptHere
from workbench.library.plainly import plainly
from workbench.library.preset import RedonePreset
from workbench.library.showing import showing
from workbench.plots import published_panel
from workbench.session import Session
from workbench.session.comparison import PresetChoice
from workbench.session.published_captions import printed_caption
from workbench.session.published_figures import figure_runner, outcome_lines, panels_of, write_figure

if TYPE_CHECKING:
    import pandas as pd

    from workbench.library.data import Data
    from workbench.plots.own_figure import ChartFigure

_FORMATS = ("png", "svg", "pdf")


class RedoneFigure(KeptHere):
    """A published figure that was made again by `published`. Of a column of your own it is for the analyst only.

    >>> made = wb.published("2.1")
    >>> made.verdict
    'Of 3 published: 3 agree'
    >>> list(made.frame["agrees"]), made.text.startswith("Figure 2.1")
    ([True, True, True], True)
    """

    def __init__(self, found: FigureOutcome) -> None:
        self._found = found

    @property
    def verdict(self) -> str:
        """How many of the published values agree with ours."""
        return self._found.verdict

    @property
    def text(self) -> str:
        """All of it in words: settings, values, curves, and where it differs and why."""
        return "\n".join(outcome_lines(self._found))

    @property
    def frame(self) -> pd.DataFrame:
        """One row per published value: as published, ours, how far they may be apart, and whether they agree,
        differ, or nothing can be told.

        Of a column of your own nothing was published, and there are no rows.
        """
        import pandas as pd

        rows = [
            {
                "what": one.value.what,
                "published": one.value.value,
                "ours": one.our_number,
                "allowed": one.allowed,
                "agrees": one.accord is Accord.AGREES,
                "verdict": one.accord or "",
            }
            for one in self._found.agreements
        ]
        return pd.DataFrame(rows, columns=["what", "published", "ours", "allowed", "agrees", "verdict"])

    @plainly
    def figure(self, side: Literal["published", "mended"] = "published", panel: int = 0) -> ChartFigure:
        """One panel of it.

        >>> wb.published("2.1").figure("mended").caption[:18]
        'Figure 2.1, mended'

        Parameters
        ----------
        side
            "published" as it was published, with the published values marked, or "mended".
        panel
            Which panel of that side, from 0.

        Returns
        -------
        matplotlib.figure.Figure
            A figure of its own, without any state of pyplot, with its caption below it.

        Raises
        ------
        Refused
            If there is no such panel, or it is a table; `text` has those.
        """
        from workbench.plots.own_figure import figure_of

        drawn = [data for where, data in panels_of(self._found) if where == side]
        if not 0 <= panel < len(drawn):
            raise WorkbenchError(
                f"There is no panel {panel} of the side “{side}”.",
                hint=f"The sides are published and mended; this one has {len(drawn)}, from 0.",
                field="panel",
            )
        if drawn[panel].panel.rows:
            raise WorkbenchError("This panel is a table.", hint="Print its `text`.", field="panel")
        return figure_of(published_panel, drawn[panel], printed_caption(self._found, side, drawn[panel]))

    @plainly
    def save(self, folder: str | Path) -> list[Path]:
        """Write pictures (PNG, SVG, PDF) and CSV of every panel, and one JSON of all of it, into a folder.

        >>> "figure-2.1.json" in [path.name for path in wb.published("2.1").save("figures")]
        True

        Raises
        ------
        Refused
            If a file cannot be written; then none is.
        """
        return write_figure(self._found, Path(folder), _FORMATS)

    def __repr__(self) -> str:
        figure = self._found.figure
        whose = "For the analyst only" if self._found.own else self.verdict
        return f"<RedoneFigure: {figure.number}, {figure.title}. {whose}>"

    def _repr_html_(self) -> str:
        said = f"<p>{escape(repr(self)[1:-1])}</p>"
        return said if self._found.own else said + self.frame.to_html(index=False)


@plainly
def published(
    figure: str = "",
    data: Data | None = None,
    column: str = "",
    *,
    repetitions: int | None = None,
    seed: int = 1,
    look: bool = False,
    **settings: Any,
) -> RedoneFigure | RedonePreset | pd.DataFrame:
    """Make a published figure again, as it was published and with what is mended; or a preset, as several of them.

    >>> wb.published().loc["figure-3.1", "title"]
    'Error of the mean, by number of rows'
    >>> wb.published("mechanism-tables").parts[0]
    'Survey mechanism, Two coins: nothing to mend; ratios added'

    Parameters
    ----------
    figure
        Its number, such as "3.1" or "table-3.6", or the name of a preset, such as "ages" (`workbench preset --list`);
        without one, the figures there are are listed.
    data, column
        A table of your own and the column to take instead of the shipped sample. That looks at true values.
    repetitions
        How often everything is tried; None for as often as it is here by default.
    seed
        Makes it repeatable.
    look
        Whether the true values of `data` may be looked at. That is recorded, and no release that is drawn afterwards
        has an (ε, δ) claim.
    settings
        Parameters of a preset, as `workbench preset --set` has them.

    Raises
    ------
    Refused
        If there is no such figure, or it needs a look that was not allowed.
    """
    if not figure:
        import pandas as pd

        listed = {one.identifier: {"number": one.number, "title": one.title, "seconds": one.seconds} for one in FIGURES}
        return pd.DataFrame.from_dict(listed, orient="index")
    wanted = None if figure in PRESETS else figure_named(figure)
    if wanted is not None and settings:
        named = ", ".join(settings)
        raise WorkbenchError(f"A figure has no parameter {named}.", hint="Presets have.", field=next(iter(settings)))
    session = Session() if data is None else data._session
    if (data is None) != (not column):
        raise WorkbenchError(
            "A table and its column are named together.", hint="Give data and column, or neither.", field="column"
        )
    if look and data is not None:
        session.comparison.look(lasting=True)
    if wanted is None:
        choice = PresetChoice(
            column, {name: str(value) for name, value in {**settings, **_seeded(figure, seed)}.items()}
        )
        work = session.comparison.preset_runner(figure, choice, repetitions=repetitions)
        with showing(f"Making {figure} again") as progress:
            return RedonePreset(work(progress), bool(column))
    with showing(f"Making {wanted.number} again") as progress:
        make = figure_runner(session.comparison, wanted, column, repetitions=repetitions, seed=seed)
        return RedoneFigure(make(progress))


def _seeded(preset: str, seed: int) -> dict[str, int]:
    """The seed of a preset that draws anything."""
    return {"seed": seed} if any(one.name == "seed" for one in PRESETS[preset].params) else {}
