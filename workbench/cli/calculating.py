"""`workbench guarantee`: the calculator."""

from __future__ import annotations

import argparse

from workbench.anonymise.dp_search import PrivateSearch
from workbench.anonymise.guarantee import Accounting, guarantee
from workbench.anonymise.promise import Promise
from workbench.cli.answers import Answer, privacy
from workbench.core.figures import rounded_up


def show_guarantee(options: argparse.Namespace) -> Answer:
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
    drawn = ""
    if options.search_epsilon is not None:
        whole = Promise(promised, PrivateSearch(options.search_epsilon))
        data |= {**privacy(whole), "release_epsilon": promised.epsilon, "search_epsilon": whole.search_epsilon}
        drawn = f"\n{whole.split}: together ({rounded_up(whole.epsilon)}, {rounded_up(whole.delta)})."
    if promised.rows_per_person != 1:
        data["rows_per_person"] = promised.rows_per_person
    text = (
        f"ε = {rounded_up(promised.epsilon)}, δ = {rounded_up(promised.delta)}: keep each row with "
        f"β = {promised.beta:.6g} and drop groups of fewer than k = {promised.k:,}.\n"
        f"A group needs about {promised.smallest_class:,.0f} rows in the table to survive "
        f"({promised.accounting.value} accounting).{drawn}"
    )
    return Answer(data, text)
