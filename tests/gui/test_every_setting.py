"""Every setting of every room survives saving, loading, keeping and undo, whichever widget it was changed with.

The widgets are found, not listed (`walking.py`): whoever adds one to a room has it tried here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

import pytest
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QMessageBox,
)
from pytestqt.qtbot import QtBot

from tests.gui.helpers import no_jobs
from tests.gui.same_project import difference, forgetting
from tests.gui.walking import Walk
from tests.properties import is_whole
from workbench.anonymise.privacy import ModelChoice
from workbench.core.building import build_hierarchy, specification
from workbench.core.hierarchy import Hierarchy
from workbench.core.schema import Kind, PrivacyUnit, Role
from workbench.evaluate.experiment import Experiment
from workbench.evaluate.question import Question, Statistic
from workbench.gui import recovery
from workbench.gui.main_window import MainWindow
from workbench.gui.settings import WindowSettings
from workbench.gui.theme import Mode, ThemeManager
from workbench.gui.workspaces import ROOMS as ROOMS_OF_THE_WINDOW
from workbench.project.anonymise_settings import AnonymityKind
from workbench.project.experiments import CompareSettings, ExperimentDocument
from workbench.query.catalogue import QueryDraft
from workbench.session import Session


@pytest.fixture
def window(
    qtbot: QtBot, qapp: QApplication, settings: WindowSettings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[MainWindow]:
    monkeypatch.setattr(recovery, "AUTOSAVE_MS", 3_600_000)  # the test says when
    monkeypatch.chdir(tmp_path)  # a walk may tick everything, and export to a name that it typed
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Discard)
    for name in ("getOpenFileName", "getSaveFileName", "getOpenFileNames"):
        monkeypatch.setattr(QFileDialog, name, lambda *_, **__: ("", ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: "")
    themes = ThemeManager(qapp, settings)
    themes.set_mode(Mode.LIGHT)
    window = MainWindow(settings, themes)
    qtbot.addWidget(window)
    window.resize(1400, 1000)
    window.show()
    data = tmp_path / "people.csv"
    data.write_text(
        "name;city;age;income;when;grade\n"
        + "".join(
            f"P{i % 40:02};{'Bern' if i % 3 else 'Basel'};{20 + i % 30};{100 + i}.5;2020-03-{i % 28 + 1:02};"
            f"{'ABC'[i % 3]}\n"
            for i in range(120)
        ),
        encoding="utf-8",
    )
    window.document.open_data(data)
    no_jobs(qtbot, window)
    for edit in PREPARED:
        assert window.document.apply("prepare", edit)
    yield window
    window.close()
    qapp.styleHints().colorSchemeChanged.disconnect(themes._follow_system)


COMPARED = CompareSettings((ExperimentDocument(Experiment(Question(Statistic.MEAN, "age"))),), 0)


def with_hierarchies(session: Session) -> None:
    """One that was built from the values, and one that was imported."""
    spec = session.project.schema["age"]
    observed = specification("intervals", {"source": "observed", "number": 5}, column=spec)
    values = session.data.reading.table["age"]
    session.data.attach_hierarchy("age", build_hierarchy(observed, values.values, values.counts, spec))
    session.data.attach_hierarchy(
        "city", Hierarchy.from_rows([("Bern", "B", "*"), ("Basel", "B", "*")], origin="a list")
    )


PREPARED: tuple[Callable[[Session], object], ...] = (
    lambda s: s.data.set_role(["name"], Role.IDENTIFYING),
    lambda s: s.data.set_role(["age", "city", "when"], Role.QUASI),
    lambda s: s.data.set_role(["grade"], Role.SENSITIVE),
    lambda s: s.data.set_kind(["grade"], Kind.ORDERED),
    lambda s: s.data.set_bounds("age", (0.0, 120.0)),
    lambda s: s.data.set_bounds("income", (100.5, 219.5), observed=True),
    lambda s: s.data.set_domain("grade", ["A", "B", "C", "D"]),
    lambda s: s.data.set_unit(PrivacyUnit(3, "name")),
    with_hierarchies,
    lambda s: s.queries.set_draft(QueryDraft("count", "0.2")),
    lambda s: s.queries.set_batch([QueryDraft("count", "0.2"), QueryDraft("mean", values={"column": "age"})]),
    lambda s: s.release.columns.set_level("age", 1),
    lambda s: setattr(s, "project", replace(s.project, comparing=COMPARED)),
)
"""What is there before a room is tried: roles, bounds, a domain, questions that are kept."""


# Rooms


def as_syntactic(session: Session) -> None:
    session.syntactic.set_approach(AnonymityKind.SYNTACTIC)
    session.syntactic.set_models(
        [ModelChoice("k-anonymity", {"k": 3}), ModelChoice("t-closeness", {"t": 0.5, "column": "grade"})]
    )


def with_question(session: Session) -> None:
    session.queries.set_draft(QueryDraft("mean", "0.2", MappingProxyType({"column": "age"})))


@dataclass(frozen=True)
class Tour:
    """A room, and how it is walked.

    Parameters
    ----------
    least
        How many widgets change the project at least, so that no room passes untried.
    before
        What is done before the room is entered.
    applies
        The button that takes over what was edited in the room; "" where every edit counts at once.
    runs
        Whether there is a result.
    shares
        Into how many tests the changes are divided: each makes all of them, and looks at its share. All of these tests
        run where all examples of properties are wanted, otherwise the first.
    untried
        Of what was ever seen in the room, the largest part that may stay untried: what another turn has taken away for
        good, such as a further curve of a method when there are as many as there may be, or a builder's form. A quiet
        machine leaves a fraction of it, a busy one several times that; half says that the walk is stuck.
    """

    room: str
    least: int
    before: tuple[Callable[[Session], object], ...] = ()
    applies: str = ""
    runs: bool = False
    shares: int = 1
    untried: float = 0.5


ROOMS: dict[str, Tour] = {
    # Choosing where a file is worked on is folded away, and which buttons of dialogs change something depends on when
    # the walk meets them: 29 to 31 were counted.
    "data": Tour("data", 26, untried=0.15),
    # Each preview is waited for, and 44 widgets changed something; a busy machine may cancel one that takes long.
    "hierarchies": Tour("hierarchies", 30, applies="Apply", shares=2, untried=0.2),
    "anonymise": Tour("anonymise", 80, shares=3, untried=0.2),
    "anonymise, privacy models": Tour("anonymise", 80, (as_syntactic,), shares=3, untried=0.25),
    "query": Tour("query", 30, untried=0.25),
    "query, a mean": Tour("query", 30, (with_question,), untried=0.25),
    "collect": Tour("collect", 45, shares=2, untried=0.35),
    "compare": Tour("compare", 80, shares=3, untried=0.5),
    "mechanisms": Tour("mechanisms", 25, untried=0.15),
    "release": Tour("release", 0, runs=True, untried=0.5),
}
PARTS = [(name, part) for name, tour in ROOMS.items() for part in range(tour.shares) if not part or is_whole()]


def test_every_room_of_the_window_is_walked() -> None:
    assert {tour.room for tour in ROOMS.values()} == {room.key for room in ROOMS_OF_THE_WINDOW}


@pytest.mark.properties
@pytest.mark.timeout(900)  # hundreds of edits, each saved, opened and undone
@pytest.mark.parametrize(("name", "part"), PARTS)
def test_every_widget_of_a_room(qtbot: QtBot, window: MainWindow, tmp_path: Path, name: str, part: int) -> None:
    tour = ROOMS[name]
    for edit in tour.before:
        assert window.document.apply("prepare", edit)
    if tour.runs:
        window.document.run()
        no_jobs(qtbot, window)
        assert window.document.session.release.result is not None
    window.show_workspace(tour.room)
    no_jobs(qtbot, window)
    qtbot.wait(50)  # rooms show what they hold a moment after they are entered
    before = window.document.project
    walk = Walk(qtbot, window, tmp_path / "p.wbench", tour.room, tour.applies, (part, tour.shares))
    walk.go()
    window.cancel()
    no_jobs(qtbot, window)
    assert len(walk.changed) >= tour.least
    assert walk.looked_at >= sum(walk.changed.values()) // (2 * tour.shares)
    assert len(walk.untried) <= tour.untried * len(walk.known), walk.untried
    if not tour.least:  # it was used, and has no settings in the project: what is chosen there is about one file
        assert len(walk.tried) > 50
        assert not difference(window.document.project, forgetting(before, window.document.project))
