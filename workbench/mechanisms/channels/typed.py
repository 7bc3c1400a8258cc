"""A channel that is typed in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.core.params import ParamSpec, ParamType
from workbench.mechanisms.channel_text import parse_channel
from workbench.mechanisms.mechanism import ConfiguredMechanism, Mechanism


def make(values: Mapping[str, Any]) -> ConfiguredMechanism:
    channel = parse_channel(values["table"])
    return ConfiguredMechanism(f"Typed channel, {len(channel.inputs)} × {len(channel.outputs)}", channel)


PLUGIN = Mechanism(
    "typed",
    "Typed or loaded channel",
    "A channel is a table of probabilities: the outputs in the first line, then one line per input.",
    "",
    (
        ParamSpec(
            "table",
            "Channel",
            ParamType.LINES,
            default=", yes, no\nyes, 3/4, 1/4\nno, 1/4, 3/4",
            help="The outputs in the first line; then one line per input: its name and one probability per output, as "
            "fractions or decimal numbers. Every line must sum to 1. Probabilities alone are read, too.",
        ),
    ),
    make,
)
