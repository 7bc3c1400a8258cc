"""One spelling for texts that differ in upper and lower case or in spaces only."""

from __future__ import annotations


def in_lower_case(text: str) -> str:
    """A text in lower case, without spaces around it and with single ones inside."""
    return _spaced(text).lower()


def in_upper_case(text: str) -> str:
    """A text in upper case, spaced alike."""
    return _spaced(text).upper()


def as_written(text: str) -> str:
    """A text in its own letters, spaced alike."""
    return _spaced(text)


def _spaced(text: str) -> str:
    return " ".join(text.split())
