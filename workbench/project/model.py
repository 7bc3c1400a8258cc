"""The project as a tree of frozen dataclasses. It never holds rows of the data."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any
from weakref import WeakKeyDictionary

from workbench.anonymise.recipe import ReleaseMechanism
from workbench.core.charged_mechanism import LossKind, MechanismPart
from workbench.core.discreet import discreet
from workbench.core.errors import WorkbenchError
from workbench.core.filtering import parse
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.rationals import float_above, rational
from workbench.core.schema import ColumnSpec, Misfits, Schema
from workbench.core.typed_fields import typed_fields
from workbench.core.working_table import Preparation as Preparation  # part of the project, made in the core
from workbench.core.working_table import canonical_filter as canonical_filter
from workbench.engines.choice import MEMORY, EngineChoice
from workbench.io.dialect import Dialect
from workbench.project.anonymise_settings import AnonymiseSettings as AnonymiseSettings
from workbench.project.anonymise_settings import LevelChoice as LevelChoice
from workbench.project.anonymise_settings import LevelsBy as LevelsBy
from workbench.project.anonymise_settings import QuestionSettings as QuestionSettings
from workbench.project.collect_settings import CollectSettings
from workbench.project.experiments import CompareSettings
from workbench.project.guarantee_settings import BetaRule as BetaRule
from workbench.project.guarantee_settings import GuaranteeSettings as GuaranteeSettings
from workbench.project.guarantee_settings import Unknown as Unknown
from workbench.project.laboratory import LaboratorySettings
from workbench.project.query_settings import QuerySettings
from workbench.project.trim_settings import StepsBy, TrimSettings
from workbench.query.ledger_entries import Charge, LedgerEntry, LedgerHistory
from workbench.query.recorded_look import RecordedLook

ENGINE = "anonymise"
"""How a ledger calls what makes an anonymised file."""


@discreet
@dataclass(frozen=True)
@typed_fields
class DataSource:
    """The source of the data, and how it was read.

    `fingerprint` is the SHA-256 of the file's bytes, `content` that of its rows, under which its ledger is kept; "" in
    projects of earlier programs. `engine` names where the rows are worked on, as `workbench.engines.choice` does: ""
    is memory, and no name holds credentials.
    """

    path: str
    fingerprint: str
    rows: int
    dialect: Dialect
    content: str = ""
    engine: str = ""

    def __post_init__(self) -> None:
        EngineChoice(self.engine or MEMORY)  # refuses credentials, and engines nobody knows


@dataclass(frozen=True)
@typed_fields
class ReleaseRecord:
    """A file that left the house. Records are only ever appended.

    `epsilon` is that of the file at its levels; `levels_epsilon` that of the private draw of these, which was charged
    before. A file of a syntactic release names its `models`; it has no claim, and its ε, δ, β and k are 0. `mechanism`
    is "" of a sampled file; of a trimmed one it is "trim", and β and k are 0.
    """

    when: str
    fingerprint: str
    file: str
    epsilon: float
    delta: float
    beta: float
    k: int
    claim: bool
    rows_per_person: int = 1
    models: str = ""
    levels_epsilon: float = 0.0
    mechanism: str = ""

    def __post_init__(self) -> None:
        # A project edited by hand must not make a total smaller than it is.
        if self.models:
            if self.claim:
                raise ValueError("a claim for a release that has none")
        elif not (self.epsilon > 0 and 0 <= self.delta < 1 and self._possible):
            raise ValueError("a release with impossible parameters")
        if self.rows_per_person < 1:
            raise ValueError("a release for less than one row per person")
        if not self.levels_epsilon >= 0:
            raise ValueError("a choice of levels for less than nothing")

    @property
    def _possible(self) -> bool:
        """Whether there is such a mechanism with this β and k."""
        if self.mechanism == ReleaseMechanism.TRIM:
            return self.beta == self.k == 0
        return not self.mechanism and 0 < self.beta <= 1 and self.k >= 1

    @classmethod
    def of(cls, fingerprint: str, entry: LedgerEntry) -> ReleaseRecord:
        """The record of an entry in the ledger of the data with this fingerprint.

        Raises
        ------
        TypeError, ValueError
            If the entry is not of an anonymised file.
        """
        charge = entry.charge
        known = {one.name for one in fields(cls)} - _CHARGED
        file = {"file": entry.files[0].name} if entry.files and not charge.parameters.get("file") else {}
        return cls(
            when=entry.when,
            fingerprint=fingerprint,
            epsilon=float_above(charge.epsilon),
            delta=float_above(charge.delta),
            claim=charge.claimed,
            rows_per_person=charge.rows_per_person,
            **{name: value for name, value in charge.parameters.items() if name in known} | file,
        )

    def charge(self, key: str = "") -> Charge:
        """The charge for the release. The same `key` is charged once."""
        return Charge(
            kind="release",
            what=f"Release {self.file}",
            epsilon=rational(self.epsilon),
            delta=rational(self.delta),
            rows_per_person=self.rows_per_person,
            made_by=ENGINE,
            parameters=MappingProxyType(
                {
                    name: value
                    for name, value in vars(self).items()
                    if name not in _CHARGED and (name, value) != _SAMPLED
                }
            ),
            claimed=self.claim,
            key=key,
            mechanism=self._drawn,
        )

    @property
    def _drawn(self) -> tuple[MechanismPart, ...]:
        epsilon, delta = rational(self.epsilon), rational(self.delta)
        if self.mechanism == ReleaseMechanism.TRIM:
            return (MechanismPart(LossKind.TRIM, epsilon, delta),)
        if self.models or self.beta >= 1:
            return ()
        return (MechanismPart(LossKind.SAMPLE, epsilon, delta, self.beta, self.k),)


@dataclass(frozen=True)
@typed_fields
class Rule:
    """The rule that a hierarchy is built from, without the values of the data it is built over.

    Parameters
    ----------
    specification
        As `core.building` defines it.
    provenance, origin, covers_all
        Those of the hierarchy; it is never more public than its specification.
    """

    specification: Mapping[str, Any]
    provenance: Provenance
    origin: str
    covers_all: bool = False


@dataclass(frozen=True)
@typed_fields
class Project:
    """Everything that is saved. `histories` are history: undo never takes them back.

    `rules` are of hierarchies that are built once there is data with their column. `histories` are copies of the
    ledgers of the data, by its fingerprint.
    """

    data: DataSource | None = None
    schema: Schema = field(default_factory=Schema)
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=lambda: MappingProxyType({}))
    rules: Mapping[str, Rule] = field(default_factory=lambda: MappingProxyType({}))
    anonymise: AnonymiseSettings = field(default_factory=AnonymiseSettings)
    preparation: Preparation = field(default_factory=Preparation)
    laboratory: LaboratorySettings = field(default_factory=LaboratorySettings)
    collect: CollectSettings = field(default_factory=CollectSettings)
    queries: QuerySettings = field(default_factory=QuerySettings)
    comparing: CompareSettings = field(default_factory=CompareSettings)
    histories: Mapping[str, LedgerHistory] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def releases(self) -> tuple[ReleaseRecord, ...]:
        """The anonymised files that left the house, as the copies of the ledgers tell."""
        return tuple(
            ReleaseRecord.of(fingerprint, entry)
            for fingerprint, history in self.histories.items()
            for entry in history.entries
            if entry.charge.made_by == ENGINE and entry.left
        )

    @property
    def looks(self) -> tuple[RecordedLook, ...]:
        """The looks at the data, as the copies of the ledgers tell."""
        return tuple(look for history in self.histories.values() for look in history.looks)

    def history(self, fingerprint: str) -> LedgerHistory:
        """The history in the ledger of the data with this fingerprint, as far as the project knows it."""
        return self.histories.get(fingerprint, LedgerHistory())

    def with_history(self, fingerprint: str, history: LedgerHistory) -> Project:
        """The project that also knows this."""
        known = self.history(fingerprint)
        together = known.with_history(history)
        if together == known:
            return self
        return replace(self, histories=MappingProxyType({**self.histories, fingerprint: together}))

    def recognised(self, other: str, content: str) -> Project:
        """The project in which everything known of the data `other` is known of the data `content`.

        Both are the same data: the fingerprint of the file's bytes, as earlier programs used, or of the same file
        read in another way.
        """
        if other == content or other not in self.histories:
            return self
        histories = {name: history for name, history in self.histories.items() if name != other}
        return replace(self, histories=MappingProxyType(histories)).with_history(content, self.history(other))


def new_project() -> Project:
    """A project for data that none was made for yet: groups are trimmed, unless a column is kept, in balanced steps."""
    return Project(anonymise=AnonymiseSettings(mechanism=None, trim=TrimSettings(steps=StepsBy.BALANCED)))


_CHARGED = {"when", "fingerprint", "epsilon", "delta", "claim", "rows_per_person"}
"""Fields of a release that the entry itself says; the others are its parameters."""


_SAMPLED = ("mechanism", "")
"""The parameter that entries of sampled releases leave out, as they did before there was another mechanism."""


def digest(value: Any) -> str:
    """SHA-256 of a JSON-able value in canonical form: the key under which a result is current."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


_digests: WeakKeyDictionary[Hierarchy, str] = WeakKeyDictionary()


def hierarchy_digest(hierarchy: Hierarchy) -> str:
    """SHA-256 of what a hierarchy does (its labels and maps), not of where it came from."""
    known = _digests.get(hierarchy)
    if known is not None:
        return known  # A hierarchy never changes, and a window asks at every keystroke.
    running = hashlib.sha256()
    for labels, codes in zip(hierarchy.labels, hierarchy.maps, strict=True):
        running.update(json.dumps(labels, ensure_ascii=False).encode())
        running.update(codes.astype("<i4").tobytes())
    return _digests.setdefault(hierarchy, running.hexdigest())


def preparation_digest(schema: Schema, preparation: Preparation, names: Iterable[str]) -> str:
    """SHA-256 of what the preparation does to the rows, and to the values of the named columns; "" for nothing.

    How a column is read counts where that decides what becomes of its values or which rows take part.
    """
    looked_at: set[str] = set()
    plain: dict[str, Any] = {}
    if preparation.where.strip():
        plain["where"] = canonical_filter(schema, preparation)
        with contextlib.suppress(WorkbenchError):
            looked_at.update(parse(preparation.where, schema).columns)
    if preparation.sample < 1:
        plain["sample"] = preparation.sample
    if preparation.limit_rows:
        plain["limit"] = [schema.unit.person_column, schema.unit.rows_per_person]
        looked_at.add(schema.unit.person_column)
    named = {*names, *looked_at}
    columns = [
        [column.name, column.kind.value, vars(column.format), column.missing, column.domain, _alters(column)]
        for column in schema.columns
        if column.name in looked_at or (column.name in named and _alters(column))
    ]
    if columns:
        plain["columns"] = columns
    return digest(plain) if plain else ""


def _alters(column: ColumnSpec) -> bool:
    """Whether values of the column may be changed; one that stops the run changes none."""
    return column.misfits is Misfits.MISSING
