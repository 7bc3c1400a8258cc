"""The choices of a person for a draw, in words: so that they know what they sign; no statement has them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from workbench.anonymise.balanced import Importance
from workbench.anonymise.claim import Claim
from workbench.anonymise.terms import Terms
from workbench.core.first_few import first_few
from workbench.core.level_words import AS_IT_IS, level_words, narrower_words, words_among
from workbench.core.number_text import rounded_up
from workbench.core.occurring_listed import listing_of
from workbench.core.widening import is_widening
from workbench.session.interval_widths import WIDENING
from workbench.session.mask_lengths import is_said_whole
from workbench.session.missing_words import chosen_missing
from workbench.session.release.said import said_of
from workbench.session.release.wishes import enough_of, least_of, ranked, telling_levels
from workbench.session.session import Session

_NAMED = 8
"""So many columns that are left out are named."""


def own_choices(
    session: Session,
    terms: Terms,
    columns: Collection[str],
    released: Collection[str] = (),
    amounts: str = "",
    said: Mapping[str, Sequence[str]] | None = None,
) -> tuple[str, ...]:
    """What was chosen as the settings stand, of that which `choices_in_short` names; each line with its name.

    Parameters
    ----------
    columns
        Those that were grouped.
    released
        All that are in the release; of them, those in `terms.after` are not in the file.
    amounts
        The ε and δ that were chosen, from `amounts_words`.
    said
        What was said to occur when a draw was made; None for what is said now.
    """
    trim, schema = session.project.anonymise.trim, session.project.schema
    wishes = _wishes(session, columns) if terms.balanced else ()
    occurs = said_of(session.project) if said is None else said
    occurring = [name for name in columns if name in occurs] if terms.occurring else []
    whom = "People" if schema.unit.rows_per_person == 1 else "Rows"  # it was asked for people
    left_out = [name for name in schema.names if name not in released] if released else []
    own = {
        "Protected": f"the persons of {terms.limited_by}, {_rows(terms)} of each" if terms.limited_by else "",
        "Released": ", ".join(name for name in released if name not in terms.after.left_out),
        "In the draw, not in the file": ", ".join(name for name in released if name in terms.after.left_out),
        "Left out": first_few(left_out, _NAMED),
        "Missing": chosen_missing([schema[name] for name in columns]),
        "Asked of each column": ("; ".join(wishes) or "nothing, so all is automatic") if terms.balanced else "",
        **{f"Occurs in {name}": _occurring_words(session, name, occurs[name]) for name in occurring},
        f"{whom} expected": f"{trim.expected_rows:,}" if terms.expected and trim.expected_rows else "",
        "ε and δ, fixed before the draw": amounts,
    }
    return tuple(f"{named}: {chosen}" for named, chosen in own.items() if chosen)


def amounts_words(claim: Claim) -> str:
    """The ε and δ that were chosen for a draw, and what those of the claim are where these are others.

    Where others know how many people there are, what is chosen is what a draw comes to, as beside the slider.
    """
    known, summed = bool(claim.known), claim.together is not None
    chosen = (claim.epsilon, claim.delta) if known and not summed else claim.guarantee.about(replacing=known)
    if not summed:
        return _both(chosen)
    above = _both((claim.epsilon, claim.delta))
    return f"{_both(chosen)}. The claim is {above}: all {claim.terms.counted:,} releases count."


def amounts_of_each(claim: Claim) -> str:
    """What the ε and δ of a claim for replacing are made of, for whoever computes with them; "" of another claim."""
    if not claim.known:
        return ""
    once = _both(claim.guarantee.about(replacing=False))
    return f"One person in the place of another is one fewer and one more, each with {once}."


def _both(amounts: tuple[float, float]) -> str:
    return " and ".join(map(rounded_up, amounts))


def _occurring_words(session: Session, name: str, entries: Sequence[str]) -> str:
    """What was said to occur in a column, what became of it by choice, and where it is from."""
    project = session.project
    whole = is_said_whole(project.hierarchies.get(name), project.schema[name], entries)
    source = project.anonymise.trim.occurring_from.get(name, "")
    hierarchy = project.hierarchies.get(name)
    widens = f", {WIDENING}" if hierarchy is not None and is_widening(hierarchy.specification) else ""
    return f"{listing_of(entries)}{', whole codes' * whole}{widens}{source and f', from {source}'}"


def _rows(terms: Terms) -> str:
    return "1 row" if terms.rows_per_person == 1 else f"up to {terms.rows_per_person:,} rows"


def _wishes(session: Session, columns: Collection[str]) -> list[str]:
    """What was asked of the columns; those that matter most first, together, also with a detail that was chosen."""
    kept = ranked(session, columns)
    asked = {name: _wish_of(session, name) for name in columns}
    alike = {words: [name for name, one in asked.items() if one == words] for words in filter(None, asked.values())}
    others = [f"{name} {words}" for words, names in alike.items() for name in names]
    return [f"{', '.join(kept)} matter{'s' * (len(kept) == 1)} most", *others] if kept else others


def _wish_of(session: Session, name: str) -> str:
    """The wish for a column in words, without its name and whether it matters most; "" where there is no other."""
    hierarchy, least, enough = session.project.hierarchies.get(name), least_of(session, name), enough_of(session, name)
    wanted = session.release.steps.importance(name)
    if wanted is Importance.KEEP and not enough and (least or telling_levels(hierarchy) == [least]):
        return ""  # how fine it is at the least follows from that, by rule
    if least is not None:
        words = words_among(hierarchy, least, (least,))
        if words == AS_IT_IS:
            return words  # nobody is asked whether spaces are tidied
        cut = narrower_words(hierarchy, least)
        finer = f"{',' * bool(cut)} or finer" if enough < least else ""
        return f"{'exactly ' * (enough == least > 0)}{words}{cut}{finer}"
    if enough:
        cut = narrower_words(hierarchy, enough)
        return f"{level_words(hierarchy, enough, example=False)}{cut}{',' * bool(cut)} or coarser"
    return wanted.words.lower() if wanted is Importance.GIVE_UP else ""
