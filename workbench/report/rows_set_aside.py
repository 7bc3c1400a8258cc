"""The rows of a table that took part in a release, where the program, a filter or a sample set others aside.

What is said of groups is true of these rows alone: of the others the file tells nothing, nor how many there are.
"""

from __future__ import annotations

from workbench.anonymise.note_versions import DELTA_INCLUDED, READ_FIRST
from workbench.report.promise_meaning import of_each, people_first
from workbench.report.stated_facts import Facts

TOOK_PART = " that took part"
OF_THESE = "Of the rows that took part, "
ALIKE, ALIKE_THAT_TOOK_PART = "Rows with equal labels", "Rows that took part and have equal labels"


def some_set_aside(release: Facts, version: int) -> bool:
    """Whether a table can have rows that did not take part, so that what is said of groups is said of those that did.

    It follows from the settings: whether any were set aside is not told. Where no terms are stated, nobody can tell
    from the note, and what holds of the rows that took part holds anyway.
    """
    terms = release["terms"]
    if version < READ_FIRST:
        return False
    return terms is None or bool(terms.get("limited_by") or terms.get("where")) or terms.get("sample", 1) < 1


def of_these(sentence: str, *, part: bool) -> str:
    """A sentence on counts, said of the rows that took part where others may not have."""
    return f"{OF_THESE}{sentence[0].lower()}{sentence[1:]}" if part else sentence


def those_that_took_part(release: Facts, version: int = DELTA_INCLUDED) -> list[str]:
    """That not all rows of the table need be counted, where some could be set aside before groups were made.

    Whether any were is known from the rows alone, so it is not told; up to version 12 it was said to be so.
    """
    terms, most = release["terms"] or {}, release["rows_per_person"]
    if version >= READ_FIRST:
        return _all_counts_are_of_these(release, version)
    said = []
    if terms.get("limited_by"):
        said.append(f"of each person at most {'one row' if most == 1 else f'{most:,} rows'}")
    if terms.get("where"):
        said.append(f"only rows with {terms['where']}")
    if terms.get("sample", 1) < 1:
        said.append("only rows that were drawn before")
    if not said:
        return []
    told = "It may be that not" if version >= DELTA_INCLUDED else "Not"
    return [f"{told} all rows of the table took part: {', and '.join(said)}. All counts are of rows that took part."]


def _all_counts_are_of_these(release: Facts, version: int) -> list[str]:
    """The same since that of each person one row was chosen stands first of all; the rest may leave out none."""
    terms, chosen = release["terms"] or {}, of_each(release)
    said = [f"only rows with {terms['where']}"] if terms.get("where") else []
    said += ["only rows that were drawn before"] if terms.get("sample", 1) < 1 else []
    if not said and not chosen:
        return []
    first = "" if not chosen or people_first(release, version) else f"{chosen[0].upper()}{chosen[1:]}. "
    may = f"It may be that not all rows of the table took part: {', and '.join(said)}. " if said else ""
    return [f"{first}{may}All counts are of rows that took part."]
