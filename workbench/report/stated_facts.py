"""The facts of a note on a release, from which a statement is made: JSON, whose keys depend on the version."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

Facts: TypeAlias = Mapping[str, Any]
"""Of a file that was received, `well_formed` is asked first whether they have the form of their version."""
