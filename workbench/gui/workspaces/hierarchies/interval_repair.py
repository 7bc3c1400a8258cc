"""Wrong intervals of an attached list, and the ways to mend it at one click."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QPushButton, QWidget

from workbench.core.hierarchy import Hierarchy
from workbench.gui.document import Document
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.session import Session
from workbench.session.interval_repairs import IntervalRepairs, interval_repairs
from workbench.session.suggested_hierarchies import finer_words

REPAIR_JOB = "hierarchies.repair"
_FINER = "It is known by now from where to where it reaches, so its intervals can suit that."


class IntervalRepair(QWidget):
    """Names numbers that stand in wrong intervals; beside each way to mend them it is said what it makes of them.

    The rule is offered anew, too, where it makes finer intervals than when it was taken.

    Labels are corrected from the list alone, so that it is as public as it was. A rule follows from what is public of
    the column. Values of the data decide about neither.
    """

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._column = ""
        self._found = IntervalRepairs()
        self.words = label(tone="warning", wrap=True, selectable=True)
        self.labels = push_button("Correct the &labels", self._correct, name="Correct the labels of the intervals")
        self.labels.setToolTip("The groups stay, and with them what was said of how the list was made")
        self.rule = push_button("Make anew by r&ule", self._build, name="Make the hierarchy anew by a rule")
        self.rule.setToolTip("From the column’s name, its kind and what Data declares of it, so made without this data")
        self._after, self._by_rule = label(small=True, muted=True, wrap=True), label(small=True, muted=True, wrap=True)
        self._ways = []
        for button, words in ((self.labels, self._after), (self.rule, self._by_rule)):
            self._ways.append(boxes.boxed(boxes.row(button, (words, 1), spacing="s")))
        boxes.column(self.words, *self._ways, spacing="xs", inside=self)
        set_explain(self, "hierarchies.repair")
        self.hide()

    @property
    def first(self) -> QPushButton | None:
        """The way that keeps most of the list; None where there is none at one click."""
        return next((one for one in (self.labels, self.rule) if one.isVisibleTo(self)), None)

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self._found.wrong

    def show_hierarchy(self, column: str, hierarchy: Hierarchy) -> None:
        """Say what is wrong with the hierarchy of a column."""
        self._column = column
        found = self._found = interval_repairs(hierarchy, self._document.project.schema[column])
        self._after.setText(found.corrected_words)
        self.offer_finer()

    def offer_finer(self) -> None:
        """Offer the rule also where it has become finer, since somebody said from where to where the column reaches."""
        found = self._found
        finer = finer_words(self._document.project, self._column) if self.sound else ""
        self.words.setText(_FINER if finer else found.wrong)
        set_look(self.words, tone="none" if finer else "warning")
        self._by_rule.setText(finer or found.rule_words)
        for way, words in zip(self._ways, (found.corrected_words, finer or found.rule_words), strict=True):
            way.setVisible(bool(words))
        self.setVisible(bool(finer) or not self.sound)

    def _correct(self) -> None:
        better = self._found.corrected
        if better is not None:
            self._attach(self._column, better, f"Correct the intervals of “{self._column}”")

    def _build(self) -> None:
        session, column = self._document.session, self._column
        self._document.runner.start(
            "Building the hierarchy",
            session.data.hierarchy_suggester([column]),
            on_done=partial(self._take, session, column, self._document.project.hierarchies[column]),
            owner=self,
            key=REPAIR_JOB,
            latest_wins=True,
        )

    def _take(self, session: Session, column: str, before: Hierarchy, made: dict[str, Hierarchy]) -> None:
        if self._document.session is not session or session.project.hierarchies.get(column) is not before:
            return  # it was given another meanwhile
        if column in made:
            self._attach(column, made[column], f"Make the hierarchy of “{column}” anew by rule")
        else:
            self._document.noted.emit("warning", "The rule covers no value of the column. Build it in another way.")

    def _attach(self, column: str, hierarchy: Hierarchy, text: str) -> None:
        self._document.apply(text, lambda session: session.data.attach_hierarchies({column: hierarchy}))
