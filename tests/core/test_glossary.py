"""The glossary as the program shows it."""

from __future__ import annotations

from workbench.core.glossary import glossary, parts_of


def test_a_table_under_each_heading_becomes_plain_text() -> None:
    table = "| word | meaning |\n|---|---|\n| **a**, *b* | what `it` is | code |\n"
    text = f"# Glossary\n\nWords.\n\n## First\n\n{table}\n## Empty\n"
    (part,) = parts_of(text)
    assert (part.heading, part.words) == ("First", (("a, b", "what it is"),))


def test_every_word_of_the_program_is_there() -> None:
    parts = glossary()
    words = [word for part in parts for word, _ in part.words]
    assert len(parts) >= 5 and {"claim", "promise", "ledger"} <= set(words)
    assert all(meaning and "|" not in meaning and "**" not in meaning for part in parts for _, meaning in part.words)
