"""The verdict in few words: which way and which ε, on which condition, why, and what others come to at the place."""

from __future__ import annotations

import math

from workbench.evaluate.basis_words import assumed_words
from workbench.evaluate.clipped_words import clipped_words
from workbench.evaluate.enough_advice import (
    Charges,
    enough_here,
    enough_sentence,
    named_epsilon,
    never_enough,
    short_of_enough,
)
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import Approach
from workbench.evaluate.order_words import order_words
from workbench.evaluate.tile import TRUSTED, Tile, Verdict
from workbench.evaluate.tile_words import between_words
from workbench.evaluate.told_apart import TileStanding
from workbench.evaluate.verdict import place_words, told_error

_NEAR = {TileStanding.ALIKE: "as good", TileStanding.UNTOLD: "not told apart"}
_ASKS = {Approach.GLOBAL: "trusting a curator", Approach.ANONYMISED: "with δ", Approach.LOCAL: "trusting nobody"}
"""What another way asks, or does not, that the one to take does otherwise."""
_NO_DELTA = "without δ"


def answer_words(said: Verdict, findings: Findings, most: float | None = None) -> str:
    """Which way to take, and from which ε on; where nobody knows that one, the place it is taken at.

    Parameters
    ----------
    most
        The error that is good enough, where somebody typed one.
    """
    if said.taken is None:
        return ""
    if said.waits:
        return "Not every way has been run here yet"
    if said.recommended is None:
        return f"Nothing beats guessing at {_place(said, findings)}"
    name = said.recommended.value.capitalize()
    # What a smaller ε does may yet stand here, so that another way comes first.
    name = name if findings.complete else f"So far: {name}"
    if epsilon := named_epsilon(said, findings, most):
        return f"{name}, ε {epsilon}"
    if never_enough(said, findings, most):
        return f"{name}, enough at no ε tried"
    return f"{name} at {_place(said, findings)}"


def epsilon_to_show(said: Verdict, findings: Findings, most: float | None = None) -> float | None:
    """The ε that `answer_words` name, where that is one, and not the place of the verdict itself."""
    mine = enough_here(said, findings, most)
    if mine is None or mine.least is None or not math.isfinite(mine.said):
        return None
    places = findings.experiment.places
    return None if mine.said == said.place else min(max(mine.said, places[0]), places[-1])


def reason_words(
    said: Verdict,
    findings: Findings,
    most: float | None = None,
    charges: Charges | None = None,
    *,
    errors: bool = True,
) -> str:
    """On which condition `answer_words` hold and why, and what other ways come to at this place, in sentences.

    Parameters
    ----------
    most
        The error that is good enough, where somebody typed one.
    charges
        What Query charges for a setting, where that is not its ε.
    errors
        Whether to say what the way errs by that is left where nobody is trusted, which may stand below.
    """
    if said.taken is None or said.waits:
        return ""
    assumed = assumed_words(findings)
    if said.recommended is None:
        return " ".join(filter(None, (assumed and f"{assumed.strip().capitalize()}.", clipped_words(findings))))
    trusted = TRUSTED[said.recommended].strip()
    condition = f"{trusted[:1].upper()}{trusted[1:]}{assumed}." if trusted else f"It trusts nobody{assumed}."
    told = (
        condition,
        enough_sentence(said, findings, most, charges),
        _others(said, findings, most, errors=errors),
        order_words(said, findings, most),
        clipped_words(findings),
    )
    return " ".join(filter(None, told))


def _others(said: Verdict, findings: Findings, most: float | None, *, errors: bool) -> str:
    """The ways that are as good here, and those that are left where δ must be 0 or nobody is trusted."""
    told = [_other(one, said, findings, most, errors=errors) for one in said.tiles if one.known]
    if not any(told):
        return ""
    named = named_epsilon(said, findings, most) or never_enough(said, findings, most)
    where = f"At {_place(said, findings)}" if named else "There"  # else the answer has said where
    return f"{where}: {'; '.join(filter(None, told))}."


def _other(tile: Tile, said: Verdict, findings: Findings, most: float | None, *, errors: bool) -> str:
    """What a way comes to beside the one to take; "" for one that nothing speaks for here."""
    if tile.approach is said.recommended:
        return ""
    near, local = _NEAR.get(tile.standing, ""), tile.approach is Approach.LOCAL
    left = local or (said.recommended is Approach.ANONYMISED and tile.approach is Approach.GLOBAL and not tile.guessed)
    if not near and not left:
        return ""
    asks = _ASKS[tile.approach]
    if said.recommended is Approach.ANONYMISED and not local:
        asks = _NO_DELTA
    stands = near or (told_error(tile, findings) if errors or not local else "")
    if local and tile.guessed:
        stands = "no better than a guess"
    elif local and not near and short_of_enough(Approach.LOCAL, said, findings, most):
        stands = "not enough"
    return f"{tile.approach.value.capitalize()}, {asks}{stands and f', {stands}'}"


def _place(said: Verdict, findings: Findings) -> str:
    """Where it is, and whether that was run: whoever has the words alone must know it too."""
    between = " (interpolated)" if between_words(findings, said.place) else ""
    return f"{place_words(findings, said.place)}{between}"
