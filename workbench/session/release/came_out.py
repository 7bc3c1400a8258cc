"""The columns of a release: in how many of its rows each has which detail, and which values no row says.

Only the released rows are counted, and compared with what the hierarchies list whatever the data is. So anybody who has
the file and the hierarchies can find the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from workbench.anonymise.trim_recipe import TrimRecipe
from workbench.core.building import build_hierarchy
from workbench.core.closed_end import INCLUDED, closed_end
from workbench.core.covering import covers_all
from workbench.core.errors import WorkbenchError
from workbench.core.first_few import first_few
from workbench.core.hierarchy import ANY, Hierarchy
from workbench.core.level_words import interval_width, level_words, narrower_words, words_among
from workbench.core.number_text import counted, percent, typed, whole_percent
from workbench.core.occurring import occurring_places
from workbench.core.occurring_listed import in_listing, listing_of
from workbench.core.trim_law import trim_law
from workbench.core.unsaid import interval_ends, not_among, not_said
from workbench.report.absent_cells import absent_cells
from workbench.session.release.result import Result
from workbench.session.release.spread import listed_names

HOLDS_ALL = "one label holds all, or nearly all, that can occur"
_TOO_FEW = "Too few rows for a useful count"
_MOSTLY = 0.5
_NAMED = 3
_LISTED = 6
"""Values without an order of which more are named, as no two of them tell of the others."""
_ORDERED = ("intervals", "dates")
_GROUPS = re.compile(r"([\d,]+) groups")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


@dataclass(frozen=True)
class ColumnOut:
    """A column at one of the levels of a release.

    Parameters
    ----------
    column
        Its name.
    words
        What the level is.
    rows
        Released rows in which it is so.
    of
        All released rows.
    missing
        Labels of the level that can occur and that no row says, be it at this level or finer; None where it is not
        public which can occur. Where they follow from a rule, what was said to occur, at the coarsest level alone.
    only
        Where they follow from a rule alone, and nothing was said of them that can be looked for: at the coarsest level
        the labels that rows do say, in order.
    in_order
        Whether these are numbers or dates, so that the first and the last tell of those between them.
    few
        At the coarsest level: labels in fewer rows than one group of a trimmed release gives up, and how many.
    covers
        Whether all that can occur, as far as that is said or listed, has one label at this level.
    not_said
        At the coarsest level: labels that are not among what was said to occur.
    labels
        How many labels of the level rows say.
    """

    column: str
    words: str
    rows: int
    of: int
    missing: tuple[str, ...] | None = None
    only: tuple[str, ...] = ()
    in_order: bool = True
    few: tuple[tuple[str, int], ...] = ()
    covers: bool = False
    not_said: tuple[str, ...] = ()
    labels: int = 0

    @property
    def detail(self) -> str:
        """The words for the level in a table; where these count groups, how many of them rows say if not all do."""
        if self.covers:
            return f"{self.words}: {HOLDS_ALL}"
        groups = _GROUPS.fullmatch(self.words)
        some = groups is not None and self.labels < int(groups[1].replace(",", ""))
        return f"{self.labels:,} of {self.words}" if some else self.words

    @property
    def rows_words(self) -> str:
        """In which part of the rows, as a table says it."""
        return percent(self.rows / max(self.of, 1))

    @property
    def missing_words(self) -> str:
        """Which values no row says, as a table says it."""
        if self.missing is not None:
            return listing_of(self.missing)
        if not self.only:
            return ""
        those = "those " if self.in_order and len(self.only) > _NAMED else ""
        return f"all but {those}{self.came_words}"

    @property
    def came_words(self) -> str:
        """Which values rows do say, where only that is known."""
        if not self.in_order:
            return _first(self.only, _LISTED)
        if len(self.only) <= _NAMED:
            return listing_of(self.only)
        # Labels of intervals have a "to" of their own.
        return f"from “{self.only[0]}” to “{self.only[-1]}”"


def came_out(result: Result, said: Mapping[str, Sequence[str]]) -> tuple[ColumnOut, ...]:
    """Every grouped column of a release at each of its levels, the finest first.

    Parameters
    ----------
    said
        What can occur of a column, as far as somebody said so (`core.occurring`).
    """
    lines, fewest = [], _given_up(result)
    for name in result.outcome.recipe.levels:
        hierarchy, of = result.hierarchies.get(name), result.outcome.rows_out
        counts: dict[int, dict[str, int]] = {}
        for level, labels, rows in result.outcome.label_counts(name):
            at = counts.setdefault(level, {})
            for label, some in zip(labels, rows.tolist(), strict=True):
                if some:
                    at[label] = at.get(label, 0) + int(some)
        places = None if hierarchy is None else occurring_places(hierarchy, said.get(name, ()))
        stars = 0
        for level, at in sorted(counts.items()):
            if level_words(hierarchy, level, example=False) == ANY:
                stars += sum(at.values())
                continue
            rows_at = sum(some for label, some in at.items() if label != ANY)
            stars += at.get(ANY, 0)
            missing = None
            if hierarchy is not None and places is not None:
                missing = _missing(hierarchy, places, level, {one: set(some) for one, some in counts.items()})
            words = f"{words_among(hierarchy, level, counts)}{narrower_words(hierarchy, level)}"
            covers = covers_all(hierarchy, level, said.get(name, ()))
            told = len([label for label in at if label not in (ANY, "")])
            lines.append(ColumnOut(name, words, rows_at, of, missing, covers=covers, labels=told))
        if lines and lines[-1].column == name and hierarchy is not None:
            coarsest = max(one for one in counts if level_words(hierarchy, one, example=False) != ANY)
            at_coarsest = _at_level(hierarchy, coarsest, counts)
            few = tuple(sorted(pair for pair in at_coarsest.items() if pair[1] < fewest))
            lines[-1] = replace(lines[-1], few=few, not_said=not_said(hierarchy, at_coarsest, said.get(name, ())))
            absent = not_among(hierarchy, coarsest, at_coarsest, said.get(name, ())) if places is None else None
            if absent is not None:
                lines[-1] = replace(lines[-1], missing=_in_labels(hierarchy, coarsest, absent, at_coarsest))
            elif places is None:
                only, in_order = _in_order(hierarchy, set(at_coarsest))
                lines[-1] = replace(lines[-1], only=only, in_order=in_order)
        if stars:
            lines.append(ColumnOut(name, ANY, stars, of))
    return tuple(lines)


def _in_labels(hierarchy: Hierarchy, level: int, absent: Sequence[str], labels: Collection[str]) -> tuple[str, ...]:
    """What lies between two numbers by the labels that the file would have for it, such as `labels`, which it has."""
    width, rule = interval_width(hierarchy, level), hierarchy.specification
    like = next((label for label in sorted(labels) if interval_ends(label) is not None), "")
    if not width or rule is None or not like:
        return tuple(absent)
    details = rule["details"]
    lowest, highest = ((details.get(end) or {}).get("coding") for end in ("lowest", "highest"))
    ends = {"from": float(details["intervals"][0]["from"]), "lowest": lowest, "highest": highest}
    ends |= {INCLUDED: True} if closed_end(details) is not None else {}
    found: list[str] = []
    for entry in absent:
        around = _label_around(hierarchy, level, entry)
        found += [around] if around else absent_cells([entry], like, width, ends)
    return tuple(found)


def _label_around(hierarchy: Hierarchy, level: int, entry: str) -> str:
    """The label of the one interval that what lies between two numbers is part of; "" where it is in several.

    Of an interval it may be a part: what was said to occur ends within it, or the rule cuts it.
    """
    ends, rule = interval_ends(entry), hierarchy.specification
    if ends is None or rule is None:
        return ""
    try:
        made = build_hierarchy(rule, [typed(ends[0])])
    except WorkbenchError:  # a number that the rule calls an error
        return ""
    label = made.labels[level][int(made.maps[level][0])] if level <= made.height else ANY
    around = interval_ends(label)
    if around is None or around[0] > ends[0]:
        return ""
    # Where what can occur ends is part of it, but for "under".
    within = ends[1] <= around[1] if "-" in entry[1:] or "under" in entry else ends[1] < around[1]
    return label if within else ""


def missing_lines(lines: Sequence[ColumnOut]) -> tuple[str, ...]:
    """Which values no row of a release says at any detail, a sentence for each kind, the worst first.

    The last of them is no fault by itself, see `only_line`.
    """
    return (*lost_lines(lines), *filter(None, [only_line(lines)]))


def _gapless(line: ColumnOut) -> bool:
    """Whether intervals follow upon each other: that these came out is no news, as none between them is missing."""
    ends = [interval_ends(label) for label in line.only] if line.in_order else [None]
    whole = [one for one in ends if one is not None]
    return len(whole) == len(ends) and all(one[1] == following[0] for one, following in pairwise(whole))


def only_line(lines: Sequence[ColumnOut]) -> str:
    """Which values came out of columns of which nobody can say whether one is missing; "" if there are none."""
    found = [f"{line.column} {line.came_words}" for line in lines if line.only and not _gapless(line)]
    levels = Counter(line.column for line in lines if line.words != ANY)
    finer = ", or finer ones within them" if any(levels[line.column] > 1 for line in lines if line.only) else ""
    return f"Only these values came out{finer}: {'; '.join(found)}." if found else ""


def lost_lines(lines: Sequence[ColumnOut]) -> tuple[str, ...]:
    """What is wrong with the values: which can occur and no row says, which nobody said, which few rows say."""
    found = {line.column: line.missing for line in lines if line.missing is not None}  # the coarsest comes last
    told = {column: _first(missing) for column, missing in found.items() if missing}
    same = _alike_in_all(lines)
    alike = {column: told.pop(column) for column in same}  # it stands above the table, so that the others are named
    are, others = ("is", "".join(alike.values())) if len(same) == 1 else ("are", _by_column(alike))
    parts = [f"{listed_names(same)} {are} the same in every row: none says {others}."] if same else []
    parts += [f"No row says {_by_column(told)}."] if told else []
    more = [f"{line.column} {_first(line.not_said)}" for line in lines if line.not_said]
    parts += [f"Not among what you said: {'; '.join(more)}."] if more else []
    few = [f"{line.column} {_few_words(line.few)}" for line in lines if line.few]
    parts += [f"{_TOO_FEW}: {'; '.join(few)}."] if few else []
    return tuple(parts)


def _first(labels: Sequence[str], most: int = _NAMED) -> str:
    """The first few of them, each read as one."""
    return first_few([in_listing(label) for label in labels], most)


def _by_column(told: Mapping[str, str]) -> str:
    return "; ".join(f"{column}: {values}" for column, values in told.items())


def _alike_in_all(lines: Sequence[ColumnOut]) -> tuple[str, ...]:
    """The columns of which every row has the one label that came out, of several that can occur."""
    told = Counter(line.column for line in lines)
    return tuple(
        line.column
        for line in lines
        if told[line.column] == line.labels == 1 and line.rows == line.of and line.missing and not line.covers
    )


def one_label_words(lines: Sequence[ColumnOut]) -> str:
    """The columns that have one label for all that can occur in most rows, or that and `*`; "" if there are none."""
    told: dict[str, list[ColumnOut]] = {}
    for line in lines:
        if line.covers or line.words == ANY:
            told.setdefault(line.column, []).append(line)
    shares = {
        column: sum(line.rows for line in some) / max(some[0].of, 1)
        for column, some in told.items()
        if any(line.covers and line.rows for line in some)
    }
    found = [f"{column} {_label_of(told[column])}" for column, share in shares.items() if share > _MOSTLY]
    return f"No news in most rows, as {HOLDS_ALL}: {first_few(found, _LISTED)}" if found else ""


def _label_of(some: Sequence[ColumnOut]) -> str:
    covering = next(line for line in some if line.covers)
    return f"({covering.words} in {whole_percent(covering.rows / max(covering.of, 1))})"


def _few_words(few: Sequence[tuple[str, int]]) -> str:
    return first_few([f"{in_listing(label)} in {counted(rows, 'row')}" for label, rows in few], _NAMED)


def _given_up(result: Result) -> float:
    """The rows that a group gives up on average at the last step of a trimmed release."""
    recipe = result.outcome.recipe
    if not isinstance(recipe, TrimRecipe):
        return 0
    return trim_law(recipe.steps[-1].epsilon, recipe.steps[-1].delta, recipe.rows_per_person).mean_lost


def _at_level(hierarchy: Hierarchy, level: int, counts: Mapping[int, Mapping[str, int]]) -> dict[str, int]:
    """Labels of a level under which rows say something, at this level or finer, and how many do.

    Whatever stands below a label of a row stands below the same coarser one, so no other row is told of.
    """
    found: dict[str, int] = {}
    for one in (one for one in counts if one <= level):
        above = dict(zip(hierarchy.maps[one].tolist(), hierarchy.maps[level].tolist(), strict=True))
        codes = {label: code for code, label in enumerate(hierarchy.labels[one])}
        for label, rows in counts[one].items():
            if label in codes:
                coarse = hierarchy.labels[level][above[codes[label]]]
                found[coarse] = found.get(coarse, 0) + rows
    return {label: rows for label, rows in found.items() if label not in (ANY, "")}


def _in_order(hierarchy: Hierarchy, found: set[str]) -> tuple[tuple[str, ...], bool]:
    """Labels sorted as numbers or dates are, where they follow from a rule and can be, and whether they were."""
    rule = hierarchy.specification
    if rule is None:
        return (), False
    numbers = {label: number for label in found if (number := _NUMBER.search(label))}
    if rule["builder"] not in _ORDERED or len(numbers) < len(found):
        return tuple(sorted(found)), False
    return tuple(sorted(found, key=lambda label: (float(numbers[label][0]), label[:1].isdigit(), label))), True


def _missing(
    hierarchy: Hierarchy, places: Sequence[int], level: int, counts: Mapping[int, set[str]]
) -> tuple[str, ...]:
    """Labels of a level under which none of the listed values is said, at this level or finer."""
    fine = [one for one in counts if one <= level and one <= hierarchy.height]
    possible: dict[str, bool] = {}
    for place in places:
        label = hierarchy.labels[level][int(hierarchy.maps[level][place])]
        told = any(hierarchy.labels[one][int(hierarchy.maps[one][place])] in counts[one] for one in fine)
        possible[label] = possible.get(label, False) or told
    return tuple(label for label, told in possible.items() if not told and label != ANY)
