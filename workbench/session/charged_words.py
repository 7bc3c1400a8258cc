"""Words for what is charged for an answer, as on the button that spends: what counts leads, what was set follows."""

from __future__ import annotations

from fractions import Fraction

from workbench.core.composition import REPLACE_ONE
from workbench.core.known_number import TWICE
from workbench.core.number_text import epsilon_up, price_up, rounded_up
from workbench.core.release_spending import for_replacing

Amounts = tuple[Fraction, Fraction]


def charged_words(own: Amounts, charged: Amounts) -> str:
    """ε and δ that are charged, and what of ε counts twice.

    Parameters
    ----------
    own
        ε and δ as they are set, and promised by itself.
    charged
        Both as they count.

    Examples
    --------
    >>> charged_words((Fraction(1, 2), Fraction(0)), (Fraction(1), Fraction(0)))
    'ε 1 (0.5 counted twice)'
    """
    if not own[0] or charged[0] != 2 * own[0]:
        return price_up(*charged)
    delta = f" · δ {rounded_up(charged[1])}" if charged[1] else ""
    return f"{epsilon_up(charged[0])} ({rounded_up(own[0])} {TWICE}){delta}"


def charged_of(own: Amounts, neighbours: str, *, number_known: bool) -> str:
    """The same of an answer whose noise hides this relation, by whether others know how many people there are."""
    twice = number_known and neighbours != REPLACE_ONE
    return charged_words(own, for_replacing(*own) if twice else own)
