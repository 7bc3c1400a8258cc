"""The mechanism of a release, and the steps of a trimmed one: their levels and their shares of ε and δ.

Nothing here looks at the rows: what decides is what was typed, and the hierarchies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from weakref import ref

from workbench.anonymise.balanced import balanced_chain
from workbench.anonymise.chains import default_shares, height_of
from workbench.anonymise.dp_search import Degree, degree_levels
from workbench.anonymise.recipe import ReleaseMechanism, Treatment
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import counted
from workbench.core.occurring import are_numbers
from workbench.core.public_sizes import public_sizes
from workbench.core.rationals import rational
from workbench.project.anonymise_settings import LevelsBy
from workbench.project.model import Project
from workbench.project.trim_settings import StepsBy
from workbench.session.release.columns import ColumnsDesk
from workbench.session.release.said import said_of
from workbench.session.state import SessionState

Vector = Mapping[str, int]


@dataclass(frozen=True)
class SettledChain:
    """The steps of a trimmed release as the settings say.

    Parameters
    ----------
    vectors
        Levels by grouped column, the finest step first.
    shares
        Of ε and δ, one for each step; they sum to 1.
    degrees
        The degree that each step follows from; empty where they do not follow from degrees alone.
    expected
        Whether the typed number of rows decided about the shares, or the levels.
    """

    vectors: tuple[Vector, ...]
    shares: tuple[Fraction, ...]
    degrees: tuple[str, ...] = ()
    expected: bool = False


def mechanism_of(state: SessionState) -> ReleaseMechanism:
    """The mechanism of an (ε, δ) release: the chosen one, or else trimming, unless a column must be sampled.

    Raises
    ------
    WorkbenchError
        If trimming was chosen, and a column is to be kept that takes no part in the grouping.
    """
    chosen, kept = state.project.anonymise.mechanism, ColumnsDesk(state).kept()
    if chosen is ReleaseMechanism.TRIM and kept:
        raise WorkbenchError(
            f"Column “{kept[0]}” is kept without being grouped, and trimming releases nothing but counts of groups.",
            hint=f"Let “{kept[0]}” take part in the grouping, leave it out, or release by sampling (on the command "
            "line: --group, or --mechanism sample).",
            field=kept[0],
        )
    if chosen is not None:
        return chosen
    return ReleaseMechanism.SAMPLE if kept else ReleaseMechanism.TRIM


def implied_by(state: SessionState) -> tuple[str, ...]:
    """The columns because of which rows are sampled although nobody chose that; none if they are not."""
    return ColumnsDesk(state).kept() if state.project.anonymise.mechanism is None else ()


def chain_of(state: SessionState, drawn: Vector | None = None) -> SettledChain:
    """The steps as they now stand.

    Parameters
    ----------
    drawn
        The levels that were drawn privately. Where they are still to be drawn, the columns of the first step are at
        level 0, and the shares are those of the steps as they then are.

    Raises
    ------
    WorkbenchError
        If a typed step has no such level or column, there are not as many shares as steps, or a column that is to be
        added has the name of another. So nothing is drawn or paid for that could not be written.
    """
    vectors, degrees = _listed(state, drawn)
    settings = state.project.anonymise.trim
    taken = set(state.project.schema.names)
    for name in filter(None, (settings.step_column, settings.count_column)):
        if name in taken:
            raise WorkbenchError(
                f"There is a column “{name}” already.", hint="Give the added column another name.", field="step_column"
            )
        taken.add(name)
    if settings.shares and len(settings.shares) != len(vectors):
        raise WorkbenchError(
            f"The shares do not fit the steps: {counted(len(settings.shares), 'share')}, and "
            f"{counted(len(vectors), 'step')}.",
            hint="Give every step one share, or none of them.",
            field="shares",
        )
    typed = [rational(share) for share in settings.shares]
    # Steps at the same levels are one step, with the shares of all of them.
    places = [place for place, vector in enumerate(vectors) if place == 0 or vector != vectors[place - 1]]
    chosen = tuple(vectors[place] for place in places)
    named = tuple(degrees[place] for place in places) if degrees else ()
    balanced = is_balanced(state)
    expected = settings.expected_rows is not None
    if typed or balanced:
        # Each balanced step that was asked for has the same share, and one that stands for several has theirs.
        parts = typed or [Fraction(1)] * len(vectors)
        ends = [*places[1:], len(vectors)]
        sums = [sum(parts[first:end], Fraction(0)) for first, end in zip(places, ends, strict=True)]
        return SettledChain(chosen, tuple(part / sum(sums) for part in sums), named, balanced and expected)
    if len(chosen) == 1:
        return SettledChain(chosen, (Fraction(1),), named)
    wanted, hierarchies = state.project.anonymise.guarantee, state.project.hierarchies
    shares = default_shares(
        chosen,
        {name: height_of(hierarchies.get(name)) for name in chosen[0]},
        epsilon=wanted.epsilon,
        delta=wanted.delta,
        rows_per_person=state.project.schema.unit.rows_per_person,
        rows=settings.expected_rows,
    )
    return SettledChain(chosen, shares, named, expected)


def is_balanced(state: SessionState) -> bool:
    """Whether the levels of the steps follow from the labels that are left, and from nothing that was drawn."""
    balanced = state.project.anonymise.trim.steps is StepsBy.BALANCED
    return balanced and ColumnsDesk(state).private_search is None


def asked_steps(state: SessionState, drawn: Vector | None = None) -> list[dict[str, int]]:
    """The levels of every step that was asked for, also where two are alike and so are one step.

    Raises
    ------
    WorkbenchError
        If a typed step has no such level or column.
    """
    return _listed(state, drawn)[0]


def _listed(state: SessionState, drawn: Vector | None) -> tuple[list[dict[str, int]], list[str]]:
    """The levels of every step that was asked for, and the degrees they follow from."""
    # Forms ask for the level of each column at each step of the same project.
    known = _ASKED_LAST[0] if _ASKED_LAST else None
    if known is None or known[0]() is not state.project or known[1] != drawn:
        known = ref(state.project), None if drawn is None else dict(drawn), _list(state, drawn)
        _ASKED_LAST[:] = [known]
    vectors, degrees = known[2]
    return [dict(vector) for vector in vectors], list(degrees)


_Known = tuple["ref[Project]", Vector | None, tuple[list[dict[str, int]], list[str]]]
_ASKED_LAST: list[_Known] = []
"""The project that was asked about last, what was drawn of it, and the answer; at most one."""


def _list(state: SessionState, drawn: Vector | None) -> tuple[list[dict[str, int]], list[str]]:
    columns, settings = ColumnsDesk(state), state.project.anonymise.trim
    grouped = [name for name in state.project.schema.names if columns.treatment(name) is Treatment.GENERALISE]
    searched = columns.private_search is not None
    if settings.steps is StepsBy.TYPED:
        if searched:
            raise WorkbenchError(
                "The levels of the steps are typed, so there is nothing to draw privately.",
                hint="Let the steps follow from degrees, or leave the private draw out.",
                field="steps",
            )
        return _typed(state, grouped), []
    if is_balanced(state):
        return _balanced(state, grouped), []
    if settings.steps in (StepsBy.ONE, StepsBy.BALANCED) or not settings.degrees:
        choice = state.project.anonymise.level_choice
        first = {name: columns.fixed_level(name) if drawn is None else drawn.get(name, 0) for name in grouped}
        return [first], [choice.degree.value] if choice.by is LevelsBy.DEGREE else []
    by_degree = [_of_degree(state, grouped, degree) for degree in settings.degrees]
    if not searched:
        return by_degree, [degree.value for degree in settings.degrees]
    lowest = {name: 0 if drawn is None else drawn.get(name, 0) for name in grouped}
    above = [{name: max(level, lowest[name]) for name, level in vector.items()} for vector in by_degree]
    return [lowest, *above], []


def _of_degree(state: SessionState, grouped: Sequence[str], degree: Degree) -> dict[str, int]:
    """The levels of a step; a column without a hierarchy is released as it is but for the last degree, as `*`."""
    hierarchies = {name: state.project.hierarchies[name] for name in grouped if name in state.project.hierarchies}
    found = degree_levels(hierarchies, degree, ColumnsDesk(state).limits(hierarchies))
    return {name: found.get(name, int(degree is Degree.COMPLETE)) for name in grouped}


def _balanced(state: SessionState, grouped: Sequence[str]) -> list[dict[str, int]]:
    """The balanced steps, from what is public of the hierarchies, ε, δ, and what was typed of rows and of values."""
    project = state.project
    wanted, settings = project.anonymise.guarantee, project.anonymise.trim
    hierarchies = {name: project.hierarchies[name] for name in grouped if name in project.hierarchies}
    said = said_of(project)
    labels = {name: public_sizes(hierarchies.get(name), said.get(name, ())).labels for name in grouped}
    limits = ColumnsDesk(state).limits(hierarchies)
    chain = balanced_chain(
        labels,
        settings.importance,
        steps=settings.balanced_steps,
        epsilon=wanted.epsilon,
        delta=wanted.delta,
        rows_per_person=project.schema.unit.rows_per_person,
        rows=settings.expected_rows,
        limits=limits,
    )
    finest = {
        name: limits.get(name, (0, 0))[0]
        for name, entries in said.items()
        if project.schema[name].kind.numeric and name in hierarchies and are_numbers(entries)
    }
    return [{name: _as_listed(labels[name], level, finest.get(name)) for name, level in step.items()} for step in chain]


def _as_listed(labels: Sequence[int], level: int, finest: int | None) -> int:
    """The level of a step; where numbers were listed and none share a label there, the numbers themselves.

    An interval that holds one of them only says what the number says, in more words.
    """
    return level if finest is None or not finest < level or labels[level] < labels[finest] else finest


def _typed(state: SessionState, grouped: Sequence[str]) -> list[dict[str, int]]:
    """The typed steps; what one does not name stays at the level it had in the step before."""
    levels = {name: ColumnsDesk(state).level(name) for name in grouped}
    found = []
    for vector in state.project.anonymise.trim.vectors:
        for name, level in vector.items():
            _check(state, grouped, name, level)
        levels = {**levels, **vector}
        found.append(levels)
    return found or [levels]


def _check(state: SessionState, grouped: Sequence[str], name: str, level: int) -> None:
    if name not in grouped:
        raise WorkbenchError(
            f"A step has a level for “{name}”, which takes no part in the release.",
            hint=f"The columns that do: {', '.join(grouped)}." if grouped else "Give a column a hierarchy first.",
            field="steps",
        )
    hierarchy = state.project.hierarchies.get(name)
    height = 1 if hierarchy is None else hierarchy.height
    if not 0 <= level <= height:
        raise WorkbenchError(
            f"Column “{name}” has no level {level}.",
            hint=f"It has the levels 0 to {height}." if hierarchy else "It is released as it is, 0, or as *, 1.",
            field="steps",
        )
