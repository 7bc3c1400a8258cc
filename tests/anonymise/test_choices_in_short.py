"""What a publisher says, in short: what it comes to, and below it the sentence that is signed, in full."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from workbench.anonymise.note_versions import TAKE_PART, WAYS_APART
from workbench.anonymise.recipe import ReleaseMechanism
from workbench.anonymise.terms import Terms, choices_in_short, choices_line, nothing_else_in_short
from workbench.core.near_releases import NearReleases

TERMS = (
    Terms(),
    Terms(mechanism=ReleaseMechanism.TRIM, steps=3, balanced=True, occurring=True, expected=True, where="age > 3"),
    Terms(mechanism=ReleaseMechanism.TRIM, split="0.1 for the levels", counted=3),
    Terms(degree="medium", expected=True),
)


@pytest.mark.parametrize("terms", TERMS)
def test_all_that_the_signed_sentence_is_about_stands_in_a_line_below_what_it_says(terms: Terms) -> None:
    """How columns are read is said in fewer words; everything else is named as in what is signed."""
    said, line = choices_in_short(terms)
    assert said.startswith("None of your choices depends on who is in the table")
    assert line.startswith("Columns, how they are read, ")
    assert (", other than through the 3 releases" in said) is bool(terms.counted)
    listed, example = line.partition("how they are read, ")[2].split(": ")
    assert example == "none picked by looking at the table's rows or counting them.", (
        "what would be against it is said by an example"
    )
    named = listed.replace(" and ", ", ").split(", ")
    columns, *pieces = _pieces(terms)
    assert columns == "Which columns take part" and pieces[:2] == [
        "how they are named and read",
        "what counts as missing",
    ]
    short = {
        "what was asked of each": "detail",
        "what was said to occur in them": "what can occur",
    }
    expected = [re.sub("^how many (.*) were expected$", r"\1 expected", short.get(one, one)) for one in pieces[2:]]
    assert named == expected, "each of them, and nothing else"


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
    numbers = line.removeprefix(others.replace(exists, "None but those counted here"))
    assert numbers != line and numbers.startswith(" Nobody is told other counts of groups"), (
        "all of the first half is kept"
    )
    assert bold == "No other draw or release of this data exists", "what was made and given to nobody is not left out"
    assert ("who was sampled" in numbers) is ("who was sampled" in nobody)


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
