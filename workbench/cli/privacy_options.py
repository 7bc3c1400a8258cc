"""The options of `guarantee` and `anonymise` that say what is promised, and how numbers are read."""

from __future__ import annotations

import argparse

from workbench.core import flags
from workbench.core.amount_text import float_amount
from workbench.core.errors import WorkbenchError
from workbench.core.schema import PrivacyUnit
from workbench.project.guarantee_settings import GuaranteeSettings


def add(parser: argparse.ArgumentParser) -> None:
    """ε, δ, β, the accounting and how many rows a person has."""
    flags.declare(
        parser,
        GuaranteeSettings,
        ("epsilon", "delta", "beta", "accounting"),
        changes={"epsilon": {"type": amount}, "delta": {"type": amount}, "beta": {"type": _beta}},
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
