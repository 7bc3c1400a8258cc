"""Interval for the noise alone of an answer within bounds that were found first, from what was released of it."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from workbench.core.number_text import shown, within_margin
from workbench.core.schema import ColumnSpec, Kind
from workbench.query.answer import ReleasedAnswer
from workbench.query.catalogue import NoiseSource
from workbench.query.grid import Grid
from workbench.query.narrowed import Narrowed
from workbench.query.numeric import Numeric
from workbench.session.answer_numbers import margins
from workbench.session.query_answers import PaidAnswer

NARROWED = "narrowed"
"""The kind of question whose bounds are found first."""


@dataclass(frozen=True)
class NoiseAlone:
    """Between which numbers the exact answer to values limited to the bounds that were found lies, with 95 %.

    Parameters
    ----------
    released
        The answer with that interval, which it has not by itself: what limiting the values shifts is in none.
    statistic
        What was asked within them, in words.
    bounds
        The bounds that were found.
    """

    released: ReleasedAnswer
    statistic: str
    bounds: tuple[str, str]

    @property
    def brief(self) -> str:
        """To stand beside the answer."""
        (margin,) = margins(self.released)
        low, high = self.bounds
        return f"{margin} for the noise, with 95 %, of values limited to {low}…{high}"

    @property
    def sentence(self) -> str:
        """The same in full, with what it leaves out."""
        assert self.released.interval is not None
        _, low, high = within_margin(self.released.value, *self.released.interval)
        return (
            f"Values beyond {' and '.join(self.bounds)}, which were found with a quarter of ε, count as the nearer of "
            f"the two. The {self.statistic} of these lies between {low} and {high} with 95 % confidence. That is for "
            "the noise alone: how far limiting the values shifts it is not known."
        )


def noise_alone(answered: PaidAnswer) -> NoiseAlone | None:
    """The interval of an answer within bounds that were found first; None of any other, or of another version's.

    All of it is public: the bounds follow from the noisy counts that stand in the answer, and its noise was drawn
    apart from theirs, so that whichever were found it covers the same share.
    """
    question, released = answered.question, answered.released
    if question.get("query") != NARROWED or question.get("engine", str(NoiseSource.GRID)) != str(NoiseSource.GRID):
        return None
    # What another version wrote may look like anything.
    with contextlib.suppress(KeyError, TypeError, ValueError, ArithmeticError, AttributeError, IndexError):
        inner, figure = asked_within(answered), str(question["values"]["figure"])
        spec = inner.grid.spec
        sums = {part.name: np.array(released.noisy[part.name], dtype=np.float64) for part in inner.parts}
        if inner.shaped(inner.finish(sums)) != released.value:
            return None
        least, most = (float(one[0]) for one in inner.between(sums))
        ends = tuple(shown(float(end), spec) for end in (inner.grid.lower, inner.grid.upper))
        found = NoiseAlone(replace(answered.told, interval=(least, most)), figure.replace("-", " "), (ends[0], ends[1]))
        return found if margins(found.released) else None
    return None


def asked_within(answered: PaidAnswer) -> Numeric:
    """The question within the bounds that were found for it, of an answer by this program.

    Raises
    ------
    KeyError, TypeError, ValueError, ArithmeticError, AttributeError, IndexError
        If another version wrote it otherwise.
    """
    question = answered.question
    (frame,) = question["frames"]
    spec = ColumnSpec(frame["column"], Kind(question["columns"][frame["column"]]["kind"]))
    low, high, step = (Fraction(frame[name]) for name in ("lower", "upper", "resolution"))
    figure = str(question["values"]["figure"])
    whole = Narrowed(Grid(spec, low, high, step), figure, answered.epsilon, answered.paid.rows_per_person)
    return whole.found_within(np.array([answered.released.noisy["cells"]], dtype=np.float64))
