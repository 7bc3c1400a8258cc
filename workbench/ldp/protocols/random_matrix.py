"""Random matrix projection: one entry of the value's column in a public matrix of signs, by randomised response."""

from __future__ import annotations

import base64
import binascii
import hashlib
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.params import ParamSpec, ParamType
from workbench.core.randomness import RandomSource, source_for
from workbench.ldp.coins import below, down, flips, odds
from workbench.ldp.parameters import given
from workbench.ldp.protocol import Floats, FrequencyRandomiser, LocalProtocol, Reports, Support
from workbench.ldp.report_cells import texts_of, whole_numbers

_LARGEST_MATRIX = 1 << 24
_LARGEST_CHANNEL = 1 << 23
_MOST_VALUES = 1 << 11
_USUAL_ROWS = 2 * _MOST_VALUES


def signs_of(plus: NDArray[np.bool_]) -> NDArray[np.float32]:
    """The entries ±1 of a matrix; in single precision, in which sums of so many signs are exact."""
    return np.where(plus, np.float32(1.0), np.float32(-1.0))


def gram_of(signs: NDArray[np.float32]) -> Floats:
    """Γ = ΦᵀΦ, shape (domain size, domain size)."""
    gram: Floats = np.asarray(signs.T @ signs, dtype=np.float64) / len(signs)
    return gram


@lru_cache(maxsize=2)
def inverse_of_gram(packed: bytes, rows: int, values: int) -> Floats | None:
    """Γ⁻¹ of the matrix of these bits, which nobody may change; None where it cannot be relied on.

    It does not depend on ε, and of 1,000 values it takes longer than all that is drawn with it at one.
    """
    bits = np.unpackbits(np.frombuffer(packed, dtype=np.uint8))[: rows * values]
    gram = gram_of(signs_of(bits.astype(np.bool_).reshape(rows, values)))
    ends = np.linalg.eigvalsh(gram)
    if ends[-1] > 1e8 * ends[0]:
        return None
    inverse: Floats = np.asarray(np.linalg.inv(gram), dtype=np.float64)
    inverse.flags.writeable = False
    return inverse


class RandomMatrix(FrequencyRandomiser):
    """Report a random row j and the sign Φ[j, v]·√m, kept with chance E/(1 + E); a report is 2j, + 1 for a plus.

    Parameters
    ----------
    signs
        The public matrix Φ·√m of ±1, True for +1; shape (m, domain size).
    epsilon
        Of one report: the row is drawn without looking at the value.

    Notes
    -----
    R. Bassily, A. Smith: Local, private, efficient protocols for succinct histograms, STOC 2015. Their estimate
    Σ yΦ[j, i] with y = ±c√m, c = (E+1)/(E−1), is right on average over matrices; for the one matrix that is used it
    mixes the values by the Gram matrix Γ = ΦᵀΦ. With m ≥ d this is undone: Γ⁻¹ Σ yΦ[j, ·] is unbiased, with covariance
    n c² Γ⁻¹ − diag(n_v). With m < d it cannot be, and `unbiased` is False. Entries are ±1/√m and nothing else, or the
    size of a report would give the value away.
    """

    columns = ("row", "sign")

    def __init__(self, signs: NDArray[np.bool_], epsilon: float) -> None:
        self._plus = signs
        self._rows, self.domain_size = signs.shape
        e = odds(epsilon)
        self._keep = down(e / (1 + e))
        self._c = float(1 / (2 * self._keep - 1))

    @property
    def worst_ratio(self) -> Fraction:
        return self._keep / (1 - self._keep)

    @property
    def unbiased(self) -> bool:
        """Whether the estimate is right on average for this very matrix."""
        return self._mixing is not None

    @property
    def bits(self) -> float:
        return math.log2(2 * self._rows)

    @property
    def width(self) -> int:
        return 8

    @property
    def tabulated(self) -> bool:
        return self._plus.size <= _LARGEST_CHANNEL

    def channel(self) -> Floats | None:
        if not self.tabulated:
            return None
        keep, turn = float(self._keep / self._rows), float((1 - self._keep) / self._rows)
        both = np.where(self._plus.T, turn, keep), np.where(self._plus.T, keep, turn)
        return np.stack(both, axis=2).reshape(self.domain_size, 2 * self._rows)

    def perturb(self, values: NDArray[Any], source: RandomSource) -> Reports:
        self.check(values)
        row = below(source, len(values), self._rows)
        plus = self._plus[row, values] ^ ~flips(source, len(values), self._keep)
        return np.asarray(2 * row + plus, dtype=np.int32)

    def accumulate(self, reports: Reports) -> Support:
        return Support(len(reports), np.bincount(reports, minlength=2 * self._rows))

    def expected(self, counts: NDArray[Any]) -> Support:
        tilt = (self._signs @ counts) / self._c
        people = float(counts.sum())
        sums = np.stack([people - tilt, people + tilt], axis=1).ravel() / (2 * self._rows)
        return Support(int(people), sums)

    @cached_property
    def _signs(self) -> NDArray[np.float32]:
        return signs_of(self._plus)

    @cached_property
    def _gram(self) -> Floats:
        return gram_of(self._signs)

    @cached_property
    def _mixing(self) -> Floats | None:
        if self._rows < self.domain_size:
            return None
        return inverse_of_gram(np.packbits(self._plus).tobytes(), self._rows, self.domain_size)

    def estimate(self, support: Support) -> Floats:
        difference = support.sums[1::2] - support.sums[0::2]
        plain = self._c * (difference @ self._signs)
        estimate: Floats = plain if self._mixing is None else self._mixing @ plain
        return estimate

    def variance(self, counts: NDArray[Any]) -> Floats:
        if self._mixing is None:
            return np.asarray(counts.sum() * self._c**2 - self._gram**2 @ counts)
        return np.asarray(counts.sum() * self._c**2 * np.diag(self._mixing) - counts)

    def worst_variance(self, people: float) -> Floats:
        # All have other values, of which none lessens it: no more than that.
        each = np.ones(self.domain_size) if self._mixing is None else np.diag(self._mixing)
        return np.asarray(people * self._c**2 * each)

    def step(self, people: float) -> Floats:
        moves = self._signs.T if self._mixing is None else self._mixing @ self._signs.T
        return np.asarray(self._c * np.abs(moves).max(axis=1) + 1.0)

    def covariance(self, counts: NDArray[Any]) -> Floats:
        if self._mixing is None:
            spread = counts.sum() * self._c**2 * self._gram
            return np.asarray(spread - (self._gram * counts) @ self._gram)
        return np.asarray(counts.sum() * self._c**2 * self._mixing - np.diag(counts))

    def cells(self, reports: Reports) -> list[tuple[str, ...]]:
        signs = np.where(reports & 1, "+1", "-1").tolist()
        return list(zip(texts_of(reports >> 1), signs, strict=True))

    def parse(self, rows: Sequence[Sequence[str]]) -> Reports:
        signs = whole_numbers(rows, 1, -1, 1)
        if not signs.all():
            raise WorkbenchError(
                f"Report {int(np.flatnonzero(signs == 0)[0]) + 1:,} has the sign 0; it must be +1 or −1.",
                hint="Use the file of reports as it was written.",
                field="reports",
            )
        return (2 * whole_numbers(rows, 0, 0, self._rows - 1) + (signs > 0)).astype(np.int32)

    def public(self) -> dict[str, Any]:
        packed = np.packbits(self._plus).tobytes()
        return {
            **super().public(),
            "matrix": base64.b64encode(packed).decode("ascii"),
            "matrix_sha256": hashlib.sha256(packed).hexdigest(),
        }


def rows_of(domain_size: int, values: Mapping[str, Any]) -> int:
    """The rows asked for.

    Raises
    ------
    WorkbenchError
        If the matrix would be too large.
    """
    rows = int(values["m"])
    if rows * domain_size > _LARGEST_MATRIX:
        raise WorkbenchError(
            f"A matrix of {rows:,} rows for {domain_size:,} values is too large.",
            hint="Choose fewer rows m, or a protocol such as Hadamard response or local hashing.",
            field="m",
        )
    return rows


def construct(domain_size: int, epsilon: float | None, values: Mapping[str, Any]) -> RandomMatrix:
    rows = rows_of(domain_size, values)
    source = source_for(int(values["matrix_seed"]) or None)
    bits = np.unpackbits(source.words(-(-rows * domain_size // 64)).view(np.uint8))[: rows * domain_size]
    return RandomMatrix(bits.astype(np.bool_).reshape(rows, domain_size), given(epsilon, PLUGIN.title))


def restore(
    domain_size: int, epsilon: float | None, values: Mapping[str, Any], public: Mapping[str, Any]
) -> RandomMatrix:
    rows = rows_of(domain_size, values)
    try:
        packed = base64.b64decode(str(public.get("matrix", "")), validate=True)
    except (binascii.Error, ValueError):
        packed = b""
    whole = len(packed) == -(-rows * domain_size // 8)
    if not whole or hashlib.sha256(packed).hexdigest() != public.get("matrix_sha256"):
        raise WorkbenchError(
            "The public matrix of these reports is missing or damaged.",
            hint="Use the public parameters that were written together with the reports.",
            field="matrix",
        )
    bits = np.unpackbits(np.frombuffer(packed, dtype=np.uint8))[: rows * domain_size]
    return RandomMatrix(bits.astype(np.bool_).reshape(rows, domain_size), given(epsilon, PLUGIN.title))


PLUGIN = LocalProtocol(
    "random-matrix",
    "Random matrix projection",
    "Reports one random sign of the value's column in a public random matrix. Very short reports.",
    "R. Bassily, A. Smith: Local, private, efficient protocols for succinct histograms, STOC 2015.",
    (
        ParamSpec(
            "m",
            "Rows m",
            ParamType.INTEGER,
            default=_USUAL_ROWS,
            minimum=1,
            help="Rows of the matrix, at least as many as values for an unbiased estimate. Sixteen per value cost a "
            "fifteenth of variance, two per value double it.",
        ),
        ParamSpec(
            "matrix_seed",
            "Seed of the matrix",
            ParamType.INTEGER,
            default=1,
            minimum=0,
            help="The matrix is public, so this is no secret; 0 draws a new one from the operating system.",
        ),
    ),
    construct,
    restore=restore,
    maximum_domain=_MOST_VALUES,
)
