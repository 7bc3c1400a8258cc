"""The captions below pictures of a collection that leave: what is drawn, of whom it is, and what ε means."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.core.number_text import counted, estimate, rounded_up
from workbench.ldp.mean_prediction import MeanPlan
from workbench.ldp.participation import NO_PART
from workbench.ldp.plan import CollectionPlan
from workbench.ldp.protocol_facts import ProtocolFacts
from workbench.ldp.simulation import FrequencyResult
from workbench.plots.caption import Caption
from workbench.plots.error_curves import ErrorCurves
from workbench.plots.error_ranges import ErrorRanges
from workbench.plots.estimated_counts import EstimatedCounts
from workbench.session.collection.decision import MISPLACED
from workbench.session.collection.mean_decision import MEAN
from workbench.session.collection.reported_words import reported_words
from workbench.session.collection.results import Aggregated, Simulated
from workbench.session.collection.simulated_table import repetitions
from workbench.session.collection.typed_answers import SURVEY
from workbench.session.collection.words import HIDES_ANSWER, scale_of

_BY_FORMULA = "Expected by formula, of no answer that anybody gave."
_BY_DRAWS = "Expected by formula, and by simulation where there is none; of no answer that anybody gave."
_ANALYST = "Computed from true values: for the analyst only, not to be published."
_LOCAL = "ε is that of one randomised report."
_UNLIKE = f"ε is that of one randomised report; that of a curator hides whether a row is there, and {HIDES_ANSWER}."
_CUTTING = frozenset({"base-pos", "norm-sub", "mle-apx"})
_CUT = "Estimates below 0 are cut to 0, so those of rare answers come out too large on average, and bands end at 0."
_DRAWN = "Each collection asks other people, drawn from all of these shares, so that sampling error is in it."
_SINGLE = "Bands: 95 % of single collections."
SIMULATED_MARGIN = "95 % margin"
"""What the margin of an unbiased share is called above a picture, whose caption says the rest."""
_MARKED = "Upright marks: what is predicted of these very answers."
_TAKEN = "(take): the protocol that the prediction takes."
_LEFT_OPEN = "Bands: where the margin lies, as far as so many collections tell with 95 %."
_CURATOR = "A trusted curator sees all true answers and adds the noise."
_BOTH = f"{_CURATOR[:-1]}; a uniform guess asks nobody."
_MARGINS = (
    "Margin: 1.96 √(mean square) of how far the share of one answer is off, before post-processing, of the answer of "
    f"which it is widest by formula. {_CURATOR[:-1]}, by formula; a uniform guess asks nobody, and misses one of the "
    "shares by so much."
)
_MIDDLE = f"{_CURATOR[:-1]}; the middle of the bounds asks nobody."


def predicted_caption(
    chart: ErrorCurves,
    plan: CollectionPlan | MeanPlan,
    asked: str,
    notes: Sequence[str] = (),
    *,
    simulated: bool = False,
) -> Caption:
    """Below expected errors against ε or against the number of people.

    Parameters
    ----------
    asked
        The column that is asked for, or that of the answers that are typed.
    notes
        What must be known of where its numbers come from.
    simulated
        Whether chance moves them, as of `PredictedCurves.simulated`.
    """
    answers = f", of {counted(plan.domain_size, 'answer')}" if isinstance(plan, CollectionPlan) else ""
    return Caption(
        f"{_against(chart)}{_about(asked)}{answers}",
        of=", ".join(filter(None, (chart.note, _fixed(chart, plan.epsilon)))),
        people=plan.users if chart.against == "epsilon" else 0,
        counted="people" if plan.of_one_person == 1 else "reports",
        definitions=_of_curves(chart),
        notes=(_BY_DRAWS if simulated else _BY_FORMULA, *notes),
    )


def swept_caption(chart: ErrorCurves, plan: CollectionPlan, asked: str, tries: int) -> Caption:
    """Below errors of simulated collections along a sweep; parameters as of `predicted_caption`."""
    return Caption(
        f"{_against(chart)}{_about(asked)}, of {counted(plan.domain_size, 'answer')}",
        of=", ".join(filter(None, ("simulated", chart.note, _fixed(chart, plan.epsilon)))),
        people=plan.users if chart.against == "epsilon" else 0,
        counted="people",
        repetitions=tries,
        definitions=_of_curves(chart),
        notes=(_ANALYST,),
    )


def errors_caption(chart: ErrorRanges, found: Simulated) -> Caption:
    """Below the errors of the protocols that were simulated."""
    misplaced = [MISPLACED] if chart.metric.startswith(scale_of("l1").title) else []
    of_mean = chart.metric.startswith(scale_of(MEAN).title)
    of_margin = chart.metric.startswith(SIMULATED_MARGIN)
    beside = found.mean_baselines if of_mean else found.baselines
    told = [_MIDDLE if of_mean else _MARGINS if of_margin else _BOTH]
    guesses = [] if beside is None else told
    marked = [_MARKED] if any(one.expected is not None for one in chart.entries) else []
    taken = [_TAKEN] if any("(take)" in one.name for one in chart.entries) else []
    return Caption(
        f"{chart.metric}, by protocol{_about(found.column)}{_epsilon(found)}",
        of=f"simulated, {counted(repetitions(found), 'collection')} each, seed {found.seed}",
        people=found.users,
        counted="people",
        definitions=(*misplaced, *guesses, _UNLIKE if guesses else _LOCAL),
        notes=(_LEFT_OPEN if of_margin else _SINGLE, *marked, *taken, *_drawn(found), _whose(found)),
    )


def histogram_caption(name: str, chart: EstimatedCounts, result: FrequencyResult, found: Simulated) -> Caption:
    """Below what one protocol estimated in a simulation, beside the truth."""
    truth = "assumed" if found.assumed else "true"
    what = "shares of the answers" if chart.people else "numbers of people with each answer"
    return Caption(
        f"Estimated and {truth} {what}{_about(found.column)}, by {name} with ε = {rounded_up(result.epsilon)}",
        of=f"mean of {counted(len(result.errors['l1'].values), 'simulated collection')}, seed {found.seed}",
        people=found.users,
        counted="people",
        definitions=(_LOCAL,),
        notes=(
            f"Bands: {chart.band}.",
            *_drawn(found),
            *filter(None, (cut_words(result), beside_answers(found))),
            _whose(found),
        ),
    )


def reported_caption(found: Aggregated) -> Caption:
    """Below the estimate from reports: all of it is public, as they are."""
    whose = "by itself, before post-processing, cut to what is possible"
    what = "shares of the answers" if found.of_people else "numbers of people with each answer"
    return Caption(
        f"Estimated {what}, with bands of {found.coverage}, each {whose}",
        notes=reported_words(found).sentences,
    )


def chances_caption(found: ProtocolFacts, name: str) -> Caption:
    """Below the matrix of a protocol."""
    return Caption(
        f"Chance of each report (columns) for each true value (rows), by {name} with ε = {rounded_up(found.epsilon)}",
        definitions=(_LOCAL,),
        notes=("From the protocol alone, of no answer that anybody gave.",),
    )


def cut_words(result: FrequencyResult) -> str:
    """Why estimates of rare answers are too large on average; "" where nothing below 0 is cut."""
    return _CUT if result.postprocess in _CUTTING else ""


def beside_answers(found: Simulated) -> str:
    """Why estimates may add up to fewer people than were simulated; "" where all are of answers."""
    if found.plan is None or not found.plan.apart:
        return ""
    return f"What is estimated at “{NO_PART}” is not shown, so the others may add up to fewer people."


def _drawn(found: Simulated) -> tuple[str, ...]:
    """That sampling error is in it, where it is."""
    return (_DRAWN,) if found.sampled else ()


def _whose(found: Simulated) -> str:
    """Whose answers were simulated, and so who may see what that came to."""
    return f"Assumed shares: {found.assumed}. They are of no answer that anybody gave." if found.assumed else _ANALYST


def _about(asked: str) -> str:
    return f" about “{asked}”" if asked and asked != SURVEY else ""


def _against(chart: ErrorCurves) -> str:
    return f"{chart.metric}, against {'ε' if chart.against == 'epsilon' else 'the number of people'}"


def _fixed(chart: ErrorCurves, epsilon: float) -> str:
    return "" if chart.against == "epsilon" else f"ε = {rounded_up(epsilon)}"


def _epsilon(found: Simulated) -> str:
    """The ε that was set, which protocols of another one say themselves."""
    return "" if found.plan is None else f", ε = {rounded_up(found.plan.epsilon)}"


def _of_curves(chart: ErrorCurves) -> tuple[str, ...]:
    upright = f"ε = {rounded_up(chart.now)}" if chart.against == "epsilon" else f"{round(chart.now):,} people"
    target = [] if chart.target is None else [f"The level line is at the error to reach, {estimate(chart.target)}."]
    misplaced = [MISPLACED] if chart.metric.startswith(scale_of("l1").title) else []
    roles = {one.role for one in chart.curves}
    guesses = [_BOTH] if "uniform" in roles else [_CURATOR] if "curator" in roles else []
    means = _UNLIKE if "curator" in roles else _LOCAL
    return (f"The upright line is at what is set, {upright}.", *target, *misplaced, *guesses, means)
