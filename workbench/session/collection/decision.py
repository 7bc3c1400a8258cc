"""The decision after a prediction: the protocol to take, whether it beats guessing, how many people are enough."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from workbench.core.chance import chance_of
from workbench.core.number_text import count, counted, exact, margin_up, percent, rounded_up
from workbench.core.rough_counts import ROUGHLY_FROM
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.mean_prediction import MeanPrediction
from workbench.ldp.participation import NO_PART, NO_ROOM, further_of, planned_randomiser
from workbench.ldp.plan import CollectionPlan
from workbench.ldp.prediction import Prediction, Shape, sampling_alone
from workbench.ldp.share_margin import MARGIN, margin_together, share_margin
from workbench.session.collection.answered import Answered
from workbench.session.collection.expected_margins import expected_share, margin_of_expected, share_beside
from workbench.session.collection.needed import Needed, reached, reporting
from workbench.session.collection.results import Asked, Planned
from workbench.session.collection.smoothing import smoother
from workbench.session.collection.two_answers import named, named_with_source, other_names, titled
from workbench.session.collection.words import (
    DIGITS,
    epsilon_given,
    mean_margin_words,
    points_up,
    scale_of,
    suffices,
    upwards,
)

_HARDLY = math.log(1000)
"""From here on whoever sees the reports may become almost certain."""

_MUCH = math.log(10)
_WRONG = "counted at a wrong answer"
MISPLACED = (
    f"Misplaced: {_WRONG}. It is half of what the shares of all answers differ by, which is called the total variation "
    "distance."
)
_WHOLE = (
    "Reports are whole, so that where few decide a margin is up to half a report wider than 1.96 standard deviations."
)
BESIDE = f"“{NO_PART}” is an answer, too."
"""Why it takes more than a survey without a table."""
_AVERAGE = "That is an error on average, not a margin of each share."
WITH_SAMPLING = "Sampling error is in it."
TOGETHER = "All {number:,} at once ± {together}"
"""Of all shares at once, where each by itself has the margin that is to be reached."""
_MOST_NAMED = 2
ALIKE = " (as of {:,} people whose reports are each alike)"
"""The people that a sampling error is told of, where they report several times: on the safe side."""
_ONE = {"people": "person", "reports": "report"}


def crowd(asked: Asked) -> str:
    """Who is asked and how often; roughly, where the number is that of a table nobody looked at."""
    if asked.reports_per_person == 1:
        return f"{_so_many(asked.people, 'people', asked)}, one report each"
    if not asked.known:
        return f"{_so_many(asked.reports, 'reports', asked)}, up to {asked.reports_per_person:,} of one person"
    return f"{_so_many(asked.people, 'people', asked)}, {asked.reports_per_person:,} reports each at most"


def _so_many(number: int, nouns: str, asked: Asked) -> str:
    if asked.rough:
        return f"{'At most about' if number <= ROUGHLY_FROM else 'About'} {number:,} {nouns}"
    return f"{number:,} {_ONE[nouns] if number == 1 else nouns}"


def gives_away(epsilon: Fraction) -> Answered:
    """The ε that a person gives away by all of their reports, in words."""
    words = f"A person gives away ε = {epsilon_given(epsilon)}"
    if epsilon >= _HARDLY:
        return Answered(f"{words}: hardly a promise at all", "", "error")
    return Answered(words, "", "warning" if epsilon > _MUCH else "")


def about_whom(sampling: bool, *, proposed: bool) -> str:
    """Whose figures the errors are about, and why sampling error counts where nobody chose that."""
    if proposed:
        return "On: those asked are a sample."
    return "Errors are about all people sampled from." if sampling else "Errors are about those asked alone."


def to_take(planned: Planned, metric: str) -> Answered:
    """The protocol, and how wrong its estimate is expected to be: in per cent and in people, and of whom."""
    if not planned.best:
        return Answered("No protocol", "None keeps this ε with these answers.", "error")
    first, plan = planned.best[0], planned.plan
    # Beside the error stands what sampling alone misplaces of the same shares: of others it may be more.
    worst = max(first.cases, key=lambda shape: first.cases[shape]["l1"])
    share, drawn = min(upwards(first.l1 / 2, DIGITS), 1.0), planned.drawn_on(worst) / 2
    of_shape = plan.assumption if len(first.cases) < 2 else f"for {plan.shares_of(worst)}, the worst shape tried"
    people = min(upwards(first.l1 / 2 * plan.users, DIGITS), float(plan.users))
    misplaced = f"{count(math.ceil(people))} {reporting(planned)}"
    alike = ALIKE.format(plan.people) if plan.of_one_person > 1 else ""
    mostly_drawn = not plan.sampling and drawn > share
    measure, behind = percent(share), ""
    if plan.sampling:
        words = f"Of all people, {of_shape}."
        of = f" for {plan.shares_of(worst)}" if len(first.cases) > 1 else ""
        behind = f"Sampling alone{of}: {percent(drawn, 2)}{alike}."
    elif mostly_drawn:
        # What asks only some of the people errs by mostly that, which no protocol mends.
        measure = f"About {percent(with_sampling(share, drawn), 2)}"
        words = f"Of all people, {of_shape}, most of it by sampling: {percent(share)} of those asked."
        behind = f"That is {misplaced} of those asked. Sampling: of {plan.users:,} {reporting(planned)}{alike}."
    else:
        words = f"Of those asked ({misplaced}), {of_shape}."
        behind = f"It is about {percent(with_sampling(share, drawn), 2)} of all people, with sampling{alike}."
    smooth = if_smooth(planned, metric)
    other = other_goal(planned, margins=False)
    # Sets that are the same as the first protocol are told from larger ones that another goal takes.
    as_good = "" if smooth else _as_good(planned.best, plan, sized=bool(other))
    wide, margin = _margin_of(planned, first), ""
    if wide < 1.0 and not mostly_drawn:  # only where both are of the same people
        margin = f", {share_beside(plan, worst, first.choice, wide)} with 95 %"
    detail = (words, smooth or (BESIDE if further_of(plan, first.choice) else ""))
    apart = taking_part(plan, first.choice)
    rest = (behind, apart, moved_by_chance(first), each_share(planned, first), as_good, other)
    return Answered(
        named_with_source(first.choice, plan),
        " ".join(filter(None, detail)),
        means=f"{MISPLACED} {_WHOLE}",
        measure=f"{measure} misplaced{margin}",
        rest=" ".join(filter(None, rest)),
    )


def _margin_of(planned: Planned, one: Prediction) -> float:
    return next((wide for known, wide in planned.by_margin if known is one), math.nan)


def each_share(planned: Planned, one: Prediction) -> str:
    """The margin of each share by a protocol, in points and in people; "" where none is known that says something."""
    margin = _margin_of(planned, one)
    if not margin < 1.0:
        return ""
    share, which = expected_share(planned.plan)
    here = margin_of_expected(planned.plan, one.choice)
    if points_up(here) == points_up(margin):
        return f"Each unbiased share {margin_in_people(planned, margin)} with 95 %."
    return (
        f"An unbiased share of {percent(share)}, {which}, {margin_in_people(planned, here)} with 95 %; any share "
        f"± {points_up(margin)} at most."
    )


def margin_in_people(planned: Planned, margin: float) -> str:
    """A margin of a share in points, and what it is of those who report; never less."""
    people = count(math.ceil(upwards(margin * planned.plan.users, DIGITS)))
    return f"± {points_up(margin)} points ({people} {reporting(planned)})"


def taking_part(plan: CollectionPlan, choice: ProtocolChoice) -> str:
    """Among how many answers people report, where one more is of those who take no part; or that there is none."""
    if not plan.apart:
        return ""
    if not further_of(plan, choice):
        return NO_ROOM
    whole = plan.domain_size + 1
    return f"Who has no answer reports “{NO_PART}” among {plan.domain_size:,} answers, so {whole:,} are told apart."


def _as_good(best: Sequence[Prediction], plan: CollectionPlan, *, sized: bool) -> str:
    """Which protocols cannot be told from the first; one that is the first under another name, as such."""
    alike = [one for one in best[1:] if one.simpler == best[0].choice.identifier]
    same = other_names(best[0].choice, [one.choice for one in alike], plan, sized=sized)
    others = [titled(one.choice, plan) for one in best[1:] if one not in alike]
    said = f"As good: {', '.join(others[:_MOST_NAMED])}" if others else ""
    if (more := len(others) - _MOST_NAMED) > 0:
        said += f" and {counted(more, 'other')}"
    words = [f"{said}."] if said else []
    words += [f"{' and '.join(same)} {'is' if len(same) == 1 else 'are'} the same here."] if same else []
    return " ".join(words)


def moved_by_chance(one: Prediction) -> str:
    """How far the share of misplaced people may be off because it is simulated, in points; "" where it is not."""
    if not one.simulated("l1"):
        return ""
    # Of what is misplaced, half of the error, and in points of the share that is said.
    moved = margin_up(50 * chance_of(one.draws) * one.se("l1"), 2)
    return f"{percent(min(upwards(one.l1 / 2, DIGITS), 1.0))} is simulated, give or take {moved} points."


def with_sampling(share: float, drawn: float) -> float:
    """About how much both errors come to: independent ones add up like the sides of a right triangle."""
    return min(upwards(math.hypot(share, drawn)), 1.0)


def if_smooth(planned: Planned, metric: str) -> str:
    """Which protocol errs less where neighbouring answers are about as frequent; "" if none or if that is declared.

    Of other shares that are declared it is said what it errs of those, and why it is not taken for them.
    """
    better = _smoother(planned, metric)
    if better is None:
        return ""
    one, shape = better
    error = scale_of(metric).text(one.cases[shape][metric])
    if planned.plan.assumed is Shape.WORSE:
        return f"If neighbouring answers are alike: {one.title}, {error}."
    return f"{one.title}: {error}, but several times as much if real shares have more spikes."


def smoother_of(planned: Planned, metric: str) -> Prediction | None:
    """The prediction of that protocol; None if there is none."""
    better = _smoother(planned, metric)
    return None if better is None else better[0]


def _smoother(planned: Planned, metric: str) -> tuple[Prediction, Shape] | None:
    return smoother(planned.plan, planned.predictions, planned.best[0] if planned.best else None, metric)


def other_goal(planned: Planned, *, margins: bool) -> str:
    """Which protocol the other goal takes, and why; "" where it is the same one.

    Parameters
    ----------
    margins
        Whether the goal is a margin of each share; else it is how many are misplaced.
    """
    best, narrow = planned.best[0] if planned.best else None, planned.narrowest
    if best is None or narrow is None:
        return ""
    same = best.choice.identifier == narrow[0].choice.identifier
    if margins:
        # What is set for a margin may misplace no more than that, which left it open; and another error says nothing.
        # That sets of another size are taken for it is said behind it.
        if same or planned.ranked != "l1" or not narrow[0].told_from(best, "l1"):
            return ""
        return f"To misplace the fewest people, take {named(best.choice, planned.plan)}."
    if same:
        mine, other = (planned_randomiser(planned.plan, one.choice).set_drawn for one in (best, narrow[0]))
        if mine is None or mine == other:
            return ""
    # With what is set for it: without, it may be the first one under another name.
    usual = "; “Misplaced” goes by usual shapes" if same else ""
    return f"For the narrowest margin whatever the share, take {named(narrow[0].choice, planned.plan)}{usual}."


def other_for_mean(means: Sequence[MeanPrediction], unit: str = "") -> str:
    """Which protocol to take for a mean alone, how far off that is at most, and why it is another; "" without any."""
    best = next((one for one in means if not one.problem), None)
    if best is None:
        return ""
    return f"For a mean alone, take {best.title}: {mean_margin_words(best, unit)}. People then report a noisy number."


def enough(planned: Planned, people: Needed[int], epsilon: Needed[float], metric: str, target: float) -> Answered:
    """How many people, or which ε, an error of `target` takes, and with which protocol; why, where neither can be said.

    Of people who report several times it is said how many of them that is, each as often as may be.
    What is found is rounded up, so that no more is said to be expected than `target`.
    """
    plan, noun = planned.plan, reporting(planned)
    parts, reasons, given = [], [], list[tuple[str, str]]()
    here = reached(planned, people, epsilon, metric, target)
    if people.amount is not None:
        # A few less than what is rounded up are enough as well, and whoever asks as many is told of no other number.
        number = min(suffices(people.amount), plan.users) if here else suffices(people.amount)
        parts.append(so_often(number, plan.of_one_person))
        given.append((people.named(plan), f"that many at ε {rounded_up(_epsilon_of(people.by, plan))}"))
    else:
        reasons.append(people.problem or f"No number of {noun} suffices.")
    if here:
        parts = [f"Reached with {part}" for part in parts]
    elif epsilon.amount is not None:
        parts.append(f"ε\u00a0{exact(suffices(epsilon.amount))}")
        there = replace(plan, epsilon=epsilon.amount)  # where what is automatic is another number
        given.append((epsilon.named(there), f"that ε with {plan.users:,} {noun}"))
    else:
        reasons.append(epsilon.problem or f"No ε suffices with {plan.users:,} {noun}.")
    beside = any(by is not None and further_of(plan, by) for by in (people.by, epsilon.by))
    by = f"{by_words(given, parts).removesuffix('.')}, {_by_which(plan, metric)}." if parts else ""
    words, rest = [*reasons[:1], by], [BESIDE if beside else ""]
    alone = planned.drawn / 2
    alike = ALIKE.format(plan.people) if plan.of_one_person > 1 else ""
    figure = figure_of(parts, given)
    if metric == "l1" and not plan.sampling and people.amount is not None:
        fewest = replace(plan, users=people.amount)
        of_them = sampling_alone(fewest) / 2
        if target / 2 < of_them:
            rest.append(
                f"That is of those asked: of all, sampling {_people(fewest.people)} misplaces {percent(of_them, 2)}."
            )
    if metric == "l1" and not plan.sampling and epsilon.amount is not None and target / 2 < alone:
        # Of everybody else no ε comes so near, and whoever plans a survey wants to know that.
        rest.append(f"Of those asked: sampling alone misplaces {percent(alone, 2)} with {plan.users:,} {noun}{alike}.")
    if parts and metric == MARGIN and planned.plan.domain_size == 2:
        rest.append("Unbiased.")
    elif parts and metric == MARGIN:
        together = points_up(_together(planned.plan, people, epsilon, target))
        # Post-processed a large share may be off by more: what is found is of the unbiased estimate.
        every = TOGETHER.format(number=plan.domain_size, together=together)
        rest.append(f"Unbiased: {every[0].lower()}{every[1:]}.")
    elif parts:
        rest.append(f"{WITH_SAMPLING} {_AVERAGE}" if plan.sampling else _AVERAGE)
    words, rest = (list(filter(None, one)) for one in (words, rest))
    tone = "" if parts else "error"
    return Answered(figure or "Out of reach", " ".join(words), tone, rest=" ".join(rest))


def _by_which(plan: CollectionPlan, metric: str) -> str:
    """Of which shares it is enough, in a few words."""
    if metric == MARGIN:
        return f"for shares up to {percent(plan.largest)}" if plan.largest < 1.0 else "for any shares"
    return "for the worst of three shapes" if plan.assumed is Shape.WORSE else plan.assumption


def _together(plan: CollectionPlan, people: Needed[int], epsilon: Needed[float], target: float) -> float:
    """Within how much all shares are at once, with as many people or with the ε that were found."""
    found = [margin_together(target, plan.domain_size)]
    if people.amount is not None and people.by is not None:
        found.append(share_margin(replace(plan, users=people.amount), people.by, plan.domain_size))
    if epsilon.amount is not None and epsilon.by is not None:
        found.append(share_margin(replace(plan, epsilon=epsilon.amount), epsilon.by, plan.domain_size))
    return max(found)


def _epsilon_of(choice: ProtocolChoice | None, plan: CollectionPlan) -> float:
    """The ε that a person gives away by it, which may be another than is asked for."""
    if choice is None or not choice.other_epsilon:
        return plan.epsilon
    return planned_randomiser(plan, choice).epsilon


def _people(number: int) -> str:
    return f"{number:,} {'person' if number == 1 else 'people'}"


def so_often(reports: float, of_one_person: int) -> str:
    """So many reports as people, who each send as many as they may."""
    if of_one_person == 1:
        return f"{count(reports)} people"
    return f"{_people(math.ceil(reports / of_one_person))} × {of_one_person:,} reports"


def figure_of(parts: Sequence[str], given: Sequence[tuple[str, str]]) -> str:
    """The amounts as one answer: of two protocols only the first, as `by_words` tells which of them the other is of.

    Parameters
    ----------
    parts, given
        As of `by_words`.
    """
    return " or ".join(parts if _of_one(given) else parts[:1])


def by_words(given: Sequence[tuple[str, str]], parts: Sequence[str]) -> str:
    """Which protocol takes what, with the other number: what both have in common is said once.

    Parameters
    ----------
    given
        Of each amount the protocol, and with which other number, such as “that ε with 1,000 people”.
    parts
        The amounts, in the same order.
    """
    if not given:
        return ""
    if len({title for title, _ in given}) == 1:
        return f"{given[0][0]}: {', or '.join(what for _, what in given)}."
    if _of_one(given):
        names = [title.removesuffix(")").partition(" (") for title, _ in given]
        each = (f"{what} ({setting})" for (_, _, setting), (_, what) in zip(names, given, strict=True))
        return f"{names[0][0]}: {', or '.join(each)}."
    (first, what), (second, other) = given
    return f"{first}: {what}. Or {second}: {other.replace('that ε', parts[1], 1)}."


def _of_one(given: Sequence[tuple[str, str]]) -> bool:
    """Whether all amounts are of one protocol, perhaps with other settings."""
    names = [title.removesuffix(")").partition(" (") for title, _ in given]
    alike = len({name for name, _, _ in names}) <= 1
    return len({title for title, _ in given}) <= 1 or (alike and all(setting for _, _, setting in names))
