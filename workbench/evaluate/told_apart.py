"""The difference between two ways that tries show: as good, worse by so many times, or neither as yet."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from enum import StrEnum

from workbench.core.chance import chance_of
from workbench.core.number_text import estimate, rounded
from workbench.evaluate.findings import NEARLY

_MARGIN = 1.5
"""So many times the tries that would do if they came out as before."""
_LEAST = 2
"""So many times as many tries at least, or nothing is worth running again."""
_MOST_TRIES = 20_000
_ROUNDS = 4
_TIMES = " times as much"


class TileStanding(StrEnum):
    """The place of a way beside the one to take."""

    TAKEN = "taken"
    """It is the one to take, or that errs least where none is."""
    ALIKE = "alike"
    """Tries show that neither errs `NEARLY` times as much as the other."""
    UNTOLD = "untold"
    """Tries show neither that, nor which of them errs less."""
    WORSE = "worse"
    """Tries show that it errs more."""
    UNKNOWN = "unknown"
    """It has no error."""


def ratio_between(
    error: tuple[float, float],
    than: tuple[float, float],
    tries: int = 0,
    than_tries: int | None = None,
    *,
    of: int = 1,
) -> tuple[float, float]:
    """Between what so many times one mean error is another, in 95 of 100 cases.

    Parameters
    ----------
    error, than
        Each with its standard error.
    tries, than_tries
        From how many each standard error is estimated; 0 where it is known. The second is as the first if left out.
    of
        Of so many pairs at once, where the one that came out least is picked from them.

    Notes
    -----
    These are the ratios ρ for which chance explains what is left: (m − ρ t)² ≤ (z s)² + (ρ w r)² (Fieller 1954), with
    Student's z and w, each of its own tries (Cochran 1964), so that it reaches as far as is said of each error. So the
    upper end is below ρ if and only if m + √((z s)² + (ρ w r)²) < ρ t. Tries of the same people differ less, never
    more.
    """
    (mine, spread), (theirs, other) = ((mean, _zero(of_mean)) for mean, of_mean in (error, than))
    chances = chance_of(tries, of), chance_of(tries if than_tries is None else than_tries, of)
    if math.isinf(max(chances)):
        return 0.0, math.inf
    s, r = chances[0] * spread, chances[1] * other
    if s == 0.0 == r:
        times = mine / theirs if theirs > 0 else (1.0 if mine == theirs else math.inf)
        return times, times
    square, linear, constant = (theirs - r) * (theirs + r), mine * theirs, (mine - s) * (mine + s)
    under = linear * linear - square * constant
    root = math.sqrt(max(under, 0.0))
    if square > 0:
        return max((linear - root) / square, 0.0), (linear + root) / square
    # Their error may be nothing at all, so that no number of times is too many.
    if constant <= 0 or under < 0:
        return 0.0, math.inf
    # Nothing at all for certain, and the other more than chance.
    return constant / (linear + root) if linear + root > 0 else math.inf, math.inf


def standing_of(between: tuple[float, float]) -> TileStanding:
    """How a way stands whose error is between so many times that of the one to take."""
    low, high = between
    if math.isnan(low) or math.isnan(high):
        return TileStanding.UNKNOWN
    if high < NEARLY and low * NEARLY > 1.0:
        return TileStanding.ALIKE
    return TileStanding.WORSE if low > 1.0 else TileStanding.UNTOLD


def more_tries(
    tries: int, error: tuple[float, float], than: tuple[float, float], *, alike: bool = True, of: int = 1
) -> int:
    """How many tries would tell two ways apart if their errors came out as before, to one digit; 0 if too many.

    Parameters
    ----------
    alike
        Whether to know that one is as good as the other tells it as well.
    of
        As in `ratio_between`.
    """
    (mine, spread), (theirs, other) = ((mean, _zero(of_mean)) for mean, of_mean in (error, than))
    needed = math.inf
    # As good: neither is NEARLY times the other. Otherwise: one of them is more.
    low, high = sorted((mine, theirs))
    both = math.hypot(spread, other)
    apart, near = (high - low, both), (NEARLY * low - high, both * NEARLY)
    for gap, chance in (near, apart) if alike else (apart,):
        if gap > 0:
            needed = min(needed, _MARGIN * (chance / gap) ** 2)
    wanted = tries * max(needed * chance_of(0, of) ** 2, _LEAST)
    for _ in range(_ROUNDS if wanted <= _MOST_TRIES else 0):
        # Of few tries chance explains more, so that it takes more of them to need fewer.
        wanted = tries * max(needed * chance_of(max(math.ceil(wanted), 2), of) ** 2, _LEAST)
    if not wanted <= _MOST_TRIES:
        return 0
    digit = 10.0 ** math.floor(math.log10(wanted))
    return round(math.ceil(rounded(wanted / digit, 12)) * digit)


def between_words(between: tuple[float, float]) -> str:
    """So many times as much, each end to its safe side; as a number where nothing is left to chance."""
    low, high = between
    if math.isinf(low):
        return "infinitely many times as much"
    if math.isinf(high):
        return f"at least {_outwards(low, ROUND_FLOOR)} times as much"
    one, two = _outwards(low, ROUND_FLOOR), _outwards(high, ROUND_CEILING)
    if low == high:
        return f"{estimate(rounded(low, 2), 2)} times as much" if low >= 1.05 else "hardly more"
    return f"{one} to {two}{_TIMES}"


def about_words(between: tuple[float, float], times: float) -> str:
    """About how many times as much, and between what that lies in 95 of 100 cases where it is left to chance.

    Parameters
    ----------
    times
        One mean error divided by the other.
    """
    words, (low, high) = between_words(between), between
    if low == high or not math.isfinite(high) or not math.isfinite(times):
        return words
    return f"about {estimate(rounded(times, 2), 2)} times as much ({words.removesuffix(_TIMES)})"


def _outwards(times: float, rounding: str) -> str:
    """Two digits; three where two would say that it is no more."""
    for digits in (2, 3):
        exact = Decimal(repr(times))
        said = exact.quantize(Decimal(1).scaleb(exact.adjusted() - digits + 1), rounding=rounding) if times else exact
        if said != 1:
            break
    return estimate(float(said), 3)


def _zero(value: float) -> float:
    return 0.0 if math.isnan(value) else value
