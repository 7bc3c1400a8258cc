"""The publisher's words as they are typed: put together, kept in a template, and read from one."""

from __future__ import annotations

from pathlib import Path

from workbench.core.paths import typed_path
from workbench.report.publisher import PublisherTemplate, read_template, save_template, template_of


def words_typed(institution: str, contact: str, logo: str, sentences: str) -> PublisherTemplate | None:
    """The template of a publisher as it was typed; None if nothing was.

    Parameters
    ----------
    logo
        A file; "" for none.
    sentences
        One in each line; empty lines count for nothing.

    Raises
    ------
    WorkbenchError
        If something cannot stand in a statement, or the logo cannot be read.
    """
    said = [line.strip() for line in sentences.split("\n") if line.strip()]
    typed = {"institution": institution.strip(), "contact": contact.strip(), "sentences": said}
    if not (any(typed.values()) or logo.strip()):
        return None
    place = str(typed_path(logo.strip())) if logo.strip() else ""
    return template_of({**typed, "logo": place}, Path.home())


def words_in(path: Path) -> PublisherTemplate:
    """Those of a template. See `read_template`."""
    return read_template(path)


def keep_words(path: Path, template: PublisherTemplate) -> PublisherTemplate:
    """Write a template. See `save_template`."""
    return save_template(path, template)
