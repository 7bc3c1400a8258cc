"""The list of what a publisher said can occur in the columns, where balanced steps follow from it: whole in the note.

It is what was typed or declared of the columns, and nothing that was read from rows; whoever receives the file can see
what the publisher's word was given for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from hashlib import sha256
from html import escape
from typing import Any

from workbench.anonymise.note_versions import LISTED_AS_CELLS, OCCURRING_LISTED, SAID_ONCE, SAID_WITH_HIERARCHIES
from workbench.anonymise.said_words import MOST_LETTERS, NUMBER_SAID, number_words, range_in, said_words
from workbench.core.occurring import parted_once
from workbench.core.occurring_listed import as_cell
from workbench.core.spelling import as_written
from workbench.core.unsaid import not_among_stated
from workbench.core.visible import quoted, visible
from workbench.report.few_rows import at_coarsest, levels_of
from workbench.report.page import section, table
from workbench.report.stated_facts import Facts

KEY = "said_to_occur"
IN_NO_ROW = "in_no_row"
_RANGE = "range"
"""Stands, true, where the one entry is from where to where numbers run, since the sentence on hierarchies says it."""
_WORD_BY_WORD = ("spelt as listed", "spaces tidied")
"""Levels whose labels are the words of the column themselves."""
_SHOWN = 200
"""Letters of a column that a reader is shown."""
_LONGEST = 60
"""Letters of one entry that a reader is shown."""
_HEADING = "What can occur, as the publisher says"
_INTRODUCTION = (
    "The levels of the steps follow from this, too. It is the publisher's word: the program read no row for it, and "
    "the table may hold more than this, or less."
)
_BELOW = "For what is said to occur the program read no row: the table may hold more than this, or less."
_FOLLOW = "The levels of the steps follow from it, too."
_WHOLE = " Where only the first entries are shown, all are in the note, which this page holds for programs."


def listed(said: Mapping[str, Sequence[str]], ranges: Collection[str] = ()) -> dict[str, dict[str, Any]]:
    """By column what is stated: all entries, or else how many they are and the SHA-256 of their lines.

    Of the `ranges` it is stated that they are such (`said_as_ranges`).
    """
    found: dict[str, dict[str, Any]] = {}
    room = MOST_LETTERS
    for name, entries in said.items():
        room -= sum(map(len, entries))
        whole = {"entries": list(entries)} | ({_RANGE: True} if name in ranges else {})
        found[name] = whole if room >= 0 else _digest(entries)
    return found


def _digest(entries: Sequence[str]) -> dict[str, Any]:
    return {"number": len(entries), "sha256": sha256("\n".join(entries).encode("utf-8", "replace")).hexdigest()}


def said_in(release: Facts) -> dict[str, Facts]:
    """By column what a note states that was said to occur."""
    left_out = (release.get("after") or {"left_out": ()})["left_out"]
    return {one["name"]: one[KEY] for one in [*release["columns"], *left_out] if KEY in one}


def whole_words(release: Facts) -> dict[str, tuple[str, ...]]:
    """By column of the file what was said to occur, where each entry is a word that labels of the file can be.

    Elsewhere an entry may be a range, how codes begin, or what other labels are part of. Only notes whose commas part
    words wherever they stand are asked for it.
    """
    at = max(release["after"]["one_level"], 1) - 1
    levels, found = release["steps"][at]["levels"], {}
    for column in release["columns"]:
        named, level = column.get("hierarchy", {}).get("levels", ()), levels.get(column["name"])
        told = isinstance(level, int) and level in range(len(named)) and named[level] in _WORD_BY_WORD
        if told and _is_list(column.get(KEY)):
            found[column["name"]] = parted_once(column[KEY]["entries"])
    return found


def stated_numbers(release: Facts) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """By column of the file, as far as labels of one level can be told of it: its levels, and what was said to occur.

    Of intervals and of years it can be told from these, and from the labels, which no row says.
    """
    said = {column["name"]: column.get(KEY) for column in release["columns"]}
    return {
        name: (words, tuple(said[name]["entries"]))
        for name, words in levels_of(release).items()
        if words[-1] and words[-1] not in _WORD_BY_WORD and _is_list(said[name])
    }


def in_no_row(
    words: Mapping[str, Sequence[str]],
    numbers: Mapping[str, tuple[Sequence[str], Sequence[str]]],
    labels_of: Callable[[str], Collection[str]],
) -> dict[str, list[str]]:
    """By column what was said to occur and no label of the file says, where there is any.

    Parameters
    ----------
    words, numbers
        From `whole_words` and `stated_numbers`.
    labels_of
        The labels of a column of the file, as they are compared.
    """
    found = {name: not_among(some, labels_of(name)) for name, some in words.items()}
    for name, (levels, entries) in numbers.items():
        labels = set(at_coarsest(levels, labels_of(name)).values())
        found[name] = list(not_among_stated(levels[-1], labels, entries))
    return {name: some for name, some in found.items() if some}


def not_among(words: Sequence[str], labels: Collection[str]) -> list[str]:
    """Those of the words that none of the labels is, in capitals or not."""
    there = {as_written(label).casefold() for label in labels}
    return [word for word in words if as_written(word).casefold() not in there]


def words_of(release: Facts) -> tuple[tuple[str, str], ...]:
    """By column what was said to occur, in the words of the sentence on hierarchies; nothing of what is no list."""
    said = {name: stated for name, stated in said_in(release).items() if _is_list(stated) or _is_digest(stated)}
    if all(map(_is_list, said.values())):
        ranges = {name for name, stated in said.items() if _RANGE in stated}
        return said_words({name: stated["entries"] for name, stated in said.items()}, ranges)
    # One that is not listed says that all together are too long, so that the sentence has numbers alone.
    return tuple(
        (name, number_words(name, stated["number"] if _is_digest(stated) else len(stated["entries"])))
        for name, stated in said.items()
    )


def section_of(release: Facts, version: int) -> str:
    """What was said to occur, as a part of the page; "" if nothing was."""
    said = said_in(release) if version >= OCCURRING_LISTED else {}
    if not said or occurring_line(release, version):
        return ""
    written = in_list(version)
    rows = [(name, _in_words(stated, written)) for name, stated in said.items()]
    cut = any("entries" in stated and _first(stated["entries"])[1] for stated in said.values())
    return section(
        _HEADING,
        f"<p>{escape(_INTRODUCTION + _WHOLE * cut)}</p>" + table(("Column", "Said to occur"), rows),
    )


def occurring_line(release: Facts, version: int) -> str:
    """What to know of it below the sentences of the publisher, where these have all of it; "" where not."""
    words = [words for _, words in words_of(release)] if version >= SAID_ONCE and said_in(release) else []
    if not words or not all(
        any(one in line for line in release["asserted"]) and not one.endswith(NUMBER_SAID) for one in words
    ):
        return ""
    checked = any("said to occur in it" in line for line in release["checked"])
    return _BELOW if checked else f"{_BELOW} {_FOLLOW}"


def told(release: Facts, version: int) -> str:
    """The same in a sentence for whoever received the file; "" if nothing was said."""
    said = said_in(release) if version >= OCCURRING_LISTED else {}
    if not said:
        return ""
    columns = "; ".join(f"{quoted(name)}: {_in_words(stated, quoted)}" for name, stated in said.items())
    return (
        "How coarse the file is follows from what the publisher says can occur, too; it is their word, and the table "
        f"may hold more than this, or less. {columns}."
    )


def in_list(version: int) -> Callable[[str], str]:
    """How an entry is written in a line of them that stands by itself: not within a sentence, which quotes it."""
    return as_cell if version >= LISTED_AS_CELLS else visible


def in_words(entries: Sequence[str], written: Callable[[str], str] = visible) -> str:
    """The first entries of a list as a page shows them, and how many there are where these are not all.

    Parameters
    ----------
    written
        Writes an entry, such as a quotation within a sentence of the program.
    """
    shown, cut = _first(entries, written)
    return f"{shown} … ({len(entries):,} in all)" if cut else shown


def _in_words(stated: Facts, written: Callable[[str], str] = visible) -> str:
    """What is stated of a column; `written` writes an entry, which beside sentences of the program is a quotation."""
    if "entries" not in stated:
        # Why they are not listed nobody can find out from the note, so that it is not said either.
        said = f"{stated['number']:,} entr{'y' if stated['number'] == 1 else 'ies'}"
        return (
            f"{said}, by the publisher's count, which the note does not list; SHA-256 of the lines: {stated['sha256']}"
        )
    return in_words(stated["entries"], written)


def _first(entries: Sequence[str], written: Callable[[str], str] = visible) -> tuple[str, bool]:
    """The first entries in a line, and whether something of them is left out."""
    shown: list[str] = []
    cut = False
    for entry in map(visible, entries):
        short = entry if len(entry) <= _LONGEST else f"{entry[:_LONGEST]}…"
        if shown and sum(map(len, shown)) + len(short) > _SHOWN:
            break
        cut = cut or short != entry
        shown.append(written(short))
    return ", ".join(shown), cut or len(shown) < len(entries)


def faults(release: Facts, version: int) -> Iterator[str]:
    """What cannot be stated so: something of another column, something that is no list, or a list without its term.

    Nor that something is a range in a note of a version before these sentences.
    """
    said = said_in(release)
    if bool(said) is not bool((release["terms"] or {}).get("occurring", False)):
        yield "Whether something was said to occur is stated differently from what is listed of it."
    grouped = release["steps"][0]["levels"]
    for name, stated in said.items():
        early = version < SAID_WITH_HIERARCHIES and isinstance(stated, Mapping) and _RANGE in stated
        if early or name not in grouped or not (_is_list(stated) or _is_digest(stated)):
            yield f"What was said to occur in “{name}” is not stated as this program states it."


def entries_in(stated: object) -> tuple[str, ...]:
    """What is stated to occur in a column, as far as it is listed as this program lists it."""
    return tuple(stated["entries"]) if isinstance(stated, Mapping) and _is_list(stated) else ()


def _is_list(stated: object) -> bool:
    if not isinstance(stated, Mapping) or set(stated) - {_RANGE} != {"entries"} or stated.get(_RANGE, True) is not True:
        return False
    entries = stated["entries"]
    return (
        isinstance(entries, list)
        and bool(entries)
        and all(isinstance(one, str) and one for one in entries)
        and len(set(entries)) == len(entries)
        and sum(map(len, entries)) <= MOST_LETTERS
        and (_RANGE not in stated or range_in(entries) is not None)
    )


def _is_digest(stated: object) -> bool:
    if not isinstance(stated, Mapping) or set(stated) != {"number", "sha256"}:
        return False
    number, digest = stated["number"], stated["sha256"]
    return (
        type(number) is int
        and number > 0
        and isinstance(digest, str)
        and len(digest) == 64
        and set(digest) <= set("0123456789abcdef")
    )
