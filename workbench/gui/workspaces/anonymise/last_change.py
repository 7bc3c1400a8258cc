"""Changes of the forecast by the last step: followed until the next step or the draw, and a line that says them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtWidgets import QWidget

from workbench.gui.document import Document
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.workspaces.anonymise.purpose_ticks import PurposeTicks
from workbench.session.release.assessment import PromiseAssessment
from workbench.session.release.forecast_changes import ForecastChanges, ShownForecast, Turn, changes_between
from workbench.session.release.knowledge import number_answer
from workbench.session.release.preferred_fine import preferred
from workbench.session.release.said import said_of

_HOW_MANY, _WHO_KNOWS = "how many", "who knows"


@dataclass(frozen=True)
class _Seen:
    """A forecast that was seen, after how many steps of the document, and whether the release came of it.

    `unsaid` are the questions beside it that nobody had answered: how many people there are, and who knows that;
    `ticked` are the columns that the release is for, and `asked` those of them in which it was still asked what occurs,
    so that neither a detail of theirs nor a number of rows was told.
    """

    steps: int
    forecast: ShownForecast
    drawn: bool = False
    unsaid: frozenset[str] = frozenset()
    ticked: frozenset[str] = frozenset()
    asked: frozenset[str] = frozenset()


class LastChange:
    """Compares the forecast with the one that was seen before the last step.

    Edits that undo counts as one step, such as the keys of a number, are one change. What somebody takes back is none.
    """

    def __init__(self, document: Document) -> None:
        self._document, self._ticks = document, PurposeTicks(document)
        self._index = document.undo_stack.index()
        self._seen: _Seen | None = None
        self._before: _Seen | None = None
        document.undo_stack.indexChanged.connect(self._moved)

    def follow(self, found: PromiseAssessment) -> PromiseAssessment:
        """The same with what changed since the forecast that was seen before; nothing once the release is there."""
        if found.pending:
            return found
        outlook = None if found.prospect is None else found.prospect.outlook
        if outlook is None or not found.details:
            self._forget()
            return replace(found, changes=ForecastChanges())
        project = self._document.project
        now = ShownForecast.of(outlook, found.details, project.hierarchies, said_of(project))
        now = replace(now, preferred=preferred(self._document.session))
        if found.current or self._seen is None:
            self._before = None
        elif self._index != self._seen.steps or (self._seen.drawn and now != self._seen.forecast):
            self._before = self._seen  # a key more of the number typed before the draw is a change too
        unsaid, before = self._unsaid(found), self._before
        self._ticks.follow(found)
        ticked = frozenset(self._ticks.names)
        asked = ticked.intersection(outlook.unknown)
        self._seen = _Seen(self._index, now, found.current, unsaid, ticked, asked)
        if before is None:
            return replace(found, changes=ForecastChanges())
        changes = changes_between(before.forecast, now, steps=self._index - before.steps)
        answered = before.unsaid - unsaid
        # Before both questions are answered, what is there for a moment is no forecast that anybody compares one with.
        # But whoever answers that others know the number, which costs accuracy, hears which columns that took.
        costs = answered == {_WHO_KNOWS} and not found.guessed and changes.loses
        if (answered and not costs) or self._ticks.are_missing:  # once something is ticked, other details are there
            changes = ForecastChanges(steps=changes.steps, preferred=changes.preferred)
        if ticked - before.ticked:
            changes = changes.for_ticks(ticked)  # more ticks may be to come
        elif before.forecast.said != now.said:
            changes = replace(changes, costs=True)  # what an answer gains is why it was given
            changes = changes.without_rows.of_others(before.asked) if before.asked else changes
        if outlook.unknown:  # how fine columns come out is a guess until it is said what occurs in them
            changes = changes.without(Turn.COARSER)
        return replace(found, changes=changes.without_rows if found.guessed else changes)  # as none are seen until then

    def _unsaid(self, found: PromiseAssessment) -> frozenset[str]:
        answered = number_answer(self._document.session).given is not None
        return frozenset({*([_HOW_MANY] if found.guessed else []), *([] if answered else [_WHO_KNOWS])})

    def _forget(self) -> None:
        self._seen = self._before = None

    def _moved(self, index: int) -> None:
        if index < self._index:
            self._forget()  # what was seen belongs to a step that is gone
        self._index = index


class ChangeLine(QWidget):
    """A sentence on what the last step made of the forecast, and its undo; hidden while there is nothing to say."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.words = label(small=True, wrap=True)
        self.undo = push_button("Undo", document.undo_stack.undo, name="Undo this change", inline=True)
        set_explain(self, "anonymise.last_change")
        boxes.row((self.words, 1), self.undo, spacing="s", inside=self)
        self.show_changes(ForecastChanges())

    def show_changes(self, changes: ForecastChanges) -> None:
        """Say what changed; several steps, made in other rooms, are not taken back here, nor is what needs no words."""
        words = changes.words
        one = changes.steps == 1
        self.words.setText(f"{'This change' if one else 'Meanwhile'}: {words}" if words else "")
        self.undo.setVisible(one)
        self.setVisible(bool(words))  # an Undo by itself does not say of what
