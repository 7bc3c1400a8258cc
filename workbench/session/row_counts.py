"""Row counts for a question, from answers that were paid for: to reckon with them costs nothing."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from workbench.core.number_text import margin_up, within_margin
from workbench.core.unit_words import in_unit
from workbench.evaluate.sampling_error import most_of_a_mean
from workbench.query.answer import AnswerForm, ReleasedAnswer
from workbench.query.circumstances import OF_A_DRAW, drawn_of_matching, limited_and_rounded
from workbench.query.drawn_mean import drawn_mean
from workbench.query.found_bounds import NARROWED
from workbench.query.plans import QueryPlan, RowCount
from workbench.session.query_answers import PaidAnswer, rate_of
from workbench.session.query_words import is_plain

_BY_ROW = frozenset({"histogram", "histogram2d", "group-by", "undeclared-groups"})
"""Questions that count rows by what they say."""
_WHOLE = 100.0
_DIGITS = 3
"""Of what a draw adds, as where Compare says it of the same question."""
_SUMS = {"steps": 1, "squares": 2}
"""Parts whose sums add up to the number of rows, times this power of the steps of the grid."""


@dataclass(frozen=True)
class _Found:
    """A noisy number of rows, the scale of its noise, and whether it is of just the rows that have a value."""

    rows: float
    scale: float
    exact: bool
    source: str

    @property
    def telling(self) -> bool:
        """Whether it says more than the noise in it."""
        return self.rows > 6 * self.scale


def rows_released(plan: QueryPlan, answers: Iterable[PaidAnswer]) -> RowCount | None:
    """The number of rows that answers tell of the filter of a question, or None.

    An average tells how many rows have a value in its column, which for that column is better than a count of all rows
    with and without one, unless its noise is too large.
    """
    wanted = plan.parameters
    found = [one for answer in answers if (one := _told(wanted, answer)) is not None]
    if not found:
        return None
    best = min(found, key=lambda one: (not (one.exact and one.telling), one.scale))
    return RowCount(max(round(best.rows), 0), best.source)


@dataclass(frozen=True)
class WithDraw:
    """A mean of one row of each person with the draw of these rows counted, from what was released alone.

    Parameters
    ----------
    low, high
        Between what the mean of the people's own means lies with a chance of at least 95 %.
    reach
        How far that is from the answer on the longer side.
    moved
        By how much the draw alone moves the mean at most, on average, wherever it is between these two.
    unit
        Of all four.
    person
        The column that tells people apart.
    values
        Which values it is about, such as "values limited to 0…100 and rounded to steps of 1".
    blanks
        Whether a person whose drawn row has no value is left out. Those with many such rows are then rarely among them.
    row
        Of which rows one was drawn: "row", or "matching row" of the question's filter.
    """

    low: float
    high: float
    reach: float
    moved: float
    unit: str
    person: str
    values: str
    blanks: bool
    row: str = "row"

    @property
    def only(self) -> str:
        """Of which people it is, in few words beside the margin; "" of all of whom a row was drawn."""
        return " of those with a value" if self.blanks else ""

    @property
    def whose(self) -> str:
        """The people it is about."""
        with_value = " whose drawn row has a value" if self.blanks else ""
        return f"people{with_value}, one {self.row} drawn of each “{self.person}”"

    def to_json(self) -> dict[str, Any]:
        """As it is saved and printed: an interval is worth nothing without what it is of."""
        of = f"mean of the own means of {self.whose}"
        return {"low": self.low, "high": self.high, "of": of, "limited": self.values}

    @property
    def margin(self) -> str:
        """Such as “± 180”, of the number as it is written: how far the further end is."""
        return f"± {margin_up(self.reach, 3 if self.reach >= _WHOLE else 2)}"

    def bound(self, released: ReleasedAnswer) -> str:
        """The ends where they stand alone: as what they are, a bound for rows that differ as much as they can."""
        if not is_plain(released):
            return f"at most {in_unit(self.margin, self.unit)}"
        return f"at most {self.ends(released)}"

    def ends(self, released: ReleasedAnswer) -> str:
        """Such as “858 to 1,354 €”: the further end is no margin of the nearer one; of a date “within ± 180 days”."""
        if not is_plain(released):
            return f"within {in_unit(self.margin, self.unit)}"
        _, low, high = within_margin(released.value, self.low, self.high)
        return f"{low} to {in_unit(high, self.unit)}"


def with_draw(answer: PaidAnswer) -> WithDraw | None:
    """A mean of one row of each person with the draw counted; None for other answers, or if the noise hides the people.

    In answers of earlier versions a filter of the question came after the draw, so that those with many rows that do
    not match are rarely counted: of such an answer nothing is said.

    See `query.drawn_mean` and `evaluate.sampling_error.most_of_a_mean`.
    """
    question, released = answer.question, answer.released
    with contextlib.suppress(KeyError, TypeError, ValueError, AttributeError):
        table = question["table"]
        matching = drawn_of_matching(table)
        drawn_first = bool(question["where"]) and not matching
        if question["query"] != "mean" or drawn_first or table.get("sample") or table["limit"]["rows"] != 1:
            return None
        found, (frame,), rate = _told(question, answer), question["frames"], rate_of(question, "steps")
        values = limited_and_rounded(question)
        if found is None or not found.telling or rate is None or released.form is not AnswerForm.NUMBER or not values:
            return None
        lower, upper = (float(Fraction(frame[end])) for end in ("lower", "upper"))
        above, below = released.noisy["steps"]
        mean = drawn_mean(above, below, _steps(frame), rate)
        if mean is None:
            return None
        low, high = (lower + (upper - lower) * share for share in (mean.low, mean.high))
        # The answer is written with fewer digits, by its own margin: what is within ± of that must be all of this.
        written = float(released.value)
        with contextlib.suppress(ValueError):
            written = float(within_margin(written, *(released.interval or (low, high)))[0].replace(",", ""))
        reach = max(abs(one - end) for one in (written, float(released.value)) for end in (low, high))
        moved = (upper - lower) * most_of_a_mean(mean.people, (mean.low, mean.high))
        person, blanks = str(table["limit"]["person"]), "missing" not in frame
        row = "matching row" if matching else "row"
        return WithDraw(low, high, reach, moved, released.unit, person, values, blanks, row)
    return None


def draw_ahead(plan: QueryPlan) -> str:
    """By how much the draw of one row of each person will move a mean besides the noise; "" for other questions.

    A bound for as many people as are guessed, whatever their rows are (`most_of_a_mean`): known before anything is
    spent, and often far more than the noise. Of counts by what a row says: that the drawn row alone decides. Of other
    answers that another draw would change: that no margin has that in it.
    """
    if by_row := _counted_by_row(plan.parameters):
        return by_row
    most = most_by_draw(plan)
    if most is not None:
        by = in_unit(margin_up(most, _DIGITS), plan.unit)
        return f"Besides, the draw of one row of each person moves it by at most {by} on average."
    return _not_covered(plan.parameters) if plan.moved_by_draw else ""


def most_by_draw(plan: QueryPlan) -> float | None:
    """By how much the draw of one row of each person moves a mean at most, on average, in its unit; None if unknown.

    It follows from the bounds and from how many people are guessed.
    """
    asked = plan.parameters
    with contextlib.suppress(KeyError, TypeError, ValueError, AttributeError):
        (frame,), table = asked["frames"], asked["table"]
        if asked["query"] == "mean" and not table.get("sample") and table["limit"]["rows"] == 1 and plan.rows:
            lower, upper = (float(Fraction(frame[end])) for end in ("lower", "upper"))
            return (upper - lower) * most_of_a_mean(plan.rows)
    return None


def too_wide(plan: QueryPlan, wanted: float) -> str:
    """That no ε brings a mean as near as is wanted, as the draw alone moves it by more; "" where that is not known."""
    most = most_by_draw(plan)
    if most is None or most <= wanted:
        return ""
    by = in_unit(margin_up(most, _DIGITS), plan.unit)
    return f"The draw of one row of each person alone may move it by {by} on average. ε changes only the noise."


def _not_covered(question: Mapping[str, Any]) -> str:
    """That chance took the rows an answer is about, and no margin tells how far that moves it."""
    drawn = "rows"
    with contextlib.suppress(KeyError, TypeError, ValueError, AttributeError):
        most = question["table"]["limit"]["rows"]
        drawn = "one row of each person" if most == 1 else f"at most {most:,} rows of each person"
    return f"The draw of {drawn} moves it too; no margin here covers that."


def _counted_by_row(asked: Mapping[str, Any]) -> str:
    """That people are counted by the one row that was drawn of each; "" where every row takes part, or all are counted.

    In answers of earlier versions the draw was before the filter of the question: of somebody with several rows another
    one may be what was asked for.
    """
    with contextlib.suppress(KeyError, TypeError, ValueError, AttributeError):
        table, count = asked["table"], asked["query"] == "count"
        by_row = asked["query"] in _BY_ROW or (count and asked["where"])
        if by_row and not table.get("sample") and table["limit"]["rows"] == 1:
            person, matching = table["limit"]["person"], drawn_of_matching(table)
            if count and matching:
                return f"Each “{person}” with a row that matches counts once, so chance moves this by its noise alone."
            drawn = f"one matching row drawn of each “{person}”" if matching else f"one row drawn of each “{person}”"
            several = "several that match" if matching else "several rows"
            return (
                f"People are counted by {drawn} beforehand: of somebody with {several}, "
                "one that was not drawn counts nowhere."
            )
    return ""


def drawn_words(answer: PaidAnswer) -> str:
    """Of whom a mean or a count is where one row of each person was drawn, and a mean's interval with that; or ""."""
    if by_row := _counted_by_row(answer.question):
        return by_row
    found = with_draw(answer)
    if found is None:
        # An interval says what it covers.
        bare = answer.released.interval is None and answer.whose_value in OF_A_DRAW
        return _not_covered(answer.question) if bare else ""
    by = in_unit(margin_up(found.moved, _DIGITS), found.unit)
    plain, ends = is_plain(answer.released), found.ends(answer.released)
    lies = f"lies between {ends.replace(' to ', ' and ')}" if plain else f"is {ends} of it"
    over, rarely = "people", ""
    if found.blanks:
        over = "people whose drawn row has a value"
        rarely = " People with many rows without a value are rarely among them."
    return (
        f"Of {found.values}, it is a mean over {over}, one {found.row} of each “{found.person}”, not over rows. With "
        f"that draw counted, the mean of these people's own means of such values {lies} with at least 95 % confidence, "
        f"however their rows differ; then the draw moves it by at most {by} on average.{rarely}"
    )


def _told(wanted: Mapping[str, Any], answer: PaidAnswer) -> _Found | None:
    question = answer.question
    # Answers of another engine promise other things; those of another version may look like anything.
    with contextlib.suppress(KeyError, TypeError, ValueError, IndexError, ZeroDivisionError, AttributeError):
        if answer.unclaimed or (question["where"], question["table"]) != (wanted["where"], wanted["table"]):
            return None
        columns = question["columns"]
        if any(columns[name] != read for name, read in wanted["columns"].items() if name in columns):
            return None
        when, noisy = answer.entry.when[:10], answer.released.noisy
        parts = {part["name"]: part for part in question["parts"]}
        if question["query"] == "count":
            return _Found(noisy["count"][0], _scale(parts["count"]), False, f"count released on {when}")
        name = next((name for name in (*_SUMS, "count") if name in parts), "")
        (frame,) = question["frames"]
        if not name or not _same_rows(frame, wanted["frames"]):
            return None
        steps, scale = _steps(frame), _scale(parts[name])
        if question["query"] == NARROWED:
            # Its sums count steps between the bounds that were found, and their noise is as wide as these.
            inner = answer.inner
            if inner is None:
                return None
            steps, scale = inner.grid.steps, 1 / float(inner.parts[0].rate)
        unit = 1 if name == "count" else steps ** _SUMS[name]
        scale *= len(noisy[name]) ** 0.5 / unit
        return _Found(sum(noisy[name]) / unit, scale, True, f"{answer.title.lower()} released on {when}")
    return None


def _same_rows(frame: Mapping[str, Any], frames: Iterable[Mapping[str, Any]]) -> bool:
    """Whether the same rows have a value for both."""
    kept = (frame["column"], "missing" in frame)
    return {"lower", "upper"} <= set(frame) and any(
        kept == (other["column"], "missing" in other) for other in frames if "lower" in other
    )


def _steps(frame: Mapping[str, Any]) -> int:
    return int((Fraction(frame["upper"]) - Fraction(frame["lower"])) / Fraction(frame["resolution"]))


def _scale(part: Mapping[str, Any]) -> float:
    return float(Fraction(part["sensitivity"]) / Fraction(part["epsilon"]))
