"""A new setting is one field: in every room its file, its form, its undo and its help follow, and so do its words."""

from __future__ import annotations

import argparse
import json
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, make_dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.helpers import OnScreen, data_is_there, idle
from tests.gui.test_bound_form import Kept
from workbench.cli.commands import compare as compare_command
from workbench.cli.commands import query as query_command
from workbench.cli.main import main
from workbench.core import flags
from workbench.core.settings import Flag, declared, explanations, setting
from workbench.core.settings_json import from_json, to_json
from workbench.core.typed_fields import typed_fields
from workbench.evaluate.experiment import Basis, Experiment
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.question import Question, Statistic
from workbench.gui.document import Document
from workbench.gui.theme import Theme
from workbench.gui.widgets import encoding_section, explain
from workbench.gui.widgets.explain import HelpBook, explain_key
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.collect import CollectWorkspace
from workbench.gui.workspaces.compare import CompareWorkspace
from workbench.gui.workspaces.compare.method_options import MethodOptions
from workbench.gui.workspaces.query import QueryWorkspace
from workbench.ldp.encoding import EncodingChoice
from workbench.project import experiments, query_settings
from workbench.project.anonymise_settings import AnonymiseSettings, AnonymityKind, QuestionSettings
from workbench.project.collect_settings import CollectSettings
from workbench.project.rooms import ROOM_SETTINGS
from workbench.project.storage import load_project
from workbench.project.trim_settings import TrimSettings
from workbench.query.catalogue import QueryDraft
from workbench.session.comparison_command import write_command

EVERYTHING = Path(__file__).parents[1] / "kept" / "projects" / "everything.wbench"


def patience(group: str) -> Any:
    """The one field that is written for a new setting."""
    return setting(
        3,
        title="Days of patience",
        label="Patience",
        about="how many days to wait for reports",
        group=group,
        minimum=1,
        offered=(1, 30),
        unit="days",
        undo="Change the patience",
        flag=Flag("DAYS"),
    )


def extended(made: type[Any], group: str) -> type[Any]:
    """Settings with one more."""
    return typed_fields(make_dataclass("Extended", [("patience", int, patience(group))], bases=(made,), frozen=True))


def forms(made: type[Any]) -> Iterator[tuple[type[Any], str]]:
    """The parts of a room's form, each with the class whose settings it shows."""
    yield from sorted({(made, one.spec.group) for one in declared(made).values() if one.spec.group}, key=str)
    for one in declared(made).values():
        if one.made is not None and declared(one.made):
            yield from forms(one.made)


FORMS = [
    pytest.param(room, made, group, id=f"{room}-{made.__name__}-{group}")
    for room, whole in ROOM_SETTINGS.items()
    for made, group in forms(whole)
]


def test_every_room_with_a_form_is_tried() -> None:
    tried = {(one.values[0], one.values[2]) for one in FORMS}
    assert {
        ("query", "privacy"),
        ("query", "noise"),
        ("compare", "range"),
        ("compare", "question"),
        ("collect", "encoding"),
        ("collect", "reports"),
    } <= tried
    assert {room for room, _ in tried} >= {"anonymise", "collect", "compare", "mechanisms", "query"}


@pytest.mark.parametrize(("room", "made", "group"), FORMS)
def test_a_new_setting_of_any_room_is_one_field(
    room: str, made: type[Any], group: str, qtbot: QtBot, light: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = extended(made, group)
    # In files of today, and of a program that did not know it.
    assert to_json(new(patience=9))["patience"] == 9 and from_json(new, to_json(new(patience=9))) == new(patience=9)
    assert from_json(new, to_json(made())).patience == 3
    # Typed, and copied.
    parser = argparse.ArgumentParser()
    flags.declare(parser, new, ("patience",))
    assert "how many days to wait for reports" in parser.format_help()
    assert flags.words(new(patience=9), set(declared(made))) == ["--patience", "9"]
    assert flags.given(new, parser.parse_args(["--patience", "9"]))["patience"] == 9
    # In the form: shown, edited, undone.
    kept = Kept(new(), group, room)
    qtbot.addWidget(kept.page)
    kept.form.refresh()
    field = kept.form["patience"]
    assert field.value() == 3 and field.accessibleName() == "Days of patience"
    assert "Patience" in [one.text() for one in kept.page.findChildren(QLabel)]
    field.setValue(5)
    assert kept.settings.patience == 5 and kept.said == [("Change the patience", f"{room} patience")]
    # Explained.
    assert explain_key(field) == f"{room}.patience" and f"{room}.patience" in explanations(room, new)
    monkeypatch.setattr(explain, "ROOM_SETTINGS", {room: new})
    found = HelpBook().find(f"{room}.patience")
    assert found is not None and found.text == "How many days to wait for reports."


@pytest.fixture(scope="module", autouse=True)
def types_known_before() -> None:
    """Types of fields are looked up once, by name: while a name stands for another class, that would be remembered."""
    load_project(EVERYTHING)


@dataclass(frozen=True)
@typed_fields
class PatientDraft(QueryDraft):
    patience: int = patience("privacy")


@dataclass(frozen=True)
@typed_fields
class PatientEncoding(EncodingChoice):
    forbearance: int = patience("others")
    patience: int = patience("encoding")


@dataclass(frozen=True)
@typed_fields
class PatientCollection(CollectSettings):
    forbearance: int = patience("reports")
    patience: int = patience("prediction")


@dataclass(frozen=True)
@typed_fields
class PatientExperiment(Experiment):
    patience: int = patience("range")


@dataclass(frozen=True)
@typed_fields
class PatientQuestion(Question):
    patience: int = patience("question")


@dataclass(frozen=True)
@typed_fields
class PatientMethod(MethodChoice):
    patience: int = patience("curve")


@pytest.fixture
def opened(qtbot: QtBot, document: Document, tmp_path: Path) -> Document:
    """A document with forty people."""
    data = tmp_path / "people.csv"
    data.write_text("age\n" + "\n".join(str(20 + place) for place in range(40)) + "\n", encoding="utf-8")
    document.open_data(data)
    data_is_there(qtbot, document)
    return document


def of(settings: object) -> object:
    """The new setting, which the class that everybody knows does not have."""
    return vars(settings)["patience"]


def seen(field: Any, page: QWidget) -> None:
    assert field.isVisibleTo(page) and field.accessibleName() == "Days of patience" and field.value() == 3
    assert "Patience" in [one.text() for one in page.findChildren(QLabel) if one.isVisibleTo(page)]


def test_one_of_query_is_in_its_room_its_project_and_its_command(
    qtbot: QtBot,
    opened: Document,
    on_screen: OnScreen,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for module in (query_command, query_settings):
        monkeypatch.setattr(module, "QueryDraft", PatientDraft)
    opened.apply("ask", lambda session: session.queries.set_draft(PatientDraft("count", "0.1")))
    room = on_screen(QueryWorkspace(opened))
    idle(qtbot, room)
    field = room.privacy.form["patience"]
    seen(field, room.privacy)
    field.setValue(5)
    idle(qtbot, room)
    assert of(opened.project.queries.draft) == 5 and opened.undo_stack.undoText() == "Change the patience"
    plain = json.loads(json.dumps(to_json(opened.project.queries)))
    assert of(from_json(type(opened.project.queries), plain).draft) == 5
    room.copy_command()
    words = shlex.split(QGuiApplication.clipboard().text())
    assert words[words.index("--patience") + 1] == "5"
    assert main([*words[1:], "--plan"]) == 0 and capsys.readouterr().out
    opened.undo_stack.undo()
    idle(qtbot, room)
    assert field.value() == 3


def test_one_of_collect_is_wherever_on_its_page_its_group_stands(
    qtbot: QtBot, opened: Document, on_screen: OnScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoding_section, "EncodingChoice", PatientEncoding)
    wanted = PatientCollection(column="age", encoding=PatientEncoding(bounds=(0.0, 100.0)))
    opened.apply("collect", lambda session: session.state.change(collect=wanted))
    room = on_screen(CollectWorkspace(opened))
    idle(qtbot, room)
    room.question.other.set_open(True)
    question = [(room.question.encoding["patience"], room.question, "patience")]
    question.append((room.question.others["forbearance"], room.question, "forbearance"))
    for field, page, name in question:
        seen(field, page)
        field.setValue(5)
        idle(qtbot, room)
        assert vars(opened.project.collect.encoding)[name] == 5
        assert opened.undo_stack.undoText() == "Change the patience"
    for page, name in ((room.prediction, "patience"), (room.reports, "forbearance")):
        room.tabs.setCurrentWidget(page)
        field = page.form[name]
        seen(field, page)
        field.setValue(5)
        idle(qtbot, room)
        assert vars(opened.project.collect)[name] == 5
    plain = json.loads(json.dumps(to_json(opened.project.collect)))
    assert plain["patience"] == plain["forbearance"] == plain["encoding"]["forbearance"] == 5
    for _ in range(4):
        opened.undo_stack.undo()
    idle(qtbot, room)
    assert [field.value() for field, _, _ in question] == [3, 3]
    assert room.prediction.form["patience"].value() == room.reports.form["forbearance"].value() == 3


def test_one_of_compare_is_in_its_room_its_project_and_its_command(
    qtbot: QtBot, opened: Document, on_screen: OnScreen, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for module in (compare_command, experiments):
        monkeypatch.setattr(module, "Experiment", PatientExperiment)
    question = PatientQuestion(Statistic.MEAN, "age", EncodingChoice(bounds=(0.0, 100.0)))
    wanted = PatientExperiment(question, places=(1.0,), users=50, repetitions=2, basis=Basis.SMOOTH)
    opened.apply("compare", lambda session: session.comparison.add(wanted, None))
    room = on_screen(CompareWorkspace(opened))
    idle(qtbot, room)
    for fold in room.view.folds:
        fold.set_open(True)
    idle(qtbot, room)
    for form, page in ((room.view.grid.form, room.view.grid), (room.view.question.form, room.view.question)):
        seen(form["patience"], page)
    room.view.grid.form["patience"].setValue(5)
    room.view.question.form["patience"].setValue(7)
    assert opened.undo_stack.undoText() == "Change the patience"
    current = opened.project.comparing.documents[0]
    assert (of(current.experiment), of(current.experiment.question)) == (5, 7)
    assert to_json(current.experiment)["question"]["patience"] == 7
    write_command(opened.session.state, current, tmp_path)
    plain = json.loads((tmp_path / "comparison.json").read_text())
    plain["question"].pop("patience")  # only the class of the experiment is another one there
    (tmp_path / "comparison.json").write_text(json.dumps(plain))
    assert of(compare_command.read_experiment(tmp_path / "comparison.json")[0]) == 5
    for _ in range(2):
        opened.undo_stack.undo()
    idle(qtbot, room)
    assert room.view.grid.form["patience"].value() == room.view.question.form["patience"].value() == 3


@dataclass(frozen=True)
@typed_fields
class PatientTrimming(TrimSettings):
    forbearance: int = patience("forecast")
    restraint: int = patience("written")
    patience: int = patience("guarantee")


@dataclass(frozen=True)
@typed_fields
class PatientSearch(QuestionSettings):
    patience: int = patience("goal")


def test_one_of_anonymise_is_wherever_in_its_room_its_group_stands(
    qtbot: QtBot, opened: Document, on_screen: OnScreen
) -> None:
    wanted = replace(AnonymiseSettings(), mechanism=None, trim=PatientTrimming(), question=PatientSearch())
    opened.apply("anonymise", lambda session: session.state.change(anonymise=wanted))
    room = on_screen(AnonymiseWorkspace(opened))
    idle(qtbot, room)
    parts = (
        (room.promise, room.promise.form["patience"], "patience"),
        (room.plan, room.plan.form["forbearance"], "forbearance"),
        (room.plan, room.plan.written["restraint"], "restraint"),
    )
    for page, field, name in parts:
        page.details.set_open(True)
        seen(field, page)
        field.setValue(5)
        idle(qtbot, room)
        assert vars(opened.project.anonymise.trim)[name] == 5
        assert opened.undo_stack.undoText() == "Change the patience"
    opened.apply("search", lambda session: session.syntactic.set_approach(AnonymityKind.SYNTACTIC))
    idle(qtbot, room)
    goal = room.syntactic.settings.goal
    seen(goal.form["patience"], goal)
    goal.form["patience"].setValue(7)
    idle(qtbot, room)
    assert of(opened.project.anonymise.question) == 7
    assert opened.undo_stack.undoText() == "Change the patience"
    plain = json.loads(json.dumps(to_json(opened.project.anonymise)))
    assert plain["question"]["patience"] == 7 and plain["trim"]["patience"] == plain["trim"]["restraint"] == 5
    opened.undo_stack.undo()
    idle(qtbot, room)
    assert goal.form["patience"].value() == 3
    for _ in range(4):
        opened.undo_stack.undo()
    idle(qtbot, room)
    assert [field.value() for _, field, _ in parts] == [3, 3, 3]


def test_one_of_a_curve_is_among_its_options(qtbot: QtBot, light: Theme) -> None:
    choice = PatientMethod("global-grid")
    options = MethodOptions(choice)
    qtbot.addWidget(options)
    options.show_choice(choice, own_epsilon=True)
    seen(options.form["patience"], options)
    with qtbot.waitSignal(options.changed) as told:
        options.form["patience"].setValue(5)
    assert told.args == [replace(choice, patience=5), "patience"]
    assert to_json(replace(choice, patience=5))["patience"] == 5
