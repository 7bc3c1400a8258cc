"""The lines on where figures 4.2 to 4.11 of the thesis differ and why, from what came out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from workbench.core.number_text import count, counted, estimate, exact, percent
from workbench.evaluate.published.entry import FigureOutcome
from workbench.evaluate.published.fewest import at_fewest, at_place, of_more_runs
from workbench.evaluate.published.frame import value_at, value_text
from workbench.evaluate.published.local_runs import DIRECT, HISTOGRAM, MATRIX, SENSITIVE, UNARY, totals_line
from workbench.evaluate.published.originals import distance_sensitive, random_matrix, rappor_memo
from workbench.evaluate.published.winners import ONE_ERROR, told_apart, with_error

USERS = tuple(range(10, 10_000, 200))
"""The numbers of people of figures 4.5 and 4.6."""
NAMES = ("Direct encoding", "Histogram encoding", "Unary encoding (OUE)")
"""Names of the pure protocols in mended charts."""
SHARE, _GUESS, _TURNING = ", for every 100 people", "Uniform guess", 2_010
_OWN, BEST = "Distance-sensitive", (2.0, 2.5)
"""The protocol of the thesis in mended charts, and between which ε its text finds it the best."""


def matrix_floor(outcome: FigureOutcome) -> str:
    """Sentence on the error of the random matrix that remains with many people, in per cent of these."""
    *_, printed = (one.value for one in outcome.figure.values if one.curve == MATRIX)
    return (
        "The error of the random matrix does not fall to 0, as its estimates stay biased: each has on average only a "
        "third of its own true number in it, and a random part of every other, which no number of people averages out. "
        f"At {count(USERS[-1])} people it errs by {value_text(outcome.published, MATRIX, USERS[-1])} here "
        f"({count(int(printed))} in the picture){SHARE[1:]}."
    )


MATRIX_LINES = (
    "The curve of the random matrix goes up and down by chance alone: ε was never passed to it, so all its points have "
    f"ε = {exact(random_matrix.EPSILON)} (author's code). On average its estimates are a third of the true numbers.",
    random_matrix.FLAW.audit,
)
MATRIX_BY_PEOPLE = (matrix_floor, random_matrix.FLAW.audit)
BEST_BY_MANHATTAN = (
    "The text calls unary encoding the best (p. 48); in the picture histogram encoding errs less at every ε up to 1.2, "
    "and direct encoding from 2.53 on. Estimates below 0 were set to 0 for these two and kept for unary encoding "
    "(author's code), so the errors cannot be compared."
)
RAPPOR_LINE = (
    "Basic RAPPOR is described (p. 43) but is in no published figure. Mended, it has f = ½: one report has ε = 1.02, "
    f"all reports of a person at most {estimate(2 * math.log(3), 3)}. {rappor_memo.FLAW.audit}"
)

OVERSPENT = (
    f"{distance_sensitive.FLAW.audit} Of the figure's ε the code exceeds 1.8 and all from 3.13 on; of the others a "
    "whole θ leaves more unspent than that adds."
)
"""A flaw that shows at half of the ε of figure 4.9, with 50 values."""


def sensitive_line(outcome: FigureOutcome) -> str:
    panel = outcome.published.panels[0]
    end = max((curve.places[-1] for curve in panel.curves), default=0.0)
    by_people = panel.across == "People"
    where = f"{count(int(end))} people" if by_people else f"ε = {estimate(end, 3)}"
    ours, other = (value_text(outcome.published, name, end) for name in (SENSITIVE, UNARY))
    ours += SHARE[1:] if by_people else ""
    told = {name: estimate(one.mean, 3) for name, one in outcome.published.numbers.items()}
    at = "" if by_people else f" at {where}"
    total = stays = ""
    if distance_sensitive.LIMIT in told:
        total = f": with ever more people{at} the total comes to {told[distance_sensitive.LIMIT_OF_TOTAL]} % of their "
        total += "number"
        stays = f", and that of distance-sensitive encoding to {told[distance_sensitive.LIMIT]}"
    if (best := told.get(distance_sensitive.BEST_LIMIT)) is not None:
        stays += f" ({best} with the best divisor)"
    if (part := told.get(distance_sensitive.BY_TOTAL)) is not None:
        stays += f", of which the wrong total makes up {part}"
    return (
        "The published aggregation of distance-sensitive encoding counts for an answer also the reports that come from "
        "people with near answers, and no divisor takes them out again. The published one, p* − s, also subtracts s, "
        f"the probability of a far answer, once instead of 2θ − 1 times{total}. At {where} its error is {ours}, and "
        f"that of unary encoding {other}. With ever more people, for every 100 of them, the error of unary encoding "
        f"tends to 0{stays}."
    )


def with_few(outcome: FigureOutcome) -> str:
    """Whether distance-sensitive encoding errs least where few take part, as the text concludes."""
    moved = outcome.figure.number == "Figure 4.10"
    curves = {one.name: one for one in outcome.mended.panels[0].curves} if outcome.mended.panels else {}
    place = min((one.places[0] for one in curves.values() if one.places), default=0.0)
    own, *others = (at_fewest(outcome.mended, name) for name in (_OWN, NAMES[0], NAMES[2]))
    if own is None or None in others:
        return "Not all of the mended curves are there."
    pure = [one for one in others if one is not None]
    holds = "that is so" if all(told_apart(one, own) for one in pure) else "that cannot be told"
    if any(told_apart(own, one) for one in pure):
        holds = "that is not so"
    direct, unary = map(with_error, pure)
    beside, unit = "", " years" if moved else ""
    if (guess := at_fewest(outcome.mended, _GUESS)) is not None:
        beside = (
            f" A guess that all answers are equally frequent, for which nobody is asked, errs by "
            f"{with_error(guess)}{unit}."
        )
    if not moved and (found := value_at(outcome.published, SENSITIVE, place)) is not None:
        beside += (
            f" As published it errs by {estimate(found.mean, 3)}{SHARE[1:]}, where estimates that are all 0 would err "
            "by 100."
        )
    return (
        "The text concludes that distance-sensitive encoding succeeds with extremely few people (p. 59). By "
        f"{'Kantorovich' if moved else 'Manhattan'} distance {holds}: mended, with {count(place)} people it errs by "
        f"{with_error(own)}{unit}, direct encoding by {direct}, unary encoding by {unary}"
        f"{of_more_runs(outcome.mended, _OWN)}.{beside}"
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


_UNTOLD = "As distributions it cannot be told from"


def worst_with_few(outcome: FigureOutcome) -> str:
    """Comparison of the three pure protocols with the text's order of them: with few people, and with many."""
    printed = {(one.curve, one.place): count(one.value) for one in outcome.figure.values}
    first = {name: one for name in NAMES if (one := at_fewest(outcome.mended, name)) is not None}
    last = {name: one for name in NAMES if (one := value_at(outcome.mended, name, USERS[-1])) is not None}
    if len(first) < len(NAMES) or len(last) < len(NAMES):
        return "Not all of the mended curves are there."
    errs = (f"{_small(name)} by {with_error(one)}" for name, one in first.items())
    worst = [
        name for name, one in first.items() if all(told_apart(one, other) for other in first.values() if other != one)
    ]
    which = f"{_small(worst[0])} the most" if worst else "none the most beyond chance"
    histogram, unary = last[NAMES[1]], last[NAMES[2]]
    beats = "As distributions it does not beat" if told_apart(unary, histogram) else _UNTOLD
    beats = "That is the setting to 0 again: as distributions it does beat" if told_apart(histogram, unary) else beats
    return (
        "The text calls unary encoding the worst of the protocols with few people, and says that it eventually beats "
        "the others (p. 50). Of the three pure ones, only its estimates below 0 were kept; those of the "
        f"others were set to 0. As distributions, with {count(USERS[0])} people these err: {', '.join(errs)}"
        f"{of_more_runs(outcome.mended, NAMES[0])}; {which}. "
        f"In the picture, at {count(USERS[-1])} people, "
        f"histogram encoding still errs less: {printed[HISTOGRAM, USERS[-1]]} against {printed[UNARY, USERS[-1]]}. "
        f"{beats} histogram encoding there, "
        f"{with_error(unary)} against {with_error(histogram)}. {ONE_ERROR}"
    )


def turning_point(outcome: FigureOutcome) -> str:
    """How much errors still fall after the number of people from which the text calls them stable."""
    falls = [
        f"{'that of ' if number else 'the error of '}{_small(name.partition(' (')[0])}{'' if number else ' falls'} "
        f"from {value_text(outcome.published, name, _TURNING)} to {value_text(outcome.published, name, USERS[-1])}"
        for number, name in enumerate((DIRECT, HISTOGRAM, UNARY))
    ]
    return (
        "The text says that the error stabilises from about 2,000 people on (p. 49). That is an effect of the linear "
        f"axis: here, from {count(_TURNING)} to {count(USERS[-1])} people, {', '.join(falls)}, each{SHARE[1:]}."
    )


def best_of_pure(outcome: FigureOutcome) -> str:
    """Whether the text's best protocol is the best in the picture, and whether a guess errs less with few people."""
    place = USERS[0]
    names = [one.name for panel in outcome.mended.panels for one in panel.curves if one.at(place)]
    curves = {name: found for name in names if (found := at_fewest(outcome.mended, name))}
    guess = curves.pop(_GUESS, None)
    if guess is None:
        return "Not all of the mended curves are there."
    curves.pop("Global DP", None)
    less = [name for name, one in curves.items() if one.mean < guess.mean]
    told = "every protocol errs" if not less else f"every protocol but {_listed(less)} errs"
    runs = max((one.repetitions for one in curves.values()), default=0)
    more = " (ten times as many as in the chart)" if of_more_runs(outcome.mended, _GUESS) else ""
    clear = [name for name, one in curves.items() if told_apart(one, guess)]
    beyond = (
        f"; by more than two standard errors of the difference {_which(clear, curves)}" if clear and runs > 1 else ""
    )
    said = " (± is one standard error)" if runs > 1 else ""
    low = " Of ε = 1.5 distance-sensitive encoding spends ln 2 only, as θ is 1." if _OWN in curves else ""
    return (
        "The text calls unary encoding the best (p. 50): of the pure protocols, on which it says it focuses (p. 49), "
        "it is the best in the picture. The random matrix, which is not pure, errs less there with 10 or 210 people. "
        f"Mended, in the mean of {counted(runs, 'run')} with {count(place)} people each{more}, {told} more than a "
        f"uniform guess, which errs by {with_error(guess)} years{said}{beyond}.{low}"
    )


def with_many(outcome: FigureOutcome) -> str:
    """Error of distance-sensitive encoding with the most people, beside the pure protocols, as the text finds."""
    curves = {one.name: one for one in outcome.mended.panels[0].curves} if outcome.mended.panels else {}
    if not {_OWN, *NAMES} <= curves.keys():
        return "Not all of the mended curves are there."
    end = curves[_OWN].places[-1]
    found = {name: value for name in (_OWN, *NAMES) if (value := curves[name].at(end)) is not None}
    worse = all(told_apart(found[_OWN], found[name]) for name in NAMES)
    errs = ", ".join(f"{_small(name)} by {with_error(found[name])}" for name in NAMES)
    return (
        "The text finds distance-sensitive encoding worse than the pure protocols with many people (p. 59). Mended, "
        f"{'that is so too' if worse else 'that is not clearly so'}: with {count(end)} people it errs "
        f"by {with_error(found[_OWN])}, {errs}. {ONE_ERROR}"
    )


def best_between(outcome: FigureOutcome) -> str:
    """Whether distance-sensitive encoding errs least where the text says so, beside the best of the others."""
    curves = {one.name: one for one in outcome.mended.panels[0].curves} if outcome.mended.panels else {}
    if not {_OWN, *NAMES} <= curves.keys():
        return "Not all of the mended curves are there."
    places = [place for place in curves[_OWN].places if BEST[0] < place < BEST[1]]
    found = {
        name: [value for place in places if (value := at_place(outcome.mended, name, place)) is not None]
        for name in (_OWN, *NAMES)
    }
    other = min(NAMES, key=lambda name: sum(one.mean for one in found[name]))
    pairs = list(zip(found[_OWN], found[other], strict=True))
    verdicts = [
        "that is not so"
        if told_apart(own, one)
        else "that is so"
        if all(told_apart(found[name][number], own) for name in NAMES)
        else "that cannot be told"
        for number, (own, one) in enumerate(pairs)
    ]
    at = [estimate(one, 3) for one in places]
    holds = f"at ε = {' and '.join(at)} {verdicts[0]}" if verdicts else "it is not run there"
    if len(set(verdicts)) > 1:
        holds = ", and ".join(f"at {'' if n else 'ε = '}{at[n]} {one}" for n, one in enumerate(verdicts))
    ours, theirs = (" and ".join(map(with_error, found[name])) for name in (_OWN, other))
    more = of_more_runs(outcome.mended, _OWN, places[0]) if places else ""
    between = f"({estimate(BEST[0])}, {estimate(BEST[1])})"
    return (
        f"The text finds distance-sensitive encoding the best for ε in {between}, as in the picture (p. 58). Mended, "
        f"{holds}: it errs by {ours} years, {_small(other)} by {theirs}{more}. {ONE_ERROR}"
    )


def _which(some: Sequence[str], of: Iterable[str]) -> str:
    """Such as “only Square Wave does” or “all but Square Wave do”, whichever is shorter."""
    others = [name for name in of if name not in some]
    if len(some) <= len(others):
        return f"only {_listed(some)} {'do' if len(some) > 1 else 'does'}"
    return f"all but {_listed(others)} do" if others else "all do"


def _listed(names: Sequence[str]) -> str:
    known = list(map(_small_known, names))
    return " and ".join(filter(None, (", ".join(known[:-1]), known[-1])))


def _small(name: str) -> str:
    return f"{name[0].lower()}{name[1:]}"


def _small_known(name: str) -> str:
    """A protocol in a sentence; what is a name of its own keeps its capitals, and no comma takes one for two."""
    protocol, _, how = name.partition(", ")
    if how:
        return f"{how} {_small(protocol)}"
    return name if name.startswith(("Square Wave", "Basic RAPPOR")) else _small(name)


def two_answers(outcome: FigureOutcome) -> str:
    counts = outcome.mended.panels[0].curves[0].means
    two = sum(sorted(counts)[-2:]) / sum(counts)
    return (
        f"Two answers hold {percent(two, 2)} of the reports. Which protocol errs least on which shape is told under "
        "“Shape”, beyond the figures."
    )
