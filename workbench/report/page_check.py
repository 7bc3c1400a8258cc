"""Pages that go with no release whose rows can be counted: of entries of a ledger, and of files with pseudonyms.

Such a page can be checked as far as every word of it follows from what it holds for programs, and that from nothing
else. Whoever changes both alike has written a page of their own, as with any statement that is not signed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import date
from html import escape, unescape
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.json_values import named, read_json
from workbench.report.certificate import certificate_from
from workbench.report.certificate_page import FORMAT, VERSION, Certificate
from workbench.report.certified_entry import ENTRY, CertifiedEntry
from workbench.report.page import EMBEDDED, Dissected, dissected, one_line_end
from workbench.report.page_faults import page_faults
from workbench.report.pseudonym_statement import (
    PSEUDONYMS,
    TITLE,
    certificate_again,
    fixed_words,
    refuse_of_pseudonyms,
)
from workbench.report.publisher import PUBLISHER, publisher_of

_MALFORMED = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)
_COMMON = ("format", "version", "program", "date")


class PageAltered(WorkbenchError):
    """A page whose words are not those that the facts in it give.

    Parameters
    ----------
    name
        That of its file.
    faults
        What is otherwise.
    """

    def __init__(self, name: str, faults: tuple[str, ...]) -> None:
        self.name, self.faults = name, faults
        super().__init__(
            f"“{name}” is NOT a page as this program writes it: {' '.join(faults)}",
            hint="Do not rely on it. Ask the publisher for it anew, by another way than it came.",
            field="statement",
        )


class PageOnly(WorkbenchError):
    """A page that is as this program writes it, and is about nothing that can be counted again.

    Parameters
    ----------
    name
        That of its file.
    title, sentence
        What it is, and what it promises.
    holds
        Whether it promises something.
    """

    def __init__(self, name: str, certificate: Certificate) -> None:
        self.title, self.sentence, self.holds = certificate.title, certificate.sentence, certificate.holds
        super().__init__(
            f"“{name}” is a {self.title[0].lower()}{self.title[1:]}. It says: “{self.sentence}” Every word of it "
            "follows from the facts in it. No file is held against such a page, so nothing more can be checked.",
            hint="It is not signed, so who wrote it is not known, nor whether the facts are true: compare it with the "
            "publisher’s ledger.",
            field="statement",
        )


def refuse_page(name: str, text: str) -> None:
    """Say of a page that is no statement on a release what it is, and whether its words are the program's.

    Parameters
    ----------
    name
        That of its file.
    text
        The page, or anything else; of that nothing is said.

    Raises
    ------
    PageAltered
        If a word of it is another one than follows from the facts in it.
    OfPseudonyms, PageOnly
        If it is as this program writes it.
    """
    plain = _embedded(text)
    if plain is not None:
        certificate = _of_facts(name, text, plain)
        refuse_of_pseudonyms(name, text)
        raise PageOnly(name, certificate)
    if f"<h1>{escape(TITLE)}</h1>" in text:
        # Nothing for programs stands in it, at the place where that is looked for.
        taken = dissected(text.replace("</main></body>", f"</main>{EMBEDDED}</script></body>"), TITLE)
        version = re.match("<footer>Written by anonymisation workbench (.*) on ", taken.footer)
        _refuse_altered(name, taken, fixed_words(taken.body), "" if version is None else unescape(version[1]), None)
        refuse_of_pseudonyms(name, text)


def _embedded(text: str) -> Mapping[str, Any] | None:
    """The content for programs of a page of this kind; None if it is of another kind."""
    inner = dissected(text, "").embedded
    if f'"{FORMAT}"' not in inner:
        return None
    try:
        plain = named(read_json(inner))
    except _MALFORMED:
        return None
    return plain if plain.get("format") == FORMAT else None


def _of_facts(name: str, text: str, plain: Mapping[str, Any]) -> Certificate:
    if type(plain.get("version")) is int and plain["version"] > VERSION:
        raise WorkbenchError(
            f"“{name}” was written by a newer version of the program.",
            hint="Verify it with that one.",
            field="statement",
        )
    try:
        certificate = _certificate(plain)
        publisher = publisher_of(plain)
        own = {key: value for key, value in plain.items() if key not in (*_COMMON, PUBLISHER)}
        # To Python, true is 1 and 1.0 as well.
        if (
            type(plain["version"]) is not int
            or plain["version"] != certificate.version
            or not _same(certificate.known, own)
        ):
            raise ValueError("they hold more than belongs to them, or less")
        if not re.fullmatch(r"\d+(\.\d+)*[a-z0-9.+-]{0,40}", plain["program"]):
            raise ValueError("the version of the program is none")
        if date.fromisoformat(plain["date"]).isoformat() != plain["date"]:
            raise ValueError("the day is none")
        body = one_line_end(certificate.body(publisher))
        taken, version, day = dissected(text, certificate.title), plain["program"], plain["date"]
    except (WorkbenchError, *_MALFORMED) as error:
        why = f"“{error.args[0]}” is missing" if isinstance(error, KeyError) else str(error)
        raise PageAltered(name, (f"The facts in it are not as this program writes them: {why}.",)) from error
    _refuse_altered(name, taken, body, version, day)
    return certificate


def _same(known: object, own: object) -> bool:
    """Whether two values are written alike in JSON, whatever the order of their names."""
    one, other = (json.dumps(value, sort_keys=True, default=_plain) for value in (known, own))
    return one == other


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError("they hold something that is no JSON")


def _certificate(plain: Mapping[str, Any]) -> Certificate:
    if plain["about"] == PSEUDONYMS:
        return certificate_again(plain)
    if plain["about"] == ENTRY:
        return certificate_from(CertifiedEntry.from_json(plain), plain["version"])
    raise ValueError("it is about nothing that this program writes of")


def _refuse_altered(name: str, taken: Dissected, body: str, version: object, day: object) -> None:
    if faults := page_faults(name, taken, body, version, day):
        raise PageAltered(name, tuple(dict.fromkeys(faults)))
