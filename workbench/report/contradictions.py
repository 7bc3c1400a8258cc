"""Does what a note states agree with itself, and with the file? Every line says what is stated and what follows."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from workbench.anonymise.checked_lines import checked_lines
from workbench.anonymise.claim import CHOICES, OF_CHOICES
from workbench.anonymise.level_scores import Score
from workbench.anonymise.looking import LOOKED_BEFORE, looked_before
from workbench.anonymise.note_versions import LOOKS_TOLD, NUMBER_APART
from workbench.anonymise.recipe import Treatment
from workbench.anonymise.released_columns import AS_IT_IS
from workbench.anonymise.row_orders import BY_LABELS
from workbench.anonymise.terms import Terms, asserted_lines, neighbours_in
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY, Provenance
from workbench.core.known_number import KnownNumber
from workbench.core.level_words import can_be_stated
from workbench.core.near_releases import NearReleases
from workbench.core.number_text import file_text, rounded_up
from workbench.core.rationals import float_above, rational
from workbench.report.note import COUNT, LABELS, PROGRAM, SAMPLED, STEP, SYNTACTIC, TRIMMED, WITHOUT_CLAIM, taking_part
from workbench.report.older_sentences import recognised
from workbench.report.recheck import Rechecked
from workbench.report.recheck_cost import Cost, cost_of, cost_of_one
from workbench.report.stated_facts import Facts
from workbench.report.stated_terms import terms_of
from workbench.report.statement_parts import counted_in, known_in
from workbench.report.trimmed_contradictions import of_trimmed


def contradictions(facts: Facts, *, sentences: bool = True) -> list[str]:
    """The contradictions in a note, whoever wrote it.

    Parameters
    ----------
    facts
        A note of the present version, or one brought up to it.
    sentences
        Whether the sentences of the statement are known.
    """
    release = facts["release"]
    if release["kind"] == SYNTACTIC:
        return [*_of_file(facts), *_of_models(release)]
    if release["kind"] == TRIMMED:
        if facts["version"] < 3:
            return ["Notes of that version are of no trimmed release."]
        found = [
            *_of_file(facts),
            *of_trimmed(release, facts["read_back"], facts["version"]),
            *_of_release(release, facts["version"]),
        ]
        return [*found, *_of_sentences(release, facts["version"])] if sentences else found
    if release["kind"] != SAMPLED:
        return [f"The note speaks of a release of the kind “{release['kind']}”, which this program does not make."]
    found = [*_of_file(facts), *_of_sampled(release), *_of_release(release, facts["version"])]
    return [*found, *_of_sentences(release, facts["version"])] if sentences else found


def against(facts: Facts, found: Rechecked, size: int | None) -> list[str]:
    """The differences between what the note says about its file and the file; `size` is None where it is not known."""
    stated, counted = facts["read_back"], found.to_json(public=True)
    pairs = [(title, stated[name], counted[name]) for name, title in _COUNTED.items()]
    if size is not None:
        pairs.append(("Bytes of the file", facts["file"]["bytes"], size))
    asked = [_model(one) for one in facts["release"]["models"]]
    again = [one for one in counted["models"] if _model(one) in asked]
    pairs.append(("Models that were counted again", list(map(_model, stated["models"])), list(map(_model, again))))
    for one, other in zip(stated["models"], again, strict=False):
        if other["in_the_file"] and one["in_the_file"]:
            pairs += [(f"{_model(other)}, {name}", one[name], other[name]) for name in ("value", "note")]
    other_pairs = [(name, _words(said), _words(given)) for name, said, given in pairs if said != given]
    return [f"{name}: {said} is stated, and the file gives {given}." for name, said, given in other_pairs]


def _words(value: Any) -> str:
    """A value of a note as people read it, and not as a program writes it."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {one}" for name, one in value.items()) or "nothing"
    if isinstance(value, list | tuple):
        return ", ".join(map(_words, value)) or "nothing"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _model(one: Facts) -> str:
    given = (f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in one["parameters"].items())
    return " ".join([str(one["model"]), *given])


ROWS = "Rows"
_COUNTED = {
    "rows": ROWS,
    "columns": "Columns",
    "grouped": "Columns by which rows are grouped",
    "classes": "Groups of alike rows",
    "smallest_class": "Rows of the smallest group",
    "largest_class": "Rows of the largest group",
}
"""The names that people know for what is counted in a file."""


def _of_file(facts: Facts) -> Iterator[str]:
    """The contradictions in the parts that every note has."""
    release, found = facts["release"], facts["read_back"]
    if facts["program"]["name"] != PROGRAM:
        yield f"The program is called {PROGRAM}, and “{facts['program']['name']}” is stated."
    if found["holds"] is not True or found["faults"] or not all(one["holds"] is True for one in found["models"]):
        yield "A file in which something does not hold is never released, and the note says that something does not."
    names = [column["name"] for column in release["columns"]]
    if names != list(found["columns"]):
        yield f"The columns {', '.join(names)} are stated, and {', '.join(found['columns'])} were read back."
    grouped = [column["name"] for column in release["columns"] if column["grouped"]]
    if sorted(grouped) != sorted(found["grouped"]):
        yield f"Grouped by {', '.join(grouped)} is stated, and {', '.join(found['grouped'])} was read back."
    levels = {one["name"]: one.get("level", 0) for one in release["columns"] if "hierarchy" in one or "level" in one}
    if not release["mixed_levels"] and levels != found["levels"]:
        yield f"The levels {_words(levels)} are stated, and {_words(found['levels'])} were read back."
    if any(one["analyst_only"] is not False for one in found["models"]):
        yield "A note holds nothing that is for the analyst only, and it is stated that it does."
    if facts["version"] > 1 and release["order"] != BY_LABELS:
        yield f"The rows of a release are in the order of their labels, and the order “{release['order']}” is stated."
    if facts["version"] > 1 and release.get("rows", found["rows"]) != found["rows"]:
        yield f"{release['rows']} rows are stated, and {found['rows']} were read back."
    for one in found["models"]:
        if not one["in_the_file"] and (one["value"] is not None or one["note"]):
            yield f"A value of {one['model']} is stated that is said not to follow from the file."
    for column in taking_part(release):
        yield from _column(column, mixed=release["mixed_levels"])


def _column(column: Facts, *, mixed: bool) -> Iterator[str]:
    """The contradictions in what is told of a column."""
    name, hierarchy = column["name"], column.get("hierarchy")
    without = {AS_IT_IS, ANY, STEP} if column["grouped"] else {AS_IT_IS, COUNT}
    told = {LABELS} if hierarchy is not None else without
    if column["shown"] not in told:
        yield f"“{name}” is stated to show “{column['shown']}”, which no column of its kind does."
    if hierarchy is None:
        if column.get("level", 0) != 0:
            yield f"“{name}” is stated to be as it is, and to stand at level {column['level']}."
        return
    if hierarchy["provenance"] not in list(Provenance):
        yield f"The hierarchy of “{name}” is stated to be “{hierarchy['provenance']}”, which none is."
    if hierarchy["height"] and ("level" in column) is mixed:
        yield f"Whether rows have labels of different levels is stated differently for “{name}”."
    if not 0 <= column.get("level", 0) <= hierarchy["height"]:
        yield f"“{name}” stands at level {column['level']} of {hierarchy['height']}, which there is not."
    words = hierarchy.get("levels")
    if words is None:
        return
    if hierarchy["provenance"] != Provenance.PUBLIC or len(words) != hierarchy["height"] + 1:
        yield f"The levels of “{name}” are named otherwise than they can be."
    elif not all(can_be_stated(one, level) for level, one in enumerate(words)):
        yield f"The levels of “{name}” are named by words that no rule gives."


def _of_models(release: Facts) -> Iterator[str]:
    if release["claim"] or release["promised"] is not None:
        yield "A release of privacy models carries no (ε, δ) claim, and one is stated."
    if list(release["reasons"]) != [WITHOUT_CLAIM]:
        yield f"The reason against a claim is “{WITHOUT_CLAIM}”, and another one is stated."


def _of_sampled(release: Facts) -> Iterator[str]:
    if release["mixed_levels"]:
        yield "Rows of a sampled release all have labels of one level, and it is stated that they have not."
    if any(one.get("score") == Score.TRIMMED for one in release["mechanisms"]):
        yield "Levels of a sampled release are stated to be judged by what trimming keeps."
    added = [one["name"] for one in release["columns"] if one["shown"] in (STEP, COUNT)]
    if added:
        yield f"Only trimmed releases have a column such as {', '.join(added)}."


def _of_release(release: Facts, version: int) -> Iterator[str]:
    yield from _models(release)
    kinds = [one["kind"] for one in release["mechanisms"]]
    if kinds not in MAKING[release["kind"]]:
        yield f"No release is made by {', '.join(map(str, kinds)) or 'no mechanism'} alone."
    if release["rows_per_person"] < 1:
        yield f"{release['rows_per_person']} rows per person are stated, and there is at least one."
    if release["claim"] is True:
        yield from _claimed(release, version)
    elif release["claim"] is False:
        given = release.get("given")
        if given is not None:
            yield from _given(release, version)
        told = release["terms"] is not None or any(map(_costs, release["mechanisms"]))
        if release["promised"] is not None or (told and given is None):
            yield "It is stated that no claim is made, and one is made nevertheless."
        if not release["reasons"]:
            yield "No claim is made, and no reason is given."
        if version > 1 and any(_cautioned(release)):
            yield "No claim is made for the release, and one is made for it together with others."
    else:
        yield "Whether a claim is made is neither true nor false."


def _given(release: Facts, version: int) -> Iterator[str]:
    """The contradictions in a promise for the settings as they are: only their choice may speak against a claim."""
    codes = [one["code"] for one in release["against"]]
    of_choices = OF_CHOICES if version >= LOOKS_TOLD else {CHOICES}
    if not codes or len(set(codes)) != len(codes) or not of_choices.issuperset(codes):
        yield "It is stated what holds for the choices as they are, and something else speaks against a claim."
    elif version >= LOOKS_TOLD and _looks_against(release) != _looks_of_terms(release):
        yield "What was looked at before the draw was made is stated twice, and differently."
    elif counted_in(release):
        yield "It is stated what holds for the choices as they are, and other releases are counted in it."
    else:
        yield from _sound({**release, "promised": release["given"]}, version)


def _looks_against(release: Facts) -> list[str]:
    return [one["text"] for one in release["against"] if one["code"] == LOOKED_BEFORE]


def _looks_of_terms(release: Facts) -> list[str]:
    kind = release["terms"]["looked"]
    return [looked_before(kind)] if kind else []


def _of_sentences(release: Facts, version: int) -> Iterator[str]:
    if [one["text"] for one in release["against"]] != list(release["reasons"]):
        yield "The reasons against a claim are stated twice, and differently."
    yield from _reasons(release)
    if release["claim"] or release.get("given") is not None:
        yield from _lines(release, version)
    elif release["checked"] or release["asserted"]:
        yield "No claim is made, and sentences are given that belong to one."


def _costs(mechanism: Facts) -> bool:
    return mechanism["kind"] != "private-levels" and ("epsilon" in mechanism or "delta" in mechanism)


def _models(release: Facts) -> Iterator[str]:
    smallest = release["floor" if release["kind"] == TRIMMED else "k"]
    expected = [{"model": "k-anonymity", "parameters": {"k": smallest}}] if smallest > 1 else []
    if list(release["models"]) != expected:
        name = "The floor" if release["kind"] == TRIMMED else "k"
        yield f"{name} is stated to be {smallest}, and the models say {release['models']}."


def _reasons(release: Facts) -> Iterator[str]:
    """Reasons and cautions are worded by the program, and numbers in them must be possible."""
    for one in (*release["against"], *release["cautions"]):
        known = recognised(f"{one['text']} {one['remedy']}")
        if known is None or (known.code, known.text) != (one["code"], one["text"]):
            yield f"The program never says “{one['text']} {one['remedy']}” as a reason or caution."
    codes = [one["code"] for one in release["cautions"]]
    if any(code not in CAUTIONS for code in codes) or any(one["code"] in CAUTIONS for one in release["against"]):
        yield "What the reader should know and what speaks against a claim are mixed up."
    if len(set(codes)) != len(codes):
        yield "Something the reader should know is stated twice."
    if any(one["code"] == "seeded" for one in release["against"]) != release["simulation"]:
        yield "Whether the release is a simulation is stated twice, and differently."
    kept = set(_loose(release))
    named = {one["text"].split("“")[1].split("”")[0] for one in release["against"] if one["code"] == "ungrouped-column"}
    if named != kept:
        yield f"Columns that are released without being grouped ({Treatment.KEEP}) are not those the reasons name."


CAUTIONS = frozenset({"looked-after", "several-draws", "other-settings-seen", "earlier-releases", "nearly-the-same"})
"""Codes of what a reader should know; all others are reasons against a claim."""


def _claimed(release: Facts, version: int) -> Iterator[str]:
    """The contradictions between a claim, what it needs, and what the sentences around it follow from."""
    if release["reasons"]:
        yield "A claim is made, and reasons against it are stated."
    if release.get("given") is not None:
        yield "A claim is made, and it is stated that some choices follow from the data."
    if release["terms"].get("looked"):
        yield "A claim is made, and it is stated that the data had been looked at before the draw was made."
    yield from _sound(release, version)


def _sound(release: Facts, version: int) -> Iterator[str]:
    """The contradictions in what is told of the law of a draw, be it claimed for the file or for its choices alone."""
    promised = release["promised"]
    if release["simulation"]:
        yield "A claim is made for a simulation, whose randomness can be repeated."
    if loose := _loose(release):
        yield f"A claim is made, and these columns take no part in the grouping: {', '.join(loose)}."
    for one in taking_part(release):
        # Version 1 spoke of hierarchies where they say nothing, too.
        silent = version == 1 and one.get("level") in (0, one.get("hierarchy", {}).get("height"))
        if one["shown"] == LABELS and one["hierarchy"]["provenance"] != Provenance.PUBLIC and not silent:
            yield f"A claim is made, and the hierarchy of “{one['name']}” is not public."
        plugin = one.get("hierarchy", {}).get("plugin")
        if plugin is not None and plugin["trusted"] is not True:
            yield f"A claim is made, and the plug-in that made the hierarchy of “{one['name']}” is not trusted."
    if version > 1:
        near = any(one["code"] == "nearly-the-same" for one in release["cautions"])
        if near != (release["terms"]["near"] == NearReleases.NOT_ADDED_UP):
            yield "Whether there are releases of nearly the same data is stated twice, and differently."
    terms = terms_of(release, version) if version >= NUMBER_APART else Terms()
    about = neighbours_in(terms, version)
    if promised["neighbours"] != about:
        yield (f"The promise is about tables that differ by “{about}”, and “{promised['neighbours']}” is stated.")
    if terms.known is KnownNumber.ROWS and not terms.several_rows:
        yield "The number of rows is stated to be known beside that of people, and everybody has one row."
    yield from _price(release, version)


MAKING = MappingProxyType(
    {
        SAMPLED: (["sampling"], ["private-levels", "sampling"]),
        TRIMMED: (["trimming"], ["private-levels", "trimming"]),
    }
)
"""The mechanisms a release consists of, by their kinds. None of them may be passed over in silence."""


def _loose(release: Facts) -> list[str]:
    """Columns that hold values of the table and take no part in the grouping."""
    return [one["name"] for one in release["columns"] if not one["grouped"] and one["shown"] != COUNT]


def _price(release: Facts, version: int) -> Iterator[str]:
    promised = release["promised"]
    epsilon, delta = rational(promised["epsilon"]), rational(promised["delta"])
    try:
        cost = cost_of(release)
    except WorkbenchError as error:
        yield f"The cost of the release cannot be computed again: {error}"
        return
    for one in release["mechanisms"]:
        reached = cost_of_one(one, release).delta
        if reached > rational(one.get("delta", 0)):
            yield f"δ of {one['kind']} is stated to be {file_text(one['delta'], 6)}, and it is {rounded_up(reached)}."
    if version == 1:
        cost = Cost(_least(release, cost.epsilon), cost.delta)
    own_delta = release["mechanisms"][-1]["delta"]
    if known_in(release):
        cost, own_delta = cost.for_replacing(), float_above(Cost(delta=rational(own_delta)).for_replacing().delta)
    alone = version > 1 and not counted_in(release)
    if cost.epsilon > epsilon or (alone and float_above(cost.epsilon) != promised["epsilon"]):
        yield f"ε = {rounded_up(epsilon)} is stated, and the mechanisms cost {rounded_up(cost.epsilon)}."
    if alone and own_delta != promised["delta"]:
        last = release["mechanisms"][-1]
        yield f"δ = {rounded_up(delta)} is stated, and δ of the {last['kind']} is {file_text(last['delta'], 6)}."
    if cost.delta > delta:
        least = rounded_up(cost.delta)
        yield f"δ = {rounded_up(delta)} is stated, and {_made_with(release)} give no less than {least}."
    if counted_in(release):
        yield from _sum(release)
        return
    for one in _cautioned(release):
        if one[0] < Fraction(rounded_up(epsilon)) or one[1] < Fraction(rounded_up(delta)):
            yield "All releases together are stated to be more private than this one alone."
        elif one == (epsilon, delta):
            yield "All releases together are stated to be as private as this one alone."


def _sum(release: Facts) -> Iterator[str]:
    """A release that was chosen promises what all of them promise together, which the reader is told besides."""
    number, promised = counted_in(release), release["promised"]
    said = [one["text"] for one in release["cautions"] if one["code"] == "earlier-releases"]
    if not any(text.startswith(f"This is release number {number:,} of this data.") for text in said):
        yield f"{number:,} releases are stated to be counted, and the reader is told of another number."
    stated = tuple(Fraction(rounded_up(promised[name])) for name in ("epsilon", "delta"))
    if list(_cautioned(release)) != [stated]:
        yield "What is promised is stated to be that of all releases together, and the reader is told otherwise."


def _made_with(release: Facts) -> str:
    if release["kind"] == TRIMMED:
        return "the steps"
    return f"β = {file_text(release['beta'], 6)} and k = {release['k']:,}"


def _least(release: Facts, epsilon: Fraction) -> Fraction:
    """ε of several mechanisms whose shares were rounded up to four digits: what they add up to at least."""
    shares = [Fraction(str(one["epsilon"])) for one in release["mechanisms"]]
    if len(shares) == 1:
        return epsilon
    return sum((share - Fraction(10) ** (math.floor(math.log10(share)) - 3) for share in shares), Fraction(0))


def _cautioned(release: Facts) -> Iterator[tuple[Fraction, Fraction]]:
    """(ε, δ) of all releases together, where a caution adds them up."""
    for one in release["cautions"]:
        for epsilon, delta in re.findall(r"Together they are \(([^,]+), ([^)]+)\)-differentially private", one["text"]):
            yield rational(epsilon), rational(delta)


def _lines(release: Facts, version: int) -> Iterator[str]:
    terms = terms_of(release, version)
    for title, stated, given in (
        ("checked", release["checked"], checked_lines(terms, version)),
        ("asserted", release["asserted"], asserted_lines(terms, version)),
    ):
        for line in stated:
            if line not in given:
                yield f"“{line}” is stated as {title}, and does not follow from the terms of the claim."
        for line in given:
            if line not in stated:
                yield f"“{line}” must be stated as {title}, and is not."
        if set(stated) == set(given) and list(stated) != list(given):
            yield f"What is {title} is stated in another order than the program's, or twice."
