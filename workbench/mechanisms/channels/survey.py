"""A survey with coins: every answer can be denied."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from workbench.core.params import ParamSpec, ParamType
from workbench.mechanisms.channel import Channel
from workbench.mechanisms.mechanism import ConfiguredMechanism, Mechanism

_ANSWERS = ("yes", "no")


def make(values: Mapping[str, Any]) -> ConfiguredMechanism:
    if values["variant"] == "warner":
        p: Fraction = values["p"]
        rows = [(p, 1 - p), (1 - p, p)]
        title = f"Randomised response, truthful with probability {p}"
    else:
        honest, yes = values["honest"], values["yes"]
        rows = [(honest + (1 - honest) * yes, (1 - honest) * (1 - yes)), ((1 - honest) * yes, 1 - (1 - honest) * yes)]
        title = f"Randomised response by two coins, {honest} and {yes}"
    return ConfiguredMechanism(title, Channel.of_fractions(_ANSWERS, _ANSWERS, rows))


PLUGIN = Mechanism(
    "survey",
    "Randomised response (yes or no)",
    "A yes-or-no question answered through coins, so that no single answer says what is so.",
    "S. L. Warner: Randomized response, JASA 60, 1965; two coins: C. Dwork, A. Roth: The algorithmic foundations of "
    "differential privacy, 2014.",
    (
        ParamSpec(
            "variant",
            "Coins",
            ParamType.CHOICE,
            default="two-coin",
            choices=(("two-coin", "two coins"), ("warner", "one coin (Warner)")),
            help="Two coins: the first decides whether to answer truthfully, else the second answers. One coin: it "
            "decides between the truth and its opposite.",
        ),
        ParamSpec(
            "p",
            "Probability of the truth",
            ParamType.FRACTION,
            default=Fraction(3, 4),
            minimum=0,
            maximum=1,
            help="Probability of the true answer, such as 0.75, when there is one coin; else the opposite is answered.",
            when=(("variant", ("warner",)),),
        ),
        ParamSpec(
            "honest",
            "First coin: truth",
            ParamType.FRACTION,
            default=Fraction(1, 2),
            minimum=0,
            maximum=1,
            help="Probability that the first coin asks for the truth.",
            when=(("variant", ("two-coin",)),),
        ),
        ParamSpec(
            "yes",
            "Second coin: yes",
            ParamType.FRACTION,
            default=Fraction(1, 2),
            minimum=0,
            maximum=1,
            help="Probability that the second coin answers yes.",
            when=(("variant", ("two-coin",)),),
        ),
    ),
    make,
    # With fewer true answers the output is one of more that went through a coin once more. Of the second coin, what is
    # rarer tells more: 1 + h / ((1 − h) · min(yes, no)) times at most, and δ is h − (e^ε − 1)(1 − h) · min(yes, no).
    least_at=(("p", Fraction(1, 2)), ("honest", Fraction(0)), ("yes", Fraction(1, 2))),
)
