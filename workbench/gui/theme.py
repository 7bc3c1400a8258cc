"""Light and dark: Fusion, our own palette and one stylesheet, all from the tokens.

The stylesheet belongs to the finished parts of a window and not to the application: Qt would style every widget anew
each time it moves into another while a room is made, and all rooms, seen or not, when the theme changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from PySide6.QtCore import QDir, QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from workbench.core.paths import resources
from workbench.gui import tokens
from workbench.gui.settings import WindowSettings
from workbench.gui.stylesheet import SEARCH_PREFIX, build_stylesheet
from workbench.gui.tokens import DARK, LIGHT, Theme

__all__ = [
    "DARK",
    "LIGHT",
    "Mode",
    "Theme",
    "ThemeManager",
    "apply_theme",
    "colour",
    "contrast",
    "current_theme",
    "dress",
    "dress_a_step",
    "is_dressed",
    "monospace_font",
    "set_look",
    "small_font",
    "tabular_font",
]


class Mode(StrEnum):
    """The theme that the person chose; `SYSTEM` follows the desktop."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


_THEME_PROPERTY = "workbench_theme"


def current_theme() -> Theme:
    """The colours in force, for widgets that paint themselves and for charts."""
    app = QApplication.instance()
    return DARK if app is not None and app.property(_THEME_PROPERTY) == DARK.name else LIGHT


def colour(token: str) -> QColor:
    """The colour of a token, such as `"muted"`, in the theme in force."""
    return QColor(getattr(current_theme(), token))


def apply_theme(app: QApplication, theme: Theme) -> None:
    """Give the application Fusion, the palette of the theme and its font; `dress` gives a part of a window its sheet.

    Parameters
    ----------
    app
        The running application.
    theme
        `LIGHT` or `DARK`.
    """
    QDir.setSearchPaths(SEARCH_PREFIX, [str(resources() / "icons" / "control")])
    if app.style().name() != "fusion":
        app.setStyle("Fusion")
    app.setProperty(_THEME_PROPERTY, theme.name)
    app.setFont(base_font())
    app.setPalette(_palette(theme))


def dress(root: QWidget) -> None:
    """Give a finished widget, and everything in it, the stylesheet of the theme in force, unless it has that already.

    Dialogs, menus, lists and tooltips that belong to something in it follow it.
    """
    while not is_dressed(root):
        dress_a_step(root)


def is_dressed(root: QWidget) -> bool:
    """Whether a widget has the stylesheet of the theme in force."""
    return _to_dress(root) is None


def dress_a_step(root: QWidget) -> None:
    """Take another theme's sheet off, or put the one in force on: a step for each, since each takes its time.

    Qt takes several times as long to replace one sheet by another as to take one off and put one on. It takes longer,
    the more widgets are below: what only arranges large parts names these as its `wearers`, with steps of their own.
    """
    wearer = _to_dress(root)
    if wearer is not None:
        wearer.setStyleSheet("" if wearer.styleSheet() else build_stylesheet(current_theme()))


def _to_dress(root: QWidget) -> QWidget | None:
    """The first part that does not wear the sheet in force yet."""
    wearers: Sequence[QWidget] = getattr(root, "wearers", (root,))
    wanted = build_stylesheet(current_theme())
    return next((one for one in wearers if one.styleSheet() != wanted), None)


def base_font() -> QFont:
    """The text font: 13 px of the first installed family."""
    font = QFont()
    font.setFamilies(list(tokens.FONT_FAMILIES))
    font.setPixelSize(tokens.FONT_BASE)
    return font


def small_font() -> QFont:
    """The font of small text, for who reserves room for it before there is a stylesheet."""
    font = base_font()
    font.setPixelSize(tokens.FONT_SMALL)
    return font


def tabular_font() -> QFont:
    """The text font with figures of equal width, so that columns of numbers line up."""
    font = base_font()
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


def monospace_font() -> QFont:
    """The font of commands and tracebacks."""
    font = QFont()
    font.setFamilies(list(tokens.MONOSPACE_FAMILIES))
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setPixelSize(tokens.FONT_SMALL)
    return font


def set_look(widget: QWidget, **properties: object) -> None:
    """Set properties the stylesheet looks at, such as `primary=True` or `heading=1`, and restyle the widget."""
    changed = False
    for name, value in properties.items():
        # The stylesheet compares texts; a bool would become "true" but an int property needs its text.
        text = ("true" if value else "false") if isinstance(value, bool) else str(value)
        if widget.property(name) != text:
            widget.setProperty(name, text)
            changed = True
    if changed:
        style = widget.style()
        style.unpolish(widget)
        style.polish(widget)
        widget.updateGeometry()  # another look may need more room
        widget.update()


def contrast(first: str, second: str) -> float:
    """The contrast ratio of two `#RRGGBB` colours, 1 to 21, after WCAG 2.2."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(hexadecimal: str) -> float:
    channels = (int(hexadecimal[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _palette(theme: Theme) -> QPalette:
    role = QPalette.ColorRole
    colours = {
        role.Window: theme.window,
        role.WindowText: theme.text,
        role.Base: theme.surface,
        role.AlternateBase: theme.band,
        role.Text: theme.text,
        role.PlaceholderText: theme.muted,
        role.Button: theme.surface,
        role.ButtonText: theme.text,
        role.BrightText: theme.error,
        role.ToolTipBase: theme.text,
        role.ToolTipText: theme.surface,
        role.Highlight: theme.selection,
        role.HighlightedText: theme.on_selection,
        role.Link: theme.link,
        role.LinkVisited: theme.link,
        role.Accent: theme.accent,
        role.Light: theme.surface,
        role.Midlight: theme.hover,
        role.Mid: theme.border,
        role.Dark: theme.control,
        role.Shadow: theme.sunken,
    }
    palette = QPalette()
    for key, value in colours.items():
        palette.setColor(key, QColor(value))
    for key in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        palette.setColor(QPalette.ColorGroup.Disabled, key, QColor(theme.disabled))
    return palette


class ThemeManager(QObject):
    """Keeps the application in the theme the person or the desktop asked for.

    Signals
    -------
    changed(Theme)
        After the palette changed. Whoever has dressed something dresses it anew, best when it is next seen.
    resized(int, int)
        Text has another size: pixels of plain text before and now. Told before `changed`.
    """

    changed = Signal(object)
    resized = Signal(int, int)

    def __init__(self, app: QApplication, settings: WindowSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._app = app
        self._settings = settings
        stored = settings.value("theme", Mode.SYSTEM.value)
        self._mode = Mode(stored) if stored in list(Mode) else Mode.SYSTEM
        self._theme = self._wanted()
        size = settings.value("text_size")
        self._text_size = size if size in tokens.TEXT_SIZES else tokens.TEXT_SIZES[1]
        self._take_text_size()
        apply_theme(app, self._theme)
        app.styleHints().colorSchemeChanged.connect(self._follow_system)

    @property
    def mode(self) -> Mode:
        return self._mode

    @property
    def theme(self) -> Theme:
        return self._theme

    def set_mode(self, mode: Mode) -> None:
        """Choose and remember a mode."""
        self._mode = mode
        self._settings.set_value("theme", mode.value)
        self._update()

    @property
    def text_size(self) -> int:
        """Pixels of plain text."""
        return self._text_size

    def set_text_size(self, size: int) -> None:
        """Choose and remember how large text is; one of `tokens.TEXT_SIZES`."""
        if size != self._text_size and size in tokens.TEXT_SIZES:
            before, self._text_size = self._text_size, size
            self._settings.set_value("text_size", size)
            self._take_text_size()
            apply_theme(self._app, self._theme)
            self.resized.emit(before, size)
            self.changed.emit(self._theme)

    def _take_text_size(self) -> None:
        if self._text_size != tokens.FONT_BASE:
            tokens.set_text_size(self._text_size)
            build_stylesheet.cache_clear()

    def _follow_system(self, _scheme: Qt.ColorScheme) -> None:
        self._update()

    def _update(self) -> None:
        wanted = self._wanted()
        if wanted is not self._theme:
            self._theme = wanted
            apply_theme(self._app, wanted)
            self.changed.emit(wanted)

    def _wanted(self) -> Theme:
        if self._mode is Mode.SYSTEM:
            dark = self._app.styleHints().colorScheme() is Qt.ColorScheme.Dark
        else:
            dark = self._mode is Mode.DARK
        return DARK if dark else LIGHT
