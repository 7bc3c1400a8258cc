"""The verdict whether a survey beats a guess: of which shares, beside what a trusted curator would misplace."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from workbench.core.number_text import estimate, percent, rounded
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.plan import CollectionPlan
from workbench.ldp.prediction import Prediction, ReferenceErrors, Shape, curator_noise
from workbench.session.collection.answered import Answered
from workbench.session.collection.decision import with_sampling
from workbench.session.collection.easier import MOST_WORDS
from workbench.session.collection.expected_margins import smallest_words
from workbench.session.collection.results import Planned
from workbench.session.collection.two_answers import named
from workbench.session.collection.words import HIDES_ANSWER, ErrorScale, scale_of

WORTHWHILE = 2.0
"""So many times nearer to the truth than a guess an estimate should be."""
DEPENDS = "If shares differ enough"
"""The answer where a guess is right of some of the shapes that are assumed, and far off of the others."""
_A_GUESS = "guessing all shares equal"
_CURATOR = "A trusted curator adds noise to each count, and makes the counts consistent, as Global in Compare does."
_HIDES = f"Its ε hides whether a row is there; {HIDES_ANSWER}."
_PLAIN = "Or plain ones are divided by the number of people, where that misplaces fewer: that is known by formula."
_DRAWN = "Sampling error is in it here, and apart from the error there."


def judged_shapes(one: Prediction, reference: ReferenceErrors, metric: str) -> list[Shape]:
    """The assumed distributions on which a protocol can beat a uniform guess: not equal shares, of which it is right.

    Where some people are drawn, or shares do not divide them, a guess is off by a little there too; that says nothing.
    """
    guesses = reference.uniform_cases
    return [shape for shape in one.cases if shape is not Shape.UNIFORM and guesses[shape][metric] > 0]


def shape_of_guess(planned: Planned, metric: str) -> Shape | None:
    """Of which assumed shape the guess is that `beats_guessing` tells of; None where there is none."""
    if not planned.best or metric not in planned.reference.uniform:
        return None
    first, reference = planned.best[0], planned.reference
    judged = judged_shapes(first, reference, metric)
    return least_gained(first, judged, reference, metric) if judged else None


def least_gained(one: Prediction, judged: Sequence[Shape], reference: ReferenceErrors, metric: str) -> Shape:
    """The shape on which a protocol gains least on a uniform guess."""
    return max(judged, key=lambda shape: one.cases[shape][metric] / reference.uniform_cases[shape][metric])


def beats_guessing(planned: Planned, metric: str) -> Answered:
    """The verdict of `beside_guessing`, and of shares that were typed the margin of the smallest one."""
    said = beside_guessing(planned, metric)
    return with_smallest(said, planned.plan, planned.best[0].choice) if planned.best else said


def with_smallest(said: Answered, plan: CollectionPlan, choice: ProtocolChoice) -> Answered:
    """The same with the margin of the smallest share by a protocol, on the card where that has room."""
    if not (smallest := smallest_words(plan, choice)):
        return said
    detail = f"{said.detail} {smallest}"
    if detail.count(". ") <= 1 and len(detail.split()) <= MOST_WORDS:
        return replace(said, detail=detail)
    return replace(said, rest=f"{smallest} {said.rest}".strip())


def beside_guessing(planned: Planned, metric: str) -> Answered:
    """Whether asking is worth it at all: of which of the assumed shapes, by how much, of the same people for both.

    The figures beside each other are those of the one shape that is named: of those on which asking can gain, the one
    where it gains least. Of equal shares a guess is right, and of nearly equal ones it is nearer than a survey. So
    where those are assumed as well, the answer is how far off a guess must be; a plain yes is of a declared shape.
    """
    if not planned.best:
        return Answered("–", "")
    scale, first, reference = scale_of(metric), planned.best[0], planned.reference
    judged = judged_shapes(first, reference, metric)
    if not judged:
        mine = f"{named(first.choice, planned.plan)}: {scale.text(first.error(metric))}."
        return Answered("A guess is exact", f"Of equal shares a uniform guess is right, and nothing beats it. {mine}")
    shape = least_gained(first, judged, reference, metric)
    wrong, guess, times = *_both(planned, shape, metric), _gain(planned, shape, metric)
    several = len(first.cases) > 1
    good = not planned.guessed and times >= WORTHWHILE
    where = f", {planned.plan.shares_of(shape)}" if several else ""
    both = _beside(f"{named(first.choice, planned.plan)}{where}", wrong, guess, scale)
    beside = f"{both} {_curator_words(planned, shape, metric)}"
    means = f"{_CURATOR} {_HIDES} {_DRAWN if planned.plan.sampling else _PLAIN}"
    measure = f"{scale.text(wrong)} instead of {scale.text(guess)}{' misplaced' if metric == 'l1' else ''}"
    of_one = f"Beside {_A_GUESS}, for {planned.plan.shares_of(shape)}." if several else f"Beside {_A_GUESS}."
    found = partial(Answered, means=means, measure=measure)
    if planned.guessed:
        shapes = " or ".join(planned.plan.heading(one) for one in planned.guessed)
        figure = "No" if set(judged) <= set(planned.guessed) else f"Not if {shapes}"
        return found(figure, f"Too few people, or too small an ε. {of_one}", "error", rest=beside)
    if not good:
        return found(f"Hardly: {closer(times)}", of_one, "warning", rest=beside)
    if Shape.UNIFORM in first.cases:
        enough = scale.text(first.error(metric))
        when = f"Yes where a uniform guess is off by over {enough}; no for nearly equal shares."
        return found(DEPENDS, f"{of_one} If they are nearly equal, the guess is closer.", rest=f"{when} {beside}")
    return found(f"Yes, {closer(times)}" if math.isfinite(times) else "Yes", of_one, rest=beside)


def _both(planned: Planned, shape: Shape, metric: str) -> tuple[float, float]:
    """The error of the protocol to take, and that of a uniform guess, on one shape."""
    return planned.best[0].cases[shape][metric], planned.reference.uniform_cases[shape][metric]


def _gain(planned: Planned, shape: Shape, metric: str) -> float:
    """How many times closer the protocol is there."""
    wrong, guess = _both(planned, shape, metric)
    return rounded(guess / wrong, 2) if wrong > 0 else math.inf


def _beside(name: str, wrong: float, guess: float, scale: ErrorScale) -> str:
    return f"{name}: {scale.text(wrong)}. Asking nobody, a uniform guess: {scale.text(guess)}."


def _curator_words(planned: Planned, shape: Shape, metric: str) -> str:
    """How far a trusted curator errs of one shape, and what sampling misplaces of the same one."""
    error = planned.reference.curator_cases[shape][metric]
    plain = ", plain counts" if metric == "l1" and error == curator_noise(planned.plan) else ""
    words, drawn = f"A trusted curator{plain}: {scale_of(metric).text(error)}", planned.drawn_on(shape) / 2
    if metric == "l1" and planned.plan.sampling:
        of = f" for {planned.plan.shares_of(shape)}" if len(planned.plan.cases) > 1 else ""
        words += f" (sampling alone{of}: {scale_of(metric).text(2 * drawn)})"
    elif metric == "l1" and drawn > error / 2:
        words += f", about {percent(with_sampling(error / 2, drawn), 2)} with sampling"
    return f"{words}; {HIDES_ANSWER}."


def closer(times: float) -> str:
    """How many times closer to the truth than a guess."""
    return f"{estimate(times, 2)} times closer"
