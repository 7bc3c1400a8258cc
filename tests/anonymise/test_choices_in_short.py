"""What a publisher says, in short: what it comes to, and below it the sentence that is signed, in full."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from workbench.anonymise.note_versions import TAKE_PART, WAYS_APART
from workbench.anonymise.recipe import ReleaseMechanism
from workbench.anonymise.terms import Terms, choices_in_short, choices_line, nothing_else_in_short

TERMS = (
    Terms(),
    Terms(mechanism=ReleaseMechanism.TRIM, steps=3, balanced=True, occurring=True, expected=True, where="age > 3"),
    Terms(mechanism=ReleaseMechanism.TRIM, split="0.1 for the levels", counted=3),
    Terms(degree="medium", expected=True),
)


@pytest.mark.parametrize("terms", TERMS)
def test_all_that_the_signed_sentence_is_about_stands_in_lines_below_what_it_says(terms: Terms) -> None:
    said, told = choices_in_short(terms)
    lines = told.split("\n")
    assert said.startswith("Your choices would be the same whoever is in the table") and "even if you saw it" in said
    assert (", other than through the 3 releases" in said) is bool(terms.counted)
    *pieces, _ = re.split(", | and (?!read)| would have", choices_line(terms)[0].lower() + choices_line(terms)[1:])
    whole = " ".join(lines)
    for piece in pieces[: len(pieces) - 2 * bool(terms.counted)]:
        named = piece.removeprefix("which columns ").removeprefix("how many ").replace("were expected", "expected")
        named = re.sub("^take part$", "which take part", named).replace("was said to occur in them", "can occur")
        assert named in whole, piece
    items = sum(len(re.split(", | and (?!read)", line.partition(": ")[2])) for line in lines)
    assert items == len(_pieces(terms)), "each of them, and nothing else"


def _pieces(terms: Terms) -> list[str]:
    said = choices_line(terms).partition(" would have been")[0]
    return re.split(", | and (?!read)", said)


@pytest.mark.parametrize("terms", TERMS)
def test_both_halves_of_what_else_is_not_given_out_say_what_the_sentence_does(terms: Terms) -> None:
    for whole, (_, others, told) in nothing_else_in_short(terms).items():
        rest = whole.removeprefix(f"{others} ")
        nobody, _, may = rest.partition(". ")
        assert whole.startswith(others) and may == "What stands in the file and in this statement may be told."
        assert told == f"Besides the file and its statement, {nobody[0].lower()}{nobody[1:]}."


def test_the_signed_sentence_is_as_it_was_but_for_people_that_were_asked_for_and_columns_that_take_part() -> None:
    words = (
        "Which columns {columns}, how they are named and read, what counts as missing, which rows take part, what "
        "was asked of each, what was said to occur in them, how many {whom} were expected, ε and δ would have been the "
        "same whoever is in the table."
    )
    assert choices_line(TERMS[1]) == words.format(whom="people", columns="take part")
    assert choices_line(TERMS[1], TAKE_PART - 1) == words.format(whom="people", columns="are released")
    assert choices_line(TERMS[1], WAYS_APART - 1) == words.format(whom="rows", columns="are released")
    assert choices_line(replace(TERMS[1], rows_per_person=2)) == words.format(whom="rows", columns="take part")
