"""What a collection refuses, each by the name of what is wrong; who reports; and bounds that are known exactly."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT
from workbench.core.randomness import SeededSource
from workbench.core.schema import ColumnSpec, Kind
from workbench.core.table import Column, Table
from workbench.ldp.binning import LARGEST_DOMAIN, DateUnit, date_bins, equal_bins, whole_bins
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.coins import nepers
from workbench.ldp.encoding import MISSING, Absent, EncodingChoice, domain_of, encode, public_bounds
from workbench.ldp.estimator import ESTIMATORS, channel_of
from workbench.ldp.hashing import LocalHashing, salted_as
from workbench.ldp.needed import least_epsilon
from workbench.ldp.participation import Attendance, Participation, attendance
from workbench.ldp.persons import one_row_each, reports_in_all
from workbench.ldp.plan import CollectionPlan, Shape
from workbench.ldp.protocol import Support
from workbench.ldp.protocols.square_wave import half_width
from workbench.ldp.report_file import Announcement
from workbench.ldp.simulation import METRICS

JOB = ColumnSpec("job", Kind.CATEGORY)
AGE = ColumnSpec("age", Kind.INTEGER)
FIRST, LAST = (int(np.datetime64(day, "D").astype(int)) for day in ("0001-01-01", "9999-12-31"))


def texts(name: str, *values: str) -> Column:
    return Column.from_texts(name, list(values))


def refused(field: str, ask: Callable[[], object]) -> None:
    with pytest.raises(WorkbenchError) as found:
        ask()
    assert found.value.field == field, found.value


# Domains


@pytest.mark.parametrize(
    "ends", [(FIRST - 1, FIRST + 5), (FIRST - 9, FIRST - 1), (LAST, LAST + 1), (LAST + 1, LAST + 9)]
)
@pytest.mark.parametrize("seconds", [False, True])
def test_dates_lie_in_the_years_there_are(ends: tuple[int, int], seconds: bool) -> None:
    scale = 86_400 if seconds else 1
    assert len(date_bins((FIRST + 1) * scale, (FIRST + 2) * scale, DateUnit.DAY, seconds=seconds).labels) == 2
    assert len(date_bins((LAST - 9) * scale, (LAST - 8) * scale, DateUnit.DAY, seconds=seconds).labels) == 2
    with pytest.raises(WorkbenchError) as found:
        date_bins(float(ends[0] * scale), float(ends[1] * scale), DateUnit.DAY, seconds=seconds)
    assert found.value.field == "bounds"


def test_edges_of_equal_bins_lie_in_the_years_there_are_and_apart() -> None:
    assert equal_bins(float(FIRST), float(FIRST + 2), 2, date=Kind.DATE).labels[0].startswith("[0001-01-01")
    for ends in ((FIRST - 1.0, FIRST + 5.0), (LAST - 1.0, LAST + 1.0)):
        refused("bounds", lambda ends=ends: equal_bins(*ends, 2, date=Kind.DATE))
    refused("bins", lambda: equal_bins(1e16, 1e16 + 4, 4))


def test_a_value_of_those_who_have_none_is_not_also_somebody_elses() -> None:
    choice = EncodingChoice(domain=("cook", MISSING), absent=Absent.VALUE)
    refused("domain", lambda: domain_of(choice, texts("job", "cook"), JOB))
    assert domain_of(EncodingChoice(domain=("cook", MISSING)), texts("job", "cook"), JOB).size == 2


def test_a_domain_is_no_larger_than_any_protocol_can_have() -> None:
    many = tuple(str(n) for n in range(LARGEST_DOMAIN + 1))
    refused("domain", lambda: domain_of(EncodingChoice(domain=many), texts("job", "1"), JOB))
    assert domain_of(EncodingChoice(domain=many[:-1]), texts("job", "1"), JOB).size == LARGEST_DOMAIN


@pytest.mark.parametrize("values", [(), ("",), ("7", "7"), ("x", "7")])
def test_bounds_are_taken_from_two_different_numbers(values: tuple[str, ...]) -> None:
    choice = EncodingChoice(assume_public=True)
    refused("bounds", lambda: public_bounds(choice, texts("age", *values), AGE))
    assert public_bounds(choice, texts("age", *values, "7", "8"), AGE) == ((7.0, 8.0), False)


def test_missing_values_stop_a_collection_where_that_is_asked() -> None:
    choice = EncodingChoice(domain=("cook", "clerk"), absent=Absent.STOP)
    assert encode(choice, texts("job", "cook", "clerk"), JOB).codes.tolist() == [0, 1]
    with pytest.raises(WorkbenchError):
        encode(choice, texts("job", "cook", ""), JOB)


# Plans


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"users": 0}, "users"),
        ({"domain_size": 1}, "domain"),
        ({"shape": Shape.OWN}, "guess"),
        ({"guess": (1.0, 1.0, 1.0)}, "guess"),
        ({"shape": Shape.OWN, "guess": (1.0, 1.0)}, "guess"),
        ({"positions": (1.0, 2.0)}, "positions"),
        ({"shape": Shape.OWN, "guess": (1.0, -0.1, 1.0)}, "guess"),
        ({"shape": Shape.OWN, "guess": (0.0, 0.0, 0.0)}, "guess"),
        ({"shape": Shape.OWN, "guess": (1.0, math.inf, 1.0)}, "guess"),
        ({"shape": Shape.OWN, "guess": (1e308, 1e308, 1e308)}, "guess"),
    ],
)
def test_plans_that_cannot_be_are_refused(changes: dict[str, Any], field: str) -> None:
    assert CollectionPlan(1, 2, 1.0).users == 1
    assert CollectionPlan(9, 3, 1.0, shape=Shape.OWN, guess=(0.0, 0.0, 1.0)).cases[0].shape is Shape.OWN
    refused(field, lambda: CollectionPlan(**{"users": 9, "domain_size": 3, "epsilon": 1.0, **changes}))


def test_no_epsilon_reaches_what_too_few_people_cannot() -> None:
    plan = CollectionPlan(2, 8, 1.0)
    refused("target", lambda: least_epsilon(plan, (ProtocolChoice("grr"),), METRICS[0], 1e-9)[0])


@pytest.mark.parametrize("identifier", ["grr", "square-wave", "laplace", "random-matrix"])
def test_protocols_need_an_epsilon(identifier: str) -> None:
    choice = ProtocolChoice(identifier)
    build = (lambda: choice.mean(None)) if choice.estimates_mean else (lambda: choice.frequency(5, None))
    refused("epsilon", build)


# Reports


def test_reports_of_several_rounds_have_a_value_for_each() -> None:
    rappor = ProtocolChoice("rappor", {"rounds": 3}).frequency(4, 1.0)
    values = np.zeros((5, 2), dtype=np.intp)
    refused("rounds", lambda: rappor.perturb(values, SeededSource(1)))
    assert rappor.perturb(np.zeros((5, 3), dtype=np.intp), SeededSource(1)).shape == (5, 3, 4)
    assert rappor.bits == 12.0


def test_noise_of_one_round_alone_has_a_known_reach() -> None:
    """The rounds of a person share permanent bits, so their counts are no binomial ones."""
    once, thrice = (ProtocolChoice("rappor", {"rounds": rounds}).frequency(4, 1.0) for rounds in (1, 3))
    assert once.reach(1000, 0.01) is not None and thrice.reach(1000, 0.01) is None


@pytest.mark.parametrize("public", [{}, {"salt": "x"}, {"salt": "-1"}, {"salt": "1" + "0" * 16}, {"salt": None}])
def test_shared_hash_functions_that_cannot_be_are_refused(public: dict[str, Any]) -> None:
    hashing = ProtocolChoice("olh").frequency(8, 1.0)
    assert isinstance(hashing, LocalHashing)
    refused("salt", lambda: salted_as(hashing, public))
    for salt in ("0", "f" * 16):
        salted_as(hashing, {"salt": salt})


@pytest.mark.parametrize("version", [None, "1", 1.5, 99])
def test_an_announcement_says_what_it_is(version: Any) -> None:
    with pytest.raises(WorkbenchError, match="no list of parameters"):
        Announcement.from_json({"format": "something else", "version": 1})
    with pytest.raises(WorkbenchError, match="newer version"):
        Announcement.from_json({**announced(), "version": version})
    assert Announcement.from_json(announced()).reports == 7


def announced() -> dict[str, Any]:
    built = ProtocolChoice("pm").mean(1.0)
    return Announcement(built, "age", None, (0.0, 9.0), True, 7, 1, True).to_json()


def test_an_inverse_needs_a_channel_that_has_one() -> None:
    inverse, reports = ESTIMATORS["inverse"], Support(10, np.ones(3000))
    refused("estimator", lambda: inverse.run(ProtocolChoice("olh").frequency(3000, 1.0), [reports], SILENT))


# Who reports


def test_who_reports_follows_from_the_settings_alone() -> None:
    """Hidden with an input of their own for those who take no part; or not at all; or it is seen, and said why."""
    grr, square, mean, two = (ProtocolChoice(name) for name in ("grr", "square-wave", "laplace", "rr"))
    everybody = {"filtered": False, "one_by_one": False}
    for choice in (grr, square, mean, two):
        for wanted in Participation:
            for absent in (Absent.STOP, *((Absent.VALUE,) if choice is not mean else ())):
                assert attendance(wanted, choice, absent, **everybody) == Attendance(True)
    for absent, asked in (
        (Absent.LEAVE_OUT, everybody),
        (Absent.STOP, {"filtered": True, "one_by_one": False}),
        (Absent.VALUE, {"filtered": True, "one_by_one": True}),
    ):
        for wanted in (Participation.AUTO, Participation.HIDDEN):
            assert attendance(wanted, grr, absent, **asked) == Attendance(True, none=True)
        seen = attendance(Participation.OPEN, grr, absent, **asked)
        assert not seen.hidden and not seen.none and seen.why
        for choice, kind in ((square, "values on a line"), (mean, "means"), (two, "two answers")):
            found = attendance(Participation.AUTO, choice, absent, **asked)
            assert not found.hidden and not found.none and kind in found.why
            refused("participation", lambda c=choice, a=absent, k=asked: attendance(Participation.HIDDEN, c, a, **k))
    assert not attendance(Participation.AUTO, mean, Absent.VALUE, **everybody).hidden, "a mean has no value for them"
    limited = {"filtered": False, "one_by_one": True}
    assert attendance(Participation.AUTO, square, Absent.STOP, **limited) == Attendance(True, named=True)
    assert attendance(Participation.HIDDEN, mean, Absent.STOP, **limited) == Attendance(True, named=True)
    assert attendance(Participation.HIDDEN, grr, Absent.STOP, **limited) == Attendance(True, none=True)
    assert not attendance(Participation.OPEN, square, Absent.STOP, **limited).hidden


@pytest.mark.parametrize("one", [Attendance(True), Attendance(True, none=True), Attendance(False, why="because")])
def test_who_reported_is_read_as_it_was_written(one: Attendance) -> None:
    plain = one.to_json()
    assert Attendance.from_json(plain) == one
    for change in ({"hidden": 1}, {"hidden": None}, {"none": True}, {"none": "something"}):
        with pytest.raises(TypeError):
            Attendance.from_json({**plain, **change})
    for name in plain:
        with pytest.raises(KeyError):
            Attendance.from_json({key: value for key, value in plain.items() if key != name})


def test_each_person_is_asked_once_or_as_often_as_allowed() -> None:
    people = Table((texts("who", "a", "b", "", "a", "a", "?", "b", "c"),))
    spec = ColumnSpec("who", Kind.CATEGORY, missing=("", "?"))
    assert [reports_in_all(people, spec, most) for most in (1, 2, 3)] == [5, 7, 8]
    found = one_row_each(people, spec, np.arange(8), SeededSource(4))
    assert found.tolist() == sorted(found) and 7 in found
    assert sorted(people["who"].texts()[row] for row in found) == ["a", "b", "c"]


# Known exactly


@pytest.mark.parametrize("epsilon", [1e-9, 1e-4, 0.00099, 0.009, 0.0101, 0.02, 0.1, 1.0, 5.0, 20.0])
def test_the_window_of_a_square_wave_is_that_of_its_formula(epsilon: float) -> None:
    """b = (εe^ε − e^ε + 1)/(2e^ε(e^ε − 1 − ε)), which cancels badly near 0, where b is ½."""
    with localcontext() as context:
        context.prec = 80
        e, exact = Decimal(epsilon).exp(), Decimal(epsilon)
        wanted = (exact * e - e + 1) / (2 * e * (e - 1 - exact))
    assert half_width(epsilon) == pytest.approx(float(wanted), rel=2e-9)


@pytest.mark.parametrize("plus", [0, 1, 17, 50, 100])
@pytest.mark.parametrize("width", [1.0, 1.96])
def test_the_band_of_duchis_mean_is_clopper_and_pearsons(plus: int, width: float) -> None:
    """Both ends are shares with which so many plus or more, or so many or fewer, have half the chance left out."""
    duchi = ProtocolChoice("duchi").mean(1.0)
    support = duchi.accumulate(np.array([1] * plus + [0] * (100 - plus), dtype=np.int8))
    largest = (math.e + 1) / (math.e - 1)
    low, high = (0.5 + end / (2 * largest) for end in duchi.band(support, width))
    beyond = math.erfc(width / math.sqrt(2)) / 2
    assert -1e-9 <= low < high <= 1 + 1e-9 and low - 1e-9 <= plus / 100 <= high + 1e-9
    # A single one is not rarer than the mean says, whatever chances there are.
    lowest = {0: 0.0, 1: beyond / 100}.get(plus, low)
    assert low == pytest.approx(lowest, abs=1e-9)
    assert plus < 2 or binom.sf(plus - 1, 100, low) == pytest.approx(beyond, rel=1e-6)
    assert plus > 98 or binom.cdf(plus, 100, high) == pytest.approx(beyond, rel=1e-6)


@pytest.mark.parametrize("power", [-20, -3, 0, 3, 200, 2000])
def test_the_logarithm_of_a_ratio_is_never_below_it(power: int) -> None:
    ratio = 1 + Fraction(10) ** power
    with localcontext() as context:
        context.prec = 60
        exact = (Decimal(ratio.numerator) / Decimal(ratio.denominator)).ln()
    assert exact <= Decimal(nepers(ratio)) <= exact * (1 + Decimal("1e-11"))


@pytest.mark.parametrize("ends", [(5.0, 5.0), (0.0, float(LARGEST_DOMAIN)), (0.5, 3.0), (0.0, 3.5), (0.0, 1e300)])
def test_whole_numbers_are_at_least_two_and_not_too_many(ends: tuple[float, float]) -> None:
    assert whole_bins(5.0, 6.0).labels == ("5", "6")
    assert len(whole_bins(1.0, float(LARGEST_DOMAIN)).labels) == LARGEST_DOMAIN
    with pytest.raises(WorkbenchError):
        whole_bins(*ends)


def test_outputs_are_asked_only_of_protocols_that_have_a_matrix() -> None:
    refused("estimator", lambda: channel_of(ProtocolChoice("olh").frequency(3000, 1.0)))
    assert channel_of(ProtocolChoice("grr").frequency(4, 1.0)).shape == (4, 4)
