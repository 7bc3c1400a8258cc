"""The first and the last report that each protocol can give is read; the one before and the one behind are refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from workbench.core.errors import WorkbenchError
from workbench.core.randomness import SeededSource
from workbench.ldp.protocol import PROTOCOLS

OWN = {"ue", "rappor"}
"""Protocols whose ε follows from their parameters."""


def build(name: str, size: int = 6, **params: Any) -> Any:
    return PROTOCOLS[name].build(size, None if name in OWN else 1.0, **params)


def last_outputs() -> list[tuple[str, Any, int]]:
    """Protocols that report one whole number, and how many there are."""
    named = ("grr", "hadamard", "ds", "ds-corrected", "exponential", "geometric", "square-wave")
    found: list[tuple[str, Any, int]] = [(name, build(name), build(name).channel().shape[1]) for name in named]
    found.append(("rr", build("rr", 2), 2))
    found.append(("duchi", build("duchi", 0), 2))
    return found


@pytest.mark.parametrize(("name", "randomiser", "outputs"), [pytest.param(*one, id=one[0]) for one in last_outputs()])
def test_every_output_is_read_and_none_besides(name: str, randomiser: Any, outputs: int) -> None:
    read = randomiser.parse([(str(output),) for output in range(outputs)])
    assert np.asarray(read).ravel().tolist() == list(range(outputs)), name
    assert [cell for (cell,) in randomiser.cells(read)] == [str(output) for output in range(outputs)]
    for wrong in ("-1", str(outputs), str(outputs + 1), "", "1.0", "one"):
        with pytest.raises(WorkbenchError, match="Report 2") as caught:
            randomiser.parse([("0",), (wrong,)])
        assert caught.value.field == "reports"


@pytest.mark.parametrize("rows", [6, 8, 64])
def test_rows_of_a_matrix_are_counted_from_none(rows: int) -> None:
    randomiser = build("random-matrix", m=rows)
    every = [(str(row), sign) for row in range(rows) for sign in ("-1", "+1")]
    assert randomiser.parse(every).tolist() == list(range(2 * rows))
    assert randomiser.cells(np.arange(2 * rows)) == every
    for wrong in (("-1", "+1"), (str(rows), "+1"), (str(rows + 1), "-1"), ("0", "2"), ("0", "-2"), ("0", "0")):
        with pytest.raises(WorkbenchError) as caught:
            randomiser.parse([wrong])
        assert caught.value.field == "reports"


@pytest.mark.parametrize(("name", "buckets"), [("blh", 2), ("olh", 4)])
@pytest.mark.parametrize("functions", [0, 16])
def test_keys_and_buckets_are_those_there_are(name: str, buckets: int, functions: int) -> None:
    randomiser = build(name, functions=functions)
    last = f"{(functions or 1 << 64) - 1:x}"
    found = randomiser.parse([("0", "0"), (last, str(buckets - 1))])
    assert found.tolist() == [[0, 0], [(functions or 1 << 64) - 1, buckets - 1]]
    beyond = f"{functions or 1 << 64:x}"
    for wrong in ((beyond, "0"), ("-1", "0"), ("0", str(buckets)), ("0", "-1"), ("g", "0")):
        with pytest.raises(WorkbenchError) as caught:
            randomiser.parse([wrong])
        assert caught.value.field == "reports"


@pytest.mark.parametrize("name", ["oue", "sue", "the", "ue", "rappor", "subset-selection"])
def test_bits_are_as_many_as_values(name: str) -> None:
    randomiser = build(name)
    reports = randomiser.perturb(np.arange(6), SeededSource(3))
    rows = randomiser.cells(reports)
    assert np.array_equal(randomiser.parse(rows), reports)
    for wrong in (rows[0][0] + "0", rows[0][0][:-1], "2" + rows[0][0][1:]):
        with pytest.raises(WorkbenchError, match="Report 2"):
            randomiser.parse([rows[0], (wrong, *rows[0][1:])])


def test_numbers_for_means_reach_from_the_first_to_the_last_step() -> None:
    pm = build("pm", 0)
    steps = 1 << 26
    outputs = steps + round(steps * math.exp(-0.5))
    assert pm.parse([("0",), (str(outputs - 1),)]).tolist() == [0, outputs - 1]
    for wrong in ("-1", str(outputs)):
        with pytest.raises(WorkbenchError, match="Report 1"):
            pm.parse([(wrong,)])
    hm = build("hm", 0)
    assert hm.parse([("0", "1"), ("1", str(outputs - 1)), ("0", "0")]).tolist() == [[0, 1], [1, outputs - 1], [0, 0]]
    for wrong in (("2", "0"), ("-1", "0"), ("0", "2"), ("1", str(outputs))):
        with pytest.raises(WorkbenchError):
            hm.parse([wrong])


@pytest.mark.parametrize("name", ["laplace", "she"])
def test_noise_is_read_up_to_where_it_is_cut(name: str) -> None:
    """As far below the smallest value as above the largest one."""
    randomiser = build(name, 0 if name == "laplace" else 2)
    noise = randomiser._noise
    reach = noise.highest + noise.lowest
    assert noise.lowest < 0 < reach

    def row(number: int) -> tuple[str, ...]:
        return (str(number),) if name == "laplace" else (f"{number} 0",)

    for good in (noise.lowest, noise.highest):
        assert good in np.asarray(randomiser.parse([row(good)])).ravel().tolist()
    for bad in (noise.lowest - 1, noise.highest + 1):
        with pytest.raises(WorkbenchError):
            randomiser.parse([row(bad)])
