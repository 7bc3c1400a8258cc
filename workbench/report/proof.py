"""Is a statement what this program writes, do page and note agree, and does the promise follow from what is stated?

A statement can be checked because it is a function of the facts in it. Nothing here can tell who wrote it: whoever
changes page, facts and note alike, so that everything still follows, has written a statement of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.report.contradictions import against, contradictions
from workbench.report.note import SYNTACTIC, StatementDocument
from workbench.report.older_notes import NO_PAGE, NOT_HELD, upgraded
from workbench.report.page import Dissected, dissected, one_line_end
from workbench.report.page_faults import page_faults
from workbench.report.promise_meaning import lawful
from workbench.report.recheck import Rechecked
from workbench.report.recheck_cost import Cost, cost_of
from workbench.report.stated_facts import Facts
from workbench.report.statement import statement_body, title_of
from workbench.report.statement_parts import known_in
from workbench.report.syntactic_statement import earlier_wording
from workbench.report.well_formed import malformed

NOT_SIGNED = "Consistent; not signed, so who wrote it is not known."
_MALFORMED = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)
"""Errors that anything but a note of this program can lead to where it is read as one."""


@dataclass(frozen=True)
class Proof:
    """The findings about statements and notes.

    Parameters
    ----------
    names
        Those that were compared.
    faults, unchecked
        What differs or does not follow, and what could not be checked.
    cost
        (ε, δ) as it was computed again; None where nothing is promised, or that is not known.
    facts
        What everything was held against, in the form of this version; None where it cannot be used.
    """

    names: tuple[str, ...]
    faults: tuple[str, ...]
    unchecked: tuple[str, ...] = ()
    cost: Cost | None = None
    facts: Facts | None = None

    @property
    def holds(self) -> bool:
        return not self.faults

    def to_json(self) -> dict[str, Any]:
        """As JSON would hold it."""
        return {
            "holds": self.holds,
            "compared": list(self.names),
            "faults": list(self.faults),
            "unchecked": list(self.unchecked),
            "epsilon": None if self.cost is None else float(self.cost.epsilon),
            "delta": None if self.cost is None else float(self.cost.delta),
            "signed": False,
        }


def prove(
    documents: Sequence[StatementDocument], found: Rechecked, size: int | None = None, files: int | None = None
) -> Proof:
    """Compare statements and notes with each other, with themselves and with what was counted in the file.

    Parameters
    ----------
    documents
        The statement, the note, or both.
    found
        What the file holds, counted anew.
    size
        Its bytes; None if that is not known.
    files
        Of how many files it consists; None if that is not known.

    Raises
    ------
    WorkbenchError
        If something is nested deeper than in any note.
    """
    try:
        return _proof(documents, found, size, files)
    except RecursionError as error:
        names = " and ".join(f"“{document.name}”" for document in documents)
        raise WorkbenchError(f"{names}: something is nested too deep to be a note.", field="statement") from error


def _proof(documents: Sequence[StatementDocument], found: Rechecked, size: int | None, files: int | None) -> Proof:
    first, *others = documents
    faults = [
        f"{path}: “{first.name}” says {one}, and “{other.name}” says {two}."
        for other in others
        for path, one, two in _differences(first.facts, other.facts)
    ]
    unchecked: list[str] = []
    cost: Cost | None = None
    used: Facts | None = None
    pages = [document for document in documents if document.page]
    for document in pages or [first]:
        faults += _malformed(document, files)
        wrong, facts = _made_again(document)
        faults += wrong
        if document.facts["version"] == 1 and document.facts["release"].get("kind") != SYNTACTIC:
            unchecked.append(NOT_HELD if document.page else NO_PAGE)
        if facts is not None:
            whole = bool(document.page) or document.facts["version"] > 1
            faults += _follows(document, facts, found, size, sentences=whole)
            cost, used = _cost(facts), facts
    return Proof(tuple(one.name for one in documents), tuple(dict.fromkeys(faults)), tuple(unchecked), cost, used)


def _malformed(document: StatementDocument, files: int | None) -> list[str]:
    try:
        return malformed(document.facts, files)
    except (WorkbenchError, *_MALFORMED) as error:
        return [_unusable(document, error)]


def _made_again(document: StatementDocument) -> tuple[list[str], Facts | None]:
    """The faults of a page, and the facts that everything else is checked with; None if these cannot be used."""
    facts = document.facts
    try:
        taken = dissected(document.page, title_of(facts)) if document.page else None
        if facts["version"] == 1:
            facts = upgraded(facts, "" if taken is None else taken.body)
        if taken is None and facts["version"] > 1:
            statement_body(facts)  # a note that no statement can be made of is none of this program
        return ([] if taken is None else _page_faults(document.name, taken, facts)), facts
    except (WorkbenchError, *_MALFORMED) as error:
        return [_unusable(document, error)], None


def _follows(
    document: StatementDocument, facts: Facts, found: Rechecked, size: int | None, *, sentences: bool
) -> list[str]:
    try:
        return [*contradictions(facts, sentences=sentences), *against(facts, found, size)]
    except (WorkbenchError, *_MALFORMED) as error:
        return [_unusable(document, error)]


def _unusable(document: StatementDocument, error: Exception) -> str:
    why = f"“{error.args[0]}” is missing" if isinstance(error, KeyError) else str(error)
    return f"The facts in “{document.name}” are not as this program writes them: {why}."


def _cost(facts: Facts) -> Cost | None:
    try:
        release = facts["release"]
        if not lawful(release):
            return None
        return cost_of(release).for_replacing() if known_in(release) else cost_of(release)
    except (WorkbenchError, *_MALFORMED):
        return None


def _page_faults(name: str, taken: Dissected, facts: Facts) -> list[str]:
    """How a page differs from the one that its facts give."""
    given = one_line_end(statement_body(facts))
    if taken.body == earlier_wording(given):
        given = taken.body
    return page_faults(name, taken, given, facts["program"]["version"], facts.get("date"))


def _differences(one: object, other: object, path: str = "") -> list[tuple[str, object, object]]:
    """Where two notes differ, by the path to it."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        names = list(dict.fromkeys((*one, *other)))
        return [
            found
            for name in names
            for found in _differences(one.get(name, _ABSENT), other.get(name, _ABSENT), f"{path}.{name}".lstrip("."))
        ]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True), start=1)
        return [found for place, pair in pairs for found in _differences(*pair, f"{path}[{place}]")]
    # True equals 1, and 1 equals 1.0, but not in a statement.
    return [] if type(one) is type(other) and one == other else [(path, one, other)]


_ABSENT = "nothing"
