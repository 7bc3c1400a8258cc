"""`workbench guarantee`: the calculator."""

from __future__ import annotations

import argparse

from workbench.anonymise.guarantee import MAX_K, Accounting, Guarantee, beta_max, guarantee
from workbench.cli import privacy_options
from workbench.cli.command_output import CommandOutput, privacy
from workbench.cli.privacy_options import number
from workbench.core.number_text import count, estimate, rounded_up

_MUCH = 10
"""So many times the rows a group needs with the best β are worth a word."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    privacy_options.add(parser)
    parser.add_argument("--k", type=int, metavar="K", help="smallest class that is released")
    parser.add_argument(
        "--search-epsilon", type=number, metavar="E", help="also count what drawing the levels privately costs"
    )


def run(options: argparse.Namespace) -> CommandOutput:
    """Solve for whichever of ε, δ, β, k was not given."""
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
    return CommandOutput(data, (*lines, *drawn, *_remark(promised, options)))


def _remark(promised: Guarantee, options: argparse.Namespace) -> list[str]:
    """What to know where the usual β keeps so many rows that only huge groups survive."""
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
