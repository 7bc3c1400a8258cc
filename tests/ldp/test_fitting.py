"""Which encodings go with a column, and which protocols with what is asked of it."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.core.errors import WorkbenchError
from workbench.core.schema import ColumnSpec, Kind
from workbench.core.table import Column
from workbench.ldp.encoding import Domain, EncodingChoice, chosen_how, domain_of
from workbench.ldp.fitting import ProtocolGroup, group_of, ways, why_not
from workbench.ldp.protocol import PROTOCOLS, Family, LocalProtocol

TOWN = ColumnSpec("town", Kind.CATEGORY, domain=("A", "B", "C"))
AGE = ColumnSpec("age", Kind.INTEGER, bounds=(0.0, 100.0))


def domain(spec: ColumnSpec, choice: EncodingChoice) -> Domain:
    return domain_of(choice, Column(spec.name, np.zeros(1, dtype=np.int64), ("A",)), spec)


@pytest.mark.parametrize("kind", Kind)
def test_every_way_that_is_offered_goes_with_the_column(kind: Kind) -> None:
    spec = ColumnSpec("x", kind)
    for how in ways(spec):
        assert chosen_how(EncodingChoice(how=how), spec) is how
    refused = [how for how in type(ways(spec)[0]) if how not in ways(spec)]
    for how in refused:
        if kind is not Kind.DATE and kind is not Kind.DATETIME:
            with pytest.raises(WorkbenchError):
                chosen_how(EncodingChoice(how=how), spec)


def test_distances_need_an_order() -> None:
    towns, ages = domain(TOWN, EncodingChoice()), domain(AGE, EncodingChoice(bins=10))
    for protocol in PROTOCOLS:
        if group_of(protocol) is ProtocolGroup.ORDINAL:
            assert "order" in why_not(protocol, towns, TOWN)
            assert not why_not(protocol, ages, AGE)


def test_only_numbers_have_a_mean() -> None:
    means = [protocol for protocol in PROTOCOLS if group_of(protocol) is ProtocolGroup.MEANS]
    assert means
    for protocol in means:
        assert "mean" in why_not(protocol, None, TOWN)
        assert not why_not(protocol, None, AGE)
        assert not why_not(protocol, None, None)


def test_a_yes_or_no_protocol_wants_two_answers() -> None:
    towns = domain(TOWN, EncodingChoice())
    assert why_not(PROTOCOLS["rr"], towns, TOWN) == "Needs a question with exactly 2 answers."
    assert not why_not(PROTOCOLS["grr"], towns, TOWN)


@pytest.mark.parametrize("protocol", list(PROTOCOLS), ids=lambda one: one.identifier)
def test_a_protocol_goes_with_as_many_answers_as_it_takes(protocol: LocalProtocol) -> None:
    least, most = protocol.minimum_domain, protocol.maximum_domain
    for size, fits in ((least - 1, False), (least, True), (most, True), (most + 1, False)):
        if protocol.family is Family.MEAN or size > 100_000:
            continue
        answers = Domain(tuple(map(str, range(size))), ordinal=True, declared=True)
        assert (why_not(protocol, answers, None) == "") == fits, size
