"""The words about the setting that answers for a way: its name, its noise, and which are as good."""

from __future__ import annotations

import re

from workbench.core.number_text import estimate, margin_up
from workbench.evaluate.experiment import Axis, Truth
from workbench.evaluate.families import short_name
from workbench.evaluate.findings import Findings
from workbench.evaluate.question import Statistic
from workbench.evaluate.tile import Tile
from workbench.query.noise import mean_absolute

_GRID = "global-grid"


def setting_words(tile: Tile, statistic: Statistic) -> str:
    """The setting that answers; "" where there is none.

    What consistent counts are, and which settings are as good, is said by `ties_words`.
    """
    if tile.setting is None:
        return ""
    name = re.sub(" in ([0-9]+) steps, from", r", \1 steps from", short_name(tile.setting, statistic))
    return f"How: {name.replace(', consistent counts', ', consistent')}"


def known_as(tile: Tile, findings: Findings) -> str:
    """The older name of direct encoding of two answers; "" of other settings, and of more answers."""
    local = tile.setting is not None and tile.setting.identifier == "local"
    direct = local and tile.setting is not None and tile.setting.checked().get("protocol") == "grr"
    return "randomised response" if direct and findings.outputs == 2 else ""


def ties_words(tile: Tile, findings: Findings, place: float) -> str:
    """How much noise there is, which settings are as good as the one that answers, and why it is taken.

    "" where there is nothing to say.
    """
    if tile.setting is None:
        return ""
    statistic = findings.experiment.question.statistic
    said = [scale_words(tile, findings, place)]
    if tile.as_good:
        why = "the first whose error is known by formula" if tile.by_formula else "the first of them in the list"
        others = "; ".join(short_name(one, statistic) for one in tile.as_good)
        taken = short_name(tile.setting, statistic)
        said.append(f"{taken} is taken: {why}. As good, for all that tries and formulas tell: {others}.")
    if tile.setting.values.get("post") == "consistent":
        total = "the people" if findings.experiment.public_total else "what the noisy ones do"
        said.append(f"Consistent counts: fitted to the noisy ones, none negative, adding up to {total}.")
    if findings.experiment.number_known and not tile.setting.fitted:
        said.append("Plain counts: none negative, as shares of the people, and so not fitted to add up to 100 %.")
    said.append(plain_counts_words(tile, findings, place))
    return " ".join(filter(None, said))


def scale_words(tile: Tile, findings: Findings, place: float) -> str:
    """The law of the grid's noise with its scale, where the question is of the usual ones; else ""."""
    experiment = findings.experiment
    statistic, rows = experiment.question.statistic, findings.rows_per_person
    if tile.setting is None or tile.setting.identifier != _GRID or experiment.axis is Axis.BINS:
        return ""
    epsilon = experiment.setting(tile.setting, place, findings.rows).epsilon
    if statistic.counts:
        scale, where = rows / epsilon, "every count gets"
        off = "A count with it is off by b on average, nearly."
    elif statistic is Statistic.MEAN and findings.width > 0:
        scale, where = rows * findings.width / epsilon, "the sums of the distances from either bound get"
        # E|(1 − m)·z − m·z′| = b·(1 − m(1 − m)) of two such noises.
        off = (
            "Where the mean lies at the share m of the range, it is off by b·(1 − m·(1 − m))/people on average; Query "
            "says that of the m with the widest margin."
        )
    else:
        return ""
    return f"Noise z has a probability in proportion to exp(−|z|/b); {where} it with b = {estimate(scale)}. {off}"


def plain_counts_words(tile: Tile, findings: Findings, place: float) -> str:
    """What plain noisy counts would err by as shares of a known number of people, which Collect compares with.

    "" where they err more than what answers here, as Collect then has that too, and where another error is meant.

    Notes
    -----
    Each of d counts of n people is off by E|Z| of its noise, whatever the shares are, so that d·E|Z| ÷ n is how much
    the shares differ by. Consistent ones are divided by a total that is noisy as well: where ε is so large that most
    noise is 0, what is in one count alone is then in all shares, and they differ by up to twice as much.
    """
    experiment = findings.experiment
    times = experiment.metric.shown_times
    asked = times != 1.0 and experiment.truth is Truth.USERS and experiment.axis is not Axis.BINS
    if tile.setting is None or tile.setting.identifier != _GRID or not asked:
        return ""
    at = experiment.setting(tile.setting, place, findings.rows)
    misplaced = 50.0 * findings.outputs * mean_absolute(at.epsilon / findings.rows_per_person) / at.users
    if not misplaced < times * tile.error:
        return ""
    return (
        f"Plain counts, as shares of a number of people that is known, misplace fewer: {margin_up(misplaced, 3)} %, by "
        "formula. Collect says that of a trusted curator."
    )
