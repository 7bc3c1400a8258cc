"""The publisher's words as they are typed: put together, kept in a template, and read from one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from workbench.core.errors import WorkbenchError
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


def named_publisher(template: PublisherTemplate | None, name: str) -> PublisherTemplate | None:
    """The same words under another name; None where nobody is named, and nothing else is said.

    Raises
    ------
    WorkbenchError
        If the name cannot stand in a statement, or is missing where there are other words.
    """
    words = None if template is None else template.publisher
    if template is None or words is None or not (words.sentences or words.contact or words.logo):
        return words_typed(name, "", "", "")
    if name.strip() == words.institution:
        return template
    try:
        return replace(template, publisher=replace(words, institution=" ".join(name.split())))
    except ValueError as error:
        raise WorkbenchError(
            f"This cannot stand in a statement: {error}.",
            hint="“Name…” changes the other words, too.",
            field="template",
        ) from None
