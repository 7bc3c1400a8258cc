"""By how much an answer from classes of numbers is off where nothing else is: each number counts as its middle."""

from __future__ import annotations

import math
from weakref import WeakKeyDictionary

import numpy as np

from workbench.evaluate.families import INTERVALS
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.question import Statistic
from workbench.evaluate.released_groups import groups_of
from workbench.evaluate.subject import EncodedColumn

_MOVES = 50
"""So often a shape is moved, always in the same way."""
_ONE_STEP = ("trimmed", "anonymised")
"""Releases of one table with classes of one width."""

_known: WeakKeyDictionary[EncodedColumn, dict[int, float]] = WeakKeyDictionary()
"""By level, and for no longer than somebody has the column."""


def intervals_level(setting: MethodChoice | None) -> int | None:
    """The level at which a release has equal intervals of one width of the column alone; None for other settings."""
    if setting is None or setting.identifier not in _ONE_STEP:
        return None
    values = setting.checked()
    level = int(values["level"])
    return level if values["hierarchy"] == INTERVALS and level and not values["others"].strip() else None


def class_shift(subject: EncodedColumn, setting: MethodChoice | None) -> float:
    """How far the mean of a public shape is from that of the middles of its classes, on average over where it lies.

    nan for other questions and settings, and on true values, of which it would say more than their errors do.
    """
    level, crowd = intervals_level(setting), subject.crowd
    if level is None or crowd is None or subject.question.statistic is not Statistic.MEAN:
        return math.nan
    known = _known.setdefault(subject, {})
    if level not in known:
        groups = groups_of(subject, {INTERVALS: level})
        by = groups.numbers[groups.label_of[groups.group_of]] - subject.numbers
        generator = np.random.default_rng(0)
        known[level] = sum(abs(float(crowd.shares(generator) @ by)) for _ in range(_MOVES)) / _MOVES
    return known[level]
