"""An experiment to begin with, and what changes with its question or its axis."""

from __future__ import annotations

from dataclasses import replace

from workbench.core.schema import ColumnSpec, Kind, Role, Schema
from workbench.evaluate.experiment import Axis, Experiment
from workbench.evaluate.experiment_edits import (
    USUAL_PLACES,
    changes_for_axis,
    changes_for_question,
    error_kind,
    suited,
)
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.question import Question, Statistic, metrics_for
from workbench.ldp.encoding import EncodingChoice

SCHEMA = Schema(
    (
        ColumnSpec("who", Kind.INTEGER, role=Role.IDENTIFYING),
        ColumnSpec("town", Kind.CATEGORY),
        ColumnSpec("age", Kind.INTEGER, bounds=(0.0, 120.0)),
        ColumnSpec("pay", Kind.INTEGER, bounds=(0.0, 9000.0), role=Role.SENSITIVE),
    )
)
STATISTIC = type(Question().statistic)


def test_it_begins_with_a_sensitive_column_of_numbers() -> None:
    first = suited(SCHEMA)
    assert (first.question.column, first.question.statistic) == ("pay", STATISTIC.MEAN)
    assert [one.identifier for one in first.methods][1] == "best-anonymised"
    assert suited(Schema(SCHEMA.columns[:2])).question.statistic is STATISTIC.HISTOGRAM


def test_it_does_not_begin_with_a_column_whose_name_tells_people_apart() -> None:
    reports = Schema((ColumnSpec("user", Kind.INTEGER), ColumnSpec("value", Kind.INTEGER)))
    assert suited(reports).question.column == "value" and suited(Schema(reports.columns[:1])).question.column == "user"


def test_it_begins_with_what_others_want_to_learn_and_not_with_where_somebody_lives() -> None:
    salaries = Schema(
        (
            ColumnSpec("staff no", Kind.TEXT),
            ColumnSpec("postcode", Kind.INTEGER),
            ColumnSpec("department", Kind.CATEGORY),
            ColumnSpec("salary", Kind.INTEGER),
        )
    )
    assert suited(salaries).question == Question(STATISTIC.MEAN, "salary")
    assert suited(Schema(salaries.columns[:3])).question == Question(STATISTIC.HISTOGRAM, "department")


def test_a_count_has_neither_bins_nor_the_distances_of_histograms() -> None:
    bars = replace(suited(Schema(SCHEMA.columns[:2])), axis=Axis.BINS, places=USUAL_PLACES[Axis.BINS])
    changed = replace(bars, **changes_for_question(bars, Question(STATISTIC.COUNT, "town")))
    assert changed.axis is Axis.EPSILON and changed.places == USUAL_PLACES[Axis.EPSILON]
    assert changed.metric in metrics_for(STATISTIC.COUNT)
    typed = changes_for_question(bars, Question(STATISTIC.COUNT, "town"), (0.3, 4.0))
    assert typed["places"] == (0.3, 4.0), "those that were typed along ε before"


def test_a_typed_error_means_the_same_where_errors_are_of_one_kind() -> None:
    def kind(statistic: Statistic, column: str, **changes: object) -> tuple[object, ...]:
        asked = Experiment(Question(statistic, column), metrics_for(statistic)[0])
        return error_kind(replace(asked, **changes))

    bounded = Question(STATISTIC.MEAN, "pay", EncodingChoice(bounds=(0.0, 9.0)))
    assert kind(STATISTIC.MEAN, "pay") == kind(STATISTIC.QUANTILE, "pay") == kind(STATISTIC.MEAN, "", question=bounded)
    assert kind(STATISTIC.HISTOGRAM, "town") == kind(STATISTIC.HISTOGRAM, "age"), "per cent of people"
    others = (STATISTIC.MEAN, "age"), (STATISTIC.SUM, "pay"), (STATISTIC.VARIANCE, "pay"), (STATISTIC.HISTOGRAM, "pay")
    assert len({kind(*one) for one in (*others, (STATISTIC.MEAN, "pay"))}) == 5


def test_along_epsilon_no_method_has_one_of_its_own() -> None:
    own = (MethodChoice("global-grid", epsilon=0.5), MethodChoice("global-grid"), MethodChoice("uniform"))
    made = Experiment(axis=Axis.USERS, places=USUAL_PLACES[Axis.USERS], methods=own)
    changed = replace(made, **changes_for_axis(made, Axis.EPSILON, (0.1, 1.0)))
    assert changed.methods == (MethodChoice("global-grid"), MethodChoice("uniform"))
    assert changes_for_axis(made, Axis.BINS, (5.0,)) == {"axis": Axis.BINS, "places": (5.0,)}
