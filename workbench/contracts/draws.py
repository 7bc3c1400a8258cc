"""The law of an answer, by going through every random draw that makes it.

A mechanism gets its randomness from `Draws` alone. Given instead what follows a path through all possible draws, it
shows every answer it can give and how likely each is, whatever it does with them.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from workbench.contracts.contract import Broken, Untried
from workbench.core.discrete_noise import Choices
from workbench.core.number_text import exact
from workbench.core.private_draw import Draw
from workbench.core.trim_law import TrimLaw
from workbench.query.answer import ReleasedAnswer
from workbench.query.draws import Draws

_MOST_PATHS = 700
_MOST_ORDERED = 6
_FAR = 40
_ANY_LOSS = 1 << 62
_LOSSES_TRIED = 3


@dataclass
class Watched:
    """Draws that follow a script and remember what was asked for."""

    noises: Iterator[int] = field(default_factory=lambda: iter(()))
    places: Iterator[int] = field(default_factory=lambda: iter(()))
    rates: list[Fraction] = field(default_factory=list)
    choices: list[tuple[list[int], list[int], Fraction]] = field(default_factory=list)
    scores: list[tuple[list[int], Fraction, Draw]] = field(default_factory=list)

    def two_sided(self, rate: Fraction) -> int:
        self.rates.append(rate)
        return next(self.noises)

    def two_sided_power(self, alpha: Fraction) -> int:
        self.rates.append(alpha)
        return next(self.noises)

    def choose(self, choices: Choices, rate: Fraction) -> int:
        widths, losses = _all_of(choices)
        self.choices.append((widths, losses, rate))
        return next(self.places)

    def below(self, bound: int) -> int:
        return 0

    def position(self, scores: Sequence[int], rate: Fraction, draw: Draw) -> int:
        self.scores.append((list(scores), rate, draw))
        return next(self.places)

    def trimmed(self, law: TrimLaw, groups: int) -> NDArray[np.int64]:
        return np.array([next(self.places) for _ in range(groups)], dtype=np.int64)


def _all_of(choices: Choices) -> tuple[list[int], list[int]]:
    """How many candidates every position has, and its loss; and that the choices say of themselves what is so."""
    places, widths, losses = (one.tolist() for one in choices.near(_ANY_LOSS))
    whole = places == list(range(len(choices))) and sum(widths) == choices.candidates and min(losses) == choices.least
    if not whole or min(widths) < 1:
        raise Broken("it does not say rightly what there is to choose from.")
    for loss in sorted(set(losses))[:_LOSSES_TRIED]:
        near = choices.near(loss)
        expected = [place for place, one in enumerate(losses) if one <= loss]
        same = [widths[place] for place in expected], [losses[place] for place in expected]
        if near[0].tolist() != expected or (near[1].tolist(), near[2].tolist()) != same:
            raise Broken(f"it does not say rightly which choices have at most the loss {loss}.")
    return widths, losses


@dataclass(frozen=True)
class Law:
    """The probability of each answer.

    Parameters
    ----------
    chances
        By answer, everything that is released of it.
    beyond
        The probability of noise too large to be gone through.
    """

    chances: dict[str, float]
    beyond: float


class _Path:
    """Draws along one path; which one is said by the place of the branch at each draw."""

    def __init__(self, branches: Sequence[int], reach: int) -> None:
        self._branches, self._reach = branches, reach
        self.taken: list[int] = []
        self.widths: list[int] = []
        self.chance = 1.0
        self.beyond = 0.0
        self.noises = 0

    def _follow(self, law: Sequence[tuple[int, float]]) -> int:
        depth = len(self.taken)
        place = self._branches[depth] if depth < len(self._branches) else 0
        self.taken.append(place)
        self.widths.append(len(law))
        value, chance = law[place]
        self.chance *= chance
        return value

    def _noise(self, share: float) -> int:
        if not 0 < share < 1:
            raise Broken(f"it asks for noise in proportion to {exact(share)}^|z|, which is no distribution.")
        self.noises += 1
        self.beyond += 2 * share ** (self._reach + 1) / (1 + share)
        scale = (1 - share) / (1 + share)
        return self._follow([(z, scale * share ** abs(z)) for z in range(-self._reach, self._reach + 1)])

    def two_sided(self, rate: Fraction) -> int:
        if rate <= 0:
            raise Broken(f"it asks for noise of the rate {rate}.")
        share = math.exp(-float(rate))
        # So sharp that other noise than 0 never comes: the number itself is given out.
        return self._noise(share) if share > 0 else self._follow([(0, 1.0)])

    def two_sided_power(self, alpha: Fraction) -> int:
        return self._noise(float(alpha))

    def choose(self, choices: Choices, rate: Fraction) -> int:
        widths, losses = _all_of(choices)
        least = min(losses)
        weights = [width * math.exp(-float(rate * (loss - least))) for width, loss in zip(widths, losses, strict=True)]
        return self._follow([(place, weight / sum(weights)) for place, weight in enumerate(weights)])

    def below(self, bound: int) -> int:
        return self._follow([(place, 1 / bound) for place in range(bound)])

    def position(self, scores: Sequence[int], rate: Fraction, draw: Draw) -> int:
        best = max(scores)
        chances = [math.exp(-float(rate * (best - score))) for score in scores]
        if draw is Draw.EXPONENTIAL:
            shares = [chance / sum(chances) for chance in chances]
        else:
            shares = permute_and_flip(chances)
        return self._follow(list(enumerate(shares)))

    def trimmed(self, law: TrimLaw, groups: int) -> NDArray[np.int64]:
        chances = [(rows, weight / law.total) for rows, weight in enumerate(law.weights)]
        return np.array([self._follow(chances) for _ in range(groups)], dtype=np.int64)


def permute_and_flip(chances: Sequence[float]) -> list[float]:
    """How likely each position is drawn that is accepted with these chances in a random order.

    Raises
    ------
    Untried
        If there are too many orders to go through.
    """
    if len(chances) > _MOST_ORDERED:
        raise Untried(f"{len(chances)} candidates have too many orders to go through.")
    found = [0.0] * len(chances)
    orders = list(itertools.permutations(range(len(chances))))
    for order in orders:
        reached = 1.0
        for place in order:
            found[place] += reached * chances[place] / len(orders)
            reached *= 1 - chances[place]
    return found


def law_of(release: Callable[[Draws], ReleasedAnswer]) -> Law:
    """The law of what `release` makes of its draws.

    Raises
    ------
    Broken
        If two runs along one path differ: then it draws randomness of its own.
    Untried
        If there are too many paths.
    """
    first, again = (_Path((), 0) for _ in range(2))
    if _written(release(first)) != _written(release(again)):
        raise Broken("with the same draws it answers differently: it has random numbers from elsewhere.")
    # So far that all paths together are few enough, as far as the first one tells.
    noisy, others = first.noises, math.prod(first.widths)
    reach = _FAR
    while reach and others * (2 * reach + 1) ** noisy > _MOST_PATHS:
        reach -= 1
    while reach:
        found = _gone_through(release, reach)
        if found is not None:
            return found
        reach //= 2  # other paths than the first have more draws
    raise Untried("there are too many draws to go through all of them.")


def _gone_through(release: Callable[[Draws], ReleasedAnswer], reach: int) -> Law | None:
    """The law with noise up to `reach`; None if there are too many paths."""
    chances: dict[str, float] = {}
    branches: list[int] | None = []
    beyond, paths = 0.0, 0
    while branches is not None:
        path = _Path(branches, reach)
        answer = _written(release(path))
        chances[answer] = chances.get(answer, 0.0) + path.chance
        beyond, paths = max(beyond, path.beyond), paths + 1
        if paths > 4 * _MOST_PATHS:
            return None
        branches = _next(path)
    return Law(chances, beyond)


def _next(path: _Path) -> list[int] | None:
    """The path after this one, if there is one."""
    for depth in reversed(range(len(path.taken))):
        if path.taken[depth] + 1 < path.widths[depth]:
            return [*path.taken[:depth], path.taken[depth] + 1]
    return None


def _written(released: ReleasedAnswer) -> str:
    return json.dumps(released.to_json(), sort_keys=True, ensure_ascii=False)


def excess_beyond(one: Law, other: Law, factor: float) -> float:
    """By how much the chances under one law exceed `factor` times those under the other, all answers together."""
    found = 0.0
    for answer, chance in one.chances.items():
        found += max(0.0, chance - factor * (other.chances.get(answer, 0.0) + other.beyond))
    return found


def excess(one: Law, other: Law, factor: float) -> tuple[str, float] | None:
    """The answer that is more than `factor` times likelier under one law, with by how much; None if there is none.

    What is beyond the noise that was gone through is granted to the other law, so no pair within the factor is named.
    """
    worst: tuple[str, float] | None = None
    for answer, chance in one.chances.items():
        allowed = factor * (other.chances.get(answer, 0.0) + other.beyond) * (1 + 1e-9)
        if chance > allowed + 1e-12:
            ratio = chance / max(other.chances.get(answer, 0.0), 1e-300)
            if worst is None or ratio > worst[1]:
                worst = answer, ratio
    return worst
