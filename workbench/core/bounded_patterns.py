"""Regular expressions that a person typed, run so that none of them can hold up the program.

Python's matcher may take exponential time (`(a+)+$` on a line of a's), and while it runs it cannot be interrupted and
no other thread gets a turn. A pattern without groups and with at most one repetition takes at most quadratic time and
runs here; any other one runs in a process of its own, which is ended when its time is over.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence

from workbench.core.errors import WorkbenchError

SECONDS = 3.0
"""How long a pattern may take, and a second more for every so many texts:"""

TEXTS_PER_SECOND = 100_000

_BUNDLE_STARTS = 15.0
"""Seconds more where the process is a bundle, which unpacks and loads much before it looks at a text."""

_REPETITIONS = "*+?{"
_LONGEST = 2_000
"""In texts up to this length quadratic time is no time."""

FLAG = "--apply-a-pattern-for-the-workbench"
"""The one argument with which a bundle, which has no Python to start, becomes the process for a pattern."""

_WORKER = """
import json, re, sys
sys.path.clear()
asked = json.load(sys.stdin)
found = re.compile(asked["pattern"], asked["flags"])
new = asked["replacement"]
if asked["each"]:
    made = [found.sub(lambda hit: new * len(hit[0]), text) for text in asked["texts"]]
else:
    made = [found.sub(lambda hit: new, text) for text in asked["texts"]]
json.dump(made, sys.stdout)
"""


def replaced(
    pattern: re.Pattern[str], replacement: str, texts: Sequence[str], *, each: bool, seconds: float = SECONDS
) -> list[str]:
    """The texts with every match of a pattern replaced.

    Parameters
    ----------
    pattern, replacement
        What is looked for, and what takes its place; backslashes in it mean nothing.
    texts
        Distinct ones: each costs time.
    each
        Whether every character of a match is replaced.
    seconds
        How long it may take for the first texts.

    Raises
    ------
    WorkbenchError
        If the pattern takes too long.
    """
    if _is_quick(pattern.pattern, texts):
        if each:
            return [pattern.sub(lambda found: replacement * len(found[0]), text) for text in texts]
        return [pattern.sub(lambda found: replacement, text) for text in texts]
    asked = {
        "pattern": pattern.pattern,
        "flags": pattern.flags,
        "replacement": replacement,
        "each": each,
        "texts": list(texts),
    }
    try:
        done = subprocess.run(
            _command(),
            input=json.dumps(asked).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=seconds + len(texts) / TEXTS_PER_SECOND + (_BUNDLE_STARTS if _is_bundle() else 0.0),
            check=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except subprocess.TimeoutExpired as error:
        raise WorkbenchError(
            f"The pattern {pattern.pattern} takes too long, so it was stopped.",
            hint="Avoid repetitions within repetitions such as (a+)+ and several of .* in one pattern.",
            field="pattern",
        ) from error
    except (OSError, subprocess.CalledProcessError) as error:
        raise WorkbenchError(
            f"The pattern {pattern.pattern} could not be run in a process of its own.",
            hint="Use a pattern without parentheses and with one repetition, such as [0-9]+, or try again.",
            field="pattern",
        ) from error
    made: list[str] = json.loads(done.stdout)
    return made


def serve_if_asked() -> None:
    """Be the process for a pattern if the program was started to be; otherwise nothing."""
    if sys.argv[1:] == [FLAG]:
        exec(_WORKER, {})
        raise SystemExit(0)


def _is_bundle() -> bool:
    return bool(getattr(sys, "frozen", False))


def _command() -> list[str]:
    if _is_bundle():
        return [sys.executable, FLAG]
    return [sys.executable, "-I", "-S", "-c", _WORKER]


def _is_quick(pattern: str, texts: Sequence[str]) -> bool:
    """Whether the pattern, by its letters alone, cannot try more ways than a text has pairs of places."""
    repetitions = sum(pattern.count(sign) for sign in _REPETITIONS)
    if "(" in pattern or repetitions > 1:
        return False
    return not repetitions or max(map(len, texts), default=0) <= _LONGEST
