"""The name of who publishes is remembered from one start to the next: it changes neither with the table nor the day."""

from __future__ import annotations

from functools import partial

from workbench.core.errors import WorkbenchError
from workbench.gui.document import Document
from workbench.gui.settings import WindowSettings
from workbench.session.publishing import named_publisher

_KEY = "published by"


def keep_publisher(document: Document, settings: WindowSettings) -> None:
    """Name whoever was named last, and remember who is named from now on; other words are kept in templates."""
    name = settings.value(_KEY)
    if isinstance(name, str) and name:
        try:
            document.session.speak_as(named_publisher(None, name))
        except WorkbenchError:
            settings.set_value(_KEY, None)  # somebody edited the file
    document.changed.connect(partial(_remember, document, settings))


def _remember(document: Document, settings: WindowSettings, section: str) -> None:
    if section == "result":
        publisher = document.session.publisher
        settings.set_value(_KEY, None if publisher is None else publisher.institution)
