"""Pages about entries of a ledger and about files with pseudonyms: no word of one can be altered without being seen."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import workbench as wb
from tests.forging import WORDS, edits, png, text_edits, with_facts
from tests.kept import recording
from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.core.known_number import KnownNumber
from workbench.core.near_releases import NearReleases
from workbench.query.ledger import Ledger
from workbench.query.ledger_plans import PLAN
from workbench.report.certificate import certificate_from, certificate_of
from workbench.report.certified_entry import CertifiedEntry
from workbench.report.page_check import PageAltered, PageOnly, refuse_page
from workbench.report.pseudonym_statement import OfPseudonyms, pseudonym_certificate
from workbench.report.publisher import Publisher
from workbench.session.verifying.beside import received_files

KEPT = Path(__file__).resolve().parents[1] / "kept"
FACTS = (("File", "visits & more.csv"), ("SHA-256", "ab" * 32), ("Rows", "3"))
OFFICE = Publisher("Office of Statistics & Census", ("We answer within a week.",), "data@office.example")
Say = Callable[..., tuple[int, str, str]]


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Say:
    def run(*words: object) -> tuple[int, str, str]:
        code = main([str(word) for word in words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


def facts_in(page: str) -> dict[str, object]:
    found = json.loads(page.split('id="workbench-release">', 1)[1].split("</script>", 1)[0])
    assert isinstance(found, dict)
    return found


def pages() -> Iterator[tuple[str, str]]:
    """A page of each sort: every kind of entry that is kept, with a publisher and without, and pseudonyms."""
    seen = set()
    for name in ("people", "trimmed", "visits", "planned"):
        ledger = Ledger.of_file(KEPT / "ledgers" / f"{name}.jsonl")
        entries = ledger.history.told
        for number, entry in enumerate(entries):
            made = certificate_of(entry, entries, list(NearReleases)[number % 3])
            if (sort := (made.title, made.holds, entry.charge.kind)) not in seen:
                seen.add(sort)
                yield f"{name} {number} {entry.charge.kind}", made.page(OFFICE if len(seen) % 2 else None)
    assert {kind for _, _, kind in seen} >= {"query", "release", "search", "collection", PLAN}
    for words in (None, OFFICE):
        yield f"pseudonyms {words and 1}", pseudonym_certificate(["name", "id"], ["<b>mail</b>"], FACTS).page(words)


PAGES = dict(pages())


def test_a_number_that_others_may_know_is_not_said_to_be_known(tmp_path: Path) -> None:
    """Who answers “Yes, or unsure” has not said that it is known; what pages said before still verifies."""
    entries = Ledger.of_file(KEPT / "ledgers" / "trimmed.jsonl").history.told
    left = next(one for one in entries if one.charge.kind == "release" and one.charge.claimed and one.files)
    entry = replace(left, files=tuple(replace(one, number_known=KnownNumber.PEOPLE) for one in left.files))
    known = CertifiedEntry.of(entry, [entry], NearReleases.NONE)
    made, before = certificate_from(known, 2), certificate_from(known, 1)
    said = ("Number of people", "others may know it, so that the promise is for replacing one of them")
    assert said in made.facts and said not in before.facts
    for one, version in ((made, 2), (before, 1)):
        assert facts_in(one.page())["version"] == version
        with pytest.raises(PageOnly):
            refuse_page("x.html", one.page())
    for page, others in ((made.page(), (1, 0, "2")), (before.page(), (2, 0, "1"))):
        for version in others:
            with pytest.raises(PageAltered):
                refuse_page("x.html", with_facts(page, {**facts_in(page), "version": version}))
    assert facts_in(certificate_from(CertifiedEntry.of(left, [left], NearReleases.NONE), 2).page())["version"] == 1, (
        "other pages stay"
    )


def test_where_everybody_has_one_row_tables_differ_by_a_person() -> None:
    """What pages of before said still verifies, and a page has no other version than that of its words."""
    of_one = Ledger.of_file(KEPT / "ledgers" / "trimmed.jsonl").history.told
    of_several = next(
        one for one in Ledger.of_file(KEPT / "ledgers" / "visits.jsonl").history.told if one.charge.rows_per_person > 1
    )
    left = next(one for one in of_one if one.charge.kind == "release" and one.charge.claimed)
    known = CertifiedEntry.of(left, [left], NearReleases.NONE)
    made, before = certificate_from(known, 3), certificate_from(known, 2)
    tables = "Neighbouring tables"
    assert (tables, "differ by adding or removing one person, who has one row") in made.facts
    assert (tables, "differ by adding or removing one row") in before.facts
    for one, version in ((made, 3), (before, 1)):
        assert facts_in(one.page())["version"] == version
        with pytest.raises(PageOnly):
            refuse_page("x.html", one.page())
    for page, version in ((made.page(), 1), (made.page(), 2), (before.page(), 3)):
        with pytest.raises(PageAltered):
            refuse_page("x.html", with_facts(page, {**facts_in(page), "version": version}))
    others = certificate_of(of_several, [of_several], NearReleases.NONE)
    assert others.version < 3 and "one person's rows, up to" in dict(others.facts)[tables]


def test_the_promise_of_a_file_rests_on_what_its_publisher_asserts() -> None:
    """The ledger holds none of these sentences, and one row of each person may have been drawn."""
    entries = Ledger.of_file(KEPT / "ledgers" / "trimmed.jsonl").history.told
    left = next(one for one in entries if one.charge.kind == "release" and one.charge.claimed and one.left)
    unseen = replace(left, files=())
    unseen = replace(
        unseen, charge=replace(unseen.charge, parameters={**left.charge.parameters, "charged": "when drawn"})
    )
    for entry in (left, unseen):
        known = CertifiedEntry.of(entry, [entry], NearReleases.NONE)
        made, before = certificate_from(known), certificate_from(known, 3)
        assert made.sentence.endswith("-differentially private if what it rests on is true."), made.sentence
        assert "What it rests on" in dict(made.sections)
        assert (
            "Neighbouring tables",
            "differ by adding or removing one person, of whom at most one row takes part",
        ) in (made.facts)
        assert before.sentence.endswith("-differentially private.") and "What it rests on" not in dict(before.sections)
        for one, version in ((made, 4), (before, 3)):
            assert facts_in(one.page())["version"] == version
            with pytest.raises(PageOnly):
                refuse_page("x.html", one.page())
            with pytest.raises(PageAltered):
                refuse_page("x.html", with_facts(one.page(), {**facts_in(one.page()), "version": 7 - version}))
    assert certificate_from(CertifiedEntry.of(left, [left], NearReleases.NONE)).title.endswith("an anonymised file")


@pytest.mark.parametrize("name", PAGES)
def test_every_alteration_of_a_page_is_seen(name: str) -> None:
    page = PAGES[name]
    with pytest.raises(OfPseudonyms if name.startswith("pseudonyms") else PageOnly):
        refuse_page("x.html", page)
    forged = [*text_edits(page), ("a comment", page.replace("</main>", "<!-- --></main>"))]
    forged += [("a style", page.replace("<main>", '<main style="display:none">'))]
    assert len(forged) > 30
    for what, other in forged:
        assert other != page
        with pytest.raises(PageAltered) as told:
            refuse_page("x.html", other)
        assert told.value.faults, what


@pytest.mark.parametrize("name", PAGES)
def test_facts_that_give_another_page_are_seen(name: str) -> None:
    page = PAGES[name]
    for path, was, now, other in edits(facts_in(page)):
        told: type[WorkbenchError] | None = None
        try:
            refuse_page("x.html", with_facts(page, other))
        except WorkbenchError as error:
            told = type(error)
        told_of = path.rpartition(".")[2] not in ("engine",) and not path.startswith(UNTOLD)
        assert told is PageAltered or not told_of, f"{path}: {was} → {now}"


UNTOLD = (
    "after_look",
    "charge.mechanism",
    "charge.parameters",
    "charge.slots",
    "files",
    "together",
    "charge",
    "near",
    "about",
    "notes",
)
"""Of these a page tells some, by what sort of entry it is about; the test of the kept entries holds them together."""


@pytest.mark.parametrize(
    "more", [{"more": 1}, {"version": 0}, {"about": "nothing"}, {"program": "9 of a friend"}, {"date": "today"}]
)
def test_facts_that_no_page_holds_are_seen(more: dict[str, object]) -> None:
    for page in (PAGES["pseudonyms None"], next(iter(PAGES.values()))):
        with pytest.raises(PageAltered, match="not as this program writes them"):
            refuse_page("x.html", with_facts(page, {**facts_in(page), **more}))


def test_a_page_of_a_newer_version_is_left_to_that() -> None:
    page = next(iter(PAGES.values()))
    with pytest.raises(WorkbenchError, match="newer version"):
        refuse_page("x.html", with_facts(page, {**facts_in(page), "version": 99}))


def test_a_page_follows_from_what_it_holds_of_every_kept_entry() -> None:
    for name in ("people", "trimmed", "visits", "planned"):
        entries = Ledger.of_file(KEPT / "ledgers" / f"{name}.jsonl").history.told
        for near in NearReleases:
            for entry in entries:
                made = certificate_of(entry, entries, near)
                assert made.known is not None
                again = certificate_from(CertifiedEntry.from_json(json.loads(json.dumps(made.known))))
                assert again == made
                for hidden in (entry.id, entry.charge.key, *map(str, entry.charge.parameters.get("data", ()))):
                    assert len(hidden) < 8 or hidden not in made.page().replace(entry.charge.what, ""), (
                        "it stays in the ledger"
                    )


def test_a_sum_that_is_smaller_than_its_part_is_refused() -> None:
    entries = Ledger.of_file(KEPT / "ledgers" / "people.jsonl").history.told
    made = certificate_of(entries[0], entries).known
    assert made is not None
    for change in ({"epsilon": "0"}, {"count": 1}, {"unclaimed": -1}):
        with pytest.raises(ValueError, match=r"private|others|impossible"):
            CertifiedEntry.from_json({**made, "together": {**made["together"], **change}})


# Pages of before there was anything for programs in them


def test_a_page_of_pseudonyms_that_holds_no_facts_is_compared_with_the_fixed_words() -> None:
    for facts, left_out in ((FACTS, ["<b>mail</b>"]), ((), [])):
        page = pseudonym_certificate(["name", "a “b”"], left_out, facts).page()
        old = page[: page.index("<script")] + page[page.index("</script>") + len("</script>") :]
        with pytest.raises(OfPseudonyms, match="“name”"):
            refuse_page("x.html", old)
        altered = 0
        for what, other in text_edits(old):
            if "<h1>Statement on a file with pseudonyms</h1>" not in other:
                continue  # a page of no kind, which is refused as one
            try:
                refuse_page("x.html", other)
            except PageAltered:
                altered += 1
            except OfPseudonyms:
                free = ("visits", "ab", "3 →", "3 not", "“name”", "“<b>", "no column", "Written by", "gone: <tr>")
                assert what.startswith(free), what
        assert altered > 40


def test_pages_of_earlier_ledgers_are_refused_as_before(say: Say) -> None:
    kept = KEPT / "certificates" / "people" / "001_query.html"
    code, _, errors = say("verify", KEPT / "material" / "people.csv", "--statement", kept)
    assert code == 2 and "no statement or note of a release that a program can read" in " ".join(errors.split())


# By command, library and window


@pytest.fixture
def folder(tmp_path: Path, say: Say) -> Path:
    (tmp_path / "template.json").write_text(json.dumps(WORDS), encoding="utf-8")
    (tmp_path / "logo.png").write_bytes(png(400, 100))
    place = recording.workplace(tmp_path) / "kept"
    words = ("ledger", place / "material" / "people.csv", "--ledger", place / "ledgers" / "people.jsonl")
    assert say(*words, "--statements", tmp_path / "pages", "--template", tmp_path / "template.json")[0] == 0
    return tmp_path / "pages"


def test_the_command_takes_a_page_by_itself(folder: Path, say: Say) -> None:
    for page in sorted(folder.iterdir()):
        code, said, _ = say("verify", page)
        assert code == 0 and "Every word of it follows" in said and "not signed" in said, page
        assert json.loads(say("verify", page, "--json")[1])["holds"] is True
        page.write_text(page.read_text("utf-8").replace("Together with", "Never together with"), "utf-8")
    code, said, _ = say("verify", folder / "001_query.html")
    assert code == 1 and "NOT" in said and "Never together" in said
    found = json.loads(say("verify", folder / "001_query.html", "--json")[1])
    assert found["holds"] is False and "Never together" in found["faults"][0]


def test_a_file_whose_page_of_pseudonyms_was_altered_is_refused(tmp_path: Path, say: Say) -> None:
    (tmp_path / "visits.csv").write_text("name,visit\nx,1\n", encoding="utf-8")
    place = tmp_path / "visits_statement.html"
    page = pseudonym_certificate(["name"], [], FACTS).page()
    place.write_text(page, encoding="utf-8")
    assert say("verify", tmp_path / "visits.csv", "--statement", place)[0] == 2, "nothing is promised"
    assert say("verify", place)[0] == 2
    place.write_text(page.replace("is not anonymous", "is anonymous"), encoding="utf-8")
    for words in ((tmp_path / "visits.csv", "--statement", place), (place,)):
        code, said, _ = say("verify", *words)
        assert code == 1 and "is anonymous" in said
    with pytest.raises(wb.Refused, match="NOT a page as this program writes it"):
        wb.verify(tmp_path / "visits.csv")
    with pytest.raises(PageAltered):
        received_files(place)
