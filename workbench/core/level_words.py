"""A level of a hierarchy in words: the unit of a rule, or how many groups there are and how one is called."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping
from itertools import accumulate, takewhile
from operator import mul
from typing import Any

from workbench.core.closed_end import closed_end
from workbench.core.hierarchy import ANY, Hierarchy, Provenance
from workbench.core.level_functions import dashed
from workbench.core.moments import UNITS
from workbench.core.number_text import count, counted, exact
from workbench.core.postcodes import LEVELS as POSTCODE_LEVELS
from workbench.core.widening import cut_ends, widening_sentence, widening_words

AS_IT_IS = "as it is"
_NOT_COMPUTED = "; none was computed from the data"
"""How the origin of intervals ends that need nothing of the data."""

_LONGEST = 24
_STATED = re.compile(
    f"{'|'.join(unit.replace('-', ' ') for unit in UNITS)}|(lower|upper) case|spaces tidied|spelt as listed|as written"
    f"|postcode ({'|'.join(POSTCODE_LEVELS)})"
    r"|(first|last) (character|[0-9,]{1,6} characters)|intervals of [0-9][0-9,.]{0,20}|[0-9][0-9,.]{0,20}s"
    r"|[0-9]{1,3} intervals?, widening to [0-9][0-9,.]{0,20}"
)
"""Words of rules for levels: nothing else can stand in a note. Older ones have “as written” where spaces are
tidied, and “40s” for intervals of 40."""


def level_words(hierarchy: Hierarchy | None, level: int, *, example: bool = True) -> str:
    """A level in a few words, such as “decade”, “first 2 characters”, “intervals of 10” or “8 groups, e.g. 30-39”.

    Parameters
    ----------
    hierarchy
        None of a column that is released as it is at level 0, and as `*` at level 1.
    level
        Of the hierarchy.
    example
        Whether a label is named where no rule says what the level is.
    """
    if level == 0:
        return AS_IT_IS
    if hierarchy is None or hierarchy.says_nothing(level):
        return ANY
    if found := _by_rule(hierarchy, level):
        return _plain(found)
    # What `covering` added came from the data: how many labels it makes would tell whether a row has such a value.
    listed = hierarchy.maps[level][: len(hierarchy.values) - hierarchy.added]
    groups = len(set(listed.tolist()))
    counted = "1 group" if groups == 1 else f"{count(groups)} groups"
    if not example:
        return counted
    middle = hierarchy.labels[level][int(listed[len(listed) // 2])] if len(listed) else ANY
    return f"{counted}, e.g. {middle if len(middle) <= _LONGEST else f'{middle[: _LONGEST - 1]}…'}"


def _plain(stated: str) -> str:
    """Rule's words for a level in their most readable form; notes keep the words that older ones had."""
    return f"{AS_IT_IS}, {stated}" if stated.endswith(" case") else stated


def levels_counted(hierarchy: Hierarchy) -> str:
    """How many levels a hierarchy has above its values, which are its level 0."""
    return counted(hierarchy.height, "level") if hierarchy.height else "no level above its values"


def level_of(hierarchy: Hierarchy, level: int) -> str:
    """Which level it is, and of how many, as `levels_counted` counts them."""
    return f"level {level} of {hierarchy.height}"


def stated_words(hierarchy: Hierarchy, level: int) -> str:
    """A level in words that are the same whatever values the hierarchy lists: by its rule, else by its number."""
    if level == 0:
        return AS_IT_IS
    return ANY if hierarchy.says_nothing(level) else _by_rule(hierarchy, level) or f"level {level}"


def can_be_stated(words: object, level: int) -> bool:
    """Whether `stated_words` can have said this of a level."""
    if not isinstance(words, str) or (words == AS_IT_IS) is not (level == 0):
        return False
    return words in (AS_IT_IS, ANY, f"level {level}") or _STATED.fullmatch(words) is not None


def _by_rule(hierarchy: Hierarchy, level: int) -> str:
    """Level in the words of the rule that made it; "" where no rule has any."""
    if hierarchy.specification is None:
        return ""
    rule = _RULES.get(hierarchy.specification["builder"])
    said = rule(hierarchy.specification["parameters"], hierarchy.specification["details"], level) if rule else ""
    return said or widening_words(hierarchy.specification, level)


def missing_words(hierarchy: Hierarchy, *, asks: bool = False) -> str:
    """Sentence on what a missing value becomes, and for a list on what becomes of all that it does not list.

    It follows from what was listed or set and not from the values of the data that were added since. `asks` is whether
    rows are to be made alike, for which a person is asked first.
    """
    if hierarchy.specification is None:
        if "" not in hierarchy.values[: len(hierarchy.values) - hierarchy.added]:
            first = ", after you were asked, as rows are to be alike" if asks else ""
            return f"What it does not list becomes “{ANY}”, missing values too{first}."
        above = min(hierarchy.height, 1)
        label = hierarchy.labels[above][int(hierarchy.maps[above][hierarchy.values.index("")])]
    else:
        label = str(hierarchy.specification["parameters"].get("missing_label", ""))
    return f"Missing values become “{label}”." if label else "Missing values stay empty."


def _of_dates(_parameters: Mapping[str, Any], details: Mapping[str, Any], level: int) -> str:
    units = [entry.get("unit", "") for entry in details.get("levels", ())]
    unit = units[level - 1] if level <= len(units) else ""
    return "" if unit == "own" else unit.replace("-", " ")


def _of_masking(parameters: Mapping[str, Any], _details: Mapping[str, Any], level: int) -> str:
    kept = parameters["length"] - level * parameters["step"]
    if kept < 1:
        return ""
    end = "first" if parameters["side"] == "right" else "last"
    return f"{end} character" if kept == 1 else f"{end} {kept:,} characters"


def _of_spelling(parameters: Mapping[str, Any], details: Mapping[str, Any], _level: int) -> str:
    kept = "spelt as listed" if details.get("listed") else "spaces tidied"
    return kept if parameters["letters"] == "kept" else f"{parameters['letters']} case"


def _of_postcodes(parameters: Mapping[str, Any], _details: Mapping[str, Any], level: int) -> str:
    levels = POSTCODE_LEVELS[POSTCODE_LEVELS.index(parameters["finest"]) :]
    return f"postcode {levels[level - 1]}" if level <= len(levels) else ""


def _of_intervals(_parameters: Mapping[str, Any], details: Mapping[str, Any], level: int) -> str:
    widths = _widths(details)
    width = widths[level - 1] if level <= len(widths) else 0.0
    return f"intervals of {exact(width)}" if width > 1 else ""


def _widths(details: Mapping[str, Any]) -> tuple[float, ...]:
    """How wide the groups of each level are, as far as all of a level are as wide."""
    base = details.get("intervals", ())
    if len(base) != 1:
        return ()
    groups = (entry.get("group", 1) for entry in details.get("levels", ()))
    whole = takewhile(lambda group: isinstance(group, int), groups)
    return tuple(accumulate(whole, mul, initial=float(base[0]["to"]) - float(base[0]["from"])))[1:]


def is_tidied(hierarchy: Hierarchy | None, level: int) -> bool:
    """Whether a level says what the values say, with spaces tidied and nothing else."""
    rule = None if hierarchy is None or hierarchy.says_nothing(level) else hierarchy.specification
    return level > 0 and rule is not None and rule["builder"] == "spelling" and rule["parameters"]["letters"] == "kept"


def comes_out_words(hierarchy: Hierarchy) -> str:
    """Sentence on a rule beside the badge that says how it was made; "" where its origin is one.

    Of one that only tidies spaces it is what comes out; of intervals, not once more that they were made without data.
    """
    if not is_tidied(hierarchy, 1) or hierarchy.specification is None:
        steps, again, _ = hierarchy.origin.partition(_NOT_COMPUTED)
        return f"{steps}." if again else ""
    listed = "as you listed them, others " if hierarchy.specification["details"].get("listed") else ""
    return f"Values come out {listed}as they are written, or as {ANY}."


def words_among(hierarchy: Hierarchy | None, level: int, levels: Collection[int]) -> str:
    """A level in a few words, in a list of these levels: as it is where spaces are tidied, unless both are in it."""
    alone = 0 not in levels and is_tidied(hierarchy, level)
    return AS_IT_IS if alone else level_words(hierarchy, level, example=False)


def interval_width(hierarchy: Hierarchy, level: int) -> float | None:
    """How wide all intervals of a level are, by a rule; None where they are of several widths, or there are none."""
    plain = hierarchy.specification
    if plain is None or plain["builder"] != "intervals" or plain["parameters"].get("source") == "observed":
        return None
    widths = _widths(plain["details"])
    return widths[level - 1] if 0 < level <= len(widths) else None


def cut_intervals(hierarchy: Hierarchy | None, level: int) -> str:
    """Sentences on the first and the last interval of a level where a rule cuts them, so that they are narrower.

    Of intervals that widen it says where each ends.

    >>> cut_intervals(None, 1)
    ''
    """
    if hierarchy is not None and (ends := cut_ends(hierarchy.specification, level)):
        return f"They run from {exact(ends[0])} to {', '.join(map(exact, ends[1:-1]))} and {exact(ends[-1])}."
    first, last = _cut(hierarchy, level)
    told = []
    if first is not None:
        told.append(f"The first is from {exact(first[0])} to under {exact(first[1])}, where the numbers begin.")
    if last is not None:
        assert hierarchy is not None and hierarchy.specification is not None
        under = "" if closed_end(hierarchy.specification["details"]) is not None else "under "
        told.append(f"The last is from {exact(last[0])} to {under}{exact(last[1])}, where the numbers end.")
    return " ".join(told)


def narrower_words(hierarchy: Hierarchy | None, level: int) -> str:
    """Which intervals of a level a rule cuts, to go on with after its words; "" where all are as wide.

    >>> narrower_words(None, 1)
    ''
    """
    ends = zip(("first", "last"), _cut(hierarchy, level), strict=True)
    cut = " and ".join(which for which, span in ends if span is not None)
    return f", the {cut} narrower" if cut else ""


def _cut(hierarchy: Hierarchy | None, level: int) -> tuple[tuple[float, float] | None, tuple[float, float] | None]:
    """From where to where the first and the last interval of a level go; None of one that is as wide as the others."""
    width = None if hierarchy is None else interval_width(hierarchy, level)
    if hierarchy is None or width is None or hierarchy.specification is None:
        return None, None
    if hierarchy.provenance is not Provenance.PUBLIC:
        return None, None  # where the data begins and ends is told to nobody
    details = hierarchy.specification["details"]
    start = float(details["intervals"][0]["from"])
    low, high = ((details.get(end) or {}).get("coding") for end in ("lowest", "highest"))
    first = None if low is None else (float(low), start + math.ceil((low - start) / width) * width)
    last = None if high is None else (start + math.floor((high - start) / width) * width, float(high))
    return _if_narrower(first, width), _if_narrower(last, width)


def _if_narrower(span: tuple[float, float] | None, width: float) -> tuple[float, float] | None:
    if span is None:
        return None
    part = (span[1] - span[0]) / width
    return None if math.isclose(part, round(part), abs_tol=1e-9) else span


def interval_words(plain: Mapping[str, Any]) -> str:
    """Sentence on what a rule for intervals makes of numbers, by widths or how they widen; "" where it has none."""
    if widens := widening_sentence(plain):
        return widens
    widths, levels = _widths(plain["details"]), plain["details"].get("levels", ())
    if plain["builder"] != "intervals" or not widths or len(widths) < len(levels):
        return ""
    if plain["parameters"].get("source") == "observed":
        return ""
    first, *others = (exact(width) for width in widths)
    then = "".join(f", then of {width}" for width in others)
    return f"Numbers become groups of {first}{then}{f', then {ANY}' if plain['parameters'].get('top', True) else ''}."


def first_groups(plain: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """The first group of each level of a rule for intervals: its first and last number, and as an interval."""
    details, parameters = plain["details"], plain["parameters"]
    if plain["builder"] != "intervals" or not (widths := _widths(details)):
        return ()
    low, right = float(details["intervals"][0]["from"]), parameters.get("closed") == "high"
    beyond = 1 if parameters.get("whole") else 0
    first, signs = low + beyond * right, "]]" if right else "[["
    found = []
    for width in widths:
        bounds = dashed(exact(first), exact(first + max(width - beyond, 0)))
        found.append((bounds, f"{signs[0]}{exact(low)}, {exact(low + width)}{signs[1]}"))
    return tuple(found)


_Rule = Callable[[Mapping[str, Any], Mapping[str, Any], int], str]
_RULES: Mapping[str, _Rule] = {
    "dates": _of_dates,
    "masking": _of_masking,
    "postcodes": _of_postcodes,
    "spelling": _of_spelling,
    "intervals": _of_intervals,
}
