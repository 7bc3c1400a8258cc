"""A trusted curator with the program's own engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.core.params import ParamSpec, ParamType
from workbench.evaluate.curator import Curator, curator
from workbench.evaluate.method import Approach, Method
from workbench.evaluate.subject import EncodedColumn


def answers(subject: EncodedColumn, values: Mapping[str, Any]) -> str:
    return ""


def prepare(subject: EncodedColumn, epsilon: float, users: int, values: Mapping[str, Any]) -> Curator:
    return curator("grid", subject, epsilon, lambda kind, asked: kind.compile(asked), {"post": values["post"]})


def named(values: Mapping[str, Any]) -> str:
    """Such as “Global DP, discrete noise, consistent counts”."""
    afterwards = "" if values["post"] == "none" else f", {values['post']} counts"
    return f"Global DP, discrete noise{afterwards}"


PLUGIN = Method(
    "global-grid",
    "Global DP, discrete noise",
    "A curator who knows all rows adds discrete Laplace noise, drawn exactly, to whole numbers on a public grid; one "
    "row more or less is hidden. A quantile is drawn by the exponential mechanism. "
    "A mean comes from two sums, of the distances from either bound, so it errs less the nearer it is to the middle.",
    "C. Dwork, F. McSherry, K. Nissim, A. Smith: Calibrating noise to sensitivity, TCC 2006.",
    Approach.GLOBAL,
    (
        ParamSpec(
            "post",
            "Afterwards",
            ParamType.CHOICE,
            "none",
            "What happens to noisy counts; it costs nothing.",
            choices=(("none", "nothing"), ("non-negative", "non-negative"), ("consistent", "consistent")),
        ),
    ),
    answers,
    prepare,
    named,
    # In the first one, what became of counts afterwards moved the noise of a seed.
    version=2,
    raw=lambda values: bool(values["post"] == "none"),
    # Where most noise is 0, what is in one count alone would be in all others as well.
    fitted=lambda values: bool(values["post"] != "non-negative"),
    afterwards=frozenset(("post",)),
)
