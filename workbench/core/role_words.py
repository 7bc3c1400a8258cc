"""The roles that names of columns suggest, before any value is read."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from workbench.core.column_words import EARNED, is_wanted, tells_when, words_of_name
from workbench.core.schema import Kind, Role

_CERTAIN = frozenset(
    "email mail telephone telefon phone mobile handy fax ssn nin passport iban surname lastname firstname forename "
    "vorname nachname prenom apellido correo username login mrn fullname amka afm".split()
)
_CERTAIN_PAIRS = (
    ("e", "mail"),
    ("first", "name"),
    ("last", "name"),
    ("family", "name"),
    ("given", "name"),
    ("full", "name"),
    ("user", "name"),
    ("social", "security"),
    ("credit", "card"),
    ("ip", "address"),
    ("license", "plate"),
    ("licence", "plate"),
)
_FREE_TEXT = frozenset(
    "remark remarks comment comments memo freetext bemerkung bemerkungen notiz notizen kommentar kommentare remarque "
    "remarques commentaire commentaires comentario comentarios observaciones".split()
)
_POST_CODES = frozenset({"zip", "zipcode", "postcode", "plz"})
_POST_CODE_PAIRS = (("zip", "code"), ("post", "code"), ("postal", "code"))
LIKELY = frozenset(
    "id uid uuid guid key name nom nombre user person player patient employee customer client member student "
    "participant respondent address street adresse strasse account card vin plate device".split()
)
"""Words for persons, and for numbers and addresses of somebody or something, where enough values differ."""
NAMES = frozenset({"name", "names", "nom", "noms", "nombre", "nombres"})
"""A column called so and nothing more is one of people, however many share a name, where its values look like it."""
_SHARED_NAMES = frozenset({"fullname", "surname", "lastname", "firstname", "forename", "vorname", "nachname", "prenom"})
PERSONS = frozenset(
    "user person player patient employee customer client member student pupil participant respondent subject citizen "
    "voter donor driver tenant".split()
)
"""Words for the persons whom the values are."""
_NUMBERED = frozenset({"id", "uid", "uuid", "guid", "key", "number", "no", "nr", "code"})
_KNOWN_TO_OTHERS = frozenset(
    "age alter birth birthday birthdate dob born geburtsdatum geburtstag naissance sex gender geschlecht sexe genero "
    "zip zipcode postcode postal plz city town village municipality county district region country stadt ort land "
    "ville ciudad nationality citizenship race ethnicity ethnic religion marital education degree occupation job "
    "profession beruf employer workclass title rank height weight language household children veteran ward station "
    "department dept abteilung hospital clinic school faculty team".split()
)

CERTAIN = "Its name, “{}”, says that it identifies people."
FREE_TEXT = "Its name, “{}”, says free text, which can name people."
POST_CODE = "Others may know it: a post code, which many share."
KNOWN = "Others may know it."
WANTED = "Its name says what others want to learn."


def role_to_generalise(name: str) -> Role:
    """The role of a column that somebody has a hierarchy for, where nobody gave it one: by its name alone.

    What a person earns and how well they are is what others want to learn, as in `suggest`; all else they may know.
    """
    return Role.SENSITIVE if is_wanted(name) else Role.QUASI


def role_by_name(name: str, kind: Kind) -> tuple[Role, str] | None:
    """The role that the name and the kind of a column suggest whatever stands in it, and the reason; None for none.

    No value is read: a table with a row more or less leads to the same. A name that speaks of persons or of what
    others know, and of a number or an address of it as well, suggests nothing.

    >>> role_by_name("patient age", Kind.INTEGER)
    (<Role.QUASI: 'quasi-identifying'>, 'Others may know it.')
    >>> role_by_name("remarks", Kind.CATEGORY)
    (<Role.IDENTIFYING: 'identifying'>, 'Its name, “remarks”, says free text, which can name people.')
    >>> role_by_name("ward id", Kind.INTEGER), role_by_name("club", Kind.CATEGORY)
    (None, None)
    """
    words = words_of_name(name)
    if is_certain(words):
        return Role.IDENTIFYING, CERTAIN.format(name)
    if is_free_text(words):
        return Role.IDENTIFYING, FREE_TEXT.format(name)
    if is_post_code(words):
        return Role.QUASI, POST_CODE
    if (LIKELY - PERSONS - NAMES).intersection(words):
        return None
    if is_wanted(name):
        return Role.SENSITIVE, WANTED
    return (Role.QUASI, KNOWN) if known_to_others(name) or (kind.temporal and tells_when(name)) else None


def sign_in_name(name: str, role: Role, kind: Kind = Kind.TEXT) -> str:
    """The word in the name of a column by which it has its role, or is none that others want, in a sentence.

    Only of dates a word for what happened to somebody counts. No value is read, and nothing is said of who gave the
    role.

    >>> sign_in_name("Salary", Role.SENSITIVE)
    'Its name has “salary”, a word for what others want to learn.'
    >>> sign_in_name("ward", Role.QUASI)
    'Its name has “ward”, a word for what others may know.'
    >>> sign_in_name("admitted", Role.QUASI, Kind.DATE)
    'Its name has “admitted”, a word for when something happened, which others may know.'
    >>> sign_in_name("charge", Role.QUASI)
    'Its name has no word for pay, health or help, which would be sensitive.'
    """
    words = words_of_name(name)
    wanted, known = ([word for word in words if test(word)] for test in (is_wanted, known_to_others))
    if role is Role.SENSITIVE and wanted:
        return f"Its name has “{wanted[0]}”, a word for what others want to learn."
    if role is not Role.QUASI or wanted:
        return ""
    if not known and known_to_others(name):
        return "Its name says that it is a post code, which others may know."
    if known:
        return f"Its name has “{known[0]}”, a word for what others may know."
    if kind.temporal and (dated := [word for word in words if tells_when(word)]):
        return f"Its name has “{dated[0]}”, a word for when something happened, which others may know."
    return "Its name has no word for pay, health or help, which would be sensitive."


def known_to_others(name: str) -> bool:
    """Whether a column of that name holds what others often know about a person."""
    words = words_of_name(name)
    return bool((_KNOWN_TO_OTHERS | EARNED).intersection(words)) or is_post_code(words)


def names_persons(words: Collection[str]) -> bool:
    """Whether the words of a column's name say that its values are persons, or what only one person has."""
    return bool(PERSONS.intersection(words)) or is_certain(words)


def named_after_persons(names: Iterable[str]) -> str:
    """The first column that is called after persons and nothing else, whatever is in it; "" if there is none.

    >>> named_after_persons(["ward", "patient"]), named_after_persons(["customer_id"])
    ('patient', 'customer_id')
    >>> named_after_persons(["customer segment"])
    ''
    """
    return next(filter(_calls_a_person, names), "")


def _calls_a_person(name: str) -> bool:
    words = set(words_of_name(name))
    # A subject may be mathematics.
    persons = words & PERSONS if words & _NUMBERED else words & PERSONS - {"subject"}
    return bool(persons) and words <= PERSONS | _NUMBERED


def holds_names(name: str) -> bool:
    """Whether a column of that name holds what people are called, which several can share.

    >>> holds_names("Full name"), holds_names("surname"), holds_names("patient no")
    (True, True, False)
    """
    words = set(words_of_name(name))
    return bool(words & (NAMES | _SHARED_NAMES)) and not words & _NUMBERED


def numbers_people(name: str) -> bool:
    """Whether a column of that name tells people or things apart, so that nobody asks for a mean of it.

    >>> numbers_people("user"), numbers_people("patient id"), numbers_people("patient age"), numbers_people("value")
    (True, True, False, False)
    """
    words = words_of_name(name)
    return (bool(LIKELY.intersection(words)) or names_persons(words)) and not known_to_others(name)


def is_certain(words: Collection[str]) -> bool:
    """Whether the words of a column's name say that it identifies people, whatever stands in it."""
    return bool(_CERTAIN.intersection(words)) or any(set(pair) <= set(words) for pair in _CERTAIN_PAIRS)


def is_free_text(words: Collection[str]) -> bool:
    """Whether the words of a column's name say that anybody could write anything in it."""
    return bool(_FREE_TEXT.intersection(words))


def is_post_code(words: Collection[str]) -> bool:
    """Whether the words of a column's name say that it holds post codes."""
    return bool(_POST_CODES.intersection(words)) or any(set(pair) <= set(words) for pair in _POST_CODE_PAIRS)
