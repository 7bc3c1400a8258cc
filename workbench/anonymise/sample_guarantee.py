"""The (ε, δ) guarantee of "sample with β, generalise publicly, suppress classes of fewer than k rows".

Each row is kept with probability β on its own; the kept rows are generalised by a scheme fixed without
looking at the data; classes of fewer than k rows are dropped; the rest is released in an order of its labels.
Neighbouring tables differ by all rows of one person. Numbers are rounded so that a claim is never stronger
than what is true: δ, ε and k up, β down.

Sources: Li, Qardaji and Su 2012 (arXiv 1101.2604) for the classical bound; the exact accounting is the
hockey-stick divergence of the thresholded binomial, derived in `_sample_tails`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise._limits import MAX_K, Accounting, beta_limit, checked_accounting, checked_beta, checked_k
from workbench.anonymise._sample_solving import (
    best_beta,
    ks_or_nan,
    log_delta,
    log_target,
    rounded_up,
    row_epsilon,
    solve_beta,
    solve_epsilon,
    solve_k,
    usual_beta,
)
from workbench.core import number_text
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import estimate
from workbench.core.promised_ranges import MAX_EPSILON, checked_delta, checked_epsilon, checked_rows

__all__ = [
    "MAX_EPSILON",
    "MAX_K",
    "Accounting",
    "Guarantee",
    "beta_max",
    "delta",
    "guarantee",
    "trade_off",
]

_SYMBOLS = {"epsilon": "ε", "delta": "δ", "k": "k", "beta": "β"}


@dataclass(frozen=True)
class Guarantee:
    """A true (ε, δ) promise for one release, and the β and k that keep it.

    A guarantee that does not hold cannot be built: the constructor computes δ anew and refuses.

    Parameters
    ----------
    epsilon
        ε of a person, in (0, 10].
    delta
        δ of a person, in (0, 1).
    beta
        Probability with which each row is kept, in (0, 1).
    k
        Smallest class released, in rows after sampling.
    accounting
        Exact, or the classical theorem.
    rows_per_person
        The largest number of rows one person may have in the table.

    Raises
    ------
    WorkbenchError
        If a number is out of range, or β and k do not reach (ε, δ).
    """

    epsilon: float
    delta: float
    beta: float
    k: int
    accounting: Accounting = Accounting.EXACT
    rows_per_person: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", checked_epsilon(self.epsilon))
        object.__setattr__(self, "delta", checked_delta(self.delta))
        object.__setattr__(self, "beta", checked_beta(self.beta))
        object.__setattr__(self, "k", checked_k(self.k))
        object.__setattr__(self, "accounting", checked_accounting(self.accounting))
        object.__setattr__(self, "rows_per_person", checked_rows(self.rows_per_person))
        reached = log_delta(self.epsilon, self.beta, self.k, self.accounting, self.rows_per_person)
        if reached > log_target(self.delta):
            raise WorkbenchError(
                f"β = {estimate(self.beta, 6)} and k = {self.k} do not give δ = {estimate(self.delta, 3)} at ε "
                f"= {estimate(self.epsilon, 6)}.",
                hint=f"δ would be {number_text.rounded_up(rounded_up(reached))}; compute k, β or ε anew.",
                field="delta",
            )

    @property
    def smallest_class(self) -> float:
        """k/β: about how many original rows a class needs to survive as often as not."""
        return self.k / self.beta


def beta_max(epsilon: float) -> float:
    """The largest β the classical theorem allows, 1 − e^−ε, rounded down.

    Raises
    ------
    WorkbenchError
        If ε is not in (0, 10].
    """
    return beta_limit(checked_epsilon(epsilon))


def delta(
    epsilon: float,
    beta: float,
    k: int,
    accounting: Accounting = Accounting.EXACT,
    *,
    rows_per_person: int = 1,
) -> float:
    """The true δ at ε, rounded up.

    Parameters
    ----------
    epsilon
        ε in (0, 10].
    beta
        Sampling probability in (0, 1). Classical accounting needs β ≤ 1 − e^−ε.
    k
        Smallest class released, 1 … 100,000.
    accounting
        Exact: the hockey-stick divergence, maximised over the size of the class and both directions.
        Classical: max over n ≥ ⌈k/γ − 1⌉ of P[Bin(n, β) > γn], γ = 1 − (1 − β)·e^−ε.
    rows_per_person
        c > 1 gives δ of a person with c rows by group privacy: δ at ε/c, times Σ_{i<c} e^{iε/c}.

    Returns
    -------
    float
        δ in [1e-300, 1]; 1 means that nothing is promised.

    Raises
    ------
    WorkbenchError
        If a number is out of range, or the classical theorem does not apply.
    """
    return rounded_up(
        log_delta(
            checked_epsilon(epsilon),
            checked_beta(beta),
            checked_k(k),
            checked_accounting(accounting),
            checked_rows(rows_per_person),
        )
    )


def guarantee(
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    beta: float | Literal["max", "best"] | None = None,
    k: int | None = None,
    accounting: Accounting = Accounting.EXACT,
    rows_per_person: int = 1,
) -> Guarantee:
    """Compute whichever one of ε, δ, β and k is missing.

    Parameters
    ----------
    epsilon, delta
        Of a person, as in `Guarantee`.
    beta
        A probability; "max" is 1 − e^−ε (of a row), or the largest β below it that some k up to 100,000 goes
        with; it is the default when only ε and δ are given. "best" is the β with the smallest k/β, which lets
        the rarest groups survive, and goes with ε and δ alone.
    k
        Smallest class released.
    accounting
        Exact or classical.
    rows_per_person
        The largest number of rows c one person may have. β and k then give each row
        (ε/c, δ·(e^{ε/c} − 1)/(e^ε − 1)), and group privacy gives the person (ε, δ).

    Returns
    -------
    Guarantee
        With the missing number on the safe side: the smallest k, ε or δ, or the largest β, that satisfies
        the rest.

    Raises
    ------
    WorkbenchError
        If too few or too many numbers are given, one is out of range, or nothing satisfies them; `field`
        names the parameter to change.
    """
    accounting = checked_accounting(accounting)
    rows = checked_rows(rows_per_person)
    epsilon = None if epsilon is None else checked_epsilon(epsilon)
    delta = None if delta is None else checked_delta(delta)
    k = None if k is None else checked_k(k)
    if beta == "best" and epsilon is not None and delta is not None and k is None:
        beta, k = best_beta(epsilon, delta, accounting, rows)
        return Guarantee(epsilon, delta, beta, k, accounting, rows)
    if beta is None and k is None and epsilon is not None and delta is not None:
        beta = "max"
    if isinstance(beta, str):
        beta = _beta_by_rule(beta, epsilon, delta if k is None else None, accounting, rows)
    elif beta is not None:
        beta = checked_beta(beta)

    given = {"epsilon": epsilon, "delta": delta, "k": k, "beta": beta}
    open_names = [name for name, value in given.items() if value is None]
    if epsilon is not None and delta is not None and beta is not None and k is None:
        k = solve_k(epsilon, delta, beta, accounting, rows)
    elif epsilon is not None and delta is not None and beta is None and k is not None:
        beta = solve_beta(epsilon, delta, k, accounting, rows)
    elif epsilon is not None and delta is None and beta is not None and k is not None:
        delta = _solve_delta(epsilon, beta, k, accounting, rows)
    elif epsilon is None and delta is not None and beta is not None and k is not None:
        epsilon = solve_epsilon(delta, beta, k, accounting, rows)
    elif not open_names:
        raise WorkbenchError(
            "ε, δ, β and k are all given, so there is nothing left to compute.",
            hint="Leave one of the four empty.",
            field="k",
        )
    if epsilon is None or delta is None or beta is None or k is None:
        raise WorkbenchError(
            f"Too few numbers are given: {', '.join(_SYMBOLS[name] for name in open_names)} are open.",
            hint="Give three of ε, δ, β and k, or ε and δ alone.",
            field=open_names[0],
        )
    return Guarantee(epsilon, delta, beta, k, accounting, rows)


def trade_off(
    epsilon: float,
    delta: float,
    betas: Iterable[float],
    accounting: Accounting = Accounting.EXACT,
    *,
    rows_per_person: int = 1,
) -> NDArray[np.float64]:
    """The smallest k for each β: keep more rows, or keep rarer groups (k/β)?

    Parameters
    ----------
    epsilon, delta, accounting, rows_per_person
        As in `guarantee`.
    betas
        Sampling probabilities, each in (0, 1).

    Returns
    -------
    ndarray
        float64 of shape (number of betas,); nan where no k up to 100,000 is enough or the classical theorem
        does not cover β.

    Raises
    ------
    WorkbenchError
        If a number is out of range.
    """
    return np.array(
        ks_or_nan(
            checked_epsilon(epsilon),
            checked_delta(delta),
            [checked_beta(beta) for beta in betas],
            checked_accounting(accounting),
            checked_rows(rows_per_person),
        ),
        dtype=np.float64,
    )


def _beta_by_rule(rule: str, epsilon: float | None, delta: float | None, accounting: Accounting, rows: int) -> float:
    if rule not in ("max", "best"):
        raise WorkbenchError(
            f"β must be a number between 0 and 1, “max” or “best”, not “{rule}”.",
            hint="“max” is 1 − e^−ε; “best” lets the rarest groups survive.",
            field="beta",
        )
    if rule == "best":
        raise WorkbenchError(
            "The best β can only be looked for when ε and δ are given and k is open.",
            hint="Give ε and δ and leave k empty, or give a number for β.",
            field="beta",
        )
    if epsilon is None:
        raise WorkbenchError("The largest β is 1 − e^−ε and needs ε.", hint="Give ε, or a number for β.", field="beta")
    if delta is not None:
        return usual_beta(epsilon, delta, accounting, rows)
    return beta_limit(row_epsilon(epsilon, rows))


def _solve_delta(epsilon: float, beta: float, k: int, accounting: Accounting, rows: int) -> float:
    reached = rounded_up(log_delta(epsilon, beta, k, accounting, rows))
    if reached >= 1:
        raise WorkbenchError(
            f"β = {estimate(beta, 6)} and k = {k} promise nothing at ε = {estimate(epsilon, 6)}: δ would be 1"
            + (f" for a person with {rows:,} rows." if rows > 1 else "."),
            hint="Choose a larger k or a smaller β.",
            field="k",
        )
    return reached
