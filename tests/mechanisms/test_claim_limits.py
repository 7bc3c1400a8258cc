"""How far a parameter can go until a claim fails."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.mechanisms.audit import AuditVerdict
from workbench.project.auditable import find
from workbench.project.laboratory import LaboratorySettings
from workbench.session.audit import examiner
from workbench.session.audit_limits import claim_limits

F = Fraction


def asked(mechanism: str, claim: str, delta: str = "", **typed: str) -> LaboratorySettings:
    return LaboratorySettings(mechanism, {mechanism: typed}, claim=claim, claimed_delta=delta)


def words(settings: LaboratorySettings) -> list[str]:
    return [limit.words for limit in claim_limits(examiner(settings, with_curve=False)())]


def holds(settings: LaboratorySettings, name: str, value: Fraction) -> bool:
    asks = settings.with_parameter(name, str(value))
    return examiner(asks, with_curve=False)().verdict is AuditVerdict.CONFIRMED


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (asked("survey", "ln 2"), ["First coin: at most 1/3"]),
        (asked("survey", "ln 3"), ["First coin: at most 1/2"]),
        (asked("survey", "ln 2", "1/10"), ["First coin: at most 2/5"]),
        (
            asked("survey", "ln 2", honest="1/4", yes="1/10"),
            ["First coin: at most 1/11", "Second coin: 1/3 to 2/3"],
        ),
        (asked("survey", "ln 2", variant="warner"), ["Probability of the truth: 1/3 to 2/3"]),
        (asked("survey", "0.5"), ["First coin: at most 0.2449"]),  # (√e − 1) / (√e + 1) = 0.24491…
        (asked("truncated-geometric", "ln 2"), ["α: at least 1/2"]),
        (asked("truncated-geometric", "1"), ["α: at least 0.3679"]),  # 1/e = 0.36787…
        (asked("geometric", "ln 5"), ["α: at least 1/5"]),
    ],
)
def test_a_parameter_goes_as_far_as_the_claim_holds(settings: LaboratorySettings, told: list[str]) -> None:
    assert words(settings) == told


@pytest.mark.parametrize(
    "settings",
    [
        asked("survey", ""),
        asked("survey", "inf"),
        asked("survey", "ln 2", yes="0"),
        asked("survey", "0.00001"),
        asked("geometric", "100"),
        asked("geometric", "1e-12"),
        asked("grr", "ln 2"),
        asked("noisy-max", "ln 2"),
        asked("truncated-geometric", "ln 2", n="100"),
        replace(asked("survey", "ln 2"), repeat=2),
        replace(asked("survey", "ln 2"), then=", a\nyes, 1\nno, 1"),
    ],
)
def test_nothing_is_offered_where_it_is_not_known_for_sure_or_useless(settings: LaboratorySettings) -> None:
    assert words(settings) == []


_CHANCES = st.fractions(F(1, 20), F(19, 20), max_denominator=20)


@given(
    _CHANCES,
    _CHANCES,
    st.sampled_from(["ln 2", "ln(3/2)", "0.3", "1", "2"]),
    st.sampled_from(["", "1/20"]),
    st.sampled_from(["two-coin", "warner"]),
)
def test_at_what_is_offered_the_claim_holds_and_just_beyond_it_does_not(
    honest: Fraction, yes: Fraction, claim: str, delta: str, variant: str
) -> None:
    settings = asked("survey", claim, delta, honest=str(honest), yes=str(yes), p=str(yes), variant=variant)
    for limit in claim_limits(examiner(settings, with_curve=False)()):
        step = F(1, 10**8) if limit.exact else F(1, 10**4)
        for end, outwards in ((limit.low, -step), (limit.high, step)):
            if end is not None:
                assert holds(settings, limit.spec.name, end)
                assert not holds(settings, limit.spec.name, max(F(0), min(end + outwards, F(1))))
        assert holds(settings, limit.spec.name, F(limit.typed))


@given(
    st.sampled_from(["survey", "geometric", "truncated-geometric"]),
    st.fractions(F(1, 20), F(19, 20), max_denominator=20),
    st.fractions(F(1, 20), F(19, 20), max_denominator=20),
    st.fractions(F(1, 20), F(19, 20), max_denominator=20),
    st.sampled_from(["0.2", "ln 2", "1.5"]),
    st.sampled_from(["", "1/50", "1/5"]),
)
def test_from_the_value_that_is_named_on_the_claim_holds_ever_less(
    mechanism: str, one: Fraction, other: Fraction, beside: Fraction, claim: str, delta: str
) -> None:
    for name, least in find(mechanism).least_at:
        variant = {"variant": "warner" if name == "p" else "two-coin"} if mechanism == "survey" else {}
        typed = {"honest": str(beside), "yes": str(beside)} if mechanism == "survey" else {"n": "3"}
        settings = asked(mechanism, claim, delta, **typed, **variant)
        if (one < least) == (other < least):
            near, far = sorted((one, other), key=lambda value: abs(value - least))
            assert holds(settings, name, near) or not holds(settings, name, far)
