"""The length of the codes that a mask is made for: as the rule has it for all who say nothing, or as somebody says.

Whoever knows that post codes have four digits says so; no row is read for it, and a rule of that length is as public as
any other. Values are only put into its groups.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.core.builder_suggestions import public_specification
from workbench.core.building import BUILDERS, builder_of
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.occurring import are_all_codes, code_length, entries_of
from workbench.core.schema import ColumnSpec

MASKING = "masking"
LONGEST = int(next(one for one in BUILDERS[MASKING].parameters if one.name == "length").maximum)


@dataclass(frozen=True)
class MaskLength:
    """The length of a mask that follows from its column, or from that and a length that somebody said.

    Parameters
    ----------
    length
        As it stands, in characters.
    usual
        What it is where nobody says another.
    """

    length: int
    usual: int

    def asked_of(self, words: str) -> int | None:
        """How long the codes are of which it is to be said whether they are whole; None where there is no question.

        Parameters
        ----------
        words
            What can occur, as it was typed.
        """
        length = code_length(entries_of(words))
        return length if length is not None and self.usual != length <= LONGEST else None

    @staticmethod
    def are_whole(words: str) -> bool:
        """Whether what was typed can only be whole codes, so that the answer is yes until somebody gives another."""
        return are_all_codes(entries_of(words))


def mask_length(hierarchy: Hierarchy | None) -> int | None:
    """Characters that a mask by a rule of the program is made for; None of anything else, or where the data decides."""
    plain = None if hierarchy is None else hierarchy.specification
    if hierarchy is None or plain is None or plain["builder"] != MASKING or not builder_of(hierarchy).built_in:
        return None
    return plain["parameters"]["length"] or None if hierarchy.provenance is Provenance.PUBLIC else None


def said_length(hierarchy: Hierarchy | None, spec: ColumnSpec) -> MaskLength | None:
    """The length of a mask that is as the program makes it in all else; None where somebody built another."""
    length = mask_length(hierarchy)
    if hierarchy is None or hierarchy.specification is None or length is None:
        return None
    usual, plain = public_specification(spec), with_length(hierarchy.specification, length)
    if usual["builder"] != MASKING:
        return None
    alike = with_length(usual, length)
    same = all(plain[part] == alike[part] for part in ("parameters", "details"))
    return MaskLength(length, usual["parameters"]["length"]) if same else None


def is_said_whole(hierarchy: Hierarchy | None, spec: ColumnSpec, said: Sequence[str]) -> bool:
    """Whether a mask is as long as the codes that were said to occur, where the rule alone would not have it so."""
    found = said_length(hierarchy, spec)
    return found is not None and found.usual != found.length == code_length(said)


def with_length(specification: Mapping[str, Any], length: int) -> dict[str, Any]:
    """The same mask for codes of so many characters."""
    return {**specification, "parameters": {**specification["parameters"], "length": length}}
