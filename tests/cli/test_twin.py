"""Whatever the window can do, the command line can do: each action and each method has a command, or a reason."""

from __future__ import annotations

import argparse
import re

import pytest

from tests.kept import recording
from workbench.cli.commands import whole_parser
from workbench.gui.actions import ACTIONS
from workbench.session import Session

WINDOW = "about the window itself: what it shows, where, and how its work is undone or cancelled"
SHOWN = "what a room shows of the state; project show, project check and the answers of commands say it"
THREADS = "bookkeeping between threads, which a command has none of"
PARTS = "a part of the other methods, which the commands call themselves"

LIBRARY = "writes down for the library what was set; for the command line it is the project"

IN_MENUS = {
    "python": LIBRARY, "notebook": LIBRARY,
    "pseudonyms": "pseudonymise",
    "new": "project new", "database": "profile --sql", "paste": "profile",
    "open": "project new", "open-folder": "project new --data", "save": "project set",
    "save-as": "project new", "export": "run --out", "verify": "verify", "engine": "project new --engine",
    "renew": "project check", "spend": "run", "plugins": "plugins list", "cancel": WINDOW, "start": WINDOW,
    "quit": WINDOW, "explain": WINDOW, "next": WINDOW, "rail": WINDOW, "preferences": WINDOW, "glossary": WINDOW,
    "manual": WINDOW, "shortcuts": WINDOW,
    "command": WINDOW, "tour": WINDOW, "about": WINDOW,
}  # fmt: skip
"""Entries of the menus; `-` takes what was copied, `about` is `--version`, and the glossary stands in the manual."""

USUAL = {
    r"snapshot|accept.*|.*_key|key|.*is_current|recall.*|needs_preparing|prepared|preparer|adopt|loaded": THREADS,
    r"looks_at|looked_for|require_look": PARTS,
    r"settings|looked|at_stake|taken|documents|current|select|kinds|result|explored|found|around|drawn_levels": SHOWN,
}
"""Methods that every desk may have."""

DESKS = {
    "data": {
        "open": "project new --data", "set_role": "project set --role", "set_kind": "project set --kind",
        "set_bounds": "project set --column-bounds", "set_format": "project set --format", "table": SHOWN,
        "set_missing": "project set --missing-text", "set_domain": "project set --domain", "reading": SHOWN,
        "set_unit_text": "project set --unit", "set_misfits": "project set --misfits", "fingerprint": SHOWN,
        "set_unit": "project set --person", "set_preparation": "project set --where", "suggester": "profile",
        "list_reader": "project set --hierarchy", "hierarchy_suggester": "project set --suggested-hierarchies",
        "attach_hierarchy": "project set --hierarchy",
        "attach_hierarchies": "project set --suggested-hierarchies", "files_read": PARTS, "place_beside": SHOWN,
        "file_name": SHOWN,
        "attach_hierarchy_file": "project set --hierarchy", "detach_hierarchy": "project set --no-hierarchy",
        "set_provenance": "project set --data-derived", "cover": "anonymise --cover", "uncovered": "project check",
        "declare_imported": "anonymise --hierarchy", "declared": SHOWN, "undeclared": SHOWN, "persons": "profile",
        "working_key": PARTS, "give_roles": "project set --role",
        "proposed_format": "profile", "suggested_roles": "profile", "named_after_persons": "profile",
        "prepared_table": PARTS,
    },
    "ledger": {
        "left_names": SHOWN, "released_since": SHOWN, "left_untold": PARTS, "is_contradicted": SHOWN,
        "continue_count": "ledger --continue-ledger", "declare_other_people": "ledger --other-people",
        "nearly_same": "ledger", "use_file": "ledger --ledger", "certificate": "ledger --statements",
        "copy_into_project": "run", "earlier_releases": "ledger", "own_releases": PARTS, "of": PARTS, "draws": SHOWN,
        "entry_of": PARTS, "number_known": SHOWN,
        "others_drawn": PARTS, "is_looked_at": SHOWN, "kept_from_projects": PARTS, "known_entries": PARTS,
        "looks": "ledger", "looks_before": PARTS, "protected": PARTS,
    },
    "looks": {"take": "attack", "require": PARTS, "of_answers": "query"},
    "unseen": {"hierarchy": SHOWN, "stand_in": SHOWN, "hierarchy_builder": "hierarchy build"},
    "release": {
        "anonymise": "run", "anonymiser": "run", "draw_again": "run", "export": "run --out", "exporter": "run --out",
        "forecast": "anonymise --plan", "guarantee": "guarantee", "look": "run --analyst", "choose": "run --chosen",
        "chosen": SHOWN, "claim": "project check", "claim_of_left": "report", "current_claim": SHOWN, "price_if": SHOWN,
        "current_result": SHOWN, "promise": "guarantee", "recipe": PARTS, "record_export": PARTS,
        "refuse_before_drawing": "run", "refuse_draw": "run", "refuse_without_columns": "project check", "said": SHOWN,
        "say": "run --chosen", "sampled_because_of": SHOWN, "lost_with_it": SHOWN,
        "set_guarantee": "project set --epsilon", "set_mechanism": "project set --set", "set_seed": "project set --set",
        "set_trimming": "project set --set", "sum_of_all": "run --chosen", "trim_guarantee": "guarantee",
        "written": SHOWN, "say_number_known": "run --known", "say_beforehand": "run --known", "beforehand": SHOWN,
        "after": SHOWN, "as_written": SHOWN, "write_otherwise": "run --one-level",
        "exported": SHOWN, "exported_with_claim": SHOWN, "left_as_it_is": SHOWN, "chain": SHOWN, "mechanism": SHOWN,
    },
    "release.columns": {
        "set_level": "project set --level", "set_treatment": "project set --group",
        "suppress": "project set --suppress",
        "release": "project set --group", "set_degree": "project set --set", "set_search": "project set --set",
        "set_levels_by": "project set --set", "limit_levels": "project set --set", "set_level_limits":
        "project set --set", "set_levels_blind": "project set --set", "apply_levels": "anonymise --level",
        "draw_levels": "anonymise --search", "private_search": SHOWN, "fixed_level": SHOWN, "level": SHOWN,
        "limits": SHOWN, "grouped_as_they_are": SHOWN, "grouping": PARTS, "is_suppressed": SHOWN, "kept": SHOWN,
        "quasi_identifiers": SHOWN, "treatment": SHOWN, "left_out": SHOWN, "is_left_out": SHOWN, "undecided": SHOWN,
    },
    "release.steps": {
        "set_source": "anonymise --steps", "set_level": "anonymise --step", "set_share": "anonymise --shares",
        "set_shares_by_rule": "anonymise --shares", "set_degree": "anonymise --step", "add": "anonymise --step",
        "remove": "anonymise --step", "set_importance": "project set --set", "set_above_draw": "project set --set",
        "mend": "project set --set", "take_over": "project set --set",
        "above_draw": SHOWN, "can_add": SHOWN, "can_remove": SHOWN, "degrees_for": SHOWN,
        "importance": SHOWN, "level": SHOWN, "lines": SHOWN, "mechanism": SHOWN, "source": SHOWN, "sources": SHOWN,
        "set_said": "anonymise --occurs", "said": SHOWN, "said_example": SHOWN,
        "source_of": SHOWN,
    },
    "release.series": {"plan": "run --releases", "price": "run --releases"},
    "release.survival": {"simulator": "survival"},
    "syntactic": {
        "set_approach": "project set --set", "set_models": "anonymise --model", "set_metric": "anonymise --metric",
        "set_goal": "anonymise --suppression-limit",
        "set_suppression_limit": "anonymise --suppression-limit", "set_weight": "anonymise --weight",
        "set_local_recoding": "anonymise --local-recoding", "searcher": "anonymise --search", "question": SHOWN,
        "best_levels_finder": "anonymise --search", "generaliser": "anonymise --model", "recoder": "levels",
        "recoded": SHOWN, "recoded_writer": "run --out", "record_recoded": PARTS, "saw_the_data": PARTS,
        "write_anonymised": "anonymise --out", "wanted": SHOWN, "current_recoded": SHOWN,
    },
    "queries": {
        "is_of_now": WINDOW,
        "ask": "query", "asker": "query", "plan": "query --plan", "plain": "query --plain", "solve": "query --need",
        "plan_batch": "query --batch", "batch_asker": "query --batch", "set_batch": "query --batch",
        "set_batch_epsilon": "query --batch", "batch_charge": "query --batch", "begun": PARTS,
        "stored_batch": "query --batch", "stored": "query --again", "set_draft": "project set --set",
        "answers": "ledger", "answers_of_this": "ledger", "bought": "query", "curve": "query --plan",
        "bought_of": "query", "rows_bought": "query --plan", "add_to_batch": "query --batch",
        "take_from_batch": "query --batch", "take_into_hand": "project set --set",
        "is_released_file": SHOWN, "alike": SHOWN, "otherwise": SHOWN, "look": "compare", "metrics": "compare",
        "epsilon_tester": "compare", "rows_tester": "compare", "histogram_tester": "compare",
    },
    "collection": {
        "change": "project set --set", "plan": "collect", "planner": "collect", "simulator": "collect --repetitions",
        "sweeper": "collect --repetitions", "exporter": "collect --reports", "people_needed": "collect --need",
        "epsilon_needed": "collect --need", "predicted_means": "collect", "curve_planner": "collect", "look": "collect",
        "pricer": "collect", "asker": "collect --reports", "attendance": "collect --reports", "domain": SHOWN,
        "shown_rows": SHOWN, "reports_per_person": SHOWN, "without_table": SHOWN, "person": SHOWN, "spec": SHOWN,
        "ask_about": "collect --column", "answerable": SHOWN, "carried": SHOWN, "ask_nobody": "project set --set",
        "ask_for": "collect --protocol", "asks_mean": SHOWN, "can_ask_mean": SHOWN, "sampling_proposed": SHOWN,
        "counts_no_part": SHOWN, "assumes_shares": SHOWN, "valueless": SHOWN, "shows_rows": SHOWN,
        "mean_plan": "collect", "mean_planner": "collect", "mean_curve_planner": "collect",
        "people_for_mean": "collect", "epsilon_for_mean": "collect", "key_of": SHOWN, "typed_in": SHOWN,
        "simulated_shares": SHOWN,
        "usual_shares": SHOWN, "yes_share": SHOWN,
    },
    "comparison": {
        "add": "compare", "change": "compare", "remove": "compare", "take_in": PARTS, "runner": "compare",
        "looker": "compare", "look": "compare", "preset_runner": "preset", "presets": "preset --list",
        "column_reader": "preset --data", "published_reader": "preset", "domain": SHOWN, "estimator": SHOWN,
        "may_run": SHOWN, "refuser": SHOWN, "lacks": "preset --data", "whom": SHOWN, "unsaid_person": "profile",
        "without_table": SHOWN, "schema_of": SHOWN, "is_typed": SHOWN,
    },
    "audit": {"ask": "project set --set", "ask_about": "audit", "examiner": "audit"},
    "reports": {"maker": "report --out", "release_facts": PARTS, "left": SHOWN},
    "attacks": {
        "linker": "attack", "learner": "attack --knows", "membership_tester": "attack --membership", "columns": SHOWN,
        "usual": "attack", "look": "attack",
    },
}  # fmt: skip
"""For each public method of a desk, the command that does it, or why there is none."""
REASONS = {LIBRARY, WINDOW, SHOWN, THREADS, PARTS}
SESSION = {"from_file": "project show", "save": "project set", "saver": "project set", "snapshot": THREADS,
           "accept_saved": THREADS, "exporter": "run --out", "project": SHOWN, "has_data": SHOWN,
           "has_result": SHOWN, "standing": "ledger", "make_desk": THREADS,
           "publisher": "run --template", "publishing": SHOWN,
           "propose_to_speak_as": WINDOW, "speak_as": "run --template", "use_template": "run --template"}  # fmt: skip


@pytest.fixture(scope="module")
def parsers() -> dict[str, argparse.ArgumentParser]:
    return {name.removeprefix("workbench "): one for name, one in recording.commands(whole_parser())}


def check(answer: str, parsers: dict[str, argparse.ArgumentParser]) -> None:
    """The command is there and takes the flag, or the answer is one of the reasons."""
    if answer in REASONS:
        return
    command, _, flag = answer.partition(" --")
    assert command in parsers, answer
    assert not flag or f"--{flag}" in parsers[command]._option_string_actions, answer


def test_every_entry_of_the_menus_has_a_command_or_a_reason(parsers: dict[str, argparse.ArgumentParser]) -> None:
    entries = {one.identifier for one in ACTIONS}
    assert not entries - set(IN_MENUS)
    for answer in IN_MENUS.values():
        check(answer, parsers)


def public(of: type) -> set[str]:
    return {name for name in dir(of) if not name.startswith("_")}


@pytest.mark.parametrize("desk", DESKS)
def test_every_method_of_a_desk_has_a_command_or_a_reason(
    desk: str, parsers: dict[str, argparse.ArgumentParser]
) -> None:
    held: object = Session()
    for name in desk.split("."):
        held = getattr(held, name)
    there = public(type(held))
    usual = {name for name in there if any(re.fullmatch(pattern, name) for pattern in USUAL)}
    assert there - usual - set(DESKS[desk]) == set(), "no command and no reason"
    for answer in DESKS[desk].values():
        check(answer, parsers)


def test_every_method_of_the_session_has_one(parsers: dict[str, argparse.ArgumentParser]) -> None:
    desks = {name for name in DESKS if "." not in name}
    assert public(Session) - desks == set(SESSION)
    session = Session()
    while session.make_desk():
        pass
    assert {name for name in vars(session) if name != "state"} == desks
    for answer in SESSION.values():
        check(answer, parsers)
