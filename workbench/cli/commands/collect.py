"""`workbench collect`: people who randomise their answers themselves."""

from __future__ import annotations

import argparse
import math
from typing import Any

from workbench.cli import column_options, column_troubles, near_data
from workbench.cli.answers.methods import NeededJson
from workbench.cli.command_output import CommandOutput, progress, with_unread
from workbench.cli.commands.aggregate import participation
from workbench.cli.engines import add_engine, engine_at_work
from workbench.cli.experiment_options import LOOKED
from workbench.cli.files import data_path, ledger_file, written_file
from workbench.cli.mean_predictions import chosen_for_mean, needed_for_mean
from workbench.cli.needed import found_for, needed_words, wanted
from workbench.cli.reading import add_reading, dialect
from workbench.cli.refusals import flags_named
from workbench.cli.typed_answers import open_typed
from workbench.core import flags
from workbench.core.errors import WorkbenchError
from workbench.core.kinds import parse
from workbench.core.number_text import estimate, rounded_up
from workbench.core.progress import Progress
from workbench.core.rationals import float_above
from workbench.core.schema import ColumnSpec, PrivacyUnit
from workbench.engines.store import Store
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import EncodingChoice
from workbench.ldp.needed import TARGETS
from workbench.ldp.participation import NO_SUM
from workbench.ldp.persons import PersonBudget
from workbench.ldp.prediction import Prediction
from workbench.ldp.report_file import TRIAL
from workbench.ldp.share_margin import MARGIN
from workbench.ldp.simulation import METRICS, FrequencyResult, MeanResult, SimulationErrors
from workbench.project.collect_settings import CollectSettings
from workbench.project.model import Preparation
from workbench.session import Session
from workbench.session.collection.inputs import ASSUMED, COUNTED, ROUGH
from workbench.session.collection.listed_once import OtherNames, called
from workbench.session.collection.results import Collected, Planned, Simulated
from workbench.session.collection.words import CURATOR, reports_were

_LISTED = 20
_SIMULATION = "A simulation: what the protocols would have estimated, beside the truth. For the analyst only."
_ON_ASSUMED = "A simulation on assumed shares ({}): what the protocols would have estimated. Nobody gave these answers."
_DRAWN = "Each collection asked others, drawn from all people: sampling error is in these errors."
_OF_ASSUMED = ("truth", "mean")
"""What is said of assumed answers, where rows have it for the analyst."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of `collect`."""
    parser.add_argument(
        "file",
        type=data_path,
        nargs="?",
        metavar="FILE_OR_PATTERN",
        help="a file, a folder of parts, or a pattern such as 'parts/*.csv'; without one, --domain or "
        "--bounds says which answers there are, and --users how many people: a simulation is then of assumed shares",
    )
    add_engine(parser)
    encoding = parser.add_argument_group("how answers become codes", "(default: bins for numbers and dates)")
    flags.declare(encoding, EncodingChoice)
    # A prediction without any is of all that suit the answers, which says the one to take.
    flags.declare(parser, CollectSettings, changes={"protocols": {"required": False}})
    flags.declare(parser, PrivacyUnit)
    flags.declare(parser, Preparation)
    parser.add_argument("--predict", action="store_true", help="only say which errors to expect, without simulating")
    parser.add_argument(
        "--need",
        metavar="METRIC=X",
        help="with --predict: also how many people, or which ε, an error of X takes, such as l1=0.1, or margin=0.02 "
        "for a 95 %% margin of each share before post-processing; of a mean its 95 %% margin in units of the column, "
        "such as mean=2",
    )
    parser.add_argument(
        "--mean",
        action="store_true",
        help="with --predict: of the mean of numbers, by every protocol for means or those that are named; it is "
        "understood where all that are named are for means",
    )
    parser.add_argument(
        "--reports", type=written_file, metavar="OUT.csv", help="let every row report by the one protocol, into a file"
    )
    parser.add_argument(
        "--trial",
        action="store_true",
        help="with --reports: nobody gave these answers, which the file says, so that it is not counted with others",
    )
    parser.add_argument(
        "--force", action="store_true", help="overwrite reports that are there; what they cost stays spent"
    )
    parser.add_argument("--ledger", type=ledger_file, metavar="FILE", help="where what reports cost is written down")
    near_data.add_options(parser)
    add_reading(parser)
    column_options.add_read(parser)


def run(options: argparse.Namespace) -> CommandOutput:
    """Predict, simulate, or let every row report into a file."""
    with engine_at_work(options) as store:
        try:
            return _collect(options, store)
        except WorkbenchError as error:
            # Whoever runs it may see which values are wrong; a look was recorded before.
            raise error.for_analyst() from error


def _collect(options: argparse.Namespace, store: Store | None) -> CommandOutput:
    session = Session()
    told = progress()
    if options.file is None:
        open_typed(session, options)
    else:
        session.data.open(options.file, dialect(options, session), told.part(0.0, 0.4), store)
    column_options.carry_over(session, options)
    session.data.set_unit(PrivacyUnit(**flags.given(PrivacyUnit, options)))
    session.data.set_preparation(Preparation(**flags.given(Preparation, options)))
    if options.ledger is not None:
        session.ledger.use_file(options.ledger)
    if options.file is not None:
        near_data.answer(session, options)
    elif options.continue_ledger or options.other_people:
        raise WorkbenchError(
            "Without a file there is no data that could be nearly the same as other data.",
            hint="Leave --continue-ledger and --other-people out.",
            field="file",
        )
    column_troubles.refuse_unsure(session, options, (options.column,), unseen=True)
    typed = flags.given(CollectSettings, options)
    typed["encoding"] = _encoding(options, session.project.schema[options.column])
    if options.mean and not options.predict:
        raise WorkbenchError(
            "--mean says nothing without --predict.", hint="Add --predict, or name protocols for means.", field="mean"
        )
    if "protocols" not in typed and not options.predict:
        raise WorkbenchError(
            "--protocol is missing: how people randomise their answers.",
            hint="Write --protocol grr, or ask with --predict which one to take.",
            field="protocol",
        )
    choices: tuple[ProtocolChoice, ...] = typed.setdefault("protocols", ())
    if options.mean:
        choices = typed["protocols"] = chosen_for_mean(choices)
    if "epsilon" not in typed and not (choices and all(choice.own_epsilon for choice in choices)):
        raise WorkbenchError("--epsilon is missing: ε.", hint="Common values are 0.5 to 5.", field="epsilon")
    desk = session.collection
    desk.change(**typed)
    if options.trial and options.reports is None:
        raise WorkbenchError("--trial says nothing without --reports.", hint="Leave it out.", field="trial")
    if options.predict and desk.asks_mean:
        mean = desk.mean_planner(every=False)(told.part(0.4, 1.0))
        return with_unread(needed_for_mean(desk, mean, options.need), session)
    if options.predict:
        planned = desk.planner(every=not choices, as_typed=True)(told.part(0.4, 1.0))
        return with_unread(_needed(session, options, planned, _predicted(planned)), session)
    if options.need is not None:
        raise WorkbenchError("--need says nothing without --predict.", hint="Add --predict.", field="need")
    if options.reports is not None:
        return with_unread(_collected(session, options, choices, told.part(0.4, 1.0)), session)
    if not desk.assumes_shares:
        desk.look(lasting=True)
    return with_unread(_simulated(session, desk.simulator()(told.part(0.4, 1.0))), session)


def _simulated(session: Session, found: Simulated) -> CommandOutput:
    protocols: dict[str, Any] = {}
    lines = [_ON_ASSUMED.format(found.assumed) if found.assumed else _SIMULATION]
    lines += [_DRAWN] if found.sampled else []
    encoded, reports = found.asked.encoded, found.asked.reports_per_person
    for result in found.results:
        assert encoded is not None
        protocols[result.choice.identifier] = {
            "epsilon": result.epsilon,
            "epsilon_of_a_person": float_above(PersonBudget(result.spent, reports).person),
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
            "epsilon_of_a_person": float_above(PersonBudget(mean.spent, reports).person),
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
        "looked": not found.assumed,
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
        lines.append(_baseline_line(CURATOR, {m: found.baselines.curator[m].mean for m in METRICS}))
    if found.true_mean is not None:
        analyst["mean"] = found.true_mean
    if found.shape is not None:  # what is assumed is no secret, and no row is behind it
        data["assumed"] = found.shape.value
        data |= {name: value for name, value in analyst.items() if name in _OF_ASSUMED}
    analyst["rows_beyond_the_unit"] = [f"{reason.text} {reason.analyst}".strip() for reason in found.asked.beyond]
    if found.shape is None:
        data["analyst"] = analyst
    lines += [f"{choice.protocol.title}: {text}" for choice, text in found.problems]
    lines += [f"{words} Use --one-report-per-person or --rows-per-person." for words in analyst["rows_beyond_the_unit"]]
    promised: dict[str, list[str]] = {}
    results: tuple[FrequencyResult | MeanResult, ...] = (*found.results, *found.means)
    hidden = dict.fromkeys(session.collection.attendance(one.choice).promise for one in results)
    for one in results:
        promised.setdefault(PersonBudget(one.spent, reports).text, []).append(one.title)
    alike = len(promised) == 1
    lines += [text if alike else f"{', '.join(titles)}: {text}" for text, titles in promised.items()]
    looked = () if found.assumed else (LOOKED,)
    return CommandOutput(data, (*lines, *hidden, *found.asked.cautions, *looked))


def _collected(
    session: Session, options: argparse.Namespace, choices: tuple[ProtocolChoice, ...], told: Progress
) -> CommandOutput:
    if len(choices) != 1:
        raise WorkbenchError("Reports are made by one protocol.", hint="Name one in --protocol.", field="protocol")
    if options.users is not None or options.repetitions != 1:
        raise WorkbenchError(
            "Every row reports once, so --users and --repetitions say nothing.", hint="Leave them out.", field="users"
        )
    desk, path = session.collection, options.reports
    with flags_named():
        work = desk.exporter(choices[0], path, seed=options.seed, force=options.force, trial=options.trial)
        made: Collected = work(told)
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
        "trial": announced.trial,
        **near_data.described(session),
        "plugin": None if announced.plugin is None else dict(announced.plugin),
    }
    lines = [
        f"{reports_were(announced.reports)} written to {made.path}.",
        f"{made.epsilon.text} {announced.promise}",
    ]
    if not made.claim:
        lines += ["This is no promise:", *(f"  - {reason}" for reason in made.reasons)]
    lines += [f"  - {caution}" for caution in made.cautions if caution not in made.reasons]
    if announced.trial:
        lines.append(TRIAL)
    if announced.attended is not None and not announced.attended.hidden:
        lines.append(f"Who takes part is not hidden. {announced.attended.why} {NO_SUM}")
    return CommandOutput(data, tuple(lines))


def _predicted(planned: Planned) -> CommandOutput:
    usable = [one for one in planned.predictions if not one.problem]
    data = {
        "users": planned.plan.users,
        "domain_size": planned.plan.domain_size,
        "assumed": planned.plan.shape.value,
        "assumed_shapes": [case.shape.value for case in planned.plan.cases],
        "recommended": [one.choice.identifier for one in planned.best],
        "domain_declared": ASSUMED not in planned.cautions,
        "users_declared": not {COUNTED, ROUGH} & set(planned.cautions),
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
        lines.append("Errors below are those under the worst of the three shapes:")
    names = OtherNames(planned.predictions)
    for one in usable:
        if not names.told(one.choice):
            lines.append(_baseline_line(_called(one, names), {metric: one.error(metric) for metric in METRICS}))
    lines += [f"{_named(one)}: {one.problem}" for one in planned.predictions if one.problem]
    return CommandOutput(data, (*lines, *planned.cautions))


def _needed(session: Session, options: argparse.Namespace, planned: Planned, answer: CommandOutput) -> CommandOutput:
    """The prediction with how many people, and which ε, the wanted error takes by each protocol."""
    if options.need is None:
        return answer
    hint = f"Write --need {METRICS[0]}=0.1; others are {', '.join(TARGETS[1:])}."
    metric, target = wanted(options.need, TARGETS, hint)
    reached = "a margin, before post-processing, of" if metric == MARGIN else "an error of"
    needed, lines, names = dict[str, NeededJson](), [], OtherNames(planned.predictions)
    for one in planned.predictions:
        if one.problem:
            continue
        desk, alone = session.collection, (one.choice,)
        found = needed[one.choice.identifier] = found_for(
            desk.people_needed(alone, metric, target, planned.plan),
            desk.epsilon_needed(alone, metric, target, planned.plan),
        )
        if not names.told(one.choice):
            lines.append(needed_words(found, _called(one, names), f"{reached} {estimate(target)}"))
    return answer.also(*lines, needed=needed)


def _encoding(options: argparse.Namespace, spec: ColumnSpec) -> EncodingChoice:
    said = flags.chosen(EncodingChoice, "how", options)
    if len(said) > 1:
        raise WorkbenchError(
            f"“{options.column}” cannot be taken as {said[0]} and as {said[1]}.",
            hint="Use one of --bins, --edges, --whole, --dates, --categories (or --domain) and --is.",
            field="how",
        )
    typed = flags.given(EncodingChoice, options)
    if "bounds" in typed:
        typed["bounds"] = _bounds(typed["bounds"], spec)
    # A command is typed in one go, so what it leaves open is taken from the data; the answer says so.
    return EncodingChoice(**typed, assume_public=True)


def _bounds(text: str, spec: ColumnSpec) -> tuple[float, float]:
    parts = [part.strip() for part in text.split(",")]
    if spec.kind.temporal and len(parts) == 2:
        low, high = parse(parts, spec).tolist()
        if math.isfinite(low) and math.isfinite(high):
            return low, high
    numbers = flags.read_numbers(text, "bounds")
    if len(numbers) != 2:
        raise WorkbenchError(f"“{text}” is not two bounds.", hint="Write --bounds 0,100.", field="bounds")
    return numbers[0], numbers[1]


def _domain(found: Simulated) -> dict[str, Any]:
    assert found.asked.encoded is not None
    domain = found.asked.encoded.domain
    return {"values": list(domain.labels), "declared": domain.declared, "ordinal": domain.ordinal}


def _error(errors: SimulationErrors) -> dict[str, float | None]:
    return {"mean": errors.mean, "se": None if math.isnan(errors.se) else errors.se}


def _line(result: FrequencyResult) -> str:
    return _baseline_line(
        f"{_named(result)}, ε = {rounded_up(result.epsilon)} ({result.estimator}, {result.postprocess})",
        {metric: result.errors[metric].mean for metric in METRICS},
    )


def _named(found: Prediction | FrequencyResult | MeanResult) -> str:
    """A protocol by its name, and as it is typed."""
    return f"{found.title} ({found.choice.identifier})"


def _called(one: Prediction, names: OtherNames) -> str:
    """The same with its other names, of which each can be typed."""
    return called(_named(one), [f"{other.protocol.title} ({other.identifier})" for other in names.of(one.choice)])


def _baseline_line(title: str, wrong: dict[str, float]) -> str:
    shown = f"L1 {estimate(wrong['l1'])}, L2 {estimate(wrong['l2'])}, Kantorovich {estimate(wrong['kantorovich'])}"
    return f"{title[:1].upper()}{title[1:]}: {shown}"


def _mean_line(result: MeanResult) -> str:
    return (
        f"{_named(result)}, ε = {rounded_up(result.epsilon)}: mean {estimate(result.estimates.mean(), 6)}, off by "
        f"{estimate(result.errors.mean)} on average"
    )
