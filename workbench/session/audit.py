"""The laboratory: any discrete mechanism, or local protocol, and what the audit says of it.

Nothing here looks at data. `LaboratorySettings` hold the question as it was typed; `examiner` binds it together, and
what it gives may run on any thread.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from workbench.core import flags
from workbench.core.amount_text import read_chance, with_point
from workbench.core.errors import WorkbenchError
from workbench.core.exact import fraction_text, parse_fraction
from workbench.core.number_text import estimate_beside, file_text, rounded_up, typed
from workbench.core.params import ParamType
from workbench.core.progress import SILENT, Progress
from workbench.core.typed_fields import Scalar
from workbench.ldp.choice import ProtocolChoice
from workbench.mechanisms.audit import Audit, AuditVerdict, DeltaCurve, audit, curve
from workbench.mechanisms.channel import Channel
from workbench.mechanisms.channel_composition import (
    on_sample_of_people,
    on_sample_of_rows,
    parallel,
    post_process,
    sequential,
)
from workbench.mechanisms.channel_text import parse_channel
from workbench.mechanisms.channels.grr import EPSILON
from workbench.mechanisms.channels.grr import PLUGIN as GRR
from workbench.mechanisms.epsilon import Epsilon
from workbench.mechanisms.mechanism import MECHANISMS, ConfiguredMechanism
from workbench.mechanisms.neighbours import Neighbours, parse_neighbours
from workbench.mechanisms.prism import write_prism as write_prism
from workbench.mechanisms.utility import LossFunction, Utility, comparable, parse_prior, utility
from workbench.plots.privacy_curve import PrivacyCurve
from workbench.project.auditable import audited_as, find
from workbench.project.laboratory import LaboratorySettings
from workbench.session.state import Desk

TYPED = "typed"
_MOST_TIMES = 12


@dataclass(frozen=True)
class Examination:
    """The facts about a mechanism after looking at it.

    Parameters
    ----------
    settings
        The question, without what was left out of it.
    made
        The mechanism, with what was put in front of it and behind it.
    neighbours
        The relation that was audited.
    audit, curve, utility
        What was found; no curve if none was asked for.
    verdict
        What became of the claim, None without one. `undecided` says that only the shown inputs were looked at.
    left_out
        Why the claim or the prior, on which ε does not depend, was left out of the question; each names its field.
    asked
        The question with it.
    """

    settings: LaboratorySettings
    made: ConfiguredMechanism
    neighbours: Neighbours
    audit: Audit
    curve: DeltaCurve | None
    utility: Utility
    verdict: AuditVerdict | None
    undecided: bool = False
    left_out: tuple[WorkbenchError, ...] = ()
    asked: LaboratorySettings | None = None

    def answers(self, settings: LaboratorySettings) -> bool:
        """Whether this was the question."""
        return settings == (self.settings if self.asked is None else self.asked)

    def why_without(self, *fields: str) -> WorkbenchError | None:
        """Why one of these fields was left out of the question; None where none was."""
        return next((error for error in self.left_out if error.field in fields), None)

    @property
    def channel(self) -> Channel:
        return self.made.channel

    @property
    def ordered(self) -> bool:
        """Whether inputs may be numbers; of protocols and of randomised response they are values that are numbered."""
        return self.settings.mechanism in MECHANISMS and self.settings.mechanism != GRR.identifier

    @property
    def decimals(self) -> str:
        """ε as a number, with digits enough to be compared with the one that is claimed."""
        claimed = self.audit.excess.at.upper if self.settings.claim.strip() else self.epsilon
        return estimate_beside(self.epsilon, claimed)

    @property
    def claimed_delta(self) -> Fraction:
        """The δ of the claim."""
        return _delta(self.settings.claimed_delta)

    @property
    def exact(self) -> Epsilon | None:
        """ε without a rounding, over all inputs it is proven for; None if known in floating point only."""
        return self.made.bound or self.audit.exact

    @property
    def epsilon(self) -> float:
        """ε rounded up."""
        return self.exact.upper if self.exact is not None else self.audit.epsilon


def build(settings: LaboratorySettings) -> ConfiguredMechanism:
    """The mechanism of the settings, on a sample, composed and followed by another channel as they say.

    Raises
    ------
    WorkbenchError
        If something in them is impossible; `field` says what.
    """
    made = find(settings.mechanism).build_typed(settings.typed)
    changed = bool(settings.sample.strip() or settings.then.strip() or settings.repeat > 1 or settings.beside > 1)
    if changed and made.bound is not None:
        raise WorkbenchError(
            "This mechanism is shown by its worst pair of inputs only, so that nothing can be put before or behind it.",
            hint="Choose streams of a database.",
            field="stream",
        )
    for times, field in ((settings.repeat, "repeat"), (settings.beside, "beside")):
        if not 1 <= times <= _MOST_TIMES:
            raise WorkbenchError(
                f"{times} times is not between 1 and {_MOST_TIMES}.", hint="Choose fewer.", field=field
            )
    channel, title = made.channel, f"{made.title}{added_words(settings)}"
    if settings.sample.strip():
        rate, absent = _sampling(settings.sample)
        channel = on_sample_of_rows(channel, rate) if absent is None else on_sample_of_people(channel, rate, absent)
    if settings.then.strip():
        channel = post_process(channel, parse_channel(settings.then, "the channel that follows"))
    once = channel
    for _ in range(settings.repeat - 1):
        channel = sequential(channel, once)
    made = replace(made, channel=channel)
    single = made
    for _ in range(settings.beside - 1):
        made = parallel(made, single)
    made = replace(made, title=title, note=single.note)
    if made.note and (settings.repeat > 1 or settings.beside > 1):
        # What it says of ε holds of one answer, not of all of them.
        made = replace(made, note=f"Asked once: {made.note}")
    return made


def added_words(settings: LaboratorySettings) -> str:
    """What is done to a mechanism by the settings, to follow its title; "" where it is by itself."""
    words = ""
    if settings.sample.strip():
        rate, absent = _sampling(settings.sample)
        words = f", on a sample of {rate}{' of the rows' if absent is None else f', else {absent}'}"
    if settings.then.strip():
        words += ", then another channel"
    if settings.repeat > 1:
        words += f", {settings.repeat} times{', each on a fresh sample' * bool(settings.sample.strip())}"
    return f"{words}, on {settings.beside} inputs side by side" if settings.beside > 1 else words


def _sampling(text: str) -> tuple[Fraction, str | None]:
    """The rate of a sample, and of one of people, the input of somebody who is not in it."""
    rate, sign, absent = text.partition("=")
    return read_chance(rate, field="sample"), absent.strip() if sign else None


def examiner(
    settings: LaboratorySettings, *, with_curve: bool = True, leave_out: bool = False
) -> Callable[[Progress], Examination]:
    """A function that examines the mechanism of the settings; call it on any thread.

    Parameters
    ----------
    leave_out
        Whether a claim and a prior that cannot be read are left out, for ε and the matrix depend on neither.

    Raises
    ------
    WorkbenchError
        By what is returned, if something in the settings is impossible.
    """

    def examine(progress: Progress = SILENT) -> Examination:
        progress(0.0)
        asked, left_out = settings, []
        try:
            claim, delta = _claim(settings)
        except WorkbenchError as error:
            if not leave_out:
                raise
            left_out.append(error)
            asked = replace(asked, claim="", claimed_delta="")
            claim, delta = _claim(asked)
        made = build(settings)
        neighbours = made.resolve(parse_neighbours(settings.neighbours))
        try:
            prior = parse_prior(settings.prior, made.channel)
        except WorkbenchError as error:
            if not leave_out:
                raise
            left_out.append(error)
            asked = replace(asked, prior=LaboratorySettings().prior)
            prior = parse_prior(asked.prior, made.channel)
        found = audit(made.channel, neighbours, claim, delta, progress.part(0.1, 0.5))
        whole = curve(made.channel, neighbours, progress.part(0.5, 1.0)) if with_curve else None
        value = utility(made.channel, prior, _loss(settings.loss, made.channel))
        verdict, undecided = _verdict(found, made.bound, claim)
        return Examination(asked, made, neighbours, found, whole, value, verdict, undecided, tuple(left_out), settings)

    return examine


def privacy_curve_of(found: Examination, progress: Progress = SILENT) -> PrivacyCurve:
    """δ for every ε as a chart, with the claim; for a large channel it takes longer than the audit."""
    found_curve = curve(found.channel, found.neighbours, progress)
    claim: tuple[float, float] | None = None
    claimed = found.audit.excess.at
    if found.settings.claim.strip() and not claimed.infinite:
        claim = claimed.upper, float(found.claimed_delta)
    exact = found.audit.exact.text if found.audit.exact is not None else ""
    return PrivacyCurve(
        found_curve.epsilons,
        found_curve.deltas,
        found_curve.epsilon,
        exact,
        claim,
        found.verdict in (AuditVerdict.CONFIRMED, AuditVerdict.ROUNDED),
    )


def _verdict(found: Audit, bound: Epsilon | None, claim: Epsilon | None) -> tuple[AuditVerdict | None, bool]:
    """The verdict on the claim, and whether it stays open: the audited inputs may be a part of those it is about."""
    if claim is None or bound is None or bound.ratio is None:
        return found.verdict, False
    if claim.covers(bound.ratio):
        return AuditVerdict.CONFIRMED, False
    # The pair that is shown can refute; that it does not, proves nothing about the others.
    settled = found.verdict is AuditVerdict.REFUTED or found.excess.bound == 0
    return (AuditVerdict.REFUTED, False) if settled else (None, True)


def _loss(name: str, channel: Channel) -> LossFunction:
    """The wanted loss, or where the outputs are no numbers, whether they are right."""
    wanted = LossFunction(name)
    return wanted if comparable(channel, wanted) else LossFunction.WRONG


def _claim(settings: LaboratorySettings) -> tuple[Epsilon | None, Fraction]:
    claim = Epsilon.parse(claim_text(settings.claim), field="claim") if settings.claim.strip() else None
    return claim, _delta(settings.claimed_delta)


def _delta(text: str) -> Fraction:
    delta = parse_fraction(with_point(text), field="claimed_delta") if text.strip() else Fraction(0)
    if not 0 <= delta < 1:
        raise WorkbenchError(
            f"δ = {text.strip()} is not at least 0 and below 1.", hint="Write such as 1e-6.", field="claimed_delta"
        )
    return delta


def claim_text(text: str) -> str:
    """A claim as an ε: “75 %”, which a 50 : 50 guess may rise to at most, as “ln 3”; any other text as it is.

    Odds of p / (1 − p) after the output are at most e^ε times the even ones before it.

    >>> claim_text("75 %"), claim_text("60%"), claim_text("50 %"), claim_text("ln 2")
    ('ln 3', 'ln(3/2)', '0', 'ln 2')

    Raises
    ------
    WorkbenchError
        If it is no percentage, one below 50 %, or certainty.
    """
    number, sign, rest = text.strip().partition("%")
    if not sign or rest:
        return text
    hint = "Write 50 % or more, below 100 %, or an ε such as 0.5, 1/3 or ln 3."
    try:
        chance = parse_fraction(with_point(number, "claim"), field="claim") / 100
    except WorkbenchError as error:
        raise WorkbenchError(f"“{text.strip()[:40]}” is no percentage.", hint=hint, field="claim") from error
    if not Fraction(1, 2) <= chance < 1:
        many = f"{number.strip()} %"
        why = f"A 50 : 50 guess cannot be kept to {many}" if chance < 1 else f"No ε is as large as {many} would need"
        raise WorkbenchError(f"{why}.", hint=hint, field="claim")
    odds = chance / (1 - chance)
    if odds == 1:
        return "0"
    return f"ln {odds}" if odds.denominator == 1 else f"ln({odds})"


def is_claim(settings: LaboratorySettings) -> bool:
    """Whether the claim can be read, which also none can: half of one that is being typed often cannot."""
    try:
        _claim(settings)
    except WorkbenchError:
        return False
    return True


def claimed_epsilon(settings: LaboratorySettings) -> str:
    """The claim of the settings as an ε, see `claim_text`; as it was typed where it is none."""
    claim = settings.claim.strip()
    with suppress(WorkbenchError):
        return claim_text(claim)
    return claim


def number_text(value: Fraction | float, longest: int = 0) -> str:
    """An exact number as a fraction (a decimal if that has more than `longest` signs), any other to ten digits."""
    if isinstance(value, Fraction):
        return fraction_text(value, longest)
    return "∞" if math.isinf(value) else file_text(value, 10)


class AuditDesk(Desk):
    """The laboratory of a session: the mechanism in question, and what is asked of it."""

    @property
    def settings(self) -> LaboratorySettings:
        return self._project.laboratory

    def ask(self, settings: LaboratorySettings) -> None:
        """Ask another question."""
        if settings != self.settings:
            self._state.change(laboratory=settings)

    def ask_about(self, choice: ProtocolChoice, size: int) -> None:
        """Ask whether a protocol for so many answers keeps the ε of the collection.

        Raises
        ------
        WorkbenchError
            If it is none that can be audited.
        """
        mechanism = find(audited_as(choice.protocol))
        given = {"d": size, EPSILON.name: self._project.collect.epsilon, **choice.values}
        named = {spec.name for spec in mechanism.params}
        asked = LaboratorySettings(mechanism=mechanism.identifier, parameters=self.settings.parameters)
        for name, value in given.items():
            if name in named and value is not None:
                asked = asked.with_parameter(name, _as_typed(value))
        # Where ε follows from the parameters, what the protocol states is what it had better keep.
        claim = own_epsilon(asked) or rounded_up(choice.build(size, None).epsilon)
        self.ask(replace(asked, claim=claim))

    def examiner(self, *, with_curve: bool = True) -> Callable[[Progress], Examination]:
        """A function that examines the mechanism as it is set; see `examiner`."""
        return examiner(self.settings, with_curve=with_curve)


def _as_typed(value: Scalar) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return typed(value) if isinstance(value, int | float) else str(value)


def shown_parameters(settings: LaboratorySettings) -> dict[str, Any]:
    """The value of every parameter of the chosen mechanism as a form shows it: fractions and texts as typed."""
    shown: dict[str, Any] = {}
    for spec in find(settings.mechanism).params:
        text = settings.typed.get(spec.name)
        if text is None:
            shown[spec.name] = str(spec.default) if spec.type is ParamType.FRACTION else spec.default
            continue
        as_typed = spec.type in (ParamType.FRACTION, ParamType.TEXT, ParamType.LINES)
        try:
            shown[spec.name] = text if as_typed else spec.parse(text)
        except WorkbenchError:
            shown[spec.name] = spec.default
    return shown


def own_epsilon(settings: LaboratorySettings) -> str:
    """The ε that the chosen mechanism is made for, as it was typed, which it had better keep; "" if it has none."""
    return str(shown_parameters(settings).get(EPSILON.name, ""))


def command(settings: LaboratorySettings) -> list[str]:
    """The words of the command that asks the same."""
    words = ["workbench", "audit", settings.mechanism]
    for name, text in settings.typed.items():
        words += ["--param", f"{name}={text}"]
    return words + flags.words(settings)
