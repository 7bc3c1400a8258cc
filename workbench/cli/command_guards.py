"""Surroundings of a command that touches files: protected files, trusted plug-ins, and costs."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from workbench.cli import files
from workbench.cli.printing import Aside, complain
from workbench.core.number_text import rounded_up
from workbench.core.plugins import PluginProblem
from workbench.core.trust import TRUST
from workbench.io.password_prompt import ask_at_terminal
from workbench.io.protected_files import protecting
from workbench.io.trusted_plugins import kept_trust
from workbench.query.spent import Spent
from workbench.session import plugin_trust


@contextmanager
def at_work(options: argparse.Namespace) -> Iterator[None]:
    """While a command runs: nothing it reads is written over, and plug-ins are trusted as was said.

    Raises
    ------
    WorkbenchError
        If two options name one file that would be written, before anything is looked at, drawn or charged.
    """
    named = files.named_files(options)
    files.refuse_overlaps(named)
    ask_at_terminal()
    with _plugins_at_work(options), protecting(files.protected(named)):
        yield


@contextmanager
def _plugins_at_work(options: argparse.Namespace) -> Iterator[None]:
    """While a command runs: what is trusted, and on standard error, once, which plugins are left out."""
    told: set[PluginProblem] = set()

    def tell() -> None:
        if not hasattr(options, "trust_plugin") or not plugin_trust.origins():
            return
        from workbench.session.plugins import left_out

        for problem in left_out(only_read=True):
            if problem not in told:
                told.add(problem)
                complain(problem.sentence)

    tell()
    with TRUST.within((*kept_trust(), *plugin_trust.named(getattr(options, "trust_plugin", ())))):
        try:
            yield
        finally:
            tell()


def complain_of_spending(spent: Spent, aside: Aside) -> None:
    """Say what was charged by a command that failed after it had paid."""
    for entry in spent.entries:
        charge, kept = entry.charge, entry.id in spent.answered or bool(spent.written)
        epsilon, delta = rounded_up(charge.epsilon), rounded_up(charge.delta)
        amount = f"ε = {epsilon}" + (f", δ = {delta}" if charge.delta else "")
        complain(
            f"all the same, {amount} was charged for “{charge.what}”.",
            _again(entry.id in spent.answered, spent.written),
        )
        aside.charged.append({"what": charge.what, "epsilon": epsilon, "delta": delta, "answer_kept": kept})


def _again(answered: bool, written: Sequence[str]) -> str:
    if written:
        return f"What it paid for was written whole before that: {', '.join(written)}."
    if answered:
        return "Asking the same again shows the stored answer for nothing."
    return "What it paid for is not kept: asking again costs again."
