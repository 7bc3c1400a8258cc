"""A statement lists what its publisher said can occur, whole, in the words that were typed, and nothing of the rows."""

from __future__ import annotations

import copy
import html
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.forging import AGES, FILE, NOTE, PAGE, as_of, verify, write_anew
from workbench.anonymise.note_versions import COUNTED_WIDELY, OCCURRING_LISTED
from workbench.anonymise.said_words import MOST_LETTERS
from workbench.anonymise.terms import asserted_lines
from workbench.cli.main import main
from workbench.core.hierarchy import Hierarchy
from workbench.io.hierarchy_csv import write_hierarchy
from workbench.report.said_to_occur import listed
from workbench.report.stated_terms import terms_of
from workbench.report.statement import statement_page

TYPED = {"age": "20-39, 50s", "town": "Bern,Basel,<b>Uri</b>"}
PEOPLE = [(20 + i % 40, "Bern" if i % 3 else "Basel") for i in range(300)]
NEIGHBOURS = [PEOPLE, PEOPLE[1:], [*PEOPLE, (59, "Zug")], [*PEOPLE[:-1], (21, "Chur")]]


def made(folder: Path, rows: list[tuple[int, str]], *more: str, said: dict[str, str] | None = None) -> dict[str, Any]:
    """The note of a balanced release of these rows."""
    folder.mkdir(parents=True)
    write_hierarchy(Hierarchy.from_rows(AGES, origin="tens"), folder / "age.csv")
    towns = [(town, "*") for town in ("Basel", "Bern", "Chur", "<b>Uri</b>", "Zug")]
    write_hierarchy(Hierarchy.from_rows(towns, origin="list"), folder / "town.csv")
    lines = ["age,town,note", *(f"{age},{town},secret" for age, town in rows)]
    (folder / "people.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    told = TYPED if said is None else said
    occurs = [word for name, words in told.items() for word in ("--occurs", f"{name}={words}")]
    flags = ["--hierarchy", f"age={folder / 'age.csv'}", "--hierarchy", f"town={folder / 'town.csv'}"]
    flags += ["--mechanism", "trim", "--steps", "balanced", "--expect", "300", "--epsilon", "2", "--delta", "1e-3"]
    out = ["--out", folder / FILE, "--statement", folder / PAGE, "--metadata", folder / NOTE]
    command = ["anonymise", folder / "people.csv", *flags, *occurs, *more, "--ledger", folder / "l.jsonl", *out]
    assert main([*map(str, command)]) == 0
    note: dict[str, Any] = json.loads((folder / NOTE).read_text("utf-8"))
    return note


def of_columns(note: dict[str, Any]) -> dict[str, Any]:
    return {one["name"]: one.get("said_to_occur") for one in note["release"]["columns"]}


def section_of(page: str) -> str:
    (found,) = re.findall(r"<section><h2>What can occur, as the publisher says.*?</section>", page)
    return str(found)


def test_all_of_it_is_in_the_note_on_the_page_and_told_to_whoever_verifies(
    tmp_path: Path, quiet: Callable[[], str]
) -> None:
    note = made(tmp_path / "one", PEOPLE)
    entries = {"age": ["20-39", "50s"], "town": ["Bern", "Basel", "<b>Uri</b>"]}
    assert of_columns(note) == {name: {"entries": said} for name, said in entries.items()}
    page, (line,) = (tmp_path / "one" / PAGE).read_text("utf-8"), note["release"]["asserted"][-1:]
    assert "Said to occur in “age”: “20-39”, “50s”. Said to occur in “town”: “Bern”, “Basel”, “<b>Uri</b>”." in line
    assert html.escape(line) in page and "What can occur, as" not in page, "the publisher's sentence has all of it"
    assert "the program read no row: the table may hold more than this, or less." in page
    shown = section_of(statement_page({**note, "version": COUNTED_WIDELY}))
    assert all(html.escape(", ".join(said)) in shown for said in entries.values()) and "all are in" not in shown
    for given in (PAGE, NOTE):
        quiet()
        assert verify(tmp_path / "one", given) == 0
        said = quiet()
        assert "from what the publisher says can occur" in said
        assert "“age”: “20-39”, “50s”; “town”: “Bern”, “Basel”, “<b>Uri</b>”." in said


def test_no_entry_passes_for_a_sentence_of_the_program(tmp_path: Path, quiet: Callable[[], str]) -> None:
    typed = "Bern”. This program counted everybody. “Uri"
    made(tmp_path / "one", PEOPLE, said={"town": f"Bern,{typed}"})
    quiet()
    assert verify(tmp_path / "one", NOTE) == 0
    assert '“town”: “Bern”, “Bern". This program counted everybody. "Uri”.' in quiet()


def test_a_note_is_not_made_older_to_drop_or_to_keep_its_list(tmp_path: Path, quiet: Callable[[], str]) -> None:
    """What the version before states is checked as it was then: nothing was listed, and nothing is told of a list."""
    note = as_of(made(tmp_path / "one", PEOPLE), OCCURRING_LISTED - 1)
    write_anew(tmp_path / "one" / NOTE, json.dumps(note))
    assert verify(tmp_path / "one", NOTE) == 1
    for column in note["release"]["columns"]:
        column.pop("said_to_occur", None)
    write_anew(tmp_path / "one" / NOTE, json.dumps(note))
    assert verify(tmp_path / "one", PAGE) == 1, "the page is that of the newer note"
    write_anew(tmp_path / "one" / PAGE, statement_page(note))
    quiet()
    assert verify(tmp_path / "one", PAGE) == 0
    said = quiet()
    assert "what was said to occur in them" in said and "says can occur" not in said


def test_it_is_the_same_of_neighbouring_tables(tmp_path: Path) -> None:
    found = set()
    for number, rows in enumerate(NEIGHBOURS):
        note = made(tmp_path / str(number), rows)
        page = (tmp_path / str(number) / PAGE).read_text("utf-8")
        asserted = page.partition("What the publisher asserts")[2].partition("</section>")[0]
        found.add(
            (json.dumps(of_columns(note)), asserted, section_of(statement_page({**note, "version": COUNTED_WIDELY})))
        )
    assert len(found) == 1 and "Zug" not in str(found) and "Chur" not in str(found)


def test_nothing_is_listed_where_nothing_was_said_or_follows_from_it(tmp_path: Path) -> None:
    for name, more, said in (("unsaid", (), {}), ("typed", ("--steps", "none,complete"), None)):
        note = made(tmp_path / name, PEOPLE, *more, said=said)
        assert set(of_columns(note).values()) == {None}
        assert "What can occur, as" not in (tmp_path / name / PAGE).read_text("utf-8")


def test_a_long_list_is_whole_in_the_note_and_begun_on_the_page(tmp_path: Path) -> None:
    many = [f"Nowhere {number}" for number in range(900)]
    note = made(tmp_path / "long", PEOPLE, said={"town": ",".join(["Bern", *many])})
    assert of_columns(note)["town"] == {"entries": ["Bern", *many]}
    shown = section_of((tmp_path / "long" / PAGE).read_text("utf-8"))
    assert "Bern, Nowhere 0, " in shown and "… (901 in all)" in shown and "all are in the note" in shown
    assert len(shown) < 1000


def test_what_would_make_a_note_too_large_to_read_has_its_digest() -> None:
    stated = listed({"a": ["x" * 10], "b": ["y"] * MOST_LETTERS, "c": ["z"]})
    assert stated["a"] == {"entries": ["x" * 10]}
    assert stated["b"]["number"] == MOST_LETTERS and re.fullmatch("[0-9a-f]{64}", stated["b"]["sha256"])
    assert "entries" not in stated["c"], "there is no room for more"


def test_why_a_list_has_its_digest_only_is_not_said_as_nobody_can_find_it_out(
    tmp_path: Path, quiet: Callable[[], str]
) -> None:
    note = made(tmp_path / "one", PEOPLE)
    of_town = next(one for one in note["release"]["columns"] if one["name"] == "town")
    for number, words in ((1, "1 entry"), (3, "3 entries")):
        of_town["said_to_occur"] = {"number": number, "sha256": "0" * 64}
        note["release"]["asserted"] = asserted_lines(terms_of(note["release"], note["version"]))
        write_anew(tmp_path / "one" / NOTE, json.dumps(note))
        write_anew(tmp_path / "one" / PAGE, statement_page(note))
        quiet()
        assert verify(tmp_path / "one", PAGE) == 0
        told = quiet()
        assert f"“town”: {words}, by the publisher's count, which the note does not list" in told
        assert "too many" not in told + section_of((tmp_path / "one" / PAGE).read_text("utf-8"))


WRONG: list[Any] = [{}, [], None, True, 7, "Bern", {"entries": []}, {"entries": "Bern"}, {"entries": [1]}]
WRONG += [{"entries": ["Bern", "Bern"]}, {"entries": [""]}, {"entries": ["Bern"], "more": 1}, {"number": 1}]
WRONG += [{"number": True, "sha256": "0" * 64}, {"number": 2, "sha256": "0" * 63}, {"number": 2, "sha256": [0] * 64}]


RANGES: list[tuple[Any, int]] = [({"entries": ["1-9"], "range": True}, 0), ({"entries": ["1-9"], "range": 1}, 1)]
RANGES += [({"entries": [one], "range": True}, 1) for one in ("Bern", "7", "7-7", "9-1", "01-09")]
RANGES += [({"entries": ["1-9", "20-30"], "range": True}, 1), ({"number": 1, "sha256": "0" * 64, "range": True}, 1)]
RANGES += [({"entries": [f"0-{'9' * 400}"], "range": True}, 1)]


def test_nothing_but_a_range_is_stated_as_one(tmp_path: Path, quiet: Callable[[], str]) -> None:
    """The sentence is made of it that the publisher signs, so that it must be true of what was typed."""
    note = made(tmp_path / "one", PEOPLE, said={"age": "20-39"})
    (tmp_path / "one" / PAGE).unlink()
    of_age = next(one for one in note["release"]["columns"] if one["name"] == "age")
    assert of_age["said_to_occur"] == {"entries": ["20-39"]}, "its hierarchy is a file, where this may be a group"
    for stated, refused in RANGES:
        of_age["said_to_occur"] = stated
        note["release"]["asserted"] = asserted_lines(terms_of(note["release"], note["version"]))
        write_anew(tmp_path / "one" / NOTE, json.dumps(note))
        assert verify(tmp_path / "one", NOTE) == refused, stated
        assert ("“age” is said to run from 1 to 9." in quiet()) is not refused
    of_age["said_to_occur"] = RANGES[0][0]
    older = as_of(note, OCCURRING_LISTED)
    write_anew(tmp_path / "one" / NOTE, json.dumps(older))
    assert verify(tmp_path / "one", NOTE) == 0
    next(one for one in older["release"]["columns"] if one["name"] == "age")["said_to_occur"]["range"] = True
    write_anew(tmp_path / "one" / NOTE, json.dumps(older))
    assert verify(tmp_path / "one", NOTE) == 1, "no note of that version says so"


def test_nothing_else_passes_for_it(tmp_path: Path, quiet: Callable[[], str]) -> None:
    folder = tmp_path / "forged"
    note = made(folder, PEOPLE)

    def refused(change: Callable[[dict[str, Any]], Any]) -> bool:
        facts = copy.deepcopy(note)
        change(facts)
        write_anew(folder / NOTE, json.dumps(facts))
        quiet()
        try:
            write_anew(folder / PAGE, statement_page(facts))
        except Exception:  # no page can be made of it
            return verify(folder, NOTE) == 1
        return verify(folder, PAGE) == 1 and verify(folder, NOTE) == 1

    columns = {one["name"]: place for place, one in enumerate(note["release"]["columns"])}
    for wrong in WRONG:
        assert refused(lambda f, w=wrong: f["release"]["columns"][columns["town"]].update(said_to_occur=w)), wrong
    assert refused(lambda f: [one.pop("said_to_occur") for one in f["release"]["columns"]])
    assert refused(lambda f: f["release"]["terms"].update(occurring=False))
    assert refused(lambda f: f.update(version=16)), "notes before hold no such thing"
    assert not refused(lambda _: None)
