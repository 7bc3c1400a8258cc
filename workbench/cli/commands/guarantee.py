"""`workbench guarantee`: the calculator."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from workbench.anonymise.sample_guarantee import MAX_K, Accounting, Guarantee, beta_max, delta, guarantee
from workbench.cli import privacy_options
from workbench.cli.command_output import CommandOutput, privacy
from workbench.cli.privacy_options import amount, number
from workbench.core import flags
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import count, estimate, parts_up, rounded_up
from workbench.project.guarantee_settings import GuaranteeSettings

_MUCH = 10
"""So many times the rows a group needs with the best β are worth a word."""
_TRIM, _SAMPLE = "trim", "sample"
_LARGEST_GROUP = 10**12


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    privacy_options.add(parser)
    flags.declare(parser, GuaranteeSettings, ("k",))
    parser.add_argument(
        "--search-epsilon", type=amount, metavar="E", help="also count what drawing the levels privately costs"
    )
    parser.add_argument(
        "--mechanism",
        choices=(_TRIM, _SAMPLE),
        help="trim: every group gives up a random number of its rows; sample: rows are drawn, and groups of fewer than "
        "k dropped (without this: sample, and the answer has no keys of its own for it)",
    )
    survives = parser.add_mutually_exclusive_group()
    survives.add_argument(
        "--half",
        type=int,
        metavar="N",
        help="trim: groups of N rows are to survive half of the time, if ε or δ is open",
    )
    survives.add_argument("--always", type=int, metavar="N", help="trim: groups of N rows are to survive always")
    parser.add_argument("--floor", type=int, metavar="K", help="trim: drop groups of fewer released rows (default: 1)")
    parser.add_argument(
        "--shares",
        type=_shares,
        metavar="S,S,…",
        help="trim: shares of ε and δ that the steps have, such as 5,3,2 (default: one step)",
    )
    parser.add_argument(
        "--group-size",
        type=int,
        action="append",
        default=[],
        metavar="N",
        help="also say how often a group of N rows is released; may be given several times",
    )


def run(options: argparse.Namespace) -> CommandOutput:
    """Solve for whichever number was not given."""
    wrong = [size for size in options.group_size if not 0 <= size <= _LARGEST_GROUP]
    if wrong:
        raise WorkbenchError(f"A group cannot have {wrong[0]} rows.", hint="Write --group-size 12.", field="group-size")
    if options.mechanism == _TRIM:
        return _trimming(options)
    _refuse(options, ("half", "always", "floor", "shares"), "sampling", "--mechanism trim")
    return _sampling(options)


def _sampling(options: argparse.Namespace) -> CommandOutput:
    promised = guarantee(
        epsilon=options.epsilon,
        delta=options.delta,
        beta=options.beta,
        k=options.k,
        accounting=Accounting(options.accounting),
        rows_per_person=options.rows_per_person,
    )
    data = {**privacy(promised), "smallest_class": promised.smallest_class}
    drawn: list[str] = []
    if options.search_epsilon is not None:
        # Only now: drawing levels takes as long to import as all the rest.
        from workbench.anonymise.dp_search import PrivateSearch
        from workbench.anonymise.promise import Promise

        whole = Promise(promised, PrivateSearch(options.search_epsilon))
        data |= {**privacy(whole), "release_epsilon": promised.epsilon, "search_epsilon": whole.search_epsilon}
        drawn = [f"{whole.split}: together ({rounded_up(whole.epsilon)}, {rounded_up(whole.delta)})."]
    if promised.rows_per_person != 1:
        data["rows_per_person"] = promised.rows_per_person
    lines = [
        f"ε = {rounded_up(promised.epsilon)}, δ = {rounded_up(promised.delta)}: keep each row with "
        f"β = {estimate(promised.beta, 6)} and drop groups of fewer than k = {promised.k:,}.",
        f"A group needs about {count(promised.smallest_class)} rows in the table to survive "
        f"({promised.accounting.value} accounting).",
    ]
    answer = CommandOutput(data, (*lines, *drawn, *_remark(promised, options)))
    if options.mechanism is not None:
        from workbench.anonymise.group_survival import half_survive_sampling

        rows = promised.rows_per_person
        answer = answer.also(
            mechanism=_SAMPLE,
            mean_lost=None,
            sd=None,
            half_survive=half_survive_sampling(promised),
            always_survive=None,
            # The promise holds, so what rounding up adds to it does not.
            delta_exact=min(promised.delta, delta(promised.epsilon, promised.beta, promised.k, rows_per_person=rows)),
        )
    if options.group_size:
        from workbench.anonymise.group_survival import kept_by_sampling

        answer = _with_groups(answer, options.group_size, kept_by_sampling(promised, np.array(options.group_size)))
    return answer


def _trimming(options: argparse.Namespace) -> CommandOutput:
    # Only now: sampling needs none of it.
    from workbench.anonymise.trim_guarantee import ONE_STEP, normal_shares, solve_trim

    _refuse(options, ("beta", "k"), "trimming", "--mechanism sample")
    if options.accounting != Accounting.EXACT:
        raise WorkbenchError(
            "The classical theorem is about sampling; the law of trimming is exact.",
            hint="Leave --accounting out, or write --mechanism sample.",
            field="accounting",
        )
    promised = solve_trim(
        epsilon=options.epsilon,
        delta=options.delta,
        half_survive=options.half,
        always_survive=options.always,
        rows_per_person=options.rows_per_person,
        floor=1 if options.floor is None else options.floor,
        shares=ONE_STEP if options.shares is None else normal_shares(options.shares),
    )
    law = promised.laws[0]
    data: dict[str, Any] = {
        "epsilon": promised.epsilon,
        "delta": promised.delta,
        "mechanism": _TRIM,
        "mean_lost": promised.mean_lost,
        "sd": promised.sd,
        "half_survive": promised.half_survive,
        "always_survive": promised.always_survive,
        "delta_exact": law.delta_exact,
        "smallest_class": promised.smallest_class,
    }
    lines = [
        f"ε = {rounded_up(promised.epsilon)}, δ = {rounded_up(promised.delta)}: each group gives up "
        f"{estimate(promised.mean_lost)} of its rows on average, give or take {estimate(promised.sd, 2)}.",
        f"Groups of {promised.half_survive:,} rows in the table survive at least half of the time, and those of "
        f"{promised.always_survive:,} always.",
    ]
    if promised.floor != 1:
        data["floor"] = promised.floor
        lines.append(f"Groups of which fewer than {promised.floor:,} rows would be released are dropped.")
    if promised.rows_per_person != 1:
        data["rows_per_person"] = promised.rows_per_person
    if len(promised.steps) > 1:
        data["steps"] = [
            {
                "epsilon": float(step.epsilon),
                "delta": float(step.delta),
                "mean_lost": one.mean_lost,
                "sd": one.sd,
                "half_survive": one.half_survive + promised.floor - 1,
                "always_survive": one.always_survive + promised.floor - 1,
                "delta_exact": one.delta_exact,
            }
            for step, one in zip(promised.steps, promised.laws, strict=True)
        ]
        lines[1] = f"At the first step, {lines[1][0].lower()}{lines[1][1:]}"
        epsilons = parts_up([step.epsilon for step in promised.steps], promised.epsilon)
        deltas = parts_up([step.delta for step in promised.steps], promised.delta)
        for place, (epsilon, delta, one) in enumerate(zip(epsilons, deltas, promised.laws, strict=True), 1):
            lines.append(
                f"Step {place}: ε = {epsilon}, δ = {delta}; groups give up {estimate(one.mean_lost)} rows on average."
            )
    answer = CommandOutput(data, tuple(lines))
    if options.search_epsilon is not None:
        answer = _with_search(answer, promised.epsilon, promised.delta, options.search_epsilon)
    if options.group_size:
        from workbench.anonymise.group_survival import kept_by_trimming

        answer = _with_groups(answer, options.group_size, kept_by_trimming(promised, np.array(options.group_size)))
    return answer


def _with_search(answer: CommandOutput, epsilon: float, delta: float, search_epsilon: float) -> CommandOutput:
    """The answer for levels that are drawn privately first."""
    from workbench.anonymise.dp_search import PrivateSearch
    from workbench.anonymise.promise import split_in_words
    from workbench.core.rationals import float_above, rational

    search = PrivateSearch(search_epsilon)
    whole = float_above(rational(search.epsilon) + rational(epsilon))
    return answer.also(
        f"{split_in_words(whole, search.epsilon, epsilon)}: together ({rounded_up(whole)}, {rounded_up(delta)}).",
        epsilon=whole,
        release_epsilon=epsilon,
        search_epsilon=search.epsilon,
    )


def _with_groups(answer: CommandOutput, sizes: list[int], kept: np.ndarray[Any, np.dtype[np.float64]]) -> CommandOutput:
    """The answer with how often groups of these sizes are released."""
    pairs = list(zip(sizes, kept.tolist(), strict=True))
    return answer.also(
        *(f"A group of {rows:,} rows is released with probability {estimate(chance)}." for rows, chance in pairs),
        groups=[{"rows": rows, "released": chance} for rows, chance in pairs],
    )


def _refuse(options: argparse.Namespace, names: tuple[str, ...], mechanism: str, other: str) -> None:
    """Refuse what means nothing to a mechanism."""
    typed = [name for name in names if getattr(options, name) is not None]
    if typed:
        raise WorkbenchError(
            f"--{typed[0]} has no meaning for {mechanism}.", hint=f"Leave it out, or write {other}.", field=typed[0]
        )


def _shares(text: str) -> list[float]:
    return [number(part) for part in text.split(",")]


def _remark(promised: Guarantee, options: argparse.Namespace) -> list[str]:
    """The remark on a usual β that keeps so many rows that only huge groups survive."""
    if options.beta not in (None, "max") or options.epsilon is None or options.delta is None or options.k is not None:
        return []
    best = guarantee(
        epsilon=promised.epsilon,
        delta=promised.delta,
        beta="best",
        accounting=promised.accounting,
        rows_per_person=promised.rows_per_person,
    )
    if promised.smallest_class < _MUCH * best.smallest_class:
        return []
    usual = beta_max(promised.epsilon / promised.rows_per_person)
    lowered = [f"β is not 1 − e^−ε = {estimate(usual, 6)}, because no k up to {MAX_K:,} goes with that one."]
    return [
        *(lowered if promised.beta < usual * (1 - 1e-9) else ()),
        f"With --beta best, β = {estimate(best.beta, 6)} and k = {best.k:,}, "
        f"groups of about {count(best.smallest_class)} rows survive.",
    ]
