"""An encoding as JSON and back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, TypeVar

from workbench.ldp.binning import DateUnit
from workbench.ldp.encoding import Absent, EncodingChoice, How, Outside

T = TypeVar("T")


def to_json(encoding: EncodingChoice) -> dict[str, Any]:
    """As JSON."""
    return {
        "how": None if encoding.how is None else encoding.how.value,
        "bins": encoding.bins,
        "edges": list(encoding.edges),
        "unit": encoding.unit.value,
        "answer": encoding.answer,
        "bounds": None if encoding.bounds is None else list(encoding.bounds),
        "domain": None if encoding.domain is None else list(encoding.domain),
        "assume_public": encoding.assume_public,
        "outside": encoding.outside.value,
        "absent": encoding.absent.value,
    }


def from_json(plain: Mapping[str, Any]) -> EncodingChoice:
    """The encoding of `to_json`; what is missing takes its default.

    Raises
    ------
    ValueError, TypeError
        If something in it has the wrong type or an impossible value.
    """
    usual = EncodingChoice()
    how, bounds, domain = plain.get("how"), plain.get("bounds"), plain.get("domain")
    return EncodingChoice(
        how=None if how is None else How(how),
        bins=_typed(plain.get("bins", usual.bins), int),
        edges=tuple(map(_number, plain.get("edges", ()))),
        unit=DateUnit(plain.get("unit", usual.unit)),
        answer=_typed(plain.get("answer", usual.answer), str),
        bounds=None if bounds is None else (_number(bounds[0]), _number(bounds[1])),
        domain=None if domain is None else tuple(_typed(value, str) for value in domain),
        assume_public=_typed(plain.get("assume_public", False), bool),
        outside=Outside(plain.get("outside", usual.outside)),
        absent=Absent(plain.get("absent", usual.absent)),
    )


def _typed(value: Any, wanted: type[T]) -> T:
    # bool is an int to Python but not to the person who edited the file by hand.
    if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
        raise TypeError(f"expected {wanted.__name__}")
    return value


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise TypeError("expected a finite number")
    return float(value)
