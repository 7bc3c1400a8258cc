"""What protocols ask for, and what counts unless somebody says otherwise."""

from __future__ import annotations

from tests.parameter_lists import listed
from workbench.ldp.protocol import PROTOCOLS

PARAMETERS = r"""
blh: functions (integer), 0, [0, 1048576]
ds-corrected: spend (choice 'published' 'whole'), 'published'
ds: theta (integer), 0, [0, inf]
exponential: scope (choice 'any' 'neighbours'), 'any'
geometric: scope (choice 'any' 'neighbours'), 'any'
hadamard: blocks (integer), 0, [0, 1048576]
olh: functions (integer), 0, [0, 1048576]
olh: g (integer), 0, [0, 1048576]
random-matrix: m (integer), 4096, [1, inf]
random-matrix: matrix_seed (integer), 1, [0, inf]
rappor: f (number), 0.5, [0.0, 1.0)
rappor: p (number), 0.75, (0.0, 1.0)
rappor: q (number), 0.25, (0.0, 1.0)
rappor: rounds (integer), 1, [1, 1000]
rr: design (choice 'epsilon' 'warner' 'coins'), 'epsilon'
rr: p (number), 0.75, (0.0, 1.0)
rr: truth (number), 0.5, (0.0, 1.0)
rr: yes (number), 0.5, (0.0, 1.0)
subset-selection: k (integer), 0, [0, inf]
the: spend (choice 'published' 'whole'), 'published'
the: theta (number), 0.0, [0.0, 1.0)
ue: p (number), 0.75, (0.0, 1.0)
ue: q (number), 0.25, (0.0, 1.0)
"""


def test_every_parameter_has_its_default_and_its_bounds() -> None:
    assert listed(PROTOCOLS) == PARAMETERS.strip().splitlines()
