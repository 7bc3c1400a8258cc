"""An anonymised release by sampling + generalisation + k-suppression, and what its reader would answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.compared import Meaning
from workbench.anonymise.grouping import classes
from workbench.anonymise.guarantee import Accounting, Guarantee, guarantee
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.params import ParamSpec, ParamType
from workbench.core.progress import Progress
from workbench.core.table import Column
from workbench.evaluate.method import Answerer, Approach, Method
from workbench.evaluate.question import Floats, Statistic
from workbench.evaluate.subject import EncodedColumn, SubjectSample, figure_of
from workbench.ldp.encoding import (
    MISSING,
    OTHER,
    EncodingChoice,
    EncodingKind,
    Outside,
    chosen_how,
    encode,
    public_bounds,
)

_BYTES_PER_CELL = 24
"""Of every column that makes rows alike: its code, the code of its group, and the rows in the order of both."""
VOID = "No (ε, δ) claim: the hierarchy of “{name}” was made from the data."


class Release(Answerer):
    """Draws of releases, class by class: of n alike rows Bin(n, β) are sampled, and kept if they are at least k.

    Parameters
    ----------
    promised
        ε, δ, β and k.
    class_of, label_of
        The class of each row that takes part, and the label of each class.
    numbers
        The number each label stands for, nan if for none, shape (labels,).
    spread
        How a row of each label is divided among the public values, shape (labels, domain size).
    notes
        What must be known.
    """

    def __init__(
        self,
        promised: Guarantee,
        class_of: NDArray[np.int64],
        label_of: NDArray[np.int64],
        numbers: Floats,
        spread: Floats,
        notes: tuple[str, ...],
    ) -> None:
        self.promised, self.epsilon, self.notes = promised, promised.epsilon, notes
        self.class_of, self.label_of, self.numbers, self.spread = class_of, label_of, numbers, spread

    def draw(self, sample: SubjectSample, repetitions: int, seed: np.random.SeedSequence, progress: Progress) -> Floats:
        rows = self.class_of if sample.places is None else self.class_of[sample.places]
        sizes = np.bincount(rows, minlength=len(self.label_of))
        # A class of fewer than k rows survives no sample.
        large = np.flatnonzero(sizes >= self.promised.k)
        generator = np.random.Generator(np.random.PCG64(seed))
        found = np.empty((repetitions, sample.subject.outputs))
        for repetition in range(repetitions):
            progress(repetition / repetitions)
            sampled = generator.binomial(sizes[large], self.promised.beta)
            kept = np.where(sampled >= self.promised.k, sampled, 0)
            weights = np.bincount(self.label_of[large], kept, len(self.numbers)).astype(np.float64)
            found[repetition] = self._read(sample, weights)
        return found

    def _read(self, sample: SubjectSample, weights: Floats) -> Floats | float:
        """What a reader makes of a release with so many rows of each label."""
        question, beta = sample.subject.question, self.promised.beta
        if question.figure in (Statistic.HISTOGRAM, Statistic.COUNT):
            bars: Floats = weights @ self.spread / beta
            return bars if question.figure is Statistic.HISTOGRAM else bars[1:]
        known = np.isfinite(self.numbers)
        answer = figure_of(question, self.numbers[known], weights[known])
        if question.figure is Statistic.SUM:
            return answer / beta if weights[known].any() else np.nan
        return answer


def answers(subject: EncodedColumn, values: Mapping[str, Any]) -> str:
    try:
        for name, level in _levels(subject, values).items():
            _hierarchy(subject, name, level)
    except WorkbenchError as error:
        return f"{error.message} {error.hint}".strip()
    return ""


def prepare(subject: EncodedColumn, epsilon: float, users: int, values: Mapping[str, Any]) -> Answerer:
    promised = _promised(
        epsilon,
        _delta(values["delta"], users),
        values["beta"].strip(),
        values["accounting"],
        subject.rows_per_person,
    )
    levels = _levels(subject, values)
    rows = len(subject)
    subject.material.table.check_room(
        _BYTES_PER_CELL * rows * len(levels), f"{len(levels):,} columns of {rows:,} rows, to group the rows,"
    )
    wanted: list[tuple[NDArray[np.integer], int]] = []
    notes = []
    for name, level in levels.items():
        hierarchy = _hierarchy(subject, name, level)
        column = subject.material.table[_column_of(subject, name)]
        codes = hierarchy.level_map(column, level)[column.codes[subject.rows]]
        wanted.append((codes, len(hierarchy.labels[level])))
        if hierarchy.provenance is not Provenance.PUBLIC:
            notes.append(VOID.format(name=name))
    found = classes(wanted, len(subject))
    target = next(iter(levels))
    label_of = np.zeros(len(found.sizes), dtype=np.int64)
    label_of[found.ids] = wanted[0][0]
    numbers, spread = _meaning(subject, _hierarchy(subject, target, levels[target]), levels[target])
    return Release(promised, found.ids, label_of, numbers, spread, tuple(notes))


@lru_cache(maxsize=4096)
def _promised(epsilon: float, delta: float, beta: str, accounting: str, rows_per_person: int) -> Guarantee:
    rule: Any = beta if beta in ("max", "best") else _number(beta, "beta")
    return guarantee(
        epsilon=epsilon, delta=delta, beta=rule, accounting=Accounting(accounting), rows_per_person=rows_per_person
    )


def _delta(text: str, users: int) -> float:
    top, _, bottom = text.strip().partition("/")
    if bottom.strip() == "n":
        return _number(top, "delta") / users
    return _number(text, "delta")


def _number(text: str, field: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise WorkbenchError(
            f"“{text}” is not a number.",
            hint="Give a number; 1/n for δ; max or best for β.",
            field=field,
        ) from None


def _levels(subject: EncodedColumn, values: Mapping[str, Any]) -> dict[str, int]:
    """The level of each hierarchy that groups, that of the column asked about first."""
    target = values["hierarchy"].strip() or subject.question.column
    found = {target: values["level"]}
    for part in values["others"].splitlines():
        name, _, level = part.rpartition("=")
        if not part.strip():
            continue
        try:
            found[name.strip()] = int(level)
        except ValueError:
            raise WorkbenchError(
                f"“{part}” is no level of a column.", hint="Write one COLUMN=LEVEL per line.", field="others"
            ) from None
    return found


def _column_of(subject: EncodedColumn, name: str) -> str:
    """A hierarchy bears the name of its column, unless it is another one for the column asked about."""
    return name if name in subject.material.table else subject.question.column


def _hierarchy(subject: EncodedColumn, name: str, level: int) -> Hierarchy:
    found = subject.material.hierarchies.get(name)
    if found is None:
        if level:
            raise WorkbenchError(
                f"“{name}” has no hierarchy, so it cannot be generalised to level {level}.",
                hint="Attach one, or use level 0.",
                field="level",
            )
        return Hierarchy.identity(subject.material.table[_column_of(subject, name)].values)
    if level > found.height:
        raise WorkbenchError(
            f"The hierarchy of “{name}” has no level {level}.",
            hint=f"It has the levels 0 to {found.height}.",
            field="level",
        )
    return found


def _meaning(subject: EncodedColumn, hierarchy: Hierarchy, level: int) -> tuple[Floats, Floats]:
    """The number of each label, and how a row of it is divided among the public values."""
    question, labels = subject.question, hierarchy.labels[level]
    spec = subject.material.schema[question.column]
    codes = np.full(len(hierarchy.values), -1)
    under = Column(question.column, np.arange(len(hierarchy.values)), hierarchy.values)
    if question.figure in (Statistic.HISTOGRAM, Statistic.COUNT):
        encoded = encode(_clipping(subject), under, spec)
        place = {label: code for code, label in enumerate(subject.domain.labels)}
        codes_of = np.array([place.get(label, -1) for label in encoded.domain.labels])
        codes[encoded.rows] = codes_of[encoded.codes]
    inside = codes >= 0
    size = subject.domain.size
    members = np.bincount(hierarchy.maps[level], minlength=len(labels))
    flat = hierarchy.maps[level][inside].astype(np.int64) * size + codes[inside]
    spread = np.bincount(flat, minlength=len(labels) * size).reshape(len(labels), size)
    numbers = np.clip(Meaning(spec, hierarchy, level).numbers(labels), *subject.bounds)
    return numbers, spread / np.maximum(members, 1)[:, np.newaxis]


def _clipping(subject: EncodedColumn) -> EncodingChoice:
    """The encoding of a value that a hierarchy lists, whether or not anybody has it."""
    asked = subject.question.asked
    column, spec = subject.material.table[subject.question.column], subject.material.schema[subject.question.column]
    how = chosen_how(asked, spec)
    if how is EncodingKind.QUESTION:
        return asked
    if how is EncodingKind.CATEGORIES:
        known = tuple(label for label in subject.domain.labels if label not in (OTHER, MISSING))
        return replace(asked, outside=Outside.CLIP, domain=known)
    bounds = asked.bounds if how is EncodingKind.EDGES else public_bounds(asked, column, spec)[0]
    return replace(asked, outside=Outside.CLIP, bounds=bounds)


def named(values: Mapping[str, Any]) -> str:
    """Such as “Anonymised, level 2”."""
    hierarchy = f" ({values['hierarchy']})" if values["hierarchy"].strip() else ""
    beta = "" if values["beta"] == "max" else f", β {values['beta']}"
    classical = ", classical" if values["accounting"] == Accounting.CLASSICAL else ""
    return f"Anonymised, level {values['level']}{hierarchy}{beta}{classical}"


PLUGIN = Method(
    "anonymised",
    "Anonymised release",
    "Rows are sampled, generalised and dropped where fewer than k are alike; a reader answers from what was released.",
    "N. Li, W. Qardaji, D. Su: On sampling, anonymization, and differential privacy, 2012.",
    Approach.ANONYMISED,
    (
        ParamSpec(
            "level",
            "Level",
            ParamType.INTEGER,
            1,
            "Level of the hierarchy of the column asked about; 0 groups the values as they are.",
            minimum=0,
        ),
        ParamSpec("delta", "δ", ParamType.TEXT, "1e-5", "A number, or 1/n for one over the number of users."),
        ParamSpec(
            "beta", "β", ParamType.TEXT, "max", "Sampling probability: max (1 − e^−ε), best (smallest k/β) or a number."
        ),
        ParamSpec(
            "accounting",
            "Accounting",
            ParamType.CHOICE,
            Accounting.EXACT.value,
            "How k follows from ε and δ.",
            choices=tuple((one.value, one.value) for one in Accounting),
        ),
        ParamSpec(
            "hierarchy", "Hierarchy", ParamType.TEXT, "", "Name of another hierarchy for the column; empty: its own."
        ),
        ParamSpec(
            "others", "Other columns", ParamType.LINES, "", "Columns released beside it, one COLUMN=LEVEL per line."
        ),
    ),
    answers,
    prepare,
    named,
    uses_hierarchies=True,
)
