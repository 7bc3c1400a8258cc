"""The findings of an audit, in words."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

from workbench.core.number_text import NONE, chance_percent, estimate, file_text, rounded_down, rounded_up
from workbench.core.params import ParamSpec, ParamType
from workbench.mechanisms.audit import AuditVerdict
from workbench.mechanisms.channel import Channel
from workbench.mechanisms.channel_composition import rows_or_input
from workbench.mechanisms.channel_text import parse_channel
from workbench.mechanisms.epsilon import Epsilon
from workbench.mechanisms.neighbours import Neighbours, Relation
from workbench.mechanisms.utility import best_gain, posteriors
from workbench.plots.caption import Caption
from workbench.project.auditable import find
from workbench.project.laboratory import LaboratorySettings
from workbench.session.audit import TYPED, Examination, added_words, claimed_epsilon, number_text, shown_parameters
from workbench.session.release.spread import listed_names

_LONGEST = 18
_MANY = 40
"""Inputs or outputs of which nobody reads a table of beliefs."""
_LONGEST_EPSILON = 26
_CAPTION_ENTRIES, _MODEL_ENTRIES = 24, 1000
"""Chances of a typed table that are written below a picture, and at the head of a file."""
_TABLE_DIGITS = 6
_LARGEST_POWER = 700.0


def number(value: Fraction | float) -> str:
    """A probability: the fraction, or a decimal number where that is long."""
    return number_text(value, _LONGEST) if isinstance(value, Fraction) else estimate(value)


def with_decimals(value: Fraction | float) -> str:
    """A number exactly, its decimals beside it."""
    shown = number(value)
    if not isinstance(value, Fraction) or value.denominator == 1 or shown.startswith("≈"):
        return shown
    decimals = estimate(float(value))
    return f"{shown} {'=' if Fraction(decimals.replace(',', '')) == value else '≈'} {decimals}"


def epsilon_words(found: Examination) -> str:
    """ε exactly and as a number: "ε = ln(943/292) ≈ 1.173"."""
    if math.isinf(found.epsilon):
        return "ε = ∞"
    exact = found.exact.text if found.exact is not None else ""
    if exact == "0":
        return "ε = 0"
    decimals = found.decimals
    return f"ε = {exact} ≈ {decimals}" if 0 < len(exact) <= _LONGEST_EPSILON else f"ε ≈ {decimals}"


def witness_words(found: Examination) -> str:
    """Which output tells which inputs apart, and how well."""
    seen = found.audit.witness
    if seen.probability == 0 or seen.ratio == 1:
        return "No output tells neighbours apart."
    shown, probability = f"Output “{seen.output}”", number(seen.probability)
    if seen.neighbour_probability == 0:
        return (
            f"{shown} gives it away: probability {probability} for input {seen.input}, and impossible "
            f"for {seen.neighbour}."
        )
    return (
        f"{shown} shows it: probability {probability} for input {seen.input} and {number(seen.neighbour_probability)} "
        f"for {seen.neighbour}, a ratio of {with_decimals(seen.ratio)}."
    )


def delta_words(found: Examination) -> str:
    """δ at the claimed ε, or what no ε can hide; nothing where there is nothing to say."""
    excess = found.audit.excess
    if not found.settings.claim.strip() and not math.isinf(found.epsilon):
        return ""
    pair = f"inputs {excess.input} and {excess.neighbour}"
    value: Fraction | float = excess.delta
    if excess.exact is not None and len(str(excess.exact)) <= _LONGEST:
        value = excess.exact
    if excess.at.infinite:
        least = with_decimals(value) if isinstance(value, Fraction) else rounded_down(value)
        return f"However large ε is, δ is at least {least} ({pair})."
    sign = "=" if isinstance(value, Fraction) or not value else "≈"
    return f"At ε = {excess.at.text}, δ {sign} {with_decimals(value)} ({pair})."


def bets_words(found: Examination) -> str:
    """How often somebody wins who bets on the likeliest input: before the output, after it, and where it says most."""
    value = found.utility
    before, after, surest = (
        chance_percent(float(chance)).removesuffix(" %")
        for chance in (value.guess_before, value.guess_after, value.surest.chance)
    )
    words = (
        "Somebody who believes the above and bets on the likeliest input wins "
        f"{before} of 100 bets before they see the output, and {after} after it"
    )
    if value.guess_after == value.surest.chance:
        return f"{words}, whatever it is."
    return (
        f"{words}, on average over outputs. They are surest after output “{value.surest.output}”: there they win "
        f"{surest} of 100, on input {value.surest.input}."
    )


def belief_rows(found: Examination) -> list[tuple[str, ...]]:
    """How likely each input is before the output and after each of them; no rows where there are many of either."""
    channel, prior = found.channel, found.utility.prior
    if max(len(channel.inputs), len(channel.outputs)) > _MANY:
        return []
    return [
        (name, chance_percent(float(before)), *(NONE if one is None else chance_percent(float(one)) for one in after))
        for name, before, after in zip(channel.inputs, prior, posteriors(channel, prior), strict=True)
    ]


def capacity_words(found: Examination) -> str:
    """How much better a bet becomes at most under any prior, beside what ε alone says of it."""
    most = found.utility.capacity
    if most == 1:
        return "Whatever they believe, the output helps nobody to bet."
    words = f"Whatever they believe of these inputs, they win at most {_at_most(most)} times as often"
    if found.neighbours.relation is not Relation.ALL or math.isinf(found.epsilon):
        return f"{words}."
    inputs = len(found.channel.inputs)
    allowed = best_gain(_odds(found.epsilon, found.exact), inputs)
    if _at_most(most) == _at_most(allowed):
        return f"{words}, the most that this ε allows."
    return f"{words}; with any mechanism of this ε on {inputs:,} inputs, at most {_at_most(allowed)} times."


def guess_words(found: Examination) -> str:
    """What ε, and the claimed one, means for somebody who holds two neighbours for equally likely."""
    guess = f"a 50 : 50 guess between two {'listed ' if found.made.listed else ''}neighbours"
    if math.isinf(found.epsilon):
        words = f"No ε keeps {guess} from becoming certain"
    else:
        words = f"ε lets {guess} rise to {_sure(_odds(found.epsilon, found.exact))} at most"
    claimed = found.audit.excess.at
    if not found.settings.claim.strip() or found.claimed_delta or claimed.infinite:
        return f"{words}."
    return f"{words}; the claimed ε, to {_sure(_odds(claimed.upper, claimed))}."


def _sure(odds: Fraction | float) -> str:
    """How sure somebody can be after the output whose even odds become these at most."""
    return f"{rounded_up(100 * odds / (1 + odds))} %"


def _odds(epsilon: float, exact: Epsilon | None) -> Fraction | float:
    """e^ε, exactly where that is a fraction."""
    known = None if exact is None else exact.exp
    return math.exp(min(epsilon, _LARGEST_POWER)) if known is None else known


def _at_most(value: Fraction | float) -> str:
    """A bound exactly, or else rounded up."""
    exactly = isinstance(value, Fraction) and len(str(value)) <= _LONGEST
    return with_decimals(value) if exactly else rounded_up(value)


def same_answer(was: Examination, now: Examination) -> bool:
    """Whether a change left ε, and what became of the claim, as they were: also where none was claimed before."""
    became = (now.verdict, now.undecided) if was.settings.claim.strip() else (was.verdict, was.undecided)
    # Not as they are written: beside a claim, ε has digits enough to be told from it.
    return (was.epsilon, was.verdict, was.undecided) == (now.epsilon, *became)


def before_words(was: Examination, now: LaboratorySettings) -> str:
    """What was found before the last change, with what was otherwise then; "" where only the same was asked.

    Parameters
    ----------
    was
        The finding before it.
    now
        The question that is asked now.
    """
    then = was.settings
    if replace(then, prior=now.prior, loss=now.loss) == now:
        return ""  # neither has a part in ε
    claimed = {
        AuditVerdict.CONFIRMED: "held where listed" if was.made.listed else "confirmed",
        AuditVerdict.ROUNDED: "held where listed, up to rounding" if was.made.listed else "confirmed up to rounding",
        AuditVerdict.REFUTED: "refuted",
    }
    became = "undecided" if was.undecided else claimed.get(was.verdict) if was.verdict is not None else None
    asked = claimed_epsilon(then)
    asked = f"(ε = {asked}, δ = {then.claimed_delta.strip()})" if was.claimed_delta else asked
    claim = f", claim {asked} {became}" if became and then.claim.strip() else ""
    return f"Before{_otherwise(was, now)}: {epsilon_words(was)}{claim}."


def _otherwise(was: Examination, now: LaboratorySettings) -> str:
    then = was.settings
    if then.mechanism != now.mechanism:
        return f" ({find(then.mechanism).title})"
    values, others = shown_parameters(then), shown_parameters(now)
    changed = [spec for spec in find(then.mechanism).params if values[spec.name] != others[spec.name]]
    if not changed:
        asked = replace(then, claim=now.claim, claimed_delta=now.claimed_delta, prior=now.prior, loss=now.loss)
        return "" if asked == now else " (asked otherwise)"
    spec = changed[0]
    value = str(values[spec.name])
    words = dict(spec.choices).get(value, value)
    return f" ({spec.title} = {words})" if len(changed) == 1 and len(words) <= _LONGEST else " (other parameters)"


def neighbours_words(neighbours: Neighbours, channel: Channel) -> str:
    """Over which pairs the audit went."""
    if neighbours.relation is Relation.WITHIN:
        return f"neighbours: {neighbours.text_for(channel)}"
    if neighbours.relation is Relation.GRAPH:
        return f"neighbours: {len(neighbours.edges):,} pairs"
    return "neighbours: all pairs"


def model_words(found: Examination, *, entries: int = _MODEL_ENTRIES) -> tuple[str, ...]:
    """What a file with the matrix is of: the mechanism, its parameters, ε, and how the matrix is to be read.

    Parameters
    ----------
    entries
        So many chances at most are written of a table that the matrix does not show.
    """
    settings = found.settings
    given = [f"{spec.title} = {_value_words(spec, value)}" for spec, value in _parameters(settings)]
    lines = (
        found.made.title,
        ", ".join(given),
        *_tables(settings, entries),
        f"{epsilon_words(found)}; {neighbours_words(found.neighbours, found.channel)}",
        found.made.note,
    )
    return tuple(line for line in lines if line)


def picture_caption(found: Examination, shown: str, marked: str = "") -> Caption:
    """What stands below a picture of a mechanism that leaves: what is drawn, what of, and what became of the claim.

    Parameters
    ----------
    marked
        What stands out in it, in a sentence.
    """
    settings, (title, *others) = found.settings, model_words(found, entries=_CAPTION_ENTRIES)
    if find(settings.mechanism).params:
        # That of what was made has the values that follow, without their names.
        title = f"{find(settings.mechanism).title}{added_words(settings)}"
    if given := [_parameter_words(spec, value) for spec, value in _parameters(settings)]:
        others[0] = f"Made with {listed_names(given)}"
    lines = (title, *others, *claim_lines(found), marked)
    return Caption(shown, notes=tuple(line if line[-1] in ".?" else f"{line}." for line in lines if line))


def _tables(settings: LaboratorySettings, entries: int) -> list[str]:
    """The tables that were typed, each in a line, of which the matrix shows only what came of them.

    With them, whoever has the picture can make it again.
    """
    typed = settings.typed.get("table", "") if settings.mechanism == TYPED and added_words(settings) else ""
    tables = (
        ("Its channel", typed, "the channel"),
        ("Channel that follows", settings.then, "the channel that follows"),
    )
    return [
        f"{name}: {_table_words(parse_channel(text, source), entries)}" for name, text, source in tables if text.strip()
    ]


def _table_words(channel: Channel, entries: int) -> str:
    """A table in a line, what is impossible left out: “no → low 9/10, high 1/10; yes → high 1”."""
    rows, left = list[str](), entries
    for place, name in enumerate(channel.inputs):
        given = channel.floats[place].tolist() if channel.exact is None else channel.exact[place]
        chances = [
            f"{_quoted(output)} {value if isinstance(value, Fraction) else file_text(value, _TABLE_DIGITS)}"
            for output, value in zip(channel.outputs, given, strict=True)
            if value
        ]
        if (left := left - len(chances)) < 0:
            if not rows:
                return f"{len(channel.inputs):,} inputs and {len(channel.outputs):,} outputs, too many to write here"
            further = len(channel.inputs) - place
            return "; ".join([*rows, "and one further input" if further == 1 else f"and {further:,} further inputs"])
        rows.append(f"{_quoted(name)} → {', '.join(chances)}")
    return "; ".join(rows)


def _quoted(name: str) -> str:
    """A name that would run into others in quotation marks."""
    return name if name and not any(sign in name for sign in " ,;:") else f"“{name}”"


def left_out_words(before: LaboratorySettings, now: LaboratorySettings) -> str:
    """The part of a question that is not asked of another mechanism, in a sentence; "" where all of it is."""
    usual = LaboratorySettings()
    named = (
        ("neighbours", "the neighbours"),
        ("sample", "the sample"),
        ("then", "the channel that follows"),
        ("prior", "the prior"),
    )
    gone = [
        words
        for name, words in named
        if getattr(before, name).strip() != getattr(usual, name) and getattr(now, name) == getattr(usual, name)
    ]
    repeats = ((before.repeat, now.repeat, "the same input"), (before.beside, now.beside, "new inputs"))
    again = [f"repeating {then} × on {inputs}" for then, here, inputs in repeats if then > here == 1]
    if not gone and not again:
        return ""
    every = gone + again
    listed = every[0] if len(every) == 1 else f"{', '.join(every[:-1])} and {every[-1]}"
    return f"Taken out: {listed}, as {'set' if again else 'named'} for the mechanism before."


def claim_lines(found: Examination) -> tuple[str, ...]:
    """The claim with its answer, and δ at the claimed ε where there is one; nothing where nothing was claimed."""
    claim = claim_words(found)
    return tuple(line for line in (claim, delta_words(found) if claim and found.audit.excess.delta else "") if line)


def claimed_words(found: Examination) -> str:
    """What is claimed, to stand behind what became of it: “ε = 1”, or “ε = 1, δ = 0.1”."""
    settings = found.settings
    epsilon, delta = (
        text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
        for text in (claimed_epsilon(settings), settings.claimed_delta.strip())
    )
    return f"ε = {epsilon}, δ = {delta}" if found.claimed_delta else f"ε = {epsilon}"


def claim_words(found: Examination) -> str:
    """The claim as a question with its answer; "" where none was made, or it could not be read."""
    settings = found.settings
    if found.verdict is None or not settings.claim.strip() or found.why_without("claim", "claimed_delta") is not None:
        return ""
    epsilon, delta = claimed_epsilon(settings), settings.claimed_delta.strip() if found.claimed_delta else ""
    question = f"Does (ε = {epsilon}, δ = {delta}) hold?" if delta else f"Is ε at most {epsilon}?"
    if found.undecided:
        return f"{question} Not decided: only some inputs were looked at."
    if found.verdict is AuditVerdict.REFUTED:
        return f"{question} No."
    # What holds of some inputs is no guarantee, and must not look like one.
    yes = f"On the listed inputs it {'does' if delta else 'is'}" if found.made.listed else "Yes"
    return f"{question} {yes}{', up to rounding' if found.verdict is AuditVerdict.ROUNDED else ''}."


_FRAMED = "Framed is what shows ε: "


def without_frame(caption: str) -> str:
    """A caption for where nothing is framed, as in a table of text."""
    return caption.replace(_FRAMED, "ε shows in ")


def frame_words(found: Examination) -> str:
    """What the frame in the matrix is around."""
    seen = found.audit.witness
    if seen.probability == 0 or seen.ratio == 1:
        return ""
    chances = f"{number(seen.probability)} for input {seen.input}, {number(seen.neighbour_probability)} for "
    return f"{_FRAMED}output “{seen.output}”, with {chances}{seen.neighbour}."


def sample_example(found: Examination) -> str:
    """How a sample in front of the mechanism is asked for: of counts, a rate is enough."""
    return f"none; 1/10{rows_or_input(found.channel.inputs)}"


def sample_meaning(found: Examination) -> str:
    """The sample that is set in words; of none, what the example in its field would do."""
    typed = found.settings.sample.strip() or f"1/10{rows_or_input(found.channel.inputs)}"
    rate, _, other = (part.strip() for part in typed.partition("="))
    if not other:
        return f"{rate}: each row is in the sample with chance {rate}."
    return f"{rate}={other}: with chance {rate} the input itself goes in, otherwise “{other}”."


def _parameters(settings: LaboratorySettings) -> list[tuple[ParamSpec, Any]]:
    """The parameters that matter, with what they are; not whole tables."""
    values, params = shown_parameters(settings), find(settings.mechanism).params
    return [(one, values[one.name]) for one in params if one.type is not ParamType.LINES and one.matters(values)]


def _parameter_words(spec: ParamSpec, value: Any) -> str:
    """A parameter within a sentence: “two coins”, “first coin (truth) = 1/3”, “not truncated”."""
    name, _, what = spec.title.partition(": ")
    name = name if name[1:2] in ("", " ") or name[:2].isupper() else f"{name[0].lower()}{name[1:]}"
    if spec.type is ParamType.SWITCH:
        return name if value else f"not {name}"
    words = _value_words(spec, value)
    if spec.choices:
        return words if name in words else f"{name} “{words}”"
    return f"{name} ({what}) = {words}" if what else f"{name} = {words}"


def _value_words(spec: ParamSpec, value: Any) -> str:
    return spec.placeholder if value == 0 and spec.names_zero else dict(spec.choices).get(str(value), str(value))


def size_words(found: Examination) -> str:
    """How large the channel is and over what it was audited."""
    return "{inputs} inputs, {outputs} outputs; {neighbours}".format(
        inputs=f"{len(found.channel.inputs):,}",
        outputs=f"{len(found.channel.outputs):,}",
        neighbours=neighbours_words(found.neighbours, found.channel),
    )
