"""The one module that knows OpenDP, which takes some seconds to import and so is imported when it is needed.

Guards of every call: its own privacy map says what a call costs, and a scale is taken at which that is not above the ε
that is charged; numbers stay within those its 64-bit integers hold; its noise comes from the operating system.
Source: OpenDP Library 0.16, M. Shoemate and others; M. Gaboardi, M. Hay, S. Vadhan: A programming framework for
OpenDP, 2020.
"""

from __future__ import annotations

import math
import sys
import threading
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.query.amounts import not_above

_LOCK = threading.Lock()
"""The lock on the features of OpenDP, which belong to the whole process."""
_LARGEST = 1 << 62
_TRIES = 64


def noisy(numbers: Sequence[int], sensitivity: int, epsilon: Fraction) -> list[int]:
    """The numbers with OpenDP's discrete Laplace noise.

    Parameters
    ----------
    numbers
        Those that one person changes by no more than `sensitivity`, all together.
    sensitivity, epsilon
        From which the scale follows.

    Raises
    ------
    WorkbenchError
        If OpenDP cannot be imported, or knows no scale for this.
    """
    measurement = _measurement(sensitivity, epsilon)
    # Cutting a number changes no difference to a larger one; so nothing is refused for what the data holds.
    inside = [min(max(number, -_LARGEST), _LARGEST) for number in numbers]
    with _LOCK:
        return [int(number) for number in measurement(inside)] if inside else []


def check(sensitivity: int, epsilon: Fraction) -> None:
    """See that noise could be drawn. Call this before an answer is paid for.

    Raises
    ------
    WorkbenchError
        As `noisy`.
    """
    _measurement(sensitivity, epsilon)


def _measurement(sensitivity: int, epsilon: Fraction) -> Any:
    if sensitivity > _LARGEST:
        raise WorkbenchError(
            "One person can change this answer by more than OpenDP's whole numbers hold.",
            hint="Use grid noise, narrower bounds or a coarser step.",
            field="noise",
        )
    with _LOCK:
        library, allowed = _library(), not_above(epsilon)
        space = library.vector_domain(library.atom_domain(T="i64")), library.l1_distance(T="i64")
        scale = float(sensitivity) / allowed
        for _ in range(_TRIES):
            measurement = library.m.make_laplace(*space, scale=scale)
            if measurement.map(sensitivity) <= allowed:
                return measurement
            scale = math.nextafter(scale, math.inf)
    raise WorkbenchError(
        "OpenDP states a larger ε for this noise than is charged.", hint="Use grid noise, or another ε.", field="noise"
    )


def _library() -> Any:
    try:
        import opendp.prelude as library
    except ImportError as error:
        package = (error.name or "opendp").partition(".")[0]
        raise WorkbenchError(
            f"The noise of OpenDP cannot be used, since the package {package} cannot be imported.",
            hint=f"Install it with the command: {sys.executable or 'python3'} -m pip install opendp. "
            "Or use grid noise, which needs no package.",
            field="noise",
        ) from error
    library.enable_features("contrib")
    return library
