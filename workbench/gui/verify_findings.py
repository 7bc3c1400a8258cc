"""The findings about a release that was received: a verdict, the claim in words, and a line for each finding."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from workbench.core.number_text import counted, rounded_up
from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.disclosure import Disclosure
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.widgets.status import Status, status_icon
from workbench.session.release.to_say import sentences_words
from workbench.session.verifying.verified import FindingSign, Verified, VerifyFinding

_ICONS = {
    FindingSign.HOLDS: (status_icon(Status.SUCCESS), Status.SUCCESS.value),
    FindingSign.WRONG: (status_icon(Status.ERROR), Status.ERROR.value),
    FindingSign.UNCHECKED: (status_icon(Status.NEUTRAL), Status.NEUTRAL.value),
    FindingSign.NOTED: (status_icon(Status.INFO), Status.NEUTRAL.value),
}
_DELTA = (
    "δ: of a person the file tells no more than one would that told everything with a chance of {}, and otherwise kept "
    "to the factor above."
)
_YOURS = (
    "You are the publisher: what rests on your word is above under “What you said”. Some of it you ticked in Release, "
    "some you said when you answered in Data, Hierarchies or Anonymise. Hand over the file only if all of it is so."
)
_SINCE = (
    "The ledger of this data counts {} made after this draw. What the statement says of other releases is no longer "
    "true: together they tell more of a person than it says."
)
_MAY_BE_TOLD = (
    "What is counted in the file, or computed from it, may be passed on: that tells no more of anybody than the file."
)
_UNSIGNED = "Nobody signed the statement, so make sure that it comes from them."
_CONTRADICTED = (
    "The ledger of this data says that others know how many people, or rows, there are. The promise of this file rests "
    "on nobody being told that, so it does not hold as stated: tell whoever has it."
)
_SAID = ("said", Status.NEUTRAL.value)


class FindingsView(QWidget):
    """Shows one answer, and another one in its place."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._layout = boxes.column(spacing="m", inside=self)
        self._lines: list[str] = []

    @property
    def text(self) -> str:
        """All that is shown, as lines."""
        return "\n".join(self._lines)

    def clear(self) -> None:
        """Show nothing."""
        self._lines = []
        while (item := self._layout.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()

    def show_verified(
        self,
        verified: Verified,
        *,
        own: bool = False,
        since: int = 0,
        contradicted: bool = False,
        before: Collection[str] = (),
    ) -> None:
        """Show the verdict, what is claimed, what was checked, and what nobody can find out from the file.

        Parameters
        ----------
        own
            Whether whoever reads it has just published the file themselves.
        since
            How many draws and answers of the same data came later, as far as whoever reads it has its ledger.
        contradicted
            Whether that ledger says that others know the number, as this file does not.
        before
            The sentences that were said before Release, as far as whoever reads it knows.
        """
        self.clear()
        findings = verified.findings
        verdict = verified.verdict or next(one.text for one in findings if one.sign is FindingSign.WRONG)
        claim = verified.claim
        outdated = verified.outdated(since)
        light = (
            Status.SUCCESS
            if verified.reassures and not (outdated or contradicted)
            else Status.WARNING
            if verified.holds
            else Status.ERROR
        )
        self._line((status_icon(light), light.value), verdict, heading=True)
        signed = own and verified.promises and claim is not None and bool(claim.asserted)
        if claim is not None:
            if contradicted and claim.holds:
                self._paragraph(_CONTRADICTED, strong=True)
            if outdated:
                self._paragraph(_SINCE.format(counted(since, "release")), strong=True)
            for words in verified.not_to_count:  # seen at once: who has a file is about to count in it
                self._line(_ICONS[FindingSign.NOTED], words)
            if verified.not_to_count and light is Status.SUCCESS:  # beside what must not be done, what may
                self._line(_ICONS[FindingSign.HOLDS], _MAY_BE_TOLD)
            if claim.asserted:
                yours = _what_you_said(claim.asserted, before)
                self._heading(yours if signed else "What only the publisher can know, and asserts")
                for sentence in claim.asserted:
                    self._line(_SAID, sentence)
                self._heading("What is promised, if that is so" if claim.holds else "What it says")
            if claim.plain:
                self._paragraph(f"{claim.plain} {claim.weak}".rstrip())
            self._paragraph(claim.sentence, strong=True)
            for words in filter(None, claim.notes):  # what limits a promise is never folded
                self._paragraph(words)
            told = [claim.meaning] if claim.meaning else []
            if claim.holds and claim.promised is not None and claim.promised[1] > 0:
                told.append(_DELTA.format(rounded_up(claim.promised[1])))
            self._fold("In full, with ε and δ", told)
        elif verified.documents:
            self._paragraph("Do not rely on what its statement says.", strong=True)
        others = [one for one in findings if one.text != verdict]
        self._part("", (one for one in others if one.sign is FindingSign.WRONG))
        if verified.next_step:
            self._heading("What to do")
            self._paragraph(_YOURS if signed else verified.if_yours if own else verified.next_step)
            if claim is not None and claim.asserted and verified.signature is None and not own:
                self._paragraph(_UNSIGNED)
        self._part("Checked", (one for one in others if one.sign is FindingSign.HOLDS))
        self._part("Not checked", (one for one in others if one.sign is FindingSign.UNCHECKED))
        self._part("The file", (one for one in others if one.sign is FindingSign.NOTED))
        self._layout.addStretch(1)

    def show_problem(self, message: str, hint: str) -> None:
        """Say why nothing can be checked, and what to do."""
        self.clear()
        self._line((status_icon(Status.WARNING), Status.WARNING.value), message, heading=True)
        if hint:
            self._paragraph(hint)
        self._layout.addStretch(1)

    def _part(self, heading: str, findings: Iterable[VerifyFinding]) -> None:
        found = list(findings)
        if found and heading:
            self._heading(heading)
        for one in found:
            self._line(_ICONS[one.sign], one.text, said=one.sign.value)

    def _heading(self, text: str) -> None:
        self._lines.append(text)
        self._layout.addWidget(label(text, small=True, muted=True))

    def _paragraph(self, text: str, *, strong: bool = False) -> None:
        text = visible(text)
        self._lines.append(text)
        self._layout.addWidget(label(text, wrap=True, strong=strong, selectable=True))

    def _fold(self, title: str, paragraphs: Iterable[str]) -> None:
        """Put these below a heading that opens them."""
        told = [visible(text) for text in paragraphs]
        if told:
            self._lines += told
            words = [label(text, wrap=True, selectable=True) for text in told]
            self._layout.addWidget(Disclosure(title, boxes.boxed(boxes.column(*words, spacing="s"))))

    def _line(self, sign: tuple[str, str], text: str, *, heading: bool = False, said: str = "") -> None:
        text = visible(text)
        self._lines.append(text)
        name, colour = sign
        line = QWidget()
        line.setAccessibleName(f"{said}: {text}" if said else text)
        words = label(text, wrap=True, selectable=True, heading=2 if heading else 0)
        boxes.row(
            (IconLabel(name, tokens.ICON_LARGE if heading else tokens.ICON, colour), Qt.AlignmentFlag.AlignTop),
            (words, 1),
            spacing="s",
            inside=line,
        )
        self._layout.addWidget(line)


def _what_you_said(asserted: Collection[str], before: Collection[str]) -> str:
    """How many sentences these are, and when each was said: other pages count only what is left, or was before."""
    words, earlier = f"What you said: {sentences_words(len(asserted))}", sum(one in before for one in asserted)
    return f"{words}, {len(asserted) - earlier:,} ticked in Release and {earlier:,} said before" if earlier else words
