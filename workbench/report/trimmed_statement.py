"""The statement on a release that was trimmed: how the file was made, what is in it, and how to count with it.

Like every statement it is a function of the facts in its note. Its numbers are computed from ε, δ and the rows per
person, never from rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import pairwise

from workbench.anonymise.level_scores import LevelScoring, Score
from workbench.anonymise.note_versions import (
    COUNTED_WIDELY,
    COUNTING_FIRST,
    FILE_FIRST,
    NUMBER_APART,
    READ_FIRST,
    READ_ONCE,
    REPLACED_WHOLE,
    SAID_ONCE,
    SHAPED_AFTER,
    SPELT_AS_IN_FILE,
    TOLD_AS_SEEN,
)
from workbench.anonymise.released_columns import AS_IT_IS
from workbench.anonymise.row_orders import ORDERS
from workbench.core.hierarchy import ANY
from workbench.core.number_text import estimate, percent
from workbench.io.hierarchy_csv import SAID_WITHOUT_DATA
from workbench.report.column_labels import SPELLINGS
from workbench.report.counting_by_label import by_some_columns, counts_by_label, cut_intervals
from workbench.report.counting_once import before_counting_once, counting_once
from workbench.report.counting_plainly import before_counting_plainly, counting_plainly
from workbench.report.counting_table import counting_table
from workbench.report.counting_words import before_counting, counting, label_words, most_drawn
from workbench.report.first_step import in_told_figures
from workbench.report.listed_labels import labels_section
from workbench.report.note import COUNT, LABELS, STEP, VERSION, after_of, taking_part
from workbench.report.older_counting import mixed_once, small_groups_once
from workbench.report.page import bullets, paragraph, section, table
from workbench.report.plain_promise import alone
from workbench.report.promise_meaning import PERSONS_NAMED, lawful, neighbours, people_first, rows_are_people
from workbench.report.rows_set_aside import ALIKE, ALIKE_THAT_TOOK_PART, some_set_aside
from workbench.report.said_to_occur import section_of
from workbench.report.stated_facts import Facts
from workbench.report.statement_parts import (
    BEFORE_COUNTING,
    drawn_levels,
    exactly,
    in_this_file,
    origin_of,
    search_of,
    spreadsheets,
    verdict_with_grounds,
)
from workbench.report.step_table import added, step_table
from workbench.report.voids import voids_of_trimmed

_HARDLY = 1e-5
"""A probability of which a reader is told no more than that it is below."""

NO_CLAIM = "No (ε, δ) claim is made for this file."
WHAT_NO_CLAIM_MEANS = (
    "Rows were generalised, and every group of alike rows gave up a random number of them, but the guarantee of "
    "differential privacy does not hold for the file."
)


def trimmed_body(release: Facts, neutralised: int, version: int) -> str:
    """The statement as HTML without a page around it, from what is stated about the release.

    Parameters
    ----------
    neutralised
        Cell texts made safe for spreadsheets.
    version
        Of its note.
    """
    release = in_told_figures(release) if version >= READ_ONCE else release
    voids = voids_of_trimmed(release, version)
    said, body = verdict_with_grounds(release, version, voids, (NO_CLAIM, WHAT_NO_CLAIM_MEANS))
    several = len(release["steps"]) > 1
    return (
        f"<h1>Privacy statement</h1>{paragraph(people_first(release, version) * (version < FILE_FIRST))}{said}"
        + (section(BEFORE_COUNTING, _before_counting(release, version)) if version >= NUMBER_APART else "")
        + exactly(release, version)
        + section(
            "How the file was made",
            _made(release, version) + table(("", ""), _parameters(release, neutralised, version)),
        )
        + (section("Steps", step_table(release, version)) if several else "")
        + section(
            "Which groups are in the file",
            small_groups_once(release, version)
            + table(_survival_heads(several, part=some_set_aside(release, version)), _survival(release, version))
            + _few_rows(release, version),
        )
        + _how_to_count(release, version)
        + section("Columns", mixed_once(release, version) + _columns(release, version))
        + section_of(release, version)
        + labels_section(release, version)
        + body
    )


def _made(release: Facts, version: int) -> str:
    lines = made(release, version)
    return bullets(lines) if lines else ""


def _how_to_count(release: Facts, version: int) -> str:
    """The rules that are not said before one counts, and up to version 31 the labels with their numbers."""
    if version >= SPELT_AS_IN_FILE:
        said = counting_plainly(release, version)
        return section("How to count with the file", said) if said else ""
    lines = counting_once(release, version) if version >= SAID_ONCE else counting(release, version)
    said = (bullets(lines) if lines else "") + counts_by_label(release, version)
    return section("How to count with the file", said) if said else ""


def _before_counting(release: Facts, version: int) -> str:
    if version >= SPELT_AS_IN_FILE:
        return before_counting_plainly(release, version)
    if version >= SAID_ONCE:
        return before_counting_once(release, version)
    lines = [*rows_are_people(release, version), *before_counting(release, version)]
    if version >= TOLD_AS_SEEN:
        lines += [*cut_intervals(release), *by_some_columns(release, version)]
    said = bullets(lines)
    return (counting_table(release, version) if version >= COUNTING_FIRST else "") + said


def _few_rows(release: Facts, version: int) -> str:
    """What groups of few rows mean, as HTML."""
    if version < PERSONS_NAMED or not release["claim"]:
        return ""
    return f"<p>{escape(alone(release['promised']['delta'], version))}</p>"


def making_of(trimming: Facts, *, narrowed: bool = False) -> str:
    """How files are made, which groups are in them and how to count, as HTML, before there is a file.

    Parameters
    ----------
    trimming
        From `trimming_of` (`workbench.report.release_note`).
    narrowed
        Whether rows of the table may not take part.
    """
    several, trimming = len(trimming["steps"]) > 1, in_told_figures(trimming)
    return (
        bullets(made(trimming, COUNTED_WIDELY, part=narrowed))
        + (step_table(trimming, VERSION) if several else "")
        + table(_survival_heads(several, part=narrowed), _survival(trimming, VERSION))
        + bullets(counting(trimming, NUMBER_APART, part=narrowed))
    )


def made(release: Facts, version: int = VERSION, *, part: bool | None = None) -> list[str]:
    """How the file comes about, in sentences; `part` says whether these are of the rows that took part."""
    part = some_set_aside(release, version) if part is None else part
    steps, floor = release["steps"], release["floor"]
    several, after = len(steps) > 1, after_of(release)
    there = " at that step" if several else ""
    covers = "neither lists nor covers by its rule" if version >= REPLACED_WHOLE else "does not list"
    left_out = "" if floor == 1 else f" Where fewer than {floor:,} are left, the group is left out{there}."
    if version >= SAID_ONCE:
        # That each group gave up rows, and how many where small ones were not left out, is said before one counts.
        # That no row was invented is said among what the program checked, where that is shown.
        rows = ["Every row of the file is one of the table, with labels in the place of its values; none is invented."]
        lines = [] if version >= SPELT_AS_IN_FILE and _shows_checked(release) else rows
        if floor > 1:
            number = "" if several else f"The number that is drawn for a group is {_drawn(steps[0], floor)}."
            lines.append(f"{number}{left_out}".strip())
    else:
        lines = [
            f"{ALIKE_THAT_TOOK_PART if part else ALIKE} in every column make a group. Each group gives up a random "
            f"number of its rows, drawn for it alone, and the others are released.{left_out}",
            "Every row of the file is one of the table, with labels in the place of its values. None is invented: no "
            "group has more rows in the file than in the table.",
        ]
    if several:
        told = f"the column “{release['step_column']}” says which" if release["step_column"] else "no column says which"
        first = (
            f"This is done in {len(steps):,} steps. The first makes groups at the finest levels. What is given up at "
            "one step is put into larger groups by the next, at levels that are nowhere finer, and trimmed again with "
            "numbers of its own. What the last step gives up is not in the file."
        )
        if version >= SPELT_AS_IN_FILE and _shows_checked(release):
            # That no step has finer labels than the one before is said among what the program checked.
            first = (
                f"This is done in {len(steps):,} steps, the first with the finest labels: what one gives up is put "
                "into larger groups by the next, and trimmed again with numbers of its own. What the last step gives "
                "up is not in the file."
            )
        lines += [
            first,
            f"After the draw all labels were brought to the levels of step {after.one_level:,}."
            if after.one_level
            else f"Every row has the labels of one step, and {told}.",
        ]
    elif version < SAID_ONCE:
        lines.append(f"The number that is drawn for a group is {_drawn(steps[0], floor)}.")
    if after.left_out:
        lines.append(f"{after.named} took part in this, and {after.was} left out of the file after the draw.")
    if release["count_column"]:
        lines.append(
            f"The file has one line for each group; “{release['count_column']}” says how many rows the line stands for."
        )
    if version >= READ_FIRST and (_all_covered(release) or (version >= SAID_ONCE and _is_checked(release, covers))):
        none = version >= TOLD_AS_SEEN and "stars" in release and not release["stars"]
        return lines if none else [*lines, f"{ANY} is a label like any other."]
    lines.append(
        f"A value that its hierarchy {covers} becomes {ANY} at every level, as it would in any table; {ANY} is a "
        "label like any other."
    )
    return lines


def _all_covered(release: Facts) -> bool:
    """Whether the rule of every column covers whatever may be written in it, as those of spellings do."""
    columns = [*release.get("columns", ()), *(release.get("after") or {"left_out": ()})["left_out"]]
    named = [one["hierarchy"].get("levels", ()) for one in columns if "hierarchy" in one]
    return bool(named) and all(len(words) > 1 and words[1] in SPELLINGS for words in named)


def _is_checked(release: Facts, covers: str) -> bool:
    """Whether it stands among what the program checked what becomes of values that no hierarchy covers."""
    return _shows_checked(release) and any(
        f"What a hierarchy {covers} became {ANY}" in line for line in release["checked"]
    )


def _shows_checked(release: Facts) -> bool:
    """Whether a statement lists what the program checked."""
    return "checked" in release and lawful(release)


def _drawn(step: Facts, floor: int) -> str:
    return (
        f"{estimate(step['mean_lost'])} on average, with a standard deviation of {estimate(step['sd'])}, and never "
        f"more than {most_drawn(step, floor):,}"
    )


def _parameters(release: Facts, neutralised: int, version: int) -> list[tuple[str, str]]:
    steps = len(release["steps"])
    in_steps = f" in {steps:,} steps" if steps > 1 else ""
    rows = [
        ("Method", f"trimming of generalised rows{in_steps}, {ORDERS[release['order']].done}"),
        *([("Rows in the file", f"{release['rows']:,}")] if version < SAID_ONCE else []),
    ]
    if release["floor"] > 1:
        rows.append(
            (
                "Floor",
                f"groups of fewer than {release['floor']:,} released rows were left out: a rule about counts that may "
                "be told, which costs nothing",
            )
        )
    return [
        *rows,
        *_levels(release),
        ("Neighbouring tables", neighbours(release, version)),
        *_expected(release, version),
        ("Accounting of δ", _accounting(release)),
        ("Groups counted in", str(release["engine"])),
        ("Randomness", "a seed: this is a simulation" if release["simulation"] else _SECURE),
        *spreadsheets(neutralised),
    ]


def _expected(release: Facts, version: int) -> list[tuple[str, str]]:
    """The number of rows that steps follow from, where others may know how many there are; else it is not told."""
    terms = release["terms"] or {}
    rows = terms.get("expected_rows")
    if rows is None:
        not_told = _NOT_TOLD if version >= SAID_ONCE else _NOT_TOLD_ONCE
        return [("Rows expected", not_told)] if version >= TOLD_AS_SEEN and terms.get("expected") else []
    return [("Rows expected", f"{rows:,}, as the publisher said before the draw")]


_NOT_TOLD = (
    "by the publisher before the draw, and not told, so that nobody learns how many there are; without it nobody can "
    "work out again how coarse the labels had to be"
)
_NOT_TOLD_ONCE = (
    "a number that the publisher said before the draw, of rows that take part. It is not told, so that it tells nobody "
    "how many there are; without it nobody can work out again how coarse the labels had to be"
)
_SECURE = "the operating system's random source, one whole number for each group"


def _levels(release: Facts) -> list[tuple[str, str]]:
    search = search_of(release)
    if search is None:
        return []
    return drawn_levels(release, "groups were trimmed", LevelScoring(Score(search["score"]), 1, 1.0))


def _accounting(release: Facts) -> str:
    words = "exact, in whole numbers"
    if release["rows_per_person"] > 1:
        words += f"; by group privacy for up to {release['rows_per_person']:,} rows per person"
    if len(release["steps"]) > 1 and lawful(release):
        words += f"; steps by {'adding up' if added(release) else 'optimal composition'}"
    return words


def _survival_heads(several: bool, *, part: bool) -> tuple[str, str]:
    group = "A group of which so many rows took part" if part else "A group with so many rows in the table"
    return group, f"is in the file{' at step 1' * several} with probability"


def _survival(release: Facts, version: int) -> list[tuple[str, str]]:
    told = [
        (f"{rows:,}", "less than 0.001 %" if version >= TOLD_AS_SEEN and chance < _HARDLY else _chance(chance))
        for rows, chance in release["survival"]
    ]
    hardly = sum(chance < _HARDLY for _, chance in release["survival"])  # of which the largest group says most
    return told[max(hardly - 1, 0) :] if version >= SAID_ONCE else told


def _chance(chance: float) -> str:
    """A probability in percent; only what is certain is called 100 %."""
    shown = percent(chance)
    return "over 99.9 %" if chance < 1 and shown == percent(1) else shown


def _columns(release: Facts, version: int) -> str:
    """The columns, and at which level they are at each step."""
    # Even the name of a column may say too much about a file that does not hold it, so only these are there.
    steps = [step["levels"] for step in release["steps"]]
    several = len(steps) > 1
    if version >= SHAPED_AFTER:
        return _columns_by_words(release, version)
    if several and version >= PERSONS_NAMED:
        heads = ("Column", f"Level at steps 1 to {len(steps)}", "Where its hierarchy comes from")
        return table(heads, [_column(column, steps) for column in release["columns"]])
    places = [f"Level at step {number}" for number in range(1, len(steps) + 1)] if several else ["In this file"]
    rows = []
    for column in release["columns"]:
        hierarchy = column.get("hierarchy") if column["shown"] == LABELS else None
        told = [_told(column, levels, "" if several else "level ") for levels in steps]
        # What is the same at every step is told once.
        once = several and all(one == other for one, other in pairwise(told))
        rows.append((column["name"], *told[: 1 if once else None], *([""] * (len(told) - 1) if once else ()),
                     "" if hierarchy is None else origin_of(hierarchy)))  # fmt: skip
    return table(("Column", *places, "Where its hierarchy comes from"), rows)


def _columns_by_words(release: Facts, version: int) -> str:
    """The columns with their levels named, and those that were left out after the draw."""
    after, steps = after_of(release), [step["levels"] for step in release["steps"]]
    steps = steps[after.one_level - 1 : after.one_level] or steps
    several = len(steps) > 1
    place = f"Level at steps 1 to {len(steps)}" if several else "In this file"
    rows = []
    for column in taking_part(release):
        shown = dict(release.get("examples", {}).get(column["name"], {}))
        told = [
            column["shown"] if column["shown"] in (STEP, COUNT) else _worded(column, step, steps, version)
            for step in steps
        ]
        told = told[:1] if len(set(told)) == 1 else told
        # A label is shown of a level where that is first named.
        told = [
            f"{one}{_such(shown.pop(str(step[column['name']]), '')) if shown else ''}"
            for one, step in zip(told, steps, strict=False)
        ]
        words = " · ".join(told)
        if column["name"] in after.left_out:
            words = f"left out after the draw (was: {words})"
        rows.append((column["name"], words, _origin(column, release, version)))
    if version >= SAID_ONCE:
        alike: dict[tuple[str, str], list[str]] = {}
        for name, *same in rows:
            alike.setdefault((same[0], same[1]), []).append(name)
        rows = [(", ".join(names), *same) for same, names in alike.items()]
    return table(("Column", place, "Where its hierarchy comes from"), rows)


def _origin(column: Facts, release: Facts, version: int) -> str:
    """Where the hierarchy of a column comes from; what the publisher asserts of it is said once, there."""
    if column["shown"] != LABELS:
        return ""
    said = origin_of(column["hierarchy"])
    asserted = any(" made without this data" in line for line in release.get("asserted", ()))
    return said.removesuffix(f", {SAID_WITHOUT_DATA}") if version >= SPELT_AS_IN_FILE and asserted else said


def _such(example: str) -> str:
    return f", such as “{example}”" if example else ""


def _worded(column: Facts, levels: Facts, steps: Sequence[Facts], version: int) -> str:
    words = label_words(column, levels, steps, version)
    plain = words == AS_IT_IS and column["shown"] != LABELS
    return in_this_file(AS_IT_IS, column["grouped"]) if plain else words


def _column(column: Facts, steps: Sequence[Facts]) -> tuple[str, str, str]:
    """A column, its level at each step, and where its hierarchy comes from."""
    if column["shown"] == LABELS:
        hierarchy = column["hierarchy"]
        levels = ", ".join(str(step[column["name"]]) for step in steps)
        return column["name"], f"{levels} of {hierarchy['height']}", origin_of(hierarchy)
    told = list(dict.fromkeys(_told(column, step, "") for step in steps))
    return column["name"], ", then ".join(told), ""


def _told(column: Facts, levels: Facts, before: str) -> str:
    """The content of a column at one step; `before` stands before a level."""
    shown = column["shown"]
    if shown in (STEP, COUNT):
        return str(shown)
    level = levels[column["name"]]
    if shown == LABELS:
        return f"{before}{level} of {column['hierarchy']['height']}"
    return ANY if level == ANY else in_this_file(shown, column["grouped"])
