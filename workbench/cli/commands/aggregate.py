"""`workbench aggregate`: what files of perturbed reports tell."""

from __future__ import annotations

import argparse
from typing import Any

from workbench.cli.answers import Answer, progress
from workbench.cli.files import read_file
from workbench.core import flags
from workbench.core.rationals import float_above
from workbench.ldp.estimation import Method
from workbench.ldp.estimator import ESTIMATORS
from workbench.ldp.persons import Budget
from workbench.ldp.protocol import PROTOCOLS
from workbench.ldp.report_file import Announcement
from workbench.session.aggregating import aggregator
from workbench.session.asking import ASSUMED
from workbench.session.collected import Aggregated

_LISTED = 20


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of `aggregate`."""
    parser.add_argument("reports", type=read_file, nargs="+", metavar="REPORTS.csv")
    parser.add_argument("--top", type=int, default=0, metavar="K", help="name the K most frequent values")
    flags.declare(parser, Method)


def run(options: argparse.Namespace) -> Answer:
    """Estimate from perturbed reports."""
    found = aggregator(options.reports, Method(**flags.given(Method, options)), top=options.top)(progress())
    announced = found.received.announcement
    budget = Budget(announced.randomiser.spent, announced.reports_per_person)
    data: dict[str, Any] = {
        "column": announced.column,
        "protocol": announced.randomiser.protocol,
        "parameters": dict(announced.randomiser.parameters),
        "epsilon": announced.randomiser.epsilon,
        "reports": found.received.support.reports,
        "reports_per_person": announced.reports_per_person,
        "epsilon_of_a_person": float_above(budget.person),
        "promise": announced.promise,
        "participation": participation(announced),
        "domain_declared": announced.declared,
        "simulation": announced.simulated,
        "cautions": list(announced.cautions),
        "plugin": None if announced.plugin is None else dict(announced.plugin),
    }
    lines = [
        f"{found.received.support.reports:,} reports about “{announced.column}” by "
        f"{PROTOCOLS[announced.randomiser.protocol].title}.",
        f"{budget.text} {announced.promise}",
    ]
    lines += [f"This is no promise: {doubt}" for doubt in announced.doubts]
    if announced.simulated:
        lines.append("They were drawn with a seed: a simulation, which protects nobody.")
    if not announced.declared:
        lines.append(ASSUMED)
    lines += [caution for caution in announced.cautions if caution not in lines]
    return _estimated(found, data, lines)


def participation(announced: Announcement) -> str | None:
    """Whether it is hidden who takes part, as it stands in JSON; None if a file of reports does not say."""
    return None if announced.hidden is None else "hidden" if announced.hidden else "open"


def _estimated(found: Aggregated, data: dict[str, Any], lines: list[str]) -> Answer:
    estimate, domain = found.estimate, found.received.announcement.domain
    if estimate is None or domain is None:
        assert found.mean is not None and found.low is not None and found.high is not None
        data |= {"estimate": found.mean, "low": found.low, "high": found.high}
        lines.append(f"Mean {found.mean:.6g}, 95 % band {found.low:.6g} to {found.high:.6g}.")
        return Answer(data, tuple(lines))
    data |= {
        "estimator": estimate.estimator,
        "estimator_plugin": ESTIMATORS.origin(estimate.estimator).to_json_or_none(),
        "postprocess": estimate.postprocess,
        "estimate": dict(zip(domain.labels, estimate.counts.tolist(), strict=True)),
        "low": dict(zip(domain.labels, estimate.low.tolist(), strict=True)),
        "high": dict(zip(domain.labels, estimate.high.tolist(), strict=True)),
    }
    took_part = found.participants
    if took_part is not None:
        data["participants"] = {"estimate": took_part.estimate, "low": took_part.low, "high": took_part.high}
        lines.append(
            f"About {took_part.estimate:,.0f} took part ({took_part.low:,.0f} to {took_part.high:,.0f}); the other "
            "reports are of those who did not."
        )
    if found.hitters:
        data["top"] = [
            {"value": domain.labels[one.code], **{k: v for k, v in vars(one).items() if k != "code"}}
            for one in found.hitters
        ]
    if not ESTIMATORS.origin(estimate.estimator).built_in:
        lines.append(f"Estimated by {ESTIMATORS[estimate.estimator].title}, a plug-in. It sees the reports alone.")
    by_count = domain.size > _LISTED and not domain.ordinal
    order = (-estimate.counts).argsort(kind="stable") if by_count else range(domain.size)
    width = max(len(domain.labels[int(code)]) for code in order[:_LISTED])
    for code in map(int, order[:_LISTED]):
        band = f"{estimate.low[code]:,.0f} to {estimate.high[code]:,.0f}"
        lines.append(f"  {domain.labels[code]:<{width}}  {estimate.counts[code]:>12,.0f}  ({band})")
    if domain.size > _LISTED:
        lines.append(f"  and {domain.size - _LISTED:,} more{', all less frequent' if by_count else ''}")
    return Answer(data, tuple(lines))
