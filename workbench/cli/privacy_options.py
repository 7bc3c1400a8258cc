"""The options of `guarantee` and `anonymise` that say what is promised, and how numbers are read."""

from __future__ import annotations

import argparse

from workbench.core import flags
from workbench.core.schema import PrivacyUnit


def add(parser: argparse.ArgumentParser) -> None:
    """ε, δ, β, the accounting and how many rows a person has."""
    parser.add_argument("--epsilon", type=number, metavar="E", help="ε, above 0 and up to 10")
    parser.add_argument("--delta", type=number, metavar="D", help="δ, between 0 and 1")
    parser.add_argument(
        "--beta",
        type=_beta,
        metavar="B",
        help="sampling probability; max: 1 − e^−ε, or less if no k goes with it; best: the one with the smallest k/β "
        "(default: max)",
    )
    parser.add_argument(
        "--accounting", choices=("exact", "classical"), default="exact", help="how δ is computed (default: exact)"
    )
    flags.declare(parser, PrivacyUnit, ("rows_per_person",))


def number(text: str) -> float:
    """The number a person typed."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"“{text}” is not a number") from None


def _beta(text: str) -> float | str:
    return text if text in ("max", "best") else number(text)
