"""Recognising texts that identify a person by their form: e-mail, telephone, IBAN, card and national numbers.

Where a number has check digits they are checked, so that not every long number is taken for a card.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

MOST = 0.5
"""Share of the texts that must have the form."""

_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}")
_URL = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_TELEPHONE = re.compile(r"(?:\+|00)[1-9][0-9 ()./\-]{5,20}[0-9]|\(0?[1-9][0-9]{1,4}\)[ 0-9./\-]{4,16}[0-9]")
_AMERICAN_TELEPHONE = re.compile(r"(?:1[ .-])?[2-9][0-9]{2}[ .-][2-9][0-9]{2}[ .-][0-9]{4}")
_NATIONAL_TELEPHONE = re.compile(r"0[1-9][0-9]{1,4}[ /-][0-9][0-9 /-]{3,12}[0-9]")
_IBAN = re.compile(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}")
_CARD = re.compile(r"[3-6][0-9]{12,18}")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_MAC = re.compile(r"[0-9a-f]{2}([:-])[0-9a-f]{2}(?:\1[0-9a-f]{2}){4}", re.IGNORECASE)
_AMERICAN = re.compile(r"(?!000|666|9)[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4}")
_BRITISH = re.compile(r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z][0-9]{6}[A-D]")
_ITALIAN = re.compile(r"[A-Z]{6}[0-9]{2}[A-EHLMPRST][0-9]{2}[A-Z][0-9]{3}[A-Z]")
_SPANISH = re.compile(r"[XYZ0-9][0-9]{7}[A-Z]")
_FRENCH = re.compile(r"[12][0-9]{2}(?:0[1-9]|1[0-2]|[2-9][0-9])[0-9][0-9AB][0-9]{8}")
_GREEK = re.compile(r"(?:0[1-9]|[12][0-9]|3[01])(?:0[1-9]|1[0-2])[0-9]{7}")
_SWEDISH = re.compile(r"(?:[0-9]{2})?[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])[-+][0-9]{4}")
_PERSON = re.compile(r"[^\W\d_][^\W\d_.'’-]*(?:[.'’-][^\W\d_]*)*(?:,? [^\W\d_][^\W\d_.'’-]*(?:[.'’-][^\W\d_]*)*){1,3}")
_SPACERS = str.maketrans("", "", " -.")
_SPANISH_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"


@dataclass(frozen=True)
class IdentifierForm:
    """A form that texts may have: what to call them, and the test."""

    title: str
    fits: Callable[[str], bool]


def form_of(texts: Sequence[str]) -> IdentifierForm | None:
    """The form that more than half of the texts have; None if there is no such form."""
    for form in FORMS:
        if texts and sum(map(form.fits, texts)) > MOST * len(texts):
            return form
    return None


def looks_like_a_name(text: str) -> bool:
    """Whether a text has the form of a person's name: two to four words that begin with capitals."""
    return _PERSON.fullmatch(text) is not None and all(word[:1].isupper() for word in text.replace(",", "").split())


def luhn(digits: str) -> bool:
    """Whether the last digit is the check digit of the others by Luhn's rule (ISO/IEC 7812-1)."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        doubled = int(digit) * (1 + place % 2)
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0


def _iban(text: str) -> bool:
    plain = text.replace(" ", "").upper()
    if _IBAN.fullmatch(plain) is None:
        return False
    return int("".join(str(int(letter, 36)) for letter in plain[4:] + plain[:4])) % 97 == 1  # ISO 13616


def _card(text: str) -> bool:
    plain = text.translate(_SPACERS)
    return _CARD.fullmatch(plain) is not None and luhn(plain)


def _national(text: str) -> bool:
    plain = text.translate(_SPACERS).upper()
    return bool(
        _AMERICAN.fullmatch(text)
        or _BRITISH.fullmatch(plain)
        or _ITALIAN.fullmatch(plain)
        or (_SPANISH.fullmatch(plain) and _spanish(plain))
        or (_FRENCH.fullmatch(plain) and _french(plain))
        or (_GREEK.fullmatch(text) and luhn(text))
        or (_SWEDISH.fullmatch(text) and luhn(re.sub("[-+]", "", text)[-10:]))
    )


def _spanish(plain: str) -> bool:
    digits = str("XYZ".find(plain[0])) + plain[1:8] if plain[0] in "XYZ" else plain[:8]
    return _SPANISH_LETTERS[int(digits) % 23] == plain[8]


def _french(plain: str) -> bool:
    body = plain[:13].replace("2A", "19").replace("2B", "18")
    if not body.isdecimal() or not plain[13:].isdecimal():
        return False
    return 97 - int(body) % 97 == int(plain[13:])


def _address(text: str) -> bool:
    if text.count(".") != 3 and ":" not in text:
        return False
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def _telephone(text: str) -> bool:
    return any(pattern.fullmatch(text) for pattern in (_TELEPHONE, _AMERICAN_TELEPHONE, _NATIONAL_TELEPHONE))


FORMS = (
    IdentifierForm("e-mail addresses", lambda text: _EMAIL.fullmatch(text) is not None),
    IdentifierForm("bank account numbers (IBAN)", _iban),
    IdentifierForm("national identity numbers", _national),
    IdentifierForm("payment card numbers", _card),
    IdentifierForm("telephone numbers", _telephone),
    IdentifierForm("network addresses", lambda text: _address(text) or _MAC.fullmatch(text) is not None),
    IdentifierForm("unique record numbers (UUID)", lambda text: _UUID.fullmatch(text) is not None),
    IdentifierForm("web addresses", lambda text: _URL.fullmatch(text) is not None),
)
"""The forms, those with the stricter test first."""
