"""What a publisher says, in short: what it comes to, and below it the sentence that is signed, in full."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from workbench.anonymise.note_versions import TAKE_PART, WAYS_APART
from workbench.anonymise.recipe import ReleaseMechanism
from workbench.anonymise.terms import (
    BOTH_NOT_TOLD,
    PEOPLE_NOT_TOLD,
    ROWS_NOT_TOLD,
    Terms,
    asserted_lines,
    choices_in_short,
    choices_line,
    nothing_else_in_short,
)
from workbench.core.known_number import KnownNumber
from workbench.core.near_releases import NearReleases

TERMS = (
    Terms(),
    Terms(mechanism=ReleaseMechanism.TRIM, steps=3, balanced=True, occurring=True, expected=True, where="age > 3"),
    Terms(mechanism=ReleaseMechanism.TRIM, split="0.1 for the levels", counted=3),
    Terms(degree="medium", expected=True),
)


@pytest.mark.parametrize("terms", TERMS)
def test_the_line_below_what_the_signed_sentence_says_has_both_ends_of_what_it_is_about(terms: Terms) -> None:
    """What is between them is listed with what was chosen, and the signed sentence below that."""
    said, line = choices_in_short(terms)
    assert said.startswith("None of your choices depends on who is in the table")
    assert (", other than through the 3 releases" in said) is bool(terms.counted)
    listed, example = line.removeprefix("From ").split(", nothing was ")
    assert example == "picked by looking at rows or counting them.", "what would be against it is said by an example"
    columns, *pieces = _pieces(terms)
    first = "columns and rows" if "which rows take part" in pieces else "columns"
    assert columns == "Which columns take part" and listed == f"{first} to {' and '.join(pieces[-2:])}"


def _pieces(terms: Terms) -> list[str]:
    said = choices_line(terms).partition(" would have been")[0]
    return re.split(", | and (?!read)", said)


@pytest.mark.parametrize("near", NearReleases)
@pytest.mark.parametrize("terms", TERMS)
def test_both_halves_of_what_else_is_not_given_out_say_what_the_sentence_does(terms: Terms, near: NearReleases) -> None:
    ((whole, (bold, line, others, told)),) = nothing_else_in_short(replace(terms, near=near)).items()
    rest = whole.removeprefix(f"{others} ")
    nobody, _, may = rest.partition(". ")
    assert whole.startswith(others) and may == "What stands in the file and in this statement may be told."
    assert told == f"Besides the file and its statement, {nobody[0].lower()}{nobody[1:]}."
    exists = "No other draw or release of the same data exists besides those counted here"
    assert others.startswith(exists)
    numbers = line.removeprefix(others.replace(exists, "None, by anybody, but those counted here"))
    unsure = " Unsure: leave open. Beyond file and statement, "
    assert numbers != line and numbers.startswith(unsure), "all of the first half is kept"
    whom = "rows" if terms.several_rows else "people"
    of_parts = f"tell nobody how many {whom} of any part of the table there are or were left out."
    sampled = "you tell nobody who was sampled, or how many rows were dropped or a part of the table has."
    is_sample = "who was sampled" in nobody
    assert numbers.endswith(sampled if is_sample else of_parts), "a group is a part of it, too"
    assert "how many rows" in nobody and "part of the table has" in nobody and "dropped" in nobody
    assert bold == "No other draw or release of this data exists", "what was made and given to nobody is not left out"


def test_it_says_that_a_total_which_is_public_may_be_told_and_nothing_of_it_else() -> None:
    """Of that nothing is asserted where others may know it, so that to tell it contradicts nothing that is signed."""
    for known, what in ((KnownNumber.NONE, ""), (KnownNumber.PEOPLE, "people"), (KnownNumber.ROWS, "rows")):
        terms = replace(TERMS[1], known=known, rows_per_person=3 if known is KnownNumber.ROWS else 1)
        ((_, line, *_),) = nothing_else_in_short(terms, known).values()
        told = f"How many {what} there are may be told."
        assert line.endswith(told) if what else "may be told" not in line
        denied = {PEOPLE_NOT_TOLD, ROWS_NOT_TOLD, BOTH_NOT_TOLD}
        assert bool(denied.intersection(asserted_lines(terms))) is (not what)


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
