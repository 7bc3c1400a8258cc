"""An answer as it is saved: its numbers as CSV, or everything it was made with as JSON."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from workbench.io.writing import neutral, neutral_line
from workbench.query.partition import beyond_words
from workbench.session.answer_shares import together_words, total_words
from workbench.session.beyond_bounds import beyond_said, beyond_to_json
from workbench.session.noise_alone import noise_alone, noise_to_json
from workbench.session.query_answers import PaidAnswer
from workbench.session.row_counts import drawn_words, with_draw

_EACH = "each true value lies between its own two with a chance of at least 95 %"


def copied(answered: PaidAnswer) -> list[tuple[str, ...]]:
    """The answer as a table to copy, with a heading; an interval for the noise alone says that it is one."""
    alone = noise_alone(answered)
    if alone is None:
        return answered.released.table()
    heading, *rows = alone.released.table()
    return [(*heading[:2], *(f"{name}, noise alone" for name in heading[2:])), *rows]


def as_json(answered: PaidAnswer, counted: PaidAnswer | None = None) -> str:
    """The answer with everything public, as JSON.

    Parameters
    ----------
    counted
        The count of the values that its bounds limited, if there is one.
    """
    drawn = with_draw(answered)
    more: dict[str, Any] = noise_to_json(answered)
    if drawn is not None:
        more["with_draw"] = drawn.to_json()
    if counted is not None:
        more["counted_beyond"] = beyond_to_json(counted)
    return json.dumps(answered.to_json() | more, ensure_ascii=False, indent=2) + "\n"


def as_csv(answered: PaidAnswer, counted: PaidAnswer | None = None) -> str:
    """The answer as a table, with what it was made with in lines that begin with #.

    Parameters
    ----------
    counted
        The count of the values that its bounds limited, if there is one.
    """
    question, charge = answered.question, answered.entry.charge
    out, alone = io.StringIO(), noise_alone(answered)
    released = answered.released if alone is None else alone.released
    each = _EACH if alone is None else f"between these with 95 % confidence: {alone.of}"
    facts = {
        "query": answered.what,
        "epsilon": str(answered.epsilon),
        "delta": str(answered.delta),
        "engine": question.get("engine", charge.made_by),
        "neighbours": question.get("neighbours", charge.neighbours),
        "rows per person": charge.rows_per_person,
        "claim": "none" if answered.unclaimed else "holds if what is asserted is so",
        "why no claim": answered.unclaimed,
        "of": answered.limited,
        "bounds found first": "" if alone is None else alone.sentence,
        "beyond the bounds": beyond_said(answered, counted),
        "draw of rows": drawn_words(answered),
        "all at once, with 95 %": together_words(answered.released, question),
        "total": total_words(answered.released, question),
        "cells": beyond_words(question),
        "asserted": " ".join(answered.asserted),
        "at least, at most": "" if released.interval is None else each,
        "after a look": answered.after_look,
        "time": answered.entry.when,
        "parameters": json.dumps(question.get("values", {}), ensure_ascii=False),
    }
    for name, value in ((name, value) for name, value in facts.items() if value):
        out.write(neutral_line(f"# {name}: {' '.join(str(value).splitlines())}") + "\n")
    # Labels may come from somebody else; numbers stay as they are.
    rows = (map(neutral, row) for row in released.table())
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()
