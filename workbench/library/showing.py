"""The progress of work: a bar in notebooks and on terminals, and one press that stops it.

A press of Stop, or Ctrl+C, is heard where work reports how far it is, as Cancel in the window: what was not charged by
then is not, and what was paid for is finished and kept before Python says that it was interrupted. A second press stops
at once.
"""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from types import FrameType
from typing import Any

from workbench.core.progress import Cancelled, CancelToken, Progress
from workbench.core.visible import visible

_AFTER = 0.5
"""Seconds before a bar is shown: what is done by then needs none."""
_STEPS = 100
_WIDTH = 28


@contextmanager
def showing(what: str) -> Iterator[Progress]:
    """Show how far something is while it is done, and nothing of it afterwards.

    Parameters
    ----------
    what
        What is done, until the work says more.

    Raises
    ------
    KeyboardInterrupt
        If it was stopped; what was paid for is finished first.
    """
    token, bar = CancelToken(), _Bar(what)
    try:
        with _heeding(token):
            yield Progress(bar, token)
    except Cancelled:
        raise KeyboardInterrupt from None
    finally:
        bar.clear()
    if token.cancelled:
        raise KeyboardInterrupt("It was too late to stop: what was asked for is done, and kept.")


@contextmanager
def _heeding(token: CancelToken) -> Iterator[None]:
    """Take the first press as a wish, where Python would have raised it in the midst of anything."""
    before = signal.getsignal(signal.SIGINT)

    def pressed(_number: int, _frame: FrameType | None) -> None:
        if token.cancelled:
            raise KeyboardInterrupt
        token.cancel()

    heard = before is signal.default_int_handler
    if heard:
        try:
            signal.signal(signal.SIGINT, pressed)
        except ValueError:  # only the main thread may say
            heard = False
    try:
        yield
    finally:
        if heard:
            signal.signal(signal.SIGINT, before)


class _Bar:
    """Listens to progress; the first that it shows comes after a moment."""

    def __init__(self, what: str) -> None:
        self._what, self._begun, self._step = what, time.monotonic(), -1
        self._show: Callable[[float, str], None] | None = None
        self._clear: Callable[[], None] | None = None

    def __call__(self, fraction: float, text: str) -> None:
        self._what = visible(text or self._what)
        step = int(_STEPS * fraction)
        if step == self._step or time.monotonic() - self._begun < _AFTER:
            return
        self._step = step
        if self._show is None:
            self._show, self._clear = _place()
        self._show(fraction, self._what)

    def clear(self) -> None:
        if self._clear is not None:
            self._clear()


def _place() -> tuple[Callable[[float, str], None], Callable[[], None]]:
    """Where a bar is shown: below the cell of a notebook, on a terminal, or nowhere."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    if shell is not None and getattr(shell, "kernel", None) is not None:
        return _in_notebook(ipython)
    if sys.stderr is not None and sys.stderr.isatty():
        return _on_terminal, lambda: _write(f"\r{' ' * (_WIDTH + 50)}\r")
    return (lambda _fraction, _text: None), (lambda: None)


def _in_notebook(ipython: Any) -> tuple[Callable[[float, str], None], Callable[[], None]]:
    handle = ipython.display.display({"text/plain": ""}, raw=True, display_id=True)

    def show(fraction: float, text: str) -> None:
        bar = (
            f'<progress value="{int(_STEPS * fraction)}" max="{_STEPS}" style="width: 20em"></progress> {escape(text)}'
        )
        handle.update({"text/html": bar, "text/plain": _line(fraction, text)}, raw=True)

    def clear() -> None:
        # What is shown is saved with the notebook; of a bar that is done nothing is left.
        handle.update({"text/plain": ""}, raw=True)

    return show, clear


def _on_terminal(fraction: float, text: str) -> None:
    _write("\r" + _line(fraction, text[:40]).ljust(_WIDTH + 49))


def _line(fraction: float, text: str) -> str:
    done = int(_WIDTH * fraction)
    return f"{'█' * done}{'·' * (_WIDTH - done)} {int(_STEPS * fraction)} % {text}"


def _write(text: str) -> None:
    if sys.stderr is not None:
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except (OSError, UnicodeError):  # nobody is shown a bar; the work goes on
            return
