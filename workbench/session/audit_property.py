"""A property of a mechanism for all values of a parameter: whether ε is at most what is claimed, decided exactly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import MappingProxyType

from workbench.core.errors import WorkbenchError
from workbench.core.params import ParamType
from workbench.core.progress import SILENT, Progress
from workbench.mechanisms.audit import AuditVerdict
from workbench.project.auditable import find
from workbench.project.laboratory import LaboratorySettings
from workbench.session.audit import Examination, claimed_epsilon, examiner, number_text

MOST_VALUES = 1000
_LARGEST = 1_000_000
"""Offered where a parameter has no largest value."""


@dataclass(frozen=True)
class ForAll:
    """For every whole value of a parameter, both ends included."""

    parameter: str
    first: int
    last: int

    @classmethod
    def parse(cls, text: str) -> ForAll:
        """Read `n=1..50`.

        Raises
        ------
        WorkbenchError
            If it is written otherwise, or has no value or too many.
        """
        name, sign, ends = text.partition("=")
        low, dots, high = ends.partition("..")
        try:
            found = cls(name.strip(), int(low), int(high))
        except ValueError:
            found = None
        if found is None or not (name.strip() and sign and dots):
            raise WorkbenchError(
                f"“{text}” names no parameter with its values.", hint="Write such as n=1..50.", field="for"
            )
        return found.checked()

    def checked(self) -> ForAll:
        """Itself.

        Raises
        ------
        WorkbenchError
            If there is no value, or are too many.
        """
        if not self.first <= self.last < self.first + MOST_VALUES:
            raise WorkbenchError(
                f"{self.first} to {self.last} are no 1 to {MOST_VALUES:,} values.",
                hint="Let the first not be above the last, and ask for fewer.",
                field="for",
            )
        return self

    @property
    def words(self) -> str:
        return f"every {self.parameter} from {self.first} to {self.last}"


@dataclass(frozen=True)
class PropertyAnswer:
    """The answer about a property.

    Parameters
    ----------
    asked, claim
        For all of what, and the claim as an ε.
    holds
        None where it could not be decided at `at`, because only a part of the inputs is looked at.
    checked
        How many values were looked at.
    at, found
        The first value at which it does not hold or is undecided, and what was found there.
    rounded
        Whether it holds up to rounding only, as a channel is known in floating point.
    each
        The values that were looked at, with what was found: ε exactly, in decimals, and what became of the claim.
    """

    asked: ForAll
    claim: str
    holds: bool | None
    checked: int
    at: int | None = None
    found: Examination | None = None
    rounded: bool = False
    each: tuple[tuple[str, str, str, str], ...] = ()

    @property
    def sentence(self) -> str:
        """The answer, with the first counterexample."""
        name = self.asked.parameter
        if self.holds:
            up_to = " up to the rounding of floating point" if self.rounded else ""
            return f"Yes{up_to}: the claim holds for {self.asked.words}."
        assert self.found is not None
        if self.holds is None:
            return f"Undecided at {name} = {self.at}: only a part of its inputs is looked at."
        seen = self.found.audit.witness
        exact = "≈ " if self.found.exact is None else f"= {self.found.exact.text} ≈ "
        last = (self.at or 0) - 1
        until = str(last) if last == self.asked.first else f"{self.asked.first} to {last}"
        before = "" if self.checked == 1 else f" It holds for {name} = {until}."
        return (
            f"No: at {name} = {self.at} ε {exact}{self.found.decimals}. Output {seen.output} has "
            f"probability {number_text(seen.probability, 40)} for {seen.input} and "
            f"{number_text(seen.neighbour_probability, 40)} for {seen.neighbour}.{before}"
        )

    @property
    def untried(self) -> str:
        """Which values were left out, as the first that fails decides; "" if none were."""
        rest = self.asked.last - self.asked.first + 1 - self.checked
        if not rest:
            return ""
        last = self.asked.last
        values = str(last) if rest == 1 else f"{last - rest + 1} to {last}"
        return f"Not tried: {self.asked.parameter} = {values}."


def parameter_title(identifier: str, name: str) -> str:
    """The title of a parameter in the form, with the letter that stands for it: "Largest count n"."""
    title = next((spec.title for spec in find(identifier).params if spec.name == name), "")
    return name if not title else title if name in title.split() else f"{title}, {name}"


def parameters_to_vary(identifier: str) -> tuple[tuple[str, int, int], ...]:
    """The parameters of a mechanism that take whole numbers, with the smallest and the largest.

    None of a mechanism that is not known: it may be a plug-in's that is not installed here.
    """
    try:
        params = find(identifier).params
    except WorkbenchError:
        return ()
    return tuple(
        (spec.name, int(max(spec.minimum, 0)), int(min(spec.maximum, _LARGEST)))
        for spec in params
        if spec.type is ParamType.INTEGER
    )


def property_checker(settings: LaboratorySettings, asked: ForAll) -> Callable[[Progress], PropertyAnswer]:
    """A function that tries one value after the other and stops at the first that fails; call it on any thread.

    Raises
    ------
    WorkbenchError
        If nothing is claimed or the mechanism has no such parameter; when called, if a value is impossible.
    """
    if not settings.claim.strip():
        raise WorkbenchError("Nothing is claimed.", hint="Claim an ε, such as ln 2.", field="claim")
    find(settings.mechanism)
    known = [name for name, _, _ in parameters_to_vary(settings.mechanism)]
    if asked.parameter not in known:
        raise WorkbenchError(
            f"“{asked.parameter}” is no parameter of {settings.mechanism} that takes whole numbers.",
            hint=f"There are: {', '.join(known)}." if known else "It has none.",
            field="for",
        )
    asked.checked()
    claim = claimed_epsilon(settings)

    def check(progress: Progress = SILENT) -> PropertyAnswer:
        rounded, count = False, asked.last - asked.first + 1
        each: list[tuple[str, str, str, str]] = []
        for number in range(count):
            at = asked.first + number
            part = progress.part(number / count, (number + 1) / count)
            part(0.0, f"{asked.parameter} = {at}")
            found = _examined(settings, asked.parameter, at, part)
            open_ = found.undecided or found.verdict is None
            holds = None if open_ else found.verdict is not AuditVerdict.REFUTED
            each.append(_line(at, found, holds))
            if not holds:
                return PropertyAnswer(asked, claim, holds, number + 1, at, found, each=tuple(each))
            rounded = rounded or found.verdict is AuditVerdict.ROUNDED
        return PropertyAnswer(asked, claim, True, count, rounded=rounded, each=tuple(each))

    return check


def _line(at: int, found: Examination, holds: bool | None) -> tuple[str, str, str, str]:
    exact = "–" if found.exact is None else found.exact.text
    return str(at), exact, found.decimals, {True: "holds", False: "fails", None: "undecided"}[holds]


def _examined(settings: LaboratorySettings, name: str, value: int, progress: Progress) -> Examination:
    typed = MappingProxyType({**settings.typed, name: str(value)})
    changed = replace(settings, parameters=MappingProxyType({**settings.parameters, settings.mechanism: typed}))
    try:
        return examiner(changed, with_curve=False)(progress)
    except WorkbenchError as error:
        raise WorkbenchError(f"At {name} = {value}: {error.message}", hint=error.hint, field="for") from error
