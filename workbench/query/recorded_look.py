"""Looks at data: that somebody saw something of it that is not differentially private, as an object and as a record."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeAlias

from workbench.core.json_values import text, texts, truth
from workbench.core.typed_fields import typed_fields

AFTER_LOOK = (
    "A look at the true values of this data is recorded. That the question, its settings and ε do not follow from what "
    "was seen rests on the asker's word alone."
)
"""The warning to whoever asks a question, or reads its answer, where a look was recorded before."""

Record: TypeAlias = Mapping[str, Any]
"""One line of a ledger file."""


@dataclass(frozen=True)
@typed_fields
class RecordedLook:
    """Somebody saw something of this data that is not differentially private. It costs nothing, but ends blindness.

    Parameters
    ----------
    recipe
        Digest of what was done to the data; what else was looked at, where `settled` says so.
    drawn
        Whether it was a sample that could be released, and not a simulation.
    settled
        Keys of the draws whose publication was settled before: these alone keep a claim. None where an earlier program
        recorded it, for whom every result that was seen was a look, and which settings came first decided.
    """

    id: str
    when: str
    recipe: str
    drawn: bool
    settled: tuple[str, ...] | None = None

    @classmethod
    def now(cls, recipe: str, *, drawn: bool = False, settled: Collection[str] | None = None) -> RecordedLook:
        """A look at this moment."""
        keys = None if settled is None else tuple(sorted(settled))
        return cls(secrets.token_hex(16), now(), recipe, drawn, keys)


def look_record(look: RecordedLook) -> Record:
    settled = {} if look.settled is None else {"settled": list(look.settled)}
    return {"type": "look", "id": look.id, "when": look.when, "recipe": look.recipe, "drawn": look.drawn, **settled}


def look_of_record(record: Record) -> RecordedLook:
    """The look that a record describes.

    Raises
    ------
    KeyError, WorkbenchError
        If it is not as this program writes it.
    """
    settled = None if "settled" not in record else tuple(texts(record["settled"], "the draws of a look"))
    return RecordedLook(
        text(record["id"]), text(record["when"]), text(record["recipe"]), truth(record["drawn"]), settled
    )


def now() -> str:
    """The time as it stands in a ledger."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
