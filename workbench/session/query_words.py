"""A query with differential privacy in words: what it promises, whom it protects, and what was answered."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from workbench.core.composition import REPLACE_ONE
from workbench.core.number_text import estimate, exact, margin_up, percent, typed, within_margin
from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.core.unit_words import ROWS, in_unit
from workbench.core.working_table import Preparation
from workbench.query.answer import AnswerForm, ReleasedAnswer
from workbench.query.catalogue import NoiseSource
from workbench.query.circumstances import COUNTED_PEOPLE, OF_A_DRAW, OF_PEOPLE, kind_read, unit_shown, working_table
from workbench.query.grid import untyped_step, usual_step
from workbench.query.partition import OTHER
from workbench.query.plans import QueryPlan
from workbench.session.answer_numbers import margin_text, margins, reaches, rounded_values
from workbench.session.query_answers import PaidAnswer

_MOST_SHOWN = 3
_UNLIKE = 2
"""From so many times the least margin on, the largest one does not stand for all."""
_APART = "; "
"""Before a margin that is not that of the other numbers."""
_FEW_APART = 2
"""So many of these are named; of more it is said how many there are."""
_LETTERS = 14
"""Of what a cell is called, beside its value."""
_NOISE_ALONE = "This covers the noise, not how well the table represents other people."
_NOT_THE_DRAW = "This covers the noise, not which rows chance took, nor how well the table represents other people."
_OF_THESE = "of intervals made this way, at least 95 %"
COUNT = "count"
"""The kind of question that is answered by how many rows match."""
_ADDED_TO = (COUNT, "sum")
"""Kinds of questions that are answered by the truth with noise added, and nothing else."""
BOUNDS = "bounds"
"""The kind of question that is answered by bounds."""
HISTOGRAM = "histogram"
"""The kind of question that is answered by how many rows have each value."""


def pooled_words(alike: Sequence[PaidAnswer]) -> str:
    """The average of several answers to the same question, in words, where each is the truth with noise alone.

    The noise of k answers is independent and has the mean 0, so that their average has 1/√k of its standard deviation.
    That costs nothing: every answer was paid for, and the ledger has added up their ε. Of rows that chance drew there
    is none, as no entry says which draw it was, and the truth may be another one each time.
    """
    numbers = [one.released.value for one in alike if _is_truth_with_noise(one)]
    if len(numbers) < 2 or len(numbers) < len(alike):
        return ""
    times = estimate(math.sqrt(len(numbers)), 2)
    average = in_unit(estimate(math.fsum(numbers) / len(numbers), 6), alike[0].told.unit)
    return f"The average of {len(numbers):,} answers, {average}, is {times} times closer than one."


def _is_truth_with_noise(answered: PaidAnswer) -> bool:
    post = answered.question.get("values", {}).get("post", "")
    ours = answered.question.get("engine") == NoiseSource.GRID.value and not answered.plugin
    plain = ours and answered.question.get("query") in _ADDED_TO and not post_words(str(post))
    plain &= answered.whose_value not in OF_A_DRAW  # of another draw the truth may be another one
    return plain and answered.released.form is AnswerForm.NUMBER and answered.released.value is not None


def holds_for_words(rows_per_person: int, question: Mapping[str, Any]) -> str:
    """For whom an answer holds, in few words; where people may have more rows than take part, of how many of them."""
    rows, table = "one row" if rows_per_person == 1 else f"up to {rows_per_person:,} rows", question.get("table")
    if isinstance(table, Mapping) and table.get("limit"):
        return f"for {rows} of each person"
    return f"for people with {rows} each"


def step_words(spec: ColumnSpec, lower: str, upper: str) -> tuple[str, str]:
    """What stands in an empty field for the step of a column with these bounds as typed, and what the step is.

    The step follows from the kind of the column or from its public bounds; where these do not tell, it must be typed.
    """
    step = untyped_step(spec, lower, upper)
    about = "Values are rounded to this step. A finer one costs no ε, and makes answers hardly any more exact."
    if step is None:
        bounded = bool(lower and upper) or spec.declared().bounds is not None
        return ("needed", about) if bounded else ("from the bounds", f"{about} Empty: by the bounds.")
    kind = f"the kind “{spec.kind.words}”"
    yours = "You vouch for that kind without the file: one row can change what a file proposes."
    if usual_step(spec.kind) is None:
        return typed(float(step)), f"{about} Empty: {exact(float(step))}, by the bounds and {kind}. {yours}"
    short = {Kind.INTEGER: "whole numbers"}.get(spec.kind, spec.kind.words.lower())
    return f"{typed(float(step))}, {short}", f"{about} Empty: {exact(float(step))}, by {kind}. {yours}"


def yours_to_know(said: str) -> str:
    """A sentence on what the asker vouches for, as the program can only see what the data says of it."""
    return f"Yours to know without the file: {said}."


def kind_words(spec: ColumnSpec, resolution: str) -> str:
    """The same of the kind of a column whose values are rounded, to this step as typed."""
    return yours_to_know(kind_read(spec.name, spec.kind, follows=not resolution.strip()))


def maker_words(maker: str) -> str:
    """The short name of what made an answer, or several of a batch."""
    names = {
        NoiseSource.GRID.value: "discrete noise",
        NoiseSource.DIFFPRIVLIB.value: "diffprivlib",
        NoiseSource.OPENDP.value: "OpenDP",
    }
    return " and ".join(names.get(one, one) for one in maker.split(" and "))


def neighbour_words(neighbours: str, *, number_known: bool = False) -> str:
    """What is hidden by noise that is drawn for a relation, in few words; where the number is known, not who is in."""
    return "hides what they say" if number_known or neighbours == REPLACE_ONE else "hides who takes part"


def post_words(post: str) -> str:
    """The post-processing of counts in words, "" for none."""
    return {
        "non-negative": "counts below 0 were set to 0 afterwards",
        "consistent": "counts were made consistent with the noisy total afterwards",
    }.get(post, "")


def when_words(moment: str, *, short: bool = False) -> str:
    """A moment of the ledger in local time; `short` gives the time of today and the date of other days."""
    try:
        when = datetime.fromisoformat(moment).astimezone()
    except ValueError:
        return moment
    if short:
        return when.strftime("%H:%M:%S" if when.date() == datetime.now().astimezone().date() else "%Y-%m-%d")
    return when.strftime("%Y-%m-%d %H:%M")


def value_words(
    released: ReleasedAnswer, kind: str = "", names: Sequence[Sequence[str]] = (), *, margin: bool = False
) -> str:
    """An answer in one line, to a question of this kind.

    Parameters
    ----------
    names
        What its cells are called, as they are shown; without them values stand alone.
    margin
        Whether each number says how far the true one may be, with 95 %.
    """
    if kind == BOUNDS and released.form is AnswerForm.LIST:
        return " to ".join(estimate(value) for value in released.value)
    if released.form in (AnswerForm.NUMBER, AnswerForm.CHOICE):
        unit = released.unit if released.form is AnswerForm.NUMBER else ""
        within = f" {margins(released)[0]}" if margin and margins(released) else ""
        return in_unit(f"{_as_far_as_known(released) or 'none of them'}{within}", unit)
    if released.form is AnswerForm.TABLE:
        return f"{len(released.labels[0]):,} × {len(released.labels[1]):,} cells"
    if len(released.value) <= _MOST_SHOWN:
        said = list(rounded_values(released))
        if margin:
            said = [" ".join(both) for both in zip(said, margins(released) or [""] * len(said), strict=True)]
        if _measured(released) and released.noisy.keys() != {"count"}:  # people are counted like rows
            said = [f"{one}\N{NO-BREAK SPACE}{released.unit}" for one in said]
        return in_named_line(said, names)
    return f"{len(released.value):,} cells"


def in_named_line(said: Sequence[str], names: Sequence[Sequence[str]] = ()) -> str:
    """Few figures in a line, with the names of their cells where they are known."""
    if names and len(names[0]) == len(said):
        said = [f"{_named(name)} {value}" for name, value in zip(names[0], said, strict=True)]
    return " · ".join(one.strip() for one in said)


def estimate_words(released: ReleasedAnswer, kind: str = "", names: Sequence[Sequence[str]] = ()) -> str:
    """An answer with its margin, in few words; of many numbers the margin alone, as the picture has them; "" if none.

    Such as “1,112.2 ± 9.2 with 95 %”, or “each ± 20; other values ± 22, with 95 %”.
    """
    if released.form is AnswerForm.NUMBER and margins(released):
        return f"{value_words(released, kind, margin=True)} with 95 %" if is_plain(released) else range_words(released)
    if kind == BOUNDS or released.form in (AnswerForm.NUMBER, AnswerForm.CHOICE):
        return value_words(released, kind)
    if not margins(released):
        return ""
    said = _widest(released, names)
    return f"each {said}{',' if _APART in said else ''} with 95 %"


def headline_words(released: ReleasedAnswer, kind: str = "", names: Sequence[Sequence[str]] = ()) -> str:
    """An answer in one line; of many numbers how far the true ones may be, where the answer says it."""
    many = released.form is AnswerForm.LIST and kind != BOUNDS and len(released.value) > _MOST_SHOWN
    return _widest(released, names) if many and margins(released) else value_words(released, kind, names)


def _widest(released: ReleasedAnswer, names: Sequence[Sequence[str]] = ()) -> str:
    """The margin that holds for each of several numbers; of unlike ones, as of groups of few people, the least too.

    A wider one of a number that noise took beyond what is possible is said apart, as that of all values that are not
    listed, which often nobody has: from a count of −22 it is 22 to the least there can be, and 20 from all others.
    """
    found = reaches(released)
    named = names[0] if names and len(names[0]) == len(found) else ("",) * len(found)
    apart = _beyond_possible(released, found)
    if not apart and named[-1] == OTHER and len(found) > 1 and found[-1] > max(found[:-1]):
        apart = [len(found) - 1]
    others = [one for place, one in enumerate(found) if place not in apart]
    if not apart or not others or margin_text(max(found)) == margin_text(max(others)):
        return _between(found, released)
    which = f"{len(apart):,} below 0"
    if all(named[place] for place in apart) and len(apart) <= _FEW_APART:
        which = " and ".join(_named(named[place]) for place in apart)
    up_to = "up to " if len(apart) > 1 else ""
    widest = _between([max(found[place] for place in apart)], released)
    return f"{_between(others, released)}{_APART}{which} {up_to}{widest}"


def _beyond_possible(released: ReleasedAnswer, found: Sequence[float]) -> list[int]:
    """Which counts are so far below 0 that their intervals are 0 alone, and reach farther to it than the others do."""
    if released.form is not AnswerForm.LIST or released.interval is None or len(released.value) != len(found):
        return []
    both = zip(released.value, released.interval[1], strict=True)
    apart = [place for place, (one, high) in enumerate(both) if one < high == 0]
    inside = [one for place, one in enumerate(found) if place not in apart]
    return [place for place in apart if inside and found[place] > max(inside)]


def _between(found: Sequence[float], released: ReleasedAnswer) -> str:
    least, most = min(found), max(found)
    said = margin_text(most)
    if most > _UNLIKE * least:
        said = f"{margin_text(least)} to {said.removeprefix('± ')}"
    return f"{said}\N{NO-BREAK SPACE}{released.unit}" if _measured(released) else said


def _measured(released: ReleasedAnswer) -> bool:
    """Whether several numbers have a unit that must be said: counts of rows are known for what they are."""
    return released.unit not in ("", ROWS)


def _as_far_as_known(released: ReleasedAnswer) -> str:
    """A number without digits that its noise makes meaningless; another answer as it is."""
    if released.form is not AnswerForm.NUMBER or released.interval is None:
        return released.shown
    return within_margin(released.value, *released.interval)[0] if is_plain(released) else released.shown


def is_plain(released: ReleasedAnswer) -> bool:
    """Whether an answer is one number, and written as one: a date is not."""
    try:
        float(released.shown.replace(",", ""))
    except ValueError:
        return False
    return True


def _named(name: str) -> str:
    """A name before its number; two numbers beside each other are parted by a colon: "above 30: 12"."""
    short = _short(name)
    return f"{short}:" if short[-1:].isdigit() else short


def _short(name: str) -> str:
    return name if len(name) <= _LETTERS else f"{name[: _LETTERS - 1]}…"


def without_value_words(question: Mapping[str, Any]) -> str:
    """That an answer is of the rows with a value, where those without one are left out; "" where they count.

    How many those are is not told: nobody asked for that number.
    """
    values = question.get("values")
    left_out = isinstance(values, Mapping) and values.get("missing") == ""
    return "Only rows with a value count; those without one are left out." if left_out else ""


def bounds_words(released: ReleasedAnswer) -> str:
    """The meaning of bounds that were bought."""
    low, high = (estimate(value) for value in released.value)
    beyond = percent(float(released.labels[0][0]))
    lie = f"About {beyond} of the values lie below {low}, and as many above {high}"
    return f"{lie}; which values those are is not revealed."


def value_of(whose: str) -> tuple[str, str]:
    """One value and several of the table, or of the rows that took part; of people, how many these are."""
    if whose in OF_PEOPLE:
        people = "people" if whose == COUNTED_PEOPLE else whose
        return f"the number of {people}", f"the numbers of {people}"
    return (
        ("the table's value", "the table's values")
        if whose == "table"
        else (f"the value of the {whose}", f"the values of the {whose}")
    )


def interval_words(released: ReleasedAnswer, limited: str = "", whose: str = "table") -> str:
    """The interval of a number, and which values the answer is about; "" if there is nothing to say.

    Parameters
    ----------
    limited
        Which values those are, as in `Answered.limited`.
    whose
        Whose value it is, as in `Answered.whose_value`.
    """
    value, values = value_of(whose)
    alone = _NOT_THE_DRAW if whose in OF_A_DRAW else _NOISE_ALONE
    of = f"Of {limited}, {value}" if limited else f"{value[0].upper()}{value[1:]}"
    several = f"Of {limited}, {values}" if limited else f"{values[0].upper()}{values[1:]}"
    if released.interval is None or released.form is AnswerForm.CHOICE:
        return f"Of {limited}." if limited else ""
    ends = released.said_between
    if ends is None:
        each = f"{several} lie within their intervals, each with 95 % confidence"
        return f"{each}: {_OF_THESE} contain theirs. {alone}"
    low, high = ends
    unit = "" if whose in OF_PEOPLE else _unit(released)  # what is counted is said before
    between = f"between {low} and {high}{unit}{_outwards(released, low, high)}"
    return f"{of} lies {between} with 95 % confidence: {_OF_THESE} contain it. {alone}"


def _outwards(released: ReleasedAnswer, low: str, high: str) -> str:
    """That the ends are written wider than they are; "" where they are as they are, or nobody can say."""
    if released.interval is None:
        return ""
    if released.dated is not None:
        whole = all(float(end).is_integer() for end in released.interval)
        return "" if whole else ", rounded outwards,"
    try:
        said = tuple(float(end.replace(",", "")) for end in (low, high))
    except ValueError:
        return ""
    return "" if said == tuple(released.interval) else ", rounded outwards,"


def range_words(released: ReleasedAnswer, names: Sequence[Sequence[str]] = ()) -> str:
    """The margin and the interval of a number, or how far each of few may be off, in few words; "" if there is none."""
    if released.form is AnswerForm.LIST and len(released.value) <= _MOST_SHOWN and margins(released):
        each = margins(released)
        return f"each {each[0]} with 95 %" if len(set(each)) == 1 else f"{' · '.join(each)}, each with 95 %"
    if released.form is AnswerForm.LIST and margins(released):
        few = f"of {len(released.value):,} numbers, with 95 %"
        return f"each {few}" if _APART in _widest(released, names) else f"for each {few}"
    if (ends := released.said_between) is None:
        return ""
    low, high = ends
    own = margins(released) if is_plain(released) else []
    return " ".join((*own, f"with 95 %: {low} to {high}{_unit(released)}"))


def _unit(released: ReleasedAnswer) -> str:
    """Of a number, after a space."""
    return f" {released.unit}" if released.unit else ""


def middle_words(plan: QueryPlan) -> str:
    """The margin of values in the middle of the bounds, where that of others is expected and is wider; else ""."""
    found, widest = plan.mechanism.in_middle(plan.rows), plan.expected.half_width
    half = None if found is None else plan.mechanism.expected(found).half_width
    if half is None or widest is None or half >= widest:
        return ""
    return f"± {in_unit(margin_up(half, 3), plan.unit)} in the middle of the bounds"


def anew_words(plan: QueryPlan, middle: str = "") -> str:
    """How exact another answer to a question that was answered is expected to be; "" if nobody can say.

    Parameters
    ----------
    middle
        As in `middle_words`.
    """
    if not plan.half_width_text:
        return ""
    each = f" for each {plan.of_one}" if plan.of_one else ""
    # Not “expected”: where it depends on the data, it is the widest, and an answer may tell a narrower one.
    often = f"({plan.expected.often}){f', {middle}' if middle else ''}"
    noise = " for the noise" if plan.moved_by_draw else ""
    within = f"Another answer would be within {plan.half_width_text}{each}{noise} {often}."
    assumed = plan.assumption if plan.depends_on_rows else ""
    return " ".join(filter(None, (within, plan.together_text, assumed)))


def longer_tail_words(plan: QueryPlan) -> str:
    """How much wider the margin is if the number most values were said to be below is too small; "" if it is not.

    Nobody has looked whether it is right, and bounds that are found follow the values as they are.
    """
    longer, half = plan.mechanism.along_longer_tail(), plan.expected.half_width
    if longer is None or half is None:
        return ""
    mechanism, where = longer
    wider = mechanism.planned(plan.rows).half_width
    if wider is None or wider <= half:
        return ""
    return f"± {in_unit(margin_up(wider, 3), plan.unit)} if they are {where}."


def matching_words(schema: Schema, preparation: Preparation) -> str:
    """What matches a question: rows, or people of whom at most one row each takes part."""
    return unit_shown(ROWS, {"table": working_table(schema, preparation)})


def rows_words(plan: QueryPlan) -> str:
    """Where the number of matching rows in a plan comes from."""
    if plan.counted is not None:
        return f"from the {plan.counted.source}"
    return "as you typed" if plan.draft.says_rows else "a guess: type yours, or ask for a count"
