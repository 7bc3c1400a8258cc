"""The hierarchies the program would build for columns without one, from what is public of them alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from workbench.core.builder_suggestions import Suggested, public_specification, reach_helps
from workbench.core.building import build_unseen, builder_of
from workbench.core.errors import WorkbenchError
from workbench.core.first_few import first_few
from workbench.core.hierarchy import Hierarchy
from workbench.core.interval_labels import misplaced
from workbench.core.level_words import interval_words, level_words, stated_words
from workbench.core.occurring import are_numbers, parted, parted_once, ranges_of
from workbench.core.progress import SILENT, Progress
from workbench.core.schema import ColumnSpec, Schema
from workbench.core.table import Table
from workbench.core.widening import can_widen, widening_specification
from workbench.io.hierarchy_import import ImportedHierarchy, read_files
from workbench.project.model import Project
from workbench.session.mask_lengths import is_said_whole, with_length
from workbench.session.release.said import said_of

_INTERVALS, _SPELLING = "intervals", "spelling"
_FEWEST_WORDS = 2
"""One alone is a list that was only begun."""


def hierarchy_suggester(
    table: Table,
    schema: Schema,
    names: Iterable[str],
    said: Mapping[str, Sequence[str]] = MappingProxyType({}),
    widening: Collection[str] = (),
) -> Callable[[Progress], dict[str, Hierarchy]]:
    """A function, for any thread, that builds the suggested hierarchy of each of these columns.

    Which groups there are follows from a column's kind, name, public bounds and public values, never from the data: its
    values are only put into them. A column of which none can be built, such as one without a value, is left out.

    Parameters
    ----------
    said
        What can occur of a column, as far as somebody said so (`core.occurring`): amounts are as fine as it asks for,
        and words are written as they are said.
    widening
        The columns whose intervals are to widen, where it is said how far they reach and that makes sense.
    """
    wanted = [(table[name], schema[name]) for name in names]

    def build(progress: Progress = SILENT) -> dict[str, Hierarchy]:
        made = {}
        for place, (column, spec) in enumerate(wanted):
            progress(place / len(wanted))
            try:
                known = said.get(spec.name, ())
                rule = _widening_rule(spec, known) if spec.name in widening else None
                rule = rule or spelt_as_said(public_specification(reaching(spec, known)), known)
                made[spec.name] = build_unseen(rule, column.values, column.counts, spec)
            except WorkbenchError:
                continue
        return made

    return build


def reaching(spec: ColumnSpec, said: Sequence[str]) -> ColumnSpec:
    """The column between the ends of what somebody said can occur, where that makes its intervals finer."""
    if spec.declared().bounds is not None or not reach_helps(spec):
        return spec
    span = known_span(spec, said)
    return spec if span is None else replace(spec, bounds=span, observed=spec.observed - {"bounds"})


def known_span(spec: ColumnSpec, said: Sequence[str]) -> tuple[float, float] | None:
    """From where to where a column reaches: as declared of it, or as somebody said; None where nobody has."""
    bounds = spec.declared().bounds
    if bounds is not None or not said:
        return bounds
    try:
        spans = ranges_of(said)
    except WorkbenchError:
        return None  # words, or beginnings of codes
    low, high = min(low for low, _ in spans), max(high for _, high in spans)
    return (low, high) if low < high else None


def range_said(spec: ColumnSpec, said: Sequence[str]) -> tuple[float, float] | None:
    """The same of one range alone: of numbers that were listed, or of several ranges, nobody says that they widen."""
    whole = spec.declared().bounds is not None or (len(said) == 1 and not are_numbers(said))
    return known_span(spec, said) if whole else None


def _widening_rule(spec: ColumnSpec, said: Sequence[str], *, is_open: bool = False) -> Mapping[str, Any] | None:
    """The rule of intervals that widen over what was said of a column; None where that makes no sense."""
    span = range_said(spec, said)
    return None if span is None or not can_widen(spec, span) else widening_specification(spec, span, is_open=is_open)


def spelt_as_said(rule: Mapping[str, Any], said: Sequence[str]) -> Mapping[str, Any]:
    """The rule, by which words that were said to occur are written as they were said, in capitals or not.

    A rule that does something else stays what it is, and so does one of which nobody listed words.
    """
    words = parted(said)
    if rule["builder"] != _SPELLING or rule["parameters"]["letters"] != "kept" or len(words) < _FEWEST_WORDS:
        return rule
    return {**rule, "details": {"listed": list(words)}}


def follows_said(hierarchy: Hierarchy, spec: ColumnSpec, said: Sequence[str]) -> bool:
    """Whether a hierarchy is what a rule of the program makes of its column and of what was said to occur in it.

    Whoever says that this is not from the data has said it of the hierarchy.
    """
    plain = hierarchy.specification
    if not said or plain is None or not builder_of(hierarchy).built_in:
        return False
    # Of numbers that are no amounts a rule once asked for no range.
    known, widening = (reaching(spec, said), spec), [_widening_rule(spec, said, is_open=one) for one in (False, True)]
    rules = [*(public_specification(one, way=way) for one in known for way in Suggested), *filter(None, widening)]
    return any(_follows(hierarchy, spec, said, rule) for rule in rules)


def _follows(hierarchy: Hierarchy, spec: ColumnSpec, said: Sequence[str], rule: Mapping[str, Any]) -> bool:
    # What is said is written down beside the hierarchy, and not in what it says of its column.
    plain, expected = hierarchy.specification, {**rule, "column": public_specification(spec).get("column")}
    if plain is not None and is_said_whole(hierarchy, spec, said):
        expected = with_length(expected, plain["parameters"]["length"])
    # Words that were declared with a comma in them were once taken for two.
    spelt = (spelt_as_said(expected, words) for words in (said, parted_once(said)))
    return plain is not None and dict(plain) in (expected, *spelt)


def finer_words(project: Project, name: str) -> str:
    """The finer intervals that the rule makes since it is known from where to where a column reaches, in a sentence.

    "" where that is not known, or its hierarchy is not the rule of those who did not know; no row is read.
    """
    spec, hierarchy = project.schema[name], project.hierarchies.get(name)
    plain = None if hierarchy is None else hierarchy.specification
    known = reaching(spec, said_of(project).get(name, ()))
    if plain is None or not reach_helps(spec) or known.declared().bounds is None:
        return ""
    now, then = public_specification(known), public_specification(replace(known, bounds=None))
    alike = all(plain.get(part) == then[part] for part in ("builder", "parameters", "details"))
    return interval_words(now) if alike and now["details"] != then["details"] else ""


def spells_otherwise(project: Project, name: str) -> bool:
    """Whether values are written otherwise once the rule of a column is made anew, since words were listed or unlisted.

    Not where its hierarchy is another one than the program makes; no row is read.
    """
    hierarchy, spec = project.hierarchies.get(name), project.schema[name]
    plain, usual = None if hierarchy is None else hierarchy.specification, public_specification(spec)
    if plain is None or any(plain.get(part) != usual[part] for part in ("builder", "parameters")):
        return False
    if usual["builder"] != _SPELLING:
        return False
    return bool(spelt_as_said(usual, said_of(project).get(name, ()))["details"] != plain["details"])


@dataclass(frozen=True)
class ReadLists:
    """Hierarchies read from files.

    Parameters
    ----------
    read
        What was read, by column.
    by_rule
        What a rule makes in the place of a list whose intervals do not hold their numbers, with one that shows it.
    """

    read: Mapping[str, ImportedHierarchy]
    by_rule: Mapping[str, tuple[Hierarchy, str]]


def sound_lists(table: Table, schema: Schema, files: Mapping[str, Path]) -> Callable[[Progress], ReadLists]:
    """A function, for any thread, that reads a file for each of these columns, as one step for all of them.

    Nobody looks through so many. So a list that puts 5 into “0-4” gives way to intervals by rule, which say what is so;
    whether one does follows from the file alone. Attached by itself it is taken as it is.
    """

    def read(progress: Progress = SILENT) -> ReadLists:
        found = read_files(dict(files), False, progress.part(0.0, 0.8))
        wrong = {
            name: misplaced(one.hierarchy)
            for name, one in found.items()
            if one.hierarchy is not None and public_specification(schema[name])["builder"] == _INTERVALS
        }
        names = [name for name, faults in wrong.items() if faults]
        made = hierarchy_suggester(table, schema, names)(progress.part(0.8, 1.0)) if names else {}
        return ReadLists(found, {name: (one, wrong[name][0].words) for name, one in made.items()})

    return read


_BY_RULE = {
    "intervals": "intervals for {names}",
    "dates": "calendar units for {names}",
    "masking": "beginnings of codes for {names}",
    "postcodes": "sectors, districts and areas of postcodes for {names}",
    "spelling": "for {names} each value as it is, or *",
}
_BY_LIST = "groups of what Data declares for {names}"
_FOR = "for {names}"
_FEW = 3
"""So many columns are named at most."""
_FEWEST = 2
"""So many where one line has to say it."""


def rules_instead(schema: Schema, names: Sequence[str]) -> str:
    """The hierarchies that rules make in the place of those that nobody declares, in a sentence; no row is read."""
    made: dict[str, list[str]] = {}
    for name in names:
        if name in schema.names:
            words = _BY_RULE.get(public_specification(schema[name])["builder"], _BY_LIST)
            made.setdefault(words, []).append(name)
    order = [*_BY_RULE.values(), _BY_LIST]
    if len(made) == 1:  # of all of them: which these are stands beside it
        parts = [next(iter(made)).replace(_FOR, "").strip()]
    else:
        parts = [words.format(names=first_few(made[words], _FEW)) for words in sorted(made, key=order.index)]
    return f"By rule instead: {'; '.join(parts)}." if parts else ""


def lost_groups(schema: Schema, hierarchies: Mapping[str, Hierarchy], names: Iterable[str]) -> tuple[str, ...]:
    """Of these columns, those whose list has groups while the rule in its place has none; no row is read."""
    return tuple(
        name
        for name in names
        if name in schema.names
        and name in hierarchies
        and public_specification(schema[name])["builder"] == _SPELLING
        and _has_groups(hierarchies[name])
    )


def _has_groups(listed: Hierarchy) -> bool:
    """Whether a level says less than the values and more than `*`; values of the data that were added do not count."""
    own = len(listed.values) - listed.added
    return any(1 < len(np.unique(codes[:own])) < own for codes in listed.maps[1:])


def lost_words(names: Sequence[str]) -> str:
    """What becomes of columns whose groups a rule does not make, in a sentence; "" where it makes all."""
    return f"Without groups: {first_few(names, _FEW)}, where rare values become *." if names else ""


def ungrouped_words(names: Sequence[str]) -> str:
    """The same in few words, before anybody chose the rule."""
    return f"Not grouped: {first_few(names, _FEWEST)}." if names else ""


def first_levels(file: Hierarchy, rule: Hierarchy) -> str:
    """How fine a list and the rule in its place are at their first level, in a few words.

    Of the list, its own lines are counted; of the rule it is told what it does. Neither says which values occur.
    """
    if not file.height or not rule.height:
        return ""
    by_rule = stated_words(rule, 1)
    return f"First level: {level_words(file, 1, example=False)} in the file, {by_rule} by rule"
