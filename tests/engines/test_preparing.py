"""The working table in an engine: the same as in memory wherever no coin is tossed, and honest coins where one is."""

from __future__ import annotations

import csv
import gc
import hashlib
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import chi2

from tests.properties import examples
from workbench.anonymise.recipe import ColumnPlan, Treatment
from workbench.anonymise.sampling import Recipe
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Cancelled, Progress
from workbench.core.randomness import RandomSource, SecureSource, SeededSource
from workbench.core.role_suggestions import suggest
from workbench.core.schema import ColumnSpec, Kind, Misfits, PrivacyUnit, Schema
from workbench.core.table import Table
from workbench.core.working_table import Preparation, PreparedTable, prepare
from workbench.engines import opening, working_table
from workbench.engines.duckdb_store import DuckStore
from workbench.engines.files import files_of
from workbench.engines.opening import open_stored
from workbench.engines.release import release_stored
from workbench.engines.store import Store
from workbench.engines.stored import StoredTable, TooManyValues
from workbench.engines.working_table import prepare_stored
from workbench.io.dialect import Dialect
from workbench.io.reading import read_table
from workbench.project.loading import load
from workbench.session import Session

NAMES = ("who", 'a"; DROP TABLE x; --', "it's `city`\\")
WHO, AGE, CITY = NAMES
NASTY = ("", " ", "a", "'; --", '"', "\\", "é😀", "${x}", "a,b", "line\nbreak", "NULL", "x" * 3000, "%", "\\'")
AGES = ("30", "31", "4", "", "n/a", "x", "1e3", " 7")

Row = tuple[str, str, str]
EITHER = st.lists(st.tuples(st.sampled_from(("", "ann", "bob", "cid")), st.sampled_from(AGES), st.sampled_from(NASTY)))


def quoted(text: str, mark: str) -> str:
    return mark + text.replace(mark, 2 * mark) + mark


def leaves() -> st.SearchStrategy[str]:
    who, age, city = (quoted(name, '"') for name in NAMES)
    # A text that stands for no value equals nothing, and a filter that says otherwise is refused.
    text = st.sampled_from([text for text in NASTY if text.strip()]).map(lambda text: quoted(text, "'"))
    return st.one_of(
        st.builds("{} {} {}".format, st.just(age), st.sampled_from(("<", ">=", "=", "!=")), st.integers(0, 40)),
        st.builds("{} {} {}".format, st.just(city), st.sampled_from(("=", "!=", "contains", "starts with")), text),
        st.builds("{} in ({}, {})".format, st.just(city), text, text),
        st.sampled_from((f"{who} is missing", f"{age} is not missing", f"{who} not in ('ann', 'cid')")),
    )


SEVERAL: list[Row] = [("ann", "x", "a"), ("", "n/a", "\\"), ("bob", "1e3", "a"), ("ann", "4", "a"), ("cid", "31", "\\")]
"""Several values that do not fit, and rows on both sides of every filter below."""

FILTERS = st.recursive(
    leaves(),
    lambda inner: st.one_of(
        st.builds("({} and {})".format, inner, inner),
        st.builds("({} or {})".format, inner, inner),
        st.builds("not ({})".format, inner),
    ),
    max_leaves=6,
)


def written(folder: Path, rows: list[Row], names: tuple[str, ...] = NAMES) -> Path:
    path = folder / "data.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows([names, *rows])
    return path


def both(store: Store, path: Path) -> tuple[Table, StoredTable]:
    """The file in memory and in the engine."""
    return read_table(path, Dialect()).table, open_stored(store, files_of(path, Dialect())).table


def schema(policy: Misfits = Misfits.KEEP, most: int = 1, missing: tuple[str, ...] = ("",)) -> Schema:
    age = ColumnSpec(AGE, Kind.INTEGER, misfits=policy, missing=missing)
    return Schema((ColumnSpec(WHO), age, ColumnSpec(CITY, Kind.CATEGORY)), PrivacyUnit(most, WHO))


def check_same(memory: Table, stored: Table) -> None:
    """Values, counts and rows, in their order."""
    assert stored.names == memory.names
    assert stored.rows == memory.rows
    for one, other in zip(memory.columns, stored.columns, strict=True):
        assert other.values == one.values
        assert other.counts.tolist() == one.counts.tolist()
        assert other.codes.tolist() == one.codes.tolist()
    assert stored.page(0, 50) == memory.page(0, 50)


def outcome(prepared: PreparedTable) -> tuple[object, ...]:
    return (
        prepared.rows_read,
        prepared.filtered_out,
        prepared.left_by_sample,
        prepared.without_person,
        prepared.over_limit,
        dict(prepared.misfits),
    )


def rows_of(table: Table) -> list[tuple[str, ...]]:
    return list(zip(*(column.texts() for column in table.columns), strict=True))


def check_prepares_alike(memory: Table, stored: StoredTable, described: Schema, preparation: Preparation) -> None:
    """Where nothing is random, the same table or the same error."""
    try:
        wanted = prepare(memory, described, preparation, SecureSource())
    except WorkbenchError as error:
        with pytest.raises(type(error)) as refused:
            prepare_stored(stored, described, preparation, SecureSource())
        assert (str(refused.value), refused.value.hint, refused.value.field) == (str(error), error.hint, error.field)
        return
    found = prepare_stored(stored, described, preparation, SecureSource())
    assert outcome(found) == outcome(wanted)
    assert (found.table is stored) == (wanted.table is memory)
    check_same(wanted.table, found.table)
    assert found.population is found.table


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("preparing")


@given(
    EITHER.filter(bool),
    st.one_of(st.just(""), FILTERS),
    st.sampled_from(tuple(Misfits)),
    st.sampled_from((("",), ("n/a",), ("n/a", "x"), ())),
)
@example([("", "x", "a"), ("", "3", "a")], f"{quoted(AGE, chr(34))} is missing", Misfits.MISSING, ("",))
@example([("", "x", "a"), ("", "3", "a")], f"{quoted(AGE, chr(34))} is not missing", Misfits.MISSING, ("n/a",))
@example(SEVERAL, "", Misfits.MISSING, ("",))
@example(SEVERAL, "", Misfits.STOP, ("n/a",))
@example(SEVERAL, f"not ({quoted(AGE, chr(34))} < 31 and {quoted(CITY, chr(34))} = 'a')", Misfits.KEEP, ("",))
@example(SEVERAL, f"{quoted(AGE, chr(34))} < 31 or not {quoted(CITY, chr(34))} != '\\'", Misfits.MISSING, ("n/a", "x"))
@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_misfits_and_filters_are_the_same_as_in_memory(
    duckdb_store: DuckStore, folder: Path, rows: list[Row], where: str, policy: Misfits, missing: tuple[str, ...]
) -> None:
    memory, stored = both(duckdb_store, written(folder, rows))
    check_prepares_alike(memory, stored, schema(policy, missing=missing), Preparation(where=where))


@given(EITHER.filter(bool), st.one_of(st.just(""), leaves()), st.integers(1, 3))
@settings(max_examples=examples(12), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nobody_keeps_more_rows_than_the_limit_and_everybody_keeps_that_many(
    duckdb_store: DuckStore, folder: Path, rows: list[Row], where: str, most: int
) -> None:
    memory, stored = both(duckdb_store, written(folder, rows))
    preparation = Preparation(where=where, limit_rows=True)
    wanted = prepare(memory, schema(most=most), preparation, SecureSource())
    found = prepare_stored(stored, schema(most=most), preparation, SecureSource())
    assert outcome(found) == outcome(wanted)
    assert found.table[WHO].counts.tolist() == wanted.table[WHO].counts.tolist()
    # What stays is a part of what there was, in its order, and the counts are those of what stayed.
    left = iter(rows_of(memory))
    assert all(row in left for row in rows_of(found.table))
    for column in found.table.columns:
        assert column.counts.tolist() == np.bincount(column.codes, minlength=len(column.values)).tolist()


class FixedSource:
    """Words that the test knows."""

    secure = False

    def __init__(self, word: int = 7) -> None:
        self.word = word

    def words(self, count: int) -> NDArray[np.uint64]:
        return np.arange(self.word, self.word + count, dtype=np.uint64)


def coins(source: FixedSource, rows: int) -> list[int]:
    """The first 64 bits of SHA-256 of the key and each row's number."""
    key = b"".join(int(word).to_bytes(8, "big") for word in source.words(2)).hex()
    return [int(hashlib.sha256(f"{key}:{row}".encode()).hexdigest()[:16], 16) for row in range(rows)]


def numbered(store: Store, folder: Path, persons: int, each: int) -> tuple[Table, StoredTable]:
    """Persons with as many rows each, one after the other, and the number of each row."""
    rows = [(f"p{row // each}", str(row), "Ulm") for row in range(persons * each)]
    return both(store, written(folder, rows))


def numbers(table: Table) -> list[int]:
    return [int(text) for text in table[AGE].texts()]


def test_a_row_is_kept_exactly_if_its_coin_says_so(duckdb_store: DuckStore, folder: Path) -> None:
    _, stored = numbered(duckdb_store, folder, 500, 2)
    preparation = Preparation(sample=0.3)
    found = prepare_stored(stored, schema(), preparation, FixedSource())
    limit = int(0.3 * 2**64)  # 0.3 as a float has 53 bits: nothing is lost
    assert numbers(found.table) == [row for row, coin in enumerate(coins(FixedSource(), 1000)) if coin < limit]
    assert found.left_by_sample == 1000 - found.table.rows
    # What is in the rows has nothing to do with it.
    other = [("q", str(row), "Bonn") for row in range(1000)]
    _, others = both(duckdb_store, written(folder, other))
    assert numbers(prepare_stored(others, schema(), preparation, FixedSource()).table) == numbers(found.table)
    # Another key is another sample.
    assert numbers(prepare_stored(stored, schema(), preparation, FixedSource(8)).table) != numbers(found.table)


def test_a_sample_is_drawn_of_what_the_filter_leaves_which_stays_the_population(
    duckdb_store: DuckStore, folder: Path
) -> None:
    _, stored = numbered(duckdb_store, folder, 500, 2)
    where = f"{quoted(AGE, chr(34))} >= 400"
    found = prepare_stored(stored, schema(), Preparation(where=where, sample=0.5), FixedSource())
    limit = 1 << 63
    assert numbers(found.table) == [400 + row for row, coin in enumerate(coins(FixedSource(), 600)) if coin < limit]
    assert numbers(found.population) == list(range(400, 1000))
    assert outcome(found)[:3] == (1000, 400, 600 - found.table.rows)


def test_a_sample_has_the_size_of_fair_coins(duckdb_store: DuckStore, folder: Path) -> None:
    """Wrongly failing with probability 2·10⁻⁹: six standard deviations."""
    _, stored = numbered(duckdb_store, folder, 10_000, 2)
    found = prepare_stored(stored, schema(), Preparation(sample=0.3), SecureSource())
    assert abs(found.table.rows - 6000) < 6 * (20_000 * 0.3 * 0.7) ** 0.5


@pytest.mark.parametrize("at_once", [1 << 24, 7, 1])
def test_every_row_a_filter_left_out_tosses_a_coin_too(
    duckdb_store: DuckStore, folder: Path, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    """Wrongly failing with probability below 10⁻¹¹: nearly every coin says yes, or nearly every no."""
    monkeypatch.setattr(working_table, "_COINS", at_once)
    memory, stored = numbered(duckdb_store, folder, 15, 1)
    for left_out in (0, 1, 7, 8, 14):
        where = f"{quoted(AGE, chr(34))} >= {left_out}"
        for share, wanted in ((1 - 2**-52, 15), (2**-52, 0)):
            preparation = Preparation(where=where, sample=share)
            assert prepare_stored(stored, schema(), preparation, SecureSource()).drawn == wanted
            assert prepare(memory, schema(), preparation, SecureSource()).drawn == wanted
            # With a seed, that number would tell of rows that take no part.
            assert prepare_stored(stored, schema(), preparation, SeededSource(1)).drawn is None
    assert prepare_stored(stored, schema(), Preparation(limit_rows=True), SecureSource()).drawn is None


def test_every_draw_has_a_key_of_its_own_and_a_seed_repeats_it(duckdb_store: DuckStore, folder: Path) -> None:
    """Wrongly failing with probability below 2⁻¹⁰⁰."""
    _, stored = numbered(duckdb_store, folder, 100, 3)

    def drawn(preparation: Preparation, source: RandomSource) -> list[int]:
        return numbers(prepare_stored(stored, schema(), preparation, source).table)

    for preparation in (Preparation(sample=0.5), Preparation(limit_rows=True)):
        assert drawn(preparation, SecureSource()) != drawn(preparation, SecureSource())
        assert drawn(preparation, SeededSource(1)) == drawn(preparation, SeededSource(1))
        assert drawn(preparation, SeededSource(1)) != drawn(preparation, SeededSource(2))
    # Which rows are in the sample does not say which ones stay of a person: the keys differ within one draw, too.
    both_steps = drawn(Preparation(sample=0.5, limit_rows=True), SeededSource(1))
    assert set(both_steps) <= set(drawn(Preparation(sample=0.5), SeededSource(1)))


def test_all_choices_of_rows_are_equally_likely(duckdb_store: DuckStore, folder: Path) -> None:
    """Two of four rows of 3,000 persons: wrongly failing with probability 10⁻⁶, of which the seed takes none."""
    _, stored = numbered(duckdb_store, folder, 3000, 4)
    found = prepare_stored(stored, schema(most=2), Preparation(limit_rows=True), SeededSource(3))
    assert found.over_limit == 6000
    kept: dict[int, tuple[int, ...]] = {}
    for row in numbers(found.table):
        kept[row // 4] = (*kept.get(row // 4, ()), row % 4)
    seen = Counter(kept.values())
    wanted = list(combinations(range(4), 2))
    assert set(seen) == set(wanted)
    statistic = sum((seen[pair] - 500) ** 2 / 500 for pair in wanted)
    assert statistic < chi2.isf(1e-6, len(wanted) - 1)
    assert numbers(found.table) == sorted(numbers(found.table))


@pytest.mark.parametrize(
    "instead",
    [
        pytest.param("place <= 3", id="too many rows"),
        pytest.param("place <= 1", id="too few rows"),
        pytest.param("TRUE ORDER BY n LIMIT 20", id="as many rows, of too few people"),
    ],
)
def test_an_engine_that_limits_otherwise_is_refused(
    duckdb_store: DuckStore, folder: Path, monkeypatch: pytest.MonkeyPatch, instead: str
) -> None:
    _, stored = numbered(duckdb_store, folder, 10, 4)
    honest = duckdb_store.keep

    def careless(select: str, progress: Progress = SILENT, text: str = "") -> str:
        return honest(select.replace("place <= 2", instead), progress, text)

    monkeypatch.setattr(duckdb_store, "keep", careless)
    with pytest.raises(WorkbenchError, match="did not limit the rows per person"):
        prepare_stored(stored, schema(most=2), Preparation(limit_rows=True), SecureSource())


def test_stopping_names_rows_by_their_place_in_the_table(duckdb_store: DuckStore, folder: Path) -> None:
    rows: list[Row] = [("ann", str(row) if row % 9 else "x", "Ulm") for row in range(40)]
    _, stored = both(duckdb_store, written(folder, rows))
    where = f"{quoted(WHO, chr(34))} = 'ann'"
    with pytest.raises(WorkbenchError, match=r"5 rows have .*: “x” in row 1, “x” in row 10, “x” in row 19 and 2 more"):
        prepare_stored(stored, schema(Misfits.STOP), Preparation(where=where), SecureSource())


# Columns with too many values


@pytest.fixture
def unlisted(duckdb_store: DuckStore, folder: Path, monkeypatch: pytest.MonkeyPatch) -> StoredTable:
    """The ages have too many different values to be listed."""
    monkeypatch.setattr(opening, "MOST_VALUES", 50)
    rows: list[Row] = [(f"p{row % 40}", str(row), "Ulm" if row % 2 else "Bonn") for row in range(1000)]
    _, stored = both(duckdb_store, written(folder, rows))
    assert [stored.lists(name) for name in NAMES] == [True, False, True]
    return stored


def test_what_is_not_listed_is_carried_along(unlisted: StoredTable) -> None:
    preparation = Preparation(where=f"{quoted(CITY, chr(34))} = 'Ulm'", sample=0.5, limit_rows=True)
    found = prepare_stored(unlisted, schema(most=3), preparation, SeededSource(2))
    shown = found.table.page(0, 1000)
    assert len(shown) == found.table.rows > 30
    assert all(who == f"p{int(age) % 40}" and city == "Ulm" and int(age) % 2 for who, age, city in shown)
    assert [int(age) for _, age, _ in shown] == sorted(int(age) for _, age, _ in shown)
    assert not found.table.lists(AGE)


@pytest.mark.parametrize(
    ("described", "preparation"),
    [
        (schema(), Preparation(where=f"{quoted(AGE, chr(34))} > 3")),
        (schema(Misfits.MISSING), Preparation()),
    ],
    ids=["filter", "misfits"],
)
def test_what_is_not_listed_cannot_be_asked_about(
    unlisted: StoredTable, described: Schema, preparation: Preparation
) -> None:
    with pytest.raises(TooManyValues, match="different values") as refused:
        prepare_stored(unlisted, described, preparation, SecureSource())
    assert refused.value.hint


def test_what_is_not_listed_cannot_be_counted_by_its_values(unlisted: StoredTable) -> None:
    """Whoever asks is told so, and which column it is; the others are counted as ever."""
    unlisted.require_listed(WHO)
    digits, counts = unlisted.combinations({CITY: None})
    assert [one.tolist() for one in digits] == [[0, 1]] and counts.tolist() == [500, 500]
    for ask in (
        lambda: unlisted.require_listed(AGE),
        lambda: unlisted.combinations({CITY: None, AGE: None}),
        lambda: unlisted.combinations({AGE: np.zeros(1000, dtype=np.int64)}),
        lambda: unlisted[AGE].values,
        lambda: unlisted[AGE].counts,
    ):
        with pytest.raises(TooManyValues, match="different values") as refused:
            ask()
        assert AGE in refused.value.message and refused.value.hint


def test_what_is_not_listed_is_refused_before_a_release_is_drawn(unlisted: StoredTable) -> None:
    class Untouched(SeededSource):
        def words(self, count: int) -> NoReturn:
            raise AssertionError(f"{count} words were drawn for what cannot be written")

    recipe = Recipe((ColumnPlan(CITY, Treatment.GENERALISE), ColumnPlan(AGE, Treatment.KEEP)), 0.5, 1)
    with pytest.raises(TooManyValues, match="different values"):
        release_stored(unlisted, recipe, {}, Untouched(3))


@pytest.mark.parametrize("most", [1, 2])
def test_more_persons_than_are_listed_are_limited_all_the_same(
    duckdb_store: DuckStore, folder: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    nobody = ("", " ", "\xa0", " - \u2003", "\t\u3000\x1f", "'")
    rows: list[Row] = [(f"p{row % 60}", str(row), "") for row in range(150)] + [(who, "1", "") for who in nobody * 3]
    path = written(folder, rows)
    described = replace(schema(most=most), columns=(ColumnSpec(WHO, missing=("", "-", "'")), *schema().columns[1:]))
    preparation = Preparation(limit_rows=True)
    wanted = prepare(read_table(path).table, described, preparation, SecureSource())
    monkeypatch.setattr(opening, "MOST_VALUES", 50)
    stored = open_stored(duckdb_store, files_of(path)).table
    assert not stored.lists(WHO)
    found = prepare_stored(stored, described, preparation, SecureSource())
    assert (found.without_person, found.over_limit) == (wanted.without_person, wanted.over_limit)
    persons = Counter(who for who, _, _ in found.table.page(0, 1000))
    assert persons == {f"p{person}": most for person in range(60)}


# In a session


def test_a_session_prepares_where_its_data_is(duckdb_store: DuckStore, tmp_path: Path) -> None:
    rows: list[Row] = [(f"p{row}", str(row % 50), "Ulm") for row in range(200)]
    path = written(tmp_path, rows)
    memory, stored = Session(), Session()
    memory.data.open(path)
    stored.data.open(path, store=duckdb_store)
    for session in (memory, stored):
        session.data.set_preparation(Preparation(where=f"{quoted(AGE, chr(34))} < 10"))
        assert session.data.needs_preparing
    assert isinstance(stored.data.table, StoredTable)
    assert stored.data.table.rows == 40
    check_same(memory.data.table, stored.data.table)
    assert stored.data.table is stored.data.table
    stored.data.set_preparation(Preparation(sample=0.5))
    first = stored.data.table
    stored.data.set_preparation(Preparation())
    stored.data.set_preparation(Preparation(sample=0.5))
    assert stored.data.table is first  # undo finds the same draw again


def relations(store: DuckStore) -> int:
    gc.collect()
    store.sweep()
    return int(store.rows("SELECT count(*) FROM duckdb_tables()")[0][0])


def test_nothing_is_left_in_the_engine(duckdb_store: DuckStore, folder: Path) -> None:
    _, stored = numbered(duckdb_store, folder, 50, 4)
    preparation = Preparation(where=f"{quoted(AGE, chr(34))} > 3", sample=0.5, limit_rows=True)
    before = relations(duckdb_store)
    found = prepare_stored(stored, schema(Misfits.MISSING), preparation, SecureSource())
    assert relations(duckdb_store) == before + 1
    del found
    assert relations(duckdb_store) == before

    def stop(fraction: float, text: str) -> None:
        if fraction >= least:
            raise Cancelled

    for least in (0.05, 0.15, 0.3, 0.45, 0.55, 0.7, 0.85):
        with pytest.raises(Cancelled):
            prepare_stored(stored, schema(Misfits.MISSING), preparation, SecureSource(), Progress(stop))
        assert relations(duckdb_store) == before, least


# On Spark


@pytest.mark.xdist_group("spark")
@pytest.mark.timeout(180)
def test_spark_describes_and_prepares_alike(spark_store: Store, tmp_path: Path) -> None:
    """The sample's size wrongly fails with probability 2·10⁻⁹: six standard deviations."""
    generator = np.random.Generator(np.random.PCG64(5))
    rows: list[Row] = [
        (f"p{generator.integers(60)}" if generator.random() < 0.9 else "", str(generator.choice(AGES)), text)
        for text in generator.choice([text for text in NASTY if "\n" not in text], 400).tolist()
    ]
    path = written(tmp_path, rows)
    here, there = load(path, Dialect()), load(path, Dialect(), store=spark_store)
    memory, stored = here.reading.table, there.reading.table
    assert isinstance(stored, StoredTable)
    assert (there.proposed, there.suggested_roles) == (here.proposed, here.suggested_roles)
    assert (there.content, there.texts) == (here.content, here.texts)
    assert repr(suggest(stored, there.proposed)) == repr(suggest(memory, here.proposed))
    where = (
        f"{quoted(AGE, chr(34))} < 31 and not {quoted(CITY, chr(34))} contains '\\' or {quoted(WHO, chr(34))} = 'p3'"
    )
    check_prepares_alike(memory, stored, schema(Misfits.MISSING), Preparation(where=where))
    check_prepares_alike(memory, stored, schema(Misfits.STOP), Preparation(where=where))
    found = prepare_stored(stored, schema(most=2), Preparation(sample=0.5, limit_rows=True), SecureSource())
    assert abs(found.left_by_sample - 200) < 60
    assert found.left_by_sample + found.without_person + found.over_limit + found.table.rows == 400
    assert found.table[WHO].counts.max() == 2
    assert found.table[WHO].counts[found.table[WHO].values.index("")] == 0
    left = iter(rows_of(memory))
    assert all(row in left for row in found.table.page(0, 400))
