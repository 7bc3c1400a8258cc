"""Families: the settings that are tried for each way of answering, of which the best one stands for the way.

Every way is tuned on the same thing, on repetitions that are never shown, and with the same number of tries: the more
settings a way has, the fewer times each of them is tried. Where that leaves open which of them errs least, those that
may are tried again; what a formula says is not left to tries.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.progress import Progress
from workbench.core.schema import ColumnSpec
from workbench.core.table import Column
from workbench.evaluate.experiment import Experiment, digest
from workbench.evaluate.made_hierarchies import halved_intervals
from workbench.evaluate.method import Answerer, MethodChoice
from workbench.evaluate.question import Floats, Question, Statistic
from workbench.evaluate.subject import EncodedColumn, ExperimentData, SubjectSample
from workbench.ldp.encoding import EncodingKind, chosen_how, public_bounds
from workbench.ldp.scaling import encode_numbers

TRIES = 240
"""Simulated answers that each way has at each place and in each round to find its best setting."""
ROUNDS = 2
"""So many rounds of tries there are at most: the second one for settings that chance alone tells apart."""
INTERVALS = "equal intervals"
"""The hierarchy by which numbers can be released where none is attached: it follows from the public bounds."""
FOUND_FIRST = "global-narrowed"
"""A curator's setting that limits to bounds it finds."""
TITLED = "Global DP, "
"""Beginning of the names of all settings of a trusted curator."""
_NOISE, _LAW, _DRAWN = "discrete noise", "discrete Laplace", "exponential mechanism"
"""Names of the grid for all questions, and of its law: for sums and counts, and for a quantile, which is drawn."""
FINEST = 32
"""So many equal intervals of numbers there are at level 1, unless bins are asked for."""
_ESTIMATES = ("grr", "oue", "olh", "hadamard", "subset-selection")
_ALONG = ("square-wave", "ds-corrected")
_MEANS = ("hm", "pm", "duchi", "laplace")
_RELEASES: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("trimmed", {}),
    ("anonymised", {"beta": "best"}),
    ("anonymised", {"beta": "max"}),
)


class _Untuned(Answerer):
    """Stands for a family where nothing is tuned; nobody asks it."""

    def draw(self, sample: SubjectSample, repetitions: int, seed: np.random.SeedSequence, progress: Progress) -> Floats:
        raise WorkbenchError("A way of answering needs a setting before it answers.", field="methods")


def untuned(subject: EncodedColumn, epsilon: float, users: int, values: Mapping[str, Any]) -> Answerer:
    """The answerer of a family, which is never asked: an experiment asks its candidates."""
    return _Untuned()


def global_settings(subject: EncodedColumn) -> tuple[MethodChoice, ...]:
    """A trusted curator: counts made consistent or non-negative, numbers within public bounds or bounds found first."""
    if subject.question.statistic is Statistic.HISTOGRAM:
        return (_choice("global-grid", post="consistent"), _choice("global-grid", post="non-negative"))
    if subject.question.statistic is Statistic.COUNT:
        return (_choice("global-grid", post="non-negative"),)
    if subject.question.statistic is Statistic.QUANTILE:
        return (_choice("global-grid"),)  # looks for its answer between the bounds as it is
    return (_choice("global-grid"), _choice(FOUND_FIRST))


def released_settings(subject: EncodedColumn) -> tuple[MethodChoice, ...]:
    """Releases: trimmed, in steps and sampled, at every level of the column's hierarchy or of equal intervals.

    Numbers as they are only where it is known how many people have the very same: on a shape whose rows stand for many
    numbers each, such as cents, groups would be as large as they are nowhere.
    """
    hierarchies, crowd = subject.material.hierarchies, subject.crowd
    least = 1 if crowd is not None and crowd.coarse and INTERVALS in hierarchies else 0
    found = [_choice(way, level=0, **more) for way, more in _RELEASES if not least]
    for name in (subject.question.column, INTERVALS):
        if name not in hierarchies:
            continue
        own = {} if name == subject.question.column else {"hierarchy": name}
        height = hierarchies[name].height
        levels = range(1, height) or range(height, height + 1)
        found += [_choice(way, level=level, **own, **more) for level in levels for way, more in _RELEASES]
        found += [_choice("trimmed-in-steps", level=level, **own) for level in (0, 1) if least <= level < height]
        break
    return tuple(found)


def local_settings(subject: EncodedColumn) -> tuple[MethodChoice, ...]:
    """Local protocols, each with the linear estimator made consistent and with EM where its reports allow it."""
    statistic, domain = subject.question.statistic, subject.domain
    if statistic.averages:
        found = [_choice("local", protocol=one) for one in _MEANS]
        return (*found, _choice("local", protocol="square-wave")) if domain.positions is not None else tuple(found)
    if domain.size == 2:
        return (_choice("local", protocol="grr"), _choice("local", protocol="grr", estimator="em"))
    found = [_choice("local", protocol=one) for one in _ESTIMATES]
    found.append(_choice("local", protocol="grr", estimator="em"))
    if domain.ordinal:
        found += [_choice("local", protocol=one) for one in _ALONG]
        found += [_choice("local", protocol=one, estimator="em") for one in _ALONG]
    return tuple(found)


def furnished(material: ExperimentData, experiment: Experiment, question: Question) -> ExperimentData:
    """The material with equal intervals between the public bounds, if a release is to use them.

    Raises
    ------
    WorkbenchError
        If the bounds are not known.
    """
    released = any(
        choice.method.uses_hierarchies
        and (choice.method.candidates is not None or choice.values.get("hierarchy") == INTERVALS)
        for choice in experiment.methods
    )
    if not released or question.column in material.hierarchies or question.column not in material.schema.names:
        return material
    most = experiment.most_below if experiment.narrowed else None
    made = intervals(material.table[question.column], material.schema[question.column], question, most)
    return material if made is None else replace(material, hierarchies={**material.hierarchies, INTERVALS: made})


def intervals(column: Column, spec: ColumnSpec, question: Question, most: float | None = None) -> Hierarchy | None:
    """Equal intervals between the public bounds of a question, as fine as its bins; None where there are none.

    Parameters
    ----------
    most
        Where it is public below which number most values lie: they are narrow there, and wider and wider above it.

    Raises
    ------
    WorkbenchError
        If the bounds are not known.
    """
    histogram = question.statistic is Statistic.HISTOGRAM
    how = chosen_how(question.asked, spec)
    if not spec.kind.numeric or not (question.statistic.of_numbers or how in (EncodingKind.BINS, EncodingKind.WHOLE)):
        return None
    if question.statistic.of_numbers:
        bounds = encode_numbers(question.asked, column, spec).bounds
    else:
        bounds, _ = public_bounds(question.asked, column, spec)
    finest = question.encoding.bins if histogram and how is EncodingKind.BINS else FINEST
    try:
        made = halved_intervals(column, spec, bounds, finest, most)
    except WorkbenchError:
        return None  # a column of one number has no intervals, and is released as it is
    # Bounds that were read from the data make whatever is built from them data-derived.
    return replace(made, provenance=Provenance.DERIVED) if question.encoding.assume_public else made


def trial(experiment: Experiment, candidates: int, round_: int = 0) -> Experiment:
    """The experiment on whose repetitions settings are chosen, which have other random numbers than those shown.

    Parameters
    ----------
    candidates
        Among how many the tries are divided.
    round_
        Which round: in each of them fewer settings share the tries.
    """
    seed = int(digest("tries", experiment.seed, *([round_] if round_ else []))[:12], 16)
    return replace(experiment, repetitions=max(TRIES // candidates, 1), seed=seed)


def short_name(choice: MethodChoice, statistic: Statistic) -> str:
    """The name of a setting without what the name of its way says already, with the law by which it answers."""
    name = choice.name.replace(f" ({INTERVALS})", "")
    if not choice.label:
        name = name.replace(_NOISE, _DRAWN if statistic is Statistic.QUANTILE else _LAW)
    own = name.removeprefix(TITLED)
    return name if own == name else f"{own[:1].upper()}{own[1:]}"


def _choice(identifier: str, **values: Any) -> MethodChoice:
    return MethodChoice(identifier, MappingProxyType(values))
