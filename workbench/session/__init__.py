"""The use cases, without a window: open, describe, generalise, guarantee, run, export, save.

A `Session` is made of desks over one `SessionState`: the project, the data it speaks of and the results. Anything slow
is split in two: a function without side effects that a window can run on another thread (`load`,
`Session.data.preparer`, `Session.release.anonymiser`), and a method that takes its result in (`adopt`,
`accept_prepared`, `accept`).

`Session.data.reading` is the data as it was read; `Session.data.table` is the working table, which the project's
preparation makes of it, and everything that is generalised, released or claimed is about the latter.
"""

from workbench.anonymise.privacy import in_words
from workbench.core.role_suggestions import Suggestions
from workbench.core.working_table import Preparation, PreparedTable
from workbench.project.loading import Differences, Loaded, differences, load, with_kinds, with_mended
from workbench.session.before_and_after import compared_recoded, compared_result
from workbench.session.queries import QueryDesk
from workbench.session.query_answers import PaidAnswer
from workbench.session.release.drawing import AnonymiseRun
from workbench.session.release.result import Explored, Result, nothing_released
from workbench.session.session import Session
from workbench.session.syntactic.neighbours import (
    AllowLevel,
    AllowSuppression,
    Change,
    Node,
    NodeNeighbours,
    RaiseLevel,
    WeakenModel,
)
from workbench.session.syntactic.question import SyntacticQuestion
from workbench.session.syntactic.results import Recoded, RecodingResult, Refusal
from workbench.session.syntactic.why_best import Finer, NodeCost, WhyBest, costs_of, why
from workbench.session.working_table import WorkingTableMade

__all__ = [
    "AllowLevel",
    "AllowSuppression",
    "AnonymiseRun",
    "Change",
    "Differences",
    "Explored",
    "Finer",
    "Loaded",
    "Node",
    "NodeCost",
    "NodeNeighbours",
    "PaidAnswer",
    "Preparation",
    "PreparedTable",
    "QueryDesk",
    "RaiseLevel",
    "Recoded",
    "RecodingResult",
    "Refusal",
    "Result",
    "Session",
    "Suggestions",
    "SyntacticQuestion",
    "WeakenModel",
    "WhyBest",
    "WorkingTableMade",
    "compared_recoded",
    "compared_result",
    "costs_of",
    "differences",
    "in_words",
    "load",
    "nothing_released",
    "why",
    "with_kinds",
    "with_mended",
]
