"""The result that may leave, whichever it is: an (ε, δ) release or a table of privacy models."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Protocol

from workbench.anonymise.claim import Claim
from workbench.anonymise.recipe import Treatment
from workbench.anonymise.terms import (
    ADD_REMOVE,
    BY_DATA,
    NOT_PICKED,
    PEOPLE_KNOWN,
    REPLACE_BY_ONE,
    REPLACE_PERSON,
    REPLACE_ROWS,
    ROWS_KNOWN,
    choices_in_short,
    choices_line,
    declared_hierarchies,
    hierarchies_line,
    nothing_else_in_short,
)
from workbench.core.errors import WorkbenchError
from workbench.core.first_few import first_few
from workbench.core.known_number import KnownNumber
from workbench.core.number_text import rounded_up
from workbench.io.writing import neutralised_texts
from workbench.query.ledger import LedgerEntry
from workbench.report.checklist import Check, Light, ReleaseFacts, checklist
from workbench.report.note import facts_of
from workbench.report.plain_promise import in_short, odds_in_short
from workbench.report.release_note import described
from workbench.report.statement import statement_body
from workbench.report.statement_parts import given_words
from workbench.session.export import Exported
from workbench.session.release.draw_choice import DrawChoice, draw_choice, with_left_out
from workbench.session.release.other_answers import OtherAnswer, asked, numbers_said, other_answers, settled
from workbench.session.release.own_choices import amounts_of_each, amounts_words, own_choices
from workbench.session.release.result import Result
from workbench.session.release.said_in_short import said_in_short
from workbench.session.release.to_say import ToSay, to_say
from workbench.session.release.written_form import WrittenForm, written_form
from workbench.session.session import Session
from workbench.session.syntactic.results import Recoded
from workbench.session.syntactic.subject import SyntacticSubject, in_these_words

HOLDS = ": the claim holds if what you said is true"
"""How the verdict on a claim ends: of what is said, nobody can check anything from the file."""
_FOR = MappingProxyType(
    {
        ADD_REMOVE: "",
        REPLACE_PERSON: " for replacing a person",
        REPLACE_ROWS: " for replacing a person’s rows by as many",
        REPLACE_BY_ONE: " for replacing a person by one with as many rows",
    }
)
"""What a claim is for, in a few words beside it."""
_NAMED = 3
"""So many columns are named where their hierarchies were declared elsewhere."""


class ReleasableResult(Protocol):
    """One result that may leave.

    Attributes
    ----------
    current
        Whether it belongs to the settings as they stand.
    ready
        Whether it can be written.
    only_unclaimed
        Whether the budget has no room for its claim, so that it can be written without one alone.
    rows
        How many rows leave.
    verdict, longest_verdict
        The claim in a few words, and the longest that these become while its questions are answered.
    words
        What that means; "" where the statement beside says it first.
    body
        The statement as HTML.
    exported
        The file that was written of it since the data was opened, or None.
    reworded
        The file that was written, where its statement names another publisher than it would now, or None.
    entry
        Its entry in the ledger once it has left, or None.
    key
        Tells this result from all others.
    asserted, said
        What is asked of the person, because only they can know it, and as much of it as they have said.
    others
        By sentence, what else can be said of it.
    short
        By sentence, how it is put for a reader in haste: what is said, and what it is said of.
    chosen
        By sentence, what was chosen of that which it is about.
    given
        Whether a promise is made for the choices as they are, and none for the file as a whole.
    doubts
        Of what is asserted, what needs a thought, and why: such as that a draw was not picked where there are several.
    declared
        What a claim rests on too and the person has said before, and the room where they did.
    before_in_short
        By sentence, or other answer, that can have been said before, what it says in parts of a few words.
    rests_on
        How many sentences a claim rests on, said before or not, as wherever else they are counted; "" for none.
    sentences
        The same as a number.
    choice
        Whether it was chosen among several; None where that is no question.
    form
        What of the draw is in the file; None where that is no question.
    without_claim
        Whether an (ε, δ) was asked for that cannot be claimed, so that it can only leave without.
    """

    @property
    def current(self) -> bool: ...
    @property
    def ready(self) -> bool: ...
    @property
    def only_unclaimed(self) -> bool: ...
    @property
    def rows(self) -> int: ...
    @property
    def verdict(self) -> tuple[Light, str]: ...
    @property
    def longest_verdict(self) -> str: ...
    @property
    def words(self) -> str: ...
    @property
    def odds(self) -> str: ...
    @property
    def body(self) -> str: ...
    @property
    def exported(self) -> Exported | None: ...
    @property
    def reworded(self) -> Exported | None: ...
    @property
    def entry(self) -> LedgerEntry | None: ...
    @property
    def key(self) -> str: ...
    @property
    def asserted(self) -> tuple[str, ...]: ...
    @property
    def said(self) -> frozenset[str]: ...
    @property
    def others(self) -> Mapping[str, OtherAnswer]: ...
    @property
    def short(self) -> Mapping[str, tuple[str, ...]]: ...
    @property
    def chosen(self) -> Mapping[str, tuple[str, ...]]: ...
    @property
    def given(self) -> bool: ...
    @property
    def doubts(self) -> Mapping[str, str]: ...
    @property
    def declared(self) -> Mapping[str, str]: ...
    @property
    def before_in_short(self) -> Mapping[str, tuple[str, ...]]: ...
    @property
    def rests_on(self) -> str: ...
    @property
    def sentences(self) -> int: ...
    @property
    def choice(self) -> DrawChoice | None: ...
    @property
    def form(self) -> WrittenForm | None: ...
    @property
    def without_claim(self) -> bool: ...
    def checks(self) -> tuple[Check, ...]: ...


class SpreadsheetCounts:
    """The number of texts in a result that are made safe for spreadsheets; counted once for each result."""

    def __init__(self) -> None:
        self._known: tuple[object, int] | None = None

    def of(self, made: Result | Recoded) -> int:
        if self._known is None or self._known[0] is not made:
            table = made.outcome.release if isinstance(made, Result) else made.anonymised.released()
            self._known = (made, neutralised_texts(table))
        return self._known[1]


def subject_of(session: Session, counts: SpreadsheetCounts) -> ReleasableResult | None:
    """The subject of a release, current or not; None if there is nothing."""
    if session.syntactic.wanted:
        recoded = session.syntactic.recoded
        return None if recoded is None else SyntacticSubject(session, recoded, counts.of(recoded))
    return None if session.release.result is None else SampledSubject(session, session.release.result, counts)


class SampledSubject:
    """An (ε, δ) release."""

    def __init__(self, session: Session, result: Result, counts: SpreadsheetCounts) -> None:
        self._session = session
        self._result = result
        self._neutralised = counts.of(result)
        self._claim = self._claim_of_result()

    @property
    def current(self) -> bool:
        return self._session.release.result_is_current

    @property
    def ready(self) -> bool:
        return self.current and self.rows > 0 and self._facts.affordable

    @property
    def only_unclaimed(self) -> bool:
        """Whether it is paid for, and the budget has no room for its claim where a number of the table is known."""
        return self.current and self.rows > 0 and bool(self._facts.no_room) and self.exported is None

    @property
    def rows(self) -> int:
        return self._result.outcome.rows_out

    @property
    def verdict(self) -> tuple[Light, str]:
        claim = self._claim
        if self._over_budget:
            return Light.RED, "The budget has no room for it"
        if claim.given:
            amounts = f"ε = {rounded_up(claim.epsilon)}, δ = {rounded_up(claim.delta)}"
            return Light.AMBER, f"{amounts} for its choices as they are"
        if not claim.holds:
            return Light.AMBER, "No (ε, δ) claim"
        of = _FOR[claim.terms.neighbours]
        return (
            Light.GREEN,
            f"ε = {rounded_up(claim.epsilon)}, δ = {rounded_up(claim.delta)}{of}{HOLDS}",
        )

    @property
    def longest_verdict(self) -> str:
        claim = self._claim
        known = (REPLACE_PERSON,) if not claim.terms.several_rows else (REPLACE_ROWS, REPLACE_BY_ONE)
        of = max((_FOR[one] for one in known), key=len)
        return f"ε = {rounded_up(claim.epsilon)}, δ = {rounded_up(claim.delta)}{of}{HOLDS}"

    @property
    def words(self) -> str:
        if self._over_budget:
            return (
                "This release costs more than is left of the budget of this data, so it cannot be exported. The "
                "checklist has the sums."
            )
        if self._claim.given:
            return given_words(self._claim.terms.looked)
        if not self._claim.holds:
            return "The file can be exported for comparison; its statement says that nothing is promised, and why."
        # The statement beside begins with the promise; that it is weaker than is usual no statement says.
        weak = self._claim.epsilon > 1
        return in_short(self._claim.epsilon, self._claim.delta, self._claim.terms.neighbours) if weak else ""

    @property
    def odds(self) -> str:
        claim = self._claim
        odds = odds_in_short(claim.epsilon, claim.terms.neighbours) if claim.holds else ""
        of_each = amounts_of_each(claim) if claim.holds or claim.given else ""
        return "\n".join(filter(None, (odds, of_each)))

    @property
    def body(self) -> str:
        if self.exported is not None:
            return self.exported.body
        outcome = self._session.release.as_written(self._result)
        made = described(self._result.hierarchies, outcome, self._claim)
        return statement_body(facts_of(made, self._neutralised, publisher=self._session.publishing))

    @property
    def exported(self) -> Exported | None:
        return in_these_words(self._session.release.left_as_it_is(self._result), self._session)

    @property
    def reworded(self) -> Exported | None:
        return self._session.release.left_as_it_is(self._result) if self.exported is None else None

    @property
    def form(self) -> WrittenForm | None:
        return written_form(self._result, self._session.release.after(self._result)) if self.current else None

    @property
    def entry(self) -> LedgerEntry | None:
        return self._session.ledger.entry_of(self._result.fingerprint, self.key)

    @property
    def key(self) -> str:
        return self._result.draw

    @property
    def asserted(self) -> tuple[str, ...]:
        said = self.said if self.exported is None else numbers_said(self.said)
        return tuple(sentence for sentence in asked(self._claim, said) if sentence not in self.declared)

    @property
    def declared(self) -> Mapping[str, str]:
        return self._to_say.before

    @property
    def before_in_short(self) -> Mapping[str, tuple[str, ...]]:
        return said_in_short(self._claim)

    @property
    def rests_on(self) -> str:
        return self._to_say.words

    @property
    def sentences(self) -> int:
        return len(self._to_say.sentences)

    @cached_property
    def _to_say(self) -> ToSay:
        return to_say(self._claim, self._result.schema, self._result.hierarchies)

    @cached_property
    def choice(self) -> DrawChoice | None:
        release, result = self._session.release, self._result
        if not self.current or not result.outcome.secure or self.exported is not None:
            return None
        draws = self._session.ledger.draws(result.fingerprint)
        found, by_data = release.sum_of_all(result), BY_DATA in self.said
        return draw_choice(self._claim, draws, found, chosen=release.chosen(result), by_data=by_data)

    @property
    def said(self) -> frozenset[str]:
        return self._session.release.said(self.key)

    @cached_property
    def others(self) -> Mapping[str, OtherAnswer]:
        if not self.current:
            return {}
        release, result, found = self._session.release, self._result, other_answers(self._claim, self.said)
        if self.exported is not None:
            found = settled(found, self.said)
        prices = {
            said: (release.price_if(result, before), release.price_if(result, known))
            for said, before, known in (
                (PEOPLE_KNOWN, KnownNumber.NONE, KnownNumber.PEOPLE),
                (ROWS_KNOWN, KnownNumber.PEOPLE, KnownNumber.ROWS),
            )
        }
        return {text: one.at(prices[one.said]) if one.question else one for text, one in found.items()}

    @property
    def short(self) -> Mapping[str, tuple[str, ...]]:
        terms = self._claim.terms
        gone = with_left_out(self._claim)
        declared = {sentence: (said,) for sentence, said in gone.items() if sentence in self.declared}
        named, line = declared_hierarchies(terms), hierarchies_line(terms)
        if line in self.declared and line not in declared and not terms.said:
            declared[line] = (line.replace(", ".join(named), first_few(named, _NAMED)),)
        # Only of what was answered before the draw: what is asked here keeps its words whatever is answered.
        public = terms.known if self._session.project.anonymise.trim.number_known else KnownNumber.NONE
        return {choices_line(terms): choices_in_short(terms), **nothing_else_in_short(terms, public), **declared}

    @property
    def chosen(self) -> Mapping[str, tuple[str, ...]]:
        if not self.current:
            return {}
        recipe, terms, followed = self._result.outcome.recipe, self._claim.terms, self._result.followed
        drawn = [plan.name for plan in recipe.columns if plan.treatment is not Treatment.LEAVE_OUT]
        own = own_choices(
            self._session,
            terms,
            tuple(recipe.levels),
            drawn,
            amounts_words(self._claim),
            None if followed is None else followed.said,
        )
        return {choices_line(terms): own}

    @property
    def given(self) -> bool:
        return self._claim.given

    @property
    def doubts(self) -> Mapping[str, str]:
        draws = self._session.ledger.draws(self._result.fingerprint)
        if draws < 2:
            return {}
        words = f"{draws:,} draws were made of this data. Tick it only if you chose none of them by what it shows."
        return {sentence: words for sentence in self.asserted if sentence in NOT_PICKED}

    @property
    def without_claim(self) -> bool:
        return not self._claim.holds

    def checks(self) -> tuple[Check, ...]:
        return checklist(self._claim, self._result.outcome, self._facts, looked=self._session.looks.taken)

    @cached_property
    def _facts(self) -> ReleaseFacts:
        return self._session.reports.release_facts(self._result, self._neutralised)

    @property
    def _over_budget(self) -> bool:
        return not self._facts.affordable and not self._facts.ledger_problem

    def _claim_of_result(self) -> Claim:
        """The claim for the result, with the settings it was made with.

        If it has left, that is what the statement beside its file says. Settings that were changed since it was made
        say nothing about it: then it is what held at that time.
        """
        left = self.exported
        if left is not None and left.claim is not None:
            return left.claim
        if self.current:
            with contextlib.suppress(WorkbenchError):
                return self._session.release.current_claim()
        return self._result.claim
