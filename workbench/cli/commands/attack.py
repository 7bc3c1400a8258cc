"""`workbench attack`: attacking the release of a project, as the Release room does. Analyst only."""

from __future__ import annotations

import argparse
from typing import Any

from workbench.anonymise.risk import AttackerRisk, Risk
from workbench.cli import looks
from workbench.cli.command_output import CommandOutput, progress
from workbench.core.number_text import estimate
from workbench.core.progress import Progress
from workbench.evaluate.linkage import LinkageAttack
from workbench.evaluate.membership import MembershipTest
from workbench.session import Session
from workbench.session.syntactic.results import Refusal

_SIMULATION = 1
_SIMULATED = (
    "A release is drawn anew for every run, so this one is a simulation (--seed {seed}), made as the one that left was."
)


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    looks.declare(parser)
    parser.add_argument(
        "--knows",
        action="append",
        default=[],
        metavar="COL",
        help="a column the attacker knows of everybody (default: the quasi-identifying ones)",
    )
    parser.add_argument(
        "--threshold",
        type=float,
        default=0.2,
        metavar="P",
        help="the chance above which a row counts as at risk (default: 0.2)",
    )
    parser.add_argument("--membership", action="store_true", help="also test who can tell whether somebody is in it")
    parser.add_argument("--runs", type=int, default=2000, metavar="N", help="of the test (default: 2000)")
    parser.add_argument(
        "--seed", type=int, default=_SIMULATION, metavar="N", help=f"of the simulation (default: {_SIMULATION})"
    )


def run(options: argparse.Namespace) -> CommandOutput:
    """Attack a simulated release of a project."""
    told = progress()
    session = looks.looked(options, "attacks", told.part(0.0, 0.3))
    note = _made(session, options.seed, told.part(0.3, 0.5))
    known = tuple(options.knows) or session.attacks.usual
    found = session.attacks.linker(known, threshold=options.threshold)(told.part(0.5, 0.8))
    data: dict[str, Any] = {"knows": list(known), "seed": options.seed, **_linked(found), "membership": None}
    lines = [f"The attacker knows {', '.join(known)} of everybody.", *_in_words(found)]
    if options.membership:
        test = session.attacks.membership_tester(runs=options.runs, seed=options.seed)(told.part(0.8, 1.0))
        data["membership"] = _told(test)
        lines.append(_test_in_words(test))
    return looks.answered(session, options, data, [*lines, *([note] if note else [])])


def _made(session: Session, seed: int, progress: Progress) -> str:
    """Make what is attacked; returns what is to be said of how it was made."""
    if session.syntactic.wanted:
        made = session.syntactic.recoder()(progress)
        if isinstance(made, Refusal):
            raise made.error
        session.syntactic.accept_recoded(made)
        return ""
    session.release.set_seed(seed)
    session.release.anonymise(progress)
    return _SIMULATED.format(seed=seed)


def _linked(found: LinkageAttack) -> dict[str, Any]:
    return {
        "before": _risk(found.before),
        "after": _risk(found.after),
        "absent": found.absent,
        "everybody": found.everybody,
        "exact": found.exact,
        "learned": [
            {"column": one.column, "blind": one.blind, "before": one.before, "after": one.after}
            for one in found.learned
        ],
    }


def _risk(risk: Risk) -> dict[str, Any]:
    def chances(one: AttackerRisk) -> dict[str, float]:
        return {"highest": one.highest, "average": one.average, "at_risk": one.at_risk}

    return {
        "rows": risk.rows,
        "classes": risk.classes,
        "smallest": risk.smallest,
        "largest": risk.largest,
        "uniques": risk.uniques,
        "marketer": risk.marketer,
        "prosecutor": chances(risk.prosecutor),
        "journalist": chances(risk.journalist),
    }


def _in_words(found: LinkageAttack) -> list[str]:
    before, after = found.before, found.after
    rows = [
        ("sure that the person is in it, at most", before.prosecutor.highest, after.prosecutor.highest),
        ("sure that the person is in it, on average", before.prosecutor.average, after.prosecutor.average),
        ("not sure, at most", before.journalist.highest, after.journalist.highest),
        ("looking for anybody, on average", before.prosecutor.average, found.everybody),
    ]
    width = max(len(text) for text, *_ in rows)
    lines = [f"Chance to point at the right row{'':{width - 30}}  in the table   in the release"]
    lines += [f"  {text:<{width}}  {estimate(table):>12}  {estimate(release):>14}" for text, table, release in rows]
    for one in found.learned:
        lines.append(
            f"About “{one.column}” he is right with chance {estimate(one.before)} in the table, "
            f"{estimate(one.after)} in the release, and {estimate(one.blind)} without either."
        )
    return lines


def _told(test: MembershipTest) -> dict[str, Any]:
    return {
        "group": test.group,
        "own": test.own,
        "right": test.right,
        "low": test.low,
        "high": test.high,
        "exact": test.exact,
        "bound": test.bound,
        "runs": test.runs,
        "seed": test.seed,
    }


def _test_in_words(test: MembershipTest) -> str:
    most = "" if test.bound is None else f"; the promise allows no attacker more than {estimate(test.bound)}"
    return (
        f"Whether somebody is in the table the best attacker told rightly with chance {estimate(test.exact)} (tried: "
        f"{estimate(test.right)} of {2 * test.runs:,} runs){most}. Guessing is right half of the time."
    )
