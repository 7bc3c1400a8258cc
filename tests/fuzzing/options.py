"""A target: numbers that nobody computes with, in each option of each command that takes a value.

The command does it, or says why not and nothing is charged. It begins from the command lines whose answers are kept.
"""

from __future__ import annotations

import argparse
import atexit
import contextlib
import json
import os
import re
import shutil
import tempfile
from functools import cache
from itertools import count, pairwise
from pathlib import Path
from random import Random

from tests.fuzzing.documents import command
from tests.fuzzing.hunting import Target
from tests.fuzzing.mutating import Mutator
from tests.kept import recording
from workbench.cli import files
from workbench.cli.commands import whole_parser
from workbench.core.errors import WorkbenchError

EXTREMES = (
    "1" + "0" * 400, "-1" + "0" * 400, "1" + "0" * 310, "1e999", "-1e999", "1e-400", "1e400", "1e308", "-1e308",
    "5e-324", "0", "-0", "-1", "nan", "inf", "-inf", "", " ", "1/0", "1/3", "1e-9", "1e100", "1e101", "1e-301",
    "9223372036854775808", "1000000000001", ".5", "2", "ln(1e999)", "0x10", "1_000", "٣", "1,5", "9" * 5000,
)  # fmt: skip
"""Numbers at the ends of what is computed with and beyond, and what is nearly one."""
OWN_FILES = ("plugins", "sign", "pseudonymise")
"""Commands that keep something in the person's own folder: nothing here touches it."""
LONG = ("--repetitions", "--runs", "--workers", "--time-limit")
"""Options that say how much is done: what they ask for is begun, however long it takes."""

NAMES = {
    "COL", "ENGINE", "EXAMPLE", "F,F", "KIND", "NAME", "QUERY", "ROLE", "SIGN", "TEXT", "UNIT", "WHAT", "Y",
}  # fmt: skip
"""What a value is called that is no number."""

_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e-?\d+)?")
_NAMED = {"COL": "age", "NAME": "age", "METRIC": "mean", "K": "n", "PATH": "unit.rows_per_person"}
_LETTER = re.compile(r"\b(?:[A-Z]\d?|ID|TIMES|BETA|VALUE|VALUES|SIZE|INPUT|WHAT|V:W)\b")


@cache
def kept() -> dict[str, list[list[str]]]:
    """By the name of a kept answer, the words of the commands that lead to it and of itself."""
    found = {}
    for file in sorted(recording.ANSWERS.glob("*.json")):
        words = [step["words"] for step in recording.steps(file)]
        if not any(one[0] in OWN_FILES or "spark" in one for one in words):
            found[file.stem] = words
    return found


@cache
def numbered() -> list[tuple[str, int]]:
    """The commands that take a number, as where they are kept."""
    return [(name, place) for name, found in kept().items() for place, words in enumerate(found) if options(words)]


@cache
def parsers() -> dict[str, argparse.ArgumentParser]:
    return {name.removeprefix("workbench "): one for name, one in recording.commands(whole_parser())}


def options(words: list[str]) -> list[argparse.Action]:
    """The options of a command that take a number, alone or among words; whatever names no file and no thing may."""
    parser = parsers().get(" ".join(words[:2])) or parsers()[words[0]]
    return [one for one in parser._actions if one.option_strings and one.nargs != 0 and takes_a_number(one)]


def takes_a_number(action: argparse.Action) -> bool:
    metavar = str(action.metavar)
    named = metavar in NAMES or "|" in metavar or (metavar.startswith("COL=") and metavar[4:] in NAMES)
    return not (named or action.choices or action.type in files.ROLES or flag(action) in LONG)


def flag(action: argparse.Action) -> str:
    return max(action.option_strings, key=len)


def with_value(words: list[str], action: argparse.Action, value: str) -> list[str]:
    """A command line on which an option has this value, and no other one."""
    found, skip = [], False
    for word in words:
        name, _, written = word.partition("=")
        if skip or name in action.option_strings:
            skip = not skip and not written
            continue
        found.append(word)
    return [*found, f"{flag(action)}={value}"]


def given(words: list[str], action: argparse.Action) -> list[str]:
    """The values that an option has on a command line."""
    found = [
        word.partition("=")[2] for word in words if word.partition("=")[0] in action.option_strings and "=" in word
    ]
    return found + [value for word, value in pairwise(words) if word in action.option_strings]


def a_value(mutator: Mutator, words: list[str], action: argparse.Action) -> str:
    """A value of the form that an option wants, with a number that is none of its."""
    draw = mutator.random
    extreme = draw.choice(EXTREMES)
    before = given(words, action) or [shape(str(action.metavar or ""))]
    places = [place for one in before[:1] for place in _NUMBER.finditer(one)]
    if not places or draw.random() < 0.2:
        return extreme
    place = draw.choice(places)
    return before[0][: place.start()] + extreme + before[0][place.end() :]


def shape(metavar: str) -> str:
    """A value as a metavar describes it, such as "age=1,2" for COL=L,U."""
    named = re.sub(r"[A-Z]+", lambda found: _NAMED.get(found[0], found[0]) if "=" in metavar else found[0], metavar)
    numbers = count(1)
    return _LETTER.sub(lambda _: str(next(numbers)), named.replace("…", "1").replace("[", "").replace("]", ""))


def change_options(mutator: Mutator, content: bytes) -> bytes:
    draw = mutator.random
    name, number = draw.choice(numbered())
    words = kept()[name][number]
    for _ in range(draw.choice((1, 1, 1, 2))):
        all_of_it = options(words)
        typed = [one for one in all_of_it if given(words, one)]
        action = draw.choice(typed if typed and draw.random() < 0.5 else all_of_it)
        words = with_value(words, action, a_value(mutator, words, action))
    return json.dumps({"answer": name, "step": number, "words": words}, ensure_ascii=False, indent=1).encode()


def run_options(path: Path, random: Random) -> None:
    """Run a command with an option that was changed, after those it needs."""
    asked = json.loads(path.read_bytes())
    place = path.parent / "place"
    shutil.copytree(prepared(asked["answer"], asked["step"]), place)
    ledgers = Path(os.environ["WORKBENCH_LEDGERS"])
    shutil.copytree(place / "ledgers", ledgers)
    before = charges(place) + charges(ledgers)
    try:
        command(*recording.words_of(asked, place))
    except WorkbenchError as error:
        # What was drawn is paid for even if nothing of it is left; then that is said.
        paid = charges(place) + charges(ledgers) > before
        assert not paid or "was charged" in str(error), f"charged, and then: {error}"
        assert "nobody foresaw" not in str(error), str(error)
        raise


def charges(folder: Path) -> int:
    """How often something was charged in the ledgers below a folder."""
    return sum(one.read_bytes().count(b'"type":"charge"') for one in folder.rglob("*.jsonl"))


@cache
def prepared(answer: str, number: int) -> Path:
    """A folder in which the commands before this one were run, and its ledgers."""
    folder = Path(tempfile.mkdtemp(prefix="fuzzing-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    place = recording.workplace(folder)
    (place / "ledgers").mkdir()
    before = os.environ["WORKBENCH_LEDGERS"]
    os.environ["WORKBENCH_LEDGERS"] = str(place / "ledgers")
    try:
        for words in kept()[answer][:number]:
            with contextlib.suppress(WorkbenchError):
                command(*recording.words_of({"words": words}, place))
    finally:
        os.environ["WORKBENCH_LEDGERS"] = before
    return folder


def good() -> tuple[bytes, ...]:
    """One command as it is; the others are drawn from all that are kept."""
    name = next(name for name, found in kept().items() if found[0][0] == "guarantee")
    return (json.dumps({"answer": name, "step": 0, "words": kept()[name][0]}).encode(),)


TARGETS = (Target("options", ".json", good, change_options, run_options, quick=12),)
