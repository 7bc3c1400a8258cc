"""A release that was drawn: what may leave, what is claimed for it, and saving it."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.anonymise.claim import Claim
from workbench.core.number_text import counted, rounded_up
from workbench.core.progress import SILENT
from workbench.library.frames import frame_of
from workbench.library.plainly import plainly
from workbench.library.saving import targets_of
from workbench.report.note import facts_of
from workbench.report.release_note import described
from workbench.report.statement import statement_page
from workbench.session import Session

if TYPE_CHECKING:
    import pandas as pd

_SHOWN = 10


class Release:
    """One draw. What it shows is what a reader of the released file gets; of a simulation it shows no row."""

    def __init__(self, session: Session) -> None:
        self._session, self._result = session, session.release.current_result()

    @property
    def _claim(self) -> Claim:
        """What can be claimed by now: what was drawn and asked since counts too."""
        return self._session.release.current_claim()

    @property
    def claimed(self) -> bool:
        """Whether it is (ε, δ)-differentially private, if what `asserted` lists is so."""
        return self._claim.holds

    @property
    def claim(self) -> str:
        """What is claimed for it, in one sentence."""
        claim = self._claim
        if not claim.holds:
            return "Nothing is promised: " + " ".join(reason.text for reason in claim.reasons)
        pair = f"({rounded_up(claim.guarantee.epsilon)}, {rounded_up(claim.guarantee.delta)})"
        return f"It is {pair}-differentially private, if what is asserted is so."

    @property
    def asserted(self) -> tuple[str, ...]:
        """What whoever publishes it asserts, and no program can check."""
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
    def frame(self) -> pd.DataFrame:
        """The released rows: numbers where a column still holds nothing else, else categories."""
        return frame_of(self._result.outcome.release, self._result.schema)

    @property
    def statement(self) -> str:
        """The statement as a page of HTML, as far as it is known before the file is written."""
        result = self._result
        return statement_page(facts_of(described(result.hierarchies, result.outcome, self._claim)))

    @plainly
    def save(self, path: str | Path, *, without_claim: bool = False, force: bool = False) -> Path:
        """Write the release, its statement and its note, read it back, and record that it left.

        Parameters
        ----------
        path
            The file; its ending, such as `.csv` or `.parquet`, says how it is written.
        without_claim
            Whether it may leave although nothing is promised.
        force
            Whether it may overwrite another release that stands there.

        Raises
        ------
        Refused
            If nothing is promised, nothing was released, or it cannot be written.
        """
        targets = targets_of(path, force=force)
        work, record = self._session.exporter(targets, without_claim=without_claim)
        record(work(SILENT))
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
