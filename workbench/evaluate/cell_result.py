"""The result of one method at one place of an experiment: its errors in summary, as stored. Analyst only."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from workbench.core.chance import chance_of
from workbench.core.typed_fields import Measured, typed_fields
from workbench.evaluate.question import Floats

COVERAGE = 0.95
NOISE = "noise"
"""Among what formulas expect: the mean size of the noise, before anything is done to the answers."""


def spread_of(name: str) -> str:
    """Under which name the standard error of what a formula expects is kept: that of whom it was computed for."""
    return f"{name} ±"


def end_of(name: str, *, upper: bool) -> str:
    """Under which name an end of the range is kept in which 95 % of the errors lie, where their law is known."""
    return f"{name} {'high' if upper else 'low'}"


@dataclass(frozen=True)
@typed_fields
class ErrorSummary:
    """Errors of many repetitions: their mean, its standard error, and between which limits 95 % of them lie."""

    mean: Measured
    low: Measured
    high: Measured
    error_of_mean: Measured

    @classmethod
    def between(cls, errors: Floats) -> tuple[float, float]:
        """Between which limits 95 % of so many errors lie."""
        # As np.quantile has it, which for the few errors of a cell takes ten times as long.
        ordered, low, high = np.sort(errors), (1 - COVERAGE) / 2, (1 + COVERAGE) / 2
        last = len(ordered) - 1
        return _at(ordered, low * last), _at(ordered, high * last)

    @classmethod
    def of_law(cls, errors: Floats) -> tuple[float, float]:
        """Between which limits 95 % lie of a law for which these stand, each in the middle of an equal part of it."""
        ordered, count = np.sort(errors), len(errors)
        low, high = (share * count - 0.5 for share in ((1 - COVERAGE) / 2, (1 + COVERAGE) / 2))
        return _at(ordered, max(low, 0.0)), _at(ordered, min(high, count - 1.0))

    @classmethod
    def of(cls, errors: Floats, alike: int = 1, *, tail: bool = False) -> ErrorSummary:
        """The summary of those errors that are there; nan if none is.

        Parameters
        ----------
        alike
            So many errors one after the other are about the same people, so that only their means are independent.
        tail
            Whether the standard error is as much larger as chance reaches further up where a few errors are long.
        """
        known = errors[~np.isnan(errors)]
        if not len(known):
            return cls(math.nan, math.nan, math.nan, math.nan)
        if np.isinf(known).any():
            return cls(math.inf, float(known.min()), math.inf, math.nan)
        low, high = cls.between(known)
        if known.min() == known.max():
            return cls(float(known[0]), float(known[0]), float(known[0]), 0.0)  # the mean of equal floats may differ
        groups = (errors[start : start + alike] for start in range(0, len(errors), alike))
        apart = known if alike == 1 else np.array([np.nanmean(one) for one in groups if not np.isnan(one).all()])
        spread = float(apart.std(ddof=1) / math.sqrt(len(apart))) if len(apart) > 1 else math.nan
        return cls(float(known.mean()), low, high, spread * (_reaches_further(apart) if tail else 1.0))


@dataclass(frozen=True)
@typed_fields
class CellResult:
    """The result of one method at one place.

    Parameters
    ----------
    summaries, theory
        By metric as text; theory holds what a formula expects, where there is one, also of the `NOISE`, the standard
        error of each over the people it was computed for (`spread_of`), and, of a single number, the ends of the range
        of its errors (`end_of`).
    repetitions, unanswered
        How often it was tried, and how often there was no answer, such as a release without rows; the summaries are
        about the others.
    epsilon
        What a person really spends.
    notes
        What must be known to read it.
    problem
        Why there is nothing, or "".
    """

    summaries: Mapping[str, ErrorSummary] = field(default_factory=lambda: MappingProxyType({}))
    theory: Mapping[str, Measured] = field(default_factory=lambda: MappingProxyType({}))
    repetitions: int = 0
    unanswered: int = 0
    epsilon: Measured = 0.0
    notes: tuple[str, ...] = ()
    problem: str = ""

    def to_json(self) -> dict[str, Any]:
        """As JSON; numbers that are none become null."""
        return {
            "summaries": {
                name: [_kept(one.mean), _kept(one.low), _kept(one.high), _kept(one.error_of_mean)]
                for name, one in self.summaries.items()
            },
            "theory": {name: _kept(one) for name, one in self.theory.items()},
            "repetitions": self.repetitions,
            "unanswered": self.unanswered,
            "epsilon": _kept(self.epsilon),
            "notes": list(self.notes),
            "problem": self.problem,
        }

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> CellResult:
        """The result of `to_json`.

        Raises
        ------
        ValueError, TypeError, KeyError
            If something in it has the wrong type.
        """
        return cls(
            MappingProxyType({name: ErrorSummary(*map(_number, one)) for name, one in plain["summaries"].items()}),
            MappingProxyType({name: _number(one) for name, one in plain["theory"].items()}),
            int(plain["repetitions"]),
            int(plain["unanswered"]),
            _number(plain["epsilon"]),
            tuple(str(note) for note in plain["notes"]),
            str(plain["problem"]),
        )


def _reaches_further(errors: Floats) -> float:
    """How many times as far as of normal errors chance of so many reaches up, where a few of them are long.

    Without it 95 of 100 are fewer: their mean and its standard error are both too small wherever none of the long ones
    is there.

    Notes
    -----
    The skewness of Student's t moves the upper end of the mean by s·γ·(2z² + 1)/(6√n) (P. Hall, On the removal of
    skewness by transformation, 1992). The lower end would move up as far; it is left as far down, for γ is itself an
    estimate that comes out too small.
    """
    far = errors - errors.mean()
    square = float(np.square(far).mean())
    if len(errors) < 3 or not square > 0:
        return 1.0
    skewness, reach = float((far**3).mean()) / square**1.5, chance_of(len(errors))
    more: float = max(skewness, 0.0) * (2 * reach * reach + 1) / (6 * reach * math.sqrt(len(errors)))
    return 1.0 + more


def _at(ordered: Floats, place: float) -> float:
    """The number at a place among rising ones, on the line between the two that are nearest to it."""
    below = math.floor(place)
    part = place - below
    first, second = float(ordered[below]), float(ordered[min(below + 1, len(ordered) - 1)])
    return second - (second - first) * (1 - part) if part >= 0.5 else first + (second - first) * part


def _kept(value: float) -> float | str | None:
    """A number in JSON, which knows neither nan nor infinity, so that it reads back as the same."""
    if math.isinf(value):
        return "infinite" if value > 0 else "-infinite"
    return value if math.isfinite(value) else None


def _number(value: Any) -> float:
    if value is None:
        return math.nan
    return {"infinite": math.inf, "-infinite": -math.inf}.get(value) or float(value)
