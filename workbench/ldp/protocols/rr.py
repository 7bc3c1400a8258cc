"""Randomised response to a yes-or-no question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import exact
from workbench.core.params import ParamSpec, ParamType
from workbench.ldp.coins import odds
from workbench.ldp.instructions import OnPaper, by_two_coins, truth_or_another
from workbench.ldp.parameters import chance, exactly, given
from workbench.ldp.protocol import LocalProtocol
from workbench.ldp.tabulated import SLACK, Tabulated


class RandomisedResponse(Tabulated):
    """Say the true answer or the other one.

    Parameters
    ----------
    p, q
        The chance of "yes" (the second value) of somebody whose true answer is yes, and of one whose answer is no.
    simpler
        The protocol that this is, if it is another one by its name.
    """

    def __init__(self, p: Fraction, q: Fraction, simpler: str = "") -> None:
        self._simpler = simpler
        super().__init__(np.array([[float(1 - q), float(q)], [float(1 - p), float(p)]]))

    @property
    def simpler(self) -> str:
        return self._simpler

    @property
    def pure(self) -> tuple[float, float] | None:
        (no, yes), (wrong, right) = self._channel
        return (float(right), float(yes)) if right == no and wrong == yes else None

    @property
    def set_drawn(self) -> tuple[int, float] | None:
        return None if self.pure is None else (1, self.pure[0])

    @property
    def answers_named(self) -> int:
        return 1

    def instruction(self, answers: Sequence[str]) -> str:
        return self._told(answers, None)

    def on_paper(self, answers: Sequence[str], paper: OnPaper) -> str:
        return self._told(answers, paper)

    def _told(self, answers: Sequence[str], paper: OnPaper | None) -> str:
        (_, yes), (_, right) = self._channel
        truth = float(right - yes)
        if self.pure is not None:
            return truth_or_another(answers, float(right), paper)
        return by_two_coins(answers, truth, float(yes) / (1.0 - truth), paper)


def construct(domain_size: int, epsilon: float | None, values: Mapping[str, Any]) -> RandomisedResponse:
    if values["design"] == "coins":
        truth, yes = exactly(values["truth"]), exactly(values["yes"])
        return RandomisedResponse(truth + (1 - truth) * yes, (1 - truth) * yes)
    if values["design"] == "warner":
        p = exactly(values["p"])
        if p <= Fraction(1, 2):
            raise WorkbenchError(
                f"With p = {exact(float(p))} the answer is not true more often than not.",
                hint="Choose p above 0.5 and below 1.",
                field="p",
            )
    else:
        e = odds(given(epsilon, "Randomised response")) * SLACK
        p = e / (1 + e)
        return RandomisedResponse(p, 1 - p, simpler="grr")  # that says the true one of two values as often
    return RandomisedResponse(p, 1 - p)


def follows(values: Mapping[str, Any]) -> bool:
    return bool(values["design"] != "epsilon")


PLUGIN = LocalProtocol(
    "rr",
    "Randomised response",
    "Answers a yes-or-no question truthfully with a known chance, and the other way else. Needs two values: no, yes.",
    "S. L. Warner: Randomized response, JASA 60, 1965; two coins: C. Dwork, A. Roth: The algorithmic foundations of "
    "differential privacy, 2014.",
    (
        ParamSpec(
            "design",
            "Chances from",
            ParamType.CHOICE,
            default="epsilon",
            choices=(("epsilon", "ε"), ("warner", "p (Warner)"), ("coins", "two coins")),
            help="With p or two coins, ε follows from them.",
        ),
        chance("p", "p", 0.75, "Warner: the chance of the true answer, above 0.5. 0.75 gives ε = ln 3.", "warner"),
        chance(
            "truth", "First coin", 0.5, "Two coins: the chance that the first coin says to answer truthfully.", "coins"
        ),
        chance("yes", "Second coin", 0.5, "Two coins: the chance that the second coin says “yes” otherwise.", "coins"),
    ),
    construct,
    maximum_domain=2,
    follows=follows,
)
