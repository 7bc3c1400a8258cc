"""What people are told to do: it is what the protocol does, and keeps its ε."""

from __future__ import annotations

import math
import re
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.ldp.by_die import die_table
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.estimation import AUTOMATIC
from workbench.ldp.instructions import DEVICE, OnPaper, chance_down, chance_up
from workbench.ldp.protocol import PROTOCOLS, Family
from workbench.ldp.protocol_facts import protocol_facts

SEVEN = tuple("ABCDEFG")


def told(identifier: str, answers: tuple[str, ...], epsilon: float | None, **values: object) -> str:
    return ProtocolChoice(identifier, values).build(len(answers), epsilon).instruction(answers)


def numbers(text: str) -> list[int]:
    return [int(one.replace(",", "")) for one in re.findall(r"(?:to|Up to|up to) (\d[\d,]*)", text)]


@settings(max_examples=examples(200))
@given(st.floats(1e-6, 1 - 1e-6))
def test_a_chance_is_rounded_to_the_side_that_is_asked_for(chance: float) -> None:
    (below, of), (above, of_above) = chance_down(chance), chance_up(chance)
    assert 1 - below / of >= (1 - chance) * (1 - 1e-8) and below / of > chance - 1e-6
    assert above / of_above >= chance * (1 - 1e-8) and above / of_above < chance + 1.1e-6


def test_randomised_response_is_told_in_full() -> None:
    assert told("grr", ("no", "yes"), math.log(3) + 1e-12) == (
        "Toss two coins, and show them to nobody. With a head among them, give your true answer; with none, give the "
        "other answer. Answers: no, yes. So the truth is told with probability 3/4."
    )
    assert told("grr", ("no", "yes"), 1.0) == (
        "Let a program draw a whole number from 1 to 1,000,000 by chance, and show it to nobody. Up to 731,058, give "
        "your true answer; above it, give the other answer. Answers: no, yes. So the truth is told with probability "
        "0.731058."
    )
    assert told("rr", ("no", "yes"), None, design="coins", truth=0.5, yes=0.25) == (
        "Toss a coin, and show it to nobody. With heads, give your true answer. With tails, roll two ten-sided dice, "
        "one for the tens, and show them to nobody; 00 counts as 100: up to 25, say “yes”; above it, say “no”. "
        "So the true answer is asked for with probability 1/2."
    )


def test_whoever_draws_by_hand_has_a_device_for_the_other_answers_too() -> None:
    coin = math.log(2.5) + 1e-13  # the true one with heads, in a set of two of seven
    said = told("subset-selection", SEVEN, coin, k=2)
    assert said.startswith("Toss a coin") and "program" not in said
    device = "each equally likely: number them and roll a six-sided die, unseen, again where a number comes twice."
    assert device in said, said
    for size, epsilon, device in (
        (3, math.log(2) + 1e-13, "each equally likely: toss a coin, unseen, heads for the first of them."),
        (5, math.log(4) + 1e-13, "number them and roll a six-sided die, unseen, again above 4."),
        (7, math.log(6) + 1e-13, "number them and roll a six-sided die, unseen."),
        (9, math.log(8) + 1e-13, "number them and roll a ten-sided die, unseen, again above 8."),
        (15, math.log(14) + 1e-13, "number them and draw one of 14 numbered slips, unseen."),
    ):
        said = told("grr", tuple(f"a{one}" for one in range(size)), epsilon)
        assert said.startswith("Toss a coin") and device in said, said
    said = told("subset-selection", tuple(f"a{one}" for one in range(16)), math.log(14 / 2) + 1e-13, k=2)
    assert "number them and draw that many of 15 numbered slips, unseen." in said, said
    assert "unseen" not in told("grr", SEVEN, 1.0), "the program draws these, too"


@pytest.mark.parametrize("epsilon", [0.05, 0.5, 1.0, math.log(3), 3.0, 12.0])
@pytest.mark.parametrize("size", [2, 3, 7, 40])
def test_whoever_does_as_told_keeps_epsilon(epsilon: float, size: int) -> None:
    answers = tuple(f"a{one}" for one in range(size))
    said = told("grr", answers, epsilon)
    exactly = re.search(r"probability (\d+)/(\d+)\.", said)
    truth, of = map(int, exactly.groups()) if exactly else numbers(said)[1::-1]
    ratio = truth / of * (size - 1) / (1 - truth / of)
    assert 0.99 * epsilon < math.log(ratio) < epsilon + 1e-7 or epsilon > 10
    if size > 3 and epsilon < 2:
        text = told("subset-selection", answers, epsilon, k=3)
        of, inside = numbers(text)[:2]
        assert f"name your true answer and 2 of the other {size - 1}; above it, name 3 of the other" in text
        assert "Name them in the order of the list, so that their order does not tell which is yours." in text
        assert math.log(inside / of * (size - 3) / (3 * (1 - inside / of))) < epsilon + 1e-7
    of, yes, of_other, wrong = numbers(told("oue", answers, epsilon))
    p, q = yes / of, wrong / of_other
    assert p == 0.5 and 0 < math.log(p * (1 - q) / ((1 - p) * q)) < epsilon + 1e-7


def test_a_true_answer_among_very_many_is_told_more_often_than_another() -> None:
    answers = tuple(map(str, range(100_000)))
    text = told("grr", answers, 0.5)
    of, truth = numbers(text)[:2]
    assert truth / of > (1 - truth / of) / (len(answers) - 1) and "There are 100,000 answers." in text


@pytest.mark.parametrize("size", [2, 7, 100, 5_000, 10_000])
def test_the_chance_that_is_told_keeps_epsilon_however_many_answers_there_are(size: int) -> None:
    for step in (1, 2, 5, 50, 110, 300):
        epsilon = step / 100
        drawn = ProtocolChoice("grr").frequency(size, epsilon).set_drawn
        assert drawn is not None
        number, of = chance_down(drawn[1])
        told = math.log(number * (size - 1) / (of - number))
        assert epsilon - 0.6 < told <= epsilon + 2e-9, (size, epsilon)


_NEARLY = 1 - 2**-53


@pytest.mark.parametrize(
    ("identifier", "params"),
    [
        ("rr", {"design": "coins", "truth": _NEARLY, "yes": 0.5}),
        ("rr", {"design": "coins", "truth": 0.25, "yes": _NEARLY}),
        ("ue", {"p": _NEARLY, "q": 0.5}),
        ("rappor", {"f": 2**-53, "p": 0.75, "q": 0.25}),
        ("rappor", {"f": 2**-53, "p": _NEARLY, "q": 0.25}),
    ],
)
def test_what_is_told_of_a_chance_next_to_1_keeps_its_epsilon(identifier: str, params: dict[str, object]) -> None:
    """A program that follows the words drew from 1 to 10 and told the truth up to 10: no ε holds for that."""
    choice = ProtocolChoice(identifier, params)
    built = choice.frequency(2, 1.0)
    text = built.instruction(("no", "yes"))
    assert 0 < built.spent < 45 and "Up to 10," not in text and "probability 1 " not in text
    assert "probability 1." not in text and "up to 10," not in text
    assert "999,999" in text or "0.999999" in text, "rounded to the side that reveals less"


def test_every_protocol_says_what_people_do() -> None:
    for protocol in PROTOCOLS:
        size = min(7, protocol.maximum_domain)
        text = told(protocol.identifier, SEVEN[:size], 1.0)
        assert text.endswith(".") and len(text) < 420, protocol.identifier
        if protocol.family is Family.MEAN:
            assert text == DEVICE


def test_of_several_reports_the_first_draw_is_kept() -> None:
    text = told("rappor", SEVEN, None, rounds=3)
    assert (
        "yes with probability 0.75 for the true one and 0.25 for any other" in text and "In each of 3 reports" in text
    )
    assert "In the report it says yes" in told("rappor", SEVEN, None)


@pytest.mark.parametrize("identifier", ["grr", "rr", "subset-selection"])
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 1.7, 2.5])
def test_what_coins_and_dice_offer_says_its_epsilon_exactly_and_the_smaller_first(
    identifier: str, epsilon: float
) -> None:
    answers = ("no", "yes") if identifier == "rr" else SEVEN
    facts = protocol_facts(ProtocolChoice(identifier), len(answers), epsilon, 1_000, AUTOMATIC, answers=answers)
    assert facts.offers and "Let a program draw" in facts.instruction
    found = [one.epsilon for one in facts.offers]
    assert found == sorted(found) and [one.larger for one in facts.offers] == [one > epsilon for one in found]
    for one in facts.offers:
        # Whoever draws by hand keeps what is promised: never more than the number that stands for the logarithm.
        assert math.log(one.ratio) <= one.epsilon < math.log(one.ratio) + 1e-11
        again = protocol_facts(ProtocolChoice(identifier), len(answers), one.epsilon, 1_000, AUTOMATIC, answers=answers)
        assert one.drawn.draw in again.instruction and "program" not in again.instruction and not again.offers
        found_channel = ProtocolChoice(identifier).frequency(len(answers), one.epsilon).channel()
        assert found_channel is not None
        assert (found_channel.max(axis=0) / found_channel.min(axis=0)).max() == pytest.approx(float(one.ratio))


def test_of_one_the_named_dice_are_a_ten_sided_one_and_two_coins() -> None:
    facts = protocol_facts(ProtocolChoice("grr"), 2, 1.0, 100, AUTOMATIC, answers=("no", "yes"))
    said = [(one.drawn.device, str(one.drawn.chance), str(one.ratio), one.larger) for one in facts.offers]
    assert said == [
        ("a ten-sided die", "7/10", "7/3", False),
        ("two ten-sided dice", "73/100", "73/27", False),
        ("two coins", "3/4", "3", True),
    ]


# Without a program: with a die, by a table


def by_die(identifier: str, answers: tuple[str, ...], epsilon: float, **values: object) -> tuple[str, list[Fraction]]:
    """The words, and the chance of A of each table, as it follows from rolling by its printed lines."""
    paper = OnPaper()
    said = ProtocolChoice(identifier, values).frequency(len(answers), epsilon).on_paper(answers, paper)
    return said, [chance_of_a([one.cells for one in table.rolls]) for table in paper.tables]


def chance_of_a(lines: list[tuple[str, str, str]]) -> Fraction:
    """What comes of rolling by printed lines: each face of each roll stands in exactly one column."""
    reached, found = Fraction(1), Fraction(0)
    for place, line in enumerate(lines):
        hit, missed, again = (faces(cell) for cell in line)
        assert sorted([*hit, *missed, *again]) == [1, 2, 3, 4, 5, 6], line
        assert len(again) == (0 if place == len(lines) - 1 else 1), "it ends, and no earlier than it says"
        found, reached = found + reached * Fraction(len(hit), 6), reached * Fraction(len(again), 6)
    return found


def faces(cell: str) -> list[int]:
    if cell == "–":
        return []
    first, _, last = cell.partition("–")
    return list(range(int(first), int(last or first) + 1))


@settings(max_examples=examples(200))
@given(st.integers(1, 999_999), st.booleans())
def test_a_table_for_a_die_has_the_chance_on_the_side_that_is_asked_for(number: int, up: bool) -> None:
    table = die_table(number, 10**6, up=up)
    found = chance_of_a([one.cells for one in table.rolls])
    off = found - Fraction(number, 10**6)
    assert 0 <= (off if up else -off) < Fraction(1, 10**6) and len(table.rolls) <= 10
    assert found == table.chance


def test_a_table_of_a_chance_that_is_nearly_none_or_all_has_more_lines() -> None:
    for number, of, up in ((1, 10**6, False), (999_999, 10**6, True), (1, 10**9, False)):
        found = chance_of_a([one.cells for one in die_table(number, of, up=up).rolls])
        assert 0 < found < 1 and abs(found - Fraction(number, of)) < Fraction(1, of)


@pytest.mark.parametrize("epsilon", [0.05, 0.5, 1.0, 2.3, 6.0])
@pytest.mark.parametrize("size", [2, 3, 7])
def test_whoever_rolls_by_the_tables_reports_by_the_protocol_and_keeps_epsilon(size: int, epsilon: float) -> None:
    answers = tuple(f"a{one}" for one in range(size))
    said, (truth,) = by_die("grr", answers, epsilon)
    assert said.startswith("Roll a die by table 1") and "program" not in said
    # With A the true answer, with B any other one, each as likely: of e^ε never more, and hardly less.
    reached = math.log(truth / ((1 - truth) / (size - 1)))
    assert epsilon - 2e-3 < reached <= epsilon
    drawn = ProtocolChoice("grr").frequency(size, epsilon).set_drawn
    assert drawn is not None and drawn[1] - 2e-6 < truth <= drawn[1]
    said, (true, other) = by_die("sue", answers, epsilon)
    p, q = ProtocolChoice("sue").frequency(size, epsilon).pure or (0.0, 0.0)
    assert p - 2e-6 < true <= p and q <= other < q + 2e-6
    assert math.log(true * (1 - other) / ((1 - true) * other)) <= epsilon
    said, (other,) = by_die("oue", answers, epsilon)
    assert "For your true answer, toss a coin, and show it to nobody: with heads, say yes to it, else no." in said
    assert math.log((1 - other) / other) <= epsilon, "p = 1/2"
    if size == 7:
        said, (inside,) = by_die("subset-selection", answers, epsilon, k=3)
        assert "With A, name your true answer and 2 of the other 6; with B, name 3 of the other 6" in said
        assert math.log(inside * (size - 3) / (3 * (1 - inside))) <= epsilon


def test_two_coins_that_nobody_has_are_rolled_too_and_each_chance_is_rounded_to_the_middle() -> None:
    said, chances = by_die("rr", ("no", "yes"), 1.0, design="coins", truth=0.617, yes=0.333)
    truth, yes = chances
    assert said.startswith("Roll a die by table 1") and "roll a die by table 2, unseen: with A, say “yes”" in said
    assert truth <= Fraction(617, 1000) and yes >= Fraction(333, 1000), "both to the side that reveals less"
    p, q = truth + (1 - truth) * yes, (1 - truth) * yes
    asked_p, asked_q = 0.617 + 0.383 * 0.333, 0.383 * 0.333
    assert max(p / q, (1 - q) / (1 - p)) <= max(asked_p / asked_q, (1 - asked_q) / (1 - asked_p)) * (1 + 1e-12)
    assert float(p) == pytest.approx(asked_p, abs=3e-6) and float(q) == pytest.approx(asked_q, abs=3e-6)


def test_where_coins_and_dice_have_the_chance_there_is_no_table() -> None:
    said, chances = by_die("grr", ("no", "yes"), math.log(3) + 1e-12)
    assert said == told("grr", ("no", "yes"), math.log(3) + 1e-12) and not chances
    assert by_die("olh", SEVEN, 1.0) == (told("olh", SEVEN, 1.0), []), "a device draws that"
