"""The prediction of a mean by `collect --predict`, as in the window: margins of protocols, from numbers alone."""

from __future__ import annotations

from workbench.cli.answers.methods import NeededJson
from workbench.cli.command_output import CommandOutput
from workbench.cli.needed import found_for, needed_words, wanted
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import margin_up, rounded_up
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.mean_prediction import MeanPrediction, every_mean
from workbench.session.collection.desk import CollectionDesk
from workbench.session.collection.inputs import ASSUMED, COUNTED, ROUGH
from workbench.session.collection.mean_decision import GUESS, MEAN, PlannedMean
from workbench.session.collection.words import CURATOR, DIGITS, mean_words, with_unit


def chosen_for_mean(choices: tuple[ProtocolChoice, ...]) -> tuple[ProtocolChoice, ...]:
    """The protocols of a prediction with `--mean`: those that are named, else every one for means.

    Raises
    ------
    WorkbenchError
        If one that is named is for shares.
    """
    other = next((one for one in choices if not one.estimates_mean), None)
    if other is not None:
        known = ", ".join(one.identifier for one in every_mean())
        raise WorkbenchError(
            f"--mean asks for a mean, which {other.protocol.title} does not estimate.",
            hint=f"Leave out --mean, or name some of {known}.",
            field="protocol",
        )
    return choices or every_mean()


def predicted_mean(planned: PlannedMean) -> CommandOutput:
    """The margins of a mean, the smallest first, between those of a curator and of a guess."""
    usable = [one for one in planned.means if not one.problem]
    best, unit = planned.best, planned.unit
    advice = "No protocol keeps this ε." if best is None else mean_words(best, unit)
    data = {
        "users": planned.plan.users,
        "mean_of": list(planned.plan.bounds),
        "unit": unit,
        "recommended": [] if best is None else [best.choice.identifier],
        "bounds_declared": ASSUMED not in planned.cautions,
        "users_declared": not {COUNTED, ROUGH} & set(planned.cautions),
        "predictions": {
            one.choice.identifier: {
                "epsilon": one.epsilon,
                "bits": one.bits,
                "margin": one.margin,
                "deviation_worst": one.worst,
                "deviation_middle": one.middle,
            }
            for one in usable
        },
        "problems": {one.choice.identifier: one.problem for one in planned.means if one.problem},
        "baselines": {"middle": planned.plan.half_range, "curator": planned.curator},
        "advice": advice,
        "cautions": list(planned.cautions),
    }
    lines = [advice]
    for one in usable:
        deviation = f"standard deviation at most {with_unit(one.worst, unit)}"
        lines.append(
            f"{_named(one)}, ε = {rounded_up(one.epsilon)}: 95 % margin {_margin(one.margin, unit)}, {deviation}"
        )
    lines += [f"{_named(one)}: {one.problem}" for one in planned.means if one.problem]
    lines.append(f"{CURATOR}: 95 % margin {_margin(planned.curator, unit)}")
    lines.append(f"{GUESS}: at most {_margin(planned.plan.half_range, unit)}")
    return CommandOutput(data, (*lines, *planned.cautions))


def needed_for_mean(desk: CollectionDesk, planned: PlannedMean, need: str | None) -> CommandOutput:
    """The prediction, with how many people and which ε the wanted margin of the mean takes by each protocol.

    Parameters
    ----------
    need
        Such as `mean=2`, in units of the column; None for the prediction alone.

    Raises
    ------
    WorkbenchError
        If it names another error, or none.
    """
    answer = predicted_mean(planned)
    if need is None:
        return answer
    _, target = wanted(need, (MEAN,), "Write --need mean=2 for a 95 % margin of ± 2 in units of the column.")
    found, lines = dict[str, NeededJson](), []
    for one in planned.means:
        if one.problem:
            continue
        alone = (one.choice,)
        found[one.choice.identifier] = found_for(
            desk.people_for_mean(alone, target, planned.plan), desk.epsilon_for_mean(alone, target, planned.plan)
        )
        reached = f"a 95 % margin of ± {with_unit(target, planned.unit)}"
        lines.append(needed_words(found[one.choice.identifier], _named(one), reached))
    return answer.also(*lines, needed=found)


def _named(one: MeanPrediction) -> str:
    return f"{one.title} ({one.choice.identifier})"


def _margin(margin: float, unit: str) -> str:
    return f"± {margin_up(margin, DIGITS)} {unit}".strip()
