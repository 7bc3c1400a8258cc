"""What stands in a note or a page in the place of another type is refused, and never believed or stumbled over."""

from __future__ import annotations

import copy
import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.properties import some
from workbench.cli.main import main
from workbench.core.hierarchy import Hierarchy
from workbench.core.interval_repair import corrected_intervals
from workbench.report.certificate import certificate_from
from workbench.report.certified_entry import CertifiedEntry
from workbench.report.note_types import mistyped
from workbench.report.page import EMBEDDED, page

KEPT = Path(__file__).parents[1] / "kept"
RELEASES = ("claim", "models", "shaped_after", "said_unlisted")
WRONG: tuple[Any, ...] = (None, True, 1, -1, "", "x", [], [None], {}, [{}])


def places(plain: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The way to every value, of lists to the first two."""
    if path:
        yield path
    pairs = plain.items() if isinstance(plain, dict) else enumerate(plain[:2]) if isinstance(plain, list) else ()
    for name, inner in pairs:
        yield from places(inner, (*path, name))


def changed(plain: Any, path: tuple[str | int, ...], value: Any) -> tuple[Any, Any]:
    """A copy with this in a place, and what stood there."""
    made = copy.deepcopy(plain)
    inner = made
    for step in path[:-1]:
        inner = inner[step]
    was, inner[path[-1]] = inner[path[-1]], value
    return made, was


def of_another_type(was: object, value: object) -> bool:
    """Whether JSON writes them as different types; of a number only what is no number at all."""
    numbers = {int, float}
    return type(was) is not type(value) and not (type(was) in numbers and type(value) in numbers)


def cases(plain: Any) -> list[tuple[Any, str]]:
    """Changed copies, each with what was changed."""
    found = []
    for path in places(plain):
        for value in WRONG:
            made, was = changed(plain, path, value)
            if of_another_type(was, value):
                found.append((made, f"{'.'.join(map(str, path))}: {was!r} → {value!r}"))
    return found


@pytest.mark.parametrize("kept", sorted(one.name for one in (KEPT / "releases").iterdir() if one.is_dir()))
def test_no_note_that_was_written_is_mistyped(kept: str) -> None:
    assert not [*mistyped(json.loads((KEPT / "releases" / kept / "note.json").read_text("utf-8")))]


@pytest.mark.properties
@pytest.mark.parametrize("kept", RELEASES)
def test_notes_of_other_types_are_refused(kept: str, tmp_path: Path, quiet: Callable[[], str]) -> None:
    folder = Path(shutil.copytree(KEPT / "releases" / kept, tmp_path / kept))
    note = json.loads((folder / "note.json").read_text("utf-8"))
    (folder / "statement.html").unlink()
    believed = []
    for made, what in some(cases(note)):
        (folder / "note.json").write_text(json.dumps(made), encoding="utf-8")
        code = main(["verify", str(folder / "release.csv"), "--statement", str(folder / "note.json")])
        said = quiet()
        assert code in (0, 1, 2) and "Traceback" not in said, what
        believed += [what] if code == 0 and not what.endswith("→ None") else []  # a value may not be told
    assert not believed


@pytest.mark.properties
def test_pages_of_other_types_are_refused(tmp_path: Path, quiet: Callable[[], str]) -> None:
    """Also where whoever wrote the facts wrote the page anew from them."""
    ledger, pages = KEPT / "ledgers" / "people.jsonl", tmp_path / "pages"
    data = KEPT / "material" / "people.csv"
    assert main(["ledger", str(data), "--ledger", str(ledger), "--statements", str(pages)]) == 0
    forged, believed = tmp_path / "forged.html", []
    for path in some(sorted(pages.glob("*.html"))):
        text = path.read_text("utf-8")
        plain = json.loads(text.split(EMBEDDED, 1)[1].split("</script>", 1)[0])
        forged.write_text(text, encoding="utf-8")
        assert main(["verify", str(forged)]) == 0
        for made, what in some(cases(plain)):
            try:
                again = certificate_from(CertifiedEntry.from_json(made), made["version"])
                anew = page(again.title, again.body(), made, str(made.get("date")))
            except Exception:  # no page can be made of it
                anew = page("Statement on an answer", "<h1>Statement on an answer</h1>", made, "2026-01-01")
            forged.write_text(anew, encoding="utf-8")
            quiet()
            code = main(["verify", str(forged)])
            said = quiet()
            assert code in (0, 1, 2) and "Traceback" not in said, what
            believed += [f"{path.name} {what}"] if code == 0 and ".table" not in what else []
    assert not believed


@pytest.mark.parametrize("version", [True, 1.0, "1", None])
def test_a_version_is_a_whole_number(version: object, tmp_path: Path, quiet: Callable[[], str]) -> None:
    pages, data = tmp_path / "pages", KEPT / "material" / "people.csv"
    ledger = KEPT / "ledgers" / "people.jsonl"
    assert main(["ledger", str(data), "--ledger", str(ledger), "--statements", str(pages)]) == 0
    path = sorted(pages.glob("*.html"))[0]
    text = path.read_text("utf-8")
    forged, found = re.subn(r'"version": ?\d+', f'"version": {json.dumps(version)}', text, count=1)
    assert found and forged != text
    path.write_text(forged, encoding="utf-8")
    assert main(["verify", str(path)]) == 1


def test_intervals_of_a_list_of_unknown_origin_are_said_to_be_corrected_and_no_more() -> None:
    rows = [(str(age), f"{age // 10 * 10 + 1}-{age // 10 * 10 + 10}") for age in range(20, 40)]
    for origin, said in (("", "intervals corrected"), ("a list", "intervals corrected, a list")):
        found = corrected_intervals(Hierarchy.from_rows(rows, origin=origin))
        assert found is not None and found.hierarchy.origin == said
