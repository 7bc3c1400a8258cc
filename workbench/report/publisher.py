"""The words of a publisher in a statement, beside those of the program: a name, a logo, own sentences.

None of it is checked, and nothing that is promised rests on it. So it stands in a place of its own under a heading that
says whose it is, as text without any marks; it takes nothing away from the statement, whose text stays between.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any, Self

from workbench.core.errors import WorkbenchError
from workbench.core.json_values import named, text, texts
from workbench.core.paths import followed
from workbench.core.visible import visible
from workbench.io.atomic import atomic_write
from workbench.io.json_file import read_json_file
from workbench.io.logo import Logo, read_logo
from workbench.report.page import section

PUBLISHER = "publisher"
"""The key of the publisher in a note."""
WITH_PUBLISHER = 8
"""The version of notes that hold it; programs that know no such notes say so, and take it for nothing else."""
LONGEST_NAME, LONGEST_SENTENCE, MOST_SENTENCES = 120, 600, 12
_LARGEST_FILE = 1 << 20
_WIDEST, _HIGHEST = 260, 72
"""Pixels of a logo in a page."""
_QUOTES = frozenset('"“”„«»')
"""Would end the name where it is quoted."""


@dataclass(frozen=True)
class Publisher:
    """The publisher, in their own words.

    Parameters
    ----------
    institution
        Their name.
    sentences
        What they say.
    contact
        How they are reached; "" for nothing.
    logo
        Their logo; None for none.

    Raises
    ------
    ValueError
        If something is missing, too long, or could be taken for something else; in words that fit behind a colon.
    """

    institution: str
    sentences: tuple[str, ...] = ()
    contact: str = ""
    logo: Logo | None = None

    def __post_init__(self) -> None:
        _check_line(self.institution, "the institution", LONGEST_NAME)
        if _QUOTES & set(self.institution):
            raise ValueError("the institution has quotation marks, and is quoted itself")
        if len(self.sentences) > MOST_SENTENCES:
            raise ValueError(f"there are {len(self.sentences):,} sentences, and at most {MOST_SENTENCES} fit")
        for number, one in enumerate(self.sentences, start=1):
            _check_line(one, f"sentence {number}", LONGEST_SENTENCE)
        if self.contact:
            _check_line(self.contact, "the contact", LONGEST_NAME)

    @classmethod
    def from_json(cls, plain: object) -> Self:
        """The publisher that `to_json` wrote.

        Raises
        ------
        ValueError, TypeError, KeyError
            If it is not as this program writes it.
        """
        given = dict(named(plain, "the publisher"))
        made = cls(
            text(given["institution"], "the institution"),
            texts(given["sentences"], "the sentences"),
            text(given["contact"], "the contact"),
            None if given["logo"] is None else Logo.from_text(text(given["logo"], "the logo")),
        )
        if made.to_json() != given:
            raise ValueError("it holds more than belongs to it")
        return made

    def to_json(self) -> dict[str, Any]:
        """As a note holds it."""
        return {
            "institution": self.institution,
            "contact": self.contact,
            "sentences": list(self.sentences),
            "logo": None if self.logo is None else self.logo.text,
        }

    @property
    def heading(self) -> str:
        """Says whose the words are."""
        return f"Words of “{self.institution}”, not of the workbench"

    @property
    def not_checked(self) -> str:
        """The notice to whoever verifies of what is not checked."""
        also = "" if self.logo is None else " and the logo"
        return f"The words{also} of “{self.institution}” at the top and the end, on which nothing that is stated rests."

    def around(self, statement: str, published: str = "file") -> str:
        """A statement as HTML with the name and the logo before it and the words behind it.

        Parameters
        ----------
        published
            What they published, in a word.
        """
        said = "".join(f"<p>{escape(one)}</p>" for one in (*self.sentences, *self._contact))
        quoted = f"<blockquote>{said}</blockquote>" if said else ""
        return f"{self._top()}{statement}{section(self.heading, f'<p>{escape(self._whose(published))}</p>{quoted}')}"

    @property
    def _contact(self) -> tuple[str, ...]:
        return (f"Contact: {self.contact}",) if self.contact else ()

    def _top(self) -> str:
        logo, drawn = self.logo, ""
        if logo is not None:
            shrunk = min(1.0, _WIDEST / logo.width, _HIGHEST / logo.height)
            width, height = (max(1, round(side * shrunk)) for side in (logo.width, logo.height))
            words = escape(f"Logo of {self.institution}")
            drawn = f'<p><img src="{logo.text}" width="{width}" height="{height}" alt="{words}"></p>'
        return f"{drawn}<p>Published by {escape(self.institution)}</p>"

    def _whose(self, published: str) -> str:
        chosen = "the name" if self.logo is None else "the name and the logo"
        wrote = " and wrote the lines below" if self.sentences or self.contact else ""
        return (
            f"Whoever published this {published} chose {chosen} at the top{wrote}. The program checked none of it. "
            "What it states is the text between, and nothing of that rests on these words."
        )


@dataclass(frozen=True)
class PublisherTemplate:
    """The words of a publisher, and the file they were read from.

    Parameters
    ----------
    publisher
        Their words.
    logo
        The file of their logo; None for none.
    file
        The file of the template; None for one that is in no file.
    """

    publisher: Publisher
    logo: Path | None = None
    file: Path | None = None

    @property
    def files(self) -> tuple[Path, ...]:
        """All that was read for it, which nothing may be written over."""
        return tuple(path for path in (self.file, self.logo) if path is not None)


def read_template(path: Path) -> PublisherTemplate:
    """The template in a file of JSON: `institution`, and if wanted `sentences`, `contact` and `logo`.

    The logo is named as a file, PNG or JPEG, whose place counts from the folder of the template.

    Raises
    ------
    WorkbenchError
        If it cannot be read, or something in it cannot stand in a statement.
    """
    plain = read_json_file(path, field="template", most=_LARGEST_FILE)
    return replace(template_of(plain, path.parent, f"“{path.name}” is no template"), file=path)


def template_of(plain: object, folder: Path, refused: str = "This cannot stand in a statement") -> PublisherTemplate:
    """The template with these entries, as a file has them.

    Parameters
    ----------
    folder
        From which the place of the logo counts.
    refused
        How a refusal begins.

    Raises
    ------
    WorkbenchError
        If something in it cannot stand in a statement, or the logo cannot be read.
    """
    try:
        given = named(plain, "it")
        for name in given:
            if name not in _ENTRIES:
                raise ValueError(f"there is no entry “{visible(name)}” in templates")
        if "institution" not in given:
            raise ValueError("the institution is missing")
        words = Publisher(
            _tidy(text(given["institution"], "the institution")),
            tuple(map(_tidy, texts(given.get("sentences", []), "the sentences"))),
            _tidy(text(given.get("contact", ""), "the contact")),
        )
        logo = text(given.get("logo", ""), "the logo")
        if "\0" in logo:
            raise ValueError("the logo is named as no file can be")
    except (ValueError, TypeError) as error:
        raise WorkbenchError(
            f"{refused}: {error}.",
            hint='A template is JSON such as {"institution": "Office of Statistics", "sentences": ["We answer '
            'questions."], "contact": "data@office.example", "logo": "logo.png"}.',
            field="template",
        ) from error
    if not logo:
        return PublisherTemplate(words)
    place = folder / logo
    return PublisherTemplate(replace(words, logo=read_logo(place)), place)


def save_template(path: Path, template: PublisherTemplate) -> PublisherTemplate:
    """Write a template into a file, from which the place of its logo counts if that lies below; returns it with that.

    Raises
    ------
    WorkbenchError
        If it cannot be written, or would take the place of its logo or of another file that is read.
    """
    words, logo = template.publisher, template.logo
    entries: dict[str, Any] = {"institution": words.institution, "sentences": list(words.sentences)}
    if words.contact:
        entries["contact"] = words.contact
    if logo is not None:
        below = followed(logo).is_relative_to(followed(path.parent))
        entries["logo"] = followed(logo).relative_to(followed(path.parent)).as_posix() if below else str(followed(logo))
    with atomic_write(path, protected=() if logo is None else (logo,)) as stream:
        stream.write((json.dumps(entries, ensure_ascii=False, indent=1) + "\n").encode())
    return replace(template, file=path)


_ENTRIES: Collection[str] = ("institution", "sentences", "contact", "logo")


def with_publisher(facts: Mapping[str, Any], publisher: Publisher | None) -> dict[str, Any]:
    """A note in which the publisher speaks too."""
    if publisher is None:
        return dict(facts)
    return {**facts, "version": max(facts["version"], WITH_PUBLISHER), PUBLISHER: publisher.to_json()}


def publisher_of(facts: Mapping[str, Any]) -> Publisher | None:
    """Who speaks in a note beside the program.

    Raises
    ------
    ValueError, TypeError, KeyError
        If it is not as this program writes it.
    """
    return Publisher.from_json(facts[PUBLISHER]) if PUBLISHER in facts else None


def _tidy(said: str) -> str:
    """Without blanks at the ends or several together, which a page shows as one."""
    return " ".join(filter(None, said.split(" ")))


def _check_line(said: str, what: str, most: int) -> None:
    if not said:
        raise ValueError(f"{what} is empty")
    if visible(said) != said or "\t" in said or any(0xD800 <= ord(sign) < 0xE000 for sign in said):
        raise ValueError(f"{what} has a sign that is not shown, or an end of a line: “{visible(said)[:80]}”")
    if said != " ".join(said.split()):
        raise ValueError(f"{what} has blanks at its ends or several together")
    if len(said) > most:
        raise ValueError(f"{what} has {len(said):,} characters, and at most {most:,} fit")
