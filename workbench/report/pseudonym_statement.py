"""The statement that goes with a file of pseudonyms: what was done, and that it makes nobody anonymous."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape, unescape
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.json_values import listed, texts
from workbench.core.visible import visible
from workbench.report.certificate_page import Certificate

TITLE = "Statement on a file with pseudonyms"
NOT_CLAIMED = "This file is not anonymous: its rows are personal data, and nothing is claimed of it."
WHY = (
    "A pseudonym is a function of one person's value, so whether a row is there, and what stands in it, can be read "
    "off the file. No (ε, δ) can hold of that, and none is claimed.",
    "All rows with the same pseudonym belong together, and a person can be singled out by them. So k-anonymity, "
    "ℓ-diversity and t-closeness are not claimed either, whatever groups the other columns form.",
)
LINKAGE = (
    "The same key gives the same value the same pseudonym, in every file: whoever has several can link their rows.",
    "Whoever has the key can compute the pseudonym of anybody whose value they know, and so find that person's rows.",
    "How often a pseudonym occurs, and the other columns of its rows, may tell whom it stands for without any key.",
    "Columns without pseudonyms are as they were in the data.",
)
PSEUDONYMS = "pseudonyms"
"""The kind of a page about a file with pseudonyms, for programs."""
_IN, _LEFT_OUT = "Pseudonyms in", "Left out"
_OF_FILE = ("File", "SHA-256", "Rows")
_LONGEST = 300
"""Of what a page says that anybody may have written, so many characters are told."""
_KEY = (
    "Who keeps the key must keep it apart from this file; whoever receives the file must not have it.",
    "Destroying every copy of the key does not make the file anonymous while the other columns can point at somebody.",
)
_LAW = (
    "In the European Union data that has been pseudonymised is still data about an identifiable person (Regulation "
    "(EU) 2016/679, Article 4(5) and recital 26), and needs a ground for being passed on.",
)


def pseudonym_certificate(
    columns: Sequence[str], left_out: Sequence[str], facts: Sequence[tuple[str, str]] = ()
) -> Certificate:
    """The certificate of a file in which these columns hold pseudonyms, and from which those were left out.

    Parameters
    ----------
    facts
        What is known of the file itself: its name, its digest and its rows.
    """
    named = (
        (_IN, ", ".join(f"“{name}”" for name in columns)),
        (_LEFT_OUT, ", ".join(f"“{name}”" for name in left_out) or "no column"),
        ("How", "HMAC-SHA-256 with a key of 256 bits, shortened to 100 bits"),
        ("Order of rows", "by their content, and not as in the data"),
    )
    return Certificate(
        TITLE,
        False,
        NOT_CLAIMED,
        "Names were replaced by pseudonyms with a secret key. That keeps those who read the file from seeing names; it "
        "keeps nobody from finding a person by other means.",
        (*facts, *named),
        (
            ("What is not claimed, and why", WHY),
            ("What remains possible", LINKAGE),
            ("The key", _KEY),
            ("What follows", _LAW),
        ),
        {
            "about": PSEUDONYMS,
            "columns": list(columns),
            "left_out": list(left_out),
            "facts": [list(pair) for pair in facts],
        },
    )


def certificate_again(plain: Mapping[str, Any]) -> Certificate:
    """The statement that follows from what its page holds for programs.

    Raises
    ------
    ValueError, TypeError, KeyError
        If that is not as this program writes it.
    """
    facts = [texts(pair) for pair in listed(plain["facts"])]
    if [pair[0] for pair in facts] != list(_OF_FILE[: len(facts)]) or any(len(pair) != 2 for pair in facts):
        raise ValueError("the facts of the file are others than a statement has")
    return pseudonym_certificate(
        texts(plain["columns"]), texts(plain["left_out"]), [(name, said) for name, said in facts]
    )


def fixed_words(page: str) -> str:
    """The words that must stand in a page that holds nothing for programs, as earlier versions wrote it.

    What the page says of the file and of its columns is taken from it; every other word is the program's, but those
    of the publisher.
    """
    made = pseudonym_certificate((), ()).body()
    row = re.compile("<tr><th scope=row>(.*?)</th><td>(.*?)</td></tr>", re.DOTALL)
    made = pseudonym_certificate((), ()).body()
    fixed = dict(row.findall(made))
    said = dict(row.findall(page))
    names = [*(name for name in _OF_FILE if name in said), *fixed]
    free = {name: escape(unescape(said[name])) for name in (*_OF_FILE, _IN, _LEFT_OUT) if name in said}
    rows = "".join(f"<tr><th scope=row>{name}</th><td>{free.get(name, fixed.get(name))}</td></tr>" for name in names)
    return re.sub("<tbody>.*</tbody>", lambda _: f"<tbody>{rows}</tbody>", made, flags=re.DOTALL)


class OfPseudonyms(WorkbenchError):
    """A refusal to verify a statement on a file with pseudonyms, which promises nothing."""


def refuse_of_pseudonyms(name: str, page: str) -> None:
    """Say of a statement on a file with pseudonyms what was made, and that there is no promise to verify.

    Whether its words are those of the program is for `page_check` to find.

    Parameters
    ----------
    name
        That of the statement's file.
    page
        The statement as HTML, or anything else.

    Raises
    ------
    OfPseudonyms
        If it is one.
    """
    if f"<h1>{escape(TITLE)}</h1>" not in page:
        return
    columns, left_out, file, digest = (_fact(page, one) for one in (_IN, _LEFT_OUT, "File", "SHA-256"))
    raise OfPseudonyms(
        f"“{name}” is a statement on a file with pseudonyms. Nothing is promised of such a file, so there is no "
        f"promise to verify. It says that pseudonyms stand in {columns}, that {left_out} was left out, and that the "
        f"file is {file} with the SHA-256 {digest}.",
        hint="Treat the file as personal data: rows with the same pseudonym belong together, files made with the same "
        "key can be linked, and whoever has the key, or knows enough of the other columns, can find a person. Compare "
        "the SHA-256 to see whether the file is the one that was made.",
        field="statement",
    )


def _fact(page: str, name: str) -> str:
    found = re.search(f"<tr><th scope=row>{re.escape(escape(name))}</th><td>(.*?)</td>", page, re.DOTALL)
    return "what it does not say" if found is None else visible(unescape(found[1]))[:_LONGEST]
