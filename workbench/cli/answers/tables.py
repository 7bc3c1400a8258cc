"""The JSON that commands print with `--json` of files, hierarchies, projects and reports."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

from workbench.cli.answers.parts import FormatJson, Note, Plain, UnreadJson
from workbench.core.schema import PrivacyUnit


class DialectJson(TypedDict):
    """The dialect of a file."""

    delimiter: str
    encoding: str
    header: bool
    quote: str
    skip_lines: int
    skip_spaces: NotRequired[bool]
    sheet: NotRequired[str]
    query: NotRequired[str]
    labels: NotRequired[bool]


class ProfiledJson(TypedDict):
    """A column of a file."""

    name: str
    kind: str
    format: FormatJson
    distinct: int | None
    missing: int | None
    misfits: int | None
    distinction: NotRequired[float | None]
    separation: NotRequired[float | None]


class ProblemJson(TypedDict):
    """A line that could not be read as it is."""

    line: int
    reason: str
    text: str
    kept: bool
    part: str


class SuggestionJson(TypedDict):
    """A role that columns may have."""

    columns: list[str]
    role: str
    reason: str


class NewValuesJson(TypedDict):
    """Values that a project does not know."""

    column: str
    count: int
    examples: list[str]


class MisfitsJson(TypedDict):
    """Rows whose value does not fit the kind of a column."""

    column: str
    rows: int


class DifferencesJson(TypedDict):
    """The differences from what a project expects."""

    missing: list[str]
    new: list[str]
    new_values: list[NewValuesJson]
    misfits: list[MisfitsJson]
    filter_problem: str


class ProfileJson(TypedDict):
    """The content of a file."""

    rows: int
    engine: str
    form: str
    sheets: list[str]
    columns: list[ProfiledJson]
    dialect: DialectJson
    problems: list[ProblemJson]
    problem_count: int
    suggestions: list[SuggestionJson]
    recorded: bool
    differences: NotRequired[DifferencesJson]


class HierarchyBuiltJson(TypedDict):
    """A hierarchy that was written."""

    out: str
    values: int
    groups: list[int]
    provenance: str
    origin: str


class SplitJson(TypedDict):
    """A group of a level whose values have several labels on the next one."""

    level: int
    group: str
    labels: list[str]
    values: list[str]


class MisplacedJson(TypedDict):
    """A label that reads as an interval of numbers, and the numbers under it that it does not hold."""

    level: int
    label: str
    values: list[str]


class HierarchyCheckedJson(TypedDict):
    """The check of a hierarchy: whether it is one, and fits a column."""

    values: int
    levels: int
    groups: list[int]
    provenance: str
    origin: str
    how_public: str
    nested: bool
    not_nested: list[SplitJson]
    misplaced: list[MisplacedJson]
    duplicates: list[str]
    rows: int | None
    uncovered: list[str]
    uncovered_rows: int | None
    smallest_groups: list[int] | None


class ProjectColumnJson(TypedDict):
    """A column as a project describes it."""

    name: str
    kind: str
    role: str
    format: FormatJson
    missing: list[str]
    misfits: str
    bounds: list[float] | None
    domain: list[str] | None
    observed: list[str]
    unit: str


class ProjectDataJson(TypedDict):
    """The place where the data of a project is."""

    path: str
    engine: str


class ProjectHierarchyJson(TypedDict):
    """A hierarchy of a column, and the level it is at."""

    height: int
    provenance: str
    origin: str
    level: int


class ProjectRuleJson(TypedDict):
    """A rule by which a hierarchy is made."""

    provenance: str
    origin: str


class ProjectJson(UnreadJson):
    """A project: its columns, hierarchies and settings."""

    data: ProjectDataJson | None
    columns: list[ProjectColumnJson]
    unit: PrivacyUnit
    hierarchies: dict[str, ProjectHierarchyJson]
    rules: dict[str, ProjectRuleJson]
    settings: dict[str, Plain | list[Any] | dict[str, Any]]
    experiments: int
    releases: int
    out: NotRequired[str]
    project: NotRequired[str]


class ProjectCheckedJson(UnreadJson):
    """The check of a project: whether it fits its data, and what a run could claim."""

    fits: bool
    problems: Note
    claim: bool | None
    reasons: Note
    looked: bool
    recorded: NotRequired[bool]


class ReportJson(UnreadJson):
    """Reports that were written."""

    release_report: list[str]
    analyst_report: list[str]
    notes: Note
    shows_rows: bool
    recorded: bool
