"""δ of a person, and each of ε, k and β from the other three. Arguments are already checked."""

from __future__ import annotations

import math
from itertools import pairwise

from workbench.anonymise import _sample_tails
from workbench.anonymise._limits import (
    MAX_BETA,
    MAX_K,
    MIN_BETA,
    Accounting,
    beta_limit,
    classical_applies,
    require_classical,
)
from workbench.anonymise._roots import Floats, crossing, first_holding, smallest_whole
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import estimate, exact, rounded_down
from workbench.core.promised_ranges import MAX_EPSILON, MIN_DELTA, MIN_EPSILON

_ULP = 2.0**-53
_MANY = 100
_COARSE = {Accounting.EXACT: 1e-4, Accounting.CLASSICAL: 1e-3}
_NARROW = 1e-3
_PIECES = 16


def log_delta(epsilon: float, beta: float, k: int, accounting: Accounting, rows: int) -> float:
    """An upper bound of ln δ of a person with `rows` rows.

    Raises
    ------
    WorkbenchError
        If the classical theorem does not cover β, or ε per row is too small.
    """
    share = row_epsilon(epsilon, rows)
    if accounting is Accounting.CLASSICAL:
        require_classical(share, beta)
    return _row_log_delta(share, beta, k, accounting) + _log_growth(epsilon, rows)


def log_target(delta: float) -> float:
    """ln δ, rounded down by less than `rounded_up` rounds up: a computed δ is met by what it came from."""
    return math.log(delta) * (1 + 4 * _ULP) - 2 * _ULP


def rounded_up(log_of_delta: float) -> float:
    """δ in [1e-300, 1], never below the true value."""
    if log_of_delta >= 0:
        return 1.0
    return min(max(math.exp(log_of_delta * (1 - 16 * _ULP) + 16 * _ULP), MIN_DELTA), 1.0)


def row_epsilon(epsilon: float, rows: int) -> float:
    """ε/c, rounded down."""
    if rows == 1:
        return epsilon
    share = math.nextafter(epsilon / rows, 0.0)
    if share < MIN_EPSILON:
        raise WorkbenchError(
            f"{rows:,} rows per person leave each row an ε of {estimate(share, 2)}, too small to compute with.",
            hint="Limit the rows of a person first, for example by keeping the latest few.",
            field="rows_per_person",
        )
    return share


def _log_growth(epsilon: float, rows: int) -> float:
    """ln Σ_{i<c} e^{iε'}, ε' = ε/c, rounded up: what δ' of a row is multiplied with to give δ of a person.

    With P_i the output after i of the c rows were changed, wherever they are,
    P_0(S) ≤ e^{ε'}·P_1(S) + δ' ≤ … ≤ e^{cε'}·P_c(S) + δ'·Σ_{i<c} e^{iε'}, and the sum is (e^{cε'} −
    1)/(e^{ε'} − 1).
    """
    if rows == 1:
        return 0.0
    return math.log(math.expm1(epsilon)) - math.log(math.expm1(row_epsilon(epsilon, rows))) + 256 * _ULP


def _row_log_delta(epsilon: float, beta: float, k: int, accounting: Accounting) -> float:
    if accounting is Accounting.EXACT:
        return _sample_tails.exact_log_delta(epsilon, beta, k)
    return _sample_tails.classical_log_delta(epsilon, beta, k)


def _row_target(epsilon: float, delta: float, rows: int) -> float:
    """Largest ln δ allowed for a row: with the growth added in floating point, it does not exceed the target."""
    whole, growth = log_target(delta), _log_growth(epsilon, rows)
    target = whole - growth
    while target + growth > whole:
        target = math.nextafter(target, -math.inf)
    return target


def _smallest_k(share: float, target: float, beta: float, accounting: Accounting) -> int | None:
    return smallest_whole(1, MAX_K, lambda k: _row_log_delta(share, beta, k, accounting) - target)


def _largest_beta(
    share: float,
    target: float,
    k: int,
    accounting: Accounting,
    above: float = MIN_BETA,
    tolerance: float | None = None,
) -> float | None:
    """The largest β ≥ `above` that reaches the target, None if there is none."""

    def excess(beta: float) -> float:
        return _row_log_delta(share, beta, k, accounting) - target

    if accounting is Accounting.EXACT:
        if excess(above) > 0:
            return None
        return MAX_BETA if excess(MAX_BETA) <= 0 else crossing(above, MAX_BETA, excess, tolerance or 1e-11)

    # The classical δ is a saw in β, because ⌊γn⌋ steps.
    def hopeless(edges: Floats) -> list[bool]:
        lost = _sample_tails.tails_surely_above(share, edges, k, target)
        if edges[0] / edges[-1] < 1 + _NARROW:
            # Few points are left: the full search keeps a thousand of them from being tried one by one.
            for i, (upper, lower) in enumerate(pairwise(edges.tolist())):
                gamma = _sample_tails.gamma_fixed_point(share, upper)
                lost[i] = lost[i] or _sample_tails.worst_tail_log(gamma, lower, k) > target + 1e-9
        return lost

    top = beta_limit(share)
    # The exact δ rises with β and is never above the classical one: too much at the lowest β is too much at all.
    if above > top or _sample_tails.exact_log_delta(share, above, k) > target:
        return None
    return first_holding(top, above, lambda beta: excess(beta) <= 0, hopeless, tolerance or 1e-9, _PIECES)


def solve_k(epsilon: float, delta: float, beta: float, accounting: Accounting, rows: int) -> int:
    """The smallest k."""
    share, target = row_epsilon(epsilon, rows), _row_target(epsilon, delta, rows)
    if accounting is Accounting.CLASSICAL:
        require_classical(share, beta)
    k = _smallest_k(share, target, beta, accounting)
    if k is None:
        below = _largest_beta(share, target, MAX_K, accounting)
        raise WorkbenchError(
            f"No k up to {MAX_K:,} gives ε = {estimate(epsilon, 6)} and δ = {estimate(delta, 3)} at β = "
            f"{estimate(beta, 6)}.",
            hint="Choose a larger ε or δ."
            if below is None
            else f"Choose a β of at most {rounded_down(below)}, or a larger ε or δ.",
            field="beta",
        )
    return k


def usual_beta(epsilon: float, delta: float, accounting: Accounting, rows: int) -> float:
    """1 − e^−ε of a row, or where no k up to 100,000 goes with it, the largest β that one goes with.

    At ε = 10 all but one row in 22,000 is kept by the classical choice, and no k below 250,000 makes up for it.
    """
    share, target = row_epsilon(epsilon, rows), _row_target(epsilon, delta, rows)
    limit = beta_limit(share)
    if _row_log_delta(share, limit, MAX_K, accounting) <= target:
        return limit
    below = _largest_beta(share, target, MAX_K, accounting)
    return limit if below is None else min(limit, below)


def ks_or_nan(epsilon: float, delta: float, betas: list[float], accounting: Accounting, rows: int) -> list[float]:
    """The smallest k for each β, nan where there is none."""
    share, target = row_epsilon(epsilon, rows), _row_target(epsilon, delta, rows)
    found: list[float] = []
    for beta in betas:
        covered = accounting is Accounting.EXACT or classical_applies(share, beta)
        k = _smallest_k(share, target, beta, accounting) if covered else None
        found.append(math.nan if k is None else float(k))
    return found


def solve_beta(epsilon: float, delta: float, k: int, accounting: Accounting, rows: int) -> float:
    """The largest β."""
    share, target = row_epsilon(epsilon, rows), _row_target(epsilon, delta, rows)
    beta = _largest_beta(share, target, k, accounting)
    if beta is None:
        enough = _smallest_k(share, target, max(MIN_BETA, 0.01 * beta_limit(share)), accounting)
        raise WorkbenchError(
            f"No sampling probability gives ε = {estimate(epsilon, 6)} and δ = {estimate(delta, 3)} with k = {k}.",
            hint="Choose a larger k or δ."
            if enough is None
            else f"Choose a larger k ({enough} is enough for a small sample) or a larger δ.",
            field="k",
        )
    return beta


def solve_epsilon(delta: float, beta: float, k: int, accounting: Accounting, rows: int) -> float:
    """The smallest ε."""
    target = log_target(delta)
    lowest = MIN_EPSILON * (1 + 1e-6) * rows
    if accounting is Accounting.CLASSICAL:
        lowest = max(lowest, rows * -math.log1p(-beta) * (1 + 1e-14))

    def excess(epsilon: float) -> float:
        return log_delta(epsilon, beta, k, accounting, rows) - target

    def hopeless(edges: Floats) -> list[bool]:
        # δ of a row falls with ε, while its growth to δ of a person rises.
        return [
            _row_log_delta(row_epsilon(upper, rows), beta, k, accounting) + _log_growth(lower, rows) > target + 1e-9
            for lower, upper in pairwise(edges.tolist())
        ]

    epsilon: float | None = None
    if lowest < MAX_EPSILON:
        if excess(lowest) <= 0:
            epsilon = lowest
        elif rows > 1:
            epsilon = first_holding(lowest, MAX_EPSILON, lambda at: excess(at) <= 0, hopeless)
        elif excess(MAX_EPSILON) <= 0:
            epsilon = crossing(MAX_EPSILON, lowest, excess)
    if epsilon is None:
        share = row_epsilon(MAX_EPSILON, rows)
        if accounting is Accounting.CLASSICAL:
            require_classical(share, beta)
        enough = _smallest_k(share, _row_target(MAX_EPSILON, delta, rows), beta, accounting)
        raise WorkbenchError(
            f"No ε up to {exact(MAX_EPSILON)} gives δ = {estimate(delta, 3)} with β = {estimate(beta, 6)} and k = {k}.",
            hint="Choose a smaller β or a larger δ."
            if enough is None
            else f"Choose a k of at least {enough}, a smaller β or a larger δ.",
            field="k",
        )
    return epsilon


def best_beta(epsilon: float, delta: float, accounting: Accounting, rows: int) -> tuple[float, int]:
    """The (β, k) with the smallest k/β, to within 0.01 % (0.5 % beyond k = 100, 1 % by the classical theorem).

    For each k the best β is the largest one, and that never falls when k grows. So if β = a/best is too
    much for k = b, then no k in [a, b] gets below the best k/β found so far: whole ranges go by one
    evaluation.
    """
    share, target = row_epsilon(epsilon, rows), _row_target(epsilon, delta, rows)
    least, beta, k = math.inf, 0.0, 0

    def improve(candidate: int) -> bool:
        nonlocal least, beta, k
        above = max(candidate / least * (1 + 1e-10), MIN_BETA)
        found = _largest_beta(share, target, candidate, accounting, above, _COARSE[accounting]) if above < 1 else None
        if found is not None:
            least, beta, k = candidate / found, found, candidate
        return found is not None

    def within_reach(candidate: int, share_of_rows: float) -> bool:
        if accounting is Accounting.EXACT:
            return _row_log_delta(share, share_of_rows, candidate, accounting) <= target
        return _largest_beta(share, target, candidate, accounting, share_of_rows, _COARSE[accounting]) is not None

    scouts = [1]
    while scouts[-1] < MAX_K and (k == 0 or scouts[-1] < 4 * k):
        improve(scouts[-1])
        scouts.append(min(MAX_K, scouts[-1] + max(1, scouts[-1] // 2)))
    if k == 0:
        raise WorkbenchError(
            f"No β and k up to {MAX_K:,} give ε = {estimate(epsilon, 6)} and δ = {estimate(delta, 3)}.",
            hint="Choose a larger ε or δ, or fewer rows per person.",
            field="epsilon",
        )
    gain = 1.005 if k > _MANY else 1 + 1e-10
    if accounting is Accounting.CLASSICAL:
        gain = 1.01
    edges = sorted({0, *scouts, min(MAX_K, math.floor(least))})
    centre = k
    waiting = sorted(
        ((low + 1, high) for low, high in pairwise(edges)),
        key=lambda span: -max(span[0] - centre, centre - span[1]),
    )
    while waiting:
        low, high = waiting.pop()
        needed = max(low / least * gain, MIN_BETA)
        if needed >= MAX_BETA:
            continue
        if low == high:
            improve(low)
        elif within_reach(high, needed):
            middle = (low + high) // 2
            waiting += [(low, middle), (middle + 1, high)]
    polished = _largest_beta(share, target, k, accounting, beta)
    return (beta if polished is None else polished), k
