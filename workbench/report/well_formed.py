"""Is a note made up as this program makes notes: nothing beside what it holds, nothing missing, no impossible value?

What nobody compares with anything would be a place to write whatever one likes, and some reader would believe it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from itertools import pairwise, takewhile
from types import MappingProxyType
from typing import Any

from workbench.anonymise.dp_search import Degree
from workbench.anonymise.looking import SEEN
from workbench.anonymise.note_versions import (
    CHOICES_APART,
    COUNTED_BY_GROUPS,
    FILE_FIRST,
    LEVELS_SHOWN,
    LOOKS_TOLD,
    NUMBER_APART,
    OCCURRING_LISTED,
    READ_FIRST,
    SHAPED_AFTER,
    SPELT_AS_IN_FILE,
    TOLD_AS_SEEN,
    VALUES_BOUNDED,
)
from workbench.core.closed_end import INCLUDED
from workbench.core.errors import WorkbenchError
from workbench.core.filter_words import TokenKind, words_of
from workbench.core.hierarchy import Provenance
from workbench.core.known_number import KnownNumber
from workbench.io.export_format import ExportFormat
from workbench.report.absent_combinations import COMBINATIONS
from workbench.report.few_rows import IN_FEW_ROWS
from workbench.report.label_counts import LABEL_COUNTS
from workbench.report.note import SYNTACTIC, TRIMMED, taking_part
from workbench.report.note_types import mistyped
from workbench.report.publisher import PUBLISHER, WITH_PUBLISHER, publisher_of
from workbench.report.recheck import ORDER_UNCHECKED
from workbench.report.recheck_cost import cost_of_one
from workbench.report.said_to_occur import IN_NO_ROW
from workbench.report.said_to_occur import KEY as SAID_TO_OCCUR
from workbench.report.stated_facts import Facts
from workbench.report.stated_labels import GRID, LISTED, MASK

_READ_BACK = "holds rows columns grouped classes smallest_class largest_class levels models faults unchecked"
_KEYS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "": ("format version program file release read_back", "date"),
        "program": ("name version", ""),
        "file": ("name sha256 bytes written texts_made_safe_for_spreadsheets", "parts"),
        "release.promised": ("epsilon delta neighbours", ""),
        "release.given": ("epsilon delta neighbours", ""),
        "release.models": ("model parameters", "plugin"),
        "release.models.plugin": ("distribution version trusted", ""),
        "release.columns": ("name grouped shown", "level hierarchy"),
        "release.columns.hierarchy": ("height provenance", "origin plugin"),
        "release.after": ("left_out one_level", ""),
        "release.columns.hierarchy.grid": ("from lowest highest", ""),
        "release.columns.hierarchy.mask": ("length sign", ""),
        "release.columns.hierarchy.plugin": ("distribution version trusted", ""),
        "release.worked": ("labels rows", ""),
        "release.terms": ("degree where sample limited_by near", ""),
        "release.steps": ("levels mean_lost sd half_survive always_survive", "epsilon delta"),
        "release.against": ("code text remedy", ""),
        "release.cautions": ("code text remedy", ""),
        "read_back": (_READ_BACK, ""),
        "read_back.models": ("model parameters holds value analyst_only in_the_file note", ""),
    }
)
"""By the place in a note: what must stand there, and what may."""

_OF_MODELS = "kind claim promised models columns mixed_levels order reasons"
_OF_RELEASES = "mechanisms rows_per_person simulation engine rows terms checked asserted against cautions"
_OF_SAMPLED = f"{_OF_MODELS} {_OF_RELEASES} beta k accounting"
_OF_TRIMMED = f"{_OF_MODELS} {_OF_RELEASES} mechanism steps survival floor step_column count_column"
_OF_KIND = MappingProxyType({SYNTACTIC: _OF_MODELS, TRIMMED: _OF_TRIMMED})
MECHANISM_KEYS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "sampling": ("kind", "epsilon delta"),
        "trimming": ("kind", "epsilon delta"),
        "private-levels": ("kind epsilon draw score", ""),
    }
)
"""By the kind of mechanism, as in `RECOMPUTATIONS`: what must stand in it, and what may."""

_NEW = frozenset(
    {"date", "shown", "origin", "in_the_file", "order", "rows", "mechanisms", "terms"}
    | {"checked", "asserted", "against", "cautions"}
)
"""The keys that notes of version 1 do not hold; `rows` only where it is that of the release."""


def malformed(facts: Facts, files: int | None = None) -> list[str]:
    """The faults of a note: keys that do not belong in it or are missing, and values impossible in their place.

    Parameters
    ----------
    facts
        The note as it was read.
    files
        Of how many files the release consists; None if that is not known.
    """
    faults = [*mistyped(facts)] or [*_keys(facts, facts, "")]
    return faults or [*_values(facts, files)]


def _keys(plain: Any, facts: Facts, path: str) -> Iterator[str]:
    if isinstance(plain, list):
        for one in plain:
            yield from _keys(one, facts, path)
    if not isinstance(plain, Mapping):
        return
    known = _known(plain, facts, path)
    if known is None:
        return
    must, may = known
    for name in plain:
        if name not in must | may:
            yield f"“{f'{path}.{name}'.lstrip('.')}” is stated, and notes of this program hold no such thing."
    for name in sorted(must - set(plain)):
        yield f"“{f'{path}.{name}'.lstrip('.')}” is missing."
    for name, inner in plain.items():
        yield from _keys(inner, facts, f"{path}.{name}".lstrip("."))


def _known(plain: Facts, facts: Facts, path: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """The keys that must and those that may stand in a place; None where that is checked otherwise."""
    if path == "":
        pair = (_KEYS[path][0], _KEYS[path][1] + f" {PUBLISHER}" * (facts["version"] >= WITH_PUBLISHER))
    elif path == "release":
        given = " given" if facts["version"] >= CHOICES_APART and plain.get("kind") != SYNTACTIC else ""
        given += " after" * (facts["version"] >= SHAPED_AFTER and plain.get("kind") == TRIMMED)
        given += " stars blank worked" * (facts["version"] >= COUNTED_BY_GROUPS and plain.get("kind") == TRIMMED)
        given += " examples" * (facts["version"] >= LEVELS_SHOWN and plain.get("kind") == TRIMMED)
        given += f" {IN_NO_ROW} {IN_FEW_ROWS}" * (facts["version"] >= READ_FIRST and plain.get("kind") == TRIMMED)
        given += f" {LABEL_COUNTS}" * (facts["version"] >= TOLD_AS_SEEN and plain.get("kind") == TRIMMED)
        given += f" {COMBINATIONS}" * (facts["version"] >= FILE_FIRST and plain.get("kind") == TRIMMED)
        pair = (_OF_KIND.get(str(plain.get("kind")), _OF_SAMPLED) + given, "")
    elif path == "release.terms":
        new, known = facts["version"] >= CHOICES_APART, facts["version"] >= NUMBER_APART
        trimmed = f" degrees expected{' balanced' * new}{' occurring' * known}"
        of_all = _KEYS[path][0] + " counted" * (facts["version"] > 3) + " by_rule only" * new + " known" * known
        of_all += " looked" * (facts["version"] >= LOOKS_TOLD)
        of_trimmed = facts["release"].get("kind") == TRIMMED
        may = "expected_rows" * (of_trimmed and facts["version"] >= VALUES_BOUNDED)
        pair = (of_all + trimmed * of_trimmed, may)
    elif path == "release.mechanisms":
        pair = MECHANISM_KEYS.get(str(plain.get("kind")), ("kind", ""))
    elif (place := path.replace("release.after.left_out", "release.columns", 1)) in _KEYS:
        pair = _KEYS[place]
        if place == "release.columns" and facts["version"] >= OCCURRING_LISTED:
            pair = (pair[0], pair[1] + f" {SAID_TO_OCCUR}" * (facts["release"].get("kind") == TRIMMED))
        if place == "release.columns.hierarchy" and facts["version"] >= SHAPED_AFTER:
            public = facts["release"].get("kind") == TRIMMED and plain.get("provenance") == Provenance.PUBLIC
            told = public and facts["version"] >= TOLD_AS_SEEN and not path.startswith("release.after")
            pair = (pair[0] + " levels" * public, pair[1] + f" {LISTED} {GRID} {MASK}" * told)
        if place == "release.columns.hierarchy.grid":
            pair = (pair[0], INCLUDED * (facts["version"] >= SPELT_AS_IN_FILE))
        if place == "release.steps":
            pair = (pair[0] + " mostly_lost" * (facts["version"] >= TOLD_AS_SEEN), pair[1])
    else:
        return None
    must, may = (frozenset(names.split()) for names in pair)
    if facts["version"] == 1:
        new = _NEW - ({"rows"} if path == "read_back" else set())
        return frozenset(), (must | may) - new  # how they grew within version 1 is not told by them
    return (must | {"date"} if path == "" else must), may


def _values(facts: Facts, files: int | None) -> Iterator[str]:
    file, release, version = facts["file"], facts["release"], str(facts["program"]["version"])
    if not re.fullmatch(r"\d+(\.\d+)*[a-z0-9.+-]{0,40}", version):
        yield f"“{version}” is stated as the version of the program, and is none."
    if "date" in facts and not _is_day(facts["date"]):
        yield f"“{facts['date']}” is stated as the day, and is none."
    if not re.fullmatch("[0-9a-f]{64}", str(file["sha256"])):
        yield f"“{file['sha256']}” is stated as the SHA-256 of the file, and is none."
    if ExportFormat.from_json(dict(file["written"])).to_json() != file["written"]:
        yield "How the file is written is stated with more than concerns its kind."
    safe = file["texts_made_safe_for_spreadsheets"]
    if not _is_count(safe):
        yield f"{safe} texts made safe for spreadsheets are stated, which is no number of texts."
    parts = file.get("parts", 0)
    if not _is_count(parts) or (files is not None and max(parts, 1) != files):
        yield f"{parts} is stated as the number of parts, and the release consists of {files} files."
    if not isinstance(release["claim"], bool):
        yield "Whether a claim is made is neither true nor false."
    if not all(isinstance(column["grouped"], bool) for column in taking_part(release)):
        yield "Whether a column is grouped is neither true nor false."
    if not (isinstance(release.get("engine", ""), str) and _ENGINE.fullmatch(release.get("engine", ""))):
        yield f"“{release['engine']}” is stated as the engine, and is the name of none."
    if release["kind"] == SYNTACTIC and not release["models"]:
        yield "No model is stated, and a release of privacy models has one."
    for said in _strange(facts["read_back"]["unchecked"]):
        yield f"“{said}” is stated as not checked, which the program never says."
    yield from _of_publisher(facts)
    yield from _of_terms(release.get("terms") or {})
    yield from _of_expected(release)
    if release["kind"] == TRIMMED:
        yield from _of_steps(release)
    for one in release.get("mechanisms", ()):
        if one["kind"] == "private-levels":
            cost_of_one(one, release)  # free words would be told where it cannot be, whether there is a claim or not


_ENGINE = re.compile(r"[A-Za-z]{0,30}")
"""A name in one word, so that nothing can be told in its place."""


def _of_publisher(facts: Facts) -> Iterator[str]:
    """The faults in what the publisher says, which is text that is seen, and a picture and nothing else."""
    try:
        publisher_of(facts)
    except (ValueError, TypeError, KeyError) as error:
        yield f"What the publisher says is not as this program writes it: {error}."


def _of_steps(release: Facts) -> Iterator[str]:
    """Numbers of steps are numbers, names of columns are names, and nothing can be told in the place of one."""
    numbers = [release["floor"], *(step[name] for step in release["steps"] for name in _OF_STEPS if name in step)]
    numbers += [number for pair in release["survival"] for number in pair]
    for number in numbers:
        if isinstance(number, bool) or not isinstance(number, (int, float)):
            yield f"“{number}” is stated as a number of rows, an ε, a δ or a probability, and is none."
    for pair in release["survival"]:
        if len(pair) != 2:
            yield f"{pair} is stated as a group and the probability that it is in the file."
    degrees = (release["terms"] or {}).get("degrees", ())
    if len(degrees) not in (0, len(release["steps"])):
        yield f"{len(degrees)} degrees are stated, and {len(release['steps'])} steps."
    for name in (release["step_column"], release["count_column"]):
        if not isinstance(name, str):
            yield f"{name} is stated as the name of a column, and is none."


_OF_STEPS = ("epsilon", "delta", "mean_lost", "sd", "half_survive", "always_survive")


def _of_terms(terms: Facts) -> Iterator[str]:
    degree, where = terms.get("degree", ""), terms.get("where", "")
    for one in ([degree] if degree else []) + list(terms.get("degrees", ())):
        if one not in list(Degree):
            yield f"“{one}” is stated as the degree of generalisation, and is none."
    if not isinstance(terms.get("expected", False), bool):
        yield "Whether a number of rows was expected is neither true nor false."
    if not isinstance(terms.get("balanced", False), bool) or not isinstance(terms.get("only", False), bool):
        yield "Whether levels follow by a rule, or the draw is the only one, is neither true nor false."
    if not isinstance(terms.get("occurring", False), bool) or (terms.get("occurring") and not terms["balanced"]):
        yield "Whether steps follow from what was said to occur is neither true nor false, or they follow no rule."
    known = terms.get("known", "")
    if known not in list(KnownNumber):
        yield f"“{known}” is stated as what is known of the table, and is none of the numbers that can be."
    looked = terms.get("looked", "")
    if not isinstance(looked, str) or (looked and looked not in SEEN):
        yield f"“{looked}” is stated as what was looked at before the draw, and is nothing that can be."
    by_rule = terms.get("by_rule", [])
    if not isinstance(by_rule, list) or not all(isinstance(name, str) for name in by_rule):
        yield f"{by_rule} are stated as the columns whose hierarchies the program made, and are no list of names."
    counted = terms.get("counted", 0)
    if not _is_count(counted) or counted == 1:
        yield f"“{counted}” is stated as the number of releases that are counted together, and is none."
    if where and not _is_filter(where):
        yield f"“{where}” is stated as what decides which rows took part, and is no filter."


def _of_expected(release: Facts) -> Iterator[str]:
    """The number of rows that steps follow from is told only where others may know how many take part."""
    terms = release.get("terms") or {}
    if "expected_rows" not in terms:
        return
    narrowed = terms["where"] or terms["limited_by"] or terms["sample"] < 1
    counted = terms["known"] == KnownNumber.ROWS or (terms["known"] and release["rows_per_person"] == 1)
    if not (terms["expected_rows"] and terms["expected"] and counted) or narrowed:
        yield "How many rows were expected is stated where nothing follows from it, or where nobody may know it."


def _is_filter(text: str) -> bool:
    """Whether it can be one: its columns are not known here, but two names or values never follow each other."""
    try:
        sorts = [word.sort for word in takewhile(lambda word: word.sort is not TokenKind.END, words_of(text))]
    except WorkbenchError:
        return False
    return not any(one in _OPERANDS and other in _OPERANDS for one, other in pairwise(sorts))


_OPERANDS = {TokenKind.NAME, TokenKind.QUOTED, TokenKind.TEXT, TokenKind.NUMBER, TokenKind.DATE}


def _is_day(text: object) -> bool:
    try:
        return isinstance(text, str) and date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _is_count(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and number >= 0


def _strange(unchecked: Iterable[Any]) -> list[Any]:
    said = "|".join(map(re.escape, ORDER_UNCHECKED))
    return [one for one in unchecked if not re.fullmatch(rf"{said}|[^.]+ cannot be recomputed\.", str(one))]
