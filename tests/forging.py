"""Releases with their statements, and everything that a forger could write in place of a part of them."""

from __future__ import annotations

import copy
import html
import json
import re
import shutil
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from workbench.anonymise.note_versions import (
    FILE_FIRST,
    READ_FIRST,
    SAID_ONCE,
    SAID_WITH_HIERARCHIES,
    SPELT_AS_IN_FILE,
    TAKE_PART,
    TOLD_AS_SEEN,
    WAYS_APART,
)
from workbench.anonymise.terms import hierarchies_line
from workbench.cli.main import main
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.io.hierarchy_csv import write_hierarchy
from workbench.report.said_to_occur import said_in
from workbench.report.stated_terms import terms_of

PAGE, NOTE, FILE = "out_statement.html", "out_metadata.json", "out.csv"
AGES = [(str(a), f"{a // 10 * 10}s", "*") for a in range(20, 60)]

WORDS = {
    "institution": "Office of Statistics & Census",
    "sentences": ["We answer within a week.", "More is at <office.example>."],
    "contact": "data@office.example",
    "logo": "logo.png",
}
"""A template of whoever publishes."""


def as_of(facts: Mapping[str, Any], version: int) -> dict[str, Any]:
    """A note as it would be of a version before, which spoke of rows for people, and of columns that are released."""
    older: dict[str, Any] = copy.deepcopy(dict(facts)) | {"version": version}
    if version < SPELT_AS_IN_FILE and older["release"].get("asserted"):
        part, before = (
            "a group or another part of the table has",
            "a group, or another part of the table, has or gave up",
        )
        dropped = ", such as one town or age, or how many of them were dropped"
        said = [line.replace(f"{part}{dropped}", before) for line in older["release"]["asserted"]]
        older["release"]["asserted"] = said
    if version < SAID_ONCE:
        for some in older["release"].get("label_counts", {}).values():
            some[:] = [one[:4] for one in some]
        by_rule, nobody = "The levels of the steps follow", "Nobody chose the levels of the steps: they follow"
        said = [line.replace(by_rule, nobody) for line in older["release"].get("checked", ())]
        older["release"] |= {"checked": said} if said else {}
    if version < FILE_FIRST:
        older["release"].pop("combinations", None)
    if version < TOLD_AS_SEEN:
        older["release"].pop("label_counts", None)
        for step in older["release"].get("steps", ()):
            step.pop("mostly_lost", None)
        for column in older["release"]["columns"]:
            for name in ("listed", "grid", "mask"):
                column.get("hierarchy", {}).pop(name, None)
    if version < READ_FIRST:
        for name in ("in_no_row", "in_few_rows"):
            older["release"].pop(name, None)
    if version < SAID_WITH_HIERARCHIES and older["release"].get("asserted"):
        terms = terms_of(older["release"], SAID_WITH_HIERARCHIES)
        lines = {hierarchies_line(terms): hierarchies_line(terms, version)}
        older["release"]["asserted"] = [lines.get(line, line) for line in older["release"]["asserted"]]
        for stated in said_in(older["release"]).values():
            stated.pop("range", None)
    if version < TAKE_PART and older["release"].get("asserted"):
        said = [line.replace("columns take part", "columns are released") for line in older["release"]["asserted"]]
        older["release"]["asserted"] = said
    if version < WAYS_APART and older["release"].get("asserted"):
        said = [line.replace("how many people were", "how many rows were") for line in older["release"]["asserted"]]
        older["release"]["asserted"] = said
    return older


def png(width: int, height: int, *more: tuple[bytes, bytes]) -> bytes:
    """A grey picture as PNG, with more chunks before what is drawn."""
    head = (b"IHDR", width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes((8, 0, 0, 0, 0)))
    drawn = (b"IDAT", zlib.compress(bytes((width + 1) * height)))
    chunks = (
        len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")
        for kind, data in (head, *more, drawn, (b"IEND", b""))
    )
    return b"".join((b"\x89PNG\r\n\x1a\n", *chunks))


def released(
    folder: Path, cases: Mapping[str, Sequence[str]], age: Callable[[int], int], *, twice: Sequence[str] = ()
) -> Path:
    """Release 900 people by each of the commands, every one into a folder of its name; returns the folder of all.

    Parameters
    ----------
    folder
        Where; a public and a derived hierarchy of ages and a template of the publisher are written there, too.
    cases
        The flags of `anonymise` by name; `{public}`, `{derived}` and `{template}` stand for these files. A case whose
        name begins with "void" is released without a claim, and in "drawn" each person has two rows.
    age
        The age in each row.
    twice
        The cases that are released twice, so that their ledger holds an earlier release.
    """
    files = {"public": folder / "public.csv", "derived": folder / "derived.csv"}
    write_hierarchy(Hierarchy.from_rows(AGES, origin="tens & more"), files["public"])
    write_hierarchy(Hierarchy.from_rows(AGES, origin="sorted", provenance=Provenance.DERIVED), files["derived"])
    files["template"] = folder / "template.json"
    files["template"].write_text(json.dumps(WORDS), encoding="utf-8")
    (folder / "logo.png").write_bytes(png(400, 100))
    for case, words in cases.items():
        (folder / case).mkdir()
        data = folder / f"{case}.csv"
        rows = [f"P{i // 2 if case == 'drawn' else i},{age(i)},{'=flu' if i % 3 else 'gout'}" for i in range(900)]
        data.write_text("\n".join(["name,age,illness", *rows]) + "\n", encoding="utf-8")
        out = folder / case
        common = ("--out", out / FILE, "--statement", out / PAGE, "--metadata", out / NOTE)
        command = ["anonymise", data, *(word.format(**files) for word in words), "--ledger", folder / f"{case}.jsonl"]
        unclaimed = ["--without-claim"] if case.startswith("void") else []
        for _ in range(2 if case in twice else 1):
            assert main([*map(str, command), *map(str, common), "--force", *unclaimed]) == 0, case
    return folder


def write_anew(path: Path, text: str) -> None:
    """Write a text file in place of another one.

    Not into it: some systems then wait until what was there is on the disk, fifty times as long as writing takes.
    """
    path.unlink(missing_ok=True)
    path.write_text(text, encoding="utf-8")


def verify(folder: Path, given: str = PAGE, *more: str) -> int:
    return main(["verify", str(folder / FILE), "--statement", str(folder / given), *more])


def copied(source: Path, to: Path) -> Path:
    return Path(shutil.copytree(source, to))


def leaves(plain: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Every number, sentence and verdict of a note, and every list of them, with the way to it."""
    pairs = plain.items() if isinstance(plain, dict) else enumerate(plain) if isinstance(plain, list) else ()
    if not isinstance(plain, dict):
        yield path, plain
    for name, value in pairs:
        yield from leaves(value, (*path, name))


def forged(value: Any) -> list[Any]:
    """What a forger would put in the place of a value."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, (int, float)):
        return [
            value - 1 if isinstance(value, int) else value * 0.9,
            value + 1 if isinstance(value, int) else value * 1.1,
        ]
    if isinstance(value, str):
        changed = re.sub(r"\d", lambda digit: str((int(digit[0]) + 1) % 10), value)
        return [f"{value} not"] + ([changed] if changed != value else [])
    if isinstance(value, list) and value:
        return [value[:-1], value[1:], [*value, value[0]]]
    return []


def edits(facts: dict[str, Any]) -> Iterator[tuple[str, Any, Any, dict[str, Any]]]:
    """Each edit of a note: where, what it was and is, and the note with it."""
    for path, value in leaves(facts):
        if path in (("format",), ("version",), ()):
            continue  # another kind of file, which is an error
        for other in forged(value):
            changed = copy.deepcopy(facts)
            inner: Any = changed
            for name in path[:-1]:
                inner = inner[name]
            inner[path[-1]] = other
            if other != value:
                yield ".".join(map(str, path)), value, other, changed


def with_facts(page: str, facts: dict[str, Any]) -> str:
    """A page in which a program reads these facts, and people what they read before."""
    plain = json.dumps(facts, ensure_ascii=False).replace("<", "\\u003c")
    return re.sub(r'(id="workbench-release">).*?(</script>)', lambda m: m[1] + plain + m[2], page, flags=re.DOTALL)


def text_edits(page: str) -> Iterator[tuple[str, str]]:
    """Each text of a page with another number or word, each gone, and each one hidden or repeated."""
    end = page.index("</main>")
    for match in re.finditer(r">([^<]+)<", page[: end + 1]):
        if match.start() < page.index("<main>"):
            continue
        text = html.unescape(match[1])
        changed = [f"{text} not", "", *forged(text)[1:]]
        for other in dict.fromkeys(changed):
            yield f"{text} → {other}", page[: match.start(1)] + html.escape(other) + page[match.end(1) :]
    for match in re.finditer(r"<(li|tr|p|section)\b.*?</\1>", page[:end], flags=re.DOTALL):
        yield f"gone: {match[0][:60]}", page[: match.start()] + page[match.end() :]
        yield f"twice: {match[0][:60]}", page[: match.end()] + match[0] + page[match.end() :]
        hidden = match[0].replace(f"<{match[1]}", f"<{match[1]} hidden", 1)
        yield f"hidden: {match[0][:60]}", page[: match.start()] + hidden + page[match.end() :]
