"""A release that was asked for with an (ε, δ) and cannot have it is refused, unless it is asked for without."""

from __future__ import annotations

from workbench.anonymise.claim import Claim
from workbench.core.errors import WorkbenchError

_GIVEN = " Its statement then says what holds for its choices as they are, and what you assert for that."


class NoClaim(WorkbenchError):
    """A refusal: what was asked for cannot be promised.

    Its words are for the analyst: some reasons, such as the rows of a person, tell a fact of the data. `given` is
    whether (ε, δ) holds all the same for the choices as they are.
    """

    given = False


def refuse_without_claim(claim: Claim, *, drawn: bool = False) -> None:
    """Refuse a release for which no claim can be made.

    Parameters
    ----------
    drawn
        Whether a sample was drawn already.

    Raises
    ------
    NoClaim
        With all reasons.
    """
    if claim.holds:
        return
    done = "written" if drawn else "drawn, charged or written"
    # Why a ledger cannot be read must be known to put it right; other details of the data are left to the window.
    lines = [
        f"  - {reason.text} {reason.remedy}" + (f" {reason.analyst}" if reason.code == "ledger" else "")
        for reason in claim.reasons
    ]
    if drawn:
        lines.append("The draw was charged when it was made.")
    error = NoClaim(
        f"The (ε, δ) that was asked for cannot be claimed, so nothing was {done}:",
        hint="Put this right, or ask for the file without a claim." + (_GIVEN if claim.given else ""),
        field=claim.reasons[0].column,
        details=lines,
    )
    error.given = claim.given
    raise error
