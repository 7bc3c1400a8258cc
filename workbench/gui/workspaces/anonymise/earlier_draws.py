"""Earlier draws of the data, and which of them have left: another may make the statement of such a one untrue."""

from __future__ import annotations

from workbench.core.visible import visible
from workbench.gui.document import Document


class EarlierDraws:
    """The draws of the data that is open, made here or in a window closed since."""

    def __init__(self, document: Document) -> None:
        self._document = document

    @property
    def are_there(self) -> bool:
        """Whether the data was drawn of before, so that a draw adds to it."""
        session = self._document.session
        return session.data.loaded is not None and session.ledger.draws(session.data.fingerprint) > 0

    @property
    def shown_has_left(self) -> bool:
        """Whether the one that is shown was exported since the data was opened, as it is to be written now."""
        release = self._document.session.release
        return release.result is not None and release.left_as_it_is(release.result) is not None

    @property
    def left(self) -> tuple[str, ...]:
        """The files of those that have left, whose statements know no later draw."""
        session = self._document.session
        return session.ledger.left_names(session.data.fingerprint) if session.data.loaded is not None else ()

    @property
    def warning(self) -> str:
        """What another draw does to the statement of one that has left; "" where none has."""
        names = self.left
        if not names:
            return ""
        return visible(
            f"“{names[-1]}” was exported, and its statement knows no later draw. If anybody has it, draw no more."
        )
