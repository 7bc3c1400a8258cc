"""Shared parts of the kinds of l-diversity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.anonymise.privacy import Background
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import exact
from workbench.core.params import ParamSpec, ParamType

_HELP = "How many different sensitive values a class must show."

L = ParamSpec("l", "l", ParamType.INTEGER, default=2, minimum=2, unit="values", help=_HELP)
"""l as a whole number."""

EFFECTIVE_L = ParamSpec(
    "l", "l", ParamType.NUMBER, default=2.0, minimum=1.0, open_minimum=True, unit="values", help=_HELP
)
"""l as an effective number of values, which need not be whole."""


def checked_l(values: Mapping[str, Any], background: Background) -> float:
    """l, if the sensitive column has that many values at all.

    Raises
    ------
    WorkbenchError
        If it has fewer, so that no class could ever be released.
    """
    wanted = float(values["l"])
    column = str(values["column"])
    distinct = int((background.sensitive[column].counts > 0).sum())
    if wanted > distinct:
        raise WorkbenchError(
            f"l = {exact(wanted)} is more than there are different values of “{column}”, so no class would be left.",
            hint="Choose a smaller l, or another sensitive column.",
            field="l",
        )
    return wanted
