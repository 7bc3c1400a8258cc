"""Boxes of widgets in one expression: columns, rows, and a column that scrolls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLayout, QScrollArea, QVBoxLayout, QWidget

from workbench.gui import tokens

Size = Literal["hair", "xs", "s", "m", "l", "xl"] | int
"""A space of the tokens by its name, or a number of pixels that was made of tokens."""
_SIZES = {
    "hair": tokens.SPACE_HAIR,
    "xs": tokens.SPACE_XS,
    "s": tokens.SPACE_S,
    "m": tokens.SPACE_M,
    "l": tokens.SPACE_L,
    "xl": tokens.SPACE_XL,
    "0": 0,
}


@dataclass(frozen=True)
class Gap:
    """Empty space of a fixed size."""

    size: Size


Part = QWidget | QLayout
Item = Part | Gap | int | tuple[Part, int] | tuple[Part, Qt.AlignmentFlag] | tuple[Part, int, Qt.AlignmentFlag]
"""A widget or layout, with its stretch and its alignment if it has them; a number is a stretch alone."""
Margins = str | int | tuple[int, int, int, int] | None
"""A space for all sides; four, such as "l s m 0", for left, top, right and bottom; or, with None, that of the style."""

_Box = TypeVar("_Box", bound=QBoxLayout)


def column(
    *items: Item, margins: Margins = 0, spacing: Size | None = None, inside: QWidget | None = None
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


def row(*items: Item, margins: Margins = 0, spacing: Size | None = None, inside: QWidget | None = None) -> QHBoxLayout:
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
    """Area as wide as its place and as high as it must be: it scrolls up and down, and takes no focus itself."""
    widget = inside if isinstance(inside, QWidget) else boxed(inside)
    widget.setProperty("bare", "true")
    area = _Scrolled()
    area.setWidget(widget)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area


class _Scrolled(QScrollArea):
    """Without a bar where all is seen without it.

    Lines that wrap are higher beside a bar: by itself, Qt keeps one that was there for something longer.
    """

    def __init__(self) -> None:
        super().__init__()
        self.verticalScrollBar().rangeChanged.connect(self._look_again)

    def _look_again(self, _least: int, most: int) -> None:
        inside, place = self.widget(), self.maximumViewportSize()
        if inside is None or not most or not inside.hasHeightForWidth():
            return
        if self.verticalScrollBarPolicy() != Qt.ScrollBarPolicy.ScrollBarAsNeeded:
            return
        # What is kept as high as it was needs its bar: taken away, it would come back, and be looked at again for ever.
        kept = max(inside.minimumSizeHint().height(), inside.minimumHeight())
        if max(inside.heightForWidth(place.width()), kept) <= place.height():
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)


def _filled(box: _Box, items: tuple[Item, ...], margins: Margins, spacing: Size | None, inside: QWidget | None) -> _Box:
    # Widgets move into `inside` as they are added, one by one: in this order Tab goes through them.
    if inside is not None:
        inside.setLayout(box)
    if margins is not None:
        box.setContentsMargins(*_sides(margins))
    if spacing is not None:
        box.setSpacing(_pixels(spacing))
    for item in items:
        _add(box, item)
    return box


def _add(box: QBoxLayout, item: Item) -> None:
    if isinstance(item, Gap):
        box.addSpacing(_pixels(item.size))
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


def _pixels(size: str | int) -> int:
    return size if isinstance(size, int) else _SIZES[size]


def _sides(margins: str | int | tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    sides = tuple(map(_pixels, margins.split())) if isinstance(margins, str) else margins
    if isinstance(sides, int):
        return sides, sides, sides, sides
    left, top, right, bottom = sides if len(sides) == 4 else 4 * sides
    return left, top, right, bottom
