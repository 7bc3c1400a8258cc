"""Reports that a protocol hardly ever gives are told from those that it gives, whatever people have."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

import workbench as wb
from workbench.cli.main import main
from workbench.core.randomness import SeededSource
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import Domain
from workbench.ldp.possible import FALSE_ALARM, all_but_impossible
from workbench.ldp.protocol import FrequencyRandomiser, Support
from workbench.ldp.report_file import Announcement, write_reports


@pytest.mark.parametrize(("size", "epsilon", "people"), [(2, 0.1, 30), (3, 0.1, 500), (20, 3.0, 60), (4, 9.0, 1)])
def test_what_is_doubted_is_rarer_than_is_allowed_by_the_law_itself(size: int, epsilon: float, people: int) -> None:
    """Of everybody and of nobody, which are the ends; and not by much rarer, so that it is seen."""
    built = ProtocolChoice("oue" if size == 20 else "grr").frequency(size, epsilon)
    assert built.pure is not None
    p, q = built.pure
    chance = FALSE_ALARM / (2 * size)
    for seen in range(people + 1):
        many, few = all_but_impossible(built, Support(people, np.full(size, seen)))
        above, below = binom.sf(seen - 1, people, p), binom.cdf(seen, people, q)
        assert (not many or above <= chance) and (not few or below <= chance)
        assert (many or above > chance / 50) and (few or below > chance / 50)
        assert not many or many == tuple(range(size))


@pytest.mark.parametrize("identifier", ["grr", "oue", "sue", "olh", "the", "subset-selection", "rappor", "hadamard"])
def test_reports_of_the_protocol_are_not_doubted(identifier: str) -> None:
    built = ProtocolChoice(identifier).build(5, None if identifier == "rappor" else 1.0)
    assert isinstance(built, FrequencyRandomiser)
    source = SeededSource(5)
    for values in (np.zeros(400, dtype=np.int64), np.arange(400) % 5, np.full(3, 4)):
        assert all_but_impossible(built, built.accumulate(built.perturb(values, source))) == ((), ())


def test_a_file_of_answers_at_another_epsilon_is_doubted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its first line says ε = 0.1, and its reports are nearly what people said."""
    values, lines = np.repeat([0, 1, 2], [300, 100, 100]), {}
    for epsilon in (0.1, 20.0):
        built, path = ProtocolChoice("grr").frequency(3, epsilon), tmp_path / f"{epsilon}.csv"
        announced = Announcement(built, "x", Domain(("a", "b", "c"), False, True), None, True, 500, 1, False)
        write_reports(path, announced, values, SeededSource(1))
        lines[epsilon] = path.read_text(encoding="utf-8").splitlines()
    mixed = tmp_path / "mixed.csv"
    mixed.write_text("\n".join([lines[0.1][0], *lines[20.0][1:]]) + "\n", encoding="utf-8")
    doubt = "So many reports of “a” and so few of “b” and “c” are all but impossible at ε = 0.1"
    for path, doubted in ((mixed, True), (tmp_path / "0.1.csv", False), (tmp_path / "20.0.csv", False)):
        assert main(["aggregate", str(path)]) == 0
        assert (doubt in capsys.readouterr().out) == doubted
        found = wb.aggregate(path)
        assert (doubt in found.claim) == doubted
