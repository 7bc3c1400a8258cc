"""The states the window speaks of, each with an icon and a word, never by colour alone."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """A state; its value is also the theme token of its colour."""

    SUCCESS = "success"
    WARNING = "warning"
    ERROR = "error"
    INFO = "info"
    NEUTRAL = "neutral"
    ANALYST = "analyst"


_ICONS = {
    Status.SUCCESS: "success",
    Status.WARNING: "warning",
    Status.ERROR: "error",
    Status.INFO: "info",
    Status.NEUTRAL: "more",
    Status.ANALYST: "lock",
}


def status_icon(status: Status) -> str:
    """Name of the icon of a state."""
    return _ICONS[status]


def status_word(status: Status) -> str:
    """The word for a state."""
    words = {
        Status.SUCCESS: "Done",
        Status.WARNING: "Warning",
        Status.ERROR: "Error",
        Status.INFO: "Note",
        Status.NEUTRAL: "Not yet",
        Status.ANALYST: "Analyst only",
    }
    return words[status]
