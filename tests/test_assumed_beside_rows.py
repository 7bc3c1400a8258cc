"""Shares that are assumed are simulated beside a table, too, and no row of it is looked at for that."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.collecting_helpers import JOBS, file
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT
from workbench.core.schema import PrivacyUnit
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.plan import Shape
from workbench.session import Session

__all__ = ["file"]
GRR, SUBSET = ProtocolChoice("grr"), ProtocolChoice("subset-selection")


def opened(path: Path) -> Session:
    session = Session()
    session.data.open(path)
    session.data.set_domain("job", JOBS)
    session.data.set_bounds("age", (0.0, 100.0))
    session.data.set_unit(PrivacyUnit(1, ""))
    session.collection.change(column="job", protocols=(GRR, SUBSET), repetitions=3, seed=1, shape=Shape.FALLING)
    return session


def test_people_with_assumed_shares_answer_without_a_look(file: Path) -> None:
    session = opened(file)
    desk = session.collection
    with pytest.raises(WorkbenchError):
        desk.simulator()
    found = desk.simulator(foresee=True, assumed=True)(SILENT)
    assert not desk.looked and found.assumed == "falling shares, as 1 : 1/2 : 1/3"
    assert found.key == desk.key_of(found) != desk.key() and desk.key_of(None) == desk.key()
    assert found.foreseen is not None and len(found.results) == 2 and not found.problems
    counts = found.asked.encoded
    assert counts is not None
    # 1 : 1/2 : 1/3 : 1/4 of as many people as a prediction is told of.
    shares = 1 / np.arange(1.0, 5.0)
    assert counts.counts.tolist() == pytest.approx((desk.plan().users * shares / shares.sum()).tolist(), abs=1)
    desk.change(shape=Shape.UNIFORM)
    assert desk.key_of(found) != found.key, "of other shares it is out of date"


def test_what_is_simulated_of_assumed_shares_does_not_hang_on_the_rows(file: Path, tmp_path: Path) -> None:
    """Of another table of as many rows, with other answers and other gaps, it is the same to the last digit."""
    lines = file.read_text(encoding="utf-8").splitlines()
    other = tmp_path / "other.csv"
    names = [line.split(",")[0] for line in lines[1:]]
    told = (f"{name},{'cook' if place % 3 == 0 else ''},30,2024-01-01" for place, name in enumerate(names))
    changed = [lines[0], *told]
    other.write_text("\n".join([*changed, ""]), encoding="utf-8")
    each = [opened(path).collection.simulator(foresee=True, assumed=True)(SILENT) for path in (file, other)]
    one, two = ([result.errors["l1"].values.tolist() for result in found.results] for found in each)
    assert one == two and each[0].users == each[1].users


def test_of_a_mean_only_rows_are_simulated_beside_a_table(file: Path) -> None:
    session = opened(file)
    session.collection.change(column="age", protocols=(ProtocolChoice("duchi"),))
    with pytest.raises(WorkbenchError, match="Of a mean only the rows"):
        session.collection.simulator(assumed=True)
