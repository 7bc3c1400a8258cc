"""An ε that is claimed by what a 50 : 50 guess may rise to."""

from __future__ import annotations

import pytest

from workbench.core.errors import WorkbenchError
from workbench.mechanisms.audit import AuditVerdict
from workbench.project.laboratory import LaboratorySettings
from workbench.session.audit import Examination, claim_text, examiner


def asked(claim: str, coin: str = "1/2") -> Examination:
    plain = LaboratorySettings(mechanism="survey", claim=claim)
    return examiner(plain.with_parameter("yes", coin), with_curve=False)()


@pytest.mark.parametrize(
    ("text", "epsilon"),
    [("75 %", "ln 3"), ("75%", "ln 3"), ("60 %", "ln(3/2)"), ("99,5 %", "ln 199"), ("50 %", "0"), ("0.5", "0.5")],
)
def test_a_percentage_is_an_epsilon(text: str, epsilon: str) -> None:
    assert claim_text(text) == epsilon


def test_it_is_decided_exactly() -> None:
    assert asked("75 %").verdict is AuditVerdict.CONFIRMED
    assert asked("74.999999 %").verdict is AuditVerdict.REFUTED
    assert asked("75 %", "1/4").verdict is AuditVerdict.REFUTED


@pytest.mark.parametrize("text", ["49 %", "100 %", "-1 %", "%", "a %", "75 % 1"])
def test_one_of_less_than_even_or_certain_is_none(text: str) -> None:
    with pytest.raises(WorkbenchError) as refused:
        asked(text)
    assert refused.value.field == "claim" and refused.value.hint
