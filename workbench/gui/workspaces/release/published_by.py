"""A field for who publishes, which stands at the top of the statement: it may stay empty, and is remembered."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QLineEdit, QWidget

from workbench.core.errors import WorkbenchError
from workbench.gui.document import Document
from workbench.gui.widgets import boxes
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.report.publisher import LONGEST_NAME
from workbench.session.publishing import named_publisher


class PublishedBy(QWidget):
    """The name is that of the words of the publisher, if there are more."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.field = QLineEdit()
        self.field.setMaxLength(LONGEST_NAME)
        self.field.setAccessibleName("Published by")
        self.field.setPlaceholderText("optional: names nobody")
        self.field.editingFinished.connect(self.take)
        set_explain(self.field, "release.publisher")
        title = label("Published by")
        title.setBuddy(self.field)
        boxes.row(title, (self.field, 1), spacing="s", inside=self)

    def show_name(self) -> None:
        """Show who is named now, unless somebody is typing."""
        if self.field.hasFocus() and self.field.isModified():
            return
        publisher = self._document.session.publisher
        with QSignalBlocker(self.field):
            self.field.setText("" if publisher is None else publisher.institution)

    def take(self) -> None:
        """Name whoever was typed; what cannot stand in a statement is said, and changes nothing."""
        if not self.field.isModified():
            return
        self.field.setModified(False)
        template = self._document.session.state.template
        try:
            found = named_publisher(template, self.field.text())
        except WorkbenchError as error:
            self._document.failed.emit(error)
            self.show_name()
            return
        if found != template:
            self._document.speak_as(found)
