"""Above-threshold as a chain: ask until the first noisy answer exceeds a noisy threshold, and say where that was.

The published model (D. Liu, B.-Y. Wang, L. Zhang: Model Checking Differentially Private Properties, APLAS 2018, after
Dwork–Roth 2014, Alg. 1) sends the threshold through a 1/4-geometric and every answer through a 1/2-geometric
mechanism, both truncated to {0 … n}. It has no fixed ε: a noisy threshold that hits
the end of the range makes a ⊤ certain (≥) or impossible (>), and nothing hides how often that was tried. Comparing
values that are not truncated repairs it: moving threshold and answers by one is then hidden by their noise alone.

Repaired, with a = −ln α of the queries and b = −ln α of the threshold, the loss is at most

- b if all answers are equal and move together: moving the noisy threshold with them undoes the change;
- min(m·a, b + 2a) over any m answers of sensitivity 1: each of them costs at most a; or the threshold is moved by one
  and the answer that stops by two. The supremum over whole-number streams is just that: with the stopping answer far
  below the threshold and the others far above it, all factors approach their bounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.mechanisms.epsilon import Epsilon
from workbench.mechanisms.geometric import ONE, OverAllNumbers, truncated

MOST_QUERIES = 100
MOST_RANGE = 64
_FAR = 24


@dataclass(frozen=True)
class Stops:
    """The places where the chain stops for one stream.

    Parameters
    ----------
    at
        P(first ⊤ at query 1, 2, …).
    never
        P(no ⊤ at all).
    """

    at: tuple[Fraction, ...]
    never: Fraction

    @property
    def all(self) -> tuple[Fraction, ...]:
        return (*self.at, self.never)


@dataclass(frozen=True)
class AboveThreshold:
    """One version of the mechanism.

    Parameters
    ----------
    n
        Answers and threshold lie in {0 … n}.
    threshold_alpha, query_alpha
        α of the geometric noise on the threshold and on every answer.
    strict
        ⊤ needs answer > threshold; else ≥ is enough.
    truncated
        Noisy values are moved into {0 … n} before they are compared, as published; else compared as they are.
    """

    n: int = 5
    threshold_alpha: Fraction = Fraction(1, 4)
    query_alpha: Fraction = Fraction(1, 2)
    strict: bool = True
    truncated: bool = True

    def __post_init__(self) -> None:
        if not 1 <= self.n <= MOST_RANGE:
            raise WorkbenchError(
                f"n = {self.n} is not between 1 and {MOST_RANGE}.", hint="Choose another n.", field="n"
            )
        for alpha, field in ((self.threshold_alpha, "threshold_alpha"), (self.query_alpha, "query_alpha")):
            if not 0 < alpha < 1:
                raise WorkbenchError(
                    f"α = {alpha} is not between 0 and 1.", hint="Write a fraction such as 1/2.", field=field
                )

    # One stream

    def stops(self, stream: Sequence[int], threshold: int) -> Stops:
        """Exact probability of stopping at each query.

        Parameters
        ----------
        stream
            The true answers, in the order they are asked for; within 0 … n where values are truncated.
        threshold
            The public threshold.

        Raises
        ------
        WorkbenchError
            If a value cannot be an input of the mechanism, or there are none or too many.
        """
        if not 1 <= len(stream) <= MOST_QUERIES:
            raise WorkbenchError(
                f"A stream of {len(stream):,} answers cannot be worked out.",
                hint=f"Give between 1 and {MOST_QUERIES} answers.",
                field="stream",
            )
        for value, field in [(threshold, "threshold"), *((value, "stream") for value in stream)]:
            low, high = (0, self.n) if self.truncated else (-10 * MOST_RANGE, 10 * MOST_RANGE)
            if not low <= value <= high:
                raise WorkbenchError(
                    f"The value {value} is not between {low} and {high}.",
                    hint="Choose values of this range, or a larger n.",
                    field=field,
                )
        return self._truncated(stream, threshold) if self.truncated else self._untruncated(stream, threshold)

    def _truncated(self, stream: Sequence[int], threshold: int) -> Stops:
        rows = {value: truncated(self.query_alpha, self.n, value) for value in set(stream)}
        # P(⊤ | noisy threshold τ) per value.
        over = {
            value: [sum(row[tau + self._gap :], Fraction(0)) for tau in range(self.n + 1)]
            for value, row in rows.items()
        }
        going = list(truncated(self.threshold_alpha, self.n, threshold))
        at = []
        for value in stream:
            chances = over[value]
            at.append(sum((p * c for p, c in zip(going, chances, strict=True)), Fraction(0)))
            going = [p * (1 - c) for p, c in zip(going, chances, strict=True)]
        return Stops(tuple(at), sum(going, Fraction(0)))

    def _untruncated(self, stream: Sequence[int], threshold: int) -> Stops:
        # answer ≥ τ is the same as answer + 1 > τ for whole numbers, and only differences to the threshold matter.
        moved = tuple(value + 1 - self._gap - threshold for value in stream)
        return _untruncated_stops(self.threshold_alpha, self.query_alpha, moved)

    @property
    def _gap(self) -> int:
        return 1 if self.strict else 0

    # Over neighbouring streams

    def database_losses(
        self, queries: int, threshold: int | None = None, progress: Progress = SILENT
    ) -> tuple[Epsilon, ...]:
        """Exact ε for 1, 2, … queries that all have the same true answer d, over |d − d′| ≤ 1 within 0 … n.

        Parameters
        ----------
        queries
            How many at most.
        threshold
            The public threshold; None takes the worst of 0 … n.
        """
        _check_queries(queries)
        thresholds = range(self.n + 1) if threshold is None else (threshold,)
        worst_stop = [ONE] * queries
        worst_never = [ONE] * queries
        for number, t in enumerate(thresholds):
            progress(number / len(thresholds))
            previous: list[Stops] = []
            for d in range(self.n + 1):
                current = list(self._prefixes((d,) * queries, t))
                for place, (one, other) in enumerate(zip(previous, current, strict=True) if previous else ()):
                    worst_stop[place] = max(worst_stop[place], _ratio(one.at[-1], other.at[-1]))
                    worst_never[place] = max(worst_never[place], _ratio(one.never, other.never))
                previous = current
        losses, so_far = [], ONE
        for stop, never in zip(worst_stop, worst_never, strict=True):
            so_far = max(so_far, stop)
            losses.append(Epsilon(ratio=max(so_far, never)))
        return tuple(losses)

    def _prefixes(self, stream: Sequence[int], threshold: int) -> Iterator[Stops]:
        """Results of `stops` for the first 1, 2, … answers, each with its last stop only."""
        found = self.stops(stream, threshold)
        left = ONE
        for chance in found.at:
            left -= chance
            yield Stops((chance,), left)

    def worst_losses(self, queries: int) -> tuple[Epsilon, ...]:
        """ε for 1, 2, … queries over all streams of which every answer may move by one.

        Truncated, m·(−ln α) of the queries is attained exactly (by `worst_streams`) and never exceeded, because each of
        the m comparisons changes by a factor of at most 1/α. Untruncated, it is the supremum over all whole numbers.
        """
        _check_queries(queries)
        each = 1 / self.query_alpha
        together = each**2 / self.threshold_alpha
        powers = (each**count for count in range(1, queries + 1))
        return tuple(Epsilon(ratio=power if self.truncated else min(power, together)) for power in powers)

    def worst_streams(self, queries: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Two neighbouring streams that tell as much as `worst_losses` says, or untruncated nearly as much."""
        _check_queries(queries)
        ahead = queries - 1
        if self.truncated and not self.strict:
            # Never: the noisy answer n is below a threshold of at most n only just as often as truncation allows.
            return (self.n - 1,) * queries, (self.n,) * queries
        if self.truncated:
            return (*(self.n - 1,) * ahead, 1), (*(self.n,) * ahead, 0)
        return (*(_FAR,) * ahead, 1 - _FAR), (*(_FAR + 1,) * ahead, -_FAR)

    def fixed_loss(self, *, equal: bool) -> Epsilon | None:
        """An ε that holds for any number of queries, or None: the truncated model has none.

        Parameters
        ----------
        equal
            All answers are equal and move together.
        """
        if self.truncated:
            return None
        each = ONE if equal else 1 / self.query_alpha**2
        return Epsilon(ratio=each / self.threshold_alpha)


@lru_cache(maxsize=512)
def _untruncated_stops(threshold_alpha: Fraction, query_alpha: Fraction, stream: tuple[int, ...]) -> Stops:
    """Where untruncated comparisons with > stop, for a threshold of 0."""
    chain = OverAllNumbers(threshold_alpha, 0, query_alpha, stream)
    at = []
    for value in stream:
        at.append(chain.total_with(value, above=True))
        chain.multiply(value, above=False)
    return Stops(tuple(at), chain.total_with())


def _ratio(one: Fraction, other: Fraction) -> Fraction:
    # Every stop is possible for every stream: geometric noise reaches everything.
    return max(one / other, other / one)


def _check_queries(queries: int) -> None:
    if not 1 <= queries <= MOST_QUERIES:
        raise WorkbenchError(
            f"{queries:,} queries are not between 1 and {MOST_QUERIES}.", hint="Choose another number.", field="queries"
        )
