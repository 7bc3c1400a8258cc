"""The facts below an answer that was paid for: how it was made, and what must be known to read it."""

from __future__ import annotations

import numpy as np

from workbench.query.answer import ReleasedAnswer
from workbench.query.circumstances import kind_behind_step
from workbench.session.answer_shares import total_words
from workbench.session.charged_words import charged_of
from workbench.session.noise_alone import noise_alone
from workbench.session.query_answers import PaidAnswer
from workbench.session.query_words import (
    holds_for_words,
    maker_words,
    neighbour_words,
    post_words,
    when_words,
    without_value_words,
)

_BELOW = "Noise can take a count below 0, where no true one is."


def made_words(answered: PaidAnswer, *, number_known: bool) -> str:
    """When it was made, for what ε, for whom and with which noise.

    Parameters
    ----------
    number_known
        Whether others know how many people there are.
    """
    charge, question = answered.entry.charge, answered.question
    neighbours = str(question.get("neighbours", charge.neighbours))
    return " · ".join(
        (
            when_words(answered.entry.when),
            charged_of((answered.epsilon, answered.delta), neighbours, number_known=number_known),
            holds_for_words(charge.rows_per_person, question),
            maker_words(str(question.get("engine", charge.made_by))),
            neighbour_words(neighbours, number_known=number_known),
        )
    )


def answer_notes(answered: PaidAnswer, known: int) -> list[str]:
    """What must be known to read it, in sentences.

    Parameters
    ----------
    known
        As in `shares_of`.
    """
    released, question = answered.told, answered.question
    post = post_words(str(question.get("values", {}).get("post", "")))
    # What the answer itself says of it, or that nothing was below 0, need not be said again.
    below = any(one < 0 for part in released.noisy.values() for one in part)
    vouched = kind_behind_step(question)
    return [
        *filter(None, (answered.after_look, without_value_words(question))),
        *(released.notes if noise_alone(answered) is None else ()),  # it says the same, without the interval
        *filter(None, (total_words(released, question, known),)),
        *([_BELOW] if _goes_below(released) else []),
        *([f"Said to be known without the file: {vouched}."] if vouched else []),
        *([post[:1].upper() + post[1:] + "."] if post and below and not released.notes else []),
    ]


def _goes_below(released: ReleasedAnswer) -> bool:
    """Whether a count is below 0, and so out of its own interval, and no other note says why."""
    if released.notes or released.interval is None or set(released.noisy) != {"count"}:
        return False
    pairs = zip(*(np.ravel(one) for one in (released.value, released.interval[0])), strict=True)
    return any(value < 0 <= low for value, low in pairs)
