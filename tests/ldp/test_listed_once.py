"""What is one mechanism under several names is listed once, with all of them, and only where it is exactly that."""

from __future__ import annotations

import json

import numpy as np
import pytest

from workbench.cli.main import main
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.plan import CollectionPlan
from workbench.ldp.predicted_curves import predicted_curves
from workbench.ldp.prediction import predict_one
from workbench.session.collection.listed_once import OtherNames
from workbench.session.collection.predicted_chart import predicted_chart

COINS = ProtocolChoice("rr", {"design": "coins"})
THREE = tuple(map(ProtocolChoice, ("grr", "rr", "subset-selection")))


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_of_two_values_the_three_are_the_same_channel(epsilon: float) -> None:
    built = [one.frequency(2, epsilon) for one in THREE]
    chance = np.exp(epsilon) / (1 + np.exp(epsilon))
    for one in built:
        kept, other = one.pure or (0.0, 0.0)
        assert (float(kept), float(other)) == pytest.approx((chance, 1 - chance))
    assert [one.simpler for one in built] == ["", "grr", "grr"]
    assert COINS.frequency(2, epsilon).simpler == "", "whose ε follows from its coins"


def test_they_are_listed_once() -> None:
    plan = CollectionPlan(1000, 2, 1.0)
    found = [predict_one(plan, one) for one in (*THREE, COINS, ProtocolChoice("oue"))]
    names = OtherNames(found)
    assert names.of(THREE[0]) == THREE[1:] and [names.told(one.choice) for one in found] == [
        False,
        True,
        True,
        False,
        False,
    ]
    assert not OtherNames(found[1:]).told(THREE[2]), "without the plainest of them nothing is folded"
    assert names.chosen((THREE[0], COINS, None), (THREE[2],)) == [True, False, False]
    eight, far = (CollectionPlan(1000, 8, epsilon) for epsilon in (1.0, 4.0))
    pair = THREE[0], THREE[2]
    assert not OtherNames([predict_one(eight, one) for one in pair]).told(THREE[2]), "sets of several values"
    assert OtherNames([predict_one(far, one) for one in pair]).told(THREE[2]), "sets of one"


@pytest.mark.parametrize(("size", "least", "drawn"), [(2, 0.5, 1), (8, 0.5, 2), (8, 4.0, 1)])
def test_what_is_one_mechanism_at_all_places_has_one_curve(size: int, least: float, drawn: int) -> None:
    pair, places = (THREE[0], THREE[2]), np.array([least, 6.0])
    curves = predicted_curves(CollectionPlan(1000, size, 1.0), pair, "epsilon", places)
    chart = predicted_chart(curves, "l1", best=THREE[2])
    own = [one for one in chart.curves if one.role == "local"]
    assert len(own) == drawn and [one.taken for one in own][-1]
    assert ("also called Subset selection" in own[0].name) is (drawn == 1)
    # Beside the curve, where all of them would be cut, is the one by which it is told.
    assert own[0].written == ("Randomised response" if size == 2 else "Direct encoding")


def test_the_command_lists_them_once_and_its_json_each(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["collect", "--predict", "--column", "smokes", "--domain", "yes,no", "--users", "500", "--epsilon", "1"]
    assert main([*asked, "--need", "l1=0.1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    name = "Direct encoding (grr), also called Randomised response (rr) or Subset selection (subset-selection): "
    assert sum(line.startswith(name) for line in lines) == 2, "its errors, and how many it needs"
    assert not any(line.startswith(("Randomised response", "Subset selection")) for line in lines)
    assert main([*asked, "--json"]) == 0
    assert {"grr", "rr", "subset-selection"} <= set(json.loads(capsys.readouterr().out)["predictions"])
