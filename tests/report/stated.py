"""The statement of a release that is not written yet, as the window shows it."""

from __future__ import annotations

from workbench.anonymise.claim import Claim
from workbench.anonymise.recipe import ReleaseOutcome
from workbench.report.note import facts_of
from workbench.report.release_note import described
from workbench.report.statement import statement_page
from workbench.session import Session


def stated(session: Session, outcome: ReleaseOutcome, claim: Claim) -> str:
    """The page, of a file in which no cell had to be made safe."""
    return statement_page(facts_of(described(session.project.hierarchies, outcome, claim), 0, None))
