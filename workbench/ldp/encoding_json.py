"""An encoding as JSON and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.core.plain import named, numbers, text, texts, truth, two_numbers, whole
from workbench.ldp.binning import DateUnit
from workbench.ldp.encoding import Absent, EncodingChoice, How, Outside


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
    named(plain, "an encoding")
    usual = EncodingChoice()
    how, bounds, domain = plain.get("how"), plain.get("bounds"), plain.get("domain")
    return EncodingChoice(
        how=None if how is None else How(how),
        bins=whole(plain.get("bins", usual.bins), "the number of bins"),
        edges=numbers(plain.get("edges", ()), "the edges"),
        unit=DateUnit(plain.get("unit", usual.unit)),
        answer=text(plain.get("answer", usual.answer), "the answer"),
        bounds=None if bounds is None else two_numbers(bounds, "the bounds"),
        domain=None if domain is None else texts(domain, "the domain"),
        assume_public=truth(plain.get("assume_public", False), "“assume_public”"),
        outside=Outside(plain.get("outside", usual.outside)),
        absent=Absent(plain.get("absent", usual.absent)),
    )
