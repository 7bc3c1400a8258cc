"""What privacy models and measures of loss ask for, and what counts unless somebody says otherwise."""

from __future__ import annotations

from tests.parameter_lists import listed
from workbench.anonymise.models.entropy_l_diversity import EntropyAtLeast
from workbench.anonymise.privacy import MODELS
from workbench.anonymise.utility import METRICS

PARAMETERS = r"""
average-risk: threshold (number), 0.05, (0.0, 1.0]
b-likeness: beta (number), 1.0, (0.0, inf]
b-likeness: column (column), needed
b-likeness: variant (choice 'enhanced' 'basic'), 'enhanced'
d-presence: least (number), 0.0, [0.0, 1.0]
d-presence: most (number), 0.5, (0.0, 1.0]
d-presence: subset_column (column), ''
d-presence: subset_value (text), ''
entropy-l-diversity: column (column), needed
entropy-l-diversity: l (number), 2.0, (1.0, inf]
hierarchical-t-closeness: column (column), needed
hierarchical-t-closeness: t (number), 0.2, (0.0, 1.0]
k-anonymity: k (integer), 5, [2, inf]
k-map: estimator (choice 'poisson' 'truncated'), 'poisson'
k-map: k (integer), 5, [2, inf]
k-map: people (integer), 0, [0, inf]
k-map: significance (number), 0.05, (0.0, 1.0)
k-map: subset_column (column), ''
k-map: subset_value (text), ''
l-diversity: column (column), needed
l-diversity: l (integer), 2, [2, inf]
loss: aggregate (choice 'geometric' 'arithmetic' 'maximum' 'rank'), 'geometric'
ordered-t-closeness: column (column), needed
ordered-t-closeness: t (number), 0.2, (0.0, 1.0]
recursive-l-diversity: c (number), 3.0, (0.0, inf]
recursive-l-diversity: column (column), needed
recursive-l-diversity: l (integer), 2, [2, inf]
t-closeness: column (column), needed
t-closeness: t (number), 0.2, (0.0, 1.0]
"""


def test_every_parameter_has_its_default_and_its_bounds() -> None:
    assert listed([*MODELS, *METRICS]) == PARAMETERS.strip().splitlines()


def test_a_class_needs_as_many_rows_as_its_entropy_asks_for() -> None:
    assert [EntropyAtLeast("x", least).smallest_class for least in (1.2, 2.0, 2.5)] == [2, 2, 3]
