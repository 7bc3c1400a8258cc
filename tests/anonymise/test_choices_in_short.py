"""What a publisher says, in short: what it comes to, and below it the sentence that is signed, in full."""

from __future__ import annotations

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
def test_the_sentence_that_is_signed_stands_whole_below_what_it_says(terms: Terms) -> None:
    said, sentence = choices_in_short(terms)
    assert sentence == choices_line(terms)
    assert said.startswith("Your choices do not come from this table") and "even if you saw it" in said
    assert (", other than through the 3 releases" in said) is bool(terms.counted)
    for whole, (_, *halves) in nothing_else_in_short(terms).items():
        assert " ".join(halves) == whole


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
