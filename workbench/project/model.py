"""The project as a tree of frozen dataclasses. It never holds rows of the data."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Literal
from weakref import WeakKeyDictionary

from workbench.anonymise.guarantee import Accounting
from workbench.anonymise.mechanism import Treatment
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.utility import MetricChoice
from workbench.core.errors import WorkbenchError
from workbench.core.filtering import parse
from workbench.core.hierarchy import Hierarchy
from workbench.core.preparing import Preparation as Preparation  # part of the project, made in the core
from workbench.core.schema import ColumnSpec, Misfits, Schema
from workbench.io.dialect import Dialect

Unknown = Literal["k", "delta", "epsilon", "beta"]
BetaRule = Literal["max", "best"]


@dataclass(frozen=True)
class DataSource:
    """Where the data was read from and how; `fingerprint` is the SHA-256 of the file's bytes."""

    path: str
    fingerprint: str
    rows: int
    dialect: Dialect


@dataclass(frozen=True)
class GuaranteeSettings:
    """What the person typed into the calculator. `solve_for` is the field that is computed.

    `beta` is a number, "max" (1 − e^−ε) or "best" (smallest k/β); the rules apply when solving for k.
    """

    solve_for: Unknown = "k"
    epsilon: float = 1.0
    delta: float = 1e-5
    beta: float | BetaRule = "max"
    k: int = 50
    accounting: Accounting = Accounting.EXACT


class Approach(StrEnum):
    """What kind of anonymity is wanted."""

    DP = "dp"
    """An (ε, δ) release by sampling, generalising and suppressing."""
    SYNTACTIC = "syntactic"
    """k-anonymity and its relatives, which give no (ε, δ) claim."""


@dataclass(frozen=True)
class QuestionSettings:
    """What a syntactic release must satisfy, and what is lost least.

    Parameters
    ----------
    models
        The privacy models; all must hold.
    metric
        The loss to minimise.
    suppression_limit
        Share of the rows that may be suppressed, 0 to 1.
    weights
        How much the loss of a column counts; 1 for columns without an entry.
    limits
        Lowest and highest level a search may choose; columns without an entry have all their levels.
    """

    models: tuple[ModelChoice, ...] = (ModelChoice("k-anonymity", MappingProxyType({"k": 5})),)
    metric: MetricChoice = field(default_factory=MetricChoice)
    suppression_limit: float = 0.04
    weights: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    limits: Mapping[str, tuple[int, int]] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        if not 0 <= self.suppression_limit <= 1:
            raise ValueError("a share of the rows beyond 0 to 1")


@dataclass(frozen=True)
class AnonymiseSettings:
    """How the columns are treated and with which guarantee.

    Columns without an entry in `treatments` follow their role. `seed` makes the run a simulation. `approach` says
    whether `guarantee` or `question` is in force; the other one is kept for those who go back.
    """

    guarantee: GuaranteeSettings = field(default_factory=GuaranteeSettings)
    treatments: Mapping[str, Treatment] = field(default_factory=lambda: MappingProxyType({}))
    levels: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    levels_blind: bool = True
    seed: int | None = None
    approach: Approach = Approach.DP
    question: QuestionSettings = field(default_factory=QuestionSettings)


@dataclass(frozen=True)
class Look:
    """A result on the data with this fingerprint was seen: which recipe, and how many draws of it."""

    fingerprint: str
    recipe: str
    draws: int = 1


@dataclass(frozen=True)
class ReleaseRecord:
    """A file that left the house. Records are only ever appended.

    A file of a syntactic release names its `models`; it has no claim, and its ε, δ, β and k are 0.
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

    def __post_init__(self) -> None:
        # A project edited by hand must not make a total smaller than it is.
        if self.models:
            if self.claim:
                raise ValueError("a claim for a release that has none")
        elif not (self.epsilon > 0 and 0 <= self.delta < 1 and 0 < self.beta <= 1 and self.k >= 1):
            raise ValueError("a release with impossible parameters")
        if self.rows_per_person < 1:
            raise ValueError("a release for less than one row per person")


@dataclass(frozen=True)
class Project:
    """Everything that is saved. `looks` and `releases` are history: undo never takes them back."""

    data: DataSource | None = None
    schema: Schema = field(default_factory=Schema)
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=lambda: MappingProxyType({}))
    anonymise: AnonymiseSettings = field(default_factory=AnonymiseSettings)
    preparation: Preparation = field(default_factory=Preparation)
    looks: tuple[Look, ...] = ()
    releases: tuple[ReleaseRecord, ...] = ()


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


def canonical_filter(schema: Schema, preparation: Preparation) -> str:
    """The filter in its canonical form; as it stands if it cannot be read."""
    text = preparation.where.strip()
    try:
        return str(parse(text, schema)) if text else ""
    except WorkbenchError:
        return text


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
