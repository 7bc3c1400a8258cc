"""The statement that goes with a file of pseudonyms: what was done, and that it makes nobody anonymous."""

from __future__ import annotations

from collections.abc import Sequence

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
    """What is to be said of a file in which these columns hold pseudonyms, and from which those were left out.

    Parameters
    ----------
    facts
        What is known of the file itself: its name, its digest and its rows.
    """
    named = (
        ("Pseudonyms in", ", ".join(f"“{name}”" for name in columns)),
        ("Left out", ", ".join(f"“{name}”" for name in left_out) or "no column"),
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
    )
