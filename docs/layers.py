"""Draws `docs/layers.svg` from the contracts in `pyproject.toml`: `python3 docs/layers.py` writes it again.

Each layer says what it is in the first line of its package; libraries stand beside the layers that may know them.
"""

from __future__ import annotations

import ast
import re
import textwrap
import tomllib
from html import escape
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
PICTURE = DOCS / "layers.svg"
_WIDTH, _EDGE, _GAP = 960, 16, 8
_LETTER = 6.3
"""The width of a letter of the small text, about."""


def layers(project: dict[str, Any]) -> list[list[str]]:
    """The packages of each layer, the highest first."""
    (contract,) = [one for one in project["tool"]["importlinter"]["contracts"] if one["id"] == "layers"]
    return [re.findall(r"\w+", row) for row in contract["layers"]]


def libraries(project: dict[str, Any]) -> dict[str, list[str]]:
    """For each package the libraries that it, and few others, may know."""
    found: dict[str, list[str]] = {}
    for contract in project["tool"]["importlinter"]["contracts"]:
        protected = [name for name in contract.get("protected_modules", ()) if not name.startswith("workbench.")]
        for importer in contract.get("allowed_importers", ()) if protected else ():
            known = found.setdefault(importer.split(".")[1], [])
            known += [protected[0]] if protected[0] not in known else []
    return found


def purpose(package: str) -> str:
    """What a package is for, in a sentence."""
    module = ast.parse((ROOT / "workbench" / package / "__init__.py").read_text(encoding="utf-8"))
    text = " ".join((ast.get_docstring(module) or "").split("\n\n")[0].split())
    return re.split(r"(?<=\.) ", text)[0]


def picture() -> str:
    """The drawing, as SVG."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    known = libraries(project)
    drawn: list[str] = []
    top = _EDGE
    for row in layers(project):
        width = (_WIDTH - 2 * _EDGE - (len(row) - 1) * _GAP) / len(row)
        told = {package: textwrap.wrap(purpose(package), int((width - 20) / _LETTER)) for package in row}
        height = 32 + 14 * max(map(len, told.values()))
        for place, package in enumerate(row):
            box = (_EDGE + place * (width + _GAP), top, width, height)
            drawn += _box(package, box, told[package], known.get(package, []))
        top += height + _GAP
    height = top - _GAP + _EDGE
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif" '
        'role="img" aria-labelledby="title">',
        '<title id="title">The layers of the workbench: each imports only from those below it</title>',
        f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>',
    ]
    return "\n".join([*head, *drawn, "</svg>"]) + "\n"


def _box(package: str, box: tuple[float, float, float, float], told: list[str], known: list[str]) -> list[str]:
    left, top, width, height = box
    place = f'x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}"'
    drawn = [
        f'<rect {place} rx="6" fill="#eef3f8" stroke="#5b7085"/>',
        _text(left + 10, top + 18, package, 'font-size="14" font-weight="bold" fill="#1b2733"'),
    ]
    if known:
        look = 'font-size="11" text-anchor="end" fill="#8a4b00"'
        drawn.append(_text(left + width - 10, top + 18, ", ".join(known), look))
    for number, line in enumerate(told):
        drawn.append(_text(left + 10, top + 35 + 14 * number, line, 'font-size="11.5" fill="#33475b"'))
    return drawn


def _text(x: float, y: float, words: str, look: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" {look}>{escape(words)}</text>'


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
