"""Bars in notebooks and on terminals; a press of Stop leaves the ledger right and no value behind."""

from __future__ import annotations

import io
import signal
import sys
import traceback
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

import workbench as wb
from workbench.core.progress import Cancelled
from workbench.library import showing as module
from workbench.library.plainly import plainly
from workbench.library.showing import showing

JOBS = wb.hierarchy.categories({"health": ["nurse"], "food": ["cook"]})


@pytest.fixture(autouse=True)
def shown_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_AFTER", 0.0)


@pytest.fixture(autouse=True)
def stoppable() -> Iterator[None]:
    """Where tests run in the background, pressing Ctrl+C means nothing to a program until it says so."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def opened() -> wb.Data:
    people = pd.DataFrame({"age": [34, 35, 36, 52] * 50, "job": ["cook", "cook", "nurse", "nurse"] * 50})
    return wb.open(people).describe(age=wb.integer(0, 120))


class Shown:
    """What stands in a cell of a notebook now."""

    def __init__(self) -> None:
        self.now: dict[str, str] = {}
        self.seen: list[dict[str, str]] = []

    def display(self, what: dict[str, str], raw: bool, display_id: bool) -> Shown:
        assert raw and display_id
        self.update(what, raw=raw)
        return self

    def update(self, what: dict[str, str], raw: bool) -> None:
        assert raw
        self.now = what
        self.seen.append(what)


def in_notebook(monkeypatch: pytest.MonkeyPatch) -> Shown:
    shown = Shown()
    shell = SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell, display=shown))
    return shown


def test_a_bar_in_a_notebook_is_gone_when_the_work_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = in_notebook(monkeypatch)
    with showing("Trying <this>") as progress:
        for part in (0.1, 0.5, 0.5, 1.0):
            progress(part)
    assert shown.now == {"text/plain": ""}
    bars = [one["text/html"] for one in shown.seen if "text/html" in one]
    assert len(bars) == 3 and "Trying &lt;this&gt;" in bars[0] and 'value="50"' in bars[1]


def test_a_bar_on_a_terminal_is_one_line_that_is_gone_when_the_work_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with showing("Trying") as progress:
        progress(0.25)
    first, second, last = screen.getvalue().split("\r")[1:]
    assert "25 % Trying" in first and not second.strip() and last == "" and "\n" not in screen.getvalue()
    assert len(second) >= len(first)


def test_no_name_in_the_data_can_steer_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with showing("Trying") as progress:
        progress(0.25, "Reading \x1b[2Jage")
    assert "\x1b" not in screen.getvalue() and r"\x1b[2Jage" in screen.getvalue()


def test_nothing_is_shown_to_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    with showing("Trying") as progress:
        progress(0.5)
    assert capsys.readouterr() == ("", "")


def press_at(monkeypatch: pytest.MonkeyPatch, call: int) -> list[str]:
    """Press Ctrl+C when progress is told for that time."""
    heard: list[str] = []

    def told(_bar: Any, _fraction: float, text: str) -> None:
        heard.append(text)
        if len(heard) == call:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(module._Bar, "__call__", told)
    return heard


@pytest.mark.parametrize("call", [1, 2, 3, 4, 6, 8])
def test_whenever_a_question_is_stopped_the_ledger_is_right(call: int, monkeypatch: pytest.MonkeyPatch) -> None:
    data = opened()
    with monkeypatch.context() as pressed:
        heard = press_at(pressed, call)
        try:
            data.ask("mean", "age", epsilon=1)
        except KeyboardInterrupt as stopped:
            assert "stands in the ledger" in str(stopped)
        else:
            assert len(heard) < call
    charged = data.spent[0]
    assert charged in (0, 1)
    # Either nothing was charged, or the answer is there, and is shown for nothing.
    assert data.ask("mean", "age", epsilon=1).stored == bool(charged)
    assert data.spent[0] == 1


@pytest.mark.parametrize("call", [1, 3, 5, 9])
def test_whenever_a_release_is_stopped_the_ledger_is_right(call: int, monkeypatch: pytest.MonkeyPatch) -> None:
    data = opened()
    with monkeypatch.context() as pressed:
        heard = press_at(pressed, call)
        try:
            data.release(["job"], hierarchies={"job": JOBS})
        except KeyboardInterrupt:
            pass
        else:
            assert len(heard) < call
    charged = data.spent[0]
    release = data.release(["job"], hierarchies={"job": JOBS})
    assert charged in (0, 1) and data.spent[0] == 1
    assert release.claimed


def test_a_second_press_stops_at_once() -> None:
    with pytest.raises(KeyboardInterrupt), showing("Trying"):
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        pytest.fail("It went on.")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_stopped_work_leaves_no_frame_with_values(monkeypatch: pytest.MonkeyPatch) -> None:
    @plainly
    def work(_given: str) -> None:
        hidden = "SECRET-7"
        raise Cancelled(hidden)

    with pytest.raises(KeyboardInterrupt) as caught:
        work("SECRET-8")
    frames = [frame for frame, _ in traceback.walk_tb(caught.value.__traceback__)]
    assert not any("SECRET" in repr(value) for frame in frames[1:] for value in frame.f_locals.values())


def test_what_nobody_foresaw_names_the_place_and_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    @plainly
    def work(given: dict[str, int]) -> int:
        return given["SECRET-7"]

    with pytest.raises(wb.Refused) as caught:
        work({})
    assert "KeyError in test_showing.py" in str(caught.value) and "SECRET" not in str(caught.value)
    assert caught.value.__cause__ is None and caught.value.__context__ is None
    monkeypatch.setenv("WORKBENCH_DEBUG", "1")
    with pytest.raises(KeyError):
        work({})
    monkeypatch.delenv("WORKBENCH_DEBUG")
    called: Any = work
    with pytest.raises(TypeError, match="unexpected keyword"):
        called(other=1)
