"""The mechanism that was drawn for a charge: more is known of its privacy losses than (ε, δ) alone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

from workbench.core.exact import parse_fraction
from workbench.core.json_values import listed, named, number, text, whole
from workbench.core.loss_distributions import LossPair
from workbench.core.loss_pairs import noisy_number_pair, sampling_pair
from workbench.core.typed_fields import typed_fields

_SLACK = 1e-9
_LARGEST = 10**60
_FAR = 700.0


class LossKind(StrEnum):
    """By what losses are known."""

    WORST = "worst"
    SAMPLE = "sample"
    TRIM = "trim"
    NOISE = "noise"


@dataclass(frozen=True)
@typed_fields
class MechanismPart:
    """One draw.

    Parameters
    ----------
    kind
        `WORST` for any mechanism with this (ε, δ), `TRIM` for trimmed groups, which are hardly better; `SAMPLE` for
        sampling and suppression; `NOISE` for whole numbers with two-sided geometric noise.
    epsilon, delta
        Of a person with as many rows as the charge speaks of.
    beta, k
        Of `SAMPLE`: the probability to keep a row, and the smallest released group.
    sensitivity
        Of `NOISE`: by how much a person changes the numbers in all.
    """

    kind: LossKind
    epsilon: Fraction
    delta: Fraction = Fraction(0)
    beta: float = 0.0
    k: int = 0
    sensitivity: int = 0

    def __post_init__(self) -> None:
        if not (0 <= self.epsilon <= _LARGEST and 0 <= self.delta <= 1):
            raise ValueError("a mechanism with an impossible ε or δ")
        sampled, noisy = self.kind is LossKind.SAMPLE, self.kind is LossKind.NOISE
        if not (0 < self.beta < 1 and 1 <= self.k <= _LARGEST) if sampled else (self.beta or self.k):
            raise ValueError("an impossible sampling")
        possible = self.epsilon > 0 and self.delta == 0 and 1 <= self.sensitivity <= _LARGEST
        if not possible if noisy else self.sensitivity:
            raise ValueError("impossible noise")

    def pair(self, counted: int, rows: int) -> LossPair | None:
        """The losses of a person with so many rows, of a draw that was accounted for `counted` rows.

        None where nothing better is known than the (ε, δ), or where the two contradict each other.
        """
        try:
            if self.kind is LossKind.SAMPLE:
                per_row = float(self.epsilon / counted)
                growth = math.fsum(math.exp(min(per_row * row, _FAR)) for row in range(counted))
                alone = sampling_pair(self.beta, self.k).delta(per_row) * growth
                return None if alone > float(self.delta) * (1 + _SLACK) else sampling_pair(self.beta, self.k, rows)
            if self.kind is LossKind.NOISE:
                sensitivity = -(-self.sensitivity * rows // counted)
                return noisy_number_pair(self.epsilon * sensitivity / self.sensitivity, sensitivity)
        except ValueError:  # too many losses to list
            return None
        return None

    def covers(self, other: MechanismPart) -> bool:
        """Whether the other may be drawn where this was planned, both for as many rows.

        Of what was sampled with β and cut off at k, further sampling and a larger k make every smaller β and larger k.
        """
        if self.kind is LossKind.SAMPLE:
            return other.kind is self.kind and other.beta <= self.beta and other.k >= self.k
        if self.kind is LossKind.NOISE:
            return self == other
        return other.epsilon <= self.epsilon and other.delta <= self.delta

    def to_json(self) -> dict[str, Any]:
        """As a ledger holds it."""
        plain: dict[str, Any] = {"kind": self.kind.value, "epsilon": str(self.epsilon), "delta": str(self.delta)}
        if self.kind is LossKind.SAMPLE:
            plain |= {"beta": self.beta, "k": self.k}
        if self.kind is LossKind.NOISE:
            plain["sensitivity"] = str(self.sensitivity)
        return plain

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> MechanismPart:
        """The reverse.

        Raises
        ------
        KeyError, TypeError, ValueError, WorkbenchError
            If it is not as this program writes it.
        """
        return cls(
            LossKind(text(plain["kind"])),
            parse_fraction(text(plain["epsilon"])),
            parse_fraction(text(plain["delta"])),
            number(plain.get("beta", 0.0)),
            whole(plain.get("k", 0)),
            int(text(plain["sensitivity"])) if "sensitivity" in plain else 0,
        )


def mechanism_to_json(parts: Sequence[MechanismPart]) -> list[dict[str, Any]]:
    """All that is drawn for one charge, as a ledger holds it."""
    return [part.to_json() for part in parts]


def mechanism_from_json(plain: object) -> tuple[MechanismPart, ...]:
    """The reverse; see `MechanismPart.from_json`."""
    return tuple(MechanismPart.from_json(named(one)) for one in listed(plain))
