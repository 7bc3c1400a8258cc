"""Notes of version 1, which held less than their statements are made from.

What they lack is taken from the page that they stand in. So their pages are made again by the same template and
compared word by word, and what follows from numbers is checked; but where a sentence came from the page alone, nobody
can tell whether it was another one once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from workbench.anonymise.level_scores import LevelScoring, Score
from workbench.anonymise.released_columns import AS_IT_IS
from workbench.anonymise.row_orders import AT_RANDOM, BY_LABELS, ORDERS
from workbench.report.note import LABELS, SYNTACTIC
from workbench.report.older_sentences import recognised
from workbench.report.page_lines import PageLine, lines_of

Facts = Mapping[str, Any]

NOT_HELD = "Cautions, filters, samples and origins of hierarchies, because notes of version 1 do not hold them."
NO_PAGE = (
    "Sentences, and whether a part of ε went into a private draw of the levels, because notes of version 1 do not hold "
    "them. Give the statement too."
)


def upgraded(facts: Facts, body: str = "") -> dict[str, Any]:
    """A note of version 1 with everything its statement is made from, the rest of it taken from the page.

    Parameters
    ----------
    body
        The statement as HTML; "" if there is only the note.

    Raises
    ------
    KeyError, TypeError, ValueError
        If the note is not as this program wrote it.
    """
    release, found = dict(facts["release"]), dict(facts["read_back"])
    lines = lines_of(body)
    release["rows"] = found["rows"]
    ordered = any(ORDERS[BY_LABELS].checked == line.text or ORDERS[BY_LABELS].done in line.text for line in lines)
    release["order"] = BY_LABELS if ordered else AT_RANDOM
    release["columns"] = [_column(one, release, lines) for one in release["columns"]]
    dashes = {line.text for line in lines if line.text.endswith("–, in the file.") or ", – in the file." in line.text}
    found["models"] = [{**one, "in_the_file": one["value"] is not None or bool(dashes)} for one in found["models"]]
    if release["kind"] != SYNTACTIC:
        release["mechanisms"] = _mechanisms(release, lines)
        release["checked"] = _items(lines, "What the program checked")
        release["asserted"] = _items(lines, "What the publisher asserts")
        release["terms"] = _terms(release["checked"]) if release["claim"] else None
        release["against"] = _reasons(_items(lines, "Why not, and what would restore it"))
        release["cautions"] = _reasons(_items(lines, "What the reader should know"))
    return {**facts, "release": release, "read_back": found}


def _items(lines: Sequence[PageLine], section: str) -> list[str]:
    return [line.text for line in lines if line.section == section and line.text != section]


def _row(lines: Sequence[PageLine], section: str, name: str) -> str:
    return next((line.text for line in lines if line.section == section and line.name == name), "")


def _column(column: Facts, release: Facts, lines: Sequence[PageLine]) -> dict[str, Any]:
    made = {**column, "shown": LABELS if "hierarchy" in column else AS_IT_IS}
    if "hierarchy" in column and release["kind"] != SYNTACTIC:
        said = _row(lines, "Columns", column["name"]).partition(" | ")[2]
        made["hierarchy"] = {**column["hierarchy"], "origin": said.partition(": ")[2]}
    return made


def _mechanisms(release: Facts, lines: Sequence[PageLine]) -> list[dict[str, Any]]:
    promised = release["promised"]
    words = _row(lines, "How the file was made", "Levels")
    costs = {"epsilon": promised["epsilon"], "delta": promised["delta"]} if release["claim"] else {}
    if not words:
        return [{"kind": "sampling", **costs}]
    drawn = re.fullmatch(r"drawn privately \((.+?)\) before the sample, judged by (.+)", words)
    judged = "" if drawn is None else drawn[2]
    score = next((one for one in Score if _judged(one, release) == judged), Score.KEPT_DETAIL)
    levels = {
        "kind": "private-levels",
        "epsilon": float(_row(lines, "How the file was made", "ε of the draw of levels")),
        "draw": "" if drawn is None else drawn[1],
        "score": score.value,
    }
    for line in lines:
        split = re.fullmatch(r"ε \S+ = \S+ for choosing the levels \+ (\S+) for the release\.", line.text)
        if split is not None and costs:
            costs["epsilon"] = float(split[1])
    return [levels, {"kind": "sampling", **costs}]


def _judged(score: Score, release: Facts) -> str:
    return LevelScoring(score, release["k"], release["beta"]).words


def _terms(checked: Sequence[str]) -> dict[str, Any]:
    said = "\n".join(checked)

    def found(pattern: str) -> str:
        match = re.search(pattern, said, re.MULTILINE)
        return "" if match is None else match[1]

    return {
        "degree": found(r"^The levels follow from the degree “(.+)” and the heights"),
        "where": found(r"^Only rows with (.+) took part; each row was judged by itself alone\.$"),
        "sample": float(found(r"^Before that, each row .+ with probability (\S+)\. The guarantee") or 1),
        "limited_by": found(r"^Of each person, told apart by “(.+)”, at most .+ took part"),
    }


def _reasons(items: Sequence[str]) -> list[dict[str, str]]:
    """The sentences with their remedies; those that the program never wrote are left as one."""
    made = []
    for item in items:
        known = recognised(item)
        made.append(
            {"code": "", "text": item, "remedy": ""}
            if known is None
            else {"code": known.code, "text": known.text, "remedy": known.remedy}
        )
    return made
