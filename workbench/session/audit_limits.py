"""The limits of a parameter of a mechanism up to which the claim about it holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import typed
from workbench.core.params import ParamSpec
from workbench.core.progress import SILENT, Progress
from workbench.mechanisms.audit import AuditVerdict
from workbench.project.auditable import find
from workbench.project.laboratory import LaboratorySettings
from workbench.session.audit import Examination, claimed_epsilon, examiner

_FINE = 10**8
"""Steps of the search from 0 to 1."""
_SHOWN = 10**4
"""Steps of what is offered rounded; what is offered exactly has no larger denominator.

Two fractions of such denominators are at least a step of the search apart, so that it finds the one there may be.
"""
_MOST_ENTRIES = 1_000
"""Of a channel; larger ones would be made anew for too long."""


@dataclass(frozen=True)
class ParameterLimit:
    """The values of one parameter for which the claim holds, all others as they are.

    Parameters
    ----------
    spec
        The parameter, a chance.
    low, high
        The least and the largest value; None where the claim holds down, or up, to the end of what is allowed.
    exact
        Whether the claim fails for any value beyond; else an end is rounded to the side on which it holds, by less than
        1/10,000.
    value
        What the parameter is now.
    claim
        The claim in words.
    """

    spec: ParamSpec
    low: Fraction | None
    high: Fraction | None
    exact: bool
    value: Fraction
    claim: str

    @property
    def nearest(self) -> Fraction:
        """The end next to what the parameter is now."""
        ends = [end for end in (self.low, self.high) if end is not None]
        return min(ends, key=lambda end: abs(end - self.value))

    @property
    def typed(self) -> str:
        """What is typed to be at the nearest end."""
        return _text(self.nearest)

    @property
    def words(self) -> str:
        """Such as “First coin: at most 1/3”."""
        if self.low is not None and self.high is not None:
            values = f"{_text(self.low)} to {_text(self.high)}"
        else:
            values = f"{'at most' if self.low is None else 'at least'} {self.typed}"
        return f"{self.spec.title.partition(':')[0]}: {values}"

    @property
    def meaning(self) -> str:
        """What it says, and what is filled in."""
        beyond = "and for none beyond" if self.exact else "(rounded to the safe side)"
        filled = "It is set." if self.is_set else f"Press to fill in {self.typed}."
        return f"With these values {beyond}, all else as it is, {self.claim} holds. {filled}"

    @property
    def is_set(self) -> bool:
        """Whether the parameter is at that end now."""
        return self.nearest == self.value


def claim_limits(found: Examination, progress: Progress = SILENT) -> tuple[ParameterLimit, ...]:
    """How far each parameter of a mechanism can go until the claim fails; () where that is not known for sure.

    It is known of a mechanism by itself whose ε, and δ at any ε, only rise from a value of a parameter on
    (`Mechanism.least_at`): where the claim holds at a value and not at the next one, it holds at none beyond. Every
    value is tried as the claim was, by an exact audit.
    """
    settings, channel = found.settings, found.channel
    small = len(channel.inputs) * len(channel.outputs) <= _MOST_ENTRIES
    if found.verdict is None or channel.exact is None or not (small and may_have_limits(settings)):
        return ()
    mechanism = find(settings.mechanism)
    values = mechanism.values_typed(settings.typed)
    named = [(spec, dict(mechanism.least_at).get(spec.name)) for spec in mechanism.params if spec.matters(values)]
    limits = (_limit(settings, spec, least, values[spec.name], progress) for spec, least in named if least is not None)
    return tuple(limit for limit in limits if limit is not None)


def may_have_limits(settings: LaboratorySettings) -> bool:
    """Whether a mechanism is one by itself that names a parameter which `claim_limits` can look at."""
    plain = LaboratorySettings()
    changes = ("sample", "repeat", "beside", "then")
    try:
        named = find(settings.mechanism).least_at
    except WorkbenchError:
        return False  # made by a plugin that is not here
    return bool(named) and all(getattr(settings, name) == getattr(plain, name) for name in changes)


def _limit(
    settings: LaboratorySettings, spec: ParamSpec, least: Fraction, value: Fraction, progress: Progress
) -> ParameterLimit | None:
    def tried(at: Fraction) -> Examination:
        progress(0.0)
        return examiner(settings.with_parameter(spec.name, str(at)), with_curve=False)(SILENT)

    step = Fraction(1, _FINE)
    bottom = Fraction(spec.minimum) + (step if spec.open_minimum else 0)
    top = Fraction(spec.maximum) - (step if spec.open_maximum else 0)
    start = min(max(least, bottom), top)
    if not _holds(tried(start)):
        return None
    ends: list[Fraction | None] = []
    exact = True
    for end in (bottom, top):
        if end == start or _holds(tried(end)):
            ends.append(None)
            continue
        found = _last_that_holds(tried, start, end)
        if found is None:
            return None
        ends.append(found[0])
        exact = exact and found[1]
    low, high = ends
    delta = f", δ ≤ {settings.claimed_delta.strip()}" if settings.claimed_delta.strip() else ""
    claim = f"ε ≤ {claimed_epsilon(settings)}{delta}"
    return None if low is None and high is None else ParameterLimit(spec, low, high, exact, value, claim)


def _last_that_holds(
    tried: Callable[[Fraction], Examination], start: Fraction, end: Fraction
) -> tuple[Fraction, bool] | None:
    """The last value from `start`, where the claim holds, to `end`, where it fails, and whether it is exactly that."""
    good, bad = round(start * _FINE), round(end * _FINE)
    while abs(bad - good) > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if _holds(tried(Fraction(middle, _FINE))) else (good, middle)
    near = Fraction(good + bad, 2 * _FINE).limit_denominator(_SHOWN)
    low, high = min(start, end), max(start, end)
    if low < near < high and _attained(tried(near)):
        return near, True
    step = Fraction(1 if bad > good else -1, _SHOWN)
    rounded = good * _SHOWN // _FINE if bad > good else -(-good * _SHOWN // _FINE)
    last = Fraction(rounded, _SHOWN)
    beyond = min(max(last + step, low), high)
    sure = low < last < high and _holds(tried(last)) and not _holds(tried(beyond))
    return (last, False) if sure else None


def _holds(found: Examination) -> bool:
    return found.verdict is AuditVerdict.CONFIRMED


def _attained(found: Examination) -> bool:
    """Whether the claim holds with nothing to spare: ε, or δ at it, is what is claimed."""
    excess, delta = found.audit.excess, found.claimed_delta
    return _holds(found) and (found.audit.exact == excess.at if not delta else excess.exact == delta)


def _text(value: Fraction) -> str:
    """A fraction, or the decimal number that it is where that is shorter."""
    fraction, decimals = str(value), typed(float(value))
    return decimals if Fraction(decimals) == value and len(decimals) < len(fraction) else fraction
