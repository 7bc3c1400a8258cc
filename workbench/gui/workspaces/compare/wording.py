"""The words of the Compare workspace."""

from __future__ import annotations

import math

from workbench.evaluate.experiment import Axis, Experiment, Truth
from workbench.evaluate.findings import Findings, Point
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.question import Figure, Metric


def figure_words(figure: Figure) -> str:
    """What is asked."""
    return {
        Figure.MEAN: "Mean",
        Figure.SUM: "Sum",
        Figure.VARIANCE: "Variance",
        Figure.DEVIATION: "Standard deviation",
        Figure.QUANTILE: "Quantile",
        Figure.COUNT: "Count of one value",
        Figure.HISTOGRAM: "Histogram",
    }[figure]


def metric_words(metric: Metric) -> str:
    """How far an answer is from the truth."""
    title = metric.title
    return f"{title[0].upper()}{title[1:]}"


def axis_words(axis: Axis) -> str:
    """What changes along the chart."""
    return {Axis.EPSILON: "ε", Axis.USERS: "Users", Axis.BINS: "Bins"}[axis]


def truth_words(truth: Truth) -> str:
    """Which answer counts as the true one."""
    return {
        Truth.USERS: "of the rows taking part",
        Truth.ALL: "of all rows",
    }[truth]


def approach_words(approach: Approach) -> str:
    """The heading of a group of methods."""
    return {
        Approach.GLOBAL: "Global: a trusted curator answers",
        Approach.ANONYMISED: "Anonymised: a table is released",
        Approach.LOCAL: "Local: everybody adds noise",
        Approach.BASELINE: "To compare with",
    }[approach]


def approach_word(approach: Approach) -> str:
    """An approach in one word."""
    return {
        Approach.GLOBAL: "Global",
        Approach.ANONYMISED: "Anonymised",
        Approach.LOCAL: "Local",
        Approach.BASELINE: "Baseline",
    }[approach]


def experiment_words(experiment: Experiment) -> str:
    """What an experiment is called: its own name, or what it does."""
    if experiment.title:
        return experiment.title
    if not experiment.question.column:
        return "New experiment"
    return f"{experiment.question} against {axis_words(experiment.axis).lower()}"


def options_words(choice: MethodChoice) -> str:
    """The parameters of a method in a short line; "" if it has none."""
    specs = {spec.name: spec for spec in choice.method.params}
    values = choice.checked()
    parts = []
    for name, spec in specs.items():
        if name == "protocol":
            continue
        value = values[name]
        if value == spec.default and name not in ("level", "delta", "beta"):
            continue
        if isinstance(value, bool):
            parts.append(spec.title.lower())
        elif spec.choices:
            parts.append(dict(spec.choices).get(value, str(value)))
        elif value not in ("", None):
            title = spec.title if len(spec.title) == 1 else spec.title.lower()
            parts.append(f"{title} {' '.join(str(value).split())}")
    if choice.epsilon is not None:
        parts.append(f"ε {choice.epsilon:.4g}")
    return ", ".join(parts)


def figure_text(value: float) -> str:
    """An estimate: four significant digits, thousands separated; "–" where there is none."""
    if math.isinf(value):
        return "∞"
    if not math.isfinite(value):
        return "–"
    if value == 0:
        return "0"
    if abs(value) < 1e-4 or abs(value) >= 1e12:
        return f"{value:.3e}"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.4g}"


def place_text(value: float) -> str:
    """A place on the axis."""
    return f"{value:,.10g}"


def point_words(point: Point, findings: Findings) -> str:
    """What hovering over a point says."""
    axis = findings.experiment.axis
    where = {
        Axis.EPSILON: "ε = {place}",
        Axis.USERS: "{place} users",
        Axis.BINS: "{place} bins",
    }[axis].format(place=place_text(point.axis_value))
    unit = f" {findings.unit}" if findings.unit else ""
    lines = [
        point.method,
        f"{where}: off by {figure_text(point.mean)}{unit} on average",
        f"95 % of {point.repetitions:,} repetitions between {figure_text(point.low)} and {figure_text(point.high)}",
    ]
    if math.isfinite(point.theory):
        lines.append(f"By formula {figure_text(point.theory)}")
    if point.unanswered:
        lines.append(f"{point.unanswered:,} without an answer")
    return "\n".join(lines)


def duration_words(seconds: float) -> str:
    """About how long something takes."""
    if seconds < 1:
        return "less than a second"
    if seconds < 90:
        return "about {n} s".format(n=f"{float(f'{seconds:.1g}') if seconds < 10 else round(seconds, -1):.0f}")
    if seconds < 5400:
        return f"about {seconds / 60:.0f} min"
    return f"about {seconds / 3600:.1f} h"
