"""Advice on the approach that answers a question best, in a sentence with numbers and limits. Analyst only."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from workbench.core.number_text import estimate
from workbench.core.progress import SILENT, Progress
from workbench.evaluate.experiment import Axis, Experiment
from workbench.evaluate.experiment_run import run
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.question import Distance, Metric, Question, Statistic, metrics_for
from workbench.evaluate.store import ResultStore
from workbench.evaluate.subject import ExperimentData
from workbench.ldp.estimation import AUTO

TRUST = {
    Approach.GLOBAL: "a curator who sees every value, and who answers no more than the budget allows",
    Approach.ANONYMISED: "a curator who sees every value once, and deletes the data or keeps it safe afterwards",
    Approach.LOCAL: "nobody: each person randomises before anything is sent",
    Approach.BASELINE: "nobody is asked",
}
RELEASED = {
    Approach.GLOBAL: "one number or histogram; every further question costs ε again",
    Approach.ANONYMISED: "a table that answers many questions at no further cost, with δ above 0",
    Approach.LOCAL: "one perturbed report per person, from which only this column can be estimated",
    Approach.BASELINE: "nothing",
}


@dataclass(frozen=True)
class MethodStanding:
    """How one method did.

    Parameters
    ----------
    name, approach
        Which method.
    error, percent
        Its mean error, and in percent of the truth where that means something (else nan).
    trust, released
        Whom a person must trust, and what goes out.
    problem
        Why it has no error, or "".
    """

    name: str
    approach: Approach
    error: float
    percent: float
    trust: str
    released: str
    problem: str = ""


@dataclass(frozen=True)
class Advice:
    """Which approach is best for a question, column, number of users and ε.

    Parameters
    ----------
    sentence
        The advice, with numbers.
    limits
        What it does not say.
    ranked
        The methods, the best first, those without an error last.
    findings
        The experiment behind it.
    """

    sentence: str
    limits: tuple[str, ...]
    ranked: tuple[MethodStanding, ...]
    findings: Findings

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {"sentence": self.sentence, "limits": list(self.limits), "ranked": [_plain(one) for one in self.ranked]}


def candidates(material: ExperimentData, question: Question) -> tuple[MethodChoice, ...]:
    """The usual method of each approach, and the guess that all must beat."""
    found = [MethodChoice("global-grid"), MethodChoice("local", {"protocol": AUTO})]
    if question.statistic in (Statistic.MEAN, Statistic.SUM):
        found.append(MethodChoice("local", {"protocol": "hm"}))
    hierarchy = material.hierarchies.get(question.column)
    if hierarchy is not None:
        for level in range(1, hierarchy.height) or (hierarchy.height,):
            found.append(MethodChoice("trimmed", {"level": level}))
            found.append(MethodChoice("anonymised", {"level": level, "beta": "best"}))
    return (*found, MethodChoice("uniform"))


def advise(
    material: ExperimentData,
    question: Question,
    epsilon: float,
    users: int | None = None,
    *,
    repetitions: int = 200,
    seed: int = 1,
    store: ResultStore | None = None,
    progress: Progress = SILENT,
) -> Advice:
    """Try the usual methods of each approach, and say which one answers best.

    Raises
    ------
    WorkbenchError
        If the question cannot be asked of this data.
    Cancelled
        If the progress was cancelled.
    """
    experiment = Experiment(
        question,
        metrics_for(question.statistic)[0],
        candidates(material, question),
        Axis.EPSILON,
        (epsilon,),
        epsilon,
        users,
        repetitions,
        seed,
        title=f"Advice: {question}",
    )
    results = ResultStore() if store is None else store
    findings = run(experiment, material, store=results, progress=progress)
    shares = findings
    if question.statistic is not Statistic.HISTOGRAM:
        in_percent = replace(experiment, metric=Metric(Distance.PERCENT))
        shares = run(in_percent, material, store=results)
    ranked = _ranked(findings, shares)
    return Advice(_sentence(findings, ranked, epsilon), _limits(findings, ranked), ranked, findings)


def _ranked(findings: Findings, shares: Findings) -> tuple[MethodStanding, ...]:
    percent = Metric(Distance.PERCENT) == shares.experiment.metric
    found = []
    for series, share in zip(findings.series, shares.series, strict=True):
        point = series.points[0]
        found.append(
            MethodStanding(
                series.name,
                series.approach,
                point.mean,
                share.points[0].mean if percent else float("nan"),
                TRUST[series.approach],
                RELEASED[series.approach],
                point.problem,
            )
        )
    return tuple(sorted(found, key=lambda one: (one.error != one.error, one.error)))


def _sentence(findings: Findings, ranked: Sequence[MethodStanding], epsilon: float) -> str:
    experiment = findings.experiment
    users = experiment.users or findings.rows
    by = "" if experiment.metric.distance is Distance.ABSOLUTE else f" by {experiment.metric.title}"
    setting = f"For “{experiment.question}”{by} with {users:,} rows at ε = {estimate(epsilon)}"
    asked = [one for one in ranked if one.error == one.error and one.approach is not Approach.BASELINE]
    guess = next((one for one in ranked if one.approach is Approach.BASELINE), None)
    if not asked or (guess is not None and guess.error <= asked[0].error):
        nearest = f"; the best, {asked[0].name}, is off by {_said(asked[0], findings)}" if asked else ""
        than = f" ({_said(guess, findings)})" if guess is not None else ""
        return f"{setting} no approach does better than guessing{than}{nearest}. Ask more people, or spend more."
    best = asked[0]
    text = f"{setting} {best.name} answers best, off by {_said(best, findings)} on average, if people can trust "
    text += f"{best.trust}" if best.approach is not Approach.LOCAL else "nobody"
    seen = {best.approach}
    others = []
    for one in asked[1:]:
        if one.approach not in seen:
            seen.add(one.approach)
            trust = "without trusting anybody " if one.approach is Approach.LOCAL else ""
            others.append(f"{trust}{one.name} is off by {_said(one, findings)}")
    if guess is not None:
        others.append(f"guessing by {_said(guess, findings)}")
    return f"{text}; {', '.join(others)}." if others else f"{text}."


def _limits(findings: Findings, ranked: Sequence[MethodStanding]) -> tuple[str, ...]:
    found = [
        f"{one.value.capitalize()}: trust in {TRUST[one]}; released is {RELEASED[one]}."
        for one in (Approach.GLOBAL, Approach.ANONYMISED, Approach.LOCAL)
        if any(standing.approach is one for standing in ranked)
    ]
    found.append(
        "These errors were measured on the true values with a seed. To choose by them is to look at the data without "
        "paying for it: decide by another table of the same kind, or by its public description, before you release."
    )
    found += [f"{one.name} has no answer: {one.problem}" for one in ranked if one.problem]
    return (*found, *findings.notes)


def _said(one: MethodStanding, findings: Findings) -> str:
    unit = f" {findings.unit}" if findings.unit else ""
    share = f" ({estimate(one.percent, 2)} %)" if math.isfinite(one.percent) else ""
    return f"{estimate(one.error, 3)}{unit}{share}"


def _plain(one: MethodStanding) -> dict[str, Any]:
    return {name: None if value != value else value for name, value in vars(one).items()}
