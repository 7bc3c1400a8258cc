"""The settings of the guarantee: ε, δ, β and k, of which one is computed from the others.

They stand by themselves since the calculator of the command line reads them and waits for nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from workbench.anonymise.sample_guarantee import Accounting
from workbench.core.settings import Flag, Stored, setting
from workbench.core.typed_fields import typed_fields

Unknown = Literal["k", "delta", "epsilon", "beta"]
BetaRule = Literal["max", "best"]

_ALWAYS = Stored(always=True)
"""The form of settings that files of every version have: a project without one of them is damaged."""


@dataclass(frozen=True)
@typed_fields
class GuaranteeSettings:
    """The numbers that a person typed into the calculator. `solve_for` is the field that is computed.

    Numbers that no guarantee has are kept as they were typed: the calculator says beside them what is wrong.
    """

    solve_for: Unknown = setting("k", title="Solve for", about="Which of the numbers is computed.", stored=_ALWAYS)
    epsilon: float = setting(
        1.0,
        title="ε",
        about="How much one person's rows may change.",
        stored=_ALWAYS,
        flag=Flag("E", help="ε, above 0 and up to 10, such as 0.5, 1/3 or ln 3", default=None, write=repr),
    )
    delta: float = setting(
        1e-5,
        title="δ",
        about="The chance that this does not hold.",
        stored=_ALWAYS,
        flag=Flag("D", help="δ, between 0 and 1", default=None, write=repr),
    )
    beta: float | BetaRule = setting(
        "max",
        title="β",
        about="Share of the rows that is drawn: a number, “max” (1 − e^−ε, or less where no k goes with it) or “best” "
        "(smallest k/β); the rules apply when solving for k.",
        stored=_ALWAYS,
        flag=Flag(
            "B",
            help="sampling probability; max: 1 − e^−ε, or less if no k goes with it; best: the one with the smallest "
            "k/β (default: max)",
            default=None,
        ),
    )
    k: int = setting(
        50,
        title="k",
        about="The smallest class that is released.",
        stored=_ALWAYS,
        flag=Flag("K", help="smallest class that is released", default=None),
    )
    accounting: Accounting = setting(
        Accounting.EXACT,
        title="Accounting",
        about="How δ is computed.",
        stored=_ALWAYS,
        flag=Flag(help="how δ is computed (default: exact)"),
    )
