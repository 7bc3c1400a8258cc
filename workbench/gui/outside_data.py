"""The question whether data that a project names outside its own folder is to be opened."""

from __future__ import annotations

from PySide6.QtCore import QObject

from workbench.gui.document import Document
from workbench.gui.messages import MessageBar

_KEY = "data outside the project's folder"


class OutsideNotice(QObject):
    """A project may come from anybody and name any file: it is read when the person wants it to be."""

    def __init__(self, document: Document, messages: MessageBar, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document, self._messages = document, messages
        document.outside.connect(self._ask)

    def _ask(self, data: str) -> None:
        session = self._document.session

        def agree() -> None:
            if self._document.session is session:
                self._document.open_named_data()

        self._messages.warning(
            f"This project opens {data}, outside its own folder.",
            "It was not opened on this computer before, and nothing of it was read yet.",
            action="Open the data",
            callback=agree,
            other_action="Leave it",
            other_callback=lambda: None,
            key=_KEY,
        )
