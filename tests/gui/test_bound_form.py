"""A form over declared settings; and that a new setting of a room is one field, from which all the rest follows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from workbench.core.params import ParamSpec, ParamType
from workbench.core.settings import Flag, declared, explanations, setting
from workbench.core.typed_fields import typed_fields
from workbench.gui import widgets
from workbench.gui.theme import Theme
from workbench.gui.widgets.bound_form import BoundForm
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.explain import HelpBook
from workbench.gui.widgets.inputs import ComboBox, SpinBox
from workbench.gui.widgets.lines_edit import LinesEdit
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.widgets.spec_field import Manner, all_valid, show_value, spec_field
from workbench.project.collect_settings import CollectSettings
from workbench.project.rooms import ROOM_SETTINGS


@dataclass(frozen=True)
@typed_fields
class Extended(CollectSettings):
    """A collection with one setting more: this one field is all that is written for it."""

    patience: int = setting(
        3,
        title="Days of patience",
        label="Patience",
        about="how many days to wait for reports",
        group="estimate",
        minimum=1,
        offered=(1, 30),
        unit="days",
        undo="Change the patience",
        flag=Flag("DAYS"),
    )


class Kept:
    """Settings that a form shows and changes."""

    def __init__(self, settings: Any, group: str, room: str = "collect") -> None:
        self.settings, self.said = settings, list[tuple[str, str]]()
        self.form = BoundForm(room, lambda: self.settings, group)
        self.page = QWidget()
        self.page.setLayout(self.form.grid())
        self.form.edited.connect(self._change)

    def _change(self, name: str, value: object, words: str, merge: str) -> None:
        self.settings = replace(self.settings, **{name: value})
        self.said.append((words, merge))


@pytest.fixture
def kept(qtbot: QtBot, light: Theme) -> Kept:
    made = Kept(Extended(), "estimate")
    qtbot.addWidget(made.page)
    made.form.refresh()
    return made


def test_what_is_in_force_is_shown_without_a_word(kept: Kept) -> None:
    kept.settings = replace(kept.settings, repetitions=7, seed=None, patience=4)
    kept.form.refresh()
    assert (
        kept.form["repetitions"].value() == 7 and kept.form["seed"].value is None and kept.form["patience"].value() == 4
    )
    assert kept.said == [] and kept.form.valid


def test_a_number_that_is_cleared_is_none(kept: Kept) -> None:
    kept.form["seed"].edit.setText("12")
    assert kept.settings.seed == 12
    kept.form["seed"].edit.setText("")
    assert kept.settings.seed is None
    assert kept.said == [("Change the seed", "collect seed"), ("Another seed each time", "collect seed")]
    kept.form["seed"].edit.setText("x")
    assert not kept.form.valid and kept.settings.seed is None


def test_settings_inside_of_a_setting_are_changed_there(qtbot: QtBot, light: Theme) -> None:
    kept = Kept(Extended(), "estimate")
    assert {"estimator", "postprocess"} <= set(kept.form.fields)
    choices: Mapping[str, Any] = {"estimator": [("Usual", "auto"), ("EM", "em")]}
    form = BoundForm("collect", lambda: kept.settings, "estimate", choices=choices)
    form.edited.connect(kept._change)
    form["estimator"].setCurrentIndex(1)
    form["estimator"].activated.emit(1)
    assert kept.settings.method.estimator == "em" and kept.said == [("Change the estimator", "collect method")]
    for one in (*form.fields.values(), kept.page):
        qtbot.addWidget(one)


def test_every_declared_setting_is_explained() -> None:
    book = HelpBook()
    for room, made in ROOM_SETTINGS.items():
        assert declared(made)
        for key in explanations(room, made):
            found = book.find(key)
            assert found is not None and found.title and len(found.text) > 10, key


def test_one_module_says_which_field_a_type_has() -> None:
    """A form of its own map would show the same parameter in another way."""
    folder = Path(widgets.__file__).parent
    made = re.compile(r"\b(spec|parameter)\.type is ParamType\.(?!COLUMN)")
    known = {path.name for path in folder.parent.rglob("*.py") if made.search(path.read_text(encoding="utf-8"))}
    assert known == {"spec_field.py"}


@pytest.mark.parametrize("manner", Manner)
@pytest.mark.parametrize("kind", [kind for kind in ParamType if kind is not ParamType.OTHER])
def test_every_type_shows_its_value_and_tells_another(
    qtbot: QtBot, light: Theme, kind: ParamType, manner: Manner
) -> None:
    first, second = VALUES[kind]
    choices = (("a", "A"), ("b", "B")) if kind is ParamType.CHOICE else ()
    spec = ParamSpec("name", "Title", kind, first, minimum=0, maximum=9, choices=choices)
    told: list[object] = []
    field = spec_field(spec, manner, told.append, columns=("a", "b"))
    qtbot.addWidget(field)
    show_value(field, spec, first)
    told.clear()
    show_value(field, spec, second)
    assert all_valid([field])
    if isinstance(field, QAbstractButton):
        assert not told, "a room ticks what follows from elsewhere, and nobody has said it"
        field.click()
        assert told == [first]
    elif isinstance(field, NumberField | SpinBox):
        assert told == [second]  # the form knows that it is showing
    elif isinstance(field, ComboBox):
        field.activated.emit(field.currentIndex())
        assert told == [second]
        assert isinstance(field, ElidingComboBox), "a long name ends in …, and is not cut"
    elif isinstance(field, LinesEdit):
        assert field.toPlainText() == second
    else:
        assert isinstance(field, QLineEdit) and told == []
        assert field.text() == {ParamType.NUMBERS: "2, 3"}.get(kind, str(second))


VALUES: dict[ParamType, tuple[Any, Any]] = {
    ParamType.INTEGER: (1, 2),
    ParamType.NUMBER: (0.5, 0.25),
    ParamType.FRACTION: ("1/3", "1/4"),
    ParamType.SWITCH: (False, True),
    ParamType.CHOICE: ("a", "b"),
    ParamType.TEXT: ("x", "y"),
    ParamType.LINES: ("x", "y\nz"),
    ParamType.COLUMN: ("a", "b"),
    ParamType.NUMBERS: ((), (2.0, 3.0)),
}
