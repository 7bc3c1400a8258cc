"""The words of a tile about what ε hides of a person, and about Global and Local where both hide the same."""

from __future__ import annotations

from workbench.core.amount_text import float_amount
from workbench.core.number_text import estimate, exact, rounded
from workbench.evaluate.experiment import Axis, Experiment, Truth
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import Approach
from workbench.evaluate.question import Statistic
from workbench.evaluate.released_groups import typed_number
from workbench.evaluate.tile import Tile, Verdict
from workbench.evaluate.told_apart import TileStanding
from workbench.evaluate.verdict import PLACES_ALIKE, place_words, tile_at, told_error
from workbench.query.noise import mean_absolute

_LITTLE = 0.01
"""Up to which share of all people noise on a count of one of two values is not cut off at none or at all of them."""
_ANY, _ONE_COUNT, _BETWEEN, _ANY_SUM = (
    "To hide which value a person has, as Local does, Global needs twice the noise in its counts",
    "To hide which of two values a person has, as Local does, one noisy count and the known number of people do",
    "To hide which of two values a person has, as Local does, Global needs as much noise, or at most twice as much",
    "To hide which value a person has, as Local does, Global needs twice the noise in its sums",
)
_NEEDS = {
    _ANY: "twice the noise",
    _ONE_COUNT: "one noisy count",
    _BETWEEN: "at most twice the noise",
    _ANY_SUM: "twice the noise",
}
"""The same in few words."""
_BETWEEN_PLACES, _NOT_RUN = " (interpolated)", "not run"
_NEEDS_DELTA = "none, as Anonymised needs δ"
_ALIKE = "It hides what Global hides, δ apart: at one ε the errors of both compare as they are."


def hidden_words(tile: Tile, experiment: Experiment) -> str:
    """Words on what ε hides of a person, which differs between ways, with the δ that stands beside it.

    Where it is known how many people there are, whoever knows all others knows who is there. What one person answered
    is then still hidden, at twice ε and δ where noise is for a row more or less: one goes and another one comes.
    """
    delta = None if tile.setting is None else tile.setting.checked().get("delta")
    if tile.approach is Approach.LOCAL:
        return "ε hides which answer was given"
    if experiment.number_known:
        return f"{'2 ε hides' if delta is None else f'2 ε with 2 δ (δ = {delta}) hides'} which answer was given"
    return f"ε {'hides' if delta is None else f'with δ = {delta} hides'} whether a row is there"


def hidden_briefly(tile: Tile, experiment: Experiment, place: float) -> str:
    """The same in one line, also on a narrow card, with the ε that hides it at a place of the axis.

    "" where nothing answers.
    """
    if tile.setting is None or not tile.known:
        return ""
    epsilon, delta = experiment.setting(tile.setting, place, 1).epsilon, tile.setting.checked().get("delta")
    answer = tile.approach is Approach.LOCAL or experiment.number_known
    times = 2 if answer and tile.approach is not Approach.LOCAL else 1
    beside = "" if delta is None else f", δ {delta_words(str(delta), times)}"
    less = smaller_words(tile, experiment, place)
    return f"Hides {'an answer' if answer else 'a row'}: ε {exact(times * epsilon)}{beside}{less and f' ({less})'}"


def smaller_words(tile: Tile, experiment: Experiment, place: float) -> str:
    """Why a way answers with less ε than that of the place, in few words; "" where it does not.

    What a smaller ε promises holds with more, and it stands where its tries err less.
    """
    own = None if tile.setting is None else tile.setting.epsilon
    if experiment.axis is not Axis.EPSILON or own is None or own >= place:
        return ""
    return f"at {exact(own)} it errs less than at {estimate(place, 3)}"


def delta_words(delta: str, times: int) -> str:
    """A δ as it was typed so many times over: a number, or a part of the number of people such as 1/n."""
    top, _, bottom = delta.strip().partition("/")
    if bottom.strip() == "n":
        return f"{exact(times * typed_number(top, 'delta'))}/n"
    return delta if times == 1 else exact(times * float_amount(delta, "delta"))  # never less than is promised


def hidden_means(tile: Tile, said: Verdict, findings: Findings) -> str:
    """Consequence where all are to hide the same; "" where nothing is known of it."""
    if tile.approach is Approach.ANONYMISED:
        return _ALIKE if tile.known else ""
    times, why = _times_alike(tile, said, findings)
    return times and f"{why}{_halved(why, said, findings)}: Local then errs about {times} times as much as Global."


def protected_words(tile: Tile, said: Verdict, findings: Findings) -> str:
    """How many times as much Local errs as the way to take where both hide the same, which that does not at the same ε.

    Where nothing is known of it, why, as a sentence; "" elsewhere.
    """
    times, why = _alike_beside(tile, said, findings)
    if why:
        return f"At equal privacy: {_NOT_RUN if why.endswith(_NOT_RUN) else why}."  # where, the caption says
    number, between, _ = times.partition(_BETWEEN_PLACES)
    return times and f"about {number} times at equal privacy{between}"


def as_global_words(tile: Tile, said: Verdict, findings: Findings) -> str:
    """Which answer of Global hides as much as Local does here, in few words; "" where no two are compared so.

    What is compared is one and the same thing for all questions: which value a person has is hidden at the same ε.
    """
    if not alike_beside(tile, said, findings):
        return ""
    why = _times_alike(tile, said, findings)[1]
    if why in (_ANY, _ANY_SUM):
        return f"as Global at ε {estimate(said.place / 2, 3)}"
    return "as one noisy count of Global" if why == _ONE_COUNT else ""


def hides_unlike(findings: Findings, *, drawn: bool = True) -> bool:
    """Whether curves of ways are drawn against ε of which, at the same ε, one hides a row and one hides an answer.

    Or, unless they must be `drawn`, are to come.
    """
    shown = [one for one in findings.series if one.drawn or not drawn]
    ways = {one.approach for one in shown if one.choice.method.candidates is not None}
    curators = ways & {Approach.GLOBAL, Approach.ANONYMISED}
    return findings.experiment.axis is Axis.EPSILON and Approach.LOCAL in ways and bool(curators)


def hides_at(findings: Findings) -> str:
    """What a curator's ε does not hide that Local's does, to follow ε on the axis of such curves.

    Where everybody knows how many take part, an answer is all that is hidden, at twice the ε that is drawn: what Query
    charges then.
    """
    return "a curator hides an answer at 2 ε" if findings.experiment.number_known else "at one ε Local hides more"


def charged_twice_words(findings: Findings, place: float) -> str:
    """What is charged where the number of people is public, as a sentence; "" where ways count alike.

    One place says it of all ways: ε is as set everywhere else.
    """
    if not (findings.experiment.number_known and hides_unlike(findings, drawn=False)):
        return ""
    said, twice = (estimate(one, 3) for one in (place, 2 * place))
    return f"The number of people is public: of ε {said}, a curator’s is charged as {twice}, Local’s as {said}."


def alike_beside(tile: Tile, said: Verdict, findings: Findings) -> str:
    """The same in few words, to stand in brackets beside an error; "" where nothing is known of it."""
    number, between, _ = _alike_beside(tile, said, findings)[0].partition(_BETWEEN_PLACES)
    return number and f"{number} times at equal privacy{', interpolated' if between else ''}"


def protected_beside(said: Verdict, findings: Findings) -> str:
    """What Global needs for equal privacy, as a sentence without its stop for a caption; "" where there is no need.

    Where nobody knows how the ways compare then, why.
    """
    local = next((one for one in said.tiles if one.approach is Approach.LOCAL), None)
    times, why = ("", "") if local is None else _alike_beside(local, said, findings)
    if why:  # that Anonymised adds δ is said of it
        return "" if why == _NEEDS_DELTA else f"How they compare at equal privacy is not known ({why})"
    why = _times_alike(local, said, findings)[1] if local is not None else ""
    return times and f"Global hides an answer at ε with {_NEEDS.get(why, '')}{_halved(why, said, findings)}"


def _halved(why: str, said: Verdict, findings: Findings) -> str:
    """What Global errs by with twice the noise, or one count, in brackets, where Local is compared with that."""
    if why == _ONE_COUNT:
        return f" ({estimate(_misplaced(said, findings), 3)} % misplaced)"
    if why not in (_ANY, _ANY_SUM):
        return ""
    there = told_error(tile_at(findings, Approach.GLOBAL, said.place / 2), findings)
    # The error need not be twice as large: bounds that are found first, and sampling, are in it too.
    error = f"its error is then {there.removeprefix('off by ')}" if there.startswith("off by ") else f"then {there}"
    return f" ({error}, as at {place_words(findings, said.place / 2)})"


def _alike_beside(tile: Tile, said: Verdict, findings: Findings) -> tuple[str, str]:
    """How many times as much Local errs as the way to take where both hide the same, or why nobody knows that."""
    taken = said.taken
    if taken is None or said.waits or tile.approach is not Approach.LOCAL or tile.standing is not TileStanding.WORSE:
        return "", ""
    if taken.approach is Approach.ANONYMISED:
        return "", _NEEDS_DELTA
    if taken.approach is not Approach.GLOBAL:
        return "", ""
    times, _ = _times_alike(tile, said, findings)
    if not _asks_for_half(findings):
        return times, ""
    half = said.place / 2
    if half < findings.experiment.places[0] * (1 - PLACES_ALIKE):
        return "", f"{place_words(findings, half)} was {_NOT_RUN}"
    at = (point.axis_value for one in findings.series if one.approach is Approach.GLOBAL for point in one.drawn)
    there = any(abs(one - half) <= PLACES_ALIKE * half for one in at)
    if not (there or findings.complete):
        return "", "not run yet"  # from where others lie it would be said, and then moved
    # Where the place lies between others itself, that is said above all ways.
    own = any(abs(one - said.place) <= PLACES_ALIKE * said.place for one in findings.experiment.places)
    return (f"{times}{_BETWEEN_PLACES}" if times and own and not there else times), ""


def _asks_for_half(findings: Findings) -> bool:
    """Whether what Global errs by at half of ε tells what it errs by if it hides as much as Local."""
    experiment = findings.experiment
    statistic = experiment.question.statistic
    if experiment.axis is not Axis.EPSILON or statistic is not Statistic.HISTOGRAM:
        return experiment.axis is Axis.EPSILON and statistic is Statistic.MEAN
    return findings.outputs > 2 or (experiment.truth is not Truth.USERS and findings.rows_per_person == 1)


def _times_alike(tile: Tile, said: Verdict, findings: Findings) -> tuple[str, str]:
    """How many times as much Local errs as Global if both hide which value a person has, and what Global needs.

    "" for others, and where Global was not tried with twice the noise: sampling, which may be in an error too, is then
    as much as before, so that no multiple of the error tells it.

    Notes
    -----
    Global hides a row more or less. A value that changes moves two counts by 1 each, so that their noise at half of ε
    hides it at ε. Of two values, and a number of people that is known, as it is with Local, one count that moves by 1
    tells both, and its noise z is that of ε. As a share it is between what the counts have at ε and at half of it:
    (1 − p)·z − p·z′ has no larger mean distance than z, and twice as much no smaller one, whatever is added to both.

    A mean comes from two sums, which one row more or less moves by the width of its range together, and a value that
    changes by twice that at most, so that their noise at half of ε hides it at ε, too.
    """
    experiment, plain = findings.experiment, said.tiles[0]
    here = tile.approach is Approach.LOCAL and tile.known and plain.error > 0
    statistic = experiment.question.statistic
    if not here or experiment.axis is not Axis.EPSILON:
        return "", ""
    if statistic not in (Statistic.HISTOGRAM, Statistic.MEAN):
        return "", ""
    twice = tile_at(findings, Approach.GLOBAL, said.place / 2).error
    if statistic is Statistic.MEAN:
        return (_number(tile.error / twice), _ANY_SUM) if twice > 0 else ("", "")
    if findings.outputs > 2:
        return (_number(tile.error / twice), _ANY) if twice > 0 else ("", "")
    people = experiment.users or findings.rows
    if findings.rows_per_person > 1 or mean_absolute(said.place / 2) > _LITTLE * people:
        return "", ""
    if experiment.truth is Truth.USERS:
        times = experiment.metric.shown_times
        return (_number(times * tile.error / _misplaced(said, findings)), _ONE_COUNT) if times != 1.0 else ("", "")
    if not twice > 0:
        return "", ""
    ends = _number(tile.error / max(twice, plain.error)), _number(tile.error / plain.error)
    return " to ".join(dict.fromkeys(ends)), _BETWEEN


def _misplaced(said: Verdict, findings: Findings) -> float:
    """Per cent of people that one noisy count misplaces."""
    return 100 * mean_absolute(said.place) / (findings.experiment.users or findings.rows)


def _number(times: float) -> str:
    return estimate(rounded(times, 2), 2)
