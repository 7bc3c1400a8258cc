"""A report as one HTML file: nothing is fetched from anywhere, and the same report gives the same bytes."""

from __future__ import annotations

import csv
import re
from html import escape

from workbench import __version__
from workbench.plots.render import chart_svg
from workbench.report.content import Block, Bullets, Paragraph, Picture, Report, ReportHeading, ReportTable
from workbench.report.page import bullets

ANALYST = "Analyst only: computed from true values. Do not publish."

_MOST_NUMBERS = 400
_REFERENCES = re.compile(r'(\bid="|href="#|url\(#)')
_HEAD_OF_SVG = re.compile(r"^.*?(?=<svg\b)", re.DOTALL)
_METADATA = re.compile(r"\s*<metadata>.*?</metadata>", re.DOTALL)


def html_of(report: Report) -> str:
    """The whole page."""
    badge = f'<p class="badge" role="note">{escape(ANALYST)}</p>' if report.analyst else ""
    # Sections follow the headings of level 2; what stands before the first belongs to the title.
    body, open_section, pictures = "", False, 0
    for block in report.blocks:
        if isinstance(block, ReportHeading) and block.level == 2:
            body += ("</section>" if open_section else "") + "<section>"
            open_section = True
        if isinstance(block, Picture):
            pictures += 1
        body += _written(block, pictures)
    body += "</section>" if open_section else ""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{escape(report.title)}</title><style>{_STYLE}</style></head>"
        f"<body><main><header><h1>{escape(report.title)}</h1>{badge}</header>"
        f"{body}<footer>Written by anonymisation workbench {__version__}.</footer></main></body></html>\n"
    )


def _written(block: Block, number: int) -> str:
    match block:
        case ReportHeading(text, level):
            return f"<h{level}>{escape(text)}</h{level}>\n"
        case Paragraph(text, tone):
            return f'<p class="{tone}">{escape(text)}</p>\n'
        case Bullets(items):
            return bullets(items) + "\n"
        case ReportTable():
            return _table(block)
        case Picture():
            return _figure(block, number)


def _table(grid: ReportTable, *, most: int | None = None) -> str:
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in grid.heads)
    body = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:])
        + "</tr>\n"
        for row in grid.rows[:most]
    )
    looks = ' class="figures"' if grid.figures else ""
    top = f"<thead><tr>{head}</tr></thead>" if any(grid.heads) else ""
    return f'<div class="wide"><table{looks}>{top}<tbody>{body}</tbody></table></div>\n'


def _figure(picture: Picture, number: int) -> str:
    words = picture.words
    # Each drawing counts its parts from 1, and a page must not have two parts of one name.
    drawn = _METADATA.sub("", _HEAD_OF_SVG.sub("", chart_svg(picture.kind, picture.data)))
    drawn = _REFERENCES.sub(rf"\g<1>f{number}-", drawn)
    drawn = drawn.replace("<svg ", f'<svg role="img" aria-label="{escape(f"{picture.title}. {words}")}" ', 1)
    return (
        f"<figure><h3>{escape(picture.title)}</h3>{drawn}<figcaption>{escape(words)}</figcaption>"
        f"{_numbers(picture)}</figure>\n"
    )


def _numbers(picture: Picture) -> str:
    """The numbers behind a picture, for those who cannot see it or want to know exactly."""
    # They come as the cells of a CSV.
    heads, *rows = (tuple(next(csv.reader([",".join(row)]))) for row in picture.numbers)
    more = f"<p>The first {_MOST_NUMBERS:,} of {len(rows):,} lines.</p>" if len(rows) > _MOST_NUMBERS else ""
    grid = ReportTable(heads, tuple(rows), figures=True)
    return f"<details><summary>The numbers</summary>{_table(grid, most=_MOST_NUMBERS)}{more}</details>"


_STYLE = """
:root{color-scheme:light}
body{margin:0;background:#f6f7f9;color:#1b1f24;font:15px/1.55 Inter,"Segoe UI","Noto Sans","DejaVu Sans",sans-serif}
main{max-width:52rem;margin:2rem auto;padding:2rem 2.5rem;background:#fff;border-radius:6px}
h1{font-size:1.7rem;margin:0 0 .8rem}h2{font-size:1.25rem;margin:2.2rem 0 .6rem}h3{font-size:1rem;margin:1.4rem 0 .4rem}
p{margin:.5rem 0}ul{margin:.5rem 0;padding-left:1.4rem}
.badge{display:inline-block;margin:0;padding:.3rem .8rem;border-radius:6px;background:#fdf0e7;color:#8a3600;
font-weight:600;border:1px solid #b34700}
.holds,.void,.warning{padding:.6rem 1rem;border-radius:6px;border-left:5px solid;font-weight:600}
.holds{background:#e8f5ef;border-color:#00704f}.void,.warning{background:#fdf0e7;border-color:#b34700}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.3rem .8rem .3rem 0}
thead th{border-bottom:1px solid #c9ced6;color:#4a5260;font-weight:500}tbody th{font-weight:500}
tbody tr+tr>*{border-top:1px solid #eceef2}
.figures td,.figures thead th+th{text-align:right;font-variant-numeric:tabular-nums}
figure{margin:1.2rem 0}figure h3{margin:0 0 .3rem}svg{width:100%;height:auto;display:block}
figcaption{color:#4a5260;margin:.3rem 0}details{color:#4a5260;font-size:.9rem}summary{cursor:pointer}
summary:focus-visible{outline:2px solid #2f6fed;outline-offset:2px}
footer{margin-top:2.4rem;color:#5b6472;font-size:.85rem}
@page{margin:18mm 16mm}
@media print{body{background:#fff;font-size:11pt}main{margin:0;padding:0;max-width:none}details{display:none}
h2,h3{break-after:avoid}figure,tr,li{break-inside:avoid}thead{display:table-header-group}.wide{overflow:visible}}
"""
