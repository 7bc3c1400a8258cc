"""A line of the start page: a file or sample with a sign, its name, and what is said about it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.widgets.buttons import eliding_button
from workbench.gui.widgets.eliding_button import ElidingButton


def page_line(sign: str, title: str, about: str, act: Callable[[], object], *, token: str = "link") -> ElidingButton:
    """A line that does something when it is pressed; its sign is an icon in the colour of this token."""
    button = eliding_button(title, about, act, icon=icon(sign, token), quiet=True, align="left")
    button.setFixedHeight(tokens.CONTROL_HEIGHT - tokens.SPACE_XS)
    return button


def spoken_time(when: datetime, now: datetime) -> str:
    """A time of the past, as one says it."""
    days = (now.date() - when.date()).days
    if days == 0:
        return f"today {when:%H:%M}"
    return "yesterday" if days == 1 else f"{when:%Y-%m-%d}"
