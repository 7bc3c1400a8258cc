"""The lines that open the same data and say the same of it."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from workbench.core.building import BuilderValues, assess, build_unseen, normalised
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.number_example import example_of, format_shown
from workbench.core.schema import ColumnSpec, Format, Kind, Role
from workbench.io.addresses import Address, is_address
from workbench.io.dialect import Dialect
from workbench.io.hierarchy_csv import read_hierarchy
from workbench.io.hierarchy_files import matching_hierarchies
from workbench.io.opening import FileContent
from workbench.session.data import DataDesk
from workbench.session.python.writing import Call, Raw
from workbench.session.state import SessionState

DATA = Raw("DATA")
"""The variable at the top that says where the data is."""

_MAKERS = {
    Kind.INTEGER: "integer",
    Kind.DECIMAL: "number",
    Kind.MONEY: "money",
    Kind.PERCENT: "percent",
    Kind.TEXT: "text",
    Kind.CATEGORY: "category",
    Kind.ORDERED: "category",
    Kind.DATE: "date",
    Kind.DATETIME: "moment",
}


def opened(state: SessionState) -> tuple[Call, Call | None]:
    """`wb.open(…)`, and what is to be declared of its columns beyond what opening proposes; None if nothing is.

    Raises
    ------
    WorkbenchError
        If there is no data, or it was opened in a way that the library does not know.
    """
    project = state.project
    if project.data is None or state.loaded is None:
        raise WorkbenchError("There is no data.", hint="Open a file first.", field="data")
    if project.data.engine:
        raise _cannot("The data is in an engine, and the library works in memory.", "Open the file in memory.")
    if project.preparation.sample < 1:
        raise _cannot("A research sample is drawn anew each time.", "Let every row take part.")
    unit = project.schema.unit
    given: dict[str, Any] = {}
    read = project.data.dialect
    if read.query:
        given["query"] = read.query
    elif read.sheet:
        given["table"] = read.sheet
    written = _written(read, state.loaded.reading.form)
    if written is not None:
        given["written"] = written
    if project.preparation.where.strip():
        given["where"] = project.preparation.where.strip()
    if unit.person_column:
        given["person"] = unit.person_column
    if unit.rows_per_person != 1:
        given["rows_per_person"] = unit.rows_per_person
    if project.preparation.limit_rows:
        given["limit_rows"] = True
    return Call("wb.open", [DATA], given), _described(state)


def _written(read: Dialect, form: FileContent) -> dict[str, Any] | None:
    """How the file was read, which may not be how it looks; None where nothing of it is seen from the file."""
    usual = Dialect()
    said = {
        field.name: getattr(read, field.name)
        for field in fields(read)
        if field.name not in ("sheet", "query") and getattr(read, field.name) != getattr(usual, field.name)
    }
    if form is FileContent.CSV:
        return {"delimiter": read.delimiter} | said
    return said or None


def place_of(state: SessionState) -> str:
    """Where the data is, as `wb.open` takes it: a path, or an address without anybody's name or password."""
    path = "" if state.project.data is None else state.project.data.path
    return str(Address.of(path)) if is_address(path) else path


def _described(state: SessionState) -> Call | None:
    proposed = state.opened.proposed
    said = {}
    for spec in state.project.schema.columns:
        call = _declared(state, spec.declared(), proposed[spec.name])
        if call is not None:
            said[spec.name] = call
    return Call("data.describe", (), said) if said else None


def _declared(state: SessionState, spec: ColumnSpec, proposed: ColumnSpec) -> Call | None:
    """The declaration of one column; None if that is what is proposed anyway. Its role decides nothing here."""
    there = proposed.declared()
    if spec.misfits is not there.misfits:
        raise _cannot(f"What becomes of misfits of “{spec.name}” is set.", "Keep them as they are.")
    roles = {Role.SENSITIVE, Role.IDENTIFYING}
    role = spec.role if not spec.undecided and (spec.role in roles or there.role in roles) else there.role
    if replace(spec, role=there.role, undecided=there.undecided, unit=there.unit) == there and role is there.role:
        return None
    given: dict[str, Any] = {}
    values: list[Any] = []
    if spec.kind in (Kind.DATE, Kind.DATETIME):
        values = [spec.format.pattern]
    elif spec.format != (DataDesk(state).proposed_format(spec.name, spec.kind) or Format()):
        given["written"] = example_of(spec.format)
        if not spec.kind.numeric or format_shown(given["written"]) != spec.format:
            raise _cannot(f"How the numbers of “{spec.name}” are written is set by hand.", "Let it be as proposed.")
    if spec.bounds is not None:
        if not spec.kind.numeric:
            raise _cannot(f"“{spec.name}” has bounds that are no numbers.", "Take them away.")
        values = [int(one) if float(one).is_integer() else one for one in spec.bounds]
    if spec.domain is not None:
        if spec.kind not in (Kind.CATEGORY, Kind.ORDERED):
            raise _cannot(f"“{spec.name}” has a list of values, but is no category.", "Make it a category.")
        values = [list(spec.domain)]
    if spec.kind is Kind.ORDERED:
        given["ordered"] = True
    if spec.missing != there.missing:
        if "" not in spec.missing:
            raise _cannot(f"The empty text is a value of “{spec.name}”.", "Let it stand for “no value”.")
        given["missing"] = [text for text in spec.missing if text]
    if role is not there.role:
        given["role"] = role.value
    return Call(f"wb.{_MAKERS[spec.kind]}", values, given)


def hierarchies_of(state: SessionState, names: list[str]) -> dict[str, Any]:
    """By column the expression of its hierarchy: a rule, or the file it was imported from.

    Raises
    ------
    WorkbenchError
        If one is neither, or holds values of the data.
    """
    found = state.project.hierarchies
    return {name: _hierarchy(state, name, found[name]) for name in names if name in found}


def _hierarchy(state: SessionState, name: str, hierarchy: Hierarchy) -> Any:
    if hierarchy.specification is None:
        return _file(state, name, hierarchy)
    spec = hierarchy.specification
    if assess(spec).provenance is not hierarchy.provenance:
        raise _cannot(f"Where the hierarchy of “{name}” comes from was corrected by hand.", _AS_FILE)
    if hierarchy.provenance is not Provenance.PUBLIC:
        raise _cannot(f"The hierarchy of “{name}” was made from the data, and code must hold none of it.", _AS_FILE)
    material = BuilderValues.of(state.opened.reading.table[name], state.project.schema[name])
    if not _same(build_unseen(spec, material), hierarchy):
        raise _cannot(f"The hierarchy of “{name}” was changed after it was built.", _AS_FILE)
    short = _shortened(spec)
    plain = {name: value for name, value in short.items() if name not in ("column", "title")}
    enough = assess(plain).provenance is Provenance.PUBLIC and _same(build_unseen(plain, material), hierarchy)
    details = short.get("details", {})
    if enough and set(plain) <= _OF_A_RULE and not set(details) & {"builder", "parameters"}:
        parameters = short.get("parameters", {})
        return Call("wb.hierarchy.rule", [short["builder"], *([parameters] if parameters else [])], details)
    return Call("wb.hierarchy.HierarchyRule", [short])


def _file(state: SessionState, name: str, hierarchy: Hierarchy) -> Any:
    """The file it was imported from, if it can be found, with what was declared of it."""
    data = Path(state.opened.reading.path)
    beside = [one.path for one in matching_hierarchies(data, [name]).get(name, ())]
    for path in dict.fromkeys((*state.hierarchy_files, *beside)):
        try:
            there = read_hierarchy(path)
        except (WorkbenchError, OSError):
            continue
        if _same(there, hierarchy):
            public = hierarchy.provenance is Provenance.PUBLIC
            if there.provenance is hierarchy.provenance:
                return str(path)
            return Call("wb.hierarchy.read", [str(path)], {"declared": public})
    raise _cannot(f"The file that the hierarchy of “{name}” came from is not known any more.", _AS_FILE)


def _same(one: Hierarchy, other: Hierarchy) -> bool:
    """Whether both say the same of every value; what is listed only because everything else becomes `*` counts not."""
    rows = [set(each.rows()[: len(each.values) - each.added]) for each in (one, other)]
    return rows[0] == rows[1]


def _shortened(spec: Any) -> dict[str, Any]:
    """A specification without what it would say anyway."""
    whole = normalised(spec)
    short = {name: value for name, value in whole.items() if name != "about"}
    given = dict(short.get("parameters", {}))
    for name in list(given):
        without = {key: value for key, value in given.items() if key != name}
        if normalised({**whole, "parameters": without}) == whole:
            given = without
    return {**short, "parameters": given}


def _cannot(what: str, hint: str) -> WorkbenchError:
    return WorkbenchError(f"{what} Python code cannot say that.", hint=hint, field="python")


_OF_A_RULE = {"format", "version", "builder", "parameters", "details"}
_AS_FILE = "Save it as a file beside the data, and import that."
