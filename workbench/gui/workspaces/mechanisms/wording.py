"""What the audit found, in the words of the window."""

from __future__ import annotations

import math
from fractions import Fraction

from PySide6.QtCore import QCoreApplication

from workbench.core.figures import rounded_up
from workbench.gui.widgets.status import Status
from workbench.mechanisms.audit import Verdict
from workbench.mechanisms.channel import Channel
from workbench.mechanisms.neighbours import Neighbours, Relation
from workbench.mechanisms.utility import Loss
from workbench.session.auditing import Examination, number_text

_LONGEST = 18
_LONGEST_EPSILON = 26


def _tr(text: str) -> str:
    return QCoreApplication.translate("Mechanisms", text)


def number(value: Fraction | float) -> str:
    """A probability: the fraction, or a decimal number where that is long."""
    return number_text(value, _LONGEST) if isinstance(value, Fraction) else f"{value:.4g}"


def with_decimals(value: Fraction | float) -> str:
    """A number exactly, its decimals beside it."""
    shown = number(value)
    whole = not isinstance(value, Fraction) or value.denominator == 1 or shown.startswith("≈")
    return shown if whole else f"{shown} ≈ {float(value):.4g}"


def epsilon_words(found: Examination) -> str:
    """ε exactly and as a number: "ε = ln(943/292) ≈ 1.173"."""
    if math.isinf(found.epsilon):
        return _tr("ε = ∞")
    exact = found.exact.text if found.exact is not None else ""
    if exact == "0":
        return _tr("ε = 0")
    decimals = rounded_up(found.epsilon)
    return f"ε = {exact} ≈ {decimals}" if 0 < len(exact) <= _LONGEST_EPSILON else f"ε ≈ {decimals}"


def witness_words(found: Examination) -> str:
    """Which output tells which inputs apart, and how well."""
    seen = found.audit.witness
    if seen.probability == 0 or seen.ratio == 1:
        return _tr("No output tells neighbours apart.")
    values = {
        "output": seen.output,
        "input": seen.input,
        "neighbour": seen.neighbour,
        "p": number(seen.probability),
        "q": number(seen.neighbour_probability),
    }
    if seen.neighbour_probability == 0:
        return _tr(
            "Output “{output}” gives it away: probability {p} for input {input}, and impossible for {neighbour}."
        ).format(**values)
    return _tr(
        "Output “{output}” shows it: probability {p} for input {input} and {q} for {neighbour}, a ratio of {ratio}."
    ).format(**values, ratio=with_decimals(seen.ratio))


def delta_words(found: Examination) -> str:
    """δ at the claimed ε, or what no ε can hide; nothing where there is nothing to say."""
    excess = found.audit.excess
    if not found.settings.claim.strip() and not math.isinf(found.epsilon):
        return ""
    delta = rounded_up(excess.delta)
    exact = f"{number(excess.exact)} ≈ " if excess.exact and len(str(excess.exact)) <= _LONGEST else ""
    pair = _tr("inputs {input} and {neighbour}").format(input=excess.input, neighbour=excess.neighbour)
    if excess.at.infinite:
        return _tr("However large ε is, δ is at least {delta} ({pair}).").format(delta=exact + delta, pair=pair)
    return _tr("At ε = {epsilon}, δ = {delta} ({pair}).").format(epsilon=excess.at.text, delta=exact + delta, pair=pair)


def verdict_words(found: Examination) -> tuple[Status, str]:
    """The badge: what became of the claim, or how the channel is known."""
    if found.undecided:
        return Status.WARNING, _tr("Not decided: only the shown inputs were looked at")
    if found.verdict is None:
        if math.isinf(found.epsilon):
            return Status.WARNING, _tr("No ε holds")
        return (
            (Status.INFO, _tr("Exact"))
            if found.channel.exact is not None
            else (Status.NEUTRAL, _tr("In floating point"))
        )
    words = {
        Verdict.CONFIRMED: (Status.SUCCESS, _tr("Claim confirmed")),
        Verdict.ROUNDED: (Status.SUCCESS, _tr("Claim confirmed, up to rounding")),
        Verdict.REFUTED: (Status.ERROR, _tr("Claim refuted")),
    }
    return words[found.verdict]


def neighbours_words(neighbours: Neighbours, channel: Channel) -> str:
    """Over which pairs the audit went."""
    if neighbours.relation is Relation.WITHIN:
        return _tr("neighbours: {distance}").format(distance=neighbours.text_for(channel))
    if neighbours.relation is Relation.GRAPH:
        return _tr("neighbours: {count} pairs").format(count=f"{len(neighbours.edges):,}")
    return _tr("neighbours: all pairs")


def size_words(found: Examination) -> str:
    """How large the channel is and over what it was audited."""
    return _tr("{inputs} inputs, {outputs} outputs; {neighbours}").format(
        inputs=f"{len(found.channel.inputs):,}",
        outputs=f"{len(found.channel.outputs):,}",
        neighbours=neighbours_words(found.neighbours, found.channel),
    )


def loss_words(loss: Loss) -> str:
    """What an error costs."""
    return {
        Loss.ABSOLUTE: _tr("distance from the truth"),
        Loss.SQUARED: _tr("its square"),
        Loss.WRONG: _tr("1 for a wrong answer"),
    }[loss]
