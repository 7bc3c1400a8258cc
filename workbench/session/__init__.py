"""The use cases, without a window: open, describe, generalise, guarantee, run, export, save.

A `Session` holds one project, the data it speaks of and the last result. Anything slow is split in two: a
function without side effects that a window can run on another thread (`load`, `Session.preparer`,
`Session.anonymiser`), and a method that takes its result in (`adopt`, `accept_prepared`, `accept`).

`Session.reading` is the data as it was read; `Session.table` is the working table, which the project's
preparation makes of it, and everything that is generalised, released or claimed is about the latter.
"""

from workbench.anonymise.privacy import in_words
from workbench.core.preparing import Preparation, Prepared
from workbench.core.suggesting import Suggestions
from workbench.project.loading import Differences, Loaded, differences, load
from workbench.session.answers import Answered
from workbench.session.costs import Explored, compared_recoded, compared_result
from workbench.session.data import WorkingTableMade
from workbench.session.exploring import (
    AllowLevel,
    AllowSuppression,
    Change,
    Node,
    RaiseLevel,
    Surroundings,
    WeakenModel,
)
from workbench.session.querying import QueryDesk
from workbench.session.recoding import Found, Recoded, Refusal
from workbench.session.result import Result
from workbench.session.running import Produced, nothing_survived
from workbench.session.searching import Question
from workbench.session.session import Session
from workbench.session.winning import Finer, NodeCost, Why, costs_of, why

__all__ = [
    "AllowLevel",
    "AllowSuppression",
    "Answered",
    "Change",
    "Differences",
    "Explored",
    "Finer",
    "Found",
    "Loaded",
    "Node",
    "NodeCost",
    "Preparation",
    "Prepared",
    "Produced",
    "QueryDesk",
    "Question",
    "RaiseLevel",
    "Recoded",
    "Refusal",
    "Result",
    "Session",
    "Suggestions",
    "Surroundings",
    "WeakenModel",
    "Why",
    "WorkingTableMade",
    "compared_recoded",
    "compared_result",
    "costs_of",
    "differences",
    "in_words",
    "load",
    "nothing_survived",
    "why",
]
