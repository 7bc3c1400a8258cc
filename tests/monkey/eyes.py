"""What a monkey sees go wrong: exceptions, words of Qt, work that cannot be saved, things that grow."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import threading
import time
import traceback
import zipfile
from collections import Counter, deque
from dataclasses import fields, replace
from operator import itemgetter
from pathlib import Path
from statistics import median
from typing import Any

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

from tests.offscreen import HARMLESS
from workbench.core.errors import WorkbenchError
from workbench.core.schema import Schema
from workbench.gui import messages
from workbench.gui.main_window import MainWindow
from workbench.project.model import Project
from workbench.project.restoring import without_values
from workbench.project.storage import load_project, save_project

_NO_WORDS_OF_OURS = "Something unexpected happened"
_SETTLED = 600.0
"""Seconds after which a long run has opened everything once: what it holds then it should hold at its end."""
_AROUND = 60.0


class Eyes:
    """Collects findings, each once with what was done before it."""

    def __init__(self, folder: Path) -> None:
        self.trail: deque[str] = deque(maxlen=12)
        self._path = hashlib.sha256()
        self._saved_to = folder / "kept.wbench"
        self._saved: Project | None = None
        self._found: dict[str, str] = {}
        self._times: Counter[str] = Counter()
        self._saves = 0
        self._explained: Counter[str] = Counter()
        self._first = self._resources()
        self._over_time: list[tuple[float, int, int, int]] = []
        self._at_rest: list[str] = []
        self._began = time.monotonic()
        self._watch()

    @property
    def path(self) -> str:
        """The same for two monkeys that did the same."""
        return self._path.hexdigest()[:12]

    def did(self, what: str) -> None:
        """What is done next."""
        self.trail.append(what)
        self._path.update(what.encode(errors="surrogatepass") + b"\n")

    def note(self, what: str, error: BaseException | None = None) -> None:
        """Something that must not be."""
        text = what if error is None else f"{what}: {''.join(traceback.format_exception(error))}"
        key = text[-500:]
        self._times[key] += 1
        self._found.setdefault(key, f"{text}\nafter: {' · '.join(self.trail)}")

    def findings(self) -> list[str]:
        return [f"{self._times[key]} ×: {text}" for key, text in self._found.items()]

    def facts(self) -> dict[str, Any]:
        """Numbers for the table: saves that were tried, files open and memory at the start and at the end."""
        files, memory = self._resources()
        return {
            "saves": self._saves,
            "explained": sum(self._explained.values()),
            "kinds": len(self._explained),
            "files open": f"{self._first[0]} → {files}",
            "MiB": f"{self._first[1]} → {memory}",
            **self._soaked(),
        }

    def sample(self) -> None:
        """Remember what is held now; asked every few seconds."""
        files, memory = self._resources()
        self._over_time.append((time.monotonic() - self._began, memory, threading.active_count(), files))

    def begin(self, now: float) -> None:
        """Let the time that samples are taken at begin now."""
        self._began = now
        self._over_time.clear()

    def rest(self) -> None:
        """Remember what is held while the window shows what it shows at every rest."""
        files, memory = self._resources()
        kept = sys.getallocatedblocks() // 1000
        self._at_rest.append(f"{memory} MiB, {kept} thousand blocks, {threading.active_count()} threads, {files} files")

    def _soaked(self) -> dict[str, str]:
        """For a long run: memory, threads and files around minute 10 and in the last two minutes, as medians."""
        end = time.monotonic() - self._began
        if end < 2 * _SETTLED:
            return {}
        early = [held for at, *held in self._over_time if abs(at - _SETTLED) <= _AROUND]
        late = [held for at, *held in self._over_time if at >= end - 2 * _AROUND]
        pairs = zip(("MiB", "threads", "files"), zip(*early, strict=True), zip(*late, strict=True), strict=True)
        held = {f"{name} at minute 10 and the end": f"{median(a):.0f} → {median(b):.0f}" for name, a, b in pairs}
        return held | {"at rest": "; ".join(self._at_rest)}

    def look(self, window: MainWindow) -> None:
        """Save what there is, and read it back: whatever the window accepted can be kept."""
        project = window.document.project
        if project is self._saved:
            return
        self._saved = project
        self._saves += 1
        try:
            save_project(project, self._saved_to)
            written = _members(self._saved_to)
            again = load_project(self._saved_to)
            save_project(again, self._saved_to)
        except Exception as error:
            self.note("cannot be saved and opened again", error)
            return
        # Hierarchies, and what holds them, are compared by what is written of them.
        names = [field.name for field in fields(project) if field.name not in ("hierarchies", "rules")]
        parts = [name for name in names if _kept(getattr(again, name)) != _kept(getattr(project, name))]
        rewritten = _members(self._saved_to)
        both = {name: (text, rewritten.get(name, "")) for name, text in written.items()}
        parts += [_difference(name, *texts) for name, texts in both.items() if texts[0] != texts[1]]
        if parts:
            self.note(f"is not the same when it is opened again: {parts}")

    # What is watched all the time

    def _watch(self) -> None:
        qInstallMessageHandler(self._words_of_qt)
        threading.excepthook = lambda about: self.note(f"thread {about.thread}", about.exc_value)
        sys.excepthook = lambda kind, error, trace: self.note("uncaught", error)
        shown = messages.MessageBar.show_error

        def show_error(bar: messages.MessageBar, error: BaseException) -> messages.Message:
            if isinstance(error, WorkbenchError):
                self._explained[error.message[:60]] += 1
            else:
                self.note("shown as unexpected", error)
            return shown(bar, error)

        messages.MessageBar.show_error = show_error

    def _words_of_qt(self, _kind: QtMsgType, _where: QMessageLogContext, text: str | None) -> None:
        if text and not HARMLESS.search(text):
            below = "".join(traceback.format_stack(limit=9)[:-1])
            self.note(f"Qt: {text[:300]}\n{below}")

    def _resources(self) -> tuple[int, int]:
        """Files open, and memory in MiB; zero where the system does not tell."""
        if not sys.platform.startswith("linux"):
            return 0, 0
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return len(list(Path("/proc/self/fd").iterdir())), pages * os.sysconf("SC_PAGE_SIZE") >> 20


def _kept(part: Any) -> Any:
    """What a project keeps of one of its parts: what was read from the data is read again."""
    if isinstance(part, Schema):
        return replace(part, columns=tuple(without_values(column) for column in part.columns))
    return part


def _members(path: Path) -> dict[str, str]:
    """What stands in a saved project. In which order hierarchies are listed says nothing."""
    with zipfile.ZipFile(path) as archive:
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
    document = json.loads(texts.pop("project.json"))
    document["hierarchies"].sort(key=itemgetter("column"))
    return texts | {name: json.dumps(part) for name, part in document.items()}


def _difference(name: str, before: str, after: str) -> str:
    """Where a part of the file begins to be another."""
    place = next((n for n, both in enumerate(zip(before, after, strict=False)) if both[0] != both[1]), 0)
    return f"{name} has {after[max(0, place - 60) : place + 60]!r} for {before[max(0, place - 60) : place + 60]!r}"
