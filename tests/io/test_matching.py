"""Finding the hierarchies that lie beside a data file."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.core.paths import sample_data
from workbench.io.hierarchy_files import HierarchyFile, matching_hierarchies


def _folder(path: Path, *names: str) -> Path:
    for name in names:
        (path / name).touch()
    return path


def test_the_plain_file_comes_before_its_variants() -> None:
    folder = sample_data()
    found = matching_hierarchies(folder / "nba_salaries.csv", ["player", "position", "salary"])
    assert list(found) == ["position", "salary"]
    assert found["salary"] == (
        HierarchyFile(folder / "nba_hierarchy_salary.csv"),
        HierarchyFile(folder / "nba_hierarchy_salary_pairs_of_means.csv", "pairs of means"),
    )


def test_packed_data_and_spaces_in_column_names() -> None:
    found = matching_hierarchies(
        sample_data() / "surgery_charges.csv.gz", ["surgery type", "average Medicare payments"]
    )
    assert [files[0].path.name for files in found.values()] == [
        "surgery_hierarchy_surgery_type.csv",
        "surgery_hierarchy_average_Medicare_payments.csv",
    ]


@pytest.mark.parametrize("file", ["adult_hierarchy_marital-status.csv", "ADULT_Hierarchy_Marital Status.csv"])
def test_case_and_the_mark_between_words_do_not_count(tmp_path: Path, file: str) -> None:
    _folder(tmp_path, file)
    found = matching_hierarchies(tmp_path / "adult.csv", ["marital_status"])
    assert found["marital_status"][0].path.name == file


def test_the_longest_column_name_takes_the_file(tmp_path: Path) -> None:
    _folder(tmp_path, "d_hierarchy_age_group.csv", "d_hierarchy_age.csv")
    found = matching_hierarchies(tmp_path / "d.csv", ["age", "age_group"])
    assert {name: [file.path.name for file in files] for name, files in found.items()} == {
        "age": ["d_hierarchy_age.csv"],
        "age_group": ["d_hierarchy_age_group.csv"],
    }


def test_files_of_other_data_and_other_words_are_left_alone(tmp_path: Path) -> None:
    _folder(tmp_path, "other_hierarchy_age.csv", "dat_hierarchy_age.csv", "data_hierarchy_agent.csv", "data_age.csv")
    assert matching_hierarchies(tmp_path / "data.csv", ["age"]) == {}


def test_a_folder_that_is_gone_has_none(tmp_path: Path) -> None:
    assert matching_hierarchies(tmp_path / "gone" / "data.csv", ["age"]) == {}
