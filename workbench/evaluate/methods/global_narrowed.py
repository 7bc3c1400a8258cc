"""A trusted curator who finds narrower bounds first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.evaluate.curator import Curator, curator
from workbench.evaluate.method import Approach, Method
from workbench.evaluate.subject import EncodedColumn
from workbench.query.catalogue import QUERIES
from workbench.query.narrowed import FIGURES

_ANSWERS_EACH = 50
"""Where bounds are found far too wide, as in one of a hundred answers, it is off by a hundred times as much."""


def answers(subject: EncodedColumn, values: Mapping[str, Any]) -> str:
    figure = subject.question.statistic.value
    return "" if figure in FIGURES else f"Bounds are not found first for a {figure}."


def prepare(subject: EncodedColumn, epsilon: float, users: int, values: Mapping[str, Any]) -> Curator:
    more = {"figure": subject.question.statistic.value}
    kind = QUERIES["narrowed"]
    return curator("narrowed", subject, epsilon, lambda one, asked: one.compile(asked), more, kind, _ANSWERS_EACH)


PLUGIN = Method(
    "global-narrowed",
    "Global DP, bounds found first",
    "A curator finds bounds that hold nearly all rows with a quarter of ε, and answers within them with the rest.",
    "K. Amin, A. Kulesza, A. Muñoz Medina, S. Vassilvitskii: Bounding user contributions, ICML 2019.",
    Approach.GLOBAL,
    (),
    answers,
    prepare,
    lambda values: "Global DP, bounds found first",
    version=2,  # each try had one answer before
)
