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


def remembered(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose result follows from its arguments, which keeps what it gave; the argument `progress` is none.

    What cannot be pickled, such as a toy of a test, is worked out each time, and so is what ended with an error.
    """
    known: dict[bytes, Any] = {}

    @wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        try:
            key = _written((arguments, {name: value for name, value in named.items() if name != "progress"}))
        except (pickle.PicklingError, TypeError, AttributeError):
            return function(*arguments, **named)
        if key not in known:
            known[key] = function(*arguments, **named)
        return known[key]

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
