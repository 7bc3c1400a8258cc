"""The usual δ to allow: at most 1 divided by a hundred times the number of people, as far as the number is public.

The δ that a release comes to is computed in `trim_law` and in `anonymise.trim_guarantee`.
"""

from __future__ import annotations

from fractions import Fraction

from workbench.core.number_text import count, typed

SUITED = 1_000
"""For so many people the δ is small enough that is meant where nobody gives one."""
_PARTS = 100
DELTA_RULE = "δ follows how many people you expect: 1e-5 up to 1,000 or unsaid, 1e-6 up to 10,000, and so on"
"""`usual_delta` in a sentence, without its full stop."""


def usual_delta(people: int | None = None) -> float:
    """The largest power of ten that is small enough for so many people, and never above the one that is usual.

    Parameters
    ----------
    people
        A public number or a guess, never counted in the data; None where nobody said one.

    >>> usual_delta(), usual_delta(50), usual_delta(10_000), usual_delta(14_000)
    (1e-05, 1e-05, 1e-06, 1e-07)
    """
    found, power = Fraction(1, _PARTS * max(people or SUITED, SUITED)), 5
    while Fraction(1, 10**power) > found:
        power += 1
    return float(f"1e-{power}")


def suits(delta: float | Fraction) -> int:
    """For how many people a δ above 0 is small enough: the largest round number that is no more.

    >>> suits(1e-5), suits(2e-6), suits(3e-7), suits(0.5)
    (1000, 5000, 30000, 0)
    """
    most = int(1 / (_PARTS * Fraction(str(delta))))
    unit: int = 10 ** (len(str(most)) - 1)
    return most // unit * unit


def delta_advice(delta: float | Fraction, rows: int | None, whom: str = "rows") -> str:
    """A sentence where δ is larger than it should be for the rows that somebody expects; "" where it is not.

    Parameters
    ----------
    rows
        As they were typed, from public knowledge; None where nobody typed them.
    whom
        What so many are called where they were asked for.

    >>> delta_advice(1e-5, 14_000)
    'δ should be at most 1 divided by a hundred times the number of people: 1e-7 for the 14,000 rows you expect.'
    >>> delta_advice(1e-7, 14_000), delta_advice(1e-5, None)
    ('', '')
    """
    if not rows or Fraction(delta) * _PARTS * rows <= 1 or delta <= usual_delta(rows):
        return ""
    return (
        "δ should be at most 1 divided by a hundred times the number of people: "
        f"{typed(usual_delta(rows))} for the {count(rows)} {whom} you expect."
    )
