"""Characters replaced one after the other, from either end."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from workbench.core.building import Builder, BuilderSettings, BuilderValues, Level, Levels, ProvenanceAssessment
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY, Provenance
from workbench.core.params import ParamSpec, ParamType
from workbench.core.schema import ColumnSpec, Kind

_CODES = re.compile(r"zip|post|plz|code|phone|\bid\b|_id$|number$", re.IGNORECASE)


def _build(settings: BuilderSettings, material: BuilderValues) -> Levels:
    covered = material.present
    texts = [material.values[i] for i in covered.tolist()]
    length = settings["length"] or max(map(len, texts), default=1)
    step = settings["step"]
    masked = [*range(step, length, step), length]
    if settings["levels"]:
        masked = masked[: settings["levels"]]
    elif settings["top"]:
        masked.pop()  # nothing but mask characters says no more than the top
    mask = _masker(settings, length)
    made: list[Level] = []
    labels, codes = texts, np.arange(len(texts), dtype=np.int32)
    for place, count in enumerate(masked):
        # Each level is a function of the one before, of which there are fewer labels the higher it is.
        before = masked[place - 1] if place else 0
        labels = mask(labels, before, count)
        if len(set(labels)) < len(labels):
            index: dict[str, int] = {}
            joined = np.fromiter((index.setdefault(text, len(index)) for text in labels), np.int32, len(labels))
            codes, labels = joined[codes], list(index)
        made.append((codes, labels))
    return Levels(covered, made)


def _masker(settings: BuilderSettings, length: int) -> Callable[[list[str], int, int], list[str]]:
    """A function from the labels at which `before` characters are masked to those at which `count` are."""
    letter, pad = _letter(settings, "mask"), _letter(settings, "pad")
    from_right, align = settings["side"] == "right", settings["align"]

    def masked(labels: list[str], before: int, count: int) -> list[str]:
        stars = letter * count
        if align == "none":
            if from_right:
                return [text[:-count] + stars[: len(text)] for text in labels]
            return [stars[: len(text)] + text[count:] for text in labels]
        if not before:
            if align == "left":
                labels = [text[:length].ljust(length, pad) for text in labels]
            else:
                labels = [text[-length:].rjust(length, pad) for text in labels]
        kept = length - count
        if from_right:
            return [text[:kept] + stars for text in labels]
        return [stars + text[count:] for text in labels]

    return masked


def _letter(settings: BuilderSettings, name: str) -> str:
    letter: str = settings[name]
    if len(letter) != 1:
        raise WorkbenchError(f"“{letter}” is not one character.", hint="Give exactly one.", field=name)
    return letter


def _assess(settings: BuilderSettings, column: ColumnSpec) -> ProvenanceAssessment:
    side = "right" if settings["side"] == "right" else "left"
    step = settings["step"]
    what = f"Characters masked from the {side}, {step} at each level"
    if settings["length"]:
        # Nobody need have declared it: it may be the one that is suggested.
        cut = "of longer values the rest stays" if settings["align"] == "none" else "longer values are cut to it"
        return ProvenanceAssessment(
            Provenance.PUBLIC, f"{what}, of a length of {settings['length']} fixed without the data; {cut}."
        )
    return ProvenanceAssessment(
        Provenance.DERIVED,
        f"{what}, up to the longest value of the data.",
        "It becomes public if you declare the largest length instead of reading it from the data.",
    )


def _suggest(column: ColumnSpec) -> tuple[dict[str, Any], dict[str, Any]]:
    longest = max(map(len, column.domain), default=5) if column.domain else 5
    return {"length": longest}, {}


def _suits(column: ColumnSpec) -> int:
    """Best for codes, whatever they are made of, and for texts."""
    if not column.kind.temporal and _CODES.search(column.name):
        return 3
    return 2 * (column.kind is Kind.TEXT)


PLUGIN = Builder(
    identifier="masking",
    title="Masking",
    help="Characters go one by one: 21201, 2120*, 212**.",
    parameters=(
        ParamSpec(
            "length",
            "Largest length",
            ParamType.INTEGER,
            5,
            "Characters of the longest value there could be; longer values are cut to it. They go one by one whatever "
            "they mean: LS1 4AB and LS11 4AB soon look alike. 0 reads it from the data, which is data-derived.",
            minimum=0,
            maximum=1000,
            unit="characters",
        ),
        ParamSpec(
            "side",
            "Masked from",
            ParamType.CHOICE,
            "right",
            "Which end loses its characters first.",
            choices=(("right", "the right"), ("left", "the left")),
        ),
        ParamSpec(
            "align",
            "Shorter values",
            ParamType.CHOICE,
            "left",
            "Where shorter values stand when all are brought to the same length. Without, their length stays visible.",
            choices=(("left", "start together"), ("right", "end together"), ("none", "keep their length")),
        ),
        ParamSpec("mask", "Mask character", ParamType.TEXT, ANY, "Stands for a character that was taken away."),
        ParamSpec("pad", "Pad character", ParamType.TEXT, "_", "Fills up shorter values."),
        ParamSpec(
            "step",
            "Characters a level",
            ParamType.INTEGER,
            1,
            "How many more characters each level masks.",
            minimum=1,
            maximum=1000,
            unit="characters",
        ),
        ParamSpec(
            "levels",
            "Levels",
            ParamType.INTEGER,
            0,
            "How many levels of masking there are; 0 goes on until nothing is left.",
            minimum=0,
            maximum=1000,
        ),
    ),
    details=(),
    build=_build,
    assess=_assess,
    suggest=_suggest,
    suits=_suits,
)
