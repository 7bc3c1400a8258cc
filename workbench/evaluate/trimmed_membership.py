"""The membership test of `workbench.evaluate.membership` on a trimmed release, computed from its laws. Analyst only.

The attacker knows the whole table but not whether one person is in it, all settings, the release with its steps, and
what every other group gave up. Of the release only the groups the person falls into, one per step, depend on the
person. He says “in the table” where what they released is more probable with the person than without, which no other
rule beats. A group of more rows gives at least as much away, since fewer rows follow from more by taking one away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.trimming import TrimOutcome
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.core.trim_law import TrimLaw, trim_law
from workbench.evaluate.membership import MembershipTest, most_right, share_band

Floats = NDArray[np.float64]

_TRIED = 12
_ALIKE = 9
"""Decimals at which logarithms of chances count as equal."""


def tell_trimmed_membership(
    outcome: TrimOutcome,
    *,
    own: int = 1,
    promised: tuple[float, float] | None = None,
    runs: int = 2000,
    seed: int = 0,
    progress: Progress = SILENT,
) -> MembershipTest:
    """Try to tell whether a person is in the table, in the group where that is easiest.

    Parameters
    ----------
    own
        Rows of the person, all in one group.
    promised
        (ε, δ) of all that was released, if there is a claim.

    Raises
    ------
    WorkbenchError
        If there is no group, or no run is asked for.
    Cancelled
        If the progress was cancelled.
    """
    if not outcome.rows_in:
        raise WorkbenchError("The table has no rows, so nobody can be looked for.", field="data")
    if runs < 1:
        raise WorkbenchError("At least one run is needed.", field="runs")
    tried = _promising(outcome)
    laws = [
        _Trimmed(trim_law(step.epsilon, step.delta, outcome.recipe.rows_per_person), outcome.recipe.floor)
        for step in outcome.recipe.steps
    ]
    best, path, mine = -1.0, tried[0], 1
    for place, one in enumerate(tried):
        progress(0.8 * place / len(tried), "Looking for the group that gives most away")
        rows = min(own, one.rows)
        apart = _apart(one, rows, laws)
        if apart > best + 1e-12:
            best, path, mine = apart, one, rows
    random = np.random.default_rng(seed)
    with_person = _accused(path, mine, laws, random, runs, there=True)
    without = _accused(path, mine, laws, random, runs, there=False)
    right = with_person + runs - without
    progress(1.0)
    return MembershipTest(
        path.rows,
        mine,
        with_person / runs,
        without / runs,
        right / (2 * runs),
        *share_band(right, 2 * runs),
        0.5 + best / 2,
        None if promised is None else most_right(*promised),
        runs,
        seed,
    )


@dataclass(frozen=True)
class _Path:
    """A group of the first step: its rows, and the rows of others that each later step adds to its own."""

    rows: int
    others: tuple[int, ...]


def _promising(outcome: TrimOutcome) -> list[_Path]:
    """The groups that may give most away: the largest, and those whose company is largest where they are large enough.

    The company are the rows that other groups had left; that the attacker knows them is for him.
    """
    counts = outcome.steps[0].counts
    company = np.zeros((len(counts), len(outcome.parents)), dtype=np.int64)
    for number, parent in enumerate(outcome.parents):
        here = outcome.group_at(number)
        company[:, number] = outcome.steps[number + 1].counts[parent[here]] - outcome.steps[number].rests[here]
    least = company.min(axis=1) if company.shape[1] else np.zeros(len(counts), dtype=np.int64)
    law = trim_law(outcome.recipe.steps[0].epsilon, outcome.recipe.steps[0].delta, outcome.recipe.rows_per_person)
    enough = np.minimum(counts, law.always_survive + outcome.recipe.rows_per_person)
    largest = np.argsort(-counts, kind="stable")[:_TRIED]
    together = np.lexsort((-counts, -least, -enough))[:_TRIED]
    chosen = dict.fromkeys(np.concatenate([largest, together]).tolist())
    return list(dict.fromkeys(_Path(int(counts[one]), tuple(company[one].tolist())) for one in chosen))


class _Trimmed:
    """Numbers of rows that a group releases by one law, and their probabilities."""

    def __init__(self, law: TrimLaw, floor: int) -> None:
        self.chances: Floats = np.array([weight / law.total for weight in law.weights])
        self.floor = floor

    def cap(self, own: int) -> int:
        """So many rows give away as much as any more: none of them can be lost but these."""
        return len(self.chances) + own + self.floor

    def released(self, rows: int) -> Floats:
        """The chance of each number of released rows, shape (rows + 1,)."""
        found = np.zeros(rows + 1)
        lost = min(len(self.chances), rows + 1)
        found[rows - np.arange(lost)] = self.chances[:lost]
        found[0] += self.chances[lost:].sum()
        held = slice(1, min(self.floor, rows + 1))
        found[0] += found[held].sum()
        found[held] = 0.0
        return found


def _along(path: _Path, laws: Sequence[_Trimmed]) -> Iterator[tuple[_Trimmed, int, _Trimmed]]:
    """For each step its law, the rows of others that the next one adds, and the law of that."""
    return zip(laws, (*path.others, 0), (*laws[1:], laws[-1]), strict=True)


def _apart(path: _Path, own: int, laws: Sequence[_Trimmed]) -> float:
    """Total variation between what all steps release of a group with the person and without.

    Per number of rows left, chances with and without the person are kept for each ratio of the two, which are few.
    """
    states = {min(path.rows, laws[0].cap(own)): np.array([[1.0, 1.0]])}
    told = 0.0
    for law, others, following in _along(path, laws):
        after: dict[int, list[Floats]] = {}
        for rows, chances in states.items():
            there, absent = law.released(rows), np.zeros(rows + 1)
            absent[: rows - own + 1] = law.released(rows - own)
            # What only one of the two can release tells for certain.
            certain = (there == 0) != (absent == 0)
            told += float((chances @ np.stack([there[certain].sum(), absent[certain].sum()])).sum())
            for released in np.flatnonzero((there > 0) & (absent > 0)).tolist():
                left = min(rows - released + others, following.cap(own))
                after.setdefault(left, []).append(chances * [there[released], absent[released]])
        states = {left: _merged(np.concatenate(parts)) for left, parts in after.items()}
    apart = sum(float(np.abs(chances[:, 0] - chances[:, 1]).sum()) for chances in states.values())
    return (told + apart) / 2


def _merged(chances: Floats) -> Floats:
    """Pairs of chances, those of equal ratio added up."""
    _, place = np.unique(np.round(np.log(chances[:, 0]) - np.log(chances[:, 1]), _ALIKE), return_inverse=True)
    return np.stack([np.bincount(place, chances[:, side]) for side in (0, 1)], axis=1)


def _accused(
    path: _Path, own: int, laws: Sequence[_Trimmed], random: np.random.Generator, runs: int, *, there: bool
) -> int:
    """In how many simulated runs he says “in the table”."""
    rows = np.full(runs, min(path.rows, laws[0].cap(own)))
    ratio = np.zeros(runs)
    known: dict[tuple[int, int], tuple[Floats, Floats]] = {}
    for number, (law, others, following) in enumerate(_along(path, laws)):
        lost = random.choice(len(law.chances), size=runs, p=law.chances / law.chances.sum())
        left = np.maximum((rows if there else rows - own) - lost, 0)
        released = np.where(left < law.floor, 0, left)
        for place in range(runs):
            count = int(rows[place])
            if (number, count) not in known:
                absent = np.zeros(count + 1)
                if count >= own:
                    absent[: count - own + 1] = law.released(count - own)
                known[number, count] = law.released(count), absent
            one, other = (chances[released[place]] for chances in known[number, count])
            ratio[place] += (np.log(one) if one else -np.inf) - (np.log(other) if other else -np.inf)
        rows = np.minimum(rows - released + others, following.cap(own))
    return int((np.round(ratio, _ALIKE) > 0).sum())
