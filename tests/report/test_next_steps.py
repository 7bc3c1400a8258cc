"""What `verify` did not check is followed by what the reader can do about it."""

from __future__ import annotations

import pytest

from workbench.report.older_notes import NO_PAGE, NOT_HELD
from workbench.report.recheck import NOT_RECOMPUTED, ORDER_UNCHECKED
from workbench.report.signature import PAGE_NOT_GIVEN
from workbench.session.verifying.verified import unchecked_finding

DOES = ("Ask ", "Sort ", "Install ", "Give ")


@pytest.mark.parametrize("sentence", [*ORDER_UNCHECKED, NOT_HELD, NO_PAGE, PAGE_NOT_GIVEN, f"A model{NOT_RECOMPUTED}"])
def test_a_step_follows(sentence: str) -> None:
    found = unchecked_finding(sentence)
    assert found.text.startswith(sentence) and found.printed == f"Not checked: {found.text}"
    assert any(f" {word}" in found.text for word in DOES)
    assert found.text.count("Give ") <= 1, "what says so already is left as it is"
