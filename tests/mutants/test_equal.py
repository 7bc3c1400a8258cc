"""Of the changes that are listed as equal, those of functions by themselves are tried beside the original."""

from __future__ import annotations

import importlib
import math
import sys
import zipfile
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise, product
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tests.mutants.changes import ROOT, mutants_of
from tests.mutants.trying import equal_ones
from workbench.core.errors import WorkbenchError
from workbench.ldp.iteration import Smoothing
from workbench.ldp.plan import CollectionPlan

EPSILONS = [0.01, 0.1, 0.25, 0.5, math.log(2), 1.0, math.log(3), 2.0, 3.0, 5.0, 10.0, 36.7]
NUMBERS = np.random.default_rng(1)
TABLES = [NUMBERS.dirichlet(np.full(outputs, 0.4), values) + 1e-9 for values, outputs in ((2, 2), (5, 3), (9, 30))]
WITH_ZEROS = [np.where(table < 0.05, 0.0, table) for table in TABLES]
WHOLE = [-(2.0**53), -7.5, -1.0, -0.5, 0.0, 0.25, 3.0, 1e9, 2.0**52, math.nextafter(4.0, 5.0)]


def of_limits(module: ModuleType) -> Iterator[object]:
    for epsilon in (*EPSILONS, *np.random.default_rng(2).uniform(0.01, 12, 60).tolist()):
        beta = module.beta_limit(epsilon)
        yield beta
        around = (math.nextafter(beta, 0.0), beta, math.nextafter(beta, 1.0), beta * (1 + 2**-50), beta / 2, 0.5)
        yield [module.classical_applies(epsilon, one) for one in around if one < 1]


def of_guarantees(module: ModuleType) -> Iterator[object]:
    for given in product((2.0, None), (1e-5, None), (0.1, None), (60, None)):
        try:
            found = module.guarantee(**dict(zip(("epsilon", "delta", "beta", "k"), given, strict=True)))
        except WorkbenchError as refused:
            yield str(refused), refused.field
        else:
            yield found.epsilon, found.delta, found.beta, found.k


def of_crossings(module: ModuleType) -> Iterator[object]:
    for at in (0.1003, 0.3, 1 / 3, 0.7072, 0.97):
        for tolerance in (1e-3, 1e-6, 1e-11):
            yield module.crossing(0.01, 1.0, lambda x, at=at: x - at, tolerance)
            yield module.crossing(1.0, 0.01, lambda x, at=at: at**3 - x**3, tolerance)
            yield module.crossing(0.01, 1.0, lambda x, at=at: math.floor(20 * (x - at)) + 0.5, tolerance)


def of_first_places(module: ModuleType) -> Iterator[object]:
    def hopeless(edges: Any, at: float) -> list[bool]:
        return [max(a, b) < at for a, b in pairwise(edges)]

    for at in (0.1003, 0.3, 0.7072, 0.97):
        for tolerance in (1e-2, 1e-4, 1e-9):
            for start, stop in ((0.01, 1.0), (1.0, 0.01)):
                yield module.first_holding(
                    start, stop, lambda x, at=at: x >= at, lambda edges, at=at: hopeless(edges, at), tolerance
                )


def of_smallest_numbers(module: ModuleType) -> Iterator[object]:
    for most in (2, 3, 4, 9, 30):
        for smallest in range(1, most + 2):
            yield module.smallest_whole(1, most, lambda k, smallest=smallest: smallest - k)
            yield module.smallest_whole(1, most, lambda k, smallest=smallest: (smallest - k) ** 3)
            yield module.smallest_whole(1, most, lambda k, smallest=smallest: float(k < smallest))


def of_tails(module: ModuleType) -> Iterator[object]:
    for gamma in (0.02, 0.3, 0.5, 0.51, 0.8, 0.97, 0.999):
        scaled = int(gamma * module._ONE)
        yield [module._candidates(scaled, first, 40) for first in (1, 2, 3, 17, 400)]


def of_dates(module: ModuleType) -> Iterator[object]:
    for low in range(18_990, 18_998):
        for days in range(7, 22):
            yield module.date_bins(float(low), float(low + days), module.DateUnit.WEEK).edges.tolist()


def of_whole_numbers(module: ModuleType) -> Iterator[object]:
    for low in WHOLE:
        for high in WHOLE:
            if 0 < high - low < 100 or high - low > 1e6:
                try:
                    yield module.whole_bins(low, high).edges.tolist() if high - low < 100 else None
                except WorkbenchError as refused:
                    yield str(refused)


def of_quantiles(module: ModuleType) -> Iterator[object]:
    for trials in (1, 5, 100, 4000):
        for probability in (1e-4, 0.1, 0.5, 0.99):
            yield [module.upper_quantile(trials, probability, chance) for chance in (0.5, 0.05, 1e-9, 1e-30)]


def of_kernels(module: ModuleType) -> Iterator[object]:
    shares = np.random.default_rng(3).dirichlet(np.ones(7))
    for width in (1, 2, 3):
        for strength in (0.0, 0.3, 1.0):
            yield np.round(module._kernel(Smoothing(width, strength), 7)(shares), 14).tolist()


def of_places(module: ModuleType) -> Iterator[object]:
    for users in (1, 2, 3, 10, 300, 10**6, 10**9):
        yield module.usual_places(CollectionPlan(users, 8, 1.0), "users").tolist()


def of_orders(module: ModuleType) -> Iterator[object]:
    for blocks in (1, 2, 4, 8):
        yield [module.HadamardResponse(size, 1.0, blocks)._order for size in range(2, 300)]


def of_variances(module: ModuleType) -> Iterator[object]:
    values = np.append(np.linspace(-1, 1, 101), [1e-9, 0.3000001])
    for epsilon in (0.1, 1.0, 4.0):
        yield [f"{one:.12e}" for one in module.Piecewise(epsilon).variance(values).tolist()]


def of_thresholds(module: ModuleType) -> Iterator[object]:
    yield [module.best_threshold(epsilon) for epsilon in EPSILONS]


def of_shapes(module: ModuleType) -> Iterator[object]:
    for shape in module.PublicShape:
        yield [module.shape_shares(shape, size).tolist() for size in (1, 2, 3, 17, 400)]


def of_weights(module: ModuleType) -> Iterator[object]:
    for table in TABLES:
        shares = table / table.sum(axis=1, keepdims=True)
        weights = module.integer_weights(shares)
        yield weights.tolist()
        for row in range(1, len(weights)):
            yield module.largest_ratio(weights[row], weights[0])
            yield module.largest_ratio(weights[row], weights[row])


def of_excesses(module: ModuleType) -> Iterator[object]:
    for table in (*TABLES, *WITH_ZEROS, np.full((4, 3), 1 / 3)):
        pairs = np.array([(one, other) for one in range(len(table)) for other in range(one)])
        for growth in (1.0, 1.5, math.e**2, math.inf):
            yield module.largest_excess(table, growth, None)
            yield module.largest_excess(table, growth, pairs)


def of_half_widths(module: ModuleType) -> Iterator[object]:
    for rate in (1e-3, 0.1, math.log(2), 1.0, 9.0):
        yield [module.half_width(rate, outside) for outside in (0.9, 0.5, 0.05, 1e-9, math.exp(-rate))]


def of_geometric_chances(module: ModuleType) -> Iterator[object]:
    yield [module.at_most(Fraction(part, 7), offset) for part in (1, 3, 6) for offset in range(-4, 5)]


def of_last_losses(module: ModuleType) -> Iterator[object]:
    yield [module._last_finite(table, None) for table in (*TABLES, *WITH_ZEROS)]


def of_dates_in_archives(module: ModuleType) -> Iterator[object]:
    told = zipfile.ZipInfo("name", module._SAME_DATE)
    told.CRC = told.compress_size = told.file_size = 0
    yield told.FileHeader()


def of_trimming(module: ModuleType) -> Iterator[object]:
    for epsilon in (Fraction(1, 10), Fraction(1), Fraction(7)):
        for delta in (Fraction(1, 10**9), Fraction(1, 1000), Fraction(2, 5)):
            for rows in (1, 3):
                law = module.recomputed_trimming(epsilon, delta, rows)
                yield [round(float(law.kept(rows)), 12) for rows in range(len(law.weights) + 2)]


def of_halves(module: ModuleType) -> Iterator[object]:
    from tests.anonymise.test_look_order_by_hand import problem
    from workbench.anonymise.evaluation import Evaluator

    asked = problem("loss")
    floor = np.array(asked.loss.floor()).reshape(-1)
    order, evaluator = module.LookOrder(asked, floor), Evaluator(asked, 1 << 20)
    yield order._guessed().tolist()
    for number in range(0, asked.lattice.size, 9):
        levels = asked.lattice.levels(number)
        yield [order._of_halves(levels, relation).tolist() for relation in (module._AWAY, module._ABOVE)]
        order.looked(number, levels, evaluator.judge(levels).unavoidable)
        yield order._guessed().tolist()


Tried = Callable[[ModuleType], Iterator[object]]
TRIED: dict[tuple[str, tuple[str, ...]], Tried] = {
    ("anonymise/_limits", ("beta_limit", "classical_applies")): of_limits,
    ("anonymise/_roots", ("crossing",)): of_crossings,
    ("anonymise/_roots", ("first_holding",)): of_first_places,
    ("anonymise/_roots", ("smallest_whole",)): of_smallest_numbers,
    ("anonymise/_sample_tails", ("_candidates",)): of_tails,
    ("anonymise/sample_guarantee", ("guarantee",)): of_guarantees,
    ("anonymise/look_order", ("LookOrder.__init__", "LookOrder._logit")): of_halves,
    ("ldp/binning", ("date_bins",)): of_dates,
    ("ldp/binning", ("whole_bins",)): of_whole_numbers,
    ("ldp/binomial", ("upper_quantile",)): of_quantiles,
    ("ldp/iteration", ("_kernel",)): of_kernels,
    ("ldp/predicted_curves", ("usual_places",)): of_places,
    ("ldp/protocols/hadamard", ("HadamardResponse.__init__",)): of_orders,
    ("ldp/protocols/pm", ("Piecewise.variance",)): of_variances,
    ("ldp/protocols/the", ("best_threshold",)): of_thresholds,
    ("ldp/public_shapes", ("_spiky", "shape_shares")): of_shapes,
    ("ldp/tabulated", ("largest_ratio",)): of_weights,
    ("mechanisms/_float_kernels", ("largest_excess", "_excess_of_pairs")): of_excesses,
    ("mechanisms/audit", ("_last_finite",)): of_last_losses,
    ("mechanisms/geometric", ("at_most",)): of_geometric_chances,
    ("project/storage", ("",)): of_dates_in_archives,
    ("query/noise", ("half_width",)): of_half_widths,
    ("report/recheck_trim_law", ("", "recomputed_trimming")): of_trimming,
}
# They find a number as near, by other steps.
_AS_NEAR = ("steps = math.floor(math.log2(span / tolerance))", "for step in range(steps + 1):")
CASES = [
    (file, name, of)
    for (file, functions), of in TRIED.items()
    for name in sorted(equal_ones())
    if name[0] == f"workbench/{file}.py" and name[1] in functions and name[3] not in _AS_NEAR
]


@pytest.mark.parametrize(("file", "name", "of"), CASES, ids=[f"{one[1][1]}-{at}" for at, one in enumerate(CASES)])
def test_what_is_listed_as_equal_gives_the_same(
    monkeypatch: pytest.MonkeyPatch, file: str, name: tuple[str, str, str, str], of: Tried
) -> None:
    (mutant, *_) = [one for one in mutants_of(ROOT / name[0]) if one.name == name]
    before = importlib.import_module(f"workbench.{file.replace('/', '.')}")
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    assert list(of(_made(mutant.source(), f"{before.__name__}_changed"))) == list(of(before))


def _made(source: bytes, name: str) -> ModuleType:
    """A module of its own that holds this source."""
    module = sys.modules[name] = ModuleType(name)
    exec(compile(source, name, "exec", dont_inherit=True), module.__dict__)
    return module


def test_each_that_is_to_be_tried_is_listed() -> None:
    listed = {(name[0], name[1]) for name in equal_ones()}
    assert {(f"workbench/{file}.py", one) for file, functions in TRIED for one in functions} <= listed


@pytest.mark.parametrize("new", _AS_NEAR)
def test_what_finds_a_number_by_other_steps_finds_one_as_near(monkeypatch: pytest.MonkeyPatch, new: str) -> None:
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    (mutant,) = [one for one in mutants_of(ROOT / "workbench/anonymise/_roots.py") if one.new == new]
    crossing = _made(mutant.source(), "roots_changed").crossing
    for at in np.random.default_rng(4).uniform(0.011, 0.99, 40).tolist():
        for tolerance in (1e-2, 1e-5, 1e-11):
            for bent in (0.2, 1.0, 9.0):
                found = crossing(
                    0.01, 1.0, lambda x, at=at, bent=bent: math.copysign(abs(x - at) ** bent, x - at), tolerance
                )
                assert found <= at < found * (1 + 1.01 * tolerance)
