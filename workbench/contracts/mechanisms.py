"""Contracts of the laboratory's mechanisms: the matrix is stochastic, and no audit exceeds what is stated."""

from __future__ import annotations

from workbench.contracts.contract import Contract, demand
from workbench.core.exact import parse_fraction
from workbench.core.number_text import estimate, exact
from workbench.core.params import ParamType
from workbench.mechanisms.audit import audit
from workbench.mechanisms.epsilon import Epsilon
from workbench.mechanisms.mechanism import ConfiguredMechanism, Mechanism

_ASKED = ("1/2", "1", "3")


def states_its_epsilon(made: ConfiguredMechanism, stated: Epsilon | None) -> float:
    """The audited ε; `Broken` if it exceeds what is stated, or what is proven for all inputs."""
    found = audit(made.channel, made.neighbours, stated)
    if made.bound is not None:
        demand(
            found.epsilon <= made.bound.upper * (1 + 1e-12), f"the audit finds {exact(found.epsilon)}, above its bound."
        )
    if stated is not None:
        demand(
            found.epsilon <= stated.upper * (1 + 1e-7) + 2e-8,
            f"asked for ε = {stated.text}, its channel reveals {estimate(found.epsilon, 6)}: output "
            f"{found.witness.output} "
            f"tells {found.witness.input} from {found.witness.neighbour}.",
        )
    return found.epsilon


def _matrix(mechanism: Mechanism) -> str:
    channel = mechanism.build({}).channel
    off = float(abs(channel.floats.sum(axis=1) - 1).max())
    demand(off < 1e-9 and bool((channel.floats >= 0).all()), "its rows are no probabilities.")
    return f"{len(channel.inputs)} inputs, {len(channel.outputs)} outputs."


def _audited(mechanism: Mechanism) -> str:
    names = {spec.name: spec for spec in mechanism.params}
    if "epsilon" not in names:
        return f"with its defaults the audit finds ε = {estimate(states_its_epsilon(mechanism.build({}), None), 6)}."
    spec = names["epsilon"]
    for text in _ASKED:
        value = parse_fraction(text, field="epsilon")
        given = {ParamType.NUMBER: float(value), ParamType.FRACTION: value}.get(spec.type, text)
        states_its_epsilon(mechanism.build({"epsilon": given}), Epsilon.parse(text, field="epsilon"))
    return f"asked for ε = {', '.join(_ASKED)}, it reveals no more."


CONTRACTS: tuple[Contract[Mechanism], ...] = (Contract("matrix", _matrix), Contract("exact audit", _audited))
