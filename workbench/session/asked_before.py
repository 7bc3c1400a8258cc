"""Choices of a collection before others were made, kept for as long as the session lasts; they are not saved."""

from __future__ import annotations

from dataclasses import dataclass, field

from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding_choice import EncodingKind


@dataclass(frozen=True)
class AskedSide:
    """The settings of one of the two things that can be asked for, shares or a mean, that are not of the other.

    Parameters
    ----------
    protocols
        Those that were ticked for it.
    how
        How answers become codes; the values and the bounds that were typed stand in the encoding beside each other.
    target
        The error to reach.
    """

    protocols: tuple[ProtocolChoice, ...]
    how: EncodingKind | None
    target: float


@dataclass(eq=False)
class AskedBefore:
    """The choices that a person comes back to.

    Parameters
    ----------
    sides
        What was chosen for a mean (True) and for shares (False) when the other was asked for.
    mean
        Whether a mean was asked for last; it counts while no protocol is ticked.
    sampling_said
        Whether the person said whether sampling error counts; otherwise it is proposed.
    before_plan
        Whether it counted, and how many people there were, before a survey was planned beside a table; None where
        nothing was proposed since.
    """

    sides: dict[bool, AskedSide] = field(default_factory=dict)
    mean: bool = False
    sampling_said: bool = False
    before_plan: tuple[bool, int | None] | None = None
