"""The best table of k-anonymity or a relative: found by looking at the data, so nothing is promised with (ε, δ)."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.anonymise.recode import Anonymised
from workbench.core.number_text import counted, exact
from workbench.library.frames import frame_of
from workbench.library.kept_here import KeptHere
from workbench.library.plainly import plainly
from workbench.library.saving import targets_of
from workbench.library.showing import showing
from workbench.plots import released_classes
from workbench.session import Session
from workbench.session.syntactic.question import SyntacticQuestion
from workbench.session.syntactic.results import Recoded

if TYPE_CHECKING:
    import pandas as pd

    from workbench.plots.own_figure import ChartFigure

_NO_PROMISE = (
    "Which levels were chosen and which rows were left out depends on every row, so nothing is promised with (ε, δ)."
)


class SearchedTable(KeptHere):
    """A table that fulfils privacy models with the least loss; made by `Data.search`, and for the analyst only.

    >>> table = wb.open(people).search("k=50", hierarchies={"age": wb.hierarchy.intervals(10, whole=True)})
    >>> dict(table.levels), table.rows
    ({'age': 0}, 400)

    Attributes
    ----------
    levels
        By column the level of its labels.
    loss
        How much was lost, by the measure that was to be least.
    """

    def __init__(
        self,
        session: Session,
        question: SyntacticQuestion,
        anonymised: Anonymised,
        levels: Mapping[str, int],
        loss: float,
    ) -> None:
        self._session, self._question, self._anonymised = session, question, anonymised
        self.levels: Mapping[str, int] = dict(levels)
        self.loss = loss

    @classmethod
    def _of_recoded(cls, session: Session, made: Recoded) -> SearchedTable:
        """The table of a saved project, at its levels."""
        return cls(session, made.question, made.anonymised, made.levels, made.facts.score)

    @property
    def rows(self) -> int:
        """How many rows may leave."""
        return self._anonymised.table.rows

    @property
    @plainly
    def frame(self) -> pd.DataFrame:
        """The rows that may leave, in an order that says nothing."""
        return frame_of(self._anonymised.released(), self._session.project.schema)

    @plainly
    def figure(self) -> ChartFigure:
        """How many rows are alike in the table. It is for the analyst only, as the caption says.

        >>> table = wb.open(people).search("k=50", hierarchies={"age": wb.hierarchy.intervals(10, whole=True)})
        >>> table.figure().caption[:41]
        'For the analyst only, not to be published'

        Returns
        -------
        matplotlib.figure.Figure
            A figure of its own, without any state of pyplot, with its caption below it.
        """
        from workbench.plots.own_figure import figure_of

        sizes = released_classes.compute(self._anonymised.class_sizes, self._anonymised.suppressed)
        caption = f"For the analyst only, not to be published. How many rows are alike. {_NO_PROMISE}"
        return figure_of(released_classes, sizes, caption)

    @plainly
    def save(self, path: str | Path, *, force: bool = False, template: str | Path | None = None) -> Path:
        """Write the table, its statement and its note, read it back, and record that it left.

        >>> table = wb.open(people).search("k=50", hierarchies={"age": wb.hierarchy.intervals(10, whole=True)})
        >>> table.save("ages.csv").name
        'ages.csv'

        Parameters
        ----------
        path
            The file; its ending, such as `.csv` or `.parquet`, says how it is written.
        force
            Whether it may overwrite another release that stands there.
        template
            A file with your institution, logo and own sentences for the statement; none of them if it is None.

        Raises
        ------
        Refused
            If it cannot be written.
        """
        targets = targets_of(path, force=force)
        self._session.use_template(None if template is None else Path(template))
        with showing(f"Writing {targets.path.name}") as progress:
            self._session.syntactic.write_anonymised(
                self._question,
                dict(self.levels),
                self._anonymised,
                targets.path,
                targets.statement,
                style=targets.style,
                note=targets.note,
                force=force,
                progress=progress,
            )
        return targets.path

    def __repr__(self) -> str:
        levels = ", ".join(f"{name} {level}" for name, level in self.levels.items())
        models = ", ".join(choice.identifier for choice in self._question.models)
        return (
            f"<SearchedTable: {models}; {counted(self.rows, 'row')} at levels {levels}, loss {exact(self.loss)}. "
            f"{_NO_PROMISE}>"
        )

    def _repr_html_(self) -> str:
        return f"<p>Analyst only. {escape(repr(self)[1:-1])}</p>"
