"""Questions, and findings whose errors are given, for tests of ways and verdicts."""

from __future__ import annotations

from dataclasses import replace

from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.evaluate.enough_advice import Charges, enough_sentence
from workbench.evaluate.error_series import ErrorSeries, Point
from workbench.evaluate.experiment import Basis, Experiment
from workbench.evaluate.experiment_edits import families
from workbench.evaluate.experiment_run import run
from workbench.evaluate.findings import Findings
from workbench.evaluate.headline import answer_words, reason_words
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.public_shape import shaped
from workbench.evaluate.question import Question, Statistic, metrics_for
from workbench.evaluate.store import ResultStore
from workbench.evaluate.tile import Verdict
from workbench.evaluate.verdict import verdict
from workbench.ldp.encoding import EncodingChoice, EncodingKind

AGE = ColumnSpec("age", Kind.INTEGER, bounds=(0.0, 100.0))
TOWN = ColumnSpec("town", Kind.CATEGORY, domain=("Bern", "Basel", "Chur", "Genf"))
PAY = ColumnSpec("pay", Kind.MONEY, bounds=(0.0, 90_000.0))
SCHEMA = Schema((AGE, TOWN, PAY))
BINS = EncodingChoice(how=EncodingKind.BINS, bins=5)
SMALL = {"places": (0.5, 2.0), "repetitions": 20, "users": 400}


def asked(statistic: Statistic, column: str, **changes: object) -> Experiment:
    question = Question(statistic, column, BINS if column != "town" else EncodingChoice())
    plain = Experiment(question, metrics_for(statistic)[0], families(), basis=Basis.SMOOTH, **SMALL)
    return replace(plain, **changes)


def found(experiment: Experiment, schema: Schema = SCHEMA, store: ResultStore | None = None) -> Findings:
    return run(experiment, shaped(experiment, schema, {}), store=store)


def by_shape(choice: MethodChoice, *errors: float) -> ErrorSeries:
    """The curve of one place, with these errors on the shapes of the experiment."""
    worst = max(errors)
    shapes = tuple((one, 0.01) for one in errors)
    point = Point(choice.name, 1.0, worst, worst, worst, 9, 0.01, by=choice, shapes=shapes)
    return ErrorSeries(choice, choice.name, choice.method.approach, (point,))


def told_of(errors: tuple[float, ...], spread: float) -> Verdict:
    """The verdict on three ways with these errors."""
    ways = zip((Approach.GLOBAL, Approach.ANONYMISED, Approach.LOCAL), errors, strict=True)
    series = [
        ErrorSeries(
            MethodChoice(f"best-{way.value.lower()}"),
            way.value,
            way,
            (Point(way.value, 1.0, error, error, error, 50, spread),),
        )
        for way, error in ways
    ]
    return verdict(Findings(asked(Statistic.HISTOGRAM, "town", places=(0.5, 1.0)), tuple(series), 400, ""), 1.0)


def headline_words(said: Verdict, findings: Findings, most: float | None = None) -> str:
    """All that stands above the tiles."""
    return f"{answer_words(said, findings, most)}. {reason_words(said, findings, most)}".strip()


def enough_words(said: Verdict, findings: Findings, most: float | None = None, charges: Charges | None = None) -> str:
    """Which way and which ε, and why that is enough."""
    return f"{answer_words(said, findings, most)}. {enough_sentence(said, findings, most, charges)}"
