"""Boxes of widgets in one expression: columns, rows, and a column that scrolls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLayout, QScrollArea, QVBoxLayout, QWidget


@dataclass(frozen=True)
class Gap:
    """Empty space of a fixed size, in pixels."""

    size: int


Part = QWidget | QLayout
Item = Part | Gap | int | tuple[Part, int] | tuple[Part, Qt.AlignmentFlag] | tuple[Part, int, Qt.AlignmentFlag]
"""A widget or layout, with its stretch and its alignment if it has them; a number is a stretch alone."""
Margins = int | tuple[int, int, int, int] | None
"""One margin for all sides; or left, top, right and bottom; or the margins of the style."""

_Box = TypeVar("_Box", bound=QBoxLayout)


def column(
    *items: Item, margins: Margins = 0, spacing: int | None = None, inside: QWidget | None = None
) -> QVBoxLayout:
    """The items one below the other.

    Parameters
    ----------
    items
        What is laid out, from the top.
    margins
        Around all of them.
    spacing
        Between two of them; None is that of the layout around this one, or of the style.
    inside
        The widget that is laid out so; None for a layout that goes into another.
    """
    return _filled(QVBoxLayout(), items, margins, spacing, inside)


def row(*items: Item, margins: Margins = 0, spacing: int | None = None, inside: QWidget | None = None) -> QHBoxLayout:
    """The items one beside the other, from the left; parameters as of `column`."""
    return _filled(QHBoxLayout(), items, margins, spacing, inside)


def boxed(layout: QLayout, *, line: str = "") -> QWidget:
    """A widget that is laid out like this, with a line at its "top" or "bottom" if one is named."""
    made = QFrame() if line else QWidget()
    made.setLayout(layout)
    if line:
        made.setProperty("line", line)
    return made


def scrolled(inside: QLayout | QWidget) -> QScrollArea:
    """What is as wide as its place and as high as it must be: it scrolls up and down, and takes no focus itself."""
    widget = inside if isinstance(inside, QWidget) else boxed(inside)
    widget.setProperty("bare", "true")
    area = QScrollArea()
    area.setWidget(widget)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area


def _filled(box: _Box, items: tuple[Item, ...], margins: Margins, spacing: int | None, inside: QWidget | None) -> _Box:
    # Widgets move into `inside` as they are added, one by one: in this order Tab goes through them.
    if inside is not None:
        inside.setLayout(box)
    if margins is not None:
        sides = (margins,) * 4 if isinstance(margins, int) else margins
        box.setContentsMargins(*sides)
    if spacing is not None:
        box.setSpacing(spacing)
    for item in items:
        _add(box, item)
    return box


def _add(box: QBoxLayout, item: Item) -> None:
    if isinstance(item, Gap):
        box.addSpacing(item.size)
    elif isinstance(item, int):
        box.addStretch(item)
    else:
        part, *rest = item if isinstance(item, tuple) else (item,)
        stretch = next((one for one in rest if isinstance(one, int) and not isinstance(one, Qt.AlignmentFlag)), 0)
        alignment = next((one for one in rest if isinstance(one, Qt.AlignmentFlag)), None)
        if isinstance(part, QWidget):
            box.addWidget(part, stretch)
        else:
            box.addLayout(part, stretch)
        if alignment is not None:
            box.setAlignment(part, alignment)
