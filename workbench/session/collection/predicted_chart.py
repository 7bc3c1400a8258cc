"""Predicted errors as a chart."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.plan import Shape
from workbench.ldp.predicted_curves import PredictedCurves
from workbench.ldp.share_margin import MARGIN, left_open
from workbench.plots.error_curves import ErrorCurves, ProtocolCurve
from workbench.session.collection.listed_once import OtherNames, called
from workbench.session.collection.margin_decision import curator_margin, up_to
from workbench.session.collection.results import OF_ALL, OF_ASKED
from workbench.session.collection.two_answers import in_general, other_names
from workbench.session.collection.words import CURATOR, look_of, protocol_words, scale_of, with_own_epsilon

_WHOLE = 100.0
"""Points of a share."""
_BRIEFLY = {Shape.WORSE: "the worst of three shapes"}
"""The assumption, where it must fit above a chart in a narrow window."""


def predicted_chart(
    curves: PredictedCurves,
    metric: str,
    best: ProtocolChoice | None = None,
    target: float | None = None,
    guessed: Shape | None = None,
) -> ErrorCurves:
    """The curves of one metric, with both baselines; the best protocol's stands out, and a line is at the target.

    Protocols that are one and the same mechanism at every place have one curve, which has their names.
    Of margins there are no baselines: a guess has none, and that of a curator is not one of the reports.

    Parameters
    ----------
    guessed
        Of which of several assumed shapes the line of a guess is, as a card beside the chart says it; of the one of
        which a guess is worst if not given.
    """
    scale, others = scale_of(metric), _names_everywhere(curves)
    found = []
    for place, choice in enumerate(curves.choices):
        if others.told(choice):
            continue
        same = others.of(choice)
        name = with_own_epsilon(_words(curves, choice, metric), choice, _epsilon(curves, place))
        found.append(
            ProtocolCurve(
                called(name, other_names(choice, same, curves.plan)),
                curves.places,
                _within(scale.factor * curves.errors(place, metric), metric),
                taken=best is not None and best in (choice, *same),
                look=look_of(choice),
                short=name,
            )
        )
    now = curves.plan.epsilon if curves.against == "epsilon" else float(curves.plan.users)
    against = OF_ALL if curves.plan.sampling else OF_ASKED
    if metric == MARGIN:
        found.append(ProtocolCurve(CURATOR, curves.places, _margins_of_curator(curves), role="curator"))
        known = tuple(one for one in found if np.isfinite(one.errors).any())
        note = f"for shares {up_to(curves.plan)}" if curves.plan.largest < 1.0 else "for any shares"
        return ErrorCurves(known, scale.of(against), curves.against, now, note, target)
    curator = scale.factor * np.array([one.curator[metric] for one in curves.references])
    cases = [one.uniform_cases for one in curves.references]
    told = guessed if len(curves.plan.cases) > 1 and all(guessed in case for case in cases) else None
    guesses = [one.uniform[metric] if told is None else one.uniform_cases[told][metric] for one in curves.references]
    guess = "A uniform guess" if told is None else f"A uniform guess, {curves.plan.shares_of(told)}"
    found.append(ProtocolCurve(CURATOR, curves.places, curator, role="curator"))
    found.append(ProtocolCurve(guess, curves.places, scale.factor * np.array(guesses), role="uniform"))
    note = _BRIEFLY.get(curves.plan.assumed, curves.plan.assumption)
    note += _guess(curves, metric) if told is None else ""
    return ErrorCurves(tuple(found), scale.of(against), curves.against, now, note, target)


def _margins_of_curator(curves: PredictedCurves) -> NDArray[np.float64]:
    """The margin of each share by a trusted curator at each place, in points."""
    plan, against = curves.plan, curves.against
    here = (
        replace(plan, epsilon=place) if against == "epsilon" else replace(plan, users=max(1, round(place)))
        for place in curves.places.tolist()
    )
    return _within(scale_of(MARGIN).factor * np.array([curator_margin(one) for one in here]), MARGIN)


def _guess(curves: PredictedCurves, metric: str) -> str:
    """Of which shares the line of the guess is where several are assumed: of others it is nearer."""
    cases = [one.uniform_cases for one in curves.references]
    worst = {max(case, key=lambda shape: case[shape][metric]) for case in cases if len(case) > 1}
    return f" (a guess: {curves.plan.heading(worst.pop())})" if len(worst) == 1 else ""


def _words(curves: PredictedCurves, choice: ProtocolChoice, metric: str) -> str:
    """The protocol; where what it leaves open is another number at each place, that it is."""
    name = left_open(choice) if metric == MARGIN and curves.tuned else ""
    return f"{protocol_words(choice)} (best {name})" if name else in_general(choice, curves.plan)


def _names_everywhere(curves: PredictedCurves) -> OtherNames:
    """Protocols that are one of the others by another name at every place that is drawn."""
    return OtherNames.everywhere(list(zip(*curves.predictions, strict=True)))


def _epsilon(curves: PredictedCurves, position: int) -> float:
    return next((one.epsilon for one in curves.predictions[position] if not one.problem), float("nan"))


def _within(errors: NDArray[np.float64], metric: str) -> NDArray[np.float64]:
    """Errors as they are drawn: a margin of more than the whole tells nothing, and is left out rather than cut."""
    return np.where(errors > _WHOLE, math.nan, errors) if metric == MARGIN else errors
