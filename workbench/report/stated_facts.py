"""What a note says of a release, and what a statement is made from: JSON, whose keys depend on the version."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

Facts: TypeAlias = Mapping[str, Any]
"""Of a file that was received, `well_formed` is asked first whether they have the form of their version."""
