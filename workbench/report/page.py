"""A page of HTML in one file: headings, lists and tables, readable in any browser and on paper."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Any

from workbench import __version__

EMBEDDED = '<script type="application/json" id="workbench-release">'
"""Comes before what a program can read in a page."""


def page(title: str, body: str, embedded: Mapping[str, Any] | None = None, day: str = "") -> str:
    """A whole page, with its date (that of today) and, if given, what a program can read in it."""
    data = ""
    if embedded is not None:
        # No text may end the element.
        plain = json.dumps(embedded, ensure_ascii=False, allow_nan=False).replace("<", "\\u003c")
        data = f"{EMBEDDED}{plain}{_END}"
    return (
        _OPENING.format(title=escape(title), style=_STYLE)
        + body
        + signed_off(__version__, day or today())
        + (f"</main>{data}</body></html>\n")
    )


def is_page(path: Path) -> bool:
    """Whether a file is a page of this program, by its last line."""
    try:
        return b"<footer>Written by anonymisation workbench " in path.read_bytes()
    except OSError:
        return False


def today() -> str:
    """The day, as pages and notes give it."""
    return datetime.now(UTC).strftime("%Y-%m-%d")


def signed_off(version: object, day: object) -> str:
    """The last line of a page."""
    return f"<footer>{escape(f'Written by anonymisation workbench {version} on {day}.')}</footer>"


@dataclass(frozen=True)
class Dissected:
    """A page of this program, taken apart.

    Parameters
    ----------
    body, footer
        What stands in it, and its last line, as HTML.
    embedded
        What a program can read in it; "" if there is nothing.
    intact
        Whether everything around these is as this program writes it: nothing hidden, added, restyled or run.
    """

    body: str
    footer: str
    embedded: str
    intact: bool


def dissected(text: str, title: str) -> Dissected:
    """Take apart what `page` wrote; whatever else it is, the visible part of it ends up in the body."""
    found = one_line_end(text)
    head, marked, rest = found.partition(EMBEDDED)
    embedded, ended, after = rest.partition(_END)
    openings = [_OPENING.format(title=escape(title), style=style) for style in KNOWN_STYLES]
    opening = next((one for one in openings if head.startswith(one)), "")
    body, foot, footer = head.removeprefix(opening).rpartition("<footer>")
    closed = footer.endswith("</footer></main>")
    intact = bool(opening and foot and closed) and (not marked or bool(ended))
    # A browser ends the element at what is no end for whoever reads the facts, such as </SCRIPT >.
    intact = intact and "<" not in embedded
    around = after if marked else ""
    intact = intact and around.rstrip("\n") == "</body></html>"
    return Dissected(body, foot + footer.removesuffix("</main>"), embedded, intact)


def one_line_end(text: str) -> str:
    """The text as browsers read it, for which all ends of lines are one."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def verdict(sentence: str, *, holds: bool) -> str:
    """The verdict in one sentence that stands out, as HTML."""
    return f'<p class="verdict {"holds" if holds else "void"}">{escape(sentence)}</p>'


def paragraph(sentence: str) -> str:
    """A sentence, or several, as HTML; "" for none."""
    return f"<p>{escape(sentence)}</p>" if sentence else ""


def bullets(sentences: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(sentence)}</li>' for sentence in sentences)}</ul>"


def section(heading: str, content: str) -> str:
    return f"<section><h2>{escape(heading)}</h2>{content}</section>"


def table(headings: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """A table whose first column is the heading of each row."""
    head = "".join(f"<th scope=col>{escape(heading)}</th>" for heading in headings) if any(headings) else ""
    body = "".join(
        "<tr><th scope=row>" + escape(row[0]) + "</th>" + "".join(f"<td>{escape(c)}</td>" for c in row[1:]) + "</tr>"
        for row in rows
    )
    return f"<table>{f'<thead><tr>{head}</tr></thead>' if head else ''}<tbody>{body}</tbody></table>"


_END = "</script>"
_OPENING = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
    "<style>{style}</style></head><body><main>"
)

_STYLE = """
body{margin:0;background:#f6f7f9;color:#1b1f24;font:15px/1.55 Inter,"Segoe UI","Noto Sans","DejaVu Sans",sans-serif}
main{max-width:46rem;margin:2rem auto;padding:2rem 2.5rem;background:#fff;border-radius:6px}
h1{font-size:1.6rem;margin:0 0 1rem}h2{font-size:1.05rem;margin:1.8rem 0 .5rem}
.verdict{font-size:1.15rem;font-weight:600;padding:.7rem 1rem;border-radius:6px;border-left:5px solid}
.holds{background:#e8f5ef;border-color:#00704f}.void{background:#fdf0e7;border-color:#b34700}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.3rem .8rem .3rem 0}
thead th{border-bottom:1px solid #c9ced6}tbody th{font-weight:500}em{color:#4a5260}
footer{margin-top:2rem;color:#5b6472;font-size:.85rem}
@media print{body{background:#fff}main{margin:0;padding:0}}
"""

KNOWN_STYLES = (_STYLE,)
"""The looks that pages of this program have had. A style can hide or add words, so no other one passes for its own."""
