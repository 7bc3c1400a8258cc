"""A field for who publishes, which stands at the top of the statement: it may stay empty, and is remembered.

Whoever is remembered from another project is only proposed, until a statement with the name is exported.
"""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.visible import visible
from workbench.gui.document import Document
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.report.publisher import LONGEST_NAME
from workbench.session.export import Exported
from workbench.session.publishing import named_publisher

_NOBODY = "leave empty to name nobody"
_IS_TYPED = (
    "The name stands at the top of the statement. It is typed, not signed: only a signature proves whom a file comes "
    "from, with Sign below More once it is exported."
)
_LEFT = "Exported with it."
_LEFT_NOBODY = "Exported without a name."
_OTHERWISE = "“{0}” was exported and names {1}: export it again, and it says what stands here."


def who_is_named(left: Exported) -> str:
    """Whom the statement of an export names, in a sentence."""
    return "nobody" if left.publisher is None or not left.publisher.institution else f"“{left.publisher.institution}”"


class PublishedBy(QWidget):
    """The name is that of the words of the publisher, if there are more.

    Signals
    -------
    change_wanted()
        It is only read, and another is to be named.
    """

    change_wanted = Signal()

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.field = QLineEdit()
        self.field.setMaxLength(LONGEST_NAME)
        self.field.setAccessibleName("Published by")
        self.field.setPlaceholderText(_NOBODY)
        self.field.setToolTip(_IS_TYPED)
        self.field.editingFinished.connect(self.take)
        set_explain(self.field, "release.publisher")
        title = label("Published by")
        title.setBuddy(self.field)
        self.proposed = label("Remembered from before; Export confirms it here.", muted=True, small=True, wrap=True)
        self.proposed.setToolTip(
            "This name was used before. In this project it stands nowhere yet: exporting a statement with it names it "
            "here, and typing another, or none, does away with it."
        )
        named = boxes.row(title, (self.field, 1), spacing="s")
        self.otherwise = label(small=True, wrap=True, tone="warning")
        self._as_left = label(small=True, muted=True, wrap=True)
        self.change = push_button(
            "Change and export again", self.change_wanted, name="Change who publishes, and export again", inline=True
        )
        self.fixed = boxes.boxed(boxes.row((self._as_left, 1), self.change, spacing="s"))
        self.fixed.hide()
        boxes.column(named, self.proposed, self.otherwise, self.fixed, spacing="xs", inside=self)
        self.proposed.hide()
        self.otherwise.hide()
        self._left: Exported | None = None

    def show_name(self, left: Exported | None = None) -> None:
        """Show who is named now, unless somebody is typing.

        Parameters
        ----------
        left
            What was exported with another name, or none: the change is not in those files.
        """
        self._left = left
        self.otherwise.setText(
            "" if left is None else visible(_OTHERWISE.format(left.targets.path.name, who_is_named(left)))
        )
        self.otherwise.setHidden(left is None)
        if self.field.hasFocus() and self.field.isModified():
            return
        session = self._document.session
        with QSignalBlocker(self.field):
            self.field.setText("" if session.publishing is None else session.publishing.institution)
            self.field.setCursorPosition(0)  # of a long name the beginning is seen
        only = session.publishing is not None and session.publisher is None
        self.proposed.setVisible(only)
        self.field.setAccessibleDescription(self.proposed.text() if only else "")

    def show_fixed(self, left: Exported | None) -> None:
        """Let it only be read while it is that of an export, which no typing changes; None lets it be written."""
        fixed = left is not None
        if left is not None:
            named = left.publisher is not None and left.publisher.institution and left.targets.beside
            self._as_left.setText(_LEFT if named else _LEFT_NOBODY)
        self.fixed.setVisible(fixed)
        self.field.setReadOnly(fixed)
        self.field.setPlaceholderText("nobody" if fixed else _NOBODY)

    def take(self) -> None:
        """Name whoever was typed; what cannot stand in a statement is said, and changes nothing."""
        if not self.field.isModified():
            return
        self.field.setModified(False)
        state = self._document.session.state
        proposed, name = state.template is None, self.field.text()
        try:
            # Where nobody was named yet, an empty field does away with all that is proposed.
            found = named_publisher(state.words, name) if name.strip() or not proposed else None
        except WorkbenchError as error:
            self._document.failed.emit(error)
            self.show_name(self._left)
            return
        if found != state.template or state.proposed is not None:
            self._document.speak_as(found)
