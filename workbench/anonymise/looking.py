"""The words of a claim about looks at the data: at anything of it that is not differentially private.

A draw that shows nothing but its release leaves whoever sees it free to choose what to ask next; the price of each is
added up. Once anything else was seen, every later choice may follow from it: of the settings, of a draw, or whether to
publish one. Only a draw whose publication was settled before keeps its claim.

A draw that was made after a look can have less: its settings were fixed before its noise was drawn, and they stand in
the statement, so what the file tells beyond them is (ε, δ)-differentially private, as long as nothing that was seen
decides whether it is published. What the settings tell is not bounded. See “After a look” in `docs/trimming.md`.
"""

from __future__ import annotations

from types import MappingProxyType

LOOKED_AT = "Unprotected figures of this data were looked at before the publication of this draw was settled."
LOOKED_AT_REMEDY = (
    "A draw keeps its claim if it is exported, or its publication is settled, before anybody takes the analyst's "
    "figures, searches for levels or simulates on this data; draws that were settled so keep theirs. Of a new draw it "
    "can be said what holds for its choices as they are."
)
LOOKED_AFTER = (
    "Once the publication of this draw had been settled, unprotected figures of this data were looked at. The "
    "guarantee is that of a draw that is published whatever they say."
)
LOOKED_AFTER_REMEDY = "Publish this draw, and no other one instead of it."

OTHER = "other"
SEEN = MappingProxyType(
    {
        "values": "its values",
        "figures": "what a draw of it left out",
        "simulation": "a simulation with it",
        "release without a claim": "a draw of it without a claim",
        "survival": "what of it would survive a draw",
        "levels": "what levels would cost it",
        "attacks": "attacks on it",
        "syntactic": "a table of it with privacy models",
        "collection": "a simulated survey of it",
        "experiment": "an experiment with it",
        "comparison": "a comparison with it",
        OTHER: "something of it",
    }
)
"""By the code in the record of a look: what was seen, in words."""

LOOKED_BEFORE = "looked-before"
"""The code of the reason that the data was looked at before a draw was made, but nothing of that draw."""
LOOKED_BEFORE_REMEDY = (
    "A look cannot be undone. Where nothing else speaks against a claim, the statement says what holds for the choices "
    "as they are."
)


def kind_of_look(at: str) -> str:
    """Kind of a look, as notes name it."""
    return at if at in SEEN else OTHER


def looked_before(kind: str) -> str:
    """The reason that the data was looked at before a draw of it was made, beginning with this."""
    return (
        f"This data had been looked at before the draw was made, beginning with {SEEN[kind]}: what was chosen for the "
        "draw may follow from that."
    )
