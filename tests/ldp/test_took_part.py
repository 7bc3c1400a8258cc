"""How many took part is told with a band that holds as often as is said of it, and with what is said of it."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.core.randomness import SeededSource
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import Domain
from workbench.ldp.estimation import AUTOMATIC
from workbench.ldp.participation import Attendance
from workbench.ldp.report_file import Announcement, Received
from workbench.session.collection.aggregation import estimated
from workbench.session.collection.reported_words import took_part_words
from workbench.session.collection.results import Aggregated

ANSWERS, PEOPLE, TOOK_PART, TRIES = ("a", "b", "c"), 2000, 1400, 300


def collected(identifier: str, seed: int) -> Aggregated:
    """One collection of all people, of whom some report that they take no part."""
    source = SeededSource(seed)
    randomiser = ProtocolChoice(identifier).frequency(len(ANSWERS) + 1, 1.0)
    codes = np.concatenate([np.arange(TOOK_PART) % len(ANSWERS), np.full(PEOPLE - TOOK_PART, len(ANSWERS))])
    support = randomiser.accumulate(randomiser.perturb(codes.astype(np.int64), source))
    domain = Domain(ANSWERS, ordinal=False, declared=True)
    announced = Announcement(
        randomiser, "q", domain, None, True, PEOPLE, 1, False, (), attended=Attendance(hidden=True, none=True)
    )
    return estimated(Received(announced, support), AUTOMATIC)


@pytest.mark.parametrize("identifier", ["grr", "oue", "olh"])
def test_the_band_of_those_who_took_part_holds_as_often_as_it_says(identifier: str) -> None:
    found = [collected(identifier, seed).participants for seed in range(TRIES)]
    held = np.mean([one is not None and one.low <= TOOK_PART <= one.high for one in found])
    assert held >= 0.95 - 2 * np.sqrt(0.95 * 0.05 / TRIES), "at least 95 %, up to what chance moves so many tries"
    wide = np.mean([one.high - one.low for one in found if one is not None]) / 2
    moved = 1.96 * np.std([one.estimate for one in found if one is not None])
    assert 0.95 * moved < wide < 1.4 * moved, "wider than 1.96 standard deviations, as it is said, and not by much"


def test_the_band_is_said_to_be_of_at_least_95_per_cent() -> None:
    found = collected("grr", 1)
    said = took_part_words(found)
    assert said.startswith("About 1,") and said.endswith(" with at least 95 %)"), said
