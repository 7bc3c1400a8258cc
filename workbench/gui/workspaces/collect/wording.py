"""The words of the Collect workspace."""

from __future__ import annotations

import math

from workbench.core.number_text import rounded_up
from workbench.core.schema import ColumnSpec, Kind
from workbench.ldp.binning import DateUnit
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import Domain, How
from workbench.ldp.participation import NO_SUM, Attendance, Participation
from workbench.ldp.prediction import Plan, Shape
from workbench.ldp.protocol import Family, LocalProtocol
from workbench.session.collection.results import Collected

_NAMED = 3
_ACRONYM = 3


def how_words(how: How) -> str:
    """How values become answers."""
    return {
        How.CATEGORIES: "Values as they are",
        How.BINS: "Bins of equal width",
        How.EDGES: "Bins with own edges",
        How.WHOLE: "Whole numbers",
        How.DATES: "Dates by calendar unit",
        How.QUESTION: "A yes-or-no question",
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
        Participation.AUTO: "is hidden, where the protocol can",
        Participation.HIDDEN: "is hidden, or nobody reports",
        Participation.OPEN: "is seen: only they report",
    }[participation]


def attendance_words(attended: Attendance) -> str:
    """What is hidden about who reports, and what that costs."""
    if attended.none:
        costs = "Estimates are less exact than if only those who take part reported."
        return f"{attended.promise} {costs}"
    return attended.promise if attended.hidden else f"{attended.promise} {attended.why} {NO_SUM}"


def date_unit_words(unit: DateUnit) -> str:
    """A calendar unit."""
    return {
        DateUnit.DAY: "day",
        DateUnit.WEEK: "week",
        DateUnit.MONTH: "month",
        DateUnit.QUARTER: "quarter",
        DateUnit.YEAR: "year",
    }[unit]


def domain_words(domain: Domain) -> str:
    """How many values there are, and which."""
    labels = domain.labels
    shown = ", ".join(labels[:_NAMED])
    if domain.size > _NAMED:
        shown += f", … {labels[-1]}"
    return f"{domain.size:,} possible answers: {shown}"


def metric_words(metric: str) -> str:
    """What an error is called."""
    return {
        "l1": "L1 error",
        "l2": "L2 error",
        "kantorovich": "Kantorovich distance",
        "mean": "Error of the mean",
    }[metric]


def shape_words(shape: Shape) -> str:
    """What distribution is assumed."""
    return {
        Shape.AUTO: "Smooth or spiky: the worse",
        Shape.UNIFORM: "All alike",
        Shape.HUMP: "A smooth hump",
        Shape.FALLING: "Falling",
        Shape.SPIKY: "Spiky",
        Shape.OWN: "Own shares",
    }[shape]


def assumption_words(plan: Plan) -> str:
    """Which distribution a prediction is for."""
    return {
        Shape.AUTO: "at worst, for smooth or spiky shares",
        Shape.UNIFORM: "for equal shares",
        Shape.HUMP: "for a smooth hump",
        Shape.FALLING: "for falling shares",
        Shape.SPIKY: "for spiky shares",
        Shape.OWN: "for your own shares",
    }[plan.shape]


def case_words(shape: Shape) -> str:
    """One of several assumed distributions, as the heading of a column."""
    return {Shape.HUMP: "smooth", Shape.SPIKY: "spiky"}.get(shape, shape.value)


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
        "categorical": "For any values",
        "ordinal": "For values in an order",
        "means": "For a mean",
    }[group]


def why_not(protocol: LocalProtocol, domain: Domain | None, spec: ColumnSpec | None) -> str:
    """Why a protocol does not go with the question, "" if it does."""
    if protocol.family is Family.MEAN:
        return "" if spec is None or spec.kind.numeric else "Only a column of numbers has a mean."
    if domain is None:
        return ""
    if protocol.ordinal and not domain.ordinal:
        return "Needs values in an order, such as numbers in bins."
    if protocol.maximum_domain == protocol.minimum_domain != domain.size:
        return f"Needs a question with exactly {protocol.minimum_domain} answers."
    if not protocol.minimum_domain <= domain.size <= protocol.maximum_domain:
        return f"Takes {protocol.minimum_domain:,} to {protocol.maximum_domain:,} possible answers."
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
        f"{announced.reports:,} reports were written to {collected.path.name}.",
    ]
    if not collected.claim:
        words += ["No promise:", *collected.reasons]
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
    return f"{name}, ε = {rounded_up(epsilon)}" if own else name
