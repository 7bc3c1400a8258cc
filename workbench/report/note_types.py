"""The types of what a note holds: a number where a number belongs, a text where a text does, and nothing else.

Python counts `true` as 1 and takes an empty list for an empty text, so what nobody compares would pass for either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, TypeGuard

from workbench.report.absent_combinations import is_stated
from workbench.report.stated_facts import Facts

_MOST = 10**15
"""No file has so many of anything."""
_LONGEST = 60
"""Letters of a wrong value that are repeated."""


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_truth(value: object) -> bool:
    return isinstance(value, bool)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST


def _is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_share(value: object) -> bool:
    return _is_number(value) and 0 <= value <= 1


def _is_levels(value: object) -> bool:
    return isinstance(value, Mapping) and all(map(_is_count, value.values()))


def _is_list(value: object) -> bool:
    return isinstance(value, list)


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _is_rows_of_labels(value: object) -> bool:
    """By column at least one label with a number of rows."""
    return isinstance(value, Mapping) and all(
        _is_list(some)
        and some
        and all(_is_list(one) and len(one) == 2 and _is_text(one[0]) and _is_count(one[1]) for one in some)
        for some in value.values()
    )


def _is_counts_of_labels(value: object) -> bool:
    """By column at least one label with its rows, those with the finest labels, and the groups of these.

    And of how many it could be, which notes of before do not hold.
    """
    return isinstance(value, Mapping) and all(
        _is_list(some) and some and all(map(_is_count_of_label, some)) for some in value.values()
    )


def _is_count_of_label(one: Any) -> bool:
    return _is_list(one) and len(one) in (4, 5) and _is_text(one[0]) and all(map(_is_count, one[1:]))


def _is_listed(value: object) -> bool:
    return _is_count(value) or (isinstance(value, list) and all(map(_is_texts, value)))


def _is_number_or_none(value: object) -> bool:
    return value is None or _is_number(value)


def _is_ends(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_is_count, value))


def _is_facts(value: object) -> bool:
    return isinstance(value, Mapping)


def _is_facts_or_none(value: object) -> bool:
    return value is None or isinstance(value, Mapping)


_KINDS: Mapping[tuple[Callable[[object], bool], str], str] = MappingProxyType(
    {
        (_is_facts, "made up of names and values"): """
            program file file.written release release.after read_back release.columns.hierarchy release.stars
            release.columns.hierarchy.grid release.columns.hierarchy.mask
            release.blank release.examples release.models.parameters read_back.models.parameters
            release.steps.levels release.worked.labels release.in_no_row
        """,
        (_is_facts_or_none, "made up of names and values, or null"): """
            release.promised release.given release.terms release.worked
        """,
        (_is_list, "a list"): """
            release.models release.columns release.after.left_out release.mechanisms release.steps
            release.survival release.against release.cautions read_back.models
        """,
        (_is_texts, "a list of texts"): """
            release.reasons release.checked release.asserted release.terms.degrees release.terms.by_rule
            release.columns.hierarchy.levels read_back.columns read_back.grouped read_back.faults
            read_back.unchecked
        """,
        (_is_text, "a text"): """
            format program.name program.version date file.name file.sha256 file.written.form
            file.written.delimiter file.written.encoding file.written.decimal release.kind release.order
            release.promised.neighbours release.given.neighbours release.models.model release.engine
            release.columns.name release.columns.shown release.columns.hierarchy.provenance
            release.columns.hierarchy.mask.sign
            release.columns.hierarchy.origin release.accounting release.mechanism release.mechanisms.kind
            release.mechanisms.draw release.mechanisms.score release.step_column release.count_column
            release.terms.degree release.terms.where release.terms.limited_by release.terms.near
            release.terms.known release.terms.looked release.against.code release.against.text
            release.against.remedy release.cautions.code release.cautions.text release.cautions.remedy
            read_back.models.model read_back.models.note
        """,
        (_is_truth, "true or false"): """
            release.columns.hierarchy.grid.included
            file.written.quote_all release.claim release.mixed_levels release.simulation release.columns.grouped
            release.terms.expected release.terms.balanced release.terms.occurring release.terms.only
            read_back.holds read_back.models.holds read_back.models.analyst_only read_back.models.in_the_file
        """,
        (_is_count, "a number of something"): """
            version file.bytes file.texts_made_safe_for_spreadsheets file.parts release.rows
            release.rows_per_person release.k release.floor release.columns.level
            release.columns.hierarchy.mask.length
            release.columns.hierarchy.height release.after.one_level release.steps.half_survive
            release.steps.always_survive release.worked.rows release.terms.counted read_back.rows
            release.terms.expected_rows read_back.classes read_back.smallest_class read_back.largest_class
        """,
        (_is_rows_of_labels, "made up of columns, and lists of labels with their rows"): "release.in_few_rows",
        (
            _is_counts_of_labels,
            "made up of columns, and lists of labels with three or four numbers of rows or groups",
        ): "release.label_counts",
        (is_stated, "columns, and how many combinations of their values no row has"): "release.combinations",
        (_is_listed, "lists of labels, or their number"): "release.columns.hierarchy.listed",
        (_is_number_or_none, "a number, or null"): """
            release.columns.hierarchy.grid.lowest release.columns.hierarchy.grid.highest
        """,
        (_is_ends, "two numbers of rows"): "release.steps.mostly_lost",
        (_is_levels, "made up of columns and levels"): "read_back.levels",
        (_is_share, "a number from 0 to 1"): """
            release.promised.delta release.given.delta release.mechanisms.delta release.steps.delta release.beta
            release.terms.sample
        """,
        (_is_number, "a number"): """
            release.promised.epsilon release.given.epsilon release.mechanisms.epsilon release.steps.epsilon
            release.steps.mean_lost release.steps.sd release.columns.hierarchy.grid.from
        """,
    }
)
_TYPES: Mapping[str, tuple[Callable[[object], bool], str]] = MappingProxyType(
    {path: kind for kind, paths in _KINDS.items() for path in paths.split()}
)
"""By the place in a note: what fits there, and how that is called. What is by column is checked where it is read."""
_OF_OBJECTS = frozenset(
    f"{part}.{name}"
    for part, names in (
        ("release", ("models", "columns", "mechanisms", "steps", "against", "cautions")),
        ("read_back", ("models",)),
    )
    for name in names
)
"""The lists whose entries are made up of names and values."""


def mistyped(facts: Facts) -> Iterator[str]:
    """The faults of a note: values of another type than belongs in their place."""
    yield from _walked(facts, "")


def _walked(value: Any, path: str) -> Iterator[str]:
    fits, words = _TYPES.get(path, (None, ""))
    if fits is not None and not fits(value):
        yield f"“{path}” is {_shown(value)}, and it is {words} in notes of this program."
        return
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _walked(inner, f"{path}.{name}".lstrip("."))
    elif isinstance(value, list):
        # What was left out after the draw is described as the columns that are there.
        place = "release.columns" if path == "release.after.left_out" else path
        for inner in value:
            if place in _OF_OBJECTS and not isinstance(inner, Mapping):
                yield f"“{path}” lists {_shown(inner)}, and it lists what is made up of names and values."
            elif place in _OF_OBJECTS:
                for name, one in inner.items():
                    yield from _walked(one, f"{place}.{name}")


def _shown(value: object) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, (list, Mapping)):
        return "a list" if isinstance(value, list) else "made up of names and values"
    text = str(value)
    return f"“{text if len(text) <= _LONGEST else f'{text[:_LONGEST]}…'}”"
