"""Above-threshold as a channel from databases, or from two streams, to the query at which it stops."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import groupby
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.exact import parse_fraction
from workbench.core.number_text import counted
from workbench.core.params import ParamSpec, ParamType
from workbench.mechanisms.above_threshold import MOST_QUERIES, MOST_RANGE, AboveThreshold
from workbench.mechanisms.channel import Channel
from workbench.mechanisms.mechanism import OTHERS, ConfiguredMechanism, Mechanism, check_size
from workbench.mechanisms.neighbours import ALL, graph
from workbench.mechanisms.places import Parts

EVERY = "every"
_SHORT = 6
_MOST_WORK = {True: 3_000_000, False: 150_000}
"""Steps, by whether values are truncated: each takes some microseconds."""


def model(values: Mapping[str, Any]) -> AboveThreshold:
    """The version that these values describe."""
    return AboveThreshold(
        values["n"],
        values["threshold_alpha"],
        values["query_alpha"],
        strict=values["comparison"] == "strict",
        truncated=values["truncated"],
    )


def make(values: Mapping[str, Any]) -> ConfiguredMechanism:
    chain, queries = model(values), values["queries"]
    named = f"{'>' if chain.strict else '≥'}, {'truncated' if chain.truncated else 'untruncated'}"
    title = f"Above-threshold, {queries} queries, {named}"
    outputs = (*(f"stop at {query}" for query in range(1, queries + 1)), "never")
    thresholds = _thresholds(values["threshold"], chain)
    if values["stream"] == "typed":
        return _typed(chain, parse_streams(values["answers"], chain), thresholds[0])
    return (_streams if values["stream"] == "worst" else _databases)(title, chain, queries, thresholds, outputs)


def parse_streams(text: str, chain: AboveThreshold) -> tuple[tuple[int, ...], ...]:
    """Streams of equal length, parted by “;”; a single one gets the neighbours that moved by one, as far as they may.

    Raises
    ------
    WorkbenchError
        If an answer is no whole number, or the streams are not equally long.
    """
    streams = [_whole_numbers(part) for part in text.replace("\n", ";").split(";") if part.strip()]
    if not streams or any(len(stream) != len(streams[0]) for stream in streams):
        raise WorkbenchError(
            "Streams must be equally long, and one is needed.", hint="Write such as 3 3 3; 4 4 4.", field="answers"
        )
    if len(streams) == 1:
        low, high = (0, chain.n) if chain.truncated else (min(streams[0]) - 1, max(streams[0]) + 1)
        streams += [tuple(min(max(value + step, low), high) for value in streams[0]) for step in (-1, 1)]
    return tuple(dict.fromkeys(streams))


def _whole_numbers(text: str) -> tuple[int, ...]:
    values = [parse_fraction(word, field="answers") for word in text.replace(",", " ").split()]
    wrong = next((value for value in values if value.denominator != 1), None)
    if wrong is not None:
        raise WorkbenchError(f"The answer {wrong} is no whole number.", hint="Give counts.", field="answers")
    return tuple(int(value) for value in values)


def _typed(chain: AboveThreshold, streams: tuple[tuple[int, ...], ...], threshold: int) -> ConfiguredMechanism:
    """The streams that somebody typed; neighbours differ by at most one in every answer."""
    names = [_named(stream) for stream in streams]
    rows = [chain.stops(stream, threshold).all for stream in streams]
    near = graph(
        (names[a], names[b])
        for a, one in enumerate(streams)
        for b, other in enumerate(streams[:a])
        if max(abs(p - q) for p, q in zip(one, other, strict=True)) <= 1
    )
    outputs = (*(f"stop at {query}" for query in range(1, len(streams[0]) + 1)), "never")
    return ConfiguredMechanism(
        f"Above-threshold, typed streams, threshold {threshold}",
        Channel.of_fractions(names, outputs, rows).placed(Parts.of(streams)),
        near,
        note=f"ε is over the streams that are listed; {OTHERS}.",
        listed=counted(len(streams), "stream"),
    )


def _databases(
    title: str, chain: AboveThreshold, queries: int, thresholds: tuple[int, ...], outputs: tuple[str, ...]
) -> ConfiguredMechanism:
    """Every query is answered from the same d, as in the published algorithm; neighbours differ by one in d."""
    counts = range(chain.n + 1)
    check_size(len(thresholds) * len(counts), len(outputs))
    _check_work(chain, queries, len(thresholds))
    inputs = [_database(d, t) for t in thresholds for d in counts]
    rows = [chain.stops((d,) * queries, t).all for t in thresholds for d in counts]
    parts = Parts.of([(d,) for _ in thresholds for d in counts], [t for t in thresholds for _ in counts], named="t")
    edges = graph((_database(d, t), _database(d + 1, t)) for t in thresholds for d in counts[:-1])
    fixed = chain.fixed_loss(equal=True)
    return ConfiguredMechanism(
        title,
        Channel.of_fractions(inputs, outputs, rows).placed(parts),
        edges,
        note="ε grows with the number of queries: this model has no fixed ε."
        if fixed is None
        else f"However many queries are asked, ε stays below {fixed.text}: comparing untruncated values repairs the "
        "model.",
    )


def _check_work(chain: AboveThreshold, queries: int, thresholds: int) -> None:
    """Refuse what would take minutes."""
    each = thresholds * (chain.n + 1) ** 2 * queries
    # Untruncated, only the distance between d and the threshold counts.
    work = each if chain.truncated else (chain.n + thresholds) * queries**2
    if work > _MOST_WORK[chain.truncated]:
        raise WorkbenchError(
            f"{queries} queries of counts up to {chain.n} take too long to be worked out for {thresholds} thresholds.",
            hint="Give one threshold, or choose fewer queries or a smaller largest count.",
            field="queries",
        )


def _streams(
    title: str, chain: AboveThreshold, queries: int, thresholds: tuple[int, ...], outputs: tuple[str, ...]
) -> ConfiguredMechanism:
    """The two neighbouring streams that tell most, of all streams whose answers may each move by one."""
    threshold = thresholds[0]
    streams = chain.worst_streams(queries)
    names = [_named(stream) for stream in streams]
    rows = [chain.stops(stream, threshold).all for stream in streams]
    bound = chain.worst_losses(queries)[-1]
    if chain.truncated:
        note = "No pair of streams tells more than this one: each query can add −ln α, and here each does."
    else:
        note = (
            f"Over all whole-number streams ε is {bound.text}, which this pair comes near. However many queries are "
            f"asked, it stays at most {_text(chain)}."
        )
    return ConfiguredMechanism(
        title, Channel.of_fractions(names, outputs, rows).placed(Parts.of(streams)), ALL, bound, note
    )


def _text(chain: AboveThreshold) -> str:
    fixed = chain.fixed_loss(equal=False)
    return "∞" if fixed is None else fixed.text


def _named(stream: tuple[int, ...]) -> str:
    """A stream, with runs of one answer shortened: 4 ×49, 1."""
    if len(stream) <= _SHORT:
        return " ".join(str(value) for value in stream)
    runs = [(value, len(list(group))) for value, group in groupby(stream)]
    return ", ".join(f"{value} ×{count}" if count > 1 else str(value) for value, count in runs)


def _database(d: int, t: int) -> str:
    return f"d = {d}, t = {t}"


def _thresholds(text: str, chain: AboveThreshold) -> tuple[int, ...]:
    if text.strip().lower() == EVERY:
        return tuple(range(chain.n + 1))
    value = parse_fraction(text, field="threshold")
    if value.denominator != 1 or not 0 <= value <= chain.n:
        raise WorkbenchError(
            f"The threshold {text.strip()} is not between 0 and {chain.n}.",
            hint=f"Give a whole number of this range, or {EVERY}.",
            field="threshold",
        )
    return (int(value),)


def _alpha(name: str, title: str, default: Fraction, what: str) -> ParamSpec:
    return ParamSpec(
        name,
        title,
        ParamType.FRACTION,
        default=default,
        minimum=0,
        maximum=1,
        open_minimum=True,
        open_maximum=True,
        help=f"α of the geometric noise on {what}.",
    )


PLUGIN = Mechanism(
    "above-threshold",
    "Above-threshold",
    "Asks one query after the other until a noisy answer exceeds a noisy threshold, and says at which it stopped.",
    "C. Dwork, A. Roth: The algorithmic foundations of differential privacy, 2014, algorithm 1; here with geometric "
    "mechanisms, as in D. Liu, B.-Y. Wang, L. Zhang: Model Checking Differentially Private Properties, APLAS 2018.",
    (
        ParamSpec(
            "queries",
            "Queries",
            ParamType.INTEGER,
            default=3,
            minimum=1,
            maximum=MOST_QUERIES,
            help="How many queries there are at most.",
        ),
        ParamSpec(
            "comparison",
            "Stops when",
            ParamType.CHOICE,
            default="strict",
            choices=(("strict", "> threshold"), ("non-strict", "≥ threshold")),
            help="The published text says ≥, its algorithm >. That changes ε.",
        ),
        ParamSpec(
            "stream",
            "Answers",
            ParamType.CHOICE,
            default="database",
            choices=(
                ("database", "always d"),
                ("worst", "the worst"),
                ("typed", "typed"),
            ),
            help="As published, every query has the same true answer d. In general each answer may move by one.",
        ),
        ParamSpec(
            "answers",
            "Typed answers",
            ParamType.TEXT,
            default="3 3 3",
            help="For typed streams: the true answers in their order, such as 3 3 3; streams are parted by “;”. "
            "A single stream is compared with those in which every answer moved by one.",
            when=(("stream", ("typed",)),),
        ),
        ParamSpec(
            "truncated",
            "Truncated",
            ParamType.SWITCH,
            default=True,
            help="Noisy values are moved into 0 … n before they are compared, as published; without, the model is "
            "repaired.",
        ),
        ParamSpec(
            "threshold",
            "Threshold",
            ParamType.TEXT,
            default=EVERY,
            help="A whole number from 0 to n, or “every” to take the worst. It is public.",
        ),
        ParamSpec(
            "n",
            "Largest count n",
            ParamType.INTEGER,
            default=5,
            minimum=1,
            maximum=MOST_RANGE,
            help="Counts are 0 to n.",
        ),
        _alpha("threshold_alpha", "α of the threshold", Fraction(1, 4), "the threshold"),
        _alpha("query_alpha", "α of the queries", Fraction(1, 2), "every answer"),
    ),
    make,
)
