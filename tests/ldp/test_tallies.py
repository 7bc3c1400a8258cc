"""Tallies of reports on paper: they are the sums that files of the same reports come to."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
import pytest

from workbench.core.errors import WorkbenchError
from workbench.core.randomness import SeededSource
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.estimation import AUTOMATIC, estimate
from workbench.ldp.protocol import PROTOCOLS, FrequencyRandomiser
from workbench.ldp.tallies import support_of

COINS = ProtocolChoice("rr", MappingProxyType({"design": "coins"}))


@pytest.mark.parametrize(
    ("choice", "size"),
    [
        (ProtocolChoice("grr"), 5),
        (ProtocolChoice("grr"), 2),
        (ProtocolChoice("rr"), 2),
        (COINS, 2),
        (ProtocolChoice("subset-selection", MappingProxyType({"k": 2})), 5),
    ],
)
def test_they_come_to_what_a_file_of_the_same_reports_comes_to(choice: ProtocolChoice, size: int) -> None:
    randomiser = choice.frequency(size, 0.7)
    reports = randomiser.perturb(np.arange(300) % size, SeededSource(3))
    rows = randomiser.cells(reports)
    by_hand = [0] * size
    for (cell,) in rows:  # as somebody counts who reads them one by one
        for place in [i for i, bit in enumerate(cell) if bit == "1"] if len(cell) == size > 2 else [int(cell)]:
            by_hand[place] += 1
    counted = support_of(randomiser, by_hand)
    filed = randomiser.accumulate(randomiser.parse(rows))
    assert counted.reports == filed.reports == 300 and counted.sums.tolist() == filed.sums.tolist()
    one, other = (estimate(randomiser, support, AUTOMATIC) for support in (counted, filed))
    for name in ("counts", "low", "high"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_only_protocols_whose_sums_are_of_named_answers_say_so() -> None:
    named = set()
    for protocol in PROTOCOLS:
        try:
            built = ProtocolChoice(protocol.identifier).build(2 if protocol.maximum_domain == 2 else 6, 1.0)
        except WorkbenchError:
            continue
        if isinstance(built, FrequencyRandomiser) and built.answers_named is not None:
            named.add(protocol.identifier)
    assert named == {"grr", "rr", "subset-selection"}


@pytest.mark.parametrize(
    ("tallies", "said"),
    [
        ((0, 0, 0), "No report was counted"),
        ((1, 2), "3 tallies"),
        ((1, -1, 2), "3 tallies"),
        ((3, 2, 2), "which 2 does not divide"),
        ((9, 2, 1), "so that no answer is in more than 6"),
    ],
)
def test_what_no_reports_come_to_is_refused(tallies: tuple[int, ...], said: str) -> None:
    sets = ProtocolChoice("subset-selection", MappingProxyType({"k": 2})).frequency(3, 1.0)
    with pytest.raises(WorkbenchError, match=said) as refused:
        support_of(sets, tallies)
    assert refused.value.field == "tallies"


def test_what_programs_draw_is_refused() -> None:
    with pytest.raises(WorkbenchError, match="cannot be counted by hand"):
        support_of(ProtocolChoice("olh").frequency(4, 1.0), (1, 2, 3, 4))
