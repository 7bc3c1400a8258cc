"""What the window takes from below the session: values, charts and words about them. It computes nothing.

Every name that a module of `workbench/gui` imports from a layer below `workbench/session` is looked at here. Frozen
dataclasses, enumerations, errors, registries and constants are free. Everything else stands in one of the lists below,
which are exact: what is not listed fails, and so does what is listed and no longer imported. `COMPUTED` is what is left
to be asked of the session instead; `MOST` holds it down.
"""

from __future__ import annotations

import ast
import dataclasses
import enum
import importlib
import types
from collections.abc import Iterator, Mapping
from pathlib import Path

from workbench.core.plugins import Registry

ROOT = Path(__file__).resolve().parents[1]
BELOW = frozenset(
    ["core", "io", "anonymise", "query", "ldp", "mechanisms", "engines", "evaluate", "project", "report"]
)  # and `plots`, whose charts the window draws
WORDS_AND_EDITS = {
    "workbench.anonymise.promise": "a computed ε, δ, β or k as it may be typed",
    "workbench.core.amount_text": "an ε or a δ that was typed",
    "workbench.core.builder_suggestions": "which builders suit a column, by its description",
    "workbench.core.building.normalised": "a specification with its defaults",
    "workbench.core.building.specification": "a specification to start from",
    "workbench.core.hierarchy_checks": "the specification of a hierarchy, to be edited",
    "workbench.core.dates.ways_to_write": "the patterns of dates that one field names",
    "workbench.core.exact": "a fraction as text",
    "workbench.core.filter_example": "an example of a filter, by how columns are described",
    "workbench.core.filter_words": "the words of a filter that is being typed",
    "workbench.core.filtering": "a filter as it is written and read",
    "workbench.core.glossary.glossary": "the words of the program, read on another thread",
    "workbench.core.kinds.is_missing": "whether a text stands for no value",
    "workbench.core.kinds.parse": "a number or date that was typed",
    "workbench.core.first_few": "the first few of many texts, and how many more there are",
    "workbench.core.level_words": "a level of a hierarchy in words",
    "workbench.core.moments": "moments and calendar units as text",
    "workbench.core.number_text": "numbers as text",
    "workbench.core.occurring.entries_of": "what was typed, parted into values",
    "workbench.core.occurring_listed.listing_of": "the same as text, to be read as it was typed",
    "workbench.core.params": "a parameter as it is typed",
    "workbench.core.paths": "where shipped files are",
    "workbench.core.presets": "a specification to start from",
    "workbench.core.role_words.sign_in_name": "the word in a column's name that speaks for its role",
    "workbench.core.role_suggestions.without_counts": "a reason in words that count nothing",
    "workbench.core.settings": "how a setting is declared",
    "workbench.core.specification_edits": "an edited specification",
    "workbench.core.tree_edits": "an edited tree",
    "workbench.core.trees.repaired": "edited rows of a hierarchy",
    "workbench.core.usual_delta": "a δ that suits a number that was typed",
    "workbench.core.versions": "what is installed, as lines of text",
    "workbench.core.visible": "other people's text made visible",
    "workbench.engines.budget.in_words": "bytes as text",
    "workbench.evaluate.figure_settings.print_width": "which printed size a figure has",
    "workbench.evaluate.trimming_loss.loss_words": "what trimming takes, by a formula, as text",
    "workbench.project.names_beside": "names of what goes with a release",
    "workbench.report.statement_parts.given_words": "what was seen before a draw, in words",
    "workbench.evaluate.class_words": "how wide the classes of a release are, and what that alone errs by, as text",
    "workbench.evaluate.drawn_row": "what drawing one row of each person moves, by a formula, as text",
    "workbench.evaluate.left_out.left_out_words": "what no error of a comparison has in it, as text",
    "workbench.evaluate.enough": "from which ε on a way errs less than a limit, of what was found, and as text",
    "workbench.evaluate.enough_advice": "the same beside a way, as text",
    "workbench.evaluate.enough_words": "the same of all ways, as text",
    "workbench.evaluate.protection_words": "what ε hides with a way, as text",
    "workbench.evaluate.headline": "which way and which ε, and why, as text above the tiles",
    "workbench.evaluate.basis_words": "what the errors of all tiles rest on, as text",
    "workbench.evaluate.setting_words": "what a tile says of the setting that answers, as text",
    "workbench.evaluate.tile_words": "what a tile says of its way, as text",
    "workbench.evaluate.winning_words": "why a way errs less than others, as text",
    "workbench.evaluate.verdict": "what was found, at one place of an axis, and its errors as text",
    "workbench.evaluate.experiment_edits": "an edited experiment",
    "workbench.evaluate.method_list": "which methods there are, and a choice among them",
    "workbench.evaluate.places": "places on an axis",
    "workbench.evaluate.published.catalogue": "which figure a typed number or word means",
    "workbench.evaluate.preset.said_of": "the sentences of a preset as they are true beside a run, as text",
    "workbench.evaluate.question": "what goes with a question",
    "workbench.io.addresses.is_address": "whether a path is the address of a database",
    "workbench.io.dialect_words": "how a file is written, in words",
    "workbench.io.hierarchy_csv.file_words": "how a hierarchy came to be, in words",
    "workbench.io.hierarchy_library.fitting_entries": "which entries go with a column, by their names",
    "workbench.io.missing_package": "the command that installs a package",
    "workbench.ldp.encoding.chosen_how": "what goes with a column",
    "workbench.ldp.fitting": "what goes with a column or a protocol",
    "workbench.ldp.simulation.frequency_choices": "which protocols count values",
    "workbench.mechanisms.channel_text.for_spreadsheet": "a matrix as text",
    "workbench.mechanisms.channel_text.latex_table": "a matrix as text",
    "workbench.mechanisms.channel_text.to_csv": "a matrix as text",
    "workbench.mechanisms.channel_text.to_latex": "a matrix as text",
    "workbench.mechanisms.prism.to_prism": "a matrix as text",
    "workbench.project.auditable": "which mechanisms there are",
    "workbench.query.experiments.metrics_of": "what goes with a question",
    "workbench.query.relevance": "which parameters matter, and an edited question",
    "workbench.report.release_report.claim_of": "the claim of an entry of the ledger, in words",
}
"""Modules, or functions of them, that write a value as text, edit one, or say what goes with it: no row, no file."""

SERVICES = {
    "workbench.core.freed_memory.give_back": "after work in the background, on its thread, and of the window",
    "workbench.core.freed_memory.share_one_pool": "before the first thread begins",
    "workbench.core.importing.import_some": "the modules of a room, some at a time",
    "workbench.core.garbage": "when unreachable objects are let go, and on which thread",
    "workbench.core.hierarchy_preview.ColumnMaterial": "what previews of a column share",
    "workbench.core.pace.Pace": "how long a job still takes",
    "workbench.core.progress.CancelToken": "jobs are cancelled by it",
    "workbench.core.progress.Progress": "every job reports to one",
    "workbench.core.progress.SILENT": "one for who does not ask",
    "workbench.engines.budget.MemoryBudget": "one for the whole window",
    "workbench.engines.store.Store": "the engines that are running are shown and closed",
    "workbench.evaluate.experiment_run.Gate": "holds experiments while the person pauses them",
    "workbench.project.place.DocumentPlace": "where a document is",
    "workbench.project.recovery.Slot": "what is kept of a document for a crash",
    "workbench.query.ledger.Ledger": "what a desk of the session gives",
}
"""Classes with a state that the window holds or names in a type."""

COMPUTED: Mapping[str, str] = {
    "workbench.core.column_facts.coverage": "how an attached hierarchy meets a column that was edited",
    "workbench.core.column_facts.misfitting": "the values that do not fit, listed in a dialog",
    "workbench.core.hierarchy_preview.build_preview": "a draft is no part of the project: no session knows it",
    "workbench.core.json_values.read_json": "the settings of the window itself",
    "workbench.engines.budget.memory_in_use": "shown while the budget is chosen",
    "workbench.engines.budget.memory_of_machine": "shown while the budget is chosen",
    "workbench.engines.budget.usual_limit": "offered while the budget is chosen",
    "workbench.io.addresses.ask_with": "a window has no console, so that it asks for passwords itself",
    "workbench.io.addresses.credentials_for": "who was said to ask at a database, shown when it refused",
    "workbench.io.addresses.remember": "who asks at a database is said to this process, and to no session",
    "workbench.io.atomic.atomic_write": "texts and pictures are saved from where they are seen",
    "workbench.core.interval_labels.misplaced": "how many such labels there are, marked in the list of columns",
    "workbench.io.hierarchy_csv.is_unsaid": "whether somebody has said how a hierarchy was made",
    "workbench.io.hierarchy_csv.nobody_said": "that nobody knows how a hierarchy was made",
    "workbench.io.hierarchy_csv.write_hierarchy": "a hierarchy is saved from where it is seen",
    "workbench.io.hierarchy_import.read_files": "files become drafts, which no session knows",
    "workbench.io.hierarchy_library": "entries become drafts, which no session knows",
    "workbench.io.infer.agreeing": "a file is looked at before it is opened",
    "workbench.io.infer.propose": "a file is looked at before it is opened",
    "workbench.io.hierarchy_files.matching_hierarchies": "files become drafts, which no session knows",
    "workbench.io.parts.is_there": "a file is looked at before it is opened",
    "workbench.io.parts.parts_of": "a file is looked at before it is opened",
    "workbench.io.protected_files.protect": "a document protects its files while it is open",
    "workbench.io.pseudonym_key.usual_pseudonym_key": "where a key usually lies, shown before it is read",
    "workbench.io.reading.preview": "a file is looked at before it is opened",
    "workbench.io.writing.write_csv": "the ledger is saved from where it is seen",
    "workbench.mechanisms.channel_text.read_channel": "a matrix is typed or read from a file",
    "workbench.mechanisms.channel_text.write_channel": "a matrix is saved from where it is seen",
    "workbench.project.model.new_project": "a document begins with a new project",
    "workbench.project.lately.lately_released": "which releases lie beside files that were open, on another thread",
    "workbench.project.outside.choose": "a document decides which folder its files are in",
    "workbench.project.outside.is_chosen": "nothing is asked of a server before somebody chose it",
    "workbench.project.outside.is_outside": "a document decides which folder its files are in",
    "workbench.project.storage.load_project": "a document is opened by the window",
    "workbench.query.ledger_file.ledgers_folder": "shown, and handed to the session",
    "workbench.query.ledger_table.ledger_table": "the ledger as a table that is seen",
    "workbench.query.composed_views.composed_views": "the sum of a ledger in another accounting",
    "workbench.core.release_spending.with_number_known": "entries as they count where a number is known",
}
"""Functions that look at rows, files or the machine, and why the window still calls them."""

MOST = 40
"""Whoever adds to `COMPUTED` takes something else out of it, and whoever takes out lowers this."""

_HOW_MADE = "__dataclass_params__"


def _imported() -> Iterator[tuple[str, str]]:
    for path in sorted((ROOT / "workbench" / "gui").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                yield from ((node.module, alias.name) for alias in node.names)
            elif isinstance(node, ast.Import):
                yield from ((alias.name, "") for alias in node.names)


def _from_below() -> frozenset[tuple[str, str]]:
    parts = {(module, name): module.split(".") for module, name in _imported()}
    return frozenset(pair for pair, path in parts.items() if path[0] == "workbench" and path[1:2] and path[1] in BELOW)


def _found(module: str, name: str) -> object:
    made = importlib.import_module(module)
    return getattr(made, name) if hasattr(made, name) else importlib.import_module(f"{module}.{name}")


def is_value(found: object) -> bool:
    """Whether it can be held and read, and nothing else."""
    if isinstance(found, type) and not isinstance(found, types.GenericAlias):
        frozen = dataclasses.is_dataclass(found) and found.__dataclass_params__.frozen
        return frozen or issubclass(found, enum.Enum | BaseException)
    return (
        isinstance(found, Registry) or not (callable(found) or isinstance(found, types.ModuleType)) or _is_alias(found)
    )


def _is_alias(found: object) -> bool:
    return hasattr(found, "__origin__") or isinstance(found, types.UnionType)


def test_what_is_no_value_is_listed() -> None:
    strange, modules = set(), set()
    for module, name in _from_below():
        full = f"{module}.{name}"
        if full in WORDS_AND_EDITS:
            modules.add(full)
        elif full not in SERVICES and is_value(_found(module, name)):
            continue
        elif module in WORDS_AND_EDITS:
            modules.add(module)
        else:
            strange.add(full)
    assert strange == {*SERVICES, *COMPUTED}
    assert modules == set(WORDS_AND_EDITS)
    assert len(COMPUTED) <= MOST


def test_functions_and_open_classes_are_no_values() -> None:
    class Open:
        pass

    @dataclasses.dataclass(frozen=True)
    class Frozen:
        pass

    @dataclasses.dataclass
    class Changing:
        pass

    assert not any(map(is_value, (Open, Changing, len, is_value, types)))
    assert all(map(is_value, (Frozen, 1, "a", ValueError, enum.Enum, tuple[int, ...], int | None)))
