"""What mechanisms ask for, and what counts unless somebody says otherwise."""

from __future__ import annotations

from tests.parameter_lists import listed
from workbench.mechanisms.mechanism import MECHANISMS

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
noisy-max: alpha (fraction), Fraction(1, 2), (0, 1)
noisy-max: change (choice 'one' 'every'), 'one'
noisy-max: scores (lines), 'brown blue green: 0..2'
survey: honest (fraction), Fraction(1, 2), [0, 1]
survey: p (fraction), Fraction(3, 4), [0, 1]
survey: variant (choice 'two-coin' 'warner'), 'two-coin'
survey: yes (fraction), Fraction(1, 2), [0, 1]
truncated-geometric: alpha (fraction), Fraction(1, 2), (0, 1)
truncated-geometric: n (integer), 5, [1, 400]
typed: table (lines), ', yes, no\nyes, 3/4, 1/4\nno, 1/4, 3/4'
"""


def test_every_parameter_has_its_default_and_its_bounds() -> None:
    assert listed(MECHANISMS) == PARAMETERS.strip().splitlines()
