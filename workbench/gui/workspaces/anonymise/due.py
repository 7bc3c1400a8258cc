"""The step that is due in the room, in words and by its control, where a release is drawn."""

from __future__ import annotations

from workbench.gui.document import Document
from workbench.gui.next_step import HANDED_OVER, KNOWN, PURPOSE, RELEASED
from workbench.gui.workspaces.anonymise.steps_foot import StepsFoot
from workbench.session.release.assessment import PromiseAssessment
from workbench.session.release.prospect import counts_people
from workbench.session.release.remedies import OCCURRING


class Due:
    """The next of the steps: what is asked, what helps, what was released before, then the button that spends."""

    def __init__(self, document: Document, foot: StepsFoot) -> None:
        self._document, self._foot = document, foot

    def words(self, found: PromiseAssessment) -> str:
        """It in words; "" where nothing is."""
        if not self._foot.outlook.rows.valid:
            return f"Correct the number of {'people' if counts_people(self._document.project) else 'rows'}"
        if first := self._foot.comes_first:
            return first
        helps = None if found.current else self._foot.helps
        if helps is not None:
            return helps.words
        if self._drawn_before:
            return "See what was released before"  # which is enough until the person wants another draw
        if self._ticks_are_next(found):
            return "Tick what the release is for"  # or leave it: what spends is ready
        # It leads to the button that spends, which is the person's to press.
        return "" if found.current else f"Press “{self._foot.run_button.text().partition(' · ')[0]}”"

    def field(self, found: PromiseAssessment) -> str:
        """The name of its control, as the room can be asked for it."""
        if not self._foot.outlook.rows.valid:
            return "rows"
        if self._foot.is_due:
            return HANDED_OVER
        helps = self._foot.helps if self._document.has_data and not self._foot.wastes_the_claim() else None
        if helps is None and self._drawn_before:
            return RELEASED
        if helps is not None and helps.field.startswith(OCCURRING):
            return KNOWN
        if helps is None and self._ticks_are_next(found):
            return PURPOSE
        return helps.field if helps is not None and helps.field else "run"

    def _ticks_are_next(self, found: PromiseAssessment) -> bool:
        """Whether it may be said before a first draw what the release is for, which nobody must."""
        return not found.current and self._foot.is_unticked

    @property
    def _drawn_before(self) -> bool:
        """Whether this table was drawn of before it was opened, so that nobody is led to a second price."""
        if not self._document.has_data or self._document.session.syntactic.wanted or self._foot.wastes_the_claim():
            return False
        return self._document.session.release.result is None and self._foot.drawn.are_there
