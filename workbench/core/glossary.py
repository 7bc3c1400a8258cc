"""The words of the program, as `docs/glossary.md` explains them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from workbench.core.errors import WorkbenchError
from workbench.core.paths import shipped_docs


@dataclass(frozen=True)
class GlossaryPart:
    """One part of the glossary: its heading, and its words, each with its meaning."""

    heading: str
    words: tuple[tuple[str, str], ...]


def glossary() -> tuple[GlossaryPart, ...]:
    """All parts, in their order, as plain text.

    Raises
    ------
    WorkbenchError
        If the installation is incomplete.
    """
    path = shipped_docs() / "glossary.md"
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise WorkbenchError("The glossary cannot be read.", hint="Install the program again.") from error
    return parts_of(text)


def parts_of(text: str) -> tuple[GlossaryPart, ...]:
    """The parts of a glossary in Markdown: under each heading a table of words and meanings, and more columns."""
    parts = []
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        heading, *lines = section.splitlines()
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
        # The first two lines of a table are its head.
        words = tuple((_plain(row[0]), _plain(row[1])) for row in rows[2:] if len(row) > 1)
        if words:
            parts.append(GlossaryPart(_plain(heading), words))
    return tuple(parts)


def _plain(text: str) -> str:
    """Markdown without its signs."""
    return re.sub(r"\*\*|`|(?<!\w)\*|\*(?!\w)", "", text).strip()
