"""Statements of version 1, written before their notes held everything, go on verifying, and no forged one does."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.forging import NOTE, PAGE, copied, edits, text_edits, verify, with_facts, write_anew
from workbench.report.older_notes import upgraded
from workbench.report.page import dissected
from workbench.report.proof import NOT_SIGNED
from workbench.report.statement import statement_body, title_of

pytestmark = pytest.mark.usefixtures("thousands_verified")

KEPT = Path(__file__).parent / "data" / "statements" / "version_1"


@pytest.mark.parametrize("case", sorted(path.name for path in KEPT.iterdir()))
def test_kept_statements_go_on_verifying(case: str, tmp_path: Path, quiet: Callable[[], str]) -> None:
    folder = copied(KEPT / case, tmp_path / case)
    for given in (PAGE, NOTE):
        assert verify(folder, given) == 0, quiet()
    said = quiet()
    assert NOT_SIGNED in said
    assert ("Not checked: Cautions" in said) == (not case.startswith("models"))
    (folder / PAGE).unlink()
    assert verify(folder, NOTE) == 0
    assert ("Not checked: Sentences" in quiet()) == (not case.startswith("models"))


@pytest.mark.parametrize("case", ["persons", "drawn", "void", "second", "models"])
def test_edits_of_kept_pages_are_found(case: str, tmp_path: Path, quiet: Callable[[], str]) -> None:
    folder = copied(KEPT / case, tmp_path / case)
    page = (folder / PAGE).read_text("utf-8")
    unknown = (
        "tens & more",
        "data-derived: sorted",
        "Written by",
        "2026-",
        "Only rows with",
        "with probability",
        "samples of this data",
        "What the reader",
    )
    missed = []
    for what, changed in text_edits(page):
        write_anew(folder / PAGE, changed)
        if verify(folder) == 0 and not any(words in what for words in unknown):
            missed.append(what)
    assert missed == []


@pytest.mark.parametrize("case", ["drawn", "persons", "zero", "void", "models"])
def test_edits_of_kept_notes_and_facts_are_found(case: str, tmp_path: Path, quiet: Callable[[], str]) -> None:
    folder = copied(KEPT / case, tmp_path / case)
    facts = json.loads((folder / NOTE).read_text("utf-8"))
    page = (folder / PAGE).read_text("utf-8")
    (folder / NOTE).unlink()
    missed = []
    for where, was, now, changed in edits(facts):
        write_anew(folder / PAGE, with_facts(page, changed))
        if verify(folder) == 0 and (case, where) != ("models", "file.texts_made_safe_for_spreadsheets"):
            missed.append(f"{where}: {was} → {now}")  # that number stood on no page of models
    assert missed == []


def test_a_stronger_promise_is_found_in_a_kept_statement(tmp_path: Path, quiet: Callable[[], str]) -> None:
    """All three changed at once, by whoever knows the template."""
    for case in ("claim", "drawn", "persons"):
        folder = copied(KEPT / case, tmp_path / case)
        facts = json.loads((folder / NOTE).read_text("utf-8"))
        taken = dissected((folder / PAGE).read_text("utf-8"), title_of(facts))
        whole = upgraded(facts, taken.body)
        for changed in (facts, whole):
            changed["release"]["beta"] = 0.9
        body = statement_body(whole)
        page = (folder / PAGE).read_text("utf-8").replace(taken.body, body)
        write_anew(folder / PAGE, with_facts(page, facts))
        write_anew(folder / NOTE, json.dumps(facts))
        assert verify(folder) == 1
        assert "give no less than" in quiet()
        (folder / PAGE).unlink()
        assert verify(folder, NOTE) == 1
