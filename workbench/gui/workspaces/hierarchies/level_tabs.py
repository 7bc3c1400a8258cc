"""A level on its tab, in as many words as there is room for."""

from __future__ import annotations

from workbench.core.hierarchy import ANY
from workbench.core.widening import WIDENING_TO


def tab_words(level: int, words: str) -> tuple[str, ...]:
    """A level from the words that tell most to the one for which there is always room.

    The values themselves, level 0, are called so and not numbered: nothing that counts levels counts them.

    Parameters
    ----------
    words
        What the level is, or how many groups, or values, it has.

    >>> tab_words(0, "60"), tab_words(2, "intervals of 10")
    (('60 values', '60', 'Value'), ('→ intervals of 10', '→ 10', '2'))
    >>> tab_words(1, "10 intervals, widening to 50,000")
    ('→ 10 intervals, widening to 50,000', '→ 10 intervals', '1')
    """
    if not level:
        counted = f"{words} value{'' if words == '1' else 's'}"
        return counted if words[:1].isdigit() else words, words, "Value"
    shorter = words.removeprefix("intervals of ").replace("first character", "first 1").partition(WIDENING_TO)[0]
    return f"→ {words}", f"→ {shorter}", words if words == ANY else str(level)


def tab_tip(level: int, words: str) -> str:
    """Which level it is, with what it is or has."""
    return f"Level {level}: {words}" if level else f"The values themselves: {words}"
