"""Everything the menus offer, declared as data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ActionSpec:
    """One menu entry.

    `method` is the method of the main window it calls. `help` is the sentence shown in the tooltip.
    """

    identifier: str
    menu: str
    text: str
    method: str
    shortcuts: tuple[str, ...] = ()
    icon: str = ""
    separator_before: bool = False


FILE, EDIT, RUN, VIEW, HELP = (
    "&File",
    "&Edit",
    "&Run",
    "&View",
    "&Help",
)
MENUS = (FILE, EDIT, RUN, VIEW, HELP)

ACTIONS = (
    ActionSpec("new", FILE, "&New project", "new_project", ("Ctrl+N",), "add"),
    ActionSpec("start", FILE, "S&tart page", "show_start", ("Ctrl+0",)),
    ActionSpec("open", FILE, "&Open data or project…", "choose_file", ("Ctrl+O",), "open"),
    ActionSpec("open-folder", FILE, "Open &folder of parts…", "choose_folder", ("Ctrl+Shift+O",)),
    ActionSpec("database", FILE, "Open a &database…", "choose_database"),
    ActionSpec("paste", FILE, "&Paste a table…", "paste_table", ("Ctrl+Shift+V",)),
    ActionSpec("save", FILE, "&Save project", "save", ("Ctrl+S",), "save", separator_before=True),
    ActionSpec("save-as", FILE, "Save project &as…", "save_as", ("Ctrl+Shift+S",)),
    ActionSpec("export", FILE, "&Export release…", "go_to_export", ("Ctrl+E",), "export"),
    ActionSpec("pseudonyms", FILE, "Write a copy with pse&udonyms…", "write_pseudonyms"),
    ActionSpec("notebook", FILE, "Export note&book…", "export_notebook"),
    ActionSpec("verify", FILE, "Chec&k a file…", "verify_file", (), "shield"),
    ActionSpec("quit", FILE, "&Quit", "close", ("Ctrl+Q",), separator_before=True),
    ActionSpec("renew", RUN, "&Renew forecasts, plans and previews", "renew", ("F5", "Ctrl+R"), "run"),
    ActionSpec("spend", RUN, "&Press the button with the price", "spend", ("Ctrl+Return", "Ctrl+Enter")),
    ActionSpec("cancel", RUN, "&Cancel what is running", "cancel", ("Ctrl+.",), "stop"),
    ActionSpec(
        "engine",
        RUN,
        "&Data engine and memory…",
        "choose_engine",
        (),
        "settings",
        separator_before=True,
    ),
    ActionSpec("explain", VIEW, "E&xplain pane", "toggle_explain", ("F1",), "help"),
    ActionSpec("next", VIEW, "&Next step", "follow_next", ("F8",)),
    ActionSpec("rail", VIEW, "&Go to the list of workspaces", "focus_rail", ("F6",)),
    ActionSpec(
        "preferences", EDIT, "&Preferences…", "show_preferences", ("Ctrl+,",), "settings", separator_before=True
    ),
    ActionSpec("manual", HELP, "&Manual", "show_manual", (), "help"),
    ActionSpec("glossary", HELP, "&Glossary", "show_glossary", ("Shift+F1",), "library"),
    ActionSpec("shortcuts", HELP, "&Keyboard shortcuts", "show_shortcuts", ("Ctrl+Shift+/",), "table"),
    ActionSpec("command", HELP, "&Copy as command", "copy_command", ("Ctrl+Alt+C",), "copy"),
    ActionSpec("python", HELP, "Cop&y as Python", "copy_python", ("Ctrl+Alt+P",), "copy"),
    ActionSpec("tour", HELP, "&Tour in six steps", "start_tour", (), "help"),
    ActionSpec("plugins", HELP, "&Plug-ins…", "show_plugins"),
    ActionSpec("about", HELP, "&About", "about", (), "info", separator_before=True),
)
