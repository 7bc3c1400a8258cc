"""The line above a release: how many rows and groups came out, what is promised for them, and why if nothing is."""

from __future__ import annotations

from workbench.anonymise.sampling import Outcome
from workbench.anonymise.trimming import TrimOutcome
from workbench.core.number_text import rounded_up
from workbench.session.release.assessment import PromiseAssessment, alike
from workbench.session.release.result import Result


def promised_words(found: PromiseAssessment) -> str:
    """Promise in words, or the reason why there is none."""
    claim = found.claim
    if claim is None:
        return "The guarantee has no solution yet" if found.error is not None else ""
    if not found.grouped:
        return ""  # the page below says what comes first
    if not claim.holds and not claim.given:
        kinds = alike(claim.reasons)
        return kinds[0][0].text if len(kinds) == 1 else f"{len(kinds)} reasons"
    return claim.price


def cautions_words(found: PromiseAssessment) -> str:
    count = len(alike(found.claim.cautions)) if found.claim is not None and found.claim.holds else 0
    return "" if not count else "1 caution" if count == 1 else f"{count} cautions"


def why_words(found: PromiseAssessment) -> str:
    """Tooltip: the parts of what is promised, or every reason."""
    claim = found.claim
    if claim is None:
        return ""
    if not claim.holds:
        return "\n".join(reason.text for reason in claim.reasons)
    promised = claim.guarantee
    if promised.search is None:
        return ""
    search, release = rounded_up(promised.search_epsilon), rounded_up(promised.release.epsilon)
    return f"{search} for choosing the levels + {release} for the release"


def counted_words(
    result: Result | None,
    expected: int | None,
    *,
    looked: bool,
    groups: int = 0,
    people: bool = False,
) -> tuple[str, str]:
    """Rows and groups of a release, with the analyst's figures once they were taken; and the rest, for the tooltip.

    Parameters
    ----------
    expected
        So many rows were typed, roughly, None for none: how many the table has is not told, and nothing here knows it,
        also where others do.
    looked
        Whether it is recorded that the analyst's figures were taken.
    groups
        As many differ in the file, where columns that told groups apart are not in it; 0 for those of the draw.
    people
        Whether so many as are expected are people, of each of whom one row takes part.
    """
    if result is None:
        return "", ""
    outcome = result.outcome
    rows = f"{outcome.rows_out:,} of {outcome.rows_in:,} rows" if looked else f"{outcome.rows_out:,} rows"
    typed, more = "" if expected is None else f"{expected:,}", [""]
    if not looked and expected is not None and expected >= outcome.rows_out > 0 and isinstance(outcome, TrimOutcome):
        rows = f"{outcome.rows_out:,} of ~{typed} {'people' if people else 'rows'}"
        more = [f"So many rows of the {typed}{' people' * people} that you expect: how many there are is not told."]
    smallest = int(outcome.released_sizes.min()) if len(outcome.released_sizes) and not groups else 0
    groups = groups or len(outcome.released_sizes)
    words = f"{rows} · {groups:,} {'group' if groups == 1 else 'groups'}"
    more += [f"The smallest group has {smallest:,} rows." if smallest else ""]
    if looked and isinstance(outcome, Outcome):
        more.append(f"{outcome.sampled.rows:,} rows were sampled, and {outcome.suppressed:,} of them dropped.")
    elif looked:
        more.append(f"{outcome.rows_in - outcome.rows_out:,} rows were not released.")
    return words, " ".join(filter(None, more))
