"""Plug-ins of somebody else, good and bad, for the tests of how the program lives with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from workbench.anonymise.models.k_anonymity import PLUGIN as K_ANONYMITY
from workbench.anonymise.privacy import PrivacyModel
from workbench.core.builders.masking import PLUGIN as MASKING
from workbench.core.building import Builder, ProvenanceAssessment
from workbench.core.hierarchy import Provenance
from workbench.core.params import ParamSpec, ParamType
from workbench.ldp.estimator import LocalEstimator
from workbench.ldp.estimators.unbiased import PLUGIN as UNBIASED
from workbench.ldp.protocol import LocalProtocol, Randomiser
from workbench.ldp.protocols.grr import DirectEncoding
from workbench.query.answer import ReleasedAnswer
from workbench.query.catalogue import CheckedQuery, QueryKind
from workbench.query.counts import DisjointCounts
from workbench.query.draws import Draws
from workbench.query.mechanism import NoisyPart, QueryMechanism, StatisticValues


@dataclass(frozen=True)
class Point:
    """An entry point; what it loads is `made`, which is raised if it is an error."""

    name: str
    made: object
    distribution: str
    version: str
    value: str = "toyplug:PLUGIN"

    @property
    def dist(self) -> SimpleNamespace:
        return SimpleNamespace(name=self.distribution, version=self.version)

    def load(self) -> object:
        if isinstance(self.made, BaseException):
            raise self.made
        return self.made


class Sharp(DisjointCounts):
    """A count whose noise is made for an ε a million times as large."""

    def __init__(self, asked: CheckedQuery) -> None:
        super().__init__((), asked.budget, asked.rows_per_person)
        self._part = NoisyPart("count", asked.rows_per_person, asked.budget * 10**6)


class Sly(DisjointCounts):
    """A count that states the right noise and draws another."""

    def __init__(self, asked: CheckedQuery) -> None:
        super().__init__((), asked.budget, asked.rows_per_person)

    def release(self, statistic: StatisticValues, draws: Draws) -> ReleasedAnswer:
        return super().release(statistic, Louder(draws))


class Leaky(DisjointCounts):
    """A count that gives out the parity of the true one."""

    def __init__(self, asked: CheckedQuery) -> None:
        super().__init__((), asked.budget, asked.rows_per_person)

    def release(self, statistic: StatisticValues, draws: Draws) -> ReleasedAnswer:
        return replace(super().release(statistic, draws), notes=(f"{int(statistic['count'][0]) % 2}",))


class Private(DisjointCounts):
    """A count with noise of its own, which the program cannot see."""

    def __init__(self, asked: CheckedQuery) -> None:
        super().__init__((), asked.budget, asked.rows_per_person)
        self._drawn = 0

    def release(self, statistic: StatisticValues, draws: Draws) -> ReleasedAnswer:
        self._drawn += 1
        return self.published({"count": statistic["count"] + self._drawn})


class Forgetful(DisjointCounts):
    """A count that forgets that a person may have several rows."""

    def __init__(self, asked: CheckedQuery) -> None:
        super().__init__((), asked.budget, 1)


class Louder:
    """Draws with less noise than is asked for."""

    def __init__(self, draws: Draws) -> None:
        self._draws = draws

    def two_sided(self, rate: Fraction) -> int:
        return self._draws.two_sided(rate * 3)


def query(identifier: str, compile_: Any = None, *params: ParamSpec) -> QueryKind:
    """A count under another name."""

    def usual(asked: CheckedQuery) -> QueryMechanism:
        return DisjointCounts((), asked.budget, asked.rows_per_person)

    return QueryKind(identifier, "Toy", "Counts rows for somebody else", "", params, compile_ or usual)


def named(name: str, type_: ParamType = ParamType.INTEGER, default: Any = 3) -> ParamSpec:
    """A parameter."""
    return ParamSpec(name, "Toy parameter", type_, default, "A parameter of the toy.")


HALF = query("half-count", None, named("toughness"))
TWIN = query("twin-count", Sharp)


def protocol(factor: float = 1.0) -> LocalProtocol:
    """Randomised response at so many times the ε that was asked for, and is stated."""

    def construct(size: int, epsilon: float | None, values: Mapping[str, Any]) -> Randomiser:
        assert epsilon is not None
        if factor == 1:
            return DirectEncoding(size, epsilon)
        return Boastful(DirectEncoding(size, epsilon), DirectEncoding(size, epsilon * factor))

    return LocalProtocol("lazy-rr", "Lazy response", "Randomised response of somebody else.", "", (), construct)


class Boastful(DirectEncoding):
    """States one ε and sends with another."""

    def __init__(self, stated: DirectEncoding, sent: DirectEncoding) -> None:
        self.__dict__.update(stated.__dict__)
        self.perturb = sent.perturb


ESTIMATOR: LocalEstimator = replace(UNBIASED, identifier="toy-estimator", title="Toy estimator")
MODEL: PrivacyModel = replace(K_ANONYMITY, identifier="toy-anonymity", title="Toy anonymity")
BUILDER: Builder = replace(
    MASKING,
    identifier="toy-mask",
    title="Toy mask",
    assess=lambda settings, column: ProvenanceAssessment(Provenance.PUBLIC, "A rule of the toy."),
)


def distribution(folder: Path, name: str, version: str, points: Mapping[str, str], module: str) -> None:
    """A distribution as pip leaves it: a folder of metadata, and a module beside it."""
    stem = name.replace("-", "_").lower()
    metadata = folder / f"{stem}-{version}.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    lines = "\n".join(f"{key} = {value}" for key, value in points.items())
    (metadata / "entry_points.txt").write_text(f"[workbench.plugins]\n{lines}\n")
    (folder / f"{stem}.py").write_text(module)
