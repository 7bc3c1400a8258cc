"""What a program needs to know of a release, as JSON beside it: versions, parameters, and the file's own fingerprint.

Nothing in it is about the data the release was made from, neither its name nor its fingerprint nor a count.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench import __version__
from workbench.anonymise.claim import Claim
from workbench.anonymise.mechanism import Outcome, Treatment
from workbench.anonymise.privacy import MODELS, ModelChoice
from workbench.core.building import builder_of
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.trust import Origin
from workbench.io.atomic import atomic_write
from workbench.io.export_format import ExportFormat
from workbench.report.file_facts import FileFacts
from workbench.report.page import EMBEDDED
from workbench.report.recheck import Stated

FORMAT = "anonymisation-workbench-release"
VERSION = 1
_LARGEST = 1 << 24


def metadata(file: FileFacts, release: Mapping[str, Any]) -> dict[str, Any]:
    """The whole note. `release` is from `sampled` or `syntactic`."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "program": {"name": "anonymisation workbench", "version": __version__},
        "file": {
            "name": file.name,
            "sha256": file.fingerprint,
            "bytes": file.size,
            **({"parts": file.parts} if file.parts else {}),
            "written": file.style.to_json(),
            "texts_made_safe_for_spreadsheets": file.neutralised,
        },
        "release": dict(release),
        "read_back": file.rechecked.to_json(public=True),
    }


def sampled(hierarchies: Mapping[str, Hierarchy], outcome: Outcome, claim: Claim) -> dict[str, Any]:
    """What is stated about an (ε, δ) release."""
    promised, recipe = claim.guarantee, outcome.recipe
    grouped = [plan.name for plan in recipe.named(Treatment.GENERALISE)]
    return {
        "kind": "sampled, generalised, suppressed",
        "claim": claim.holds,
        "promised": {"epsilon": promised.epsilon, "delta": promised.delta, "neighbours": "add or remove one person"}
        if claim.holds
        else None,
        "rows_per_person": promised.rows_per_person,
        "beta": recipe.beta,
        "k": recipe.k,
        "accounting": promised.accounting.value,
        "simulation": not outcome.secure,
        "engine": outcome.engine or "memory",
        "models": [_model(ModelChoice("k-anonymity", {"k": recipe.k}))] if recipe.k > 1 else [],
        "columns": _columns(outcome.release.names, grouped, hierarchies, recipe.levels),
        "mixed_levels": False,
        "reasons": [reason.text for reason in claim.reasons],
    }


def stated_of_sampled(hierarchies: Mapping[str, Hierarchy], outcome: Outcome, claim: Claim) -> Stated:
    """What must be so in the file of an (ε, δ) release. Nothing in it depends on rows that are not in the file."""
    recipe = outcome.recipe
    grouped = tuple(plan.name for plan in recipe.named(Treatment.GENERALISE))
    used = {name: hierarchies[name] for name in grouped if name in hierarchies}
    return Stated(
        models=(ModelChoice("k-anonymity", {"k": recipe.k}),) if recipe.k > 1 else (),
        grouped=grouped,
        hierarchies=used,
        levels={name: recipe.levels[name] for name in used},
        columns=outcome.release.names,
        all_grouped=claim.holds,
        rows=outcome.release.rows,
    )


def syntactic(
    names: tuple[str, ...],
    hierarchies: Mapping[str, Hierarchy],
    levels: Mapping[str, int],
    models: tuple[ModelChoice, ...],
    *,
    mixed_levels: bool,
) -> dict[str, Any]:
    """What is stated about a release of privacy models without an (ε, δ) claim."""
    return {
        "kind": "generalised, suppressed",
        "claim": False,
        "promised": None,
        "models": [_model(choice) for choice in models],
        "columns": _columns(names, tuple(hierarchies), hierarchies, {} if mixed_levels else levels),
        "mixed_levels": mixed_levels,
        "reasons": ["Which rows, groups and levels are in it depends on every row of the data."],
    }


def _model(choice: ModelChoice) -> dict[str, Any]:
    stated = {"model": choice.identifier, "parameters": {n: v for n, v in choice.checked().items() if v != ""}}
    return stated | _made_by(MODELS.origin(choice.identifier))


def _made_by(origin: Origin) -> dict[str, Any]:
    """The plug-in that decided, where it was not the program itself."""
    return {} if origin.built_in else {"plugin": origin.to_json()}


def _columns(
    names: tuple[str, ...], grouped: Any, hierarchies: Mapping[str, Hierarchy], levels: Mapping[str, int]
) -> list[dict[str, Any]]:
    columns = []
    for name in names:
        column: dict[str, Any] = {"name": name, "grouped": name in grouped}
        if name in grouped and name in hierarchies:
            hierarchy = hierarchies[name]
            column["hierarchy"] = {"height": hierarchy.height, "provenance": hierarchy.provenance.value}
            column["hierarchy"] |= _made_by(builder_of(hierarchy))
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
    """What a note says about its file; `parts` is the number of files in a folder of parts, 0 for one file."""

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


def read_stated(path: Path) -> StatedFile:
    """What a note, or a statement with a note in it, says about its file.

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
        text = path.read_text("utf-8")
        if EMBEDDED in text:
            text = text.split(EMBEDDED, 1)[1].split("</script>", 1)[0]
        plain = json.loads(text)
        if plain["format"] != FORMAT or plain["version"] > VERSION:
            raise ValueError("it is of another kind or a newer version")
        columns = plain["release"]["columns"]
        return StatedFile(
            str(plain["file"]["name"]),
            tuple(ModelChoice(str(one["model"]), dict(one["parameters"])) for one in plain["release"]["models"]),
            tuple(str(column["name"]) for column in columns),
            tuple(str(column["name"]) for column in columns if column["grouped"]),
            {str(column["name"]): int(column["level"]) for column in columns if "level" in column},
            bool(plain["release"]["mixed_levels"]),
            bool(plain["release"]["claim"]),
            int(plain["read_back"]["rows"]),
            str(plain["file"]["sha256"]),
            ExportFormat.from_json(dict(plain["file"]["written"])),
            int(plain["file"].get("parts", 0)),
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise WorkbenchError(
            f"“{path.name}” is no statement or note of a release that a program can read: {error}.",
            hint="Give the HTML statement or the JSON that was written with the release.",
            field="statement",
        ) from error
