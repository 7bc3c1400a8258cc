"""Ctrl+C right when a file has taken its place: what belongs to it stays, and it is said to be there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from workbench.cli.main import main
from workbench.core.paths import sample_data

AGES = sample_data()
MADE = ["anonymise", str(AGES / "ages.csv"), "--hierarchy", f"age={AGES / 'ages_hierarchy_age.csv'}"]


def interrupted_when_it_stands(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    """Ctrl+C once, in the moment in which a file has taken its place."""
    replaced = Path.replace

    def replace(self: Path, target: str | Path) -> Path:
        found = replaced(self, target)
        if Path(target) == path:
            monkeypatch.setattr(Path, "replace", replaced)
            raise KeyboardInterrupt
        return found

    monkeypatch.setattr(Path, "replace", replace)


@pytest.mark.parametrize("again", [False, True])
def test_a_release_that_stands_keeps_its_statement(
    again: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    release, page = tmp_path / "r.csv", tmp_path / "r.html"
    words = [*MADE, "--epsilon", "1", "--delta", "1e-5", "--out", str(release), "--statement", str(page)]
    if again:  # over an older one, whose statement must not come back beside the new file
        assert main(words) == 0
        words += ["--force", "--chosen"]
    capsys.readouterr()
    interrupted_when_it_stands(monkeypatch, release)
    assert main([*words, "--json"]) == 130
    said = json.loads(capsys.readouterr().err)
    assert "interrupted" in said["error"]["message"]
    assert [one["answer_kept"] for one in said["charged"]] == [True]
    assert any("was written whole before that: r.csv, r.html" in note for note in said["notes"])
    assert main(["verify", str(release), "--statement", str(page)]) == 0


def test_what_does_not_stand_yet_takes_its_statement_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    release, page = tmp_path / "r.csv", tmp_path / "r.html"
    interrupted_when_it_stands(monkeypatch, page)
    assert main([*MADE, "--epsilon", "1", "--delta", "1e-5", "--out", str(release), "--statement", str(page)]) == 130
    assert list(tmp_path.iterdir()) == []
    assert "What it paid for is not kept" in capsys.readouterr().err
