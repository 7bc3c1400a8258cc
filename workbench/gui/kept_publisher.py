"""The words of who publishes are remembered from one start to the next, and proposed for releases of any project."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from workbench.core.errors import WorkbenchError
from workbench.gui.document import Document
from workbench.gui.settings import WindowSettings

if TYPE_CHECKING:
    from workbench.report.publisher import PublisherTemplate

_KEY = "published by"


def keep_publisher(document: Document, settings: WindowSettings) -> None:
    """Propose whoever was named last, and remember who is named from now on, with contact and sentences.

    A logo is not remembered, as its file may be gone: templates keep it.
    """
    document.session.propose_to_speak_as(_remembered(settings))
    document.changed.connect(partial(_remember, document, settings, [document.session.state.words]))


def _remember(document: Document, settings: WindowSettings, last: list[PublisherTemplate | None], section: str) -> None:
    """Write what is said in this window when it is changed there, so that another window loses nothing by it."""
    words = document.session.state.words
    if section == "result" and words != last[0]:
        last[0] = words
        settings.set_value(_KEY, None if words is None else _stored(words))


def _stored(words: PublisherTemplate) -> dict[str, Any]:
    said = words.publisher
    return {"institution": said.institution, "contact": said.contact, "sentences": list(said.sentences)}


def _remembered(settings: WindowSettings) -> PublisherTemplate | None:
    """What was said last; None for nothing, and where somebody edited the file into something else."""
    kept = settings.value(_KEY)
    if kept is None:
        return None
    # What statements need is not loaded for the first page of whoever named nobody.
    from workbench.session.publishing import named_publisher, words_typed

    try:
        if isinstance(kept, str):  # earlier programs kept the name alone
            return named_publisher(None, kept)
        if not isinstance(kept, dict):
            return None
        lines = kept.get("sentences")
        said = [line for line in lines if isinstance(line, str)] if isinstance(lines, list) else []
        institution, contact = (str(kept.get(part) or "") for part in ("institution", "contact"))
        return words_typed(institution, contact, "", "\n".join(said))
    except WorkbenchError:
        settings.set_value(_KEY, None)
        return None
