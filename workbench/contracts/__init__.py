"""Contracts that plug-ins must keep, by kind, and checks that try to catch them breaking one.

The program's own tests run the same checks on its own plugins. They try small cases: what they break is wrong, what
they do not break is not proven.
"""

from __future__ import annotations

from typing import Any

from workbench.contracts import builders, estimators, mechanisms, protocols, queries
from workbench.contracts.contract import Broken, Contract, ContractReport, Untried, check_all
from workbench.contracts.syntactic import METRIC_CONTRACTS, MODEL_CONTRACTS, parameters_work
from workbench.core.plugins import registries
from workbench.core.progress import SILENT, Progress

PARAMETERS: Contract[Any] = Contract("parameters", parameters_work)

CONTRACTS: dict[str, tuple[Contract[Any], ...]] = {
    "query": (PARAMETERS, *queries.CONTRACTS),
    "local protocol": (PARAMETERS, *protocols.CONTRACTS),
    "local estimator": (PARAMETERS, *estimators.CONTRACTS),
    "mechanism": (PARAMETERS, *mechanisms.CONTRACTS),
    "privacy model": MODEL_CONTRACTS,
    "loss metric": METRIC_CONTRACTS,
    "hierarchy builder": (PARAMETERS, *builders.CONTRACTS),
    "method": (PARAMETERS,),
    "preset": (PARAMETERS,),
}
"""The contracts of every kind of plugin; methods and presets answer the analyst alone, and promise nothing."""


def check_installed(kind: str, identifier: str, progress: Progress = SILENT) -> ContractReport:
    """Try every contract of its kind on a plugin that is registered.

    Raises
    ------
    WorkbenchError
        If there is no such plugin.
    """
    registry = next(one for one in registries() if one.kind == kind)
    return check_all(registry[identifier], CONTRACTS[kind], progress)


__all__ = ["CONTRACTS", "Broken", "Contract", "ContractReport", "Untried", "check_all", "check_installed"]
