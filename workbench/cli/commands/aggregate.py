"""`workbench aggregate`: what files of perturbed reports tell."""

from __future__ import annotations

import argparse
from typing import Any

from workbench.cli.command_output import CommandOutput, progress
from workbench.cli.files import read_file
from workbench.core import flags
from workbench.core.number_text import within_margin
from workbench.core.rationals import float_above
from workbench.ldp.estimation import EstimationMethod
from workbench.ldp.estimator import ESTIMATORS
from workbench.ldp.persons import PersonBudget
from workbench.ldp.protocol import PROTOCOLS
from workbench.ldp.report_file import TRIAL, Announcement
from workbench.session.collection.aggregation import aggregator
from workbench.session.collection.inputs import ASSUMED
from workbench.session.collection.reported_words import band_texts, took_part_words, unlikely_words
from workbench.session.collection.results import Aggregated

_LISTED = 20


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of `aggregate`."""
    parser.add_argument("reports", type=read_file, nargs="+", metavar="REPORTS.csv")
    parser.add_argument("--top", type=int, default=0, metavar="K", help="name the K most frequent values")
    parser.add_argument(
        "--one-file-per-person",
        action="store_true",
        help="you assert that nobody reported in more than one of the files, as where everybody sends their own; "
        "otherwise what one person may have reported adds up",
    )
    parser.add_argument(
        "--with-trials",
        action="store_true",
        help="count reports of a trial with those of people, which is refused otherwise",
    )
    flags.declare(parser, EstimationMethod)


def run(options: argparse.Namespace) -> CommandOutput:
    """Estimate from perturbed reports."""
    found = aggregator(
        options.reports,
        EstimationMethod(**flags.given(EstimationMethod, options)),
        top=options.top,
        one_file_per_person=options.one_file_per_person,
        with_trials=options.with_trials,
    )(progress())
    announced = found.received.announcement
    budget = PersonBudget(announced.randomiser.spent, announced.reports_per_person)
    unlikely = list(filter(None, [unlikely_words(found)]))
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
        "trial": announced.trial,
        "cautions": [*announced.cautions, *unlikely],
        "plugin": None if announced.plugin is None else dict(announced.plugin),
    }
    lines = [
        f"{found.received.support.reports:,} reports about “{announced.column}” by "
        f"{PROTOCOLS[announced.randomiser.protocol].title} ({announced.randomiser.protocol}).",
        f"{budget.text} {announced.promise}",
    ]
    lines += [f"This is no promise: {doubt}" for doubt in announced.doubts]
    if announced.simulated:
        lines.append("They were drawn with a seed: a simulation, which protects nobody.")
    if announced.trial:
        lines.append(TRIAL)
    if not announced.declared:
        lines.append(ASSUMED)
    lines += [*announced.told_cautions(lines), *unlikely]
    return _estimated(found, data, lines)


def participation(announced: Announcement) -> str | None:
    """Whether it is hidden who takes part, as it stands in JSON; None if a file of reports does not say."""
    return None if announced.hidden is None else "hidden" if announced.hidden else "open"


def _estimated(found: Aggregated, data: dict[str, Any], lines: list[str]) -> CommandOutput:
    counted, domain = found.estimate, found.received.announcement.domain
    if counted is None or domain is None:
        assert found.mean is not None and found.low is not None and found.high is not None
        data |= {"estimate": found.mean, "low": found.low, "high": found.high}
        mean, low, high = within_margin(found.mean, found.low, found.high)
        lines.append(f"Mean {mean}, {found.coverage} band {low} to {high}.")
        return CommandOutput(data, tuple(lines))
    data |= {
        "estimator": counted.estimator,
        "estimator_plugin": ESTIMATORS.origin(counted.estimator).to_json_or_none(),
        "postprocess": counted.postprocess,
        "estimate": dict(zip(domain.labels, counted.counts.tolist(), strict=True)),
        "low": dict(zip(domain.labels, counted.low.tolist(), strict=True)),
        "high": dict(zip(domain.labels, counted.high.tolist(), strict=True)),
    }
    took_part = found.participants
    if took_part is not None:
        data["participants"] = {"estimate": took_part.estimate, "low": took_part.low, "high": took_part.high}
        lines.append(f"{took_part_words(found)}; the other reports are of those who did not.")
    if found.hitters:
        data["top"] = [
            {"value": domain.labels[one.code], **{k: v for k, v in vars(one).items() if k != "code"}}
            for one in found.hitters
        ]
    if not ESTIMATORS.origin(counted.estimator).built_in:
        lines.append(f"Estimated by {ESTIMATORS[counted.estimator].title}, a plug-in. It sees the reports alone.")
    by_count = domain.size > _LISTED and not domain.ordinal
    order = (-counted.counts).argsort(kind="stable") if by_count else range(domain.size)
    names = domain.names
    width = max(len(names[int(code)]) for code in order[:_LISTED])
    for code in map(int, order[:_LISTED]):
        people, low, high = band_texts(counted.counts[code], counted.low[code], counted.high[code])
        lines.append(f"  {names[code]:<{width}}  {people:>12}  ({low} to {high})")
    if domain.size > _LISTED:
        lines.append(f"  and {domain.size - _LISTED:,} more{', all less frequent' if by_count else ''}")
    return CommandOutput(data, tuple(lines))
