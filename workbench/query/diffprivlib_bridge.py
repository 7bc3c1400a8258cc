"""The one module that knows diffprivlib, which takes a second or two to import and so is imported when it is needed.

Guards of every call: missing values must have been dealt with; ε is a finite number above 0; a warning of a privacy
leak is an error; an accountant of its own, never the global one; no seed unless the caller asks for a simulation.
Source: N. Holohan, S. Braghin, P. Mac Aonghusa, K. Levacher: Diffprivlib, 2019; version 0.6.6.
"""

from __future__ import annotations

import math
import threading
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.io.missing_package import install_command

_LOCK = threading.Lock()
"""Which warnings are errors belongs to the whole process, so only one thread at a time may change it."""


def call(tool: str, *arrays: NDArray[Any], epsilon: float, **parameters: Any) -> Any:
    """Call a tool of diffprivlib. Without a `random_state` its noise comes from the operating system.

    Raises
    ------
    WorkbenchError
        If ε is no finite number above 0, values are missing, or diffprivlib warns of a leak.
    """
    if not (math.isfinite(epsilon) and epsilon > 0):
        raise WorkbenchError("ε must be a finite number above 0.", hint="Give one, such as 0.1.", field="epsilon")
    if any(np.isnan(array).any() for array in arrays if array.dtype.kind == "f"):
        raise WorkbenchError(
            "Values are missing, and diffprivlib would give that away.",
            hint="Leave such rows out, or say which value they count as.",
            field="missing",
        )
    warm_up()
    with _LOCK, warnings.catch_warnings():
        from diffprivlib import tools
        from diffprivlib.accountant import BudgetAccountant
        from diffprivlib.utils import PrivacyLeakWarning

        warnings.simplefilter("error", PrivacyLeakWarning)
        try:
            return getattr(tools, tool)(*arrays, epsilon=epsilon, accountant=BudgetAccountant(), **parameters)
        except PrivacyLeakWarning as leak:
            raise WorkbenchError(
                "diffprivlib warns that this would leak what is in the data.",
                hint="Give every public parameter: bounds, or the edges of the cells.",
            ) from leak


def bounded_scale(sensitivity: float, diameter: float, epsilon: float) -> float:
    """The scale of Laplace noise that is conditioned on a range (Holohan et al. 2020), as diffprivlib finds it."""
    if sensitivity == 0:
        return 0.0
    warm_up()
    with _LOCK, warnings.catch_warnings():
        from diffprivlib.mechanisms import LaplaceBoundedDomain

        noise = LaplaceBoundedDomain(epsilon=epsilon, delta=0.0, sensitivity=sensitivity, lower=0.0, upper=diameter)
        return sensitivity / float(noise.effective_epsilon())


def warm_up() -> None:
    """Import diffprivlib before it is needed.

    Raises
    ------
    WorkbenchError
        If it cannot be imported. Call this before its answer is paid for.
    """
    with _LOCK, warnings.catch_warnings():
        try:
            import diffprivlib.tools  # noqa: F401
        except ImportError as error:
            package = (error.name or "diffprivlib").partition(".")[0]
            raise WorkbenchError(
                f"The tools of diffprivlib cannot be used, since the package {package} cannot be imported.",
                hint=f"Install it with the command: {install_command('published')}. "
                "Or use grid noise, which needs no package.",
                field="noise",
            ) from error
