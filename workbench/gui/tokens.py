"""Design tokens: every size and colour of the window. No widget has a literal of its own."""

from __future__ import annotations

from dataclasses import dataclass

SPACE_HAIR = 2
SPACE_XS, SPACE_S, SPACE_M, SPACE_L, SPACE_XL = 4, 8, 12, 16, 24
RADIUS = 6
RADIUS_SMALL = 4

FONT_FAMILIES = ("Inter", "Segoe UI", "SF Pro Text", "Noto Sans", "DejaVu Sans")
MONOSPACE_FAMILIES = ("JetBrains Mono", "Consolas", "SF Mono", "Noto Sans Mono", "DejaVu Sans Mono")
TEXT_SIZES = (11, 13, 15, 18)
"""Sizes of text that can be chosen, in pixels; the window is designed for the second."""
FONT_BASE = 13
FONT_SMALL = 12
FONT_HEADING_1 = 20
FONT_HEADING_2 = 15

ICON_SMALL, ICON, ICON_LARGE, ICON_HERO = 14, 16, 20, 48
CONTROL_HEIGHT = 30
ROW_HEIGHT = 26
LEVEL_ROW = 28
CHIP = 17
RAIL_USUAL, RAIL_WIDEST = 200, 264
RAIL_WIDTH = RAIL_USUAL
WINDOW_WIDTH, WINDOW_HEIGHT = 1280, 800
FRAME_TITLE, FRAME_EDGE = 40, 8
RAIL_ROW = 36
RAIL_HEADING = 28
HEADER_HEIGHT = 36
PAGE_MIN_HEIGHT = 500
EXPLAIN_WIDTH = 264
EXPLAIN_FROM_WIDTH = 1440
EMPTY_TEXT_WIDTH = 440
FIELD_WIDTH = 132
STEPS_WIDTH = 360
PLAN_WIDTH = 640
ANONYMISE_WIDTH = 452
METER_WIDTH = 96
JOB_WIDTH = 220
METER_HEIGHT = 6
SPLITTER_WIDTH = 11
COLUMN_MIN, COLUMN_MAX = 64, 320
SPARK_WIDTH, SPARK_HEIGHT = 96, 22


HEIGHTS = {
    "CONTROL_HEIGHT": CONTROL_HEIGHT,
    "ROW_HEIGHT": ROW_HEIGHT,
    "LEVEL_ROW": LEVEL_ROW,
    "RAIL_ROW": RAIL_ROW,
    "RAIL_HEADING": RAIL_HEADING,
    "HEADER_HEIGHT": HEADER_HEIGHT,
}
"""Heights in pixels of everything as high as its text, at the size of text the window is designed for."""


def scaled(pixels: int, base: int) -> int:
    """A length in proportion to a size of text."""
    return round(pixels * base / TEXT_SIZES[1])


def set_text_size(base: int) -> None:
    """Make all text larger or smaller, in proportion to `base`, the pixels of plain text, and what is as high as it."""
    global FONT_BASE, FONT_SMALL, FONT_HEADING_1, FONT_HEADING_2
    wide = min(max(scaled(RAIL_USUAL, base), RAIL_USUAL), RAIL_WIDEST)
    globals().update({name: scaled(high, base) for name, high in HEIGHTS.items()}, RAIL_WIDTH=wide)
    FONT_BASE, FONT_SMALL = base, max(base - 1, TEXT_SIZES[0])
    FONT_HEADING_1, FONT_HEADING_2 = round(base * 20 / 13), round(base * 15 / 13)


@dataclass(frozen=True)
class Theme:
    """One set of colours, each `#RRGGBB`.

    Text colours (`text`, `muted`, `link`, `success`, …) reach a contrast of 4.5:1 on the grounds they are
    used on; marks (`control`, `focus`, the chart colours, the role colours) reach 3:1. `…_soft` is the
    ground behind text of the same name.
    """

    name: str
    dark: bool
    window: str
    surface: str
    sunken: str
    hover: str
    pressed: str
    border: str
    control: str
    text: str
    muted: str
    disabled: str
    accent: str
    accent_hover: str
    accent_pressed: str
    on_accent: str
    link: str
    focus: str
    selection: str
    on_selection: str
    band: str
    success: str
    success_soft: str
    warning: str
    warning_soft: str
    error: str
    error_soft: str
    info: str
    info_soft: str
    analyst: str
    analyst_soft: str
    neutral: str
    neutral_soft: str
    role_identifying: str
    role_quasi: str
    role_sensitive: str
    role_insensitive: str
    chart_global: str
    chart_local: str
    chart_anonymised: str
    chart_truth: str
    chart_grid: str


LIGHT = Theme(
    name="light",
    dark=False,
    window="#F6F7F9",
    surface="#FFFFFF",
    sunken="#EDF0F3",
    hover="#EBEEF2",
    pressed="#DFE4EA",
    border="#DDE1E7",
    control="#858E9B",
    text="#1B1F24",
    muted="#59626E",
    disabled="#848C98",
    accent="#2F6FED",
    accent_hover="#2461DB",
    accent_pressed="#1D52BF",
    on_accent="#FFFFFF",
    link="#1F5BD0",
    focus="#2F6FED",
    selection="#DBE7FF",
    on_selection="#10203F",
    band="#F4F6FA",
    success="#18744A",
    success_soft="#E3F4EA",
    warning="#855600",
    warning_soft="#FFF2D6",
    error="#B3261E",
    error_soft="#FDE9E7",
    info="#1F5BD0",
    info_soft="#E7EFFF",
    analyst="#6B3FA0",
    analyst_soft="#F1EAFA",
    neutral="#4A535F",
    neutral_soft="#E8EBEF",
    role_identifying="#C0342B",
    role_quasi="#0B7285",
    role_sensitive="#7A3E9D",
    role_insensitive="#69727E",
    chart_global="#0072B2",
    chart_local="#D55E00",
    chart_anonymised="#009E73",
    chart_truth="#1B1F24",
    chart_grid="#DDE1E7",
)

DARK = Theme(
    name="dark",
    dark=True,
    window="#16191E",
    surface="#1E2229",
    sunken="#121418",
    hover="#2A2F38",
    pressed="#343B46",
    border="#323843",
    control="#76808E",
    text="#E6E9EE",
    muted="#A3ACB8",
    disabled="#7B8592",
    accent="#6EA0FF",
    accent_hover="#85AFFF",
    accent_pressed="#9ABDFF",
    on_accent="#0E1420",
    link="#8AB4FF",
    focus="#6EA0FF",
    selection="#2A4273",
    on_selection="#F2F5FA",
    band="#232831",
    success="#6FD39B",
    success_soft="#17301F",
    warning="#F0BE5B",
    warning_soft="#372B12",
    error="#FF9A90",
    error_soft="#3D1F1D",
    info="#8AB4FF",
    info_soft="#1B2A47",
    analyst="#CBA8F0",
    analyst_soft="#2F2440",
    neutral="#C0C8D2",
    neutral_soft="#2C323B",
    role_identifying="#FF8A80",
    role_quasi="#66C7D9",
    role_sensitive="#C79BEA",
    role_insensitive="#98A2AE",
    chart_global="#56B4E9",
    chart_local="#E69F00",
    chart_anonymised="#009E73",
    chart_truth="#E6E9EE",
    chart_grid="#323843",
)
