"""A form over declared settings: each field is made, shown, edited with undo and explained as its declaration says."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QLineEdit, QSizePolicy, QWidget

from workbench.core.params import ParamSpec
from workbench.core.settings import Setting, declared
from workbench.gui.theme import set_look
from workbench.gui.widgets.epsilon_field import EpsilonField
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.form_grid import add_row, form_grid
from workbench.gui.widgets.inputs import ComboBox
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.lines_edit import LinesEdit
from workbench.gui.widgets.listed_values import ListedValues
from workbench.gui.widgets.spec_field import LINE, Manner, all_valid, show_value, spec_field


@dataclass(frozen=True)
class _Place:
    """Where a setting is: its declaration, and the field it is part of where that consists of several."""

    setting: Setting
    within: str = ""


class BoundForm(QObject):
    """The fields of some settings of a room; whoever makes it lays them out, with `grid` or one by one.

    Parameters
    ----------
    room
        Begins the keys of the help and of undo steps.
    settings
        Gives the settings in force.
    group
        The settings that are meant: those declared for this group.
    fields
        Fields of another kind than usual, by name: one for ε, or a line whose text counts with all its spaces.
    choices
        Pairs (title, value) by name, for settings whose choices depend on what is installed.
    only
        Those of the group that are shown here; None for all.

    Signals
    -------
    edited(str, object, str, str)
        The person gave the setting of that name another value; what undo calls the change, and a key under which
        consecutive changes are one step.
    """

    edited = Signal(str, object, str, str)

    def __init__(
        self,
        room: str,
        settings: Callable[[], Any],
        group: str,
        *,
        fields: Mapping[str, QWidget] | None = None,
        choices: Mapping[str, Sequence[tuple[str, object]]] | None = None,
        only: Collection[str] | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._room, self._settings = room, settings
        self._given, self._choices = fields or {}, choices or {}
        places = _places(type(settings()), group)
        self._places = {name: place for name, place in places if only is None or name in only}
        self._showing = False
        self._labels: dict[str, QLabel] = {}
        self.fields: dict[str, QWidget] = {}
        for name, place in self._places.items():
            spec = place.setting.spec
            field = self.fields[name] = self._field(spec)
            set_explain(field, f"{room}.{spec.explain or name}")

    def __getitem__(self, name: str) -> Any:
        return self.fields[name]

    @property
    def valid(self) -> bool:
        """Whether the fields that are offered show what is in force."""
        return all_valid(self.fields.values())

    def grid(
        self, leave_out: Sequence[str] = (), into: QGridLayout | None = None, *, squeezed: bool = False
    ) -> QGridLayout:
        """The fields below each other: labels beside them, or above a long text; a box to tick has its own.

        Parameters
        ----------
        into
            A grid that they are added to.
        squeezed
            Whether the fields take the width that is there, however wide they would like to be.
        """
        grid = form_grid() if into is None else into
        for name, place in self._places.items():
            if name in leave_out:
                continue
            spec, field = place.setting.spec, self.fields[name]
            if squeezed:
                field.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            if isinstance(field, QCheckBox):
                grid.addWidget(field, grid.rowCount(), 0, 1, 2)
                continue
            words = self._labels[name] = label(spec.label or spec.title)
            words.setBuddy(field)  # screen readers would take what is chosen in a box for its name
            add_row(grid, words, field)
        return grid

    @property
    def labels(self) -> Sequence[QLabel]:
        """What stands beside the fields that were laid out."""
        return tuple(self._labels.values())

    def row(self, name: str) -> tuple[str, str, QWidget]:
        """A setting for a layout of another kind: its name, its label and its field."""
        spec = self._places[name].setting.spec
        return name, spec.label or spec.title, self.fields[name]

    def refresh(self) -> None:
        """Show the settings in force; a number or a text that is being typed is left alone."""
        self._showing = True
        try:
            for name, field in self.fields.items():
                if isinstance(field, EpsilonField):
                    field.set_value(self._value(name))
                else:
                    show_value(field, self._places[name].setting.spec, self._value(name))
        finally:
            self._showing = False

    def offer(self, name: str, pairs: Sequence[tuple[str, object]], tips: Sequence[str] = ()) -> None:
        """Offer these choices, pairs (title, value), where they depend on other settings; `tips` say more of each."""
        combo = self.fields[name]
        assert isinstance(combo, ComboBox)
        if [(combo.itemText(row), combo.itemData(row)) for row in range(combo.count())] == list(pairs):
            return
        combo.clear()
        for title, value in pairs:
            combo.addItem(title, value)
        for row, tip in enumerate(tips):
            combo.setItemData(row, tip, Qt.ItemDataRole.ToolTipRole)

    def set_shown(self, name: str, shown: bool) -> None:
        """Show or hide a setting with its label, such as one that another choice makes pointless."""
        for widget in (self.fields[name], self._labels.get(name)):
            if widget is not None:
                widget.setVisible(shown)

    def point_at(self, name: str) -> None:
        """Put the focus where an error comes from."""
        if name in self.fields:
            self.fields[name].setFocus()

    def mark(self, wrong: str) -> None:
        """Mark the field that an error speaks of; with "" none."""
        for name, field in self.fields.items():
            set_look(field, invalid=name == wrong)

    def _value(self, name: str) -> Any:
        within = self._places[name].within
        settings = self._settings()
        return getattr(getattr(settings, within) if within else settings, name)

    def _field(self, spec: ParamSpec) -> QWidget:
        tell = partial(self._tell, spec.name)
        given = self._given.get(spec.name)
        if isinstance(given, EpsilonField):
            given.value_changed.connect(tell)
            return given
        if isinstance(given, LINE):
            given.setAccessibleName(spec.title)
            given.setPlaceholderText(spec.placeholder)
            given.editingFinished.connect(partial(self._tell_line, spec.name, given))
            return given
        return spec_field(spec, Manner.ROOM, tell, choices=self._choices.get(spec.name))

    def _tell_line(self, name: str, line: QLineEdit | ListedValues) -> None:
        line.setModified(False)  # from now on what is in force is shown again
        self._tell(name, line.text())

    def _tell(self, name: str, value: Any) -> None:
        place = self._places[name]
        if isinstance(self.fields[name], LinesEdit):
            value = value.strip("\n")
        if self._showing or value == self._value(name):
            return
        # Qt keeps only the text of an enumeration.
        value = next((known for known, _ in place.setting.spec.choices if known == value), value)
        changed, words = name, place.setting.spec.changed_to(value)
        if place.within:
            changed, value = place.within, replace(getattr(self._settings(), place.within), **{name: value})
        # A text comes when it is finished; whatever comes while it is being changed is one step.
        whole = isinstance(self.fields[name], LINE)
        self.edited.emit(changed, value, words, "" if whole else f"{self._room} {changed}")


def _places(made: type[Any], group: str) -> list[tuple[str, _Place]]:
    found = []
    for name, one in declared(made).items():
        if one.spec.group != group:
            continue
        if one.stored.flat and one.made is not None:
            found += [(inner, _Place(two, name)) for inner, two in declared(one.made).items()]
        else:
            found.append((name, _Place(one)))
    return found
