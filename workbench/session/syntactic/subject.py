"""The table of privacy models as a result that may leave: without an (ε, δ) claim, and nothing to say for one."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.anonymise.privacy import in_words as model_in_words
from workbench.query.ledger import LedgerEntry
from workbench.report.checklist import Check, Light, syntactic_checklist
from workbench.session.export import Exported
from workbench.session.release.draw_choice import DrawChoice
from workbench.session.release.other_answers import OtherAnswer
from workbench.session.release.written_form import WrittenForm
from workbench.session.session import Session
from workbench.session.syntactic.results import Recoded


def in_these_words(left: Exported | None, session: Session) -> Exported | None:
    """The export, if its statement says what the publisher would say now; otherwise nobody has that statement yet."""
    return left if left is not None and left.publisher == session.publishing else None


class SyntacticSubject:
    """A release of privacy models, without an (ε, δ) claim."""

    def __init__(self, session: Session, recoded: Recoded, neutralised: int) -> None:
        self._session = session
        self._recoded = recoded
        self._neutralised = neutralised

    @property
    def current(self) -> bool:
        return self._session.syntactic.recoded_is_current

    @property
    def ready(self) -> bool:
        return self.current and self.rows > 0

    @property
    def only_unclaimed(self) -> bool:
        return False

    @property
    def rows(self) -> int:
        return self._recoded.rows_out

    @property
    def verdict(self) -> tuple[Light, str]:
        return Light.AMBER, "No (ε, δ) claim"

    @property
    def longest_verdict(self) -> str:
        return self.verdict[1]  # nothing is answered that changes it

    @property
    def models(self) -> tuple[str, ...]:
        """The models that hold, in words."""
        return tuple(model_in_words(choice) for choice in self._recoded.question.models)

    @property
    def odds(self) -> str:
        return ""  # no promise bounds them

    @property
    def words(self) -> str:
        words = (
            f"Every released row satisfies {'; '.join(self.models)}. That is a property of this table, not a "
            "guarantee against "
            "everybody: which rows, groups and levels are in it depends on every row of the data."
        )
        if self._recoded.anonymised.local is not None:
            words += " " + "Rows that were left over were generalised further, each group to levels of its own."
        return words

    @property
    def body(self) -> str:
        return self._recoded.described().body(self._session.publishing) if self.exported is None else self.exported.body

    @property
    def exported(self) -> Exported | None:
        return in_these_words(self._session.release.exported.get(self._recoded.key), self._session)

    @property
    def reworded(self) -> Exported | None:
        return self._session.release.exported.get(self._recoded.key) if self.exported is None else None

    @property
    def entry(self) -> LedgerEntry | None:
        return self._session.ledger.entry_of(self._recoded.fingerprint, self.key)

    @property
    def key(self) -> str:
        return self._recoded.key

    @property
    def asserted(self) -> tuple[str, ...]:
        return ()

    @property
    def said(self) -> frozenset[str]:
        return frozenset()

    @property
    def others(self) -> Mapping[str, OtherAnswer]:
        return {}

    @property
    def short(self) -> Mapping[str, tuple[str, ...]]:
        return {}

    @property
    def chosen(self) -> Mapping[str, tuple[str, ...]]:
        return {}

    @property
    def given(self) -> bool:
        return False

    @property
    def doubts(self) -> Mapping[str, str]:
        return {}

    @property
    def declared(self) -> Mapping[str, str]:
        return {}

    @property
    def before_in_short(self) -> Mapping[str, tuple[str, ...]]:
        return {}

    @property
    def form(self) -> WrittenForm | None:
        return None

    @property
    def rests_on(self) -> str:
        return ""

    @property
    def sentences(self) -> int:
        return 0

    @property
    def choice(self) -> DrawChoice | None:
        return None

    @property
    def without_claim(self) -> bool:
        return False

    def checks(self) -> tuple[Check, ...]:
        facts = self._session.reports.release_facts(self._recoded, self._neutralised)
        return syntactic_checklist(self.models, self._recoded.hierarchies, facts)
