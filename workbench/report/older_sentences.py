"""The reasons and cautions that statements may hold, as they are worded: so that a reworded one is told from them.

This is the wording of versions 1 and 2 of the note. It stays when the program words something differently later on,
because statements of that time must go on verifying; new sentences are added.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

_FIXED = "Give “{column}” a hierarchy that was fixed without this data, such as intervals with round ends."
_BY_RULE = "Give “{column}” a hierarchy that was fixed without this data, such as one that is built by rule."
_MADE_FROM_DATA = (
    "The hierarchy of “{column}” was made from the data ({origin}), so its labels can change with one person's row."
)

CORRECTED_AT_FIRST = (
    "A group of which that many rows were left to a step gave up the number there that the table says under “given "
    "up on average”: adding it to the count estimates {true}, with the standard deviation beside it. A group "
    "of which the step itself released so many rows had as many left. Of others no correction is right on average."
)
CORRECTED_TOLD = (
    "Of one group by itself the count can be corrected where at least so many rows were left to a step as the "
    "table says under “always from”, which is sure where the step itself released so many: on average it gave "
    "up there the number under “given up on average”, and adding that to the count estimates {true}, with the "
    "standard deviation below it. Of others no correction is right on average."
)
"""What can be added to the count of one group, up to version 26 and from then to version 31."""

COUNTED_IN_STEPS_AT_FIRST = (
    "Count at the levels of one step. The rows of a group are then those that this step and the ones before "
    "released with its labels, or with finer labels that belong to it. Rows that were released later have coarser "
    "labels, of which nobody can tell what they were.",
    "Such a count is too small by what the group gave up at that step alone: by fewer rows than the table of steps "
    "says under “always from”.",
    "A sum over several groups of one step is too small by what each of them gave up, so counts are best made at "
    "the latest step that still tells apart what is to be counted.",
)
"""How files of several steps are counted, in notes up to version 6."""

WORDINGS: tuple[tuple[str, str, str], ...] = (
    (
        "ungrouped-column",
        "Column “{column}” is released as it is without being grouped, so one unusual value can point to one person.",
        "Leave “{column}” out, or let it take part in the grouping.",
    ),
    ("data-derived-hierarchy", _MADE_FROM_DATA, _FIXED),
    ("data-derived-hierarchy", _MADE_FROM_DATA, _BY_RULE),
    (
        "data-derived-hierarchy",
        "Nobody has said how the hierarchy of “{column}” was made, so it counts as made from the data: its labels "
        "might change with one person's row.",
        "If it was made without this data, declare it in Hierarchies; if you do not know, build one there by rule.",
    ),
    (
        "looks-data-derived",
        "The hierarchy of “{column}” is called public, but its labels are means, medians or ends of the very values "
        "that occur in the data: it was made from the data.",
        _FIXED,
    ),
    *(
        (
            "looks-data-derived",
            "The hierarchy of “{column}” is called public, but its labels are means, medians or ends of the very "
            "values that it lists, which have gaps no public list would have: it was made from data.",
            remedy,
        )
        for remedy in (_FIXED, _BY_RULE)
    ),
    (
        "rows-per-person",
        "Rows that name no person in “{column}” cannot be counted, and could all be one person's.",
        "Fill in who they belong to, filter them out, or let the program limit the rows per person.",
    ),
    (
        "rows-per-person",
        "Column “{column}” identifies persons, and someone has more rows than the {rows} that were accounted for.",
        "Declare the largest number of rows one person may have, keep fewer rows per person, or mark “{column}” "
        "otherwise if different persons share its values.",
    ),
    (
        "seeded",
        "The randomness came from a seed, so whoever knows the seed can undo the sampling. A seeded run is a "
        "simulation.",
        "Run again without a seed.",
    ),
    *(
        ("levels-not-blind", f"{what} chosen by looking at this data.", "Fix them beforehand from public knowledge.")
        for what in (
            "The levels were",
            "The degree of generalisation was",
            "The settings of the search for levels were",
            "Columns, what was asked of them, ε or δ were",
        )
    ),
    (
        "ledger",
        "What was released of this data before is not known, because its ledger cannot be read.",
        "Put the ledger right.",
    ),
    (
        "not-asserted",
        "The publisher does not assert what a claim needs and no program can check.",
        "Where it is so, assert it before the file is written.",
    ),
    *(
        ("not-asserted", words, "It can be asserted only before the file is written.")
        for words in (
            "The publisher does not assert what a claim needs and no program can check.",
            "The publisher does not assert: “{sentence}”",
        )
    ),
    (
        "looked-at",
        "Unprotected figures of this data were looked at before the publication of this draw was settled.",
        "A draw keeps its claim if it is exported, or its publication is settled, before anybody takes the analyst's "
        "figures, searches for levels or simulates on this data; draws that were settled so keep theirs.",
    ),
    (
        "looked-at",
        "Unprotected figures of this data were looked at before the publication of this draw was settled.",
        "A draw keeps its claim if it is exported, or its publication is settled, before anybody takes the analyst's "
        "figures, searches for levels or simulates on this data; draws that were settled so keep theirs. Of a new draw "
        "it can be said what holds for its choices as they are.",
    ),
    *(
        (
            "looked-before",
            f"This data had been looked at before the draw was made, beginning with {seen}: what was chosen for the "
            "draw may follow from that.",
            "A look cannot be undone. Where nothing else speaks against a claim, the statement says what holds for the "
            "choices as they are.",
        )
        for seen in (
            "its values",
            "what a draw of it left out",
            "a simulation with it",
            "a draw of it without a claim",
            "what of it would survive a draw",
            "what levels would cost it",
            "attacks on it",
            "a table of it with privacy models",
            "a simulated survey of it",
            "an experiment with it",
            "a comparison with it",
            "something of it",
        )
    ),
    (
        "looked-after",
        "Once the publication of this draw had been settled, unprotected figures of this data were looked at. The "
        "guarantee is that of a draw that is published whatever they say.",
        "Publish this draw, and no other one instead of it.",
    ),
    (
        "tuned-on-outcome",
        "Levels, columns, β or k were changed after a result on this data had been seen.",
        "Go back to the settings of the first run on this data, if that was an (ε, δ) run; after a search for levels "
        "only data that nobody has looked at can carry a claim.",
    ),
    (
        "other-parameters",
        "The file was made with another β, k or number of rows per person than the guarantee was computed for.",
        "Run again.",
    ),
    (
        "several-draws",
        "{draws} samples of this data were drawn with these settings and looked at. The guarantee is that of a draw "
        "that was not picked for its content.",
        "Do not draw again until a result pleases.",
    ),
    (
        "seeded",
        "The randomness came from a seed, so whoever knows the seed can undo the trimming. A seeded run is a "
        "simulation.",
        "Run again without a seed.",
    ),
    (
        "levels-not-blind",
        "The degrees of the steps were chosen by looking at this data.",
        "Fix them beforehand from public knowledge.",
    ),
    (
        "tuned-on-outcome",
        "Levels, columns, ε, δ or steps were changed after a result on this data had been seen.",
        "Go back to the settings of the first run on this data, if that was an (ε, δ) run; after a search for levels "
        "only data that nobody has looked at can carry a claim.",
    ),
    (
        "other-parameters",
        "The file was made with other steps, ε, δ or rows per person than the guarantee was computed for.",
        "Run again.",
    ),
    (
        "several-draws",
        "This data was trimmed {draws} times with these settings and looked at. The guarantee is that of a draw that "
        "was not picked for its content.",
        "Do not draw again until a result pleases.",
    ),
    (
        "other-settings-seen",
        "Results of other settings on this data were looked at as well. The claim is for the settings that were fixed "
        "first.",
        "Do not go back to them because they look better.",
    ),
    *(
        (
            "chosen",
            f"It was chosen among several releases of this data, and there is no sum to claim: {why}.",
            "Publish it only if it was settled before the others were made.",
        )
        for why in (
            "what was released of this data before has no bound together",
            "some of what was released of this data treats the number of its rows as public",
            "results of this data were seen that its ledger does not count",
            "releases of nearly the same data are not counted with it",
            "their δ add up to one or more",
        )
    ),
    (
        "plugin-hierarchy",
        "The hierarchy of “{column}” may have been made from the data. Made by plug-in {maker}, which this program's "
        "tests do not vouch for.",
        "Give “{column}” a hierarchy that the program itself builds, or check the plug-in, trust it by name and build "
        "the hierarchy again.",
    ),
    (
        "nearly-the-same",
        "Releases of nearly the same data exist that are not added up here. Whoever is in both tables is promised this "
        "for each of them alone, and less for all of them together.",
        "Continue the count of that data, or declare that the tables are about other people.",
    ),
    *(
        (
            "earlier-releases",
            f"This is release number {{number}} of this data. {together}",
            "Count every release of the same data.",
        )
        for together in (
            "An earlier one went out without a claim, so nothing can be promised for all of them together.",
            "This one has no claim, so nothing can be promised for all of them together.",
            "Some show who takes part in them, which depends on people's values, so nothing can be promised for all of "
            "them together.",
            *(
                f"Together they are ({{epsilon}}, {{delta}})-differentially private, by adding up{planned}.{persons}"
                f"{replacing}"
                for planned in ("", ", what was planned as a whole")
                for persons in ("", " This is for persons with up to {rows} rows.")
                for replacing in (
                    "",
                    " This is for replacing a person's rows, because some of these treat the number of rows as public; "
                    "what hides whether a person is there at all counts with twice its ε.",
                    " This is for replacing one person by another, because it is known how many there are; what hides "
                    "whether a person is there at all counts with twice its ε.",
                )
            ),
        )
    ),
)
"""Code, sentence and remedy; what stands in braces is different each time."""


@dataclass(frozen=True)
class Sentence:
    """A reason or caution as a statement holds it."""

    code: str
    text: str
    remedy: str


def recognised(said: str) -> Sentence | None:
    """The sentence that these words, with the remedy behind them, are; None if the program never says so."""
    for code, pattern in _patterns():
        match = pattern.fullmatch(said)
        if match is not None:
            return Sentence(code, match["said"], match["remedy"])
    return None


_WITHIN = {
    "draws": r"[\d,]+",
    "number": r"[\d,]+",
    "rows": r"one row|[\d,]+(?: rows)?",
    "epsilon": r"[\d.e+-]+",
    "delta": r"[\d.e+-]+",
}
"""The patterns for slots that do not take arbitrary words."""


def _pattern(text: str, remedy: str) -> re.Pattern[str]:
    seen: set[str] = set()

    def slots(words: str) -> str:
        made = []
        for place, part in enumerate(re.split(r"\{(\w+)\}", words)):
            if not place % 2:
                made.append(re.escape(part))
            elif part in seen:
                made.append(f"(?P={part})")
            else:
                seen.add(part)
                made.append(f"(?P<{part}>{_WITHIN.get(part, '.+?')})")
        return "".join(made)

    return re.compile(f"(?P<said>{slots(text)}) (?P<remedy>{slots(remedy)})", re.DOTALL)


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Made when a statement is first read: compiling them takes longer than importing all the rest."""
    return tuple((code, _pattern(text, remedy)) for code, text, remedy in WORDINGS)
