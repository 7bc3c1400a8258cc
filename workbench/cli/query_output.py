"""The output of `workbench query` for plans and answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from workbench.cli import ledgers, near_data, query_totals
from workbench.cli.command_output import CommandOutput
from workbench.core.rationals import float_above
from workbench.query.answer import AnswerForm, ReleasedAnswer
from workbench.query.ledger import Charge
from workbench.query.plans import NEIGHBOURS, QueryPlan
from workbench.session import Session
from workbench.session.beyond_bounds import beyond_said, beyond_to_json, counted_beyond
from workbench.session.noise_alone import noise_alone, noise_to_json
from workbench.session.plain_answers import PlainAnswer
from workbench.session.query_answers import PaidAnswer
from workbench.session.row_counts import drawn_words, with_draw


def planned(session: Session, plans: tuple[QueryPlan, ...], charge: Charge | None) -> CommandOutput:
    """The plans of answers that are not paid for yet, which this charge would pay for; None if one was paid before."""
    found = [
        {
            "query": one.kind.identifier,
            "epsilon": float_above(one.epsilon),
            "delta": float_above(one.delta),
            "neighbours": one.neighbours,
            "engine": one.draft.noise.value,
            "rows_per_person": one.rows_per_person,
            "expected_error": one.expected.error,
            "half_width": one.expected.half_width,
            "unit": one.mechanism.unit,
            "assumption": one.assumption,
            "assumed_rows": one.rows,
            "rows_from": one.rows_from,
            "in_words": one.in_words,
            "claim": not one.unclaimed,
            "unclaimed": one.unclaimed,
            "asserted": list(one.asserted),
            "edges": list(one.mechanism.edges),
            "parameters": one.parameters,
            "plugin": None if one.plugin is None else dict(one.plugin),
        }
        for one in plans
    ]
    lines = []
    for one in plans:
        each = f" for each {one.of_one}" if one.of_one else ""
        more = " ".join(filter(None, (one.error_text, one.together_text, one.assumption)))
        lines += [
            f"{one.what} at {query_totals.price_text(one.epsilon, one.delta)}:",
            f"  Within {one.half_width_text} with {one.expected.often}{each}. {more}",
            *(() if one.unclaimed else (f"  {one.in_words}",)),
            *(f"  {line}" for line in _promise(one.neighbours, one.unclaimed, one.asserted)),
            *(f"  Note: {edge}" for edge in one.mechanism.edges if edge != one.unclaimed),
            *(f"  Note: {remark}" for remark in (one.cautions, one.remark) if remark),
        ]
    data = found[0] if len(found) == 1 else {"plans": found}
    counts, keys = ([], {}) if charge is None else query_totals.before(session, charge)
    return CommandOutput(
        {**data, **keys, **_account(session), **near_data.described(session)},
        (*lines, *counts, *_looked(session), "Nothing was spent.", *_left(session)),
    )


def answered(
    session: Session, answers: tuple[PaidAnswer, ...], *, stored: bool = False, paid: bool = False
) -> CommandOutput:
    """Answers that were given just now, perhaps in a batch that was `paid` before, or stored ones, shown again."""
    charge = answers[0].paid
    known = session.queries.answers_of_this() if any(one.limited for one in answers) else ()
    beyond = [counted_beyond(one, known) for one in answers]
    found = [
        {
            "query": one.question["query"],
            "answer": one.released.by_label(one.released.value),
            "interval": _intervals(one.released),
            "unit": one.released.unit,
            "epsilon": float_above(one.epsilon),
            "delta": float_above(one.delta),
            "neighbours": one.question["neighbours"],
            "engine": one.question["engine"],
            "rows_per_person": charge.rows_per_person,
            "claim": charge.claimed,
            "unclaimed": one.unclaimed,
            "asserted": list(one.asserted),
            "notes": list(one.released.notes),
            "limited": one.limited,
            "parameters": dict(one.as_drawn),
            "plugin": one.plugin,
            "entry": one.entry.id,
            **noise_to_json(one),
            **({} if (drawn := with_draw(one)) is None else {"with_draw": drawn.to_json()}),
            **({} if count is None else {"counted_beyond": beyond_to_json(count)}),
        }
        for one, count in zip(answers, beyond, strict=True)
    ]
    lines = []
    for one, count in zip(answers, beyond, strict=True):
        alone = noise_alone(one)
        # The sentence says the same as the note, with the interval.
        notes = () if alone else (note for note in one.released.notes if note != one.unclaimed)
        lines += [
            f"{one.what}:",
            *_shown(one.told),
            *(() if alone is None else (f"  {alone.sentence}",)),
            *_limited(one, count),
            *_drawn(one),
            *(f"  Note: {note}" for note in notes),
        ]
    cost = query_totals.price_text(charge.epsilon, charge.delta)
    if stored:
        lines.append(
            f"This answer was paid for with {cost} on {answers[0].entry.when[:10]}, and is shown again for nothing. "
            "(--again asks anew and spends anew.)"
        )
    elif paid:
        lines.append(f"This batch was interrupted after {cost} was paid for it; the rest cost nothing more.")
    else:
        lines.append(f"This cost {cost}.")
    counts, keys = ([], {}) if stored else query_totals.afterwards(session, answers[0].plan or answers[0].entry)
    lines += counts
    asserted = dict.fromkeys(said for one in answers for said in one.asserted)
    lines += _promise(charge.neighbours, answers[0].unclaimed, asserted)
    data: dict[str, Any] = (
        found[0]
        if len(found) == 1
        else {
            "answers": found,
            "epsilon": float_above(charge.epsilon),
            "delta": float_above(charge.delta),
            "neighbours": charge.neighbours,
            "engine": charge.made_by,
            "claim": charge.claimed,
        }
    )
    data |= {**keys, "stored": stored}
    if answers[0].problem:
        lines.append(answers[0].problem)
        data["problem"] = answers[0].problem
    account = {**_account(session), **near_data.described(session)}
    return CommandOutput({**data, **account}, (*lines, *_looked(session), *_left(session)))


def _looked(session: Session) -> list[str]:
    said = session.looks.of_answers
    return [f"  Note: {said}"] if said else []


def plain(answer: PlainAnswer) -> CommandOutput:
    """An answer without noise, counted in a released file."""
    released = answer.released
    found = {
        "query": answer.question["query"],
        "answer": released.by_label(released.value),
        "unit": released.unit,
        "plain": True,
        "epsilon": 0.0,
        "delta": 0.0,
        "rests_on": answer.rests_on,
        "asserted": list(answer.asserted),
        "limited": answer.limited,
        "parameters": dict(answer.question),
    }
    lines = [
        f"{answer.what}, without noise:",
        *_shown(answer.told),
        "This cost nothing: it was counted in a released file, whose statement holds and says:",
        f"  {answer.rests_on}",
    ]
    return CommandOutput(found, tuple(lines))


def _intervals(released: ReleasedAnswer) -> Any:
    """[low, high] for each value, in the shape of the answer."""
    if released.interval is None:
        return None
    low, high = released.interval
    if released.form is AnswerForm.NUMBER:
        return [low, high]
    if released.form is AnswerForm.LIST:
        return released.by_label([list(pair) for pair in zip(low, high, strict=True)])
    return released.by_label(
        [[list(pair) for pair in zip(one, two, strict=True)] for one, two in zip(low, high, strict=True)]
    )


def _shown(released: ReleasedAnswer) -> list[str]:
    if released.form in (AnswerForm.NUMBER, AnswerForm.CHOICE):
        unit = f" {released.unit}" if released.unit and released.form is AnswerForm.NUMBER else ""
        text = f"  {released.said}{unit}"
        if (ends := released.said_between) is not None:
            text += f" (95 %: {ends[0]} to {ends[1]})"
        return [text]
    rows = released.table()
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  " + "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]


def _limited(answered: PaidAnswer, count: PaidAnswer | None) -> list[str]:
    """Which values an answer is about, and what that means for it, or how to learn it."""
    if not answered.limited:
        return []
    these = "; the interval is for these" if answered.released.interval is not None else ""
    if count is not None:
        return [f"  Of {answered.limited}{these}. {beyond_said(answered, count)}"]
    return [
        f"  Of {answered.limited}{these}. How many values lie beyond, “--query limited” with "
        f"{'the same' if answered.inner is None else 'these'} bounds tells, for an ε of its own."
    ]


def _drawn(answered: PaidAnswer) -> list[str]:
    said = drawn_words(answered)
    return [f"  {said}"] if said else []


def _left(session: Session) -> list[str]:
    unset = [] if session.ledger.current.budget is not None else ["No budget is set for this data."]
    return [*unset, *ledgers.account_lines(session.ledger.current, number_known=bool(session.standing.known))]


def _account(session: Session) -> dict[str, Any]:
    return ledgers.account(session.ledger.current, number_known=bool(session.standing.known))


def _promise(neighbours: str, unclaimed: str, asserted: Iterable[str]) -> list[str]:
    """The promise of an answer with its assertions, or the sentence that it promises nothing."""
    if unclaimed:
        return [unclaimed]
    return [f"Hidden is {NEIGHBOURS[neighbours]}, if what you assert is so:", *(f"  - {said}" for said in asserted)]
