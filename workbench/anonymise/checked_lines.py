"""The sentences of a claim on what the program itself saw to, which follow from the terms of the claim alone."""

from __future__ import annotations

from dataclasses import replace

from workbench.anonymise.note_versions import CHOICES_APART, REPLACED_WHOLE, SAID_ONCE
from workbench.anonymise.recipe import ReleaseMechanism
from workbench.anonymise.row_orders import ORDERS
from workbench.anonymise.terms import Terms
from workbench.core.number_text import file_text


def checked_lines(terms: Terms, version: int = SAID_ONCE) -> tuple[str, ...]:
    """Lines on what the program itself saw to, in the wording of notes of that version."""
    known = _known(terms, version) if version >= CHOICES_APART else ()
    if terms.mechanism is ReleaseMechanism.TRIM:
        return (*_trimmed(terms, version), *_levels(terms), *known, *_prepared(terms))
    checked = (*_CHECKED, ORDERS[terms.order].checked, _no_label_of_data(version))
    return (*checked, *_levels(terms), *known, *_prepared(terms))


def _known(terms: Terms, version: int) -> list[str]:
    """Lines on what nobody has to assert, because the program worked it out or counts it."""
    said = []
    occurs = " and said to occur in it" if terms.occurring else ""
    if terms.balanced:
        # Until then it began with nobody having chosen them, which is read as wrong by who asked for a detail.
        levels = "The" if version >= SAID_ONCE else "Nobody chose the"
        follow = " follow" if version >= SAID_ONCE else ": they follow"
        said.append(
            f"{levels} levels of the steps{follow} by a rule from the hierarchies, from what was asked of each column"
            f"{occurs}, from ε, δ and how many rows were expected. The rule reads no row."
        )
    if terms.by_rule:
        said.append(
            "The program made these hierarchies from the kinds and names of the columns, never from what stands in "
            f"them: {', '.join(terms.by_rule)}."
        )
    if terms.only:
        said.append("Its ledger counts no other draw of this data, so it was not picked from several there.")
    return said


_CHECKED = (
    "Each row was sampled on its own, with fresh randomness that nobody can predict or repeat.",
    "Every released column takes part in what makes rows alike.",
    "Groups of fewer than k sampled rows were dropped; how many is not published.",
)


def _no_label_of_data(version: int) -> str:
    """Up to version 13 it was said of labels, which by some rules are the values of the data as they are."""
    what = (
        "What becomes which label was not decided by"
        if version >= REPLACED_WHOLE
        else "No released label was made from"
    )
    return f"{what} the data, as far as the hierarchies say where they come from."


def _trimmed(terms: Terms, version: int) -> list[str]:
    """Lines on what the program saw to where groups were trimmed."""
    covers = "neither lists nor covers by its rule" if version >= REPLACED_WHOLE else "does not list"
    said = [
        "Each group gave up a random number of its rows, drawn afresh for every group, with randomness that nobody can "
        "predict or repeat.",
        "No row was invented: of no group more rows are released than there are.",
        "Every column that was taken from the table takes part in what makes rows alike.",
        ORDERS[terms.order].checked,
        _no_label_of_data(version),
        f"What a hierarchy {covers} became *, as it would in any table; which values, and how many, is not told.",
    ]
    if terms.steps > 1:
        said.append(
            "Rows that one step gave up were counted again at the next one, which is nowhere finer. The levels of all "
            f"{terms.steps:,} steps, and what each may spend, were fixed before the first."
        )
    if terms.floor > 1:
        said.append(f"Groups of which fewer than {terms.floor:,} rows would have been released were left out.")
    if terms.step_column:
        said.append(f"The column “{terms.step_column}” says at which step a row was released, which is promised too.")
    if terms.count_column:
        said.append(f"A line is a group, and “{terms.count_column}” says how many rows of it were released.")
    return [*said, *terms.after.checked]


def _levels(terms: Terms) -> list[str]:
    """How the levels came about, as far as the program itself decided."""
    if terms.degrees:
        above = " above the drawn levels" if terms.split else ""
        named = ", ".join(f"“{degree}”" for degree in terms.degrees)
        steps = [
            f"The levels of the steps{above} follow from the degrees {named} and the heights of the hierarchies alone."
        ]
        return [*(_levels(replace(terms, degrees=())) if terms.split else ()), *steps]
    if terms.degree:
        return [f"The levels follow from the degree “{terms.degree}” and the heights of the hierarchies alone."]
    if not terms.split:
        return []
    fresh = (
        "groups were trimmed with fresh randomness"
        if terms.mechanism is ReleaseMechanism.TRIM
        else "a fresh sample was drawn for the release"
    )
    return [
        "The levels were drawn privately among combinations that do not depend on the data, and "
        f"{fresh}: {terms.split}."
    ]


def _prepared(terms: Terms) -> list[str]:
    """Lines on what the program itself did to the rows before the mechanism, which needs no assertion."""
    said = []
    if terms.where:
        said.append(f"Only rows with {terms.where} took part; each row was judged by itself alone.")
    if terms.sample < 1:
        said.append(
            f"Before that, each row was drawn by a coin of its own, with probability {file_text(terms.sample, 6)}. The "
            "guarantee does not count on it."
        )
    if terms.limited_by:
        most = "one row" if terms.rows_per_person == 1 else f"{terms.rows_per_person:,} rows"
        said.append(
            f"Of each person, told apart by “{terms.limited_by}”, at most {most} took part, chosen at "
            "random by the program; rows that name no person were left out."
        )
    if terms.counted:
        said.append(
            f"What is promised adds up ε and δ of the {terms.counted:,} releases of this data that its ledger counts, "
            "published or not."
        )
    return said
