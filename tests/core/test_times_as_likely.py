"""What ε bounds is one sentence, of a release as of an answer, and rounded to the safe side."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from workbench.core.times_as_likely import no_likelier
from workbench.query.amounts import in_words
from workbench.session import Session


@pytest.mark.parametrize("epsilon", [0.01, 0.1, 0.5, 1.0, 2.0, 5.0])
def test_a_factor_is_never_said_to_be_less(epsilon: float) -> None:
    said = no_likelier(epsilon)
    factor = float(said.removeprefix("with or without you, no outcome is more than ").removesuffix(" times as likely"))
    assert math.exp(epsilon) <= factor <= 1.001 * math.exp(epsilon) + 0.001
    assert "somebody else in your place" in no_likelier(epsilon, replacing=True)


def test_an_answer_and_a_release_promise_the_same_in_the_same_words() -> None:
    session = Session()
    promise = session.release.promise()
    epsilon = promise.about(replacing=False)[0]
    released, answered = promise.in_letters(), in_words(Fraction(epsilon))
    assert released.startswith(f"ε sets this: {no_likelier(epsilon)}, but for δ.")
    said = no_likelier(epsilon, "answer")
    assert answered.startswith(f"{said[0].upper()}{said[1:]} (e^ε). Somebody who knows everything except whether you ")
