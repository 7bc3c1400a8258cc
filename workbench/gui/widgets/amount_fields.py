"""Fields for the numbers of a promise: an amount such as ε, and a probability such as δ or β."""

from __future__ import annotations

import math

from workbench.gui.widgets.number_field import NumberField


def amount_field(
    name: str,
    *,
    minimum: float = 0.0,
    open_minimum: bool = True,
    maximum: float = math.inf,
    value: float | None = None,
    compact: bool = True,
) -> NumberField:
    """A field for an amount, above 0 unless said otherwise, read exactly and walked through by powers of ten."""
    return NumberField(
        name,
        minimum=minimum,
        open_minimum=open_minimum,
        maximum=maximum,
        value=value,
        logarithmic=True,
        amount=True,
        compact=compact,
    )


def probability_field(
    name: str,
    *,
    zero: bool = False,
    step: float | None = None,
    value: float | None = None,
    placeholder: str = "",
    compact: bool = True,
) -> NumberField:
    """A field for a probability below 1.

    Parameters
    ----------
    zero
        Whether it may be 0.
    step
        How far a press of an arrow key leads; without it, a small probability is walked through by powers of ten.
    placeholder
        What counts while nothing is typed; with it the field may be empty.
    """
    return NumberField(
        name,
        minimum=0,
        open_minimum=not zero,
        maximum=1,
        open_maximum=True,
        value=value,
        step=1.0 if step is None else step,
        logarithmic=step is None,
        amount=step is None,
        placeholder=placeholder,
        optional=bool(placeholder),
        compact=compact,
    )
