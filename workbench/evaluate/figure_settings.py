"""Settings of a comparison's figure, which are saved with its experiment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from workbench.core.settings import check_settings, setting
from workbench.core.settings_json import from_json, to_json
from workbench.core.typed_fields import typed_fields

_SIZE = ("A figure is 1 to 40 inches wide and high.", "7 by 4.5 fills a page's width.")


@dataclass(frozen=True)
@typed_fields
class FigureSettings:
    """The look of a comparison's figure: what is drawn, and the size, title and text of a file."""

    REFUSES_UNKNOWN: ClassVar[bool] = True

    log_x: bool = setting(True, title="Log across", about="A logarithmic axis across.", group="figure")
    log_y: bool = setting(True, title="Log upwards", about="A logarithmic axis upwards.", group="figure")
    bands: bool = setting(True, title="Bands", about="The bands around the curves.", group="figure")
    labels: bool = setting(True, title="Names at curves", about="The names at the curves.", group="figure")
    theory: bool = setting(
        True,
        title="By formula",
        about="Crosses where a formula says what error to expect of a line that is of tries",
        group="figure",
    )
    crossings: bool = setting(True, title="Crossings", about="The places where curves cross.", group="figure")
    width: float = setting(
        7.2, title="Width of a file", about="In inches.", minimum=1.0, maximum=40.0, unit="in", refusal=_SIZE
    )
    height: float = setting(
        4.6, title="Height of a file", about="In inches.", minimum=1.0, maximum=40.0, unit="in", refusal=_SIZE
    )
    title: str = setting("", title="Title of the figure", about="Above the figure.", placeholder="no title")
    text: float = setting(
        9.5,
        title="Text size of a file",
        about="In points.",
        minimum=4.0,
        maximum=40.0,
        unit="pt",
        refusal=("Text is 4 to 40 points high.", "8 to 10 suits print."),
    )
    font: str = setting("", title="Font of a file", about="The family; empty for the usual one.")
    caption: bool = setting(
        False,
        title="Fit to print",
        about="A caption below the saved picture, and colours that differ in grey",
        group="figure",
    )
    details: bool = setting(
        False,
        title="Details",
        about="Settings, crossings and notes in a list below the caption of a saved picture",
        group="figure",
    )
    rest: bool = setting(
        False,
        title="All settings",
        about="Draw the settings of each way that did not come out best, too",
        group="figure",
    )

    def __post_init__(self) -> None:
        check_settings(self)

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return to_json(self)

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> FigureSettings:
        """The settings of `to_json`; what is missing takes its default.

        Raises
        ------
        ValueError, TypeError, WorkbenchError
            If something in it has the wrong type, an unknown name or an impossible value.
        """
        return from_json(cls, plain, "a figure")


COLUMN, PAGE = "8.5 cm", "17 cm"
PRINT_WIDTHS: Mapping[str, Mapping[str, float]] = {
    COLUMN: {"width": 3.35, "height": 2.9, "text": 7.5},
    PAGE: {"width": 6.69, "height": 4.2, "text": 9.0},
}
"""Sizes that fit a column and a page of a journal, and the text that can be read in them."""

FIT_TO_PRINT = replace(FigureSettings(caption=True), width=6.69, height=4.2, text=9.0)
"""Settings that a new experiment begins with."""


def print_width(settings: FigureSettings) -> str:
    """The name of the size a figure has, "" for one of its own."""
    return next(
        (name for name, size in PRINT_WIDTHS.items() if all(getattr(settings, key) == size[key] for key in size)), ""
    )
