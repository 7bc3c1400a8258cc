"""The lines on where figures 4.2 to 4.11 of the thesis differ and why, from what came out."""

from __future__ import annotations

from workbench.core.number_text import count, estimate, percent
from workbench.evaluate.published.entry import FigureOutcome
from workbench.evaluate.published.frame import value_at, value_text
from workbench.evaluate.published.local_runs import DIRECT, HISTOGRAM, MATRIX, SENSITIVE, UNARY, totals_line
from workbench.evaluate.published.originals import distance_sensitive
from workbench.evaluate.published.winners import error_text, told_apart, with_error

USERS = tuple(range(10, 10_000, 200))
"""The numbers of people of figures 4.5 and 4.6."""
NAMES = ("Direct encoding", "Histogram encoding", "Unary encoding (OUE)")
"""What the pure protocols are called in mended charts."""
SHARE = ", for every 100 people"


def matrix_floor(outcome: FigureOutcome) -> str:
    """What stays of its error, in per cent of the people."""
    *_, printed = (one.value for one in outcome.figure.values if one.curve == MATRIX)
    return (
        "The error of the random matrix does not fall to 0, as its estimates stay biased: on average each has only a "
        "third of its own answer in it, and a random part of every other, which no number of people averages out. At "
        f"{count(USERS[-1])} people it errs by {value_text(outcome.published, MATRIX, USERS[-1])} here "
        f"({count(int(printed))} in the picture){SHARE[1:]}."
    )


def sensitive_line(outcome: FigureOutcome) -> str:
    panel = outcome.published.panels[0]
    end = max((curve.places[-1] for curve in panel.curves), default=0.0)
    by_people = panel.across == "People"
    where = f"{count(int(end))} people" if by_people else f"ε = {estimate(end, 3)}"
    ours, other = (value_text(outcome.published, name, end) for name in (SENSITIVE, UNARY))
    ours += SHARE[1:] if by_people else ""
    limits = (outcome.published.numbers.get(one) for one in distance_sensitive.LIMITS)
    told = [estimate(one.mean, 3) for one in limits if one is not None]
    at = "" if by_people else f" at {where}"
    total = f": with ever more people{at} the total comes to {told[0]} % of their number" if told else ""
    stays = ""
    if len(told) > 1:
        best = f", and with the best divisor by {told[2]}" if len(told) > 2 else ""
        stays = f" With ever more people it still errs by {told[1]}{'' if by_people else SHARE[1:]}{best}."
    return (
        "The published aggregation of distance-sensitive encoding counts for an answer also the reports that come from "
        f"people with near answers, and no divisor takes them out again{total}. At {where} its error is {ours}, and "
        f"that of unary encoding, which falls to 0 for every 100 people, {other}.{stays}"
    )


def with_few(outcome: FigureOutcome) -> str:
    """Whether distance-sensitive encoding errs least where few take part, as the text concludes."""
    moved = outcome.figure.number == "Figure 4.10"
    curves = {one.name: one for one in outcome.mended.panels[0].curves} if outcome.mended.panels else {}
    place = min((one.places[0] for one in curves.values() if one.places), default=0.0)
    own, *others = (value_at(outcome.mended, name, place) for name in ("Distance-sensitive", NAMES[0], NAMES[2]))
    if own is None or None in others:
        return "Not all of the mended curves are there."
    pure = [one for one in others if one is not None]
    holds = "that is so" if all(told_apart(one, own) for one in pure) else "that cannot be told"
    if any(told_apart(own, one) for one in pure):
        holds = "that is not so"
    direct, unary = map(with_error, pure)
    beside = ""
    if not moved and (found := value_at(outcome.published, SENSITIVE, place)) is not None:
        beside = (
            f" As published it errs by {estimate(found.mean, 3)}{SHARE[1:]}, where estimates that are all 0 would err "
            "by 100."
        )
    return (
        "The text concludes that distance-sensitive encoding succeeds with extremely few people (p. 59). By "
        f"{'Kantorovich' if moved else 'Manhattan'} distance {holds}: mended, with {count(place)} people it errs by "
        f"{with_error(own)}, direct encoding by {direct}, unary encoding by {unary}.{beside}"
    )


def moved_line(outcome: FigureOutcome) -> str:
    """How many times the error of unary encoding that of direct encoding is, both ways."""
    published = [value_at(outcome.published, one, 10) for one in (DIRECT, UNARY)]
    curves = {one.name: one for one in outcome.mended.panels[0].curves} if outcome.mended.panels else {}
    if None in published or not {NAMES[0], NAMES[2]} <= curves.keys():
        return totals_line(outcome)
    first, last = (one.mean for one in published if one is not None)
    most = max(one / other for one, other in zip(curves[NAMES[0]].means, curves[NAMES[2]].means, strict=True))
    return (
        f"{totals_line(outcome)} With {USERS[0]} people direct encoding errs {estimate(first / last, 2)} times "
        f"as much as unary; compared as distributions, at most {estimate(most, 2)} times with any of the "
        f"{len(curves[NAMES[0]].places)} numbers of people that are run here."
    )


def worst_with_few(outcome: FigureOutcome) -> str:
    """What comes of the text's order of the three pure protocols: with few people, and with many."""
    printed = {(one.curve, one.place): count(one.value) for one in outcome.figure.values}
    errs = (f"{name[0].lower()}{name[1:]} by {error_text(outcome.mended, name, USERS[0])}" for name in NAMES)
    return (
        "The text calls unary encoding the worst of the protocols with few people, and says that it eventually beats "
        "the others (p. 50). Of the three pure ones, only its estimates were kept below 0. As distributions, "
        f"with {count(USERS[0])} people these err: {', '.join(errs)} (± one standard error). In the picture, at "
        f"{count(USERS[-1])} people, histogram encoding still errs less: {printed[HISTOGRAM, USERS[-1]]} against "
        f"{printed[UNARY, USERS[-1]]}."
    )


def two_answers(outcome: FigureOutcome) -> str:
    counts = outcome.mended.panels[0].curves[0].means
    two = sum(sorted(counts)[-2:]) / sum(counts)
    return (
        f"Two answers hold {percent(two, 2)} of the reports. Which protocol errs least on which shape is told under "
        "“Shape”, beyond the figures."
    )
