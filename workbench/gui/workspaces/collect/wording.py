"""The words of the Collect workspace."""

from __future__ import annotations

import math

from PySide6.QtCore import QCoreApplication

from workbench.core.figures import rounded_up
from workbench.core.schema import ColumnSpec, Kind
from workbench.ldp.binning import DateUnit
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import Domain, How
from workbench.ldp.participation import NO_SUM, Attendance, Participation
from workbench.ldp.prediction import Plan, Shape
from workbench.ldp.protocol import Family, LocalProtocol
from workbench.session.collected import Collected

_NAMED = 3
_ACRONYM = 3


def _tr(text: str) -> str:
    return QCoreApplication.translate("Collect", text)


def how_words(how: How) -> str:
    """How values become answers."""
    return {
        How.CATEGORIES: _tr("Values as they are"),
        How.BINS: _tr("Bins of equal width"),
        How.EDGES: _tr("Bins with own edges"),
        How.WHOLE: _tr("Whole numbers"),
        How.DATES: _tr("Dates by calendar unit"),
        How.QUESTION: _tr("A yes-or-no question"),
    }[how]


def ways(spec: ColumnSpec) -> list[How]:
    """The encodings that go with a column, the usual one first."""
    if spec.kind.temporal:
        return [How.BINS, How.DATES, How.CATEGORIES, How.QUESTION]
    if spec.kind is Kind.INTEGER:
        return [How.BINS, How.WHOLE, How.EDGES, How.CATEGORIES, How.QUESTION]
    if spec.kind.numeric:
        return [How.BINS, How.EDGES, How.CATEGORIES, How.QUESTION]
    return [How.CATEGORIES, How.QUESTION]


def participation_words(participation: Participation) -> str:
    """Whether it is to be hidden who takes part."""
    return {
        Participation.AUTO: _tr("is hidden, where the protocol can"),
        Participation.HIDDEN: _tr("is hidden, or nobody reports"),
        Participation.OPEN: _tr("is seen: only they report"),
    }[participation]


def attendance_words(attended: Attendance) -> str:
    """What is hidden about who reports, and what that costs."""
    if attended.none:
        costs = _tr("Estimates are less exact than if only those who take part reported.")
        return f"{attended.promise} {costs}"
    return attended.promise if attended.hidden else f"{attended.promise} {attended.why} {NO_SUM}"


def date_unit_words(unit: DateUnit) -> str:
    """A calendar unit."""
    return {
        DateUnit.DAY: _tr("day"),
        DateUnit.WEEK: _tr("week"),
        DateUnit.MONTH: _tr("month"),
        DateUnit.QUARTER: _tr("quarter"),
        DateUnit.YEAR: _tr("year"),
    }[unit]


def domain_words(domain: Domain) -> str:
    """How many values there are, and which."""
    labels = domain.labels
    shown = ", ".join(labels[:_NAMED])
    if domain.size > _NAMED:
        shown += f", … {labels[-1]}"
    return _tr("{n} possible answers: {shown}").format(n=f"{domain.size:,}", shown=shown)


def metric_words(metric: str) -> str:
    """What an error is called."""
    return {
        "l1": _tr("L1 error"),
        "l2": _tr("L2 error"),
        "kantorovich": _tr("Kantorovich distance"),
        "mean": _tr("Error of the mean"),
    }[metric]


def shape_words(shape: Shape) -> str:
    """What distribution is assumed."""
    return {
        Shape.AUTO: _tr("Smooth or spiky: the worse"),
        Shape.UNIFORM: _tr("All alike"),
        Shape.HUMP: _tr("A smooth hump"),
        Shape.FALLING: _tr("Falling"),
        Shape.SPIKY: _tr("Spiky"),
        Shape.OWN: _tr("Own shares"),
    }[shape]


def assumption_words(plan: Plan) -> str:
    """Which distribution a prediction is for."""
    return {
        Shape.AUTO: _tr("at worst, for smooth or spiky shares"),
        Shape.UNIFORM: _tr("for equal shares"),
        Shape.HUMP: _tr("for a smooth hump"),
        Shape.FALLING: _tr("for falling shares"),
        Shape.SPIKY: _tr("for spiky shares"),
        Shape.OWN: _tr("for your own shares"),
    }[plan.shape]


def case_words(shape: Shape) -> str:
    """One of several assumed distributions, as the heading of a column."""
    return {Shape.HUMP: _tr("smooth"), Shape.SPIKY: _tr("spiky")}.get(shape, shape.value)


def protocol_words(choice: ProtocolChoice) -> str:
    """The protocol with the parameters that were changed."""
    if not choice.values:
        return choice.protocol.title
    values = ", ".join(f"{name} = {figure(value)}" for name, value in choice.values.items())
    return f"{choice.protocol.title} ({values})"


def short_words(choice: ProtocolChoice) -> str:
    """The same for a legend: OUE, DS corrected, Square wave."""
    words = choice.identifier.split("-")
    name = " ".join(word.upper() if len(word) <= _ACRONYM else word for word in words)
    values = ", ".join(f"{key} = {figure(value)}" for key, value in choice.values.items())
    return name[:1].upper() + name[1:] + (f" ({values})" if values else "")


def group_of(protocol: LocalProtocol) -> str:
    """Under which heading a protocol stands: "categorical", "ordinal" or "means"."""
    if protocol.family is Family.MEAN:
        return "means"
    return "ordinal" if protocol.ordinal else "categorical"


def group_words(group: str) -> str:
    """The heading of a group of protocols."""
    return {
        "categorical": _tr("For any values"),
        "ordinal": _tr("For values in an order"),
        "means": _tr("For a mean"),
    }[group]


def why_not(protocol: LocalProtocol, domain: Domain | None, spec: ColumnSpec | None) -> str:
    """Why a protocol does not go with the question, "" if it does."""
    if protocol.family is Family.MEAN:
        return "" if spec is None or spec.kind.numeric else _tr("Only a column of numbers has a mean.")
    if domain is None:
        return ""
    if protocol.ordinal and not domain.ordinal:
        return _tr("Needs values in an order, such as numbers in bins.")
    if protocol.maximum_domain == protocol.minimum_domain != domain.size:
        return _tr("Needs a question with exactly {n} answers.").format(n=protocol.minimum_domain)
    if not protocol.minimum_domain <= domain.size <= protocol.maximum_domain:
        return _tr("Takes {low} to {high} possible answers.").format(
            low=f"{protocol.minimum_domain:,}", high=f"{protocol.maximum_domain:,}"
        )
    return ""


def figure(value: object) -> str:
    """An estimate: four significant digits, thousands separated; a text as it is."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if isinstance(value, int):
        return f"{value:,}"
    if not math.isfinite(value):
        return "–"
    if value and abs(value) < 1e-4:
        return f"{value:.3e}"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.4g}"


def with_error(mean: float, se: float) -> str:
    """A mean with its standard error."""
    return figure(mean) if math.isnan(se) else f"{figure(mean)} ± {se:.2g}"


def short_metric_words(metric: str) -> str:
    """An error as the heading of a column."""
    return {"l1": "L1", "l2": "L2"}.get(metric, metric.capitalize())


def bits_words(bits: float) -> str:
    """The size of a report."""
    return figure(round(bits, 1)) if bits < 1000 else f"{bits:,.0f}"


def collected_words(collected: Collected) -> str:
    """What was written, and what is not promised; what is hidden stands beside the button."""
    announced = collected.announcement
    words = [
        _tr("{n} reports were written to {name}.").format(n=f"{announced.reports:,}", name=collected.path.name),
    ]
    if not collected.claim:
        words += [_tr("No promise:"), *collected.reasons]
    else:
        words += [collected.epsilon.text] if announced.hidden else [collected.epsilon.text, announced.promise]
    words += [one for one in collected.cautions if one not in collected.reasons]
    return " ".join(words)


def with_unit(value: float, unit: str) -> str:
    """An estimate in units of the column."""
    return f"{figure(value)} {unit}".strip()


def with_own_epsilon(name: str, choice: ProtocolChoice, epsilon: float) -> str:
    """The name of a protocol, with its ε if that is not the one asked for: errors at another ε do not compare."""
    own = choice.other_epsilon and math.isfinite(epsilon)
    return _tr("{name}, ε = {epsilon}").format(name=name, epsilon=rounded_up(epsilon)) if own else name
