"""The promise of ε in one sentence, wherever something is promised: how much likelier a person makes anything."""

from __future__ import annotations

import math

from workbench.core.number_text import rounded_up


def no_likelier(epsilon: float, outcome: str = "outcome", *, replacing: bool = False) -> str:
    """The beginning of a sentence on what ε bounds: e^ε, rounded up, is how many times as likely anything may become.

    Parameters
    ----------
    outcome
        What is seen: an outcome, an answer.
    replacing
        Whether it is about another person in the place of one, and not about one more or less.
    """
    with_you = "with you or somebody else in your place" if replacing else "with or without you"
    return f"{with_you}, no {outcome} is more than {rounded_up(math.exp(epsilon))} times as likely"
