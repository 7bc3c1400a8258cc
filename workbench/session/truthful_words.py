"""Randomised response in the laboratory: how often the truth is told in all, and what a survey by it estimates."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from workbench.core.amount_text import float_amount
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import chance_percent, rounded_up
from workbench.ldp.encoding import EncodingChoice, EncodingKind
from workbench.ldp.plan import Shape
from workbench.ldp.protocol import LARGEST_EPSILON, SMALLEST_EPSILON
from workbench.project.auditable import LOCAL
from workbench.project.collect_settings import CollectSettings
from workbench.project.laboratory import LaboratorySettings
from workbench.session.audit import Examination
from workbench.session.audit_words import number, with_decimals
from workbench.session.collection.words import epsilon_read
from workbench.session.session import Session

_SURVEY, _BY_ITSELF = "survey", "warner"
_RESPONSES = (_SURVEY, "grr", "rr", f"{LOCAL}rr", f"{LOCAL}grr")
_PEOPLE = 1_000
"""How many people a standard error is said of."""
_LISTED, _PAIR = 12, 2


@dataclass(frozen=True)
class TwoAnswers:
    """The chances that a report says the first of two answers, of whoever has it and of whoever has the other one."""

    p: Fraction | float
    q: Fraction | float
    share: Fraction = Fraction(1, 2)
    """The true share of the first answer that errors are said of; above 0 and below 1."""

    @property
    def gap(self) -> Fraction | float:
        """By how much these differ; 0 where a report says nothing."""
        return self.p - self.q

    @property
    def effect(self) -> Fraction | float:
        """The design effect of the share.

        Notes
        -----
        Of a share s reports say the first answer with chance λ = s p + (1 − s) q, so that the estimate
        (y − q) ÷ (p − q) of n people has the variance λ(1 − λ) ÷ (n (p − q)²), and asked directly s(1 − s) ÷ n. With
        p = 1 − q and s = ½ their ratio is 1 ÷ (2p − 1)².
        """
        told = self.share * self.p + (1 - self.share) * self.q
        return told * (1 - told) / (self.gap**2 * self.share * (1 - self.share))

    def error(self, people: int) -> float:
        """The standard error of the share that is estimated from so many reports."""
        return math.sqrt(float(self.effect * self.share * (1 - self.share)) / people)


def is_response(found: Examination) -> bool:
    """Whether it is randomised response by itself: nothing in front of it, behind it or beside it."""
    asked = found.settings
    changed = asked.sample.strip() or asked.then.strip() or asked.repeat > 1 or asked.beside > 1
    same = found.channel.inputs == found.channel.outputs
    return asked.mechanism in _RESPONSES and same and not changed


def may_tell_truth(asked: LaboratorySettings) -> bool:
    """Whether the mechanism is one of which `truth_words` may say something, with other settings."""
    return asked.mechanism in _RESPONSES


def truth_words(found: Examination) -> str:
    """How likely a true answer is in all, which is more than a first coin says; "" of any other mechanism."""
    if not is_response(found):
        return ""
    chances = [_chance(found, place, place) for place in range(len(found.channel.inputs))]
    if all(one == chances[0] for one in chances):
        return f"In all, a true answer has probability {with_decimals(chances[0])}."
    each = (f"{number(one)} if it is {name}" for one, name in zip(chances[:2], found.channel.inputs, strict=False))
    return f"In all, a true answer has probability {', '.join(each)}." if len(chances) == 2 else ""


def may_type_truth(asked: LaboratorySettings) -> bool:
    """Whether there may be such a probability to be typed, with other settings of two coins."""
    return asked.mechanism == _SURVEY and asked.typed.get("variant") != _BY_ITSELF


def typed_truth(found: Examination) -> LaboratorySettings | None:
    """The same yes or no by the probability of a true answer itself, in place of two coins.

    None where it is not the same for both answers, or typed already.
    """
    asked = found.settings
    if not may_type_truth(asked) or not is_response(found):
        return None
    yes, no = (_chance(found, place, place) for place in range(2))
    alike = isinstance(yes, Fraction) and yes == no
    return asked.with_parameter("variant", _BY_ITSELF).with_parameter("p", str(yes)) if alike else None


def two_answers(found: Examination) -> TwoAnswers | None:
    """The chances of two answers; None where there are more of them, or a report says nothing."""
    if not is_response(found) or len(found.channel.inputs) != 2:
        return None
    share = found.utility.prior[0]
    # Of a share of nothing or of all there is nothing to compare with: asked directly its error is 0.
    answers = TwoAnswers(_chance(found, 0, 0), _chance(found, 1, 0), share if 0 < share < 1 else Fraction(1, 2))
    return answers if answers.gap > 0 else None


def estimator_words(found: Examination) -> str:
    """The unbiased estimate of a share by randomised response, and its standard error; "" where there is none."""
    answers = two_answers(found)
    if answers is None:
        return ""
    name, effect = found.channel.inputs[0], float(answers.effect)
    less, gap = number(answers.q), number(answers.gap)
    of = f" ÷ {gap}" if answers.gap != 1 else ""
    # With p = 1 − q the design effect of one half is the well-known one; that of other shares is larger.
    half = answers.share == Fraction(1, 2)
    known = f" 1 ÷ (2p − 1)² with p = {number(answers.p)}" if half and math.isclose(answers.p + answers.q, 1) else ""
    points, at = rounded_up(100 * answers.error(_PEOPLE)), "one half" if half else _not_certain(answers.share)
    # Where nothing or all was believed, one half stands for it, which nobody believed.
    believed = " (as believed before)" if found.utility.prior[0] == answers.share else ""
    alike = math.floor(_PEOPLE / effect)
    return (
        f"Unbiased estimate of the share of “{name}”: (y − {less}){of}, where y is the share of reports that say it. "
        f"Of a share of {at}{believed} its standard error is "
        f"{_root(answers.effect * answers.share * (1 - answers.share))} ÷ √n: {points} points with {_PEOPLE:,} people. "
        f"Design effect of that share{known}: {with_decimals(answers.effect)}, as exact as asking "
        f"{f'{alike:,}' if alike else 'fewer than 1'} of {_PEOPLE:,} directly."
    )


def can_be_planned(found: Examination) -> bool:
    """Whether Collect can plan a survey with this ε."""
    return is_response(found) and SMALLEST_EPSILON <= planned_epsilon(found) <= LARGEST_EPSILON


def planned_epsilon(found: Examination) -> float:
    """ε as a decimal number that is not below it, as a field shows it."""
    ratio = None if found.exact is None else found.exact.ratio
    if ratio is None or ratio <= 1:
        return found.epsilon
    return float_amount(f"ln({ratio})")


def planned_words(found: Examination) -> str:
    """What Collect plans at this ε where that may not be this mechanism; "" where it is."""
    inputs = found.channel.inputs
    if len(inputs) != _PAIR:
        return "By the protocol that errs least at this ε, perhaps another one."
    if _chance(found, 0, 0) == _chance(found, 1, 1):
        return ""
    return "With other coins than these: in Collect both answers are treated alike."


def plan_survey(session: Session, found: Examination) -> str:
    """Have Collect plan a survey with this ε, and with the answers of the mechanism where it knows none yet.

    A yes-or-no question is taken over as well in the place of one of more answers: its ε is that of two. Of more
    answers, what is asked there stays.

    Returns
    -------
    str
        What was planned, and what that took the place of, in a sentence.
    """
    settings, inputs, replaced = session.project.collect, found.channel.inputs, ""
    changes: dict[str, object] = {"epsilon": planned_epsilon(found)}
    if settings.encoding == CollectSettings().encoding and not settings.column and len(inputs) <= _LISTED:
        if not session.collection.without_table:
            session.collection.ask_nobody()
        changes["encoding"] = EncodingChoice(domain=inputs)
    elif len(inputs) == _PAIR and (asked := _asked(session)) != _PAIR:
        before = f"about “{settings.column}”" if settings.column else f"of {asked:,} answers" if asked else "there"
        replaced = f", in place of the question {before}"
        if session.collection.answerable:
            session.collection.ask_nobody()
        changes |= {"encoding": EncodingChoice(how=EncodingKind.CATEGORIES, domain=inputs), "guess": ()}
        if settings.shape is Shape.OWN:
            changes["shape"] = Shape.AUTO  # the shares were those of the other answers
    session.collection.change(**changes)
    return f"Planned at ε = {epsilon_read(planned_epsilon(found))}{replaced}."


def _root(square: Fraction | float) -> str:
    """The root of a variance: as such of a whole number, else rounded up."""
    root = math.sqrt(square)
    return rounded_up(root) if square != int(square) or root == int(root) else f"√{int(square)}"


def _not_certain(share: Fraction | float) -> str:
    """A share below 1 in percent, not rounded to 100 %."""
    return chance_percent(min(float(share), math.nextafter(1.0, 0.0)))


def _asked(session: Session) -> int:
    """How many answers the question in Collect has; 0 where that is not said, or a mean is asked for."""
    try:
        return 0 if session.collection.asks_mean else session.collection.domain().size
    except WorkbenchError:
        return 0


def _chance(found: Examination, row: int, column: int) -> Fraction | float:
    exact = found.channel.exact
    return exact[row][column] if exact is not None else float(found.channel.floats[row, column])
