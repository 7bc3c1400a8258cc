"""Everything the menus offer, declared as data."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QT_TRANSLATE_NOOP


@dataclass(frozen=True)
class ActionSpec:
    """One menu entry.

    `method` is the method of the main window it calls; `text` is translated when the menu is built. `help` is the
    sentence shown in the tooltip.
    """

    identifier: str
    menu: object  # what QT_TRANSLATE_NOOP gives back, which is the text itself
    text: object
    method: str
    shortcuts: tuple[str, ...] = ()
    icon: str = ""
    separator_before: bool = False


FILE, EDIT, RUN, VIEW, HELP = (
    QT_TRANSLATE_NOOP("Actions", "&File"),
    QT_TRANSLATE_NOOP("Actions", "&Edit"),
    QT_TRANSLATE_NOOP("Actions", "&Run"),
    QT_TRANSLATE_NOOP("Actions", "&View"),
    QT_TRANSLATE_NOOP("Actions", "&Help"),
)
MENUS = (FILE, EDIT, RUN, VIEW, HELP)

ACTIONS = (
    ActionSpec("new", FILE, QT_TRANSLATE_NOOP("Actions", "&New project"), "new_project", ("Ctrl+N",), "add"),
    ActionSpec(
        "open", FILE, QT_TRANSLATE_NOOP("Actions", "&Open data or project…"), "choose_file", ("Ctrl+O",), "open"
    ),
    ActionSpec(
        "open-folder", FILE, QT_TRANSLATE_NOOP("Actions", "Open &folder of parts…"), "choose_folder", ("Ctrl+Shift+O",)
    ),
    ActionSpec(
        "save", FILE, QT_TRANSLATE_NOOP("Actions", "&Save project"), "save", ("Ctrl+S",), "save", separator_before=True
    ),
    ActionSpec("save-as", FILE, QT_TRANSLATE_NOOP("Actions", "Save project &as…"), "save_as", ("Ctrl+Shift+S",)),
    ActionSpec("export", FILE, QT_TRANSLATE_NOOP("Actions", "&Export release…"), "go_to_export", ("Ctrl+E",), "export"),
    ActionSpec("quit", FILE, QT_TRANSLATE_NOOP("Actions", "&Quit"), "close", ("Ctrl+Q",), separator_before=True),
    ActionSpec("run", RUN, QT_TRANSLATE_NOOP("Actions", "&Run this workspace"), "run", ("F5", "Ctrl+R"), "run"),
    ActionSpec("cancel", RUN, QT_TRANSLATE_NOOP("Actions", "&Cancel what is running"), "cancel", ("Ctrl+.",), "stop"),
    ActionSpec(
        "engine",
        RUN,
        QT_TRANSLATE_NOOP("Actions", "&Data engine and memory…"),
        "choose_engine",
        (),
        "settings",
        separator_before=True,
    ),
    ActionSpec("explain", VIEW, QT_TRANSLATE_NOOP("Actions", "E&xplain pane"), "toggle_explain", ("F1",), "help"),
    ActionSpec("rail", VIEW, QT_TRANSLATE_NOOP("Actions", "&Go to the list of workspaces"), "focus_rail", ("F6",)),
    ActionSpec(
        "command", HELP, QT_TRANSLATE_NOOP("Actions", "&Copy as command"), "copy_command", ("Ctrl+Alt+C",), "copy"
    ),
    ActionSpec("tour", HELP, QT_TRANSLATE_NOOP("Actions", "&Tour in six steps"), "start_tour", (), "help"),
    ActionSpec("plugins", HELP, QT_TRANSLATE_NOOP("Actions", "&Plug-ins…"), "show_plugins"),
    ActionSpec("about", HELP, QT_TRANSLATE_NOOP("Actions", "&About"), "about", (), "info", separator_before=True),
)
