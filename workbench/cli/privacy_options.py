"""The options of `guarantee` and `anonymise` that say what is promised, and how numbers are read."""

from __future__ import annotations

import argparse

from workbench.core import flags
from workbench.core.amount_text import float_amount
from workbench.core.errors import WorkbenchError
from workbench.core.schema import PrivacyUnit


def add(parser: argparse.ArgumentParser) -> None:
    """ε, δ, β, the accounting and how many rows a person has."""
    parser.add_argument("--epsilon", type=amount, metavar="E", help="ε, above 0 and up to 10, such as 0.5, 1/3 or ln 3")
    parser.add_argument("--delta", type=amount, metavar="D", help="δ, between 0 and 1")
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


def amount(text: str) -> float:
    """The ε or δ a person typed, rounded up where no float is exactly that."""
    try:
        return float_amount(text)
    except WorkbenchError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _beta(text: str) -> float | str:
    return text if text in ("max", "best") else number(text)
