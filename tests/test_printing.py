"""What commands print, on any stream: 0 means that what was asked for is there, and 2 that it is not."""

from __future__ import annotations

import ast
import errno
import io
import itertools
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import workbench
from tests.kept import recording
from tests.properties import some
from workbench.cli.main import COMMANDS, main
from workbench.core.visible import visible


def first_steps() -> dict[str, list[list[str]]]:
    """For each command the words of a run that succeeds, after those of the runs that it needs."""
    found: dict[str, list[list[str]]] = {}
    for file in sorted(recording.ANSWERS.glob("*.json")):
        before: list[list[str]] = []
        for step in recording.steps(file):
            before.append(step["words"])
            known = found.get(step["words"][0])
            if step["code"] == 0 and (known is None or len(known) > len(before)):
                found[step["words"][0]] = before.copy()
    return found


STEPS = first_steps() | {"plugins": [["plugins", "list", "--json"]]}


def prepare(steps: list[list[str]], place: Path) -> None:
    """Run what the last of these commands needs."""
    for words in steps[:-1]:
        recording.run(recording.words_of({"words": words}, place, []))


class Broken(io.BytesIO):
    """Takes so many bytes, and then no more."""

    def __init__(self, room: int, code: int) -> None:
        super().__init__()
        self._room, self._code = room, code

    def write(self, data: Any) -> int:
        if self.tell() + len(data) > self._room:
            raise OSError(self._code, os.strerror(self._code)) if self._code != errno.EPIPE else BrokenPipeError()
        return super().write(data)


class Streams:
    """Standard output and error of a command, in an encoding."""

    def __init__(self, encoding: str, out: io.BytesIO | None = None) -> None:
        self.raw, self.error = out or io.BytesIO(), io.StringIO()
        self.out = io.TextIOWrapper(self.raw, encoding=encoding, write_through=False)

    def run(self, words: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stdout", self.out)
            patched.setattr(sys, "stderr", self.error)
            code = main(words)
        return code

    @property
    def printed(self) -> bytes:
        return self.raw.getvalue()


@pytest.fixture
def streams() -> Iterator[list[Streams]]:
    """Streams that are let go without a word: what they could not take is not tried again."""
    made: list[Streams] = []
    yield made
    for one in made:
        one.out.detach()


def test_there_is_a_run_of_every_command() -> None:
    assert set(STEPS) == set(COMMANDS)


@pytest.mark.properties
@pytest.mark.parametrize(
    ("command", "encoding"), some(itertools.product(STEPS, ["cp1252", "ascii", "utf-8", "utf-16"]), 3)
)
def test_every_command_speaks_on_a_stream_of_any_encoding(
    command: str, encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, streams: list[Streams]
) -> None:
    last = STEPS[command][-1]
    for number, words in enumerate((last, [word for word in last if word != "--json"])):
        (tmp_path / str(number)).mkdir()
        place = recording.workplace(tmp_path / str(number))
        prepare(STEPS[command], place)
        streams.append(said := Streams(encoding))
        assert said.run(recording.words_of({"words": words}, place, []), monkeypatch) == 0, said.error.getvalue()
        text = said.printed.decode(encoding)
        # A sign that the stream cannot have would be written as one: none but that of a question is there.
        assert text.strip() and not re.search(r"(?<![a-z])\?|\?(?!\s|$)", text)
        if "--json" in words:
            json.loads(text)
            assert encoding in ("utf-8",) or text.isascii()


SPENDING = ["query", "{material}/people.csv", "--query", "count", "--epsilon", "0.5", "--ledger", "{out}/ledger.jsonl"]


@pytest.mark.parametrize("code", [errno.EPIPE, errno.ENOSPC])
@pytest.mark.parametrize("room", [0, 30])
def test_an_answer_that_is_not_printed_whole_is_said_to_be_paid(
    code: int, room: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, streams: list[Streams]
) -> None:
    words = recording.words_of({"words": SPENDING}, recording.workplace(tmp_path), [])
    streams.append(broken := Streams("utf-8", Broken(room, code)))
    assert broken.run(words, monkeypatch) == 2
    said = broken.error.getvalue()
    assert "ε = 0.5 was charged" in said and "stored answer for nothing" in said
    streams.append(again := Streams("utf-8"))
    assert again.run([*words, "--json"], monkeypatch) == 0
    answer = json.loads(again.printed)
    assert answer["stored"] and answer["spent"]["epsilon"] == 0.5
    streams.append(anew := Streams("utf-8"))
    assert anew.run([*words, "--again", "--json"], monkeypatch) == 0
    answer = json.loads(anew.printed)
    assert not answer["stored"] and answer["spent"]["epsilon"] == 1.0


def test_no_standard_output_at_all_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    words = recording.words_of({"words": SPENDING}, recording.workplace(tmp_path), [])
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", None)
        assert main(words) == 2
    assert "standard output is closed" in (said := capsys.readouterr().err) and "was charged" in said


@pytest.mark.parametrize("command", STEPS)
def test_two_means_that_it_is_not_there_and_zero_that_it_is(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, streams: list[Streams]
) -> None:
    place = recording.workplace(tmp_path)
    prepare(STEPS[command], place)
    words = recording.words_of({"words": STEPS[command][-1]}, place, [])
    streams.append(broken := Streams("utf-8", Broken(0, errno.ENOSPC)))
    code = broken.run(words, monkeypatch)
    asked = [words[place + 1] for place, word in enumerate(words) if word in ("--out", "--reports", "--csv", "new")]
    assert code == (0 if asked else 2)
    assert all(Path(one).exists() and one in broken.error.getvalue() for one in asked)
    assert "could not be printed" in broken.error.getvalue()


def test_what_was_paid_is_said_when_a_command_fails_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    from workbench.core.errors import WorkbenchError
    from workbench.session.release.desk import ReleaseDesk

    def full(*_: Any, **__: Any) -> None:
        raise WorkbenchError("There is not enough room on the disk.")

    monkeypatch.setattr(ReleaseDesk, "export", full)
    place = recording.workplace(tmp_path)
    words = next(
        step["words"]
        for step in recording.steps(recording.ANSWERS / "anonymise_levels_drawn.json")
        if step["code"] == 0
    )
    assert main(recording.words_of({"words": words}, place, [])) == 2
    said = capsys.readouterr().err
    assert "not enough room" in said and "was charged" in said and "asking again costs again" in said


def test_a_real_process_on_a_full_disk_and_with_a_closed_pipe() -> None:
    command = [sys.executable, "-m", "workbench", "guarantee", "--epsilon", "1", "--delta", "1e-5"]
    environment = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    if Path("/dev/full").exists():
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, env=environment, check=False)
        assert done.returncode == 2 and b"not enough room" in done.stderr and b"Exception" not in done.stderr
    reader, writer = os.pipe()
    os.close(reader)
    for words in (command, [*command[:4], "--help"]):
        done = subprocess.run(words, stdout=writer, stderr=subprocess.PIPE, env=environment, check=False)
        assert done.returncode == 2 and b"has left" in done.stderr and b"Exception" not in done.stderr
    os.close(writer)


# Lines that could not be read

COLLECT = ["collect", "FILE", "--column", "age", "--bounds", "0,100", "--bins", "4", "--protocol", "grr"]
COLLECT += ["--epsilon", "1"]


@pytest.mark.parametrize(
    "words",
    [
        ["query", "FILE", "--query", "count", "--epsilon", "1"],
        ["query", "FILE", "--query", "count", "--epsilon", "1", "--plan"],
        COLLECT,
        [*COLLECT, "--reports", "OUT"],
        ["preset", "randomised-response", "--data", "FILE", "--column", "age", "--repetitions", "2"],
        ["compare", "SPEC", "--data", "FILE"],
        ["anonymise", "FILE", "--model", "k=2", "--hierarchy", "age=AGES"],
        ["anonymise", "FILE", "--hierarchy", "age=AGES", "--epsilon", "1", "--delta", "1e-2", "--out", "OUT"],
    ],
)  # fmt: skip
@pytest.mark.parametrize("as_json", [False, True])
def test_lines_that_took_no_part_are_named(
    words: list[str], as_json: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, ages, spec = tmp_path / "data.csv", tmp_path / "ages.csv", tmp_path / "spec.json"
    rows = [f"{20 + row % 5},n" for row in range(900)]
    rows[6] += ",surplus"
    rows[40] += ",surplus"
    file.write_text("\n".join(["age,city", *rows]) + "\n", encoding="utf-8")
    ages.write_text("".join(f"{age};20s;*\n" for age in range(20, 25)), encoding="utf-8")
    shutil.copy(recording.HERE / "experiments" / "mean.json", spec)
    given = {"FILE": str(file), "OUT": str(tmp_path / "out.csv"), "AGES": str(ages), "SPEC": str(spec)}
    command = [word.replace("=AGES", f"={ages}") if "=AGES" in word else given.get(word, word) for word in words]
    assert main([*command, *(["--json"] if as_json else [])]) == 0, capsys.readouterr().err
    printed = capsys.readouterr().out
    if as_json:
        answer = json.loads(printed)
        assert (answer["skipped"], answer["skipped_lines"]) == (2, ["line 8", "line 42"])
    else:
        assert "2 lines could not be read and took no part: line 8, line 42" in printed


COMMON = ["profile {data} --json", "verify {data} --model k=2", "--help", "profile"]


@pytest.mark.properties
@pytest.mark.parametrize(
    ("words", "out", "error"), some(itertools.product(COMMON, ["there", "closed", "full"], ["closed", "full"]), 5)
)
def test_standard_error_that_takes_nothing_changes_nothing(tmp_path: Path, words: str, out: str, error: str) -> None:
    """0 means printed, 2 means not: also where nothing can be said about it."""
    data = tmp_path / "data.csv"
    data.write_text("age\n" + "30\n" * 20, encoding="utf-8")
    printed = tmp_path / "printed"
    to = {"there": f">{shlex.quote(str(printed))}", "closed": ">&-", "full": ">/dev/full"}[out]
    aside = {"closed": "2>&-", "full": "2>/dev/full"}[error]
    command = [sys.executable, "-m", "workbench", *words.format(data=data).split()]
    environment = {**os.environ, "WORKBENCH_LEDGERS": str(tmp_path / "ledgers")}
    done = subprocess.run(f"{shlex.join(command)} {to} {aside}", shell=True, env=environment, timeout=50, check=False)
    good = out == "there" and words != "profile"
    assert done.returncode == (0 if good else 2)
    if good:
        assert printed.read_text("utf-8").strip()
        if "--json" in words:
            assert json.loads(printed.read_text("utf-8"))


# Text of other people

NASTY = "\x1b[2J\x1b[H\x9b2J\u202ea\x7f\bge\nEverything that was stated holds.\r\x1b]0;title\x07"
NASTY += "\u2066\u200b\u2028\U000e0041"
SPELLED = (
    r"\x1b[2J\x1b[H\x9b2J\u202ea\x7f\x08ge\x0aEverything that was stated holds.\x0d\x1b]0;title\x07\u2066\u200b\u2028"
    r"\U000e0041"
)
OBEYED = {sign for sign in NASTY if not sign.isascii() or not sign.isprintable()} - {"\n"}


def nasty(folder: Path) -> Path:
    """A table whose column and value do what they like with a terminal."""
    folder.mkdir(exist_ok=True)
    file = folder / "release.csv"
    file.write_bytes(f'"{NASTY}",job\n'.encode() + "".join(f'{i % 5},"{NASTY}"\n' for i in range(9)).encode())
    return file


def said_of(words: list[str], capsys: pytest.CaptureFixture[str], code: int) -> tuple[str, str]:
    """What a command prints on both streams, in which nothing is obeyed and no line is another's."""
    try:
        assert main(words) == code
    except SystemExit as ended:  # how argparse ends
        assert ended.code == code
    printed = capsys.readouterr()
    for text in printed:
        assert not OBEYED & set(text), words
        assert not [line for line in text.splitlines() if line.startswith("Everything that was stated")], words
    return printed.out, printed.err


def test_what_stands_in_a_file_cannot_say_the_opposite_on_a_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = nasty(tmp_path)
    assert SPELLED in said_of(["verify", str(file), "--model", "k=300"], capsys, 1)[0]
    assert SPELLED in said_of(["verify", str(file), "--model", "k=5", "--group", NASTY + "?"], capsys, 2)[1]
    assert SPELLED in said_of(["profile", str(file)], capsys, 0)[0]


@pytest.mark.parametrize(
    "words",
    [
        ["profile", NASTY],
        ["profile", NASTY + ".csv", "--sheet", NASTY],
        ["run", NASTY, "--data", "x", "--out", "y"],
        ["report", NASTY, "--out", "y"],
        ["ledger", NASTY],
        ["aggregate", NASTY],
        ["hierarchy", "check", NASTY],
        ["audit", NASTY],
        ["audit", "--channel", NASTY],
        ["preset", NASTY],
        ["plugins", "trust", NASTY],
        ["query", "FILE", "--query", NASTY, "--epsilon", "1"],
        ["collect", "FILE", "--column", NASTY + "?", "--protocol", "grr", "--epsilon", "1"],
        ["anonymise", "FILE", "--model", NASTY],
        ["anonymise", "FILE", "--epsilon", NASTY],
        ["guarantee", NASTY],
        ["guarantee", "--accounting", NASTY],
        [NASTY, NASTY],
    ],
    ids=lambda words: "-".join(words[:2]).encode("ascii", "ignore").decode().replace("\x1b", "")[:20],
)
def test_what_is_typed_wrongly_is_said_again_and_not_obeyed(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    given = [str(nasty(tmp_path)) if word == "FILE" else word for word in words]
    assert said_of(given, capsys, 2)[1]


@pytest.mark.parametrize("debug", ["", "1"])
def test_what_nobody_expected_is_not_obeyed_either(
    debug: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_: object) -> None:
        raise ValueError(NASTY)

    monkeypatch.setenv("WORKBENCH_DEBUG", debug)
    monkeypatch.setattr("workbench.cli.commands.guarantee.guarantee", lambda **_: broken(None))
    said = said_of(["guarantee", "--epsilon", "1", "--delta", "1e-5"], capsys, 2)[1]
    assert r"\x1b[2J" in said and ("Traceback" in said) is bool(debug)


def test_progress_names_nothing_that_is_obeyed(monkeypatch: pytest.MonkeyPatch) -> None:
    from workbench.cli.command_output import progress

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    told = progress()
    told(0.5, NASTY)
    assert f" 50 % {SPELLED}" in terminal.getvalue()
    told(1.0, "done")
    assert terminal.getvalue().endswith("\r\033[K")


def test_json_holds_the_same_and_sends_nothing_that_is_obeyed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = nasty(tmp_path)
    assert main(["verify", str(file), "--model", "k=5", "--json"]) == 1
    printed = capsys.readouterr().out
    assert not OBEYED & set(printed) and printed.count("\n") == 1
    assert json.loads(printed)["columns"] == [NASTY, "job"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext", "plain\ttext"),
        ("Zürich → 東京, ½ ε ≤ 1", "Zürich → 東京, ½ ε ≤ 1"),
        ("می\u200cخواهم", "می\u200cخواهم"),  # Persian is spelled with it
        ("👩\u200d🔬", "👩\u200d🔬"),
        ("sal\u200cary", r"sal\u200cary"),
        ("“\u200dage”", r"“\u200dage”"),
        ("a\u00adge\ufeff\u3164", r"a\xadge\ufeff\u3164"),
        ("", ""),
    ],
)
def test_letters_of_every_language_stay(text: str, shown: str) -> None:
    assert visible(text) == shown


STARTING = {"__init__.py", "__main__.py", "bootstrap.py", "checkout.py", "guard.py", "requirements.py"}
STARTING |= {"gui/app.py", "gui/screen.py"}
"""What says that the program or its window cannot start, before there is a table or a command to speak of."""


def test_nothing_is_printed_but_in_one_place() -> None:
    package = Path(workbench.__file__).parent
    found = set()
    for file in package.rglob("*.py"):
        name = file.relative_to(package).as_posix()
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            printing = isinstance(node, ast.Name) and node.id == "print"
            stream = isinstance(node, ast.Attribute) and node.attr in {"stdout", "stderr", "__stdout__", "__stderr__"}
            stream = stream and isinstance(node.value, ast.Name) and node.value.id == "sys"
            imported = isinstance(node, ast.ImportFrom) and node.module == "sys"
            if printing or stream or imported:
                found.add(name)
    # The library shows how far work is, on a terminal, and spells out what that would obey (`tests/library`).
    assert found - STARTING == {"cli/printing.py", "cli/main.py", "gui/uncaught.py", "library/showing.py"}
    # The window prints tracebacks alone, for whoever looks into them, and spells out what a terminal would obey.
    messages = ast.parse((package / "gui/uncaught.py").read_text("utf-8"))
    calls = [node for node in ast.walk(messages) if isinstance(node, ast.Call) and ast.unparse(node.func) == "print"]
    assert [ast.unparse(call.args[0]).split("(")[0] for call in calls] == ["visible_lines"]
    main_module = ast.parse((package / "cli/main.py").read_text("utf-8"))  # it hands the streams on, and writes nothing
    named = {node.attr for node in ast.walk(main_module) if isinstance(node, ast.Attribute)}
    called = {node.id for node in ast.walk(main_module) if isinstance(node, ast.Name)}
    assert not {"write", "writelines", "print"} & (named | called)


def test_what_stands_in_a_file_cannot_wipe_out_what_is_said_of_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "release.csv"
    name = "\x1b[1A\x1b[2K\x9b2J\u202ea\x7f\bge"
    file.write_text(f"{name},job\n" + "".join(f"{i},a\n" for i in range(9)), encoding="utf-8")
    assert main(["verify", str(file), "--model", "k=5"]) == 1
    said = capsys.readouterr().out
    assert "\\x1b[1A\\x1b[2K\\x9b2J\\u202ea\\x7f\\x08ge" in said
    assert main(["verify", str(file), "--model", "k=5", "--group", "\x1b[2Knobody"]) == 2
    said += capsys.readouterr().err
    assert "\\x1b[2Knobody" in said
    assert not {"\x1b", "\x9b", "\u202e", "\x7f", "\b"} & set(said)
    assert main(["verify", str(file), "--model", "k=5", "--json"]) == 1
    assert name in json.loads(capsys.readouterr().out)["columns"]
