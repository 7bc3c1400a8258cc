"""A statement names nobody unless its template does: no text says that something stands there in anybody's name."""

from __future__ import annotations

from pathlib import Path

from tests.kept.recording import commands
from workbench.cli.commands import whole_parser
from workbench.core.paths import resources

DOCS = Path(__file__).parents[2] / "docs"


def test_what_is_declared_stands_in_a_statement_as_the_publishers_word() -> None:
    found = [" ".join(parser.format_help().split()) for _, parser in commands(whole_parser())]
    told = [*found, *(path.read_text("utf-8") for path in [*DOCS.glob("*.md"), *DOCS.glob("manual/*.md")])]
    told.append((resources() / "help" / "en.json").read_text("utf-8"))
    assert not [text for text in told if "in your name" in " ".join(text.split())]
    assert any("the statement says so as the publisher's word" in text for text in found)
