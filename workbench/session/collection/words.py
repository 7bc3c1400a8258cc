"""A collection in words: its protocols, its errors and what was written."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from workbench.core.amount_text import as_logarithm
from workbench.core.chance import chance_of
from workbench.core.exact import fraction_text
from workbench.core.number_text import estimate, exact, margin_up, rounded, rounded_up, with_places
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.mean_prediction import MeanPrediction
from workbench.ldp.participation import Attendance
from workbench.ldp.share_margin import MARGIN
from workbench.ldp.simulation import METRICS, SimulationErrors
from workbench.project.collect_settings import CollectSettings
from workbench.session.collection.results import Collected

ALSO = ", also called "
RESPONSE = "Randomised response"
"""The name that direct encoding has of two answers."""
DIGITS = 3
"""Significant digits of a predicted error."""
_TENS = 10.0
"""Points from which on a margin takes one more digit for its hundredths."""
HIDES_ANSWER = "2 ε hides an answer"
"""What ε of a trusted curator is, beside that of a report: as Compare says it. Its ε hides whether a row is there."""
CURATOR = f"Curator ({HIDES_ANSWER})"
CURATOR_BRIEFLY = "Curator (2 ε: an answer)"
"""The same where there is no room for it."""
CURATOR_IN_TABLES = (CURATOR_BRIEFLY, "A trusted curator")
"""Shorter ways to write it in a table, where all of it is said as one points at it."""


WIDER = (
    "The margin is wider than 1.96 of these deviations, by up to about half of what one report moves the estimate; "
    "that of a share is so only where few reports decide."
)
"""Why it is, where few people are asked: see `workbench.ldp.normal_margin.normal_or_wider`."""
_LOOKS = (
    *("grr", "subset-selection", "oue", "olh", "square-wave", "hadamard", "rappor", "sue", "ds-corrected", "blh"),
    *("she", "the", "duchi", "pm", "hm", "laplace", "rr", "geometric", "ds", "exponential", "random-matrix", "ue"),
)
"""The protocols in the order of their colours: those that are compared most are the farthest from sharing one.

Those of values on a line are often compared with each other, and have hues that are far apart.
"""
_SHORT = {
    **{"oue": "OUE", "sue": "SUE", "olh": "OLH", "blh": "BLH", "the": "THE", "she": "SHE", "hadamard": "Hadamard"},
    **{"rr": "RR (Warner)", "random-matrix": "RMP", "grr": "Direct (GRR)", "subset-selection": "Subset", "ue": "UE"},
    **{
        "ds": "DS (Galanis 2021)",
        "ds-corrected": "DS (corrected)",
        "exponential": "Exponential",
        "geometric": "Geometric",
    },
}
"""What papers call protocols whose names are long, for a table that has no room for those."""


def short_names(choice: ProtocolChoice, told: str) -> tuple[str, ...]:
    """Shorter ways to write a protocol in a table, the longest first.

    Parameters
    ----------
    told
        As it is written where there is room: with its other names, which shorter ones leave out.
    """
    name = told.partition(ALSO)[0]
    identifier = "rr" if name == RESPONSE else choice.identifier
    short = _SHORT.get(identifier, "")
    title = RESPONSE if identifier == "rr" else choice.protocol.title
    return (name, name.replace(title, short)) if short else (name,)


def protocol_words(choice: ProtocolChoice) -> str:
    """The protocol with the parameters that were changed."""
    if not choice.values:
        return choice.protocol.title
    values = ", ".join(f"{name} = {_setting(value)}" for name, value in choice.values.items())
    return f"{choice.protocol.title} ({values})"


def look_of(choice: ProtocolChoice) -> int:
    """The place of the colour of a protocol in charts, which it has whatever else is compared.

    Those of a plug-in share the colours of the others, by their names.
    """
    name = choice.identifier
    return _LOOKS.index(name) if name in _LOOKS else sum(name.encode()) % len(_LOOKS)


def of_tries(errors: SimulationErrors, factor: float = 1.0) -> str:
    """A mean error of simulated collections, and how far chance may have moved it, in 95 of 100 cases.

    Both have the decimals of the second digit of what chance leaves open, so that they read in a column.
    """
    tries, mean = len(errors.values), factor * errors.mean
    moved = upwards(factor * chance_of(tries) * errors.se) if tries > 1 else math.nan
    if not (moved > 0 and math.isfinite(moved)):
        return significant(mean, DIGITS)
    places = max(1 - math.floor(math.log10(moved)), 0)
    return f"{with_places(mean, places)} ± {with_places(moved, places)}"


def significant(value: float, digits: int) -> str:
    """An estimate with so many digits, zeros at the end too, as it stands in a column with others.

    >>> significant(7.1, 3), significant(10.0, 3), significant(0.02, 3), significant(1234.5, 3), significant(0.0, 3)
    ('7.10', '10.0', '0.0200', '1,230', '0')
    """
    if value == 0 or not math.isfinite(value):
        return estimate(value)
    shown = rounded(value, digits)
    places = digits - 1 - math.floor(math.log10(abs(shown)))
    return with_places(shown, places) if places > 0 else estimate(shown, digits)


def margin_in_column(margin: float) -> str:
    """How far a number may be off, never below that, with as many digits as those below and above it."""
    return significant(upwards(margin, DIGITS), DIGITS)


def points_up(margin: float) -> str:
    """A margin of a share in points, never below that: to a hundredth, so that it is what one works out oneself.

    >>> points_up(0.0776), points_up(0.103008), points_up(0.3)
    ('7.76', '10.31', '30')
    """
    return margin_up(100 * margin, _digits_of(100 * margin))


def points_in_column(margin: float) -> str:
    """The same with as many decimals as those below and above it."""
    digits = _digits_of(100 * margin)
    return significant(upwards(100 * margin, digits), digits)


def _digits_of(points: float) -> int:
    return DIGITS + (points >= _TENS)


def bits_text(bits: float) -> str:
    """The length of a report in a column of such."""
    return with_places(bits, 1)


def upwards(value: float, digits: int = 2) -> float:
    """A number of so many significant digits that is not below the value."""
    if value <= 0 or not math.isfinite(value):
        return value
    step = 10.0 ** (math.floor(math.log10(value)) - digits + 1)
    return rounded(math.ceil(rounded(value / step, 9)) * step, digits + 1)


def suffices(amount: float) -> float:
    """A number of people, or an ε, that a goal takes, as it is said and set: rounded up, by less than one per cent."""
    return upwards(amount, DIGITS)


@dataclass(frozen=True)
class ErrorScale:
    """The scale on which the window writes an error.

    Parameters
    ----------
    title, short
        What it is called, and as the heading of a column.
    unit
        Its unit, "" for none.
    factor
        What is written for an error of 1.
    term
        What textbooks call it, where that is another word.
    """

    title: str
    short: str
    unit: str = ""
    factor: float = 1.0
    term: str = ""

    @property
    def in_full(self) -> str:
        """What it is called, with the word of the textbooks."""
        return f"{self.title} ({self.term})" if self.term else self.title

    def text(self, error: float) -> str:
        """A predicted error with its unit, the same number wherever it stands: rounded up."""
        return f"{estimate(upwards(self.factor * error, DIGITS), DIGITS)} {self.unit}".strip()

    def predicted(self, error: float, se: float = math.nan) -> str:
        """The same under a heading that has the unit, with as many digits as those below and above it."""
        shown = significant(upwards(self.factor * error, DIGITS), DIGITS)
        return shown if math.isnan(se) else f"{shown} ({estimate(self.factor * se, 2)})"

    def cell(self, errors: SimulationErrors) -> str:
        """A mean error of simulated collections under a heading that has the unit, and its 95 % margin."""
        return of_tries(errors, self.factor)

    def of(self, whom: str) -> str:
        """The title of an axis."""
        return f"{self.title}, {self.unit} of {whom}" if self.unit else f"{self.title}, of {whom}"


_OF_MEAN = ErrorScale("Error of the mean", "Off by")
_SCALES = {
    # Whoever is counted under another value than their own is missing there and too many here: half of the L1 error.
    "l1": ErrorScale("People misplaced", "Misplaced,\u00a0%", "%", 50.0, "total variation"),
    "l2": ErrorScale("L2 error", "L2"),
    "kantorovich": ErrorScale("Kantorovich distance", "Kantorovich"),
    MARGIN: ErrorScale("95 % margin of each unbiased share", "Margin", "points", 100.0),
}


def scale_of(metric: str) -> ErrorScale:
    """How an error of frequencies is written, or that of a mean."""
    return _SCALES.get(metric, _OF_MEAN)


def metrics_shown(*, ordinal: bool, chosen: str = "") -> tuple[str, ...]:
    """The errors that say something: a distance along the values only where they have an order, or it was chosen."""
    return tuple(metric for metric in METRICS if metric != "kantorovich" or ordinal or metric == chosen)


def share_margin_words(
    margin: float, together: float, shares: int, expected: str = "", reach: str = "whatever the share"
) -> str:
    """How far the unbiased estimate of each share may be off by itself, whatever that is, and all of them at once.

    Parameters
    ----------
    expected
        What it is of a share to expect, in words, where that is less.
    reach
        Of which shares it is.
    """
    alone, at_once = (points_up(one) for one in (margin, together))
    each = f"± {alone} points before post-processing, by itself, {reach}{expected}"
    if shares == 2:
        return f"{each}; the other is off by as much" if together == margin else f"{each}; both at once ± {at_once}"
    return f"{each}; all {shares:,} at once ± {at_once}"


def reports_were(number: int) -> str:
    """How many reports there are, up to the verb."""
    return "1 report was" if number == 1 else f"{number:,} reports were"


def collected_words(collected: Collected) -> str:
    """A summary of a collection: its file, and its promise or lack of one; what is hidden stands beside the button."""
    announced = collected.announcement
    words = [f"{reports_were(announced.reports)} written to {collected.path.name}."]
    if not collected.claim:
        words += ["No promise:", *collected.reasons]
    else:
        words += [collected.epsilon.text] if announced.hidden else [collected.epsilon.text, announced.promise]
    words += [one for one in collected.cautions if one not in collected.reasons]
    return " ".join(words)


def predicted_as(attended: Attendance, settings: CollectSettings) -> str:
    """How far predictions agree with who reports, and whether they count sampling error."""
    drawn = "with" if settings.sampling else "without"
    if attended.none:
        return f"Predictions are of the other answers, if all take part, {drawn} sampling error."
    return f"Predictions are {drawn} sampling error."


def with_unit(value: float, unit: str) -> str:
    """An estimate in units of the column."""
    return f"{estimate(value)} {unit}".strip()


def with_own_epsilon(name: str, choice: ProtocolChoice, epsilon: float) -> str:
    """The name of a protocol, with its ε if that is not the one asked for: errors at another ε do not compare."""
    own = choice.other_epsilon and math.isfinite(epsilon)
    return f"{name}, ε = {rounded_up(epsilon)}" if own else name


def epsilon_read(epsilon: float) -> str:
    """An ε that is only read, as Mechanisms writes it: a logarithm with what it is about; else rounded up."""
    ratio = as_logarithm(epsilon)
    return rounded_up(epsilon) if ratio is None else f"ln({fraction_text(ratio)}) ≈ {estimate(epsilon)}"


def epsilon_given(epsilon: Fraction) -> str:
    """An ε that somebody gives away: never less."""
    ratio = as_logarithm(float(epsilon))
    return rounded_up(epsilon) if ratio is None else f"ln({fraction_text(ratio)}) ≤ {rounded_up(epsilon)}"


def _setting(value: object) -> str:
    return exact(value) if isinstance(value, int | float) and not isinstance(value, bool) else str(value)


def mean_margin_words(best: MeanPrediction, unit: str) -> str:
    """How far off the mean of those asked, or of all of whom they are a sample, is at most, with 95 %."""
    margin = f"{margin_up(best.margin, DIGITS)} {unit}".strip()
    whose = "all people" if best.of_all else "those asked"
    return f"within ± {margin} of the mean of {whose}, with 95 %, whatever they answer"


def mean_words(best: MeanPrediction, unit: str) -> str:
    """The errors of the protocol to take for a mean, also as Compare says them."""
    worst, middle = with_unit(best.worst, unit), with_unit(best.middle, unit)
    # The estimate is as good as normal, and so off by √(2/π) of its standard deviation on average.
    usual = with_unit(best.worst * math.sqrt(2 / math.pi), unit)
    other = "and as much" if middle == worst else f"and {middle}"
    # See `normal_or_wider`: the reader who multiplies finds less.
    wider = f" {WIDER}" if best.margin > 1.97 * best.worst else ""
    compared = "" if best.of_all else ", which is how Compare says it"  # it is about those who are asked
    return (
        f"For a mean, {best.title} has the smallest worst case: {mean_margin_words(best, unit)}. Its standard "
        f"deviation is at most {worst}, {other} if everybody is in the middle of the bounds. So it is off by "
        f"at most {usual} on average{compared}.{wider}"
    )


def with_first(chosen: tuple[ProtocolChoice, ...], first: ProtocolChoice | None) -> tuple[ProtocolChoice, ...]:
    """Those that are chosen, and before them one that is to be among them, if there is one."""
    return chosen if first is None or first in chosen else (first, *chosen)
