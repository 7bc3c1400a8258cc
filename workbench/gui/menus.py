"""The menus of the main window, made from the declared actions."""

from __future__ import annotations

import glob
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Protocol

import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence, QUndoStack
from PySide6.QtWidgets import QMenu, QMenuBar

from workbench.core.progress import Progress
from workbench.gui.actions import ACTIONS, EDIT, MENUS, VIEW
from workbench.gui.icons import icon
from workbench.gui.runner import Runner
from workbench.gui.samples import samples as all_samples
from workbench.gui.settings import WindowSettings
from workbench.gui.theme import Mode, ThemeManager
from workbench.gui.widgets.labels import on_button
from workbench.gui.workspaces import ROOMS
from workbench.io.addresses import is_address

UNDO_KEYS, REDO_KEYS = ("Ctrl+Z",), ("Ctrl+Shift+Z", "Ctrl+Y")


class Commanded(Protocol):
    """A window as its menus know it; the methods that actions name are looked up by their names."""

    runner: Runner

    def open_path(self, path: Path) -> object: ...
    def open_recent(self, path: Path) -> object: ...
    def forget_recent(self) -> object: ...
    def select_and_focus(self, key: str) -> object: ...


class Menus(QObject):
    """Fills the menu bar of a window.

    `actions` holds the declared ones by their identifier, `keys` what is pressed for any action of a menu.
    """

    def __init__(
        self, bar: QMenuBar, window: Commanded, stack: QUndoStack, settings: WindowSettings, themes: ThemeManager
    ) -> None:
        super().__init__(bar)
        self._window = window
        self._settings = settings
        self.actions: dict[str, QAction] = {}
        self.keys: list[QKeySequence] = []
        menus = {title: bar.addMenu(title) for title in MENUS}
        self._add_history(menus[EDIT], stack)
        for spec in ACTIONS:
            menu = menus[spec.menu]
            if spec.separator_before:
                menu.addSeparator()
            action = menu.addAction(spec.text)
            if spec.icon:
                action.setIcon(icon(spec.icon))
            self._let_press(action, spec.shortcuts)
            action.triggered.connect(partial(self._trigger, spec.method))
            self.actions[spec.identifier] = action
            if spec.identifier == "open":
                self._add_samples(menu)
                self._recent = menu.addMenu("Open &recent")
                self._recent.aboutToShow.connect(self._fill_recent)
        self._add_view(menus[VIEW], themes)

    def _add_samples(self, menu: QMenu) -> None:
        samples = menu.addMenu("Open a sa&mple")
        for sample in all_samples():
            samples.addAction(sample.title, partial(self._window.open_path, sample.path))

    def _add_history(self, menu: QMenu, stack: QUndoStack) -> None:
        undo = stack.createUndoAction(self, "&Undo")
        redo = stack.createRedoAction(self, "&Redo")
        for action, keys, name in ((undo, UNDO_KEYS, "undo"), (redo, REDO_KEYS, "redo")):
            self._let_press(action, keys)
            action.setIcon(icon(name))
            menu.addAction(action)

    def _add_view(self, menu: QMenu, manager: ThemeManager) -> None:
        menu.addSeparator()
        for number, room in enumerate(ROOMS, start=1):
            action = menu.addAction(icon(room.icon), room.name())
            self._let_press(action, [f"Ctrl+{number}"])
            action.triggered.connect(partial(self._window.select_and_focus, room.key))
        menu.addSeparator()
        themes = menu.addMenu("&Theme")
        group = QActionGroup(self)
        names = {Mode.SYSTEM: "As the &system", Mode.LIGHT: "&Light", Mode.DARK: "&Dark"}
        for mode, name in names.items():
            action = themes.addAction(name)
            action.setCheckable(True)
            action.setChecked(mode is manager.mode)
            action.triggered.connect(partial(manager.set_mode, mode))
            group.addAction(action)

    def _let_press(self, action: QAction, names: Sequence[str]) -> None:
        keys = [QKeySequence(name) for name in names]
        action.setShortcuts(keys)
        self.keys += keys

    def _trigger(self, method: str) -> None:
        getattr(self._window, method)()

    def _fill_recent(self) -> None:
        self._recent.clear()
        files, actions = self._settings.recent_files, dict[Path, QAction]()
        for file in files:
            action = self._recent.addAction(on_button(file.name), partial(self._window.open_recent, file))
            action.setToolTip(str(file))
            actions[file] = action
        if files:
            self._recent.addSeparator()
            self._recent.addAction("&Forget these", self._window.forget_recent)
        else:
            self._recent.addAction("Nothing opened yet").setEnabled(False)

        def grey_out(gone: tuple[Path, ...]) -> None:
            for file in gone:
                if shiboken6.isValid(actions[file]):  # the menu may have been filled again
                    actions[file].setEnabled(False)

        # One may lie on a network that does not answer; until it does, it can be chosen.
        for file in files:
            self._window.runner.start(
                f"Looking for {file.name}",
                partial(_if_gone, file),
                on_done=grey_out,
                owner=self,
                aside=True,
                only_reads=True,
                key=f"recent {file}",
                latest_wins=True,
            )


def _if_gone(file: Path, _progress: Progress) -> tuple[Path, ...]:
    return () if is_address(file) or glob.has_magic(str(file)) or file.exists() else (file,)
