"""The reach θ of distance-sensitive encoding as a parameter: what it spends, and what is refused."""

from __future__ import annotations

import math

import pytest

from workbench.core.errors import WorkbenchError
from workbench.ldp.choice import ProtocolChoice


@pytest.mark.parametrize("theta", [1, 2, 3, 4])
def test_theta_decides_what_is_spent(theta: int) -> None:
    randomiser = ProtocolChoice.parse(f"ds=theta:{theta}").frequency(50, math.log(20))
    assert randomiser.epsilon == pytest.approx(math.log(theta * (theta + 1)), rel=1e-6)
    assert randomiser.epsilon <= math.log(20)


def test_the_largest_theta_is_the_usual_one_and_a_larger_one_is_refused() -> None:
    usual, largest = (ProtocolChoice.parse(text).frequency(50, math.log(20)) for text in ("ds", "ds=4"))
    assert usual.epsilon == largest.epsilon
    with pytest.raises(WorkbenchError, match="θ = 5 spends ε = ln 30"):
        ProtocolChoice.parse("ds=5").frequency(50, math.log(20))
