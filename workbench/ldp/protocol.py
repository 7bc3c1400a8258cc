"""Local protocols: each makes a randomiser for a number of values, an ε and parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.json_values import named, number, whole
from workbench.core.number_text import exact
from workbench.core.params import ParamSpec, filled
from workbench.core.plugins import Described, Registry
from workbench.ldp.randomiser import Codes as Codes
from workbench.ldp.randomiser import Floats as Floats
from workbench.ldp.randomiser import FrequencyRandomiser as FrequencyRandomiser
from workbench.ldp.randomiser import Randomiser as Randomiser
from workbench.ldp.randomiser import Reports as Reports
from workbench.ldp.randomiser import Support as Support

SMALLEST_EPSILON, LARGEST_EPSILON = 1e-4, 30.0
"""Beyond these a report says nothing or everything, and 64-bit chances could not keep the promise to nine digits."""


class Family(StrEnum):
    """The kind of knowledge that an aggregator gains."""

    FREQUENCY = "frequency"
    """How many people have each value of a domain."""
    MEAN = "mean"
    """The mean of a number in [−1, 1]."""


Build = Callable[[int, float | None, Mapping[str, Any]], Randomiser]
Restore = Callable[[int, float | None, Mapping[str, Any], Mapping[str, Any]], Randomiser]


@dataclass(frozen=True)
class LeftOpen:
    """A whole number that 0 leaves to the protocol, which sets it for a small error of counts.

    Parameters
    ----------
    name
        Of the parameter.
    allowed
        What it may be for a number of values and an ε. Over these the margin of each share falls first and then rises.
    usual
        What the protocol sets for these.
    """

    name: str
    allowed: Callable[[int, float], range]
    usual: Callable[[int, float], int]


def _never(_: Mapping[str, Any]) -> bool:
    return False


def always(_: Mapping[str, Any]) -> bool:
    """For protocols whose ε always follows from their parameters."""
    return True


@dataclass(frozen=True)
class LocalProtocol(Described):
    """A local protocol: a plugin that makes a randomiser of a domain size, an ε and parameters.

    Parameters
    ----------
    params
        What a person can choose beside ε.
    construct
        Makes the randomiser; gets checked parameters.
    family
        What it estimates.
    ordinal
        Whether it uses distances between values, so that their order must mean something.
    minimum_domain, maximum_domain
        Smallest and largest number of values it can take; not looked at for means.
    follows
        Whether ε follows from these parameters, so that the one asked for is not looked at.
    stepwise
        Whether the ε asked for holds between neighbouring values only, so that a person's is larger.
    restore
        Makes the randomiser of `public`, for a protocol that publishes more than its parameters.
    later
        Parameters that earlier versions did not have: not published where they are at their defaults.
    left_open
        What a margin of each share wants otherwise; None for nothing.
    jumps
        Whether its error may jump at some ε, as it goes by a distance in whole values that ε allows: what it errs by
        between two ε cannot be read from these then.
    """

    params: tuple[ParamSpec, ...]
    construct: Build
    family: Family = Family.FREQUENCY
    ordinal: bool = False
    minimum_domain: int = 2
    maximum_domain: int = 1 << 20
    follows: Callable[[Mapping[str, Any]], bool] = _never
    stepwise: Callable[[Mapping[str, Any]], bool] = _never
    restore: Restore | None = None
    later: tuple[str, ...] = ()
    left_open: LeftOpen | None = None
    jumps: bool = False

    def build(self, domain_size: int, epsilon: float | None, **params: Any) -> Randomiser:
        """The randomiser, ready to use.

        Parameters
        ----------
        domain_size
            Values of the public domain; 0 for means.
        epsilon
            What one person's report may reveal; None only if it follows from the parameters.

        Raises
        ------
        WorkbenchError
            If the domain, ε or a parameter is impossible for this protocol.
        """
        values = self._checked(domain_size, epsilon, params)
        return self._signed(self.construct(domain_size, epsilon, values), epsilon, values)

    def from_public(self, public: Mapping[str, Any]) -> Randomiser:
        """The randomiser whose `public` this is."""
        if public.get("protocol") != self.identifier:
            raise WorkbenchError(
                f"These reports were made by “{public.get('protocol')}”, not by “{self.identifier}”.", field="protocol"
            )
        try:
            size, epsilon = whole(public["domain_size"]), public["epsilon"]
            epsilon = None if epsilon is None else number(epsilon)
            params = dict(named(public["parameters"]))
        except (KeyError, TypeError, ValueError):
            raise WorkbenchError(
                "The public parameters of these reports are incomplete.",
                hint="Use the file that was written together with the reports.",
            ) from None
        values = self._checked(size, epsilon, params)
        if self.restore is None:
            return self._signed(self.construct(size, epsilon, values), epsilon, values)
        return self._signed(self.restore(size, epsilon, values, public), epsilon, values)

    def _checked(self, domain_size: int, epsilon: float | None, params: dict[str, Any]) -> dict[str, Any]:
        if self.family is Family.FREQUENCY and not self.minimum_domain <= domain_size <= self.maximum_domain:
            if self.minimum_domain == self.maximum_domain:
                wanted = f"exactly {self.minimum_domain}"
            else:
                wanted = f"{self.minimum_domain} to {self.maximum_domain:,}"
            raise WorkbenchError(
                f"{self.title} needs a domain of {wanted} values; this one has {domain_size:,}.",
                hint="Change the bins or the declared values, or choose another protocol.",
                field="domain",
            )
        if epsilon is not None:
            check_epsilon(epsilon)
        values = filled(self.params, params)
        if epsilon is None and not self.follows(values):
            raise WorkbenchError(f"{self.title} needs an ε.", hint="Give a number above 0.", field="epsilon")
        return values

    def _signed(self, randomiser: Randomiser, epsilon: float | None, values: dict[str, Any]) -> Randomiser:
        randomiser.protocol = self.identifier
        # What came later and is at its default is left out: such reports are the same as ever, and so is what they say.
        usual = {spec.name: spec.default for spec in self.params if spec.name in self.later}
        randomiser.parameters = {name: value for name, value in values.items() if usual.get(name, ...) != value}
        randomiser.asked = epsilon
        return randomiser


PROTOCOLS: Registry[LocalProtocol] = Registry("local protocol", "workbench.ldp.protocols", LocalProtocol)


def randomiser_from(public: Mapping[str, Any]) -> Randomiser:
    """The randomiser whose `public` this is, whatever its protocol.

    Raises
    ------
    WorkbenchError
        If the protocol is unknown or something is missing or impossible.
    """
    return PROTOCOLS[str(public.get("protocol"))].from_public(public)


def check_epsilon(epsilon: float) -> None:
    """Refuse an ε that promises nothing or that no arithmetic could keep."""
    if not SMALLEST_EPSILON <= epsilon <= LARGEST_EPSILON:
        raise WorkbenchError(
            f"ε = {exact(epsilon)} is not between {exact(SMALLEST_EPSILON)} and {exact(LARGEST_EPSILON)}.",
            hint="ε must be above 0; common values are 0.5 to 5.",
            field="epsilon",
        )
