"""The settings of a release, put into a session: its columns, their hierarchies and levels, ε and δ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from workbench.anonymise.dp_search import Degree
from workbench.anonymise.recipe import ReleaseMechanism, Treatment
from workbench.anonymise.sample_guarantee import Accounting
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.progress import SILENT
from workbench.core.settings_json import from_json, keys, to_json
from workbench.library.amounts import Amount, amount_float
from workbench.library.files_read import remembered
from workbench.library.hierarchy import HierarchyRule, HierarchySource
from workbench.project.model import GuaranteeSettings
from workbench.project.trim_settings import StepsBy
from workbench.session import Session

T = TypeVar("T")


def set_release(
    session: Session,
    columns: Iterable[str],
    *,
    epsilon: Amount,
    delta: Amount,
    hierarchies: Mapping[str, HierarchySource],
    levels: Mapping[str, int],
    steps: Sequence[str] | Sequence[Mapping[str, int]],
    shares: Sequence[float],
    mechanism: str,
    floor: int,
    beta: float | Literal["max", "best"] = "max",
    rows: int | None = None,
    step_column: str = "",
    count_column: str = "",
    seed: int | None = None,
) -> None:
    """Put everything of a release in hand; the parameters are those of `Data.release` and `Data.forecast`."""
    attach(session, hierarchies)
    take(session, columns, levels)
    session.release.set_seed(seed)
    session.release.set_mechanism(ReleaseMechanism(one_of(mechanism, list(ReleaseMechanism), "mechanism")))
    session.release.set_guarantee(
        GuaranteeSettings(
            epsilon=amount_float(epsilon, "epsilon"),
            delta=amount_float(delta, "delta"),
            beta=beta,
            accounting=Accounting.EXACT,
        )
    )
    trim = replace(session.project.anonymise.trim, floor=floor, shares=tuple(shares), steps=StepsBy.DEGREES)
    trim = replace(trim, expected_rows=rows, step_column=step_column, count_column=count_column)
    if levels or not _all_have_hierarchies(session):
        trim = replace(trim, steps=StepsBy.ONE)
    if steps and isinstance(steps[0], str):
        degrees = tuple(Degree(one_of(str(one), list(Degree), "steps")) for one in steps)
        trim = replace(trim, steps=StepsBy.DEGREES, degrees=degrees)
    elif steps:
        vectors = tuple(MappingProxyType(dict(one)) for one in steps if isinstance(one, Mapping))
        trim = replace(trim, steps=StepsBy.TYPED, vectors=vectors)
    session.release.set_trimming(trim)


def attach(session: Session, hierarchies: Mapping[str, HierarchySource]) -> None:
    """Give columns their hierarchies: by a rule, as they are, or from files."""
    desk = session.data
    for name, source in hierarchies.items():
        if isinstance(source, HierarchyRule):
            session.project.schema[name]  # raises if there is no such column
            build = session.unseen.hierarchy_builder(name, source.specification, looked=session.looks.taken)
            desk.attach_hierarchy(name, build(SILENT))
        elif isinstance(source, Hierarchy):
            desk.attach_hierarchy(name, source)
        else:
            desk.attach_hierarchy_file(name, remembered(source)[0])


def refuse_seen(session: Session, hierarchies: Mapping[str, HierarchySource]) -> None:
    """Refuse rules whose levels follow from the data, where nobody has looked at it, for how many there are tells.

    Raises
    ------
    WorkbenchError
        If one is.
    """
    made = [name for name, source in hierarchies.items() if isinstance(source, HierarchyRule) and not source.public]
    attached = session.project.hierarchies.items()  # by a call before
    made += [name for name, one in attached if name not in hierarchies and one.specification and not _is_public(one)]
    if made and not session.looks.taken:
        raise WorkbenchError(
            f"The rule of “{made[0]}” follows from the data, so a forecast with it would tell of rows.",
            hint="Use a rule that is fixed without the data, such as masking with length=5, or call look() first.",
            field=made[0],
        )


def _is_public(hierarchy: Hierarchy) -> bool:
    return hierarchy.provenance is Provenance.PUBLIC


def take(session: Session, columns: Iterable[str], levels: Mapping[str, int]) -> None:
    """Let these columns take part at these levels, and no others; without any, all that have a hierarchy."""
    desk = session.release.columns
    chosen = [columns] if isinstance(columns, str) else list(columns)
    for name in (*chosen, *levels):
        session.project.schema[name]  # raises if there is no such column
    wanted = set(chosen or session.project.hierarchies)
    for name in session.project.schema.names:
        desk.set_treatment(name, Treatment.GENERALISE if name in wanted else Treatment.LEAVE_OUT)
    for name, level in levels.items():
        desk.set_level(name, level)


def with_settings(settings: T, changes: Mapping[str, Any]) -> T:
    """The settings with some of them changed, written as in a saved project.

    Raises
    ------
    WorkbenchError
        If there is no such setting, or it cannot have that value.
    """
    for name in changes:
        one_of(name, sorted(keys(type(settings))), "setting")
    try:
        found: T = from_json(type(settings), {**to_json(settings), **changes})
    except (ValueError, TypeError) as error:
        raise WorkbenchError(f"A setting cannot be so: {error}.", field=next(iter(changes), "")) from None
    return found


def one_of(value: str, known: Sequence[str], field: str) -> str:
    """The value itself, if it is a known one.

    Raises
    ------
    WorkbenchError
        If it is not.
    """
    if value in known:
        return value
    listed = ", ".join(str(one) for one in known)
    raise WorkbenchError(f"There is no {field} “{value}”.", hint=f"Known are: {listed}.", field=field)


def _all_have_hierarchies(session: Session) -> bool:
    """Whether degrees say nothing of the data, as for `workbench anonymise`."""
    columns = session.release.columns
    taken = [name for name in session.project.schema.names if columns.treatment(name) is Treatment.GENERALISE]
    hierarchies = session.project.hierarchies
    return all(name in hierarchies and hierarchies[name].provenance.value == "public" for name in taken)
