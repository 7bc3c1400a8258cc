"""Questions about data in an engine: the same whole numbers as in memory, the same law, the same ledger."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.engines.test_writing import stored_copy
from tests.properties import examples
from workbench.cli.main import main
from workbench.core.filtering import parse
from workbench.core.progress import SILENT
from workbench.core.schema import ColumnSpec, Format, Kind, PrivacyUnit, Schema
from workbench.core.table import Column, Table
from workbench.core.working_table import Preparation
from workbench.engines import opening
from workbench.engines.budget import BeyondMemory, MemoryBudget
from workbench.engines.duckdb_store import DuckStore
from workbench.engines.files import files_of
from workbench.engines.opening import open_stored
from workbench.engines.store import Store
from workbench.engines.stored import StoredColumn, StoredTable, TooManyValues
from workbench.query import rows as rows_module
from workbench.query.catalogue import QUERIES, NoiseSource, QueryDraft
from workbench.query.exact_sums import exact_sums, whole
from workbench.query.experiments import ErrorMeasure, error_by_rows
from workbench.query.plans import plan
from workbench.query.rows import Rows
from workbench.session import Session
from workbench.session.query_command import command

NASTY = ("A", "b'c", 'd"e', "f\\g", "Ж 😀", "", " ", "n/a", "x;--")
SCHEMA = Schema(
    (
        ColumnSpec("age", Kind.INTEGER, bounds=(0.0, 90.0), missing=("", "?")),
        ColumnSpec("pay", Kind.DECIMAL, bounds=(-1.0, 1e6)),
        ColumnSpec("born", Kind.DATE, format=Format(pattern="%Y-%m-%d"), bounds=(0.0, 20_000.0)),
        ColumnSpec("town", Kind.CATEGORY, domain=NASTY[:5], missing=("", "n/a")),
        ColumnSpec("size", Kind.ORDERED, domain=("S", "M", "L")),
    )
)
AGES = ("17", "18", "30", "031", "89", "120", "-4", "", "?", "many")
PAYS = ("0", "0.005", "12.5", "-3", "999999.99", "7", "", "1e3", "1234.56")
DAYS = ("2001-02-03", "1970-01-01", "2024-12-31", "1969-01-01", "", "soon")
SIZES = ("S", "M", "L", "XL", "")
ROW = st.tuples(
    st.sampled_from(AGES), st.sampled_from(PAYS), st.sampled_from(DAYS), st.sampled_from(NASTY), st.sampled_from(SIZES)
)
FILTERS = (
    "",
    "age >= 18",
    "age is missing or town = 'b''c'",
    "not (age < 30 and size <= 'M') or pay > 7",
    "town in ('A', 'f\\g', 'Ж 😀') and born < 2010-01-01",
    "town starts with 'd\"' or town contains ';'",
    "age = 17 and age = 18",
    "pay != 7 and pay is not missing and (age > 17 or age < 90)",
)
NUMBER = {"column": "age", "lower": "0", "upper": "90"}
ENDS = {**NUMBER, "share": "0.1"}
CELLS = {"column": "age", "lower": "0", "upper": "90", "bins": 4}
TOWNS = {"column": "town", "other": True}
QUESTIONS: dict[str, list[dict[str, Any]]] = {
    "count": [{}],
    "sum": [NUMBER, {"column": "pay", "lower": "-1", "upper": "1000000", "resolution": "0.01", "missing": "5"}],
    "mean": [NUMBER, {"column": "born", "lower": "1970-01-01", "upper": "2020-01-01"}],
    "variance": [NUMBER],
    "standard-deviation": [{"column": "pay", "lower": "-1", "upper": "1000000", "resolution": "0.0001"}],
    "histogram": [CELLS, {**CELLS, "outside": "exclude"}, TOWNS, {"column": "size"}],
    "histogram2d": [{**CELLS, "second_column": "town"}, {**TOWNS, "second_column": "size"}],
    "group-by": [
        {"by_column": "town", "statistic": statistic, "other": other, **(NUMBER if statistic != "count" else {})}
        for statistic in ("count", "sum", "mean")
        for other in (False, True)
    ]
    + [{**NUMBER, "by_column": "age", "by_lower": "0", "by_upper": "60", "by_bins": 3, "statistic": "mean"}],
    "median": [NUMBER],
    "quantile": [{**NUMBER, "quantile": "0.1, 0.9"}],
    "minimum": [ENDS],
    "maximum": [ENDS],
    "bounds": [ENDS],
    "mode": [TOWNS],
    "noisy-max": [CELLS],
    "above-threshold": [
        {"column": "town", "threshold": 2},
        {"questions": "age > 17\ntown = 'A' or size = 'S'\nnot pay < 7\nborn is missing", "threshold": 2},
    ],
    "laplace": [{"scale": "2"}, {"scale": "2", "statistic": "sum", **NUMBER}],
    "truncated-geometric": [{}],
    "narrowed": [NUMBER, {**NUMBER, "figure": "standard-deviation"}],
    "limited": [{**NUMBER, "lower": "18"}],
    "undeclared-groups": [{"column": "town"}, {"column": "age"}, {"column": "pay", "delta": "0.01"}],
}


def in_memory(rows: list[tuple[str, ...]]) -> Table:
    return Table(
        tuple(Column.from_texts(name, [row[place] for row in rows]) for place, name in enumerate(SCHEMA.names))
    )


def written(rows: list[tuple[str, ...]], path: Path) -> Path:
    def quoted(text: str) -> str:
        return '"' + text.replace('"', '""') + '"'

    lines = [",".join(SCHEMA.names), *(",".join(map(quoted, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def stored(store: Store, rows: list[tuple[str, ...]], folder: Path) -> StoredTable:
    return open_stored(store, files_of(written(rows, folder / "data.csv"))).table


def draft(kind: str, values: dict[str, Any], where: str = "", noise: NoiseSource = NoiseSource.GRID) -> QueryDraft:
    return QueryDraft(kind, "1" if QUERIES[kind].needs_epsilon else "", values, where, noise)


def measured(table: Table, one: QueryDraft) -> dict[str, list[Any]]:
    asked = plan(one, SCHEMA)
    statistic = asked.mechanism.measure(Rows.of(table, SCHEMA, asked.where))
    return {name: values.tolist() for name, values in statistic.items()}


@pytest.fixture
def no_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fails whatever brings the codes of all rows into memory."""

    def refuse(self: StoredColumn) -> None:
        raise AssertionError(f"the codes of {self.name} were brought into memory")

    monkeypatch.setattr(StoredColumn, "codes", property(refuse))


def some_rows(count: int, seed: int) -> list[tuple[str, ...]]:
    draw = random.Random(seed)
    return [tuple(map(draw.choice, (AGES, PAYS, DAYS, NASTY, SIZES))) for _ in range(count)]


def test_every_kind_of_question_is_compared() -> None:
    assert set(QUESTIONS) == {kind.identifier for kind in QUERIES}


@pytest.mark.usefixtures("no_codes")
class TestTheSameWholeNumbers:
    @settings(max_examples=examples(8), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(rows=st.lists(ROW, min_size=1, max_size=40), where=st.sampled_from(FILTERS), data=st.data())
    def test_as_in_memory(
        self, duckdb_store: DuckStore, tmp_path: Path, rows: list[tuple[str, ...]], where: str, data: st.DataObject
    ) -> None:
        table, memory = stored(duckdb_store, rows, tmp_path), in_memory(rows)
        for kind, variants in QUESTIONS.items():
            one = draft(kind, data.draw(st.sampled_from(variants)), where)
            assert measured(table, one) == measured(memory, one), (kind, one.values)
        filtered = parse(where, SCHEMA) if where else None
        assert len(Rows.of(table, SCHEMA, filtered)) == len(Rows.of(memory, SCHEMA, filtered))

    def test_every_variant_with_every_filter(self, duckdb_store: DuckStore, tmp_path: Path) -> None:
        rows = some_rows(300, seed=1)
        table, memory = stored(duckdb_store, rows, tmp_path), in_memory(rows)
        variants = [(kind, values) for kind, all_of_it in QUESTIONS.items() for values in all_of_it]
        for position, (kind, values) in enumerate(variants):
            one = draft(kind, values, FILTERS[position % len(FILTERS)])
            assert measured(table, one) == measured(memory, one), (kind, values, one.where)

    @pytest.mark.parametrize("most", [5, 40])
    def test_numbers_are_added_up_by_some_of_their_bits_where_combinations_are_too_many(
        self, duckdb_store: DuckStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
    ) -> None:
        rows = some_rows(120, seed=most)
        table, memory = stored(duckdb_store, rows, tmp_path), in_memory(rows)
        monkeypatch.setattr(rows_module, "_MOST_COMBINATIONS", most)
        brought: list[int] = []
        plain = StoredTable.combinations

        def counted(self: StoredTable, *given: Any) -> Any:
            found = plain(self, *given)
            brought.append(len(found[1]))
            return found

        monkeypatch.setattr(StoredTable, "combinations", counted)
        pay = {"column": "pay", "lower": "-1", "upper": "1000000", "resolution": "0.005"}
        for kind, values in (
            ("group-by", {"by_column": "size", "statistic": "mean", **pay}),
            ("group-by", {"by_column": "town", "statistic": "sum", **pay, "missing": "3", "other": True}),
            ("standard-deviation", pay),
            ("above-threshold", QUESTIONS["above-threshold"][1]),
        ):
            for where in ("", "age >= 18"):
                one = draft(kind, values, where)
                assert measured(table, one) == measured(memory, one), (kind, where)
        # Two halves of a number, by seven groups, where the filter holds and where it does not.
        assert max(brought) <= max(most, 2 * 7 * 2 + 7)

    def test_what_is_brought_follows_the_places_and_not_the_values(
        self, duckdb_store: DuckStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        rows = [(str(n % 91), str(n), "", "A", "SML"[n % 3]) for n in range(3000)]
        table = stored(duckdb_store, rows, tmp_path)
        brought = []
        plain = Store.grouped

        def watched(self: Store, *given: Any) -> Any:
            found = plain(self, *given)
            brought.append(len(found[1]))
            return found

        monkeypatch.setattr(Store, "grouped", watched)
        one = draft("histogram2d", {**CELLS, "second_column": "size"}, "pay > 5 and pay < 2000")
        assert sum(measured(table, one)["count"]) == 1994
        assert brought and max(brought) <= 4 * 3 * 3

    def test_sums_beyond_every_machine_word(self, duckdb_store: DuckStore, tmp_path: Path) -> None:
        rows = some_rows(50, seed=3)
        wide = ColumnSpec("pay", Kind.DECIMAL, bounds=(0.0, 1e12))
        schema = Schema(tuple(wide if spec.name == "pay" else spec for spec in SCHEMA.columns))
        values = {"column": "pay", "lower": "0", "upper": "1000000000000", "resolution": "1"}
        asked = plan(QueryDraft("variance", "1", values, "age > 17"), schema)
        found = [
            asked.mechanism.measure(Rows.of(table, schema, asked.where))["squares"].tolist()
            for table in (stored(duckdb_store, rows, tmp_path), in_memory(rows))
        ]
        assert found[0] == found[1] and max(found[0]) > 1 << 75

    def test_a_column_whose_values_are_not_listed_is_refused_in_words(
        self, duckdb_store: DuckStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(opening, "MOST_VALUES", 20)
        rows = [(str(n), "1", "", "A", "S") for n in range(50)]
        table = stored(duckdb_store, rows, tmp_path)
        for one in (draft("mean", NUMBER), draft("count", {}, "age > 3")):
            with pytest.raises(TooManyValues, match="“age” has more than the 1,000,000 different values"):
                measured(table, one)
        assert measured(table, draft("histogram", TOWNS))["count"][0] == 50


@pytest.mark.xdist_group("spark")
@pytest.mark.timeout(180)
def test_spark_counts_the_same(spark_store: Store, no_codes: None) -> None:
    memory = in_memory(some_rows(200, seed=2))
    table = stored_copy(spark_store, memory)
    for kind, values, where in (
        ("histogram2d", QUESTIONS["histogram2d"][1], FILTERS[3]),
        ("group-by", QUESTIONS["group-by"][-1], ""),
        ("above-threshold", QUESTIONS["above-threshold"][1], FILTERS[1]),
    ):
        one = draft(kind, values, where)
        assert measured(table, one) == measured(memory, one), (kind, where)


def test_sums_of_more_rows_than_a_machine_word_of_bits_has() -> None:
    """Sums stay exact for a table of a hundred billion rows, which only an engine has."""
    times = np.array([10**11 + 1, 3, 10**11 + 7], dtype=np.int64)
    numbers = whole([(1 << 40) + 987_654_321, -5, (1 << 59) + 123_456_789_012_345])
    exact = sum(int(a) * int(b) for a, b in zip(numbers, times, strict=True))
    assert exact_sums(numbers, np.zeros(3, dtype=np.int64), 1, times) == [exact]


class TestOneByOne:
    """What cannot do without rows brings them, if there is room."""

    def test_diffprivlib_and_samples_get_the_same_rows(self, duckdb_store: DuckStore, tmp_path: Path) -> None:
        rows = some_rows(200, seed=5)
        table, memory = stored(duckdb_store, rows, tmp_path), in_memory(rows)
        for kind, values in (("mean", NUMBER), ("count", {}), ("histogram2d", QUESTIONS["histogram2d"][0])):
            one = draft(kind, values, "age > 17 or town = 'A'", NoiseSource.DIFFPRIVLIB)
            assert measured(table, one) == measured(memory, one)
        asked = plan(draft("mean", NUMBER, "size = 'M'"), SCHEMA)
        found = [
            error_by_rows(asked.mechanism, Rows.of(where, SCHEMA, asked.where), [5, 20], repetitions=20, seed=1).mean
            for where in (table, memory)
        ]
        assert found[0] == found[1]

    def test_without_room_the_person_is_told(self, tmp_path: Path) -> None:
        with DuckStore(MemoryBudget()) as store:
            store.budget.limit = 1 << 12
            table = stored(store, some_rows(500, seed=6), tmp_path)
            assert sum(measured(table, draft("mean", NUMBER))["steps"]) > 100 * 90
            one = draft("mean", NUMBER, noise=NoiseSource.DIFFPRIVLIB)
            with pytest.raises(
                BeyondMemory, match=r"all 500 rows one by one, for diffprivlib \(grid noise .*\), in memory"
            ) as refused:
                measured(table, one)
            assert refused.value.field == "memory" and "Raise the memory budget" in refused.value.hint
            asked = plan(draft("mean", NUMBER), SCHEMA)
            with pytest.raises(BeyondMemory, match="for samples of them"):
                error_by_rows(asked.mechanism, Rows.of(table, SCHEMA, None), [5])


@pytest.mark.usefixtures("no_codes")
class TestAsking:
    """The desk of a session, with the data in an engine."""

    @pytest.fixture
    def people(self, tmp_path: Path) -> Path:
        rows = ["who,age,town", *(f"p{n},{20 + n % 50},{'AB'[n % 2]}" for n in range(400))]
        path = tmp_path / "people.csv"
        path.write_text("\n".join(rows) + "\n")
        return path

    @staticmethod
    def opened(path: Path, store: Store | None) -> Session:
        session = Session()
        session.data.open(path, store=store)
        session.data.set_bounds("age", (0.0, 100.0))
        return session

    def test_what_was_asked_in_memory_and_in_the_engine_adds_up_in_one_ledger(
        self, duckdb_store: DuckStore, people: Path
    ) -> None:
        asked = QueryDraft("mean", "0.5", {"column": "age"}, "town = 'A'")
        first = self.opened(people, None)
        first.queries.ask(asked)
        second = self.opened(people, duckdb_store)
        assert second.data.fingerprint == first.data.fingerprint
        known = second.queries.stored(asked)
        assert known is not None and known.released.value == first.queries.answers()[0].released.value
        answered = second.queries.ask(replace(asked, epsilon="0.25"))
        assert abs(answered.released.value - 44) < 20
        assert second.ledger.current.spent().epsilon == first.ledger.current.spent().epsilon == Fraction(3, 4)
        answers = second.queries.batch_asker([QueryDraft("count"), asked], "1")(SILENT)
        assert len(answers) == 2 and first.ledger.current.spent().epsilon == Fraction(7, 4)

    def test_questions_about_different_rows_of_a_column_cost_once(self, duckdb_store: DuckStore, people: Path) -> None:
        session = self.opened(people, duckdb_store)
        for town in "AB":
            session.queries.ask(QueryDraft("count", "0.5", {}, f"town = '{town}'"))
        assert session.ledger.current.spent().epsilon == Fraction(1, 2)

    def test_more_rows_than_were_accounted_for_take_no_part(self, duckdb_store: DuckStore, people: Path) -> None:
        text = people.read_text()
        people.write_text(text + "p7,30,A\n")
        session = self.opened(people, duckdb_store)
        assert session.queries.ask(QueryDraft("count", "100")).released.value == 401
        session.data.set_unit(PrivacyUnit(1, "who"))
        for limited in (False, True):
            session.data.set_preparation(Preparation(limit_rows=limited))
            # A refusal would tell that somebody has more rows.
            answered = session.queries.ask(QueryDraft("count", "100" if limited else "99"))
            assert answered.released.value == 400 and answered.entry.charge.claimed

    def test_whoever_has_a_row_that_matches_is_counted_once_where_rows_are_limited(
        self, duckdb_store: DuckStore, people: Path
    ) -> None:
        """Everybody has a second row, of another town: of a row drawn first, half of them would be missed."""
        again = "".join(f"{line.split(',')[0]},30,Z\n" for line in people.read_text().splitlines()[1:])
        people.write_text(people.read_text() + again)
        for store in (duckdb_store, None):
            session = self.opened(people, store)
            session.data.set_unit(PrivacyUnit(1, "who"))
            session.data.set_preparation(Preparation(where="age < 200", limit_rows=True))
            for where, people_counted in (("town = 'Z'", 400), ("town != 'Z'", 400), ("town = 'Q'", 0)):
                answered = session.queries.ask(QueryDraft("count", "90", {}, where))
                assert answered.released.value == people_counted, where

    def test_experiments_without_samples_need_no_rows(self, duckdb_store: DuckStore, people: Path) -> None:
        found = []
        for store in (None, duckdb_store):
            desk = self.opened(people, store).queries
            asked = QueryDraft("histogram", "1", {"column": "town", "keys": "A,B"}, "age > 30")
            desk.look()
            found.append(desk.histogram_tester(asked, repetitions=5, seed=1)(SILENT))
            found.append(
                desk.epsilon_tester(asked, ["0.1", "1"], repetitions=5, seed=1, metric=ErrorMeasure.EUCLIDEAN)(SILENT)
            )
        assert found[:2] == found[2:]
        assert found[0].true == (152.0, 160.0)

    def test_the_command_that_asks_the_same_names_the_engine(
        self, duckdb_store: DuckStore, people: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        session = self.opened(people, duckdb_store)
        words = command(QueryDraft("mean", "1", {"column": "age"}), session.project, None)
        assert words[words.index("--engine") + 1] == "duckdb"
        assert main([*words[1:], "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["interval"] is not None

    def test_the_command(self, people: Path, capsys: pytest.CaptureFixture[str]) -> None:
        halves = people.with_name("parts")
        halves.mkdir()
        heading, *lines = people.read_text().splitlines()
        for number, some in enumerate((lines[:150], lines[150:])):
            (halves / f"{number}.csv").write_text("\n".join([heading, *some]) + "\n")
        words = ["--query", "count", "--epsilon", "100", "--where", "town = 'A'", "--json"]
        told = []
        for file, engine in ((people, "memory"), (people, "duckdb"), (halves / "*.csv", "duckdb")):
            assert main(["query", str(file), "--engine", engine, *words, "--again"]) == 0
            told.append(json.loads(capsys.readouterr().out))
            assert main(["query", str(file), "--data-engine", engine, *words]) == 0
            again = json.loads(capsys.readouterr().out)
            assert again["stored"] and (again["answer"], again["spent"]) == (told[-1]["answer"], told[-1]["spent"])
        assert [one["answer"] for one in told] == [200, 200, 200]
        assert [one["spent"]["epsilon"] for one in told] == [100.0, 200.0, 300.0]

    def test_what_adds_the_noise_and_where_the_rows_are_have_a_flag_each(
        self, people: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        words = ["query", str(people), "--query", "count", "--epsilon", "1", "--plan", "--json"]

        def planned(*more: str) -> dict[str, Any]:
            assert main([*words, *more]) == 0
            return dict(json.loads(capsys.readouterr().out))

        usual, other = planned(), planned("--noise", "diffprivlib")
        assert (usual["engine"], other["engine"]) == ("grid", "diffprivlib")
        # What these flags said before there was --noise, together with where the rows are, in any order.
        assert planned("--engine", "grid") == planned("--noise", "grid", "--engine", "grid") == usual
        assert planned("--engine", "diffprivlib", "--engine", "duckdb") == other
        assert planned("--engine", "duckdb", "--engine", "diffprivlib") == other
        assert planned("--engine", "diffprivlib", "--data-engine", "duckdb") == other

    @pytest.mark.parametrize(
        "more",
        [
            ["--noise", "grid", "--engine", "diffprivlib"],
            ["--engine", "diffprivlib", "--noise", "grid"],
            ["--noise", "duckdb"],
        ],
    )
    def test_noise_that_contradicts_itself_is_refused(
        self, people: Path, capsys: pytest.CaptureFixture[str], more: list[str]
    ) -> None:
        with pytest.raises(SystemExit) as ended:
            main(["query", str(people), "--query", "count", "--epsilon", "1", "--plan", *more])
        assert ended.value.code == 2
        assert "grid" in capsys.readouterr().err
