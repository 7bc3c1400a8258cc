"""Choices that know what they are called."""

from __future__ import annotations

from enum import StrEnum


class Worded(StrEnum):
    """A text enumeration whose members are declared with their words: `USERS = "users", "Users"`.

    Attributes
    ----------
    words
        What a person reads in its place.
    """

    _value_: str
    words: str

    def __new__(cls, value: str, words: str = "") -> Worded:
        member = str.__new__(cls, value)
        member._value_ = value
        member.words = words
        return member
