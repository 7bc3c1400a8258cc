"""A form over declared settings; and that a new setting of a room is one field, from which all the rest follows."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from workbench.core import flags
from workbench.core.settings import Flag, declared, explanations, setting
from workbench.core.settings_json import from_json, to_json
from workbench.core.typed_fields import typed_fields
from workbench.gui.theme import Theme
from workbench.gui.widgets import explain
from workbench.gui.widgets.bound_form import BoundForm
from workbench.gui.widgets.explain import HelpBook, explain_key
from workbench.project.collect_settings import CollectSettings
from workbench.project.rooms import ROOMS


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

    def __init__(self, settings: Any, group: str) -> None:
        self.settings, self.said = settings, list[tuple[str, str]]()
        self.form = BoundForm("collect", lambda: self.settings, group)
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


def test_a_new_setting_is_one_field(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    # In files of today, and of a program that did not know it.
    assert to_json(Extended(patience=9))["patience"] == 9
    assert from_json(Extended, to_json(CollectSettings())).patience == 3
    # Typed, and copied.
    parser = argparse.ArgumentParser()
    flags.declare(parser, Extended)
    assert "how many days to wait for reports" in parser.format_help()
    words = flags.words(Extended(column="job", patience=9))
    assert words[-2:] == ["--patience", "9"]
    assert flags.given(Extended, parser.parse_args(words))["patience"] == 9
    # In the form: shown, edited, undone.
    field = kept.form["patience"]
    assert field.value() == 3 and field.suffix() == " days" and field.accessibleName() == "Days of patience"
    assert "Patience" in [one.text() for one in kept.page.findChildren(QLabel)]
    field.setValue(5)
    assert kept.settings.patience == 5 and kept.said == [("Change the patience", "collect patience")]
    # Explained.
    assert explain_key(field) == "collect.patience" and "collect.patience" in explanations("collect", Extended)
    monkeypatch.setattr(explain, "ROOMS", {"collect": Extended})
    found = HelpBook().find("collect.patience")
    assert found is not None and (found.title, found.text) == ("Days of patience", "How many days to wait for reports.")


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
    for room, made in ROOMS.items():
        assert declared(made)
        for key in explanations(room, made):
            found = book.find(key)
            assert found is not None and found.title and len(found.text) > 10, key
