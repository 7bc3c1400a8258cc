"""The words of `workbench project`: columns, hierarchies and settings of a project, and whether it can run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workbench.anonymise.recipe import Treatment
from workbench.anonymise.terms import for_neighbours
from workbench.cli import trim_plan
from workbench.cli.command_output import CommandOutput, bullets
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.known_number import KnownNumber
from workbench.core.number_text import exact, rounded_up
from workbench.core.schema import ColumnSpec, Format, Role
from workbench.core.settings_json import to_json
from workbench.project import setting_paths
from workbench.project.model import Project, Rule, new_project
from workbench.session import Session

UNSEEN = (
    "Whether hierarchies miss values, and values fit their columns, is counted in the true rows: --analyst tells it, "
    "which is a look at the data."
)
"""The remark on what a check does not tell before a look is recorded."""


def described(project: Project) -> dict[str, Any]:
    """A project for programs; nothing of it was counted in the data."""
    return {
        "data": None
        if project.data is None
        else {"path": project.data.path, "engine": project.data.engine or "memory"},
        "columns": [_column(one) for one in project.schema.columns],
        "unit": to_json(project.schema.unit),
        "hierarchies": {
            name: {
                "height": one.height,
                "provenance": one.provenance.value,
                "origin": one.origin,
                "level": project.anonymise.levels.get(name, 0),
            }
            for name, one in _told(project).items()
        },
        "rules": {
            name: {"provenance": one.provenance.value, "origin": one.origin} for name, one in _rules(project).items()
        },
        "settings": setting_paths.paths(project),
        "experiments": len(project.comparing.documents),
        "releases": len(project.releases),
    }


def _told(project: Project) -> dict[str, Hierarchy]:
    """The hierarchies that may be described: how many levels one has that a rule made of the values tells of them."""
    return {
        name: one
        for name, one in project.hierarchies.items()
        if one.specification is None or one.provenance is Provenance.PUBLIC
    }


def _rules(project: Project) -> dict[str, Rule | Hierarchy]:
    """All others: rules that were not followed, and what a rule made of the values."""
    told = _told(project)
    return {**project.rules, **{name: one for name, one in project.hierarchies.items() if name not in told}}


def lines(project: Project) -> list[str]:
    """The same for people: of the settings, those that are not as a new project has them."""
    data = "no data yet" if project.data is None else project.data.path
    said = [f"Data: {data}", ""]
    width = max((len(one.name) for one in project.schema.columns), default=0)
    for one in project.schema.columns:
        said.append(f"  {one.name:<{width}}  {', '.join(_said(one, project))}")
    unit = project.schema.unit
    person = f"“{unit.person_column}” says whose a row is; " if unit.person_column else ""
    said += ["", f"Protected: {person}rows per person: {unit.rows_per_person}"]
    usual, now = setting_paths.paths(new_project()), setting_paths.paths(project)
    other = [f"  {path} = {value}" for path, value in now.items() if usual.get(path) != value]
    if other:
        said += ["", "Settings that are not as in a new project:", *other]
    return said


def left_out(session: Session) -> list[str]:
    """One line about the columns that take no part in a release, where some do not; settings alone decide it."""
    project, without = session.project, dict[str, list[str]]()
    for one in project.schema.columns:
        if session.release.columns.treatment(one.name) is not Treatment.LEAVE_OUT:
            continue
        chosen = project.anonymise.treatments.get(one.name) is Treatment.LEAVE_OUT
        identifying = one.role is Role.IDENTIFYING
        why = "as chosen" if chosen else "identifying" if identifying else f"{one.role_words.lower()}, no hierarchy"
        without.setdefault(why, []).append(one.name)
    named = "; ".join(f"{', '.join(names)} ({why})" for why, names in without.items())
    return [f"Left out of a release: {named}."] if without else []


def _outlook(session: Session) -> list[str]:
    """The outlook for a trimmed release, where no row decides it: no hierarchy was built over values."""
    hierarchies, columns = session.project.hierarchies, session.release.columns
    grouped = [n for n in session.project.schema.names if columns.treatment(n) is Treatment.GENERALISE]
    made = (hierarchies.get(name) for name in grouped)
    if session.syntactic.wanted or any(
        one is None or one.specification is not None or one.provenance is not Provenance.PUBLIC for one in made
    ):
        return []
    try:
        found, promised = session.release.forecast(), session.release.trim_guarantee()
    except WorkbenchError:  # of samples, and of levels that are still to be drawn, nothing is foreseen
        return []
    said = trim_plan.in_words(found, promised, session.release.chain().degrees, [])[:-1]
    # What a command calls --expect, a project keeps.
    return [line.replace("--expect N", "project set --set anonymise.trim.expected_rows=N") for line in said]


def checked(session: Session, known: KnownNumber = KnownNumber.NONE) -> CommandOutput:
    """Whether a project fits the data that is open, and what a run could claim.

    Before a look at the data is recorded it is answered from what opening the file needs, and from no value: two tables
    that differ in a row have the same answer.
    """
    looked = session.looks.taken
    problems, refused, claim = list(_problems(session, looked=looked)), list[str](), None
    data: dict[str, Any] = {"claim": None, "reasons": [], "looked": looked}
    said: list[str] = []
    try:
        if session.syntactic.wanted:
            session.syntactic.question()
            said.append("The privacy models promise no (ε, δ).")
        else:
            session.release.refuse_without_columns()
            claim = session.release.claim(known)
            claim = claim if looked else claim.before_look
            data |= {"claim": claim.holds, "reasons": [reason.text for reason in claim.reasons]}
    except WorkbenchError as error:
        refused.append(str(error))
    if claim is not None and claim.holds:
        promised = f"({rounded_up(claim.epsilon)}, {rounded_up(claim.delta)})"
        about = for_neighbours(claim.terms.neighbours)
        said.append(f"A run could claim {promised}{about}, if what it asserts is so.")
        said += [f"  - {sentence}" for sentence in claim.asserted]
    elif claim is not None and claim.given:
        said += [
            f"A run could claim ({claim.price}) for its choices as they are, and no more:",
            *bullets(claim.reasons),
        ]
    elif claim is not None:
        said += ["A run could claim no (ε, δ):", *bullets(claim.reasons)]
    if refused:
        said = ["A run would be refused:", *(f"  - {one}" for one in refused), *said]
    if problems:
        said = ["It does not fit its data:", *(f"  - {one}" for one in problems), *said]
    problems += refused
    if not problems:
        said += _outlook(session)
    said += left_out(session)
    if not looked:
        said.append(UNSEEN)
    fits = not problems and (claim is None or claim.holds)
    return CommandOutput({"fits": not problems, "problems": problems, **data}, tuple(said), 0 if fits else 1)


def _problems(session: Session, *, looked: bool) -> Iterator[str]:
    """The problems of data that is not as the project describes it; those of values only once they were looked at."""
    project, read = session.project, session.data.reading.table
    for name in project.schema.names:
        if name not in read:
            yield f"The column “{name}” is not there."
    if not looked:
        return
    try:
        table = session.data.table
    except WorkbenchError as error:
        yield str(error)
        return
    for name in project.hierarchies:
        if name in table and (missed := session.data.uncovered(name, table)):
            values = "1 value that occurs" if len(missed) == 1 else f"{len(missed):,} values that occur"
            yield f"The hierarchy of “{name}” misses {values}."


def _column(one: ColumnSpec) -> dict[str, Any]:
    return {
        "name": one.name,
        "kind": one.kind.value,
        "role": one.role.value,
        "format": {key: value for key, value in vars(one.format).items() if value != getattr(Format(), key)},
        "missing": list(one.missing),
        "bounds": None if one.bounds is None else list(one.bounds),
        "domain": None if one.domain is None else list(one.domain),
        "unit": one.unit,
        "misfits": one.misfits.value,
        "observed": sorted(one.observed),
    }


def _said(one: ColumnSpec, project: Project) -> Iterator[str]:
    yield one.kind.value
    yield one.role_words.lower()
    if one.bounds is not None:
        yield "from {} to {}".format(*map(exact, one.bounds))
    if one.domain is not None:
        yield f"one of {len(one.domain):,} values"
    if one.unit:
        yield f"in {one.unit}"
    if (found := _told(project).get(one.name)) is not None:
        yield f"hierarchy of {found.height} levels ({found.provenance.value}), at level " + str(
            project.anonymise.levels.get(one.name, 0)
        )
    elif (rule := _rules(project).get(one.name)) is not None:
        yield f"hierarchy by rule ({rule.provenance.value})"
