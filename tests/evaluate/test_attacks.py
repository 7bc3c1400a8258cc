"""Attacks on a release: chances follow from counts, and nobody beats the promise."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.sample_guarantee import guarantee
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.schema import Role
from workbench.core.table import Column, Table
from workbench.evaluate.linkage import link
from workbench.evaluate.membership import most_right, tell_membership
from workbench.project.anonymise_settings import AnonymityKind
from workbench.project.model import GuaranteeSettings
from workbench.session import Session
from workbench.session.syntactic.results import Recoded


def test_linkage_is_what_counting_by_hand_gives() -> None:
    original = Table(
        (
            Column.from_texts("age", ["21", "22", "22", "31", "32", "33", "41"]),
            Column.from_texts("ill", ["a", "a", "b", "b", "b", "a", "c"]),
        )
    )
    labels = Table((Column.from_texts("age", ["2", "2", "2", "3", "3", "3", "4"]), original["ill"]))
    released = labels.take(np.array([4, 0, 3, 1]))  # two of each of the first two groups, nobody of the last
    found = link(original, released, labels, ["age"])
    assert (found.before.prosecutor.highest, found.before.uniques) == (1.0, 5 / 7)
    assert found.before.prosecutor.average == pytest.approx(6 / 7)
    assert found.after.prosecutor.highest == 1 / 2
    assert found.after.journalist.highest == pytest.approx(1 / 3)
    assert found.absent == pytest.approx(1 / 7)
    assert found.everybody == pytest.approx(2 / 7)
    (ill,) = found.learned
    assert (ill.column, ill.blind) == ("ill", pytest.approx(3 / 7))
    assert ill.before == pytest.approx(6 / 7)
    assert ill.after == 1.0  # both released rows of each group have the same
    with pytest.raises(WorkbenchError):
        link(original, released, labels, [])
    with pytest.raises(WorkbenchError):
        link(original, released, labels, ["name"])


@pytest.mark.parametrize("epsilon", [0.25, 1.0, 2.0])
@pytest.mark.parametrize("own", [1, 3])
def test_no_attacker_beats_the_bound(epsilon: float, own: int) -> None:
    """Exact: over groups of every size; `own` rows need a promise for that many."""
    promised = guarantee(epsilon=epsilon, delta=1e-4, beta="max", k=None, rows_per_person=own)
    groups = range(1, 4 * promised.k)
    found = tell_membership(
        list(groups), promised.beta, promised.k, own=own, promised=(promised.epsilon, promised.delta), seed=3
    )
    assert found.bound is not None
    assert 0.5 <= found.exact <= found.bound
    # 4,000 runs: beyond 5 standard errors once in 1.7 million tests
    assert abs(found.right - found.exact) < 5 * math.sqrt(0.25 / (2 * found.runs))
    assert found == tell_membership(
        list(groups), promised.beta, promised.k, own=own, promised=(promised.epsilon, promised.delta), seed=3
    )


def test_what_is_not_private_is_found_out() -> None:
    found = tell_membership([5], 1.0, 5)
    assert (found.right, found.exact, found.bound) == (1.0, 1.0, None)
    assert most_right(0.0, 0.0) == 0.5
    assert most_right(50.0, 0.0) == pytest.approx(1.0)
    assert most_right(1.0, 0.0) == pytest.approx(math.e / (1 + math.e))
    with pytest.raises(WorkbenchError):
        tell_membership([], 0.5, 5)
    with pytest.raises(WorkbenchError):
        tell_membership([9], 0.5, 5, runs=0)


@pytest.fixture
def session(tmp_path: Path) -> Session:
    file = tmp_path / "people.csv"
    lines = [f"{20 + i % 40},{'flu' if i % 3 else 'gout'}" for i in range(4000)]
    file.write_text("\n".join(["age,illness", *lines]) + "\n", encoding="utf-8")
    session = Session()
    session.data.open(file)
    session.data.attach_hierarchy("age", Hierarchy.from_rows([(str(a), f"{a // 10}", "*") for a in range(20, 60)]))
    session.release.columns.set_level("age", 1)
    session.data.set_role(["age"], Role.QUASI)
    session.data.set_role(["illness"], Role.SENSITIVE)
    session.release.set_guarantee(GuaranteeSettings(epsilon=1.0, delta=1e-5))
    return session


def test_both_attacks_on_a_release_of_a_session(session: Session) -> None:
    with pytest.raises(WorkbenchError):
        session.attacks.linker(("age",))
    session.release.anonymise()
    desk = session.attacks
    with pytest.raises(WorkbenchError, match="no look at this data is recorded"):
        desk.linker(desk.usual)
    with pytest.raises(WorkbenchError, match="no look at this data is recorded"):
        desk.membership_tester()
    session.release.look(publish=True)
    assert desk.usual == ("age",)
    found = desk.linker(desk.usual)()
    assert found.before.prosecutor.highest == 1 / 100
    assert found.after.journalist.highest == 1 / 1000
    told = desk.membership_tester()()
    assert (told.group, told.own) == (1000, 1)
    assert told.bound == pytest.approx(most_right(1.0, 1e-5), rel=1e-6)
    session.release.columns.set_levels_blind(False)
    session.release.anonymise()
    assert session.attacks.membership_tester()().bound is None


@pytest.mark.parametrize("local", [False, True])
def test_a_syntactic_table_is_attacked_too(session: Session, local: bool) -> None:
    session.syntactic.set_approach(AnonymityKind.SYNTACTIC)
    session.syntactic.set_models([ModelChoice("k-anonymity", {"k": 5})])
    session.syntactic.set_local_recoding(local)
    made = session.syntactic.recoder()()
    assert isinstance(made, Recoded)
    session.syntactic.accept_recoded(made)
    found = session.attacks.linker(("age",))()
    assert found.exact is not local
    assert found.after.prosecutor.highest == 1 / 1000
    with pytest.raises(WorkbenchError, match="nothing to test"):
        session.attacks.membership_tester()
