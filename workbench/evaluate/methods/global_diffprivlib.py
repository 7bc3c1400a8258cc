"""A trusted curator with the tools of diffprivlib, as they were published."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.evaluate.curator import Curator, curator
from workbench.evaluate.method import Approach, Method
from workbench.evaluate.subject import EncodedColumn
from workbench.query.diffprivlib_mechanism import published


def answers(subject: EncodedColumn, values: Mapping[str, Any]) -> str:
    return ""


def prepare(subject: EncodedColumn, epsilon: float, users: int, values: Mapping[str, Any]) -> Curator:
    return curator("diffprivlib", subject, epsilon, lambda kind, asked: published(kind, "", asked))


PLUGIN = Method(
    "global-diffprivlib",
    "Global DP (diffprivlib)",
    "A curator asks diffprivlib's own tool; most of them treat the number of rows as public.",
    "N. Holohan, S. Braghin, P. Mac Aonghusa, K. Levacher: Diffprivlib: the IBM differential privacy library, 2019.",
    Approach.GLOBAL,
    (),
    answers,
    prepare,
    lambda values: "Global DP (diffprivlib)",
    raw=lambda values: True,
)
