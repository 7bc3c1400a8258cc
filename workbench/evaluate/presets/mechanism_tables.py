"""The tables of the survey and of the truncated geometric mechanism, in exact fractions."""

from __future__ import annotations

from fractions import Fraction
from types import MappingProxyType
from typing import Any

from workbench.core.exact import fraction_text
from workbench.core.number_text import estimate
from workbench.core.progress import Progress
from workbench.evaluate.preset import Given, Needs, Preset, PresetPart, TableRows
from workbench.evaluate.subject import ExperimentData
from workbench.mechanisms.audit import audit
from workbench.mechanisms.mechanism import MECHANISMS


def parts(given: Given) -> tuple[PresetPart, ...]:
    return (
        _table("survey", {"variant": "two-coin"}),
        _table("truncated-geometric", {"alpha": Fraction(1, 2), "n": 5}),
        _table("truncated-geometric", {"alpha": Fraction(1, 4), "n": 5}),
    )


def _table(identifier: str, values: dict[str, Any]) -> PresetPart:
    made = MECHANISMS[identifier].build(values)
    found = audit(made.channel, made.neighbours)

    def rows(material: ExperimentData, progress: Progress) -> TableRows:
        assert made.channel.exact is not None
        heading = ("input", *made.channel.outputs)
        return (
            heading,
            *(
                (name, *map(fraction_text, row))
                for name, row in zip(made.channel.inputs, made.channel.exact, strict=True)
            ),
        )

    exact = f" = {found.exact.text}" if found.exact is not None else ""
    return PresetPart(made.title, f"ε{exact} ≈ {estimate(found.epsilon, 5)} between neighbouring inputs.", table=rows)


PLUGIN = Preset(
    "mechanism-tables",
    "Survey and geometric mechanism",
    "For every true answer the probability of every reported one, in exact fractions, and the exact ε.",
    "Neighbouring rows differ nowhere by more than the factor e^ε: 3 for the survey, 2 and 4 for the geometric ones.",
    "Every row of the published tables is right. The published model that uses two of them, above-threshold, has no "
    "finite ε for an unlimited number of queries: see Mechanisms.",
    "D. Liu, B.-Y. Wang, L. Zhang: Model Checking Differentially Private Properties, 2018; A. Ghosh, T. Roughgarden, "
    "M. Sundararajan, 2009; S. L. Warner, 1965.",
    Needs.NOTHING,
    None,
    (),
    MappingProxyType({}),
    1,
    parts,
)
