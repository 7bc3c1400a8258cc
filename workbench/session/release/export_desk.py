"""The (ε, δ) release on its way out: what is written and stated of a draw, and what the ledger notes of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from workbench.anonymise.sampling import Outcome
from workbench.anonymise.trimming import TrimOutcome
from workbench.core.errors import WorkbenchError
from workbench.core.known_number import KnownNumber
from workbench.core.number_text import counted
from workbench.core.progress import SILENT, Progress
from workbench.io.export_format import ExportFormat
from workbench.project.model import ReleaseRecord
from workbench.query.ledger import LeftFile
from workbench.report.file_facts import FileFacts
from workbench.report.release_note import described, stated_of
from workbench.session.existing_files import FileMarks
from workbench.session.export import Export, Exported, Targets
from workbench.session.export_subject import ExportSubject, check_place, export_of
from workbench.session.no_claim import refuse_without_claim
from workbench.session.number_said import number_said
from workbench.session.release.charges import charge_of_release, charge_without_claim, claimed_with
from workbench.session.release.claims import claim_of, promise_of, recipe_of
from workbench.session.release.drawing import DrawDesk
from workbench.session.release.other_answers import with_number_known
from workbench.session.release.result import Result, nothing_released
from workbench.session.release.runs import RunsDesk, check_left_out


def _said_otherwise_since() -> WorkbenchError:
    """That no second file leaves with a word that was taken back since the first one left."""
    return WorkbenchError(
        "Before a file of this draw left it was said that nobody is told how many people there are, and you said since "
        "that others know it, or may know it.",
        hint="Tell whoever has a statement that says otherwise, and make another draw, whose statement says so. If it "
        "was a mistake, answer No in Anonymise.",
        field="number_known",
    )


class ExportDesk(RunsDesk):
    """The export of a draw."""

    @property
    def exported_with_claim(self) -> bool:
        """Whether the present result has left with an (ε, δ) claim."""
        left = None if self.result is None else self.exported.get(self.result.draw)
        return left is not None and left.claim is not None and left.claim.holds

    @property
    def exported(self) -> Mapping[str, Exported]:
        """The exports since the data was opened, of either approach, by what each was made from."""
        return self._state.results.exported

    def left_as_it_is(self, result: Result) -> Exported | None:
        """How a draw left; None where it is to be written otherwise now: that is another file, which nobody has yet."""
        left = self.exported.get(result.draw)
        return left if left is None or left.claim is None or left.claim.terms.after == self.after(result) else None

    @property
    def lost_with_it(self) -> str:
        """The draws that are lost with the open data unless exported, in a sentence; "" if none was paid for."""
        results = self._state.results
        shown = () if results.result is None else (results.result,)
        paid = {one.draw: one for one in (*shown, *results.drawn) if one.spent and one.draw not in self.exported}
        if not paid:
            return ""
        last = next((one for one in results.drawn if one.spent), None)  # the newest is the first
        earlier = last is not None and last.draw not in paid
        if len(paid) > 1:
            some = f"{len(paid)} {'earlier ' if earlier else ''}releases were"
            after = ", unlike the last one" if earlier else ""
            return (
                f"{some} drawn and not exported{after}: no project keeps their rows. "
                "What they were charged with stays counted."
            )
        (only,) = paid.values()
        rows, spent = counted(only.outcome.rows_out, "row"), only.spent.replace("This draw", "That draw", 1)
        if earlier:
            return (
                f"An earlier release, of {rows}, was drawn and not exported, unlike the last one: no project keeps its "
                f"rows. {spent}"
            )
        if shown and only.draw != shown[0].draw:
            return (
                f"The last release, of {rows}, was drawn and not exported, unlike the one that is shown: no project "
                f"keeps its rows. {spent}"
            )
        return f"A release was drawn and not exported: no project keeps its rows. {only.spent}"

    def written(self, key: str) -> Mapping[Path, FileMarks]:
        """The files that were written of one draw or table since the data was opened, as they were written."""
        return self._state.results.files_of(key)

    def said(self, key: str) -> frozenset[str]:
        """The assertions about a draw that the user has made so far, as sentences of its claim."""
        return self._state.results.said.get(key, frozenset())

    def say(self, key: str, sentences: Collection[str]) -> None:
        """The person says this, and nothing else, of a draw; another draw has to be spoken of anew.

        What they take back of it is not said of the draws to come either, though it was said of the table before.
        """
        said = frozenset(sentences)
        self.say_beforehand(self.beforehand - (self.said(key) - said))
        self._state.results.said[key] = said

    @property
    def beforehand(self) -> frozenset[str]:
        """The assertions about the table that the user made before a draw, and so about each draw made since."""
        return self._state.said_beforehand(self._state.project)

    def say_beforehand(self, sentences: Collection[str]) -> None:
        """The person says this, and nothing else, of the table before a draw; of each it can be taken back."""
        self._state.say_beforehand(sentences)

    def say_number_known(self, key: str, known: KnownNumber) -> None:
        """The person says of a draw which number of the table is known, beside what they said before."""
        self.say(key, with_number_known(self.said(key), known))

    def export(
        self,
        path: Path,
        statement: Path | None = None,
        *,
        style: ExportFormat | None = None,
        note: Path | None = None,
        parts: bool = False,
        force: bool = False,
        without_claim: bool = False,
        chosen: bool | None = False,
        progress: Progress = SILENT,
    ) -> Exported:
        """Write the release, its statement and its note, and record that it left the house.

        Parameters as in `exporter`.

        Raises
        ------
        WorkbenchError
            If there is no current result, nothing survived, no claim can be made for it, or the files cannot be
            written.
        """
        result = self.current_result()
        exported = self.exporter(
            path,
            statement,
            style=style,
            note=note,
            parts=parts,
            force=force,
            without_claim=without_claim,
            chosen=chosen,
        )(progress)
        self.record_export(path, result, exported)
        return exported

    def refuse_before_drawing(
        self,
        targets: Targets,
        *,
        without_claim: bool = False,
        chosen: bool = False,
        known: KnownNumber = KnownNumber.NONE,
        left_out: Collection[str] = (),
    ) -> None:
        """Refuse a release that could not be published, before anything is drawn for it.

        A draw is paid for, whether it is released or not.

        Parameters
        ----------
        without_claim
            It may leave although no claim can be made for it.
        chosen
            It is to claim what all releases of the data promise together.
        known
            Which number of the table is known, so that the claim is for replacing a person.
        left_out
            Columns that are to be left out after the draw.

        Raises
        ------
        NoClaim
            If no claim can be made for it.
        WorkbenchError
            If the files cannot be written there, or the budget does not suffice for the release and its levels.
        """
        targets.check(self._ledger.protected)
        if left_out:
            check_left_out(recipe_of(self._state, promise_of(self._state).release), left_out)
        self.refuse_draw(without_claim=without_claim, chosen=chosen, known=known)

    def refuse_draw(
        self, *, without_claim: bool = False, chosen: bool = False, known: KnownNumber = KnownNumber.NONE
    ) -> None:
        """The same of a draw that may be written later; parameters and errors are those of `refuse_before_drawing`."""
        claim = claim_of(self._state, chosen=chosen, known=known)
        if self._project.anonymise.seed is None:
            DrawDesk(self._state).refuse_beyond_budget(number_known=bool(claim.known) and claim.holds)
        if not without_claim:
            refuse_without_claim(claim)

    def exporter(
        self,
        path: Path,
        statement: Path | None = None,
        *,
        style: ExportFormat | None = None,
        note: Path | None = None,
        parts: bool = False,
        force: bool = False,
        without_claim: bool = False,
        asserted: bool = True,
        chosen: bool | None = None,
        look_later: bool = False,
    ) -> Export:
        """Everything an export needs, bound together now; call it on any thread.

        Parameters
        ----------
        path
            The release. How it is written follows from its name, unless `style` says so.
        statement, note
            The privacy statement (HTML) and the note for programs (JSON), if they are wanted.
        parts
            Whether to write a folder of files rather than one file.
        force
            Whether it may overwrite what stands there. The files of the same draw it may in any case, if they are as
            they were written.
        without_claim
            Whether it may leave although no claim can be made for it.
        asserted
            Whether the publisher asserts what no program can check; no claim is made for it otherwise.
        chosen
            As in `current_claim`.
        look_later
            Whether the places are looked at only when it is called, because this thread must not wait for a disk.

        Raises
        ------
        NoClaim
            If no claim can be made for it.
        AlreadyThere
            If another release stands there.
        WorkbenchError
            If there is no current result, nothing survived, the files cannot be written, or a file of the draw left
            with the word that nobody is told a number of which it was said since that others know it.
        """
        result = self.current_result()
        if result.outcome.rows_out == 0:
            raise nothing_released()
        targets = Targets(path, style or ExportFormat.of(path), statement, note, parts, force)
        check_place(self._state, targets, result.draw, look_later=look_later)
        ledger = self._ledger.of(result.fingerprint)
        counted = self._ledger.known_entries(result.fingerprint)  # before the claim, which must not count less
        claim, outcome = self.current_claim(asserted=asserted, chosen=chosen), self.as_written(result)
        if not without_claim:
            refuse_without_claim(claim, drawn=True)
        promised = claim.holds or claim.given
        if promised and not claim.known and result.draw in self.exported and number_said(self._state):
            raise _said_otherwise_since()
        charge = charge_of_release(path, result.fingerprint, result.claim.guarantee, claim, result.draw)

        def spend(file: FileFacts) -> None:
            # It was paid for when it was drawn: now it is known to have left, and which number its publisher knows.
            left = LeftFile(file.name, file.fingerprint, claimed_with(claim), claim.known)
            entry = ledger.charge(charge, counted, left, promises=promised)
            if entry.charge.claimed and not claim.holds:
                ledger.charge(charge_without_claim(claim.guarantee, result.draw))

        subject = ExportSubject(
            result.draw,
            lambda _progress: outcome.written() if isinstance(outcome, TrimOutcome) else outcome.release,
            stated_of(result.hierarchies, outcome, claim),
            None,
            described(self._project.hierarchies, outcome, claim),
            spend,
            claim,
        )
        return export_of(self._state, subject, targets)

    def as_written(self, result: Result) -> Outcome | TrimOutcome:
        """A draw with what is done to its released rows."""
        outcome = result.outcome
        return outcome.done_to(self.after(result)) if isinstance(outcome, TrimOutcome) else outcome

    def record_export(self, path: Path, result: Result, exported: Exported | None = None) -> ReleaseRecord:
        """Take into the project that `result` was released to `path`, which the ledger knows. Never undone."""
        if exported is not None:
            self._state.results.wrote(result.draw, exported)
        ledger = self._ledger.of(result.fingerprint)
        entry = ledger.find(result.draw) or ledger.charge(
            charge_of_release(path, result.fingerprint, result.claim.guarantee, result.claim, result.draw)
        )
        self._ledger.copy_into_project(result.fingerprint)
        return ReleaseRecord.of(result.fingerprint, entry)
