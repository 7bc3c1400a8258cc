"""Mechanisms that can be audited: those of the program, and every local protocol as a mechanism."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tests.parameter_lists import listed
from workbench.core.errors import WorkbenchError
from workbench.ldp.protocol import PROTOCOLS, FrequencyRandomiser
from workbench.mechanisms.audit import audit
from workbench.mechanisms.mechanism import MECHANISMS
from workbench.project.auditable import LOCAL, catalogue, find

PARAMETERS = r"""
above-threshold: answers (text), '3 3 3'
above-threshold: comparison (choice 'strict' 'non-strict'), 'strict'
above-threshold: n (integer), 5, [1, 64]
above-threshold: queries (integer), 3, [1, 100]
above-threshold: query_alpha (fraction), Fraction(1, 2), (0, 1)
above-threshold: stream (choice 'database' 'worst' 'typed'), 'database'
above-threshold: threshold (text), 'every'
above-threshold: threshold_alpha (fraction), Fraction(1, 4), (0, 1)
above-threshold: truncated (switch), True
blh: d (integer), 4, [2, 1000]
blh: epsilon (text), 'ln 3'
blh: functions (integer), 0, [0, 1048576]
ds-corrected: d (integer), 4, [2, 1000]
ds-corrected: epsilon (text), 'ln 3'
ds-corrected: spend (choice 'published' 'whole'), 'published'
ds: d (integer), 4, [2, 1000]
ds: epsilon (text), 'ln 3'
ds: theta (integer), 0, [0, inf]
exponential: change (choice 'one' 'every'), 'one'
exponential: epsilon (text), 'ln 4'
exponential: factor (choice 'half' 'full'), 'half'
exponential: scores (lines), 'brown blue green: 0..2'
exponential: sensitivity (fraction), Fraction(1, 1), (0, inf]
geometric: alpha (fraction), Fraction(1, 2), (0, 1)
geometric: beyond (integer), 4, [1, 200]
geometric: n (integer), 5, [1, 200]
grr: d (integer), 4, [2, 2000]
grr: epsilon (text), 'ln 3'
hadamard: blocks (integer), 0, [0, 1048576]
hadamard: d (integer), 4, [2, 1000]
hadamard: epsilon (text), 'ln 3'
local-exponential: d (integer), 4, [2, 1000]
local-exponential: epsilon (text), 'ln 3'
local-exponential: scope (choice 'any' 'neighbours'), 'any'
local-geometric: d (integer), 4, [2, 1000]
local-geometric: epsilon (text), 'ln 3'
local-geometric: scope (choice 'any' 'neighbours'), 'any'
local-grr: d (integer), 4, [2, 1000]
local-grr: epsilon (text), 'ln 3'
noisy-max: alpha (fraction), Fraction(1, 2), (0, 1)
noisy-max: change (choice 'one' 'every'), 'one'
noisy-max: scores (lines), 'brown blue green: 0..2'
olh: d (integer), 4, [2, 1000]
olh: epsilon (text), 'ln 3'
olh: functions (integer), 0, [0, 1048576]
olh: g (integer), 0, [0, 1048576]
oue: d (integer), 4, [2, 1000]
oue: epsilon (text), 'ln 3'
random-matrix: d (integer), 4, [2, 1000]
random-matrix: epsilon (text), 'ln 3'
random-matrix: m (integer), 4096, [1, inf]
random-matrix: matrix_seed (integer), 1, [0, inf]
rappor: d (integer), 4, [2, 1000]
rappor: f (number), 0.5, [0.0, 1.0)
rappor: p (number), 0.75, (0.0, 1.0)
rappor: q (number), 0.25, (0.0, 1.0)
rappor: rounds (integer), 1, [1, 1000]
rr: d (integer), 2, [2, 2]
rr: design (choice 'epsilon' 'warner' 'coins'), 'epsilon'
rr: epsilon (text), 'ln 3'
rr: p (number), 0.75, (0.0, 1.0)
rr: truth (number), 0.5, (0.0, 1.0)
rr: yes (number), 0.5, (0.0, 1.0)
she: d (integer), 4, [2, 1000]
she: epsilon (text), 'ln 3'
square-wave: d (integer), 4, [2, 1000]
square-wave: epsilon (text), 'ln 3'
subset-selection: d (integer), 4, [2, 1000]
subset-selection: epsilon (text), 'ln 3'
subset-selection: k (integer), 0, [0, inf]
sue: d (integer), 4, [2, 1000]
sue: epsilon (text), 'ln 3'
survey: honest (fraction), Fraction(1, 2), [0, 1]
survey: p (fraction), Fraction(3, 4), [0, 1]
survey: variant (choice 'two-coin' 'warner'), 'two-coin'
survey: yes (fraction), Fraction(1, 2), [0, 1]
the: d (integer), 4, [2, 1000]
the: epsilon (text), 'ln 3'
the: spend (choice 'published' 'whole'), 'published'
the: theta (number), 0.0, [0.0, 1.0)
truncated-geometric: alpha (fraction), Fraction(1, 2), (0, 1)
truncated-geometric: n (integer), 5, [1, 400]
typed: table (lines), ', yes, no\nyes, 3/4, 1/4\nno, 1/4, 3/4'
ue: d (integer), 4, [2, 1000]
ue: p (number), 0.75, (0.0, 1.0)
ue: q (number), 0.25, (0.0, 1.0)
"""


def test_every_parameter_has_its_default_and_its_bounds() -> None:
    assert listed(catalogue()) == PARAMETERS.strip().splitlines()


def test_a_local_protocol_gives_way_to_a_mechanism_of_its_name() -> None:
    names = [mechanism.identifier for mechanism in catalogue()]
    assert len(set(names)) == len(names)
    local = {name.removeprefix(LOCAL) for name in names if name.startswith(LOCAL)}
    assert local == {"exponential", "geometric", "grr"} and local <= {one.identifier for one in MECHANISMS}
    with pytest.raises(WorkbenchError) as refused:
        find("nothing")
    assert refused.value.field == "mechanism"


@pytest.mark.parametrize(
    "identifier,values,outputs",
    [
        (LOCAL + "grr", {"d": 3}, ("1", "2", "3")),
        ("rr", {"d": 2, "design": "coins", "truth": 0.5, "yes": 0.5}, ("1", "2")),
        # Whoever says no is still taken for a yes, so a report is no answer to compare with.
        ("rr", {"d": 2, "design": "coins", "truth": 0.1, "yes": 0.9}, ("r1", "r2")),
        ("sue", {"d": 2}, ("r1", "r2", "r3", "r4")),
    ],
)
def test_reports_are_named_like_the_values_they_most_likely_mean(
    identifier: str, values: dict[str, object], outputs: tuple[str, ...]
) -> None:
    channel = find(identifier).build(values).channel
    assert tuple(channel.outputs) == outputs
    assert len(channel.inputs) == values["d"]


def test_what_cannot_be_written_down_is_refused_by_its_size() -> None:
    with pytest.raises(WorkbenchError) as refused:
        find("oue").build({"d": 900})
    assert refused.value.field == "d"


def test_a_channel_that_is_too_large_is_refused_before_it_is_made() -> None:
    with pytest.raises(WorkbenchError, match="too large to be written down"):
        find("random-matrix").build({"d": 1000})


@pytest.mark.parametrize(
    ("name", "typed", "first", "epsilon"),
    [
        ("local-grr", {"epsilon": "ln 3"}, (Fraction(1, 2), Fraction(1, 6)), Fraction(3)),
        ("local-grr", {"epsilon": "ln 5", "d": "3"}, (Fraction(5, 7), Fraction(1, 7)), Fraction(5)),
        ("rr", {"epsilon": "ln 3"}, (Fraction(3, 4), Fraction(1, 4)), Fraction(3)),
        ("rr", {"design": "warner", "p": "0.875"}, (Fraction(7, 8), Fraction(1, 8)), Fraction(7)),
        ("rr", {"design": "coins"}, (Fraction(3, 4), Fraction(1, 4)), Fraction(3)),
        ("subset-selection", {"epsilon": "ln 2", "d": "5", "k": "2"}, (Fraction(1, 7), Fraction(1, 7)), Fraction(2)),
        ("hadamard", {"epsilon": "ln 3", "d": "4"}, (Fraction(1, 4), Fraction(1, 12)), Fraction(3)),
        ("oue", {"epsilon": "ln 3", "d": "2"}, (Fraction(3, 8), Fraction(3, 8)), Fraction(3)),
        ("sue", {"epsilon": "ln 4", "d": "2"}, (Fraction(2, 9), Fraction(4, 9)), Fraction(4)),
        ("ue", {"p": "0.7", "q": "0.2", "d": "2"}, (Fraction(24, 100), Fraction(56, 100)), Fraction(28, 3)),
        ("rappor", {"d": "2"}, (Fraction(15, 64), Fraction(25, 64)), Fraction(25, 9)),
    ],
)
def test_a_protocol_is_known_in_fractions_where_it_has_such(
    name: str, typed: dict[str, str], first: tuple[Fraction, Fraction], epsilon: Fraction
) -> None:
    """By hand from what was published; and what is drawn reveals no more than that."""
    made = find(name).build_typed(typed)
    assert made.channel.exact is not None and made.channel.exact[0][:2] == first
    found = audit(made.channel, made.neighbours).exact
    assert found is not None and found.ratio == epsilon
    values = find(name).values_typed(typed)
    asked = values.pop("epsilon", None)
    protocol = PROTOCOLS[name.removeprefix(LOCAL)]
    drawn = protocol.build(values.pop("d"), None if asked is None else np.log(float(epsilon)), **values)
    assert isinstance(drawn, FrequencyRandomiser) and drawn.worst_ratio <= epsilon
    assert np.abs(drawn.channel() - made.channel.floats).max() < 1e-12


def test_what_would_reveal_more_than_its_fractions_is_known_rounded() -> None:
    """The float next to 0.3 is below it, so that the chances that are drawn are a little further apart than 7 : 3."""
    assert find("rr").build_typed({"design": "warner", "p": "0.7"}).channel.exact is None


@pytest.mark.parametrize(("name", "epsilon"), [("local-grr", "1"), ("sue", "ln 3"), ("the", "ln 3"), ("oue", "0.5")])
def test_a_protocol_without_fractions_is_known_rounded(name: str, epsilon: str) -> None:
    made = find(name).build_typed({"epsilon": epsilon})
    assert made.channel.exact is None and "Fractions" not in made.note
