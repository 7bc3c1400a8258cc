"""What the publisher says in a statement: in its own place, checked by nobody, and nothing else changed by it."""

from __future__ import annotations

import base64
import json
import shutil
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import workbench as wb
from tests.forging import FILE, NOTE, PAGE, WORDS, png, released, verify
from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.io.logo import LARGEST_LOGO, MOST_PIXELS, Logo, read_logo
from workbench.report.note import VERSION, read_document
from workbench.report.page import dissected
from workbench.report.publisher import PUBLISHER, WITH_PUBLISHER, Publisher, PublisherTemplate, read_template
from workbench.report.statement import statement_page, title_of

DP = ("--hierarchy", "age={public}", "--epsilon", "2", "--delta", "1e-3", "--level", "age=1")
CASES = {
    "trimmed": DP,
    "sampled": (*DP, "--beta", "best"),
    "models": ("--hierarchy", "age={public}", "--level", "age=1", "--model", "k=5"),
}


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Releases with the words of a publisher."""
    cases = {name: (*words, "--template", "{template}") for name, words in CASES.items()}
    return released(tmp_path_factory.mktemp("published"), cases, lambda i: 20 + i % 40)


def template(folder: Path, **changes: Any) -> Path:
    """A template with these entries in the place of its own; None leaves one out."""
    said = {name: value for name, value in (WORDS | changes).items() if value is not None}
    (folder / "logo.png").write_bytes(png(40, 10))
    path = folder / "template.json"
    path.write_text(json.dumps(said), encoding="utf-8")
    return path


@pytest.mark.parametrize("case", CASES)
def test_the_statement_stays_as_it_is_between_the_words(releases: Path, case: str) -> None:
    folder = releases / case
    page, facts = (folder / PAGE).read_text("utf-8"), json.loads((folder / NOTE).read_text("utf-8"))
    assert facts["version"] == VERSION >= WITH_PUBLISHER
    own = {name: value for name, value in facts.items() if name != PUBLISHER}
    before = statement_page({**own, "version": VERSION})
    bodies = [dissected(text, title_of(facts)).body for text in (page, before)]
    top, _, end = bodies[0].partition(bodies[1])
    assert bodies[1] and bodies[0] == top + bodies[1] + end
    assert "Office of Statistics &amp; Census" in top and "<img " in top
    heading = "<h2>Words of “Office of Statistics &amp; Census”, not of the workbench</h2>"
    assert end.startswith(f"<section>{heading}")
    assert "&lt;office.example&gt;" in end
    assert verify(folder) == 0


class _Marks(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, frozenset[str]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, frozenset(name for name, _ in attrs)))


def test_words_are_never_marks(tmp_path: Path) -> None:
    nasty = '<script>alert(1)</script><img src=x onerror="y"></blockquote></section><h1 class=verdict>'
    publisher = Publisher("A <b> & 'c'", (nasty, "&lt;b&gt;"), "</p>", Logo.of(png(9, 9)))
    marks = _Marks()
    marks.feed(publisher.around(""))
    plain: list[tuple[str, frozenset[str]]] = [
        ("p", frozenset()),
        ("p", frozenset()),
        ("section", frozenset()),
        ("h2", frozenset()),
    ]
    plain[1:1] = [("img", frozenset({"src", "width", "height", "alt"}))]
    assert marks.seen == [*plain, ("p", frozenset()), ("blockquote", frozenset()), *[("p", frozenset())] * 3]


@pytest.mark.parametrize(
    ("entry", "value", "said"),
    [
        ("institution", None, "the institution is missing"),
        ("institution", "", "is empty"),
        ("institution", "  ", "is empty"),
        ("institution", "A” and the workbench says “b", "quotation marks"),
        ("institution", "x" * 121, "121 characters"),
        ("institution", 3, "must be a text"),
        ("institution", "Office\u202eecnedifnoc", "not shown"),
        ("contact", "a\x1b[2Jb", "not shown"),
        ("contact", "a\nb", "not shown"),
        ("sentences", "One.", "must be a list"),
        ("sentences", ["One.", 2], "must be a text"),
        ("sentences", ["One.\nWhat the program checked"], "sentence 1"),
        ("sentences", ["One.", "a\tb"], "sentence 2"),
        ("sentences", ["zero\u200bwidth"], "not shown"),
        ("sentences", ["x" * 601], "601 characters"),
        ("sentences", ["Again."] * 13, "13 sentences"),
        ("logo", 1, "must be a text"),
        ("logo", "missing.png", "cannot be read"),
        ("logo", ".", "no ordinary file"),
        ("logo", "a\0b", "as no file can be"),
        ("slogan", "Best data.", "no entry “slogan”"),
    ],
)
def test_what_cannot_stand_there_is_refused_in_words(tmp_path: Path, entry: str, value: object, said: str) -> None:
    with pytest.raises(WorkbenchError) as caught:
        read_template(template(tmp_path, **{entry: value}))
    assert said in str(caught.value)
    assert caught.value.hint


@pytest.mark.parametrize(
    "text", ["", "[1]", "{", '{"institution": "\\ud800"}', '{"institution": "A", "institution": "B"}']
)
def test_what_is_no_template_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "template.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(WorkbenchError, match="template"):
        read_template(path)


def test_blanks_are_tidied_and_a_short_template_is_enough(tmp_path: Path) -> None:
    path = template(tmp_path, institution=" Office   of X ", sentences=None, contact=None, logo=None)
    assert read_template(path) == PublisherTemplate(Publisher("Office of X"), file=path)


JPEG_PARTS = {
    "start": b"\xff\xd8",
    "jfif": b"\xff\xe0\x00\x13JFIF\0\x01\x01\0\0\x01\0\x01\x01\x01abc",
    "place": b"\xff\xe1\x00\x0eExif\0\0secret",
    "words": b"\xff\xfe\x00\x08secret",
    "table": b"\xff\xdb\x00\x43" + bytes(65),
    "frame": b"\xff\xc0\x00\x0b\x08\x00\x05\x00\x07\x01\x01\x11\x00",
    "codes": b"\xff\xc4\x00\x15" + bytes(19),
    "scan": b"\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00" + b"\x12\xff\x00\x34\xff\xd0\x56",
    "end": b"\xff\xd9",
}
JPEG = b"".join(JPEG_PARTS.values())


def test_a_logo_is_its_picture_and_nothing_beside_it(tmp_path: Path) -> None:
    told = ((b"tEXt", b"Author\0secret"), (b"eXIf", b"secret"), (b"acTL", bytes(8)))
    made = Logo.of(png(30, 20, *told) + b"secret")
    assert (made.media, made.width, made.height, made.content) == ("image/png", 30, 20, png(30, 20))
    photo = Logo.of(JPEG + b"secret")
    assert (photo.media, photo.width, photo.height) == ("image/jpeg", 7, 5)
    assert b"secret" not in photo.content and b"abc" not in photo.content
    for one in (made, photo):
        assert Logo.of(one.content) == one
        assert Logo.from_text(one.text) == one
        assert "secret" not in repr(one)


def without(part: str) -> bytes:
    """A JPEG that lacks a part."""
    return b"".join(data for name, data in JPEG_PARTS.items() if name != part)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "neither PNG nor JPEG"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>", "neither PNG nor JPEG"),
        (b"GIF89a", "neither PNG nor JPEG"),
        (png(30, 20)[:-1], "not whole"),
        (png(30, 20)[:-12], "not whole"),
        (png(30, 20)[:8], "not whole"),
        (png(30, 20).replace(b"IDAT", b"IDOT"), "damaged"),
        (png(30, 20, (b"SECR", b"x")), "no PNG has"),
        (png(30, 20, (b"IHDR", bytes(13))), "beginning"),
        (png(0, 20), "0 × 20 pixels"),
        (png(MOST_PIXELS + 1, 1), "2,001 × 1 pixels"),
        (png(30, 20, (b"tRNS", bytes(LARGEST_LOGO))), "bytes"),
        (JPEG[:-2], "not whole"),
        (JPEG[:40], "not whole"),
        (without("frame"), "not whole"),
        (without("scan"), "not whole"),
        (b"".join((JPEG_PARTS["start"], JPEG_PARTS["frame"], JPEG[2:])), "beginning"),
        (JPEG.replace(b"\xff\xc0", b"\xff\xc9"), "browsers do not show"),
    ],
)
def test_what_is_no_small_picture_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "logo.png"
    path.write_bytes(content)
    with pytest.raises(WorkbenchError, match=said) as caught:
        read_logo(path)
    assert str(tmp_path) not in str(caught.value)


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ("institution", "x\u202e"),
        ("sentences", ["<b>\n</b>"]),
        ("contact", None),
        ("logo", "data:image/svg+xml;base64," + base64.b64encode(b"<svg/>").decode()),
        ("logo", "data:image/jpeg;base64," + base64.b64encode(png(9, 9)).decode()),
        ("logo", "data:image/png;base64," + base64.b64encode(png(9, 9, (b"tEXt", b"a\0b"))).decode()),
        ("logo", "https://office.example/logo.png"),
        ("motto", "x"),
    ],
)
def test_a_note_holds_nothing_that_no_template_gives(
    releases: Path, tmp_path: Path, entry: str, value: object, quiet: Callable[[], str]
) -> None:
    facts = alone(releases / "trimmed", tmp_path)
    facts[PUBLISHER][entry] = value
    (tmp_path / NOTE).write_text(json.dumps(facts), encoding="utf-8")
    quiet()
    assert verify(tmp_path, NOTE) == 1
    assert "What the publisher says is not as this program writes it: " in quiet()


def alone(folder: Path, to: Path) -> dict[str, Any]:
    """Bring a release elsewhere without its page; returns its note."""
    shutil.copy(folder / FILE, to)
    found: dict[str, Any] = json.loads((folder / NOTE).read_text("utf-8"))
    return found


def test_only_notes_that_say_so_hold_words(releases: Path, tmp_path: Path, quiet: Callable[[], str]) -> None:
    facts = alone(releases / "trimmed", tmp_path)
    (tmp_path / NOTE).write_text(json.dumps(facts | {"version": WITH_PUBLISHER - 1}), encoding="utf-8")
    assert verify(tmp_path, NOTE) == 1
    assert "“publisher” is stated, and notes of this program hold no such thing." in quiet()


def test_what_was_not_checked_is_said_and_not_repeated(releases: Path, quiet: Callable[[], str]) -> None:
    quiet()
    assert verify(releases / "trimmed") == 0
    said = quiet()
    assert "Not checked: The words and the logo of “Office of Statistics & Census”" in said
    assert not any(one in said for one in WORDS["sentences"])


def test_neither_a_place_nor_the_data_is_told(releases: Path) -> None:
    """Tables that differ in a person are published with the same words."""
    notes = [json.loads((releases / case / NOTE).read_text("utf-8")) for case in ("trimmed", "models")]
    assert notes[0][PUBLISHER] == notes[1][PUBLISHER]
    for case in CASES:
        for name in (PAGE, NOTE):
            text = (releases / case / name).read_text("utf-8")
            assert str(releases) not in text and "logo.png" not in text and "template" not in text


@pytest.mark.parametrize("over", ["template.json", "logo.png"])
@pytest.mark.parametrize("option", ["--out", "--statement", "--metadata"])
def test_a_template_and_its_logo_are_never_written_over(
    tmp_path: Path, over: str, option: str, quiet: Callable[[], str]
) -> None:
    path = template(tmp_path)
    before = (tmp_path / over).read_bytes()
    data = tmp_path / "data.csv"
    data.write_text("age\n" + "30\n" * 99, encoding="utf-8")
    wanted = {"--out": "o.csv", "--statement": "s.html", "--metadata": "m.json"} | {option: over}
    words = [word for flag, name in wanted.items() for word in (flag, str(tmp_path / name))]
    common = ["--group", "age", "--out-format", "csv", "--force", "--template", str(path)]
    assert main(["anonymise", str(data), *common, *words]) == 2
    assert "must not be overwritten" in quiet()
    assert (tmp_path / over).read_bytes() == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["data.csv", "logo.png", "template.json"]


def test_words_without_a_statement_are_refused(tmp_path: Path, quiet: Callable[[], str]) -> None:
    data, path = tmp_path / "data.csv", template(tmp_path)
    data.write_text("age\n30\n", encoding="utf-8")
    words = ["--group", "age", "--template", str(path), "--out", str(tmp_path / "o.csv")]
    assert main(["anonymise", str(data), *words]) == 2
    assert "none is written" in quiet()


def test_the_library_writes_them_too(tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_text("job\n" + "cook\n" * 400 + "nurse\n" * 400, encoding="utf-8")
    opened = wb.open(data).describe(job=wb.category(["cook", "nurse"]))
    release = opened.release(["job"], levels={"job": 0})
    release.save(tmp_path / "with.csv", template=template(tmp_path))
    release.save(tmp_path / "without.csv")
    said = [read_document(tmp_path / f"{name}_statement.html").facts for name in ("with", "without")]
    assert said[0][PUBLISHER]["institution"] == WORDS["institution"]
    assert PUBLISHER not in said[1]


def test_statements_of_a_ledger_and_on_pseudonyms_have_them_too(tmp_path: Path) -> None:
    """What the program says stands between the words as alone, and nothing is written where they cannot be."""
    data, words = tmp_path / "people.csv", template(tmp_path)
    data.write_text("id,age\n" + "".join(f"{i},{20 + i % 40}\n" for i in range(300)), encoding="utf-8")
    key, out = wb.new_pseudonym_key(tmp_path / "keys" / "key.pem"), tmp_path / "passed" / "file.csv"
    stated, bad = out.parent / "file_statement.html", tmp_path / "bad.json"
    out.parent.mkdir()
    bad.write_text("{}", encoding="utf-8")
    masked = ["pseudonymise", str(data), "--column", "id", "--key", str(key), "--out", str(out), "--force"]
    assert main([*masked, "--template", str(bad)]) == 2
    assert list(out.parent.iterdir()) == []
    assert main(["query", str(data), "--query", "count", "--epsilon", "0.5"]) == 0
    speaking: list[list[str]] = [[], ["--template", str(words)]]
    pages: list[dict[str, str]] = []
    for more in speaking:
        assert main([*masked, *more]) == 0
        pages.append({stated.name: stated.read_text(encoding="utf-8")})
    for more, found in zip(speaking, pages, strict=True):
        folder = tmp_path / f"pages{len(more)}"
        assert main(["ledger", str(data), "--statements", str(folder), *more]) == 0
        found |= {one.name: one.read_text(encoding="utf-8") for one in folder.iterdir()}
    assert len(pages[0]) == len(pages[1]) == 4
    for name, alone in pages[0].items():
        said = alone[alone.index("<h1>") : alone.rindex("</section>")]
        before, _, behind = pages[1][name].partition(said)
        assert "Office of Statistics &amp; Census" in before and "Office" not in alone, name
        assert "Words of “Office of Statistics &amp; Census”, not of the workbench" in behind
        assert "Whoever published this statement chose" in behind
    assert main(["verify", str(out), "--statement", str(stated)]) == 2


def test_words_for_a_ledger_need_statements(tmp_path: Path, quiet: Callable[[], str]) -> None:
    data = tmp_path / "people.csv"
    data.write_text("age\n30\n", encoding="utf-8")
    assert main(["ledger", str(data), "--template", str(template(tmp_path)), "--set-budget", "1,0"]) == 2
    assert "Add --statements DIR." in quiet()
    assert wb.open(data).budget(2)  # none was set
