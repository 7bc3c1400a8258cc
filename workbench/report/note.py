"""The note for programs beside a release, as JSON: versions, parameters, and the file's own fingerprint.

Nothing in it is about the data the release was made from, neither its name nor its fingerprint nor a count.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from json import JSONDecodeError
from pathlib import Path
from typing import Any

from workbench import __version__
from workbench.anonymise.after_draw import AS_DRAWN, AfterDraw
from workbench.anonymise.privacy import MODELS, ModelChoice
from workbench.anonymise.released_columns import AS_IT_IS
from workbench.anonymise.row_orders import BY_LABELS
from workbench.core.building import builder_of
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY, Hierarchy
from workbench.core.json_values import read_json
from workbench.core.trust import Origin
from workbench.io.atomic import atomic_write
from workbench.io.export_format import ExportFormat
from workbench.report.absent_combinations import COMBINATIONS, absent_combinations
from workbench.report.column_labels import column_labels
from workbench.report.few_rows import IN_FEW_ROWS, fewest, levels_of
from workbench.report.file_facts import FileFacts
from workbench.report.label_counts import LABEL_COUNTS, label_counts
from workbench.report.page import EMBEDDED, one_line_end
from workbench.report.page_check import refuse_page
from workbench.report.publisher import WITH_PUBLISHER, Publisher, with_publisher
from workbench.report.recheck_stated import StatedChain
from workbench.report.recheck_told import ToldOfFile, ToldOfLabels
from workbench.report.said_to_occur import IN_NO_ROW, stated_numbers, whole_words

PROGRAM = "anonymisation workbench"
FORMAT = "anonymisation-workbench-release"
VERSION = 34
"""Version 1 held less than its statement is made from, see `older_notes`; version 3 was the first of releases that are
trimmed. Version 4 says how many releases an (ε, δ) counts, and words statements otherwise than those before. Version 5
parts what the program worked out from what only the publisher can say, and tells what holds for the choices as they are
where what the data shows decided some of them. Version 6 says whether it is known how many people there are, so that
what is promised is about other neighbours; its statements begin with what a reader must know to use the file. Version 7
says what was done to released rows after the draw, and names the levels of trimmed releases by words. Version 8 is the
first of those in which the publisher speaks too (`workbench.report.publisher`). Version 9 tells what holds for the
choices as they are after a look at the data, too, and what was looked at. The statements of version 10 give no example
of labels that stand side by side, which was one of ages whatever the columns held, and those of privacy models, which
were of version 2 before, say what is counted. Version 11 holds figures of the released rows of a trimmed release, with
which its statement shows how to count. Version 12 shows a released label of each level that has a number and no
name. The statements of version 13 say that δ is counted in how often a guess is right, and print what steps spend so
that it adds up to what is promised. Those of version 14 say what rows are replaced by, and where the rows of a person
are limited that it is a person with all of them; of labels, that what becomes which was not decided by the data. In
version 15 the promise itself is about such a person, too, and coarser labels may stand beside finer ones. The
statements of version 16 say that choices may follow from the table where nobody says that they do not. Version 17 lists
what was said to occur in columns, where steps follow from it. The statements of version 18 say what the promise means
for a value of a person, and how many rows were expected where others may know that. Those of version 19 say what to do
with each column before it is counted by, and what exactly is promised after that; those of version 20 part that from
how much counts are too low, say that groups of few rows are what is left of them, and of people of whom one row takes
part no more than that. The statements of version 21 tell counting by all columns at once, where each group of the
finest labels is added to, from counting by one column; its assertions say how many people were expected where
everybody has one row. Those of version 22 speak of the columns that take part, as others than these may be decided by
the released rows. Version 23 says of the columns of hierarchies that the publisher vouches for what was said to occur
in them, in the sentence that they sign, and states which of that is from where to where numbers run. The statements of
version 24 say to count rows as they stand where no column of the file has labels of several levels. Those of version 25
say how often what is true of somebody who is known to be in the table is guessed right. Version 26 holds which of the
words that were said to occur no released row says; its statements begin with that, with how much counts are too low,
and with people where of each of them one row was chosen. Version 27 holds which labels can occur in columns, of which
it names those that no released row says, the released rows by label, and how many rows a group mostly gives up. The
statements of version 28 say in sentences to be read once how often a guess about one person is right. Version 29
holds which combinations of values no row has; its statements begin with the claim and with what the file is. Version 30
counts columns of more labels by label, and has words for intervals that widen. Version 31 holds of each label of how
many groups it could be, and the combinations that no row has also where a value is missing; its statements say each
rule of counting once. Version 32 names intervals that no row says by the labels that the file would have for them.
The statements of version 33 add what groups gave up exactly as it is printed. Those of version 34 list values as a CSV
file has them."""
NEWEST = max(VERSION, WITH_PUBLISHER)
SAMPLED = "sampled, generalised, suppressed"
TRIMMED = "trimmed, generalised"
SYNTACTIC = "generalised, suppressed"
LABELS = "labels"
STEP, COUNT = "the step at which the row was released", "how many rows the line stands for"
"""The contents of the columns that a trimmed release adds."""
WITHOUT_CLAIM = "Which rows, groups and levels are in it depends on every row of the data."
_LARGEST = 1 << 24


def metadata(file: FileFacts, release: Mapping[str, Any], publisher: Publisher | None = None) -> dict[str, Any]:
    """The whole note. `release` is from `described` (`workbench.report.release_note`) or `syntactic`."""
    note = {
        **_about(release),
        "date": file.day,
        "file": file.to_json(),
        "release": dict(release),
        "read_back": file.rechecked.to_json(public=True),
    }
    return with_publisher(note, publisher)


def facts_of(
    release: Mapping[str, Any],
    neutralised: int = 0,
    file: FileFacts | None = None,
    publisher: Publisher | None = None,
) -> dict[str, Any]:
    """The facts that a statement is made from: the note of the file or, where none is written yet, what is known of it.

    Parameters
    ----------
    release
        From `described` or `syntactic`.
    neutralised
        Cell texts that are made safe for spreadsheets.
    publisher
        Who speaks in it beside the program; None for nobody.
    """
    if file is not None:
        return metadata(file, release, publisher)
    known = {**_about(release), "file": {"texts_made_safe_for_spreadsheets": neutralised}, "release": dict(release)}
    return with_publisher(known, publisher)


def _about(release: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "program": {"name": PROGRAM, "version": __version__},
    }


def syntactic(
    names: tuple[str, ...],
    hierarchies: Mapping[str, Hierarchy],
    levels: Mapping[str, int],
    models: tuple[ModelChoice, ...],
    *,
    mixed_levels: bool,
) -> dict[str, Any]:
    """The facts stated about a release of privacy models without an (ε, δ) claim."""
    return {
        "kind": SYNTACTIC,
        "claim": False,
        "promised": None,
        "models": [model_of(choice) for choice in models],
        "columns": columns_of(names, tuple(hierarchies), hierarchies, {} if mixed_levels else levels),
        "mixed_levels": mixed_levels,
        "order": BY_LABELS,
        "reasons": [WITHOUT_CLAIM],
    }


def model_of(choice: ModelChoice) -> dict[str, Any]:
    stated = {"model": choice.identifier, "parameters": {n: v for n, v in choice.checked().items() if v != ""}}
    return stated | _made_by(MODELS.origin(choice.identifier))


def _made_by(origin: Origin) -> dict[str, Any]:
    """The plug-in that decided, where it was not the program itself."""
    return {} if origin.built_in else {"plugin": origin.to_json()}


def columns_of(
    names: tuple[str, ...],
    grouped: Collection[str],
    hierarchies: Mapping[str, Hierarchy],
    levels: Mapping[str, int],
    told_without: Mapping[str, str] | None = None,
) -> list[dict[str, Any]]:
    """The columns; nothing but `told_without` is said about those whose hierarchies must not be spoken of.

    Statements of models do not speak of origins, and have no such columns.
    """
    columns = []
    for name in names:
        column: dict[str, Any] = {"name": name, "grouped": name in grouped, "shown": AS_IT_IS}
        if told_without is not None and name in told_without:
            column["shown"] = told_without[name]
            if told_without[name] == AS_IT_IS:
                column["level"] = 0  # whatever its hierarchy is
        elif name in grouped and name in hierarchies:
            hierarchy = hierarchies[name]
            column["shown"] = LABELS
            column["hierarchy"] = {"height": hierarchy.height, "provenance": hierarchy.provenance.value}
            column["hierarchy"] |= _made_by(builder_of(hierarchy))
            if told_without is not None:
                column["hierarchy"]["origin"] = hierarchy.origin
            if name in levels:
                column["level"] = levels[name]
        columns.append(column)
    return columns


def write_metadata(path: Path, note: Mapping[str, Any], protected: Collection[Path] = ()) -> None:
    """Write a note as JSON, whole or not at all.

    Raises
    ------
    WorkbenchError
        If it cannot be written or is one of the `protected` files.
    """
    with atomic_write(path, protected=protected) as stream:
        stream.write((json.dumps(note, ensure_ascii=False, allow_nan=False, indent=1) + "\n").encode())


@dataclass(frozen=True)
class StatedFile:
    """The file of a note; `parts` is the number of files in a folder of parts, 0 for one file.

    `starred` are the columns in which every value became `*`, at whatever level that is. `sampled` is
    whether it is an (ε, δ) release, of which small groups are dropped; `chain` are the steps of one that was trimmed,
    and `told` what its statement tells of its rows. `by_labels` is whether the rows are said to be in their order.
    """

    name: str
    models: tuple[ModelChoice, ...]
    columns: tuple[str, ...]
    grouped: tuple[str, ...]
    levels: Mapping[str, int]
    mixed_levels: bool
    claim: bool
    rows: int
    fingerprint: str
    style: ExportFormat
    parts: int = 0
    starred: tuple[str, ...] = ()
    sampled: bool = False
    chain: StatedChain | None = None
    told: ToldOfFile | None = None
    by_labels: bool = False


@dataclass(frozen=True)
class StatementDocument:
    """A statement or a note that was read.

    Parameters
    ----------
    name
        That of its file.
    facts
        What a program can read in it.
    page
        The whole page; "" for a note.
    path
        Where it lies.
    sha256
        Of its bytes.
    """

    name: str
    facts: Mapping[str, Any]
    page: str
    path: Path
    sha256: str

    @property
    def stated(self) -> StatedFile:
        """The facts that it states about its file.

        Raises
        ------
        WorkbenchError
            If it is not as this program writes it.
        """
        try:
            return _stated(self.facts)
        except _MALFORMED as error:
            raise _no_statement(self.name, error) from error


def read_stated(path: Path) -> StatedFile:
    """The facts that a note, or a statement with a note in it, states about its file.

    Raises
    ------
    WorkbenchError
        If it cannot be read or is neither.
    """
    return read_document(path).stated


def read_document(path: Path) -> StatementDocument:
    """Read a note, or a statement with a note in it.

    Raises
    ------
    WorkbenchError
        If it cannot be read or is neither.
    """
    try:
        size = path.stat().st_size
    except FileNotFoundError as error:
        raise WorkbenchError(
            f"There is no file “{path}”.", hint="It may have been moved or renamed.", field="statement"
        ) from error
    except OSError as error:
        raise WorkbenchError(
            f"“{path}” cannot be read: {error.strerror}.", hint="Check that you may read it.", field="statement"
        ) from error
    try:
        if size > _LARGEST:
            raise ValueError("it is too large")
        content = path.read_bytes()
        text = one_line_end(content.decode("utf-8"))
        page = EMBEDDED in text
        refuse_page(path.name, text)
        inner = text.split(EMBEDDED, 1)[1].split("</script>", 1)[0] if page else text
        plain = read_json(inner)
        if plain["format"] != FORMAT or type(plain["version"]) is not int or not 1 <= plain["version"] <= NEWEST:
            raise ValueError("it is of another kind or a newer version")
        return StatementDocument(path.name, plain, text if page else "", path, sha256(content).hexdigest())
    except _MALFORMED as error:
        raise _no_statement(path.name, error) from error


_MALFORMED = (OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)


def _no_statement(name: str, error: Exception) -> WorkbenchError:
    return WorkbenchError(
        f"“{name}” is no statement or note of a release that a program can read: {_why(error)}.",
        hint="Give the HTML statement or the JSON that was written with the release.",
        field="statement",
    )


def _why(error: Exception) -> str:
    """What is wrong, for whoever received the file and never saw what a program reads in it."""
    if isinstance(error, JSONDecodeError):
        return "nothing that a program could read stands in it, or it is damaged"
    if isinstance(error, KeyError):
        return f"“{error.args[0]}” is missing"
    if isinstance(error, (IndexError, TypeError, AttributeError, ArithmeticError, RecursionError)):
        return "it is not made up as one"
    return str(error)


def _file_name(name: object) -> str:
    """The name, which says where to look for what lies beside the file."""
    if not isinstance(name, str) or name in ("", ".", "..") or len(name) > 255 or {"/", "\0"} & set(name):
        raise ValueError("the name in it is none of a file")
    return name


def _stated(plain: Mapping[str, Any]) -> StatedFile:
    columns = plain["release"]["columns"]
    grouped = [column for column in columns if column["grouped"]]
    levels = {str(column["name"]): int(column["level"]) for column in columns if "level" in column}
    return StatedFile(
        _file_name(plain["file"]["name"]),
        tuple(ModelChoice(str(one["model"]), dict(one["parameters"])) for one in plain["release"]["models"]),
        tuple(str(column["name"]) for column in columns),
        tuple(str(column["name"]) for column in grouped),
        levels,
        bool(plain["release"]["mixed_levels"]),
        bool(plain["release"]["claim"]),
        int(plain["read_back"]["rows"]),
        str(plain["file"]["sha256"]),
        ExportFormat.from_json(dict(plain["file"]["written"])),
        int(plain["file"].get("parts", 0)),
        tuple(str(column["name"]) for column in grouped if column.get("shown") == ANY),
        plain["release"]["kind"] in (SAMPLED, TRIMMED),
        _chain(plain["release"]) if plain["release"]["kind"] == TRIMMED else None,
        _told(plain["release"], plain["version"]) if "stars" in plain["release"] else None,
        plain["release"]["kind"] in (SAMPLED, TRIMMED) and plain["release"].get("order") == BY_LABELS,
    )


def _told(release: Mapping[str, Any], version: int) -> ToldOfFile:
    stars, blank = ({str(name): int(rows) for name, rows in dict(release[one]).items()} for one in ("stars", "blank"))
    worked = release["worked"]
    shown = {str(n): tuple(map(str, dict(some).values())) for n, some in dict(release.get("examples", {})).items()}
    labels = {} if worked is None else {str(n): str(v) for n, v in dict(worked["labels"]).items()}
    rows = 0 if worked is None else int(worked["rows"])
    found = ToldOfFile(stars, blank, labels, rows, shown)
    if IN_NO_ROW not in release:
        return found
    absent, few = dict(release[IN_NO_ROW]), dict(release.get(IN_FEW_ROWS, {}))
    found = replace(found, in_no_row=absent, in_few_rows=few, least=fewest(release))
    if LABEL_COUNTS not in release:
        words, numbers = whole_words(release), stated_numbers(release)
        return replace(found, words=words, numbers=numbers, levels=levels_of(release))
    counts = dict(release[LABEL_COUNTS])
    counted = partial(label_counts, release, version=version)
    of_labels = ToldOfLabels(column_labels(release), counted, counts, version=version)
    if COMBINATIONS in release:
        absent = dict(release[COMBINATIONS])
        pair = partial(absent_combinations, release, version=version)
        of_labels = replace(of_labels, pair=pair, combinations=absent)
    return replace(found, of_labels=of_labels)


def after_of(release: Mapping[str, Any]) -> AfterDraw:
    """The changes after the draw that a note states, beside a column that was added.

    Raises
    ------
    ValueError, KeyError, TypeError
        If it is not stated as this program states it.
    """
    after = release.get("after")
    if after is None:
        return AS_DRAWN
    number = after["one_level"]
    if type(number) is not int or not 0 <= number <= len(release["steps"]):
        raise ValueError(f"{number} is no step")
    return AfterDraw(tuple(str(one["name"]) for one in after["left_out"]), number)


def taking_part(release: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The columns that take part in what makes rows alike or stand beside them, those too that were left out.

    They stand in the order of the draw, in which sentences name them.
    """
    left_out = (release.get("after") or {"left_out": ()})["left_out"]
    if not left_out:
        return list(release["columns"])
    place = {name: number for number, name in enumerate(release["steps"][0]["levels"])}
    return sorted([*release["columns"], *left_out], key=lambda column: place.get(column["name"], len(place)))


def _chain(release: Mapping[str, Any]) -> StatedChain:
    after = after_of(release)
    steps = [
        {str(name): ANY if level == ANY else int(level) for name, level in dict(step["levels"]).items()}
        for step in release["steps"]
    ]
    if not steps:
        raise ValueError("it has no steps")
    if after.one_level:
        steps = [steps[after.one_level - 1]]
    steps = [{name: level for name, level in step.items() if name not in after.left_out} for step in steps]
    return StatedChain(tuple(steps), str(release["step_column"]), str(release["count_column"]))
