"""Mutants of a function, tried in copies of one process that has read all tests, so that each costs its tests alone.

A function's code is exchanged in the copy, wherever the function is held. What is changed outside of functions, or runs
while modules are imported, is another matter: there the module is imported anew, see `trying`.
"""

from __future__ import annotations

import ast
import gc
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType

import pytest

from .asking import InOrder, Told, in_a_fork, run_tests
from .changes import ROOT, Mutant
from .standing_in import stand_in


class Warm:
    """A plug-in that runs no test of its own accord: it hands all that were read to `work`."""

    def __init__(self, work: Callable[[Warm], None]) -> None:
        self._work = work
        self._items: dict[str, pytest.Item] = {}
        self._sound: dict[str, bool] = {}
        self._functions = defaultdict[CodeType, list[FunctionType]](list)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self._items = {item.nodeid: item for item in session.items}
        gc.unfreeze()  # what was put aside is not listed
        for one in gc.get_objects():
            if type(one) is FunctionType and one.__code__.co_filename.startswith(f"{ROOT}/workbench"):
                self._functions[one.__code__].append(one)
        gc.freeze()  # so that a copy shares the memory
        self._work(self)
        return True

    def told(self, mutant: Mutant | None, seconds: Mapping[str, float]) -> Told:
        """Show a mutant, or the program as it is, to tests in their order until one fails."""
        chosen = {name: self._items[name] for name in seconds if name in self._items}
        order = InOrder(seconds)

        def work(scratch: Path) -> tuple[int, dict[str, object]]:
            if mutant is not None:
                stand_in(ROOT, mutant.file, mutant.source(), scratch)
                self._exchange(mutant)
            names = list(chosen)
            for name, following in zip(names, [*names[1:], None], strict=True):
                _run(chosen[name], None if following is None else chosen[following], order, scratch)
                if order.failed:
                    break
            return int(bool(order.failed)), {"failed": order.failed}

        return in_a_fork(work)

    def takes(self, mutant: Mutant) -> bool:
        """Whether a change is within functions that Python holds, or in a module that no test has needed yet."""
        if _module(mutant.file) not in sys.modules:
            return True
        was, becomes = _codes(mutant)
        if was is None or becomes is None or was.co_freevars != becomes.co_freevars:
            return False
        return bool(self._held(mutant.file, was))

    def _exchange(self, mutant: Mutant) -> None:
        was, becomes = _codes(mutant)
        if was is None or becomes is None:
            return
        for function in self._held(mutant.file, was):
            function.__code__ = becomes.replace(co_filename=function.__code__.co_filename)

    def _held(self, file: str, code: CodeType) -> list[FunctionType]:
        path = str(ROOT / file)
        return [one for one in self._functions.get(code, ()) if one.__code__.co_filename == path]

    def passes(self, test: str) -> bool:
        """Whether a test passes without any change, asked once."""
        if test not in self._sound:
            self._sound[test] = self.told(None, {test: 60.0}).code == 0
        return self._sound[test]


def with_tests_read(files: list[str], scratch: Path, work: Callable[[Warm], None]) -> None:
    """Read the tests in these files and do something with them."""
    run_tests(files, scratch, Warm(work), stop=False, shown=True)


def _run(item: pytest.Item, following: pytest.Item | None, order: InOrder, scratch: Path) -> None:
    manager = item.config.pluginmanager
    if not manager.is_registered(order):
        manager.register(order)
        # A copy of the process needs folders of its own, and pytest takes them in public only before it is configured.
        folders = item.config._tmp_path_factory  # type: ignore[attr-defined]
        folders._given_basetemp, folders._basetemp = scratch / "tests", None
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)


@cache
def _source(file: str) -> bytes:
    return (ROOT / file).read_bytes()


def _place(mutant: Mutant) -> tuple[str, ...] | None:
    """The names that lead to the outermost function around a change, if it is in its body."""
    source = _source(mutant.file)
    line = source.count(b"\n", 0, mutant.start) + 1
    names: list[str] = []
    inside: list[ast.stmt] = ast.parse(source).body
    while True:
        for node in inside:
            if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            if node.lineno <= line <= (node.end_lineno or 0):
                names.append(node.name)
                break
        else:
            return None
        if not isinstance(node, ast.ClassDef):
            return tuple(names) if line >= node.body[0].lineno > node.lineno else None
        inside = node.body


def _module(file: str) -> str:
    return ".".join(Path(file).with_suffix("").parts).removesuffix(".__init__")


def _codes(mutant: Mutant) -> tuple[CodeType | None, CodeType | None]:
    """The code of the function around a change, before and after."""
    place = _place(mutant)
    if place is None:
        return None, None
    return _code_of(_source(mutant.file), place), _code_of(mutant.source(), place)


def _code_of(source: bytes, names: tuple[str, ...]) -> CodeType | None:
    """The code of a function; None if there are several of that name, as of a property that is read and set."""
    code = compile(source, "", "exec", dont_inherit=True)
    for name in names:
        found = [one for one in code.co_consts if isinstance(one, CodeType) and one.co_name == name]
        if len(found) != 1:
            return None
        code = found[0]
    return code
