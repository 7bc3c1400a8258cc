"""Numbers as people read them: the examples of every function, and that what is promised never looks better."""

from __future__ import annotations

import ast
import doctest
import math
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core import number_text
from workbench.core.number_text import count, estimate, exact, percent, rounded_down, rounded_up, typed

FINITE = st.floats(-1e300, 1e300, allow_subnormal=False)


def test_the_examples_say_what_is_written() -> None:
    found = doctest.testmod(number_text)
    assert found.attempted >= 12
    assert not found.failed


@given(st.floats(1e-300, 1e300))
def test_what_is_promised_is_rounded_to_the_safe_side(value: float) -> None:
    assert float(rounded_down(value)) <= value <= float(rounded_up(value))


@given(st.fractions(min_value=Fraction(1, 10**12), max_value=10**6))
def test_a_fraction_is_rounded_to_the_safe_side_too(value: Fraction) -> None:
    assert Fraction(rounded_down(value)) <= value <= Fraction(rounded_up(value))


@given(FINITE)
def test_a_setting_can_be_typed_in_again(value: float) -> None:
    assert float(typed(value)) == pytest.approx(value, rel=1e-11)
    assert exact(value).replace(",", "") == typed(value)


@given(FINITE)
def test_an_estimate_is_near_and_has_no_needless_zeros(value: float) -> None:
    text = estimate(value).replace(",", "")
    assert float(text) == pytest.approx(value, rel=6e-4)
    mantissa = text.partition("e")[0]
    assert "." not in mantissa or not mantissa.endswith("0")


@given(st.integers(-(10**18), 10**18))
def test_a_count_loses_nothing(value: int) -> None:
    assert int(count(value).replace(",", "")) == value
    assert estimate(value) == exact(value) == count(value)


@pytest.mark.parametrize("write", [estimate, count, exact, typed])
def test_what_is_no_number_is_a_dash(write: object) -> None:
    assert callable(write)
    assert write(math.nan) == "–"
    assert write(math.inf) == "∞"
    assert write(-math.inf) == "-∞"


def test_whole_numbers_beyond_all_floats_are_written() -> None:
    assert len(exact(10**400)) == 401 + 133
    assert percent(1 / 3) == "33.3 %"


SPELT_IN_PLACE = {
    "core/exact.py": "fractions and their decimals, of any length",
    "core/level_functions.py": "labels of hierarchies, which leave in files",
    "engines/budget.py": "amounts of memory",
    "engines/duckdb_store.py": "a setting of DuckDB",
    "gui/workspaces/data/as_read.py": "a number as the column would write it",
    "io/foreign/typed_columns.py": "decimals as a database holds them",
    "library/frame_texts.py": "decimals as a DataFrame holds them",
    "plots/axis_scale.py": "powers of ten at an axis",
    "query/epsilon_for.py": "an ε that is typed into a field, rounded up",
}


def test_numbers_are_rounded_in_one_module_only() -> None:
    """Whole numbers may be written as `{n:,}`: every other format of a number is that of a function of the module."""
    root = Path(number_text.__file__).parents[1]
    found = set()
    for path in root.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FormattedValue) and isinstance(node.format_spec, ast.JoinedStr):
                last = node.format_spec.values[-1]
                spec = str(last.value) if isinstance(last, ast.Constant) else ""
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "format":
                spec = ast.unparse(node.args[1]).strip("'") if len(node.args) > 1 else ""
            else:
                continue
            if spec[-1:] in {*"eEfFgGn%"}:
                found.add(path.relative_to(root).as_posix())
    assert found - {"core/number_text.py"} == set(SPELT_IN_PLACE)


def rounded_away(tree: ast.AST) -> Iterator[str]:
    """Digits rounded to the safe side where those of the value itself are meant: after “≈”, or as e^ε or a log."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            before = ""
            for part in node.values:
                written = ast.unparse(part)
                rounds = "rounded_up(" in written or "rounded_down(" in written
                if rounds and before.endswith(("≈ ", "e^ε = ", ") = ")):
                    yield ast.unparse(node)
                before = str(part.value) if isinstance(part, ast.Constant) else ""


def test_what_stands_for_a_value_is_rounded_to_the_nearest() -> None:
    # The words of statements and reports are read again and keep their spelling: “at most 2.719 (e^ε, rounded up)”.
    modules = [path for path in Path(number_text.__file__).parents[1].rglob("*.py") if path.parent.name != "report"]
    sources = {path: path.read_text(encoding="utf-8") for path in modules}
    found = {name: list(rounded_away(ast.parse(source))) for name, source in sources.items() if "rounded_" in source}
    assert not {name: said for name, said in found.items() if said}
    for wrong in ("f'e^ε = {rounded_up(x)}'", "f'≈ {rounded_up(x)}'"):
        assert list(rounded_away(ast.parse(wrong))) == [wrong]
    assert not list(rounded_away(ast.parse("f'at most {rounded_up(x)}, ε = {rounded_up(y)}, e^ε ≈ {estimate(z)}'")))
