"""A release that was drawn: what may leave, what is claimed for it, and saving it."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.anonymise.claim import Claim
from workbench.anonymise.terms import for_neighbours
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import counted, rounded_up
from workbench.library.frames import frame_of
from workbench.library.kept_here import KeptHere
from workbench.library.plainly import plainly
from workbench.library.saving import targets_of
from workbench.library.showing import showing
from workbench.report.content import Picture
from workbench.report.note import facts_of
from workbench.report.release_note import described, given_of
from workbench.report.released_pictures import ReleasedForm, column_pictures, sizes_picture
from workbench.report.statement import statement_page
from workbench.report.statement_parts import given_sentence, given_words
from workbench.session import Session

if TYPE_CHECKING:
    import pandas as pd

    from workbench.plots.own_figure import ChartFigure

_SHOWN = 10


class Release(KeptHere):
    """One draw, made by `Data.release`. It shows what a reader of the released file gets; of a simulation no row.

    >>> data = wb.open(people).describe(job=wb.category(["cook", "nurse"]))
    >>> release = data.release(["job"], levels={"job": 0})
    >>> release.claim
    'It is (1, 1e-5)-differentially private, if what is asserted is so.'
    >>> release.claimed, release.groups, len(release.frame) == release.rows
    (True, 2, True)
    >>> release.asserted[0]
    'No person has more than one row in the table.'
    >>> "differentially private" in release.statement
    True
    """

    def __init__(self, session: Session) -> None:
        self._session, self._result = session, session.release.current_result()

    @property
    def _claim(self) -> Claim:
        """The claim as it is by now: what was drawn and asked since counts too."""
        return self._session.release.current_claim()

    @property
    def claimed(self) -> bool:
        """Whether it is (ε, δ)-differentially private, if what `asserted` lists is so."""
        return self._claim.holds

    @property
    def claim(self) -> str:
        """The claim for it, in one sentence."""
        claim = self._claim
        given = given_of(claim)
        if given is not None:
            return f"{given_sentence(given)} {given_words(claim.terms.looked)}"
        if not claim.holds:
            return "Nothing is promised: " + " ".join(reason.text for reason in claim.reasons)
        pair, about = (
            f"({rounded_up(claim.epsilon)}, {rounded_up(claim.delta)})",
            for_neighbours(claim.terms.neighbours),
        )
        return f"It is {pair}-differentially private{about}, if what is asserted is so."

    @property
    def asserted(self) -> tuple[str, ...]:
        """The assertions of whoever publishes it, which no program can check."""
        return self._claim.asserted

    @property
    def rows(self) -> int:
        """How many rows were released."""
        return self._result.outcome.rows_out

    @property
    def groups(self) -> int:
        """How many groups of equal rows were released."""
        return self._result.outcome.classes_out

    @property
    @plainly
    def frame(self) -> pd.DataFrame:
        """The released rows: numbers where a column still holds nothing else, else categories."""
        return frame_of(self._result.outcome.release, self._result.schema)

    @property
    @plainly
    def statement(self) -> str:
        """The statement as a page of HTML, as far as it is known before the file is written."""
        result = self._result
        written = self._session.release.as_written(result)
        return statement_page(facts_of(described(result.hierarchies, written, self._claim)))

    @plainly
    def figure(self, column: str = "") -> ChartFigure:
        """A chart of the release, as anybody who has the file can count it.

        >>> data = wb.open(people).describe(job=wb.category(["cook", "nurse"]))
        >>> data.release(["job"], levels={"job": 0}).figure("job").caption[:24]
        'Column job, as released.'

        Parameters
        ----------
        column
            The rows with each label of this column, at the level at which most rows have it; "" for how many rows are
            alike.

        Returns
        -------
        matplotlib.figure.Figure
            A figure of its own, without any state of pyplot, with its caption below it. Where nothing is promised, the
            caption says that it is for the analyst only.

        Raises
        ------
        Refused
            If there is no such column, or it has no label.
        """
        from workbench.plots.own_figure import figure_of

        outcome = self._result.outcome
        released, form = outcome.release, ReleasedForm.of(outcome.recipe, self._result.hierarchies)
        if column and column not in released.names:
            listed = ", ".join(released.names)
            raise WorkbenchError(f"The release has no column “{column}”.", hint=f"It has {listed}.", field="column")
        if column:
            pictures = column_pictures(released, column, self._result.schema, form)
        else:
            sizes = sizes_picture(released, tuple(outcome.recipe.levels), form) if self.rows else None
            pictures = [] if sizes is None else [sizes]
        if not pictures:
            raise WorkbenchError(
                "Nothing of that was released.", hint="A larger ε or coarser labels let more survive.", field="column"
            )
        picture = max(pictures, key=_rows_in)
        whose = "" if self.claimed else "For the analyst only, not to be published. "
        return figure_of(picture.kind, picture.data, f"{whose}{picture.title}, as released. {self.claim}")

    @plainly
    def save(
        self,
        path: str | Path,
        *,
        without_claim: bool = False,
        force: bool = False,
        template: str | Path | None = None,
        left_out: Iterable[str] = (),
        one_level: bool = False,
    ) -> Path:
        """Write the release, its statement and its note, read it back, and record that it left.

        >>> data = wb.open(people).describe(job=wb.category(["cook", "nurse"]))
        >>> data.release(["job"], levels={"job": 0}).save("jobs.csv").name
        'jobs.csv'

        Parameters
        ----------
        path
            The file; its ending, such as `.csv` or `.parquet`, says how it is written.
        without_claim
            Whether it may leave although nothing is promised.
        force
            Whether it may overwrite another release that stands there.
        template
            A file with your institution, logo and own sentences for the statement; none of them if it is None.
        left_out
            Columns that took part in the draw, and are not to be in the file, such as one that is * in most rows. It
            costs nothing; that the released rows alone decided it, or no data, is asserted then.
        one_level
            Whether all labels are brought to the levels of the last step that released a row, so that readers can
            count rows with equal labels as they stand. The same is asserted.

        Raises
        ------
        Refused
            If nothing is promised, nothing was released, a column that is to be left out is none of the release, or
            nothing would be left, or it cannot be written.
        """
        targets = targets_of(path, force=force)
        names = [left_out] if isinstance(left_out, str) else list(left_out)
        self._session.release.write_otherwise(self._result, left_out=names, one_level=one_level)
        self._session.use_template(None if template is None else Path(template))
        work, record = self._session.exporter(targets, without_claim=without_claim)
        with showing(f"Writing {targets.path.name}") as progress:
            record(work(progress))
        return targets.path

    def __repr__(self) -> str:
        if not self._result.outcome.secure:
            return "<Release: a simulation, which promises nothing and must not leave>"
        return f"<Release: {counted(self.rows, 'row')} in {counted(self.groups, 'group')}. {self.claim}>"

    def _repr_html_(self) -> str:
        if not self._result.outcome.secure:
            return f"<p>{escape(repr(self))}</p>"
        said = f"{counted(self.rows, 'row')} in {counted(self.groups, 'group')}. {self.claim}"
        if not self.claimed:
            return f"<p>Analyst only. {escape(said)}</p>"
        asserted = "".join(f"<li>{escape(sentence)}</li>" for sentence in self.asserted)
        return (
            f"<p>{escape(said)}</p>{self.frame.head(_SHOWN).to_html(index=False)}"
            f"<details><summary>What is asserted</summary><ul>{asserted}</ul></details>"
        )


def _rows_in(picture: Picture) -> int:
    """How many rows a picture is of."""
    return int(picture.data.rows.sum())
