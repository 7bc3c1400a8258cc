"""The recommended protocol: the one whose predicted error under the worst of the assumed distributions is least."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import MappingProxyType

from workbench.core.number_text import estimate, exact, rounded_up
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.estimator import ESTIMATORS
from workbench.ldp.participation import planned_randomiser, taking_part_words
from workbench.ldp.plan import CollectionPlan, Shape
from workbench.ldp.prediction import Prediction, ReferenceErrors, sampling_cases
from workbench.ldp.share_margin import MARGIN, margin_or_none, share_margin
from workbench.session.collection.guessing import judged_shapes
from workbench.session.collection.margin_decision import behind_the_margin, expected_words, up_to
from workbench.session.collection.needed import reporting
from workbench.session.collection.results import Planned
from workbench.session.collection.smoothing import kept_promise, smoother
from workbench.session.collection.two_answers import other_names
from workbench.session.collection.words import HIDES_ANSWER, scale_of, share_margin_words

_AS_GOOD = 0.015
"""How much larger, as a part of it, an error is about as good: assumed shapes are worth no more."""

SHAPE_NAMES = {
    Shape.UNIFORM: "equal shares",
    Shape.HUMP: "many smooth humps",
    Shape.FALLING: "falling shares",
    Shape.SPIKY: "many spiky shapes",
    Shape.OWN: "the shares you gave",
}
"""The assumed shapes in words."""


def planned(
    plan: CollectionPlan,
    found: Sequence[Prediction],
    baseline: ReferenceErrors,
    metric: str,
    cautions: tuple[str, ...] = (),
    tuned: Sequence[Prediction] = (),
) -> Planned:
    """The predictions, with what follows from them.

    Parameters
    ----------
    tuned
        Protocols with what they leave open set for a margin; they are looked at for that alone.
    """
    best = tuple(best_of(recommended(plan, found), metric))
    guessed = tuple(no_better_than_guessing(best[0], baseline, metric)) if best else ()
    sentence, drawn = pick(plan, found, baseline, metric), sampling_cases(plan)
    margins = tuple(math.nan if one.problem else margin_or_none(plan, one.choice) for one in found)
    return Planned(
        plan,
        tuple(found),
        baseline,
        sentence,
        cautions,
        best,
        guessed,
        drawn=max(drawn.values()),
        drawn_cases=MappingProxyType(drawn),
        margins=margins,
        tuned=tuple((one, margin_or_none(plan, one.choice)) for one in tuned if not one.problem),
        ranked=metric,
    )


def pick(planned: CollectionPlan, found: Sequence[Prediction], baseline: ReferenceErrors, metric: str) -> str:
    """Which protocol to choose and under which assumption, in a few sentences with numbers."""
    usable = recommended(planned, found)
    asked = f"{planned.users:,} people, {planned.domain_size:,} values and ε = {exact(planned.epsilon)}"
    if not usable:
        return f"No protocol can be recommended for {asked}.{_smoothing(planned, found, None, metric)}"
    first, *others = best_of(usable, metric)
    rest = [one for one in usable if one is not first]
    several = len(planned.cases) > 1
    words = [
        f"For {asked}, {assumed(planned)}, {first.title} is expected to have the smallest "
        f"{_METRIC_NAMES[metric]}{' on the worst of them' if several else ''}: {_figure(planned, first, metric)}"
    ]
    if others:
        words.append(f"; about as good: {', '.join(one.title for one in others)}")
    elif rest:
        words.append(f"; next is {rest[0].title} with {_figure(planned, rest[0], metric)}")
    words.append(f". A uniform guess would have {estimate(baseline.uniform[metric], 3)}, a trusted curator ")
    words.append(f"{estimate(baseline.curator[metric], 3)} ({HIDES_ANSWER}).")
    guessed = no_better_than_guessing(first, baseline, metric)
    judged = len(judged_shapes(first, baseline, metric))
    if not judged:
        words.append(" Of equal shares a uniform guess is right, and nothing beats it.")
    if guessed:
        where = "" if len(guessed) == judged else f"For {' and '.join(shape_name(planned, one) for one in guessed)}, "
        words.append(
            f" {where or 'A'}{'a' if where else ''} uniform guess is expected to do no worse: ask more people, "
        )
        words.append("or allow a larger ε.")
    words.append(_smoothing(planned, found, first, metric))
    return "".join(words)


def brief(found: Planned, metric: str) -> str:
    """The facts that a headline with the protocol, its error and the assumption leaves out, in a few words."""
    plan, best = found.plan, found.best
    asked = f"{plan.users:,} {reporting(found)}, {plan.domain_size:,} values and ε = {rounded_up(plan.epsilon)}"
    if metric == MARGIN:
        narrow = found.narrowest
        if narrow is None:
            return found.sentence
        together = share_margin(replace(plan, largest=1.0), narrow[0].choice, plan.domain_size)
        expected = expected_words(plan, narrow[0].choice, narrow[1])
        reach = (f"of shares {up_to(plan)}",) if plan.largest < 1.0 else ()
        margin = share_margin_words(narrow[1], together, plan.domain_size, expected, *reach)
        further = taking_part_words(plan, narrow[0].choice)
        return " ".join(filter(None, (f"With {asked}: {margin}. {behind_the_margin(found)}", further)))
    if not best:
        return found.sentence
    write = scale_of(metric).text
    words = [f"With {asked}: {_figure(plan, best[0], metric, write)}."]
    if best[1:]:
        others = other_names(best[0].choice, [one.choice for one in best[1:]], plan)
        words.append(f" About as good: {', '.join(others)}.")
    words.append(_smoothing(plan, found.predictions, best[0], metric, write))
    open_ = best[0].choice.protocol.left_open
    if open_ is not None and not best[0].choice.values.get(open_.name, 0):
        if planned_randomiser(plan, best[0].choice).set_drawn is None:
            words.append(f" {open_.name} is automatic, for rare answers: for this error it is not looked for.")
        else:
            words.append(" How many answers a set has is automatic: so many as err least, all answers together.")
    return " ".join(filter(None, ("".join(words), taking_part_words(plan, best[0].choice))))


def shape_name(planned: CollectionPlan, shape: Shape) -> str:
    """A shape in words: of two values by their shares."""
    heading = planned.heading(shape)
    return SHAPE_NAMES[shape] if heading == shape.heading else f"shares of about {heading}"


def assumed(planned: CollectionPlan) -> str:
    """The assumption about the shares of the values, in words."""
    if planned.assumed is Shape.WORSE:
        *some, last = (planned.heading(case.shape) for case in planned.cases)
        return f"whether the shares are {', '.join(some)} or {last}"
    return f"assuming {shape_name(planned, planned.assumed)}"


def recommended(planned: CollectionPlan, found: Sequence[Prediction]) -> list[Prediction]:
    """The predictions of protocols that may be recommended, in their order.

    Not one that takes neighbouring values to be alike, unless that is declared: on other data it errs several times as
    much, and nothing in its estimates shows it.
    """
    return [one for one in kept_promise(planned, found) if planned.smooth or not one.smooths]


def needing_least(planned: Planned, metric: str = "") -> tuple[ProtocolChoice, ...]:
    """Of which protocols that may be recommended it is asked which needs least, those that err least first.

    What iterates is among them only where it cannot be told from the best, because each takes its time. The margin of
    each share is a formula of the reports alone, so that all that keep ε are asked.
    """
    if metric == MARGIN:
        return tuple(one.choice for one in kept_promise(planned.plan, planned.predictions))
    usable = [one for one in recommended(planned.plan, planned.predictions) if one not in planned.best]
    quick = (one for one in usable if not ESTIMATORS[one.estimator].consistent)
    return tuple(one.choice for one in (*planned.best, *quick))


def best_of(usable: Sequence[Prediction], metric: str) -> list[Prediction]:
    """The first of these, which come with rising errors, and all that cannot be told from it or are about as good.

    Of these again first the one whose error hangs least on the shape: one that does not take neighbours to be alike.
    What is a simpler protocol here comes behind that.
    """
    enough = usable[0].error(metric) * (1.0 + _AS_GOOD) if usable else 0.0
    alike = (one for one in usable if one.error(metric) <= enough or not one.told_from(usable[0], metric))
    return sorted(alike, key=lambda one: (one.smooths, bool(one.simpler)))


def no_better_than_guessing(one: Prediction, baseline: ReferenceErrors, metric: str) -> list[Shape]:
    """The assumed distributions under which a uniform guess is expected to do no worse; not those that it meets."""
    judged = judged_shapes(one, baseline, metric)
    return [shape for shape in judged if one.cases[shape][metric] >= baseline.uniform_cases[shape][metric]]


def _plainly(error: float) -> str:
    return estimate(error, 3)


def _smoothing(
    planned: CollectionPlan,
    found: Sequence[Prediction],
    first: Prediction | None,
    metric: str,
    write: Callable[[float], str] = _plainly,
) -> str:
    """The remark on the protocols that smooth: what they would gain, or what they take for granted."""
    if planned.smooth:
        if first is None or not first.smooths:
            return ""
        return f" {first.title} smooths: if the shares are not as smooth as that, it may err several times as much."
    better = smoother(planned, found, first, metric)
    if better is None:
        return ""
    best, smooth = better
    if planned.assumed is Shape.WORSE:
        spiky = best.cases[Shape.SPIKY][metric]
        wrong = f"{write(best.cases[smooth][metric])} if the shares are smooth, but {write(spiky)} if not"
    else:
        wrong = f"{write(best.error(metric))}, but several times as much where there are more spikes"
    return f" {best.title} would have {wrong}: it is recommended only where a smooth shape is declared."


def _figure(plan: CollectionPlan, one: Prediction, metric: str, write: Callable[[float], str] = _plainly) -> str:
    """The expected error, by assumed distribution; how well it was simulated where there is only one."""
    if len(one.cases) < 2:
        return f"{write(one.error(metric))} (simulated, with a standard error of {write(one.se(metric))})"
    each = ", ".join(f"{write(case[metric])} if {plan.heading(shape)}" for shape, case in one.cases.items())
    return f"{write(one.error(metric))} ({each})"


_METRIC_NAMES = {"l1": "L1 error", "l2": "L2 error", "kantorovich": "Kantorovich distance"}
