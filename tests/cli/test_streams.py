"""`-` in place of a file: data from standard input and to standard output, words to standard error."""

from __future__ import annotations

import io
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from workbench.cli.main import main
from workbench.core.paths import resources, sample_data

AGES = sample_data() / "ages.csv"
HIERARCHY = ["--hierarchy", f"age={sample_data() / 'ages_hierarchy_age.csv'}"]


class _Input:
    """Standard input that holds bytes."""

    def __init__(self, content: bytes) -> None:
        self.buffer = io.BytesIO(content)

    def isatty(self) -> bool:
        return False


@pytest.fixture
def pipe(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run a command with something on its standard input: its exit code, standard output and standard error."""

    def run(*words: str, given: bytes = b"") -> tuple[int, bytes, str]:
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stdin", _Input(given))
            code = main(list(words))
        said = capsysbinary.readouterr()
        return code, said.out, said.err.decode()

    return run


def test_data_is_read_from_standard_input_as_from_a_file(pipe: Any) -> None:
    code, piped, _ = pipe("profile", "-", "--json", given=AGES.read_bytes())
    assert code == 0 and json.loads(piped) == json.loads(pipe("profile", str(AGES), "--json")[1])


def test_a_release_goes_through_a_pipe_and_its_words_do_not(pipe: Any, tmp_path: Path) -> None:
    given, made = AGES.read_bytes(), tmp_path / "r.csv"
    more = [*HIERARCHY, "--seed", "1", "--out"]
    code, data, said = pipe("anonymise", "-", *more, "-", given=given)
    assert code == 0 and "were written to standard output" in said
    assert pipe("anonymise", str(AGES), *more, str(made))[0] == 0
    assert data == made.read_bytes()
    assert tempfile.gettempdir() not in said


def test_for_programs_the_object_is_on_standard_error(pipe: Any) -> None:
    spec = str(resources() / "hierarchies" / "age.json")
    code, data, said = pipe("hierarchy", "build", spec, "--data", "-", "--column", "age", "--out", "-", "--json",
                            given=AGES.read_bytes())  # fmt: skip
    assert code == 0 and data.count(b";") > 100
    assert json.loads(said)["out"] == "-"


def test_nothing_stays_in_the_folder_for_temporary_files(
    pipe: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    given = AGES.read_bytes()
    assert pipe("anonymise", "-", *HIERARCHY, "--out", "-", given=given)[0] == 0
    assert pipe("anonymise", "-", "--hierarchy", "nothing=x.csv", "--out", "-", given=given)[0] == 2
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["anonymise", "-", *HIERARCHY, "--out", "-", "--statement", "-"], "stands in 2 places"),
        (["preset", "ages", "--out", "-"], "names a folder"),
        (["project", "new", "p.wbench", "--data", "-"], "gone afterwards"),
    ],
)
def test_what_no_stream_can_be_is_refused(words: list[str], told: str, pipe: Any) -> None:
    code, data, said = pipe(*words, given=AGES.read_bytes())
    assert (code, data) == (2, b"") and told in said


def test_standard_output_that_takes_no_data_is_said_with_what_it_cost(
    pipe: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from workbench.cli import streams
    from workbench.cli.printing import NotPrinted

    def full(_: Path) -> None:
        raise NotPrinted("the disk is full")

    monkeypatch.setattr(streams, "write_data", full)
    code, _, said = pipe("anonymise", "-", *HIERARCHY, "--epsilon", "0.5", "--out", "-", given=AGES.read_bytes())
    assert code == 2 and "the disk is full" in said and "ε = 0.5" in said and "was charged" in said


def test_the_file_behind_standard_input_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "d.csv"
    data.write_bytes(AGES.read_bytes())
    with data.open(encoding="utf-8") as given:
        monkeypatch.setattr(sys, "stdin", given)
        assert main(["anonymise", "-", *HIERARCHY, "--out", str(data), "--force"]) == 2
    assert "is read as standard input" in capsys.readouterr().err
    assert data.read_bytes() == AGES.read_bytes()
    assert [one.name for one in tmp_path.iterdir()] == ["d.csv"]
