"""The content of a page of this program, such as a statement, as a part of a report."""

from __future__ import annotations

from html.parser import HTMLParser

from workbench.report.content import Block, Bullets, Paragraph, ReportHeading, ReportTable, Tone

_TONES = {"holds": Tone.HOLDS, "void": Tone.VOID, "warning": Tone.WARNING}
_TEXTS = {"h1", "h2", "h3", "p", "li", "th", "td"}


def blocks_of(html: str) -> tuple[Block, ...]:
    """Headings, paragraphs, lists and tables in their order. Anything else is left out, its text too.

    Headings keep their level, but for the one of the whole page, which the report has itself.
    """
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return tuple(reader.blocks)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.blocks: list[Block] = []
        self._text: list[str] | None = None
        self._tone = Tone.PLAIN
        self._items: list[str] = []
        self._heads: tuple[str, ...] = ()
        self._row: list[str] = []
        self._rows: list[tuple[str, ...]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _TEXTS:
            self._text = []
        if tag == "p":
            classes = (dict(attrs).get("class") or "").split()
            self._tone = next((_TONES[name] for name in classes if name in _TONES), Tone.PLAIN)

    def handle_data(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag in _TEXTS:
            text = " ".join("".join(self._text or ()).split())
            self._text = None
            self._take(tag, text)
        elif tag == "ul" and self._items:
            self.blocks.append(Bullets(tuple(self._items)))
            self._items = []
        elif tag == "thead":
            # Its row has ended before.
            self._heads = self._rows.pop() if self._rows else tuple(self._row)
            self._row = []
        elif tag == "tr" and self._row:
            self._rows.append(tuple(self._row))
            self._row = []
        elif tag == "table":
            self.blocks.append(ReportTable(self._heads, tuple(self._rows)))
            self._heads, self._rows = (), []

    def _take(self, tag: str, text: str) -> None:
        if tag in ("h2", "h3"):
            self.blocks.append(ReportHeading(text, int(tag[1])))
        elif tag == "p" and text:
            self.blocks.append(Paragraph(text, self._tone))
        elif tag == "li":
            self._items.append(text)
        elif tag in ("th", "td"):
            self._row.append(text)
