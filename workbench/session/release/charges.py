"""The charges of an (ε, δ) release: its draw, the draw of its levels, and that it left without a claim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any

from workbench.anonymise.claim import Claim
from workbench.anonymise.dp_search import PrivateSearch
from workbench.anonymise.promise import Promise
from workbench.core.charged_mechanism import LossKind, MechanismPart
from workbench.core.composition import ReleaseSpending
from workbench.core.rationals import rational
from workbench.project.model import LevelsBy, ReleaseRecord
from workbench.query.ledger import Charge
from workbench.query.ledger_entries import CHARGED, LOOKS, RECIPE, WHEN_DRAWN, WITHOUT_CLAIM, ClaimedTogether
from workbench.session.release.result import levels_key


def file_spending(promised: Promise) -> ReleaseSpending:
    """The spending of a file, without what drawing its levels cost."""
    epsilon, delta = rational(promised.release.epsilon), rational(promised.delta)
    part = (
        MechanismPart(LossKind.TRIM, epsilon, delta)
        if promised.trimmed is not None
        else MechanismPart(LossKind.SAMPLE, epsilon, delta, promised.beta, promised.k)
    )
    return ReleaseSpending(epsilon, delta, promised.rows_per_person, mechanism=(part,))


def charge_of_release(path: Path, fingerprint: str, promised: Promise, claim: Claim, draw: str = "") -> Charge:
    """The charge for the release of a result; the same draw costs once, wherever it is written to.

    A private draw of its levels was charged when it was made.
    """
    trimmed = promised.trimmed is not None
    return ReleaseRecord(
        when="",
        fingerprint=fingerprint,
        file=path.name,
        epsilon=promised.release.epsilon,
        delta=promised.delta,
        beta=0.0 if trimmed else promised.beta,
        k=0 if trimmed else promised.k,
        mechanism=promised.mechanism.value if trimmed else "",
        claim=claim.holds,
        rows_per_person=promised.rows_per_person,
        levels_epsilon=promised.search_epsilon,
    ).charge(draw)


def claimed_with(claim: Claim) -> ClaimedTogether | None:
    """The promise of a file's statement for it and all else of its data; None if it speaks of the file alone."""
    together = claim.together
    if together is None or not claim.holds:
        return None
    return ClaimedTogether(together.releases, together.exact_epsilon, together.exact_delta)


def charge_of_draw(promised: Promise, claim: Claim, recipe: str, draw: str, looks: Sequence[str] = ()) -> Charge:
    """The charge for a release when it is drawn; once it has left, its file is noted with this charge.

    Parameters
    ----------
    recipe
        Digest of what is done to the data.
    looks
        The ids of the looks at the data that are known before it is made.
    """
    charge = charge_of_release(Path(), "", promised, claim, draw)
    parameters = {**charge.parameters, CHARGED: WHEN_DRAWN, RECIPE: recipe}
    if looks:
        parameters[LOOKS] = list(looks)
    return replace(charge, what="Draw of a release", parameters=MappingProxyType(parameters))


def charge_without_claim(promised: Promise, draw: str) -> Charge:
    """That a draw left without a claim, though one held when it was charged: nothing more is spent for it."""
    return Charge(
        kind="release",
        what="Released without a claim",
        epsilon=Fraction(0),
        rows_per_person=promised.rows_per_person,
        made_by="claim",
        claimed=False,
        key=draw + WITHOUT_CLAIM,
    )


def charge_of_levels(promised: Promise, search: PrivateSearch, nodes: int, draw: str, *, claimed: bool) -> Charge:
    """The charge for drawing the levels privately among `nodes` combinations."""
    return Charge(
        kind="search",
        what=f"Levels drawn privately among {nodes:,} combinations",
        epsilon=rational(search.epsilon),
        rows_per_person=promised.rows_per_person,
        made_by=LevelsBy.SEARCH.value,
        parameters=MappingProxyType(
            {
                "draw": search.draw.value,
                "score": search.score.value,
                "nodes": nodes,
                **_parameters(promised),
            }
        ),
        claimed=claimed,
        key=levels_key(draw),
    )


def _parameters(promised: Promise) -> dict[str, Any]:
    """Of the release that levels are drawn for, as far as their scores depend on them."""
    if promised.trimmed is None:
        return {"beta": promised.beta, "k": promised.k}
    return {"mechanism": promised.mechanism.value}
