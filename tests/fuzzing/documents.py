"""Targets: everything else that is read: projects, recipes, reports, ledgers, statements, channels, settings."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import tempfile
import zipfile
from base64 import b64decode
from dataclasses import replace
from fractions import Fraction
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random

from tests.fuzzing.hunting import Target
from tests.fuzzing.mutating import Mutator
from tests.fuzzing.tables import KEPT, MATERIAL, beginning, change_bytes, change_text, people
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.utility import MetricChoice
from workbench.cli.commands.compare import read_experiment
from workbench.cli.main import main
from workbench.core.building import COMMON, build_hierarchy
from workbench.core.errors import WorkbenchError
from workbench.core.exact import parse_fraction
from workbench.core.hierarchy_checks import check
from workbench.core.paths import resources
from workbench.evaluate.experiment import Experiment
from workbench.evaluate.figure_settings import FigureSettings
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.question import Metric
from workbench.gui.settings import WindowSettings
from workbench.io.hierarchy_csv import read_hierarchy, write_hierarchy
from workbench.io.hierarchy_library import read_specification, write_specification
from workbench.io.json_file import read_json_file
from workbench.io.logo import Logo, read_logo
from workbench.io.trusted_plugins import keep_trust, kept_trust
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.estimation import AUTOMATIC
from workbench.ldp.report_file import Announcement, read_reports
from workbench.mechanisms.above_threshold import AboveThreshold
from workbench.mechanisms.channel_text import parse_channel, read_channel, to_csv
from workbench.mechanisms.channels.above_threshold import parse_streams
from workbench.mechanisms.epsilon import Epsilon
from workbench.mechanisms.neighbours import parse_neighbours, read_graph
from workbench.mechanisms.scores import parse_scores
from workbench.mechanisms.utility import parse_prior
from workbench.project.recovery import Slot
from workbench.project.storage import load_project, save_project
from workbench.query.answer import ReleasedAnswer
from workbench.query.ledger import Charge, Ledger
from workbench.query.ledger_records import history_from_records, records_of
from workbench.query.partition import listed
from workbench.report.certificate import certificate_of
from workbench.report.pseudonym_statement import pseudonym_certificate
from workbench.report.publisher import Publisher, read_template
from workbench.session import Session
from workbench.session.collection.aggregation import aggregator
from workbench.session.query_answers import answers_in

PROJECTS = (*sorted((KEPT / "projects").glob("*")), *sorted((KEPT.parent / "data" / "projects").glob("*")))
DATA = MATERIAL / "people.csv"


def command(*words: object, out: Path | None = None) -> None:
    """Run a command: it does what it was asked for, or says why not and leaves nothing in `out`.

    Raises
    ------
    WorkbenchError
        If it ended with 2, with what it said.
    """
    said, complained = io.StringIO(), io.StringIO()
    before = os.environ.get("WORKBENCH_DEBUG")
    os.environ["WORKBENCH_DEBUG"] = "1"  # what nobody expected is raised and not only told
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(complained):
            try:
                code = main([str(word) for word in words])
            except SystemExit as end:
                code = int(end.code or 0)
    finally:
        os.environ.pop("WORKBENCH_DEBUG")
        if before is not None:
            os.environ["WORKBENCH_DEBUG"] = before
    assert code in (0, 1, 2), f"exit code {code}"
    if code == 2:
        left = (
            []
            if out is None or not out.exists()
            else [one.name for one in out.rglob("*")] or [out.name] * out.is_file()
        )
        assert not left, f"left behind by a command that failed: {left}"
        raise WorkbenchError(complained.getvalue())


def documents(*folders: Path) -> tuple[bytes, ...]:
    """The files of JSON in these folders."""
    return tuple(path.read_bytes() for folder in folders for path in sorted(folder.glob("*.json")))


def change_json(mutator: Mutator, content: bytes) -> bytes:
    return mutator.bytes(content) if mutator.random.random() < 0.15 else mutator.json(json.loads(content))


# Hierarchies


@cache
def hierarchies() -> tuple[bytes, ...]:
    listed = b"1;1-2;*\n2;1-2;*\n3;3-4;*\n"
    return (listed, b"level 0,level 1\na,x\nb,x\n", *(beginning(one) for one in (KEPT / "hierarchies").glob("*.csv")))


def read_hierarchy_file(path: Path, random: Random) -> None:
    found = read_hierarchy(path)
    check(found, None, None)
    again = path.with_name("again.csv")
    write_hierarchy(found, again)
    told = read_hierarchy(again)
    assert list(told.rows()) == list(found.rows()), "other labels after writing and reading"
    assert told.provenance is found.provenance, "another provenance after writing and reading"


def read_note(path: Path, random: Random) -> None:
    """The note beside a hierarchy."""
    (path.parent / "given.csv").write_bytes(b"1;1-2;*\n2;1-2;*\n")
    read_hierarchy_file(path.parent / "given.csv", random)


VALUES = (
    ("1", "2", "30", "40.5", "-3", ""), ("2024-01-01", "1999-12-31", ""), ("a", "b", "ab", "12345", "98765-4321"), (),
    tuple(map(str, range(200))), ("1e308", "-1e308", "5e-324", "nan", "*"),
)  # fmt: skip


def recipes() -> tuple[bytes, ...]:
    return documents(KEPT / "specifications", resources() / "hierarchies")


def read_recipe(path: Path, random: Random) -> None:
    found = read_specification(path)
    again = path.with_name("again.json")
    write_specification(found, again)
    assert read_specification(again) == found, "another recipe after writing and reading"
    build_hierarchy(found, random.choice(VALUES))


# Projects


def change_project(mutator: Mutator, content: bytes) -> bytes:
    def change(name: str, inside: bytes) -> bytes:
        return change_json(mutator, inside) if name.endswith(".json") else change_text(mutator, inside)

    return mutator.zip(content, change)


def projects() -> tuple[bytes, ...]:
    return tuple(path.read_bytes() for path in PROJECTS)


def read_project(path: Path, random: Random) -> None:
    first, second = path.with_name("first.wbench"), path.with_name("second.wbench")
    save_project(load_project(path), first)
    save_project(load_project(first), second)
    assert first.read_bytes() == second.read_bytes(), "another project after saving and loading"


def run_project(path: Path, random: Random) -> None:
    out = path.parent / "out"
    command("run", path, "--data", DATA, "--out", out, "--without-claim", out=out)


def read_recovery(path: Path, random: Random) -> None:
    """A window that starts finds what another one left."""
    folder = path.parent / "recovery"
    folder.mkdir()
    shutil.copy(path, folder / "0123456789abcdef.wbench")
    slot = Slot(folder)
    try:
        for unsaved in slot.left_behind():
            slot.take_over(unsaved)
            return
    finally:
        slot.clear()
    raise WorkbenchError("Nothing is offered.")


def recoveries() -> tuple[bytes, ...]:
    made = []
    for path in PROJECTS:
        content = io.BytesIO(path.read_bytes())
        with zipfile.ZipFile(content, "a") as archive:
            archive.writestr("unsaved.json", json.dumps({"path": "/nowhere/people.wbench"}))
        made.append(content.getvalue())
    return tuple(made)


# Local reports


@cache
def reports() -> tuple[bytes, ...]:
    """Those that are kept, and some that say who takes part."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, "reports.csv")
        words = ("--column", "job", "--domain", "Nurse,Clerk,Cook", "--where", "age > 30", "--protocol", "grr")
        command("collect", DATA, *words, "--epsilon", 1, "--reports", path, "--ledger", Path(place, "spent.jsonl"))
        return (path.read_bytes(), *(path.read_bytes() for path in sorted((KEPT / "reports").glob("*.csv"))))


def change_reports(mutator: Mutator, content: bytes) -> bytes:
    head, _, rest = content.partition(b"\n")

    def announced() -> bytes:
        below = change_text(mutator, rest) if mutator.random.random() < 0.3 else rest
        # What is announced must stand in one line.
        return b"# " + mutator.json(json.loads(head.lstrip(b"# "))).replace(b"\n", b" ") + b"\n" + below

    return mutator.one_of(
        announced, announced, lambda: head + b"\n" + change_text(mutator, rest), lambda: mutator.bytes(content)
    )


def aggregate_reports(path: Path, random: Random) -> None:
    announcement = read_reports(path).announcement
    told = announcement.to_json()
    again = Announcement.from_json(json.loads(json.dumps(told, allow_nan=False, ensure_ascii=False).encode()))
    assert again.to_json() == told, "another announcement after writing and reading"
    aggregator([path], AUTOMATIC, top=random.choice((0, 3)))()


# Ledgers


def ledgers() -> tuple[bytes, ...]:
    return tuple(path.read_bytes() for path in sorted((KEPT / "ledgers").glob("*.jsonl")))


def change_ledger(mutator: Mutator, content: bytes) -> bytes:
    """Bytes, or records that are sealed again as somebody would who means to deceive."""
    if mutator.random.random() < 0.3:
        return mutator.bytes(content)
    head, *records = [json.loads(line) for line in content.splitlines()]
    few = [head, *mutator.random.sample(records, min(len(records), 6))]
    changed = mutator.random.randrange(len(few))
    made, digest = b"", ""
    for number, record in enumerate(few):
        del record["digest"]
        body = json.dumps(record, separators=(",", ":")).encode()
        body = mutator.json(record).replace(b"\n", b" ") if number == changed else body
        digest = sha256(digest.encode() + body).hexdigest()
        made += b'{"digest":"' + digest.encode() + b'",' + body[1:] + b"\n"
    return made


def read_ledger(path: Path, random: Random) -> None:
    known = [json.loads(one.split(b"\n")[0])["fingerprint"] for one in ledgers()]
    content = path.read_bytes()
    # Of the data that it names, as far as the head is whole.
    fingerprint = next((one for one in known if one.encode() in content), known[0])
    ledger = Ledger.in_file(path, fingerprint)
    history = ledger.history
    written = json.loads(json.dumps(records_of(history), allow_nan=False, ensure_ascii=False).encode())
    assert history_from_records(written) == history, "another history after writing and reading"
    ledger.spent()
    ledger.remaining()
    answers_in(ledger)
    if random.random() < 0.3:
        ledger.charge(Charge("query", "a count", Fraction(1, 100)))
        assert len(ledger.history.entries) == len(history.entries) + 1, "a charge that is not kept"
    if random.random() < 0.05:
        out = path.parent / "pages"
        command("ledger", DATA, "--ledger", path, "--statements", out, out=out)


@cache
def answers() -> tuple[bytes, ...]:
    """Answers as a ledger keeps them, one of each shape."""
    records = [json.loads(line) for line in ledgers()[0].splitlines()]
    kept = [one for record in records if record.get("type") == "answer" for one in record["answer"].get("answers", ())]
    return tuple(json.dumps(one).encode() for one in {json.dumps(one["form"]): one for one in kept}.values())


def read_answer(path: Path, random: Random) -> None:
    """A ledger gives its answers back, or leaves out those it does not understand."""
    plain = read_json_file(path, field="answer")
    try:
        found = ReleasedAnswer.from_json(plain)
    except (KeyError, TypeError, ValueError) as error:
        raise WorkbenchError(f"No answer of this program: {error}.") from error
    written = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert ReleasedAnswer.from_json(written).to_json() == found.to_json(), "another answer after writing and reading"
    found.by_label(found.value)
    found.table()


# Statements, and the files they speak of


@cache
def releases() -> dict[str, Path]:
    """Released CSVs by what their notes call them: the checksum."""
    folders = (path.parent for path in sorted((KEPT / "releases").glob("*/release.csv")))
    return {sha256((folder / "release.csv").read_bytes()).hexdigest(): folder for folder in folders}


def pages() -> tuple[bytes, ...]:
    return tuple(folder.joinpath("statement.html").read_bytes() for folder in releases().values())


def notes() -> tuple[bytes, ...]:
    return tuple(folder.joinpath("note.json").read_bytes() for folder in releases().values())


def released() -> tuple[bytes, ...]:
    return tuple(folder.joinpath("release.csv").read_bytes() for folder in releases().values())


def change_page(mutator: Mutator, content: bytes) -> bytes:
    start = content.find(b">", content.find(b"<script type")) + 1
    end = content.find(b"</script>", start)

    def inside() -> bytes:
        return content[:start] + mutator.json(json.loads(content[start:end])) + content[end:]

    return mutator.one_of(inside, inside, lambda: mutator.bytes(content), lambda: mutator.markup(content))


def spoken_of(content: bytes) -> Path:
    """The folder of the release that a statement or a note speaks of, as far as it still says so."""
    found = [folder for digest, folder in releases().items() if digest.encode() in content]
    return found[0] if found else KEPT / "releases" / "claim"


def verify_statement(path: Path, random: Random) -> None:
    folder = spoken_of(path.read_bytes())
    told = ("--statement", path, *(("--metadata", folder / "note.json") if random.random() < 0.2 else ()))
    command("verify", folder / "release.csv", *told, *random.choice(((), ("--json",))))


@cache
def ledger_pages() -> tuple[bytes, ...]:
    """Pages about entries of a ledger, of each kind, and one about a file with pseudonyms."""
    facts = (("File", "a.csv"), ("SHA-256", "ab" * 32), ("Rows", "3"))
    made = {"pseudonyms": pseudonym_certificate(["id"], [], facts)}
    for path in sorted((KEPT / "ledgers").glob("*.jsonl")):
        entries = Ledger.of_file(path).history.told
        made |= {entry.charge.kind: certificate_of(entry, entries) for entry in entries}
    return tuple(one.page().encode() for one in made.values())


def verify_page(path: Path, random: Random) -> None:
    command("verify", path, *random.choice(((), ("--json",))))


def signatures() -> tuple[bytes, ...]:
    return documents(KEPT / "signatures")


def verify_signature(path: Path, random: Random) -> None:
    folder = KEPT / "releases" / "claim"
    command("verify", folder / "release.csv", "--statement", folder / "statement.html", "--signature", path)


def verify_note(path: Path, random: Random) -> None:
    command("verify", spoken_of(path.read_bytes()) / "release.csv", random.choice(("--statement", "--metadata")), path)


def verify_release(path: Path, random: Random) -> None:
    folder = random.choice(list(releases().values()))
    words = random.choice((("--statement", folder / "statement.html"), ("--model", "k=2"), ("--model", "t=0.2:job")))
    command("verify", path, *words)


def distributions() -> tuple[bytes, ...]:
    return (MATERIAL.joinpath("town_shares.csv").read_bytes(), b"town,rows\nAarau,60\nBern,60\nChur,60\n")


def verify_against(path: Path, random: Random) -> None:
    release = KEPT / "releases" / "t_closeness" / "release.csv"
    command("verify", release, "--model", "t=0.2:town", "--distribution", f"town={path}")


# Channels and neighbours

CHANNELS = (
    b",yes,no\nyes,3/4,1/4\nno,1/4,3/4\n", b"x;a;b;c\n0;0.5;0.25;0.25\n1;0.25;0.5;0.25\n2;0.25;0.25;0.5\n",
    b"a b\nx 1 0\ny 0 1\n", b"o\t1\t2\n1\t1e-3\t0.999\n2\t.5\t.5\n",
    b",0,1\n0,0.333333333333,0.666666666667\n1,0.5,0.5\n",
)  # fmt: skip
GRAPHS = (b"yes,no\nno,yes\n", b'0,1\n1,2\n"0",2\n')
WORDS = (
    (), (), ("--neighbours", "adjacent"), ("--neighbours", "1e9"), ("--neighbours", "yes - no"), ("--epsilon", "ln(3)"),
    ("--epsilon", "1e999"), ("--epsilon", "9" * 500), ("--delta", "1/3"), ("--prior", "uniform"), ("--prior", "1,2"),
    ("--repeat", "2"), ("--repeat", "1000000"), ("--beside", "2"), ("--curve",), ("--latex",), ("--sample", "1/10"),
)  # fmt: skip


def audit_channel(path: Path, random: Random) -> None:
    found = read_channel(path)
    again = parse_channel(to_csv(found))
    assert (again.inputs, again.outputs) == (found.inputs, found.outputs), "other names after writing and reading"
    if found.exact is None:  # what was rounded may be exact as it is written
        assert (again.floats == found.floats).all(), "other numbers after writing and reading"
    else:
        assert again.exact == found.exact, "other fractions after writing and reading"
    out = path.parent / "out" / "audited.csv"
    out.parent.mkdir()
    command("audit", "--channel", path, *random.choice(WORDS), "--out", out, out=out)


def read_neighbours(path: Path, random: Random) -> None:
    channel = parse_channel(CHANNELS[0].decode())
    if random.random() < 0.3:
        parse_neighbours(path.read_bytes().decode("utf-8", "replace")).pairs(channel)
    else:
        read_graph(path).pairs(channel)


# Experiments and batches


def experiments() -> tuple[bytes, ...]:
    with_figure = b'{"figure": {"title": "Ages", "log_x": false, "width": 5}, "question": {"column": "age"}}'
    return (*documents(KEPT / "experiments"), with_figure)


def compare_experiment(path: Path, random: Random) -> None:
    experiment, figure = read_experiment(path)
    for found, kind in ((experiment, Experiment), (figure, FigureSettings)):
        told = found.to_json()
        again = kind.from_json(json.loads(json.dumps(told, allow_nan=False, ensure_ascii=False).encode()))
        assert again == found, f"another {kind.__name__} after writing and reading"
    if random.random() < 0.2:
        few = replace(experiment, repetitions=1, places=experiment.places[:1], methods=experiment.methods[:2])
        session = opened()
        session.comparison.look()
        session.comparison.runner(replace(few, users=min(few.users or 50, 50)), workers=1)()


@cache
def opened() -> Session:
    session = Session()
    session.data.adopt(people())
    return session


def query_batch(path: Path, random: Random) -> None:
    ledger = path.parent / "spent.jsonl"
    plan = ("--plan",) if random.random() < 0.7 else ()
    command("query", DATA, "--batch", path, "--ledger", ledger, *plan, out=ledger)


# What is typed into a field or behind a flag

WORDS_TYPED = (
    b"k=5", b"l-diversity=2:job", b"t=0.2:income", b"kept-detail", b"ue=0.75:0.25", b"olh=g:4", b"global-grid",
    b"manhattan-normalised", b"1/3", b"ln(3)", b"log(3) + 1/2", b"0.25", b"1e-6", b"3 3 3; 4 4 4", b"1,2", b"uniform",
    b"a - b; b - c", b"within 2", b'Nurse, "Clerk, senior"', b"yes: 1 0; no: 0 1", b"1/10=yes", b"true",
)  # fmt: skip


def change_words(mutator: Mutator, content: bytes) -> bytes:
    other = mutator.random.choice(WORDS_TYPED)
    return mutator.one_of(
        lambda: mutator.bytes(content), lambda: content + b":" + other, lambda: content.replace(b"=", b"=" + other)
    )


def read_words(path: Path, random: Random) -> None:
    text = path.read_bytes().decode("utf-8", "replace")
    channel = parse_channel(CHANNELS[0].decode())
    chain = AboveThreshold(5, Fraction(1, 2), Fraction(1, 4), strict=True, truncated=True)
    accepted = 0
    for read in (
        ModelChoice.parse,
        MetricChoice.parse,
        MethodChoice.parse,
        Metric.parse,
        ProtocolChoice.parse,
        Epsilon.parse,
        parse_fraction,
        parse_scores,
        lambda text: listed(text, "keys"),
        lambda text: parse_streams(text, chain),
        lambda text: parse_prior(text, channel),
        lambda text: parse_neighbours(text).pairs(channel),
        *(one.parse for one in COMMON),
    ):
        with contextlib.suppress(WorkbenchError):
            read(text)
            accepted += 1
    if not accepted:
        raise WorkbenchError("None of the fields takes it.")


# What the program keeps for itself


def read_trust(path: Path, random: Random) -> None:
    found = kept_trust(path)
    if not found:
        raise WorkbenchError("Nothing is trusted.")
    keep_trust(found[0], trusted=True, path=path)
    assert {one.key for one in kept_trust(path)} == {one.key for one in found}, "other plug-ins are trusted"


TRUST = (b'{"trusted": [{"distribution": "toy-plug", "version": "0.1"}, {"distribution": "b", "version": "2"}]}',)


def read_settings(path: Path, random: Random) -> None:
    settings = WindowSettings(path)
    settings.add_recent(path)
    settings.set_value("theme", "dark")
    again = WindowSettings(path)
    assert again.value("theme") == "dark", "a setting that is not kept"
    assert again.recent_files == settings.recent_files, "other recent files after writing and reading"


SETTINGS = (b'{"theme": "light", "recent": ["/data/a.csv", "/data/b.csv"], "window.main": {"geometry": "AdnQ"}}',)


# What a publisher says


def read_template_file(path: Path, random: Random) -> None:
    words = read_template(path).publisher
    assert Publisher.from_json(words.to_json()) == words, "a note says something else"


def read_logo_file(path: Path, random: Random) -> None:
    logo = read_logo(path)
    assert Logo.from_text(logo.text) == logo, "a page shows another picture"


TEMPLATES = (
    b'{"institution": "Office of Statistics", "sentences": ["We answer questions."], "contact": "data@office.example"}',
)
LOGOS = (b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="),)


TARGETS = (
    Target("template", ".json", lambda: TEMPLATES, change_json, read_template_file),
    Target("logo", ".png", lambda: LOGOS, change_bytes, read_logo_file),
    Target("hierarchy", ".csv", hierarchies, change_text, read_hierarchy_file),
    Target("hierarchy-note", ".json", lambda: documents(KEPT / "hierarchies"), change_json, read_note),
    Target("recipe", ".json", recipes, change_json, read_recipe),
    Target("project", ".wbench", projects, change_project, read_project),
    Target("run", ".wbench", projects, change_project, run_project, quick=15),
    Target("recovery", ".wbench", recoveries, change_project, read_recovery, quick=40),
    Target("reports", ".csv", reports, change_reports, aggregate_reports),
    Target("ledger", ".jsonl", ledgers, change_ledger, read_ledger),
    Target("answer", ".json", answers, change_json, read_answer),
    Target("statement", ".html", pages, change_page, verify_statement, quick=40),
    Target("page", ".html", ledger_pages, change_page, verify_page, quick=40),
    Target("signature", ".json", signatures, change_json, verify_signature, quick=40),
    Target("note", ".json", notes, change_json, verify_note, quick=40),
    Target("release", ".csv", released, change_text, verify_release, quick=40),
    Target("distribution", ".csv", distributions, change_text, verify_against, quick=40),
    Target("channel", ".csv", lambda: CHANNELS, change_text, audit_channel, quick=60),
    Target("neighbours", ".csv", lambda: GRAPHS, change_text, read_neighbours),
    Target("experiment", ".json", experiments, change_json, compare_experiment, quick=100),
    Target("batch", ".json", lambda: documents(KEPT / "batches"), change_json, query_batch, quick=25),
    Target("words", ".txt", lambda: WORDS_TYPED, change_words, read_words, quick=500),
    Target("trust", ".json", lambda: TRUST, change_json, read_trust),
    Target("settings", ".json", lambda: SETTINGS, change_json, read_settings),
)
