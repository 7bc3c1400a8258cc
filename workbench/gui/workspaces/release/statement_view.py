"""The statement as it will be written, in the colours of the window."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, QMimeData, Qt
from PySide6.QtGui import QGuiApplication, QResizeEvent, QTextOption
from PySide6.QtWidgets import QTextBrowser, QWidget

from workbench.gui import tokens
from workbench.gui.theme import current_theme
from workbench.gui.widgets.explain import set_explain


class StatementView(QTextBrowser):
    """Shows the body of a statement; links and pictures do not occur in it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._body = ""
        self._holds = True
        self._rendered_in = ""
        self.setOpenLinks(False)
        # No word is broken but those that nobody reads, see `_breakable`: where a table does not fit one scrolls to it.
        self.setWordWrapMode(QTextOption.WrapMode.WordWrap)
        self.setAccessibleName("Privacy statement")
        set_explain(self, "release.statement")

    def show_body(self, body: str) -> None:
        if body != self._body:
            self._body = body
            self._render()

    def show_said(self, said: bool) -> None:
        """Whether what it claims was said; until then nothing in it looks as if it held."""
        if said != self._holds:
            self._holds = said
            self._render()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._body and self._rendered_in != current_theme().name:
            self._render()  # a change of theme tells of several changes of colours
        elif event.type() == QEvent.Type.FontChange:
            self._fit()

    def _render(self) -> None:
        theme = current_theme()
        self._rendered_in = theme.name
        place = self.verticalScrollBar().value()
        cell = f"padding: {tokens.SPACE_HAIR}px {tokens.SPACE_M}px {tokens.SPACE_HAIR}px 0;"
        self.document().setIndentWidth(tokens.SPACE_XL)  # of lists
        self.document().setDefaultStyleSheet(
            f"body, td, th, li, p {{ color: {theme.text}; }}"
            f"h1 {{ font-size: x-large; }} h2 {{ font-size: large; margin-top: {tokens.SPACE_L}px; }}"
            f"table {{ margin-top: {tokens.SPACE_S}px; margin-bottom: {tokens.SPACE_S}px; }}"
            f"p.holds {{ color: {theme.success if self._holds else theme.muted}; font-weight: 600; }}"
            f"p.void {{ color: {theme.warning}; font-weight: 600; }}"
            f"em {{ color: {theme.muted}; font-style: normal; }}"
            f"th {{ text-align: left; font-weight: 600; {cell} }} td {{ {cell} }}"
        )
        self.setHtml(_breakable(self._body))
        self._fit()
        self.verticalScrollBar().setValue(place)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def _fit(self) -> None:
        """Scroll sideways only to a table that does not fit; the paragraphs around it always do."""
        over = self.document().size().width() - self.viewport().width()
        fits = over <= tokens.SPACE_HAIR  # widths of columns are rounded up, each for itself
        bar = Qt.ScrollBarPolicy
        self.setHorizontalScrollBarPolicy(bar.ScrollBarAlwaysOff if fits else bar.ScrollBarAsNeeded)

    def toPlainText(self) -> str:
        return super().toPlainText().replace(_BREAK, "")

    def createMimeDataFromSelection(self) -> QMimeData:
        """What is copied, without the places at which a word may be broken."""
        mime = QMimeData()
        mime.setText(self.textCursor().selection().toPlainText().replace(_BREAK, ""))
        mime.setHtml(self.textCursor().selection().toHtml().replace(_BREAK, ""))
        return mime

    def copy_whole(self) -> None:
        """Put all of it on the clipboard, as text and as a web page."""
        mime = QMimeData()
        mime.setText(self.toPlainText())
        mime.setHtml(self._body)
        QGuiApplication.clipboard().setMimeData(mime)


_BREAK = "\u200b"
_TAG_OR_LONG = re.compile(r"<[^>]*>|[^\s<>&;]{33,}")
"""A tag, or a word that is longer than any of a language, such as a SHA-256."""
_PART = 16
"""Letters of it that stay together."""


def _breakable(body: str) -> str:
    """The same page with places in such words at which a line may end: they would widen every narrow window."""

    def broken(found: re.Match[str]) -> str:
        word = found[0]
        return word if word.startswith("<") else _BREAK.join(word[at : at + _PART] for at in range(0, len(word), _PART))

    return _TAG_OR_LONG.sub(broken, body)
