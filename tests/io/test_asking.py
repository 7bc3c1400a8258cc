"""Who is asked for a password where a server refuses: somebody at a terminal or in a notebook, else nobody."""

from __future__ import annotations

import getpass
import io
import sys
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from workbench.io import addresses
from workbench.io.addresses import Address
from workbench.io.password_prompt import ask_at_terminal


@pytest.fixture(autouse=True)
def nobody_asks_afterwards() -> Iterator[None]:
    yield
    addresses.ask_with(None)


@pytest.mark.parametrize(
    ("terminal", "kernel", "asks"),
    [(True, None, True), (False, None, False), (False, True, True), (False, False, False)],
    ids=["a terminal", "nobody", "a notebook", "Jupyter's libraries were imported, and no kernel runs"],
)
def test_who_can_answer_is_asked(
    terminal: bool, kernel: bool | None, asks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[str]()

    def answered(words: str) -> str:
        asked.append(words)
        return "a password"

    stdin = io.StringIO()
    monkeypatch.setattr(stdin, "isatty", lambda: terminal)
    monkeypatch.setattr(sys, "stdin", stdin)
    monkeypatch.setattr(getpass, "getpass", answered)
    monkeypatch.delitem(sys.modules, "ipykernel.kernelapp", raising=False)
    if kernel is not None:
        app = SimpleNamespace(IPKernelApp=SimpleNamespace(initialized=lambda: kernel))
        monkeypatch.setitem(sys.modules, "ipykernel", SimpleNamespace(kernelapp=app))
        monkeypatch.setitem(sys.modules, "ipykernel.kernelapp", app)
    where = Address("127.0.0.1:1", "asking")
    ask_at_terminal()
    assert addresses.asked(where) is asks
    assert bool(asked) is asks
    addresses.forget(where)
