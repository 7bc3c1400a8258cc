"""Which protocol to choose, from what is predicted."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.ldp.prediction import Plan, Prediction, Reference


def pick(planned: Plan, found: Sequence[Prediction], baseline: Reference, metric: str) -> str:
    """Which protocol to choose, in a sentence with numbers."""
    usable = kept_promise(planned, found)
    asked = f"{planned.users:,} people, {planned.domain_size:,} values and ε = {planned.epsilon:g}"
    if not usable:
        return f"No protocol can be used for {asked}."
    first, *others = best_of(usable, metric)
    name = _METRIC_NAMES[metric]
    words = [f"For {asked}, {first.title} is expected to have the smallest {name}: {_figure(first, metric)}"]
    if others:
        words.append(f"; no worse as far as can be told: {', '.join(one.title for one in others)}")
    elif len(usable) > 1:
        words.append(f"; next is {usable[1].title} with {_figure(usable[1], metric)}")
    words.append(f". A uniform guess would have {baseline.uniform[metric]:.3g}, a trusted curator ")
    words.append(f"{baseline.curator[metric]:.3g}.")
    if first.error(metric) >= baseline.uniform[metric] > 0:
        words.append(" A uniform guess is expected to do no worse: ask more people, or allow a larger ε.")
    return "".join(words)


def best_of(usable: Sequence[Prediction], metric: str) -> list[Prediction]:
    """The first of these, which come with rising errors, and all that cannot be told from it."""
    return [one for one in usable if not one.told_from(usable[0], metric)]


def kept_promise(planned: Plan, found: Sequence[Prediction]) -> list[Prediction]:
    """The predictions of protocols that keep the ε asked for, in their order.

    One whose ε follows from its parameters may have a smaller error only because it promises less.
    """
    return [one for one in found if not one.problem and one.epsilon <= planned.epsilon * (1 + 1e-7)]


def _figure(one: Prediction, metric: str) -> str:
    return f"{one.error(metric):.3g} ± {one.se(metric):.1g}"


_METRIC_NAMES = {"l1": "L1 error", "l2": "L2 error", "kantorovich": "Kantorovich distance"}
