"""What a release cost: summaries, pairs of columns and answers, each checked against counting row by row."""

from __future__ import annotations

import itertools
import math
import statistics
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from workbench.anonymise.compared import Compared, Meaning
from workbench.anonymise.contingency import cross
from workbench.anonymise.query_error import answer, with_spread
from workbench.anonymise.questions import ReleaseQuestion, ReleaseStatistic
from workbench.anonymise.recipe import ColumnPlan, Treatment
from workbench.anonymise.redraws import SampledDraws, TrimmedDraws
from workbench.anonymise.summary import summarise, summarise_numbers
from workbench.anonymise.trim_recipe import TrimRecipe, TrimStep
from workbench.anonymise.trimming import trim
from workbench.core.errors import WorkbenchError
from workbench.core.filtering import parse
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import Cancelled, CancelToken, Progress
from workbench.core.randomness import SeededSource
from workbench.core.schema import ColumnSpec, Format, Kind, Schema
from workbench.core.table import Column, Table

AGES = Hierarchy.from_rows([(str(a), f"{a // 10 * 10}-{a // 10 * 10 + 9}", "*") for a in range(20, 60)])
CITIES = Hierarchy.from_rows([("Bern", "inland", "*"), ("Basel", "inland", "*"), ("Genoa", "coast", "*")])
SCHEMA = Schema((ColumnSpec("age", Kind.INTEGER), ColumnSpec("city", Kind.CATEGORY), ColumnSpec("pay", Kind.INTEGER)))


def people(count: int = 400) -> Table:
    draw = np.random.default_rng(7)
    ages = draw.integers(20, 60, count)
    cities = np.where(ages < 40, draw.choice(["Bern", "Genoa"], count), draw.choice(["Bern", "Basel"], count))
    pay = ages * 10 + draw.integers(0, 50, count)
    return Table(
        (
            Column.from_texts("age", [str(a) for a in ages]),
            Column.from_texts("city", cities.tolist()),
            Column.from_texts("pay", ["" if i % 20 == 0 else str(p) for i, p in enumerate(pay)]),
        )
    )


def released(table: Table, levels: dict[str, int], keep: np.ndarray | None = None, beta: float = 1.0) -> Compared:
    """The table generalised by rewriting every text; `keep` are the rows that go out."""
    hierarchies = {"age": AGES, "city": CITIES}
    rows = np.arange(table.rows) if keep is None else keep
    columns = []
    for column in table.columns:
        texts = [column.texts()[row] for row in rows]
        if column.name in levels:
            lines = {line[0]: line for line in hierarchies[column.name].rows()}
            texts = [lines[text][levels[column.name]] for text in texts]
        columns.append(Column.from_texts(column.name, texts))
    used = {name: hierarchies[name] for name in levels}
    return Compared(table, Table(tuple(columns)), SCHEMA, used, levels, beta=beta)


class TestNumbersOfLabels:
    @pytest.mark.parametrize(
        ("label", "number"),
        [
            ("37", 37),
            ("20-29", 24.5),
            ("[20, 30[", 25),
            ("]1,000, 2,000]", 1500),
            ("-5 to -1", -3),
            ("-5--1", -3),
            ("2.5-3.5", 3),
            ("10–20", 15),
            ("1e3", 1000),
        ],
    )
    def test_a_number_or_the_middle_of_an_interval_is_read_from_the_label(self, label: str, number: float) -> None:
        spec = ColumnSpec("x", Kind.INTEGER, format=Format(thousands=","))
        hierarchy = Hierarchy.from_rows([("7", label)])
        assert Meaning(spec, hierarchy, 1).numbers([label]).tolist() == [number]

    def test_any_other_label_is_the_middle_of_the_values_under_it(self) -> None:
        hierarchy = Hierarchy.from_rows([("1", "low", "*"), ("2", "low", "*"), ("6", "low", "*"), ("9", "≥ 9", "*")])
        meaning = Meaning(ColumnSpec("x", Kind.INTEGER), hierarchy, 1)
        assert meaning.numbers(["low", "≥ 9"]).tolist() == [3.5, 9]
        assert np.isnan(meaning.numbers(["*", "unheard of"])).all()

    def test_labels_of_other_levels_are_known_too(self) -> None:
        hierarchy = Hierarchy.from_rows([("1", "few", "some"), ("2", "few", "some"), ("9", "many", "some")])
        meaning = Meaning(ColumnSpec("x", Kind.INTEGER), hierarchy, 1)
        assert meaning.numbers(["few", "some", "9"]).tolist() == [1.5, 5, 9]
        assert meaning.shares(["few", "some", "9"], parse("x >= 2", Schema((meaning.spec,)))).tolist() == [
            0.5,
            pytest.approx(2 / 3),
            1.0,
        ]

    def test_what_is_no_number_has_none(self) -> None:
        assert np.isnan(Meaning(SCHEMA["city"], CITIES, 1).numbers(["inland"])).all()


class TestSummary:
    def test_figures_are_those_of_counting_row_by_row(self) -> None:
        table = people()
        found = {one.name: one for one in summarise(released(table, {"age": 1, "city": 1})).columns}
        ages = [int(text) for text in table["age"].texts()]
        before, after = found["age"].before, found["age"].after
        assert before.numbers is not None and after.numbers is not None
        for summary, numbers in ((before.numbers, ages), (after.numbers, [a // 10 * 10 + 4.5 for a in ages])):
            assert summary.count == len(numbers)
            assert summary.mean == pytest.approx(statistics.mean(numbers))
            assert summary.deviation == pytest.approx(statistics.stdev(numbers))
            assert [summary.minimum, summary.lower_quartile, summary.median] == pytest.approx(
                np.quantile(numbers, [0, 0.25, 0.5]).tolist()
            )
            assert [summary.upper_quartile, summary.maximum] == pytest.approx(np.quantile(numbers, [0.75, 1]).tolist())
        assert (before.distinct, after.distinct) == (len(set(ages)), 4)
        cities = Counter(table["city"].texts())
        assert (found["city"].before.mode, found["city"].before.numbers) == (cities.most_common(1)[0][0], None)
        assert found["city"].after.mode_share == pytest.approx((cities["Bern"] + cities["Basel"]) / 400)

    def test_missing_values_and_stars_are_counted_apart(self) -> None:
        found = {one.name: one for one in summarise(released(people(), {"age": 2, "city": 0})).columns}
        assert found["pay"].before.missing == pytest.approx(20 / 400)
        assert (found["pay"].after.count, found["pay"].after.starred) == (380, 0)
        assert (found["age"].after.count, found["age"].after.starred) == (0, 1)
        assert found["age"].after.numbers is not None and math.isnan(found["age"].after.numbers.mean)
        assert found["age"].after.mode == ""

    def test_what_stands_for_no_number_is_a_share_of_the_values(self) -> None:
        table = people()
        said = [place for place, text in enumerate(table["pay"].texts()) if text][:95]
        texts = ["much" if place in said else text for place, text in enumerate(table["pay"].texts())]
        pay = Column.from_texts("pay", texts)
        odd = Table(tuple(pay if column.name == "pay" else column for column in table.columns))
        found = {one.name: one for one in summarise(released(odd, {"age": 1, "city": 1})).columns}
        assert found["pay"].before.unread == found["pay"].after.unread == pytest.approx(95 / 380)
        assert found["age"].before.unread == found["city"].before.unread == 0

    def test_marked_rows_do_not_count(self) -> None:
        table = people()
        whole = released(table, {"age": 1, "city": 1})
        kept = np.arange(table.rows) % 4 != 0
        part = Compared(table, whole.released, SCHEMA, whole.hierarchies, whole.levels, kept=kept)
        found = summarise(part)
        assert (found.rows_before, found.rows_after, found.lost) == (400, 300, 0.25)
        assert found.columns[0].after.count == 300

    @pytest.mark.parametrize("numbers", [[3.0], [1.0, 2.0], [1e9 + 1, 1e9 + 2, 1e9 + 3, 1e9 + 3]])
    def test_few_and_large_numbers(self, numbers: list[float]) -> None:
        values, counts = np.unique(numbers, return_counts=True)
        found = summarise_numbers(values, counts)
        assert found.median == np.quantile(numbers, 0.5)
        if len(numbers) > 1:
            assert found.deviation == pytest.approx(statistics.stdev(numbers), rel=1e-9)
        else:
            assert math.isnan(found.deviation)


class TestContingency:
    def test_counts_and_association_are_those_of_the_rows(self) -> None:
        stats = pytest.importorskip("scipy.stats.contingency")
        table = people()
        found = cross(released(table, {"age": 1, "city": 1}), "city", "age", most=50)
        pairs = Counter(zip(table["city"].texts(), table["age"].texts(), strict=True))
        for (i, city), (j, age) in itertools.product(enumerate(found.before.first), enumerate(found.before.second)):
            assert found.before.counts[i, j] == pairs[city, age]
        assert found.before.total == 400
        for one in (found.before, found.after, found.grouped):
            assert one.association == pytest.approx(stats.association(one.counts, method="cramer"))
        assert found.after.first == found.grouped.first
        assert found.after.second == found.grouped.second == ("20-29", "30-39", "40-49", "50-59")
        assert found.difference == 0
        np.testing.assert_array_equal(found.after.counts, found.grouped.counts)

    def test_rare_values_are_put_together_and_association_does_not_depend_on_that(self) -> None:
        compared = released(people(), {"age": 0, "city": 0})
        few, all_of_them = cross(compared, "age", "city", most=5), cross(compared, "age", "city", most=99)
        assert few.before.counts.shape == (6, 3)
        assert (len(few.before.first), few.before.others_first) == (5, 35)
        assert few.before.total == 400
        assert few.before.association == all_of_them.before.association
        assert all_of_them.before.others_first == 0

    def test_the_difference_is_what_suppression_moved(self) -> None:
        table = people()
        compared = released(table, {"age": 1, "city": 1}, np.flatnonzero(np.array(table["city"].texts()) != "Genoa"))
        found = cross(compared, "age", "city")
        shares: list[Counter[tuple[str, str]]] = []
        for ages, cities, total in (
            (compared.grouped("age"), compared.grouped("city"), table.rows),
            (compared.after("age"), compared.after("city"), compared.rows_after),
        ):
            counted = Counter(zip(ages.texts(), cities.texts(), strict=True))
            shares.append(Counter({pair: n / total for pair, n in counted.items()}))
        pairs = set(shares[0]) | set(shares[1])
        assert found.difference == pytest.approx(sum(abs(shares[0][p] - shares[1][p]) for p in pairs) / 2)
        assert found.difference > 0.1
        assert math.isnan(found.after.association), "only one label of city is left"

    def test_one_column_twice_and_columns_that_are_not_released_are_refused(self) -> None:
        compared = released(people(), {"age": 1, "city": 1})
        with pytest.raises(WorkbenchError, match="same"):
            cross(compared, "age", "age")
        with pytest.raises(WorkbenchError, match="no column"):
            cross(compared, "age", "shoes")


class TestQuestions:
    def test_levels_zero_without_suppression_answer_exactly(self) -> None:
        table = people()
        compared = released(table, {"age": 0, "city": 0})
        for asked in (
            ReleaseQuestion(ReleaseStatistic.COUNT, where="age >= 30"),
            ReleaseQuestion(ReleaseStatistic.SUM, "pay"),
            ReleaseQuestion(ReleaseStatistic.MEAN, "age", "age < 33"),
            ReleaseQuestion(ReleaseStatistic.MEAN, "pay", "city = 'Bern'"),
            ReleaseQuestion(ReleaseStatistic.HISTOGRAM, "age", "city = 'Bern'"),
        ):
            found = answer(compared, asked)
            assert found.released == pytest.approx(found.true)
            assert found.absolute == pytest.approx(0, abs=1e-9)
        pays = [int(p) for p, c in zip(table["pay"].texts(), table["city"].texts(), strict=True) if p and c == "Bern"]
        assert answer(compared, ReleaseQuestion(ReleaseStatistic.MEAN, "pay", "city = 'Bern'")).true == pytest.approx(
            np.mean(pays)
        )

    def test_a_reader_takes_labels_for_the_middle_and_filters_by_even_shares(self) -> None:
        table = people()
        compared = released(table, {"age": 1, "city": 1})
        ages = [int(text) for text in table["age"].texts()]
        count = answer(compared, ReleaseQuestion(ReleaseStatistic.COUNT, where="age < 25"))
        twenties = sum(a < 30 for a in ages)
        assert (count.true, count.released) == (sum(a < 25 for a in ages), pytest.approx(twenties / 2))
        mean = answer(compared, ReleaseQuestion(ReleaseStatistic.MEAN, "age"))
        assert mean.released == pytest.approx(np.mean([a // 10 * 10 + 4.5 for a in ages]))
        assert mean.percent == pytest.approx(100 * abs(mean.released - np.mean(ages)) / np.mean(ages))
        # Of the twenties only 20 to 24 are meant, whose middle is 22.
        assert answer(compared, ReleaseQuestion(ReleaseStatistic.MEAN, "age", "age < 25")).released == pytest.approx(22)

    def test_counts_and_sums_of_a_sample_are_scaled_and_means_are_not(self) -> None:
        table = people()
        compared = released(table, {"age": 0, "city": 0}, np.arange(0, 400, 4), beta=0.25)
        count = answer(compared, ReleaseQuestion(ReleaseStatistic.COUNT))
        assert (count.true, count.released, count.scale) == (400, 400, 4)
        ages = np.array([int(text) for text in table["age"].texts()])
        assert answer(compared, ReleaseQuestion(ReleaseStatistic.SUM, "age")).released == pytest.approx(
            4 * ages[::4].sum()
        )
        assert answer(compared, ReleaseQuestion(ReleaseStatistic.MEAN, "age")).released == pytest.approx(
            ages[::4].mean()
        )
        assert answer(compared, ReleaseQuestion(ReleaseStatistic.HISTOGRAM, "age")).released == pytest.approx(400)

    def test_a_histogram_spreads_labels_evenly(self) -> None:
        table = people()
        found = answer(released(table, {"age": 1, "city": 1}), ReleaseQuestion(ReleaseStatistic.HISTOGRAM, "age"))
        ages = Counter(int(text) for text in table["age"].texts())
        decades = Counter({d: sum(n for a, n in ages.items() if a // 10 == d) for d in range(2, 6)})
        assert found.bars is not None
        assert found.bars.values == tuple(str(a) for a in range(20, 60))
        expected = [decades[a // 10] / 10 for a in range(20, 60)]
        np.testing.assert_allclose(found.bars.after, expected)
        wrong = sum(abs(ages[a] - e) for a, e in zip(range(20, 60), expected, strict=True))
        assert found.absolute == pytest.approx(wrong)
        assert found.total_variation == pytest.approx(wrong / 400 / 2)

    def test_a_value_that_only_the_release_may_have_counts_among_what_moved(self) -> None:
        """Of ages 20 and 22 a reader of the twenties thinks of twenty to twenty-nine alike."""
        pairs = [("20", "Bern"), ("20", "Bern"), ("22", "Bern"), ("25", "Basel")]
        columns = [
            Column.from_texts(name, list(of))
            for name, of in zip(("age", "city"), zip(*pairs, strict=True), strict=True)
        ]
        table = Table((*columns, Column.from_texts("pay", ["1", "2", "3", "4"])))
        asked = ReleaseQuestion(ReleaseStatistic.HISTOGRAM, "age", "city = 'Bern'")
        found = answer(released(table, {"age": 1, "city": 0}), asked)
        assert found.bars is not None and (found.bars.before == 0).any()
        assert found.total_variation == pytest.approx(1 - 2 * 0.1)

    def test_what_stands_for_no_number_is_left_out_and_told(self) -> None:
        found = answer(released(people(), {"age": 2, "city": 1}), ReleaseQuestion(ReleaseStatistic.MEAN, "age"))
        assert math.isnan(found.released)
        assert found.unread == 1
        assert (
            answer(released(people(), {"age": 2, "city": 1}), ReleaseQuestion(ReleaseStatistic.SUM, "age")).released
            == 0
        )

    @pytest.mark.parametrize(
        ("asked", "field"),
        [
            (ReleaseQuestion(ReleaseStatistic.MEAN, "city"), "column"),
            (ReleaseQuestion(ReleaseStatistic.SUM, "shoes"), "column"),
            (ReleaseQuestion(ReleaseStatistic.HISTOGRAM), "column"),
            (ReleaseQuestion(ReleaseStatistic.COUNT, where="age > 3 and city = 'Bern'"), "where"),
            (ReleaseQuestion(ReleaseStatistic.COUNT, where="age >"), "where"),
        ],
    )
    def test_questions_that_do_not_fit_are_refused(self, asked: ReleaseQuestion, field: str) -> None:
        with pytest.raises(WorkbenchError) as refused:
            answer(released(people(), {"age": 1, "city": 1}), asked)
        assert refused.value.field == field
        assert refused.value.hint

    def test_a_filter_on_a_column_that_was_left_out_is_refused(self) -> None:
        compared = released(people(), {"age": 1, "city": 1})
        narrow = Compared(compared.table, Table(compared.released.columns[:1]), SCHEMA, {"age": AGES}, {"age": 1})
        with pytest.raises(WorkbenchError, match="not in the release"):
            answer(narrow, ReleaseQuestion(ReleaseStatistic.COUNT, where="city = 'Bern'"))


class TestSpread:
    """The spread over simulated releases is that of sampling the rows themselves."""

    @pytest.mark.parametrize(
        "asked",
        [
            ReleaseQuestion(ReleaseStatistic.COUNT, where="age < 30"),
            ReleaseQuestion(ReleaseStatistic.SUM, "pay", "city = 'Bern'"),
            ReleaseQuestion(ReleaseStatistic.MEAN, "pay"),
            ReleaseQuestion(ReleaseStatistic.HISTOGRAM, "age"),
        ],
        ids=lambda asked: asked.statistic.value,
    )
    def test_it_agrees_with_sampling_rows(self, asked: ReleaseQuestion) -> None:
        table, beta, k = people(), 0.5, 24
        levels = {"age": 1, "city": 1}
        whole = released(table, levels, beta=beta)
        groups = list(zip(whole.grouped("age").texts(), whole.grouped("city").texts(), strict=True))
        draw, answers = np.random.default_rng(3), []
        for _ in range(150):
            sampled = np.flatnonzero(draw.random(table.rows) < beta)
            alike = Counter(groups[row] for row in sampled)
            one = answer(released(table, levels, sampled[[alike[groups[r]] >= k for r in sampled]], beta), asked)
            answers.append(one.total_variation if asked.statistic is ReleaseStatistic.HISTOGRAM else one.released)
        spread = with_spread(replace(whole, redraw=SampledDraws(k)), answer(whole, asked), draws=1000).spread
        assert spread is not None
        # Of 150 independent answers a share p ± 4 √(p(1 − p)/150) lies below the quantile p, but for one seed in
        # 15,000; a fifth is added for the error of the thousand draws that gave the quantile.
        for share, bound in ((0.05, spread.low), (0.5, spread.middle), (0.95, spread.high)):
            tolerance = 1.2 * 4 * math.sqrt(share * (1 - share) / len(answers))
            assert np.mean(np.array(answers) < bound - 1e-9) <= share + tolerance
            assert np.mean(np.array(answers) <= bound + 1e-9) >= share - tolerance
        assert spread.low < spread.middle < spread.high

    def test_a_seed_repeats_it_and_nothing_left_is_told(self) -> None:
        compared = replace(released(people(), {"age": 1, "city": 1}, beta=0.5), redraw=SampledDraws(24))
        asked = ReleaseQuestion(ReleaseStatistic.MEAN, "pay")
        found = answer(compared, asked)
        first, again, other = (with_spread(compared, found, seed=seed, draws=50).spread for seed in (1, 1, 2))
        assert first == again != other
        nothing = with_spread(replace(compared, redraw=SampledDraws(1000)), found, draws=20).spread
        assert nothing is not None and nothing.unanswered == 20 and math.isnan(nothing.middle)

    def test_it_can_be_cancelled(self) -> None:
        token = CancelToken()
        compared = replace(released(people(), {"age": 1, "city": 1}, beta=0.5), redraw=SampledDraws(5))
        found = answer(compared, ReleaseQuestion(ReleaseStatistic.COUNT))
        token.cancel()
        with pytest.raises(Cancelled):
            with_spread(compared, found, progress=Progress(None, token))

    @pytest.mark.parametrize(
        "asked",
        [
            ReleaseQuestion(ReleaseStatistic.COUNT, where="age < 30"),
            ReleaseQuestion(ReleaseStatistic.MEAN, "age", "city = 'Bern'"),
            ReleaseQuestion(ReleaseStatistic.HISTOGRAM, "age"),
        ],
        ids=lambda asked: asked.statistic.value,
    )
    @pytest.mark.parametrize("added", ["", "step"])
    def test_it_agrees_with_trimming_again(self, asked: ReleaseQuestion, added: str) -> None:
        table, chain = people(), ({"age": 0, "city": 0}, {"age": 1, "city": 0})
        hierarchies = {"age": AGES, "city": CITIES}
        steps = tuple(TrimStep(levels, Fraction(1), Fraction(1, 100)) for levels in chain)
        plans = tuple(ColumnPlan(name, Treatment.GENERALISE, level) for name, level in chain[0].items())
        recipe = TrimRecipe(plans, steps, step_column=added)
        source, made = SeededSource(5), []
        for _ in range(150):
            outcome = trim(table, recipe, hierarchies, source)
            made.append(
                Compared(table, outcome.rows_alone, SCHEMA, hierarchies, chain[0], redraw=TrimmedDraws(outcome))
            )
        told = [answer(one, asked) for one in made]
        histogram = asked.statistic is ReleaseStatistic.HISTOGRAM
        answers = np.array([one.total_variation if histogram else one.released for one in told])
        spread = with_spread(made[0], told[0], draws=400).spread
        assert spread is not None and spread.low < spread.middle < spread.high
        for share, bound in ((0.05, spread.low), (0.5, spread.middle), (0.95, spread.high)):
            tolerance = 1.3 * 4 * math.sqrt(share * (1 - share) / len(answers))
            assert np.mean(answers < bound - 1e-9) <= share + tolerance
            assert np.mean(answers <= bound + 1e-9) >= share - tolerance

    def test_what_is_not_random_has_no_spread(self) -> None:
        compared = released(people(), {"age": 1, "city": 1})
        found = answer(compared, ReleaseQuestion(ReleaseStatistic.COUNT))
        assert with_spread(compared, found) is found
