"""What is worked out again and again from the same values, test after test, is worked out once in each process."""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from types import MappingProxyType, ModuleType
from typing import Any

import pytest


def remembered(function: Callable[..., Any], most: int | None = None) -> Callable[..., Any]:
    """A function whose result follows from its arguments, which keeps what it gave.

    Nothing follows from the arguments `progress` and `how`, where they are named. What cannot be pickled, such as a toy
    of a test, is worked out each time, and so is what ended with an error. Where results are large, only the `most`
    that were worked out last are kept.
    """
    known: dict[bytes, Any] = {}

    @wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        try:
            key = _written(
                (arguments, {name: value for name, value in named.items() if name not in ("progress", "how")})
            )
        except (pickle.PicklingError, TypeError, AttributeError):
            return function(*arguments, **named)
        if key in known:
            return known[key]
        found = known[key] = function(*arguments, **named)
        if most is not None and len(known) > most:
            known.pop(next(iter(known)), None)
        return found

    return call


class _Writer(pickle.Pickler):
    """Writes views of dictionaries as such."""

    def reducer_override(self, value: Any) -> Any:
        return (dict, (dict(value),)) if type(value) is MappingProxyType else NotImplemented


def _written(value: object) -> bytes:
    file = io.BytesIO()
    _Writer(file).dump(value)
    return file.getvalue()


@contextmanager
def remembering(module: ModuleType, *names: str) -> Iterator[None]:
    """Let these functions of a module, as it calls them, keep what they gave."""
    with pytest.MonkeyPatch.context() as patch:
        for name in names:
            patch.setattr(module, name, remembered(getattr(module, name)))
        yield
