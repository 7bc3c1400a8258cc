"""The settings of the room: the question, privacy and people, protocols, and how is estimated."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QWidget

from workbench.gui.document import Document
from workbench.gui.widgets import boxes
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.widgets.problems import problem_in
from workbench.gui.workspaces.collect.asked_now import AskedNow
from workbench.gui.workspaces.collect.people_section import EstimateSection, PrivacySection
from workbench.gui.workspaces.collect.protocols_section import ProtocolsSection
from workbench.gui.workspaces.collect.question_section import CollectQuestionSection


class AskedForm(QWidget):
    """The settings of the room below each other; all but the question are there once it is known what is asked."""

    def __init__(
        self,
        document: Document,
        question: CollectQuestionSection,
        protocols: ProtocolsSection,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.question, self.protocols = question, protocols
        self.privacy, self.estimate = PrivacySection(document), EstimateSection(document)
        self._further = (self.privacy, self.protocols, self.estimate)
        for section in self._further:
            section.hide()
        inside = boxes.column(self.question, *self._further, 1, margins="l l s l", spacing="xl")
        boxes.column((boxes.scrolled(inside), 1), inside=self)

    @property
    def numbers(self) -> tuple[NumberField, ...]:
        """The fields of which something is predicted only while each holds a number."""
        return tuple(one for part in (self.privacy, self.estimate) for one in part.findChildren(NumberField))

    def problem_of(self, room: QWidget) -> str:
        """What is wrong with the first field that shows no value in force; "" if nothing is."""
        return problem_in(room, (self.question, *self._further))

    def show_settings(self, asked: AskedNow) -> None:
        """Show the settings of what is asked now."""
        spec = asked.spec
        self.question.only_means = self.estimate.only_means = spec is not None and asked.only_means
        self.question.refresh(asked.domain, asked.problem)
        self.privacy.refresh()
        self.protocols.refresh(asked.domain, spec)
        self.estimate.refresh()
        begins = spec is not None and self.privacy.isHidden()
        for section in self._further:
            section.setVisible(spec is not None)
        if begins:  # else they are squeezed into what is seen until the next event
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
