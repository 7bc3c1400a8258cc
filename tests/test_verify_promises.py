"""`workbench verify` finds every statement that was forged: every number, sentence and verdict, one at a time.

The edits are made from the documents themselves, so whatever a statement comes to say is forged too. Statements of
version 1 are kept in `data/statements`, see `test_verify_version_1`.
"""

from __future__ import annotations

import copy
import json
import re
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.forging import AGES, FILE, NOTE, PAGE, copied, edits, released, text_edits, verify, with_facts, write_anew
from workbench.cli.main import main
from workbench.core.hierarchy import Hierarchy
from workbench.io.hierarchy_csv import write_hierarchy
from workbench.report.older_sentences import WORDINGS, recognised
from workbench.report.proof import NOT_SIGNED
from workbench.report.recheck_cost import RECOMPUTATIONS, cost_of
from workbench.report.statement import statement_body, statement_page
from workbench.report.well_formed import MECHANISM_KEYS

pytestmark = pytest.mark.usefixtures("thousands_verified")

DP = ("--epsilon", "2", "--delta", "1e-3", "--beta", "best")
CASES: dict[str, tuple[str, ...]] = {
    "plain": ("--hierarchy", "age={public}", *DP, "--level", "age=1", "--group", "illness"),
    "told": ("--hierarchy", "age={derived}", *DP, "--level", "age=2", "--group", "illness"),
    "drawn": ("--hierarchy", "age={public}", *DP, "--search", "dp", "--search-epsilon", "0.23456",
              "--where", "age > 20", "--sample", "0.95", "--person", "name", "--limit-rows", "--rows-per-person", "2"),
    "degree": ("--hierarchy", "age={public}", *DP, "--degree", "medium", "--accounting", "classical", "--beta", "max"),
    "void": ("--hierarchy", "age={derived}", *DP, "--level", "age=1", "--keep", "illness", "--seed", "3"),
    "void drawn": ("--hierarchy", "age={public}", *DP, "--search", "dp", "--search-epsilon", "0.2",
                   "--keep", "illness"),
    "words": ("--hierarchy", "age={public}", *DP, "--level", "age=1", "--template", "{template}"),
    "second": ("--hierarchy", "age={public}", *DP, "--level", "age=1"),
    "models": ("--hierarchy", "age={public}", "--level", "age=1", "--model", "k=5", "--model", "l=2:illness"),
    "local": ("--hierarchy", "age={public}", "--model", "k=5", "--local-recoding", "--suppression-limit", "0.5"),
}  # fmt: skip
NO_WORDS_CHECKED = (
    "The words and the logo of “Office of Statistics & Census” at the top and the end, on which nothing that is stated "
    "rests."
)


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a release of every kind."""
    return released(tmp_path_factory.mktemp("releases"), CASES, lambda i: 20 + i % 40, twice=("second",))


@pytest.mark.parametrize("case", CASES)
def test_what_was_not_forged_verifies(releases: Path, case: str, quiet: Callable[[], str]) -> None:
    folder = releases / case
    quiet()
    for given in (PAGE, NOTE):
        assert verify(folder, given) == 0, quiet()
        said = quiet()
        assert NOT_SIGNED in said
        assert PAGE in said and NOTE in said
        assert re.findall("Not checked: (.+)", said) == ([NO_WORDS_CHECKED] if case == "words" else [])
    facts = json.loads((folder / NOTE).read_text("utf-8"))
    assert statement_page(facts) == (folder / PAGE).read_text("utf-8")
    again = tuple(map(str, (folder / FILE, "--statement", folder / PAGE, "--metadata", folder / NOTE, "--json")))
    assert main(["verify", *again]) == 0
    found = json.loads(quiet())
    assert found["statement"]["compared"] == [PAGE, NOTE]
    promised = facts["release"]["promised"]
    if promised is not None:
        assert found["statement"]["delta"] <= promised["delta"]
        assert found["statement"]["epsilon"] <= promised["epsilon"]


@pytest.mark.parametrize("case", CASES)
def test_every_edit_of_a_page_is_found(releases: Path, tmp_path: Path, case: str, quiet: Callable[[], str]) -> None:
    folder = copied(releases / case, tmp_path / "forged")
    (folder / NOTE).unlink()
    page = (folder / PAGE).read_text("utf-8")
    missed, count = [], 0
    for what, changed in text_edits(page):
        write_anew(folder / PAGE, changed)
        count += 1
        if verify(folder) != 1:
            missed.append(what)
    assert count > 80
    assert missed == []


UNSEEN = r"read_back\.levels|release\.columns\.\d+\.hierarchy\.height"
"""On no page where rows have different levels: the note, or the hierarchy, is needed to find it."""


@pytest.mark.parametrize("case", CASES)
def test_every_edit_of_the_facts_in_a_page_is_found_without_a_note(
    releases: Path, tmp_path: Path, case: str, quiet: Callable[[], str]
) -> None:
    folder = copied(releases / case, tmp_path / "forged")
    facts = json.loads((folder / NOTE).read_text("utf-8"))
    (folder / NOTE).unlink()
    page = (folder / PAGE).read_text("utf-8")
    missed = []
    for where, was, now, changed in edits(facts):
        if case == "local" and re.match(UNSEEN, where):
            continue
        write_anew(folder / PAGE, with_facts(page, changed))
        if verify(folder) == 0:
            missed.append(f"{where}: {was} → {now}")
    assert missed == []


@pytest.mark.parametrize("case", CASES)
def test_every_edit_of_a_note_is_found_beside_its_page(
    releases: Path, tmp_path: Path, case: str, quiet: Callable[[], str]
) -> None:
    folder = copied(releases / case, tmp_path / "forged")
    facts = json.loads((folder / NOTE).read_text("utf-8"))
    for number, (where, was, now, changed) in enumerate(edits(facts)):
        write_anew(folder / NOTE, json.dumps(changed))
        quiet()
        assert verify(folder, (PAGE, NOTE)[number % 2]) != 0, (where, was, now)
        said = quiet()
        if number % 2 == 0:
            assert "says" in said, (where, was, now)


TRUE_OR_UNKNOWN = (
    r"date|program\.version|file\.name|file\.texts_made_safe_for_spreadsheets|release\.engine",
    r"file\.written\.quote_all",  # either way the cells are the same
    r"release\.columns\.\d+\.hierarchy\.(origin|height)",
    r"release\.(against|reasons|cautions)\.\d+\.text",  # only where a name or number in it can be another one
    r"release\.cautions",  # a caution that was left out is not missed by anybody
)
"""What may be another one without becoming false for all that a reader can know, or that the file itself decides."""


def harmless(where: str, was: Any, now: Any, *, claimed: bool) -> bool:
    """Whether the edit made the promise weaker, or what it says cannot be known from what is there."""
    if where.startswith("release.mechanisms") or (where == "release.beta" and now > was):
        return not claimed  # where nothing is promised, nothing is false
    if where == "release.rows_per_person":
        return not claimed and now >= 1
    if where == "release.beta":
        return True
    if where.startswith("publisher."):
        return True  # whoever publishes says what they like, in their own place
    return any(re.fullmatch(one, where) for one in TRUE_OR_UNKNOWN)


@pytest.mark.parametrize("case", CASES)
def test_every_edit_of_page_facts_and_note_at_once_is_found_unless_it_is_true(
    releases: Path, tmp_path: Path, case: str, quiet: Callable[[], str]
) -> None:
    folder = copied(releases / case, tmp_path / "forged")
    facts = json.loads((folder / NOTE).read_text("utf-8"))
    missed, found = [], 0
    for where, was, now, changed in edits(facts):
        if case == "local" and re.match(UNSEEN, where):
            continue
        try:
            page = statement_page(changed)
        except Exception:
            continue
        write_anew(folder / PAGE, page)
        write_anew(folder / NOTE, json.dumps(changed))
        quiet()
        code = verify(folder)
        found += code != 0
        if code == 0:
            assert NOT_SIGNED in quiet()
            if not harmless(where, was, now, claimed=facts["release"]["claim"]):
                missed.append(f"{where}: {was} → {now}")
    assert found > 30
    assert missed == []


def test_a_stronger_promise_is_found_by_its_price(releases: Path, tmp_path: Path, quiet: Callable[[], str]) -> None:
    folder = copied(releases / "plain", tmp_path / "forged")
    facts = json.loads((folder / NOTE).read_text("utf-8"))

    def told(**changes: Any) -> tuple[int, str]:
        changed = copy.deepcopy(facts)
        release = changed["release"]
        for name, value in changes.items():
            for inner in (release, release["promised"], release["mechanisms"][0]):
                if name in inner:
                    inner[name] = value
        write_anew(folder / PAGE, statement_page(changed))
        write_anew(folder / NOTE, json.dumps(changed))
        quiet()
        return verify(folder), quiet()

    assert told()[0] == 0
    for forged_promise in ({"epsilon": 0.2}, {"delta": 1e-9}, {"beta": 0.9}, {"rows_per_person": 3}):
        code, said = told(**forged_promise)
        assert code == 1
        assert "is stated, and" in said
    for weaker in ({"epsilon": 3.0}, {"delta": 1e-2}):
        code, said = told(**weaker)
        assert code == 0
        assert NOT_SIGNED in said


def test_a_claim_cannot_be_made_out_of_a_statement_without_one(
    releases: Path, tmp_path: Path, quiet: Callable[[], str]
) -> None:
    honest = json.loads((releases / "plain" / NOTE).read_text("utf-8"))["release"]
    folder = copied(releases / "void", tmp_path / "forged")
    facts = json.loads((folder / NOTE).read_text("utf-8"))
    taken = ("claim", "promised", "mechanisms", "terms", "checked", "asserted", "reasons", "against", "cautions")
    facts["release"].update({name: honest[name] for name in taken})
    write_anew(folder / PAGE, statement_page(facts))
    write_anew(folder / NOTE, json.dumps(facts))
    assert verify(folder) == 1
    said = quiet()
    for words in ("simulation", "no part in the grouping: illness", "“age” is not public"):
        assert words in said


def test_no_total_is_claimed_with_a_release_that_has_no_claim(
    releases: Path, tmp_path: Path, quiet: Callable[[], str]
) -> None:
    second = json.loads((releases / "second" / NOTE).read_text("utf-8"))["release"]
    folder = copied(releases / "void", tmp_path / "forged")
    facts = json.loads((folder / NOTE).read_text("utf-8"))
    facts["release"]["cautions"] = [one for one in second["cautions"] if one["code"] == "earlier-releases"]
    assert "Together they are" in facts["release"]["cautions"][0]["text"]
    write_anew(folder / PAGE, statement_page(facts))
    write_anew(folder / NOTE, json.dumps(facts))
    assert verify(folder) == 1
    assert "for it together with others" in quiet()


@pytest.mark.parametrize(
    "harm",
    [
        lambda page: page.replace("</style>", ".void{display:none}</style>"),
        lambda page: page.replace("</main>", "<p>All of this is certified.</p></main>"),
        lambda page: page.replace("</body>", "<script>document.body.innerHTML=''</script></body>"),
        lambda page: page.replace("</head>", '<link rel="stylesheet" href="x.css"></head>'),
        lambda page: page.replace("<body>", "<body><h1>ε = 0.1</h1>"),
        lambda page: page.replace('class="verdict', 'style="color:#fff" class="verdict'),
        lambda page: page.replace("<h1>Privacy statement</h1>", "<h1>Statement of safety</h1>"),
        lambda page: page + "<p>ε = 0.1</p>",
        lambda page: page.replace("<h2>Columns</h2>", "<h2>Columns</h2><div>ε = 0.1</div>"),
    ],
)
def test_what_is_added_to_a_page_is_found(
    releases: Path, tmp_path: Path, harm: Callable[[str], str], quiet: Callable[[], str]
) -> None:
    folder = copied(releases / "plain", tmp_path / "forged")
    page = (folder / PAGE).read_text("utf-8")
    assert harm(page) != page
    write_anew(folder / PAGE, harm(page))
    assert verify(folder) == 1


def test_differences_are_named(releases: Path, tmp_path: Path, quiet: Callable[[], str]) -> None:
    folder = copied(releases / "plain", tmp_path / "forged")
    page = (folder / PAGE).read_text("utf-8")
    k = json.loads((folder / NOTE).read_text("utf-8"))["release"]["k"]
    write_anew(folder / PAGE, page.replace(f"{k} rows</td>", "99 rows</td>"))
    quiet()
    assert verify(folder) == 1
    said = quiet()
    assert "No: what is stated about the file does NOT hold." in said
    assert f"Smallest released group k: the page says “99 rows”, and the facts in it give “{k} rows”." in said
    write_anew(folder / PAGE, page)
    note = (folder / NOTE).read_text("utf-8")
    write_anew(folder / NOTE, note.replace('"claim": true', '"claim": false'))
    assert verify(folder) == 1
    assert f"release.claim: “{PAGE}” says True, and “{NOTE}” says False." in quiet()
    write_anew(folder / NOTE, note.replace('"claim": true', '"claim": true, "claim": true'))
    assert verify(folder) == 2
    assert "twice" in quiet()


def test_the_file_must_be_the_one(releases: Path, tmp_path: Path, quiet: Callable[[], str]) -> None:
    folder = copied(releases / "told", tmp_path / "forged")
    file = folder / FILE
    assert {line.split(",")[0] for line in file.read_text("utf-8").splitlines()[1:]} == {"*"}
    file.write_text(file.read_text("utf-8").replace("*,", "30s,"), encoding="utf-8")
    assert verify(folder) == 1
    said = quiet()
    assert "“30s”" in said
    assert "fingerprint" in said


def test_verifying_the_promise_takes_no_time(releases: Path, quiet: Callable[[], str]) -> None:
    facts = json.loads((releases / "drawn" / NOTE).read_text("utf-8"))
    start = time.thread_time()
    cost_of(facts["release"])
    statement_body(facts)
    assert time.thread_time() - start < 5  # of the processor; a few milliseconds are usual


# What mechanisms cost


def test_every_mechanism_has_its_price() -> None:
    release = {"beta": 0.2759676, "k": 12, "accounting": "exact", "rows_per_person": 1}
    sampling = {"kind": "sampling", "epsilon": 1.0, "delta": 1e-5}
    levels = {"kind": "private-levels", "epsilon": 0.25, "draw": "permute-and-flip", "score": "kept-detail"}
    assert set(RECOMPUTATIONS) == {"sampling", "trimming", "private-levels"}
    together = cost_of({**release, "mechanisms": [levels, sampling]})
    assert (together.epsilon, together.delta) == (Fraction(5, 4), Fraction(1, 10**5))
    worse = cost_of({**release, "k": 11, "mechanisms": [sampling]})
    assert float(worse.delta) == pytest.approx(2.38e-5, rel=1e-2)  # by brute force over all groups


def test_delta_is_that_of_an_enumeration() -> None:
    """Both divergences of the thresholded binomial in fractions, over groups of up to 60 rows."""
    from math import comb, exp

    beta, k, epsilon = Fraction(1, 4), 4, 1.0
    grow = Fraction(exp(epsilon))

    def seen(rows: int) -> dict[int, Fraction]:
        chances: dict[int, Fraction] = {}
        for j in range(rows + 1):
            out = j if j >= k else 0
            chances[out] = chances.get(out, Fraction(0)) + comb(rows, j) * beta**j * (1 - beta) ** (rows - j)
        return chances

    worst = Fraction(0)
    for rows in range(1, 61):
        more, less = seen(rows), seen(rows - 1)
        for one, other in ((more, less), (less, more)):
            worst = max(worst, sum(max(Fraction(0), p - grow * other.get(out, Fraction(0))) for out, p in one.items()))
    sampling = {"kind": "sampling", "epsilon": epsilon, "delta": 1e-12}
    release = {"beta": 0.25, "k": k, "accounting": "exact", "rows_per_person": 1, "mechanisms": [sampling]}
    assert float(cost_of(release).delta) == pytest.approx(float(worst), rel=1e-9)
    assert cost_of(release).delta >= worst


# Sentences


def test_every_reason_and_caution_that_may_be_published_is_known() -> None:
    from workbench import anonymise

    folder = Path(str(anonymise.__path__[0]))
    sources = [path.read_text("utf-8") for path in folder.glob("*.py")]
    codes = {code for source in sources for code in re.findall(r'Reason\(\s*"([a-z-]+)"', source)}
    private = {"person-or-row", "large-delta"}  # never on a page
    assert codes - private == {code for code, _, _ in WORDINGS}


def test_sentences_are_recognised_and_reworded_ones_are_not() -> None:
    for code, text, remedy in WORDINGS:
        said = f"{text} {remedy}".replace("{column}", "age").replace("{origin}", "sorted")
        said = re.sub(r"\{\w+\}", "3", said)
        known = recognised(said)
        assert known is not None
        assert known.code == code
        assert recognised(said.replace(".", " not.", 1)) is None
        assert recognised(f"{said} It is safe.") is None


# What nobody would compare with anything


def _edited(*path: str | int, value: Any) -> Callable[[dict[str, Any]], None]:
    def edit(facts: dict[str, Any]) -> None:
        inner: Any = facts
        for name in path[:-1]:
            inner = inner[name]
        inner[path[-1]] = value

    return edit


def _said(terms: dict[str, str], checked: str, asserted: str = "") -> Callable[[dict[str, Any]], None]:
    """Terms of a claim, with the sentences that follow from them."""

    def edit(facts: dict[str, Any]) -> None:
        release = facts["release"]
        release["terms"].update(terms)
        release["checked"].append(checked)
        place = "what counts as missing, "
        release["asserted"] = [line.replace(place, place + asserted) for line in release["asserted"]]

    return edit


def _not_added_up(facts: dict[str, Any]) -> None:
    facts["release"]["terms"]["near"] = "not added up"
    said, near = "besides those counted here", " and those of nearly the same data"
    facts["release"]["asserted"] = [line.replace(said, said + near) for line in facts["release"]["asserted"]]


def _caution(code: str, text: str, remedy: str) -> Callable[[dict[str, Any]], None]:
    return _edited("release", "cautions", value=[{"code": code, "text": text, "remedy": remedy}])


def _made_by_a_stranger(facts: dict[str, Any]) -> None:
    stranger = {"distribution": "stranger", "version": "1", "trusted": False}
    facts["release"]["columns"][0]["hierarchy"]["plugin"] = stranger
    facts["release"]["asserted"].append("The hierarchy of “age” comes from stranger 1, which the publisher trusts.")


NOBODY_COMPARES: dict[str, Callable[[dict[str, Any]], None]] = {
    "no fingerprint": _edited("file", "sha256", value=""),
    "a sentence as version": _edited("program", "version", value="1, certified by the state,"),
    "a sentence as day": _edited("date", value="2026-01-01 and certified"),
    "no such day": _edited("date", value="2026-02-30"),
    "a further promise": _edited("epsilon", value=0.1),
    "a further promise inside": _edited("release", "promised", "epsilon_in_practice", value=0.1),
    "a further fact": _edited("release", "certified", value=True),
    "a further term": _edited("release", "terms", "safe", value=True),
    "a further fact of a column": _edited("release", "columns", 0, "safe", value=True),
    "a further fact of a file": _edited("read_back", "safe", value=True),
    "not checked": _edited("read_back", "unchecked", value=["Nothing, all of it is certified."]),
    "parts": _edited("file", "parts", value=7),
    "negative parts": _edited("file", "parts", value=-7),
    "negative texts": _edited("file", "texts_made_safe_for_spreadsheets", value=-5),
    "texts that are none": _edited("file", "texts_made_safe_for_spreadsheets", value=True),
    "a sentence as degree": _said(
        {"degree": "low”, which is safe, “"},
        "The levels follow from the degree “low”, which is safe, “” and the heights of the hierarchies alone.",
    ),
    "a sentence as filter": _said(
        {"where": "all of this certified and age > 3"},
        "Only rows with all of this certified and age > 3 took part; each row was judged by itself alone.",
        "which rows take part, ",
    ),
    "a plug-in that is not trusted": _made_by_a_stranger,
    "a caution that was left out": _not_added_up,
    "a reason as caution": _caution("ledger", *next(words for code, *words in WORDINGS if code == "ledger")),
    "nothing added up": _caution(
        "earlier-releases",
        "This is release number 2 of this data. Together they are (2, 0.001)-differentially private, by adding up.",
        "Count every release of the same data.",
    ),
    "an endless number": _caution(
        "earlier-releases",
        "This is release number 2 of this data. Together they are (1e999999999, 1)-differentially private, by adding "
        "up.",
        "Count every release of the same data.",
    ),
    "too deep": _edited("release", "terms", "safe", value=json.loads("[" * 400 + "]" * 400)),
    "no name": _edited("file", "name", value=""),
    "a long name": _edited("file", "name", value="x" * 5000),
    "a folder": _edited("file", "name", value="../out.csv"),
    "another kind of version": _edited("version", value=2.0),
    "a version 1 that knows more": _edited("version", value=1),
    "endless": _edited("read_back", "rows", value=float("inf")),
}


@pytest.mark.parametrize("what", NOBODY_COMPARES)
def test_what_is_compared_with_nothing_is_no_place_to_write_in(
    releases: Path, tmp_path: Path, what: str, quiet: Callable[[], str]
) -> None:
    folder = copied(releases / "plain", tmp_path / "forged")
    facts = json.loads((folder / NOTE).read_text("utf-8"))
    NOBODY_COMPARES[what](facts)
    quiet()
    write_anew(folder / NOTE, json.dumps(facts).replace("Infinity", "1e999"))
    try:
        write_anew(folder / PAGE, statement_page(facts))
    except (ValueError, OverflowError):
        (folder / PAGE).unlink()
    for given in (PAGE, NOTE):
        if (folder / given).exists():
            assert verify(folder, given) in (1, 2)
            said = quiet()
            assert "NOT" in said or "workbench: " in said
            assert "unexpected" not in said
    (folder / PAGE).unlink(missing_ok=True)
    assert verify(folder, NOTE) in (1, 2)


def test_another_file_with_equal_counts_is_found_whatever_the_statement_says(
    releases: Path, tmp_path: Path, quiet: Callable[[], str]
) -> None:
    folder = copied(releases / "plain", tmp_path / "forged")
    facts = json.loads((folder / NOTE).read_text("utf-8"))
    facts["file"]["sha256"] = ""
    write_anew(folder / PAGE, statement_page(facts))
    write_anew(folder / NOTE, json.dumps(facts))
    file = folder / FILE
    file.write_text(file.read_text("utf-8").replace("gout", "acne"), encoding="utf-8")
    assert verify(folder) == 1
    assert "SHA-256" in quiet()


def test_a_claim_of_words_that_cannot_be_is_found_in_a_statement_without_one(
    releases: Path, tmp_path: Path, quiet: Callable[[], str]
) -> None:
    folder = copied(releases / "void", tmp_path / "forged")
    facts = json.loads((folder / NOTE).read_text("utf-8"))
    drawn = {"kind": "private-levels", "epsilon": 0.1, "draw": "a certified way", "score": "classes"}
    facts["release"]["mechanisms"].insert(0, drawn)
    write_anew(folder / PAGE, statement_page(facts))
    write_anew(folder / NOTE, json.dumps(facts))
    assert verify(folder) == 1


@pytest.mark.parametrize("case", ["plain", "models"])
@pytest.mark.parametrize("words", ["</SCRIPT ><h1>ε = 0.1</h1>", "</script/><h1>ε = 0.1</h1>", "<!--<script>"])
def test_nothing_leaves_the_facts_of_a_page_for_its_text(
    releases: Path, tmp_path: Path, case: str, words: str, quiet: Callable[[], str]
) -> None:
    """Browsers end a script at more than `</script>`, and show what follows."""
    folder = copied(releases / case, tmp_path / "forged")
    (folder / NOTE).unlink()
    page = (folder / PAGE).read_text("utf-8")
    changed = page.replace('{"format": ', f'{{"also": "{words}", "format": ', 1)
    assert changed != page
    write_anew(folder / PAGE, changed)
    quiet()
    assert verify(folder) == 1
    assert "Around its text" in quiet()


def test_texts_with_line_ends_of_other_systems_verify(tmp_path: Path, quiet: Callable[[], str]) -> None:
    """Whoever reads a page reads all ends of lines alike."""
    hierarchy, data = tmp_path / "h.csv", tmp_path / "data.csv"
    write_hierarchy(Hierarchy.from_rows(AGES, origin="tens\rand\r\nmore <&"), hierarchy)
    rows = [f"{20 + i % 40},{'flu' if i % 3 else 'gout'}" for i in range(900)]
    data.write_text("\n".join(["age,illness", *rows]) + "\n", encoding="utf-8")
    out = tmp_path / "out"
    out.mkdir()
    where = ("--where", "illness != 'a\rb' and illness != 'c\r\nd'")
    written = ("--out", out / FILE, "--statement", out / PAGE, "--metadata", out / NOTE)
    words = ("anonymise", data, "--hierarchy", f"age={hierarchy}", "--level", "age=1", *DP, *where, *written)
    assert main(list(map(str, words))) == 0, quiet()
    for given in (PAGE, NOTE):
        assert verify(out, given) == 0, quiet()


def test_every_mechanism_has_its_facts() -> None:
    assert set(MECHANISM_KEYS) == set(RECOMPUTATIONS)
