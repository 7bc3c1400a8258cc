"""The facts around a release for the checklist: columns, budget, risk, and the file once it is written."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from workbench.anonymise.risk import Risk, assess_risk
from workbench.anonymise.terms import known_of
from workbench.core.composition import ReleaseSpending
from workbench.core.errors import WorkbenchError
from workbench.core.schema import Role
from workbench.report.checklist import ReleaseFacts
from workbench.session.data import DataDesk
from workbench.session.ledger import LedgerDesk
from workbench.session.release.charges import charge_of_release, file_spending
from workbench.session.release.result import Result
from workbench.session.standing import number_at_stake
from workbench.session.state import SessionState
from workbench.session.syntactic.results import Recoded

THRESHOLD = 0.2
"""The chance above which a released row counts as at risk: groups of fewer than five."""


def release_facts(state: SessionState, made: Result | Recoded, neutralised: int) -> ReleaseFacts:
    """The facts of a result or a table that may be out of date; quick enough for the window's own thread.

    Parameters
    ----------
    neutralised
        How many different texts are made safe for spreadsheets; counting them takes a moment.
    """
    mine: tuple[str, ...]
    if isinstance(made, Result):
        names, key, mine, cost = made.outcome.release.names, made.draw, made.keys, _cost(made)
    else:
        names, key, mine, cost = made.anonymised.table.names, made.key, (made.key,), None
    exported = state.results.exported.get(key)
    schema, suggested = state.project.schema, DataDesk(state).suggested_roles
    doubtful = {n: role for n, role in suggested.items() if n in schema.names and schema[n].role is Role.INSENSITIVE}
    identifying = tuple(n for n in names if n in schema.names and schema[n].role is Role.IDENTIFYING)
    remaining, others, paid, problem = None, 0, False, ""
    known = number_at_stake(state).with_other(known_of(state.results.said.get(key, ())))
    known = known.with_other(LedgerDesk(state).number_known(made.fingerprint))
    if cost is not None:
        cost = replace(cost, number_known=bool(known))
    try:
        ledger = LedgerDesk(state).of(made.fingerprint)
        paid, others = ledger.find(key) is not None, sum(one.charge.key not in mine for one in ledger.history.told)
        if isinstance(made, Result) and not paid:
            charge = charge_of_release(Path(key), made.fingerprint, made.claim.guarantee, made.claim, key)
            paid = ledger.remaining_after(charge).planned
        remaining = ledger.remaining(schema.unit.rows_per_person, number_known=bool(known))
    except WorkbenchError as error:
        problem = str(error)
    no_room = ""
    if isinstance(made, Result) and exported is None and not problem and known:
        # The draw is paid for; that it is known how many people there are makes it, and all before it, cost twice.
        with_draw = () if paid else (_cost(made),)
        try:
            LedgerDesk(state).of(made.fingerprint).refuse_number_known(with_draw)
        except WorkbenchError as error:
            no_room = error.message
    return ReleaseFacts(
        identifying=identifying,
        suspected=tuple(n for n in names if doubtful.get(n) is Role.IDENTIFYING),
        unsettled=tuple(n for n, role in doubtful.items() if role is not Role.IDENTIFYING),
        cost=cost,
        paid=paid,
        remaining=remaining,
        others=others,
        ledger_problem=problem,
        no_room=no_room,
        risk=_risk(made),
        neutralised=neutralised,
        read_back=None if exported is None else exported.rechecked,
    )


def _cost(result: Result) -> ReleaseSpending:
    # The draw of its levels was paid for when it was made.
    return replace(file_spending(result.claim.guarantee), claimed=result.claim.holds)


def _risk(made: Result | Recoded) -> Risk:
    """From the groups of the released rows, which the release itself shows."""
    if isinstance(made, Recoded):
        return assess_risk(made.anonymised.class_sizes, THRESHOLD)
    return assess_risk(made.outcome.released_sizes, THRESHOLD)
