"""Patterns that a person typed: the same result as `re`, and an end for those that have none."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.core.bounded_patterns import replaced
from workbench.core.building import build_hierarchy, specification
from workbench.core.errors import WorkbenchError

SIMPLE = ("[0-9]", "a+", "b*", "x?", "a{2}", "ab|b", r"\w+$", "^a")


@given(
    pattern=st.sampled_from(SIMPLE),
    texts=st.lists(st.text("ab0x\\\n", max_size=6), max_size=5),
    each=st.booleans(),
    new=st.sampled_from(("*", "", r"\1", "ab")),
)
@settings(max_examples=examples(60))
def test_simple_patterns_need_no_process(pattern: str, texts: list[str], each: bool, new: str) -> None:
    compiled = re.compile(pattern)
    expected = [compiled.sub(lambda found: new * len(found[0]) if each else new, text) for text in texts]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(subprocess, "run", None)
        assert replaced(compiled, new, texts, each=each) == expected


def test_other_patterns_give_the_same_in_a_process() -> None:
    texts = ["aab 12", "b", "", "ÄÖ 7\n", "\ud800 a1", "a" * 30]
    for pattern, flags in (("(a|b)+ ?([0-9]+)", 0), ("ä.*ö", re.IGNORECASE), ("(?<=a)[0-9]", 0)):
        compiled = re.compile(pattern, flags)
        for each in (False, True):
            expected = [compiled.sub(lambda found, e=each: r"\g" * len(found[0]) if e else r"\g", t) for t in texts]
            assert replaced(compiled, r"\g", texts, each=each) == expected


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|a)*b", "a?" * 30 + "a" * 30, "a*" * 12 + "b"])
def test_a_pattern_without_an_end_is_stopped(pattern: str) -> None:
    with pytest.raises(WorkbenchError, match="too long") as caught:
        replaced(
            re.compile(pattern),
            "*",
            ["a" * 60 + "!"] if pattern[0] == "(" else ["a" * 29 + "!" * 99],
            each=False,
            seconds=0.3,
        )
    assert caught.value.hint
    assert caught.value.field == "pattern"


def test_a_repetition_in_a_very_long_text_gets_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    honest = subprocess.run
    monkeypatch.setattr(subprocess, "run", lambda *args, **more: asked.append(args) or honest(*args, **more))
    assert replaced(re.compile("a*b"), "*", ["a" * 5000], each=False) == ["a" * 5000]
    assert replaced(re.compile("ab"), "*", ["a" * 5000], each=False) == ["a" * 5000]
    assert len(asked) == 1


def test_the_rule_that_was_stopped_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replaced, "__kwdefaults__", {"seconds": 0.3})
    plain = specification("redaction", {}, {"rules": [{"pattern": "b"}, {"pattern": "(a+)+$"}]})
    with pytest.raises(WorkbenchError, match=r"^Rule 2: the pattern \(a\+\)\+\$ takes too long") as caught:
        build_hierarchy(plain, ["a" * 60 + "!"])
    assert caught.value.field == "pattern"


def test_without_a_process_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(WorkbenchError, match="process of its own"):
        replaced(re.compile("(a)"), "*", ["a"], each=False)
