"""Protocols that are one and the same mechanism, listed once with their other names."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.prediction import Prediction
from workbench.session.collection.words import ALSO


class OtherNames:
    """Protocols among these that are one of the others by another name here.

    With two values direct encoding, randomised response and subset selection all say the true value with the chance
    e^ε/(e^ε + 1); subset selection is direct encoding wherever its sets have one value. Only where the reports are
    estimated alike as well are they listed once.
    """

    def __init__(self, found: Sequence[Prediction]) -> None:
        plain = {one.choice.identifier: one for one in found if not one.problem and not one.choice.values}
        known = [(one, plain.get(one.simpler)) for one in found if not one.problem]
        self._same = [
            (one.choice, first.choice)
            for one, first in known
            if first is not None and _estimated(one) == _estimated(first)
        ]

    @classmethod
    def everywhere(cls, found: Sequence[Sequence[Prediction]]) -> OtherNames:
        """Those that are so at each of several places, of whose predictions each is in the same order."""
        names = cls(found[0] if found else ())
        for more in map(cls, found[1:]):
            names._same = [pair for pair in names._same if pair in more._same]
        return names

    def of(self, choice: ProtocolChoice | None) -> tuple[ProtocolChoice, ...]:
        """The other names of a protocol."""
        return tuple(one for one, first in self._same if first == choice)

    def first(self, choice: ProtocolChoice) -> ProtocolChoice | None:
        """The protocol that it is by another name; None where it has a name of its own."""
        return next((first for one, first in self._same if one == choice), None)

    def told(self, choice: ProtocolChoice) -> bool:
        """Whether it is told with another one, and has no line of its own."""
        return any(one == choice for one, _ in self._same)

    def chosen(self, lines: Sequence[ProtocolChoice | None], chosen: Sequence[ProtocolChoice]) -> list[bool]:
        """Whether the protocol of each line is chosen, by whichever of its names."""
        return [any(one in chosen for one in (line, *self.of(line))) for line in lines]


def _estimated(one: Prediction) -> tuple[str, str]:
    return one.estimator, one.postprocess


def called(title: str, others: Sequence[str]) -> str:
    """A protocol with its other names."""
    return f"{title}{ALSO}{' or '.join(others)}" if others else title
