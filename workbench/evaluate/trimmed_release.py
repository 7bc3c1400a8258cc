"""Releases by trimming, where methods are compared: what is released of a sample, and what its reader would answer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.core.progress import Progress
from workbench.core.randomness import SeededSource
from workbench.evaluate.method import Answerer
from workbench.evaluate.question import Floats, Statistic
from workbench.evaluate.released_groups import ReleasedGroups
from workbench.evaluate.subject import SubjectSample, statistic_of


class TrimmedRelease(Answerer):
    """Draws of releases: each group gives up a random number of rows, which the next step takes in, if there is one.

    What no step releases is missing from the groups of the last one, each of which gave up a known number on average.
    A reader adds that to every group released there, as one row or more is known to be there.

    Parameters
    ----------
    promised
        ε, δ and the steps.
    steps
        The groups of each step, the finest first.
    """

    def __init__(self, promised: TrimGuarantee, steps: Sequence[ReleasedGroups]) -> None:
        self.promised, self.steps = promised, tuple(steps)
        self.epsilon = promised.epsilon
        self.notes = tuple(dict.fromkeys(note for groups in steps for note in groups.notes))
        self._parents: list[NDArray[np.int64]] = []
        for finer, coarser in zip(self.steps, self.steps[1:], strict=False):
            parent = np.zeros(len(finer.label_of), dtype=np.int64)
            parent[finer.group_of] = coarser.group_of
            self._parents.append(parent)

    def draw(self, sample: SubjectSample, repetitions: int, seed: np.random.SeedSequence, progress: Progress) -> Floats:
        first = self.steps[0]
        rows = first.group_of if sample.places is None else first.group_of[sample.places]
        sizes = np.bincount(rows, minlength=len(first.label_of))
        source = SeededSource(int(seed.generate_state(1, np.uint64)[0]))
        found = np.empty((repetitions, sample.subject.outputs))
        for repetition in range(repetitions):
            progress(repetition / repetitions)
            found[repetition] = self._read(sample, self._released(sizes, source))
        return found

    def _released(self, sizes: NDArray[np.int64], source: SeededSource) -> list[Floats]:
        """Rows of each label, by step, as a reader counts them."""
        counts, weights = sizes, []
        for place, (groups, law) in enumerate(zip(self.steps, self.promised.laws, strict=True)):
            kept = np.maximum(counts - law.draw(source, len(counts)), 0)
            last = place == len(self.steps) - 1
            counted = np.where(kept > 0, kept + law.mean_lost, 0.0) if last else kept
            weights.append(np.bincount(groups.label_of, counted, len(groups.numbers)).astype(np.float64))
            if not last:
                onward = np.bincount(self._parents[place], counts - kept, len(self.steps[place + 1].label_of))
                counts = onward.astype(np.int64)
        return weights

    def _read(self, sample: SubjectSample, weights: Sequence[Floats]) -> Floats | float:
        """Answer that a reader makes of a release with these numbers of rows of each label, by step."""
        question = sample.subject.question
        if question.statistic in (Statistic.HISTOGRAM, Statistic.COUNT):
            bars = np.zeros(self.steps[0].spread.shape[1])
            for groups, some in zip(self.steps, weights, strict=True):
                bars += some @ groups.spread
            return bars if question.statistic is Statistic.HISTOGRAM else bars[1:]
        numbers = np.concatenate([groups.numbers for groups in self.steps])
        rows, known = np.concatenate(weights), np.isfinite(numbers)
        if not rows[known].any():
            return np.nan
        return statistic_of(question, numbers[known], rows[known])
