"""What questions ask for, and what counts unless somebody says otherwise."""

from __future__ import annotations

from tests.parameter_lists import listed
from workbench.query.catalogue import QUERIES

PARAMETERS = r"""
above-threshold: alike (switch), False
above-threshold: bins (integer), 10, [1, inf]
above-threshold: column (column), ''
above-threshold: edges (text), ''
above-threshold: keys (text), ''
above-threshold: lower (text), ''
above-threshold: other (switch), False
above-threshold: outside (choice 'clip' 'exclude'), 'clip'
above-threshold: questions (lines), ''
above-threshold: threshold (integer), 100
above-threshold: upper (text), ''
bounds: column (column), needed
bounds: lower (text), ''
bounds: missing (text), ''
bounds: resolution (text), ''
bounds: share (text), '0.01'
bounds: upper (text), ''
count: post (choice 'none' 'non-negative'), 'none'
group-by: alike (switch), False
group-by: by_bins (integer), 10, [1, inf]
group-by: by_column (column), needed
group-by: by_edges (text), ''
group-by: by_keys (text), ''
group-by: by_lower (text), ''
group-by: by_upper (text), ''
group-by: column (column), ''
group-by: lower (text), ''
group-by: missing (text), ''
group-by: other (switch), False
group-by: outside (choice 'clip' 'exclude'), 'clip'
group-by: post (choice 'none' 'non-negative' 'consistent'), 'none'
group-by: resolution (text), ''
group-by: statistic (choice 'count' 'sum' 'mean'), 'count'
group-by: upper (text), ''
histogram2d: alike (switch), False
histogram2d: bins (integer), 10, [1, inf]
histogram2d: column (column), needed
histogram2d: edges (text), ''
histogram2d: keys (text), ''
histogram2d: lower (text), ''
histogram2d: other (switch), False
histogram2d: outside (choice 'clip' 'exclude'), 'clip'
histogram2d: post (choice 'none' 'non-negative' 'consistent'), 'none'
histogram2d: second_bins (integer), 10, [1, inf]
histogram2d: second_column (column), needed
histogram2d: second_edges (text), ''
histogram2d: second_keys (text), ''
histogram2d: second_lower (text), ''
histogram2d: second_upper (text), ''
histogram2d: upper (text), ''
histogram: alike (switch), False
histogram: bins (integer), 10, [1, inf]
histogram: column (column), needed
histogram: edges (text), ''
histogram: keys (text), ''
histogram: lower (text), ''
histogram: other (switch), False
histogram: outside (choice 'clip' 'exclude'), 'clip'
histogram: post (choice 'none' 'non-negative' 'consistent'), 'none'
histogram: upper (text), ''
laplace: column (column), ''
laplace: lower (text), ''
laplace: missing (text), ''
laplace: resolution (text), ''
laplace: scale (text), '10'
laplace: statistic (choice 'count' 'sum'), 'count'
laplace: upper (text), ''
limited: column (column), needed
limited: lower (text), ''
limited: upper (text), ''
maximum: column (column), needed
maximum: lower (text), ''
maximum: missing (text), ''
maximum: resolution (text), ''
maximum: share (text), '0.01'
maximum: upper (text), ''
mean: column (column), needed
mean: lower (text), ''
mean: missing (text), ''
mean: resolution (text), ''
mean: upper (text), ''
median: column (column), needed
median: lower (text), ''
median: missing (text), ''
median: resolution (text), ''
median: upper (text), ''
minimum: column (column), needed
minimum: lower (text), ''
minimum: missing (text), ''
minimum: resolution (text), ''
minimum: share (text), '0.01'
minimum: upper (text), ''
mode: alike (switch), False
mode: bins (integer), 10, [1, inf]
mode: column (column), needed
mode: draw (choice 'permute-and-flip' 'exponential'), 'permute-and-flip'
mode: edges (text), ''
mode: keys (text), ''
mode: lower (text), ''
mode: other (switch), False
mode: outside (choice 'clip' 'exclude'), 'clip'
mode: upper (text), ''
narrowed: column (column), needed
narrowed: figure (choice 'mean' 'sum' 'variance' 'standard-deviation'), 'mean'
narrowed: lower (text), ''
narrowed: missing (text), ''
narrowed: resolution (text), ''
narrowed: upper (text), ''
noisy-max: alike (switch), False
noisy-max: bins (integer), 10, [1, inf]
noisy-max: column (column), needed
noisy-max: edges (text), ''
noisy-max: keys (text), ''
noisy-max: lower (text), ''
noisy-max: other (switch), False
noisy-max: outside (choice 'clip' 'exclude'), 'clip'
noisy-max: upper (text), ''
quantile: column (column), needed
quantile: lower (text), ''
quantile: missing (text), ''
quantile: quantile (text), '0.25, 0.5, 0.75'
quantile: resolution (text), ''
quantile: upper (text), ''
standard-deviation: column (column), needed
standard-deviation: lower (text), ''
standard-deviation: missing (text), ''
standard-deviation: resolution (text), ''
standard-deviation: upper (text), ''
sum: column (column), needed
sum: lower (text), ''
sum: missing (text), ''
sum: resolution (text), ''
sum: upper (text), ''
truncated-geometric: alpha (fraction), Fraction(1, 2), (0, 1)
truncated-geometric: largest (integer), 1000000, [1, inf]
undeclared-groups: column (column), needed
undeclared-groups: delta (text), '1e-5'
variance: column (column), needed
variance: lower (text), ''
variance: missing (text), ''
variance: resolution (text), ''
variance: upper (text), ''
"""


def test_every_parameter_has_its_default_and_its_bounds() -> None:
    assert listed(QUERIES, "parameters") == PARAMETERS.strip().splitlines()
