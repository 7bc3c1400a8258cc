"""Sides of a figure that are experiments: their findings as panels."""

from __future__ import annotations

import math
from collections.abc import Sequence

from workbench.evaluate.experiment import Axis, Experiment
from workbench.evaluate.experiment_run import run
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import Approach
from workbench.evaluate.method_histograms import bars
from workbench.evaluate.published.entry import FigureInput, FigureSide, Tell
from workbench.evaluate.published.panel import PanelCurve, PublishedPanel
from workbench.evaluate.question import Distance, Metric

FORMULA = "by formula"


def experiments(given: FigureInput, chosen: Sequence[tuple[str, Experiment]], tell: Tell) -> FigureSide:
    """Run one experiment after the other, each a panel."""
    done: tuple[PublishedPanel, ...] = ()
    for number, (title, experiment) in enumerate(chosen):
        before = done

        def told(findings: Findings, title: str = title, before: tuple[PublishedPanel, ...] = before) -> None:
            tell((*before, panel_of(findings, title, unit_of(given))))

        step = given.progress.part(number / len(chosen), (number + 1) / len(chosen))
        found = run(
            experiment,
            given.material,
            partial=told,
            gate=given.running.gate,
            workers=given.running.workers,
            progress=step,
        )
        done = (*done, panel_of(found, title, unit_of(given)))
        tell(done)
    return FigureSide(done)


_UNITS = {"age": "years", "annual salary": "$"}
"""Of columns of samples."""


def unit_of(given: FigureInput) -> str:
    """The unit of a column: of one's own that it is read or described with; "" where it is not known."""
    if not given.own:
        return _UNITS.get(given.column, "")
    spec = given.material.schema[given.column]
    return spec.unit or spec.format.symbol


OF_NO_NAME = "units of the column"
"""The unit of moved shares where the column has none."""


def heading_of(metric: Metric, unit: str = "") -> str:
    """Name of an error on an axis."""
    plain = metric.heading.removesuffix(" (normalised)")
    if metric.normalised and metric.distance is Distance.KANTOROVICH:  # shares are moved along the values
        return f"{plain}, {unit or OF_NO_NAME}"
    return f"{plain}, of shares" if metric.normalised else metric.heading


def panel_of(findings: Findings, title: str, unit: str = "") -> PublishedPanel:
    """The curves of findings, and a formula beside each that has one."""
    experiment, curves = findings.experiment, []
    for series in findings.series:
        points = series.drawn
        spread = tuple(
            0.0 if math.isnan(one.error_of_mean) else one.error_of_mean * math.sqrt(one.repetitions) for one in points
        )
        places = tuple(one.axis_value for one in points)
        means = tuple(one.mean for one in points)
        curves.append(PanelCurve(series.name, series.approach, places, means, spread, experiment.repetitions))
        known = [one for one in points if math.isfinite(one.theory)]
        if known and series.approach is Approach.GLOBAL:
            formula = tuple(one.theory for one in known)
            where = tuple(one.axis_value for one in known)
            curves.append(PanelCurve(f"{series.name}, {FORMULA}", series.approach, where, formula, formula=True))
    local = any(one.approach is Approach.LOCAL for one in curves)
    across = {Axis.EPSILON: "ε", Axis.USERS: "People" if local else "Rows", Axis.BINS: "Bins"}[experiment.axis]
    heading = heading_of(experiment.metric, unit)
    if not experiment.metric.normalised and findings.unit and findings.unit != "%":
        heading = f"{heading}, {findings.unit}"
    return PublishedPanel(title, across, heading, tuple(curves), made=findings)


def bars_of(given: FigureInput, experiment: Experiment, title: str) -> PublishedPanel:
    """The true histogram beside what methods make of it at the first place."""
    made = bars(experiment, given.material, given.progress.silent)
    places = tuple(map(float, range(len(made.labels))))
    curves = [PanelCurve("True", Approach.BASELINE, places, tuple(made.truth.tolist()))]
    curves += [PanelCurve(bar.name, bar.approach, places, tuple(bar.mean.tolist())) for bar in made.bars]
    return PublishedPanel(title, made.question.column, "Rows", tuple(curves), labels=tuple(made.labels), made=made)
