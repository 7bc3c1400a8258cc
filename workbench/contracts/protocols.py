"""Contracts of local protocols: the stated ε, and unbiased estimates with the stated variance.

The statistical checks have fixed seeds; with other seeds a sound protocol would pass their bounds by chance about once
in a million: |Z| < 5 for means, 5 standard errors for variances, χ² at 1 − 10⁻⁹.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.contracts.contract import Contract, Untried, demand
from workbench.contracts.statistics import matches
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import count, estimate, exact, percent
from workbench.core.randomness import SeededSource
from workbench.ldp.coins import nepers, odds
from workbench.ldp.mean_randomiser import MeanRandomiser
from workbench.ldp.protocol import Family, FrequencyRandomiser, LocalProtocol, Randomiser, Reports, randomiser_from

EPSILONS = (0.01, 0.5, math.log(2), 1.0, math.log(12), math.log(20), 5.0, 20.0)
SIZE, EPSILON = 5, 1.1
COUNTS = np.array([0, 20, 45, 5, 110])
REPETITIONS = 400
_SCORE = 5.0
_DRAWN = 40_000


def agree(
    estimates: NDArray[np.float64], truth: NDArray[Any], variance: NDArray[np.float64], kurtosis: float = 3.0
) -> None:
    """`Broken` unless estimates have the mean and the variance, shape (repetitions, values)."""
    repetitions = len(estimates)
    score = float(np.abs((estimates.mean(axis=0) - truth) / np.sqrt(variance / repetitions)).max())
    demand(score < _SCORE, f"its estimates are {estimate(score, 3)} standard errors off on average.")
    ratio = estimates.var(axis=0, ddof=1) / variance
    off = float(np.abs(ratio - 1).max())
    most = _SCORE * 1.15 * math.sqrt((kurtosis - 1) / (repetitions - 1))
    demand(off < most, f"the variance of its estimates is off by {percent(off)}, and chance explains {percent(most)}.")


def channel_loss(channel: NDArray[np.float64]) -> float:
    """The real ε of a matrix of probabilities, one row per value."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = channel.max(axis=0) / channel.min(axis=0)
    return float(np.log(ratios[channel.max(axis=0) > 0]).max())


def states_its_loss(protocol: LocalProtocol, randomiser: Randomiser, asked: float) -> None:
    """`Broken` if it states less than it reveals, by its channel, or spends more than was asked for."""
    stated = randomiser.epsilon
    demand(
        randomiser.worst_ratio <= odds(stated) or stated == nepers(randomiser.worst_ratio),
        f"it states ε = {exact(stated)}, less than its worst ratio.",
    )
    channel = randomiser.channel() if isinstance(randomiser, FrequencyRandomiser) else None
    if channel is not None:
        demand(bool(np.abs(channel.sum(axis=1) - 1).max() < 1e-12), "the rows of its channel do not sum to 1.")
        real = channel_loss(channel)
        demand(
            real <= stated * (1 + 1e-7) + 2e-8,
            f"its channel reveals ε = {estimate(real, 6)}, and it states {estimate(stated, 6)}.",
        )
    if not protocol.follows(randomiser.parameters):
        demand(
            randomiser.worst_ratio <= odds(asked) and stated <= asked,
            f"asked for {exact(asked)}, it spends {exact(stated)}.",
        )
        if channel is not None:
            demand(channel_loss(channel) <= asked * (1 + 1e-12) + 1e-9, f"asked for {exact(asked)}, it reveals more.")


def estimates_the_truth(randomiser: FrequencyRandomiser, counts: NDArray[Any]) -> None:
    """`Broken` unless the estimate of the expected reports is the truth."""
    off = float(np.abs(randomiser.estimate(randomiser.expected(counts)) - counts).max())
    demand(off <= 1e-6, f"the estimate of the expected reports is off by {exact(off)}.")


def devices_agree(randomiser: FrequencyRandomiser, counts: NDArray[Any]) -> None:
    """`Broken` unless what devices send has the mean and the variance that are stated."""
    values = np.repeat(np.arange(len(counts)), counts)
    reports = randomiser.perturb(np.tile(values, REPETITIONS), SeededSource(7))
    groups = reports.reshape(REPETITIONS, len(values), *reports.shape[1:])
    estimates = np.array([randomiser.estimate(randomiser.accumulate(group)) for group in groups])
    variance = randomiser.variance(counts)
    if variance is None:
        variance = np.maximum(estimates.var(axis=0, ddof=1), 1e-9)
    agree(estimates, counts, variance)


def means_agree(randomiser: MeanRandomiser, kurtosis: float = 3.0) -> None:
    """`Broken` unless what devices send has the mean and the variance that are stated."""
    values = np.linspace(-1, 1, 101)
    reports = randomiser.perturb(np.tile(values, REPETITIONS), SeededSource(9))
    groups = reports.reshape(REPETITIONS, len(values), *reports.shape[1:])
    estimates = np.array([[randomiser.estimate(randomiser.accumulate(group))] for group in groups])
    agree(estimates, np.array([values.mean()]), np.array([randomiser.variance(values).sum() / len(values) ** 2]))
    numbers = randomiser.decoded(reports).reshape(REPETITIONS, len(values))
    agree(numbers, values, randomiser.variance(values), kurtosis=kurtosis)


def aggregate_agrees(randomiser: FrequencyRandomiser, counts: NDArray[Any]) -> bool:
    """`Broken` unless sums drawn at once have the mean and covariance of reports; False if it draws none at once."""
    generator = np.random.default_rng(8)
    supports = [randomiser.simulate(counts, generator) for _ in range(2000)]
    if supports[0] is None:
        return False
    estimates = np.array([randomiser.estimate(support) for support in supports if support is not None])
    variance, covariance = randomiser.variance(counts), randomiser.covariance(counts)
    if variance is not None:
        agree(estimates, counts, variance)
    if covariance is not None and variance is not None:
        scale = np.sqrt(np.outer(variance, variance) / len(estimates))
        off = float((np.abs(np.cov(estimates.T) - covariance) / scale).max())
        demand(off < _SCORE * 1.5, "sums that are drawn at once have another covariance than is stated.")
    return True


def survives_a_file(randomiser: Randomiser, values: NDArray[Any]) -> None:
    """`Broken` unless reports and public parameters can be written, read and counted in parts."""
    reports = randomiser.perturb(values, SeededSource(10))
    rows = randomiser.cells(reports)
    demand({len(row) for row in rows} == {len(randomiser.columns)}, "its reports do not fit its columns.")
    again = randomiser_from(json.loads(json.dumps(randomiser.public())))
    demand(again.public() == randomiser.public(), "made again from its public parameters, it is another one.")
    demand(again.epsilon == randomiser.epsilon, "made again from its public parameters, it has another ε.")
    back = again.parse(rows)
    demand(bool(np.array_equal(back, reports)), "its reports are read back otherwise than they were written.")
    cut = len(values) // 3
    whole, first, second = (again.accumulate(part) for part in (back, back[:cut], back[cut:]))
    demand(bool(np.allclose((first + second).sums, whole.sums)), "its sums do not add up over parts.")
    demand((first + second).reports == whole.reports == len(values), "it counts its reports wrongly.")
    damaged: tuple[list[list[str]], ...] = ([["x"] * len(again.columns)], [["9" * 12] * len(again.columns)], [[]])
    for rubbish in damaged:
        _refuses(again, rubbish)


def _refuses(randomiser: Randomiser, rubbish: list[list[str]]) -> None:
    try:
        randomiser.parse(rubbish)
    except WorkbenchError as error:
        demand("Report 1 " in error.message, "a damaged report is refused without saying which.")
        return
    demand(False, f"it takes {rubbish[0]} for a report.")


def refuses_what_is_outside(randomiser: Randomiser, values: list[NDArray[Any]], words: str) -> None:
    """`Broken` unless values outside the domain are refused in these words."""
    for outside in values:
        try:
            randomiser.perturb(outside, SeededSource(1))
        except WorkbenchError as error:
            demand(words in error.message, f"{outside.tolist()} is refused without the words “{words}”.")
        else:
            demand(False, f"it takes {outside.tolist()} for values of its domain.")


def every_report(randomiser: FrequencyRandomiser, outputs: int) -> Reports:
    """Every possible report, in the order of the columns of the channel.

    Raises
    ------
    Untried
        If that order is not known.
    """
    if randomiser.tabulated:
        return np.arange(outputs)
    size = randomiser.domain_size
    sample = randomiser.perturb(np.zeros(1, dtype=np.int64), SeededSource(0))
    if sample.dtype == np.bool_ and sample[0].size == size:
        members = int(sample.sum())
        if outputs == math.comb(size, members) and outputs != 2**size:
            chosen = np.zeros((outputs, size), dtype=np.bool_)
            for row, subset in enumerate(combinations(range(size), members)):
                chosen[row, list(subset)] = True
            return chosen
        if outputs == 2**size:
            bits = ((np.arange(outputs)[:, None] >> np.arange(size)) & 1).astype(np.bool_)
            return bits.reshape(outputs, *sample.shape[1:])
    raise Untried("which report a column of its channel stands for is not known here.")


def devices_follow_the_channel(randomiser: FrequencyRandomiser) -> None:
    """`Broken` unless what devices send has the probabilities of the channel."""
    channel = randomiser.channel()
    if channel is None:
        raise Untried("its reports are too many to be written down as a channel.")
    outputs = every_report(randomiser, channel.shape[1])
    keys = {output.tobytes(): number for number, output in enumerate(np.ascontiguousarray(outputs))}
    people = max(8000, 20 * channel.shape[1])
    for value in range(randomiser.domain_size):
        reports = randomiser.perturb(np.full(people, value), SeededSource(100 + value))
        if randomiser.tabulated:
            seen = reports.astype(np.int64)
        else:
            found = [keys.get(report.tobytes(), -1) for report in np.ascontiguousarray(reports)]
            demand(min(found) >= 0, "devices send a report that the channel does not know.")
            seen = np.array(found)
        observed = np.bincount(seen, minlength=channel.shape[1])
        demand(matches(observed, channel[value]), f"what devices with value {value} send does not follow the channel.")


def devices_keep_epsilon(randomiser: Randomiser, values: NDArray[Any]) -> int:
    """`Broken` if reports that devices really send tell two values apart by more than ε, beyond chance.

    Half of the reports choose the likeliest difference, the other half is asked whether it is there: with noise alone
    the score of one such comparison exceeds six standard deviations once in a thousand million.

    Returns
    -------
    int
        How many different reports were seen.
    """
    factor = math.exp(min(randomiser.epsilon, 500.0))
    kinds: dict[bytes, int] = {}
    counted = []
    for place, value in enumerate(values):
        reports = np.ascontiguousarray(randomiser.perturb(np.full(_DRAWN, value), SeededSource(900 + place)))
        counted.append(np.array([kinds.setdefault(report.tobytes(), len(kinds)) for report in reports]))
    most = len(kinds)
    for one, other in combinations(range(len(values)), 2):
        for first, second in ((one, other), (other, one)):
            halves = [
                [np.bincount(part, minlength=most).astype(np.float64) for part in np.array_split(counted[which], 2)]
                for which in (first, second)
            ]
            event = halves[0][0] > factor * halves[1][0]
            likely, rare = (float(half[1][event].sum()) for half in halves)
            spread = math.sqrt(likely + factor**2 * rare + 1)
            demand(
                likely - factor * rare <= 6 * spread + factor * 6,
                f"devices send some reports {count(likely)} times with value {exact(values[first])} and "
                f"{count(rare)} times with "
                f"value {exact(values[second])}, and the ε it states allows {estimate(factor)} times as many.",
            )
    return most


# Contracts


def built(protocol: LocalProtocol, size: int, epsilon: float) -> Randomiser | None:
    """The protocol for so many values, as near as it can; None where it refuses this ε."""
    size = 0 if protocol.family is Family.MEAN else min(max(size, protocol.minimum_domain), protocol.maximum_domain)
    try:
        return protocol.build(size, epsilon)
    except WorkbenchError:
        return None


def _usual(protocol: LocalProtocol) -> Randomiser:
    for epsilon in (EPSILON, 2.0, 4.0):
        found = built(protocol, SIZE, epsilon)
        if found is not None:
            return found
    raise Untried(f"it can be built for no domain of {SIZE} values with its defaults.")


def _frequencies(protocol: LocalProtocol) -> tuple[FrequencyRandomiser, NDArray[np.int64]]:
    found = _usual(protocol)
    if not isinstance(found, FrequencyRandomiser):
        raise Untried("it estimates means.")
    size = found.domain_size
    return found, COUNTS[:size] if size <= SIZE else np.arange(size) % 7


def _epsilon(protocol: LocalProtocol) -> str:
    tried = 0
    for size in (2, 3, 8, 40):
        for epsilon in EPSILONS:
            randomiser = built(protocol, size, epsilon)
            if randomiser is not None:
                states_its_loss(protocol, randomiser, epsilon)
                tried += 1
    demand(tried > 0, "it can be built for no domain and no ε.")
    return f"{tried} channels and worst ratios, over domains of 2 to 40 values and ε of 0.01 to 20."


def _sent(protocol: LocalProtocol) -> str:
    found = _usual(protocol)
    mean = isinstance(found, MeanRandomiser)
    values = np.array([-1.0, 0.0, 1.0]) if mean else np.arange(min(found.domain_size, 3))
    kinds = devices_keep_epsilon(found, values)
    return f"{_DRAWN:,} reports of each of {len(values)} values, {kinds:,} different ones."


def _follows(protocol: LocalProtocol) -> str:
    devices_follow_the_channel(_frequencies(protocol)[0])
    return "what devices send follows the channel."


def _unbiased(protocol: LocalProtocol) -> str:
    found = _usual(protocol)
    if isinstance(found, MeanRandomiser):
        means_agree(found, kurtosis=6.0)
        return "means of reports have the stated mean and variance."
    randomiser, counts = _frequencies(protocol)
    if not randomiser.unbiased:
        raise Untried("it says itself that its estimates are biased.")
    estimates_the_truth(randomiser, counts)
    devices_agree(randomiser, counts)
    aggregate_agrees(randomiser, counts)
    return "estimates have the stated mean and variance."


def _filed(protocol: LocalProtocol) -> str:
    found = _usual(protocol)
    if isinstance(found, MeanRandomiser):
        survives_a_file(found, np.linspace(-1, 1, 40))
        wrong = [np.array([0.0, number]) for number in (1.0000001, -2.0, np.nan)]
        refuses_what_is_outside(found, wrong, "outside the public bounds")
    else:
        survives_a_file(found, np.arange(40) % found.domain_size)
        outside = [np.array([0, number]) for number in (-1, found.domain_size)]
        refuses_what_is_outside(found, outside, "outside the declared domain")
    return "reports survive a file; what is outside the domain is refused."


def contracts() -> Iterator[Contract[LocalProtocol]]:
    """Everything a protocol is tried for."""
    yield Contract("stated ε", _epsilon)
    yield Contract("exact audit", _follows)
    yield Contract("reports as sent", _sent)
    yield Contract("bias", _unbiased)
    yield Contract("shape", _filed)


CONTRACTS: tuple[Contract[LocalProtocol], ...] = tuple(contracts())
