"""A contract: something every plugin of a kind must keep, and a check that tries to catch it breaking that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from workbench.core.plugins import in_a_line
from workbench.core.progress import SILENT, Progress

T = TypeVar("T")

KEPT, BROKEN, UNTRIED = "kept", "broken", "not tried"


class Broken(Exception):
    """A contract is not kept; the message shows where."""


class Untried(Exception):
    """A contract could not be tried here; the message says why."""


@dataclass(frozen=True)
class Contract(Generic[T]):
    """One contract of a kind of plugins.

    Parameters
    ----------
    name
        In a word or two.
    check
        Tries it on a plugin and says in a sentence what was tried. Raises `Broken`, or `Untried`; whatever else is
        raised is a break too.
    """

    name: str
    check: Callable[[T], str]


@dataclass(frozen=True)
class ContractResult:
    """The result of one contract: its name, `KEPT`, `BROKEN` or `UNTRIED`, and in a sentence why."""

    contract: str
    verdict: str
    detail: str


@dataclass(frozen=True)
class ContractReport:
    """The results of all contracts of a plugin."""

    results: tuple[ContractResult, ...]

    @property
    def holds(self) -> bool:
        """Whether none was seen broken."""
        return all(result.verdict != BROKEN for result in self.results)

    def to_json(self) -> dict[str, Any]:
        return {"holds": self.holds, "contracts": [dict(vars(result)) for result in self.results]}


def check_all(plugin: T, contracts: Sequence[Contract[T]], progress: Progress = SILENT) -> ContractReport:
    """Try every contract on a plugin; one that breaks does not keep the others from being tried."""
    results = []
    for number, contract in enumerate(contracts):
        progress(number / len(contracts), contract.name)
        try:
            results.append(ContractResult(contract.name, KEPT, contract.check(plugin)))
        except Untried as error:
            results.append(ContractResult(contract.name, UNTRIED, str(error)))
        except Broken as error:
            results.append(ContractResult(contract.name, BROKEN, str(error)))
        except Exception as error:  # the code of a stranger, at whose hands anything can happen
            results.append(ContractResult(contract.name, BROKEN, in_a_line(error)))
    progress(1.0)
    return ContractReport(tuple(results))


def demand(holds: bool, message: str) -> None:
    """Raise `Broken` unless something holds."""
    if not holds:
        raise Broken(message)
