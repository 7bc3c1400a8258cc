"""Predicted errors as a chart."""

from __future__ import annotations

import numpy as np

from workbench.ldp.predicted_curves import PredictedCurves
from workbench.ldp.simulation import METRIC_TITLES
from workbench.plots.error_curves import ErrorCurves, ProtocolCurve
from workbench.session.collection.words import protocol_words, with_own_epsilon


def predicted_chart(curves: PredictedCurves, metric: str) -> ErrorCurves:
    """The curves of one metric, with both baselines."""
    found = [
        ProtocolCurve(
            with_own_epsilon(protocol_words(choice), choice, _epsilon(curves, place)),
            curves.places,
            curves.errors(place, metric),
        )
        for place, choice in enumerate(curves.choices)
    ]
    curator = np.array([one.curator[metric] for one in curves.references])
    uniform = np.array([one.uniform[metric] for one in curves.references])
    found.append(ProtocolCurve("A trusted curator", curves.places, curator, role="curator"))
    found.append(ProtocolCurve("A uniform guess", curves.places, uniform, role="uniform"))
    now = curves.plan.epsilon if curves.against == "epsilon" else float(curves.plan.users)
    return ErrorCurves(tuple(found), f"Expected {METRIC_TITLES[metric]}", curves.against, now, curves.plan.assumption)


def _epsilon(curves: PredictedCurves, position: int) -> float:
    return next((one.epsilon for one in curves.predictions[position] if not one.problem), float("nan"))
