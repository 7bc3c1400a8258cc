"""Settings of a comparison's figure, which are saved with its experiment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.json_values import named, number
from workbench.core.typed_fields import typed_fields


@dataclass(frozen=True)
@typed_fields
class FigureSettings:
    """How a comparison is drawn.

    Parameters
    ----------
    log_x, log_y
        Logarithmic axes.
    bands, labels, theory, crossings
        Whether bands, names at the curves, expectations by formula and crossings are shown.
    width, height
        Of a file, in inches.
    title
        Above the figure, "" for none.
    text
        Size of the text in a file, in points.
    font
        Its font family; "" takes the usual one.
    caption
        Whether a file is ready for print: with a caption, and in colours that differ in grey.
    rest
        Whether the settings of a family that did not come out best are drawn too.
    """

    log_x: bool = True
    log_y: bool = True
    bands: bool = True
    labels: bool = True
    theory: bool = True
    crossings: bool = True
    width: float = 7.2
    height: float = 4.6
    title: str = ""
    text: float = 9.5
    font: str = ""
    caption: bool = False
    rest: bool = False

    def __post_init__(self) -> None:
        for side in (self.width, self.height):
            if not 1 <= side <= 40:
                raise WorkbenchError(
                    "A figure is 1 to 40 inches wide and high.", hint="7 by 4.5 fills a page's width.", field="width"
                )
        if not 4 <= self.text <= 40:
            raise WorkbenchError("Text is 4 to 40 points high.", hint="8 to 10 suits print.", field="text")

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return dict(vars(self))

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> FigureSettings:
        """The settings of `to_json`; what is missing takes its default.

        Raises
        ------
        ValueError, TypeError, WorkbenchError
            If something in it has the wrong type, an unknown name or an impossible value.
        """
        usual = vars(cls())
        if set(named(plain, "it")) - set(usual):
            raise ValueError(f"an unexpected {sorted(set(plain) - set(usual))[0]} of a figure")
        found = {}
        for one in fields(cls):
            value = plain.get(one.name, usual[one.name])
            if isinstance(usual[one.name], float) and isinstance(value, int) and not isinstance(value, bool):
                value = number(value, f"the {one.name} of a figure")
            if type(value) is not type(usual[one.name]):
                raise TypeError(f"a {one.name} of a figure of the wrong type")
            found[one.name] = value
        return cls(**found)


COLUMN, PAGE = "8.5 cm", "17 cm"
PRINT_WIDTHS: Mapping[str, Mapping[str, float]] = {
    COLUMN: {"width": 3.35, "height": 2.9, "text": 7.5},
    PAGE: {"width": 6.69, "height": 4.2, "text": 9.0},
}
"""Sizes that fit a column and a page of a journal, and the text that can be read in them."""

FIT_TO_PRINT = replace(FigureSettings(caption=True), width=6.69, height=4.2, text=9.0)
"""What a new experiment begins with."""


def print_width(settings: FigureSettings) -> str:
    """Which of the sizes a figure has, "" for one of its own."""
    return next(
        (name for name, size in PRINT_WIDTHS.items() if all(getattr(settings, key) == size[key] for key in size)), ""
    )
