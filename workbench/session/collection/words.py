"""A collection in words: its protocols, its errors and what was written."""

from __future__ import annotations

import math

from workbench.core.number_text import estimate, exact, rounded_up
from workbench.ldp.choice import ProtocolChoice
from workbench.session.collection.results import Collected


def protocol_words(choice: ProtocolChoice) -> str:
    """The protocol with the parameters that were changed."""
    if not choice.values:
        return choice.protocol.title
    values = ", ".join(f"{name} = {_setting(value)}" for name, value in choice.values.items())
    return f"{choice.protocol.title} ({values})"


def with_error(mean: float, se: float) -> str:
    """A mean with its standard error."""
    return estimate(mean) if math.isnan(se) else f"{estimate(mean)} ± {estimate(se, 2)}"


def short_metric_words(metric: str) -> str:
    """An error as the heading of a column."""
    return {"l1": "L1", "l2": "L2"}.get(metric, metric.capitalize())


def collected_words(collected: Collected) -> str:
    """What was written, and what is not promised; what is hidden stands beside the button."""
    announced = collected.announcement
    words = [
        f"{announced.reports:,} reports were written to {collected.path.name}.",
    ]
    if not collected.claim:
        words += ["No promise:", *collected.reasons]
    else:
        words += [collected.epsilon.text] if announced.hidden else [collected.epsilon.text, announced.promise]
    words += [one for one in collected.cautions if one not in collected.reasons]
    return " ".join(words)


def with_unit(value: float, unit: str) -> str:
    """An estimate in units of the column."""
    return f"{estimate(value)} {unit}".strip()


def with_own_epsilon(name: str, choice: ProtocolChoice, epsilon: float) -> str:
    """The name of a protocol, with its ε if that is not the one asked for: errors at another ε do not compare."""
    own = choice.other_epsilon and math.isfinite(epsilon)
    return f"{name}, ε = {rounded_up(epsilon)}" if own else name


def _setting(value: object) -> str:
    return exact(value) if isinstance(value, int | float) and not isinstance(value, bool) else str(value)
