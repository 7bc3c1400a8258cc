"""Collections from data in an engine: the same answers as in memory, without anybody's row in memory."""

from __future__ import annotations

import csv
import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from tests.properties import examples
from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Cancelled, CancelToken, Progress
from workbench.core.randomness import SecureSource
from workbench.core.schema import ColumnSpec, Format, Kind, PrivacyUnit
from workbench.engines.duckdb_store import DuckStore
from workbench.engines.files import files_of
from workbench.engines.opening import open_stored
from workbench.engines.store import Store
from workbench.engines.stored import StoredColumn, StoredTable
from workbench.engines.working_table import one_row_each_stored
from workbench.io.reading import read_table
from workbench.ldp.binning import DateUnit
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import Absent, EncodingChoice, EncodingKind, Outside, encode
from workbench.ldp.estimation import AUTOMATIC
from workbench.ldp.scaling import encode_numbers
from workbench.project.model import Preparation
from workbench.session import Session
from workbench.session.collection.aggregation import aggregator

JOBS = ("clerk", "cook", "nurse", 'it\'s \\ "ok" 😀')
CERTAIN = 1e-9
"""How often a right program fails a test of this module that looks at frequencies."""
SPECS = {
    "job": ColumnSpec("job", Kind.CATEGORY, domain=JOBS, missing=("", "n/a")),
    "age": ColumnSpec("age", Kind.INTEGER, bounds=(0.0, 90.0)),
    "day": ColumnSpec("day", Kind.DATE, format=Format(pattern="%Y-%m-%d"), bounds=(19_700.0, 19_900.0)),
}
ENCODINGS = [
    ("job", EncodingChoice(outside=Outside.CLIP)),
    ("job", EncodingChoice(outside=Outside.CLIP, absent=Absent.VALUE)),
    ("job", EncodingChoice(how=EncodingKind.QUESTION, answer=JOBS[3])),
    ("age", EncodingChoice(bins=7, outside=Outside.CLIP)),
    ("age", EncodingChoice(bins=7, outside=Outside.CLIP, absent=Absent.VALUE)),
    ("age", EncodingChoice(how=EncodingKind.EDGES, edges=(0.0, 18.0, 65.0, 99.0), outside=Outside.CLIP)),
    ("age", EncodingChoice(how=EncodingKind.WHOLE, outside=Outside.CLIP)),
    ("day", EncodingChoice(how=EncodingKind.DATES, unit=DateUnit.MONTH, outside=Outside.CLIP)),
]
ROW = st.tuples(
    st.sampled_from(("", "ann", "bob", "cid", "dee")),
    st.sampled_from((*JOBS, "pilot", "", " n/a ")),
    st.sampled_from(("0", "17", "18", "64", "90", "91", "")),
    st.sampled_from(("2024-01-01", "2024-03-31", "1999-12-31", "")),
)
Rows = list[tuple[str, str, str, str]]


@pytest.fixture
def no_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fails whatever brings the codes of all rows into memory."""

    def refuse(self: StoredColumn) -> None:
        raise AssertionError(f"the codes of {self.name} were brought into memory")

    monkeypatch.setattr(StoredColumn, "codes", property(refuse))


def written(folder: Path, rows: Rows) -> Path:
    path = folder / "people.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows([("name", "job", "age", "day"), *rows])
    return path


def stored(store: Store, path: Path) -> StoredTable:
    return open_stored(store, files_of(path)).table


def some_rows(people: int, rows: int, seed: int = 1) -> Rows:
    draw = np.random.default_rng(seed)
    return [
        (
            f"p{row % people:04}",
            JOBS[int(draw.choice(4, p=[0.4, 0.3, 0.2, 0.1]))],
            str(int(draw.integers(0, 90))),
            f"2024-0{int(draw.integers(1, 7))}-15",
        )
        for row in range(rows)
    ]


def opened(path: Path, store: Store | None = None, **changes: Any) -> Session:
    session = Session()
    session.data.open(path, store=store)
    session.data.set_domain("job", JOBS)
    session.data.set_bounds("age", (0.0, 90.0))
    session.collection.change(**{"column": "job", "epsilon": 1.0, **changes})
    session.collection.look()
    return session


class TestAnswers:
    @settings(max_examples=examples(12), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(rows=st.lists(ROW, min_size=1, max_size=30))
    def test_everybody_is_encoded_as_in_memory(
        self, duckdb_store: DuckStore, tmp_path: Path, no_codes: None, rows: Rows
    ) -> None:
        path = written(tmp_path, rows)
        memory, table = read_table(path).table, stored(duckdb_store, path)
        for name, choice in ENCODINGS:
            here, there = (encode(choice, one[name], SPECS[name]) for one in (memory, table))
            assert (len(there), there.counts.tolist()) == (len(here.codes), here.counts.tolist())
            assert here.counts.tolist() == np.bincount(here.codes, minlength=here.domain.size).tolist()
            assert (there.clipped, there.absent, there.binning_error) == (
                here.clipped,
                here.absent,
                here.binning_error,
            )
            assert there.domain.labels == here.domain.labels
            answers = [code for block in there.people.blocks(4) for code in block.tolist()]
            assert Counter(answers) == Counter(here.codes.tolist())
        choice = EncodingChoice(outside=Outside.CLIP)
        mine, theirs = (encode_numbers(choice, one["age"], SPECS["age"]) for one in (memory, table))
        assert len(theirs) == len(mine.scaled)
        assert Counter(x for block in theirs.people.blocks(3) for x in block.tolist()) == Counter(mine.scaled.tolist())
        assert theirs.mean == pytest.approx(mine.mean, rel=1e-12, nan_ok=True)

    def test_values_outside_the_domain_are_named(self, duckdb_store: DuckStore, tmp_path: Path) -> None:
        table = stored(duckdb_store, written(tmp_path, [("ann", "pilot", "200", "")]))
        with pytest.raises(WorkbenchError, match="a value lies outside the public domain") as refused:
            encode(EncodingChoice(), table["job"], SPECS["job"])
        assert "“pilot” lies outside the public domain" in str(refused.value.for_analyst())
        with pytest.raises(WorkbenchError, match="a value lies outside the public bounds") as refused:
            encode_numbers(EncodingChoice(), table["age"], SPECS["age"])
        assert "“200” lies outside the public bounds" in str(refused.value.for_analyst())

    def test_numbers_without_a_value_may_answer_that(self, tmp_path: Path) -> None:
        """Bins with one more answer for people without a number still have middles."""
        column = read_table(written(tmp_path, [("a", "cook", "30", ""), ("b", "cook", "", "")])).table["age"]
        encoded = encode(EncodingChoice(bins=2, absent=Absent.VALUE), column, SPECS["age"])
        assert encoded.counts.tolist() == [1, 0, 1] and encoded.binning_error == 7.5


@pytest.mark.usefixtures("no_codes")
class TestSimulating:
    @pytest.mark.parametrize("identifier", ["grr", "olh", "subset-selection"])
    def test_counts_follow_the_same_draws(self, duckdb_store: DuckStore, tmp_path: Path, identifier: str) -> None:
        path = written(tmp_path, some_rows(400, 400))
        settled = {"protocols": (ProtocolChoice(identifier),), "seed": 3, "repetitions": 4}
        here, there = (opened(path, store, **settled).collection for store in (None, duckdb_store))
        mine, theirs = here.simulator()(SILENT), there.simulator()(SILENT)
        assert mine.truth is not None and theirs.truth is not None
        assert theirs.truth.tolist() == mine.truth.tolist()
        for metric, errors in mine.results[0].errors.items():
            assert theirs.results[0].errors[metric].values.tolist() == errors.values.tolist()
        assert theirs.results[0].estimate.tolist() == mine.results[0].estimate.tolist()
        assert here.planner()(SILENT).sentence == there.planner()(SILENT).sentence

    def test_means_of_a_number_of_people_follow_the_same_draws(self, duckdb_store: DuckStore, tmp_path: Path) -> None:
        path = written(tmp_path, some_rows(300, 300))
        settled = {"column": "age", "protocols": (ProtocolChoice("duchi"),), "seed": 3, "repetitions": 3}
        for users in (100, 700, None):
            mine, theirs = (
                opened(path, store, **settled, users=users).collection.simulator()(SILENT)
                for store in (None, duckdb_store)
            )
            assert theirs.users == mine.users
            assert theirs.true_mean == pytest.approx(mine.true_mean, rel=1e-12)
            assert theirs.means[0].deviation == pytest.approx(mine.means[0].deviation, rel=1e-9)
            if users is not None:  # all of them come in another order, so their coins fall otherwise
                assert theirs.means[0].estimates.tolist() == pytest.approx(mine.means[0].estimates.tolist())


@pytest.mark.usefixtures("no_codes")
class TestOneReportEach:
    def test_each_person_answers_once_with_a_row_that_answers(self, duckdb_store: DuckStore, tmp_path: Path) -> None:
        rows: Rows = [
            ("ann", "cook", "1", ""),
            ("ann", "", "2", ""),
            ("ann", "nurse", "3", ""),
            ("bob", "", "4", ""),
            ("", "clerk", "5", ""),
            ("cid", "clerk", "6", ""),
        ]
        session = opened(written(tmp_path, rows), duckdb_store, one_report_per_person=True)
        session.data.set_unit(PrivacyUnit(1, "name"))
        seen = set()
        for _ in range(12):
            encoded = session.collection.asker()(SILENT).encoded
            assert encoded is not None and len(encoded) == 2 and encoded.counts[0] == 1
            seen.add(tuple(encoded.counts.tolist()))
        assert seen == {(1, 1, 0, 0), (1, 0, 1, 0)}
        assert len(encoded.column) == 2

    def test_every_row_of_a_person_is_equally_likely(self, duckdb_store: DuckStore, tmp_path: Path) -> None:
        people = 4000
        rows: Rows = [(f"p{n}", job, "", "") for job in (*JOBS[:3], "") for n in range(people)]
        table = stored(duckdb_store, written(tmp_path, rows))
        asked = np.array([value != "" for value in table["job"].values])
        column = one_row_each_stored(table, "job", asked, ColumnSpec("name"), SecureSource())
        chosen = dict(zip(column.values, column.counts.tolist(), strict=True))
        assert chosen.pop("") == 0 and sum(chosen.values()) == people
        statistic = sum((count - people / 3) ** 2 / (people / 3) for count in chosen.values())
        assert statistic < chi2.isf(CERTAIN, 2)

    def test_more_persons_than_are_listed(
        self, duckdb_store: DuckStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("workbench.engines.opening.MOST_VALUES", 100)
        session = opened(written(tmp_path, some_rows(150, 400)), duckdb_store, one_report_per_person=True)
        assert not session.data.table.lists("name")
        session.data.set_unit(PrivacyUnit(1, "name"))
        encoded = session.collection.asker()(SILENT).encoded
        assert encoded is not None and len(encoded) == 150

    def test_without_a_column_that_tells_persons_apart(self, duckdb_store: DuckStore, tmp_path: Path) -> None:
        session = opened(written(tmp_path, some_rows(5, 20)), duckdb_store, one_report_per_person=True)
        with pytest.raises(WorkbenchError, match="No column says which rows are one person's"):
            session.collection.asker()(SILENT)


@pytest.mark.xdist_group("spark")
@pytest.mark.timeout(180)
def test_spark_asks_everybody_once(spark_store: Store, no_codes: None, tmp_path: Path) -> None:
    path = written(tmp_path, [*some_rows(40, 200), ("p0000", "", "", ""), ("", "cook", "1", "")])
    session = opened(path, spark_store, one_report_per_person=True)
    session.data.set_unit(PrivacyUnit(1, "name"))
    target = tmp_path / "reports.csv"
    collected = session.collection.exporter(ProtocolChoice("grr"), target)(SILENT)
    assert collected.announcement.reports == 41, "one of each person, and of the row that names nobody"
    session.collection.change(one_report_per_person=False)
    encoded, memory = (one.collection.asker()(SILENT).encoded for one in (session, opened(path)))
    assert encoded is not None and memory is not None
    assert encoded.counts.tolist() == memory.counts.tolist()


@pytest.mark.usefixtures("no_codes")
class TestReports:
    def test_reports_are_those_of_everybody_in_a_random_order(
        self, duckdb_store: DuckStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("workbench.ldp.crowd._AT_ONCE", 100)
        rows = sorted(some_rows(3000, 3000), key=lambda row: JOBS.index(row[1]))
        session = opened(written(tmp_path, rows), duckdb_store)
        session.collection.change(epsilon=30.0)  # nearly everybody says the truth
        target = tmp_path / "reports.csv"
        collected = session.collection.exporter(ProtocolChoice("grr"), target)(SILENT)
        assert collected.claim and collected.announcement.reports == 3000
        assert session.ledger.current.spent().epsilon == collected.epsilon.person
        lines = [int(line) for line in target.read_text(encoding="utf-8").splitlines()[2:]]
        codes = [JOBS.index(row[1]) for row in rows]
        assert Counter(lines) == Counter(codes) and lines != codes
        # The rows were in the order of their codes; the reports are not: no rank correlation is left.
        assert abs(np.corrcoef(lines, np.arange(3000))[0, 1]) < 6.2 / math.sqrt(3000)
        estimated = aggregator([target], AUTOMATIC)(SILENT).estimate
        assert estimated is not None
        assert np.allclose(estimated.counts, np.bincount(codes, minlength=4), atol=1e-6)

    def test_numbers_report_too(self, duckdb_store: DuckStore, tmp_path: Path) -> None:
        rows = some_rows(2000, 2000)
        session = opened(written(tmp_path, rows), duckdb_store, column="age", epsilon=5.0)
        target = tmp_path / "reports.csv"
        session.collection.exporter(ProtocolChoice("duchi"), target)(SILENT)
        found = aggregator([target], AUTOMATIC)(SILENT)
        truth = np.mean([float(row[2]) for row in rows])
        assert found.mean is not None and abs(found.mean - truth) < 6.2 * 46 / math.sqrt(2000)

    def test_nothing_is_written_unless_it_is_charged(
        self, duckdb_store: DuckStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        session = opened(written(tmp_path, some_rows(300, 300)), duckdb_store)
        target = tmp_path / "reports.csv"
        token = CancelToken()

        def listener(fraction: float, text: str) -> None:
            if "reports written" in text:
                token.cancel()

        work = session.collection.exporter(ProtocolChoice("grr"), target)
        with pytest.raises(Cancelled):
            work(Progress(listener, token))
        assert not target.exists() and session.ledger.current.entries == ()

        def full(*_: object, **__: object) -> None:
            raise WorkbenchError("The disk is full.")

        monkeypatch.setattr("workbench.query.ledger.Ledger.charge", full)
        with pytest.raises(WorkbenchError, match="disk is full"):
            work(SILENT)
        assert [path.name for path in tmp_path.glob("*report*")] == []

    def test_more_reports_than_were_declared_are_refused(self, duckdb_store: DuckStore, tmp_path: Path) -> None:
        session = opened(written(tmp_path, some_rows(50, 200)), duckdb_store)
        session.data.set_unit(PrivacyUnit(1, "name"))
        target = tmp_path / "reports.csv"
        with pytest.raises(WorkbenchError, match="more rows than the one row"):
            session.collection.exporter(ProtocolChoice("grr"), target)(SILENT)
        session.collection.change(one_report_per_person=True)
        collected = session.collection.exporter(ProtocolChoice("grr"), target)(SILENT)
        assert (
            collected.announcement.reports == 50 and collected.epsilon.person == session.ledger.current.spent().epsilon
        )

    def test_of_the_working_table_only(self, duckdb_store: DuckStore, tmp_path: Path) -> None:
        session = opened(written(tmp_path, some_rows(200, 200)), duckdb_store)
        session.data.set_preparation(Preparation("age < 45 and not job = 'cook'"))
        encoded = session.collection.asker()(SILENT).encoded
        truth = Counter(row[1] for row in some_rows(200, 200) if int(row[2]) < 45 and row[1] != "cook")
        assert encoded is not None and encoded.counts.tolist() == [truth[job] for job in JOBS]

    def test_the_command(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        rows = some_rows(120, 120)
        (tmp_path / "parts").mkdir()
        for number, half in enumerate((rows[:50], rows[50:])):
            written(tmp_path, half).rename(tmp_path / "parts" / f"{number}.csv")
        words = ["collect", str(tmp_path / "parts" / "*.csv"), "--engine", "duckdb", "--column", "age", "--json"]
        words += ["--bounds=0,90", "--bins", "5", "--protocol", "oue", "--epsilon", "2"]
        told = []
        for more in (["--predict"], ["--seed", "1"], ["--reports", str(tmp_path / "out.csv")]):
            assert main([*words, *more]) == 0
            told.append(json.loads(capsys.readouterr().out))
        assert told[1]["users"] == 120 and sum(told[1]["analyst"]["truth"].values()) == 120
        assert told[2]["count"] == 120 and told[2]["claim"]
        assert main(["aggregate", str(tmp_path / "out.csv"), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["reports"] == 120
