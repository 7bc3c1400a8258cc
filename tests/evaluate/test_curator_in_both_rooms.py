"""A trusted curator in Compare and in Collect: the same number where it is the same answer, and why where it is not."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest

from tests.collecting_helpers import in_all
from workbench.core.progress import SILENT
from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.evaluate.experiment import Axis, Basis, Experiment, Truth
from workbench.evaluate.experiment_run import run
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.public_shape import shaped
from workbench.evaluate.question import Distance, Metric, Question, Statistic
from workbench.evaluate.setting_words import plain_counts_words, setting_words, ties_words
from workbench.evaluate.tile import Tile
from workbench.evaluate.verdict import verdict
from workbench.ldp.encoding import EncodingChoice, EncodingKind
from workbench.ldp.plan import CollectionPlan, Shape
from workbench.ldp.prediction import curator_noise, reference
from workbench.ldp.share_margin import MARGIN
from workbench.session import Session
from workbench.session.collection.guessing import beats_guessing
from workbench.session.collection.margin_decision import margin_beats_guessing
from workbench.session.collection.predicted_table import figure_lines
from workbench.session.collection.words import scale_of

PEOPLE, BINS = 1000, 8
AGES = Schema((ColumnSpec("age", Kind.INTEGER),))
ASKED = Question(Statistic.HISTOGRAM, "age", EncodingChoice(how=EncodingKind.BINS, bins=BINS, bounds=(0.0, 120.0)))


def compared(basis: Basis, epsilon: float, repetitions: int = 400) -> Findings:
    experiment = Experiment(
        ASKED,
        Metric(Distance.MANHATTAN, True),
        (MethodChoice("global-grid", {"post": "consistent"}),),
        places=(epsilon,),
        basis=basis,
        users=PEOPLE,
        repetitions=repetitions,
    )
    return run(experiment, shaped(experiment, AGES, {}))


def tile_of(found: Findings) -> Tile:
    return verdict(found, found.experiment.places[0]).tiles[0]


def test_plain_counts_have_the_digits_of_collect() -> None:
    found = compared(Basis.SPIKY, 2.0)
    tile, plan = tile_of(found), CollectionPlan(PEOPLE, BINS, 2.0, ordinal=True, shape=Shape.SPIKY)
    collected = reference(plan).curator["l1"]
    assert collected == curator_noise(plan), "plain counts misplace fewer, so that Collect means those"
    assert 1.1 * collected < tile.error < 2.0 * collected, "a total that is noisy too"
    said = plain_counts_words(tile, found, 2.0)
    assert f"misplace fewer: {scale_of('l1').text(collected)}, by formula. Collect says that" in said
    assert said in ties_words(tile, found, 2.0)
    assert setting_words(tile, Statistic.HISTOGRAM) == "How: Discrete Laplace, consistent"


def test_consistent_counts_err_alike_in_both_rooms() -> None:
    """Where many counts are near 0, both rooms mean consistent ones, and nothing need be said."""
    found = compared(Basis.SMOOTH, 0.2)
    tile = tile_of(found)
    collected = reference(CollectionPlan(PEOPLE, BINS, 0.2, ordinal=True, shape=Shape.HUMP)).curator["l1"]
    assert tile.error == pytest.approx(collected, rel=0.1)
    assert plain_counts_words(tile, found, 0.2) == ""


def test_nothing_is_said_of_plain_counts_where_another_error_is_meant() -> None:
    found = compared(Basis.SPIKY, 2.0, 10)
    tile = replace(tile_of(found), error=1.0)
    of_total = replace(found, experiment=replace(found.experiment, metric=Metric(Distance.TOTAL_VARIATION, True)))
    assert plain_counts_words(tile, of_total, 2.0) == plain_counts_words(tile, found, 2.0) != ""
    for other in (
        replace(found.experiment, metric=Metric(Distance.EUCLIDEAN, True)),
        replace(found.experiment, truth=Truth.ALL),
        replace(found.experiment, axis=Axis.BINS, places=(2.0, 4.0)),
    ):
        assert plain_counts_words(tile, replace(found, experiment=other), 2.0) == "", other
    released = replace(tile, approach=Approach.ANONYMISED, setting=MethodChoice("trimmed"))
    assert plain_counts_words(released, found, 2.0) == ""
    # A person with more rows moves a count by more.
    more = plain_counts_words(tile, replace(found, rows_per_person=2), 2.0)
    assert f"{math.ceil(50 * BINS / math.sinh(1.0) / PEOPLE * 1000) / 1000} %" in more


def test_collect_says_what_epsilon_of_its_curator_hides_as_compare_does() -> None:
    """By hand: 2,000 people at ε 0.1, 7 answers; an answer takes noise of twice the scale."""
    desk = Session().collection
    desk.change(encoding=EncodingChoice(domain=tuple("abcdefg")), users=2000, epsilon=0.1, sampling=True)
    planned = desk.planner(every=True)(SILENT)
    said = margin_beats_guessing(planned).rest
    at, alike = (math.hypot(0.0219, math.log(20) * scale / 0.1 / 2000) for scale in (1, 2))
    shown = re.search(r"A trusted curator: ± (\S+) points, ± (\S+) at equal privacy\.", said)
    assert shown is not None
    assert [float(one) for one in shown.groups()] == pytest.approx([100 * at, 100 * alike], abs=0.02)
    assert "2 ε hides an answer" in in_all(beats_guessing(planned, "l1")) and "2 ε hides an answer" in planned.sentence
    assert any("2 ε hides an answer" in row[0] for _, row in figure_lines(planned, MARGIN))


def test_collect_says_where_its_curator_counts_plainly() -> None:
    desk = Session().collection
    desk.change(encoding=ASKED.encoding, users=PEOPLE, epsilon=2.0, sampling=False)
    said = beats_guessing(desk.planner(every=True)(SILENT), "l1")
    assert "A trusted curator, plain counts: " in in_all(said) and "divided by the number of people" in said.means
    assert "plain counts" not in in_all(beats_guessing(desk.planner(every=True)(SILENT), "l2"))
    desk.change(epsilon=0.1, shape=Shape.HUMP)
    assert "A trusted curator: " in in_all(beats_guessing(desk.planner(every=True)(SILENT), "l1"))
    desk.change(epsilon=2.0, shape=Shape.AUTO, sampling=True)
    drawn = beats_guessing(desk.planner(every=True)(SILENT), "l1")
    assert "A trusted curator: " in in_all(drawn) and "Sampling error is in it here" in drawn.means
