"""Questions to begin with in the laboratory, each as a person would ask it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType

from workbench.project.laboratory import LaboratorySettings


@dataclass(frozen=True)
class AuditExample:
    """One of them: what it asks in a line, and the mechanism with the claim that answer it."""

    question: str
    mechanism: str
    claim: str = ""

    def asked_in(self, settings: LaboratorySettings) -> LaboratorySettings:
        """The settings that ask it; what was typed for other mechanisms is not forgotten."""
        kept = {name: typed for name, typed in settings.parameters.items() if name != self.mechanism}
        return replace(
            LaboratorySettings(), mechanism=self.mechanism, parameters=MappingProxyType(kept), claim=self.claim
        )


EXAMPLES = (
    AuditExample("How private is a survey by two coins?", "survey"),
    AuditExample("Does a noisy count keep ε = ln 2?", "truncated-geometric", "ln 2"),
    AuditExample("A claim that fails: ε = 1 for above-threshold", "above-threshold", "1"),
    AuditExample("How private is my own channel, a table of probabilities?", "typed"),
)
