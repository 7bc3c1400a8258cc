"""Settings by the paths they are written with: what leads nowhere is refused by what it is called."""

from __future__ import annotations

import pytest

from workbench.core.errors import WorkbenchError
from workbench.project.model import Project
from workbench.project.setting_paths import changed, paths


@pytest.mark.parametrize(
    "path", ["nowhere.bins", "collect", "", ".", "collect.", "collect.nothing", "collect.bins.more"]
)
def test_a_path_that_leads_nowhere_is_refused(path: str) -> None:
    with pytest.raises(WorkbenchError, match="setting"):
        changed(Project(), path, "5")


def test_a_setting_takes_the_value_it_is_given() -> None:
    project = Project()
    assert paths(project)["anonymise.guarantee.epsilon"] == 1.0
    other = changed(project, "anonymise.guarantee.epsilon", "2.5")
    assert paths(other) == {**paths(project), "anonymise.guarantee.epsilon": 2.5}
