"""Paths as people type them."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.cli.main import main
from workbench.core.paths import typed_path

NOBODY = "~nobody-has-this-name/people.csv"


def test_a_tilde_is_the_home_folder_where_somebody_has_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert typed_path("~/people.csv") == tmp_path / "people.csv"
    assert typed_path("a/~/people.csv") == Path("a/~/people.csv")
    assert typed_path(NOBODY) == Path(NOBODY)


@pytest.mark.parametrize("words", [["profile", NOBODY], ["query", NOBODY, "--query", "count", "--epsilon", "1"]])
def test_a_home_that_nobody_has_is_said(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    said = capsys.readouterr().err
    assert "nobody-has-this-name" in said and "unexpected" not in said
