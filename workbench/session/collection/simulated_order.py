"""The order of protocols by simulated collections, and where it may be chance alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from workbench.core.number_text import counted, estimate
from workbench.evaluate.findings import NEARLY
from workbench.evaluate.told_apart import TileStanding, about_words, more_tries, ratio_between, standing_of
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.plan import Shape
from workbench.ldp.share_margin import MARGIN
from workbench.ldp.simulation import FrequencyResult, MeanResult, SimulationErrors
from workbench.project.collect_settings import CollectSettings
from workbench.session.collection.foreseen import foreseen_error, ordering_error
from workbench.session.collection.mean_decision import MEAN
from workbench.session.collection.results import Planned, Simulated
from workbench.session.collection.two_answers import named, names_in
from workbench.session.collection.usual_share import taking
from workbench.session.collection.words import scale_of, with_own_epsilon
from workbench.session.release.spread import listed_names

_USUAL_TRIES = CollectSettings().repetitions
_MOST_TRIES = 1000
"""So many collections can be asked for in the window."""
_MANY = 200
"""So many tell most of what few do not, and take seconds."""
_NAMED = 4


@dataclass(frozen=True)
class SimulatedOrder:
    """The certainty of the order of simulated protocols.

    Parameters
    ----------
    words
        Which of them these collections do not tell from the one that errs least; "" where there is nothing to order.
    more
        So many collections would tell, if their errors came out as before; where no number does that can be asked for,
        so many as tell more than few; 0 where there are as many.
    tells
        Whether it is the first.
    """

    words: str = ""
    more: int = 0
    tells: bool = False


def why_taken(settings: CollectSettings, metric: str, found: Simulated, planned: Planned | None = None) -> str:
    """Why a prediction takes a protocol that errs more than another one in what was simulated; "" where nothing says.

    Parameters
    ----------
    planned
        The prediction, where it is of shares.
    """
    if metric == MEAN:
        sampling = ", with sampling error" if settings.sampling else ""
        return f"It is taken as it errs least of the answers that are worst for it{sampling}; this is one case."
    small = planned is not None and settings.aim == MARGIN and taking(planned, settings.protocols).instead is not None
    if metric == MARGIN or small:
        of = "of shares that are not large" if small else "whatever the shares"
        return f"It is taken for the narrowest margin {of}; these are one case."
    if settings.aim == MARGIN:
        return "It is taken for the narrowest margin of each share."
    if settings.rank_by != metric:
        return f"It is taken for “{scale_of(settings.rank_by).title}”."
    if planned is None or (found.assumed and len(planned.plan.cases) < 2):
        return ""
    shape = "the worst of the shapes tried" if len(planned.plan.cases) > 1 else "an assumed shape"
    here = "of these answers" if not found.assumed else "another" if found.shape is Shape.OWN else "one of them"
    return f"It is taken for {shape}; this is {here}."


def beside_the_goal(
    settings: CollectSettings,
    metric: str,
    found: Simulated,
    planned: Planned | None,
    recommended: ProtocolChoice | None,
) -> str:
    """That the plan is made for another error than the one that is simulated; "" where it is for that one.

    Parameters
    ----------
    planned
        The prediction, which may take a protocol for this error that was not simulated.
    recommended
        The protocol that it takes for the goal.
    """
    if settings.aim != MARGIN or metric in (MEAN, MARGIN) or not found.results:
        return ""
    words = "The goal is a margin"
    best = planned.best[0] if planned is not None and planned.best else None
    if best is None or planned is None or metric != planned.ranked or found.plan is None:
        return f"{words}."
    simulated = {named(one.choice, found.plan) for one in found.results}
    name = named(best.choice, planned.plan)
    if name in simulated or best.choice == recommended:
        return f"{words}."
    return f"{words}; for this error take {name}, not simulated here."


def not_simulated(found: Simulated, recommended: ProtocolChoice | None) -> str:
    """That the protocol to take is none of those that were simulated, as where others were ticked; "" where it is."""
    if recommended is None or found.plan is None or not found.results or recommended.estimates_mean:
        return ""
    name = named(recommended, found.plan)
    if name in {named(one.choice, found.plan) for one in found.results}:
        return ""
    same = next((one.choice for one in found.results if one.choice.identifier == recommended.identifier), None)
    instead = "" if same is None else f" ({named(same, found.plan)} was)"
    return f"{name}, which is to take, was not simulated{instead}."


def simulated_order(
    found: Simulated, metric: str, recommended: ProtocolChoice | None = None, why: str = ""
) -> SimulatedOrder:
    """The certainty of the order by one error.

    Parameters
    ----------
    metric
        One of `METRICS`, the margin, or that of a mean.
    recommended
        The protocol that a prediction takes, which is said of it.
    why
        As of `why_taken`; said where it errs more.
    """
    simulated: Sequence[FrequencyResult | MeanResult] = found.means if metric == MEAN else found.results
    known = [(errors, one) for one in simulated if (errors := _errors(one, metric)) is not None]
    if len(known) < 2:
        return SimulatedOrder()
    every = sorted(known, key=lambda pair: pair[0].mean)
    names = names_in([one.choice for _, one in every], found.plan, recommended)
    told = [with_own_epsilon(name, one.choice, one.epsilon) for name, (_, one) in zip(names, every, strict=True)]
    least = every[0][0]
    tries, name = len(least.values), told[0]
    # Which of them came out least is chance, too: that another one is as good is told of all pairs at once.
    pairs, others = math.comb(len(every), 2), len(every) - 1
    places: dict[TileStanding, list[str]] = {standing: [] for standing in TileStanding}
    wanted, behind = list[int](), ""
    for place, ((errors, one), called) in enumerate(zip(every[1:], told[1:], strict=True), 1):
        standing = standing_of(ratio_between(_mean(errors), _mean(least), tries, of=pairs))
        ahead = _ahead(errors, [better for better, _ in every[:place]], others)
        if standing is TileStanding.UNTOLD and ahead is not None:
            standing = TileStanding.WORSE
        places[standing].append(called)
        if standing is TileStanding.UNTOLD:
            wanted.append(_USUAL_TRIES if tries == 1 else more_tries(tries, _mean(errors), _mean(least), of=pairs))
        elif standing is TileStanding.WORSE and ahead is not None and one.choice == recommended and least.mean > 0:
            better = every[ahead][0]
            times = about_words(_times(errors, better, others), errors.mean / better.mean)
            behind = f"Here {called} errs {times} as {told[ahead]}. {why}".rstrip()
    untold, alike = places[TileStanding.UNTOLD], places[TileStanding.ALIKE]
    words = []
    if untold or alike:
        # The one to take leads, and the others stand as predicted: the order they came out in may be chance. Which of
        # them is sure to be as good is said beside its name.
        some = (name, *untold, *alike)
        near = [(one, called) for (_, one), called in zip(every, told, strict=True) if called in some]
        near.sort(key=lambda pair: (pair[0].choice != recommended, ordering_error(found, metric, pair[0])))
        within = f"within {estimate(NEARLY)} times{'' if near[0][1] == name else f' of {name}'}"
        listed = [f"{called} ({within})" if untold and called in alike else called for _, called in near]
        by = scale_of(metric).short if metric == MARGIN else scale_of(metric).title
        if untold:
            order = _order_words(found, metric, [one for one, _ in near])
            words.append(f"By “{by}” not told apart after {counted(tries, 'collection')}{order}: {_few(listed)}.")
        else:
            words.append(f"By “{by}” {listed[0]}, then {_few(listed[1:])}, {within}.")
    else:
        words.append(f"{name} errs least, and not by chance alone.")
    # Where some of them would not be told apart by as many as can be asked for, none are promised to do.
    tells = bool(wanted) and all(0 < one <= _MOST_TRIES for one in wanted)
    more = max(wanted) if tells else _MANY if untold and tries < _MANY else 0
    return SimulatedOrder(" ".join(filter(None, (*words, behind))), more, tells)


def _ahead(errors: SimulationErrors, better: Sequence[SimulationErrors], others: int) -> int | None:
    """The place of one that errs less, and not by chance alone; None where there is none.

    Any of them will do, and not only the one that came out least, of which few tries may know little.

    Notes
    -----
    Whether a protocol is the one that errs least is asked once of each of the others (Hsu 1984): the true one is passed
    over only if chance has it worse than one of so many, which it does in 5 of 100 cases at most.
    """
    return next((place for place, one in enumerate(better) if _times(errors, one, others)[0] > 1.0), None)


def _times(errors: SimulationErrors, than: SimulationErrors, others: int) -> tuple[float, float]:
    """Between what so many times one errs as another, told of so many others at once."""
    return ratio_between(_mean(errors), _mean(than), len(than.values), of=others)


def _order_words(found: Simulated, metric: str, listed: Sequence[FrequencyResult | MeanResult]) -> str:
    """That protocols stand in the order that is predicted of these answers; "" where they do not, or nobody knows."""
    expected = [foreseen_error(found, metric, one) for one in listed]
    known = [one for one in expected if one is not None]
    return ", in the predicted order" if len(known) == len(expected) and known == sorted(known) else ""


def _errors(one: FrequencyResult | MeanResult, metric: str) -> SimulationErrors | None:
    return one.errors if isinstance(one, MeanResult) else one.errors_by(metric)


def _mean(errors: SimulationErrors) -> tuple[float, float]:
    return errors.mean, errors.se


def _few(names: Sequence[str]) -> str:
    """All of a few names, of many the first."""
    if len(names) <= _NAMED + 1:
        return listed_names(names)
    return f"{', '.join(names[:_NAMED])} and {counted(len(names) - _NAMED, 'other')}"
