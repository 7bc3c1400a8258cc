"""Mechanisms as plugins: parameters in, a channel with its own neighbours out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.params import ParamSpec, filled
from workbench.core.plugins import Described, Registry
from workbench.mechanisms.channel import Channel
from workbench.mechanisms.epsilon import Epsilon
from workbench.mechanisms.neighbours import ALL, Neighbours, Relation

OTHERS = "others may do worse"
"""What is said where not all inputs there are could be listed."""


@dataclass(frozen=True)
class ConfiguredMechanism:
    """A mechanism with its parameters filled in.

    Parameters
    ----------
    title
        What it is, with its parameters, in a few words.
    channel
        Its matrix.
    neighbours
        The inputs it is meant to make look alike.
    bound
        An ε that is proven for more inputs than the channel shows; the audit of the channel then only comes near it.
    note
        What a reader of the audit must know, in a sentence or two.
    listed
        What was listed of more inputs than could be, such as “3 datasets”: what is found holds of those. "" where
        the channel has all inputs there are.
    """

    title: str
    channel: Channel
    neighbours: Neighbours = ALL
    bound: Epsilon | None = None
    note: str = ""
    listed: str = ""

    def resolve(self, wanted: Neighbours) -> Neighbours:
        """The relation to audit over: the wanted one, or the mechanism's own."""
        return self.neighbours if wanted.relation is Relation.OWN else wanted


@dataclass(frozen=True)
class Mechanism(Described):
    """One mechanism: the declaration that forms, flags and help are made from, and how to make its channel.

    Parameters
    ----------
    params
        Its parameters.
    make
        Makes the channel from checked parameters.
    least_at
        Pairs (name of a chance among the parameters, its value at which ε is least), of those from which on ε, and δ at
        any ε, only rise whatever the others are: so how far it can go for a claim is found for sure.
    """

    params: tuple[ParamSpec, ...]
    make: Callable[[Mapping[str, Any]], ConfiguredMechanism]
    least_at: tuple[tuple[str, Fraction], ...] = ()

    def build(self, values: Mapping[str, Any]) -> ConfiguredMechanism:
        """The channel for these values; what is not given takes its default.

        Raises
        ------
        WorkbenchError
            If a parameter is unknown or its value impossible.
        """
        return self.make(filled(self.params, dict(values)))

    def build_typed(self, texts: Mapping[str, str]) -> ConfiguredMechanism:
        """The channel for values as they are typed.

        Raises
        ------
        WorkbenchError
            If a parameter is unknown or its text no possible value.
        """
        return self.make(self.values_typed(texts))

    def values_typed(self, texts: Mapping[str, str]) -> dict[str, Any]:
        """All parameters, those that are given as they are typed, the others at their defaults.

        Raises
        ------
        WorkbenchError
            If a parameter is unknown or its text no possible value.
        """
        known = {spec.name: spec for spec in self.params}
        # An unknown name stays as it is, so that `filled` can say what there is.
        typed = {name: known[name].parse(text) if name in known else text for name, text in texts.items()}
        return filled(self.params, typed)


MECHANISMS: Registry[Mechanism] = Registry("mechanism", "workbench.mechanisms.channels", Mechanism)
"""Every mechanism there is."""

LARGEST_CHANNEL = 4_000_000
"""Entries of a channel; a larger one could not be looked at anyway."""


MOST_EXACT = 250_000
"""Entries of a composed channel that are kept as fractions; larger ones are known in floating point."""


def check_size(inputs: int, outputs: int) -> None:
    """Refuse a channel that would not fit.

    Raises
    ------
    WorkbenchError
        If it has more than `LARGEST_CHANNEL` entries.
    """
    if inputs * outputs > LARGEST_CHANNEL:
        raise WorkbenchError(
            f"A channel of {inputs:,} inputs and {outputs:,} outputs is too large to be written down.",
            hint=f"Choose smaller parameters: at most {LARGEST_CHANNEL:,} entries.",
        )
