"""`workbench collect`: people who randomise their answers themselves."""

from __future__ import annotations

import argparse
import math
from typing import Any

from workbench.cli import near
from workbench.cli.answers import Answer, progress, with_unread
from workbench.cli.commands.aggregate import add_estimation, participation
from workbench.cli.engines import add_data, add_engine, engine_at_work
from workbench.cli.files import ledger_file, written_file
from workbench.cli.reading import add_reading, dialect
from workbench.cli.refusing import flags_named
from workbench.core.errors import WorkbenchError
from workbench.core.figures import rounded_up
from workbench.core.kinds import parse
from workbench.core.progress import Progress
from workbench.core.rationals import float_above
from workbench.core.schema import ColumnSpec, PrivacyUnit
from workbench.engines.store import Store
from workbench.ldp.binning import DateUnit
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import Absent, EncodingChoice, How, Outside
from workbench.ldp.estimation import Method
from workbench.ldp.participation import NO_SUM, Participation
from workbench.ldp.persons import Budget
from workbench.ldp.plan import Shape
from workbench.ldp.protocol import PROTOCOLS
from workbench.ldp.simulation import METRICS, Errors, FrequencyResult, MeanResult
from workbench.project.model import Preparation
from workbench.session import Session
from workbench.session.asking import ASSUMED, COUNTED
from workbench.session.collected import Collected, Planned, Simulated

_LISTED = 20
_SIMULATION = "A simulation: what the protocols would have estimated, beside the truth. For the analyst only."


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of `collect`."""
    add_data(parser)
    add_engine(parser)
    parser.add_argument("--column", required=True, metavar="C", help="what is asked")
    encoding = parser.add_argument_group("how answers become codes", "(default: bins for numbers and dates)")
    encoding.add_argument("--bins", type=int, metavar="N", help="bins of equal width between the bounds")
    encoding.add_argument("--edges", metavar="E0,E1,…", help="edges of the bins")
    encoding.add_argument("--whole", action="store_true", help="every whole number between the bounds")
    encoding.add_argument("--dates", choices=[unit.value for unit in DateUnit], help="dates by calendar unit")
    encoding.add_argument("--categories", action="store_true", help="each value is an answer")
    encoding.add_argument("--is", dest="answer", metavar="VALUE", help="a yes-or-no question: is it this value?")
    encoding.add_argument("--bounds", metavar="L,U", help="public bounds (default: assumed from the data, and said)")
    encoding.add_argument("--domain", metavar="A,B,…", help="public values (default: assumed from the data, and said)")
    encoding.add_argument("--clip", action="store_true", help="values outside go to the nearest bin or “(other)”")
    encoding.add_argument(
        "--missing",
        choices=[one.value for one in Absent],
        default=Absent.LEAVE_OUT.value,
        help="people without a value do not answer (the default), answer that, or must not be there",
    )
    parser.add_argument(
        "--protocol",
        required=True,
        metavar="ID[=V:W],…",
        help="one or more, such as grr,oue or ue=0.75:0.25; known: " + PROTOCOLS.names(),
    )
    parser.add_argument("--epsilon", metavar="E", help="ε of one report")
    parser.add_argument("--users", type=int, metavar="N", help="people who are asked (default: one per row)")
    parser.add_argument("--repetitions", type=int, default=1, metavar="R", help="simulated collections (default: 1)")
    add_estimation(parser)
    parser.add_argument("--seed", type=int, metavar="S", help="make it repeatable; reports are then a simulation")
    parser.add_argument("--rows-per-person", type=int, default=1, metavar="C", help="most rows one person may have")
    parser.add_argument("--person", default="", metavar="COL", help="column that tells persons apart")
    parser.add_argument("--one-report-per-person", action="store_true", help="one row of each person, at random")
    parser.add_argument("--where", default="", metavar="EXPR", help="only rows for which this holds")
    parser.add_argument(
        "--participation",
        choices=[one.value for one in Participation],
        default=Participation.AUTO.value,
        help="who takes part, where a filter or a missing value decides it: hidden makes everybody report, those who "
        "take no part a further answer, which is taken off again; open lets only those who take part report, and then "
        "no sum is claimed with other releases; auto hides it where the protocol can (default: auto)",
    )
    parser.add_argument("--sample", type=float, default=1.0, metavar="P", help="each row takes part with probability P")
    parser.add_argument("--limit-rows", action="store_true", help="at most --rows-per-person rows of each --person")
    parser.add_argument("--predict", action="store_true", help="only say which errors to expect, without simulating")
    parser.add_argument(
        "--shape",
        choices=[shape.value for shape in Shape if shape is not Shape.OWN],
        default=Shape.AUTO.value,
        help="how the answers are spread, from public sources, for --predict (default: both a smooth hump and spiky "
        "shares, and the worse of the two counts); protocols that smooth are recommended for hump and uniform only",
    )
    parser.add_argument("--guess", metavar="S,S,…", help="instead of --shape, own public shares, one per answer")
    parser.add_argument(
        "--reports", type=written_file, metavar="OUT.csv", help="let every row report by the one protocol, into a file"
    )
    parser.add_argument(
        "--force", action="store_true", help="overwrite reports that are there; what they cost stays spent"
    )
    parser.add_argument("--ledger", type=ledger_file, metavar="FILE", help="where what reports cost is written down")
    near.add_options(parser)
    add_reading(parser)


def run(options: argparse.Namespace) -> Answer:
    """Predict, simulate, or let every row report into a file."""
    with engine_at_work(options) as store:
        return _collect(options, store)


def _collect(options: argparse.Namespace, store: Store | None) -> Answer:
    session = Session()
    told = progress()
    session.open(options.file, dialect(options, session), told.part(0.0, 0.4), store)
    session.set_unit(PrivacyUnit(options.rows_per_person, options.person))
    session.set_preparation(Preparation(options.where, options.sample, options.limit_rows))
    if options.ledger is not None:
        session.use_ledger(options.ledger)
    near.settle(session, options)
    spec = session.project.schema[options.column]
    desk = session.collection
    choices = _choices(options.protocol)
    desk.change(
        column=options.column,
        encoding=_encoding(options, spec),
        protocols=choices,
        epsilon=_epsilon(options, choices),
        users=options.users,
        repetitions=options.repetitions,
        seed=options.seed,
        method=Method(options.estimator, options.postprocess),
        one_report_per_person=options.one_report_per_person,
        shape=Shape(options.shape) if options.guess is None else Shape.OWN,
        guess=() if options.guess is None else tuple(_numbers(options.guess, "guess")),
        participation=Participation(options.participation),
    )
    if options.predict:
        return with_unread(_predicted(desk.planner(every=False)(told.part(0.4, 1.0))), session)
    if options.reports is not None:
        return with_unread(_collected(session, options, choices, told.part(0.4, 1.0)), session)
    return with_unread(_simulated(session, desk.simulator()(told.part(0.4, 1.0))), session)


def _simulated(session: Session, found: Simulated) -> Answer:
    protocols: dict[str, Any] = {}
    lines = [_SIMULATION]
    encoded, reports = found.asked.encoded, found.asked.reports_per_person
    for result in found.results:
        assert encoded is not None
        protocols[result.choice.identifier] = {
            "epsilon": result.epsilon,
            "epsilon_of_a_person": float_above(Budget(result.spent, reports).person),
            "bits": result.bits,
            "estimate": dict(zip(encoded.domain.labels, result.estimate.tolist(), strict=True)),
            **{metric: _error(result.errors[metric]) for metric in METRICS},
            "estimator": result.estimator,
            "postprocess": result.postprocess,
        }
        lines.append(_line(result))
    for mean in found.means:
        protocols[mean.choice.identifier] = {
            "epsilon": mean.epsilon,
            "epsilon_of_a_person": float_above(Budget(mean.spent, reports).person),
            "bits": mean.bits,
            "estimate": float(mean.estimates.mean()),
            "absolute": _error(mean.errors),
            "deviation": mean.deviation,
        }
        lines.append(_mean_line(mean))
    analyst: dict[str, Any] = {}
    data: dict[str, Any] = {
        "protocols": protocols,
        "users": found.users,
        "seed": found.seed,
        "simulation": True,
        "problems": {choice.identifier: text for choice, text in found.problems},
        "reports_per_person": reports,
        "cautions": list(found.asked.cautions),
    }
    if encoded is not None and found.truth is not None and found.baselines is not None:
        data["domain"] = _domain(found)
        data["baselines"] = {
            "uniform": dict(found.baselines.uniform),
            "curator": {metric: _error(found.baselines.curator[metric]) for metric in METRICS},
        }
        analyst |= {
            "truth": dict(zip(encoded.domain.labels, found.truth.tolist(), strict=True)),
            "clipped": encoded.clipped,
            "without_value": encoded.absent,
            "binning_error": encoded.binning_error,
        }
        lines.append(_baseline_line("uniform guess", {m: found.baselines.uniform[m] for m in METRICS}))
        lines.append(_baseline_line("trusted curator", {m: found.baselines.curator[m].mean for m in METRICS}))
    if found.true_mean is not None:
        analyst["mean"] = found.true_mean
    analyst["rows_beyond_the_unit"] = [f"{reason.text} {reason.analyst}".strip() for reason in found.asked.beyond]
    data["analyst"] = analyst
    lines += [f"{choice.protocol.title}: {text}" for choice, text in found.problems]
    lines += [f"{words} Use --one-report-per-person or --rows-per-person." for words in analyst["rows_beyond_the_unit"]]
    promised: dict[str, list[str]] = {}
    results: tuple[FrequencyResult | MeanResult, ...] = (*found.results, *found.means)
    hidden = dict.fromkeys(session.collection.attendance(one.choice).promise for one in results)
    for one in results:
        promised.setdefault(Budget(one.spent, reports).text, []).append(one.title)
    alike = len(promised) == 1
    lines += [text if alike else f"{', '.join(titles)}: {text}" for text, titles in promised.items()]
    return Answer(data, (*lines, *hidden, *found.asked.cautions))


def _collected(
    session: Session, options: argparse.Namespace, choices: tuple[ProtocolChoice, ...], told: Progress
) -> Answer:
    if len(choices) != 1:
        raise WorkbenchError("Reports are made by one protocol.", hint="Name one in --protocol.", field="protocol")
    if options.users is not None or options.repetitions != 1:
        raise WorkbenchError(
            "Every row reports once, so --users and --repetitions say nothing.", hint="Leave them out.", field="users"
        )
    desk, path = session.collection, options.reports
    with flags_named():
        made: Collected = desk.exporter(choices[0], path, seed=options.seed, force=options.force)(told)
    announced = made.announcement
    data = {
        "reports": str(made.path),
        "protocol": announced.randomiser.protocol,
        "parameters": dict(announced.randomiser.parameters),
        "epsilon": announced.randomiser.epsilon,
        "epsilon_of_a_person": float_above(made.epsilon.person),
        "reports_per_person": made.epsilon.reports,
        "count": announced.reports,
        "claim": made.claim,
        "promise": announced.promise,
        "participation": participation(announced),
        "reasons": list(made.reasons),
        "cautions": list(made.cautions),
        "simulation": announced.simulated,
        **near.described(session),
        "plugin": None if announced.plugin is None else dict(announced.plugin),
    }
    lines = [f"{announced.reports:,} reports were written to {made.path}.", f"{made.epsilon.text} {announced.promise}"]
    if not made.claim:
        lines += ["This is no promise:", *(f"  - {reason}" for reason in made.reasons)]
    lines += [f"  - {caution}" for caution in made.cautions if caution not in made.reasons]
    if announced.attended is not None and not announced.attended.hidden:
        lines.append(f"Who takes part is not hidden. {announced.attended.why} {NO_SUM}")
    return Answer(data, tuple(lines))


def _predicted(planned: Planned) -> Answer:
    usable = [one for one in planned.predictions if not one.problem]
    data = {
        "users": planned.plan.users,
        "domain_size": planned.plan.domain_size,
        "assumed": planned.plan.shape.value,
        "assumed_shapes": [case.shape.value for case in planned.plan.cases],
        "recommended": [one.choice.identifier for one in planned.best],
        "domain_declared": ASSUMED not in planned.cautions,
        "users_declared": COUNTED not in planned.cautions,
        "predictions": {
            one.choice.identifier: {
                "epsilon": one.epsilon,
                "bits": one.bits,
                **{metric: one.error(metric) for metric in METRICS},
                "se": {metric: one.se(metric) for metric in METRICS},
                "by_shape": {shape.value: dict(case) for shape, case in one.cases.items()},
                "smooths": one.smooths,
                "estimator": one.estimator,
                "postprocess": one.postprocess,
            }
            for one in usable
        },
        "problems": {one.choice.identifier: one.problem for one in planned.predictions if one.problem},
        "baselines": {"uniform": planned.reference.uniform, "curator": planned.reference.curator},
        "advice": planned.sentence,
        "cautions": list(planned.cautions),
    }
    lines = [planned.sentence]
    if len(planned.plan.cases) > 1:
        lines.append("Errors below are those under the worse of the two shapes:")
    lines += [_baseline_line(one.title, {metric: one.error(metric) for metric in METRICS}) for one in usable]
    lines += [f"{one.title}: {one.problem}" for one in planned.predictions if one.problem]
    return Answer(data, (*lines, *planned.cautions))


def _choices(text: str) -> tuple[ProtocolChoice, ...]:
    choices = tuple(ProtocolChoice.parse(part) for part in text.split(",") if part.strip())
    names = [choice.identifier for choice in choices]
    twice = next((name for name in names if names.count(name) > 1), None)
    if not names or twice is not None:
        raise WorkbenchError(
            "No protocol is named." if twice is None else f"The protocol “{twice}” is named twice.",
            hint="Write --protocol grr,oue, each at most once.",
            field="protocol",
        )
    return choices


def _encoding(options: argparse.Namespace, spec: ColumnSpec) -> EncodingChoice:
    chosen = {
        How.BINS: options.bins is not None,
        How.EDGES: options.edges is not None,
        How.WHOLE: options.whole,
        How.DATES: options.dates is not None,
        How.CATEGORIES: options.categories or options.domain is not None,
        How.QUESTION: options.answer is not None,
    }
    said = [how for how, given in chosen.items() if given]
    if len(said) > 1:
        raise WorkbenchError(
            f"“{options.column}” cannot be taken as {said[0]} and as {said[1]}.",
            hint="Use one of --bins, --edges, --whole, --dates, --categories (or --domain) and --is.",
            field="how",
        )
    usual = EncodingChoice()
    return EncodingChoice(
        how=said[0] if said else None,
        bins=usual.bins if options.bins is None else options.bins,
        edges=() if options.edges is None else tuple(_numbers(options.edges, "edges")),
        unit=usual.unit if options.dates is None else DateUnit(options.dates),
        answer=options.answer or "",
        bounds=_bounds(options.bounds, spec),
        domain=None if options.domain is None else tuple(part.strip() for part in options.domain.split(",")),
        # A command is typed in one go, so what it leaves open is taken from the data; the answer says so.
        assume_public=True,
        outside=Outside.CLIP if options.clip else Outside.STOP,
        absent=Absent(options.missing),
    )


def _bounds(text: str | None, spec: ColumnSpec) -> tuple[float, float] | None:
    if text is None:
        return None
    parts = [part.strip() for part in text.split(",")]
    if spec.kind.temporal and len(parts) == 2:
        low, high = parse(parts, spec).tolist()
        if math.isfinite(low) and math.isfinite(high):
            return low, high
    numbers = _numbers(text, "bounds")
    if len(numbers) != 2:
        raise WorkbenchError(f"“{text}” is not two bounds.", hint="Write --bounds 0,100.", field="bounds")
    return numbers[0], numbers[1]


def _numbers(text: str, name: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise WorkbenchError(f"“{text}” is no list of numbers.", hint=f"Write --{name} 0,10,20.", field=name) from None


def _epsilon(options: argparse.Namespace, choices: tuple[ProtocolChoice, ...]) -> float:
    if options.epsilon is None:
        if all(choice.own_epsilon for choice in choices):
            return 1.0  # nobody looks at it
        raise WorkbenchError("--epsilon is missing: ε.", hint="Common values are 0.5 to 5.", field="epsilon")
    try:
        return float(options.epsilon)
    except ValueError:
        raise WorkbenchError(
            f"ε must be a number, not “{options.epsilon}”.", hint="Write --epsilon 1.", field="epsilon"
        ) from None


def _domain(found: Simulated) -> dict[str, Any]:
    assert found.asked.encoded is not None
    domain = found.asked.encoded.domain
    return {"values": list(domain.labels), "declared": domain.declared, "ordinal": domain.ordinal}


def _error(errors: Errors) -> dict[str, float | None]:
    return {"mean": errors.mean, "se": None if math.isnan(errors.se) else errors.se}


def _line(result: FrequencyResult) -> str:
    return _baseline_line(
        f"{result.title} (ε = {rounded_up(result.epsilon)}, {result.estimator}, {result.postprocess})",
        {metric: result.errors[metric].mean for metric in METRICS},
    )


def _baseline_line(title: str, wrong: dict[str, float]) -> str:
    shown = f"L1 {wrong['l1']:.4g}, L2 {wrong['l2']:.4g}, Kantorovich {wrong['kantorovich']:.4g}"
    return f"{title[:1].upper()}{title[1:]}: {shown}"


def _mean_line(result: MeanResult) -> str:
    return (
        f"{result.title} (ε = {rounded_up(result.epsilon)}): mean {result.estimates.mean():.6g}, off by "
        f"{result.errors.mean:.4g} on average"
    )
