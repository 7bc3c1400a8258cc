"""Instructions for people who answer, in a few sentences that can be read out, with the chances that a protocol uses.

A chance that coins or dice have is a fraction, and told with those. Others are written with at most six decimals,
rounded to the side that reveals less, as coins are: whoever follows the words keeps ε too, up to 2·10⁻⁹. What
estimates are off by that is far less than chance moves them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from workbench.core.number_text import exact
from workbench.ldp.by_die import HIT, MISSED, DieTable, die_table
from workbench.ldp.by_hand import by_hand

_DECIMALS = 6
_SAME = 1e-9
"""What is as near to a rounder number is that number: 0.75 of ε = ln 3."""
_LISTED = 12
_SIDES = {6: "six", 10: "ten"}
"""Dice that people have."""

DEVICE = "A report is drawn by a program on each person's own device; by hand it cannot be."
TABLE = (
    "The device of each person draws one of {outputs:,} reports, by the chances in the line of their answer, and sends "
    "that alone. Nobody else sees the answer."
)


def _capital(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}"


def chance_down(chance: float) -> tuple[int, int]:
    """A chance as so many of so many numbers, the fewest decimals first that have it, else never above it.

    >>> chance_down(0.75), chance_down(0.7310585786300049)
    ((75, 100), (731058, 1000000))
    """
    # The true one of very many answers is told hardly more often than any other: its chance has as many digits.
    rare = max(math.floor(-math.log10(chance)) - 1, 0) if chance > 0.0 else 0
    others, of = _up(1.0 - chance, _DECIMALS + rare)
    return of - others, of


def noisy_chance_down(chance: float) -> tuple[int, int]:
    """The same of a chance that is below 1, though by so little that a float may not tell: always is no chance.

    >>> noisy_chance_down(1.0), noisy_chance_down(0.75)
    ((999999, 1000000), (75, 100))
    """
    number, of = chance_down(chance)
    return (number, of) if number < of else (10**_DECIMALS - 1, 10**_DECIMALS)


def chance_up(chance: float) -> tuple[int, int]:
    """The same, never below it.

    >>> chance_up(0.25), chance_up(0.2689414213699951)
    ((25, 100), (268942, 1000000))
    """
    number, of = _up(chance)
    return number, of


def _up(chance: float, most: int = _DECIMALS) -> tuple[int, int]:
    if chance <= 0.0:
        return 0, 10
    # Of the smaller of both chances: what is nearly nothing of the larger one may be much of the other.
    same = _SAME * min(chance, 1.0 - chance)
    for places in range(1, most):
        of = 10**places
        number = math.ceil((chance - same) * of)
        if number - chance * of <= same * of:
            return number, of
    return math.ceil((chance - same) * 10**most), 10**most


def decimals(number: int, of: int) -> str:
    """So many of so many as a decimal number."""
    return exact(number / of)


def drawn(of: int, whose: str = "") -> str:
    """How a person comes by a chance that no coins or dice have."""
    return f"Let a program draw a whole number from 1 to {of:,} by chance{whose}, and show it to nobody."


class OnPaper:
    """The tables of an instruction without a program: for chances that coins and dice do not have at once.

    Attributes
    ----------
    tables
        Those that the words written so far refer to, in their order, each under its number.
    """

    def __init__(self) -> None:
        self.tables: list[DieTable] = []

    def table(self, number: int, of: int, *, up: bool = False) -> str:
        """The number of the table by which a chance is drawn; the same chance has the same one."""
        wanted = die_table(number, of, up=up)
        if wanted not in self.tables:
            self.tables.append(wanted)
        return str(self.tables.index(wanted) + 1)


def rolled(table: str) -> str:
    """How a person comes by a chance with a table."""
    return f"Roll a die by table {table}, and show it to nobody."


def draw_of(chance: float, paper: OnPaper | None = None) -> tuple[str, str, str, str]:
    """A chance in digits, how a person draws it, and when it has come and when not: by hand, or by a program."""
    if (drawn_so := by_hand(chance)) is not None:
        return str(drawn_so.chance), drawn_so.draw, drawn_so.hit, drawn_so.missed
    if paper is not None:
        number, of = chance_down(chance)
        return decimals(number, of), rolled(paper.table(number, of)), f"With {HIT}", f"with {MISSED}"
    number, of = noisy_chance_down(chance)
    return decimals(number, of), drawn(of), f"Up to {number:,}", "above it"


def drawn_of(others: int, *, several: bool = False) -> str:
    """How a person without a program chooses one or several of so many other answers, each equally likely.

    >>> drawn_of(6)
    'number them and roll a six-sided die, unseen'
    >>> drawn_of(4, several=True)
    'number them and roll a six-sided die, unseen, again above 4 or where a number comes twice'
    """
    if others > max(_SIDES):
        return f"number them and draw {'that many' if several else 'one'} of {others:,} numbered slips, unseen"
    if others == 2 and not several:
        return "toss a coin, unseen, heads for the first of them"
    sides = min(one for one in _SIDES if one >= others)
    above = [f"above {others}"] if sides > others else []
    again = " or ".join([*above, *(["where a number comes twice"] if several else [])])
    return f"number them and roll a {_SIDES[sides]}-sided die, unseen{f', again {again}' if again else ''}"


def listed(answers: Sequence[str]) -> str:
    """The answers there are, where somebody can take them in; else how many."""
    return f"Answers: {', '.join(answers)}." if len(answers) <= _LISTED else f"There are {len(answers):,} answers."


def truth_or_another(answers: Sequence[str], truth: float, paper: OnPaper | None = None) -> str:
    """The true answer with a chance, else any other one."""
    digits, draw, hit, missed = draw_of(truth, paper)
    rest = len(answers) - 1
    by = f": {drawn_of(rest)}" if paper is not None or by_hand(truth) is not None else ""
    other = "the other answer" if rest == 1 else f"one of the other {rest:,}, each equally likely{by}"
    return (
        f"{draw} {hit}, give your true answer; {missed}, give {other}. {listed(answers)} "
        f"So the truth is told with probability {digits}."
    )


def by_two_coins(answers: Sequence[str], truth: float, second: float, paper: OnPaper | None = None) -> str:
    """The true answer with a chance, else the second of two answers with another one."""
    digits, draw, hit, missed = draw_of(truth, paper)
    first, so = (
        f"{draw} {hit}, give your true answer. {_capital(missed)}, ",
        f"So the true answer is asked for with probability {digits}.",
    )
    if (again := by_hand(second)) is not None:
        words = f"{again.draw[0].lower()}{again.draw[1:].rstrip('.')}: {again.hit.lower()}, "
        return f"{first}{words}say “{answers[1]}”; {again.missed}, say “{answers[0]}”. {so}"
    below = noisy_chance_down if paper is None else chance_down  # of a die's table it is refused
    said, of_all = below(second) if second > 1 / 2 else chance_up(second)
    if paper is not None:
        words = f"roll a die by table {paper.table(said, of_all, up=second <= 1 / 2)}, unseen"
        return f"{first}{words}: with {HIT}, say “{answers[1]}”; with {MISSED}, say “{answers[0]}”. {so}"
    last = f"up to {said:,}, say “{answers[1]}”; above it, say “{answers[0]}”"
    return f"{first}draw one from 1 to {of_all:,}: {last}. {so}"


_IN_ORDER = "Name them in the order of the list, so that their order does not tell which is yours."
"""ε is that of the set alone: whoever named the true answer first would give it away."""


def one_set(answers: Sequence[str], size: int, inside: float, paper: OnPaper | None = None) -> str:
    """A set of answers with the true one in it with a chance, else without it."""
    if size == 1:
        return truth_or_another(answers, inside, paper)
    (_, draw, hit, missed), rest = draw_of(inside, paper), len(answers) - 1
    by = f": {drawn_of(rest, several=True)}" if paper is not None or by_hand(inside) is not None else ""
    return (
        f"{draw} {hit}, name your true answer and {size - 1:,} of the other {rest:,}; {missed}, name "
        f"{size:,} of the other {rest:,}, and not your true one. Choose the others by chance, each equally likely{by}. "
        f"{_IN_ORDER} {listed(answers)}"
    )


def kept_and_shown(kept: tuple[float, float], shown: tuple[float, float], rounds: int) -> str:
    """Several reports of what is drawn once: the chances of a yes for the true answer and for another, and of each."""
    (true, other), (one, none) = kept, shown
    reports = f"each of {rounds:,} reports" if rounds > 1 else "the report"
    keep = noisy_chance_down if other else chance_down  # without noise on what is kept, a yes stays one
    first, second = decimals(*keep(true)), decimals(*chance_up(other))
    third, fourth = decimals(*noisy_chance_down(one)), decimals(*chance_up(none))
    return (
        f"The device of each person draws once and keeps a yes or no for each answer: yes with probability {first} for "
        f"the true one and {second} for any other. In {reports} it says yes with probability {third} where it keeps a "
        f"yes, and {fourth} where it keeps a no."
    )


def one_by_one(answers: Sequence[str], true: float, other: float, paper: OnPaper | None = None) -> str:
    """Yes or no to each answer, with one chance for the true one and another one for the rest."""
    below = noisy_chance_down if paper is None else chance_down  # of a die's table it is refused
    (yes, of), (wrong, of_other) = below(true), chance_up(other)
    if paper is not None:
        parts = []
        for whose, chance, (number, all_of), up in (
            ("your true answer", true, (yes, of), False),
            ("each of the others", other, (wrong, of_other), True),
        ):
            if (tossed := by_hand(chance)) is not None:
                draw, hit = f"{tossed.draw[0].lower()}{tossed.draw[1:].partition(', and show')[0]}", tossed.hit.lower()
            else:
                draw, hit = f"roll a die by table {paper.table(number, all_of, up=up)}", f"with {HIT}"
            parts.append(f"For {whose}, {draw}, and show it to nobody: {hit}, say yes to it, else no.")
        return f"For each answer say yes or no. {' '.join(parts)} {listed(answers)}"
    return (
        f"For each answer say yes or no. {drawn(of, ' for your true answer')} Up to {yes:,}, say yes to it, else no. "
        f"Draw another one from 1 to {of_other:,} for each of the others: up to {wrong:,}, say yes to it, else no. "
        f"{listed(answers)}"
    )
