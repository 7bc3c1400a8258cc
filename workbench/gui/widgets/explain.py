"""The Explain pane: plain words about whatever has the focus."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFrame, QToolButton, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.paths import resources
from workbench.core.settings import explanations
from workbench.gui.icons import icon
from workbench.gui.widgets import boxes
from workbench.gui.widgets.labels import label
from workbench.project.rooms import ROOM_SETTINGS

_PROPERTY = "explain"


@dataclass(frozen=True)
class Explanation:
    """A heading and a few sentences of plain text; an empty line parts paragraphs."""

    title: str
    text: str


class HelpBook:
    """Explanations by key, from `resources/help/en.json`.

    A declared setting without an entry there is explained by its own title and help.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._entries = _read((folder or resources() / "help") / "en.json")
        self._declared: dict[str, Explanation] = {}
        for room, made in ROOM_SETTINGS.items():
            for key, spec in explanations(room, made).items():
                text = f"{spec.help[:1].upper()}{spec.help[1:].removesuffix('.')}."
                self._declared[key] = Explanation(spec.title, text)

    def find(self, key: str) -> Explanation | None:
        return self._entries.get(key) or self._declared.get(key)

    def add(self, key: str, title: str, text: str) -> None:
        """Add an entry that is declared elsewhere, such as the help of a plugin's parameter."""
        self._entries[key] = Explanation(title, text)

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the explanations that were written, not of the settings that are explained by their own help."""
        return tuple(self._entries)


def set_explain(widget: QWidget, key: str) -> None:
    """Say which entry explains a widget and everything in it that has no entry of its own."""
    widget.setProperty(_PROPERTY, key)


def explain_key(widget: QWidget | None) -> str:
    """The key of a widget or of its nearest ancestor that has one; empty if none has."""
    while widget is not None:
        key = widget.property(_PROPERTY)
        if key:
            return str(key)
        widget = widget.parentWidget()
    return ""


class ExplainPane(QFrame):
    """Shows the entry of the control that has the focus; keeps the last one while there is nothing to say."""

    def __init__(self, book: HelpBook, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._book = book
        self._key = ""
        self.setProperty("line", "left")
        self.setAccessibleName("Explain")
        caption = label("Explain", muted=True, small=True)
        self.close_button = QToolButton()
        self.close_button.setIcon(icon("close", "muted"))
        self.close_button.setToolTip("Hide the explanations (F1)")
        self.close_button.setAccessibleName("Hide the explanations")
        top = boxes.row(caption, 1, self.close_button)
        self._title = label(heading=2, wrap=True)
        self._text = label(wrap=True, selectable=True)
        self._text.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        inside = boxes.column(self._title, self._text, 1, margins="0 0 s 0", spacing="s")
        self._scroll = boxes.scrolled(inside)
        boxes.column(top, (self._scroll, 1), margins="l s s l", spacing="xs", inside=self)
        self._show_default()
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._follow)

    @property
    def key(self) -> str:
        """Key of the entry shown, or nothing."""
        return self._key

    @property
    def title(self) -> str:
        return self._title.text()

    @property
    def text(self) -> str:
        return self._text.text()

    def show_key(self, key: str) -> bool:
        """Show an entry; False, and no change, if there is none of that key."""
        entry = self._book.find(key)
        if entry is None:
            return False
        self._key = key
        self._title.setText(entry.title)
        self._text.setText(entry.text)
        self._scroll.verticalScrollBar().setValue(0)
        return True

    def _follow(self, _old: QWidget | None, new: QWidget | None) -> None:
        if new is None or self.isAncestorOf(new) or new.window() is not self.window():
            return
        key = explain_key(new)
        if key and key != self._key:
            self.show_key(key)

    def _show_default(self) -> None:
        self._title.setText("What is this?")
        self._text.setText("Click a field, or reach it with Tab, and its meaning is explained here.")


def _read(path: Path) -> dict[str, Explanation]:
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        return {key: Explanation(entry["title"], entry["text"]) for key, entry in entries.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise WorkbenchError(
            f"The help texts in {path.name} cannot be read.", hint="Install the program again."
        ) from error
