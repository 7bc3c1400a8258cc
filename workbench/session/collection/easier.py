"""A protocol that asks less of the people who answer, where it errs hardly more than the one to take."""

from __future__ import annotations

import math
from dataclasses import replace

from workbench.ldp.prediction import Prediction
from workbench.ldp.share_margin import MARGIN
from workbench.session.collection.answered import Answered
from workbench.session.collection.results import Planned
from workbench.session.collection.two_answers import titled
from workbench.session.collection.words import scale_of

_HARDLY_MORE = 1.1
"""Times the least error, up to which who plans a survey may want what is easier."""
MOST_WORDS = 26
"""A card is read at a glance."""
_EASY = "grr"
"""Direct encoding, of two answers randomised response: a person says one answer."""


def with_easier(answer: Answered, planned: Planned, taken: Prediction, metric: str) -> Answered:
    """The answer of a card, and behind its last sentence what is easier; where that were too long to be read, apart."""
    if not (easier := easier_words(planned, taken, metric)):
        return answer
    detail = f"{answer.detail.removesuffix('.')}; {easier}"
    if len(detail.split()) <= MOST_WORDS:
        return replace(answer, detail=detail)
    return replace(answer, rest=f"{easier[0].upper()}{easier[1:]} {answer.rest}".strip())


def easier_words(planned: Planned, taken: Prediction, metric: str) -> str:
    """That people may say one answer alone at hardly a larger error, as the end of a sentence; "" if it is not so.

    Parameters
    ----------
    taken
        The prediction of the protocol to take.
    metric
        The error that is to be reached: one of `METRICS`, or `MARGIN`.
    """
    if _EASY in (taken.choice.identifier, taken.simpler):
        return ""
    easy = next((one for one in planned.predictions if one.choice.identifier == _EASY and not one.problem), None)
    if easy is None:
        return ""
    error = _error(planned, easy, metric)
    if not error <= _HARDLY_MORE * _error(planned, taken, metric):
        return ""
    what = " misplaced" if metric == "l1" else ""
    figure = scale_of(metric).text(error)
    figure = f"± {figure}" if metric == MARGIN else figure
    return f"easier: {titled(easy.choice, planned.plan)}, {figure}{what}."


def _error(planned: Planned, one: Prediction, metric: str) -> float:
    if metric != MARGIN:
        return one.error(metric)
    return next((margin for known, margin in planned.by_margin if known is one), math.nan)
