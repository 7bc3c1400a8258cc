"""A release by sampling + generalisation + k-suppression, and what its reader would answer.

Its identifier is from when there was no other release to compare; it reads as sampled.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from workbench.anonymise.sample_guarantee import Accounting, Guarantee, guarantee
from workbench.core.params import ParamSpec, ParamType
from workbench.core.progress import Progress
from workbench.evaluate.method import Answerer, Approach, Method
from workbench.evaluate.question import Floats, Statistic
from workbench.evaluate.released_groups import (
    DELTA,
    HIERARCHY,
    LEVEL,
    OTHERS,
    ReleasedGroups,
    delta_of,
    groups_of,
    levels_of,
    problem_of,
    typed_number,
)
from workbench.evaluate.subject import EncodedColumn, SubjectSample, statistic_of


class SampledRelease(Answerer):
    """Draws of releases, class by class: of n alike rows Bin(n, β) are sampled, and kept if they are at least k.

    Parameters
    ----------
    promised
        ε, δ, β and k.
    groups
        The classes of the rows that take part.
    """

    def __init__(self, promised: Guarantee, groups: ReleasedGroups) -> None:
        self.promised, self.groups = promised, groups
        self.epsilon, self.notes = promised.epsilon, groups.notes

    def draw(self, sample: SubjectSample, repetitions: int, seed: np.random.SeedSequence, progress: Progress) -> Floats:
        groups = self.groups
        rows = groups.group_of if sample.places is None else groups.group_of[sample.places]
        sizes = np.bincount(rows, minlength=len(groups.label_of))
        # A class of fewer than k rows survives no sample.
        large = np.flatnonzero(sizes >= self.promised.k)
        generator = np.random.Generator(np.random.PCG64(seed))
        found = np.empty((repetitions, sample.subject.outputs))
        for repetition in range(repetitions):
            progress(repetition / repetitions)
            sampled = generator.binomial(sizes[large], self.promised.beta)
            kept = np.where(sampled >= self.promised.k, sampled, 0)
            weights = np.bincount(groups.label_of[large], kept, len(groups.numbers)).astype(np.float64)
            found[repetition] = self._read(sample, weights)
        return found

    def _read(self, sample: SubjectSample, weights: Floats) -> Floats | float:
        """Answer that a reader makes of a release with these numbers of rows of each label."""
        question, beta, numbers = sample.subject.question, self.promised.beta, self.groups.numbers
        if question.statistic in (Statistic.HISTOGRAM, Statistic.COUNT):
            bars: Floats = weights @ self.groups.spread / beta
            return bars if question.statistic is Statistic.HISTOGRAM else bars[1:]
        known = np.isfinite(numbers)
        answer = statistic_of(question, numbers[known], weights[known])
        if question.statistic is Statistic.SUM:
            return answer / beta if weights[known].any() else np.nan
        return answer


def prepare(subject: EncodedColumn, epsilon: float, users: int, values: Mapping[str, Any]) -> Answerer:
    promised = _promised(
        epsilon,
        delta_of(values["delta"], users),
        values["beta"].strip(),
        values["accounting"],
        subject.rows_per_person,
    )
    return SampledRelease(promised, groups_of(subject, levels_of(subject, values)))


@lru_cache(maxsize=4096)
def _promised(epsilon: float, delta: float, beta: str, accounting: str, rows_per_person: int) -> Guarantee:
    rule: Any = beta if beta in ("max", "best") else typed_number(beta, "beta")
    return guarantee(
        epsilon=epsilon, delta=delta, beta=rule, accounting=Accounting(accounting), rows_per_person=rows_per_person
    )


def named(values: Mapping[str, Any]) -> str:
    """Such as “Sampled, level 2”."""
    hierarchy = f" ({values['hierarchy']})" if values["hierarchy"].strip() else ""
    beta = "" if values["beta"] == "max" else f", β {values['beta']}"
    classical = ", classical" if values["accounting"] == Accounting.CLASSICAL else ""
    return f"Sampled, level {values['level']}{hierarchy}{beta}{classical}"


PLUGIN = Method(
    "anonymised",
    "Sampled release",
    "Rows are sampled, generalised and dropped where fewer than k are alike; a reader answers from what was released.",
    "N. Li, W. Qardaji, D. Su: On sampling, anonymization, and differential privacy, 2012.",
    Approach.ANONYMISED,
    (
        LEVEL,
        DELTA,
        ParamSpec(
            "beta", "β", ParamType.TEXT, "max", "Sampling probability: max (1 − e^−ε), best (smallest k/β) or a number."
        ),
        ParamSpec(
            "accounting",
            "Accounting",
            ParamType.CHOICE,
            Accounting.EXACT.value,
            "How k follows from ε and δ.",
            choices=tuple((one.value, one.value) for one in Accounting),
        ),
        HIERARCHY,
        OTHERS,
    ),
    problem_of,
    prepare,
    named,
    uses_hierarchies=True,
    rising="β grows with ε and k with it, so more groups are dropped; the best β falls instead",
)
