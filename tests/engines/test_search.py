"""Searches and tables of the syntactic models in an engine: the same as in memory, to the last digit."""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.engines.test_writing import stored_copy
from tests.properties import examples
from workbench.anonymise.contingency import cross
from workbench.anonymise.dp_search import PrivateSearch, choose_levels, public_nodes
from workbench.anonymise.evaluation import Evaluator
from workbench.anonymise.goal import Goal
from workbench.anonymise.level_scores import LevelScoring, Score, scores_of
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.problem import prepare
from workbench.anonymise.query_error import answer
from workbench.anonymise.questions import ReleaseQuestion, ReleaseStatistic
from workbench.anonymise.recipe import Treatment
from workbench.anonymise.recode import Anonymised, Suppressed, apply
from workbench.anonymise.risk import class_sizes
from workbench.anonymise.search import Effort, evaluate, optimise
from workbench.anonymise.summary import summarise
from workbench.anonymise.survival import population_sizes
from workbench.anonymise.utility import METRICS, MetricChoice
from workbench.cli.main import main
from workbench.core.canonical import natural_key
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT, Cancelled, CancelToken, Progress
from workbench.core.randomness import SeededSource
from workbench.core.schema import Role
from workbench.core.table import Column, Table, TooManyGroups
from workbench.core.trim_law import trim_law
from workbench.engines import opening
from workbench.engines.budget import BeyondMemory
from workbench.engines.counting import group_size
from workbench.engines.dispatch import engine_of
from workbench.engines.duckdb_store import DuckStore
from workbench.engines.files import files_of
from workbench.engines.opening import open_stored
from workbench.engines.store import Store
from workbench.engines.stored import StoredTable
from workbench.io.dialect import Dialect
from workbench.project.anonymise_settings import AnonymityKind
from workbench.session import Session
from workbench.session.before_and_after import compared_recoded
from workbench.session.syntactic.question import SyntacticQuestion
from workbench.session.syntactic.results import Recoded, RecodingResult, Refusal

DISEASES = ("flu", "'; DROP TABLE w1; --", "é😀", "*")
ALIKE = Hierarchy.from_rows([(value, "low" if place < 2 else "high", "all") for place, value in enumerate(DISEASES)])
MODELS = (
    ("k=2",),
    ("k=3", "l-diversity=2:disease"),
    ("t-closeness=0.3:disease",),
    ("t-closeness-hierarchical=0.4:disease", "k=2"),
    ("k=2", "d-presence=0,0.9:mark=yes"),
    ("k-map=3:mark=yes", "l-diversity=2:disease"),
    ("average-risk=0.4",),
    ("t-closeness=0.3:disease", "k-map=2:disease=flu"),
)
QUICK = settings(
    max_examples=examples(15),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@dataclass(frozen=True)
class Case:
    """A table with quasi-identifiers, a sensitive column and a mark, and its hierarchies."""

    table: Table
    hierarchies: dict[str, Hierarchy]

    @property
    def top(self) -> dict[str, int]:
        return {name: hierarchy.height for name, hierarchy in self.hierarchies.items()}


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Small tables in which some classes are alike; not every hierarchy ends in a single label."""
    attributes = draw(st.integers(1, 3))
    hierarchies = {}
    for number in range(attributes):
        size = draw(st.integers(1, 6))
        levels = [list(range(size))]
        for _ in range(draw(st.integers(0, 2))):
            merged = {label: draw(st.integers(0, max(levels[-1]))) for label in sorted(set(levels[-1]))}
            levels.append([merged[label] for label in levels[-1]])
        if draw(st.booleans()):
            levels.append([0] * size)
        lines = [tuple(f"{depth}'{level[i]}" for depth, level in enumerate(levels)) for i in range(size)]
        hierarchies[f"q{number}"] = Hierarchy.from_rows(lines)
    cells = [st.sampled_from(hierarchy.values) for hierarchy in hierarchies.values()]
    row = st.tuples(*cells, st.sampled_from(DISEASES), st.sampled_from(("no", "yes")))
    rows = draw(st.lists(row, min_size=1, max_size=30))
    names = (*hierarchies, "disease", "mark")
    return Case(table_of(names, rows), hierarchies)


def table_of(names: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    return Table(
        tuple(Column.from_texts(name, cells) for name, cells in zip(names, zip(*rows, strict=True), strict=True))
    )


def as_read(table: Table) -> Table:
    """The table with its values in the order of first appearance."""
    return Table(tuple(Column.from_texts(column.name, column.texts()) for column in table.columns))


def written(folder: Path, table: Table) -> Path:
    """The table as a file."""
    path = folder / "data.csv"
    lines = [table.names, *(table.row(number) for number in range(table.rows))]
    quoted = [",".join('"' + cell.replace('"', '""') + '"' for cell in line) for line in lines]
    path.write_text("\n".join(quoted) + "\n", encoding="utf-8")
    return path


def stored(store: Store, folder: Path, table: Table) -> StoredTable:
    """The table in the engine, by way of a file."""
    return open_stored(store, files_of(written(folder, table), Dialect())).table


@contextlib.contextmanager
def small_budget(store: Store, groups: int, keys: int = 1) -> Iterator[None]:
    """So little memory that only so many groups with so many keys fit."""
    before = store.budget.limit
    store.budget.limit = group_size(keys) * groups
    try:
        yield
    finally:
        store.budget.limit = before


def chosen(models: Sequence[str]) -> list[ModelChoice]:
    return [ModelChoice.parse(model) for model in models]


def rows_of(table: Table) -> list[tuple[str, ...]]:
    return table.page(0, table.rows)


def marginals(table: Table) -> dict[str, dict[str, int]]:
    """The counts that columns say they have, of values that occur."""
    return {
        column.name: {text: n for text, n in zip(column.values, column.counts.tolist(), strict=True) if n}
        for column in table.columns
    }


def found(table: Table, case: Case, models: Sequence[str], limit: float, metric: str = "loss") -> object:
    """What a search finds, or why it does not."""
    try:
        result = optimise(
            table,
            case.hierarchies,
            Goal(
                chosen(models),
                metric=MetricChoice.parse(metric),
                suppression_limit=limit,
                sensitive_hierarchies={"disease": ALIKE},
            ),
        )
    except TooManyGroups:
        raise
    except WorkbenchError as error:
        return str(error)
    return result.levels, result.score, result.suppressed, result.optimal, result.gap


def check_same_search(store: Store, folder: Path, case: Case, models: Sequence[str], limit: float, metric: str) -> None:
    there = stored(store, folder, case.table)
    wanted = found(case.table, case, models, limit, metric)
    assert found(there, case, models, limit, metric) == wanted
    assert "codes" not in vars(there["q0"])  # no row was brought
    if isinstance(wanted, str):
        return
    alike = {"disease": ALIKE}
    goal = Goal(chosen(models), MetricChoice.parse(metric), limit, sensitive_hierarchies=alike)
    one = prepare(case.table, case.hierarchies, goal)
    two = prepare(there, case.hierarchies, goal)
    assert two.bottom.counts.tolist() == one.bottom.counts.tolist()
    assert two.bottom.keys is not None
    assert one.bottom.keys is not None
    assert two.bottom.keys.tolist() == one.bottom.keys.tolist()
    for node in (dict.fromkeys(case.hierarchies, 0), case.top):
        here, over_there = evaluate(one, node), evaluate(two, node)
        assert (over_there.score, over_there.losses) == (here.score, here.losses)
        assert (over_there.suppressed, over_there.why) == (here.suppressed, here.why)
        assert over_there.sizes.tolist() == here.sizes.tolist()


@QUICK
@given(
    case=cases(),
    models=st.sampled_from(MODELS),
    limit=st.sampled_from((0.0, 0.2, 1.0)),
    metric=st.sampled_from([metric.identifier for metric in METRICS if metric.identifier != "squared-error"]),
)
def test_a_search_in_the_engine_finds_the_same_as_in_memory(
    duckdb_store: Store, tmp_path: Path, case: Case, models: Sequence[str], limit: float, metric: str
) -> None:
    check_same_search(duckdb_store, tmp_path, case, models, limit, metric)


def test_a_metric_that_looks_at_the_values_themselves_finds_the_same(duckdb_store: Store, tmp_path: Path) -> None:
    case = numbers()
    assert next(metric for metric in METRICS if metric.identifier == "squared-error")
    check_same_search(duckdb_store, tmp_path, case, ("k=3",), 0.1, "squared-error")


def numbers(rows: int = 300, seed: int = 4) -> Case:
    """Numbers in three columns, some frequent and most rare."""
    generator = np.random.default_rng(seed)
    columns, hierarchies = [], {}
    for name, size in (("q0", 12), ("q1", 8), ("q2", 5)):
        codes = np.minimum(generator.geometric(0.3, rows) - 1, size - 1)
        columns.append(Column(name, codes, tuple(str(value) for value in range(size))))
        lines = [(str(value), f"{value // 2} of 2", f"{value // 4} of 4", "*") for value in range(size)]
        hierarchies[name] = Hierarchy.from_rows(lines)
    columns.append(Column("disease", generator.integers(0, 4, rows), DISEASES))
    columns.append(Column("mark", generator.integers(0, 2, rows), ("no", "yes")))
    return Case(as_read(Table(tuple(columns))), hierarchies)


@pytest.mark.parametrize(
    ("models", "limit"),
    [(("k=5",), 0.0), (("k=5",), 0.04), (("k=5", "l-diversity=2:disease"), 0.04), (("k-map=9:mark=yes", "k=2"), 0.02)],
)
def test_nodes_are_counted_by_the_engine_one_by_one_where_the_rows_are_of_too_many_kinds(
    duckdb_store: Store, tmp_path: Path, models: Sequence[str], limit: float
) -> None:
    case = numbers()
    there = stored(duckdb_store, tmp_path, case.table)
    whole = prepare(case.table, case.hierarchies, Goal(chosen(models), suppression_limit=limit))
    wanted = found(case.table, case, models, limit)
    keys = 1 if whole.layout.radix == 1 else 2
    for share in (0.9, 0.5):
        with small_budget(duckdb_store, int(share * len(whole.bottom)), keys):
            problem = prepare(there, case.hierarchies, Goal(chosen(models), suppression_limit=limit))
            assert problem.counted is None
            assert found(there, case, models, limit) == wanted
            lowest = problem.lattice.low
            assert Evaluator(problem, 1 << 20).look(lowest) is None


@QUICK
@given(case=cases(), models=st.sampled_from(MODELS), limit=st.sampled_from((0.0, 0.2)), groups=st.integers(2, 12))
def test_with_little_memory_a_search_finds_the_same_or_says_that_it_cannot(
    duckdb_store: Store, tmp_path: Path, case: Case, models: Sequence[str], limit: float, groups: int
) -> None:
    there = stored(duckdb_store, tmp_path, case.table)
    wanted = found(case.table, case, models, limit)
    with small_budget(duckdb_store, groups), contextlib.suppress(TooManyGroups):
        assert found(there, case, models, limit) == wanted


def test_what_is_too_small_is_counted_of_the_rows_to_be_released_only(duckdb_store: Store, tmp_path: Path) -> None:
    # Of class a one row is to be released and of class b three, each among others.
    rows = [("a", "flu", "yes"), *[("a", "flu", "no")] * 9, *[("b", "flu", "yes")] * 3, ("b", "flu", "no")]
    table = table_of(("q0", "disease", "mark"), rows)
    there = stored(duckdb_store, tmp_path, table)
    hierarchies = {"q0": Hierarchy.from_rows([("a", "*"), ("b", "*")])}
    with small_budget(duckdb_store, 1, 2):
        problem = prepare(there, hierarchies, Goal(chosen(["k=2", "k-map=3:mark=yes"]), suppression_limit=1.0))
        assert problem.counter is not None
        with pytest.raises(TooManyGroups) as caught:
            problem.counter.at((0,), smallest=3)
        assert caught.value.rare == 1
        with pytest.raises(TooManyGroups) as caught:
            problem.counter.at((0,), smallest=4)
        assert caught.value.rare == 4


def test_a_search_that_does_not_fit_says_what_to_do(duckdb_store: Store, tmp_path: Path) -> None:
    case = numbers()
    there = stored(duckdb_store, tmp_path, case.table)
    with small_budget(duckdb_store, 3), pytest.raises(TooManyGroups, match="different kinds") as caught:
        optimise(there, case.hierarchies, Goal(chosen(["k=5"]), suppression_limit=1.0))
    assert "memory budget" in caught.value.hint
    assert found(there, case, ("k=5",), 0.0) == found(case.table, case, ("k=5",), 0.0)


def wide(rows: int = 120, columns_of_many: int = 14) -> Case:
    """Columns with so many values that no one number tells their combinations apart."""
    generator = np.random.default_rng(7)
    cells = generator.integers(0, 40, (rows, columns_of_many))
    cells[rows // 2 :] = cells[: rows - rows // 2]
    columns = [Column(f"q{place}", cells[:, place], tuple(map(str, range(40)))) for place in range(columns_of_many)]
    columns.append(Column("disease", generator.integers(0, 4, rows), DISEASES))
    hierarchies = {
        f"q{place}": Hierarchy.from_rows([(str(value), str(value % 2), "*") for value in range(40)])
        for place in range(columns_of_many)
    }
    return Case(as_read(Table(tuple(columns))), hierarchies)


@pytest.mark.parametrize("models", [("k=2",), ("k=2", "l-diversity=2:disease")])
def test_many_columns_are_told_apart_where_one_number_does_not_suffice(
    duckdb_store: Store, tmp_path: Path, models: Sequence[str]
) -> None:
    case = wide()
    there = stored(duckdb_store, tmp_path, case.table)
    one = prepare(case.table, case.hierarchies, Goal(chosen(models)))
    two = prepare(there, case.hierarchies, Goal(chosen(models)))
    assert one.bottom.keys is two.bottom.keys is None
    assert two.bottom.counts.tolist() == one.bottom.counts.tolist()
    for position in range(len(one.names) + 1):
        assert two.bottom.digit(position).tolist() == one.bottom.digit(position).tolist()
    levels = dict.fromkeys(case.hierarchies, 0)
    here = apply(case.table, case.hierarchies, levels, Goal(chosen(models), suppression_limit=1.0))
    over_there = engine_of(there).recode(case.hierarchies, levels, Goal(chosen(models), suppression_limit=1.0))
    assert rows_of(over_there.table) == rows_of(here.table)
    effort = Effort(nodes=40)
    found_here = optimise(case.table, case.hierarchies, Goal(chosen(models), suppression_limit=0.5), effort=effort)
    found_there = optimise(there, case.hierarchies, Goal(chosen(models), suppression_limit=0.5), effort=effort)
    assert (found_there.levels, found_there.score, found_there.gap) == (
        found_here.levels,
        found_here.score,
        found_here.gap,
    )


# Tables


def check_same_table(
    store: Store,
    folder: Path,
    case: Case,
    levels: dict[str, int],
    models: Sequence[str],
    limit: float,
    mark: Suppressed,
) -> None:
    there = stored(store, folder, case.table)
    made: list[Anonymised | str] = []
    for table in (case.table, there):
        try:
            made.append(
                engine_of(table).recode(
                    case.hierarchies,
                    levels,
                    Goal(chosen(models), suppression_limit=limit, sensitive_hierarchies={"disease": ALIKE}),
                    keep=("mark",),
                    on_suppressed=mark,
                )
            )
        except WorkbenchError as error:
            made.append(str(error))
    one, two = made
    if isinstance(one, str) or isinstance(two, str):
        assert one == two
        return
    assert isinstance(two.table, StoredTable)
    assert not isinstance(one.table, StoredTable)
    assert two.table.names == one.table.names
    assert rows_of(two.table) == rows_of(one.table)
    assert rows_of(two.released()) == rows_of(one.released())
    assert marginals(two.table) == marginals(one.table)
    assert marginals(two.released()) == marginals(one.released())
    assert rows_of(two.leaving(tuple(case.hierarchies))) == rows_of(one.leaving(tuple(case.hierarchies)))
    assert two.class_sizes.tolist() == one.class_sizes.tolist()
    assert two.population.tolist() == one.population.tolist()
    assert (two.suppressed, two.rows_in) == (one.suppressed, one.rows_in)
    assert two.table.rows == len(rows_of(two.table))
    for name in two.table.names:
        assert two.released_column(name).counts.sum() == one.released_column(name).counts.sum()


@QUICK
@given(data=st.data(), case=cases(), models=st.sampled_from(MODELS), limit=st.sampled_from((0.3, 1.0)))
def test_a_table_of_the_engine_holds_the_same_rows(
    duckdb_store: Store, tmp_path: Path, data: st.DataObject, case: Case, models: Sequence[str], limit: float
) -> None:
    levels = {name: data.draw(st.integers(0, hierarchy.height)) for name, hierarchy in case.hierarchies.items()}
    mark = data.draw(st.sampled_from(Suppressed))
    check_same_table(duckdb_store, tmp_path, case, levels, models, limit, mark)


@pytest.mark.parametrize("mark", Suppressed)
def test_a_column_whose_values_are_not_listed_is_released_as_it_is(
    duckdb_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mark: Suppressed
) -> None:
    case = numbers()
    names = Column.from_texts("name", [f"'{number}\\" for number in range(case.table.rows)])
    table = Table((*case.table.columns, names))
    monkeypatch.setattr(opening, "MOST_VALUES", 50)
    there = stored(duckdb_store, tmp_path, table)
    assert not there.lists("name")
    levels = {"q0": 2, "q1": 1, "q2": 1}
    given = {"keep": ("name",), "on_suppressed": mark}
    one = apply(table, case.hierarchies, levels, Goal(chosen(["k=3"]), suppression_limit=1.0), **given)
    two = engine_of(there).recode(case.hierarchies, levels, Goal(chosen(["k=3"]), suppression_limit=1.0), **given)
    assert one.suppressed
    assert rows_of(two.table) == rows_of(one.table)
    assert rows_of(two.released()) == rows_of(one.released())
    assert Counter(rows_of(two.leaving(levels))) == Counter(rows_of(one.leaving(levels)))


def test_what_leaves_is_in_an_order_of_its_labels(duckdb_store: Store, tmp_path: Path) -> None:
    case = numbers()
    there = stored(duckdb_store, tmp_path, case.table)
    levels = {"q0": 2, "q1": 2, "q2": 1}
    made = engine_of(there).recode(
        case.hierarchies, levels, Goal(chosen(["k=2"]), suppression_limit=1.0), keep=("mark", "disease")
    )
    leaving, kept = made.leaving(tuple(levels)), rows_of(made.released())
    assert Counter(rows_of(leaving)) == Counter(kept)
    assert rows_of(leaving) != kept
    names = leaving.names
    ranked = [names.index(name) for name in sorted(names, key=lambda name: name not in levels)]
    keys = [[natural_key(row[place]) for place in ranked] for row in rows_of(leaving)]
    assert keys == sorted(keys)
    assert all(leaving[name].values == tuple(sorted(set(leaving[name].texts()), key=natural_key)) for name in names)


def test_a_table_is_refused_if_the_engine_gives_other_rows_than_it_counted(
    duckdb_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = numbers()
    there = stored(duckdb_store, tmp_path, case.table)
    honest = DuckStore.derive

    def twice(self: DuckStore, *given: object, **named: object) -> str:
        made = honest(self, *given, **named)  # type: ignore[arg-type]
        return self.keep(f"SELECT * FROM {made} UNION ALL SELECT * FROM {made}")

    monkeypatch.setattr(DuckStore, "derive", twice)
    with pytest.raises(WorkbenchError, match="Nothing is released"):
        engine_of(there).recode(case.hierarchies, case.top, Goal(chosen(["k=2"]), suppression_limit=1.0))


def test_what_became_of_each_row_is_not_told(duckdb_store: Store, tmp_path: Path) -> None:
    case = numbers()
    made = engine_of(stored(duckdb_store, tmp_path, case.table)).recode(
        case.hierarchies, case.top, Goal(chosen(["k=2"]), suppression_limit=0.0)
    )
    for ask in (lambda: made.rows, lambda: made.kept, lambda: made.class_ids):
        with pytest.raises(WorkbenchError, match="each row is not kept"):
            ask()


def test_local_recoding_brings_the_rows_if_they_fit(duckdb_store: Store, tmp_path: Path) -> None:
    case = numbers()
    there = stored(duckdb_store, tmp_path, case.table)
    question = SyntacticQuestion(
        tuple(chosen(["k=5", "l-diversity=2:disease"])), suppression_limit=0.1, local_recoding=True
    )
    levels = {"q0": 1, "q1": 1, "q2": 0}
    one = question.recode(case.table, case.hierarchies, levels, ("mark",))
    two = question.recode(there, case.hierarchies, levels, ("mark",))
    assert rows_of(two.table) == rows_of(one.table)
    assert two.local is not None and one.local is not None
    assert two.local == one.local
    assert two.local.pass_of is not None and one.local.pass_of is not None
    assert two.local.pass_of.tolist() == one.local.pass_of.tolist()
    fresh = stored(duckdb_store, tmp_path, case.table)
    with small_budget(duckdb_store, 4), pytest.raises(BeyondMemory, match=r"q0.*all 300 rows"):
        question.recode(fresh, case.hierarchies, levels, ("mark",))
    assert engine_of(case.table).bring(("q0",)) is case.table


# Beside the search


@QUICK
@given(case=cases(), data=st.data())
def test_sizes_of_classes_are_counted_by_the_engine(
    duckdb_store: Store, tmp_path: Path, case: Case, data: st.DataObject
) -> None:
    there = stored(duckdb_store, tmp_path, case.table)
    names = [*case.hierarchies, "disease"]
    assert class_sizes(there, names).tolist() == class_sizes(case.table, names).tolist()
    levels = {name: data.draw(st.integers(0, hierarchy.height)) for name, hierarchy in case.hierarchies.items()}
    levels["mark"] = 0
    wanted = population_sizes(case.table, case.hierarchies, levels)
    assert population_sizes(there, case.hierarchies, levels).tolist() == wanted.tolist()


@pytest.mark.parametrize("score", Score)
def test_levels_are_drawn_privately_by_the_same_scores(duckdb_store: Store, tmp_path: Path, score: Score) -> None:
    case = numbers()
    there = stored(duckdb_store, tmp_path, case.table)
    law = trim_law(Fraction(1), Fraction(1, 100_000)) if score is Score.TRIMMED else None
    judgement = LevelScoring(score, 4, 0.5, law)
    nodes = public_nodes(case.hierarchies)
    wanted = scores_of(case.table, case.hierarchies, nodes, judgement)
    assert scores_of(there, case.hierarchies, nodes, judgement) == wanted
    fresh = stored(duckdb_store, tmp_path, case.table)
    with small_budget(duckdb_store, 70):
        assert scores_of(fresh, case.hierarchies, nodes, judgement) == wanted
    search = PrivateSearch(1.0, score=score)
    drawn = [
        choose_levels(table, case.hierarchies, search, k=4, beta=0.5, source=SeededSource(3), law=law)
        for table in (case.table, there)
    ]
    assert drawn[0] == drawn[1]


def test_a_search_can_be_cancelled_and_leaves_nothing(duckdb_store: DuckStore, tmp_path: Path) -> None:
    case = numbers()
    there = stored(duckdb_store, tmp_path, case.table)

    def relations() -> int:
        return int(duckdb_store.rows("SELECT count(*) FROM duckdb_tables()")[0][0])

    before, token = relations(), CancelToken()

    def listen(fraction: float, text: str) -> None:
        if "alike" in text:
            token.cancel()

    with pytest.raises(Cancelled):
        optimise(there, case.hierarchies, Goal(chosen(["k=5"])), progress=Progress(listen, token))
    with pytest.raises(Cancelled):
        engine_of(there).recode(
            case.hierarchies, case.top, Goal(chosen(["k=2"]), suppression_limit=0.0), progress=Progress(listen, token)
        )
    assert relations() == before
    assert found(there, case, ("k=5",), 0.0) == found(case.table, case, ("k=5",), 0.0)


# The whole way


def opened(path: Path, case: Case, store: Store | None = None) -> Session:
    """A session whose question is k = 4 with two diseases at least, and 10 % may be suppressed."""
    session = Session()
    session.data.open(path, store=store)
    for name, hierarchy in case.hierarchies.items():
        session.data.attach_hierarchy(name, hierarchy)
    session.syntactic.set_approach(AnonymityKind.SYNTACTIC)
    session.data.set_role(["disease"], Role.SENSITIVE)
    session.data.set_role(["mark"], Role.INSENSITIVE)
    session.release.columns.set_treatment("disease", Treatment.KEEP)
    session.syntactic.set_suppression_limit(0.1)
    session.syntactic.set_models(chosen(["k=4", "l-diversity=2:disease"]))
    return session


def asked(session: Session) -> tuple[RecodingResult, Recoded]:
    found = session.syntactic.best_levels_finder()(SILENT)
    assert isinstance(found, RecodingResult)
    session.syntactic.accept_found(found)
    for name, level in found.result.levels.items():
        session.release.columns.set_level(name, level)
    recoded = session.syntactic.recoder()(SILENT)
    assert isinstance(recoded, Recoded)
    session.syntactic.accept_recoded(recoded)
    return found, recoded


def test_a_session_searches_and_recodes_where_the_data_is(duckdb_store: Store, tmp_path: Path) -> None:
    case = numbers()
    path = written(tmp_path, case.table)
    here, there = opened(path, case), opened(path, case, duckdb_store)
    one, two = asked(here), asked(there)
    assert two[0].result.levels == one[0].result.levels
    assert [node.levels for node in two[0].surroundings().nodes] == [
        node.levels for node in one[0].surroundings().nodes
    ]
    assert (two[1].rows_in, two[1].rows_out) == (one[1].rows_in, one[1].rows_out)
    assert (two[1].facts.score, two[1].facts.losses) == (one[1].facts.score, one[1].facts.losses)
    assert rows_of(two[1].released()) == rows_of(one[1].released())
    assert two[1].described().to_json() == one[1].described().to_json()
    schema = here.project.schema
    before, after = compared_recoded(one[1], schema), compared_recoded(two[1], schema)
    assert (after.rows_before, after.rows_after) == (before.rows_before, before.rows_after)
    assert str(summarise(after)) == str(summarise(before))
    assert str(cross(after, "q0", "disease")) == str(cross(before, "q0", "disease"))
    question = ReleaseQuestion(ReleaseStatistic.MEAN, "q0", "q1 > 1")
    assert str(answer(after, question)) == str(answer(before, question))
    files = []
    for session, name in ((here, "here.csv"), (there, "there.csv")):
        session.ledger.use_file(tmp_path / f"ledger of {name}")
        exported = session.syntactic.recoded_writer(tmp_path / name)()
        files.append((exported.rows, sorted((tmp_path / name).read_text(encoding="utf-8").splitlines())))
        assert all(check.found.holds for check in exported.rechecked.models)
    assert files[0] == files[1]


def test_a_session_says_the_same_of_levels_that_are_too_fine(duckdb_store: Store, tmp_path: Path) -> None:
    case = numbers()
    path = written(tmp_path, case.table)
    refusals = []
    for store in (None, duckdb_store):
        session = opened(path, case, store)
        for name in case.hierarchies:
            session.release.columns.set_level(name, 0)
        refusals.append(session.syntactic.recoder()(SILENT))
    one, two = refusals
    assert isinstance(one, Refusal)
    assert isinstance(two, Refusal)
    assert (str(two.error), two.changes, two.searchable) == (str(one.error), one.changes, one.searchable)
    assert one.changes
    with small_budget(duckdb_store, 4, 2):
        session = opened(path, case, duckdb_store)
        refusal = session.syntactic.best_levels_finder()(SILENT)
        assert isinstance(refusal, Refusal)
        assert isinstance(refusal.error, TooManyGroups)


def test_rows_that_are_to_be_released_are_a_table_of_their_own(duckdb_store: Store, tmp_path: Path) -> None:
    case = numbers()
    there = stored(duckdb_store, tmp_path, case.table)
    models = chosen(["k-map=3:mark=yes"])
    wanted = [row for row in rows_of(case.table) if row[-1] == "yes"]
    part = engine_of(there).rows_to_release(models)
    assert rows_of(part) == wanted
    assert marginals(part) == marginals(table_of(case.table.names, wanted))
    assert engine_of(there).rows_to_release(chosen(["k=2"])) is there
    assert engine_of(case.table).rows_to_release(models) is case.table


def run(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    assert main([*words, "--json"]) == 0
    answer: dict[str, object] = json.loads(capsys.readouterr().out)
    return answer


def test_the_command_finds_and_writes_the_same_with_an_engine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = numbers()
    words = [
        "anonymise",
        str(written(tmp_path, case.table)),
        "--model",
        "k=4",
        "--model",
        "l-diversity=2:disease",
        "--search",
        "optimal",
    ]
    words += ["--suppression-limit", "0.1", "--keep", "disease"]
    for name, hierarchy in case.hierarchies.items():
        (tmp_path / f"{name}.csv").write_text("\n".join(",".join(line) for line in hierarchy.rows()), encoding="utf-8")
        words += ["--hierarchy", f"{name}={tmp_path / f'{name}.csv'}"]
    answers, files = [], []
    for engine in ("memory", "duckdb"):
        out = tmp_path / f"{engine}.csv"
        ledger = ["--ledger", str(tmp_path / f"ledger {engine}")]
        answers.append(run(capsys, *words, "--engine", engine, "--out", str(out), *ledger))
        files.append(sorted(out.read_text(encoding="utf-8").splitlines()))
    for said in answers:
        del said["seconds"], said["out"]
    assert answers[0] == answers[1]
    assert answers[0]["optimal"] is True
    assert files[0] == files[1]


@pytest.mark.timeout(180)
def test_spark_searches_and_recodes_alike(spark_store: Store) -> None:
    case = numbers(80)
    there = stored_copy(spark_store, case.table)
    goal = Goal(chosen(["k=3", "l-diversity=2:disease"]), suppression_limit=0.2)
    one, two = (optimise(table, case.hierarchies, goal) for table in (case.table, there))
    assert (two.levels, two.score, two.suppressed) == (one.levels, one.score, one.suppressed)
    here = apply(case.table, case.hierarchies, one.levels, goal, on_suppressed=Suppressed.MARK)
    made = engine_of(there).recode(case.hierarchies, one.levels, goal, on_suppressed=Suppressed.MARK)
    assert rows_of(made.table) == rows_of(here.table)
    assert 0 < made.suppressed == here.suppressed
    released = made.released()
    assert rows_of(released) == rows_of(here.released())
    assert marginals(released) == marginals(here.released())
    assert sum(len(block[0]) for block in made.leaving(()).blocks(released.names)) == released.rows
