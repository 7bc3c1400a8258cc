"""Certificates of answers: what is promised, what is asserted, and what several releases promise together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest

from workbench.core.composition import ADD_REMOVE, REPLACE_ONE
from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.core.working_table import Preparation
from workbench.query.catalogue import NoiseSource, QueryDraft
from workbench.query.diffprivlib_tools import NO_GUARANTEE
from workbench.query.ledger import Charge, LedgerEntry
from workbench.query.plans import batch, plan
from workbench.report.certificate import certificate_of
from workbench.report.certificate_page import Certificate
from workbench.session.query_answers import charge_for

SCHEMA = Schema((ColumnSpec("age", Kind.INTEGER, bounds=(0.0, 100.0)), ColumnSpec("town", Kind.CATEGORY)))
AGE = {"column": "age"}


def entry(charge: Charge, number: int = 1) -> LedgerEntry:
    return LedgerEntry(f"entry {number}", f"2024-05-0{number}T12:00:00.000+00:00", charge)


def file_release(epsilon: str = "1", delta: str = "1e-6", neighbours: str = ADD_REMOVE) -> Charge:
    return Charge("release", "Release a.csv", Fraction(epsilon), Fraction(delta), neighbours=neighbours)


def section(certificate: Certificate, heading: str) -> tuple[str, ...]:
    return dict(certificate.sections)[heading]


def test_an_answer_says_which_rows_and_values_it_is_about() -> None:
    one = plan(QueryDraft("mean", "0.5", AGE), SCHEMA, Preparation("town = 'A'"))
    made = certificate_of(entry(charge_for((one,))))
    assert made.holds and "(0.5, 0)" in made.sentence
    assert dict(made.facts)["Question"] == "Mean of age, 0 to 100 in steps of 1 (only rows with town = 'A')"
    assert set(one.asserted) < set(section(made, "What the publisher asserts"))


def test_what_several_questions_assert_is_said_once() -> None:
    plans = batch([QueryDraft("mean", values=AGE), QueryDraft("count")], "1", SCHEMA)
    said = section(certificate_of(entry(charge_for(plans))), "What the publisher asserts")
    assert len(said) == len(set(said)) == len(plans[0].asserted) + 1


def test_no_certificate_vouches_for_a_published_tool() -> None:
    one = plan(QueryDraft("mean", "0.5", AGE, noise=NoiseSource.DIFFPRIVLIB), SCHEMA)
    made = certificate_of(entry(charge_for((one,))))
    assert not made.holds and section(made, "Why not") == (NO_GUARANTEE,)
    assert "differentially private" not in made.body() and dict(made.facts)["ε"] == "0.5"
    together = section(certificate_of(entry(file_release(), 2), [entry(charge_for((one,)))]), _TOGETHER)
    assert "nothing can be promised" in together[0]


_TOGETHER = "Together with other releases of this data"


@pytest.mark.parametrize(
    ("other", "says"),
    [
        (lambda: file_release("1", "0"), ["(2, 1e-6), by adding up."]),
        # 1e-6·(1 + e) = 3.7183e-6
        (lambda: file_release("1", "0", REPLACE_ONE), ["(3, 3.719e-6)", "replacing a person's rows"]),
    ],
)
def test_releases_together_are_about_one_relation(other: Callable[[], Charge], says: list[str]) -> None:
    made = certificate_of(entry(file_release()), [entry(other(), 2)])
    (together,) = section(made, _TOGETHER)
    assert all(words in together for words in says)
    assert ("replacing" in together) == (len(says) == 2)


def test_one_other_is_spoken_of_as_one() -> None:
    mine, others = entry(file_release(), 9), [entry(file_release(), number) for number in (1, 2)]
    (one,) = section(certificate_of(mine, others[:1]), _TOGETHER)
    (two,) = section(certificate_of(mine, others), _TOGETHER)
    assert "the 1 other that" in one and "the 2 others that" in two
    void = replace(file_release(), claimed=False)
    (one,) = section(certificate_of(mine, [entry(void)]), _TOGETHER)
    (two,) = section(certificate_of(mine, [entry(void), others[1]]), _TOGETHER)
    assert "1 other, and not both have" in one and "2 others, and some have no claim" in two
