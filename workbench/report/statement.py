"""The privacy statement that travels with a release.

A statement is a function of the facts in its note (`workbench.report.note`), and of nothing else: so that whoever
has the note can make it again and compare (`workbench.report.proof`). Everything in it is a parameter, an output of the
mechanism or a sentence: nothing is computed from rows that were not released. `Reason.analyst` must never appear here.
"""

from __future__ import annotations

from collections.abc import Sequence

from workbench.anonymise.level_scores import LevelScoring, Score
from workbench.anonymise.note_versions import FILE_FIRST, NUMBER_APART, READ_FIRST, SPELT_AS_IN_FILE
from workbench.anonymise.recipe import ReleaseMechanism
from workbench.anonymise.row_orders import ORDERS
from workbench.anonymise.sample_guarantee import Accounting
from workbench.core.number_text import file_text
from workbench.report.file_facts import file_section
from workbench.report.note import LABELS, SYNTACTIC, TRIMMED
from workbench.report.page import bullets, page, paragraph, section, table
from workbench.report.promise_meaning import neighbours, people_first, rows_are_people
from workbench.report.publisher import publisher_of
from workbench.report.rows_set_aside import TOOK_PART, some_set_aside, those_that_took_part
from workbench.report.stated_facts import Facts
from workbench.report.statement_parts import (
    BEFORE_COUNTING,
    RARE,
    counted_in,
    drawn_levels,
    exactly,
    in_this_file,
    origin_of,
    search_of,
    spreadsheets,
    verdict_with_grounds,
)
from workbench.report.syntactic_statement import syntactic_body
from workbench.report.trimmed_statement import trimmed_body
from workbench.report.voids import VOIDS_OF_TRIMMING

VOIDS = (
    "Publishing how many rows were dropped, or the dropped rows themselves, starred out or not.",
    "Keeping or publishing the original order of the rows.",
    "Adding a column that did not take part in the grouping.",
    "Publishing the same sample generalised in a second way.",
    "Labels made from the data: ends of intervals at its smallest or largest value, averages of its values.",
    "Choosing levels, β or k by looking at this data or at results on it, other than by a private draw counted in ε.",
    "More rows per person than were accounted for.",
    "Another release of the same data that is not added up with this one.",
)
"""The ways in which the guarantee of sampling, generalisation and suppression can break, in plain words."""


_VOID_IF_LOOKED = len(VOIDS) - 3


def _voids(release: Facts) -> tuple[str, ...]:
    """The same; what was chosen among releases that are counted is none of it."""
    if not counted_in(release):
        return VOIDS
    looked = "Choosing levels, β, k or a sample by anything of this data that is not counted here."
    return (*VOIDS[:_VOID_IF_LOOKED], looked, *VOIDS[_VOID_IF_LOOKED + 1 :])


def voids_of(mechanism: ReleaseMechanism) -> tuple[str, ...]:
    """The ways in which the guarantee of a mechanism can break, in plain words."""
    return VOIDS_OF_TRIMMING if mechanism is ReleaseMechanism.TRIM else VOIDS


def statement_page(facts: Facts) -> str:
    """The statement as a page; once there is a file, with the facts in it."""
    written = "read_back" in facts
    return page(title_of(facts), statement_body(facts), facts if written else None, str(facts.get("date", "")))


def title_of(facts: Facts) -> str:
    """The title of the page."""
    return "Statement" if facts["release"]["kind"] == SYNTACTIC else "Privacy statement"


def statement_body(facts: Facts) -> str:
    """The statement as HTML without a page around it, under the template of this version of the note.

    Parameters
    ----------
    facts
        From `facts_of` or `metadata`, or read from a note.
    """
    said, publisher = _stated(facts), publisher_of(facts)
    return said if publisher is None else publisher.around(said)


def _stated(facts: Facts) -> str:
    """The part that the program states, which whoever publishes can neither change nor leave out."""
    release = facts["release"]
    of_models = release["kind"] == SYNTACTIC
    if of_models:
        made = syntactic_body(release, facts["version"])
    elif release["kind"] == TRIMMED:
        made = trimmed_body(release, facts["file"]["texts_made_safe_for_spreadsheets"], facts["version"])
    else:
        made = _sampled(release, facts["file"], facts["version"])
    if "read_back" not in facts:
        return made
    # Statements of models of version 1 did not say it; the others say it among their parameters.
    return made + file_section(facts["file"], facts["read_back"], safe=of_models and facts["version"] > 1)


def _sampled(release: Facts, file: Facts, version: int) -> str:
    said, body = verdict_with_grounds(release, version, _voids(release), (NO_CLAIM, WHAT_NO_CLAIM_MEANS))
    neutralised = file["texts_made_safe_for_spreadsheets"]
    return (
        f"<h1>Privacy statement</h1>{paragraph(people_first(release, version) * (version < FILE_FIRST))}{said}"
        + (section(BEFORE_COUNTING, bullets(_before_counting(release, version))) if version >= NUMBER_APART else "")
        + exactly(release, version)
        + section("How the file was made", table(("", ""), parameters(release, neutralised, version)))
        + section("Columns", _columns(release["columns"]))
        + body
    )


def _before_counting(release: Facts, version: int) -> list[str]:
    said = [*rows_are_people(release, version), _rare(release, version)]
    return [*said, *(those_that_took_part(release, version) if version >= READ_FIRST else [])]


def _row(release: Facts, version: int) -> str:
    return f"Each row{TOOK_PART if some_set_aside(release, version) else ''} was kept with probability"


def _rare(release: Facts, version: int) -> str:
    wrong = " So percentages counted in the file are wrong, most for small groups." * (version >= SPELT_AS_IN_FILE)
    return (
        f"{RARE} {_row(release, version)} {file_text(release['beta'], 6)}, and a group of equal rows "
        f"of which fewer than {release['k']:,} were kept was left out.{wrong}"
    )


NO_CLAIM = "No (ε, δ) claim is made for this file."
WHAT_NO_CLAIM_MEANS = (
    "The file was sampled, generalised and stripped of small groups, but the guarantee of "
    "differential privacy does not hold for it."
)


def parameters(release: Facts, neutralised: int, version: int) -> list[tuple[str, str]]:
    """How the file was made, as lines of a table."""
    return [
        ("Method", f"random sample, generalisation, suppression of small groups, {ORDERS[release['order']].done}"),
        (f"{_row(release, version)} β", file_text(release["beta"], 6)),
        ("A value its hierarchy does not list", "becomes * above level 0"),
        ("Smallest released group k", f"{release['k']:,} rows"),
        ("Rows in the file", f"{release['rows']:,}"),
        *_levels(release),
        ("Neighbouring tables", neighbours(release, version)),
        ("Accounting of δ", _accounting(release)),
        ("Randomness", _randomness(release)),
        *spreadsheets(neutralised),
    ]


def _accounting(release: Facts) -> str:
    accounting = (
        "exact (both divergences of the thresholded binomial)"
        if Accounting(release["accounting"]) is Accounting.EXACT
        else "classical (Li, Qardaji and Su 2012)"
    )
    if release["rows_per_person"] > 1:
        accounting += f", by group privacy for up to {release['rows_per_person']:,} rows per person"
    return accounting


def _randomness(release: Facts) -> str:
    source = "a seed: this is a simulation" if release["simulation"] else "the operating system's random source"
    if release["engine"] != "memory":
        source = f"a key of 128 bits from {source}; SHA-256 of it and a row's number decides about the row"
    return source


def _levels(release: Facts) -> list[tuple[str, str]]:
    """How the levels were drawn, if they were."""
    search = search_of(release)
    if search is None:
        return []
    return drawn_levels(release, "the sample", LevelScoring(Score(search["score"]), release["k"], release["beta"]))


def _columns(columns: Sequence[Facts]) -> str:
    # Even the name of a column may say too much about a file that does not hold it, so only these are there.
    return table(("Column", "In this file", "Where its hierarchy comes from"), [_column(one) for one in columns])


def _column(column: Facts) -> tuple[str, str, str]:
    if column["shown"] == LABELS:
        hierarchy = column["hierarchy"]
        return column["name"], f"level {column['level']} of {hierarchy['height']}", origin_of(hierarchy)
    return column["name"], in_this_file(column["shown"], column["grouped"]), ""
