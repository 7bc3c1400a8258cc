"""The salaries of players, their hierarchies, and a release of them."""

from __future__ import annotations

from pathlib import Path

from workbench.core.paths import sample_data

NBA = sample_data() / "nba_salaries.csv"
HIERARCHY = sample_data() / "nba_hierarchy_salary.csv"
PAIRS = sample_data() / "nba_hierarchy_salary_pairs_of_means.csv"
POSITION = sample_data() / "nba_hierarchy_position.csv"


def release_of(out: Path, *more: str | Path) -> list[str | Path]:
    return [
        "anonymise", NBA, "--hierarchy", f"salary={HIERARCHY}", "--level", "salary=3",
        "--hierarchy", f"position={POSITION}", "--level", "position=0",
        "--mechanism", "sample", "--epsilon", "1", "--delta", "1e-5", "--out", out, *more, "--json",
    ]  # fmt: skip
