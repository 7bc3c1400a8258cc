"""Every way is tuned and tried on the same public shapes, with as many tries, before anything is compared."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.evaluate.verdict_helpers import AGE, SCHEMA, TOWN, asked, found
from workbench.core.progress import SILENT
from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.core.table import Column, Table
from workbench.evaluate.cell_result import CellResult, ErrorSummary, spread_of
from workbench.evaluate.error_series import ErrorSeries, Point
from workbench.evaluate.experiment import Basis, Experiment
from workbench.evaluate.experiment_edits import changes_for_basis, families, suited
from workbench.evaluate.experiment_run import cells_of, run
from workbench.evaluate.experiment_slots import ExperimentSlot, standing
from workbench.evaluate.families import INTERVALS, ROUNDS, TRIES, furnished, intervals, released_settings, trial
from workbench.evaluate.findings import Findings, by_unfitted_alone, crossings
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.public_shape import shaped
from workbench.evaluate.question import Metric, Question, Statistic
from workbench.evaluate.rising import rises
from workbench.evaluate.setting_words import setting_words, ties_words
from workbench.evaluate.store import ResultStore
from workbench.evaluate.subject import ExperimentData, subject_of
from workbench.evaluate.tile_words import standing_words, told_words
from workbench.evaluate.told_apart import TileStanding
from workbench.evaluate.trimming_loss import loss_words
from workbench.evaluate.verdict import verdict
from workbench.ldp.encoding import EncodingChoice
from workbench.session.comparison_words import findings_words


class TestTuning:
    def test_every_way_has_as_many_tries(self) -> None:
        experiment = asked(Statistic.HISTOGRAM, "age")
        cells = cells_of(experiment, shaped(experiment, SCHEMA, {}))
        tries: dict[Approach, int] = {}
        for cell in cells:
            if cell.experiment.seed != experiment.seed and cell.place == 0.5:
                way = cell.choice.method.approach
                tries[way] = tries.get(way, 0) + cell.experiment.repetitions
        assert set(tries) == {Approach.GLOBAL, Approach.ANONYMISED, Approach.LOCAL}
        assert all(TRIES - 30 < number <= TRIES for number in tries.values())

    def test_formulas_that_choose_are_about_all_whom_tries_are_about(self) -> None:
        """Ten of the shapes that are drawn would be other ones than those on which a rival without a formula errs."""
        deviation = asked(Statistic.DEVIATION, "age", basis=Basis.TAIL, places=(3.0,), methods=families()[:1])
        cells = cells_of(deviation, shaped(deviation, SCHEMA, {}))
        tried, shown = cells[0], next(one for one in cells if one.experiment == deviation)
        assert tried.choice == shown.choice and tried.experiment.repetitions == TRIES // 2
        answerer = tried.answerer()
        errors = [answerer.expected(tried.sample(*divmod(one, 10)), Metric()) for one in range(TRIES // 2)]
        assert tried.result(answerer, [tried.block(answerer, 0, SILENT)]).theory["absolute"] == pytest.approx(
            np.mean([one for one in errors if one is not None])
        )

    def test_what_chooses_is_never_shown(self) -> None:
        experiment = asked(Statistic.HISTOGRAM, "age")
        tried = trial(experiment, 3)
        assert tried.seed != experiment.seed and tried.repetitions == TRIES // 3

    def test_the_curve_of_a_way_is_that_of_its_chosen_settings(self, mean: Findings) -> None:
        assert mean.complete and not mean.missing
        local = mean.series[2]
        assert len(local.rest) > 3
        for point in local.points:
            assert point.by is not None
            own = next(one for one in local.rest if one.choice == point.by)
            assert own.at(point.axis_value).mean == point.mean
        names = [one.name for one in mean.series[0].rest]
        assert len(set(names)) == len(names)

    def test_what_a_formula_says_is_not_left_to_tries(self) -> None:
        methods, places = (MethodChoice("best-local"),), (1.0, 2.0, 5.0)
        local = found(asked(Statistic.MEAN, "age", places=places, methods=methods, repetitions=2, users=30_000)).series[
            0
        ]
        for point in local.points:
            known = [there for one in local.rest if (there := one.at(point.axis_value)) is not None]
            exact = {there.method: there.theory for there in known if math.isfinite(there.theory)}
            assert point.by is not None and len(exact) == 4
            # The formula is about the people who were drawn: other ones in tries than in what is shown.
            assert point.theory < 1.1 * min(exact.values())

    def test_two_estimates_that_are_the_same_for_yes_and_no_are_of_the_same_reports(self) -> None:
        """So that the better of the two, along ε, is not now the one and now the other by luck."""
        yes = Schema((replace(TOWN, domain=("no", "yes")),))
        direct = MethodChoice("local", {"protocol": "grr"})
        both = direct, replace(direct, values={"protocol": "grr", "estimator": "em"})
        wanted = asked(Statistic.HISTOGRAM, "town", users=1000, places=(1.0, 2.0), methods=(*both, families()[2]))
        plain, by_em, best = found(wanted, yes).series
        assert [one.mean for one in by_em.points] == pytest.approx([one.mean for one in plain.points], rel=0.01)
        assert [None if one.by is None else one.by.values for one in best.points] == [direct.values] * 2

    @pytest.mark.parametrize(
        ("rounds", "taken", "tries"),
        [
            ([{"a": (1.0, 0.1), "b": (2.0, 0.1)}], "a", 2),
            # Chance tells them apart, and so does the next round.
            ([{"a": (1.0, 0.3), "b": (0.8, 0.3)}, {"a": (1.0, 0.01), "b": (0.1, 0.01)}], "b", 4),
            # Nothing does: the first of equals, unless another one seems to err clearly less.
            ([{"a": (1.0, 0.3), "b": (0.99, 0.3)}] * ROUNDS, "a", 2 * ROUNDS),
            ([{"a": (1.0, 0.3), "b": (0.8, 0.3)}] * ROUNDS, "b", 2 * ROUNDS),
            # A formula is no matter of chance, and is not tried again.
            ([{"a": (0.5, 0.3, 1.0), "b": (2.0, 0.3, 0.9)}], "b", 2),
            ([{"a": (9.0, 0.3, 1.0), "b": (0.8, 0.3)}] + [{"b": (0.8, 0.3)}] * (ROUNDS - 1), "a", 1 + ROUNDS),
            # Whoever is to take the place of a known error must err less by three standard errors, not by luck.
            ([{"b": (0.8, 0.3), "a": (9.0, 0.3, 1.0)}] + [{"b": (0.2, 0.3)}] * (ROUNDS - 1), "a", 1 + ROUNDS),
            ([{"b": (0.8, 0.3), "a": (9.0, 0.3, 1.0)}] + [{"b": (0.05, 0.1)}] * (ROUNDS - 1), "b", 1 + ROUNDS),
            ([{"a": (9.0, 0.3, 1.0), "b": (0.3, 0.3)}] + [{"b": (0.8, 0.3)}] * (ROUNDS - 1), "a", 1 + ROUNDS),
            # Nor is a known one given up for a few tries that happened to miss what the other seldom errs by.
            ([{"a": (9.0, 0.3, 1.21), "b": (0.7, 0.1)}] + [{"b": (1.27, 0.3)}] * (ROUNDS - 1), "a", 1 + ROUNDS),
            # Whom a formula is about varies as whom tries are about, for they are the same people.
            ([{"a": (9.0, 0.3, 1.8, 0.35), "b": (0.9, 0.15)}] * ROUNDS, "b", 2 * ROUNDS),
        ],
    )
    def test_settings_that_chance_tells_apart_are_tried_again(
        self, rounds: list[dict[str, tuple[float, ...]]], taken: str, tries: int
    ) -> None:
        metric, store = Metric.parse("absolute"), ResultStore()
        subject = SimpleNamespace(question=Question(Statistic.MEAN, "age"))
        names = list(rounds[0])

        def of(round_: int) -> Callable[[int, int], tuple[Any, ...]]:
            return lambda number, _settings: (SimpleNamespace(key=f"{round_} {names[number]}", subject=subject),)

        for round_, some in enumerate(rounds):
            for name, (mean, spread, *formula) in some.items():
                summary = ErrorSummary(mean, mean, mean, spread)
                theory = dict(zip(["absolute", spread_of("absolute")], formula, strict=False))
                store.put(f"{round_} {name}", CellResult({"absolute": summary}, theory, 10))
        shown: Any = tuple((SimpleNamespace(key=name, subject=subject),) for name in names)
        slot = ExperimentSlot(shown, tuple(of(one) for one in range(ROUNDS)))
        assert [one.key for one in slot.chosen(store, metric)] == [taken]
        assert len(slot.tries(store, metric)) == tries

    @pytest.mark.parametrize(
        ("rounds", "ties"),
        [
            ({"a": (1.0, 0.3), "b": (1.1, 0.3), "c": (9.0, 0.3)}, ["b"]),
            ({"a": (1.0, 0.01), "b": (1.1, 0.01), "c": (9.0, 0.3)}, []),
            # Chance has no part in formulas: only those that are equal are as good.
            ({"a": (1.0, 0.3, 1.0), "b": (1.0, 0.3, 1.0), "c": (1.0, 0.3, 1.0001)}, ["b"]),
            ({"a": (math.inf, 0.0), "b": (math.inf, 0.0)}, []),
        ],
    )
    def test_settings_that_nothing_tells_apart_are_as_good(
        self, rounds: dict[str, tuple[float, ...]], ties: list[str]
    ) -> None:
        metric, store, names = Metric.parse("absolute"), ResultStore(), list(rounds)
        subject = SimpleNamespace(question=Question(Statistic.MEAN, "age"))
        for name, (mean, spread, *formula) in rounds.items():
            theory = dict.fromkeys(["absolute"], formula[0]) if formula else {}
            found = CellResult({"absolute": ErrorSummary(mean, mean, mean, spread)}, theory, 10)
            for round_ in range(ROUNDS):
                store.put(f"{round_} {name}", found)

        def of(round_: int) -> Callable[[int, int], tuple[Any, ...]]:
            return lambda number, _settings: (SimpleNamespace(key=f"{round_} {names[number]}", subject=subject),)

        shown: Any = tuple((SimpleNamespace(key=name, subject=subject),) for name in names)
        slot = ExperimentSlot(shown, tuple(of(one) for one in range(ROUNDS)))
        assert slot.chosen(store, metric) == shown[0], "the first of them, in every run"
        assert [one.key for (one,) in slot.as_good(store, metric)] == ties

    def test_tries_come_first_and_nothing_is_run_twice(self) -> None:
        store, experiment = ResultStore(), asked(Statistic.MEAN, "age", repetitions=5)
        first = found(experiment, store=store)
        there = len(store)
        assert found(experiment, store=store) == first and len(store) == there

    def test_numbers_without_a_hierarchy_are_released_in_equal_intervals(self, mean: Findings) -> None:
        assert any(one.choice.values.get("hierarchy") == INTERVALS for one in mean.series[1].rest)

    def test_no_way_is_taken_before_every_way_was_run(self, mean: Findings) -> None:
        assert verdict(mean, 1.0).recommended is not None
        begun = tuple(replace(one, points=()) if one.approach is Approach.LOCAL else one for one in mean.series)
        said = verdict(replace(mean, series=begun, complete=False), 1.0)
        assert (said.waits, said.recommended, said.sentence) == (True, None, "")
        assert {standing_words(one, said) for one in said.tiles} == {""}
        assert "Not every way has been run here yet." in told_words(replace(mean, series=begun, complete=False), 1.0)

    def test_a_total_that_is_public_is_so_for_all(self) -> None:
        counts = Metric.parse("manhattan")
        hidden = asked(Statistic.HISTOGRAM, "town", metric=counts, methods=(MethodChoice("global-grid"),))
        public = replace(hidden, public_total=True)
        store = ResultStore()
        one, two = found(hidden, store=store), found(public, store=store)
        assert one.keys != two.keys
        assert two.series[0].points[0].mean < one.series[0].points[0].mean

    def test_where_most_noise_is_none_a_known_number_leaves_plain_counts_as_they_are(self) -> None:
        """Of d counts one is off by 1: as shares of n that is 1 ÷ n, fitted to n it is (2 − 2 ÷ d) ÷ n."""
        ways = tuple(MethodChoice("global-grid", {"post": post}) for post in ("consistent", "non-negative"))
        best = MethodChoice("best-global")
        public = asked(
            Statistic.HISTOGRAM, "town", methods=(*ways, best), places=(5.0,), repetitions=400, public_total=True
        )
        findings = found(public)
        fitted, plain, taken = (one.points[0] for one in findings.series)
        assert plain.mean < 0.8 * fitted.mean
        assert taken.by is not None and taken.by.values["post"] == "non-negative"
        said = verdict(findings, 5.0).tiles[0]
        assert "Plain counts: none negative, as shares of the people" in ties_words(said, findings, 5.0)

    def test_what_is_done_after_the_noise_makes_no_crossing(self) -> None:
        ways = tuple(MethodChoice("global-grid", {"post": post}) for post in ("consistent", "non-negative"))
        consistent, plain = (
            ErrorSeries(way, way.identifier, Approach.GLOBAL, (Point("", 5.0, error, error, error, 50, 0.0, by=way),))
            for way, error in zip(ways, (0.4, 0.2), strict=True)
        )
        family = replace(plain, choice=MethodChoice("best-global"), rest=(consistent, plain))
        table = Point("", 5.0, 0.3, 0.3, 0.3, 50, 0.0, by=MethodChoice("trimmed"))
        assert by_unfitted_alone(family, table, plain.points[0]), "fitted, they would err more"
        assert not by_unfitted_alone(family, replace(table, mean=0.5), plain.points[0])
        assert not by_unfitted_alone(family, table, replace(consistent.points[0], mean=0.25))


class TestStanding:
    """What is promised with less ε is promised with more, so a way never has to do worse for having more."""

    @pytest.mark.parametrize(
        ("tries", "stand"),
        [
            ([(0.6, 0.1), (0.3, 0.07), (0.5, 0.1), (0.2, 0.05)], [0.1, 0.2, 0.2, 1.0]),
            # Only by more than the standard error of what is between them: 0.13 here.
            ([(0.3, 0.05), (0.42, 0.12)], [0.1, 0.2]),
            ([(0.3, 0.05), (0.44, 0.12)], [0.1, 0.1]),
            # From what stood there before, not from its neighbour.
            ([(0.3, 0.01), (0.5, 0.01), (0.4, 0.01)], [0.1, 0.1, 0.1]),
            ([(0.3, 0.01), (math.inf, 0.0)], [0.1, 0.1]),
            ([(math.inf, 0.0), (math.inf, 0.0)], [0.1, 0.2]),
            # A formula gives way only to what is certain: 3 · 0.05 is less than 0.2, and 3 · 0.1 more.
            ([(0.3, 0.05), (0.9, 0.0, 0.5)], [0.1, 0.1]),
            ([(0.3, 0.1), (0.9, 0.0, 0.5)], [0.1, 0.2]),
        ],
    )
    def test_a_smaller_epsilon_stands_where_its_tries_err_less(
        self, tries: list[tuple[float, ...]], stand: list[float]
    ) -> None:
        metric, store = Metric.parse("absolute"), ResultStore()
        subject = SimpleNamespace(question=Question(Statistic.MEAN, "age"))
        slots = []
        for place, (mean, spread, *formula) in zip((0.1, 0.2, 0.5, 1.0), tries, strict=False):
            summaries = {"absolute": ErrorSummary(mean, mean, mean, spread)} if mean < math.inf else {}
            store.put(f"{place} 0", CellResult(summaries, dict.fromkeys(["absolute"], *formula) if formula else {}, 10))
            store.put(f"{place} 1", CellResult({"absolute": ErrorSummary(9e9, 9e9, 9e9, 0.0)}, {}, 10))

            def of(number: int, _settings: int, place: float = place) -> tuple[Any, ...]:
                return (SimpleNamespace(key=f"{place} {number}", subject=subject),)

            shown: Any = tuple((SimpleNamespace(place=place),) for _ in range(2))
            slots.append(ExperimentSlot(shown, (of,)))
        assert [one.cells[0][0].place for one in standing(slots, store, metric)] == stand

    def test_what_stands_with_less_epsilon_is_said_and_carried_out_with_it(self) -> None:
        steps = MethodChoice("trimmed", {"level": 1})
        points = tuple(
            Point("Anonymised", at, 0.3, 0.3, 0.3, 9, 0.01, by=replace(steps, epsilon=own))
            for at, own in ((0.2, None), (0.5, 0.2))
        )
        series = ErrorSeries(families()[1], "Anonymised", Approach.ANONYMISED, points)
        findings = Findings(asked(Statistic.MEAN, "age", places=(0.2, 0.5)), (series,), 400)
        tile = verdict(findings, 0.5).tiles[1]
        assert tile.setting is not None and setting_words(tile, Statistic.MEAN) == "How: Trimmed, level 1, ε = 0.2"
        assert findings.experiment.setting(tile.setting, 0.5, 400).epsilon == 0.2
        # ln(1 + (e^0.2 − 1) ÷ 2e-5) ÷ 0.2 − ½ is 46.1, and with 0.5 it would be 20.3.
        assert ": here 46." in loss_words(tile, findings, 0.5)
        kept = (
            "Anonymised answers at ε = 0.5 as with 0.2: what a smaller ε promises holds with more, and no setting "
            "tried came out better."
        )
        assert f"• {kept}" in findings_words(findings)

    def test_a_curve_is_the_same_at_the_places_at_which_one_setting_stands(self) -> None:
        places = (0.5, 0.6, 0.7, 1.0)
        experiment = asked(Statistic.MEAN, "age", places=places, methods=families()[1:2], repetitions=10, users=2000)
        series, store = found(experiment).series[0], {}
        for point in series.points:
            assert point.by is not None
            own = point.by.epsilon or point.axis_value
            assert own <= point.axis_value and point.epsilon == own, "never more is spent than may be"
            assert store.setdefault(own, point.mean) == point.mean


class TestCurves:
    def test_no_crossing_is_told_that_post_processing_made(self) -> None:
        def curve(identifier: str, first: float, last: float, **values: object) -> ErrorSeries:
            choice = MethodChoice(identifier, values)
            points = [Point(choice.name, at, mean, mean, mean, 9, 0.0) for at, mean in ((1.0, first), (2.0, last))]
            return ErrorSeries(choice, choice.name, choice.method.approach, tuple(points))

        experiment = asked(Statistic.HISTOGRAM, "town", basis=Basis.ROWS, users=None, places=(1.0, 2.0))
        raw, local = curve("global-grid", 3.0, 1.0), curve("local", 2.0, 2.0)
        one = Findings(experiment, (raw, local), 10)
        assert not crossings(one) and any("post-processing alone" in line for line in findings_words(one))
        consistent = curve("global-grid", 3.0, 1.0, post="consistent")
        assert len(crossings(replace(one, series=(consistent, local)))) == 1

    def test_no_crossing_follows_from_a_noisy_choice(self) -> None:
        def curve(choice: MethodChoice, *means: float, spread: float = 0.01, **more: object) -> ErrorSeries:
            points = [
                Point(choice.name, at, one, one, one, 9, spread) for at, one in zip((1.0, 2.0), means, strict=True)
            ]
            return ErrorSeries(choice, choice.name, choice.method.approach, tuple(points), **more)

        experiment = asked(Statistic.MEAN, "age", places=(1.0, 2.0))
        duchi, noise = (MethodChoice("local", {"protocol": one}) for one in ("duchi", "laplace"))
        above, alone = curve(noise, 3.0, 1.0), curve(duchi, 2.0, 2.0)
        family = curve(MethodChoice("best-local"), 3.0, 1.0, rest=(above, alone))
        # What a way may choose is never better than the way.
        assert len(crossings(Findings(experiment, (above, alone), 10))) == 1
        assert not crossings(Findings(experiment, (family, alone), 10))
        # Another setting of the family may well err less than what stands below it.
        other = curve(MethodChoice("best-global"), 2.0, 2.0)
        surely = curve(MethodChoice("best-local"), 3.0, 1.0, rest=(above,))
        perhaps = replace(surely, rest=(above, curve(duchi, 3.1, 1.0, spread=0.6)))
        assert len(crossings(Findings(experiment, (surely, other), 10))) == 1
        assert not crossings(Findings(experiment, (perhaps, other), 10))

    def test_a_private_curve_that_rises_says_why(self) -> None:
        choice = MethodChoice("anonymised")
        points = tuple(Point("S", at, mean, mean, mean, 9, 0.01) for at, mean in ((0.5, 1.0), (2.0, 3.0)))
        series = ErrorSeries(choice, "S", Approach.ANONYMISED, points)
        assert rises(series) == points and rises(replace(series, points=points[:1])) is None
        words = findings_words(Findings(asked(Statistic.MEAN, "age"), (series,), 10))
        assert any("rises between ε = 0.5 and 2" in line and "k with it" in line for line in words)

    def test_a_private_curve_that_is_seen_to_rise_by_chance_says_so(self) -> None:
        points = tuple(Point("S", at, mean, mean, mean, 9, 0.5) for at, mean in ((0.5, 1.0), (2.0, 1.2)))
        series = ErrorSeries(MethodChoice("anonymised"), "S", Approach.ANONYMISED, points)
        words = findings_words(Findings(asked(Statistic.MEAN, "age"), (series,), 10))
        assert "• The error rises by no more than chance explains: of S between ε = 0.5 and 2." in words
        flat = replace(series, points=(points[0], replace(points[1], mean=1.05)))
        assert not findings_words(Findings(asked(Statistic.MEAN, "age"), (flat,), 10))


class TestBeginning:
    def test_it_is_about_a_public_shape_with_a_typed_number(self) -> None:
        first = suited(SCHEMA)
        assert first.basis is Basis.EITHER and first.users == 1000 and first.methods == families()

    def test_of_true_values_all_rows_take_part(self) -> None:
        changed = replace(suited(SCHEMA), **changes_for_basis(suited(SCHEMA), Basis.ROWS))
        assert changed.users is None and not changed.basis.public
        again = replace(changed, **changes_for_basis(changed, Basis.SPIKY))
        assert again.users == 1000

    def test_an_experiment_that_was_saved_before_is_about_the_true_values(self) -> None:
        plain = asked(Statistic.MEAN, "age", basis=Basis.ROWS, users=None).to_json()
        del plain["basis"], plain["public_total"]
        assert Experiment.from_json(plain).basis is Basis.ROWS


def test_on_true_values_ways_are_tuned_on_them() -> None:
    ages = np.random.default_rng(3).integers(18, 60, 800)
    column = Column("age", ages.astype(np.int32), tuple(map(str, range(100))))
    material = ExperimentData(Table((column,)), Schema((AGE,)), {}, "ages")
    experiment = asked(Statistic.HISTOGRAM, "age", basis=Basis.ROWS, users=None)
    said = verdict(run(experiment, material), 2.0)
    # Added and trimmed noise are as wide as each other here, so that chance alone says which of the two errs less.
    near = TileStanding.TAKEN, TileStanding.ALIKE, TileStanding.UNTOLD
    assert [one.standing in near for one in said.tiles] == [True, True, False]
    assert said.recommended is not Approach.LOCAL
    assert [one.setting is not None for one in said.tiles] == [True] * 3


def test_only_what_was_chosen_is_run_in_full() -> None:
    experiment = asked(Statistic.MEAN, "age", places=(0.1, 0.5, 1.0, 5.0), repetitions=10)
    assert experiment.looked_at == 1.0
    assert replace(experiment, epsilon=9.0).looked_at == 1.0 == experiment.places[2]
    findings = run(experiment, shaped(experiment, SCHEMA, {}))
    local = findings.series[2]
    for setting in local.rest:
        for point in setting.points:
            chosen = local.at(point.axis_value)
            assert chosen is not None
            full = setting.choice == chosen.by
            assert point.repetitions == (10 if full else TRIES // len(local.rest))


CENTS = Schema((ColumnSpec("charge", Kind.DECIMAL), ColumnSpec("fee", Kind.INTEGER)))


@pytest.mark.parametrize(
    ("column", "high", "most", "as_they_are"),
    [
        ("charge", 100.0, None, False),
        ("charge", 100_000.0, 2000.0, False),
        ("fee", 100_000.0, 2000.0, False),
        ("fee", 100.0, None, True),
        ("fee", 100.0, 20.0, True),
    ],
)
@pytest.mark.parametrize("statistic", [Statistic.MEAN, Statistic.HISTOGRAM])
def test_numbers_of_a_shape_are_released_as_they_are_only_where_it_has_all_that_are_possible(
    statistic: Statistic, column: str, high: float, most: float | None, as_they_are: bool
) -> None:
    """One of a thousand numbers of a shape stands for many cents, which hardly two people share."""
    question = Question(statistic, column, EncodingChoice(bounds=(0.0, high)))
    wanted = Experiment(
        question=question,
        methods=(MethodChoice("best-anonymised"),),
        places=(1.0,),
        basis=Basis.TAIL,
        users=9000,
        most_below=most if statistic is Statistic.MEAN else None,
    )
    subject = subject_of(furnished(shaped(wanted, CENTS, {}), wanted, question), question)
    levels = {one.checked()["level"] for one in released_settings(subject)}
    assert (0 in levels) is as_they_are and max(levels) > 1


def test_a_release_of_amounts_is_foreseen_as_it_comes_out() -> None:
    """Amounts of which 9 in 10 are below 2,000, all of them different: on their shape as on themselves."""
    amounts = np.random.default_rng(3).lognormal(math.log(2000) - 1.28, 1.0, 9000).clip(0.01, 100_000)
    table = Table((Column("charge", np.arange(9000, dtype=np.int32), tuple(f"{one:.4f}" for one in amounts)),))
    alone = Schema((ColumnSpec("charge", Kind.DECIMAL),))
    question = Question(Statistic.MEAN, "charge", EncodingChoice(bounds=(0.0, 100_000.0)))
    narrow = intervals(table["charge"], alone["charge"], question, 2000.0)
    assert narrow is not None
    errors = []
    for basis, most in ((Basis.TAIL, 2000.0), (Basis.ROWS, None)):
        wanted = Experiment(
            question=question,
            methods=(MethodChoice("best-anonymised"),),
            places=(1.0,),
            repetitions=30,
            basis=basis,
            users=9000,
            most_below=most,
        )
        data = (
            shaped(wanted, alone, {}) if basis.public else ExperimentData(table, alone, {"charge": narrow}, "amounts")
        )
        errors.append(run(wanted, data, workers=1).points[0].mean)
    assert errors[1] < errors[0] < 2.5 * errors[1], "it comes out as was said, or better"
