"""What reports say and what they must not say; they are the same bytes again and readable by everybody."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zlib
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

import pytest

from workbench.anonymise.privacy import ModelChoice
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.schema import Role
from workbench.project.anonymise_settings import AnonymityKind
from workbench.project.model import GuaranteeSettings
from workbench.query.answer import AnswerForm, ReleasedAnswer
from workbench.query.ledger import Charge
from workbench.report.content import Bullets, Paragraph, Picture, Report, ReportHeading, ReportTable, Tone
from workbench.report.from_html import blocks_of
from workbench.report.html_report import ANALYST, html_of
from workbench.report.pdf_report import pdf_of
from workbench.report.typesetting import lines_of, width_of
from workbench.session import Session
from workbench.session.reports import Reports, write_report

RARE = "Zebrafish"
LEFT_OUT = "Quokka"


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """Data with marks that no release may show: rare values, and a column that is left out."""
    file = tmp_path / "secretfile.csv"
    lines = [f"{LEFT_OUT}{i},{20 + i % 40}.125,{'north' if i % 2 else 'south'}\n" for i in range(3000)]
    lines += [f"{LEFT_OUT}x{i},77.125,{RARE}\n" for i in range(17)]
    file.write_text("hiddencolumn,age,place\n" + "".join(lines), encoding="utf-8")
    session = Session()
    session.ledger.use_file(tmp_path / "ledger.jsonl")
    session.data.open(file)
    session.data.set_role(["hiddencolumn"], Role.IDENTIFYING)
    ages = [f"{age}.125" for age in range(20, 80)]
    session.data.attach_hierarchy(
        "age", Hierarchy.from_rows([(age, f"{age[0]}0s", "*") for age in ages], origin="tens")
    )
    rows = [(place, place if place != RARE else "elsewhere", "*") for place in ("north", "south", RARE)]
    session.data.attach_hierarchy("place", Hierarchy.from_rows(rows, origin="typed"))
    session.release.set_guarantee(GuaranteeSettings(epsilon=1.0, delta=1e-4))
    session.release.columns.set_level("age", 1)
    session.release.columns.set_level("place", 1)
    return session


def run(session: Session, approach: AnonymityKind = AnonymityKind.DP, *, exported: bool = True) -> Reports:
    session.syntactic.set_approach(approach)
    file = session.data.reading.path.with_name("out.csv")
    if approach is AnonymityKind.DP:
        session.release.anonymise()
        if exported:
            session.release.export(file, force=True, without_claim=True)
        session.release.look(publish=True)
    else:
        session.syntactic.set_models([ModelChoice("k-anonymity", {"k": 50})])
        session.syntactic.set_suppression_limit(0.1)
        session.syntactic.accept_recoded(session.syntactic.recoder()())  # type: ignore[arg-type]
        if exported:
            session.syntactic.record_recoded(
                file, session.syntactic.current_recoded(), session.syntactic.recoded_writer(file)()
            )
    return session.reports.maker()()


def texts(report: Report) -> str:
    """Everything that any page made of the report can say."""
    found = [report.title]
    for block in report.blocks:
        match block:
            case ReportHeading(text) | Paragraph(text):
                found.append(text)
            case Bullets(items):
                found += items
            case ReportTable(heads, rows):
                found += [*heads, *(cell for row in rows for cell in row)]
            case Picture():
                found += [block.title, block.words, *(cell for row in block.numbers for cell in row)]
    return "\n".join(found)


@pytest.mark.parametrize("approach", AnonymityKind)
def test_no_true_value_reaches_a_release_report(session: Session, tmp_path: Path, approach: AnonymityKind) -> None:
    reports = run(session, approach)
    path = tmp_path / "r.html"
    write_report(reports.release, path)
    said = texts(reports.release) + path.read_text(encoding="utf-8")
    assert "20s" in said and "north" in said
    outcome = (
        session.release.result.outcome if approach is AnonymityKind.DP and session.release.result is not None else None
    )
    counts = [f"{len(outcome.sampled_rows):,}"] if outcome is not None else []
    assert outcome is None or outcome.suppressed
    for mark in (RARE, LEFT_OUT, "hiddencolumn", "secretfile", ".125", "elsewhere", "3,017", *counts):
        assert not re.search(rf"(?<![\d,]){re.escape(mark)}(?![\d,])", said), mark


@pytest.mark.parametrize("approach", AnonymityKind)
def test_what_has_not_left_is_not_given_away(session: Session, approach: AnonymityKind) -> None:
    reports = run(session, approach, exported=False)
    said = texts(reports.release)
    assert not reports.shows_rows and not any(isinstance(block, Picture) for block in reports.release.blocks)
    assert "Export the file first" in said
    for mark in ("20s", "north", "The file has", "Rows in the file"):
        assert mark not in said
    assert any(isinstance(block, Picture) for block in reports.analyst.blocks)
    after = run(session, approach)
    assert after.shows_rows and "20s" in texts(after.release) and "Export the file first" not in texts(after.release)


@pytest.mark.parametrize("approach", AnonymityKind)
def test_before_a_file_has_left_its_report_does_not_depend_on_the_outcome(
    session: Session, approach: AnonymityKind
) -> None:
    first = run(session, approach, exported=False).release
    path = session.data.reading.path
    lines = path.read_text(encoding="utf-8").splitlines()
    other = path.with_name("other.csv")
    other.write_text("\n".join([lines[0], *lines[1:1400], *lines[-17:]]) + "\n", encoding="utf-8")
    again = Session(session.project)
    again.ledger.use_file(path.with_name("other ledger.jsonl"))
    again.data.open(other)
    assert run(again, approach, exported=False).release == first


def test_beyond_the_budget_there_is_nothing_to_report(session: Session) -> None:
    session.ledger.current.set_budget(Fraction(1, 2), Fraction(1, 10**6))
    with pytest.raises(WorkbenchError, match="beyond the budget"):
        session.release.anonymise()
    with pytest.raises(WorkbenchError, match="no result"):
        session.reports.maker()


def test_answers_are_told_in_words(session: Session) -> None:
    said = ReleasedAnswer(AnswerForm.NUMBER, 41.5, shown="41.5", unit="years").to_json()
    charge = Charge("query", "mean of age", Fraction(1, 10))
    session.ledger.current.answer(session.ledger.current.charge(charge).id, {"answers": [said]})
    told = texts(run(session, exported=False).release)
    assert "mean of age" in told and "41.5 years" in told and "{" not in told


def test_the_analyst_report_tells_what_the_other_must_not(session: Session) -> None:
    reports = run(session)
    said = texts(reports.analyst)
    outcome = session.release.result.outcome  # type: ignore[union-attr]
    for mark in ("secretfile.csv", "3,017", f"{outcome.suppressed:,}", f"{len(outcome.sampled_rows):,}", "Prosecutor"):
        assert mark in said
    assert reports.analyst.analyst and not reports.release.analyst


def test_the_analyst_report_says_so_everywhere(session: Session) -> None:
    page = html_of(run(session).analyst)
    assert ANALYST in page and 'role="note"' in page
    assert ANALYST not in html_of(run(session).release)


def test_the_reasons_against_a_claim_are_told_to_both(session: Session) -> None:
    session.release.columns.set_levels_blind(False)
    reports = run(session)
    assert "No (ε, δ) claim is made" in texts(reports.release)
    assert "It does not hold" in texts(reports.analyst)


def test_the_ledger_is_told(session: Session, tmp_path: Path) -> None:
    session.release.anonymise()
    session.release.export(tmp_path / "out.csv")
    said = texts(session.reports.maker()().release)
    assert "Release out.csv" in said and "Together at most ε = 1" in said


def test_there_is_no_report_of_what_is_out_of_date(session: Session) -> None:
    with pytest.raises(WorkbenchError, match="no result"):
        session.reports.maker()
    session.release.anonymise()
    session.release.columns.set_level("age", 2)
    with pytest.raises(WorkbenchError, match="out of date"):
        session.reports.maker()


class Outline(HTMLParser):
    """Headings, pictures and identifiers of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.levels: list[int] = []
        self.pictures: list[str] = []
        self.ids: list[str] = []
        self.tags: list[str] = []
        self.fetched: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append(tag)
        if re.fullmatch("h[1-6]", tag):
            self.levels.append(int(tag[1]))
        if tag == "svg":
            assert found["role"] == "img"
            self.pictures.append(found["aria-label"] or "")
        if "id" in found:
            self.ids.append(found["id"] or "")
        self.fetched += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href")]


@pytest.mark.parametrize("which", ["release", "analyst"])
def test_a_page_is_one_file_that_everybody_can_read(session: Session, which: str) -> None:
    page = html_of(getattr(run(session), which))
    outline = Outline(page)
    assert page.startswith("<!doctype html>") and '<html lang="en">' in page
    assert outline.levels[0] == 1 and outline.levels.count(1) == 1
    assert all(after <= before + 1 for before, after in zip(outline.levels, outline.levels[1:], strict=False))
    assert outline.pictures and all(len(words) > 20 for words in outline.pictures)
    assert len(outline.ids) == len(set(outline.ids))
    assert all(one.startswith("#") and one[1:] in outline.ids for one in outline.fetched)
    assert set(re.findall(r"url\(#([^)]+)\)", page)) <= set(outline.ids)
    assert "@media print" in page and "script" not in outline.tags
    assert "</svg>" in page and "<text" in page  # texts of pictures stay texts


def test_texts_of_the_data_do_not_become_markup() -> None:
    evil = "<img src=x onerror=alert(1)>&\"'"
    page = html_of(
        Report(
            evil,
            (ReportHeading(evil), Paragraph(evil), Bullets((evil,)), ReportTable((evil,), ((evil,),))),
            analyst=False,
        )
    )
    assert "<img" not in page and "&lt;img" in page


def test_a_pdf_has_text_and_names_its_pages(session: Session) -> None:
    content = pdf_of(run(session).analyst)
    assert content.startswith(b"%PDF-1.")
    assert content.count(b"/Type /Page ") >= 3
    assert b"(Analyst report)" in content and b"CreationDate" not in content
    assert b"/Subtype /Image" not in content  # charts are drawn and not pixels
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", content, re.DOTALL)
    # A stream may itself end with what begins the end of its line, so that its last byte is not found.
    inflated = b"".join(zlib.decompressobj().decompress(one) for one in streams if one[:1] == b"x")
    assert inflated.count(b" Tj") + inflated.count(b" TJ") > 100


def test_long_and_strange_texts_fit_on_pages() -> None:
    rows = tuple((f"row {i}", "x" * 300, "$1 and _2^3 " * 20, "漢字 \U0001f600") for i in range(60))
    report = Report(
        "All sorts",
        (
            Paragraph("word " * 3000), Paragraph("$unclosed", Tone.VOID), ReportTable(("a", "b", "c", "d"), rows),
            ReportHeading("Last"), ReportTable((), ()), Bullets(("",)),
        ),
        analyst=False,
    )  # fmt: skip
    assert pdf_of(report).count(b"/Type /Page ") > 5


def test_lines_are_as_wide_as_they_may_be() -> None:
    lines = lines_of("a line of several words and averyveryverylongwordwithoutanyspaces\nnext", 80.0, 9.0)
    assert "".join(lines).replace(" ", "") == "alineofseveralwordsandaveryveryverylongwordwithoutanyspacesnext"
    assert all(width_of(line, 9.0, False) <= 80.5 for line in lines)
    assert len(lines) > 4 and lines[-1] == "next"


def test_the_same_result_gives_the_same_bytes(session: Session) -> None:
    session.release.set_seed(3)
    one, two = run(session), session.reports.maker()()
    for first, second in ((one.release, two.release), (one.analyst, two.analyst)):
        assert html_of(first) == html_of(second)
    assert pdf_of(one.release) == pdf_of(two.release)


AGAIN = """
import sys
from pathlib import Path
from workbench.report.content import ReportTable, Paragraph, Picture, Report
from workbench.report.html_report import html_of
from workbench.report.pdf_report import pdf_of
from workbench.plots import released_values
import hashlib, numpy as np
data = released_values.ReleasedValues("c", ("ä", "b"), np.array([3, 4]))
parts = (Paragraph("ε δ β"), Picture("p", released_values, data), ReportTable(("x",), (("y",),)))
report = Report("t", parts, analyst=True)
print(hashlib.sha256(html_of(report).encode() + pdf_of(report)).hexdigest())
"""


def test_another_process_gives_the_same_bytes() -> None:
    found = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": "Asia/Tokyo" if seed == "2" else "UTC"}
        done = subprocess.run(
            [sys.executable, "-c", AGAIN], capture_output=True, text=True, check=True, env=environment
        )
        found.add(done.stdout)
    assert len(found) == 1


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX permissions")
def test_analyst_reports_are_for_their_owner_only(session: Session, tmp_path: Path) -> None:
    reports = run(session)
    for report, private in ((reports.release, False), (reports.analyst, True)):
        write_report(report, tmp_path / "r.html")
        assert ((tmp_path / "r.html").stat().st_mode & 0o077 == 0) == private


def test_a_report_does_not_replace_the_data(session: Session) -> None:
    data = session.data.reading.path
    before = data.read_bytes()
    with pytest.raises(WorkbenchError, match="must not be overwritten"):
        write_report(run(session).release, data, protected=session.ledger.protected)
    assert data.read_bytes() == before


def test_a_page_of_the_program_becomes_a_part_of_a_report() -> None:
    html = (
        "<h1>Title</h1><p class='verdict void'>No &amp; never.</p><section><h2>Part</h2><ul><li>one <em>two</em></li>"
        "<li>three</li></ul><table><thead><tr><th></th><th>B</th></tr></thead><tbody><tr><th>a</th><td>1</td></tr>"
        "</tbody></table></section><script>alert(1)</script>"
    )
    assert blocks_of(html) == (
        Paragraph("No & never.", Tone.VOID),
        ReportHeading("Part", 2),
        Bullets(("one two", "three")),
        ReportTable(("", "B"), (("a", "1"),)),
    )
