"""What a publisher says of their choices, in short: the pieces of the sentence that is signed, one in their words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from workbench.anonymise.note_versions import WAYS_APART
from workbench.anonymise.recipe import ReleaseMechanism
from workbench.anonymise.terms import HOW_FINE, Terms, choices_in_short, choices_line

TERMS = (
    Terms(),
    Terms(mechanism=ReleaseMechanism.TRIM, steps=3, balanced=True, occurring=True, expected=True, where="age > 3"),
    Terms(mechanism=ReleaseMechanism.TRIM, split="0.1 for the levels", counted=3),
    Terms(degree="medium", expected=True),
)


@pytest.mark.parametrize("terms", TERMS)
def test_nothing_of_the_sentence_is_left_out(terms: Terms) -> None:
    said, *lines = choices_in_short(terms)
    assert 2 <= len(lines) <= 4
    left = choices_line(terms).lower()
    words = ", ".join(lines).lower().replace(HOW_FINE, "what was asked of each").replace(" and ", ", ")
    for piece in words.split(", "):
        assert piece in left
        left = left.replace(piece, "", 1)
    # What is signed of the choices is said of all of them: by no value of the table, whoever the people in it are.
    assert "do not come from the values in this table" in said and "the same ones for any other people" in said
    rest = left.replace(", ", "").replace(" and ", "").strip(" .")
    assert rest.startswith("would have been the same whoever is in the table")
    assert (", other than through the 3 releases" in said) is bool(terms.counted)


def test_the_signed_sentence_is_as_it_was_but_for_people_where_it_was_asked_for_people() -> None:
    words = (
        "Which columns are released, how they are named and read, what counts as missing, which rows take part, what "
        "was asked of each, what was said to occur in them, how many {whom} were expected, ε and δ would have been the "
        "same whoever is in the table."
    )
    assert choices_line(TERMS[1]) == words.format(whom="people")
    assert choices_line(TERMS[1], WAYS_APART - 1) == words.format(whom="rows")
    assert choices_line(replace(TERMS[1], rows_per_person=2)) == words.format(whom="rows")
