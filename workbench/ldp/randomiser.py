"""Randomisers of local protocols: what a person runs, and the sums that an aggregator makes of the reports.

Two kinds of randomness, two paths. `perturb` is what a person's own device does: it draws from a `RandomSource`
with integer thresholds, so that the real ε of a report never exceeds the stated one. `simulate` draws what an
aggregator would end up with, in one step and exactly in distribution, from a numpy generator: for experiments only,
as it leaves no reports that could be published.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.randomness import RandomSource
from workbench.core.rationals import rational
from workbench.ldp.binomial import upper_quantile
from workbench.ldp.coins import nepers, odds
from workbench.ldp.instructions import DEVICE, TABLE, OnPaper

Floats = NDArray[np.float64]
Codes = NDArray[np.integer[Any]]
Reports = NDArray[Any]

CELLS = 1 << 22
"""Cells of reports that are held at once: what bounds the memory of a collection."""

_SAME = 1e-8


@dataclass(frozen=True, eq=False)
class Support:
    """A sufficient statistic of reports; that of two groups of people is the sum of theirs.

    Parameters
    ----------
    reports
        How many people reported.
    sums
        One-dimensional; what it counts is the randomiser's own business.
    """

    reports: int
    sums: NDArray[Any]

    def __add__(self, other: Support) -> Support:
        if self.sums.shape != other.sums.shape:
            raise WorkbenchError("These reports were made by different protocols, so they cannot be counted together.")
        return Support(self.reports + other.reports, self.sums + other.sums)


class Randomiser(ABC):
    """A protocol with all its numbers fixed: everything that a device and an aggregator must agree on."""

    protocol: str
    """Identifier of the protocol; set by `LocalProtocol.build`."""
    parameters: Mapping[str, Any]
    """The checked parameters it was built with; set by `LocalProtocol.build`."""
    asked: float | None = None
    """The ε that was asked for, None if it follows from the parameters; set by `LocalProtocol.build`."""
    domain_size: int
    """How many values there are to tell apart; 0 for means."""
    apart: int = 0
    """So many of them, at the end, are no answers and near none; set by who adds them, see `participation`."""

    @property
    @abstractmethod
    def worst_ratio(self) -> Fraction:
        """The largest ratio of the chances of one report under two values, for the coins as they really fall."""

    @property
    def epsilon(self) -> float:
        """The real ε of all that one person sends; never less, and more by 10⁻⁸ at most."""
        ratio = self.worst_ratio
        real = nepers(ratio)
        # Where a protocol spends what was asked for, rounding of coins should not show as 0.9999999999.
        if self.asked is not None and ratio <= odds(self.asked) and self.asked - real < _SAME:
            return self.asked
        return real

    @property
    def spent(self) -> Fraction:
        """`epsilon` as it is added up: the number that was typed where that is what is spent, else the float."""
        return rational(self.epsilon) if self.epsilon == self.asked else Fraction(self.epsilon)

    @property
    def proved(self) -> bool:
        """Whether the band of what is estimated holds as often as it says, of few people too; else nearly so."""
        return False

    @property
    @abstractmethod
    def bits(self) -> float:
        """Bits that one person sends."""

    @property
    @abstractmethod
    def width(self) -> int:
        """Cells of the array that `perturb` makes per person."""

    @property
    def chunk(self) -> int:
        """People to perturb at once so that memory stays bounded."""
        return max(1, CELLS // self.width)

    def instruction(self, answers: Sequence[str]) -> str:
        """What a person who answers does, to be read out.

        Parameters
        ----------
        answers
            What the values are called, in their order; none for a mean.
        """
        return DEVICE

    @abstractmethod
    def perturb(self, values: NDArray[Any], source: RandomSource) -> Reports:
        """The reports of some people.

        Parameters
        ----------
        values
            Codes in [0, domain size) or, for means, numbers in [−1, 1]; shape (people,).
        source
            The operating system's for reports that leave the machine, seeded for experiments.

        Returns
        -------
        Reports
            Shape (people, …), one report per person.

        Raises
        ------
        WorkbenchError
            If a value is outside the domain.
        """

    @abstractmethod
    def accumulate(self, reports: Reports) -> Support:
        """Sum of the reports."""

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """Header of the reports as a CSV."""

    @abstractmethod
    def cells(self, reports: Reports) -> list[tuple[str, ...]]:
        """One row of texts per report, under `columns`."""

    @abstractmethod
    def parse(self, rows: Sequence[Sequence[str]]) -> Reports:
        """The reports that `cells` wrote.

        Raises
        ------
        WorkbenchError
            If a row cannot be a report of this protocol; it says which (counted from 1).
        """

    def public(self) -> dict[str, Any]:
        """Everything an aggregator needs, as JSON; `from_public` makes this randomiser of it again."""
        return {
            "protocol": self.protocol,
            "domain_size": self.domain_size,
            "epsilon": self.asked,
            "parameters": dict(self.parameters),
        }

    def shared(self) -> dict[str, Any]:
        """Parameters of `public` that reports must have in common to be counted together."""
        return self.public()

    def fresh(self, source: RandomSource) -> Self:
        """The same with public random numbers of its own, so that no two collections share their errors."""
        return self


class FrequencyRandomiser(Randomiser):
    """A randomiser of values of a finite domain."""

    @property
    def came_to(self) -> str:
        """Sentence on the parameters that follow from ε and the number of values; "" if there are none."""
        return ""

    def instruction(self, answers: Sequence[str]) -> str:
        found = self.channel() if self.tabulated else None
        return DEVICE if found is None else TABLE.format(outputs=found.shape[1])

    def on_paper(self, answers: Sequence[str], paper: OnPaper) -> str:
        """The same where there is no program at hand; as with one, where people cannot do without it.

        Parameters
        ----------
        paper
            Is given the tables by which people roll dice.
        """
        return self.instruction(answers)

    @property
    def set_drawn(self) -> tuple[int, float] | None:
        """How many answers a report names, and the chance that the true one is among them; None where it is no set."""
        return None

    @property
    def answers_named(self) -> int | None:
        """How many answers each report names, where `Support.sums` counts the reports that name each; None elsewhere.

        What people write on paper can then be counted by hand.
        """
        return None

    @property
    def simpler(self) -> str:
        """A simpler protocol that this is with these parameters, by its identifier; "" for none."""
        return ""

    @property
    def tabulated(self) -> bool:
        """Whether `Support.sums` counts the outputs, one column of `channel` each: what EM starts from."""
        return False

    @property
    def pure(self) -> tuple[float, float] | None:
        """(p, q): the chance that a report supports the true value, and that it supports any one other."""
        return None

    @property
    def one_by_one(self) -> bool:
        """Whether each report supports a value with chance p or q whatever the others are: `pure` is the whole law."""
        return self.pure is not None

    @property
    def proved(self) -> bool:
        # Where nothing is known of single values everything is left open.
        return self.one_by_one or not self.unbiased

    def channel(self) -> Floats | None:
        """P(output | value), shape (domain size, outputs), or None if there are too many or endlessly many outputs."""
        return None

    def simulate(self, counts: Codes, generator: np.random.Generator) -> Support | None:
        """Sum of the reports of `counts[v]` people with value v, or None if only `perturb` is exact.

        Exact jointly over all values for every protocol but local hashing, whose sums are drawn as if hash
        functions were perfectly random.
        """
        return None

    @property
    def unbiased(self) -> bool:
        """Whether `estimate` is right on average; not where different answers give the same reports."""
        return True

    def reach(self, reports: int, chance: float) -> float | None:
        """Limit that the estimate of a value nobody has exceeds with this chance at most; None if not known exactly.

        Parameters
        ----------
        reports
            How many people report.
        """
        if self.pure is None or not self.one_by_one:
            return None
        # Every report supports a value nobody has with chance q, whatever the others are.
        p, q = self.pure
        return (upper_quantile(reports, q, chance) - reports * q) / (p - q)

    @abstractmethod
    def expected(self, counts: NDArray[Any]) -> Support:
        """The mean of `accumulate` over all randomness, sums as float64."""

    @abstractmethod
    def estimate(self, support: Support) -> Floats:
        """Unbiased estimate of the people with each value, shape (domain size,); may be negative."""

    def variance(self, counts: NDArray[Any]) -> Floats | None:
        """Exact variance of `estimate` for fixed values, shape (domain size,), or None if there is no closed form."""
        return None

    def worst_variance(self, people: float) -> Floats:
        """The largest `variance` that so many people can have, whatever their values are, shape (domain size,).

        It is that of people who all have one value: where each reports by themselves the variance is a sum over them.

        Raises
        ------
        WorkbenchError
            If there is no closed form.
        """
        worst = np.zeros(self.domain_size)
        for value in range(self.domain_size):
            crowd = np.zeros(self.domain_size)
            crowd[value] = people
            found = self.variance(crowd)
            if found is None:
                raise WorkbenchError(
                    f"There is no way to say how sure an estimate by “{self.protocol}” is.", field="protocol"
                )
            np.maximum(worst, found, out=worst)
        return worst

    def variance_at_most(self, support: Support) -> Floats:
        """The variance of the estimate from these reports, on the safe side of what they show, shape (domain size,)."""
        return self.worst_variance(float(support.reports))

    def step(self, people: float) -> Floats:
        """How far one report of so many moves an estimate from its mean at most, in people, shape (domain size,).

        Where reports hang together in groups, those of a group; ∞ where that is not known.
        """
        return np.full(self.domain_size, np.inf)

    def covariance(self, counts: NDArray[Any]) -> Floats | None:
        """Exact covariance of `estimate` for fixed values, (domain size, domain size), or None if not closed."""
        return None

    def check(self, values: NDArray[Any]) -> None:
        """Refuse a code outside the domain."""
        if len(values) and not (int(values.min()) >= 0 and int(values.max()) < self.domain_size):
            raise WorkbenchError(
                f"A value is outside the declared domain of {self.domain_size:,} values.",
                hint="Declare every value that can occur, or leave out the people with others.",
                field="domain",
            )
