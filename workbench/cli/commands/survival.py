"""`workbench survival`: how much of the data would be released with other ε, or other β and k. Analyst only."""

from __future__ import annotations

import argparse
import math
from typing import Any

from workbench.anonymise.trim_survival import TrimSurvival
from workbench.cli import looks
from workbench.cli.command_output import CommandOutput, progress
from workbench.core.number_text import count, estimate
from workbench.session.release.survival import SEED

_SHOWN = 12
_QUANTILES = ("low", "median", "high")


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    looks.declare(parser)
    parser.add_argument("--seed", type=int, default=SEED, metavar="N", help=f"of the simulation (default: {SEED})")


def run(options: argparse.Namespace) -> CommandOutput:
    """Simulate what would survive with the settings of a project, and others."""
    told = progress()
    session = looks.looked(options, "survival", told.part(0.0, 0.4))
    explored = session.release.survival.simulator(options.seed)(told.part(0.4, 1.0))
    session.release.survival.accept(explored)
    found = explored.survival
    if isinstance(found, TrimSurvival):
        axis, places, rows, groups = "epsilon", found.epsilons, found.released, found.groups
        chosen: dict[str, Any] = {"epsilon": float(places[found.chosen])}
        points: list[dict[str, Any]] = [{"epsilon": float(place)} for place in places]
    else:
        curve = next(iter(found.curves.values()))
        axis, places, rows, groups = "beta", found.betas, curve.rows, curve.classes
        chosen = {"beta": found.chosen.beta, "k": found.chosen.k}
        points = [
            {"beta": float(place), "k": None if math.isnan(k) else int(k)}
            for place, k in zip(places, curve.ks, strict=True)
        ]
    for number, point in enumerate(points):
        point |= {"rows": _band(rows[:, number]), "groups": _band(groups[:, number])}
    data = {
        "rows_in": found.rows,
        "groups_in": found.classes,
        "axis": axis,
        "chosen": chosen,
        "points": points,
        "draws": found.draws,
        "seed": found.seed,
    }
    return looks.answered(session, options, data, _lines(data))


def _band(values: Any) -> dict[str, float] | None:
    """The 5, 50 and 95 % quantiles over the simulated draws; None where nothing can be released."""
    if any(math.isnan(value) for value in values):
        return None
    return dict(zip(_QUANTILES, map(float, values), strict=True))


def _lines(data: dict[str, Any]) -> list[str]:
    sign, points = {"epsilon": "ε", "beta": "β"}[data["axis"]], data["points"]
    step = max(1, math.ceil(len(points) / _SHOWN))
    lines = [
        f"Of {data['rows_in']:,} rows in {data['groups_in']:,} groups would be released (half of the draws lie below):"
    ]
    for point in points[::step]:
        rows, groups = point["rows"], point["groups"]
        said = "nothing, as groups would have to give up too many rows"
        if rows is not None and groups is not None:
            low, half, high = (count(rows[name]) for name in _QUANTILES)
            said = f"{half} rows ({low} to {high}) in {count(groups['median'])} groups"
        lines.append(f"  {sign} = {estimate(point[data['axis']]):<8} {said}")
    return lines
